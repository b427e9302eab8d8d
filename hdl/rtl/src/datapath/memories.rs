//! Operand memories: where the operands of a much shared unit wait.
//!
//! ```text
//!  units' outputs,   +-------------+ d                +--------------------+ q                +------+
//!  inputs, small --->| multiplexer |---- (register) ->| memory: a row a    |-- (register) --->| unit |
//!  operations        +-------------+                  | phase, by rounds   |                  +------+
//!                                                     +--------------------+
//!                    {round, phase} ---- (register) ---^ to        ^ from ------ {round - back, row}, from a table by the phase
//! ```
//!
//! A unit that does many operations reads operands that waited for different times. Registers for all of them, and a
//! multiplexer in front of the unit that chooses among them, are what a folded datapath's wires come to. So each operand of
//! such a unit has a memory. It is written in every clock, at the place of that clock: its phase, and the *round*, a count of
//! the phase's turns. What nobody wants is written as well, and read by nobody. An operand is read where it was written:
//! from the row of that phase, so many rounds back. So one address to write serves all memories, and the multiplexer chooses
//! among the units whose results this operand ever is, however long they wait.
//!
//! # Clocks
//!
//! | clock | what |
//! | --- | --- |
//! | `w` | the operand on its wire, chosen by the multiplexer |
//! | `w + 1` | in a register, as the place it goes to is; written at the end of this clock |
//! | `w + 2` | at the earliest: the address to read is in its register; read at the end of this clock |
//! | `w + 3` | the operand at the memory's output |
//! | `w + 4` | in a register that may be the memory's own: the clock in which the operation issues |
//!
//! The register in front is for the wires: a choice among results from all over the device, and from there to a column of
//! memories, is too far for one clock.
//!
//! Mostly `w` is the clock in which the value is ready. A memory takes one value a clock, so of two that are ready in one
//! phase one waits in a register first, and if both cannot come in time, the operation is placed later. A row is written
//! again after [`rounds`] rounds, before which the operand must have been read.
//!
//! Rows above the phases hold constants, which are in the memory from the start. An operand's constants that find no row
//! are written like values, in phases that are free.

use super::graph::{Graph, NodeId, Op};
use super::schedule::{Operation, Schedule, FETCH};
use std::collections::{BTreeMap, BTreeSet};

/// An ECP5's block memory, 36 bits wide.
const WORDS: u32 = 512;

/// Rows of a memory: the phases, and at least one for a constant.
pub fn rows(interval: u32) -> u32 {
    (interval + 1).next_power_of_two()
}

/// Rounds after which a row is written again.
pub fn rounds(interval: u32) -> u32 {
    WORDS / rows(interval)
}

/// The clock in which an operation reads its memories.
pub fn read_at(schedule: &Schedule, operation: Operation) -> u32 {
    schedule.issue[operation.node] + 2 - FETCH
}

/// A constant that is in a row from the start: it is written never.
pub fn is_preset(graph: &Graph, schedule: &Schedule, operation: Operation, port: usize) -> Option<u32> {
    let n = operation.argument(port);
    match graph.nodes[graph.nodes[operation.node].args()[n]].op {
        Op::Constant(bits) if schedule.reads(operation.node, n) == 0 => Some(bits),
        _ => None,
    }
}

/// The constants of a memory, in the order of their rows.
pub fn presets(graph: &Graph, schedule: &Schedule, operations: &[Operation], port: usize) -> Vec<u32> {
    let presets = operations.iter().filter_map(|operation| is_preset(graph, schedule, *operation, port));
    presets.collect::<BTreeSet<_>>().into_iter().collect()
}

/// The phase in which an operand of a memory is ready, and the operand; `None` of one that can come in any phase: a constant, an
/// input.
pub fn comes(graph: &Graph, schedule: &Schedule, operation: Operation, port: usize) -> Option<(u32, NodeId)> {
    let n = operation.argument(port);
    let node = graph.nodes[operation.node].args()[n];
    let fixed = !matches!(graph.nodes[node].op, Op::Constant(_) | Op::Input(_));
    fixed.then(|| (schedule.phase(schedule.reads(operation.node, n)), node))
}

