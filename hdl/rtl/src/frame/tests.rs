//! `Frame` against behavioural surroundings: every error, every order, STOP in every clock, spheres in order and in time.

mod bench;
mod oracle;

use crate::datapath::kernels::Camera;
use crate::frame::{Frame, FrameCore};
use crate::step::settle;
use bench::*;
use oracle::expected;
use rayman_abi::descriptor::{material, scene, sphere};
use rayman_abi::ErrorCode;

/// Runs one frame and compares its end with [`expected`].
fn compare<const A: usize, const R: usize>(bench: &mut Bench<A, R>, registers: Registers) -> Option<(ErrorCode, u32)> {
    let want = expected(&bench.memory, registers);
    bench.starts = 0;
    bench.run(registers);
    let ended = bench.finish(None, 100_000);
    let got = (ended.code != 0).then(|| (ErrorCode::from_code(ended.code).expect("a known code"), ended.address));
    assert_eq!(got, want, "{registers:x?}");
    assert_eq!(ended.complete, want.is_none());
    assert_eq!(bench.starts, u32::from(want.is_none()), "the engine starts if and only if nothing is wrong");
    want
}

fn set(memory: &mut Memory, slot: rayman_abi::descriptor::Slot, value: u32) {
    let address = SCENE + 4 * slot.word as u32;
    let word = slot.field.set(memory.words[&address], value);
    memory.words.insert(address, word);
}

#[test]
fn kernel_and_abi_agree_on_the_scene_words() {
    // The kernel names its scene words by place.
    assert_eq!(scene::WORDS, 15);
    let places = [
        (scene::LIGHT_X, 0),
        (scene::CAM_POS_X, 3),
        (scene::CAM_POINT_X, 6),
        (scene::CAM_FOV, 9),
        (scene::SCREEN_X_SIZE, 10),
        (scene::SCREEN_Y_SIZE, 10),
        (scene::SPHERE_POINTER, 11),
        (scene::SPHERE_COUNT, 12),
        (scene::MATERIAL_POINTER, 13),
        (scene::MATERIAL_COUNT, 14),
    ];
    for (slot, word) in places {
        assert_eq!(slot.word, word, "{}", slot.field.name);
    }
    assert_eq!((sphere::WORDS, sphere::MATERIAL_ID.word, sphere::MATERIAL_ID.field.mask()), (6, 5, 7));
    assert_eq!(material::WORDS, 4);
    assert_eq!(rayman_abi::descriptor::MAX_MATERIALS, 8);
}

#[test]
fn spheres_come_in_order_whatever_their_number() {
    for count in [0, 1, 2, 3, 255, 256, 257, 258, 1000] {
        let seed = 100 + u64::from(count);
        println!("seed {seed}: {count} spheres");
        let mut random = Random::new(seed);
        let memory = memory(40, 30, count, 8, &mut random);
        let mut bench =
            Bench::<8, 9>::new(seed, Pace { sphere_interval: 1 + seed % 3, stall: 20, pixels: 25, ..SMOOTH }, memory);
        bench.whole_frame(Registers::default());
        assert_eq!(bench.spheres.is_empty(), count == 0);
        // A second frame, long enough for two rotations, begins at sphere 0 again.
        let pixels = 1 + 2 * count * 16 / 1200;
        bench.pace.pixels = (100 / (pixels + 1)).clamp(1, 100);
        bench.whole_frame(Registers { framebuffer: 0, control: 0x2, ..Registers::default() });
    }
}

/// Takes a sphere each `interval` clocks for some rotations; one that is late is a fault.
fn rate<const A: usize, const R: usize>(count: u32, rotations: u32, stall: u32, interval: u64) {
    let mut random = Random::new(u64::from(count));
    let memory = memory(100, 100, count, 3, &mut random);
    let mut bench = Bench::<A, R>::new(7, Pace { stall, sphere_interval: interval, ..SMOOTH }, memory);
    bench.pixel_limit = 1;
    bench.run(Registers::default());
    let wanted = (count * rotations) as usize;
    while bench.starts == 0 {
        bench.clock();
    }
    let start = bench.now;
    for _ in 0..interval * wanted as u64 + 100 {
        bench.clock();
    }
    println!("cache {}, {count} spheres: {} taken in {} clocks", 1 << A, bench.spheres.len(), bench.now - start);
    assert!(bench.spheres.len() >= wanted, "{} of {wanted} spheres", bench.spheres.len());
    assert_eq!(bench.missed, 0, "clocks without a sphere");
    bench.check_spheres(Registers::default());
}

