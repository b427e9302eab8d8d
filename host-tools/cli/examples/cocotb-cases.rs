//! The frames of the cocotb suite: what goes into memory and registers, and what the model makes of it, as JSON on
//! standard output. `cargo xtask cocotb` runs it; `sim/cocotb/cases.py` reads it.
//!
//! Scenes are those of `scenes/` and made ones, in pictures so small that an event-driven simulator has them in seconds.
//! Numbers are bus addresses and register values; bytes are hexadecimal digits in the order of their addresses.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context, Result};
use rayman_abi::descriptor::{material, scene as slot, sphere};
use rayman_abi::register;
use rayman_abi::ErrorCode;
use rayman_driver::scene::Scene;
use rayman_driver::{RenderOptions, Screen};
use rayman_sim::memory::{Direction, Fault, Place, Response, BASE, BYTES};
use rayman_sim::soak::scenario::Scenario;
use rayman_tools::made_scene;
use rayman_tools::scene_file::SceneFile;
use serde_json::{json, Value};

/// Off the boundary of 64 bytes, so that the first burst is not a whole one.
const SCENE: u32 = BASE + 0x0FF4;
const MATERIALS: u32 = BASE + 0x2010;
/// An array that crosses a 4 KiB boundary in its second sphere.
const SPHERES: u32 = BASE + 0x3FDC;
const FRAMEBUFFER: u32 = BASE + 0x2_0000;

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

    fn scenario(&self) -> Scenario {
        let control = register::REFLECTION_DEPTH.set(0, self.options.reflection_depth.into());
        let control = register::SHADOWS.set(control, self.options.shadows.into());
        let [red, green, blue] = self.options.background;
        Scenario {
            scene_at: self.scene_at,
            scene: self.scene.encode(self.spheres_at, MATERIALS),
            spheres_at: self.spheres_at,
            spheres: self.scene.spheres.iter().map(|sphere| sphere.encode()).collect(),
            materials_at: MATERIALS,
            materials: self.scene.materials.iter().map(|material| material.encode()).collect(),
            framebuffer: if self.options.framebuffer { self.framebuffer } else { 0 },
            stride: self.stride,
            control: register::STREAM.set(control, self.options.stream.into()),
            background: u32::from_be_bytes([0, red, green, blue]),
        }
    }

    /// Renders it on the model and writes all of it down.
    fn json(&self) -> Result<Value> {
        let scenario = self.scenario();
        let expected = scenario.expected(self.fault.as_slice()).with_context(|| self.name.clone())?;
        let arrays = [
            (scenario.scene_at, scenario.scene.to_vec()),
            (scenario.spheres_at, scenario.spheres.concat()),
            (scenario.materials_at, scenario.materials.concat()),
        ];
        // What is put where no memory is, is meant to be so.
        let window = BASE..BASE + BYTES;
        let arrays = arrays.iter().filter(|(address, _)| window.contains(address));
        let whole = expected.code == ErrorCode::None;
        let rows = expected.picture.chunks(scenario.width() as usize).filter(|_| whole && scenario.writes());
        let beats = if scenario.streams() { scenario.beats(&expected.picture) } else { Vec::new() };
        Ok(json!({
            "name": self.name,
            "registers": scenario.registers().map(|(register, value)| (register.offset, value)),
            "memory": arrays.map(|(address, words)| (address, hex(words))).collect::<Vec<_>>(),
            "fault": self.fault.map(|fault| fault_json(&fault)),
            "width": scenario.width(),
            "height": scenario.height(),
            // Where it is, written or not.
            "framebuffer": self.framebuffer,
            "stride": scenario.stride_bytes(),
            "error": expected.code as u32,
            "error_address": expected.address,
            "rows": rows.map(hex).collect::<Vec<_>>(),
            "beats": beats.iter().map(|beat| (beat.tdata(), beat.start_of_frame, beat.end_of_line)).collect::<Vec<_>>(),
            "counters": expected.counters.into_iter().collect::<BTreeMap<_, _>>(),
        }))
    }
}

/// Words as the bytes that lie in memory.
fn hex(words: &[u32]) -> String {
    words.iter().flat_map(|word| word.to_le_bytes()).map(|byte| format!("{byte:02x}")).collect()
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
