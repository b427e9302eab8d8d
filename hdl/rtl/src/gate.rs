//! What lets a simulated block rest: see `rayman_derive::GatedBlock`.

use rust_hdl_core::prelude::*;

/// What changed within a block in the last pass. Simulation only; not part of the hardware.
#[derive(Clone, Copy, Debug)]
pub struct Gate {
    /// A part changed what it drives, or the block was never evaluated: its kernel must run.
    pub live: bool,
    /// A part has something to do yet, though it drives what it drove.
    pub within: bool,
    /// The block changed what it drives.
    pub told: bool,
}

impl Default for Gate {
    fn default() -> Self {
        Self { live: true, within: false, told: true }
    }
}

/// A block that may be a part of a gated one. Simulation only.
pub trait Gated: Block {
    /// It looks at its inputs only at an edge of its clock, takes its clock over at once, and whatever it drives changes in
    /// that very pass: so in a pass without an edge there is nothing to be done.
    const LEAF: bool;

    /// Drives its clock, if it has one: what the kernel of the block around it does, without all else.
    fn tick(&mut self, level: Clock);

    /// It changed what it drives, in the last pass in which it was looked at.
    fn told(&self) -> bool;
}

impl<P: Gated, const N: usize> Gated for [P; N] {
    const LEAF: bool = P::LEAF;

    fn tick(&mut self, level: Clock) {
        for part in self {
            part.tick(level);
        }
    }

    fn told(&self) -> bool {
        self.iter().any(Gated::told)
    }
}

impl<T: Synth> Gated for Constant<T> {
    const LEAF: bool = true;

    fn tick(&mut self, _level: Clock) {}

    fn told(&self) -> bool {
        false
    }
}

#[cfg(test)]
mod tests;
