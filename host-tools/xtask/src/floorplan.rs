//! Rows of the device that are kept free, so that a large design can be routed.
//!
//! nextpnr packs a design as densely as its logic fits: eight tables and eight flip-flops a tile, next to each other.
//! A folded datapath has more wires than run over such tiles, and the router never ends (measured: docs/performance.md).
//! `--placer-heap-beta`, which is there for this, changes nothing on ECP5 (nextpnr 0.11.1). So the tables of every N-th
//! row are given to placeholders that have a place and no wire: what is left spreads, and the wires of the rows between
//! are free for it. Flip-flops may still lie there. Carry chains run along a row and are not cut.

use anyhow::{Context, Result};
use serde_json::{json, Value};

/// Columns and rows of logic tiles in an LFE5U-85 away from its edges.
const COLUMNS: std::ops::Range<u32> = 4..121;
/// See [`COLUMNS`].
const ROWS: std::ops::Range<u32> = 2..90;
/// Every so many rows, from [`FIRST_MEMORY_ROW`] on, memories and multipliers take the place of logic.
const MEMORY_ROWS: u32 = 12;
/// See [`MEMORY_ROWS`].
const FIRST_MEMORY_ROW: u32 = 10;

/// Places of the tables in every `every`-th row, as nextpnr names them.
fn places(every: u32) -> impl Iterator<Item = String> {
    let of_logic = |row: &u32| row % MEMORY_ROWS != FIRST_MEMORY_ROW % MEMORY_ROWS;
    ROWS.filter(of_logic).filter(move |row| row % every == 0).flat_map(|row| {
        let slices = COLUMNS.flat_map(|column| ['A', 'B', 'C', 'D'].map(|slice| (column, slice)));
        slices.flat_map(move |(column, slice)| [0, 1].map(|table| format!("X{column}/Y{row}/SLICE{slice}.K{table}")))
    })
}

/// Keeps every `every`-th row of a netlist of Yosys free. Answers how many tables that takes.
pub fn keep_rows_free(netlist: &mut Value, every: u32) -> Result<usize> {
    let modules =
        netlist.pointer_mut("/modules").and_then(Value::as_object_mut).context("the netlist has no modules")?;
    let top = modules.values_mut().find(|module| module.pointer("/attributes/top").is_some());
    let cells = top.and_then(|top| top["cells"].as_object_mut()).context("the netlist has no cells")?;
    let mut taken = 0;
    for place in places(every) {
        cells.insert(
            format!("free_{taken}"),
            json!({
                "hide_name": 0,
                "type": "LUT4",
                "parameters": {"INIT": "0000000000000000"},
                "attributes": {"BEL": place, "keep": "00000000000000000000000000000001"},
                "port_directions": {"A": "input", "B": "input", "C": "input", "D": "input", "Z": "output"},
                "connections": {},
            }),
        );
        taken += 1;
    }
    Ok(taken)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_free_row_is_all_tables_of_a_row_of_logic() {
        let row: Vec<String> = places(88).collect();
        assert_eq!(row.len(), 117 * 8, "row 88 is the only multiple of 88");
        assert_eq!((row[0].as_str(), row[935].as_str()), ("X4/Y88/SLICEA.K0", "X120/Y88/SLICED.K1"));
        // Rows 10, 22, ... 82 have no logic: seven of the even rows 2 to 88.
        assert_eq!(places(2).count(), (44 - 7) * 117 * 8);
    }

    #[test]
    fn placeholders_join_the_top_and_no_other_module() {
        let mut netlist = json!({"modules": {
            "LUT4": {"cells": {}},
            "synth_op": {"attributes": {"top": "1"}, "cells": {"a": {"type": "LUT4"}}},
        }});
        let taken = keep_rows_free(&mut netlist, 3).expect("a netlist");
        let cells = |module: &str| netlist["modules"][module]["cells"].as_object().expect("cells").len();
        assert_eq!((cells("synth_op"), cells("LUT4")), (taken + 1, 0));
        assert!(keep_rows_free(&mut json!({"modules": {}}), 3).is_err());
    }
}
