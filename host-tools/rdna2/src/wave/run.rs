//! The run of one wave, as far as the host can follow it.
//!
//! ```text
//!  a way: an instruction and what is known of the registers there
//!
//!  the way that is first in the program's order goes on; where it comes to an instruction at which another waits, they are joined
//!  a branch that is decided       -> the way takes it
//!  a branch that is not, ahead    -> two ways: into the block, and past it, which waits at the target
//!  a branch that is not, of a loop, a computed jump, an instruction without a name, a way out of the code -> the run stops
//! ```
//!
//! Where it stops is the *frontier*: that instruction, and every instruction at which a way waits.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::launch::Launch;
use super::loops::Loops;
use super::machine::{Machine, Step};
use super::memory::Image;
use super::state::State;
use super::word::Word;
use crate::cfg::Cfg;
use crate::isa::{Family, Flow, RegisterRange, Slot};
use crate::{Instruction, Register, RegisterSet};
use rayman_model::random::Random;

/// An operand that is a descriptor: of a buffer, an image, a hierarchy of boxes, or a sampler.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct DescriptorUse {
    /// Index of the access in [`Cfg::instructions`].
    pub instruction: usize,
    /// Which of its operands: [`Slot::Srsrc`], [`Slot::Sbase`] or [`Slot::Ssamp`].
    pub field: DescriptorField,
}

/// Fields that hold descriptors.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum DescriptorField {
    /// Of the buffer or image of a vector access.
    Resource,
    /// Of the buffer of a scalar load.
    ScalarBuffer,
    /// Of a sampler.
    Sampler,
}

impl DescriptorField {
    fn slot(self) -> Slot {
        match self {
            Self::Resource => Slot::Srsrc,
            Self::ScalarBuffer => Slot::Sbase,
            Self::Sampler => Slot::Ssamp,
        }
    }
}

impl DescriptorUse {
    /// The descriptors that an instruction uses.
    pub fn of(index: usize, instruction: &Instruction) -> impl Iterator<Item = Self> + '_ {
        let fields = [DescriptorField::Resource, DescriptorField::ScalarBuffer, DescriptorField::Sampler];
        fields.into_iter().filter_map(move |field| {
            // A scalar load without a buffer has a base of two words there.
            let words = instruction.operand(field.slot())?.range()?.words;
            (words >= 4).then_some(Self { instruction: index, field })
        })
    }

    /// Every use of a program, by address.
    pub fn all(cfg: &Cfg) -> Vec<Self> {
        cfg.instructions().iter().enumerate().flat_map(|(index, instruction)| Self::of(index, instruction)).collect()
    }

    /// The registers of the descriptor.
    pub fn registers(&self, cfg: &Cfg) -> RegisterSet {
        self.operand_registers(cfg).into_iter().collect()
    }

    /// The registers of the descriptor, in order.
    pub fn range(&self, cfg: &Cfg) -> Option<RegisterRange> {
        cfg.instructions().get(self.instruction)?.operand(self.field.slot())?.range()
    }

    fn operand_registers(&self, cfg: &Cfg) -> Vec<Register> {
        self.range(cfg).into_iter().flat_map(RegisterRange::registers).collect()
    }

    /// What the registers hold.
    pub fn words(&self, cfg: &Cfg, state: &State) -> Vec<Word> {
        self.operand_registers(cfg).into_iter().map(|register| state.scalar(register)).collect()
    }
}

/// The words of a descriptor, where all of them are known.
pub fn known_words(words: &[Word]) -> Option<Vec<u32>> {
    words.iter().map(|word| word.all()).collect()
}

/// What the run saw of a use.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reaches {
    /// The descriptors that were known at it.
    pub descriptors: BTreeSet<Vec<u32>>,
    /// Whether it was reached with one that was not.
    pub unknown: bool,
}

/// Why a run could not go on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stop {
    /// A branch that leaves a loop or goes round it again on a condition that the host cannot know.
    Loop,
    /// A jump to a computed address.
    Computed,
    /// An instruction without a name.
    Unnamed,
    /// A way that leads where no instruction of the graph starts.
    Stray,
}

/// Most instructions of a frontier: that at which a run stops, and those at which ways wait.
pub const MOST_POINTS: usize = 64;

