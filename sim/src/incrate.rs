//! The core as rust-hdl simulates it, stepped clock by clock.
//!
//! A clock of a block is three things: the clock pin low, the inputs settled, the clock pin high. In one pass over the block
//! a value goes down through all gated levels (`rayman_derive::GatedBlock`), and through one level of any other block; what
//! a flip-flop drives is seen a pass later. So the high level travels ahead of all that it changes and needs no rest of its own: one
//! pass later the low level may follow, together with the next inputs, and one settling serves them all.
//!
//! ```text
//!  pass           0       1                             2 ...             rest
//!  pin          high    low + next inputs                                 outputs are sampled
//!  gated levels high    low, what flip-flops changed
//!  others               high                            low, what flip-flops changed
//! ```

use crate::pins::{PinError, PinLevel, PinsIn, PinsOut};
use rayman_rtl::step::settle;
use rust_hdl_core::prelude::{Block, Clock};

/// A block with the core's pins.
pub trait CorePins: Block {
    /// Puts a level on the clock pin.
    fn set_clock(&mut self, level: Clock);
    /// Puts values on the inputs.
    fn set_pins(&mut self, pins: &PinsIn);
    /// Takes the values of the outputs.
    fn pins(&self) -> PinsOut;
}

/// Implements [`CorePins`] for a block whose fields are named as ARCHITECTURE.md names the pins: `aclk`, `aresetn`,
/// `irq`, and the bundles `s_axi`, `m_axi`, `m_axis_video`. Its generics, if any, come first: `[const N: usize] Block<N>`.
#[macro_export]
macro_rules! core_pins {
    ([$($generics:tt)*] $block:ty) => {
        impl<$($generics)*> $crate::incrate::CorePins for $block {
            fn set_clock(&mut self, level: rust_hdl_core::prelude::Clock) {
                self.aclk.next = level;
            }

            fn set_pins(&mut self, pins: &$crate::pins::PinsIn) {
                self.aresetn.next = pins.aresetn;
                self.s_axi.awaddr.next = u64::from(pins.s_axi_awaddr).into();
                self.s_axi.awvalid.next = pins.s_axi_awvalid;
                self.s_axi.wdata.next = u64::from(pins.s_axi_wdata).into();
                self.s_axi.wstrb.next = u64::from(pins.s_axi_wstrb).into();
                self.s_axi.wvalid.next = pins.s_axi_wvalid;
                self.s_axi.bready.next = pins.s_axi_bready;
                self.s_axi.araddr.next = u64::from(pins.s_axi_araddr).into();
                self.s_axi.arvalid.next = pins.s_axi_arvalid;
                self.s_axi.rready.next = pins.s_axi_rready;
                self.m_axi.awready.next = pins.m_axi_awready;
                self.m_axi.wready.next = pins.m_axi_wready;
                self.m_axi.bid.next = u64::from(pins.m_axi_bid).into();
                self.m_axi.bresp.next = u64::from(pins.m_axi_bresp).into();
                self.m_axi.bvalid.next = pins.m_axi_bvalid;
                self.m_axi.arready.next = pins.m_axi_arready;
                self.m_axi.rid.next = u64::from(pins.m_axi_rid).into();
                self.m_axi.rdata.next = u64::from(pins.m_axi_rdata).into();
                self.m_axi.rresp.next = u64::from(pins.m_axi_rresp).into();
                self.m_axi.rlast.next = pins.m_axi_rlast;
                self.m_axi.rvalid.next = pins.m_axi_rvalid;
                self.m_axis_video.tready.next = pins.m_axis_video_tready;
            }

            fn pins(&self) -> $crate::pins::PinsOut {
                let (s_axi, m_axi, video) = (&self.s_axi, &self.m_axi, &self.m_axis_video);
                $crate::pins::PinsOut {
                    irq: self.irq.val(),
                    s_axi_awready: s_axi.awready.val(),
                    s_axi_wready: s_axi.wready.val(),
                    s_axi_bresp: s_axi.bresp.val().to_u8(),
                    s_axi_bvalid: s_axi.bvalid.val(),
                    s_axi_arready: s_axi.arready.val(),
                    s_axi_rdata: s_axi.rdata.val().to_u32(),
                    s_axi_rresp: s_axi.rresp.val().to_u8(),
                    s_axi_rvalid: s_axi.rvalid.val(),
                    m_axi_aw: $crate::pins::AddressPins {
                        id: m_axi.awid.val().to_u8(),
                        addr: m_axi.awaddr.val().to_u32(),
                        len: m_axi.awlen.val().to_u8(),
                        size: m_axi.awsize.val().to_u8(),
                        burst: m_axi.awburst.val().to_u8(),
                        lock: m_axi.awlock.val(),
                        cache: m_axi.awcache.val().to_u8(),
                        prot: m_axi.awprot.val().to_u8(),
                        qos: m_axi.awqos.val().to_u8(),
                    },
                    m_axi_awvalid: m_axi.awvalid.val(),
                    m_axi_wdata: m_axi.wdata.val().to_u32(),
                    m_axi_wstrb: m_axi.wstrb.val().to_u8(),
                    m_axi_wlast: m_axi.wlast.val(),
                    m_axi_wvalid: m_axi.wvalid.val(),
                    m_axi_bready: m_axi.bready.val(),
                    m_axi_ar: $crate::pins::AddressPins {
                        id: m_axi.arid.val().to_u8(),
                        addr: m_axi.araddr.val().to_u32(),
                        len: m_axi.arlen.val().to_u8(),
                        size: m_axi.arsize.val().to_u8(),
                        burst: m_axi.arburst.val().to_u8(),
                        lock: m_axi.arlock.val(),
                        cache: m_axi.arcache.val().to_u8(),
                        prot: m_axi.arprot.val().to_u8(),
                        qos: m_axi.arqos.val().to_u8(),
                    },
                    m_axi_arvalid: m_axi.arvalid.val(),
                    m_axi_rready: m_axi.rready.val(),
                    m_axis_video_tdata: video.tdata.val().to_u32(),
                    m_axis_video_tuser: video.tuser.val(),
                    m_axis_video_tlast: video.tlast.val(),
                    m_axis_video_tvalid: video.tvalid.val(),
                }
            }
        }
    };
    ($block:ty) => {
        $crate::core_pins!([] $block);
    };
}

/// A block with the core's pins, stepped.
pub struct InCrate<B> {
    block: B,
    last: PinsIn,
    passes: u64,
    clocks: u64,
}

impl<B: CorePins> InCrate<B> {
    /// Takes a block that is connected already.
    pub fn new(block: B) -> Self {
        Self { block, last: PinsIn::default(), passes: 0, clocks: 0 }
    }

    /// Passes over the block and clocks so far: what a clock costs.
    pub fn effort(&self) -> (u64, u64) {
        (self.passes, self.clocks)
    }
}

impl<B: CorePins> PinLevel for InCrate<B> {
    fn name(&self) -> String {
        "in-crate RTL".to_owned()
    }

    fn clock(&mut self, inputs: &PinsIn) -> Result<PinsOut, PinError> {
        // The high wave of the clock before is under way, one level deep.
        self.block.set_clock(Clock { clk: false });
        if *inputs != self.last || self.clocks == 0 {
            self.block.set_pins(inputs);
            self.last = *inputs;
        }
        self.passes += u64::from(settle(&mut self.block)?) + 1;
        self.clocks += 1;
        let outputs = self.block.pins();
        self.block.set_clock(Clock { clk: true });
        self.block.update_all();
        Ok(outputs)
    }
}

core_pins!([const LANES: usize] rayman_rtl::top::Lanes<LANES>);
