// A loop lies between the descriptor and the access, which no loop holds: the run never reaches it.
//
// wave 32
// pointer s4 table
// segment table 8
// segment data 64 writable
// buffer table+0x10 data

  s_load_dwordx4 s[0:3], s[4:5], 0x0
  s_load_dwordx4 s[12:15], s[4:5], 0x10
  s_waitcnt lgkmcnt(0)
  s_lshl_b32 s2, s2, 1
loop:
  s_buffer_load_dword s8, s[12:15], 0x0
  s_waitcnt lgkmcnt(0)
  s_cmp_lt_u32 s8, 0x50000000
  s_cbranch_scc0 loop
access:
  buffer_load_dword v1, v0, s[0:3], 0 offen
  buffer_store_dword v1, v0, s[12:15], 0 offen
  s_endpgm
