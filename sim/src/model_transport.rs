//! The driver's `Transport` over the device model: the same memory and faults as the simulated cores have, no clocks.
//!
//! A register access takes no time. `wait_interrupt` and `Bench::run` let the model work.

use crate::axi_slave::Timing;
use crate::bench::{Bench, BenchError, BusTraffic};
use crate::core_transport::outside;
use crate::memory::{self, Fault, Memory, Response};
use crate::protocol::Violation;
use crate::random::Random;
use crate::video::{StreamReady, VideoBeat};
use rayman_driver::{MemoryWindow, Transport, TransportError};
use rayman_model::device::{Build, Bus, BusFault, Device, Frame};
use std::time::{Duration, Instant};

/// Steps of [`Bench::run`] that a pixel takes.
const STEPS_A_PIXEL: u64 = 16;
/// Pixels between two looks at the wall clock.
const SLICE_PIXELS: u32 = 32;

/// The model with memory and a sink for its pixels.
pub struct ModelTransport {
    device: Device,
    memory: Memory,
    policy: StreamReady,
    random: Random,
    keeps: bool,
    beats: Vec<VideoBeat>,
    steps: u64,
}

impl Default for ModelTransport {
    fn default() -> Self {
        Self::new(Build::default())
    }
}

impl ModelTransport {
    /// A model after reset that describes itself as this build.
    pub fn new(build: Build) -> Self {
        Self {
            device: Device::new(build),
            memory: Memory::default(),
            policy: StreamReady::Always,
            random: Random::new(0),
            keeps: false,
            beats: Vec::new(),
            steps: 0,
        }
    }

    /// The frame under way, once its descriptors are read and found good: to look at its rays.
    pub fn frame(&mut self) -> Option<&Frame> {
        while self.device.busy() && self.device.frame().is_none() {
            self.advance(0);
        }
        self.device.frame()
    }

    fn advance(&mut self, pixels: u32) {
        let (ready, pixels) = match self.policy {
            StreamReady::Always => (true, pixels),
            StreamReady::Never | StreamReady::First(0) => (false, pixels),
            // The beat on offer is taken too.
            StreamReady::First(left) => {
                let left = left - u64::from(self.device.offered().is_some());
                (true, u64::from(pixels).min(left) as u32)
            }
            StreamReady::Sometimes(chance, _) => (self.random.chance(chance), pixels),
        };
        self.device.set_stream_ready(ready);
        self.device.advance(&mut ModelBus(&mut self.memory), pixels);
        // The model keeps its beats until they are fetched.
        while let Some(beat) = self.device.take_beat() {
            if let StreamReady::First(left) = &mut self.policy {
                *left = left.saturating_sub(1);
            }
            if self.keeps {
                let (start_of_frame, end_of_line) = (beat.first, beat.last);
                self.beats.push(VideoBeat { pixel: beat.data, start_of_frame, end_of_line });
            }
        }
    }
}

/// The memory as the model's bus.
struct ModelBus<'a>(&'a mut Memory);

fn result(response: Response) -> Result<(), BusFault> {
    match response {
        Response::Okay => Ok(()),
        Response::SlaveError => Err(BusFault::Slave),
        Response::DecodeError => Err(BusFault::Decode),
    }
}

impl Bus for ModelBus<'_> {
    fn read(&mut self, address: u32, bytes: &mut [u8]) -> Result<(), BusFault> {
        for (beat, target) in bytes.chunks_mut(4).enumerate() {
            let (word, response) = self.0.read_beat(address.wrapping_add(4 * beat as u32));
            result(response)?;
            target.copy_from_slice(&word.to_le_bytes()[..target.len()]);
        }
        Ok(())
    }

    fn write(&mut self, address: u32, bytes: &[u8]) -> Result<(), BusFault> {
        // A burst is written whole and answered once: its first error is the answer.
        let mut answer = Ok(());
        for (beat, part) in bytes.chunks(4).enumerate() {
            let mut word = [0; 4];
            word[..part.len()].copy_from_slice(part);
            let strobes = (1u8 << part.len()) - 1;
            let response = self.0.write_beat(address.wrapping_add(4 * beat as u32), u32::from_le_bytes(word), strobes);
            answer = answer.and(result(response));
        }
        answer
    }
}

