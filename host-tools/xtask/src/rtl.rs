//! `cargo xtask rtl`: the core as Verilog, read by three tools that know nothing of each other. `cargo xtask lint`: the
//! same without synthesis.

use anyhow::Result;

use crate::process::{announce, cargo, run as run_command};
use crate::tools::{emit, synthesise, tool, CORE, FOLDER};

/// Arguments of `rtl`.
#[derive(clap::Args, Default)]
pub struct Args {
    /// Leaves out Yosys, which takes minutes.
    #[arg(long)]
    pub no_synth: bool,
}

/// Arguments of `lint`.
#[derive(clap::Args, Default)]
pub struct LintArgs {}

/// Emits, lints, elaborates, synthesises.
pub fn run(args: &Args) -> Result<()> {
    let file = emit(CORE, CORE, &[])?;
    announce(&format!("the core is in {}", file.display()));
    check()?;
    if !args.no_synth {
        println!("{CORE}: {}", synthesise(CORE, CORE, CORE)?);
    }
    Ok(())
}

/// Emits, lints, elaborates.
pub fn lint(_: &LintArgs) -> Result<()> {
    run(&Args { no_synth: true })
}

/// Emits and synthesises an operator or a block, and prints its size.
pub fn size(name: &str) -> Result<()> {
    emit(name, name, &[])?;
    println!("{name}: {}", synthesise(name, name, name)?);
    Ok(())
}

/// Verilator's warnings, with those on arithmetic in another width fatal; Icarus Verilog's elaboration.
fn check() -> Result<()> {
    let source = format!("{CORE}.v");
    // The rules of what is fatal are those of the simulator's build: one program knows them.
    let path = format!("{FOLDER}/{source}");
    run_command(cargo().args(["run", "--quiet", "-p", "rayman-sim", "--bin", "verilated-core", "--", "lint", &path]))?;
    let mut icarus = tool("iverilog", &["-V"])?;
    run_command(icarus.args(["-g2005", "-Wall", "-Wno-timescale", "-t", "null", "-s", CORE, &source]))
}
