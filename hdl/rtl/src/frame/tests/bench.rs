//! A frame's surroundings, written as behaviour: memory behind a read master, pixel output, engine, registers.
// Not every test that includes this file uses all of it.
#![allow(dead_code)]

use std::collections::{BTreeMap, VecDeque};

use rayman_abi::descriptor::{material, scene, sphere, Slot};
use rayman_abi::ErrorCode;
use rayman_model::kernels::SphereRadius;
use rayman_model::Kernel;
use rust_hdl_core::prelude::*;

// From whoever includes this file: the crate's own tests, and those that compare with Verilog.
use super::{settle, Frame, FrameCore};

/// xorshift64*: small, and the same on every machine.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }
    pub fn word(&mut self) -> u32 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 32) as u32
    }
    pub fn below(&mut self, n: u32) -> u32 {
        ((u64::from(self.word()) * u64::from(n)) >> 32) as u32
    }
    /// True `percent` times in 100.
    pub fn chance(&mut self, percent: u32) -> bool {
        self.below(100) < percent
    }
    pub fn pick<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len() as u32) as usize]
    }
}

/// Words by address. What is absent answers DECERR, what is marked SLVERR.
#[derive(Clone, Default)]
pub struct Memory {
    pub words: BTreeMap<u32, u32>,
    pub slave_errors: Vec<u32>,
}

impl Memory {
    pub fn read(&self, address: u32) -> Result<u32, ErrorCode> {
        if self.slave_errors.contains(&address) {
            return Err(ErrorCode::ReadSlave);
        }
        self.words.get(&address).copied().ok_or(ErrorCode::ReadDecode)
    }
    pub fn write(&mut self, address: u32, words: &[u32]) {
        for (i, word) in words.iter().enumerate() {
            self.words.insert(address.wrapping_add(4 * i as u32), *word);
        }
    }
}

/// What the registers hold.
#[derive(Clone, Copy, Debug)]
pub struct Registers {
    pub scene: u32,
    pub framebuffer: u32,
    pub stride: u32,
    pub control: u32,
    pub background: u32,
}

impl Default for Registers {
    fn default() -> Self {
        Self { scene: SCENE, framebuffer: 0x8100_0000, stride: 0, control: 0x304, background: 0x0012_3456 }
    }
}

pub const SCENE: u32 = 0x8000_0000;
pub const SPHERES: u32 = 0x8001_0004;
pub const MATERIALS: u32 = 0x8000_0FF8;

/// Words of a scene that renders.
pub fn scene_words(width: u32, height: u32, spheres: u32, materials: u32) -> [u32; scene::WORDS] {
    let mut words = [0; scene::WORDS];
    let numbers = [10.0f32, 20.0, -5.0, 0.5, 1.5, 6.0, 0.25, 0.125, -1.0, 60.0];
    for (word, number) in words.iter_mut().zip(numbers) {
        *word = number.to_bits();
    }
    scene::SCREEN_X_SIZE.set(&mut words, width);
    scene::SCREEN_Y_SIZE.set(&mut words, height);
    scene::SPHERE_POINTER.set(&mut words, SPHERES);
    scene::SPHERE_COUNT.set(&mut words, spheres);
    scene::MATERIAL_POINTER.set(&mut words, MATERIALS);
    scene::MATERIAL_COUNT.set(&mut words, materials);
    words
}

/// A memory with a scene and random spheres and materials.
pub fn memory(width: u32, height: u32, spheres: u32, materials: u32, random: &mut Random) -> Memory {
    let mut memory = Memory::default();
    memory.write(SCENE, &scene_words(width, height, spheres, materials));
    for i in 0..materials {
        let words: [u32; material::WORDS] = std::array::from_fn(|_| random.word());
        memory.write(MATERIALS + i * material::LAYOUT.bytes(), &words);
    }
    for i in 0..spheres {
        let mut words: [u32; sphere::WORDS] = std::array::from_fn(|_| number(random));
        // Reserved bits are set, too: they are ignored.
        words[5] = random.word() & !7 | random.below(materials.clamp(1, 8));
        memory.write(SPHERES + i * sphere::LAYOUT.bytes(), &words);
    }
    memory
}

