//! What ends a frame early: faults in registers, descriptors and transfers; and that nothing hangs.

use crate::stage::*;
use rayman_abi::descriptor::{material, scene, sphere, Slot};
use rayman_abi::register::{self, command};
use rayman_abi::ErrorCode;
use rayman_sim::axi_slave::Timing;
use rayman_sim::memory::{Direction, Fault, Place, Response, BASE, BYTES};
use rayman_sim::random::Random;
use rayman_sim::Bench;

/// Spoils a good stage.
type Spoil = Box<dyn Fn(&mut Stage)>;

fn scene_word(slot: Slot, value: u32) -> Spoil {
    Box::new(move |stage| slot.set(&mut stage.scene, value))
}

/// Every fault that the core looks for, in the order in which it does, with the address it must report.
fn faults() -> Vec<(ErrorCode, u32, Spoil)> {
    use ErrorCode::*;
    let fov = |value: f32| scene_word(scene::CAM_FOV, value.to_bits());
    let mut list: Vec<(ErrorCode, u32, Spoil)> = vec![
        (FramebufferMisaligned, 0, Box::new(|stage| stage.framebuffer |= 2)),
        (FramebufferMisaligned, 0, Box::new(|stage| stage.stride = 4 * WIDTH + 1)),
        (SceneMisaligned, 0, Box::new(|stage| stage.scene_at = SCENE + 1)),
        (SceneNull, 0, Box::new(|stage| stage.scene_at = 0)),
        (SceneRange, 0, Box::new(|stage| stage.scene_at = 0xFFFF_FFC8)),
        (ScreenEmpty, SCENE, scene_word(scene::SCREEN_X_SIZE, 0)),
        (ScreenEmpty, SCENE, scene_word(scene::SCREEN_Y_SIZE, 0)),
        (StrideTooSmall, 0, Box::new(|stage| stage.stride = 4 * WIDTH - 4)),
        (FramebufferRange, 0, Box::new(|stage| stage.framebuffer = 0u32.wrapping_sub(4 * WIDTH * HEIGHT - 4))),
        (SphereNull, SCENE, scene_word(scene::SPHERE_POINTER, 0)),
        (SphereMisaligned, SCENE, scene_word(scene::SPHERE_POINTER, SPHERES + 2)),
        (SphereRange, SCENE, scene_word(scene::SPHERE_COUNT, 0xFFFF_FFFF)),
        (SphereRange, SCENE, scene_word(scene::SPHERE_POINTER, 0xFFFF_FFBC)),
        (MaterialNull, SCENE, scene_word(scene::MATERIAL_POINTER, 0)),
        (MaterialMisaligned, SCENE, scene_word(scene::MATERIAL_POINTER, MATERIALS + 1)),
        (MaterialRange, SCENE, scene_word(scene::MATERIAL_COUNT, 0x1000_0000)),
        (MaterialRange, SCENE, scene_word(scene::MATERIAL_POINTER, 0xFFFF_FFE4)),
    ];
    for value in [0.0, -0.0, -20.0, 180.0, 200.0, f32::INFINITY, f32::NEG_INFINITY, f32::NAN] {
        list.push((FieldOfView, SCENE, fov(value)));
    }
    let look = |at: [f32; 3]| -> Spoil {
        Box::new(move |stage| {
            let slots = [scene::CAM_POINT_X, scene::CAM_POINT_Y, scene::CAM_POINT_Z];
            for (slot, value) in slots.iter().zip(at) {
                slot.set(&mut stage.scene, value.to_bits());
            }
        })
    };
    list.push((CameraDirection, SCENE, look([0.0, 1.0, 6.0])));
    list.push((CameraDirection, SCENE, look([f32::NAN, 1.0, 0.0])));
    list.push((CameraDirection, SCENE, look([3e38, 1.0, 0.0])));
    let last = SPHERES + 2 * sphere::LAYOUT.bytes();
    list.push((MaterialId, last, Box::new(|stage| sphere::MATERIAL_ID.set(&mut stage.spheres[2], 2))));
    list.push((MaterialId, last, Box::new(|stage| sphere::MATERIAL_ID.set(&mut stage.spheres[2], 7))));
    list.push((MaterialId, SPHERES, scene_word(scene::MATERIAL_COUNT, 0)));
    list
}

