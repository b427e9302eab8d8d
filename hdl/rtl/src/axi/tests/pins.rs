//! How the top holds the bundles: a kernel that links the halves, and the pins that come out.

use super::super::BuildParameters;
use super::super::{AxiLiteSlave, AxiMaster, PixelOutput, ReadMaster, RegisterBlock, VideoMaster};
use rust_hdl_core::prelude::*;

/// The three blocks behind the core's pins, all else tied off: the text of the links is what the top needs.
#[derive(LogicBlock)]
struct PinsOfTheCore {
    aclk: Signal<In, Clock>,
    aresetn: Signal<In, Bit>,
    s_axi: AxiLiteSlave,
    m_axi: AxiMaster,
    m_axis_video: VideoMaster,
    irq: Signal<Out, Bit>,
    registers: RegisterBlock,
    read_master: ReadMaster,
    pixel_output: PixelOutput,
}

impl PinsOfTheCore {
    fn new() -> Self {
        let build = BuildParameters { lanes: 1, cached_spheres: 256, slots: 16, contexts: 128, revision: 0 };
        Self {
            aclk: Default::default(),
            aresetn: Default::default(),
            s_axi: Default::default(),
            m_axi: Default::default(),
            m_axis_video: Default::default(),
            irq: Default::default(),
            registers: RegisterBlock::new(build),
            read_master: Default::default(),
            pixel_output: Default::default(),
        }
    }
}

impl Logic for PinsOfTheCore {
    #[hdl_gen]
    fn update(&mut self) {
        self.registers.clock.next = self.aclk.val();
        self.registers.reset_n.next = self.aresetn.val();
        self.read_master.clock.next = self.aclk.val();
        self.read_master.reset_n.next = self.aresetn.val();
        self.pixel_output.clock.next = self.aclk.val();
        self.pixel_output.reset_n.next = self.aresetn.val();
        self.irq.next = self.registers.irq.val();

        // The slave and the stream are one block's each: linked whole.
        AxiLiteSlave::link(&mut self.s_axi, &mut self.registers.s_axi);
        VideoMaster::link(&mut self.m_axis_video, &mut self.pixel_output.m_axis_video);

        // The master's read half.
        self.m_axi.araddr.next = self.read_master.bus.araddr.val();
        self.m_axi.arlen.next = self.read_master.bus.arlen.val();
        self.m_axi.arvalid.next = self.read_master.bus.arvalid.val();
        self.read_master.bus.arready.next = self.m_axi.arready.val();
        self.read_master.bus.rdata.next = self.m_axi.rdata.val();
        self.read_master.bus.rresp.next = self.m_axi.rresp.val();
        self.read_master.bus.rlast.next = self.m_axi.rlast.val();
        self.read_master.bus.rvalid.next = self.m_axi.rvalid.val();
        self.m_axi.rready.next = self.read_master.bus.rready.val();
        // Its write half.
        self.m_axi.awaddr.next = self.pixel_output.bus.awaddr.val();
        self.m_axi.awlen.next = self.pixel_output.bus.awlen.val();
        self.m_axi.awvalid.next = self.pixel_output.bus.awvalid.val();
        self.pixel_output.bus.awready.next = self.m_axi.awready.val();
        self.m_axi.wdata.next = self.pixel_output.bus.wdata.val();
        self.m_axi.wlast.next = self.pixel_output.bus.wlast.val();
        self.m_axi.wvalid.next = self.pixel_output.bus.wvalid.val();
        self.pixel_output.bus.wready.next = self.m_axi.wready.val();
        self.pixel_output.bus.bresp.next = self.m_axi.bresp.val();
        self.pixel_output.bus.bvalid.next = self.m_axi.bvalid.val();
        self.m_axi.bready.next = self.pixel_output.bus.bready.val();
        // Its constants.
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

        // What the core's inside would drive.
        self.registers.frame_end.next = false;
        self.registers.frame_complete.next = false;
        self.registers.progress.next = 0.into();
        self.registers.error_code.next = 0.into();
        self.registers.error_address.next = 0.into();
        for i in 0..30 {
            self.registers.counters[i].next = 0.into();
        }
        self.read_master.request_valid.next = false;
        self.read_master.request_address.next = 0.into();
        self.read_master.request_words.next = 0.into();
        self.read_master.data_ready.next = false;
        self.read_master.stop.next = false;
        self.read_master.clear.next = false;
        self.pixel_output.pixel_valid.next = false;
        self.pixel_output.pixel.next = 0.into();
        self.pixel_output.width.next = 0.into();
        self.pixel_output.height.next = 0.into();
        self.pixel_output.stream_enable.next = false;
        self.pixel_output.framebuffer_enable.next = false;
        self.pixel_output.framebuffer_address.next = 0.into();
        self.pixel_output.framebuffer_stride.next = 0.into();
        self.pixel_output.start.next = false;
        self.pixel_output.stop.next = false;
        self.pixel_output.clear.next = false;
    }
}

