//! Everything about a frame that is not a pixel.
//!
//! ```text
//!               +--------------------------------- Frame ---------------------------------+
//!  registers -> | FrameControl <-> camera datapath            material store (8 x 4 words) | <- material_address
//!               |      |                                                                  | -> material_data
//!  read     ->  |      +---- read port: control before rendering, source while it lasts    |
//!  master   <-  |                       SphereSource (cache and ring)                      | -> spheres
//!               +-------------------------------------------------------------------------+
//!                        -> configuration, engine_start, rendering, flush     <- engine_idle, pixel_taken
//! ```
//!
//! Wiring only: [`FrameControl`](super::FrameControl) and [`SphereSource`](super::SphereSource) say what happens when.
//! `material_data` is what `material_address` named in the clock before.

use rayman_derive::GatedBlock;
use rust_hdl_core::prelude::*;

use super::sleep::{sleeper, Sleeping};
use super::{FrameControl, Progress, SphereSource};
use crate::datapath::kernels::Camera;
use crate::gate::Gate;
use crate::mem::Ram;

/// [`FrameCore`], left alone in simulation while it is at rest.
pub type Frame<const A: usize, const R: usize> = Sleeping<FrameCore<A, R>>;

/// Frame control, camera, material store and the source of spheres; a cache of `2^A` spheres, `R` is `A + 1`.
#[derive(GatedBlock)]
pub struct FrameCore<const A: usize, const R: usize> {
    /// The one clock.
    pub clock: Signal<In, Clock>,
    /// Low: idle.
    pub reset_n: Signal<In, Bit>,

    // From and to the registers.
    /// Pulse: start a frame. The five registers are sampled in this clock.
    pub run: Signal<In, Bit>,
    /// Pulse: end the frame early.
    pub stop: Signal<In, Bit>,
    /// SCENE_ADDRESS.
    pub scene_address: Signal<In, Bits<32>>,
    /// FRAMEBUFFER_ADDRESS.
    pub framebuffer_address: Signal<In, Bits<32>>,
    /// FRAMEBUFFER_STRIDE.
    pub framebuffer_stride: Signal<In, Bits<32>>,
    /// RENDER_CONTROL.
    pub render_control: Signal<In, Bits<32>>,
    /// BACKGROUND.
    pub background_colour: Signal<In, Bits<32>>,
    /// Pulse: the frame is over, for whatever reason.
    pub frame_end: Signal<Out, Bit>,
    /// With `frame_end`: every pixel is out.
    pub frame_complete: Signal<Out, Bit>,
    /// STATUS.progress.
    pub progress: Signal<Out, Bits<8>>,
    /// ERROR.code.
    pub error_code: Signal<Out, Bits<8>>,
    /// ERROR_ADDRESS.
    pub error_address: Signal<Out, Bits<32>>,

    // Reads.
    /// Words are wanted.
    pub read_request_valid: Signal<Out, Bit>,
    /// They will be read.
    pub read_request_ready: Signal<In, Bit>,
    /// Bus address of the first.
    pub read_request_address: Signal<Out, Bits<32>>,
    /// How many, at least 1.
    pub read_request_words: Signal<Out, Bits<32>>,
    /// A word is there.
    pub read_data_valid: Signal<In, Bit>,
    /// The word.
    pub read_data: Signal<In, Bits<32>>,
    /// It is taken.
    pub read_data_ready: Signal<Out, Bit>,
    /// A read failed.
    pub read_failed: Signal<In, Bit>,
    /// With DECERR, else with SLVERR.
    pub read_failed_decode: Signal<In, Bit>,
    /// Bus address of the word.
    pub read_failed_address: Signal<In, Bits<32>>,
    /// No read is under way.
    pub read_idle: Signal<In, Bit>,
    /// Level: start no burst, drop what arrives.
    pub read_stop: Signal<Out, Bit>,
    /// Pulse, when idle: forget everything.
    pub read_clear: Signal<Out, Bit>,

