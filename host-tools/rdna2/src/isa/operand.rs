//! Operands: what a field of an instruction names.

use super::register::{Register, RegisterRange, Wave};

/// What an operand holds: its width and how its constants are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// 32 bits, whatever they mean.
    B32,
    /// 64 bits, whatever they mean.
    B64,
    /// 96 bits.
    B96,
    /// 128 bits.
    B128,
    /// 256 bits.
    B256,
    /// 512 bits.
    B512,
    /// 16 bits in the lower half of a word.
    B16,
    /// FP16 in the lower half of a word.
    F16,
    /// FP32.
    F32,
    /// FP64.
    F64,
    /// Two 16-bit integers in a word.
    P16,
    /// Two FP16 in a word.
    PF16,
    /// 32 bits of a vector register: no constant, no scalar register.
    V32,
    /// 32 bits of a scalar register, or a constant.
    S32,
    /// A bit a lane: one word or two, as the wave is wide.
    Mask,
    /// Immediate number of 16 bits.
    Simm16,
    /// Immediate of 32 bits, a literal always.
    Imm32,
    /// Immediate of 16 bits in a literal word.
    Imm16,
    /// An attribute of a pixel and its component.
    Attribute,
    /// A parameter of an attribute: 0 P10, 1 P20, 2 P0.
    Parameter,
    /// Where an export goes, 6 bits.
    ExportTarget,
    /// Where a branch leads: words from the next instruction, 16 bits with sign.
    Target,
    /// Counters to wait for.
    Waitcnt,
    /// Counters that the hardware keeps between units.
    Depctr,
    /// A message and its parts.
    Message,
    /// A hardware register and a field of its bits.
    HardwareRegister,
    /// An immediate of a few bits.
    Immediate,
    /// A 16-bit number that is written in decimal.
    Decimal,
    /// The same, left out where it is 0.
    OptionalDecimal,
    /// A version of the microcode.
    Version,
    /// Data of an image access: as many words as its components take.
    Image,
    /// Addresses of an image access: as many words as its dimensions take.
    Address,
    /// Descriptor of an image: 8 words, or 4.
    Descriptor,
    /// Descriptor of a sampler: 4 words.
    Sampler,
}

impl Kind {
    /// Words of the registers that hold such an operand; 0 for what is no register.
    pub const fn words(self, wave: Wave) -> u8 {
        match self {
            Self::B32 | Self::B16 | Self::F16 | Self::F32 | Self::P16 | Self::PF16 | Self::V32 | Self::S32 => 1,
            Self::B64 | Self::F64 => 2,
            Self::B96 => 3,
            Self::B128 => 4,
            Self::B256 => 8,
            Self::B512 => 16,
            Self::Mask => wave.mask_words(),
            Self::Simm16
            | Self::Imm32
            | Self::Imm16
            | Self::Attribute
            | Self::Parameter
            | Self::ExportTarget
            | Self::Target
            | Self::Waitcnt
            | Self::Depctr
            | Self::Message
            | Self::HardwareRegister
            | Self::Immediate
            | Self::Decimal
            | Self::OptionalDecimal
            | Self::Version => 0,
            Self::Sampler => 4,
            // Their instruction's fields say.
            Self::Image | Self::Address | Self::Descriptor => 0,
        }
    }
}

/// The field of the instruction that an operand comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Slot {
    /// Scalar destination.
    Sdst,
    /// Vector destination (or a scalar one, in that field).
    Vdst,
    /// First source of an ALU instruction.
    Src0,
    /// Second source.
    Src1,
    /// Third source; the carry that comes in.
    Src2,
    /// Fourth source of an export.
    Src3,
    /// Immediate number.
    Imm,
    /// Base address or buffer descriptor of a scalar load.
    Sbase,
    /// Offset register of a scalar or buffer access.
    Soffset,
    /// Vector address or index; with NSA one operand for each register, in order.
    Vaddr,
    /// Scalar base address of a global or scratch access.
    Saddr,
    /// Data of a memory access: stored, and loaded where the encoding has one field for both.
    Vdata,
    /// Second data operand of an LDS access.
    Data1,
    /// Descriptor of an image (4 or 8 words), of a BVH (4 words) or of a buffer (4 words).
    Srsrc,
    /// Sampler, 4 words.
    Ssamp,
    /// Where an export goes.
    Target,
}

/// What an instruction does with an operand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Access {
    /// Only reads it.
    Read,
    /// Only writes it.
    Write,
    /// Reads it and writes it, or writes a part of it.
    ReadWrite,
}

