//! Sets of instructions: what control can still reach, what it can have come from, what lies between.

use fixedbitset::FixedBitSet;

use super::{BlockId, Cfg};

/// A set of instructions of one program, by index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InstructionSet(FixedBitSet);

impl InstructionSet {
    /// Whether an instruction is in it.
    pub fn contains(&self, instruction: usize) -> bool {
        self.0.contains(instruction)
    }

    /// Its instructions, by address.
    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.0.ones()
    }

    /// How many it has.
    pub fn len(&self) -> usize {
        self.0.count_ones(..)
    }

    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        self.0.is_clear()
    }

    /// Leaves those that are also in another set of the same program.
    pub fn intersect_with(&mut self, other: &Self) {
        self.0.intersect_with(&other.0);
    }
}

impl Cfg {
    /// Instructions that may be executed once control is at one of `points` (indices of instructions that are about to be
    /// executed, which are in the set themselves), by the ways that the graph shows.
    pub fn reachable_from(&self, points: &[usize]) -> InstructionSet {
        let mut set = FixedBitSet::with_capacity(self.instructions().len());
        let mut entered = FixedBitSet::with_capacity(self.blocks().len());
        let mut waiting = Vec::new();
        for &point in points.iter().filter(|&&point| point < self.instructions().len()) {
            let block = self.block_of(point);
            set.insert_range(point..self.block(block).instructions.end);
            waiting.extend(self.successors(block));
        }
        self.spread(&mut waiting, &mut entered, |block| self.successors(block));
        for block in entered.ones() {
            set.insert_range(self.blocks()[block].instructions.clone());
        }
        InstructionSet(set)
    }

    /// Instructions from which control may still come to the instruction `to` after they were executed, by the ways that the
    /// graph shows. `to` itself is one where it lies on a cycle.
    pub fn reaching(&self, to: usize) -> InstructionSet {
        let mut set = FixedBitSet::with_capacity(self.instructions().len());
        let mut entered = FixedBitSet::with_capacity(self.blocks().len());
        if to < self.instructions().len() {
            let block = self.block_of(to);
            set.insert_range(self.block(block).instructions.start..to);
            let mut waiting = self.predecessors(block).collect();
            self.spread(&mut waiting, &mut entered, |block| self.predecessors(block));
        }
        for block in entered.ones() {
            set.insert_range(self.blocks()[block].instructions.clone());
        }
        InstructionSet(set)
    }

    /// Instructions that are executed on some path from one of `points` to `to`, before `to` is: those reachable from a point
    /// and able to reach it. `points` are in it where a path leads from them; `to` only where it lies on a cycle.
    pub fn between(&self, points: &[usize], to: usize) -> InstructionSet {
        let mut set = self.reachable_from(points);
        set.intersect_with(&self.reaching(to));
        set
    }

    /// Takes in all blocks that `waiting` leads to.
    fn spread<I: Iterator<Item = BlockId>>(
        &self,
        waiting: &mut Vec<BlockId>,
        entered: &mut FixedBitSet,
        next: impl Fn(BlockId) -> I,
    ) {
        while let Some(block) = waiting.pop() {
            if !entered.put(block.index()) {
                waiting.extend(next(block));
            }
        }
    }
}
