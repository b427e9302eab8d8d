//! The Verilated core behind [`PinLevel`].
//!
//! `cargo xtask sim` builds the library; [`VerilatedCore::open`] finds the one that belongs to the text that this very
//! program emits, so a core of an older source is never taken for the present one. One call into the library is one
//! clock: the memory model stays in Rust, and the call costs far less than the clock that it runs.

use super::block::{Sample, VerilatedBlock};
use super::{compile, Flavour, VerilatorError};
use crate::pins::{PinError, PinLevel, PinsIn, PinsOut};
use rayman_rtl::emit;

/// Module name of the core.
pub const TOP: &str = "rayman";

macro_rules! pins {
    ($($input:literal => $in:ident: $value:expr,)*; $($output:literal => $out:ident . $($field:ident).+: $kind:ident,)*) => {
        const INPUTS: &[&str] = &[$($input),*];
        const OUTPUTS: &[&str] = &[$($output),*];

        /// The inputs' values in the order of `INPUTS`.
        fn pack(pins: &PinsIn) -> [u64; INPUTS.len()] {
            [$({ let $in = pins; $value.into() }),*]
        }

        /// The pins from the outputs' values in the order of `OUTPUTS`.
        fn unpack(values: &[u64; OUTPUTS.len()]) -> PinsOut {
            let mut pins = PinsOut::default();
            let mut values = values.iter().copied();
            $({
                let $out = &mut pins;
                let value = values.next().unwrap_or_default();
                $out.$($field).+ = pins!(@$kind value);
            })*
            pins
        }
    };
    (@bit $value:ident) => { $value != 0 };
    (@byte $value:ident) => { $value as u8 };
    (@word $value:ident) => { $value as u32 };
}

pins! {
    "aresetn" => p: p.aresetn,
    "s_axi_awaddr" => p: p.s_axi_awaddr,
    "s_axi_awvalid" => p: p.s_axi_awvalid,
    "s_axi_wdata" => p: p.s_axi_wdata,
    "s_axi_wstrb" => p: p.s_axi_wstrb,
    "s_axi_wvalid" => p: p.s_axi_wvalid,
    "s_axi_bready" => p: p.s_axi_bready,
    "s_axi_araddr" => p: p.s_axi_araddr,
    "s_axi_arvalid" => p: p.s_axi_arvalid,
    "s_axi_rready" => p: p.s_axi_rready,
    "m_axi_awready" => p: p.m_axi_awready,
    "m_axi_wready" => p: p.m_axi_wready,
    "m_axi_bid" => p: p.m_axi_bid,
    "m_axi_bresp" => p: p.m_axi_bresp,
    "m_axi_bvalid" => p: p.m_axi_bvalid,
    "m_axi_arready" => p: p.m_axi_arready,
    "m_axi_rid" => p: p.m_axi_rid,
    "m_axi_rdata" => p: p.m_axi_rdata,
    "m_axi_rresp" => p: p.m_axi_rresp,
    "m_axi_rlast" => p: p.m_axi_rlast,
    "m_axi_rvalid" => p: p.m_axi_rvalid,
    "m_axis_video_tready" => p: p.m_axis_video_tready,
    ;
    "irq" => p.irq: bit,
    "s_axi_awready" => p.s_axi_awready: bit,
    "s_axi_wready" => p.s_axi_wready: bit,
    "s_axi_bresp" => p.s_axi_bresp: byte,
    "s_axi_bvalid" => p.s_axi_bvalid: bit,
    "s_axi_arready" => p.s_axi_arready: bit,
    "s_axi_rdata" => p.s_axi_rdata: word,
    "s_axi_rresp" => p.s_axi_rresp: byte,
    "s_axi_rvalid" => p.s_axi_rvalid: bit,
    "m_axi_awid" => p.m_axi_aw.id: byte,
    "m_axi_awaddr" => p.m_axi_aw.addr: word,
    "m_axi_awlen" => p.m_axi_aw.len: byte,
    "m_axi_awsize" => p.m_axi_aw.size: byte,
    "m_axi_awburst" => p.m_axi_aw.burst: byte,
    "m_axi_awlock" => p.m_axi_aw.lock: bit,
    "m_axi_awcache" => p.m_axi_aw.cache: byte,
    "m_axi_awprot" => p.m_axi_aw.prot: byte,
    "m_axi_awqos" => p.m_axi_aw.qos: byte,
    "m_axi_awvalid" => p.m_axi_awvalid: bit,
    "m_axi_wdata" => p.m_axi_wdata: word,
    "m_axi_wstrb" => p.m_axi_wstrb: byte,
    "m_axi_wlast" => p.m_axi_wlast: bit,
    "m_axi_wvalid" => p.m_axi_wvalid: bit,
    "m_axi_bready" => p.m_axi_bready: bit,
    "m_axi_arid" => p.m_axi_ar.id: byte,
    "m_axi_araddr" => p.m_axi_ar.addr: word,
    "m_axi_arlen" => p.m_axi_ar.len: byte,
    "m_axi_arsize" => p.m_axi_ar.size: byte,
    "m_axi_arburst" => p.m_axi_ar.burst: byte,
    "m_axi_arlock" => p.m_axi_ar.lock: bit,
    "m_axi_arcache" => p.m_axi_ar.cache: byte,
    "m_axi_arprot" => p.m_axi_ar.prot: byte,
    "m_axi_arqos" => p.m_axi_ar.qos: byte,
    "m_axi_arvalid" => p.m_axi_arvalid: bit,
    "m_axi_rready" => p.m_axi_rready: bit,
    "m_axis_video_tdata" => p.m_axis_video_tdata: word,
    "m_axis_video_tuser" => p.m_axis_video_tuser: bit,
    "m_axis_video_tlast" => p.m_axis_video_tlast: bit,
    "m_axis_video_tvalid" => p.m_axis_video_tvalid: bit,
}

