; Loops. User data: a table in s[2:3], an image in s[8:15], samplers in s[4:7].
before:
  image_sample v[0:3], v[0:1], s[8:15], s[4:7] dmask:0xf dim:SQ_RSRC_IMG_2D
  s_load_dwordx8 s[16:23], s[2:3], 0x40
  s_load_dwordx8 s[24:31], s[2:3], 0x80
  s_waitcnt lgkmcnt(0)
head:
loaded_before:
  image_sample v[0:3], v[0:1], s[16:23], s[4:7] dmask:0xf dim:SQ_RSRC_IMG_2D
seeded:
  image_sample v[0:3], v[0:1], s[8:15], s[4:7] dmask:0xf dim:SQ_RSRC_IMG_2D
  ; The pointer itself counts as written.
  s_load_dwordx8 s[24:31], s[2:3], 0xc0
  s_waitcnt lgkmcnt(0)
by_a_written_pointer:
  image_sample v[0:3], v[0:1], s[24:31], s[4:7] dmask:0xf dim:SQ_RSRC_IMG_2D
  s_add_i32 s0, s0, -1
  s_cmp_lg_u32 s0, 0
  s_cbranch_scc1 head
after:
  image_sample v[0:3], v[0:1], s[16:23], s[4:7] dmask:0xf dim:SQ_RSRC_IMG_2D
  s_endpgm
