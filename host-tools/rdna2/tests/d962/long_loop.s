// A loop that the host could follow, 100,000 times round.
//
// wave 32
// pointer s4 table
// segment table 8

  s_load_dwordx4 s[0:3], s[4:5], 0x0
  s_waitcnt lgkmcnt(0)
  s_mov_b32 s6, 100000
before:
  buffer_load_dword v1, v0, s[0:3], 0 offen
loop:
  s_sub_u32 s6, s6, 1
  s_cmp_lg_u32 s6, 0
  s_cbranch_scc1 loop
after:
  buffer_load_dword v1, v0, s[0:3], 0 offen
  s_endpgm
