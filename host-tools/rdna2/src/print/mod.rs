//! Instructions as text, in the syntax of LLVM's assembler: what `llvm-mc -disassemble` prints.

mod immediate;
mod names;
mod operand;

use std::fmt::{self, Write};

use crate::isa::{Dpp, Encoding, Family, Feature, Instruction, Kind, Modifiers, Opcode, Operand, Sdwa, Slot, Value};

impl fmt::Display for Instruction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(opcode) = self.opcode else {
            return match self.encoding {
                Some(encoding) => write!(f, "unknown {encoding:?} instruction"),
                None => f.write_str("unknown encoding"),
            };
        };
        f.write_str(opcode.name())?;
        f.write_str(self.suffix(opcode))?;
        match self.encoding {
            Some(Encoding::Exp) => self.export(f),
            Some(Encoding::Smem) => self.scalar_memory(f),
            _ => {
                self.operands(f)?;
                self.fields(f, opcode)
            }
        }
    }
}

/// Writes ` NAME` where a field is set.
fn flags(f: &mut fmt::Formatter<'_>, flags: &[(&str, bool)]) -> fmt::Result {
    flags.iter().filter(|(_, set)| *set).try_for_each(|(name, _)| write!(f, " {name}"))
}

/// Writes ` NAME:[a,b,...]`, a bit each, unless they are what they usually are.
fn bits(f: &mut fmt::Formatter<'_>, name: &str, bits: u8, count: usize, usual: u8) -> fmt::Result {
    let mask = (1 << count) - 1;
    if bits & mask == usual & mask {
        return Ok(());
    }
    write!(f, " {name}:[")?;
    for index in 0..count {
        let comma = if index == 0 { "" } else { "," };
        write!(f, "{comma}{}", bits >> index & 1)?;
    }
    f.write_char(']')
}

