//! Verilog text to a shared library, kept by content.

use super::{width, VerilatorError};
use rayman_rtl::emit::text::Port;
use rayon::prelude::*;
use std::collections::hash_map::DefaultHasher;
use std::fmt::Write as _;
use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};

/// What a model is built for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Flavour {
    /// To find faults: assertions on, everything without a first value starts with bits from a seed. Built quickly.
    Checked,
    /// To run: assertions off, optimised.
    Fast,
    /// As `Checked`, built in a fraction of the time and slow: for what is run once, such as a core with a planted bug.
    Trial,
    /// As `Checked`, for a netlist that Yosys wrote: its operators have the widths that Verilog gives them, and nothing in-crate
    /// has others.
    Netlist,
}

impl Flavour {
    fn verilator(self) -> &'static [&'static str] {
        match self {
            Flavour::Checked | Flavour::Trial | Flavour::Netlist => {
                &["--assert", "--x-assign", "unique", "--x-initial", "unique"]
            }
            Flavour::Fast => &["-O3", "--noassert", "--x-assign", "fast", "--x-initial", "fast"],
        }
    }

    fn compiler(self) -> &'static [&'static str] {
        match self {
            Flavour::Checked | Flavour::Netlist => &["-O1"],
            Flavour::Fast => &["-O3"],
            Flavour::Trial => &["-O0"],
        }
    }

    fn name(self) -> &'static str {
        match self {
            Flavour::Checked => "checked",
            Flavour::Fast => "fast",
            Flavour::Trial => "trial",
            Flavour::Netlist => "netlist",
        }
    }
}

/// Prefix of the classes that Verilator makes.
const PREFIX: &str = "Vmodel";
/// The library's file name within its folder.
const LIBRARY: &str = "model.so";
/// Flags that every C++ file needs. Hidden and unshared symbols: many models live in one process.
const COMPILER: &[&str] = &[
    "-std=c++17",
    "-fPIC",
    "-fvisibility=hidden",
    "-fno-gnu-unique",
    "-pthread",
    "-w",
    "-DVM_COVERAGE=0",
    "-DVM_SC=0",
    "-DVM_TRACE=0",
    "-DVL_TIME_CONTEXT",
    "-DVL_USER_FATAL",
    "-DVL_USER_STOP",
    "-DVL_USER_FINISH",
];

/// The workspace's target folder.
pub fn target_folder() -> PathBuf {
    match std::env::var_os("CARGO_TARGET_DIR") {
        Some(folder) => PathBuf::from(folder),
        None => {
            let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).parent().filter(|folder| folder.is_dir());
            workspace.map_or_else(|| PathBuf::from("target"), |folder| folder.join("target"))
        }
    }
}

/// Where the library of a model is, or would be.
pub fn place(verilog: &str, top: &str, ports: &[Port], flavour: Flavour) -> Result<PathBuf, VerilatorError> {
    let flags = (COMPILER, flavour.compiler(), flavour.verilator());
    let key = hash(&(verilog, top, flavour, verilator_version()?, shim(ports), flags));
    Ok(target_folder().join("verilated").join(format!("{top}-{}-{key}", flavour.name())).join(LIBRARY))
}

/// Builds the library of a model, or finds it built. Only one build runs at a time in a process; two processes that
/// build the same at once both succeed, and one's result is kept.
pub fn library(verilog: &str, top: &str, ports: &[Port], flavour: Flavour) -> Result<PathBuf, VerilatorError> {
    static BUILD: Mutex<()> = Mutex::new(());
    let library = place(verilog, top, ports, flavour)?;
    let _alone = BUILD.lock().unwrap_or_else(PoisonError::into_inner);
    if library.is_file() {
        return Ok(library);
    }
    let folder = library.parent().unwrap_or(Path::new(""));
    in_fresh_folder(folder, |scratch| build(scratch, verilog, top, &shim(ports), flavour))?;
    Ok(library)
}

