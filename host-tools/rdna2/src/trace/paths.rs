//! The paths to a point, as far as they make a difference to some registers there.
//!
//! Without the ways back to loop heads the blocks stand in an order in which each comes behind those it is reached from. A word
//! that is [`Value::Joined`] in a block is what the block was entered with, and its block lies on every path to the point; of
//! several such blocks the last in the order is opened first, all of its words at once, for each way into it. So words that came
//! by one path stay together, and joins at which the words agree cost nothing.

use std::collections::HashSet;
use std::ops::ControlFlow;

use super::pass::Pass;
use super::source::{Path, Refusal, Step, UnknownPlace};
use super::values::Value;

/// Most words whose paths are followed together: an image descriptor's.
pub(super) const MOST_WORDS: usize = 8;
/// Combinations of ways that are followed before an access is refused.
pub const MOST_PATHS: usize = 4096;

/// Ways into joins that are looked at, over all combinations, before an access is refused.
pub const MOST_WAYS: u64 = 1 << 16;

/// More than is followed or looked at.
#[derive(Debug)]
pub(super) enum TooMany {
    /// Combinations.
    Paths,
    /// Ways.
    Ways,
}

impl From<TooMany> for Refusal {
    fn from(many: TooMany) -> Self {
        match many {
            TooMany::Paths => Self::TooManyPaths { limit: MOST_PATHS },
            TooMany::Ways => Self::TooManyWays { limit: MOST_WAYS },
        }
    }
}

impl From<TooMany> for UnknownPlace {
    fn from(many: TooMany) -> Self {
        match many {
            TooMany::Paths => Self::TooManyPaths { limit: MOST_PATHS },
            TooMany::Ways => Self::TooManyWays { limit: MOST_WAYS },
        }
    }
}

/// A path that is followed from a point backwards, the ways it has taken so far.
pub(super) struct Way<'a> {
    steps: &'a [(Step, Option<usize>)],
    last: Option<usize>,
}

impl Way<'_> {
    /// The path as it is shown.
    pub(super) fn path(&self) -> Path {
        let mut steps = Vec::new();
        let mut next = self.last;
        while let Some(index) = next {
            steps.push(self.steps[index].0);
            next = self.steps[index].1;
        }
        // The way taken last in the program was followed first.
        steps.reverse();
        Path(steps)
    }
}

impl Pass<'_> {
    /// Shows `visit` what the words hold on every path, once for each difference, until it breaks. At most [`MOST_WORDS`] words.
    pub(super) fn each_path<B>(
        &self,
        words: &[Value],
        mut visit: impl FnMut(&[Value], &Way<'_>) -> ControlFlow<B>,
    ) -> Result<ControlFlow<B>, TooMany> {
        let mut first = [Value::Constant(0); MOST_WORDS];
        let count = words.len().min(MOST_WORDS);
        first[..count].copy_from_slice(&words[..count]);
        if !words.iter().any(|word| matches!(word, Value::Joined { .. })) {
            self.count(1);
            return Ok(visit(words, &Way { steps: &[], last: None }));
        }
        let mut steps: Vec<(Step, Option<usize>)> = Vec::new();
        let mut seen = HashSet::from([first]);
        let mut waiting = vec![(first, None)];
        let mut looked = 0;
        while let Some((words, last)) = waiting.pop() {
            let joins = words.iter().filter_map(|word| match *word {
                Value::Joined { block, .. } => Some(block),
                _ => None,
            });
            let Some(join) = joins.max_by_key(|&block| self.position(block)) else {
                if let ControlFlow::Break(stop) = visit(&words[..count], &Way { steps: &steps, last }) {
                    return Ok(ControlFlow::Break(stop));
                }
                continue;
            };
            // The way from the nearest block is pushed last and followed first: what refuses is mostly near.
            let ways = self.ways_into(join);
            looked += ways.len() as u64;
            if looked > MOST_WAYS {
                self.count(seen.len() as u64);
                return Err(TooMany::Ways);
            }
            self.count(ways.len() as u64);
            for &(from, end) in ways.iter() {
                let entered = words.map(|word| match word {
                    Value::Joined { block, register } if block == join => self.store.get(end, register),
                    other => other,
                });
                if seen.insert(entered) {
                    steps.push((self.step(from, join), last));
                    waiting.push((entered, Some(steps.len() - 1)));
                }
            }
            if seen.len() > MOST_PATHS {
                self.count(seen.len() as u64);
                return Err(TooMany::Paths);
            }
        }
        self.count(seen.len() as u64);
        Ok(ControlFlow::Continue(()))
    }
}
