//! Descriptors traced in random programs, against two oracles: all paths one by one, and runs on concrete data.

mod programs;

use std::collections::{BTreeSet, HashMap};

use programs::{program, Op, Program, REGISTERS, USER};
use proptest::prelude::*;
use proptest::test_runner::{TestCaseError, TestRunner};
use rayman_rdna2::trace::{descriptors, AddressWord, BufferPlace, Descriptors, Options, Pointer, Refusal, Source};
use rayman_rdna2::{Cfg, Wave};

fn traced(program: &Program) -> (Cfg, Descriptors) {
    let cfg = Cfg::build(&program.code(), 0, Wave::W32).expect("a program");
    let descriptors = descriptors(&cfg, Options { user_registers: USER });
    (cfg, descriptors)
}

/// What a register holds on one path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Word {
    Initial(u8),
    Constant(u32),
    /// A word at a place.
    At(Source),
    Junk,
}

type Words = [Word; REGISTERS];

/// What the rule says of a descriptor, or none for a refusal.
type Answer = Option<Source>;

/// All paths of a program: before each operation, the registers of every path to it. Nothing is ever joined. Paths start anew
/// at loop heads.
struct AllPaths<'a> {
    program: &'a Program,
    /// By block and operation.
    answers: HashMap<(usize, usize), (Answer, Answer)>,
}

fn is_seeded(word: Word) -> Option<u8> {
    match word {
        Word::Initial(register) if register < USER => Some(register),
        _ => None,
    }
}

/// A place some bytes on.
fn plus(source: Source, bytes: i32) -> Source {
    match source {
        Source::Table { pointer, offset } => Source::Table { pointer, offset: offset + bytes },
        Source::Buffer { buffer, offset } => Source::Buffer { buffer, offset: offset + bytes },
        Source::UserData { .. } => source,
    }
}

/// The rule, of registers `at` and those behind, over all paths.
fn judge(paths: &BTreeSet<Words>, at: u8, words: u8) -> Answer {
    let (mut carried, mut seeded, mut nothing) = (BTreeSet::new(), false, false);
    for path in paths {
        let held = &path[usize::from(at)..usize::from(at + words)];
        let any_load = held.iter().any(|word| matches!(word, Word::At(_)));
        let any_hole = held.iter().any(|&word| matches!(word, Word::Initial(_)) && is_seeded(word).is_none());
        if !any_load && any_hole {
            nothing = true;
            continue;
        }
        let distances = held.iter().zip(0u8..);
        match held[0] {
            Word::At(first) if distances.clone().all(|(&word, n)| word == Word::At(plus(first, 4 * i32::from(n)))) => {
                carried.insert(first);
            }
            Word::Initial(first)
                if distances.clone().all(|(&word, n)| is_seeded(word).is_some_and(|one| one == first + n)) =>
            {
                if first == at {
                    seeded = true;
                } else {
                    carried.insert(Source::UserData { register: first });
                }
            }
            _ => return None,
        }
    }
    let mut carried = carried.into_iter();
    match (carried.next(), carried.next()) {
        (None, _) => (seeded && !nothing).then_some(Source::UserData { register: at }),
        (Some(Source::UserData { .. }), None) if seeded || nothing => None,
        (one, None) => one,
        (_, Some(_)) => None,
    }
}

/// The value that `of` gives on every path, if it is one.
fn on_all<T: PartialEq>(paths: &BTreeSet<Words>, of: impl Fn(&Words) -> Option<T>) -> Option<T> {
    let mut values = paths.iter().map(of);
    let first = values.next()??;
    values.all(|value| value.as_ref() == Some(&first)).then_some(first)
}

impl<'a> AllPaths<'a> {
    fn new(program: &'a Program, cfg: &Cfg) -> Self {
        let mut all = Self { program, answers: HashMap::new() };
        let block_at = |number: usize| {
            let first = cfg.instruction_at(program.offset(number, 0));
            first.filter(|_| program.offset(number, 0) < program.code().len() as u64).map(|first| cfg.block_of(first))
        };
        // Of which blocks the start is a loop's head. An empty block shares its start with the next.
        let count = program.blocks.len();
        let head: Vec<bool> =
            (0..count).map(|number| block_at(number).is_some_and(|block| cfg.is_head(block))).collect();
        let mut entering = vec![BTreeSet::new(); count];
        entering[0].insert(std::array::from_fn(|register| Word::Initial(register as u8)));
        let mut order: Vec<_> = (0..count).collect();
        order.sort_by_key(|&number| (block_at(number).and_then(|block| cfg.position(block)), number));
        for number in order {
            if block_at(number).is_none_or(|block| !cfg.is_reached(block)) {
                continue;
            }
            let paths = std::mem::take(&mut entering[number]);
            let mut paths = if head[number] { BTreeSet::from([[Word::Junk; REGISTERS]]) } else { paths };
            for (index, &operation) in program.blocks[number].0.iter().enumerate() {
                paths = all.step(number, index, operation, paths);
            }
            for next in program.next(number) {
                entering[next].extend(paths.iter().copied());
            }
        }
        all
    }

