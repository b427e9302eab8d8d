//! LLVM's tools, run on the spot: assembler, compiler, interpreter.

#![allow(dead_code)] // each test uses some of it

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use rayman_rdna2::Wave;

/// The oldest release that knows gfx1030 well enough, and the newest looked for.
const RELEASES: std::ops::RangeInclusive<u32> = 16..=21;

/// A tool of the newest LLVM that is installed.
pub fn tool(name: &str) -> PathBuf {
    RELEASES
        .rev()
        .map(|release| PathBuf::from(format!("/usr/lib/llvm-{release}/bin/{name}")))
        .find(|path| path.exists())
        .unwrap_or_else(|| panic!("no {name} of LLVM {RELEASES:?}: `cargo xtask setup` installs it"))
}

/// Runs a tool; answers what it printed.
pub fn run(name: &str, arguments: &[&str], folder: &Path) -> String {
    let mut command = Command::new(tool(name));
    let output = command.args(arguments).current_dir(folder).output().expect("a tool that starts");
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{name} {arguments:?}: {complaint}");
    String::from_utf8(output.stdout).expect("text")
}

/// Code and the byte offsets of its labels.
#[derive(Clone, Debug)]
pub struct Object {
    pub code: Vec<u8>,
    /// Start and size of each symbol; a label has size 0.
    pub symbols: BTreeMap<String, (u64, u64)>,
}

impl Object {
    /// Where a label is.
    pub fn offset(&self, label: &str) -> u64 {
        self.symbols.get(label).unwrap_or_else(|| panic!("a label {label}")).0
    }

    fn of(folder: &Path, file: &str) -> Self {
        run("llvm-objcopy", &["-O", "binary", "--only-section=.text", file, "code"], folder);
        let symbols = run("llvm-nm", &["--format=posix", file], folder)
            .lines()
            .filter_map(|line| {
                let mut parts = line.split_whitespace();
                let (name, _, start) = (parts.next()?, parts.next()?, parts.next()?);
                let size = parts.next().unwrap_or("0");
                Some((name.to_owned(), (u64::from_str_radix(start, 16).ok()?, u64::from_str_radix(size, 16).ok()?)))
            })
            .collect();
        Self { code: fs::read(folder.join("code")).expect("the code section"), symbols }
    }
}

/// What the assembler makes of a source.
pub fn assemble(source: &str, wave: Wave) -> Object {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("shader.s"), source).expect("a file");
    let attributes = attributes(wave);
    let arguments = ["-arch=amdgcn", "-mcpu=gfx1030", &attributes, "-filetype=obj", "shader.s", "-o", "shader.o"];
    run("llvm-mc", &arguments, folder.path());
    Object::of(folder.path(), "shader.o")
}

/// What the compiler makes of a module in LLVM's language.
pub fn compile(source: &str, wave: Wave) -> Object {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("module.ll"), source).expect("a file");
    let attributes = attributes(wave);
    let arguments = ["-mtriple=amdgcn", "-mcpu=gfx1030", &attributes, "-filetype=obj", "module.ll", "-o", "module.o"];
    run("llc", &arguments, folder.path());
    Object::of(folder.path(), "module.o")
}

fn attributes(wave: Wave) -> String {
    match wave {
        Wave::W32 => "-mattr=+wavefrontsize32,-wavefrontsize64".into(),
        Wave::W64 => "-mattr=-wavefrontsize32,+wavefrontsize64".into(),
    }
}
