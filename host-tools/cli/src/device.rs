//! The devices that a command can be given: simulated ones, and boards.

use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use anyhow::Context;
use clap::ValueEnum;
use rayman_driver::frontpanel::library::{self, BoardName, NoBoardName};
use rayman_driver::{litex, AddressMap, Link, LinkError, MemoryWindow, Transport};
use rayman_sim::verilated::Flavour;
use rayman_sim::{devices, Bench, ModelTransport};

use crate::failure::Failure;

/// A kind of simulated device.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, ValueEnum)]
pub enum DeviceKind {
    /// The core's RTL, simulated clock by clock in this process; needs no tool.
    Rtl,
    /// The core's Verilog, compiled by Verilator; `cargo xtask sim` builds it.
    Verilator,
    /// The golden model: the same picture at native speed, without clocks.
    Model,
}

impl fmt::Display for DeviceKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            DeviceKind::Rtl => "rtl",
            DeviceKind::Verilator => "verilator",
            DeviceKind::Model => "model",
        })
    }
}

/// A device as it is named after `--device`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Choice {
    /// A simulated one.
    Simulated(DeviceKind),
    /// A board with a LiteX system.
    LiteX(Link),
    /// An Opal Kelly board.
    OpalKelly(BoardName),
    /// A core beside this processor, behind a UIO device of Linux.
    Uio(PathBuf),
}

impl fmt::Display for Choice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Choice::Simulated(kind) => kind.fmt(f),
            Choice::LiteX(link) => link.fmt(f),
            Choice::OpalKelly(board) => board.fmt(f),
            Choice::Uio(path) => write!(f, "uio:{}", path.display()),
        }
    }
}

/// How a UIO device is written.
const UIO_FORM: &str = "uio:/dev/uioN";

