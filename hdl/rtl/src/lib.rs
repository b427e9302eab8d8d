//! The RTL of the core, in rust-hdl.
//!
//! Each module's head says what its blocks do, how their streams behave, and how many clocks they take.

// The derives' paths hold within this crate too.
extern crate self as rayman_rtl;

pub mod axi;
pub mod datapath;
pub mod emit;
pub mod engine;
mod fixed;
pub mod fp;
pub mod frame;
pub mod gate;
pub mod mem;
pub mod step;
pub mod top;
