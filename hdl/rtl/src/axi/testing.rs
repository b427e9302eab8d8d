//! What the tests of the buses share: random choices from a printed seed, and the halves of a clock.

use rust_hdl_core::prelude::{Block, Clock};

/// Random choices (xorshift64*), the same for the same seed on every machine.
pub struct Rng(u64);

impl Rng {
    /// Prints the seed, so that a failure can be repeated.
    pub fn new(seed: u64) -> Self {
        println!("seed {seed}");
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    pub fn word(&mut self) -> u32 {
        (self.next() >> 32) as u32
    }

    /// 0 to `end`, `end` excluded.
    pub fn below(&mut self, end: u64) -> u64 {
        (self.next() >> 16) % end
    }

    /// True `percent` times in a hundred.
    pub fn chance(&mut self, percent: u64) -> bool {
        self.below(100) < percent
    }
}

/// A block with the core's one clock.
pub trait Clocked: Block {
    fn drive(&mut self, clock: Clock);
}

macro_rules! clocked {
    ($($block:ty),*) => {
        $(impl Clocked for $block {
            fn drive(&mut self, clock: Clock) {
                self.clock.next = clock;
            }
        })*
    };
}
clocked!(super::RegisterBlock, super::ReadMaster, super::PixelOutput);

/// The clock low, with the inputs as they are set: afterwards the outputs are what is seen at the next edge.
pub fn before_edge<B: Clocked>(block: &mut B) {
    block.drive(Clock { clk: false });
    crate::step::settle(block).expect("the block comes to rest");
}

/// The rising edge.
pub fn edge<B: Clocked>(block: &mut B) {
    block.drive(Clock { clk: true });
    crate::step::settle(block).expect("the block comes to rest");
}

/// A stream that the block drives: a valid and its payload must stay until taken.
#[derive(Default)]
pub struct Held<T> {
    waiting: Option<T>,
}

impl<T: PartialEq + Clone + std::fmt::Debug> Held<T> {
    /// Looks at one clock. Answers the payload if it was taken.
    pub fn watch(&mut self, name: &str, valid: bool, ready: bool, payload: T) -> Option<T> {
        if let Some(before) = &self.waiting {
            assert!(valid, "{name}: valid fell before it was taken");
            assert_eq!(*before, payload, "{name}: the payload changed before it was taken");
        }
        self.waiting = (valid && !ready).then(|| payload.clone());
        (valid && ready).then_some(payload)
    }

    /// After a reset nothing is waiting.
    pub fn reset(&mut self) {
        self.waiting = None;
    }
}
