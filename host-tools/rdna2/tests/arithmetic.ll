; What the operations of the wave run compute, in LLVM's terms: one function an operation, by its mnemonic.
;
; Arguments are the operation's sources in order, then its carry, if it has one; the result is its value, its flag, or both.
; `v_mbcnt_*` has the mask of lower lanes as third source, `s_*_saveexec_*` and `s_*_wrexec_*` the execution mask as second.
; LLVM evaluates these functions (`lli`), and its AMDGPU backend chooses instructions for them (`llc`); see arithmetic.rs.

define i32 @s_mov_b32(i32 %a) {
  %r = freeze i32 %a
  ret i32 %r
}

define i32 @v_mov_b32(i32 %a) {
  %r = freeze i32 %a
  ret i32 %r
}

define i64 @s_mov_b64(i64 %a) {
  %r = freeze i64 %a
  ret i64 %r
}

define i32 @s_cmov_b32(i32 %a, i32 %b, i1 %carry) {
  %r = select i1 %carry, i32 %a, i32 %b
  ret i32 %r
}

define i32 @s_cselect_b32(i32 %a, i32 %b, i1 %carry) {
  %r = select i1 %carry, i32 %a, i32 %b
  ret i32 %r
}

define i64 @s_cmov_b64(i64 %a, i64 %b, i1 %carry) {
  %r = select i1 %carry, i64 %a, i64 %b
  ret i64 %r
}

define i64 @s_cselect_b64(i64 %a, i64 %b, i1 %carry) {
  %r = select i1 %carry, i64 %a, i64 %b
  ret i64 %r
}

define i32 @v_cndmask_b32(i32 %a, i32 %b, i1 %carry) {
  %r = select i1 %carry, i32 %b, i32 %a
  ret i32 %r
}

define { i32, i1 } @s_not_b32(i32 %a) {
  %r = xor i32 %a, -1
  %f = icmp ne i32 %r, 0
  %p = insertvalue { i32, i1 } poison, i32 %r, 0
  %q = insertvalue { i32, i1 } %p, i1 %f, 1
  ret { i32, i1 } %q
}

define { i32, i1 } @s_and_b32(i32 %a, i32 %b) {
  %r = and i32 %a, %b
  %f = icmp ne i32 %r, 0
  %p = insertvalue { i32, i1 } poison, i32 %r, 0
  %q = insertvalue { i32, i1 } %p, i1 %f, 1
  ret { i32, i1 } %q
}

define { i32, i1 } @s_or_b32(i32 %a, i32 %b) {
  %r = or i32 %a, %b
  %f = icmp ne i32 %r, 0
  %p = insertvalue { i32, i1 } poison, i32 %r, 0
  %q = insertvalue { i32, i1 } %p, i1 %f, 1
  ret { i32, i1 } %q
}

define { i32, i1 } @s_xor_b32(i32 %a, i32 %b) {
  %r = xor i32 %a, %b
  %f = icmp ne i32 %r, 0
  %p = insertvalue { i32, i1 } poison, i32 %r, 0
  %q = insertvalue { i32, i1 } %p, i1 %f, 1
  ret { i32, i1 } %q
}

define { i32, i1 } @s_andn2_b32(i32 %a, i32 %b) {
  %n = xor i32 %b, -1
  %r = and i32 %a, %n
  %f = icmp ne i32 %r, 0
  %p = insertvalue { i32, i1 } poison, i32 %r, 0
  %q = insertvalue { i32, i1 } %p, i1 %f, 1
  ret { i32, i1 } %q
}

define { i32, i1 } @s_orn2_b32(i32 %a, i32 %b) {
  %n = xor i32 %b, -1
  %r = or i32 %a, %n
  %f = icmp ne i32 %r, 0
  %p = insertvalue { i32, i1 } poison, i32 %r, 0
  %q = insertvalue { i32, i1 } %p, i1 %f, 1
  ret { i32, i1 } %q
}

define { i32, i1 } @s_nand_b32(i32 %a, i32 %b) {
  %n = and i32 %a, %b
  %r = xor i32 %n, -1
  %f = icmp ne i32 %r, 0
  %p = insertvalue { i32, i1 } poison, i32 %r, 0
  %q = insertvalue { i32, i1 } %p, i1 %f, 1
  ret { i32, i1 } %q
}

define { i32, i1 } @s_nor_b32(i32 %a, i32 %b) {
  %n = or i32 %a, %b
  %r = xor i32 %n, -1
  %f = icmp ne i32 %r, 0
  %p = insertvalue { i32, i1 } poison, i32 %r, 0
  %q = insertvalue { i32, i1 } %p, i1 %f, 1
  ret { i32, i1 } %q
}

define { i32, i1 } @s_xnor_b32(i32 %a, i32 %b) {
  %n = xor i32 %a, %b
  %r = xor i32 %n, -1
  %f = icmp ne i32 %r, 0
  %p = insertvalue { i32, i1 } poison, i32 %r, 0
  %q = insertvalue { i32, i1 } %p, i1 %f, 1
  ret { i32, i1 } %q
}

define { i32, i1 } @s_and_saveexec_b32(i32 %a, i32 %b) {
  %r = and i32 %a, %b
  %f = icmp ne i32 %r, 0
  %p = insertvalue { i32, i1 } poison, i32 %r, 0
  %q = insertvalue { i32, i1 } %p, i1 %f, 1
  ret { i32, i1 } %q
}

define { i32, i1 } @s_or_saveexec_b32(i32 %a, i32 %b) {
  %r = or i32 %a, %b
  %f = icmp ne i32 %r, 0
  %p = insertvalue { i32, i1 } poison, i32 %r, 0
  %q = insertvalue { i32, i1 } %p, i1 %f, 1
  ret { i32, i1 } %q
}

define { i32, i1 } @s_xor_saveexec_b32(i32 %a, i32 %b) {
  %r = xor i32 %a, %b
  %f = icmp ne i32 %r, 0
  %p = insertvalue { i32, i1 } poison, i32 %r, 0
  %q = insertvalue { i32, i1 } %p, i1 %f, 1
  ret { i32, i1 } %q
}

define { i32, i1 } @s_nand_saveexec_b32(i32 %a, i32 %b) {
  %n = and i32 %a, %b
  %r = xor i32 %n, -1
  %f = icmp ne i32 %r, 0
  %p = insertvalue { i32, i1 } poison, i32 %r, 0
  %q = insertvalue { i32, i1 } %p, i1 %f, 1
  ret { i32, i1 } %q
}

define { i32, i1 } @s_nor_saveexec_b32(i32 %a, i32 %b) {
  %n = or i32 %a, %b
  %r = xor i32 %n, -1
  %f = icmp ne i32 %r, 0
  %p = insertvalue { i32, i1 } poison, i32 %r, 0
  %q = insertvalue { i32, i1 } %p, i1 %f, 1
  ret { i32, i1 } %q
}

define { i32, i1 } @s_xnor_saveexec_b32(i32 %a, i32 %b) {
  %n = xor i32 %a, %b
  %r = xor i32 %n, -1
  %f = icmp ne i32 %r, 0
  %p = insertvalue { i32, i1 } poison, i32 %r, 0
  %q = insertvalue { i32, i1 } %p, i1 %f, 1
  ret { i32, i1 } %q
}

define { i32, i1 } @s_andn1_saveexec_b32(i32 %a, i32 %b) {
  %n = xor i32 %a, -1
  %r = and i32 %n, %b
  %f = icmp ne i32 %r, 0
  %p = insertvalue { i32, i1 } poison, i32 %r, 0
  %q = insertvalue { i32, i1 } %p, i1 %f, 1
  ret { i32, i1 } %q
}

define { i32, i1 } @s_andn2_saveexec_b32(i32 %a, i32 %b) {
  %n = xor i32 %b, -1
  %r = and i32 %a, %n
  %f = icmp ne i32 %r, 0
  %p = insertvalue { i32, i1 } poison, i32 %r, 0
  %q = insertvalue { i32, i1 } %p, i1 %f, 1
  ret { i32, i1 } %q
}

define { i32, i1 } @s_orn1_saveexec_b32(i32 %a, i32 %b) {
  %n = xor i32 %a, -1
  %r = or i32 %n, %b
  %f = icmp ne i32 %r, 0
  %p = insertvalue { i32, i1 } poison, i32 %r, 0
  %q = insertvalue { i32, i1 } %p, i1 %f, 1
  ret { i32, i1 } %q
}

define { i32, i1 } @s_orn2_saveexec_b32(i32 %a, i32 %b) {
  %n = xor i32 %b, -1
  %r = or i32 %a, %n
  %f = icmp ne i32 %r, 0
  %p = insertvalue { i32, i1 } poison, i32 %r, 0
  %q = insertvalue { i32, i1 } %p, i1 %f, 1
  ret { i32, i1 } %q
}

define { i32, i1 } @s_andn1_wrexec_b32(i32 %a, i32 %b) {
  %n = xor i32 %a, -1
  %r = and i32 %n, %b
  %f = icmp ne i32 %r, 0
  %p = insertvalue { i32, i1 } poison, i32 %r, 0
  %q = insertvalue { i32, i1 } %p, i1 %f, 1
  ret { i32, i1 } %q
}

define { i32, i1 } @s_andn2_wrexec_b32(i32 %a, i32 %b) {
  %n = xor i32 %b, -1
  %r = and i32 %a, %n
  %f = icmp ne i32 %r, 0
  %p = insertvalue { i32, i1 } poison, i32 %r, 0
  %q = insertvalue { i32, i1 } %p, i1 %f, 1
  ret { i32, i1 } %q
}

define { i64, i1 } @s_not_b64(i64 %a) {
  %r = xor i64 %a, -1
  %f = icmp ne i64 %r, 0
  %p = insertvalue { i64, i1 } poison, i64 %r, 0
  %q = insertvalue { i64, i1 } %p, i1 %f, 1
  ret { i64, i1 } %q
}

define { i64, i1 } @s_and_b64(i64 %a, i64 %b) {
  %r = and i64 %a, %b
  %f = icmp ne i64 %r, 0
  %p = insertvalue { i64, i1 } poison, i64 %r, 0
  %q = insertvalue { i64, i1 } %p, i1 %f, 1
  ret { i64, i1 } %q
}

define { i64, i1 } @s_or_b64(i64 %a, i64 %b) {
  %r = or i64 %a, %b
  %f = icmp ne i64 %r, 0
  %p = insertvalue { i64, i1 } poison, i64 %r, 0
  %q = insertvalue { i64, i1 } %p, i1 %f, 1
  ret { i64, i1 } %q
}

