//! Accesses through descriptors.

use std::fmt;

use super::source::{Refusal, Source};
use crate::isa::{Encoding, Instruction, Opcode, RegisterRange, Slot};

/// What the stage is known to be seeded with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Options {
    /// How many scalar registers, from s0 up, hold user data at the start.
    pub user_registers: u8,
}

impl Default for Options {
    /// 32 registers, the most that a stage has.
    fn default() -> Self {
        Self { user_registers: 32 }
    }
}

/// What an access does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum AccessKind {
    /// Samples an image, or gathers from it.
    ImageSample,
    /// Loads from an image.
    ImageLoad,
    /// Stores to an image.
    ImageStore,
    /// Changes an image.
    ImageAtomic,
    /// Asks for an image's size or level of detail.
    ImageQuery,
    /// Tests a node of a BVH.
    BvhTest,
    /// Loads from a buffer, by lanes.
    BufferLoad,
    /// Stores to a buffer.
    BufferStore,
    /// Changes a buffer.
    BufferAtomic,
    /// Loads from a buffer, for the wave.
    ScalarBufferLoad,
}

impl AccessKind {
    /// What an instruction does through the descriptor in which of its operands, if it does.
    pub fn of(instruction: &Instruction) -> Option<(Self, Slot)> {
        let name = instruction.opcode.map(Opcode::name)?;
        let has = |part: &str| name.contains(part);
        Some(match instruction.encoding? {
            Encoding::Mimg => {
                let kind = if has("intersect_ray") {
                    Self::BvhTest
                } else if has("get_resinfo") || has("get_lod") {
                    Self::ImageQuery
                } else if has("sample") || has("gather") {
                    Self::ImageSample
                } else if has("atomic") {
                    Self::ImageAtomic
                } else if has("store") {
                    Self::ImageStore
                } else {
                    Self::ImageLoad
                };
                (kind, Slot::Srsrc)
            }
            Encoding::Mubuf | Encoding::Mtbuf => {
                let kind = if has("atomic") {
                    Self::BufferAtomic
                } else if has("store") {
                    Self::BufferStore
                } else {
                    Self::BufferLoad
                };
                (kind, Slot::Srsrc)
            }
            Encoding::Smem if has("s_buffer_load") => (Self::ScalarBufferLoad, Slot::Sbase),
            _ => return None,
        })
    }

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::ImageSample => "image sample",
            Self::ImageLoad => "image load",
            Self::ImageStore => "image store",
            Self::ImageAtomic => "image atomic",
            Self::ImageQuery => "image query",
            Self::BvhTest => "BVH test",
            Self::BufferLoad => "buffer load",
            Self::BufferStore => "buffer store",
            Self::BufferAtomic => "buffer atomic",
            Self::ScalarBufferLoad => "scalar buffer load",
        }
    }
}

impl fmt::Display for AccessKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A descriptor that was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// Where it lies.
    pub source: Source,
    /// Byte offsets of the loads that carried it, ascending; none for user data.
    pub loads: Vec<u64>,
    /// Whether a path leads to the access that skips the load, or that of the buffer it was read through. What the registers hold there is no part of the answer: a program
    /// samples only where it loaded.
    pub skipped: bool,
}

/// A descriptor in registers, and where it lies.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Traced {
    /// Its registers.
    pub registers: RegisterRange,
    /// Where it lies, or why that is not known.
    pub source: Result<Found, Refusal>,
}

/// An access through a descriptor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Access {
    /// The instruction, by index into [`crate::Cfg::instructions`].
    pub instruction: usize,
    /// Its byte offset.
    pub offset: u64,
    /// What it does.
    pub kind: AccessKind,
    /// The descriptor of the image, the buffer or the BVH.
    pub descriptor: Traced,
    /// The sampler in its registers, where it has one; the sampler of the texture is [`super::Texture::sampler`].
    pub sampler: Option<Traced>,
}
