//! Whose turn it is: one of the lanes that want something, each in turn.
//!
//! ```text
//!  wants[lane] -> +---------+ -> any, chosen (same clock)
//!           go -> | Arbiter |
//!                 +---------+
//! ```
//!
//! The chosen lane is the next one that wants, counting down from the one served last; it is served in a clock in which
//! `go` is high. So a lane that keeps wanting waits for each other lane once at most.

use crate::gate::Gate;
use crate::mem::Flop;
use rayman_derive::GatedBlock;
use rust_hdl_core::prelude::*;
use rust_hdl_widgets::dff_setup;

/// Chooses among `LANES`, 1 to 4.
#[derive(GatedBlock)]
pub struct Arbiter<const LANES: usize> {
    /// The one clock.
    pub clock: Signal<In, Clock>,
    /// Low: lane 0 counts as served last.
    pub reset_n: Signal<In, Bit>,
    /// A lane wants its turn.
    pub wants: [Signal<In, Bit>; LANES],
    /// The chosen one is served.
    pub go: Signal<In, Bit>,
    /// Some lane wants.
    pub any: Signal<Out, Bit>,
    /// Which is to be served; means something only with `any`.
    pub chosen: Signal<Out, Bits<2>>,
    last: Flop<Bits<2>>,
    choice: Signal<Local, Bits<2>>,
    numbers: [Constant<Bits<2>>; LANES],
    _gate: Gate,
}

impl<const LANES: usize> Default for Arbiter<LANES> {
    fn default() -> Self {
        Self {
            clock: Default::default(),
            reset_n: Default::default(),
            wants: std::array::from_fn(|_| Default::default()),
            go: Default::default(),
            any: Default::default(),
            chosen: Default::default(),
            last: Default::default(),
            choice: Default::default(),
            numbers: std::array::from_fn(|lane| Constant::new(bits(lane as LiteralType))),
            _gate: Default::default(),
        }
    }
}

impl<const LANES: usize> Logic for Arbiter<LANES> {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, last);
        // The highest of those below the last; if there is none, the highest of all.
        self.any.next = false;
        self.choice.next = 0.into();
        for i in 0..LANES {
            if self.wants[i].val() {
                self.any.next = true;
                self.choice.next = self.numbers[i].val();
            }
        }
        for i in 0..LANES {
            if self.wants[i].val() & (self.numbers[i].val() < self.last.q.val()) {
                self.choice.next = self.numbers[i].val();
            }
        }
        self.chosen.next = self.choice.val();
        if self.go.val() {
            self.last.d.next = self.choice.val();
        }

        if !self.reset_n.val() {
            self.last.d.next = 0.into();
        }
    }
}
