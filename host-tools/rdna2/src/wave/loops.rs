//! Whether a branch decides on a loop.

use std::collections::HashSet;

use petgraph::algo::kosaraju_scc;

use crate::cfg::{BlockId, Cfg};

/// Heads that are looked at for one branch; one in more loops counts as deciding on one, so that the run stops.
const MOST_HEADS: usize = 64;

/// The knots of a program's cycles.
pub(super) struct Loops {
    /// The knot of each block: blocks that reach each other.
    knot: Vec<usize>,
    /// Blocks of each knot.
    sizes: Vec<usize>,
    /// The nearest loop's head among the blocks that every path to a block passes before it.
    head_above: Vec<Option<BlockId>>,
}

impl Loops {
    pub(super) fn new(cfg: &Cfg) -> Self {
        let mut knot = vec![0; cfg.blocks().len()];
        let mut sizes = Vec::new();
        for (number, blocks) in kosaraju_scc(cfg.graph()).into_iter().enumerate() {
            sizes.push(blocks.len());
            for node in blocks {
                knot[node.index()] = number;
            }
        }
        let dominance = cfg.dominance();
        let mut head_above = vec![None; cfg.blocks().len()];
        // A block's dominator stands before it.
        for &block in cfg.order() {
            head_above[block.index()] = dominance.immediate(block).and_then(|above| match cfg.is_head(above) {
                true => Some(above),
                false => head_above[above.index()],
            });
        }
        Self { knot, sizes, head_above }
    }

    /// Whether a branch at the end of a block, to either of two, leaves a loop or goes round one again. In doubt it does.
    pub(super) fn decides(&self, cfg: &Cfg, from: BlockId, targets: [BlockId; 2]) -> bool {
        if targets.iter().any(|&target| cfg.goes_back(from, target)) {
            return true;
        }
        let knot = self.knot[from.index()];
        if self.sizes[knot] == 1 {
            return false;
        }
        if targets.iter().any(|target| self.knot[target.index()] != knot) {
            return true;
        }
        let own = Some(from).filter(|&block| cfg.is_head(block));
        let above = std::iter::successors(self.head_above[from.index()], |head| self.head_above[head.index()]);
        let heads = own.into_iter().chain(above.filter(|head| self.knot[head.index()] == knot));
        // The innermost loop; who stays in it stays in all around it.
        for head in heads.take(MOST_HEADS) {
            if self.comes_round(cfg, from, head) {
                return targets.into_iter().any(|target| !self.comes_round(cfg, target, head));
            }
        }
        true
    }

    /// Whether a way leads from a block back to a head without passing the head before.
    fn comes_round(&self, cfg: &Cfg, from: BlockId, head: BlockId) -> bool {
        let mut seen = HashSet::new();
        let mut waiting = vec![from];
        while let Some(block) = waiting.pop() {
            if !seen.insert(block) {
                continue;
            }
            for next in cfg.successors(block) {
                if next == head {
                    // The head's other ways in come from outside of its loop.
                    if cfg.goes_back(block, head) {
                        return true;
                    }
                } else if self.knot[next.index()] == self.knot[head.index()] {
                    waiting.push(next);
                }
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cfg::{Exit, Target};
    use crate::wave::spread::tests::program;

    /// By the bodies of all loops.
    fn by_bodies(cfg: &Cfg, from: BlockId, targets: [BlockId; 2]) -> bool {
        let leaves =
            |target: BlockId| cfg.loops().iter().any(|one| one.body.contains(&from) && !one.body.contains(&target));
        targets.into_iter().any(|target| cfg.goes_back(from, target) || leaves(target))
    }

    #[test]
    fn a_branch_decides_on_a_loop_where_the_bodies_of_loops_say_so() {
        let (mut decided, mut free) = (0, 0);
        for seed in 0..600 {
            let cfg = program(seed);
            if cfg.loops().iter().any(|one| !one.reducible) {
                continue;
            }
            let loops = Loops::new(&cfg);
            for &block in cfg.order() {
                let Exit::Branches { taken: Target::Block(taken), next: Target::Block(next), .. } =
                    cfg.block(block).exit
                else {
                    continue;
                };
                let expected = by_bodies(&cfg, block, [next, taken]);
                assert_eq!(loops.decides(&cfg, block, [next, taken]), expected, "{seed}: {block}");
                *(if expected { &mut decided } else { &mut free }) += 1;
            }
        }
        assert!(decided > 100 && free > 100, "{decided} {free}");
    }
}
