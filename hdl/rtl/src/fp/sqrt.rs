//! Square root of binary32, correctly rounded.
//!
//! ```text
//!  a --> classes, first --> 24 x one root bit --> sticky --> round, 2 --> q
//!        digit, exponent    (Step: subtract 4 root + 1,
//!                            keep what is not negative)
//! ```
//!
//! Restoring, one bit of the root a stage. The root grows by a bit a stage and the remainder with it, so the steps
//! come in three widths: the carry is no longer than it need be. Latency 28 at most, one result a clock, no reset.
//!
//! The root of -0 is -0, that of other negative numbers NaN. It never lies half-way between two numbers, nor outside
//! the range of normal ones.
//!
//! Source: IEEE 754-2019, 5.4.1, 6.3; Ercegovac and Lang, *Digital Arithmetic*, chapter 6 (restoring recurrence).

use super::depth::{staged, weights, Cuts, Pipe, Staged};
use super::shared::{Round, Unpack, ROUND_LATENCY, ROUND_WEIGHTS};
use rust_hdl_core::prelude::*;

/// Steps of each of the three widths: 8 bits of the root.
const STEPS: usize = 8;

/// Clocks from the operand to its root, at the recommended depth.
pub const LATENCY: usize = 1 + 3 * STEPS + 1 + ROUND_LATENCY;
/// Weights of the stages.
pub(super) const WEIGHTS: [u32; LATENCY] = weights(&[&[2], &[4; 3 * STEPS], &[2], &ROUND_WEIGHTS]);

/// One bit of a root, in words of `W` bits: the root may have up to `W - 3` bits before it. Latency 1.
#[derive(LogicBlock)]
pub struct RootStep<const W: usize> {
    pub clock: Signal<In, Clock>,
    pub remainder: Signal<In, Bits<W>>,
    pub root: Signal<In, Bits<W>>,
    /// What of the radicand has not been looked at, the next two bits the highest.
    pub radicand: Signal<In, Bits<24>>,
    pub next_remainder: Signal<Out, Bits<W>>,
    /// One bit longer.
    pub next_root: Signal<Out, Bits<W>>,
    pub next_radicand: Signal<Out, Bits<24>>,
    extended: Signal<Local, Bits<W>>,
    trial: Signal<Local, Bits<W>>,
    difference: Signal<Local, Bits<W>>,
    remainder_register: Pipe<Bits<W>>,
    root_register: Pipe<Bits<W>>,
    radicand_register: Pipe<Bits<24>>,
}

impl<const W: usize> Staged for RootStep<W> {
    fn staged(cuts: &Cuts) -> Self {
        staged!(cuts;
            [clock remainder root radicand next_remainder next_root next_radicand extended trial difference]
            1 ..= 1 [remainder_register root_register radicand_register]
        )
    }
}

impl<const W: usize> Logic for RootStep<W> {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clock, remainder_register, root_register, radicand_register);
        self.extended.next = (self.remainder.val() << 2) | bit_cast::<W, 2>(self.radicand.val().get_bits::<2>(22));
        self.trial.next = (self.root.val() << 2) | 1;
        self.difference.next = self.extended.val() - self.trial.val();
        // Synthesis makes one carry chain of the difference and the comparison.
        if self.extended.val() < self.trial.val() {
            self.remainder_register.d.next = self.extended.val();
            self.root_register.d.next = self.root.val() << 1;
        } else {
            self.remainder_register.d.next = self.difference.val();
            self.root_register.d.next = (self.root.val() << 1) | 1;
        }
        self.radicand_register.d.next = self.radicand.val() << 2;
        self.next_remainder.next = self.remainder_register.q.val();
        self.next_root.next = self.root_register.q.val();
        self.next_radicand.next = self.radicand_register.q.val();
    }
}

/// `q` = root of `a`, as many clocks later as it is deep: [`LATENCY`] by default.
#[derive(LogicBlock)]
pub struct FSqrt {
    pub clock: Signal<In, Clock>,
    pub a: Signal<In, Bits<32>>,
    pub q: Signal<Out, Bits<32>>,
    // Stage 1: the first root bit is a one; it leaves 0, 1 or 2.
    unpack: Unpack,
    remainder1: Pipe<Bits<11>>,
    radicand1: Pipe<Bits<24>>,
    bias: Signal<Local, Bits<9>>,
    doubled1: Pipe<Bits<9>>,
    // Stages 2 to 25
    narrow: [RootStep<11>; STEPS],
    middle: [RootStep<19>; STEPS],
    wide: [RootStep<27>; STEPS],
    // Stage 26
    fraction26: Pipe<Bits<23>>,
    guard26: Pipe<Bit>,
    sticky26: Pipe<Bit>,
    // Beside stages 1 to 26
    offset: Signal<Local, Bits<9>>,
    exponent_line: Pipe<Bits<9>>,
    sign_line: Pipe<Bit>,
    zero_line: Pipe<Bit>,
    infinite_line: Pipe<Bit>,
    nan_line: Pipe<Bit>,
    // Stages 27 and 28
    round: Round,
}

