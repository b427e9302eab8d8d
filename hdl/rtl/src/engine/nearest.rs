//! The nearest hit of each ray: compares every test's result with the best so far, and retires rays.
//!
//! ```text
//!  result (done, hit, distance)      -> +---------+ -> hit_write, hit_context, hit_record   (memory of hits)
//!  its tag, a clock ahead ------------> |         |
//!  limit[context] (shadow rays)      -> | Nearest | -> retired, retired_entry, retired_hit  (queues)
//!  sphere ring, written a turn       -> +---------+ -> kill, kill_slot, kill_context        (slots)
//! ```
//!
//! A nearer hit is written two clocks after its result came, a ray retires three clocks after its last; one result a
//! clock, and of a slot one in three clocks, which a turn of four clocks or more gives. A hit is nearer when its distance is less, or the same
//! with a lower sphere index: so the order in which a ray meets the spheres does not matter. Distances are positive
//! numbers, which compare as unsigned integers do. A shadow ray starts with the light's distance and no hit, so only
//! what lies before the light counts; it retires at its first hit, and what its slot still sends is ignored until a
//! first test comes.
//!
//! A streamed sphere may be gone when the ray retires, so whatever shading needs of it is copied on every nearer hit,
//! out of a ring of the last 16 spheres. The ring outlasts the intersector when `16 x 2^SLOT` exceeds its latency by the
//! clocks of the comparison: [`Nearest::outlasts`], which the core asserts.
//!
//! Source: the project's own design; ties to the lower index are *assumed*, see docs/numerics.md.

use super::entry::{Entry, Tag};
use crate::fixed::Fixed;
use crate::gate::Gate;
use crate::mem::{Flop, Ram};
use rayman_derive::GatedBlock;
use rust_hdl_core::prelude::*;
use rust_hdl_widgets::dff_setup;

/// Spheres in the ring: a turn has 4 bits.
const RING_SPHERES: usize = 16;

/// The result side of a lane of `2^SLOT` slots (at most 32), for `2^CONTEXT` contexts (at most 1024).
#[derive(GatedBlock, Default)]
pub struct Nearest<const CONTEXT: usize, const SLOT: usize> {
    /// The one clock.
    pub clock: Signal<In, Clock>,
    /// Low: nothing is being compared.
    pub reset_n: Signal<In, Bit>,

    /// A result is there.
    pub done: Signal<In, Bit>,
    /// The ray hits the sphere.
    pub hit: Signal<In, Bit>,
    /// At this distance.
    pub distance: Signal<In, Bits<32>>,
    /// The tag that the test was sent with whose result comes in the next clock.
    pub next_tag: Signal<In, Tag>,

    /// Context whose limit is wanted.
    pub limit_context: Signal<Out, Bits<CONTEXT>>,
    /// Its distance to the light, one clock later.
    pub limit: Signal<In, Bits<32>>,

    /// The sphere on show now: index, centre x, y, z, inverse radius, material.
    pub sphere: [Signal<In, Bits<32>>; 6],
    /// It is on show.
    pub sphere_valid: Signal<In, Bit>,
    /// In this turn.
    pub sphere_turn: Signal<In, Bits<4>>,

    /// Write the record of a nearer hit.
    pub hit_write: Signal<Out, Bit>,
    /// For this context.
    pub hit_context: Signal<Out, Bits<CONTEXT>>,
    /// Distance, index, centre x, y, z, inverse radius, material.
    pub hit_record: [Signal<Out, Bits<32>>; 7],

    /// A ray retires.
    pub retired: Signal<Out, Bit>,
    /// Which ray.
    pub retired_entry: Signal<Out, Entry>,
    /// It has hit something.
    pub retired_hit: Signal<Out, Bit>,

    /// The ray of this slot has retired early.
    pub kill: Signal<Out, Bit>,
    /// The slot.
    pub kill_slot: Signal<Out, Bits<SLOT>>,
    /// Its context.
    pub kill_context: Signal<Out, Bits<10>>,

