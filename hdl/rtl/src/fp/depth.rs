//! How deep an operator's pipeline is: which of its stages end in registers.
//!
//! ```text
//!  stages of an operator      1     2     3     4     5          each with about so much logic: its weight
//!  all its cuts             --|-----|-----|-----|-----|--> q     the recommended depth, 5
//!  depth 2                  --------------|-----------|--> q     the longest way between registers is least
//! ```
//!
//! An operator is written as a chain of stages, cut where it pays on an ECP5; the *recommended* depth has every cut. A
//! lesser depth leaves cuts out: what was a register is then a wire, in the simulation as in the Verilog, and delay lines
//! beside the stages get shorter by themselves. Results are the same bits at every depth.
//!
//! What always holds: a depth is 1 at least, the last stage ends in a register, and `q` follows its operands after exactly
//! so many clocks.

use super::FpOperator;
use rust_hdl_core::prelude::*;
use rust_hdl_core::timing::TimingInfo;

/// An operator has no form of a depth.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{name} has no form of {depth} clocks: its depth is 1 to {greatest}, recommended {greatest}",
    name = .operator.module_name(),
    greatest = .operator.latency()
)]
pub struct DepthError {
    /// The operator.
    pub operator: FpOperator,
    /// The depth asked for, in clocks.
    pub depth: usize,
}

/// Which stages of an operator, or of a part of one, end in registers: stage n at place n - 1.
pub type Cuts = [bool];

/// The cuts of an operator with a depth, by the weights of its stages.
///
/// Between two registers there are whole stages, and the sum of their weights to the fourth power is least: the longest way
/// decides the clock rate, so it counts most, and the others are balanced too.
pub(super) fn cuts(operator: FpOperator, depth: usize) -> Result<Vec<bool>, DepthError> {
    let weights = operator.weights();
    let stages = weights.len();
    if depth == 0 || depth > stages {
        return Err(DepthError { operator, depth });
    }
    // least[n]: the least cost of the first n stages in so many clocks as were gone round; from[clock][n]: where the last
    // of these clocks begins.
    let mut least = vec![u64::MAX; stages + 1];
    least[0] = 0;
    let mut from = Vec::with_capacity(depth);
    for _ in 0..depth {
        let mut next = vec![u64::MAX; stages + 1];
        let mut begins = vec![0; stages + 1];
        for end in 1..=stages {
            for start in 0..end {
                let weight: u64 = weights[start..end].iter().copied().map(u64::from).sum();
                let cost = least[start].saturating_add(weight.pow(4));
                if cost < next[end] {
                    (next[end], begins[end]) = (cost, start);
                }
            }
        }
        least = next;
        from.push(begins);
    }
    let mut cuts = vec![false; stages];
    let mut end = stages;
    for begins in from.iter().rev() {
        cuts[end - 1] = true;
        end = begins[end];
    }
    Ok(cuts)
}

/// The weights of an operator's stages, from those of its parts in their order.
///
/// A weight is the number of look-up tables on the longest way through a stage, where a carry chain of 24 to 32 bits counts
/// as 3 and a multiplier as 6: an estimate, of which only the ratios count.
pub(super) const fn weights<const N: usize>(parts: &[&[u32]]) -> [u32; N] {
    let mut weights = [0; N];
    let (mut part, mut stage) = (0, 0);
    while part < parts.len() {
        let mut at = 0;
        while at < parts[part].len() {
            weights[stage] = parts[part][at];
            (at, stage) = (at + 1, stage + 1);
        }
        part += 1;
    }
    assert!(stage == N, "a weight for each stage");
    weights
}

/// A part of an operator that goes over stages: what it is made of depends on which of them end in registers.
pub trait Staged {
    /// The part for such cuts of its own stages.
    fn staged(cuts: &Cuts) -> Self;
}

impl<T: Staged, const N: usize> Staged for [T; N] {
    /// One stage each.
    fn staged(cuts: &Cuts) -> Self {
        std::array::from_fn(|stage| T::staged(&cuts[stage..=stage]))
    }
}

/// Builds a block field by field: the first list by default, the others from the cuts of the stages that they go over.
macro_rules! staged {
    ($cuts:expr; [$($plain:ident)*] $($first:tt ..= $last:tt [$($field:ident)*])*) => {{
        use $crate::fp::depth::Staged;
        let cuts: &$crate::fp::depth::Cuts = $cuts;
        Self {
            $($plain: Default::default(),)*
            $($($field: Staged::staged(&cuts[$first - 1..$last]),)*)*
        }
    }};
}
pub(super) use staged;

/// Registers at the ends of the stages that it goes over: `q` is `d`, as many clocks later as these stages have cuts. With
/// none it is a wire.
///
/// `ZEROED`: they are zero at power-up. An ECP5's register has one bit for its value at power-up and for the one that it is set to
/// synchronously, so one that is to be set to ones must not be zeroed. Nobody reads either value before an operand.
#[derive(LogicBlock)]
pub struct Pipe<D: Synth, const ZEROED: bool = true> {
    pub clock: Signal<In, Clock>,
    pub d: Signal<In, D>,
    pub q: Signal<Out, D>,
    _clocks: usize,
    /// What is under way, but for the last register, which is `q`: a ring.
    _line: Vec<D>,
    _oldest: usize,
}

impl<D: Synth, const ZEROED: bool> Staged for Pipe<D, ZEROED> {
    fn staged(cuts: &Cuts) -> Self {
        let clocks = cuts.iter().filter(|cut| **cut).count();
        Self {
            clock: Default::default(),
            d: Default::default(),
            q: Default::default(),
            _clocks: clocks,
            _line: vec![D::default(); clocks.saturating_sub(1)],
            _oldest: 0,
        }
    }
}

impl<D: Synth, const ZEROED: bool> Logic for Pipe<D, ZEROED> {
    fn update(&mut self) {
        if self._clocks == 0 {
            self.q.next = self.d.val();
        } else if self.clock.pos_edge() {
            if self._line.is_empty() {
                self.q.next = self.d.val();
            } else {
                self.q.next = std::mem::replace(&mut self._line[self._oldest], self.d.val());
                self._oldest = (self._oldest + 1) % self._line.len();
            }
        }
    }

    fn connect(&mut self) {
        self.q.connect();
    }

    fn hdl(&self) -> Verilog {
        let zeroed = |name: &str, bits: usize| if ZEROED { format!("   {name} = {bits}'h0;\n") } else { String::new() };
        let (line_bits, result) = (D::BITS * self._line.len(), zeroed("q", D::BITS));
        let (declaration, first, next) = match self._clocks {
            0 => return Verilog::Custom("always @(*) q = d;\n".into()),
            1 => (String::new(), result, "q <= d"),
            _ => (
                format!("reg [{}:0] line;\n", line_bits - 1),
                result + &zeroed("line", line_bits),
                "{q, line} <= {line, d}",
            ),
        };
        let first = if ZEROED { format!("initial begin\n{first}end\n\n") } else { String::new() };
        Verilog::Custom(format!("{declaration}{first}always @(posedge clock) begin\n   {next};\nend\n"))
    }

    fn timing(&self) -> Vec<TimingInfo> {
        if self._clocks == 0 {
            return Vec::new();
        }
        vec![TimingInfo {
            name: "pipe".into(),
            clock: "clock".into(),
            inputs: vec!["d".into()],
            outputs: vec!["q".into()],
        }]
    }
}
