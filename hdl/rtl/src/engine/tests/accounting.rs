//! The engine's events: in each clock of a frame each lane's slot is used, dead, or lost to the cause that its name gives.

use super::{drive, Clocked};
use crate::engine::core::{cause, event, Engine, Intervals};
use rust_hdl_core::prelude::{Bit, Out, Signal};

type Block<const LANES: usize> = Engine<LANES, 3, 4, 3>;

impl<const LANES: usize> Clocked for Block<LANES> {
    fn drive(&mut self, level: rust_hdl_core::prelude::Clock) {
        self.clock.next = level;
    }
    fn reset(&mut self, low: bool) {
        self.reset_n.next = !low;
    }
}

/// What may be chosen in a frame of 6 x 2 pixels.
struct Frame {
    spheres: u64,
    /// Spheres are shown, but for one clock in so many.
    shown: bool,
    pauses: u64,
    /// Pixels are taken.
    taken: bool,
    shadows: bool,
    /// Clocks between two shadings.
    shade: u32,
}

const PLAIN: Frame = Frame { spheres: 3, shown: true, pauses: u64::MAX, taken: true, shadows: false, shade: 4 };
const PIXELS: u64 = 12;

/// How often each event happened, slots were used and dead, and lost to each cause.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Count {
    clocks: u64,
    events: [u64; event::COUNT],
    used: u64,
    dead: u64,
    lost: [u64; cause::COUNT],
}

impl Count {
    fn add<const LANES: usize>(&mut self, engine: &Block<LANES>) {
        let high = |signals: &[Signal<Out, Bit>]| signals.iter().filter(|signal| signal.val()).count() as u64;
        let (used, dead) = (high(&engine.used), high(&engine.dead));
        assert!(engine.used.iter().zip(&engine.dead).all(|(used, dead)| !(used.val() && dead.val())));
        assert_eq!(high(&engine.lost_to), 1, "one cause, clock {}", self.clocks);
        self.clocks += 1;
        self.used += used;
        self.dead += dead;
        for (total, happens) in self.events.iter_mut().zip(&engine.happens) {
            *total += u64::from(happens.val());
        }
        for (total, lost_to) in self.lost.iter_mut().zip(&engine.lost_to) {
            *total += if lost_to.val() { LANES as u64 - used - dead } else { 0 };
        }
    }
}

/// Runs a frame, to its end or for 6000 clocks; answers what happened in it, and in the last 100 clocks.
fn run<const LANES: usize>(frame: &Frame) -> (Count, Count) {
    let mut engine = Block::<LANES>::new(Intervals { ray: 4, shade: frame.shade });
    engine.begin();
    engine.width.next = 6.into();
    engine.height.next = 2.into();
    drive!(engine.camera, [0.0, 0.0, -1.0, 0.3, 0.0, 0.0, 0.0, 0.3, 0.0, 2.5, 0.5f32].map(f32::to_bits));
    drive!(engine.light, [0.0, 4.0, 0.0f32].map(f32::to_bits));
    drive!(engine.material, [0x10_1010u32, 0x40_4040, 0, 0x40]);
    engine.background.next = 0x80_8080.into();
    engine.reflection_depth.next = 1.into();
    engine.shadows.next = frame.shadows;
    engine.sphere_count.next = frame.spheres.into();
    engine.pixel_ready.next = frame.taken;
    for _ in 0..20 {
        engine.look();
        let counted = engine.happens.iter().chain(&engine.used).chain(&engine.dead).chain(&engine.lost_to);
        assert!(counted.into_iter().all(|signal| !signal.val()), "nothing is counted between frames");
        assert!(engine.idle.val());
        engine.edge();
    }
    assert!(engine.idle.val());
    // What slots are is said a clock later.
    engine.counting.next = true;
    engine.look();
    engine.edge();
    engine.start.next = true;
    // Of fifteen all but three are far behind the camera: a large sphere, one before it in part, and one above that hides the light.
    let spheres = [[0.0f32, 0.0, -6.0, 2.0], [1.0, 0.0, -4.0, 0.5], [0.0, 2.0, -2.0, 0.6]];
    let (mut all, mut late) = (Count::default(), Count::default());
    let mut index = 0;
    for clock in 0..6000u64 {
        engine.sphere_valid.next = frame.shown && frame.spheres > 0 && (clock + 1) % frame.pauses != 0;
        engine.sphere_index.next = (index as u64).into();
        let [x, y, z, radius] = spheres.get(index % 15).copied().unwrap_or([0.0, 0.0, 500.0, 0.1]);
        drive!(engine.sphere, [x, y, z, radius * radius, 1.0 / radius].map(f32::to_bits));
        engine.look();
        all.add(&engine);
        if clock >= 5900 {
            late.add(&engine);
        }
        if engine.sphere_valid.val() && engine.sphere_ready.val() {
            index = (index + 1) % frame.spheres as usize;
        }
        engine.edge();
        engine.start.next = false;
        if clock > 0 && engine.idle.val() {
            break;
        }
    }
    let slots = all.used + all.dead + all.lost.iter().sum::<u64>();
    assert_eq!(slots, all.clocks * LANES as u64, "{all:?}");
    (all, late)
}

