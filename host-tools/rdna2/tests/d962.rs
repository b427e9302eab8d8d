//! D962, sentence by sentence, on assembled and compiled shaders.

#[path = "d962/compiled.rs"]
mod compiled;
mod fixture;
mod llvm;
#[path = "d962/rejected.rs"]
mod rejected;

use std::collections::BTreeSet;

use fixture::{Fixture, Input};
use rayman_model::random::Random;
use rayman_rdna2::wave::{End, Found, Image, Launch, Limits, Program, Refusal, Segment, Stop};

macro_rules! shader {
    ($name:literal) => {
        Fixture::new($name, include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/d962/", $name)))
    };
}
pub(crate) use shader;

fn input(fixture: &Fixture) -> Input {
    fixture.input(&mut Random::new(962))
}

/// A word of the table that user data 4 and 5 point at.
fn table<const N: usize>(input: &Input, offset: u64) -> [u32; N] {
    input.words((u64::from(input.user[5]) << 32 | u64::from(input.user[4])) + offset)
}

fn one(words: [u32; 4]) -> Found {
    Ok(BTreeSet::from([words.to_vec()]))
}

/// The descriptor that scan.s builds out of the words at 0x10 of its table.
fn scan_descriptor(input: &Input) -> [u32; 4] {
    let words: [u32; 4] = table(input, 0x10);
    let base = (u64::from(words[1] & 0xffff) << 32 | u64::from(words[0])) + 64;
    [base as u32, (base >> 32) as u32 & 0xffff, words[2] << 2, 0x3101_6fac]
}

#[test]
fn the_scans_descriptor_is_exact_in_the_loop_past_the_retry_and_after_it() {
    let scan = shader!("scan.s");
    for seed in 0..20 {
        let input = scan.input(&mut Random::new(seed));
        let expected = one(scan_descriptor(&input));
        for label in ["lookback_load", "retry_load", "past_retry", "after_loop"] {
            assert_eq!(scan.found(&input, label), expected, "{label}");
        }
    }
}

#[test]
fn the_scans_store_behind_the_rebuild_is_refused() {
    let scan = shader!("scan.s");
    let at = scan.object.offset("rebuilt") - 4;
    assert_eq!(scan.found(&input(&scan), "rebuilt"), Err(Refusal::Written { at }));
}

#[test]
fn the_run_stops_at_a_loop_that_it_cannot_decide() {
    let scan = shader!("scan.s");
    let run = scan.run(&input(&scan));
    let End::Stopped { stop: Stop::Loop, frontier } = &run.end else { panic!("a loop, not {:?}", run.end) };
    let [(point, _)] = &frontier[..] else { panic!("one point") };
    assert_eq!(scan.cfg.instructions()[*point].offset, scan.object.offset("past_retry") - 4);
}

#[test]
fn a_block_on_an_unknown_condition_is_entered_and_the_way_past_it_waits() {
    let shader = shader!("skipped_block.s");
    let input = input(&shader);
    let run = shader.run(&input);
    let End::Stopped { stop: Stop::Loop, frontier } = &run.end else { panic!("a loop, not {:?}", run.end) };
    let offsets: Vec<_> = frontier.iter().map(|(index, _)| shader.cfg.instructions()[*index].offset).collect();
    assert_eq!(offsets, [shader.object.offset("round"), shader.object.offset("joined")]);
    // Each point records its own registers.
    let both = BTreeSet::from([table::<4>(&input, 0).to_vec(), table::<4>(&input, 0x10).to_vec()]);
    assert_eq!(shader.found(&input, "joined"), Ok(both));
}

#[test]
fn a_block_on_an_unknown_execution_mask_is_entered_and_the_way_past_it_waits() {
    let shader = shader!("mask_block.s");
    let input = input(&shader);
    let run = shader.run(&input);
    let End::Stopped { stop: Stop::Loop, frontier } = &run.end else { panic!("a loop, not {:?}", run.end) };
    let offsets: Vec<_> = frontier.iter().map(|(index, _)| shader.cfg.instructions()[*index].offset).collect();
    assert_eq!(offsets, [shader.object.offset("round"), shader.object.offset("past")]);
    let mut expected: [u32; 4] = table(&input, 0);
    expected[0] = expected[0].wrapping_add(16);
    assert_eq!(shader.found(&input, "inside"), one(expected));
    assert_eq!(shader.found(&input, "access"), one(expected));
}

#[test]
fn ways_through_blocks_alone_are_all_followed() {
    let shader = shader!("both_ways.s");
    let input = input(&shader);
    let run = shader.run(&input);
    assert!(matches!(run.end, End::Complete), "{:?}", run.end);
    let first: [u32; 4] = table(&input, 0);
    let changed = [first[0], first[1], first[2].wrapping_add(4), first[3]];
    let other: [u32; 4] = table(&input, 0x10);
    assert_eq!(shader.found(&input, "one"), one(first));
    assert_eq!(shader.found(&input, "changed"), one(changed));
    assert_eq!(shader.found(&input, "other"), one(other));
    assert_eq!(shader.found(&input, "joined"), one(other));
    let at = shader.object.offset("different");
    assert_eq!(shader.found(&input, "different"), Err(Refusal::NotKnown { at }));
}

#[test]
fn a_loop_that_the_host_can_decide_is_followed_and_every_reach_is_recorded() {
    let shader = shader!("known_loop.s");
    let input = input(&shader);
    assert!(matches!(shader.run(&input).end, End::Complete));
    let mut words: [u32; 4] = table(&input, 0);
    let mut expected = BTreeSet::from([words.to_vec()]);
    for count in [4, 3, 2] {
        words[2] ^= count;
        expected.insert(words.to_vec());
    }
    assert_eq!(shader.found(&input, "loop"), Ok(expected));
}

#[test]
fn a_loop_that_holds_the_access_is_covered() {
    let shader = shader!("loop_holds.s");
    let input = input(&shader);
    let mut expected: [u32; 4] = table(&input, 0);
    expected[0] = expected[0].wrapping_add(0x100);
    expected[1] &= 0xffff;
    assert_eq!(shader.found(&input, "loop"), one(expected));
}

#[test]
fn a_loop_between_the_descriptor_and_the_access_is_covered() {
    let shader = shader!("loop_before.s");
    let input = input(&shader);
    let mut expected: [u32; 4] = table(&input, 0);
    expected[2] <<= 1;
    assert_eq!(shader.found(&input, "access"), one(expected));
}

#[test]
fn a_write_of_the_registers_on_such_a_path_is_refused() {
    let shader = shader!("rewritten.s");
    let at = shader.object.offset("rewrite");
    assert_eq!(shader.found(&input(&shader), "loop"), Err(Refusal::Written { at }));
}

#[test]
fn an_instruction_without_a_name_fails_the_check_where_it_is_on_a_path() {
    let shader = shader!("unnamed.s");
    let input = input(&shader);
    let at = shader.object.offset("unnamed");
    assert_eq!(shader.found(&input, "behind"), Err(Refusal::Unnamed { at }));
    assert_eq!(shader.found(&input, "named"), one(table(&input, 0)));
    assert_eq!(shader.found(&input, "loop"), one(table(&input, 0)));
}

#[test]
fn a_jump_to_a_computed_address_fails_the_check() {
    let shader = shader!("computed_jump.s");
    let input = input(&shader);
    let at = shader.object.offset("jump");
    for label in ["loop", "access"] {
        assert_eq!(shader.found(&input, label), Err(Refusal::ComputedJump { at }), "{label}");
    }
}

#[test]
fn a_branch_into_an_instruction_fails_the_check() {
    let shader = shader!("into_instruction.s");
    let input = input(&shader);
    let at = shader.object.offset("branch");
    for label in ["loop", "access"] {
        assert_eq!(shader.found(&input, label), Err(Refusal::IntoInstruction { at }), "{label}");
    }
}

#[test]
fn an_access_of_which_no_reach_is_known_is_refused() {
    let shader = shader!("unreached.s");
    let input = input(&shader);
    assert_eq!(shader.found(&input, "dead"), Err(Refusal::NoKnownReach));
    let at = shader.object.offset("loaded");
    assert_eq!(shader.found(&input, "loaded"), Err(Refusal::NotKnown { at }));
}

#[test]
fn running_out_of_a_waves_steps_refuses() {
    let shader = shader!("long_loop.s");
    let input = input(&shader);
    let steps = Limits::default().wave_steps;
    for label in ["before", "after"] {
        assert_eq!(shader.found(&input, label), Err(Refusal::OutOfSteps { steps }), "{label}");
    }
    // With steps enough the loop is followed.
    let limits = Limits { wave_steps: 400_000, preparation_steps: 400_000 };
    let program = Program::new(&shader.cfg);
    let waves = [input.launch.clone()];
    let prepared = program.prepare(&waves, &input.image, limits);
    assert_eq!(prepared.uses[&shader.access("after")], one(table(&input, 0)));
}

#[test]
fn running_out_of_a_preparations_steps_refuses() {
    let shader = shader!("known_loop.s");
    let input = input(&shader);
    let program = Program::new(&shader.cfg);
    let steps = program.run(&input.launch, &input.image, 1000).steps;
    let waves = [input.launch.clone(), input.launch.clone()];
    let found = |preparation_steps| {
        let limits = Limits { wave_steps: 1000, preparation_steps };
        program.prepare(&waves, &input.image, limits).uses[&shader.access("loop")].clone()
    };
    assert!(found(2 * steps).is_ok());
    assert_eq!(found(2 * steps - 1), Err(Refusal::OutOfSteps { steps: steps - 1 }));
}

#[test]
fn words_that_the_dispatch_may_write_are_not_known() {
    let shader = shader!("loop_holds.s");
    let Input { user, launch, .. } = input(&shader);
    let address = u64::from(user[5]) << 32 | u64::from(user[4]);
    let found = |name: &str, writable| {
        let shader = Fixture::new(name, include_str!("d962/loop_holds.s"));
        let mut image = Image::new();
        image.insert(Segment { address, words: (0..8).collect(), writable }).expect("free");
        let program = Program::new(&shader.cfg);
        program.prepare(std::slice::from_ref(&launch), &image, Limits::default()).uses[&shader.access("loop")].clone()
    };
    // The program stores nothing: no word changes while it runs.
    assert_eq!(found("loads alone", true), one([0x100, 1, 2, 3]));
    assert_eq!(found("loads alone", false), one([0x100, 1, 2, 3]));
    // One that stores may have written what is not said to be read only.
    let storing = shader!("rebuilt_after.s");
    let program = Program::new(&storing.cfg);
    let found = |writable| {
        let mut image = Image::new();
        image.insert(Segment { address, words: (0..8).collect(), writable }).expect("free");
        program.prepare(std::slice::from_ref(&launch), &image, Limits::default()).uses[&storing.access("loop")].clone()
    };
    let at = storing.object.offset("loop");
    assert_eq!((found(true), found(false)), (Err(Refusal::NotKnown { at }), one([0, 1, 2, 3])));
}

#[test]
fn a_dispatchs_waves_add_what_each_of_them_finds() {
    let shader = shader!("loop_holds.s");
    let (first, second) = (shader.input(&mut Random::new(1)), shader.input(&mut Random::new(2)));
    let mut image = first.image.clone();
    let address = 0x7000_0000_0000;
    image.insert(Segment { address, words: vec![9; 8], writable: false }).expect("free");
    let mut data: Vec<Option<u32>> = second.user.iter().copied().map(Some).collect();
    (data[4], data[5]) = (Some(address as u32), Some((address >> 32) as u32));
    let waves = [first.launch.clone(), Launch::new(shader.wave).with_user_data(&data)];
    let prepared = Program::new(&shader.cfg).prepare(&waves, &image, Limits::default());
    let mut expected: [u32; 4] = table(&first, 0);
    expected[0] = expected[0].wrapping_add(0x100);
    expected[1] &= 0xffff;
    let both = BTreeSet::from([expected.to_vec(), vec![0x109, 9, 9, 9]]);
    assert_eq!(prepared.uses[&shader.access("loop")], Ok(both));
    // What one wave cannot know is refused for all.
    let waves = [first.launch.clone(), Launch::new(shader.wave)];
    let prepared = Program::new(&shader.cfg).prepare(&waves, &image, Limits::default());
    let at = shader.object.offset("loop");
    assert_eq!(prepared.uses[&shader.access("loop")], Err(Refusal::NotKnown { at }));
}
