//! `cargo xtask shaders`: RDNA 2's disassembly before LLVM's, on every opcode and on compiled shaders, and how long much code takes;
//! then descriptors that are found in shaders, before runs on random inputs. The work is done by tests of rayman-rdna2 and by its
//! example `execute`.

use anyhow::{bail, Context, Result};

use crate::process::{announce, cargo, run as run_command};
use crate::CheckFailed;

/// Arguments of `shaders`.
#[derive(clap::Args)]
pub struct Args {
    /// Random inputs, spread evenly over the shaders.
    #[arg(long, default_value_t = 10_000)]
    pub inputs: u64,
    /// Where they come from.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
}

/// Runs it.
pub fn run(args: &Args) -> Result<()> {
    announce("disassembly before LLVM's");
    let tests = ["test", "--quiet", "-p", "rayman-rdna2", "--test", "disassembly", "--test", "robust"];
    run_command(cargo().args(tests).args(["--", "--nocapture", "--test-threads", "1"]))?;
    announce("descriptors of every shader before runs on random inputs");
    let mut execute = cargo();
    execute.args(["run", "--quiet", "-p", "rayman-rdna2", "--example", "execute", "--"]);
    execute.args([args.inputs.to_string(), args.seed.to_string()]);
    let status = execute.status().context("cannot start cargo")?;
    match status.code() {
        Some(0) => Ok(()),
        Some(1) => Err(CheckFailed("a descriptor was found that a run does not use".into()).into()),
        _ => bail!("the example `execute` of rayman-rdna2 did not run to its end"),
    }
}
