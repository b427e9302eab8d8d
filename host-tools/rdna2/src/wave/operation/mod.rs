//! What the scalar and the vector ALU compute: one table for both, an operation a row, by LLVM's mnemonic.
//!
//! An operation has up to three sources of 32 or 64 bits and perhaps a carry in, and gives a value of 32 or 64 bits, a flag
//! (SCC, or a lane's bit of a mask), or both. A vector operation is the same in each lane. Sources: AMD's "RDNA 2 Instruction Set
//! Architecture"; `tests/arithmetic.rs` holds every row against LLVM's evaluation of the operation.

mod compare;
mod float;
mod integer;
mod logic;

use std::collections::HashMap;
use std::sync::OnceLock;

use super::word::Bits;

/// How many bits a source or a result has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Width {
    /// A register.
    W32,
    /// A pair of registers.
    W64,
}

/// The sources of one evaluation.
#[derive(Clone, Copy, Default, Debug)]
pub struct Input {
    /// Up to three sources; those of 32 bits below 2^32.
    pub sources: [u64; 3],
    /// The carry, the condition or the old flag, where the operation has one.
    pub carry: bool,
}

impl Input {
    fn a(&self) -> u32 {
        self.sources[0] as u32
    }

    fn b(&self) -> u32 {
        self.sources[1] as u32
    }

    fn c(&self) -> u32 {
        self.sources[2] as u32
    }

    fn a64(&self) -> u64 {
        self.sources[0]
    }

    fn b64(&self) -> u64 {
        self.sources[1]
    }

    fn c64(&self) -> u64 {
        self.sources[2]
    }
}

/// The function of a row, by what it gives.
#[derive(Clone, Copy)]
enum Evaluate {
    Word(fn(&Input) -> u32),
    Pair(fn(&Input) -> u64),
    WordFlag(fn(&Input) -> (u32, bool)),
    PairFlag(fn(&Input) -> (u64, bool)),
    /// The flag is not said for every source.
    WordSome(fn(&Input) -> (u32, Option<bool>)),
    /// The flag is not said.
    PairSome(fn(&Input) -> u64),
    Flag(fn(&Input) -> bool),
    /// A number of 32 bits, where it depends on no mode: neither on how denormals nor on how NaNs are treated.
    Float(fn(&Input) -> Option<u32>),
    /// A comparison of numbers, where no denormal makes it depend on a mode.
    FloatFlag(fn(&Input) -> Option<bool>),
}

/// What follows from sources of which not every bit is known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Partial {
    /// Nothing.
    Nothing,
    /// Each bit of the result depends on at most one bit of each source, once the sources of the mask (bit k: source k; bit 3:
    /// the carry) are known whole; the flag, if there is one, says whether the result has a bit set.
    Bitwise(u8),
}

/// A row of the table.
pub struct Operation {
    /// LLVM's mnemonic, without `_e32` and the like.
    pub name: &'static str,
    /// The widths of the sources.
    pub sources: &'static [Width],
    /// Whether a carry or a condition is a source: SCC, or a lane's bit of VCC or of a mask.
    pub carry: bool,
    evaluate: Evaluate,
    partial: Partial,
}

/// What an operation gives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Output {
    /// The value; all bits 0 if the operation has none.
    pub value: Bits,
    /// The flag, where the operation has one and it is known.
    pub flag: Option<bool>,
}

impl Operation {
    const fn new(name: &'static str, sources: &'static [Width], evaluate: Evaluate) -> Self {
        Self { name, sources, carry: false, evaluate, partial: Partial::Nothing }
    }

    const fn with_carry(mut self) -> Self {
        self.carry = true;
        self
    }

    const fn bitwise(mut self, control: u8) -> Self {
        self.partial = Partial::Bitwise(control);
        self
    }

