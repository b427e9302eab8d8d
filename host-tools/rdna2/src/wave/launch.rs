//! What a wave starts with.

use super::state::{State, Vector};
use super::word::{Bits, Word};
use crate::{Register, Wave};

/// The registers of a wave before its first instruction. What is not set is not known.
#[derive(Clone, Debug)]
pub struct Launch {
    state: State,
    /// Address of the program's first byte, if it is known: what `s_getpc_b64` counts from.
    pub code_address: Option<u64>,
}

impl Launch {
    /// A wave of which nothing is known.
    pub fn new(wave: Wave) -> Self {
        Self { state: State::unknown(wave), code_address: None }
    }

    /// User data: the words of s0 and up. One that is `None` is not known.
    pub fn with_user_data(mut self, words: &[Option<u32>]) -> Self {
        for (index, &word) in (0u8..=105).zip(words) {
            self.state.set_scalar(Register::Sgpr(index), word.into());
        }
        self
    }

    /// A scalar register.
    pub fn with_scalar(mut self, register: Register, word: u32) -> Self {
        self.state.set_scalar(register, Word::of(word));
        self
    }

    /// A vector register, the same or counting up by `step` from lane to lane.
    pub fn with_vector(mut self, index: u8, first: u32, step: u32) -> Self {
        let words = std::array::from_fn(|lane| Word::of(first.wrapping_add((lane as u32).wrapping_mul(step))));
        *self.state.vector_mut(index) = Vector::from_lanes(words);
        self
    }

    /// The lanes that are active.
    pub fn with_lanes(mut self, mask: u64) -> Self {
        self.state.set_exec(Bits::of(mask));
        self
    }

    /// The registers.
    pub fn state(&self) -> &State {
        &self.state
    }
}
