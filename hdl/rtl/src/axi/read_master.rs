//! Reads runs of words from memory over AXI4.
//!
//! ```text
//!  request_valid, request_address, request_words ->  +------------+ -> araddr, arlen, arvalid
//!                                   request_ready <- |            | <- arready
//!                                                    | ReadMaster |
//!                                data, data_valid <- |            | <- rdata, rresp, rlast, rvalid
//!                                      data_ready -> +------------+ -> rready
//!                    stop, clear ->    idle, failed, stalled <-
//! ```
//!
//! - A request is split into INCR bursts of at most 16 beats, as long as can be, none over a 4 KiB boundary. At most four
//!   are under way, and each is asked for only when there is room for all its words, so `rready` never waits for the
//!   consumer. The next request may be taken one clock after the last burst of the one before was prepared: reads of
//!   successive requests overlap.
//! - Words come out in order. Latency: a burst is on the bus three clocks after its request was taken, the next one two
//!   clocks after it, and a word is on `data` one clock after its beat. A word a clock.
//! - A beat with an error is not delivered, nor is anything after it; no further burst is started. `failed` rises and
//!   stays until `clear`, with the address of the first such beat.
//! - `stop`, a level: no burst is started, the request is forgotten, buffered words are dropped, and so is what still
//!   arrives, good or bad: an error is then not reported. What was dropped stays so if `stop` falls early.
//! - `idle`: no burst is under way, and no word is buffered. `clear` may be given then.
//! - `stalled`: an address waits in this clock.
//!
//! Source: AMBA AXI4.

use super::bundles::{AxiReadMaster, RESPONSE_DECODE_ERROR, RESPONSE_OKAY};
use super::rest::{resting_block, Rest};
use crate::mem::{Fifo, Flop};
use rust_hdl_core::prelude::*;
use rust_hdl_widgets::dff_setup;

/// See the module's head. Inside, addresses are those of words: 30 bits.
pub struct ReadMaster {
    /// The one clock.
    pub clock: Signal<In, Clock>,
    /// Synchronous reset, active low.
    pub reset_n: Signal<In, Bit>,
    /// A request is offered.
    pub request_valid: Signal<In, Bit>,
    /// Byte address of its first word; bits 1:0 are taken as 0.
    pub request_address: Signal<In, Bits<32>>,
    /// Words to read, at least 1; the last at or below address 2^32 - 4.
    pub request_words: Signal<In, Bits<32>>,
    /// The request is taken.
    pub request_ready: Signal<Out, Bit>,
    /// A word is offered.
    pub data_valid: Signal<Out, Bit>,
    /// The word.
    pub data: Signal<Out, Bits<32>>,
    /// The word is taken.
    pub data_ready: Signal<In, Bit>,
    /// A beat came with an error.
    pub failed: Signal<Out, Bit>,
    /// It was DECERR.
    pub failed_decode: Signal<Out, Bit>,
    /// Byte address of the beat.
    pub failed_address: Signal<Out, Bits<32>>,
    /// Start nothing, drop everything.
    pub stop: Signal<In, Bit>,
    /// Nothing is under way or buffered.
    pub idle: Signal<Out, Bit>,
    /// Pulse: forget the request, buffered words and `failed`.
    pub clear: Signal<In, Bit>,
    /// An address waits in this clock.
    pub stalled: Signal<Out, Bit>,
    /// The bus.
    pub bus: AxiReadMaster,

