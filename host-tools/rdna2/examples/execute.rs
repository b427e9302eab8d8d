//! Every descriptor that is found in the shaders of `tests/`, before runs on random inputs: what the registers held at each
//! access. A line a shader, then the sums; exit code 1 if an answer was wrong. `cargo xtask shaders` runs it.
//!
//! Arguments: how many inputs in all (10,000), and a seed (1).

#[path = "../tests/fixture/mod.rs"]
mod fixture;
#[path = "../tests/llvm/mod.rs"]
mod llvm;

use std::process::ExitCode;

use fixture::all;
use rayman_rdna2::wave::check::Tally;

fn main() -> ExitCode {
    let mut numbers = std::env::args().skip(1).map(|argument| argument.parse::<u64>());
    let (Ok(inputs), Ok(seed)) = (numbers.next().unwrap_or(Ok(10_000)), numbers.next().unwrap_or(Ok(1))) else {
        eprintln!("usage: execute [INPUTS [SEED]]");
        return ExitCode::from(2);
    };
    let fixtures = all::fixtures();
    let each = inputs.div_ceil(fixtures.len() as u64);
    println!(
        "{:32} {:>6} {:>8} {:>8} {:>8} {:>8} {:>8} {:>8} {:>8} {:>6}",
        "shader", "inputs", "reaches", "D934", "skipped", "no word", "D962", "several", "refused", "wrong"
    );
    let line = |name: &str, tally: &Tally| {
        println!(
            "{name:32} {:6} {:8} {:8} {:8} {:8} {:8} {:8} {:8} {:6}",
            tally.runs,
            tally.reaches,
            tally.traced,
            tally.skipped,
            tally.unreadable,
            tally.computed,
            tally.one_of_several,
            tally.refused,
            tally.wrong
        );
    };
    let mut total = Tally::default();
    for fixture in &fixtures {
        let (tally, wrong) = all::check(fixture, seed, each);
        line(&fixture.name, &tally);
        for one in wrong.iter().take(3) {
            println!("  wrong by {} at {:#x}: held {:x?}, said {:x?}", one.rule, one.offset, one.held, one.said);
        }
        total.add(&tally);
    }
    line("all", &total);
    println!(
        "{} answers agree with what the registers held, {} are wrong; {} runs' reaches skipped the load that is named and lie \
         outside of D934's premise",
        total.traced + total.computed + total.one_of_several,
        total.wrong,
        total.skipped
    );
    ExitCode::from(u8::from(total.wrong != 0))
}
