//! Yosys, yosys-smtbmc and Yices, and what they print.

use std::ffi::OsString;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{bail, ensure, Context, Result};

use super::proofs::Proof;
use crate::tools::tool;

/// The tools, and the folder in which they work.
pub struct Solver {
    folder: PathBuf,
    yosys: OsString,
    smtbmc: OsString,
    /// Where yosys-smtbmc finds the solver.
    path: OsString,
}

/// What a run of yosys-smtbmc found.
#[derive(Debug, PartialEq, Eq)]
pub enum Finding {
    /// No assertion can fail.
    Holds,
    /// These assertions fail together, in a run from reset of so many clocks; it is in the file `trace`.
    Fails { labels: Vec<String>, depth: u32, trace: String },
    /// Some state from which the induction steps leave these assertions; it need not be reachable.
    NoInduction { labels: Vec<String> },
}

/// What is to be shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goal<'a> {
    /// All properties, and the invariants that an induction rests on.
    Induction,
    /// One property.
    One(&'a str),
}

impl Solver {
    /// Finds the tools; names what installs them.
    pub fn new(folder: PathBuf) -> Result<Self> {
        let yosys = tool("yosys", &["-V"])?;
        let smtbmc = tool("yosys-smtbmc", &["--help"])?;
        tool("yices-smt2", &["--version"])?;
        let path = smtbmc.get_envs().find(|(name, _)| *name == "PATH").and_then(|(_, value)| value);
        Ok(Self {
            folder,
            path: path.unwrap_or_default().to_owned(),
            yosys: yosys.get_program().to_owned(),
            smtbmc: smtbmc.get_program().to_owned(),
        })
    }

    /// A file of the folder.
    pub fn file(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    fn command(&self, program: &OsString) -> Command {
        let mut command = Command::new(program);
        // The WebAssembly tools see no absolute path: they start where the files are.
        command.env("PATH", &self.path).current_dir(&self.folder);
        command
    }

    /// Makes `NAME.smt2` of the block `NAME.v` in the wrapper of `proof`, with what is to be shown.
    pub fn build(&self, name: &str, proof: &Proof, goal: Goal<'_>) -> Result<()> {
        let wrapper = proof.name;
        let mut defines: Vec<String> = proof.defines.iter().map(|define| format!("-D {define}")).collect();
        defines.extend(proof.size.map(|size| format!("-D SIZE={size}")));
        defines.extend((goal == Goal::Induction).then(|| "-D INVARIANTS".to_owned()));
        let cut: String = proof.cut.iter().map(|module| format!("cutpoint {module}; ")).collect();
        // What only a module that was cut had goes too: a memory with contents is not taken behind `setundef -anyseq`.
        let cut = if cut.is_empty() { cut } else { cut + "hierarchy -check -top proof; " };
        // Of a single property nothing is built but what can reach it.
        let only = match goal {
            Goal::One(property) => {
                format!("chformal -assert -remove proof/c:* proof/c:{property} proof/c:{property}_* %u %d; opt_clean -purge; ")
            }
            Goal::Induction => String::new(),
        };
        // Whatever has no value, an X included, may be anything in each clock. Tables stay logic: as memories their
        // contents would be free in an induction.
        let script = format!(
            "read_verilog -formal {} {name}.v {wrapper}.proof.v; hierarchy -check -top proof; proc -noopt -norom; \
             {cut}setundef -anyseq; flatten; opt_clean; check -assert; setundef -undriven -anyseq; opt -keepdc -fast; {only}\
             memory -nordff -nomap; async2sync; chformal -lower; opt -keepdc -fast; dffunmap; write_smt2 -wires {name}.smt2",
            defines.join(" ")
        );
        let output = self.command(&self.yosys).args(["-q", "-p", &script]).output().context("cannot start yosys")?;
        ensure!(
            output.status.success(),
            "yosys does not take {name}.v: {}",
            String::from_utf8_lossy(&output.stderr).trim()
        );
        Ok(())
    }

    /// The first `depth` clocks from reset.
    pub fn bounded(&self, name: &str, depth: u32) -> Result<Finding> {
        let trace = format!("{name}.vcd");
        let said = self.solve(name, &["-t", &depth.to_string(), "--dump-vcd", &trace])?;
        bounded(&said, trace).with_context(|| format!("yosys-smtbmc on {name}.smt2 said:\n{said}"))
    }

    /// Any `depth` clocks in which all holds, and the clock after them.
    pub fn induction(&self, name: &str, depth: u32) -> Result<Finding> {
        let trace = format!("{name}.induction.vcd");
        let said = self.solve(name, &["-i", "-t", &depth.to_string(), "--dump-vcd", &trace])?;
        induction(&said).with_context(|| format!("yosys-smtbmc on {name}.smt2 said:\n{said}"))
    }

    fn solve(&self, name: &str, arguments: &[&str]) -> Result<String> {
        let mut command = self.command(&self.smtbmc);
        command.args(["-s", "yices", "--noprogress", "-m", "proof"]).args(arguments).arg(format!("{name}.smt2"));
        let output = command.output().context("cannot start yosys-smtbmc")?;
        let said = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
        fs::write(self.file(&format!("{name}.log")), &said).context("cannot write the log of yosys-smtbmc")?;
        Ok(said)
    }
}

/// Labels of the assertions that failed.
fn failed(said: &str) -> Vec<String> {
    let labels = said.lines().filter_map(|line| line.split_once("Assert failed in proof: "));
    labels.map(|(_, label)| label.split_whitespace().next().unwrap_or_default().to_owned()).collect()
}

/// The last number of the lines that hold `words` and a number.
fn last_step(said: &str, words: &str) -> Option<u32> {
    said.lines().filter_map(|line| line.split_once(words)?.1.trim_end_matches('.').parse().ok()).next_back()
}

fn status(said: &str) -> Result<bool> {
    if said.contains("Status: PASSED") {
        return Ok(true);
    }
    if said.contains("Status: FAILED") {
        return Ok(false);
    }
    bail!("no status")
}

fn bounded(said: &str, trace: String) -> Result<Finding> {
    if status(said)? {
        return Ok(Finding::Holds);
    }
    let labels = failed(said);
    ensure!(!labels.is_empty(), "it failed, but not for an assertion");
    let step = last_step(said, "Checking assertions in step ").context("no step")?;
    Ok(Finding::Fails { labels, depth: step + 1, trace })
}

fn induction(said: &str) -> Result<Finding> {
    Ok(if status(said)? { Finding::Holds } else { Finding::NoInduction { labels: failed(said) } })
}

#[cfg(test)]
mod tests {
    use super::*;

