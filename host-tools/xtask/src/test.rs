//! `cargo xtask test`: every check and every test, the quick ones first; the test runner's own lines come last.

use std::time::Instant;

use anyhow::Result;

use crate::process::{announce, answers, cargo, run as run_command};
use crate::{claims, cocotb, formal, gen, links, mutate, package, rtl, setup, sim};

/// Arguments of `test` and `ci`.
#[derive(clap::Args)]
pub struct Args {
    /// Takes the machine as it is; a test whose tool is missing will fail and say so.
    #[arg(long)]
    pub no_setup: bool,
    /// Also synthesises the whole core, which takes minutes; without it only the adder and the multiplier.
    #[arg(long)]
    pub synth: bool,
}

/// Runs everything.
pub fn run(args: &Args) -> Result<()> {
    if !args.no_setup {
        step("tools", || setup::run(&setup::Args::default()))?;
    }
    step("made files", || gen::run(&gen::Args { check: true }))?;
    step("clauses and test plan", || claims::run(&claims::Args::default()))?;
    step("links", links::run)?;
    step("format", || optional("rustfmt", &["fmt", "--version"], &["fmt", "--all", "--check"]))?;
    step("lint", || {
        let lint = ["clippy", "--workspace", "--all-targets", "--quiet", "--", "-D", "warnings"];
        optional("clippy", &["clippy", "--version"], &lint)
    })?;
    step("Verilated core", || sim::run(&sim::Args { lanes: vec![1], checked: true }))?;
    step("Verilog", || rtl::run(&rtl::Args { no_synth: !args.synth }))?;
    step("IP package", || package::run(&package::Args { lanes: 1, no_check: false }))?;
    step("proofs", || formal::run(&formal::Args::default()))?;
    step("operators' size", || ["fp_add", "fp_mul"].into_iter().try_for_each(rtl::size))?;
    step("the tests' build", || run_command(cargo().args(["test", "--workspace", "--no-run", "--quiet"])))?;
    step("named tests are built", || claims::run(&claims::Args { built: true }))?;
    step("mutants", || mutate::run(&mutate::Args { share: true, ..mutate::Args::default() }))?;
    step("cocotb", || cocotb::run(&cocotb::Args { share: true, ..cocotb::Args::default() }))?;
    // A failing test does not hide the ones after it.
    run_command(cargo().args(["test", "--workspace", "--no-fail-fast"]))
}

/// Runs a step and says how long it took.
fn step(name: &str, work: impl FnOnce() -> Result<()>) -> Result<()> {
    let start = Instant::now();
    announce(name);
    work()?;
    announce(&format!("{name}: {:.1} s", start.elapsed().as_secs_f64()));
    Ok(())
}

/// Runs a part of the toolchain that a machine may lack, and says so where it does.
fn optional(component: &str, question: &[&str], arguments: &[&str]) -> Result<()> {
    if answers(cargo().get_program(), question)? {
        return run_command(cargo().args(arguments));
    }
    announce(&format!("NOT CHECKED: this toolchain has no {component}"));
    Ok(())
}
