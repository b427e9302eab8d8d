; A record whose index is a quotient that the shader computes: 1/8 of a lane's number by reciprocal, then read for the wave.
; User data: a buffer's table in s[2:3].
  s_load_dwordx4 s[4:7], s[2:3], 0x10
  v_cvt_f32_u32_e32 v1, v0
  v_mul_f32_e32 v1, 0x3e000000, v1
  v_cvt_u32_f32_e32 v1, v1
  v_lshlrev_b32_e32 v1, 5, v1
index:
  v_readfirstlane_b32 s8, v1
  s_waitcnt lgkmcnt(0)
record:
  s_buffer_load_dwordx8 s[16:23], s[4:7], s8
  s_waitcnt lgkmcnt(0)
sample:
  image_load v[0:3], v[0:1], s[16:23] dmask:0xf dim:SQ_RSRC_IMG_2D
  s_endpgm
