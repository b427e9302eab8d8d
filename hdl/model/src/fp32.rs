//! The host's numbers: the same bits as the hardware's, at native speed.
//!
//! Native `f32` is binary32 with subnormals. What differs, and is made right here:
//!
//! - subnormal operands and results are zeros of the same sign;
//! - whether a result is that small is asked of the exact value rounded to 24 bits with an unbounded exponent. Native
//!   `f32` rounds at the subnormal grid, where the last step below 2^-126 is twice as coarse: a product or quotient in
//!   [2^-126 - 2^-150, 2^-126 - 2^-151) comes back as 2^-126 and must be zero. Sums below 2^-126 are exact, and a root of
//!   a normal number is never small, so only `mul` and `div` have this corner (`div` in one case: (2 - 2^-23) 2^e by 2^f);
//! - every NaN is 0x7fc00000.
//!
//! Source: `docs/numerics.md` (assumed: the core's source document says FP32 and no more).

use crate::arithmetic::Arithmetic;

const SIGN: u32 = 0x8000_0000;
const MAGNITUDE: u32 = 0x7fff_ffff;
const EXPONENT: u32 = 0x7f80_0000;
const LEAST_NORMAL: u32 = 0x0080_0000;

/// 2^-126 - 2^-151: from here up, a magnitude rounded to 24 bits with an unbounded exponent is not below 2^-126.
const FLUSH_BOUND: f64 = (1.0 - 1.0 / (1u64 << 25) as f64) * (f32::MIN_POSITIVE as f64);

/// A binary32 number as its 32 bits, sign in bit 31.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[repr(transparent)]
pub struct Fp32(pub u32);

impl Fp32 {
    /// +0.
    pub const ZERO: Self = Self(0);
    /// 1.
    pub const ONE: Self = Self(0x3f80_0000);
    /// The one NaN.
    pub const NAN: Self = Self(0x7fc0_0000);

    /// The number with these bits, as they are: operators take subnormals and any NaN.
    pub const fn from_bits(bits: u32) -> Self {
        Self(bits)
    }

    /// Its bits.
    pub const fn to_bits(self) -> u32 {
        self.0
    }

    /// The number that is `value`: subnormals become zero, any NaN the one NaN.
    #[inline(always)]
    pub fn from_f32(value: f32) -> Self {
        finish(value)
    }

    /// The same number as an `f32`.
    pub const fn to_f32(self) -> f32 {
        f32::from_bits(self.0)
    }

    /// The same number with a subnormal as zero and a NaN as the one NaN, which is how every operator sees it.
    pub fn canonical(self) -> Self {
        finish(self.to_f32())
    }

    /// It is the one NaN or another.
    pub const fn is_nan(self) -> bool {
        self.0 & MAGNITUDE > EXPONENT
    }
}

/// An operand: subnormals as zeros.
#[inline(always)]
fn operand(a: &Fp32) -> f32 {
    f32::from_bits(if a.0 & EXPONENT == 0 { a.0 & SIGN } else { a.0 })
}

/// A result: subnormals as zeros, one NaN.
#[inline(always)]
fn finish(value: f32) -> Fp32 {
    let bits = value.to_bits();
    let magnitude = bits & MAGNITUDE;
    let flushed = if magnitude < LEAST_NORMAL { bits & SIGN } else { bits };
    Fp32(if magnitude > EXPONENT { Fp32::NAN.0 } else { flushed })
}

/// The host's arithmetic: [`Fp32`], bit by bit what the hardware computes.
#[derive(Clone, Copy, Debug, Default)]
pub struct Host;

impl Arithmetic for Host {
    type F = Fp32;
    type I = u32;
    type B = bool;

    #[inline(always)]
    fn number(&mut self, value: f32) -> Fp32 {
        finish(value)
    }
    #[inline(always)]
    fn word(&mut self, value: u32) -> u32 {
        value
    }

