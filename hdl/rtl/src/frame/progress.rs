//! How far a frame is: pixels left, and the share of those taken in 255ths.
//!
//! ```text
//!  clear, start, total, pixel_taken, complete -> [Progress] -> progress, all_taken
//! ```
//!
//! `progress` is `255 * taken / total`, rounded down, at most 254 until `complete`: no divider, but a sum to which each
//! pixel adds 255 and from which each step of progress takes `total`. It may lag: a step a clock is made, and a pixel of
//! a very small picture is worth many. `all_taken` is exact, a clock after the last pixel. The sum is kept less `total`, so
//! that its sign says whether a step is due, and one addition makes all there is to make in a clock.

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
    // 255 for each pixel taken, less `total` for each step and once more: -total to 509, in two's complement.
    share: Flop<Bits<33>>,
    // A step, and a step with a pixel: -total and 255 - total.
    step: Flop<Bits<33>>,
    both: Flop<Bits<33>>,
    shown: Flop<Bits<8>>,

    ahead: Signal<Local, Bit>,
    whole: Signal<Local, Bits<33>>,
    nothing: Signal<Local, Bits<33>>,
    pixel: Signal<Local, Bits<33>>,
    less: Signal<Local, Bits<33>>,
    change: Signal<Local, Bits<33>>,
    changed: Signal<Local, Bits<33>>,
    one_less: Signal<Local, Bits<32>>,
    next_shown: Signal<Local, Bits<8>>,
    _gate: Gate,
}

sleeper! {
    [] Progress,
    inputs: [reset_n, clear, start, rendering, total, pixel_taken, complete],
    state: |this| {
        this.remaining.q.changed
            || this.share.q.changed
            || this.step.q.changed
            || this.both.q.changed
            || this.shown.q.changed
    }
}

impl Logic for Progress {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, remaining, share, step, both, shown);
        self.whole.next = bit_cast::<33, 32>(self.total.val());
        self.nothing.next = 0.into();
        self.pixel.next = 255.into();
        self.less.next = self.nothing.val() - self.whole.val();
        self.step.d.next = self.less.val();
        self.both.d.next = self.pixel.val() - self.whole.val();

        self.ahead.next = !self.share.q.val().get_bit(32);
        self.change.next = 0.into();
        if self.ahead.val() {
            self.change.next = self.step.q.val();
            if self.pixel_taken.val() {
                self.change.next = self.both.q.val();
            }
        } else if self.pixel_taken.val() {
            self.change.next = self.pixel.val();
        }
        self.changed.next = self.share.q.val() + self.change.val();
        self.one_less.next = self.remaining.q.val() - 1;
        self.next_shown.next = self.shown.q.val() + 1;

        if self.rendering.val() {
            self.share.d.next = self.changed.val();
            // 255 is kept for the end.
            if self.ahead.val() && (self.shown.q.val() != 254) {
                self.shown.d.next = self.next_shown.val();
            }
            if self.pixel_taken.val() {
                self.remaining.d.next = self.one_less.val();
            }
        }
        if self.start.val() {
            self.share.d.next = self.less.val();
            self.remaining.d.next = self.total.val();
        }
        if self.complete.val() {
            self.shown.d.next = 255.into();
        }
        self.progress.next = self.shown.q.val();
        self.all_taken.next = self.remaining.q.val() == 0;

        if self.clear.val() || !self.reset_n.val() {
            // Below zero: no step is due.
            self.share.d.next = !self.nothing.val();
            self.shown.d.next = 0.into();
            self.remaining.d.next = 0.into();
        }
    }
}
