//! The register file: what a read answers and what a write changes, from the table of `rayman-abi`.

use rayman_abi::register::{self, COUNTERS};
use rayman_abi::{Access, ErrorCode};

use super::frame::RayCounts;
use super::setup::Fault;

/// The slave answered SLVERR: no register is at this offset.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no register is at offset {offset:#04x} (SLVERR)")]
pub struct SlaveError {
    /// Byte offset.
    pub offset: u32,
}

/// What the registers that describe a build read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Build {
    /// Intersector lanes.
    pub lanes: u32,
    /// Spheres held on chip.
    pub cached_spheres: u32,
    /// Ray slots a lane.
    pub slots: u32,
    /// Pixels in flight a lane.
    pub contexts: u32,
    /// First 32 bits of the source revision.
    pub revision: u32,
}

impl Default for Build {
    fn default() -> Self {
        Self { lanes: 1, cached_spheres: 256, slots: 16, contexts: 512, revision: 0 }
    }
}

/// State behind the registers.
pub(super) struct Registers {
    pub build: Build,
    /// Words of the host's registers, by offset / 4.
    words: [u32; (register::APERTURE_BYTES / 4) as usize],
    pub busy: bool,
    pub irq: bool,
    pub progress: u32,
    error: ErrorCode,
    error_address: u32,
    frames: u32,
    pub rays: RayCounts,
    pub pixels: u64,
    /// Spheres of the frame: what a ray is tested against.
    pub spheres: u64,
}

impl Registers {
    pub fn new(build: Build) -> Self {
        let mut words = [0; (register::APERTURE_BYTES / 4) as usize];
        for register in register::REGISTERS {
            words[(register.offset / 4) as usize] = register.reset;
        }
        Self {
            build,
            words,
            busy: false,
            irq: false,
            progress: 0,
            error: ErrorCode::None,
            error_address: 0,
            frames: 0,
            rays: RayCounts::default(),
            pixels: 0,
            spheres: 0,
        }
    }

    /// The word of a host's register.
    pub fn word(&self, register: &register::Register) -> u32 {
        self.words[(register.offset / 4) as usize]
    }

    pub fn read(&self, offset: u32) -> Result<u32, SlaveError> {
        const COMMAND: u32 = register::RAYTRACER_COMMAND.offset;
        const STATUS: u32 = register::RAYTRACER_STATUS.offset;
        const CAPABILITIES: u32 = register::CAPABILITIES.offset;
        const ERROR: u32 = register::ERROR.offset;
        const ERROR_ADDRESS: u32 = register::ERROR_ADDRESS.offset;
        const IRQ_STATUS: u32 = register::IRQ_STATUS.offset;
        const FRAME_COUNT: u32 = register::FRAME_COUNT.offset;
        const BUILD_REVISION: u32 = register::BUILD_REVISION.offset;
        const BUILD_PARAMETERS: u32 = register::BUILD_PARAMETERS.offset;

        let found = register::at(offset & !3).ok_or(SlaveError { offset })?;
        for counter in COUNTERS {
            if found.offset == counter.low.offset {
                return Ok(self.counter(counter.name) as u32);
            }
            if found.offset == counter.high.offset {
                return Ok((self.counter(counter.name) >> 32) as u32);
            }
        }
        Ok(match found.offset {
            COMMAND if self.busy => register::command::RUN,
            COMMAND => register::command::NOP,
            STATUS => {
                let status = if self.busy { register::status::BUSY } else { register::status::IDLE };
                register::PROGRESS.set(register::STATUS.set(0, status), self.progress)
            }
            CAPABILITIES => {
                register::CACHED_SPHERES.set(register::LANES.set(0, self.build.lanes), self.build.cached_spheres)
            }
            ERROR => register::ERROR_CODE.set(0, self.error as u32),
            ERROR_ADDRESS => self.error_address,
            IRQ_STATUS => register::IRQ.set(0, u32::from(self.irq)),
            FRAME_COUNT => self.frames,
            BUILD_REVISION => self.build.revision,
            BUILD_PARAMETERS => register::CONTEXTS.set(register::SLOTS.set(0, self.build.slots), self.build.contexts),
            _ => self.word(found),
        })
    }

    /// Writes the strobed bytes. Answers the command, if it was one.
    pub fn write(&mut self, offset: u32, value: u32, strobes: u8) -> Result<Option<u32>, SlaveError> {
        let found = register::at(offset & !3).ok_or(SlaveError { offset })?;
        if found.offset == register::RAYTRACER_COMMAND.offset {
            return Ok((strobes & 1 != 0).then(|| register::COMMAND.get(value)));
        }
        if found.access == Access::ReadWrite {
            let bytes = (0..4).filter(|byte| strobes >> byte & 1 != 0).fold(0, |mask, byte| mask | 0xff << (8 * byte));
            let mask = bytes & found.mask();
            let word = &mut self.words[(found.offset / 4) as usize];
            *word = (*word & !mask) | (value & mask);
        }
        Ok(None)
    }

    /// RUN is taken.
    pub fn start(&mut self) {
        self.busy = true;
        self.progress = 0;
        self.error = ErrorCode::None;
        self.error_address = 0;
        self.rays = RayCounts::default();
        self.pixels = 0;
        self.spheres = 0;
    }

    /// The frame is over.
    pub fn finish(&mut self, how: Result<(), Fault>) {
        self.busy = false;
        self.irq = true;
        match how {
            Ok(()) => {
                self.progress = 255;
                self.frames = self.frames.wrapping_add(1);
            }
            Err(fault) => {
                self.error = fault.code;
                self.error_address = fault.address;
            }
        }
    }

    fn counter(&self, name: &str) -> u64 {
        match name {
            "primary_rays" => self.rays.primary,
            "shadow_rays" => self.rays.shadow,
            "reflection_rays" => self.rays.reflection,
            "hits" => self.rays.hits,
            "occluded" => self.rays.occluded,
            "pixels" => self.pixels,
            "tests" => self.rays.total().wrapping_mul(self.spheres),
            // Clocks and slots: a model without clocks has none.
            _ => 0,
        }
    }
}
