//! The ray generator: walks the pixels in raster order and makes their primary rays.
//!
//! ```text
//!  start (a frame) -> +-----------+ -> open (context): a place in the window is taken
//!  room (window) ---> | Generator | -> generated: context and direction, one primary_ray latency later
//!  freed (context) -> +-----------+ -> idle: every context is free
//! ```
//!
//! A pixel starts when a context is free, the window has room and the datapath takes it; this is the engine's only
//! back-pressure. Contexts come from a queue of those that were freed and, while it is empty, in turn from those not used
//! since reset: nothing needs filling.
//!
//! Everything around the start is in registers, for queue, window and datapath lie far apart: the context is chosen and the
//! last pixel recognised in the clocks before, `open` and all that counts follow in the clock after. So two pixels start
//! three clocks apart at least, and `idle` comes two clocks after the last context.

use crate::datapath::kernels::PrimaryRay;
use crate::gate::Gate;
use crate::mem::{Flop, Queue};
use rayman_derive::GatedBlock;
use rust_hdl_core::prelude::*;
use rust_hdl_widgets::dff_setup;

/// The ray generator for `2^CONTEXT` contexts.
#[derive(GatedBlock)]
pub struct Generator<const CONTEXT: usize> {
    /// The one clock.
    pub clock: Signal<In, Clock>,
    /// Low: no pixel is in flight.
    pub reset_n: Signal<In, Bit>,

    /// Begin with pixel (0, 0).
    pub start: Signal<In, Bit>,
    /// Pixels a row.
    pub width: Signal<In, Bits<16>>,
    /// Rows.
    pub height: Signal<In, Bits<16>>,
    /// Forward, right, up (the latter two scaled to a pixel), each x, y, z; then the centre's x and y.
    pub camera: [Signal<In, Bits<32>>; 11],

    /// The window has room.
    pub room: Signal<In, Bit>,
    /// A pixel has started in the clock before.
    pub open: Signal<Out, Bit>,
    /// In this context.
    pub open_context: Signal<Out, Bits<CONTEXT>>,
    /// A pixel would start, but the window has no room.
    pub blocked: Signal<Out, Bit>,

    /// A pixel is finished.
    pub freed: Signal<In, Bit>,
    /// Its context.
    pub freed_context: Signal<In, Bits<CONTEXT>>,

    /// A primary ray is there.
    pub generated: Signal<Out, Bit>,
    /// Its context.
    pub generated_context: Signal<Out, Bits<CONTEXT>>,
    /// Its direction.
    pub generated_direction: [Signal<Out, Bits<32>>; 3],

    /// Every context is free and no pixel is left to start.
    pub idle: Signal<Out, Bit>,

    free: Queue<Bits<CONTEXT>, CONTEXT>,
    // Contexts from `fresh` on have not been used since reset.
    some_fresh: Flop<Bit>,
    fresh: Flop<Bits<CONTEXT>>,
    fresh_plus: Signal<Local, Bits<CONTEXT>>,
    // The context that the next pixel gets, whether it was freed, and whether there is one.
    next_context: Flop<Bits<CONTEXT>>,
    is_freed: Flop<Bit>,
    has_context: Flop<Bit>,
    has_room: Flop<Bit>,
    walking: Flop<Bit>,
    column: Flop<Bits<16>>,
    column_plus: Signal<Local, Bits<16>>,
    last_column: Flop<Bit>,
    row: Flop<Bits<16>>,
    row_plus: Signal<Local, Bits<16>>,
    last_row: Flop<Bit>,
    wants: Signal<Local, Bit>,
    go: Signal<Local, Bit>,
    // A pixel has started: in the clock before, in the one before that.
    started: Flop<Bit>,
    started_late: Flop<Bit>,
    // Pixels started and not freed: counted a clock late, and there are none.
    freed_late: Flop<Bit>,
    in_flight: Flop<Bits<16>>,
    in_flight_plus: Signal<Local, Bits<16>>,
    in_flight_minus: Signal<Local, Bits<16>>,
    none: Flop<Bit>,
    // There was a pixel to start in the clock before: `none` is no older.
    walking_late: Flop<Bit>,
    datapath: PrimaryRay,
    _gate: Gate,
}

impl<const CONTEXT: usize> Generator<CONTEXT> {
    /// A generator that makes a ray every `interval` clocks.
    pub fn new(interval: u32) -> Self {
        Self {
            clock: Default::default(),
            reset_n: Default::default(),
            start: Default::default(),
            width: Default::default(),
            height: Default::default(),
            camera: Default::default(),
            room: Default::default(),
            open: Default::default(),
            open_context: Default::default(),
            blocked: Default::default(),
            freed: Default::default(),
            freed_context: Default::default(),
            generated: Default::default(),
            generated_context: Default::default(),
            generated_direction: Default::default(),
            idle: Default::default(),
            free: Default::default(),
            some_fresh: Default::default(),
            fresh: Default::default(),
            fresh_plus: Default::default(),
            next_context: Default::default(),
            is_freed: Default::default(),
            has_context: Default::default(),
            has_room: Default::default(),
            walking: Default::default(),
            column: Default::default(),
            column_plus: Default::default(),
            last_column: Default::default(),
            row: Default::default(),
            row_plus: Default::default(),
            last_row: Default::default(),
            wants: Default::default(),
            go: Default::default(),
            started: Default::default(),
            started_late: Default::default(),
            freed_late: Default::default(),
            in_flight: Default::default(),
            in_flight_plus: Default::default(),
            in_flight_minus: Default::default(),
            none: Default::default(),
            walking_late: Default::default(),
            datapath: PrimaryRay::new(interval),
            _gate: Default::default(),
        }
    }
}

