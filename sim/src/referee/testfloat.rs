//! Berkeley TestFloat's vectors, as `testfloat_gen` prints them, against a Verilated operator.
//!
//! A line is `OPERAND [OPERAND] RESULT FLAGS` in hexadecimal: words of 8 digits, a truth value of 1, flags of 2 (bit 0
//! inexact, 1 underflow, 2 overflow, 3 division by zero, 4 invalid). Source: TestFloat 3e, `doc/testfloat_gen.html`.
//!
//! What is expected of the operator ([`expectation`]):
//!
//! - The line's result, a NaN as the one NaN.
//! - Where the flush rule of `docs/numerics.md` makes another question of it, the answer of an oracle that keeps the
//!   rule, never the operator's: `rustc_apfloat`, for a root exact integers (`rayman_rtl::fp::check`). So where an operand
//!   or the result is subnormal, and where an inexact result is 2^-126 in magnitude: rounding at the subnormal grid may have
//!   brought it there from below.
//! - Where an integer does not hold the number (flag invalid of `f32_to_i32`), which IEEE 754 leaves open, Rust's cast:
//!   the nearest integer that there is, 0 for a NaN (*assumed*). Again by the oracle.
//!
//! Lines of the second and third kind are counted apart. Flags are not compared: the operators have none.

use super::{Bench, Mismatch, RefereeError, BATCH};
use crate::verilated::Flavour;
use rayman_rtl::fp::check::{canonical, oracle};
use rayman_rtl::fp::FpOperator;
use std::io::{BufRead, Read};

const MAGNITUDE: u32 = 0x7fff_ffff;
const LEAST_NORMAL: u32 = 0x0080_0000;
const INEXACT: u8 = 1;
const INVALID: u8 = 1 << 4;
const ALL_FLAGS: u8 = (1 << 5) - 1;
/// No line of TestFloat's is longer for these operators: 8 + 1 + 8 + 1 + 8 + 1 + 2 characters and an end.
const LONGEST: u64 = 64;
/// Mismatches that are kept.
const SHOWN: usize = 10;

/// A line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Vector {
    /// The first operand.
    pub a: u32,
    /// The second, or 0.
    pub b: u32,
    /// The result; of a comparison 0 or 1.
    pub result: u32,
    /// The exceptions.
    pub flags: u8,
}

/// Reads a line; says what is wrong with it.
pub fn parse(operator: FpOperator, line: &str) -> Result<Vector, String> {
    let fields: Vec<&str> = line.split_ascii_whitespace().collect();
    let wanted = operator.arity() + 2;
    if fields.len() != wanted {
        return Err(format!("{} fields where there should be {wanted}", fields.len()));
    }
    let hex = |at: usize, digits: usize| {
        let field = fields[at];
        let whole = field.len() == digits && field.bytes().all(|byte| byte.is_ascii_hexdigit());
        let value = if whole { u32::from_str_radix(field, 16).ok() } else { None };
        value.ok_or_else(|| format!("field {} is no hexadecimal number of {digits} digits", at + 1))
    };
    let arity = operator.arity();
    let b = if arity == 2 { hex(1, 8)? } else { 0 };
    let result = hex(arity, if operator.result_bits() == 1 { 1 } else { 8 })?;
    if operator.result_bits() == 1 && result > 1 {
        return Err(format!("field {} is neither 0 nor 1", arity + 1));
    }
    // Two digits: it fits.
    let flags = hex(arity + 1, 2)? as u8;
    if flags & !ALL_FLAGS != 0 {
        return Err(format!("field {} has flags that TestFloat has not", arity + 2));
    }
    Ok(Vector { a: hex(0, 8)?, b, result, flags })
}

/// What an expectation rests on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Basis {
    /// The line.
    Line,
    /// The flush rule.
    Flush,
    /// The rule for what no integer holds.
    Invalid,
}