/// Runs Verilator on a text, without making a model, and fails as a build would.
pub fn lint(verilog: &str, top: &str) -> Result<(), VerilatorError> {
    let folder = target_folder().join("verilated").join(format!("{top}-lint"));
    let _ = std::fs::remove_dir_all(&folder);
    in_fresh_folder(&folder, |scratch| {
        in_order(scratch, verilog, top)?;
        judged(&verilate(scratch, verilog, top, &["--lint-only"])?, top)
    })
}

/// Fails where a block reads a variable before it gives it its value: there the in-crate simulation, which evaluates until
/// nothing changes, and Verilog, which goes through the block once, may differ. Verilator looks for that in `always_comb` only.
fn in_order(scratch: &Path, verilog: &str, top: &str) -> Result<(), VerilatorError> {
    let verilog = verilog.replace("always @(*)", "always_comb");
    judged(&verilate(scratch, &verilog, top, &["--lint-only", "--language", "1800-2017"])?, top)
}

/// Runs Verilator in a folder; answers its warnings, which go to `verilator.log` there, too.
fn verilate(scratch: &Path, verilog: &str, top: &str, arguments: &[&str]) -> Result<String, VerilatorError> {
    let source = format!("{top}.v");
    write(&scratch.join(&source), verilog)?;
    let mut verilator = Command::new(verilator_program());
    verilator
        .current_dir(scratch)
        .args(["--no-timing", "--top-module", top, "-Wno-fatal"])
        .args(arguments)
        .arg(&source);
    let log = run(verilator, top)?;
    write(&scratch.join("verilator.log"), &log)?;
    Ok(log)
}

/// Fails for some of Verilator's warnings.
fn judged(log: &str, top: &str) -> Result<(), VerilatorError> {
    match width::fatal_lines(log) {
        lines if lines.is_empty() => Ok(()),
        lines => Err(VerilatorError::Lint { top: top.to_owned(), lines }),
    }
}

fn build(scratch: &Path, verilog: &str, top: &str, shim: &str, flavour: Flavour) -> Result<(), VerilatorError> {
    if flavour != Flavour::Netlist {
        in_order(scratch, verilog, top)?;
    }
    write(&scratch.join("shim.cpp"), shim)?;
    let translate = ["--cc", "--prefix", PREFIX, "--Mdir", "obj", "--output-split", "20000"];
    let log = verilate(scratch, verilog, top, &[&translate, flavour.verilator()].concat())?;
    if flavour != Flavour::Netlist {
        judged(&log, top)?;
    }
    let objects = scratch.join("obj");
    let entries =
        std::fs::read_dir(&objects).map_err(|source| VerilatorError::File { path: objects.clone(), source })?;
    let mut sources: Vec<PathBuf> = entries
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "cpp"))
        .collect();
    sources.sort();
    sources.push(scratch.join("shim.cpp"));
    let mut compiled = compile_all(&sources, flavour.compiler(), &objects, top)?;
    compiled.extend(runtime(top)?);
    let mut link = Command::new(compiler_program());
    link.args(["-shared", "-pthread", "-Wl,-Bsymbolic", "-o"]).arg(scratch.join(LIBRARY)).args(&compiled);
    run(link, top)?;
    let _ = std::fs::remove_dir_all(objects);
    Ok(())
}

/// Verilator's run-time, compiled once for all models.
fn runtime(top: &str) -> Result<Vec<PathBuf>, VerilatorError> {
    let names = ["verilated", "verilated_threads"];
    let folder = target_folder().join("verilated").join(format!("runtime-{}", hash(&(verilator_version()?, COMPILER))));
    if !folder.is_dir() {
        let include = verilator_root()?.join("include");
        let sources: Vec<PathBuf> = names.iter().map(|name| include.join(format!("{name}.cpp"))).collect();
        in_fresh_folder(&folder, |scratch| compile_all(&sources, &["-O2"], scratch, top).map(drop))?;
    }
    Ok(names.iter().map(|name| folder.join(format!("{name}.o"))).collect())
}

