//! Shows a recorded stimulus to mutants of a block: what `cargo xtask mutate` calls.
//!
//! `mutants FOLDER TOP COUNT` reads `TOP.trace` (see `rayman_sim::recording`) and `TOP.mutants.v`, a module with the input
//! `mutsel` that chooses one of COUNT mutants, from 1 on. Prints a line a mutant: `N noticed CLOCK OUTPUT` or `N survived`.
//! Exit codes: 0 done, 2 it could not be done, or the block fails its own stimulus without a mutation.

use rayman_sim::recording::Recording;
use std::error::Error;
use std::path::Path;
use std::process::ExitCode;

const USAGE: &str = "usage: mutants FOLDER TOP COUNT";

fn run(arguments: &[&str]) -> Result<(), Box<dyn Error>> {
    let [folder, top, count] = *arguments else {
        return Err(USAGE.into());
    };
    let (folder, count) = (Path::new(folder), count.parse::<u64>().map_err(|_| USAGE)?);
    let trace = Recording::load(folder, top)?;
    let path = folder.join(format!("{top}.mutants.v"));
    let verilog = std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    for number in 0..=count {
        match (number, trace.judge(&verilog, top, "mutsel", number)?) {
            (0, None) => println!("{} clocks", trace.clocks()),
            (0, Some(at)) => {
                return Err(format!("`{top}` without a mutation differs in clock {}, `{}`", at.clock, at.output).into())
            }
            (_, Some(at)) => println!("{number} noticed {} {}", at.clock, at.output),
            (_, None) => println!("{number} survived"),
        }
    }
    Ok(())
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match run(&arguments.iter().map(String::as_str).collect::<Vec<_>>()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}
