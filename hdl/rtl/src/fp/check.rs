//! What the operators are tested with: operand pairs that hurt, and answers from an oracle that is not ours.
//!
//! The oracle is `rustc_apfloat`, LLVM's arithmetic, and for square roots an integer computation without rounding.
//! Round it stand the rules of `docs/numerics.md`: subnormals are zeros, there is one NaN, and a result is flushed
//! when the exact value, rounded to 24 bits with an unbounded exponent, is below 2^-126.
//!
//! Compiled for the tests of this crate, and for others with the feature `check`.

use super::FpOperator;
use rayman_model::random::Random;
use rustc_apfloat::ieee::Single;
use rustc_apfloat::{Float, Round};
use std::cmp::Ordering;

/// The NaN.
pub const NAN: u32 = 0x7fc0_0000;

const SIGN: u32 = 0x8000_0000;
const MAGNITUDE: u32 = 0x7fff_ffff;
const INFINITY: u32 = 0x7f80_0000;

/// A word with the subnormals flushed and a NaN made the one NaN.
pub fn canonical(word: u32) -> u32 {
    match word & MAGNITUDE {
        magnitude if magnitude > INFINITY => NAN,
        magnitude if magnitude < 0x0080_0000 => word & SIGN,
        _ => word,
    }
}

/// The result of an operator by the oracle; of a comparison 0 or 1. `b` counts only where there is one.
pub fn oracle(operator: FpOperator, a: u32, b: u32) -> u32 {
    let single = |word: u32| Single::from_bits(u128::from(canonical(word)));
    let (x, y) = (single(a), single(b));
    let compare = |wanted: &[Ordering]| u32::from(x.partial_cmp(&y).is_some_and(|order| wanted.contains(&order)));
    match operator {
        FpOperator::Add => bits((x + y).value),
        FpOperator::Sub => bits((x - y).value),
        FpOperator::Mul => flush_unbounded((x * y).value, || {
            // Scaled through the lesser operand, which has room upwards.
            let (least, other) = if canonical(a) & MAGNITUDE < canonical(b) & MAGNITUDE { (x, y) } else { (y, x) };
            (least.scalbn(SCALE) * other).value
        }),
        FpOperator::Div => flush_unbounded((x / y).value, || (x.scalbn(SCALE) / y).value),
        FpOperator::Sqrt => square_root(canonical(a)),
        FpOperator::Lt => compare(&[Ordering::Less]),
        FpOperator::Le => compare(&[Ordering::Less, Ordering::Equal]),
        FpOperator::Eq => compare(&[Ordering::Equal]),
        FpOperator::IntToFloat => bits(Single::from_i128(i128::from(a as i32)).value),
        FpOperator::FloatToInt => {
            let mut exact = false;
            // What does not fit is saturated by apfloat too, and a NaN gives 0.
            x.to_i128_r(32, Round::TowardZero, &mut exact).value as i32 as u32
        }
    }
}

fn bits(value: Single) -> u32 {
    canonical(value.to_bits() as u32)
}

/// 2^64: brings every product and quotient that may have to be flushed among the normal numbers.
const SCALE: i32 = 64;

/// Flushes by the size of the result rounded as if the exponent had no bounds, which `scaled` gives times 2^64.
fn flush_unbounded(value: Single, scaled: impl FnOnce() -> Single) -> u32 {
    let word = value.to_bits() as u32;
    let near_underflow = 0x0880_0000; // 2^-110
    if word & MAGNITUDE > near_underflow {
        return canonical(word);
    }
    let least = 0x0080_0000 + ((SCALE as u32) << 23); // 2^(-126 + 64)
    if (scaled().to_bits() as u32) & MAGNITUDE < least {
        word & SIGN
    } else {
        canonical(word)
    }
}

