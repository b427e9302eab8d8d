//! What the host sees: registers, commands, progress, the interrupt, the stream.

use rayman_abi::register::{command, status};
use rayman_abi::Access;

use super::*;

fn strobed(world: &mut World, register: register::Register, value: u32, strobes: u8) {
    world.device.write(register.offset, value, strobes).expect("a register of the table");
}

/// A frame of two materials with hits, shadows and reflections.
fn scene() -> World {
    let mut world = World::new(12, 7);
    world.material([0.1; 3], [0.5, 0.4, 0.3], [0.4; 3], 0.5, 20);
    world.material([0.2; 3], [0.3, 0.4, 0.5], [0.4; 3], 0.0, 5);
    world.sphere([0.0; 3], 1.5, 0);
    world.sphere([0.0, 3.0, -2.0], 1.0, 1);
    world.sphere([0.0, -101.5, 0.0], 100.0, 1);
    world
}

#[test]
fn registers_after_reset() {
    let world = World { device: Device::default(), memory: Memory::default(), scene: [0; scene::WORDS] };
    for register in register::REGISTERS {
        let want = match register.name {
            "CAPABILITIES" => 256 << 16 | 1,
            "BUILD_PARAMETERS" => 512 << 16 | 16,
            _ => register.reset,
        };
        assert_eq!(world.read(*register), want, "{}", register.name);
    }
    assert_eq!(world.read(register::ID), 0x5241_594D);
    assert_eq!(world.read(register::SCENE_ADDRESS), 0x8000_0000);
    assert!(!world.device.irq());
}

#[test]
fn only_bits_that_exist_are_written_and_only_strobed_bytes() {
    let mut random = Random::for_test("only_bits_that_exist_are_written_and_only_strobed_bytes", 0x5eed_0031);
    let mut world = World::new(1, 1);
    for register in register::REGISTERS {
        for _ in 0..50 {
            let (before, value, strobes) = (world.read(*register), random.next_u32() & !7, random.below(16) as u8);
            strobed(&mut world, *register, value, strobes);
            let bytes = (0..4).filter(|b| strobes >> b & 1 == 1).map(|b| 0xffu32 << (8 * b)).sum::<u32>();
            let writable = register.access == Access::ReadWrite && register.name != "RAYTRACER_COMMAND";
            let mask = if writable { register.mask() & bytes } else { 0 };
            assert_eq!(world.read(*register), before & !mask | value & mask, "{} {strobes:#06b}", register.name);
        }
    }
}

#[test]
fn unmapped_offsets_answer_an_error() {
    let mut world = World::new(1, 1);
    let mapped: Vec<u32> = register::REGISTERS.iter().map(|r| r.offset).collect();
    for offset in (0..0x200).step_by(4) {
        let want = if mapped.contains(&offset) { None } else { Some(SlaveError { offset }) };
        assert_eq!(world.device.read(offset).err(), want);
        let before = world.read(register::BACKGROUND);
        assert_eq!(world.device.write(offset, before, 0).err(), want);
    }
}

#[test]
fn run_is_busy_at_once_and_idle_at_the_end() {
    let mut world = scene();
    assert_eq!((world.read(register::RAYTRACER_COMMAND), world.status()), (command::NOP, status::IDLE));
    world.run();
    assert_eq!((world.read(register::RAYTRACER_COMMAND), world.status()), (command::RUN, status::BUSY));
    assert_eq!(world.progress(), 0);
    let mut last = 0;
    while world.device.advance(&mut world.memory, 1) {
        assert_eq!((world.read(register::RAYTRACER_COMMAND), world.status()), (command::RUN, status::BUSY));
        assert!(!world.device.irq() && world.read(register::IRQ_STATUS) == 0);
        assert!(world.progress() >= last && world.progress() < 255, "progress {}", world.progress());
        last = world.progress();
        assert_eq!(world.read(register::FRAME_COUNT), 0);
    }
    assert!(last > 245);
    assert_eq!(
        (world.read(register::RAYTRACER_COMMAND), world.status(), world.progress()),
        (command::NOP, status::IDLE, 255)
    );
    assert_eq!((world.read(register::IRQ_STATUS), world.read(register::FRAME_COUNT)), (1, 1));
    world.register(register::RAYTRACER_COMMAND, command::CLEAR_IRQ);
    assert_eq!((world.read(register::IRQ_STATUS), world.progress()), (0, 255));
}

