//! A word times a half word, a bit a clock.
//!
//! ```text
//!  start, factor, multiplicand -> [Multiplier] -> done, product, past
//! ```
//!
//! `factor` is taken with `start`, `multiplicand` must stand until `done`, which is low for the 16 clocks after. The
//! highest bit of `factor` comes first: the product doubles and the multiplicand is added. `product` is exact below 2^32.
//! `past` says, from the clock after that in which `done` rises on, that it is above 2^30, exactly, however large: it only
//! grows, so once past it stays past, and up to there a step stays below 2^32 as long as the multiplicand is at most 2^30.

use rayman_derive::GatedBlock;
use rust_hdl_core::prelude::*;
use rust_hdl_widgets::dff_setup;

use crate::fixed::Fixed;
use crate::gate::Gate;
use crate::mem::Flop;

/// See the module.
#[derive(GatedBlock, Default)]
pub struct Multiplier {
    /// The one clock.
    pub clock: Signal<In, Clock>,
    /// Low: done.
    pub reset_n: Signal<In, Bit>,
    /// Pulse: multiply.
    pub start: Signal<In, Bit>,
    /// By this.
    pub factor: Signal<In, Bits<16>>,
    /// What is multiplied.
    pub multiplicand: Signal<In, Bits<32>>,
    /// `product` stands.
    pub done: Signal<Out, Bit>,
    /// The product, if it is below 2^32.
    pub product: Signal<Out, Bits<32>>,
    /// It is above 2^30.
    pub past: Signal<Out, Bit>,

    sum: Flop<Bits<32>>,
    left: Flop<Bits<16>>,
    step: Flop<Bits<4>>,
    running: Flop<Bit>,
    over: Flop<Bit>,

    doubled: Signal<Local, Bits<32>>,
    addend: Signal<Local, Bits<32>>,
    next_sum: Signal<Local, Bits<32>>,
    next_step: Signal<Local, Bits<4>>,
    bound: Fixed<32, { 1 << 30 }>,
    _gate: Gate,
}

impl Multiplier {
    /// A register changed in the last pass. For simulation.
    pub(super) fn stirred(&self) -> bool {
        self.sum.q.changed
            || self.left.q.changed
            || self.step.q.changed
            || self.running.q.changed
            || self.over.q.changed
    }
}

impl Logic for Multiplier {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, sum, left, step, running, over);
        self.doubled.next = self.sum.q.val() << 1;
        self.addend.next = 0.into();
        if self.left.q.val().get_bit(15) {
            self.addend.next = self.multiplicand.val();
        }
        self.next_sum.next = self.doubled.val() + self.addend.val();
        self.next_step.next = self.step.q.val() + 1;
        if self.sum.q.val() > self.bound.val() {
            self.over.d.next = true;
        }
        if self.running.q.val() {
            self.sum.d.next = self.next_sum.val();
            self.left.d.next = self.left.q.val() << 1;
            self.step.d.next = self.next_step.val();
            if self.step.q.val() == 15 {
                self.running.d.next = false;
            }
        }
        if self.start.val() {
            self.sum.d.next = 0.into();
            self.left.d.next = self.factor.val();
            self.step.d.next = 0.into();
            self.running.d.next = true;
            self.over.d.next = false;
        }
        self.done.next = !self.running.q.val();
        self.product.next = self.sum.q.val();
        self.past.next = self.over.q.val();
        if !self.reset_n.val() {
            self.running.d.next = false;
        }
    }
}
