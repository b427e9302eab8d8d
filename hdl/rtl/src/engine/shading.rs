//! Shading: from a retired ray to colours and the rays that follow.
//!
//! ```text
//!  retired ray (entry, hit) -> queue -> read context and material -> shade datapath -> shaded: point, directions
//!                                            |                                     -> follow: a shadow or reflection ray
//!                                            '-> start: the sphere that they leave -> finished: the pixel is done
//!  missed (context) ----------------------------------------------------------> finished, in the background's colour
//!  finished pixels (also from shadow rays) -> colour memory -> write (place, colour), free (context)
//! ```
//!
//! A reflection ray is shaded whether it hit or not, a primary ray only if it hit: of one that misses `shade` would make
//! the background's very bits (`background_bytes_are_exact` in the model's tests), so its pixel is done. The datapath gives both colours, with the light seen and
//! with it hidden, so a shadow ray that returns only says which one holds: by the carry of the reflection ray that
//! follows, or by `finish_seen` when the pixel is done.
//!
//! A shading starts six clocks after its ray retired at the earliest, if none is before it, no more often than the datapath's
//! initiation interval, and at least six clocks apart. Two pixels a clock may finish (the shader's, and a shadow ray's or one that missed); one a clock
//! is written, five clocks after it ended at the earliest.

use super::entry::{Done, Entry, Place, Unshaded};
use crate::datapath::kernels::Shade;
use crate::gate::Gate;
use crate::mem::{Flop, Queue, Ram, Store};
use rayman_derive::GatedBlock;
use rust_hdl_core::prelude::*;
use rust_hdl_widgets::dff_setup;

/// The shader of `2^CONTEXT` contexts.
#[derive(GatedBlock)]
pub struct Shading<const CONTEXT: usize> {
    /// The one clock.
    pub clock: Signal<In, Clock>,
    /// Low: nothing waits, nothing is under way.
    pub reset_n: Signal<In, Bit>,

    /// Camera position.
    pub position: [Signal<In, Bits<32>>; 3],
    /// Light position.
    pub light: [Signal<In, Bits<32>>; 3],
    /// Colour of a miss, XRGB8888.
    pub background: Signal<In, Bits<32>>,
    /// Deepest reflection.
    pub reflection_depth: Signal<In, Bits<4>>,
    /// Trace shadow rays.
    pub shadows: Signal<In, Bit>,

    /// Material that is wanted.
    pub material_address: Signal<Out, Bits<3>>,
    /// It, one clock later.
    pub material: [Signal<In, Bits<32>>; 4],

    /// A primary ray's direction: see `Staging`.
    pub generated: Signal<In, Bit>,
    /// Whose.
    pub generated_context: Signal<In, Bits<CONTEXT>>,
    /// The direction.
    pub generated_direction: [Signal<In, Bits<32>>; 3],

    /// A ray has retired that is to be shaded: a reflection ray, or a primary ray that hit.
    pub retired: Signal<In, Bit>,
    /// Which, and where its hit is.
    pub retired_entry: Signal<In, Unshaded>,
    /// Rays wait for the shader.
    pub waiting: Signal<Out, Bit>,

    /// Whose hit is wanted.
    pub hit_context: Signal<Out, Bits<CONTEXT>>,
    /// The lane that has it.
    pub hit_lane: Signal<Out, Bits<2>>,
    /// It, two clocks later: distance, index, centre x, y, z, inverse radius, material.
    pub hit_record: [Signal<In, Bits<32>>; 7],

    /// Shading of a ray begins.
    pub start: Signal<Out, Bit>,
    /// Whose.
    pub start_context: Signal<Out, Bits<CONTEXT>>,
    /// The sphere that it hit.
    pub start_index: Signal<Out, Bits<32>>,
    /// It hit one.
    pub start_hit: Signal<Out, Bit>,

    /// Shading has ended: point and directions are there.
    pub shaded: Signal<Out, Bit>,
    /// Whose.
    pub shaded_context: Signal<Out, Bits<CONTEXT>>,
    /// Point, direction to the light, reflected direction.
    pub shaded_rays: [Signal<Out, Bits<32>>; 9],
    /// They start within the sphere.
    pub shaded_inside: Signal<Out, Bit>,
    /// Distance to the light.
    pub shaded_limit: Signal<Out, Bits<32>>,
    /// A ray follows.
    pub follow: Signal<Out, Bit>,
    /// Context, kind, carry.
    pub follow_entry: Signal<Out, Entry>,