fn without_shadows<const LANES: usize>() {
    let (all, _) = run::<LANES>(&PLAIN);
    let count = |event: usize| all.events[event];
    assert_eq!((count(event::PRIMARY), count(event::PIXEL), count(event::SHADOW)), (PIXELS, PIXELS, 0));
    assert!(count(event::HIT) > 0 && count(event::REFLECTION) > 0 && count(event::REFLECTION) <= count(event::HIT));
    assert_eq!(count(event::TESTS), PIXELS + count(event::REFLECTION), "rays that joined");
    assert_eq!((all.used, all.dead), (3 * count(event::TESTS), 0));
    assert_eq!((count(event::OCCLUDED), all.lost[cause::SPHERES]), (0, 0));
    assert!(all.lost[cause::RAYS] > 0);
}

#[test]
fn without_shadows_every_test_is_used() {
    without_shadows::<1>();
    without_shadows::<3>();
}

fn hidden_light<const LANES: usize>(pauses: u64) -> bool {
    // Many spheres, so that a ray is still being tested when its hit is known.
    let spheres = 60;
    let (all, _) = run::<LANES>(&Frame { spheres, pauses, shadows: true, ..PLAIN });
    let count = |event: usize| all.events[event];
    assert_eq!(count(event::PIXEL), PIXELS);
    assert_eq!(count(event::TESTS), PIXELS + count(event::SHADOW) + count(event::REFLECTION));
    assert!(count(event::OCCLUDED) > 0 && count(event::OCCLUDED) <= count(event::SHADOW));
    assert!(all.used + all.dead < spheres * count(event::TESTS), "a killed ray's slot is free");
    assert!(all.lost[cause::SPHERES] > 0);
    all.dead > 0
}

#[test]
fn a_hidden_light_leaves_dead_tests() {
    // A kill comes a fixed time after its test: whether a test is in its way depends on how the spheres pause.
    assert!((7..60).any(hidden_light::<1>));
    assert!((7..60).any(hidden_light::<2>));
}

#[test]
fn lost_slots_have_the_cause_that_their_name_gives() {
    // No sphere is ever shown.
    let (_, late) = run::<1>(&Frame { shown: false, ..PLAIN });
    assert_eq!(late.lost[cause::SPHERES], 100);
    // Nobody takes the pixels: eight of the twelve fill the window.
    let (all, late) = run::<2>(&Frame { taken: false, ..PLAIN });
    assert_eq!((all.events[event::PRIMARY], all.events[event::PIXEL]), (8, 0));
    assert_eq!(late.lost[cause::OUTPUT], 200);
    // A slow shader holds everything up.
    let (slow, _) = run::<1>(&Frame { shade: 64, ..PLAIN });
    // As fast as rays come out of their queue: with 5 it would take every second of the datapath's clocks.
    let (fast, _) = run::<1>(&Frame { shade: 6, ..PLAIN });
    assert!(slow.lost[cause::SHADER] > 5 * fast.lost[cause::SHADER], "{slow:?}, {fast:?}");
    // A scene without spheres wants none.
    let (none, _) = run::<4>(&Frame { spheres: 0, ..PLAIN });
    assert_eq!((none.events[event::PIXEL], none.events[event::HIT], none.events[event::TESTS]), (PIXELS, 0, 0));
    assert_eq!((none.used, none.lost[cause::SPHERES]), (0, 0));
}

#[test]
fn rays_are_counted_alike_with_any_number_of_lanes() {
    let frame = Frame { spheres: 15, shadows: true, ..PLAIN };
    let (one, _) = run::<1>(&frame);
    for (several, lanes) in [(run::<2>(&frame).0, 2), (run::<3>(&frame).0, 3), (run::<4>(&frame).0, 4)] {
        assert_eq!(several.events, one.events, "{lanes} lanes");
    }
}
