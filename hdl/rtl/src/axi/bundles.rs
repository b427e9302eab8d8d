//! The pins of each bus, as rust-hdl interfaces.
//!
//! A field named `s_axi` of type [`AxiLiteSlave`] comes out in Verilog as `s_axi$awaddr`, and so on: `s_axi_awaddr` once
//! the emitter has made the names legal.
//!
//! The AXI4 master is one bundle at the top, [`AxiMaster`], with every channel and every constant pin. The blocks that
//! drive it hold a half each, [`AxiReadMaster`] and [`AxiWriteMaster`], with the signals that carry something. The top's
//! kernel (`crate::top`) links them signal by signal and drives the constants.
//!
//! ```text
//!  ReadMaster.bus   araddr arlen arvalid arready  rdata rresp rlast rvalid rready   --+
//!                                                                                     +--> m_axi: AxiMaster
//!  PixelOutput.bus  awaddr awlen awvalid awready  wdata wlast wvalid wready  bresp bvalid bready --+
//!  the top's kernel  *id 0, *size 2, *burst 1, *lock 0, *cache 3, *prot 0, *qos 0, wstrb 15 -------+
//! ```
//!
//! Source of the channels and their rules: AMBA AXI and ACE protocol specification, AXI4, AXI4-Lite and AXI4-Stream.

use rust_hdl_core::prelude::*;

/// OKAY on a B or R channel.
pub const RESPONSE_OKAY: u64 = 0;
/// SLVERR on a B or R channel.
pub const RESPONSE_SLAVE_ERROR: u64 = 2;
/// DECERR on a B or R channel.
pub const RESPONSE_DECODE_ERROR: u64 = 3;

/// AXI4-Lite slave: 32-bit data, 8-bit byte address. Protection bits are not used, so the pins are left out.
#[derive(LogicInterface, Default)]
pub struct AxiLiteSlave {
    /// Byte offset to write; bits 1:0 are ignored.
    pub awaddr: Signal<In, Bits<8>>,
    /// A write address is offered.
    pub awvalid: Signal<In, Bit>,
    /// The write address is taken.
    pub awready: Signal<Out, Bit>,
    /// Word to write.
    pub wdata: Signal<In, Bits<32>>,
    /// The bytes of `wdata` that count.
    pub wstrb: Signal<In, Bits<4>>,
    /// Write data is offered.
    pub wvalid: Signal<In, Bit>,
    /// The write data is taken.
    pub wready: Signal<Out, Bit>,
    /// OKAY or SLVERR.
    pub bresp: Signal<Out, Bits<2>>,
    /// A write response is offered.
    pub bvalid: Signal<Out, Bit>,
    /// The write response is taken.
    pub bready: Signal<In, Bit>,
    /// Byte offset to read; bits 1:0 are ignored.
    pub araddr: Signal<In, Bits<8>>,
    /// A read address is offered.
    pub arvalid: Signal<In, Bit>,
    /// The read address is taken.
    pub arready: Signal<Out, Bit>,
    /// Word read, 0 with SLVERR.
    pub rdata: Signal<Out, Bits<32>>,
    /// OKAY or SLVERR.
    pub rresp: Signal<Out, Bits<2>>,
    /// A read response is offered.
    pub rvalid: Signal<Out, Bit>,
    /// The read response is taken.
    pub rready: Signal<In, Bit>,
}

/// The read half of an AXI4 master, 32-bit address and data: what a block drives and sees.
#[derive(LogicInterface, Default)]
pub struct AxiReadMaster {
    /// Byte address of the burst's first word, a multiple of 4.
    pub araddr: Signal<Out, Bits<32>>,
    /// Beats in the burst, less one: 0 to 15.
    pub arlen: Signal<Out, Bits<8>>,
    /// A burst is asked for.
    pub arvalid: Signal<Out, Bit>,
    /// The burst is accepted.
    pub arready: Signal<In, Bit>,
    /// Word read.
    pub rdata: Signal<In, Bits<32>>,
    /// Response of this beat.
    pub rresp: Signal<In, Bits<2>>,
    /// Last beat of the burst.
    pub rlast: Signal<In, Bit>,
    /// A beat is offered.
    pub rvalid: Signal<In, Bit>,
    /// The beat is taken.
    pub rready: Signal<Out, Bit>,
}