    /// A shadow ray has returned, or a primary ray has missed, and its pixel is done.
    pub returned: Signal<In, Bit>,
    /// Whose.
    pub returned_context: Signal<In, Bits<CONTEXT>>,
    /// The light was seen.
    pub returned_seen: Signal<In, Bit>,
    /// It was a primary ray.
    pub returned_missed: Signal<In, Bit>,

    /// A place in the reorder window was opened.
    pub opened: Signal<In, Bit>,
    /// For this context.
    pub opened_context: Signal<In, Bits<CONTEXT>>,
    /// The place.
    pub opened_place: Signal<In, Place>,

    /// A pixel is finished and its context is free.
    pub finished: Signal<Out, Bit>,
    /// Whose.
    pub finished_context: Signal<Out, Bits<CONTEXT>>,
    /// Where it belongs.
    pub finished_place: Signal<Out, Place>,
    /// Its colour: red 23:16, green 15:8, blue 7:0.
    pub finished_colour: Signal<Out, Bits<24>>,

    queue: Queue<Unshaded, CONTEXT>,
    primary: Ram<3, CONTEXT>,
    // Point and reflected direction of the ray before.
    secondary: Ram<6, CONTEXT>,
    // Colour if lit, colour if dark, weight.
    state: Ram<7, CONTEXT>,
    // Reflections down to the ray that the context holds next.
    depths: Store<Bits<4>, CONTEXT>,
    // The head of the queue, out of its memory: it addresses everything.
    front: Flop<Unshaded>,
    // Four steps until everything is read and in registers, for memories are slow: the head, the hit, that in a register, the
    // material.
    step: Flop<Bits<3>>,
    current: Signal<Local, Bits<CONTEXT>>,
    starting: Signal<Local, Bit>,
    hit: [Flop<Bits<32>>; 6],
    // Out of the memories, before any choice: registers that may be the memories' own.
    primary_late: [Flop<Bits<32>>; 3],
    secondary_late: [Flop<Bits<32>>; 6],
    state_late: [Flop<Bits<32>>; 7],
    // Origin, direction, accumulated colour.
    history: [Flop<Bits<32>>; 9],
    weight: Flop<Bits<32>>,
    depth: Flop<Bits<4>>,
    depth_plus: Signal<Local, Bits<4>>,
    datapath: Shade,
    // The end of shading.
    shadow_follows: Signal<Local, Bit>,
    // Pixels that are done.
    colours: Ram<2, CONTEXT>,
    places: Store<Place, CONTEXT>,
    returned_done: Queue<Done, CONTEXT>,
    shaded_done: Queue<Done, CONTEXT>,
    done_valid: Flop<Bit>,
    done: Flop<Done>,
    done_next: Signal<Local, Done>,
    // Its memories have been read.
    read_valid: Flop<Bit>,
    read: Flop<Done>,
    // Out of the memories, before anyone asks where it belongs.
    finished_late: Flop<Bit>,
    finished_context_late: Flop<Bits<CONTEXT>>,
    finished_place_late: Flop<Place>,
    finished_colour_late: Flop<Bits<24>>,
    _gate: Gate,
}

