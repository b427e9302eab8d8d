//! The host's view of the core: an AXI4-Lite slave with the registers of `rayman-abi`, the busy flag and the interrupt.
//!
//! ```text
//!             +---------------+ -> run, stop              pulses
//!  s_axi <->  |               | -> scene_address .. background, live
//!             | RegisterBlock | -> busy, irq
//!             |               | <- frame_end, frame_complete    pulses
//!             +---------------+ <- progress, error_*, counters  live
//! ```
//!
//! - Writes: address and data may come in either order, or together; each is held, then both are done in one clock. A
//!   write is done one clock after the later of the two was taken, and its response is offered a clock later. One write
//!   in two clocks.
//! - Reads: done one clock after the address was taken, the answer is offered a clock later. One read in two clocks.
//! - Reads and writes do not wait for each other. Responses stay until taken.
//! - `run` is high in the clock in which RUN is done while not busy; `busy` is high from the next. The response to that
//!   write is offered in that next clock at the earliest, so whoever has seen it reads BUSY.
//! - `frame_end` lowers `busy` and raises `irq`, which stays until CLEAR_IRQ; both in one clock leave it up.
//!
//! Source: AMBA AXI4-Lite; register behaviour as in `rayman-abi`; SLVERR for an offset without a register is *assumed*.

use super::bundles::{AxiLiteSlave, RESPONSE_OKAY, RESPONSE_SLAVE_ERROR};
use super::register_file::{BuildParameters, RegisterFile, COUNTER_WORDS};
use super::rest::{resting_block, Rest};
use crate::mem::Flop;
use rayman_abi::register::command;
use rust_hdl_core::prelude::*;
use rust_hdl_widgets::dff_setup;

/// See the module's head.
pub struct RegisterBlock {
    /// The one clock.
    pub clock: Signal<In, Clock>,
    /// Synchronous reset, active low.
    pub reset_n: Signal<In, Bit>,
    /// The bus.
    pub s_axi: AxiLiteSlave,
    /// Pulse: RUN was written while not busy. The registers below hold what the frame is to use.
    pub run: Signal<Out, Bit>,
    /// Pulse: STOP was written while busy.
    pub stop: Signal<Out, Bit>,
    /// Register of that name, as are the next four.
    pub scene_address: Signal<Out, Bits<32>>,
    /// See `rayman-abi`.
    pub framebuffer_address: Signal<Out, Bits<32>>,
    /// See `rayman-abi`.
    pub framebuffer_stride: Signal<Out, Bits<32>>,
    /// See `rayman-abi`.
    pub render_control: Signal<Out, Bits<32>>,
    /// See `rayman-abi`.
    pub background: Signal<Out, Bits<32>>,
    /// A frame is under way: from the clock after `run` through that of `frame_end`.
    pub busy: Signal<Out, Bit>,
    /// The interrupt.
    pub irq: Signal<Out, Bit>,
    /// Pulse: the frame is over, for whatever reason.
    pub frame_end: Signal<In, Bit>,
    /// High with `frame_end` if the frame is complete.
    pub frame_complete: Signal<In, Bit>,
    /// How far the frame is, 0 to 255.
    pub progress: Signal<In, Bits<8>>,
    /// What ended the last frame early.
    pub error_code: Signal<In, Bits<8>>,
    /// Where.
    pub error_address: Signal<In, Bits<32>>,
    /// The counters in the order of `rayman-abi`'s COUNTERS, low word then high word.
    pub counters: [Signal<In, Bits<32>>; COUNTER_WORDS],

    file: RegisterFile,
    // A write's address and data, each held until both are there.
    address_held: Flop<Bit>,
    address: Flop<Bits<8>>,
    data_held: Flop<Bit>,
    data: Flop<Bits<32>>,
    strobe: Flop<Bits<4>>,
    response_held: Flop<Bit>,
    response: Flop<Bits<2>>,
    write_now: Signal<Local, Bit>,
    // A read's address, held for a clock, and its answer, which the file holds.
    read_held: Flop<Bit>,
    read_address: Flop<Bits<8>>,
    answer_held: Flop<Bit>,
    // The file was asked in the clock before.
    asked: Flop<Bit>,
    read_now: Signal<Local, Bit>,
    busy_state: Flop<Bit>,
    irq_state: Flop<Bit>,
    frames: Flop<Bits<32>>,
    one_more_frame: Signal<Local, Bits<32>>,
    run_now: Signal<Local, Bit>,
    okay: Constant<Bits<2>>,
    slave_error: Constant<Bits<2>>,
    command_run: Constant<Bits<3>>,
    command_stop: Constant<Bits<3>>,
    command_clear: Constant<Bits<3>>,
    rest: Rest,
}

