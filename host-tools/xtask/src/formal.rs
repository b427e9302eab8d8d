//! `cargo xtask formal`: proofs over the emitted Verilog, by Yosys and yosys-smtbmc with the solver Yices.
//!
//! ```text
//!  emit BLOCK --size N -> BLOCK.v ----- + probes ------> yosys -> .smt2 -> base case, then induction -> PROVED
//!                            |     sim/formal/PROOF.v ------^
//!                            '- one piece of text changed -> yosys -> .smt2 -> bounded check -> REFUTED
//! ```
//!
//! A *proof* is a wrapper in `sim/formal`: a module `proof` with the block inside, free inputs, and immediate assertions
//! whose labels begin with the name of a property. The properties of a proof are proved together, each resting on the
//! others in the clocks before. A *broken copy* is the same block with one named piece of its text changed; it must be
//! refuted by a run from reset, under the property that it breaks. A *probe* is a wire added to a module so that an
//! invariant can speak of a memory's word; it drives nothing.
//!
//! A property is *proved* when it holds in the first `depth` clocks and by k-induction of that depth, thus in every clock.

mod clock;
mod proofs;
mod registers;
mod solver;
mod text;

use std::fs;
use std::path::PathBuf;

use anyhow::{bail, Context, Result};
use serde::Serialize;

use self::proofs::{Broken, Proof, PROOFS};
use self::solver::{Finding, Goal, Solver};
use crate::process::announce;
use crate::tools::emit;
use crate::{workspace, CheckFailed};

/// Folder of all that the proofs make, below the workspace's root.
const FOLDER: &str = "target/formal";

/// Folder of the wrappers, and the files of it that some include.
const WRAPPERS: &str = "sim/formal";
const INCLUDED: [&str; 2] = ["entry.vh", "failure.vh"];

/// Arguments of `formal`.
#[derive(clap::Args, Default)]
pub struct Args {
    /// The proofs to make; all of them, if none is named.
    pub proofs: Vec<String>,
    /// Prints a JSON array on standard output instead of lines.
    #[arg(long)]
    pub json: bool,
    /// Prints the names of the proofs and what each property says; proves nothing.
    #[arg(long)]
    pub list: bool,
}

/// What came out for one property, or for one broken copy.
#[derive(Debug, Clone, Serialize)]
struct Line {
    /// PROVED, REFUTED, or UNDECIDED where the solver came to no end.
    outcome: &'static str,
    /// The proof that it belongs to.
    proof: &'static str,
    /// The emitted block, and the logarithm of its size.
    block: &'static str,
    size: Option<u32>,
    property: String,
    /// The broken copy that this is about; without it, the block itself.
    broken: Option<&'static str>,
    /// `bmc` or `k-induction`.
    method: &'static str,
    /// Clocks: of the bounded check, of the induction, or until a broken copy is refuted.
    depth: u32,
    /// Processor time. Of a property: that of the whole proof, whose properties are proved together.
    seconds: f64,
    /// What was expected came out.
    expected: bool,
}

impl Line {
    fn shown(&self) -> String {
        let block = match self.size {
            Some(size) => format!("{} 2^{size}", self.block),
            None => self.block.to_owned(),
        };
        let method = format!("{} {}", self.method, self.depth);
        let copy = self.broken.map(|name| format!("  broken: {name}")).unwrap_or_default();
        let bad = if self.expected { "" } else { "  <- NOT AS IT SHOULD BE" };
        format!("{:<9} {:<22} {block:<22} {method:<15} {:>6.1} s{copy}{bad}", self.outcome, self.property, self.seconds)
    }
}

/// Makes the proofs.
pub fn run(args: &Args) -> Result<()> {
    let chosen = chosen(args)?;
    if args.list {
        for proof in &chosen {
            println!("{}", proof.name);
            proof.properties.iter().for_each(|property| println!("    {}: {}", property.name, property.says));
        }
        return Ok(());
    }
    let folder = workspace::root().join(FOLDER);
    fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
    write(&folder.join("registers.vh"), &registers::header())?;
    for name in INCLUDED {
        let included = workspace::root().join(WRAPPERS).join(name);
        fs::copy(&included, folder.join(name)).with_context(|| format!("cannot copy {}", included.display()))?;
    }
    let solver = Solver::new(folder)?;
    let mut lines: Vec<Line> = Vec::new();
    for proof in chosen {
        announce(&format!("proof {}", proof.name));
        let source = prepare(proof, &solver)?;
        let mut say = |line: Line| {
            if !args.json {
                println!("{}", line.shown());
            }
            lines.push(line);
        };
        prove(proof, &source, &solver)?.into_iter().for_each(&mut say);
        for broken in proof.broken {
            say(refute(proof, broken, &source, &solver)?);
        }
    }
    if args.json {
        println!("{}", serde_json::to_string_pretty(&lines).context("the lines have no JSON")?);
    }
    let wrong = lines.iter().filter(|line| !line.expected).count();
    if wrong > 0 {
        return Err(CheckFailed(format!("{wrong} of {} lines are not as they should be", lines.len())).into());
    }
    if !args.json {
        let copies = lines.iter().filter(|line| line.broken.is_some()).count();
        let properties = lines.len() - copies;
        println!("{properties} properties proved, {copies} broken copies refuted");
    }
    Ok(())
}

