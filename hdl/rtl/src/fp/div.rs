//! Division of binary32, correctly rounded.
//!
//! ```text
//!  a --> classes, --> 26 x one quotient bit --> normalise --> round, 2 --> q
//!  b -->  exponent    (Step: subtract, keep     (1 place),
//!                      what is not negative)     sticky
//! ```
//!
//! Restoring division, one bit of the quotient a stage: a stage holds one 26-bit subtraction and one choice, and its
//! remainder says at the end whether anything is left. Latency 30 at most, one result a clock, no reset.
//!
//! Source: IEEE 754-2019, 5.4.1, 7.2, 7.3; Ercegovac and Lang, *Digital Arithmetic*, chapter 5 (restoring recurrence).

use super::depth::{staged, weights, Cuts, Pipe, Staged};
use super::shared::{Round, Unpack, ROUND_LATENCY, ROUND_WEIGHTS};
use rust_hdl_core::prelude::*;

/// Quotient bits: one before the point, 23 + 2 after it.
const STEPS: usize = 26;

/// Clocks from the operands to their quotient, at the recommended depth.
pub const LATENCY: usize = 1 + STEPS + 1 + ROUND_LATENCY;
/// Weights of the stages.
pub(super) const WEIGHTS: [u32; LATENCY] = weights(&[&[3], &[4; STEPS], &[3], &ROUND_WEIGHTS]);

/// One bit of a quotient. Latency 1.
#[derive(LogicBlock)]
pub struct DivideStep {
    pub clock: Signal<In, Clock>,
    /// Less than twice the divisor.
    pub remainder: Signal<In, Bits<25>>,
    pub divisor: Signal<In, Bits<24>>,
    pub quotient: Signal<In, Bits<26>>,
    /// Twice what is left.
    pub next_remainder: Signal<Out, Bits<25>>,
    pub same_divisor: Signal<Out, Bits<24>>,
    /// One bit longer.
    pub next_quotient: Signal<Out, Bits<26>>,
    difference: Signal<Local, Bits<26>>,
    remainder_register: Pipe<Bits<25>>,
    divisor_register: Pipe<Bits<24>>,
    quotient_register: Pipe<Bits<26>>,
}

impl Staged for DivideStep {
    fn staged(cuts: &Cuts) -> Self {
        staged!(cuts;
            [clock remainder divisor quotient next_remainder same_divisor next_quotient difference]
            1 ..= 1 [remainder_register divisor_register quotient_register]
        )
    }
}

impl Logic for DivideStep {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clock, remainder_register, divisor_register, quotient_register);
        self.difference.next = bit_cast::<26, 25>(self.remainder.val()) - bit_cast::<26, 24>(self.divisor.val());
        if self.difference.val().get_bit(25) {
            self.remainder_register.d.next = self.remainder.val() << 1;
            self.quotient_register.d.next = self.quotient.val() << 1;
        } else {
            self.remainder_register.d.next = bit_cast::<25, 24>(self.difference.val().get_bits::<24>(0)) << 1;
            self.quotient_register.d.next = (self.quotient.val() << 1) | 1;
        }
        self.divisor_register.d.next = self.divisor.val();
        self.next_remainder.next = self.remainder_register.q.val();
        self.same_divisor.next = self.divisor_register.q.val();
        self.next_quotient.next = self.quotient_register.q.val();
    }
}

/// `q = a / b`, as many clocks later as it is deep: [`LATENCY`] by default.
#[derive(LogicBlock)]
pub struct FDiv {
    pub clock: Signal<In, Clock>,
    pub a: Signal<In, Bits<32>>,
    pub b: Signal<In, Bits<32>>,
    pub q: Signal<Out, Bits<32>>,
    // Stage 1
    unpack_a: Unpack,
    unpack_b: Unpack,
    dividend1: Pipe<Bits<24>>,
    divisor1: Pipe<Bits<24>>,
    exponent1: Pipe<Bits<9>>,
    // Stages 2 to 27
    steps: [DivideStep; STEPS],
    // Stage 28: the leading one is bit 25 or bit 24 of the quotient.
    quotient: Signal<Local, Bits<26>>,
    left: Signal<Local, Bit>,
    fraction28: Pipe<Bits<23>>,
    guard28: Pipe<Bit>,
    sticky28: Pipe<Bit>,
    carry28: Pipe<Bits<1>>,
    // Beside stages 1 to 28
    offset: Signal<Local, Bits<9>>,
    exponent_line: Pipe<Bits<9>>,
    sign_line: Pipe<Bit>,
    zero_line: Pipe<Bit>,
    infinite_line: Pipe<Bit>,
    nan_line: Pipe<Bit>,
    // Stages 29 and 30
    round: Round,
}