/// The write half of an AXI4 master, 32-bit address and data: what a block drives and sees. All strobes are set always.
#[derive(LogicInterface, Default)]
pub struct AxiWriteMaster {
    /// Byte address of the burst's first word, a multiple of 4.
    pub awaddr: Signal<Out, Bits<32>>,
    /// Beats in the burst, less one: 0 to 15.
    pub awlen: Signal<Out, Bits<8>>,
    /// A burst is announced.
    pub awvalid: Signal<Out, Bit>,
    /// The burst is accepted.
    pub awready: Signal<In, Bit>,
    /// Word to write.
    pub wdata: Signal<Out, Bits<32>>,
    /// Last beat of the burst.
    pub wlast: Signal<Out, Bit>,
    /// A beat is offered.
    pub wvalid: Signal<Out, Bit>,
    /// The beat is taken.
    pub wready: Signal<In, Bit>,
    /// Response of a burst.
    pub bresp: Signal<In, Bits<2>>,
    /// A response is offered.
    pub bvalid: Signal<In, Bit>,
    /// The response is taken.
    pub bready: Signal<Out, Bit>,
}

/// Every pin of an AXI4 master, for the top. The constant ones are driven by the top's kernel.
#[derive(LogicInterface, Default)]
pub struct AxiMaster {
    /// 0.
    pub awid: Signal<Out, Bits<1>>,
    /// As in [`AxiWriteMaster`].
    pub awaddr: Signal<Out, Bits<32>>,
    /// As in [`AxiWriteMaster`].
    pub awlen: Signal<Out, Bits<8>>,
    /// 2: four bytes a beat.
    pub awsize: Signal<Out, Bits<3>>,
    /// 1: incrementing.
    pub awburst: Signal<Out, Bits<2>>,
    /// 0: no exclusive access.
    pub awlock: Signal<Out, Bit>,
    /// 3: bufferable, modifiable.
    pub awcache: Signal<Out, Bits<4>>,
    /// 0: data, secure, unprivileged.
    pub awprot: Signal<Out, Bits<3>>,
    /// 0.
    pub awqos: Signal<Out, Bits<4>>,
    /// As in [`AxiWriteMaster`].
    pub awvalid: Signal<Out, Bit>,
    /// As in [`AxiWriteMaster`].
    pub awready: Signal<In, Bit>,
    /// As in [`AxiWriteMaster`].
    pub wdata: Signal<Out, Bits<32>>,
    /// 15: every byte counts.
    pub wstrb: Signal<Out, Bits<4>>,
    /// As in [`AxiWriteMaster`].
    pub wlast: Signal<Out, Bit>,
    /// As in [`AxiWriteMaster`].
    pub wvalid: Signal<Out, Bit>,
    /// As in [`AxiWriteMaster`].
    pub wready: Signal<In, Bit>,
    /// Not looked at: there is one ID.
    pub bid: Signal<In, Bits<1>>,
    /// As in [`AxiWriteMaster`].
    pub bresp: Signal<In, Bits<2>>,
    /// As in [`AxiWriteMaster`].
    pub bvalid: Signal<In, Bit>,
    /// As in [`AxiWriteMaster`].
    pub bready: Signal<Out, Bit>,
    /// 0.
    pub arid: Signal<Out, Bits<1>>,
    /// As in [`AxiReadMaster`].
    pub araddr: Signal<Out, Bits<32>>,
    /// As in [`AxiReadMaster`].
    pub arlen: Signal<Out, Bits<8>>,
    /// 2: four bytes a beat.
    pub arsize: Signal<Out, Bits<3>>,
    /// 1: incrementing.
    pub arburst: Signal<Out, Bits<2>>,
    /// 0: no exclusive access.
    pub arlock: Signal<Out, Bit>,
    /// 3: bufferable, modifiable.
    pub arcache: Signal<Out, Bits<4>>,
    /// 0: data, secure, unprivileged.
    pub arprot: Signal<Out, Bits<3>>,
    /// 0.
    pub arqos: Signal<Out, Bits<4>>,
    /// As in [`AxiReadMaster`].
    pub arvalid: Signal<Out, Bit>,
    /// As in [`AxiReadMaster`].
    pub arready: Signal<In, Bit>,
    /// Not looked at: there is one ID.
    pub rid: Signal<In, Bits<1>>,
    /// As in [`AxiReadMaster`].
    pub rdata: Signal<In, Bits<32>>,
    /// As in [`AxiReadMaster`].
    pub rresp: Signal<In, Bits<2>>,
    /// As in [`AxiReadMaster`].
    pub rlast: Signal<In, Bit>,
    /// As in [`AxiReadMaster`].
    pub rvalid: Signal<In, Bit>,
    /// As in [`AxiReadMaster`].
    pub rready: Signal<Out, Bit>,
}

/// AXI4-Stream video, one pixel a beat. The order of the colours in `tdata` is that of [`super::video`].
#[derive(LogicInterface, Default)]
pub struct VideoMaster {
    /// One pixel.
    pub tdata: Signal<Out, Bits<24>>,
    /// Start of frame: the picture's first pixel.
    pub tuser: Signal<Out, Bit>,
    /// End of line: a row's last pixel.
    pub tlast: Signal<Out, Bit>,
    /// A pixel is offered.
    pub tvalid: Signal<Out, Bit>,
    /// The pixel is taken.
    pub tready: Signal<In, Bit>,
}