    // The request: what of it is still to be asked for.
    active: Flop<Bit>,
    // Beats of the next burst, whether it is the request's last, and whether that is the burst of what stands in `next_word`
    // and `remaining`.
    burst: Flop<Bits<5>>,
    last_burst: Flop<Bit>,
    burst_known: Flop<Bit>,
    next_word: Flop<Bits<30>>,
    remaining: Flop<Bits<32>>,
    // The next burst: beats to the edge of the page, beats in all, and what it leaves.
    to_edge: Signal<Local, Bits<5>>,
    limit: Signal<Local, Bits<5>>,
    beats: Signal<Local, Bits<5>>,
    beats_less_one: Signal<Local, Bits<5>>,
    word_after: Signal<Local, Bits<30>>,
    left: Signal<Local, Bits<32>>,
    load: Signal<Local, Bit>,
    // The burst being asked for.
    address_valid: Flop<Bit>,
    address_word: Flop<Bits<30>>,
    address_length: Flop<Bits<4>>,
    // Bursts under way, and words that are buffered or will come.
    outstanding: Flop<Bits<3>>,
    outstanding_up: Signal<Local, Bits<3>>,
    outstanding_down: Signal<Local, Bits<3>>,
    // There is room for one more: as it was a clock ago, which is not before the last load.
    room: Flop<Bit>,
    reserved: Flop<Bits<7>>,
    reserved_up: Signal<Local, Bits<7>>,
    reserved_kept: Signal<Local, Bits<7>>,
    reserved_down: Signal<Local, Bits<7>>,
    // First words of the bursts under way, and the beat awaited of the oldest: for the address of a failure.
    bursts: Fifo<Bits<30>, 2>,
    beat: Flop<Bits<4>>,
    beat_up: Signal<Local, Bits<4>>,
    failed_word: Signal<Local, Bits<30>>,
    taken: Signal<Local, Bit>,
    finished: Signal<Local, Bit>,
    words: Fifo<Bits<32>, 6>,
    popped: Signal<Local, Bit>,
    failed_state: Flop<Bit>,
    failed_decode_state: Flop<Bit>,
    failed_address_state: Flop<Bits<32>>,
    // Bursts of a stopped request are still under way.
    draining: Flop<Bit>,
    flush: Signal<Local, Bit>,
    hold: Signal<Local, Bit>,
    okay: Constant<Bits<2>>,
    decode_error: Constant<Bits<2>>,
    rest: Rest,
}

impl Default for ReadMaster {
    fn default() -> Self {
        Self {
            clock: Default::default(),
            reset_n: Default::default(),
            request_valid: Default::default(),
            request_address: Default::default(),
            request_words: Default::default(),
            request_ready: Default::default(),
            data_valid: Default::default(),
            data: Default::default(),
            data_ready: Default::default(),
            failed: Default::default(),
            failed_decode: Default::default(),
            failed_address: Default::default(),
            stop: Default::default(),
            idle: Default::default(),
            clear: Default::default(),
            stalled: Default::default(),
            bus: Default::default(),
            active: Default::default(),
            burst: Default::default(),
            last_burst: Default::default(),
            burst_known: Default::default(),
            next_word: Default::default(),
            remaining: Default::default(),
            to_edge: Default::default(),
            limit: Default::default(),
            beats: Default::default(),
            beats_less_one: Default::default(),
            word_after: Default::default(),
            left: Default::default(),
            load: Default::default(),
            address_valid: Default::default(),
            address_word: Default::default(),
            address_length: Default::default(),
            outstanding: Default::default(),
            outstanding_up: Default::default(),
            outstanding_down: Default::default(),
            room: Default::default(),
            reserved: Default::default(),
            reserved_up: Default::default(),
            reserved_kept: Default::default(),
            reserved_down: Default::default(),
            bursts: Default::default(),
            beat: Default::default(),
            beat_up: Default::default(),
            failed_word: Default::default(),
            taken: Default::default(),
            finished: Default::default(),
            words: Default::default(),
            popped: Default::default(),
            failed_state: Default::default(),
            failed_decode_state: Default::default(),
            failed_address_state: Default::default(),
            draining: Default::default(),
            flush: Default::default(),
            hold: Default::default(),
            okay: Constant::new(RESPONSE_OKAY.into()),
            decode_error: Constant::new(RESPONSE_DECODE_ERROR.into()),
            rest: Default::default(),
        }
    }
}

