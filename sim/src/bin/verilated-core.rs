//! Builds or lints the Verilated core: what `cargo xtask sim`, `lint` and `rtl` call.
//!
//! `verilated-core build LANES [--checked]` builds the core of the present source, unless it is built. `verilated-core lint
//! FILE [TOP]` fails on Verilator's warnings that mean another result than the in-crate simulation's.

use rayman_sim::devices::core_verilog;
use rayman_sim::verilated::core::{VerilatedCore, TOP};
use rayman_sim::verilated::{compile, Flavour};
use std::error::Error;
use std::process::ExitCode;
use std::time::Instant;

const USAGE: &str = "usage: verilated-core build LANES [--checked] | lint FILE [TOP]";

fn build(lanes: &str, checked: bool) -> Result<(), Box<dyn Error>> {
    let lanes = lanes.parse().map_err(|_| USAGE)?;
    let verilog = core_verilog(lanes)?;
    for flavour in [Flavour::Fast, Flavour::Checked] {
        if flavour == Flavour::Fast || checked {
            let start = Instant::now();
            VerilatedCore::build(&verilog, flavour, 1)?;
            println!("{flavour:?} core, {lanes} lane(s): ready after {:.1} s", start.elapsed().as_secs_f64());
        }
    }
    Ok(())
}

fn lint(file: &str, top: &str) -> Result<(), Box<dyn Error>> {
    let verilog = std::fs::read_to_string(file).map_err(|error| format!("{file}: {error}"))?;
    compile::lint(&verilog, top)?;
    println!("{file}: Verilator finds nothing that computes otherwise than the in-crate simulation");
    Ok(())
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let result = match arguments[..] {
        ["build", lanes] => build(lanes, false),
        ["build", lanes, "--checked"] => build(lanes, true),
        ["lint", file] => lint(file, TOP),
        ["lint", file, top] => lint(file, top),
        _ => Err(USAGE.into()),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}
