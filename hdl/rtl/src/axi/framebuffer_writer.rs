//! Pixels to a framebuffer in memory, over AXI4.
//!
//! ```text
//!  pixel_valid, pixel, end_of_line ->  +-------------------+ -> awaddr, awlen, awvalid      <- awready
//!                     pixel_ready  <-  | FramebufferWriter | -> wdata, wlast, wvalid        <- wready
//!                                      +-------------------+ <- bresp, bvalid               -> bready
//!   start, stop, clear ->        idle, failed, stalled <-
//! ```
//!
//! ```text
//!  pixel -> address counter -> words (64, each with an end-of-burst mark) ----------> W
//!                          \-> closed bursts (8: first word, length) -> AW register -> AW
//!                                                                   \-> unanswered (8) <- B
//! ```
//!
//! - Pixel (x, y) goes to `base_address + y * stride + 4 * x`, as the word 0x00RRGGBB. A burst closes with its 16th word,
//!   with its row, and with the last word of a 4 KiB page. It is announced only when closed: all its words are there.
//! - Latency from the closing pixel: AW and the first W beat three clocks later. A pixel in two clocks, for as long as the bus
//!   takes an address in 16 clocks and a beat a clock, and answers within 8 bursts.
//! - A write response with an error raises `failed`, with the address of the burst, until `clear`; no further burst is
//!   announced.
//! - `stop`, a level: no further burst is announced, and words of bursts not announced are dropped. Announced ones are
//!   completed; an error among them is then not reported. No pixel may be offered meanwhile.
//! - `idle`: nothing is buffered, and every burst is answered.
//!
//! Source: AMBA AXI4. Framebuffer layout *assumed* (DRM fourcc XR24).

use super::bundles::{AxiWriteMaster, RESPONSE_DECODE_ERROR, RESPONSE_OKAY};
use super::rest::{resting_block, Rest};
use crate::mem::{Fifo, Flop};
use rust_hdl_core::prelude::*;
use rust_hdl_widgets::dff_setup;

/// See the module's head. Inside, addresses are those of words: 30 bits.
pub struct FramebufferWriter {
    /// The one clock.
    pub clock: Signal<In, Clock>,
    /// Synchronous reset, active low.
    pub reset_n: Signal<In, Bit>,
    /// Pulse before the first pixel of a picture: back to its first row.
    pub start: Signal<In, Bit>,
    /// Byte address of the first row, a multiple of 4. Looked at with `start`.
    pub base_address: Signal<In, Bits<32>>,
    /// Bytes from row to row, a multiple of 4.
    pub stride: Signal<In, Bits<32>>,
    /// A pixel is offered.
    pub pixel_valid: Signal<In, Bit>,
    /// R in 23:16, G in 15:8, B in 7:0.
    pub pixel: Signal<In, Bits<24>>,
    /// It is its row's last.
    pub end_of_line: Signal<In, Bit>,
    /// The pixel is taken.
    pub pixel_ready: Signal<Out, Bit>,
    /// Announce nothing more.
    pub stop: Signal<In, Bit>,
    /// Nothing is buffered or unanswered.
    pub idle: Signal<Out, Bit>,
    /// Pulse: forget `failed`.
    pub clear: Signal<In, Bit>,
    /// A burst was answered with an error.
    pub failed: Signal<Out, Bit>,
    /// It was DECERR.
    pub failed_decode: Signal<Out, Bit>,
    /// Byte address of the burst.
    pub failed_address: Signal<Out, Bits<32>>,
    /// An address or a beat waits in this clock.
    pub stalled: Signal<Out, Bit>,
    /// The bus.
    pub bus: AxiWriteMaster,

    // Where the next pixel goes, where its row began, and the burst that it belongs to.
    row: Flop<Bits<30>>,
    word: Flop<Bits<30>>,
    burst: Flop<Bits<30>>,
    count: Flop<Bits<4>>,
    next_row: Signal<Local, Bits<30>>,
    next_word: Signal<Local, Bits<30>>,
    next_count: Signal<Local, Bits<4>>,
    first_word: Signal<Local, Bits<30>>,
    room: Signal<Local, Bit>,
    taken: Signal<Local, Bit>,
    // Where the next pixel goes is known to end a burst or not: a clock after that place was.
    settled: Flop<Bit>,
    ends_burst: Flop<Bit>,
    closes: Signal<Local, Bit>,
    close_mark: Signal<Local, Bits<25>>,
    words: Fifo<Bits<25>, 6>,
    // Closed bursts: first word, and beats less one.
    addresses: Fifo<Bits<30>, 3>,
    lengths: Fifo<Bits<4>, 3>,
    // The burst being announced.
    load: Signal<Local, Bit>,
    address_valid: Flop<Bit>,
    address_word: Flop<Bits<30>>,
    address_length: Flop<Bits<4>>,
    // Announced bursts whose beats are not all sent; those not yet answered.
    sending: Flop<Bits<4>>,
    sending_up: Signal<Local, Bits<4>>,
    sending_down: Signal<Local, Bits<4>>,
    sent: Signal<Local, Bit>,
    finished: Signal<Local, Bit>,
    unanswered: Fifo<Bits<30>, 3>,
    answered: Signal<Local, Bit>,
    failed_state: Flop<Bit>,
    failed_decode_state: Flop<Bit>,
    failed_address_state: Flop<Bits<32>>,
    // Bursts announced before a stop are still under way.
    draining: Flop<Bit>,
    flush: Signal<Local, Bit>,
    under_way: Signal<Local, Bit>,
    okay: Constant<Bits<2>>,
    decode_error: Constant<Bits<2>>,
    rest: Rest,
}

