//! Every error code, which of two wins, and that nothing in memory makes the device hang.

use super::*;

/// A scene with all there is to go wrong: two materials, three spheres.
fn good() -> World {
    let mut world = World::new(8, 6);
    world.flat([1.0, 0.0, 0.0]);
    world.flat([0.0, 1.0, 0.0]);
    for x in 0..3 {
        world.sphere([x as f32, 0.0, 0.0], 0.5, x % 2);
    }
    world
}

/// Runs a scene that must fail; the device is ready for the next frame then.
fn fails(world: &mut World, code: ErrorCode, address: u32) {
    let frames = world.read(register::FRAME_COUNT);
    world.run();
    world.finish();
    assert_eq!(world.error(), (code, address));
    assert!(world.device.irq(), "{code:?}: the interrupt rises");
    assert_eq!(world.status(), register::status::IDLE);
    assert!(world.progress() < 255, "{code:?}");
    assert_eq!(world.read(register::FRAME_COUNT), frames, "{code:?}: the frame does not count");
    world.register(register::RAYTRACER_COMMAND, register::command::CLEAR_IRQ);
    assert!(!world.device.irq());
}

/// A fault that ends a frame: its code, the address reported, and how to make it.
type Case = (ErrorCode, u32, fn(&mut World));

/// In the order of checking.
const CASES: &[Case] = &[
    (ErrorCode::FramebufferMisaligned, 0, |w| w.register(register::FRAMEBUFFER_STRIDE, 34)),
    (ErrorCode::SceneMisaligned, 0, |w| w.register(register::SCENE_ADDRESS, SCENE + 2)),
    (ErrorCode::SceneNull, 0, |w| w.register(register::SCENE_ADDRESS, 0)),
    (ErrorCode::SceneRange, 0, |w| w.register(register::SCENE_ADDRESS, 0xffff_ffc8)),
    (ErrorCode::ScreenEmpty, SCENE, |w| w.set(scene::SCREEN_Y_SIZE, 0)),
    (ErrorCode::StrideTooSmall, 0, |w| w.register(register::FRAMEBUFFER_STRIDE, 28)),
    (ErrorCode::FramebufferRange, 0, |w| w.register(register::FRAMEBUFFER_ADDRESS, 0xffff_ff44)),
    (ErrorCode::SphereNull, SCENE, |w| w.set(scene::SPHERE_POINTER, 0)),
    (ErrorCode::SphereMisaligned, SCENE, |w| w.set(scene::SPHERE_POINTER, SPHERES + 1)),
    (ErrorCode::SphereRange, SCENE, |w| w.set(scene::SPHERE_COUNT, 0x1000_0000)),
    (ErrorCode::MaterialNull, SCENE, |w| w.set(scene::MATERIAL_POINTER, 0)),
    (ErrorCode::MaterialMisaligned, SCENE, |w| w.set(scene::MATERIAL_POINTER, MATERIALS + 3)),
    (ErrorCode::MaterialRange, SCENE, |w| w.set(scene::MATERIAL_COUNT, 0x0800_0000)),
    (ErrorCode::FieldOfView, SCENE, |w| w.set(scene::CAM_FOV, 180f32.to_bits())),
    (ErrorCode::CameraDirection, SCENE, |w| w.set(scene::CAM_POS_Z, 0)),
    (ErrorCode::MaterialId, SPHERES + 24, |w| w.store(SPHERES + 24 + 20, &[2])),
];

#[test]
fn every_fault_has_its_code_and_address() {
    for (code, address, spoil) in CASES {
        let mut world = good();
        spoil(&mut world);
        fails(&mut world, *code, *address);
        assert!(world.memory.bursts.is_empty(), "{code:?} comes before the first pixel");
    }
    assert_eq!(good().render().len(), 48);
}

/// Of two faults the one with the lower number wins; the same register or word can have one only.
#[test]
fn of_two_faults_the_lower_code_wins() {
    let mut pairs = 0;
    for (first, (code, address, spoil)) in CASES.iter().enumerate() {
        for (_, _, spoil_later) in &CASES[first + 1..] {
            let mut world = good();
            spoil_later(&mut world);
            spoil(&mut world);
            fails(&mut world, *code, *address);
            pairs += 1;
        }
    }
    assert_eq!(pairs, 15 * 16 / 2);
}

