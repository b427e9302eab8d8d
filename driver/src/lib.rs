//! The userspace driver: a device API over whatever carries registers and memory to a core.
//!
//! ```text
//!  Scene --validate, encode--> descriptor words --+
//!                                                 v
//!  Device: open -> upload -> configure -> run -> wait -> picture, counters
//!            |        |          |         |      |         |
//!            +--------+----------+---------+------+---------+---> Transport (registers, memory, interrupt)
//! ```
//!
//! - [`Scene`] is what a program fills in: plain numbers, checked before they reach a core.
//! - [`Device`] drives a core through any [`Transport`]: a simulator, a model, a board.
//! - [`Link`] is the transport to a board with a LiteX system, [`OnBus`] to any bus of words, [`frontpanel::OpalKelly`] to a board of Opal
//!   Kelly.
//! - Every failure is a [`DriverError`] that says what happened, where, and by [`DriverError::hint`] what to do.
//!
//! The crate knows neither RTL nor model. Offsets, fields and descriptor words come from `rayman_abi`; none is typed here.
#![warn(missing_docs)]

pub mod counters;
pub mod device;
pub mod error;
pub mod frontpanel;
pub mod litex;
pub mod on_bus;
pub mod picture;
pub mod placement;
pub mod scene;
pub mod transport;
#[cfg(target_os = "linux")]
pub mod uio;

pub use counters::Counters;
pub use device::{Build, Capabilities, Device, RenderOptions, Status, Version, WaitPolicy};
pub use error::DriverError;
pub use litex::{Link, LinkError};
pub use on_bus::{AddressMap, Bus, OnBus};
pub use picture::Picture;
pub use placement::{Placement, Region};
pub use scene::{Camera, Fx1_7, Item, Material, Scene, SceneError, SceneProblem, Screen, Sphere};
pub use transport::{MemoryWindow, Transport, TransportError};
