//! Memories: the leaves that synthesis turns into block RAM and distributed RAM.
//!
//! They are leaves because rust-hdl's own memories keep their contents in a tree, a word at a time: too slow for a frame
//! in simulation. Behaviour and Verilog stand side by side in one file each, and `sim/tests/memories.rs` compares them
//! clock by clock.

mod fifo;
mod ram;

pub use fifo::Fifo;
pub use ram::Ram;
