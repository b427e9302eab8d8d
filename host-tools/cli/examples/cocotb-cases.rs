//! The frames of the cocotb suite: what goes into memory and registers, and what the model makes of it, as JSON on
//! standard output. `cargo xtask cocotb` runs it; `sim/cocotb/cases.py` reads it.
//!
//! Scenes are those of `scenes/` and made ones, in pictures so small that an event-driven simulator has them in seconds.
//! Numbers are bus addresses and register values; bytes are hexadecimal digits in the order of their addresses.

use std::path::Path;

use anyhow::{Context, Result};
use rayman_abi::descriptor::{material, scene as slot, sphere};
use rayman_abi::register::{self, command, Register, COUNTERS};
use rayman_abi::ErrorCode;
use rayman_driver::scene::Scene;
use rayman_driver::{RenderOptions, Screen, Transport};
use rayman_sim::memory::{Direction, Fault, Place, Response, BASE, BYTES};
use rayman_sim::{Bench, ModelTransport};
use rayman_tools::made_scene;
use rayman_tools::scene_file::SceneFile;
use serde_json::{json, Value};
use std::time::Duration;

/// Off the boundary of 64 bytes, so that the first burst is not a whole one.
const SCENE: u32 = BASE + 0x0FF4;
const MATERIALS: u32 = BASE + 0x2010;
/// An array that crosses a 4 KiB boundary in its second sphere.
const SPHERES: u32 = BASE + 0x3FDC;
const FRAMEBUFFER: u32 = BASE + 0x2_0000;
/// No frame of these takes the model this long.
const PATIENCE: Duration = Duration::from_secs(60);

/// A frame to be rendered.
#[derive(Clone)]
struct Frame {
    name: String,
    scene: Scene,
    options: RenderOptions,
    framebuffer: u32,
    /// 0: rows follow each other.
    stride: u32,
    scene_at: u32,
    spheres_at: u32,
    fault: Option<Fault>,
}

impl Frame {
    fn new(name: &str, mut scene: Scene, options: RenderOptions, (width, height): (u16, u16)) -> Self {
        scene.screen = Screen { width, height };
        let options = RenderOptions { stream: true, ..options };
        let (framebuffer, scene_at, spheres_at) = (FRAMEBUFFER, SCENE, SPHERES);
        Self { name: name.to_owned(), scene, options, framebuffer, stride: 0, scene_at, spheres_at, fault: None }
    }

