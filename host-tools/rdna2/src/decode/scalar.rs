//! Scalar encodings: SOP1, SOP2, SOPC, SOPK, SOPP, SMEM.

use super::{Bits, Draft};
use crate::isa::{Access, Family, Implicit, Kind, Slot, Value};

impl Bits {
    fn scalar_destination(&self, draft: &mut Draft, code: u32) -> Option<()> {
        let row = draft.row();
        if let Some(&kind) = row.writes.first() {
            let value = Self::scalar_registers(code, kind.words(self.wave))?;
            // The named register of an indirect write is only where counting starts.
            let access = if row.implicit_writes.contains(&Implicit::Indirect) {
                Access::Write
            } else {
                draft.destination_access()
            };
            draft.push(Slot::Sdst, kind, value, access);
        }
        Some(())
    }

    fn scalar_source(&self, draft: &mut Draft, slot: Slot, code: u32, index: usize) -> Option<()> {
        if let Some(&kind) = draft.row().reads.get(index) {
            let value = self.source(code, kind)?;
            draft.push(slot, kind, value, Access::Read);
        }
        Some(())
    }

    pub(super) fn sop2(&self) -> Option<Draft> {
        let mut draft = self.draft(Family::Sop2, self.field(0, 23, 7))?;
        self.scalar_destination(&mut draft, self.field(0, 16, 7))?;
        self.scalar_source(&mut draft, Slot::Src0, self.field(0, 0, 8), 0)?;
        self.scalar_source(&mut draft, Slot::Src1, self.field(0, 8, 8), 1)?;
        Some(draft)
    }

    pub(super) fn sop1(&self) -> Option<Draft> {
        let mut draft = self.draft(Family::Sop1, self.field(0, 8, 8))?;
        self.scalar_destination(&mut draft, self.field(0, 16, 7))?;
        self.scalar_source(&mut draft, Slot::Src0, self.field(0, 0, 8), 0)?;
        Some(draft)
    }

    pub(super) fn sopc(&self) -> Option<Draft> {
        let mut draft = self.draft(Family::Sopc, self.field(0, 16, 7))?;
        self.scalar_source(&mut draft, Slot::Src0, self.field(0, 0, 8), 0)?;
        self.scalar_source(&mut draft, Slot::Src1, self.field(0, 8, 8), 1)?;
        Some(draft)
    }

    pub(super) fn sopk(&self) -> Option<Draft> {
        let mut draft = self.draft(Family::Sopk, self.field(0, 23, 5))?;
        let register = self.field(0, 16, 7);
        self.scalar_destination(&mut draft, register)?;
        for &kind in draft.row().reads {
            match kind {
                Kind::B32 => {
                    let value = Self::scalar_registers(register, 1)?;
                    draft.push(Slot::Src0, kind, value, Access::Read);
                }
                Kind::Imm32 => draft.push(Slot::Imm, kind, Value::Literal(self.literal()), Access::Read),
                _ => draft.push(Slot::Imm, kind, self.immediate(kind), Access::Read),
            }
        }
        Some(draft)
    }

    pub(super) fn sopp(&self) -> Option<Draft> {
        let mut draft = self.draft(Family::Sopp, self.field(0, 16, 7))?;
        for &kind in draft.row().reads {
            draft.push(Slot::Imm, kind, self.immediate(kind), Access::Read);
        }
        Some(draft)
    }

    /// The 16 bits of SOPK and SOPP: a branch's words have a sign, other numbers are shown without.
    fn immediate(&self, kind: Kind) -> Value {
        let bits = self.field(0, 0, 16) as u16;
        Value::Integer(match kind {
            Kind::Target => i32::from(bits as i16),
            _ => i32::from(bits),
        })
    }

    pub(super) fn smem(&self) -> Option<Draft> {
        let mut draft = self.draft(Family::Smem, self.field(0, 18, 8))?;
        let data = self.field(0, 6, 7);
        self.scalar_destination(&mut draft, data)?;
        draft.modifiers.glc = self.flag(0, 16);
        draft.modifiers.dlc = self.flag(0, 14);
        if draft.row().reads.is_empty() {
            return Some(draft);
        }
        for &kind in draft.row().reads {
            match kind {
                Kind::Immediate => draft.push(Slot::Imm, kind, Value::Integer(data as i32), Access::Read),
                _ => {
                    let base = Self::scalar_registers(self.field(0, 0, 6) << 1, kind.words(self.wave))?;
                    draft.push(Slot::Sbase, kind, base, Access::Read);
                }
            }
        }
        match self.field(1, 25, 7) {
            // The offset register is NULL: there is none.
            125 => {}
            code => {
                let value = Self::scalar_registers(code, 1)?;
                draft.push(Slot::Soffset, Kind::B32, value, Access::Read);
            }
        }
        draft.modifiers.offset = (self.field(1, 0, 21) << 11) as i32 >> 11;
        Some(draft)
    }
}