/// The root of a canonical word. Twice the exact root, cut off to an integer, rounds by itself: a root never lies
/// half-way.
fn square_root(word: u32) -> u32 {
    match word {
        0 | SIGN | NAN | INFINITY => word,
        _ if word & SIGN != 0 => NAN,
        _ => {
            let exponent = word >> 23;
            let significand = u64::from(word & 0x7f_ffff | 0x80_0000);
            // An odd biased exponent is an even power of two.
            let radicand = significand << if exponent & 1 == 1 { 23 } else { 24 };
            let root = (4 * radicand).isqrt().div_ceil(2);
            ((((exponent + 127) / 2) << 23) as u64 + root - 0x80_0000) as u32
        }
    }
}

/// Words at the borders of everything.
pub const SPECIALS: &[u32] = &[
    0x0000_0000, // 0
    0x8000_0000,
    0x0000_0001, // least subnormal
    0x8000_0001,
    0x007f_ffff, // greatest subnormal
    0x807f_ffff,
    0x0080_0000, // least normal number
    0x8080_0000,
    0x0080_0001,
    0x00ff_ffff,
    0x0100_0000,
    0x3f80_0000, // 1
    0xbf80_0000,
    0x3f7f_ffff, // just below 1
    0x3f80_0001, // just above 1
    0x4000_0000, // 2
    0x3f00_0000, // 1/2
    0x4b80_0000, // 2^24
    0x4b80_0001,
    0x4b7f_ffff,
    0x4eff_ffff, // just below 2^31
    0x4f00_0000, // 2^31
    0xcf00_0000,
    0xcf00_0001,
    0x7f00_0000,
    0x7f7f_ffff, // greatest number
    0xff7f_ffff,
    0x7f80_0000, // infinity
    0xff80_0000,
    0x7fc0_0000, // NaN
    0xffc0_0000,
    0x7f80_0001, // NaN with a payload
    0x7fff_ffff,
    0xff80_0001,
    0xffff_ffff,
];

/// Operand pairs without end, the same for the same seed.
#[derive(Clone, Debug)]
pub struct Vectors {
    random: Random,
}

impl Vectors {
    /// The pairs of a seed.
    pub fn new(seed: u64) -> Self {
        Self { random: Random::new(seed) }
    }

    fn word(&mut self) -> u32 {
        self.random.next_u32()
    }

    /// 0 to `count - 1`.
    fn below(&mut self, count: u32) -> u32 {
        self.random.below(count)
    }

    /// One of the list, or a subnormal, an infinity or a NaN with any fraction: each of its bits alone, too.
    fn special(&mut self) -> u32 {
        match self.below(3) {
            0 => {
                let edge = self.below(2) * 0xff;
                self.word() & SIGN | edge << 23 | self.fraction()
            }
            _ => SPECIALS[self.below(SPECIALS.len() as u32) as usize],
        }
    }

    /// A fraction: any, or with few ones, few zeros, or ending in a long run (half-way cases).
    fn fraction(&mut self) -> u32 {
        let any = self.word();
        let length = self.below(24);
        let fraction = match self.below(6) {
            0 | 1 => any,
            2 => any << length,
            3 => any << length | ((1 << length) - 1),
            4 => 1 << length,
            _ => !(1 << length),
        };
        fraction & 0x7f_ffff
    }

    /// A number with a biased exponent as near to `exponent` as there is one.
    fn number(&mut self, exponent: i32) -> u32 {
        let sign = self.word() & SIGN;
        sign | (exponent.clamp(0, 254) as u32) << 23 | self.fraction()
    }

    /// Operands whose quotient is as near to half-way between two numbers as there are: `h (2 n + 1) = 2^25 a + 1` or `- 1`, so
    /// that a / h is `2 n + 1` units of half a place, but for 1 / h of one.
    fn nearly_half_way(&mut self) -> (u32, u32) {
        let h = (self.word() & 0xff_ffff) >> self.below(12) | 1;
        // Newton's way to the inverse of an odd number modulo 2^32: each step doubles the bits that are right, from three.
        let inverse = (0..4).fold(h, |x, _| x.wrapping_mul(2u32.wrapping_sub(h.wrapping_mul(x))));
        let m = if self.below(2) == 0 { inverse } else { inverse.wrapping_neg() } & 0x1ff_ffff;
        let a = ((u64::from(h) * u64::from(m) + 1) >> 25) as u32;
        let mut number = |whole: u32| {
            let sign = self.word() & SIGN;
            // Below 2^24, thus exact; its exponent is below 151, and stays a number's.
            sign | ((whole as f32).to_bits() + (self.below(80) << 23))
        };
        (number(a), number(h))
    }

