//! The core: registers, frame control, engine, masters and pixel output behind the pins of an IP block.
//!
//! ```text
//!              +------------------------------ rayman ------------------------------+
//!  s_axi  <--> | registers <-> frame (control, camera, materials, spheres) <-> reads | <--> m_axi, read channels
//!  irq    <--  |     ^               |  configuration, spheres                      |
//!              |     |               v                                              |
//!              | counters <------ engine --- pixels, raster order --> pixel output   | <--> m_axi, write channels
//!              +--------------------------------------------------------------------+ --> m_axis_video
//! ```
//!
//! One clock, `aclk`; synchronous reset, `aresetn`, active low. Wiring only: each block's own page says what it does and
//! how long it takes. [`Lanes`] are the builds that the emitter writes and the
//! simulators run.

use crate::axi::{AxiLiteSlave, AxiMaster, BuildParameters, PixelOutput, ReadMaster, RegisterBlock, VideoMaster};
use crate::datapath::kernels::{shade_interval, PRIMARY_RAY_INTERVAL};
use crate::emit::{emit, EmitError};
use crate::engine::core::{Engine, Intervals};
use crate::engine::counters::Counters;
use crate::frame::Frame;
use crate::gate::Gate;
use crate::mem::Flop;
use rayman_derive::GatedBlock;
use rust_hdl_core::prelude::*;
use rust_hdl_widgets::dff_setup;

/// A core of so many lanes, 1 to 4: 512 contexts, which is what a block RAM holds; 16 slots a lane, a window of 4,096 pixels,
/// a cache of 256 spheres.
pub type Lanes<const LANES: usize> = Rayman<LANES, 9, 4, 12, 8, 9>;
/// The default build: one lane.
pub type Core = Lanes<1>;

/// The most lanes of a build.
pub const MOST_LANES: u32 = 4;

/// There is no core of so many lanes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a core has 1 to {MOST_LANES} lanes, not {lanes}")]
pub struct NoSuchCore {
    /// How many were asked for.
    pub lanes: u32,
}

/// The Verilog of a core of so many lanes; its top has the name that is given.
pub fn verilog(lanes: u32, name: &str) -> Result<String, EmitError> {
    let build = Build::of_lanes(lanes);
    match lanes {
        1 => emit(&Lanes::<1>::new(build), name),
        2 => emit(&Lanes::<2>::new(build), name),
        3 => emit(&Lanes::<3>::new(build), name),
        4 => emit(&Lanes::<4>::new(build), name),
        _ => Err(NoSuchCore { lanes }.into()),
    }
}

/// What a build may choose beside its sizes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Build {
    /// How often the engine's folded datapaths take work.
    pub intervals: Intervals,
    /// First 32 bits of the source's commit, 0 if unknown.
    pub revision: u32,
}

impl Build {
    /// The build of a core of so many lanes.
    pub fn of_lanes(lanes: u32) -> Self {
        let intervals = Intervals { ray: PRIMARY_RAY_INTERVAL, shade: shade_interval(lanes) };
        Self { intervals, revision: 0 }
    }
}

/// The core with `LANES` lanes, `2^CONTEXT` contexts, `2^SLOT` slots, a window of `2^WINDOW` pixels and a cache of `2^CACHE` spheres;
/// `CACHE_COUNT` is `CACHE + 1`, the bits that count them.
#[derive(GatedBlock)]
pub struct Rayman<
    const LANES: usize,
    const CONTEXT: usize,
    const SLOT: usize,
    const WINDOW: usize,
    const CACHE: usize,
    const CACHE_COUNT: usize,
> {
    /// The one clock.
    pub aclk: Signal<In, Clock>,
    /// Low: reset.
    pub aresetn: Signal<In, Bit>,
    /// The interrupt, high until cleared.
    pub irq: Signal<Out, Bit>,
    /// Registers.
    #[interface]
    pub s_axi: AxiLiteSlave,
    /// Memory.
    #[interface]
    pub m_axi: AxiMaster,
    /// Pixels.
    #[interface]
    pub m_axis_video: VideoMaster,

    registers: RegisterBlock,
    frame: Frame<CACHE, CACHE_COUNT>,
    reads: ReadMaster,
    engine: Engine<LANES, CONTEXT, SLOT, WINDOW>,
    pixels: PixelOutput,
    counters: Counters<LANES>,
    run: Flop<Bit>,
    late_reset_n: Flop<Bit>,
    _gate: Gate,
}

