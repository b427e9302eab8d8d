//! Scenarios from a seed: valid scenes, and descriptors of random bytes.

use super::scenario::Scenario;
use crate::axi_slave::Timing;
use crate::memory::BASE;
use crate::random::Random;
use rayman_abi::descriptor::{material, scene, sphere, MAX_MATERIALS};
use rayman_abi::register::{self, REFLECTION_DEPTH, SHADOWS, STREAM};
use rayman_driver::scene::{fx1_7, Camera, Fx1_7, Material, Scene, Screen, Sphere};

/// Pixels a side at most.
pub const LARGEST: u32 = 64;
/// Pixels times spheres at most: bounds the clocks of a case.
const MOST_WORK: u32 = 24_000;
/// Spheres of a random scene at most: more than are held on chip.
const MOST_SPHERES: u32 = 600;

/// The frame of the sweeps: 8x6 pixels, three spheres, two of them mirrors in part, with shadows and reflections.
pub fn swept() -> Scenario {
    let colour = |value| [value; 3].map(|value| fx1_7(value).unwrap_or(Fx1_7::ZERO));
    let matt = Material {
        ambient: colour(0.1),
        diffuse: colour(0.75),
        specular: colour(0.5),
        reflection: Fx1_7::ZERO,
        shininess: 20,
    };
    let mirror = Material { diffuse: colour(0.3), reflection: Fx1_7::from_bits(0x40), ..matt };
    let scene = Scene {
        light: [5.0, 8.0, 6.0],
        camera: Camera { position: [0.0, 1.0, 6.0], look_at: [0.0, 0.5, 0.0], fov_degrees: 50.0 },
        screen: Screen { width: 8, height: 6 },
        spheres: vec![
            Sphere { centre: [0.0, -100.0, 0.0], radius: 100.0, material: 0 },
            Sphere { centre: [-1.0, 1.0, 0.0], radius: 1.0, material: 1 },
            Sphere { centre: [1.2, 0.8, 0.5], radius: 0.8, material: 1 },
        ],
        materials: vec![matt, mirror],
    };
    let places =
        Places { scene: BASE + 0x40, materials: BASE + 0x1000, spheres: BASE + 0x2000, framebuffer: BASE + 0x10_0000 };
    let mut scenario = encode(&scene, places);
    scenario.control = control(2, true, true);
    scenario.background = 0x0020_4060;
    scenario
}

/// A small valid scene: few pixels, few spheres, now and then many.
pub fn small(random: &mut Random) -> Scenario {
    let (width, height) = (1 + random.below(10), 1 + random.below(8));
    let count = if random.chance(24) { 200 + random.below(150) } else { random.below(6) };
    // With many spheres the clocks must come from them, not from the pixels.
    let (width, height) = if count > 8 { (width.min(3), height.min(2)) } else { (width, height) };
    valid(random, width, height, count)
}

/// A valid scene of up to 64x64 pixels and up to 600 spheres, most of them small.
pub fn any(random: &mut Random) -> Scenario {
    let side = |random: &mut Random| match random.below(16) {
        0 => 1 + random.below(LARGEST),
        1..=4 => 1 + random.below(24),
        _ => 1 + random.below(12),
    };
    let (width, height) = (side(random), side(random));
    let count = match random.below(16) {
        0 => random.below(MOST_SPHERES),
        1..=3 => random.below(40),
        _ => random.below(8),
    };
    let (width, height) = shrunk(width, height, count);
    valid(random, width, height, count)
}

/// A size with so few pixels that so many spheres are not too much work.
fn shrunk(mut width: u32, mut height: u32, count: u32) -> (u32, u32) {
    while width * height * count > MOST_WORK && width * height > 1 {
        (width, height) = (width.div_ceil(2), height.div_ceil(2));
    }
    (width, height)
}

/// A number in an interval.
fn within(random: &mut Random, low: f32, high: f32) -> f32 {
    low + (high - low) * (random.word() >> 8) as f32 / (1 << 24) as f32
}

fn vector(random: &mut Random, reach: f32) -> [f32; 3] {
    [(); 3].map(|()| within(random, -reach, reach))
}

