//! Binary32 to a two's-complement integer: truncates, saturates, NaN gives 0.
//!
//! ```text
//!  a --> distance --> shift right, 2 --> + sign, --> q
//!        of the point (ShiftRight)       saturate
//! ```
//!
//! Latency 4 at most, one result a clock, no reset.
//!
//! Source: IEEE 754-2019, 5.4.1 (convertToIntegerTowardZero); what is out of range answers as Rust's `as i32`
//! (*assumed*: the standard leaves it open).

use super::depth::{staged, weights, Cuts, Pipe, Staged};
use super::shared::{ShiftRight, Unpack, SHIFT_RIGHT_LATENCY, SHIFT_RIGHT_WEIGHTS};
use rust_hdl_core::prelude::*;

/// Clocks from the number to the integer, at the recommended depth.
pub const LATENCY: usize = 1 + SHIFT_RIGHT_LATENCY + 1;
/// Weights of the stages.
pub(super) const WEIGHTS: [u32; LATENCY] = weights(&[&[3], &SHIFT_RIGHT_WEIGHTS, &[4]]);

/// `q` = the integer part of `a`, as many clocks later as it is deep: [`LATENCY`] by default.
#[derive(LogicBlock)]
pub struct FloatToInt {
    pub clock: Signal<In, Clock>,
    pub a: Signal<In, Bits<32>>,
    pub q: Signal<Out, Bits<32>>,
    // Stage 1: how far the significand, with its leading one at 2^30, is to be moved down.
    unpack: Unpack,
    top: Signal<Local, Bits<8>>,
    distance: Signal<Local, Bits<8>>,
    below_one: Signal<Local, Bit>,
    significand1: Pipe<Bits<24>>,
    amount1: Pipe<Bits<5>>,
    sign1: Pipe<Bit>,
    large1: Pipe<Bit>,
    nan1: Pipe<Bit>,
    // Stages 2 and 3
    align: ShiftRight,
    sign_line: Pipe<Bit>,
    large_line: Pipe<Bit>,
    nan_line: Pipe<Bit>,
    // Stage 4: the complement becomes the negative.
    carry: Signal<Local, Bits<32>>,
    total: Signal<Local, Bits<32>>,
    result4: Pipe<Bits<32>>,
}

impl Staged for FloatToInt {
    fn staged(cuts: &Cuts) -> Self {
        staged!(cuts;
            [clock a q unpack top distance below_one carry total]
            1 ..= 1 [significand1 amount1 sign1 large1 nan1]
            2 ..= 3 [align sign_line large_line nan_line]
            4 ..= 4 [result4]
        )
    }
}

impl Logic for FloatToInt {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clock, significand1, amount1, sign1, large1, nan1, align, sign_line, large_line, nan_line);
        clock!(self, clock, result4);
        // Stage 1: below 1 all 31 bits are moved out; from 2^31 on the result is saturated.
        self.unpack.word.next = self.a.val();
        self.top.next = 157.into();
        self.distance.next = self.top.val() - self.unpack.exponent.val();
        self.below_one.next = self.unpack.exponent.val() < 127;
        self.significand1.d.next = self.unpack.significand.val();
        self.amount1.d.next = self.distance.val().get_bits::<5>(0);
        if self.below_one.val() {
            self.amount1.d.next = 31.into();
        }
        self.sign1.d.next = self.unpack.sign.val();
        self.large1.d.next = self.unpack.exponent.val() > 157;
        self.nan1.d.next = self.unpack.nan.val();
        // Stages 2 and 3
        self.align.value.next = bit_cast::<32, 24>(self.significand1.q.val()) << 7;
        self.align.amount.next = self.amount1.q.val();
        self.align.complement.next = self.sign1.q.val();
        self.sign_line.d.next = self.sign1.q.val();
        self.large_line.d.next = self.large1.q.val();
        self.nan_line.d.next = self.nan1.q.val();
        // Stage 4
        self.carry.next = 0.into();
        if self.sign_line.q.val() {
            self.carry.next = 1.into();
        }
        self.total.next = self.align.shifted.val() + self.carry.val();
        self.result4.d.next = self.total.val();
        if self.large_line.q.val() {
            self.result4.d.next = 0x7fffffff.into();
            if self.sign_line.q.val() {
                self.result4.d.next = 0x80000000_u64.into();
            }
        }
        if self.nan_line.q.val() {
            self.result4.d.next = 0.into();
        }
        self.q.next = self.result4.q.val();
    }
}
