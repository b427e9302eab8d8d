//! Operations whose result bits each come from one bit of every source: moves, logic, shifts, fields, permutations.

use super::{pair, pair_flag, word, word_flag, Input, Operation, Width, A, AB, ABC, D, DD, W32, W64};

const DA: &[Width] = &[W64, W32];
const AD: &[Width] = &[W32, W64];

/// With the flag that says whether a bit is set.
const fn nonzero(value: u32) -> (u32, bool) {
    (value, value != 0)
}

const fn nonzero64(value: u64) -> (u64, bool) {
    (value, value != 0)
}

fn field_mask(width: u32) -> u64 {
    if width >= 64 {
        !0
    } else {
        (1 << width) - 1
    }
}

/// The sign of a field of `width` bits, extended.
fn extend(value: u64, width: u32) -> u64 {
    match width {
        0 => 0,
        1..64 => ((value << (64 - width)) as i64 >> (64 - width)) as u64,
        _ => value,
    }
}

/// Offset and width of a scalar field: bits 5:0 (of 32-bit sources 4:0) and 22:16 of the second source.
fn scalar_field(i: &Input) -> (u32, u32) {
    (i.b(), i.b() >> 16 & 0x7f)
}

/// Each byte of the third source picks a byte of the first two, a sign, 0 or 255.
fn permute(i: &Input) -> u32 {
    let data = u64::from(i.a()) << 32 | u64::from(i.b());
    let byte = |select: u32| match select {
        0..=7 => (data >> (8 * select)) as u32 & 0xff,
        8..=11 => 0xff * (data >> (16 * (select - 8) + 15) & 1) as u32,
        12 => 0,
        _ => 0xff,
    };
    (0..4).fold(0, |word, k| word | byte(i.c() >> (8 * k) & 0xff) << (8 * k))
}

/// Bits of quads: `f` says what becomes of four bits.
fn quads(value: u64, f: fn(u64) -> u64) -> u64 {
    (0..16).fold(0, |mask, quad| mask | f(value >> (4 * quad) & 0xf) << (4 * quad))
}

fn whole_quads(value: u64) -> u64 {
    quads(value, |quad| if quad == 0 { 0 } else { 0xf })
}

fn quad_mask(value: u64) -> u64 {
    (0..16).fold(0, |mask, quad| mask | u64::from(value >> (4 * quad) & 0xf != 0) << quad)
}

fn replicate(value: u32) -> u64 {
    (0..32).fold(0, |mask, bit| mask | ((u64::from(value) >> bit & 1) * 3) << (2 * bit))
}

