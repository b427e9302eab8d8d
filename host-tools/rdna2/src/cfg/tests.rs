//! Graphs by hand and, on random code, against answers worked out instruction by instruction.

use std::collections::BTreeSet;

use proptest::prelude::*;

use super::*;
use crate::isa::{Register, RegisterRange};

const NOP: u32 = 0xbf80_0000;
const END: u32 = 0xbf81_0000;
const JUMP: u32 = 0xbf82_0000;
const SCC0: u32 = 0xbf84_0000;
const SCC1: u32 = 0xbf85_0000;
const EXECZ: u32 = 0xbf88_0000;
const EXECNZ: u32 = 0xbf89_0000;
/// s_mov_b32 s0, and a literal word behind it
const MOV: u32 = 0xbe80_03ff;
/// s_setpc_b64 s[0:1]
const SETPC: u32 = 0xbe80_2000;
/// s_call_b64 s[0:1]
const CALL: u32 = 0xbb00_0000;
/// s_and_saveexec_b32 s4, vcc_lo
const SAVE: u32 = 0xbe84_3c6a;
/// s_or_b32 exec_lo, exec_lo, s4
const RESTORE: u32 = 0x887e_047e;
/// In no encoding.
const UNNAMED: u32 = 0xffff_ffff;

fn bytes(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

fn build(words: &[u32]) -> Cfg {
    Cfg::build(&bytes(words), 0, Wave::W32).expect("an instruction at 0")
}

/// A branch in word `at` to word `to`.
fn to(operation: u32, at: usize, to: usize) -> u32 {
    operation | (to as i64 - at as i64 - 1) as u32 & 0xffff
}

fn starts(cfg: &Cfg) -> Vec<u64> {
    cfg.blocks().iter().map(|block| block.start).collect()
}

fn ids(numbers: &[u32]) -> Vec<BlockId> {
    numbers.iter().map(|&number| BlockId(number)).collect()
}

fn sorted(blocks: impl Iterator<Item = BlockId>) -> Vec<u32> {
    let mut numbers: Vec<_> = blocks.map(|block| block.0).collect();
    numbers.sort_unstable();
    numbers
}

#[test]
fn a_diamond_has_four_blocks() {
    // 0: branch to 3; 1: nop; 2: jump to 4; 3: nop; 4: end
    let cfg = build(&[to(SCC0, 0, 3), NOP, to(JUMP, 2, 4), NOP, END]);
    assert_eq!(starts(&cfg), [0, 4, 12, 16]);
    assert_eq!(sorted(cfg.successors(BlockId(0))), [1, 2]);
    assert_eq!(sorted(cfg.predecessors(BlockId(3))), [1, 2]);
    let dominance = cfg.dominance();
    assert_eq!(dominance.immediate(BlockId(3)), Some(BlockId(0)));
    assert!(dominance.dominates(BlockId(0), BlockId(3)) && !dominance.dominates(BlockId(1), BlockId(3)));
    assert!(cfg.loops().all().is_empty() && cfg.irregularities().is_empty());
    assert_eq!((cfg.order()[0], cfg.order()[3]), (BlockId(0), BlockId(3)));
}

#[test]
fn nested_loops_have_heads_latches_and_bodies() {
    // 0: nop; outer head 1: nop; inner head 2: nop; 3: scc0 to 2; 4: scc1 to 1; 5: end
    let cfg = build(&[NOP, NOP, NOP, to(SCC0, 3, 2), to(SCC1, 4, 1), END]);
    assert_eq!(starts(&cfg), [0, 4, 8, 16, 20]);
    let loops = cfg.loops();
    let [outer, inner] = loops.all() else { panic!("two loops") };
    assert_eq!((outer.head, &outer.latches, outer.outer, outer.reducible), (BlockId(1), &ids(&[3]), None, true));
    assert_eq!((inner.head, &inner.latches, inner.outer, inner.reducible), (BlockId(2), &ids(&[2]), Some(0), true));
    assert_eq!((loops.body(outer), loops.body(inner)), (ids(&[1, 2, 3]), ids(&[2])));
    let innermost = cfg.block_ids().map(|block| loops.innermost(block)).collect::<Vec<_>>();
    assert_eq!(innermost, [None, Some(0), Some(1), Some(0), None]);
    assert_eq!(cfg.heads(), ids(&[1, 2]));
}

#[test]
fn a_loop_with_two_entries_is_not_reducible() {
    // 0: scc0 into the loop's middle, 2; 1: nop; 2: nop; 3: scc1 to 1; 4: end
    let cfg = build(&[to(SCC0, 0, 2), NOP, NOP, to(SCC1, 3, 1), END]);
    let loops = cfg.loops();
    let [only] = loops.all() else { panic!("one loop") };
    assert!(!only.reducible);
    assert_eq!(loops.body(only), ids(&[1, 2]));
}

#[test]
fn a_loop_within_one_with_two_entries_may_be_reducible() {
    // 0: scc0 to 3; head 1: nop; 2: nop; inner head 3: scc1 to 3; 4: scc1 to 1; 5: end
    let cfg = build(&[to(SCC0, 0, 3), NOP, NOP, to(SCC1, 3, 3), to(SCC1, 4, 1), END]);
    let loops = cfg.loops();
    let [outer, inner] = loops.all() else { panic!("two loops") };
    assert_eq!((outer.reducible, loops.body(outer)), (false, ids(&[1, 2, 3])));
    assert_eq!((inner.reducible, loops.body(inner)), (true, ids(&[2])));
}

#[test]
fn loops_are_found_in_steps_that_grow_with_the_program_however_they_overlap() {
    // Every block but the first goes back to the one before it: as many loops, each within all before it.
    let chain = |blocks: usize| (1..blocks).map(|_| SCC0 | 0xfffe).collect::<Vec<_>>();
    // Every block goes on or over the next: nothing but ways across the tree, and one loop around all.
    let ladder =
        |blocks: usize| [vec![SCC0 | 1; blocks - 2], vec![to(SCC1, 0x3fff, 0x3fff - blocks + 2), NOP]].concat();
    // By turns they go over the next two, and back over the two before: each that goes on is come back to from where it leads.
    let comb = |blocks: usize| (0..blocks).map(|at| if at % 2 == 0 { SCC0 | 2 } else { SCC1 | 0xfffc }).collect();
    let shapes: [&dyn Fn(usize) -> Vec<u32>; 3] = [&chain, &ladder, &comb];
    for (shape, make) in shapes.into_iter().enumerate() {
        for blocks in [100, 1000, 10_000] {
            let cfg = build(&[vec![NOP], make(blocks), vec![END]].concat());
            let (loops, blocks, ways) = (cfg.loops(), cfg.blocks().len() as u64, cfg.graph().edge_count() as u64);
            assert!(loops.steps() <= blocks + 2 * ways, "shape {shape}: {} for {blocks}, {ways}", loops.steps());
            assert_eq!(loops.all().len(), cfg.heads().len());
        }
    }
    let deepest = |cfg: &Cfg| {
        let loops = cfg.loops();
        let depth = |block| std::iter::successors(loops.innermost(block), |&one| loops.all()[one].outer).count();
        cfg.block_ids().map(depth).max()
    };
    assert!(deepest(&build(&[vec![NOP], chain(500), vec![END]].concat())) >= Some(490));
}

#[test]
fn a_branch_into_an_instruction_is_an_irregularity_and_no_edge() {
    let cfg = build(&[to(SCC0, 0, 2), MOV, NOP, END]);
    let stray = Stray::Inside { target: 8, instruction: 4 };
    assert_eq!(cfg.irregularities(), [Irregularity::Stray { at: 0, stray }]);
    assert_eq!(sorted(cfg.successors(BlockId(0))), [1]);
}

#[test]
fn code_that_would_run_into_the_middle_of_an_instruction_stops_before_it() {
    // The target, word 3, is decoded by the jump; what stands before it would cover it with its literal.
    let cfg = build(&[to(JUMP, 0, 3), NOP, MOV, NOP, to(JUMP, 4, 1), END]);
    let stray = Stray::Inside { target: 8, instruction: 12 };
    assert_eq!(cfg.irregularities(), [Irregularity::Stray { at: 4, stray }]);
}

#[test]
fn computed_jumps_calls_unnamed_instructions_and_ways_out_are_irregularities() {
    use Irregularity::{Call, Computed, Stray as Strays, Unnamed};
    let irregularities = |words: &[u32]| build(words).irregularities();
    assert_eq!(irregularities(&[NOP, SETPC]), [Computed { at: 4 }]);
    assert_eq!(irregularities(&[to(CALL, 0, 1), END]), [Call { at: 0 }]);
    assert_eq!(irregularities(&[UNNAMED, END]), [Unnamed { at: 0 }]);
    assert_eq!(irregularities(&[NOP]), [Strays { at: 0, stray: Stray::Outside { target: 4 } }]);
    let back = Stray::Outside { target: u64::MAX - 3 };
    assert_eq!(irregularities(&[SCC0 | 0xfffe, END]), [Strays { at: 0, stray: back }]);
    let cut = [bytes(&[NOP, MOV]), vec![1, 2]].concat();
    let cfg = Cfg::build(&cut, 0, Wave::W32).expect("an instruction at 0");
    assert_eq!(cfg.irregularities(), [Strays { at: 0, stray: Stray::Truncated { target: 4 } }]);
}

#[test]
fn code_behind_the_end_is_swept_and_not_reached() {
    let cfg = build(&[END, NOP, to(JUMP, 2, 0), SETPC]);
    assert_eq!(starts(&cfg), [0, 4, 12]);
    assert_eq!(cfg.order(), ids(&[0]));
    assert!(!cfg.is_reached(BlockId(1)) && cfg.irregularities().is_empty() && cfg.heads().is_empty());
}

#[test]
fn where_no_instruction_stands_no_program_starts() {
    assert!(matches!(Cfg::build(&[], 0, Wave::W32), Err(CfgError::Entry(DecodeError::Truncated { .. }))));
    let misaligned = Cfg::build(&bytes(&[NOP, END]), 2, Wave::W32);
    assert!(matches!(misaligned, Err(CfgError::Entry(DecodeError::Misaligned { offset: 2 }))));
    assert_eq!(Cfg::build(&bytes(&[NOP, END]), 4, Wave::W64).map(|cfg| cfg.entry()), Ok(BlockId(1)));
}

#[test]
fn between_are_the_instructions_on_the_way() {
    // 0: nop; head 1: nop; 2: execz to 5; 3: nop (the access); 4: jump to 1; 5: nop; 6: end
    let cfg = build(&[NOP, NOP, to(EXECZ, 2, 5), NOP, to(JUMP, 4, 1), NOP, END]);
    let between = |points: &[usize], to| cfg.between(points, to).iter().collect::<Vec<_>>();
    assert_eq!(between(&[0], 3), [0, 1, 2, 3, 4], "the access lies on a cycle");
    assert_eq!(between(&[2], 5), [1, 2, 3, 4], "round the loop, and not the instruction itself");
    assert_eq!(between(&[5], 3), [0; 0]);
    assert_eq!(between(&[5, 4], 3), [1, 2, 3, 4]);
    assert_eq!(between(&[0], 0), [0; 0], "the way to it is over before it begins");
}

#[test]
fn a_mask_region_is_saved_skipped_and_restored() {
    // 0: save; 1: execz to 4; 2: scc0 to 4; 3: nop; 4: restore; 5: end
    let cfg = build(&[SAVE, to(EXECZ, 1, 4), to(SCC0, 2, 4), NOP, RESTORE, END]);
    let saved = SavedMask { at: 0, registers: RegisterRange { first: Register::Sgpr(4), words: 1 } };
    let region =
        MaskRegion { branch: 1, saved: Some(saved), body: ids(&[1, 2]), join: Some(BlockId(3)), restored: Some(4) };
    assert_eq!(cfg.mask_regions(&cfg.dominance()), [region]);
}

#[test]
fn the_region_of_a_branch_taken_with_lanes_is_its_target() {
    // A loop over lanes: 0: nop; head 1: nop; 2: execnz to 1; 3: end. The head is entered from 0 too: no body.
    let cfg = build(&[NOP, NOP, to(EXECNZ, 2, 1), END]);
    let [region] = &cfg.mask_regions(&cfg.dominance())[..] else { panic!("one region") };
    assert_eq!((region.branch, &region.body, region.join, region.saved), (2, &vec![], Some(BlockId(2)), None));
    // 0: execnz to 2; 1: end; 2: nop; 3: jump to 1
    let cfg = build(&[to(EXECNZ, 0, 2), END, NOP, to(JUMP, 3, 1)]);
    let [region] = &cfg.mask_regions(&cfg.dominance())[..] else { panic!("one region") };
    assert_eq!((&region.body, region.join), (&ids(&[2]), Some(BlockId(1))));
}

/// Words of code: mostly branches near by.
fn random_code() -> impl Strategy<Value = Vec<u32>> {
    let word = prop_oneof![
        4 => Just(NOP),
        1 => Just(END),
        2 => Just(MOV),
        1 => prop_oneof![Just(SETPC), Just(UNNAMED), Just(RESTORE), Just(SAVE)],
        8 => (prop_oneof![Just(JUMP), Just(SCC0), Just(SCC1), Just(EXECZ), Just(EXECNZ), Just(CALL)], -6i16..10)
            .prop_map(|(operation, words)| operation | u32::from(words as u16)),
    ];
    // A literal never is the first instruction without its word.
    prop::collection::vec(word, 1..40).prop_map(|words| [words, vec![END]].concat())
}

/// Where each instruction may be followed by which, by index, as the instructions themselves say.
fn follow(cfg: &Cfg) -> Vec<Vec<usize>> {
    let next = |instruction: &Instruction| {
        let targets = match instruction.flow() {
            Flow::Next | Flow::Unknown => vec![instruction.end()],
            Flow::Branch { target } | Flow::Call { target } => vec![target],
            Flow::Conditional { target, .. } => vec![target, instruction.end()],
            Flow::Computed | Flow::End => vec![],
        };
        targets.into_iter().filter_map(|target| cfg.instruction_at(target)).collect()
    };
    cfg.instructions().iter().map(next).collect()
}

/// All that `next` leads to from `from` in any number of steps, one at least.
fn closure(next: &[Vec<usize>], from: usize) -> BTreeSet<usize> {
    let mut all = BTreeSet::new();
    let mut waiting = next[from].clone();
    while let Some(index) = waiting.pop() {
        if all.insert(index) {
            waiting.extend(&next[index]);
        }
    }
    all
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn blocks_hold_every_instruction_once_and_are_left_at_their_ends(words in random_code()) {
        let cfg = build(&words);
        let mut index = 0;
        for block in cfg.blocks() {
            prop_assert_eq!(block.instructions.start, index);
            prop_assert!(!block.instructions.is_empty());
            let inside = &cfg.instructions()[block.instructions.clone()];
            prop_assert_eq!((block.start, block.end), (inside[0].offset, inside[inside.len() - 1].end()));
            for (one, other) in inside.iter().zip(&inside[1..]) {
                prop_assert!(matches!(one.flow(), Flow::Next | Flow::Unknown));
                prop_assert_eq!(one.end(), other.offset);
            }
            index = block.instructions.end;
        }
        prop_assert_eq!(index, cfg.instructions().len());
        // No branch leads into a block other than to its start.
        for (from, followers) in follow(&cfg).iter().enumerate() {
            for &to in followers {
                let (block, start) = (cfg.block_of(to), cfg.block(cfg.block_of(to)).instructions.start);
                prop_assert!(to == start || (cfg.block_of(from) == block && from + 1 == to));
                prop_assert!(to != start || cfg.successors(cfg.block_of(from)).any(|next| next == block));
            }
        }
    }

    #[test]
    fn reachability_is_that_of_the_instructions(words in random_code(), pick in any::<prop::sample::Index>()) {
        let cfg = build(&words);
        let next = follow(&cfg);
        let point = pick.index(next.len());
        let mut ahead = closure(&next, point);
        ahead.insert(point);
        let reaching: BTreeSet<_> = (0..next.len()).filter(|&from| closure(&next, from).contains(&point)).collect();
        prop_assert_eq!(cfg.reachable_from(&[point]).iter().collect::<BTreeSet<_>>(), ahead.clone());
        prop_assert_eq!(cfg.reaching(point).iter().collect::<BTreeSet<_>>(), reaching);
        for to in 0..next.len() {
            let between: Vec<_> = ahead.iter().copied().filter(|&at| closure(&next, at).contains(&to)).collect();
            prop_assert_eq!(cfg.between(&[point], to).iter().collect::<Vec<_>>(), between);
        }
    }

    #[test]
    fn a_dominator_is_what_no_path_goes_round(words in random_code()) {
        let cfg = build(&words);
        let dominance = cfg.dominance();
        let from_entry = |without: Option<BlockId>| {
            let mut seen = BTreeSet::new();
            let mut waiting = vec![cfg.entry()];
            while let Some(block) = waiting.pop() {
                if Some(block) != without && seen.insert(block) {
                    waiting.extend(cfg.successors(block));
                }
            }
            seen
        };
        let reached = from_entry(None);
        prop_assert_eq!(&reached, &cfg.order().iter().copied().collect::<BTreeSet<_>>());
        for above in cfg.block_ids() {
            let without = from_entry(Some(above));
            for below in cfg.block_ids() {
                let expected = reached.contains(&below) && !without.contains(&below);
                prop_assert_eq!(dominance.dominates(above, below), expected, "{} over {}", above, below);
            }
        }
    }

    #[test]
    fn every_cycle_passes_a_loops_head(words in random_code()) {
        let cfg = build(&words);
        let heads: BTreeSet<_> = cfg.heads().into_iter().collect();
        // Without the heads, blocks follow one another in the order.
        for &block in cfg.order() {
            for next in cfg.successors(block).filter(|next| !heads.contains(next)) {
                prop_assert!(cfg.position(next) > cfg.position(block));
            }
        }
        // By what a loop is: the head and all that lies on a cycle with it, of blocks that do not stand before it.
        let dominance = cfg.dominance();
        let loops = cfg.loops();
        prop_assert_eq!(loops.all().iter().map(|one| one.head).collect::<BTreeSet<_>>(), heads);
        for (number, one) in loops.all().iter().enumerate() {
            let behind = |block: BlockId| cfg.position(block) >= cfg.position(one.head);
            let reach = |next: &dyn Fn(BlockId) -> Vec<BlockId>| {
                let (mut seen, mut waiting) = (BTreeSet::new(), vec![one.head]);
                while let Some(block) = waiting.pop() {
                    let more = next(block).into_iter().filter(|&block| cfg.is_reached(block) && behind(block));
                    waiting.extend(more.filter(|&block| seen.insert(block)));
                }
                seen
            };
            let ahead = reach(&|block| cfg.successors(block).collect());
            let back = reach(&|block| cfg.predecessors(block).collect());
            let body: Vec<_> = ahead.intersection(&back).copied().collect();
            prop_assert_eq!(loops.body(one), body.clone(), "of {}", one.head);
            let latches = cfg.predecessors(one.head).filter(|&from| cfg.goes_back(from, one.head)).collect::<BTreeSet<_>>();
            prop_assert_eq!(&one.latches, &latches.into_iter().collect::<Vec<_>>());
            let entered = |&block: &BlockId| {
                block != one.head && cfg.predecessors(block).any(|from| cfg.is_reached(from) && !body.contains(&from))
            };
            prop_assert_eq!(one.reducible, !body.iter().any(entered), "at {}", one.head);
            prop_assert_eq!(one.reducible, body.iter().all(|&block| dominance.dominates(one.head, block)));
            for block in cfg.block_ids() {
                prop_assert_eq!(loops.contains(one, block), body.contains(&block));
            }
            let around = loops.all().iter().enumerate();
            let around = around.filter(|&(other, outer)| other != number && loops.contains(outer, one.head));
            let nearest = around.min_by_key(|(_, outer)| loops.body(outer).len()).map(|(other, _)| other);
            prop_assert_eq!(one.outer, nearest);
        }
    }

    #[test]
    fn random_bytes_have_a_graph(code in prop::collection::vec(any::<u8>(), 0..400), entry in 0u64..420) {
        if let Ok(cfg) = Cfg::build(&code, entry, Wave::W64) {
            let dominance = cfg.dominance();
            prop_assert!(dominance.dominates(cfg.entry(), cfg.entry()));
            prop_assert!(cfg.mask_regions(&dominance).len() <= cfg.order().len());
            prop_assert!(cfg.loops().all().len() == cfg.heads().len() && cfg.irregularities().len() <= 4 * cfg.instructions().len());
        }
    }
}
