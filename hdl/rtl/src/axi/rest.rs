//! Blocks that cost nothing in simulation while nothing happens in them.
//!
//! Between two pixels, or two register accesses, every register of a bus block is loaded with what it holds. Such a
//! block, once its inputs are still too, cannot change at the next edge, nor at any later one until an input changes:
//! its passes can be left out. A block of [`resting_block!`] does so by itself:
//!
//! ```text
//!  awake --- clock low, all at rest ---> asleep: follows the clock pin, looks at the watched inputs, nothing else
//!        <-- a watched input changes ---
//! ```
//!
//! Nothing is approximated. If the input changes while the clock is high, the edge that was slept through is made up
//! for first, with the inputs as they were: it changes nothing, but leaves every part's clock where it belongs. Not
//! watched may be only inputs that no output and no register follows while the block is at rest.
//!
//! Local signals take no part in settling: they are written before they are read in each evaluation. They are brought up
//! to date, for waveforms, when all else is.

use super::RegisterFile;
use crate::mem::{Fifo, Flop};
use rust_hdl_core::prelude::*;

/// A part of a block whose next rising edge may be foreseen.
pub(super) trait AtRest {
    /// The next rising edge would change nothing.
    fn at_rest(&self) -> bool;
}

impl<T: Synth> AtRest for Flop<T> {
    fn at_rest(&self) -> bool {
        self.d.next == self.q.val()
    }
}

impl<T: Synth, const A: usize> AtRest for Fifo<T, A> {
    fn at_rest(&self) -> bool {
        self.reset_n.next && !self.push.next && !self.pop.next && !self.clear.next
    }
}

impl AtRest for RegisterFile {
    fn at_rest(&self) -> bool {
        self.reset_n.next && !self.write.next && !self.read.next
    }
}

/// Whether a block sleeps.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Rest {
    pub(super) asleep: bool,
}

/// Implements `Block` for a kernel with a field `rest: Rest`, instead of `#[derive(LogicBlock)]`. `ports` are all ports
/// but `clock`; `watched` the inputs among them, by path; `parts` the registers, memories and blocks within.
macro_rules! resting_block {
    ($block:ty {
        ports: [$($port:ident),* $(,)?],
        watched: [$($($watched:ident).+),* $(,)?],
        locals: [$($local:ident),* $(,)?],
        parts: [$($part:ident),* $(,)?],
        constants: [$($constant:ident),* $(,)?],
    }) => {
        impl Block for $block {
            fn connect_all(&mut self) {
                self.connect();
                $(self.$port.connect_all();)*
                $(self.$part.connect_all();)*
            }

            fn update_all(&mut self) {
                if self.rest.asleep {
                    if true $(&& self.$($watched).+.next == self.$($watched).+.val())* {
                        self.clock.update_all();
                        return;
                    }
                    self.rest.asleep = false;
                    if self.clock.val().clk {
                        loop {
                            self.update();
                            $(self.$part.update_all();)*
                            if !(false $(|| self.$part.has_changed())*) {
                                break;
                            }
                        }
                    }
                }
                self.update();
                self.clock.update_all();
                $(self.$port.update_all();)*
                $(self.$part.update_all();)*
                if !self.has_changed() {
                    $(self.$local.update_all();)*
                    self.rest.asleep = !self.clock.val().clk && crate::axi::rest::AtRest::at_rest(self);
                }
            }

            fn has_changed(&self) -> bool {
                !self.rest.asleep
                    && (self.clock.changed $(|| self.$port.has_changed())* $(|| self.$part.has_changed())*)
            }

            fn accept(&self, name: &str, probe: &mut dyn Probe) {
                probe.visit_start_scope(name, self);
                self.clock.accept("clock", probe);
                $(self.$port.accept(stringify!($port), probe);)*
                $(self.$local.accept(stringify!($local), probe);)*
                $(self.$constant.accept(stringify!($constant), probe);)*
                $(self.$part.accept(stringify!($part), probe);)*
                probe.visit_end_scope(name, self);
            }
        }

        impl crate::gate::Gated for $block {
            const LEAF: bool = false;

            fn tick(&mut self, level: Clock) {
                self.clock.next = level;
            }

            fn told(&self) -> bool {
                !self.rest.asleep && (false $(|| self.$port.has_changed())*)
            }
        }

        impl crate::axi::rest::AtRest for $block {
            fn at_rest(&self) -> bool {
                true $(&& crate::axi::rest::AtRest::at_rest(&self.$part))*
            }
        }
    };
}
pub(super) use resting_block;
