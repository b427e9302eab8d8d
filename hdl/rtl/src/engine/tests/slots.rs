//! The slots of a lane.

use super::Clocked;
use crate::engine::entry::{Entry, Tag};
use crate::engine::slots::Slots;

/// Four slots, and spheres that circulate before them.
struct Lane {
    slots: Slots<2>,
    spheres: u64,
    sphere: u64,
}

/// A test as it was issued.
#[derive(Clone, Copy, Debug)]
struct Test {
    clock: u64,
    sphere: u64,
    tag: Tag,
    own: bool,
    dead: bool,
    first_word: u64,
}

fn ray(context: u64, shadow: bool) -> Entry {
    Entry { context: context.into(), shadow, ..Default::default() }
}

impl Lane {
    fn new(spheres: u64) -> Self {
        let mut slots = Slots::<2>::default();
        slots.begin();
        slots.sphere_count.next = spheres.into();
        slots.look();
        slots.edge();
        slots.sphere_valid.next = true;
        Self { slots, spheres, sphere: 0 }
    }

    /// One clock; answers the test issued in it, and whether the offered ray joined.
    fn clock(&mut self, clock: u64, offered: Option<Entry>, kill: Option<(u64, u64)>) -> (Option<Test>, bool) {
        let slots = &mut self.slots;
        slots.sphere_index.next = self.sphere.into();
        slots.ray_valid.next = offered.is_some();
        let entry = offered.unwrap_or_default();
        slots.ray_entry.next = entry;
        slots.ray[0].next = (100 + entry.context.to_u64()).into();
        // Rays that are not primary start on sphere 1.
        slots.ray_start.next = 1.into();
        slots.kill.next = kill.is_some();
        let (slot, context) = kill.unwrap_or_default();
        slots.kill_slot.next = slot.into();
        slots.kill_context.next = context.into();
        slots.look();
        let joined = offered.is_some() && slots.ray_ready.val();
        assert_eq!(joined, slots.loaded.val());
        let test = slots.test_start.val().then(|| Test {
            clock,
            sphere: self.sphere,
            tag: slots.test_tag.val(),
            own: slots.test_own.val(),
            dead: slots.test_dead.val(),
            first_word: slots.test_ray[0].val().to_u64(),
        });
        assert_eq!(slots.turn.val().to_u64(), clock / 4 % 16, "a turn is four clocks");
        assert_eq!(slots.sphere_ready.val(), clock % 4 == 3, "a sphere goes at the turn's end");
        if slots.sphere_ready.val() {
            self.sphere = (self.sphere + 1) % self.spheres;
        }
        slots.edge();
        (test, joined)
    }

    /// Offers one ray from a clock on and kills once; answers all its tests.
    fn run(&mut self, joins: u64, entry: Entry, kill: Option<(u64, u64, u64)>) -> Vec<Test> {
        let mut waits = true;
        let mut tests = vec![];
        for clock in 0..80 {
            let offered = (waits && clock >= joins).then_some(entry);
            let kill = kill.and_then(|(at, slot, context)| (at == clock).then_some((slot, context)));
            let (test, joined) = self.clock(clock, offered, kill);
            waits &= !joined;
            tests.extend(test);
        }
        assert!(!waits);
        tests
    }
}

#[test]
fn a_ray_meets_every_sphere_once_wherever_it_joins() {
    for spheres in [1, 2, 3, 5] {
        for joins in 0..4 * spheres {
            let tests = Lane::new(spheres).run(joins, ray(joins, false), None);
            assert_eq!(tests.len() as u64, spheres, "joined in clock {joins}");
            for (i, test) in tests.iter().enumerate() {
                let i = i as u64;
                assert_eq!(test.clock, joins + 4 * i, "a test a turn");
                assert_eq!(test.sphere, (joins / 4 + i) % spheres);
                assert_eq!(test.tag.first, i == 0);
                assert_eq!(test.tag.last, i == spheres - 1);
                assert_eq!(test.tag.slot.to_u64(), joins % 4);
                assert_eq!(test.tag.turn.to_u64(), test.clock / 4 % 16);
                assert_eq!(test.tag.context.to_u64(), joins);
                assert_eq!(test.first_word, 100 + joins, "its own ray, kept");
                assert!(!test.dead);
            }
        }
    }
}

