//! What the operators have in common: unpacking, the two shifters, rounding and packing.
//!
//! Every number inside is a sign, a 9-bit exponent and a significand of 24 bits. The exponent is written *offset*: the
//! biased exponent of binary32 plus 128, so that every exponent an operator can come to, 1 - 128 to 254 + 129, is an
//! unsigned 9-bit number, and a rounding sum of exponent and fraction is one word of 32 bits.
//!
//! ```text
//!            +--------+          +------------+ value  +-----------+      +-------+
//!  word ---> | Unpack | -> ... ->| ShiftRight |-> ... ->| Normalise |----->| Round |---> word
//!            +--------+ classes  +------------+ lost    +-----------+      +-------+
//!               0 clocks            2 clocks               2 clocks         2 clocks
//! ```
//!
//! The clocks are those of the recommended depth; of a lesser [`depth`](super::depth) a part has no more registers than its
//! stages have cuts.
//!
//! Registers here have no reset: a result is a function of the operands that went in that many clocks before it and of
//! nothing else, and the valid bit that travels beside the data, outside, says which results count.
//!
//! Source: IEEE 754-2019, clauses 4.3.1 and 7; the flush rules of `docs/numerics.md`. The shape of the parts (guard
//! and sticky bit, one carry chain over exponent and fraction) follows Muller et al., *Handbook of Floating-Point
//! Arithmetic*, 2nd edition, chapters 7 and 8.

use super::depth::{staged, Cuts, Pipe, Staged};
use rust_hdl_core::prelude::*;

/// Takes a binary32 word apart and says what kind of number it is. No clock.
#[derive(LogicBlock, Default)]
pub struct Unpack {
    pub word: Signal<In, Bits<32>>,
    pub sign: Signal<Out, Bit>,
    /// The biased exponent as it stands in the word.
    pub exponent: Signal<Out, Bits<8>>,
    /// The significand with its leading one, which is there for a zero also: see `zero`.
    pub significand: Signal<Out, Bits<24>>,
    /// A zero, or a subnormal, which counts as one.
    pub zero: Signal<Out, Bit>,
    pub infinite: Signal<Out, Bit>,
    pub nan: Signal<Out, Bit>,
    fraction: Signal<Local, Bits<23>>,
    top: Signal<Local, Bit>,
}

impl Logic for Unpack {
    #[hdl_gen]
    fn update(&mut self) {
        self.sign.next = self.word.val().get_bit(31);
        self.exponent.next = self.word.val().get_bits::<8>(23);
        self.fraction.next = self.word.val().get_bits::<23>(0);
        self.significand.next = bit_cast::<24, 23>(self.fraction.val()) | 0x800000;
        self.zero.next = !self.exponent.val().any();
        self.top.next = self.exponent.val().all();
        self.infinite.next = self.top.val() & !self.fraction.val().any();
        self.nan.next = self.top.val() & self.fraction.val().any();
    }
}

/// Shifts a word right by 0 to 31 places and complements it if asked to. Latency 2.
#[derive(LogicBlock)]
pub struct ShiftRight {
    pub clock: Signal<In, Clock>,
    pub value: Signal<In, Bits<32>>,
    pub amount: Signal<In, Bits<5>>,
    pub complement: Signal<In, Bit>,
    pub shifted: Signal<Out, Bits<32>>,
    /// A one was shifted out; complemented with the word, so that it is a further bit below it.
    pub lost: Signal<Out, Bits<1>>,
    // Stage 1: by 0, 8, 16 or 24.
    low_lost: Signal<Local, Bit>,
    middle_lost: Signal<Local, Bit>,
    high_lost: Signal<Local, Bit>,
    coarse: Pipe<Bits<32>>,
    coarse_lost: Pipe<Bit>,
    fine_amount: Pipe<Bits<3>>,
    coarse_complement: Pipe<Bit>,
    // Stage 2: by 0 to 7, and the complement.
    fine: Signal<Local, Bits<32>>,
    kept: Signal<Local, Bits<8>>,
    fine_lost: Signal<Local, Bit>,
    complemented: Signal<Local, Bits<32>>,
    result: Pipe<Bits<32>>,
    result_lost: Pipe<Bits<1>>,
}

