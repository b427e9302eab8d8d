//! The pins of the core, and that it holds together.

use crate::top::{Build, Core};
use rust_hdl_core::prelude::*;

#[test]
fn the_pins_come_out_as_ip_tools_look_for_them() {
    let core = Core::new(Build::of_lanes(1));
    let verilog = crate::emit::emit(&core, "rayman").expect("emits");
    let ports = crate::emit::ports(&verilog, "rayman").expect("has ports");
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
fn the_core_passes_rust_hdls_own_checks() {
    let core = Core::new(Build::of_lanes(1));
    assert!(check_all(&core).is_ok());
}