impl RegisterBlock {
    /// The registers of a build.
    pub fn new(build: BuildParameters) -> Self {
        Self {
            clock: Default::default(),
            reset_n: Default::default(),
            s_axi: Default::default(),
            run: Default::default(),
            stop: Default::default(),
            scene_address: Default::default(),
            framebuffer_address: Default::default(),
            framebuffer_stride: Default::default(),
            render_control: Default::default(),
            background: Default::default(),
            busy: Default::default(),
            irq: Default::default(),
            frame_end: Default::default(),
            frame_complete: Default::default(),
            progress: Default::default(),
            error_code: Default::default(),
            error_address: Default::default(),
            counters: std::array::from_fn(|_| Default::default()),
            file: RegisterFile::new(build),
            address_held: Default::default(),
            address: Default::default(),
            data_held: Default::default(),
            data: Default::default(),
            strobe: Default::default(),
            response_held: Default::default(),
            response: Default::default(),
            write_now: Default::default(),
            read_held: Default::default(),
            read_address: Default::default(),
            answer_held: Default::default(),
            asked: Default::default(),
            read_now: Default::default(),
            busy_state: Default::default(),
            irq_state: Default::default(),
            frames: Default::default(),
            one_more_frame: Default::default(),
            run_now: Default::default(),
            okay: Constant::new(RESPONSE_OKAY.into()),
            slave_error: Constant::new(RESPONSE_SLAVE_ERROR.into()),
            command_run: Constant::new(u64::from(command::RUN).into()),
            command_stop: Constant::new(u64::from(command::STOP).into()),
            command_clear: Constant::new(u64::from(command::CLEAR_IRQ).into()),
            rest: Default::default(),
        }
    }
}

// Progress, errors and counters are looked at by a read alone, at the earliest in the clock after it has woken the block.
resting_block!(RegisterBlock {
    ports: [
        reset_n,
        s_axi,
        run,
        stop,
        scene_address,
        framebuffer_address,
        framebuffer_stride,
        render_control,
        background,
        busy,
        irq,
        frame_end,
        frame_complete,
        progress,
        error_code,
        error_address,
        counters,
    ],
    watched: [
        reset_n,
        s_axi.awaddr,
        s_axi.awvalid,
        s_axi.wdata,
        s_axi.wstrb,
        s_axi.wvalid,
        s_axi.bready,
        s_axi.araddr,
        s_axi.arvalid,
        s_axi.rready,
        frame_end,
        frame_complete,
    ],
    locals: [write_now, read_now, one_more_frame, run_now,],
    parts: [
        file,
        address_held,
        address,
        data_held,
        data,
        strobe,
        response_held,
        response,
        read_held,
        read_address,
        answer_held,
        asked,
        busy_state,
        irq_state,
        frames,
    ],
    constants: [okay, slave_error, command_run, command_stop, command_clear],
});