    fn step(&mut self, block: usize, index: usize, operation: Op, paths: BTreeSet<Words>) -> BTreeSet<Words> {
        let offset = |base: i32, by: Option<u8>, paths: &BTreeSet<Words>| {
            let added = match by {
                None => 0,
                Some(by) => on_all(paths, |path| match path[usize::from(by)] {
                    Word::Constant(word) => Some(word as i32),
                    _ => None,
                })?,
            };
            Some(base + added)
        };
        let place = match operation {
            Op::Load { to, words, pointer, offset: base, by } => {
                let at = usize::from(pointer);
                let pointer = on_all(&paths, |path| {
                    let high = match (is_seeded(path[at + 1]), path[at + 1]) {
                        (Some(high), _) => AddressWord::UserData(high),
                        (None, Word::Constant(high)) => AddressWord::Constant(high),
                        _ => return None,
                    };
                    Some(Pointer { low: is_seeded(path[at])?, high })
                });
                let place = pointer.zip(offset(base, by, &paths));
                Some((to, words, place.map(|(pointer, offset)| Source::Table { pointer, offset })))
            }
            Op::BufferLoad { to, words, buffer, offset: base, by } => {
                let place = judge(&paths, buffer, 4);
                self.answers.insert((block, index), (place, None));
                let buffer = match place {
                    Some(Source::UserData { register }) => Some(BufferPlace::UserData { register }),
                    Some(Source::Table { pointer, offset }) => Some(BufferPlace::Table { pointer, offset }),
                    _ => None,
                };
                let place = buffer.zip(offset(base, by, &paths));
                Some((to, words, place.map(|(buffer, offset)| Source::Buffer { buffer, offset })))
            }
            Op::Image { at } => {
                self.answers.insert((block, index), (judge(&paths, at, 8), None));
                None
            }
            Op::Buffer { at } => {
                self.answers.insert((block, index), (judge(&paths, at, 4), None));
                None
            }
            Op::Sample { at, sampler } => {
                self.answers.insert((block, index), (judge(&paths, at, 8), judge(&paths, sampler, 4)));
                None
            }
            _ => None,
        };
        // A load whose registers are not aligned as its width wants has no known words.
        let place = place.map(|(to, words, place)| {
            let base = match operation {
                Op::Load { pointer, .. } => pointer % 2,
                Op::BufferLoad { buffer, .. } => buffer % 4,
                _ => 0,
            };
            (to, words, place.filter(|_| to % words.min(4) == 0 && base == 0))
        });
        let change = |mut path: Words| {
            match operation {
                Op::Load { .. } | Op::BufferLoad { .. } => {
                    let (to, words, place) = place.expect("a load");
                    for word in 0..words {
                        let at = place.map_or(Word::Junk, |place| Word::At(plus(place, 4 * i32::from(word))));
                        path[usize::from(to + word)] = at;
                    }
                }
                Op::Move { to, from, words } => {
                    let moved = path;
                    for word in 0..usize::from(words) {
                        path[usize::from(to) + word] = moved[usize::from(from) + word];
                    }
                }
                Op::Constant { to, word } => path[usize::from(to)] = Word::Constant(word),
                Op::Add { to, .. } | Op::Lane { to } => path[usize::from(to)] = Word::Junk,
                Op::Unnamed => path = [Word::Junk; REGISTERS],
                Op::Image { .. } | Op::Sample { .. } | Op::Buffer { .. } => {}
            }
            path
        };
        paths.into_iter().map(change).collect()
    }

    /// Compares with what was traced; answers found and refused.
    fn compare(&self, descriptors: &Descriptors) -> Result<(usize, usize), TestCaseError> {
        let mut counts = (0, 0);
        let mut expected: HashMap<u64, (Answer, Answer)> = HashMap::new();
        for (&(block, index), &answer) in &self.answers {
            expected.insert(self.program.offset(block, index), answer);
        }
        for access in &descriptors.accesses {
            let Some((image, sampler)) = expected.remove(&access.offset) else {
                prop_assert_eq!(&access.descriptor.source, &Err(Refusal::Unreached));
                continue;
            };
            let found = |traced: &rayman_rdna2::trace::Traced| traced.source.as_ref().ok().map(|found| found.source);
            let refusal = access.descriptor.source.as_ref().err();
            prop_assert_eq!(found(&access.descriptor), image, "at {:#x}: {:?}", access.offset, refusal);
            prop_assert_eq!(access.sampler.as_ref().and_then(found), sampler, "sampler at {:#x}", access.offset);
            match image {
                Some(_) => counts.0 += 1,
                None => counts.1 += 1,
            }
        }
        prop_assert!(expected.is_empty(), "not traced: {:?}", expected);
        Ok(counts)
    }
}

