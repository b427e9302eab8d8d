//! What a scheduled kernel costs.

use super::binding::{port_sources, unit_of};
use super::graph::Graph;
use super::schedule::{split_delay, Schedule};
use super::verilog::taps;
use crate::fp::FpOperator;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// Units of one operator.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct UnitUse {
    /// Instances.
    pub units: usize,
    /// Operations that they do a start.
    pub operations: usize,
    /// Inputs of the operand multiplexers, over all units and operands.
    pub sources: usize,
    /// Operand memories.
    pub memories: usize,
}

/// The figures of a schedule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// The kernel.
    pub name: String,
    /// Clocks between starts.
    pub interval: u32,
    /// Clocks from start to done.
    pub latency: u32,
    /// Use of each operator.
    pub operators: BTreeMap<FpOperator, UnitUse>,
    /// Delay bits that are registers.
    pub register_bits: u32,
    /// Delay bits that are in delay lines (their output registers included).
    pub line_bits: u32,
}

impl Report {
    /// Counts.
    pub fn new(graph: &Graph, schedule: &Schedule) -> Self {
        let mut operators: BTreeMap<FpOperator, UnitUse> = BTreeMap::new();
        let unit_of = unit_of(graph, &schedule.units);
        for (n, unit) in schedule.units.iter().enumerate() {
            let used = operators.entry(unit.operator).or_default();
            used.units += 1;
            used.operations += unit.operations.len();
            for port in 0..unit.operator.arity() {
                let sources = port_sources(graph, schedule, &unit_of, n, unit.operations.iter(), port);
                used.sources += sources.collect::<BTreeSet<_>>().len();
                used.memories += usize::from(schedule.has_memories(unit));
            }
        }
        let (mut register_bits, mut line_bits) = (0, 0);
        for (node, taps) in taps(graph, schedule) {
            let mut from = 0;
            for tap in taps {
                let (line, registers) = split_delay(tap - from);
                line_bits += line * graph.nodes[node].width;
                register_bits += registers * graph.nodes[node].width;
                from = tap;
            }
        }
        let Schedule { interval, latency, .. } = *schedule;
        Self { name: graph.name.clone(), interval, latency, operators, register_bits, line_bits }
    }

    /// The part of all phases of an operator's units that do something, 0 to 1.
    pub fn utilization(&self, operator: FpOperator) -> f64 {
        self.operators
            .get(&operator)
            .map_or(0.0, |used| used.operations as f64 / (used.units as f64 * f64::from(self.interval)))
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}: interval {}, latency {} clocks", self.name, self.interval, self.latency)?;
        for (operator, used) in &self.operators {
            writeln!(
                f,
                "  {:<12} {:>3} units, {:>3} operations, {:>3.0} % used, {:>3} operand sources, {:>2} memories",
                operator.module_name(),
                used.units,
                used.operations,
                100.0 * self.utilization(*operator),
                used.sources,
                used.memories,
            )?;
        }
        write!(f, "  delays: {} bits in registers, {} bits in delay lines", self.register_bits, self.line_bits)
    }
}