define { i64, i1 } @s_xor_b64(i64 %a, i64 %b) {
  %r = xor i64 %a, %b
  %f = icmp ne i64 %r, 0
  %p = insertvalue { i64, i1 } poison, i64 %r, 0
  %q = insertvalue { i64, i1 } %p, i1 %f, 1
  ret { i64, i1 } %q
}

define { i64, i1 } @s_andn2_b64(i64 %a, i64 %b) {
  %n = xor i64 %b, -1
  %r = and i64 %a, %n
  %f = icmp ne i64 %r, 0
  %p = insertvalue { i64, i1 } poison, i64 %r, 0
  %q = insertvalue { i64, i1 } %p, i1 %f, 1
  ret { i64, i1 } %q
}

define { i64, i1 } @s_orn2_b64(i64 %a, i64 %b) {
  %n = xor i64 %b, -1
  %r = or i64 %a, %n
  %f = icmp ne i64 %r, 0
  %p = insertvalue { i64, i1 } poison, i64 %r, 0
  %q = insertvalue { i64, i1 } %p, i1 %f, 1
  ret { i64, i1 } %q
}

define { i64, i1 } @s_nand_b64(i64 %a, i64 %b) {
  %n = and i64 %a, %b
  %r = xor i64 %n, -1
  %f = icmp ne i64 %r, 0
  %p = insertvalue { i64, i1 } poison, i64 %r, 0
  %q = insertvalue { i64, i1 } %p, i1 %f, 1
  ret { i64, i1 } %q
}

define { i64, i1 } @s_nor_b64(i64 %a, i64 %b) {
  %n = or i64 %a, %b
  %r = xor i64 %n, -1
  %f = icmp ne i64 %r, 0
  %p = insertvalue { i64, i1 } poison, i64 %r, 0
  %q = insertvalue { i64, i1 } %p, i1 %f, 1
  ret { i64, i1 } %q
}

define { i64, i1 } @s_xnor_b64(i64 %a, i64 %b) {
  %n = xor i64 %a, %b
  %r = xor i64 %n, -1
  %f = icmp ne i64 %r, 0
  %p = insertvalue { i64, i1 } poison, i64 %r, 0
  %q = insertvalue { i64, i1 } %p, i1 %f, 1
  ret { i64, i1 } %q
}

define { i64, i1 } @s_and_saveexec_b64(i64 %a, i64 %b) {
  %r = and i64 %a, %b
  %f = icmp ne i64 %r, 0
  %p = insertvalue { i64, i1 } poison, i64 %r, 0
  %q = insertvalue { i64, i1 } %p, i1 %f, 1
  ret { i64, i1 } %q
}

define { i64, i1 } @s_or_saveexec_b64(i64 %a, i64 %b) {
  %r = or i64 %a, %b
  %f = icmp ne i64 %r, 0
  %p = insertvalue { i64, i1 } poison, i64 %r, 0
  %q = insertvalue { i64, i1 } %p, i1 %f, 1
  ret { i64, i1 } %q
}

define { i64, i1 } @s_xor_saveexec_b64(i64 %a, i64 %b) {
  %r = xor i64 %a, %b
  %f = icmp ne i64 %r, 0
  %p = insertvalue { i64, i1 } poison, i64 %r, 0
  %q = insertvalue { i64, i1 } %p, i1 %f, 1
  ret { i64, i1 } %q
}

define { i64, i1 } @s_nand_saveexec_b64(i64 %a, i64 %b) {
  %n = and i64 %a, %b
  %r = xor i64 %n, -1
  %f = icmp ne i64 %r, 0
  %p = insertvalue { i64, i1 } poison, i64 %r, 0
  %q = insertvalue { i64, i1 } %p, i1 %f, 1
  ret { i64, i1 } %q
}

define { i64, i1 } @s_nor_saveexec_b64(i64 %a, i64 %b) {
  %n = or i64 %a, %b
  %r = xor i64 %n, -1
  %f = icmp ne i64 %r, 0
  %p = insertvalue { i64, i1 } poison, i64 %r, 0
  %q = insertvalue { i64, i1 } %p, i1 %f, 1
  ret { i64, i1 } %q
}

define { i64, i1 } @s_xnor_saveexec_b64(i64 %a, i64 %b) {
  %n = xor i64 %a, %b
  %r = xor i64 %n, -1
  %f = icmp ne i64 %r, 0
  %p = insertvalue { i64, i1 } poison, i64 %r, 0
  %q = insertvalue { i64, i1 } %p, i1 %f, 1
  ret { i64, i1 } %q
}

define { i64, i1 } @s_andn1_saveexec_b64(i64 %a, i64 %b) {
  %n = xor i64 %a, -1
  %r = and i64 %n, %b
  %f = icmp ne i64 %r, 0
  %p = insertvalue { i64, i1 } poison, i64 %r, 0
  %q = insertvalue { i64, i1 } %p, i1 %f, 1
  ret { i64, i1 } %q
}

define { i64, i1 } @s_andn2_saveexec_b64(i64 %a, i64 %b) {
  %n = xor i64 %b, -1
  %r = and i64 %a, %n
  %f = icmp ne i64 %r, 0
  %p = insertvalue { i64, i1 } poison, i64 %r, 0
  %q = insertvalue { i64, i1 } %p, i1 %f, 1
  ret { i64, i1 } %q
}

define { i64, i1 } @s_orn1_saveexec_b64(i64 %a, i64 %b) {
  %n = xor i64 %a, -1
  %r = or i64 %n, %b
  %f = icmp ne i64 %r, 0
  %p = insertvalue { i64, i1 } poison, i64 %r, 0
  %q = insertvalue { i64, i1 } %p, i1 %f, 1
  ret { i64, i1 } %q
}

define { i64, i1 } @s_orn2_saveexec_b64(i64 %a, i64 %b) {
  %n = xor i64 %b, -1
  %r = or i64 %a, %n
  %f = icmp ne i64 %r, 0
  %p = insertvalue { i64, i1 } poison, i64 %r, 0
  %q = insertvalue { i64, i1 } %p, i1 %f, 1
  ret { i64, i1 } %q
}

define { i64, i1 } @s_andn1_wrexec_b64(i64 %a, i64 %b) {
  %n = xor i64 %a, -1
  %r = and i64 %n, %b
  %f = icmp ne i64 %r, 0
  %p = insertvalue { i64, i1 } poison, i64 %r, 0
  %q = insertvalue { i64, i1 } %p, i1 %f, 1
  ret { i64, i1 } %q
}

define { i64, i1 } @s_andn2_wrexec_b64(i64 %a, i64 %b) {
  %n = xor i64 %b, -1
  %r = and i64 %a, %n
  %f = icmp ne i64 %r, 0
  %p = insertvalue { i64, i1 } poison, i64 %r, 0
  %q = insertvalue { i64, i1 } %p, i1 %f, 1
  ret { i64, i1 } %q
}

define i32 @v_not_b32(i32 %a) {
  %r = xor i32 %a, -1
  ret i32 %r
}

define i32 @v_and_b32(i32 %a, i32 %b) {
  %r = and i32 %a, %b
  ret i32 %r
}

define i32 @v_or_b32(i32 %a, i32 %b) {
  %r = or i32 %a, %b
  ret i32 %r
}

define i32 @v_xor_b32(i32 %a, i32 %b) {
  %r = xor i32 %a, %b
  ret i32 %r
}

define i32 @v_xnor_b32(i32 %a, i32 %b) {
  %n = xor i32 %a, %b
  %r = xor i32 %n, -1
  ret i32 %r
}

define { i32, i1 } @s_lshl_b32(i32 %a, i32 %b) {
  %m = and i32 %b, 31
  %r = shl i32 %a, %m
  %f = icmp ne i32 %r, 0
  %p = insertvalue { i32, i1 } poison, i32 %r, 0
  %q = insertvalue { i32, i1 } %p, i1 %f, 1
  ret { i32, i1 } %q
}

define { i64, i1 } @s_lshl_b64(i64 %a, i32 %b) {
  %m = and i32 %b, 63
  %w = zext i32 %m to i64
  %r = shl i64 %a, %w
  %f = icmp ne i64 %r, 0
  %p = insertvalue { i64, i1 } poison, i64 %r, 0
  %q = insertvalue { i64, i1 } %p, i1 %f, 1
  ret { i64, i1 } %q
}

define { i32, i1 } @s_lshr_b32(i32 %a, i32 %b) {
  %m = and i32 %b, 31
  %r = lshr i32 %a, %m
  %f = icmp ne i32 %r, 0
  %p = insertvalue { i32, i1 } poison, i32 %r, 0
  %q = insertvalue { i32, i1 } %p, i1 %f, 1
  ret { i32, i1 } %q
}

define { i64, i1 } @s_lshr_b64(i64 %a, i32 %b) {
  %m = and i32 %b, 63
  %w = zext i32 %m to i64
  %r = lshr i64 %a, %w
  %f = icmp ne i64 %r, 0
  %p = insertvalue { i64, i1 } poison, i64 %r, 0
  %q = insertvalue { i64, i1 } %p, i1 %f, 1
  ret { i64, i1 } %q
}

define { i32, i1 } @s_ashr_i32(i32 %a, i32 %b) {
  %m = and i32 %b, 31
  %r = ashr i32 %a, %m
  %f = icmp ne i32 %r, 0
  %p = insertvalue { i32, i1 } poison, i32 %r, 0
  %q = insertvalue { i32, i1 } %p, i1 %f, 1
  ret { i32, i1 } %q
}

define { i64, i1 } @s_ashr_i64(i64 %a, i32 %b) {
  %m = and i32 %b, 63
  %w = zext i32 %m to i64
  %r = ashr i64 %a, %w
  %f = icmp ne i64 %r, 0
  %p = insertvalue { i64, i1 } poison, i64 %r, 0
  %q = insertvalue { i64, i1 } %p, i1 %f, 1
  ret { i64, i1 } %q
}

define i32 @v_lshlrev_b32(i32 %a, i32 %b) {
  %m = and i32 %a, 31
  %r = shl i32 %b, %m
  ret i32 %r
}

define i64 @v_lshlrev_b64(i32 %a, i64 %b) {
  %m = and i32 %a, 63
  %w = zext i32 %m to i64
  %r = shl i64 %b, %w
  ret i64 %r
}

define i32 @v_lshrrev_b32(i32 %a, i32 %b) {
  %m = and i32 %a, 31
  %r = lshr i32 %b, %m
  ret i32 %r
}

define i64 @v_lshrrev_b64(i32 %a, i64 %b) {
  %m = and i32 %a, 63
  %w = zext i32 %m to i64
  %r = lshr i64 %b, %w
  ret i64 %r
}

define i32 @v_ashrrev_i32(i32 %a, i32 %b) {
  %m = and i32 %a, 31
  %r = ashr i32 %b, %m
  ret i32 %r
}

