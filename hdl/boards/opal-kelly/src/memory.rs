//! Block RAM that the core reaches by AXI4 and the host by pipes of 16 bits.
//!
//! ```text
//!  AXI4 slave, read channels  <-> +-------------+ <- seek, seek_address
//!  AXI4 slave, write channels <-> | BlockMemory | <- pipe_in_write, pipe_in_data
//!                                 +-------------+ <- pipe_out_read  -> pipe_out_data, a clock later
//! ```
//!
//! - One memory with a write port and a read port, a word a clock each. The host cannot be made to wait, so it goes first: in
//!   a clock in which a pipe wants a port the bus waits.
//! - A pipe goes on where `seek` has set it, low half of a word first; both pipes share the place. Between a seek and the first
//!   half read there are at least 4 clocks (a host's calls are thousands apart).
//! - Bursts are INCR, of words, one read and one write at a time, and do not leave the memory or lie outside of it as a whole: the
//!   core's never cross 4 KiB. One that lies outside is answered DECERR, changes nothing and reads 0. Strobes are not looked at: the
//!   core sets them all.
//! - Reads: the first beat 3 clocks after the address, then a beat a clock. Writes: a beat a clock.

use rayman_derive::GatedBlock;
use rayman_rtl::gate::Gate;
use rayman_rtl::mem::{Fifo, Flop, Ram};
use rust_hdl_core::prelude::*;
use rust_hdl_widgets::dff_setup;

/// DECERR on a B or R channel.
const RESPONSE_DECODE_ERROR: u64 = rayman_rtl::axi::RESPONSE_DECODE_ERROR;

/// `2^A` words at bus address `base`, a multiple of their size.
#[derive(GatedBlock)]
pub struct BlockMemory<const A: usize> {
    /// The one clock.
    pub clock: Signal<In, Clock>,
    /// Synchronous reset, active low. The contents stay.
    pub reset_n: Signal<In, Bit>,

    /// Byte address of a read burst.
    pub araddr: Signal<In, Bits<32>>,
    /// Its beats, less one.
    pub arlen: Signal<In, Bits<8>>,
    /// A read burst is offered.
    pub arvalid: Signal<In, Bit>,
    /// It is taken.
    pub arready: Signal<Out, Bit>,
    /// A word read.
    pub rdata: Signal<Out, Bits<32>>,
    /// OKAY or DECERR.
    pub rresp: Signal<Out, Bits<2>>,
    /// Last beat of the burst.
    pub rlast: Signal<Out, Bit>,
    /// A beat is offered.
    pub rvalid: Signal<Out, Bit>,
    /// It is taken.
    pub rready: Signal<In, Bit>,

    /// Byte address of a write burst.
    pub awaddr: Signal<In, Bits<32>>,
    /// A write burst is offered.
    pub awvalid: Signal<In, Bit>,
    /// It is taken.
    pub awready: Signal<Out, Bit>,
    /// A word to write.
    pub wdata: Signal<In, Bits<32>>,
    /// Last beat of the burst.
    pub wlast: Signal<In, Bit>,
    /// A beat is offered.
    pub wvalid: Signal<In, Bit>,
    /// It is taken.
    pub wready: Signal<Out, Bit>,
    /// OKAY or DECERR.
    pub bresp: Signal<Out, Bits<2>>,
    /// A response is offered.
    pub bvalid: Signal<Out, Bit>,
    /// It is taken.
    pub bready: Signal<In, Bit>,

    /// Pulse: the pipes go on from `seek_address`.
    pub seek: Signal<In, Bit>,
    /// Byte address; bits above the memory's are not looked at, nor are 1:0.
    pub seek_address: Signal<In, Bits<32>>,
    /// Half a word is written.
    pub pipe_in_write: Signal<In, Bit>,
    /// Which.
    pub pipe_in_data: Signal<In, Bits<16>>,
    /// Half a word is asked for.
    pub pipe_out_read: Signal<In, Bit>,
    /// The half that was asked for in the clock before.
    pub pipe_out_data: Signal<Out, Bits<16>>,

