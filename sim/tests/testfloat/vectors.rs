//! Vectors in the format of `testfloat_gen`: operands in the manner of TestFloat's level 1, and results with flags.
//!
//! TestFloat itself is in no package registry that the project may use. What it would print is made of two things: its
//! operands, which these are not but resemble, and the answers of Berkeley SoftFloat. The answers here are those of
//! `rustc_apfloat`; `softfloat_has_the_same_answers` compares them with SoftFloat's.
//!
//! Operands: 88 edges (11 exponents, 4 fractions, 2 signs); every pair of them in six ways, as they are and mixed with
//! random numbers, 6 x 88 x 88 = 46,464, as many as level 1 has.

use rayman_rtl::fp::check::Vectors;
use rayman_rtl::fp::FpOperator;
use rustc_apfloat::ieee::Single;
use rustc_apfloat::{Float, Round, Status, StatusAnd};
use std::cmp::Ordering;

/// As many as TestFloat's level 1 has for two operands.
pub const LEVEL_1: usize = 46_464;

pub const INEXACT: u8 = 1;
pub const UNDERFLOW: u8 = 2;
pub const OVERFLOW: u8 = 4;
pub const DIVISION: u8 = 8;
pub const INVALID: u8 = 16;

const SIGN: u32 = 0x8000_0000;
const MAGNITUDE: u32 = 0x7fff_ffff;
const INFINITY: u32 = 0x7f80_0000;
const NAN: u32 = 0x7fc0_0000;

/// Biased exponents: the least and the greatest, about 1, and about the length of a significand away from it.
const EXPONENTS: [u32; 11] = [0x00, 0x01, 0x67, 0x68, 0x7e, 0x7f, 0x80, 0x96, 0x97, 0xfe, 0xff];
const FRACTIONS: [u32; 4] = [0, 1, 0x7f_fffe, 0x7f_ffff];

fn edges() -> Vec<u32> {
    let signs = [0, SIGN].into_iter();
    let numbers = signs.flat_map(|sign| EXPONENTS.into_iter().map(move |exponent| sign | exponent << 23));
    numbers.flat_map(|number| FRACTIONS.into_iter().map(move |fraction| number | fraction)).collect()
}

/// Integers about the powers of two, of both signs.
fn integer_edges() -> Vec<u32> {
    let near = |power: u32| (0..5u32).map(move |step| (1u32 << power).wrapping_add(step).wrapping_sub(2));
    let positive = (0..32).flat_map(near);
    positive.flat_map(|integer| [integer, integer.wrapping_neg()]).collect()
}

/// The operands of an operator, [`LEVEL_1`] of them; the second is 0 where there is none.
pub fn operands(operator: FpOperator, seed: u64) -> Vec<(u32, u32)> {
    let mut random = Vectors::new(seed);
    if operator.arity() == 1 {
        let edges = if operator == FpOperator::IntToFloat { integer_edges() } else { edges() };
        let random = random.flat_map(|(a, b)| [a, b]);
        return edges.into_iter().chain(random).take(LEVEL_1).map(|a| (a, 0)).collect();
    }
    let edges = edges();
    let pairs = edges.iter().flat_map(|&a| edges.iter().map(move |&b| (a, b)));
    // Sign and exponent of an edge with another's fraction.
    let mixed = |edge: u32, fraction: u32| (edge & !0x7f_ffff) | (fraction & 0x7f_ffff);
    pairs
        .flat_map(|(a, b)| {
            let mut next = || random.next().unwrap_or_default();
            let (c, d, e) = (next(), next(), next());
            [(a, b), (a, c.0), (c.1, b), d, (mixed(a, e.0), b), (a, mixed(b, e.1))]
        })
        .collect()
}

/// A line.
pub fn line(operator: FpOperator, (a, b): (u32, u32), (result, flags): (u32, u8)) -> String {
    let second = if operator.arity() == 2 { format!(" {b:08X}") } else { String::new() };
    let digits = if operator.result_bits() == 1 { 1 } else { 8 };
    format!("{a:08X}{second} {result:0digits$X} {flags:02X}\n")
}

