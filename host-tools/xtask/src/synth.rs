//! `cargo xtask synth core`: the core placed and routed for an ECP5-85F. `cargo xtask synth BOARD`: a system on a board. `cargo xtask synth-op NAME`: a block or an
//! operator by itself, its area, and between registers its clock rate, the median of three seeds.

mod arrivals;
mod board;
mod xilinx;

use std::collections::BTreeMap;
use std::fs;
use std::process::Command;

use anyhow::{ensure, Context, Result};
use serde::Serialize;
use serde_json::Value;

use self::arrivals::{latest, Arrival};
use crate::floorplan;
use crate::process::{announce, run as run_command};
use crate::tools::{cells, emit, folder, json, synthesise, tool, Area, CORE};

/// The device that all figures are for.
const DEVICE: [&str; 5] = ["--85k", "--package", "CABGA381", "--speed", "6"];
/// The default placer congests and never routes what fills more than a quarter of the device. Of the placed core the second router
/// leaves wires used twice for ever; the first takes them up one by one.
const LARGE: [&str; 4] = ["--placer", "static", "--router", "router1"];
/// What the router aims at: above what is reached, so that it does not rest early.
const TARGET_MHZ: &str = "150";
/// Top of a block between registers, as the emitter names it.
const REGISTERED: &str = "synth_op";
/// The block in it.
const WRAPPED: &str = "block";

/// What can be placed and routed whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Target {
    /// The core between registers, without a board around it.
    Core,
    /// The core's cells on a Zynq-7000; only with --area-only.
    Zynq,
    /// A LiteX system on an ULX3S with an LFE5U-85F: bitstream and report.
    Ulx3s,
    /// A LiteX system on an ECPIX-5 with an LFE5UM5G-85F: bitstream and report.
    Ecpix5,
    /// A LiteX system on an Arty A7-100T: project for Vivado and cells; only with --area-only.
    #[value(name = "arty_a7")]
    #[serde(rename = "arty_a7")]
    ArtyA7,
}

impl Target {
    /// The name that it has on the command line.
    fn name(self) -> &'static str {
        match self {
            Target::Core => CORE,
            Target::Zynq => "zynq",
            Target::Ulx3s => "ulx3s",
            Target::Ecpix5 => "ecpix5",
            Target::ArtyA7 => "arty_a7",
        }
    }
}

/// Arguments of `synth`.
#[derive(clap::Args)]
pub struct Args {
    /// What to place and route.
    #[arg(value_enum)]
    pub target: Target,
    /// Lanes of the core.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=4))]
    pub lanes: u32,
    /// Leaves out placing and routing.
    #[arg(long)]
    pub area_only: bool,
    /// Seed of the placement.
    #[arg(long, default_value_t = 1)]
    pub seed: u32,
    /// Keeps the tables of every so-many-th row free, so that the design spreads and can be routed; 0 keeps none. By default as
    /// many rows as leave the design at most three quarters of the other tables.
    #[arg(long, value_name = "N")]
    pub free_rows: Option<u32>,
    /// Clock of a board's bus.
    #[arg(long, value_name = "MHZ", default_value_t = 50.0)]
    pub bus_mhz: f64,
    /// Clock of the core on a board; its PLL makes one within 3 % of it.
    #[arg(long, value_name = "MHZ", default_value_t = 40.0)]
    pub core_mhz: f64,
    /// Prints the figures as JSON.
    #[arg(long)]
    pub json: bool,
}

/// Arguments of `synth-op`.
#[derive(clap::Args)]
pub struct OpArgs {
    /// A block or operator (`fadd` for `fp_add`, and so on); an unknown one gets the list of those there are.
    pub name: String,
    /// For a datapath: clocks between starts, instead of the core's.
    #[arg(long)]
    pub ii: Option<u32>,
    /// For an operator: clocks from operands to result, instead of the recommended ones.
    #[arg(long)]
    pub depth: Option<u32>,
    /// Leaves out placing and routing: for what has more multipliers than the device.
    #[arg(long)]
    pub area_only: bool,
    /// Seeds of the placement.
    #[arg(long, value_delimiter = ',', default_values_t = [1, 2, 3])]
    pub seeds: Vec<u32>,
    /// Prints the figures as JSON.
    #[arg(long)]
    pub json: bool,
}

