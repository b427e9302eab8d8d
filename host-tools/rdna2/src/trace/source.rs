//! What the analysis answers: where a descriptor lies, or why that is not known.

use std::fmt;

use crate::cfg::Irregularity;
use crate::isa::{Register, RegisterRange};

/// A word of a table's address.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum AddressWord {
    /// The user data that this scalar register was seeded with.
    UserData(u8),
    /// A constant of the code, as the upper half of a 32-bit pointer is.
    Constant(u32),
}

impl fmt::Display for AddressWord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UserData(register) => write!(f, "{register}"),
            Self::Constant(word) => write!(f, "{word:#x}"),
        }
    }
}

/// The address of a table: its lower word is user data.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Pointer {
    /// The scalar register whose user data is the lower word.
    pub low: u8,
    /// The upper word.
    pub high: AddressWord,
}

impl fmt::Display for Pointer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "user data {}:{}", self.low, self.high)
    }
}

/// Where the descriptor of a buffer lies that another descriptor is read through.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum BufferPlace {
    /// In user data.
    UserData {
        /// The scalar register of its first word.
        register: u8,
    },
    /// In a table.
    Table {
        /// Where the table is.
        pointer: Pointer,
        /// Byte offset in it.
        offset: i32,
    },
}

/// Where a descriptor lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Source {
    /// In user data.
    UserData {
        /// The scalar register of its first word, as the stage was seeded.
        register: u8,
    },
    /// In a table.
    Table {
        /// Where the table is.
        pointer: Pointer,
        /// Byte offset in it.
        offset: i32,
    },
    /// In a buffer, at the buffer's base plus `offset`.
    Buffer {
        /// Where the buffer's descriptor is.
        buffer: BufferPlace,
        /// Byte offset in the buffer.
        offset: i32,
    },
}

/// An offset with its sign.
struct Offset(i32);

impl fmt::Display for Offset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.0 < 0 { '-' } else { '+' };
        write!(f, "{sign}{:#x}", self.0.unsigned_abs())
    }
}

impl fmt::Display for BufferPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Source::from(*self).fmt(f)
    }
}

impl From<BufferPlace> for Source {
    fn from(place: BufferPlace) -> Self {
        match place {
            BufferPlace::UserData { register } => Self::UserData { register },
            BufferPlace::Table { pointer, offset } => Self::Table { pointer, offset },
        }
    }
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UserData { register } => write!(f, "user data {register}"),
            Self::Table { pointer, offset } => write!(f, "table [{pointer}]{}", Offset(*offset)),
            Self::Buffer { buffer, offset } => write!(f, "buffer {{{buffer}}}{}", Offset(*offset)),
        }
    }
}

/// A way into a block where paths join.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Step {
    /// Byte offset of the last instruction of the block that it comes from.
    pub from: u64,
    /// Byte offset of the block that it leads to.
    pub to: u64,
}

/// A path to an access: the ways it takes where it makes a difference to the registers asked for, the last one first. A path
/// without any is every path.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Path(pub Vec<Step>);

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() {
            return f.write_str("on every path");
        }
        f.write_str("on a path by")?;
        let mut separator = ' ';
        for step in self.0.iter().rev() {
            write!(f, "{separator}{:#x}->{:#x}", step.from, step.to)?;
            separator = ',';
        }
        Ok(())
    }
}

/// The first load of a chain, where it is another than the one that is told of.
struct By {
    load: u64,
    first: u64,
}

impl fmt::Display for By {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.load == self.first {
            true => Ok(()),
            false => write!(f, " by way of the load at {:#x}", self.first),
        }
    }
}

/// What a register holds on some path instead of the word of a descriptor.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Held {
    /// What an instruction computed.
    #[error("what the instruction at {at:#x} computed")]
    Computed {
        /// Byte offset of the instruction.
        at: u64,
    },
    /// What an instruction without a name may have written.
    #[error("what the unnamed instruction at {at:#x} may have written")]
    Unnamed {
        /// Byte offset of the instruction.
        at: u64,
    },
    /// What a loop's blocks may have written: its head counts as having written every register.
    #[error("what the loop at {head:#x} may have written")]
    Loop {
        /// Byte offset of the loop's head.
        head: u64,
    },
    /// A constant of the code.
    #[error("the constant {word:#x}")]
    Constant {
        /// Its value.
        word: u32,
    },
    /// The seeded user data of a register.
    #[error("user data {register}")]
    UserData {
        /// The register that it was seeded in.
        register: u8,
    },
    /// What a register held at the start that is no user data.
    #[error("what {register} held at the start, which is no user data")]
    NotSeeded {
        /// That register.
        register: Register,
    },
    /// A word that was loaded from a known place.
    #[error("a word of {place}, loaded at {load:#x}")]
    Loaded {
        /// Where the word lies.
        place: Source,
        /// Byte offset of the load.
        load: u64,
    },
    /// A word that was loaded from an unknown place.
    #[error("a word loaded at {load:#x}{}, from where is not known: {why}", By { load: *load, first: *first })]
    LoadedFromUnknown {
        /// Byte offset of the load.
        load: u64,
        /// Byte offset of the load whose place was the first not to be known: this one, or one that this one's place is by.
        first: u64,
        /// Why the place of the first is not known; in it is no other such load.
        why: Box<UnknownPlace>,
    },
}

