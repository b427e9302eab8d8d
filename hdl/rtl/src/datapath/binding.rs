//! Which unit does which operation.
//!
//! The schedule says when; of the units of a class any that is free in a phase will do. What differs is how many wires the
//! units' operand multiplexers choose from, and these wires are what a folded datapath's size and routing come to. A value
//! that is read as soon as it is ready is on its unit's output, so operations that take their operands fresh from one unit
//! share that wire; a value that waited has a register of its own.
//!
//! Operations are first given to units one by one, each to the unit to which it adds the fewest wires. Then they are
//! exchanged: with another one of the phase or, where operands wait in [memories](super::memories) and so may come at any
//! time, with one of another phase, as far as arguments and readers allow; and their operands change places. An exchange is
//! drawn, and stays if it makes the circuit larger by no more than a threshold, which falls to nothing (threshold accepting). What is drawn
//! begins at one seed and is computed in integers: the same graph gives the same circuit everywhere.

use super::graph::{Graph, NodeId, Op};
use super::memories;
use super::schedule::{Operation, Plan, Schedule, Unit};
use crate::fp::FpOperator;
use rayman_model::random::Random;

/// Exchanges that are tried, for each operation.
const TRIES: u32 = 1500;
/// The threshold before the first exchange, in bits of multiplexers' sources; it falls from three quarters of that.
const FIRST_THRESHOLD: i64 = 160;
/// A value that must wait for its operand memory costs as much as so many sources: a register, and a wire of its own.
const CONFLICT: i64 = 3;

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
    let n = operation.argument(port);
    let mut at = schedule.reads(operation.node, n);
    let mut node = graph.nodes[operation.node].args()[n];
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

/// What the multiplexer of a unit's port chooses among, once an operation. A memory's constants are rows of it, or a few gates: no
/// wire.
pub fn port_sources<'a>(
    graph: &'a Graph,
    schedule: &'a Schedule,
    unit_of: &'a [usize],
    unit: usize,
    operations: impl Iterator<Item = &'a Operation> + 'a,
    port: usize,
) -> impl Iterator<Item = Source> + 'a {
    let has_memories = schedule.has_memories(&schedule.units[unit]);
    operations
        .map(move |operation| source(graph, schedule, unit_of, *operation, port))
        .filter(move |source| !has_memories || !matches!(source, Source::Constant(_)))
}

/// The unit of each node, by its number; of one that has none, a number that no unit has.
pub fn unit_of(graph: &Graph, units: &[Unit]) -> Vec<usize> {
    let mut of = vec![usize::MAX; graph.nodes.len()];
    for (n, unit) in units.iter().enumerate() {
        unit.operations.iter().for_each(|operation| of[operation.node] = n);
    }
    of
}

/// Exchanges operations between the units of a class, and operands of an operation, while that makes the circuit smaller.
/// `plan` is what the schedule was made of.
pub(super) fn exchange(plan: &Plan, schedule: &mut Schedule) {
    let mut binding = Binding::new(plan, schedule);
    binding.improve();
    *schedule = binding.schedule;
    for (unit, slots) in schedule.units.iter_mut().zip(binding.slots) {
        unit.operations = slots.into_iter().flatten().collect();
    }
}

/// A unit's phase.
type Slot = (usize, usize);

/// Operations by unit and phase.
struct Binding<'a> {
    plan: &'a Plan<'a>,
    schedule: Schedule,
    slots: Vec<Vec<Option<Operation>>>,
    unit_of: Vec<usize>,
    /// The operations that read a node, through signs or not.
    readers: Vec<Vec<NodeId>>,
    /// Units of a unit's class.
    class: Vec<Vec<usize>>,
    /// Bits of a unit's port.
    widths: Vec<[i64; 2]>,
    /// What a unit's multiplexers cost.
    costs: Vec<i64>,
    /// Room for a port's sources, for the values that come at a time of their own, and for units whose costs change.
    sources: Vec<Source>,
    coming: Vec<(u32, NodeId)>,
    touched: Vec<(usize, i64)>,
}

/// What an exchange moved: to put it back.
struct Moved {
    slots: [(Slot, Option<Operation>); 2],
    issue: [Option<(NodeId, u32)>; 2],
}

