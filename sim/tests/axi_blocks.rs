//! The bus blocks, in-crate against Verilated, clock by clock on the same inputs.
//!
//! Inputs are random within phases: a phase draws how likely each control input is to be high, and what the wide ones
//! may be. They need not be legal traffic (the tests in `rayman-rtl` are about that): the two must agree on anything.

use rayman_rtl::axi::{BuildParameters, PixelOutput, ReadMaster, RegisterBlock};
use rayman_rtl::{emit::emit, step};
use rayman_sim::verilated::{block::Sample, Flavour, VerilatedBlock};
use rust_hdl_core::prelude::*;
use std::collections::HashMap;

/// A port's value as a number.
trait Value: Copy {
    fn of(number: u64) -> Self;
    fn number(self) -> u64;
}

impl Value for bool {
    fn of(number: u64) -> Self {
        number & 1 != 0
    }
    fn number(self) -> u64 {
        self.into()
    }
}

impl<const N: usize> Value for Bits<N> {
    fn of(number: u64) -> Self {
        (number & ((1 << N) - 1)).into()
    }
    fn number(self) -> u64 {
        self.to_u64()
    }
}

type Set<B> = Box<dyn Fn(&mut B, u64)>;
type Get<B> = Box<dyn Fn(&B) -> u64>;

/// How a block's ports are reached by the names that they have in Verilog.
struct Ports<B> {
    inputs: HashMap<String, Set<B>>,
    outputs: HashMap<String, Get<B>>,
}

fn verilog_name(path: &str) -> String {
    path.replace(' ', "").replace('.', "_")
}

macro_rules! ports {
    ($block:ty; in $($($input:ident).+),*; out $($($output:ident).+),*;) => {{
        let mut ports = Ports::<$block> { inputs: HashMap::new(), outputs: HashMap::new() };
        $(ports.inputs.insert(
            verilog_name(stringify!($($input).+)),
            Box::new(|block: &mut $block, value: u64| block.$($input).+.next = Value::of(value)),
        );)*
        $(ports.outputs.insert(
            verilog_name(stringify!($($output).+)),
            Box::new(|block: &$block| block.$($output).+.val().number()),
        );)*
        ports
    }};
}

/// Random numbers (xorshift64*).
struct Rng(u64);

impl Rng {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 8
    }

    fn below(&mut self, end: u64) -> u64 {
        self.next() % end
    }
}

