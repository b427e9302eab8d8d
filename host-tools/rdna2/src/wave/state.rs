//! The registers of a wave, as far as they are known.

use std::rc::Rc;

use super::word::{Bits, Word};
use crate::{Register, Wave};

/// Lanes of the widest wave.
pub const LANES: usize = 64;

/// A vector register: a word a lane.
#[derive(Clone, Debug)]
pub enum Vector {
    /// The same in every lane.
    Uniform(Word),
    /// One word for each lane.
    Lanes(Rc<[Word; LANES]>),
}

impl Vector {
    /// The word of a lane below [`LANES`]; not known outside.
    pub fn lane(&self, lane: usize) -> Word {
        match self {
            Self::Uniform(word) => *word,
            Self::Lanes(words) => words.get(lane).copied().unwrap_or(Word::UNKNOWN),
        }
    }

    /// From the word of each lane.
    pub fn from_lanes(words: [Word; LANES]) -> Self {
        if words.iter().all(|&word| word == words[0]) {
            Self::Uniform(words[0])
        } else {
            Self::Lanes(Rc::new(words))
        }
    }

    /// Changes lanes.
    pub fn update(&mut self, f: impl Fn(usize, Word) -> Word) {
        *self = Self::from_lanes(std::array::from_fn(|lane| f(lane, self.lane(lane))));
    }

    fn join(&self, other: &Self) -> Self {
        match (self, other) {
            (Self::Uniform(a), Self::Uniform(b)) => Self::Uniform(a.join(*b)),
            (Self::Lanes(a), Self::Lanes(b)) if Rc::ptr_eq(a, b) => self.clone(),
            _ => Self::from_lanes(std::array::from_fn(|lane| self.lane(lane).join(other.lane(lane)))),
        }
    }
}

/// Every register of a wave.
#[derive(Clone, Debug)]
pub struct State {
    wave: Wave,
    /// By [`Register::index`].
    scalars: [Word; SCALARS],
    vectors: Vec<Vector>,
    scc: Option<bool>,
    /// Byte offset of the instruction that wrote each scalar register last; none for what it held at the start.
    writers: [Option<u64>; SCALARS],
    /// Whether the modes of rounding may have changed since the wave began.
    pub modes_changed: bool,
}

/// Scalar registers with a word of their own: those of the operand codes 0 to 127.
const SCALARS: usize = 128;
const NULL: usize = Register::Null.index();
const VCC: usize = Register::VccLo.index();
const EXEC: usize = Register::ExecLo.index();

impl State {
    /// Nothing is known.
    pub fn unknown(wave: Wave) -> Self {
        let mut scalars = [Word::UNKNOWN; SCALARS];
        scalars[NULL] = Word::of(0);
        Self {
            wave,
            scalars,
            vectors: vec![Vector::Uniform(Word::UNKNOWN); 256],
            scc: None,
            writers: [None; SCALARS],
            modes_changed: false,
        }
    }

    /// How wide the wave is.
    pub fn wave(&self) -> Wave {
        self.wave
    }

    /// How many lanes it has.
    pub fn lanes(&self) -> usize {
        match self.wave {
            Wave::W32 => 32,
            Wave::W64 => 64,
        }
    }

    /// Where the word of a scalar register is; SCC, modes and vector registers have none.
    fn place(register: Register) -> Option<usize> {
        Some(register.index()).filter(|&index| index < SCALARS)
    }

    /// A scalar register's word; SCC as 0 or 1.
    pub fn scalar(&self, register: Register) -> Word {
        match Self::place(register) {
            Some(place) => self.scalars[place],
            None if register == Register::Scc => Word::from(self.scc.map(u32::from)),
            None => Word::UNKNOWN,
        }
    }

    /// Writes a scalar register, or SCC by bit 0. Vector registers and modes are left.
    pub fn set_scalar(&mut self, register: Register, word: Word) {
        match Self::place(register) {
            Some(NULL) => {}
            Some(place) => self.scalars[place] = word,
            None if register == Register::Scc => self.scc = word.extended().flag(0),
            None => {}
        }
    }

    /// The instruction at a byte offset is the last that wrote a register.
    pub fn note_writer(&mut self, register: Register, offset: u64) {
        if let Some(place) = Self::place(register) {
            self.writers[place] = Some(offset);
        }
    }

    /// Byte offset of the instruction that wrote a scalar register last, in this state's own past if several were joined.
    pub fn writer(&self, register: Register) -> Option<u64> {
        self.writers[Self::place(register)?]
    }

    /// SCC.
    pub fn scc(&self) -> Option<bool> {
        self.scc
    }

    /// Sets SCC.
    pub fn set_scc(&mut self, scc: Option<bool>) {
        self.scc = scc;
    }

    /// A vector register.
    pub fn vector(&self, index: u8) -> &Vector {
        &self.vectors[usize::from(index)]
    }

    /// A vector register, to be written.
    pub fn vector_mut(&mut self, index: u8) -> &mut Vector {
        &mut self.vectors[usize::from(index)]
    }

    /// The bits of a mask that lanes have: above them a mask of a narrow wave is 0.
    fn mask(&self, low: usize) -> Bits {
        match self.wave {
            Wave::W32 => self.scalars[low].extended(),
            Wave::W64 => Bits::pair(self.scalars[low], self.scalars[low + 1]),
        }
    }

    /// The execution mask.
    pub fn exec(&self) -> Bits {
        self.mask(EXEC)
    }

    /// VCC.
    pub fn vcc(&self) -> Bits {
        self.mask(VCC)
    }

    /// Writes the execution mask.
    pub fn set_exec(&mut self, mask: Bits) {
        self.scalars[EXEC] = mask.word(0);
        if self.wave == Wave::W64 {
            self.scalars[EXEC + 1] = mask.word(1);
        }
    }

    /// What is known of a wave that is in either state.
    pub fn join(&self, other: &Self) -> Self {
        let mut joined = self.clone();
        joined.scalars.iter_mut().zip(other.scalars).for_each(|(a, b)| *a = a.join(b));
        joined.vectors.iter_mut().zip(&other.vectors).for_each(|(a, b)| *a = a.join(b));
        if self.scc != other.scc {
            joined.scc = None;
        }
        joined.modes_changed |= other.modes_changed;
        joined
    }
}
