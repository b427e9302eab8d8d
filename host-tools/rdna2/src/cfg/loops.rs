//! Loops: blocks that control can run round, one within the other.
//!
//! Method: Havlak's nesting forest over the depth-first tree, from the innermost loop out, each loop drawn together into its head;
//! ways across the tree are put in where both their ends have come below (Ramalingam, "Identifying loops in almost linear time",
//! 1999). So each way is looked at once, however deep loops lie in one another.

use super::walk::{walk, Other, Sets, Walk, NONE};
use super::{BlockId, Cfg};

/// A loop.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Loop {
    /// The block that ways go back to.
    pub head: BlockId,
    /// The blocks they come from, by address.
    pub latches: Vec<BlockId>,
    /// The loop around it, by index into [`Loops::all`].
    pub outer: Option<usize>,
    /// Whether every way into it leads to its head.
    pub reducible: bool,
    /// Places of its own blocks and of those of the loops within it, in [`Loops::members`].
    members: (u32, u32),
}

/// The loops of a program. A loop is a head and the blocks that lie on a cycle with it on which it is first in [`Cfg::order`]; two
/// loops have no block in common, or one is within the other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Loops {
    all: Vec<Loop>,
    /// Blocks in loops, those of one loop side by side.
    members: Vec<BlockId>,
    /// Each block's place in `members`; `NONE` for one in no loop.
    place: Vec<u32>,
    /// The innermost loop of each block; `NONE` for one in no loop.
    innermost: Vec<u32>,
    steps: u64,
}

impl Loops {
    /// Every loop, by the address of its head; one for each of [`Cfg::heads`].
    pub fn all(&self) -> &[Loop] {
        &self.all
    }

    /// The innermost loop that a block is in, by index into [`Loops::all`].
    pub fn innermost(&self, block: BlockId) -> Option<usize> {
        Some(self.innermost[block.index()]).filter(|&number| number != NONE).map(|number| number as usize)
    }

    /// Whether a block is in a loop.
    pub fn contains(&self, one: &Loop, block: BlockId) -> bool {
        (one.members.0..one.members.1).contains(&self.place[block.index()])
    }

    /// The blocks of a loop, its head among them, by address.
    pub fn body(&self, one: &Loop) -> Vec<BlockId> {
        let mut body = self.members[one.members.0 as usize..one.members.1 as usize].to_vec();
        body.sort_unstable();
        body
    }

    /// How many blocks and ways were looked at to find them: what the work was, in numbers that no machine changes.
    pub fn steps(&self) -> u64 {
        self.steps
    }
}

impl Cfg {
    /// Every loop's head, by address: the blocks that a way goes back to ([`Cfg::goes_back`]). Every cycle passes one.
    pub fn heads(&self) -> Vec<BlockId> {
        self.block_ids().filter(|&block| self.is_head(block)).collect()
    }

    /// The loops among the reached blocks. Loops of one head are one loop.
    pub fn loops(&self) -> Loops {
        let mut forest = Forest::of(walk(self.blocks(), self.entry()));
        forest.draw_together();
        forest.loops(self.blocks().len())
    }
}

/// The search for loops; blocks by their numbers in the walk.
struct Forest {
    walk: Walk,
    /// Starts of the ways across that were put in, by the block that they lead to: of each the index into `links`.
    into: Vec<u32>,
    /// A start, and the next of the same list.
    links: Vec<(u32, u32)>,
    /// What a block was drawn into.
    drawn: Sets,
    /// The head of the innermost loop that a block is in, of a head: of the loop around its own.
    head_above: Vec<u32>,
    is_head: Vec<bool>,
    steps: u64,
}

impl Forest {
    fn of(mut walk: Walk) -> Self {
        let blocks = walk.blocks.len();
        walk.back.sort_unstable_by_key(|way| way.above);
        walk.across.sort_unstable_by_key(|way| way.above);
        Self {
            walk,
            into: vec![NONE; blocks],
            links: Vec::new(),
            drawn: Sets::new(blocks),
            head_above: vec![NONE; blocks],
            is_head: vec![false; blocks],
            steps: 0,
        }
    }

