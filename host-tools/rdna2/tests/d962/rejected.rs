//! What D962 rejects, each on a shader that shows why.

use std::collections::BTreeSet;

use rayman_model::random::Random;
use rayman_rdna2::wave::{DescriptorUse, End, Program, Refusal, Stop};

use super::fixture::{Fixture, Input};
use super::{input, one, shader, table};

/// The descriptors of an access in one possible run of the hardware, in order.
fn possible_run(fixture: &Fixture, input: &Input, found: DescriptorUse, seed: u64) -> Vec<Vec<u32>> {
    let mut seen = Vec::new();
    let mut chance = Random::new(seed);
    let program = Program::new(&fixture.cfg);
    program.run_by_chance(&input.launch, &input.image, 10_000, &mut chance, &mut |index, state| {
        if index == found.instruction {
            let words = found.words(&fixture.cfg, state);
            seen.push(words.iter().map(|word| word.all().expect("a run by chance knows all")).collect());
        }
    });
    seen
}

/// "Following the loops": what ends them is loaded, so that one input has runs of different lengths.
#[test]
fn no_run_of_the_host_can_follow_a_loop_on_loaded_words() {
    let shader = shader!("loop_holds.s");
    let input = input(&shader);
    let rounds: BTreeSet<usize> =
        (0..50).map(|seed| possible_run(&shader, &input, shader.access("loop"), seed).len()).collect();
    assert!(rounds.len() > 3, "{rounds:?}");
    assert!(matches!(shader.run(&input).end, End::Stopped { stop: Stop::Loop, .. }));
}

/// "Binding the descriptor whenever a probe is recorded": a loop that rewrites the registers reads through others.
#[test]
fn a_recorded_reach_alone_would_bind_a_descriptor_that_later_reaches_do_not_have() {
    let shader = shader!("rewritten.s");
    let input = input(&shader);
    let found = shader.access("loop");
    let recorded = &shader.run(&input).reaches[&found];
    assert_eq!(recorded.descriptors, BTreeSet::from([table::<4>(&input, 0).to_vec()]));
    assert!(!recorded.unknown);
    let others = (0..50)
        .flat_map(|seed| possible_run(&shader, &input, found, seed))
        .filter(|descriptor| !recorded.descriptors.contains(descriptor))
        .count();
    assert!(others > 0);
    assert!(matches!(shader.found(&input, "loop"), Err(Refusal::Written { .. })));
}

/// "Checking only the loop that holds the access": one past a loop is in none, and the run never comes to it.
#[test]
fn an_access_past_a_loop_is_in_none_and_never_reached_by_the_run() {
    let shader = shader!("loop_before.s");
    let input = input(&shader);
    let found = shader.access("access");
    let block = shader.cfg.block_of(found.instruction);
    assert_eq!(shader.cfg.loops().innermost(block), None);
    assert!(!shader.run(&input).reaches.contains_key(&found));
    let mut expected: [u32; 4] = table(&input, 0);
    expected[2] <<= 1;
    assert_eq!(shader.found(&input, "access"), one(expected));
}

/// "Every instruction reachable from the frontier": a rebuild after the last reach would refuse what nothing changes.
#[test]
fn a_rebuild_after_the_last_reach_changes_nothing() {
    let shader = shader!("rebuilt_after.s");
    let input = input(&shader);
    let found = shader.access("loop");
    let End::Stopped { frontier, .. } = shader.run(&input).end else { panic!("a frontier") };
    let points: Vec<usize> = frontier.iter().map(|(index, _)| *index).collect();
    let registers = found.registers(&shader.cfg);
    let writes = |index: usize| shader.cfg.instructions()[index].writes().intersects(&registers);
    assert!(shader.cfg.reachable_from(&points).iter().any(writes));
    assert!(!shader.cfg.between(&points, found.instruction).iter().any(writes));
    assert_eq!(shader.found(&input, "loop"), one(table(&input, 0)));
}
