//! The control-flow graph of a program: blocks, ways between them, dominators, loops, what is reachable, execution masks.
//!
//! ```text
//!  code, entry -> Cfg::build -> instructions, by address     every one that is reached, then every gap, swept from its start
//!                            -> blocks, each with its Exit    a graph (petgraph) of blocks and ways
//!                            -> order()                       reverse postorder of the blocks that the entry reaches
//!                            -> heads()                       loop heads: every cycle passes through one
//!        dominance(), loops(), mask_regions()                 when asked for
//!        reachable_from(), reaching(), between()              sets of instructions
//! ```
//!
//! What always holds: an instruction is in one block; blocks are in the order of their addresses; no two instructions share a
//! byte. Where control may go that this graph cannot show (a computed address, out of the code, into the middle of an
//! instruction) no edge stands for it: [`Cfg::irregularities`] lists each, and who reasons about paths must look there.

mod dominance;
mod find;
mod loops;
mod masks;
mod reach;
#[cfg(test)]
mod tests;
mod walk;

use std::fmt;
use std::ops::Range;

use petgraph::graph::{DiGraph, NodeIndex};
use petgraph::Direction;

use crate::decode::DecodeError;
use crate::isa::{Condition, Flow, Instruction, Wave};

pub use dominance::Dominance;
pub use loops::{Loop, Loops};
pub use masks::{MaskRegion, SavedMask};
pub use reach::InstructionSet;

/// Most bytes of code; offsets of words and indices of instructions then fit 32 bits.
pub const MOST_BYTES: usize = 1 << 30;

/// Why code has no control-flow graph.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CfgError {
    /// No instruction stands where the program starts.
    #[error("no instruction at the entry: {0}")]
    Entry(#[from] DecodeError),
    /// More code than any program has.
    #[error("{bytes} bytes of code; at most {MOST_BYTES} are taken")]
    TooLarge {
        /// Its size.
        bytes: usize,
    },
}

/// A block's number: blocks are counted in the order of their addresses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BlockId(u32);

impl BlockId {
    /// Its number as an index into [`Cfg::blocks`].
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    fn node(self) -> NodeIndex {
        NodeIndex::new(self.index())
    }
}

impl From<NodeIndex> for BlockId {
    fn from(node: NodeIndex) -> Self {
        Self(node.index() as u32)
    }
}

impl fmt::Display for BlockId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "block {}", self.0)
    }
}

/// A place that control goes to and where this graph has no block.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Stray {
    /// The middle of an instruction, or one whose bytes would reach into another instruction.
    Inside {
        /// Byte offset that control goes to.
        target: u64,
        /// Byte offset of the instruction whose bytes it shares.
        instruction: u64,
    },
    /// Before or behind the code.
    Outside {
        /// Byte offset; one before the code wraps around.
        target: u64,
    },
    /// Code that ends within an instruction.
    Truncated {
        /// Byte offset of the instruction.
        target: u64,
    },
}

impl fmt::Display for Stray {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Inside { target, instruction } => {
                write!(f, "to {target:#x}, into the instruction at {instruction:#x}")
            }
            Self::Outside { target } => write!(f, "to {target:#x}, out of the code"),
            Self::Truncated { target } => write!(f, "to {target:#x}, where the code ends within an instruction"),
        }
    }
}

/// Where a way out of a block leads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Target {
    /// To the start of a block.
    Block(BlockId),
    /// Where no block is.
    Stray(Stray),
}

/// How control leaves a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Exit {
    /// The wave ends.
    Ends,
    /// To the instruction behind it.
    Next(Target),
    /// To a target.
    Jumps(Target),
    /// To one of two.
    Branches {
        /// When it is taken.
        on: Condition,
        /// Where it is taken to.
        taken: Target,
        /// The instruction behind it.
        next: Target,
    },
    /// To a target, with the return address in registers. The way back is a computed one.
    Calls(Target),
    /// To an address in registers.
    Computed,
}

/// What an edge of the graph is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Way {
    /// To the instruction behind.
    Next,
    /// Always to a target.
    Jump,
    /// To a target, on a condition.
    Taken(Condition),
    /// To a called target.
    Call,
}

/// A run of instructions that is entered at its first alone and left behind its last alone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Block {
    /// Its instructions, as indices into [`Cfg::instructions`]; at least one.
    pub instructions: Range<usize>,
    /// Byte offset of its first instruction.
    pub start: u64,
    /// Byte offset behind its last instruction.
    pub end: u64,
    /// How control leaves it.
    pub exit: Exit,
}

