//! The Verilated core behind [`PinLevel`].
//!
//! `cargo xtask sim` builds the library and leaves a pointer to it in `target/verilated/`; this opens it. One call into
//! the library is one clock: the memory model stays in Rust, and the call costs far less than the clock that it runs.

use super::block::{Sample, VerilatedBlock};
use super::{Flavour, VerilatorError};
use crate::pins::{AddressPins, PinError, PinLevel, PinsIn, PinsOut};

/// Module name of the core.
pub const TOP: &str = "rayman";

/// The inputs of a row, in [`pack`]'s order.
const INPUTS: [&str; 22] = [
    "aresetn", "s_axi_awaddr", "s_axi_awvalid", "s_axi_wdata", "s_axi_wstrb", "s_axi_wvalid", "s_axi_bready",
    "s_axi_araddr", "s_axi_arvalid", "s_axi_rready", "m_axi_awready", "m_axi_wready", "m_axi_bid", "m_axi_bresp",
    "m_axi_bvalid", "m_axi_arready", "m_axi_rid", "m_axi_rdata", "m_axi_rresp", "m_axi_rlast", "m_axi_rvalid",
    "m_axis_video_tready",
];

/// The outputs of a row, in [`unpack`]'s order.
const OUTPUTS: [&str; 39] = [
    "irq", "s_axi_awready", "s_axi_wready", "s_axi_bresp", "s_axi_bvalid", "s_axi_arready", "s_axi_rdata",
    "s_axi_rresp", "s_axi_rvalid", "m_axi_awid", "m_axi_awaddr", "m_axi_awlen", "m_axi_awsize", "m_axi_awburst",
    "m_axi_awlock", "m_axi_awcache", "m_axi_awprot", "m_axi_awqos", "m_axi_awvalid", "m_axi_wdata", "m_axi_wstrb",
    "m_axi_wlast", "m_axi_wvalid", "m_axi_bready", "m_axi_arid", "m_axi_araddr", "m_axi_arlen", "m_axi_arsize",
    "m_axi_arburst", "m_axi_arlock", "m_axi_arcache", "m_axi_arprot", "m_axi_arqos", "m_axi_arvalid",
    "m_axi_rready", "m_axis_video_tdata", "m_axis_video_tuser", "m_axis_video_tlast", "m_axis_video_tvalid",
];

/// The Verilated core.
pub struct VerilatedCore {
    block: VerilatedBlock,
    flavour: Flavour,
    /// Place in the library's row of each of [`INPUTS`] and [`OUTPUTS`].
    inputs: [usize; INPUTS.len()],
    outputs: [usize; OUTPUTS.len()],
    row_in: Vec<u64>,
    row_out: Vec<u64>,
}