/// Any bits, with what is made canonical well represented.
fn number(random: &mut Random) -> u32 {
    let bits = random.word();
    match random.below(8) {
        0 => bits & 0x807F_FFFF,
        1 => bits | 0x7F80_0000,
        _ => bits,
    }
}

/// Subnormals are zeros of their sign, a NaN is the one NaN.
pub fn canonical(bits: u32) -> u32 {
    match (bits >> 23 & 0xFF, bits & 0x7F_FFFF) {
        (0, _) => bits & 0x8000_0000,
        (0xFF, fraction) if fraction != 0 => 0x7FC0_0000,
        _ => bits,
    }
}

/// How fast and how smooth the surroundings are.
#[derive(Clone, Copy, Debug)]
pub struct Pace {
    /// Clocks from a word's turn on the address channel to the word.
    pub latency: u64,
    /// Percent of clocks in which memory gives no word, and of those in which it takes no request.
    pub stall: u32,
    /// Percent of clocks in which a pixel is made.
    pub pixels: u32,
    /// Clocks between spheres taken.
    pub sphere_interval: u64,
    /// Clocks from the last pixel until the output is idle, and from `stop` until it is stopped.
    pub output_delay: u64,
    /// Clocks the engine clears after `flush`.
    pub engine_delay: u64,
}

pub const SMOOTH: Pace =
    Pace { latency: 40, stall: 0, pixels: 100, sphere_interval: 16, output_delay: 5, engine_delay: 20 };

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sphere {
    pub index: u32,
    pub numbers: [u32; 6],
    pub material: u32,
}

/// A port's value as a number.
trait Number {
    fn number(&self) -> u64;
}

impl Number for bool {
    fn number(&self) -> u64 {
        u64::from(*self)
    }
}

impl<const N: usize> Number for Bits<N> {
    fn number(&self) -> u64 {
        self.to_u64()
    }
}

/// A port by its Verilog name, and its value.
pub type PortValue = (&'static str, u64);

/// What is on the inputs, the clock excepted.
pub fn inputs<const A: usize, const R: usize>(frame: &FrameCore<A, R>) -> Vec<PortValue> {
    macro_rules! list {
        ($($port:ident),* $(,)?) => { vec![$((stringify!($port), frame.$port.next.number())),*] };
    }
    list![
        reset_n,
        run,
        stop,
        scene_address,
        framebuffer_address,
        framebuffer_stride,
        render_control,
        background_colour,
        read_request_ready,
        read_data_valid,
        read_data,
        read_failed,
        read_failed_decode,
        read_failed_address,
        read_idle,
        output_idle,
        output_stopped,
        output_failed,
        output_failed_decode,
        output_failed_address,
        pixel_taken,
        engine_idle,
        sphere_ready,
        material_address,
    ]
}

/// What is on the outputs.
pub fn outputs<const A: usize, const R: usize>(frame: &FrameCore<A, R>) -> Vec<PortValue> {
    macro_rules! list {
        ($($port:ident),* $(,)?) => { vec![$((stringify!($port), frame.$port.val().number())),*] };
    }
    let mut list = list![
        frame_end,
        frame_complete,
        progress,
        error_code,
        error_address,
        read_request_valid,
        read_request_address,
        read_request_words,
        read_data_ready,
        read_stop,
        read_clear,
        output_start,
        output_stop,
        output_clear,
        stream_enable,
        framebuffer_enable,
        output_address,
        output_stride,
        engine_start,
        rendering,
        flush,
        width,
        height,
        background,
        reflection_depth,
        shadows,
        sphere_count,
        light_x,
        light_y,
        light_z,
        position_x,
        position_y,
        position_z,
        forward_x,
        forward_y,
        forward_z,
        right_x,
        right_y,
        right_z,
        up_x,
        up_y,
        up_z,
        centre_x,
        centre_y,
        sphere_valid,
        sphere_index,
        sphere_centre_x,
        sphere_centre_y,
        sphere_centre_z,
        sphere_radius_squared,
        sphere_radius_inverse,
        sphere_radius,
        sphere_material,
    ];
    let names = ["material_data_0", "material_data_1", "material_data_2", "material_data_3"];
    list.extend(names.into_iter().zip(frame.material_data.iter().map(|word| word.val().number())));
    list
}

/// Sees the inputs and outputs of each clock, as they stand before the rising edge.
pub type Observer = Box<dyn FnMut(&[PortValue], &[PortValue])>;

/// How a frame ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ended {
    pub complete: bool,
    pub code: u8,
    pub address: u32,
    pub pixels: u32,
    pub clocks: u64,
}