define i64 @v_ashrrev_i64(i32 %a, i64 %b) {
  %m = and i32 %a, 63
  %w = zext i32 %m to i64
  %r = ashr i64 %b, %w
  ret i64 %r
}

define { i32, i1 } @s_bfe_u32(i32 %a, i32 %b) {
  %offset = and i32 %b, 31
  %top = lshr i32 %b, 16
  %width = and i32 %top, 127
  %wide = zext i32 %a to i256
  %offsetw = zext i32 %offset to i256
  %down = lshr i256 %wide, %offsetw
  %left = sub i32 255, %width
  %leftw = zext i32 %left to i256
  %once = shl i256 %down, 1
  %up = shl i256 %once, %leftw
  %back = lshr i256 %up, %leftw
  %field = lshr i256 %back, 1
  %none = icmp eq i32 %width, 0
  %narrow = trunc i256 %field to i32
  %r = select i1 %none, i32 0, i32 %narrow
  %f = icmp ne i32 %r, 0
  %p = insertvalue { i32, i1 } poison, i32 %r, 0
  %q = insertvalue { i32, i1 } %p, i1 %f, 1
  ret { i32, i1 } %q
}

define { i32, i1 } @s_bfe_i32(i32 %a, i32 %b) {
  %offset = and i32 %b, 31
  %top = lshr i32 %b, 16
  %width = and i32 %top, 127
  %wide = sext i32 %a to i256
  %offsetw = zext i32 %offset to i256
  %down = ashr i256 %wide, %offsetw
  %left = sub i32 255, %width
  %leftw = zext i32 %left to i256
  %once = shl i256 %down, 1
  %up = shl i256 %once, %leftw
  %back = ashr i256 %up, %leftw
  %field = ashr i256 %back, 1
  %none = icmp eq i32 %width, 0
  %narrow = trunc i256 %field to i32
  %r = select i1 %none, i32 0, i32 %narrow
  %f = icmp ne i32 %r, 0
  %p = insertvalue { i32, i1 } poison, i32 %r, 0
  %q = insertvalue { i32, i1 } %p, i1 %f, 1
  ret { i32, i1 } %q
}

define { i64, i1 } @s_bfe_u64(i64 %a, i32 %b) {
  %offset = and i32 %b, 63
  %top = lshr i32 %b, 16
  %width = and i32 %top, 127
  %wide = zext i64 %a to i256
  %offsetw = zext i32 %offset to i256
  %down = lshr i256 %wide, %offsetw
  %left = sub i32 255, %width
  %leftw = zext i32 %left to i256
  %once = shl i256 %down, 1
  %up = shl i256 %once, %leftw
  %back = lshr i256 %up, %leftw
  %field = lshr i256 %back, 1
  %none = icmp eq i32 %width, 0
  %narrow = trunc i256 %field to i64
  %r = select i1 %none, i64 0, i64 %narrow
  %f = icmp ne i64 %r, 0
  %p = insertvalue { i64, i1 } poison, i64 %r, 0
  %q = insertvalue { i64, i1 } %p, i1 %f, 1
  ret { i64, i1 } %q
}

define { i64, i1 } @s_bfe_i64(i64 %a, i32 %b) {
  %offset = and i32 %b, 63
  %top = lshr i32 %b, 16
  %width = and i32 %top, 127
  %wide = sext i64 %a to i256
  %offsetw = zext i32 %offset to i256
  %down = ashr i256 %wide, %offsetw
  %left = sub i32 255, %width
  %leftw = zext i32 %left to i256
  %once = shl i256 %down, 1
  %up = shl i256 %once, %leftw
  %back = ashr i256 %up, %leftw
  %field = ashr i256 %back, 1
  %none = icmp eq i32 %width, 0
  %narrow = trunc i256 %field to i64
  %r = select i1 %none, i64 0, i64 %narrow
  %f = icmp ne i64 %r, 0
  %p = insertvalue { i64, i1 } poison, i64 %r, 0
  %q = insertvalue { i64, i1 } %p, i1 %f, 1
  ret { i64, i1 } %q
}

define i32 @v_bfe_u32(i32 %a, i32 %b, i32 %c) {
  %offset = and i32 %b, 31
  %width = and i32 %c, 31
  %down = lshr i32 %a, %offset
  %none = icmp eq i32 %width, 0
  %some = select i1 %none, i32 1, i32 %width
  %left = sub i32 32, %some
  %up = shl i32 %down, %left
  %field = lshr i32 %up, %left
  %r = select i1 %none, i32 0, i32 %field
  ret i32 %r
}

define i32 @v_bfe_i32(i32 %a, i32 %b, i32 %c) {
  %offset = and i32 %b, 31
  %width = and i32 %c, 31
  %down = ashr i32 %a, %offset
  %none = icmp eq i32 %width, 0
  %some = select i1 %none, i32 1, i32 %width
  %left = sub i32 32, %some
  %up = shl i32 %down, %left
  %field = ashr i32 %up, %left
  %r = select i1 %none, i32 0, i32 %field
  ret i32 %r
}

define i32 @s_bfm_b32(i32 %a, i32 %b) {
  %w0 = and i32 %a, 31
  %o0 = and i32 %b, 31
  %w = freeze i32 %w0
  %o = freeze i32 %o0
  %one = shl i32 1, %w
  %ones = sub i32 %one, 1
  %r = shl i32 %ones, %o
  ret i32 %r
}

define i64 @s_bfm_b64(i32 %a, i32 %b) {
  %w0 = and i32 %a, 63
  %o0 = and i32 %b, 63
  %w = zext i32 %w0 to i64
  %o = zext i32 %o0 to i64
  %one = shl i64 1, %w
  %ones = sub i64 %one, 1
  %r = shl i64 %ones, %o
  ret i64 %r
}

define i32 @v_bfm_b32(i32 %a, i32 %b) {
  %w0 = and i32 %a, 31
  %o0 = and i32 %b, 31
  %w = freeze i32 %w0
  %o = freeze i32 %o0
  %one = shl i32 1, %w
  %ones = sub i32 %one, 1
  %r = shl i32 %ones, %o
  ret i32 %r
}

define i32 @v_bfi_b32(i32 %a, i32 %b, i32 %c) {
  %x = xor i32 %b, %c
  %y = and i32 %a, %x
  %r = xor i32 %y, %c
  ret i32 %r
}

define i32 @v_and_or_b32(i32 %a, i32 %b, i32 %c) {
  %x = and i32 %a, %b
  %r = or i32 %x, %c
  ret i32 %r
}

define i32 @v_or3_b32(i32 %a, i32 %b, i32 %c) {
  %x = or i32 %a, %b
  %r = or i32 %x, %c
  ret i32 %r
}

define i32 @v_xor3_b32(i32 %a, i32 %b, i32 %c) {
  %x = xor i32 %a, %b
  %r = xor i32 %x, %c
  ret i32 %r
}

define i32 @v_lshl_or_b32(i32 %a, i32 %b, i32 %c) {
  %m = and i32 %b, 31
  %x = shl i32 %a, %m
  %r = or i32 %x, %c
  ret i32 %r
}

define i32 @v_alignbit_b32(i32 %a, i32 %b, i32 %c) {
  %r = call i32 @llvm.fshr.i32(i32 %a, i32 %b, i32 %c)
  ret i32 %r
}

define i32 @v_alignbyte_b32(i32 %a, i32 %b, i32 %c) {
  %m = and i32 %c, 3
  %bits = shl i32 %m, 3
  %r = call i32 @llvm.fshr.i32(i32 %a, i32 %b, i32 %bits)
  ret i32 %r
}

define i32 @v_perm_b32(i32 %a, i32 %b, i32 %c) {
  %lo = zext i32 %b to i64
  %hi0 = zext i32 %a to i64
  %hi = shl i64 %hi0, 32
  %data = or i64 %lo, %hi
  %s0a = lshr i32 %c, 0
  %s0 = and i32 %s0a, 255
  %i0 = and i32 %s0, 7
  %j0 = shl i32 %i0, 3
  %jw0 = zext i32 %j0 to i64
  %d0 = lshr i64 %data, %jw0
  %e0 = trunc i64 %d0 to i32
  %byte0 = and i32 %e0, 255
  %g00 = and i32 %s0, 3
  %g10 = shl i32 %g00, 4
  %g20 = or i32 %g10, 15
  %gw0 = zext i32 %g20 to i64
  %h0 = lshr i64 %data, %gw0
  %h10 = trunc i64 %h0 to i1
  %sign0 = select i1 %h10, i32 255, i32 0
  %is120 = icmp eq i32 %s0, 12
  %fixed0 = select i1 %is120, i32 0, i32 255
  %lt120 = icmp ult i32 %s0, 12
  %upper0 = select i1 %lt120, i32 %sign0, i32 %fixed0
  %lt80 = icmp ult i32 %s0, 8
  %pick0 = select i1 %lt80, i32 %byte0, i32 %upper0
  %place0 = shl i32 %pick0, 0
  %acc0 = or i32 0, %place0
  %s1a = lshr i32 %c, 8
  %s1 = and i32 %s1a, 255
  %i1 = and i32 %s1, 7
  %j1 = shl i32 %i1, 3
  %jw1 = zext i32 %j1 to i64
  %d1 = lshr i64 %data, %jw1
  %e1 = trunc i64 %d1 to i32
  %byte1 = and i32 %e1, 255
  %g01 = and i32 %s1, 3
  %g11 = shl i32 %g01, 4
  %g21 = or i32 %g11, 15
  %gw1 = zext i32 %g21 to i64
  %h1 = lshr i64 %data, %gw1
  %h11 = trunc i64 %h1 to i1
  %sign1 = select i1 %h11, i32 255, i32 0
  %is121 = icmp eq i32 %s1, 12
  %fixed1 = select i1 %is121, i32 0, i32 255
  %lt121 = icmp ult i32 %s1, 12
  %upper1 = select i1 %lt121, i32 %sign1, i32 %fixed1
  %lt81 = icmp ult i32 %s1, 8
  %pick1 = select i1 %lt81, i32 %byte1, i32 %upper1
  %place1 = shl i32 %pick1, 8
  %acc1 = or i32 %acc0, %place1
  %s2a = lshr i32 %c, 16
  %s2 = and i32 %s2a, 255
  %i2 = and i32 %s2, 7
  %j2 = shl i32 %i2, 3
  %jw2 = zext i32 %j2 to i64
  %d2 = lshr i64 %data, %jw2
  %e2 = trunc i64 %d2 to i32
  %byte2 = and i32 %e2, 255
  %g02 = and i32 %s2, 3
  %g12 = shl i32 %g02, 4
  %g22 = or i32 %g12, 15
  %gw2 = zext i32 %g22 to i64
  %h2 = lshr i64 %data, %gw2
  %h12 = trunc i64 %h2 to i1
  %sign2 = select i1 %h12, i32 255, i32 0
  %is122 = icmp eq i32 %s2, 12
  %fixed2 = select i1 %is122, i32 0, i32 255
  %lt122 = icmp ult i32 %s2, 12
  %upper2 = select i1 %lt122, i32 %sign2, i32 %fixed2
  %lt82 = icmp ult i32 %s2, 8
  %pick2 = select i1 %lt82, i32 %byte2, i32 %upper2
  %place2 = shl i32 %pick2, 16
  %acc2 = or i32 %acc1, %place2
  %s3a = lshr i32 %c, 24
  %s3 = and i32 %s3a, 255
  %i3 = and i32 %s3, 7
  %j3 = shl i32 %i3, 3
  %jw3 = zext i32 %j3 to i64
  %d3 = lshr i64 %data, %jw3
  %e3 = trunc i64 %d3 to i32
  %byte3 = and i32 %e3, 255
  %g03 = and i32 %s3, 3
  %g13 = shl i32 %g03, 4
  %g23 = or i32 %g13, 15
  %gw3 = zext i32 %g23 to i64
  %h3 = lshr i64 %data, %gw3
  %h13 = trunc i64 %h3 to i1
  %sign3 = select i1 %h13, i32 255, i32 0
  %is123 = icmp eq i32 %s3, 12
  %fixed3 = select i1 %is123, i32 0, i32 255
  %lt123 = icmp ult i32 %s3, 12
  %upper3 = select i1 %lt123, i32 %sign3, i32 %fixed3
  %lt83 = icmp ult i32 %s3, 8
  %pick3 = select i1 %lt83, i32 %byte3, i32 %upper3
  %place3 = shl i32 %pick3, 24
  %acc3 = or i32 %acc2, %place3
  %r = freeze i32 %acc3
  ret i32 %r
}

