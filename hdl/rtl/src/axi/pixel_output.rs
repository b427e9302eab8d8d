//! Finished pixels to the video stream, to the framebuffer, to both or to neither.
//!
//! ```text
//!                                +-------------+      +-------------+
//!  pixel_valid, pixel  ->        |  position   | ---> | VideoStream | -> m_axis_video
//!       pixel_ready   <-         |  x, y       |      +-------------+
//!  width, height, start ->       |             |      +-------------------+
//!  *_enable, framebuffer_* ->    |             | ---> | FramebufferWriter | <-> bus (AW, W, B)
//!                                +-------------+      +-------------------+
//!  stop, clear ->     pixel_taken, idle, stopped, failed*, stalled <-
//! ```
//!
//! - Pixels come in raster order. One is held here until each enabled consumer has room for it; with none enabled it is just
//!   taken. After the picture's last pixel none is taken until the next `start`, so nothing is ever written outside the
//!   picture. A pixel every three clocks, one of which finds the room; latencies as in [`super::video`] and
//!   `framebuffer_writer`, and two clocks.
//! - `start`, a pulse before the first pixel, sets the position to (0, 0). Configuration is stable from then on.
//! - `idle`: nothing is buffered or unanswered, and, with the stream on, the offered beat was taken. `stopped` is the
//!   same without the last condition. With the stream off, a beat left over from a stopped frame does not count.
//! - `stop`, a level: no pixel is taken, buffered pixels are dropped, bursts already announced complete, an offered beat
//!   stays; from the second clock on, for it comes from afar. `clear`, a pulse when stopped: `failed` is forgotten.

use super::bundles::{AxiWriteMaster, VideoMaster};
use super::rest::{resting_block, Rest};
use super::{FramebufferWriter, VideoStream};
use crate::mem::Flop;
use rust_hdl_core::prelude::*;
use rust_hdl_widgets::dff_setup;

/// See the module's head.
#[derive(Default)]
pub struct PixelOutput {
    /// The one clock.
    pub clock: Signal<In, Clock>,
    /// Synchronous reset, active low.
    pub reset_n: Signal<In, Bit>,
    /// A pixel is offered.
    pub pixel_valid: Signal<In, Bit>,
    /// R in 23:16, G in 15:8, B in 7:0.
    pub pixel: Signal<In, Bits<24>>,
    /// The pixel is taken.
    pub pixel_ready: Signal<Out, Bit>,
    /// Pixels in a row, at least 1.
    pub width: Signal<In, Bits<16>>,
    /// Rows, at least 1.
    pub height: Signal<In, Bits<16>>,
    /// Pixels go to the video stream.
    pub stream_enable: Signal<In, Bit>,
    /// Pixels go to the framebuffer.
    pub framebuffer_enable: Signal<In, Bit>,
    /// Byte address of the first row, a multiple of 4.
    pub framebuffer_address: Signal<In, Bits<32>>,
    /// Bytes from row to row, a multiple of 4, at least 4 a pixel.
    pub framebuffer_stride: Signal<In, Bits<32>>,
    /// Pulse before the first pixel of a picture.
    pub start: Signal<In, Bit>,
    /// A pixel was taken in this clock.
    pub pixel_taken: Signal<Out, Bit>,
    /// All that was taken has left.
    pub idle: Signal<Out, Bit>,
    /// Take nothing, drop what has not left.
    pub stop: Signal<In, Bit>,
    /// Nothing is under way but, at most, an offered stream beat.
    pub stopped: Signal<Out, Bit>,
    /// Pulse: forget `failed`.
    pub clear: Signal<In, Bit>,
    /// A write was answered with an error.
    pub failed: Signal<Out, Bit>,
    /// It was DECERR.
    pub failed_decode: Signal<Out, Bit>,
    /// Byte address of its burst.
    pub failed_address: Signal<Out, Bits<32>>,
    /// A write address or a beat waits in this clock.
    pub stalled: Signal<Out, Bit>,
    /// The framebuffer's bus.
    pub bus: AxiWriteMaster,
    /// The stream.
    pub m_axis_video: VideoMaster,

    video: VideoStream,
    writer: FramebufferWriter,
    // A pixel that waits until both outputs have room, and that they have: then they get it in the next clock.
    held: Flop<Bit>,
    pixel_held: Flop<Bits<24>>,
    giving: Flop<Bit>,
    stopping: Flop<Bit>,
    // A picture is under way, and the position of its next pixel.
    open: Flop<Bit>,
    x: Flop<Bits<16>>,
    y: Flop<Bits<16>>,
    // The next pixel is the last of its row.
    last_column: Flop<Bit>,
    next_x: Signal<Local, Bits<16>>,
    after_next_x: Signal<Local, Bits<16>>,
    narrow: Signal<Local, Bit>,
    next_y: Signal<Local, Bits<16>>,
    accept: Signal<Local, Bit>,
    room: Signal<Local, Bit>,
    taken: Signal<Local, Bit>,
    rest: Rest,
}

