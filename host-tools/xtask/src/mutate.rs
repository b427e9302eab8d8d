//! `cargo xtask mutate`: breaks blocks in many small ways and counts how many of these mutants the tests notice.
//!
//! ```text
//!  sim/tests --RAYMAN_RECORD--> TOP.v, TOP.trace, TOP.miter.v     Verilog; stimulus and answers; what the test looks at
//!                               TOP.start                          what its registers hold at first, if it is not reset
//!  TOP.v --Yosys `mutate -list`--> N mutations --`mutate -ctrl`--> TOP.mutants.v: one module, the input `mutsel` chooses
//!  TOP.mutants.v, TOP.trace --`mutants` (Verilator)--> noticed, or survived
//!  survivors, TOP.miter.v --Yosys, its ABC's `scorr` and `pdr`--> proved equivalent, or listed with their reason
//! ```
//!
//! A mutation inverts a bit of a cell's port, ties it to 0 or 1, or inverts it while another bit of the port is 0 or 1. A block
//! has one more mutant, *planted*: one with a bit of an output inverted. If the tests do not notice that one, or a search by ABC
//! (`bmc3`) does not, or the block without a mutation fails, nothing is counted and the command fails. Bars: of the mutants
//! that are not proved equivalent 95 % are noticed, of the operators' 99 %, and there is a reason for each that is not.

mod blocks;
mod kept;
mod outcome;
mod page;
mod proof;
mod reasons;
mod start;
mod yosys;

use std::fs;
use std::path::Path;

use anyhow::{bail, ensure, Context, Result};
use rayon::prelude::*;

use self::blocks::{Block, BLOCKS};
use self::kept::{fingerprint, Kept};
use self::outcome::{table, Outcome, Survivor};
use self::start::Start;
use self::yosys::Yosys;
use crate::process::{announce, cargo, run as run_command};
use crate::{workspace, CheckFailed};

/// Folder of all that is made, below the workspace's root.
const FOLDER: &str = "target/mutation";
/// How many of an operator's mutants, and of all, must be noticed if they are not proved equivalent.
const BARS: (f64, f64) = (0.99, 0.95);

/// Arguments of `mutate`.
#[derive(clap::Args)]
pub struct Args {
    /// The blocks, by module name; without any, all.
    pub blocks: Vec<String>,
    /// Mutants a block, instead of those of the table in docs/mutation.md.
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub mutants: Option<u32>,
    /// What Yosys draws mutations from.
    #[arg(long, default_value_t = 1)]
    pub seed: u32,
    /// Does again what has been done: what came out of a block is kept as long as nothing that it depends on changes.
    #[arg(long)]
    pub afresh: bool,
    /// Writes what came out into docs/mutation.md.
    #[arg(long, conflicts_with_all = ["mutants", "share"])]
    pub page: bool,
    /// The part that continuous integration runs.
    #[arg(long, conflicts_with_all = ["blocks", "mutants"])]
    pub share: bool,
}

impl Default for Args {
    fn default() -> Self {
        Self { blocks: vec![], mutants: None, seed: 1, afresh: false, page: false, share: false }
    }
}

/// Mutates, and prints what became of it.
pub fn run(args: &Args) -> Result<()> {
    let chosen = chosen(args)?;
    let folder = workspace::root().join(FOLDER);
    fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
    record(&folder, &chosen, args.share)?;
    run_command(cargo().args(["build", "--quiet", "-p", "rayman-sim", "--bin", "mutants"]))?;

    let yosys = Yosys::new(&folder)?;
    // Yosys uses one processor, and so does a block's judge.
    let judged = |block: &&'static Block| {
        let outcome = mutate(&yosys, block, args).with_context(|| format!("block `{}`", block.top))?;
        println!("{}", outcome.row());
        Ok(outcome)
    };
    let outcomes = chosen.par_iter().with_max_len(1).map(judged).collect::<Result<Vec<Outcome>>>()?;

    println!("\n{}", table(&outcomes));
    if args.page {
        let (done, all) = (outcomes.len(), BLOCKS.len());
        page::write(&format!("{done} of {all} blocks, seed {}.\n\n{}", args.seed, table(&outcomes)))?;
    }
    verdict(&outcomes)
}

fn chosen(args: &Args) -> Result<Vec<&'static Block>> {
    if let Some(name) = args.blocks.iter().find(|name| !BLOCKS.iter().any(|block| block.top == *name)) {
        let names: Vec<&str> = BLOCKS.iter().map(|block| block.top).collect();
        bail!("no block `{name}` to mutate\nhelp: there are {}", names.join(", "));
    }
    let named = |block: &&Block| match args.share {
        true => block.share,
        false => args.blocks.is_empty() || args.blocks.iter().any(|name| name == block.top),
    };
    Ok(BLOCKS.iter().filter(named).collect())
}

