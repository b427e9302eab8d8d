//! The device on scenes small enough to know the answer.

use std::collections::BTreeMap;

use rayman_abi::descriptor::{material, scene, sphere, Slot};
use rayman_abi::{register, ErrorCode};

use super::*;
use crate::random::Random;

mod errors;
mod host;
mod picture;
mod threads;

/// Words by address; the rest of the address space is not there, and some words answer an error.
#[derive(Default)]
struct Memory {
    words: BTreeMap<u32, u32>,
    faults: BTreeMap<u32, BusFault>,
    /// Reads, by address.
    reads: Vec<u32>,
    /// Bursts, by address and length in bytes.
    bursts: Vec<(u32, usize)>,
    /// Writes go here only.
    writable: std::ops::Range<u64>,
}

impl Bus for Memory {
    fn read(&mut self, address: u32, bytes: &mut [u8]) -> Result<(), BusFault> {
        self.reads.push(address);
        if let Some(fault) = self.faults.get(&address) {
            return Err(*fault);
        }
        bytes.copy_from_slice(&self.words.get(&address).ok_or(BusFault::Decode)?.to_le_bytes());
        Ok(())
    }

    fn write(&mut self, address: u32, bytes: &[u8]) -> Result<(), BusFault> {
        assert!(
            address.is_multiple_of(4) && bytes.len().is_multiple_of(4) && (4..=64).contains(&bytes.len()),
            "a burst of whole words"
        );
        assert!(address % 4096 + bytes.len() as u32 <= 4096, "no burst over 4 KiB");
        self.bursts.push((address, bytes.len()));
        for (index, word) in bytes.chunks_exact(4).enumerate() {
            let at = address + 4 * index as u32;
            if let Some(fault) = self.faults.get(&at) {
                return Err(*fault);
            }
            if !self.writable.contains(&u64::from(at)) {
                return Err(BusFault::Decode);
            }
            self.words.insert(at, u32::from_le_bytes([word[0], word[1], word[2], word[3]]));
        }
        Ok(())
    }
}

const SCENE: u32 = 0x8000_0000;
const SPHERES: u32 = 0x8001_0000;
const MATERIALS: u32 = 0x8000_1000;
const FRAMEBUFFER: u32 = 0x8010_0000;

/// A scene, and the memory and the device that it is put into.
struct World {
    device: Device,
    memory: Memory,
    scene: [u32; scene::WORDS],
}

fn fx(v: [f32; 3]) -> u32 {
    let [r, g, b] = v.map(|c| (c * 128.0) as u32);
    b << 16 | g << 8 | r
}

impl World {
    /// Camera at (0, 0, -5), looking along +Z with 90 degrees; light at (0, 10, -5); no sphere; the framebuffer is on.
    fn new(width: u32, height: u32) -> Self {
        let mut world = Self { device: Device::default(), memory: Memory::default(), scene: [0; scene::WORDS] };
        world.memory.writable = u64::from(FRAMEBUFFER)..u64::from(FRAMEBUFFER) + (1 << 22);
        world.camera([0.0, 0.0, -5.0], [0.0, 0.0, 0.0], 90.0);
        world.light([0.0, 10.0, -5.0]);
        world.set(scene::SCREEN_X_SIZE, width);
        world.set(scene::SCREEN_Y_SIZE, height);
        world.set(scene::SPHERE_POINTER, SPHERES);
        world.set(scene::MATERIAL_POINTER, MATERIALS);
        world.register(register::FRAMEBUFFER_ADDRESS, FRAMEBUFFER);
        world
    }

    fn set(&mut self, slot: Slot, value: u32) {
        slot.set(&mut self.scene, value);
        self.store(SCENE, &self.scene.clone());
    }

    fn store(&mut self, address: u32, words: &[u32]) {
        for (index, word) in words.iter().enumerate() {
            self.memory.words.insert(address.wrapping_add(4 * index as u32), *word);
        }
    }

    fn camera(&mut self, position: [f32; 3], target: [f32; 3], fov: f32) {
        let slots = [
            scene::CAM_POS_X,
            scene::CAM_POS_Y,
            scene::CAM_POS_Z,
            scene::CAM_POINT_X,
            scene::CAM_POINT_Y,
            scene::CAM_POINT_Z,
        ];
        for (slot, value) in slots.into_iter().zip(position.into_iter().chain(target)) {
            self.set(slot, value.to_bits());
        }
        self.set(scene::CAM_FOV, fov.to_bits());
    }

