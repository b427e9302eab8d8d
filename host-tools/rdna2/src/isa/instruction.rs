//! One instruction of a program.

use super::opcode::{Encoding, Feature, Implicit, Opcode};
use super::operand::{Kind, Operand, Slot, Special, Value};
use super::register::{Register, RegisterSet, Wave};

/// What a conditional branch looks at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Condition {
    /// SCC is 0.
    Scc0,
    /// SCC is 1.
    Scc1,
    /// VCC is 0.
    Vccz,
    /// VCC is not 0.
    Vccnz,
    /// EXEC is 0: no lane is active.
    Execz,
    /// EXEC is not 0.
    Execnz,
    /// A flag of the debugger.
    Debug,
    /// The subvector loop's state, which is in EXEC.
    Subvector,
}

/// Where control goes after an instruction. Targets are byte offsets in the program; one before its start wraps around, and so
/// lies outside as well.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Flow {
    /// To the next instruction.
    Next,
    /// To the target.
    Branch {
        /// Byte offset.
        target: u64,
    },
    /// To the target or to the next instruction.
    Conditional {
        /// Byte offset.
        target: u64,
        /// When it goes to the target.
        on: Condition,
    },
    /// To the target, with the address of the next instruction in the destination.
    Call {
        /// Byte offset.
        target: u64,
    },
    /// To an address in registers.
    Computed,
    /// The wave ends.
    End,
    /// Nobody knows: the instruction has no name here.
    Unknown,
}

/// Rearranged lanes of the first source.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Dpp {
    /// Within groups of eight lanes: three bits a lane, lane 0 lowest.
    Dpp8 {
        /// The eight lanes.
        lanes: u32,
        /// Inactive lanes are read as well.
        fetch_inactive: bool,
    },
    /// Within rows of sixteen lanes.
    Dpp16 {
        /// The pattern, 9 bits.
        control: u16,
        /// Rows written, a bit a row.
        row_mask: u8,
        /// Banks written, a bit a bank.
        bank_mask: u8,
        /// Lanes that read from outside read 0.
        bound_control: bool,
        /// Inactive lanes are read as well.
        fetch_inactive: bool,
    },
}

/// Sub-word operands of a vector instruction. Selections: 0 to 3 a byte, 4 and 5 a half, 6 the word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Sdwa {
    /// Part of the destination that is written.
    pub dst_select: u8,
    /// What becomes of the rest: 0 zero, 1 sign, 2 kept.
    pub dst_unused: u8,
    /// Part of the first source.
    pub src0_select: u8,
    /// The first source has a sign.
    pub src0_signed: bool,
    /// Part of the second source.
    pub src1_select: u8,
    /// The second source has a sign.
    pub src1_signed: bool,
}

/// Fields of an instruction that are no operands; 0, false or none where its encoding has no such field.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Modifiers {
    /// Byte offset of a memory access, with sign where the encoding has one. LDS accesses with two offsets: the first.
    pub offset: i32,
    /// The second offset of an LDS access, in its own units.
    pub offset1: u8,
    /// Globally coherent; of an atomic: it answers the old value.
    pub glc: bool,
    /// System-level coherent.
    pub slc: bool,
    /// Device-level coherent.
    pub dlc: bool,
    /// A word of fault status follows the data.
    pub tfe: bool,
    /// Warning when a level of detail is not resident.
    pub lwe: bool,
    /// Buffer: a VGPR holds a byte offset.
    pub offen: bool,
    /// Buffer: a VGPR holds an index.
    pub idxen: bool,
    /// Data goes to or comes from LDS.
    pub lds: bool,
    /// LDS access: it is to GDS.
    pub gds: bool,
    /// Buffer with format: the format, 7 bits.
    pub format: u8,
    /// Image: components, a bit each.
    pub dmask: u8,
    /// Image: its dimensionality, 0 to 7; 3 is a cube.
    pub dim: u8,
    /// Image: coordinates are not normalised.
    pub unorm: bool,
    /// Image: the descriptor has 4 words.
    pub r128: bool,
    /// Image: addresses are of 16 bits.
    pub a16: bool,
    /// Image: data are of 16 bits.
    pub d16: bool,
    /// Image: words of separate addresses after the first two, 0 to 3.
    pub nsa_words: u8,
    /// The result is clamped.
    pub clamp: bool,
    /// The result is scaled: 1 by 2, 2 by 4, 3 by a half.
    pub omod: u8,
    /// Upper halves of sources (bits 0 to 2) and of the destination (bit 3).
    pub op_sel: u8,
    /// Packed: halves of the sources for the upper result.
    pub op_sel_hi: u8,
    /// Packed: sources negated for the lower result.
    pub neg_lo: u8,
    /// Packed: sources negated for the upper result.
    pub neg_hi: u8,
    /// Rearranged lanes.
    pub dpp: Option<Dpp>,
    /// Sub-word operands.
    pub sdwa: Option<Sdwa>,
    /// Export: components, a bit each.
    pub enable: u8,
    /// Export: the last of its kind.
    pub done: bool,
    /// Export: halves, two to a register.
    pub compressed: bool,
    /// Export: the execution mask is the valid mask.
    pub valid_mask: bool,
    /// Interpolation: the attribute.
    pub attribute: u8,
    /// Interpolation: its component.
    pub channel: u8,
    /// Interpolation: the upper half of the attribute.
    pub high: bool,
}

/// An instruction at its place in a program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Instruction {
    /// Byte offset in the program.
    pub offset: u64,
    /// Its size in bytes, 4 to 20.
    pub size: u8,
    /// Width of the wave's masks it was decoded for.
    pub wave: Wave,
    /// How its bits are laid out; none where the first word belongs to no encoding.
    pub encoding: Option<Encoding>,
    /// Its operation; none for an instruction without a name in the table, whose operands, effects and flow are unknown.
    pub opcode: Option<Opcode>,
    /// Operands, destinations first, in the order of the syntax.
    pub operands: Vec<Operand>,
    /// All other fields.
    pub modifiers: Modifiers,
}