impl Logic for RegisterBlock {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, address_held, address, data_held, data, strobe, response_held, response);
        dff_setup!(self, clock, read_held, read_address, answer_held, asked, busy_state, irq_state, frames);
        self.file.clock.next = self.clock.val();
        self.file.reset_n.next = self.reset_n.val();

        // Write: take address and data, do the write, offer the response.
        self.s_axi.awready.next = !self.address_held.q.val();
        self.s_axi.wready.next = !self.data_held.q.val();
        self.write_now.next = self.address_held.q.val() & self.data_held.q.val() & !self.response_held.q.val();
        if self.s_axi.awvalid.val() & !self.address_held.q.val() {
            self.address_held.d.next = true;
            self.address.d.next = self.s_axi.awaddr.val();
        }
        if self.s_axi.wvalid.val() & !self.data_held.q.val() {
            self.data_held.d.next = true;
            self.data.d.next = self.s_axi.wdata.val();
            self.strobe.d.next = self.s_axi.wstrb.val();
        }
        self.file.write.next = self.write_now.val();
        self.file.write_offset.next = self.address.q.val();
        self.file.write_data.next = self.data.q.val();
        self.file.write_strobe.next = self.strobe.q.val();
        if self.response_held.q.val() & self.s_axi.bready.val() {
            self.response_held.d.next = false;
        }
        if self.write_now.val() {
            self.address_held.d.next = false;
            self.data_held.d.next = false;
            self.response_held.d.next = true;
            self.response.d.next = self.slave_error.val();
            if self.file.write_mapped.val() {
                self.response.d.next = self.okay.val();
            }
        }
        self.s_axi.bvalid.next = self.response_held.q.val();
        self.s_axi.bresp.next = self.response.q.val();

        // Read: take the address, look the register up, offer what was found.
        self.s_axi.arready.next = !self.read_held.q.val();
        self.read_now.next = self.read_held.q.val() & !self.answer_held.q.val() & !self.asked.q.val();
        if self.s_axi.arvalid.val() & !self.read_held.q.val() {
            self.read_held.d.next = true;
            self.read_address.d.next = self.s_axi.araddr.val();
        }
        self.file.read.next = self.read_now.val();
        self.file.read_offset.next = self.read_address.q.val();
        if self.answer_held.q.val() & self.s_axi.rready.val() {
            self.answer_held.d.next = false;
        }
        self.asked.d.next = self.read_now.val();
        if self.asked.q.val() {
            self.read_held.d.next = false;
            self.answer_held.d.next = true;
        }
        self.s_axi.rvalid.next = self.answer_held.q.val();
        self.s_axi.rdata.next = self.file.read_data.val();
        self.s_axi.rresp.next = self.okay.val();
        if self.file.read_error.val() {
            self.s_axi.rresp.next = self.slave_error.val();
        }

        // Commands, the busy flag, the interrupt.
        self.run_now.next = (self.file.command.val() == self.command_run.val()) & !self.busy_state.q.val();
        self.run.next = self.run_now.val();
        self.stop.next = (self.file.command.val() == self.command_stop.val()) & self.busy_state.q.val();
        if self.run_now.val() {
            self.busy_state.d.next = true;
        }
        if self.file.command.val() == self.command_clear.val() {
            self.irq_state.d.next = false;
        }
        self.one_more_frame.next = self.frames.q.val() + 1;
        if self.frame_end.val() {
            self.busy_state.d.next = false;
            self.irq_state.d.next = true;
            if self.frame_complete.val() {
                self.frames.d.next = self.one_more_frame.val();
            }
        }
        self.busy.next = self.busy_state.q.val();
        self.irq.next = self.irq_state.q.val();

        // What the registers show, and what they hold.
        self.file.busy.next = self.busy_state.q.val();
        self.file.irq.next = self.irq_state.q.val();
        self.file.progress.next = self.progress.val();
        self.file.error_code.next = self.error_code.val();
        self.file.error_address.next = self.error_address.val();
        self.file.frame_count.next = self.frames.q.val();
        for i in 0..30 {
            self.file.counters[i].next = self.counters[i].val();
        }
        self.scene_address.next = self.file.scene_address.val();
        self.framebuffer_address.next = self.file.framebuffer_address.val();
        self.framebuffer_stride.next = self.file.framebuffer_stride.val();
        self.render_control.next = self.file.render_control.val();
        self.background.next = self.file.background.val();

        if !self.reset_n.val() {
            self.address_held.d.next = false;
            self.address.d.next = 0.into();
            self.data_held.d.next = false;
            self.data.d.next = 0.into();
            self.strobe.d.next = 0.into();
            self.response_held.d.next = false;
            self.response.d.next = 0.into();
            self.read_held.d.next = false;
            self.read_address.d.next = 0.into();
            self.answer_held.d.next = false;
            self.asked.d.next = false;
            self.busy_state.d.next = false;
            self.irq_state.d.next = false;
            self.frames.d.next = 0.into();
        }
    }
}