    #[inline(always)]
    fn add(&mut self, a: &Fp32, b: &Fp32) -> Fp32 {
        finish(operand(a) + operand(b))
    }
    #[inline(always)]
    fn sub(&mut self, a: &Fp32, b: &Fp32) -> Fp32 {
        finish(operand(a) - operand(b))
    }
    #[inline(always)]
    fn mul(&mut self, a: &Fp32, b: &Fp32) -> Fp32 {
        let (a, b) = (operand(a), operand(b));
        let product = a * b;
        if product.to_bits() & MAGNITUDE == LEAST_NORMAL {
            return least_product(a, b);
        }
        finish(product)
    }
    #[inline(always)]
    fn div(&mut self, a: &Fp32, b: &Fp32) -> Fp32 {
        let (a, b) = (operand(a), operand(b));
        let quotient = a / b;
        if quotient.to_bits() & MAGNITUDE == LEAST_NORMAL {
            return least_quotient(a, b);
        }
        finish(quotient)
    }
    #[inline(always)]
    fn sqrt(&mut self, a: &Fp32) -> Fp32 {
        finish(operand(a).sqrt())
    }
    #[inline(always)]
    fn neg(&mut self, a: &Fp32) -> Fp32 {
        if a.is_nan() {
            Fp32::NAN
        } else {
            Fp32(a.0 ^ SIGN)
        }
    }
    #[inline(always)]
    fn abs(&mut self, a: &Fp32) -> Fp32 {
        if a.is_nan() {
            Fp32::NAN
        } else {
            Fp32(a.0 & MAGNITUDE)
        }
    }

    #[inline(always)]
    fn lt(&mut self, a: &Fp32, b: &Fp32) -> bool {
        operand(a) < operand(b)
    }
    #[inline(always)]
    fn le(&mut self, a: &Fp32, b: &Fp32) -> bool {
        operand(a) <= operand(b)
    }
    #[inline(always)]
    fn eq(&mut self, a: &Fp32, b: &Fp32) -> bool {
        operand(a) == operand(b)
    }

    #[inline(always)]
    fn select(&mut self, condition: &bool, yes: &Fp32, no: &Fp32) -> Fp32 {
        if *condition {
            *yes
        } else {
            *no
        }
    }
    #[inline(always)]
    fn select_word(&mut self, condition: &bool, yes: &u32, no: &u32) -> u32 {
        if *condition {
            *yes
        } else {
            *no
        }
    }
    #[inline(always)]
    fn and(&mut self, a: &bool, b: &bool) -> bool {
        *a & *b
    }
    #[inline(always)]
    fn or(&mut self, a: &bool, b: &bool) -> bool {
        *a | *b
    }
    #[inline(always)]
    fn not(&mut self, a: &bool) -> bool {
        !*a
    }

    #[inline(always)]
    fn int_to_float(&mut self, a: &u32) -> Fp32 {
        Fp32((*a as i32 as f32).to_bits())
    }
    #[inline(always)]
    fn float_to_int(&mut self, a: &Fp32) -> u32 {
        f32::from_bits(a.0) as i32 as u32
    }

    #[inline(always)]
    fn bit(&mut self, a: &u32, n: u32) -> bool {
        word_bit(*a, n)
    }
    #[inline(always)]
    fn field(&mut self, a: &u32, msb: u32, lsb: u32) -> u32 {
        word_field(*a, msb, lsb)
    }
    #[inline(always)]
    fn pack(&mut self, fields: &[(&u32, u32)]) -> u32 {
        word_pack(fields)
    }
}

/// A product whose magnitude rounds to 2^-126 natively; 48 bits, so exact in `f64`.
#[cold]
fn least_product(a: f32, b: f32) -> Fp32 {
    let exact = f64::from(a) * f64::from(b);
    least(exact.abs() >= FLUSH_BOUND, exact < 0.0)
}

/// A quotient whose magnitude rounds to 2^-126 natively; the bound times the divisor has 49 bits, so is exact in `f64`.
#[cold]
fn least_quotient(a: f32, b: f32) -> Fp32 {
    let stays = f64::from(a).abs() >= f64::from(b).abs() * FLUSH_BOUND;
    least(stays, (a < 0.0) != (b < 0.0))
}

fn least(stays: bool, negative: bool) -> Fp32 {
    let magnitude = if stays { LEAST_NORMAL } else { 0 };
    Fp32(magnitude | if negative { SIGN } else { 0 })
}

/// Bit `n` of a word.
#[inline(always)]
pub(crate) fn word_bit(a: u32, n: u32) -> bool {
    (a >> n) & 1 == 1
}

/// Bits `msb..=lsb` of a word.
#[inline(always)]
pub(crate) fn word_field(a: u32, msb: u32, lsb: u32) -> u32 {
    (a >> lsb) & (u32::MAX >> (31 - (msb - lsb)))
}

/// Fields side by side, the lowest first. Together they have at most 32 bits.
#[inline(always)]
pub(crate) fn word_pack(fields: &[(&u32, u32)]) -> u32 {
    let (mut word, mut at) = (0, 0);
    for (value, bits) in fields {
        if *bits > 0 {
            word |= word_field(**value, bits - 1, 0) << at;
        }
        at += bits;
    }
    word
}

#[cfg(test)]
mod tests;
