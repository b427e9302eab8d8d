//! The pin-level machinery, on a small core of its own: on RUN it copies `WORDS` words from SCENE_ADDRESS to the stream
//! and to the framebuffer, one row. In-crate and Verilated must agree clock by clock, and with what the memory holds.

use rayman_abi::register::{self, command};
use rayman_abi::ErrorCode;
use rayman_driver::Transport;
use rayman_rtl::axi::{AxiLiteSlave, AxiMaster, BuildParameters, PixelOutput, ReadMaster, RegisterBlock, VideoMaster};
use rayman_rtl::emit::emit;
use rayman_rtl::mem::Flop;
use rayman_sim::axi_slave::Timing;
use rayman_sim::incrate::InCrate;
use rayman_sim::memory::{Direction, Fault, Place, Response, BASE};
use rayman_sim::pins::{PinError, PinLevel, PinsIn, PinsOut};
use rayman_sim::verilated::{core::TOP, Flavour, VerilatedCore, VerilatorError};
use rayman_sim::video::{StreamReady, VideoBeat};
use rayman_sim::{Bench, CoreTransport};
use rust_hdl_core::prelude::*;
use std::time::Duration;

const WORDS: u32 = 100;
const FRAMEBUFFER: u32 = BASE + 0x1_0000 - 68;

#[derive(LogicBlock)]
struct Copier {
    aclk: Signal<In, Clock>,
    aresetn: Signal<In, Bit>,
    irq: Signal<Out, Bit>,
    s_axi: AxiLiteSlave,
    m_axi: AxiMaster,
    m_axis_video: VideoMaster,
    registers: RegisterBlock,
    reader: ReadMaster,
    pixels: PixelOutput,
    /// RUN was taken; a clock later the request is made and the output started.
    starting: Flop<Bit>,
    asking: Flop<Bit>,
    /// All pixels were taken and must leave.
    sent: Flop<Bits<8>>,
    next_sent: Signal<Local, Bits<8>>,
    over: Flop<Bit>,
    failing: Flop<Bit>,
    code: Flop<Bits<8>>,
    fault: Flop<Bits<32>>,
    words: Constant<Bits<32>>,
    width: Constant<Bits<16>>,
    all: Constant<Bits<8>>,
}

impl Copier {
    fn new() -> Self {
        let build = BuildParameters { lanes: 1, cached_spheres: 256, slots: 16, contexts: 128, revision: 0 };
        let mut block = Self {
            aclk: Default::default(),
            aresetn: Default::default(),
            irq: Default::default(),
            s_axi: Default::default(),
            m_axi: Default::default(),
            m_axis_video: Default::default(),
            registers: RegisterBlock::new(build),
            reader: ReadMaster::default(),
            pixels: PixelOutput::default(),
            starting: Default::default(),
            asking: Default::default(),
            sent: Default::default(),
            next_sent: Default::default(),
            over: Default::default(),
            failing: Default::default(),
            code: Default::default(),
            fault: Default::default(),
            words: Constant::new(u64::from(WORDS).into()),
            width: Constant::new(u64::from(WORDS).into()),
            all: Constant::new(u64::from(WORDS).into()),
        };
        block.connect_all();
        block
    }
}