/// A place from which control, or an effect, goes where the graph does not show it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, thiserror::Error)]
pub enum Irregularity {
    /// An instruction without a name: what it writes and where it goes is unknown; the graph has it go on behind itself.
    #[error("the instruction at {at:#x} has no name")]
    Unnamed {
        /// Its byte offset.
        at: u64,
    },
    /// A jump to an address in registers.
    #[error("the instruction at {at:#x} jumps to a computed address")]
    Computed {
        /// Its byte offset.
        at: u64,
    },
    /// A call: the callee goes back to a computed address.
    #[error("the instruction at {at:#x} calls")]
    Call {
        /// Its byte offset.
        at: u64,
    },
    /// Control goes where no block is.
    #[error("the instruction at {at:#x} goes {stray}")]
    Stray {
        /// Byte offset of the instruction that goes there.
        at: u64,
        /// Where it goes.
        stray: Stray,
    },
}

impl Irregularity {
    /// Byte offset of the instruction.
    pub const fn at(&self) -> u64 {
        match *self {
            Self::Unnamed { at } | Self::Computed { at } | Self::Call { at } | Self::Stray { at, .. } => at,
        }
    }
}

/// A program's control-flow graph.
#[derive(Debug, Clone)]
pub struct Cfg {
    wave: Wave,
    instructions: Vec<Instruction>,
    /// The block of each instruction.
    block_of: Vec<BlockId>,
    blocks: Vec<Block>,
    graph: DiGraph<(), Way>,
    entry: BlockId,
    order: Vec<BlockId>,
    /// Each block's place in `order`; `DEAD` for those not in it.
    position: Vec<u32>,
}

/// Position of a block that the entry does not reach.
const DEAD: u32 = u32::MAX;

impl Cfg {
    /// The graph of the program whose first instruction is at byte `entry` of the code.
    ///
    /// # Errors
    ///
    /// Where no instruction stands at the entry, and for more than [`MOST_BYTES`] of code.
    pub fn build(code: &[u8], entry: u64, wave: Wave) -> Result<Self, CfgError> {
        if code.len() > MOST_BYTES {
            return Err(CfgError::TooLarge { bytes: code.len() });
        }
        let found = find::find(code, entry, wave)?;
        let leads = found.leaders(entry);
        let mut blocks = Vec::new();
        let mut block_of = Vec::with_capacity(found.instructions.len());
        for (index, instruction) in found.instructions.iter().enumerate() {
            if leads[index] {
                blocks.push(Block {
                    instructions: index..index,
                    start: instruction.offset,
                    end: instruction.offset,
                    exit: Exit::Ends,
                });
            }
            // The first instruction leads, so that there is a block.
            if let Some(block) = blocks.last_mut() {
                block.instructions.end = index + 1;
                block.end = instruction.end();
            }
            block_of.push(BlockId(blocks.len() as u32 - 1));
        }
        let target = |offset| match found.place(code, offset, wave) {
            Ok(index) => Target::Block(block_of[index]),
            Err(stray) => Target::Stray(stray),
        };
        for block in &mut blocks {
            let last = &found.instructions[block.instructions.end - 1];
            block.exit = match last.flow() {
                Flow::Next | Flow::Unknown => Exit::Next(target(block.end)),
                Flow::Branch { target: to } => Exit::Jumps(target(to)),
                Flow::Conditional { target: to, on } => {
                    Exit::Branches { on, taken: target(to), next: target(block.end) }
                }
                Flow::Call { target: to } => Exit::Calls(target(to)),
                Flow::Computed => Exit::Computed,
                Flow::End => Exit::Ends,
            };
        }
        let entry = match target(entry) {
            Target::Block(block) => block,
            // `find` has decoded it.
            Target::Stray(_) => return Err(CfgError::Entry(DecodeError::Misaligned { offset: entry })),
        };
        let graph = graph(&blocks);
        let order = walk::order(&blocks, entry);
        let mut position = vec![DEAD; blocks.len()];
        for (place, block) in order.iter().enumerate() {
            position[block.index()] = place as u32;
        }
        Ok(Self { wave, instructions: found.instructions, block_of, blocks, graph, entry, order, position })
    }

    /// Width of the masks that the code was decoded for.
    pub fn wave(&self) -> Wave {
        self.wave
    }

    /// Every instruction, by address. Those of blocks that are not reached may be data.
    pub fn instructions(&self) -> &[Instruction] {
        &self.instructions
    }

    /// The index of the instruction that starts at a byte offset.
    pub fn instruction_at(&self, offset: u64) -> Option<usize> {
        self.instructions.binary_search_by_key(&offset, |instruction| instruction.offset).ok()
    }