#[derive(Default)]
struct Reader {
    // What is still to be asked for.
    request: Option<(u32, u32)>,
    // Asked for: address and the clock from which it is there.
    flying: VecDeque<(u32, u64)>,
    offered: bool,
    failed: Option<(ErrorCode, u32)>,
    dropping: bool,
}

/// One `Frame` and everything around it.
pub struct Bench<const A: usize, const R: usize> {
    pub frame: Box<Frame<A, R>>,
    pub random: Random,
    pub memory: Memory,
    pub pace: Pace,
    pub now: u64,
    reader: Reader,
    // Write failures: after this many pixels, with this code and address.
    pub write_failure: Option<(u32, ErrorCode, u32)>,
    output_failed: Option<(ErrorCode, u32)>,
    output_busy_until: u64,
    engine_busy_until: u64,
    // The engine has started and not yet been flushed or finished; pixels to make.
    pixels_left: u32,
    /// The engine makes no pixel past this one.
    pub pixel_limit: u32,
    pub pixels: u32,
    pub spheres: Vec<Sphere>,
    next_sphere: u64,
    held_sphere: Option<Sphere>,
    /// Spheres the engine wanted and did not get, after the first.
    pub missed: u64,
    pub starts: u32,
    flush_clocks: u32,
    /// In the clock of STOP every pixel was out.
    pub out_at_stop: bool,
    last_progress: u32,
    pub requests: Vec<(u32, u32)>,
    pub observer: Option<Observer>,
}

impl<const A: usize, const R: usize> Bench<A, R> {
    pub fn new(seed: u64, pace: Pace, memory: Memory) -> Self {
        let mut frame: Box<Frame<A, R>> = Box::default();
        frame.connect_all();
        let mut bench = Self {
            frame,
            random: Random::new(seed),
            memory,
            pace,
            now: 0,
            reader: Reader::default(),
            write_failure: None,
            output_failed: None,
            output_busy_until: 0,
            engine_busy_until: 0,
            pixels_left: 0,
            pixel_limit: u32::MAX,
            pixels: 0,
            spheres: Vec::new(),
            next_sphere: 0,
            held_sphere: None,
            missed: 0,
            starts: 0,
            flush_clocks: 0,
            out_at_stop: false,
            last_progress: 0,
            requests: Vec::new(),
            observer: None,
        };
        bench.reset();
        bench
    }

    /// Two clocks of reset; everything around forgets its state.
    pub fn reset(&mut self) {
        self.frame.reset_n.next = false;
        self.clock();
        self.clock();
        self.frame.reset_n.next = true;
        self.reader = Reader::default();
        self.output_failed = None;
        self.output_busy_until = 0;
        self.engine_busy_until = 0;
        self.pixels_left = 0;
        self.held_sphere = None;
        self.flush_clocks = 0;
    }

    fn level(&mut self, level: bool) {
        self.frame.clock.next = Clock { clk: level };
        settle(self.frame.as_mut()).expect("settles");
    }

    /// From the next clock on the output's `failed` is up.
    pub fn fail_output(&mut self, code: ErrorCode, address: u32) {
        self.output_failed = Some((code, address));
    }

    /// From the next clock on the read master's `failed` is up.
    pub fn fail_read(&mut self, code: ErrorCode, address: u32) {
        self.reader.failed = Some((code, address));
    }