    const REFUTED: &str = "##   0:00:00  Solver: yices\n\
        ##   0:00:00  Checking assertions in step 0..\n\
        ##   0:00:00  Checking assertions in step 7..\n\
        ##   0:00:00  BMC failed!\n\
        ##   0:00:00  Assert failed in proof: order_front\n\
        ##   0:00:00  Assert failed in proof: count_full (fifo.v:1.2-3.4)\n\
        ##   0:00:00  Status: FAILED\n";

    #[test]
    fn a_refutation_names_its_assertions_and_its_clocks() {
        let labels = vec!["order_front".to_owned(), "count_full".to_owned()];
        let finding = bounded(REFUTED, "x.vcd".into()).expect("it can be read");
        assert_eq!(finding, Finding::Fails { labels, depth: 8, trace: "x.vcd".into() });
    }

    #[test]
    fn a_pass_holds_and_anything_else_is_an_error() {
        assert_eq!(bounded("##  Status: PASSED\n", String::new()).expect("it can be read"), Finding::Holds);
        assert_eq!(induction("##  Status: PASSED\n").expect("it can be read"), Finding::Holds);
        // Assumptions that contradict each other end with a failure that is no assertion's.
        let contradiction = "##  Assumptions are unsatisfiable!\n##  Status: FAILED\n";
        assert!(bounded(contradiction, String::new()).is_err());
        assert!(bounded("Traceback (most recent call last):\n", String::new()).is_err());
        assert!(induction("##  yices: not found\n").is_err());
    }

    #[test]
    fn a_failed_induction_is_no_refutation() {
        let said = "##  Temporal induction failed!\n##  Assert failed in proof: a_b\n##  Status: FAILED\n";
        assert_eq!(induction(said).expect("it can be read"), Finding::NoInduction { labels: vec!["a_b".into()] });
    }
}
