//! The device model: registers, memory, pixels and interrupt as the core has them, without its clocks.
//!
//! ```text
//!            read, write                                 Bus::read, Bus::write
//!   host  <-------------->  registers -- Setup -- Frame  <-------------------->  memory
//!         <--- irq                                  |
//!                                                   +---> stream beats (take_beat)
//! ```
//!
//! Time is what [`Device::advance`] is called for: some pixels, or some descriptors. Between two calls the host may look at
//! the registers, rewrite them, or give commands; STOP takes effect at the next call, between two pixels.
//!
//! What always holds: the frame is byte for byte the core's, and the architectural counters are the core's; bus
//! transactions come in the core's order and sizes, though not at its times. Counters of clocks and slots read 0: a model
//! without clocks has none.
//!
//! Source: the core's source document for registers and descriptors; the rest is *assumed* (seeds/ says which clause).

mod frame;
pub mod one_by_one;
mod registers;
mod setup;
#[cfg(test)]
mod tests;
mod tile;

use std::collections::VecDeque;

use rayman_abi::{register, ErrorCode};

pub use frame::{Frame, Pixel, RayCounts, Sphere};
pub use registers::{Build, SlaveError};

use registers::Registers;
use setup::{Fault, Setup};

/// Why a bus transfer failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BusFault {
    /// The memory answered SLVERR.
    #[error("the memory answered SLVERR")]
    Slave,
    /// Nothing is at that address.
    #[error("nothing is at that address (DECERR)")]
    Decode,
}

/// What the device reads descriptors from and writes pixels to.
pub trait Bus {
    /// Reads one word: `bytes` has 4 bytes, `address` is a multiple of 4.
    fn read(&mut self, address: u32, bytes: &mut [u8]) -> Result<(), BusFault>;

    /// Writes a burst: 1 to 16 words within 4 KiB, `address` is a multiple of 4.
    fn write(&mut self, address: u32, bytes: &[u8]) -> Result<(), BusFault>;
}

/// A beat of the video stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Beat {
    /// The pixel: red in bits 23:16, green in 15:8, blue in 7:0. (How the pin TDATA orders them is the stream's affair.)
    pub data: u32,
    /// First pixel of a frame: TUSER.
    pub first: bool,
    /// Last pixel of a row: TLAST.
    pub last: bool,
}

/// Where a frame is.
enum Phase {
    Idle,
    /// Registers, scene, materials and spheres are read and checked.
    Setup(Box<Setup>),
    Render(Box<Rendering>),
}

/// A frame whose pixels are being made.
struct Rendering {
    frame: Frame,
    framebuffer: Option<Framebuffer>,
    stream: bool,
    /// Pixels rendered ahead, the next one last. No one sees them before their turn.
    ahead: Vec<Pixel>,
    x: u32,
    y: u32,
    taken: u64,
}

impl Rendering {
    fn new(frame: Frame, framebuffer: Option<Framebuffer>, stream: bool) -> Self {
        Self { frame, framebuffer, stream, ahead: Vec::new(), x: 0, y: 0, taken: 0 }
    }

    /// The next pixel; there must be one.
    fn next(&mut self) -> Pixel {
        if let Some(pixel) = self.ahead.pop() {
            return pixel;
        }
        let left = self.frame.pixels() - self.taken;
        let count = left.min(self.frame.pixels_at_once() as u64) as usize;
        self.ahead.resize(count, Pixel::default());
        self.frame.render(self.taken, &mut self.ahead);
        self.ahead.reverse();
        self.ahead.pop().unwrap_or_default()
    }
}

/// The writer of pixels: rows in bursts of at most 16 words, none over a 4 KiB boundary.
struct Framebuffer {
    base: u32,
    stride: u32,
    burst_address: u32,
    burst: Vec<u8>,
}

const BURST_BYTES: usize = 64;
const BURST_BOUNDARY: u32 = 4096;

impl Framebuffer {
    /// Takes the pixel at (x, y); the last of its row ends the burst. A failed burst comes back with its address.
    fn put(&mut self, bus: &mut dyn Bus, x: u32, y: u32, colour: u32, row_end: bool) -> Result<(), (u32, BusFault)> {
        // The setup has checked that no pixel lies past the address space.
        let address = self.base.wrapping_add(y.wrapping_mul(self.stride)).wrapping_add(4 * x);
        if self.burst.is_empty() {
            self.burst_address = address;
        }
        self.burst.extend(colour.to_le_bytes());
        let next = address.wrapping_add(4);
        if row_end || self.burst.len() == BURST_BYTES || next.is_multiple_of(BURST_BOUNDARY) {
            let written = bus.write(self.burst_address, &self.burst);
            self.burst.clear();
            return written.map_err(|fault| (self.burst_address, fault));
        }
        Ok(())
    }
}

/// The core, without clocks.
pub struct Device {
    registers: Registers,
    phase: Phase,
    stopping: bool,
    stream_ready: bool,
    offered: Option<Beat>,
    beats: VecDeque<Beat>,
}

impl Default for Device {
    fn default() -> Self {
        Self::new(Build::default())
    }
}

impl Device {
    /// A device after reset. The stream's sink is ready.
    pub fn new(build: Build) -> Self {
        Self {
            registers: Registers::new(build),
            phase: Phase::Idle,
            stopping: false,
            stream_ready: true,
            offered: None,
            beats: VecDeque::new(),
        }
    }

