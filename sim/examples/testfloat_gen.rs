//! Prints vectors as Berkeley `testfloat_gen` does, where that is not to be had: `testfloat_gen OP [SEED]`.
//!
//! ```text
//! cargo run -q -p rayman-sim --example testfloat_gen --features softfloat -- f32_add | cargo xtask testfloat f32_add
//! ```
//!
//! With the feature `softfloat` the answers are those of Berkeley SoftFloat 3 (its build needs CMake), else those of
//! `rustc_apfloat`. `--digest` prints a digest of the lines instead.

#[path = "../tests/testfloat/vectors.rs"]
#[allow(dead_code)]
mod vectors;

use rayman_rtl::fp::FpOperator;
use std::error::Error;
use std::io::Write;
use std::process::ExitCode;

const USAGE: &str = "usage: testfloat_gen OP [SEED] [--digest]";

fn run() -> Result<(), Box<dyn Error>> {
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    let count = arguments.len();
    arguments.retain(|argument| argument != "--digest");
    let digest = arguments.len() < count;
    let (name, seed) = match &arguments[..] {
        [name] => (name, 1),
        [name, seed] => (name, seed.parse()?),
        _ => return Err(USAGE.into()),
    };
    let text = vectors::text(rayman_sim::referee::operator(name)?, seed, answers);
    let mut out = std::io::stdout().lock();
    if digest {
        writeln!(out, "{name} {:#018x}", vectors::digest(&text))?;
    } else {
        out.write_all(text.as_bytes())?;
    }
    Ok(())
}

#[cfg(not(feature = "softfloat"))]
fn answers(operator: FpOperator, a: u32, b: u32) -> (u32, u8) {
    vectors::apfloat(operator, a, b)
}

#[cfg(feature = "softfloat")]
fn answers(operator: FpOperator, a: u32, b: u32) -> (u32, u8) {
    use softfloat_sys as soft;
    let (x, y) = (soft::float32_t { v: a }, soft::float32_t { v: b });
    // SAFETY: pure functions of words, but for the state, which is a thread's own.
    unsafe {
        soft::softfloat_detectTininess_write_helper(soft::softfloat_tininess_afterRounding);
        soft::softfloat_roundingMode_write_helper(soft::softfloat_round_near_even);
        soft::softfloat_exceptionFlags_write_helper(0);
        let result = match operator {
            FpOperator::Add => soft::f32_add(x, y).v,
            FpOperator::Sub => soft::f32_sub(x, y).v,
            FpOperator::Mul => soft::f32_mul(x, y).v,
            FpOperator::Div => soft::f32_div(x, y).v,
            FpOperator::Sqrt => soft::f32_sqrt(x).v,
            FpOperator::Lt => soft::f32_lt(x, y).into(),
            FpOperator::Le => soft::f32_le(x, y).into(),
            FpOperator::Eq => soft::f32_eq(x, y).into(),
            FpOperator::IntToFloat => soft::i32_to_f32(a as i32).v,
            FpOperator::FloatToInt => soft::f32_to_i32(x, soft::softfloat_round_minMag, false) as u32,
        };
        (result, soft::softfloat_exceptionFlags_read_helper())
    }
}

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}
