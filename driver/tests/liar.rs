//! A device that answers anything: the driver never panics, never hangs, and says clearly what it found.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use proptest::prelude::*;
use rayman_abi::register::{self, APERTURE_BYTES};
use rayman_driver::{
    Camera, Device, DriverError, Fx1_7, Material, MemoryWindow, RenderOptions, Scene, Screen, Sphere, Transport,
    TransportError, WaitPolicy,
};

const POLICY: WaitPolicy = WaitPolicy { slice: Duration::ZERO, patience: Duration::from_millis(2) };

/// A transport whose answers come from a seed. `lies` and `failures` say how many answers of 256 are made up, and how many
/// accesses fail.
struct Liar {
    state: u64,
    lies: u32,
    failures: u32,
    window: MemoryWindow,
}

impl Liar {
    fn word(&mut self) -> u32 {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        (self.state >> 24) as u32
    }

    fn chance(&mut self, of_256: u32) -> bool {
        self.word() & 0xFF < of_256
    }

    fn fails(&mut self, error: TransportError) -> Result<(), TransportError> {
        let failures = self.failures;
        if self.chance(failures) {
            Err(error)
        } else {
            Ok(())
        }
    }
}

impl Transport for Liar {
    fn name(&self) -> String {
        "liar".into()
    }

    fn read_register(&mut self, offset: u32) -> Result<u32, TransportError> {
        assert!(offset < APERTURE_BYTES && register::at(offset).is_some(), "the driver reads {offset:#x}");
        self.fails(TransportError::Register { offset, response: "SLVERR" })?;
        let lies = self.lies;
        if self.chance(lies) {
            return Ok(self.word());
        }
        // What a core may say, though not when it may say it.
        let word = match offset {
            offset if offset == register::ID.offset => register::ID_VALUE,
            offset if offset == register::VERSION.offset => register::VERSION_VALUE,
            offset if offset == register::RAYTRACER_STATUS.offset => {
                let state = u32::from(self.chance(100));
                register::PROGRESS.set(state, if self.chance(128) { 0xFF } else { self.word() & 0xFF })
            }
            offset if offset == register::ERROR.offset => u32::from(self.chance(64)) * (self.word() & 0x2F),
            _ => u32::from(self.chance(64)) * self.word(),
        };
        Ok(word)
    }

    fn write_register(&mut self, offset: u32, _: u32) -> Result<(), TransportError> {
        assert!(register::at(offset).is_some(), "the driver writes {offset:#x}");
        self.fails(TransportError::Register { offset, response: "DECERR" })
    }

    fn memory(&self) -> MemoryWindow {
        self.window
    }

    fn read_memory(&mut self, address: u32, bytes: &mut [u8]) -> Result<(), TransportError> {
        self.fails(TransportError::Memory { address, bytes: bytes.len() })?;
        let whole = !self.chance(self.lies);
        for (at, byte) in bytes.iter_mut().enumerate() {
            *byte = if whole && at % 4 == 3 { 0 } else { self.word() as u8 };
        }
        Ok(())
    }

    fn write_memory(&mut self, address: u32, bytes: &[u8]) -> Result<(), TransportError> {
        let end = u64::from(address) + bytes.len() as u64;
        let window = self.window;
        assert!(address >= window.base && end <= u64::from(window.base) + u64::from(window.bytes), "{address:#x}");
        assert!(end <= 1 << 32, "{address:#x} and {} bytes are past the address space", bytes.len());
        self.fails(TransportError::Memory { address, bytes: bytes.len() })
    }

    fn wait_interrupt(&mut self, _: Duration) -> Result<bool, TransportError> {
        self.fails(TransportError::Io { what: "no way to the device".into(), source: None })?;
        Ok(self.chance(20))
    }
}

fn scene(width: u16, height: u16, spheres: usize) -> Scene {
    let grey = [Fx1_7::from_bits(0x40); 3];
    let material = Material { ambient: grey, diffuse: grey, specular: grey, reflection: Fx1_7::ZERO, shininess: 8 };
    Scene {
        light: [1.0, 2.0, 3.0],
        camera: Camera { position: [0.0, 0.0, 5.0], look_at: [0.0; 3], fov_degrees: 60.0 },
        screen: Screen { width, height },
        spheres: vec![Sphere { centre: [0.0; 3], radius: 1.0, material: 0 }; spheres],
        materials: vec![material],
    }
}