    /// One clock.
    pub fn clock(&mut self) {
        let now = self.now;
        let pace = self.pace;
        let stall = self.random.chance(pace.stall);
        let request_stall = self.random.chance(pace.stall);
        let make_pixel = self.random.chance(pace.pixels);
        let f = &mut self.frame;

        // What stands on the inputs in this clock.
        f.read_request_ready.next = self.reader.request.is_none() && !request_stall;
        let front = self.reader.flying.front().copied();
        let arrived = front.is_some_and(|(_, due)| due <= now) && (self.reader.offered || !stall);
        let mut offered = None;
        if let (true, Some((address, _)), None) = (arrived, front, self.reader.failed) {
            match self.memory.read(address) {
                Ok(word) => offered = Some(word),
                Err(code) => {
                    // Dropped words answer to nobody: only a wanted one fails.
                    if !self.reader.dropping {
                        self.reader.failed = Some((code, address));
                    }
                }
            }
        }
        if self.reader.dropping {
            offered = None;
        }
        f.read_data_valid.next = offered.is_some();
        f.read_data.next = bits(u64::from(offered.unwrap_or(0xDEAD_BEEF)));
        f.read_failed.next = self.reader.failed.is_some();
        let (code, address) = self.reader.failed.unwrap_or((ErrorCode::None, 0));
        f.read_failed_decode.next = code == ErrorCode::ReadDecode;
        f.read_failed_address.next = bits(u64::from(address));
        let read_idle = self.reader.flying.is_empty();
        f.read_idle.next = read_idle;

        let pixel =
            self.pixels_left > 0 && make_pixel && self.output_failed.is_none() && self.pixels < self.pixel_limit;
        f.pixel_taken.next = pixel;
        f.output_idle.next = self.output_busy_until <= now;
        if f.stop.next {
            // The last pixel counts from the clock after it was taken.
            self.out_at_stop = self.starts > 0 && self.pixels_left == 0 && self.output_busy_until <= now;
        }
        let output_stopped = self.output_busy_until <= now;
        f.output_stopped.next = output_stopped;
        f.output_failed.next = self.output_failed.is_some();
        let (code, address) = self.output_failed.unwrap_or((ErrorCode::None, 0));
        f.output_failed_decode.next = code == ErrorCode::WriteDecode;
        f.output_failed_address.next = bits(u64::from(address));
        f.engine_idle.next = self.pixels_left == 0 && self.engine_busy_until <= now;
        let take = self.next_sphere <= now;
        f.sphere_ready.next = take;

        self.level(false);
        if let Some(observer) = &mut self.observer {
            observer(&inputs(&self.frame), &outputs(&self.frame));
        }

        // What the block says in this clock.
        let f = &self.frame;
        let stop = f.read_stop.val();
        if f.read_clear.val() {
            assert!(read_idle, "read_clear while reads are under way");
        }
        if f.output_clear.val() {
            assert!(output_stopped, "output_clear while not stopped");
        }
        // Reads.
        if f.read_request_valid.val() && f.read_request_ready.next && !stop {
            let request = (f.read_request_address.val().to_u32(), f.read_request_words.val().to_u32());
            assert!(request.1 >= 1, "a request of no words");
            self.requests.push(request);
            self.reader.request = Some(request);
        }
        self.reader.offered = offered.is_some();
        if offered.is_some() && f.read_data_ready.val() {
            self.reader.flying.pop_front();
            self.reader.offered = false;
        }
        self.reader.dropping = stop;
        if stop {
            self.reader.request = None;
            self.reader.offered = false;
            // At most what was asked for arrives, and is dropped, a word a clock.
            if self.reader.flying.front().is_some_and(|(_, due)| *due <= now) {
                self.reader.flying.pop_front();
            }
        } else if let (Some((address, words)), None) = (self.reader.request, self.reader.failed) {
            // Four bursts of 16 words: room for 64.
            if self.reader.flying.len() < 64 {
                self.reader.flying.push_back((address, now + pace.latency));
                self.reader.request = (words > 1).then(|| (address.wrapping_add(4), words - 1));
            }
        }
        if f.read_clear.val() {
            self.reader = Reader::default();
        }
        // Pixels.
        if pixel {
            self.pixels += 1;
            self.pixels_left -= 1;
            self.output_busy_until = now + 1 + pace.output_delay;
            if let Some((after, code, address)) = self.write_failure {
                if self.pixels == after {
                    self.output_failed = Some((code, address));
                }
            }
        }
        if f.output_stop.val() && self.pixels_left > 0 {
            self.output_busy_until = self.output_busy_until.max(now + 1 + pace.output_delay);
            self.pixels_left = 0;
            self.engine_busy_until = u64::MAX;
        }
        if f.output_clear.val() {
            self.output_failed = None;
        }
        // Engine.
        if f.flush.val() {
            assert!(read_idle && output_stopped, "flush before the masters rest");
            self.flush_clocks += 1;
            self.engine_busy_until = now + 1 + pace.engine_delay;
            self.pixels_left = 0;
        }
        if f.engine_start.val() {
            assert!(f.output_start.val());
            self.starts += 1;
            self.pixels_left = f.width.val().to_u32() * f.height.val().to_u32();
            self.pixels = 0;
            self.spheres.clear();
            self.held_sphere = None;
            self.next_sphere = now + 1;
        }
        // Spheres.
        if f.sphere_valid.val() {
            let sphere = Sphere {
                index: f.sphere_index.val().to_u32(),
                numbers: [
                    f.sphere_centre_x.val().to_u32(),
                    f.sphere_centre_y.val().to_u32(),
                    f.sphere_centre_z.val().to_u32(),
                    f.sphere_radius_squared.val().to_u32(),
                    f.sphere_radius_inverse.val().to_u32(),
                    f.sphere_radius.val().to_u32(),
                ],
                material: f.sphere_material.val().to_u32(),
            };
            if let Some(held) = self.held_sphere {
                assert_eq!(held, sphere, "the payload changed before it was taken");
            }
            self.held_sphere = Some(sphere);
            if take {
                self.held_sphere = None;
                self.spheres.push(sphere);
                self.next_sphere = now + pace.sphere_interval;
            }
        } else {
            assert!(self.held_sphere.is_none() || !f.rendering.val(), "valid fell before the sphere was taken");
            self.held_sphere = None;
            if take && f.rendering.val() && !self.spheres.is_empty() {
                self.missed += 1;
            }
        }
        // Progress.
        let progress = f.progress.val().to_u32();
        assert!(progress >= self.last_progress, "progress fell from {} to {progress}", self.last_progress);
        self.last_progress = if f.run.val() || !f.reset_n.val() { 0 } else { progress };

        self.level(true);
        self.now += 1;
    }