define i32 @s_pack_ll_b32_b16(i32 %a, i32 %b) {
  %x = trunc i32 %a to i16
  %y = trunc i32 %b to i16
  %v = insertelement <2 x i16> poison, i16 %x, i32 0
  %w = insertelement <2 x i16> %v, i16 %y, i32 1
  %r = bitcast <2 x i16> %w to i32
  ret i32 %r
}

define i32 @s_pack_lh_b32_b16(i32 %a, i32 %b) {
  %v = bitcast i32 %b to <2 x i16>
  %x = trunc i32 %a to i16
  %w = insertelement <2 x i16> %v, i16 %x, i32 0
  %r = bitcast <2 x i16> %w to i32
  ret i32 %r
}

define i32 @s_pack_hh_b32_b16(i32 %a, i32 %b) {
  %v = bitcast i32 %b to <2 x i16>
  %u = bitcast i32 %a to <2 x i16>
  %x = extractelement <2 x i16> %u, i32 1
  %w = insertelement <2 x i16> %v, i16 %x, i32 0
  %r = bitcast <2 x i16> %w to i32
  ret i32 %r
}

define i32 @s_sext_i32_i8(i32 %a) {
  %x = trunc i32 %a to i8
  %r = sext i8 %x to i32
  ret i32 %r
}

define i32 @s_sext_i32_i16(i32 %a) {
  %x = trunc i32 %a to i16
  %r = sext i16 %x to i32
  ret i32 %r
}

define i32 @s_brev_b32(i32 %a) {
  %r = call i32 @llvm.bitreverse.i32(i32 %a)
  ret i32 %r
}

define i64 @s_brev_b64(i64 %a) {
  %r = call i64 @llvm.bitreverse.i64(i64 %a)
  ret i64 %r
}

define i32 @v_bfrev_b32(i32 %a) {
  %r = call i32 @llvm.bitreverse.i32(i32 %a)
  ret i32 %r
}

define i32 @s_bitset1_b32(i32 %a, i32 %b) {
  %m = and i32 %a, 31
  %w = freeze i32 %m
  %bit = shl i32 1, %w
  %r = or i32 %b, %bit
  ret i32 %r
}

define i32 @s_bitset0_b32(i32 %a, i32 %b) {
  %m = and i32 %a, 31
  %w = freeze i32 %m
  %bit = shl i32 1, %w
  %n = xor i32 %bit, -1
  %r = and i32 %b, %n
  ret i32 %r
}

define i64 @s_bitset1_b64(i32 %a, i64 %b) {
  %m = and i32 %a, 63
  %w = zext i32 %m to i64
  %bit = shl i64 1, %w
  %r = or i64 %b, %bit
  ret i64 %r
}

define i64 @s_bitset0_b64(i32 %a, i64 %b) {
  %m = and i32 %a, 63
  %w = zext i32 %m to i64
  %bit = shl i64 1, %w
  %n = xor i64 %bit, -1
  %r = and i64 %b, %n
  ret i64 %r
}

define i64 @s_bitreplicate_b64_b32(i32 %a) {
  %x0 = zext i32 %a to i64
  %y0 = shl i64 %x0, 16
  %z0 = or i64 %x0, %y0
  %x1 = and i64 %z0, 281470681808895
  %y1 = shl i64 %x1, 8
  %z1 = or i64 %x1, %y1
  %x2 = and i64 %z1, 71777214294589695
  %y2 = shl i64 %x2, 4
  %z2 = or i64 %x2, %y2
  %x3 = and i64 %z2, 1085102592571150095
  %y3 = shl i64 %x3, 2
  %z3 = or i64 %x3, %y3
  %x4 = and i64 %z3, 3689348814741910323
  %y4 = shl i64 %x4, 1
  %z4 = or i64 %x4, %y4
  %x5 = and i64 %z4, 6148914691236517205
  %y5 = shl i64 %x5, 1
  %r = or i64 %x5, %y5
  ret i64 %r
}

define { i32, i1 } @s_wqm_b32(i32 %a) {
  %v = bitcast i32 %a to <8 x i4>
  %n = icmp ne <8 x i4> %v, zeroinitializer
  %s = sext <8 x i1> %n to <8 x i4>
  %r = bitcast <8 x i4> %s to i32
  %f = icmp ne i32 %r, 0
  %p = insertvalue { i32, i1 } poison, i32 %r, 0
  %q = insertvalue { i32, i1 } %p, i1 %f, 1
  ret { i32, i1 } %q
}

define { i32, i1 } @s_quadmask_b32(i32 %a) {
  %v = bitcast i32 %a to <8 x i4>
  %n = icmp ne <8 x i4> %v, zeroinitializer
  %s = bitcast <8 x i1> %n to i8
  %r = zext i8 %s to i32
  %f = icmp ne i32 %r, 0
  %p = insertvalue { i32, i1 } poison, i32 %r, 0
  %q = insertvalue { i32, i1 } %p, i1 %f, 1
  ret { i32, i1 } %q
}

define { i64, i1 } @s_wqm_b64(i64 %a) {
  %v = bitcast i64 %a to <16 x i4>
  %n = icmp ne <16 x i4> %v, zeroinitializer
  %s = sext <16 x i1> %n to <16 x i4>
  %r = bitcast <16 x i4> %s to i64
  %f = icmp ne i64 %r, 0
  %p = insertvalue { i64, i1 } poison, i64 %r, 0
  %q = insertvalue { i64, i1 } %p, i1 %f, 1
  ret { i64, i1 } %q
}

define { i64, i1 } @s_quadmask_b64(i64 %a) {
  %v = bitcast i64 %a to <16 x i4>
  %n = icmp ne <16 x i4> %v, zeroinitializer
  %s = bitcast <16 x i1> %n to i16
  %r = zext i16 %s to i64
  %f = icmp ne i64 %r, 0
  %p = insertvalue { i64, i1 } poison, i64 %r, 0
  %q = insertvalue { i64, i1 } %p, i1 %f, 1
  ret { i64, i1 } %q
}

define { i32, i1 } @s_add_u32(i32 %a, i32 %b) {
  %r = call { i32, i1 } @llvm.uadd.with.overflow.i32(i32 %a, i32 %b)
  ret { i32, i1 } %r
}

define { i32, i1 } @s_sub_u32(i32 %a, i32 %b) {
  %r = call { i32, i1 } @llvm.usub.with.overflow.i32(i32 %a, i32 %b)
  ret { i32, i1 } %r
}

define { i32, i1 } @s_add_i32(i32 %a, i32 %b) {
  %r = call { i32, i1 } @llvm.sadd.with.overflow.i32(i32 %a, i32 %b)
  ret { i32, i1 } %r
}

define { i32, i1 } @s_sub_i32(i32 %a, i32 %b) {
  %r = call { i32, i1 } @llvm.ssub.with.overflow.i32(i32 %a, i32 %b)
  ret { i32, i1 } %r
}

define { i32, i1 } @v_add_co_u32(i32 %a, i32 %b) {
  %r = call { i32, i1 } @llvm.uadd.with.overflow.i32(i32 %a, i32 %b)
  ret { i32, i1 } %r
}

define { i32, i1 } @v_sub_co_u32(i32 %a, i32 %b) {
  %r = call { i32, i1 } @llvm.usub.with.overflow.i32(i32 %a, i32 %b)
  ret { i32, i1 } %r
}

define { i32, i1 } @v_subrev_co_u32(i32 %a, i32 %b) {
  %r = call { i32, i1 } @llvm.usub.with.overflow.i32(i32 %b, i32 %a)
  ret { i32, i1 } %r
}

define { i32, i1 } @s_addc_u32(i32 %a, i32 %b, i1 %carry) {
  %x = zext i32 %a to i33
  %y = zext i32 %b to i33
  %z = zext i1 %carry to i33
  %s = add i33 %x, %y
  %t = add i33 %s, %z
  %r = trunc i33 %t to i32
  %up = lshr i33 %t, 32
  %out = trunc i33 %up to i1
  %p = insertvalue { i32, i1 } poison, i32 %r, 0
  %q = insertvalue { i32, i1 } %p, i1 %out, 1
  ret { i32, i1 } %q
}

define { i32, i1 } @s_subb_u32(i32 %a, i32 %b, i1 %carry) {
  %x = zext i32 %a to i33
  %y = zext i32 %b to i33
  %z = zext i1 %carry to i33
  %s = sub i33 %x, %y
  %t = sub i33 %s, %z
  %r = trunc i33 %t to i32
  %up = lshr i33 %t, 32
  %out = trunc i33 %up to i1
  %p = insertvalue { i32, i1 } poison, i32 %r, 0
  %q = insertvalue { i32, i1 } %p, i1 %out, 1
  ret { i32, i1 } %q
}

