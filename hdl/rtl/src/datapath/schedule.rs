//! The scheduler: every node of a graph gets its clock, every operator its unit.
//!
//! Clocks are counted from the one in which a start is taken, 0. A node *issues* in the clock in which it reads its
//! arguments and is *ready* in the clock in which its result is on its wire. A value read later than it is ready is
//! delayed; at interval N a wire carries a value of the same computation again only every N clocks, so a value that is
//! read `d` clocks late takes `ceil(d / N)` registers.
//!
//! An input is ready in clock 0 and read in clock 1 at the earliest: out of a register.
//!
//! # Small operations: the depth rule
//!
//! Choices, flags, signs and fields are combinational. Fields, packing, `not` and most signs cleared are wiring and have
//! weight 0, choices and flags weight 1 (about one LUT level), signs turned and products with powers of two 2. A result's depth is its weight added to the greatest depth among the
//! arguments that are ready just then (one that waited in a register has depth 0). No result may be deeper than
//! [`MAX_DEPTH`], no operand of an operator deeper than [`MAX_OPERAND_DEPTH`], and an output has depth 0: where that
//! would be broken, the node waits one clock, so that its arguments come out of registers. So a choice costs no clock
//! where it stands alone, and one where such operations form a chain.
//!
//! # Interval 1
//!
//! Each operator is a unit of its own. Everything is placed as early as its arguments allow.
//!
//! # Interval N > 1: modulo scheduling
//!
//! Operators of a class share `ceil(M / N)` units; a unit takes operands in at most one of N phases for each of its
//! operations. A kernel has no loops, so list scheduling succeeds always: clock by clock, the most urgent ready
//! operators take the free units. A sum and a difference are one class (the adder, with a sign turned). A class with more
//! than one operation has an operand register behind its multiplexers, hence one more clock, unless its operator begins
//! with one. A class with many operations a unit takes its operands out of [memories], [`FETCH`] clocks after
//! they are written.
//!
//! A quotient or root is computed bit by bit, and a unit whose operands are E clocks apart needs about `1/E` of the
//! registers ([`crate::fp::spaced`]). So M of them on one unit are placed E clocks or a multiple of that apart, where E is the
//! greatest divisor of N that leaves room for all M. Nothing waits more than E clocks for that.
//!
//! # Afterwards
//!
//! Nodes that are not critical are moved within their slack, one at a time, while that makes the delays smaller.

use super::binding;
use super::graph::{Graph, NodeId, Op};
use super::memories;
use crate::fp::FpOperator;
use std::collections::BTreeMap;

/// No combinational result is deeper.
pub const MAX_DEPTH: u32 = 2;
/// No operand of an operator is deeper.
pub const MAX_OPERAND_DEPTH: u32 = 1;
/// Delays of so many stages or more are memories with a running address, shorter ones registers.
pub const LINE_STAGES: u32 = 4;
/// Delay lines of so many stages or more are block memories: a distributed one holds 16 words, and one stage is its output
/// register. A block memory's output is slow, so there the last stage is a register by itself: nobody computes with what
/// comes straight out of a memory.
pub const DEEP_LINE_STAGES: u32 = 18;
/// Narrower deep lines stay distributed memories: a block memory is 36 bits wide.
pub const DEEP_LINE_BITS: u32 = 8;
/// A class whose units do so many operations each has operand memories.
const MEMORY_OPERATIONS: u32 = 5;
/// From the clock in which an operand memory takes a value to the first in which an operation may issue with it.
pub const FETCH: u32 = 4;

/// A delay between two taps as it is built: stages of a delay line, and registers behind it.
pub fn split_delay(stages: u32) -> (u32, u32) {
    match stages {
        0..LINE_STAGES => (0, stages),
        LINE_STAGES..DEEP_LINE_STAGES => (stages, 0),
        _ => (stages - 1, 1),
    }
}

/// An operator instance, and what it computes.
#[derive(Clone, Debug)]
pub struct Unit {
    /// The operator. For a class of sums and differences, [`FpOperator::Add`].
    pub operator: FpOperator,
    /// What it does, in order of phase.
    pub operations: Vec<Operation>,
    /// Its operands are at least so many clocks apart, and a multiple of that within a computation.
    pub every: u32,
}

