//! The bus blocks, in-crate against Verilated, clock by clock on the same inputs.
//!
//! Inputs are random within phases: a phase draws how likely each control input is to be high, and what the wide ones
//! may be. They need not be legal traffic (the tests in `rayman-rtl` are about that): the two must agree on anything.

mod support;

use rayman_rtl::axi::{BuildParameters, PixelOutput, ReadMaster, RegisterBlock};
use rayman_rtl::emit::emit;
use rayman_sim::verilated::{Flavour, VerilatedBlock};
use rust_hdl_core::prelude::Block;
use support::{Comparison, Draw, Meaning, Row, BUSY, RARE, READY};

#[test]
fn register_block_agrees_with_its_verilog() {
    let ports = ports!(RegisterBlock;
        in reset_n, s_axi.awaddr, s_axi.awvalid, s_axi.wdata, s_axi.wstrb, s_axi.wvalid, s_axi.bready, s_axi.araddr,
           s_axi.arvalid, s_axi.rready, frame_end, frame_complete, progress, error_code, error_address, counters[30];
        out s_axi.awready, s_axi.wready, s_axi.bresp, s_axi.bvalid, s_axi.arready, s_axi.rdata, s_axi.rresp, s_axi.rvalid,
            run, stop, scene_address, framebuffer_address, framebuffer_stride, render_control, background, busy, irq;
    );
    let build = BuildParameters { lanes: 1, cached_spheres: 256, slots: 16, contexts: 128, revision: 0x1234_5678 };
    // Half of the addresses are those of the first sixteen registers, COMMAND among them.
    let address = Draw::Steady(&[0, 4, 8, 0x20, 0x24, 0x28, 0x2C, 0x3C, 0x40, 0xF0, 0xF4, 0xF8]);
    Comparison::new(|| RegisterBlock::new(build), "register_block", ports)
        .draws(&[
            ("s_axi_awaddr", address),
            ("s_axi_araddr", Draw::Below(256)),
            ("s_axi_awvalid", BUSY),
            ("s_axi_wvalid", BUSY),
            ("s_axi_arvalid", BUSY),
            ("s_axi_bready", READY),
            ("s_axi_rready", READY),
            ("frame_end", Draw::Chance(&[0, 5, 30])),
            ("frame_complete", Draw::Chance(&[50])),
        ])
        .reached(&["run", "stop", "irq", "s_axi_bresp", "s_axi_rresp", "background"])
        .run();
}

/// Lengths of requests. After a burst of 16 words one bit alone is left of many of them: a count that forgets it is over too soon.
#[rustfmt::skip]
const WORDS: &[u64] = &[
    0, 1, 2, 15, 16, 17, 40, 100, 1, 2, 15, 16, 17, 40, 100, 1, 2, 15, 16, 17, 40, 100, 0xFFFF_FFFF,
    0x20 + 16, 0x40 + 16, 0x80 + 16, 0x100 + 16, 0x200 + 16, 0x400 + 16, 0x800 + 16, 0x1000 + 16, 0x2000 + 16, 0x4000 + 16,
    0x8000 + 16, 0x1_0000 + 16, 0x2_0000 + 16, 0x4_0000 + 16, 0x8_0000 + 16, 0x10_0000 + 16, 0x40_0000 + 16, 0x80_0000 + 16,
    0x100_0000 + 16, 0x200_0000 + 16, 0x400_0000 + 16, 0x1000_0000 + 16, 0x2000_0000 + 16, 0x4000_0000 + 16, 0x8000_0000 + 16,
];

/// Widths and heights. A column or row that is told from the last by a high bit alone comes soon.
#[rustfmt::skip]
const SIDES: &[u64] = &[
    1, 2, 3, 15, 16, 17, 40, 1, 2, 3, 15, 16, 17, 40, 1000, 65535,
    0x20 + 2, 0x40 + 2, 0x80 + 2, 0x100 + 2, 0x200 + 2, 0x400 + 2, 0x800 + 2, 0x1000 + 2, 0x2000 + 2, 0x4000 + 2, 0x8000 + 2,
];

/// Clocks in which the read master's words fill their queue, and leave it again.
const FULL: std::ops::Range<u32> = 4_000..4_800;