/// Compiles files to objects in a folder, as many at a time as there are processors.
fn compile_all(sources: &[PathBuf], flags: &[&str], folder: &Path, top: &str) -> Result<Vec<PathBuf>, VerilatorError> {
    let include = verilator_root()?.join("include");
    let compile = |source: &PathBuf| {
        let mut compiler = Command::new(compiler_program());
        compiler
            .args(COMPILER)
            .args(flags)
            .arg("-I")
            .arg(folder)
            .arg("-I")
            .arg(&include)
            .arg("-I")
            .arg(include.join("vltstd"));
        compiler.arg("-c").arg(source).arg("-o").arg(object(source, folder));
        run(compiler, top).map(drop)
    };
    sources.par_iter().with_max_len(1).try_for_each(compile)?;
    Ok(sources.iter().map(|source| object(source, folder)).collect())
}

fn object(source: &Path, folder: &Path) -> PathBuf {
    folder.join(source.file_stem().unwrap_or_default()).with_extension("o")
}

/// Does work in a folder of its own and moves it into place when it is whole.
fn in_fresh_folder(
    folder: &Path,
    work: impl FnOnce(&Path) -> Result<(), VerilatorError>,
) -> Result<(), VerilatorError> {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let mut name = folder.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed)));
    let scratch = folder.with_file_name(name);
    std::fs::create_dir_all(&scratch).map_err(|source| VerilatorError::File { path: scratch.clone(), source })?;
    let scratch = scratch.canonicalize().map_err(|source| VerilatorError::File { path: scratch.clone(), source })?;
    let result = work(&scratch).and_then(|()| match std::fs::rename(&scratch, folder) {
        // Another process was quicker: its result is as good.
        Err(_) if folder.is_dir() => Ok(()),
        other => other.map_err(|source| VerilatorError::File { path: folder.to_owned(), source }),
    });
    let _ = std::fs::remove_dir_all(&scratch);
    result
}

fn write(path: &Path, text: &str) -> Result<(), VerilatorError> {
    std::fs::write(path, text).map_err(|source| VerilatorError::File { path: path.to_owned(), source })
}

/// Runs a program; answers all it printed.
fn run(mut command: Command, top: &str) -> Result<String, VerilatorError> {
    let program = command.get_program().to_string_lossy().into_owned();
    let output = command.output().map_err(|source| VerilatorError::Missing { program: program.clone(), source })?;
    let log = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    match output.status.success() {
        true => Ok(log),
        false => Err(VerilatorError::Failed { program, top: top.to_owned(), log }),
    }
}

fn verilator_program() -> String {
    std::env::var("VERILATOR").unwrap_or_else(|_| "verilator".to_owned())
}

fn compiler_program() -> String {
    std::env::var("CXX").unwrap_or_else(|_| "c++".to_owned())
}

fn ask_verilator(question: &[&str]) -> Result<String, VerilatorError> {
    let mut command = Command::new(verilator_program());
    command.args(question);
    run(command, "").map(|answer| answer.trim().to_owned())
}

fn verilator_version() -> Result<&'static str, VerilatorError> {
    static VERSION: OnceLock<String> = OnceLock::new();
    match VERSION.get() {
        Some(version) => Ok(version),
        None => ask_verilator(&["--version"]).map(|version| VERSION.get_or_init(|| version).as_str()),
    }
}

fn verilator_root() -> Result<PathBuf, VerilatorError> {
    static ROOT: OnceLock<PathBuf> = OnceLock::new();
    match ROOT.get() {
        Some(root) => Ok(root.clone()),
        None => {
            ask_verilator(&["--getenv", "VERILATOR_ROOT"]).map(|root| ROOT.get_or_init(|| PathBuf::from(root)).clone())
        }
    }
}

/// 128 bits of a hash, in hex.
fn hash(content: &impl Hash) -> String {
    (0u8..2).fold(String::new(), |mut out, salt| {
        let mut hasher = DefaultHasher::new();
        salt.hash(&mut hasher);
        content.hash(&mut hasher);
        let _ = write!(out, "{:016x}", hasher.finish());
        out
    })
}

/// Names of ports that are clocks: raised and lowered by the shim, not by the caller.
pub(crate) fn is_clock(port: &Port) -> bool {
    matches!(port.name.as_str(), "clock" | "aclk") && port.is_input
}

