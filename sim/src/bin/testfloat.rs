//! Berkeley TestFloat's vectors on a Verilated operator: what `cargo xtask testfloat` calls.
//!
//! `testfloat_gen f32_add | testfloat f32_add [--verilog FILE]`; a file's module takes the place of the operator's own.
//! Ends with `N passed, M failed`. Exit codes: 0 none failed, 1 some did, 2 no vectors, a malformed line, or it could not
//! be run.

use rayman_sim::referee::{operator, testfloat};
use std::error::Error;
use std::process::ExitCode;

const USAGE: &str = "usage: testfloat_gen OP | testfloat OP [--verilog FILE]";

fn run(arguments: &[&str]) -> Result<bool, Box<dyn Error>> {
    let (name, file) = match *arguments {
        [name] => (name, None),
        [name, "--verilog", file] => (name, Some(file)),
        _ => return Err(USAGE.into()),
    };
    let operator = operator(name)?;
    let verilog = match file {
        Some(file) => std::fs::read_to_string(file).map_err(|error| format!("{file}: {error}"))?,
        None => operator.verilog(),
    };
    let report = testfloat::run(operator, &verilog, std::io::stdin().lock())?;
    for mismatch in &report.mismatches {
        println!("{mismatch}");
    }
    let lines = report.passed + report.failed;
    println!(
        "{name}: {lines} vectors; expected: {} what the line says, {} by the flush rule, {} by the rule for what no integer holds",
        lines - report.flush - report.invalid,
        report.flush,
        report.invalid
    );
    println!("{} passed, {} failed", report.passed, report.failed);
    Ok(report.failed == 0)
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match run(&arguments.iter().map(String::as_str).collect::<Vec<_>>()) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}