#[test]
fn a_sphere_is_ready_each_16_clocks_at_memory_latency_40() {
    rate::<8, 9>(1, 20, 0, 16);
    rate::<8, 9>(256, 2, 0, 16);
    rate::<8, 9>(257, 3, 0, 16);
    rate::<8, 9>(300, 2, 0, 16);
    rate::<8, 9>(1000, 2, 0, 16);
    // Small caches: nearly everything streams, and the rotation wraps often.
    rate::<2, 3>(4, 20, 0, 16);
    rate::<2, 3>(5, 20, 0, 16);
    rate::<2, 3>(6, 20, 0, 16);
    rate::<2, 3>(100, 3, 0, 16);
    rate::<4, 5>(257, 2, 0, 16);
    // A bus that gives a word in every second clock.
    rate::<4, 5>(257, 2, 50, 16);
}

#[test]
fn from_the_cache_a_sphere_is_ready_in_every_third_clock() {
    for count in 1..=4 {
        rate::<2, 3>(count, 20, 0, 3);
    }
    rate::<8, 9>(1, 20, 0, 3);
    rate::<8, 9>(256, 3, 0, 3);
}

#[test]
fn a_full_ring_and_the_cache_give_a_sphere_in_every_third_clock() {
    // Cache of 4, ring of 4, of which a place is kept free: what is held reaches at least to where the ring would be empty
    // without a word read meanwhile. With seven spheres or more the bus, a word a clock, does not keep up.
    for (count, held) in [(7, 7 + 4), (8, 7), (9, 7), (50, 7)] {
        let mut random = Random::new(u64::from(count));
        let memory = memory(100, 100, count, 3, &mut random);
        let mut bench = Bench::<2, 3>::new(7, Pace { sphere_interval: 500, ..SMOOTH }, memory);
        bench.pixel_limit = 1;
        bench.run(Registers::default());
        while bench.spheres.is_empty() {
            bench.clock();
        }
        bench.pace.sphere_interval = 3;
        while bench.spheres.len() < 2 {
            bench.clock();
        }
        assert_eq!(bench.missed, 0);
        let last = bench.now + 10_000;
        while bench.missed == 0 {
            assert!(bench.now < last, "{count} spheres: never late");
            bench.clock();
        }
        assert!(bench.spheres.len() >= held, "{count} spheres: late after {} taken", bench.spheres.len());
        for _ in 0..1000 {
            bench.clock();
        }
        assert!(bench.spheres.len() > 80, "{count} spheres: {} taken", bench.spheres.len());
        bench.check_spheres(Registers::default());
    }
}

