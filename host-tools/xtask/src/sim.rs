//! `cargo xtask sim`: builds the Verilated core, so that `--device verilator` finds it.

use anyhow::Result;

use crate::process::{cargo, run as run_command};

/// Arguments of `sim`.
#[derive(clap::Args, Default)]
pub struct Args {
    /// Builds the checked core too: assertions, state without a first value from a seed.
    #[arg(long)]
    pub checked: bool,
}

/// Builds it, if it is not built for the present source.
pub fn run(args: &Args) -> Result<()> {
    let mut build = cargo();
    build.args(["run", "--quiet", "-p", "rayman-sim", "--bin", "verilated-core", "--", "build"]);
    if args.checked {
        build.arg("--checked");
    }
    run_command(&mut build)
}
