//! What a test of the core's behaviour needs beyond the driver's `Transport`: the same on every device.
//!
//! The one suite, `tests/behaviour.rs`, is written over this trait and runs on the model, the in-crate RTL and the
//! Verilated core.

use crate::axi_slave::Timing;
use crate::memory::{Fault, Response};
use crate::pins::PinError;
use crate::protocol::Violation;
use crate::video::{StreamReady, VideoBeat};
use rayman_driver::{Transport, TransportError};

/// A simulated device went wrong: never the fault of a scene.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BenchError {
    /// The simulator failed.
    #[error(transparent)]
    Pins(#[from] PinError),
    /// The core broke a bus rule.
    #[error("the core breaks the bus protocol: {0}")]
    Protocol(Violation),
    /// The register slave does not answer.
    #[error("the register slave did not answer an access to offset {offset:#04x} within {clocks} clocks")]
    Silent {
        /// Byte offset.
        offset: u32,
        /// Clocks waited.
        clocks: u32,
    },
}

impl From<BenchError> for TransportError {
    fn from(error: BenchError) -> Self {
        TransportError::Io { what: error.to_string(), source: None }
    }
}

/// Bytes that the core moved over its memory bus, whole words.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BusTraffic {
    /// Read: descriptors, and spheres that are not kept on chip.
    pub read: u64,
    /// Written: pixels.
    pub written: u64,
}

/// A device under test.
pub trait Bench: Transport {
    /// Lets time pass: so many clocks; on the model, as much work as some core could do in them.
    fn run(&mut self, steps: u64) -> Result<(), BenchError>;

    /// Whether a step is a clock: if not, nothing is said about when things happen within a frame.
    fn counts_clocks(&self) -> bool;

    /// Pulls the reset pin. Memory stays.
    fn reset(&mut self) -> Result<(), BenchError>;

    /// The interrupt pin.
    fn interrupt(&self) -> bool;

    /// Writes the bytes of a register whose strobe is set; answers the bus response.
    fn write_strobed(&mut self, offset: u32, value: u32, strobes: u8) -> Result<Response, BenchError>;

    /// Reads an offset, whatever is there; answers word and bus response.
    fn read_raw(&mut self, offset: u32) -> Result<(u32, Response), BenchError>;

    /// Chooses when the sink of the pixel stream takes beats. At first it takes all.
    fn set_stream_ready(&mut self, ready: StreamReady);

    /// Whether the sink keeps the beats that it takes. At first it does not.
    fn keep_beats(&mut self, keeps: bool);

    /// Hands over the beats kept so far.
    fn take_beats(&mut self) -> Vec<VideoBeat>;

    /// Adds a rule by which memory answers errors.
    fn inject(&mut self, fault: Fault);

    /// Drops these rules.
    fn clear_faults(&mut self);

    /// Chooses latency and stalls of the memory, and stalls of the register master. Without meaning on the model.
    fn set_timing(&mut self, timing: Timing);

    /// Whether every accepted bus transaction has been completed.
    fn bus_is_idle(&self) -> bool;

    /// What has gone over the memory bus since the device was made; none on the model, which has no spheres to fetch anew.
    fn bus_traffic(&self) -> Option<BusTraffic>;

    /// Bus rules that the core has broken, at most the first 100.
    fn violations(&self) -> &[Violation];
}
