//! Textures: the images of a program, each with the sampler of its first access.

use std::collections::HashMap;

use super::access::{Access, AccessKind};
use super::source::{Refusal, Source};
use crate::cfg::{BlockId, Cfg};

/// Blocks that are looked at for the first accesses of all textures of a program together. Only textures whose accesses have
/// different samplers need it.
pub const MOST_BLOCKS: u64 = 1 << 24;

/// An image whose descriptor's place is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Texture {
    /// Where its descriptor lies.
    pub source: Source,
    /// Its accesses, by index into [`super::Descriptors::accesses`].
    pub accesses: Vec<usize>,
    /// Where its sampler lies, by its first access that has one; none if no access has one. What is loaded into a sampler's
    /// registers later does not matter.
    pub sampler: Option<Result<Source, Refusal>>,
}

/// Groups accesses of images by the place of the descriptor; and how many blocks were looked at for that.
pub(super) fn textures(cfg: &Cfg, accesses: &[Access]) -> (Vec<Texture>, u64) {
    let mut numbers = HashMap::new();
    let mut textures: Vec<Texture> = Vec::new();
    for (index, access) in accesses.iter().enumerate() {
        if !is_texture(access.kind) {
            continue;
        }
        let Ok(found) = &access.descriptor.source else { continue };
        let number = *numbers.entry(found.source).or_insert(textures.len());
        if number == textures.len() {
            textures.push(Texture { source: found.source, accesses: Vec::new(), sampler: None });
        }
        textures[number].accesses.push(index);
    }
    let mut left = MOST_BLOCKS;
    let mut seen = vec![0; cfg.blocks().len()];
    for (number, texture) in (1..).zip(&mut textures) {
        let sampled: Vec<_> =
            texture.accesses.iter().map(|&index| &accesses[index]).filter(|access| access.sampler.is_some()).collect();
        texture.sampler = sampler(cfg, &sampled, &mut left, (&mut seen, number));
    }
    (textures, MOST_BLOCKS - left)
}

fn is_texture(kind: AccessKind) -> bool {
    match kind {
        AccessKind::ImageSample
        | AccessKind::ImageLoad
        | AccessKind::ImageStore
        | AccessKind::ImageAtomic
        | AccessKind::ImageQuery => true,
        AccessKind::BvhTest
        | AccessKind::BufferLoad
        | AccessKind::BufferStore
        | AccessKind::BufferAtomic
        | AccessKind::ScalarBufferLoad => false,
    }
}

/// The sampler of the first of these accesses of one texture, by looking at no more blocks than are `left`. `seen` has for each block
/// the number of the texture for which it was looked at last, and the number of this one.
fn sampler(cfg: &Cfg, sampled: &[&Access], left: &mut u64, seen: (&mut [u32], u32)) -> Option<Result<Source, Refusal>> {
    let place = |access: &Access| {
        let traced = access.sampler.as_ref()?;
        Some(traced.source.as_ref().map(|found| found.source).map_err(Clone::clone))
    };
    let (&first, others) = sampled.split_first()?;
    let known = place(first)?;
    if known.is_ok() && others.iter().all(|access| place(access).as_ref() == Some(&known)) {
        return Some(known);
    }
    let Some(firsts) = first_accesses(cfg, sampled, left, seen) else {
        return Some(Err(Refusal::TooManyBlocks { limit: MOST_BLOCKS }));
    };
    let (&first, others) = firsts.split_first()?;
    let known = place(first)?;
    for other in others {
        match (place(other)?, &known) {
            // A first access that no load reached has no sampler to give; another's is not taken for it.
            (Err(why), _) => return Some(Err(why)),
            (Ok(one), Ok(known)) if one != *known => {
                return Some(Err(Refusal::FirstAccesses { first: first.offset, second: other.offset }))
            }
            _ => {}
        }
    }
    Some(known)
}

/// Those of the accesses to which a path leads that passes none of them; none where `left` is used up.
fn first_accesses<'a>(
    cfg: &Cfg,
    accesses: &[&'a Access],
    left: &mut u64,
    (seen, number): (&mut [u32], u32),
) -> Option<Vec<&'a Access>> {
    if *left == 0 {
        return None;
    }
    // Of each block, the first access is the one that a path into the block meets.
    let mut met: HashMap<BlockId, &Access> = HashMap::new();
    for &access in accesses {
        met.entry(cfg.block_of(access.instruction)).or_insert(access);
    }
    let mut waiting = vec![cfg.entry()];
    let mut firsts = Vec::new();
    while let Some(block) = waiting.pop() {
        if std::mem::replace(&mut seen[block.index()], number) == number {
            continue;
        }
        *left = left.checked_sub(1)?;
        match met.get(&block) {
            Some(&access) => firsts.push(access),
            None => waiting.extend(cfg.successors(block)),
        }
    }
    firsts.sort_unstable_by_key(|access| access.instruction);
    Some(firsts)
}
