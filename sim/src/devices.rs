//! The simulated devices, ready to use.

use crate::core_transport::CoreTransport;
use crate::incrate::InCrate;
use crate::pins::{PinError, PinLevel};
use crate::verilated::core::{VerilatedCore, TOP};
use crate::verilated::Flavour;
use rayman_rtl::emit::EmitError;
pub use rayman_rtl::top::MOST_LANES;
use rayman_rtl::top::{self, Build, Lanes, NoSuchCore};

/// A core on the in-crate simulator, of any number of lanes.
pub type InCrateCore = CoreTransport<Box<dyn PinLevel>>;

/// The RTL of a core of so many lanes, simulated in this process; needs no tool.
pub fn in_crate(lanes: u32) -> Result<InCrateCore, DeviceError> {
    let build = Build::of_lanes(lanes);
    let core: Box<dyn PinLevel> = match lanes {
        1 => Box::new(InCrate::new(Lanes::<1>::new(build))),
        2 => Box::new(InCrate::new(Lanes::<2>::new(build))),
        3 => Box::new(InCrate::new(Lanes::<3>::new(build))),
        4 => Box::new(InCrate::new(Lanes::<4>::new(build))),
        _ => return Err(NoSuchCore { lanes }.into()),
    };
    Ok(CoreTransport::new(core)?)
}

/// The Verilog of a core of so many lanes, as `cargo xtask rtl` writes it but for the source revision.
pub fn core_verilog(lanes: u32) -> Result<String, EmitError> {
    top::verilog(lanes, TOP)
}

/// The Verilated core of so many lanes. Opens what `cargo xtask sim` has built for this very Verilog.
pub fn verilated(lanes: u32, flavour: Flavour, seed: u32) -> Result<CoreTransport<VerilatedCore>, DeviceError> {
    let verilog = core_verilog(lanes)?;
    let core =
        VerilatedCore::open(&verilog, flavour, seed).map_err(|source| DeviceError::Verilator { lanes, source })?;
    Ok(CoreTransport::new(core)?)
}

/// A simulated device cannot be had.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DeviceError {
    /// No core has so many lanes.
    #[error(transparent)]
    Lanes(#[from] NoSuchCore),
    /// The core cannot be written as Verilog.
    #[error(transparent)]
    Emit(#[from] EmitError),
    /// The Verilated core is not there, or does not load.
    #[error("the Verilated core of {lanes} lane(s) cannot be used")]
    Verilator {
        /// Its lanes.
        lanes: u32,
        /// Why.
        source: crate::verilated::VerilatorError,
    },
    /// The simulator does not start.
    #[error(transparent)]
    Pins(#[from] PinError),
}