/// IEEE 754's answer, subnormals and all, with the flags, by `rustc_apfloat` (a root by its square). Where the standard
/// leaves a choice: the NaN of RISC-V, which is the core's, and its integers for what no integer holds; tiny is what is so
/// after rounding.
pub fn apfloat(operator: FpOperator, a: u32, b: u32) -> (u32, u8) {
    let single = |word: u32| Single::from_bits(u128::from(word));
    let (x, y) = (single(a), single(b));
    let signalling = x.is_signaling() || operator.arity() == 2 && y.is_signaling();
    let unordered = x.is_nan() || y.is_nan();
    let compare = |wanted: &[Ordering], quiet: bool| {
        let holds = x.partial_cmp(&y).is_some_and(|order| wanted.contains(&order));
        let invalid = if quiet { signalling } else { unordered };
        (u32::from(holds), if invalid { INVALID } else { 0 })
    };
    match operator {
        FpOperator::Add => answer(x + y, signalling, || false),
        FpOperator::Sub => answer(x - y, signalling, || false),
        FpOperator::Mul => answer(x * y, signalling, || {
            let (least, other) = if a & MAGNITUDE < b & MAGNITUDE { (x, y) } else { (y, x) };
            is_tiny((least.scalbn(SCALE) * other).value)
        }),
        FpOperator::Div => answer(x / y, signalling, || is_tiny((x.scalbn(SCALE) / y).value)),
        FpOperator::Sqrt => root(a, signalling),
        FpOperator::Lt => compare(&[Ordering::Less], false),
        FpOperator::Le => compare(&[Ordering::Less, Ordering::Equal], false),
        FpOperator::Eq => compare(&[Ordering::Equal], true),
        FpOperator::IntToFloat => answer(Single::from_i128(i128::from(a as i32)), false, || false),
        FpOperator::FloatToInt => {
            let mut exact = false;
            let integer = x.to_i128_r(32, Round::TowardZero, &mut exact);
            match integer.status.contains(Status::INVALID_OP) {
                true if x.is_nan() || a & SIGN == 0 => (i32::MAX as u32, INVALID),
                true => (i32::MIN as u32, INVALID),
                // TestFloat's default does not raise inexact here.
                false => (integer.value as i32 as u32, 0),
            }
        }
    }
}

/// 2^64 brings what may be tiny among the normal numbers.
const SCALE: i32 = 64;

/// Whether a number times 2^64, rounded to 24 bits, is below 2^-126 without it.
fn is_tiny(scaled: Single) -> bool {
    let least = 0x0080_0000 + ((SCALE as u32) << 23);
    (scaled.to_bits() as u32) & MAGNITUDE < least
}

fn answer(result: StatusAnd<Single>, signalling: bool, is_tiny: impl FnOnce() -> bool) -> (u32, u8) {
    let has = |status: Status| result.status.contains(status);
    let value = result.value.to_bits() as u32;
    let inexact = has(Status::INEXACT);
    // Only what is about 2^-126 or below can be tiny; whether it is apfloat decides at the subnormal grid.
    let tiny = inexact && value & MAGNITUDE <= 0x0080_0000 && is_tiny();
    let flags = [
        (inexact, INEXACT),
        (tiny, UNDERFLOW),
        (has(Status::OVERFLOW), OVERFLOW),
        (has(Status::DIV_BY_ZERO), DIVISION),
        (has(Status::INVALID_OP) || signalling, INVALID),
    ];
    let flags = flags.iter().filter(|(raised, _)| *raised).fold(0, |all, (_, flag)| all | flag);
    (if value & MAGNITUDE > INFINITY { NAN } else { value }, flags)
}

/// The processor's root; whether it is exact its square says, which has 48 bits and so is exact in `f64`.
fn root(a: u32, signalling: bool) -> (u32, u8) {
    let x = f32::from_bits(a);
    let root = x.sqrt();
    if root.is_nan() {
        return (NAN, if signalling || !x.is_nan() { INVALID } else { 0 });
    }
    let square = f64::from(root) * f64::from(root);
    (root.to_bits(), if square == f64::from(x) { 0 } else { INEXACT })
}

/// All lines of an operator by a source of answers.
pub fn text(operator: FpOperator, seed: u64, answers: impl Fn(FpOperator, u32, u32) -> (u32, u8)) -> String {
    operands(operator, seed).into_iter().map(|pair| line(operator, pair, answers(operator, pair.0, pair.1))).collect()
}

/// FNV-1a, 64 bits.
pub fn digest(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3))
}
