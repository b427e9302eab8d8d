//! The words of the scene descriptor, as they come from memory, and any word as a number.
//!
//! ```text
//!  word, shift -> [SceneWords] -> words[15], number
//! ```
//!
//! Words enter at the top and move down, so that after 15 of them word k is in place k. The first ten are numbers and
//! are stored as such: subnormals are zeros of their sign, every NaN is the one NaN. `number` is `word` made so, in the
//! same clock, whatever the word is for.

use rayman_abi::descriptor::scene;
use rayman_derive::GatedBlock;
use rust_hdl_core::prelude::*;

use crate::fixed::Fixed;
use crate::gate::Gate;
use crate::mem::Flop;

/// The words before this one are numbers.
const NUMBERS: u64 = scene::SCREEN_X_SIZE.word as u64;

/// See the module.
#[derive(GatedBlock, Default)]
pub struct SceneWords {
    /// The one clock.
    pub clock: Signal<In, Clock>,
    /// A word from memory.
    pub word: Signal<In, Bits<32>>,
    /// It is the scene descriptor's next.
    pub shift: Signal<In, Bit>,
    /// Which one: 0 to 14.
    pub place: Signal<In, Bits<5>>,
    /// `word` as a number.
    pub number: Signal<Out, Bits<32>>,
    /// The descriptor, after its last word.
    pub words: [Signal<Out, Bits<32>>; 15],

    stored: [Flop<Bits<32>>; 15],
    entering: Signal<Local, Bits<32>>,
    canonical: Signal<Local, Bits<32>>,
    exponent: Signal<Local, Bits<8>>,
    fraction: Signal<Local, Bits<23>>,
    numbers: Fixed<5, NUMBERS>,
    sign_bit: Fixed<32, 0x8000_0000>,
    one_nan: Fixed<32, 0x7FC0_0000>,
    _gate: Gate,
}

impl SceneWords {
    /// A register changed in the last pass. For simulation.
    pub(super) fn stirred(&self) -> bool {
        self.stored.iter().any(|flop| flop.q.changed)
    }
}

impl Logic for SceneWords {
    #[hdl_gen]
    fn update(&mut self) {
        self.exponent.next = self.word.val().get_bits::<8>(23);
        self.fraction.next = self.word.val().get_bits::<23>(0);
        self.canonical.next = self.word.val();
        if self.exponent.val() == 0 {
            self.canonical.next = self.word.val() & self.sign_bit.val();
        }
        if (self.exponent.val() == 255) && (self.fraction.val() != 0) {
            self.canonical.next = self.one_nan.val();
        }
        self.number.next = self.canonical.val();
        self.entering.next = self.word.val();
        if self.place.val() < self.numbers.val() {
            self.entering.next = self.canonical.val();
        }

        for i in 0..15 {
            self.stored[i].clock.next = self.clock.val();
            self.stored[i].d.next = self.stored[i].q.val();
            self.words[i].next = self.stored[i].q.val();
        }
        if self.shift.val() {
            self.stored[0].d.next = self.stored[1].q.val();
            self.stored[1].d.next = self.stored[2].q.val();
            self.stored[2].d.next = self.stored[3].q.val();
            self.stored[3].d.next = self.stored[4].q.val();
            self.stored[4].d.next = self.stored[5].q.val();
            self.stored[5].d.next = self.stored[6].q.val();
            self.stored[6].d.next = self.stored[7].q.val();
            self.stored[7].d.next = self.stored[8].q.val();
            self.stored[8].d.next = self.stored[9].q.val();
            self.stored[9].d.next = self.stored[10].q.val();
            self.stored[10].d.next = self.stored[11].q.val();
            self.stored[11].d.next = self.stored[12].q.val();
            self.stored[12].d.next = self.stored[13].q.val();
            self.stored[13].d.next = self.stored[14].q.val();
            self.stored[14].d.next = self.entering.val();
        }
    }
}
