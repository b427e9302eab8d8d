//! A kernel with named inputs and outputs, so that one description serves evaluation, recording and reports.

use crate::arithmetic::Arithmetic;
use crate::fp32::{Fp32, Host};

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
pub trait Kernel: 'static {
    /// lower_snake name: the Verilog module's, too.
    const NAME: &'static str;
    /// Inputs, in order.
    const INPUTS: &'static [Port];
    /// Outputs, in order.
    const OUTPUTS: &'static [Port];

    /// Computes the outputs. `inputs` has one value a port of [`INPUTS`](Self::INPUTS), of its kind; so has the answer
    /// for [`OUTPUTS`](Self::OUTPUTS).
    fn evaluate<A: Arithmetic>(a: &mut A, inputs: &[Value<A>]) -> Vec<Value<A>>;

    /// The same on the host, the ports as words: a number's bits, a flag as 0 or 1. Words behind the kernel's own inputs,
    /// such as a tag, are left alone.
    fn words(inputs: &[u32]) -> Vec<u32> {
        let value = |(port, bits): (&Port, &u32)| match port.kind {
            Kind::Float => Value::Float(Fp32(*bits)),
            Kind::Word => Value::Word(*bits),
            Kind::Flag => Value::Flag(*bits != 0),
        };
        let inputs: Vec<_> = Self::INPUTS.iter().zip(inputs).map(value).collect();
        let bits = |value: &Value<Host>| match value {
            Value::Float(value) => value.0,
            Value::Word(value) => *value,
            Value::Flag(value) => (*value).into(),
        };
        Self::evaluate(&mut Host, &inputs).iter().map(bits).collect()
    }
}
