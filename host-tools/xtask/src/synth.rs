//! `cargo xtask synth`: the core placed and routed for an ECP5-85F. `cargo xtask synth-op NAME`: a block or an operator by
//! itself, between registers, the median of three seeds.

use anyhow::{ensure, Context, Result};
use serde::Serialize;
use serde_json::Value;

use crate::process::{announce, run as run_command};
use crate::tools::{emit, emit_as, folder, json, synthesise, tool, Area, CORE};

/// The device that all figures are for.
const DEVICE: [&str; 5] = ["--85k", "--package", "CABGA381", "--speed", "6"];
/// The default placer congests and never routes what fills more than a quarter of the device.
const LARGE: [&str; 4] = ["--placer", "static", "--router", "router2"];
/// What the router aims at: above what is reached, so that it does not rest early.
const TARGET_MHZ: &str = "150";
/// Top of a block between registers, as the emitter names it.
const REGISTERED: &str = "synth_op";

/// Arguments of `synth`.
#[derive(clap::Args)]
pub struct Args {
    /// Seed of the placement.
    #[arg(long, default_value_t = 1)]
    pub seed: u32,
    /// Prints the figures as JSON.
    #[arg(long)]
    pub json: bool,
}

/// Arguments of `synth-op`.
#[derive(clap::Args)]
pub struct OpArgs {
    /// A block or operator; an unknown one gets the list of those there are.
    pub name: String,
    /// For a datapath: clocks between starts, instead of the core's.
    #[arg(long)]
    pub ii: Option<u32>,
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

/// What a block takes and how fast it is.
#[derive(Debug, Serialize)]
struct Figures {
    name: String,
    #[serde(flatten)]
    area: Area,
    /// Clock frequency in MHz by seed, ascending.
    mhz: Vec<f64>,
    median_mhz: f64,
}

/// The core.
pub fn run(args: &Args) -> Result<()> {
    emit(CORE, false)?;
    let area = synthesise(CORE, CORE)?;
    announce(&format!("{CORE}: {area}"));
    let mhz = place_and_route(CORE, args.seed, &LARGE)?;
    print(&Figures { name: CORE.to_owned(), area, mhz: vec![mhz], median_mhz: mhz }, args.json)
}

/// What a block by itself takes and how fast it is.
#[derive(Debug, Serialize)]
struct OpFigures {
    op: String,
    /// Of a datapath whose interval was chosen.
    ii: Option<u32>,
    #[serde(flatten)]
    area: Area,
    /// The median over the seeds; none if only the area was asked for.
    mhz: Option<f64>,
    /// By seed, ascending.
    mhz_all: Vec<f64>,
}

impl std::fmt::Display for OpFigures {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.op)?;
        if let Some(ii) = self.ii {
            write!(f, " at interval {ii}")?;
        }
        write!(f, ": {}", self.area)?;
        if let Some(mhz) = self.mhz {
            let seeds: Vec<String> = self.mhz_all.iter().map(|value| format!("{value:.1}")).collect();
            write!(f, "; {mhz:.1} MHz (seeds: {})", seeds.join(", "))?;
        }
        Ok(())
    }
}

/// A block by itself. The wrapper's own registers are counted too.
pub fn run_op(args: &OpArgs) -> Result<()> {
    ensure!(args.area_only || !args.seeds.is_empty(), "--seeds needs at least one seed");
    let file = match args.ii {
        Some(ii) => format!("{}_ii{ii}", args.name),
        None => args.name.clone(),
    };
    emit_as(&args.name, &file, true, args.ii)?;
    let area = synthesise(&file, REGISTERED)?;
    let mut mhz_all = Vec::new();
    for &seed in args.seeds.iter().filter(|_| !args.area_only) {
        mhz_all.push(place_and_route(&file, seed, &[])?);
    }
    mhz_all.sort_by(f64::total_cmp);
    let mhz = mhz_all.get(mhz_all.len() / 2).copied();
    let figures = OpFigures { op: args.name.clone(), ii: args.ii, area, mhz, mhz_all };
    if args.json {
        println!("{}", serde_json::to_string(&figures)?);
    } else {
        println!("{figures}");
    }
    Ok(())
}

fn print(figures: &Figures, as_json: bool) -> Result<()> {
    if as_json {
        println!("{}", serde_json::to_string(figures)?);
    } else {
        let Figures { name, area, mhz, median_mhz } = figures;
        let seeds: Vec<String> = mhz.iter().map(|value| format!("{value:.1}")).collect();
        println!("{name}: {area}; {median_mhz:.1} MHz (seeds: {})", seeds.join(", "));
    }
    Ok(())
}

/// Places and routes `target/rtl/NAME.json`; answers the clock's frequency in MHz.
fn place_and_route(name: &str, seed: u32, how: &[&str]) -> Result<f64> {
    let report = format!("{name}.{seed}.report.json");
    let mut nextpnr = tool("nextpnr-ecp5", &["--version"])?;
    nextpnr.args(DEVICE).args(["--json", &format!("{name}.json"), "--seed", &seed.to_string(), "--timing-allow-fail"]);
    nextpnr.args(["--freq", TARGET_MHZ, "--quiet", "--lpf-allow-unconstrained", "--report", &report]).args(how);
    run_command(&mut nextpnr)?;
    slowest_clock(&json(&folder()?.join(report))?)
}

/// The lowest frequency in a report of nextpnr.
fn slowest_clock(report: &Value) -> Result<f64> {
    let clocks = report.pointer("/fmax").and_then(Value::as_object).context("the report of nextpnr has no clocks")?;
    let achieved = clocks.values().filter_map(|clock| clock.get("achieved")?.as_f64());
    achieved.min_by(f64::total_cmp).context("the report of nextpnr names no frequency")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_of_an_operator_have_the_keys_that_scripts_read() {
        let area = Area { lut4: 1, ff: 2, mult18: 3, block_ram: 4 };
        let mut figures =
            OpFigures { op: "shade".into(), ii: Some(4), area, mhz: Some(90.5), mhz_all: vec![90.0, 90.5, 91.0] };
        let json = serde_json::to_value(&figures).expect("figures are JSON");
        for (key, value) in [("lut4", 1), ("ff", 2), ("mult18", 3), ("ii", 4)] {
            assert_eq!(json[key], value, "{key}");
        }
        assert_eq!((&json["op"], &json["mhz"]), (&"shade".into(), &90.5.into()));
        assert!(figures.to_string().ends_with("90.5 MHz (seeds: 90.0, 90.5, 91.0)"), "{figures}");
        figures.mhz = None;
        assert_eq!(figures.to_string(), "shade at interval 4: 1 LUT4, 2 FF, 3 MULT18, 4 DP16KD");
    }

    #[test]
    fn the_slowest_clock_counts() {
        let report =
            serde_json::json!({"fmax": {"a": {"achieved": 90.5, "constraint": 12.0}, "b": {"achieved": 88.25}}});
        assert_eq!(slowest_clock(&report).expect("a frequency"), 88.25);
        assert!(slowest_clock(&serde_json::json!({"fmax": {}})).is_err());
        assert!(slowest_clock(&serde_json::json!({})).is_err());
    }
}
