//! Scalar instructions other than loads.

use super::Machine;
use crate::isa::{Slot, Value};
use crate::wave::operation::{Operation, Width};
use crate::wave::word::{Bits, Word};
use crate::{Instruction, Register};

impl Machine<'_> {
    /// Executes a scalar instruction; none if what it writes is not computed here.
    pub(super) fn scalar(&mut self, instruction: &Instruction, name: &str) -> Option<()> {
        match name {
            "s_getpc_b64" => {
                let address = self.address_of(instruction.end());
                self.write_scalars(instruction.operand(Slot::Sdst)?, address);
                return Some(());
            }
            "s_setreg_b32" | "s_setreg_imm32_b32" | "s_round_mode" | "s_denorm_mode" => {
                self.state.modes_changed = true;
                return Some(());
            }
            _ => {}
        }
        if let Some(rest) = name.strip_prefix("s_").filter(|_| instruction.operand(Slot::Imm).is_some()) {
            return self.with_immediate(instruction, rest);
        }
        let operation = Operation::named(name)?;
        let first = self.scalar_source(instruction.operand(Slot::Src0)?);
        let is_mask = name.contains("_saveexec_") || name.contains("_wrexec_");
        let wide = operation.result() == Some(Width::W64);
        let second = if is_mask {
            let high = if wide { self.state.scalar(Register::ExecHi) } else { Word::of(0) };
            Bits::pair(self.state.scalar(Register::ExecLo), high)
        } else {
            // An instruction with one source field whose operation has two changes its destination.
            let field = instruction.operand(Slot::Src1).or_else(|| instruction.operand(Slot::Sdst));
            field.map_or(Bits::UNKNOWN, |operand| self.scalar_source(operand))
        };
        let output = operation.apply([first, second, Bits::of(0)], self.state.scc());
        if is_mask {
            let kept = if name.contains("_saveexec_") { second } else { output.value };
            self.write_scalars(instruction.operand(Slot::Sdst)?, kept);
            self.write_scalar(Register::ExecLo, output.value.word(0));
            if wide {
                self.write_scalar(Register::ExecHi, output.value.word(1));
            }
        } else if operation.result().is_some() {
            self.write_scalars(instruction.operand(Slot::Sdst)?, output.value);
        }
        if operation.has_flag() {
            self.write_scc(output.flag);
        }
        Some(())
    }

    /// SOPK: an operation of the register and a constant of 16 bits.
    fn with_immediate(&mut self, instruction: &Instruction, name: &str) -> Option<()> {
        let Value::Integer(number) = instruction.operand(Slot::Imm)?.value else { return None };
        let signed = Bits::of(u64::from(i32::from(number as i16) as u32));
        let unsigned = Bits::of(u64::from(number as u16));
        let register = |slot| instruction.operand(slot).map(|operand| self.scalar_source(operand));
        let (name, sources) = match name {
            "movk_i32" => ("s_mov_b32".to_owned(), [signed, Bits::of(0)]),
            "cmovk_i32" => ("s_cmov_b32".to_owned(), [signed, register(Slot::Sdst)?]),
            "addk_i32" => ("s_add_i32".to_owned(), [register(Slot::Sdst)?, signed]),
            "mulk_i32" => ("s_mul_i32".to_owned(), [register(Slot::Sdst)?, signed]),
            _ => {
                let comparison = name.strip_prefix("cmpk_")?;
                let constant = if comparison.ends_with("_u32") { unsigned } else { signed };
                (format!("s_cmp_{comparison}"), [register(Slot::Src0)?, constant])
            }
        };
        let operation = Operation::named(&name)?;
        let output = operation.apply([sources[0], sources[1], Bits::of(0)], self.state.scc());
        if operation.result().is_some() {
            self.write_scalars(instruction.operand(Slot::Sdst)?, output.value);
        }
        if operation.has_flag() {
            self.write_scc(output.flag);
        }
        Some(())
    }
}
