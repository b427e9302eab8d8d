//! Instructions of a program: those that control reaches first, then the gaps between them.

use super::{CfgError, Stray};
use crate::decode::{decode_at, DecodeError};
use crate::isa::{Flow, Instruction, Wave};

/// A word of code that no instruction covers.
const FREE: u32 = u32::MAX;

/// Instructions by address, none sharing a byte with another.
pub(super) struct Found {
    pub(super) instructions: Vec<Instruction>,
    /// For each word of code the word at which the instruction that covers it starts, or `FREE`.
    start_of: Vec<u32>,
    /// For each word at which an instruction starts its index, once they are in order.
    index_at: Vec<u32>,
}

/// Finds every instruction of the code.
pub(super) fn find(code: &[u8], entry: u64, wave: Wave) -> Result<Found, CfgError> {
    decode_at(code, entry, wave)?;
    let words = code.len() / 4;
    let mut found = Found { instructions: Vec::new(), start_of: vec![FREE; words], index_at: Vec::new() };
    // Straight runs first: where two decodings compete for bytes, the one that falls through has them.
    let mut waiting = vec![entry];
    while let Some(offset) = waiting.pop() {
        found.run(code, offset, wave, &mut waiting);
    }
    for word in 0..found.start_of.len() {
        if found.start_of[word] == FREE {
            found.take(code, 4 * word as u64, wave);
        }
    }
    found.instructions.sort_unstable_by_key(|instruction| instruction.offset);
    found.index_at = vec![FREE; words];
    for (index, instruction) in found.instructions.iter().enumerate() {
        found.index_at[(instruction.offset / 4) as usize] = index as u32;
    }
    Ok(found)
}

impl Found {
    /// Decodes from an offset until control goes elsewhere or meets what is known; targets wait.
    fn run(&mut self, code: &[u8], mut offset: u64, wave: Wave, waiting: &mut Vec<u64>) {
        while self.take(code, offset, wave) {
            let Some(last) = self.instructions.last() else { return };
            offset = last.end();
            match last.flow() {
                Flow::Next | Flow::Unknown => {}
                Flow::Conditional { target, .. } => waiting.push(target),
                Flow::Branch { target } | Flow::Call { target } => {
                    waiting.push(target);
                    return;
                }
                Flow::Computed | Flow::End => return,
            }
        }
    }

    /// Takes the instruction at an offset, unless there is none or one of its words is another's.
    fn take(&mut self, code: &[u8], offset: u64, wave: Wave) -> bool {
        let first = (offset / 4) as usize;
        // Most that is asked for again is there already.
        if offset.is_multiple_of(4) && self.start_of.get(first).is_some_and(|&start| start != FREE) {
            return false;
        }
        let Ok(instruction) = decode_at(code, offset, wave) else { return false };
        let words = first..first + usize::from(instruction.size) / 4;
        if self.start_of[words.clone()].iter().any(|&start| start != FREE) {
            return false;
        }
        self.start_of[words].fill(first as u32);
        self.instructions.push(instruction);
        true
    }

    /// The index of the instruction that starts at an offset.
    fn index(&self, offset: u64) -> Option<usize> {
        let word = usize::try_from(offset / 4).ok().filter(|_| offset.is_multiple_of(4))?;
        self.index_at.get(word).filter(|&&index| index != FREE).map(|&index| index as usize)
    }

    /// The index of the instruction at an offset, or why there is none.
    pub(super) fn place(&self, code: &[u8], offset: u64, wave: Wave) -> Result<usize, Stray> {
        self.index(offset).ok_or_else(|| match decode_at(code, offset, wave) {
            // Offsets of code are multiples of 4, whatever the target; one that is none lies within a word.
            Err(DecodeError::Truncated { left: 1.., .. }) => Stray::Truncated { target: offset },
            Err(_) => Stray::Outside { target: offset },
            Ok(instruction) => {
                let first = (offset / 4) as usize;
                let words = &self.start_of[first..first + usize::from(instruction.size) / 4];
                let other = words.iter().find(|&&start| start != FREE).map_or(offset, |&start| 4 * u64::from(start));
                Stray::Inside { target: offset, instruction: other }
            }
        })
    }

    /// Which instructions start a block.
    pub(super) fn leaders(&self, entry: u64) -> Vec<bool> {
        let mut leads = vec![false; self.instructions.len()];
        let mut lead = |offset| {
            if let Some(index) = self.index(offset) {
                leads[index] = true;
            }
        };
        lead(entry);
        let mut end = None;
        for instruction in &self.instructions {
            if end != Some(instruction.offset) {
                lead(instruction.offset);
            }
            end = Some(instruction.end());
            match instruction.flow() {
                Flow::Next | Flow::Unknown => {}
                Flow::Branch { target } | Flow::Conditional { target, .. } | Flow::Call { target } => {
                    lead(target);
                    end = None;
                }
                Flow::Computed | Flow::End => end = None,
            }
        }
        leads
    }
}
