//! The golden model: one arithmetic, each algorithm once, and a device that behaves as the hardware does.
//!
//! - [`arithmetic`] is what an algorithm may use. Host numbers, `f64` and the hardware recorder implement it.
//! - [`kernel`] names a kernel's inputs and outputs, so that it can be evaluated or turned into a circuit.
#![warn(missing_docs)]

pub mod arithmetic;
pub mod kernel;

pub use arithmetic::Arithmetic;
pub use kernel::{Kernel, Kind, Port, Value};