#[test]
fn every_error_is_reported_with_its_address() {
    use ErrorCode as E;
    let mut random = Random::new(1);
    let good = memory(4, 3, 5, 3, &mut random);
    let base = Registers::default();
    type Change = fn(&mut Memory, &mut Registers);
    let cases: &[(ErrorCode, u32, Change)] = &[
        (E::FramebufferMisaligned, 0, |_, r| r.framebuffer |= 2),
        (E::FramebufferMisaligned, 0, |_, r| r.stride = 17),
        (E::FramebufferMisaligned, 0, |_, r| (r.framebuffer, r.stride) = (0, 18)),
        (E::SceneMisaligned, 0, |_, r| r.scene |= 1),
        (E::SceneNull, 0, |_, r| r.scene = 0),
        (E::SceneRange, 0, |_, r| r.scene = 0xFFFF_FFC8),
        (E::ReadDecode, 0xFFFF_FFC4, |_, r| r.scene = 0xFFFF_FFC4),
        (E::ScreenEmpty, SCENE, |m, _| set(m, scene::SCREEN_X_SIZE, 0)),
        (E::ScreenEmpty, SCENE, |m, _| set(m, scene::SCREEN_Y_SIZE, 0)),
        (E::StrideTooSmall, 0, |_, r| r.stride = 12),
        (E::StrideTooSmall, 0, |_, r| (r.framebuffer, r.stride) = (0, 12)),
        (E::FramebufferRange, 0, |_, r| r.framebuffer = 0xFFFF_FFD4),
        (E::FramebufferRange, 0, |_, r| r.stride = 0x8000_0000),
        (E::SphereNull, SCENE, |m, _| set(m, scene::SPHERE_POINTER, 0)),
        (E::SphereMisaligned, SCENE, |m, _| set(m, scene::SPHERE_POINTER, SPHERES + 2)),
        (E::SphereRange, SCENE, |m, _| set(m, scene::SPHERE_POINTER, 0xFFFF_FF8C)),
        (E::SphereRange, SCENE, |m, _| set(m, scene::SPHERE_COUNT, 0xFFFF_FFFF)),
        (E::SphereRange, SCENE, |m, _| set(m, scene::SPHERE_COUNT, 0x1000_0000)),
        (E::MaterialNull, SCENE, |m, _| set(m, scene::MATERIAL_POINTER, 0)),
        (E::MaterialMisaligned, SCENE, |m, _| set(m, scene::MATERIAL_POINTER, MATERIALS + 1)),
        (E::MaterialRange, SCENE, |m, _| set(m, scene::MATERIAL_POINTER, 0xFFFF_FFD4)),
        (E::MaterialRange, SCENE, |m, _| set(m, scene::MATERIAL_COUNT, 0x4000_0000)),
        (E::FieldOfView, SCENE, |m, _| set(m, scene::CAM_FOV, 0)),
        (E::FieldOfView, SCENE, |m, _| set(m, scene::CAM_FOV, 180f32.to_bits())),
        (E::FieldOfView, SCENE, |m, _| set(m, scene::CAM_FOV, f32::NAN.to_bits())),
        (E::CameraDirection, SCENE, |m, _| {
            for i in 0..3 {
                m.words.insert(SCENE + 24 + 4 * i, m.words[&(SCENE + 12 + 4 * i)]);
            }
        }),
        (E::MaterialId, SPHERES, |m, _| set(m, scene::MATERIAL_COUNT, 0)),
        (E::MaterialId, SPHERES + 48, |m, _| *m.words.get_mut(&(SPHERES + 2 * 24 + 20)).unwrap() |= 7),
        (E::MaterialId, SPHERES + 96, |m, _| *m.words.get_mut(&(SPHERES + 4 * 24 + 20)).unwrap() |= 3),
        (E::ReadSlave, SCENE + 56, |m, _| m.slave_errors.push(SCENE + 56)),
        (E::ReadDecode, SCENE, |m, _| m.words.remove(&SCENE).map(|_| ()).unwrap()),
        (E::ReadDecode, MATERIALS + 44, |m, _| m.words.remove(&(MATERIALS + 44)).map(|_| ()).unwrap()),
        (E::ReadSlave, SPHERES + 119, |m, _| m.slave_errors.push(SPHERES + 119 - 3)),
    ];
    for (i, (code, address, change)) in cases.iter().enumerate() {
        // An SLVERR on the last word of all.
        let address = if i + 1 == cases.len() { address - 3 } else { *address };
        let (mut memory, mut registers) = (good.clone(), base);
        change(&mut memory, &mut registers);
        let mut bench = Bench::<2, 3>::new(i as u64, SMOOTH, memory);
        assert_eq!(compare(&mut bench, registers), Some((*code, address)), "case {i}");
        // The core is ready for the next frame.
        bench.memory = good.clone();
        bench.whole_frame(base);
    }
}

#[test]
fn what_is_legal_at_the_edge_is_no_error() {
    let mut random = Random::new(2);
    let cases: &[fn(&mut Memory, &mut Registers)] = &[
        |_, r| r.framebuffer = 0xFFFF_FFD0,
        |_, r| r.stride = 16,
        |_, r| (r.framebuffer, r.stride) = (4, 0x7FFF_FFF4),
        |_, r| (r.framebuffer, r.stride) = (0, 0xFFFF_FFFC),
        |m, _| {
            set(m, scene::SPHERE_COUNT, 0);
            set(m, scene::SPHERE_POINTER, 0);
        },
        |m, _| {
            set(m, scene::SPHERE_COUNT, 0);
            set(m, scene::SPHERE_POINTER, 3);
        },
        |m, _| {
            set(m, scene::SPHERE_COUNT, 0);
            set(m, scene::MATERIAL_COUNT, 0);
            set(m, scene::MATERIAL_POINTER, 0xFFFF_FFFF);
        },
        |m, _| {
            // Arrays that end with the address space; more materials than can be named.
            set(m, scene::SPHERE_POINTER, 0xFFFF_FFE8);
            set(m, scene::SPHERE_COUNT, 1);
            m.write(0xFFFF_FFE8, &[1.0f32.to_bits(), 0, 0, 0x3F80_0000, 0x3F80_0000, 7]);
            set(m, scene::MATERIAL_POINTER, 0xFFFF_FF00);
            set(m, scene::MATERIAL_COUNT, 16);
            m.write(0xFFFF_FF00, &[7; 32]);
        },
    ];
    for (i, change) in cases.iter().enumerate() {
        let (mut memory, mut registers) = (memory(4, 3, 5, 3, &mut random), Registers::default());
        change(&mut memory, &mut registers);
        assert_eq!(expected(&memory, registers), None, "case {i}");
        let mut bench = Bench::<2, 3>::new(i as u64, SMOOTH, memory);
        bench.whole_frame(registers);
    }
}

