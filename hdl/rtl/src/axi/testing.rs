//! What the tests of the buses share: random choices from a printed seed, and the halves of a clock.

use rayman_model::random::Random;
use rust_hdl_core::prelude::{Block, Clock};

/// Random choices as ports and percentages want them.
pub struct Rng(Random);

impl Rng {
    /// Prints the seed, so that a failure can be repeated.
    pub fn new(seed: u64) -> Self {
        println!("seed {seed}");
        Self(Random::new(seed))
    }

    pub fn next(&mut self) -> u64 {
        self.0.next_u64()
    }

    pub fn word(&mut self) -> u32 {
        self.0.next_u32()
    }

    /// 0 to `end`, `end` excluded.
    pub fn below(&mut self, end: u64) -> u64 {
        u64::from(self.0.below(end as u32))
    }

    /// True `percent` times in a hundred.
    pub fn chance(&mut self, percent: u64) -> bool {
        self.0.percent(percent as u32)
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
