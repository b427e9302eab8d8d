//! Sources and destinations.

use super::Machine;
use crate::isa::{Kind, Special, Value};
use crate::wave::state::{Vector, LANES};
use crate::wave::word::{Bits, Word};
use crate::{Operand, Register};

/// A source in every lane.
pub(super) enum Source {
    /// The same in all.
    Uniform(Bits),
    /// One or two vector registers.
    Lanes(Vector, Option<Vector>),
}

impl Source {
    pub(super) fn lane(&self, lane: usize) -> Bits {
        match self {
            Self::Uniform(bits) => *bits,
            Self::Lanes(low, None) => low.lane(lane).extended(),
            Self::Lanes(low, Some(high)) => Bits::pair(low.lane(lane), high.lane(lane)),
        }
    }
}

impl Machine<'_> {
    /// The value of a source of one or two words that is the same in every lane; of vector registers nothing is known here.
    pub(super) fn scalar_source(&self, operand: &Operand) -> Bits {
        let wide = operand.kind.words(self.state.wave()) == 2;
        match operand.value {
            Value::Registers(range) => {
                let mut words = range.registers().map(|register| self.state.scalar(register));
                let low = words.next().unwrap_or(Word::UNKNOWN);
                match (wide, words.next()) {
                    (true, Some(high)) => Bits::pair(low, high),
                    (true, None) => Bits::pair(low, Word::UNKNOWN),
                    (false, _) => low.extended(),
                }
            }
            Value::Integer(value) => match wide {
                true => Bits::of(i64::from(value) as u64),
                false => Bits::of(u64::from(value as u32)),
            },
            Value::Float(constant) => match (wide, operand.kind) {
                (true, _) => Bits::of(constant.bits64()),
                (false, Kind::B16 | Kind::F16 | Kind::P16 | Kind::PF16) => Bits::of(u64::from(constant.bits16())),
                (false, _) => Bits::of(u64::from(constant.bits32())),
            },
            // Whether a literal of 64 bits has a sign depends on the operation.
            Value::Literal(value) if wide && (value >> 31 == 1 || operand.kind == Kind::F64) => {
                Bits::pair(Word::of(value), Word::UNKNOWN)
            }
            Value::Literal(value) => Bits::of(u64::from(value)),
            Value::Special(special) => {
                let zero = match special {
                    Special::Vccz => self.state.vcc().any().map(|any| u64::from(!any)),
                    Special::Execz => self.state.exec().any().map(|any| u64::from(!any)),
                    _ => None,
                };
                zero.map_or(if wide { Bits::UNKNOWN } else { Word::UNKNOWN.extended() }, Bits::of)
            }
            Value::Off => Bits::of(0),
        }
    }

    /// A source of one or two words in every lane.
    pub(super) fn source(&self, operand: &Operand) -> Source {
        match operand.range().map(|range| (range.first, range.words)) {
            Some((Register::Vgpr(first), words)) => {
                let high = (words == 2).then(|| self.state.vector(first.saturating_add(1)).clone());
                Source::Lanes(self.state.vector(first).clone(), high)
            }
            _ => Source::Uniform(self.scalar_source(operand)),
        }
    }

    /// A word with a value for its unknown bits, if the run has a chance.
    fn settle(&mut self, word: Word) -> Word {
        match &mut self.chance {
            Some(chance) if word.all().is_none() => word.resolved(chance.next_u32()),
            _ => word,
        }
    }

    pub(super) fn write_scalar(&mut self, register: Register, word: Word) {
        let word = self.settle(word);
        self.state.set_scalar(register, word);
    }

    /// Writes the one or two words of a destination.
    pub(super) fn write_scalars(&mut self, operand: &Operand, bits: Bits) {
        let registers: Vec<_> = operand.registers().collect();
        for (index, register) in (0..2).zip(registers) {
            self.write_scalar(register, bits.word(index));
        }
    }

    pub(super) fn write_scc(&mut self, scc: Option<bool>) {
        self.write_scalar(Register::Scc, Word::partly(u32::from(scc == Some(true)), u32::from(scc.is_some()) | !1));
    }

    /// Writes a vector register in the lanes that are active, by the execution mask as it is.
    pub(super) fn write_lanes(&mut self, index: u8, value: impl Fn(usize) -> Word) {
        let exec = self.state.exec();
        let lanes = self.state.lanes();
        let old = self.state.vector(index).clone();
        let mut words = [Word::UNKNOWN; LANES];
        for (lane, word) in words.iter_mut().enumerate().take(lanes) {
            *word = match exec.flag(lane as u32) {
                Some(true) => self.settle(value(lane)),
                Some(false) => old.lane(lane),
                None => {
                    let joined = value(lane).join(old.lane(lane));
                    self.settle(joined)
                }
            };
        }
        // Lanes that a narrow wave does not have are as the first, so that a register that is uniform is known to be.
        let first = words[0];
        words[lanes..].fill(first);
        *self.state.vector_mut(index) = Vector::from_lanes(words);
    }

    /// Gives a value to what is not known of a vector register, active or not.
    pub(super) fn settle_lanes(&mut self, index: u8) {
        let old = self.state.vector(index).clone();
        let words = std::array::from_fn(|lane| self.settle(old.lane(lane)));
        *self.state.vector_mut(index) = Vector::from_lanes(words);
    }
}