/// Clocks from [`ShiftRight`]'s inputs to its outputs.
pub const SHIFT_RIGHT_LATENCY: usize = SHIFT_RIGHT_WEIGHTS.len();
/// Weights of its stages.
pub(super) const SHIFT_RIGHT_WEIGHTS: [u32; 2] = [3, 3];

impl Staged for ShiftRight {
    fn staged(cuts: &Cuts) -> Self {
        staged!(cuts;
            [
                clock value amount complement shifted lost low_lost middle_lost high_lost fine kept fine_lost
                complemented
            ]
            1 ..= 1 [coarse coarse_lost fine_amount coarse_complement]
            2 ..= 2 [result result_lost]
        )
    }
}

impl Logic for ShiftRight {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clock, coarse, coarse_lost, fine_amount, coarse_complement, result, result_lost);
        // Stage 1
        self.low_lost.next = self.value.val().get_bits::<8>(0).any();
        self.middle_lost.next = self.value.val().get_bits::<8>(8).any();
        self.high_lost.next = self.value.val().get_bits::<8>(16).any();
        if self.amount.val().get_bit(4) {
            if self.amount.val().get_bit(3) {
                self.coarse.d.next = self.value.val() >> 24;
                self.coarse_lost.d.next = self.low_lost.val() | self.middle_lost.val() | self.high_lost.val();
            } else {
                self.coarse.d.next = self.value.val() >> 16;
                self.coarse_lost.d.next = self.low_lost.val() | self.middle_lost.val();
            }
        } else {
            if self.amount.val().get_bit(3) {
                self.coarse.d.next = self.value.val() >> 8;
                self.coarse_lost.d.next = self.low_lost.val();
            } else {
                self.coarse.d.next = self.value.val();
                self.coarse_lost.d.next = false;
            }
        }
        self.fine_amount.d.next = self.amount.val().get_bits::<3>(0);
        self.coarse_complement.d.next = self.complement.val();
        // Stage 2: what is shifted out is what the opposite shift brings to the top of a byte.
        self.fine.next = self.coarse.q.val() >> self.fine_amount.q.val();
        self.kept.next = bits::<8>(0xff) << self.fine_amount.q.val();
        self.fine_lost.next = (self.coarse.q.val().get_bits::<8>(0) & (self.kept.val() ^ 0xff)).any();
        self.complemented.next = !self.fine.val();
        if self.coarse_complement.q.val() {
            self.result.d.next = self.complemented.val();
            self.result_lost.d.next = 1.into();
            if self.fine_lost.val() | self.coarse_lost.q.val() {
                self.result_lost.d.next = 0.into();
            }
        } else {
            self.result.d.next = self.fine.val();
            self.result_lost.d.next = 0.into();
            if self.fine_lost.val() | self.coarse_lost.q.val() {
                self.result_lost.d.next = 1.into();
            }
        }
        self.shifted.next = self.result.q.val();
        self.lost.next = self.result_lost.q.val();
    }
}

/// Shifts a word left until its highest bit is a one, and counts the places. Latency 2.
///
/// A zero stays zero: the highest bit of the result says which it was.
#[derive(LogicBlock)]
pub struct Normalise {
    pub clock: Signal<In, Clock>,
    pub value: Signal<In, Bits<32>>,
    pub normalised: Signal<Out, Bits<32>>,
    /// The number of places shifted, 31 for a zero.
    pub places: Signal<Out, Bits<5>>,
    // Stage 1: by 16 and 8. Both bytes that may turn out highest are looked at while the halves are.
    top16_clear: Signal<Local, Bit>,
    top8_clear: Signal<Local, Bit>,
    coarse: Pipe<Bits<32>>,
    coarse_places: Pipe<Bits<2>>,
    // Stage 2: by 4, 2 and 1.
    by4: Signal<Local, Bits<32>>,
    by2: Signal<Local, Bits<32>>,
    fine_places: Signal<Local, Bits<3>>,
    places4: Signal<Local, Bits<3>>,
    places2: Signal<Local, Bits<3>>,
    places1: Signal<Local, Bits<3>>,
    result: Pipe<Bits<32>>,
    result_places: Pipe<Bits<5>>,
}