impl Logic for Copier {
    #[hdl_gen]
    fn update(&mut self) {
        self.registers.clock.next = self.aclk.val();
        self.reader.clock.next = self.aclk.val();
        self.pixels.clock.next = self.aclk.val();
        self.starting.clock.next = self.aclk.val();
        self.asking.clock.next = self.aclk.val();
        self.sent.clock.next = self.aclk.val();
        self.over.clock.next = self.aclk.val();
        self.failing.clock.next = self.aclk.val();
        self.code.clock.next = self.aclk.val();
        self.fault.clock.next = self.aclk.val();
        self.registers.reset_n.next = self.aresetn.val();
        self.reader.reset_n.next = self.aresetn.val();
        self.pixels.reset_n.next = self.aresetn.val();

        AxiLiteSlave::link(&mut self.s_axi, &mut self.registers.s_axi);
        VideoMaster::link(&mut self.m_axis_video, &mut self.pixels.m_axis_video);
        self.irq.next = self.registers.irq.val();
        self.m_axi.arid.next = 0.into();
        self.m_axi.araddr.next = self.reader.bus.araddr.val();
        self.m_axi.arlen.next = self.reader.bus.arlen.val();
        self.m_axi.arsize.next = 2.into();
        self.m_axi.arburst.next = 1.into();
        self.m_axi.arlock.next = false;
        self.m_axi.arcache.next = 3.into();
        self.m_axi.arprot.next = 0.into();
        self.m_axi.arqos.next = 0.into();
        self.m_axi.arvalid.next = self.reader.bus.arvalid.val();
        self.reader.bus.arready.next = self.m_axi.arready.val();
        self.reader.bus.rdata.next = self.m_axi.rdata.val();
        self.reader.bus.rresp.next = self.m_axi.rresp.val();
        self.reader.bus.rlast.next = self.m_axi.rlast.val();
        self.reader.bus.rvalid.next = self.m_axi.rvalid.val();
        self.m_axi.rready.next = self.reader.bus.rready.val();
        self.m_axi.awid.next = 0.into();
        self.m_axi.awaddr.next = self.pixels.bus.awaddr.val();
        self.m_axi.awlen.next = self.pixels.bus.awlen.val();
        self.m_axi.awsize.next = 2.into();
        self.m_axi.awburst.next = 1.into();
        self.m_axi.awlock.next = false;
        self.m_axi.awcache.next = 3.into();
        self.m_axi.awprot.next = 0.into();
        self.m_axi.awqos.next = 0.into();
        self.m_axi.awvalid.next = self.pixels.bus.awvalid.val();
        self.pixels.bus.awready.next = self.m_axi.awready.val();
        self.m_axi.wdata.next = self.pixels.bus.wdata.val();
        self.m_axi.wstrb.next = 15.into();
        self.m_axi.wlast.next = self.pixels.bus.wlast.val();
        self.m_axi.wvalid.next = self.pixels.bus.wvalid.val();
        self.pixels.bus.wready.next = self.m_axi.wready.val();
        self.pixels.bus.bresp.next = self.m_axi.bresp.val();
        self.pixels.bus.bvalid.next = self.m_axi.bvalid.val();
        self.m_axi.bready.next = self.pixels.bus.bready.val();

        self.starting.d.next = self.registers.run.val();
        self.reader.request_valid.next = self.asking.q.val();
        self.reader.request_address.next = self.registers.scene_address.val();
        self.reader.request_words.next = self.words.val();
        self.asking.d.next = self.starting.q.val() | (self.asking.q.val() & !self.reader.request_ready.val());
        self.reader.stop.next = self.failing.q.val();
        self.reader.clear.next = self.over.q.val();
        self.pixels.pixel_valid.next = self.reader.data_valid.val();
        self.pixels.pixel.next = self.reader.data.val().get_bits::<24>(0);
        self.reader.data_ready.next = self.pixels.pixel_ready.val();
        self.pixels.width.next = self.width.val();
        self.pixels.height.next = 1.into();
        self.pixels.stream_enable.next = self.registers.render_control.val().get_bit(9);
        self.pixels.framebuffer_enable.next = self.registers.framebuffer_address.val().any();
        self.pixels.framebuffer_address.next = self.registers.framebuffer_address.val();
        self.pixels.framebuffer_stride.next = 4096.into();
        self.pixels.start.next = self.starting.q.val();
        self.pixels.stop.next = self.failing.q.val();
        self.pixels.clear.next = self.over.q.val();

        self.next_sent.next = self.sent.q.val() + 1;
        self.sent.d.next = self.sent.q.val();
        if self.pixels.pixel_taken.val() {
            self.sent.d.next = self.next_sent.val();
        }
        if self.starting.q.val() | self.over.q.val() {
            self.sent.d.next = 0.into();
        }
        self.failing.d.next = self.registers.busy.val()
            & (self.failing.q.val() | self.reader.failed.val() | self.pixels.failed.val() | self.registers.stop.val());
        self.over.d.next = self.registers.busy.val()
            & !self.over.q.val()
            & ((self.failing.q.val() & self.reader.idle.val() & self.pixels.stopped.val())
                | ((self.sent.q.val() == self.all.val()) & self.pixels.idle.val() & !self.failing.q.val()));
        if !self.aresetn.val() {
            self.starting.d.next = false;
            self.asking.d.next = false;
            self.sent.d.next = 0.into();
            self.over.d.next = false;
            self.failing.d.next = false;
        }
        self.registers.frame_end.next = self.over.q.val();
        self.registers.frame_complete.next = !self.failing.q.val();
        self.registers.progress.next = self.sent.q.val();
        self.code.d.next = self.code.q.val();
        self.fault.d.next = self.fault.q.val();
        if self.reader.failed.val() {
            self.code.d.next = 0x20.into();
            self.fault.d.next = self.reader.failed_address.val();
        }
        if !self.aresetn.val() {
            self.code.d.next = 0.into();
            self.fault.d.next = 0.into();
        }
        self.registers.error_code.next = self.code.q.val();
        self.registers.error_address.next = self.fault.q.val();
        for i in 0..30 {
            self.registers.counters[i].next = 0.into();
        }
    }
}

