//! Simulators behind the driver's `Transport`.
#![warn(missing_docs)]

pub mod verilated;
