//! The ray generator.

use super::{drive, Clocked};
use crate::engine::generator::Generator;
use rayman_model::kernels::{primary_ray, PrimaryRayInputs, Triple};
use rayman_model::random::Random;
use rayman_model::{Fp32, Host};
use std::collections::VecDeque;

/// Forward, right, up, centre.
const CAMERA: [f32; 11] = [0.0, 0.0, -1.0, 0.25, 0.0, 0.0, 0.0, 0.25, 0.0, 1.5, 1.0];

/// What the kernel says of a pixel.
fn direction(x: u32, y: u32) -> [u32; 3] {
    let number = |i: usize| Fp32::from_f32(CAMERA[i]);
    let vector = |i: usize| Triple([number(i), number(i + 1), number(i + 2)]);
    let inputs = PrimaryRayInputs::<Host> {
        forward: vector(0),
        right: vector(3),
        up: vector(6),
        centre_x: number(9),
        centre_y: number(10),
        pixel: x | y << 16,
    };
    primary_ray(&mut Host, &inputs).direction.0.map(|word| word.0)
}

/// Four contexts, all free, a ray every 16 clocks.
fn generator(width: u32, height: u32) -> Generator<2> {
    let mut generator = Generator::<2>::new(16);
    generator.begin();
    drive!(generator.camera, CAMERA.map(f32::to_bits));
    generator.width.next = u64::from(width).into();
    generator.height.next = u64::from(height).into();
    generator.room.next = true;
    generator.look();
    assert!(generator.idle.val());
    generator
}

/// What was seen in a frame.
#[derive(Debug, Default)]
struct Frame {
    /// Clock and context of each start.
    opened: Vec<(u64, u64)>,
    /// Clock, context and direction of each ray.
    rays: Vec<(u64, u64, [u32; 3])>,
    blocked: u64,
}

/// Runs a frame; a context is freed `held` clocks after its ray came.
fn frame(generator: &mut Generator<2>, held: u64, clocks: u64, room: impl Fn(u64) -> bool) -> Frame {
    let mut seen = Frame::default();
    let mut in_use = VecDeque::new();
    generator.start.next = true;
    for clock in 0..clocks {
        generator.room.next = room(clock);
        let due = in_use.front().is_some_and(|(at, _)| *at <= clock);
        generator.freed.next = due;
        if due {
            let (_, context): (u64, u64) = in_use.pop_front().expect("one is due");
            generator.freed_context.next = context.into();
        }
        generator.look();
        if generator.open.val() {
            seen.opened.push((clock, generator.open_context.val().to_u64()));
        }
        seen.blocked += u64::from(generator.blocked.val());
        assert!(!(generator.blocked.val() && generator.open.val()));
        if generator.generated.val() {
            let context = generator.generated_context.val().to_u64();
            let direction = [0, 1, 2].map(|i| generator.generated_direction[i].val().to_u64() as u32);
            seen.rays.push((clock, context, direction));
            in_use.push_back((clock + held, context));
        }
        generator.edge();
        generator.start.next = false;
    }
    generator.freed.next = false;
    generator.look();
    seen
}

#[test]
fn every_pixel_starts_once_in_raster_order() {
    for (width, height) in [(4, 3), (1, 5), (5, 1), (1, 1)] {
        let mut generator = generator(width, height);
        // Twice: a second frame starts over.
        for _ in 0..2 {
            let seen = frame(&mut generator, 3, 1500, |_| true);
            let expected: Vec<_> = (0..height).flat_map(|y| (0..width).map(move |x| direction(x, y))).collect();
            assert_eq!(seen.rays.iter().map(|ray| ray.2).collect::<Vec<_>>(), expected);
            assert!(generator.idle.val());
            // Each ray comes a fixed time after its pixel started, for the same context.
            let latency = seen.rays[0].0 - seen.opened[0].0;
            for (opened, ray) in seen.opened.iter().zip(&seen.rays) {
                assert_eq!((opened.0 + latency, opened.1), (ray.0, ray.1));
            }
            assert!(seen.opened.windows(2).all(|pair| pair[1].0 - pair[0].0 >= 16), "the datapath's interval");
            assert_eq!(seen.blocked, 0);
        }
    }
}

