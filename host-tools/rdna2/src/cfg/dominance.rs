//! Which blocks every path to a block passes.

use petgraph::algo::dominators::simple_fast;

use super::{BlockId, Cfg};

/// Dominators of the blocks that the entry reaches, with answers in constant time.
#[derive(Debug, Clone)]
pub struct Dominance {
    above: Vec<Option<BlockId>>,
    /// Entering and leaving times of a walk over the tree; `(1, 0)` for blocks that are not in it.
    spans: Vec<(u32, u32)>,
}

impl Cfg {
    /// Dominators of the reached blocks.
    pub fn dominance(&self) -> Dominance {
        let tree = simple_fast(self.graph(), self.entry().node());
        let above: Vec<_> = self.block_ids().map(|id| tree.immediate_dominator(id.node()).map(BlockId::from)).collect();
        let mut below = vec![Vec::new(); above.len()];
        for (id, dominator) in self.block_ids().zip(&above) {
            if let Some(dominator) = dominator {
                below[dominator.index()].push(id);
            }
        }
        let mut spans = vec![(1, 0); above.len()];
        let mut clock = 0;
        // A block is met twice: on the way down, with `false`, and on the way up.
        let mut waiting = vec![(self.entry(), false)];
        while let Some((block, done)) = waiting.pop() {
            clock += 1;
            if done {
                spans[block.index()].1 = clock;
            } else {
                spans[block.index()].0 = clock;
                waiting.push((block, true));
                waiting.extend(below[block.index()].iter().map(|&next| (next, false)));
            }
        }
        Dominance { above, spans }
    }
}

impl Dominance {
    /// The nearest block, other than itself, that every path from the entry to a block passes; none for the entry and for
    /// blocks that it does not reach.
    pub fn immediate(&self, block: BlockId) -> Option<BlockId> {
        self.above[block.index()]
    }

    /// Whether every path from the entry to `below` passes `above`. A block that is reached dominates itself.
    pub fn dominates(&self, above: BlockId, below: BlockId) -> bool {
        let (outer, inner) = (self.spans[above.index()], self.spans[below.index()]);
        outer.0 <= inner.0 && inner.1 <= outer.1 && inner.0 < inner.1
    }
}