/// One operation of a unit.
#[derive(Clone, Copy, Debug)]
pub struct Operation {
    /// The node.
    pub node: NodeId,
    /// Its operands change places (a sum or product, so that multiplexers are smaller).
    pub swapped: bool,
}

impl Operation {
    /// The argument, by its place in the graph, that is on this port of the unit.
    pub fn argument(&self, port: usize) -> usize {
        if self.swapped {
            1 - port
        } else {
            port
        }
    }
}

/// When each node of a graph is computed, and by what.
#[derive(Clone, Debug)]
pub struct Schedule {
    /// Clocks between starts.
    pub interval: u32,
    /// From a start to its outputs.
    pub latency: u32,
    /// A node's clock of reading.
    pub issue: Vec<u32>,
    /// A node's clock of being on its wire.
    pub ready: Vec<u32>,
    /// All units.
    pub units: Vec<Unit>,
    /// Of an operation whose operands come out of memories: the clocks in which they are written, in the graph's order.
    pub written: Vec<Option<[u32; 2]>>,
}

impl Schedule {
    /// Places the graph for starts every `interval` clocks.
    pub fn new(graph: &Graph, interval: u32) -> Self {
        let mut not_before = BTreeMap::new();
        loop {
            let mut plan = Plan::new(graph, interval, not_before);
            plan.place();
            plan.settle();
            let mut schedule = plan.bind();
            not_before = plan.not_before;
            let late = memories::write(graph, &mut schedule);
            if late.is_empty() {
                return schedule;
            }
            // A clock more is enough in the end: with an interval to choose from every port has a phase for each operand.
            late.into_iter().for_each(|node| {
                not_before.insert(node, schedule.issue[node] + 1);
            });
        }
    }

    /// The clock in which a node's argument `n` is read off its wire: when it issues, or when a memory takes it.
    pub fn reads(&self, id: NodeId, n: usize) -> u32 {
        self.written[id].map_or(self.issue[id], |written| written[n])
    }

    /// A unit takes its operands out of memories, one an operand.
    pub fn has_memories(&self, unit: &Unit) -> bool {
        self.written[unit.operations[0].node].is_some()
    }

    /// Registers between `node` and someone who reads it in clock `at`.
    pub fn stages(&self, node: NodeId, at: u32) -> u32 {
        (at - self.ready[node]).div_ceil(self.interval)
    }

    /// A unit takes its operands through a register: its class has more than one operation, and its operator does not begin
    /// with one.
    pub fn has_operand_register(&self, unit: &Unit) -> bool {
        let node = unit.operations[0].node;
        self.ready[node] - self.issue[node] > unit.operator.latency() as u32
    }

    /// The phase of a clock.
    pub fn phase(&self, clock: u32) -> u32 {
        clock % self.interval
    }
}

/// A schedule being made.
pub(super) struct Plan<'a> {
    pub(super) graph: &'a Graph,
    interval: u32,
    /// Who reads a node.
    pub(super) consumers: Vec<Vec<NodeId>>,
    is_output: Vec<bool>,
    /// Operations a class.
    sizes: BTreeMap<FpOperator, u32>,
    /// Operations of a class in each phase.
    load: BTreeMap<FpOperator, Vec<u32>>,
    issue: Vec<Option<u32>>,
    ready: Vec<u32>,
    depth: Vec<u32>,
    latency: u32,
    /// Operations for whose operands memories had no earlier clock.
    not_before: BTreeMap<NodeId, u32>,
}

impl<'a> Plan<'a> {
    fn new(graph: &'a Graph, interval: u32, not_before: BTreeMap<NodeId, u32>) -> Self {
        let count = graph.nodes.len();
        let mut consumers = vec![Vec::new(); count];
        for (id, node) in graph.nodes.iter().enumerate() {
            node.args().iter().for_each(|arg| consumers[*arg].push(id));
        }
        let mut is_output = vec![false; count];
        graph.outputs.iter().for_each(|end| is_output[end.node] = true);
        let mut plan = Self {
            graph,
            interval,
            consumers,
            is_output,
            sizes: BTreeMap::new(),
            load: BTreeMap::new(),
            issue: vec![None; count],
            ready: vec![0; count],
            depth: vec![0; count],
            latency: 0,
            not_before,
        };
        for id in 0..count {
            if let Some(class) = plan.class(id) {
                *plan.sizes.entry(class).or_default() += 1;
                plan.load.entry(class).or_insert_with(|| vec![0; interval as usize]);
            }
        }
        plan
    }

