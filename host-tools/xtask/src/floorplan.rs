//! What the placer is told about an LFE5U-85: rows that are kept free, and places of multipliers.
//!
//! # Free rows
//!
//! nextpnr packs a design as densely as its logic fits: eight tables and eight flip-flops a tile, next to each other.
//! A folded datapath has more wires than run over such tiles, and the router never ends (measured: docs/performance.md).
//! `--placer-heap-beta`, which is there for this, changes nothing on ECP5 (nextpnr 0.11.1). So the tables of every N-th
//! row are given to placeholders that have a place and no wire: what is left spreads, and the wires of the rows between
//! are free for it. Flip-flops may still lie there. Carry chains run along a row and are not cut.
//!
//! # Multipliers
//!
//! A product of two fractions takes up to four of the device's multipliers, and these lie in groups of four. The placer has
//! spread one product's over twenty columns and two rows (measured likewise). So each product's go into a group: from
//! left to right the blocks that have products, in order of their names, each as wide as its share of the logic, its products
//! spread over that width and the three rows. Everything else finds its place around them.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::Result;
use serde_json::{json, Map, Value};

use crate::tools::{top_cells, Area};

/// Columns and rows of logic tiles in an LFE5U-85 away from its edges.
const COLUMNS: std::ops::Range<u32> = 4..121;
/// See [`COLUMNS`].
const ROWS: std::ops::Range<u32> = 2..90;
/// Every so many rows, from [`FIRST_MEMORY_ROW`] on, memories and multipliers take the place of logic.
const MEMORY_ROWS: u32 = 12;
/// See [`MEMORY_ROWS`].
const FIRST_MEMORY_ROW: u32 = 10;

/// First columns of the groups of four multipliers.
const GROUPS: [u32; 13] = [4, 13, 22, 31, 40, 49, 58, 69, 78, 87, 96, 105, 114];
/// Rows of multipliers, the middle one first.
const GROUP_ROWS: [u32; 3] = [34, 10, 58];
/// The multipliers of a group: columns from its first on. They are named so, too.
const IN_GROUP: [u32; 4] = [0, 1, 4, 5];
/// Half a group's width.
const HALF_GROUP: f64 = 3.0;
const MULTIPLIER: &str = "MULT18X18D";
/// An LFE5U-85's.
const DEVICE_TABLES: u64 = 83_640;

/// Places of the tables in every `every`-th row, as nextpnr names them.
fn places(every: u32) -> impl Iterator<Item = String> {
    let of_logic = |row: &u32| row % MEMORY_ROWS != FIRST_MEMORY_ROW % MEMORY_ROWS;
    ROWS.filter(of_logic).filter(move |row| row % every == 0).flat_map(|row| {
        let slices = COLUMNS.flat_map(|column| ['A', 'B', 'C', 'D'].map(|slice| (column, slice)));
        slices.flat_map(move |(column, slice)| [0, 1].map(|table| format!("X{column}/Y{row}/SLICE{slice}.K{table}")))
    })
}

/// Every how-many-th row may be kept free of a netlist, so that it fills at most three quarters of what is left: as many rows
/// as that allows, and 0 where it fills more with every eighth.
pub fn rows_to_spare(netlist: &mut Value) -> Result<u32> {
    let tables = tables(top_cells(netlist)?.values());
    let fits = |every: &u32| tables * 4 <= (DEVICE_TABLES - places(*every).count() as u64) * 3;
    Ok((2..=8).find(fits).unwrap_or(0))
}

/// Keeps every `every`-th row of a netlist of Yosys free. Answers how many tables that takes.
pub fn keep_rows_free(netlist: &mut Value, every: u32) -> Result<usize> {
    let cells = top_cells(netlist)?;
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

/// Gives each product's multipliers a group of the device's. Answers for how many products; where groups run out, the placer
/// finds places for the rest.
pub fn place_multipliers(netlist: &mut Value) -> Result<usize> {
    let cells = top_cells(netlist)?;
    let mut products: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (name, _) in cells.iter().filter(|(_, cell)| cell["type"] == MULTIPLIER) {
        if let Some(product) = product(name) {
            products.entry(product).or_default().push(name);
        }
    }
    products.retain(|_, multipliers| multipliers.len() <= IN_GROUP.len());
    let mut owners: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for product in products.keys() {
        owners.entry(product.rsplit_once('.').map_or("", |(owner, _)| owner)).or_default().push(product);
    }
    let sizes: Vec<f64> = owners.keys().map(|owner| tables(within(cells, owner)) as f64).collect();
    let columns = f64::from(COLUMNS.end - COLUMNS.start) / sizes.iter().sum::<f64>().max(1.0);

    let mut free: BTreeSet<(u32, u32)> =
        GROUPS.iter().flat_map(|column| GROUP_ROWS.map(|row| (*column, row))).collect();
    let mut places = Vec::new();
    let (mut left, mut placed) = (f64::from(COLUMNS.start), 0);
    for (of_owner, size) in owners.values().zip(sizes) {
        let width = size * columns;
        let step = width / of_owner.len().div_ceil(GROUP_ROWS.len()) as f64;
        for (n, product) in of_owner.iter().enumerate() {
            let at = left + step * ((n / GROUP_ROWS.len()) as f64 + 0.5);
            let row = GROUP_ROWS[n % GROUP_ROWS.len()];
            let far =
                |group: &(u32, u32)| (f64::from(group.0) + HALF_GROUP - at).abs() + f64::from(group.1.abs_diff(row));
            let Some(group) = free.iter().copied().min_by(|a, b| far(a).total_cmp(&far(b))) else { break };
            free.remove(&group);
            for (multiplier, number) in products[product].iter().zip(IN_GROUP) {
                let place = format!("X{}/Y{}/MULT18_{number}", group.0 + number, group.1);
                places.push(((*multiplier).to_owned(), place));
            }
            placed += 1;
        }
        left += width;
    }
    for (multiplier, place) in places {
        cells[&multiplier]["attributes"]["BEL"] = place.into();
    }
    Ok(placed)
}

/// The block that computes a product, from the name of a multiplier in it: up to the part that names the operator.
fn product(multiplier: &str) -> Option<&str> {
    let operator = multiplier.rfind("fp_mul")?;
    let end = multiplier[operator..].find('.')?;
    Some(&multiplier[..operator + end])
}

/// Look-up tables of cells.
fn tables<'a>(cells: impl Iterator<Item = &'a Value>) -> u64 {
    let mut area = Area::default();
    cells.filter_map(|cell| cell["type"].as_str()).for_each(|kind| area.add(kind, 1));
    area.tables()
}

