//! The hardware tools: where they are, and what to say when they are not.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{bail, Context, Result};
use serde_json::{Map, Value};

use crate::absorb::absorb_file;
use crate::process::{answers, cargo, command, run};
use crate::workspace;

/// Folder of all that the hardware chores make, below the workspace's root.
pub const FOLDER: &str = "target/rtl";
/// Module name of the core.
pub const CORE: &str = "rayman";

/// A tool of the Python environment or of the PATH. The WebAssembly ones see no absolute path: they start in
/// [`FOLDER`] and are given bare file names.
pub fn tool(name: &str, question: &[&str]) -> Result<Command> {
    let installed = workspace::venv().join("bin").join(name);
    let program = if installed.exists() { installed } else { PathBuf::from(name) };
    if !answers(&program, question)? {
        bail!("`{name}` is not installed\nhelp: `cargo xtask setup` installs it");
    }
    let mut command = command(program);
    command.current_dir(folder()?);
    // The tools of the environment call one another by their bare names.
    let path = std::env::var_os("PATH").unwrap_or_default();
    let paths = std::iter::once(workspace::venv().join("bin")).chain(std::env::split_paths(&path));
    command.env("PATH", std::env::join_paths(paths).context("PATH has a strange entry")?);
    Ok(command)
}

/// The folder, made if need be.
pub fn folder() -> Result<PathBuf> {
    let folder = workspace::root().join(FOLDER);
    fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
    Ok(folder)
}

/// Emits a block as `target/rtl/FILE.v`, with more options of the emitter. Answers the path.
pub fn emit(name: &str, file: &str, options: &[&str]) -> Result<PathBuf> {
    let file = folder()?.join(format!("{file}.v"));
    let mut emit = cargo();
    emit.args(["run", "--quiet", "-p", "rayman-rtl", "--bin", "emit", "--", name]).args(options);
    run(emit.arg("-o").arg(&file))?;
    Ok(file)
}

/// A JSON file that a tool has written.
pub fn json(path: &Path) -> Result<Value> {
    let text = fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    serde_json::from_str(&text).with_context(|| format!("{} is no JSON", path.display()))
}

/// Cells of a design after `synth_ecp5`, by their kinds: what one kind takes is in no other's count.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize)]
pub struct Area {
    /// Four-input look-up tables that compute logic.
    pub lut4: u64,
    /// Carry cells, each two tables and their chain.
    pub ccu2c: u64,
    /// Distributed memories of 16 x 4 bits, each six tables.
    pub dpr16x4: u64,
    /// Flip-flops.
    pub ff: u64,
    /// 18 x 18 multipliers.
    pub mult18: u64,
    /// Block memories of 18 Kbit.
    pub block_ram: u64,
}

impl Area {
    /// More cells of a kind, by its name in the ECP5's library. Others take nothing that is counted.
    pub fn add(&mut self, kind: &str, count: u64) {
        match kind {
            "LUT4" => self.lut4 += count,
            "CCU2C" => self.ccu2c += count,
            "TRELLIS_DPR16X4" => self.dpr16x4 += count,
            "TRELLIS_FF" => self.ff += count,
            "MULT18X18D" => self.mult18 += count,
            "DP16KD" => self.block_ram += count,
            _ => {}
        }
    }

    /// From the report of Yosys's `stat -json`: a module's or the whole design's cells by type.
    pub fn from_cells(cells: &Value) -> Result<Self> {
        let cells = cells.as_object().context("the report of Yosys has no cells")?;
        let mut area = Self::default();
        cells.iter().for_each(|(kind, count)| area.add(kind, count.as_u64().unwrap_or(0)));
        Ok(area)
    }

    /// The device's tables that it takes, whatever for: what nextpnr counts as TRELLIS_COMB.
    pub fn tables(&self) -> u64 {
        // A distributed memory has four tables that hold its bits and two for its writing.
        self.lut4 + 2 * self.ccu2c + 6 * self.dpr16x4
    }
}

impl std::ops::Sub for Area {
    type Output = Self;

