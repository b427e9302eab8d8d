//! Vector ALU encodings: VOP1, VOP2, VOPC, VOP3, VOP3P, VINTRP; with sub-word operands (SDWA) or rearranged lanes (DPP).

use super::{Bits, Draft};
use crate::isa::{
    Access, Dpp, Encoding, Family, Feature, Kind, Modifiers, Opcode, Operand, Register, RegisterRange, Sdwa, Slot,
    SourceModifiers, Value,
};

/// First source of an instruction with sub-word operands.
pub(super) const SDWA: u32 = 249;
/// First source of an instruction with lanes rearranged in rows of 16.
pub(super) const DPP16: u32 = 250;
/// First source of an instruction with lanes rearranged in groups of 8; inactive lanes are not read.
pub(super) const DPP8: u32 = 233;
/// The same; inactive lanes are read.
pub(super) const DPP8_FETCH_INACTIVE: u32 = 234;
/// Source code of the first vector register.
const VECTOR: u32 = 256;

/// Slots of the sources, in order.
const SOURCES: [Slot; 3] = [Slot::Src0, Slot::Src1, Slot::Src2];

/// Numbers in the long encoding from which the short ones' count.
const LONG: [(Family, u32, u32); 4] = [
    (Family::Vopc, 0, 0x100),
    (Family::Vop2, 0x100, 0x140),
    (Family::Vop1, 0x180, 0x200),
    (Family::Vintrp, 0x200, 0x204),
];

/// Whether a source can be negated, or its magnitude taken: that of a floating-point operation can, but for the exponent of one.
fn takes_signs(opcode: Opcode, operand: &Operand) -> bool {
    let exponent = opcode == Opcode::v_ldexp_f16 && operand.slot == Slot::Src1;
    matches!(operand.kind, Kind::F16 | Kind::F32 | Kind::F64) && !exponent
}

impl Bits {
    pub(super) fn vop1(&self) -> Option<Draft> {
        self.short(Family::Vop1, self.field(0, 9, 8))
    }

    pub(super) fn vop2(&self) -> Option<Draft> {
        self.short(Family::Vop2, self.field(0, 25, 6))
    }

    pub(super) fn vopc(&self) -> Option<Draft> {
        self.short(Family::Vopc, self.field(0, 17, 8))
    }

    /// An instruction of one word, and perhaps one with its literal, sub-words or lanes.
    fn short(&self, family: Family, number: u32) -> Option<Draft> {
        let mut draft = self.draft(family, number)?;
        let code = self.field(0, 0, 9);
        let row = draft.row();
        let special = match code {
            SDWA => !row.has(Feature::NoSdwa) && !row.has(Feature::Short) && !row.is_wide(),
            DPP16 | DPP8 | DPP8_FETCH_INACTIVE => {
                let never = row.has(Feature::NoDpp) || (row.has(Feature::Short) && !row.has(Feature::Dpp));
                family != Family::Vopc && !never && !row.is_wide()
            }
            _ => true,
        };
        if !special {
            return None;
        }
        match code {
            SDWA => self.sub_words(&mut draft)?,
            DPP16 => {
                let control = self.field(1, 8, 9) as u16;
                if !matches!(control, 0..=0xff | 0x101..=0x10f | 0x111..=0x11f | 0x121..=0x12f | 0x140 | 0x141 | 0x150..=0x16f)
                {
                    return None;
                }
                draft.modifiers.dpp = Some(Dpp::Dpp16 {
                    control,
                    row_mask: self.field(1, 28, 4) as u8,
                    bank_mask: self.field(1, 24, 4) as u8,
                    bound_control: self.flag(1, 19),
                    fetch_inactive: self.flag(1, 18),
                });
            }
            DPP8 | DPP8_FETCH_INACTIVE => {
                draft.modifiers.dpp =
                    Some(Dpp::Dpp8 { lanes: self.field(1, 8, 24), fetch_inactive: code == DPP8_FETCH_INACTIVE });
            }
            _ => {}
        }
        self.short_destinations(&mut draft, code)?;
        self.short_sources(&mut draft, code)?;
        Some(draft)
    }

    /// The fields of the word for sub-word operands that are no operands.
    fn sub_words(&self, draft: &mut Draft) -> Option<()> {
        let mut sdwa = Sdwa {
            dst_select: 6,
            dst_unused: 0,
            src0_select: self.field(1, 16, 3) as u8,
            src0_signed: self.flag(1, 19),
            src1_select: self.field(1, 24, 3) as u8,
            src1_signed: self.flag(1, 27),
        };
        if self.encoding != Some(Encoding::Vopc) {
            sdwa.dst_select = self.field(1, 8, 3) as u8;
            sdwa.dst_unused = self.field(1, 11, 2) as u8;
            draft.modifiers.clamp = self.flag(1, 13);
            draft.modifiers.omod = self.field(1, 14, 2) as u8;
        }
        draft.modifiers.sdwa = Some(sdwa);
        if draft.modifiers.omod != 0 && !draft.row().has(Feature::Omod) {
            return None;
        }
        // 7 selects nothing, and 3 is no way to treat the rest.
        let selects = [sdwa.dst_select, sdwa.src0_select, sdwa.src1_select];
        (selects.iter().all(|&select| select < 7) && sdwa.dst_unused < 3).then_some(())
    }

