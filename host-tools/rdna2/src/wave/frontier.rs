//! D962: a descriptor that nothing ahead of the run can change is the one that the frontier holds.
//!
//! Over every instruction on a path from the frontier to the access, those reachable from a frontier point and able to reach the
//! access: where none writes the descriptor's registers, each frontier point from which the access is reachable records them
//! beside what earlier reaches recorded.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use thiserror::Error;

use super::launch::Launch;
use super::memory::Image;
use super::run::{known_words, DescriptorUse, End, Program, Reaches, WaveRun, MOST_POINTS};
use super::spread::{Each, Spread};
use super::state::State;
use crate::cfg::{Cfg, InstructionSet, Irregularity};
use crate::RegisterSet;

/// Why a descriptor is not said.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum Refusal {
    /// Between the frontier and the access is an instruction without a name.
    #[error("the instruction at {at:#x}, which has no name, is on a path from where the run stopped")]
    Unnamed {
        /// Its byte offset.
        at: u64,
    },
    /// Ahead of the frontier is a jump to a computed address: it may lead to the access by any way.
    #[error("the instruction at {at:#x}, ahead of where the run stopped, jumps to a computed address")]
    ComputedJump {
        /// Its byte offset.
        at: u64,
    },
    /// Ahead of the frontier is a branch into an instruction, or out of the code.
    #[error("the instruction at {at:#x}, ahead of where the run stopped, leads to no instruction")]
    IntoInstruction {
        /// Byte offset of the branch.
        at: u64,
    },
    /// A register of the descriptor is written between the frontier and the access.
    #[error("the instruction at {at:#x}, on a path from where the run stopped, writes the descriptor's registers")]
    Written {
        /// Byte offset of the instruction that writes it.
        at: u64,
    },
    /// Neither the run nor a path from its frontier reaches the access.
    #[error("no reach of the access is known")]
    NoKnownReach,
    /// The access was reached, or is reachable from a frontier point, with registers that the host cannot know.
    #[error("the descriptor is not known where the run is at {at:#x}")]
    NotKnown {
        /// Byte offset of the access, or of the frontier point.
        at: u64,
    },
    /// The run could follow the program, but not within its steps.
    #[error("the run did not end within {steps} steps")]
    OutOfSteps {
        /// The steps that it had.
        steps: u64,
    },
    /// The run could follow the program, but not with so few ways that wait.
    #[error("the run had more than {limit} ways at once")]
    OutOfWays {
        /// The ways that it may have.
        limit: usize,
    },
}

/// Bounds of a preparation, in instructions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Of one wave.
    pub wave_steps: u64,
    /// Of all waves together.
    pub preparation_steps: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self { wave_steps: 1 << 18, preparation_steps: 1 << 20 }
    }
}

/// What is known of a use: every descriptor that it may read, or why none is said.
pub type Found = Result<BTreeSet<Vec<u32>>, Refusal>;

/// What the waves of a dispatch say of its descriptors.
#[derive(Clone, Debug)]
pub struct Preparation {
    /// Every use of a descriptor, by address.
    pub uses: BTreeMap<DescriptorUse, Found>,
    /// The run of each wave, as far as there were steps.
    pub runs: Vec<WaveRun>,
    /// What the work was, in numbers that no machine changes: instructions that were executed, uses and frontier points, and what
    /// was looked at ahead of the frontier.
    pub steps: u64,
}

impl Program<'_> {
    /// Runs the waves of a dispatch one after the other; a use has the descriptors that any of them finds for it, and is refused
    /// if it is for one.
    pub fn prepare(&self, waves: &[Launch], memory: &Image, limits: Limits) -> Preparation {
        let mut uses: BTreeMap<DescriptorUse, Found> = BTreeMap::new();
        let mut runs = Vec::new();
        let mut left = limits.preparation_steps;
        let mut total = 0;
        let all = DescriptorUse::all(self.cfg);
        for wave in waves {
            let steps = left.min(limits.wave_steps);
            let run = self.run(wave, memory, steps);
            left -= run.steps.min(left);
            let mut ahead = Ahead::new(self.cfg, &run.end);
            for &found in &all {
                let one = ahead.check(found, run.reaches.get(&found), steps);
                match uses.entry(found) {
                    std::collections::btree_map::Entry::Vacant(free) => {
                        free.insert(one);
                    }
                    std::collections::btree_map::Entry::Occupied(mut others) => merge(others.get_mut(), one),
                }
            }
            total += run.steps + ahead.steps;
            runs.push(run);
        }
        if waves.is_empty() {
            uses.extend(all.iter().map(|&found| (found, Err(Refusal::NoKnownReach))));
        }
        Preparation { uses, runs, steps: total }
    }
}

