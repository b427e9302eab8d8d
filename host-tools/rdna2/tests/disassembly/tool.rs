//! LLVM's tools, as programs.

use std::fs;
use std::io::Write;
use std::process::{Command, Output, Stdio};

use rayman_rdna2::Wave;

/// The version whose tools are asked: `cargo xtask setup` installs it.
const VERSION: u32 = 19;

/// Runs a tool on a text; none where it crashes.
fn run(name: &str, arguments: &[&str], input: &str) -> Option<Output> {
    let program = format!("{name}-{VERSION}");
    let spawned = Command::new(&program)
        .args(arguments)
        // A crash is quicker without names in its trace.
        .env("LLVM_DISABLE_SYMBOLIZATION", "1")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    let mut child = spawned.unwrap_or_else(|error| panic!("{program}: {error}; `cargo xtask setup` installs it"));
    let mut stdin = child.stdin.take().expect("a pipe");
    let input = input.to_owned();
    // The tool writes while it reads: each pipe needs a hand.
    let writer = std::thread::spawn(move || stdin.write_all(input.as_bytes()));
    let output = child.wait_with_output().expect("the tool runs");
    // A tool that stops early has said why.
    let _ = writer.join().expect("the writer ends");
    output.status.code().map(|_| output)
}

fn attributes(wave: Wave) -> &'static str {
    match wave {
        Wave::W32 => "-mattr=+wavefrontsize32,-wavefrontsize64",
        Wave::W64 => "-mattr=-wavefrontsize32,+wavefrontsize64",
    }
}

fn bytes(words: &[u32]) -> String {
    let bytes = words.iter().flat_map(|word| word.to_le_bytes());
    format!("[{}]\n", bytes.map(|byte| format!("{byte:#04x}")).collect::<Vec<_>>().join(","))
}

/// What `llvm-mc` prints for each of some encodings; none where it takes one for no instruction, or for more than one, or crashes.
pub fn disassemble(encodings: &[Vec<u32>], wave: Wave) -> Vec<Option<String>> {
    // A move of its number marks the end of each, so that what is refused is found.
    let mut input = String::new();
    for (index, words) in encodings.iter().enumerate() {
        input += &bytes(words);
        input += &bytes(&[0xb000_0000 | (index as u32 & 0xffff)]);
    }
    let arguments = ["-arch=amdgcn", "-mcpu=gfx1030", "-disassemble", attributes(wave)];
    let Some(output) = run("llvm-mc", &arguments, &input) else {
        if encodings.len() == 1 {
            eprintln!("CRASH {encodings:08x?}");
            return vec![None];
        }
        let (first, second) = encodings.split_at(encodings.len() / 2);
        return [disassemble(first, wave), disassemble(second, wave)].concat();
    };
    let text = String::from_utf8(output.stdout).expect("text");
    let mut all = Vec::with_capacity(encodings.len());
    let mut lines = Vec::<&str>::new();
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty() && *line != ".text") {
        if line == format!("s_movk_i32 s0, {:#x}", all.len() & 0xffff) {
            all.push(match &lines[..] {
                [one] => Some((*one).to_owned()),
                _ => None,
            });
            lines.clear();
        } else {
            lines.push(line);
        }
    }
    assert_eq!(all.len(), encodings.len(), "llvm-mc answers each");
    all
}

/// What `llvm-mc` prints for code, a line an instruction. All of it must be instructions.
pub fn disassemble_all(code: &[u8], wave: Wave) -> Vec<String> {
    let bytes = code.iter().map(|byte| format!("{byte:#04x}")).collect::<Vec<_>>();
    let arguments = ["-arch=amdgcn", "-mcpu=gfx1030", "-disassemble", attributes(wave)];
    let output = run("llvm-mc", &arguments, &bytes.join(",")).expect("no crash");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "llvm-mc refuses some of the code: {}", said.lines().next().unwrap_or_default());
    let text = String::from_utf8(output.stdout).expect("text");
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && *line != ".text");
    lines.map(str::to_owned).collect()
}

/// The object that `llc` makes of a module in LLVM's language.
pub fn compile(module: &str, wave: Wave, optimisation: &str) -> Vec<u8> {
    let folder = tempfile::tempdir().expect("a folder");
    let object = folder.path().join("module.o");
    let path = object.to_str().expect("a plain path");
    let arguments =
        ["-mtriple=amdgcn", "-mcpu=gfx1030", attributes(wave), optimisation, "-filetype=obj", "-", "-o", path];
    let output = run("llc", &arguments, module).expect("no crash");
    let said = String::from_utf8_lossy(&output.stderr).lines().take(8).collect::<Vec<_>>().join("\n");
    assert!(output.status.success(), "llc: {said}");
    fs::read(object).expect("the object")
}