#[test]
fn read_master_agrees_with_its_verilog() {
    let ports = ports!(ReadMaster;
        in reset_n, request_valid, request_address, request_words, data_ready, stop, clear, bus.arready, bus.rdata,
           bus.rresp, bus.rlast, bus.rvalid;
        out request_ready, data_valid, data, failed, failed_decode, failed_address, idle, stalled, bus.araddr, bus.arlen,
            bus.arvalid, bus.rready;
    );
    // For a while nobody takes the words of a burst that does not end, until there is no room for one more.
    let mut clock = 0;
    let full = move |row: &mut Row| {
        clock += 1;
        let resting = clock < FULL.start + 150;
        let steady = [
            ("reset_n", 1),
            ("request_valid", 1),
            ("stop", u64::from(resting)),
            ("clear", u64::from(clock == FULL.start + 149)),
            ("bus_arready", 1),
            ("bus_rvalid", 1),
            ("bus_rlast", u64::from(resting)),
            ("bus_rresp", 0),
            ("data_ready", u64::from(clock > FULL.start + 450)),
        ];
        if FULL.contains(&clock) {
            steady.iter().for_each(|(input, value)| row.set(input, *value));
        }
    };
    Comparison::new(ReadMaster::default, "read_master", ports)
        .steer(full)
        .draws(&[
            ("request_valid", BUSY),
            ("request_words", Draw::Steady(WORDS)),
            ("data_ready", READY),
            ("stop", RARE),
            ("clear", RARE),
            ("bus_arready", READY),
            ("bus_rvalid", READY),
            ("bus_rlast", Draw::Chance(&[3, 7, 30, 100])),
            ("bus_rresp", Draw::Steady(&[0, 0, 0, 2, 3])),
        ])
        .meaning(&[("data", Meaning::While("data_valid"))])
        .reached(&["data_valid", "failed", "failed_decode", "stalled", "idle", "bus_arlen", "bus_rready"])
        .run();
}

/// Clocks of the long row: a pixel is taken in every third.
const LONG_ROW: std::ops::Range<u32> = 10_000..23_000;

#[test]
fn pixel_output_agrees_with_its_verilog() {
    let ports = ports!(PixelOutput;
        in reset_n, pixel_valid, pixel, width, height, stream_enable, framebuffer_enable, framebuffer_address,
           framebuffer_stride, start, stop, clear, bus.awready, bus.wready, bus.bresp, bus.bvalid, m_axis_video.tready;
        out pixel_ready, pixel_taken, idle, stopped, failed, failed_decode, failed_address, stalled, bus.awaddr,
            bus.awlen, bus.awvalid, bus.wdata, bus.wlast, bus.wvalid, bus.bready, m_axis_video.tdata, m_axis_video.tuser,
            m_axis_video.tlast, m_axis_video.tvalid;
    );
    // For a while a row of more than 4096 pixels is taken as fast as can be; all other rows end or are stopped before.
    let mut clock = 0;
    let long_row = move |row: &mut Row| {
        clock += 1;
        let steady = [
            ("reset_n", 1),
            ("width", 0x1000 + 2),
            ("height", 2),
            ("pixel_valid", 1),
            ("stream_enable", 1),
            ("framebuffer_enable", 0),
            // Whatever is under way ends, and the long row is the first of a picture.
            ("stop", u64::from(clock < LONG_ROW.start + 200)),
            ("start", u64::from(clock == LONG_ROW.start + 201)),
            ("clear", 0),
            ("bus_awready", 1),
            ("bus_wready", 1),
            ("bus_bvalid", 1),
            ("m_axis_video_tready", 1),
        ];
        if LONG_ROW.contains(&clock) {
            steady.iter().for_each(|(input, value)| row.set(input, *value));
        }
    };
    Comparison::new(PixelOutput::default, "pixel_output", ports)
        .steer(long_row)
        .draws(&[
            ("pixel_valid", BUSY),
            ("width", Draw::Steady(SIDES)),
            ("height", Draw::Steady(SIDES)),
            ("stream_enable", Draw::Steady(&[0, 1])),
            ("framebuffer_enable", Draw::Steady(&[0, 1, 1])),
            ("framebuffer_stride", Draw::Steady(&[4, 160, 4096, 0x1_0000, 0x2AAA_AAA8, 0xD555_5554, 0xFFFF_FFFC])),
            ("start", Draw::Chance(&[10, 50])),
            ("stop", RARE),
            ("clear", RARE),
            ("bus_awready", READY),
            ("bus_wready", READY),
            ("bus_bvalid", READY),
            ("bus_bresp", Draw::Steady(&[0, 0, 0, 2, 3])),
            ("m_axis_video_tready", READY),
        ])
        .meaning(&[("bus_wdata", Meaning::While("bus_wvalid")), ("bus_wlast", Meaning::While("bus_wvalid"))])
        .allowed(&[("start", "stopped")])
        .reached(&[
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
        ])
        .run();
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
