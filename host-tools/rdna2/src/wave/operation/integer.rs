//! Integer arithmetic, counts, and sums of differences.

use super::{pair_flag, word, word_flag, Evaluate, Input, Operation, Width, A, AB, ABC, D, W32, W64};

const ABD: &[Width] = &[W32, W32, W64];

const fn nonzero(value: u32) -> (u32, bool) {
    (value, value != 0)
}

fn add(a: u32, b: u32, carry: bool) -> (u32, bool) {
    let sum = u64::from(a) + u64::from(b) + u64::from(carry);
    (sum as u32, sum >> 32 != 0)
}

fn subtract(a: u32, b: u32, borrow: bool) -> (u32, bool) {
    let difference = i64::from(a) - i64::from(b) - i64::from(borrow);
    (difference as u32, difference < 0)
}

fn add_signed(a: u32, b: u32) -> (u32, bool) {
    let (sum, overflow) = (a as i32).overflowing_add(b as i32);
    (sum as u32, overflow)
}

fn subtract_signed(a: u32, b: u32) -> (u32, bool) {
    let (difference, overflow) = (a as i32).overflowing_sub(b as i32);
    (difference as u32, overflow)
}

fn shift_add(i: &Input, shift: u32) -> (u32, bool) {
    let sum = (u64::from(i.a()) << shift) + u64::from(i.b());
    (sum as u32, sum >> 32 != 0)
}

/// -1 where there is no such bit.
fn position(count: u32, bits: u32) -> u32 {
    if count == bits {
        !0
    } else {
        count
    }
}

/// How many of the topmost bits are like the sign; -1 where all are.
fn sign_bits(value: u32) -> u32 {
    position((value ^ (value as i32 >> 31) as u32).leading_zeros(), 32)
}

fn sign_bits64(value: u64) -> u32 {
    position((value ^ (value as i64 >> 63) as u64).leading_zeros(), 64)
}

fn unsigned24(value: u32) -> u64 {
    u64::from(value & 0xff_ffff)
}

fn signed24(value: u32) -> i64 {
    i64::from((value << 8) as i32 >> 8)
}

fn low_signed(i: &Input) -> (i32, i32) {
    (i.a() as i32, i.b() as i32)
}

fn median<T: Ord>(a: T, b: T, c: T) -> T {
    let mut three = [a, b, c];
    three.sort();
    let [_, middle, _] = three;
    middle
}

/// The sum of the bytes' distances.
fn distance_of_bytes(i: &Input) -> u32 {
    i.a().to_le_bytes().into_iter().zip(i.b().to_le_bytes()).map(|(a, b)| u32::from(a.abs_diff(b))).sum()
}

fn distance_of_halves(i: &Input) -> u32 {
    (i.a() & 0xffff).abs_diff(i.b() & 0xffff) + (i.a() >> 16).abs_diff(i.b() >> 16)
}

/// The mean of each pair of bytes, rounded up where the third source's bit 0 of that byte is set.
fn mean_of_bytes(i: &Input) -> u32 {
    (0..4).fold(0, |word, k| {
        let byte = |value: u32| value >> (8 * k) & 0xff;
        word | (byte(i.a()) + byte(i.b()) + (byte(i.c()) & 1)) >> 1 << (8 * k)
    })
}

fn multiply_add(i: &Input) -> (u64, bool) {
    (u64::from(i.a()) * u64::from(i.b())).overflowing_add(i.c64())
}

fn multiply_add_signed(i: &Input) -> u64 {
    (i64::from(i.a() as i32) * i64::from(i.b() as i32)).wrapping_add(i.c64() as i64) as u64
}

fn high(product: u64) -> u32 {
    (product >> 32) as u32
}

fn product(a: u32, b: u32) -> u64 {
    u64::from(a) * u64::from(b)
}

fn product_signed(a: u32, b: u32) -> u64 {
    (i64::from(a as i32) * i64::from(b as i32)) as u64
}

/// The flag says that the first source was taken. AMD's documents differ on it where a maximum's sources are equal.
fn maximum<T: Ord>(a: T, b: T) -> (T, Option<bool>) {
    let first = if a == b { None } else { Some(a > b) };
    (a.max(b), first)
}

