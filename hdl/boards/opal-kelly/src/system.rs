//! The core with all that surrounds it on an Opal Kelly board, behind the board's FrontPanel endpoints.
//!
//! ```text
//!  wires, trigger -> +--------------+ s_axi  +------+ m_axi  +-------------+ <- pipes in
//!  wires         <-  | RegisterPort | -----> | core | -----> | BlockMemory | -> pipes out
//!                    +--------------+        +------+        +-------------+
//! ```
//!
//! One clock, that of the host interface (48 MHz on boards with USB 2). The endpoints are those of `rayman_abi::opal_kelly`. The
//! core is in reset, and all else with it, until CONTROL says RUN; the memory keeps its contents. Nobody takes the pixel stream:
//! its ready is high, the framebuffer has the picture.

use rayman_abi::opal_kelly::{MARK_VALUE, MEMORY};
use rayman_derive::GatedBlock;
use rayman_rtl::gate::Gate;
use rayman_rtl::mem::Flop;
use rayman_rtl::top::{Build, Core};
use rust_hdl_core::prelude::*;
use rust_hdl_widgets::dff_setup;

use crate::memory::BlockMemory;
use crate::register_port::RegisterPort;

/// Address bits of the memory, in words: 64 KiB.
pub const MEMORY_WORD_BITS: usize = 14;

/// See the module. The ports are named as the endpoints.
#[derive(GatedBlock)]
pub struct System {
    /// Clock of the host interface.
    pub clock: Signal<In, Clock>,
    /// Wire in CONTROL.
    pub control: Signal<In, Bits<16>>,
    /// Wire in OFFSET.
    pub offset: Signal<In, Bits<16>>,
    /// Wire in DATA, low half.
    pub data_low: Signal<In, Bits<16>>,
    /// High half.
    pub data_high: Signal<In, Bits<16>>,
    /// Wire in ADDRESS, low half.
    pub address_low: Signal<In, Bits<16>>,
    /// High half.
    pub address_high: Signal<In, Bits<16>>,
    /// Trigger in.
    pub trigger: Signal<In, Bits<16>>,
    /// Wire out STATUS.
    pub status: Signal<Out, Bits<16>>,
    /// Wire out VALUE, low half.
    pub value_low: Signal<Out, Bits<16>>,
    /// High half.
    pub value_high: Signal<Out, Bits<16>>,
    /// Wire out MEMORY_BITS.
    pub memory_bits: Signal<Out, Bits<16>>,
    /// Pipe in MEMORY_IN: half a word comes.
    pub pipe_in_write: Signal<In, Bit>,
    /// Which.
    pub pipe_in_data: Signal<In, Bits<16>>,
    /// Pipe out MEMORY_OUT: half a word is asked for.
    pub pipe_out_read: Signal<In, Bit>,
    /// It, a clock later.
    pub pipe_out_data: Signal<Out, Bits<16>>,
    /// The interrupt.
    pub irq: Signal<Out, Bit>,

    reset_n: Flop<Bit>,
    port: RegisterPort,
    core: Core,
    memory: BlockMemory<MEMORY_WORD_BITS>,
    word: Signal<Local, Bits<32>>,
    address: Signal<Local, Bits<32>>,
    mark: Constant<Bits<16>>,
    size: Constant<Bits<16>>,
    _gate: Gate,
}

impl System {
    /// The system with a core of one lane, connected and ready to be simulated or emitted.
    pub fn new() -> Self {
        let mut system = Self {
            clock: Default::default(),
            control: Default::default(),
            offset: Default::default(),
            data_low: Default::default(),
            data_high: Default::default(),
            address_low: Default::default(),
            address_high: Default::default(),
            trigger: Default::default(),
            status: Default::default(),
            value_low: Default::default(),
            value_high: Default::default(),
            memory_bits: Default::default(),
            pipe_in_write: Default::default(),
            pipe_in_data: Default::default(),
            pipe_out_read: Default::default(),
            pipe_out_data: Default::default(),
            irq: Default::default(),
            reset_n: Default::default(),
            port: Default::default(),
            core: Core::new(Build::of_lanes(1)),
            memory: BlockMemory::new(MEMORY),
            word: Default::default(),
            address: Default::default(),
            mark: Constant::new(u64::from(MARK_VALUE).into()),
            size: Constant::new((MEMORY_WORD_BITS as u64 + 2).into()),
            _gate: Default::default(),
        };
        system.connect_all();
        system
    }
}

impl Default for System {
    fn default() -> Self {
        Self::new()
    }
}

