//! `cargo xtask shaders`: RDNA 2's disassembly before LLVM's, on every opcode and on shaders of LLVM and of RADV; then descriptors that are
//! found in shaders, before runs on random inputs. With `--speed`: how long much code takes. The work is done by tests of
//! rayman-rdna2 and by its examples `execute` and `speed`.

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
    /// Instead: how long ten megabytes of code take, in several shapes.
    #[arg(long, conflicts_with_all = ["inputs", "seed"])]
    pub speed: bool,
}

/// Runs it.
pub fn run(args: &Args) -> Result<()> {
    if args.speed {
        announce("how long much code takes, in seconds of processor time");
        return run_command(cargo().args(["run", "--quiet", "-p", "rayman-rdna2", "--example", "speed"]));
    }
    announce("disassembly before LLVM's");
    let tests = ["test", "--quiet", "-p", "rayman-rdna2", "--test", "disassembly", "--test", "radv"];
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

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::Args;

    #[derive(Parser)]
    struct Alone {
        #[command(flatten)]
        args: Args,
    }

    #[test]
    fn speed_takes_no_inputs() {
        let parse = |arguments: &[&str]| {
            Alone::try_parse_from([&["shaders"], arguments].concat()).map(|alone| alone.args.speed)
        };
        assert_eq!(parse(&["--speed"]).ok(), Some(true));
        assert_eq!(parse(&["--inputs", "3", "--seed", "2"]).ok(), Some(false));
        for other in ["--inputs", "--seed"] {
            let error = parse(&["--speed", other, "3"]).expect_err("refused");
            assert_eq!(error.kind(), clap::error::ErrorKind::ArgumentConflict);
        }
    }
}