impl Staged for FSqrt {
    fn staged(cuts: &Cuts) -> Self {
        staged!(cuts;
            [clock a q unpack bias offset]
            1 ..= 1 [remainder1 radicand1 doubled1]
            2 ..= 9 [narrow]
            10 ..= 17 [middle]
            18 ..= 25 [wide]
            26 ..= 26 [fraction26 guard26 sticky26]
            2 ..= 26 [exponent_line]
            1 ..= 26 [sign_line zero_line infinite_line nan_line]
            27 ..= 28 [round]
        )
    }
}

impl Logic for FSqrt {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clock, remainder1, radicand1, doubled1, fraction26, guard26, sticky26);
        clock!(self, clock, exponent_line, sign_line, zero_line, infinite_line, nan_line, round);
        // Stage 1: an odd biased exponent is an even power, and the radicand is in 1 to 2; else it is in 2 to 4.
        self.unpack.word.next = self.a.val();
        if self.unpack.exponent.val().get_bit(0) {
            self.remainder1.d.next = 0.into();
            self.radicand1.d.next = self.unpack.significand.val() << 1;
        } else {
            self.remainder1.d.next = 1.into();
            if self.unpack.significand.val().get_bit(22) {
                self.remainder1.d.next = 2.into();
            }
            self.radicand1.d.next = self.unpack.significand.val() << 2;
        }
        self.bias.next = 127.into();
        self.doubled1.d.next = bit_cast::<9, 8>(self.unpack.exponent.val()) + self.bias.val();
        self.sign_line.d.next = self.unpack.sign.val();
        self.zero_line.d.next = self.unpack.zero.val();
        self.infinite_line.d.next = self.unpack.infinite.val();
        self.nan_line.d.next = self.unpack.nan.val() | (self.unpack.sign.val() & !self.unpack.zero.val());
        // Stage 2: half the exponent, plus the offset.
        self.offset.next = 128.into();
        self.exponent_line.d.next = (self.doubled1.q.val() >> 1) + self.offset.val();
        // Stages 2 to 25
        for i in 0..STEPS {
            self.narrow[i].clock.next = self.clock.val();
            self.middle[i].clock.next = self.clock.val();
            self.wide[i].clock.next = self.clock.val();
        }
        self.narrow[0].remainder.next = self.remainder1.q.val();
        self.narrow[0].root.next = 1.into();
        self.narrow[0].radicand.next = self.radicand1.q.val();
        self.middle[0].remainder.next = bit_cast::<19, 11>(self.narrow[7].next_remainder.val());
        self.middle[0].root.next = bit_cast::<19, 11>(self.narrow[7].next_root.val());
        self.middle[0].radicand.next = self.narrow[7].next_radicand.val();
        self.wide[0].remainder.next = bit_cast::<27, 19>(self.middle[7].next_remainder.val());
        self.wide[0].root.next = bit_cast::<27, 19>(self.middle[7].next_root.val());
        self.wide[0].radicand.next = self.middle[7].next_radicand.val();
        for i in 1..STEPS {
            self.narrow[i].remainder.next = self.narrow[i - 1].next_remainder.val();
            self.narrow[i].root.next = self.narrow[i - 1].next_root.val();
            self.narrow[i].radicand.next = self.narrow[i - 1].next_radicand.val();
            self.middle[i].remainder.next = self.middle[i - 1].next_remainder.val();
            self.middle[i].root.next = self.middle[i - 1].next_root.val();
            self.middle[i].radicand.next = self.middle[i - 1].next_radicand.val();
            self.wide[i].remainder.next = self.wide[i - 1].next_remainder.val();
            self.wide[i].root.next = self.wide[i - 1].next_root.val();
            self.wide[i].radicand.next = self.wide[i - 1].next_radicand.val();
        }
        // Stage 26
        self.fraction26.d.next = self.wide[7].next_root.val().get_bits::<23>(1);
        self.guard26.d.next = self.wide[7].next_root.val().get_bit(0);
        self.sticky26.d.next = self.wide[7].next_remainder.val().any();
        // Stages 27 and 28
        self.round.sign.next = self.sign_line.q.val();
        self.round.exponent.next = self.exponent_line.q.val();
        self.round.adjust.next = 0.into();
        self.round.fraction.next = self.fraction26.q.val();
        self.round.guard.next = self.guard26.q.val();
        self.round.sticky.next = self.sticky26.q.val();
        self.round.zero.next = self.zero_line.q.val();
        self.round.infinite.next = self.infinite_line.q.val();
        self.round.nan.next = self.nan_line.q.val();
        self.q.next = self.round.q.val();
    }
}
