//! Registers of a wave, ranges of them, and sets.

use std::fmt;

/// Lanes of a wave, which is the width of its masks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Wave {
    /// 32 lanes: a mask is one word.
    #[default]
    W32,
    /// 64 lanes: a mask is two words.
    W64,
}

impl Wave {
    /// Words of a lane mask, 1 or 2.
    pub const fn mask_words(self) -> u8 {
        match self {
            Self::W32 => 1,
            Self::W64 => 2,
        }
    }
}

/// A 32-bit register of a wave (of each lane, if it is a vector register), or one of its flags.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Register {
    /// Scalar register, 0 to 105.
    Sgpr(u8),
    /// Lower half of the vector condition code.
    VccLo,
    /// Upper half of the vector condition code.
    VccHi,
    /// Register of the trap handler, 0 to 15.
    Ttmp(u8),
    /// Memory register: offsets, limits, messages.
    M0,
    /// Reads as zero; a write to it is lost.
    Null,
    /// Lower half of the execution mask.
    ExecLo,
    /// Upper half of the execution mask.
    ExecHi,
    /// Scalar condition code, one bit.
    Scc,
    /// Rounding, denormals and other modes of the wave.
    Mode,
    /// Vector register, 0 to 255.
    Vgpr(u8),
}

impl Register {
    /// The scalar register of an operand code 0 to 127, as the encodings number them.
    pub const fn from_scalar_code(code: u8) -> Option<Self> {
        Some(match code {
            0..=105 => Self::Sgpr(code),
            106 => Self::VccLo,
            107 => Self::VccHi,
            108..=123 => Self::Ttmp(code - 108),
            124 => Self::M0,
            125 => Self::Null,
            126 => Self::ExecLo,
            127 => Self::ExecHi,
            _ => return None,
        })
    }

    /// A number of its own for each register, 0 to 511: scalar registers have their operand codes, vector registers 256 and up.
    pub const fn index(self) -> usize {
        match self {
            Self::Sgpr(n) => n as usize,
            Self::VccLo => 106,
            Self::VccHi => 107,
            Self::Ttmp(n) => 108 + n as usize,
            Self::M0 => 124,
            Self::Null => 125,
            Self::ExecLo => 126,
            Self::ExecHi => 127,
            Self::Scc => 128,
            Self::Mode => 129,
            Self::Vgpr(n) => 256 + n as usize,
        }
    }

    /// The register with this [`Register::index`].
    pub const fn from_index(index: usize) -> Option<Self> {
        match index {
            0..=127 => Self::from_scalar_code(index as u8),
            128 => Some(Self::Scc),
            129 => Some(Self::Mode),
            256..=511 => Some(Self::Vgpr((index - 256) as u8)),
            _ => None,
        }
    }

    /// The register `n` further on in its file, as the words of a wide operand are.
    pub const fn plus(self, n: u8) -> Option<Self> {
        match self {
            Self::Vgpr(first) => match first.checked_add(n) {
                Some(sum) => Some(Self::Vgpr(sum)),
                None => None,
            },
            Self::Scc | Self::Mode => match n {
                0 => Some(self),
                _ => None,
            },
            _ => match (self.index() as u8).checked_add(n) {
                Some(code) => Self::from_scalar_code(code),
                None => None,
            },
        }
    }

    /// Whether it is a register of each lane.
    pub const fn is_vector(self) -> bool {
        matches!(self, Self::Vgpr(_))
    }
}

impl fmt::Display for Register {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Sgpr(n) => write!(f, "s{n}"),
            Self::VccLo => f.write_str("vcc_lo"),
            Self::VccHi => f.write_str("vcc_hi"),
            Self::Ttmp(n) => write!(f, "ttmp{n}"),
            Self::M0 => f.write_str("m0"),
            Self::Null => f.write_str("null"),
            Self::ExecLo => f.write_str("exec_lo"),
            Self::ExecHi => f.write_str("exec_hi"),
            Self::Scc => f.write_str("scc"),
            Self::Mode => f.write_str("mode"),
            Self::Vgpr(n) => write!(f, "v{n}"),
        }
    }
}

impl fmt::Debug for Register {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Registers that follow one another and hold one operand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct RegisterRange {
    /// The register of its lowest word.
    pub first: Register,
    /// Its words, 1 to 16.
    pub words: u8,
}

impl RegisterRange {
    /// The register of each word, lowest first. All words of [`Register::Null`] are that register.
    pub fn registers(self) -> impl Iterator<Item = Register> {
        (0..self.words).filter_map(move |word| match self.first {
            Register::Null => Some(Register::Null),
            first => first.plus(word),
        })
    }
}

/// A set of registers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct RegisterSet {
    bits: [u64; 8],
}

impl RegisterSet {
    /// The set of none.
    pub const EMPTY: Self = Self { bits: [0; 8] };

    /// Adds a register.
    pub fn insert(&mut self, register: Register) {
        let index = register.index();
        self.bits[index / 64] |= 1 << (index % 64);
    }

    /// Takes a register out.
    pub fn remove(&mut self, register: Register) {
        let index = register.index();
        self.bits[index / 64] &= !(1 << (index % 64));
    }

    /// Whether it holds a register.
    pub fn contains(&self, register: Register) -> bool {
        let index = register.index();
        self.bits[index / 64] >> (index % 64) & 1 != 0
    }

    /// Whether it holds none.
    pub fn is_empty(&self) -> bool {
        self.bits.iter().all(|&word| word == 0)
    }

    /// How many it holds.
    pub fn len(&self) -> usize {
        self.bits.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Whether the two have a register in common.
    pub fn intersects(&self, other: &Self) -> bool {
        self.bits.iter().zip(&other.bits).any(|(a, b)| a & b != 0)
    }

    /// Adds all registers of another set.
    pub fn union_with(&mut self, other: &Self) {
        self.bits.iter_mut().zip(&other.bits).for_each(|(a, b)| *a |= b);
    }

    /// The registers, scalar ones first, each file upward.
    pub fn iter(&self) -> impl Iterator<Item = Register> + '_ {
        (0..512).filter(|index| self.bits[index / 64] >> (index % 64) & 1 != 0).filter_map(Register::from_index)
    }
}

impl Extend<Register> for RegisterSet {
    fn extend<T: IntoIterator<Item = Register>>(&mut self, registers: T) {
        registers.into_iter().for_each(|register| self.insert(register));
    }
}

impl FromIterator<Register> for RegisterSet {
    fn from_iter<T: IntoIterator<Item = Register>>(registers: T) -> Self {
        let mut set = Self::EMPTY;
        set.extend(registers);
        set
    }
}

impl fmt::Debug for RegisterSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}
