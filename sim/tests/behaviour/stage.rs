//! A small scene in a device's memory, and what the tests do with it.

use rayman_abi::descriptor::{material, scene, sphere};
use rayman_abi::register::{self, command, status, Register, COUNTERS};
use rayman_abi::ErrorCode;
use rayman_driver::scene::{fx1_7, Camera, Material, Scene, Screen, Sphere};
use rayman_sim::memory::{Response, BASE};
use rayman_sim::{Bench, ModelTransport};

pub const SCENE: u32 = BASE + 0x40;
pub const MATERIALS: u32 = BASE + 0x1000;
pub const SPHERES: u32 = BASE + 0x2000;
pub const FRAMEBUFFER: u32 = BASE + 0x10_0000;
pub const BACKGROUND: u32 = 0x0020_4060;
pub const WIDTH: u32 = 12;
pub const HEIGHT: u32 = 6;

/// Steps within which any frame of this suite must end.
pub const LIMIT: u64 = 400_000;

/// Descriptors as words, free to be spoilt, and where they go.
#[derive(Clone)]
pub struct Stage {
    pub scene_at: u32,
    pub scene: [u32; scene::WORDS],
    pub spheres: Vec<[u32; sphere::WORDS]>,
    pub materials: Vec<[u32; material::WORDS]>,
    pub framebuffer: u32,
    pub stride: u32,
    pub control: u32,
    pub background: u32,
}

/// RENDER_CONTROL from its parts.
pub fn control(depth: u32, shadows: bool, stream: bool) -> u32 {
    let word = register::REFLECTION_DEPTH.set(0, depth);
    let word = register::SHADOWS.set(word, u32::from(shadows));
    register::STREAM.set(word, u32::from(stream))
}

fn colour(rgb: [f64; 3]) -> [rayman_driver::scene::Fx1_7; 3] {
    rgb.map(|value| fx1_7(value).expect("a colour within 0 and 1"))
}

/// Three spheres, two of them mirrors in part, one on a large one, so that there are shadows and reflections.
pub fn scene_with_spheres(spheres: Vec<Sphere>) -> Scene {
    let share = |value| fx1_7(value).expect("within 0 and 1");
    let matt = Material {
        ambient: colour([0.1, 0.05, 0.05]),
        diffuse: colour([0.75, 0.25, 0.2]),
        specular: colour([0.5, 0.5, 0.5]),
        reflection: share(0.0),
        shininess: 20,
    };
    let mirror = Material { diffuse: colour([0.2, 0.5, 0.6]), reflection: share(0.5), ..matt };
    Scene {
        light: [5.0, 8.0, 6.0],
        camera: Camera { position: [0.0, 1.0, 6.0], look_at: [0.0, 0.5, 0.0], fov_degrees: 50.0 },
        screen: Screen { width: WIDTH as u16, height: HEIGHT as u16 },
        spheres,
        materials: vec![matt, mirror],
    }
}

pub fn three_spheres() -> Vec<Sphere> {
    vec![
        Sphere { centre: [0.0, -100.0, 0.0], radius: 100.0, material: 0 },
        Sphere { centre: [-1.0, 1.0, 0.0], radius: 1.0, material: 1 },
        Sphere { centre: [1.2, 0.8, 0.5], radius: 0.8, material: 1 },
    ]
}

impl Stage {
    pub fn new() -> Self {
        Self::of(&scene_with_spheres(three_spheres()))
    }

    pub fn of(scene: &Scene) -> Self {
        Self {
            scene_at: SCENE,
            scene: scene.encode(SPHERES, MATERIALS),
            spheres: scene.spheres.iter().map(Sphere::encode).collect(),
            materials: scene.materials.iter().map(Material::encode).collect(),
            framebuffer: FRAMEBUFFER,
            stride: 0,
            control: control(2, true, true),
            background: BACKGROUND,
        }
    }

    /// A frame that takes a good while: for what must happen while busy.
    pub fn long() -> Self {
        let mut stage = Self::new();
        stage.size(40, 30);
        stage
    }

    pub fn size(&mut self, width: u32, height: u32) {
        scene::SCREEN_X_SIZE.set(&mut self.scene, width);
        scene::SCREEN_Y_SIZE.set(&mut self.scene, height);
    }

    pub fn width(&self) -> u32 {
        scene::SCREEN_X_SIZE.get(&self.scene)
    }

    pub fn height(&self) -> u32 {
        scene::SCREEN_Y_SIZE.get(&self.scene)
    }

    pub fn pixels(&self) -> u32 {
        self.width() * self.height()
    }

    /// Writes memory and registers; starts nothing.
    pub fn place<B: Bench>(&self, bench: &mut B) {
        let bytes = |words: &[u32]| words.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<u8>>();
        let arrays = [(SPHERES, self.spheres.concat()), (MATERIALS, self.materials.concat())];
        for (address, words) in arrays {
            bench.write_memory(address, &bytes(&words)).expect("the arrays are in memory");
        }
        // A scene that is placed where no memory is, is meant to be so.
        let _ = bench.write_memory(self.scene_at, &bytes(&self.scene));
        for (register, value) in [
            (register::SCENE_ADDRESS, self.scene_at),
            (register::FRAMEBUFFER_ADDRESS, self.framebuffer),
            (register::FRAMEBUFFER_STRIDE, self.stride),
            (register::RENDER_CONTROL, self.control),
            (register::BACKGROUND, self.background),
        ] {
            write(bench, &register, value);
        }
    }

