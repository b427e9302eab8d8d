//! `cargo xtask testfloat OP`, `cargo xtask exhaustive OP`: an operator's Verilog before vectors and answers that are not
//! ours. The work is done by the binaries of rayman-sim with these names.

use std::path::PathBuf;
use std::process::Command;

use anyhow::{bail, Context, Result};

use crate::process::cargo;
use crate::CheckFailed;

/// Arguments of `testfloat`.
#[derive(clap::Args)]
pub struct TestfloatArgs {
    /// The operator, by TestFloat's name: f32_add, f32_sub, f32_mul, f32_div, f32_sqrt, f32_lt, f32_le, f32_eq,
    /// i32_to_f32, or f32_to_i32 (vectors made with -rminMag).
    pub op: String,
    /// Judges the module of this file instead of the operator's own.
    #[arg(long)]
    pub verilog: Option<PathBuf>,
}

/// Arguments of `exhaustive`.
#[derive(clap::Args)]
pub struct ExhaustiveArgs {
    /// The operator: f32_sqrt, i32_to_f32 or f32_to_i32.
    pub op: String,
    /// The first operand, as the integer that its bits are.
    #[arg(long)]
    pub first: Option<String>,
    /// How many operands; without it, all from the first on.
    #[arg(long)]
    pub count: Option<String>,
    /// Threads; without it, one for each processor.
    #[arg(long)]
    pub threads: Option<String>,
    /// Judges the module of this file instead of the operator's own.
    #[arg(long)]
    pub verilog: Option<PathBuf>,
}

/// Runs the vectors of standard input.
pub fn testfloat(args: &TestfloatArgs) -> Result<()> {
    let mut command = binary("testfloat", &args.op);
    add_file(&mut command, args.verilog.as_ref())?;
    judge(command, "testfloat")
}

/// Runs all operands, or a part of them.
pub fn exhaustive(args: &ExhaustiveArgs) -> Result<()> {
    let mut command = binary("exhaustive", &args.op);
    for (option, value) in [("--first", &args.first), ("--count", &args.count), ("--threads", &args.threads)] {
        if let Some(value) = value {
            command.args([option, value]);
        }
    }
    add_file(&mut command, args.verilog.as_ref())?;
    judge(command, "exhaustive")
}

fn binary(name: &str, op: &str) -> Command {
    let mut command = cargo();
    command.args(["run", "--quiet", "-p", "rayman-sim", "--bin", name, "--", op]);
    command
}

/// A file named from where the caller is: the command starts elsewhere.
fn add_file(command: &mut Command, file: Option<&PathBuf>) -> Result<()> {
    if let Some(file) = file {
        let path = std::path::absolute(file).with_context(|| format!("{}", file.display()))?;
        command.arg("--verilog").arg(path);
    }
    Ok(())
}

/// Exit code 1 is a judgement, any other failure is none.
fn judge(mut command: Command, name: &str) -> Result<()> {
    let status = command.status().with_context(|| format!("cannot start cargo for `{name}`"))?;
    match status.code() {
        Some(0) => Ok(()),
        Some(1) => Err(CheckFailed(format!("{name}: the operator is not what it should be")).into()),
        _ => bail!("{name} could not judge the operator ({status})"),
    }
}