/// Operations of the scalar ALU.
pub(super) const SCALAR: &[Operation] = &[
    word_flag("s_add_u32", AB, |i| add(i.a(), i.b(), false)),
    word_flag("s_sub_u32", AB, |i| subtract(i.a(), i.b(), false)),
    word_flag("s_add_i32", AB, |i| add_signed(i.a(), i.b())),
    word_flag("s_sub_i32", AB, |i| subtract_signed(i.a(), i.b())),
    word_flag("s_addc_u32", AB, |i| add(i.a(), i.b(), i.carry)).with_carry(),
    word_flag("s_subb_u32", AB, |i| subtract(i.a(), i.b(), i.carry)).with_carry(),
    word_flag("s_min_i32", AB, |i| (low_signed(i).0.min(low_signed(i).1) as u32, low_signed(i).0 < low_signed(i).1)),
    word_flag("s_min_u32", AB, |i| (i.a().min(i.b()), i.a() < i.b())),
    Operation::new(
        "s_max_i32",
        AB,
        Evaluate::WordSome(|i| {
            let (value, first) = maximum(low_signed(i).0, low_signed(i).1);
            (value as u32, first)
        }),
    ),
    Operation::new("s_max_u32", AB, Evaluate::WordSome(|i| maximum(i.a(), i.b()))),
    word("s_mul_i32", AB, |i| i.a().wrapping_mul(i.b())),
    word("s_mul_hi_u32", AB, |i| high(product(i.a(), i.b()))),
    word("s_mul_hi_i32", AB, |i| high(product_signed(i.a(), i.b()))),
    word_flag("s_absdiff_i32", AB, |i| nonzero((i.a().wrapping_sub(i.b()) as i32).wrapping_abs() as u32)),
    word_flag("s_abs_i32", A, |i| nonzero((i.a() as i32).wrapping_abs() as u32)),
    word_flag("s_lshl1_add_u32", AB, |i| shift_add(i, 1)),
    word_flag("s_lshl2_add_u32", AB, |i| shift_add(i, 2)),
    word_flag("s_lshl3_add_u32", AB, |i| shift_add(i, 3)),
    word_flag("s_lshl4_add_u32", AB, |i| shift_add(i, 4)),
    word_flag("s_bcnt0_i32_b32", A, |i| nonzero(i.a().count_zeros())),
    word_flag("s_bcnt0_i32_b64", D, |i| nonzero(i.a64().count_zeros())),
    word_flag("s_bcnt1_i32_b32", A, |i| nonzero(i.a().count_ones())),
    word_flag("s_bcnt1_i32_b64", D, |i| nonzero(i.a64().count_ones())),
    word("s_ff0_i32_b32", A, |i| position(i.a().trailing_ones(), 32)),
    word("s_ff0_i32_b64", D, |i| position(i.a64().trailing_ones(), 64)),
    word("s_ff1_i32_b32", A, |i| position(i.a().trailing_zeros(), 32)),
    word("s_ff1_i32_b64", D, |i| position(i.a64().trailing_zeros(), 64)),
    word("s_flbit_i32_b32", A, |i| position(i.a().leading_zeros(), 32)),
    word("s_flbit_i32_b64", D, |i| position(i.a64().leading_zeros(), 64)),
    word("s_flbit_i32", A, |i| sign_bits(i.a())),
    word("s_flbit_i32_i64", D, |i| sign_bits64(i.a64())),
];

