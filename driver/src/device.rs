//! A core, driven through a transport.
//!
//! ```text
//!  open --> upload --> configure --> run --> wait --> picture, counters
//!             ^            ^          |       |
//!             |            |          |       +-- progress callback; it may ask to stop
//!             +------------+----------+---------- next frame
//! ```
//!
//! What always holds:
//! - Nothing is written to a core whose ID or major version is not known.
//! - A frame starts with the interrupt down, so that an interrupt is this frame's.
//! - [`Device::wait`] ends: with the frame, or with an error once nothing has moved for [`WaitPolicy::patience`].
//! - A picture is handed out only if the core wrote every pixel of it.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use rayman_abi::register::{self, Register, COUNTERS};
use rayman_abi::ErrorCode;

use crate::counters::Counters;
use crate::error::DriverError;
use crate::picture::Picture;
use crate::placement::{Placement, Region};
use crate::scene::Scene;
use crate::transport::{Transport, TransportError};

/// What VERSION reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Version {
    /// Changes when an old driver would go wrong.
    pub major: u32,
    /// Changes when something is added.
    pub minor: u32,
}

/// What CAPABILITIES reads: what this build holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Capabilities {
    /// Ray-sphere tests a clock.
    pub lanes: u32,
    /// There is a BVH unit.
    pub bvh: bool,
    /// There is a cube-map sampler.
    pub cube: bool,
    /// Spheres held on chip; more are streamed from memory.
    pub cached_spheres: u32,
}

/// What the build registers read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Build {
    /// First 32 bits of the source's git commit, 0 if unknown.
    pub revision: u32,
    /// Ray slots a lane.
    pub slots: u32,
    /// Pixels in flight at most, in all lanes together.
    pub contexts: u32,
}

/// What STATUS reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Status {
    /// A frame is being rendered.
    pub busy: bool,
    /// 0 just started, 255 complete.
    pub progress: u8,
}

/// How to render.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RenderOptions {
    /// Reflections followed from a primary ray, 0 to [`RenderOptions::MAX_REFLECTION_DEPTH`].
    pub reflection_depth: u8,
    /// Trace a shadow ray from every lit hit.
    pub shadows: bool,
    /// Offer the pixels on the video stream; the frame then waits for whoever takes them.
    pub stream: bool,
    /// Colour of a ray that hits nothing: R, G, B.
    pub background: [u8; 3],
    /// Write the pixels to memory, so that [`Device::picture`] can read them.
    pub framebuffer: bool,
}

impl RenderOptions {
    /// The deepest reflection that RENDER_CONTROL can ask for.
    pub const MAX_REFLECTION_DEPTH: u8 = (register::REFLECTION_DEPTH.mask() >> register::REFLECTION_DEPTH.lsb) as u8;
}

impl Default for RenderOptions {
    /// As after reset of the core, but into memory and not onto the stream.
    fn default() -> Self {
        let reset = register::RENDER_CONTROL.reset;
        Self {
            reflection_depth: register::REFLECTION_DEPTH.get(reset) as u8,
            shadows: register::SHADOWS.get(reset) != 0,
            stream: false,
            background: [0; 3],
            framebuffer: true,
        }
    }
}

/// How to wait for a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WaitPolicy {
    /// How often progress is looked at.
    pub slice: Duration,
    /// How long progress may stand still before the driver gives up.
    pub patience: Duration,
}

impl Default for WaitPolicy {
    fn default() -> Self {
        Self { slice: Duration::from_millis(100), patience: Duration::from_secs(60) }
    }
}

/// A core behind a transport.
#[derive(Debug)]
pub struct Device<T: Transport> {
    transport: T,
    version: Version,
    placement: Option<Placement>,
    /// The framebuffer is switched on in the core.
    framebuffer: bool,
    /// A whole frame is in the framebuffer.
    picture: bool,
}

