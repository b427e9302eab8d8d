//! The operators against values worked out by hand, against the oracle, and as pipelines.

mod depth;

use super::check::{canonical, oracle, Vectors, NAN, SPECIALS};
use super::{FpBlock, FpOperator, OPERATORS};
use crate::emit::ports;
use std::collections::VecDeque;

fn clock(block: &mut dyn FpBlock, a: u32, b: u32) -> u32 {
    block.step(a, b).expect("an operator has no loops")
}

fn connected(operator: FpOperator) -> Box<dyn FpBlock> {
    connect(operator.boxed())
}

fn connect(mut block: Box<dyn FpBlock>) -> Box<dyn FpBlock> {
    block.connect_inputs();
    block.connect_all();
    block
}

/// [`compare_at`] at the recommended depth.
fn compare(operator: FpOperator, pairs: impl Iterator<Item = (u32, u32)>, what: &str) -> usize {
    compare_at(operator, operator.latency(), pairs, what)
}

/// Sends the pairs in, one a clock, and compares each result exactly `depth` clocks later. Answers how many.
fn compare_at(operator: FpOperator, depth: usize, pairs: impl Iterator<Item = (u32, u32)>, what: &str) -> usize {
    let mut block = connect(operator.boxed_at_depth(depth).expect("a depth that there is"));
    let mut under_way = VecDeque::new();
    let mut compared = 0;
    let idle = std::iter::repeat_n((0, 0), depth);
    for (a, b) in pairs.chain(idle) {
        let got = clock(block.as_mut(), a, b);
        under_way.push_back((a, b));
        if under_way.len() == depth {
            if let Some((a, b)) = under_way.pop_front() {
                let wanted = oracle(operator, a, b);
                assert_eq!(
                    got, wanted,
                    "{operator:?} of {depth} clocks, {a:08x} {b:08x}: got {got:08x}, wanted {wanted:08x} ({what})"
                );
                compared += 1;
            }
        }
    }
    compared
}

const RANDOM_PAIRS: usize = 100_000;

fn random(operator: FpOperator) {
    let seed = 0x5eed_0000 + operator as u64;
    let what = format!("seed {seed:#x}");
    println!("{operator:?}: {RANDOM_PAIRS} pairs, {what}");
    let compared = compare(operator, Vectors::new(seed).take(RANDOM_PAIRS), &what);
    assert!(compared >= RANDOM_PAIRS, "only {compared} pairs were compared");
}

macro_rules! random_tests {
    ($($name:ident: $operator:ident;)*) => {$(
        #[test]
        fn $name() {
            random(FpOperator::$operator);
        }
    )*};
}

random_tests! {
    add_agrees_with_the_oracle: Add;
    sub_agrees_with_the_oracle: Sub;
    mul_agrees_with_the_oracle: Mul;
    div_agrees_with_the_oracle: Div;
    sqrt_agrees_with_the_oracle: Sqrt;
    lt_agrees_with_the_oracle: Lt;
    le_agrees_with_the_oracle: Le;
    eq_agrees_with_the_oracle: Eq;
    int_to_float_agrees_with_the_oracle: IntToFloat;
    float_to_int_agrees_with_the_oracle: FloatToInt;
}

/// Every special word with every other.
#[test]
fn specials_agree_with_the_oracle() {
    for &operator in OPERATORS {
        let pairs = SPECIALS.iter().flat_map(|&a| SPECIALS.iter().map(move |&b| (a, b)));
        let compared = compare(operator, pairs, "specials");
        assert!(compared >= SPECIALS.len() * SPECIALS.len());
    }
}

/// One result of an operator that holds nothing else.
fn single(operator: FpOperator, a: u32, b: u32) -> u32 {
    let mut block = connected(operator);
    let results = (0..operator.latency()).map(|_| clock(block.as_mut(), a, b));
    results.last().expect("an operator takes a clock at least")
}

