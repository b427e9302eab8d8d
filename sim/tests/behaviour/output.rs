//! Pictures: framebuffer, stream, sizes, sphere counts, options, back-pressure.

use crate::stage::*;
use rayman_abi::descriptor::{material, scene, sphere};
use rayman_abi::register::command;
use rayman_abi::ErrorCode;
use rayman_driver::scene::Sphere;
use rayman_sim::axi_slave::Timing;
use rayman_sim::memory::BASE;
use rayman_sim::random::Random;
use rayman_sim::video::{StreamReady, VideoBeat};
use rayman_sim::Bench;

pub fn picture_and_counters_are_the_models<B: Bench>(bench: &mut B) {
    Stage::new().check(bench);
    // The scene must be worth it: hits, shadows, reflections, background.
    let pixels = u64::from(Stage::new().pixels());
    assert_eq!(counter(bench, "pixels"), pixels);
    assert_eq!(counter(bench, "primary_rays"), pixels);
    for name in ["shadow_rays", "reflection_rays", "hits", "occluded"] {
        assert!(counter(bench, name) > 0, "{name}");
    }
    let rays = pixels + counter(bench, "shadow_rays") + counter(bench, "reflection_rays");
    assert_eq!(counter(bench, "tests"), 3 * rays);
    assert!(Stage::new().picture(bench).contains(&BACKGROUND));
}

pub fn frames_follow_each_other_and_are_counted<B: Bench>(bench: &mut B) {
    let stage = Stage::new();
    let mut other = Stage::new();
    other.control = control(0, false, true);
    for n in 0..3 {
        assert_eq!(frames(bench), 2 * n);
        stage.check(bench);
        other.check(bench);
    }
}

pub fn options_depth_shadows_background<B: Bench>(bench: &mut B) {
    let mut pictures = Vec::new();
    for (depth, shadows) in [(0, false), (0, true), (1, true), (15, true)] {
        let mut stage = Stage::new();
        // Large enough that a mirror is seen in a mirror.
        stage.size(24, 16);
        stage.control = control(depth, shadows, false);
        stage.check(bench);
        pictures.push(stage.picture(bench));
    }
    pictures.dedup();
    assert_eq!(pictures.len(), 4, "each option must be seen in the picture");
    let mut stage = Stage::new();
    stage.background = 0xFF12_3456;
    stage.check(bench);
    assert!(stage.picture(bench).contains(&0x0012_3456), "the top byte of a pixel is 0");
}

pub fn any_number_of_spheres_renders<B: Bench>(bench: &mut B) {
    let mut random = Random::new(11);
    let mut place = |scale: f32| (random.word() >> 8) as f32 / (1 << 24) as f32 * scale;
    let many: Vec<Sphere> = (0..600)
        .map(|n| Sphere { centre: [place(8.0) - 4.0, place(5.0) - 2.0, -place(10.0)], radius: 0.3, material: n % 2 })
        .collect();
    // 256 are held on chip: one below, at, one above, and several rotations more.
    for count in [0, 1, 2, 255, 256, 257, 600] {
        let mut stage = Stage::of(&scene_with_spheres(many[..count].to_vec()));
        stage.size(4, 3);
        stage.check(bench);
    }
}

pub fn an_empty_scene_with_null_pointers_is_all_background<B: Bench>(bench: &mut B) {
    let mut stage = Stage::of(&scene_with_spheres(Vec::new()));
    for slot in [scene::SPHERE_POINTER, scene::MATERIAL_POINTER, scene::SPHERE_COUNT, scene::MATERIAL_COUNT] {
        slot.set(&mut stage.scene, 0);
    }
    stage.check(bench);
    assert!(stage.picture(bench).iter().all(|pixel| *pixel == BACKGROUND));
    // Misaligned pointers of empty arrays are as good as null ones.
    scene::SPHERE_POINTER.set(&mut stage.scene, 0xFFFF_FFFF);
    scene::MATERIAL_POINTER.set(&mut stage.scene, 3);
    stage.check(bench);
}

pub fn pictures_of_odd_sizes<B: Bench>(bench: &mut B) {
    for (width, height) in [(1, 1), (1, 7), (7, 1), (17, 2), (33, 3)] {
        let mut stage = Stage::new();
        stage.size(width, height);
        bench.keep_beats(true);
        stage.check(bench);
        check_beats(&stage, &bench.take_beats(), bench);
    }
}

/// Beats in raster order, marks where they belong, the same colours as in memory.
fn check_beats<B: Bench>(stage: &Stage, beats: &[VideoBeat], bench: &mut B) {
    let picture = stage.picture(bench);
    assert_eq!(beats.len(), picture.len());
    for (at, (beat, pixel)) in beats.iter().zip(picture).enumerate() {
        let column = at as u32 % stage.width();
        let expected = VideoBeat { pixel, start_of_frame: at == 0, end_of_line: column + 1 == stage.width() };
        assert_eq!(*beat, expected, "beat {at}");
    }
}

