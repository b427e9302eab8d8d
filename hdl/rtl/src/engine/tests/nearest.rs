//! The nearest hit of each ray.

use super::{drive, Clocked};
use crate::engine::entry::Tag;
use crate::engine::nearest::Nearest;

type Block = Nearest<4, 2>;

/// A test's result.
#[derive(Clone, Copy, Debug)]
struct Given {
    tag: Tag,
    hit: bool,
    distance: u64,
}

#[derive(Clone, Debug, PartialEq)]
struct Outcome {
    /// Context, and the record's distance and sphere.
    written: Option<(u64, u64, u64)>,
    /// Context and whether it has hit.
    retired: Option<(u64, bool)>,
    killed: Option<(u64, u64)>,
}

const NOTHING: Outcome = Outcome { written: None, retired: None, killed: None };

/// A block whose ring holds sphere `i + 10` at turn `i`.
fn block() -> Block {
    let mut block = Block::default();
    block.begin();
    block.sphere_valid.next = true;
    for turn in 0..16u64 {
        block.sphere_turn.next = turn.into();
        drive!(block.sphere, [turn + 10, 1, 2, 3, 4, turn % 8]);
        block.look();
        block.edge();
    }
    block.sphere_valid.next = false;
    block.limit.next = 1000.into();
    block
}

/// Gives results in every fourth clock, no oftener than a slot's come; answers what comes of each: a hit that is written
/// two clocks after it, a ray that retires in the one after that.
fn run(block: &mut Block, given: &[Given]) -> Vec<Outcome> {
    let mut outcomes = vec![];
    for given in given {
        block.next_tag.next = given.tag;
        block.look();
        assert_eq!(block.limit_context.val().to_u64(), given.tag.context.to_u64() % 16);
        block.edge();
        block.next_tag.next = Tag::default();
        block.hit.next = given.hit;
        block.distance.next = given.distance.into();
        let seen: Vec<_> = [true, false, false, false]
            .map(|done| {
                block.done.next = done;
                block.look();
                let outcome = outcome(block);
                block.edge();
                outcome
            })
            .into();
        assert_eq!(seen[..2], [NOTHING, NOTHING]);
        let [written, retired] = &seen[2..] else { panic!("four clocks") };
        assert_eq!((written.retired, written.killed, retired.written), (None, None, None));
        outcomes.push(Outcome { written: written.written, ..retired.clone() });
    }
    outcomes
}

fn outcome(block: &Block) -> Outcome {
    let entry = block.retired_entry.val();
    let record = [0, 1].map(|i| block.hit_record[i].val().to_u64());
    Outcome {
        written: block.hit_write.val().then(|| (block.hit_context.val().to_u64(), record[0], record[1])),
        retired: block.retired.val().then(|| (entry.context.to_u64(), block.retired_hit.val())),
        killed: block.kill.val().then(|| (block.kill_slot.val().to_u64(), block.kill_context.val().to_u64())),
    }
}

fn tag(slot: u64, turn: u64) -> Tag {
    Tag { context: (slot + 5).into(), slot: slot.into(), turn: turn.into(), ..Default::default() }
}

fn tests_of(slot: u64, results: &[(u64, Option<u64>)], shadow: bool) -> Vec<Given> {
    let last = results.len() - 1;
    let given = |(i, &(turn, distance)): (usize, &(u64, Option<u64>))| Given {
        tag: Tag { first: i == 0, last: i == last, shadow, ..tag(slot, turn) },
        hit: distance.is_some(),
        distance: distance.unwrap_or(3),
    };
    results.iter().enumerate().map(given).collect()
}

#[test]
fn the_nearest_hit_wins_and_is_written_whenever_it_is_found() {
    let given = tests_of(2, &[(0, None), (1, Some(50)), (2, Some(60)), (3, Some(40)), (4, None)], false);
    let outcomes = run(&mut block(), &given);
    let written: Vec<_> = outcomes.iter().map(|outcome| outcome.written).collect();
    assert_eq!(written, [None, Some((7, 50, 11)), None, Some((7, 40, 13)), None]);
    let retired: Vec<_> = outcomes.iter().map(|outcome| outcome.retired).collect();
    assert_eq!(retired, [None, None, None, None, Some((7, true))]);
    assert!(outcomes.iter().all(|outcome| outcome.killed.is_none()));
}

