//! The rule: where a descriptor lies, by what its registers hold on every path.

use std::ops::ControlFlow;

use super::access::Found;
use super::pass::{Base, Pass};
use super::source::{Held, Path, Refusal, Source};
use super::values::{Registers, Value};
use crate::isa::{Register, RegisterRange};

/// What the registers hold on one path.
enum Carried {
    /// A descriptor that was loaded, whole, or moved there from user data.
    Descriptor { source: Source, loads: Vec<u32> },
    /// Nothing was written: the user data of these registers.
    Seeded { register: u8 },
    /// Nothing was loaded, and a register holds what is no user data: no descriptor.
    Nothing { register: Register, held: Held },
    /// Something else.
    Other(Refusal),
}

/// The descriptor of one path, and the path.
struct OnPath {
    source: Source,
    path: Path,
}

impl Pass<'_> {
    /// Where the descriptor in a range of registers lies.
    pub(super) fn source(&self, range: RegisterRange, registers: &Registers) -> Result<Found, Refusal> {
        let Some(words) = self.words(range, registers) else {
            let held = Held::NotSeeded { register: range.first };
            return Err(Refusal::Register { register: range.first, held, path: Path::default() });
        };
        let mut descriptor: Option<OnPath> = None;
        let mut seeded: Option<OnPath> = None;
        let mut nothing: Option<Refusal> = None;
        let mut loads: Vec<u32> = Vec::new();
        let walked = self.each_path(&words, |words, way| {
            match self.carried(range, words, || way.path()) {
                Carried::Descriptor { source, loads: mine } => {
                    if let Some(refusal) = different(range, &descriptor, source, || way.path()) {
                        return ControlFlow::Break(refusal);
                    }
                    loads.extend(mine);
                    descriptor.get_or_insert_with(|| OnPath { source, path: way.path() });
                }
                Carried::Seeded { register } => {
                    let source = Source::UserData { register };
                    seeded.get_or_insert_with(|| OnPath { source, path: way.path() });
                }
                Carried::Nothing { register, held } => {
                    nothing.get_or_insert_with(|| Refusal::Register { register, held, path: way.path() });
                }
                Carried::Other(refusal) => return ControlFlow::Break(refusal),
            }
            ControlFlow::Continue(())
        });
        match walked {
            Ok(ControlFlow::Continue(())) => {}
            Ok(ControlFlow::Break(refusal)) => return Err(refusal),
            Err(many) => return Err(many.into()),
        }
        loads.sort_unstable();
        loads.dedup();
        let skipped = seeded.is_some() || nothing.is_some() || loads.iter().any(|&load| self.skips(load));
        let loads = loads.into_iter().map(|load| self.offset(load)).collect();
        match (descriptor, seeded, nothing) {
            // A load that some path carries wins over one that skipped it; user data that was moved is no load.
            (Some(moved @ OnPath { source: Source::UserData { .. }, .. }), Some(other), _) => Err(Refusal::Different {
                registers: range,
                first: moved.source,
                first_path: moved.path,
                second: other.source,
                second_path: other.path,
            }),
            (Some(OnPath { source: Source::UserData { .. }, .. }) | None, _, Some(refusal)) => Err(refusal),
            (Some(OnPath { source, .. }), ..) => Ok(Found { source, loads, skipped }),
            (None, Some(OnPath { source, .. }), None) => Ok(Found { source, loads, skipped: false }),
            // A block that is reached is reached by a path.
            (None, None, None) => Err(Refusal::Unreached),
        }
    }

    /// What the words of a range are on one path, on which none is joined.
    fn carried(&self, range: RegisterRange, words: &[Value], path: impl Fn() -> Path) -> Carried {
        let register = |word: usize| range.first.plus(word as u8).unwrap_or(range.first);
        let other = |word: usize| {
            Carried::Other(Refusal::Register { register: register(word), held: self.held(words[word]), path: path() })
        };
        let loaded = words.iter().position(|word| matches!(word, Value::Word { .. }));
        let not_seeded =
            words.iter().position(|&word| matches!(word, Value::Initial(_)) && self.user_data(word).is_none());
        if let (None, Some(word)) = (loaded, not_seeded) {
            return Carried::Nothing { register: register(word), held: self.held(words[word]) };
        }
        let is_part = |&word: &Value| matches!(word, Value::Word { .. }) || self.user_data(word).is_some();
        if let Some(word) = words.iter().position(|word| !is_part(word)) {
            return other(word);
        }
        // Each word must lie behind the first one.
        let follows = |(distance, &word): (usize, &Value)| match (words[0], word) {
            (Value::Word { base, offset, .. }, Value::Word { base: its_base, offset: its_offset, .. }) => {
                base == its_base && its_offset.checked_sub(offset) == Some(4 * distance as i32)
            }
            (Value::Initial(first), Value::Initial(code)) => usize::from(first) + distance == usize::from(code),
            _ => false,
        };
        if let Some(word) = words.iter().enumerate().position(|pair| !follows(pair)) {
            return Carried::Other(Refusal::Parts {
                first: register(0),
                first_held: self.held(words[0]),
                register: register(word),
                words: word as u8,
                held: self.held(words[word]),
                path: path(),
            });
        }
        match words[0] {
            Value::Word { base, offset, .. } => {
                let loads = words.iter().filter_map(|word| match *word {
                    Value::Word { load, .. } => Some(load),
                    _ => None,
                });
                Carried::Descriptor { source: self.at(base, offset), loads: loads.collect() }
            }
            Value::Initial(first) if Register::Sgpr(first) == range.first => Carried::Seeded { register: first },
            Value::Initial(first) => {
                Carried::Descriptor { source: Source::UserData { register: first }, loads: Vec::new() }
            }
            _ => other(0),
        }
    }

    /// A place in memory.
    fn at(&self, base: u32, offset: i32) -> Source {
        match self.base(base) {
            Base::Table(pointer) => Source::Table { pointer, offset },
            Base::Buffer(buffer) => Source::Buffer { buffer, offset },
        }
    }

    /// What a word is, as it is shown.
    pub(super) fn held(&self, word: Value) -> Held {
        match word {
            Value::Initial(code) => match (self.user_data(word), Register::from_scalar_code(code)) {
                (Some(register), _) => Held::UserData { register },
                (None, register) => Held::NotSeeded { register: register.unwrap_or(Register::Null) },
            },
            Value::Constant(word) => Held::Constant { word },
            Value::Word { base, offset, load } => {
                Held::Loaded { place: self.at(base, offset), load: self.offset(load) }
            }
            Value::Written(at) => match (self.unknown_place(at), self.instruction(at).opcode) {
                (Some((first, why)), _) => Held::LoadedFromUnknown {
                    load: self.offset(at),
                    first: self.offset(first),
                    why: Box::new(why.clone()),
                },
                (None, Some(_)) => Held::Computed { at: self.offset(at) },
                (None, None) => Held::Unnamed { at: self.offset(at) },
            },
            Value::Head(block) | Value::Joined { block, .. } => Held::Loop { head: self.block_start(block) },
        }
    }
}

/// The refusal of a second source, if there is a first one and it is another.
fn different(
    registers: RegisterRange,
    first: &Option<OnPath>,
    second: Source,
    path: impl Fn() -> Path,
) -> Option<Refusal> {
    let first = first.as_ref().filter(|first| first.source != second)?;
    Some(Refusal::Different {
        registers,
        first: first.source,
        first_path: first.path.clone(),
        second,
        second_path: path(),
    })
}
