//! `cargo xtask synth ulx3s` and the other boards: the LiteX system around the core (`constraints/litex`), as bitstream and report.
//!
//! ```text
//!  rayman-rtl emit --> rayman.v --+--> build.py --> gateware/BOARD.v, pins --Yosys--> netlist --rows kept free--> nextpnr --> ecppack
//!                                 |                  csr.json                 |                                      |
//!                                 '-------------------------------------------'-- area by block          MHz of every clock
//! ```
//!
//! Exit code 1 if a clock misses its target. A board with an Artix-7 has no open place and route here: its cells are counted, and
//! the project for Vivado is written.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{bail, ensure, Context, Result};
use serde::Serialize;
use serde_json::Value;

use super::{by_block, path_of, run_logged, spread, xilinx, Args, BlockArea, Path as TimingPath, Target, LARGE};
use crate::absorb::absorb_file;
use crate::process::{announce, answers, command, run as run_command};
use crate::tools::{cells_of, emit, json, tool, Area, CORE};
use crate::{workspace, CheckFailed};

/// Where the systems are written as Python.
const SOURCE: &str = "constraints/litex";
/// Where they are built.
const FOLDER: &str = "target/litex";

/// nextpnr's words for a board's device; none for one that it does not know.
fn device(target: Target) -> Option<[&'static str; 5]> {
    match target {
        Target::Ulx3s => Some(["--85k", "--package", "CABGA381", "--speed", "6"]),
        Target::Ecpix5 => Some(["--um5g-85k", "--package", "CABGA554", "--speed", "8"]),
        _ => None,
    }
}

/// A clock of a system.
#[derive(Debug, Clone, PartialEq, Serialize)]
struct Clock {
    name: String,
    mhz: f64,
    target_mhz: f64,
}

impl Clock {
    fn is_met(&self) -> bool {
        self.mhz >= self.target_mhz
    }
}

impl std::fmt::Display for Clock {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { name, mhz, target_mhz } = self;
        let margin = 100.0 * (mhz / target_mhz - 1.0);
        write!(f, "clock {name}: {mhz:.1} MHz, wanted {target_mhz:.1}: margin {margin:+.1} %")
    }
}

/// A system as it lies on its device.
#[derive(Debug, Serialize)]
struct Figures {
    target: Target,
    lanes: u32,
    #[serde(flatten)]
    area: Area,
    /// By block of the core; `(system)` is all that is not the core.
    blocks: Vec<BlockArea>,
    /// Empty if only the area was asked for.
    clocks: Vec<Clock>,
    /// The path that bounds the clock with the least margin.
    worst_path: Option<TimingPath>,
    /// None if only the area was asked for.
    bitstream: Option<PathBuf>,
}

impl std::fmt::Display for Figures {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for BlockArea { block, area } in &self.blocks {
            writeln!(f, "{block}: {area}")?;
        }
        write!(f, "the system with a core of {} lanes: {}", self.lanes, self.area)?;
        for clock in &self.clocks {
            write!(f, "\n{clock}")?;
        }
        if let Some(path) = &self.worst_path {
            write!(f, "\nslowest path: {path}")?;
        }
        if let Some(bitstream) = &self.bitstream {
            write!(f, "\nbitstream: {}", bitstream.display())?;
        }
        Ok(())
    }
}

/// A system, written for the tools.
struct Sources {
    name: &'static str,
    /// Where the tools start: the WebAssembly ones see bare file names only.
    gateware: PathBuf,
}

impl Sources {
    fn tool(&self, name: &str, question: &[&str]) -> Result<Command> {
        let mut tool = tool(name, question)?;
        tool.current_dir(&self.gateware);
        Ok(tool)
    }

    /// Reads the sources, then runs `synthesis`; leaves `NAME.json` and `NAME.stat.json`.
    fn synthesise(&self, synthesis: &str) -> Result<Value> {
        let name = self.name;
        let script = format!(
            "verilog_defaults -push; verilog_defaults -add -defer; read_verilog {CORE}.v {name}.v; verilog_defaults -pop; attrmap -tocase keep -imap keep=\"true\" keep=1 \
             -imap keep=\"false\" keep=0 -remove keep=0; {synthesis}; tee -q -o {name}.stat.json stat -json"
        );
        let mut yosys = self.tool("yosys", &["-V"])?;
        run_command(yosys.args(["-q", "-l", &format!("{name}.yosys.log"), "-p", &script]))?;
        let stat = json(&self.gateware.join(format!("{name}.stat.json")))?;
        stat.pointer("/design/num_cells_by_type").cloned().context("the report of Yosys has no cells")
    }
}