    // Pixel output.
    /// Pulse before the first pixel.
    pub output_start: Signal<Out, Bit>,
    /// Level: start no burst, drop what is buffered.
    pub output_stop: Signal<Out, Bit>,
    /// Pulse, when stopped: forget the failure.
    pub output_clear: Signal<Out, Bit>,
    /// Everything that was taken is out.
    pub output_idle: Signal<In, Bit>,
    /// As idle, but for a stream beat on offer.
    pub output_stopped: Signal<In, Bit>,
    /// A write failed.
    pub output_failed: Signal<In, Bit>,
    /// With DECERR, else with SLVERR.
    pub output_failed_decode: Signal<In, Bit>,
    /// Bus address of its burst.
    pub output_failed_address: Signal<In, Bits<32>>,
    /// The output took a pixel in this clock.
    pub pixel_taken: Signal<In, Bit>,
    /// Pixels go to the video stream.
    pub stream_enable: Signal<Out, Bit>,
    /// Pixels go to the framebuffer.
    pub framebuffer_enable: Signal<Out, Bit>,
    /// Bus address of the first pixel.
    pub output_address: Signal<Out, Bits<32>>,
    /// Bytes from row to row, never 0.
    pub output_stride: Signal<Out, Bits<32>>,

    // Engine.
    /// The engine holds no work.
    pub engine_idle: Signal<In, Bit>,
    /// Pulse: the configuration stands, begin.
    pub engine_start: Signal<Out, Bit>,
    /// High from `engine_start` until the last pixel or the abort.
    pub rendering: Signal<Out, Bit>,
    /// Level, 4 clocks: forget all work.
    pub flush: Signal<Out, Bit>,
    /// Pixels a row.
    pub width: Signal<Out, Bits<16>>,
    /// Rows.
    pub height: Signal<Out, Bits<16>>,
    /// Colour of a miss, XRGB8888.
    pub background: Signal<Out, Bits<32>>,
    /// Reflections followed.
    pub reflection_depth: Signal<Out, Bits<4>>,
    /// Shadow rays are traced.
    pub shadows: Signal<Out, Bit>,
    /// Spheres in the scene.
    pub sphere_count: Signal<Out, Bits<32>>,

    // The scene, to the engine.
    /// The light, x.
    pub light_x: Signal<Out, Bits<32>>,
    /// The light, y.
    pub light_y: Signal<Out, Bits<32>>,
    /// The light, z.
    pub light_z: Signal<Out, Bits<32>>,
    /// The camera, x.
    pub position_x: Signal<Out, Bits<32>>,
    /// The camera, y.
    pub position_y: Signal<Out, Bits<32>>,
    /// The camera, z.
    pub position_z: Signal<Out, Bits<32>>,
    /// The view's direction, x.
    pub forward_x: Signal<Out, Bits<32>>,
    /// The view's direction, y.
    pub forward_y: Signal<Out, Bits<32>>,
    /// The view's direction, z.
    pub forward_z: Signal<Out, Bits<32>>,
    /// One pixel to the right, x.
    pub right_x: Signal<Out, Bits<32>>,
    /// One pixel to the right, y.
    pub right_y: Signal<Out, Bits<32>>,
    /// One pixel to the right, z.
    pub right_z: Signal<Out, Bits<32>>,
    /// One pixel up, x.
    pub up_x: Signal<Out, Bits<32>>,
    /// One pixel up, y.
    pub up_y: Signal<Out, Bits<32>>,
    /// One pixel up, z.
    pub up_z: Signal<Out, Bits<32>>,
    /// The screen's centre, in pixels, x.
    pub centre_x: Signal<Out, Bits<32>>,
    /// The screen's centre, in pixels, y.
    pub centre_y: Signal<Out, Bits<32>>,

    // The spheres, to the engine.
    /// A sphere is offered.
    pub sphere_valid: Signal<Out, Bit>,
    /// It is taken.
    pub sphere_ready: Signal<In, Bit>,
    /// Its place in the array.
    pub sphere_index: Signal<Out, Bits<32>>,
    /// Its centre, x.
    pub sphere_centre_x: Signal<Out, Bits<32>>,
    /// Its centre, y.
    pub sphere_centre_y: Signal<Out, Bits<32>>,
    /// Its centre, z.
    pub sphere_centre_z: Signal<Out, Bits<32>>,
    /// Its radius squared.
    pub sphere_radius_squared: Signal<Out, Bits<32>>,
    /// One over its radius.
    pub sphere_radius_inverse: Signal<Out, Bits<32>>,
    /// Its radius.
    pub sphere_radius: Signal<Out, Bits<32>>,
    /// Its material.
    pub sphere_material: Signal<Out, Bits<3>>,

    // The material store: the words of a material in the clock after its number.
    /// Which material.
    pub material_address: Signal<In, Bits<3>>,
    /// Its words.
    pub material_data: [Signal<Out, Bits<32>>; 4],

