//! Random programs: their instructions, their code, and strategies that make both.

use proptest::prelude::*;

/// Scalar registers that programs use.
pub const REGISTERS: usize = 32;
/// Those of them, from s0 up, that hold user data.
pub const USER: u8 = 20;

/// An instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Op {
    /// s_load of `words` from the pointer in two registers; the offset is a constant, or a register's besides.
    Load { to: u8, words: u8, pointer: u8, offset: i32, by: Option<u8> },
    /// s_buffer_load of `words` through the buffer in four registers.
    BufferLoad { to: u8, words: u8, buffer: u8, offset: i32, by: Option<u8> },
    /// s_mov of one word or two.
    Move { to: u8, from: u8, words: u8 },
    /// s_mov_b32 of a literal.
    Constant { to: u8, word: u32 },
    /// s_add_u32 of two registers.
    Add { to: u8, one: u8, other: u8 },
    /// v_readfirstlane_b32.
    Lane { to: u8 },
    /// No instruction that has a name.
    Unnamed,
    /// image_load, of eight registers.
    Image { at: u8 },
    /// image_sample, of eight registers and four.
    Sample { at: u8, sampler: u8 },
    /// buffer_load_dword, of four registers.
    Buffer { at: u8 },
}

/// How a block ends; the block behind it is the next in the list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    Stop,
    Next,
    Jump(usize),
    Branch(usize),
}

/// A program: blocks in the order of their addresses.
#[derive(Debug, Clone)]
pub struct Program {
    pub blocks: Vec<(Vec<Op>, End)>,
}

impl Op {
    fn code(self, code: &mut Vec<u32>) {
        let scalar_load = |operation: u32, to: u8, base: u8, offset: i32, by: Option<u8>| {
            let first = 0xf400_0000 | operation << 18 | u32::from(to) << 6 | u32::from(base) >> 1;
            // Register 125 is NULL: there is none.
            [first, u32::from(by.unwrap_or(125)) << 25 | offset as u32 & 0x1f_ffff]
        };
        let size = |words: u8| words.ilog2();
        match self {
            Self::Load { to, words, pointer, offset, by } => {
                code.extend(scalar_load(size(words), to, pointer, offset, by));
            }
            Self::BufferLoad { to, words, buffer, offset, by } => {
                code.extend(scalar_load(8 + size(words), to, buffer, offset, by));
            }
            Self::Move { to, from, words } => {
                let operation = if words == 2 { 0xbe80_0400 } else { 0xbe80_0300 };
                code.push(operation | u32::from(to) << 16 | u32::from(from));
            }
            Self::Constant { to, word } => code.extend([0xbe80_03ff | u32::from(to) << 16, word]),
            Self::Add { to, one, other } => {
                code.push(0x8000_0000 | u32::from(to) << 16 | u32::from(other) << 8 | u32::from(one));
            }
            Self::Lane { to } => code.push(0x7e00_0501 | u32::from(to) << 17),
            Self::Unnamed => code.push(0xffff_ffff),
            Self::Image { at } => code.extend([0xf000_0f08, u32::from(at) >> 2 << 16]),
            Self::Sample { at, sampler } => {
                code.extend([0xf080_0f08, u32::from(at) >> 2 << 16 | u32::from(sampler) >> 2 << 21]);
            }
            Self::Buffer { at } => code.extend([0xe030_1000, 0x8000_0000 | u32::from(at) >> 2 << 16]),
        }
    }

    fn words(self) -> usize {
        let mut code = Vec::new();
        self.code(&mut code);
        code.len()
    }
}

impl Program {
    /// Byte offset of each block, and behind the last one.
    fn starts(&self) -> Vec<usize> {
        let mut starts = vec![0];
        for (operations, end) in &self.blocks {
            let words: usize = operations.iter().map(|operation| operation.words()).sum();
            starts.push(starts[starts.len() - 1] + 4 * (words + usize::from(*end != End::Next)));
        }
        starts
    }

    /// Byte offset of an operation of a block.
    pub fn offset(&self, block: usize, operation: usize) -> u64 {
        let before: usize = self.blocks[block].0[..operation].iter().map(|operation| operation.words()).sum();
        (self.starts()[block] + 4 * before) as u64
    }

    /// Its code.
    pub fn code(&self) -> Vec<u8> {
        let starts = self.starts();
        let mut code = Vec::new();
        for (operations, end) in &self.blocks {
            operations.iter().for_each(|operation| operation.code(&mut code));
            let branch = |operation: u32, to: usize| {
                let distance = starts[to] as i64 / 4 - code.len() as i64 - 1;
                operation | distance as u32 & 0xffff
            };
            match *end {
                End::Next => {}
                End::Stop => code.push(0xbf81_0000),
                End::Jump(to) => code.push(branch(0xbf82_0000, to)),
                End::Branch(to) => code.push(branch(0xbf84_0000, to)),
            }
        }
        code.iter().flat_map(|word| word.to_le_bytes()).collect()
    }

