// Single-pass scan with decoupled look-back. The descriptor of the status buffer is computed: built in s[0:3] by
// v_readfirstlane. It is then read and stored through inside the look-back loop, past a retry loop on a flag that it loads, and
// after the loop; the last store follows a rebuild of s[0:3].
//
// wave 64
// pointer s4 table
// segment table 16
// segment status 64 writable

  s_load_dwordx4 s[8:11], s[4:5], 0x10
  s_waitcnt lgkmcnt(0)
  v_mov_b32_e32 v2, s8
  s_and_b32 s9, s9, 0xffff
  v_mov_b32_e32 v3, s9
  v_add_co_u32 v2, vcc, 64, v2
  v_add_co_ci_u32_e32 v3, vcc, 0, v3, vcc
  v_and_b32_e32 v3, 0xffff, v3
  v_lshlrev_b32_e64 v4, 2, s10
  v_mov_b32_e32 v5, 0x31016fac
built:
  v_readfirstlane_b32 s0, v2
  v_readfirstlane_b32 s1, v3
  v_readfirstlane_b32 s2, v4
  v_readfirstlane_b32 s3, v5
  v_lshlrev_b32_e32 v6, 3, v0
  v_mov_b32_e32 v9, 0
lookback:
  s_nop 0
lookback_load:
  buffer_load_dword v7, v6, s[0:3], 0 offen glc dlc
  s_waitcnt vmcnt(0)
retry:
  s_nop 0
retry_load:
  buffer_load_dword v8, v6, s[0:3], 0 offen offset:4 glc dlc
  s_waitcnt vmcnt(0)
  v_cmp_gt_u32_e32 vcc, 0x2000000, v8
  s_cbranch_vccnz retry
past_retry:
  buffer_store_dword v7, v6, s[0:3], 0 offen
  v_add_nc_u32_e32 v9, v9, v7
  v_add_nc_u32_e32 v6, -8, v6
  v_cmp_gt_u32_e32 vcc, 0x3000000, v8
  s_cbranch_vccnz lookback
after_loop:
  buffer_store_dword v9, v6, s[0:3], 0 offen offset:4
  v_add_nc_u32_e32 v2, v2, v9
  v_readfirstlane_b32 s0, v2
rebuilt:
  buffer_store_dword v9, v6, s[0:3], 0 offen
  s_endpgm
