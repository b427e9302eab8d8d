//! Whether a branch decides on a loop.

use crate::cfg::{self, BlockId, Cfg};

/// The loops of a program.
pub(super) struct Loops(cfg::Loops);

impl Loops {
    pub(super) fn new(cfg: &Cfg) -> Self {
        Self(cfg.loops())
    }

    /// Whether a branch at the end of a block, to either of two, leaves a loop or goes round one again. In doubt it does: in a loop
    /// that is entered past its head, what it is to go round is not said.
    pub(super) fn decides(&self, cfg: &Cfg, from: BlockId, targets: [BlockId; 2]) -> bool {
        if targets.iter().any(|&target| cfg.goes_back(from, target)) {
            return true;
        }
        // Who stays in the innermost loop stays in all around it.
        self.0.innermost(from).is_some_and(|innermost| {
            let innermost = &self.0.all()[innermost];
            !innermost.reducible || !targets.iter().all(|&target| self.0.contains(innermost, target))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cfg::{Exit, Target};
    use crate::wave::spread::tests::program;

    /// Whether a way leads from a block back to a head without passing it: what it is to be in the head's loop.
    fn comes_round(cfg: &Cfg, from: BlockId, head: BlockId) -> bool {
        let (mut seen, mut waiting) = (vec![false; cfg.blocks().len()], vec![from]);
        while let Some(block) = waiting.pop() {
            if !std::mem::replace(&mut seen[block.index()], true) {
                if cfg.successors(block).any(|next| next == head && cfg.goes_back(block, head)) {
                    return true;
                }
                waiting.extend(cfg.successors(block).filter(|&next| next != head));
            }
        }
        false
    }

    /// Way by way, for each head that every path to the block passes.
    fn by_ways(cfg: &Cfg, from: BlockId, targets: [BlockId; 2]) -> bool {
        let dominance = cfg.dominance();
        let heads = cfg.heads().into_iter().filter(|&head| dominance.dominates(head, from));
        let leaves = |head: BlockId| {
            comes_round(cfg, from, head) && !targets.iter().all(|&target| comes_round(cfg, target, head))
        };
        targets.into_iter().any(|target| cfg.goes_back(from, target)) || heads.into_iter().any(leaves)
    }

    #[test]
    fn a_branch_decides_on_a_loop_where_the_ways_round_it_say_so() {
        let (mut decided, mut free, mut doubted) = (0, 0, 0);
        for seed in 0..600 {
            let cfg = program(seed);
            let loops = Loops::new(&cfg);
            let whole = loops.0.all().iter().all(|one| one.reducible);
            for &block in cfg.order() {
                let Exit::Branches { taken: Target::Block(taken), next: Target::Block(next), .. } =
                    cfg.block(block).exit
                else {
                    continue;
                };
                let innermost = loops.0.innermost(block).map(|innermost| &loops.0.all()[innermost]);
                if let Some(innermost) = innermost.filter(|innermost| !innermost.reducible) {
                    assert!(loops.decides(&cfg, block, [next, taken]), "{seed}: {block}");
                    let stays = |to| loops.0.contains(innermost, to) && !cfg.goes_back(block, to);
                    doubted += u32::from([next, taken].into_iter().all(stays));
                    continue;
                }
                // Ways past a head are none of a loop by heads that every path passes.
                if !whole {
                    continue;
                }
                let expected = by_ways(&cfg, block, [next, taken]);
                assert_eq!(loops.decides(&cfg, block, [next, taken]), expected, "{seed}: {block}");
                *(if expected { &mut decided } else { &mut free }) += 1;
            }
        }
        assert!(decided > 100 && free > 100 && doubted > 10, "{decided} {free} {doubted}");
    }
}