    memory: Ram<1, A>,

    // The pipes: the place, whether the high half is next, the low half written, the words to be read next.
    place: Flop<Bits<A>>,
    place_up: Signal<Local, Bits<A>>,
    high: Flop<Bit>,
    low_half: Flop<Bits<16>>,
    current: Flop<Bits<32>>,
    ahead: Flop<Bits<32>>,
    out: Flop<Bits<16>>,
    // What the read port does for the pipes: fetch the word sought, or the one after; and whether it comes in this clock.
    sought: Flop<Bit>,
    sought_comes: Flop<Bit>,
    next_fetch: Signal<Local, Bit>,
    next_comes: Flop<Bit>,
    pipe_fetches: Signal<Local, Bit>,
    pipe_stores: Signal<Local, Bit>,

    // The read burst: what is still to be fetched, and what is still to be handed over.
    reading: Flop<Bit>,
    read_outside: Flop<Bit>,
    fetch_place: Flop<Bits<A>>,
    fetch_up: Signal<Local, Bits<A>>,
    to_fetch: Flop<Bits<9>>,
    to_fetch_down: Signal<Local, Bits<9>>,
    to_give: Flop<Bits<9>>,
    to_give_down: Signal<Local, Bits<9>>,
    fetch: Signal<Local, Bit>,
    fetched: Flop<Bit>,
    fetched_word: Signal<Local, Bits<32>>,
    words: Fifo<Bits<32>, 2>,
    // Words in the queue or on their way to it.
    stored: Flop<Bits<3>>,
    stored_up: Signal<Local, Bits<3>>,
    stored_down: Signal<Local, Bits<3>>,
    gives: Signal<Local, Bit>,
    length: Signal<Local, Bits<9>>,

    // The write burst.
    writing: Flop<Bit>,
    write_outside: Flop<Bit>,
    store_place: Flop<Bits<A>>,
    store_up: Signal<Local, Bits<A>>,
    responding: Flop<Bit>,
    takes: Signal<Local, Bit>,

    base: Constant<Bits<32>>,
    window: Constant<Bits<32>>,
    decode_error: Constant<Bits<2>>,
    _gate: Gate,
}

impl<const A: usize> BlockMemory<A> {
    /// Memory at a bus address. Bits of it below the memory's size are taken as 0.
    pub fn new(base: u32) -> Self {
        // Address bits that say whether the memory is meant.
        let window = u32::MAX << (A + 2);
        Self {
            clock: Default::default(),
            reset_n: Default::default(),
            araddr: Default::default(),
            arlen: Default::default(),
            arvalid: Default::default(),
            arready: Default::default(),
            rdata: Default::default(),
            rresp: Default::default(),
            rlast: Default::default(),
            rvalid: Default::default(),
            rready: Default::default(),
            awaddr: Default::default(),
            awvalid: Default::default(),
            awready: Default::default(),
            wdata: Default::default(),
            wlast: Default::default(),
            wvalid: Default::default(),
            wready: Default::default(),
            bresp: Default::default(),
            bvalid: Default::default(),
            bready: Default::default(),
            seek: Default::default(),
            seek_address: Default::default(),
            pipe_in_write: Default::default(),
            pipe_in_data: Default::default(),
            pipe_out_read: Default::default(),
            pipe_out_data: Default::default(),
            memory: Default::default(),
            place: Default::default(),
            place_up: Default::default(),
            high: Default::default(),
            low_half: Default::default(),
            current: Default::default(),
            ahead: Default::default(),
            out: Default::default(),
            sought: Default::default(),
            sought_comes: Default::default(),
            next_fetch: Default::default(),
            next_comes: Default::default(),
            pipe_fetches: Default::default(),
            pipe_stores: Default::default(),
            reading: Default::default(),
            read_outside: Default::default(),
            fetch_place: Default::default(),
            fetch_up: Default::default(),
            to_fetch: Default::default(),
            to_fetch_down: Default::default(),
            to_give: Default::default(),
            to_give_down: Default::default(),
            fetch: Default::default(),
            fetched: Default::default(),
            fetched_word: Default::default(),
            words: Default::default(),
            stored: Default::default(),
            stored_up: Default::default(),
            stored_down: Default::default(),
            gives: Default::default(),
            length: Default::default(),
            writing: Default::default(),
            write_outside: Default::default(),
            store_place: Default::default(),
            store_up: Default::default(),
            responding: Default::default(),
            takes: Default::default(),
            base: Constant::new(Bits::from(u64::from(base & window))),
            window: Constant::new(Bits::from(u64::from(window))),
            decode_error: Constant::new(Bits::from(RESPONSE_DECODE_ERROR)),
            _gate: Default::default(),
        }
    }
}