impl Bench for ModelTransport {
    fn run(&mut self, steps: u64) -> Result<(), BenchError> {
        let before = self.steps / STEPS_A_PIXEL;
        self.steps += steps;
        for _ in before..self.steps / STEPS_A_PIXEL {
            self.advance(1);
        }
        Ok(())
    }

    fn counts_clocks(&self) -> bool {
        false
    }

    fn reset(&mut self) -> Result<(), BenchError> {
        self.device.reset();
        Ok(())
    }

    fn interrupt(&self) -> bool {
        self.device.irq()
    }

    fn write_strobed(&mut self, offset: u32, value: u32, strobes: u8) -> Result<Response, BenchError> {
        Ok(self.device.write(offset, value, strobes).map_or(Response::SlaveError, |()| Response::Okay))
    }

    fn read_raw(&mut self, offset: u32) -> Result<(u32, Response), BenchError> {
        Ok(self.device.read(offset).map_or((0, Response::SlaveError), |word| (word, Response::Okay)))
    }

    fn set_stream_ready(&mut self, ready: StreamReady) {
        self.policy = ready;
        if let StreamReady::Sometimes(_, seed) = ready {
            self.random = Random::new(seed);
        }
    }

    fn keep_beats(&mut self, keeps: bool) {
        self.keeps = keeps;
    }

    fn take_beats(&mut self) -> Vec<VideoBeat> {
        std::mem::take(&mut self.beats)
    }

    fn inject(&mut self, fault: Fault) {
        self.memory.inject(fault);
    }

    fn clear_faults(&mut self) {
        self.memory.clear_faults();
    }

    fn set_timing(&mut self, _: Timing) {}

    fn bus_is_idle(&self) -> bool {
        true
    }

    fn bus_traffic(&self) -> Option<BusTraffic> {
        None
    }

    fn violations(&self) -> &[Violation] {
        &[]
    }
}

impl Transport for ModelTransport {
    fn name(&self) -> String {
        "model".to_owned()
    }

    fn read_register(&mut self, offset: u32) -> Result<u32, TransportError> {
        let answer = self.device.read(offset);
        answer.map_err(|_| TransportError::Register { offset, response: Response::SlaveError.name() })
    }

    fn write_register(&mut self, offset: u32, value: u32) -> Result<(), TransportError> {
        let answer = self.device.write(offset, value, 0xF);
        answer.map_err(|_| TransportError::Register { offset, response: Response::SlaveError.name() })
    }

    fn memory(&self) -> MemoryWindow {
        MemoryWindow { base: memory::BASE, bytes: memory::BYTES }
    }

    fn read_memory(&mut self, address: u32, bytes: &mut [u8]) -> Result<(), TransportError> {
        self.memory.read(address, bytes).map_err(|error| outside(&error))
    }

    fn write_memory(&mut self, address: u32, bytes: &[u8]) -> Result<(), TransportError> {
        self.memory.write(address, bytes).map_err(|error| outside(&error))
    }

    fn wait_interrupt(&mut self, timeout: Duration) -> Result<bool, TransportError> {
        let end = Instant::now().checked_add(timeout);
        while !self.device.irq() {
            if end.is_some_and(|end| Instant::now() >= end) {
                return Ok(false);
            }
            if self.device.busy() {
                self.advance(SLICE_PIXELS);
            } else {
                // Nothing will happen: let the caller's time pass without burning a processor.
                std::thread::sleep(Duration::from_millis(1).min(timeout));
            }
        }
        Ok(true)
    }
}