impl<
        const LANES: usize,
        const CONTEXT: usize,
        const SLOT: usize,
        const WINDOW: usize,
        const CACHE: usize,
        const CACHE_COUNT: usize,
    > Rayman<LANES, CONTEXT, SLOT, WINDOW, CACHE, CACHE_COUNT>
{
    /// A core of this build, connected and ready to be simulated or emitted.
    pub fn new(build: Build) -> Self {
        let mut core = Self {
            aclk: Default::default(),
            aresetn: Default::default(),
            irq: Default::default(),
            s_axi: Default::default(),
            m_axi: Default::default(),
            m_axis_video: Default::default(),
            registers: RegisterBlock::new(BuildParameters {
                lanes: LANES as u32,
                cached_spheres: 1 << CACHE,
                slots: 1 << SLOT,
                contexts: 1 << CONTEXT,
                revision: build.revision,
            }),
            frame: Default::default(),
            reads: Default::default(),
            engine: Engine::new(build.intervals),
            pixels: Default::default(),
            counters: Default::default(),
            run: Default::default(),
            late_reset_n: Default::default(),
            _gate: Default::default(),
        };
        assert!(
            core.engine.ring_outlasts_tests(),
            "2^{SLOT} slots are too few for the intersector's latency: spheres would be gone before their results come"
        );
        core.connect_all();
        core
    }
}