/// There is no such device.
#[derive(Clone, Debug, thiserror::Error)]
pub enum NoSuchDevice {
    /// It is named like a board.
    #[error(transparent)]
    Link(#[from] LinkError),
    /// It is named like an Opal Kelly board.
    #[error(transparent)]
    OpalKelly(#[from] NoBoardName),
    /// It is named like nothing.
    #[error("there are rtl, verilator, model, and boards: {}, {UIO_FORM}, {}", library::FORM, litex::FORMS)]
    Name,
}

impl FromStr for Choice {
    type Err = NoSuchDevice;

    fn from_str(text: &str) -> Result<Self, NoSuchDevice> {
        match DeviceKind::from_str(text, false) {
            Ok(kind) => Ok(Choice::Simulated(kind)),
            Err(_) if text.starts_with("uio:/") => Ok(Choice::Uio(PathBuf::from(&text["uio:".len()..]))),
            Err(_) if text.starts_with("uio:") => Err(NoSuchDevice::Name),
            Err(_) if text.starts_with("ok:") => Ok(Choice::OpalKelly(text.parse()?)),
            Err(_) if text.contains(':') => Ok(Choice::LiteX(text.parse()?)),
            Err(_) => Err(NoSuchDevice::Name),
        }
    }
}

/// What a device is opened with, beside its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Setting {
    /// Lanes of a simulated core; a board has what its bitstream has.
    pub lanes: u32,
    /// Where a board has core and memory.
    pub map: AddressMap,
}

/// Makes a device.
pub type Opener<'a> = &'a dyn Fn(&Choice) -> anyhow::Result<Box<dyn Transport>>;

/// Makes a device with a setting. The commands take one, so that tests can hand in devices of their own.
pub type SettingOpener<'a> = &'a dyn Fn(&Choice, &Setting) -> anyhow::Result<Box<dyn Transport>>;

/// Makes a device.
pub fn open(choice: &Choice, setting: &Setting) -> anyhow::Result<Box<dyn Transport>> {
    Ok(match choice {
        Choice::Simulated(kind) => simulator(*kind, setting.lanes)?,
        Choice::LiteX(link) => link.open(setting.map)?,
        Choice::OpalKelly(board) => Box::new(board.open()?),
        #[cfg(target_os = "linux")]
        Choice::Uio(path) => Box::new(rayman_driver::uio::Uio::open(path)?),
        #[cfg(not(target_os = "linux"))]
        Choice::Uio(path) => anyhow::bail!("{}: UIO devices are Linux's", path.display()),
    })
}

/// Makes a device of a kind, with so many lanes (the model has none to choose), with what only a simulated one offers.
pub fn simulator(kind: DeviceKind, lanes: u32) -> anyhow::Result<Box<dyn Bench>> {
    match kind {
        DeviceKind::Model => Ok(Box::new(ModelTransport::default())),
        DeviceKind::Rtl => Ok(Box::new(devices::in_crate(lanes)?)),
        DeviceKind::Verilator => Ok(Box::new(devices::verilated(lanes, Flavour::Fast, 1)?)),
    }
}

/// The map of a LiteX system, from the `csr.json` that its build has written.
pub fn address_map(path: &Path) -> anyhow::Result<AddressMap> {
    let text = std::fs::read_to_string(path).with_context(|| format!("{}: cannot be read", path.display()))?;
    let unfit = |what: String| {
        let help = "give the csr.json of a system of constraints/litex: `cargo xtask synth` prints its path";
        Failure::new(format!("{}: {what}", path.display()), help)
    };
    let json: serde_json::Value = serde_json::from_str(&text).map_err(|error| unfit(format!("is no JSON: {error}")))?;
    let number = |region: &str, key: &str| {
        let value = json.pointer(&format!("/memories/{region}/{key}")).and_then(|value| value.as_u64());
        let value = value.and_then(|value| u32::try_from(value).ok());
        value.ok_or_else(|| unfit(format!("there is no 32-bit `{key}` of a memory region `{region}`")))
    };
    Ok(AddressMap {
        core: number("rayman", "base")?,
        memory: MemoryWindow { base: number("main_ram", "base")?, bytes: number("main_ram", "size")? },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_map_is_read_from_what_litex_writes() {
        let folder = std::env::temp_dir().join(format!("rayman-map-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a scratch folder");
        let path = folder.join("csr.json");
        let map = |text: &str| {
            std::fs::write(&path, text).expect("a file");
            address_map(&path)
        };
        let region =
            |name: &str, base: u64, size: u64| format!(r#""{name}": {{"base": {base}, "size": {size}, "type": "io"}}"#);
        let file = |regions: &[String]| format!(r#"{{"csr_bases": {{}}, "memories": {{{}}}}}"#, regions.join(", "));
        let core = region("rayman", 0x8200_0000, 256);
        let good = map(&file(&[region("main_ram", 0x4000_0000, 0x4_0000), core.clone()])).expect("a map");
        let memory = MemoryWindow { base: 0x4000_0000, bytes: 0x4_0000 };
        assert_eq!(good, AddressMap { core: 0x8200_0000, memory });
        for text in ["", "[]", "{}", &file(std::slice::from_ref(&core)), &file(&[region("main_ram", 1 << 32, 4), core])]
        {
            let error = map(text).expect_err(text);
            assert!(error.downcast_ref::<Failure>().is_some() && error.to_string().contains("csr.json"), "{error}");
        }
        std::fs::remove_dir_all(&folder).expect("the scratch folder goes");
        assert!(address_map(&path).is_err());
    }

    #[test]
    fn devices_are_named() {
        for name in [
            "rtl",
            "verilator",
            "model",
            "uartbone:/dev/ttyUSB0",
            "etherbone:tcp://localhost:1234",
            "ok:",
            "ok:18@a.bit",
            "uio:/dev/uio0",
        ] {
            assert_eq!(name.parse::<Choice>().expect(name).to_string(), name);
        }
        for name in ["", "RTL", "modell", "uartbone", "uartbone:", "jtag:0", "ok", "ok:a b", "uio:", "uio:0"] {
            assert!(name.parse::<Choice>().is_err(), "{name}");
        }
    }
}
