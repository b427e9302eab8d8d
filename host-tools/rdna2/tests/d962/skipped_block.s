// A block on a condition that the host cannot know. The way that skips it waits at its target; the way through it makes another
// descriptor and comes to a loop that the host cannot follow. Both may come to the access.
//
// wave 32
// pointer s4 table
// segment table 16
// segment data 64 writable
// buffer table+0x20 data

  s_load_dwordx4 s[0:3], s[4:5], 0x0
  s_load_dwordx4 s[12:15], s[4:5], 0x20
  s_waitcnt lgkmcnt(0)
  s_buffer_load_dword s8, s[12:15], 0x0
  s_waitcnt lgkmcnt(0)
  s_cmp_lt_u32 s8, 0x80000000
condition:
  s_cbranch_scc1 joined
  s_load_dwordx4 s[0:3], s[4:5], 0x10
  s_waitcnt lgkmcnt(0)
loop:
  s_buffer_load_dword s9, s[12:15], 0x4
  s_waitcnt lgkmcnt(0)
  s_cmp_lt_u32 s9, 0x40000000
round:
  s_cbranch_scc0 loop
joined:
  buffer_load_dword v1, v0, s[0:3], 0 offen
  buffer_store_dword v1, v0, s[12:15], 0 offen
  s_endpgm