    /// What a whole has beside a part of it.
    fn sub(self, part: Self) -> Self {
        Self {
            lut4: self.lut4.saturating_sub(part.lut4),
            ccu2c: self.ccu2c.saturating_sub(part.ccu2c),
            dpr16x4: self.dpr16x4.saturating_sub(part.dpr16x4),
            ff: self.ff.saturating_sub(part.ff),
            mult18: self.mult18.saturating_sub(part.mult18),
            block_ram: self.block_ram.saturating_sub(part.block_ram),
        }
    }
}

impl std::ops::AddAssign for Area {
    fn add_assign(&mut self, other: Self) {
        self.lut4 += other.lut4;
        self.ccu2c += other.ccu2c;
        self.dpr16x4 += other.dpr16x4;
        self.ff += other.ff;
        self.mult18 += other.mult18;
        self.block_ram += other.block_ram;
    }
}

impl std::fmt::Display for Area {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { lut4, ccu2c, dpr16x4, ff, mult18, block_ram } = self;
        write!(
            f,
            "{lut4} LUT4, {ccu2c} CCU2C, {dpr16x4} DPR16X4, {ff} FF, {mult18} MULT18, {block_ram} DP16KD \
             ({} of the device's tables)",
            self.tables()
        )
    }
}

/// Kind and hierarchical name of each cell of the netlist `target/rtl/NAME.json`, whose one module is synthesised.
pub fn cells(name: &str) -> Result<Vec<(String, String)>> {
    cells_of(&folder()?.join(format!("{name}.json")))
}

/// The same of a netlist anywhere.
pub fn cells_of(path: &Path) -> Result<Vec<(String, String)>> {
    let mut netlist = json(path)?;
    let cells = top_cells(&mut netlist)?;
    Ok(cells.iter().map(|(name, cell)| (cell["type"].as_str().unwrap_or_default().to_owned(), name.clone())).collect())
}

/// The cells of a netlist's top.
pub fn top_cells(netlist: &mut Value) -> Result<&mut Map<String, Value>> {
    let modules =
        netlist.pointer_mut("/modules").and_then(Value::as_object_mut).context("the netlist has no modules")?;
    let top = modules.values_mut().find(|module| module.pointer("/attributes/top").is_some());
    top.and_then(|top| top["cells"].as_object_mut()).context("the netlist has no cells")
}

/// Synthesises the module `top` of `target/rtl/SOURCE.v` for ECP5; leaves `NAME.json` there.
pub fn synthesise(source: &str, top: &str, name: &str) -> Result<Area> {
    let stat = format!("{name}.stat.json");
    let script =
        format!("read_verilog {source}.v; synth_ecp5 -top {top} -json {name}.json; tee -q -o {stat} stat -json");
    let mut yosys = tool("yosys", &["-V"])?;
    run(yosys.args(["-q", "-l", &format!("{name}.yosys.log"), "-p", &script]))?;
    let stat = json(&folder()?.join(stat))?;
    let mut area = Area::from_cells(stat.pointer("/design/num_cells_by_type").unwrap_or(&Value::Null))?;
    area.ff -= absorb_file(&folder()?.join(format!("{name}.json")))? as u64;
    Ok(area)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn area_is_counted_by_kind() {
        let cells = serde_json::json!({
            "LUT4": 100, "CCU2C": 10, "TRELLIS_FF": 50, "MULT18X18D": 4, "TRELLIS_DPR16X4": 2, "DP16KD": 1, "PFUMX": 7
        });
        let area = Area::from_cells(&cells).expect("a report");
        assert_eq!(area, Area { lut4: 100, ccu2c: 10, dpr16x4: 2, ff: 50, mult18: 4, block_ram: 1 });
        assert_eq!(area.tables(), 100 + 20 + 12);
        assert_eq!(
            area.to_string(),
            "100 LUT4, 10 CCU2C, 2 DPR16X4, 50 FF, 4 MULT18, 1 DP16KD (132 of the device's tables)"
        );
        assert!(Area::from_cells(&serde_json::Value::Null).is_err());
    }

    #[test]
    fn a_missing_tool_is_named_with_what_installs_it() {
        let error = tool("no-such-tool-of-rayman", &["-V"]).expect_err("there is none");
        assert!(error.to_string().contains("cargo xtask setup"), "{error}");
    }
}