    /// The clock in which RUN is taken.
    pub fn run(&mut self, registers: Registers) {
        self.frame.scene_address.next = bits(u64::from(registers.scene));
        self.frame.framebuffer_address.next = bits(u64::from(registers.framebuffer));
        self.frame.framebuffer_stride.next = bits(u64::from(registers.stride));
        self.frame.render_control.next = bits(u64::from(registers.control));
        self.frame.background_colour.next = bits(u64::from(registers.background));
        self.frame.run.next = true;
        self.pixels = 0;
        self.flush_clocks = 0;
        self.missed = 0;
        self.requests.clear();
        self.clock();
        self.frame.run.next = false;
        // The registers may be rewritten at once.
        self.frame.scene_address.next = bits(0xFFFF_FFFF);
        self.frame.framebuffer_address.next = bits(0xFFFF_FFFF);
        self.frame.framebuffer_stride.next = bits(0xFFFF_FFFF);
        self.frame.render_control.next = bits(0xFFFF_FFFF);
        self.frame.background_colour.next = bits(0xFFFF_FFFF);
    }

    /// Runs on to the end of the frame, with STOP in the clock `stop_at` after RUN's. The answer holds what the
    /// registers show in the clock after `frame_end`.
    pub fn finish(&mut self, stop_at: Option<u64>, limit: u64) -> Ended {
        for clocks in 1..=limit {
            self.frame.stop.next = stop_at == Some(clocks);
            // `frame_end` comes from registers: it stands from the rising edge on.
            let over = self.frame.frame_end.val();
            let complete = self.frame.frame_complete.val();
            assert!(!over || self.frame.progress.val().to_u32() < 255, "255 before the frame is complete");
            self.clock();
            self.frame.stop.next = false;
            if over {
                assert!(!self.frame.frame_end.val(), "frame_end is longer than a clock");
                let progress = self.frame.progress.val().to_u32();
                assert_eq!(progress == 255, complete, "progress {progress} at the end, complete: {complete}");
                assert_eq!(self.flush_clocks, if complete { 0 } else { 4 }, "clocks of flush");
                return Ended {
                    complete,
                    code: self.frame.error_code.val().to_u8(),
                    address: self.frame.error_address.val().to_u32(),
                    pixels: self.pixels,
                    clocks,
                };
            }
        }
        panic!("no end of the frame after {limit} clocks");
    }