    control: Sleeping<FrameControl>,
    source: Sleeping<SphereSource<A, R>>,
    tally: Sleeping<Progress>,
    camera: Camera,
    material_0: Ram<1, 3>,
    material_1: Ram<1, 3>,
    material_2: Ram<1, 3>,
    material_3: Ram<1, 3>,
    _gate: Gate,
}

impl<const A: usize, const R: usize> Default for FrameCore<A, R> {
    fn default() -> Self {
        Self {
            clock: Default::default(),
            reset_n: Default::default(),
            run: Default::default(),
            stop: Default::default(),
            scene_address: Default::default(),
            framebuffer_address: Default::default(),
            framebuffer_stride: Default::default(),
            render_control: Default::default(),
            background_colour: Default::default(),
            frame_end: Default::default(),
            frame_complete: Default::default(),
            progress: Default::default(),
            error_code: Default::default(),
            error_address: Default::default(),
            read_request_valid: Default::default(),
            read_request_ready: Default::default(),
            read_request_address: Default::default(),
            read_request_words: Default::default(),
            read_data_valid: Default::default(),
            read_data: Default::default(),
            read_data_ready: Default::default(),
            read_failed: Default::default(),
            read_failed_decode: Default::default(),
            read_failed_address: Default::default(),
            read_idle: Default::default(),
            read_stop: Default::default(),
            read_clear: Default::default(),
            output_start: Default::default(),
            output_stop: Default::default(),
            output_clear: Default::default(),
            output_idle: Default::default(),
            output_stopped: Default::default(),
            output_failed: Default::default(),
            output_failed_decode: Default::default(),
            output_failed_address: Default::default(),
            pixel_taken: Default::default(),
            stream_enable: Default::default(),
            framebuffer_enable: Default::default(),
            output_address: Default::default(),
            output_stride: Default::default(),
            engine_idle: Default::default(),
            engine_start: Default::default(),
            rendering: Default::default(),
            flush: Default::default(),
            width: Default::default(),
            height: Default::default(),
            background: Default::default(),
            reflection_depth: Default::default(),
            shadows: Default::default(),
            sphere_count: Default::default(),
            light_x: Default::default(),
            light_y: Default::default(),
            light_z: Default::default(),
            position_x: Default::default(),
            position_y: Default::default(),
            position_z: Default::default(),
            forward_x: Default::default(),
            forward_y: Default::default(),
            forward_z: Default::default(),
            right_x: Default::default(),
            right_y: Default::default(),
            right_z: Default::default(),
            up_x: Default::default(),
            up_y: Default::default(),
            up_z: Default::default(),
            centre_x: Default::default(),
            centre_y: Default::default(),
            sphere_valid: Default::default(),
            sphere_ready: Default::default(),
            sphere_index: Default::default(),
            sphere_centre_x: Default::default(),
            sphere_centre_y: Default::default(),
            sphere_centre_z: Default::default(),
            sphere_radius_squared: Default::default(),
            sphere_radius_inverse: Default::default(),
            sphere_radius: Default::default(),
            sphere_material: Default::default(),
            material_address: Default::default(),
            material_data: Default::default(),
            control: Default::default(),
            source: Default::default(),
            tally: Default::default(),
            camera: Camera::program(),
            material_0: Default::default(),
            material_1: Default::default(),
            material_2: Default::default(),
            material_3: Default::default(),
            _gate: Gate::default(),
        }
    }
}

sleeper! {
    [const A: usize, const R: usize] FrameCore<A, R>,
    inputs: [
        reset_n, run, stop, scene_address, framebuffer_address,
        framebuffer_stride, render_control, background_colour, read_request_ready, read_data_valid,
        read_data, read_failed, read_failed_decode, read_failed_address, read_idle,
        output_idle, output_stopped, output_failed, output_failed_decode, output_failed_address,
        pixel_taken, engine_idle, sphere_ready, material_address,
    ],
    // The camera datapath shows nothing while it computes; control then keeps the block awake.
    state: |this| !this.control.asleep()
        || !this.source.asleep()
        || !this.tally.asleep()
        || this.control.computing()
        || [&this.material_0, &this.material_1, &this.material_2, &this.material_3]
            .iter()
            .any(|store| store.read_data[0].changed)
}

impl<const A: usize, const R: usize> FrameCore<A, R> {
    /// Simulates the parts in every clock, whether they are at rest or not. For tests.
    pub fn keep_awake(&mut self) {
        self.control.keep_awake();
        self.source.keep_awake();
        self.tally.keep_awake();
    }
}

