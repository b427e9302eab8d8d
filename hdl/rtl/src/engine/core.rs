//! The engine as one block: generator, staging, lanes, shading, window, wired together.
//!
//! ```text
//!  frame: start, flush, camera, light, ... -> +--------+ -> pixel --valid/ready-->   raster order
//!  sphere ------------------valid/ready-----> | Engine | -> material_address
//!  material (one clock after its address) --> +--------+ -> idle, one pulse an event for the counters
//! ```
//!
//! `LANES` lanes (1 to 4) share the stream of spheres, one staging and one shader. Two arbiters join them: one gives the
//! staged ray to a lane that wants one, the other collects a retired ray from a lane that has one.
//!
//! Rates: one test a clock a lane; one ray staged in two clocks and one collected a clock; one shading every `shade` interval; a primary
//! ray every `ray` interval. `idle` goes low in the clock after `start` and comes back when the last pixel was taken.
//! `flush` empties everything, as reset does.
//!
//! Rays are counted as they are given to a lane, tests as they are issued.

use super::arbiter::Arbiter;
use super::entry::{Entry, Retired};
use super::generator::Generator;
use super::lane::Lane;
use super::shading::Shading;
use super::staging::Staging;
use super::window::Window;
use crate::gate::Gate;
use crate::mem::Flop;
use rayman_derive::GatedBlock;
use rust_hdl_core::prelude::*;
use rust_hdl_widgets::dff_setup;

/// Pulses of the engine's events, for the counters.
pub mod event {
    /// A primary ray starts.
    pub const PRIMARY: usize = 0;
    /// A shadow ray starts.
    pub const SHADOW: usize = 1;
    /// A reflection ray starts.
    pub const REFLECTION: usize = 2;
    /// A primary or reflection ray has hit.
    pub const HIT: usize = 3;
    /// A shadow ray has found the light hidden.
    pub const OCCLUDED: usize = 4;
    /// A pixel leaves.
    pub const PIXEL: usize = 5;
    /// A ray that will meet every sphere goes to a lane.
    pub const TESTS: usize = 6;
    /// How many there are.
    pub const COUNT: usize = 7;
}

/// Why slots without a test are lost in a clock; one of them holds in each clock of a frame.
pub mod cause {
    /// There is no ray.
    pub const RAYS: usize = 0;
    /// There is no sphere.
    pub const SPHERES: usize = 1;
    /// Rays wait for the shader.
    pub const SHADER: usize = 2;
    /// The window is full.
    pub const OUTPUT: usize = 3;
    /// How many there are.
    pub const COUNT: usize = 4;
}

/// Initiation intervals of the engine's datapaths, in clocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Intervals {
    /// Between two primary rays, at least 2.
    pub ray: u32,
    /// Between two shadings, at least 3; with fewer than 6 only some of its clocks are used, for reading a context takes as long.
    pub shade: u32,
}

/// `LANES` lanes of `2^SLOT` slots, `2^CONTEXT` contexts, a window of `2^WINDOW` pixels.
#[derive(GatedBlock)]
pub struct Engine<const LANES: usize, const CONTEXT: usize, const SLOT: usize, const WINDOW: usize> {
    /// The one clock.
    pub clock: Signal<In, Clock>,
    /// Low: everything is empty.
    pub reset_n: Signal<In, Bit>,
    /// High: everything becomes empty.
    pub flush: Signal<In, Bit>,
    /// A frame begins; its configuration is stable from here on.
    pub start: Signal<In, Bit>,
    /// A frame is being rendered: slots without a test count as lost.
    pub counting: Signal<In, Bit>,

    /// Pixels a row.
    pub width: Signal<In, Bits<16>>,
    /// Rows.
    pub height: Signal<In, Bits<16>>,
    /// Camera position.
    pub position: [Signal<In, Bits<32>>; 3],
    /// Forward, right, up, centre: see `Generator`.
    pub camera: [Signal<In, Bits<32>>; 11],
    /// Light position.
    pub light: [Signal<In, Bits<32>>; 3],
    /// Colour of a miss, XRGB8888.
    pub background: Signal<In, Bits<32>>,
    /// Deepest reflection.
    pub reflection_depth: Signal<In, Bits<4>>,
    /// Trace shadow rays.
    pub shadows: Signal<In, Bit>,
    /// Number of spheres.
    pub sphere_count: Signal<In, Bits<32>>,