rayman_sim::core_pins!(Copier);

fn in_crate() -> InCrate<Copier> {
    InCrate::new(Copier::new())
}

fn verilated(flavour: Flavour, seed: u32) -> VerilatedCore {
    let verilog = emit(&Copier::new(), TOP).expect("emits");
    VerilatedCore::build(&verilog, flavour, seed).expect("builds")
}

/// Writes `WORDS` words that differ at `at`; answers them.
fn fill(bench: &mut impl Bench, at: u32) -> Vec<u32> {
    let words: Vec<u32> = (0..WORDS).map(|n| (n * 0x0102_0408 + 0x55) & 0xFF_FFFF).collect();
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    bench.write_memory(at, &bytes).expect("in memory");
    words
}

fn copy<P: PinLevel>(core: P) {
    let mut bench = CoreTransport::new(core).expect("resets");
    assert_eq!(bench.read_register(register::ID.offset).expect("reads"), register::ID_VALUE);
    for (round, timing) in [
        Timing::default(),
        Timing { latency: 1, stalls: 128, seed: 3, outstanding: 2 },
        Timing { latency: 60, stalls: 40, seed: 4, outstanding: 1 },
    ]
    .into_iter()
    .enumerate()
    {
        bench.set_timing(timing);
        bench.set_stream_ready(StreamReady::Sometimes([255, 90, 160][round], 9));
        bench.keep_beats(true);
        let source = BASE + 0x0FF8 + 4 * round as u32;
        let words = fill(&mut bench, source);
        bench.write_memory(FRAMEBUFFER, &[0xEE; 4 * WORDS as usize]).expect("in memory");
        bench.write_register(register::SCENE_ADDRESS.offset, source).expect("writes");
        bench.write_register(register::FRAMEBUFFER_ADDRESS.offset, FRAMEBUFFER).expect("writes");
        bench.write_register(register::RAYTRACER_COMMAND.offset, command::CLEAR_IRQ).expect("writes");
        bench.write_register(register::RAYTRACER_COMMAND.offset, command::RUN).expect("writes");
        assert!(bench.wait_interrupt(Duration::from_secs(60)).expect("waits"), "round {round}");
        assert!(bench.bus_is_idle());
        let mut bytes = vec![0; 4 * WORDS as usize];
        bench.read_memory(FRAMEBUFFER, &mut bytes).expect("in memory");
        let copied: Vec<u32> =
            bytes.chunks_exact(4).map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]])).collect();
        assert_eq!(copied, words, "round {round}");
        let beats = bench.take_beats();
        let expected = words.iter().enumerate().map(|(n, word)| VideoBeat {
            pixel: *word,
            start_of_frame: n == 0,
            end_of_line: n as u32 + 1 == WORDS,
        });
        assert!(beats.into_iter().eq(expected), "round {round}");
        assert_eq!(bench.violations(), [], "round {round}");
    }
}

#[test]
fn words_are_copied_in_crate() {
    copy(in_crate());
}

#[test]
fn words_are_copied_verilated() {
    copy(verilated(Flavour::Fast, 1));
    copy(verilated(Flavour::Checked, 2));
}

/// Runs two simulators on the same inputs and notes the first clock in which their outputs differ.
struct Twin<A, B> {
    first: A,
    second: B,
    clocks: u64,
}

impl<A: PinLevel, B: PinLevel> PinLevel for Twin<A, B> {
    fn name(&self) -> String {
        "twin".to_owned()
    }

    fn clock(&mut self, inputs: &PinsIn) -> Result<PinsOut, PinError> {
        let (first, second) = (self.first.clock(inputs)?, self.second.clock(inputs)?);
        self.clocks += 1;
        // Before the first clock of a reset, flip-flops hold anything.
        if self.clocks > 2 {
            // Payloads without a valid are nobody's business, and differ where memories start at random.
            assert_eq!(meaningful(first), meaningful(second), "clock {}", self.clocks);
        }
        Ok(first)
    }
}