define { i32, i1 } @v_add_co_ci_u32(i32 %a, i32 %b, i1 %carry) {
  %x = zext i32 %a to i33
  %y = zext i32 %b to i33
  %z = zext i1 %carry to i33
  %s = add i33 %x, %y
  %t = add i33 %s, %z
  %r = trunc i33 %t to i32
  %up = lshr i33 %t, 32
  %out = trunc i33 %up to i1
  %p = insertvalue { i32, i1 } poison, i32 %r, 0
  %q = insertvalue { i32, i1 } %p, i1 %out, 1
  ret { i32, i1 } %q
}

define { i32, i1 } @v_sub_co_ci_u32(i32 %a, i32 %b, i1 %carry) {
  %x = zext i32 %a to i33
  %y = zext i32 %b to i33
  %z = zext i1 %carry to i33
  %s = sub i33 %x, %y
  %t = sub i33 %s, %z
  %r = trunc i33 %t to i32
  %up = lshr i33 %t, 32
  %out = trunc i33 %up to i1
  %p = insertvalue { i32, i1 } poison, i32 %r, 0
  %q = insertvalue { i32, i1 } %p, i1 %out, 1
  ret { i32, i1 } %q
}

define { i32, i1 } @v_subrev_co_ci_u32(i32 %a, i32 %b, i1 %carry) {
  %x = zext i32 %b to i33
  %y = zext i32 %a to i33
  %z = zext i1 %carry to i33
  %s = sub i33 %x, %y
  %t = sub i33 %s, %z
  %r = trunc i33 %t to i32
  %up = lshr i33 %t, 32
  %out = trunc i33 %up to i1
  %p = insertvalue { i32, i1 } poison, i32 %r, 0
  %q = insertvalue { i32, i1 } %p, i1 %out, 1
  ret { i32, i1 } %q
}

define { i32, i1 } @s_min_i32(i32 %a, i32 %b) {
  %f = icmp slt i32 %a, %b
  %r = select i1 %f, i32 %a, i32 %b
  %p = insertvalue { i32, i1 } poison, i32 %r, 0
  %q = insertvalue { i32, i1 } %p, i1 %f, 1
  ret { i32, i1 } %q
}

define i32 @v_min_i32(i32 %a, i32 %b) {
  %r = call i32 @llvm.smin.i32(i32 %a, i32 %b)
  ret i32 %r
}

define i32 @v_min3_i32(i32 %a, i32 %b, i32 %c) {
  %x = call i32 @llvm.smin.i32(i32 %a, i32 %b)
  %r = call i32 @llvm.smin.i32(i32 %x, i32 %c)
  ret i32 %r
}

define { i32, i1 } @s_min_u32(i32 %a, i32 %b) {
  %f = icmp ult i32 %a, %b
  %r = select i1 %f, i32 %a, i32 %b
  %p = insertvalue { i32, i1 } poison, i32 %r, 0
  %q = insertvalue { i32, i1 } %p, i1 %f, 1
  ret { i32, i1 } %q
}

define i32 @v_min_u32(i32 %a, i32 %b) {
  %r = call i32 @llvm.umin.i32(i32 %a, i32 %b)
  ret i32 %r
}

define i32 @v_min3_u32(i32 %a, i32 %b, i32 %c) {
  %x = call i32 @llvm.umin.i32(i32 %a, i32 %b)
  %r = call i32 @llvm.umin.i32(i32 %x, i32 %c)
  ret i32 %r
}

define { i32, i1 } @s_max_i32(i32 %a, i32 %b) {
  %f = icmp sgt i32 %a, %b
  %r = select i1 %f, i32 %a, i32 %b
  %p = insertvalue { i32, i1 } poison, i32 %r, 0
  %q = insertvalue { i32, i1 } %p, i1 %f, 1
  ret { i32, i1 } %q
}

define i32 @v_max_i32(i32 %a, i32 %b) {
  %r = call i32 @llvm.smax.i32(i32 %a, i32 %b)
  ret i32 %r
}

define i32 @v_max3_i32(i32 %a, i32 %b, i32 %c) {
  %x = call i32 @llvm.smax.i32(i32 %a, i32 %b)
  %r = call i32 @llvm.smax.i32(i32 %x, i32 %c)
  ret i32 %r
}

define { i32, i1 } @s_max_u32(i32 %a, i32 %b) {
  %f = icmp ugt i32 %a, %b
  %r = select i1 %f, i32 %a, i32 %b
  %p = insertvalue { i32, i1 } poison, i32 %r, 0
  %q = insertvalue { i32, i1 } %p, i1 %f, 1
  ret { i32, i1 } %q
}

define i32 @v_max_u32(i32 %a, i32 %b) {
  %r = call i32 @llvm.umax.i32(i32 %a, i32 %b)
  ret i32 %r
}

define i32 @v_max3_u32(i32 %a, i32 %b, i32 %c) {
  %x = call i32 @llvm.umax.i32(i32 %a, i32 %b)
  %r = call i32 @llvm.umax.i32(i32 %x, i32 %c)
  ret i32 %r
}

define i32 @v_med3_i32(i32 %a, i32 %b, i32 %c) {
  %lo = call i32 @llvm.smin.i32(i32 %a, i32 %b)
  %hi = call i32 @llvm.smax.i32(i32 %a, i32 %b)
  %x = call i32 @llvm.smax.i32(i32 %lo, i32 %c)
  %r = call i32 @llvm.smin.i32(i32 %hi, i32 %x)
  ret i32 %r
}

define i32 @v_med3_u32(i32 %a, i32 %b, i32 %c) {
  %lo = call i32 @llvm.umin.i32(i32 %a, i32 %b)
  %hi = call i32 @llvm.umax.i32(i32 %a, i32 %b)
  %x = call i32 @llvm.umax.i32(i32 %lo, i32 %c)
  %r = call i32 @llvm.umin.i32(i32 %hi, i32 %x)
  ret i32 %r
}

define i32 @s_mul_i32(i32 %a, i32 %b) {
  %r = mul i32 %a, %b
  ret i32 %r
}

define i32 @v_mul_lo_u32(i32 %a, i32 %b) {
  %r = mul i32 %a, %b
  ret i32 %r
}

define i32 @s_mul_hi_u32(i32 %a, i32 %b) {
  %x = zext i32 %a to i64
  %y = zext i32 %b to i64
  %p = mul i64 %x, %y
  %h = lshr i64 %p, 32
  %r = trunc i64 %h to i32
  ret i32 %r
}

define i32 @s_mul_hi_i32(i32 %a, i32 %b) {
  %x = sext i32 %a to i64
  %y = sext i32 %b to i64
  %p = mul i64 %x, %y
  %h = lshr i64 %p, 32
  %r = trunc i64 %h to i32
  ret i32 %r
}

define i32 @v_mul_hi_u32(i32 %a, i32 %b) {
  %x = zext i32 %a to i64
  %y = zext i32 %b to i64
  %p = mul i64 %x, %y
  %h = lshr i64 %p, 32
  %r = trunc i64 %h to i32
  ret i32 %r
}

define i32 @v_mul_hi_i32(i32 %a, i32 %b) {
  %x = sext i32 %a to i64
  %y = sext i32 %b to i64
  %p = mul i64 %x, %y
  %h = lshr i64 %p, 32
  %r = trunc i64 %h to i32
  ret i32 %r
}

define { i32, i1 } @s_absdiff_i32(i32 %a, i32 %b) {
  %d = sub i32 %a, %b
  %r = call i32 @llvm.abs.i32(i32 %d, i1 false)
  %f = icmp ne i32 %r, 0
  %p = insertvalue { i32, i1 } poison, i32 %r, 0
  %q = insertvalue { i32, i1 } %p, i1 %f, 1
  ret { i32, i1 } %q
}

define { i32, i1 } @s_abs_i32(i32 %a) {
  %r = call i32 @llvm.abs.i32(i32 %a, i1 false)
  %f = icmp ne i32 %r, 0
  %p = insertvalue { i32, i1 } poison, i32 %r, 0
  %q = insertvalue { i32, i1 } %p, i1 %f, 1
  ret { i32, i1 } %q
}

define { i32, i1 } @s_lshl1_add_u32(i32 %a, i32 %b) {
  %x = zext i32 %a to i40
  %y = zext i32 %b to i40
  %s = shl i40 %x, 1
  %t = add i40 %s, %y
  %r = trunc i40 %t to i32
  %f = icmp ugt i40 %t, 4294967295
  %p = insertvalue { i32, i1 } poison, i32 %r, 0
  %q = insertvalue { i32, i1 } %p, i1 %f, 1
  ret { i32, i1 } %q
}

define { i32, i1 } @s_lshl2_add_u32(i32 %a, i32 %b) {
  %x = zext i32 %a to i40
  %y = zext i32 %b to i40
  %s = shl i40 %x, 2
  %t = add i40 %s, %y
  %r = trunc i40 %t to i32
  %f = icmp ugt i40 %t, 4294967295
  %p = insertvalue { i32, i1 } poison, i32 %r, 0
  %q = insertvalue { i32, i1 } %p, i1 %f, 1
  ret { i32, i1 } %q
}

define { i32, i1 } @s_lshl3_add_u32(i32 %a, i32 %b) {
  %x = zext i32 %a to i40
  %y = zext i32 %b to i40
  %s = shl i40 %x, 3
  %t = add i40 %s, %y
  %r = trunc i40 %t to i32
  %f = icmp ugt i40 %t, 4294967295
  %p = insertvalue { i32, i1 } poison, i32 %r, 0
  %q = insertvalue { i32, i1 } %p, i1 %f, 1
  ret { i32, i1 } %q
}

define { i32, i1 } @s_lshl4_add_u32(i32 %a, i32 %b) {
  %x = zext i32 %a to i40
  %y = zext i32 %b to i40
  %s = shl i40 %x, 4
  %t = add i40 %s, %y
  %r = trunc i40 %t to i32
  %f = icmp ugt i40 %t, 4294967295
  %p = insertvalue { i32, i1 } poison, i32 %r, 0
  %q = insertvalue { i32, i1 } %p, i1 %f, 1
  ret { i32, i1 } %q
}

define { i32, i1 } @s_bcnt1_i32_b32(i32 %a) {
  %x = call i32 @llvm.ctpop.i32(i32 %a)
  %r = freeze i32 %x
  %f = icmp ne i32 %r, 0
  %p = insertvalue { i32, i1 } poison, i32 %r, 0
  %q = insertvalue { i32, i1 } %p, i1 %f, 1
  ret { i32, i1 } %q
}

define { i32, i1 } @s_bcnt0_i32_b32(i32 %a) {
  %n = xor i32 %a, -1
  %x = call i32 @llvm.ctpop.i32(i32 %n)
  %r = freeze i32 %x
  %f = icmp ne i32 %r, 0
  %p = insertvalue { i32, i1 } poison, i32 %r, 0
  %q = insertvalue { i32, i1 } %p, i1 %f, 1
  ret { i32, i1 } %q
}

