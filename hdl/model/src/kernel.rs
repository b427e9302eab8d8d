//! A kernel with named inputs and outputs, so that one description serves evaluation, recording and reports.

use crate::arithmetic::Arithmetic;

/// What a port carries. In hardware every port is 32 bits wide but a flag, which is one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A binary32 number.
    Float,
    /// A 32-bit word.
    Word,
    /// A truth value.
    Flag,
}

/// An input or output of a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Port {
    /// lower_snake name.
    pub name: &'static str,
    /// What it carries.
    pub kind: Kind,
}

/// A value of one of the three kinds.
pub enum Value<A: Arithmetic + ?Sized> {
    /// A binary32 number.
    Float(A::F),
    /// A 32-bit word.
    Word(A::I),
    /// A truth value.
    Flag(A::B),
}

/// A computation over any [`Arithmetic`].
pub trait Kernel {
    /// lower_snake name: the Verilog module's, too.
    const NAME: &'static str;
    /// Inputs, in order.
    const INPUTS: &'static [Port];
    /// Outputs, in order.
    const OUTPUTS: &'static [Port];

    /// Computes the outputs. `inputs` has one value a port of [`INPUTS`](Self::INPUTS), of its kind; so has the answer
    /// for [`OUTPUTS`](Self::OUTPUTS).
    fn evaluate<A: Arithmetic>(a: &mut A, inputs: &[Value<A>]) -> Vec<Value<A>>;
}
