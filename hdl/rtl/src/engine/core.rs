//! The engine as one block: generator, staging, slots, intersector, nearest, shading, window, wired together.
//!
//! ```text
//!  frame: start, flush, camera, light, ... -> +--------+ -> pixel --valid/ready-->   raster order
//!  sphere ------------------valid/ready-----> | Engine | -> material_address
//!  material (one clock after its address) --> +--------+ -> idle, one pulse an event for the counters
//! ```
//!
//! Rates: one test a clock; one ray staged a clock; one shading every `shade` interval; a primary ray every `ray`
//! interval. `idle` goes low in the clock after `start` and comes back when the last pixel was taken. `flush` empties
//! everything, as reset does.

use super::entry::Tag;
use super::generator::Generator;
use super::nearest::Nearest;
use super::shading::Shading;
use super::slots::Slots;
use super::staging::Staging;
use super::window::Window;
use crate::datapath::kernels::SphereHit;
use crate::gate::Gate;
use crate::mem::{Delay, Ram};
use rayman_derive::GatedBlock;
use rust_hdl_core::prelude::*;

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
    /// A ray that will meet every sphere joins.
    pub const TESTS: usize = 6;
    /// A test that is wanted is issued.
    pub const USED: usize = 7;
    /// A test of a ray that is already decided is issued.
    pub const DEAD: usize = 8;
    /// No test: no ray.
    pub const LOST_RAYS: usize = 9;
    /// No test: no sphere.
    pub const LOST_SPHERES: usize = 10;
    /// No test: rays wait for the shader.
    pub const LOST_SHADER: usize = 11;
    /// No test: the window is full.
    pub const LOST_OUTPUT: usize = 12;
    /// How many there are.
    pub const COUNT: usize = 13;
}

/// Initiation intervals of the engine's datapaths, in clocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Intervals {
    /// Between two primary rays, at least 2.
    pub ray: u32,
    /// Between two shadings, at least 3: reading a context takes as long.
    pub shade: u32,
}

/// One lane of `2^SLOT` slots, `2^CONTEXT` contexts, a window of `2^WINDOW` pixels.
#[derive(GatedBlock)]
pub struct Engine<const CONTEXT: usize, const SLOT: usize, const WINDOW: usize> {
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
    /// Centre x, y, z, squared radius, inverse radius.
    pub sphere: [Signal<In, Bits<32>>; 5],
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

    run_n: Signal<Local, Bit>,
    no_spheres: Signal<Local, Bit>,
    shadow_retires: Signal<Local, Bit>,
    primary_misses: Signal<Local, Bit>,
    lost: Signal<Local, Bit>,
    // No sphere is there, and it is wanted.
    sphere_lacks: Signal<Local, Bit>,
    generator: Generator<CONTEXT>,
    staging: Staging<CONTEXT>,
    slots: Slots<SLOT>,
    sphere_hit: SphereHit,
    tags: Delay<Tag>,
    nearest: Nearest<CONTEXT, SLOT>,
    limits: Ram<1, CONTEXT>,
    shading: Shading<CONTEXT>,
    window: Window<WINDOW>,
    _gate: Gate,
}

impl<const CONTEXT: usize, const SLOT: usize, const WINDOW: usize> Engine<CONTEXT, SLOT, WINDOW> {
    /// Spheres are still in the ring when the results of their tests come. Engines of fewer slots, whose pictures are wrong,
    /// serve tests that only count.
    pub fn ring_outlasts_tests(&self) -> bool {
        Nearest::<CONTEXT, SLOT>::outlasts(self.sphere_hit.latency())
    }

    /// An engine whose datapaths have these initiation intervals.
    pub fn new(intervals: Intervals) -> Self {
        let sphere_hit = SphereHit::new(1);
        let tags = Delay::new(sphere_hit.latency());
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
            run_n: Default::default(),
            no_spheres: Default::default(),
            shadow_retires: Default::default(),
            primary_misses: Default::default(),
            lost: Default::default(),
            sphere_lacks: Default::default(),
            generator: Generator::new(intervals.ray),
            staging: Default::default(),
            slots: Default::default(),
            sphere_hit,
            tags,
            nearest: Default::default(),
            limits: Default::default(),
            shading: Shading::new(intervals.shade),
            window: Default::default(),
            _gate: Default::default(),
        }
    }
}

