// A loop holds the access, and its end is decided by what the access loads.
//
// wave 32
// pointer s4 table
// segment table 8
// segment data 64 writable

  s_load_dwordx4 s[0:3], s[4:5], 0x0
  s_waitcnt lgkmcnt(0)
  s_add_u32 s0, s0, 0x100
  s_and_b32 s1, s1, 0xffff
loop:
  buffer_load_dword v1, v0, s[0:3], 0 offen
  s_waitcnt vmcnt(0)
  v_cmp_gt_u32_e32 vcc_lo, 0x4000000, v1
  s_cbranch_vccnz loop
  s_endpgm
