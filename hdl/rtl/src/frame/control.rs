//! A frame from RUN to its end.
//!
//! ```text
//!  run, stop, registers -> +--------------+ -> request_*           <- data, failed, idle      (read master)
//!                          | FrameControl | -> camera_start        <- camera_done, its words  (camera datapath)
//!  frame_end, progress, <- |              | -> filling             <- last_word, last_sphere  (sphere source)
//!  error                   |              | -> output_*            <- all_taken, idle       (pixel output)
//!                          +--------------+ -> engine_start, flush <- engine_idle             (engine)
//! ```
//!
//! One state machine, a phase at a time: sample the registers, check them, read the scene descriptor, check it, run the
//! camera datapath, read the materials, read all spheres (which fills the cache and checks material_id), start the engine,
//! wait for the last pixel, end. The checks are made in ascending order of `ErrorCode`; the first that fails ends the frame.
//!
//! A failure or STOP in any phase stops both AXI masters, waits for what they have under way, flushes the engine for 4
//! clocks, waits until it is idle and ends the frame. In one clock a failed read goes before a failed write, that before
//! a fault found by a check, that before STOP (*assumed*); the frame's completion goes before STOP in the same clock.
//! A failed read counts when the words before it have been looked at, so that faults come in memory order.
//!
//! Time from `run` to `engine_start`: the reads (15 words, 4 a material, 6 a sphere; a word a clock), the camera datapath,
//! and 55 clocks, of which two multiplications take 17 each. What always holds: one `frame_end` for each `run`; the configuration
//! outputs do not change while `rendering`; sums are exact (addresses are counted in words of 4 bytes, so that 32 bits
//! hold every sum whose comparison with the end of the address space matters).

use rayman_abi::descriptor::{scene, sphere};
use rayman_abi::ErrorCode;
use rayman_derive::GatedBlock;
use rust_hdl_core::prelude::*;
use rust_hdl_widgets::dff_setup;

use super::multiplier::Multiplier;
use super::phase::Phase;
use super::sleep::sleeper;
use super::words::SceneWords;
use crate::fixed::Fixed;
use crate::gate::Gate;
use crate::mem::Flop;

const SPHERE_BYTES: u64 = sphere::LAYOUT.bytes() as u64;
/// A scene descriptor here ends with the address space.
const LAST_SCENE_ADDRESS: u64 = (1 << 32) - scene::LAYOUT.bytes() as u64;
/// Words in the address space.
const ADDRESS_WORDS: u64 = 1 << 30;

/// See the module.
#[derive(GatedBlock, Default)]
pub struct FrameControl {
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
    /// ERROR.code.
    pub error_code: Signal<Out, Bits<8>>,
    /// ERROR_ADDRESS.
    pub error_address: Signal<Out, Bits<32>>,

    // Reads.
    /// Words are wanted.
    pub request_valid: Signal<Out, Bit>,
    /// They will be read.
    pub request_ready: Signal<In, Bit>,
    /// Bus address of the first.
    pub request_address: Signal<Out, Bits<32>>,
    /// How many, at least 1.
    pub request_words: Signal<Out, Bits<32>>,
    /// A word is there.
    pub data_valid: Signal<In, Bit>,
    /// The word.
    pub data: Signal<In, Bits<32>>,
    /// It is taken (outside rendering; then the source of spheres says).
    pub data_ready: Signal<Out, Bit>,
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
    /// It took every pixel of the frame.
    pub all_taken: Signal<In, Bit>,
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
    /// Pixels of the frame, from `engine_start` on.
    pub pixels: Signal<Out, Bits<32>>,
    /// Spheres in the scene.
    pub sphere_count: Signal<Out, Bits<32>>,

    // Spheres.
    /// The check pass: the words on `data` are spheres'.
    pub filling: Signal<Out, Bit>,
    /// Bus address of sphere 0.
    pub sphere_pointer: Signal<Out, Bits<32>>,
    /// `data` as a number: subnormals flushed, the one NaN.
    pub number: Signal<Out, Bits<32>>,
    /// The next word is the last of its sphere.
    pub last_word: Signal<In, Bit>,
    /// The next sphere is the last.
    pub last_sphere: Signal<In, Bit>,

    // Material store.
    /// Store `data` as word 0.
    pub material_write_0: Signal<Out, Bit>,
    /// Store `data` as word 1.
    pub material_write_1: Signal<Out, Bit>,
    /// Store `data` as word 2.
    pub material_write_2: Signal<Out, Bit>,
    /// Store `data` as word 3.
    pub material_write_3: Signal<Out, Bit>,
    /// Which material.
    pub material_number: Signal<Out, Bits<3>>,