/// The core as it lies on the device.
#[derive(Debug, Serialize)]
struct CoreFigures {
    target: Target,
    lanes: u32,
    /// Of the core alone, without the registers around it.
    #[serde(flatten)]
    area: Area,
    /// By block, in the order of their names.
    blocks: Vec<BlockArea>,
    /// None if only the area was asked for.
    mhz: Option<f64>,
    /// The path that bounds the clock.
    worst_path: Option<Path>,
    /// Where signals arrive last.
    latest: Vec<Arrival>,
}

/// A block of the core, without those of its parts that have a line of their own.
#[derive(Debug, PartialEq, Serialize)]
struct BlockArea {
    block: String,
    #[serde(flatten)]
    area: Area,
}

impl std::fmt::Display for CoreFigures {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for BlockArea { block, area } in &self.blocks {
            writeln!(f, "{block}: {area}")?;
        }
        write!(f, "{CORE}, {} lanes: {}", self.lanes, self.area)?;
        if let (Some(mhz), Some(path)) = (self.mhz, &self.worst_path) {
            write!(f, "; {mhz:.1} MHz\nslowest path: {path}")?;
        }
        if !self.latest.is_empty() {
            write!(f, "\nlatest arrivals:")?;
        }
        for arrival in &self.latest {
            write!(f, "\n{arrival}")?;
        }
        Ok(())
    }
}

/// A block by itself.
#[derive(Debug, Serialize)]
struct OpFigures {
    op: String,
    /// Of a datapath: clocks between starts.
    ii: Option<u32>,
    /// Of an operator: clocks from operands to result, where they were asked for.
    depth: Option<u32>,
    /// Of the block alone, without the registers that `mhz` is measured between.
    #[serde(flatten)]
    area: Area,
    /// The median over the seeds; none if only the area was asked for.
    mhz: Option<f64>,
    /// By seed, ascending.
    mhz_all: Vec<f64>,
    /// The path that bounds the slowest of them.
    worst_path: Option<Path>,
}

impl std::fmt::Display for OpFigures {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.op)?;
        if let Some(ii) = self.ii {
            write!(f, " at interval {ii}")?;
        }
        if let Some(depth) = self.depth {
            write!(f, " of {depth} clocks")?;
        }
        write!(f, ": {}", self.area)?;
        if let Some(mhz) = self.mhz {
            let seeds: Vec<String> = self.mhz_all.iter().map(|value| format!("{value:.1}")).collect();
            write!(f, "; {mhz:.1} MHz (seeds: {})", seeds.join(", "))?;
        }
        if let Some(path) = &self.worst_path {
            write!(f, "\nslowest path: {path}")?;
        }
        Ok(())
    }
}

/// A path from register to register, by nextpnr's report.
#[derive(Debug, Clone, PartialEq, Serialize)]
struct Path {
    /// Cell it starts from.
    from: String,
    /// Cell it ends at.
    to: String,
    /// Nanoseconds in cells, set-up time among them.
    logic_ns: f64,
    /// Nanoseconds between cells.
    routing_ns: f64,
}

impl std::fmt::Display for Path {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { from, to, logic_ns, routing_ns } = self;
        write!(f, "{from} -> {to}: {logic_ns:.1} ns in cells, {routing_ns:.1} ns between them")
    }
}

/// A design that is placed and routed.
#[derive(Debug, Clone, PartialEq)]
struct Routed {
    mhz: f64,
    worst_path: Path,
    latest: Vec<Arrival>,
}

/// A target.
pub fn run(args: &Args) -> Result<()> {
    match args.target {
        Target::Core => {}
        Target::Zynq => return xilinx::run(args),
        Target::Ulx3s | Target::Ecpix5 | Target::ArtyA7 => return board::run(args),
    }
    let name = format!("{CORE}_lanes{}", args.lanes);
    // Between registers, for it has more pins than a package.
    emit(CORE, &name, &["--registered", "--lanes", &args.lanes.to_string()])?;
    synthesise(&name, REGISTERED, &name)?;
    let (area, blocks) = by_block(&cells(&name)?, WRAPPED);
    announce(&format!("{name}: {area}"));
    let routed = if args.area_only { None } else { Some(route_core(&name, args)?) };
    let mhz = routed.as_ref().map(|routed| routed.mhz);
    let (worst_path, latest) = routed.map(|routed| (routed.worst_path, routed.latest)).unzip();
    let latest = latest.unwrap_or_default();
    let figures = CoreFigures { target: args.target, lanes: args.lanes, area, blocks, mhz, worst_path, latest };
    if args.json {
        println!("{}", serde_json::to_string(&figures)?);
    } else {
        println!("{figures}");
    }
    Ok(())
}

