//! Every chore of the project as one command: `cargo xtask COMMAND`.
//!
//! One module a command. A command says what it runs, stops at the first failure, and names what mends it.
//! Exit codes: 0 all well, 1 a check failed, 2 the command could not do its work (a tool is missing, a file unreadable).

mod absorb;
mod claims;
mod cocotb;
mod datapath;
mod floorplan;
mod formal;
mod gen;
mod links;
mod mutate;
mod opal_kelly;
mod package;
mod process;
mod referee;
mod rtl;
mod setup;
mod shaders;
mod sim;
mod soak;
mod synth;
mod test;
mod tools;
mod workspace;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// The chores of the Rayman workspace.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask", version)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Writes the files that are made from rayman-abi: tables, C header, CMSIS-SVD, Python module.
    Gen(gen::Args),
    /// Checks that every clause in seeds/ and every row of docs/testplan.md names a test that exists.
    CheckSeeds(claims::Args),
    /// Checks that the links between the project's pages lead to files.
    CheckLinks,
    /// Installs what the tests need (Verilator, Icarus Verilog, Yosys, nextpnr) where it is missing.
    Setup(setup::Args),
    /// Writes the core as target/rtl/rayman.v, lints and elaborates it, and prints its area on ECP5.
    Rtl(rtl::Args),
    /// Lints and elaborates the core's Verilog.
    Lint(rtl::LintArgs),
    /// Builds the Verilated core, which `--device verilator` opens.
    Sim(sim::Args),
    /// Faults at every clock and beat of a small frame, random faults, scenes and descriptors, on the Verilated core.
    Soak(soak::Args),
    /// Compares RDNA 2's disassembly with LLVM's; holds the descriptors that are found in shaders against what runs on random
    /// inputs use; prints counts and times.
    Shaders(shaders::Args),
    /// Reports units, utilization, delays and latency of a datapath at an interval; draws its schedule; checks it.
    Datapath(datapath::Args),
    /// Proves properties of the core's blocks, and refutes broken copies of them: a line each.
    Formal(formal::Args),
    /// Writes the core as an IP block in target/ip (IP-XACT, Zynq block design, UIO overlay) and checks it.
    Package(package::Args),
    /// Writes the project of an Opal Kelly board in target/opal-kelly (Verilog, constraints, script) and checks it.
    OpalKelly(opal_kelly::Args),
    /// Synthesises, places and routes the core for an ECP5-85F.
    Synth(synth::Args),
    /// Synthesises, places and routes a block or an operator by itself.
    SynthOp(synth::OpArgs),
    /// Judges a Verilated operator by the vectors that Berkeley `testfloat_gen` prints, read from standard input.
    Testfloat(referee::TestfloatArgs),
    /// Judges a Verilated operator with one operand by the host's arithmetic, on all 2^32 operands.
    Exhaustive(referee::ExhaustiveArgs),
    /// Breaks blocks in many small ways, with Yosys, and counts how many of these mutants the tests notice.
    Mutate(mutate::Args),
    /// Runs the core before cocotbext-axi's buses, on Verilator and on Icarus Verilog; prints what passed and what failed.
    Cocotb(cocotb::Args),
    /// Sets up, then runs every check and every test of the project.
    Test(test::Args),
    /// The same as `test`: what continuous integration runs.
    Ci(test::Args),
}

fn main() -> ExitCode {
    let result = match Cli::parse().command {
        Command::Gen(args) => gen::run(&args),
        Command::CheckSeeds(args) => claims::run(&args),
        Command::CheckLinks => links::run(),
        Command::Setup(args) => setup::run(&args),
        Command::Rtl(args) => rtl::run(&args),
        Command::Lint(args) => rtl::lint(&args),
        Command::Sim(args) => sim::run(&args),
        Command::Soak(args) => soak::run(&args),
        Command::Shaders(args) => shaders::run(&args),
        Command::Datapath(args) => datapath::run(&args),
        Command::Formal(args) => formal::run(&args),
        Command::Package(args) => package::run(&args),
        Command::OpalKelly(args) => opal_kelly::run(&args),
        Command::Synth(args) => synth::run(&args),
        Command::SynthOp(args) => synth::run_op(&args),
        Command::Testfloat(args) => referee::testfloat(&args),
        Command::Exhaustive(args) => referee::exhaustive(&args),
        Command::Cocotb(args) => cocotb::run(&args),
        Command::Mutate(args) => mutate::run(&args),
        Command::Test(args) | Command::Ci(args) => test::run(&args),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            // A check that found something is not the same as a check that could not be made.
            if error.downcast_ref::<CheckFailed>().is_some() {
                ExitCode::from(1)
            } else {
                ExitCode::from(2)
            }
        }
    }
}

/// A check was made and found something wrong.
#[derive(Debug)]
pub struct CheckFailed(pub String);

impl std::fmt::Display for CheckFailed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for CheckFailed {}