pub fn stream_is_in_raster_order_with_its_marks<B: Bench>(bench: &mut B) {
    let stage = Stage::new();
    for (seed, ready) in [(1, 255), (2, 128), (3, 20)] {
        bench.set_stream_ready(StreamReady::Sometimes(ready, seed));
        bench.keep_beats(true);
        stage.check(bench);
        let beats = bench.take_beats();
        check_beats(&stage, &beats, bench);
    }
}

pub fn stream_alone_without_framebuffer<B: Bench>(bench: &mut B) {
    let mut stage = Stage::new();
    let (picture, _) = stage.expected();
    stage.framebuffer = 0;
    bench.keep_beats(true);
    assert_eq!(stage.render(bench).code, ErrorCode::None);
    let beats: Vec<u32> = bench.take_beats().iter().map(|beat| beat.pixel).collect();
    assert!(beats == picture);
    let mut memory = [0xFF; 64];
    bench.read_memory(FRAMEBUFFER, &mut memory).expect("in memory");
    assert_eq!(memory, [0; 64], "nothing is written");
}

pub fn framebuffer_alone_without_stream<B: Bench>(bench: &mut B) {
    let mut stage = Stage::new();
    stage.control = control(2, true, false);
    bench.set_stream_ready(StreamReady::Never);
    bench.keep_beats(true);
    stage.check(bench);
    bench.set_stream_ready(StreamReady::Always);
    steps(bench, 100);
    assert!(bench.take_beats().is_empty());
}

pub fn with_neither_output_the_frame_still_completes<B: Bench>(bench: &mut B) {
    let mut stage = Stage::new();
    let (_, counters) = stage.expected();
    stage.control = control(2, true, false);
    stage.framebuffer = 0;
    bench.keep_beats(true);
    assert_eq!(stage.render(bench), End { code: ErrorCode::None, address: 0, progress: 255 });
    assert_eq!(architectural_counters(bench), counters);
    assert!(bench.take_beats().is_empty());
}

pub fn stride_leaves_gaps_alone_and_bytes_are_b_g_r_0<B: Bench>(bench: &mut B) {
    let mut stage = Stage::new();
    stage.stride = 4 * WIDTH + 20;
    // Rows that cross 4 KiB at odd places.
    stage.framebuffer = FRAMEBUFFER + 0x1000 - 4 * 7;
    let bytes = (stage.stride * HEIGHT) as usize;
    bench.write_memory(stage.framebuffer - 16, &vec![0xEE; bytes + 32]).expect("in memory");
    stage.check(bench);
    let mut memory = vec![0; bytes + 32];
    bench.read_memory(stage.framebuffer - 16, &mut memory).expect("in memory");
    let picture = stage.picture(bench);
    for (at, byte) in memory.iter().enumerate() {
        let offset = at as i64 - 16;
        let (row, column) = (offset.div_euclid(stage.stride.into()), offset.rem_euclid(stage.stride.into()));
        if !(0..i64::from(HEIGHT)).contains(&row) || column >= i64::from(4 * WIDTH) {
            assert_eq!(*byte, 0xEE, "the byte at {offset} is not the picture's");
        }
    }
    let blue_green_red = |pixel: u32| [pixel as u8, (pixel >> 8) as u8, (pixel >> 16) as u8, 0];
    assert_eq!(memory[16..20], blue_green_red(picture[0]));
}

pub fn memory_latency_and_stalls_change_no_pixel<B: Bench>(bench: &mut B) {
    let stage = Stage::new();
    for (latency, outstanding, stalls, seed) in
        [(1, 1, 0, 1), (100, 8, 0, 2), (40, 4, 80, 3), (3, 2, 200, 4), (1, 8, 240, 5)]
    {
        println!("latency {latency} outstanding {outstanding} stalls {stalls} seed {seed}");
        bench.set_timing(Timing { latency, outstanding, stalls, seed });
        bench.set_stream_ready(StreamReady::Sometimes(255 - stalls, seed));
        stage.check(bench);
    }
}

pub fn a_stream_that_nobody_takes_holds_the_frame_until_stop<B: Bench>(bench: &mut B) {
    let stage = Stage::new();
    bench.set_stream_ready(StreamReady::Never);
    bench.keep_beats(true);
    stage.place(bench);
    run(bench);
    steps(bench, 8000);
    assert!(busy(bench) && !bench.interrupt());
    give(bench, command::STOP);
    assert_eq!(finish(bench).code, ErrorCode::Stopped);
    assert!(bench.take_beats().is_empty());
    // The beat that was offered stays until it is taken; the next frame follows with its own mark.
    steps(bench, 200);
    run(bench);
    steps(bench, 200);
    bench.set_stream_ready(StreamReady::Always);
    assert_eq!(finish(bench).code, ErrorCode::None);
    let beats = bench.take_beats();
    assert_eq!(beats.len() as u32, stage.pixels() + 1, "the old beat and a whole frame");
    assert!(beats[0].start_of_frame && beats[1].start_of_frame);
    check_beats(&stage, &beats[1..], bench);
    stage.compare(bench);
}