#[test]
fn with_rays_to_spare_every_clock_has_a_test_and_slots_refill_at_once() {
    let spheres = 3;
    let mut lane = Lane::new(spheres);
    let mut next = 0;
    let mut tests = vec![];
    for clock in 0..60 {
        let (test, joined) = lane.clock(clock, Some(ray(next, false)), None);
        tests.push(test.expect("a test a clock"));
        next += u64::from(joined);
    }
    // Each slot takes a ray every third turn: the first four in turn 0, the next in turn 3.
    for (clock, test) in tests.iter().enumerate() {
        let (slot, turn) = (clock as u64 % 4, clock as u64 / 4);
        assert_eq!(test.tag.context.to_u64(), turn / spheres * 4 + slot);
        assert_eq!(test.tag.first, turn % spheres == 0);
    }
    assert_eq!(next, 20);
}

#[test]
fn a_single_sphere_is_first_and_last() {
    let mut lane = Lane::new(1);
    for clock in 0..12 {
        let (test, joined) = lane.clock(clock, Some(ray(clock, true)), None);
        let test = test.expect("a test a clock");
        assert!(joined && test.tag.first && test.tag.last);
    }
}

#[test]
fn only_rays_that_start_on_a_sphere_own_it() {
    for (entry, owns) in
        [(ray(3, false), false), (ray(3, true), true), (Entry { reflection: true, ..ray(3, false) }, true)]
    {
        let tests = Lane::new(3).run(0, entry, None);
        let own: Vec<u64> = tests.iter().filter(|test| test.own).map(|test| test.sphere).collect();
        assert_eq!(own, if owns { vec![1] } else { vec![] });
    }
}

#[test]
fn a_turn_pauses_while_no_sphere_is_on_show() {
    let mut lane = Lane::new(2);
    let (test, _) = lane.clock(0, Some(ray(1, false)), None);
    assert!(test.is_some());
    lane.clock(1, None, None);
    // Between two clocks of the turn nothing is issued, nothing is taken, nothing moves.
    lane.slots.sphere_valid.next = false;
    for _ in 0..5 {
        lane.slots.ray_valid.next = true;
        lane.slots.look();
        assert!(!lane.slots.test_start.val() && !lane.slots.ray_ready.val() && !lane.slots.loaded.val());
        lane.slots.edge();
    }
    lane.slots.sphere_valid.next = true;
    let mut tests = vec![];
    for clock in 2..16 {
        tests.extend(lane.clock(clock, None, None).0);
    }
    assert_eq!(tests.len(), 1, "the other sphere, once");
    assert_eq!((tests[0].clock, tests[0].sphere, tests[0].tag.last), (4, 1, true));
}

/// A kill in clock `at` takes effect at the slot's first turn that begins two clocks later or more; a test in the clocks
/// between is dead.
#[test]
fn a_kill_takes_effect_two_clocks_later() {
    for slot in 0..4 {
        for at in slot + 1..slot + 14 {
            let tests = Lane::new(8).run(slot, ray(9, true), Some((at, slot, 9)));
            let last = tests.iter().map(|test| test.clock).max().expect("it was tested");
            assert!(last < at + 2 && last + 4 >= at + 2, "slot {slot}, kill in clock {at}, last test in {last}");
            for test in &tests {
                assert_eq!(test.dead, test.clock >= at, "slot {slot}, kill in clock {at}, test in {}", test.clock);
            }
        }
    }
}

#[test]
fn a_killed_slot_takes_the_next_ray_in_that_turn() {
    let mut lane = Lane::new(8);
    lane.clock(0, Some(ray(1, true)), None);
    for clock in 1..4 {
        let kill = (clock == 2).then_some((0, 1));
        lane.clock(clock, None, kill);
    }
    let (test, joined) = lane.clock(4, Some(ray(2, false)), None);
    let test = test.expect("the new ray's first test");
    assert!(joined && test.tag.first && !test.dead);
    assert_eq!(test.tag.context.to_u64(), 2);
}

#[test]
fn a_kill_of_another_context_or_slot_does_nothing() {
    for (slot, context) in [(0, 8), (1, 9), (3, 9)] {
        for at in 1..9 {
            let tests = Lane::new(3).run(0, ray(9, true), Some((at, slot, context)));
            assert_eq!(tests.len(), 3);
            assert!(tests.iter().all(|test| !test.dead));
        }
    }
}

#[test]
fn reset_empties_every_slot() {
    let mut lane = Lane::new(5);
    for clock in 0..4 {
        lane.clock(clock, Some(ray(clock, false)), None);
    }
    lane.slots.reset(true);
    lane.slots.look();
    lane.slots.edge();
    lane.slots.reset(false);
    for clock in 0..16 {
        assert!(lane.clock(clock, None, None).0.is_none());
    }
}
