//! Comparing devices, with devices that are broken on purpose: a comparison that cannot fail proves nothing.

mod scratch;

use std::time::Duration;

use clap::Parser;
use rayman_abi::{descriptor, register};
use rayman_driver::{DriverError, MemoryWindow, Transport, TransportError};
use rayman_sim::ModelTransport;
use rayman_tools::command::{Rayman, Upload};
use rayman_tools::device::{Choice, DeviceKind, Setting};
use rayman_tools::failure;
use rayman_tools::render::Job;
use rayman_tools::scene_file::SceneFile;
use rayman_tools::verify::{outcome, verify, Difference, Outcome};
use scratch::{Scratch, SMALL};

/// What is broken in a device that is otherwise the model.
#[derive(Clone, Copy, Debug)]
enum Flaw {
    None,
    /// One bit of the green byte of a pixel.
    Pixel(u32, u32),
    /// This counter counts one too many.
    Counter(register::Register),
    /// Frames never end.
    Hang,
    /// Pixels are not written.
    NoMemory,
}

struct Flawed {
    model: ModelTransport,
    flaw: Flaw,
}

impl Flawed {
    fn boxed(flaw: Flaw) -> Box<dyn Transport> {
        Box::new(Self { model: ModelTransport::default(), flaw })
    }

    /// Bus address of a pixel, from the registers and the descriptor as they are.
    fn pixel_address(&mut self, x: u32, y: u32) -> Result<u32, TransportError> {
        let scene = self.model.read_register(register::SCENE_ADDRESS.offset)?;
        let mut bytes = [0; 4 * descriptor::scene::WORDS];
        self.model.read_memory(scene, &mut bytes)?;
        let words: Vec<u32> = bytes.chunks(4).map(|word| u32::from_le_bytes(word.try_into().unwrap())).collect();
        let width = descriptor::scene::SCREEN_X_SIZE.get(&words);
        Ok(self.model.read_register(register::FRAMEBUFFER_ADDRESS.offset)? + 4 * (y * width + x))
    }
}

impl Transport for Flawed {
    fn name(&self) -> String {
        format!("model with {:?}", self.flaw)
    }

    fn read_register(&mut self, offset: u32) -> Result<u32, TransportError> {
        let value = self.model.read_register(offset)?;
        Ok(match self.flaw {
            Flaw::Counter(register) if register.offset == offset => value + 1,
            _ => value,
        })
    }

    fn write_register(&mut self, offset: u32, value: u32) -> Result<(), TransportError> {
        // The framebuffer's address is lost on the way; the frame then leaves no picture.
        if matches!(self.flaw, Flaw::NoMemory) && offset == register::FRAMEBUFFER_ADDRESS.offset {
            return Ok(());
        }
        self.model.write_register(offset, value)
    }

    fn memory(&self) -> MemoryWindow {
        self.model.memory()
    }

    fn read_memory(&mut self, address: u32, bytes: &mut [u8]) -> Result<(), TransportError> {
        self.model.read_memory(address, bytes)?;
        if let Flaw::Pixel(x, y) = self.flaw {
            let green = self.pixel_address(x, y)? + 1;
            if let Some(byte) = green.checked_sub(address).and_then(|at| bytes.get_mut(at as usize)) {
                *byte ^= 1;
            }
        }
        Ok(())
    }

    fn write_memory(&mut self, address: u32, bytes: &[u8]) -> Result<(), TransportError> {
        self.model.write_memory(address, bytes)
    }

    fn wait_interrupt(&mut self, timeout: Duration) -> Result<bool, TransportError> {
        match self.flaw {
            Flaw::Hang => Ok(false),
            _ => self.model.wait_interrupt(timeout),
        }
    }
}

fn job() -> Job {
    let SceneFile { scene, options } = SceneFile::parse("small.toml".as_ref(), SMALL).unwrap();
    Job { scene, options, patience: Duration::from_millis(50) }
}

fn compare(flaws: &[Flaw]) -> (Vec<Option<Difference>>, Outcome) {
    let mut devices: Vec<_> = flaws.iter().map(|&flaw| Flawed::boxed(flaw)).collect();
    let rows = verify(&mut devices, &job(), |_, _| std::ops::ControlFlow::Continue(()));
    assert_eq!(rows.len(), flaws.len());
    (rows.iter().map(|row| row.difference).collect(), outcome(&rows))
}

#[test]
fn equal_devices_are_equal() {
    assert_eq!(compare(&[Flaw::None; 3]), (vec![None; 3], Outcome::Equal));
}

