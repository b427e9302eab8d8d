//! `cargo xtask soak`: faults at every clock and beat of a small frame, random faults, random scenes and descriptors of
//! random bytes, on the Verilated core. The work is done by the binary `soak` of rayman-sim.

use anyhow::{bail, Context, Result};
use std::path::PathBuf;

use crate::process::{announce, cargo};
use crate::CheckFailed;

/// Arguments of `soak`. Without any of `--faults`, `--scenes`, `--bytes`, `--sweeps`: everything.
#[derive(clap::Args)]
pub struct Args {
    /// Random faults: refused and stalled transfers, resets, STOP, register traffic. 2000 if none of the four is given.
    #[arg(long, value_name = "COUNT")]
    pub faults: Option<u32>,
    /// Random valid scenes of up to 64x64 pixels; 2000.
    #[arg(long, value_name = "COUNT")]
    pub scenes: Option<u32>,
    /// Scenes whose descriptors are random bytes; 500.
    #[arg(long, value_name = "COUNT")]
    pub bytes: Option<u32>,
    /// STOP, reset, RUN and register writes at every clock, SLVERR and DECERR on every beat of an 8x6 frame.
    #[arg(long)]
    pub sweeps: bool,
    /// Of the sweeps, only every so many clocks and beats.
    #[arg(long, value_name = "STEP")]
    pub every: Option<u64>,
    /// Where the random cases come from.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Runs this case alone, as a failed one is named: KIND:SEED.
    #[arg(long, value_name = "KIND:SEED")]
    pub only: Option<String>,
    /// Lanes of the core.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=4))]
    pub lanes: u32,
    /// Threads, each with a core of its own; one for each processor if not given.
    #[arg(long)]
    pub jobs: Option<u32>,
    /// The core with assertions, and with state without a first value from a seed.
    #[arg(long)]
    pub checked: bool,
    /// Tests the module `rayman` of this file instead of the core.
    #[arg(long, value_name = "FILE")]
    pub verilog: Option<PathBuf>,
}

/// Runs it.
pub fn run(args: &Args) -> Result<()> {
    let mut soak = cargo();
    soak.args(["run", "--quiet", "-p", "rayman-sim", "--bin", "soak", "--"]);
    let mut option = |name: &str, value: String| {
        soak.args([name, &value]);
    };
    option("--seed", args.seed.to_string());
    option("--lanes", args.lanes.to_string());
    let all =
        args.faults.is_none() && args.scenes.is_none() && args.bytes.is_none() && !args.sweeps && args.only.is_none();
    for (name, count, usual) in
        [("--faults", args.faults, 2000), ("--scenes", args.scenes, 2000), ("--bytes", args.bytes, 500)]
    {
        if let Some(count) = count.or(all.then_some(usual)) {
            option(name, count.to_string());
        }
    }
    if let Some(jobs) = args.jobs {
        option("--jobs", jobs.to_string());
    }
    if let Some(case) = &args.only {
        option("--only", case.clone());
    }
    if args.sweeps || all {
        option("--every", args.every.unwrap_or(1).to_string());
    }
    if args.checked {
        soak.arg("--checked");
    }
    if let Some(file) = &args.verilog {
        // The file is named from where the command is given, not from the workspace's root.
        soak.arg("--verilog").arg(std::path::absolute(file).with_context(|| file.display().to_string())?);
    }
    announce("soak: the Verilated core is built first, if it is not there");
    let status = soak.status().context("cannot start cargo for the soak")?;
    match status.code() {
        Some(0) => Ok(()),
        Some(1) => Err(CheckFailed("the soak found something: see above".into()).into()),
        _ => bail!("the soak could not be run ({status})"),
    }
}