    /// The mask of the short forms, VCC.
    fn vcc(&self) -> Value {
        Value::Registers(RegisterRange { first: Register::VccLo, words: self.wave.mask_words() })
    }

    fn short_destinations(&self, draft: &mut Draft, code: u32) -> Option<()> {
        let number = self.field(0, 17, 8);
        // A part of the register stays: of sub-words, of lanes that read nothing, and above a 16-bit result.
        let kept = match (draft.modifiers.sdwa, draft.modifiers.dpp) {
            (Some(sdwa), _) => sdwa.dst_unused == 2 && sdwa.dst_select < 6,
            (None, dpp) => dpp.is_some(),
        };
        let mut first = true;
        for &kind in draft.row().writes {
            let (slot, value) = match kind {
                // A compare with sub-word operands may name any mask; all others write VCC.
                Kind::Mask if code == SDWA && self.encoding == Some(Encoding::Vopc) && self.flag(1, 15) => {
                    (Slot::Sdst, Self::scalar_registers(self.field(1, 8, 7), self.wave.mask_words())?)
                }
                Kind::Mask => (Slot::Sdst, self.vcc()),
                Kind::S32 => (Slot::Sdst, Self::scalar_registers(number, 1)?),
                // The second of the two registers that a swap writes.
                Kind::V32 if !first => (Slot::Src0, self.source(code, kind)?),
                _ => (Slot::Vdst, Self::vector_registers(number, kind.words(self.wave))?),
            };
            let access = match (slot, kind) {
                (Slot::Sdst, _) => Access::Write,
                (_, Kind::V32) => Access::ReadWrite,
                _ if kept => Access::ReadWrite,
                _ => draft.destination_access(),
            };
            draft.push(slot, kind, value, access);
            first = false;
        }
        Some(())
    }

    fn short_sources(&self, draft: &mut Draft, code: u32) -> Option<()> {
        let vector = self.field(0, 9, 8);
        // Scalar registers and constants have codes of their own, vector registers only their numbers.
        let sub_word = |number: u32, scalar: bool| if scalar { number } else { VECTOR + number };
        let first = match code {
            SDWA => sub_word(self.field(1, 0, 8), self.flag(1, 23)),
            DPP16 | DPP8 | DPP8_FETCH_INACTIVE => VECTOR + self.field(1, 0, 8),
            _ => code,
        };
        let second = if code == SDWA { sub_word(vector, self.flag(1, 31)) } else { VECTOR + vector };
        if code == SDWA && [first, second].contains(&super::LITERAL) {
            return None;
        }
        let mut sources = [(Slot::Src0, first), (Slot::Src1, second)].into_iter();
        for &kind in draft.row().reads {
            match kind {
                Kind::Imm32 | Kind::Imm16 => {
                    draft.push(Slot::Imm, kind, Value::Literal(self.literal()), Access::Read);
                }
                Kind::Mask => draft.push(Slot::Src2, kind, self.vcc(), Access::Read),
                _ => {
                    let (slot, code) = sources.next()?;
                    let value = self.source(code, kind)?;
                    draft.push(slot, kind, value, Access::Read);
                }
            }
        }
        if code == SDWA || code == DPP16 {
            // Sub-words have room for a sign between the two.
            let second = if code == SDWA { 28 } else { 22 };
            let opcode = draft.opcode;
            for operand in &mut draft.operands {
                let bit = match operand.slot {
                    Slot::Src0 => 20,
                    Slot::Src1 => second,
                    _ => continue,
                };
                operand.modifiers = SourceModifiers { neg: self.flag(1, bit), abs: self.flag(1, bit + 1) };
                if operand.modifiers != SourceModifiers::default() && !takes_signs(opcode, operand) {
                    return None;
                }
                let signed = draft.modifiers.sdwa.is_some_and(|sdwa| match operand.slot {
                    Slot::Src0 => sdwa.src0_signed,
                    _ => sdwa.src1_signed,
                });
                if signed && takes_signs(opcode, operand) {
                    return None;
                }
            }
        }
        Some(())
    }

