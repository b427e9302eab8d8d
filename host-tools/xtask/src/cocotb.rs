//! `cargo xtask cocotb`: the emitted core before buses that are not ours, cocotbext-axi's, on Verilator and on Icarus Verilog.
//!
//! ```text
//!  rayman-rtl emit ----------> target/rtl/rayman.v ---------+--> sim/cocotb/run.py --> counts
//!  rayman-tools cocotb-cases -> target/cocotb/cases.json ---'    (a process a simulator)
//! ```

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use anyhow::{bail, Context, Result};
use clap::ValueEnum;

use crate::process::{announce, answers, cargo, command, run as run_command};
use crate::tools::{emit, CORE};
use crate::{workspace, CheckFailed};

/// Folder of the suite, and of what it makes.
const SUITE: &str = "sim/cocotb";
const FOLDER: &str = "target/cocotb";
/// What continuous integration runs, by simulator: Icarus Verilog takes a hundred times as long for a clock as Verilator.
const SHARE_ON_VERILATOR: &str = "registers_after_reset|unaligned_and_partial_accesses|frame_on_a_quiet_axi_ram\
    |frame_with_pauses.*=(single_sphere|first_light|inside_sphere|empty|stream_only|framebuffer_only)\
    |frame_on_a_slow_memory|error.*=(scene_slverr|sphere_decerr|write_decerr|material_id)\
    |stop_at_any_time|the_interrupt_pin|busy_ignores_run_and_later_registers|reset_in_mid_frame";
const SHARE_ON_ICARUS: &str = "registers_after_reset|frame_on_a_quiet_axi_ram|frame_with_pauses.*=tiny";
const SHARE_OF_BROKEN: &str = "wrong_id";

/// A simulator that cocotb drives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Simulator {
    /// Compiles the core; two states.
    Verilator,
    /// Interprets it; four states, so that an X shows.
    Icarus,
}

impl Simulator {
    fn name(self) -> &'static str {
        match self {
            Simulator::Verilator => "verilator",
            Simulator::Icarus => "icarus",
        }
    }

    fn share(self) -> &'static str {
        match self {
            Simulator::Verilator => SHARE_ON_VERILATOR,
            Simulator::Icarus => SHARE_ON_ICARUS,
        }
    }
}

/// Arguments of `cocotb`.
#[derive(clap::Args, Default)]
pub struct Args {
    /// Runs on this simulator only.
    #[arg(long)]
    pub simulator: Option<Simulator>,
    /// Runs only the tests whose name this regular expression matches.
    #[arg(long)]
    pub tests: Option<String>,
    /// Chooses other pauses and latencies.
    #[arg(long)]
    pub seed: Option<u32>,
    /// Runs what continuous integration runs: most on Verilator, little on Icarus Verilog.
    #[arg(long, conflicts_with_all = ["simulator", "tests"])]
    pub share: bool,
}

/// Runs the suite, and shows that broken cores fail it.
pub fn run(args: &Args) -> Result<()> {
    run_command(python()?.args(["-m", "unittest", "-q", "test_protocol"]))?;
    let verilog = emit(CORE, CORE, &[])?;
    let cases = cases()?;
    let suite = |simulator: Simulator, tests: Option<&str>| -> Result<Command> {
        let mut suite = python()?;
        suite.arg("run.py").args(["--simulator", simulator.name()]);
        suite.arg("--verilog").arg(&verilog).arg("--cases").arg(&cases);
        suite.arg("--folder").arg(workspace::root().join(FOLDER).join(simulator.name()));
        if let Some(tests) = tests {
            suite.args(["--tests", tests]);
        }
        if let Some(seed) = args.seed {
            suite.env("RAYMAN_SEED", seed.to_string());
        }
        Ok(suite)
    };
    let mut failed = Vec::new();
    for simulator in [Simulator::Verilator, Simulator::Icarus] {
        if args.simulator.is_some_and(|only| only != simulator) {
            continue;
        }
        let tests = if args.share { Some(simulator.share()) } else { args.tests.as_deref() };
        if !passes(&mut suite(simulator, tests)?)? {
            failed.push(simulator.name());
        }
    }
    // Whoever asks for some tests does not ask whether the suite can fail.
    let whole = args.tests.is_none() && args.simulator != Some(Simulator::Verilator);
    let cores = args.share.then_some(SHARE_OF_BROKEN);
    if whole && !passes(suite(Simulator::Icarus, cores)?.arg("--broken"))? {
        failed.push("a broken core is not noticed");
    }
    if failed.is_empty() {
        return Ok(());
    }
    Err(CheckFailed(format!("the cocotb suite fails: {}", failed.join(", "))).into())
}

/// Python of the virtual environment, in the suite's folder; it leaves nothing there.
fn python() -> Result<Command> {
    let python = workspace::venv().join("bin/python");
    if !answers(&python, &["-c", "import cocotb, cocotbext.axi, verilator"])? {
        bail!("cocotb is not installed\nhelp: `cargo xtask setup` installs it");
    }
    let mut python = command(python);
    python.arg("-B").current_dir(workspace::root().join(SUITE));
    Ok(python)
}

/// Frames with what the model makes of them, as a file.
fn cases() -> Result<PathBuf> {
    let mut example = cargo();
    example.args(["run", "--quiet", "--package", "rayman-tools", "--example", "cocotb-cases"]);
    announce("cargo run --package rayman-tools --example cocotb-cases");
    let output = example.stderr(Stdio::inherit()).output().context("cannot start cargo")?;
    if !output.status.success() {
        return Err(CheckFailed("the model does not render the suite's frames".to_owned()).into());
    }
    let folder = workspace::root().join(FOLDER);
    fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let file = folder.join("cases.json");
    fs::write(&file, output.stdout).with_context(|| format!("cannot write {}", file.display()))?;
    Ok(file)
}

/// Runs a part of the suite. Exit code 1: tests have failed; any other: it could not be run.
fn passes(suite: &mut Command) -> Result<bool> {
    let status = suite.status().context("cannot start Python")?;
    match status.code() {
        Some(0) => Ok(true),
        Some(1) => Ok(false),
        _ => bail!("the cocotb suite could not be run ({status})"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_share_names_what_is_there() {
        let text = |file: &str| fs::read_to_string(workspace::root().join(SUITE).join(file)).expect("the suite");
        let tests = text("test_rayman.py");
        // Frames stand in parentheses behind their test.
        for share in [SHARE_ON_VERILATOR, SHARE_ON_ICARUS] {
            let mut depth = 0;
            let outside: String = share
                .chars()
                .filter(|letter| {
                    depth += i32::from(*letter == '(') - i32::from(*letter == ')');
                    depth == 0
                })
                .collect();
            for name in outside.split('|').filter_map(|pattern| pattern.split(".*").next()) {
                assert!(tests.contains(&format!("\nasync def {name}(bench")), "{name} is no test of the suite");
            }
        }
        for core in SHARE_OF_BROKEN.split('|') {
            assert!(text("broken.py").contains(&format!("(\"{core}\", ")), "{core} is no broken core");
        }
    }

    #[test]
    fn failed_tests_are_no_error_of_the_suite() {
        let ends_with = |code: u8| passes(command("sh").args(["-c", &format!("exit {code}")]));
        assert!(ends_with(0).expect("it ran"));
        assert!(!ends_with(1).expect("it ran"));
        ends_with(2).expect_err("it did not run");
    }
}