fn expect_failure<B: Bench>(bench: &mut B, stage: &Stage, code: ErrorCode, address: u32) {
    let before = frames(bench);
    give(bench, command::CLEAR_IRQ);
    let end = stage.render(bench);
    assert_eq!((end.code, end.address), (code, address), "{} at {:#x}", end.code.name(), end.address);
    assert!(end.progress < 255 && frames(bench) == before, "a failed frame is not complete");
    assert_eq!(read(bench, &register::RAYTRACER_COMMAND), command::NOP);
}

pub fn every_fault_is_found_named_and_survived<B: Bench>(bench: &mut B) {
    let good = Stage::new();
    for (code, address, spoil) in faults() {
        let mut stage = good.clone();
        spoil(&mut stage);
        expect_failure(bench, &stage, code, address);
    }
    good.check(bench);
    assert_eq!(
        (read(bench, &register::ERROR), read(bench, &register::ERROR_ADDRESS)),
        (0, 0),
        "a good frame clears both"
    );
}

pub fn of_several_faults_the_first_in_the_order_wins<B: Bench>(bench: &mut B) {
    let mut all = faults();
    // An empty material array would make good what its pointer does wrong.
    all.pop();
    let pairs = all.iter().enumerate().flat_map(|(at, first)| all[at + 1..].iter().map(move |later| (first, later)));
    // Two spoils of one thing undo each other. A third of the rest shows the order.
    let pairs: Vec<_> = pairs.filter(|((code, ..), (later, ..))| code.name() != later.name()).step_by(3).collect();
    assert!(pairs.len() > 80, "{}", pairs.len());
    for ((code, address, spoil), (_, _, later)) in pairs {
        let mut stage = Stage::new();
        later(&mut stage);
        spoil(&mut stage);
        expect_failure(bench, &stage, *code, *address);
    }
}

pub fn descriptors_are_checked_before_the_first_pixel<B: Bench>(bench: &mut B) {
    let mut stage = Stage::new();
    sphere::MATERIAL_ID.set(&mut stage.spheres[2], 5);
    bench.keep_beats(true);
    expect_failure(bench, &stage, ErrorCode::MaterialId, SPHERES + 48);
    steps(bench, 100);
    assert!(bench.take_beats().is_empty());
    assert!(stage.picture(bench).iter().all(|pixel| *pixel == 0), "nothing was written");
    assert_eq!(counter(bench, "pixels"), 0);
}

pub fn read_errors_end_the_frame_with_code_and_address<B: Bench>(bench: &mut B) {
    let good = Stage::new();
    let places = [SCENE, SCENE + 14 * 4, MATERIALS, MATERIALS + 7 * 4, SPHERES, SPHERES + 4, SPHERES + 17 * 4];
    for (n, address) in places.into_iter().enumerate() {
        let (response, code) = match n % 2 {
            0 => (Response::SlaveError, ErrorCode::ReadSlave),
            _ => (Response::DecodeError, ErrorCode::ReadDecode),
        };
        bench.set_timing(Timing { latency: [1, 40][n % 2], stalls: [0, 120][n / 2 % 2], ..Timing::default() });
        bench.inject(Fault { direction: Direction::Read, place: Place::Range(address, address + 3), response });
        expect_failure(bench, &good, code, address);
        bench.clear_faults();
        good.check(bench);
    }
}

pub fn pointers_to_nowhere_answer_decerr<B: Bench>(bench: &mut B) {
    let nowhere = BASE + BYTES;
    let mut stage = Stage::new();
    stage.scene_at = nowhere;
    expect_failure(bench, &stage, ErrorCode::ReadDecode, nowhere);
    let mut stage = Stage::new();
    scene::MATERIAL_POINTER.set(&mut stage.scene, nowhere + 64);
    expect_failure(bench, &stage, ErrorCode::ReadDecode, nowhere + 64);
    let mut stage = Stage::new();
    scene::SPHERE_POINTER.set(&mut stage.scene, 0x1000);
    expect_failure(bench, &stage, ErrorCode::ReadDecode, 0x1000);
    // The array's first spheres are there, the rest is past the end of memory.
    let mut stage = Stage::new();
    let start = nowhere - 2 * sphere::LAYOUT.bytes();
    scene::SPHERE_POINTER.set(&mut stage.scene, start);
    for (n, words) in stage.spheres.iter().take(2).enumerate() {
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        bench.write_memory(start + n as u32 * sphere::LAYOUT.bytes(), &bytes).expect("in memory");
    }
    expect_failure(bench, &stage, ErrorCode::ReadDecode, nowhere);
    Stage::new().check(bench);
}

