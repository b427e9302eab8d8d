//! The depth-first walk over the blocks that the entry reaches: the order of a graph, and the tree that its loops are found by.

use super::{Block, BlockId, Exit, Target};

/// No block.
pub(super) const NONE: u32 = u32::MAX;

/// A way that is not of the tree, by the preorder numbers of its blocks.
#[derive(Debug, Clone, Copy)]
pub(super) struct Other {
    /// The nearest block above both its ends in the tree: where they are the same, or the way leads downward, the first.
    pub(super) above: u32,
    pub(super) from: u32,
    pub(super) to: u32,
}

/// A walk. Blocks are numbered in the order in which they are met, the entry 0: those below one in the tree follow it.
#[derive(Debug, Default)]
pub(super) struct Walk {
    /// Blocks by number.
    pub(super) blocks: Vec<BlockId>,
    /// The number of the block above, by number; the entry's is its own.
    pub(super) parent: Vec<u32>,
    /// Ways to a block that the walk had left already, by where they meet.
    pub(super) across: Vec<Other>,
    /// Ways to a block that the walk was still in: those that go back.
    pub(super) back: Vec<Other>,
}

/// The blocks that control goes to from a block, first those that the walk looks at first.
pub(super) fn targets(exit: Exit) -> impl Iterator<Item = BlockId> {
    let (first, second) = match exit {
        Exit::Ends | Exit::Computed => (None, None),
        Exit::Next(target) | Exit::Jumps(target) | Exit::Calls(target) => (Some(target), None),
        Exit::Branches { taken, next, .. } => (Some(next), Some(taken)),
    };
    [first, second].into_iter().flatten().filter_map(|target| match target {
        Target::Block(block) => Some(block),
        Target::Stray(_) => None,
    })
}

/// What a walk comes to.
enum Event {
    /// A block for the first time, from another; the entry from itself.
    Meets { from: BlockId, block: BlockId },
    /// A way to a block that was met.
    Way { from: BlockId, to: BlockId },
    /// All ways from a block were looked at.
    Leaves(BlockId),
}

/// Walks over the blocks that the entry reaches, depth first.
fn visit(blocks: &[Block], entry: BlockId, mut see: impl FnMut(Event)) {
    let mut met = vec![false; blocks.len()];
    met[entry.index()] = true;
    see(Event::Meets { from: entry, block: entry });
    let mut open = vec![(entry, targets(blocks[entry.index()].exit))];
    while let Some((from, left)) = open.last_mut() {
        let from = *from;
        match left.next() {
            Some(to) if met[to.index()] => see(Event::Way { from, to }),
            Some(block) => {
                met[block.index()] = true;
                see(Event::Meets { from, block });
                open.push((block, targets(blocks[block.index()].exit)));
            }
            None => {
                see(Event::Leaves(from));
                open.pop();
            }
        }
    }
}

/// The blocks that the entry reaches, in reverse postorder.
pub(super) fn order(blocks: &[Block], entry: BlockId) -> Vec<BlockId> {
    let mut order = Vec::with_capacity(blocks.len());
    visit(blocks, entry, |event| {
        if let Event::Leaves(block) = event {
            order.push(block);
        }
    });
    order.reverse();
    order
}

/// The same walk, with all its ways.
pub(super) fn walk(blocks: &[Block], entry: BlockId) -> Walk {
    let mut walk = Walk::default();
    let mut number = vec![NONE; blocks.len()];
    // Of a block that was left: one above it, in the end one that the walk is still in.
    let mut above = Sets::default();
    let mut is_open = Vec::new();
    visit(blocks, entry, |event| match event {
        Event::Meets { from, block } => {
            number[block.index()] = walk.blocks.len() as u32;
            walk.blocks.push(block);
            walk.parent.push(number[from.index()]);
            above.add();
            is_open.push(true);
        }
        Event::Way { from, to } => {
            let (from, to) = (number[from.index()], number[to.index()]);
            match is_open[to as usize] {
                true => walk.back.push(Other { above: to, from, to }),
                false => walk.across.push(Other { above: above.find(to), from, to }),
            }
        }
        Event::Leaves(block) => {
            let own = number[block.index()];
            is_open[own as usize] = false;
            above.join(own, walk.parent[own as usize]);
        }
    });
    walk
}

/// Disjoint sets of numbers, each with the one that stands for it.
#[derive(Debug, Default)]
pub(super) struct Sets(Vec<u32>);

impl Sets {
    /// Sets of one number each, from 0 up.
    pub(super) fn new(count: usize) -> Self {
        Self((0..count as u32).collect())
    }

    /// One more.
    fn add(&mut self) {
        self.0.push(self.0.len() as u32);
    }

    /// The one that stands for a number.
    pub(super) fn find(&mut self, mut number: u32) -> u32 {
        loop {
            let next = self.0[number as usize];
            if next == number {
                return number;
            }
            let far = self.0[next as usize];
            self.0[number as usize] = far;
            number = far;
        }
    }

    /// Takes the set that `number` stands for into that of another number, which stands for both.
    pub(super) fn join(&mut self, number: u32, into: u32) {
        self.0[number as usize] = into;
    }
}
