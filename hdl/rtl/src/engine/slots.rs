//! The slots of a lane: each holds one ray and sends it to the intersector once a turn, with the sphere on show.
//!
//! ```text
//!  ray (staged) --valid/ready--> +-------+ -> test_start, ray, own, inside, tag   (to sphere_hit, same clock)
//!  sphere --------valid/ready--> | Slots | -> loaded, loaded_kind                 (to the counters)
//!  kill (slot, context) -------> +-------+
//! ```
//!
//! Sphere k is on show for `2^SLOT` clocks, a *turn*; slot s has its test on clock s of the turn. A ray joins at
//! whatever sphere is on show, leaves when the sphere before the one it joined at has been tested, and its slot takes
//! the next ray in the very turn that follows. Throughput: one test a clock while rays and spheres come.
//!
//! `kill` ends a ray early: a shadow ray's hit makes its other tests pointless. It takes effect at the slot's next turn
//! that begins two clocks later or more. It names the context too, because the slot may hold another ray by then.
//!
//! Always holds: a test is issued only with `sphere_valid`; between two tests of a slot there are at least `2^SLOT`
//! clocks; results of a slot come back in the order of its tests.
//! Source: the project's own design; see ARCHITECTURE.md.

use super::entry::{Entry, Tag};
use crate::gate::Gate;
use crate::mem::{Flop, Ram, Store};
use rayman_derive::GatedBlock;
use rust_hdl_core::prelude::*;
use rust_hdl_widgets::dff_setup;

/// `2^SLOT` slots, at most 32.
#[derive(GatedBlock, Default)]
pub struct Slots<const SLOT: usize> {
    /// The one clock.
    pub clock: Signal<In, Clock>,
    /// Low: all slots empty, turn 0.
    pub reset_n: Signal<In, Bit>,

    /// A ray waits to join.
    pub ray_valid: Signal<In, Bit>,
    /// It joins in this clock.
    pub ray_ready: Signal<Out, Bit>,
    /// The waiting ray.
    pub ray_entry: Signal<In, Entry>,
    /// Origin x, y, z, then direction x, y, z.
    pub ray: [Signal<In, Bits<32>>; 6],
    /// The sphere that the ray starts on.
    pub ray_start: Signal<In, Bits<32>>,
    /// The ray starts within that sphere.
    pub ray_inside: Signal<In, Bit>,

    /// A sphere is on show.
    pub sphere_valid: Signal<In, Bit>,
    /// Its turn ends in this clock.
    pub sphere_ready: Signal<Out, Bit>,
    /// Its index.
    pub sphere_index: Signal<In, Bits<32>>,
    /// Number of spheres, at least 1 while `sphere_valid`, and the same a clock before.
    pub sphere_count: Signal<In, Bits<32>>,

    /// End a ray early.
    pub kill: Signal<In, Bit>,
    /// The slot it was in.
    pub kill_slot: Signal<In, Bits<SLOT>>,
    /// Its context.
    pub kill_context: Signal<In, Bits<10>>,

    /// A test is issued in this clock.
    pub test_start: Signal<Out, Bit>,
    /// Origin and direction of its ray.
    pub test_ray: [Signal<Out, Bits<32>>; 6],
    /// Its ray starts on the sphere on show.
    pub test_own: Signal<Out, Bit>,
    /// Its ray starts within the sphere that it starts on.
    pub test_inside: Signal<Out, Bit>,
    /// What the result needs to find its way.
    pub test_tag: Signal<Out, Tag>,
    /// The test's ray was already killed.
    pub test_dead: Signal<Out, Bit>,
    /// Turn number of the sphere on show, which is also its place in the ring of recent spheres.
    pub turn: Signal<Out, Bits<4>>,
    /// A ray joins in this clock.
    pub loaded: Signal<Out, Bit>,

