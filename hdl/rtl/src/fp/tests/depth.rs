//! Operators at every depth: the same bits, each after exactly so many clocks.

use super::super::depth::cuts;
use super::super::{DepthError, FAdd};
use super::{compare_at, FpOperator, Vectors, OPERATORS};

/// Pairs for each operator and depth, beside what empties the pipeline.
const PAIRS: usize = 2_500;

/// Every depth of a short operator; of a long one those whose clocks have different numbers of steps in them.
fn depths(operator: FpOperator) -> Vec<usize> {
    let long = operator.latency() > 10;
    operator.depths().filter(|depth| !long || [1, 2, 3, 5, 8, 11, 15, 16, 24].contains(depth)).collect()
}

fn at_every_depth(operators: &[FpOperator]) {
    for &operator in operators {
        for depth in depths(operator) {
            let seed = 0xdeb7_0000 + ((operator as u64) << 8) + depth as u64;
            let what = format!("seed {seed:#x}");
            let compared = compare_at(operator, depth, Vectors::new(seed).take(PAIRS), &what);
            assert!(compared >= PAIRS, "{operator:?} of {depth} clocks: only {compared} pairs were compared");
        }
    }
}

#[test]
fn sums_at_every_depth() {
    at_every_depth(&[FpOperator::Add, FpOperator::Sub]);
}

#[test]
fn products_at_every_depth() {
    at_every_depth(&[FpOperator::Mul]);
}

#[test]
fn quotients_at_many_depths() {
    at_every_depth(&[FpOperator::Div]);
}

#[test]
fn roots_at_many_depths() {
    at_every_depth(&[FpOperator::Sqrt]);
}

#[test]
fn comparisons_and_conversions_at_every_depth() {
    use FpOperator::{Eq, FloatToInt, IntToFloat, Le, Lt};
    at_every_depth(&[Lt, Le, Eq, IntToFloat, FloatToInt]);
}

/// The longest way between registers, by the weights.
fn longest(weights: &[u32], cuts: &[bool]) -> u32 {
    let (mut longest, mut way) = (0, 0);
    for (weight, cut) in weights.iter().zip(cuts) {
        way += weight;
        longest = longest.max(way);
        way = if *cut { 0 } else { way };
    }
    longest
}

/// The least bound that so many clocks can keep, found by trying all.
fn least_bound(weights: &[u32], depth: usize) -> u32 {
    let fits = |bound: u32| {
        let (mut clocks, mut way) = (1, 0);
        for &weight in weights {
            if way + weight > bound {
                (clocks, way) = (clocks + 1, 0);
            }
            way += weight;
        }
        weights.iter().all(|&weight| weight <= bound) && clocks <= depth
    };
    (1..).find(|&bound| fits(bound)).expect("the sum of all fits")
}

#[test]
fn cuts_are_as_many_as_asked_for_and_keep_every_way_short() {
    for &operator in OPERATORS {
        let weights = operator.weights();
        for depth in operator.depths() {
            let cuts = cuts(operator, depth).expect("a depth that there is");
            assert_eq!(cuts.len(), weights.len());
            assert_eq!(cuts.iter().filter(|cut| **cut).count(), depth, "{operator:?}");
            assert_eq!(cuts.last(), Some(&true), "{operator:?} of {depth} clocks: the result is in registers");
            let (got, bound) = (longest(weights, &cuts), least_bound(weights, depth));
            assert!(got <= bound, "{operator:?} of {depth} clocks: a way of {got} where {bound} would do: {cuts:?}");
        }
        assert_eq!(cuts(operator, operator.latency()), Ok(vec![true; weights.len()]), "every cut is recommended");
    }
}

#[test]
fn there_is_no_depth_of_0_nor_one_above_the_recommended() {
    for &operator in OPERATORS {
        for depth in [0, operator.latency() + 1, usize::MAX] {
            let error = DepthError { operator, depth };
            assert_eq!(operator.verilog_at_depth(depth), Err(error));
            assert_eq!(operator.boxed_at_depth(depth).err(), Some(error));
        }
    }
    let error = FAdd::new(12).err().expect("an adder has 9 stages").to_string();
    assert_eq!(error, "fp_add has no form of 12 clocks: its depth is 1 to 9, recommended 9");
}

#[test]
fn the_recommended_depth_is_the_operator_of_the_catalogue() {
    for &operator in OPERATORS {
        assert_eq!(operator.verilog_at_depth(operator.latency()), Ok(operator.verilog()));
    }
}

#[test]
fn the_documents_table_of_depths_is_the_catalogues() {
    let text = include_str!("../../../../../docs/operators.md");
    let section = text.split("## Depth").nth(1).and_then(|rest| rest.split("\n## ").next()).expect("a section");
    let rows: Vec<Vec<&str>> = section
        .lines()
        .filter(|line| line.starts_with("| `fp_"))
        .map(|line| line.trim_matches('|').split('|').map(str::trim).collect())
        .collect();
    for &operator in OPERATORS {
        let name = format!("`{}`", operator.module_name());
        let row = rows.iter().find(|row| row[0].split(", ").any(|word| word == name)).expect("a row");
        let (depths, recommended) = (operator.depths(), operator.latency());
        assert_eq!(row[1..], [format!("{} to {}", depths.start(), depths.end()), recommended.to_string()], "{name}");
    }
}

/// A register more or less in the Verilog: what stands between registers is wires, not registers without a clock.
#[test]
fn a_lesser_depth_has_fewer_registers_in_its_verilog() {
    let flops = |depth| {
        let text = FpOperator::Mul.verilog_at_depth(depth).expect("a depth that there is");
        (text.matches("posedge").count(), text.contains("always @(*) q = d;"))
    };
    let (most, wires) = flops(FpOperator::Mul.latency());
    assert!(most > 0 && !wires);
    let (fewest, wires) = flops(1);
    assert!(fewest < most && wires, "{fewest} kinds of registers, at the recommended depth {most}");
}