impl Instruction {
    /// The byte offset behind it.
    pub fn end(&self) -> u64 {
        self.offset + u64::from(self.size)
    }

    /// The first operand of a field.
    pub fn operand(&self, slot: Slot) -> Option<&Operand> {
        self.operands.iter().find(|operand| operand.slot == slot)
    }

    /// Operands that it writes.
    pub fn destinations(&self) -> impl Iterator<Item = &Operand> {
        self.operands.iter().filter(|operand| operand.is_written())
    }

    /// Operands that it reads.
    pub fn sources(&self) -> impl Iterator<Item = &Operand> {
        self.operands.iter().filter(|operand| operand.is_read())
    }

    /// Registers that it reads or may read, named or not. Where M0 picks the register, every register of its file. An instruction
    /// without a name: none are known.
    pub fn reads(&self) -> RegisterSet {
        let mut set = self.sources().flat_map(Operand::registers).collect::<RegisterSet>();
        for operand in self.sources() {
            match operand.value {
                Value::Special(Special::Vccz) => set.extend(Implicit::Vcc.registers(self.wave).iter().copied()),
                Value::Special(Special::Execz) => set.extend(Implicit::Exec.registers(self.wave).iter().copied()),
                Value::Special(Special::LdsDirect) => set.insert(Register::M0),
                _ => {}
            }
        }
        if let Some(opcode) = self.opcode {
            for implicit in opcode.row().implicit_reads {
                set.extend(implicit.registers(self.wave).iter().copied());
            }
            if self.is_vector() && !opcode.row().has(Feature::AllLanes) {
                set.extend(Implicit::Exec.registers(self.wave).iter().copied());
            }
            // M0 holds the limits of GDS, and where in LDS the data of a buffer access goes.
            if self.modifiers.gds || self.modifiers.lds {
                set.insert(Register::M0);
            }
        }
        set.extend(self.indirect(|opcode| opcode.row().implicit_reads));
        set.remove(Register::Null);
        set
    }

    /// Registers that it writes or may write, named or not; vector registers perhaps only in some lanes. Where M0 picks the
    /// register, every register of its file. An instruction without a name: none are known.
    pub fn writes(&self) -> RegisterSet {
        let mut set = self.destinations().flat_map(Operand::registers).collect::<RegisterSet>();
        if let Some(opcode) = self.opcode {
            for implicit in opcode.row().implicit_writes {
                set.extend(implicit.registers(self.wave).iter().copied());
            }
        }
        set.extend(self.indirect(|opcode| opcode.row().implicit_writes));
        set.remove(Register::Null);
        set
    }

    /// Every register of the file that M0 picks from, if the opcode is one of those.
    fn indirect(&self, implicit: impl Fn(Opcode) -> &'static [Implicit]) -> impl Iterator<Item = Register> {
        let indirect = self.opcode.is_some_and(|opcode| implicit(opcode).contains(&Implicit::Indirect));
        let file = if self.is_vector() { (Register::Vgpr(0), 256) } else { (Register::Sgpr(0), 106) };
        let count = if indirect { file.1 } else { 0 };
        (0..count).filter_map(move |number: u16| file.0.plus(number as u8))
    }

    /// Whether it works on lanes.
    fn is_vector(&self) -> bool {
        !matches!(
            self.encoding,
            Some(Encoding::Sop1 | Encoding::Sop2 | Encoding::Sopk | Encoding::Sopc | Encoding::Sopp | Encoding::Smem)
        )
    }

    /// Where control goes after it.
    pub fn flow(&self) -> Flow {
        let Some(opcode) = self.opcode else { return Flow::Unknown };
        let conditional = |on| Flow::Conditional { target: self.branch_target(), on };
        match opcode {
            Opcode::s_branch => Flow::Branch { target: self.branch_target() },
            Opcode::s_call_b64 => Flow::Call { target: self.branch_target() },
            Opcode::s_cbranch_scc0 => conditional(Condition::Scc0),
            Opcode::s_cbranch_scc1 => conditional(Condition::Scc1),
            Opcode::s_cbranch_vccz => conditional(Condition::Vccz),
            Opcode::s_cbranch_vccnz => conditional(Condition::Vccnz),
            Opcode::s_cbranch_execz => conditional(Condition::Execz),
            Opcode::s_cbranch_execnz => conditional(Condition::Execnz),
            Opcode::s_cbranch_cdbgsys
            | Opcode::s_cbranch_cdbguser
            | Opcode::s_cbranch_cdbgsys_or_user
            | Opcode::s_cbranch_cdbgsys_and_user => conditional(Condition::Debug),
            Opcode::s_subvector_loop_begin | Opcode::s_subvector_loop_end => conditional(Condition::Subvector),
            Opcode::s_setpc_b64 | Opcode::s_swappc_b64 | Opcode::s_rfe_b64 => Flow::Computed,
            Opcode::s_endpgm | Opcode::s_endpgm_saved | Opcode::s_endpgm_ordered_ps_done => Flow::End,
            _ => Flow::Next,
        }
    }

    /// The target of a direct branch, by its immediate.
    fn branch_target(&self) -> u64 {
        let words = self.operands.iter().find_map(|operand| match (operand.kind, operand.value) {
            (Kind::Target, Value::Integer(words)) => Some(i64::from(words)),
            _ => None,
        });
        self.end().wrapping_add_signed(4 * words.unwrap_or(0))
    }
}