impl<T: Transport> Device<T> {
    /// Opens a device: reads ID and VERSION, and refuses what this driver does not know. Writes nothing.
    pub fn open(mut transport: T) -> Result<Self, DriverError> {
        let id = transport.read_register(register::ID.offset)?;
        if id != register::ID_VALUE {
            return Err(DriverError::WrongId { device: transport.name(), id });
        }
        let word = transport.read_register(register::VERSION.offset)?;
        let version = Version { major: register::VERSION_MAJOR.get(word), minor: register::VERSION_MINOR.get(word) };
        if version.major != register::VERSION_MAJOR.get(register::VERSION_VALUE) {
            let Version { major, minor } = version;
            return Err(DriverError::UnknownVersion { device: transport.name(), major, minor });
        }
        Ok(Self { transport, version, placement: None, framebuffer: false, picture: false })
    }

    /// The device's name for messages.
    pub fn name(&self) -> String {
        self.transport.name()
    }

    /// The version of the core's register map.
    pub fn version(&self) -> Version {
        self.version
    }

    /// The transport, for what this API does not offer.
    pub fn transport(&mut self) -> &mut T {
        &mut self.transport
    }

    /// Where the uploaded scene is.
    pub fn placement(&self) -> Option<&Placement> {
        self.placement.as_ref()
    }

    /// Reads a register.
    pub fn read(&mut self, register: &Register) -> Result<u32, DriverError> {
        Ok(self.transport.read_register(register.offset)?)
    }

    fn write(&mut self, register: &Register, value: u32) -> Result<(), DriverError> {
        Ok(self.transport.write_register(register.offset, value)?)
    }

    fn command(&mut self, command: u32) -> Result<(), DriverError> {
        self.write(&register::RAYTRACER_COMMAND, register::COMMAND.set(0, command))
    }

    /// What this build of the core holds.
    pub fn capabilities(&mut self) -> Result<Capabilities, DriverError> {
        let word = self.read(&register::CAPABILITIES)?;
        Ok(Capabilities {
            lanes: register::LANES.get(word),
            bvh: register::BVH.get(word) != 0,
            cube: register::CUBE.get(word) != 0,
            cached_spheres: register::CACHED_SPHERES.get(word),
        })
    }

    /// Where this build of the core comes from, and its sizes.
    pub fn build(&mut self) -> Result<Build, DriverError> {
        let revision = self.read(&register::BUILD_REVISION)?;
        let word = self.read(&register::BUILD_PARAMETERS)?;
        Ok(Build { revision, slots: register::SLOTS.get(word), contexts: register::CONTEXTS.get(word) })
    }

    /// What the core is doing.
    pub fn status(&mut self) -> Result<Status, DriverError> {
        let word = self.read(&register::RAYTRACER_STATUS)?;
        Ok(Status {
            busy: register::STATUS.get(word) != register::status::IDLE,
            progress: register::PROGRESS.get(word) as u8,
        })
    }

    /// How far the frame is: 0 just started, 255 complete.
    pub fn progress(&mut self) -> Result<u8, DriverError> {
        Ok(self.status()?.progress)
    }

    fn require_idle(&mut self) -> Result<(), DriverError> {
        match self.status()? {
            Status { busy: true, progress } => Err(DriverError::Busy { progress }),
            Status { busy: false, .. } => Ok(()),
        }
    }

    /// Checks a scene and puts it into the device's memory, with room for its picture. The core must be idle.
    pub fn upload(&mut self, scene: &Scene) -> Result<Placement, DriverError> {
        scene.validate()?;
        let placement = Placement::plan(self.transport.memory(), scene)?;
        self.require_idle()?;
        self.placement = None;
        self.picture = false;

        let spheres: Vec<u8> = scene.spheres.iter().flat_map(|sphere| bytes(&sphere.encode())).collect();
        let materials: Vec<u8> = scene.materials.iter().flat_map(|material| bytes(&material.encode())).collect();
        // The core reads no pointer of an empty array; a null one says so to whoever reads the memory.
        let pointer = |region: Region| if region.bytes == 0 { 0 } else { region.address };
        let words = scene.encode(pointer(placement.spheres), pointer(placement.materials));
        for (region, contents) in
            [(placement.spheres, spheres), (placement.materials, materials), (placement.scene, bytes(&words))]
        {
            if !contents.is_empty() {
                self.transport.write_memory(region.address, &contents)?;
            }
        }
        self.write(&register::SCENE_ADDRESS, placement.scene.address)?;
        self.placement = Some(placement);
        // A framebuffer of the scene before is not where this one's picture goes.
        self.write(&register::FRAMEBUFFER_ADDRESS, 0)?;
        self.framebuffer = false;
        Ok(placement)
    }

