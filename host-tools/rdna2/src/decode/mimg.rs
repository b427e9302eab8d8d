//! Image and BVH instructions.

use super::{Bits, Draft};
use crate::isa::{Access, Family, Kind, Opcode, Slot, Value};

/// Words of coordinates and of derivatives of each `dim`; a coordinate is x, y, z, a slice, a face or a sample.
const DIMENSIONS: [(u8, u8); 8] = [(1, 1), (2, 2), (3, 3), (3, 2), (2, 1), (3, 2), (3, 2), (4, 2)];

/// The 11 or 12 words of a ray: node pointer of 1 or 2 words, extent, origin, direction, inverse direction. With 16-bit
/// addresses the last six are halves.
fn ray_words(wide_pointer: bool, a16: bool) -> u8 {
    u8::from(wide_pointer) + if a16 { 8 } else { 11 }
}

/// Address words of an image access by its name, its dimensions and the width of its addresses; none where there is no such access.
fn image_words(name: &str, dim: usize, a16: bool) -> Option<u8> {
    let (coordinates, derivatives) = DIMENSIONS[dim];
    if name == "image_get_resinfo" {
        return Some(1);
    }
    let has = |part: &str| name.split('_').any(|word| word == part);
    let sampled = has("sample") || name.contains("gather4");
    let halves = |count: u8| if a16 { count.div_ceil(2) } else { count };
    let mut words = 0;
    if sampled {
        // Offset, bias and reference value are words of their own, bias a half with 16-bit addresses.
        words += u8::from(has("o")) + u8::from(has("c")) + u8::from(has("b"));
        if has("d") || has("cd") {
            // The x and y derivatives are each rounded up to whole words.
            let each = if has("g16") { derivatives.div_ceil(2) } else { derivatives };
            words += 2 * each;
        }
    }
    let level = has("mip") || (sampled && (has("l") || has("cl")));
    // A multisampled image has no levels and takes no sampler.
    let single = dim < 6 || !(sampled || level || name == "image_get_lod");
    single.then_some(words + halves(coordinates + u8::from(level)))
}

impl Bits {
    pub(super) fn mimg(&self) -> Option<Draft> {
        let number = self.field(0, 18, 7) | self.field(0, 0, 1) << 7;
        let mut draft = self.draft(Family::Mimg, number)?;
        let modifiers = &mut draft.modifiers;
        modifiers.nsa_words = self.field(0, 1, 2) as u8;
        modifiers.dim = self.field(0, 3, 3) as u8;
        modifiers.dlc = self.flag(0, 7);
        modifiers.dmask = self.field(0, 8, 4) as u8;
        modifiers.unorm = self.flag(0, 12);
        modifiers.glc = self.flag(0, 13);
        modifiers.r128 = self.flag(0, 15);
        modifiers.tfe = self.flag(0, 16);
        modifiers.lwe = self.flag(0, 17);
        modifiers.slc = self.flag(0, 25);
        modifiers.a16 = self.flag(1, 30);
        modifiers.d16 = self.flag(1, 31);
        let modifiers = *modifiers;
        let name = draft.opcode.name();
        let ray = draft.opcode.is_ray_test();
        let atomic = name.contains("atomic");
        if modifiers.d16 && (atomic || name.contains("_pck")) {
            return None;
        }
        // An atomic access has one component or two, a compared one a pair of each.
        let fits = match draft.opcode {
            Opcode::image_atomic_cmpswap | Opcode::image_atomic_fcmpswap => matches!(modifiers.dmask, 3 | 15),
            _ => matches!(modifiers.dmask, 1 | 3),
        };
        if atomic && !fits {
            return None;
        }
        let access = match (draft.row().writes.first(), atomic && modifiers.glc) {
            (Some(_), _) => Access::Write,
            (None, true) => Access::ReadWrite,
            (None, false) => Access::Read,
        };
        let components = if name.contains("gather4") || name.contains("msaa_load") || ray {
            4
        } else {
            modifiers.dmask.count_ones().max(1) as u8
        };
        let words = if modifiers.d16 && !ray { components.div_ceil(2) } else { components };
        let words = words + u8::from(modifiers.tfe || modifiers.lwe);
        draft.push(Slot::Vdata, Kind::Image, Self::vector_registers(self.field(1, 8, 8), words)?, access);
        let words = if ray {
            ray_words(name.contains("bvh64"), modifiers.a16)
        } else {
            image_words(name, usize::from(modifiers.dim), modifiers.a16)?
        };
        self.image_addresses(&mut draft, words)?;
        let words = if ray || modifiers.r128 { 4 } else { 8 };
        let descriptor = Self::scalar_registers(self.field(1, 16, 5) << 2, words)?;
        draft.push(Slot::Srsrc, Kind::Descriptor, descriptor, Access::Read);
        if draft.row().reads.contains(&Kind::Sampler) {
            let sampler = Self::scalar_registers(self.field(1, 21, 5) << 2, 4)?;
            draft.push(Slot::Ssamp, Kind::Sampler, sampler, Access::Read);
        }
        Some(draft)
    }

    /// Addresses in registers that follow one another, or (NSA) in any: the first in the second word, the others a byte each.
    fn image_addresses(&self, draft: &mut Draft, words: u8) -> Option<()> {
        let first = self.field(1, 0, 8);
        if draft.modifiers.nsa_words == 0 {
            draft.push(Slot::Vaddr, Kind::Address, Self::vector_registers(first, words)?, Access::Read);
            return Some(());
        }
        if !(2..=1 + 4 * draft.modifiers.nsa_words).contains(&words) {
            return None;
        }
        let others = self.words[2..].iter().flat_map(|word| word.to_le_bytes()).map(u32::from);
        for number in std::iter::once(first).chain(others).take(words.into()) {
            let value: Value = Self::vector_registers(number, 1)?;
            draft.push(Slot::Vaddr, Kind::B32, value, Access::Read);
        }
        Some(())
    }
}
