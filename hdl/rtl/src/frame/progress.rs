//! How far a frame is: pixels left, and the share of those taken in 255ths.
//!
//! ```text
//!  clear, start, total, pixel_taken, complete -> [Progress] -> progress, all_taken
//! ```
//!
//! `progress` is `255 * taken / total`, rounded down, at most 254 until `complete`: no divider, but a sum to which each
//! pixel adds 255 and from which each step of progress takes `total`. It may lag: a step a clock is made, and a pixel of
//! a very small picture is worth many. `all_taken` is exact, a clock after the last pixel.

use rayman_derive::GatedBlock;
use rust_hdl_core::prelude::*;
use rust_hdl_widgets::dff_setup;

use super::sleep::sleeper;
use crate::gate::Gate;
use crate::mem::Flop;

/// See the module.
#[derive(GatedBlock, Default)]
pub struct Progress {
    /// The one clock.
    pub clock: Signal<In, Clock>,
    /// Low: progress 0.
    pub reset_n: Signal<In, Bit>,
    /// Pulse: progress 0.
    pub clear: Signal<In, Bit>,
    /// Pulse: pixels are counted from now on.
    pub start: Signal<In, Bit>,
    /// Pixels are being made; `total` is steady.
    pub rendering: Signal<In, Bit>,
    /// Pixels of the frame, 1 to 2^32 - 131071.
    pub total: Signal<In, Bits<32>>,
    /// A pixel was taken in this clock.
    pub pixel_taken: Signal<In, Bit>,
    /// Pulse: progress 255.
    pub complete: Signal<In, Bit>,
    /// STATUS.progress.
    pub progress: Signal<Out, Bits<8>>,
    /// Every pixel was taken.
    pub all_taken: Signal<Out, Bit>,

    remaining: Flop<Bits<32>>,
    // 255 for each pixel taken, less `total` for each step: below total + 510.
    share: Flop<Bits<32>>,
    shown: Flop<Bits<8>>,

    ahead: Signal<Local, Bit>,
    less: Signal<Local, Bits<32>>,
    reduced: Signal<Local, Bits<32>>,
    raised: Signal<Local, Bits<32>>,
    one_less: Signal<Local, Bits<32>>,
    next_shown: Signal<Local, Bits<8>>,
    _gate: Gate,
}

sleeper! {
    [] Progress,
    inputs: [reset_n, clear, start, rendering, total, pixel_taken, complete],
    state: |this| this.remaining.q.changed || this.share.q.changed || this.shown.q.changed
}

impl Logic for Progress {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, remaining, share, shown);
        self.ahead.next = self.share.q.val() >= self.total.val();
        self.less.next = self.share.q.val() - self.total.val();
        self.reduced.next = self.share.q.val();
        if self.ahead.val() {
            self.reduced.next = self.less.val();
        }
        self.raised.next = self.reduced.val() + 255;
        self.one_less.next = self.remaining.q.val() - 1;
        self.next_shown.next = self.shown.q.val() + 1;

        if self.rendering.val() {
            self.share.d.next = self.reduced.val();
            // 255 is kept for the end.
            if self.ahead.val() && (self.shown.q.val() != 254) {
                self.shown.d.next = self.next_shown.val();
            }
            if self.pixel_taken.val() {
                self.share.d.next = self.raised.val();
                self.remaining.d.next = self.one_less.val();
            }
        }
        if self.start.val() {
            self.share.d.next = 0.into();
            self.remaining.d.next = self.total.val();
        }
        if self.complete.val() {
            self.shown.d.next = 255.into();
        }
        self.progress.next = self.shown.q.val();
        self.all_taken.next = self.remaining.q.val() == 0;

        if self.clear.val() || !self.reset_n.val() {
            self.share.d.next = 0.into();
            self.shown.d.next = 0.into();
            self.remaining.d.next = 0.into();
        }
    }
}
