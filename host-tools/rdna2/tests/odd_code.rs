//! Code that is no program, and much of it: an answer or an error, never a panic, in steps that grow with the code. Seconds are
//! shown by `cargo xtask shaders --speed`.

mod large;
mod llvm;
#[allow(dead_code)] // the oracles use all of it
mod programs;

use large::TEN_MEGABYTES;
use proptest::prelude::*;
use rayman_rdna2::trace::{descriptors, Descriptors, Held, Options, Refusal, UnknownPlace, MOST_BLOCKS, MOST_WAYS};
use rayman_rdna2::{Cfg, Wave};

/// Decodes, finds the loops and traces. The steps of each must be at most so many for each instruction and way of the graph.
fn analyse(name: &str, code: &[u8], most: u64) -> (Cfg, Descriptors) {
    let cfg = Cfg::build(code, 0, Wave::W64).expect("an instruction at 0");
    let (instructions, ways) = (cfg.instructions().len() as u64, cfg.graph().edge_count() as u64);
    let loops = cfg.loops();
    let descriptors = descriptors(&cfg, Options::default());
    let accesses = descriptors.accesses.len();
    println!(
        "{name}: {instructions} instructions, {} blocks reached, {ways} ways, {} loops, {accesses} accesses; steps for the loops {}, for \
         the descriptors {}",
        cfg.order().len(),
        loops.all().len(),
        loops.steps(),
        descriptors.steps
    );
    assert!(loops.steps() <= cfg.order().len() as u64 + 2 * ways, "{name}");
    assert!(descriptors.steps <= most * (instructions + ways), "{name}");
    (cfg, descriptors)
}

#[test]
fn ten_megabytes_of_noise_take_steps_by_their_size() {
    let (cfg, _) = analyse("noise", &large::noise(TEN_MEGABYTES), 2);
    assert!(cfg.instructions().len() > TEN_MEGABYTES / 20);
}

#[test]
fn ten_megabytes_of_branches_take_steps_by_their_size() {
    let (cfg, _) = analyse("branches", &large::branches(TEN_MEGABYTES), 2);
    assert!(cfg.order().len() > TEN_MEGABYTES / 8);
}

#[test]
fn ten_megabytes_of_loops_in_loops_take_steps_by_their_size() {
    let (cfg, _) = analyse("loops", &large::loops(TEN_MEGABYTES), 2);
    assert!(cfg.loops().all().len() > TEN_MEGABYTES / 5);
}

#[test]
fn ten_megabytes_of_one_program_take_steps_by_their_size() {
    let (cfg, descriptors) = analyse("one program", &large::one_program(TEN_MEGABYTES), 8);
    assert!(cfg.order().len() > TEN_MEGABYTES / 200);
    let refused = descriptors.accesses.iter().filter(|access| access.descriptor.source.is_err()).count();
    let unreached = descriptors.accesses.iter().filter(|access| access.descriptor.source == Err(Refusal::Unreached));
    assert!(refused < descriptors.accesses.len() && unreached.count() < refused);
}

#[test]
fn first_accesses_of_many_textures_are_looked_for_in_so_many_blocks_and_no_more() {
    const COUNT: usize = 8000;
    let (_, found) = analyse("textures", &large::textures(COUNT), 300);
    assert_eq!(found.textures.len(), COUNT);
    let samplers = found.textures.iter().map(|texture| texture.sampler.clone().expect("each is sampled"));
    let given_up =
        samplers.clone().filter(|sampler| *sampler == Err(Refusal::TooManyBlocks { limit: MOST_BLOCKS })).count();
    // Half of the blocks lie before a texture, so that blocks squared is what all would take.
    assert_eq!(samplers.filter(Result::is_ok).count() + given_up, COUNT);
    assert!((COUNT / 10..COUNT / 2).contains(&given_up), "{given_up}");
    assert!(found.steps < 2 * MOST_BLOCKS);
}

#[test]
fn ten_megabytes_of_a_chain_of_loads_are_refused_by_their_first_cause() {
    // Each load through a buffer is an access as well.
    for (through_buffers, count, most) in [(false, TEN_MEGABYTES / 8, 2), (true, TEN_MEGABYTES / 80, 3)] {
        let (cfg, found) = analyse("chain", &large::chain(count, through_buffers), most);
        let access = found.accesses.last().expect("an access");
        let Err(refusal) = &access.descriptor.source else { panic!("{:?}", access.descriptor) };
        assert!(refusal.to_string().len() < 400, "{refusal}");
        let Refusal::Register { held: Held::LoadedFromUnknown { load, first, why }, .. } = refusal else {
            panic!("{refusal}")
        };
        assert_eq!(*first, cfg.instructions()[1].offset, "the first whose place is not known");
        assert!(*load >= 8 * (count as u64 - 1), "the last: {load:#x}");
        // The cause is told in full, and is no other load of this kind.
        match &**why {
            UnknownPlace::Pointer { held: Held::Loaded { load, .. }, .. } => assert_eq!(*load, 0),
            UnknownPlace::BufferInBuffer(_) => assert!(through_buffers),
            why => panic!("{why}"),
        }
    }
}

#[test]
fn ways_into_joins_are_counted_and_no_more_are_looked_at_than_the_bound() {
    let of = |count| {
        let cfg = Cfg::build(&large::ways(count), 0, Wave::W64).expect("code");
        let found = descriptors(&cfg, Options::default());
        (found.accesses.last().expect("an access").descriptor.source.clone(), found.steps)
    };
    // 729 combinations come to the wide join.
    let (few, steps) = of(80);
    assert!(few.is_ok(), "{few:?}");
    assert!(steps > 729 * 80, "{steps}");
    let (many, more) = of(2000);
    assert_eq!(many, Err(Refusal::TooManyWays { limit: MOST_WAYS }));
    assert!(more < steps + 128 * 2000 + MOST_WAYS, "{more}");
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