#[test]
fn commands_that_do_nothing() {
    let mut world = scene();
    // Idle: STOP, NOP, the reserved ones, and RUN without its byte's strobe.
    for value in [command::NOP, command::STOP, 4, 5, 6, 7, 8] {
        world.register(register::RAYTRACER_COMMAND, value);
        assert!(!world.device.busy(), "{value}");
    }
    strobed(&mut world, register::RAYTRACER_COMMAND, command::RUN, 0b1110);
    assert!(!world.device.busy());
    let want = world.render();
    // Busy: a second RUN, and STOP without its byte's strobe. The interrupt of the frame before stays.
    world.run();
    assert!(world.device.irq(), "RUN does not clear it");
    assert_eq!(world.progress(), 0, "RUN clears it");
    world.device.advance(&mut world.memory, 10);
    world.device.advance(&mut world.memory, 10);
    world.device.advance(&mut world.memory, 10);
    for value in [command::RUN, command::NOP, 4, 5, 6, 7] {
        world.register(register::RAYTRACER_COMMAND, value);
    }
    strobed(&mut world, register::RAYTRACER_COMMAND, command::STOP, 0b1110);
    world.register(register::RAYTRACER_COMMAND, command::CLEAR_IRQ);
    assert!(!world.device.irq(), "CLEAR_IRQ works while busy");
    world.finish();
    assert_eq!((world.picture(), world.read(register::FRAME_COUNT)), (want, 2));
}

/// STOP after any number of pixels: the frame ends, and the next one is whole and right.
#[test]
fn stop_at_any_pixel() {
    let want = scene().render();
    for steps in 0..12 * 7 + 3 {
        let mut world = scene();
        world.run();
        for _ in 0..steps {
            world.device.advance(&mut world.memory, 1);
        }
        let done = !world.device.busy();
        world.register(register::RAYTRACER_COMMAND, command::STOP);
        if done {
            assert_eq!(world.error().0, ErrorCode::None, "STOP while idle is ignored");
            continue;
        }
        // Ignored: the frame is stopping.
        world.run();
        let bursts = world.memory.bursts.len();
        world.finish();
        assert_eq!(world.error(), (ErrorCode::Stopped, 0), "after {steps}");
        assert_eq!(world.memory.bursts.len(), bursts, "no new burst");
        assert!(world.device.irq() && world.progress() < 255 && world.read(register::FRAME_COUNT) == 0);
        while world.device.take_beat().is_some() {}
        assert_eq!(world.render(), want, "after {steps}");
        assert_eq!(world.device.take_beat().map(|b| b.first), Some(true));
    }
}

/// The registers are sampled when RUN is taken: what is written after it belongs to the next frame.
#[test]
fn registers_are_sampled_at_run() {
    let want = scene().render();
    let mut world = scene();
    world.run();
    world.register(register::SCENE_ADDRESS, 0);
    world.register(register::FRAMEBUFFER_ADDRESS, FRAMEBUFFER + 0x8000);
    world.register(register::BACKGROUND, 0x00ff_ffff);
    world.register(register::RENDER_CONTROL, 0);
    world.device.advance(&mut world.memory, 5);
    world.register(register::FRAMEBUFFER_STRIDE, 4000);
    world.finish();
    assert_eq!(world.error(), (ErrorCode::None, 0));
    world.register(register::FRAMEBUFFER_STRIDE, 0);
    assert_eq!(world.picture(), want);
    world.run();
    world.finish();
    assert_eq!(world.error(), (ErrorCode::SceneNull, 0));
}

#[test]
fn stream_has_the_picture_and_its_marks() {
    let mut world = scene();
    let picture = world.render();
    let beats: Vec<Beat> = std::iter::from_fn(|| world.device.take_beat()).collect();
    assert_eq!(beats.iter().map(|b| b.data).collect::<Vec<_>>(), picture);
    for (index, beat) in beats.iter().enumerate() {
        assert_eq!((beat.first, beat.last), (index == 0, index % 12 == 11), "beat {index}");
    }
    // Off: the framebuffer alone.
    world.register(register::RENDER_CONTROL, 0x104);
    assert_eq!(world.render(), picture);
    assert_eq!(world.device.take_beat(), None);
    // Both off: the frame still completes.
    world.register(register::FRAMEBUFFER_ADDRESS, 0);
    let bursts = world.memory.bursts.len();
    world.run();
    world.finish();
    assert_eq!((world.error().0, world.counter("pixels"), world.memory.bursts.len()), (ErrorCode::None, 84, bursts));
}

#[test]
fn frame_waits_for_the_stream() {
    let mut random = Random::for_test("frame_waits_for_the_stream", 0x5eed_0032);
    let want = scene().render();
    let mut world = scene();
    world.device.set_stream_ready(false);
    world.run();
    for _ in 0..100 {
        assert!(world.device.advance(&mut world.memory, 100));
    }
    assert_eq!(world.device.offered().map(|b| (b.data, b.first)), Some((want[0], true)));
    assert_eq!((world.device.take_beat(), world.counter("pixels")), (None, 1));
    let mut beats = Vec::new();
    while world.device.busy() {
        world.device.set_stream_ready(random.one_in(2));
        world.device.advance(&mut world.memory, random.below(3));
        beats.extend(std::iter::from_fn(|| world.device.take_beat()));
    }
    assert_eq!(beats.iter().map(|b| b.data).collect::<Vec<_>>(), want);
    assert_eq!(world.picture(), want);
}

