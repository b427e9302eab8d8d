//! Addition and subtraction of binary32, correctly rounded.
//!
//! ```text
//!  a --> compare --> order --> align, 2 clocks --> add --> normalise, 2 --> round, 2 --> q
//!  b -->  magnitudes  by magnitude (ShiftRight)            (NormaliseRound)
//! ```
//!
//! Single path: the lesser magnitude is shifted right below the greater, with one guard bit, one round bit and a
//! sticky bit, and is added or subtracted; the difference is never negative. Latency 9 at most, one result a clock, no reset.
//! Infinities and NaN travel beside the sum as flags. An exact zero is +0, or -0 where both operands are negative.
//!
//! Source: IEEE 754-2019, 5.4.1, 6.3; Muller et al., *Handbook of Floating-Point Arithmetic*, 2nd edition, 7.3.

use super::depth::{staged, weights, Cuts, Pipe, Staged};
use super::shared::{
    NormaliseRound, ShiftRight, Unpack, NORMALISE_ROUND_LATENCY, NORMALISE_WEIGHTS, ROUND_WEIGHTS, SHIFT_RIGHT_LATENCY,
    SHIFT_RIGHT_WEIGHTS,
};
use rust_hdl_core::prelude::*;

/// Clocks from the operands to their sum or difference, at the recommended depth.
pub const LATENCY: usize = 2 + SHIFT_RIGHT_LATENCY + 1 + NORMALISE_ROUND_LATENCY;
/// Weights of the stages.
pub(super) const WEIGHTS: [u32; LATENCY] =
    weights(&[&[3, 3], &SHIFT_RIGHT_WEIGHTS, &[3], &NORMALISE_WEIGHTS, &ROUND_WEIGHTS]);

/// `a + b`, or `a - b` with `negate`.
#[derive(LogicBlock)]
pub struct AddCore {
    pub clock: Signal<In, Clock>,
    pub a: Signal<In, Bits<32>>,
    pub b: Signal<In, Bits<32>>,
    /// Turns the sign of `b`.
    pub negate: Signal<In, Bit>,
    pub q: Signal<Out, Bits<32>>,
    // Stage 1: classes, and which magnitude is the greater.
    unpack_a: Unpack,
    unpack_b: Unpack,
    sign_b: Signal<Local, Bit>,
    opposite: Signal<Local, Bit>,
    a1: Pipe<Bits<31>>,
    b1: Pipe<Bits<31>>,
    sign_a1: Pipe<Bit>,
    sign_b1: Pipe<Bit>,
    swap1: Pipe<Bit>,
    opposite1: Pipe<Bit>,
    one_zero1: Pipe<Bit>,
    both_zero1: Pipe<Bit>,
    infinite1: Pipe<Bit>,
    nan1: Pipe<Bit>,
    // Stage 2: the greater and the lesser.
    great_exponent: Signal<Local, Bits<8>>,
    small_exponent: Signal<Local, Bits<8>>,
    great2: Pipe<Bits<24>>,
    small2: Pipe<Bits<24>>,
    exponent2: Pipe<Bits<8>>,
    distance2: Pipe<Bits<8>>,
    sign2: Pipe<Bit>,
    zero_sign2: Pipe<Bit>,
    opposite2: Pipe<Bit>,
    infinite2: Pipe<Bit>,
    nan2: Pipe<Bit>,
    // Stages 3 and 4: alignment; what goes beside it also passes stage 5.
    align: ShiftRight,
    great_line: Pipe<Bits<24>>,
    opposite_line: Pipe<Bit>,
    exponent_line: Pipe<Bits<8>>,
    sign_line: Pipe<Bit>,
    zero_sign_line: Pipe<Bit>,
    infinite_line: Pipe<Bit>,
    nan_line: Pipe<Bit>,
    // Stage 5: carry, 24 bits, guard, round, sticky; the lowest bit brings the carry in.
    carry_in: Signal<Local, Bits<1>>,
    greater: Signal<Local, Bits<29>>,
    lesser: Signal<Local, Bits<29>>,
    sum5: Pipe<Bits<29>>,
    offset: Signal<Local, Bits<9>>,
    exponent5: Pipe<Bits<9>>,
    // Stages 6 to 9
    finish: NormaliseRound,
}