    fn class(&self, id: NodeId) -> Option<FpOperator> {
        match self.graph.nodes[id].op {
            Op::Operator(operator) if self.interval > 1 => Some(operator.shared_unit()),
            Op::Operator(operator) => Some(operator),
            _ => None,
        }
    }

    /// Clocks between the operands of a class's unit: with `E`, an operator that computes bit by bit takes about `1/E` of
    /// the area. A divisor of the interval, so that the phase tells when they come.
    fn every(&self, class: FpOperator) -> u32 {
        let room = self.interval / self.sizes[&class];
        if !class.can_be_spaced() || room < 2 {
            return 1;
        }
        (1..=room).rev().find(|every| self.interval.is_multiple_of(*every)).unwrap_or(1)
    }

    fn units(&self, class: FpOperator) -> u32 {
        self.sizes[&class].div_ceil(self.interval)
    }

    /// The first clock that memories leave to an operation.
    fn may_issue(&self, id: NodeId) -> u32 {
        self.not_before.get(&id).copied().unwrap_or(0)
    }

    /// Its operands come out of memories.
    fn fetches(&self, id: NodeId) -> bool {
        self.class(id).is_some_and(|class| {
            let many = self.sizes[&class] >= MEMORY_OPERATIONS * self.units(class);
            self.interval > 1 && many && !class.can_be_spaced()
        })
    }

    /// The first clock in which a memory may take `arg`: an input out of its register, and what is too deep, too.
    fn may_be_written(&self, arg: NodeId) -> u32 {
        let waits = matches!(self.graph.nodes[arg].op, Op::Input(_)) || self.depth[arg] > MAX_OPERAND_DEPTH;
        self.ready[arg] + u32::from(waits)
    }

    /// From issue to ready.
    fn duration(&self, id: NodeId) -> u32 {
        self.class(id).map_or(0, |class| {
            let operand_register = self.interval > 1 && self.sizes[&class] > 1 && !class.registers_operands();
            class.latency() as u32 + u32::from(operand_register)
        })
    }

    fn is_constant(&self, id: NodeId) -> bool {
        matches!(self.graph.nodes[id].op, Op::Constant(_))
    }

    fn weight(&self, id: NodeId) -> u32 {
        let node = &self.graph.nodes[id];
        match node.op {
            Op::Select | Op::And | Op::Or => 1,
            // Is it a NaN? Nine bits say so, or thirty-one where it may be any NaN.
            Op::Neg => 2,
            // Eight bits of carry, and a choice behind them.
            Op::Scale { .. } => 2,
            Op::Abs if self.graph.nodes[node.args()[0]].canonical => 0,
            Op::Abs => 2,
            _ => 0,
        }
    }

    /// The greatest depth among arguments that are on their wires in clock `at`, none waiting in a register.
    fn depth_at(&self, id: NodeId, at: u32) -> u32 {
        let args = self.graph.nodes[id].args().iter();
        args.filter(|arg| !self.is_constant(**arg) && self.ready[**arg] == at)
            .map(|arg| self.depth[*arg])
            .max()
            .unwrap_or(0)
    }

    /// The depth rule for `id` reading in clock `at`.
    fn shallow(&self, id: NodeId, at: u32) -> bool {
        if self.fetches(id) {
            return at >= self.arguments_come(id);
        }
        let depth = self.depth_at(id, at);
        match self.class(id) {
            Some(_) => depth <= MAX_OPERAND_DEPTH,
            None => depth + self.weight(id) <= MAX_DEPTH,
        }
    }

    /// The first clock in which `id` may read, all its arguments being placed.
    fn earliest(&self, id: NodeId) -> u32 {
        let at = self.arguments_come(id).max(self.may_issue(id));
        at + u32::from(!self.shallow(id, at))
    }