/// Runs a property and answers the sums of what its cases count.
fn total<S: Strategy, const N: usize>(
    cases: u32,
    strategy: S,
    case: impl Fn(S::Value) -> Result<[usize; N], TestCaseError>,
) -> [usize; N] {
    let sums = std::cell::Cell::new([0; N]);
    let mut runner = TestRunner::new(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(cases) });
    let outcome = runner.run(&strategy, |value| {
        let counts = case(value)?;
        let mut all = sums.get();
        all.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
        sums.set(all);
        Ok(())
    });
    outcome.unwrap_or_else(|failure| panic!("{failure}"));
    sums.get()
}

/// Compares programs with all their paths.
fn compare_with_all_paths(cases: u32, loops: bool) {
    let [found, refused] = total(cases, program(9, loops), |program| {
        let (cfg, descriptors) = traced(&program);
        let (found, refused) = AllPaths::new(&program, &cfg).compare(&descriptors)?;
        Ok([found, refused])
    });
    println!("{found} descriptors found, {refused} refused");
    // The comparison is of both kinds.
    assert!(found > cases as usize / 4 && refused > cases as usize / 4, "{found} found, {refused} refused");
}

#[test]
fn programs_without_loops_have_the_answers_of_their_paths() {
    compare_with_all_paths(3000, false);
}

#[test]
fn programs_with_any_ways_have_the_answers_of_their_paths() {
    compare_with_all_paths(3000, true);
}

/// Memory that holds a different word everywhere, but none below 2^30, so that every buffer is large.
fn memory(address: u64) -> Option<u32> {
    let mixed = (address >> 2 ^ 0x9e37_79b9).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    Some((mixed >> 29) as u32 | 1 << 30)
}

const ADDRESS: u64 = (1 << 48) - 1;

/// A run of a program.
struct Run<'a> {
    program: &'a Program,
    descriptors: &'a Descriptors,
    initial: [u32; REGISTERS],
    registers: [u32; REGISTERS],
    /// Whether something was read through a buffer whose load the run skipped: what comes of that counts as skipped too.
    astray: bool,
    /// Textures that were sampled, by their number.
    sampled: BTreeSet<usize>,
    /// Descriptors that agreed, and those of runs that skipped the load.
    agreed: usize,
    skipped: usize,
    samplers: usize,
}