    // Camera datapath.
    /// Low: forget what is under way.
    pub camera_reset_n: Signal<Out, Bit>,
    /// The scene's camera is on the ports.
    pub camera_start: Signal<Out, Bit>,
    /// It is taken.
    pub camera_ready: Signal<In, Bit>,
    /// The eleven words and two flags are there.
    pub camera_done: Signal<In, Bit>,
    /// The field of view can be used.
    pub fov_ok: Signal<In, Bit>,
    /// The camera looks somewhere.
    pub direction_ok: Signal<In, Bit>,
    /// The camera's words, with `camera_done`: forward, right, up (x, y, z each), centre_x, centre_y.
    pub camera_output: [Signal<In, Bits<32>>; 11],
    /// The same words, kept for the frame.
    pub view: [Signal<Out, Bits<32>>; 11],
    /// Words 0 to 10 of the scene descriptor: light, camera position, look-at point, field of view, screen.
    pub scene_words: [Signal<Out, Bits<32>>; 11],

    // Where the frame is.
    phase: Flop<Phase>,
    // Counts words, bits or clocks within a phase.
    step: Flop<Bits<5>>,
    // ERROR.code.
    code: Flop<Bits<8>>,
    // ERROR_ADDRESS.
    fault_place: Flop<Bits<32>>,
    // Scene descriptor's address, then the next sphere descriptor's.
    cursor: Flop<Bits<32>>,
    // Configuration, as sampled.
    framebuffer: Flop<Bits<32>>,
    // Configuration, as sampled; resolved once the screen is known.
    stride: Flop<Bits<32>>,
    // Configuration, as sampled.
    control: Flop<Bits<32>>,
    // Configuration, as sampled.
    miss: Flop<Bits<32>>,
    // Words from the framebuffer's address to the end of its last row.
    extent: Flop<Bits<32>>,
    multiplier: Multiplier,
    descriptor: SceneWords,
    // What the camera datapath said: it stands a clock after it is done, too, which is when it is taken.
    view_comes: Flop<Bit>,
    camera: [Flop<Bits<32>>; 11],

    // The phase is `Render`; it is `SphereFetch` or the `Start` that follows. Much hangs on either.
    rendering_state: Flop<Bit>,
    filling_state: Flop<Bit>,
    // The first clock of `Render`; the phase is `Abort`, `Flush` or `Settle`.
    start_state: Flop<Bit>,
    stopping: Flop<Bit>,
    // All that `Render` or `Settle` waits for was there in the clock before; STOP was. So a frame that was at rest when STOP
    // came is complete.
    rested: Flop<Bit>,
    stop_late: Flop<Bit>,
    // Of what is sampled and fetched, a clock later: there is a framebuffer, words of all spheres.
    framebuffer_given: Flop<Bit>,
    words_of_spheres: Flop<Bits<32>>,
    // What the checks look at, compared before they are made: the scene's address as it is sampled, the screen a clock later.
    scene_past: Flop<Bit>,
    scene_null: Flop<Bit>,
    screen_empty: Flop<Bit>,
    stride_given: Flop<Bit>,
    stride_short: Flop<Bit>,
    // What a check found in the clock before; code and address stay for one clock more.
    found: Flop<Bit>,
    found_code: Flop<Bits<8>>,
    found_address: Flop<Bits<32>>,
    // Something ended the frame in the clock before; and what: a check, else a failed read, else a failed write, else STOP.
    ending: Flop<Bit>,
    by_check: Flop<Bit>,
    by_read: Flop<Bit>,
    by_write: Flop<Bit>,
    // Orders to the other blocks, out of registers: a phase is decoded in front of no one else's registers.
    order_read_stop: Flop<Bit>,
    order_read_clear: Flop<Bit>,
    order_output_clear: Flop<Bit>,
    order_flush: Flop<Bit>,
    // An array is looked at in three clocks: where it ends, whether that is past the addresses, what that means.
    looking: Flop<Bits<2>>,
    array_some: Flop<Bit>,
    array_null: Flop<Bit>,
    array_misaligned: Flop<Bit>,
    array_huge: Flop<Bit>,
    array_end: Flop<Bits<32>>,
    array_past: Flop<Bit>,
    // How much there is to read, known long before it is asked for.
    no_spheres: Flop<Bit>,
    materials: Flop<Bits<4>>,
    no_materials: Flop<Bit>,