/// STOP while a beat is offered: the frame is over, the beat stays, and the next frame follows it with its mark.
#[test]
fn offered_beat_outlives_stop() {
    let want = scene().render();
    let mut world = scene();
    world.device.set_stream_ready(false);
    world.run();
    world.device.advance(&mut world.memory, 1);
    world.device.advance(&mut world.memory, 1);
    world.device.advance(&mut world.memory, 1);
    world.register(register::RAYTRACER_COMMAND, command::STOP);
    world.device.advance(&mut world.memory, 1);
    assert_eq!(world.error().0, ErrorCode::Stopped);
    let offered = world.device.offered();
    assert!(offered.is_some());
    world.run();
    for _ in 0..10 {
        world.device.advance(&mut world.memory, 10);
    }
    assert_eq!((world.device.offered(), world.counter("pixels")), (offered, 0), "it has not been taken");
    world.device.set_stream_ready(true);
    world.finish();
    assert_eq!(world.device.take_beat(), offered);
    let beats: Vec<Beat> = std::iter::from_fn(|| world.device.take_beat()).collect();
    assert_eq!(beats.iter().map(|b| b.data).collect::<Vec<_>>(), want);
    assert!(beats[0].first && beats[1..].iter().all(|b| !b.first));
}

/// The last beat must be taken before the frame is complete.
#[test]
fn frame_is_complete_when_the_last_beat_is_taken() {
    let mut world = World::new(1, 1);
    world.device.set_stream_ready(false);
    world.run();
    for _ in 0..10 {
        assert!(world.device.advance(&mut world.memory, 10));
    }
    assert_eq!((world.progress(), world.memory.bursts.len()), (254, 1));
    world.device.set_stream_ready(true);
    assert!(!world.device.advance(&mut world.memory, 0));
    assert_eq!(world.progress(), 255);
}

/// Rows where the stride has them, in bursts of at most 16 words, cut at 4 KiB; nothing between the rows is written.
#[test]
fn framebuffer_rows_and_bursts() {
    let mut world = World::new(37, 3);
    let base = FRAMEBUFFER + 0xf80;
    world.register(register::BACKGROUND, 0x00ab_cdef);
    world.register(register::FRAMEBUFFER_ADDRESS, base);
    world.register(register::FRAMEBUFFER_STRIDE, 160);
    world.run();
    world.finish();
    let row = base + 160;
    let want = [
        (base, 64),
        (base + 64, 64),
        (FRAMEBUFFER + 0x1000, 20),
        (row, 64),
        (row + 64, 64),
        (row + 128, 20),
        (row + 160, 64),
        (row + 224, 64),
        (row + 288, 20),
    ];
    assert_eq!(world.memory.bursts, want);
    for word in 0..3 * 40 {
        let there = world.memory.words.get(&(base + 4 * word)).copied();
        assert_eq!(there, (word % 40 < 37 && word < 117).then_some(0x00ab_cdef), "word {word}");
    }
}

/// Counters are those of the last frame, and add up.
#[test]
fn counters_add_up() {
    let mut world = scene();
    for _ in 0..2 {
        world.render();
        let [primary, shadow, reflection, hits, occluded, pixels, tests] =
            ["primary_rays", "shadow_rays", "reflection_rays", "hits", "occluded", "pixels", "tests"]
                .map(|c| world.counter(c));
        assert_eq!((primary, pixels), (84, 84));
        assert_eq!(tests, 3 * (primary + shadow + reflection));
        assert!(shadow <= hits && hits <= primary + reflection && occluded <= shadow, "{shadow} {hits} {occluded}");
        assert!(reflection > 0 && occluded > 0 && shadow > occluded);
    }
    world.run();
    assert_eq!(world.counter("primary_rays"), 0, "a new frame counts anew");
}

#[test]
fn reset_in_mid_frame() {
    let want = scene().render();
    let mut world = scene();
    world.run();
    world.device.advance(&mut world.memory, 5);
    world.device.advance(&mut world.memory, 5);
    world.device.reset();
    assert!(!world.device.busy() && !world.device.irq() && world.device.offered().is_none());
    assert_eq!((world.read(register::FRAMEBUFFER_ADDRESS), world.progress()), (0, 0));
    world.register(register::FRAMEBUFFER_ADDRESS, FRAMEBUFFER);
    assert_eq!(world.render(), want);
}