/// Why the place that a load reads is not known.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum UnknownPlace {
    /// The pointer is not user data, the same on every path.
    #[error("its pointer's word {register} holds {held} {path}")]
    Pointer {
        /// The register of the pointer.
        register: Register,
        /// What it holds.
        held: Held,
        /// A path on which it does.
        path: Path,
    },
    /// The pointer is not the same on every path.
    #[error("its pointer {registers:?} holds {first} {first_path}, and {second} {second_path}")]
    Pointers {
        /// The pointer's registers, or those that hold its words.
        registers: RegisterRange,
        /// A pointer.
        first: Pointer,
        /// A path on which it is that.
        first_path: Path,
        /// Another pointer.
        second: Pointer,
        /// A path on which it is that.
        second_path: Path,
    },
    /// The buffer's descriptor is not known.
    #[error("the buffer's descriptor: {0}")]
    Buffer(Box<Refusal>),
    /// The buffer's descriptor was itself read through a buffer.
    #[error("the buffer's descriptor was read through a buffer itself, out of {0}")]
    BufferInBuffer(Source),
    /// The offset is in a register and not the same constant on every path.
    #[error("its offset in {register} holds {held} {path}")]
    Offset {
        /// The register.
        register: Register,
        /// What it holds.
        held: Held,
        /// A path on which it does.
        path: Path,
    },
    /// The offset is not the same constant on every path.
    #[error("its offset in {register} is {first:#x} {first_path}, and {second:#x} {second_path}")]
    Offsets {
        /// The register.
        register: Register,
        /// A constant.
        first: u32,
        /// A path on which it is that.
        first_path: Path,
        /// Another constant.
        second: u32,
        /// A path on which it is that.
        second_path: Path,
    },
    /// The offset is no multiple of 4, negative in a buffer, or 2^31 and more.
    #[error("its offset {offset:#x} is no multiple of 4, negative in a buffer, or too large")]
    BadOffset {
        /// The sum of both offsets.
        offset: i64,
    },
    /// More ways than are followed lead to the load.
    #[error("more than {limit} combinations of ways lead to it")]
    TooManyPaths {
        /// Combinations that are followed.
        limit: usize,
    },
    /// The combinations of ways that lead to the load are by more ways than are looked at.
    #[error("the ways that lead to it are by more than {limit} ways into joins")]
    TooManyWays {
        /// Ways that are looked at.
        limit: u64,
    },
    /// An operand is not what such a load has.
    #[error("an operand is missing or no register")]
    Operands,
}

impl UnknownPlace {
    /// The load whose place was the first not to be known, by its byte offset, where this place is by what it loaded.
    pub(super) fn first(&self) -> Option<u64> {
        let held = match self {
            Self::Pointer { held, .. } | Self::Offset { held, .. } => held,
            Self::Buffer(refusal) => match &**refusal {
                Refusal::Register { held, .. } => held,
                _ => return None,
            },
            _ => return None,
        };
        match held {
            Held::LoadedFromUnknown { first, .. } => Some(*first),
            _ => None,
        }
    }
}

/// Why the source of a descriptor is not known.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Refusal {
    /// No path leads to the access.
    #[error("no path from the program's start leads there")]
    Unreached,
    /// Control may arrive from where nobody knows.
    #[error("control may come from anywhere: {0}")]
    Arrivals(Irregularity),
    /// A register holds something else than a word of a descriptor that was loaded or seeded.
    #[error("{register} holds {held} {path}")]
    Register {
        /// The register.
        register: Register,
        /// What it holds.
        held: Held,
        /// A path on which it does.
        path: Path,
    },
    /// The words do not come from one place after the other.
    #[error("{first} holds {first_held}, and {register}, {words} words on, {held} {path}")]
    Parts {
        /// The first register.
        first: Register,
        /// What it holds.
        first_held: Held,
        /// The register that does not hold what follows.
        register: Register,
        /// How far it is from the first, in words.
        words: u8,
        /// What it holds.
        held: Held,
        /// A path on which they do.
        path: Path,
    },
    /// Paths carry descriptors from different places.
    #[error("{registers:?} come from {first} {first_path}, and from {second} {second_path}")]
    Different {
        /// The registers.
        registers: RegisterRange,
        /// A source.
        first: Source,
        /// A path that carries it.
        first_path: Path,
        /// Another source.
        second: Source,
        /// A path that carries that.
        second_path: Path,
    },
    /// More ways than are followed lead to the access with different words.
    #[error("more than {limit} combinations of ways lead to it with different words")]
    TooManyPaths {
        /// Combinations that are followed.
        limit: usize,
    },
    /// The combinations of ways that lead to the access are by more ways than are looked at.
    #[error("the ways that lead to it are by more than {limit} ways into joins")]
    TooManyWays {
        /// Ways that are looked at.
        limit: u64,
    },
    /// The first accesses of textures whose accesses have different samplers were looked for in more blocks than are looked at.
    #[error("which access of the texture is the first was not found within {limit} blocks for all textures")]
    TooManyBlocks {
        /// Blocks that are looked at.
        limit: u64,
    },
    /// First accesses of a texture, of which no one comes before the others, have different samplers.
    #[error("the texture is accessed first at {first:#x} with one sampler, or at {second:#x} with another")]
    FirstAccesses {
        /// Byte offset of a first access.
        first: u64,
        /// Byte offset of another.
        second: u64,
    },
}
