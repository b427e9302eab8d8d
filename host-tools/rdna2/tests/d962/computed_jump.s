// Behind the loop control goes to a computed address: to either access, as far as the host can know.
//
// wave 32
// pointer s4 table
// segment table 8
// segment data 64 writable

  s_load_dwordx4 s[0:3], s[4:5], 0x0
  s_waitcnt lgkmcnt(0)
loop:
  buffer_load_dword v1, v0, s[0:3], 0 offen
  s_waitcnt vmcnt(0)
  v_cmp_gt_u32_e32 vcc_lo, 0x4000000, v1
  s_cbranch_vccnz loop
  v_readfirstlane_b32 s6, v1
  s_getpc_b64 s[8:9]
  s_add_u32 s8, s8, s6
jump:
  s_setpc_b64 s[8:9]
access:
  buffer_store_dword v1, v0, s[0:3], 0 offen
  s_endpgm