#[test]
fn where_several_faults_hold_the_first_in_the_order_of_checks_is_reported() {
    let seed = 0x5EED;
    println!("seed {seed:#x}");
    let mut random = Random::new(seed);
    let good = memory(4, 3, 6, 4, &mut random);
    let mut bench = Bench::<2, 3>::new(seed, Pace { latency: 2, engine_delay: 3, ..SMOOTH }, good.clone());
    let mut seen = std::collections::BTreeSet::new();
    for _ in 0..600 {
        let percent = random.pick(&[5, 15, 30]);
        let (mut m, mut r) = (good.clone(), Registers::default());
        bench.pace.stall = random.pick(&[0, 0, 30, 70]);
        let mut maybe = || random.chance(percent);
        let hits: [bool; 18] = std::array::from_fn(|_| maybe());
        let wild = random.word();
        if hits[0] {
            r.framebuffer = random.pick(&[0, 1, 0xFFFF_FFC0, 0xFFFF_FFD0, 0xFFFF_FFD4, wild & !3]);
        }
        if hits[1] {
            r.stride = random.pick(&[2, 4, 12, 16, 20, 0x4000_0000, 0x8000_0000, wild & !3]);
        }
        if hits[2] {
            r.scene = random.pick(&[0, 1, 2, 0xFFFF_FFC4, 0xFFFF_FFC8, 0xFFFF_FFFE]);
        }
        let mut put = |hit: bool, slot, values: &[u32]| {
            if hit {
                set(&mut m, slot, random.pick(values));
            }
        };
        put(hits[3], scene::SCREEN_X_SIZE, &[0, 1, 2, 5]);
        put(hits[4], scene::SCREEN_Y_SIZE, &[0, 1, 2, 5]);
        put(hits[5], scene::SPHERE_POINTER, &[0, 1, SPHERES + 2, 0xFFFF_FF70, 0xFFFF_FF74, wild & !3]);
        put(hits[6], scene::SPHERE_COUNT, &[0, 1, 3, 0x0AAA_AAAA, 0x0FFF_FFFF, 0x1000_0000, wild]);
        put(hits[7], scene::MATERIAL_POINTER, &[0, 1, MATERIALS + 2, 0xFFFF_FFC0, 0xFFFF_FFC4, wild & !3]);
        put(hits[8], scene::MATERIAL_COUNT, &[0, 1, 3, 9, 0x0FFF_FFFF, 0x1000_0000, wild]);
        put(hits[9], scene::CAM_FOV, &[0, 1, 0x8000_0000, 0x4334_0000, 0x4333_FFFF, 0xC270_0000, 0x7FC0_0001]);
        if hits[10] {
            for i in 0..3 {
                m.words.insert(SCENE + 24 + 4 * i, m.words[&(SCENE + 12 + 4 * i)]);
            }
        }
        for hit in &hits[11..14] {
            if *hit {
                let keys: Vec<u32> = m.words.keys().copied().collect();
                let address = random.pick(&keys);
                if random.chance(50) {
                    m.slave_errors.push(address);
                } else {
                    m.words.remove(&address);
                }
            }
        }
        for hit in &hits[14..] {
            if *hit {
                let address = SPHERES + random.below(6) * 24 + 20;
                if m.words.contains_key(&address) {
                    m.words.insert(address, random.word());
                }
            }
        }
        bench.memory = m;
        seen.insert(compare(&mut bench, r).map_or(0, |(code, _)| code as u8));
    }
    // Nothing else than these can come of a scene; all of them came.
    let all: Vec<u8> = std::iter::once(0).chain(0x02..=0x11).chain([0x20, 0x21]).collect();
    assert_eq!(seen.into_iter().collect::<Vec<_>>(), all);
}

