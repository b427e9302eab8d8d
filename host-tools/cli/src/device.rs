//! The devices that a command can be given.

use std::fmt;

use clap::ValueEnum;
use rayman_driver::Transport;
use rayman_sim::verilated::Flavour;
use rayman_sim::{devices, Bench, ModelTransport};

/// A kind of device.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, ValueEnum)]
pub enum DeviceKind {
    /// The core's RTL, simulated clock by clock in this process; needs no tool.
    Rtl,
    /// The core's Verilog, compiled by Verilator; `cargo xtask sim` builds it.
    Verilator,
    /// The golden model: the same picture at native speed, without clocks.
    Model,
}

impl fmt::Display for DeviceKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            DeviceKind::Rtl => "rtl",
            DeviceKind::Verilator => "verilator",
            DeviceKind::Model => "model",
        })
    }
}

/// Makes a device of a kind.
pub type Opener<'a> = &'a dyn Fn(DeviceKind) -> anyhow::Result<Box<dyn Transport>>;

/// Makes a device of a kind, with so many lanes. The commands take one, so that tests can hand in devices of their own.
pub type LanesOpener<'a> = &'a dyn Fn(DeviceKind, u32) -> anyhow::Result<Box<dyn Transport>>;

/// Makes a device of a kind, with so many lanes.
pub fn open(kind: DeviceKind, lanes: u32) -> anyhow::Result<Box<dyn Transport>> {
    Ok(simulator(kind, lanes)?)
}

/// Makes a device of a kind, with so many lanes (the model has none to choose), with what only a simulated one offers.
pub fn simulator(kind: DeviceKind, lanes: u32) -> anyhow::Result<Box<dyn Bench>> {
    match kind {
        DeviceKind::Model => Ok(Box::new(ModelTransport::default())),
        DeviceKind::Rtl => Ok(Box::new(devices::in_crate(lanes)?)),
        DeviceKind::Verilator => Ok(Box::new(devices::verilated(lanes, Flavour::Fast, 1)?)),
    }
}