/// Clocks from [`Normalise`]'s inputs to its outputs.
pub const NORMALISE_LATENCY: usize = NORMALISE_WEIGHTS.len();
/// Weights of its stages.
pub(super) const NORMALISE_WEIGHTS: [u32; 2] = [3, 3];

impl Staged for Normalise {
    fn staged(cuts: &Cuts) -> Self {
        staged!(cuts;
            [clock value normalised places top16_clear top8_clear by4 by2 fine_places places4 places2 places1]
            1 ..= 1 [coarse coarse_places]
            2 ..= 2 [result result_places]
        )
    }
}

impl Logic for Normalise {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clock, coarse, coarse_places, result, result_places);
        // Stage 1
        self.top16_clear.next = !self.value.val().get_bits::<16>(16).any();
        if self.top16_clear.val() {
            self.top8_clear.next = !self.value.val().get_bits::<8>(8).any();
        } else {
            self.top8_clear.next = !self.value.val().get_bits::<8>(24).any();
        }
        if self.top16_clear.val() {
            if self.top8_clear.val() {
                self.coarse.d.next = self.value.val() << 24;
                self.coarse_places.d.next = 3.into();
            } else {
                self.coarse.d.next = self.value.val() << 16;
                self.coarse_places.d.next = 2.into();
            }
        } else {
            if self.top8_clear.val() {
                self.coarse.d.next = self.value.val() << 8;
                self.coarse_places.d.next = 1.into();
            } else {
                self.coarse.d.next = self.value.val();
                self.coarse_places.d.next = 0.into();
            }
        }
        // Stage 2
        if self.coarse.q.val().get_bits::<4>(28).any() {
            self.by4.next = self.coarse.q.val();
            self.places4.next = 0.into();
        } else {
            self.by4.next = self.coarse.q.val() << 4;
            self.places4.next = 4.into();
        }
        if self.by4.val().get_bits::<2>(30).any() {
            self.by2.next = self.by4.val();
            self.places2.next = 0.into();
        } else {
            self.by2.next = self.by4.val() << 2;
            self.places2.next = 2.into();
        }
        if self.by2.val().get_bit(31) {
            self.result.d.next = self.by2.val();
            self.places1.next = 0.into();
        } else {
            self.result.d.next = self.by2.val() << 1;
            self.places1.next = 1.into();
        }
        self.fine_places.next = self.places4.val() | self.places2.val() | self.places1.val();
        self.result_places.d.next =
            (bit_cast::<5, 2>(self.coarse_places.q.val()) << 3) | bit_cast::<5, 3>(self.fine_places.val());
        self.normalised.next = self.result.q.val();
        self.places.next = self.result_places.q.val();
    }
}

