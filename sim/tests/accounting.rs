//! Where the clocks of a frame go: the counters that are a property of the build must add up, on any scene.
//!
//! Every clock of a frame, a lane either tests or has lost its slot to exactly one cause:
//! `slots_used + slots_dead + lost_rays + lost_spheres + lost_shader + lost_output = cycles x lanes`.

#[path = "behaviour/stage.rs"]
#[allow(dead_code)] // the suite uses the rest
mod stage;

use rayman_abi::ErrorCode;
use rayman_driver::scene::Sphere;
use rayman_sim::axi_slave::Timing;
use rayman_sim::devices::{in_crate, InCrateCore};
use rayman_sim::random::Random;
use rayman_sim::video::StreamReady;
use rayman_sim::Bench;
use stage::{control, counter, scene_with_spheres, Stage};

const LOST: [&str; 4] = ["lost_rays", "lost_spheres", "lost_shader", "lost_output"];

/// A few spheres about the place that the camera looks at, and a picture of a few pixels.
fn random_stage(random: &mut Random) -> Stage {
    let spheres = (0..random.below(12))
        .map(|_| {
            let mut within = |low: f64, high: f64| low + (high - low) * f64::from(random.below(1000)) / 1000.0;
            let (centre, radius) = ([within(-2.0, 2.0), within(-1.0, 2.0), within(-2.0, 2.0)], within(0.1, 1.2));
            Sphere {
                centre: centre.map(|value| value as f32),
                radius: radius as f32,
                material: random.below(2) as usize,
            }
        })
        .collect();
    let mut stage = Stage::of(&scene_with_spheres(spheres));
    stage.size(1 + random.below(9), 1 + random.below(7));
    stage.control = control(random.below(4), random.chance(170), random.chance(128));
    stage
}

/// A frame's slots: used, dead, lost to rays, spheres, the shader, the output. They add up, and fit the other counters.
fn slots(core: &mut InCrateCore, lanes: u32, what: &str) -> [u64; 6] {
    let cycles = counter(core, "cycles");
    let (used, dead) = (counter(core, "slots_used"), counter(core, "slots_dead"));
    let lost = LOST.map(|name| counter(core, name));
    let what = format!("{what}: {used} used, {dead} dead, {LOST:?} = {lost:?}, {cycles} cycles, {lanes} lane(s)");
    assert_eq!(used + dead + lost.iter().sum::<u64>(), cycles * u64::from(lanes), "{what}");
    // A ray meets every sphere, unless it is a shadow ray that has found one.
    let (tests, occluded) = (counter(core, "tests"), counter(core, "occluded"));
    assert!(used + dead <= tests, "{what}, {tests} tests");
    if occluded == 0 {
        assert_eq!((used, dead), (tests, 0), "{what}");
    }
    let stalled = counter(core, "axi_stalls");
    assert!(stalled <= cycles, "{what}, {stalled} stalls");
    let [rays, spheres, shader, output] = lost;
    [used, dead, rays, spheres, shader, output]
}

/// Fifty scenes for each number of lanes.
#[test]
fn every_slot_of_200_random_scenes_is_accounted_for_once() {
    let seed = 5;
    println!("seed {seed}");
    let mut random = Random::new(seed);
    let mut totals = [0; 6];
    for lanes in 1..=4 {
        let mut core = in_crate(lanes).expect("the core starts");
        for frame in 0..50 {
            let stage = random_stage(&mut random);
            let stalls = if frame % 3 == 0 { 100 } else { 0 };
            core.set_timing(Timing { latency: 1 + random.below(60), stalls, seed: frame, ..Timing::default() });
            let stream = if frame % 4 == 1 { StreamReady::Sometimes(30, frame) } else { StreamReady::Always };
            core.set_stream_ready(stream);
            let end = stage.render(&mut core);
            assert_eq!(end.code, ErrorCode::None);
            let slots = slots(&mut core, lanes, &format!("frame {frame}"));
            assert!(stalls == 0 || counter(&mut core, "axi_stalls") > 0);
            for (total, value) in totals.iter_mut().zip(slots) {
                *total += value;
            }
        }
    }
    println!("used, dead, {LOST:?}: {totals:?}");
    // Dead tests are rare: with 16 slots and no pause a kill falls between two tests of its slot. Spheres and the output
    // never hold up frames as small as these.
    let [used, _, rays, _, shader, _] = totals;
    assert!(
        [used, rays, shader].iter().all(|total| *total > 0),
        "the scenes do not show what they are for: {totals:?}"
    );
}

#[test]
fn a_slow_memory_loses_slots_to_the_spheres_and_a_slow_stream_to_the_output() {
    let mut core = in_crate(2).expect("the core starts");
    // More spheres than the core keeps, and a bus that gives a word in ten clocks.
    let sphere = Sphere { centre: [0.0, 0.0, 0.0], radius: 0.5, material: 0 };
    let mut stage = Stage::of(&scene_with_spheres(vec![sphere; 450]));
    stage.size(2, 2);
    core.set_timing(Timing { latency: 10, stalls: 230, seed: 1, ..Timing::default() });
    assert_eq!(stage.render(&mut core).code, ErrorCode::None);
    let [used, _, _, spheres, _, output] = slots(&mut core, 2, "streamed spheres");
    assert!(used > 0 && spheres > 1000 && output == 0, "{spheres} lost to the spheres");
    // More pixels than the window has places, and a stream that takes one in sixteen clocks.
    let mut stage = Stage::of(&scene_with_spheres(vec![]));
    stage.size(100, 80);
    stage.control = control(0, false, true);
    core.set_timing(Timing::default());
    core.set_stream_ready(StreamReady::Sometimes(16, 1));
    assert_eq!(stage.render(&mut core).code, ErrorCode::None);
    let [used, _, _, spheres, _, output] = slots(&mut core, 2, "a slow stream");
    assert!(used == 0 && spheres == 0 && output > 0, "{output} lost to the output");
}
