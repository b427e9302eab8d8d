//! What a kernel may compute with.
//!
//! A kernel is written once, over [`Arithmetic`], and is branch-free on data: it selects, it never decides. The same
//! source is evaluated on the host (bit-exact), checked in `f64`, and recorded as a circuit.
//!
//! Numbers are IEEE 754 binary32, rounded to nearest even. Subnormals are zeros of the same sign, on input and on
//! output; the only NaN is 0x7fc00000; a comparison with a NaN is false. `docs/numerics.md` has the whole of it.

/// The operations of a kernel.
///
/// Methods take `&mut self` because a recorder appends to its graph. Values are cheap to clone.
pub trait Arithmetic {
    /// A binary32 number.
    type F: Clone;
    /// A 32-bit word: an integer, or packed fields.
    type I: Clone;
    /// A truth value.
    type B: Clone;

    /// A number known beforehand.
    fn number(&mut self, value: f32) -> Self::F;
    /// A word known beforehand.
    fn word(&mut self, value: u32) -> Self::I;

    /// `a + b`, correctly rounded.
    fn add(&mut self, a: &Self::F, b: &Self::F) -> Self::F;
    /// `a - b`, correctly rounded.
    fn sub(&mut self, a: &Self::F, b: &Self::F) -> Self::F;
    /// `a * b`, correctly rounded.
    fn mul(&mut self, a: &Self::F, b: &Self::F) -> Self::F;
    /// `a / b`, correctly rounded.
    fn div(&mut self, a: &Self::F, b: &Self::F) -> Self::F;
    /// Square root, correctly rounded; of -0 it is -0, of other negative numbers NaN.
    fn sqrt(&mut self, a: &Self::F) -> Self::F;
    /// `a` with its sign turned; a NaN stays the one NaN.
    fn neg(&mut self, a: &Self::F) -> Self::F;
    /// `a` with its sign cleared; a NaN stays the one NaN.
    fn abs(&mut self, a: &Self::F) -> Self::F;

    /// `a < b`.
    fn lt(&mut self, a: &Self::F, b: &Self::F) -> Self::B;
    /// `a <= b`.
    fn le(&mut self, a: &Self::F, b: &Self::F) -> Self::B;
    /// `a == b`; -0 equals +0.
    fn eq(&mut self, a: &Self::F, b: &Self::F) -> Self::B;

    /// `yes` where the condition holds, else `no`. Both are computed.
    fn select(&mut self, condition: &Self::B, yes: &Self::F, no: &Self::F) -> Self::F;
    /// As [`select`](Self::select), for words.
    fn select_word(&mut self, condition: &Self::B, yes: &Self::I, no: &Self::I) -> Self::I;
    /// Both hold.
    fn and(&mut self, a: &Self::B, b: &Self::B) -> Self::B;
    /// At least one holds.
    fn or(&mut self, a: &Self::B, b: &Self::B) -> Self::B;
    /// It does not hold.
    fn not(&mut self, a: &Self::B) -> Self::B;

    /// The number that the word is, read as a two's-complement integer, correctly rounded.
    fn int_to_float(&mut self, a: &Self::I) -> Self::F;
    /// The integer part (truncated), two's complement; out of range saturates, NaN gives 0.
    fn float_to_int(&mut self, a: &Self::F) -> Self::I;

    /// Bit `n` of a word, 0 the lowest.
    fn bit(&mut self, a: &Self::I, n: u32) -> Self::B;
    /// Bits `msb..=lsb` of a word, moved down to bit 0.
    fn field(&mut self, a: &Self::I, msb: u32, lsb: u32) -> Self::I;
    /// A word made of fields, the lowest first: each is a word and the number of its low bits taken.
    fn pack(&mut self, fields: &[(&Self::I, u32)]) -> Self::I;

    /// The lesser: `a` if `a < b`, else `b`. So `b` where either is NaN, and `b` of +0 and -0.
    fn min(&mut self, a: &Self::F, b: &Self::F) -> Self::F {
        let less = self.lt(a, b);
        self.select(&less, a, b)
    }

    /// The greater: `a` if `b < a`, else `b`. So `b` where either is NaN, and `b` of +0 and -0.
    fn max(&mut self, a: &Self::F, b: &Self::F) -> Self::F {
        let greater = self.lt(b, a);
        self.select(&greater, a, b)
    }
}