impl Instruction {
    /// What tells the encodings of a vector opcode apart.
    fn suffix(&self, opcode: Opcode) -> &'static str {
        if self.modifiers.sdwa.is_some() {
            return "_sdwa";
        }
        if self.modifiers.dpp.is_some() {
            return "_dpp";
        }
        let row = opcode.row();
        let bare = row.reads.is_empty() && row.writes.is_empty();
        let several = !row.has(Feature::Short) && !bare;
        match (opcode.family(), self.encoding) {
            (Family::Vop1 | Family::Vop2 | Family::Vopc | Family::Vintrp, Some(Encoding::Vop3)) => "_e64",
            (Family::Vop1 | Family::Vop2 | Family::Vopc, _) if several => "_e32",
            (Family::Vintrp, _) => "_e32",
            _ => "",
        }
    }

    /// The operands, after a space, with commas between them.
    fn operands(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Separate addresses are in brackets, and LLVM puts a second space where an image is sampled.
        let separate = self.modifiers.nsa_words > 0;
        let samples = self.operand(Slot::Ssamp).is_some();
        let mut first = true;
        let mut previous = None;
        for operand in &self.operands {
            if self.is_silent(operand) {
                continue;
            }
            let (before, within) = match (first, separate && previous == Some(Slot::Vaddr)) {
                (true, _) if separate && samples => ("  ", false),
                (true, _) => (" ", false),
                (false, within) => (", ", within),
            };
            let address = separate && operand.slot == Slot::Vaddr;
            if within && !address {
                f.write_char(']')?;
            }
            f.write_str(before)?;
            if address && !within {
                f.write_char('[')?;
            }
            operand::write(f, self, operand)?;
            first = false;
            previous = Some(operand.slot);
        }
        Ok(())
    }

    /// Operands that the syntax leaves out.
    fn is_silent(&self, operand: &Operand) -> bool {
        let zero = operand.value == Value::Integer(0);
        operand.kind == Kind::OptionalDecimal && zero
    }

    /// Fields that are no operands, in the order of each encoding's syntax.
    fn fields(&self, f: &mut fmt::Formatter<'_>, opcode: Opcode) -> fmt::Result {
        let m = &self.modifiers;
        let sources = self.sources().filter(|operand| is_source(operand)).count();
        match self.encoding {
            Some(Encoding::Vop1 | Encoding::Vop2 | Encoding::Vopc) => {
                if let Some(sdwa) = &m.sdwa {
                    result(f, m)?;
                    self.sub_words(f, sdwa, opcode, sources)?;
                }
                m.dpp.as_ref().map_or(Ok(()), |dpp| lanes(f, dpp))
            }
            Some(Encoding::Vop3) => {
                flags(f, &[("high", m.high)])?;
                if opcode.row().has(Feature::OpSel) {
                    let permutes = matches!(opcode, Opcode::v_permlane16_b32 | Opcode::v_permlanex16_b32);
                    // The destination's bit is the fourth, and comes right behind those of the sources.
                    let destination = m.op_sel >> 3 << sources;
                    let (selected, count) = match permutes {
                        true => (m.op_sel, 2),
                        false => (m.op_sel & ((1 << sources) - 1) | destination, sources + 1),
                    };
                    bits(f, "op_sel", selected, count, 0)?;
                }
                result(f, m)
            }
            Some(Encoding::Vop3p) => {
                let mixed = opcode.name().starts_with("v_fma_mix");
                bits(f, "op_sel", m.op_sel, sources, 0)?;
                bits(f, "op_sel_hi", m.op_sel_hi, sources, if mixed { 0 } else { 7 })?;
                bits(f, "neg_lo", m.neg_lo, sources, 0)?;
                bits(f, "neg_hi", m.neg_hi, sources, 0)?;
                flags(f, &[("clamp", m.clamp)])
            }
            Some(Encoding::Ds) => local(f, m, opcode),
            Some(Encoding::Flat) => {
                offset(f, m)?;
                flags(f, &[("glc", m.glc), ("slc", m.slc), ("dlc", m.dlc), ("lds", m.lds)])
            }
            Some(Encoding::Mubuf | Encoding::Mtbuf) if !self.operands.is_empty() => {
                if self.encoding == Some(Encoding::Mtbuf) {
                    names::format(f, m.format)?;
                }
                flags(f, &[("idxen", m.idxen), ("offen", m.offen)])?;
                offset(f, m)?;
                flags(f, &[("glc", m.glc), ("slc", m.slc), ("dlc", m.dlc), ("tfe", m.tfe), ("lds", m.lds)])
            }
            Some(Encoding::Mimg) => image(f, m, opcode),
            _ => Ok(()),
        }
    }

    fn sub_words(&self, f: &mut fmt::Formatter<'_>, sdwa: &Sdwa, opcode: Opcode, sources: usize) -> fmt::Result {
        const PARTS: [&str; 7] = ["BYTE_0", "BYTE_1", "BYTE_2", "BYTE_3", "WORD_0", "WORD_1", "DWORD"];
        const REST: [&str; 3] = ["PAD", "SEXT", "PRESERVE"];
        let part = |select: u8| PARTS.get(usize::from(select)).copied().unwrap_or("?");
        if opcode.family() != Family::Vopc {
            let rest = REST.get(usize::from(sdwa.dst_unused)).copied().unwrap_or("?");
            write!(f, " dst_sel:{} dst_unused:UNUSED_{rest}", part(sdwa.dst_select))?;
        }
        let selects = [("src0", sdwa.src0_select), ("src1", sdwa.src1_select)];
        selects.iter().take(sources).try_for_each(|(name, select)| write!(f, " {name}_sel:{}", part(*select)))
    }

    /// `TARGET a, b, c, d`, and what becomes of it.
    fn export(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_char(' ')?;
        for (index, operand) in self.operands.iter().enumerate() {
            f.write_str(match index {
                0 => "",
                1 => " ",
                _ => ", ",
            })?;
            operand::write(f, self, operand)?;
        }
        let m = &self.modifiers;
        flags(f, &[("done", m.done), ("compr", m.compressed), ("vm", m.valid_mask)])
    }

    /// Operands, and the offset as one of them.
    fn scalar_memory(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.operands(f)?;
        if self.operand(Slot::Sbase).is_some() {
            let m = &self.modifiers;
            let hex = |f: &mut fmt::Formatter<'_>, offset: i32| {
                let sign = if offset < 0 { "-" } else { "" };
                write!(f, "{sign}{:#x}", offset.unsigned_abs())
            };
            match (self.operand(Slot::Soffset).is_some(), m.offset) {
                (true, 0) => {}
                (true, offset) => {
                    f.write_str(" offset:")?;
                    hex(f, offset)?;
                }
                // LLVM reads an offset of 0 as the register NULL.
                (false, 0) => f.write_str(", null")?,
                (false, offset) => {
                    f.write_str(", ")?;
                    hex(f, offset)?;
                }
            }
            // A probe loads nothing.
            let loads = self.operand(Slot::Imm).is_none();
            flags(f, &[("glc", m.glc && loads), ("dlc", m.dlc && loads)])?;
        }
        Ok(())
    }
}

