//! The wave run on code that no compiler makes: it ends, and nothing panics.

mod fixture;
mod large;
mod llvm;
#[allow(dead_code)] // for other large code
mod programs;

use fixture::all;
use rayman_model::random::Random;
use rayman_rdna2::trace::{descriptors, Options};
use rayman_rdna2::wave::check::Check;
use rayman_rdna2::wave::{End, Image, Launch, Limits, Program, Refusal, MOST_POINTS};
use rayman_rdna2::{Cfg, Wave};

const LIMITS: Limits = Limits { wave_steps: 3000, preparation_steps: 3000 };

/// Runs code in both ways.
fn run(code: &[u8], wave: Wave, chance: &mut Random) {
    let Ok(cfg) = Cfg::build(code, 0, wave) else { return };
    let program = Program::new(&cfg);
    let user: Vec<u32> = (0..16).map(|_| chance.next_u32()).collect();
    let data: Vec<Option<u32>> = user.iter().copied().map(Some).collect();
    let mut launch = Launch::new(wave).with_user_data(&data);
    if chance.below(2) == 1 {
        launch = launch.with_lanes(chance.next_u64());
        launch.code_address = Some(chance.next_u64());
    }
    let image = Image::with_background(chance.next_u64());
    program.prepare(std::slice::from_ref(&launch), &image, LIMITS);
    let traced = descriptors(&cfg, Options::default());
    let check = Check::new(&program, &traced);
    let prepared = check.prepare(&launch, &image, 500);
    let (_, wrong) = check.run((&launch, &user), &image, &prepared, 500, chance);
    assert_eq!(wrong.iter().find(|wrong| wrong.rule == "D962"), None);
}

#[test]
fn random_words_never_panic_nor_hang() {
    let mut chance = Random::new(4);
    for _ in 0..400 {
        let words = 1 + chance.below(200);
        let code: Vec<u8> = (0..words)
            .map(|_| {
                let word = chance.next_u32();
                match chance.below(4) {
                    // Scalar and short vector encodings fill most of the space; the long ones are met as often by this.
                    0 => 0xd000_0000 | word & 0x0fff_ffff,
                    1 => 0xbf80_0000 | word & 0x000f_001f,
                    2 => 0xe000_0000 | word & 0x1fff_ffff,
                    _ => word,
                }
            })
            .flat_map(u32::to_le_bytes)
            .collect();
        let wave = if chance.below(2) == 0 { Wave::W32 } else { Wave::W64 };
        run(&code, wave, &mut chance);
    }
}

#[test]
fn damaged_shaders_never_panic_nor_hang_and_no_computed_answer_is_wrong() {
    let mut chance = Random::new(5);
    for fixture in all::fixtures() {
        for _ in 0..20 {
            let mut code = fixture.object.code.clone();
            for _ in 0..1 + chance.below(4) {
                let place = chance.below(code.len() as u32) as usize;
                code[place] ^= 1 << chance.below(8);
            }
            code.truncate(code.len() - chance.below(8) as usize);
            run(&code, fixture.wave, &mut chance);
        }
    }
}

#[test]
fn a_megabyte_of_accesses_in_loops_takes_steps_by_its_size() {
    const COUNT: usize = 40_000;
    let code = large::accesses_in_loops(COUNT);
    let cfg = Cfg::build(&code, 0, Wave::W32).expect("code");
    let launch = Launch::new(Wave::W32).with_user_data(&[Some(1); 8]).with_lanes(0xffff_ffff);
    let prepared = Program::new(&cfg).prepare(&[launch], &Image::new(), Limits::default());
    assert_eq!(prepared.uses.len(), COUNT);
    // The run stops at the first branch. Each access comes behind a write of its descriptor.
    assert!(prepared.uses.values().all(|found| *found == Err(Refusal::Written { at: 8 })));
    let most = 8 * (cfg.instructions().len() + cfg.graph().edge_count()) as u64;
    println!("{} instructions, {} steps", cfg.instructions().len(), prepared.steps);
    assert!(prepared.steps <= most, "{} of {most}", prepared.steps);
}

#[test]
fn no_more_ways_wait_than_the_bound_and_a_run_that_has_more_refuses() {
    let of = |count| {
        let cfg = Cfg::build(&large::ladder(count), 0, Wave::W32).expect("code");
        let launch = Launch::new(Wave::W32).with_user_data(&[Some(7); 8]).with_lanes(0xffff_ffff);
        let prepared = Program::new(&cfg).prepare(&[launch], &Image::new(), Limits::default());
        let most = 8 * (cfg.instructions().len() + cfg.graph().edge_count()) as u64;
        println!("{count}: {} instructions, {} steps", cfg.instructions().len(), prepared.steps);
        assert!(prepared.steps <= most, "{} of {most}", prepared.steps);
        assert_eq!(matches!(prepared.runs[0].end, End::OutOfWays), count as usize >= MOST_POINTS);
        prepared.uses.into_values().collect::<Vec<_>>()
    };
    let most = MOST_POINTS as u32;
    // All that wait are joined one after the other, until the loop that they are in is to be decided.
    assert_eq!(of(most - 1), [Ok([vec![7; 4]].into())]);
    // A run that could go on is no frontier.
    assert_eq!(of(most), [Err(Refusal::OutOfWays { limit: MOST_POINTS })]);
    assert_eq!(of(32_766), [Err(Refusal::OutOfWays { limit: MOST_POINTS })]);
}
