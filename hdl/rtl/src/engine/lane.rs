//! A lane: slots, an intersector, and what both need of their own. One ray-sphere test a clock.
//!
//! ```text
//!  ray, give / wants -> staged ray -> Slots -> sphere_hit, tags -> Nearest -> queue -> retired, waits / take
//!  sphere (shared) ------------------^   ^---------- kill -----------'  '-> hits -> hit of hit_context, a clock later
//!  limit (written to all lanes) -------------------------> limits ------^
//! ```
//!
//! All lanes see one stream of spheres and count its turns alike, so lane 0's `sphere_ready` speaks for all. A ray is given
//! to the lane that wants one; the lane keeps it beside its slots until one is free, so lanes do not contend in the very
//! clock in which a slot frees. `wants` comes from a register and is high again in the clock after that ray joined: a ray in two
//! clocks, which is enough from two spheres on.
//!
//! The memories of the lane have one writer each: the limits of shadow rays the shader, which writes every lane's; the hits
//! this lane, which the shader reads in the lane that a ray retired from. The queue of retired rays holds as many as there are contexts,
//! and a context is in one place: it cannot overflow.

use super::entry::{Entry, Retired, Tag};
use super::nearest::Nearest;
use super::slots::Slots;
use crate::datapath::kernels::{SphereHit, SPHERE_HIT_INTERVAL};
use crate::gate::Gate;
use crate::mem::{Delay, Flop, Queue, Ram};
use rayman_derive::GatedBlock;
use rust_hdl_core::prelude::*;
use rust_hdl_widgets::dff_setup;

/// A lane of `2^SLOT` slots for rays of `2^CONTEXT` contexts.
#[derive(GatedBlock)]
pub struct Lane<const CONTEXT: usize, const SLOT: usize> {
    /// The one clock.
    pub clock: Signal<In, Clock>,
    /// Low: no ray is here.
    pub reset_n: Signal<In, Bit>,

    /// There is room for a ray.
    pub wants: Signal<Out, Bit>,
    /// Here it is; only while it `wants`.
    pub give: Signal<In, Bit>,
    /// Which.
    pub ray_entry: Signal<In, Entry>,
    /// Where it starts, x.
    pub origin_x: Signal<In, Bits<32>>,
    /// Where it starts, y.
    pub origin_y: Signal<In, Bits<32>>,
    /// Where it starts, z.
    pub origin_z: Signal<In, Bits<32>>,
    /// Its direction, x.
    pub direction_x: Signal<In, Bits<32>>,
    /// Its direction, y.
    pub direction_y: Signal<In, Bits<32>>,
    /// Its direction, z.
    pub direction_z: Signal<In, Bits<32>>,
    /// The sphere that it starts on.
    pub ray_start: Signal<In, Bits<32>>,
    /// It starts within that sphere.
    pub ray_inside: Signal<In, Bit>,

    /// A sphere is on show.
    pub sphere_valid: Signal<In, Bit>,
    /// Its turn ends in this clock.
    pub sphere_ready: Signal<Out, Bit>,
    /// Its index.
    pub sphere_index: Signal<In, Bits<32>>,
    /// Number of spheres, at least 1 while `sphere_valid`.
    pub sphere_count: Signal<In, Bits<32>>,
    /// Its centre, x.
    pub centre_x: Signal<In, Bits<32>>,
    /// Its centre, y.
    pub centre_y: Signal<In, Bits<32>>,
    /// Its centre, z.
    pub centre_z: Signal<In, Bits<32>>,
    /// Its radius, squared.
    pub radius_squared: Signal<In, Bits<32>>,
    /// One over its radius.
    pub radius_inverse: Signal<In, Bits<32>>,
    /// Its radius.
    pub radius: Signal<In, Bits<32>>,
    /// Its material.
    pub sphere_material: Signal<In, Bits<3>>,

    /// Write the distance to the light of a context.
    pub limit_write: Signal<In, Bit>,
    /// Whose.
    pub limit_context: Signal<In, Bits<CONTEXT>>,
    /// The distance.
    pub limit: Signal<In, Bits<32>>,

    /// Whose hit is wanted.
    pub hit_context: Signal<In, Bits<CONTEXT>>,
    /// Two clocks later: its distance.
    pub hit_distance: Signal<Out, Bits<32>>,
    /// The sphere's index.
    pub hit_index: Signal<Out, Bits<32>>,
    /// The sphere's centre, x.
    pub hit_centre_x: Signal<Out, Bits<32>>,
    /// The sphere's centre, y.
    pub hit_centre_y: Signal<Out, Bits<32>>,
    /// The sphere's centre, z.
    pub hit_centre_z: Signal<Out, Bits<32>>,
    /// One over the sphere's radius.
    pub hit_radius_inverse: Signal<Out, Bits<32>>,
    /// The sphere's material.
    pub hit_material: Signal<Out, Bits<32>>,