    ring: Ram<6, 4>,
    // The spheres' indices once more, read a clock ahead of the rest.
    indices: Ram<1, 4>,
    // Best so far of each slot's ray: distance, index, and 1 if there is one.
    best: Ram<3, SLOT>,
    dead: Flop<Bits<32>>,
    slot: Signal<Local, Bits<SLOT>>,
    // The tag of the result that is there.
    tag: Flop<Tag>,
    // The result, beside what was read for it.
    late_done: Flop<Bit>,
    late_hit: Flop<Bit>,
    late_distance: Flop<Bits<32>>,
    late_tag: Flop<Tag>,
    late_limit: Flop<Bits<32>>,
    // The result, beside what it has to beat.
    last_done: Flop<Bit>,
    last_hit: Flop<Bit>,
    last_distance: Flop<Bits<32>>,
    last_tag: Flop<Tag>,
    last_found: Flop<Bit>,
    last_dead: Flop<Bit>,
    // How it compares with that.
    is_less: Flop<Bit>,
    is_equal: Flop<Bit>,
    is_lower: Flop<Bit>,
    below_best: Signal<Local, Bit>,
    below_limit: Signal<Local, Bit>,
    below_infinity: Signal<Local, Bit>,
    infinity: Fixed<32, 0x7f80_0000>,
    beat_distance: Flop<Bits<32>>,
    beat_index: Flop<Bits<32>>,
    late_slot: Signal<Local, Bits<SLOT>>,
    live: Signal<Local, Bit>,
    nearer: Signal<Local, Bit>,
    retire: Signal<Local, Bit>,
    // What comes of it for queue and slots.
    retired_state: Flop<Bit>,
    retired_entry_state: Flop<Entry>,
    retired_hit_state: Flop<Bit>,
    kill_state: Flop<Bit>,
    kill_slot_state: Flop<Bits<SLOT>>,
    _gate: Gate,
}

impl<const CONTEXT: usize, const SLOT: usize> Nearest<CONTEXT, SLOT> {
    /// A sphere is still in the ring when the results of its tests come, `latency` clocks after they were sent.
    ///
    /// A sphere is on show for a turn of `2^SLOT` clocks, and its place in the ring is taken again 16 turns after it came.
    /// What was tested in its first clock is looked up `latency` clocks later, and used in the clock after that.
    pub const fn outlasts(latency: usize) -> bool {
        latency + 3 <= RING_SPHERES << SLOT
    }
}