/// Clocks from RUN to the end of an undisturbed frame.
fn clocks_of<const A: usize, const R: usize>(bench: &mut Bench<A, R>, registers: Registers) -> u64 {
    bench.run(registers);
    let ended = bench.finish(None, 100_000);
    assert!(ended.complete);
    ended.clocks
}

#[test]
fn stop_in_every_clock_ends_the_frame_and_the_next_is_whole() {
    let mut random = Random::new(3);
    // Cache of 4: spheres stream while pixels are made.
    let memory = memory(5, 2, 6, 2, &mut random);
    let pace = Pace { latency: 6, stall: 10, pixels: 12, sphere_interval: 2, output_delay: 9, engine_delay: 7 };
    let registers = Registers::default();
    let mut bench = Bench::<2, 3>::new(3, pace, memory);
    let clocks = clocks_of(&mut bench, registers) + 40;
    let (mut stopped, mut complete) = (0, 0);
    for clock in 1..=clocks {
        bench.starts = 0;
        bench.run(registers);
        bench.out_at_stop = true;
        let ended = bench.finish(Some(clock), 100_000);
        // A frame whose last pixel is out is complete; in every clock before STOP counts.
        assert_eq!(ended.complete, bench.out_at_stop, "STOP in clock {clock} of {}", ended.clocks);
        if ended.complete {
            complete += 1;
            assert_eq!((ended.code, ended.pixels), (0, 10));
        } else {
            stopped += 1;
            assert_eq!((ended.code, ended.address), (ErrorCode::Stopped as u8, 0), "STOP in clock {clock}");
            assert!(ended.clocks > clock, "ended before STOP");
        }
        // The next frame is whole; every fourth follows at the pace of a short one.
        if clock % 4 == 0 {
            bench.whole_frame(registers);
        }
    }
    println!("{clocks} clocks: {stopped} stopped, {complete} complete");
    assert!(stopped > 100 && complete > 10);
}

#[test]
fn a_failed_read_or_write_in_mid_frame_ends_it() {
    let mut random = Random::new(4);
    let good = memory(8, 8, 9, 2, &mut random);
    let registers = Registers::default();
    let pace = Pace { pixels: 10, sphere_interval: 5, ..SMOOTH };
    let mut bench = Bench::<2, 3>::new(4, pace, good.clone());
    for (after, code) in [(1, ErrorCode::WriteSlave), (33, ErrorCode::WriteDecode), (64, ErrorCode::WriteSlave)] {
        bench.write_failure = Some((after, code, 0x8100_0040));
        bench.run(registers);
        let ended = bench.finish(None, 100_000);
        assert_eq!((ended.complete, ended.code, ended.address, ended.pixels), (false, code as u8, 0x8100_0040, after));
        bench.write_failure = None;
        bench.whole_frame(registers);
    }
    // The memory goes away while the spheres stream: the check pass saw it whole.
    for code in [ErrorCode::ReadSlave, ErrorCode::ReadDecode] {
        let address = SPHERES + 6 * 24 + 8;
        bench.pixel_limit = 5;
        bench.run(registers);
        while bench.spheres.len() < 12 {
            bench.clock();
        }
        match code {
            ErrorCode::ReadSlave => bench.memory.slave_errors.push(address),
            _ => drop(bench.memory.words.remove(&address)),
        }
        let ended = bench.finish(None, 100_000);
        assert_eq!((ended.complete, ended.code, ended.address), (false, code as u8, address));
        bench.memory = good.clone();
        bench.pixel_limit = u32::MAX;
        bench.whole_frame(registers);
    }
}

#[test]
fn of_what_comes_in_one_clock_a_failed_read_goes_first_then_a_write_then_stop() {
    let mut random = Random::new(5);
    let memory = memory(8, 8, 3, 2, &mut random);
    let registers = Registers::default();
    for case in 1..8u32 {
        let mut bench = Bench::<2, 3>::new(5, SMOOTH, memory.clone());
        bench.pixel_limit = 3;
        bench.run(registers);
        while bench.pixels < 3 {
            bench.clock();
        }
        let stop = (case & 1 != 0).then_some(1);
        if case & 2 != 0 {
            bench.fail_output(ErrorCode::WriteDecode, 0x44);
        }
        if case & 4 != 0 {
            bench.fail_read(ErrorCode::ReadSlave, 0x88);
        }
        let ended = bench.finish(stop, 10_000);
        let want = match case {
            4.. => (ErrorCode::ReadSlave, 0x88),
            2.. => (ErrorCode::WriteDecode, 0x44),
            _ => (ErrorCode::Stopped, 0),
        };
        assert_eq!((ended.code, ended.address), (want.0 as u8, want.1), "case {case}");
    }
}