/// Writes a board's system.
fn write(args: &Args) -> Result<Sources> {
    let name = args.target.name();
    let core = format!("{CORE}_{name}_lanes{}", args.lanes);
    let verilog = emit(CORE, &core, &["--lanes", &args.lanes.to_string()])?;
    let folder = workspace::root().join(FOLDER).join(format!("{name}_lanes{}", args.lanes));
    let python = workspace::venv().join("bin/python");
    if !answers(&python, &["-c", "import litex_boards"])? {
        bail!("LiteX is not installed\nhelp: `cargo xtask setup` installs it");
    }
    let mut build = command(python);
    build.arg("-B").arg(Path::new(SOURCE).join("build.py")).arg(name);
    build.arg("--verilog").arg(&verilog).arg("--folder").arg(&folder);
    build.args(["--bus-mhz", &args.bus_mhz.to_string(), "--core-mhz", &args.core_mhz.to_string()]);
    // It tells of every signal; standard output is for figures.
    let log = folder.join("litex.log");
    fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let file = fs::File::create(&log).with_context(|| format!("cannot write {}", log.display()))?;
    build.stdout(file.try_clone()?).stderr(file);
    run_command(&mut build).with_context(|| format!("LiteX's words are in {}", log.display()))?;
    let gateware = folder.join("gateware");
    fs::copy(&verilog, gateware.join(format!("{CORE}.v"))).context("cannot copy the core")?;
    announce(&format!(
        "the system is in {}, its addresses in {}",
        gateware.display(),
        folder.join("csr.json").display()
    ));
    Ok(Sources { name, gateware })
}

/// A board's bitstream and report.
pub fn run(args: &Args) -> Result<()> {
    let Some(device) = device(args.target) else { return run_artix(args) };
    let sources = write(args)?;
    let name = sources.name;
    let cells = sources.synthesise(&format!("synth_ecp5 -top {name} -json {name}.json"))?;
    let netlist = sources.gateware.join(format!("{name}.json"));
    let mut whole = Area::from_cells(&cells)?;
    whole.ff -= absorb_file(&netlist)? as u64;
    announce(&format!("{name}: {whole}"));
    let (core, mut blocks) = by_block(&cells_of(&netlist)?, CORE);
    blocks.push(BlockArea { block: "(system)".into(), area: whole - core });

    let (mut clocks, mut worst_path, mut bitstream) = (Vec::new(), None, None);
    if !args.area_only {
        let report = place_and_route(&sources, args, &device)?;
        clocks = clocks_of(&report)?;
        let share = |clock: &Clock| clock.mhz / clock.target_mhz;
        let tightest = clocks.iter().min_by(|a, b| share(a).total_cmp(&share(b)));
        worst_path = tightest.map(|clock| path_of(&report, &clock.name)).transpose()?;
        let file = format!("{name}.bit");
        let mut pack = sources.tool("ecppack", &["--help"])?;
        run_command(pack.args(["--compress", "--input", &format!("{name}.config"), "--bit", &file]))?;
        bitstream = Some(sources.gateware.join(file));
    }
    for clock in &mut clocks {
        clock.name = plain(&clock.name).to_owned();
    }
    let figures =
        Figures { target: args.target, lanes: args.lanes, area: whole, blocks, clocks, worst_path, bitstream };
    if args.json {
        println!("{}", serde_json::to_string(&figures)?);
    } else {
        println!("{figures}");
    }
    match figures.clocks.iter().find(|clock| !clock.is_met()) {
        Some(clock) => Err(CheckFailed(format!("{clock}")).into()),
        None => Ok(()),
    }
}

