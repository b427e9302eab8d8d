//! Pixels to AXI4-Stream video.
//!
//! ```text
//!  pixel_valid, pixel, first, last ->  +-------------+ -> tvalid, tdata, tuser, tlast
//!                     pixel_ready  <-  | VideoStream | <- tready
//!                                      +-------------+
//!        stop ->        idle, spare_empty <-
//! ```
//!
//! Two entries deep: the beat that is offered, and one behind it, so that `pixel_ready` does not depend on `tready`.
//! Latency 1, a pixel a clock. With `stop` the entry behind is dropped; the offered beat stays until it is taken,
//! whatever happens, as a stream's must.
//!
//! The order of the colours within `tdata` is that of AMD's UG934 for RGB: R in 23:16, B in 15:8, G in 7:0, so that video
//! IP can be connected as it is. (XRGB8888 in memory is another order: [`tdata_from_xrgb`] and [`xrgb_from_tdata`].)
//! Choice *assumed*, as is that there is a stream at all.

use super::bundles::VideoMaster;
use super::rest::{resting_block, Rest};
use crate::mem::Flop;
use rust_hdl_core::prelude::*;
use rust_hdl_widgets::dff_setup;

/// What `tdata` is for a pixel, R in 23:16, G in 15:8, B in 7:0.
pub const fn tdata_from_xrgb(pixel: u32) -> u32 {
    (pixel & 0xFF_0000) | (pixel & 0xFF) << 8 | (pixel >> 8 & 0xFF)
}

/// The pixel, R in 23:16, G in 15:8, B in 7:0, that `tdata` stands for.
pub const fn xrgb_from_tdata(tdata: u32) -> u32 {
    // The exchange of two bytes is its own inverse.
    tdata_from_xrgb(tdata)
}

/// See the module's head.
#[derive(Default)]
pub struct VideoStream {
    /// The one clock.
    pub clock: Signal<In, Clock>,
    /// Synchronous reset, active low.
    pub reset_n: Signal<In, Bit>,
    /// A pixel is offered.
    pub pixel_valid: Signal<In, Bit>,
    /// R in 23:16, G in 15:8, B in 7:0.
    pub pixel: Signal<In, Bits<24>>,
    /// It is the picture's first.
    pub first: Signal<In, Bit>,
    /// It is its row's last.
    pub last: Signal<In, Bit>,
    /// The pixel is taken.
    pub pixel_ready: Signal<Out, Bit>,
    /// Drop what is not yet offered. No pixel may be offered to this block meanwhile.
    pub stop: Signal<In, Bit>,
    /// Nothing is offered or waits.
    pub idle: Signal<Out, Bit>,
    /// Nothing waits behind the offered beat.
    pub spare_empty: Signal<Out, Bit>,
    /// The stream.
    pub stream: VideoMaster,

    // Beats are {first, last, tdata}.
    beat: Signal<Local, Bits<26>>,
    first_bit: Signal<Local, Bits<26>>,
    last_bit: Signal<Local, Bits<26>>,
    taken: Signal<Local, Bit>,
    offered: Flop<Bits<26>>,
    offered_valid: Flop<Bit>,
    spare: Flop<Bits<26>>,
    spare_valid: Flop<Bit>,
    rest: Rest,
}

resting_block!(VideoStream {
    ports: [reset_n, pixel_valid, pixel, first, last, pixel_ready, stop, idle, spare_empty, stream,],
    watched: [reset_n, pixel_valid, pixel, first, last, stop, stream.tready,],
    locals: [beat, first_bit, last_bit, taken,],
    parts: [offered, offered_valid, spare, spare_valid,],
    constants: [],
});

impl Logic for VideoStream {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, offered, offered_valid, spare, spare_valid);

        self.first_bit.next = 0.into();
        if self.first.val() {
            self.first_bit.next = 0x200_0000.into();
        }
        self.last_bit.next = 0.into();
        if self.last.val() {
            self.last_bit.next = 0x100_0000.into();
        }
        self.beat.next = (bit_cast::<26, 8>(self.pixel.val().get_bits::<8>(16)) << 16)
            | (bit_cast::<26, 8>(self.pixel.val().get_bits::<8>(0)) << 8)
            | bit_cast::<26, 8>(self.pixel.val().get_bits::<8>(8))
            | self.first_bit.val()
            | self.last_bit.val();

        self.pixel_ready.next = !self.spare_valid.q.val();
        self.taken.next = self.pixel_valid.val() & !self.spare_valid.q.val();
        if !self.offered_valid.q.val() | self.stream.tready.val() {
            // The offered place is free in the next clock: the spare beat moves up, or the new one goes straight in.
            self.offered_valid.d.next = self.taken.val() | (self.spare_valid.q.val() & !self.stop.val());
            self.spare_valid.d.next = false;
            if self.spare_valid.q.val() {
                self.offered.d.next = self.spare.q.val();
            } else {
                self.offered.d.next = self.beat.val();
            }
        } else if self.taken.val() {
            self.spare.d.next = self.beat.val();
            self.spare_valid.d.next = true;
        }
        if self.stop.val() {
            self.spare_valid.d.next = false;
        }

        self.stream.tvalid.next = self.offered_valid.q.val();
        self.stream.tdata.next = self.offered.q.val().get_bits::<24>(0);
        self.stream.tlast.next = self.offered.q.val().get_bit(24);
        self.stream.tuser.next = self.offered.q.val().get_bit(25);
        self.idle.next = !self.offered_valid.q.val() & !self.spare_valid.q.val();
        self.spare_empty.next = !self.spare_valid.q.val();

        if !self.reset_n.val() {
            self.offered.d.next = 0.into();
            self.offered_valid.d.next = false;
            self.spare.d.next = 0.into();
            self.spare_valid.d.next = false;
        }
    }
}