    /// An operand whose root is nearly half-way between two numbers, or the bits of the remainder that say so far down: with a
    /// significand x, `2^s x = n (n + 1) - c`, so that the root of `2^s x` is about `n + 1/2 - c / 2 n`; s is 23 or 24, as the
    /// exponent is odd or even.
    fn root_nearly_half_way(&mut self) -> u32 {
        let even = self.below(2);
        let shift = 23 + even;
        loop {
            let reach = self.below(18);
            let c = (i64::from(self.word() >> (31 - reach)) - (1 << reach)) & !1;
            // n (n + 1) - c is even; each further bit of n makes one more bit of it 0.
            let mut n = i64::from(self.below(2));
            let gap = |n: i64| n * (n + 1) - c;
            for bit in 1..shift {
                n |= (gap(n) >> bit & 1) << bit;
            }
            n |= i64::from(1 - even) << 23;
            let significand = gap(n) >> shift;
            if n >> 23 == 1 && significand >> 23 == 1 {
                let exponent = 1 + 2 * self.below(127) + even;
                return exponent << 23 | (significand as u32 & 0x7f_ffff);
            }
        }
    }

    fn near(&mut self, centre: i32, distance: u32) -> i32 {
        centre + self.below(2 * distance + 1) as i32 - distance as i32
    }
}

impl Iterator for Vectors {
    type Item = (u32, u32);

    fn next(&mut self) -> Option<(u32, u32)> {
        let any = self.below(255) as i32;
        let pair = match self.below(14) {
            0 => (self.word(), self.word()),
            1 => (self.special(), self.special()),
            2 => (self.special(), self.number(any)),
            3 => (self.number(any), self.special()),
            // Close to each other: cancellation.
            4 => {
                let a = self.number(any);
                let b = a.wrapping_add(self.below(17)).wrapping_sub(8) ^ (self.word() & SIGN);
                (a, b)
            }
            5 | 6 => {
                let close = self.near(any, 2);
                (self.number(any), self.number(close))
            }
            // As far as a significand is long: alignment, sticky bits, half-way sums.
            7 => {
                let far = any - 24 + self.below(5) as i32 - 2;
                (self.number(any), self.number(far))
            }
            // Products and quotients about the least and the greatest number.
            8 => {
                let sum = self.near(127, 2);
                (self.number(any), self.number(sum - any))
            }
            9 => {
                let (least, greatest) = (self.near(any + 126, 2), self.near(any - 127, 2));
                let second = if least < 255 { least } else { greatest };
                (self.number(any), self.number(second))
            }
            10 => {
                let first = 127 + any / 2;
                let sum = self.near(381, 2);
                (self.number(first), self.number(sum - first))
            }
            11 => self.nearly_half_way(),
            12 => (self.root_nearly_half_way(), self.number(any)),
            // About the integers: squares for roots, few-bit words, 2^n and neighbours.
            _ => {
                let root = self.below(4096) as f32;
                let near_power = (1u32 << self.below(32)).wrapping_add(self.below(5)).wrapping_sub(2);
                let near_one = self.near(127 + 16, 20);
                match self.below(4) {
                    0 => ((root * root).to_bits(), root.to_bits()),
                    1 => (near_power, near_power.wrapping_neg()),
                    2 => ((self.below(1 << 25) << self.below(8)) | 1, self.number(near_one)),
                    _ => (self.number(near_one), self.number(near_one)),
                }
            }
        };
        // Either may come first.
        Some(if self.below(2) == 0 { pair } else { (pair.1, pair.0) })
    }
}