    /// Places it, renders it, and answers how it ended.
    pub fn render<B: Bench>(&self, bench: &mut B) -> End {
        self.place(bench);
        run(bench);
        finish(bench)
    }

    /// The rows in memory, without what lies between them.
    pub fn picture<B: Bench>(&self, bench: &mut B) -> Vec<u32> {
        let stride = if self.stride == 0 { 4 * self.width() } else { self.stride };
        let mut bytes = vec![0; 4 * self.width() as usize];
        let mut picture = Vec::new();
        for row in 0..self.height() {
            bench.read_memory(self.framebuffer + row * stride, &mut bytes).expect("the framebuffer is in memory");
            picture.extend(
                bytes.chunks_exact(4).map(|pixel| u32::from_le_bytes([pixel[0], pixel[1], pixel[2], pixel[3]])),
            );
        }
        picture
    }

    /// What the model makes of it: picture and architectural counters.
    pub fn expected(&self) -> (Vec<u32>, Vec<u64>) {
        let mut model = ModelTransport::default();
        let end = self.render(&mut model);
        assert_eq!(end.code, ErrorCode::None, "the reference itself must render");
        (self.picture(&mut model), architectural_counters(&mut model))
    }

    /// Renders and compares with the model.
    pub fn check<B: Bench>(&self, bench: &mut B) {
        let end = self.render(bench);
        assert_eq!((end.code, end.progress), (ErrorCode::None, 255));
        self.compare(bench);
    }

    pub fn compare<B: Bench>(&self, bench: &mut B) {
        let (picture, counters) = self.expected();
        let got = self.picture(bench);
        if let Some(at) = (0..picture.len()).find(|&at| got[at] != picture[at]) {
            let (x, y) = (at as u32 % self.width(), at as u32 / self.width());
            panic!("pixel ({x}, {y}) is {:#08x}, must be {:#08x}", got[at], picture[at]);
        }
        assert_eq!(architectural_counters(bench), counters);
    }
}

/// How a frame ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct End {
    pub code: ErrorCode,
    pub address: u32,
    pub progress: u32,
}

pub fn read<B: Bench>(bench: &mut B, register: &Register) -> u32 {
    let (word, response) = bench.read_raw(register.offset).expect("the bench works");
    assert_eq!(response, Response::Okay, "{}", register.name);
    word
}

pub fn write<B: Bench>(bench: &mut B, register: &Register, value: u32) {
    let response = bench.write_strobed(register.offset, value, 0xF).expect("the bench works");
    assert_eq!(response, Response::Okay, "{}", register.name);
}

pub fn give<B: Bench>(bench: &mut B, command: u32) {
    write(bench, &register::RAYTRACER_COMMAND, command);
}

pub fn run<B: Bench>(bench: &mut B) {
    give(bench, command::RUN);
}

pub fn steps<B: Bench>(bench: &mut B, steps: u64) {
    bench.run(steps).expect("the bench works");
}

pub fn busy<B: Bench>(bench: &mut B) -> bool {
    register::STATUS.get(read(bench, &register::RAYTRACER_STATUS)) == status::BUSY
}

pub fn progress<B: Bench>(bench: &mut B) -> u32 {
    register::PROGRESS.get(read(bench, &register::RAYTRACER_STATUS))
}

pub fn frames<B: Bench>(bench: &mut B) -> u32 {
    read(bench, &register::FRAME_COUNT)
}

/// How the last frame ended, now that it has.
pub fn end<B: Bench>(bench: &mut B) -> End {
    let code = register::ERROR_CODE.get(read(bench, &register::ERROR)) as u8;
    End {
        code: ErrorCode::from_code(code).unwrap_or_else(|| panic!("error code {code:#04x} does not exist")),
        address: read(bench, &register::ERROR_ADDRESS),
        progress: progress(bench),
    }
}

/// Lets time pass until the frame is over. Looks at STATUS, so that an interrupt left up by an earlier frame is no end.
pub fn finish<B: Bench>(bench: &mut B) -> End {
    let mut passed = 0;
    while busy(bench) {
        assert!(passed < LIMIT, "the frame did not end within {LIMIT} steps");
        steps(bench, 64);
        passed += 64;
    }
    assert!(bench.interrupt(), "a frame's end raises the interrupt");
    assert!(bench.bus_is_idle(), "IDLE while a bus transaction is open");
    assert!(bench.violations().is_empty(), "{:?}", bench.violations());
    end(bench)
}

pub fn architectural_counters<B: Bench>(bench: &mut B) -> Vec<u64> {
    let counters = COUNTERS.iter().filter(|counter| counter.architectural);
    counters.map(|counter| u64::from(read(bench, &counter.high)) << 32 | u64::from(read(bench, &counter.low))).collect()
}

pub fn counter<B: Bench>(bench: &mut B, name: &str) -> u64 {
    let counter = COUNTERS.iter().find(|counter| counter.name == name).expect("a counter's name");
    u64::from(read(bench, &counter.high)) << 32 | u64::from(read(bench, &counter.low))
}