impl Default for FramebufferWriter {
    fn default() -> Self {
        Self {
            clock: Default::default(),
            reset_n: Default::default(),
            start: Default::default(),
            base_address: Default::default(),
            stride: Default::default(),
            pixel_valid: Default::default(),
            pixel: Default::default(),
            end_of_line: Default::default(),
            pixel_ready: Default::default(),
            stop: Default::default(),
            idle: Default::default(),
            clear: Default::default(),
            failed: Default::default(),
            failed_decode: Default::default(),
            failed_address: Default::default(),
            stalled: Default::default(),
            bus: Default::default(),
            row: Default::default(),
            word: Default::default(),
            burst: Default::default(),
            count: Default::default(),
            next_row: Default::default(),
            next_word: Default::default(),
            next_count: Default::default(),
            first_word: Default::default(),
            room: Default::default(),
            taken: Default::default(),
            settled: Default::default(),
            ends_burst: Default::default(),
            closes: Default::default(),
            close_mark: Default::default(),
            words: Default::default(),
            addresses: Default::default(),
            lengths: Default::default(),
            load: Default::default(),
            address_valid: Default::default(),
            address_word: Default::default(),
            address_length: Default::default(),
            sending: Default::default(),
            sending_up: Default::default(),
            sending_down: Default::default(),
            sent: Default::default(),
            finished: Default::default(),
            unanswered: Default::default(),
            answered: Default::default(),
            failed_state: Default::default(),
            failed_decode_state: Default::default(),
            failed_address_state: Default::default(),
            draining: Default::default(),
            flush: Default::default(),
            under_way: Default::default(),
            okay: Constant::new(RESPONSE_OKAY.into()),
            decode_error: Constant::new(RESPONSE_DECODE_ERROR.into()),
            rest: Default::default(),
        }
    }
}

resting_block!(FramebufferWriter {
    ports: [
        reset_n,
        start,
        base_address,
        stride,
        pixel_valid,
        pixel,
        end_of_line,
        pixel_ready,
        stop,
        idle,
        clear,
        failed,
        failed_decode,
        failed_address,
        stalled,
        bus,
    ],
    watched: [
        reset_n,
        start,
        base_address,
        stride,
        pixel_valid,
        pixel,
        end_of_line,
        stop,
        clear,
        bus.awready,
        bus.wready,
        bus.bresp,
        bus.bvalid,
    ],
    locals: [
        next_row,
        next_word,
        next_count,
        first_word,
        room,
        taken,
        closes,
        close_mark,
        load,
        sending_up,
        sending_down,
        sent,
        finished,
        answered,
        flush,
        under_way,
    ],
    parts: [
        row,
        word,
        burst,
        count,
        settled,
        ends_burst,
        words,
        addresses,
        lengths,
        address_valid,
        address_word,
        address_length,
        sending,
        unanswered,
        failed_state,
        failed_decode_state,
        failed_address_state,
        draining,
    ],
    constants: [okay, decode_error],
});

