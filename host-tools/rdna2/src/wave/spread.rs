//! What some instructions can reach, for many questions about one program.

use super::run::MOST_POINTS;
use crate::cfg::{BlockId, Cfg};

/// Some instructions of a program, and for each block the first of them from which control may come to its start.
pub(super) struct Spread {
    /// By index, ascending.
    sources: Vec<usize>,
    /// By block.
    before: Vec<Option<usize>>,
    /// Sources and blocks that were looked at.
    pub(super) steps: u64,
}

impl Spread {
    /// Follows control from behind each of the sources. The cost is that of the program, however many there are.
    pub(super) fn new(cfg: &Cfg, sources: impl IntoIterator<Item = usize>) -> Self {
        let mut sources: Vec<usize> = sources.into_iter().collect();
        sources.sort_unstable();
        let mut before = vec![None; cfg.blocks().len()];
        let mut waiting: Vec<BlockId> = Vec::new();
        let mut steps = before.len() as u64;
        for &source in &sources {
            waiting.extend(cfg.successors(cfg.block_of(source)));
            steps += 1;
            while let Some(block) = waiting.pop() {
                steps += 1;
                let place = &mut before[block.index()];
                if place.is_none() {
                    *place = Some(source);
                    waiting.extend(cfg.successors(block));
                }
            }
        }
        Self { sources, before, steps }
    }

    /// The first source after which control may come to an instruction.
    pub(super) fn first_reaching(&self, cfg: &Cfg, to: usize) -> Option<usize> {
        let block = cfg.block_of(to);
        let start = cfg.block(block).instructions.start;
        let inside = self.sources.get(self.sources.partition_point(|&source| source < start));
        let inside = inside.copied().filter(|&source| source < to);
        match (inside, self.before[block.index()]) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        }
    }
}

/// A bit for each of so many points.
type Points = u64;
const _: () = assert!(MOST_POINTS <= Points::BITS as usize);

/// Some instructions of a program, at most [`MOST_POINTS`], and for each block all of them from which control may come to its start.
pub(super) struct Each {
    sources: Vec<usize>,
    /// By block.
    before: Vec<Points>,
    /// Sources and blocks that were looked at.
    pub(super) steps: u64,
}

impl Each {
    /// Follows control from behind each of the sources. The cost is that of the program for each of them, in room for one.
    pub(super) fn new(cfg: &Cfg, sources: Vec<usize>) -> Self {
        debug_assert!(sources.len() <= MOST_POINTS);
        let mut before: Vec<Points> = vec![0; cfg.blocks().len()];
        let mut waiting: Vec<BlockId> = Vec::new();
        let mut steps = before.len() as u64;
        for (number, &source) in sources.iter().enumerate() {
            waiting.extend(cfg.successors(cfg.block_of(source)));
            steps += 1;
            while let Some(block) = waiting.pop() {
                steps += 1;
                let points = &mut before[block.index()];
                if *points >> number & 1 == 0 {
                    *points |= 1 << number;
                    waiting.extend(cfg.successors(block));
                }
            }
        }
        Self { sources, before, steps }
    }

    /// The sources at which an instruction stands or after which control may come to it, by their places among the sources.
    pub(super) fn those_reaching<'a>(&'a self, cfg: &'a Cfg, to: usize) -> impl Iterator<Item = usize> + 'a {
        let block = cfg.block_of(to);
        let start = cfg.block(block).instructions.start;
        let before = self.before[block.index()];
        let reaches =
            move |&(number, &source): &(usize, &usize)| before >> number & 1 != 0 || (start..=to).contains(&source);
        self.sources.iter().enumerate().filter(reaches).map(|(number, _)| number)
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::Wave;

    /// Branches at random over s_nop, and an end.
    pub(in crate::wave) fn program(seed: u64) -> Cfg {
        let mut chance = rayman_model::random::Random::new(seed);
        let words = 4 + chance.below(40);
        let code: Vec<u8> = (0..words)
            .map(|at| {
                let to = chance.below(words) as i32 - at as i32 - 1;
                match chance.below(4) {
                    0 => 0xbf84_0000 | to as u32 & 0xffff,
                    1 => 0xbf82_0000 | to as u32 & 0xffff,
                    _ => 0xbf80_0000,
                }
            })
            .chain([0xbf81_0000])
            .flat_map(u32::to_le_bytes)
            .collect();
        Cfg::build(&code, 0, Wave::W32).expect("code")
    }

    #[test]
    fn the_first_source_that_reaches_is_the_first_that_the_graph_has_between() {
        for seed in 0..300 {
            let cfg = program(seed);
            let count = cfg.instructions().len();
            let sources: Vec<usize> = (0..count).filter(|index| index % 7 == seed as usize % 7).collect();
            let spread = Spread::new(&cfg, sources.iter().copied());
            for to in 0..count {
                let reaching = cfg.reaching(to);
                let expected = sources.iter().copied().find(|&source| reaching.contains(source));
                assert_eq!(spread.first_reaching(&cfg, to), expected, "{seed}: to {to}");
            }
        }
    }

    #[test]
    fn those_that_reach_are_those_from_which_the_graph_has_a_way() {
        for seed in 0..300 {
            let cfg = program(seed);
            let count = cfg.instructions().len();
            let sources: Vec<usize> = (0..count).rev().filter(|index| index % 5 == seed as usize % 5).collect();
            let each = Each::new(&cfg, sources.clone());
            for to in 0..count {
                let reaching = cfg.reaching(to);
                let found: Vec<_> = each.those_reaching(&cfg, to).map(|number| sources[number]).collect();
                let expected = sources.iter().copied().filter(|&source| source == to || reaching.contains(source));
                assert_eq!(found, expected.collect::<Vec<_>>(), "{seed}: to {to}");
            }
        }
    }
}
