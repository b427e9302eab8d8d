//! A device of the tests' own: registers and memory in plain arrays, a picture made by a formula, and faults on order.
//!
//! It keeps the contract of the register map as far as the driver uses it, so that a driver that breaks the contract is
//! noticed, and it is written from the tables of `rayman_abi`, not from the driver.

use std::collections::HashMap;
use std::time::Duration;

use rayman_abi::descriptor;
use rayman_abi::register::{self, command, Register};
use rayman_driver::{MemoryWindow, Transport, TransportError};

/// How the device misbehaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    None,
    /// ID reads this.
    Id(u32),
    /// VERSION reads this.
    Version(u32),
    /// Frames go on for ever.
    Hang,
    /// Frames end, but the interrupt stays down.
    NoInterrupt,
    /// CLEAR_IRQ does nothing.
    StuckInterrupt,
    /// The interrupt rises half-way.
    EarlyInterrupt,
    /// The frame ends half-way with this code and address.
    Error(u8, u32),
    /// The frame "succeeds" with progress below 255.
    Incomplete,
    /// One pixel is never written.
    SkipPixel(u32, u32),
    /// Reading this offset answers SLVERR.
    ReadError(u32),
    /// Writing this offset answers SLVERR.
    WriteError(u32),
    /// The high words of counters differ at every read.
    Restless,
}

pub struct Fake {
    pub fault: Fault,
    pub window: MemoryWindow,
    pub memory: Vec<u8>,
    pub registers: HashMap<u32, u32>,
    /// Commands in the order in which they came.
    pub commands: Vec<u32>,
    /// Every register write in order: offset, value.
    pub writes: Vec<(u32, u32)>,
    busy: bool,
    irq: bool,
    progress: u32,
    restless: u32,
}

pub const BASE: u32 = 0x8000_0000;

impl Fake {
    pub fn new(fault: Fault) -> Self {
        Self::with_window(fault, MemoryWindow { base: BASE, bytes: 1 << 20 })
    }

    pub fn with_window(fault: Fault, window: MemoryWindow) -> Self {
        let registers = register::REGISTERS.iter().map(|register| (register.offset, register.reset)).collect();
        let memory = vec![0xA5; window.bytes as usize];
        let (commands, writes) = (Vec::new(), Vec::new());
        let mut fake = Self {
            fault,
            window,
            memory,
            registers,
            commands,
            writes,
            busy: false,
            irq: false,
            progress: 0,
            restless: 0,
        };
        fake.set(&register::CAPABILITIES, 0x0100_0001);
        fake.set(&register::BUILD_REVISION, 0xC0FF_EE00);
        fake.set(&register::BUILD_PARAMETERS, 0x0080_0010);
        fake
    }

    pub fn set(&mut self, register: &Register, value: u32) {
        self.registers.insert(register.offset, value);
    }

    pub fn get(&self, register: &Register) -> u32 {
        self.registers[&register.offset]
    }

    /// Words of memory at a bus address.
    pub fn words(&self, address: u32, count: usize) -> Vec<u32> {
        let at = (address - self.window.base) as usize;
        let bytes = &self.memory[at..at + 4 * count];
        bytes.chunks(4).map(|word| u32::from_le_bytes(word.try_into().unwrap())).collect()
    }

    pub fn scene_words(&self) -> Vec<u32> {
        self.words(self.get(&register::SCENE_ADDRESS), descriptor::scene::WORDS)
    }

    /// The colour that this device gives a pixel.
    pub fn colour(x: u32, y: u32) -> [u8; 3] {
        [x as u8, y as u8, (x * 7 + y * 13 + 1) as u8]
    }

    fn end_frame(&mut self, code: u8, address: u32) {
        self.busy = false;
        self.irq = self.fault != Fault::NoInterrupt;
        self.set(&register::ERROR, code.into());
        self.set(&register::ERROR_ADDRESS, address);
    }