    /// A sphere is there.
    pub sphere_valid: Signal<In, Bit>,
    /// It has been shown to every slot.
    pub sphere_ready: Signal<Out, Bit>,
    /// Its index.
    pub sphere_index: Signal<In, Bits<32>>,
    /// Centre x, y, z, squared radius, inverse radius, radius.
    pub sphere: [Signal<In, Bits<32>>; 6],
    /// Its material.
    pub sphere_material: Signal<In, Bits<3>>,

    /// Material that is wanted.
    pub material_address: Signal<Out, Bits<3>>,
    /// It, one clock later.
    pub material: [Signal<In, Bits<32>>; 4],

    /// The next pixel is there.
    pub pixel_valid: Signal<Out, Bit>,
    /// It is taken.
    pub pixel_ready: Signal<In, Bit>,
    /// Red 23:16, green 15:8, blue 7:0.
    pub pixel: Signal<Out, Bits<24>>,

    /// No pixel is in flight, and a frame may begin.
    pub idle: Signal<Out, Bit>,
    /// Events by the names of [`event`].
    pub happens: [Signal<Out, Bit>; event::COUNT],
    /// In a frame: the lane has issued a test that is wanted, in the clock before.
    pub used: [Signal<Out, Bit>; LANES],
    /// In a frame: it was a test of a ray that was already decided.
    pub dead: [Signal<Out, Bit>; LANES],
    /// In a frame: why the other lanes issued none then, by the names of [`cause`].
    pub lost_to: [Signal<Out, Bit>; cause::COUNT],

    run_n: Flop<Bit>,
    no_spheres: Flop<Bit>,
    // No sphere is there, and it is wanted.
    sphere_lacks: Signal<Local, Bit>,
    generator: Generator<CONTEXT>,
    staging: Staging<CONTEXT>,
    // The staged ray, out of its memories and on its way to the lanes.
    ray_there: Flop<Bit>,
    entry: Flop<Entry>,
    ray: [Flop<Bits<32>>; 6],
    starts_on: Flop<Bits<32>>,
    starts_within: Flop<Bit>,
    // It goes to a lane.
    given: Signal<Local, Bit>,
    giving: Arbiter<LANES>,
    lanes: [Lane<CONTEXT, SLOT>; LANES],
    collecting: Arbiter<LANES>,
    // A ray that was collected in the clock before, and the lane that has its hit.
    collected: Flop<Bit>,
    retired: Flop<Retired>,
    retired_lane: Flop<Bits<2>>,
    shadow_retires: Signal<Local, Bit>,
    primary_misses: Signal<Local, Bit>,
    // What the slots of the clock before were, for the counters.
    counted: Flop<Bit>,
    tested: [Flop<Bit>; LANES],
    tested_dead: [Flop<Bit>; LANES],
    lacked: Flop<Bit>,
    waited: Flop<Bit>,
    blocked: Flop<Bit>,
    shading: Shading<CONTEXT>,
    window: Window<WINDOW>,
    _gate: Gate,
}

impl<const LANES: usize, const CONTEXT: usize, const SLOT: usize, const WINDOW: usize>
    Engine<LANES, CONTEXT, SLOT, WINDOW>
{
    /// Spheres are still in each lane's ring when the results of their tests come.
    pub fn ring_outlasts_tests(&self) -> bool {
        self.lanes.iter().all(Lane::ring_outlasts_tests)
    }

    /// An engine whose datapaths have these initiation intervals.
    pub fn new(intervals: Intervals) -> Self {
        Self {
            clock: Default::default(),
            reset_n: Default::default(),
            flush: Default::default(),
            start: Default::default(),
            counting: Default::default(),
            width: Default::default(),
            height: Default::default(),
            position: Default::default(),
            camera: Default::default(),
            light: Default::default(),
            background: Default::default(),
            reflection_depth: Default::default(),
            shadows: Default::default(),
            sphere_count: Default::default(),
            sphere_valid: Default::default(),
            sphere_ready: Default::default(),
            sphere_index: Default::default(),
            sphere: Default::default(),
            sphere_material: Default::default(),
            material_address: Default::default(),
            material: Default::default(),
            pixel_valid: Default::default(),
            pixel_ready: Default::default(),
            pixel: Default::default(),
            idle: Default::default(),
            happens: Default::default(),
            used: std::array::from_fn(|_| Default::default()),
            dead: std::array::from_fn(|_| Default::default()),
            lost_to: Default::default(),
            run_n: Default::default(),
            no_spheres: Default::default(),
            sphere_lacks: Default::default(),
            generator: Generator::new(intervals.ray),
            staging: Default::default(),
            ray_there: Default::default(),
            entry: Default::default(),
            ray: Default::default(),
            starts_on: Default::default(),
            starts_within: Default::default(),
            given: Default::default(),
            giving: Default::default(),
            lanes: std::array::from_fn(|_| Default::default()),
            collecting: Default::default(),
            collected: Default::default(),
            retired: Default::default(),
            retired_lane: Default::default(),
            shadow_retires: Default::default(),
            primary_misses: Default::default(),
            counted: Default::default(),
            tested: std::array::from_fn(|_| Default::default()),
            tested_dead: std::array::from_fn(|_| Default::default()),
            lacked: Default::default(),
            waited: Default::default(),
            blocked: Default::default(),
            shading: Shading::new(intervals.shade),
            window: Default::default(),
            _gate: Default::default(),
        }
    }
}

