//! However many threads share the work, nobody can tell.

use super::*;

/// What a frame leaves behind: its picture, beats, bursts, all registers, and what its progress was now and then.
type Trace = (Vec<u32>, Vec<Beat>, Vec<(u32, usize)>, Vec<u32>, Vec<u32>);

const WIDTH: u32 = 160;
const HEIGHT: u32 = 110;

/// A frame of more pixels than are rendered ahead at once, with hits, shadows and reflections.
fn scene() -> World {
    let mut world = World::new(WIDTH, HEIGHT);
    world.material([0.1; 3], [0.5, 0.4, 0.3], [0.4; 3], 0.5, 20);
    world.material([0.2; 3], [0.3, 0.4, 0.5], [0.4; 3], 0.0, 5);
    world.sphere([0.0; 3], 1.5, 0);
    world.sphere([0.0, 3.0, -2.0], 1.0, 1);
    world.sphere([0.0, -101.5, 0.0], 100.0, 1);
    world
}

fn trace(threads: usize, prepare: fn(&mut World)) -> Trace {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads can be had");
    pool.install(|| {
        let mut world = scene();
        prepare(&mut world);
        world.run();
        let mut progress = Vec::new();
        while world.device.advance(&mut world.memory, 500) {
            progress.push(world.progress());
        }
        let registers = register::REGISTERS.iter().map(|register| world.read(*register)).collect();
        let picture = (0..WIDTH * HEIGHT).map(|n| world.memory.words.get(&(FRAMEBUFFER + 4 * n)).copied().unwrap_or(0));
        let beats = std::iter::from_fn(|| world.device.take_beat()).collect();
        (picture.collect(), beats, world.memory.bursts, registers, progress)
    })
}

#[test]
fn one_thread_and_many_give_the_same_frame_and_counters() {
    let (one, mut world) = (trace(1, |_| {}), scene());
    assert!(world.render() == one.0, "as on the threads that there are");
    let counters = ["primary_rays", "shadow_rays", "reflection_rays", "hits", "occluded", "tests"];
    let counted = counters.map(|name| world.counter(name));
    assert!(counted.iter().all(|count| *count > 500), "{counted:?}");
    assert_eq!(one.1.len() as u32, WIDTH * HEIGHT);
    assert!(one.4.windows(2).all(|pair| pair[0] <= pair[1]) && one.4.len() > 30, "progress {:?}", one.4);
    for threads in [2, 5] {
        assert!(trace(threads, |_| {}) == one, "{threads} threads");
    }
}

/// A burst that fails ends the frame where it does on one thread: pixels that were rendered ahead count for nothing.
#[test]
fn a_fault_in_mid_frame_is_the_same_on_any_number_of_threads() {
    let fault = |world: &mut World| {
        world.memory.faults.insert(FRAMEBUFFER + 4 * (3 * WIDTH + 70), BusFault::Slave);
    };
    let one = trace(1, fault);
    assert_eq!((one.2.len(), one.1.len() as u32), (35, 3 * WIDTH + 80), "the burst from pixel 64 on is the last");
    assert!(trace(4, fault) == one);
}

#[test]
fn the_work_of_a_call_is_neither_endless_nor_nothing() {
    let mut world = scene();
    world.run();
    world.device.advance(&mut world.memory, 0);
    world.device.advance(&mut world.memory, 0);
    let mut frame = world.device.frame().expect("the descriptors are read").clone();
    assert_eq!(frame.pixels(), u64::from(WIDTH * HEIGHT));
    let sphere = frame.spheres[0];
    let mut before = frame.pixels_at_once();
    assert!((4096..frame.pixels()).contains(&(before as u64)), "several calls make this frame: {before}");
    while frame.spheres.len() < 200_000 {
        frame.spheres.push(sphere);
        let now = frame.pixels_at_once();
        assert!(now <= before && now >= 16);
        before = now;
    }
    assert!(before < 64, "{before} pixels of 200,000 spheres");
}
