//! The soak on a Verilated core: what `cargo xtask soak` calls.
//!
//! `soak [--faults N] [--scenes N] [--bytes N] [--seed N] [--every N] [--only KIND:SEED] [--lanes N] [--jobs N]
//! [--checked] [--verilog FILE]`; the sweeps run with `--every N`, every N clocks and beats. Ends with a line of counts. Exit codes: 0 nothing found, 1 something was, 2 it could not
//! be run.

use rayman_sim::devices::{core_verilog, DeviceError};
use rayman_sim::soak::{
    self,
    rig::{Rig, WATCHDOG},
    sweeps::Swept,
    Case, Kind, Plan,
};
use rayman_sim::verilated::core::VerilatedCore;
use rayman_sim::verilated::Flavour;
use rayman_sim::CoreTransport;
use std::error::Error;
use std::process::ExitCode;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Instant;

const USAGE: &str = "usage: soak [--faults N] [--scenes N] [--bytes N] [--seed N] [--every N] \
    [--only KIND:SEED] [--lanes N] [--jobs N] [--checked] [--verilog FILE]";

/// Cases between two lines of progress.
const LINE: u32 = 500;

struct Options {
    plan: Plan,
    only: Option<Case>,
    lanes: u32,
    jobs: usize,
    flavour: Flavour,
    verilog: Option<String>,
}

fn options(mut arguments: impl Iterator<Item = String>) -> Result<Options, Box<dyn Error>> {
    let jobs = std::thread::available_parallelism().map_or(1, usize::from);
    let plan = Plan { sweep_step: 0, faults: 0, scenes: 0, bytes: 0, seed: 1, watchdog: WATCHDOG };
    let mut options = Options { plan, only: None, lanes: 1, jobs, flavour: Flavour::Fast, verilog: None };
    while let Some(option) = arguments.next() {
        match option.as_str() {
            "--checked" => options.flavour = Flavour::Checked,
            _ => {
                let value = arguments.next().ok_or(USAGE)?;
                let number = || value.parse::<u64>().map_err(|error| format!("{option} {value}: {error}"));
                let small = || Ok::<_, Box<dyn Error>>(u32::try_from(number()?)?);
                match option.as_str() {
                    "--faults" => options.plan.faults = small()?,
                    "--scenes" => options.plan.scenes = small()?,
                    "--bytes" => options.plan.bytes = small()?,
                    "--seed" => options.plan.seed = number()?,
                    "--every" => options.plan.sweep_step = number()?.max(1),
                    "--only" => options.only = Some(value.parse()?),
                    "--lanes" => options.lanes = small()?,
                    "--jobs" => options.jobs = small()? as usize,
                    "--verilog" => {
                        let text = std::fs::read_to_string(&value).map_err(|error| format!("{value}: {error}"))?;
                        options.verilog = Some(text);
                    }
                    _ => return Err(USAGE.into()),
                }
            }
        }
    }
    Ok(options)
}

/// One case, and what it is made of.
fn only(
    case: Case,
    make: impl Fn() -> Result<CoreTransport<VerilatedCore>, DeviceError>,
) -> Result<bool, Box<dyn Error>> {
    let mut rig = Rig::new(make()?);
    let swept = Swept::new(&mut rig)?;
    if let Some(scenario) = soak::scenario(case) {
        println!("{scenario:#x?}");
    }
    let before = rig.core.clocks();
    let result = soak::run_case(&mut rig, &swept, case);
    let clocks = rig.core.clocks() - before;
    match &result {
        Ok(_) => println!("{case}: nothing found in {clocks} clocks"),
        Err(finding) => println!("{case}: {finding} (after {clocks} clocks)"),
    }
    Ok(result.is_ok())
}

fn run(arguments: impl Iterator<Item = String>) -> Result<bool, Box<dyn Error>> {
    let options = options(arguments)?;
    let (lanes, flavour) = (options.lanes, options.flavour);
    let verilog = match options.verilog {
        Some(text) => text,
        None => core_verilog(lanes)?,
    };
    let make = || {
        let core =
            VerilatedCore::build(&verilog, flavour, 1).map_err(|source| DeviceError::Verilator { lanes, source })?;
        Ok(CoreTransport::new(core)?)
    };
    if let Some(case) = options.only {
        return only(case, make);
    }
    let (start, done) = (Instant::now(), AtomicU32::new(0));
    let report = |case: &Case, finding: Option<&soak::finding::Finding>| {
        if let Some(finding) = finding {
            println!("FAILED {case}: {finding}\n  repeat it: cargo xtask soak --lanes {lanes} --only {case}");
        }
        let count = done.fetch_add(1, Ordering::Relaxed) + 1;
        if count.is_multiple_of(LINE) {
            eprintln!("{count} cases, {:.0} s, now at {case}", start.elapsed().as_secs_f64());
        }
    };
    let tally = soak::run(&options.plan, options.jobs, &make, &report)?;
    let seconds = start.elapsed().as_secs_f64();
    for kind in Kind::ALL.into_iter().filter(|kind| tally.of(*kind) > 0) {
        println!("{:>6} cases of {}: {}", tally.of(kind), kind.name(), kind.what());
    }
    if tally.longest_stop > 0 {
        println!("the longest STOP of its sweep took {} clocks to IDLE", tally.longest_stop);
    }
    let cases: u32 = tally.done.iter().sum();
    let rate = tally.clocks as f64 / seconds.max(1e-9);
    println!("{cases} cases, seed {}, {} clocks, {seconds:.0} s, {rate:.0} clocks/s", options.plan.seed, tally.clocks);
    println!("{} hangs, {} mismatches", tally.hangs(), tally.mismatches());
    Ok(tally.failures.is_empty())
}

fn main() -> ExitCode {
    match run(std::env::args().skip(1)) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(error) => {
            eprintln!("error: {error}");
            let mut cause = error.source();
            while let Some(error) = cause {
                eprintln!("  because: {error}");
                cause = error.source();
            }
            ExitCode::from(2)
        }
    }
}
