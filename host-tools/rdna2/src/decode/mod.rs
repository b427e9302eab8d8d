//! From bytes to instructions.

mod memory;
mod mimg;
mod scalar;
mod vector;

use vector::{DPP16, DPP8, DPP8_FETCH_INACTIVE, SDWA};

use crate::isa::{
    Access, Encoding, Family, FloatConstant, Implicit, Instruction, Kind, Modifiers, Opcode, Operand, Register,
    RegisterRange, Row, Slot, SourceModifiers, Special, Value, Wave,
};

/// Why bytes are no instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DecodeError {
    /// The code ends within an instruction.
    #[error("the instruction at byte {offset:#x} needs {needed} bytes, and {left} are left")]
    Truncated {
        /// Where the instruction starts.
        offset: u64,
        /// Bytes it has.
        needed: usize,
        /// Bytes from there to the end.
        left: usize,
    },
    /// An instruction starts at a multiple of 4 bytes.
    #[error("no instruction starts at byte {offset:#x}: it is no multiple of 4")]
    Misaligned {
        /// Where one was looked for.
        offset: u64,
    },
}

/// Walks over code, instruction by instruction; ends after an error.
#[derive(Debug, Clone)]
pub struct Decoder<'a> {
    code: &'a [u8],
    offset: u64,
    wave: Wave,
}

impl<'a> Decoder<'a> {
    /// A walk from the first byte. Offsets count from there.
    pub fn new(code: &'a [u8], wave: Wave) -> Self {
        Self { code, offset: 0, wave }
    }
}

impl Iterator for Decoder<'_> {
    type Item = Result<Instruction, DecodeError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.offset >= self.code.len() as u64 {
            return None;
        }
        let decoded = decode_at(self.code, self.offset, self.wave);
        self.offset = match &decoded {
            Ok(instruction) => instruction.end(),
            Err(_) => self.code.len() as u64,
        };
        Some(decoded)
    }
}

/// The instruction at a byte offset of the code.
pub fn decode_at(code: &[u8], offset: u64, wave: Wave) -> Result<Instruction, DecodeError> {
    if !offset.is_multiple_of(4) {
        return Err(DecodeError::Misaligned { offset });
    }
    let bytes = usize::try_from(offset).ok().and_then(|start| code.get(start..)).unwrap_or(&[]);
    let truncated = |needed| DecodeError::Truncated { offset, needed, left: bytes.len() };
    let word = |index: usize| {
        let bytes = bytes.get(4 * index..4 * index + 4).ok_or(truncated(4 * index + 4))?;
        Ok(u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]))
    };
    let first = word(0)?;
    let encoding = encoding(first);
    let mut bits = Bits { words: [first, 0, 0, 0, 0], encoding, wave };
    let length = match encoding {
        None => 1,
        Some(encoding) if is_two_words(encoding) => {
            bits.words[1] = word(1)?;
            2 + extra_words(encoding, &bits)
        }
        Some(encoding) => 1 + extra_words(encoding, &bits),
    };
    for index in 1..length {
        bits.words[index] = word(index).map_err(|_| truncated(4 * length))?;
    }
    let mut instruction = Instruction {
        offset,
        size: 4 * length as u8,
        wave,
        encoding,
        opcode: None,
        operands: Vec::new(),
        modifiers: Modifiers::default(),
    };
    if let Some(Draft { opcode, operands, modifiers, .. }) = encoding.and_then(|encoding| bits.decode(encoding)) {
        instruction.opcode = Some(opcode);
        instruction.operands = operands;
        instruction.modifiers = modifiers;
    }
    Ok(instruction)
}

/// The encoding that the first word belongs to.
fn encoding(word: u32) -> Option<Encoding> {
    Some(match word >> 25 {
        0..=0x3d => Encoding::Vop2,
        0x3e => Encoding::Vopc,
        0x3f => Encoding::Vop1,
        0x40..=0x57 => Encoding::Sop2,
        0x58..=0x5f => match word >> 23 {
            0x17d => Encoding::Sop1,
            0x17e => Encoding::Sopc,
            0x17f => Encoding::Sopp,
            _ => Encoding::Sopk,
        },
        _ => match word >> 26 {
            0x32 => Encoding::Vintrp,
            0x33 => Encoding::Vop3p,
            0x35 => Encoding::Vop3,
            0x36 => Encoding::Ds,
            0x37 => Encoding::Flat,
            0x38 => Encoding::Mubuf,
            0x3a => Encoding::Mtbuf,
            0x3c => Encoding::Mimg,
            0x3d => Encoding::Smem,
            0x3e => Encoding::Exp,
            _ => return None,
        },
    })
}

