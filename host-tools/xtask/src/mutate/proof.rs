//! Whether a mutant is equivalent: whether no stimulus that the block's test may give shows it.
//!
//! The block and its mutant stand in the miter that the test wrote, whose output `differ` is to stay low for ever from reset.
//! What the mutation does not reach is merged; of the rest ABC finds signals that are always equal (`scorr`, `fraig`), and then looks
//! for an inductive invariant (`pdr`). Registers and memories without a first value start at 0 in both, and an X is 0.

use std::time::Duration;

use anyhow::{ensure, Result};

use super::yosys::Yosys;

/// The processor's time for a proof, most of it for `pdr`.
const LIMIT: Duration = Duration::from_secs(20);

/// Clocks in which a difference must show that any stimulus shows.
const CLOCKS: u32 = 100;

/// Looks for an inductive invariant.
const PROVE: &str = "scorr;fraig;pdr";

/// Whether the mutant is proved equivalent. What cannot be decided in time is not.
pub fn equivalent(yosys: &Yosys, top: &str, number: usize, mutation: &str) -> Result<bool> {
    // Registers with another clock would be cut out of what ABC sees.
    if mutation.contains("-port CLK ") || mutation.contains("_CLK ") {
        return Ok(false);
    }
    let [before, after, status] = found(yosys, top, number, mutation, PROVE, LIMIT)?;
    Ok([before, after].iter().any(|netlist| is_constant(netlist)) || is_proved(&status))
}

/// Whether the miter shows a mutant, found by trying all stimuli of [`CLOCKS`] clocks.
pub fn differs(yosys: &Yosys, top: &str, number: usize, mutation: &str) -> Result<bool> {
    let [_, _, status] = found(yosys, top, number, mutation, &format!("bmc3,-F,{CLOCKS}"), 10 * LIMIT)?;
    Ok(is_refuted(&status))
}

/// Contents of the files; what is not there has not been decided, and is empty.
fn found(
    yosys: &Yosys,
    top: &str,
    number: usize,
    mutation: &str,
    search: &str,
    limit: Duration,
) -> Result<[String; 3]> {
    let name = format!("{top}.{number}");
    let files = files(&name);
    yosys.forget(&files.each_ref().map(String::as_str));
    // What ABC is given must be gates and registers: it would take the inputs of anything else for outputs.
    let ended = yosys.run_within(&name, &script(top, mutation, number, search), limit)?;
    ensure!(ended.is_none_or(|ended| ended.success()), "yosys failed on {name}.ys: see {name}.log");
    Ok(files.map(|file| yosys.read(&file).unwrap_or_default()))
}

/// All that a proof of this block depends on, but for the mutation.
pub fn form(top: &str) -> String {
    format!("{LIMIT:?} {}", script(top, "", 0, PROVE))
}

/// The miter as it is given to ABC, as it comes back, and what ABC says of it.
fn files(name: &str) -> [String; 3] {
    ["before.v", "after.v", "status"].map(|kind| format!("{name}.{kind}"))
}

/// What Yosys does for a proof.
fn script(top: &str, mutation: &str, number: usize, search: &str) -> String {
    let [before, after, status] = files(&format!("{top}.{number}"));
    format!(
        "read_rtlil {top}.il\ncopy {top} gold\nmutate {mutation}\nrename {top} gate\nsetattr -unset init gold/w:* gate/w:*\nread_verilog {top}.miter.v\n\
         hierarchy -top miter\nproc\nflatten\nsetundef -zero\nopt_dff\nmemory_map\nopt -full\nopt_merge -share_all\n\
         opt_clean\ntechmap\nopt -full\nsimplemap\nopt_merge -share_all\nopt_clean\nzinit -all\ndffunmap\nsimplemap\n\
         clean\nselect -assert-none c:* t:$_* %d t:$scopeinfo %d\n\
         write_verilog -noattr {before}\nabc -dff -script +strash;{search};write_status,{status}\n\
         opt\nclean\nwrite_verilog -noattr {after}\n"
    )
}

/// Nothing is left of the miter's output: all was merged, or found to be equal.
fn is_constant(netlist: &str) -> bool {
    netlist.lines().any(|line| line.trim() == "assign differ = 1'h0;")
}

/// What ABC wrote of `pdr`.
fn is_proved(status: &str) -> bool {
    status.starts_with("snl_UNSAT")
}

/// What ABC wrote of `bmc3`.
fn is_refuted(status: &str) -> bool {
    status.starts_with("snl_SAT")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_was_proved_is_equivalent() {
        assert!(is_constant("module miter;\n  assign differ = 1'h0;\nendmodule\n"));
        assert!(
            !is_constant("  assign differ = 1'h1;\n") && !is_constant("  assign other = 1'h0;\n") && !is_constant("")
        );
        assert!(is_proved("snl_UNSAT -1 unknown\n") && is_refuted("snl_SAT 14 unknown 0 15\n"));
        assert!(!is_refuted("snl_UNSAT -1 unknown\n") && !is_refuted("snl_UNK 14 unknown\n") && !is_refuted(""));
        assert!(!is_proved("snl_SAT 14 unknown 0 15\n") && !is_proved("snl_UNK 14 unknown\n") && !is_proved(""));
    }
}