pub fn equal_distances_go_to_the_lower_index<B: Bench>(bench: &mut B) {
    let twin = |material| Sphere { centre: [0.0, 0.5, 0.0], radius: 1.5, material };
    let mut pictures = Vec::new();
    for spheres in [vec![twin(0), twin(1)], vec![twin(0)], vec![twin(1)]] {
        let stage = Stage::of(&scene_with_spheres(spheres));
        stage.check(bench);
        pictures.push(stage.picture(bench));
    }
    assert!(pictures[0] == pictures[1], "the first of two equal spheres is seen");
    assert!(pictures[1] != pictures[2], "the materials differ");
}

/// Radius 0, infinities, NaN and the ends of the range in every word of a sphere, of the light and of the camera's place: the
/// picture is the model's, and the good spheres about them are seen.
pub fn numbers_that_are_none_give_the_models_picture<B: Bench>(bench: &mut B) {
    let odd = [0.0, -0.0, 1e-42, f32::MIN_POSITIVE, f32::INFINITY, f32::NEG_INFINITY, f32::NAN, f32::MAX, -4.0];
    let words = [sphere::POS_X, sphere::POS_Y, sphere::POS_Z, sphere::RAD_SQUARED, sphere::RAD_INVERSE];
    for value in odd.map(f32::to_bits) {
        let mut stage = Stage::new();
        stage.size(8, 6);
        let good = stage.spheres[1];
        for word in words {
            let mut spoilt = good;
            word.set(&mut spoilt, value);
            stage.spheres.insert(0, spoilt);
        }
        // Both numbers of a radius of that value.
        let mut spoilt = good;
        let radius = f32::from_bits(value);
        sphere::RAD_SQUARED.set(&mut spoilt, (radius * radius).to_bits());
        sphere::RAD_INVERSE.set(&mut spoilt, (1.0 / radius).to_bits());
        stage.spheres.insert(3, spoilt);
        scene::SPHERE_COUNT.set(&mut stage.scene, stage.spheres.len() as u32);
        stage.check(bench);
    }
    for word in [scene::LIGHT_X, scene::LIGHT_Y, scene::LIGHT_Z] {
        for value in [f32::INFINITY, f32::NAN, f32::MAX] {
            let mut stage = Stage::new();
            stage.size(8, 6);
            word.set(&mut stage.scene, value.to_bits());
            stage.check(bench);
        }
    }
}

pub fn reserved_descriptor_bits_are_ignored<B: Bench>(bench: &mut B) {
    let stage = Stage::new();
    let (picture, _) = stage.expected();
    let mut dirty = stage.clone();
    let fill = |words: &mut [u32], slots: &[rayman_abi::descriptor::Slot]| {
        for (word, value) in words.iter_mut().enumerate() {
            let used = slots.iter().filter(|slot| slot.word == word).fold(0, |mask, slot| mask | slot.field.mask());
            *value |= !used;
        }
    };
    fill(&mut dirty.scene, scene::LAYOUT.slots);
    dirty.spheres.iter_mut().for_each(|words| fill(words, sphere::LAYOUT.slots));
    dirty.materials.iter_mut().for_each(|words| fill(words, material::LAYOUT.slots));
    assert!(dirty.spheres != stage.spheres && dirty.materials != stage.materials);
    assert_eq!(dirty.render(bench).code, ErrorCode::None);
    assert!(dirty.picture(bench) == picture);
}

pub fn eight_materials_can_be_named_and_more_may_be_there<B: Bench>(bench: &mut B) {
    let mut stage = Stage::new();
    stage.materials = (0..9u32).map(|n| [0x08_0808, (0x10_1010 * (n % 8)) | 0x05_0000, 0x20_2020, n << 8]).collect();
    stage.spheres = (0..8)
        .map(|n| Sphere { centre: [n as f32 * 0.7 - 2.5, 0.5, 0.0], radius: 0.4, material: n }.encode())
        .collect();
    scene::SPHERE_COUNT.set(&mut stage.scene, 8);
    for count in [8, 9] {
        scene::MATERIAL_COUNT.set(&mut stage.scene, count);
        stage.check(bench);
    }
}

pub fn the_scene_may_lie_anywhere_aligned<B: Bench>(bench: &mut B) {
    for scene_at in [BASE, BASE + 0x1000 - 28, BASE + 0x3F_FFF0] {
        let mut stage = Stage::new();
        stage.scene_at = scene_at;
        stage.check(bench);
    }
}