    /// Sets how the next frame is rendered. A scene must have been uploaded: the framebuffer is placed with it.
    pub fn configure(&mut self, options: &RenderOptions) -> Result<(), DriverError> {
        let depth = options.reflection_depth;
        if depth > RenderOptions::MAX_REFLECTION_DEPTH {
            return Err(DriverError::ReflectionDepth { depth });
        }
        let placement = self.placement.ok_or(DriverError::NoScene)?;
        let control = register::REFLECTION_DEPTH.set(0, depth.into());
        let control = register::SHADOWS.set(control, options.shadows.into());
        let control = register::STREAM.set(control, options.stream.into());
        self.write(&register::RENDER_CONTROL, control)?;

        self.write(&register::BACKGROUND, background_word(options.background))?;
        // A stride of 0: rows follow each other, as `Placement` has them.
        self.write(&register::FRAMEBUFFER_STRIDE, 0)?;
        let address = if options.framebuffer { placement.framebuffer.address } else { 0 };
        self.write(&register::FRAMEBUFFER_ADDRESS, address)?;
        self.framebuffer = options.framebuffer;
        Ok(())
    }

    /// Starts a frame of the uploaded scene. The core must be idle.
    pub fn run(&mut self) -> Result<(), DriverError> {
        let placement = self.placement.ok_or(DriverError::NoScene)?;
        self.require_idle()?;
        self.picture = false;
        if self.framebuffer {
            // The core writes 0 to the fourth byte of a pixel, so that this one shows whether it was written.
            let row = vec![0xFF; placement.width as usize * 4];
            for y in 0..placement.height {
                self.transport.write_memory(placement.framebuffer.address + y * row.len() as u32, &row)?;
            }
        }
        self.clear_interrupt()?;
        let word = self.read(&register::IRQ_STATUS)?;
        if register::IRQ.get(word) != 0 {
            return Err(DriverError::InterruptStuck);
        }
        self.command(register::command::RUN)
    }

    /// Asks the core to end the frame early; [`Device::wait`] then answers [`ErrorCode::Stopped`]. Does nothing to an
    /// idle core.
    pub fn stop(&mut self) -> Result<(), DriverError> {
        self.command(register::command::STOP)
    }

    /// Takes the interrupt down.
    pub fn clear_interrupt(&mut self) -> Result<(), DriverError> {
        self.command(register::command::CLEAR_IRQ)
    }

    /// Waits for the end of the frame and takes its interrupt down.
    ///
    /// `on_progress` is called with the progress, 0 to 255, each time that it has grown, and with 255 at the end of a
    /// complete frame. Where it answers `Break`, the frame is stopped. After [`DriverError::Timeout`] the frame is
    /// still running: stop it, or wait again.
    pub fn wait(
        &mut self,
        policy: &WaitPolicy,
        mut on_progress: impl FnMut(u8) -> ControlFlow<()>,
    ) -> Result<(), DriverError> {
        let mut seen = None;
        let mut moved = Instant::now();
        let mut idle_before = false;
        while !self.transport.wait_interrupt(policy.slice)? {
            let Status { busy, progress } = self.status()?;
            // The frame may have ended between the wait and the look at STATUS, so the interrupt has one more slice.
            if !busy && idle_before {
                return Err(DriverError::NoInterrupt);
            }
            idle_before = !busy;
            if busy && seen.is_none_or(|seen| seen < progress) {
                seen = Some(progress);
                moved = Instant::now();
                if on_progress(progress).is_break() {
                    self.stop()?;
                }
            }
            let waited = moved.elapsed();
            if busy && waited >= policy.patience {
                return Err(DriverError::Timeout { progress, waited });
            }
        }
        self.finish()?;
        if seen != Some(u8::MAX) {
            // The frame is over: there is nothing left to stop.
            let _ = on_progress(u8::MAX);
        }
        Ok(())
    }

