//! The operators before vectors and answers that are not ours.
//!
//! ```text
//!  testfloat_gen's lines --> parse --> operands --> [ Verilated operator, a vector a clock ] --> results
//!                              |                                                                   |
//!                              +--> the line's result, or what the flush rule makes of it ------> compare --> counts
//! ```
//!
//! [`testfloat`] takes vectors in the format of Berkeley TestFloat, [`exhaustive`] all 2^32 operands of an operator with
//! one, against the host's arithmetic. Both drive a [`Bench`].

pub mod exhaustive;
pub mod testfloat;

use crate::verilated::block::Sample;
use crate::verilated::{Flavour, VerilatedBlock, VerilatorError};
use rayman_model::arithmetic::Arithmetic;
use rayman_model::fp32::{Fp32, Host};
use rayman_rtl::emit;
use rayman_rtl::fp::FpOperator;
use std::fmt;

/// TestFloat's names of the operators.
pub const NAMES: &[(&str, FpOperator)] = &[
    ("f32_add", FpOperator::Add),
    ("f32_sub", FpOperator::Sub),
    ("f32_mul", FpOperator::Mul),
    ("f32_div", FpOperator::Div),
    ("f32_sqrt", FpOperator::Sqrt),
    ("f32_lt", FpOperator::Lt),
    ("f32_le", FpOperator::Le),
    ("f32_eq", FpOperator::Eq),
    ("i32_to_f32", FpOperator::IntToFloat),
    ("f32_to_i32", FpOperator::FloatToInt),
];

/// A referee could not do its work. (An operator that is wrong is no error but a count.)
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RefereeError {
    /// There is no such operator.
    #[error("there is no operator `{name}`; there are {}", names(usize::MAX))]
    Operator {
        /// What was asked for.
        name: String,
    },
    /// All operands of an operator with two are too many.
    #[error("`{name}` has two operands, 2^64 pairs of them; those with one are {}", names(1))]
    TwoOperands {
        /// What was asked for.
        name: String,
    },
    /// The operands asked for are not there, or none.
    #[error("--first {first} --count {count}: at least one operand is needed, and they end at 2^32 = 4294967296")]
    Span {
        /// The first.
        first: u64,
        /// How many.
        count: u64,
    },
    /// The module has other ports than the operator.
    #[error("the ports of `{top}` are not the operator's: inputs {inputs:?}, outputs {outputs:?} beside the clock")]
    Ports {
        /// Top module.
        top: &'static str,
        /// Its inputs.
        inputs: Vec<String>,
        /// Its outputs.
        outputs: Vec<String>,
    },
    /// A line is none of TestFloat's.
    #[error("line {number}: {reason}: `{line}`")]
    Line {
        /// Its number, from 1.
        number: u64,
        /// The line, cut off where it is long.
        line: String,
        /// What is wrong with it.
        reason: String,
    },
    /// There was nothing to judge by.
    #[error("no vectors: standard input ended before line 1; `testfloat_gen {name}` makes them")]
    NoVectors {
        /// The operator.
        name: String,
    },
    /// The vectors cannot be read.
    #[error("line {number} cannot be read: {source}")]
    Read {
        /// The line's number, from 1.
        number: u64,
        /// Why.
        source: std::io::Error,
    },
    /// The operator's model cannot be built or run.
    #[error(transparent)]
    Verilator(#[from] VerilatorError),
}

/// Names of the operators with at most so many operands.
fn names(operands: usize) -> String {
    let names = NAMES.iter().filter(|(_, operator)| operator.arity() <= operands);
    names.map(|&(name, _)| name).collect::<Vec<_>>().join(", ")
}

/// The operator with a name of TestFloat's.
pub fn operator(name: &str) -> Result<FpOperator, RefereeError> {
    let found = NAMES.iter().find(|(known, _)| *known == name);
    found.map(|&(_, operator)| operator).ok_or_else(|| RefereeError::Operator { name: name.to_owned() })
}

/// TestFloat's name of an operator.
pub fn name(operator: FpOperator) -> &'static str {
    NAMES.iter().find(|(_, known)| *known == operator).map_or(operator.module_name(), |&(name, _)| name)
}

/// The host's answer; of a comparison 0 or 1. `b` counts only where there is one.
#[inline(always)]
pub fn host(operator: FpOperator, a: u32, b: u32) -> u32 {
    let (x, y) = (Fp32(a), Fp32(b));
    match operator {
        FpOperator::Add => Host.add(&x, &y).0,
        FpOperator::Sub => Host.sub(&x, &y).0,
        FpOperator::Mul => Host.mul(&x, &y).0,
        FpOperator::Div => Host.div(&x, &y).0,
        FpOperator::Sqrt => Host.sqrt(&x).0,
        FpOperator::Lt => Host.lt(&x, &y).into(),
        FpOperator::Le => Host.le(&x, &y).into(),
        FpOperator::Eq => Host.eq(&x, &y).into(),
        FpOperator::IntToFloat => Host.int_to_float(&a).0,
        FpOperator::FloatToInt => Host.float_to_int(&x),
    }
}