resting_block!(PixelOutput {
    ports: [
        reset_n,
        pixel_valid,
        pixel,
        pixel_ready,
        width,
        height,
        stream_enable,
        framebuffer_enable,
        framebuffer_address,
        framebuffer_stride,
        start,
        pixel_taken,
        idle,
        stop,
        stopped,
        clear,
        failed,
        failed_decode,
        failed_address,
        stalled,
        bus,
        m_axis_video,
    ],
    watched: [
        reset_n,
        pixel_valid,
        pixel,
        width,
        height,
        stream_enable,
        framebuffer_enable,
        framebuffer_address,
        framebuffer_stride,
        start,
        stop,
        clear,
        bus.awready,
        bus.wready,
        bus.bresp,
        bus.bvalid,
        m_axis_video.tready,
    ],
    locals: [next_x, after_next_x, narrow, next_y, accept, room, taken,],
    parts: [video, writer, held, pixel_held, giving, stopping, open, x, y, last_column,],
    constants: [],
});

impl Logic for PixelOutput {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, held, pixel_held, giving, stopping, open, x, y, last_column);
        self.stopping.d.next = self.stop.val();
        clock!(self, clock, video, writer);
        self.video.reset_n.next = self.reset_n.val();
        self.writer.reset_n.next = self.reset_n.val();
        VideoMaster::link(&mut self.m_axis_video, &mut self.video.stream);
        AxiWriteMaster::link(&mut self.bus, &mut self.writer.bus);

        self.accept.next = self.open.q.val() & !self.held.q.val() & !self.stopping.q.val();
        self.pixel_ready.next = self.accept.val();
        if self.accept.val() & self.pixel_valid.val() {
            self.held.d.next = true;
            self.pixel_held.d.next = self.pixel.val();
        }
        // Room stays until it is used.
        self.room.next = (!self.stream_enable.val() | self.video.pixel_ready.val())
            & (!self.framebuffer_enable.val() | self.writer.pixel_ready.val());
        self.giving.d.next =
            self.held.q.val() & !self.giving.q.val() & self.room.val() & !self.stop.val() & !self.stopping.q.val();
        self.taken.next = self.giving.q.val();
        if self.taken.val() {
            self.held.d.next = false;
        }
        self.pixel_taken.next = self.taken.val();

        self.next_x.next = self.x.q.val() + 1;
        self.next_y.next = self.y.q.val() + 1;
        self.after_next_x.next = self.x.q.val() + 2;
        self.narrow.next = self.width.val() == 1;
        if self.taken.val() {
            self.x.d.next = self.next_x.val();
            self.last_column.d.next = self.after_next_x.val() == self.width.val();
            if self.last_column.q.val() {
                self.last_column.d.next = self.narrow.val();
                self.x.d.next = 0.into();
                self.y.d.next = self.next_y.val();
                if self.next_y.val() == self.height.val() {
                    self.open.d.next = false;
                }
            }
        }
        if self.start.val() {
            self.last_column.d.next = self.narrow.val();
            self.open.d.next = true;
            self.x.d.next = 0.into();
            self.y.d.next = 0.into();
        }
        if self.stopping.q.val() {
            self.open.d.next = false;
            self.held.d.next = false;
        }

        self.video.pixel_valid.next = self.taken.val() & self.stream_enable.val();
        self.video.pixel.next = self.pixel_held.q.val();
        self.video.first.next = (self.x.q.val() == 0) & (self.y.q.val() == 0);
        self.video.last.next = self.last_column.q.val();
        self.video.stop.next = self.stopping.q.val();

        self.writer.start.next = self.start.val();
        self.writer.base_address.next = self.framebuffer_address.val();
        self.writer.stride.next = self.framebuffer_stride.val();
        self.writer.pixel_valid.next = self.taken.val() & self.framebuffer_enable.val();
        self.writer.pixel.next = self.pixel_held.q.val();
        self.writer.end_of_line.next = self.last_column.q.val();
        self.writer.stop.next = self.stopping.q.val();
        self.writer.clear.next = self.clear.val();

        self.idle.next =
            (!self.stream_enable.val() | self.video.idle.val()) & self.writer.idle.val() & !self.held.q.val();
        self.stopped.next = self.video.spare_empty.val() & self.writer.idle.val() & !self.held.q.val();
        self.failed.next = self.writer.failed.val();
        self.failed_decode.next = self.writer.failed_decode.val();
        self.failed_address.next = self.writer.failed_address.val();
        self.stalled.next = self.writer.stalled.val();

        if !self.reset_n.val() {
            self.held.d.next = false;
            self.pixel_held.d.next = 0.into();
            self.giving.d.next = false;
            self.stopping.d.next = false;
            self.open.d.next = false;
            self.x.d.next = 0.into();
            self.y.d.next = 0.into();
            self.last_column.d.next = false;
        }
    }
}
