//! The engine's events: each clock of a frame is exactly one of them, and by the cause that its name gives.

use super::{drive, Clocked};
use crate::engine::core::{event, Engine, Intervals};

type Block = Engine<3, 2, 3>;

impl Clocked for Block {
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

/// Runs a frame, to its end or for 6000 clocks; answers how often each event happened, and how often each did in the
/// last 100 clocks.
fn run(frame: &Frame) -> ([u64; event::COUNT], [u64; event::COUNT]) {
    let mut engine = Block::new(Intervals { ray: 4, shade: frame.shade });
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
        assert!(engine.happens.iter().all(|happens| !happens.val()), "nothing is counted between frames");
        assert!(engine.idle.val());
        engine.edge();
    }
    assert!(engine.idle.val());
    engine.start.next = true;
    engine.counting.next = true;
    // Of fifteen all but three are far behind the camera: a large sphere, one before it in part, and one above that hides the light.
    let spheres = [[0.0f32, 0.0, -6.0, 2.0], [1.0, 0.0, -4.0, 0.5], [0.0, 2.0, -2.0, 0.6]];
    let (mut all, mut late) = ([0; event::COUNT], [0; event::COUNT]);
    let mut index = 0;
    for clock in 0..6000u64 {
        engine.sphere_valid.next = frame.shown && frame.spheres > 0 && (clock + 1) % frame.pauses != 0;
        engine.sphere_index.next = (index as u64).into();
        let [x, y, z, radius] = spheres.get(index % 15).copied().unwrap_or([0.0, 0.0, 500.0, 0.1]);
        drive!(engine.sphere, [x, y, z, radius * radius, 1.0 / radius].map(f32::to_bits));
        engine.look();
        let happens: Vec<bool> = engine.happens.iter().map(|happens| happens.val()).collect();
        let slots = happens[event::USED..].iter().filter(|happens| **happens).count();
        assert_eq!(slots, 1, "clock {clock}: {happens:?}");
        for (event, happens) in happens.into_iter().enumerate() {
            all[event] += u64::from(happens);
            late[event] += u64::from(happens && clock >= 5900);
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
    (all, late)
}

#[test]
fn without_shadows_every_test_is_used() {
    let (all, _) = run(&PLAIN);
    assert_eq!((all[event::PRIMARY], all[event::PIXEL], all[event::SHADOW]), (PIXELS, PIXELS, 0));
    assert!(all[event::HIT] > 0 && all[event::REFLECTION] > 0 && all[event::REFLECTION] <= all[event::HIT]);
    assert_eq!(all[event::TESTS], PIXELS + all[event::REFLECTION], "rays that joined");
    assert_eq!((all[event::USED], all[event::DEAD]), (3 * all[event::TESTS], 0));
    assert_eq!((all[event::OCCLUDED], all[event::LOST_SPHERES]), (0, 0));
    assert!(all[event::LOST_RAYS] > 0);
}

#[test]
fn a_hidden_light_leaves_dead_tests() {
    // Many spheres, so that a ray is still being tested when its hit is known; and pauses, because of a kill that comes
    // a fixed time after its test no test need ever be in its way.
    let spheres = 60;
    let (all, _) = run(&Frame { spheres, pauses: 7, shadows: true, ..PLAIN });
    assert_eq!(all[event::PIXEL], PIXELS);
    assert_eq!(all[event::TESTS], PIXELS + all[event::SHADOW] + all[event::REFLECTION]);
    assert!(all[event::OCCLUDED] > 0 && all[event::OCCLUDED] <= all[event::SHADOW]);
    assert!(all[event::DEAD] > 0, "{all:?}");
    assert!(all[event::USED] + all[event::DEAD] < spheres * all[event::TESTS], "a killed ray's slot is free");
    assert!(all[event::LOST_SPHERES] > 0);
}

#[test]
fn lost_slots_have_the_cause_that_their_name_gives() {
    // No sphere is ever shown.
    let (_, late) = run(&Frame { shown: false, ..PLAIN });
    assert_eq!(late[event::LOST_SPHERES], 100);
    // Nobody takes the pixels: eight of the twelve fill the window.
    let (all, late) = run(&Frame { taken: false, ..PLAIN });
    assert_eq!((all[event::PRIMARY], all[event::PIXEL]), (8, 0));
    assert_eq!(late[event::LOST_OUTPUT], 100);
    // A slow shader holds everything up.
    let (slow, _) = run(&Frame { shade: 64, ..PLAIN });
    let (fast, _) = run(&PLAIN);
    assert!(slow[event::LOST_SHADER] > 300 + fast[event::LOST_SHADER], "{slow:?}, {fast:?}");
    // A scene without spheres wants none.
    let (none, _) = run(&Frame { spheres: 0, ..PLAIN });
    assert_eq!((none[event::PIXEL], none[event::HIT], none[event::TESTS]), (PIXELS, 0, 0));
    assert_eq!((none[event::USED], none[event::LOST_SPHERES]), (0, 0));
}