/// How an input is drawn.
#[derive(Clone)]
enum Draw {
    /// High so many times in a hundred, drawn anew in each phase from the list.
    Chance(&'static [u64]),
    /// One of these, anew in each phase.
    Steady(&'static [u64]),
    /// Below this, anew in each clock.
    Below(u64),
    /// Any bits, anew in each clock.
    Any,
}

const BUSY: Draw = Draw::Chance(&[5, 50, 90, 100]);
const READY: Draw = Draw::Chance(&[0, 10, 50, 90, 100]);
const RARE: Draw = Draw::Chance(&[0, 0, 1, 5]);

/// Runs the same rows through both. `payload` names outputs that mean something only while another is high; `allowed`
/// names inputs that may be raised only while an output is high, one that depends on the block's state alone.
#[allow(clippy::too_many_arguments)] // each is a table of its own, named at the calls
fn compare<B: Block>(
    make: impl Fn() -> B,
    top: &str,
    set_clock: impl Fn(&mut B, Clock) + Copy,
    ports: &Ports<B>,
    draws: &[(&str, Draw)],
    payload: &[(&str, &str)],
    allowed: &[(&str, &str)],
    reached: &[&str],
) {
    let mut block = make();
    block.connect_all();
    let verilog = emit(&block, top).expect("emits");
    let mut model = VerilatedBlock::build(&verilog, top).expect("builds");
    let masks: Vec<u64> = model.inputs().map(|port| u64::MAX >> (64 - port.width)).collect();
    let inputs: Vec<String> = model.inputs().map(|port| port.name.clone()).collect();
    let outputs: Vec<String> = model.outputs().map(|port| port.name.clone()).collect();
    for (name, _) in draws {
        assert!(inputs.iter().any(|input| input == name), "`{top}` has no input `{name}`");
    }
    let draw_of: Vec<Draw> = inputs
        .iter()
        .map(|name| draws.iter().find(|(input, _)| input == name).map_or(Draw::Any, |(_, draw)| draw.clone()))
        .collect();
    let sets: Vec<&Set<B>> = inputs.iter().map(|name| ports.inputs.get(name).expect(name)).collect();
    let gets: Vec<&Get<B>> = outputs.iter().map(|name| ports.outputs.get(name).expect(name)).collect();
    let place = |name: &str| outputs.iter().position(|output| output == name).expect("is an output");
    let meant_with: Vec<Option<usize>> = outputs
        .iter()
        .map(|name| payload.iter().find(|(output, _)| output == name).map(|(_, valid)| place(valid)))
        .collect();
    let needs: Vec<Option<usize>> = inputs
        .iter()
        .map(|name| allowed.iter().find(|(input, _)| input == name).map(|(_, output)| place(output)))
        .collect();
    let mut ever_high = vec![false; outputs.len()];

    let seed = 0xA715_0001_u64;
    println!("seed {seed:#x}");
    let mut rng = Rng(seed);
    let (phases, clocks) = (120, 250);
    for phase in 0..phases {
        let steady: Vec<u64> = draw_of
            .iter()
            .map(|draw| match draw {
                Draw::Chance(list) | Draw::Steady(list) => list[rng.below(list.len() as u64) as usize],
                Draw::Below(_) | Draw::Any => 0,
            })
            .collect();
        let mut rows = vec![];
        let mut expected = vec![];
        for clock in 0..clocks {
            for (i, draw) in draw_of.iter().enumerate() {
                let value = match draw {
                    // Reset at the very start, and in the middle of some phases.
                    _ if inputs[i] == "reset_n" => {
                        u64::from(!(phase == 0 && clock < 3 || phase % 8 == 5 && clock == 111))
                    }
                    Draw::Chance(_) => u64::from(rng.below(100) < steady[i]),
                    Draw::Steady(_) => steady[i],
                    Draw::Below(end) => rng.below(*end),
                    Draw::Any => rng.next() & 0xFFFF_FFFF,
                };
                let allowed = needs[i].is_none_or(|output| gets[output](&block) != 0);
                let value = if allowed { value & masks[i] } else { 0 };
                sets[i](&mut block, value);
                rows.push(value);
            }
            set_clock(&mut block, Clock { clk: false });
            step::settle(&mut block).expect("settles");
            expected.extend(gets.iter().map(|get| get(&block)));
            set_clock(&mut block, Clock { clk: true });
            step::settle(&mut block).expect("settles");
        }
        let got = model.run(&rows, Sample::BeforeEdge).expect("runs");
        for (clock, (want, got)) in expected.chunks(outputs.len()).zip(got.chunks(outputs.len())).enumerate() {
            // Nothing is promised before the first reset has had an edge.
            if phase == 0 && clock < 1 {
                continue;
            }
            for (i, name) in outputs.iter().enumerate() {
                ever_high[i] |= want[i] != 0;
                if meant_with[i].is_none_or(|valid| want[valid] != 0) {
                    assert_eq!(want[i], got[i], "`{name}` of `{top}`, phase {phase}, clock {clock}");
                }
            }
        }
    }
    for name in reached {
        assert!(ever_high[place(name)], "the inputs never raised `{name}` of `{top}`");
    }
}

#[test]
fn register_block_agrees_with_its_verilog() {
    let mut ports = ports!(RegisterBlock;
        in reset_n, s_axi.awaddr, s_axi.awvalid, s_axi.wdata, s_axi.wstrb, s_axi.wvalid, s_axi.bready, s_axi.araddr,
           s_axi.arvalid, s_axi.rready, frame_end, frame_complete, progress, error_code, error_address;
        out s_axi.awready, s_axi.wready, s_axi.bresp, s_axi.bvalid, s_axi.arready, s_axi.rdata, s_axi.rresp, s_axi.rvalid,
            run, stop, scene_address, framebuffer_address, framebuffer_stride, render_control, background, busy, irq;
    );
    for i in 0..30 {
        ports.inputs.insert(
            format!("counters_{i}"),
            Box::new(move |block: &mut RegisterBlock, value| block.counters[i].next = Value::of(value)),
        );
    }
    let build = BuildParameters { lanes: 1, cached_spheres: 256, slots: 16, contexts: 128, revision: 0x1234_5678 };
    // Half of the addresses are those of the first sixteen registers, COMMAND among them.
    let address = Draw::Steady(&[0, 4, 8, 0x20, 0x24, 0x28, 0x2C, 0x3C, 0x40, 0xF0, 0xF4, 0xF8]);
    compare(
        || RegisterBlock::new(build),
        "register_block",
        |block, level| block.clock.next = level,
        &ports,
        &[
            ("s_axi_awaddr", address),
            ("s_axi_araddr", Draw::Below(256)),
            ("s_axi_awvalid", BUSY),
            ("s_axi_wvalid", BUSY),
            ("s_axi_arvalid", BUSY),
            ("s_axi_bready", READY),
            ("s_axi_rready", READY),
            ("frame_end", Draw::Chance(&[0, 5, 30])),
            ("frame_complete", Draw::Chance(&[50])),
        ],
        &[],
        &[],
        &["run", "stop", "irq", "s_axi_bresp", "s_axi_rresp", "background"],
    );
}

#[test]
fn read_master_agrees_with_its_verilog() {
    let ports = ports!(ReadMaster;
        in reset_n, request_valid, request_address, request_words, data_ready, stop, clear, bus.arready, bus.rdata,
           bus.rresp, bus.rlast, bus.rvalid;
        out request_ready, data_valid, data, failed, failed_decode, failed_address, idle, stalled, bus.araddr, bus.arlen,
            bus.arvalid, bus.rready;
    );
    compare(
        ReadMaster::default,
        "read_master",
        |block, level| block.clock.next = level,
        &ports,
        &[
            ("request_valid", BUSY),
            ("request_words", Draw::Steady(&[1, 2, 15, 16, 17, 40, 100, 0xFFFF_FFFF])),
            ("data_ready", READY),
            ("stop", RARE),
            ("clear", RARE),
            ("bus_arready", READY),
            ("bus_rvalid", READY),
            ("bus_rlast", Draw::Chance(&[3, 7, 30, 100])),
            ("bus_rresp", Draw::Steady(&[0, 0, 0, 2, 3])),
        ],
        &[("data", "data_valid")],
        &[],
        &["data_valid", "failed", "failed_decode", "stalled", "idle", "bus_arlen", "bus_rready"],
    );
}

#[test]
fn pixel_output_agrees_with_its_verilog() {
    let ports = ports!(PixelOutput;
        in reset_n, pixel_valid, pixel, width, height, stream_enable, framebuffer_enable, framebuffer_address,
           framebuffer_stride, start, stop, clear, bus.awready, bus.wready, bus.bresp, bus.bvalid, m_axis_video.tready;
        out pixel_ready, pixel_taken, idle, stopped, failed, failed_decode, failed_address, stalled, bus.awaddr,
            bus.awlen, bus.awvalid, bus.wdata, bus.wlast, bus.wvalid, bus.bready, m_axis_video.tdata, m_axis_video.tuser,
            m_axis_video.tlast, m_axis_video.tvalid;
    );
    compare(
        PixelOutput::default,
        "pixel_output",
        |block, level| block.clock.next = level,
        &ports,
        &[
            ("pixel_valid", BUSY),
            ("width", Draw::Steady(&[1, 2, 15, 16, 17, 40, 65535])),
            ("height", Draw::Steady(&[1, 3, 1000, 65535])),
            ("stream_enable", Draw::Steady(&[0, 1])),
            ("framebuffer_enable", Draw::Steady(&[0, 1, 1])),
            ("framebuffer_stride", Draw::Steady(&[4, 160, 4096, 0x1_0000])),
            ("start", Draw::Chance(&[10, 50])),
            ("stop", RARE),
            ("clear", RARE),
            ("bus_awready", READY),
            ("bus_wready", READY),
            ("bus_bvalid", READY),
            ("bus_bresp", Draw::Steady(&[0, 0, 0, 2, 3])),
            ("m_axis_video_tready", READY),
        ],
        &[("bus_wdata", "bus_wvalid"), ("bus_wlast", "bus_wvalid")],
        &[("start", "stopped")],
        &[
            "pixel_taken",
            "failed",
            "failed_decode",
            "stalled",
            "bus_awlen",
            "bus_wlast",
            "m_axis_video_tuser",
            "m_axis_video_tlast",
            "idle",
            "stopped",
        ],
    );
}

/// Whatever state the registers wake up in, a reset makes them the same.
#[test]
fn a_reset_leaves_nothing_of_the_power_up_state() {
    let mut block = PixelOutput::default();
    block.connect_all();
    let verilog = emit(&block, "pixel_output").expect("emits");
    let outcome = |seed| {
        let mut model = VerilatedBlock::build_with(&verilog, "pixel_output", Flavour::Checked, seed).expect("builds");
        model.set("reset_n", 0);
        model.clock().expect("runs");
        model.set("reset_n", 1);
        ["bus_awvalid", "bus_wvalid", "bus_bready", "m_axis_video_tvalid", "idle", "stopped", "failed", "pixel_ready"]
            .map(|port| model.get(port))
    };
    for seed in [1, 2, 77] {
        assert_eq!(outcome(seed), [0, 0, 0, 0, 1, 1, 0, 0], "seed {seed}");
    }
}