/// Places and routes; leaves `NAME.config`. Answers nextpnr's report.
fn place_and_route(sources: &Sources, args: &Args, device: &[&str]) -> Result<Value> {
    let name = sources.name;
    let netlist = format!("{}.json", spread(&sources.gateware, name, args.free_rows)?);
    let report = format!("{name}.{}.report.json", args.seed);
    let mut nextpnr = sources.tool("nextpnr-ecp5", &["--version"])?;
    nextpnr.args(device).args(LARGE).args(["--json", &netlist, "--lpf", &format!("{name}.lpf")]);
    nextpnr.args(["--textcfg", &format!("{name}.config"), "--report", &report, "--seed", &args.seed.to_string()]);
    nextpnr.arg("--timing-allow-fail");
    run_logged(&mut nextpnr, &sources.gateware.join(format!("{name}.{}.log", args.seed)))?;
    json(&sources.gateware.join(report))
}

/// The clocks of a report of nextpnr, by their names there.
fn clocks_of(report: &Value) -> Result<Vec<Clock>> {
    let clocks = report.pointer("/fmax").and_then(Value::as_object).context("the report of nextpnr has no clocks")?;
    let clocks: Option<Vec<_>> = clocks
        .iter()
        .map(|(name, figures)| {
            let number = |key: &str| figures.get(key)?.as_f64();
            Some(Clock { name: name.clone(), mhz: number("achieved")?, target_mhz: number("constraint")? })
        })
        .collect();
    let clocks = clocks.context("a clock of nextpnr's report has no figures")?;
    ensure!(!clocks.is_empty(), "the report of nextpnr has no clocks");
    Ok(clocks)
}

/// A clock's name without nextpnr's own parts: `$glbnet$core_clk` is `core`.
fn plain(name: &str) -> &str {
    let name = name.strip_prefix("$glbnet$").unwrap_or(name);
    name.strip_suffix("_clk").unwrap_or(name)
}

/// Writes the project for Vivado and counts cells.
fn run_artix(args: &Args) -> Result<()> {
    ensure!(
        args.area_only,
        "nothing here places and routes an Artix-7\nhelp: `--area-only` counts cells and writes the project for Vivado"
    );
    let sources = write(args)?;
    let cells = sources.synthesise(&format!("{} -top {}", xilinx::SYNTHESIS, sources.name))?;
    announce(&format!("for Vivado: {}", sources.gateware.join(format!("{}.tcl", sources.name)).display()));
    xilinx::show(args, &cells, &xilinx::XC7A100T)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_clock_has_its_margin() {
        let report = serde_json::json!({"fmax": {
            "$glbnet$core_clk": {"achieved": 44.0, "constraint": 40.0},
            "$glbnet$sys_clk": {"achieved": 49.0, "constraint": 50.0},
        }});
        let clocks = clocks_of(&report).expect("clocks");
        let names: Vec<_> = clocks.iter().map(|clock| (plain(&clock.name), clock.is_met())).collect();
        assert_eq!(names, [("core", true), ("sys", false)]);
        assert_eq!(clocks[0].to_string(), "clock $glbnet$core_clk: 44.0 MHz, wanted 40.0: margin +10.0 %");
        assert!(clocks_of(&serde_json::json!({"fmax": {}})).is_err());
        assert!(clocks_of(&serde_json::json!({"fmax": {"a": {"achieved": 1.0}}})).is_err());
    }

    #[test]
    fn figures_have_the_keys_that_scripts_read() {
        let clock = Clock { name: "core".into(), mhz: 44.0, target_mhz: 40.0 };
        let figures = Figures {
            target: Target::Ulx3s,
            lanes: 1,
            area: Area { lut4: 5, ff: 6, mult18: 7, ..Area::default() },
            blocks: Vec::new(),
            clocks: vec![clock],
            worst_path: None,
            bitstream: None,
        };
        let json = serde_json::to_value(figures).expect("JSON");
        let expected = serde_json::json!([{"name": "core", "mhz": 44.0, "target_mhz": 40.0}]);
        assert_eq!((&json["target"], &json["lanes"], &json["clocks"]), (&"ulx3s".into(), &1.into(), &expected));
        assert_eq!((&json["lut4"], &json["ff"], &json["mult18"]), (&5.into(), &6.into(), &7.into()));
    }

    #[test]
    fn every_board_is_one_of_the_systems() {
        let systems = workspace::root().join(SOURCE).join("boards.py");
        let systems = fs::read_to_string(systems).expect("the systems");
        for target in [Target::Ulx3s, Target::Ecpix5, Target::ArtyA7] {
            assert!(systems.contains(&format!("\"{}\": ", target.name())), "{target:?}");
        }
    }
}
