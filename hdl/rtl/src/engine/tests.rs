//! What the engine's blocks must do, worked out by hand, by stepping each alone.

mod accounting;
mod arbiter;
mod generator;
mod lane;
mod nearest;
mod order;
mod shading;
mod slots;
mod staging;
mod window;

use crate::step::settle;
use rust_hdl_core::prelude::{Block, Clock};

/// A block with the core's one clock and reset.
pub trait Clocked: Block {
    /// Drives the clock pin.
    fn drive(&mut self, level: Clock);
    /// Drives the reset pin.
    fn reset(&mut self, low: bool);

    /// The clock low, with the inputs as set: what a neighbour sees at the next edge stands on the outputs.
    fn look(&mut self) {
        self.drive(Clock { clk: false });
        settle(self).expect("the block comes to rest");
    }

    /// The rising edge.
    fn edge(&mut self) {
        self.drive(Clock { clk: true });
        settle(self).expect("the block comes to rest");
    }

    /// Connects, and resets for two clocks.
    fn begin(&mut self) {
        self.connect_all();
        self.reset(true);
        for _ in 0..2 {
            self.look();
            self.edge();
        }
        self.reset(false);
    }
}

macro_rules! clocked {
    ($([$($generics:tt)*] $block:ty),* $(,)?) => {
        $(impl<$($generics)*> Clocked for $block {
            fn drive(&mut self, level: Clock) {
                self.clock.next = level;
            }
            fn reset(&mut self, low: bool) {
                self.reset_n.next = !low;
            }
        })*
    };
}
clocked!(
    [const S: usize] crate::engine::slots::Slots<S>,
    [const C: usize, const S: usize] crate::engine::nearest::Nearest<C, S>,
    [const C: usize] crate::engine::staging::Staging<C>,
    [const C: usize] crate::engine::generator::Generator<C>,
    [const C: usize] crate::engine::shading::Shading<C>,
    [const W: usize] crate::engine::window::Window<W>,
    [const L: usize] crate::engine::arbiter::Arbiter<L>,
    [const C: usize, const S: usize] crate::engine::lane::Lane<C, S>,
);

/// Drives each signal of an array.
macro_rules! drive {
    ($signals:expr, $values:expr) => {
        for (signal, value) in $signals.iter_mut().zip($values) {
            signal.next = u64::from(value).into();
        }
    };
}
pub(crate) use drive;