    /// A frame that must be complete and right in all its parts.
    pub fn whole_frame(&mut self, registers: Registers) {
        self.run(registers);
        let limit = 200_000 + 40 * u64::from(self.count(registers));
        let ended = self.finish(None, limit);
        let words: Vec<u32> = (0..15).map(|i| self.memory.words[&(registers.scene + 4 * i)]).collect();
        let size = scene::SCREEN_X_SIZE.get(&words) * scene::SCREEN_Y_SIZE.get(&words);
        assert_eq!((ended.complete, ended.code, ended.address, ended.pixels), (true, 0, 0, size));
        self.check_configuration(registers);
        self.check_spheres(registers);
    }

    fn count(&self, registers: Registers) -> u32 {
        self.memory.words.get(&(registers.scene + 48)).copied().unwrap_or(0)
    }

    /// Sphere `index` as it must be offered.
    pub fn expected_sphere(&self, registers: Registers, index: u32) -> Sphere {
        let base = self.memory.words[&(registers.scene + 44)] + index * sphere::LAYOUT.bytes();
        let word = |i: u32| self.memory.words[&(base + 4 * i)];
        let [x, y, z, squared, inverse] = std::array::from_fn(|i| canonical(word(i as u32)));
        let [radius] = SphereRadius::words(&[squared, inverse])[..] else { panic!("a sphere has a radius") };
        Sphere { index, numbers: [x, y, z, squared, inverse, radius], material: word(5) & 7 }
    }

    /// The spheres taken so far are the scene's, in order, round and round.
    pub fn check_spheres(&self, registers: Registers) {
        let count = self.count(registers);
        for (i, sphere) in self.spheres.iter().enumerate() {
            assert_eq!(*sphere, self.expected_sphere(registers, i as u32 % count), "sphere {i}");
        }
    }

    fn check_configuration(&mut self, registers: Registers) {
        let words: Vec<u32> = (0..15).map(|i| self.memory.words[&(registers.scene + 4 * i)]).collect();
        let width = scene::SCREEN_X_SIZE.get(&words);
        let f = &self.frame;
        assert_eq!(f.width.val().to_u32(), width);
        assert_eq!(f.height.val().to_u32(), scene::SCREEN_Y_SIZE.get(&words));
        assert_eq!(f.output_address.val().to_u32(), registers.framebuffer);
        assert_eq!(f.output_stride.val().to_u32(), if registers.stride == 0 { 4 * width } else { registers.stride });
        assert_eq!(f.framebuffer_enable.val(), registers.framebuffer != 0);
        assert_eq!(f.stream_enable.val(), registers.control >> 9 & 1 == 1);
        assert_eq!(f.shadows.val(), registers.control >> 8 & 1 == 1);
        assert_eq!(f.reflection_depth.val().to_u32(), registers.control & 15);
        assert_eq!(f.background.val().to_u32(), registers.background);
        assert_eq!(f.sphere_count.val().to_u32(), words[12]);
        for (signal, slot) in [
            (&f.light_x, scene::LIGHT_X),
            (&f.light_y, scene::LIGHT_Y),
            (&f.light_z, scene::LIGHT_Z),
            (&f.position_x, scene::CAM_POS_X),
            (&f.position_y, scene::CAM_POS_Y),
            (&f.position_z, scene::CAM_POS_Z),
        ] {
            assert_eq!(signal.val().to_u32(), canonical(slot.get(&words)), "{}", slot.field.name);
        }
        // The material store keeps the frame's materials until the next.
        let materials = scene::MATERIAL_COUNT.get(&words).min(8);
        let base = scene::MATERIAL_POINTER.get(&words);
        for m in 0..materials {
            self.frame.material_address.next = bits(u64::from(m));
            self.clock();
            for w in 0..4 {
                let word = self.memory.words[&(base + 16 * m + 4 * w)];
                assert_eq!(self.frame.material_data[w as usize].val().to_u32(), word, "material {m} word {w}");
            }
        }
    }
}