impl<const A: usize, const R: usize> Logic for FrameCore<A, R> {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clock, control, source, tally, camera, material_0, material_1, material_2, material_3);
        self.control.reset_n.next = self.reset_n.val();
        self.source.reset_n.next = self.reset_n.val();
        self.control.run.next = self.run.val();
        self.control.stop.next = self.stop.val();
        self.control.scene_address.next = self.scene_address.val();
        self.control.framebuffer_address.next = self.framebuffer_address.val();
        self.control.framebuffer_stride.next = self.framebuffer_stride.val();
        self.control.render_control.next = self.render_control.val();
        self.control.background_colour.next = self.background_colour.val();
        self.frame_end.next = self.control.frame_end.val();
        self.frame_complete.next = self.control.frame_complete.val();
        self.error_code.next = self.control.error_code.val();
        self.error_address.next = self.control.error_address.val();
        self.control.request_ready.next = self.read_request_ready.val();
        self.control.data_valid.next = self.read_data_valid.val();
        self.control.data.next = self.read_data.val();
        self.control.read_failed.next = self.read_failed.val();
        self.control.read_failed_decode.next = self.read_failed_decode.val();
        self.control.read_failed_address.next = self.read_failed_address.val();
        self.control.read_idle.next = self.read_idle.val();
        self.read_stop.next = self.control.read_stop.val();
        self.read_clear.next = self.control.read_clear.val();
        self.output_start.next = self.control.output_start.val();
        self.output_stop.next = self.control.output_stop.val();
        self.output_clear.next = self.control.output_clear.val();
        self.control.output_idle.next = self.output_idle.val();
        self.control.output_stopped.next = self.output_stopped.val();
        self.control.output_failed.next = self.output_failed.val();
        self.control.output_failed_decode.next = self.output_failed_decode.val();
        self.control.output_failed_address.next = self.output_failed_address.val();
        self.stream_enable.next = self.control.stream_enable.val();
        self.framebuffer_enable.next = self.control.framebuffer_enable.val();
        self.output_address.next = self.control.output_address.val();
        self.output_stride.next = self.control.output_stride.val();
        self.control.engine_idle.next = self.engine_idle.val();
        self.engine_start.next = self.control.engine_start.val();
        self.rendering.next = self.control.rendering.val();
        self.flush.next = self.control.flush.val();
        self.width.next = self.control.width.val();
        self.height.next = self.control.height.val();
        self.background.next = self.control.background.val();
        self.reflection_depth.next = self.control.reflection_depth.val();
        self.shadows.next = self.control.shadows.val();
        self.sphere_count.next = self.control.sphere_count.val();

        // How far it is.
        self.tally.reset_n.next = self.reset_n.val();
        self.tally.clear.next = self.run.val();
        self.tally.start.next = self.control.engine_start.val();
        self.tally.rendering.next = self.control.rendering.val();
        self.tally.total.next = self.control.pixels.val();
        self.tally.pixel_taken.next = self.pixel_taken.val();
        self.tally.complete.next = self.control.frame_complete.val();
        self.progress.next = self.tally.progress.val();
        self.control.all_taken.next = self.tally.all_taken.val();

        // The scene.
        self.light_x.next = self.control.scene_words[0].val();
        self.light_y.next = self.control.scene_words[1].val();
        self.light_z.next = self.control.scene_words[2].val();
        self.position_x.next = self.control.scene_words[3].val();
        self.position_y.next = self.control.scene_words[4].val();
        self.position_z.next = self.control.scene_words[5].val();
        self.forward_x.next = self.control.view[0].val();
        self.forward_y.next = self.control.view[1].val();
        self.forward_z.next = self.control.view[2].val();
        self.right_x.next = self.control.view[3].val();
        self.right_y.next = self.control.view[4].val();
        self.right_z.next = self.control.view[5].val();
        self.up_x.next = self.control.view[6].val();
        self.up_y.next = self.control.view[7].val();
        self.up_z.next = self.control.view[8].val();
        self.centre_x.next = self.control.view[9].val();
        self.centre_y.next = self.control.view[10].val();

        // The camera.
        self.camera.reset_n.next = self.control.camera_reset_n.val();
        self.camera.start.next = self.control.camera_start.val();
        self.camera.tag.next = 0.into();
        self.camera.position_x.next = self.control.scene_words[3].val();
        self.camera.position_y.next = self.control.scene_words[4].val();
        self.camera.position_z.next = self.control.scene_words[5].val();
        self.camera.target_x.next = self.control.scene_words[6].val();
        self.camera.target_y.next = self.control.scene_words[7].val();
        self.camera.target_z.next = self.control.scene_words[8].val();
        self.camera.fov_degrees.next = self.control.scene_words[9].val();
        self.camera.screen.next = self.control.scene_words[10].val();
        self.control.camera_ready.next = self.camera.ready.val();
        self.control.camera_done.next = self.camera.done.val();
        self.control.camera_output[0].next = self.camera.forward_x.val();
        self.control.camera_output[1].next = self.camera.forward_y.val();
        self.control.camera_output[2].next = self.camera.forward_z.val();
        self.control.camera_output[3].next = self.camera.right_x.val();
        self.control.camera_output[4].next = self.camera.right_y.val();
        self.control.camera_output[5].next = self.camera.right_z.val();
        self.control.camera_output[6].next = self.camera.up_x.val();
        self.control.camera_output[7].next = self.camera.up_y.val();
        self.control.camera_output[8].next = self.camera.up_z.val();
        self.control.camera_output[9].next = self.camera.centre_x.val();
        self.control.camera_output[10].next = self.camera.centre_y.val();
        self.control.fov_ok.next = self.camera.fov_ok.val();
        self.control.direction_ok.next = self.camera.direction_ok.val();

        // The spheres.
        self.sphere_valid.next = self.source.sphere_valid.val();
        self.source.sphere_ready.next = self.sphere_ready.val();
        self.sphere_index.next = self.source.sphere_index.val();
        self.sphere_centre_x.next = self.source.centre_x.val();
        self.sphere_centre_y.next = self.source.centre_y.val();
        self.sphere_centre_z.next = self.source.centre_z.val();
        self.sphere_radius_squared.next = self.source.radius_squared.val();
        self.sphere_radius_inverse.next = self.source.radius_inverse.val();
        self.sphere_radius.next = self.source.radius.val();
        self.sphere_material.next = self.source.sphere_material.val();
        self.source.filling.next = self.control.filling.val();
        self.source.rendering.next = self.control.rendering.val();
        self.source.base.next = self.control.sphere_pointer.val();
        self.source.count.next = self.control.sphere_count.val();
        self.source.word_valid.next = self.read_data_valid.val();
        self.source.word.next = self.read_data.val();
        self.source.number.next = self.control.number.val();
        self.control.last_word.next = self.source.last_word.val();
        self.control.last_sphere.next = self.source.last_sphere.val();

        // Control reads before rendering, the source of spheres while it lasts.
        self.read_request_valid.next = self.control.request_valid.val();
        self.read_request_address.next = self.control.request_address.val();
        self.read_request_words.next = self.control.request_words.val();
        self.read_data_ready.next = self.control.data_ready.val();
        if self.control.rendering.val() {
            self.read_request_valid.next = self.source.request_valid.val();
            self.read_request_address.next = self.source.request_address.val();
            self.read_request_words.next = self.source.request_words.val();
            self.read_data_ready.next = self.source.word_ready.val();
        }

        // The materials.
        self.material_0.write_enable.next = self.control.material_write_0.val();
        self.material_0.write_address.next = self.control.material_number.val();
        self.material_0.write_data[0].next = self.read_data.val();
        self.material_0.read_address.next = self.material_address.val();
        self.material_data[0].next = self.material_0.read_data[0].val();
        self.material_1.write_enable.next = self.control.material_write_1.val();
        self.material_1.write_address.next = self.control.material_number.val();
        self.material_1.write_data[0].next = self.read_data.val();
        self.material_1.read_address.next = self.material_address.val();
        self.material_data[1].next = self.material_1.read_data[0].val();
        self.material_2.write_enable.next = self.control.material_write_2.val();
        self.material_2.write_address.next = self.control.material_number.val();
        self.material_2.write_data[0].next = self.read_data.val();
        self.material_2.read_address.next = self.material_address.val();
        self.material_data[2].next = self.material_2.read_data[0].val();
        self.material_3.write_enable.next = self.control.material_write_3.val();
        self.material_3.write_address.next = self.control.material_number.val();
        self.material_3.write_data[0].next = self.read_data.val();
        self.material_3.read_address.next = self.material_address.val();
        self.material_data[3].next = self.material_3.read_data[0].val();
    }
}