/// Places and routes the core with rows kept free.
fn route_core(name: &str, args: &Args) -> Result<Routed> {
    place_and_route(&spread(&folder()?, name, args.free_rows)?, args.seed, &LARGE)
}

/// Writes the netlist `NAME.json` of a folder once more, with places for the multipliers and every so many-th row kept free
/// (0: none; `None`: as many as it can spare). The name of the netlist to place.
fn spread(folder: &std::path::Path, name: &str, free_rows: Option<u32>) -> Result<String> {
    let mut netlist = json(&folder.join(format!("{name}.json")))?;
    let products = floorplan::place_multipliers(&mut netlist)?;
    let free_rows = free_rows.map_or_else(|| floorplan::rows_to_spare(&mut netlist), Ok)?;
    let taken = if free_rows == 0 { 0 } else { floorplan::keep_rows_free(&mut netlist, free_rows)? };
    let spread = format!("{name}_spread");
    let path = folder.join(format!("{spread}.json"));
    fs::write(&path, netlist.to_string()).with_context(|| format!("cannot write {}", path.display()))?;
    announce(&format!("{spread}: {products} products' multipliers placed, {taken} tables kept free"));
    Ok(spread)
}

/// Blocks that take less than so many tables and flip-flops together have no line of their own.
const SMALL: u64 = 300;
/// Parts of a cell's name, after the core's own, that may name a block: `engine.lane_0.sphere_hit`.
const DEEPEST: usize = 3;

/// Sums the cells of the instance `core`, kind and hierarchical name each, by block. What is around it counts nowhere.
fn by_block(cells: &[(String, String)], core: &str) -> (Area, Vec<BlockArea>) {
    let mut blocks: BTreeMap<Vec<&str>, Area> = BTreeMap::new();
    let mut whole = Area::default();
    for (kind, name) in cells {
        let mut parts: Vec<&str> = name.split('.').collect();
        // The last part is a signal's, the first the name that the core has in what is around it.
        parts.pop();
        if parts.first() != Some(&core) {
            continue;
        }
        parts.remove(0);
        parts.truncate(DEEPEST);
        whole.add(kind, 1);
        blocks.entry(parts).or_default().add(kind, 1);
    }
    for depth in (1..=DEEPEST).rev() {
        let small = |(parts, area): (&Vec<_>, &Area)| parts.len() == depth && area.tables() + area.ff < SMALL;
        let small: Vec<Vec<&str>> =
            blocks.iter().filter(|entry| small(*entry)).map(|(parts, _)| parts.clone()).collect();
        for mut parts in small {
            let area = blocks.remove(&parts).unwrap_or_default();
            parts.pop();
            *blocks.entry(parts).or_default() += area;
        }
    }
    let name = |parts: &[&str]| if parts.is_empty() { "(wiring)".to_owned() } else { parts.join(".") };
    (whole, blocks.into_iter().map(|(parts, area)| BlockArea { block: name(&parts), area }).collect())
}

/// A block by itself.
pub fn run_op(args: &OpArgs) -> Result<()> {
    ensure!(args.area_only || !args.seeds.is_empty(), "--seeds needs at least one seed");
    let block = module(&args.name);
    let mut file = block.clone();
    let numbers = [("ii", args.ii), ("depth", args.depth)].map(|(name, number)| (name, number.map(|n| n.to_string())));
    let mut options = Vec::new();
    for (name, number) in &numbers {
        if let Some(number) = number {
            file += &format!("_{name}{number}");
            options.extend([format!("--{name}"), number.clone()]);
        }
    }
    let mut options: Vec<&str> = options.iter().map(String::as_str).collect();
    if !args.area_only {
        options.push("--registered");
    }
    emit(&block, &file, &options)?;
    let area = synthesise(&file, &block, &file)?;
    let mut routed = Vec::new();
    if !args.area_only {
        let between = format!("{file}_between");
        synthesise(&file, REGISTERED, &between)?;
        for &seed in &args.seeds {
            routed.push(place_and_route(&between, seed, &[])?);
        }
    }
    routed.sort_by(|a, b| a.mhz.total_cmp(&b.mhz));
    let mhz_all: Vec<f64> = routed.iter().map(|routed| routed.mhz).collect();
    let mhz = mhz_all.get(mhz_all.len() / 2).copied();
    let worst_path = routed.into_iter().next().map(|slowest| slowest.worst_path);
    let figures = OpFigures { op: args.name.clone(), ii: args.ii, depth: args.depth, area, mhz, mhz_all, worst_path };
    if args.json {
        println!("{}", serde_json::to_string(&figures)?);
    } else {
        println!("{figures}");
    }
    Ok(())
}

