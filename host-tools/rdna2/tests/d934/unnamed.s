; An instruction that has no name. User data: a table in s[2:3], an image in s[8:15], samplers in s[4:7].
  s_load_dwordx8 s[16:23], s[2:3], 0x40
  s_waitcnt lgkmcnt(0)
before:
  image_sample v[0:3], v[0:1], s[8:15], s[4:7] dmask:0xf dim:SQ_RSRC_IMG_2D
  s_cbranch_scc1 beside
unnamed:
  .long 0xffffffff
loaded:
  image_sample v[0:3], v[0:1], s[16:23], s[4:7] dmask:0xf dim:SQ_RSRC_IMG_2D
seeded:
  image_sample v[0:3], v[0:1], s[8:15], s[4:7] dmask:0xf dim:SQ_RSRC_IMG_2D
  s_endpgm
beside:
  image_sample v[0:3], v[0:1], s[8:15], s[4:7] dmask:0xf dim:SQ_RSRC_IMG_2D
  s_endpgm