fn valid(random: &mut Random, width: u32, height: u32, count: u32) -> Scenario {
    let materials: Vec<Material> = (0..1 + random.below(MAX_MATERIALS as u32)).map(|_| any_material(random)).collect();
    // The size of this world: numbers far from 1 find other roundings.
    let scale = [1.0, 1.0, 1.0, 1e-3, 1e4, 1e9][random.below(6) as usize];
    let mut spheres: Vec<Sphere> = Vec::new();
    for _ in 0..count {
        let material = random.below(materials.len() as u32) as usize;
        let radius = scale * if random.chance(20) { within(random, 20.0, 1000.0) } else { within(random, 0.05, 1.5) };
        let fresh = Sphere { centre: vector(random, 3.0 * scale), radius, material };
        let before = spheres.last().copied().filter(|_| random.chance(40));
        spheres.push(match before {
            // The same again, in another material: the lower index must win. Or one about the same centre.
            Some(before) if random.chance(128) => Sphere { material, ..before },
            Some(before) => Sphere { centre: before.centre, ..fresh },
            None => fresh,
        });
    }
    let mut position = vector(random, 6.0 * scale);
    position[2] = scale * within(random, 2.0, 8.0);
    let mut look_at = vector(random, scale);
    if random.chance(16) {
        // Straight up or down.
        (look_at[0], look_at[2]) = (position[0], position[2]);
    }
    if look_at == position {
        look_at[1] += scale;
    }
    let scene = Scene {
        light: vector(random, 10.0 * scale),
        camera: Camera { position, look_at, fov_degrees: within(random, 5.0, 140.0) },
        screen: Screen { width: width as u16, height: height as u16 },
        spheres,
        materials,
    };
    let mut scenario = encode(&scene, Places::any(random));
    output(random, &mut scenario);
    let depth = if random.chance(32) { random.below(16) } else { random.below(4) };
    scenario.control = control(depth, random.chance(200), STREAM.get(scenario.control) != 0);
    scenario
}

fn any_material(random: &mut Random) -> Material {
    let share = |random: &mut Random| Fx1_7::from_bits(random.below(0x81) as u8);
    let colour = |random: &mut Random| [share(random), share(random), share(random)];
    let mirror = random.chance(100);
    Material {
        ambient: colour(random),
        diffuse: colour(random),
        specular: colour(random),
        reflection: if mirror { share(random) } else { Fx1_7::ZERO },
        shininess: random.below(256) as u8,
    }
}

/// Where the parts of a frame are.
struct Places {
    scene: u32,
    materials: u32,
    spheres: u32,
    framebuffer: u32,
}

impl Places {
    /// Somewhere in a megabyte each, often just before a page.
    fn any(random: &mut Random) -> Self {
        let mut place = |megabyte: u32| {
            let page = random.below(64) << 12;
            let offset = if random.chance(128) { 0x1000 - 4 * random.below(32) } else { 4 * random.below(1024) };
            BASE + (megabyte << 20) + 0x1000 + page + offset
        };
        Self { scene: place(0), materials: place(1), spheres: place(2), framebuffer: place(4) }
    }
}

fn encode(scene: &Scene, places: Places) -> Scenario {
    Scenario {
        scene_at: places.scene,
        scene: scene.encode(places.spheres, places.materials),
        spheres_at: places.spheres,
        spheres: scene.spheres.iter().map(Sphere::encode).collect(),
        materials_at: places.materials,
        materials: scene.materials.iter().map(Material::encode).collect(),
        framebuffer: places.framebuffer,
        stride: 0,
        control: register::RENDER_CONTROL.reset,
        background: 0,
    }
}

/// RENDER_CONTROL from its parts.
fn control(depth: u32, shadows: bool, stream: bool) -> u32 {
    STREAM.set(SHADOWS.set(REFLECTION_DEPTH.set(0, depth), shadows.into()), stream.into())
}

/// Where the pixels go: to memory, onto the stream, or both; with a stride or without; over which background.
fn output(random: &mut Random, scenario: &mut Scenario) {
    let choice = random.below(8);
    if choice == 0 {
        scenario.framebuffer = 0;
    }
    scenario.control = STREAM.set(scenario.control, u32::from(choice < 5));
    if random.chance(80) {
        scenario.stride = 4 * (scenario.width() + random.below(20));
    }
    scenario.background = random.word();
}

