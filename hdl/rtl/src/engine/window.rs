//! The reorder window: pixels finish in any order and leave in raster order.
//!
//! ```text
//!  open (a pixel starts)  -> +--------+ -> opened: its place           (room: it may start)
//!  write (place, colour)  -> | Window | -> pixel --valid/ready-->      in the order in which places were opened
//!                            +--------+ -> idle
//! ```
//!
//! A memory of `2^WINDOW` colours. Each carries the lap in which it was written, so that an entry of the lap before is
//! not taken for the one that is awaited. Places are opened in turn, so the first awaited one is always the oldest.
//! After reset the laps are cleared, an entry in each clock without a write, ahead of the places that open: a pixel may
//! start in the second clock.
//!
//! A colour leaves three clocks after it was written, if it is the next in order, and the next one three clocks after it
//! was taken: twice as often as primary rays come. The memory is a block memory, whose slow output goes to a register
//! before anyone asks what it holds. One write a clock.

use super::entry::Place;
use crate::gate::Gate;
use crate::mem::{Flop, Ram};
use rayman_derive::GatedBlock;
use rust_hdl_core::prelude::*;
use rust_hdl_widgets::dff_setup;

/// Room for `2^WINDOW` pixels, `WINDOW` at most 15.
#[derive(GatedBlock, Default)]
pub struct Window<const WINDOW: usize> {
    /// The one clock.
    pub clock: Signal<In, Clock>,
    /// Low: no place is open.
    pub reset_n: Signal<In, Bit>,

    /// Open the next place; only while there is `room`.
    pub open: Signal<In, Bit>,
    /// A place is free.
    pub room: Signal<Out, Bit>,
    /// The place that `open` opens.
    pub place: Signal<Out, Place>,

    /// A pixel is finished.
    pub write: Signal<In, Bit>,
    /// At this place, as `place` gave it.
    pub write_place: Signal<In, Place>,
    /// With this colour: red 23:16, green 15:8, blue 7:0.
    pub write_colour: Signal<In, Bits<24>>,

    /// The next pixel in order is there.
    pub pixel_valid: Signal<Out, Bit>,
    /// It is taken.
    pub pixel_ready: Signal<In, Bit>,
    /// Its colour: red 23:16, green 15:8, blue 7:0.
    pub pixel: Signal<Out, Bits<24>>,

    /// Nothing is open.
    pub idle: Signal<Out, Bit>,

    // Colour 23:0, and the lap in which it was written.
    colours: Ram<1, WINDOW>,
    clearing: Flop<Bit>,
    // While clearing: the places below are clear, and no other may open.
    cleared: Flop<Bits<WINDOW>>,
    cleared_plus: Signal<Local, Bits<WINDOW>>,
    head: Flop<Bits<WINDOW>>,
    head_lap: Flop<Bit>,
    head_plus: Signal<Local, Bits<WINDOW>>,
    tail: Flop<Bits<WINDOW>>,
    tail_lap: Flop<Bit>,
    tail_plus: Signal<Local, Bits<WINDOW>>,
    // What was read at the tail, unless it was being written; until it is the new tail's, nothing leaves.
    collided: Flop<Bit>,
    seen: Flop<Bit>,
    found: Flop<Bits<32>>,
    moved: Flop<Bit>,
    moved_late: Flop<Bit>,
    write_address: Signal<Local, Bits<WINDOW>>,
    write_enable: Signal<Local, Bit>,
    lap: Signal<Local, Bits<32>>,
    valid: Signal<Local, Bit>,
    leaves: Signal<Local, Bit>,
    // No place is open, every place is.
    empty: Flop<Bit>,
    full: Flop<Bit>,
    _gate: Gate,
}

impl<const WINDOW: usize> Logic for Window<WINDOW> {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, clearing, cleared, head, head_lap, tail, tail_lap);
        dff_setup!(self, clock, collided, seen, found, moved, moved_late, empty, full);
        self.colours.clock.next = self.clock.val();

        // Places open at the head. The first lap has its mark set, as a cleared entry does not.
        self.room.next = !self.full.q.val() & (!self.clearing.q.val() | (self.head.q.val() != self.cleared.q.val()));
        self.place.next.index = bit_cast::<15, WINDOW>(self.head.q.val());
        self.place.next.lap = !self.head_lap.q.val();
        self.head_plus.next = self.head.q.val() + bits::<WINDOW>(1);
        if self.open.val() {
            self.head.d.next = self.head_plus.val();
            if self.head.q.val().all() {
                self.head_lap.d.next = !self.head_lap.q.val();
            }
        }

        // Colours arrive at open places, which are clear; the clearing goes on in the clocks between.
        self.cleared_plus.next = self.cleared.q.val() + bits::<WINDOW>(1);
        self.write_enable.next = self.write.val() | self.clearing.q.val();
        self.write_address.next = bit_cast::<WINDOW, 15>(self.write_place.val().index);
        self.lap.next = 0.into();
        if self.write_place.val().lap {
            self.lap.next = 0x100_0000.into();
        }
        if self.clearing.q.val() & !self.write.val() {
            self.write_address.next = self.cleared.q.val();
            self.lap.next = 0.into();
            self.cleared.d.next = self.cleared_plus.val();
            if self.cleared.q.val().all() {
                self.clearing.d.next = false;
            }
        }
        self.colours.write_enable.next = self.write_enable.val();
        self.colours.write_address.next = self.write_address.val();
        self.colours.write_data[0].next = bit_cast::<32, 24>(self.write_colour.val()) | self.lap.val();

        // They leave at the tail: the entry is read again and again until it carries the awaited lap.
        self.colours.read_address.next = self.tail.q.val();
        self.collided.d.next = self.write_enable.val() & (self.write_address.val() == self.tail.q.val());
        self.seen.d.next = !self.collided.q.val();
        self.found.d.next = self.colours.read_data[0].val();
        self.tail_plus.next = self.tail.q.val() + bits::<WINDOW>(1);
        self.valid.next = self.seen.q.val()
            & !self.empty.q.val()
            & !self.moved.q.val()
            & !self.moved_late.q.val()
            & (self.found.q.val().get_bit(24) != self.tail_lap.q.val());
        self.pixel_valid.next = self.valid.val();
        self.pixel.next = self.found.q.val().get_bits::<24>(0);
        self.leaves.next = self.valid.val() & self.pixel_ready.val();
        self.moved.d.next = self.leaves.val();
        self.moved_late.d.next = self.moved.q.val();
        if self.leaves.val() {
            self.tail.d.next = self.tail_plus.val();
            if self.tail.q.val().all() {
                self.tail_lap.d.next = !self.tail_lap.q.val();
            }
        }
        if self.open.val() {
            self.empty.d.next = false;
            if !self.leaves.val() {
                self.full.d.next = self.head_plus.val() == self.tail.q.val();
            }
        } else if self.leaves.val() {
            self.empty.d.next = self.tail_plus.val() == self.head.q.val();
            self.full.d.next = false;
        }
        self.idle.next = self.empty.q.val();

        if !self.reset_n.val() {
            self.clearing.d.next = true;
            self.cleared.d.next = 0.into();
            self.head.d.next = 0.into();
            self.head_lap.d.next = false;
            self.tail.d.next = 0.into();
            self.tail_lap.d.next = false;
            self.seen.d.next = false;
            self.moved.d.next = false;
            self.moved_late.d.next = false;
            self.empty.d.next = true;
            self.full.d.next = false;
        }
    }
}