/// A wave that never comes to an access says nothing of it; any other refusal stands.
fn merge(others: &mut Found, one: Found) {
    match (&mut *others, one) {
        (Ok(descriptors), Ok(more)) => descriptors.extend(more),
        (Ok(_), Err(Refusal::NoKnownReach)) => {}
        (Ok(_), Err(refusal)) => *others = Err(refusal),
        (Err(Refusal::NoKnownReach), one) => *others = one,
        (Err(_), _) => {}
    }
}

/// What lies ahead of a run's frontier.
struct Ahead<'a> {
    cfg: &'a Cfg,
    end: &'a End,
    /// The frontier's points, and what each reaches.
    points: &'a [(usize, State)],
    reaching: Each,
    reachable: InstructionSet,
    /// What makes every path from the frontier unsure.
    unsure: Option<Refusal>,
    /// Of those that are reachable, the instructions without a name.
    unnamed: Spread,
    /// Of those that are reachable, the instructions that write some registers.
    writers: HashMap<RegisterSet, Spread>,
    /// What was looked at.
    steps: u64,
}

impl<'a> Ahead<'a> {
    fn new(cfg: &'a Cfg, end: &'a End) -> Self {
        let points = match end {
            End::Stopped { frontier, .. } => frontier.as_slice(),
            End::Complete | End::OutOfSteps | End::OutOfWays => &[],
        };
        let indices: Vec<usize> = points.iter().map(|&(index, _)| index).collect();
        let reachable = cfg.reachable_from(&indices);
        let mut unsure = None;
        let mut unnamed = Vec::new();
        let ahead = |at| cfg.instruction_at(at).is_some_and(|index| reachable.contains(index));
        for irregularity in cfg.irregularities().into_iter().filter(|irregularity| ahead(irregularity.at())) {
            match irregularity {
                Irregularity::Unnamed { at } => unnamed.extend(cfg.instruction_at(at)),
                // What is called comes back by a computed jump, which is met where it stands.
                Irregularity::Call { .. } => {}
                Irregularity::Computed { at } => unsure = unsure.or(Some(Refusal::ComputedJump { at })),
                Irregularity::Stray { at, .. } => unsure = unsure.or(Some(Refusal::IntoInstruction { at })),
            }
        }
        let unnamed = Spread::new(cfg, unnamed);
        let reaching = Each::new(cfg, indices);
        let steps = unnamed.steps + reaching.steps;
        Self { cfg, end, points, reaching, reachable, unsure, unnamed, writers: HashMap::new(), steps }
    }

    /// The first reachable instruction that writes one of the registers and after which control may come to the access.
    fn writer(&mut self, registers: RegisterSet, to: usize) -> Option<usize> {
        let (cfg, reachable) = (self.cfg, &self.reachable);
        let writes = |&index: &usize| cfg.instructions()[index].writes().intersects(&registers);
        let steps = &mut self.steps;
        let writers = self.writers.entry(registers).or_insert_with(|| {
            let spread = Spread::new(cfg, reachable.iter().filter(writes));
            *steps += spread.steps + cfg.instructions().len() as u64;
            spread
        });
        writers.first_reaching(cfg, to)
    }

    fn check(&mut self, found: DescriptorUse, reaches: Option<&Reaches>, steps: u64) -> Found {
        self.steps += 1;
        match self.end {
            End::OutOfSteps => return Err(Refusal::OutOfSteps { steps }),
            End::OutOfWays => return Err(Refusal::OutOfWays { limit: MOST_POINTS }),
            End::Complete | End::Stopped { .. } => {}
        }
        if let Some(refusal) = self.unsure {
            return Err(refusal);
        }
        let cfg = self.cfg;
        let offset = |index: usize| cfg.instructions()[index].offset;
        if reaches.is_some_and(|reaches| reaches.unknown) {
            return Err(Refusal::NotKnown { at: offset(found.instruction) });
        }
        let mut descriptors = reaches.map(|reaches| reaches.descriptors.clone()).unwrap_or_default();
        if self.reachable.contains(found.instruction) {
            let to = found.instruction;
            if let Some(unnamed) = self.unnamed.first_reaching(self.cfg, to) {
                return Err(Refusal::Unnamed { at: offset(unnamed) });
            }
            if let Some(writer) = self.writer(found.registers(self.cfg), to) {
                return Err(Refusal::Written { at: offset(writer) });
            }
            self.steps += self.points.len() as u64;
            for number in self.reaching.those_reaching(self.cfg, to) {
                let (point, state) = &self.points[number];
                let words = known_words(&found.words(self.cfg, state));
                descriptors.insert(words.ok_or(Refusal::NotKnown { at: offset(*point) })?);
            }
        }
        if descriptors.is_empty() {
            return Err(Refusal::NoKnownReach);
        }
        Ok(descriptors)
    }
}
