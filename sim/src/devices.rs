//! The simulated devices, ready to use.

use crate::core_transport::CoreTransport;
use crate::incrate::InCrate;
use crate::pins::PinError;
use crate::verilated::core::VerilatedCore;
use crate::verilated::Flavour;
use rayman_rtl::emit::{emit, EmitError};
use rayman_rtl::top::{Build, Core};

/// A core on the in-crate simulator.
pub type InCrateCore = CoreTransport<InCrate<Core>>;

/// The core's RTL, simulated in this process; needs no tool.
pub fn in_crate() -> Result<InCrateCore, PinError> {
    CoreTransport::new(InCrate::new(Core::new(Build::default())))
}

/// The core's Verilog, as `cargo xtask rtl` writes it but for the source revision.
pub fn core_verilog() -> Result<String, EmitError> {
    emit(&Core::new(Build::default()), "rayman")
}

/// The Verilated core. Opens what `cargo xtask sim` has built for this very Verilog.
pub fn verilated(flavour: Flavour, seed: u32) -> Result<CoreTransport<VerilatedCore>, DeviceError> {
    Ok(CoreTransport::new(VerilatedCore::open(&core_verilog()?, flavour, seed)?)?)
}

/// A simulated device cannot be had.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DeviceError {
    /// The core cannot be written as Verilog.
    #[error(transparent)]
    Emit(#[from] EmitError),
    /// The Verilated core is not there, or does not load.
    #[error(transparent)]
    Verilator(#[from] crate::verilated::VerilatorError),
    /// The simulator does not start.
    #[error(transparent)]
    Pins(#[from] PinError),
}