impl Run<'_> {
    fn walk(&mut self, ways: &[bool]) -> Result<(), TestCaseError> {
        let mut block = 0;
        for &way in ways {
            for (index, &operation) in self.program.blocks[block].0.iter().enumerate() {
                self.step(operation, self.program.offset(block, index))?;
            }
            let next = self.program.next(block);
            match next[..] {
                [] => return Ok(()),
                [only] => block = only,
                [taken, behind, ..] => block = if way { taken } else { behind },
            }
        }
        Ok(())
    }

    fn pair(&self, at: u8) -> u64 {
        u64::from(self.registers[usize::from(at) + 1]) << 32 | u64::from(self.registers[usize::from(at)])
    }

    fn step(&mut self, operation: Op, offset: u64) -> Result<(), TestCaseError> {
        let registers = self.registers;
        let by = |register: Option<u8>| register.map_or(0, |register| u64::from(registers[usize::from(register)]));
        match operation {
            Op::Load { to, words, pointer, offset, by: register } => {
                let from = (self.pair(pointer) & !3).wrapping_add(offset as u64).wrapping_add(by(register) & !3);
                self.load(to, words, from);
            }
            Op::BufferLoad { to, words, buffer, offset: within, by: register } => {
                let skipped = self.skipped;
                self.check(offset, buffer, 4, None)?;
                self.astray |= self.skipped > skipped;
                let from = (self.pair(buffer) & ADDRESS & !3).wrapping_add(within as u64 + (by(register) & !3));
                self.load(to, words, from);
            }
            Op::Move { to, from, words } => {
                let from = usize::from(from);
                self.registers.copy_within(from..from + usize::from(words), usize::from(to));
            }
            Op::Constant { to, word } => self.registers[usize::from(to)] = word,
            Op::Add { to, one, other } => {
                let (one, other) = (self.registers[usize::from(one)], self.registers[usize::from(other)]);
                self.registers[usize::from(to)] = one.wrapping_add(other);
            }
            Op::Lane { to } => self.registers[usize::from(to)] = self.noise(offset),
            Op::Unnamed => {
                let noise = self.noise(offset);
                self.registers.iter_mut().zip(0..).for_each(|(word, n)| *word ^= noise.rotate_left(n));
            }
            Op::Image { at } => self.check(offset, at, 8, None)?,
            Op::Sample { at, sampler } => self.check(offset, at, 8, Some(sampler))?,
            Op::Buffer { at } => self.check(offset, at, 4, None)?,
        }
        Ok(())
    }

    /// A word that nothing else holds.
    fn noise(&self, offset: u64) -> u32 {
        let mixed = self.registers.iter().fold(offset, |sum, &word| sum.rotate_left(9).wrapping_add(word.into()));
        (mixed.wrapping_mul(0x94d0_49bb_1331_11eb) >> 32) as u32
    }

    fn load(&mut self, to: u8, words: u8, from: u64) {
        for word in 0..words {
            let address = from.wrapping_add(4 * u64::from(word)) & ADDRESS;
            self.registers[usize::from(to + word)] = memory(address).expect("all memory is known");
        }
    }

    /// Whether registers hold a source's words, or those of a run that skipped the load.
    fn holds(&self, source: Source, skips: bool, at: u8, words: usize) -> Result<bool, TestCaseError> {
        let at = usize::from(at);
        let held = &self.registers[at..at + words];
        let user_data = &self.initial[..usize::from(USER)];
        let read = match words {
            8 => source.read::<8>(user_data, memory).map(Vec::from),
            _ => source.read::<4>(user_data, memory).map(Vec::from),
        };
        if read.as_deref() == Ok(held) {
            return Ok(true);
        }
        let initial = &self.initial[at..at + words];
        // What was no user data at the start may have been moved here.
        let hole = held.iter().any(|word| self.initial[usize::from(USER)..].contains(word));
        prop_assert!(
            skips && (held == initial || hole || self.astray),
            "{} is {:x?}, held are {:x?}",
            source,
            read,
            held
        );
        Ok(false)
    }

    fn check(&mut self, offset: u64, at: u8, words: usize, sampler: Option<u8>) -> Result<(), TestCaseError> {
        let number = self.descriptors.accesses.iter().position(|access| access.offset == offset);
        let Some(number) = number else { return Err(TestCaseError::fail("an access that was run is not traced")) };
        let access = &self.descriptors.accesses[number];
        if let Ok(found) = &access.descriptor.source {
            match self.holds(found.source, found.skipped, at, words)? {
                true => self.agreed += 1,
                false => self.skipped += 1,
            }
        }
        let Some(sampler) = sampler else { return Ok(()) };
        let mut textures = self.descriptors.textures.iter();
        let Some(texture) = textures.position(|texture| texture.accesses.contains(&number)) else { return Ok(()) };
        // The sampler of a run's first access to a texture is the texture's.
        if self.sampled.insert(texture) {
            if let Some(Ok(source)) = self.descriptors.textures[texture].sampler {
                self.samplers += usize::from(self.holds(source, true, sampler, 4)?);
            }
        }
        Ok(())
    }
}

#[test]
fn runs_on_data_read_the_descriptors_that_were_named() {
    let ways = || prop::collection::vec(prop::collection::vec(any::<bool>(), 40), 4);
    let strategy = (program(9, true), ways(), any::<u32>());
    let [agreed, skipped, samplers] = total(5000, strategy, |(program, ways, seed)| {
        let (_, descriptors) = traced(&program);
        let mut counts = [0; 3];
        for ways in &ways {
            // Different words, and large ones, as memory's are.
            let initial =
                std::array::from_fn(|register| (seed ^ (register as u32 + 1)).wrapping_mul(0x9e37_79b1) | 1 << 30);
            let (registers, sampled, astray) = (initial, BTreeSet::new(), false);
            let (program, descriptors) = (&program, &descriptors);
            let mut run =
                Run { program, descriptors, initial, registers, astray, sampled, agreed: 0, skipped: 0, samplers: 0 };
            run.walk(ways)?;
            counts.iter_mut().zip([run.agreed, run.skipped, run.samplers]).for_each(|(sum, count)| *sum += count);
        }
        Ok(counts)
    });
    println!("{agreed} descriptors and {samplers} samplers read as named, {skipped} times the load was skipped");
    assert!(agreed > 4000 && skipped > 20 && samplers > 400, "{agreed} {skipped} {samplers}");
}