impl Staged for FDiv {
    fn staged(cuts: &Cuts) -> Self {
        staged!(cuts;
            [clock a b q unpack_a unpack_b quotient left offset]
            1 ..= 1 [dividend1 divisor1 exponent1]
            2 ..= 27 [steps]
            28 ..= 28 [fraction28 guard28 sticky28 carry28]
            2 ..= 28 [exponent_line]
            1 ..= 28 [sign_line zero_line infinite_line nan_line]
            29 ..= 30 [round]
        )
    }
}

impl Logic for FDiv {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clock, dividend1, divisor1, exponent1, fraction28, guard28, sticky28, carry28);
        clock!(self, clock, exponent_line, sign_line, zero_line, infinite_line, nan_line, round);
        // Stage 1
        self.unpack_a.word.next = self.a.val();
        self.unpack_b.word.next = self.b.val();
        self.dividend1.d.next = self.unpack_a.significand.val();
        self.divisor1.d.next = self.unpack_b.significand.val();
        self.exponent1.d.next =
            bit_cast::<9, 8>(self.unpack_a.exponent.val()) - bit_cast::<9, 8>(self.unpack_b.exponent.val());
        self.sign_line.d.next = self.unpack_a.sign.val() ^ self.unpack_b.sign.val();
        self.zero_line.d.next = self.unpack_a.zero.val() | self.unpack_b.infinite.val();
        self.infinite_line.d.next = self.unpack_a.infinite.val() | self.unpack_b.zero.val();
        self.nan_line.d.next = self.unpack_a.nan.val()
            | self.unpack_b.nan.val()
            | (self.unpack_a.infinite.val() & self.unpack_b.infinite.val())
            | (self.unpack_a.zero.val() & self.unpack_b.zero.val());
        // Stage 2: plus the bias, plus the offset of 128, less the 1 that a quotient of 1 or more gives back.
        self.offset.next = 254.into();
        self.exponent_line.d.next = self.exponent1.q.val() + self.offset.val();
        // Stages 2 to 27
        for i in 0..STEPS {
            self.steps[i].clock.next = self.clock.val();
        }
        self.steps[0].remainder.next = bit_cast::<25, 24>(self.dividend1.q.val());
        self.steps[0].divisor.next = self.divisor1.q.val();
        self.steps[0].quotient.next = 0.into();
        for i in 1..STEPS {
            self.steps[i].remainder.next = self.steps[i - 1].next_remainder.val();
            self.steps[i].divisor.next = self.steps[i - 1].same_divisor.val();
            self.steps[i].quotient.next = self.steps[i - 1].next_quotient.val();
        }
        // Stage 28
        self.quotient.next = self.steps[25].next_quotient.val();
        self.left.next = self.steps[25].next_remainder.val().any();
        self.carry28.d.next = self.quotient.val().get_bits::<1>(25);
        if self.quotient.val().get_bit(25) {
            self.fraction28.d.next = self.quotient.val().get_bits::<23>(2);
            self.guard28.d.next = self.quotient.val().get_bit(1);
            self.sticky28.d.next = self.left.val() | self.quotient.val().get_bit(0);
        } else {
            self.fraction28.d.next = self.quotient.val().get_bits::<23>(1);
            self.guard28.d.next = self.quotient.val().get_bit(0);
            self.sticky28.d.next = self.left.val();
        }
        // Stages 29 and 30
        self.round.sign.next = self.sign_line.q.val();
        self.round.exponent.next = self.exponent_line.q.val();
        self.round.adjust.next = bit_cast::<9, 1>(self.carry28.q.val());
        self.round.fraction.next = self.fraction28.q.val();
        self.round.guard.next = self.guard28.q.val();
        self.round.sticky.next = self.sticky28.q.val();
        self.round.zero.next = self.zero_line.q.val();
        self.round.infinite.next = self.infinite_line.q.val();
        self.round.nan.next = self.nan_line.q.val();
        self.q.next = self.round.q.val();
    }
}
