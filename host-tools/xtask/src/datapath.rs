//! `cargo xtask datapath KERNEL --ii N`: what the datapath compiler makes of a kernel at an interval.
//!
//! The report always; with `--svg FILE` the schedule as a picture, with `--check COUNT` so many results of the emitted
//! Verilog, as a stream with random stalls, against the model.

use std::fs;
use std::path::PathBuf;
use std::process::Stdio;

use anyhow::{ensure, Context, Result};

use crate::process::{announce, cargo, run as run_command};
use crate::CheckFailed;

/// Arguments of `datapath`.
#[derive(clap::Args)]
pub struct Args {
    /// A kernel of the core: sphere_hit, shade, primary_ray, camera; or a single operation: min, max, select, to_fx1_7,
    /// to_colour8, reciprocal_sqrt.
    pub kernel: String,
    /// Clocks between starts; without it, as in the core.
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=64))]
    pub ii: Option<u32>,
    /// Draws the schedule there: rows are units, columns clocks, boxes operations.
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
    /// Compares so many results with the model, in Verilator; prints `N passed, M failed`.
    #[arg(long, value_name = "COUNT", requires = "ii", value_parser = clap::value_parser!(u64).range(1..))]
    pub check: Option<u64>,
}

/// Reports, draws, checks.
pub fn run(args: &Args) -> Result<()> {
    print!("{}", printed(args, None)?);
    if let Some(file) = &args.svg {
        // The file is named from where the command is given, not from the workspace's root.
        fs::write(file, printed(args, Some("--svg"))?).with_context(|| format!("cannot write {}", file.display()))?;
        announce(&format!("the schedule is in {}", file.display()));
    }
    if let (Some(count), Some(ii)) = (args.check, args.ii) {
        let mut check = cargo();
        check.args(["run", "--quiet", "--package", "rayman-sim", "--bin", "datapath-check", "--", &args.kernel]);
        run_command(check.args([ii.to_string(), count.to_string()]))?;
    }
    Ok(())
}

/// What the compiler's own program prints.
fn printed(args: &Args, option: Option<&str>) -> Result<String> {
    let mut command = cargo();
    command.args(["run", "--quiet", "--package", "rayman-rtl", "--bin", "datapath", "--", &args.kernel]);
    command.args(args.ii.map(|ii| ii.to_string()));
    command.args(option);
    let output = command.stderr(Stdio::inherit()).output().context("cannot start cargo")?;
    if !output.status.success() {
        return Err(CheckFailed(format!("the datapath compiler does not take `{}`", args.kernel)).into());
    }
    let text = String::from_utf8(output.stdout).context("the datapath compiler printed no text")?;
    ensure!(!text.is_empty(), "the datapath compiler printed nothing");
    Ok(text)
}