/// What a vector showed to be wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mismatch {
    /// Where: a line's number, or nothing where the operand says it.
    pub line: Option<u64>,
    /// The operands.
    pub operands: Vec<u32>,
    /// What the operator gave.
    pub got: u32,
    /// What it should have given.
    pub wanted: u32,
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(line) = self.line {
            write!(f, "line {line}: ")?;
        }
        for operand in &self.operands {
            write!(f, "{operand:08x} ")?;
        }
        write!(f, "gives {:08x}, should give {:08x}", self.got, self.wanted)
    }
}

/// Top of an operator between registers.
const REGISTERED_TOP: &str = "judged_operator";

/// The text of [`REGISTERED_TOP`], to be put beside an operator's.
fn registered(operator: FpOperator) -> String {
    let (port, register, load, pin) = match operator.arity() {
        1 => ("", "", "", ""),
        _ => ("input wire [31:0] b, ", "reg [31:0] b_in;\n  ", "b_in <= b;\n    ", ".b(b_in), "),
    };
    format!(
        "\nmodule {REGISTERED_TOP}(input wire clock, input wire [31:0] a, {port}output reg [{top}:0] q);\n  \
           reg [31:0] a_in;\n  {register}wire [{top}:0] result;\n  \
           {name} operator(.clock(clock), .a(a_in), {pin}.q(result));\n  \
           always @(posedge clock) begin\n    a_in <= a;\n    {load}q <= result;\n  end\nendmodule\n",
        top = operator.result_bits() - 1,
        name = operator.module_name(),
    )
}

/// Vectors of a call of [`Bench::results`] at most: rows and results stay in a processor's second cache.
pub const BATCH: usize = 1 << 14;

/// A Verilated operator that takes a vector a clock.
pub struct Bench {
    model: VerilatedBlock,
    operator: FpOperator,
    rows: Vec<u64>,
    results: Vec<u64>,
}

impl Bench {
    /// The operator, as the module of its name in a text (which is [`FpOperator::verilog`], or a rival).
    pub fn new(operator: FpOperator, verilog: &str, flavour: Flavour) -> Result<Self, RefereeError> {
        let top = operator.module_name();
        let ports = emit::ports(verilog, top).map_err(VerilatorError::from)?;
        let described = |name: &str, width: usize| format!("{name}[{width}]");
        let found = |inputs: bool| -> Vec<String> {
            let ports = ports.iter().filter(|port| port.is_input == inputs && port.name != "clock");
            ports.map(|port| described(&port.name, port.width)).collect()
        };
        let (inputs, outputs) = (found(true), found(false));
        let wanted: Vec<String> = ["a", "b"][..operator.arity()].iter().map(|name| described(name, 32)).collect();
        if inputs != wanted || outputs != [described("q", operator.result_bits())] {
            return Err(RefereeError::Ports { top, inputs, outputs });
        }
        // Between registers, no logic follows the ports, which Verilator would compute twice a clock.
        let verilog = verilog.to_owned() + &registered(operator);
        let model = VerilatedBlock::build_with(&verilog, REGISTERED_TOP, flavour, 1)?;
        Ok(Self { model, operator, rows: Vec::new(), results: Vec::new() })
    }

    /// The results of vectors, one a clock; `b` is left out where there is none. What was in the pipeline before is not
    /// looked at, and after the last vector it is emptied with zeros.
    pub fn results(&mut self, vectors: impl Iterator<Item = (u32, u32)>) -> Result<&[u64], RefereeError> {
        // The registers on the inputs and on the output take a clock each.
        let after = self.operator.latency() + 2 - 1;
        self.rows.clear();
        if self.operator.arity() == 1 {
            self.rows.extend(vectors.map(|(a, _)| u64::from(a)));
        } else {
            self.rows.extend(vectors.flat_map(|(a, b)| [u64::from(a), u64::from(b)]));
        }
        self.rows.resize(self.rows.len() + after * self.operator.arity(), 0);
        let clocks = self.rows.len() / self.operator.arity();
        self.results.resize(clocks, 0);
        self.model.run_into(clocks, &self.rows, Sample::AfterEdge, &mut self.results)?;
        Ok(&self.results[after..])
    }
}
