//! The host's arithmetic on eight numbers at once, for the tests of a ray against many spheres.
//!
//! Vector instructions, and no branch but the rare corner of `mul`. All numbers must be canonical (no subnormal, no NaN
//! but the one), which every operator and [`Fp32::canonical`] sees to; operands need no flush then.

use std::array::from_fn;

use wide::{f32x8, CmpEq, CmpGe, CmpLe, CmpLt, CmpNe};

use crate::arithmetic::Arithmetic;
use crate::{Fp32, Host};

/// Numbers at once.
pub(super) const LANES: usize = 8;

/// Eight numbers' bits.
pub(super) type Words = [u32; LANES];

/// Bit by bit what [`Host`] computes, eight times. A truth value is a mask: all ones or all zeros.
pub(super) struct Lanes;

/// Eight numbers from their bits.
#[inline(always)]
pub(super) fn numbers(bits: Words) -> f32x8 {
    f32x8::from(bits.map(f32::from_bits))
}

/// Their bits.
#[inline(always)]
pub(super) fn bits(numbers: f32x8) -> Words {
    numbers.to_array().map(f32::to_bits)
}

/// The masks of eight conditions.
#[inline(always)]
pub(super) fn masks(conditions: [bool; LANES]) -> f32x8 {
    numbers(conditions.map(|condition| u32::from(condition).wrapping_neg()))
}

#[inline(always)]
fn all(bits: u32) -> f32x8 {
    f32x8::splat(f32::from_bits(bits))
}

/// Results: subnormals as zeros, one NaN.
#[inline(always)]
fn finish(value: f32x8) -> f32x8 {
    let normal = (value & all(0x7fff_ffff)).cmp_ge(f32x8::splat(f32::MIN_POSITIVE));
    let flushed = value & (normal | all(0x8000_0000));
    value.cmp_ne(value).blend(all(Fp32::NAN.0), flushed)
}

/// One by one, for what the vector unit has no instruction for.
fn each(a: f32x8, b: f32x8, mut f: impl FnMut(&mut Host, &Fp32, &Fp32) -> Fp32) -> f32x8 {
    let (a, b) = (bits(a), bits(b));
    numbers(from_fn(|i| f(&mut Host, &Fp32(a[i]), &Fp32(b[i])).0))
}

#[cold]
fn product(a: f32x8, b: f32x8) -> f32x8 {
    each(a, b, |host, a, b| host.mul(a, b))
}

impl Arithmetic for Lanes {
    type F = f32x8;
    type I = Words;
    type B = f32x8;

    #[inline(always)]
    fn number(&mut self, value: f32) -> f32x8 {
        all(Fp32::from_f32(value).0)
    }
    #[inline(always)]
    fn word(&mut self, value: u32) -> Words {
        [value; LANES]
    }

    #[inline(always)]
    fn add(&mut self, a: &f32x8, b: &f32x8) -> f32x8 {
        finish(*a + *b)
    }
    #[inline(always)]
    fn sub(&mut self, a: &f32x8, b: &f32x8) -> f32x8 {
        finish(*a - *b)
    }
    #[inline(always)]
    fn mul(&mut self, a: &f32x8, b: &f32x8) -> f32x8 {
        let raw = *a * *b;
        if (raw & all(0x7fff_ffff)).cmp_eq(f32x8::splat(f32::MIN_POSITIVE)).any() {
            return product(*a, *b);
        }
        finish(raw)
    }
    fn div(&mut self, a: &f32x8, b: &f32x8) -> f32x8 {
        each(*a, *b, |host, a, b| host.div(a, b))
    }
    #[inline(always)]
    fn sqrt(&mut self, a: &f32x8) -> f32x8 {
        finish(a.sqrt())
    }
    #[inline(always)]
    fn neg(&mut self, a: &f32x8) -> f32x8 {
        *a ^ (a.cmp_eq(*a) & all(0x8000_0000))
    }
    #[inline(always)]
    fn abs(&mut self, a: &f32x8) -> f32x8 {
        *a & all(0x7fff_ffff)
    }

    #[inline(always)]
    fn lt(&mut self, a: &f32x8, b: &f32x8) -> f32x8 {
        a.cmp_lt(*b)
    }
    #[inline(always)]
    fn le(&mut self, a: &f32x8, b: &f32x8) -> f32x8 {
        a.cmp_le(*b)
    }
    #[inline(always)]
    fn eq(&mut self, a: &f32x8, b: &f32x8) -> f32x8 {
        a.cmp_eq(*b)
    }