/// Whether an encoding has two words before any that an operand adds.
fn is_two_words(encoding: Encoding) -> bool {
    match encoding {
        Encoding::Sop1
        | Encoding::Sop2
        | Encoding::Sopk
        | Encoding::Sopc
        | Encoding::Sopp
        | Encoding::Vop1
        | Encoding::Vop2
        | Encoding::Vopc
        | Encoding::Vintrp => false,
        Encoding::Smem
        | Encoding::Vop3
        | Encoding::Vop3p
        | Encoding::Ds
        | Encoding::Flat
        | Encoding::Mubuf
        | Encoding::Mtbuf
        | Encoding::Mimg
        | Encoding::Exp => true,
    }
}

/// The source code of a literal.
const LITERAL: u32 = 255;

/// Words that operands add: a literal, a sub-word or lane pattern, separate addresses.
fn extra_words(encoding: Encoding, bits: &Bits) -> usize {
    let literal = |sources: &[u32]| usize::from(sources.contains(&LITERAL));
    match encoding {
        Encoding::Sop2 | Encoding::Sopc => literal(&[bits.field(0, 0, 8), bits.field(0, 8, 8)]),
        Encoding::Sop1 => literal(&[bits.field(0, 0, 8)]),
        // s_setreg_imm32_b32 has its literal always.
        Encoding::Sopk => usize::from(bits.field(0, 23, 5) == u32::from(Opcode::s_setreg_imm32_b32.number())),
        Encoding::Vop1 | Encoding::Vopc => {
            usize::from(matches!(bits.field(0, 0, 9), LITERAL | DPP8 | DPP8_FETCH_INACTIVE | SDWA | DPP16))
        }
        Encoding::Vop2 => {
            // v_madmk_f32, v_madak_f32, v_fmamk_f32, v_fmaak_f32, v_fmamk_f16, v_fmaak_f16.
            let constant = matches!(bits.field(0, 25, 6), 0x20 | 0x21 | 0x2c | 0x2d | 0x37 | 0x38);
            usize::from(constant || matches!(bits.field(0, 0, 9), LITERAL | DPP8 | DPP8_FETCH_INACTIVE | SDWA | DPP16))
        }
        Encoding::Vop3 | Encoding::Vop3p => literal(&[bits.field(1, 0, 9), bits.field(1, 9, 9), bits.field(1, 18, 9)]),
        Encoding::Mimg => bits.field(0, 1, 2) as usize,
        Encoding::Sopp
        | Encoding::Smem
        | Encoding::Vintrp
        | Encoding::Ds
        | Encoding::Flat
        | Encoding::Mubuf
        | Encoding::Mtbuf
        | Encoding::Exp => 0,
    }
}

/// What an encoding's decoder finds.
struct Draft {
    opcode: Opcode,
    row: &'static Row,
    operands: Vec<Operand>,
    modifiers: Modifiers,
}

impl Draft {
    fn new(opcode: Opcode) -> Self {
        let row = opcode.row();
        // Code is kept decoded: no more room than is needed, where that is known.
        let operands = Vec::with_capacity(row.writes.len() + row.reads.len());
        Self { opcode, row, operands, modifiers: Modifiers::default() }
    }

    fn push(&mut self, slot: Slot, kind: Kind, value: Value, access: Access) {
        self.operands.push(Operand { slot, kind, value, access, modifiers: SourceModifiers::default() });
    }

    fn row(&self) -> &'static Row {
        self.row
    }

    /// How a destination is accessed. A 16-bit result leaves the other half of its register.
    fn destination_access(&self) -> Access {
        let row = self.row();
        let half = matches!(row.writes.first(), Some(Kind::B16 | Kind::F16));
        if half || row.implicit_reads.contains(&Implicit::Destination) {
            Access::ReadWrite
        } else {
            Access::Write
        }
    }
}

/// The words of an instruction; those that it does not have are 0.
struct Bits {
    words: [u32; 5],
    encoding: Option<Encoding>,
    wave: Wave,
}

impl Bits {
    /// `width` bits of a word, from bit `low` up.
    fn field(&self, word: usize, low: u32, width: u32) -> u32 {
        self.words[word] >> low & ((1 << width) - 1)
    }

