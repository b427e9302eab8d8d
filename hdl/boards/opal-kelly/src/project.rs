//! Everything that a board's bitstream is made from, as texts: Verilog, constraints, the script for the vendor's tools.
//!
//! The script wants FrontPanel's HDL files, which come with the vendor's SDK: the variable `FRONTPANEL_HDL` names their folder.

use std::collections::BTreeSet;
use std::path::Path;
use std::str::FromStr;

use rayman_rtl::emit::{emit, EmitError};
use rust_hdl::fpga::toolchains::{ise, vivado};
use rust_hdl_bsp_ok_xem6010::xem6010::synth::ISEOptions;
use rust_hdl_bsp_ok_xem6010::xem6010::XEM6010;
use rust_hdl_bsp_ok_xem7010::xem7010::synth::VivadoOptions;
use rust_hdl_bsp_ok_xem7010::xem7010::XEM7010;
use rust_hdl_core::prelude::{check_all, filter_blackbox_directives, generate_verilog};

use crate::board::{Board, SYSTEM};
use crate::System;

/// A board, by its device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Model {
    /// XEM7010 with an XC7A50T.
    Xem7010A50,
    /// XEM7010 with an XC7A200T.
    Xem7010A200,
    /// XEM6010 with an XC6SLX45.
    Xem6010Lx45,
    /// XEM6010 with an XC6SLX150.
    Xem6010Lx150,
}

/// Every board, by the name of its folder in the vendor's SDK, in lower case.
pub const MODELS: &[(&str, Model)] = &[
    ("xem7010-a50", Model::Xem7010A50),
    ("xem7010-a200", Model::Xem7010A200),
    ("xem6010-lx45", Model::Xem6010Lx45),
    ("xem6010-lx150", Model::Xem6010Lx150),
];

/// There is no such board.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no board `{name}`; there are {}", MODELS.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", "))]
pub struct NoSuchBoard {
    /// What was asked for.
    pub name: String,
}

impl FromStr for Model {
    type Err = NoSuchBoard;

    fn from_str(name: &str) -> Result<Self, NoSuchBoard> {
        let found = MODELS.iter().find(|(known, _)| *known == name);
        found.map(|(_, model)| *model).ok_or_else(|| NoSuchBoard { name: name.to_owned() })
    }
}

/// A file of a project.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct File {
    /// Its name.
    pub name: &'static str,
    /// Its text.
    pub text: String,
}

/// The system's Verilog: the same for every board.
pub fn system() -> Result<String, EmitError> {
    emit(&System::new(), SYSTEM)
}

/// All files of a board's project but the system's Verilog: `top.v`, `boxes.v`, the constraints, the script. `boxes.v` has the
/// vendor's cells and the system without contents, for tools that are to read `top.v` alone.
pub fn files(model: Model) -> Result<Vec<File>, EmitError> {
    let board = match model {
        Model::Xem7010A50 | Model::Xem7010A200 => Board::new::<XEM7010>(),
        Model::Xem6010Lx45 | Model::Xem6010Lx150 => Board::new::<XEM6010>(),
    };
    check_all(&board).map_err(|error| EmitError::Check(format!("{error:?}")))?;
    let text = generate_verilog(&board);
    let top = File { name: "top.v", text: tidy(&filter_blackbox_directives(&text)) };
    let boxes = File { name: "boxes.v", text: black_boxes(&text) };
    let (constraints, script) = match model {
        Model::Xem7010A50 => (xdc(&board), vivado_script("XEM7010-A50", "xc7a50tfgg484-1")),
        Model::Xem7010A200 => (xdc(&board), vivado_script("XEM7010-A200", "xc7a200tfbg484-1")),
        Model::Xem6010Lx45 => (ucf(&board), ise_script("XEM6010-LX45", "xc6slx45")),
        Model::Xem6010Lx150 => (ucf(&board), ise_script("XEM6010-LX150", "xc6slx150")),
    };
    Ok(vec![top, boxes, constraints, File { name: "build.tcl", text: script }])
}

/// No blanks at line ends, no empty line after another, one line end at the end.
fn tidy(text: &str) -> String {
    let mut tidied = String::new();
    for line in text.lines().map(str::trim_end) {
        if !(line.is_empty() && (tidied.is_empty() || tidied.ends_with("\n\n"))) {
            tidied += line;
            tidied.push('\n');
        }
    }
    tidied.truncate(tidied.trim_end().len());
    tidied + "\n"
}

/// The modules without contents, each once: rust-hdl writes one for each instance.
fn black_boxes(text: &str) -> String {
    const MARK: &str = "(* blackbox *)";
    let mut seen = BTreeSet::new();
    let mut boxes = String::new();
    for piece in text.split(MARK).skip(1) {
        let Some(end) = piece.find("endmodule") else { continue };
        let module = piece[..end].trim();
        if seen.insert(module.split(['(', ' ']).nth(1).unwrap_or_default()) {
            boxes += &format!("{MARK}\n{module}\nendmodule\n\n");
        }
    }
    tidy(&boxes)
}

