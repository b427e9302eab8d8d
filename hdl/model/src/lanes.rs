//! The host's arithmetic on eight numbers at once: what the device model computes with.
//!
//! Vector instructions, and no branch but the rare corner of `mul` and `div`. What always holds of a number in here:
//!
//! - it is no subnormal, so operands need no flush; results are flushed;
//! - a NaN may be any NaN. No operator tells one from another, so making each the one NaN where numbers leave ([`bits`])
//!   is as good as making it so after each operation;
//! - a truth value is a mask, all ones or all zeros.

use std::array::from_fn;

use bytemuck::cast;
use wide::{f32x8, i32x8, u32x8, CmpEq, CmpLe, CmpLt};

use crate::arithmetic::Arithmetic;
use crate::{Fp32, Host};

/// Numbers at once.
pub(crate) const LANES: usize = 8;

/// A number a lane.
pub(crate) type Numbers = f32x8;

/// A word a lane.
pub(crate) type Words = u32x8;

/// Bit by bit what [`Host`] computes, once a lane.
pub(crate) struct Lanes;

/// Numbers from bits of any kind.
#[cfg(test)]
fn numbers(bits: [u32; LANES]) -> Numbers {
    flush(cast(bits))
}

/// Their bits: any NaN as the one NaN.
fn bits(numbers: Numbers) -> [u32; LANES] {
    cast::<_, [u32; LANES]>(numbers).map(|bits| Fp32(bits).canonical().0)
}

/// The same number in each lane.
#[inline(always)]
pub(crate) fn every(number: Fp32) -> Numbers {
    Numbers::splat(number.canonical().to_f32())
}

/// The masks of a condition a lane.
#[inline(always)]
pub(crate) fn masks(conditions: [bool; LANES]) -> Numbers {
    cast(conditions.map(|condition| u32::from(condition).wrapping_neg()))
}

/// The same bits in each lane.
#[inline(always)]
fn pattern(bits: u32) -> Numbers {
    Numbers::splat(f32::from_bits(bits))
}

#[inline(always)]
fn magnitude(value: Numbers) -> Numbers {
    value & pattern(0x7fff_ffff)
}

/// Subnormals as zeros.
#[inline(always)]
fn flush(value: Numbers) -> Numbers {
    // Not the other way round: a comparison with a NaN is false, and it must stay a NaN.
    let small = magnitude(value).cmp_lt(Numbers::splat(f32::MIN_POSITIVE));
    value & !(small & pattern(0x7fff_ffff))
}

/// Some lane is 2^-126 in magnitude: the exact result may be less, and zero then.
#[inline(always)]
fn in_the_corner(value: Numbers) -> bool {
    magnitude(value).cmp_eq(Numbers::splat(f32::MIN_POSITIVE)).any()
}

#[cold]
#[inline(never)]
fn products(a: Numbers, b: Numbers) -> Numbers {
    let (a, b) = (bits(a), bits(b));
    cast::<[u32; LANES], _>(from_fn(|lane| Host.mul(&Fp32(a[lane]), &Fp32(b[lane])).0))
}

#[cold]
#[inline(never)]
fn quotients(a: Numbers, b: Numbers) -> Numbers {
    let (a, b) = (bits(a), bits(b));
    cast::<[u32; LANES], _>(from_fn(|lane| Host.div(&Fp32(a[lane]), &Fp32(b[lane])).0))
}

impl Arithmetic for Lanes {
    type F = Numbers;
    type I = Words;
    type B = Numbers;

    #[inline(always)]
    fn number(&mut self, value: f32) -> Numbers {
        every(Fp32::from_f32(value))
    }
    #[inline(always)]
    fn word(&mut self, value: u32) -> Words {
        Words::splat(value)
    }

    #[inline(always)]
    fn add(&mut self, a: &Numbers, b: &Numbers) -> Numbers {
        flush(*a + *b)
    }
    #[inline(always)]
    fn sub(&mut self, a: &Numbers, b: &Numbers) -> Numbers {
        flush(*a - *b)
    }
    #[inline(always)]
    fn mul(&mut self, a: &Numbers, b: &Numbers) -> Numbers {
        let product = *a * *b;
        if in_the_corner(product) {
            return products(*a, *b);
        }
        flush(product)
    }
    #[inline(always)]
    fn div(&mut self, a: &Numbers, b: &Numbers) -> Numbers {
        let quotient = *a / *b;
        if in_the_corner(quotient) {
            return quotients(*a, *b);
        }
        flush(quotient)
    }
    #[inline(always)]
    fn sqrt(&mut self, a: &Numbers) -> Numbers {
        // The root of the least number is far above it.
        a.sqrt()
    }
    #[inline(always)]
    fn neg(&mut self, a: &Numbers) -> Numbers {
        *a ^ pattern(0x8000_0000)
    }
    #[inline(always)]
    fn abs(&mut self, a: &Numbers) -> Numbers {
        magnitude(*a)
    }

    #[inline(always)]
    fn lt(&mut self, a: &Numbers, b: &Numbers) -> Numbers {
        a.cmp_lt(*b)
    }
    #[inline(always)]
    fn le(&mut self, a: &Numbers, b: &Numbers) -> Numbers {
        a.cmp_le(*b)
    }
    #[inline(always)]
    fn eq(&mut self, a: &Numbers, b: &Numbers) -> Numbers {
        a.cmp_eq(*b)
    }

    #[inline(always)]
    fn select(&mut self, condition: &Numbers, yes: &Numbers, no: &Numbers) -> Numbers {
        condition.blend(*yes, *no)
    }
    #[inline(always)]
    fn select_word(&mut self, condition: &Numbers, yes: &Words, no: &Words) -> Words {
        cast::<_, Words>(*condition).blend(*yes, *no)
    }
    #[inline(always)]
    fn and(&mut self, a: &Numbers, b: &Numbers) -> Numbers {
        *a & *b
    }
    #[inline(always)]
    fn or(&mut self, a: &Numbers, b: &Numbers) -> Numbers {
        *a | *b
    }
    #[inline(always)]
    fn not(&mut self, a: &Numbers) -> Numbers {
        !*a
    }

    #[inline(always)]
    fn int_to_float(&mut self, a: &Words) -> Numbers {
        cast::<_, i32x8>(*a).round_float()
    }
    #[inline(always)]
    fn float_to_int(&mut self, a: &Numbers) -> Words {
        cast(a.trunc_int())
    }

    #[inline(always)]
    fn bit(&mut self, a: &Words, n: u32) -> Numbers {
        let bit = Words::splat(1 << n);
        cast((*a & bit).cmp_eq(bit))
    }
    #[inline(always)]
    fn field(&mut self, a: &Words, msb: u32, lsb: u32) -> Words {
        (*a >> lsb) & Words::splat(u32::MAX >> (31 - (msb - lsb)))
    }
    #[inline(always)]
    fn pack(&mut self, fields: &[(&Words, u32)]) -> Words {
        let (mut word, mut at) = (Words::ZERO, 0);
        for (value, bits) in fields {
            if *bits > 0 {
                word |= self.field(value, bits - 1, 0) << at;
            }
            at += bits;
        }
        word
    }
}

#[cfg(test)]
mod tests;