/// What the operator should give for a vector, and why.
pub fn expectation(operator: FpOperator, vector: &Vector) -> (u32, Basis) {
    let &Vector { a, b, result, flags } = vector;
    let takes_numbers = operator != FpOperator::IntToFloat;
    let gives_number = operator != FpOperator::FloatToInt && operator.result_bits() == 32;
    let subnormal = |word: u32| (1..LEAST_NORMAL).contains(&(word & MAGNITUDE));
    let about_least = result & MAGNITUDE == LEAST_NORMAL && flags & INEXACT != 0;
    // A second operand that is not there is 0, which is not subnormal.
    let flushes = takes_numbers && (subnormal(a) || subnormal(b)) || gives_number && (subnormal(result) || about_least);
    if operator == FpOperator::FloatToInt && flags & INVALID != 0 {
        (oracle(operator, a, b), Basis::Invalid)
    } else if flushes {
        (oracle(operator, a, b), Basis::Flush)
    } else if gives_number {
        // Nothing is subnormal here, so this only makes a NaN the one NaN.
        (canonical(result), Basis::Line)
    } else {
        (result, Basis::Line)
    }
}

/// What came out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// Vectors whose result was as expected.
    pub passed: u64,
    /// Others.
    pub failed: u64,
    /// Of all, those whose expectation is by the flush rule.
    pub flush: u64,
    /// Of all, those whose expectation is by the rule for what no integer holds.
    pub invalid: u64,
    /// Some of those that failed.
    pub mismatches: Vec<Mismatch>,
}

/// Runs all lines of `input`. It is an error if there are none, or one that is none of TestFloat's for this operator.
pub fn run(operator: FpOperator, verilog: &str, mut input: impl BufRead) -> Result<Report, RefereeError> {
    let mut report = Report::default();
    // Built when the first lines are known to be good: what is wrong with them shows at once.
    let mut bench = None;
    let mut number = 0;
    loop {
        let mut vectors = Vec::new();
        while vectors.len() < BATCH {
            let Some(line) = line(&mut input, number + 1)? else { break };
            number += 1;
            let vector = parse(operator, &line).map_err(|reason| malformed(number, &line, reason))?;
            vectors.push(vector);
        }
        if vectors.is_empty() {
            break;
        }
        let bench = match &mut bench {
            Some(bench) => bench,
            none => none.insert(Bench::new(operator, verilog, Flavour::Checked)?),
        };
        let results = bench.results(vectors.iter().map(|vector| (vector.a, vector.b)))?;
        let first = number - vectors.len() as u64 + 1;
        for ((line, vector), &got) in (first..).zip(&vectors).zip(results) {
            judge(&mut report, operator, line, vector, got);
        }
    }
    if number == 0 {
        return Err(RefereeError::NoVectors { name: super::name(operator).to_owned() });
    }
    Ok(report)
}

fn judge(report: &mut Report, operator: FpOperator, line: u64, vector: &Vector, got: u64) {
    let (wanted, basis) = expectation(operator, vector);
    match basis {
        Basis::Line => {}
        Basis::Flush => report.flush += 1,
        Basis::Invalid => report.invalid += 1,
    }
    if got == u64::from(wanted) {
        report.passed += 1;
        return;
    }
    report.failed += 1;
    if report.mismatches.len() < SHOWN {
        let operands = [vector.a, vector.b][..operator.arity()].to_vec();
        report.mismatches.push(Mismatch { line: Some(line), operands, got: got as u32, wanted });
    }
}

/// The next line without its end, or nothing at the end of the input.
fn line(input: &mut impl BufRead, number: u64) -> Result<Option<String>, RefereeError> {
    let mut bytes = Vec::new();
    let read = input.by_ref().take(LONGEST).read_until(b'\n', &mut bytes);
    let length = read.map_err(|source| RefereeError::Read { number, source })?;
    if length == 0 {
        return Ok(None);
    }
    let whole = bytes.last() == Some(&b'\n') || (length as u64) < LONGEST;
    let text = String::from_utf8_lossy(&bytes).trim_end_matches(['\n', '\r']).to_owned();
    if whole {
        Ok(Some(text))
    } else {
        Err(malformed(number, &text, format!("longer than {LONGEST} bytes")))
    }
}

fn malformed(number: u64, line: &str, reason: String) -> RefereeError {
    // What is not text is shown as escapes: the message goes to a terminal.
    RefereeError::Line { number, line: line.escape_debug().to_string(), reason }
}
