//! `cargo xtask synth zynq --area-only`: the core's cells on a 7-series device by Yosys's `synth_xilinx`; for a board's system as well. Nothing open places
//! and routes these devices here, so there is no clock rate.

use anyhow::{ensure, Context, Result};
use serde::Serialize;
use serde_json::Value;

use super::{Args, Target};
use crate::process::run as run_command;
use crate::tools::{emit, folder, json, tool, CORE};

/// Yosys's synthesis for these devices. Flattened: a module that is not would count as a cell of its own.
pub const SYNTHESIS: &str = "synth_xilinx -family xc7 -flatten";

/// A device, and what it has.
pub struct Device {
    name: &'static str,
    area: Area,
}

/// The smallest device that the project of `cargo xtask package` is for (AMD data sheet DS190).
const XC7Z020: Device =
    Device { name: "XC7Z020", area: Area { lut: 53_200, lut_memory: 17_400, ff: 106_400, dsp48: 220, ramb18: 280 } };
/// That of the Arty A7-100T (AMD data sheet DS180).
pub const XC7A100T: Device =
    Device { name: "XC7A100T", area: Area { lut: 63_400, lut_memory: 19_000, ff: 126_800, dsp48: 240, ramb18: 270 } };

/// Cells of a 7-series device.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, Serialize)]
struct Area {
    /// Look-up tables, whatever for: logic, memories and shift registers.
    lut: u64,
    /// Of these, memories and shift registers.
    lut_memory: u64,
    /// Flip-flops.
    ff: u64,
    /// Multipliers, DSP48E1.
    dsp48: u64,
    /// Halves of block memories, 18 Kbit each.
    ramb18: u64,
}

impl Area {
    /// From the report of Yosys's `stat -json`: cells by type. A kind that is not known is an error: it might be large.
    fn from_cells(cells: &Value) -> Result<Self> {
        let mut area = Self::default();
        for (kind, count) in cells.as_object().context("the report of Yosys has no cells")? {
            let count = count.as_u64().with_context(|| format!("the number of {kind} is none"))?;
            match kind.as_str() {
                "LUT1" | "LUT2" | "LUT3" | "LUT4" | "LUT5" | "LUT6" => area.lut += count,
                "SRL16E" | "SRLC32E" => area.add_memory(count),
                "RAM32X1S" | "RAM64X1S" => area.add_memory(count),
                "RAM32X1D" | "RAM64X1D" | "RAM128X1S" => area.add_memory(2 * count),
                "RAM32M" | "RAM64M" | "RAM128X1D" | "RAM256X1S" => area.add_memory(4 * count),
                "FDRE" | "FDSE" | "FDCE" | "FDPE" => area.ff += count,
                "DSP48E1" => area.dsp48 += count,
                "RAMB18E1" => area.ramb18 += count,
                "RAMB36E1" => area.ramb18 += 2 * count,
                // Beside the tables, an inverter in one, and the pads.
                "CARRY4" | "MUXF7" | "MUXF8" | "INV" | "BUFG" | "IBUF" | "OBUF" | "$scopeinfo" | "PLLE2_ADV" => {}
                _ => anyhow::bail!("a cell of kind {kind}: what it takes is not known here"),
            }
        }
        Ok(area)
    }

    fn add_memory(&mut self, tables: u64) {
        self.lut += tables;
        self.lut_memory += tables;
    }
}

#[derive(Debug, Serialize)]
struct Figures {
    target: Target,
    lanes: u32,
    #[serde(flatten)]
    area: Area,
    /// A device, and what it has.
    device: &'static str,
    device_area: Area,
}

impl std::fmt::Display for Figures {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        writeln!(f, "{}, {} lanes, synth_xilinx -family xc7; of {}:", self.target.name(), self.lanes, self.device)?;
        let (area, all) = (&self.area, &self.device_area);
        for (what, used, there) in [
            ("LUT", area.lut, all.lut),
            ("  of them memory", area.lut_memory, all.lut_memory),
            ("FF", area.ff, all.ff),
            ("DSP48E1", area.dsp48, all.dsp48),
            ("RAMB18", area.ramb18, all.ramb18),
        ] {
            writeln!(f, "{what}: {used} of {there} ({:.1} %)", 100.0 * used as f64 / there as f64)?;
        }
        Ok(())
    }
}

/// Synthesises and counts.
pub fn run(args: &Args) -> Result<()> {
    ensure!(
        args.area_only,
        "nothing here places and routes a Zynq\nhelp: `--area-only` counts cells; `cargo xtask package` writes the project for Vivado"
    );
    let name = format!("{CORE}_zynq_lanes{}", args.lanes);
    emit(CORE, &name, &["--lanes", &args.lanes.to_string()])?;
    let stat = format!("{name}.stat.json");
    // Without pads: the core is a part of a system.
    let script = format!("read_verilog {name}.v; {SYNTHESIS} -noiopad -top {CORE}; tee -q -o {stat} stat -json");
    let mut yosys = tool("yosys", &["-V"])?;
    run_command(yosys.args(["-q", "-l", &format!("{name}.yosys.log"), "-p", &script]))?;
    let stat = json(&folder()?.join(stat))?;
    show(args, stat.pointer("/design/num_cells_by_type").unwrap_or(&Value::Null), &XC7Z020)
}

/// Prints the cells of a design, by Yosys's report, beside a device's.
pub fn show(args: &Args, cells: &Value, device: &Device) -> Result<()> {
    let area = Area::from_cells(cells)?;
    let figures =
        Figures { target: args.target, lanes: args.lanes, area, device: device.name, device_area: device.area };
    if args.json {
        println!("{}", serde_json::to_string(&figures)?);
    } else {
        print!("{figures}");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_counted_by_what_they_take() {
        let cells = serde_json::json!({
            "LUT1": 1, "LUT6": 10, "RAM32M": 2, "RAM128X1S": 4, "SRL16E": 3, "FDRE": 5, "FDSE": 6, "DSP48E1": 7, "RAMB18E1": 1,
            "RAMB36E1": 2, "CARRY4": 9
        });
        let area = Area::from_cells(&cells).expect("all kinds are known");
        assert_eq!(area, Area { lut: 30, lut_memory: 19, ff: 11, dsp48: 7, ramb18: 5 });
        assert!(Area::from_cells(&serde_json::json!({"URAM288": 1})).is_err(), "a kind that is not known");
        assert!(Area::from_cells(&Value::Null).is_err());
    }
}
