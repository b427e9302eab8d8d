//! Simulators behind the driver's `Transport`.
//!
//! ```text
//!                     rayman_driver::Transport, bench::Bench
//!                  /                    |                   \
//!        ModelTransport         CoreTransport<InCrate>   CoreTransport<VerilatedCore>
//!              |                        \                   /
//!        rayman_model             pins, one clock at a time: AXI slave + memory, register master, video sink, monitor
//! ```
//!
//! All three have the same memory, 64 MiB at 0x8000_0000, and can be told to fail in the same ways, so the one suite of
//! `tests/behaviour.rs` runs on each.
#![warn(missing_docs)]

pub mod axi_slave;
pub mod bench;
pub mod core_transport;
pub mod datapath_check;
pub mod devices;
pub mod incrate;
pub mod memory;
pub mod model_transport;
pub mod pins;
pub mod protocol;
pub mod random;
pub mod recording;
pub mod referee;
pub mod soak;
pub mod speed;
pub mod verilated;
pub mod video;

pub use bench::{Bench, BenchError, BusTraffic};
pub use core_transport::CoreTransport;
pub use model_transport::ModelTransport;
