//! Loops: blocks that control can run round.

use petgraph::algo::kosaraju_scc;

use super::{BlockId, Cfg, Dominance};

/// A loop.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Loop {
    /// The block that ways go back to.
    pub head: BlockId,
    /// The blocks they come from, by address.
    pub latches: Vec<BlockId>,
    /// All blocks from which a latch is reached without passing the head, and the head itself; by address.
    pub body: Vec<BlockId>,
    /// Whether every way into it leads to its head. One that is entered elsewhere too has the body of the whole knot of cycles
    /// that reaches a latch without passing the head.
    pub reducible: bool,
}

impl Cfg {
    /// Every loop's head, by address: the blocks that a way goes back to ([`Cfg::goes_back`]). Every cycle passes one.
    pub fn heads(&self) -> Vec<BlockId> {
        self.block_ids().filter(|&block| self.is_head(block)).collect()
    }

    /// Every loop among the reached blocks, by the address of its head. Loops of one head are one loop.
    pub fn loops(&self) -> Vec<Loop> {
        let heads = self.heads();
        if heads.is_empty() {
            return Vec::new();
        }
        let mut knot = vec![0; self.blocks().len()];
        for (number, blocks) in kosaraju_scc(self.graph()).into_iter().enumerate() {
            for node in blocks {
                knot[node.index()] = number;
            }
        }
        // The head by which each block was last taken into a body.
        let mut taken = vec![None; self.blocks().len()];
        let dominance = self.dominance();
        heads.into_iter().map(|head| self.one_loop(head, &dominance, &knot, &mut taken)).collect()
    }

    fn one_loop(&self, head: BlockId, dominance: &Dominance, knot: &[usize], taken: &mut [Option<BlockId>]) -> Loop {
        let mut latches: Vec<_> = self.predecessors(head).filter(|&from| self.goes_back(from, head)).collect();
        latches.sort_unstable();
        latches.dedup();
        let reducible = latches.iter().all(|&latch| dominance.dominates(head, latch));
        let mut body = vec![head];
        taken[head.index()] = Some(head);
        let mut waiting = latches.clone();
        while let Some(block) = waiting.pop() {
            if taken[block.index()] == Some(head) {
                continue;
            }
            taken[block.index()] = Some(head);
            body.push(block);
            // Blocks outside the knot of cycles are met only where the loop has another entry.
            waiting.extend(self.predecessors(block).filter(|from| knot[from.index()] == knot[head.index()]));
        }
        body.sort_unstable();
        Loop { head, latches, body, reducible }
    }
}
