//! Shading, on a ray whose colours come out by hand.
//!
//! The camera looks along -z from the origin at a sphere of radius 1 around (0, 0, -5): it is hit at distance 4, in
//! (0, 0, -4), with the normal along +z. The ambient colour is 16/128, the diffuse 64/128, the specular 0.

use super::{drive, Clocked};
use crate::engine::entry::{Entry, Place, Unshaded};
use crate::engine::shading::Shading;

/// 255 x + 0.5, truncated, of 1/8 (ambient) and of 1/8 + 1/2 (with the light in the normal's direction).
const DARK: u64 = 0x20_2020;
const LIT: u64 = 0x9F_9F9F;
const BACKGROUND: u64 = 0xFF_00FF;
/// A shading starts every so many clocks.
const INTERVAL: u64 = 8;
/// More clocks than four shadings take.
const ENOUGH: u64 = 600;

/// A shader of four contexts, and how reflective its material is, in 1/128.
struct Bench {
    shading: Shading<2>,
    reflection: u64,
    address: u64,
    hit_of: [(u64, u64); 2],
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Seen {
    follow: Option<Entry>,
    finished: Option<(u64, u64, u64)>,
    /// Context, and the sphere if there was a hit.
    start: Option<(u64, Option<u64>)>,
    shaded: Option<u64>,
}

impl Bench {
    fn new(light_z: f32, reflection: u64, depth: u64, shadows: bool) -> Self {
        let mut shading = Shading::<2>::new(INTERVAL as u32);
        shading.begin();
        drive!(shading.position, [0u32; 3]);
        drive!(shading.light, [0.0, 0.0, light_z].map(f32::to_bits));
        shading.background.next = BACKGROUND.into();
        shading.reflection_depth.next = depth.into();
        shading.shadows.next = shadows;
        for context in 0..4u64 {
            shading.generated.next = true;
            shading.generated_context.next = context.into();
            drive!(shading.generated_direction, [0.0, 0.0, -1.0].map(f32::to_bits));
            shading.opened.next = true;
            shading.opened_context.next = context.into();
            shading.opened_place.next = Place { index: (1000 + context).into(), lap: true };
            shading.look();
            shading.edge();
        }
        shading.generated.next = false;
        shading.opened.next = false;
        Self { shading, reflection, address: 0, hit_of: [(0, 0); 2] }
    }

    /// A clock, with the material of the clock before's address and the hit of that two clocks before: only material 5 is not black, and lanes
    /// other than 2 have no hit worth mentioning.
    fn clock(&mut self) -> Seen {
        let shading = &mut self.shading;
        let [distance, z, inverse] = [4.0, -5.0, 1.0].map(f32::to_bits);
        let [(lane, context), next] = self.hit_of;
        let record = if lane == 2 { [distance, 70 + context as u32, 0, 0, z, inverse, 5] } else { [9; 7] };
        drive!(shading.hit_record, record);
        let words = if self.address == 5 { [0x10_1010, 0x40_4040, 0, self.reflection] } else { [0; 4] };
        drive!(shading.material, words);
        shading.look();
        self.address = shading.material_address.val().to_u64();
        self.hit_of = [next, (shading.hit_lane.val().to_u64(), shading.hit_context.val().to_u64())];
        let seen = Seen {
            follow: shading.follow.val().then(|| shading.follow_entry.val()),
            finished: shading.finished.val().then(|| {
                let place = shading.finished_place.val();
                assert!(place.lap);
                let context = shading.finished_context.val().to_u64();
                (context, place.index.to_u64(), shading.finished_colour.val().to_u64())
            }),
            start: shading.start.val().then(|| {
                let hit = shading.start_hit.val().then(|| shading.start_index.val().to_u64());
                (shading.start_context.val().to_u64(), hit)
            }),
            shaded: shading.shaded.val().then(|| shading.shaded_context.val().to_u64()),
        };
        shading.edge();
        shading.retired.next = false;
        shading.returned.next = false;
        seen
    }