impl Logic for FramebufferWriter {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, row, word, burst, count, address_valid, address_word, address_length, sending);
        dff_setup!(self, clock, failed_state, failed_decode_state, failed_address_state, draining, settled, ends_burst);
        clock!(self, clock, words, addresses, lengths, unanswered);
        self.words.reset_n.next = self.reset_n.val();
        self.addresses.reset_n.next = self.reset_n.val();
        self.lengths.reset_n.next = self.reset_n.val();
        self.unanswered.reset_n.next = self.reset_n.val();
        self.flush.next = self.stop.val() | self.draining.q.val();

        // Pixels to words and bursts.
        self.room.next =
            self.settled.q.val() & !self.words.full.val() & !self.addresses.full.val() & !self.draining.q.val();
        self.pixel_ready.next = self.room.val();
        self.taken.next = self.pixel_valid.val() & self.room.val();
        self.settled.d.next = !self.taken.val() & !self.start.val() & !self.flush.val();
        self.ends_burst.d.next = (self.count.q.val() == 15) | (self.word.q.val().get_bits::<10>(0) == 1023);
        self.closes.next = self.end_of_line.val() | self.ends_burst.q.val();
        self.next_row.next = self.row.q.val() + self.stride.val().get_bits::<30>(2);
        self.next_word.next = self.word.q.val() + 1;
        self.next_count.next = self.count.q.val() + 1;
        self.first_word.next = self.burst.q.val();
        if self.count.q.val() == 0 {
            self.first_word.next = self.word.q.val();
        }
        if self.taken.val() {
            self.burst.d.next = self.first_word.val();
            self.count.d.next = self.next_count.val();
            self.word.d.next = self.next_word.val();
            if self.end_of_line.val() {
                self.row.d.next = self.next_row.val();
                self.word.d.next = self.next_row.val();
            }
            if self.closes.val() {
                self.count.d.next = 0.into();
            }
        }
        self.close_mark.next = 0.into();
        if self.closes.val() {
            self.close_mark.next = 0x100_0000.into();
        }
        self.words.push.next = self.taken.val();
        self.words.push_data.next = bit_cast::<25, 24>(self.pixel.val()) | self.close_mark.val();
        self.addresses.push.next = self.taken.val() & self.closes.val();
        self.addresses.push_data.next = self.first_word.val();
        self.lengths.push.next = self.taken.val() & self.closes.val();
        self.lengths.push_data.next = self.count.q.val();
        if self.start.val() {
            self.row.d.next = self.base_address.val().get_bits::<30>(2);
            self.word.d.next = self.base_address.val().get_bits::<30>(2);
            self.count.d.next = 0.into();
        }
        if self.flush.val() {
            self.count.d.next = 0.into();
        }

        // Addresses. A slave that answers before it has the data must not make `sending` overflow.
        self.load.next = !self.addresses.empty.val()
            & !self.flush.val()
            & !self.failed_state.q.val()
            & !self.unanswered.full.val()
            & !self.sending.q.val().get_bit(3)
            & (!self.address_valid.q.val() | self.bus.awready.val());
        if self.bus.awready.val() {
            self.address_valid.d.next = false;
        }
        if self.load.val() {
            self.address_valid.d.next = true;
            self.address_word.d.next = self.addresses.front.val();
            self.address_length.d.next = self.lengths.front.val();
        }
        self.addresses.pop.next = self.load.val();
        self.addresses.clear.next = self.flush.val();
        self.lengths.pop.next = self.load.val();
        self.lengths.clear.next = self.flush.val();
        self.bus.awvalid.next = self.address_valid.q.val();
        self.bus.awaddr.next = bit_cast::<32, 30>(self.address_word.q.val()) << 2;
        self.bus.awlen.next = bit_cast::<8, 4>(self.address_length.q.val());

        // Beats of announced bursts, whose words are the oldest of the queue.
        self.bus.wvalid.next = self.sending.q.val().any();
        self.bus.wdata.next = bit_cast::<32, 24>(self.words.front.val().get_bits::<24>(0));
        self.bus.wlast.next = self.words.front.val().get_bit(24);
        self.sent.next = self.sending.q.val().any() & self.bus.wready.val();
        self.finished.next = self.sent.val() & self.words.front.val().get_bit(24);
        self.words.pop.next = self.sent.val();
        self.words.clear.next = self.flush.val() & !self.sending.q.val().any();
        self.sending_up.next = self.sending.q.val() + 1;
        self.sending_down.next = self.sending.q.val() - 1;
        if self.load.val() & !self.finished.val() {
            self.sending.d.next = self.sending_up.val();
        }
        if self.finished.val() & !self.load.val() {
            self.sending.d.next = self.sending_down.val();
        }
        self.stalled.next = (self.address_valid.q.val() & !self.bus.awready.val())
            | (self.sending.q.val().any() & !self.bus.wready.val());

        // Responses.
        self.bus.bready.next = !self.unanswered.empty.val();
        self.answered.next = self.bus.bvalid.val() & !self.unanswered.empty.val();
        self.unanswered.push.next = self.load.val();
        self.unanswered.push_data.next = self.addresses.front.val();
        self.unanswered.pop.next = self.answered.val();
        self.unanswered.clear.next = false;
        if self.answered.val()
            & (self.bus.bresp.val() != self.okay.val())
            & !self.flush.val()
            & !self.failed_state.q.val()
        {
            self.failed_state.d.next = true;
            self.failed_decode_state.d.next = self.bus.bresp.val() == self.decode_error.val();
            self.failed_address_state.d.next = bit_cast::<32, 30>(self.unanswered.front.val()) << 2;
        }
        if self.clear.val() {
            self.failed_state.d.next = false;
        }
        self.failed.next = self.failed_state.q.val();
        self.failed_decode.next = self.failed_decode_state.q.val();
        self.failed_address.next = self.failed_address_state.q.val();

        // A burst is unanswered from its announcement on.
        self.under_way.next = self.sending.q.val().any() | !self.unanswered.empty.val();
        self.draining.d.next = self.flush.val() & self.under_way.val();
        self.idle.next = !self.under_way.val() & self.words.empty.val();

        if !self.reset_n.val() {
            self.row.d.next = 0.into();
            self.word.d.next = 0.into();
            self.burst.d.next = 0.into();
            self.count.d.next = 0.into();
            self.address_valid.d.next = false;
            self.address_word.d.next = 0.into();
            self.address_length.d.next = 0.into();
            self.sending.d.next = 0.into();
            self.failed_state.d.next = false;
            self.failed_decode_state.d.next = false;
            self.failed_address_state.d.next = 0.into();
            self.draining.d.next = false;
            self.settled.d.next = false;
            self.ends_burst.d.next = false;
        }
    }
}