/// Worked out by hand: operator, operands, result.
const BY_HAND: &[(FpOperator, u32, u32, u32)] = &[
    // 1 + 2 = 3; 1 - 1 = +0; -0 + -0 = -0; -0 - +0 = -0
    (FpOperator::Add, 0x3f80_0000, 0x4000_0000, 0x4040_0000),
    (FpOperator::Add, 0x3f80_0000, 0xbf80_0000, 0x0000_0000),
    (FpOperator::Add, 0x8000_0000, 0x8000_0000, 0x8000_0000),
    (FpOperator::Sub, 0x8000_0000, 0x0000_0000, 0x8000_0000),
    // 2^24 + 1 is half-way and goes to the even 2^24; 2^24 + 3 goes up to 2^24 + 4
    (FpOperator::Add, 0x4b80_0000, 0x3f80_0000, 0x4b80_0000),
    (FpOperator::Add, 0x4b80_0000, 0x4040_0000, 0x4b80_0002),
    // 1 - 2^-24 is the number below 1; 1 - 2^-25 is half-way and goes back to 1
    (FpOperator::Sub, 0x3f80_0000, 0x3380_0000, 0x3f7f_ffff),
    (FpOperator::Sub, 0x3f80_0000, 0x3300_0000, 0x3f80_0000),
    // 1.5 x 2^-126 - 2^-126 is subnormal: +0; the other way round -0
    (FpOperator::Sub, 0x00c0_0000, 0x0080_0000, 0x0000_0000),
    (FpOperator::Sub, 0x0080_0000, 0x00c0_0000, 0x8000_0000),
    // A subnormal operand is a zero
    (FpOperator::Add, 0x0080_0000, 0x007f_ffff, 0x0080_0000),
    // inf - inf; the greatest number and half its last place make an infinity, less does not
    (FpOperator::Sub, 0x7f80_0000, 0x7f80_0000, NAN),
    (FpOperator::Add, 0x7f7f_ffff, 0x7300_0000, 0x7f80_0000),
    (FpOperator::Add, 0x7f7f_ffff, 0x72ff_ffff, 0x7f7f_ffff),
    // 1.5 x 1.5 = 2.25; -1 x 0 = -0; 0 x inf
    (FpOperator::Mul, 0x3fc0_0000, 0x3fc0_0000, 0x4010_0000),
    (FpOperator::Mul, 0xbf80_0000, 0x0000_0000, 0x8000_0000),
    (FpOperator::Mul, 0x0000_0000, 0xff80_0000, NAN),
    // (1 + 2^-23)^2 = 1 + 2^-22 + 2^-46; (2 - 2^-23)^2 = 4 - 2^-21 + 2^-46
    (FpOperator::Mul, 0x3f80_0001, 0x3f80_0001, 0x3f80_0002),
    (FpOperator::Mul, 0x3fff_ffff, 0x3fff_ffff, 0x407f_fffe),
    // The corner: (1 + 2^-23) x (1 - 2^-23) x 2^-126 = (1 - 2^-46) x 2^-126 rounds to 2^-126: it stays;
    // (1 - 2^-24) x 2^-126 has 24 bits: it is flushed, though on the subnormal grid it would round to 2^-126
    (FpOperator::Mul, 0x0080_0001, 0x3f7f_fffe, 0x0080_0000),
    (FpOperator::Mul, 0x0080_0000, 0x3f7f_ffff, 0x0000_0000),
    (FpOperator::Div, 0x00ff_ffff, 0x4000_0000, 0x0000_0000),
    // 1/3 = 0.0101..b: the 25th bit is a one and what follows is above half: up
    (FpOperator::Div, 0x3f80_0000, 0x4040_0000, 0x3eaa_aaab),
    (FpOperator::Div, 0x40c0_0000, 0xc000_0000, 0xc040_0000),
    (FpOperator::Div, 0xbf80_0000, 0x0000_0000, 0xff80_0000),
    (FpOperator::Div, 0x0000_0000, 0x8000_0000, NAN),
    (FpOperator::Div, 0x7f80_0000, 0x7f80_0000, NAN),
    (FpOperator::Div, 0x3f80_0000, 0xff80_0000, 0x8000_0000),
    (FpOperator::Div, 0x7f00_0000, 0x3e80_0000, 0x7f80_0000),
    // Roots of 4, 2, 1/4, -0, -1, inf, and of the least normal number 2^-126
    (FpOperator::Sqrt, 0x4080_0000, 0, 0x4000_0000),
    (FpOperator::Sqrt, 0x4000_0000, 0, 0x3fb5_04f3),
    (FpOperator::Sqrt, 0x3e80_0000, 0, 0x3f00_0000),
    (FpOperator::Sqrt, 0x8000_0000, 0, 0x8000_0000),
    (FpOperator::Sqrt, 0xbf80_0000, 0, NAN),
    (FpOperator::Sqrt, 0x7f80_0000, 0, 0x7f80_0000),
    (FpOperator::Sqrt, 0x0080_0000, 0, 0x2000_0000),
    // -1 < 1; not 1 < 1; -0 < +0 is false, and they are equal; nothing compares with a NaN
    (FpOperator::Lt, 0xbf80_0000, 0x3f80_0000, 1),
    (FpOperator::Lt, 0x3f80_0000, 0x3f80_0000, 0),
    (FpOperator::Lt, 0x8000_0000, 0x0000_0000, 0),
    (FpOperator::Eq, 0x8000_0000, 0x0000_0000, 1),
    (FpOperator::Le, 0xc000_0000, 0xbf80_0000, 1),
    (FpOperator::Le, 0xbf80_0000, 0xc000_0000, 0),
    (FpOperator::Le, NAN, NAN, 0),
    (FpOperator::Eq, NAN, NAN, 0),
    (FpOperator::Eq, 0x0000_0001, 0x8000_0002, 1),
    // 2^24 + 1 to even, 2^24 + 3 up, the least integer, -1
    (FpOperator::IntToFloat, 0x0100_0001, 0, 0x4b80_0000),
    (FpOperator::IntToFloat, 0x0100_0003, 0, 0x4b80_0002),
    (FpOperator::IntToFloat, 0x8000_0000, 0, 0xcf00_0000),
    (FpOperator::IntToFloat, 0xffff_ffff, 0, 0xbf80_0000),
    (FpOperator::IntToFloat, 0x7fff_ffff, 0, 0x4f00_0000),
    (FpOperator::IntToFloat, 0, 0, 0),
    // -1.75 is cut to -1; 2^31 saturates; a NaN gives 0; 0.999.. gives 0
    (FpOperator::FloatToInt, 0xbfe0_0000, 0, 0xffff_ffff),
    (FpOperator::FloatToInt, 0x4f00_0000, 0, 0x7fff_ffff),
    (FpOperator::FloatToInt, 0xff80_0000, 0, 0x8000_0000),
    (FpOperator::FloatToInt, NAN, 0, 0),
    (FpOperator::FloatToInt, 0x3f7f_ffff, 0, 0),
    (FpOperator::FloatToInt, 0x4eff_ffff, 0, 0x7fff_ff80),
];

