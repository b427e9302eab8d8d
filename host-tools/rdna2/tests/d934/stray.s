; Where control may come from anywhere. FLAVOUR 0: a computed jump behind the access; 1: a branch into an instruction; 2: a way
; out of the code; 3: a call; 4: a jump in code that is not reached.
  s_load_dwordx8 s[8:15], s[2:3], 0x0
  s_waitcnt lgkmcnt(0)
access:
  image_load v[0:3], v[0:1], s[8:15] dmask:0xf dim:SQ_RSRC_IMG_2D
.if FLAVOUR == 0
  s_setpc_b64 s[0:1]
.elseif FLAVOUR == 1
  ; s_cbranch_scc1 to the second word of the move
  .long 0xbf850001
  s_mov_b32 s0, 0xbf810000
  s_endpgm
.elseif FLAVOUR == 2
  s_cbranch_scc1 .Lend
  s_endpgm
.Lend:
.elseif FLAVOUR == 3
  s_call_b64 s[0:1], .Lcallee
  s_endpgm
.Lcallee:
  s_setpc_b64 s[0:1]
.else
  s_endpgm
unreached:
  image_load v[0:3], v[0:1], s[8:15] dmask:0xf dim:SQ_RSRC_IMG_2D
  s_setpc_b64 s[0:1]
.endif