impl Staged for AddCore {
    fn staged(cuts: &Cuts) -> Self {
        staged!(cuts;
            [
                clock a b negate q unpack_a unpack_b sign_b opposite great_exponent small_exponent carry_in greater
                lesser offset
            ]
            1 ..= 1 [a1 b1 sign_a1 sign_b1 swap1 opposite1 one_zero1 both_zero1 infinite1 nan1]
            2 ..= 2 [great2 small2 exponent2 distance2 sign2 zero_sign2 opposite2 infinite2 nan2]
            3 ..= 4 [align great_line opposite_line exponent_line]
            3 ..= 5 [sign_line zero_sign_line infinite_line nan_line]
            5 ..= 5 [sum5 exponent5]
            6 ..= 9 [finish]
        )
    }
}

impl Logic for AddCore {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clock, a1, b1, sign_a1, sign_b1, swap1, opposite1, one_zero1, both_zero1, infinite1, nan1);
        clock!(self, clock, great2, small2, exponent2, distance2, sign2, zero_sign2, opposite2, infinite2, nan2);
        clock!(self, clock, align, great_line, opposite_line, exponent_line, sign_line, zero_sign_line);
        clock!(self, clock, infinite_line, nan_line, sum5, exponent5, finish);
        // Stage 1
        self.unpack_a.word.next = self.a.val();
        self.unpack_b.word.next = self.b.val();
        self.sign_b.next = self.unpack_b.sign.val() ^ self.negate.val();
        self.opposite.next = self.unpack_a.sign.val() ^ self.sign_b.val();
        self.a1.d.next = self.a.val().get_bits::<31>(0);
        self.b1.d.next = self.b.val().get_bits::<31>(0);
        self.sign_a1.d.next = self.unpack_a.sign.val();
        self.sign_b1.d.next = self.sign_b.val();
        self.swap1.d.next = self.b.val().get_bits::<31>(0) > self.a.val().get_bits::<31>(0);
        self.opposite1.d.next = self.opposite.val();
        self.one_zero1.d.next = self.unpack_a.zero.val() | self.unpack_b.zero.val();
        self.both_zero1.d.next = self.unpack_a.zero.val() & self.unpack_b.zero.val();
        self.infinite1.d.next = self.unpack_a.infinite.val() | self.unpack_b.infinite.val();
        self.nan1.d.next = self.unpack_a.nan.val()
            | self.unpack_b.nan.val()
            | (self.unpack_a.infinite.val() & self.unpack_b.infinite.val() & self.opposite.val());
        // Stage 2
        if self.swap1.q.val() {
            self.great_exponent.next = self.b1.q.val().get_bits::<8>(23);
            self.small_exponent.next = self.a1.q.val().get_bits::<8>(23);
            self.great2.d.next = bit_cast::<24, 23>(self.b1.q.val().get_bits::<23>(0)) | 0x800000;
            self.small2.d.next = bit_cast::<24, 23>(self.a1.q.val().get_bits::<23>(0)) | 0x800000;
            self.sign2.d.next = self.sign_b1.q.val();
        } else {
            self.great_exponent.next = self.a1.q.val().get_bits::<8>(23);
            self.small_exponent.next = self.b1.q.val().get_bits::<8>(23);
            self.great2.d.next = bit_cast::<24, 23>(self.a1.q.val().get_bits::<23>(0)) | 0x800000;
            self.small2.d.next = bit_cast::<24, 23>(self.b1.q.val().get_bits::<23>(0)) | 0x800000;
            self.sign2.d.next = self.sign_a1.q.val();
        }
        if self.one_zero1.q.val() {
            self.small2.d.next = 0.into();
        }
        if self.both_zero1.q.val() {
            self.great2.d.next = 0.into();
        }
        self.exponent2.d.next = self.great_exponent.val();
        self.distance2.d.next = self.great_exponent.val() - self.small_exponent.val();
        self.zero_sign2.d.next = self.sign_a1.q.val() & self.sign_b1.q.val();
        self.opposite2.d.next = self.opposite1.q.val();
        self.infinite2.d.next = self.infinite1.q.val();
        self.nan2.d.next = self.nan1.q.val();
        // Stages 3 and 4: 26 bits are gone after 31 places, so a greater distance counts as 31.
        self.align.value.next = bit_cast::<32, 24>(self.small2.q.val()) << 2;
        self.align.amount.next = self.distance2.q.val().get_bits::<5>(0);
        if self.distance2.q.val().get_bits::<3>(5).any() {
            self.align.amount.next = 31.into();
        }
        self.align.complement.next = self.opposite2.q.val();
        self.great_line.d.next = self.great2.q.val();
        self.opposite_line.d.next = self.opposite2.q.val();
        self.exponent_line.d.next = self.exponent2.q.val();
        self.sign_line.d.next = self.sign2.q.val();
        self.zero_sign_line.d.next = self.zero_sign2.q.val();
        self.infinite_line.d.next = self.infinite2.q.val();
        self.nan_line.d.next = self.nan2.q.val();
        // Stage 5
        self.carry_in.next = 0.into();
        if self.opposite_line.q.val() {
            self.carry_in.next = 1.into();
        }
        self.greater.next = (bit_cast::<29, 24>(self.great_line.q.val()) << 4) | 1;
        self.lesser.next = bit_cast::<29, 32>(self.align.shifted.val() << 2)
            | (bit_cast::<29, 1>(self.align.lost.val()) << 1)
            | bit_cast::<29, 1>(self.carry_in.val());
        self.sum5.d.next = self.greater.val() + self.lesser.val();
        // The leading one of `greater` goes to bit 30 below, one place under the top: 128 of offset, one place, and
        // the one more that NormaliseRound asks for.
        self.offset.next = 130.into();
        self.exponent5.d.next = bit_cast::<9, 8>(self.exponent_line.q.val()) + self.offset.val();
        // Stages 6 to 9
        self.finish.value.next = bit_cast::<32, 28>(self.sum5.q.val().get_bits::<28>(1)) << 4;
        self.finish.exponent.next = self.exponent5.q.val();
        self.finish.sign.next = self.sign_line.q.val();
        self.finish.zero_sign.next = self.zero_sign_line.q.val();
        self.finish.infinite.next = self.infinite_line.q.val();
        self.finish.nan.next = self.nan_line.q.val();
        self.q.next = self.finish.q.val();
    }
}