/// A constant of the floating-point inline codes, 240 to 248.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FloatConstant {
    /// 0.5
    Half,
    /// -0.5
    MinusHalf,
    /// 1.0
    One,
    /// -1.0
    MinusOne,
    /// 2.0
    Two,
    /// -2.0
    MinusTwo,
    /// 4.0
    Four,
    /// -4.0
    MinusFour,
    /// 1 / (2 pi)
    Inv2Pi,
}

impl FloatConstant {
    /// The constant of an operand code.
    pub const fn from_code(code: u16) -> Option<Self> {
        Some(match code {
            240 => Self::Half,
            241 => Self::MinusHalf,
            242 => Self::One,
            243 => Self::MinusOne,
            244 => Self::Two,
            245 => Self::MinusTwo,
            246 => Self::Four,
            247 => Self::MinusFour,
            248 => Self::Inv2Pi,
            _ => return None,
        })
    }

    /// Its bits as FP16.
    pub const fn bits16(self) -> u16 {
        match self {
            Self::Half => 0x3800,
            Self::MinusHalf => 0xb800,
            Self::One => 0x3c00,
            Self::MinusOne => 0xbc00,
            Self::Two => 0x4000,
            Self::MinusTwo => 0xc000,
            Self::Four => 0x4400,
            Self::MinusFour => 0xc400,
            Self::Inv2Pi => 0x3118,
        }
    }

    /// Its bits as FP32.
    pub const fn bits32(self) -> u32 {
        match self {
            Self::Half => 0x3f00_0000,
            Self::MinusHalf => 0xbf00_0000,
            Self::One => 0x3f80_0000,
            Self::MinusOne => 0xbf80_0000,
            Self::Two => 0x4000_0000,
            Self::MinusTwo => 0xc000_0000,
            Self::Four => 0x4080_0000,
            Self::MinusFour => 0xc080_0000,
            Self::Inv2Pi => 0x3e22_f983,
        }
    }

    /// Its bits as FP64.
    pub const fn bits64(self) -> u64 {
        match self {
            Self::Half => 0x3fe0_0000_0000_0000,
            Self::MinusHalf => 0xbfe0_0000_0000_0000,
            Self::One => 0x3ff0_0000_0000_0000,
            Self::MinusOne => 0xbff0_0000_0000_0000,
            Self::Two => 0x4000_0000_0000_0000,
            Self::MinusTwo => 0xc000_0000_0000_0000,
            Self::Four => 0x4010_0000_0000_0000,
            Self::MinusFour => 0xc010_0000_0000_0000,
            Self::Inv2Pi => 0x3fc4_5f30_6dc9_c882,
        }
    }
}

/// A source that is neither a register of the wave nor a constant of the code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Special {
    /// Upper half of the address of the shared aperture.
    SharedBase,
    /// Its end.
    SharedLimit,
    /// Upper half of the address of the private aperture.
    PrivateBase,
    /// Its end.
    PrivateLimit,
    /// The wave's number in primitive order.
    PopsExitingWaveId,
    /// 1 where VCC is 0.
    Vccz,
    /// 1 where EXEC is 0.
    Execz,
    /// A word of LDS at M0.
    LdsDirect,
}

/// What an operand is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Value {
    /// Registers of the wave; one-bit operands read [`Register::Scc`].
    Registers(RegisterRange),
    /// An integer of the code: inline -16 to 64, or a field's number.
    Integer(i32),
    /// A floating-point constant, in the format of the operand's kind.
    Float(FloatConstant),
    /// A literal word after the instruction.
    Literal(u32),
    /// A special source.
    Special(Special),
    /// The operand is switched off (`off`).
    Off,
}

/// Negation, magnitude and sub-word selection of a source.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct SourceModifiers {
    /// Negated after `abs`.
    pub neg: bool,
    /// Magnitude.
    pub abs: bool,
}

/// An operand of an instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Operand {
    /// The field it comes from.
    pub slot: Slot,
    /// What it holds.
    pub kind: Kind,
    /// What it is.
    pub value: Value,
    /// What is done with it.
    pub access: Access,
    /// Negation and magnitude, where the encoding has them.
    pub modifiers: SourceModifiers,
}

impl Operand {
    /// Its registers, if it is any.
    pub fn range(&self) -> Option<RegisterRange> {
        match self.value {
            Value::Registers(range) => Some(range),
            _ => None,
        }
    }

    /// Registers that it names, lowest word first; none for constants.
    pub fn registers(&self) -> impl Iterator<Item = Register> {
        self.range().into_iter().flat_map(RegisterRange::registers)
    }

    /// Whether the instruction reads it.
    pub fn is_read(&self) -> bool {
        self.access != Access::Write
    }

    /// Whether the instruction writes it.
    pub fn is_written(&self) -> bool {
        self.access != Access::Read
    }
}
