//! The core on Opal Kelly boards: XEM7010 (Artix-7) and XEM6010 (Spartan-6).
//!
//! ```text
//!  board.rs (the vendor's host interface, its endpoints, pins) -> system.rs (registers, core, memory)
//!  project.rs: Verilog, constraints and the script for the vendor's tools
//! ```
//!
//! Only this crate knows rust-hdl's Opal Kelly crates. They are used for pins, constraints and the shape of the endpoints; the
//! vendor's closed SDK is needed by whoever builds a bitstream, not to build or simulate this.
#![warn(missing_docs)]

pub mod board;
pub mod memory;
pub mod project;
pub mod register_port;
pub mod system;

pub use system::System;