    fn complete_frame(&mut self) {
        let scene = self.scene_words();
        let width = descriptor::scene::SCREEN_X_SIZE.get(&scene);
        let height = descriptor::scene::SCREEN_Y_SIZE.get(&scene);
        let framebuffer = self.get(&register::FRAMEBUFFER_ADDRESS);
        let stride = match self.get(&register::FRAMEBUFFER_STRIDE) {
            0 => 4 * width,
            stride => stride,
        };
        for (y, x) in (0..height).flat_map(|y| (0..width).map(move |x| (y, x))) {
            if framebuffer != 0 && self.fault != Fault::SkipPixel(x, y) {
                let at = (framebuffer - self.window.base + y * stride + 4 * x) as usize;
                let [red, green, blue] = Self::colour(x, y);
                self.memory[at..at + 4].copy_from_slice(&[blue, green, red, 0]);
            }
        }
        self.set(&register::PIXELS_LO, width * height);
        self.set(&register::CYCLES_LO, 0xFFFF_FFF0);
        self.set(&register::CYCLES_HI, 3);
        self.progress = if self.fault == Fault::Incomplete { 200 } else { 255 };
        self.end_frame(0, 0);
    }

    /// Some work on the frame.
    fn step(&mut self) {
        match self.fault {
            _ if !self.busy => {}
            Fault::Hang => self.progress = (self.progress + 50).min(100),
            Fault::EarlyInterrupt if self.progress >= 100 => self.irq = true,
            Fault::Error(code, address) if self.progress >= 100 => self.end_frame(code, address),
            _ if self.progress >= 200 => self.complete_frame(),
            _ => self.progress += 50,
        }
    }
}

fn slave_error(offset: u32) -> TransportError {
    TransportError::Register { offset, response: "SLVERR" }
}

impl Transport for Fake {
    fn name(&self) -> String {
        "fake".into()
    }

    fn read_register(&mut self, offset: u32) -> Result<u32, TransportError> {
        if self.fault == Fault::ReadError(offset) {
            return Err(slave_error(offset));
        }
        let register = register::at(offset).ok_or_else(|| slave_error(offset))?;
        Ok(match (*register, self.fault) {
            (register::ID, Fault::Id(id)) => id,
            (register::VERSION, Fault::Version(version)) => version,
            (register::RAYTRACER_STATUS, _) => {
                let word = register::STATUS.set(0, self.busy.into());
                register::PROGRESS.set(word, self.progress)
            }
            (register::IRQ_STATUS, _) => self.irq.into(),
            (register, Fault::Restless) if register.name.ends_with("_HI") => {
                self.restless += 1;
                self.restless
            }
            (register, _) => self.get(&register),
        })
    }

    fn write_register(&mut self, offset: u32, value: u32) -> Result<(), TransportError> {
        if self.fault == Fault::WriteError(offset) || register::at(offset).is_none() {
            return Err(slave_error(offset));
        }
        self.writes.push((offset, value));
        if offset != register::RAYTRACER_COMMAND.offset {
            self.registers.insert(offset, value);
            return Ok(());
        }
        self.commands.push(value);
        match value {
            command::RUN if !self.busy => {
                self.busy = true;
                self.progress = 0;
            }
            command::STOP if self.busy => self.end_frame(1, 0),
            command::CLEAR_IRQ if self.fault != Fault::StuckInterrupt => self.irq = false,
            _ => {}
        }
        Ok(())
    }

    fn memory(&self) -> MemoryWindow {
        self.window
    }

    fn read_memory(&mut self, address: u32, bytes: &mut [u8]) -> Result<(), TransportError> {
        let outside = TransportError::Memory { address, bytes: bytes.len() };
        let Some(at) = address.checked_sub(self.window.base).map(|at| at as usize) else {
            return Err(outside);
        };
        let source = self.memory.get(at..at + bytes.len()).ok_or(outside)?;
        bytes.copy_from_slice(source);
        Ok(())
    }

    fn write_memory(&mut self, address: u32, bytes: &[u8]) -> Result<(), TransportError> {
        let outside = TransportError::Memory { address, bytes: bytes.len() };
        let Some(at) = address.checked_sub(self.window.base).map(|at| at as usize) else {
            return Err(outside);
        };
        self.memory.get_mut(at..at + bytes.len()).ok_or(outside)?.copy_from_slice(bytes);
        Ok(())
    }

    fn wait_interrupt(&mut self, _timeout: Duration) -> Result<bool, TransportError> {
        if !self.irq {
            self.step();
        }
        Ok(self.irq)
    }
}