    /// The first clock in which all arguments of `id` may be read. An input is read from its first register, so that no
    /// path leads from the block before into this one's operators.
    fn arguments_come(&self, id: NodeId) -> u32 {
        let args = self.graph.nodes[id].args().iter().filter(|arg| !self.is_constant(**arg));
        let fetches = self.fetches(id);
        let comes = |arg: NodeId| match fetches {
            true => self.may_be_written(arg) + FETCH,
            false => self.ready[arg] + u32::from(matches!(self.graph.nodes[arg].op, Op::Input(_))),
        };
        args.map(|arg| comes(*arg)).max().unwrap_or(0)
    }

    /// Until when a reader that issues in clock `at` wants its argument on the wire.
    fn wanted(&self, reader: NodeId, at: u32) -> u32 {
        if self.fetches(reader) {
            at - FETCH
        } else {
            at
        }
    }

    /// When memories take the operands of an operation at the earliest.
    fn first_written(&self, id: NodeId) -> [u32; 2] {
        let args = self.graph.nodes[id].args();
        [0, 1].map(|n| args.get(n).map_or(0, |arg| if self.is_constant(*arg) { 0 } else { self.may_be_written(*arg) }))
    }

    /// The first and the last clock in which an operation with memories may issue, all others being where a schedule has them.
    pub(super) fn window(&self, schedule: &Schedule, id: NodeId) -> (u32, u32) {
        let args = self.graph.nodes[id].args().iter().filter(|arg| !self.is_constant(**arg));
        let waits = |arg: NodeId| self.may_be_written(arg) - self.ready[arg];
        let first = args.map(|arg| schedule.ready[*arg] + waits(*arg) + FETCH).max().unwrap_or(0);
        let first = first.max(self.may_issue(id));
        let wanted = |reader: &NodeId| self.wanted(*reader, schedule.issue[*reader]);
        let readers = self.consumers[id].iter().map(wanted).chain(self.is_output[id].then_some(self.latency));
        let last = readers.min().expect("what nobody reads is not computed");
        (first, last.saturating_sub(self.duration(id)))
    }

    /// Bits of registers, about, that a schedule's delays of a value take.
    pub(super) fn delay_bits(&self, schedule: &Schedule, id: NodeId) -> i64 {
        let readers = self.consumers[id].iter().filter(|consumer| !self.fetches(**consumer));
        let readers = readers.map(|consumer| schedule.issue[*consumer]);
        i64::from(self.cost_of_delay(id, schedule.ready[id], readers)) / 16
    }

    fn fits(&self, class: FpOperator, at: u32) -> bool {
        if self.interval == 1 {
            return true;
        }
        let load = &self.load[&class];
        let every = self.every(class);
        let in_step = |phase: usize| load[phase] == 0 || phase as u32 % every == at % every;
        load[(at % self.interval) as usize] < self.units(class) && (every == 1 || (0..load.len()).all(in_step))
    }

    fn put(&mut self, id: NodeId, at: u32) {
        self.issue[id] = Some(at);
        self.ready[id] = at + self.duration(id);
        self.depth[id] = match self.class(id) {
            Some(class) => {
                if let Some(load) = self.load.get_mut(&class) {
                    load[(at % self.interval) as usize] += 1;
                }
                0
            }
            None => self.depth_at(id, at) + self.weight(id),
        };
    }

    fn take(&mut self, id: NodeId) -> u32 {
        let at = self.issue[id].take().expect("a placed node");
        if let Some(class) = self.class(id) {
            if let Some(load) = self.load.get_mut(&class) {
                load[(at % self.interval) as usize] -= 1;
            }
        }
        at
    }

    /// Clocks from a node's issue to the last output that waits for it.
    fn urgency(&self) -> Vec<u32> {
        let mut urgency = vec![0; self.graph.nodes.len()];
        for id in (0..urgency.len()).rev() {
            let after = self.consumers[id].iter().map(|consumer| urgency[*consumer]).max().unwrap_or(0);
            urgency[id] = after + self.duration(id);
        }
        urgency
    }