/// The module that a name means: `fadd` is the short name of `fp_add`.
fn module(name: &str) -> String {
    match name.strip_prefix('f') {
        Some(operator @ ("add" | "sub" | "mul" | "div" | "sqrt" | "lt" | "le" | "eq")) => format!("fp_{operator}"),
        _ => name.to_owned(),
    }
}

/// Places and routes `target/rtl/NAME.json`.
fn place_and_route(name: &str, seed: u32, how: &[&str]) -> Result<Routed> {
    let report = format!("{name}.{seed}.report.json");
    let mut nextpnr = tool("nextpnr-ecp5", &["--version"])?;
    nextpnr.args(DEVICE).args(["--json", &format!("{name}.json"), "--seed", &seed.to_string(), "--timing-allow-fail"]);
    nextpnr.args(["--freq", TARGET_MHZ, "--lpf-allow-unconstrained", "--detailed-timing-report"]).args(how);
    nextpnr.args(["--report", &report]);
    run_logged(&mut nextpnr, &folder()?.join(format!("{name}.{seed}.log")))?;
    slowest_clock(&json(&folder()?.join(report))?)
}

/// Runs nextpnr, from the folder of its log: what it says meanwhile, for an hour if the design is large, is there.
fn run_logged(nextpnr: &mut Command, log: &std::path::Path) -> Result<()> {
    announce(&format!("its progress is in {}", log.display()));
    let file = log.file_name().context("a log without a name")?;
    run_command(nextpnr.args(["--quiet", "--log"]).arg(file))
}

/// The lowest frequency in a report of nextpnr, and the path that bounds it.
fn slowest_clock(report: &Value) -> Result<Routed> {
    let clocks = report.pointer("/fmax").and_then(Value::as_object).context("the report of nextpnr has no clocks")?;
    let achieved = clocks.iter().filter_map(|(clock, figures)| Some((clock, figures.get("achieved")?.as_f64()?)));
    let (clock, mhz) =
        achieved.min_by(|a, b| a.1.total_cmp(&b.1)).context("the report of nextpnr names no frequency")?;
    Ok(Routed { mhz, worst_path: path_of(report, clock)?, latest: latest(report, &format!("{WRAPPED}.")) })
}

