; The first access by the program's paths stands behind the second one in the code. User data: a table in s[2:3].
  s_load_dwordx8 s[8:15], s[2:3], 0x0
  s_load_dwordx4 s[16:19], s[2:3], 0x20
  s_load_dwordx4 s[20:23], s[2:3], 0x30
  s_waitcnt lgkmcnt(0)
  s_branch .Lfirst
.Lsecond:
second:
  image_sample v[0:3], v[0:1], s[8:15], s[20:23] dmask:0xf dim:SQ_RSRC_IMG_2D
  s_endpgm
.Lfirst:
first:
  image_sample v[0:3], v[0:1], s[8:15], s[16:19] dmask:0xf dim:SQ_RSRC_IMG_2D
  s_branch .Lsecond