/// The outputs with the payload of every channel whose valid is low set to zero.
fn meaningful(mut pins: PinsOut) -> PinsOut {
    if !pins.s_axi_bvalid {
        pins.s_axi_bresp = 0;
    }
    if !pins.s_axi_rvalid {
        (pins.s_axi_rdata, pins.s_axi_rresp) = (0, 0);
    }
    if !pins.m_axi_arvalid {
        pins.m_axi_ar = Default::default();
    }
    if !pins.m_axi_awvalid {
        pins.m_axi_aw = Default::default();
    }
    if !pins.m_axi_wvalid {
        (pins.m_axi_wdata, pins.m_axi_wlast) = (0, false);
    }
    if !pins.m_axis_video_tvalid {
        (pins.m_axis_video_tdata, pins.m_axis_video_tuser, pins.m_axis_video_tlast) = (0, false, false);
    }
    pins
}

#[test]
fn in_crate_and_verilated_pins_agree_clock_by_clock() {
    for seed in [1, 2] {
        copy(Twin { first: in_crate(), second: verilated(Flavour::Checked, seed), clocks: 0 });
    }
}

#[test]
fn a_failed_read_is_seen_and_the_bus_comes_to_rest() {
    let mut bench = CoreTransport::new(in_crate()).expect("resets");
    bench.inject(Fault {
        direction: Direction::Read,
        place: Place::Range(BASE + 160, BASE + 163),
        response: Response::SlaveError,
    });
    bench.write_register(register::RAYTRACER_COMMAND.offset, command::RUN).expect("writes");
    assert!(bench.wait_interrupt(Duration::from_secs(60)).expect("waits"));
    let code = bench.read_register(register::ERROR.offset).expect("reads");
    assert_eq!(ErrorCode::from_code(code as u8), Some(ErrorCode::ReadSlave));
    assert_eq!(bench.read_register(register::ERROR_ADDRESS.offset).expect("reads"), BASE + 160);
    assert!(bench.bus_is_idle());
}

#[test]
fn unmapped_registers_fail_the_transport() {
    let mut bench = CoreTransport::new(in_crate()).expect("resets");
    for offset in [0x0C, 0x100, 0x1004] {
        let refused = bench.read_register(offset);
        assert!(
            matches!(refused, Err(rayman_driver::TransportError::Register { response: "SLVERR", .. })),
            "{offset:#x}"
        );
        assert!(bench.write_register(offset, 1).is_err());
    }
}

#[test]
fn waiting_ends_when_the_time_is_over() {
    let mut bench = CoreTransport::new(in_crate()).expect("resets");
    let before = bench.clocks();
    assert!(!bench.wait_interrupt(Duration::from_millis(30)).expect("waits"));
    assert!(bench.clocks() > before);
}

/// A core that withdraws what it offers.
struct Fickle(u64);

impl PinLevel for Fickle {
    fn name(&self) -> String {
        "fickle".to_owned()
    }

    fn clock(&mut self, inputs: &PinsIn) -> Result<PinsOut, PinError> {
        self.0 += 1;
        let m_axis_video_tvalid = inputs.aresetn && self.0.is_multiple_of(2);
        Ok(PinsOut { m_axis_video_tvalid, ..PinsOut::default() })
    }
}

#[test]
fn a_broken_bus_rule_fails_the_transport() {
    let mut bench = CoreTransport::new(Fickle(0)).expect("resets");
    bench.set_stream_ready(StreamReady::Never);
    assert!(bench.run(10).is_err());
    assert!(!bench.violations().is_empty());
    let answer = bench.wait_interrupt(Duration::from_millis(1));
    assert!(answer.is_err_and(|error| error.to_string().contains("Video")));
}

#[test]
fn a_silent_register_slave_is_an_error() {
    struct Silent;
    impl PinLevel for Silent {
        fn name(&self) -> String {
            "silent".to_owned()
        }
        fn clock(&mut self, _: &PinsIn) -> Result<PinsOut, PinError> {
            Ok(PinsOut::default())
        }
    }
    let mut bench = CoreTransport::new(Silent).expect("resets");
    assert!(bench.read_register(0).is_err_and(|error| error.to_string().contains("did not answer")));
    assert!(bench.write_register(0, 1).is_err());
}

#[test]
fn a_core_that_was_not_built_names_the_command_that_builds_it() {
    let mut verilog = emit(&Copier::new(), TOP).expect("emits");
    verilog.push_str("// another text\n");
    let refused = VerilatedCore::open(&verilog, Flavour::Fast, 1);
    assert!(refused.is_err_and(|error| error.to_string().contains("cargo xtask sim")));
    let other = VerilatedCore::build(
        "module rayman(input wire aclk, output wire irq); assign irq = 0; endmodule",
        Flavour::Fast,
        1,
    );
    assert!(matches!(other, Err(VerilatorError::Pins { what, .. }) if what.contains("`aresetn`")));
}