    // Where the carousel stands, and the slot after that.
    phase: Flop<Bits<SLOT>>,
    phase_ahead: Flop<Bits<SLOT>>,
    phase_after: Signal<Local, Bits<SLOT>>,
    phase_next: Signal<Local, Bits<SLOT>>,
    // It is the turn's last clock.
    turn_ends: Flop<Bit>,
    turn_now: Flop<Bits<4>>,
    turn_plus: Signal<Local, Bits<4>>,
    // The rays: words 0 to 5 the ray, 6 the sphere it starts on, 7 the sphere of its last test, 8 whether it starts within that sphere.
    rays: Ram<9, SLOT>,
    entries: Store<Entry, SLOT>,
    // Which slots hold a ray: a ring that turns with the carousel. Bit 0 is of the slot whose clock it is, and what becomes
    // of that comes in at the other end; so neither a choice among 32 nor a decoder stands before or behind a test.
    active: Flop<Bits<32>>,
    ring_end: Signal<Local, Bits<SLOT>>,
    // What came in a clock ago is only known now.
    came: Flop<Bit>,
    stays_late: Flop<Bit>,
    ring: Signal<Local, Bits<32>>,
    // A kill looks up whose the slot is, and a clock later waits for the slot's turn if it is still that ray's: so at its
    // turn a slot's ray is held or not by two registers.
    contexts: Store<Bits<10>, SLOT>,
    kill_late: Flop<Bit>,
    kill_slot_late: Flop<Bits<SLOT>>,
    kill_context_late: Flop<Bits<10>>,
    // The slot took another ray in the kill's own clock.
    retaken: Flop<Bit>,
    found: Signal<Local, Bit>,
    // One bit a slot: whose clock it is, whom a kill named a clock ago. Decoded a clock ahead, for `take` comes late in a clock.
    here: Flop<Bits<32>>,
    named: Flop<Bits<32>>,
    none: Signal<Local, Bits<32>>,
    passing: Signal<Local, Bits<32>>,
    joining: Signal<Local, Bits<32>>,
    ending: Signal<Local, Bits<32>>,
    pending: Flop<Bits<32>>,
    // Of the slot whose clock it is: its bit of `pending`.
    pending_now: Flop<Bit>,
    // This clock's test.
    held: Signal<Local, Bit>,
    take: Signal<Local, Bit>,
    issue: Signal<Local, Bit>,
    previous_index: Signal<Local, Bits<32>>,
    // Whether a slot's next test is its ray's last: a ring as `active`. It is found with the sphere that comes next, in the clock after
    // the test before.
    next_index: Flop<Bits<32>>,
    index_plus: Signal<Local, Bits<32>>,
    candidate: Flop<Bits<32>>,
    last_comes: Signal<Local, Bit>,
    lasts: Flop<Bits<32>>,
    lasts_ring: Signal<Local, Bits<32>>,
    last: Signal<Local, Bit>,
    // There is only one sphere: known in the clock after, long before it is on show.
    only: Flop<Bit>,
    // The slot keeps a ray for its next turn.
    stays: Signal<Local, Bit>,
    entry: Signal<Local, Entry>,
    own_joins: Signal<Local, Bit>,
    own_stays: Signal<Local, Bit>,
    dying_now: Signal<Local, Bit>,
    dying_late: Signal<Local, Bit>,
    _gate: Gate,
}

