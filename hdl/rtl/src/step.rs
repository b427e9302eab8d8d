//! Steps a block clock by clock, without rust-hdl's threads.
//!
//! A clock is: the clock low with the inputs as set, until nothing changes; the clock high, until nothing changes. What
//! a neighbour would see at the rising edge is what stands on the outputs between the two: see [`settle`].

use rust_hdl_core::prelude::{Block, Clock};

/// Passes after which a block counts as oscillating. A signal needs a pass for each level of the hierarchy it crosses.
pub const PASS_LIMIT: u32 = 1000;

/// The signals of a block do not come to rest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the block's signals still change after {passes} passes: there is a combinational loop")]
pub struct Oscillation {
    /// Passes made.
    pub passes: u32,
}

/// Lets the block's signals come to rest. Answers the number of passes.
pub fn settle<B: Block + ?Sized>(block: &mut B) -> Result<u32, Oscillation> {
    for pass in 1..=PASS_LIMIT {
        block.update_all();
        if !block.has_changed() {
            return Ok(pass);
        }
    }
    Err(Oscillation { passes: PASS_LIMIT })
}

/// A full clock with the inputs as they are set. `set_clock` puts a level on the block's clock, such as
/// `|block, level| block.clock.next = level`.
pub fn clock<B: Block + ?Sized>(block: &mut B, mut set_clock: impl FnMut(&mut B, Clock)) -> Result<(), Oscillation> {
    for level in [false, true] {
        set_clock(block, Clock { clk: level });
        settle(block)?;
    }
    Ok(())
}