impl Logic for System {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, reset_n);
        self.port.clock.next = self.clock.val();
        self.core.aclk.next = self.clock.val();
        self.memory.clock.next = self.clock.val();
        self.reset_n.d.next = self.control.val().get_bit(0);
        self.port.reset_n.next = self.reset_n.q.val();
        self.core.aresetn.next = self.reset_n.q.val();
        self.memory.reset_n.next = self.reset_n.q.val();

        // Wires and the trigger. Their bits are those of `rayman_abi::opal_kelly`: a test compares.
        self.word.next = (bit_cast::<32, 16>(self.data_high.val()) << 16) | bit_cast::<32, 16>(self.data_low.val());
        self.address.next =
            (bit_cast::<32, 16>(self.address_high.val()) << 16) | bit_cast::<32, 16>(self.address_low.val());
        self.port.offset.next = self.offset.val().get_bits::<8>(0);
        self.port.data.next = self.word.val();
        self.port.write.next = self.trigger.val().get_bit(0);
        self.port.read.next = self.trigger.val().get_bit(1);
        self.memory.seek.next = self.trigger.val().get_bit(2);
        self.memory.seek_address.next = self.address.val();
        self.status.next = (self.mark.val() << 8)
            | (bit_cast::<16, 1>(self.core.irq.val().into()) << 3)
            | (bit_cast::<16, 2>(self.port.response.val()) << 1)
            | bit_cast::<16, 1>(self.port.busy.val().into());
        self.value_low.next = self.port.value.val().get_bits::<16>(0);
        self.value_high.next = self.port.value.val().get_bits::<16>(16);
        self.memory_bits.next = self.size.val();
        self.irq.next = self.core.irq.val();

        // Pipes.
        self.memory.pipe_in_write.next = self.pipe_in_write.val();
        self.memory.pipe_in_data.next = self.pipe_in_data.val();
        self.memory.pipe_out_read.next = self.pipe_out_read.val();
        self.pipe_out_data.next = self.memory.pipe_out_data.val();

        // Registers.
        self.core.s_axi.awaddr.next = self.port.awaddr.val();
        self.core.s_axi.awvalid.next = self.port.awvalid.val();
        self.port.awready.next = self.core.s_axi.awready.val();
        self.core.s_axi.wdata.next = self.port.wdata.val();
        self.core.s_axi.wstrb.next = self.port.wstrb.val();
        self.core.s_axi.wvalid.next = self.port.wvalid.val();
        self.port.wready.next = self.core.s_axi.wready.val();
        self.port.bresp.next = self.core.s_axi.bresp.val();
        self.port.bvalid.next = self.core.s_axi.bvalid.val();
        self.core.s_axi.bready.next = self.port.bready.val();
        self.core.s_axi.araddr.next = self.port.araddr.val();
        self.core.s_axi.arvalid.next = self.port.arvalid.val();
        self.port.arready.next = self.core.s_axi.arready.val();
        self.port.rdata.next = self.core.s_axi.rdata.val();
        self.port.rresp.next = self.core.s_axi.rresp.val();
        self.port.rvalid.next = self.core.s_axi.rvalid.val();
        self.core.s_axi.rready.next = self.port.rready.val();

        // Memory.
        self.memory.araddr.next = self.core.m_axi.araddr.val();
        self.memory.arlen.next = self.core.m_axi.arlen.val();
        self.memory.arvalid.next = self.core.m_axi.arvalid.val();
        self.core.m_axi.arready.next = self.memory.arready.val();
        self.core.m_axi.rid.next = 0.into();
        self.core.m_axi.rdata.next = self.memory.rdata.val();
        self.core.m_axi.rresp.next = self.memory.rresp.val();
        self.core.m_axi.rlast.next = self.memory.rlast.val();
        self.core.m_axi.rvalid.next = self.memory.rvalid.val();
        self.memory.rready.next = self.core.m_axi.rready.val();
        self.memory.awaddr.next = self.core.m_axi.awaddr.val();
        self.memory.awvalid.next = self.core.m_axi.awvalid.val();
        self.core.m_axi.awready.next = self.memory.awready.val();
        self.memory.wdata.next = self.core.m_axi.wdata.val();
        self.memory.wlast.next = self.core.m_axi.wlast.val();
        self.memory.wvalid.next = self.core.m_axi.wvalid.val();
        self.core.m_axi.wready.next = self.memory.wready.val();
        self.core.m_axi.bid.next = 0.into();
        self.core.m_axi.bresp.next = self.memory.bresp.val();
        self.core.m_axi.bvalid.next = self.memory.bvalid.val();
        self.memory.bready.next = self.core.m_axi.bready.val();
        self.core.m_axis_video.tready.next = true;
    }
}
