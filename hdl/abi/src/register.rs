//! The register map.

use crate::field::{Access, Field, Format, Origin, Variant};

/// A 32-bit register on the AXI4-Lite slave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Register {
    /// UPPER_SNAKE name.
    pub name: &'static str,
    /// Byte offset from the slave's base, a multiple of 4.
    pub offset: u32,
    /// Who may write it.
    pub access: Access,
    /// Value after reset. For read-only registers that describe the build it is 0 here.
    pub reset: u32,
    /// Where the definition comes from.
    pub origin: Origin,
    /// What it is for.
    pub doc: &'static str,
    /// Its fields, lowest bits first. Bits in no field are reserved: read 0, writes ignored.
    pub fields: &'static [Field],
}

impl Register {
    /// The bits that exist.
    pub const fn mask(&self) -> u32 {
        let mut mask = 0;
        let mut i = 0;
        while i < self.fields.len() {
            mask |= self.fields[i].mask();
            i += 1;
        }
        mask
    }
}

const fn word(format: Format, doc: &'static str) -> Field {
    Field::new("value", 31, 0, format, doc)
}

macro_rules! registers {
    ($($(#[doc = $doc:literal])+ $name:ident = $offset:literal, $access:ident, $reset:expr, $origin:ident, [$($field:expr),* $(,)?];)*) => {
        $(
            $(#[doc = $doc])+
            pub const $name: Register = Register {
                name: stringify!($name), offset: $offset, access: Access::$access, reset: $reset, origin: Origin::$origin,
                doc: concat!($($doc),+), fields: &[$($field),*],
            };
        )*
        /// Every register, by ascending offset.
        pub const REGISTERS: &[Register] = &[$($name),*];
    };
}

/// COMMAND.command: what the host asks for.
pub mod command {
    /// Read when idle; a write does nothing.
    pub const NOP: u32 = 0;
    /// Render the scene at SCENE_ADDRESS. Ignored while busy.
    pub const RUN: u32 = 1;
    /// End the frame gracefully. Ignored while idle.
    pub const STOP: u32 = 2;
    /// Force the interrupt to 0.
    pub const CLEAR_IRQ: u32 = 3;
}

/// STATUS.status.
pub mod status {
    /// Nothing is being rendered.
    pub const IDLE: u32 = 0;
    /// A frame is being rendered.
    pub const BUSY: u32 = 1;
}

/// Field of COMMAND.
pub const COMMAND: Field = Field::new("command", 2, 0, Format::Uint, "Command issued to the ray tracer.").with(&[
    Variant { value: command::NOP, name: "NOP", doc: "Read when idle; a write does nothing." },
    Variant {
        value: command::RUN,
        name: "RUN",
        doc: "Render the scene at SCENE_ADDRESS. Ignored while busy; read while busy.",
    },
    Variant { value: command::STOP, name: "STOP", doc: "End the frame gracefully. Ignored while idle." },
    Variant { value: command::CLEAR_IRQ, name: "CLEAR_IRQ", doc: "Force the interrupt to 0, also while busy." },
]);
/// Field of STATUS.
pub const STATUS: Field = Field::new("status", 2, 0, Format::Uint, "Status.").with(&[
    Variant { value: status::IDLE, name: "IDLE", doc: "Nothing is being rendered." },
    Variant { value: status::BUSY, name: "BUSY", doc: "A frame is being rendered." },
]);
/// Field of STATUS: 0 just started, 255 complete.
pub const PROGRESS: Field = Field::new(
    "progress",
    15,
    8,
    Format::Uint,
    "0 when a frame starts, never falls within it, 255 exactly when it is complete.",
);
/// Field of RENDER_CONTROL: deepest reflection, 0 for none.
pub const REFLECTION_DEPTH: Field =
    Field::new("reflection_depth", 3, 0, Format::Uint, "Reflections followed from a primary ray, 0 for none.");
/// Field of RENDER_CONTROL.
pub const SHADOWS: Field = Field::new("shadows", 8, 8, Format::Flag, "Trace a shadow ray from every lit hit.");
/// Field of RENDER_CONTROL.
pub const STREAM: Field = Field::new("stream", 9, 9, Format::Flag, "Offer the pixels on the AXI4-Stream video port.");
/// Field of VERSION.
pub const VERSION_MAJOR: Field =
    Field::new("major", 31, 16, Format::Uint, "Changes when an old driver would go wrong.");
/// Field of VERSION.
pub const VERSION_MINOR: Field = Field::new("minor", 15, 0, Format::Uint, "Changes when something is added.");
/// Field of CAPABILITIES.
pub const LANES: Field =
    Field::new("lanes", 3, 0, Format::Uint, "Intersector lanes, each one ray-sphere test a clock.");
/// Field of CAPABILITIES.
pub const BVH: Field = Field::new("bvh", 4, 4, Format::Flag, "The build has a BVH unit.");
/// Field of CAPABILITIES.
pub const CUBE: Field = Field::new("cube", 5, 5, Format::Flag, "The build has a cube-map sampler.");
/// Field of CAPABILITIES.
pub const CACHED_SPHERES: Field =
    Field::new("cached_spheres", 31, 16, Format::Uint, "Spheres held on chip; more are streamed from memory.");
/// Field of ERROR.
pub const ERROR_CODE: Field =
    Field::new("code", 7, 0, Format::Uint, "What ended the last frame early, 0 for nothing: see the error codes.");
/// Field of IRQ_STATUS.
pub const IRQ: Field = Field::new("irq", 0, 0, Format::Flag, "The interrupt is up.");
/// Field of BUILD_PARAMETERS.
pub const SLOTS: Field = Field::new("slots", 15, 0, Format::Uint, "Ray slots a lane.");
/// Field of BUILD_PARAMETERS.
pub const CONTEXTS: Field =
    Field::new("contexts", 31, 16, Format::Uint, "Pixels in flight at most, in all lanes together.");

/// What ID reads: "RAYM".
pub const ID_VALUE: u32 = 0x5241_594D;
/// What VERSION reads: major 1, minor 0.
pub const VERSION_VALUE: u32 = 0x0001_0000;

registers! {
    /// Gives commands to the ray tracer. Reads NOP when idle and RUN while rendering.
    RAYTRACER_COMMAND = 0x00, ReadWrite, command::NOP, Specified, [COMMAND];
    /// What the ray tracer is doing.
    RAYTRACER_STATUS = 0x04, ReadOnly, 0, Specified, [STATUS, PROGRESS];
    /// Bus address of the scene_descriptor to render next. Read once, when RUN is taken.
    SCENE_ADDRESS = 0x08, ReadWrite, 0x8000_0000, Specified, [word(Format::Address, "Bus address, a multiple of 4.")];
    /// "RAYM" in ASCII, so that a driver knows what it talks to.
    ID = 0x10, ReadOnly, ID_VALUE, Assumed, [word(Format::Uint, "0x5241594D.")];
    /// Version of this register map. A driver refuses a major version that it does not know.
    VERSION = 0x14, ReadOnly, VERSION_VALUE, Assumed, [VERSION_MINOR, VERSION_MAJOR];
    /// What this build holds.
    CAPABILITIES = 0x18, ReadOnly, 0, Assumed, [LANES, BVH, CUBE, CACHED_SPHERES];
    /// Where pixels are written as XRGB8888 (DRM fourcc XR24: bytes B, G, R, 0). 0 writes none.
    FRAMEBUFFER_ADDRESS = 0x20, ReadWrite, 0, Assumed, [word(Format::Address, "Bus address, a multiple of 4; 0: no framebuffer.")];
    /// Bytes from one row to the next in the framebuffer. 0 means 4 x screen_x_size.
    FRAMEBUFFER_STRIDE = 0x24, ReadWrite, 0, Assumed, [word(Format::Uint, "Bytes, a multiple of 4; 0: rows follow each other.")];
    /// What to trace, and where pixels go.
    RENDER_CONTROL = 0x28, ReadWrite, 0x304, Assumed, [REFLECTION_DEPTH, SHADOWS, STREAM];
    /// Colour of a ray that hits nothing, XRGB8888.
    BACKGROUND = 0x2C, ReadWrite, 0, Assumed, [
        Field::new("blue", 7, 0, Format::Uint, "Blue, 0 to 255."),
        Field::new("green", 15, 8, Format::Uint, "Green, 0 to 255."),
        Field::new("red", 23, 16, Format::Uint, "Red, 0 to 255."),
    ];
    /// What ended the last frame early.
    ERROR = 0x30, ReadOnly, 0, Assumed, [ERROR_CODE];
    /// Bus address of the transfer that failed (for a write, of its burst), or of the descriptor at fault. For a fault
    /// in a register's value: 0.
    ERROR_ADDRESS = 0x34, ReadOnly, 0, Assumed, [word(Format::Address, "Bus address.")];
    /// The interrupt line, for hosts that must ask.
    IRQ_STATUS = 0x38, ReadOnly, 0, Assumed, [IRQ];
    /// Frames completed since reset; one that ended early does not count.
    FRAME_COUNT = 0x3C, ReadOnly, 0, Assumed, [word(Format::Uint, "Frames.")];
    /// Clocks from RUN to the end of the last frame, low word.
    CYCLES_LO = 0x40, ReadOnly, 0, Assumed, [word(Format::Uint, "Low 32 bits.")];
    /// Clocks from RUN to the end of the last frame, high word.
    CYCLES_HI = 0x44, ReadOnly, 0, Assumed, [word(Format::Uint, "High 32 bits.")];
    /// Primary rays of the last frame, low word.
    PRIMARY_RAYS_LO = 0x48, ReadOnly, 0, Assumed, [word(Format::Uint, "Low 32 bits.")];
    /// Primary rays of the last frame, high word.
    PRIMARY_RAYS_HI = 0x4C, ReadOnly, 0, Assumed, [word(Format::Uint, "High 32 bits.")];
    /// Shadow rays of the last frame, low word.
    SHADOW_RAYS_LO = 0x50, ReadOnly, 0, Assumed, [word(Format::Uint, "Low 32 bits.")];
    /// Shadow rays of the last frame, high word.
    SHADOW_RAYS_HI = 0x54, ReadOnly, 0, Assumed, [word(Format::Uint, "High 32 bits.")];
    /// Reflection rays of the last frame, low word.
    REFLECTION_RAYS_LO = 0x58, ReadOnly, 0, Assumed, [word(Format::Uint, "Low 32 bits.")];
    /// Reflection rays of the last frame, high word.
    REFLECTION_RAYS_HI = 0x5C, ReadOnly, 0, Assumed, [word(Format::Uint, "High 32 bits.")];
    /// Primary and reflection rays of the last frame that hit a sphere, low word.
    HITS_LO = 0x60, ReadOnly, 0, Assumed, [word(Format::Uint, "Low 32 bits.")];
    /// Primary and reflection rays of the last frame that hit a sphere, high word.
    HITS_HI = 0x64, ReadOnly, 0, Assumed, [word(Format::Uint, "High 32 bits.")];
    /// Shadow rays of the last frame that found the light hidden, low word.
    OCCLUDED_LO = 0x68, ReadOnly, 0, Assumed, [word(Format::Uint, "Low 32 bits.")];
    /// Shadow rays of the last frame that found the light hidden, high word.
    OCCLUDED_HI = 0x6C, ReadOnly, 0, Assumed, [word(Format::Uint, "High 32 bits.")];
    /// Pixels of the last frame, low word.
    PIXELS_LO = 0x70, ReadOnly, 0, Assumed, [word(Format::Uint, "Low 32 bits.")];
    /// Pixels of the last frame, high word.
    PIXELS_HI = 0x74, ReadOnly, 0, Assumed, [word(Format::Uint, "High 32 bits.")];
    /// Ray-sphere tests of the last frame: spheres x rays, low word.
    TESTS_LO = 0x78, ReadOnly, 0, Assumed, [word(Format::Uint, "Low 32 bits.")];
    /// Ray-sphere tests of the last frame: spheres x rays, high word.
    TESTS_HI = 0x7C, ReadOnly, 0, Assumed, [word(Format::Uint, "High 32 bits.")];
    /// Intersector slots that did a test whose answer was wanted, low word. Microarchitectural, as are all that follow.
    SLOTS_USED_LO = 0x80, ReadOnly, 0, Assumed, [word(Format::Uint, "Low 32 bits.")];
    /// Intersector slots that did a test whose answer was wanted, high word.
    SLOTS_USED_HI = 0x84, ReadOnly, 0, Assumed, [word(Format::Uint, "High 32 bits.")];
    /// Intersector slots spent on a shadow ray after its hit was known, low word.
    SLOTS_DEAD_LO = 0x88, ReadOnly, 0, Assumed, [word(Format::Uint, "Low 32 bits.")];
    /// Intersector slots spent on a shadow ray after its hit was known, high word.
    SLOTS_DEAD_HI = 0x8C, ReadOnly, 0, Assumed, [word(Format::Uint, "High 32 bits.")];
    /// Intersector slots lost for want of rays, low word.
    LOST_RAYS_LO = 0x90, ReadOnly, 0, Assumed, [word(Format::Uint, "Low 32 bits.")];
    /// Intersector slots lost for want of rays, high word.
    LOST_RAYS_HI = 0x94, ReadOnly, 0, Assumed, [word(Format::Uint, "High 32 bits.")];
    /// Intersector slots lost for want of a sphere, low word.
    LOST_SPHERES_LO = 0x98, ReadOnly, 0, Assumed, [word(Format::Uint, "Low 32 bits.")];
    /// Intersector slots lost for want of a sphere, high word.
    LOST_SPHERES_HI = 0x9C, ReadOnly, 0, Assumed, [word(Format::Uint, "High 32 bits.")];
    /// Intersector slots lost while rays waited for the shader, low word.
    LOST_SHADER_LO = 0xA0, ReadOnly, 0, Assumed, [word(Format::Uint, "Low 32 bits.")];
    /// Intersector slots lost while rays waited for the shader, high word.
    LOST_SHADER_HI = 0xA4, ReadOnly, 0, Assumed, [word(Format::Uint, "High 32 bits.")];
    /// Intersector slots lost while the pixel output could take no more, low word.
    LOST_OUTPUT_LO = 0xA8, ReadOnly, 0, Assumed, [word(Format::Uint, "Low 32 bits.")];
    /// Intersector slots lost while the pixel output could take no more, high word.
    LOST_OUTPUT_HI = 0xAC, ReadOnly, 0, Assumed, [word(Format::Uint, "High 32 bits.")];
    /// Clocks in which an AXI address or write-data channel waited, low word.
    AXI_STALLS_LO = 0xB0, ReadOnly, 0, Assumed, [word(Format::Uint, "Low 32 bits.")];
    /// Clocks in which an AXI address or write-data channel waited, high word.
    AXI_STALLS_HI = 0xB4, ReadOnly, 0, Assumed, [word(Format::Uint, "High 32 bits.")];
    /// Source revision of this build: the first 32 bits of the git commit, 0 if unknown.
    BUILD_REVISION = 0xF0, ReadOnly, 0, Assumed, [word(Format::Uint, "First 32 bits of the commit.")];
    /// Sizes chosen when this build was made.
    BUILD_PARAMETERS = 0xF4, ReadOnly, 0, Assumed, [SLOTS, CONTEXTS];
}

/// A 64-bit counter: two registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counter {
    /// lower_snake name.
    pub name: &'static str,
    /// Low word; the high word is the next register.
    pub low: Register,
    /// High word.
    pub high: Register,
    /// Equal on every device for the same scene and registers; otherwise a property of the build.
    pub architectural: bool,
}

macro_rules! counters {
    ($($name:literal $lo:ident $hi:ident $arch:literal;)*) => {
        /// The counters of the last frame, by ascending offset.
        pub const COUNTERS: &[Counter] = &[$(Counter { name: $name, low: $lo, high: $hi, architectural: $arch }),*];
    };
}
counters! {
    "cycles" CYCLES_LO CYCLES_HI false;
    "primary_rays" PRIMARY_RAYS_LO PRIMARY_RAYS_HI true;
    "shadow_rays" SHADOW_RAYS_LO SHADOW_RAYS_HI true;
    "reflection_rays" REFLECTION_RAYS_LO REFLECTION_RAYS_HI true;
    "hits" HITS_LO HITS_HI true;
    "occluded" OCCLUDED_LO OCCLUDED_HI true;
    "pixels" PIXELS_LO PIXELS_HI true;
    "tests" TESTS_LO TESTS_HI true;
    "slots_used" SLOTS_USED_LO SLOTS_USED_HI false;
    "slots_dead" SLOTS_DEAD_LO SLOTS_DEAD_HI false;
    "lost_rays" LOST_RAYS_LO LOST_RAYS_HI false;
    "lost_spheres" LOST_SPHERES_LO LOST_SPHERES_HI false;
    "lost_shader" LOST_SHADER_LO LOST_SHADER_HI false;
    "lost_output" LOST_OUTPUT_LO LOST_OUTPUT_HI false;
    "axi_stalls" AXI_STALLS_LO AXI_STALLS_HI false;
}

/// Bytes the slave decodes: offsets at or past it answer SLVERR, as do the unmapped ones below it.
pub const APERTURE_BYTES: u32 = 0x100;

/// The register at a byte offset, if one is there.
pub fn at(offset: u32) -> Option<&'static Register> {
    REGISTERS.iter().find(|register| register.offset == offset)
}
