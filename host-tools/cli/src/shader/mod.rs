//! `rayman shader`: looks into RDNA 2 shaders.

mod computed;
mod descriptors;
mod disasm;
mod input;
mod picture;

use std::io::Write;
use std::path::PathBuf;

use clap::{Args, Subcommand};
use rayman_rdna2::trace::{self, Options};

use crate::output_file::OutputFile;
use computed::Known;
use input::Input;

/// What to do with a shader.
#[derive(Debug, Subcommand)]
pub enum Shader {
    /// Shows the instructions, in the syntax of LLVM's assembler
    Disasm(disasm::Disasm),
    /// Draws the control-flow graph, with accesses and where their descriptors lie
    Cfg(Cfg),
    /// Says of each access where its descriptor lies, and with user data or memory what it is, or why that is not known
    Descriptors(Descriptors),
}

/// Most scalar registers that hold user data.
const MOST_USER_REGISTERS: i64 = 106;

/// What the stage is known to be seeded with.
#[derive(Debug, Args)]
struct Seeded {
    /// Scalar registers, from s0 up, that hold user data at the start
    #[arg(long, value_name = "N", default_value_t = Options::default().user_registers, value_parser = clap::value_parser!(u8).range(0..=MOST_USER_REGISTERS))]
    user_registers: u8,
}

impl Seeded {
    fn options(&self) -> Options {
        Options { user_registers: self.user_registers }
    }
}

/// Arguments of `rayman shader cfg`.
#[derive(Debug, Args)]
pub struct Cfg {
    #[command(flatten)]
    input: Input,
    #[command(flatten)]
    seeded: Seeded,
    /// The picture
    #[arg(long, value_name = "FILE")]
    svg: PathBuf,
}

/// Arguments of `rayman shader descriptors`.
#[derive(Debug, Args)]
pub struct Descriptors {
    #[command(flatten)]
    input: Input,
    #[command(flatten)]
    seeded: Seeded,
    #[command(flatten)]
    known: Known,
    /// Print an object instead of text
    #[arg(long)]
    json: bool,
}

impl Shader {
    /// Does what the arguments say.
    pub fn run(self, out: &mut dyn Write) -> anyhow::Result<()> {
        match self {
            Self::Disasm(args) => args.run(out),
            Self::Cfg(args) => {
                let picture = OutputFile::new(&args.svg, "graph", "svg")?;
                let shader = args.input.load()?;
                let cfg = shader.cfg()?;
                let found = trace::descriptors(&cfg, args.seeded.options());
                let text = picture::svg(&shader.name, &cfg, &found)?;
                picture.write(text.as_bytes())?;
                let (blocks, loops) = (cfg.order().len(), cfg.heads().len());
                writeln!(out, "{}: {blocks} blocks, {loops} loops, {} accesses", shader.name, found.accesses.len())?;
                Ok(())
            }
            Self::Descriptors(args) => {
                let shader = args.input.load()?;
                let cfg = shader.cfg()?;
                let found = trace::descriptors(&cfg, args.seeded.options());
                let computed = args.known.run(&cfg)?;
                if args.json {
                    return descriptors::json(&cfg, &found, computed.as_ref(), out);
                }
                descriptors::text(&cfg, &found, out)?;
                match computed {
                    Some(computed) => computed.text(out),
                    None => Ok(()),
                }
            }
        }
    }
}
