; A buffer whose descriptor is loaded on one path of two, and an image out of it. User data: a table in s[2:3].
  s_cbranch_scc1 .Lskip
  s_load_dwordx4 s[40:43], s[2:3], 0xf0
.Lskip:
  s_waitcnt lgkmcnt(0)
buffer:
  s_buffer_load_dwordx8 s[48:55], s[40:43], 0x150
  s_waitcnt lgkmcnt(0)
image:
  image_load v[0:3], v[0:1], s[48:55] dmask:0xf dim:SQ_RSRC_IMG_2D
  s_endpgm
