//! Processor time of the programs that were started and have ended, which does not depend on what else the machine does.

use std::fs;
use std::sync::OnceLock;
use std::time::Instant;

/// Linux counts processor time in hundredths of a second for programs to see, on every machine.
const TICKS_A_SECOND: f64 = 100.0;

/// Seconds, from some beginning.
pub fn now() -> f64 {
    static BEGINNING: OnceLock<Instant> = OnceLock::new();
    // Elsewhere than on Linux: by the clock on the wall.
    let wall = || BEGINNING.get_or_init(Instant::now).elapsed().as_secs_f64();
    fs::read_to_string("/proc/self/stat").ok().and_then(|text| of_children(&text)).unwrap_or_else(wall)
}

/// Seconds since then.
pub fn since(start: f64) -> f64 {
    now() - start
}

/// User and system time of all descendants that were waited for: fields 16 and 17 of `stat`.
fn of_children(stat: &str) -> Option<f64> {
    // The second field is the program's name in brackets, and may hold anything.
    let fields: Vec<_> = stat.rsplit_once(')')?.1.split_whitespace().collect();
    let ticks = |at: usize| fields.get(at - 3)?.parse::<u32>().ok();
    Some(f64::from(ticks(16)? + ticks(17)?) / TICKS_A_SECOND)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_of_children_is_read_past_a_strange_name() {
        let stat = "7 (a) b (c) S 1 2 3 4 5 6 7 8 9 10 11 12 250 50 20 0";
        assert_eq!(of_children(stat), Some(3.0));
        assert_eq!(of_children("7 (a"), None);
    }
}
