//! Comparisons of binary32.
//!
//! ```text
//!  a --> compare --> signs, --> q
//!  b -->  magnitudes  zeros
//! ```
//!
//! Any comparison with a NaN is false; zeros of both signs, and subnormals, are equal. Latency 2 at most, one result a clock,
//! no reset.
//!
//! Source: IEEE 754-2019, 5.11 (quiet predicates).

use super::depth::{staged, Cuts, Pipe, Staged};
use super::shared::Unpack;
use rust_hdl_core::prelude::*;

/// Clocks from the operands to the truth value, at the recommended depth.
pub const LATENCY: usize = 2;
/// Weights of the stages.
pub(super) const WEIGHTS: [u32; LATENCY] = [3, 2];

/// Whether `a` is less than `b`, and whether they are equal. Latency 2.
#[derive(LogicBlock)]
pub struct FCompare {
    pub clock: Signal<In, Clock>,
    pub a: Signal<In, Bits<32>>,
    pub b: Signal<In, Bits<32>>,
    pub less: Signal<Out, Bit>,
    pub equal: Signal<Out, Bit>,
    // Stage 1
    unpack_a: Unpack,
    unpack_b: Unpack,
    below1: Pipe<Bit>,
    same1: Pipe<Bit>,
    sign_a1: Pipe<Bit>,
    sign_b1: Pipe<Bit>,
    zeros1: Pipe<Bit>,
    nan1: Pipe<Bit>,
    // Stage 2
    closer: Signal<Local, Bit>,
    less2: Pipe<Bit>,
    equal2: Pipe<Bit>,
}

impl Staged for FCompare {
    fn staged(cuts: &Cuts) -> Self {
        staged!(cuts;
            [clock a b less equal unpack_a unpack_b closer]
            1 ..= 1 [below1 same1 sign_a1 sign_b1 zeros1 nan1]
            2 ..= 2 [less2 equal2]
        )
    }
}

impl Logic for FCompare {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clock, below1, same1, sign_a1, sign_b1, zeros1, nan1, less2, equal2);
        // Stage 1
        self.unpack_a.word.next = self.a.val();
        self.unpack_b.word.next = self.b.val();
        self.below1.d.next = self.a.val().get_bits::<31>(0) < self.b.val().get_bits::<31>(0);
        self.same1.d.next = self.a.val().get_bits::<31>(0) == self.b.val().get_bits::<31>(0);
        self.sign_a1.d.next = self.unpack_a.sign.val();
        self.sign_b1.d.next = self.unpack_b.sign.val();
        self.zeros1.d.next = self.unpack_a.zero.val() & self.unpack_b.zero.val();
        self.nan1.d.next = self.unpack_a.nan.val() | self.unpack_b.nan.val();
        // Stage 2: of two negative numbers the greater magnitude is the lesser number.
        if self.sign_a1.q.val() {
            self.closer.next = !self.sign_b1.q.val() | (!self.below1.q.val() & !self.same1.q.val());
        } else {
            self.closer.next = !self.sign_b1.q.val() & self.below1.q.val();
        }
        self.less2.d.next = self.closer.val() & !self.zeros1.q.val() & !self.nan1.q.val();
        self.equal2.d.next = (self.zeros1.q.val()
            | (self.same1.q.val() & !(self.sign_a1.q.val() ^ self.sign_b1.q.val())))
            & !self.nan1.q.val();
        self.less.next = self.less2.q.val();
        self.equal.next = self.equal2.q.val();
    }
}

/// `q = a < b`, as many clocks later as it is deep: [`LATENCY`] by default.
#[derive(LogicBlock)]
pub struct FLess {
    pub clock: Signal<In, Clock>,
    pub a: Signal<In, Bits<32>>,
    pub b: Signal<In, Bits<32>>,
    pub q: Signal<Out, Bit>,
    core: FCompare,
}

impl Staged for FLess {
    fn staged(cuts: &Cuts) -> Self {
        staged!(cuts;
            [clock a b q]
            1 ..= 2 [core]
        )
    }
}

impl Logic for FLess {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clock, core);
        self.core.a.next = self.a.val();
        self.core.b.next = self.b.val();
        self.q.next = self.core.less.val();
    }
}

/// `q = a <= b`, as many clocks later as it is deep: [`LATENCY`] by default.
#[derive(LogicBlock)]
pub struct FLessEqual {
    pub clock: Signal<In, Clock>,
    pub a: Signal<In, Bits<32>>,
    pub b: Signal<In, Bits<32>>,
    pub q: Signal<Out, Bit>,
    core: FCompare,
}

impl Staged for FLessEqual {
    fn staged(cuts: &Cuts) -> Self {
        staged!(cuts;
            [clock a b q]
            1 ..= 2 [core]
        )
    }
}

impl Logic for FLessEqual {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clock, core);
        self.core.a.next = self.a.val();
        self.core.b.next = self.b.val();
        self.q.next = self.core.less.val() | self.core.equal.val();
    }
}

/// `q = (a == b)`, as many clocks later as it is deep: [`LATENCY`] by default.
#[derive(LogicBlock)]
pub struct FEqual {
    pub clock: Signal<In, Clock>,
    pub a: Signal<In, Bits<32>>,
    pub b: Signal<In, Bits<32>>,
    pub q: Signal<Out, Bit>,
    core: FCompare,
}

impl Staged for FEqual {
    fn staged(cuts: &Cuts) -> Self {
        staged!(cuts;
            [clock a b q]
            1 ..= 2 [core]
        )
    }
}

impl Logic for FEqual {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clock, core);
        self.core.a.next = self.a.val();
        self.core.b.next = self.b.val();
        self.q.next = self.core.equal.val();
    }
}