/// The cells of a block.
fn within<'a>(cells: &'a Map<String, Value>, block: &'a str) -> impl Iterator<Item = &'a Value> {
    let is_within = move |name: &str| name.strip_prefix(block).is_some_and(|rest| rest.starts_with('.'));
    cells.iter().filter(move |(name, _)| is_within(name)).map(|(_, cell)| cell)
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

    #[test]
    fn a_full_design_has_fewer_rows_to_spare() {
        let with_tables = |count: usize| {
            let cells: Map<String, Value> = (0..count).map(|n| (n.to_string(), json!({"type": "LUT4"}))).collect();
            json!({"modules": {"synth_op": {"attributes": {"top": "1"}, "cells": cells}}})
        };
        // Every second row takes 37 of 81 rows of logic, 34,632 tables; every third 29, every seventh 11.
        for (tables, every) in [(36_756, 2), (36_757, 3), (42_372, 3), (42_373, 4), (55_008, 7), (55_009, 0)] {
            assert_eq!(rows_to_spare(&mut with_tables(tables)).expect("a netlist"), every, "{tables}");
        }
    }

    /// A netlist of blocks, each with a table count and products of so many multipliers.
    fn with_products(blocks: &[(&str, usize, &[usize])]) -> Value {
        let mut cells = Map::new();
        for (block, tables, products) in blocks {
            for table in 0..*tables {
                cells.insert(format!("{block}.t{table}"), json!({"type": "LUT4", "attributes": {}}));
            }
            for (product, multipliers) in products.iter().enumerate() {
                for multiplier in 0..*multipliers {
                    let name = format!("{block}.fp_mul_{product}.part{multiplier}_MULT18X18D");
                    cells.insert(name, json!({"type": MULTIPLIER, "attributes": {}}));
                }
            }
        }
        json!({"modules": {"top": {"attributes": {"top": "1"}, "cells": cells}}})
    }

    fn places_of(netlist: &Value, prefix: &str) -> Vec<String> {
        let cells = netlist["modules"]["top"]["cells"].as_object().expect("cells").iter();
        let of_block = cells.filter(|(name, cell)| name.starts_with(prefix) && cell["type"] == MULTIPLIER);
        of_block.filter_map(|(_, cell)| cell["attributes"]["BEL"].as_str().map(str::to_owned)).collect()
    }

    #[test]
    fn a_products_multipliers_are_one_group_within_its_blocks_columns() {
        // `a` has a quarter of the logic, columns 4 to 33; `b` the others.
        let mut netlist = with_products(&[("a", 10, &[4]), ("b", 30, &[4, 3, 4])]);
        assert_eq!(place_multipliers(&mut netlist).expect("a netlist"), 4);
        let group = |column: u32, row: u32| IN_GROUP.map(|n| format!("X{}/Y{row}/MULT18_{n}", column + n)).to_vec();
        // The middle of 4 to 33.25 is 18.6: groups at 13 and 22 have their middles at 16 and 25.
        assert_eq!(places_of(&netlist, "a."), group(13, 34));
        // The middle of 33.25 to 121 is 77.1: the group at 78 has its middle at 81, that at 69 at 72.
        assert_eq!(places_of(&netlist, "b.fp_mul_0"), group(78, 34));
        assert_eq!(places_of(&netlist, "b.fp_mul_1"), group(78, 10)[..3]);
        assert_eq!(places_of(&netlist, "b.fp_mul_2"), group(78, 58));
    }

    #[test]
    fn no_place_is_given_twice_and_what_has_none_is_left_to_the_placer() {
        let products = [4; 45];
        let mut netlist = with_products(&[("a", 5, &products[..20]), ("b", 5, &products[20..])]);
        assert_eq!(place_multipliers(&mut netlist).expect("a netlist"), GROUPS.len() * GROUP_ROWS.len());
        let places = places_of(&netlist, "");
        assert_eq!(places.len(), 156, "an LFE5U-85 has so many");
        assert_eq!(places.iter().collect::<BTreeSet<_>>().len(), places.len());
        // More than a group holds is no product of ours.
        let mut netlist = with_products(&[("a", 5, &[5])]);
        assert_eq!((place_multipliers(&mut netlist).expect("a netlist"), places_of(&netlist, "").len()), (0, 0));
    }
}