define i32 @s_ff1_i32_b32(i32 %a) {
  %x = call i32 @llvm.cttz.i32(i32 %a, i1 false)
  %none = icmp eq i32 %x, 32
  %y = freeze i32 %x
  %r = select i1 %none, i32 -1, i32 %y
  ret i32 %r
}

define i32 @s_ff0_i32_b32(i32 %a) {
  %n = xor i32 %a, -1
  %x = call i32 @llvm.cttz.i32(i32 %n, i1 false)
  %none = icmp eq i32 %x, 32
  %y = freeze i32 %x
  %r = select i1 %none, i32 -1, i32 %y
  ret i32 %r
}

define i32 @s_flbit_i32_b32(i32 %a) {
  %x = call i32 @llvm.ctlz.i32(i32 %a, i1 false)
  %none = icmp eq i32 %x, 32
  %y = freeze i32 %x
  %r = select i1 %none, i32 -1, i32 %y
  ret i32 %r
}

define i32 @s_flbit_i32(i32 %a) {
  %s = ashr i32 %a, 31
  %n = xor i32 %a, %s
  %x = call i32 @llvm.ctlz.i32(i32 %n, i1 false)
  %none = icmp eq i32 %x, 32
  %y = freeze i32 %x
  %r = select i1 %none, i32 -1, i32 %y
  ret i32 %r
}

define i32 @v_ffbh_u32(i32 %a) {
  %x = call i32 @llvm.ctlz.i32(i32 %a, i1 false)
  %none = icmp eq i32 %x, 32
  %y = freeze i32 %x
  %r = select i1 %none, i32 -1, i32 %y
  ret i32 %r
}

define i32 @v_ffbl_b32(i32 %a) {
  %x = call i32 @llvm.cttz.i32(i32 %a, i1 false)
  %none = icmp eq i32 %x, 32
  %y = freeze i32 %x
  %r = select i1 %none, i32 -1, i32 %y
  ret i32 %r
}

define i32 @v_ffbh_i32(i32 %a) {
  %s = ashr i32 %a, 31
  %n = xor i32 %a, %s
  %x = call i32 @llvm.ctlz.i32(i32 %n, i1 false)
  %none = icmp eq i32 %x, 32
  %y = freeze i32 %x
  %r = select i1 %none, i32 -1, i32 %y
  ret i32 %r
}

define { i32, i1 } @s_bcnt1_i32_b64(i64 %a) {
  %x = call i64 @llvm.ctpop.i64(i64 %a)
  %r = trunc i64 %x to i32
  %f = icmp ne i32 %r, 0
  %p = insertvalue { i32, i1 } poison, i32 %r, 0
  %q = insertvalue { i32, i1 } %p, i1 %f, 1
  ret { i32, i1 } %q
}

define { i32, i1 } @s_bcnt0_i32_b64(i64 %a) {
  %n = xor i64 %a, -1
  %x = call i64 @llvm.ctpop.i64(i64 %n)
  %r = trunc i64 %x to i32
  %f = icmp ne i32 %r, 0
  %p = insertvalue { i32, i1 } poison, i32 %r, 0
  %q = insertvalue { i32, i1 } %p, i1 %f, 1
  ret { i32, i1 } %q
}

define i32 @s_ff1_i32_b64(i64 %a) {
  %x = call i64 @llvm.cttz.i64(i64 %a, i1 false)
  %none = icmp eq i64 %x, 64
  %y = trunc i64 %x to i32
  %r = select i1 %none, i32 -1, i32 %y
  ret i32 %r
}

define i32 @s_ff0_i32_b64(i64 %a) {
  %n = xor i64 %a, -1
  %x = call i64 @llvm.cttz.i64(i64 %n, i1 false)
  %none = icmp eq i64 %x, 64
  %y = trunc i64 %x to i32
  %r = select i1 %none, i32 -1, i32 %y
  ret i32 %r
}

define i32 @s_flbit_i32_b64(i64 %a) {
  %x = call i64 @llvm.ctlz.i64(i64 %a, i1 false)
  %none = icmp eq i64 %x, 64
  %y = trunc i64 %x to i32
  %r = select i1 %none, i32 -1, i32 %y
  ret i32 %r
}

define i32 @s_flbit_i32_i64(i64 %a) {
  %s = ashr i64 %a, 63
  %n = xor i64 %a, %s
  %x = call i64 @llvm.ctlz.i64(i64 %n, i1 false)
  %none = icmp eq i64 %x, 64
  %y = trunc i64 %x to i32
  %r = select i1 %none, i32 -1, i32 %y
  ret i32 %r
}

define i32 @v_add_nc_u32(i32 %a, i32 %b) {
  %r = add i32 %a, %b
  ret i32 %r
}

define i32 @v_add_nc_i32(i32 %a, i32 %b) {
  %r = add i32 %a, %b
  ret i32 %r
}

define i32 @v_sub_nc_u32(i32 %a, i32 %b) {
  %r = sub i32 %a, %b
  ret i32 %r
}

define i32 @v_sub_nc_i32(i32 %a, i32 %b) {
  %r = sub i32 %a, %b
  ret i32 %r
}

define i32 @v_subrev_nc_u32(i32 %a, i32 %b) {
  %r = sub i32 %b, %a
  ret i32 %r
}

define i32 @v_add3_u32(i32 %a, i32 %b, i32 %c) {
  %x = add i32 %a, %b
  %r = add i32 %x, %c
  ret i32 %r
}

define i32 @v_xad_u32(i32 %a, i32 %b, i32 %c) {
  %x = xor i32 %a, %b
  %r = add i32 %x, %c
  ret i32 %r
}

define i32 @v_lshl_add_u32(i32 %a, i32 %b, i32 %c) {
  %m = and i32 %b, 31
  %x = shl i32 %a, %m
  %r = add i32 %x, %c
  ret i32 %r
}

define i32 @v_add_lshl_u32(i32 %a, i32 %b, i32 %c) {
  %m = and i32 %c, 31
  %x = add i32 %a, %b
  %r = shl i32 %x, %m
  ret i32 %r
}

define i32 @v_mul_u32_u24(i32 %a, i32 %b) {
  %x0 = trunc i32 %a to i24
  %y0 = trunc i32 %b to i24
  %x = zext i24 %x0 to i64
  %y = zext i24 %y0 to i64
  %p = mul i64 %x, %y
  %r = trunc i64 %p to i32
  ret i32 %r
}

define i32 @v_mul_hi_u32_u24(i32 %a, i32 %b) {
  %x0 = trunc i32 %a to i24
  %y0 = trunc i32 %b to i24
  %x = zext i24 %x0 to i64
  %y = zext i24 %y0 to i64
  %p = mul i64 %x, %y
  %h = lshr i64 %p, 32
  %r = trunc i64 %h to i32
  ret i32 %r
}

define i32 @v_mad_u32_u24(i32 %a, i32 %b, i32 %c) {
  %x0 = trunc i32 %a to i24
  %y0 = trunc i32 %b to i24
  %x = zext i24 %x0 to i64
  %y = zext i24 %y0 to i64
  %p = mul i64 %x, %y
  %l = trunc i64 %p to i32
  %r = add i32 %l, %c
  ret i32 %r
}

define i32 @v_mul_i32_i24(i32 %a, i32 %b) {
  %x0 = trunc i32 %a to i24
  %y0 = trunc i32 %b to i24
  %x = sext i24 %x0 to i64
  %y = sext i24 %y0 to i64
  %p = mul i64 %x, %y
  %r = trunc i64 %p to i32
  ret i32 %r
}

define i32 @v_mul_hi_i32_i24(i32 %a, i32 %b) {
  %x0 = trunc i32 %a to i24
  %y0 = trunc i32 %b to i24
  %x = sext i24 %x0 to i64
  %y = sext i24 %y0 to i64
  %p = mul i64 %x, %y
  %h = lshr i64 %p, 32
  %r = trunc i64 %h to i32
  ret i32 %r
}

define i32 @v_mad_i32_i24(i32 %a, i32 %b, i32 %c) {
  %x0 = trunc i32 %a to i24
  %y0 = trunc i32 %b to i24
  %x = sext i24 %x0 to i64
  %y = sext i24 %y0 to i64
  %p = mul i64 %x, %y
  %l = trunc i64 %p to i32
  %r = add i32 %l, %c
  ret i32 %r
}

define { i64, i1 } @v_mad_u64_u32(i32 %a, i32 %b, i64 %c) {
  %x = zext i32 %a to i64
  %y = zext i32 %b to i64
  %p = mul i64 %x, %y
  %r = call { i64, i1 } @llvm.uadd.with.overflow.i64(i64 %p, i64 %c)
  ret { i64, i1 } %r
}

define i64 @v_mad_i64_i32(i32 %a, i32 %b, i64 %c) {
  %x = sext i32 %a to i64
  %y = sext i32 %b to i64
  %p = mul i64 %x, %y
  %r = add i64 %p, %c
  ret i64 %r
}

define i32 @v_sad_u8(i32 %a, i32 %b, i32 %c) {
  %x = bitcast i32 %a to <4 x i8>
  %y = bitcast i32 %b to <4 x i8>
  %u = call <4 x i8> @llvm.umax.v4i8(<4 x i8> %x, <4 x i8> %y)
  %l = call <4 x i8> @llvm.umin.v4i8(<4 x i8> %x, <4 x i8> %y)
  %d = sub <4 x i8> %u, %l
  %w = zext <4 x i8> %d to <4 x i32>
  %s = call i32 @llvm.vector.reduce.add.v4i32(<4 x i32> %w)
  %r = add i32 %s, %c
  ret i32 %r
}

define i32 @v_sad_hi_u8(i32 %a, i32 %b, i32 %c) {
  %x = bitcast i32 %a to <4 x i8>
  %y = bitcast i32 %b to <4 x i8>
  %u = call <4 x i8> @llvm.umax.v4i8(<4 x i8> %x, <4 x i8> %y)
  %l = call <4 x i8> @llvm.umin.v4i8(<4 x i8> %x, <4 x i8> %y)
  %d = sub <4 x i8> %u, %l
  %w = zext <4 x i8> %d to <4 x i32>
  %s = call i32 @llvm.vector.reduce.add.v4i32(<4 x i32> %w)
  %t = shl i32 %s, 16
  %r = add i32 %t, %c
  ret i32 %r
}

define i32 @v_sad_u16(i32 %a, i32 %b, i32 %c) {
  %x = bitcast i32 %a to <2 x i16>
  %y = bitcast i32 %b to <2 x i16>
  %u = call <2 x i16> @llvm.umax.v2i16(<2 x i16> %x, <2 x i16> %y)
  %l = call <2 x i16> @llvm.umin.v2i16(<2 x i16> %x, <2 x i16> %y)
  %d = sub <2 x i16> %u, %l
  %w = zext <2 x i16> %d to <2 x i32>
  %s = call i32 @llvm.vector.reduce.add.v2i32(<2 x i32> %w)
  %r = add i32 %s, %c
  ret i32 %r
}