#[test]
fn the_first_failure_is_kept() {
    let mut random = Random::new(6);
    let memory = memory(8, 8, 3, 2, &mut random);
    let mut bench = Bench::<2, 3>::new(6, Pace { output_delay: 50, ..SMOOTH }, memory);
    bench.pixel_limit = 3;
    bench.run(Registers::default());
    while bench.pixels < 3 {
        bench.clock();
    }
    bench.frame.stop.next = true;
    bench.clock();
    bench.frame.stop.next = false;
    // STOP counts a clock late.
    bench.clock();
    bench.fail_output(ErrorCode::WriteSlave, 0x44);
    bench.clock();
    // Nor does a second STOP change anything.
    let ended = bench.finish(Some(3), 10_000);
    assert_eq!((ended.code, ended.address), (ErrorCode::Stopped as u8, 0));
    bench.pixel_limit = u32::MAX;
    bench.whole_frame(Registers::default());
}

#[test]
fn progress_is_the_share_of_pixels_taken() {
    for (width, height) in [(1, 1), (2, 1), (1, 3), (16, 16), (15, 17), (127, 2), (1, 509), (40, 33)] {
        let mut random = Random::new(7);
        let memory = memory(width, height, 1, 1, &mut random);
        let mut bench = Bench::<2, 3>::new(7, SMOOTH, memory);
        bench.pixel_limit = 0;
        bench.run(Registers::default());
        while bench.starts == 0 {
            bench.clock();
        }
        let total = u64::from(width * height);
        for pixels in 1..=width * height {
            bench.pixel_limit = pixels;
            bench.clock();
            // At a pixel a clock it may lag by a pixel's worth; it catches up in the pauses.
            if pixels % 7 == 0 || total < 20 {
                for _ in 0..256 {
                    bench.clock();
                    if bench.pixels == width * height {
                        break;
                    }
                }
                if bench.pixels < width * height {
                    let want = 255 * u64::from(bench.pixels) / total;
                    assert_eq!(bench.frame.progress.val().to_u64(), want, "{pixels} of {total}");
                }
            }
        }
        assert!(bench.finish(None, 1000).complete);
        assert_eq!(bench.frame.progress.val().to_u32(), 255);
    }
}

#[test]
fn the_number_of_pixels_is_exact_up_to_the_largest_screen() {
    // 65535 x 65535 pixels cannot be simulated; that none is missing or too many is seen in progress, whose 254th step
    // comes with pixel ceil(254 total / 255), and in narrow screens, which end.
    let mut random = Random::new(8);
    for (width, height) in [(65_535, 1), (1, 65_535), (257, 255)] {
        let memory = memory(width, height, 0, 0, &mut random);
        let mut bench = Bench::<2, 3>::new(8, SMOOTH, memory);
        bench.whole_frame(Registers { framebuffer: 0, ..Registers::default() });
    }
    let memory = memory(65_535, 65_535, 0, 0, &mut random);
    let mut bench = Bench::<2, 3>::new(8, SMOOTH, memory);
    bench.run(Registers { framebuffer: 0, ..Registers::default() });
    while bench.starts == 0 {
        bench.clock();
    }
    for _ in 0..100_000 {
        bench.clock();
        assert_eq!(bench.frame.progress.val().to_u32(), 0);
    }
    let ended = bench.finish(Some(1), 1000);
    assert_eq!(ended.code, ErrorCode::Stopped as u8);
}

#[test]
fn reset_in_any_clock_leaves_an_idle_frame() {
    let seed = 9;
    println!("seed {seed}");
    let mut random = Random::new(seed);
    let memory = memory(5, 2, 6, 2, &mut random);
    let pace = Pace { latency: 6, pixels: 20, sphere_interval: 2, ..SMOOTH };
    let registers = Registers::default();
    let mut bench = Bench::<2, 3>::new(seed, pace, memory);
    let clocks = clocks_of(&mut bench, registers);
    for _ in 0..60 {
        bench.run(registers);
        for _ in 0..random.below(clocks as u32) {
            bench.clock();
        }
        bench.reset();
        for _ in 0..3 {
            bench.clock();
            let f = &bench.frame;
            assert!(!f.read_request_valid.val() && !f.rendering.val() && !f.sphere_valid.val());
            assert!(!f.frame_end.val() && !f.flush.val() && !f.read_stop.val() && !f.output_stop.val());
            assert_eq!((f.progress.val().to_u32(), f.error_code.val().to_u32()), (0, 0));
        }
        bench.whole_frame(registers);
    }
}

