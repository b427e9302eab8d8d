//! All operands of a Verilated operator against the host: what `cargo xtask exhaustive` calls.
//!
//! `exhaustive OP [--first N] [--count N] [--threads N] [--verilog FILE]`; OP is f32_sqrt, i32_to_f32 or f32_to_i32.
//! Ends with `N passed, M failed`. Exit codes: 0 none failed, 1 some did, 2 it could not be run.

use rayman_sim::referee::{exhaustive, operator};
use std::error::Error;
use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

const USAGE: &str = "usage: exhaustive OP [--first N] [--count N] [--threads N] [--verilog FILE]";

fn run(mut arguments: impl Iterator<Item = String>) -> Result<bool, Box<dyn Error>> {
    let name = arguments.next().ok_or(USAGE)?;
    let operator = operator(&name)?;
    let (mut first, mut count, mut verilog) = (0, None, None);
    let mut threads = std::thread::available_parallelism().map_or(1, usize::from);
    while let Some(option) = arguments.next() {
        let value = arguments.next().ok_or(USAGE)?;
        let number = || number(&value).map_err(|error| format!("{option} {value}: {error}"));
        match option.as_str() {
            "--first" => first = number()?,
            "--count" => count = Some(number()?),
            "--threads" => threads = usize::try_from(number()?)?,
            "--verilog" => {
                verilog = Some(std::fs::read_to_string(&value).map_err(|error| format!("{value}: {error}"))?)
            }
            _ => return Err(USAGE.into()),
        }
    }
    let count = count.unwrap_or(exhaustive::OPERANDS.saturating_sub(first));
    let verilog = verilog.unwrap_or_else(|| operator.verilog());
    let (start, shown) = (Instant::now(), AtomicU64::new(0));
    let progress = |done: u64| {
        // A line each 5 %, whichever thread comes first.
        let part = done * 20 / count;
        if shown.fetch_max(part, Ordering::Relaxed) < part {
            let seconds = start.elapsed().as_secs_f64();
            eprintln!(
                "{name}: {:3} %, {done} operands, {seconds:.0} s, {:.2} million/s",
                part * 5,
                rate(done, seconds)
            );
        }
    };
    let tally = exhaustive::run(operator, &verilog, (first, count), threads, &progress)?;
    let seconds = start.elapsed().as_secs_f64();
    for mismatch in &tally.mismatches {
        println!("{mismatch}");
    }
    println!(
        "{name}: operands {first:#x} to {:#x}, {seconds:.1} s, {:.2} million/s",
        first + count - 1,
        rate(count, seconds)
    );
    println!("{} passed, {} failed", tally.passed, tally.failed);
    Ok(tally.failed == 0)
}

/// A number, decimal or with 0x.
fn number(text: &str) -> Result<u64, std::num::ParseIntError> {
    text.strip_prefix("0x").map_or_else(|| text.parse(), |digits| u64::from_str_radix(digits, 16))
}

/// Millions a second.
fn rate(operands: u64, seconds: f64) -> f64 {
    operands as f64 / seconds.max(1e-9) / 1e6
}

fn main() -> ExitCode {
    match run(std::env::args().skip(1)) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}