/// Rounds to nearest even, flushes, overflows, and packs the word. Latency 2.
///
/// One carry chain adds the rounding bit to the fraction and `adjust` to the exponent, so that a carry out of the
/// fraction arrives in the exponent by itself. A number whose *rounded* exponent is below that of 2^-126 is flushed.
#[derive(LogicBlock)]
pub struct Round {
    pub clock: Signal<In, Clock>,
    pub sign: Signal<In, Bit>,
    /// The offset exponent, without `adjust`.
    pub exponent: Signal<In, Bits<9>>,
    /// Added to the exponent, modulo 512.
    pub adjust: Signal<In, Bits<9>>,
    /// The significand below its leading one.
    pub fraction: Signal<In, Bits<23>>,
    /// The bit after the fraction.
    pub guard: Signal<In, Bit>,
    /// Any bit after the guard is a one.
    pub sticky: Signal<In, Bit>,
    /// The result is a zero; `infinite` is stronger.
    pub zero: Signal<In, Bit>,
    /// The result is an infinity; `nan` is stronger.
    pub infinite: Signal<In, Bit>,
    /// The result is the NaN.
    pub nan: Signal<In, Bit>,
    pub q: Signal<Out, Bits<32>>,
    // Stage 1: the sum.
    up: Signal<Local, Bits<1>>,
    number: Signal<Local, Bits<32>>,
    increment: Signal<Local, Bits<32>>,
    sum: Pipe<Bits<32>>,
    sum_sign: Pipe<Bit>,
    sum_zero: Pipe<Bit>,
    sum_infinite: Pipe<Bit>,
    sum_nan: Pipe<Bit>,
    // Stage 2: the word. Clearing and setting are synchronous resets and sets of these registers, hence not zeroed.
    rounded: Signal<Local, Bits<9>>,
    under: Signal<Local, Bit>,
    over: Signal<Local, Bit>,
    ones: Signal<Local, Bit>,
    clear: Signal<Local, Bit>,
    result_sign: Pipe<Bits<1>, false>,
    result_exponent: Pipe<Bits<8>, false>,
    result_fraction: Pipe<Bits<23>, false>,
}

/// Clocks from [`Round`]'s inputs to its output.
pub const ROUND_LATENCY: usize = ROUND_WEIGHTS.len();
/// Weights of its stages.
pub(super) const ROUND_WEIGHTS: [u32; 2] = [5, 3];

impl Staged for Round {
    fn staged(cuts: &Cuts) -> Self {
        staged!(cuts;
            [
                clock sign exponent adjust fraction guard sticky zero infinite nan q up number increment rounded
                under over ones clear
            ]
            1 ..= 1 [sum sum_sign sum_zero sum_infinite sum_nan]
            2 ..= 2 [result_sign result_exponent result_fraction]
        )
    }
}

impl Logic for Round {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clock, sum, sum_sign, sum_zero, sum_infinite, sum_nan);
        clock!(self, clock, result_sign, result_exponent, result_fraction);
        // Stage 1
        self.up.next = 0.into();
        if self.guard.val() & (self.sticky.val() | self.fraction.val().get_bit(0)) {
            self.up.next = 1.into();
        }
        self.number.next = (bit_cast::<32, 9>(self.exponent.val()) << 23) | bit_cast::<32, 23>(self.fraction.val());
        self.increment.next = (bit_cast::<32, 9>(self.adjust.val()) << 23) | bit_cast::<32, 1>(self.up.val());
        self.sum.d.next = self.number.val() + self.increment.val();
        self.sum_sign.d.next = self.sign.val();
        self.sum_zero.d.next = self.zero.val();
        self.sum_infinite.d.next = self.infinite.val();
        self.sum_nan.d.next = self.nan.val();
        // Stage 2: finite, not flushed, is an offset exponent of 129 to 382.
        self.rounded.next = self.sum.q.val().get_bits::<9>(23);
        self.under.next = !self.rounded.val().get_bit(8)
            & (!self.rounded.val().get_bit(7) | !self.rounded.val().get_bits::<7>(0).any());
        self.over.next =
            self.rounded.val().get_bit(8) & (self.rounded.val().get_bit(7) | self.rounded.val().get_bits::<7>(0).all());
        self.ones.next = self.sum_nan.q.val() | self.sum_infinite.q.val() | (self.over.val() & !self.sum_zero.q.val());
        self.clear.next = self.sum_zero.q.val() | self.under.val();
        self.result_sign.d.next = 0.into();
        if self.sum_sign.q.val() & !self.sum_nan.q.val() {
            self.result_sign.d.next = 1.into();
        }
        if self.ones.val() {
            self.result_exponent.d.next = 0xff.into();
        } else if self.clear.val() {
            self.result_exponent.d.next = 0.into();
        } else {
            self.result_exponent.d.next = self.rounded.val().get_bits::<8>(0) ^ 0x80;
        }
        if self.sum_nan.q.val() {
            self.result_fraction.d.next = 0x400000.into();
        } else if self.ones.val() | self.clear.val() {
            self.result_fraction.d.next = 0.into();
        } else {
            self.result_fraction.d.next = self.sum.q.val().get_bits::<23>(0);
        }
        self.q.next = (bit_cast::<32, 1>(self.result_sign.q.val()) << 31)
            | (bit_cast::<32, 8>(self.result_exponent.q.val()) << 23)
            | bit_cast::<32, 23>(self.result_fraction.q.val());
    }
}