impl<const CONTEXT: usize> Shading<CONTEXT> {
    /// A shader that takes a ray every `interval` clocks.
    pub fn new(interval: u32) -> Self {
        Self {
            clock: Default::default(),
            reset_n: Default::default(),
            position: Default::default(),
            light: Default::default(),
            background: Default::default(),
            reflection_depth: Default::default(),
            shadows: Default::default(),
            material_address: Default::default(),
            material: Default::default(),
            generated: Default::default(),
            generated_context: Default::default(),
            generated_direction: Default::default(),
            retired: Default::default(),
            retired_entry: Default::default(),
            waiting: Default::default(),
            hit_context: Default::default(),
            hit_lane: Default::default(),
            hit_record: Default::default(),
            start: Default::default(),
            start_context: Default::default(),
            start_index: Default::default(),
            start_hit: Default::default(),
            shaded: Default::default(),
            shaded_context: Default::default(),
            shaded_rays: Default::default(),
            shaded_inside: Default::default(),
            shaded_limit: Default::default(),
            follow: Default::default(),
            follow_entry: Default::default(),
            returned: Default::default(),
            returned_context: Default::default(),
            returned_seen: Default::default(),
            returned_missed: Default::default(),
            opened: Default::default(),
            opened_context: Default::default(),
            opened_place: Default::default(),
            finished: Default::default(),
            finished_context: Default::default(),
            finished_place: Default::default(),
            finished_colour: Default::default(),
            queue: Default::default(),
            primary: Default::default(),
            secondary: Default::default(),
            state: Default::default(),
            depths: Default::default(),
            front: Default::default(),
            step: Default::default(),
            current: Default::default(),
            starting: Default::default(),
            hit: Default::default(),
            primary_late: Default::default(),
            secondary_late: Default::default(),
            state_late: Default::default(),
            history: Default::default(),
            weight: Default::default(),
            depth: Default::default(),
            depth_plus: Default::default(),
            datapath: Shade::new(interval),
            shadow_follows: Default::default(),
            colours: Default::default(),
            places: Default::default(),
            returned_done: Default::default(),
            shaded_done: Default::default(),
            done_valid: Default::default(),
            done: Default::default(),
            done_next: Default::default(),
            read_valid: Default::default(),
            read: Default::default(),
            finished_late: Default::default(),
            finished_context_late: Default::default(),
            finished_place_late: Default::default(),
            finished_colour_late: Default::default(),
            _gate: Default::default(),
        }
    }
}