#[test]
fn a_ray_that_hits_nothing_retires_without_a_hit() {
    let outcomes = run(&mut block(), &tests_of(1, &[(0, None), (1, None)], false));
    assert_eq!(outcomes[1], Outcome { retired: Some((6, false)), ..NOTHING });
    // And one that hits with its only test.
    let outcomes = run(&mut block(), &tests_of(1, &[(9, Some(8))], false));
    assert_eq!(outcomes[0], Outcome { written: Some((6, 8, 19)), retired: Some((6, true)), killed: None });
}

#[test]
fn equal_distances_go_to_the_lower_index_in_any_order() {
    let orders = [[3, 5, 8], [3, 8, 5], [5, 3, 8], [5, 8, 3], [8, 3, 5], [8, 5, 3]];
    for order in orders {
        let results: Vec<_> = order.iter().map(|&turn| (turn, Some(77))).collect();
        let outcomes = run(&mut block(), &tests_of(0, &results, false));
        let best = outcomes.iter().filter_map(|outcome| outcome.written).next_back().expect("a hit was written");
        assert_eq!(best, (5, 77, 13), "order {order:?}");
    }
}

#[test]
fn slots_do_not_disturb_each_other() {
    let near = tests_of(0, &[(1, Some(10)), (2, Some(30))], false);
    let far = tests_of(3, &[(1, Some(90)), (2, Some(80))], false);
    let given = [near[0], far[0], near[1], far[1]];
    let written: Vec<_> = run(&mut block(), &given).iter().map(|outcome| outcome.written).collect();
    assert_eq!(written, [Some((5, 10, 11)), Some((8, 90, 11)), None, Some((8, 80, 12))]);
}

#[test]
fn a_shadow_ray_retires_at_its_first_hit_and_is_ignored_until_a_first_test() {
    let mut block = block();
    let mut given = tests_of(2, &[(0, None), (1, Some(30)), (2, Some(20)), (3, None), (4, Some(5))], true);
    // Then another ray in the same slot.
    let next = Tag { context: 12.into(), ..tag(2, 5) };
    given.push(Given { tag: Tag { first: true, ..next }, hit: true, distance: 400 });
    given.push(Given { tag: Tag { last: true, turn: 6.into(), ..next }, hit: false, distance: 0 });
    let outcomes = run(&mut block, &given);
    assert_eq!(outcomes[0], NOTHING);
    assert_eq!(outcomes[1], Outcome { written: None, retired: Some((7, true)), killed: Some((2, 7)) });
    assert_eq!(outcomes[2..5], [NOTHING, NOTHING, NOTHING], "even its last test");
    assert_eq!(outcomes[5], Outcome { written: Some((12, 400, 15)), ..NOTHING });
    assert_eq!(outcomes[6], Outcome { retired: Some((12, true)), ..NOTHING });
}

#[test]
fn a_shadow_ray_sees_only_what_lies_before_the_light() {
    for (distance, hit) in [(999, true), (1000, false), (1001, false)] {
        let outcomes = run(&mut block(), &tests_of(1, &[(0, Some(distance)), (1, None)], true));
        if hit {
            assert_eq!(outcomes[0].retired, Some((6, true)));
            assert_eq!(outcomes[1], NOTHING);
        } else {
            assert_eq!(outcomes[0], NOTHING);
            assert_eq!(outcomes[1], Outcome { retired: Some((6, false)), ..NOTHING });
        }
    }
    // Its last test needs no kill.
    let outcomes = run(&mut block(), &tests_of(1, &[(0, None), (1, Some(2))], true));
    assert_eq!(outcomes[1], Outcome { retired: Some((6, true)), ..NOTHING });
}

#[test]
fn what_a_ray_is_comes_back_when_it_retires() {
    for (shadow, reflection, carry) in
        [(false, false, false), (true, false, true), (false, true, true), (false, true, false)]
    {
        let mut block = block();
        block.next_tag.next = Tag { shadow, reflection, carry, first: true, last: true, ..tag(0, 0) };
        for done in [false, true, false, false] {
            block.done.next = done;
            block.look();
            block.edge();
        }
        block.look();
        let entry = block.retired_entry.val();
        assert!(block.retired.val());
        assert_eq!((entry.shadow, entry.reflection, entry.carry), (shadow, reflection, carry));
    }
}