pub fn write_errors_end_the_frame_with_the_bursts_address<B: Bench>(bench: &mut B) {
    let mut good = Stage::long();
    good.control = control(1, true, false);
    let row = 4 * good.width();
    for (n, (beat, burst)) in
        [(0, 0), (5 * row + 70, 5 * row + 64), (29 * row + row - 4, 29 * row + 128)].into_iter().enumerate()
    {
        let (response, code) = match n % 2 {
            0 => (Response::SlaveError, ErrorCode::WriteSlave),
            _ => (Response::DecodeError, ErrorCode::WriteDecode),
        };
        let at = FRAMEBUFFER + (beat & !3);
        bench.inject(Fault { direction: Direction::Write, place: Place::Range(at, at + 3), response });
        expect_failure(bench, &good, code, FRAMEBUFFER + burst);
        bench.clear_faults();
    }
    Stage::new().check(bench);
    let mut stage = Stage::new();
    stage.framebuffer = BASE + BYTES - 4 * WIDTH;
    expect_failure(bench, &stage, ErrorCode::WriteDecode, BASE + BYTES);
    Stage::new().check(bench);
}

/// Descriptors of random words, now and then with plausible sizes: each frame ends by itself or by STOP.
pub fn nothing_in_memory_makes_it_hang<B: Bench>(bench: &mut B) {
    let seed = 0xBAD_5CE4E;
    println!("seed {seed:#x}");
    let mut random = Random::new(seed);
    let mut codes = Vec::new();
    for round in 0..40 {
        let mut stage = Stage::new();
        stage.scene.iter_mut().for_each(|word| *word = random.word());
        if round % 2 == 0 {
            let bits = |random: &mut Random| (random.word() >> 5) as f32 / (1 << 24) as f32;
            for slot in [scene::CAM_FOV, scene::CAM_POS_X, scene::CAM_POS_Y, scene::CAM_POS_Z, scene::CAM_POINT_X] {
                slot.set(&mut stage.scene, bits(&mut random).to_bits());
            }
            stage.size(1 + random.below(6), 1 + random.below(4));
            scene::SPHERE_POINTER.set(&mut stage.scene, SPHERES);
            scene::SPHERE_COUNT.set(&mut stage.scene, random.below(6));
            scene::MATERIAL_POINTER.set(&mut stage.scene, MATERIALS);
            scene::MATERIAL_COUNT.set(&mut stage.scene, 8);
        }
        stage.spheres = (0..6).map(|_| [0; sphere::WORDS].map(|_: u32| random.word())).collect();
        stage.materials = (0..8).map(|_| [0; material::WORDS].map(|_: u32| random.word())).collect();
        stage.control = random.word();
        stage.place(bench);
        run(bench);
        steps(bench, 4000);
        give(bench, command::STOP);
        let end = finish(bench);
        codes.push(end.code);
        if end.code == ErrorCode::None {
            // What rendered by itself, rendered as the model does.
            stage.compare(bench);
        }
    }
    assert!(codes.contains(&ErrorCode::None), "some must render: {codes:?}");
    assert!(
        codes.iter().any(|code| !matches!(code, ErrorCode::None | ErrorCode::Stopped)),
        "some must fail: {codes:?}"
    );
    Stage::new().check(bench);
}

pub fn a_failure_and_the_stream_do_not_block_each_other<B: Bench>(bench: &mut B) {
    use rayman_sim::video::StreamReady;
    // A write fails while a beat is offered that nobody takes.
    let stage = Stage::new();
    bench.set_stream_ready(StreamReady::Never);
    bench.keep_beats(true);
    bench.inject(Fault {
        direction: Direction::Write,
        place: Place::Range(0, u32::MAX),
        response: Response::SlaveError,
    });
    stage.place(bench);
    run(bench);
    steps(bench, 8000);
    if busy(bench) {
        // No burst was full yet: the stream holds the frame, as it must.
        give(bench, command::STOP);
    }
    let end = finish(bench);
    assert!(matches!(end.code, ErrorCode::Stopped | ErrorCode::WriteSlave), "{:?}", end.code);
    bench.clear_faults();
    bench.set_stream_ready(StreamReady::Always);
    stage.check(bench);
    let beats = bench.take_beats();
    let extra = beats.len() as u32 - stage.pixels();
    assert!(extra <= 1, "at most the beat that was offered is left of the failed frame, not {extra}");
}
