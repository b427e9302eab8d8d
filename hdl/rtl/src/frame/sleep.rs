//! Blocks that cost nothing in simulation while nothing happens to them.
//!
//! A synchronous block whose registers did not change at a rising edge will not change at the next either, as long as its
//! inputs stay. [`Sleeping`] watches a block for that: after a clock in which no input and no register changed it leaves
//! the block alone, clock included, until an input differs from what the block last saw. What the block shows, clock by
//! clock, is the same; the emitted Verilog is the block's own.
//!
//! Why the clock may be withheld: the block falls asleep at a falling edge with its own clock still high. If an input
//! changes while the true clock is high, the block goes on from there; if it changes while the true clock is low, the
//! block sees the falling edge first and the next rising edge as ever. Inputs never change in the pass in which a rising
//! edge arrives, because what a register drives changes later than the clock that reaches it.

use std::ops::{Deref, DerefMut};

use crate::gate::Gated;
use rust_hdl_core::prelude::*;

/// What [`Sleeping`] asks of a block.
pub trait Sleeper: Gated {
    /// The block's clock: the level it was given, and the level it has seen.
    fn clock(&self) -> &Signal<In, Clock>;
    /// An input other than the clock has been given a value that the block has not seen.
    fn disturbed(&self) -> bool;
    /// A register or memory output changed in the last pass, or something that shows in neither is under way.
    fn stirred(&self) -> bool;
}

/// A block that is left alone while it is at rest.
pub struct Sleeping<B> {
    block: B,
    asleep: bool,
    // Since the last falling edge an input or a register changed.
    active: bool,
    may_sleep: bool,
}

impl<B> Sleeping<B> {
    /// Watches a block.
    pub fn new(block: B) -> Self {
        Self { block, asleep: false, active: true, may_sleep: true }
    }

    /// From now on the block is simulated in every clock. For tests.
    pub fn keep_awake(&mut self) {
        self.may_sleep = false;
    }

    /// The block is being left alone.
    pub fn asleep(&self) -> bool {
        self.asleep
    }
}

impl<B: Default> Default for Sleeping<B> {
    fn default() -> Self {
        Self::new(B::default())
    }
}

impl<B> Deref for Sleeping<B> {
    type Target = B;
    fn deref(&self) -> &B {
        &self.block
    }
}

impl<B> DerefMut for Sleeping<B> {
    fn deref_mut(&mut self) -> &mut B {
        &mut self.block
    }
}

impl<B: Sleeper> Logic for Sleeping<B> {
    fn update(&mut self) {
        self.block.update();
    }
    fn connect(&mut self) {
        self.block.connect();
    }
    fn hdl(&self) -> Verilog {
        self.block.hdl()
    }
    fn timing(&self) -> Vec<TimingInfo> {
        self.block.timing()
    }
}

impl<B: Sleeper> Block for Sleeping<B> {
    fn connect_all(&mut self) {
        self.block.connect_all();
    }

    fn update_all(&mut self) {
        let disturbed = self.block.disturbed();
        if self.asleep {
            if !disturbed {
                return;
            }
            self.asleep = false;
        }
        let clock = self.block.clock();
        if !clock.next.clk && clock.val().clk {
            if self.may_sleep && !self.active && !disturbed {
                self.asleep = true;
                return;
            }
            self.active = false;
        }
        self.block.update_all();
        self.active |= disturbed || self.block.stirred();
    }

    fn has_changed(&self) -> bool {
        !self.asleep && self.block.has_changed()
    }

    fn accept(&self, name: &str, probe: &mut dyn Probe) {
        self.block.accept(name, probe);
    }
}

impl<B: Sleeper> Gated for Sleeping<B> {
    const LEAF: bool = false;

    fn tick(&mut self, level: Clock) {
        self.block.tick(level);
    }

    fn told(&self) -> bool {
        !self.asleep && self.block.told()
    }
}

/// Implements [`Sleeper`]: the inputs, the registers (and memory outputs), and a condition that keeps the block awake.
macro_rules! sleeper {
    ([$($generics:tt)*] $block:ty, inputs: [$($input:ident),* $(,)?], state: |$this:ident| $stirred:expr) => {
        impl<$($generics)*> $crate::frame::sleep::Sleeper for $block {
            fn clock(&self) -> &Signal<In, Clock> {
                &self.clock
            }
            fn disturbed(&self) -> bool {
                $(self.$input.next != self.$input.val())||*
            }
            fn stirred(&self) -> bool {
                let $this = self;
                $stirred
            }
        }
    };
}
pub(crate) use sleeper;