/// How a run ended.
#[derive(Clone, Debug)]
pub enum End {
    /// Every way ended the wave.
    Complete,
    /// The run could not go on. The first point of the frontier is where it stopped.
    Stopped {
        /// Why.
        stop: Stop,
        /// Instructions, by index, each with what is known there.
        frontier: Vec<(usize, State)>,
    },
    /// The run could have gone on, but had no steps left.
    OutOfSteps,
    /// The run could have gone on, but with more ways that wait than [`MOST_POINTS`] allow.
    OutOfWays,
}

/// A run.
#[derive(Clone, Debug)]
pub struct WaveRun {
    /// How it ended.
    pub end: End,
    /// What it saw of each use that it reached.
    pub reaches: BTreeMap<DescriptorUse, Reaches>,
    /// Instructions that it executed.
    pub steps: u64,
}

/// What all runs of a program share.
pub struct Program<'a> {
    /// Its graph.
    pub cfg: &'a Cfg,
    loops: Loops,
    writes_memory: bool,
}

impl<'a> Program<'a> {
    /// Looks at a program's loops, and at whether it writes memory.
    pub fn new(cfg: &'a Cfg) -> Self {
        let reached = |index| cfg.is_reached(cfg.block_of(index));
        let mut instructions = cfg.instructions().iter().enumerate().filter(|&(index, _)| reached(index));
        let writes_memory = instructions.any(|(_, instruction)| may_write_memory(instruction));
        Self { cfg, loops: Loops::new(cfg), writes_memory }
    }

    /// Whether the dispatch may write memory: only what it cannot write is known while it runs.
    pub fn writes_memory(&self) -> bool {
        self.writes_memory
    }

    /// Runs a wave, at most `steps` instructions of it.
    pub fn run(&self, launch: &Launch, memory: &Image, steps: u64) -> WaveRun {
        self.run_seen(launch, memory, steps, None, &mut |_, _| {})
    }

    /// Runs a wave with a value for everything unknown: one possible run of the hardware. `before` sees each instruction that
    /// is about to be executed, by its index, and the registers.
    pub fn run_by_chance(
        &self,
        launch: &Launch,
        memory: &Image,
        steps: u64,
        chance: &mut Random,
        before: &mut dyn FnMut(usize, &State),
    ) -> WaveRun {
        self.run_seen(launch, memory, steps, Some(chance), before)
    }

    fn run_seen(
        &self,
        launch: &Launch,
        memory: &Image,
        steps: u64,
        chance: Option<&mut Random>,
        before: &mut dyn FnMut(usize, &State),
    ) -> WaveRun {
        let mut machine = Machine::new(launch.state().clone(), memory, self.writes_memory, launch.code_address);
        if let Some(chance) = chance {
            machine = machine.with_chance(chance);
            machine.settle_state();
        }
        let mut run = Run {
            program: self,
            machine,
            waiting: BTreeMap::new(),
            reaches: BTreeMap::new(),
            decisions: HashMap::new(),
            steps: 0,
        };
        let entry = self.cfg.block(self.cfg.entry()).instructions.start;
        let end = run.follow(entry, steps, before);
        WaveRun { end, reaches: run.reaches, steps: run.steps }
    }
}

/// Whether an instruction may write memory that loads of the dispatch could read.
fn may_write_memory(instruction: &Instruction) -> bool {
    let Some(opcode) = instruction.opcode else { return true };
    let name = opcode.name();
    match opcode.family() {
        Family::Exp => true,
        Family::Smem
        | Family::Flat
        | Family::Global
        | Family::Scratch
        | Family::Mubuf
        | Family::Mtbuf
        | Family::Mimg => name.contains("store") || name.contains("atomic"),
        // GDS is no memory that loads read.
        _ => false,
    }
}

/// A way's place in the program's order: of its block, then of its instruction.
type Place = (usize, usize);

struct Run<'r, 'a> {
    program: &'r Program<'a>,
    machine: Machine<'r>,
    /// Ways that wait, in the program's order.
    waiting: BTreeMap<Place, State>,
    reaches: BTreeMap<DescriptorUse, Reaches>,
    /// Whether a branch, by its index, decides on a loop.
    decisions: HashMap<usize, bool>,
    steps: u64,
}

impl Run<'_, '_> {
    fn place(&self, index: usize) -> Place {
        (self.program.cfg.position(self.program.cfg.block_of(index)).unwrap_or(usize::MAX), index)
    }