    /// As early as arguments and units allow.
    fn place(&mut self) {
        let urgency = self.urgency();
        let count = self.graph.nodes.len();
        let mut clock = 0;
        while self.issue.iter().any(Option::is_none) {
            let mut waiting = Vec::new();
            for id in 0..count {
                let placed = |arg: &NodeId| self.issue[*arg].is_some();
                if self.issue[id].is_some() || !self.graph.nodes[id].args().iter().all(placed) {
                    continue;
                }
                let earliest = self.earliest(id);
                if self.interval == 1 || self.class(id).is_none() {
                    self.put(id, earliest);
                } else if earliest <= clock {
                    waiting.push(id);
                }
            }
            waiting.sort_by_key(|id| std::cmp::Reverse(urgency[*id]));
            for id in waiting {
                if self.class(id).is_some_and(|class| self.fits(class, clock)) {
                    self.put(id, clock);
                }
            }
            clock += 1;
        }
        let ends = self.graph.outputs.iter().map(|end| self.ready[end.node] + u32::from(self.depth[end.node] > 0));
        // One clock for the flag that says so; two where it is made from the phase.
        self.latency = ends.max().unwrap_or(0).max(1 + u32::from(self.interval > 1));
    }

    /// What delaying a value costs, about in registers.
    fn delay_cost(&self, id: NodeId) -> u32 {
        if self.is_constant(id) || self.issue[id].is_none() {
            return 0;
        }
        // What memories keep costs nothing.
        let readers = self.consumers[id].iter().filter(|consumer| !self.fetches(**consumer));
        self.cost_of_delay(id, self.ready[id], readers.filter_map(|consumer| self.issue[*consumer]))
    }

    /// What it costs that a value that is ready in a clock has readers in these, 16 a register.
    fn cost_of_delay(&self, id: NodeId, ready: u32, readers: impl Iterator<Item = u32>) -> u32 {
        let last = readers.chain(self.is_output[id].then_some(self.latency)).max().unwrap_or(ready);
        let stages = last.saturating_sub(ready).div_ceil(self.interval);
        // A memory bit of 16 stages is about two LUTs; what is in front of it counts as registers.
        self.graph.nodes[id].width * if stages < LINE_STAGES { 16 * stages } else { 16 * 3 + stages }
    }

    /// The delays that moving `id` can change: its own and its arguments'.
    fn cost_around(&self, id: NodeId) -> u32 {
        let mut args = self.graph.nodes[id].args().to_vec();
        args.sort_unstable();
        args.dedup();
        self.delay_cost(id) + args.iter().map(|arg| self.delay_cost(*arg)).sum::<u32>()
    }

    /// Moves what has slack to where the delays are smallest.
    fn settle(&mut self) {
        for _ in 0..4 {
            let mut moved = false;
            for id in (0..self.graph.nodes.len()).rev().chain(0..self.graph.nodes.len()) {
                if self.graph.nodes[id].op.arity() > 0 {
                    moved |= self.move_within_slack(id);
                }
            }
            if !moved {
                return;
            }
        }
    }

    fn move_within_slack(&mut self, id: NodeId) -> bool {
        let now = self.issue[id].expect("a placed node");
        let duration = self.duration(id);
        let readers =
            self.consumers[id].iter().filter_map(|consumer| Some(self.wanted(*consumer, self.issue[*consumer]?)));
        let Some(last) = readers.chain(self.is_output[id].then_some(self.latency)).min() else { return false };
        let first = self.arguments_come(id).max(self.may_issue(id));
        let before = self.cost_around(id);
        let (mut best, mut place) = (before, now);
        self.take(id);
        for at in first..=last.saturating_sub(duration) {
            if at == now || !self.class(id).is_none_or(|class| self.fits(class, at)) {
                continue;
            }
            self.put(id, at);
            let cost = self.cost_around(id);
            if cost < best && self.shallow(id, at) && self.readers_stay_shallow(id) {
                (best, place) = (cost, at);
            }
            self.take(id);
        }
        self.put(id, place);
        self.readers_stay_shallow(id);
        best < before
    }