resting_block!(ReadMaster {
    ports: [
        reset_n,
        request_valid,
        request_address,
        request_words,
        request_ready,
        data_valid,
        data,
        data_ready,
        failed,
        failed_decode,
        failed_address,
        stop,
        idle,
        clear,
        stalled,
        bus,
    ],
    watched: [
        reset_n,
        request_valid,
        request_address,
        request_words,
        data_ready,
        stop,
        clear,
        bus.arready,
        bus.rdata,
        bus.rresp,
        bus.rlast,
        bus.rvalid,
    ],
    locals: [
        to_edge,
        limit,
        beats,
        beats_less_one,
        word_after,
        left,
        load,
        outstanding_up,
        outstanding_down,
        reserved_up,
        reserved_kept,
        reserved_down,
        beat_up,
        failed_word,
        taken,
        finished,
        popped,
        flush,
        hold,
    ],
    parts: [
        active,
        burst,
        last_burst,
        burst_known,
        next_word,
        remaining,
        address_valid,
        address_word,
        address_length,
        outstanding,
        room,
        reserved,
        bursts,
        beat,
        words,
        failed_state,
        failed_decode_state,
        failed_address_state,
        draining,
    ],
    constants: [okay, decode_error],
});

impl Logic for ReadMaster {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, active, next_word, remaining, address_valid, address_word, address_length);
        dff_setup!(self, clock, outstanding, room, reserved, beat, draining, burst, last_burst, burst_known);
        dff_setup!(self, clock, failed_state, failed_decode_state, failed_address_state);
        clock!(self, clock, bursts, words);
        self.bursts.reset_n.next = self.reset_n.val();
        self.words.reset_n.next = self.reset_n.val();

        self.flush.next = self.stop.val() | self.clear.val() | self.draining.q.val();
        self.hold.next = self.flush.val() | self.failed_state.q.val();

        // The next burst, a clock ahead of its address. In the last 16 words of a page its edge may be nearer than 16 beats.
        self.to_edge.next = bits::<5>(16) - bit_cast::<5, 4>(self.next_word.q.val().get_bits::<4>(0));
        self.limit.next = 16.into();
        if self.next_word.q.val().get_bits::<6>(4) == 63 {
            self.limit.next = self.to_edge.val();
        }
        self.beats.next = self.limit.val();
        if (self.remaining.q.val().get_bits::<28>(4) == 0)
            & (bit_cast::<5, 4>(self.remaining.q.val().get_bits::<4>(0)) < self.limit.val())
        {
            self.beats.next = bit_cast::<5, 4>(self.remaining.q.val().get_bits::<4>(0));
        }
        self.burst.d.next = self.beats.val();
        self.last_burst.d.next = self.remaining.q.val() <= bit_cast::<32, 5>(self.limit.val());
        self.beats_less_one.next = self.burst.q.val() - 1;
        self.word_after.next = self.next_word.q.val() + bit_cast::<30, 5>(self.burst.q.val());
        self.left.next = self.remaining.q.val() - bit_cast::<32, 5>(self.burst.q.val());
        // 64 words fit: with 48 of them spoken for there is room for any burst.
        self.load.next = self.active.q.val()
            & self.burst_known.q.val()
            & !self.hold.val()
            & (!self.address_valid.q.val() | self.bus.arready.val())
            & self.room.q.val();
        self.room.d.next = (self.outstanding.q.val() < 4) & (self.reserved.q.val() <= 48);
        self.burst_known.d.next = self.active.q.val() & (self.remaining.q.val() != 0) & !self.load.val();

        // Requests.
        self.request_ready.next = !self.active.q.val() & !self.hold.val();
        // They follow what is asked for until it is taken, so that who asks is in front of one register only.
        if !self.active.q.val() & !self.hold.val() {
            self.active.d.next = self.request_valid.val();
            self.next_word.d.next = self.request_address.val().get_bits::<30>(2);
            self.remaining.d.next = self.request_words.val();
        }

        // One for no word ends as it began, before its burst is known.
        if self.active.q.val() & (self.remaining.q.val() == 0) {
            self.active.d.next = false;
        }

        // Addresses.
        if self.bus.arready.val() {
            self.address_valid.d.next = false;
        }
        if self.load.val() {
            self.address_valid.d.next = true;
            self.address_word.d.next = self.next_word.q.val();
            self.address_length.d.next = self.beats_less_one.val().get_bits::<4>(0);
            self.next_word.d.next = self.word_after.val();
            self.remaining.d.next = self.left.val();
            self.active.d.next = !self.last_burst.q.val();
        }
        self.bus.arvalid.next = self.address_valid.q.val();
        self.bus.araddr.next = bit_cast::<32, 30>(self.address_word.q.val()) << 2;
        self.bus.arlen.next = bit_cast::<8, 4>(self.address_length.q.val());
        self.stalled.next = self.address_valid.q.val() & !self.bus.arready.val();

        // Beats. There is room for every one that was asked for.
        self.bus.rready.next = self.outstanding.q.val().any();
        self.taken.next = self.bus.rvalid.val() & self.outstanding.q.val().any();
        self.finished.next = self.taken.val() & self.bus.rlast.val();
        self.beat_up.next = self.beat.q.val() + 1;
        self.failed_word.next = self.bursts.front.val() + bit_cast::<30, 4>(self.beat.q.val());
        self.words.push.next = false;
        self.words.push_data.next = self.bus.rdata.val();
        if self.taken.val() {
            self.beat.d.next = self.beat_up.val();
            if self.bus.rlast.val() {
                self.beat.d.next = 0.into();
            }
            if !self.hold.val() {
                if self.bus.rresp.val() == self.okay.val() {
                    self.words.push.next = true;
                } else {
                    self.failed_state.d.next = true;
                    self.failed_decode_state.d.next = self.bus.rresp.val() == self.decode_error.val();
                    self.failed_address_state.d.next = bit_cast::<32, 30>(self.failed_word.val()) << 2;
                }
            }
        }
        self.bursts.push.next = self.load.val();
        self.bursts.push_data.next = self.next_word.q.val();
        self.bursts.pop.next = self.finished.val();
        self.bursts.clear.next = false;

        // Words.
        self.data_valid.next = !self.words.empty.val();
        self.data.next = self.words.front.val();
        self.popped.next = self.data_ready.val() & !self.words.empty.val();
        self.words.pop.next = self.popped.val();
        self.words.clear.next = self.flush.val();

        // What is under way.
        self.outstanding_up.next = self.outstanding.q.val() + 1;
        self.outstanding_down.next = self.outstanding.q.val() - 1;
        if self.load.val() & !self.finished.val() {
            self.outstanding.d.next = self.outstanding_up.val();
        }
        if self.finished.val() & !self.load.val() {
            self.outstanding.d.next = self.outstanding_down.val();
        }
        self.reserved_up.next = self.reserved.q.val() + bit_cast::<7, 5>(self.burst.q.val());
        self.reserved_kept.next = self.reserved.q.val();
        if self.load.val() {
            self.reserved_kept.next = self.reserved_up.val();
        }
        self.reserved_down.next = self.reserved_kept.val() - 1;
        self.reserved.d.next = self.reserved_kept.val();
        if self.popped.val() {
            self.reserved.d.next = self.reserved_down.val();
        }
        self.draining.d.next = self.flush.val() & self.outstanding.q.val().any();
        if self.flush.val() {
            self.reserved.d.next = 0.into();
            self.active.d.next = false;
        }
        if self.clear.val() {
            self.failed_state.d.next = false;
        }

        self.idle.next = !self.outstanding.q.val().any() & self.words.empty.val();
        self.failed.next = self.failed_state.q.val();
        self.failed_decode.next = self.failed_decode_state.q.val();
        self.failed_address.next = self.failed_address_state.q.val();

        if !self.reset_n.val() {
            self.active.d.next = false;
            self.burst.d.next = 0.into();
            self.last_burst.d.next = false;
            self.burst_known.d.next = false;
            self.next_word.d.next = 0.into();
            self.remaining.d.next = 0.into();
            self.address_valid.d.next = false;
            self.address_word.d.next = 0.into();
            self.address_length.d.next = 0.into();
            self.outstanding.d.next = 0.into();
            self.room.d.next = false;
            self.reserved.d.next = 0.into();
            self.beat.d.next = 0.into();
            self.draining.d.next = false;
            self.failed_state.d.next = false;
            self.failed_decode_state.d.next = false;
            self.failed_address_state.d.next = 0.into();
        }
    }
}