    /// The row of a mnemonic, if the wave run computes it.
    pub fn named(name: &str) -> Option<&'static Operation> {
        static INDEX: OnceLock<HashMap<&'static str, &'static Operation>> = OnceLock::new();
        INDEX.get_or_init(|| Operation::all().map(|operation| (operation.name, operation)).collect()).get(name).copied()
    }

    /// Every row.
    pub fn all() -> impl Iterator<Item = &'static Operation> {
        [
            logic::OPERATIONS,
            integer::SCALAR,
            integer::VECTOR,
            float::OPERATIONS,
            compare::INTEGERS,
            compare::NUMBERS,
            compare::OTHERS,
        ]
        .into_iter()
        .flatten()
    }

    /// The width of the value, if the operation gives one.
    pub fn result(&self) -> Option<Width> {
        match self.evaluate {
            Evaluate::Word(_) | Evaluate::WordFlag(_) | Evaluate::WordSome(_) | Evaluate::Float(_) => Some(Width::W32),
            Evaluate::Pair(_) | Evaluate::PairFlag(_) | Evaluate::PairSome(_) => Some(Width::W64),
            Evaluate::Flag(_) | Evaluate::FloatFlag(_) => None,
        }
    }

    /// Whether the operation gives a flag.
    pub fn has_flag(&self) -> bool {
        !matches!(self.evaluate, Evaluate::Word(_) | Evaluate::Pair(_) | Evaluate::Float(_))
    }

    /// Whether the sources are numbers, which may be negated or made absolute; the mode of rounding matters.
    pub fn is_float(&self) -> bool {
        matches!(self.evaluate, Evaluate::Float(_) | Evaluate::FloatFlag(_)) || self.name.starts_with("v_cvt_")
    }

    /// The value and the flag for sources that are known; `None` where the value depends on a mode of the wave.
    pub fn evaluate(&self, input: &Input) -> Option<(u64, Option<bool>)> {
        Some(match self.evaluate {
            Evaluate::Word(f) => (u64::from(f(input)), None),
            Evaluate::Pair(f) | Evaluate::PairSome(f) => (f(input), None),
            Evaluate::WordFlag(f) => {
                let (value, flag) = f(input);
                (u64::from(value), Some(flag))
            }
            Evaluate::PairFlag(f) => {
                let (value, flag) = f(input);
                (value, Some(flag))
            }
            Evaluate::WordSome(f) => {
                let (value, flag) = f(input);
                (u64::from(value), flag)
            }
            Evaluate::Flag(f) => (0, Some(f(input))),
            Evaluate::Float(f) => (u64::from(f(input)?), None),
            Evaluate::FloatFlag(f) => (0, Some(f(input)?)),
        })
    }

    /// What is known of the outcome for sources of which some bits may not be known.
    pub fn apply(&self, sources: [Bits; 3], carry: Option<bool>) -> Output {
        let used = &sources[..self.sources.len()];
        let carry_known = !self.carry || carry.is_some();
        if carry_known && used.iter().all(|source| source.all().is_some()) {
            let input = Input { sources: sources.map(Bits::least), carry: carry.unwrap_or(false) };
            return match self.evaluate(&input) {
                Some((value, flag)) => Output { value: Bits::of(value), flag },
                None => self.unknown(),
            };
        }
        match self.partial {
            Partial::Nothing => self.unknown(),
            Partial::Bitwise(control) => self.apply_bitwise(sources, carry, control),
        }
    }

    /// An outcome of which nothing is known but its width.
    pub fn unknown(&self) -> Output {
        let value = match self.result() {
            Some(Width::W64) => Bits::UNKNOWN,
            Some(Width::W32) => Bits::partly(0, !0 << 32),
            None => Bits::of(0),
        };
        Output { value, flag: None }
    }

    /// Each bit of the result depends on one bit of each source: it is known if it is the same for every choice of the unknown
    /// bits, and as they act one by one, all 0 and all 1 in each source are choices enough.
    fn apply_bitwise(&self, sources: [Bits; 3], carry: Option<bool>, control: u8) -> Output {
        let control_known = (0..self.sources.len()).all(|k| control >> k & 1 == 0 || sources[k].all().is_some());
        if !control_known || (self.carry && control >> 3 & 1 == 1 && carry.is_none()) {
            return self.unknown();
        }
        let mut joined: Option<Bits> = None;
        for choice in 0..16u32 {
            let pick = |k: usize| if choice >> k & 1 == 1 { sources[k].greatest() } else { sources[k].least() };
            let input = Input { sources: [pick(0), pick(1), pick(2)], carry: carry.unwrap_or(choice >> 3 & 1 == 1) };
            let Some((value, _)) = self.evaluate(&input) else { return self.unknown() };
            joined = Some(joined.map_or(Bits::of(value), |known| known.join(Bits::of(value))));
        }
        let value = joined.unwrap_or(self.unknown().value);
        Output { value, flag: if self.has_flag() { value.any() } else { None } }
    }
}

const W32: Width = Width::W32;
const W64: Width = Width::W64;
const A: &[Width] = &[W32];
const AB: &[Width] = &[W32, W32];
const ABC: &[Width] = &[W32, W32, W32];
const D: &[Width] = &[W64];
const DD: &[Width] = &[W64, W64];

const fn word(name: &'static str, sources: &'static [Width], f: fn(&Input) -> u32) -> Operation {
    Operation::new(name, sources, Evaluate::Word(f))
}

const fn pair(name: &'static str, sources: &'static [Width], f: fn(&Input) -> u64) -> Operation {
    Operation::new(name, sources, Evaluate::Pair(f))
}

const fn word_flag(name: &'static str, sources: &'static [Width], f: fn(&Input) -> (u32, bool)) -> Operation {
    Operation::new(name, sources, Evaluate::WordFlag(f))
}

const fn pair_flag(name: &'static str, sources: &'static [Width], f: fn(&Input) -> (u64, bool)) -> Operation {
    Operation::new(name, sources, Evaluate::PairFlag(f))
}

const fn flag(name: &'static str, sources: &'static [Width], f: fn(&Input) -> bool) -> Operation {
    Operation::new(name, sources, Evaluate::Flag(f))
}

const fn float(name: &'static str, sources: &'static [Width], f: fn(&Input) -> Option<u32>) -> Operation {
    Operation::new(name, sources, Evaluate::Float(f))
}

const fn float_flag(name: &'static str, sources: &'static [Width], f: fn(&Input) -> Option<bool>) -> Operation {
    Operation::new(name, sources, Evaluate::FloatFlag(f))
}
