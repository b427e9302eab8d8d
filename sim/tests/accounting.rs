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
use rayman_sim::random::Random;
use rayman_sim::video::StreamReady;
use rayman_sim::Bench;
use stage::{control, counter, scene_with_spheres, Stage};

const LANES: u64 = 1;
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

#[test]
fn every_clock_of_a_frame_is_accounted_for_once() {
    let seed = 5;
    println!("seed {seed}");
    let mut random = Random::new(seed);
    let mut core = rayman_sim::devices::in_crate().expect("the core starts");
    let mut totals = [0; 6];
    for frame in 0..30 {
        let stage = random_stage(&mut random);
        let stalls = if frame % 3 == 0 { 100 } else { 0 };
        core.set_timing(Timing { latency: 1 + random.below(60), stalls, seed: frame, ..Timing::default() });
        // Some streams are taken so slowly that the window fills.
        let stream = if frame % 4 == 1 { StreamReady::Sometimes(1, frame) } else { StreamReady::Always };
        core.set_stream_ready(stream);
        let end = stage.render(&mut core);
        assert_eq!(end.code, ErrorCode::None);
        let cycles = counter(&mut core, "cycles");
        let (used, dead) = (counter(&mut core, "slots_used"), counter(&mut core, "slots_dead"));
        let lost = LOST.map(|name| counter(&mut core, name));
        let what = format!("frame {frame}: {used} used, {dead} dead, {LOST:?} = {lost:?}, {cycles} cycles");
        assert_eq!(used + dead + lost.iter().sum::<u64>(), cycles * LANES, "{what}");
        // A ray meets every sphere, unless it is a shadow ray that has found one.
        let (tests, occluded) = (counter(&mut core, "tests"), counter(&mut core, "occluded"));
        assert!(used + dead <= tests, "{what}, {tests} tests");
        if occluded == 0 {
            assert_eq!((used, dead), (tests, 0), "{what}");
        }
        let stalled = counter(&mut core, "axi_stalls");
        assert!(stalled <= cycles && (stalls == 0 || stalled > 0), "{what}, {stalled} stalls");
        for (total, value) in totals.iter_mut().zip([used, dead].into_iter().chain(lost)) {
            *total += value;
        }
    }
    println!("used, dead, {LOST:?}: {totals:?}");
    // Dead tests are rare: with 16 slots and no pause a kill falls between two tests of its slot.
    let [used, _, rays, spheres, shader, output] = totals;
    let all_but_dead = [used, rays, spheres, shader, output];
    assert!(all_but_dead.iter().all(|total| *total > 0), "the scenes do not show what they are for: {totals:?}");
}
