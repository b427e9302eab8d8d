//! Multiplication of binary32, correctly rounded.
//!
//! ```text
//!  a --> register --> four partial --> sum of the --> product --> normalise --> round, 2 --> q
//!  b -->                products       middle ones                 (1 place)
//! ```
//!
//! The significands are cut in 8 and 16 bits, so that each partial product is one 18 x 18 DSP block with a register
//! behind it and the 32 bits that decide are one word. DSP blocks lie in few places of a device and take more than half of a
//! clock: the registers in front of them take over the way there. Latency 7 at most, one result a clock, no reset.
//!
//! Source: IEEE 754-2019, 5.4.1.

use super::depth::{staged, weights, Cuts, Pipe, Staged};
use super::shared::{Round, Unpack, ROUND_LATENCY, ROUND_WEIGHTS};
use rust_hdl_core::prelude::*;

/// Clocks from the operands to their product, at the recommended depth.
pub const LATENCY: usize = 5 + ROUND_LATENCY;
/// Weights of the stages.
pub(super) const WEIGHTS: [u32; LATENCY] = weights(&[&[0, 6, 3, 3, 3], &ROUND_WEIGHTS]);

/// `q = a * b`, as many clocks later as it is deep: [`LATENCY`] by default.
#[derive(LogicBlock)]
pub struct FMul {
    pub clock: Signal<In, Clock>,
    pub a: Signal<In, Bits<32>>,
    pub b: Signal<In, Bits<32>>,
    pub q: Signal<Out, Bits<32>>,
    // Stage 1: the way to the multipliers.
    word_a1: Pipe<Bits<32>>,
    word_b1: Pipe<Bits<32>>,
    // Stage 2: partial products.
    unpack_a: Unpack,
    unpack_b: Unpack,
    high_a: Signal<Local, Bits<16>>,
    low_a: Signal<Local, Bits<16>>,
    high_b: Signal<Local, Bits<16>>,
    low_b: Signal<Local, Bits<16>>,
    high_high2: Pipe<Bits<32>>,
    high_low2: Pipe<Bits<32>>,
    low_high2: Pipe<Bits<32>>,
    low_low2: Pipe<Bits<32>>,
    exponent2: Pipe<Bits<9>>,
    zero_a2: Pipe<Bit>,
    zero_b2: Pipe<Bit>,
    infinite_a2: Pipe<Bit>,
    infinite_b2: Pipe<Bit>,
    nan_a2: Pipe<Bit>,
    nan_b2: Pipe<Bit>,
    // Stage 3: what has the weight of 2^16 and above.
    outer3: Pipe<Bits<32>>,
    middle3: Pipe<Bits<25>>,
    below3: Pipe<Bit>,
    one: Signal<Local, Bits<9>>,
    exponent3: Pipe<Bits<9>>,
    // Stage 4: bits 47 to 16 of the product.
    product4: Pipe<Bits<32>>,
    below4: Pipe<Bit>,
    // Stage 5: the leading one is bit 31 or bit 30.
    fraction5: Pipe<Bits<23>>,
    guard5: Pipe<Bit>,
    sticky5: Pipe<Bit>,
    carry5: Pipe<Bits<1>>,
    // Beside stages 2 to 5; what the operands are is known behind stage 2, what that makes of the product behind stage 3.
    exponent_line: Pipe<Bits<9>>,
    sign_line: Pipe<Bit>,
    zero_line: Pipe<Bit>,
    infinite_line: Pipe<Bit>,
    nan_line: Pipe<Bit>,
    // Stages 6 and 7
    round: Round,
}

impl Staged for FMul {
    fn staged(cuts: &Cuts) -> Self {
        staged!(cuts;
            [clock a b q unpack_a unpack_b high_a low_a high_b low_b one]
            1 ..= 1 [word_a1 word_b1]
            2 ..= 2 [high_high2 high_low2 low_high2 low_low2 exponent2 zero_a2 zero_b2 infinite_a2 infinite_b2 nan_a2 nan_b2]
            3 ..= 3 [outer3 middle3 below3 exponent3]
            4 ..= 4 [product4 below4]
            5 ..= 5 [fraction5 guard5 sticky5 carry5]
            4 ..= 5 [exponent_line]
            2 ..= 5 [sign_line]
            3 ..= 5 [zero_line infinite_line nan_line]
            6 ..= 7 [round]
        )
    }
}

