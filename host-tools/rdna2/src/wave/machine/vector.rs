//! Vector instructions other than loads.

use super::operand::Source;
use super::Machine;
use crate::isa::{Kind, Slot};
use crate::wave::operation::{Operation, Output, Width};
use crate::wave::state::LANES;
use crate::wave::word::{Bits, Word};
use crate::{Instruction, Operand, Register, Wave};

impl Machine<'_> {
    /// Executes a vector instruction; none if what it writes is not computed here.
    pub(super) fn vector(&mut self, instruction: &Instruction, name: &str) -> Option<()> {
        if instruction.modifiers.dpp.is_some() || instruction.modifiers.sdwa.is_some() {
            return None;
        }
        match name {
            "v_nop" => Some(()),
            "v_readfirstlane_b32" => self.read_first_lane(instruction),
            "v_readlane_b32" => self.read_lane(instruction),
            "v_writelane_b32" => self.write_lane(instruction),
            _ => self.by_lanes(instruction, name),
        }
    }

    /// An operation of the table, in each lane.
    fn by_lanes(&mut self, instruction: &Instruction, name: &str) -> Option<()> {
        let compares_into_exec = name.starts_with("v_cmpx_");
        let operation = match compares_into_exec {
            true => Operation::named(&name.replacen("v_cmpx_", "v_cmp_", 1))?,
            false => Operation::named(name)?,
        };
        let modifiers = &instruction.modifiers;
        if operation.is_float() && self.state.modes_changed {
            return None;
        }
        if (modifiers.clamp || modifiers.omod != 0 || modifiers.op_sel != 0) && operation.result().is_some() {
            return None;
        }
        let mut sources = Vec::new();
        let mut carry = None;
        // What an instruction adds to comes last, as its third source would.
        let accumulator = instruction.sources().filter(|operand| operand.is_written());
        for operand in instruction.sources().filter(|operand| !operand.is_written()).chain(accumulator) {
            // The condition of a select and the carry that comes in are masks; no other source is one.
            if operand.kind == Kind::Mask {
                carry = Some(self.source(operand));
            } else {
                sources.push((self.source(operand), operand));
            }
        }
        let counts_lanes = name.starts_with("v_mbcnt_");
        let expected = operation.sources.len() - usize::from(counts_lanes);
        if sources.len() != expected || carry.is_some() != operation.carry {
            return None;
        }
        let negated = sources.iter().any(|(_, operand)| operand.modifiers.neg || operand.modifiers.abs);
        let takes_signs = operation.is_float() || name == "v_cndmask_b32";
        if negated && !takes_signs {
            return None;
        }
        let outputs: [Output; LANES] = std::array::from_fn(|lane| {
            let mut values = [Bits::of(0); 3];
            for (value, (source, operand)) in values.iter_mut().zip(&sources) {
                *value = signed(source.lane(lane), operand);
            }
            if counts_lanes {
                values[2] = Bits::of(below(lane, name.starts_with("v_mbcnt_hi")));
            }
            let carry = carry.as_ref().and_then(|mask: &Source| mask.lane(0).flag(lane as u32));
            operation.apply(values, carry)
        });
        let destinations: Vec<_> = instruction.destinations().copied().collect();
        let flag = match operation.has_flag() {
            true => Some(self.mask_of(&outputs, operation.result().is_none())),
            false => None,
        };
        for destination in destinations {
            match (destination.range().map(|range| range.first), flag) {
                (Some(Register::Vgpr(index)), _) => {
                    self.write_lanes(index, |lane| outputs[lane].value.word(0));
                    if operation.result() == Some(Width::W64) {
                        self.write_lanes(index.saturating_add(1), |lane| outputs[lane].value.word(1));
                    }
                }
                (Some(_), Some(mask)) if !compares_into_exec => self.write_mask(&destination, mask),
                _ => {}
            }
        }
        if let (true, Some(mask)) = (compares_into_exec, flag) {
            self.write_scalar(Register::ExecLo, mask.word(0));
            if self.state.wave() == Wave::W64 {
                self.write_scalar(Register::ExecHi, mask.word(1));
            }
        }
        Some(())
    }

    /// A bit a lane. A comparison gives 0 for a lane that is not active; of a carry nothing is assumed there.
    fn mask_of(&self, outputs: &[Output; LANES], is_comparison: bool) -> Bits {
        let exec = self.state.exec();
        let mut mask = Bits::of(0);
        for (lane, output) in (0u32..).zip(outputs).take(self.state.lanes()) {
            let flag = match exec.flag(lane) {
                Some(true) => output.flag,
                Some(false) if is_comparison => Some(false),
                None if is_comparison && output.flag == Some(false) => Some(false),
                _ => None,
            };
            mask = mask.with_flag(lane, flag);
        }
        mask
    }

    fn write_mask(&mut self, operand: &Operand, mask: Bits) {
        let registers: Vec<_> = operand.registers().collect();
        for (index, register) in (0..u32::from(self.state.wave().mask_words())).zip(registers) {
            self.write_scalar(register, mask.word(index));
        }
    }

    /// The first lane that is active; lane 0 if none is.
    fn read_first_lane(&mut self, instruction: &Instruction) -> Option<()> {
        let source = self.source(instruction.operand(Slot::Src0)?);
        let exec = self.state.exec();
        let mut joined: Option<Word> = None;
        let mut take = |lane| {
            let word = source.lane(lane).word(0);
            joined = Some(joined.map_or(word, |others| others.join(word)));
        };
        let mut found = false;
        for lane in 0..self.state.lanes() {
            let active = exec.flag(lane as u32);
            if active != Some(false) {
                take(lane);
            }
            if active == Some(true) {
                found = true;
                break;
            }
        }
        if !found {
            take(0);
        }
        self.write_first_destination(instruction, joined.unwrap_or(Word::UNKNOWN))
    }

    /// The lane that a register names, active or not.
    fn read_lane(&mut self, instruction: &Instruction) -> Option<()> {
        let source = self.source(instruction.operand(Slot::Src0)?);
        let word = match self.scalar_source(instruction.operand(Slot::Src1)?).all() {
            Some(lane) => source.lane(lane as usize % self.state.lanes()).word(0),
            None => {
                (1..self.state.lanes()).fold(source.lane(0).word(0), |all, lane| all.join(source.lane(lane).word(0)))
            }
        };
        self.write_first_destination(instruction, word)
    }

    fn write_first_destination(&mut self, instruction: &Instruction, word: Word) -> Option<()> {
        let register = instruction.destinations().next()?.registers().next()?;
        self.write_scalar(register, word);
        Some(())
    }

    fn write_lane(&mut self, instruction: &Instruction) -> Option<()> {
        let word = self.scalar_source(instruction.operand(Slot::Src0)?).word(0);
        let place = self.scalar_source(instruction.operand(Slot::Src1)?).all();
        let Some(Register::Vgpr(index)) = instruction.destinations().next()?.registers().next() else { return None };
        let lanes = self.state.lanes();
        self.state.vector_mut(index).update(|lane, old| match place {
            Some(place) if lane == place as usize % lanes => word,
            Some(_) => old,
            None => old.join(word),
        });
        Some(())
    }
}

/// Lanes below one, in the lower or the upper half of a mask.
fn below(lane: usize, upper: bool) -> u64 {
    let mask = (1u64 << lane) - 1;
    if upper {
        mask >> 32
    } else {
        mask & 0xffff_ffff
    }
}

/// A source of 32 bits with the signs that its modifiers give it.
fn signed(bits: Bits, operand: &Operand) -> Bits {
    const SIGN: u64 = 1 << 31;
    let mut value = bits;
    if operand.modifiers.abs {
        value = value.with_flag(31, Some(false));
    }
    if operand.modifiers.neg {
        value = Bits::partly(value.least() ^ SIGN, value.known());
    }
    value
}