    /// Every block, by address.
    pub fn blocks(&self) -> &[Block] {
        &self.blocks
    }

    /// A block.
    pub fn block(&self, id: BlockId) -> &Block {
        &self.blocks[id.index()]
    }

    /// Every block's number.
    pub fn block_ids(&self) -> impl Iterator<Item = BlockId> {
        (0..self.blocks.len() as u32).map(BlockId)
    }

    /// The block of an instruction, by the instruction's index.
    ///
    /// # Panics
    ///
    /// For an index that [`Cfg::instructions`] does not have.
    pub fn block_of(&self, instruction: usize) -> BlockId {
        self.block_of[instruction]
    }

    /// The block that the program starts with.
    pub fn entry(&self) -> BlockId {
        self.entry
    }

    /// Blocks and ways as a graph; a node's index is its block's number.
    pub fn graph(&self) -> &DiGraph<(), Way> {
        &self.graph
    }

    /// Blocks that control goes to from a block, one for each way.
    pub fn successors(&self, block: BlockId) -> impl Iterator<Item = BlockId> + '_ {
        self.graph.neighbors(block.node()).map(BlockId::from)
    }

    /// Blocks that control comes from, one for each way, reached or not.
    pub fn predecessors(&self, block: BlockId) -> impl Iterator<Item = BlockId> + '_ {
        self.graph.neighbors_directed(block.node(), Direction::Incoming).map(BlockId::from)
    }

    /// The blocks that the entry reaches, in reverse postorder: a block stands behind all it is reached from, but for the
    /// ways that go back to a loop's head.
    pub fn order(&self) -> &[BlockId] {
        &self.order
    }

    /// A block's place in [`Cfg::order`]; none where the entry does not reach it.
    pub fn position(&self, block: BlockId) -> Option<usize> {
        Some(self.position[block.index()]).filter(|&place| place != DEAD).map(|place| place as usize)
    }

    /// Whether the entry reaches a block.
    pub fn is_reached(&self, block: BlockId) -> bool {
        self.position(block).is_some()
    }

    /// Whether a way goes against the order: then it closes a cycle. Every cycle has such a way.
    pub fn goes_back(&self, from: BlockId, to: BlockId) -> bool {
        match (self.position(from), self.position(to)) {
            (Some(from), Some(to)) => to <= from,
            _ => false,
        }
    }

    /// Whether a block is a loop's head: a way goes back to it.
    pub fn is_head(&self, block: BlockId) -> bool {
        self.predecessors(block).any(|from| self.goes_back(from, block))
    }

    /// Where control or an effect goes that the graph does not show, in the blocks that the entry reaches, by address.
    pub fn irregularities(&self) -> Vec<Irregularity> {
        let mut all = Vec::new();
        for block in self.block_ids().filter(|&block| self.is_reached(block)).map(|id| self.block(id)) {
            let inside = &self.instructions[block.instructions.clone()];
            let unnamed = inside.iter().filter(|instruction| instruction.opcode.is_none());
            all.extend(unnamed.map(|instruction| Irregularity::Unnamed { at: instruction.offset }));
            let at = inside[inside.len() - 1].offset;
            let mut stray = |target| match target {
                Target::Stray(stray) => all.push(Irregularity::Stray { at, stray }),
                Target::Block(_) => {}
            };
            match block.exit {
                Exit::Ends => {}
                Exit::Next(target) | Exit::Jumps(target) => stray(target),
                Exit::Branches { taken, next, .. } => {
                    stray(taken);
                    stray(next);
                }
                Exit::Calls(target) => {
                    stray(target);
                    all.push(Irregularity::Call { at });
                }
                Exit::Computed => all.push(Irregularity::Computed { at }),
            }
        }
        all
    }
}

/// The graph of blocks by their exits.
fn graph(blocks: &[Block]) -> DiGraph<(), Way> {
    let mut graph = DiGraph::with_capacity(blocks.len(), 2 * blocks.len());
    for _ in blocks {
        graph.add_node(());
    }
    for (index, block) in blocks.iter().enumerate() {
        let from = NodeIndex::new(index);
        let mut add = |target, way| {
            if let Target::Block(to) = target {
                graph.add_edge(from, to.node(), way);
            }
        };
        match block.exit {
            Exit::Ends | Exit::Computed => {}
            Exit::Next(target) => add(target, Way::Next),
            Exit::Jumps(target) => add(target, Way::Jump),
            Exit::Branches { on, taken, next } => {
                add(next, Way::Next);
                add(taken, Way::Taken(on));
            }
            Exit::Calls(target) => add(target, Way::Call),
        }
    }
    graph
}