    /// A way waits at an instruction; with one that waits there already it is joined.
    fn wait(&mut self, index: usize, state: State) {
        let place = self.place(index);
        match self.waiting.entry(place) {
            std::collections::btree_map::Entry::Occupied(mut other) => {
                let joined = other.get().join(&state);
                other.insert(joined);
            }
            std::collections::btree_map::Entry::Vacant(free) => {
                free.insert(state);
            }
        }
    }

    fn follow(&mut self, entry: usize, most: u64, before: &mut dyn FnMut(usize, &State)) -> End {
        let cfg = self.program.cfg;
        let mut at = entry;
        loop {
            // The first in the program's order goes on.
            if let Some((&place, _)) = self.waiting.first_key_value() {
                if place <= self.place(at) {
                    let state = self.machine.state.clone();
                    self.wait(at, state);
                    match self.waiting.pop_first() {
                        Some(((_, first), state)) => {
                            at = first;
                            self.machine.state = state;
                        }
                        None => return End::Complete,
                    }
                }
            }
            if self.steps == most {
                return End::OutOfSteps;
            }
            self.steps += 1;
            let instruction = &cfg.instructions()[at];
            before(at, &self.machine.state);
            self.record(at, instruction);
            let step = self.machine.step(instruction);
            let target = |offset| cfg.instruction_at(offset);
            let next = match step {
                Step::Next => target(instruction.end()).ok_or(Stop::Stray),
                Step::To(offset) => match (target(offset), instruction.flow()) {
                    // Behind a jump to an address that the host knows lies code that the graph may not show.
                    (Some(index), Flow::Computed) if cfg.is_reached(cfg.block_of(index)) => Ok(index),
                    (_, Flow::Computed) => Err(Stop::Computed),
                    (index, _) => index.ok_or(Stop::Stray),
                },
                Step::Undecided(offset) => match (target(instruction.end()), target(offset)) {
                    (Some(next), Some(taken)) => match self.divide(at, next, taken) {
                        Ok(true) => Ok(next),
                        Ok(false) => return End::OutOfWays,
                        Err(stop) => Err(stop),
                    },
                    _ => Err(Stop::Stray),
                },
                Step::Computed => Err(Stop::Computed),
                Step::Unnamed => Err(Stop::Unnamed),
                Step::End => match self.waiting.pop_first() {
                    Some(((_, first), state)) => {
                        self.machine.state = state;
                        Ok(first)
                    }
                    None => return End::Complete,
                },
            };
            match next {
                Ok(next) => at = next,
                Err(stop) => return self.stop(at, stop),
            }
        }
    }

    /// A branch that is not decided: the way past the block waits at the target. False if no more ways may wait.
    fn divide(&mut self, at: usize, next: usize, taken: usize) -> Result<bool, Stop> {
        let cfg = self.program.cfg;
        let block = |index| cfg.block_of(index);
        let program = self.program;
        let decides = self.decisions.entry(at);
        let targets = [block(next), block(taken)];
        if *decides.or_insert_with(|| program.loops.decides(program.cfg, block(at), targets)) {
            return Err(Stop::Loop);
        }
        // Where the run stops is a point as well.
        if self.waiting.len() + 1 == MOST_POINTS && !self.waiting.contains_key(&self.place(taken)) {
            return Ok(false);
        }
        let state = self.machine.state.clone();
        self.wait(taken, state);
        Ok(true)
    }

    fn stop(&mut self, at: usize, stop: Stop) -> End {
        let mut frontier = vec![(at, self.machine.state.clone())];
        frontier.extend(std::mem::take(&mut self.waiting).into_iter().map(|((_, index), state)| (index, state)));
        End::Stopped { stop, frontier }
    }

    /// Notes what the descriptors of an access are. One without an active lane accesses nothing.
    fn record(&mut self, at: usize, instruction: &Instruction) {
        for found in DescriptorUse::of(at, instruction) {
            let scalar = found.field == DescriptorField::ScalarBuffer;
            if !scalar && self.machine.state.exec().any() == Some(false) {
                continue;
            }
            let words = known_words(&found.words(self.program.cfg, &self.machine.state));
            let reaches = self.reaches.entry(found).or_default();
            match words {
                Some(words) => {
                    reaches.descriptors.insert(words);
                }
                None => reaches.unknown = true,
            }
        }
    }
}
