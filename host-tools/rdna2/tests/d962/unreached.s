// One access is behind the end of the wave, one is reached with registers that the host cannot know.
//
// wave 32
// pointer s4 table
// segment table 8
// segment data 64 writable
// buffer table+0x0 data

  s_load_dwordx4 s[0:3], s[4:5], 0x0
  s_waitcnt lgkmcnt(0)
  s_buffer_load_dwordx4 s[12:15], s[0:3], 0x0
  s_waitcnt lgkmcnt(0)
  s_buffer_load_dword s12, s[12:15], 0x0
  s_waitcnt lgkmcnt(0)
loaded:
  buffer_store_dword v1, v0, s[12:15], 0 offen
  s_endpgm
dead:
  buffer_load_dword v1, v0, s[0:3], 0 offen
  s_endpgm
