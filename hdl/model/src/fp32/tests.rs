//! The host's operators against `rustc_apfloat` (LLVM's APFloat: not our code, not the machine's) and by hand.

use super::*;
use crate::random::Random;
use rustc_apfloat::ieee::Single;
use rustc_apfloat::{Float, Round};

const RUNS: u32 = 400_000;

#[derive(Clone, Copy, Debug, PartialEq)]
enum Op {
    Add,
    Sub,
    Mul,
    Div,
}

fn single(bits: u32) -> Single {
    Single::from_bits(u128::from(if bits & EXPONENT == 0 { bits & SIGN } else { bits }))
}

fn apply(op: Op, a: Single, b: Single) -> Single {
    match op {
        Op::Add => a.add_r(b, Round::NearestTiesToEven).value,
        Op::Sub => a.sub_r(b, Round::NearestTiesToEven).value,
        Op::Mul => a.mul_r(b, Round::NearestTiesToEven).value,
        Op::Div => a.div_r(b, Round::NearestTiesToEven).value,
    }
}

/// What the operator must answer. Small results are computed again 2^64 times as large, where rounding to 24 bits does
/// not meet the end of the exponent range.
fn expected(op: Op, a: u32, b: u32) -> u32 {
    let (a, b) = (single(a), single(b));
    let result = apply(op, a, b);
    if result.is_nan() {
        return Fp32::NAN.0;
    }
    let bits = result.to_bits() as u32;
    if bits & MAGNITUDE > 0x0100_0000 {
        return bits;
    }
    let raised = match op {
        Op::Add | Op::Sub => apply(op, a.scalbn(64), b.scalbn(64)),
        Op::Mul if (a.to_bits() as u32 & MAGNITUDE) < (b.to_bits() as u32 & MAGNITUDE) => apply(op, a.scalbn(64), b),
        Op::Mul => apply(op, a, b.scalbn(64)),
        Op::Div => apply(op, a.scalbn(64), b),
    };
    let bound = (127 - 126 + 64) << 23;
    if (raised.to_bits() as u32 & MAGNITUDE) < bound {
        bits & SIGN
    } else {
        bits
    }
}

fn computed(op: Op, a: u32, b: u32) -> u32 {
    let (a, b, host) = (Fp32(a), Fp32(b), &mut Host);
    match op {
        Op::Add => host.add(&a, &b).0,
        Op::Sub => host.sub(&a, &b).0,
        Op::Mul => host.mul(&a, &b).0,
        Op::Div => host.div(&a, &b).0,
    }
}

fn check(op: Op, a: u32, b: u32) {
    let (got, want) = (computed(op, a, b), expected(op, a, b));
    assert_eq!(got, want, "{op:?} {a:#010x} {b:#010x}: got {got:#010x}, want {want:#010x}");
}

#[test]
fn four_operations_agree_with_apfloat() {
    let mut random = Random::for_test("four_operations_agree_with_apfloat", 0x5eed_0001);
    for _ in 0..RUNS {
        let (a, b) = random.float_pair();
        for op in [Op::Add, Op::Sub, Op::Mul, Op::Div] {
            check(op, a, b);
        }
    }
}

#[test]
fn special_values_agree_with_apfloat() {
    let magnitudes = [
        0,
        1,
        0x007f_ffff,
        0x0080_0000,
        0x0080_0001,
        0x00ff_ffff,
        0x1a00_0000,
        0x3f7f_ffff,
        0x3f80_0000,
        0x3f80_0001,
        0x4b7f_ffff,
        0x7f7f_ffff,
        0x7f80_0000,
        0x7f80_0001,
        0x7fc0_0000,
        0x7fff_ffff,
    ];
    for a in magnitudes.iter().flat_map(|m| [*m, m | SIGN]) {
        for b in magnitudes.iter().flat_map(|m| [*m, m | SIGN]) {
            for op in [Op::Add, Op::Sub, Op::Mul, Op::Div] {
                check(op, a, b);
            }
        }
    }
}

