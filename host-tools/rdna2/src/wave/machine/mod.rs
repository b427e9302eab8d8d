//! One wave, an instruction at a time.
//!
//! ```text
//!  Instruction -> sources from State -> Operation (a row of the table), or a load, or a move between lanes -> State
//!              -> Step: next, to a target, undecided, end, or nowhere that can be known
//! ```
//!
//! What is not computed here (approximations, LDS, images, formats, packed halves) makes the registers that it writes unknown.
//! With a [`Random`], what is unknown gets a value: the run is then one that the hardware could make.

mod loads;
mod operand;
mod scalar;
mod vector;

use super::memory::Image;
use super::state::State;
use super::word::{Bits, Word};
use crate::isa::{Condition, Family, Flow};
use crate::{Instruction, Register};
use rayman_model::random::Random;

/// Where control goes after an instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step {
    /// To the instruction behind it.
    Next,
    /// To a byte offset.
    To(u64),
    /// To this byte offset or to the instruction behind it: the condition is not known.
    Undecided(u64),
    /// The wave ends.
    End,
    /// To an address that is not known.
    Computed,
    /// The instruction has no name: what it does is not known.
    Unnamed,
}

/// What a wave runs in.
pub struct Machine<'a> {
    /// The registers.
    pub state: State,
    memory: &'a Image,
    /// Whether words that the dispatch may write are no longer what they were.
    only_read: bool,
    /// Address of the program's first byte, if it is known.
    code_address: Option<u64>,
    chance: Option<&'a mut Random>,
}

impl<'a> Machine<'a> {
    /// A wave in a state; `only_read`: words of writable segments are not known.
    pub fn new(state: State, memory: &'a Image, only_read: bool, code_address: Option<u64>) -> Self {
        Self { state, memory, only_read, code_address, chance: None }
    }

    /// The same with a value for everything that is unknown.
    pub fn with_chance(mut self, chance: &'a mut Random) -> Self {
        self.chance = Some(chance);
        self
    }

    /// Gives a value to every bit of the registers that is not known, if there is a chance.
    pub fn settle_state(&mut self) {
        for register in (0..128).filter_map(Register::from_index).chain([Register::Scc]) {
            let word = self.state.scalar(register);
            self.write_scalar(register, word);
        }
        for index in 0..=255 {
            self.settle_lanes(index);
        }
    }

    /// Executes one instruction.
    pub fn step(&mut self, instruction: &Instruction) -> Step {
        let flow = instruction.flow();
        let step = match flow {
            Flow::Next => Step::Next,
            Flow::Branch { target } => Step::To(target),
            Flow::Conditional { target, on } => match self.condition(on) {
                Some(true) => Step::To(target),
                Some(false) => Step::Next,
                None => Step::Undecided(target),
            },
            Flow::Call { target } => Step::To(target),
            Flow::Computed => self.jump(instruction),
            Flow::End => Step::End,
            Flow::Unknown => return Step::Unnamed,
        };
        match flow {
            Flow::Call { .. } | Flow::Computed => self.write_return_address(instruction),
            _ => self.execute(instruction),
        }
        // Who wrote a register is asked of runs by chance alone.
        if self.chance.is_some() {
            for register in instruction.destinations().flat_map(|operand| operand.registers()) {
                self.state.note_writer(register, instruction.offset);
            }
        }
        step
    }

    fn execute(&mut self, instruction: &Instruction) {
        let Some(opcode) = instruction.opcode else { return };
        let done = match opcode.family() {
            Family::Sop1 | Family::Sop2 | Family::Sopc | Family::Sopk | Family::Sopp => {
                self.scalar(instruction, opcode.name())
            }
            Family::Smem => self.scalar_load(instruction, opcode.name()),
            Family::Vop1 | Family::Vop2 | Family::Vopc | Family::Vop3 => self.vector(instruction, opcode.name()),
            Family::Mubuf => self.buffer_load(instruction, opcode.name()),
            Family::Global => self.global_load(instruction, opcode.name()),
            _ => None,
        };
        if done.is_none() {
            self.forget(instruction);
        }
    }

    /// Nothing is known of what an instruction writes.
    fn forget(&mut self, instruction: &Instruction) {
        for register in instruction.writes().iter() {
            match register {
                Register::Vgpr(index) => self.write_lanes(index, |_| Word::UNKNOWN),
                Register::Mode => self.state.modes_changed = true,
                _ => self.write_scalar(register, Word::UNKNOWN),
            }
        }
    }

    /// Whether a conditional branch is taken.
    fn condition(&mut self, on: Condition) -> Option<bool> {
        let known = match on {
            Condition::Scc0 => self.state.scc().map(|scc| !scc),
            Condition::Scc1 => self.state.scc(),
            Condition::Vccz => self.state.vcc().any().map(|any| !any),
            Condition::Vccnz => self.state.vcc().any(),
            Condition::Execz => self.state.exec().any().map(|any| !any),
            Condition::Execnz => self.state.exec().any(),
            Condition::Debug | Condition::Subvector => None,
        };
        match (&known, &mut self.chance) {
            (None, Some(chance)) => Some(chance.next_u64() >> 63 == 1),
            _ => known,
        }
    }

    /// A jump to an address in registers leads into the program if both its address and the program's are known.
    fn jump(&self, instruction: &Instruction) -> Step {
        let address = instruction.sources().next().and_then(|source| self.scalar_source(source).all());
        match (address, self.code_address) {
            (Some(address), Some(code)) => Step::To(address.wrapping_sub(code)),
            _ => Step::Computed,
        }
    }

    /// A call keeps the address of the instruction behind it.
    fn write_return_address(&mut self, instruction: &Instruction) {
        let address = self.address_of(instruction.end());
        let destinations: Vec<_> = instruction.destinations().copied().collect();
        for destination in destinations {
            self.write_scalars(&destination, address);
        }
    }

    /// The address of a byte offset in the program.
    fn address_of(&self, offset: u64) -> Bits {
        self.code_address.map_or(Bits::UNKNOWN, |code| Bits::of(code.wrapping_add(offset)))
    }
}