impl<const CONTEXT: usize> Logic for Shading<CONTEXT> {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, front, step, done_valid, done, read_valid, read, weight, depth);
        dff_setup!(self, clock, finished_late, finished_context_late, finished_place_late, finished_colour_late);
        clock!(
            self,
            clock,
            queue,
            primary,
            secondary,
            state,
            depths,
            datapath,
            colours,
            places,
            returned_done,
            shaded_done
        );
        self.queue.reset_n.next = self.reset_n.val();
        self.returned_done.reset_n.next = self.reset_n.val();
        self.shaded_done.reset_n.next = self.reset_n.val();
        self.datapath.reset_n.next = self.reset_n.val();

        // What arrives.
        self.primary.write_enable.next = self.generated.val();
        self.primary.write_address.next = self.generated_context.val();
        for i in 0..3 {
            self.primary.write_data[i].next = self.generated_direction[i].val();
        }
        self.places.write_enable.next = self.opened.val();
        self.places.write_address.next = self.opened_context.val();
        self.places.write_data.next = self.opened_place.val();
        self.queue.push.next = self.retired.val();
        self.queue.push_data.next = self.retired_entry.val();

        // The head of the queue addresses everything until it is taken.
        self.front.d.next = self.queue.front.val();
        self.current.next = bit_cast::<CONTEXT, 10>(self.front.q.val().context);
        self.hit_context.next = self.current.val();
        self.hit_lane.next = self.front.q.val().lane;
        self.primary.read_address.next = self.current.val();
        self.secondary.read_address.next = self.current.val();
        self.state.read_address.next = self.current.val();
        self.depths.read_address.next = self.current.val();
        self.material_address.next = bit_cast::<3, 32>(self.hit_record[6].val());
        self.waiting.next = !self.queue.empty.val();
        self.starting.next = (self.step.q.val() == 4) & self.datapath.ready.val();
        // The queue moves in the clock after: it is much logic, and there are clocks until the next start.
        self.queue.pop.next = self.step.q.val() == 5;
        if self.starting.val() {
            self.step.d.next = 5.into();
        } else if self.step.q.val() == 5 {
            self.step.d.next = 0.into();
        } else if (self.step.q.val() == 0) & !self.queue.empty.val() {
            self.step.d.next = 1.into();
        } else if self.step.q.val() == 1 {
            self.step.d.next = 2.into();
        } else if self.step.q.val() == 2 {
            self.step.d.next = 3.into();
        } else if self.step.q.val() == 3 {
            self.step.d.next = 4.into();
        }

        // Into the datapath, out of registers. A primary ray has no history.
        for i in 0..9 {
            self.history[i].clock.next = self.clock.val();
        }
        for i in 0..3 {
            self.primary_late[i].clock.next = self.clock.val();
            self.primary_late[i].d.next = self.primary.read_data[i].val();
        }
        for i in 0..7 {
            self.state_late[i].clock.next = self.clock.val();
            self.state_late[i].d.next = self.state.read_data[i].val();
        }
        for i in 0..6 {
            self.secondary_late[i].clock.next = self.clock.val();
            self.secondary_late[i].d.next = self.secondary.read_data[i].val();
            self.history[i].d.next = self.secondary_late[i].q.val();
            self.hit[i].clock.next = self.clock.val();
            self.hit[i].d.next = self.hit_record[i].val();
        }
        for i in 0..3 {
            self.history[i + 6].d.next = self.state_late[i + 3].q.val();
            if self.front.q.val().carry {
                self.history[i + 6].d.next = self.state_late[i].q.val();
            }
        }
        self.weight.d.next = self.state_late[6].q.val();
        self.depth.d.next = self.depths.read_data.val();
        if !self.front.q.val().reflection {
            for i in 0..3 {
                self.history[i].d.next = self.position[i].val();
                self.history[i + 3].d.next = self.primary_late[i].q.val();
                self.history[i + 6].d.next = 0.into();
            }
            // 1.0
            self.weight.d.next = 0x3f800000.into();
            self.depth.d.next = 0.into();
        }
        self.datapath.start.next = self.starting.val();
        self.datapath.origin_x.next = self.history[0].q.val();
        self.datapath.origin_y.next = self.history[1].q.val();
        self.datapath.origin_z.next = self.history[2].q.val();
        self.datapath.direction_x.next = self.history[3].q.val();
        self.datapath.direction_y.next = self.history[4].q.val();
        self.datapath.direction_z.next = self.history[5].q.val();
        self.datapath.accumulated_r.next = self.history[6].q.val();
        self.datapath.accumulated_g.next = self.history[7].q.val();
        self.datapath.accumulated_b.next = self.history[8].q.val();
        self.datapath.weight.next = self.weight.q.val();
        self.datapath.hit.next = self.front.q.val().hit;
        self.datapath.distance.next = self.hit[0].q.val();
        self.datapath.centre_x.next = self.hit[2].q.val();
        self.datapath.centre_y.next = self.hit[3].q.val();
        self.datapath.centre_z.next = self.hit[4].q.val();
        self.datapath.radius_inverse.next = self.hit[5].q.val();
        self.datapath.light_x.next = self.light[0].val();
        self.datapath.light_y.next = self.light[1].val();
        self.datapath.light_z.next = self.light[2].val();
        self.datapath.material_0.next = self.material[0].val();
        self.datapath.material_1.next = self.material[1].val();
        self.datapath.material_2.next = self.material[2].val();
        self.datapath.material_3.next = self.material[3].val();
        self.datapath.background.next = self.background.val();
        self.datapath.last.next = self.depth.q.val() == self.reflection_depth.val();
        self.depth_plus.next = self.depth.q.val() + bits::<4>(1);
        self.depths.write_enable.next = self.starting.val();
        self.depths.write_address.next = self.current.val();
        self.depths.write_data.next = self.depth_plus.val();
        self.datapath.tag.next = bit_cast::<32, CONTEXT>(self.current.val());
        self.start.next = self.starting.val();
        self.start_context.next = self.current.val();
        self.start_index.next = self.hit[1].q.val();
        self.start_hit.next = self.front.q.val().hit;

        // Out of it.
        self.shaded.next = self.datapath.done.val();
        self.shaded_context.next = bit_cast::<CONTEXT, 32>(self.datapath.tag_out.val());
        self.shaded_rays[0].next = self.datapath.point_x.val();
        self.shaded_rays[1].next = self.datapath.point_y.val();
        self.shaded_rays[2].next = self.datapath.point_z.val();
        self.shaded_rays[3].next = self.datapath.to_light_x.val();
        self.shaded_rays[4].next = self.datapath.to_light_y.val();
        self.shaded_rays[5].next = self.datapath.to_light_z.val();
        self.shaded_rays[6].next = self.datapath.reflected_x.val();
        self.shaded_rays[7].next = self.datapath.reflected_y.val();
        self.shaded_rays[8].next = self.datapath.reflected_z.val();
        self.shaded_inside.next = self.datapath.inside_.val();
        self.shaded_limit.next = self.datapath.light_distance.val();
        self.secondary.write_enable.next = self.datapath.done.val();
        self.secondary.write_address.next = self.shaded_context.val();
        self.secondary.write_data[0].next = self.datapath.point_x.val();
        self.secondary.write_data[1].next = self.datapath.point_y.val();
        self.secondary.write_data[2].next = self.datapath.point_z.val();
        self.secondary.write_data[3].next = self.datapath.reflected_x.val();
        self.secondary.write_data[4].next = self.datapath.reflected_y.val();
        self.secondary.write_data[5].next = self.datapath.reflected_z.val();
        self.state.write_enable.next = self.datapath.done.val();
        self.state.write_address.next = self.shaded_context.val();
        self.state.write_data[0].next = self.datapath.lit_r.val();
        self.state.write_data[1].next = self.datapath.lit_g.val();
        self.state.write_data[2].next = self.datapath.lit_b.val();
        self.state.write_data[3].next = self.datapath.dark_r.val();
        self.state.write_data[4].next = self.datapath.dark_g.val();
        self.state.write_data[5].next = self.datapath.dark_b.val();
        self.state.write_data[6].next = self.datapath.next_weight.val();
        self.colours.write_enable.next = self.datapath.done.val();
        self.colours.write_address.next = self.shaded_context.val();
        self.colours.write_data[0].next = self.datapath.lit_pixel.val();
        self.colours.write_data[1].next = self.datapath.dark_pixel.val();

        // The ray that follows: to the light if it may be seen, else along the reflection.
        self.shadow_follows.next = self.datapath.lit.val() & self.shadows.val();
        self.follow.next = self.datapath.done.val() & (self.shadow_follows.val() | self.datapath.reflects.val());
        self.follow_entry.next.context = bit_cast::<10, CONTEXT>(self.shaded_context.val());
        self.follow_entry.next.shadow = self.shadow_follows.val();
        self.follow_entry.next.reflection = !self.shadow_follows.val();
        self.follow_entry.next.carry = self.datapath.lit.val();
        if self.shadow_follows.val() {
            self.follow_entry.next.carry = self.datapath.reflects.val();
        }

        // Pixels that are done.
        self.shaded_done.push.next =
            self.datapath.done.val() & !self.shadow_follows.val() & !self.datapath.reflects.val();
        self.shaded_done.push_data.next.context = bit_cast::<10, CONTEXT>(self.shaded_context.val());
        self.shaded_done.push_data.next.seen = self.datapath.lit.val();
        self.shaded_done.push_data.next.missed = false;
        self.returned_done.push.next = self.returned.val();
        self.returned_done.push_data.next.context = bit_cast::<10, CONTEXT>(self.returned_context.val());
        self.returned_done.push_data.next.seen = self.returned_seen.val();
        self.returned_done.push_data.next.missed = self.returned_missed.val();
        self.returned_done.pop.next = !self.returned_done.empty.val();
        self.shaded_done.pop.next = self.returned_done.empty.val() & !self.shaded_done.empty.val();
        self.done_valid.d.next = !self.returned_done.empty.val() | !self.shaded_done.empty.val();
        self.done_next.next = self.shaded_done.front.val();
        if !self.returned_done.empty.val() {
            self.done_next.next = self.returned_done.front.val();
        }
        self.done.d.next = self.done_next.val();
        self.colours.read_address.next = bit_cast::<CONTEXT, 10>(self.done.q.val().context);
        self.places.read_address.next = bit_cast::<CONTEXT, 10>(self.done.q.val().context);
        self.read_valid.d.next = self.done_valid.q.val();
        self.read.d.next = self.done.q.val();
        self.finished_late.d.next = self.read_valid.q.val();
        self.finished_context_late.d.next = bit_cast::<CONTEXT, 10>(self.read.q.val().context);
        self.finished_place_late.d.next = self.places.read_data.val();
        self.finished_colour_late.d.next = bit_cast::<24, 32>(self.colours.read_data[1].val());
        if self.read.q.val().seen {
            self.finished_colour_late.d.next = bit_cast::<24, 32>(self.colours.read_data[0].val());
        }
        if self.read.q.val().missed {
            self.finished_colour_late.d.next = bit_cast::<24, 32>(self.background.val());
        }
        self.finished.next = self.finished_late.q.val();
        self.finished_context.next = self.finished_context_late.q.val();
        self.finished_place.next = self.finished_place_late.q.val();
        self.finished_colour.next = self.finished_colour_late.q.val();

        if !self.reset_n.val() {
            self.step.d.next = 0.into();
            self.done_valid.d.next = false;
            self.read_valid.d.next = false;
            self.finished_late.d.next = false;
        }
    }
}