/// Products and quotients a fraction of the last place around 2^-126, both signs: the corner where native `f32` and the
/// flush rule part. Each kind of outcome must have been met.
#[test]
fn flush_corner_of_mul_and_div() {
    let mut random = Random::for_test("flush_corner_of_mul_and_div", 0x5eed_0002);
    let (mut native_differs, mut rounds_up, mut flushes) = ([0; 2], [0; 2], [0; 2]);
    for _ in 0..RUNS {
        // Of all quotients only (2 - 2^-23) 2^e / 2^f lies in the corner, exactly on its lower end.
        let fraction = if random.one_in(8) { 0x007f_ffff } else { random.next_u32() & 0x007f_ffff };
        let a = (1 + random.below(200)) << 23 | fraction;
        for (index, op) in [Op::Mul, Op::Div].into_iter().enumerate() {
            // The operand whose exact result would be 2^-126, moved by a few units in its last place.
            let target = match op {
                Op::Mul => f64::from(f32::MIN_POSITIVE) / f64::from(f32::from_bits(a)),
                _ => f64::from(f32::from_bits(a)) / f64::from(f32::MIN_POSITIVE),
            } as f32;
            if !target.is_normal() {
                continue;
            }
            let b = (target.to_bits() + random.below(5)).wrapping_sub(2) | (random.next_u32() & SIGN);
            check(op, a, b);
            let (x, y) = (f32::from_bits(a), f32::from_bits(b));
            let native = if op == Op::Mul { x * y } else { x / y };
            let exact = if op == Op::Mul { f64::from(x) * f64::from(y) } else { f64::from(x) / f64::from(y) }.abs();
            let ours = computed(op, a, b) & MAGNITUDE;
            if native.abs() == f32::MIN_POSITIVE && ours == 0 {
                native_differs[index] += 1;
            }
            if exact < f64::from(f32::MIN_POSITIVE) {
                *(if ours == 0 { &mut flushes } else { &mut rounds_up }.get_mut(index).unwrap()) += 1;
            }
        }
    }
    for met in [native_differs[0], native_differs[1], rounds_up[0], flushes[0], flushes[1]] {
        assert!(met > 100, "a kind was hardly met: {native_differs:?} {rounds_up:?} {flushes:?}");
    }
    assert_eq!(rounds_up[1], 0, "no quotient of 24-bit numbers lies within half a step below a power of two");
}

/// 0x3f7fffff is 1 - 2^-24, 0x3f800001 is 1 + 2^-23, 0x00800000 is 2^-126.
#[test]
fn flush_corner_by_hand() {
    let host = &mut Host;
    // (1 - 2^-24) 2^-126: exactly representable in 24 bits with an unbounded exponent, below 2^-126: zero, where
    // native f32 ties to even and answers 2^-126.
    assert_eq!(f32::from_bits(0x3f7f_ffff) * f32::MIN_POSITIVE, f32::MIN_POSITIVE);
    assert_eq!(host.mul(&Fp32(0x3f7f_ffff), &Fp32(0x0080_0000)), Fp32(0));
    assert_eq!(host.mul(&Fp32(0xbf7f_ffff), &Fp32(0x0080_0000)), Fp32(SIGN));
    // (1 - 2^-24)(1 + 2^-23) = 1 + 2^-24 - 2^-47: rounds to 1.
    assert_eq!(host.mul(&Fp32(0x3f7f_ffff), &Fp32(0x0080_0001)), Fp32(0x0080_0000));
    // 2^-126 / (1 + 2^-23) = 2^-126 (1 - 2^-23 + 2^-46 ..): below, zero.
    assert_eq!(host.div(&Fp32(0x0080_0000), &Fp32(0x3f80_0001)), Fp32(0));
    // (1 + 2^-23) 2^-126 / (1 + 2^-22): 1 - 2^-23 ..: zero; the other way round it stays.
    assert_eq!(host.div(&Fp32(0x0080_0001), &Fp32(0x3f80_0002)), Fp32(0));
    assert_eq!(host.div(&Fp32(0x0080_0002), &Fp32(0x3f80_0001)), Fp32(0x0080_0001));
    // (2 - 2^-23) 2^-126 / 2 = (1 - 2^-24) 2^-126: below, where native f32 ties to even.
    assert_eq!(f32::from_bits(0x00ff_ffff) / 2.0, f32::MIN_POSITIVE);
    assert_eq!(host.div(&Fp32(0x00ff_ffff), &Fp32(0x4000_0000)), Fp32(0));
}

/// The root r of x is right if no neighbour is nearer: (r - ulp/2)^2 <= x <= (r + ulp/2)^2, in exact integers.
#[test]
fn sqrt_is_correctly_rounded() {
    let mut random = Random::for_test("sqrt_is_correctly_rounded", 0x5eed_0003);
    let mut checked = 0;
    for _ in 0..RUNS {
        let x = random.float_bits() & MAGNITUDE;
        let root = Host.sqrt(&Fp32(x)).0;
        if x & EXPONENT == EXPONENT || x & EXPONENT == 0 {
            let want = if x & EXPONENT == 0 {
                0
            } else if x == EXPONENT {
                EXPONENT
            } else {
                Fp32::NAN.0
            };
            assert_eq!(root, want, "sqrt {x:#010x}");
            continue;
        }
        // x = m 2^e with e even, m below 2^25; r = n 2^k with n of 24 bits. Then x 4 2^-2k = 4 m 2^(e-2k).
        let mut m = u128::from(x & 0x007f_ffff | 0x0080_0000);
        let mut e = (x >> 23) as i32 - 150;
        if e & 1 != 0 {
            m <<= 1;
            e -= 1;
        }
        let n = u128::from(root & 0x007f_ffff | 0x0080_0000);
        let k = (root >> 23) as i32 - 150;
        let four_x = (4 * m) << (e - 2 * k);
        assert!((2 * n - 1).pow(2) <= four_x && four_x <= (2 * n + 1).pow(2), "sqrt {x:#010x} = {root:#010x}");
        checked += 1;
    }
    assert!(checked > RUNS / 2);
    assert_eq!(Host.sqrt(&Fp32(SIGN)), Fp32(SIGN), "root of -0");
    assert_eq!(Host.sqrt(&Fp32(SIGN | 1)), Fp32(SIGN), "root of a negative subnormal is that of -0");
    assert_eq!(Host.sqrt(&Fp32(0xbf80_0000)), Fp32::NAN);
    assert_eq!(Host.sqrt(&Fp32(0x4080_0000)), Fp32(0x4000_0000), "root of 4");
}

