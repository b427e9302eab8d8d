//! Memory encodings: DS, FLAT (with global and scratch), MUBUF, MTBUF; and exports.

use super::{Bits, Draft};
use crate::isa::{Access, Family, Feature, Kind, Slot, Value};

/// Scalar address code of no register.
const NO_SADDR: u32 = 125;
/// Scalar address code of a scratch access that has no vector address either.
const NO_ADDRESS: u32 = 127;

impl Bits {
    pub(super) fn ds(&self) -> Option<Draft> {
        let mut draft = self.draft(Family::Ds, self.field(0, 18, 8))?;
        let row = draft.row();
        draft.modifiers.gds = self.flag(0, 17);
        if row.has(Feature::TwoOffsets) {
            draft.modifiers.offset = self.field(0, 0, 8) as i32;
            draft.modifiers.offset1 = self.field(0, 8, 8) as u8;
        } else {
            draft.modifiers.offset = self.field(0, 0, 16) as i32;
        }
        if let Some(&kind) = row.writes.first() {
            let value = Self::vector_registers(self.field(1, 24, 8), kind.words(self.wave))?;
            let access = draft.destination_access();
            draft.push(Slot::Vdst, kind, value, access);
        }
        let mut data = [(Slot::Vdata, self.field(1, 8, 8)), (Slot::Data1, self.field(1, 16, 8))].into_iter();
        for &kind in row.reads {
            let (slot, number) = match kind {
                Kind::V32 => (Slot::Vaddr, self.field(1, 0, 8)),
                _ => data.next()?,
            };
            let value = Self::vector_registers(number, kind.words(self.wave))?;
            draft.push(slot, kind, value, Access::Read);
        }
        Some(draft)
    }

    pub(super) fn flat(&self) -> Option<Draft> {
        let family = match self.field(0, 14, 2) {
            0 => Family::Flat,
            1 => Family::Scratch,
            2 => Family::Global,
            _ => return None,
        };
        let mut draft = self.draft(family, self.field(0, 18, 7))?;
        let row = draft.row();
        let modifiers = &mut draft.modifiers;
        // Flat offsets have no sign, and one bit less.
        modifiers.offset = match family {
            Family::Flat if self.flag(0, 11) => return None,
            _ => (self.field(0, 0, 12) << 20) as i32 >> 20,
        };
        modifiers.dlc = self.flag(0, 12);
        modifiers.lds = self.flag(0, 13);
        modifiers.glc = self.flag(0, 16);
        modifiers.slc = self.flag(0, 17);
        // Data that goes to LDS goes through no register.
        let returns = (!row.has(Feature::Atomic) || modifiers.glc) && !modifiers.lds;
        if let Some(&kind) = row.writes.first().filter(|_| returns) {
            let value = Self::vector_registers(self.field(1, 24, 8), kind.words(self.wave))?;
            let access = draft.destination_access();
            draft.push(Slot::Vdst, kind, value, access);
        }
        let scalar = self.field(1, 16, 7);
        let (vector_words, scalar_words) = match (family, scalar) {
            (Family::Flat, _) => (2, 0),
            (Family::Global, NO_SADDR) => (if row.has(Feature::NoAddress) { 0 } else { 2 }, 0),
            (Family::Global, _) => (if row.has(Feature::NoAddress) { 0 } else { 1 }, 2),
            (_, NO_SADDR) => (1, 0),
            (_, NO_ADDRESS) => (0, 0),
            _ => (0, 1),
        };
        let address = match vector_words {
            0 => Value::Off,
            words => Self::vector_registers(self.field(1, 0, 8), words)?,
        };
        if !row.has(Feature::NoAddress) {
            draft.push(Slot::Vaddr, Kind::Address, address, Access::Read);
        }
        if let Some(&kind) = row.reads.first() {
            let value = Self::vector_registers(self.field(1, 8, 8), kind.words(self.wave))?;
            draft.push(Slot::Vdata, kind, value, Access::Read);
        }
        if family != Family::Flat {
            let base = match scalar_words {
                0 => Value::Off,
                words => Self::scalar_registers(scalar, words)?,
            };
            draft.push(Slot::Saddr, Kind::Address, base, Access::Read);
        }
        Some(draft)
    }