    // The frame may still end early.
    live: Flop<Bit>,
    // What the other blocks hear of the frame's end, a clock late.
    over: Flop<Bit>,
    over_complete: Flop<Bit>,
    fault: Signal<Local, Bit>,
    fault_code: Signal<Local, Bits<8>>,
    fault_address: Signal<Local, Bits<32>>,
    complete: Signal<Local, Bit>,
    read_error: Signal<Local, Bit>,
    ends: Signal<Local, Bit>,
    next_step: Signal<Local, Bits<5>>,
    screen: Signal<Local, Bits<32>>,
    row_bytes: Signal<Local, Bits<32>>,
    resolved_stride: Signal<Local, Bits<32>>,
    height_less: Signal<Local, Bits<16>>,
    sphere_words: Signal<Local, Bits<32>>,
    array_pointer: Signal<Local, Bits<32>>,
    array_count: Signal<Local, Bits<32>>,
    array_words: Signal<Local, Bits<32>>,
    array_last: Signal<Local, Bits<32>>,
    next_look: Signal<Local, Bits<2>>,
    limit: Signal<Local, Bits<4>>,
    material_words: Signal<Local, Bits<6>>,
    material_last: Signal<Local, Bits<6>>,
    next_cursor: Signal<Local, Bits<32>>,

    code_framebuffer_misaligned: Fixed<8, { ErrorCode::FramebufferMisaligned as u64 }>,
    code_scene_misaligned: Fixed<8, { ErrorCode::SceneMisaligned as u64 }>,
    code_scene_null: Fixed<8, { ErrorCode::SceneNull as u64 }>,
    code_scene_range: Fixed<8, { ErrorCode::SceneRange as u64 }>,
    code_screen_empty: Fixed<8, { ErrorCode::ScreenEmpty as u64 }>,
    code_stride_too_small: Fixed<8, { ErrorCode::StrideTooSmall as u64 }>,
    code_framebuffer_range: Fixed<8, { ErrorCode::FramebufferRange as u64 }>,
    code_sphere_null: Fixed<8, { ErrorCode::SphereNull as u64 }>,
    code_sphere_misaligned: Fixed<8, { ErrorCode::SphereMisaligned as u64 }>,
    code_sphere_range: Fixed<8, { ErrorCode::SphereRange as u64 }>,
    code_material_null: Fixed<8, { ErrorCode::MaterialNull as u64 }>,
    code_material_misaligned: Fixed<8, { ErrorCode::MaterialMisaligned as u64 }>,
    code_material_range: Fixed<8, { ErrorCode::MaterialRange as u64 }>,
    code_field_of_view: Fixed<8, { ErrorCode::FieldOfView as u64 }>,
    code_camera_direction: Fixed<8, { ErrorCode::CameraDirection as u64 }>,
    code_material_id: Fixed<8, { ErrorCode::MaterialId as u64 }>,
    code_read_slave: Fixed<8, { ErrorCode::ReadSlave as u64 }>,
    code_read_decode: Fixed<8, { ErrorCode::ReadDecode as u64 }>,
    code_write_slave: Fixed<8, { ErrorCode::WriteSlave as u64 }>,
    code_write_decode: Fixed<8, { ErrorCode::WriteDecode as u64 }>,
    code_stopped: Fixed<8, { ErrorCode::Stopped as u64 }>,
    sphere_bytes: Fixed<32, SPHERE_BYTES>,
    last_scene_address: Fixed<32, LAST_SCENE_ADDRESS>,
    address_words: Fixed<32, ADDRESS_WORDS>,
    _gate: Gate,
}

impl FrameControl {
    /// The camera datapath may be at work. For simulation.
    pub(super) fn computing(&self) -> bool {
        !matches!(self.phase.q.val(), Phase::Idle | Phase::Render)
    }
}

