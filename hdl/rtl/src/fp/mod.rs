//! The binary32 operators, as rust-hdl kernels.
//!
//! ```text
//!          +----------+
//!  a ----->| operator |-----> q       `depth` clocks later, a new pair every clock
//!  b ----->|          |
//!  clock ->+----------+
//! ```
//!
//! What always holds:
//!
//! - An operator is a pure data pipeline. It has no valid, no stall and no reset: `q` is a function of the operands
//!   that were on the ports `depth` clocks before, and of nothing else. Whoever uses it carries a valid bit beside it.
//! - Results are those of IEEE 754 binary32, rounded to nearest even, with subnormals as zeros and one NaN; see
//!   `docs/numerics.md`, and `docs/operators.md` for algorithms, latencies and sizes.
//! - Minimum, maximum, selection and sign changes are no operators: they are wiring, made where they are used. By
//!   themselves they are kernels, as conversions to FX1.7 and to a colour's byte are: `rayman_model::kernels`.
//!
//! [`FpOperator`] is the catalogue: a datapath asks it for latencies, for modules, and for blocks to compose. It and each
//! block's `default()` have the recommended [`depth`](mod@depth) for an ECP5, every block's `new` takes another.

pub mod add;
#[cfg(any(test, feature = "check"))]
pub mod check;
pub mod compare;
pub mod depth;
pub mod div;
pub mod float_to_int;
pub mod int_to_float;
pub mod mul;
pub mod shared;
pub mod spaced;
pub mod sqrt;

pub use add::{FAdd, FSub};
pub use compare::{FEqual, FLess, FLessEqual};
pub use depth::DepthError;
pub use div::FDiv;
pub use float_to_int::FloatToInt;
pub use int_to_float::IntToFloat;
pub use mul::FMul;
pub use sqrt::FSqrt;

use crate::emit::emit;
use crate::step::{settle, Oscillation};
use depth::Staged;
use rust_hdl_core::prelude::*;
use std::ops::RangeInclusive;
use std::sync::OnceLock;

/// The operators a datapath is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FpOperator {
    /// `a + b`
    Add,
    /// `a - b`
    Sub,
    /// `a * b`
    Mul,
    /// `a / b`
    Div,
    /// The square root of `a`.
    Sqrt,
    /// `a < b`
    Lt,
    /// `a <= b`
    Le,
    /// `a == b`
    Eq,
    /// The number that the two's-complement integer `a` is.
    IntToFloat,
    /// The integer part of `a`, saturated; of a NaN 0.
    FloatToInt,
}

/// All operators.
pub const OPERATORS: &[FpOperator] = &[
    FpOperator::Add,
    FpOperator::Sub,
    FpOperator::Mul,
    FpOperator::Div,
    FpOperator::Sqrt,
    FpOperator::Lt,
    FpOperator::Le,
    FpOperator::Eq,
    FpOperator::IntToFloat,
    FpOperator::FloatToInt,
];

impl FpOperator {
    /// Weights of the stages: see [`depth`].
    pub(crate) const fn weights(self) -> &'static [u32] {
        match self {
            FpOperator::Add | FpOperator::Sub => &add::WEIGHTS,
            FpOperator::Mul => &mul::WEIGHTS,
            FpOperator::Div => &div::WEIGHTS,
            FpOperator::Sqrt => &sqrt::WEIGHTS,
            FpOperator::Lt | FpOperator::Le | FpOperator::Eq => &compare::WEIGHTS,
            FpOperator::IntToFloat => &int_to_float::WEIGHTS,
            FpOperator::FloatToInt => &float_to_int::WEIGHTS,
        }
    }

    /// Clocks from operands to result at the recommended depth for an ECP5, which is the greatest.
    pub const fn latency(self) -> usize {
        self.weights().len()
    }

    /// The depths that there are, in clocks.
    pub const fn depths(self) -> RangeInclusive<usize> {
        1..=self.latency()
    }

    /// At the recommended depth its first stage is registers and nothing else: operands may come through a multiplexer.
    pub const fn registers_operands(self) -> bool {
        matches!(self, FpOperator::Mul)
    }

    /// The operator whose unit computes this one where units are shared: a difference is a sum with a sign turned.
    pub const fn shared_unit(self) -> Self {
        match self {
            FpOperator::Sub => FpOperator::Add,
            operator => operator,
        }
    }

    /// The number of operands: with one, there is no port `b`.
    pub const fn arity(self) -> usize {
        match self {
            FpOperator::Sqrt | FpOperator::IntToFloat | FpOperator::FloatToInt => 1,
            _ => 2,
        }
    }

    /// Bits of the result: 1 for a comparison, else 32.
    pub const fn result_bits(self) -> usize {
        match self {
            FpOperator::Lt | FpOperator::Le | FpOperator::Eq => 1,
            _ => 32,
        }
    }

    /// The name of the Verilog module, with ports `clock`, `a`, `b` (if there are two operands) and `q`.
    pub const fn module_name(self) -> &'static str {
        match self {
            FpOperator::Add => "fp_add",
            FpOperator::Sub => "fp_sub",
            FpOperator::Mul => "fp_mul",
            FpOperator::Div => "fp_div",
            FpOperator::Sqrt => "fp_sqrt",
            FpOperator::Lt => "fp_lt",
            FpOperator::Le => "fp_le",
            FpOperator::Eq => "fp_eq",
            FpOperator::IntToFloat => "fp_int_to_float",
            FpOperator::FloatToInt => "fp_float_to_int",
        }
    }

    /// The operator at the recommended depth as Verilog: the module [`module_name`](Self::module_name) and those it is made
    /// of, whose names begin with it. Made once a process.
    pub fn verilog(self) -> String {
        static TEXTS: [OnceLock<String>; OPERATORS.len()] = [const { OnceLock::new() }; OPERATORS.len()];
        TEXTS[self as usize].get_or_init(|| self.emit(&vec![true; self.latency()])).clone()
    }

    /// The operator as Verilog with a latency of `depth` clocks, the modules named as those of [`verilog`](Self::verilog).
    /// An error if there is no such depth.
    pub fn verilog_at_depth(self, depth: usize) -> Result<String, DepthError> {
        depth::cuts(self, depth).map(|cuts| self.emit(&cuts))
    }

    /// The operator at the recommended depth as a block, to be composed with others at run time. Unconnected.
    pub fn boxed(self) -> Box<dyn FpBlock> {
        self.staged(&vec![true; self.latency()])
    }

    /// The operator as a block with a latency of `depth` clocks. Unconnected. An error if there is no such depth.
    pub fn boxed_at_depth(self, depth: usize) -> Result<Box<dyn FpBlock>, DepthError> {
        depth::cuts(self, depth).map(|cuts| self.staged(&cuts))
    }
}