#[test]
fn the_pins_come_out_as_ip_tools_look_for_them() {
    let mut core = PinsOfTheCore::new();
    core.connect_all();
    let verilog = crate::emit::emit(&core, "pins").expect("emits");
    let ports = crate::emit::ports(&verilog, "pins").expect("has ports");
    let mut got: Vec<String> = ports
        .iter()
        .map(|port| format!("{} {} {}", if port.is_input { "in" } else { "out" }, port.name, port.width))
        .collect();
    got.sort();
    let expected = "\
        in aclk 1, in aresetn 1, out irq 1,
        in s_axi_awaddr 8, in s_axi_awvalid 1, out s_axi_awready 1, in s_axi_wdata 32, in s_axi_wstrb 4, in s_axi_wvalid 1,
        out s_axi_wready 1, out s_axi_bresp 2, out s_axi_bvalid 1, in s_axi_bready 1, in s_axi_araddr 8,
        in s_axi_arvalid 1, out s_axi_arready 1, out s_axi_rdata 32, out s_axi_rresp 2, out s_axi_rvalid 1, in s_axi_rready 1,
        out m_axi_awid 1, out m_axi_awaddr 32, out m_axi_awlen 8, out m_axi_awsize 3, out m_axi_awburst 2,
        out m_axi_awlock 1, out m_axi_awcache 4, out m_axi_awprot 3, out m_axi_awqos 4, out m_axi_awvalid 1,
        in m_axi_awready 1, out m_axi_wdata 32, out m_axi_wstrb 4, out m_axi_wlast 1, out m_axi_wvalid 1, in m_axi_wready 1,
        in m_axi_bid 1, in m_axi_bresp 2, in m_axi_bvalid 1, out m_axi_bready 1, out m_axi_arid 1, out m_axi_araddr 32,
        out m_axi_arlen 8, out m_axi_arsize 3, out m_axi_arburst 2, out m_axi_arlock 1, out m_axi_arcache 4,
        out m_axi_arprot 3, out m_axi_arqos 4, out m_axi_arvalid 1, in m_axi_arready 1, in m_axi_rid 1, in m_axi_rdata 32,
        in m_axi_rresp 2, in m_axi_rlast 1, in m_axi_rvalid 1, out m_axi_rready 1,
        out m_axis_video_tdata 24, out m_axis_video_tuser 1, out m_axis_video_tlast 1, out m_axis_video_tvalid 1,
        in m_axis_video_tready 1";
    let mut want: Vec<String> = expected.split(',').map(|port| port.trim().to_owned()).collect();
    want.sort();
    assert_eq!(got, want);
}

#[test]
fn the_blocks_pass_rust_hdls_own_checks() {
    let mut core = PinsOfTheCore::new();
    core.connect_all();
    assert!(check_all(&core).is_ok());
}