/// Runs the blocks' tests with their eyes open; those of the whole workspace's build, if it is there anyway.
fn record(folder: &Path, chosen: &[&Block], whole: bool) -> Result<()> {
    let scope: &[&str] = if whole { &["--workspace"] } else { &["-p", "rayman-sim"] };
    let mut files: Vec<&str> = chosen.iter().map(|block| block.file).collect();
    files.dedup();
    for file in files {
        let tests = chosen.iter().filter(|block| block.file == file).map(|block| block.test);
        let mut record = cargo();
        record.args(["test", "--quiet"]).args(scope).args(["--test", file, "--", "--exact"]).args(tests);
        run_command(record.env("RAYMAN_RECORD", folder))?;
    }
    Ok(())
}

/// Mutates one block whose recording is in the folder.
fn mutate(yosys: &Yosys, block: &Block, args: &Args) -> Result<Outcome> {
    let top = block.top;
    let count = args.mutants.unwrap_or(block.mutants);
    let (list, planted) = (format!("{top}.list"), format!("{top}.planted"));
    let (wire, cells) = (block.planted, block.cells);
    let draw = format!(
        "read_verilog {top}.v\nprep -flatten -top {top}\nwrite_rtlil {top}.il\nselect {top} {cells}\n\
         mutate -list {count} -seed {} -o {list}\nselect -clear\n\
         mutate -list 1 -mode inv -wire {wire} -o {planted}\n",
        args.seed
    );
    let path = yosys.file(&format!("{top}.outcome"));
    let [source, trace, miter, start] =
        ["v", "trace", "miter.v", "start"].map(|kind| fs::read(yosys.file(&format!("{top}.{kind}"))));
    let of = fingerprint(&[&source?, &trace?, &miter?, &start?, draw.as_bytes(), proof::form(top).as_bytes()]);
    if let Some(kept) = Kept::load(&path, &of).filter(|_| !args.afresh) {
        announce(&format!("{top}: nothing has changed"));
        return Ok(outcome(block, kept));
    }

    announce(&format!("{count} mutants of {top}"));
    // Yosys adds to a list that is there.
    yosys.forget(&[&list, &planted]);
    yosys.run(&format!("{top}.draw"), &draw)?;
    let read = |file: &str| -> Result<Vec<String>> {
        Ok(yosys.read(file)?.lines().filter_map(|line| line.strip_prefix("mutate ")).map(str::to_owned).collect())
    };
    let mutations = read(&list)?;
    ensure!(!mutations.is_empty(), "Yosys has found no mutation of `{top}`");
    let planted = read(&planted)?;
    ensure!(planted.len() == 1, "Yosys has found no mutation of the output `{wire}` of `{top}`");

    let all: Vec<&String> = mutations.iter().chain(&planted).collect();
    let bits = all.len().ilog2() + 1;
    let start = Start::parse(&yosys.read(&format!("{top}.start"))?)?;
    let mut script = format!("read_rtlil {top}.il\n{}", start.before(top));
    for (number, mutation) in (1..).zip(&all) {
        script += &format!("mutate -ctrl mutsel {bits} {number} {mutation}\n{}", start.after(top, mutation)?);
    }
    yosys
        .run(&format!("{top}.mix"), &format!("{script}pmuxtree\nopt_clean\nwrite_verilog -noattr {top}.mutants.v\n"))?;

    let mut judge = cargo();
    judge.args(["run", "--quiet", "-p", "rayman-sim", "--bin", "mutants", "--"]).arg(yosys.file("")).arg(top);
    let output = judge.arg(all.len().to_string()).output().context("cannot start cargo")?;
    ensure!(
        output.status.success(),
        "the mutants could not be judged: {}",
        String::from_utf8_lossy(&output.stderr).trim()
    );
    let verdicts = verdicts(&String::from_utf8_lossy(&output.stdout), all.len())?;
    let planted_was_noticed = verdicts.last().is_some_and(|(_, noticed)| *noticed);
    ensure!(planted_was_noticed, "`{wire}` inverted goes unseen: the tests' recording of `{top}` shows nothing");

    let sees = proof::differs(yosys, top, all.len(), &planted[0])?;
    ensure!(sees, "`{wire}` inverted shows nowhere: the miter of `{top}` compares nothing");

    let source = yosys.read(&format!("{top}.v"))?;
    let mut kept = Kept { of, noticed: 0, equivalent: vec![], survivors: vec![] };
    for ((number, noticed), mutation) in verdicts.into_iter().zip(&mutations) {
        if noticed {
            kept.noticed += 1;
            continue;
        }
        let what = outcome::described(mutation, &source);
        if proof::equivalent(yosys, top, number, mutation)? {
            kept.equivalent.push(what);
        } else {
            kept.survivors.push(what);
        }
    }
    kept.save(&path)?;
    Ok(outcome(block, kept))
}

