//! The core's registers behind wires and a trigger: an AXI4-Lite master that makes one access at a time.
//!
//! ```text
//!  write, read, offset, data -> +--------------+ <-> AXI4-Lite
//!     busy, value, response  <- | RegisterPort |
//!                               +--------------+
//! ```
//!
//! `write` and `read` are pulses, ignored while busy; `write` wins. `offset` and `data` hold until `busy` falls, as wires do.
//! `busy` rises in the clock after the pulse and falls in the clock after the response; `value` and `response` then stand.

use rayman_derive::GatedBlock;
use rayman_rtl::gate::Gate;
use rayman_rtl::mem::Flop;
use rust_hdl_core::prelude::*;
use rust_hdl_widgets::dff_setup;

/// See the module.
#[derive(GatedBlock, Default)]
pub struct RegisterPort {
    /// The one clock.
    pub clock: Signal<In, Clock>,
    /// Synchronous reset, active low.
    pub reset_n: Signal<In, Bit>,
    /// Pulse: write `data` to the register at `offset`.
    pub write: Signal<In, Bit>,
    /// Pulse: read the register at `offset`.
    pub read: Signal<In, Bit>,
    /// Byte offset.
    pub offset: Signal<In, Bits<8>>,
    /// What to write.
    pub data: Signal<In, Bits<32>>,
    /// An access is under way.
    pub busy: Signal<Out, Bit>,
    /// What was read last.
    pub value: Signal<Out, Bits<32>>,
    /// Response to the last access: OKAY 0, SLVERR 2, DECERR 3.
    pub response: Signal<Out, Bits<2>>,

    /// Byte offset.
    pub awaddr: Signal<Out, Bits<8>>,
    /// A write address is offered.
    pub awvalid: Signal<Out, Bit>,
    /// It is taken.
    pub awready: Signal<In, Bit>,
    /// Word to write.
    pub wdata: Signal<Out, Bits<32>>,
    /// 15: every byte counts.
    pub wstrb: Signal<Out, Bits<4>>,
    /// A word is offered.
    pub wvalid: Signal<Out, Bit>,
    /// It is taken.
    pub wready: Signal<In, Bit>,
    /// Response to a write.
    pub bresp: Signal<In, Bits<2>>,
    /// A response is offered.
    pub bvalid: Signal<In, Bit>,
    /// It is taken.
    pub bready: Signal<Out, Bit>,
    /// Byte offset.
    pub araddr: Signal<Out, Bits<8>>,
    /// A read address is offered.
    pub arvalid: Signal<Out, Bit>,
    /// It is taken.
    pub arready: Signal<In, Bit>,
    /// Word read.
    pub rdata: Signal<In, Bits<32>>,
    /// Response to a read.
    pub rresp: Signal<In, Bits<2>>,
    /// A word is offered.
    pub rvalid: Signal<In, Bit>,
    /// It is taken.
    pub rready: Signal<Out, Bit>,

    address_waits: Flop<Bit>,
    data_waits: Flop<Bit>,
    write_pending: Flop<Bit>,
    read_waits: Flop<Bit>,
    read_pending: Flop<Bit>,
    last_value: Flop<Bits<32>>,
    last_response: Flop<Bits<2>>,
    active: Signal<Local, Bit>,
    _gate: Gate,
}

impl Logic for RegisterPort {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, address_waits, data_waits, write_pending, read_waits, read_pending);
        dff_setup!(self, clock, last_value, last_response);
        self.active.next = self.write_pending.q.val() | self.read_pending.q.val();
        self.busy.next = self.active.val();
        self.value.next = self.last_value.q.val();
        self.response.next = self.last_response.q.val();

        if !self.active.val() {
            if self.write.val() {
                self.address_waits.d.next = true;
                self.data_waits.d.next = true;
                self.write_pending.d.next = true;
            } else if self.read.val() {
                self.read_waits.d.next = true;
                self.read_pending.d.next = true;
            }
        }

        self.awaddr.next = self.offset.val();
        self.awvalid.next = self.address_waits.q.val();
        if self.address_waits.q.val() & self.awready.val() {
            self.address_waits.d.next = false;
        }
        self.wdata.next = self.data.val();
        self.wstrb.next = 15.into();
        self.wvalid.next = self.data_waits.q.val();
        if self.data_waits.q.val() & self.wready.val() {
            self.data_waits.d.next = false;
        }
        self.bready.next = self.write_pending.q.val();
        if self.write_pending.q.val() & self.bvalid.val() {
            self.write_pending.d.next = false;
            self.last_response.d.next = self.bresp.val();
        }

        self.araddr.next = self.offset.val();
        self.arvalid.next = self.read_waits.q.val();
        if self.read_waits.q.val() & self.arready.val() {
            self.read_waits.d.next = false;
        }
        self.rready.next = self.read_pending.q.val();
        if self.read_pending.q.val() & self.rvalid.val() {
            self.read_pending.d.next = false;
            self.last_value.d.next = self.rdata.val();
            self.last_response.d.next = self.rresp.val();
        }

        if !self.reset_n.val() {
            self.address_waits.d.next = false;
            self.data_waits.d.next = false;
            self.write_pending.d.next = false;
            self.read_waits.d.next = false;
            self.read_pending.d.next = false;
            self.last_value.d.next = 0.into();
            self.last_response.d.next = 0.into();
        }
    }
}
