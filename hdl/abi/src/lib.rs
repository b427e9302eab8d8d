//! The contract between host and core: registers, descriptors, error codes.
//!
//! Every register, field and descriptor word is written down once, here, as data. The RTL's decode, the driver's
//! accessors, the C header, the CMSIS-SVD file and the tables of `docs/` are all made from these tables.
//!
//! Offsets and sizes are in bytes, registers are 32 bits wide, everything is little-endian.
#![no_std]
#![warn(missing_docs)]

pub mod descriptor;
pub mod error;
pub mod field;
pub mod opal_kelly;
pub mod register;
pub mod soc;

pub use error::ErrorCode;
pub use field::{Access, Field, Origin, Variant};
pub use register::Register;
