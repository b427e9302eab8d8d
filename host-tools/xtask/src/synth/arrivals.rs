//! Where signals arrive last, by nextpnr's detailed timing: what to look at next for a faster clock.
//!
//! Its list of critical paths has one path a clock, and behind that one may lie a hundred, of one cause or of many. Ends of
//! wires that differ only in numbers, the bits of a register for one, are a group.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Value;

/// So many groups are shown.
const SHOWN: usize = 10;
/// What Yosys hangs on a register's name when it makes cells of it.
const CELLS: [&str; 5] = ["_TRELLIS", "_LUT4", "_CCU2C", "_PFUMX", "_L6MUX21"];

/// Ends of wires that are alike.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Arrival {
    /// The cells they lead to, with `#` for numbers.
    group: String,
    /// How many arrive as late as the least of the shown groups does.
    ends: usize,
    /// The latest, in nanoseconds from the clock's edge; set-up time is not in it.
    ns: f64,
}

impl std::fmt::Display for Arrival {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { group, ends, ns } = self;
        write!(f, "{ns:5.2} ns, {ends:4} ends: {group}")
    }
}

/// The groups that arrive last, the latest first, of ends from register to register of one clock in cells whose names begin
/// with `inside`. (A pin's wires are left out by that: an asynchronous input has no clock to arrive after.)
pub fn latest(report: &Value, inside: &str) -> Vec<Arrival> {
    let nets = report["detailed_net_timings"].as_array().map_or(&[][..], |nets| nets);
    let mut groups: BTreeMap<String, Vec<f64>> = BTreeMap::new();
    for net in nets {
        for end in net["endpoints"].as_array().map_or(&[][..], |ends| ends) {
            let clocked = end["event"].as_str().is_some_and(|event| event.starts_with("posedge"));
            let cell = end["cell"].as_str().filter(|cell| cell.starts_with(inside));
            // The earliest and the latest.
            let ns = end["delay"].as_array().and_then(|delays| delays.last()?.as_f64());
            if let (true, Some(cell), Some(ns)) = (clocked && net["event"] == end["event"], cell, ns) {
                groups.entry(group(cell)).or_default().push(ns);
            }
        }
    }
    let last = |ends: &[f64]| ends.iter().copied().fold(0.0, f64::max);
    let mut groups: Vec<_> = groups.into_iter().map(|(group, ends)| (last(&ends), group, ends)).collect();
    groups.sort_by(|a, b| b.0.total_cmp(&a.0));
    groups.truncate(SHOWN);
    let least = groups.last().map_or(0.0, |(ns, ..)| *ns);
    let arrival = |(ns, group, ends): (f64, String, Vec<f64>)| Arrival {
        group,
        ends: ends.iter().filter(|ns| **ns >= least).count(),
        ns,
    };
    groups.into_iter().map(arrival).collect()
}

/// A cell's name as its group has it.
fn group(cell: &str) -> String {
    let end = CELLS.iter().filter_map(|kind| cell.find(kind)).min().unwrap_or(cell.len());
    let mut name = String::new();
    for c in cell[..end].chars() {
        match c.is_ascii_digit() {
            true if name.ends_with('#') => {}
            true => name.push('#'),
            false => name.push(c),
        }
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn ends_are_grouped_by_name_and_the_latest_are_first() {
        let end = |cell: &str, event: &str, ns: f64| json!({"cell": cell, "event": event, "delay": [ns - 1.0, ns], "port": "D"});
        let mut ends = vec![
            end("block.a.q_TRELLIS_FF_Q_12", "posedge c", 9.0),
            end("block.a.q_TRELLIS_FF_Q_3", "posedge c", 9.5),
            end("block.a.q_TRELLIS_FF_Q", "posedge c", 0.5),
            end("block.b_10_x.q", "posedge c", 9.25),
            end("block.b_2_x.q", "posedge d", 20.0),
            end("block.to_a_table_LUT4_Z", "<async>", 20.0),
            end("shift_TRELLIS_FF_Q", "posedge c", 20.0),
        ];
        ends.extend(
            (0..9).map(|n| end(&format!("block.{}.q", ["i", "j", "k"][n / 3].repeat(n % 3 + 1)), "posedge c", 1.0)),
        );
        let report = json!({"detailed_net_timings": [{"event": "posedge c", "endpoints": ends}]});
        let latest = latest(&report, "block.");
        assert_eq!(latest.len(), SHOWN);
        assert_eq!(latest[0], Arrival { group: "block.a.q".into(), ends: 2, ns: 9.5 });
        assert_eq!(latest[1], Arrival { group: "block.b_#_x.q".into(), ends: 1, ns: 9.25 });
        assert_eq!(latest[1].to_string(), " 9.25 ns,    1 ends: block.b_#_x.q");
        assert!(super::latest(&json!({}), "block.").is_empty());
    }
}
