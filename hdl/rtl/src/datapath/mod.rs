//! The datapath compiler: from a kernel to a block.
//!
//! ```text
//!  rayman_model::Kernel -> [graph] nodes -> [schedule] clocks, units -> [block] simulation, named ports
//!                                                                    -> [verilog] operators, delays, multiplexers
//!                                      -> [program] rows, one unit of each operator: for what is wanted seldom
//! ```
//!
//! One source, the kernel, gives the golden model and the circuit; here no formula is typed again. A block is made by
//! [`datapath!`](crate::datapath!) and takes its form when it is built: a program, or an interval, the number of clocks
//! between starts.

pub mod binding;
pub mod block;
pub mod composed;
pub mod examples;
pub mod graph;
pub mod kernels;
pub mod memories;
pub mod picture;
pub mod program;
pub mod report;
pub mod schedule;
pub mod stream;
pub mod verilog;

#[cfg(test)]
mod tests;

pub use block::{ports_match, Datapath, Design, Flight, Folded, Form, PortValue};
pub use composed::Composed;
pub use graph::Graph;
pub use program::Program;
pub use rayman_model::Kernel;
pub use report::Report;
pub use schedule::Schedule;
pub use stream::{StreamDatapath, StreamFlight};

/// What [`datapath!`](crate::datapath!) needs of rust-hdl, so that its users need not import it.
#[doc(hidden)]
pub mod hdl {
    pub use crate::gate::Gated;
    pub use rust_hdl_core::prelude::{Bit, Bits, Block, Clock, In, Logic, Out, Probe, Signal, Verilog};
}
