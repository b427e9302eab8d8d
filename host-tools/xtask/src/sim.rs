//! `cargo xtask sim`: builds the Verilated core, so that `--device verilator` finds it. A library a number of lanes.

use anyhow::Result;

use crate::process::{cargo, run as run_command};

/// Arguments of `sim`.
#[derive(clap::Args)]
pub struct Args {
    /// Lanes of the core, 1 to 4; several numbers build several cores.
    #[arg(long, value_delimiter = ',', default_values_t = [1])]
    pub lanes: Vec<u32>,
    /// Builds the checked core too: assertions, state without a first value from a seed.
    #[arg(long)]
    pub checked: bool,
}

/// Builds it, if it is not built for the present source.
pub fn run(args: &Args) -> Result<()> {
    for lanes in &args.lanes {
        let mut build = cargo();
        build.args([
            "run",
            "--quiet",
            "-p",
            "rayman-sim",
            "--bin",
            "verilated-core",
            "--",
            "build",
            &lanes.to_string(),
        ]);
        if args.checked {
            build.arg("--checked");
        }
        run_command(&mut build)?;
    }
    Ok(())
}