impl Logic for FMul {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clock, word_a1, word_b1, high_high2, high_low2, low_high2, low_low2, exponent2);
        clock!(self, clock, zero_a2, zero_b2, infinite_a2, infinite_b2, nan_a2, nan_b2);
        clock!(self, clock, outer3, middle3, below3, exponent3, product4, below4);
        clock!(self, clock, fraction5, guard5, sticky5, carry5);
        clock!(self, clock, exponent_line, sign_line, zero_line, infinite_line, nan_line, round);
        // Stage 1
        self.word_a1.d.next = self.a.val();
        self.word_b1.d.next = self.b.val();
        // Stage 2
        self.unpack_a.word.next = self.word_a1.q.val();
        self.unpack_b.word.next = self.word_b1.q.val();
        self.high_a.next = bit_cast::<16, 8>(self.unpack_a.significand.val().get_bits::<8>(16));
        self.low_a.next = self.unpack_a.significand.val().get_bits::<16>(0);
        self.high_b.next = bit_cast::<16, 8>(self.unpack_b.significand.val().get_bits::<8>(16));
        self.low_b.next = self.unpack_b.significand.val().get_bits::<16>(0);
        self.high_high2.d.next = self.high_a.val() * self.high_b.val();
        self.high_low2.d.next = self.high_a.val() * self.low_b.val();
        self.low_high2.d.next = self.low_a.val() * self.high_b.val();
        self.low_low2.d.next = self.low_a.val() * self.low_b.val();
        self.exponent2.d.next =
            bit_cast::<9, 8>(self.unpack_a.exponent.val()) + bit_cast::<9, 8>(self.unpack_b.exponent.val());
        self.sign_line.d.next = self.unpack_a.sign.val() ^ self.unpack_b.sign.val();
        self.zero_a2.d.next = self.unpack_a.zero.val();
        self.zero_b2.d.next = self.unpack_b.zero.val();
        self.infinite_a2.d.next = self.unpack_a.infinite.val();
        self.infinite_b2.d.next = self.unpack_b.infinite.val();
        self.nan_a2.d.next = self.unpack_a.nan.val();
        self.nan_b2.d.next = self.unpack_b.nan.val();
        // Stage 3
        self.zero_line.d.next = self.zero_a2.q.val() | self.zero_b2.q.val();
        self.infinite_line.d.next = self.infinite_a2.q.val() | self.infinite_b2.q.val();
        self.nan_line.d.next = self.nan_a2.q.val()
            | self.nan_b2.q.val()
            | (self.infinite_a2.q.val() & self.zero_b2.q.val())
            | (self.zero_a2.q.val() & self.infinite_b2.q.val());
        self.outer3.d.next =
            (self.high_high2.q.val() << 16) | bit_cast::<32, 16>(self.low_low2.q.val().get_bits::<16>(16));
        self.middle3.d.next = bit_cast::<25, 32>(self.high_low2.q.val()) + bit_cast::<25, 32>(self.low_high2.q.val());
        self.below3.d.next = self.low_low2.q.val().get_bits::<16>(0).any();
        // Less the bias of one operand, plus the offset of 128, is plus 1.
        self.one.next = 1.into();
        self.exponent3.d.next = self.exponent2.q.val() + self.one.val();
        self.exponent_line.d.next = self.exponent3.q.val();
        // Stage 4
        self.product4.d.next = self.outer3.q.val() + bit_cast::<32, 25>(self.middle3.q.val());
        self.below4.d.next = self.below3.q.val();
        // Stage 5
        self.carry5.d.next = self.product4.q.val().get_bits::<1>(31);
        if self.product4.q.val().get_bit(31) {
            self.fraction5.d.next = self.product4.q.val().get_bits::<23>(8);
            self.guard5.d.next = self.product4.q.val().get_bit(7);
            self.sticky5.d.next = self.below4.q.val() | self.product4.q.val().get_bits::<7>(0).any();
        } else {
            self.fraction5.d.next = self.product4.q.val().get_bits::<23>(7);
            self.guard5.d.next = self.product4.q.val().get_bit(6);
            self.sticky5.d.next = self.below4.q.val() | self.product4.q.val().get_bits::<6>(0).any();
        }
        // Stages 6 and 7
        self.round.sign.next = self.sign_line.q.val();
        self.round.exponent.next = self.exponent_line.q.val();
        self.round.adjust.next = bit_cast::<9, 1>(self.carry5.q.val());
        self.round.fraction.next = self.fraction5.q.val();
        self.round.guard.next = self.guard5.q.val();
        self.round.sticky.next = self.sticky5.q.val();
        self.round.zero.next = self.zero_line.q.val();
        self.round.infinite.next = self.infinite_line.q.val();
        self.round.nan.next = self.nan_line.q.val();
        self.q.next = self.round.q.val();
    }
}
