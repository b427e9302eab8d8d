//! Registers that a memory or a multiplier of an ECP5 has inside, and Yosys does not use.
//!
//! ```text
//!  before:  DP16KD, 5.8 ns ----wires----> flip-flops ----> logic
//!  after:   DP16KD with its output registers, 1.0 ns ----> logic
//! ```
//!
//! Yosys leaves every output of a block memory or a multiplier unregistered, though both have registers there. Where each
//! output goes to a plain flip-flop and nowhere else, and all of these have one clock and one enable, the flip-flops are taken away
//! and the cell's own registers are switched on: the same circuit, whose slow outputs have no way between tiles any more.
//! From clock to output nextpnr counts 5.83 ns without and 0.97 ns with them for a memory, 3.86 and 0.74 ns for a multiplier
//! (speed grade 6).
//!
//! A flip-flop with a reset or a set is left alone: of the cells' registers these would also reset what is not read.
//!
//! Source: Lattice FPGA-TN-02204 (memory), FPGA-TN-02205 (sysDSP).

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use serde_json::{json, Map, Value};

use crate::tools::{json, top_cells};

/// A kind of cell with registers at its outputs.
struct Kind {
    name: &'static str,
    /// What its outputs' names begin with; a number follows.
    outputs: &'static str,
    /// Pins of the clocks that it has already; the registers' clock must be theirs.
    clocks: &'static [&'static str],
    /// Pins that reset its registers.
    resets: &'static [&'static str],
    /// Parameters that switch the registers on.
    parameters: &'static [(&'static str, &'static str)],
    /// Pins of the registers' clock, where that is not one of `clocks`.
    own_clock: Option<&'static str>,
    /// Pins of the registers' enable.
    enables: &'static [&'static str],
}

const KINDS: [Kind; 2] = [
    Kind {
        name: "DP16KD",
        outputs: "DO",
        clocks: &["CLKA", "CLKB"],
        resets: &["RSTA", "RSTB"],
        // A memory of 36 bits has its word on the outputs of both ports.
        parameters: &[("REGMODE_A", "OUTREG"), ("REGMODE_B", "OUTREG")],
        own_clock: None,
        enables: &["OCEA", "OCEB"],
    },
    Kind {
        name: "MULT18X18D",
        outputs: "P",
        clocks: &[],
        resets: &["RST0"],
        parameters: &[("REG_OUTPUT_CLK", "CLK0"), ("REG_OUTPUT_CE", "CE0"), ("REG_OUTPUT_RST", "RST0")],
        own_clock: Some("CLK0"),
        enables: &["CE0"],
    },
];

/// A flip-flop without reset.
#[derive(Debug, Clone)]
struct Plain {
    cell: String,
    clock: Value,
    enable: Value,
    output: Value,
}

impl Plain {
    /// None if the cell is another kind of flip-flop.
    fn of(name: &str, cell: &Value) -> Option<Self> {
        let parameter = |name: &str| cell["parameters"][name].as_str().map(str::trim);
        let pin = |name: &str| cell["connections"][name].get(0);
        let is_plain = cell["type"] == "TRELLIS_FF"
            && parameter("CLKMUX") == Some("CLK")
            && parameter("REGSET") == Some("RESET")
            && parameter("LSRMUX") == Some("LSR")
            && pin("LSR").is_none_or(|reset| reset == "0");
        let enable = match parameter("CEMUX")? {
            "1" => json!("1"),
            "CE" => pin("CE")?.clone(),
            _ => return None,
        };
        is_plain.then_some(())?;
        Some(Self { cell: name.to_owned(), clock: pin("CLK")?.clone(), enable, output: pin("Q")?.clone() })
    }
}

/// Does so in a netlist of Yosys. Answers how many flip-flops it took away.
pub fn absorb(netlist: &mut Value) -> Result<usize> {
    let outside = top_outputs(netlist);
    let cells = top_cells(netlist)?;
    let (mut readers, mut flops): (BTreeMap<u64, usize>, BTreeMap<u64, Plain>) = Default::default();
    for bit in outside {
        *readers.entry(bit).or_default() += 1;
    }
    for (name, cell) in cells.iter() {
        for (pin, bits) in cell["connections"].as_object().into_iter().flatten() {
            if cell["port_directions"][pin] == "input" {
                for bit in bits.as_array().into_iter().flatten().filter_map(Value::as_u64) {
                    *readers.entry(bit).or_default() += 1;
                }
            }
        }
        if let (Some(input), Some(flop)) = (cell["connections"]["DI"][0].as_u64(), Plain::of(name, cell)) {
            flops.insert(input, flop);
        }
    }
    let mut absorbed = Vec::new();
    for cell in cells.values_mut() {
        let Some(kind) = KINDS.iter().find(|kind| cell["type"] == kind.name) else { continue };
        if let Some(registers) = registers_of(cell, kind, &readers, &flops) {
            switch_on(cell, kind, &registers);
            absorbed.extend(registers.into_iter().map(|(_, flop)| flop.cell));
        }
    }
    absorbed.iter().for_each(|flop| drop(cells.remove(flop)));
    Ok(absorbed.len())
}