impl<'a> Binding<'a> {
    fn new(plan: &'a Plan, schedule: &Schedule) -> Self {
        let graph = plan.graph;
        let slots = schedule.units.iter().map(|unit| {
            let mut slots = vec![None; schedule.interval as usize];
            for operation in &unit.operations {
                slots[schedule.phase(schedule.issue[operation.node]) as usize] = Some(*operation);
            }
            slots
        });
        let slots = slots.collect();
        let mut readers = vec![Vec::new(); graph.nodes.len()];
        for unit in &schedule.units {
            for operation in &unit.operations {
                for arg in graph.nodes[operation.node].args() {
                    let mut node = *arg;
                    readers[node].push(operation.node);
                    while let Op::Neg | Op::Abs = graph.nodes[node].op {
                        node = graph.nodes[node].args()[0];
                        readers[node].push(operation.node);
                    }
                }
            }
        }
        let width = |unit: &Unit, port: usize| {
            let args = unit.operations.iter().filter_map(|o| graph.nodes[o.node].args().get(o.argument(port)).copied());
            args.map(|arg| i64::from(graph.nodes[arg].width)).max().unwrap_or(0)
        };
        let widths = schedule.units.iter().map(|unit| [width(unit, 0), width(unit, 1)]).collect();
        let unit_of = unit_of(graph, &schedule.units);
        let same = |unit: &Unit| {
            let units = schedule.units.iter().enumerate();
            units.filter(|(_, other)| other.operator == unit.operator).map(|(n, _)| n).collect()
        };
        let mut binding = Self {
            plan,
            schedule: schedule.clone(),
            slots,
            unit_of,
            readers,
            class: schedule.units.iter().map(same).collect(),
            widths,
            costs: vec![0; schedule.units.len()],
            sources: Vec::new(),
            coming: Vec::new(),
            touched: Vec::new(),
        };
        (0..binding.costs.len()).for_each(|unit| binding.costs[unit] = binding.unit_cost(unit));
        binding
    }

    /// Bits that the multiplexers of a unit choose from. An operand that is always the same wire has none.
    fn unit_cost(&mut self, unit: usize) -> i64 {
        let graph = self.plan.graph;
        let has_memories = self.schedule.has_memories(&self.schedule.units[unit]);
        let mut cost = 0;
        for port in 0..self.schedule.units[unit].operator.arity() {
            self.sources.clear();
            self.coming.clear();
            let operations = self.slots[unit].iter().flatten();
            for source in port_sources(graph, &self.schedule, &self.unit_of, unit, operations.clone(), port) {
                if !self.sources.contains(&source) {
                    self.sources.push(source);
                }
            }
            for operation in operations.filter(|_| has_memories) {
                let coming = memories::comes(graph, &self.schedule, *operation, port);
                if let Some(coming) = coming.filter(|coming| !self.coming.contains(coming)) {
                    self.coming.push(coming);
                }
            }
            let same_phase = |n: &usize| self.coming[..*n].iter().any(|other| other.0 == self.coming[*n].0);
            let conflicts = (0..self.coming.len()).filter(same_phase).count() as i64;
            let sources = if self.sources.len() > 1 { self.sources.len() as i64 } else { 0 };
            cost += (sources + CONFLICT * conflicts) * self.widths[unit][port];
        }
        cost
    }

    /// Draws exchanges, with a threshold that falls.
    fn improve(&mut self) {
        let of_several = |unit: &&Unit| unit.operations.len() > 1;
        let operations: u32 = self.schedule.units.iter().filter(of_several).map(|u| u.operations.len() as u32).sum();
        let tries = TRIES * operations;
        let random = &mut Random::new(1);
        for n in 0..tries {
            // The last quarter only goes down.
            let left = i64::from(tries - n) - i64::from(tries / 4);
            let threshold = (FIRST_THRESHOLD * left / i64::from(tries)).max(0);
            self.try_exchange(random, threshold);
        }
    }