fn verilog_of<B: Block + Staged>(operator: FpOperator, cuts: &depth::Cuts) -> String {
    let mut block = B::staged(cuts);
    block.connect_all();
    // The operators are fixed, and a test emits each: a failure here is a mistake in this folder, not in an input.
    emit(&block, operator.module_name()).expect("an operator is a legal block")
}

/// An operator's ports, whichever operator it is.
pub trait FpBlock: Block + Send {
    /// Puts the clock and the operands on the ports; `b` is ignored where there is none.
    fn drive(&mut self, clock: Clock, a: u32, b: u32);
    /// The result; of a comparison 0 or 1.
    fn result(&self) -> u32;
    /// Marks the inputs as driven, for the checks of a block that has this one inside.
    fn connect_inputs(&mut self);

    /// Steps the operator by itself a full clock; answers the result that stands on `q` after the rising edge.
    fn step(&mut self, a: u32, b: u32) -> Result<u32, Oscillation> {
        for level in [false, true] {
            self.drive(Clock { clk: level }, a, b);
            settle(self)?;
        }
        Ok(self.result())
    }
}

/// Implements [`FpBlock`], the ports there are and how a result becomes a word; and a constructor with a depth.
macro_rules! fp_blocks {
    ($($operator:ident = $block:ident($a:ident $(, $b:ident)?) -> $result:expr;)*) => {
        impl FpOperator {
            fn emit(self, cuts: &depth::Cuts) -> String {
                match self {
                    $(FpOperator::$operator => verilog_of::<$block>(self, cuts),)*
                }
            }

            fn staged(self, cuts: &depth::Cuts) -> Box<dyn FpBlock> {
                match self {
                    $(FpOperator::$operator => Box::new($block::staged(cuts)),)*
                }
            }
        }

        $(
        impl $block {
            /// The operator with a latency of `depth` clocks; an error if there is no such depth.
            pub fn new(depth: usize) -> Result<Self, DepthError> {
                depth::cuts(FpOperator::$operator, depth).map(|cuts| Self::staged(&cuts))
            }
        }

        impl Default for $block {
            /// The operator at its recommended depth.
            fn default() -> Self {
                Self::staged(&[true; FpOperator::$operator.latency()])
            }
        }

        impl FpBlock for $block {
            fn drive(&mut self, clock: Clock, $a: u32, _second: u32) {
                self.clock.next = clock;
                self.$a.next = u64::from($a).into();
                $(self.$b.next = u64::from(_second).into();)?
            }
            fn result(&self) -> u32 {
                let result: fn(&Self) -> u32 = $result;
                result(self)
            }
            fn connect_inputs(&mut self) {
                self.clock.connect();
                self.$a.connect();
                $(self.$b.connect();)?
            }
        }
        )*
    };
}

fp_blocks! {
    Add = FAdd(a, b) -> |block| block.q.val().to_u32();
    Sub = FSub(a, b) -> |block| block.q.val().to_u32();
    Mul = FMul(a, b) -> |block| block.q.val().to_u32();
    Div = FDiv(a, b) -> |block| block.q.val().to_u32();
    Sqrt = FSqrt(a) -> |block| block.q.val().to_u32();
    Lt = FLess(a, b) -> |block| block.q.val().into();
    Le = FLessEqual(a, b) -> |block| block.q.val().into();
    Eq = FEqual(a, b) -> |block| block.q.val().into();
    IntToFloat = IntToFloat(a) -> |block| block.q.val().to_u32();
    FloatToInt = FloatToInt(a) -> |block| block.q.val().to_u32();
}

#[cfg(test)]
mod tests;