impl<const SLOT: usize> Logic for Slots<SLOT> {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, phase, phase_ahead, turn_now, turn_ends, active, pending, pending_now);
        dff_setup!(
            self,
            clock,
            next_index,
            candidate,
            lasts,
            came,
            stays_late,
            here,
            named,
            only,
            kill_late,
            kill_slot_late,
            kill_context_late,
            retaken
        );
        clock!(self, clock, rays, entries, contexts);

        // The carousel: a clock of the turn passes whenever a sphere is on show.
        self.phase_after.next = self.phase_ahead.q.val() + bits::<SLOT>(1);
        self.phase_next.next = self.phase.q.val();
        self.turn_plus.next = self.turn_now.q.val() + bits::<4>(1);
        self.sphere_ready.next = self.turn_ends.q.val();
        if self.sphere_valid.val() {
            self.phase_next.next = self.phase_ahead.q.val();
            self.phase_ahead.d.next = self.phase_after.val();
            self.turn_ends.d.next = self.phase_ahead.q.val().all();
            if self.turn_ends.q.val() {
                self.turn_now.d.next = self.turn_plus.val();
            }
        }
        self.phase.d.next = self.phase_next.val();
        self.none.next = 0.into();
        self.here.d.next = self.none.val().replace_bit(self.phase_next.val().index(), true);
        self.turn.next = self.turn_now.q.val();

        // The slot whose clock comes next is read now.
        self.rays.read_address.next = self.phase_next.val();
        self.entries.read_address.next = self.phase_next.val();

        // What the slot holds, and whether that is still wanted.
        self.held.next = self.active.q.val().get_bit(0) & !self.pending_now.q.val();
        self.take.next = self.sphere_valid.val() & self.ray_valid.val() & !self.held.val();
        self.issue.next = self.sphere_valid.val() & (self.ray_valid.val() | self.held.val());
        self.ray_ready.next = self.sphere_valid.val() & !self.held.val();
        self.loaded.next = self.take.val();

        // The last test is the one with the sphere before the one at which the ray joined.
        self.previous_index.next = self.sphere_index.val() - bits::<32>(1);
        if self.sphere_index.val() == 0 {
            self.previous_index.next = self.sphere_count.val() - bits::<32>(1);
        }

        // The test: the slot's ray, or the one that joins.
        for i in 0..6 {
            self.test_ray[i].next = self.ray[i].val();
            self.rays.write_data[i].next = self.ray[i].val();
            if self.held.val() {
                self.test_ray[i].next = self.rays.read_data[i].val();
            }
        }
        self.entry.next = self.ray_entry.val();
        self.test_inside.next = self.ray_inside.val();
        // A ray that joins has met all spheres at once where there is only one.
        self.only.d.next = self.sphere_count.val() == 1;
        self.last.next = self.only.q.val();
        if self.held.val() {
            self.entry.next = self.entries.read_data.val();
            self.test_inside.next = self.rays.read_data[8].val().get_bit(0);
            self.last.next = self.lasts.q.val().get_bit(0);
        }
        self.index_plus.next = self.sphere_index.val() + bits::<32>(1);
        self.next_index.d.next = self.index_plus.val();
        if self.index_plus.val() == self.sphere_count.val() {
            self.next_index.d.next = 0.into();
        }
        self.candidate.d.next = self.previous_index.val();
        if self.held.val() {
            self.candidate.d.next = self.rays.read_data[7].val();
        }
        self.last_comes.next = self.candidate.q.val() == self.next_index.q.val();
        // A primary ray starts on no sphere.
        self.own_joins.next = (self.ray_entry.val().shadow | self.ray_entry.val().reflection)
            & (self.ray_start.val() == self.sphere_index.val());
        self.own_stays.next = (self.entries.read_data.val().shadow | self.entries.read_data.val().reflection)
            & (self.rays.read_data[6].val() == self.sphere_index.val());
        self.test_own.next = (self.held.val() & self.own_stays.val()) | (!self.held.val() & self.own_joins.val());
        self.test_start.next = self.issue.val();
        self.test_tag.next.context = self.entry.val().context;
        self.test_tag.next.shadow = self.entry.val().shadow;
        self.test_tag.next.reflection = self.entry.val().reflection;
        self.test_tag.next.carry = self.entry.val().carry;
        self.test_tag.next.first = !self.held.val();
        self.test_tag.next.last = self.last.val();
        self.test_tag.next.slot = bit_cast::<5, SLOT>(self.phase.q.val());
        self.test_tag.next.turn = self.turn_now.q.val();

        // What the slot holds from now on.
        self.rays.write_enable.next = self.take.val();
        self.rays.write_address.next = self.phase.q.val();
        self.rays.write_data[6].next = self.ray_start.val();
        self.rays.write_data[7].next = self.previous_index.val();
        self.rays.write_data[8].next = 0.into();
        if self.ray_inside.val() {
            self.rays.write_data[8].next = 1.into();
        }
        self.entries.write_enable.next = self.take.val();
        self.entries.write_address.next = self.phase.q.val();
        self.entries.write_data.next = self.ray_entry.val();
        self.stays.next = self.issue.val() & !self.last.val();
        self.ring_end.next = bits::<SLOT>(0) - bits::<SLOT>(1);
        self.ring.next = self.active.q.val();
        if self.came.q.val() {
            self.ring.next = self.active.q.val().replace_bit(self.ring_end.val().index(), self.stays_late.q.val());
        }
        self.lasts_ring.next = self.lasts.q.val();
        if self.came.q.val() {
            self.lasts_ring.next = self.lasts.q.val().replace_bit(self.ring_end.val().index(), self.last_comes.val());
        }
        self.lasts.d.next = self.lasts_ring.val();
        if self.sphere_valid.val() {
            self.lasts.d.next = self.lasts_ring.val() >> 1;
        }
        self.came.d.next = self.sphere_valid.val();
        self.stays_late.d.next = self.stays.val();
        self.active.d.next = self.ring.val();
        if self.sphere_valid.val() {
            self.active.d.next = self.ring.val() >> 1;
        }

        // Kills.
        self.contexts.write_enable.next = self.take.val();
        self.contexts.write_address.next = self.phase.q.val();
        self.contexts.write_data.next = self.ray_entry.val().context;
        self.contexts.read_address.next = self.kill_slot.val();
        self.kill_late.d.next = self.kill.val();
        self.kill_slot_late.d.next = self.kill_slot.val();
        self.kill_context_late.d.next = self.kill_context.val();
        self.retaken.d.next = self.take.val() & (self.kill_slot.val() == self.phase.q.val());
        self.found.next = self.kill_late.q.val()
            & (self.contexts.read_data.val() == self.kill_context_late.q.val())
            & !self.retaken.q.val();
        self.named.d.next = self.none.val().replace_bit(self.kill_slot.val().index(), true);
        self.passing.next = self.none.val();
        if self.sphere_valid.val() {
            self.passing.next = self.here.q.val();
        }
        self.joining.next = self.none.val();
        if self.take.val() {
            self.joining.next = self.here.q.val();
        }
        self.ending.next = self.none.val();
        if self.found.val() {
            self.ending.next = self.named.q.val();
        }
        self.pending.d.next = (self.pending.q.val() & !self.passing.val()) | (self.ending.val() & !self.joining.val());
        // The next clock's slot: this clock changes another one's bit, but for a kill's, or nothing, and takes no ray for it.
        if self.sphere_valid.val() {
            self.pending_now.d.next = self.pending.q.val().get_bit(self.phase_ahead.q.val().index())
                | (self.found.val() & (self.kill_slot_late.q.val() == self.phase_ahead.q.val()));
        } else if self.found.val() & (self.kill_slot_late.q.val() == self.phase.q.val()) {
            self.pending_now.d.next = true;
        }
        // A test issued between a kill and its taking effect.
        self.dying_now.next = self.kill.val()
            & (self.kill_slot.val() == self.phase.q.val())
            & (self.kill_context.val() == self.entries.read_data.val().context);
        self.dying_late.next = self.kill_late.q.val()
            & (self.kill_slot_late.q.val() == self.phase.q.val())
            & (self.kill_context_late.q.val() == self.entries.read_data.val().context);
        self.test_dead.next = self.held.val() & (self.dying_now.val() | self.dying_late.val());

        if !self.reset_n.val() {
            self.phase.d.next = 0.into();
            self.phase_ahead.d.next = 1.into();
            self.here.d.next = 1.into();
            self.turn_now.d.next = 0.into();
            self.active.d.next = 0.into();
            self.came.d.next = false;
            self.kill_late.d.next = false;
            self.kill_slot_late.d.next = 0.into();
            self.kill_context_late.d.next = 0.into();
            self.retaken.d.next = false;
            self.pending.d.next = 0.into();
            self.pending_now.d.next = false;
            self.turn_ends.d.next = false;
        }
    }
}
