//! Simulators behind the driver's `Transport`.
#![warn(missing_docs)]

pub mod axi_slave;
pub mod memory;
pub mod pins;
pub mod protocol;
pub mod random;
pub mod verilated;