/// The table. `bitwise` names the sources that must be known whole for any bit of the result to be.
pub(super) const OPERATIONS: &[Operation] = &[
    word("s_mov_b32", A, |i| i.a()).bitwise(0),
    pair("s_mov_b64", D, |i| i.a64()).bitwise(0),
    word("v_mov_b32", A, |i| i.a()).bitwise(0),
    word("s_cmov_b32", AB, |i| if i.carry { i.a() } else { i.b() }).with_carry().bitwise(0),
    pair("s_cmov_b64", DD, |i| if i.carry { i.a64() } else { i.b64() }).with_carry().bitwise(0),
    word("s_cselect_b32", AB, |i| if i.carry { i.a() } else { i.b() }).with_carry().bitwise(0),
    pair("s_cselect_b64", DD, |i| if i.carry { i.a64() } else { i.b64() }).with_carry().bitwise(0),
    word("v_cndmask_b32", AB, |i| if i.carry { i.b() } else { i.a() }).with_carry().bitwise(0),
    word_flag("s_not_b32", A, |i| nonzero(!i.a())).bitwise(0),
    pair_flag("s_not_b64", D, |i| nonzero64(!i.a64())).bitwise(0),
    word("v_not_b32", A, |i| !i.a()).bitwise(0),
    word_flag("s_and_b32", AB, |i| nonzero(i.a() & i.b())).bitwise(0),
    pair_flag("s_and_b64", DD, |i| nonzero64(i.a64() & i.b64())).bitwise(0),
    word("v_and_b32", AB, |i| i.a() & i.b()).bitwise(0),
    word_flag("s_or_b32", AB, |i| nonzero(i.a() | i.b())).bitwise(0),
    pair_flag("s_or_b64", DD, |i| nonzero64(i.a64() | i.b64())).bitwise(0),
    word("v_or_b32", AB, |i| i.a() | i.b()).bitwise(0),
    word_flag("s_xor_b32", AB, |i| nonzero(i.a() ^ i.b())).bitwise(0),
    pair_flag("s_xor_b64", DD, |i| nonzero64(i.a64() ^ i.b64())).bitwise(0),
    word("v_xor_b32", AB, |i| i.a() ^ i.b()).bitwise(0),
    word_flag("s_andn2_b32", AB, |i| nonzero(i.a() & !i.b())).bitwise(0),
    pair_flag("s_andn2_b64", DD, |i| nonzero64(i.a64() & !i.b64())).bitwise(0),
    word_flag("s_orn2_b32", AB, |i| nonzero(i.a() | !i.b())).bitwise(0),
    pair_flag("s_orn2_b64", DD, |i| nonzero64(i.a64() | !i.b64())).bitwise(0),
    word_flag("s_nand_b32", AB, |i| nonzero(!(i.a() & i.b()))).bitwise(0),
    pair_flag("s_nand_b64", DD, |i| nonzero64(!(i.a64() & i.b64()))).bitwise(0),
    word_flag("s_nor_b32", AB, |i| nonzero(!(i.a() | i.b()))).bitwise(0),
    pair_flag("s_nor_b64", DD, |i| nonzero64(!(i.a64() | i.b64()))).bitwise(0),
    word_flag("s_xnor_b32", AB, |i| nonzero(!(i.a() ^ i.b()))).bitwise(0),
    pair_flag("s_xnor_b64", DD, |i| nonzero64(!(i.a64() ^ i.b64()))).bitwise(0),
    word("v_xnor_b32", AB, |i| !(i.a() ^ i.b())).bitwise(0),
    word_flag("s_lshl_b32", AB, |i| nonzero(i.a() << (i.b() & 31))).bitwise(2),
    pair_flag("s_lshl_b64", DA, |i| nonzero64(i.a64() << (i.b() & 63))).bitwise(2),
    word("v_lshlrev_b32", AB, |i| i.b() << (i.a() & 31)).bitwise(1),
    pair("v_lshlrev_b64", AD, |i| i.b64() << (i.a() & 63)).bitwise(1),
    word_flag("s_lshr_b32", AB, |i| nonzero(i.a() >> (i.b() & 31))).bitwise(2),
    pair_flag("s_lshr_b64", DA, |i| nonzero64(i.a64() >> (i.b() & 63))).bitwise(2),
    word("v_lshrrev_b32", AB, |i| i.b() >> (i.a() & 31)).bitwise(1),
    pair("v_lshrrev_b64", AD, |i| i.b64() >> (i.a() & 63)).bitwise(1),
    word_flag("s_ashr_i32", AB, |i| nonzero((i.a() as i32 >> (i.b() & 31)) as u32)).bitwise(2),
    pair_flag("s_ashr_i64", DA, |i| nonzero64((i.a64() as i64 >> (i.b() & 63)) as u64)).bitwise(2),
    word("v_ashrrev_i32", AB, |i| (i.b() as i32 >> (i.a() & 31)) as u32).bitwise(1),
    pair("v_ashrrev_i64", AD, |i| (i.b64() as i64 >> (i.a() & 63)) as u64).bitwise(1),
    word_flag("s_bfe_u32", AB, |i| {
        let (offset, width) = scalar_field(i);
        nonzero((u64::from(i.a() >> (offset & 31)) & field_mask(width)) as u32)
    })
    .bitwise(2),
    word_flag("s_bfe_i32", AB, |i| {
        let (offset, width) = scalar_field(i);
        nonzero(extend(i64::from(i.a() as i32 >> (offset & 31)) as u64, width) as u32)
    })
    .bitwise(2),
    pair_flag("s_bfe_u64", DA, |i| {
        let (offset, width) = scalar_field(i);
        nonzero64(i.a64() >> (offset & 63) & field_mask(width))
    })
    .bitwise(2),
    pair_flag("s_bfe_i64", DA, |i| {
        let (offset, width) = scalar_field(i);
        nonzero64(extend((i.a64() as i64 >> (offset & 63)) as u64, width))
    })
    .bitwise(2),
    word("v_bfe_u32", ABC, |i| (u64::from(i.a() >> (i.b() & 31)) & field_mask(i.c() & 31)) as u32).bitwise(6),
    word("v_bfe_i32", ABC, |i| extend(i64::from(i.a() as i32 >> (i.b() & 31)) as u64, i.c() & 31) as u32).bitwise(6),
    word("s_bfm_b32", AB, |i| (field_mask(i.a() & 31) as u32) << (i.b() & 31)).bitwise(3),
    pair("s_bfm_b64", AB, |i| field_mask(i.a() & 63) << (i.b() & 63)).bitwise(3),
    word("v_bfm_b32", AB, |i| (field_mask(i.a() & 31) as u32) << (i.b() & 31)).bitwise(3),
    word("v_bfi_b32", ABC, |i| i.a() & i.b() | !i.a() & i.c()).bitwise(0),
    word("v_and_or_b32", ABC, |i| i.a() & i.b() | i.c()).bitwise(0),
    word("v_or3_b32", ABC, |i| i.a() | i.b() | i.c()).bitwise(0),
    word("v_xor3_b32", ABC, |i| i.a() ^ i.b() ^ i.c()).bitwise(0),
    word("v_lshl_or_b32", ABC, |i| i.a() << (i.b() & 31) | i.c()).bitwise(2),
    word("v_alignbit_b32", ABC, |i| ((u64::from(i.a()) << 32 | u64::from(i.b())) >> (i.c() & 31)) as u32).bitwise(4),
    word("v_alignbyte_b32", ABC, |i| ((u64::from(i.a()) << 32 | u64::from(i.b())) >> (8 * (i.c() & 3))) as u32)
        .bitwise(4),
    word("v_perm_b32", ABC, permute).bitwise(4),
    word("s_pack_ll_b32_b16", AB, |i| i.a() & 0xffff | i.b() << 16).bitwise(0),
    word("s_pack_lh_b32_b16", AB, |i| i.a() & 0xffff | i.b() & 0xffff_0000).bitwise(0),
    word("s_pack_hh_b32_b16", AB, |i| i.a() >> 16 | i.b() & 0xffff_0000).bitwise(0),
    word("s_sext_i32_i8", A, |i| i32::from(i.a() as i8) as u32).bitwise(0),
    word("s_sext_i32_i16", A, |i| i32::from(i.a() as i16) as u32).bitwise(0),
    word("s_brev_b32", A, |i| i.a().reverse_bits()).bitwise(0),
    pair("s_brev_b64", D, |i| i.a64().reverse_bits()).bitwise(0),
    word("v_bfrev_b32", A, |i| i.a().reverse_bits()).bitwise(0),
    word("s_bitset0_b32", AB, |i| i.b() & !(1 << (i.a() & 31))).bitwise(1),
    pair("s_bitset0_b64", AD, |i| i.b64() & !(1 << (i.a() & 63))).bitwise(1),
    word("s_bitset1_b32", AB, |i| i.b() | 1 << (i.a() & 31)).bitwise(1),
    pair("s_bitset1_b64", AD, |i| i.b64() | 1 << (i.a() & 63)).bitwise(1),
    pair("s_bitreplicate_b64_b32", A, |i| replicate(i.a())).bitwise(0),
    word_flag("s_wqm_b32", A, |i| nonzero(whole_quads(i.a64()) as u32)),
    pair_flag("s_wqm_b64", D, |i| nonzero64(whole_quads(i.a64()))),
    word_flag("s_quadmask_b32", A, |i| nonzero(quad_mask(i.a64()) as u32)),
    pair_flag("s_quadmask_b64", D, |i| nonzero64(quad_mask(i.a64()))),
    // With the execution mask: the second source is the old mask, the value the new one.
    word_flag("s_and_saveexec_b32", AB, |i| nonzero(i.a() & i.b())).bitwise(0),
    pair_flag("s_and_saveexec_b64", DD, |i| nonzero64(i.a64() & i.b64())).bitwise(0),
    word_flag("s_or_saveexec_b32", AB, |i| nonzero(i.a() | i.b())).bitwise(0),
    pair_flag("s_or_saveexec_b64", DD, |i| nonzero64(i.a64() | i.b64())).bitwise(0),
    word_flag("s_xor_saveexec_b32", AB, |i| nonzero(i.a() ^ i.b())).bitwise(0),
    pair_flag("s_xor_saveexec_b64", DD, |i| nonzero64(i.a64() ^ i.b64())).bitwise(0),
    word_flag("s_nand_saveexec_b32", AB, |i| nonzero(!(i.a() & i.b()))).bitwise(0),
    pair_flag("s_nand_saveexec_b64", DD, |i| nonzero64(!(i.a64() & i.b64()))).bitwise(0),
    word_flag("s_nor_saveexec_b32", AB, |i| nonzero(!(i.a() | i.b()))).bitwise(0),
    pair_flag("s_nor_saveexec_b64", DD, |i| nonzero64(!(i.a64() | i.b64()))).bitwise(0),
    word_flag("s_xnor_saveexec_b32", AB, |i| nonzero(!(i.a() ^ i.b()))).bitwise(0),
    pair_flag("s_xnor_saveexec_b64", DD, |i| nonzero64(!(i.a64() ^ i.b64()))).bitwise(0),
    word_flag("s_andn1_saveexec_b32", AB, |i| nonzero(!i.a() & i.b())).bitwise(0),
    pair_flag("s_andn1_saveexec_b64", DD, |i| nonzero64(!i.a64() & i.b64())).bitwise(0),
    word_flag("s_andn2_saveexec_b32", AB, |i| nonzero(i.a() & !i.b())).bitwise(0),
    pair_flag("s_andn2_saveexec_b64", DD, |i| nonzero64(i.a64() & !i.b64())).bitwise(0),
    word_flag("s_orn1_saveexec_b32", AB, |i| nonzero(!i.a() | i.b())).bitwise(0),
    pair_flag("s_orn1_saveexec_b64", DD, |i| nonzero64(!i.a64() | i.b64())).bitwise(0),
    word_flag("s_orn2_saveexec_b32", AB, |i| nonzero(i.a() | !i.b())).bitwise(0),
    pair_flag("s_orn2_saveexec_b64", DD, |i| nonzero64(i.a64() | !i.b64())).bitwise(0),
    word_flag("s_andn1_wrexec_b32", AB, |i| nonzero(!i.a() & i.b())).bitwise(0),
    pair_flag("s_andn1_wrexec_b64", DD, |i| nonzero64(!i.a64() & i.b64())).bitwise(0),
    word_flag("s_andn2_wrexec_b32", AB, |i| nonzero(i.a() & !i.b())).bitwise(0),
    pair_flag("s_andn2_wrexec_b64", DD, |i| nonzero64(i.a64() & !i.b64())).bitwise(0),
];