fn chosen(args: &Args) -> Result<Vec<&'static Proof>> {
    if let Some(unknown) = args.proofs.iter().find(|name| !PROOFS.iter().any(|proof| proof.name == *name)) {
        let names: Vec<_> = PROOFS.iter().map(|proof| proof.name).collect();
        bail!("there is no proof `{unknown}`; there are: {}", names.join(", "));
    }
    let named = |proof: &&Proof| args.proofs.is_empty() || args.proofs.iter().any(|name| name == proof.name);
    Ok(PROOFS.iter().filter(named).collect())
}

/// Emits the block, puts the wrapper beside it, and answers the block's text with its probes.
fn prepare(proof: &Proof, solver: &Solver) -> Result<String> {
    let size = proof.size.map(|size| size.to_string());
    let options: Vec<&str> = size.iter().flat_map(|size| ["--size", size]).collect();
    let emitted = emit(proof.block, proof.name, &options)?;
    let mut source = fs::read_to_string(&emitted).with_context(|| format!("cannot read {}", emitted.display()))?;
    for probe in proof.probes {
        source =
            text::with_probe(&source, probe.module, probe.text).with_context(|| format!("proof {}", proof.name))?;
    }
    let wrapper = wrapper_file(proof);
    let wrapper_text = fs::read_to_string(&wrapper).with_context(|| format!("cannot read {}", wrapper.display()))?;
    write(&solver.file(&format!("{}.proof.v", proof.name)), &wrapper_text)?;
    Ok(source)
}

fn wrapper_file(proof: &Proof) -> PathBuf {
    workspace::root().join(WRAPPERS).join(format!("{}.v", proof.wrapper))
}

/// The block itself: a line a property.
fn prove(proof: &Proof, source: &str, solver: &Solver) -> Result<Vec<Line>> {
    let start = clock::now();
    let name = proof.name;
    write(&solver.file(&format!("{name}.v")), source)?;
    solver.build(name, proof, Goal::Induction)?;
    let depth = proof.depth;
    let finding = match solver.bounded(name, depth)? {
        Finding::Holds => solver.induction(name, depth)?,
        refuted => refuted,
    };
    let seconds = clock::since(start);
    let line = |property: String, outcome, depth| Line {
        outcome,
        proof: name,
        block: proof.block,
        size: proof.size,
        property,
        broken: None,
        method: "k-induction",
        depth,
        seconds,
        expected: outcome == "PROVED",
    };
    let properties = || proof.properties.iter().map(|property| property.name.to_owned());
    Ok(match finding {
        Finding::Holds => properties().map(|property| line(property, "PROVED", depth)).collect(),
        Finding::Fails { labels, depth, trace } => {
            announce(&format!("{name}: {} failed; the run is in {FOLDER}/{trace}", labels.join(", ")));
            let found: Vec<_> = labels.iter().map(|label| proof.property_of(label)).collect();
            let refuted = |property: &String| found.contains(&Some(property.as_str()));
            // Where an invariant failed, or induction did not come to its end, nothing is decided.
            properties()
                .map(|property| {
                    let outcome = if refuted(&property) { "REFUTED" } else { "UNDECIDED" };
                    line(property, outcome, depth)
                })
                .collect()
        }
        Finding::NoInduction { labels } => {
            announce(&format!("{name}: no induction at depth {depth}; it fails for {}", labels.join(", ")));
            properties().map(|property| line(property, "UNDECIDED", depth)).collect()
        }
    })
}

/// A broken copy: a line with the property that it broke.
fn refute(proof: &Proof, broken: &'static Broken, source: &str, solver: &Solver) -> Result<Line> {
    let start = clock::now();
    let name = format!("{}.{}", proof.name, broken.name);
    let changed = text::changed(source, broken.from, broken.to).with_context(|| format!("broken copy {name}"))?;
    write(&solver.file(&format!("{name}.v")), &changed)?;
    solver.build(&name, proof, Goal::One(broken.property))?;
    let finding = solver.bounded(&name, broken.within)?;
    let (outcome, property, depth, expected) = match finding {
        Finding::Fails { labels, depth, .. } => {
            let found: Vec<_> = labels.iter().filter_map(|label| proof.property_of(label)).collect();
            let expected = found.contains(&broken.property);
            let property = if expected { broken.property } else { found.first().copied().unwrap_or("nothing named") };
            ("REFUTED", property.to_owned(), depth, expected)
        }
        Finding::Holds | Finding::NoInduction { .. } => ("PROVED", broken.property.to_owned(), broken.within, false),
    };
    Ok(Line {
        outcome,
        proof: proof.name,
        block: proof.block,
        size: proof.size,
        property,
        broken: Some(broken.name),
        method: "bmc",
        depth,
        seconds: clock::since(start),
        expected,
    })
}

fn write(path: &std::path::Path, text: &str) -> Result<()> {
    fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))
}
