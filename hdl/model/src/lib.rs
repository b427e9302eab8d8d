//! The golden model: one arithmetic, each algorithm once, and a device that behaves as the hardware does.
//!
//! - [`arithmetic`] is what an algorithm may use. Host numbers ([`fp32`]), [`f64`](mod@f64) and the hardware recorder
//!   implement it.
//! - [`kernel`] names a kernel's inputs and outputs, so that it can be evaluated or turned into a circuit.
//! - [`kernels`] are the algorithms: camera, rays, intersection, shading.
//! - [`device`] is the whole core without its clocks: registers, memory, pixels, interrupt.
//! - [`accuracy`] measures the kernels against exact geometry.
//! - [`random`] makes reproducible stimulus, here and for the crates that compare with the model.
#![warn(missing_docs)]

pub mod accuracy;
pub mod arithmetic;
pub mod device;
pub mod f64;
pub mod fp32;
pub mod kernel;
pub mod kernels;
mod lanes;
pub mod random;

pub use self::f64::F64;
pub use arithmetic::Arithmetic;
pub use device::{Beat, Build, Bus, BusFault, Device, SlaveError};
pub use fp32::{Fp32, Host};
pub use kernel::{Kernel, Kind, Port, Value};