/// The path that bounds a clock.
fn path_of(report: &Value, clock: &str) -> Result<Path> {
    let edge = format!("posedge {clock}");
    let paths = report.pointer("/critical_paths").and_then(Value::as_array).context("the report has no paths")?;
    let worst = paths.iter().find(|path| path["from"] == edge.as_str() && path["to"] == edge.as_str());
    let steps =
        worst.and_then(|path| path["path"].as_array()).context("the report has no path of its slowest clock")?;
    let (Some(first), Some(last)) = (steps.first(), steps.last()) else {
        anyhow::bail!("the report has an empty path")
    };
    let cell =
        |step: &Value, end: &str| step.pointer(&format!("/{end}/cell")).and_then(Value::as_str).map(str::to_owned);
    let nanoseconds = |routing: bool| {
        let of_kind = steps.iter().filter(|step| (step["type"] == "routing") == routing);
        of_kind.filter_map(|step| step["delay"].as_f64()).sum()
    };
    Ok(Path {
        from: cell(first, "from").context("a path starts nowhere")?,
        to: cell(last, "to").context("a path ends nowhere")?,
        logic_ns: nanoseconds(false),
        routing_ns: nanoseconds(true),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path() -> Path {
        Path { from: "a".into(), to: "b".into(), logic_ns: 4.0, routing_ns: 7.1 }
    }

    #[test]
    fn figures_have_the_keys_that_scripts_read() {
        let area = Area { lut4: 1, ccu2c: 5, dpr16x4: 6, ff: 2, mult18: 3, block_ram: 4 };
        let mut figures = OpFigures {
            op: "shade".into(),
            ii: Some(4),
            depth: None,
            area,
            mhz: Some(90.5),
            mhz_all: vec![90.0, 90.5, 91.0],
            worst_path: Some(path()),
        };
        let json = serde_json::to_value(&figures).expect("figures are JSON");
        for (key, value) in [("lut4", 1), ("ff", 2), ("mult18", 3), ("ii", 4)] {
            assert_eq!(json[key], value, "{key}");
        }
        assert_eq!((&json["op"], &json["mhz"]), (&"shade".into(), &90.5.into()));
        assert!(
            figures.to_string().ends_with(
                "90.5 MHz (seeds: 90.0, 90.5, 91.0)\nslowest path: a -> b: 4.0 ns in cells, 7.1 ns between them"
            ),
            "{figures}"
        );
        (figures.mhz, figures.worst_path) = (None, None);
        assert_eq!(figures.to_string(), format!("shade at interval 4: {area}"));
        let blocks = vec![BlockArea { block: "engine".into(), area }];
        let core = CoreFigures {
            target: Target::Core,
            lanes: 3,
            area,
            blocks,
            mhz: Some(90.5),
            worst_path: Some(path()),
            latest: Vec::new(),
        };
        let json = serde_json::to_value(&core).expect("figures are JSON");
        assert_eq!((&json["target"], &json["lanes"], &json["mhz"]), (&"core".into(), &3.into(), &90.5.into()));
        assert_eq!((&json["lut4"], &json["ff"], &json["mult18"]), (&1.into(), &2.into(), &3.into()));
    }

    #[test]
    fn cells_are_summed_by_block() {
        let mut cells =
            vec![("LUT4", "feed_TRELLIS_FF"), ("LUT4", "block.irq_LUT4_Z"), ("MULT18X18D", "block.a.b.c.d.p")];
        cells.extend(std::iter::repeat_n(("TRELLIS_FF", "block.a.b.c.d.q"), 300));
        cells.extend(std::iter::repeat_n(("LUT4", "block.a.few.x"), 299));
        cells.extend(std::iter::repeat_n(("CCU2C", "block.a.x"), 2));
        let cells: Vec<_> = cells.into_iter().map(|(kind, name)| (kind.to_owned(), name.to_owned())).collect();
        let (whole, blocks) = by_block(&cells, WRAPPED);
        assert_eq!(whole, Area { lut4: 300, ff: 300, ccu2c: 2, mult18: 1, ..Area::default() });
        let named = |block: &str, area| BlockArea { block: block.into(), area };
        let expected = [
            named("(wiring)", Area { lut4: 1, ..Area::default() }),
            named("a", Area { lut4: 299, ccu2c: 2, ..Area::default() }),
            named("a.b.c", Area { ff: 300, mult18: 1, ..Area::default() }),
        ];
        assert_eq!(blocks, expected);
    }

    #[test]
    fn short_names_mean_operators() {
        assert_eq!((module("fadd"), module("fsqrt")), ("fp_add".to_owned(), "fp_sqrt".to_owned()));
        assert_eq!((module("fp_add"), module("frame")), ("fp_add".to_owned(), "frame".to_owned()));
    }

    #[test]
    fn the_slowest_clock_counts_and_its_path_is_named() {
        let step = |kind: &str, delay: f64, from: &str, to: &str| serde_json::json!({"type": kind, "delay": delay, "from": {"cell": from}, "to": {"cell": to}});
        let report = serde_json::json!({
            "fmax": {"a": {"achieved": 90.5, "constraint": 12.0}, "b": {"achieved": 88.25}},
            "critical_paths": [
                {"from": "posedge a", "to": "posedge a", "path": [step("logic", 1.0, "x", "y")]},
                {"from": "posedge b", "to": "posedge b", "path": [
                    step("clk-to-q", 0.5, "first", "first"), step("routing", 2.0, "first", "m"),
                    step("logic", 1.0, "m", "m"), step("routing", 3.0, "m", "last"), step("setup", 0.25, "last", "last"),
                ]},
            ],
        });
        let routed = slowest_clock(&report).expect("a frequency");
        assert_eq!(routed.mhz, 88.25);
        let expected = Path { from: "first".into(), to: "last".into(), logic_ns: 1.75, routing_ns: 5.0 };
        assert_eq!(routed.worst_path, expected);
        assert!(slowest_clock(&serde_json::json!({"fmax": {}})).is_err());
        assert!(slowest_clock(&serde_json::json!({"fmax": {"a": {"achieved": 1.0}}, "critical_paths": []})).is_err());
        assert!(slowest_clock(&serde_json::json!({})).is_err());
    }
}