    pub(super) fn mubuf(&self) -> Option<Draft> {
        let mut draft = self.draft(Family::Mubuf, self.field(0, 18, 7) | self.field(0, 25, 1) << 7)?;
        draft.modifiers.lds = self.flag(0, 16);
        self.buffer(&mut draft)?;
        Some(draft)
    }

    pub(super) fn mtbuf(&self) -> Option<Draft> {
        let mut draft = self.draft(Family::Mtbuf, self.field(0, 16, 3) | self.field(1, 21, 1) << 3)?;
        draft.modifiers.format = self.field(0, 19, 7) as u8;
        self.buffer(&mut draft)?;
        Some(draft)
    }

    /// The fields that buffer accesses with and without a format share.
    fn buffer(&self, draft: &mut Draft) -> Option<()> {
        let row = draft.row();
        let modifiers = &mut draft.modifiers;
        modifiers.offset = self.field(0, 0, 12) as i32;
        modifiers.offen = self.flag(0, 12);
        modifiers.idxen = self.flag(0, 13);
        modifiers.glc = self.flag(0, 14);
        modifiers.dlc = self.flag(0, 15);
        modifiers.slc = self.flag(1, 22);
        modifiers.tfe = self.flag(1, 23);
        let modifiers = *modifiers;
        let Some(&kind) = row.reads.first().or(row.writes.first()) else { return Some(()) };
        let access = match (row.has(Feature::Atomic), row.writes.is_empty()) {
            (true, _) if modifiers.glc => Access::ReadWrite,
            (true, _) | (false, true) => Access::Read,
            (false, false) => draft.destination_access(),
        };
        // Data that goes to LDS goes through no register.
        if !modifiers.lds {
            let words = kind.words(self.wave) + u8::from(modifiers.tfe);
            let access = if modifiers.tfe && access == Access::Read { Access::ReadWrite } else { access };
            draft.push(Slot::Vdata, kind, Self::vector_registers(self.field(1, 8, 8), words)?, access);
        }
        let address = match u8::from(modifiers.offen) + u8::from(modifiers.idxen) {
            0 => Value::Off,
            words => Self::vector_registers(self.field(1, 0, 8), words)?,
        };
        draft.push(Slot::Vaddr, Kind::Address, address, Access::Read);
        let descriptor = Self::scalar_registers(self.field(1, 16, 5) << 2, 4)?;
        draft.push(Slot::Srsrc, Kind::Descriptor, descriptor, Access::Read);
        let code = self.field(1, 24, 8);
        if code == super::LITERAL {
            return None;
        }
        draft.push(Slot::Soffset, Kind::S32, self.source(code, Kind::S32)?, Access::Read);
        Some(())
    }

    pub(super) fn exp(&self) -> Option<Draft> {
        let mut draft = self.draft(Family::Exp, 0)?;
        let modifiers = &mut draft.modifiers;
        modifiers.enable = self.field(0, 0, 4) as u8;
        modifiers.compressed = self.flag(0, 10);
        modifiers.done = self.flag(0, 11);
        modifiers.valid_mask = self.flag(0, 12);
        let modifiers = *modifiers;
        draft.push(Slot::Target, Kind::ExportTarget, Value::Integer(self.field(0, 4, 6) as i32), Access::Read);
        for (index, slot) in [Slot::Src0, Slot::Src1, Slot::Src2, Slot::Src3].into_iter().enumerate() {
            // Halves come in pairs: the first register has components 0 and 1, the second 2 and 3.
            let register = if modifiers.compressed { index / 2 } else { index };
            let value = match modifiers.enable >> index & 1 {
                0 => Value::Off,
                _ => Self::vector_registers(self.field(1, 8 * register as u32, 8), 1)?,
            };
            draft.push(slot, Kind::V32, value, Access::Read);
        }
        Some(draft)
    }
}