/// [`Normalise`], then [`Round`]: a fixed-point word with a weight to a number. Latency 4.
#[derive(LogicBlock)]
pub struct NormaliseRound {
    pub clock: Signal<In, Clock>,
    /// The magnitude, unsigned. Bits below bit 8 of the normalised word only round: bit 0 may stand for all below it.
    pub value: Signal<In, Bits<32>>,
    /// One more than the offset exponent of a number whose leading one is bit 31 of `value`.
    pub exponent: Signal<In, Bits<9>>,
    pub sign: Signal<In, Bit>,
    /// The sign of the result where `value` is zero.
    pub zero_sign: Signal<In, Bit>,
    pub infinite: Signal<In, Bit>,
    pub nan: Signal<In, Bit>,
    pub q: Signal<Out, Bits<32>>,
    normalise: Normalise,
    exponent_line: Pipe<Bits<9>>,
    sign_line: Pipe<Bit>,
    zero_sign_line: Pipe<Bit>,
    infinite_line: Pipe<Bit>,
    nan_line: Pipe<Bit>,
    zero: Signal<Local, Bit>,
    places: Signal<Local, Bits<9>>,
    round: Round,
}

/// Clocks from [`NormaliseRound`]'s inputs to its output.
pub const NORMALISE_ROUND_LATENCY: usize = NORMALISE_LATENCY + ROUND_LATENCY;

impl Staged for NormaliseRound {
    fn staged(cuts: &Cuts) -> Self {
        staged!(cuts;
            [clock value exponent sign zero_sign infinite nan q zero places]
            1 ..= 2 [normalise exponent_line sign_line zero_sign_line infinite_line nan_line]
            3 ..= 4 [round]
        )
    }
}

impl Logic for NormaliseRound {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clock, normalise, exponent_line, sign_line, zero_sign_line, infinite_line, nan_line, round);
        self.normalise.value.next = self.value.val();
        self.exponent_line.d.next = self.exponent.val();
        self.sign_line.d.next = self.sign.val();
        self.zero_sign_line.d.next = self.zero_sign.val();
        self.infinite_line.d.next = self.infinite.val();
        self.nan_line.d.next = self.nan.val();
        self.zero.next = !self.normalise.normalised.val().get_bit(31);
        self.round.sign.next = self.sign_line.q.val();
        if self.zero.val() {
            self.round.sign.next = self.zero_sign_line.q.val();
        }
        self.round.exponent.next = self.exponent_line.q.val();
        // The complement is the negative less one, hence the one more in `exponent`.
        self.places.next = bit_cast::<9, 5>(self.normalise.places.val());
        self.round.adjust.next = !self.places.val();
        self.round.fraction.next = self.normalise.normalised.val().get_bits::<23>(8);
        self.round.guard.next = self.normalise.normalised.val().get_bit(7);
        self.round.sticky.next = self.normalise.normalised.val().get_bits::<7>(0).any();
        self.round.zero.next = self.zero.val();
        self.round.infinite.next = self.infinite_line.q.val();
        self.round.nan.next = self.nan_line.q.val();
        self.q.next = self.round.q.val();
    }
}
