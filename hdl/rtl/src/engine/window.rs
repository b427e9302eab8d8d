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
//! A colour leaves two clocks after it was written, if it is the next in order. One write and one pixel a clock.

use super::entry::{Painted, Place};
use crate::gate::Gate;
use crate::mem::{Flop, Store};
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

    colours: Store<Painted, WINDOW>,
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
    read: Signal<Local, Bits<WINDOW>>,
    valid: Signal<Local, Bit>,
    empty: Signal<Local, Bit>,
    _gate: Gate,
}

impl<const WINDOW: usize> Logic for Window<WINDOW> {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, clearing, cleared, head, head_lap, tail, tail_lap);
        self.colours.clock.next = self.clock.val();

        // Places open at the head. The first lap has its mark set, as a cleared entry does not.
        self.empty.next = (self.head.q.val() == self.tail.q.val()) & (self.head_lap.q.val() == self.tail_lap.q.val());
        self.room.next = (!self.clearing.q.val() | (self.head.q.val() != self.cleared.q.val()))
            & ((self.head.q.val() != self.tail.q.val()) | (self.head_lap.q.val() == self.tail_lap.q.val()));
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
        self.colours.write_enable.next = self.write.val() | self.clearing.q.val();
        self.colours.write_address.next = bit_cast::<WINDOW, 15>(self.write_place.val().index);
        self.colours.write_data.next.colour = self.write_colour.val();
        self.colours.write_data.next.lap = self.write_place.val().lap;
        if self.clearing.q.val() & !self.write.val() {
            self.colours.write_address.next = self.cleared.q.val();
            self.colours.write_data.next.lap = false;
            self.cleared.d.next = self.cleared_plus.val();
            if self.cleared.q.val().all() {
                self.clearing.d.next = false;
            }
        }

        // They leave at the tail: the entry is read again and again until it carries the awaited lap.
        self.tail_plus.next = self.tail.q.val() + bits::<WINDOW>(1);
        self.valid.next = !self.empty.val() & (self.colours.read_data.val().lap != self.tail_lap.q.val());
        self.pixel_valid.next = self.valid.val();
        self.pixel.next = self.colours.read_data.val().colour;
        self.read.next = self.tail.q.val();
        if self.valid.val() & self.pixel_ready.val() {
            self.read.next = self.tail_plus.val();
            self.tail.d.next = self.tail_plus.val();
            if self.tail.q.val().all() {
                self.tail_lap.d.next = !self.tail_lap.q.val();
            }
        }
        self.colours.read_address.next = self.read.val();
        self.idle.next = self.empty.val();

        if !self.reset_n.val() {
            self.clearing.d.next = true;
            self.cleared.d.next = 0.into();
            self.head.d.next = 0.into();
            self.head_lap.d.next = false;
            self.tail.d.next = 0.into();
            self.tail_lap.d.next = false;
        }
    }
}