fn xdc(board: &Board) -> File {
    let text = vivado::generate_xdc(board);
    // rust-hdl sets the host's clock apart from one that is not used here.
    let lines: Vec<&str> = text.lines().filter(|line| !line.starts_with("set_clock_groups")).collect();
    File { name: "top.xdc", text: tidy(&lines.join("\n")) }
}

fn ucf(board: &Board) -> File {
    let text = ise::generate_ucf(board) + ";\nCONFIG VCCAUX = \"3.3\";\n";
    File { name: "top.ucf", text: tidy(&text) }
}

/// The vendor's files that a board's project needs, as rust-hdl lists them, without their folder.
fn vendor_files(paths: &[String]) -> String {
    let names: Vec<_> = paths.iter().filter_map(|path| Path::new(path).file_name()?.to_str()).collect();
    names.join(" ")
}

/// What both scripts begin with.
const HEAD: &str = r#"if {![info exists ::env(FRONTPANEL_HDL)]} {
    error "FRONTPANEL_HDL must name the folder FrontPanelHDL of Opal Kelly's SDK"
}
set here [file dirname [file normalize [info script]]]
"#;

fn vivado_script(folder: &str, part: &str) -> String {
    format!(
        r#"# Made by `cargo xtask opal-kelly`: the bitstream for an Opal Kelly {folder}.
#   FRONTPANEL_HDL=... vivado -mode batch -source build.tcl
{HEAD}set vendor [file join $::env(FRONTPANEL_HDL) {folder} Vivado-2016]
create_project rayman [file join $here project] -part {part} -force
add_files [list [file join $here top.v] [file join $here system.v]]
foreach name {{{files}}} {{
    add_files [file join $vendor $name]
}}
add_files -fileset constrs_1 [file join $here top.xdc]
set_property top top [current_fileset]
update_compile_order -fileset sources_1
launch_runs impl_1 -to_step write_bitstream
wait_on_run impl_1
if {{[get_property PROGRESS [get_runs impl_1]] ne "100%"}} {{
    error "no bitstream was made: see [file join $here project rayman.runs]"
}}
set slack [get_property STATS.WNS [get_runs impl_1]]
if {{$slack < 0}} {{
    error "the clock of the host interface is missed by [expr {{-$slack}}] ns"
}}
file copy -force [file join $here project rayman.runs impl_1 top.bit] [file join $here top.bit]
puts "[file join $here top.bit]: all clocks met, $slack ns to spare"
"#,
        files = vendor_files(&VivadoOptions::default().assets),
    )
}

fn ise_script(folder: &str, device: &str) -> String {
    format!(
        r#"# Made by `cargo xtask opal-kelly`: the bitstream for an Opal Kelly {folder}.
#   FRONTPANEL_HDL=... xtclsh build.tcl
{HEAD}set vendor [file join $::env(FRONTPANEL_HDL) {folder}]
project new [file join $here rayman.xise]
project set family Spartan6
project set device {device}
project set package fgg484
project set speed -2
foreach name {{top.v system.v top.ucf}} {{
    xfile add [file join $here $name]
}}
foreach name {{{files}}} {{
    xfile add [file join $vendor $name]
}}
project set top top
process run "Generate Programming File" -force rerun_all
project close
"#,
        files = vendor_files(&ISEOptions::default().assets),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boards_have_names() {
        assert_eq!("xem7010-a50".parse(), Ok(Model::Xem7010A50));
        let error = "xem7010".parse::<Model>().expect_err("by its device");
        assert!(error.to_string().contains("xem7010-a50, xem7010-a200, xem6010-lx45"), "{error}");
    }

    #[test]
    fn every_pin_of_a_top_has_a_place() {
        for (name, model) in MODELS {
            let files = files(*model).expect(name);
            let [top, _, constraints, _] = files.as_slice() else { panic!("{name}: four files") };
            // The host interface: 8 in, 2 out, 16 both ways, 2 more; 8 lights.
            let (place, standard) =
                if constraints.name == "top.xdc" { ("PACKAGE_PIN", "IOSTANDARD") } else { ("LOC=", "IOSTANDARD=") };
            assert_eq!(constraints.text.matches(place).count(), 36, "{name}");
            assert_eq!(constraints.text.matches(standard).count(), 36, "{name}");
            assert!(constraints.text.contains("okHostClk"), "{name}: the clock has a period");
            for pin in ["hi$sig_in", "hi$sig_out", "hi$sig_inout", "hi$sig_aa", "hi$sig_mux", "led"] {
                assert!(top.text.contains(pin) && constraints.text.contains(pin), "{name}: {pin}");
            }
        }
    }

    #[test]
    fn boxes_are_there_once_and_tops_have_none() {
        let files = files(Model::Xem7010A50).expect("four files");
        for module in ["okHost", "okWireIn", "okWireOut", "okTriggerIn", "okPipeIn", "okPipeOut", SYSTEM] {
            assert_eq!(files[1].text.matches(&format!("module {module}(")).count(), 1, "{module}");
            assert_eq!(files[0].text.matches(&format!("module {module}(")).count(), 0, "{module}");
        }
    }
}