/// Whether an operand counts as one of an ALU instruction's sources.
fn is_source(operand: &Operand) -> bool {
    matches!(operand.slot, Slot::Src0 | Slot::Src1 | Slot::Src2) && operand.kind != Kind::Mask
}

fn result(f: &mut fmt::Formatter<'_>, m: &Modifiers) -> fmt::Result {
    flags(f, &[("clamp", m.clamp), ("mul:2", m.omod == 1), ("mul:4", m.omod == 2), ("div:2", m.omod == 3)])
}

fn offset(f: &mut fmt::Formatter<'_>, m: &Modifiers) -> fmt::Result {
    if m.offset == 0 {
        return Ok(());
    }
    write!(f, " offset:{}", m.offset)
}

fn lanes(f: &mut fmt::Formatter<'_>, dpp: &Dpp) -> fmt::Result {
    match *dpp {
        Dpp::Dpp8 { lanes, fetch_inactive } => {
            f.write_str(" dpp8:[")?;
            for lane in 0..8 {
                let comma = if lane == 0 { "" } else { "," };
                write!(f, "{comma}{}", lanes >> (3 * lane) & 7)?;
            }
            f.write_char(']')?;
            flags(f, &[("fi:1", fetch_inactive)])
        }
        Dpp::Dpp16 { control, row_mask, bank_mask, bound_control, fetch_inactive } => {
            let lane = control & 15;
            match control >> 4 {
                0x10 => write!(f, " row_shl:{lane}"),
                0x11 => write!(f, " row_shr:{lane}"),
                0x12 => write!(f, " row_ror:{lane}"),
                0x14 if lane == 0 => f.write_str(" row_mirror"),
                0x14 => f.write_str(" row_half_mirror"),
                0x15 => write!(f, " row_share:{lane}"),
                0x16 => write!(f, " row_xmask:{lane}"),
                _ => {
                    let of = |lane: u16| control >> (2 * lane) & 3;
                    write!(f, " quad_perm:[{},{},{},{}]", of(0), of(1), of(2), of(3))
                }
            }?;
            write!(f, " row_mask:{row_mask:#x} bank_mask:{bank_mask:#x}")?;
            flags(f, &[("bound_ctrl:1", bound_control), ("fi:1", fetch_inactive)])
        }
    }
}

fn local(f: &mut fmt::Formatter<'_>, m: &Modifiers, opcode: Opcode) -> fmt::Result {
    if opcode.row().has(Feature::TwoOffsets) {
        for (name, offset) in [("offset0", m.offset), ("offset1", i32::from(m.offset1))] {
            if offset != 0 {
                write!(f, " {name}:{offset}")?;
            }
        }
    } else if opcode.row().has(Feature::Swizzle) {
        names::swizzle(f, m.offset as u16)?;
    } else {
        offset(f, m)?;
    }
    flags(f, &[("gds", m.gds || opcode.row().has(Feature::GdsOnly))])
}

fn image(f: &mut fmt::Formatter<'_>, m: &Modifiers, opcode: Opcode) -> fmt::Result {
    // A ray's access has these fields at fixed values.
    if opcode.is_ray_test() {
        return flags(f, &[("a16", m.a16)]);
    }
    const DIMENSIONS: [&str; 8] = ["1D", "2D", "3D", "CUBE", "1D_ARRAY", "2D_ARRAY", "2D_MSAA", "2D_MSAA_ARRAY"];
    if m.dmask != 0 {
        write!(f, " dmask:{:#x}", m.dmask)?;
    }
    write!(f, " dim:SQ_RSRC_IMG_{}", DIMENSIONS[usize::from(m.dim & 7)])?;
    let access = [("unorm", m.unorm), ("glc", m.glc), ("slc", m.slc), ("dlc", m.dlc)];
    flags(f, &access)?;
    flags(f, &[("r128", m.r128), ("a16", m.a16), ("tfe", m.tfe), ("lwe", m.lwe), ("d16", m.d16)])
}