    pub(super) fn vop3(&self) -> Option<Draft> {
        let number = self.field(0, 16, 10);
        let short = LONG.iter().find(|(_, start, end)| (*start..*end).contains(&number));
        let (family, number) = short.map_or((Family::Vop3, number), |(family, start, _)| (*family, number - start));
        let mut draft = self.draft(family, number)?;
        if draft.row().has(Feature::Short) {
            return None;
        }
        let carries = family != Family::Vopc && draft.row().writes.contains(&Kind::Mask);
        let abs = if carries { 0 } else { self.field(0, 8, 3) };
        draft.modifiers.clamp = self.flag(0, 15);
        draft.modifiers.omod = self.field(1, 27, 2) as u8;
        if draft.row().has(Feature::OpSel) {
            draft.modifiers.op_sel = self.field(0, 11, 4) as u8;
        }
        let Modifiers { clamp, omod, .. } = draft.modifiers;
        if (clamp && !draft.row().has(Feature::Clamp)) || (omod != 0 && !draft.row().has(Feature::Omod)) {
            return None;
        }
        let number = self.field(0, 0, 8);
        for &kind in draft.row().writes {
            let (slot, value) = match kind {
                Kind::Mask => {
                    let code = if carries { self.field(0, 8, 7) } else { number };
                    (Slot::Sdst, Self::scalar_registers(code, self.wave.mask_words())?)
                }
                Kind::S32 => (Slot::Sdst, Self::scalar_registers(number, 1)?),
                _ => (Slot::Vdst, Self::vector_registers(number, kind.words(self.wave))?),
            };
            let access = if slot == Slot::Sdst { Access::Write } else { draft.destination_access() };
            draft.push(slot, kind, value, access);
        }
        self.long_sources(&mut draft, abs, self.field(1, 29, 3))?;
        Some(draft)
    }

    /// Sources of the long encoding, with their magnitudes and negations, a bit each.
    fn long_sources(&self, draft: &mut Draft, abs: u32, neg: u32) -> Option<()> {
        let codes = [self.field(1, 0, 9), self.field(1, 9, 9), self.field(1, 18, 9)];
        let opcode = draft.opcode;
        let interpolates = draft.row().reads.contains(&Kind::Attribute);
        // An attribute takes the place of the first source, and the registers follow.
        let mut next = usize::from(interpolates);
        for &kind in draft.row().reads {
            if kind == Kind::Attribute {
                draft.modifiers.attribute = self.field(1, 0, 6) as u8;
                draft.modifiers.channel = self.field(1, 6, 2) as u8;
                draft.modifiers.high = self.flag(1, 8);
                let attribute = i32::from(draft.modifiers.attribute);
                draft.push(Slot::Imm, kind, Value::Integer(attribute), Access::Read);
                continue;
            }
            let code = *codes.get(next)?;
            let value = match kind {
                Kind::Parameter => Value::Integer(code as i32),
                Kind::Mask => Self::scalar_registers(code, self.wave.mask_words())?,
                _ if interpolates && code < VECTOR => return None,
                _ => self.source(code, kind)?,
            };
            draft.push(SOURCES[next], kind, value, Access::Read);
            if let Some(operand) = draft.operands.last_mut() {
                let bits = SourceModifiers { neg: neg >> next & 1 != 0, abs: abs >> next & 1 != 0 };
                if bits != SourceModifiers::default() && !takes_signs(opcode, operand) {
                    return None;
                }
                operand.modifiers = bits;
            }
            next += 1;
        }
        Some(())
    }

    pub(super) fn vop3p(&self) -> Option<Draft> {
        let mut draft = self.draft(Family::Vop3p, self.field(0, 16, 7))?;
        draft.modifiers.clamp = self.flag(0, 15);
        draft.modifiers.op_sel = self.field(0, 11, 3) as u8;
        draft.modifiers.op_sel_hi = (self.field(1, 27, 2) | self.field(0, 14, 1) << 2) as u8;
        draft.modifiers.neg_hi = self.field(0, 8, 3) as u8;
        draft.modifiers.neg_lo = self.field(1, 29, 3) as u8;
        let access = draft.destination_access();
        draft.push(Slot::Vdst, Kind::B32, Self::vector_registers(self.field(0, 0, 8), 1)?, access);
        // In a mixed multiply-add the bits for the upper halves are magnitudes, those for the lower negations.
        let mixed = matches!(draft.opcode, Opcode::v_fma_mix_f32 | Opcode::v_fma_mixlo_f16 | Opcode::v_fma_mixhi_f16);
        if mixed {
            let (abs, neg) = (draft.modifiers.neg_hi, draft.modifiers.neg_lo);
            (draft.modifiers.neg_hi, draft.modifiers.neg_lo) = (0, 0);
            self.long_sources(&mut draft, abs.into(), neg.into())?;
        } else {
            self.long_sources(&mut draft, 0, 0)?;
        }
        Some(draft)
    }

    pub(super) fn vintrp(&self) -> Option<Draft> {
        let mut draft = self.draft(Family::Vintrp, self.field(0, 16, 2))?;
        let access = draft.destination_access();
        draft.push(Slot::Vdst, Kind::B32, Self::vector_registers(self.field(0, 18, 8), 1)?, access);
        for &kind in draft.row().reads {
            match kind {
                Kind::Attribute => {
                    draft.modifiers.attribute = self.field(0, 10, 6) as u8;
                    draft.modifiers.channel = self.field(0, 8, 2) as u8;
                    let attribute = i32::from(draft.modifiers.attribute);
                    draft.push(Slot::Imm, kind, Value::Integer(attribute), Access::Read);
                }
                Kind::Parameter => {
                    draft.push(Slot::Src0, kind, Value::Integer(self.field(0, 0, 8) as i32), Access::Read);
                }
                _ => {
                    let value = Self::vector_registers(self.field(0, 0, 8), 1)?;
                    draft.push(Slot::Src0, kind, value, Access::Read);
                }
            }
        }
        Some(draft)
    }
}