sleeper! {
    [] FrameControl,
    inputs: [
        reset_n, run, stop, scene_address, framebuffer_address,
        framebuffer_stride, render_control, background_colour, request_ready, data_valid,
        data, read_failed, read_failed_decode, read_failed_address, read_idle,
        output_idle, output_stopped, output_failed, output_failed_decode, output_failed_address,
        all_taken, engine_idle, last_word, last_sphere, camera_ready,
        camera_done, fov_ok, direction_ok,
    ],
    state: |this| this.phase.q.changed
        || this.step.q.changed
        || this.code.q.changed
        || this.rendering_state.q.changed
        || this.filling_state.q.changed
        || this.start_state.q.changed
        || this.stopping.q.changed
        || this.rested.q.changed
        || this.stop_late.q.changed
        || this.framebuffer_given.q.changed
        || this.words_of_spheres.q.changed
        || this.found.q.changed
        || this.ending.q.changed
        || this.view_comes.q.changed
        || this.stride_given.q.changed
        || this.stride_short.q.changed
        || this.screen_empty.q.changed
        || this.live.q.changed
        || this.over.q.changed
        || this.looking.q.changed
        || this.order_flush.q.changed
        || this.order_read_stop.q.changed
        || this.order_read_clear.q.changed
        || this.order_output_clear.q.changed
        || this.array_end.q.changed
        || this.array_past.q.changed
        || this.no_spheres.q.changed
        || this.materials.q.changed
        || this.no_materials.q.changed
        || this.multiplier.stirred()
        || this.descriptor.stirred()
        || [
            &this.fault_place, &this.found_address, &this.cursor, &this.framebuffer, &this.stride, &this.control,
            &this.miss, &this.extent,
        ]
        .into_iter()
        .chain(&this.camera)
        .any(|flop| flop.q.changed)
}

