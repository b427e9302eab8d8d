//! A two's-complement integer to binary32, correctly rounded.
//!
//! ```text
//!  a --> magnitude --> normalise, 2 --> round, 2 --> q
//!                      (NormaliseRound)
//! ```
//!
//! Zero gives +0. Latency 5 at most, one result a clock, no reset.
//!
//! Source: IEEE 754-2019, 5.4.1 (convertFromInt).

use super::depth::{staged, weights, Cuts, Pipe, Staged};
use super::shared::{NormaliseRound, NORMALISE_ROUND_LATENCY, NORMALISE_WEIGHTS, ROUND_WEIGHTS};
use rust_hdl_core::prelude::*;

/// Clocks from the integer to the number, at the recommended depth.
pub const LATENCY: usize = 1 + NORMALISE_ROUND_LATENCY;
/// Weights of the stages.
pub(super) const WEIGHTS: [u32; LATENCY] = weights(&[&[4], &NORMALISE_WEIGHTS, &ROUND_WEIGHTS]);

/// `q` = the number that the integer `a` is, as many clocks later as it is deep: [`LATENCY`] by default.
#[derive(LogicBlock)]
pub struct IntToFloat {
    pub clock: Signal<In, Clock>,
    pub a: Signal<In, Bits<32>>,
    pub q: Signal<Out, Bits<32>>,
    nothing: Signal<Local, Bits<32>>,
    negative: Signal<Local, Bits<32>>,
    magnitude1: Pipe<Bits<32>>,
    sign1: Pipe<Bit>,
    finish: NormaliseRound,
}

impl Staged for IntToFloat {
    fn staged(cuts: &Cuts) -> Self {
        staged!(cuts;
            [clock a q nothing negative]
            1 ..= 1 [magnitude1 sign1]
            2 ..= 5 [finish]
        )
    }
}

impl Logic for IntToFloat {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clock, magnitude1, sign1, finish);
        self.nothing.next = 0.into();
        self.negative.next = self.nothing.val() - self.a.val();
        if self.a.val().get_bit(31) {
            self.magnitude1.d.next = self.negative.val();
        } else {
            self.magnitude1.d.next = self.a.val();
        }
        self.sign1.d.next = self.a.val().get_bit(31);
        self.finish.value.next = self.magnitude1.q.val();
        // A one in bit 31 is 2^31: the bias of 127, 31 places, the offset of 128, and one more.
        self.finish.exponent.next = 287.into();
        self.finish.sign.next = self.sign1.q.val();
        self.finish.zero_sign.next = false;
        self.finish.infinite.next = false;
        self.finish.nan.next = false;
        self.q.next = self.finish.q.val();
    }
}