/// Gives a frame another camera, light and place in memory; some frames have addresses and sizes about the ends of what is
/// legal, on either side.
fn wander(memory: &mut Memory, registers: &mut Registers, random: &mut Random) {
    for slot in 0..9 {
        let moderate = random.word() & 0x807F_FFFF | (120 + random.below(16)) << 23;
        memory.words.insert(SCENE + 4 * slot, moderate);
    }
    let [spheres, materials] =
        [scene::SPHERE_COUNT, scene::MATERIAL_COUNT].map(|slot| memory.words[&(SCENE + 4 * slot.word as u32)]);
    // Of all addresses, or a word to either side.
    let end: u32 = random.pick(&[0, 0, 4, 0xFFFF_FFFC]);
    let mut put = |slot: Slot, value| _ = memory.words.insert(SCENE + 4 * slot.word as u32, value);
    let word = random.word();
    match random.below(12) {
        // An array from anywhere, past the end of all addresses or just not: nothing is there.
        0 => put(scene::SPHERE_POINTER, word & !3),
        1 => put(scene::MATERIAL_POINTER, word & !3),
        2 => put(scene::SPHERE_COUNT, word >> random.below(8)),
        3 => put(scene::MATERIAL_COUNT, word >> random.below(8)),
        4 => put(scene::SPHERE_POINTER, end.wrapping_sub(24 * spheres)),
        5 => put(scene::MATERIAL_POINTER, end.wrapping_sub(16 * materials)),
        6 => put(scene::CAM_FOV, random.pick(&[0, 0x4334_0000, 0x3F80_0000, word])),
        7 => registers.scene = random.pick(&[0, SCENE + 2, word & !3, 0xFFFF_FFC4, 0xFFFF_FFC8]),
        8 => registers.framebuffer = random.pick(&[0, 2, word & !3, 0u32.wrapping_sub(word & 0x3C)]),
        9 => registers.stride = random.pick(&[4, 24, 0x40, 0x41, word & !3, word >> 3 & !3]),
        _ => registers.framebuffer = word & 0x7FFF_FFFC,
    }
}

/// Frames of all kinds at a random pace: whole, stopped, failing, with resets. Calls back in every clock.
pub fn mixed_frames(seed: u64, frames: u32, awake: bool, observer: Observer) {
    let mut random = Random::new(seed);
    let mut bench = Bench::<2, 3>::new(seed, SMOOTH, Memory::default());
    if awake {
        bench.frame.keep_awake();
        let frame: &mut FrameCore<2, 3> = &mut bench.frame;
        frame.keep_awake();
    }
    bench.observer = Some(observer);
    // Whoever looks on sees a reset first: a circuit beside this one starts anywhere.
    bench.reset();
    for frame in 0..frames {
        // The first is whole and loads every material, so that nothing in the material store is undefined after it.
        let first = frame == 0;
        let (width, height) = (1 + random.below(6), 1 + random.below(4));
        let (spheres, materials) = (random.below(9), if first { 8 } else { 1 + random.below(8) });
        let mut registers =
            Registers { control: random.word() & 0x30F, background: random.word(), ..Registers::default() };
        bench.memory = memory(width, height, spheres, materials, &mut random);
        if !first {
            wander(&mut bench.memory, &mut registers, &mut random);
        }
        bench.pace = Pace {
            latency: random.pick(&[1, 7, 40]),
            stall: random.pick(&[0, 20, 60]),
            pixels: random.pick(&[2, 10, 100]),
            sphere_interval: random.pick(&[1, 3, 16, 50]),
            output_delay: u64::from(random.below(20)),
            engine_delay: u64::from(random.below(40)),
        };
        if !first && random.chance(15) {
            bench.memory.slave_errors.push(SPHERES + 4 * random.below(40));
        }
        bench.write_failure =
            (!first && random.chance(10)).then_some((1 + random.below(4), ErrorCode::WriteSlave, random.word()));
        bench.run(registers);
        if !first && random.chance(10) {
            for _ in 0..random.below(400) {
                bench.clock();
            }
            bench.reset();
        } else {
            let stop = (!first && random.chance(40)).then(|| u64::from(1 + random.below(600)));
            bench.finish(stop, 100_000);
        }
        bench.frame.material_address.next = bits(u64::from(random.below(8)));
        for _ in 0..random.below(12) {
            bench.clock();
        }
    }
}