define i32 @v_sad_u32(i32 %a, i32 %b, i32 %c) {
  %u = call i32 @llvm.umax.i32(i32 %a, i32 %b)
  %l = call i32 @llvm.umin.i32(i32 %a, i32 %b)
  %s = sub i32 %u, %l
  %r = add i32 %s, %c
  ret i32 %r
}

define i32 @v_lerp_u8(i32 %a, i32 %b, i32 %c) {
  %x0 = bitcast i32 %a to <4 x i8>
  %y0 = bitcast i32 %b to <4 x i8>
  %z0 = bitcast i32 %c to <4 x i8>
  %x = zext <4 x i8> %x0 to <4 x i16>
  %y = zext <4 x i8> %y0 to <4 x i16>
  %z1 = and <4 x i8> %z0, <i8 1, i8 1, i8 1, i8 1>
  %z = zext <4 x i8> %z1 to <4 x i16>
  %s = add <4 x i16> %x, %y
  %t = add <4 x i16> %s, %z
  %h = lshr <4 x i16> %t, <i16 1, i16 1, i16 1, i16 1>
  %n = trunc <4 x i16> %h to <4 x i8>
  %r = bitcast <4 x i8> %n to i32
  ret i32 %r
}

define i32 @v_bcnt_u32_b32(i32 %a, i32 %b) {
  %x = call i32 @llvm.ctpop.i32(i32 %a)
  %r = add i32 %x, %b
  ret i32 %r
}

define i32 @v_mbcnt_lo_u32_b32(i32 %a, i32 %b, i32 %c) {
  %m = and i32 %a, %c
  %x = call i32 @llvm.ctpop.i32(i32 %m)
  %r = add i32 %x, %b
  ret i32 %r
}

define i32 @v_mbcnt_hi_u32_b32(i32 %a, i32 %b, i32 %c) {
  %m = and i32 %a, %c
  %x = call i32 @llvm.ctpop.i32(i32 %m)
  %r = add i32 %x, %b
  ret i32 %r
}

define i32 @v_add_f32(i32 %a, i32 %b) {
  %x = bitcast i32 %a to float
  %y = bitcast i32 %b to float
  %v = fadd float %x, %y
  %r = bitcast float %v to i32
  ret i32 %r
}

define i32 @v_sub_f32(i32 %a, i32 %b) {
  %x = bitcast i32 %a to float
  %y = bitcast i32 %b to float
  %v = fsub float %x, %y
  %r = bitcast float %v to i32
  ret i32 %r
}

define i32 @v_subrev_f32(i32 %a, i32 %b) {
  %x = bitcast i32 %a to float
  %y = bitcast i32 %b to float
  %v = fsub float %y, %x
  %r = bitcast float %v to i32
  ret i32 %r
}

define i32 @v_mul_f32(i32 %a, i32 %b) {
  %x = bitcast i32 %a to float
  %y = bitcast i32 %b to float
  %v = fmul float %x, %y
  %r = bitcast float %v to i32
  ret i32 %r
}

define i32 @v_fma_f32(i32 %a, i32 %b, i32 %c) {
  %x = bitcast i32 %a to float
  %y = bitcast i32 %b to float
  %z = bitcast i32 %c to float
  %v = call float @llvm.fma.f32(float %x, float %y, float %z)
  %r = bitcast float %v to i32
  ret i32 %r
}

define i32 @v_fmac_f32(i32 %a, i32 %b, i32 %c) {
  %x = bitcast i32 %a to float
  %y = bitcast i32 %b to float
  %z = bitcast i32 %c to float
  %v = call float @llvm.fma.f32(float %x, float %y, float %z)
  %r = bitcast float %v to i32
  ret i32 %r
}

define i32 @v_fmamk_f32(i32 %a, i32 %b, i32 %c) {
  %x = bitcast i32 %a to float
  %y = bitcast i32 %b to float
  %z = bitcast i32 %c to float
  %v = call float @llvm.fma.f32(float %x, float %y, float %z)
  %r = bitcast float %v to i32
  ret i32 %r
}

define i32 @v_fmaak_f32(i32 %a, i32 %b, i32 %c) {
  %x = bitcast i32 %a to float
  %y = bitcast i32 %b to float
  %z = bitcast i32 %c to float
  %v = call float @llvm.fma.f32(float %x, float %y, float %z)
  %r = bitcast float %v to i32
  ret i32 %r
}

define i32 @v_min_f32(i32 %a, i32 %b) {
  %x = bitcast i32 %a to float
  %y = bitcast i32 %b to float
  %v = call float @llvm.minnum.f32(float %x, float %y)
  %r = bitcast float %v to i32
  ret i32 %r
}

define i32 @v_max_f32(i32 %a, i32 %b) {
  %x = bitcast i32 %a to float
  %y = bitcast i32 %b to float
  %v = call float @llvm.maxnum.f32(float %x, float %y)
  %r = bitcast float %v to i32
  ret i32 %r
}

define i32 @v_trunc_f32(i32 %a) {
  %x = bitcast i32 %a to float
  %v = call float @llvm.trunc.f32(float %x)
  %r = bitcast float %v to i32
  ret i32 %r
}

define i32 @v_ceil_f32(i32 %a) {
  %x = bitcast i32 %a to float
  %v = call float @llvm.ceil.f32(float %x)
  %r = bitcast float %v to i32
  ret i32 %r
}

define i32 @v_floor_f32(i32 %a) {
  %x = bitcast i32 %a to float
  %v = call float @llvm.floor.f32(float %x)
  %r = bitcast float %v to i32
  ret i32 %r
}

define i32 @v_rndne_f32(i32 %a) {
  %x = bitcast i32 %a to float
  %v = call float @llvm.roundeven.f32(float %x)
  %r = bitcast float %v to i32
  ret i32 %r
}

define i32 @v_cvt_f32_u32(i32 %a) {
  %v = uitofp i32 %a to float
  %r = bitcast float %v to i32
  ret i32 %r
}

define i32 @v_cvt_f32_i32(i32 %a) {
  %v = sitofp i32 %a to float
  %r = bitcast float %v to i32
  ret i32 %r
}

define i32 @v_cvt_u32_f32(i32 %a) {
  %x = bitcast i32 %a to float
  %r = call i32 @llvm.fptoui.sat.i32.f32(float %x)
  ret i32 %r
}

define i32 @v_cvt_i32_f32(i32 %a) {
  %x = bitcast i32 %a to float
  %r = call i32 @llvm.fptosi.sat.i32.f32(float %x)
  ret i32 %r
}

define i32 @v_cvt_f32_ubyte0(i32 %a) {
  %s = lshr i32 %a, 0
  %t = trunc i32 %s to i8
  %v = uitofp i8 %t to float
  %r = bitcast float %v to i32
  ret i32 %r
}

define i32 @v_cvt_f32_ubyte1(i32 %a) {
  %s = lshr i32 %a, 8
  %t = trunc i32 %s to i8
  %v = uitofp i8 %t to float
  %r = bitcast float %v to i32
  ret i32 %r
}

define i32 @v_cvt_f32_ubyte2(i32 %a) {
  %s = lshr i32 %a, 16
  %t = trunc i32 %s to i8
  %v = uitofp i8 %t to float
  %r = bitcast float %v to i32
  ret i32 %r
}

define i32 @v_cvt_f32_ubyte3(i32 %a) {
  %s = lshr i32 %a, 24
  %t = trunc i32 %s to i8
  %v = uitofp i8 %t to float
  %r = bitcast float %v to i32
  ret i32 %r
}

define i1 @s_cmp_eq_i32(i32 %a, i32 %b) {
  %r = icmp eq i32 %a, %b
  ret i1 %r
}

define i1 @s_cmp_eq_u32(i32 %a, i32 %b) {
  %r = icmp eq i32 %a, %b
  ret i1 %r
}

define i1 @s_cmp_lg_i32(i32 %a, i32 %b) {
  %r = icmp ne i32 %a, %b
  ret i1 %r
}

define i1 @s_cmp_lg_u32(i32 %a, i32 %b) {
  %r = icmp ne i32 %a, %b
  ret i1 %r
}

define i1 @s_cmp_gt_i32(i32 %a, i32 %b) {
  %r = icmp sgt i32 %a, %b
  ret i1 %r
}

define i1 @s_cmp_gt_u32(i32 %a, i32 %b) {
  %r = icmp ugt i32 %a, %b
  ret i1 %r
}

define i1 @s_cmp_ge_i32(i32 %a, i32 %b) {
  %r = icmp sge i32 %a, %b
  ret i1 %r
}

define i1 @s_cmp_ge_u32(i32 %a, i32 %b) {
  %r = icmp uge i32 %a, %b
  ret i1 %r
}

define i1 @s_cmp_lt_i32(i32 %a, i32 %b) {
  %r = icmp slt i32 %a, %b
  ret i1 %r
}

define i1 @s_cmp_lt_u32(i32 %a, i32 %b) {
  %r = icmp ult i32 %a, %b
  ret i1 %r
}

define i1 @s_cmp_le_i32(i32 %a, i32 %b) {
  %r = icmp sle i32 %a, %b
  ret i1 %r
}

define i1 @s_cmp_le_u32(i32 %a, i32 %b) {
  %r = icmp ule i32 %a, %b
  ret i1 %r
}

define i1 @s_cmp_eq_u64(i64 %a, i64 %b) {
  %r = icmp eq i64 %a, %b
  ret i1 %r
}

define i1 @s_cmp_lg_u64(i64 %a, i64 %b) {
  %r = icmp ne i64 %a, %b
  ret i1 %r
}

define i1 @v_cmp_lt_i32(i32 %a, i32 %b) {
  %r = icmp slt i32 %a, %b
  ret i1 %r
}

define i1 @v_cmp_eq_i32(i32 %a, i32 %b) {
  %r = icmp eq i32 %a, %b
  ret i1 %r
}

define i1 @v_cmp_le_i32(i32 %a, i32 %b) {
  %r = icmp sle i32 %a, %b
  ret i1 %r
}

define i1 @v_cmp_gt_i32(i32 %a, i32 %b) {
  %r = icmp sgt i32 %a, %b
  ret i1 %r
}

define i1 @v_cmp_ne_i32(i32 %a, i32 %b) {
  %r = icmp ne i32 %a, %b
  ret i1 %r
}

define i1 @v_cmp_ge_i32(i32 %a, i32 %b) {
  %r = icmp sge i32 %a, %b
  ret i1 %r
}