/// All that a program asks of a device, each step whatever came of the one before.
fn use_device(liar: Liar, scene: &Scene, stop_at: u8) -> Vec<DriverError> {
    let mut errors = Vec::new();
    let mut device = match Device::open(liar) {
        Ok(device) => device,
        Err(error) => return vec![error],
    };
    let mut note = |result: Result<(), DriverError>| errors.extend(result.err());
    note(device.capabilities().map(drop));
    note(device.build().map(drop));
    note(device.status().map(drop));
    note(device.upload(scene).map(drop));
    for framebuffer in [true, false] {
        let configured = device.configure(&RenderOptions { framebuffer, ..RenderOptions::default() });
        // What is refused leaves the configuration of before, whose frames had a framebuffer.
        let without = configured.is_ok() && !framebuffer;
        note(configured);
        // A run that is refused leaves the picture of the frame before.
        let run = device.run();
        let started = run.is_ok();
        note(run);
        let mut seen = None;
        note(device.wait(&POLICY, |progress| {
            assert!(seen.is_none_or(|seen| seen < progress), "progress falls from {seen:?} to {progress}");
            seen = Some(progress);
            if progress >= stop_at {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        }));
        note(device.picture().map(|picture| {
            assert!(!(without && started), "a picture of a frame without a framebuffer");
            assert_eq!(picture.rgb.len(), 3 * usize::from(scene.screen.width) * usize::from(scene.screen.height));
        }));
        note(device.counters().map(drop));
    }
    note(device.stop());
    note(device.render(scene, &RenderOptions::default(), &POLICY, |_| ControlFlow::Continue(())).map(drop));
    errors
}

fn windows() -> impl Strategy<Value = MemoryWindow> {
    let usual = Just(MemoryWindow { base: 0x8000_0000, bytes: 1 << 20 });
    let anywhere = any::<(u32, u32)>().prop_map(|(base, bytes)| MemoryWindow { base, bytes });
    // About the end of the address space, and past it.
    let top = (0u32..0x4000, any::<u32>()).prop_map(|(below, bytes)| MemoryWindow { base: u32::MAX - below, bytes });
    let zero = (0u32..0x2000).prop_map(|bytes| MemoryWindow { base: 0, bytes });
    prop_oneof![4 => usual, 1 => anywhere, 1 => top, 1 => zero]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_answers_end_in_a_picture_or_a_clear_error(
        seed in 1u64.., lies in prop_oneof![Just(0u32), Just(4), Just(128), Just(256)],
        failures in prop_oneof![Just(0u32), Just(0), Just(3), Just(200)], window in windows(),
        width in 1u16..40, height in 1u16..20, spheres in 0usize..30, stop_at: u8,
    ) {
        let begin = Instant::now();
        let liar = Liar { state: seed, lies, failures, window };
        for error in use_device(liar, &scene(width, height, spheres), stop_at) {
            let text = error.to_string();
            prop_assert!(!text.is_empty() && !text.contains('\n'), "{text:?}");
            if let DriverError::Timeout { waited, .. } = error {
                prop_assert!(waited >= POLICY.patience);
            }
        }
        // Three frames, each of at most 256 steps of progress with its patience.
        prop_assert!(begin.elapsed() < Duration::from_secs(60));
    }
}

#[test]
fn a_window_past_the_address_space_is_used_up_to_its_end() {
    // 64 KiB of the address space are left.
    let window = MemoryWindow { base: 0xFFFF_0000, bytes: 0x2_0000 };
    let mut device = Device::open(Liar { state: 9, lies: 0, failures: 0, window }).unwrap();
    let mut upload = |width| loop {
        // This device says now and then that it is busy.
        match device.upload(&scene(width, 16, 3)) {
            Err(DriverError::Busy { .. }) => {}
            other => return other,
        }
    };
    let placement = upload(64).unwrap();
    assert!(u64::from(placement.framebuffer.address) + u64::from(placement.framebuffer.bytes) <= 1 << 32);
    assert!(matches!(upload(1200), Err(DriverError::OutOfMemory { .. })));
}
