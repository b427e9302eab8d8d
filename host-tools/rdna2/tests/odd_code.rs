//! Code that is no program, and much of it: an answer or an error, never a panic, in bounded time.

#[allow(dead_code)] // the oracles use all of it
mod programs;

use cpu_time::ThreadTime;
use programs::{program, End};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use rayman_model::random::Random;
use rayman_rdna2::trace::{descriptors, Descriptors, Options, Refusal};
use rayman_rdna2::{Cfg, Wave};

const TEN_MEGABYTES: usize = 10_000_000;
/// Seconds that 10 MB of code may take.
const MOST_SECONDS: f64 = 10.0;

/// Decodes and traces; prints the time of the processor that it took and fails if it is too long.
fn analyse(name: &str, code: &[u8]) -> (Cfg, Descriptors) {
    let start = ThreadTime::now();
    let cfg = Cfg::build(code, 0, Wave::W64).expect("an instruction at 0");
    let graph = start.elapsed().as_secs_f64();
    let descriptors = descriptors(&cfg, Options::default());
    let both = start.elapsed().as_secs_f64();
    let (instructions, blocks) = (cfg.instructions().len(), cfg.order().len());
    let accesses = descriptors.accesses.len();
    println!(
        "{name}: {instructions} instructions, {blocks} blocks reached, {accesses} accesses: graph {graph:.2} s, with descriptors {both:.2} s"
    );
    assert!(both < MOST_SECONDS, "{name}: {both:.1} s");
    (cfg, descriptors)
}

fn noise(bytes: usize) -> Vec<u8> {
    let mut random = Random::new(1);
    let words = std::iter::repeat_with(|| random.next_u64());
    words.take(bytes.div_ceil(8)).flat_map(u64::to_le_bytes).take(bytes).collect()
}

#[test]
fn ten_megabytes_of_noise_take_seconds() {
    let (cfg, _) = analyse("noise", &noise(TEN_MEGABYTES));
    assert!(cfg.instructions().len() > TEN_MEGABYTES / 20);
}

#[test]
fn ten_megabytes_of_branches_take_seconds() {
    // Every word a conditional branch, a few words on or back: as many blocks, joins and loop heads as can be.
    let words = noise(TEN_MEGABYTES)
        .chunks_exact(4)
        .map(|word| 0xbf84_0000 | u32::from(word[0] % 31).wrapping_sub(7) & 0xffff)
        .collect::<Vec<_>>();
    let code: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    let (cfg, _) = analyse("branches", &code);
    assert!(cfg.order().len() > TEN_MEGABYTES / 8);
}

#[test]
fn ten_megabytes_of_one_program_take_seconds() {
    let mut runner = TestRunner::deterministic();
    let strategy = program(9, true);
    let pieces: Vec<_> = (0..300)
        .map(|_| {
            let mut piece = strategy.new_tree(&mut runner).expect("a program").current();
            // Each piece goes on into the next, and a branch leads past it: s_cbranch_scc1.
            let last = piece.blocks.len() - 1;
            piece.blocks[last].1 = End::Next;
            let code = piece.code();
            let past = (0xbf85_0000 | (code.len() as u32 / 4)).to_le_bytes();
            [past.to_vec(), code].concat()
        })
        .collect();
    let mut code: Vec<u8> = pieces
        .iter()
        .cycle()
        .scan(0, |size, piece| {
            *size += piece.len();
            (*size < TEN_MEGABYTES - 4).then_some(piece)
        })
        .flatten()
        .copied()
        .collect();
    code.extend(0xbf81_0000_u32.to_le_bytes());
    let (cfg, descriptors) = analyse("one program", &code);
    assert!(cfg.order().len() > TEN_MEGABYTES / 200);
    let refused = descriptors.accesses.iter().filter(|access| access.descriptor.source.is_err()).count();
    let unreached = descriptors.accesses.iter().filter(|access| access.descriptor.source == Err(Refusal::Unreached));
    assert!(refused < descriptors.accesses.len() && unreached.count() < refused);
}

/// Words that decode to something, mostly.
fn word() -> impl Strategy<Value = u32> {
    let part = |base: u32| any::<u32>().prop_map(move |bits| base | bits & 0x03ff_ffff);
    prop_oneof![
        2 => any::<u32>(),
        2 => part(0xf400_0000),
        2 => part(0xf000_0000),
        1 => part(0xe000_0000),
        2 => any::<u32>().prop_map(|bits| 0xbe80_0000 | bits & 0x7f_ffff),
        3 => (0u32..32, -9i16..9).prop_map(|(operation, words)| 0xbf80_0000 | operation << 16 | u32::from(words as u16)),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(2000) })]

    #[test]
    fn no_words_make_it_panic(words in prop::collection::vec(word(), 1..60), cut in 0usize..4, wide: bool) {
        let mut code: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        code.truncate(code.len() - cut);
        let wave = if wide { Wave::W64 } else { Wave::W32 };
        if let Ok(cfg) = Cfg::build(&code, 0, wave) {
            let found = descriptors(&cfg, Options::default());
            // What is shown of an answer does not panic either.
            for access in &found.accesses {
                let text = match &access.descriptor.source {
                    Ok(found) => found.source.to_string(),
                    Err(refusal) => refusal.to_string(),
                };
                prop_assert!(!text.is_empty());
            }
        }
    }
}
