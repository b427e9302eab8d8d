//! The userspace driver: a device API over whatever carries registers and memory to a core.
#![warn(missing_docs)]

pub mod transport;

pub use transport::{MemoryWindow, Transport, TransportError};
