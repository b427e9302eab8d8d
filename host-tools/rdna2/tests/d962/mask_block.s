// A block on an execution mask that the host cannot know, with a loop over lanes in it; the access is past both.
//
// wave 64
// pointer s4 table
// segment table 16
// segment data 64 writable
// buffer table+0x10 data

  s_load_dwordx4 s[0:3], s[4:5], 0x0
  s_load_dwordx4 s[12:15], s[4:5], 0x10
  s_waitcnt lgkmcnt(0)
  s_add_u32 s0, s0, 16
  buffer_load_dword v1, v0, s[12:15], 0 offen
  s_waitcnt vmcnt(0)
  v_cmp_lt_u32_e32 vcc, 0x40000000, v1
  s_and_saveexec_b64 s[8:9], vcc
  s_cbranch_execz past
inside:
  buffer_load_dword v2, v0, s[0:3], 0 offen
  s_waitcnt vmcnt(0)
  v_cmpx_lt_u32_e32 0x50000000, v2
round:
  s_cbranch_execnz inside
past:
  s_mov_b64 exec, s[8:9]
access:
  buffer_store_dword v1, v0, s[0:3], 0 offen
  s_endpgm
