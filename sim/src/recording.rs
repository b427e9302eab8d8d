//! What a block was shown and what it answered, clock by clock, in files: the stimulus of the tests, for mutants of the block.
//!
//! With `RAYMAN_RECORD=FOLDER` the comparisons of `sim/tests` leave four files there, `cargo xtask mutate` asks for it:
//!
//! - `TOP.v`: the block's Verilog.
//! - `TOP.trace`: the inputs of every clock, and the outputs that the in-crate simulation (of operators: the host's arithmetic)
//!   had. Three lines of text, names of inputs, names of outputs and `before` or `after`, and then little-endian words of
//!   64 bits, for each clock: the inputs, the outputs, and for each output 1 if it means something and else 0.
//! - `TOP.start`: what the registers held before the first clock, a line `NAME VALUE` each; empty if the stimulus resets them.
//! - `TOP.miter.v`: two copies of the block that must agree as the test wants it, for proofs: see [`miter`].

pub mod miter;

use crate::verilated::block::Sample;
use crate::verilated::{Flavour, VerilatedBlock, VerilatorError};
use miter::Rules;
use rayman_rtl::emit::{self, EmitError};
use std::path::{Path, PathBuf};

/// A trace is not there, or is none.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RecordingError {
    /// The file cannot be read or written.
    #[error("{}: {source}", path.display())]
    File {
        /// Which.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// It is no trace.
    #[error("{}: {what}", path.display())]
    Form {
        /// Which.
        path: PathBuf,
        /// What is wrong with it.
        what: &'static str,
    },
    /// The block has other ports than the trace.
    #[error("the ports of `{top}` are not the trace's: {found:?}, not {wanted:?}")]
    Ports {
        /// Top module.
        top: String,
        /// The module's.
        found: Vec<String>,
        /// The trace's.
        wanted: Vec<String>,
    },
    /// The block's ports cannot be read.
    #[error(transparent)]
    Verilog(#[from] EmitError),
    /// The model cannot be built or run.
    #[error(transparent)]
    Verilator(#[from] VerilatorError),
}

/// A block's clocks.
pub struct Recording {
    inputs: Vec<String>,
    outputs: Vec<String>,
    sample: Sample,
    /// Inputs of each clock, one clock after the other.
    rows: Vec<u64>,
    /// Outputs likewise.
    answers: Vec<u64>,
    /// For each of them, 1 if it means something.
    means: Vec<u64>,
    /// Registers, and what they held before the first clock.
    start: Vec<(String, u64)>,
}

/// When an output means something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meaning {
    /// While this output is high.
    While(&'static str),
    /// While this output is low.
    WhileNot(&'static str),
    /// While this output is high and was high in the clock before.
    Held(&'static str),
    /// So many clocks after the last one of reset.
    After(u64),
    /// To the circuits around the block only.
    Never,
}

/// Where a mutant first answered wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Noticed {
    /// The clock, from 0.
    pub clock: usize,
    /// The output.
    pub output: String,
}

/// Clocks that a mutant is run before its answers are looked at.
const AT_ONCE: usize = 500;

impl Recording {
    /// An empty one. The names are those of the Verilog, without the clock.
    pub fn new(inputs: Vec<String>, outputs: Vec<String>, sample: Sample) -> Self {
        Self { inputs, outputs, sample, rows: vec![], answers: vec![], means: vec![], start: vec![] }
    }

    /// An empty one if one is asked for.
    pub fn if_wanted(inputs: &[String], outputs: &[String], sample: Sample) -> Option<Self> {
        folder().map(|_| Self::new(inputs.to_vec(), outputs.to_vec(), sample))
    }

    /// What all registers held before the first clock, of a block that is not reset then.
    pub fn start(&mut self, registers: &[(String, u64)]) {
        self.start = registers.to_vec();
    }

    /// One more clock: inputs, outputs, and which outputs mean something, in the order of the names.
    pub fn push(&mut self, inputs: &[u64], outputs: &[u64], means: impl IntoIterator<Item = bool>) {
        self.rows.extend_from_slice(inputs);
        self.answers.extend_from_slice(outputs);
        self.means.extend(means.into_iter().map(u64::from));
    }

    /// Clocks.
    pub fn clocks(&self) -> usize {
        self.rows.len().checked_div(self.inputs.len()).unwrap_or(0)
    }

    /// Writes it, with the block's Verilog and the miter, to the folder that `RAYMAN_RECORD` names.
    pub fn save_if_wanted(&self, top: &str, verilog: &str, rules: &Rules) -> Result<(), RecordingError> {
        folder().map_or(Ok(()), |folder| self.save(&folder, top, verilog, rules))
    }

    /// Writes it, with the block's Verilog and the miter, to a folder.
    pub fn save(&self, folder: &Path, top: &str, verilog: &str, rules: &Rules) -> Result<(), RecordingError> {
        let sample = if self.sample == Sample::BeforeEdge { "before" } else { "after" };
        let mut bytes = format!("{}\n{}\n{sample}\n", self.inputs.join(" "), self.outputs.join(" ")).into_bytes();
        let (ins, outs) = (self.inputs.len(), self.outputs.len());
        for clock in 0..self.clocks() {
            let row = self.rows[clock * ins..][..ins].iter();
            let row = row.chain(&self.answers[clock * outs..][..outs]).chain(&self.means[clock * outs..][..outs]);
            row.for_each(|word| bytes.extend(word.to_le_bytes()));
        }
        let write = |path: PathBuf, content: &[u8]| {
            std::fs::write(&path, content).map_err(|source| RecordingError::File { path, source })
        };
        write(folder.join(format!("{top}.miter.v")), miter::verilog(&emit::ports(verilog, top)?, rules).as_bytes())?;
        write(folder.join(format!("{top}.v")), verilog.as_bytes())?;
        let start: String = self.start.iter().map(|(name, value)| format!("{name} {value}\n")).collect();
        write(folder.join(format!("{top}.start")), start.as_bytes())?;
        write(folder.join(format!("{top}.trace")), &bytes)
    }

    /// Reads `TOP.trace` of a folder.
    pub fn load(folder: &Path, top: &str) -> Result<Self, RecordingError> {
        let path = folder.join(format!("{top}.trace"));
        let bytes = std::fs::read(&path).map_err(|source| RecordingError::File { path: path.clone(), source })?;
        Self::parse(&bytes).map_err(|what| RecordingError::Form { path, what })
    }

    fn parse(bytes: &[u8]) -> Result<Self, &'static str> {
        let mut parts = bytes.splitn(4, |byte| *byte == b'\n');
        let mut line =
            || parts.next().and_then(|line| std::str::from_utf8(line).ok()).ok_or("a line of its head is missing");
        let names = |line: &str| line.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        let (inputs, outputs) = (names(line()?), names(line()?));
        let sample = match line()? {
            "before" => Sample::BeforeEdge,
            "after" => Sample::AfterEdge,
            _ => return Err("its third line is neither `before` nor `after`"),
        };
        let words = parts.next().unwrap_or_default();
        let clock = 8 * (inputs.len() + 2 * outputs.len());
        if inputs.is_empty() || outputs.is_empty() || words.is_empty() || !words.len().is_multiple_of(clock) {
            return Err("it ends in the middle of a clock, or has none");
        }
        let mut trace = Self::new(inputs, outputs, sample);
        for clock in words.chunks_exact(clock) {
            let words: Vec<u64> = clock.as_chunks::<8>().0.iter().map(|word| u64::from_le_bytes(*word)).collect();
            let (row, rest) = words.split_at(trace.inputs.len());
            let (answers, means) = rest.split_at(trace.outputs.len());
            trace.push(row, answers, means.iter().map(|means| *means != 0));
        }
        Ok(trace)
    }

    /// Shows the inputs to mutant `number` of a text that holds many, chosen by the input `selector`; answers the first clock
    /// whose outputs are not the recorded ones. Number 0 is no mutant.
    pub fn judge(
        &self,
        verilog: &str,
        top: &str,
        selector: &str,
        number: u64,
    ) -> Result<Option<Noticed>, RecordingError> {
        let mut model = VerilatedBlock::build_with(verilog, top, Flavour::Netlist, 1)?;
        let names: Vec<String> = model.inputs().map(|port| port.name.clone()).collect();
        let places: Option<Vec<Option<usize>>> = names
            .iter()
            .map(|name| match self.inputs.iter().position(|input| input == name) {
                None if name == selector => Some(None),
                place => place.map(Some),
            })
            .collect();
        let outputs: Vec<String> = model.outputs().map(|port| port.name.clone()).collect();
        let order: Option<Vec<usize>> =
            self.outputs.iter().map(|name| outputs.iter().position(|output| output == name)).collect();
        let (Some(places), Some(order)) = (places, order) else {
            let wanted = self.inputs.iter().chain(&self.outputs).cloned().collect();
            return Err(RecordingError::Ports { top: top.to_owned(), found: [names, outputs].concat(), wanted });
        };
        let outs = self.outputs.len();
        for (part, rows) in self.rows.chunks(AT_ONCE * self.inputs.len()).enumerate() {
            let shown: Vec<u64> = rows
                .chunks(self.inputs.len())
                .flat_map(|row| places.iter().map(|place| place.map_or(number, |place| row[place])))
                .collect();
            let got = model.run(&shown, self.sample)?;
            for (clock, got) in got.chunks(outputs.len()).enumerate() {
                let clock = part * AT_ONCE + clock;
                let (want, means) = (&self.answers[clock * outs..][..outs], &self.means[clock * outs..][..outs]);
                if let Some(at) = (0..outs).find(|&at| means[at] != 0 && got[order[at]] != want[at]) {
                    return Ok(Some(Noticed { clock, output: self.outputs[at].clone() }));
                }
            }
        }
        Ok(None)
    }
}

/// The folder that recordings are asked to be in.
fn folder() -> Option<PathBuf> {
    std::env::var_os("RAYMAN_RECORD").map(PathBuf::from)
}
