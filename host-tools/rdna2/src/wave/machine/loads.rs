//! Scalar, buffer and global loads of whole words. Anything else that a memory instruction writes is not known.
//!
//! A word is known if the image holds it and the dispatch cannot write it; a word of a buffer, if it also lies in the buffer.
//! What a load from outside a buffer gives is not known here.

use super::Machine;
use crate::isa::{Slot, Value};
use crate::wave::state::LANES;
use crate::wave::word::Word;
use crate::{Instruction, Register};

/// A buffer descriptor that is known. Source: AMD, "RDNA 2 Instruction Set Architecture", table of the buffer resource.
struct Buffer {
    /// Bits 47:0.
    base: u64,
    /// Bits 61:48, in bytes.
    stride: u64,
    /// Bits 95:64: bytes, or records if there is a stride.
    records: u64,
    /// Bits 125:124: how bounds are checked.
    bounds: u32,
    /// Bit 63 (addresses are swizzled), bit 119 (the lane is added to the index), bits 127:126 (what it is, 0 for a buffer).
    special: bool,
}

impl Buffer {
    fn new(words: [u32; 4]) -> Self {
        Self {
            base: u64::from(words[1] & 0xffff) << 32 | u64::from(words[0]),
            stride: u64::from(words[1] >> 16 & 0x3fff),
            records: u64::from(words[2]),
            bounds: words[3] >> 28 & 3,
            special: words[1] >> 31 != 0 || words[3] >> 23 & 1 != 0 || words[3] >> 30 != 0,
        }
    }

    /// Bytes that scalar loads may read.
    fn bytes(&self) -> u64 {
        self.records * self.stride.max(1)
    }

    /// Whether bytes of a record lie in the buffer: from `within` in record `record`, which is `start` from the base.
    fn holds(&self, record: u64, within: u64, start: u64, bytes: u64) -> bool {
        match self.bounds {
            0 => record < self.records && within + bytes <= self.stride,
            1 => record < self.records,
            2 => self.records != 0,
            _ => start + bytes <= self.records,
        }
    }
}

/// Addresses are of 48 bits.
const ADDRESS: u64 = (1 << 48) - 1;

/// How many words a load of whole words has.
fn words_of(name: &str, prefix: &str) -> Option<u8> {
    match name.strip_prefix(prefix)? {
        "" => Some(1),
        "x2" => Some(2),
        "x3" => Some(3),
        "x4" => Some(4),
        "x8" => Some(8),
        "x16" => Some(16),
        _ => None,
    }
}