/// `q = a + b`, as many clocks later as it is deep: [`LATENCY`] by default.
#[derive(LogicBlock)]
pub struct FAdd {
    pub clock: Signal<In, Clock>,
    pub a: Signal<In, Bits<32>>,
    pub b: Signal<In, Bits<32>>,
    pub q: Signal<Out, Bits<32>>,
    core: AddCore,
}

impl Staged for FAdd {
    fn staged(cuts: &Cuts) -> Self {
        staged!(cuts;
            [clock a b q]
            1 ..= 9 [core]
        )
    }
}

impl Logic for FAdd {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clock, core);
        self.core.a.next = self.a.val();
        self.core.b.next = self.b.val();
        self.core.negate.next = false;
        self.q.next = self.core.q.val();
    }
}

/// `q = a - b`, as many clocks later as it is deep: [`LATENCY`] by default.
#[derive(LogicBlock)]
pub struct FSub {
    pub clock: Signal<In, Clock>,
    pub a: Signal<In, Bits<32>>,
    pub b: Signal<In, Bits<32>>,
    pub q: Signal<Out, Bits<32>>,
    core: AddCore,
}

impl Staged for FSub {
    fn staged(cuts: &Cuts) -> Self {
        staged!(cuts;
            [clock a b q]
            1 ..= 9 [core]
        )
    }
}

impl Logic for FSub {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clock, core);
        self.core.a.next = self.a.val();
        self.core.b.next = self.b.val();
        self.core.negate.next = true;
        self.q.next = self.core.q.val();
    }
}
