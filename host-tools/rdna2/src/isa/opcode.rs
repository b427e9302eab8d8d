//! Opcodes: rows of the instruction table.

use std::fmt;

use super::operand::Kind;
use super::register::{Register, Wave};
use crate::tables;

/// How an instruction's bits are laid out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Encoding {
    /// Scalar, two sources.
    Sop2,
    /// Scalar, a 16-bit immediate.
    Sopk,
    /// Scalar, one source.
    Sop1,
    /// Scalar compare.
    Sopc,
    /// Scalar program control.
    Sopp,
    /// Scalar memory.
    Smem,
    /// Vector, two sources.
    Vop2,
    /// Vector, one source.
    Vop1,
    /// Vector compare.
    Vopc,
    /// Vector, two words: three sources and modifiers.
    Vop3,
    /// Vector, packed.
    Vop3p,
    /// Interpolation of attributes.
    Vintrp,
    /// LDS and GDS.
    Ds,
    /// Flat, global and scratch memory.
    Flat,
    /// Buffers without format.
    Mubuf,
    /// Buffers with format.
    Mtbuf,
    /// Images and BVHs.
    Mimg,
    /// Exports.
    Exp,
}

/// The list that an opcode's number counts in. Vector opcodes of the short encodings keep theirs in the long one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Family {
    /// Scalar, two sources.
    Sop2,
    /// Scalar, a 16-bit immediate.
    Sopk,
    /// Scalar, one source.
    Sop1,
    /// Scalar compare.
    Sopc,
    /// Scalar program control.
    Sopp,
    /// Scalar memory.
    Smem,
    /// Vector, two sources.
    Vop2,
    /// Vector, one source.
    Vop1,
    /// Vector compare.
    Vopc,
    /// Vector, only in the long encoding.
    Vop3,
    /// Vector, packed.
    Vop3p,
    /// Interpolation of attributes.
    Vintrp,
    /// LDS and GDS.
    Ds,
    /// Flat memory.
    Flat,
    /// Global memory.
    Global,
    /// Scratch memory.
    Scratch,
    /// Buffers without format.
    Mubuf,
    /// Buffers with format.
    Mtbuf,
    /// Images and BVHs.
    Mimg,
    /// Exports.
    Exp,
}

/// A register that an opcode uses without naming it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Implicit {
    /// The scalar condition code.
    Scc,
    /// The vector condition code, as wide as the wave.
    Vcc,
    /// The execution mask, as wide as the wave.
    Exec,
    /// The lower word of the execution mask.
    ExecLo,
    /// Both words of the execution mask.
    Exec64,
    /// M0.
    M0,
    /// The wave's modes.
    Mode,
    /// Its destination: some of it stays, or the write may not happen.
    Destination,
    /// Registers that M0 picks: any of the file.
    Indirect,
}

impl Implicit {
    /// Its registers.
    pub fn registers(self, wave: Wave) -> &'static [Register] {
        use Register::{ExecHi, ExecLo, Mode, Scc, VccHi, VccLo, M0};
        match (self, wave) {
            (Self::Scc, _) => &[Scc],
            (Self::Vcc, Wave::W32) => &[VccLo],
            (Self::Vcc, Wave::W64) => &[VccLo, VccHi],
            (Self::Exec, Wave::W32) | (Self::ExecLo, _) => &[ExecLo],
            (Self::Exec, Wave::W64) | (Self::Exec64, _) => &[ExecLo, ExecHi],
            (Self::M0, _) => &[M0],
            (Self::Mode, _) => &[Mode],
            (Self::Destination | Self::Indirect, _) => &[],
        }
    }
}

/// What an opcode's long form has, which forms it has, and other peculiarities.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Feature {
    /// The result can be clamped.
    Clamp,
    /// The result can be scaled.
    Omod,
    /// Halves of 16-bit operands can be chosen.
    OpSel,
    /// There is no long form, nor one with sub-word operands or rearranged lanes.
    Short,
    /// There is one with rearranged lanes all the same.
    Dpp,
    /// None with rearranged lanes.
    NoDpp,
    /// None with sub-word operands.
    NoSdwa,
    /// It works whatever the execution mask is.
    AllLanes,
    /// Two offsets of 8 bits.
    TwoOffsets,
    /// The offset is a pattern of lanes.
    Swizzle,
    /// Only GDS has it.
    GdsOnly,
    /// The old value is answered where `glc` is set.
    Atomic,
    /// The lane's number is the address.
    NoAddress,
}

/// What the table says of an opcode.
#[derive(Debug)]
pub(crate) struct Row {
    /// Name in LLVM's assembler, without the suffix of an encoding.
    pub(crate) name: &'static str,
    /// Number in its family.
    pub(crate) number: u16,
    /// What it writes, in the order of the syntax.
    pub(crate) writes: &'static [Kind],
    /// What it reads, in the order of the syntax.
    pub(crate) reads: &'static [Kind],
    /// What it reads besides.
    pub(crate) implicit_reads: &'static [Implicit],
    /// What it writes besides.
    pub(crate) implicit_writes: &'static [Implicit],
    /// What else there is to it.
    pub(crate) features: &'static [Feature],
}

impl Row {
    pub(crate) fn has(&self, feature: Feature) -> bool {
        self.features.contains(&feature)
    }

    /// Whether an operand has 64 bits or more: then there are no sub-word operands and no rearranged lanes.
    pub(crate) fn is_wide(&self) -> bool {
        self.reads.iter().chain(self.writes).any(|kind| matches!(kind, Kind::B64 | Kind::F64 | Kind::B128))
    }
}

/// An instruction's operation. There is a constant for each by its name, as `Opcode::s_mov_b32`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Opcode {
    pub(crate) family: Family,
    pub(crate) number: u16,
}

impl Opcode {
    /// The opcode of a number in a family, if the table names it.
    pub fn find(family: Family, number: u16) -> Option<Self> {
        tables::row(family, number).map(|_| Self { family, number })
    }

    /// Every opcode of the table.
    pub fn all() -> impl Iterator<Item = Self> {
        tables::FAMILIES
            .iter()
            .flat_map(|&family| tables::rows(family).iter().map(move |row| Self { family, number: row.number }))
    }

    /// Its list.
    pub fn family(self) -> Family {
        self.family
    }

    /// Its number in that list.
    pub fn number(self) -> u16 {
        self.number
    }

    /// Its name in LLVM's assembler, without the suffix of an encoding.
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// Whether it tests a ray against a node of a BVH.
    pub fn is_ray_test(self) -> bool {
        matches!(self, Self::image_bvh_intersect_ray | Self::image_bvh64_intersect_ray)
    }

    pub(crate) fn row(self) -> &'static Row {
        // Opcodes are made by `find` and by the table alone.
        tables::row(self.family, self.number).expect("an opcode is a row of the table")
    }
}

impl fmt::Display for Opcode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl fmt::Debug for Opcode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
