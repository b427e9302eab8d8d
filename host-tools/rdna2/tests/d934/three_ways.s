; One pixel shader that samples shadow cubes in the seed's three ways. User data: the table's address in s[2:3], an image in
; s[8:15], a sampler in s[4:7].

; From user data 8, on a path that branches past the block that reloads those registers.
  s_cbranch_scc1 past
  s_load_dwordx8 s[8:15], s[2:3], 0x40
  s_waitcnt lgkmcnt(0)
reloaded:
  image_sample v[0:3], v[0:2], s[8:15], s[4:7] dmask:0xf dim:SQ_RSRC_IMG_CUBE
  s_branch out_of_a_buffer
past:
  image_sample v[0:3], v[0:2], s[8:15], s[4:7] dmask:0xf dim:SQ_RSRC_IMG_CUBE
out_of_a_buffer:

; Out of a constant buffer whose descriptor is at table + 0xf0, 0x150 into it.
  s_load_dwordx4 s[16:19], s[2:3], 0xf0
  s_waitcnt lgkmcnt(0)
constants:
  s_buffer_load_dwordx8 s[24:31], s[16:19], 0x150
  s_waitcnt lgkmcnt(0)
buffer:
  image_sample v[0:3], v[0:2], s[24:31], s[4:7] dmask:0xf dim:SQ_RSRC_IMG_CUBE

; With a sampler loaded on one path of two.
  s_load_dwordx8 s[32:39], s[2:3], 0x80
  s_cbranch_scc0 no_sampler
  s_load_dwordx4 s[20:23], s[2:3], 0x20
no_sampler:
  s_waitcnt lgkmcnt(0)
sampler:
  image_sample v[0:3], v[0:2], s[32:39], s[20:23] dmask:0xf dim:SQ_RSRC_IMG_CUBE
  s_endpgm