#[test]
fn one_wrong_bit_in_any_corner_is_found() {
    for (x, y) in [(0, 0), (7, 0), (0, 5), (7, 5), (4, 3)] {
        let (differences, outcome) = compare(&[Flaw::None, Flaw::Pixel(x, y), Flaw::None]);
        assert_eq!(outcome, Outcome::Different);
        assert_eq!((differences[0], differences[2]), (None, None));
        match differences[1] {
            Some(Difference::Pixel { x: found_x, y: found_y, expected, found }) => {
                assert_eq!((found_x, found_y), (x, y));
                assert_eq!([found[0], found[1] ^ 1, found[2]], expected);
            }
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn every_architectural_counter_is_compared_and_no_other() {
    for counter in register::COUNTERS {
        let (differences, outcome) = compare(&[Flaw::None, Flaw::Counter(counter.low)]);
        match differences[1] {
            Some(Difference::Counter { name, expected, found }) => {
                assert!(counter.architectural, "{name}");
                assert_eq!((name, found, outcome), (counter.name, expected + 1, Outcome::Different));
            }
            None => assert!(!counter.architectural && outcome == Outcome::Equal, "{}", counter.name),
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn a_device_without_a_frame_fails_and_the_others_are_compared() {
    let (differences, outcome) = compare(&[Flaw::Hang, Flaw::None, Flaw::Pixel(1, 1), Flaw::NoMemory]);
    assert_eq!(outcome, Outcome::Failed);
    assert_eq!((differences[0], differences[1], differences[3]), (None, None, None));
    assert!(matches!(differences[2], Some(Difference::Pixel { x: 1, y: 1, .. })));
    let mut devices = [Flawed::boxed(Flaw::Hang), Flawed::boxed(Flaw::NoMemory)];
    let rows = verify(&mut devices, &job(), |_, _| std::ops::ControlFlow::Continue(()));
    assert!(matches!(rows[0].frame, Err(DriverError::Timeout { .. })), "{:?}", rows[0]);
    assert!(matches!(rows[1].frame, Err(DriverError::PixelMissing { x: 0, y: 0 })), "{:?}", rows[1]);
}

/// Runs `rayman` in this process, with a flawed device in the place of the RTL.
fn rayman(flaw: Flaw, arguments: &[&str]) -> (u8, String) {
    let open = |choice: &Choice, _: &Setting| {
        Ok(Flawed::boxed(match choice {
            Choice::Simulated(DeviceKind::Rtl) => flaw,
            _ => Flaw::None,
        }))
    };
    let mut out = Vec::new();
    let arguments = [&["rayman"], arguments].concat();
    let code = Rayman::try_parse_from(arguments).unwrap().run(&open, &mut out).unwrap();
    (code, String::from_utf8(out).unwrap())
}

#[test]
fn the_command_tells_equal_different_and_failed_by_its_exit_code() {
    let scratch = Scratch::new("verify_codes");
    scratch.write("small.toml", SMALL);
    let path = scratch.0.join("small.toml");
    let path = path.to_str().unwrap();
    let arguments = ["verify", path, "--devices", "model,rtl", "--quiet", "--patience", "1"];

    let (code, out) = rayman(Flaw::None, &arguments);
    assert_eq!(code, failure::DONE, "{out}");
    assert!(out.contains("  reference\n") && out.contains("  equal\n") && out.contains("byte for byte"), "{out}");

    let (code, out) = rayman(Flaw::Pixel(7, 5), &arguments);
    assert_eq!(code, failure::MISMATCH, "{out}");
    assert!(out.contains("DIFFERS: pixel (7, 5) is #203140, expected #203040"), "{out}");

    let (code, out) = rayman(Flaw::Counter(register::HITS_LO), &arguments);
    assert_eq!(code, failure::MISMATCH, "{out}");
    assert!(out.contains("DIFFERS: hits is "), "{out}");

    let (code, out) = rayman(Flaw::Hang, &arguments);
    assert_eq!(code, failure::ERROR, "{out}");
    assert!(out.contains("error: no progress in "), "{out}");

    // Every scene is compared, the last one too.
    let arguments = ["verify", path, path, "--devices", "model,rtl", "--quiet", "--size", "3x2"];
    let (code, out) = rayman(Flaw::Pixel(2, 1), &arguments);
    assert_eq!((code, out.matches("DIFFERS").count()), (failure::MISMATCH, 2), "{out}");
}

#[test]
fn the_binary_compares_the_model_with_itself() {
    let scratch = Scratch::new("verify_binary");
    scratch.write("small.toml", SMALL);
    let outcome =
        scratch.rayman(&["verify", "small.toml", "small.toml", "--devices", "model,model", "--size", "16x12"]);
    assert_eq!(outcome.code, Some(0), "{outcome:?}");
    assert!(outcome.out.starts_with("scene ") && outcome.out.contains("16x12"), "{outcome:?}");
    assert_eq!(outcome.out.lines().count(), 1 + 2 * 2 + 1, "{outcome:?}");
    assert!(outcome.err.contains("small.toml on model: 100 %"), "progress goes beside the table: {outcome:?}");
}

#[test]
fn a_failed_render_keeps_the_old_picture() {
    let scratch = Scratch::new("keeps");
    scratch.write("small.toml", SMALL);
    scratch.write("out.png", "an old picture");
    let at = |name: &str| scratch.0.join(name).to_str().unwrap().to_owned();
    for flaw in [Flaw::Hang, Flaw::NoMemory] {
        let open = |_: &Choice, _: &Setting| Ok(Flawed::boxed(flaw));
        let arguments = ["rayman-upload", &at("small.toml"), "-o", &at("out.png"), "--quiet", "--patience", "1"];
        let error = Upload::try_parse_from(arguments).unwrap().run(&open, &mut Vec::new()).unwrap_err();
        let mut text = Vec::new();
        failure::show(&mut text, &error).unwrap();
        let text = String::from_utf8(text).unwrap();
        assert!(text.starts_with("error: ") && text.contains("\n  help: "), "{text}");
        assert_eq!(scratch.names(), ["out.png", "small.toml"]);
        assert_eq!(std::fs::read_to_string(scratch.0.join("out.png")).unwrap(), "an old picture");
    }
}