/// The flip-flops behind a cell's outputs, by output, if they can be the cell's own.
fn registers_of(
    cell: &Value,
    kind: &Kind,
    readers: &BTreeMap<u64, usize>,
    flops: &BTreeMap<u64, Plain>,
) -> Option<Vec<(String, Plain)>> {
    let pins = cell["connections"].as_object()?;
    let number =
        |pin: &String| Some(pin.strip_prefix(kind.outputs)?.trim_start_matches(['A', 'B']).parse::<u8>().is_ok());
    let mut registers = Vec::new();
    for (pin, bits) in pins.iter().filter(|(pin, _)| number(pin) == Some(true)) {
        let Some((bit, count)) = bits.get(0).and_then(Value::as_u64).and_then(|bit| readers.get_key_value(&bit)) else {
            continue;
        };
        registers.push((pin.clone(), flops.get(bit).filter(|_| *count == 1)?.clone()));
    }
    let (_, first) = registers.first()?;
    let one_kind = registers.iter().all(|(_, flop)| (&flop.clock, &flop.enable) == (&first.clock, &first.enable));
    let one_clock = kind.clocks.iter().all(|pin| pins.get(*pin).and_then(|bits| bits.get(0)) == Some(&first.clock));
    let no_reset =
        kind.resets.iter().all(|pin| pins.get(*pin).and_then(|bits| bits.get(0)).is_none_or(|bit| bit == "0"));
    (one_kind && one_clock && no_reset).then_some(registers)
}

/// Gives a cell its output registers instead of these flip-flops.
fn switch_on(cell: &mut Value, kind: &Kind, registers: &[(String, Plain)]) {
    for (name, value) in kind.parameters {
        cell["parameters"][*name] = json!(value);
    }
    let (_, first) = &registers[0];
    let mut connect = |pin: &str, direction: &str, bit: &Value| {
        cell["connections"][pin] = json!([bit]);
        cell["port_directions"][pin] = json!(direction);
    };
    for (pin, flop) in registers {
        connect(pin, "output", &flop.output);
    }
    kind.own_clock.iter().for_each(|pin| connect(pin, "input", &first.clock));
    kind.enables.iter().for_each(|pin| connect(pin, "input", &first.enable));
}

/// Nets that leave the top.
fn top_outputs(netlist: &Value) -> Vec<u64> {
    let tops = netlist["modules"].as_object().map(Map::values).into_iter().flatten();
    let ports =
        tops.filter(|module| module.pointer("/attributes/top").is_some()).filter_map(|top| top["ports"].as_object());
    let outputs = ports.flat_map(Map::values).filter(|port| port["direction"] != "input");
    outputs.filter_map(|port| port["bits"].as_array()).flatten().filter_map(Value::as_u64).collect()
}