    fn light(&mut self, at: [f32; 3]) {
        for (slot, value) in [scene::LIGHT_X, scene::LIGHT_Y, scene::LIGHT_Z].into_iter().zip(at) {
            self.set(slot, value.to_bits());
        }
    }

    fn sphere(&mut self, centre: [f32; 3], radius: f32, material: u32) {
        let count = scene::SPHERE_COUNT.get(&self.scene);
        let mut words = [0; sphere::WORDS];
        sphere::POS_X.set(&mut words, centre[0].to_bits());
        sphere::POS_Y.set(&mut words, centre[1].to_bits());
        sphere::POS_Z.set(&mut words, centre[2].to_bits());
        sphere::RAD_SQUARED.set(&mut words, (radius * radius).to_bits());
        sphere::RAD_INVERSE.set(&mut words, (1.0 / radius).to_bits());
        sphere::MATERIAL_ID.set(&mut words, material);
        self.store(SPHERES + count * sphere::LAYOUT.bytes(), &words);
        self.set(scene::SPHERE_COUNT, count + 1);
    }

    fn material(&mut self, ambient: [f32; 3], diffuse: [f32; 3], specular: [f32; 3], reflection: f32, shininess: u32) {
        let count = scene::MATERIAL_COUNT.get(&self.scene);
        let words = [fx(ambient), fx(diffuse), fx(specular), shininess << 8 | (reflection * 128.0) as u32];
        self.store(MATERIALS + count * material::LAYOUT.bytes(), &words);
        self.set(scene::MATERIAL_COUNT, count + 1);
    }

    /// A material that is its ambient colour, in any light.
    fn flat(&mut self, colour: [f32; 3]) {
        self.material(colour, [0.0; 3], [0.0; 3], 0.0, 0);
    }

    fn register(&mut self, register: register::Register, value: u32) {
        self.device.write(register.offset, value, 0xf).expect("a register of the table");
    }

    fn read(&self, register: register::Register) -> u32 {
        self.device.read(register.offset).expect("a register of the table")
    }

    fn run(&mut self) {
        self.register(register::RAYTRACER_COMMAND, register::command::RUN);
    }

    /// Lets time pass until the frame is over; it must be so in time.
    fn finish(&mut self) {
        for _ in 0..1_000_000 {
            if !self.device.advance(&mut self.memory, 1000) {
                return;
            }
        }
        panic!("the frame does not end");
    }

    fn error(&self) -> (ErrorCode, u32) {
        let code = ErrorCode::from_code(self.read(register::ERROR) as u8).expect("a known code");
        (code, self.read(register::ERROR_ADDRESS))
    }

    /// Renders the scene without fault; the picture, row by row.
    fn render(&mut self) -> Vec<u32> {
        self.run();
        self.finish();
        assert_eq!(self.error(), (ErrorCode::None, 0));
        self.picture()
    }

    fn picture(&self) -> Vec<u32> {
        let (width, height) = (scene::SCREEN_X_SIZE.get(&self.scene), scene::SCREEN_Y_SIZE.get(&self.scene));
        let stride = match self.read(register::FRAMEBUFFER_STRIDE) {
            0 => 4 * width,
            stride => stride,
        };
        let pixel = |x, y| self.memory.words.get(&(FRAMEBUFFER + y * stride + 4 * x)).copied();
        (0..height).flat_map(|y| (0..width).map(move |x| (x, y))).map(|(x, y)| pixel(x, y).expect("written")).collect()
    }

    fn counter(&self, name: &str) -> u64 {
        let counter = register::COUNTERS.iter().find(|counter| counter.name == name).expect("a counter of the table");
        u64::from(self.read(counter.high)) << 32 | u64::from(self.read(counter.low))
    }

    fn progress(&self) -> u32 {
        register::PROGRESS.get(self.read(register::RAYTRACER_STATUS))
    }

    fn status(&self) -> u32 {
        register::STATUS.get(self.read(register::RAYTRACER_STATUS))
    }
}