    /// A scene of `scenes/`, smaller.
    fn of_file(name: &str, size: (u16, u16)) -> Result<Self> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes");
        let SceneFile { scene, options } = SceneFile::load(&root.join(format!("{name}.toml")))?;
        Ok(Self::new(&name.replace('-', "_"), scene, options, size))
    }

    fn made(name: &str, spheres: u32, seed: u64, size: (u16, u16)) -> Self {
        let (scene, options) = made_scene::scene(spheres, seed);
        Self::new(name, scene, options, size)
    }

    /// The same frame under another name, to be spoilt.
    fn spoilt(&self, name: &str, spoil: impl FnOnce(&mut Self)) -> Self {
        let mut frame = Self { name: name.to_owned(), ..self.clone() };
        spoil(&mut frame);
        frame
    }

    fn strikes(&self, name: &str, direction: Direction, address: u32, response: Response) -> Self {
        self.spoilt(name, |frame| {
            frame.fault = Some(Fault { direction, place: Place::Range(address, address + 3), response });
        })
    }

    fn registers(&self) -> [(Register, u32); 5] {
        let control = register::REFLECTION_DEPTH.set(0, self.options.reflection_depth.into());
        let control = register::SHADOWS.set(control, self.options.shadows.into());
        let [red, green, blue] = self.options.background;
        [
            (register::SCENE_ADDRESS, self.scene_at),
            (register::FRAMEBUFFER_ADDRESS, if self.options.framebuffer { self.framebuffer } else { 0 }),
            (register::FRAMEBUFFER_STRIDE, self.stride),
            (register::RENDER_CONTROL, register::STREAM.set(control, self.options.stream.into())),
            (register::BACKGROUND, u32::from_be_bytes([0, red, green, blue])),
        ]
    }

    fn memory(&self) -> [(u32, Vec<u32>); 3] {
        let spheres: Vec<u32> = self.scene.spheres.iter().flat_map(|sphere| sphere.encode()).collect();
        let materials: Vec<u32> = self.scene.materials.iter().flat_map(|material| material.encode()).collect();
        [
            (self.scene_at, self.scene.encode(self.spheres_at, MATERIALS).to_vec()),
            (self.spheres_at, spheres),
            (MATERIALS, materials),
        ]
    }

    /// Renders it on the model and writes all of it down.
    fn json(&self) -> Result<Value> {
        let mut model = ModelTransport::default();
        model.keep_beats(true);
        self.fault.into_iter().for_each(|fault| model.inject(fault));
        let mut memory = Vec::new();
        for (address, words) in self.memory() {
            let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
            // A scene that is put where no memory is, is meant to be so.
            if model.write_memory(address, &bytes).is_ok() {
                memory.push(json!([address, hex(&bytes)]));
            }
        }
        for (register, value) in self.registers() {
            model.write_register(register.offset, value)?;
        }
        model.write_register(register::RAYTRACER_COMMAND.offset, command::RUN)?;
        anyhow::ensure!(model.wait_interrupt(PATIENCE)?, "{}: the model does not come to an end", self.name);

        let error = register::ERROR_CODE.get(model.read_register(register::ERROR.offset)?);
        let Screen { width, height } = self.scene.screen;
        let stride = if self.stride == 0 { 4 * u32::from(width) } else { self.stride };
        let mut rows = Vec::new();
        if error == ErrorCode::None as u32 && self.options.framebuffer {
            for row in 0..u32::from(height) {
                let mut bytes = vec![0; 4 * usize::from(width)];
                model.read_memory(self.framebuffer + row * stride, &mut bytes)?;
                rows.push(hex(&bytes));
            }
        }
        let mut counters = serde_json::Map::new();
        for counter in COUNTERS.iter().filter(|counter| counter.architectural) {
            let [low, high] = [counter.low, counter.high].map(|half| model.read_register(half.offset));
            counters.insert(counter.name.to_owned(), (u64::from(high?) << 32 | u64::from(low?)).into());
        }
        let beats = model.take_beats().into_iter();
        Ok(json!({
            "name": self.name,
            "registers": self.registers().map(|(register, value)| (register.offset, value)),
            "memory": memory,
            "fault": self.fault.map(|fault| fault_json(&fault)),
            "width": width,
            "height": height,
            "framebuffer": self.framebuffer,
            "stride": stride,
            "error": error,
            "error_address": model.read_register(register::ERROR_ADDRESS.offset)?,
            "rows": rows,
            "beats": beats.map(|beat| (beat.tdata(), beat.start_of_frame, beat.end_of_line)).collect::<Vec<_>>(),
            "counters": counters,
        }))
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn fault_json(fault: &Fault) -> Value {
    let write = fault.direction == Direction::Write;
    let (first, last) = match fault.place {
        Place::Range(first, last) => (first, last),
        // None is made here.
        Place::Beat(_) => (0, u32::MAX),
    };
    json!({ "write": write, "first": first, "last": last, "response": fault.response.name() })
}

/// Frames that come to their end.
fn whole() -> Result<Vec<Frame>> {
    let first_light = Frame::of_file("first-light", (8, 6))?;
    Ok(vec![
        // The shortest frame that there is, and a short one with all kinds of rays.
        Frame::of_file("empty", (2, 1))?.spoilt("dot", |_| ()),
        first_light.spoilt("tiny", |frame| frame.scene.screen = Screen { width: 2, height: 2 }),
        Frame::of_file("single-sphere", (8, 6))?,
        // Rows with gaps between them, the first of which crosses a 4 KiB boundary.
        first_light.spoilt("first_light", |frame| (frame.framebuffer, frame.stride) = (FRAMEBUFFER - 12, 44)),
        Frame::of_file("eight-materials", (7, 4))?,
        Frame::of_file("inside-sphere", (5, 4))?,
        Frame::of_file("up-axis", (4, 4))?,
        // Bursts of 16 words and a rest, in one row over a 4 KiB boundary.
        Frame::of_file("empty", (37, 2))?.spoilt("empty", |frame| frame.framebuffer = FRAMEBUFFER - 68),
        Frame::made("made", 20, 1, (8, 6)),
        first_light.spoilt("stream_only", |frame| frame.options.framebuffer = false),
        first_light.spoilt("framebuffer_only", |frame| frame.options.stream = false),
        // More spheres than the core's cache holds: they are read again and again.
        Frame::made("streamed", 260, 2, (2, 2)),
    ])
}

/// Frames that end early, each with the code and the address that the model reports.
fn failing() -> Result<Vec<Frame>> {
    use Direction::{Read, Write};
    use Response::{DecodeError, SlaveError};
    let (width, height) = (4, 3);
    let good = Frame::of_file("first-light", (width, height))?.spoilt("", |frame| frame.options.stream = false);
    let picture = 4 * u32::from(width) * u32::from(height);
    let word = |number: usize| 4 * number as u32;
    let last_word = word(good.scene.spheres.len() * sphere::WORDS - 1);
    Ok(vec![
        good.strikes("scene_slverr", Read, SCENE + word(slot::CAM_FOV.word), SlaveError),
        good.strikes("scene_decerr", Read, SCENE, DecodeError),
        good.strikes("material_slverr", Read, MATERIALS + word(material::WORDS + 1), SlaveError),
        good.strikes("sphere_decerr", Read, SPHERES + last_word, DecodeError),
        good.strikes("write_slverr", Write, FRAMEBUFFER + 8, SlaveError),
        good.strikes("write_decerr", Write, FRAMEBUFFER + picture - 4, DecodeError),
        good.spoilt("scene_nowhere", |frame| frame.scene_at = BASE + BYTES),
        good.spoilt("spheres_nowhere", |frame| frame.spheres_at = 0x1000),
        good.spoilt("framebuffer_misaligned", |frame| frame.framebuffer += 2),
        good.spoilt("stride_too_small", |frame| frame.stride = 4 * u32::from(width) - 4),
        good.spoilt("material_id", |frame| frame.scene.spheres[1].material = frame.scene.materials.len()),
        good.spoilt("field_of_view", |frame| frame.scene.camera.fov_degrees = 180.0),
    ])
}

fn main() -> Result<()> {
    let list = |frames: Vec<Frame>| frames.iter().map(Frame::json).collect::<Result<Vec<Value>>>();
    let whole = list(whole()?).context("a frame of the suite does not render")?;
    let failing = list(failing()?).context("a failing frame of the suite does not end")?;
    anyhow::ensure!(whole.iter().all(|frame| frame["error"] == 0), "a frame that should be whole fails");
    anyhow::ensure!(failing.iter().all(|frame| frame["error"] != 0), "a frame that should fail is whole");
    println!("{}", json!({ "whole": whole, "failing": failing }));
    Ok(())
}