#[test]
fn comparisons_agree_with_apfloat() {
    let mut random = Random::for_test("comparisons_agree_with_apfloat", 0x5eed_0004);
    for _ in 0..RUNS {
        let (a, b) = if random.one_in(4) {
            let a = random.float_bits();
            (a, a ^ (random.next_u32() & SIGN))
        } else {
            random.float_pair()
        };
        let order = single(a).partial_cmp(&single(b));
        let (x, y) = (Fp32(a), Fp32(b));
        assert_eq!(Host.lt(&x, &y), order == Some(std::cmp::Ordering::Less), "{a:#010x} < {b:#010x}");
        assert_eq!(Host.le(&x, &y), matches!(order, Some(o) if o.is_le()), "{a:#010x} <= {b:#010x}");
        assert_eq!(Host.eq(&x, &y), order == Some(std::cmp::Ordering::Equal), "{a:#010x} == {b:#010x}");
    }
}

#[test]
fn conversions_agree_with_apfloat() {
    let mut random = Random::for_test("conversions_agree_with_apfloat", 0x5eed_0005);
    for round in 0..RUNS {
        let word = if round % 2 == 0 { random.next_u32() } else { random.next_u32() >> random.below(32) };
        let want = Single::from_i128_r(i128::from(word as i32), Round::NearestTiesToEven).value.to_bits() as u32;
        assert_eq!(Host.int_to_float(&word).0, want, "{word:#x}");

        let bits = if round % 2 == 0 { random.float_bits() } else { (random.next_u32() & 0x87ff_ffff) | 0x4800_0000 };
        let mut exact = false;
        let value = single(bits);
        let want =
            if value.is_nan() { 0 } else { value.to_i128_r(32, Round::TowardZero, &mut exact).value as i32 as u32 };
        assert_eq!(Host.float_to_int(&Fp32(bits)), want, "{bits:#010x}");
    }
    assert_eq!(Host.float_to_int(&Fp32::from_f32(-1.9)), -1i32 as u32);
    assert_eq!(Host.float_to_int(&Fp32::from_f32(3e9)), i32::MAX as u32);
    assert_eq!(Host.float_to_int(&Fp32::from_f32(-3e9)), i32::MIN as u32);
    assert_eq!(Host.float_to_int(&Fp32::NAN), 0);
    assert_eq!(Host.int_to_float(&16_777_217).0, 16_777_216f32.to_bits(), "a tie goes to even");
}

#[test]
fn signs_minima_and_selection() {
    let host = &mut Host;
    assert_eq!(host.neg(&Fp32(0xffc0_1234)), Fp32::NAN);
    assert_eq!(host.abs(&Fp32(0xff80_0001)), Fp32::NAN);
    assert_eq!(host.neg(&Fp32::ZERO), Fp32(SIGN));
    assert_eq!(host.abs(&Fp32(0xc000_0000)), Fp32(0x4000_0000));
    let (nan, one, zero, minus_zero) = (Fp32::NAN, Fp32::ONE, Fp32::ZERO, Fp32(SIGN));
    for (a, b, want) in [(nan, one, one), (one, nan, nan), (zero, minus_zero, minus_zero), (minus_zero, zero, zero)] {
        assert_eq!(host.min(&a, &b), want, "min {a:?} {b:?}");
        assert_eq!(host.max(&a, &b), want, "max {a:?} {b:?}");
    }
    assert_eq!(host.select(&true, &one, &zero), one);
    assert_eq!(host.select_word(&false, &7, &9), 9);
    assert_eq!(host.number(1e-40), zero, "a subnormal constant is zero");
}

#[test]
fn words() {
    let host = &mut Host;
    assert_eq!(host.field(&0x1234_5678, 31, 0), 0x1234_5678);
    assert_eq!(host.field(&0x1234_5678, 15, 8), 0x56);
    assert!(host.bit(&0x8000_0000, 31) && !host.bit(&0x7fff_ffff, 31));
    assert_eq!(host.pack(&[(&0x1ff, 8), (&0, 0), (&0xa5, 4), (&0xfffff, 20)]), 0xffff_f5ff);
    assert_eq!(host.pack(&[(&0xdead_beef, 32)]), 0xdead_beef);
}
