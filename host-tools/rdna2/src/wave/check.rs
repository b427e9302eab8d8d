//! Whether descriptors that were found are those that a program uses: by runs that the hardware could make.
//!
//! ```text
//!  D934's answers, read from user data and memory  \
//!  D962's answers, of the host's run               > compared with the registers at each access of a run by chance
//! ```
//!
//! A run by chance has the same user data and memory as the host, and a random value wherever the host knows none: of registers at
//! the start, of what the dispatch may write, of what is not computed here.

use std::collections::{BTreeMap, BTreeSet};

use super::frontier::{Limits, Preparation};
use super::launch::Launch;
use super::memory::Image;
use super::run::{DescriptorField, DescriptorUse, Program};
use super::state::State;
use super::word::Word;
use crate::cfg::Cfg;
use crate::trace::{AccessKind, Descriptors, Found};
use rayman_model::random::Random;

/// How often answers and runs were compared, and with which outcome. Each reach of a use counts once for each rule that has an
/// answer for it.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Tally {
    /// Runs.
    pub runs: u64,
    /// Instructions that they executed.
    pub steps: u64,
    /// Reaches of uses of descriptors.
    pub reaches: u64,
    /// D934's answer is what the registers held.
    pub traced: u64,
    /// D934's answer is another, but the run skipped the load that it names: outside of the seed's premise.
    pub skipped: u64,
    /// D934 names a place that its buffer does not have, or that the dispatch may write: it answers where, not what.
    pub unreadable: u64,
    /// D962 has one descriptor, and the registers held it.
    pub computed: u64,
    /// D962 has several, and the registers held one of them.
    pub one_of_several: u64,
    /// Neither rule has an answer.
    pub refused: u64,
    /// The registers held what an answer does not have.
    pub wrong: u64,
}

impl Tally {
    /// Adds another's counts.
    pub fn add(&mut self, other: &Self) {
        self.runs += other.runs;
        self.steps += other.steps;
        self.reaches += other.reaches;
        self.traced += other.traced;
        self.skipped += other.skipped;
        self.unreadable += other.unreadable;
        self.computed += other.computed;
        self.one_of_several += other.one_of_several;
        self.refused += other.refused;
        self.wrong += other.wrong;
    }
}

/// An answer that a run disproves.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Wrong {
    /// The use.
    pub descriptor: DescriptorUse,
    /// Byte offset of the access.
    pub offset: u64,
    /// What the registers held.
    pub held: Vec<u32>,
    /// What was said that they hold.
    pub said: Vec<Vec<u32>>,
    /// By which seed's rule: `D934` or `D962`.
    pub rule: &'static str,
}

/// A program and what was found in it without running it.
pub struct Check<'a> {
    program: &'a Program<'a>,
    /// D934's answers.
    traced: BTreeMap<DescriptorUse, &'a Found>,
}

/// D934's answers for the uses of a program.
fn answers(descriptors: &Descriptors) -> BTreeMap<DescriptorUse, &Found> {
    let mut all = BTreeMap::new();
    for access in &descriptors.accesses {
        let resource = match access.kind {
            AccessKind::ScalarBufferLoad => DescriptorField::ScalarBuffer,
            _ => DescriptorField::Resource,
        };
        let sampler = access.sampler.as_ref().map(|sampler| (DescriptorField::Sampler, sampler));
        for (field, traced) in sampler.into_iter().chain([(resource, &access.descriptor)]) {
            if let Ok(found) = &traced.source {
                all.insert(DescriptorUse { instruction: access.instruction, field }, found);
            }
        }
    }
    all
}

impl<'a> Check<'a> {
    /// A check of a program's answers.
    pub fn new(program: &'a Program<'a>, descriptors: &'a Descriptors) -> Self {
        Self { program, traced: answers(descriptors) }
    }

    /// Runs the wave once by chance, at most `steps` instructions of it, and compares at every access. `user_data` are the words
    /// that the launch has in s0 and up; `prepared` is what the host's run of it found.
    pub fn run(
        &self,
        (launch, user_data): (&Launch, &[u32]),
        image: &Image,
        prepared: &Preparation,
        steps: u64,
        chance: &mut Random,
    ) -> (Tally, Vec<Wrong>) {
        let cfg = self.program.cfg;
        let mut tally = Tally { runs: 1, ..Tally::default() };
        let mut wrong = Vec::new();
        // Loads out of a buffer whose own load the run skipped.
        let mut astray = BTreeSet::new();
        let run = self.program.run_by_chance(launch, image, steps, chance, &mut |index, state| {
            let instruction = &cfg.instructions()[index];
            for descriptor in DescriptorUse::of(index, instruction) {
                if descriptor.field != DescriptorField::ScalarBuffer && state.exec().any() == Some(false) {
                    continue;
                }
                let words = descriptor.words(cfg, state);
                // A run by chance knows every word.
                let held: Vec<u32> = words.iter().filter_map(|word: &Word| word.all()).collect();
                tally.reaches += 1;
                let by_trace = self.traced.get(&descriptor);
                let by_run = prepared.uses.get(&descriptor).and_then(|found| found.as_ref().ok());
                if by_trace.is_none() && by_run.is_none() {
                    tally.refused += 1;
                }
                let mut disprove = |rule, said| {
                    wrong.push(Wrong { descriptor, offset: instruction.offset, held: held.clone(), said, rule });
                };
                if let Some(found) = by_trace {
                    match self.read(found, held.len(), user_data, image) {
                        None => tally.unreadable += 1,
                        Some(said) if said == held => {
                            astray.remove(&instruction.offset);
                            tally.traced += 1;
                        }
                        Some(_) if found.skipped && skips(cfg, state, descriptor, found, &astray) => {
                            if descriptor.field == DescriptorField::ScalarBuffer {
                                astray.insert(instruction.offset);
                            }
                            tally.skipped += 1;
                        }
                        Some(said) => disprove("D934", vec![said]),
                    }
                }
                match by_run {
                    None => {}
                    Some(said) if !said.contains(&held) => disprove("D962", said.iter().cloned().collect()),
                    Some(said) if said.len() == 1 => tally.computed += 1,
                    Some(_) => tally.one_of_several += 1,
                }
            }
        });
        tally.steps = run.steps;
        tally.wrong = wrong.len() as u64;
        (tally, wrong)
    }

    /// What the host's run finds for one wave within `steps` instructions.
    pub fn prepare(&self, launch: &Launch, image: &Image, steps: u64) -> Preparation {
        let limits = Limits { wave_steps: steps, preparation_steps: steps };
        self.program.prepare(std::slice::from_ref(launch), image, limits)
    }

    /// The words that lie where D934 says, if nothing may change them.
    fn read(&self, found: &Found, words: usize, user_data: &[u32], image: &Image) -> Option<Vec<u32>> {
        let memory = |address| image.read(address, self.program.writes_memory());
        match words {
            4 => found.source.read::<4>(user_data, memory).ok().map(|words| words.to_vec()),
            8 => found.source.read::<8>(user_data, memory).ok().map(|words| words.to_vec()),
            _ => None,
        }
    }
}

/// Whether a register of the descriptor was last written by none of the loads that carry it, or by one that went `astray`: the
/// run's path skipped them, or the load of the buffer that they read.
fn skips(cfg: &Cfg, state: &State, descriptor: DescriptorUse, found: &Found, astray: &BTreeSet<u64>) -> bool {
    let loaded = |offset| found.loads.contains(&offset) && !astray.contains(&offset);
    !descriptor.registers(cfg).iter().all(|register| state.writer(register).is_some_and(loaded))
}