/// The Verilated core.
pub struct VerilatedCore {
    block: VerilatedBlock,
    flavour: Flavour,
    /// For each value of the library's input row: its place in `INPUTS`.
    inputs: Vec<usize>,
    /// For each of `OUTPUTS`: its place in the library's output row.
    outputs: [usize; OUTPUTS.len()],
    row_in: Vec<u64>,
    row_out: Vec<u64>,
}

impl VerilatedCore {
    /// Builds (or finds built) the core of a text whose top is [`TOP`]. `seed`: see [`VerilatedBlock::build_with`].
    pub fn build(verilog: &str, flavour: Flavour, seed: u32) -> Result<Self, VerilatorError> {
        let block = VerilatedBlock::build_with(verilog, TOP, flavour, seed)?;
        let in_names: Vec<&str> = block.inputs().map(|port| port.name.as_str()).collect();
        let out_names: Vec<&str> = block.outputs().map(|port| port.name.as_str()).collect();
        let missing = |wanted: &[&str], has: &[&str]| -> Vec<String> {
            let lacks = wanted.iter().filter(|name| !has.contains(name)).map(|name| format!("no `{name}`"));
            let extra = has.iter().filter(|name| !wanted.contains(name)).map(|name| format!("unknown `{name}`"));
            lacks.chain(extra).collect()
        };
        let wrong = [missing(INPUTS, &in_names), missing(OUTPUTS, &out_names)].concat();
        if !wrong.is_empty() {
            return Err(VerilatorError::Pins { top: TOP.to_owned(), what: wrong.join(", ") });
        }
        let place = |list: &[&str], name: &str| list.iter().position(|other| *other == name).unwrap_or_default();
        let inputs: Vec<usize> = in_names.iter().map(|name| place(INPUTS, name)).collect();
        let mut outputs = [0; OUTPUTS.len()];
        for (slot, name) in outputs.iter_mut().zip(OUTPUTS) {
            *slot = place(&out_names, name);
        }
        let (row_in, row_out) = (vec![0; inputs.len()], vec![0; outputs.len()]);
        Ok(Self { block, flavour, inputs, outputs, row_in, row_out })
    }

    /// Opens the core of a text if it was built before; otherwise the error says what builds it.
    pub fn open(verilog: &str, flavour: Flavour, seed: u32) -> Result<Self, VerilatorError> {
        let ports = emit::ports(verilog, TOP)?;
        if !compile::place(verilog, TOP, &ports, flavour)?.is_file() {
            return Err(VerilatorError::NotBuilt);
        }
        Self::build(verilog, flavour, seed)
    }
}

impl PinLevel for VerilatedCore {
    fn name(&self) -> String {
        match self.flavour {
            Flavour::Fast => "Verilated RTL".to_owned(),
            Flavour::Checked | Flavour::Trial | Flavour::Netlist => "Verilated RTL with assertions".to_owned(),
        }
    }

    fn clock(&mut self, inputs: &PinsIn) -> Result<PinsOut, PinError> {
        let values = pack(inputs);
        for (slot, place) in self.row_in.iter_mut().zip(&self.inputs) {
            *slot = values[*place];
        }
        self.block.run_into(1, &self.row_in, Sample::BeforeEdge, &mut self.row_out)?;
        Ok(unpack(&self.outputs.map(|place| self.row_out[place])))
    }
}