#[test]
fn values_worked_out_by_hand() {
    for &(operator, a, b, wanted) in BY_HAND {
        assert_eq!(oracle(operator, a, b), wanted, "the oracle: {operator:?} {a:08x} {b:08x}");
        assert_eq!(single(operator, a, b), wanted, "{operator:?} {a:08x} {b:08x}");
    }
}

/// Results do not depend on what went before or comes after.
#[test]
fn many_roots_are_nearly_half_way() {
    // 4 x 2^s a is nearly an odd square, where the root of 2^s a has 24 bits.
    let distance = |word: u32| {
        let radicand = i64::from(word & 0x7f_ffff | 0x80_0000) << (24 - (word >> 23 & 1));
        let n = radicand.isqrt();
        (radicand - n * (n + 1)).abs()
    };
    let positive = |word: &u32| (0x0080_0000..0x7f80_0000).contains(word);
    let roots: Vec<i64> =
        Vectors::new(3).take(10_000).flat_map(|(a, b)| [a, b]).filter(positive).map(distance).collect();
    // By chance about one in 2^14 is as near as that.
    let near = |reach: i64| roots.iter().filter(|distance| **distance < reach).count();
    assert!(
        near(1 << 9) > 100 && near(1 << 17) > near(1 << 9) + 100,
        "{} and {} of {}",
        near(1 << 9),
        near(1 << 17),
        roots.len()
    );
}

#[test]
fn a_result_comes_after_exactly_the_latency() {
    for &operator in OPERATORS {
        let mut block = connected(operator);
        let (two, five) = (0x4000_0000, 0x40a0_0000);
        let rest = oracle(operator, five, two);
        // A pair whose result can be told from the rest.
        let different = [(two, five), (two, two)].into_iter().find(|&(a, b)| oracle(operator, a, b) != rest);
        let (a, b) = different.expect("one of the pairs differs");
        let wanted = oracle(operator, a, b);
        for _ in 0..2 * operator.latency() {
            clock(block.as_mut(), five, two);
        }
        let results: Vec<u32> = (0..2 * operator.latency())
            .map(|at| if at == 0 { clock(block.as_mut(), a, b) } else { clock(block.as_mut(), five, two) })
            .collect();
        for (at, result) in results.into_iter().enumerate() {
            assert_eq!(result, if at + 1 == operator.latency() { wanted } else { rest }, "{operator:?}, clock {at}");
        }
    }
}

/// The oracle's own corner: results near 2^-126 where rounding at the subnormal grid and at 24 bits differ.
#[test]
fn the_oracle_flushes_after_rounding_to_24_bits() {
    let mut differences = 0;
    for (a, b) in Vectors::new(7).take(RANDOM_PAIRS) {
        let native = canonical((f32::from_bits(canonical(a)) * f32::from_bits(canonical(b))).to_bits());
        let ours = oracle(FpOperator::Mul, a, b);
        if native != ours {
            assert_eq!((native & 0x7fff_ffff, ours & 0x7fff_ffff), (0x0080_0000, 0), "{a:08x} {b:08x}");
            differences += 1;
        }
    }
    assert!(differences > 10, "the pairs reach the corner only {differences} times");
}

#[test]
fn every_operator_has_its_verilog() {
    for &operator in OPERATORS {
        let text = operator.verilog();
        let found = ports(&text, operator.module_name()).expect("the module is there");
        let ports: Vec<(&str, usize)> = found.iter().map(|port| (port.name.as_str(), port.width)).collect();
        let mut wanted = vec![("clock", 1), ("a", 32), ("b", 32), ("q", operator.result_bits())];
        if operator.arity() == 1 {
            wanted.remove(2);
        }
        assert_eq!(ports, wanted, "{operator:?}");
        assert!(!text.contains('$'), "{operator:?}");
    }
}