#[test]
fn contexts_are_used_again_only_when_they_are_free() {
    let mut generator = generator(9, 1);
    let seen = frame(&mut generator, 400, 3000, |_| true);
    assert_eq!(seen.opened.len(), 9);
    let contexts: Vec<u64> = seen.opened.iter().map(|opened| opened.1).collect();
    assert_eq!(contexts, [0, 1, 2, 3, 0, 1, 2, 3, 0]);
    for i in 4..9 {
        let freed = seen.rays[i - 4].0 + 400;
        assert!(seen.opened[i].0 > freed, "pixel {i} started in clock {}, freed in {freed}", seen.opened[i].0);
    }
    assert_eq!(seen.blocked, 0, "want of contexts is not want of room");
}

#[test]
fn no_context_is_given_twice_whenever_they_are_freed() {
    for seed in 0..8 {
        println!("seed {seed}");
        let mut random = Random::new(seed);
        let mut generator = Generator::<7>::new(4);
        generator.begin();
        drive!(generator.camera, CAMERA.map(f32::to_bits));
        generator.width.next = 50.into();
        generator.height.next = 20.into();
        generator.room.next = true;
        generator.start.next = true;
        let (mut in_use, mut opened, mut due) = (vec![], 0, VecDeque::new());
        for _ in 0..40_000 {
            generator.freed.next = false;
            if !in_use.is_empty() && random.below(12) == 0 {
                let context: u64 = in_use.swap_remove(random.below(in_use.len() as u32) as usize);
                generator.freed.next = true;
                generator.freed_context.next = context.into();
            }
            generator.look();
            if generator.open.val() {
                let context = generator.open_context.val().to_u64();
                assert!(!in_use.contains(&context) && !due.contains(&context), "context {context} is in use");
                due.push_back(context);
                opened += 1;
            }
            if generator.generated.val() {
                let context = generator.generated_context.val().to_u64();
                assert_eq!(due.pop_front(), Some(context), "the ray is that of the pixel that was opened");
                in_use.push(context);
            }
            generator.edge();
            generator.start.next = false;
        }
        generator.look();
        assert_eq!((opened, in_use.len(), generator.idle.val()), (1000, 0, true));
    }
}

#[test]
fn without_room_no_pixel_starts_and_blocked_says_so() {
    let mut generator = generator(2, 1);
    let seen = frame(&mut generator, 3, 600, |clock| clock >= 100);
    // As soon as there is room, and the datapath's clock has come; `open` is a clock later.
    assert!((102..102 + 16).contains(&seen.opened[0].0), "{}", seen.opened[0].0);
    // From the clock after `start` on.
    assert_eq!(seen.blocked, 100);
    assert_eq!(seen.rays.len(), 2);
    // When nothing is left to start, nothing is blocked.
    let mut generator = self::generator(1, 1);
    let seen = frame(&mut generator, 3, 600, |clock| clock < 50);
    assert_eq!((seen.opened.len(), seen.blocked), (1, 0));
}

#[test]
fn a_frame_is_idle_only_when_every_context_is_back() {
    let mut generator = generator(1, 1);
    frame(&mut generator, 10_000, 600, |_| true);
    assert!(!generator.idle.val(), "its pixel is under way");
    generator.freed.next = true;
    generator.freed_context.next = 0.into();
    generator.look();
    generator.edge();
    generator.freed.next = false;
    // It is counted, and then there are none.
    for _ in 0..2 {
        generator.look();
        assert!(!generator.idle.val());
        generator.edge();
    }
    generator.look();
    assert!(generator.idle.val());
}

#[test]
fn a_frame_of_one_pixel_is_not_idle_before_it_is_done() {
    let mut generator = generator(1, 1);
    generator.start.next = true;
    generator.look();
    generator.edge();
    generator.start.next = false;
    for clock in 0..600 {
        generator.look();
        assert!(!generator.idle.val(), "idle in clock {clock}");
        generator.edge();
    }
}