impl<
        const LANES: usize,
        const CONTEXT: usize,
        const SLOT: usize,
        const WINDOW: usize,
        const CACHE: usize,
        const CACHE_COUNT: usize,
    > Logic for Rayman<LANES, CONTEXT, SLOT, WINDOW, CACHE, CACHE_COUNT>
{
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, aclk, run, late_reset_n);
        self.registers.clock.next = self.aclk.val();
        self.frame.clock.next = self.aclk.val();
        self.reads.clock.next = self.aclk.val();
        self.engine.clock.next = self.aclk.val();
        self.pixels.clock.next = self.aclk.val();
        self.counters.clock.next = self.aclk.val();
        self.registers.reset_n.next = self.aresetn.val();
        self.frame.reset_n.next = self.aresetn.val();
        self.reads.reset_n.next = self.aresetn.val();
        self.engine.reset_n.next = self.aresetn.val();
        self.pixels.reset_n.next = self.aresetn.val();
        // A clock later, as the engine's own: in that clock it still tells of what it did before a reset of one clock.
        self.late_reset_n.d.next = self.aresetn.val();
        self.counters.reset_n.next = self.late_reset_n.q.val();

        // Registers.
        AxiLiteSlave::link(&mut self.s_axi, &mut self.registers.s_axi);
        self.irq.next = self.registers.irq.val();
        self.registers.frame_end.next = self.frame.frame_end.val();
        self.registers.frame_complete.next = self.frame.frame_complete.val();
        self.registers.progress.next = self.frame.progress.val();
        self.registers.error_code.next = self.frame.error_code.val();
        self.registers.error_address.next = self.frame.error_address.val();
        for i in 0..30 {
            self.registers.counters[i].next = self.counters.value[i].val();
        }

        // Frame control.
        // A clock later: the decoder of the registers would be in front of a thousand registers. They cannot change meanwhile.
        self.run.d.next = self.registers.run.val();
        self.frame.run.next = self.run.q.val();
        self.frame.stop.next = self.registers.stop.val();
        self.frame.scene_address.next = self.registers.scene_address.val();
        self.frame.framebuffer_address.next = self.registers.framebuffer_address.val();
        self.frame.framebuffer_stride.next = self.registers.framebuffer_stride.val();
        self.frame.render_control.next = self.registers.render_control.val();
        self.frame.background_colour.next = self.registers.background.val();

        // Its reads.
        self.reads.request_valid.next = self.frame.read_request_valid.val();
        self.frame.read_request_ready.next = self.reads.request_ready.val();
        self.reads.request_address.next = self.frame.read_request_address.val();
        self.reads.request_words.next = self.frame.read_request_words.val();
        self.frame.read_data_valid.next = self.reads.data_valid.val();
        self.frame.read_data.next = self.reads.data.val();
        self.reads.data_ready.next = self.frame.read_data_ready.val();
        self.frame.read_failed.next = self.reads.failed.val();
        self.frame.read_failed_decode.next = self.reads.failed_decode.val();
        self.frame.read_failed_address.next = self.reads.failed_address.val();
        self.frame.read_idle.next = self.reads.idle.val();
        self.reads.stop.next = self.frame.read_stop.val();
        self.reads.clear.next = self.frame.read_clear.val();

        // The engine's frame.
        self.engine.flush.next = self.frame.flush.val();
        self.engine.start.next = self.frame.engine_start.val();
        // The engine says a clock late what a slot was: that of the clock in which the counters are cleared would be counted.
        self.engine.counting.next = self.registers.busy.val() & !self.run.q.val();
        self.engine.width.next = self.frame.width.val();
        self.engine.height.next = self.frame.height.val();
        self.engine.position[0].next = self.frame.position_x.val();
        self.engine.position[1].next = self.frame.position_y.val();
        self.engine.position[2].next = self.frame.position_z.val();
        self.engine.camera[0].next = self.frame.forward_x.val();
        self.engine.camera[1].next = self.frame.forward_y.val();
        self.engine.camera[2].next = self.frame.forward_z.val();
        self.engine.camera[3].next = self.frame.right_x.val();
        self.engine.camera[4].next = self.frame.right_y.val();
        self.engine.camera[5].next = self.frame.right_z.val();
        self.engine.camera[6].next = self.frame.up_x.val();
        self.engine.camera[7].next = self.frame.up_y.val();
        self.engine.camera[8].next = self.frame.up_z.val();
        self.engine.camera[9].next = self.frame.centre_x.val();
        self.engine.camera[10].next = self.frame.centre_y.val();
        self.engine.light[0].next = self.frame.light_x.val();
        self.engine.light[1].next = self.frame.light_y.val();
        self.engine.light[2].next = self.frame.light_z.val();
        self.engine.background.next = self.frame.background.val();
        self.engine.reflection_depth.next = self.frame.reflection_depth.val();
        self.engine.shadows.next = self.frame.shadows.val();
        self.engine.sphere_count.next = self.frame.sphere_count.val();
        self.frame.engine_idle.next = self.engine.idle.val();

        // Spheres and materials.
        self.engine.sphere_valid.next = self.frame.sphere_valid.val();
        self.frame.sphere_ready.next = self.engine.sphere_ready.val();
        self.engine.sphere_index.next = self.frame.sphere_index.val();
        self.engine.sphere[0].next = self.frame.sphere_centre_x.val();
        self.engine.sphere[1].next = self.frame.sphere_centre_y.val();
        self.engine.sphere[2].next = self.frame.sphere_centre_z.val();
        self.engine.sphere[3].next = self.frame.sphere_radius_squared.val();
        self.engine.sphere[4].next = self.frame.sphere_radius_inverse.val();
        self.engine.sphere[5].next = self.frame.sphere_radius.val();
        self.engine.sphere_material.next = self.frame.sphere_material.val();
        self.frame.material_address.next = self.engine.material_address.val();
        for i in 0..4 {
            self.engine.material[i].next = self.frame.material_data[i].val();
        }

        // Pixels out.
        self.pixels.pixel_valid.next = self.engine.pixel_valid.val();
        self.pixels.pixel.next = self.engine.pixel.val();
        self.engine.pixel_ready.next = self.pixels.pixel_ready.val();
        self.pixels.width.next = self.frame.width.val();
        self.pixels.height.next = self.frame.height.val();
        self.pixels.stream_enable.next = self.frame.stream_enable.val();
        self.pixels.framebuffer_enable.next = self.frame.framebuffer_enable.val();
        self.pixels.framebuffer_address.next = self.frame.output_address.val();
        self.pixels.framebuffer_stride.next = self.frame.output_stride.val();
        self.pixels.start.next = self.frame.output_start.val();
        self.pixels.stop.next = self.frame.output_stop.val();
        self.pixels.clear.next = self.frame.output_clear.val();
        self.frame.output_idle.next = self.pixels.idle.val();
        self.frame.output_stopped.next = self.pixels.stopped.val();
        self.frame.output_failed.next = self.pixels.failed.val();
        self.frame.output_failed_decode.next = self.pixels.failed_decode.val();
        self.frame.output_failed_address.next = self.pixels.failed_address.val();
        self.frame.pixel_taken.next = self.pixels.pixel_taken.val();
        VideoMaster::link(&mut self.m_axis_video, &mut self.pixels.m_axis_video);

        // Counters: clocks, then the engine's events, then the bus; the slots.
        self.counters.clear.next = self.run.q.val();
        self.counters.tests_step.next = self.frame.sphere_count.val();
        self.counters.happens[0].next = self.registers.busy.val();
        for i in 0..7 {
            self.counters.happens[i + 1].next = self.engine.happens[i].val();
        }
        self.counters.happens[8].next =
            self.registers.busy.val() & (self.reads.stalled.val() | self.pixels.stalled.val());
        for i in 0..LANES {
            self.counters.used[i].next = self.engine.used[i].val();
            self.counters.dead[i].next = self.engine.dead[i].val();
        }
        for i in 0..4 {
            self.counters.lost_to[i].next = self.engine.lost_to[i].val();
        }

        // The memory bus.
        self.m_axi.araddr.next = self.reads.bus.araddr.val();
        self.m_axi.arlen.next = self.reads.bus.arlen.val();
        self.m_axi.arvalid.next = self.reads.bus.arvalid.val();
        self.reads.bus.arready.next = self.m_axi.arready.val();
        self.reads.bus.rdata.next = self.m_axi.rdata.val();
        self.reads.bus.rresp.next = self.m_axi.rresp.val();
        self.reads.bus.rlast.next = self.m_axi.rlast.val();
        self.reads.bus.rvalid.next = self.m_axi.rvalid.val();
        self.m_axi.rready.next = self.reads.bus.rready.val();
        self.m_axi.awaddr.next = self.pixels.bus.awaddr.val();
        self.m_axi.awlen.next = self.pixels.bus.awlen.val();
        self.m_axi.awvalid.next = self.pixels.bus.awvalid.val();
        self.pixels.bus.awready.next = self.m_axi.awready.val();
        self.m_axi.wdata.next = self.pixels.bus.wdata.val();
        self.m_axi.wlast.next = self.pixels.bus.wlast.val();
        self.m_axi.wvalid.next = self.pixels.bus.wvalid.val();
        self.pixels.bus.wready.next = self.m_axi.wready.val();
        self.pixels.bus.bresp.next = self.m_axi.bresp.val();
        self.pixels.bus.bvalid.next = self.m_axi.bvalid.val();
        self.m_axi.bready.next = self.pixels.bus.bready.val();
        // Four bytes a beat, incrementing, normal bufferable memory, one ID, every byte written.
        self.m_axi.arid.next = 0.into();
        self.m_axi.arsize.next = 2.into();
        self.m_axi.arburst.next = 1.into();
        self.m_axi.arlock.next = false;
        self.m_axi.arcache.next = 3.into();
        self.m_axi.arprot.next = 0.into();
        self.m_axi.arqos.next = 0.into();
        self.m_axi.awid.next = 0.into();
        self.m_axi.awsize.next = 2.into();
        self.m_axi.awburst.next = 1.into();
        self.m_axi.awlock.next = false;
        self.m_axi.awcache.next = 3.into();
        self.m_axi.awprot.next = 0.into();
        self.m_axi.awqos.next = 0.into();
        self.m_axi.wstrb.next = 15.into();

        if !self.aresetn.val() {
            self.run.d.next = false;
        }
    }
}