impl<const CONTEXT: usize> Logic for Generator<CONTEXT> {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(
            self,
            clock,
            some_fresh,
            fresh,
            next_context,
            is_freed,
            has_context,
            has_room,
            walking,
            walking_late
        );
        dff_setup!(self, clock, column, last_column, row, last_row, started, started_late, freed_late, in_flight, none);
        clock!(self, clock, free, datapath);
        self.free.reset_n.next = self.reset_n.val();
        self.datapath.reset_n.next = self.reset_n.val();

        // The context that a pixel gets: one that was freed, else a fresh one.
        self.free.push.next = self.freed.val();
        self.free.push_data.next = self.freed_context.val();
        self.has_context.d.next = !self.free.empty.val() | self.some_fresh.q.val();

        // A pixel starts. In the clock after, it is counted and its context leaves the queue; one clock more, and the next
        // context and the next pixel are in their registers.
        self.has_room.d.next = self.room.val();
        self.wants.next = self.walking.q.val() & self.has_context.q.val();
        self.go.next = self.wants.val()
            & self.has_room.q.val()
            & self.datapath.ready.val()
            & !self.started.q.val()
            & !self.started_late.q.val();
        // The context stays in the clock after the start, which counts it.
        if !self.go.val() {
            self.is_freed.d.next = !self.free.empty.val();
            self.next_context.d.next = self.free.front.val();
            if self.free.empty.val() {
                self.next_context.d.next = self.fresh.q.val();
            }
        }
        self.blocked.next = self.wants.val() & !self.has_room.q.val();
        self.started.d.next = self.go.val();
        self.started_late.d.next = self.started.q.val();
        self.open.next = self.started.q.val();
        self.open_context.next = self.next_context.q.val();
        self.free.pop.next = self.started.q.val() & self.is_freed.q.val();
        self.fresh_plus.next = self.fresh.q.val() + bits::<CONTEXT>(1);
        if self.started.q.val() & !self.is_freed.q.val() {
            self.fresh.d.next = self.fresh_plus.val();
            if self.fresh.q.val().all() {
                self.some_fresh.d.next = false;
            }
        }

        // The next pixel.
        self.column_plus.next = self.column.q.val() + bits::<16>(1);
        self.row_plus.next = self.row.q.val() + bits::<16>(1);
        self.last_column.d.next = self.column_plus.val() == self.width.val();
        self.last_row.d.next = self.row_plus.val() == self.height.val();
        if self.started.q.val() {
            self.column.d.next = self.column_plus.val();
            if self.last_column.q.val() {
                self.column.d.next = 0.into();
                self.row.d.next = self.row_plus.val();
                if self.last_row.q.val() {
                    self.walking.d.next = false;
                }
            }
        }
        if self.start.val() {
            self.walking.d.next = true;
            self.column.d.next = 0.into();
            self.row.d.next = 0.into();
        }

        // How many are under way.
        self.freed_late.d.next = self.freed.val();
        self.in_flight_plus.next = self.in_flight.q.val() + bits::<16>(1);
        self.in_flight_minus.next = self.in_flight.q.val() - bits::<16>(1);
        if self.started.q.val() & !self.freed_late.q.val() {
            self.in_flight.d.next = self.in_flight_plus.val();
        } else if self.freed_late.q.val() & !self.started.q.val() {
            self.in_flight.d.next = self.in_flight_minus.val();
        }
        self.none.d.next = self.in_flight.q.val() == 0;
        self.walking_late.d.next = self.walking.q.val();
        self.idle.next = !self.walking.q.val() & !self.walking_late.q.val() & self.none.q.val();

        // Its ray.
        self.datapath.start.next = self.go.val();
        self.datapath.forward_x.next = self.camera[0].val();
        self.datapath.forward_y.next = self.camera[1].val();
        self.datapath.forward_z.next = self.camera[2].val();
        self.datapath.right_x.next = self.camera[3].val();
        self.datapath.right_y.next = self.camera[4].val();
        self.datapath.right_z.next = self.camera[5].val();
        self.datapath.up_x.next = self.camera[6].val();
        self.datapath.up_y.next = self.camera[7].val();
        self.datapath.up_z.next = self.camera[8].val();
        self.datapath.centre_x.next = self.camera[9].val();
        self.datapath.centre_y.next = self.camera[10].val();
        self.datapath.pixel.next =
            bit_cast::<32, 16>(self.column.q.val()) | (bit_cast::<32, 16>(self.row.q.val()) << 16);
        self.datapath.tag.next = bit_cast::<32, CONTEXT>(self.next_context.q.val());
        self.generated.next = self.datapath.done.val();
        self.generated_context.next = bit_cast::<CONTEXT, 32>(self.datapath.tag_out.val());
        self.generated_direction[0].next = self.datapath.direction_x.val();
        self.generated_direction[1].next = self.datapath.direction_y.val();
        self.generated_direction[2].next = self.datapath.direction_z.val();

        if !self.reset_n.val() {
            self.some_fresh.d.next = true;
            self.fresh.d.next = 0.into();
            self.has_context.d.next = false;
            self.has_room.d.next = false;
            self.walking.d.next = false;
            self.walking_late.d.next = false;
            self.column.d.next = 0.into();
            self.row.d.next = 0.into();
            self.started.d.next = false;
            self.started_late.d.next = false;
            self.freed_late.d.next = false;
            self.in_flight.d.next = 0.into();
            self.none.d.next = true;
        }
    }
}