impl<const LANES: usize, const CONTEXT: usize, const SLOT: usize, const WINDOW: usize> Logic
    for Engine<LANES, CONTEXT, SLOT, WINDOW>
{
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, collected, retired, retired_lane, no_spheres, run_n, counted, lacked, waited, blocked);
        dff_setup!(self, clock, ray_there, entry, starts_on, starts_within);
        clock!(self, clock, generator, staging, giving, collecting, shading, window);
        self.generator.reset_n.next = self.run_n.q.val();
        self.staging.reset_n.next = self.run_n.q.val();
        self.giving.reset_n.next = self.run_n.q.val();
        self.collecting.reset_n.next = self.run_n.q.val();
        self.shading.reset_n.next = self.run_n.q.val();
        self.window.reset_n.next = self.run_n.q.val();
        self.no_spheres.d.next = self.sphere_count.val() == 0;
        self.run_n.d.next = self.reset_n.val() & !self.flush.val();

        // Pixels start.
        self.generator.start.next = self.start.val();
        self.generator.width.next = self.width.val();
        self.generator.height.next = self.height.val();
        for i in 0..11 {
            self.generator.camera[i].next = self.camera[i].val();
        }
        self.generator.room.next = self.window.room.val();
        self.window.open.next = self.generator.open.val();
        self.shading.opened.next = self.generator.open.val();
        self.shading.opened_context.next = self.generator.open_context.val();
        self.shading.opened_place.next = self.window.place.val();

        // Primary rays wait. Where there is no sphere nothing would ever test them: they miss as they are made.
        self.staging.generated.next = self.generator.generated.val() & !self.no_spheres.q.val();
        self.staging.generated_context.next = self.generator.generated_context.val();
        self.shading.generated.next = self.generator.generated.val();
        self.shading.generated_context.next = self.generator.generated_context.val();
        for i in 0..3 {
            self.staging.position[i].next = self.position[i].val();
            self.shading.position[i].next = self.position[i].val();
            self.shading.light[i].next = self.light[i].val();
            self.staging.generated_direction[i].next = self.generator.generated_direction[i].val();
            self.shading.generated_direction[i].next = self.generator.generated_direction[i].val();
        }

        // The staged ray goes to a lane that wants one.
        self.given.next = self.ray_there.q.val() & self.giving.any.val();
        self.staging.ray_ready.next = !self.ray_there.q.val();
        for i in 0..6 {
            self.ray[i].clock.next = self.clock.val();
            self.ray[i].d.next = self.ray[i].q.val();
        }
        if !self.ray_there.q.val() {
            self.ray_there.d.next = self.staging.ray_valid.val();
            self.entry.d.next = self.staging.ray_entry.val();
            for i in 0..6 {
                self.ray[i].d.next = self.staging.ray[i].val();
            }
            self.starts_on.d.next = self.staging.ray_start.val();
            self.starts_within.d.next = self.staging.ray_inside.val();
        } else if self.given.val() {
            self.ray_there.d.next = false;
        }
        self.giving.go.next = self.given.val();
        for i in 0..LANES {
            self.lanes[i].clock.next = self.clock.val();
            self.lanes[i].reset_n.next = self.run_n.q.val();
            self.giving.wants[i].next = self.lanes[i].wants.val();
            self.lanes[i].give.next = self.given.val() & (self.giving.chosen.val().index() == i);
            self.lanes[i].ray_entry.next = self.entry.q.val();
            self.lanes[i].origin_x.next = self.ray[0].q.val();
            self.lanes[i].origin_y.next = self.ray[1].q.val();
            self.lanes[i].origin_z.next = self.ray[2].q.val();
            self.lanes[i].direction_x.next = self.ray[3].q.val();
            self.lanes[i].direction_y.next = self.ray[4].q.val();
            self.lanes[i].direction_z.next = self.ray[5].q.val();
            self.lanes[i].ray_start.next = self.starts_on.q.val();
            self.lanes[i].ray_inside.next = self.starts_within.q.val();
            self.lanes[i].sphere_valid.next = self.sphere_valid.val();
            self.lanes[i].sphere_index.next = self.sphere_index.val();
            self.lanes[i].sphere_count.next = self.sphere_count.val();
            self.lanes[i].centre_x.next = self.sphere[0].val();
            self.lanes[i].centre_y.next = self.sphere[1].val();
            self.lanes[i].centre_z.next = self.sphere[2].val();
            self.lanes[i].radius_squared.next = self.sphere[3].val();
            self.lanes[i].radius_inverse.next = self.sphere[4].val();
            self.lanes[i].radius.next = self.sphere[5].val();
            self.lanes[i].sphere_material.next = self.sphere_material.val();
            self.lanes[i].limit_write.next = self.shading.shaded.val();
            self.lanes[i].limit_context.next = self.shading.shaded_context.val();
            self.lanes[i].limit.next = self.shading.shaded_limit.val();
            self.lanes[i].hit_context.next = self.shading.hit_context.val();
        }
        self.sphere_ready.next = self.lanes[0].sphere_ready.val();

        // Rays retire: one a clock is collected.
        self.collecting.go.next = self.collecting.any.val();
        self.collected.d.next = self.collecting.any.val();
        self.retired_lane.d.next = self.collecting.chosen.val();
        for i in 0..LANES {
            self.collecting.wants[i].next = self.lanes[i].waits.val();
            self.lanes[i].take.next = self.collecting.any.val() & (self.collecting.chosen.val().index() == i);
            if self.collecting.chosen.val().index() == i {
                self.retired.d.next = self.lanes[i].retired.val();
            }
        }

        // Primary and reflection rays that retire are shaded, but for primary rays that miss.
        self.primary_misses.next =
            !self.retired.q.val().shadow & !self.retired.q.val().reflection & !self.retired.q.val().hit;
        self.shading.retired.next = self.collected.q.val() & !self.retired.q.val().shadow & !self.primary_misses.val();
        self.shading.retired_entry.next.context = self.retired.q.val().context;
        self.shading.retired_entry.next.reflection = self.retired.q.val().reflection;
        self.shading.retired_entry.next.carry = self.retired.q.val().carry;
        self.shading.retired_entry.next.hit = self.retired.q.val().hit;
        self.shading.retired_entry.next.lane = self.retired_lane.q.val();
        self.shading.hit_record[0].next = self.lanes[0].hit_distance.val();
        self.shading.hit_record[1].next = self.lanes[0].hit_index.val();
        self.shading.hit_record[2].next = self.lanes[0].hit_centre_x.val();
        self.shading.hit_record[3].next = self.lanes[0].hit_centre_y.val();
        self.shading.hit_record[4].next = self.lanes[0].hit_centre_z.val();
        self.shading.hit_record[5].next = self.lanes[0].hit_radius_inverse.val();
        self.shading.hit_record[6].next = self.lanes[0].hit_material.val();
        for i in 1..LANES {
            if self.shading.hit_lane.val().index() == i {
                self.shading.hit_record[0].next = self.lanes[i].hit_distance.val();
                self.shading.hit_record[1].next = self.lanes[i].hit_index.val();
                self.shading.hit_record[2].next = self.lanes[i].hit_centre_x.val();
                self.shading.hit_record[3].next = self.lanes[i].hit_centre_y.val();
                self.shading.hit_record[4].next = self.lanes[i].hit_centre_z.val();
                self.shading.hit_record[5].next = self.lanes[i].hit_radius_inverse.val();
                self.shading.hit_record[6].next = self.lanes[i].hit_material.val();
            }
        }
        self.shading.background.next = self.background.val();
        self.shading.reflection_depth.next = self.reflection_depth.val();
        self.shading.shadows.next = self.shadows.val();
        self.material_address.next = self.shading.material_address.val();
        for i in 0..4 {
            self.shading.material[i].next = self.material[i].val();
        }
        self.staging.start_write.next = self.shading.start.val();
        self.staging.start_context.next = self.shading.start_context.val();
        self.staging.start_index.next = self.shading.start_index.val();
        self.staging.shaded.next = self.shading.shaded.val();
        self.staging.shaded_context.next = self.shading.shaded_context.val();
        for i in 0..9 {
            self.staging.shaded_rays[i].next = self.shading.shaded_rays[i].val();
        }
        self.staging.shaded_inside.next = self.shading.shaded_inside.val();
        self.staging.follow.next = self.shading.follow.val();
        self.staging.follow_entry.next = self.shading.follow_entry.val();

        // A shadow ray that retires: its reflection ray goes on, carrying whether the light is seen, or its pixel is done.
        self.shadow_retires.next = self.collected.q.val() & self.retired.q.val().shadow;
        self.staging.returned.next = self.shadow_retires.val() & self.retired.q.val().carry;
        self.staging.returned_entry.next.context = self.retired.q.val().context;
        self.staging.returned_entry.next.shadow = false;
        self.staging.returned_entry.next.reflection = true;
        self.staging.returned_entry.next.carry = !self.retired.q.val().hit;
        // The pixel of a primary ray that misses is done, too. Each signal is given once in an evaluation: what changes for a
        // moment wakes Shading, whose colour changes for a moment and wakes this block, for ever in an event-driven simulator.
        self.shading.returned_seen.next = !self.retired.q.val().hit;
        if self.no_spheres.q.val() {
            self.shading.returned.next = self.generator.generated.val();
            self.shading.returned_context.next = self.generator.generated_context.val();
            self.shading.returned_missed.next = true;
        } else {
            self.shading.returned.next = (self.shadow_retires.val() & !self.retired.q.val().carry)
                | (self.collected.q.val() & self.primary_misses.val());
            self.shading.returned_context.next = bit_cast::<CONTEXT, 10>(self.retired.q.val().context);
            self.shading.returned_missed.next = !self.retired.q.val().shadow;
        }

        // Pixels are done.
        self.window.write.next = self.shading.finished.val();
        self.window.write_place.next = self.shading.finished_place.val();
        self.window.write_colour.next = self.shading.finished_colour.val();
        self.generator.freed.next = self.shading.finished.val();
        self.generator.freed_context.next = self.shading.finished_context.val();
        self.pixel_valid.next = self.window.pixel_valid.val();
        self.window.pixel_ready.next = self.pixel_ready.val();
        self.pixel.next = self.window.pixel.val();
        self.idle.next = self.generator.idle.val() & self.window.idle.val();

        // What is counted.
        self.happens[0].next = self.generator.open.val();
        self.happens[1].next = self.given.val() & self.entry.q.val().shadow;
        self.happens[2].next = self.given.val() & self.entry.q.val().reflection;
        self.happens[3].next = self.shading.start.val() & self.shading.start_hit.val();
        self.happens[4].next = self.shadow_retires.val() & self.retired.q.val().hit;
        self.happens[5].next = self.window.pixel_valid.val() & self.pixel_ready.val();
        self.happens[6].next = self.given.val();

        // Every clock of a frame, each lane's slot is exactly one of: used, dead, lost to one cause.
        self.counted.d.next = self.counting.val();
        for i in 0..LANES {
            self.tested[i].clock.next = self.clock.val();
            self.tested[i].d.next = self.lanes[i].test.val();
            self.tested_dead[i].clock.next = self.clock.val();
            self.tested_dead[i].d.next = self.lanes[i].test_dead.val();
            self.used[i].next = self.counted.q.val() & self.tested[i].q.val() & !self.tested_dead[i].q.val();
            self.dead[i].next = self.counted.q.val() & self.tested[i].q.val() & self.tested_dead[i].q.val();
        }
        self.sphere_lacks.next = !self.sphere_valid.val() & !self.generator.idle.val() & !self.no_spheres.q.val();
        self.lacked.d.next = self.sphere_lacks.val();
        self.waited.d.next = self.shading.waiting.val();
        self.blocked.d.next = self.generator.blocked.val();
        self.lost_to[0].next =
            self.counted.q.val() & !self.lacked.q.val() & !self.waited.q.val() & !self.blocked.q.val();
        self.lost_to[1].next = self.counted.q.val() & self.lacked.q.val();
        self.lost_to[2].next = self.counted.q.val() & !self.lacked.q.val() & self.waited.q.val();
        self.lost_to[3].next =
            self.counted.q.val() & !self.lacked.q.val() & !self.waited.q.val() & self.blocked.q.val();

        if !self.run_n.q.val() {
            self.collected.d.next = false;
            self.counted.d.next = false;
            self.ray_there.d.next = false;
        }
    }
}
