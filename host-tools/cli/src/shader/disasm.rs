//! `rayman shader disasm`: a shader's instructions.

use std::io::Write;

use clap::Args;
use rayman_rdna2::isa::Flow;
use rayman_rdna2::{Decoder, Instruction, Program, RegisterSet};
use serde::Serialize;

use super::input::Input;
use crate::failure::Failure;

/// Arguments of the command.
#[derive(Debug, Args)]
pub struct Disasm {
    #[command(flatten)]
    input: Input,
    /// Print an object with a list of instructions: what each reads, writes, and where it leads
    #[arg(long)]
    json: bool,
}

/// An instruction as JSON has it.
#[derive(Serialize)]
struct Row {
    /// Byte offset in the code.
    offset: u64,
    /// Its words.
    words: Vec<String>,
    /// None where the table has no name for it.
    opcode: Option<&'static str>,
    encoding: Option<String>,
    text: String,
    reads: Vec<String>,
    writes: Vec<String>,
    /// Byte offset that it may branch to.
    #[serde(skip_serializing_if = "Option::is_none")]
    target: Option<u64>,
}

#[derive(Serialize)]
struct Document {
    bytes: usize,
    unknown: usize,
    symbols: Vec<Label>,
    instructions: Vec<Row>,
}

#[derive(Serialize)]
struct Label {
    name: String,
    offset: u64,
    size: u64,
}

impl Disasm {
    pub(super) fn run(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        let program = self.input.program()?;
        let decoded = Decoder::new(&program.code, self.input.wave()).collect::<Result<Vec<_>, _>>();
        let instructions = decoded.map_err(|error| {
            Failure::new(error.to_string(), "the file ends too early, or holds data where it should hold code")
        })?;
        if self.json {
            return json(&program, &instructions, out);
        }
        text(&program, &instructions, out)
    }
}

/// The words of an instruction.
fn words(program: &Program, instruction: &Instruction) -> Vec<String> {
    let start = instruction.offset as usize;
    let bytes = program.code.get(start..start + usize::from(instruction.size)).unwrap_or_default();
    bytes.chunks_exact(4).map(|word| format!("{:02x}{:02x}{:02x}{:02x}", word[3], word[2], word[1], word[0])).collect()
}

fn unknown(instructions: &[Instruction]) -> usize {
    instructions.iter().filter(|instruction| instruction.opcode.is_none()).count()
}

fn text(program: &Program, instructions: &[Instruction], out: &mut dyn Write) -> anyhow::Result<()> {
    let mut symbols = program.symbols.iter().peekable();
    for instruction in instructions {
        while let Some(symbol) = symbols.next_if(|symbol| symbol.offset <= instruction.offset) {
            writeln!(out, "{}:", symbol.name)?;
        }
        let words = words(program, instruction).join(" ");
        writeln!(out, "  {:<60} ; {:06x}: {words}", instruction.to_string(), instruction.offset)?;
    }
    writeln!(
        out,
        "; {} instructions, {} without a name, {} bytes",
        instructions.len(),
        unknown(instructions),
        program.code.len()
    )?;
    Ok(())
}

fn json(program: &Program, instructions: &[Instruction], out: &mut dyn Write) -> anyhow::Result<()> {
    let names = |set: RegisterSet| set.iter().map(|register| register.to_string()).collect();
    let row = |instruction: &Instruction| Row {
        offset: instruction.offset,
        words: words(program, instruction),
        opcode: instruction.opcode.map(|opcode| opcode.name()),
        encoding: instruction.encoding.map(|encoding| format!("{encoding:?}").to_uppercase()),
        text: instruction.to_string(),
        reads: names(instruction.reads()),
        writes: names(instruction.writes()),
        target: match instruction.flow() {
            Flow::Branch { target } | Flow::Conditional { target, .. } | Flow::Call { target } => Some(target),
            _ => None,
        },
    };
    let label =
        |symbol: &rayman_rdna2::Symbol| Label { name: symbol.name.clone(), offset: symbol.offset, size: symbol.size };
    let document = Document {
        bytes: program.code.len(),
        unknown: unknown(instructions),
        symbols: program.symbols.iter().map(label).collect(),
        instructions: instructions.iter().map(row).collect(),
    };
    serde_json::to_writer_pretty(&mut *out, &document).map_err(std::io::Error::from)?;
    writeln!(out)?;
    Ok(())
}