impl Logic for FrameControl {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, phase, step, code, fault_place, cursor, framebuffer, stride, control, miss, extent);
        dff_setup!(self, clock, rendering_state, filling_state, start_state, stopping, rested, stop_late);
        dff_setup!(self, clock, framebuffer_given, words_of_spheres, view_comes);
        dff_setup!(self, clock, scene_past, scene_null, screen_empty, stride_given, stride_short);
        dff_setup!(self, clock, found, found_code, found_address, ending, by_check, by_read, by_write, looking);
        dff_setup!(self, clock, order_read_stop, order_read_clear, order_output_clear, order_flush);
        dff_setup!(self, clock, array_some, array_null, array_misaligned, array_huge, array_end, array_past);
        dff_setup!(self, clock, no_spheres, materials, no_materials, live, over, over_complete);
        clock!(self, clock, multiplier, descriptor);
        self.multiplier.reset_n.next = self.reset_n.val();
        for i in 0..11 {
            self.camera[i].clock.next = self.clock.val();
            self.camera[i].d.next = self.camera[i].q.val();
            if self.view_comes.q.val() {
                self.camera[i].d.next = self.camera_output[i].val();
            }
            self.view[i].next = self.camera[i].q.val();
            self.scene_words[i].next = self.descriptor.words[i].val();
        }

        // The word that arrives.
        self.descriptor.word.next = self.data.val();
        self.descriptor.place.next = self.step.q.val();
        self.descriptor.shift.next = false;
        self.number.next = self.descriptor.number.val();

        // What the registers and the scene descriptor say.
        self.screen.next = self.descriptor.words[10].val();
        self.width.next = self.screen.val().get_bits::<16>(0);
        self.height.next = self.screen.val().get_bits::<16>(16);
        self.sphere_pointer.next = self.descriptor.words[11].val();
        self.sphere_count.next = self.descriptor.words[12].val();
        self.output_address.next = self.framebuffer.q.val();
        self.output_stride.next = self.stride.q.val();
        self.framebuffer_given.d.next = self.framebuffer.q.val() != 0;
        self.framebuffer_enable.next = self.framebuffer_given.q.val();
        self.reflection_depth.next = self.control.q.val().get_bits::<4>(0);
        self.shadows.next = self.control.q.val().get_bit(8);
        self.stream_enable.next = self.control.q.val().get_bit(9);
        self.background.next = self.miss.q.val();

        // Row length and stride, in bytes.
        self.row_bytes.next = bit_cast::<32, 16>(self.width.val()) << 2;
        self.stride_given.d.next = self.stride.q.val() != 0;
        self.stride_short.d.next = self.stride.q.val() < self.row_bytes.val();
        self.screen_empty.d.next = (self.width.val() == 0) || (self.height.val() == 0);
        self.resolved_stride.next = self.stride.q.val();
        if !self.stride_given.q.val() {
            self.resolved_stride.next = self.row_bytes.val();
        }
        self.height_less.next = self.height.val() - 1;

        // In the framebuffer's extent words of 4 bytes are counted.
        self.multiplier.start.next = false;
        self.multiplier.factor.next = self.height_less.val();
        self.multiplier.multiplicand.next = self.stride.q.val() >> 2;
        if self.phase.q.val() == Phase::Pixels {
            self.multiplier.multiplicand.next = bit_cast::<32, 16>(self.width.val());
        }
        self.pixels.next = self.multiplier.product.val();
        self.next_step.next = self.step.q.val() + 1;

        // Where an array, or the framebuffer, ends: its first word's number plus its words, at most 2^30.
        self.words_of_spheres.d.next = (self.sphere_count.val() << 2) + (self.sphere_count.val() << 1);
        self.sphere_words.next = self.words_of_spheres.q.val();
        self.array_pointer.next = self.sphere_pointer.val();
        self.array_count.next = self.sphere_count.val();
        self.array_words.next = self.sphere_words.val();
        if self.phase.q.val() == Phase::MaterialArray {
            self.array_pointer.next = self.descriptor.words[13].val();
            self.array_count.next = self.descriptor.words[14].val();
            self.array_words.next = self.descriptor.words[14].val() << 2;
        }
        if self.phase.q.val() == Phase::ExtentCheck {
            self.array_pointer.next = self.framebuffer.q.val();
            self.array_count.next = 0.into();
            self.array_words.next = self.extent.q.val();
        }
        self.array_last.next = self.array_pointer.val() >> 2;
        self.array_some.d.next = self.array_count.val() != 0;
        self.array_null.d.next = self.array_pointer.val() == 0;
        self.array_misaligned.d.next = self.array_pointer.val().get_bits::<2>(0) != 0;
        // From 2^28 on the bytes of 16 or 24 each run past 2^32 wherever they begin.
        self.array_huge.d.next = self.array_count.val().get_bits::<4>(28) != 0;
        self.array_end.d.next = self.array_last.val() + self.array_words.val();
        self.array_past.d.next = self.array_huge.q.val() || (self.array_end.q.val() > self.address_words.val());
        self.next_look.next = self.looking.q.val() + 1;
        self.looking.d.next = 0.into();

        // Materials: the first eight.
        self.limit.next = self.descriptor.words[14].val().get_bits::<4>(0);
        if self.descriptor.words[14].val() > 8 {
            self.limit.next = 8.into();
        }
        self.materials.d.next = self.limit.val();
        self.no_materials.d.next = self.materials.q.val() == 0;
        self.no_spheres.d.next = self.sphere_count.val() == 0;
        self.material_words.next = bit_cast::<6, 4>(self.materials.q.val()) << 2;
        self.material_last.next = self.material_words.val() - 1;
        self.material_number.next = self.step.q.val().get_bits::<3>(2);
        self.material_write_0.next = false;
        self.material_write_1.next = false;
        self.material_write_2.next = false;
        self.material_write_3.next = false;

        self.next_cursor.next = self.cursor.q.val() + self.sphere_bytes.val();

        // Outputs of the phases, at rest.
        self.request_valid.next = false;
        self.request_address.next = self.cursor.q.val();
        self.request_words.next = 15.into();
        // Words come only of what was asked for, so none comes in any other phase than that which looks at it.
        self.data_ready.next = !self.rendering_state.q.val();
        self.order_read_stop.d.next = false;
        self.order_read_clear.d.next = false;
        self.order_output_clear.d.next = false;
        self.order_flush.d.next = false;
        self.read_stop.next = self.order_read_stop.q.val();
        self.read_clear.next = self.order_read_clear.q.val();
        self.view_comes.d.next = false;
        self.start_state.d.next = false;
        self.rested.d.next = false;
        self.output_start.next = self.start_state.q.val();
        self.output_stop.next = self.stopping.q.val();
        self.output_clear.next = self.order_output_clear.q.val();
        self.engine_start.next = self.start_state.q.val();
        self.rendering.next = self.rendering_state.q.val();
        self.flush.next = self.order_flush.q.val();
        self.filling.next = self.filling_state.q.val();
        self.camera_reset_n.next = self.reset_n.val() && !self.order_flush.q.val();
        self.camera_start.next = false;
        self.over.d.next = false;
        self.over_complete.d.next = false;
        self.frame_end.next = self.over.q.val();
        self.frame_complete.next = self.over_complete.q.val();
        self.complete.next = false;
        self.fault.next = false;
        self.fault_code.next = 0.into();
        self.fault_address.next = 0.into();

        match self.phase.q.val() {
            Phase::Idle => {
                if self.run.val() {
                    self.live.d.next = true;
                    self.cursor.d.next = self.scene_address.val();
                    self.scene_past.d.next = self.scene_address.val() > self.last_scene_address.val();
                    self.scene_null.d.next = self.scene_address.val() == 0;
                    self.framebuffer.d.next = self.framebuffer_address.val();
                    self.stride.d.next = self.framebuffer_stride.val();
                    self.control.d.next = self.render_control.val();
                    self.miss.d.next = self.background_colour.val();
                    self.code.d.next = 0.into();
                    self.fault_place.d.next = 0.into();
                    self.step.d.next = 0.into();
                    self.phase.d.next = Phase::Registers;
                }
            }
            Phase::Registers => {
                // Nothing is read before the checks have been heard.
                self.step.d.next = self.next_step.val();
                if self.step.q.val() == 2 {
                    self.phase.d.next = Phase::SceneRequest;
                }
                if self.scene_past.q.val() {
                    self.fault.next = true;
                    self.fault_code.next = self.code_scene_range.val();
                }
                if self.scene_null.q.val() {
                    self.fault.next = true;
                    self.fault_code.next = self.code_scene_null.val();
                }
                if self.cursor.q.val().get_bits::<2>(0) != 0 {
                    self.fault.next = true;
                    self.fault_code.next = self.code_scene_misaligned.val();
                }
                if (self.framebuffer.q.val().get_bits::<2>(0) != 0) || (self.stride.q.val().get_bits::<2>(0) != 0) {
                    self.fault.next = true;
                    self.fault_code.next = self.code_framebuffer_misaligned.val();
                }
            }
            Phase::SceneRequest => {
                self.request_valid.next = true;
                self.step.d.next = 0.into();
                if self.request_ready.val() {
                    self.phase.d.next = Phase::SceneFetch;
                }
            }
            Phase::SceneFetch => {
                if self.data_valid.val() {
                    self.descriptor.shift.next = true;
                    self.step.d.next = self.next_step.val();
                    if self.step.q.val() == 14 {
                        self.phase.d.next = Phase::Screen;
                    }
                }
            }
            Phase::Screen => {
                self.looking.d.next = self.next_look.val();
                self.fault_address.next = self.cursor.q.val();
                if self.looking.q.val() == 1 {
                    self.looking.d.next = 0.into();
                    self.stride.d.next = self.resolved_stride.val();
                    self.multiplier.start.next = true;
                    self.phase.d.next = Phase::SphereArray;
                    if self.framebuffer_enable.val() {
                        self.phase.d.next = Phase::Extent;
                    }
                    if self.stride_given.q.val() && self.stride_short.q.val() {
                        self.fault.next = true;
                        self.fault_code.next = self.code_stride_too_small.val();
                        self.fault_address.next = 0.into();
                    }
                    if self.screen_empty.q.val() {
                        self.fault.next = true;
                        self.fault_code.next = self.code_screen_empty.val();
                        self.fault_address.next = self.cursor.q.val();
                    }
                }
            }
            Phase::Extent => {
                if self.multiplier.done.val() {
                    self.phase.d.next = Phase::ExtentRow;
                }
            }
            Phase::ExtentRow => {
                self.extent.d.next = self.multiplier.product.val() + bit_cast::<32, 16>(self.width.val());
                self.phase.d.next = Phase::ExtentCheck;
            }
            Phase::ExtentCheck => {
                self.looking.d.next = self.next_look.val();
                if self.looking.q.val() == 2 {
                    self.looking.d.next = 0.into();
                    self.phase.d.next = Phase::SphereArray;
                    if self.multiplier.past.val() || self.array_past.q.val() {
                        self.fault.next = true;
                        self.fault_code.next = self.code_framebuffer_range.val();
                    }
                }
            }
            Phase::SphereArray => {
                self.looking.d.next = self.next_look.val();
                self.fault_address.next = self.cursor.q.val();
                if self.looking.q.val() == 2 {
                    self.looking.d.next = 0.into();
                    self.phase.d.next = Phase::MaterialArray;
                    if self.array_some.q.val() {
                        if self.array_past.q.val() {
                            self.fault.next = true;
                            self.fault_code.next = self.code_sphere_range.val();
                        }
                        if self.array_misaligned.q.val() {
                            self.fault.next = true;
                            self.fault_code.next = self.code_sphere_misaligned.val();
                        }
                        if self.array_null.q.val() {
                            self.fault.next = true;
                            self.fault_code.next = self.code_sphere_null.val();
                        }
                    }
                }
            }
            Phase::MaterialArray => {
                self.looking.d.next = self.next_look.val();
                self.fault_address.next = self.cursor.q.val();
                if self.looking.q.val() == 2 {
                    self.looking.d.next = 0.into();
                    self.phase.d.next = Phase::Camera;
                    if self.array_some.q.val() {
                        if self.array_past.q.val() {
                            self.fault.next = true;
                            self.fault_code.next = self.code_material_range.val();
                        }
                        if self.array_misaligned.q.val() {
                            self.fault.next = true;
                            self.fault_code.next = self.code_material_misaligned.val();
                        }
                        if self.array_null.q.val() {
                            self.fault.next = true;
                            self.fault_code.next = self.code_material_null.val();
                        }
                    }
                }
            }
            Phase::Camera => {
                self.camera_start.next = true;
                if self.camera_ready.val() {
                    self.phase.d.next = Phase::CameraWait;
                }
            }
            Phase::CameraWait => {
                self.fault_address.next = self.cursor.q.val();
                self.multiplier.factor.next = self.height.val();
                if self.camera_done.val() {
                    self.multiplier.start.next = true;
                    self.view_comes.d.next = true;
                    self.phase.d.next = Phase::Pixels;
                    if !self.direction_ok.val() {
                        self.fault.next = true;
                        self.fault_code.next = self.code_camera_direction.val();
                    }
                    if !self.fov_ok.val() {
                        self.fault.next = true;
                        self.fault_code.next = self.code_field_of_view.val();
                    }
                }
            }
            Phase::Pixels => {
                if self.multiplier.done.val() {
                    self.phase.d.next = Phase::MaterialRequest;
                }
            }
            Phase::MaterialRequest => {
                self.request_address.next = self.descriptor.words[13].val();
                self.request_words.next = bit_cast::<32, 6>(self.material_words.val());
                self.step.d.next = 0.into();
                if self.no_materials.q.val() {
                    self.phase.d.next = Phase::SphereRequest;
                } else {
                    self.request_valid.next = true;
                    if self.request_ready.val() {
                        self.phase.d.next = Phase::MaterialFetch;
                    }
                }
            }
            Phase::MaterialFetch => {
                if self.data_valid.val() {
                    self.material_write_0.next = self.step.q.val().get_bits::<2>(0) == 0;
                    self.material_write_1.next = self.step.q.val().get_bits::<2>(0) == 1;
                    self.material_write_2.next = self.step.q.val().get_bits::<2>(0) == 2;
                    self.material_write_3.next = self.step.q.val().get_bits::<2>(0) == 3;
                    self.step.d.next = self.next_step.val();
                    if bit_cast::<6, 5>(self.step.q.val()) == self.material_last.val() {
                        self.phase.d.next = Phase::SphereRequest;
                    }
                }
            }
            Phase::SphereRequest => {
                self.request_address.next = self.sphere_pointer.val();
                self.request_words.next = self.sphere_words.val();
                self.cursor.d.next = self.sphere_pointer.val();
                if self.no_spheres.q.val() {
                    self.phase.d.next = Phase::Start;
                } else {
                    self.request_valid.next = true;
                    if self.request_ready.val() {
                        self.filling_state.d.next = true;
                        self.phase.d.next = Phase::SphereFetch;
                    }
                }
            }
            Phase::SphereFetch => {
                self.fault_address.next = self.cursor.q.val();
                if self.data_valid.val() && self.last_word.val() {
                    self.cursor.d.next = self.next_cursor.val();
                    if self.last_sphere.val() {
                        self.phase.d.next = Phase::Start;
                    }
                    if bit_cast::<4, 3>(self.data.val().get_bits::<3>(0)) >= self.materials.q.val() {
                        self.fault.next = true;
                        self.fault_code.next = self.code_material_id.val();
                    }
                }
            }
            Phase::Start => {
                // The source of spheres goes from the one to the other with radii under way.
                self.filling_state.d.next = false;
                // Not if the last sphere was refused.
                if !self.found.q.val() {
                    self.rendering_state.d.next = true;
                    self.start_state.d.next = true;
                }
                self.phase.d.next = Phase::Render;
            }
            Phase::Render => {
                self.step.d.next = 0.into();
                // What was taken, and who rests, is known from the clock after the start on.
                self.rested.d.next = self.all_taken.val()
                    && self.output_idle.val()
                    && self.engine_idle.val()
                    && !self.start_state.q.val();
                if self.rested.q.val() && !self.ending.q.val() {
                    self.complete.next = true;
                    self.live.d.next = false;
                    self.rendering_state.d.next = false;
                    self.phase.d.next = Phase::Drain;
                }
            }
            Phase::Drain => {
                self.order_read_stop.d.next = true;
                self.step.d.next = self.next_step.val();
                if self.step.q.val() >= 4 {
                    self.step.d.next = self.step.q.val();
                    if self.read_idle.val() {
                        self.order_read_clear.d.next = true;
                        self.phase.d.next = Phase::Over;
                    }
                }
            }
            Phase::Abort => {
                self.order_read_stop.d.next = true;
                self.step.d.next = self.next_step.val();
                // The masters see `stop` before they are asked whether they rest.
                if self.step.q.val() >= 4 {
                    self.step.d.next = self.step.q.val();
                    if self.read_idle.val() && self.output_stopped.val() {
                        self.step.d.next = 0.into();
                        self.phase.d.next = Phase::Flush;
                    }
                }
            }
            Phase::Flush => {
                self.order_read_stop.d.next = true;
                self.order_flush.d.next = true;
                self.step.d.next = self.next_step.val();
                if self.step.q.val() == 3 {
                    self.order_read_clear.d.next = true;
                    self.order_output_clear.d.next = true;
                    self.phase.d.next = Phase::Settle;
                }
            }
            Phase::Settle => {
                self.rested.d.next = self.engine_idle.val();
                if self.rested.q.val() {
                    self.stopping.d.next = false;
                    self.phase.d.next = Phase::Over;
                }
            }
            _ => {
                // Over.
                self.over.d.next = true;
                self.over_complete.d.next = self.code.q.val() == 0;
                self.phase.d.next = Phase::Idle;
            }
        }

        self.found.d.next = self.fault.val();
        if !self.found.q.val() {
            self.found_code.d.next = self.fault_code.val();
            self.found_address.d.next = self.fault_address.val();
        }

        self.stop_late.d.next = self.stop.val();

        // What ends the frame early, the first that holds. While rendering a failed read counts at once; before, when
        // the words that came before it have been taken.
        self.read_error.next = self.read_failed.val() && (self.rendering_state.q.val() || !self.data_valid.val());
        // What says so in one clock is taken down in the next: a failure stands until it is cleared.
        self.ends.next = self.live.q.val()
            && !self.ending.q.val()
            && (self.found.q.val()
                || self.read_error.val()
                || self.output_failed.val()
                || (self.stop_late.q.val() && !self.complete.val()));
        self.ending.d.next = self.ends.val();
        self.by_check.d.next = self.found.q.val();
        self.by_read.d.next = self.read_error.val();
        self.by_write.d.next = self.output_failed.val();
        if self.ending.q.val() {
            self.code.d.next = self.code_stopped.val();
            self.fault_place.d.next = 0.into();
            if self.by_write.q.val() {
                self.code.d.next = self.code_write_slave.val();
                if self.output_failed_decode.val() {
                    self.code.d.next = self.code_write_decode.val();
                }
                self.fault_place.d.next = self.output_failed_address.val();
            }
            if self.by_read.q.val() {
                self.code.d.next = self.code_read_slave.val();
                if self.read_failed_decode.val() {
                    self.code.d.next = self.code_read_decode.val();
                }
                self.fault_place.d.next = self.read_failed_address.val();
            }
            if self.by_check.q.val() {
                self.code.d.next = self.found_code.q.val();
                self.fault_place.d.next = self.found_address.q.val();
            }
            self.live.d.next = false;
            self.step.d.next = 0.into();
            self.phase.d.next = Phase::Abort;
            self.stopping.d.next = true;
            self.start_state.d.next = false;
            self.rendering_state.d.next = false;
            self.filling_state.d.next = false;
        }

        self.error_code.next = self.code.q.val();
        self.error_address.next = self.fault_place.q.val();

        if !self.reset_n.val() {
            self.phase.d.next = Phase::Idle;
            self.step.d.next = 0.into();
            self.code.d.next = 0.into();
            self.fault_place.d.next = 0.into();
            self.view_comes.d.next = false;
            self.found.d.next = false;
            self.ending.d.next = false;
            self.live.d.next = false;
            self.over.d.next = false;
            self.over_complete.d.next = false;
            self.looking.d.next = 0.into();
            self.order_read_stop.d.next = false;
            self.order_read_clear.d.next = false;
            self.order_output_clear.d.next = false;
            self.order_flush.d.next = false;
            self.rendering_state.d.next = false;
            self.filling_state.d.next = false;
            self.start_state.d.next = false;
            self.stopping.d.next = false;
            self.rested.d.next = false;
            self.stop_late.d.next = false;
        }
    }
}