    #[inline(always)]
    fn select(&mut self, condition: &f32x8, yes: &f32x8, no: &f32x8) -> f32x8 {
        condition.blend(*yes, *no)
    }
    fn select_word(&mut self, condition: &f32x8, yes: &Words, no: &Words) -> Words {
        let condition = bits(*condition);
        from_fn(|i| if condition[i] != 0 { yes[i] } else { no[i] })
    }
    #[inline(always)]
    fn and(&mut self, a: &f32x8, b: &f32x8) -> f32x8 {
        *a & *b
    }
    #[inline(always)]
    fn or(&mut self, a: &f32x8, b: &f32x8) -> f32x8 {
        *a | *b
    }
    #[inline(always)]
    fn not(&mut self, a: &f32x8) -> f32x8 {
        !*a
    }

    fn int_to_float(&mut self, a: &Words) -> f32x8 {
        numbers(a.map(|a| Host.int_to_float(&a).0))
    }
    fn float_to_int(&mut self, a: &f32x8) -> Words {
        bits(*a).map(|a| Host.float_to_int(&Fp32(a)))
    }

    fn bit(&mut self, a: &Words, n: u32) -> f32x8 {
        masks(a.map(|a| Host.bit(&a, n)))
    }
    fn field(&mut self, a: &Words, msb: u32, lsb: u32) -> Words {
        a.map(|a| Host.field(&a, msb, lsb))
    }
    fn pack(&mut self, fields: &[(&Words, u32)]) -> Words {
        from_fn(|i| {
            let fields: Vec<(&u32, u32)> = fields.iter().map(|(words, bits)| (&words[i], *bits)).collect();
            Host.pack(&fields)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    /// Every operator, on numbers of all kinds and in the corner of `mul`, gives the bits that the host gives.
    #[test]
    fn lanes_are_the_host_eight_times() {
        let mut random = Random::for_test("lanes_are_the_host_eight_times", 0x5eed_0020);
        let (lanes, host) = (&mut Lanes, &mut Host);
        for round in 0..20_000 {
            let pairs: [(u32, u32); LANES] = from_fn(|_| random.float_pair());
            let (mut a, mut b): (Words, Words) =
                (pairs.map(|p| Fp32(p.0).canonical().0), pairs.map(|p| Fp32(p.1).canonical().0));
            if round % 8 == 0 {
                // (1 - 2^-24) 2^-126.
                (a[3], b[3]) = (0x3f7f_ffff, 0x8080_0000);
            }
            let (x, y) = (numbers(a), numbers(b));
            let number = |got: f32x8, host: &dyn Fn(&mut Host, &Fp32, &Fp32) -> Fp32| {
                let want: Words = from_fn(|i| host(&mut Host, &Fp32(a[i]), &Fp32(b[i])).0);
                assert_eq!(bits(got), want, "{a:x?} {b:x?}");
            };
            number(lanes.add(&x, &y), &|h, x, y| h.add(x, y));
            number(lanes.sub(&x, &y), &|h, x, y| h.sub(x, y));
            number(lanes.mul(&x, &y), &|h, x, y| h.mul(x, y));
            number(lanes.div(&x, &y), &|h, x, y| h.div(x, y));
            number(lanes.sqrt(&x), &|h, x, _| h.sqrt(x));
            number(lanes.neg(&x), &|h, x, _| h.neg(x));
            number(lanes.abs(&x), &|h, x, _| h.abs(x));
            number(lanes.min(&x, &y), &|h, x, y| h.min(x, y));
            number(lanes.max(&x, &y), &|h, x, y| h.max(x, y));
            let flag = |got: f32x8, host: &dyn Fn(&mut Host, &Fp32, &Fp32) -> bool| {
                let want = masks(from_fn(|i| host(&mut Host, &Fp32(a[i]), &Fp32(b[i]))));
                assert_eq!(bits(got), bits(want), "{a:x?} {b:x?}");
            };
            flag(lanes.lt(&x, &y), &|h, x, y| h.lt(x, y));
            flag(lanes.le(&x, &y), &|h, x, y| h.le(x, y));
            flag(lanes.eq(&x, &y), &|h, x, y| h.eq(x, y));
            assert_eq!(lanes.float_to_int(&x), a.map(|a| host.float_to_int(&Fp32(a))));
            assert_eq!(bits(lanes.int_to_float(&a)), a.map(|a| host.int_to_float(&a).0));
            assert_eq!(bits(lanes.bit(&a, 7)), bits(masks(a.map(|a| a >> 7 & 1 == 1))));
            assert_eq!(lanes.field(&a, 19, 4), a.map(|a| a >> 4 & 0xffff));
            assert_eq!(lanes.pack(&[(&a, 8), (&b, 24)]), from_fn(|i| b[i] << 8 | a[i] & 0xff));
            let below = lanes.lt(&x, &y);
            let either = lanes.not(&below);
            assert_eq!(bits(lanes.or(&below, &either)), [u32::MAX; LANES]);
            assert_eq!(bits(lanes.and(&below, &either)), [0; LANES]);
            let mask = bits(below);
            assert_eq!(lanes.select_word(&below, &a, &b), from_fn(|i| if mask[i] != 0 { a[i] } else { b[i] }));
        }
    }
}