#[test]
fn edges_of_what_is_allowed() {
    // The scene, an array or the framebuffer may end with the address space.
    let mut world = good();
    world.memory.writable = 0xffff_ff40..1 << 32;
    world.register(register::FRAMEBUFFER_ADDRESS, 0xffff_ff40);
    world.run();
    world.finish();
    assert_eq!(world.error().0, ErrorCode::None);
    assert_eq!(world.memory.bursts.last(), Some(&(0xffff_ffe0, 32)));

    let mut world = good();
    let words = world.scene;
    world.store(0xffff_ffc4, &words);
    world.register(register::SCENE_ADDRESS, 0xffff_ffc4);
    world.render();

    // A null or misaligned pointer to nothing; a framebuffer that is off with a stride that would run past the end.
    let mut world = World::new(8, 6);
    world.set(scene::SPHERE_POINTER, 0);
    world.set(scene::MATERIAL_POINTER, 3);
    world.render();
    world.register(register::FRAMEBUFFER_ADDRESS, 0);
    world.register(register::FRAMEBUFFER_STRIDE, 0xffff_fffc);
    world.run();
    world.finish();
    assert_eq!(world.error().0, ErrorCode::None);

    // More materials than can be named: the first eight are read.
    let mut world = World::new(1, 1);
    for green in 0..9 {
        world.flat([0.0, green as f32 / 8.0, 0.0]);
    }
    world.sphere([0.0; 3], 1.0, 7);
    assert_eq!(world.render(), [0x0000_df00]);
    assert!(!world.memory.reads.contains(&(MATERIALS + 8 * material::LAYOUT.bytes())));

    // No material, but a sphere.
    let mut world = good();
    world.set(scene::MATERIAL_COUNT, 0);
    fails(&mut world, ErrorCode::MaterialId, SPHERES);
}

#[test]
fn bus_errors_have_the_address_of_the_word_or_burst() {
    for (fault, read, write) in [
        (BusFault::Slave, ErrorCode::ReadSlave, ErrorCode::WriteSlave),
        (BusFault::Decode, ErrorCode::ReadDecode, ErrorCode::WriteDecode),
    ] {
        for address in [SCENE, SCENE + 56, MATERIALS + 16, MATERIALS + 28, SPHERES, SPHERES + 68] {
            let mut world = good();
            world.memory.faults.insert(address, fault);
            fails(&mut world, read, address);
            assert_eq!(world.memory.reads.last(), Some(&address), "nothing is read after it");
            world.memory.faults.clear();
            world.render();
        }
        let mut world = good();
        world.set(scene::SCREEN_X_SIZE, 40);
        // Row 2, pixels 16 to 31.
        let burst = FRAMEBUFFER + 2 * 160 + 64;
        world.memory.faults.insert(burst + 20, fault);
        fails(&mut world, write, burst);
        assert_eq!(world.memory.bursts.last(), Some(&(burst, 64)), "nothing is written after it");
        world.memory.faults.clear();
        world.render();
    }
}

/// Words of all kinds as descriptors: every frame ends, with a code of the table, and the device is ready again.
#[test]
fn nothing_in_memory_hangs_the_device() {
    let mut random = Random::for_test("nothing_in_memory_hangs_the_device", 0x5eed_0030);
    let mut codes = BTreeMap::new();
    for _ in 0..3000 {
        let mut world = good();
        let word = |random: &mut Random| if random.one_in(3) { random.next_u32() } else { random.float_bits() };
        for _ in 0..random.below(4) {
            let value = word(&mut random);
            let index = random.below(scene::WORDS as u32) as usize;
            // A picture of 65535 rows is legal, and long.
            world.scene[index] = if index == 10 { value & 0x003f_003f } else { value };
        }
        for _ in 0..random.below(4) {
            let (value, index) = (word(&mut random), random.below(18));
            world.store(SPHERES + 4 * index, &[value]);
        }
        for _ in 0..random.below(4) {
            let (value, index) = (random.next_u32(), random.below(8));
            world.store(MATERIALS + 4 * index, &[value]);
        }
        let words = world.scene;
        world.store(SCENE, &words);
        world.run();
        world.finish();
        let (code, _) = world.error();
        *codes.entry(code as u8).or_insert(0) += 1;
        assert!(world.device.irq() && !world.device.busy());
        assert_eq!(world.progress() == 255, code == ErrorCode::None);
    }
    println!("codes: {codes:?}");
    assert!(codes.len() > 8 && codes[&0] > 300, "{codes:?}");
}
