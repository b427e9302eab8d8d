//! Numbers of 32 bits. Rounding is to the nearest, ties to even. Where a result depends on whether denormals are flushed or on
//! how a NaN is treated, it is not known; `v_rcp_f32` and the other approximations are not computed at all.

use super::{float, word, Operation, A, AB, ABC};

/// A source that is neither denormal nor NaN.
fn number(bits: u32) -> Option<f32> {
    result(f32::from_bits(bits)).map(f32::from_bits)
}

/// A result that is neither denormal nor NaN.
fn result(value: f32) -> Option<u32> {
    (value.is_normal() || value == 0.0 || value.is_infinite()).then_some(value.to_bits())
}

/// A product or sum that is not so small that flushing before rounding would differ from flushing after it.
fn rounded(value: f32) -> Option<u32> {
    (value == 0.0 || value.abs() > f32::MIN_POSITIVE).then_some(value).and_then(result)
}

/// 0 from operands of which the exact result is not 0 has underflown: it may have been a denormal.
fn product(a: f32, b: f32) -> Option<f32> {
    let value = a * b;
    (value != 0.0 || a == 0.0 || b == 0.0).then_some(value)
}

fn fused(a: u32, b: u32, c: u32) -> Option<u32> {
    let (a, b, c) = (number(a)?, number(b)?, number(c)?);
    let value = a.mul_add(b, c);
    // In 64 bits the product is exact and the sum is 0 only if it is exactly 0: else the 0 has underflown.
    if value == 0.0 && f64::from(a) * f64::from(b) + f64::from(c) != 0.0 {
        return None;
    }
    rounded(value)
}

fn minimum(a: u32, b: u32, greater: bool) -> Option<u32> {
    let (x, y) = (number(a)?, number(b)?);
    // +0 and -0 are equal; which is taken is not said.
    if x == y {
        return (a == b).then_some(a);
    }
    Some(if (x < y) != greater { a } else { b })
}

fn byte(value: u32, k: u32) -> u32 {
    ((value >> (8 * k) & 0xff) as f32).to_bits()
}

/// The table.
pub(super) const OPERATIONS: &[Operation] = &[
    float("v_add_f32", AB, |i| rounded(number(i.a())? + number(i.b())?)),
    float("v_sub_f32", AB, |i| rounded(number(i.a())? - number(i.b())?)),
    float("v_subrev_f32", AB, |i| rounded(number(i.b())? - number(i.a())?)),
    float("v_mul_f32", AB, |i| rounded(product(number(i.a())?, number(i.b())?)?)),
    float("v_fma_f32", ABC, |i| fused(i.a(), i.b(), i.c())),
    float("v_fmac_f32", ABC, |i| fused(i.a(), i.b(), i.c())),
    // The constant is the second source of the first, the third of the second.
    float("v_fmamk_f32", ABC, |i| fused(i.a(), i.b(), i.c())),
    float("v_fmaak_f32", ABC, |i| fused(i.a(), i.b(), i.c())),
    float("v_min_f32", AB, |i| minimum(i.a(), i.b(), false)),
    float("v_max_f32", AB, |i| minimum(i.a(), i.b(), true)),
    float("v_trunc_f32", A, |i| result(number(i.a())?.trunc())),
    float("v_ceil_f32", A, |i| result(number(i.a())?.ceil())),
    float("v_floor_f32", A, |i| result(number(i.a())?.floor())),
    float("v_rndne_f32", A, |i| result(number(i.a())?.round_ties_even())),
    word("v_cvt_f32_u32", A, |i| (i.a() as f32).to_bits()),
    word("v_cvt_f32_i32", A, |i| (i.a() as i32 as f32).to_bits()),
    // Outside the range: the nearest end; a NaN: 0.
    word("v_cvt_u32_f32", A, |i| f32::from_bits(i.a()) as u32),
    word("v_cvt_i32_f32", A, |i| f32::from_bits(i.a()) as i32 as u32),
    word("v_cvt_f32_ubyte0", A, |i| byte(i.a(), 0)),
    word("v_cvt_f32_ubyte1", A, |i| byte(i.a(), 1)),
    word("v_cvt_f32_ubyte2", A, |i| byte(i.a(), 2)),
    word("v_cvt_f32_ubyte3", A, |i| byte(i.a(), 3)),
];