/// Does so in the netlist of a file. Answers how many flip-flops it took away.
pub fn absorb_file(path: &Path) -> Result<usize> {
    let mut netlist = json(path)?;
    let absorbed = absorb(&mut netlist)?;
    fs::write(path, netlist.to_string()).with_context(|| format!("cannot write {}", path.display()))?;
    Ok(absorbed)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn flop(input: u64, output: u64, enable: Option<u64>, reset: Option<u64>) -> Value {
        let pin = |bit: Option<u64>, other: &str| bit.map_or(json!([other]), |bit| json!([bit]));
        json!({
            "type": "TRELLIS_FF",
            "parameters": {
                "CEMUX": if enable.is_some() { "CE" } else { "1 " }, "CLKMUX": "CLK", "LSRMUX": "LSR", "REGSET": "RESET"
            },
            "port_directions": {"CLK": "input", "DI": "input", "LSR": "input", "CE": "input", "Q": "output"},
            "connections": {
                "CLK": [2], "DI": [input], "LSR": pin(reset, "0"), "CE": pin(enable, "1"), "Q": [output]
            },
        })
    }

    /// A memory whose outputs are nets 10 and 11, a multiplier whose are 20 and 21; nobody reads 12.
    fn netlist(flops: &[(&str, Value)]) -> Value {
        let mut cells = Map::new();
        cells.insert(
            "memory".into(),
            json!({
                "type": "DP16KD",
                "parameters": {"REGMODE_A": "NOREG", "REGMODE_B": "NOREG"},
                "port_directions": {
                    "CLKA": "input", "CLKB": "input", "RSTA": "input", "OCEA": "input", "OCEB": "input",
                    "DOA0": "output", "DOB0": "output", "DOB1": "output"
                },
                "connections": {
                    "CLKA": [2], "CLKB": [2], "RSTA": ["0"], "OCEA": ["0"], "OCEB": ["1"],
                    "DOA0": [10], "DOB0": [11], "DOB1": [12]
                },
            }),
        );
        cells.insert(
            "product".into(),
            json!({
                "type": "MULT18X18D", "parameters": {},
                "port_directions": {"P0": "output", "P35": "output"},
                "connections": {"P0": [20], "P35": [21]},
            }),
        );
        for (name, flop) in flops {
            cells.insert((*name).into(), flop.clone());
        }
        json!({"modules": {"top": {
            "attributes": {"top": "1"}, "cells": cells,
            "ports": {"out": {"direction": "output", "bits": [30, 31, "0"]}, "clock": {"direction": "input", "bits": [2]}},
        }}})
    }

    fn cell<'a>(netlist: &'a Value, name: &str) -> &'a Value {
        &netlist["modules"]["top"]["cells"][name]
    }

    #[test]
    fn plain_flip_flops_behind_every_output_become_the_cells_own() {
        let memory = [("a", flop(10, 30, None, None)), ("b", flop(11, 31, None, None))];
        let product = [("c", flop(20, 40, Some(7), None)), ("d", flop(21, 41, Some(7), None))];
        let mut netlist = netlist(&[memory, product].concat());
        assert_eq!(absorb(&mut netlist).expect("a netlist"), 4);
        let cells = netlist["modules"]["top"]["cells"].as_object().expect("cells");
        assert_eq!(cells.keys().collect::<Vec<_>>(), ["memory", "product"]);
        let memory = cell(&netlist, "memory");
        assert_eq!(memory["parameters"], json!({"REGMODE_A": "OUTREG", "REGMODE_B": "OUTREG"}));
        assert_eq!(
            memory["connections"],
            json!({
                "CLKA": [2], "CLKB": [2], "RSTA": ["0"], "OCEA": ["1"], "OCEB": ["1"],
                "DOA0": [30], "DOB0": [31], "DOB1": [12]
            })
        );
        let product = cell(&netlist, "product");
        assert_eq!(product["connections"], json!({"P0": [40], "P35": [41], "CLK0": [2], "CE0": [7]}));
        assert_eq!(product["port_directions"]["CLK0"], "input");
        assert_eq!(product["parameters"]["REG_OUTPUT_CLK"], "CLK0");
    }

    #[test]
    fn a_cell_keeps_its_flip_flops_if_its_own_would_do_something_else() {
        let plain = flop(10, 30, None, None);
        let mut falling = flop(11, 31, None, None);
        falling["parameters"]["CLKMUX"] = json!("INV");
        let mut other_clock = flop(11, 31, None, None);
        other_clock["connections"]["CLK"] = json!([3]);
        let mut high = flop(11, 31, None, None);
        high["parameters"]["REGSET"] = json!("SET");
        let reader = json!({"type": "LUT4", "port_directions": {"A": "input"}, "connections": {"A": [11]}});
        let seconds = [
            vec![],
            vec![("b", falling)],
            vec![("b", other_clock)],
            vec![("b", high)],
            vec![("b", flop(11, 31, Some(7), None))],
            vec![("b", flop(11, 31, None, Some(7)))],
            vec![("b", flop(11, 31, None, None)), ("c", reader.clone())],
            vec![("b", reader)],
        ];
        for (n, second) in seconds.into_iter().enumerate() {
            let flops = [vec![("a", plain.clone())], second].concat();
            // Without a reader the second output is nobody's; that of the first case is outside.
            let mut netlist = netlist(&flops);
            if n == 0 {
                netlist["modules"]["top"]["ports"]["out"]["bits"] = json!([11]);
            }
            let before = netlist.clone();
            assert_eq!((absorb(&mut netlist).expect("a netlist"), &netlist), (0, &before), "case {n}");
        }
        assert!(absorb(&mut json!({"modules": {}})).is_err());
    }

    #[test]
    fn a_memory_with_a_reset_or_two_clocks_keeps_them_too() {
        for (pin, bit) in [("RSTA", json!([7])), ("CLKA", json!([3]))] {
            let mut netlist = netlist(&[("a", flop(10, 30, None, None)), ("b", flop(11, 31, None, None))]);
            netlist["modules"]["top"]["cells"]["memory"]["connections"][pin] = bit;
            assert_eq!(absorb(&mut netlist).expect("a netlist"), 0, "{pin}");
        }
    }
}