/// With the reasons, which may be written later.
fn outcome(block: &Block, kept: Kept) -> Outcome {
    let explained = |what: String| Survivor { reason: reasons::of(block.top, &what), what };
    Outcome {
        name: block.top.to_owned(),
        operator: block.operator,
        noticed: kept.noticed,
        equivalent: kept.equivalent,
        survivors: kept.survivors.into_iter().map(explained).collect(),
    }
}

/// The lines that `mutants` prints: which mutant, and whether it was noticed. All of them must be there.
fn verdicts(text: &str, count: usize) -> Result<Vec<(usize, bool)>> {
    let verdict = |line: &str| {
        let (number, rest) = line.split_once(' ')?;
        let noticed = match rest.split(' ').next()? {
            "noticed" => true,
            "survived" => false,
            _ => return None,
        };
        Some((number.parse().ok()?, noticed))
    };
    let verdicts: Vec<(usize, bool)> = text.lines().filter_map(verdict).collect();
    let complete = verdicts.iter().map(|(number, _)| *number).eq(1..=count);
    ensure!(complete, "{} of {count} mutants were judged", verdicts.len());
    Ok(verdicts)
}

/// Whether the bars are held and every survivor is explained.
fn verdict(outcomes: &[Outcome]) -> Result<()> {
    let sum = |operators: bool| {
        let mut sum = Outcome::default();
        outcomes.iter().filter(|outcome| outcome.operator || !operators).for_each(|outcome| sum.add(outcome));
        sum.share()
    };
    for (name, share, bar) in [("the operators", sum(true), BARS.0), ("all blocks", sum(false), BARS.1)] {
        if share < bar {
            let (share, bar) = (100.0 * share, 100.0 * bar);
            let text = format!("{share:.1} % of the mutants of {name} are noticed, {bar} % must be");
            return Err(CheckFailed(text).into());
        }
    }
    let unexplained =
        outcomes.iter().flat_map(|outcome| &outcome.survivors).filter(|survivor| survivor.reason.is_none()).count();
    if unexplained > 0 {
        return Err(CheckFailed(format!(
            "{unexplained} survivors have no reason\n\
             help: strengthen the block's test, or say in host-tools/xtask/src/mutate/reasons.rs why it need not show them"
        ))
        .into());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_mutant_needs_a_verdict() {
        let text = "30000 clocks\n1 noticed 17 q\n2 survived\n";
        assert_eq!(verdicts(text, 2).expect("complete"), [(1, true), (2, false)]);
        assert!(verdicts(text, 3).is_err(), "one is missing");
        assert!(verdicts("1 noticed 17 q\n1 noticed 17 q\n", 2).is_err(), "one is there twice");
        assert!(verdicts("", 1).is_err());
    }

    #[test]
    fn too_many_survivors_fail_and_so_does_one_without_a_reason() {
        let outcome = |operator, noticed, reasons: &[Option<&'static str>]| Outcome {
            name: "x".into(),
            operator,
            noticed,
            survivors: reasons.iter().map(|&reason| Survivor { what: "y".into(), reason }).collect(),
            ..Outcome::default()
        };
        let why = Some("it is told twice");
        assert!(verdict(&[outcome(true, 99, &[why]), outcome(false, 90, &[why; 5])]).is_ok());
        assert!(verdict(&[outcome(true, 98, &[why; 2]), outcome(false, 100, &[])]).is_err(), "operators");
        assert!(verdict(&[outcome(true, 100, &[]), outcome(false, 90, &[why; 11])]).is_err(), "all");
        assert!(verdict(&[outcome(true, 100, &[]), outcome(false, 90, &[None])]).is_err(), "no reason");
    }

    #[test]
    fn a_block_is_named_once_and_the_share_has_operators_and_others() {
        let mut names: Vec<&str> = BLOCKS.iter().map(|block| block.top).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), BLOCKS.len());
        assert!([true, false].iter().all(|&kind| BLOCKS.iter().any(|block| block.share && block.operator == kind)));
        assert!(chosen(&Args { blocks: vec!["no_such_block".into()], ..Args::default() }).is_err());
    }
}