    /// Retires a ray and runs until nothing can be under way.
    fn retire(&mut self, entry: Unshaded) -> Seen {
        self.shading.retired.next = true;
        self.shading.retired_entry.next = entry;
        self.run(ENOUGH)
    }

    fn returned(&mut self, context: u64, seen: bool) -> Seen {
        self.shading.returned.next = true;
        self.shading.returned_context.next = context.into();
        self.shading.returned_seen.next = seen;
        self.run(20)
    }

    /// All that is seen in so many clocks, each at most once.
    fn run(&mut self, clocks: u64) -> Seen {
        let mut all = Seen::default();
        for _ in 0..clocks {
            let seen = self.clock();
            assert!(all.follow.is_none() || seen.follow.is_none());
            assert!(all.finished.is_none() || seen.finished.is_none());
            all.follow = all.follow.or(seen.follow);
            all.finished = all.finished.or(seen.finished);
            all.start = all.start.or(seen.start);
            all.shaded = all.shaded.or(seen.shaded);
        }
        assert!(!self.shading.waiting.val());
        all
    }
}

fn primary(context: u64, hit: bool) -> Unshaded {
    Unshaded { context: context.into(), hit, lane: 2.into(), ..Default::default() }
}

fn shadow(context: u64, carry: bool) -> Option<Entry> {
    Some(Entry { context: context.into(), shadow: true, reflection: false, carry })
}

fn reflection(context: u64, carry: bool) -> Option<Entry> {
    Some(Entry { context: context.into(), shadow: false, reflection: true, carry })
}

#[test]
fn a_shadow_ray_chooses_between_the_two_colours() {
    for (seen, colour) in [(true, LIT), (false, DARK)] {
        let mut bench = Bench::new(10.0, 0, 4, true);
        let outcome = bench.retire(primary(2, true));
        assert_eq!(outcome.start, Some((2, Some(72))));
        assert_eq!(outcome.shaded, Some(2));
        assert_eq!((outcome.follow, outcome.finished), (shadow(2, false), None));
        assert_eq!(bench.returned(2, seen).finished, Some((2, 1002, colour)));
    }
}

#[test]
fn what_needs_no_shadow_ray_is_finished_at_once() {
    // Shadows are off: the light is seen. The light is behind the surface: it is not.
    for (light, shadows, colour) in [(10.0, false, LIT), (-100.0, true, DARK), (-100.0, false, DARK)] {
        let outcome = Bench::new(light, 0, 4, shadows).retire(primary(1, true));
        assert_eq!((outcome.follow, outcome.finished), (None, Some((1, 1001, colour))));
    }
}

#[test]
fn a_primary_ray_that_misses_is_not_shaded() {
    let mut bench = Bench::new(10.0, 0x40, 4, true);
    bench.shading.returned_missed.next = true;
    let outcome = bench.returned(3, true);
    assert_eq!(outcome, Seen { finished: Some((3, 1003, BACKGROUND)), ..Seen::default() });
    // The datapath would have said the same.
    let outcome = Bench::new(10.0, 0x40, 4, true).retire(primary(3, false));
    assert_eq!((outcome.follow, outcome.finished), (None, Some((3, 1003, BACKGROUND))));
    assert_eq!(outcome.start, Some((3, None)));
}

#[test]
fn a_mirror_sends_a_reflection_ray_with_or_after_the_shadow_ray() {
    // The light may be seen: a shadow ray first, which knows that more follows.
    let outcome = Bench::new(10.0, 0x40, 4, true).retire(primary(0, true));
    assert_eq!((outcome.follow, outcome.finished), (shadow(0, true), None));
    // It cannot, or need not be asked.
    let outcome = Bench::new(-100.0, 0x40, 4, true).retire(primary(0, true));
    assert_eq!((outcome.follow, outcome.finished), (reflection(0, false), None));
    let outcome = Bench::new(10.0, 0x40, 4, false).retire(primary(0, true));
    assert_eq!((outcome.follow, outcome.finished), (reflection(0, true), None));
}

#[test]
fn the_carry_says_which_colour_a_reflection_adds_to() {
    // Half of the surface's colour, 5/16 lit or 1/16 dark, and half of the background's.
    for (carry, colour) in [(true, 0xCF_50CF), (false, 0x8F_108F)] {
        let mut bench = Bench::new(10.0, 0x40, 4, true);
        bench.retire(primary(1, true));
        let outcome = bench.retire(Unshaded { reflection: true, carry, ..primary(1, false) });
        assert_eq!((outcome.follow, outcome.finished), (None, Some((1, 1001, colour))));
    }
}

#[test]
fn reflections_end_at_the_depth_asked_for() {
    for depth in [0, 1, 2, 15] {
        let mut bench = Bench::new(10.0, 0x40, depth, false);
        let mut outcome = bench.retire(primary(2, true));
        for _ in 0..depth {
            assert_eq!((outcome.follow, outcome.finished), (reflection(2, true), None), "depth {depth}");
            // The reflected ray meets the sphere again, from a point where the sums do not matter here.
            outcome = bench.retire(Unshaded { reflection: true, carry: true, ..primary(2, true) });
            if outcome.follow.is_some_and(|entry| !entry.carry) {
                outcome.follow = reflection(2, true);
            }
        }
        assert_eq!(outcome.follow, None, "depth {depth}");
        assert!(outcome.finished.is_some());
        // The next pixel in this context starts over.
        assert_eq!(bench.retire(primary(2, true)).follow.is_some(), depth > 0);
    }
}

#[test]
fn shadings_start_an_interval_apart_in_the_order_of_arrival() {
    let mut bench = Bench::new(10.0, 0, 4, false);
    let (mut starts, mut finished) = (vec![], vec![]);
    for clock in 0..ENOUGH {
        if let Some(&context) = [3u64, 0, 2, 1].get(clock as usize) {
            bench.shading.retired.next = true;
            bench.shading.retired_entry.next = primary(context, true);
        }
        let seen = bench.clock();
        starts.extend(seen.start.map(|(context, _)| (clock, context)));
        finished.extend(seen.finished.map(|(context, _, _)| context));
    }
    // Pushed in clock 0, at the head in 2, in its register in 3, read and in registers in 6; then the datapath's clock comes.
    let first = starts[0].0;
    assert!((6..6 + INTERVAL).contains(&first), "{first}");
    assert_eq!(starts, [(first, 3), (first + INTERVAL, 0), (first + 2 * INTERVAL, 2), (first + 3 * INTERVAL, 1)]);
    assert_eq!(finished, [3, 0, 2, 1]);
}

#[test]
fn two_pixels_that_end_in_one_clock_are_both_finished() {
    let mut bench = Bench::new(10.0, 0, 4, false);
    // How long a shading takes.
    bench.shading.retired.next = true;
    bench.shading.retired_entry.next = primary(0, true);
    let ends = (0..ENOUGH).find(|_| bench.clock().shaded.is_some()).expect("it ends") + 1;
    // The second begins in the same phase.
    bench.run(INTERVAL - ends % INTERVAL);
    bench.run(INTERVAL * 6);
    bench.shading.retired.next = true;
    bench.shading.retired_entry.next = primary(3, true);
    let mut finished = vec![];
    for clock in 0..ENOUGH {
        if clock + 1 == ends {
            bench.shading.returned.next = true;
            bench.shading.returned_context.next = 0.into();
            bench.shading.returned_seen.next = false;
        }
        let seen = bench.clock();
        assert_eq!(seen.shaded.is_some(), clock + 1 == ends);
        finished.extend(seen.finished.map(|(context, _, colour)| (clock + 1 - ends, context, colour)));
    }
    assert_eq!(finished, [(5, 0, DARK), (6, 3, LIT)], "the shadow ray's first");
}
