; A path round a loop, and one through it. User data: a table in s[2:3], an image in s[8:15], samplers in s[4:7].
  s_cbranch_scc1 round
.Lhead:
  s_add_i32 s0, s0, -1
  s_cmp_lg_u32 s0, 0
  s_cbranch_scc1 .Lhead
through:
  image_sample v[0:3], v[0:1], s[8:15], s[4:7] dmask:0xf dim:SQ_RSRC_IMG_2D
  s_branch join
round:
  image_sample v[0:3], v[0:1], s[8:15], s[4:7] dmask:0xf dim:SQ_RSRC_IMG_2D
  s_load_dwordx8 s[16:23], s[2:3], 0x40
  s_waitcnt lgkmcnt(0)
join:
  image_sample v[0:3], v[0:1], s[16:23], s[4:7] dmask:0xf dim:SQ_RSRC_IMG_2D
  s_endpgm