#[test]
fn run_in_mid_frame_changes_nothing() {
    let mut random = Random::new(10);
    let memory = memory(5, 2, 6, 2, &mut random);
    let mut bench = Bench::<2, 3>::new(10, Pace { pixels: 5, ..SMOOTH }, memory);
    bench.whole_frame(Registers::default());
    bench.run(Registers::default());
    for _ in 0..50 {
        bench.clock();
    }
    // The registers block gates RUN; the block itself does not start again either.
    bench.frame.run.next = true;
    bench.frame.scene_address.next = rust_hdl_core::prelude::bits(0x1234);
    bench.clock();
    bench.frame.run.next = false;
    let ended = bench.finish(None, 100_000);
    assert_eq!((ended.complete, ended.code, ended.pixels), (true, 0, 10));
    bench.check_spheres(Registers::default());
}

#[test]
fn requests_are_the_descriptors_and_nothing_else() {
    let mut random = Random::new(11);
    let memory = memory(5, 2, 6, 2, &mut random);
    let mut bench = Bench::<2, 3>::new(11, SMOOTH, memory);
    bench.whole_frame(Registers::default());
    let (check_pass, streamed) = bench.requests.split_at(3);
    assert_eq!(check_pass, [(SCENE, 15), (MATERIALS, 8), (SPHERES, 36)]);
    assert!(streamed.iter().all(|request| *request == (SPHERES + 4 * 24, 12)));
}

#[test]
fn left_alone_at_rest_it_shows_the_same_in_every_clock() {
    use std::{cell::RefCell, rc::Rc};
    let seed = 12;
    println!("seed {seed}");
    let record = |awake| {
        let clocks = Rc::new(RefCell::new(Vec::new()));
        let sink = clocks.clone();
        mixed_frames(seed, 60, awake, Box::new(move |i, o| sink.borrow_mut().push([i.to_vec(), o.to_vec()])));
        clocks.take()
    };
    let (asleep, awake) = (record(false), record(true));
    println!("{} clocks", asleep.len());
    assert_eq!(asleep.len(), awake.len());
    for (clock, (a, b)) in asleep.iter().zip(&awake).enumerate() {
        assert_eq!(a, b, "clock {clock}");
    }
}

#[test]
fn in_mid_frame_with_nothing_to_do_it_is_at_rest() {
    let mut random = Random::new(13);
    let memory = memory(100, 100, 3, 3, &mut random);
    let mut bench = Bench::<8, 9>::new(13, SMOOTH, memory);
    bench.pixel_limit = 7;
    bench.pace.sphere_interval = 1000;
    bench.run(Registers::default());
    for _ in 0..2000 {
        bench.clock();
    }
    let mut asleep = 0;
    for _ in 0..3000 {
        bench.clock();
        asleep += u32::from(bench.frame.asleep());
    }
    assert!(asleep > 2950, "asleep in {asleep} clocks of 3000");
}

#[test]
fn from_run_to_the_engine_it_takes_the_reads_the_camera_and_54_clocks() {
    let mut random = Random::new(14);
    let camera = Camera::program().latency() as u64;
    for (materials, spheres) in [(0, 0), (3, 0), (3, 5)] {
        let mut bench = Bench::<2, 3>::new(14, SMOOTH, memory(9, 7, spheres, materials, &mut random));
        let run = bench.now;
        bench.run(Registers::default());
        while bench.starts == 0 {
            bench.clock();
        }
        let clocks = bench.now - 1 - run;
        // A read: its latency, and a clock for each word but the first.
        let read = |words: u32| if words == 0 { 0 } else { SMOOTH.latency + u64::from(words) - 1 };
        let reads = read(15) + read(4 * materials) + read(6 * spheres);
        assert_eq!(clocks, 55 + camera + reads, "{materials} materials, {spheres} spheres");
        println!("camera datapath {camera} clocks; from run to engine_start {clocks}");
    }
}
