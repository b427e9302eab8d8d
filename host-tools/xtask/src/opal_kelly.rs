//! `cargo xtask opal-kelly BOARD`: the project of an Opal Kelly board in `target/opal-kelly/BOARD`: Verilog, constraints, and the
//! script for the vendor's tools, which are not here. Verilator and Yosys read what they can: the top with the vendor's cells as
//! boxes, the system whole; plain Tcl runs the script.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

use crate::process::{cargo, run as run_command};
use crate::tools::{folder, tool};
use crate::workspace;

/// Folder of the projects, below the workspace's root.
const PROJECTS: &str = "target/opal-kelly";
/// Modules of the two Verilog files, as the board's crate names them.
const TOP: &str = "top";
const SYSTEM: &str = "rayman_system";

/// Arguments of `opal-kelly`.
#[derive(clap::Args)]
pub struct Args {
    /// The board, by its device: xem7010-a50, xem7010-a200, xem6010-lx45, xem6010-lx150.
    pub board: String,
    /// Leaves out the checks, and so all tools but Rust.
    #[arg(long)]
    pub no_check: bool,
}

/// Writes the project and checks it.
pub fn run(args: &Args) -> Result<()> {
    let project = workspace::root().join(PROJECTS).join(&args.board);
    let mut write = cargo();
    write.args(["run", "--quiet", "-p", "rayman-opal-kelly", "--bin", "opal-kelly", "--", &args.board]);
    run_command(write.arg(&project))?;
    println!("{PROJECTS}/{}: the project", args.board);
    if args.no_check {
        return Ok(());
    }
    check_top(&args.board)?;
    check_system(&args.board)
}

/// Lint and Yosys's checks of the top, and the script in plain Tcl.
fn check_top(board: &str) -> Result<()> {
    let project = workspace::root().join(PROJECTS).join(board);
    // The top and its boxes as one file: what Verilator is asked to lint, and where Yosys sees it.
    let mut text = String::new();
    for file in ["top.v", "boxes.v"] {
        let path = project.join(file);
        text += &fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
    }
    let name = format!("{board}.top.v");
    let path = folder()?.join(&name);
    fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))?;
    lint(&path, TOP)?;
    yosys(&format!("read_verilog {name}; hierarchy -check -top {TOP}; proc; opt_clean; check -assert"))?;
    let mut tclsh = tool("tclsh", &["/dev/null"])?;
    tclsh.env("FRONTPANEL_HDL", "FrontPanelHDL");
    let vendor = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/package/vivado.tcl");
    run_command(tclsh.arg(vendor).arg(project.join("build.tcl")))
}

/// Lint and Yosys's checks of the system, core and all.
fn check_system(board: &str) -> Result<()> {
    let from = workspace::root().join(PROJECTS).join(board).join("system.v");
    let name = format!("{board}.system.v");
    let path = folder()?.join(&name);
    fs::copy(&from, &path).with_context(|| format!("cannot copy {} to {}", from.display(), path.display()))?;
    lint(&path, SYSTEM)?;
    yosys(&format!("read_verilog {name}; hierarchy -check -top {SYSTEM}; proc; check -assert"))
}

/// Verilator's warnings, with those on arithmetic in another width fatal.
fn lint(path: &Path, top: &str) -> Result<()> {
    // The rules of what is fatal are those of the simulator's build: one program knows them.
    let mut lint = cargo();
    lint.args(["run", "--quiet", "-p", "rayman-sim", "--bin", "verilated-core", "--", "lint"]);
    run_command(lint.arg(path).arg(top))
}

fn yosys(script: &str) -> Result<()> {
    let mut yosys = tool("yosys", &["-V"])?;
    run_command(yosys.args(["-q", "-p", script]))
}
