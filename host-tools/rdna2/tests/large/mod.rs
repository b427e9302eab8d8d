//! Much code: shapes that make as many instructions, blocks, joins, loops or accesses as ten megabytes can hold.

#![allow(dead_code)] // each user takes some of it

use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;
use rayman_model::random::Random;

use crate::llvm;
use crate::programs::{program, End};
use rayman_rdna2::Wave;

pub const TEN_MEGABYTES: usize = 10_000_000;

/// Words at random.
pub fn noise(bytes: usize) -> Vec<u8> {
    let mut random = Random::new(1);
    let words = std::iter::repeat_with(|| random.next_u64());
    words.take(bytes.div_ceil(8)).flat_map(u64::to_le_bytes).take(bytes).collect()
}

/// Every word a conditional branch, a few words on or back: as many blocks, joins and loop heads as can be.
pub fn branches(bytes: usize) -> Vec<u8> {
    let branch = |word: &[u8]| 0xbf84_0000 | u32::from(word[0] % 31).wrapping_sub(7) & 0xffff;
    noise(bytes).chunks_exact(4).map(branch).flat_map(u32::to_le_bytes).collect()
}

/// Every word a conditional branch back to the word before it: a loop from each word, within those from all before it.
pub fn loops(bytes: usize) -> Vec<u8> {
    let words = std::iter::once(0xbf80_0000_u32).chain(std::iter::repeat(0xbf84_fffe)).take(bytes / 4 - 1);
    words.chain([0xbf81_0000]).flat_map(u32::to_le_bytes).collect()
}

/// Pieces with loads, moves, accesses and branches; each goes on into the next, and a branch leads past it.
pub fn one_program(bytes: usize) -> Vec<u8> {
    let mut runner = TestRunner::deterministic();
    let strategy = program(9, true);
    let pieces: Vec<_> = (0..300)
        .map(|_| {
            let mut piece = strategy.new_tree(&mut runner).expect("a program").current();
            let last = piece.blocks.len() - 1;
            piece.blocks[last].1 = End::Next;
            let code = piece.code();
            // s_cbranch_scc1
            let past = (0xbf85_0000 | (code.len() as u32 / 4)).to_le_bytes();
            [past.to_vec(), code].concat()
        })
        .collect();
    let whole = pieces.iter().cycle().scan(0, |size, piece| {
        *size += piece.len();
        (*size < bytes - 4).then_some(piece)
    });
    whole.flatten().copied().chain(0xbf81_0000_u32.to_le_bytes()).collect()
}

/// So many textures, each sampled twice with two samplers in two blocks: which of them is first is asked of the whole program.
pub fn textures(count: usize) -> Vec<u8> {
    // Loads of a texture and two samplers out of a table, a sample; a branch on; and a sample with the other.
    let texture = |number: usize| {
        let at = 64 * number as u32;
        [
            [0xf40c_0200, 0xfa00_0000 | at],
            [0xf408_0400, 0xfa00_0000 | (at + 32)],
            [0xf408_0500, 0xfa00_0000 | (at + 48)],
            [0xf080_0f08, 2 << 16 | 4 << 21],
            [0xbf84_0000, 0xbf80_0000],
            [0xf080_0f08, 2 << 16 | 5 << 21],
        ]
    };
    let words = (0..count).flat_map(texture).flatten().chain([0xbf81_0000]);
    words.flat_map(u32::to_le_bytes).collect()
}

/// So many blocks: each a buffer load, a write of its descriptor, and a branch back on a loaded word.
pub fn accesses_in_loops(count: usize) -> Vec<u8> {
    let block = "  buffer_load_dword v1, v0, s[0:3], 0 offen\n  s_add_u32 s3, s3, 1\n  v_readfirstlane_b32 s5, v1\n  \
                 s_cmp_eq_u32 s5, 0\n  s_cbranch_scc1 0xfffa\n";
    let object = llvm::assemble(block, Wave::W32);
    let blocks = object.code.iter().copied().cycle().take(object.code.len() * count);
    blocks.chain(0xbf81_0000_u32.to_le_bytes()).collect()
}

/// So many loads, each by what the one before it loaded, through pointers or through buffers; and an access of what the last loaded.
pub fn chain(count: usize, through_buffers: bool) -> Vec<u8> {
    let (load, access) = match through_buffers {
        false => ("s_load_dwordx2 s[0:1], s[0:1], 0x0", "s_load_dwordx4 s[4:7], s[0:1], 0x0"),
        true => ("s_buffer_load_dwordx4 s[0:3], s[0:3], 0x0", "s_mov_b64 s[4:5], s[0:1]"),
    };
    let load = llvm::assemble(load, Wave::W32).code;
    let end = llvm::assemble(&format!("{access}\nbuffer_load_dword v0, off, s[4:7], 0\ns_endpgm"), Wave::W32).code;
    [load.repeat(count), end].concat()
}

/// An access of a descriptor whose words are loaded one by one from one place, in three ways each but the first: 3^6 combinations. The
/// first is loaded in one way or another on the way to a join of so many ways, whose registers are all different.
pub fn ways(count: usize) -> Vec<u8> {
    let load = |word: usize| format!("s_load_dword s{}, s[2:3], {:#x}\n", 8 + word, 4 * word);
    let mut code = load(0) + &load(7);
    for way in 0..count {
        if way == count / 2 {
            code += &load(0);
        }
        code += &format!("s_movk_i32 s40, {way}\ns_cbranch_scc1 .Lwide\n");
    }
    code += ".Lwide:\n";
    for word in 1..7 {
        let load = load(word);
        code += &format!("{load}s_cbranch_scc1 .L{word}\n{load}s_cbranch_vccz .L{word}\n{load}.L{word}:\n");
    }
    code += "s_waitcnt lgkmcnt(0)\nimage_load v[0:3], v[0:1], s[8:15] dmask:0xf dim:SQ_RSRC_IMG_2D\ns_endpgm\n";
    llvm::assemble(&code, Wave::W64).code
}

/// So many branches on SCC, each to a block of its own, of one word; these one after the other, a branch back to the first, and an
/// access behind them. At most 32,766, as a branch leads no further.
pub fn ladder(count: u32) -> Vec<u8> {
    let end = llvm::assemble("buffer_load_dword v0, off, s[4:7], 0\ns_endpgm", Wave::W32).code;
    // s_cbranch_scc1, each to the word that is as far behind the last of them as it is behind the first; s_nop; s_cbranch_vccz back
    // to the first of those.
    let branches = std::iter::repeat_n(0xbf85_0000 | count, count as usize);
    let words = branches.chain([0xbf80_0000]).chain(std::iter::repeat_n(0xbf80_0000, count as usize));
    let back = 0xbf86_0000 | (count + 1).wrapping_neg() & 0xffff;
    words.chain([back]).flat_map(u32::to_le_bytes).chain(end).collect()
}
