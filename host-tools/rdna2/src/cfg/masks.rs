//! Execution masks: code that is skipped where no lane is active.
//!
//! ```text
//!      s_and_saveexec_b64 s[0:1], vcc      saved: the mask as it was
//!      s_cbranch_execz JOIN                the branch
//!      ...                                 body: blocks that only the way not skipped leads to
//!  JOIN:
//!      s_or_b64 exec, exec, s[0:1]         restored
//! ```

use std::collections::BTreeSet;

use super::{BlockId, Cfg, Dominance, Exit, Target};
use crate::isa::{Condition, Instruction, Opcode, Register, RegisterRange, Slot};

/// Where a mask was put away before some of its lanes were switched off.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct SavedMask {
    /// The instruction, by index.
    pub at: usize,
    /// The registers it was put into.
    pub registers: RegisterRange,
}

/// Code behind a branch that skips it where EXEC is 0.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MaskRegion {
    /// The branch, by index.
    pub branch: usize,
    /// The mask saved before it in its block, where one was.
    pub saved: Option<SavedMask>,
    /// Blocks that every path enters through the way not skipped, up to `join`; by address. None where that way's block is
    /// entered from elsewhere too.
    pub body: Vec<BlockId>,
    /// The block that the skip leads to.
    pub join: Option<BlockId>,
    /// The first instruction there that writes EXEC, by index.
    pub restored: Option<usize>,
}

impl Cfg {
    /// The regions behind the branches on EXEC of the reached blocks, by address.
    pub fn mask_regions(&self, dominance: &Dominance) -> Vec<MaskRegion> {
        let reached = self.block_ids().filter(|&block| self.is_reached(block));
        reached.filter_map(|block| self.mask_region(block, dominance)).collect()
    }

    fn mask_region(&self, block: BlockId, dominance: &Dominance) -> Option<MaskRegion> {
        let (run, skip) = match self.block(block).exit {
            Exit::Branches { on: Condition::Execz, taken, next } => (next, taken),
            Exit::Branches { on: Condition::Execnz, taken, next } => (taken, next),
            _ => return None,
        };
        let known = |target| match target {
            Target::Block(block) => Some(block),
            Target::Stray(_) => None,
        };
        let join = known(skip);
        Some(MaskRegion {
            branch: self.block(block).instructions.end - 1,
            saved: self.saved_mask(block),
            body: known(run).map_or_else(Vec::new, |first| self.body(block, first, join, dominance)),
            join,
            restored: join.and_then(|join| {
                self.block(join).instructions.clone().find(|&index| writes_exec(&self.instructions()[index]))
            }),
        })
    }

    /// Blocks that `first`, entered from `branch` alone, dominates and leads to without passing `join`.
    fn body(&self, branch: BlockId, first: BlockId, join: Option<BlockId>, dominance: &Dominance) -> Vec<BlockId> {
        let alone = self.predecessors(first).all(|from| from == branch || dominance.dominates(first, from));
        if !alone || Some(first) == join || dominance.immediate(first) != Some(branch) {
            return Vec::new();
        }
        let mut body = BTreeSet::new();
        let mut waiting = vec![first];
        while let Some(block) = waiting.pop() {
            if Some(block) != join && dominance.dominates(first, block) && body.insert(block) {
                waiting.extend(self.successors(block));
            }
        }
        body.into_iter().collect()
    }

    /// The mask saved by the last write of EXEC in a block, or by a move right before compares that write EXEC.
    fn saved_mask(&self, block: BlockId) -> Option<SavedMask> {
        let mut compared = false;
        for at in self.block(block).instructions.clone().rev() {
            let instruction = &self.instructions()[at];
            let name = instruction.opcode.map_or("", Opcode::name);
            let moves = name == "s_mov_b32" || name == "s_mov_b64";
            let from_exec = instruction.operand(Slot::Src0).and_then(|source| source.range());
            let saves = name.contains("saveexec")
                || (compared && moves && from_exec.is_some_and(|range| range.first == Register::ExecLo));
            if saves {
                let registers = instruction.operand(Slot::Sdst)?.range()?;
                return Some(SavedMask { at, registers });
            }
            if writes_exec(instruction) {
                if !name.starts_with("v_cmpx") {
                    return None;
                }
                compared = true;
            }
        }
        None
    }
}

fn writes_exec(instruction: &Instruction) -> bool {
    let writes = instruction.writes();
    writes.contains(Register::ExecLo) || writes.contains(Register::ExecHi)
}
