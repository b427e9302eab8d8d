; Loads that some paths skip, and what else may meet where paths join. User data: a table in s[2:3], samplers in s[4:7].

; A load on one path of two; registers past the user data, and within it.
  s_cbranch_scc1 .Lskip
  s_load_dwordx8 s[40:47], s[2:3], 0x100
  s_load_dwordx8 s[8:15], s[2:3], 0x120
.Lskip:
  s_waitcnt lgkmcnt(0)
skipped:
  image_sample v[0:3], v[0:1], s[40:47], s[4:7] dmask:0xf dim:SQ_RSRC_IMG_2D
skipped_user_data:
  image_sample v[0:3], v[0:1], s[8:15], s[4:7] dmask:0xf dim:SQ_RSRC_IMG_2D

; Different loads of the same registers on two paths.
  s_cbranch_scc1 .Lelse
  s_load_dwordx8 s[16:23], s[2:3], 0x200
  s_branch .Ljoin
.Lelse:
  s_load_dwordx8 s[16:23], s[2:3], 0x240
.Ljoin:
  s_waitcnt lgkmcnt(0)
different:
  image_sample v[0:3], v[0:1], s[16:23], s[4:7] dmask:0xf dim:SQ_RSRC_IMG_2D

; The same place by two loads.
  s_cbranch_scc1 .Lelse2
  s_load_dwordx8 s[16:23], s[2:3], 0x280
  s_branch .Ljoin2
.Lelse2:
  s_load_dwordx8 s[16:23], s[2:3], 0x280
.Ljoin2:
  s_waitcnt lgkmcnt(0)
same:
  image_sample v[0:3], v[0:1], s[16:23], s[4:7] dmask:0xf dim:SQ_RSRC_IMG_2D

; A reload on one path of two: the other path carries the earlier load.
  s_cbranch_scc1 .Lskip3
  s_load_dwordx8 s[16:23], s[2:3], 0x2c0
.Lskip3:
  s_waitcnt lgkmcnt(0)
reload:
  image_sample v[0:3], v[0:1], s[16:23], s[4:7] dmask:0xf dim:SQ_RSRC_IMG_2D

; One path loads, the other computes a word.
  s_load_dwordx8 s[48:55], s[2:3], 0x300
  s_cbranch_scc1 .Lskip4
  s_waitcnt lgkmcnt(0)
patch:
  s_and_b32 s51, s51, 0xfffff
.Lskip4:
  s_waitcnt lgkmcnt(0)
patched:
  image_sample v[0:3], v[0:1], s[48:55], s[4:7] dmask:0xf dim:SQ_RSRC_IMG_2D

; Halves that meet: the lower one is loaded on one path, the upper one on the other, and no path carries both.
  s_cbranch_scc1 .Lelse5
  s_load_dwordx4 s[56:59], s[2:3], 0x340
  s_branch .Ljoin5
.Lelse5:
  s_load_dwordx4 s[60:63], s[2:3], 0x350
.Ljoin5:
  s_waitcnt lgkmcnt(0)
halves:
  image_sample v[0:3], v[0:1], s[56:63], s[4:7] dmask:0xf dim:SQ_RSRC_IMG_2D

; Both halves on either path, in either order: the same place.
  s_cbranch_scc1 .Lelse6
  s_load_dwordx4 s[64:67], s[2:3], 0x380
  s_load_dwordx4 s[68:71], s[2:3], 0x390
  s_branch .Ljoin6
.Lelse6:
  s_load_dwordx4 s[68:71], s[2:3], 0x390
  s_load_dwordx4 s[64:67], s[2:3], 0x380
.Ljoin6:
  s_waitcnt lgkmcnt(0)
either:
  image_sample v[0:3], v[0:1], s[64:71], s[4:7] dmask:0xf dim:SQ_RSRC_IMG_2D
  s_endpgm