impl<const A: usize> Logic for BlockMemory<A> {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, place, high, low_half, current, ahead, out, sought, sought_comes, next_comes);
        dff_setup!(self, clock, reading, read_outside, fetch_place, to_fetch, to_give, fetched, stored);
        dff_setup!(self, clock, writing, write_outside, store_place, responding);
        clock!(self, clock, memory, words);
        self.words.reset_n.next = self.reset_n.val();
        self.words.clear.next = false;

        // Pipes. The word after the one being read is fetched when the low half is asked for, and needed two clocks later.
        self.place_up.next = self.place.q.val() + 1;
        self.pipe_stores.next = self.pipe_in_write.val() & self.high.q.val();
        self.next_fetch.next = self.pipe_out_read.val() & !self.high.q.val();
        self.pipe_fetches.next = self.sought.q.val() | self.next_fetch.val();
        self.sought.d.next = self.seek.val();
        self.sought_comes.d.next = self.sought.q.val();
        self.next_comes.d.next = self.next_fetch.val();
        if self.sought_comes.q.val() {
            self.current.d.next = self.memory.read_data[0].val();
        }
        if self.next_comes.q.val() {
            self.ahead.d.next = self.memory.read_data[0].val();
        }
        if self.pipe_in_write.val() {
            self.high.d.next = !self.high.q.val();
            if self.high.q.val() {
                self.place.d.next = self.place_up.val();
            } else {
                self.low_half.d.next = self.pipe_in_data.val();
            }
        }
        if self.pipe_out_read.val() {
            self.high.d.next = !self.high.q.val();
            if self.high.q.val() {
                self.out.d.next = self.current.q.val().get_bits::<16>(16);
                self.place.d.next = self.place_up.val();
                self.current.d.next = self.ahead.q.val();
                if self.next_comes.q.val() {
                    self.current.d.next = self.memory.read_data[0].val();
                }
            } else {
                self.out.d.next = self.current.q.val().get_bits::<16>(0);
            }
        }
        if self.seek.val() {
            self.place.d.next = self.seek_address.val().get_bits::<A>(2);
            self.high.d.next = false;
        }
        self.pipe_out_data.next = self.out.q.val();

        // Read bursts.
        self.length.next = bit_cast::<9, 8>(self.arlen.val()) + 1;
        self.fetch_up.next = self.fetch_place.q.val() + 1;
        self.to_fetch_down.next = self.to_fetch.q.val() - 1;
        self.to_give_down.next = self.to_give.q.val() - 1;
        self.arready.next = !self.reading.q.val();
        if self.arvalid.val() & !self.reading.q.val() {
            self.reading.d.next = true;
            self.read_outside.d.next = (self.araddr.val() & self.window.val()) != self.base.val();
            self.fetch_place.d.next = self.araddr.val().get_bits::<A>(2);
            self.to_fetch.d.next = self.length.val();
            self.to_give.d.next = self.length.val();
        }
        self.fetch.next =
            self.reading.q.val() & self.to_fetch.q.val().any() & (self.stored.q.val() < 4) & !self.pipe_fetches.val();
        self.fetched.d.next = self.fetch.val();
        if self.fetch.val() {
            self.fetch_place.d.next = self.fetch_up.val();
            self.to_fetch.d.next = self.to_fetch_down.val();
        }
        self.fetched_word.next = self.memory.read_data[0].val();
        if self.read_outside.q.val() {
            self.fetched_word.next = 0.into();
        }
        self.words.push.next = self.fetched.q.val();
        self.words.push_data.next = self.fetched_word.val();
        self.rvalid.next = !self.words.empty.val();
        self.rdata.next = self.words.front.val();
        self.rlast.next = self.to_give.q.val() == 1;
        self.rresp.next = 0.into();
        if self.read_outside.q.val() {
            self.rresp.next = self.decode_error.val();
        }
        self.gives.next = !self.words.empty.val() & self.rready.val();
        self.words.pop.next = self.gives.val();
        if self.gives.val() {
            self.to_give.d.next = self.to_give_down.val();
            if self.to_give.q.val() == 1 {
                self.reading.d.next = false;
            }
        }
        self.stored_up.next = self.stored.q.val() + 1;
        self.stored_down.next = self.stored.q.val() - 1;
        if self.fetch.val() & !self.gives.val() {
            self.stored.d.next = self.stored_up.val();
        }
        if self.gives.val() & !self.fetch.val() {
            self.stored.d.next = self.stored_down.val();
        }

        // Write bursts.
        self.store_up.next = self.store_place.q.val() + 1;
        self.awready.next = !self.writing.q.val() & !self.responding.q.val();
        if self.awvalid.val() & !self.writing.q.val() & !self.responding.q.val() {
            self.writing.d.next = true;
            self.write_outside.d.next = (self.awaddr.val() & self.window.val()) != self.base.val();
            self.store_place.d.next = self.awaddr.val().get_bits::<A>(2);
        }
        self.wready.next = self.writing.q.val() & !self.pipe_stores.val();
        self.takes.next = self.writing.q.val() & !self.pipe_stores.val() & self.wvalid.val();
        if self.takes.val() {
            self.store_place.d.next = self.store_up.val();
            if self.wlast.val() {
                self.writing.d.next = false;
                self.responding.d.next = true;
            }
        }
        self.bvalid.next = self.responding.q.val();
        self.bresp.next = 0.into();
        if self.write_outside.q.val() {
            self.bresp.next = self.decode_error.val();
        }
        if self.responding.q.val() & self.bready.val() {
            self.responding.d.next = false;
        }

        // The memory's ports: the pipes first.
        self.memory.write_enable.next = self.pipe_stores.val() | (self.takes.val() & !self.write_outside.q.val());
        self.memory.write_address.next = self.store_place.q.val();
        self.memory.write_data[0].next = self.wdata.val();
        if self.pipe_stores.val() {
            self.memory.write_address.next = self.place.q.val();
            self.memory.write_data[0].next =
                (bit_cast::<32, 16>(self.pipe_in_data.val()) << 16) | bit_cast::<32, 16>(self.low_half.q.val());
        }
        self.memory.read_address.next = self.fetch_place.q.val();
        if self.next_fetch.val() {
            self.memory.read_address.next = self.place_up.val();
        }
        if self.sought.q.val() {
            self.memory.read_address.next = self.place.q.val();
        }

        if !self.reset_n.val() {
            self.place.d.next = 0.into();
            self.high.d.next = false;
            self.sought.d.next = false;
            self.sought_comes.d.next = false;
            self.next_comes.d.next = false;
            self.reading.d.next = false;
            self.to_fetch.d.next = 0.into();
            self.to_give.d.next = 0.into();
            self.fetched.d.next = false;
            self.stored.d.next = 0.into();
            self.writing.d.next = false;
            self.responding.d.next = false;
        }
    }
}