/// A value that a memory must take.
struct Wanted {
    node: NodeId,
    /// The first clock in which it may be taken, the last, and the one after which it stays long enough.
    first: u32,
    last: u32,
    after: Option<u32>,
    /// Who reads it: operation and argument. The first issues first.
    readers: Vec<(NodeId, usize)>,
}

impl Wanted {
    fn may_come(&self, at: u32) -> bool {
        self.after.is_none_or(|after| at > after)
    }
}

/// Sets the clocks in which memories take operands. Operations that must be placed later, since a memory takes one of
/// their operands too late, are the answer; with any, the clocks mean nothing.
pub fn write(graph: &Graph, schedule: &mut Schedule) -> Vec<NodeId> {
    let mut late = Vec::new();
    for unit in schedule.units.clone() {
        if schedule.has_memories(&unit) {
            for port in 0..unit.operator.arity() {
                write_port(graph, schedule, &unit.operations, port, &mut late);
            }
        }
    }
    late
}

fn write_port(graph: &Graph, schedule: &mut Schedule, operations: &[Operation], port: usize, late: &mut Vec<NodeId>) {
    let interval = schedule.interval;
    let mut free: BTreeSet<u32> = (0..interval).collect();
    let mut wanted = wanted(graph, schedule, operations, port);
    let mut put = |wanted: &Wanted, at: u32, free: &mut BTreeSet<u32>| {
        free.remove(&(at % interval));
        for (reader, n) in &wanted.readers {
            schedule.written[*reader].as_mut().expect("an operation with memories")[*n] = at;
        }
    };
    // What comes off a unit, in the clock it is ready; then the others, who can wait least first.
    wanted.sort_by_key(|wanted| (wanted.last.saturating_sub(wanted.first), wanted.node));
    wanted.retain(|wanted| {
        let fixed = !matches!(graph.nodes[wanted.node].op, Op::Constant(_) | Op::Input(_));
        let fresh = fixed && wanted.may_come(wanted.first) && free.contains(&(wanted.first % interval));
        if fresh {
            put(wanted, wanted.first, &mut free);
        }
        !fresh
    });
    wanted.sort_by_key(|wanted| (wanted.last, wanted.node));
    for wanted in &wanted {
        let mut clocks = wanted.first..=wanted.last;
        match clocks.find(|at| wanted.may_come(*at) && free.contains(&(at % interval))) {
            Some(at) => put(wanted, at, &mut free),
            None => late.push(wanted.readers[0].0),
        }
    }
}

/// What a memory must take: each value once for all who read it within its row's time, without the constants that have a row.
fn wanted(graph: &Graph, schedule: &Schedule, operations: &[Operation], port: usize) -> Vec<Wanted> {
    let (interval, rounds) = (schedule.interval, rounds(schedule.interval));
    // Of a value read again when its row may have been written again, the last one is still open.
    let mut by_value: BTreeMap<Result<NodeId, u32>, Vec<Wanted>> = BTreeMap::new();
    let mut in_order = operations.to_vec();
    in_order.sort_by_key(|operation| schedule.issue[operation.node]);
    let mut free_rows = rows(interval) - interval;
    let mut preset = BTreeSet::new();
    for operation in in_order {
        let n = operation.argument(port);
        let node = graph.nodes[operation.node].args()[n];
        let read = read_at(schedule, operation);
        let last = schedule.issue[operation.node] - FETCH;
        let (value, first) = match graph.nodes[node].op {
            Op::Constant(bits) => {
                if preset.contains(&bits) {
                    continue;
                }
                if free_rows > 0 {
                    free_rows -= 1;
                    preset.insert(bits);
                    continue;
                }
                // Always there; of clocks as good as each other the earliest that is not before the start.
                (Err(bits), (last + 1).saturating_sub(interval).max(1))
            }
            _ => (Ok(node), schedule.reads(operation.node, n)),
        };
        let after = read.checked_sub(rounds * interval);
        let times = by_value.entry(value).or_default();
        // An interval to choose from, or this reader's is written by itself: so a clock for all is found in the end.
        if times.last().is_none_or(|wanted| after.is_some_and(|after| after + interval > wanted.last)) {
            times.push(Wanted { node, first, last, after, readers: Vec::new() });
        }
        let wanted = times.last_mut().expect("one was pushed");
        wanted.after = after.max(wanted.after);
        wanted.readers.push((operation.node, n));
    }
    by_value.into_values().flatten().collect()
}
