// Blocks on unknown conditions alone, no loop: the run follows both ways and ends. What the ways made different is not known
// where they have come together.
//
// wave 32
// pointer s4 table
// segment table 16
// segment data 64 writable
// buffer table+0x10 data

  s_load_dwordx4 s[0:3], s[4:5], 0x0
  s_load_dwordx4 s[12:15], s[4:5], 0x10
  s_waitcnt lgkmcnt(0)
  s_buffer_load_dword s8, s[12:15], 0x0
  s_waitcnt lgkmcnt(0)
  s_cmp_lt_u32 s8, 0x80000000
  s_cbranch_scc1 other
one:
  buffer_load_dword v1, v0, s[0:3], 0 offen
  s_add_u32 s2, s2, 4
changed:
  buffer_load_dword v1, v0, s[0:3], 0 offen
  s_branch joined
other:
  buffer_load_dword v1, v0, s[12:15], 0 offen
joined:
  buffer_store_dword v1, v0, s[12:15], 0 offen
different:
  buffer_store_dword v1, v0, s[0:3], 0 offen
  s_endpgm