/// The C side: ports by number, whole clocks, rows of values.
fn shim(ports: &[Port]) -> String {
    // Verilator writes two underscores of a name as `___05F`.
    let member = |port: &Port| port.name.replace("__", "___05F");
    let (mut sets, mut gets, mut row_in, mut row_out) = (String::new(), String::new(), String::new(), String::new());
    let (mut inputs, mut outputs) = (0, 0);
    for (number, port) in ports.iter().enumerate() {
        let name = member(port);
        let _ = writeln!(gets, "    case {number}: return m->top->{name};");
        if port.is_input {
            let _ = writeln!(sets, "    case {number}: m->top->{name} = value; break;");
            if !is_clock(port) {
                let _ = writeln!(row_in, "        t->{name} = in[{inputs}];");
                inputs += 1;
            }
        } else {
            let _ = writeln!(row_out, "        out[{outputs}] = t->{name};");
            outputs += 1;
        }
    }
    let level = |value: u8| {
        ports
            .iter()
            .filter(|port| is_clock(port))
            .map(|port| format!("t->{} = {value};", member(port)))
            .collect::<String>()
    };
    let (low, high) = (level(0), level(1));
    format!(
        r#"#include "{PREFIX}.h"
#include "verilated.h"
#include <cstdint>
#include <stdexcept>
#include <string>
#define API extern "C" __attribute__((visibility("default")))
struct Model {{ VerilatedContext context; {PREFIX}* top = nullptr; std::string failure; }};
static std::string say(const char* what, const char* file, int line, const char* scope) {{
    return std::string(what) + " at " + (file ? file : "") + ":" + std::to_string(line) + " in " + (scope ? scope : "");
}}
void vl_finish(const char* f, int l, const char* s) VL_MT_UNSAFE {{ throw std::runtime_error(say("$finish", f, l, s)); }}
void vl_stop(const char* f, int l, const char* s) VL_MT_UNSAFE {{ throw std::runtime_error(say("$stop or a failed assertion", f, l, s)); }}
void vl_fatal(const char* f, int l, const char* s, const char* m) VL_MT_UNSAFE {{ throw std::runtime_error(say(m ? m : "$fatal", f, l, s)); }}
template <class F> static int guarded(Model* m, F work) {{
    try {{ work(); return 0; }} catch (const std::exception& e) {{ m->failure = e.what(); return 1; }} catch (...) {{ m->failure = "unknown"; return 1; }}
}}
API Model* rayman_new(uint32_t seed) {{
    Model* m = new Model;
    m->context.randReset(2);
    m->context.randSeed(seed);
    if (guarded(m, [&] {{ m->top = new {PREFIX}(&m->context, "top"); }})) {{ delete m; return nullptr; }}
    return m;
}}
API void rayman_delete(Model* m) {{ delete m->top; delete m; }}
API const char* rayman_failure(Model* m) {{ return m->failure.c_str(); }}
API void rayman_set(Model* m, uint32_t port, uint64_t value) {{
    switch (port) {{
{sets}    }}
}}
API uint64_t rayman_get(Model* m, uint32_t port) {{
    switch (port) {{
{gets}    }}
    return 0;
}}
API int rayman_eval(Model* m) {{ return guarded(m, [&] {{ m->top->eval(); }}); }}
API int rayman_clock(Model* m) {{
    return guarded(m, [&] {{ auto* t = m->top; {low} t->eval(); {high} t->eval(); }});
}}
// A row of inputs in, a row of outputs out, for each clock; outputs as they stand before (when 0) or after the rising edge.
API int rayman_run(Model* m, uint64_t clocks, int when, const uint64_t* in, uint64_t* out) {{
    return guarded(m, [&] {{
        auto* t = m->top;
        for (uint64_t n = 0; n < clocks; ++n) {{
{row_in}        {low} t->eval();
        if (when) {{ {high} t->eval(); }}
{row_out}        if (!when) {{ {high} t->eval(); }}
        in += {inputs}; out += {outputs};
        }}
    }});
}}
"#
    )
}