    /// Reset: registers as after power-up, nothing under way, no beat offered. Beats already taken stay to be fetched.
    pub fn reset(&mut self) {
        self.registers = Registers::new(self.registers.build);
        self.phase = Phase::Idle;
        self.stopping = false;
        self.offered = None;
    }

    /// Reads the register at a byte offset; the offset's low two bits do not count.
    pub fn read(&self, offset: u32) -> Result<u32, SlaveError> {
        self.registers.read(offset)
    }

    /// Writes the bytes of a register whose bit in `strobes` (bit 0 the lowest byte) is set.
    pub fn write(&mut self, offset: u32, value: u32, strobes: u8) -> Result<(), SlaveError> {
        let Some(command) = self.registers.write(offset, value, strobes)? else {
            return Ok(());
        };
        let busy = self.registers.busy;
        match command {
            register::command::RUN if !busy => {
                self.registers.start();
                self.phase = Phase::Setup(Box::new(Setup::new(&self.registers)));
                self.stopping = false;
            }
            register::command::STOP if busy => self.stopping = true,
            register::command::CLEAR_IRQ => self.registers.irq = false,
            _ => {}
        }
        Ok(())
    }

    /// The interrupt line.
    pub fn irq(&self) -> bool {
        self.registers.irq
    }

    /// A frame is under way.
    pub fn busy(&self) -> bool {
        self.registers.busy
    }

    /// Whether the stream's sink takes beats. While it does not, at most one beat is offered and the frame waits.
    pub fn set_stream_ready(&mut self, ready: bool) {
        self.stream_ready = ready;
    }

    /// The beat on the stream that no one has taken yet.
    pub fn offered(&self) -> Option<Beat> {
        self.offered
    }

    /// The next of the beats that the sink has taken, in order. They are kept until fetched here.
    pub fn take_beat(&mut self) -> Option<Beat> {
        self.beats.pop_front()
    }

    /// The frame being rendered, once its descriptors are read.
    pub fn frame(&self) -> Option<&Frame> {
        match &self.phase {
            Phase::Render(rendering) => Some(&rendering.frame),
            _ => None,
        }
    }

    /// Lets time pass: at most `pixels` pixels, or a part of the descriptors. Answers whether a frame is still under way.
    pub fn advance(&mut self, bus: &mut dyn Bus, pixels: u32) -> bool {
        self.settle_stream();
        if self.stopping {
            self.end(Err(Fault { code: ErrorCode::Stopped, address: 0 }));
        }
        match &mut self.phase {
            Phase::Idle => {}
            Phase::Setup(setup) => match setup.advance(bus) {
                Ok(None) => {}
                Ok(Some(frame)) => {
                    self.registers.spheres = frame.spheres.len() as u64;
                    let framebuffer = (setup.framebuffer_address != 0).then(|| Framebuffer {
                        base: setup.framebuffer_address,
                        stride: setup.framebuffer_stride,
                        burst_address: 0,
                        burst: Vec::with_capacity(BURST_BYTES),
                    });
                    let stream = setup.stream;
                    self.phase = Phase::Render(Box::new(Rendering::new(frame, framebuffer, stream)));
                }
                Err(fault) => self.end(Err(fault)),
            },
            Phase::Render(_) => self.render(bus, pixels),
        }
        self.registers.busy
    }

    /// The offered beat is taken if the sink is ready.
    fn settle_stream(&mut self) {
        if self.stream_ready {
            self.beats.extend(self.offered.take());
        }
    }

    fn render(&mut self, bus: &mut dyn Bus, pixels: u32) {
        let Phase::Render(rendering) = &mut self.phase else {
            return;
        };
        let total = rendering.frame.pixels();
        for _ in 0..pixels {
            if rendering.taken == total || (rendering.stream && self.offered.is_some()) {
                break;
            }
            let (x, y) = (rendering.x, rendering.y);
            let row_end = x + 1 == rendering.frame.width;
            let pixel = rendering.next();
            if rendering.stream {
                let beat = Beat { data: pixel.colour, first: x == 0 && y == 0, last: row_end };
                if self.stream_ready {
                    self.beats.push_back(beat);
                } else {
                    self.offered = Some(beat);
                }
            }
            (rendering.x, rendering.y) = if row_end { (0, y + 1) } else { (x + 1, y) };
            rendering.taken += 1;
            self.registers.rays += pixel.rays;
            self.registers.pixels = rendering.taken;
            // 255 is kept for the end.
            self.registers.progress = (255 * rendering.taken / total).min(254) as u32;
            if let Some(framebuffer) = &mut rendering.framebuffer {
                if let Err((address, fault)) = framebuffer.put(bus, x, y, pixel.colour, row_end) {
                    let code = match fault {
                        BusFault::Slave => ErrorCode::WriteSlave,
                        BusFault::Decode => ErrorCode::WriteDecode,
                    };
                    return self.end(Err(Fault { code, address }));
                }
            }
        }
        if rendering.taken == total && !(rendering.stream && self.offered.is_some()) {
            self.end(Ok(()));
        }
    }

    /// The frame is over. A beat that is offered stays so.
    fn end(&mut self, how: Result<(), Fault>) {
        self.phase = Phase::Idle;
        self.stopping = false;
        self.registers.finish(how);
    }
}
