//! The rays that wait, and the one that is ready to join.
//!
//! ```text
//!  generated (context) ----> queue --+
//!  shaded (entry) ---------> queue --+-> oldest work first -> picked -> memories -> ray --valid/ready--> (lanes)
//!  returned (entry) -------> queue --'
//! ```
//!
//! Reflection rays whose shadow ray has returned go first, then rays that the shader made, then primary rays: pixels
//! that are further on finish first and free their contexts. A ray is offered six clocks after it came, if none is before
//! it, and the next one in the second clock after it was taken: a ray in two clocks. Two rays are picked ahead, so that the choice
//! among the queues is not made in the clock in which a ray leaves, and one in two clocks, so that it is made out of registers; and what the memories hold is in registers, which may be their
//! own, before anyone chooses among them.
//!
//! Memories, each with one writer: primary directions (ray generator), points and secondary directions (shader), the
//! sphere that a secondary ray starts on (written when shading starts).

use super::entry::Entry;
use crate::gate::Gate;
use crate::mem::{Fifo, Flop, Queue, Ram};
use rayman_derive::GatedBlock;
use rust_hdl_core::prelude::*;
use rust_hdl_widgets::dff_setup;

/// Waiting rays of `2^CONTEXT` contexts.
#[derive(GatedBlock, Default)]
pub struct Staging<const CONTEXT: usize> {
    /// The one clock.
    pub clock: Signal<In, Clock>,
    /// Low: no ray waits.
    pub reset_n: Signal<In, Bit>,
    /// Where primary rays start: the camera's position.
    pub position: [Signal<In, Bits<32>>; 3],

    /// A primary ray is there.
    pub generated: Signal<In, Bit>,
    /// Its context.
    pub generated_context: Signal<In, Bits<CONTEXT>>,
    /// Its direction.
    pub generated_direction: [Signal<In, Bits<32>>; 3],

    /// The shader's answer is there: write point and directions of `shaded_context`.
    pub shaded: Signal<In, Bit>,
    /// Whose.
    pub shaded_context: Signal<In, Bits<CONTEXT>>,
    /// Point, direction to the light, reflected direction.
    pub shaded_rays: [Signal<In, Bits<32>>; 9],
    /// The rays start within the sphere.
    pub shaded_inside: Signal<In, Bit>,
    /// A ray follows from it.
    pub follow: Signal<In, Bit>,
    /// Which.
    pub follow_entry: Signal<In, Entry>,

    /// A shadow ray has returned and a reflection ray follows.
    pub returned: Signal<In, Bit>,
    /// The reflection ray.
    pub returned_entry: Signal<In, Entry>,

    /// Shading of a hit begins: its rays will start on this sphere.
    pub start_write: Signal<In, Bit>,
    /// Whose.
    pub start_context: Signal<In, Bits<CONTEXT>>,
    /// Index of the sphere.
    pub start_index: Signal<In, Bits<32>>,

    /// A ray is ready to join.
    pub ray_valid: Signal<Out, Bit>,
    /// It joins in this clock.
    pub ray_ready: Signal<In, Bit>,
    /// Which.
    pub ray_entry: Signal<Out, Entry>,
    /// Origin and direction.
    pub ray: [Signal<Out, Bits<32>>; 6],
    /// Sphere that it starts on.
    pub ray_start: Signal<Out, Bits<32>>,
    /// It starts within that sphere.
    pub ray_inside: Signal<Out, Bit>,

    generated_queue: Queue<Bits<CONTEXT>, CONTEXT>,
    shaded_queue: Queue<Entry, CONTEXT>,
    returned_queue: Queue<Entry, CONTEXT>,
    // What came off the queues a clock ago, from which of them, and whether it is to be picked.
    coming: Flop<Bit>,
    from_returned: Flop<Bit>,
    from_shaded: Flop<Bit>,
    returned_late: Flop<Entry>,
    shaded_late: Flop<Entry>,
    generated_late: Flop<Bits<CONTEXT>>,
    picks: Signal<Local, Bit>,
    picked: Fifo<Entry, 1>,
    primary: Ram<3, CONTEXT>,
    secondary: Ram<10, CONTEXT>,
    start: Ram<1, CONTEXT>,
    valid: Flop<Bit>,
    entry: Flop<Entry>,
    // What was read for it is in the registers.
    settled: Flop<Bit>,
    primary_late: [Flop<Bits<32>>; 3],
    secondary_late: [Flop<Bits<32>>; 9],
    inside_late: Flop<Bit>,
    start_late: Flop<Bits<32>>,
    taken: Signal<Local, Bit>,
    take: Signal<Local, Bit>,
    entry_next: Signal<Local, Entry>,
    address: Signal<Local, Bits<CONTEXT>>,
    _gate: Gate,
}