    /// Looks at how a frame ended.
    fn finish(&mut self) -> Result<(), DriverError> {
        let Status { busy, progress } = self.status()?;
        if busy {
            return Err(DriverError::InterruptEarly { progress });
        }
        let code = register::ERROR_CODE.get(self.read(&register::ERROR)?) as u8;
        let address = self.read(&register::ERROR_ADDRESS)?;
        self.clear_interrupt()?;
        let place = self.placement.and_then(|placement| placement.what_is_at(address));
        match ErrorCode::from_code(code) {
            Some(ErrorCode::None) if progress == u8::MAX => {
                self.picture = self.framebuffer;
                Ok(())
            }
            Some(ErrorCode::None) => Err(DriverError::Incomplete { progress }),
            Some(code) => Err(DriverError::Frame { code, address, place }),
            None => Err(DriverError::UnknownErrorCode { code, address, place }),
        }
    }

    /// Reads the last frame's picture from memory.
    pub fn picture(&mut self) -> Result<Picture, DriverError> {
        let Some(placement) = self.placement.filter(|_| self.picture) else {
            return Err(DriverError::NoPicture);
        };
        let (width, height) = (placement.width, placement.height);
        let mut rgb = Vec::with_capacity(width as usize * height as usize * 3);
        let mut row = vec![0; width as usize * 4];
        for y in 0..height {
            self.transport.read_memory(placement.framebuffer.address + y * row.len() as u32, &mut row)?;
            for (x, pixel) in (0..width).zip(row.chunks_exact(4)) {
                // DRM fourcc XR24, little-endian: bytes B, G, R, 0.
                let &[blue, green, red, 0] = pixel else {
                    return Err(DriverError::PixelMissing { x, y });
                };
                rgb.extend([red, green, blue]);
            }
        }
        Ok(Picture { width, height, rgb })
    }

    /// Reads the counters of the last frame.
    pub fn counters(&mut self) -> Result<Counters, DriverError> {
        let mut values = [0; COUNTERS.len()];
        for (value, counter) in values.iter_mut().zip(COUNTERS) {
            *value = self.read_wide(&counter.low, &counter.high)?;
        }
        Ok(Counters::new(values))
    }

    /// Reads a 64-bit counter that may be counting: the high word is read again until it has not moved.
    fn read_wide(&mut self, low: &Register, high: &Register) -> Result<u64, DriverError> {
        // The high word moves once in 2^32 clocks; a device where it moves each time is not counting but failing.
        const ATTEMPTS: usize = 4;
        let mut upper = self.read(high)?;
        for _ in 0..ATTEMPTS {
            let lower = self.read(low)?;
            let again = self.read(high)?;
            if again == upper {
                return Ok(u64::from(upper) << 32 | u64::from(lower));
            }
            upper = again;
        }
        let what = format!("{} does not hold still: the reads of {} are not to be trusted", high.name, self.name());
        Err(TransportError::Io { what, source: None }.into())
    }

    /// Uploads, configures, runs, waits, and reads picture and counters. A frame that gets nowhere is stopped.
    pub fn render(
        &mut self,
        scene: &Scene,
        options: &RenderOptions,
        policy: &WaitPolicy,
        on_progress: impl FnMut(u8) -> ControlFlow<()>,
    ) -> Result<(Picture, Counters), DriverError> {
        self.upload(scene)?;
        self.configure(&RenderOptions { framebuffer: true, ..*options })?;
        self.run()?;
        if let Err(error) = self.wait(policy, on_progress) {
            if matches!(error, DriverError::Timeout { .. }) {
                // The timeout is what the caller must hear of, whether or not this device still takes a command.
                let _ = self.stop();
            }
            return Err(error);
        }
        Ok((self.picture()?, self.counters()?))
    }
}

fn bytes(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

/// A colour as BACKGROUND holds it.
fn background_word([red, green, blue]: [u8; 3]) -> u32 {
    register::BACKGROUND.fields.iter().fold(0, |word, field| {
        let channel = match field.name {
            "red" => red,
            "green" => green,
            _ => blue,
        };
        field.set(word, channel.into())
    })
}