    /// From the last block to the first: each that ways go back to takes in what leads to them.
    fn draw_together(&mut self) {
        let (mut back, mut across) = (self.walk.back.len(), self.walk.across.len());
        // The head by which each block was last looked at.
        let mut seen = vec![NONE; self.walk.blocks.len()];
        let (mut waiting, mut body) = (Vec::new(), Vec::new());
        for head in (0..self.walk.blocks.len() as u32).rev() {
            self.steps += 1;
            while let Some(&Other { from, to, .. }) =
                across.checked_sub(1).map(|last| &self.walk.across[last]).filter(|way| way.above == head)
            {
                across -= 1;
                self.steps += 1;
                let (from, to) = (self.drawn.find(from), self.drawn.find(to));
                if from != to {
                    self.links.push((from, self.into[to as usize]));
                    self.into[to as usize] = self.links.len() as u32 - 1;
                }
            }
            seen[head as usize] = head;
            while let Some(&Other { from, .. }) =
                back.checked_sub(1).map(|last| &self.walk.back[last]).filter(|way| way.above == head)
            {
                back -= 1;
                self.steps += 1;
                self.is_head[head as usize] = true;
                let from = self.drawn.find(from);
                if std::mem::replace(&mut seen[from as usize], head) != head {
                    waiting.push(from);
                }
            }
            while let Some(block) = waiting.pop() {
                body.push(block);
                let mut link = self.into[block as usize];
                let mut from = self.walk.parent[block as usize];
                loop {
                    self.steps += 1;
                    from = self.drawn.find(from);
                    if std::mem::replace(&mut seen[from as usize], head) != head {
                        waiting.push(from);
                    }
                    if link == NONE {
                        break;
                    }
                    (from, link) = self.links[link as usize];
                }
            }
            for block in body.drain(..) {
                self.head_above[block as usize] = head;
                self.drawn.join(block, head);
            }
        }
    }

    /// Of each head, by number: whether a way leads into its loop past it.
    fn entered_past_heads(&self) -> Vec<bool> {
        // Of each loop the least number of a block from which, or from below which, a way leads into it past its head: such a way
        // comes from outside where that is above the head.
        let mut least = vec![NONE; self.walk.blocks.len()];
        for way in &self.walk.across {
            // A way to a head enters the loops around its own.
            let head = self.head_above[way.to as usize];
            if head != NONE {
                least[head as usize] = least[head as usize].min(way.above);
            }
        }
        for head in (0..least.len()).rev() {
            let outer = self.head_above[head];
            if self.is_head[head] && outer != NONE {
                least[outer as usize] = least[outer as usize].min(least[head]);
            }
        }
        least.iter().enumerate().map(|(head, &least)| (least as usize) < head).collect()
    }

    fn loops(mut self, blocks: usize) -> Loops {
        let count = self.walk.blocks.len();
        let entered = self.entered_past_heads();
        // How many blocks each loop has, those of the loops within it among them.
        let mut sizes = vec![0; count];
        for number in (0..count).rev() {
            sizes[number] += u32::from(self.is_head[number]);
            let head = self.head_above[number];
            if head != NONE {
                sizes[head as usize] += if self.is_head[number] { sizes[number] } else { 1 };
            }
        }
        let outermost = (0..count).filter(|&number| self.head_above[number] == NONE);
        let mut members = vec![self.walk.blocks[0]; outermost.map(|number| sizes[number] as usize).sum()];
        let (mut place, mut innermost) = (vec![NONE; blocks], vec![NONE; blocks]);
        let mut free = 0;
        // Where the next block of each loop goes, or the next loop within it: they stand in the walk's order, the head first.
        let mut next = vec![0; count];
        let mut all = Vec::new();
        for number in 0..count {
            let (block, outer) = (self.walk.blocks[number], self.head_above[number]);
            let size = if self.is_head[number] { sizes[number] } else { u32::from(outer != NONE) };
            if size == 0 {
                continue;
            }
            let at = if outer == NONE { &mut free } else { &mut next[outer as usize] };
            let first = *at;
            *at += size;
            members[first as usize] = block;
            place[block.index()] = first;
            if self.is_head[number] {
                next[number] = first + 1;
                all.push((
                    number,
                    Loop {
                        head: block,
                        latches: Vec::new(),
                        outer: None,
                        reducible: !entered[number],
                        members: (first, first + size),
                    },
                ));
            }
        }
        all.sort_unstable_by_key(|(_, one)| one.head);
        let mut index = vec![NONE; count];
        for (place, (number, _)) in all.iter().enumerate() {
            index[*number] = place as u32;
        }
        for number in 0..count {
            let own = if self.is_head[number] { number as u32 } else { self.head_above[number] };
            if own != NONE {
                innermost[self.walk.blocks[number].index()] = index[own as usize];
            }
        }
        for way in std::mem::take(&mut self.walk.back) {
            all[index[way.to as usize] as usize].1.latches.push(self.walk.blocks[way.from as usize]);
        }
        let all = all.into_iter().map(|(number, mut one)| {
            let outer = self.head_above[number];
            one.outer = (outer != NONE).then(|| index[outer as usize] as usize);
            one.latches.sort_unstable();
            one.latches.dedup();
            one
        });
        Loops { all: all.collect(), members, place, innermost, steps: self.steps }
    }
}