impl<const CONTEXT: usize> Logic for Staging<CONTEXT> {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, coming, from_returned, from_shaded, returned_late, shaded_late, generated_late);
        dff_setup!(self, clock, valid, entry, settled, inside_late, start_late);
        clock!(self, clock, generated_queue, shaded_queue, returned_queue, picked, primary, secondary, start);
        self.generated_queue.reset_n.next = self.reset_n.val();
        self.shaded_queue.reset_n.next = self.reset_n.val();
        self.returned_queue.reset_n.next = self.reset_n.val();
        self.picked.reset_n.next = self.reset_n.val();
        self.picked.clear.next = false;

        // What arrives.
        self.generated_queue.push.next = self.generated.val();
        self.generated_queue.push_data.next = self.generated_context.val();
        self.primary.write_enable.next = self.generated.val();
        self.primary.write_address.next = self.generated_context.val();
        for i in 0..3 {
            self.primary.write_data[i].next = self.generated_direction[i].val();
        }
        self.shaded_queue.push.next = self.follow.val();
        self.shaded_queue.push_data.next = self.follow_entry.val();
        self.secondary.write_enable.next = self.shaded.val();
        self.secondary.write_address.next = self.shaded_context.val();
        for i in 0..9 {
            self.secondary.write_data[i].next = self.shaded_rays[i].val();
        }
        self.secondary.write_data[9].next = 0.into();
        if self.shaded_inside.val() {
            self.secondary.write_data[9].next = 1.into();
        }
        self.returned_queue.push.next = self.returned.val();
        self.returned_queue.push_data.next = self.returned_entry.val();
        self.start.write_enable.next = self.start_write.val();
        self.start.write_address.next = self.start_context.val();
        self.start.write_data[0].next = self.start_index.val();

        // Which goes next.
        self.generated_queue.pop.next = false;
        self.shaded_queue.pop.next = false;
        self.returned_queue.pop.next = false;
        self.picks.next = !self.picked.full.val() & !self.coming.q.val();
        self.coming.d.next = self.picks.val()
            & (!self.generated_queue.empty.val() | !self.shaded_queue.empty.val() | !self.returned_queue.empty.val());
        self.from_returned.d.next = !self.returned_queue.empty.val();
        self.from_shaded.d.next = !self.shaded_queue.empty.val();
        self.returned_late.d.next = self.returned_queue.front.val();
        self.shaded_late.d.next = self.shaded_queue.front.val();
        self.generated_late.d.next = self.generated_queue.front.val();
        self.picked.push.next = self.coming.q.val();
        self.picked.push_data.next.context = bit_cast::<10, CONTEXT>(self.generated_late.q.val());
        self.picked.push_data.next.shadow = false;
        self.picked.push_data.next.reflection = false;
        self.picked.push_data.next.carry = false;
        if self.from_returned.q.val() {
            self.picked.push_data.next = self.returned_late.q.val();
        } else if self.from_shaded.q.val() {
            self.picked.push_data.next = self.shaded_late.q.val();
        }
        if self.picks.val() {
            if !self.returned_queue.empty.val() {
                self.returned_queue.pop.next = true;
            } else if !self.shaded_queue.empty.val() {
                self.shaded_queue.pop.next = true;
            } else {
                self.generated_queue.pop.next = true;
            }
        }

        // It is staged as the one before it leaves. Its context addresses the memories in the same clock, and keeps doing so
        // until it is taken.
        self.taken.next = self.settled.q.val() & self.ray_ready.val();
        self.take.next = !self.picked.empty.val() & (!self.valid.q.val() | self.taken.val());
        self.picked.pop.next = self.take.val();
        self.entry_next.next = self.entry.q.val();
        if self.take.val() {
            self.entry_next.next = self.picked.front.val();
        }
        self.entry.d.next = self.entry_next.val();
        self.address.next = bit_cast::<CONTEXT, 10>(self.entry_next.val().context);
        self.primary.read_address.next = self.address.val();
        self.secondary.read_address.next = self.address.val();
        self.start.read_address.next = self.address.val();
        if self.take.val() {
            self.valid.d.next = true;
        } else if self.taken.val() {
            self.valid.d.next = false;
        }
        self.settled.d.next = self.valid.q.val() & !self.taken.val();
        for i in 0..3 {
            self.primary_late[i].clock.next = self.clock.val();
            self.primary_late[i].d.next = self.primary.read_data[i].val();
        }
        for i in 0..9 {
            self.secondary_late[i].clock.next = self.clock.val();
            self.secondary_late[i].d.next = self.secondary.read_data[i].val();
        }
        self.inside_late.d.next = self.secondary.read_data[9].val().get_bit(0);
        self.start_late.d.next = self.start.read_data[0].val();

        // The staged ray.
        self.ray_valid.next = self.settled.q.val();
        self.ray_entry.next = self.entry.q.val();
        self.ray_start.next = self.start_late.q.val();
        self.ray_inside.next = self.inside_late.q.val() & (self.entry.q.val().shadow | self.entry.q.val().reflection);
        for i in 0..3 {
            self.ray[i].next = self.secondary_late[i].q.val();
            self.ray[i + 3].next = self.secondary_late[i + 6].q.val();
            if self.entry.q.val().shadow {
                self.ray[i + 3].next = self.secondary_late[i + 3].q.val();
            } else if !self.entry.q.val().reflection {
                self.ray[i].next = self.position[i].val();
                self.ray[i + 3].next = self.primary_late[i].q.val();
            }
        }

        if !self.reset_n.val() {
            self.coming.d.next = false;
            self.valid.d.next = false;
            self.settled.d.next = false;
        }
    }
}