impl Machine<'_> {
    /// The word that a scalar load reads: the lowest two bits of an address are not looked at.
    fn load(&self, address: u64) -> Word {
        self.memory.read(address & ADDRESS & !3, self.only_read).into()
    }

    /// The four words of a descriptor, if they are known.
    fn buffer(&self, instruction: &Instruction, slot: Slot) -> Option<Buffer> {
        let mut words = instruction.operand(slot)?.registers().map(|register| self.state.scalar(register).all());
        let mut next = || words.next().flatten();
        Some(Buffer::new([next()?, next()?, next()?, next()?]))
    }

    /// The offset register of a scalar or buffer access; 0 if it has none.
    fn scalar_offset(&self, instruction: &Instruction) -> Option<u64> {
        instruction.operand(Slot::Soffset).map_or(Some(0), |operand| self.scalar_source(operand).all())
    }

    pub(super) fn scalar_load(&mut self, instruction: &Instruction, name: &str) -> Option<()> {
        let from_buffer = name.starts_with("s_buffer_load_dword");
        let count = words_of(name, if from_buffer { "s_buffer_load_dword" } else { "s_load_dword" })?;
        let immediate = i64::from(instruction.modifiers.offset);
        let offset = self.scalar_offset(instruction)?.checked_add_signed(immediate);
        let register_offset = self.scalar_offset(instruction)?;
        let words: Vec<Word> = if from_buffer {
            let buffer = self.buffer(instruction, Slot::Sbase)?;
            let offset = offset? & !3;
            (0..u64::from(count))
                .map(|word| match offset + 4 * word + 4 <= buffer.bytes() {
                    true => self.load(buffer.base + offset + 4 * word),
                    false => Word::UNKNOWN,
                })
                .collect()
        } else {
            let base = self.scalar_source(instruction.operand(Slot::Sbase)?).all()?;
            let address = base.wrapping_add(register_offset).wrapping_add_signed(immediate);
            (0..u64::from(count)).map(|word| self.load(address.wrapping_add(4 * word))).collect()
        };
        let registers: Vec<_> = instruction.operand(Slot::Sdst)?.registers().collect();
        for (register, word) in registers.into_iter().zip(words) {
            self.write_scalar(register, word);
        }
        Some(())
    }

    pub(super) fn buffer_load(&mut self, instruction: &Instruction, name: &str) -> Option<()> {
        let count = words_of(name, "buffer_load_dword")?;
        let modifiers = instruction.modifiers;
        if modifiers.lds || modifiers.tfe {
            return None;
        }
        let buffer = self.buffer(instruction, Slot::Srsrc).filter(|buffer| !buffer.special)?;
        let scalar = self.scalar_offset(instruction)?;
        let immediate = u64::try_from(modifiers.offset).ok()?;
        let mut address = instruction
            .operand(Slot::Vaddr)
            .filter(|_| modifiers.idxen || modifiers.offen)
            .and_then(|operand| operand.range())
            .map(|range| range.registers().collect::<Vec<_>>())
            .unwrap_or_default()
            .into_iter();
        let mut component = |used: bool| match used {
            false => Some(None),
            true => match address.next() {
                Some(Register::Vgpr(index)) => Some(Some(self.state.vector(index).clone())),
                _ => None,
            },
        };
        let (index, offset) = (component(modifiers.idxen)?, component(modifiers.offen)?);
        let places: [Option<u64>; LANES] = std::array::from_fn(|lane| {
            let part = |vector: &Option<crate::wave::state::Vector>| match vector {
                Some(vector) => vector.lane(lane).all().map(u64::from),
                None => Some(0),
            };
            let (record, within) = (part(&index)?, part(&offset)? + immediate);
            let start = record * buffer.stride + within + scalar;
            let bytes = 4 * u64::from(count);
            let holds = buffer.holds(record, within, start, bytes);
            (holds && start % 4 == 0).then(|| buffer.base + start)
        });
        self.write_loaded(instruction, count, &places)
    }

    pub(super) fn global_load(&mut self, instruction: &Instruction, name: &str) -> Option<()> {
        let count = words_of(name, "global_load_dword")?;
        if instruction.modifiers.lds {
            return None;
        }
        let base = match instruction.operand(Slot::Saddr).filter(|operand| operand.value != Value::Off) {
            Some(operand) => Some(self.scalar_source(operand).all()?),
            None => None,
        };
        let address = self.source(instruction.operand(Slot::Vaddr)?);
        let immediate = i64::from(instruction.modifiers.offset);
        let places: [Option<u64>; LANES] = std::array::from_fn(|lane| {
            let vector: Option<u64> = match base {
                // A base in scalar registers takes an offset of 32 bits.
                Some(base) => address.lane(lane).word(0).all().map(|offset| base.wrapping_add(u64::from(offset))),
                None => address.lane(lane).all(),
            };
            vector.map(|address| address.wrapping_add_signed(immediate)).filter(|address| address % 4 == 0)
        });
        self.write_loaded(instruction, count, &places)
    }

    /// Writes what lies at each lane's address into consecutive vector registers.
    fn write_loaded(&mut self, instruction: &Instruction, count: u8, places: &[Option<u64>; LANES]) -> Option<()> {
        let registers: Vec<_> = instruction.destinations().next()?.registers().take(count.into()).collect();
        for (word, register) in (0u64..).zip(registers) {
            let Register::Vgpr(index) = register else { return None };
            let memory = self.memory;
            let only_read = self.only_read;
            self.write_lanes(index, |lane| {
                places[lane].and_then(|place| memory.read(place.wrapping_add(4 * word) & ADDRESS, only_read)).into()
            });
        }
        Some(())
    }
}