    fn flag(&self, word: usize, bit: u32) -> bool {
        self.field(word, bit, 1) != 0
    }

    /// What the bits say; none where they are no named instruction, or one with an operand that cannot be.
    fn decode(&self, encoding: Encoding) -> Option<Draft> {
        match encoding {
            Encoding::Sop2 => self.sop2(),
            Encoding::Sop1 => self.sop1(),
            Encoding::Sopc => self.sopc(),
            Encoding::Sopk => self.sopk(),
            Encoding::Sopp => self.sopp(),
            Encoding::Smem => self.smem(),
            Encoding::Vop1 => self.vop1(),
            Encoding::Vop2 => self.vop2(),
            Encoding::Vopc => self.vopc(),
            Encoding::Vop3 => self.vop3(),
            Encoding::Vop3p => self.vop3p(),
            Encoding::Vintrp => self.vintrp(),
            Encoding::Ds => self.ds(),
            Encoding::Flat => self.flat(),
            Encoding::Mubuf => self.mubuf(),
            Encoding::Mtbuf => self.mtbuf(),
            Encoding::Mimg => self.mimg(),
            Encoding::Exp => self.exp(),
        }
    }

    fn draft(&self, family: Family, number: u32) -> Option<Draft> {
        Opcode::find(family, u16::try_from(number).ok()?).map(Draft::new)
    }

    /// Whether an operand of this encoding can be a word of LDS.
    fn takes_lds(&self) -> bool {
        use Encoding::{Vop1, Vop2, Vop3, Vop3p, Vopc};
        matches!(self.encoding, Some(Vop1 | Vop2 | Vopc | Vop3 | Vop3p))
    }

    /// The word behind the encoding's own.
    fn literal(&self) -> u32 {
        let own = if self.encoding.is_some_and(is_two_words) { 2 } else { 1 };
        self.words[own]
    }

    /// A scalar register, or several from an aligned one on; codes 0 to 127.
    fn scalar_registers(code: u32, words: u8) -> Option<Value> {
        let code = u8::try_from(code).ok()?;
        let first = Register::from_scalar_code(code)?;
        let alignment = match words {
            1 => 1,
            2 => 2,
            _ => 4,
        };
        if first != Register::Null && code % alignment != 0 {
            return None;
        }
        let last = code + words - 1;
        // A tuple is of one file: SGPRs, VCC, TTMPs or EXEC.
        let file = |code| match code {
            0..=105 => 0,
            106..=107 => 1,
            108..=123 => 2,
            124 => 3,
            125 => 4,
            _ => 5,
        };
        let whole = first == Register::Null || (last < 128 && file(code) == file(last));
        whole.then_some(Value::Registers(RegisterRange { first, words }))
    }

    /// Vector registers from one on; the last is 255.
    fn vector_registers(number: u32, words: u8) -> Option<Value> {
        let number = u8::try_from(number).ok()?;
        number.checked_add(words - 1)?;
        Some(Value::Registers(RegisterRange { first: Register::Vgpr(number), words }))
    }

    /// A source of nine bits (of eight for scalar instructions).
    fn source(&self, code: u32, kind: Kind) -> Option<Value> {
        let words = kind.words(self.wave);
        let allowed = match kind {
            Kind::V32 => code == 254 || code >= 256,
            Kind::S32 => code < 256,
            _ => true,
        };
        if !allowed {
            return None;
        }
        Some(match code {
            0..=127 => Self::scalar_registers(code, words)?,
            128..=192 => Value::Integer(code as i32 - 128),
            193..=208 => Value::Integer(192 - code as i32),
            235 => Value::Special(Special::SharedBase),
            236 => Value::Special(Special::SharedLimit),
            237 => Value::Special(Special::PrivateBase),
            238 => Value::Special(Special::PrivateLimit),
            239 => Value::Special(Special::PopsExitingWaveId),
            240..=248 => Value::Float(FloatConstant::from_code(code as u16)?),
            251 => Value::Special(Special::Vccz),
            252 => Value::Special(Special::Execz),
            253 => Value::Registers(RegisterRange { first: Register::Scc, words: 1 }),
            // Only vector instructions have a word of LDS as a source.
            254 if words == 1 && self.takes_lds() => Value::Special(Special::LdsDirect),
            LITERAL => Value::Literal(self.literal()),
            256..=511 => Self::vector_registers(code - 256, words)?,
            _ => return None,
        })
    }
}