impl<const CONTEXT: usize, const SLOT: usize, const WINDOW: usize> Logic for Engine<CONTEXT, SLOT, WINDOW> {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clock, generator, staging, slots, sphere_hit, tags, nearest, limits, shading, window);
        self.run_n.next = self.reset_n.val() & !self.flush.val();
        self.generator.reset_n.next = self.run_n.val();
        self.staging.reset_n.next = self.run_n.val();
        self.slots.reset_n.next = self.run_n.val();
        self.sphere_hit.reset_n.next = self.run_n.val();
        self.tags.reset_n.next = self.run_n.val();
        self.nearest.reset_n.next = self.run_n.val();
        self.shading.reset_n.next = self.run_n.val();
        self.window.reset_n.next = self.run_n.val();
        self.no_spheres.next = self.sphere_count.val() == 0;

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
        self.staging.generated.next = self.generator.generated.val() & !self.no_spheres.val();
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

        // Rays join.
        self.slots.ray_valid.next = self.staging.ray_valid.val();
        self.staging.ray_ready.next = self.slots.ray_ready.val();
        self.slots.ray_entry.next = self.staging.ray_entry.val();
        for i in 0..6 {
            self.slots.ray[i].next = self.staging.ray[i].val();
        }
        self.slots.ray_start.next = self.staging.ray_start.val();
        self.slots.ray_inside.next = self.staging.ray_inside.val();
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
        self.sphere_hit.centre_x.next = self.sphere[0].val();
        self.sphere_hit.centre_y.next = self.sphere[1].val();
        self.sphere_hit.centre_z.next = self.sphere[2].val();
        self.sphere_hit.radius_squared.next = self.sphere[3].val();
        self.sphere_hit.radius_inverse.next = self.sphere[4].val();
        self.sphere_hit.own.next = self.slots.test_own.val();
        self.sphere_hit.inside_.next = self.slots.test_inside.val();
        self.sphere_hit.tag.next = 0.into();
        self.tags.d.next = self.slots.test_tag.val();

        // Results.
        self.nearest.done.next = self.sphere_hit.done.val();
        self.nearest.hit.next = self.sphere_hit.hit.val();
        self.nearest.distance.next = self.sphere_hit.distance.val();
        self.nearest.tag.next = self.tags.q.val();
        self.nearest.sphere[0].next = self.sphere_index.val();
        self.nearest.sphere[1].next = self.sphere[0].val();
        self.nearest.sphere[2].next = self.sphere[1].val();
        self.nearest.sphere[3].next = self.sphere[2].val();
        self.nearest.sphere[4].next = self.sphere[4].val();
        self.nearest.sphere[5].next = bit_cast::<32, 3>(self.sphere_material.val());
        self.nearest.sphere_valid.next = self.sphere_valid.val();
        self.nearest.sphere_turn.next = self.slots.turn.val();
        self.limits.read_address.next = self.nearest.limit_context.val();
        self.nearest.limit.next = self.limits.read_data[0].val();
        self.slots.kill.next = self.nearest.kill.val();
        self.slots.kill_slot.next = self.nearest.kill_slot.val();
        self.slots.kill_context.next = self.nearest.kill_context.val();
        self.shading.hit_write.next = self.nearest.hit_write.val();
        self.shading.hit_context.next = self.nearest.hit_context.val();
        for i in 0..7 {
            self.shading.hit_record[i].next = self.nearest.hit_record[i].val();
        }

        // Primary and reflection rays that retire are shaded, but for primary rays that miss.
        self.primary_misses.next = !self.nearest.retired_entry.val().shadow
            & !self.nearest.retired_entry.val().reflection
            & !self.nearest.retired_hit.val();
        self.shading.retired.next =
            self.nearest.retired.val() & !self.nearest.retired_entry.val().shadow & !self.primary_misses.val();
        self.shading.retired_entry.next.context = self.nearest.retired_entry.val().context;
        self.shading.retired_entry.next.reflection = self.nearest.retired_entry.val().reflection;
        self.shading.retired_entry.next.carry = self.nearest.retired_entry.val().carry;
        self.shading.retired_entry.next.hit = self.nearest.retired_hit.val();
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
        self.limits.write_enable.next = self.shading.shaded.val();
        self.limits.write_address.next = self.shading.shaded_context.val();
        self.limits.write_data[0].next = self.shading.shaded_limit.val();

        // A shadow ray that retires: its reflection ray goes on, carrying whether the light is seen, or its pixel is done.
        self.shadow_retires.next = self.nearest.retired.val() & self.nearest.retired_entry.val().shadow;
        self.staging.returned.next = self.shadow_retires.val() & self.nearest.retired_entry.val().carry;
        self.staging.returned_entry.next.context = self.nearest.retired_entry.val().context;
        self.staging.returned_entry.next.shadow = false;
        self.staging.returned_entry.next.reflection = true;
        self.staging.returned_entry.next.carry = !self.nearest.retired_hit.val();
        // The pixel of a primary ray that misses is done, too.
        self.shading.returned.next = (self.shadow_retires.val() & !self.nearest.retired_entry.val().carry)
            | (self.nearest.retired.val() & self.primary_misses.val());
        self.shading.returned_context.next = bit_cast::<CONTEXT, 10>(self.nearest.retired_entry.val().context);
        self.shading.returned_seen.next = !self.nearest.retired_hit.val();
        self.shading.returned_missed.next = !self.nearest.retired_entry.val().shadow;
        if self.no_spheres.val() {
            self.shading.returned.next = self.generator.generated.val();
            self.shading.returned_context.next = self.generator.generated_context.val();
            self.shading.returned_missed.next = true;
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

        // Every clock of a frame is exactly one of: used, dead, lost to one cause.
        self.lost.next = self.counting.val() & !self.slots.test_start.val();
        self.happens[0].next = self.generator.open.val();
        self.happens[1].next = self.slots.loaded.val() & self.staging.ray_entry.val().shadow;
        self.happens[2].next = self.slots.loaded.val() & self.staging.ray_entry.val().reflection;
        self.happens[3].next = self.shading.start.val() & self.shading.start_hit.val();
        self.happens[4].next = self.shadow_retires.val() & self.nearest.retired_hit.val();
        self.happens[5].next = self.window.pixel_valid.val() & self.pixel_ready.val();
        self.happens[6].next = self.slots.loaded.val();
        self.happens[7].next = self.counting.val() & self.slots.test_start.val() & !self.slots.test_dead.val();
        self.happens[8].next = self.counting.val() & self.slots.test_start.val() & self.slots.test_dead.val();
        self.sphere_lacks.next = !self.sphere_valid.val() & !self.generator.idle.val() & !self.no_spheres.val();
        self.happens[9].next =
            self.lost.val() & !self.sphere_lacks.val() & !self.shading.waiting.val() & !self.generator.blocked.val();
        self.happens[10].next = self.lost.val() & self.sphere_lacks.val();
        self.happens[11].next = self.lost.val() & !self.sphere_lacks.val() & self.shading.waiting.val();
        self.happens[12].next =
            self.lost.val() & !self.sphere_lacks.val() & !self.shading.waiting.val() & self.generator.blocked.val();
    }
}