/// Operations of the vector ALU, in one lane.
pub(super) const VECTOR: &[Operation] = &[
    word("v_add_nc_u32", AB, |i| i.a().wrapping_add(i.b())),
    word("v_sub_nc_u32", AB, |i| i.a().wrapping_sub(i.b())),
    word("v_subrev_nc_u32", AB, |i| i.b().wrapping_sub(i.a())),
    word("v_add_nc_i32", AB, |i| i.a().wrapping_add(i.b())),
    word("v_sub_nc_i32", AB, |i| i.a().wrapping_sub(i.b())),
    word_flag("v_add_co_u32", AB, |i| add(i.a(), i.b(), false)),
    word_flag("v_sub_co_u32", AB, |i| subtract(i.a(), i.b(), false)),
    word_flag("v_subrev_co_u32", AB, |i| subtract(i.b(), i.a(), false)),
    word_flag("v_add_co_ci_u32", AB, |i| add(i.a(), i.b(), i.carry)).with_carry(),
    word_flag("v_sub_co_ci_u32", AB, |i| subtract(i.a(), i.b(), i.carry)).with_carry(),
    word_flag("v_subrev_co_ci_u32", AB, |i| subtract(i.b(), i.a(), i.carry)).with_carry(),
    word("v_add3_u32", ABC, |i| i.a().wrapping_add(i.b()).wrapping_add(i.c())),
    word("v_xad_u32", ABC, |i| (i.a() ^ i.b()).wrapping_add(i.c())),
    word("v_lshl_add_u32", ABC, |i| (i.a() << (i.b() & 31)).wrapping_add(i.c())),
    word("v_add_lshl_u32", ABC, |i| i.a().wrapping_add(i.b()) << (i.c() & 31)),
    word("v_mul_lo_u32", AB, |i| i.a().wrapping_mul(i.b())),
    word("v_mul_hi_u32", AB, |i| high(product(i.a(), i.b()))),
    word("v_mul_hi_i32", AB, |i| high(product_signed(i.a(), i.b()))),
    word("v_mul_u32_u24", AB, |i| (unsigned24(i.a()) * unsigned24(i.b())) as u32),
    word("v_mul_hi_u32_u24", AB, |i| high(unsigned24(i.a()) * unsigned24(i.b()))),
    word("v_mul_i32_i24", AB, |i| (signed24(i.a()) * signed24(i.b())) as u32),
    word("v_mul_hi_i32_i24", AB, |i| high((signed24(i.a()) * signed24(i.b())) as u64)),
    word("v_mad_u32_u24", ABC, |i| ((unsigned24(i.a()) * unsigned24(i.b())) as u32).wrapping_add(i.c())),
    word("v_mad_i32_i24", ABC, |i| ((signed24(i.a()) * signed24(i.b())) as u32).wrapping_add(i.c())),
    pair_flag("v_mad_u64_u32", ABD, multiply_add),
    Operation::new("v_mad_i64_i32", ABD, Evaluate::PairSome(multiply_add_signed)),
    word("v_min_i32", AB, |i| low_signed(i).0.min(low_signed(i).1) as u32),
    word("v_max_i32", AB, |i| low_signed(i).0.max(low_signed(i).1) as u32),
    word("v_min_u32", AB, |i| i.a().min(i.b())),
    word("v_max_u32", AB, |i| i.a().max(i.b())),
    word("v_min3_i32", ABC, |i| low_signed(i).0.min(low_signed(i).1).min(i.c() as i32) as u32),
    word("v_max3_i32", ABC, |i| low_signed(i).0.max(low_signed(i).1).max(i.c() as i32) as u32),
    word("v_med3_i32", ABC, |i| median(low_signed(i).0, low_signed(i).1, i.c() as i32) as u32),
    word("v_min3_u32", ABC, |i| i.a().min(i.b()).min(i.c())),
    word("v_max3_u32", ABC, |i| i.a().max(i.b()).max(i.c())),
    word("v_med3_u32", ABC, |i| median(i.a(), i.b(), i.c())),
    word("v_sad_u8", ABC, |i| distance_of_bytes(i).wrapping_add(i.c())),
    word("v_sad_hi_u8", ABC, |i| (distance_of_bytes(i) << 16).wrapping_add(i.c())),
    word("v_sad_u16", ABC, |i| distance_of_halves(i).wrapping_add(i.c())),
    word("v_sad_u32", ABC, |i| i.a().abs_diff(i.b()).wrapping_add(i.c())),
    word("v_lerp_u8", ABC, mean_of_bytes),
    word("v_bcnt_u32_b32", AB, |i| i.a().count_ones().wrapping_add(i.b())),
    // The third source is the mask of the lanes below this one.
    word("v_mbcnt_lo_u32_b32", ABC, |i| (i.a() & i.c()).count_ones().wrapping_add(i.b())),
    word("v_mbcnt_hi_u32_b32", ABC, |i| (i.a() & i.c()).count_ones().wrapping_add(i.b())),
    word("v_ffbh_u32", A, |i| position(i.a().leading_zeros(), 32)),
    word("v_ffbh_i32", A, |i| sign_bits(i.a())),
    word("v_ffbl_b32", A, |i| position(i.a().trailing_zeros(), 32)),
];