    /// Recomputes the depths behind `id`; whether the depth rule holds there.
    fn readers_stay_shallow(&mut self, id: NodeId) -> bool {
        let mut holds = !self.is_output[id] || self.depth[id] == 0 || self.ready[id] < self.latency;
        for reader in self.consumers[id].clone() {
            let Some(at) = self.issue[reader] else { continue };
            holds &= self.shallow(reader, at);
            if self.class(reader).is_none() {
                let depth = self.depth_at(reader, at) + self.weight(reader);
                if depth != self.depth[reader] {
                    self.depth[reader] = depth;
                    holds &= self.readers_stay_shallow(reader);
                }
            }
        }
        holds
    }

    /// Gives the operations of a class to its units so that their multiplexers have few sources.
    fn bind(&self) -> Schedule {
        let issue: Vec<u32> = self.issue.iter().map(|at| at.expect("a placed node")).collect();
        let schedule = Schedule {
            interval: self.interval,
            latency: self.latency,
            issue,
            ready: self.ready.clone(),
            units: Vec::new(),
            written: (0..self.issue.len()).map(|id| self.fetches(id).then(|| self.first_written(id))).collect(),
        };
        let mut units = Vec::new();
        for (class, size) in &self.sizes {
            let mut nodes: Vec<_> = (0..self.graph.nodes.len()).filter(|id| self.class(*id) == Some(*class)).collect();
            nodes.sort_by_key(|id| (schedule.phase(schedule.issue[*id]), schedule.issue[*id], *id));
            if self.interval == 1 {
                units.extend(nodes.iter().map(|node| Unit {
                    operator: *class,
                    operations: vec![Operation { node: *node, swapped: false }],
                    every: 1,
                }));
                continue;
            }
            let mut sharing: Vec<Sharing> = (0..size.div_ceil(self.interval)).map(|_| Sharing::default()).collect();
            for node in nodes {
                let phase = schedule.phase(schedule.issue[node]);
                let commutes = matches!(self.graph.nodes[node].op, Op::Operator(FpOperator::Add | FpOperator::Mul));
                let source = |arg: &NodeId| {
                    let constant = self.is_constant(*arg);
                    (*arg, if constant { 0 } else { schedule.stages(*arg, schedule.issue[node]) })
                };
                let sources: Vec<_> = self.graph.nodes[node].args().iter().map(source).collect();
                let free = sharing.iter().enumerate().filter(|(_, unit)| !unit.phases.contains(&phase));
                let choices = free.flat_map(|(n, unit)| {
                    [false, true].into_iter().take(1 + usize::from(commutes)).map(move |swapped| (n, unit, swapped))
                });
                let (unit, swapped) = choices
                    .min_by_key(|(n, unit, swapped)| {
                        let operation = Operation { node, swapped: *swapped };
                        (unit.new_sources(&sources, operation), unit.phases.len(), *n, *swapped)
                    })
                    .map(|(n, _, swapped)| (n, swapped))
                    .expect("a class has a unit for each phase that is taken");
                sharing[unit].add(phase, &sources, Operation { node, swapped });
            }
            let every = self.every(*class);
            units.extend(sharing.into_iter().map(|unit| Unit { operator: *class, operations: unit.operations, every }));
        }
        let mut schedule = Schedule { units, ..schedule };
        if self.interval > 1 {
            binding::exchange(self, &mut schedule);
        }
        schedule
    }
}

/// A unit being filled.
#[derive(Default)]
struct Sharing {
    phases: Vec<u32>,
    sources: [Vec<(NodeId, u32)>; 2],
    operations: Vec<Operation>,
}

impl Sharing {
    fn new_sources(&self, sources: &[(NodeId, u32)], operation: Operation) -> usize {
        // Which port an argument is on, and which argument a port has, is the same exchange.
        let fresh = |(n, source): &(usize, &(NodeId, u32))| !self.sources[operation.argument(*n)].contains(source);
        sources.iter().enumerate().filter(fresh).count()
    }

    fn add(&mut self, phase: u32, sources: &[(NodeId, u32)], operation: Operation) {
        self.phases.push(phase);
        for (n, source) in sources.iter().enumerate() {
            let known = &mut self.sources[operation.argument(n)];
            if !known.contains(source) {
                known.push(*source);
            }
        }
        self.operations.push(operation);
    }
}