    /// A retired ray waits.
    pub waits: Signal<Out, Bit>,
    /// Which, and how it ended.
    pub retired: Signal<Out, Retired>,
    /// It is taken.
    pub take: Signal<In, Bit>,

    /// A test is issued in this clock.
    pub test: Signal<Out, Bit>,
    /// Its ray was already decided.
    pub test_dead: Signal<Out, Bit>,

    // The ray that joins next.
    staged: Flop<Bit>,
    entry: Flop<Entry>,
    ray: [Flop<Bits<32>>; 6],
    starts_on: Flop<Bits<32>>,
    starts_within: Flop<Bit>,
    slots: Slots<SLOT>,
    sphere_hit: SphereHit,
    // In a register before the delay line: it is much logic.
    tag: Flop<Tag>,
    tags: Delay<Tag>,
    nearest: Nearest<CONTEXT, SLOT>,
    limits: Ram<1, CONTEXT>,
    hits: Ram<7, CONTEXT>,
    // Out of the memory, before anyone chooses among lanes: registers that may be the memory's own.
    hits_late: [Flop<Bits<32>>; 7],
    queue: Queue<Retired, CONTEXT>,
    _gate: Gate,
}

impl<const CONTEXT: usize, const SLOT: usize> Default for Lane<CONTEXT, SLOT> {
    fn default() -> Self {
        let sphere_hit = SphereHit::new(SPHERE_HIT_INTERVAL);
        let tags = Delay::new(sphere_hit.latency() - 2);
        Self {
            clock: Default::default(),
            reset_n: Default::default(),
            wants: Default::default(),
            give: Default::default(),
            ray_entry: Default::default(),
            origin_x: Default::default(),
            origin_y: Default::default(),
            origin_z: Default::default(),
            direction_x: Default::default(),
            direction_y: Default::default(),
            direction_z: Default::default(),
            ray_start: Default::default(),
            ray_inside: Default::default(),
            sphere_valid: Default::default(),
            sphere_ready: Default::default(),
            sphere_index: Default::default(),
            sphere_count: Default::default(),
            centre_x: Default::default(),
            centre_y: Default::default(),
            centre_z: Default::default(),
            radius_squared: Default::default(),
            radius_inverse: Default::default(),
            radius: Default::default(),
            sphere_material: Default::default(),
            limit_write: Default::default(),
            limit_context: Default::default(),
            limit: Default::default(),
            hit_context: Default::default(),
            hit_distance: Default::default(),
            hit_index: Default::default(),
            hit_centre_x: Default::default(),
            hit_centre_y: Default::default(),
            hit_centre_z: Default::default(),
            hit_radius_inverse: Default::default(),
            hit_material: Default::default(),
            waits: Default::default(),
            retired: Default::default(),
            take: Default::default(),
            test: Default::default(),
            test_dead: Default::default(),
            staged: Default::default(),
            entry: Default::default(),
            ray: Default::default(),
            starts_on: Default::default(),
            starts_within: Default::default(),
            slots: Default::default(),
            sphere_hit,
            tag: Default::default(),
            tags,
            nearest: Default::default(),
            limits: Default::default(),
            hits: Default::default(),
            hits_late: Default::default(),
            queue: Default::default(),
            _gate: Default::default(),
        }
    }
}

impl<const CONTEXT: usize, const SLOT: usize> Lane<CONTEXT, SLOT> {
    /// Spheres are still in the ring when the results of their tests come. Lanes of fewer slots, whose pictures are wrong,
    /// serve tests that only count.
    pub fn ring_outlasts_tests(&self) -> bool {
        Nearest::<CONTEXT, SLOT>::outlasts(self.sphere_hit.latency())
    }
}

