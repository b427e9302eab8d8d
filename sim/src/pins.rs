//! The core's pins as plain values, and what a simulator of the core must do: one clock at a time.

use crate::verilated::VerilatorError;
use rayman_rtl::step::Oscillation;

/// What the world drives.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs)] // the names are those of the AXI specification, prefixed as in ARCHITECTURE.md
pub struct PinsIn {
    pub aresetn: bool,
    pub s_axi_awaddr: u8,
    pub s_axi_awvalid: bool,
    pub s_axi_wdata: u32,
    pub s_axi_wstrb: u8,
    pub s_axi_wvalid: bool,
    pub s_axi_bready: bool,
    pub s_axi_araddr: u8,
    pub s_axi_arvalid: bool,
    pub s_axi_rready: bool,
    pub m_axi_awready: bool,
    pub m_axi_wready: bool,
    pub m_axi_bid: u8,
    pub m_axi_bresp: u8,
    pub m_axi_bvalid: bool,
    pub m_axi_arready: bool,
    pub m_axi_rid: u8,
    pub m_axi_rdata: u32,
    pub m_axi_rresp: u8,
    pub m_axi_rlast: bool,
    pub m_axi_rvalid: bool,
    pub m_axis_video_tready: bool,
}

/// What the core drives.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs)] // as above
pub struct PinsOut {
    pub irq: bool,
    pub s_axi_awready: bool,
    pub s_axi_wready: bool,
    pub s_axi_bresp: u8,
    pub s_axi_bvalid: bool,
    pub s_axi_arready: bool,
    pub s_axi_rdata: u32,
    pub s_axi_rresp: u8,
    pub s_axi_rvalid: bool,
    pub m_axi_aw: AddressPins,
    pub m_axi_awvalid: bool,
    pub m_axi_wdata: u32,
    pub m_axi_wstrb: u8,
    pub m_axi_wlast: bool,
    pub m_axi_wvalid: bool,
    pub m_axi_bready: bool,
    pub m_axi_ar: AddressPins,
    pub m_axi_arvalid: bool,
    pub m_axi_rready: bool,
    pub m_axis_video_tdata: u32,
    pub m_axis_video_tuser: bool,
    pub m_axis_video_tlast: bool,
    pub m_axis_video_tvalid: bool,
}

/// The payload of an AXI4 address channel.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs)] // as above
pub struct AddressPins {
    pub id: u8,
    pub addr: u32,
    pub len: u8,
    pub size: u8,
    pub burst: u8,
    pub lock: bool,
    pub cache: u8,
    pub prot: u8,
    pub qos: u8,
}

/// A simulator of the core failed: a fault of the core or of the simulator, never of the scene.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PinError {
    /// The in-crate RTL does not come to rest.
    #[error(transparent)]
    Oscillation(#[from] Oscillation),
    /// The Verilated core stopped.
    #[error(transparent)]
    Verilator(#[from] VerilatorError),
}

/// A core seen from its pins.
pub trait PinLevel {
    /// Names the simulator for messages, such as `in-crate RTL`.
    fn name(&self) -> String;

    /// A whole clock with these inputs. The answer is what the core drives with them applied, just before the rising
    /// edge: so a transfer happens at this edge wherever a valid and a ready of `inputs` and of the answer are both high.
    fn clock(&mut self, inputs: &PinsIn) -> Result<PinsOut, PinError>;
}

impl<P: PinLevel + ?Sized> PinLevel for Box<P> {
    fn name(&self) -> String {
        (**self).name()
    }

    fn clock(&mut self, inputs: &PinsIn) -> Result<PinsOut, PinError> {
        (**self).clock(inputs)
    }
}
