; Offsets of loads. User data: a table in s[2:3], an offset in s4.
  s_load_dwordx8 s[8:15], s[2:3], -0x40
  s_movk_i32 s5, 0x200
  s_load_dwordx8 s[16:23], s[2:3], s5
  s_mov_b32 m0, 0x10000
  s_load_dwordx8 s[24:31], s[2:3], m0
by_user_data_load:
  s_load_dwordx8 s[32:39], s[2:3], s4
misaligned_load:
  s_load_dwordx8 s[40:47], s[2:3], 0x42
  s_load_dwordx4 s[48:51], s[2:3], 0x0
  s_waitcnt lgkmcnt(0)
negative:
  image_load v[0:3], v[0:1], s[8:15] dmask:0xf dim:SQ_RSRC_IMG_2D
constant:
  image_load v[0:3], v[0:1], s[16:23] dmask:0xf dim:SQ_RSRC_IMG_2D
by_m0:
  image_load v[0:3], v[0:1], s[24:31] dmask:0xf dim:SQ_RSRC_IMG_2D
by_user_data:
  image_load v[0:3], v[0:1], s[32:39] dmask:0xf dim:SQ_RSRC_IMG_2D
misaligned:
  image_load v[0:3], v[0:1], s[40:47] dmask:0xf dim:SQ_RSRC_IMG_2D

; An offset that is one constant or the other.
  s_mov_b32 s6, 0x20
  s_cbranch_scc1 .Lskip
  s_mov_b32 s6, 0x40
.Lskip:
two_offsets_load:
  s_load_dwordx8 s[8:15], s[2:3], s6
  s_buffer_load_dwordx8 s[16:23], s[48:51], s5
  s_waitcnt lgkmcnt(0)
two_offsets:
  image_load v[0:3], v[0:1], s[8:15] dmask:0xf dim:SQ_RSRC_IMG_2D
in_a_buffer:
  image_load v[0:3], v[0:1], s[16:23] dmask:0xf dim:SQ_RSRC_IMG_2D

; A pointer that is one table or the other.
  s_cbranch_scc1 .Lskip2
  s_mov_b64 s[2:3], s[0:1]
.Lskip2:
two_pointers_load:
  s_load_dwordx8 s[8:15], s[2:3], 0x0
; A pointer whose upper half is a constant, as 32-bit pointers have it.
  s_mov_b32 s1, 0xffff8000
  s_load_dwordx8 s[16:23], s[0:1], 0x60
  s_waitcnt lgkmcnt(0)
two_pointers:
  image_load v[0:3], v[0:1], s[8:15] dmask:0xf dim:SQ_RSRC_IMG_2D
short_pointer:
  image_load v[0:3], v[0:1], s[16:23] dmask:0xf dim:SQ_RSRC_IMG_2D
  s_endpgm
