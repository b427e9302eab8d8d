; Samplers. User data: a table in s[2:3], a sampler in s[4:7].
  s_load_dwordx8 s[8:15], s[2:3], 0x0
  s_load_dwordx4 s[16:19], s[2:3], 0x20
  s_waitcnt lgkmcnt(0)
first:
  image_sample v[0:3], v[0:1], s[8:15], s[16:19] dmask:0xf dim:SQ_RSRC_IMG_2D
  ; Another sampler into the same registers.
  s_load_dwordx4 s[16:19], s[2:3], 0x30
  s_waitcnt lgkmcnt(0)
again:
  image_sample v[0:3], v[0:1], s[8:15], s[16:19] dmask:0xf dim:SQ_RSRC_IMG_2D

; First accesses on two paths, with the same sampler and then with different ones.
  s_load_dwordx8 s[24:31], s[2:3], 0x40
  s_load_dwordx8 s[32:39], s[2:3], 0x60
  s_waitcnt lgkmcnt(0)
  s_cbranch_scc1 .Lelse
left_agrees:
  image_sample v[0:3], v[0:1], s[24:31], s[16:19] dmask:0xf dim:SQ_RSRC_IMG_2D
left_differs:
  image_sample v[0:3], v[0:1], s[32:39], s[16:19] dmask:0xf dim:SQ_RSRC_IMG_2D
  s_branch .Ljoin
.Lelse:
right_agrees:
  image_sample v[0:3], v[0:1], s[24:31], s[16:19] dmask:0xf dim:SQ_RSRC_IMG_2D
right_differs:
  image_sample v[0:3], v[0:1], s[32:39], s[4:7] dmask:0xf dim:SQ_RSRC_IMG_2D
.Ljoin:
  ; Past both: not a first access.
  s_load_dwordx4 s[16:19], s[2:3], 0x100
  s_waitcnt lgkmcnt(0)
past_both:
  image_sample v[0:3], v[0:1], s[24:31], s[16:19] dmask:0xf dim:SQ_RSRC_IMG_2D

; A first access whose sampler is computed, and a later one whose sampler is loaded: the later one's is not taken.
  s_load_dwordx8 s[40:47], s[2:3], 0x80
  s_waitcnt lgkmcnt(0)
compute:
  v_readfirstlane_b32 s18, v9
computed_sampler:
  image_sample v[0:3], v[0:1], s[40:47], s[16:19] dmask:0xf dim:SQ_RSRC_IMG_2D
  s_load_dwordx4 s[16:19], s[2:3], 0x110
  s_waitcnt lgkmcnt(0)
  image_sample v[0:3], v[0:1], s[40:47], s[16:19] dmask:0xf dim:SQ_RSRC_IMG_2D

; An image without a sampler.
  s_load_dwordx8 s[48:55], s[2:3], 0xa0
  s_waitcnt lgkmcnt(0)
without:
  image_load v[0:3], v[0:1], s[48:55] dmask:0xf dim:SQ_RSRC_IMG_2D
  s_endpgm