    /// The blocks that a block leads to.
    pub fn next(&self, block: usize) -> Vec<usize> {
        match self.blocks[block].1 {
            End::Stop => vec![],
            End::Next => vec![block + 1],
            End::Jump(to) => vec![to],
            End::Branch(to) => vec![to, block + 1],
        }
    }
}

/// An operation: loads of few places into few registers, so that paths agree and disagree often.
fn operation() -> impl Strategy<Value = Op> {
    let wide = || prop_oneof![Just(8u8), Just(16), Just(24)];
    let half = || prop_oneof![4 => (2u8..8).prop_map(|n| 4 * n), 1 => Just(4u8)];
    let any = || 0u8..REGISTERS as u8;
    let pointer = || prop_oneof![6 => Just(0u8), 2 => Just(2u8), 1 => (0u8..16).prop_map(|n| 2 * n)];
    let offset = || (0i32..3).prop_map(|n| 0x20 * n);
    let by = || prop_oneof![12 => Just(None), 1 => any().prop_map(Some)];
    let load = |to: BoxedStrategy<u8>, words: u8| {
        (to, pointer(), offset(), 0i32..3, by()).prop_map(move |(to, pointer, offset, part, by)| {
            // Parts of a descriptor are loaded from its parts, mostly.
            let within = if words < 8 { i32::from(to % 8) * 4 } else { 0 };
            let offset = offset + if part > 0 { within } else { 0 };
            Op::Load { to, words, pointer, offset, by }
        })
    };
    prop_oneof![
        6 => load(wide().boxed(), 8),
        4 => load(half().boxed(), 4),
        1 => load((0u8..16).prop_map(|n| 2 * n).boxed(), 2),
        1 => load(any().boxed(), 1),
        3 => (wide(), half(), offset(), by())
            .prop_map(|(to, buffer, offset, by)| Op::BufferLoad { to, words: 8, buffer, offset, by }),
        2 => (any(), any()).prop_map(|(to, from)| Op::Move { to, from, words: 1 }),
        2 => (0u8..16, 0u8..16).prop_map(|(to, from)| Op::Move { to: 2 * to, from: 2 * from, words: 2 }),
        1 => (any(), 0u32..3).prop_map(|(to, word)| Op::Constant { to, word: 0x20 * word }),
        1 => (any(), any(), any()).prop_map(|(to, one, other)| Op::Add { to, one, other }),
        1 => any().prop_map(|to| Op::Lane { to }),
        3 => wide().prop_map(|at| Op::Image { at }),
        4 => (wide(), half()).prop_map(|(at, sampler)| Op::Sample { at, sampler }),
        3 => half().prop_map(|at| Op::Buffer { at }),
    ]
}

/// A copy of a whole descriptor.
fn copy() -> impl Strategy<Value = Vec<Op>> {
    let wide = || prop_oneof![Just(8u8), Just(16), Just(24)];
    (wide(), wide()).prop_map(|(to, from)| {
        (0..4).map(|pair| Op::Move { to: to + 2 * pair, from: from + 2 * pair, words: 2 }).collect()
    })
}

/// A program of at most `most` blocks, whose ways lead to blocks behind only, or to any.
pub fn program(most: usize, loops: bool) -> impl Strategy<Value = Program> {
    let piece = prop_oneof![
        20 => operation().prop_map(|operation| vec![operation]),
        1 => copy(),
        1 => prop_oneof![4 => Just(vec![]), 1 => Just(vec![Op::Unnamed])],
    ];
    let operations = prop::collection::vec(piece, 0..5).prop_map(|pieces| pieces.concat());
    let end = (0u32..10, any::<prop::sample::Index>());
    prop::collection::vec((operations, end), 2..=most).prop_map(move |blocks| {
        let count = blocks.len();
        let blocks = blocks.into_iter().enumerate().map(|(number, (operations, (kind, to)))| {
            let last = number + 1 == count;
            let to = if loops { to.index(count) } else { (number + 1 + to.index(count)).min(count - 1) };
            let end = match kind {
                _ if last && (kind < 8 || !loops) => End::Stop,
                _ if last => End::Jump(to),
                0..=5 => End::Branch(to),
                6 | 7 => End::Next,
                8 => End::Jump(to),
                _ => End::Stop,
            };
            (operations, end)
        });
        Program { blocks: blocks.collect() }
    })
}