impl<const CONTEXT: usize, const SLOT: usize> Logic for Nearest<CONTEXT, SLOT> {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, dead, tag, late_done, late_hit, late_distance, late_tag, late_limit);
        dff_setup!(self, clock, last_done, last_hit, last_distance, last_tag, last_found, last_dead);
        dff_setup!(self, clock, beat_distance, beat_index);
        dff_setup!(self, clock, retired_state, retired_entry_state, retired_hit_state, kill_state, kill_slot_state);
        dff_setup!(self, clock, is_less, is_equal, is_lower);
        clock!(self, clock, ring, indices, best);

        // The limit is read a clock before the result is there, for it comes from a large memory and is waited for in a
        // register. Everything else that the result needs is read as it arrives.
        self.tag.d.next = self.next_tag.val();
        self.limit_context.next = bit_cast::<CONTEXT, 10>(self.next_tag.val().context);
        self.best.read_address.next = bit_cast::<SLOT, 5>(self.tag.q.val().slot);
        self.late_done.d.next = self.done.val();
        if self.done.val() {
            self.late_hit.d.next = self.hit.val();
            self.late_distance.d.next = self.distance.val();
            self.late_tag.d.next = self.tag.q.val();
            self.late_limit.d.next = self.limit.val();
        }

        self.ring.write_enable.next = self.sphere_valid.val();
        self.ring.write_address.next = self.sphere_turn.val();
        for i in 0..6 {
            self.ring.write_data[i].next = self.sphere[i].val();
        }

        self.indices.write_enable.next = self.sphere_valid.val();
        self.indices.write_address.next = self.sphere_turn.val();
        self.indices.write_data[0].next = self.sphere[0].val();

        // What there is to beat, and whether it is beaten: all comparisons at once, of which the tag chooses.
        self.indices.read_address.next = self.tag.q.val().turn;
        self.ring.read_address.next = self.late_tag.q.val().turn;
        self.late_slot.next = bit_cast::<SLOT, 5>(self.late_tag.q.val().slot);
        self.last_done.d.next = self.late_done.q.val();
        self.last_hit.d.next = self.late_hit.q.val();
        self.last_distance.d.next = self.late_distance.q.val();
        self.last_tag.d.next = self.late_tag.q.val();
        self.last_dead.d.next = !self.late_tag.q.val().first & self.dead.q.val().get_bit(self.late_slot.val().index());
        self.last_found.d.next = !self.late_tag.q.val().first & self.best.read_data[2].val().get_bit(0);
        self.beat_index.d.next = self.best.read_data[1].val();
        self.beat_distance.d.next = self.best.read_data[0].val();
        if self.late_tag.q.val().first {
            // Infinity, which no hit is at.
            self.beat_distance.d.next = self.infinity.val();
            if self.late_tag.q.val().shadow {
                self.beat_distance.d.next = self.late_limit.q.val();
            }
        }

        self.below_best.next = self.late_distance.q.val() < self.best.read_data[0].val();
        self.below_limit.next = self.late_distance.q.val() < self.late_limit.q.val();
        self.below_infinity.next = self.late_distance.q.val() < self.infinity.val();
        self.is_less.d.next = self.below_best.val();
        if self.late_tag.q.val().first {
            self.is_less.d.next = self.below_infinity.val();
            if self.late_tag.q.val().shadow {
                self.is_less.d.next = self.below_limit.val();
            }
        }
        self.is_equal.d.next = self.late_distance.q.val() == self.best.read_data[0].val();
        self.is_lower.d.next = self.indices.read_data[0].val() < self.best.read_data[1].val();

        // Is it nearer?
        self.slot.next = bit_cast::<SLOT, 5>(self.last_tag.q.val().slot);
        self.live.next = self.last_done.q.val() & !self.last_dead.q.val();
        self.nearer.next = self.live.val()
            & self.last_hit.q.val()
            & (self.is_less.q.val() | (self.last_found.q.val() & self.is_equal.q.val() & self.is_lower.q.val()));

        // The best from now on.
        self.best.write_enable.next = self.live.val();
        self.best.write_address.next = self.slot.val();
        self.best.write_data[0].next = self.beat_distance.q.val();
        self.best.write_data[1].next = self.beat_index.q.val();
        self.best.write_data[2].next = 0.into();
        if self.last_found.q.val() | self.nearer.val() {
            self.best.write_data[2].next = 1.into();
        }
        if self.nearer.val() {
            self.best.write_data[0].next = self.last_distance.q.val();
            self.best.write_data[1].next = self.ring.read_data[0].val();
        }

        // A shadow ray's hit must not overwrite that of the surface it left.
        self.hit_write.next = self.nearer.val() & !self.last_tag.q.val().shadow;
        self.hit_context.next = bit_cast::<CONTEXT, 10>(self.last_tag.q.val().context);
        self.hit_record[0].next = self.last_distance.q.val();
        for i in 0..6 {
            self.hit_record[i + 1].next = self.ring.read_data[i].val();
        }

        self.retire.next =
            self.live.val() & (self.last_tag.q.val().last | (self.last_tag.q.val().shadow & self.nearer.val()));
        self.retired_state.d.next = self.retire.val();
        self.retired_entry_state.d.next.context = self.last_tag.q.val().context;
        self.retired_entry_state.d.next.shadow = self.last_tag.q.val().shadow;
        self.retired_entry_state.d.next.reflection = self.last_tag.q.val().reflection;
        self.retired_entry_state.d.next.carry = self.last_tag.q.val().carry;
        self.retired_hit_state.d.next = self.last_found.q.val() | self.nearer.val();
        self.retired.next = self.retired_state.q.val();
        self.retired_entry.next = self.retired_entry_state.q.val();
        self.retired_hit.next = self.retired_hit_state.q.val();

        self.kill_state.d.next = self.retire.val() & !self.last_tag.q.val().last;
        self.kill_slot_state.d.next = self.slot.val();
        self.kill.next = self.kill_state.q.val();
        self.kill_slot.next = self.kill_slot_state.q.val();
        self.kill_context.next = self.retired_entry_state.q.val().context;
        if self.live.val() {
            self.dead.d.next = self.dead.q.val().replace_bit(self.slot.val().index(), self.retire.val());
        }

        if !self.reset_n.val() {
            self.dead.d.next = 0.into();
            self.late_done.d.next = false;
            self.late_hit.d.next = false;
            self.late_distance.d.next = 0.into();
            self.late_tag.d.next.first = false;
            self.last_done.d.next = false;
            self.retired_state.d.next = false;
            self.kill_state.d.next = false;
        }
    }
}
