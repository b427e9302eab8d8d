//! Which unit does which operation.
//!
//! The schedule says when; of the units of a class any that is free in a phase will do. What differs is how many wires the
//! units' operand multiplexers choose from, and these wires are what a folded datapath's size and routing come to. A value
//! that is read as soon as it is ready is on its unit's output, so operations that take their operands fresh from one unit
//! share that wire; a value that waited has a register of its own.
//!
//! Operations are first given to units one by one, each to the unit to which it adds the fewest wires, then exchanged within
//! their phases for as long as that saves wires. No chance is in it: the same graph gives the same circuit.

use super::graph::{Graph, NodeId, Op};
use super::schedule::{Operation, Schedule, Unit};
use crate::fp::FpOperator;

/// Exchanges are tried at most so many times over.
const MOST_SWEEPS: usize = 16;

/// What a multiplexer chooses, but for the sign: that costs one bit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Source {
    /// The output of the unit of this number.
    Unit(usize),
    /// A value that no unit computes.
    Value(NodeId),
    /// A value that has waited in so many registers.
    Delayed(NodeId, u32),
    /// A constant.
    Constant(u32),
}

/// Operand `port` of an operation, as its unit's multiplexer has it. `unit_of` is the unit of each node that has one.
pub fn source(graph: &Graph, schedule: &Schedule, unit_of: &[usize], operation: Operation, port: usize) -> Source {
    let mut at = schedule.issue[operation.node];
    let mut node = graph.nodes[operation.node].args()[if operation.swapped { 1 - port } else { port }];
    loop {
        if let Op::Constant(bits) = graph.nodes[node].op {
            return Source::Constant(bits);
        }
        match (schedule.stages(node, at), graph.nodes[node].op) {
            (0, Op::Operator(_)) => return Source::Unit(unit_of[node]),
            (0, Op::Neg | Op::Abs) => (at, node) = (schedule.issue[node], graph.nodes[node].args()[0]),
            (0, _) => return Source::Value(node),
            (stages, _) => return Source::Delayed(node, stages),
        }
    }
}

/// The unit of each node, by its number; of one that has none, a number that no unit has.
pub fn unit_of(graph: &Graph, units: &[Unit]) -> Vec<usize> {
    let mut of = vec![usize::MAX; graph.nodes.len()];
    for (n, unit) in units.iter().enumerate() {
        unit.operations.iter().for_each(|operation| of[operation.node] = n);
    }
    of
}

/// Exchanges operations between the units of a class, and operands of an operation, while that saves wires.
pub fn exchange(graph: &Graph, schedule: &mut Schedule) {
    let mut binding = Binding::new(graph, schedule);
    let mut least = binding.wires();
    for _ in 0..MOST_SWEEPS {
        let before = least;
        for first in 0..binding.slots.len() {
            for phase in 0..schedule.interval as usize {
                for second in first..binding.slots.len() {
                    if schedule.units[first].operator == schedule.units[second].operator {
                        least = binding.try_exchange(first, second, phase, least);
                    }
                }
            }
        }
        if least == before {
            break;
        }
    }
    let slots = binding.slots;
    for (unit, slots) in schedule.units.iter_mut().zip(slots) {
        unit.operations = slots.into_iter().flatten().collect();
    }
}

/// Operations by unit and phase.
struct Binding<'a> {
    graph: &'a Graph,
    schedule: Schedule,
    slots: Vec<Vec<Option<Operation>>>,
    unit_of: Vec<usize>,
}

impl<'a> Binding<'a> {
    fn new(graph: &'a Graph, schedule: &Schedule) -> Self {
        let slots = schedule.units.iter().map(|unit| {
            let mut slots = vec![None; schedule.interval as usize];
            for operation in &unit.operations {
                slots[schedule.phase(schedule.issue[operation.node]) as usize] = Some(*operation);
            }
            slots
        });
        let slots = slots.collect();
        Self { graph, schedule: schedule.clone(), slots, unit_of: unit_of(graph, &schedule.units) }
    }

    /// Wires that the multiplexers of all units choose from. An operand that is always the same wire has none.
    fn wires(&self) -> usize {
        let mut sources = Vec::new();
        let mut wires = 0;
        for (unit, slots) in self.schedule.units.iter().zip(&self.slots) {
            for port in 0..unit.operator.arity() {
                sources.clear();
                let operations = slots.iter().flatten();
                sources.extend(operations.map(|o| source(self.graph, &self.schedule, &self.unit_of, *o, port)));
                sources.sort_unstable();
                sources.dedup();
                wires += if sources.len() > 1 { sources.len() } else { 0 };
            }
        }
        wires
    }

    /// Exchanges what two units do in a phase, with the operands of both in either order, if one of that has fewer wires
    /// than `least`; with one unit only the order of its operands is tried. The fewest wires seen.
    fn try_exchange(&mut self, first: usize, second: usize, phase: usize, least: usize) -> usize {
        let (a, b) = (self.slots[first][phase], self.slots[second][phase]);
        if a.is_none() && b.is_none() {
            return least;
        }
        let orders = |operation: Option<Operation>| {
            let commutes = operation.is_some_and(|operation| {
                matches!(self.graph.nodes[operation.node].op, Op::Operator(FpOperator::Add | FpOperator::Mul))
            });
            let other = operation.filter(|_| commutes).map(|o| Some(Operation { swapped: !o.swapped, ..o }));
            std::iter::once(operation).chain(other).collect::<Vec<_>>()
        };
        // With one unit there is nothing to exchange but operands.
        let alone = first == second;
        let (mut fewest, mut best) = (least, if alone { (a, a) } else { (a, b) });
        for a in orders(a) {
            for b in if alone { vec![a] } else { orders(b) } {
                self.set([(first, b), (second, a)], phase);
                let wires = self.wires();
                if wires < fewest {
                    (fewest, best) = (wires, (b, a));
                }
            }
        }
        self.set([(first, best.0), (second, best.1)], phase);
        fewest
    }

    fn set(&mut self, slots: [(usize, Option<Operation>); 2], phase: usize) {
        for (unit, operation) in slots {
            self.slots[unit][phase] = operation;
            if let Some(operation) = operation {
                self.unit_of[operation.node] = unit;
            }
        }
    }
}