define i1 @v_cmp_f_i32(i32 %a, i32 %b) {
  %r = freeze i1 false
  ret i1 %r
}

define i1 @v_cmp_t_i32(i32 %a, i32 %b) {
  %r = freeze i1 true
  ret i1 %r
}

define i1 @v_cmp_lt_u32(i32 %a, i32 %b) {
  %r = icmp ult i32 %a, %b
  ret i1 %r
}

define i1 @v_cmp_eq_u32(i32 %a, i32 %b) {
  %r = icmp eq i32 %a, %b
  ret i1 %r
}

define i1 @v_cmp_le_u32(i32 %a, i32 %b) {
  %r = icmp ule i32 %a, %b
  ret i1 %r
}

define i1 @v_cmp_gt_u32(i32 %a, i32 %b) {
  %r = icmp ugt i32 %a, %b
  ret i1 %r
}

define i1 @v_cmp_ne_u32(i32 %a, i32 %b) {
  %r = icmp ne i32 %a, %b
  ret i1 %r
}

define i1 @v_cmp_ge_u32(i32 %a, i32 %b) {
  %r = icmp uge i32 %a, %b
  ret i1 %r
}

define i1 @v_cmp_f_u32(i32 %a, i32 %b) {
  %r = freeze i1 false
  ret i1 %r
}

define i1 @v_cmp_t_u32(i32 %a, i32 %b) {
  %r = freeze i1 true
  ret i1 %r
}

define i1 @v_cmp_lt_i64(i64 %a, i64 %b) {
  %r = icmp slt i64 %a, %b
  ret i1 %r
}

define i1 @v_cmp_eq_i64(i64 %a, i64 %b) {
  %r = icmp eq i64 %a, %b
  ret i1 %r
}

define i1 @v_cmp_le_i64(i64 %a, i64 %b) {
  %r = icmp sle i64 %a, %b
  ret i1 %r
}

define i1 @v_cmp_gt_i64(i64 %a, i64 %b) {
  %r = icmp sgt i64 %a, %b
  ret i1 %r
}

define i1 @v_cmp_ne_i64(i64 %a, i64 %b) {
  %r = icmp ne i64 %a, %b
  ret i1 %r
}

define i1 @v_cmp_ge_i64(i64 %a, i64 %b) {
  %r = icmp sge i64 %a, %b
  ret i1 %r
}

define i1 @v_cmp_f_i64(i64 %a, i64 %b) {
  %r = freeze i1 false
  ret i1 %r
}

define i1 @v_cmp_t_i64(i64 %a, i64 %b) {
  %r = freeze i1 true
  ret i1 %r
}

define i1 @v_cmp_lt_u64(i64 %a, i64 %b) {
  %r = icmp ult i64 %a, %b
  ret i1 %r
}

define i1 @v_cmp_eq_u64(i64 %a, i64 %b) {
  %r = icmp eq i64 %a, %b
  ret i1 %r
}

define i1 @v_cmp_le_u64(i64 %a, i64 %b) {
  %r = icmp ule i64 %a, %b
  ret i1 %r
}

define i1 @v_cmp_gt_u64(i64 %a, i64 %b) {
  %r = icmp ugt i64 %a, %b
  ret i1 %r
}

define i1 @v_cmp_ne_u64(i64 %a, i64 %b) {
  %r = icmp ne i64 %a, %b
  ret i1 %r
}

define i1 @v_cmp_ge_u64(i64 %a, i64 %b) {
  %r = icmp uge i64 %a, %b
  ret i1 %r
}

define i1 @v_cmp_f_u64(i64 %a, i64 %b) {
  %r = freeze i1 false
  ret i1 %r
}

define i1 @v_cmp_t_u64(i64 %a, i64 %b) {
  %r = freeze i1 true
  ret i1 %r
}

define i1 @v_cmp_f_f32(i32 %a, i32 %b) {
  %x = bitcast i32 %a to float
  %y = bitcast i32 %b to float
  %r = fcmp false float %x, %y
  ret i1 %r
}

define i1 @v_cmp_lt_f32(i32 %a, i32 %b) {
  %x = bitcast i32 %a to float
  %y = bitcast i32 %b to float
  %r = fcmp olt float %x, %y
  ret i1 %r
}

define i1 @v_cmp_eq_f32(i32 %a, i32 %b) {
  %x = bitcast i32 %a to float
  %y = bitcast i32 %b to float
  %r = fcmp oeq float %x, %y
  ret i1 %r
}

define i1 @v_cmp_le_f32(i32 %a, i32 %b) {
  %x = bitcast i32 %a to float
  %y = bitcast i32 %b to float
  %r = fcmp ole float %x, %y
  ret i1 %r
}

define i1 @v_cmp_gt_f32(i32 %a, i32 %b) {
  %x = bitcast i32 %a to float
  %y = bitcast i32 %b to float
  %r = fcmp ogt float %x, %y
  ret i1 %r
}

define i1 @v_cmp_lg_f32(i32 %a, i32 %b) {
  %x = bitcast i32 %a to float
  %y = bitcast i32 %b to float
  %r = fcmp one float %x, %y
  ret i1 %r
}

define i1 @v_cmp_ge_f32(i32 %a, i32 %b) {
  %x = bitcast i32 %a to float
  %y = bitcast i32 %b to float
  %r = fcmp oge float %x, %y
  ret i1 %r
}

define i1 @v_cmp_o_f32(i32 %a, i32 %b) {
  %x = bitcast i32 %a to float
  %y = bitcast i32 %b to float
  %r = fcmp ord float %x, %y
  ret i1 %r
}

define i1 @v_cmp_u_f32(i32 %a, i32 %b) {
  %x = bitcast i32 %a to float
  %y = bitcast i32 %b to float
  %r = fcmp uno float %x, %y
  ret i1 %r
}

define i1 @v_cmp_nge_f32(i32 %a, i32 %b) {
  %x = bitcast i32 %a to float
  %y = bitcast i32 %b to float
  %r = fcmp ult float %x, %y
  ret i1 %r
}

define i1 @v_cmp_nlg_f32(i32 %a, i32 %b) {
  %x = bitcast i32 %a to float
  %y = bitcast i32 %b to float
  %r = fcmp ueq float %x, %y
  ret i1 %r
}

define i1 @v_cmp_ngt_f32(i32 %a, i32 %b) {
  %x = bitcast i32 %a to float
  %y = bitcast i32 %b to float
  %r = fcmp ule float %x, %y
  ret i1 %r
}

define i1 @v_cmp_nle_f32(i32 %a, i32 %b) {
  %x = bitcast i32 %a to float
  %y = bitcast i32 %b to float
  %r = fcmp ugt float %x, %y
  ret i1 %r
}

define i1 @v_cmp_neq_f32(i32 %a, i32 %b) {
  %x = bitcast i32 %a to float
  %y = bitcast i32 %b to float
  %r = fcmp une float %x, %y
  ret i1 %r
}

define i1 @v_cmp_nlt_f32(i32 %a, i32 %b) {
  %x = bitcast i32 %a to float
  %y = bitcast i32 %b to float
  %r = fcmp uge float %x, %y
  ret i1 %r
}

define i1 @v_cmp_tru_f32(i32 %a, i32 %b) {
  %x = bitcast i32 %a to float
  %y = bitcast i32 %b to float
  %r = fcmp true float %x, %y
  ret i1 %r
}

define i1 @s_bitcmp0_b32(i32 %a, i32 %b) {
  %m = and i32 %b, 31
  %w = freeze i32 %m
  %s = lshr i32 %a, %w
  %bit = trunc i32 %s to i1
  %r = xor i1 %bit, true
  ret i1 %r
}

define i1 @s_bitcmp0_b64(i64 %a, i32 %b) {
  %m = and i32 %b, 63
  %w = zext i32 %m to i64
  %s = lshr i64 %a, %w
  %bit = trunc i64 %s to i1
  %r = xor i1 %bit, true
  ret i1 %r
}

define i1 @s_bitcmp1_b32(i32 %a, i32 %b) {
  %m = and i32 %b, 31
  %w = freeze i32 %m
  %s = lshr i32 %a, %w
  %bit = trunc i32 %s to i1
  %r = xor i1 %bit, false
  ret i1 %r
}

define i1 @s_bitcmp1_b64(i64 %a, i32 %b) {
  %m = and i32 %b, 63
  %w = zext i32 %m to i64
  %s = lshr i64 %a, %w
  %bit = trunc i64 %s to i1
  %r = xor i1 %bit, false
  ret i1 %r
}

declare <2 x i16> @llvm.umax.v2i16(<2 x i16>, <2 x i16>)
declare <2 x i16> @llvm.umin.v2i16(<2 x i16>, <2 x i16>)
declare <4 x i8> @llvm.umax.v4i8(<4 x i8>, <4 x i8>)
declare <4 x i8> @llvm.umin.v4i8(<4 x i8>, <4 x i8>)
declare float @llvm.ceil.f32(float)
declare float @llvm.floor.f32(float)
declare float @llvm.fma.f32(float, float, float)
declare float @llvm.maxnum.f32(float, float)
declare float @llvm.minnum.f32(float, float)
declare float @llvm.roundeven.f32(float)
declare float @llvm.trunc.f32(float)
declare i32 @llvm.abs.i32(i32, i1)
declare i32 @llvm.bitreverse.i32(i32)
declare i32 @llvm.ctlz.i32(i32, i1)
declare i32 @llvm.ctpop.i32(i32)
declare i32 @llvm.cttz.i32(i32, i1)
declare i32 @llvm.fptosi.sat.i32.f32(float)
declare i32 @llvm.fptoui.sat.i32.f32(float)
declare i32 @llvm.fshr.i32(i32, i32, i32)
declare i32 @llvm.smax.i32(i32, i32)
declare i32 @llvm.smin.i32(i32, i32)
declare i32 @llvm.umax.i32(i32, i32)
declare i32 @llvm.umin.i32(i32, i32)
declare i32 @llvm.vector.reduce.add.v2i32(<2 x i32>)
declare i32 @llvm.vector.reduce.add.v4i32(<4 x i32>)
declare i64 @llvm.bitreverse.i64(i64)
declare i64 @llvm.ctlz.i64(i64, i1)
declare i64 @llvm.ctpop.i64(i64)
declare i64 @llvm.cttz.i64(i64, i1)
declare { i32, i1 } @llvm.sadd.with.overflow.i32(i32, i32)
declare { i32, i1 } @llvm.ssub.with.overflow.i32(i32, i32)
declare { i32, i1 } @llvm.uadd.with.overflow.i32(i32, i32)
declare { i32, i1 } @llvm.usub.with.overflow.i32(i32, i32)
declare { i64, i1 } @llvm.uadd.with.overflow.i64(i64, i64)
