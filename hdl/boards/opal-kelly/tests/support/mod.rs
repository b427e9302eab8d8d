//! The system's endpoints, as FrontPanel's calls move them, on the in-crate simulator.
//!
//! Time passes only in calls: a trigger takes a clock, a pipe a clock for each half word, a look at the wires out many.

use rayman_abi::opal_kelly as abi;
use std::ops::ControlFlow;

use rayman_driver::frontpanel::FrontPanel;
use rayman_driver::scene::fx1_7;
use rayman_driver::{
    Camera, Device, Material, Picture, RenderOptions, Scene, Screen, Sphere, Transport, TransportError, WaitPolicy,
};
use rayman_opal_kelly::System;
use rayman_rtl::step::clock;

/// Clocks that pass in a call: far fewer than the thousands of USB.
const CALL_CLOCKS: u32 = 40;
/// Clocks that pass before the wires out are looked at, so that waiting for a frame takes not too many looks.
const LOOK_CLOCKS: u32 = 400;

/// The system behind its endpoints.
pub struct InCrate {
    system: Box<System>,
}

impl InCrate {
    /// As at power-up: wires in are 0.
    pub fn new() -> Self {
        let mut panel = Self { system: Box::new(System::new()) };
        panel.run(CALL_CLOCKS);
        panel
    }

    /// Lets the clock run.
    pub fn run(&mut self, clocks: u32) {
        for _ in 0..clocks {
            clock(self.system.as_mut(), |system, level| system.clock.next = level).expect("the system comes to rest");
        }
    }

    fn wire(&mut self, endpoint: u8, value: u16) {
        let system = &mut self.system;
        let wire = match endpoint {
            abi::CONTROL => &mut system.control,
            abi::OFFSET => &mut system.offset,
            abi::DATA => &mut system.data_low,
            endpoint if endpoint == abi::DATA + 1 => &mut system.data_high,
            abi::ADDRESS => &mut system.address_low,
            endpoint if endpoint == abi::ADDRESS + 1 => &mut system.address_high,
            _ => panic!("there is no wire in {endpoint:#x}"),
        };
        wire.next = u64::from(value).into();
    }
}

impl FrontPanel for InCrate {
    fn name(&self) -> String {
        "ok: in-crate".to_owned()
    }

    fn set_wires(&mut self, wires: &[(u8, u16)]) -> Result<(), TransportError> {
        wires.iter().for_each(|(endpoint, value)| self.wire(*endpoint, *value));
        self.run(CALL_CLOCKS);
        Ok(())
    }

    fn trigger(&mut self, endpoint: u8, bit: u8) -> Result<(), TransportError> {
        assert_eq!(endpoint, abi::TRIGGER);
        self.system.trigger.next = (1u64 << bit).into();
        self.run(1);
        self.system.trigger.next = 0.into();
        self.run(CALL_CLOCKS);
        Ok(())
    }

    fn read_wires(&mut self, endpoints: &[u8], values: &mut [u16]) -> Result<(), TransportError> {
        self.run(LOOK_CLOCKS);
        for (endpoint, value) in endpoints.iter().zip(values) {
            let system = &self.system;
            let wire = match *endpoint {
                abi::STATUS => &system.status,
                abi::VALUE => &system.value_low,
                endpoint if endpoint == abi::VALUE + 1 => &system.value_high,
                abi::MEMORY_BITS => &system.memory_bits,
                endpoint => panic!("there is no wire out {endpoint:#x}"),
            };
            *value = wire.val().to_u16();
        }
        Ok(())
    }

    fn write_pipe(&mut self, endpoint: u8, data: &[u8]) -> Result<(), TransportError> {
        assert_eq!(endpoint, abi::MEMORY_IN);
        for half in data.chunks_exact(2) {
            self.system.pipe_in_write.next = true;
            self.system.pipe_in_data.next = u64::from(u16::from_le_bytes([half[0], half[1]])).into();
            self.run(1);
        }
        self.system.pipe_in_write.next = false;
        self.run(CALL_CLOCKS);
        Ok(())
    }

    fn read_pipe(&mut self, endpoint: u8, data: &mut [u8]) -> Result<(), TransportError> {
        assert_eq!(endpoint, abi::MEMORY_OUT);
        for half in data.chunks_exact_mut(2) {
            // The half comes a clock after it was asked for, while the next is.
            self.system.pipe_out_read.next = true;
            self.run(1);
            half.copy_from_slice(&self.system.pipe_out_data.val().to_u16().to_le_bytes());
        }
        self.system.pipe_out_read.next = false;
        self.run(CALL_CLOCKS);
        Ok(())
    }
}

/// Two spheres on a large one, a mirror among them: shadows and reflections.
pub fn scene() -> Scene {
    let share = |value| fx1_7(value).expect("within 0 and 1");
    let matt = Material {
        ambient: [share(0.1); 3],
        diffuse: [share(0.75), share(0.25), share(0.2)],
        specular: [share(0.5); 3],
        reflection: share(0.0),
        shininess: 20,
    };
    let mirror = Material { diffuse: [share(0.2), share(0.5), share(0.6)], reflection: share(0.5), ..matt };
    let sphere = |centre, radius, material| Sphere { centre, radius, material };
    Scene {
        light: [5.0, 8.0, 6.0],
        camera: Camera { position: [0.0, 1.0, 6.0], look_at: [0.0, 0.5, 0.0], fov_degrees: 50.0 },
        screen: Screen { width: 16, height: 12 },
        spheres: vec![
            sphere([-1.0, 0.8, 0.0], 0.8, 0),
            sphere([0.9, 0.6, 1.0], 0.6, 1),
            sphere([0.0, -100.0, 0.0], 100.0, 1),
        ],
        materials: vec![matt, mirror],
    }
}

/// The scene's picture by a device, and what every device must count alike.
pub fn picture(transport: impl Transport) -> (Picture, Vec<u64>) {
    let mut device = Device::open(transport).expect("a device");
    let options = RenderOptions { background: [10, 20, 30], ..RenderOptions::default() };
    let (picture, counters) =
        device.render(&scene(), &options, &WaitPolicy::default(), |_| ControlFlow::Continue(())).expect("a picture");
    let architectural = counters.iter().filter(|(counter, _)| counter.architectural).map(|(_, value)| value).collect();
    (picture, architectural)
}
