//! All operands of an operator with one, against the host.
//!
//! ```text
//!  2^32 operands --> spans of 2^22, taken as they come by a thread for each processor
//!                      each: batches of 2^14 --> Verilated operator --> results == host's?
//! ```
//!
//! A model of its own for each thread, built for speed (no assertions: `tests/operators.rs` has those). The host's
//! arithmetic is itself tested against oracles that are not ours (`docs/numerics.md`).

use super::{host, Bench, Mismatch, RefereeError, BATCH};
use crate::verilated::Flavour;
use rayman_rtl::fp::FpOperator;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

/// The number of operands that there are.
pub const OPERANDS: u64 = 1 << 32;
/// Operands that a thread takes at a time.
const SPAN: u64 = 1 << 22;
/// Mismatches that are kept.
const SHOWN: usize = 10;

/// What came out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Operands whose result is the host's.
    pub passed: u64,
    /// Others.
    pub failed: u64,
    /// Some of those.
    pub mismatches: Vec<Mismatch>,
}

/// Runs `count` operands from `first` on, on so many threads. `progress` is told now and then how many are done.
pub fn run(
    operator: FpOperator,
    verilog: &str,
    (first, count): (u64, u64),
    threads: usize,
    progress: &(dyn Fn(u64) + Sync),
) -> Result<Tally, RefereeError> {
    if operator.arity() != 1 {
        return Err(RefereeError::TwoOperands { name: super::name(operator).to_owned() });
    }
    let end = first.checked_add(count).filter(|&end| count > 0 && end <= OPERANDS);
    let end = end.ok_or(RefereeError::Span { first, count })?;
    let threads = threads.clamp(1, count.div_ceil(SPAN) as usize);
    let benches: Vec<Bench> =
        (0..threads).map(|_| Bench::new(operator, verilog, Flavour::Fast)).collect::<Result<_, _>>()?;
    let (next, done, tally) = (AtomicU64::new(first), AtomicU64::new(0), Mutex::new(Tally::default()));
    let work = |mut bench: Bench| -> Result<(), RefereeError> {
        loop {
            let start = next.fetch_add(SPAN, Ordering::Relaxed);
            if start >= end {
                return Ok(());
            }
            let span = start..end.min(start + SPAN);
            let size = span.end - span.start;
            let found = compare(operator, &mut bench, span)?;
            let mut tally = tally.lock().unwrap_or_else(PoisonError::into_inner);
            tally.passed += found.passed;
            tally.failed += found.failed;
            let room = SHOWN.saturating_sub(tally.mismatches.len());
            tally.mismatches.extend(found.mismatches.into_iter().take(room));
            drop(tally);
            progress(done.fetch_add(size, Ordering::Relaxed) + size);
        }
    };
    let work = &work;
    std::thread::scope(|scope| {
        let threads: Vec<_> = benches.into_iter().map(|bench| scope.spawn(move || work(bench))).collect();
        threads
            .into_iter()
            .try_for_each(|thread| thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
    })?;
    Ok(tally.into_inner().unwrap_or_else(PoisonError::into_inner))
}

fn compare(operator: FpOperator, bench: &mut Bench, span: Range<u64>) -> Result<Tally, RefereeError> {
    // A constant where it is called, so that the comparing loop has no choice of operator in it.
    match operator {
        FpOperator::Sqrt => compare_with(bench, span, |a| host(FpOperator::Sqrt, a, 0)),
        FpOperator::IntToFloat => compare_with(bench, span, |a| host(FpOperator::IntToFloat, a, 0)),
        FpOperator::FloatToInt => compare_with(bench, span, |a| host(FpOperator::FloatToInt, a, 0)),
        other => compare_with(bench, span, |a| host(other, a, 0)),
    }
}

fn compare_with(bench: &mut Bench, span: Range<u64>, host: impl Fn(u32) -> u32) -> Result<Tally, RefereeError> {
    let mut tally = Tally::default();
    for start in span.clone().step_by(BATCH) {
        // Operands are below 2^32, so nothing is cut off.
        let operands = start..span.end.min(start + BATCH as u64);
        let results = bench.results(operands.clone().map(|a| (a as u32, 0)))?;
        for (a, &got) in operands.map(|a| a as u32).zip(results) {
            let wanted = host(a);
            if got == u64::from(wanted) {
                tally.passed += 1;
            } else {
                tally.failed += 1;
                if tally.mismatches.len() < SHOWN {
                    tally.mismatches.push(Mismatch { line: None, operands: vec![a], got: got as u32, wanted });
                }
            }
        }
    }
    Ok(tally)
}
