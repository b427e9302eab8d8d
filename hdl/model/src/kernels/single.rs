//! Single operations as kernels: what the other kernels make in place, to be had by itself.
//!
//! ```text
//!  min, max          a, b            --> q       one comparison, one choice
//!  select            condition, a, b --> q       one choice
//!  to_fx1_7          a               --> q       clamp to 0 and 1, 128 a + 0.5, truncate: 0 to 0x80
//!  to_colour8        a               --> q       clamp to 0 and 1, 255 a + 0.5, truncate: 0 to 0xff
//!  reciprocal_sqrt   a               --> q       1 / sqrt(a): two operations, each correctly rounded
//! ```
//!
//! The core's source document has FX1.7 and 8-bit colours and no rule for rounding to them; to the nearest is assumed.

use super::{kernel, port_list, port_type, put_ports, take_ports};
use crate::arithmetic::Arithmetic;

kernel! {
    /// [`min`] by port names.
    Min = min;
    /// Two numbers.
    MinInputs {
        /// The one.
        a: Float,
        /// The other.
        b: Float,
    }
    /// The lesser.
    MinOutputs {
        /// `a` if `a < b`, else `b`: the word as it came in.
        q: Float,
    }
}

/// The lesser of two numbers: [`Arithmetic::min`].
#[inline(always)]
pub fn min<A: Arithmetic>(a: &mut A, i: &MinInputs<A>) -> MinOutputs<A> {
    MinOutputs { q: a.min(&i.a, &i.b) }
}

kernel! {
    /// [`max`] by port names.
    Max = max;
    /// Two numbers.
    MaxInputs {
        /// The one.
        a: Float,
        /// The other.
        b: Float,
    }
    /// The greater.
    MaxOutputs {
        /// `a` if `b < a`, else `b`: the word as it came in.
        q: Float,
    }
}

/// The greater of two numbers: [`Arithmetic::max`].
#[inline(always)]
pub fn max<A: Arithmetic>(a: &mut A, i: &MaxInputs<A>) -> MaxOutputs<A> {
    MaxOutputs { q: a.max(&i.a, &i.b) }
}

kernel! {
    /// [`select`] by port names.
    Select = select;
    /// A condition and two numbers.
    SelectInputs {
        /// Which of them.
        condition: Flag,
        /// Where the condition holds.
        a: Float,
        /// Where it does not.
        b: Float,
    }
    /// The one chosen.
    SelectOutputs {
        /// The word as it came in.
        q: Float,
    }
}

/// One of two numbers: [`Arithmetic::select`].
#[inline(always)]
pub fn select<A: Arithmetic>(a: &mut A, i: &SelectInputs<A>) -> SelectOutputs<A> {
    SelectOutputs { q: a.select(&i.condition, &i.a, &i.b) }
}

kernel! {
    /// [`to_fx1_7`] by port names.
    ToFx1_7 = to_fx1_7;
    /// A number.
    ToFx1_7Inputs {
        /// 0 to 1; what is outside is clamped, a NaN counts as 0.
        a: Float,
    }
    /// FX1.7.
    ToFx1_7Outputs {
        /// In bits 7:0, 0 to 0x80, which is 1; the others are 0.
        q: Word,
    }
}

/// A number to FX1.7, the format of materials: 128 a, to the nearest, a half up.
///
/// The number just below 1/256 goes up as if it were 1/256, for adding the half rounds it there.
#[inline(always)]
pub fn to_fx1_7<A: Arithmetic>(a: &mut A, i: &ToFx1_7Inputs<A>) -> ToFx1_7Outputs<A> {
    let share = not_negative(a, &i.a);
    ToFx1_7Outputs { q: in_steps(a, &share, 128.0) }
}

kernel! {
    /// [`to_colour8`] by port names.
    ToColour8 = to_colour8;
    /// A channel of a colour.
    ToColour8Inputs {
        /// 0 to 1; what is outside is clamped, a NaN counts as 0.
        a: Float,
    }
    /// A byte of a pixel.
    ToColour8Outputs {
        /// In bits 7:0; the others are 0.
        q: Word,
    }
}

/// A channel of a colour to a byte of a pixel: 255 a, to the nearest, a half up, where each operation is rounded.
#[inline(always)]
pub fn to_colour8<A: Arithmetic>(a: &mut A, i: &ToColour8Inputs<A>) -> ToColour8Outputs<A> {
    let share = not_negative(a, &i.a);
    ToColour8Outputs { q: in_steps(a, &share, 255.0) }
}

kernel! {
    /// [`reciprocal_sqrt`] by port names.
    ReciprocalSqrt = reciprocal_sqrt;
    /// A number.
    ReciprocalSqrtInputs {
        /// Of a negative number the result is NaN, of a zero the infinity of its sign.
        a: Float,
    }
    /// The reciprocal of its root.
    ReciprocalSqrtOutputs {
        /// 1 / sqrt(a), the root and the quotient each correctly rounded.
        q: Float,
    }
}

/// The reciprocal of a square root, as the kernels make a vector's length 1.
#[inline(always)]
pub fn reciprocal_sqrt<A: Arithmetic>(a: &mut A, i: &ReciprocalSqrtInputs<A>) -> ReciprocalSqrtOutputs<A> {
    let root = a.sqrt(&i.a);
    ReciprocalSqrtOutputs { q: reciprocal(a, &root) }
}

/// 1 / `number`.
#[inline(always)]
pub(super) fn reciprocal<A: Arithmetic>(a: &mut A, number: &A::F) -> A::F {
    let one = a.number(1.0);
    a.div(&one, number)
}

/// A share in whole steps: clamped to at most 1, `steps` x + 0.5 truncated. The share is not negative; a NaN gives 0.
#[inline(always)]
pub(super) fn in_steps<A: Arithmetic>(a: &mut A, share: &A::F, steps: f32) -> A::I {
    let clamped = at_most(a, share, 1.0);
    let steps = a.number(steps);
    let level = a.mul(&clamped, &steps);
    rounded(a, &level)
}

/// The smaller of the two; of a NaN, itself, where `min` would answer the bound.
#[inline(always)]
pub(super) fn at_most<A: Arithmetic>(a: &mut A, number: &A::F, bound: f32) -> A::F {
    let bound = a.number(bound);
    let over = a.lt(&bound, number);
    a.select(&over, &bound, number)
}

/// The nearest integer of a number from 0 on, halves upwards; a NaN gives 0.
#[inline(always)]
pub(super) fn rounded<A: Arithmetic>(a: &mut A, number: &A::F) -> A::I {
    let half = a.number(0.5);
    let raised = a.add(number, &half);
    a.float_to_int(&raised)
}

/// What is negative, or no number, as 0.
#[inline(always)]
fn not_negative<A: Arithmetic>(a: &mut A, number: &A::F) -> A::F {
    let zero = a.number(0.0);
    a.max(number, &zero)
}