    fn try_exchange(&mut self, random: &mut Random, threshold: i64) {
        let interval = self.schedule.interval;
        let first = random.below(self.slots.len() as u32) as usize;
        let phase = random.below(interval) as usize;
        let Some(a) = self.slots[first][phase] else { return };
        let second = self.class[first][random.below(self.class[first].len() as u32) as usize];
        let moves = self.schedule.has_memories(&self.schedule.units[first]) && random.one_in(2);
        let other = if moves { random.below(interval) as usize } else { phase };
        let (from, to) = ((first, phase), (second, other));
        let b = if from == to { None } else { self.slots[second][other] };
        let turn = |operation: Operation, random: &mut Random| {
            let op = self.plan.graph.nodes[operation.node].op;
            let commutes = matches!(op, Op::Operator(FpOperator::Add | FpOperator::Mul));
            let turned = commutes && random.one_in(if from == to { 1 } else { 3 });
            Operation { swapped: operation.swapped ^ turned, ..operation }
        };
        let (a, b) = (turn(a, random), b.map(|b| turn(b, random)));
        let delays = |binding: &Self| -> i64 {
            [Some(a), b].into_iter().flatten().map(|o| binding.plan.delay_bits(&binding.schedule, o.node)).sum()
        };
        let delays_before = delays(self);
        let Some(moved) = self.put(from, to, a, b) else { return };
        self.touched.clear();
        let readers = [Some(a), b].into_iter().flatten().flat_map(|operation| &self.readers[operation.node]);
        for unit in [first, second].into_iter().chain(readers.map(|reader| self.unit_of[*reader])) {
            if self.touched.iter().all(|(touched, _)| *touched != unit) {
                self.touched.push((unit, self.costs[unit]));
            }
        }
        let mut worse = delays(self) - delays_before;
        for n in 0..self.touched.len() {
            let (unit, before) = self.touched[n];
            self.costs[unit] = self.unit_cost(unit);
            worse += self.costs[unit] - before;
        }
        if worse > threshold {
            self.put_back(moved);
            self.touched.iter().for_each(|(unit, before)| self.costs[*unit] = *before);
        }
    }

    /// `a`, which is at `from`, goes to `to`, and `b` from there to `from`; `None`, with nothing moved, if they cannot.
    fn put(&mut self, from: Slot, to: Slot, a: Operation, b: Option<Operation>) -> Option<Moved> {
        let mut moved =
            Moved { slots: [(from, self.slots[from.0][from.1]), (to, self.slots[to.0][to.1])], issue: [None; 2] };
        for (n, (operation, to)) in [(Some(a), to), (b, from)].into_iter().enumerate() {
            let Some(operation) = operation else { continue };
            let now = self.schedule.issue[operation.node];
            let Some(at) = self.clock_in_phase(operation.node, to.1 as u32) else {
                self.put_back(moved);
                return None;
            };
            moved.issue[n] = Some((operation.node, now));
            self.set_issue(operation.node, at);
        }
        self.slots[from.0][from.1] = b;
        self.slots[to.0][to.1] = Some(a);
        self.unit_of[a.node] = to.0;
        b.into_iter().for_each(|b| self.unit_of[b.node] = from.0);
        Some(moved)
    }

    fn put_back(&mut self, moved: Moved) {
        moved.issue.into_iter().flatten().rev().for_each(|(node, at)| self.set_issue(node, at));
        for ((unit, phase), operation) in moved.slots {
            self.slots[unit][phase] = operation;
        }
        for ((unit, _), operation) in moved.slots {
            operation.into_iter().for_each(|operation| self.unit_of[operation.node] = unit);
        }
    }

    /// The clock of a phase that is nearest to where an operation is, if its arguments and its readers allow it.
    fn clock_in_phase(&self, node: NodeId, phase: u32) -> Option<u32> {
        let (now, interval) = (self.schedule.issue[node], self.schedule.interval);
        let later = now + (phase + interval - self.schedule.phase(now)) % interval;
        if later == now {
            return Some(now);
        }
        let (first, last) = self.plan.window(&self.schedule, node);
        let clocks = [Some(later), later.checked_sub(interval)];
        clocks.into_iter().flatten().filter(|at| (first..=last).contains(at)).min_by_key(|at| at.abs_diff(now))
    }

    /// Moves an operation, and what its readers know of it.
    fn set_issue(&mut self, node: NodeId, at: u32) {
        let schedule = &mut self.schedule;
        let duration = schedule.ready[node] - schedule.issue[node];
        (schedule.issue[node], schedule.ready[node]) = (at, at + duration);
        for reader in &self.plan.consumers[node] {
            let args = self.plan.graph.nodes[*reader].args();
            if let Some(written) = &mut schedule.written[*reader] {
                for (written, _) in written.iter_mut().zip(args).filter(|(_, arg)| **arg == node) {
                    *written = at + duration;
                }
            }
        }
    }
}
