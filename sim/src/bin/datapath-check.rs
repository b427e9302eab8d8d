//! Compares a datapath of the core, as a stream, with the model, in Verilator: what `cargo xtask datapath --check` calls.
//!
//! `datapath-check NAME INTERVAL RESULTS [SEED]` prints `N passed, M failed`. Exit codes: 0 all passed, 1 some failed, 2 it
//! could not be done.

use rayman_rtl::datapath::block::MAX_INTERVAL;
use rayman_sim::datapath_check::check_named;
use std::error::Error;
use std::process::ExitCode;

const USAGE: &str = "usage: datapath-check NAME INTERVAL RESULTS [SEED]";

fn run() -> Result<bool, Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let (name, interval, results, seed) = match arguments[..] {
        [name, interval, results] => (name, interval, results, "1"),
        [name, interval, results, seed] => (name, interval, results, seed),
        _ => return Err(USAGE.into()),
    };
    let interval: u32 = interval.parse().map_err(|_| USAGE)?;
    if !(1..=MAX_INTERVAL).contains(&interval) {
        return Err(format!("interval {interval} is not from 1 to {MAX_INTERVAL}").into());
    }
    let results: u64 = results.parse().map_err(|_| USAGE)?;
    if results == 0 {
        return Err("a check of no results shows nothing".into());
    }
    let tally = check_named(name, interval, results, seed.parse().map_err(|_| USAGE)?)?;
    for difference in &tally.differences {
        println!("{difference}");
    }
    println!(
        "{name} at interval {interval}: {} clocks, a result stalled in {}, {} resets",
        tally.clocks, tally.stalled, tally.resets
    );
    println!("{} passed, {} failed", tally.passed, tally.failed);
    Ok(tally.failed == 0)
}

fn main() -> ExitCode {
    match run() {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}
