; Regions under an execution mask: scalar loads in them run for the whole wave, or are skipped where no lane is active.
; User data: a table in s[2:3], samplers in s[4:7]; wave64.
  v_cmp_gt_f32_e32 vcc, 0, v0
  s_and_saveexec_b64 s[0:1], vcc
  s_cbranch_execz .Lelse
  s_load_dwordx8 s[40:47], s[2:3], 0x40
  s_load_dwordx8 s[48:55], s[2:3], 0x80
  s_waitcnt lgkmcnt(0)
inside:
  image_sample v[0:3], v[0:1], s[40:47], s[4:7] dmask:0xf dim:SQ_RSRC_IMG_2D
.Lelse:
  s_andn2_b64 exec, s[0:1], exec
  s_cbranch_execz .Ljoin
  s_load_dwordx8 s[40:47], s[2:3], 0xc0
  s_waitcnt lgkmcnt(0)
else_inside:
  image_sample v[0:3], v[0:1], s[40:47], s[4:7] dmask:0xf dim:SQ_RSRC_IMG_2D
.Ljoin:
  s_mov_b64 exec, s[0:1]
both:
  image_sample v[0:3], v[0:1], s[40:47], s[4:7] dmask:0xf dim:SQ_RSRC_IMG_2D
one:
  image_sample v[0:3], v[0:1], s[48:55], s[4:7] dmask:0xf dim:SQ_RSRC_IMG_2D
; The saved mask lies in what was user data 0 and 1.
saved_mask:
  buffer_load_dword v0, v1, s[0:3], 0 offen
  s_endpgm