/// Memory and its stalls.
pub fn timing(random: &mut Random) -> Timing {
    let stalls = if random.chance(100) { random.below(200) as u8 } else { 0 };
    let latency = if random.chance(200) { 1 + random.below(40) } else { random.below(300) };
    Timing { latency, outstanding: 1 + random.below(8) as usize, stalls, seed: random.word().into() }
}

/// Descriptors of random bytes. The sizes are within 64x64, and of what is read first more or less is made right, so that
/// frames come as far as each check, and about half of them to the picture.
pub fn bytes(random: &mut Random) -> Scenario {
    let mut scenario = valid(random, 1, 1, 0);
    let right = random.below(8);
    let kept = scenario.clone();
    scenario.scene = [(); scene::WORDS].map(|()| random.word());
    let side = |random: &mut Random| if random.chance(10) { 0 } else { 1 + random.below(LARGEST) };
    let (width, height) = (side(random), side(random));
    let count = match random.below(16) {
        0 => random.below(MOST_SPHERES),
        _ => random.below(12),
    };
    if right > 0 {
        // The arrays are where their pointers say, and as long.
        let (spheres, materials) = (scene::SPHERE_POINTER, scene::MATERIAL_POINTER);
        spheres.set(&mut scenario.scene, kept.spheres_at);
        materials.set(&mut scenario.scene, kept.materials_at);
        scene::SPHERE_COUNT.set(&mut scenario.scene, count);
        scene::MATERIAL_COUNT.set(&mut scenario.scene, if right > 1 { 8 } else { random.below(9) });
    } else {
        // A count that the address space holds and memory does not would have the core read for a minute.
        let count = scene::SPHERE_COUNT.get(&scenario.scene);
        scene::SPHERE_COUNT
            .set(&mut scenario.scene, if random.chance(128) { count % 1000 } else { count | 0xF000_0000 });
    }
    if right > 1 {
        // A field of view that passes; the camera anywhere that FP32 knows.
        scene::CAM_FOV.set(&mut scenario.scene, within(random, 0.01, 179.9).to_bits());
    }
    if right > 3 {
        for slot in [scene::CAM_POS_X, scene::CAM_POS_Y, scene::CAM_POS_Z, scene::CAM_POINT_X, scene::CAM_POINT_Y] {
            slot.set(&mut scenario.scene, within(random, -4.0, 4.0).to_bits());
        }
    }
    scenario.spheres = (0..count).map(|_| [(); sphere::WORDS].map(|()| random.word())).collect();
    if right > 4 {
        // Spheres that a ray can hit: near, though their radii and inverses need not belong together.
        for words in &mut scenario.spheres {
            for slot in [sphere::POS_X, sphere::POS_Y, sphere::POS_Z, sphere::RAD_SQUARED, sphere::RAD_INVERSE] {
                if !random.chance(20) {
                    slot.set(words, within(random, -4.0, 4.0).to_bits());
                }
            }
        }
    }
    scenario.materials = (0..MAX_MATERIALS).map(|_| [(); material::WORDS].map(|()| random.word())).collect();
    let (width, height) = shrunk(width, height, scenario.count().min(count));
    scenario.set_size(width, height);
    registers(random, &mut scenario);
    scenario
}

/// Registers of any value, most of them such that a frame starts.
fn registers(random: &mut Random, scenario: &mut Scenario) {
    scenario.control = random.word();
    scenario.background = random.word();
    scenario.stride = if random.chance(200) { 0 } else { 4 * random.below(100) + u32::from(random.chance(20)) };
    match random.below(32) {
        0 => scenario.framebuffer = random.word(),
        1 => scenario.framebuffer |= 1 + random.below(3),
        2 => scenario.scene_at |= 1 + random.below(3),
        3 => scenario.scene_at = 0,
        4 => scenario.scene_at = random.word(),
        5 => scenario.scene_at = BASE + crate::memory::BYTES - 4 * random.below(16),
        6 => scenario.framebuffer = BASE + crate::memory::BYTES - 4 * random.below(64),
        7 => scenario.framebuffer = 0,
        _ => {}
    }
}