impl<const CONTEXT: usize, const SLOT: usize> Logic for Lane<CONTEXT, SLOT> {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, staged, entry, starts_on, starts_within, tag);
        clock!(self, clock, slots, sphere_hit, tags, nearest, limits, hits, queue);
        self.slots.reset_n.next = self.reset_n.val();
        self.sphere_hit.reset_n.next = self.reset_n.val();
        self.tags.reset_n.next = self.reset_n.val();
        self.nearest.reset_n.next = self.reset_n.val();
        self.queue.reset_n.next = self.reset_n.val();

        // The ray that joins next.
        self.wants.next = !self.staged.q.val();
        if self.slots.loaded.val() {
            self.staged.d.next = false;
        }
        for i in 0..6 {
            self.ray[i].clock.next = self.clock.val();
            self.ray[i].d.next = self.ray[i].q.val();
        }
        if self.give.val() {
            self.staged.d.next = true;
            self.entry.d.next = self.ray_entry.val();
            self.ray[0].d.next = self.origin_x.val();
            self.ray[1].d.next = self.origin_y.val();
            self.ray[2].d.next = self.origin_z.val();
            self.ray[3].d.next = self.direction_x.val();
            self.ray[4].d.next = self.direction_y.val();
            self.ray[5].d.next = self.direction_z.val();
            self.starts_on.d.next = self.ray_start.val();
            self.starts_within.d.next = self.ray_inside.val();
        }
        self.slots.ray_valid.next = self.staged.q.val();
        self.slots.ray_entry.next = self.entry.q.val();
        for i in 0..6 {
            self.slots.ray[i].next = self.ray[i].q.val();
        }
        self.slots.ray_start.next = self.starts_on.q.val();
        self.slots.ray_inside.next = self.starts_within.q.val();
        self.slots.sphere_valid.next = self.sphere_valid.val();
        self.sphere_ready.next = self.slots.sphere_ready.val();
        self.slots.sphere_index.next = self.sphere_index.val();
        self.slots.sphere_count.next = self.sphere_count.val();

        // A test a clock.
        self.sphere_hit.start.next = self.slots.test_start.val();
        self.sphere_hit.origin_x.next = self.slots.test_ray[0].val();
        self.sphere_hit.origin_y.next = self.slots.test_ray[1].val();
        self.sphere_hit.origin_z.next = self.slots.test_ray[2].val();
        self.sphere_hit.direction_x.next = self.slots.test_ray[3].val();
        self.sphere_hit.direction_y.next = self.slots.test_ray[4].val();
        self.sphere_hit.direction_z.next = self.slots.test_ray[5].val();
        self.sphere_hit.centre_x.next = self.centre_x.val();
        self.sphere_hit.centre_y.next = self.centre_y.val();
        self.sphere_hit.centre_z.next = self.centre_z.val();
        self.sphere_hit.radius_squared.next = self.radius_squared.val();
        self.sphere_hit.radius.next = self.radius.val();
        self.sphere_hit.own.next = self.slots.test_own.val();
        self.sphere_hit.inside_.next = self.slots.test_inside.val();
        self.sphere_hit.tag.next = 0.into();
        self.tag.d.next = self.slots.test_tag.val();
        self.tags.d.next = self.tag.q.val();
        self.test.next = self.slots.test_start.val();
        self.test_dead.next = self.slots.test_dead.val();

        // Results.
        self.nearest.done.next = self.sphere_hit.done.val();
        self.nearest.hit.next = self.sphere_hit.hit.val();
        self.nearest.distance.next = self.sphere_hit.distance.val();
        self.nearest.next_tag.next = self.tags.q.val();
        self.nearest.sphere[0].next = self.sphere_index.val();
        self.nearest.sphere[1].next = self.centre_x.val();
        self.nearest.sphere[2].next = self.centre_y.val();
        self.nearest.sphere[3].next = self.centre_z.val();
        self.nearest.sphere[4].next = self.radius_inverse.val();
        self.nearest.sphere[5].next = bit_cast::<32, 3>(self.sphere_material.val());
        self.nearest.sphere_valid.next = self.sphere_valid.val();
        self.nearest.sphere_turn.next = self.slots.turn.val();
        self.limits.write_enable.next = self.limit_write.val();
        self.limits.write_address.next = self.limit_context.val();
        self.limits.write_data[0].next = self.limit.val();
        self.limits.read_address.next = self.nearest.limit_context.val();
        self.nearest.limit.next = self.limits.read_data[0].val();
        self.slots.kill.next = self.nearest.kill.val();
        self.slots.kill_slot.next = self.nearest.kill_slot.val();
        self.slots.kill_context.next = self.nearest.kill_context.val();

        // Hits, and rays that wait to be collected.
        self.hits.write_enable.next = self.nearest.hit_write.val();
        self.hits.write_address.next = self.nearest.hit_context.val();
        for i in 0..7 {
            self.hits_late[i].clock.next = self.clock.val();
            self.hits_late[i].d.next = self.hits.read_data[i].val();
            self.hits.write_data[i].next = self.nearest.hit_record[i].val();
        }
        self.hits.read_address.next = self.hit_context.val();
        self.hit_distance.next = self.hits_late[0].q.val();
        self.hit_index.next = self.hits_late[1].q.val();
        self.hit_centre_x.next = self.hits_late[2].q.val();
        self.hit_centre_y.next = self.hits_late[3].q.val();
        self.hit_centre_z.next = self.hits_late[4].q.val();
        self.hit_radius_inverse.next = self.hits_late[5].q.val();
        self.hit_material.next = self.hits_late[6].q.val();
        self.queue.push.next = self.nearest.retired.val();
        self.queue.push_data.next.context = self.nearest.retired_entry.val().context;
        self.queue.push_data.next.shadow = self.nearest.retired_entry.val().shadow;
        self.queue.push_data.next.reflection = self.nearest.retired_entry.val().reflection;
        self.queue.push_data.next.carry = self.nearest.retired_entry.val().carry;
        self.queue.push_data.next.hit = self.nearest.retired_hit.val();
        self.queue.pop.next = self.take.val();
        self.waits.next = !self.queue.empty.val();
        self.retired.next = self.queue.front.val();

        if !self.reset_n.val() {
            self.staged.d.next = false;
        }
    }
}
