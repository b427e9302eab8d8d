// A loop that the host can follow: its count is a constant. Each time round reads through another descriptor.
//
// wave 32
// pointer s4 table
// segment table 8

  s_load_dwordx4 s[0:3], s[4:5], 0x0
  s_waitcnt lgkmcnt(0)
  s_mov_b32 s6, 4
loop:
  buffer_load_dword v1, v0, s[0:3], 0 offen
  s_xor_b32 s2, s2, s6
  s_sub_u32 s6, s6, 1
  s_cmp_lg_u32 s6, 0
  s_cbranch_scc1 loop
  s_endpgm
