//! What can go wrong between a program and a core.

use std::fmt;
use std::time::Duration;

use rayman_abi::register;
use rayman_abi::ErrorCode;

use crate::placement::Place;
use crate::scene::SceneError;
use crate::transport::{MemoryWindow, TransportError};

/// The driver could not do what it was asked.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DriverError {
    /// The way to the device failed.
    #[error(transparent)]
    Transport(#[from] TransportError),
    /// The scene cannot be rendered.
    #[error(transparent)]
    Scene(#[from] SceneError),
    /// ID does not read "RAYM".
    #[error("{device}: ID reads {id:#010x}, not {expected:#010x}: no Rayman core is there", expected = register::ID_VALUE)]
    WrongId {
        /// The transport's name.
        device: String,
        /// What was read.
        id: u32,
    },
    /// The core speaks another version of the register map.
    #[error("{device}: register map {major}.{minor}; this driver knows {known}.x",
        known = register::VERSION_MAJOR.get(register::VERSION_VALUE))]
    UnknownVersion {
        /// The transport's name.
        device: String,
        /// Major version of the core.
        major: u32,
        /// Minor version of the core.
        minor: u32,
    },
    /// The scene and its picture do not fit the device's memory.
    #[error("scene and picture need {needed} bytes; the device has {} at {:#010x}", .window.bytes, .window.base)]
    OutOfMemory {
        /// Bytes wanted.
        needed: u64,
        /// What there is.
        window: MemoryWindow,
    },
    /// A frame is being rendered.
    #[error("the core is busy with a frame ({progress} of 255 done)")]
    Busy {
        /// Progress of that frame.
        progress: u8,
    },
    /// No scene was uploaded.
    #[error("no scene has been uploaded to this device")]
    NoScene,
    /// No picture can be read: none was rendered into memory since the last upload.
    #[error("no frame has been rendered into memory since the last upload")]
    NoPicture,
    /// An option is out of its range.
    #[error("reflection depth {depth} is above {max}", max = crate::RenderOptions::MAX_REFLECTION_DEPTH)]
    ReflectionDepth {
        /// The depth asked for.
        depth: u8,
    },
    /// The core ended the frame early.
    #[error("the core ended the frame: {} (code {:#04x}): {}{}", .code.name(), *.code as u8, .code.doc(), At(*.address, *.place))]
    Frame {
        /// The core's reason.
        code: ErrorCode,
        /// ERROR_ADDRESS.
        address: u32,
        /// What the driver put there, if anything.
        place: Option<Place>,
    },
    /// The core ended the frame early, for a reason that this driver does not know.
    #[error("the core ended the frame with error code {code:#04x}, which this driver does not know{}", At(*.address, *.place))]
    UnknownErrorCode {
        /// ERROR.code.
        code: u8,
        /// ERROR_ADDRESS.
        address: u32,
        /// What the driver put there, if anything.
        place: Option<Place>,
    },
    /// The frame got nowhere for too long.
    #[error("no progress in {:.1} s; the frame stands at {progress} of 255", .waited.as_secs_f64())]
    Timeout {
        /// Progress of the frame.
        progress: u8,
        /// How long nothing moved.
        waited: Duration,
    },
    /// The core is idle again, but no interrupt came.
    #[error("the core is idle again, but its interrupt did not come")]
    NoInterrupt,
    /// The interrupt cannot be cleared.
    #[error("the interrupt stays up after CLEAR_IRQ")]
    InterruptStuck,
    /// The interrupt came while the core is busy.
    #[error("the interrupt came while the core is still busy ({progress} of 255 done)")]
    InterruptEarly {
        /// Progress of the frame.
        progress: u8,
    },
    /// The core reports success of a frame that it did not complete.
    #[error("the core reports no error, but its progress is {progress} and not 255")]
    Incomplete {
        /// Progress of the frame.
        progress: u8,
    },
    /// A pixel of the framebuffer still holds what the driver put there before the frame.
    #[error("the core reports a complete frame, but pixel ({x}, {y}) was not written")]
    PixelMissing {
        /// Column.
        x: u32,
        /// Row.
        y: u32,
    },
}

impl DriverError {
    /// What to do about it, where the message does not say it yet.
    pub fn hint(&self) -> Option<&'static str> {
        Some(match self {
            DriverError::Transport(_) => return None,
            DriverError::Scene(error) => error.problem.hint(),
            DriverError::WrongId { .. } => "check the address of the register slave, and that the device is configured",
            DriverError::UnknownVersion { .. } => "use the driver that came with this core, or build the core anew",
            DriverError::OutOfMemory { .. } => "render a smaller picture, or fewer spheres",
            DriverError::Busy { .. } => "wait for the frame, or stop it",
            DriverError::NoScene => "call Device::upload first",
            DriverError::NoPicture => "configure a framebuffer, then run and wait",
            DriverError::ReflectionDepth { .. } => "each reflection is another ray; 3 to 5 are enough for most scenes",
            DriverError::Frame { code, .. } => advice(*code),
            DriverError::UnknownErrorCode { .. } => {
                "the core is newer than this driver: use the driver that came with it"
            }
            DriverError::Timeout { .. } => {
                "wait longer if the scene is large and the device slow; else reset the device"
            }
            DriverError::NoInterrupt => "check the interrupt's wiring; IRQ_STATUS says whether the core raised it",
            DriverError::InterruptStuck | DriverError::InterruptEarly { .. } => {
                "the core breaks its contract, or the interrupt line is shared: reset the device"
            }
            DriverError::Incomplete { .. } => "the core breaks its contract: compare it with `rayman verify`",
            DriverError::PixelMissing { .. } => "the core breaks its contract, or host and core see different memory",
        })
    }
}

/// What to do when the core ends a frame with this code.
fn advice(code: ErrorCode) -> &'static str {
    match code {
        ErrorCode::Stopped => "run it again for a whole picture",
        ErrorCode::ScreenEmpty | ErrorCode::FieldOfView | ErrorCode::CameraDirection => {
            "the scene descriptor in memory is not what the driver checked: does another program write there?"
        }
        ErrorCode::ReadSlave | ErrorCode::ReadDecode | ErrorCode::WriteSlave | ErrorCode::WriteDecode => {
            "the core does not reach this address: compare the bus's memory map with the window of the transport"
        }
        ErrorCode::MaterialId => {
            "the sphere in memory is not what the driver checked: does another program write there?"
        }
        _ => "the driver's registers or descriptors were changed on the way: does another program use this core?",
    }
}

/// The tail of a message about a bus address.
struct At(u32, Option<Place>);

impl fmt::Display for At {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            At(0, _) => Ok(()),
            At(address, None) => write!(f, " At {address:#010x}."),
            At(address, Some(place)) => write!(f, " At {address:#010x}, {place}."),
        }
    }
}
