//! What lets a simulated block rest: see `rayman_derive::GatedBlock`.

/// Whether anything within a block changed in the last pass. Simulation only; not part of the hardware.
#[derive(Clone, Copy, Debug)]
pub struct Gate {
    /// Something but its inputs changed, or the block was never evaluated.
    pub live: bool,
}

impl Default for Gate {
    fn default() -> Self {
        Self { live: true }
    }
}

#[cfg(test)]
mod tests;
