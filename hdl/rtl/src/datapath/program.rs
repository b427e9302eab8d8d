//! A kernel as a program: one unit of each operator, values in a memory, one operation a clock at most.
//!
//! ```text
//!            +---------+ row   +---------------+ a, b  +-----------+
//!  phase --->| program |------>| values (two   |------>| operators |---+
//!            | (ROM)   |---+   | block memories)|      | simple    |   |
//!            +---------+   |   +---------------+       +-----------+   |
//!  inputs, constants ------|---------- given ------------------------->+--> result --> values, outputs
//!                          +---- which result is written, and where ---'
//! ```
//!
//! For a kernel that is wanted seldom (the camera, once a frame): a folded datapath has a memory a unit and operand with a
//! multiplexer in front of it, a program has one for all. The next start is taken when the last is done.
//!
//! # Clocks
//!
//! Counted from the start, 0. In clock `n` the phase is `n`; row `r`, fetched by phase `r - 2`, stands in its register in
//! clock `r`. An operation of row `r` has
//!
//! | clock | what |
//! | --- | --- |
//! | `r` | the addresses of its operands on the memories |
//! | `r + 1` | the operands at the memories' outputs |
//! | `r + 2` | in registers that may be the memories' own |
//! | `r + 3` | in the operand registers, on all units |
//! | `r + 3 + latency` | the result on the unit's wire, and the row that writes it in the row register |
//! | one later | the result in its register, written at the end of this clock |
//! | two later | the first row that may read it; an output has it |
//!
//! Inputs and constants are *given*: a row copies one into the values. Simple operations have latency 1. A choice takes
//! two rows, the first of which reads the condition. A product with a power of two is a product. Quotients and roots are
//! computed bit by bit in one cell each ([`crate::fp::spaced`]), so their operands are [`SPACING`] clocks apart.
//!
//! The scheduler is a list scheduler: row by row the most urgent operation whose operands can be read, whose unit is free
//! and whose result has the write port for itself. A value's place is free again after its last reader's row.

use super::graph::{is_canonical, power_of_two, Graph, NodeId, Op};
use crate::fp::FpOperator;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

mod verilog;

pub use verilog::write;

/// The first row: fetched in the clock after a start, it comes through two registers.
pub const FIRST_ROW: u32 = 3;
/// Between the operands of a unit that computes bit by bit.
pub const SPACING: u32 = 26;
/// From a row to its operands on the units.
const FETCH: u32 = 3;
/// From the row that writes a value to the first that may read it, and to the output that shows it.
const WRITE: u32 = 2;
/// From the row that gives an input or a constant to the row that writes it.
const GIVE: u32 = 2;

/// Where a written result comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Source {
    /// An input or a constant.
    Given,
    /// The simple operations.
    Simple,
    /// A unit.
    Unit(FpOperator),
}

/// An input or a constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Given {
    /// The n-th input.
    Input(usize),
    /// The bits.
    Constant(u32),
}

/// A value that a row makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Value {
    Node(NodeId),
    /// A constant, of these bits.
    Constant(u32),
}

/// What a row starts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Start {
    /// Nothing.
    #[default]
    Nothing,
    /// A unit. Of the adder: whether it subtracts.
    Unit(FpOperator, bool),
    /// The simple operation of this number in [`Program::simple`].
    Simple(usize),
    /// The condition of the next row's choice is read.
    Test,
    /// The given value of this number in [`Program::given`].
    Give(usize),
}

/// What a row writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Write {
    /// The result.
    pub source: Source,
    /// Its place among the values, if it is read again.
    pub place: Option<usize>,
    /// Its place in [`Program::shown`], if it is an output.
    pub shown: Option<usize>,
}

/// A clock's work.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Row {
    /// What starts.
    pub start: Start,
    /// The operands' places; 0 where there is none.
    pub read: [usize; 2],
    /// What is written.
    pub write: Option<Write>,
}

/// A kernel as rows.
#[derive(Clone, Debug)]
pub struct Program {
    /// Rows, the first being number [`FIRST_ROW`].
    pub rows: Vec<Row>,
    /// From a start to its outputs, and to the next start.
    pub latency: u32,
    /// Places for values.
    pub places: usize,
    /// What rows give.
    pub given: Vec<Given>,
    /// The kinds of simple operations, and whether their operand is certainly no NaN but the one NaN; a choice is one.
    pub simple: Vec<(Op, bool)>,
    /// The operators that have a unit.
    pub units: Vec<FpOperator>,
    /// The nodes that are outputs, each once.
    pub shown: Vec<NodeId>,
}

impl Program {
    /// Schedules a graph.
    pub fn new(graph: &Graph) -> Self {
        Planner::new(graph).plan()
    }

    /// The row that stands in the row register in clock `clock` after the start.
    pub fn row(&self, clock: u32) -> Row {
        let index = clock.checked_sub(FIRST_ROW).map(|index| index as usize);
        index.and_then(|index| self.rows.get(index)).copied().unwrap_or_default()
    }
}

impl fmt::Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let starts = self.rows.iter().filter(|row| row.start != Start::Nothing).count();
        writeln!(
            f,
            "a program of {} rows, {starts} of which start something; latency {} clocks",
            self.rows.len(),
            self.latency
        )?;
        for unit in &self.units {
            let of = |row: &&Row| matches!(row.start, Start::Unit(operator, _) if operator == *unit);
            writeln!(f, "  {:<16} {:>3} operations", unit.module_name(), self.rows.iter().filter(of).count())?;
        }
        write!(
            f,
            "  {} places for values, {} inputs and constants, {} outputs",
            self.places,
            self.given.len(),
            self.shown.len()
        )
    }
}

/// A value to be made, and of what.
#[derive(Clone, Debug)]
struct Task {
    op: Op,
    /// Operands in the order of the ports; a choice's are condition, yes, no.
    operands: Vec<Value>,
    /// Rows that it takes.
    rows: u32,
    /// From its last row to the row that writes it.
    duration: u32,
    /// Rows from its first to the last output that waits for it.
    urgency: u32,
}

struct Planner<'a> {
    graph: &'a Graph,
    tasks: BTreeMap<Value, Task>,
    shown: Vec<NodeId>,
}

impl<'a> Planner<'a> {
    fn new(graph: &'a Graph) -> Self {
        let mut planner = Self { graph, tasks: BTreeMap::new(), shown: Vec::new() };
        for end in &graph.outputs {
            if !planner.shown.contains(&end.node) {
                planner.shown.push(end.node);
            }
        }
        for id in 0..graph.nodes.len() {
            planner.add(id);
        }
        planner.drop_unread();
        planner.set_urgency();
        planner
    }

    fn value(&self, node: NodeId) -> Value {
        match self.graph.nodes[node].op {
            // As an output it keeps its number; elsewhere equal bits are one value.
            Op::Constant(bits) if !self.shown.contains(&node) => Value::Constant(bits),
            _ => Value::Node(node),
        }
    }

    fn add(&mut self, id: NodeId) {
        let node = self.graph.nodes[id];
        let mut operands: Vec<_> = node.args().iter().map(|arg| self.value(*arg)).collect();
        let (op, rows, duration) = match node.op {
            Op::Input(_) | Op::Constant(_) => (node.op, 1, GIVE),
            Op::Scale { exponent } => {
                let power = Value::Constant(power_of_two(exponent).0);
                self.tasks.entry(power).or_insert_with(|| given(power));
                operands.push(power);
                (Op::Operator(FpOperator::Mul), 1, FETCH + FpOperator::Mul.latency() as u32)
            }
            Op::Operator(operator) => (node.op, 1, FETCH + operator.shared_unit().latency() as u32),
            Op::Select => (node.op, 2, FETCH + 1),
            _ => (node.op, 1, FETCH + 1),
        };
        self.tasks.insert(self.value(id), Task { op, operands, rows, duration, urgency: 0 });
    }

    /// Inputs that nobody reads are not given.
    fn drop_unread(&mut self) {
        let read: BTreeSet<_> = self.tasks.values().flat_map(|task| task.operands.clone()).collect();
        let shown = &self.shown;
        let is_shown = |value: &Value| matches!(value, Value::Node(node) if shown.contains(node));
        self.tasks.retain(|value, _| read.contains(value) || is_shown(value));
    }

    fn set_urgency(&mut self) {
        // Constants have no number of their own among the nodes, but nothing comes before them either.
        let order: Vec<_> = self.tasks.keys().copied().rev().collect();
        for value in order {
            let task = &self.tasks[&value];
            let after = task.urgency + task.rows - 1 + task.duration + WRITE;
            for operand in task.operands.clone() {
                let operand = self.tasks.get_mut(&operand).expect("an operand is a task");
                operand.urgency = operand.urgency.max(after);
            }
        }
    }

    fn is_canonical(&self, value: Value) -> bool {
        match value {
            Value::Node(node) => self.graph.nodes[node].canonical,
            Value::Constant(bits) => is_canonical(bits),
        }
    }

    fn plan(self) -> Program {
        let mut rows: Vec<Row> = Vec::new();
        let mut first_row: BTreeMap<Value, u32> = BTreeMap::new();
        let mut written: BTreeMap<Value, u32> = BTreeMap::new();
        let mut writes: BTreeMap<u32, Value> = BTreeMap::new();
        let mut spaced: BTreeMap<FpOperator, u32> = BTreeMap::new();
        let mut row = FIRST_ROW;
        while first_row.len() < self.tasks.len() {
            let can_start = |(value, task): &(&Value, &Task)| {
                let readable = |operand: &Value| written.get(operand).is_some_and(|at| at + WRITE <= row);
                let write = row + task.rows - 1 + task.duration;
                let free = match task.op {
                    Op::Operator(operator) if operator.can_be_spaced() => {
                        spaced.get(&operator).is_none_or(|last| last + SPACING <= row)
                    }
                    _ => true,
                };
                !first_row.contains_key(value)
                    && task.operands.iter().all(readable)
                    && !writes.contains_key(&write)
                    && free
            };
            let ready = self.tasks.iter().filter(can_start);
            let Some((value, task)) = ready.max_by_key(|(value, task)| (task.urgency, std::cmp::Reverse(**value)))
            else {
                row += 1;
                continue;
            };
            let write = row + task.rows - 1 + task.duration;
            first_row.insert(*value, row);
            written.insert(*value, write);
            writes.insert(write, *value);
            if let Op::Operator(operator) = task.op {
                spaced.insert(operator, row);
            }
            row += task.rows;
        }
        let last = *writes.keys().next_back().expect("a kernel has an output");
        rows.resize((last + 1 - FIRST_ROW) as usize, Row::default());
        let at = |row: u32| (row - FIRST_ROW) as usize;

        // Places, in order of writing.
        let mut last_read: BTreeMap<Value, u32> = BTreeMap::new();
        for (value, task) in &self.tasks {
            for (n, operand) in task.operands.iter().enumerate() {
                let read = first_row[value] + u32::from(task.rows == 2 && n > 0);
                let last = last_read.entry(*operand).or_default();
                *last = read.max(*last);
            }
        }
        let mut place: BTreeMap<Value, usize> = BTreeMap::new();
        let mut free_from: Vec<u32> = Vec::new();
        for (write, value) in &writes {
            let Some(last) = last_read.get(value) else { continue };
            let free = free_from.iter().position(|free_from| free_from <= write);
            let found = free.unwrap_or_else(|| {
                free_from.push(0);
                free_from.len() - 1
            });
            // The memory is written a clock after the row; a reader of the old value has gone by then.
            free_from[found] = *last;
            place.insert(*value, found);
        }

        let mut program = Program {
            rows,
            latency: last + WRITE,
            places: free_from.len(),
            given: Vec::new(),
            simple: Vec::new(),
            units: Vec::new(),
            shown: self.shown.clone(),
        };
        let mut units = BTreeSet::new();
        for (value, task) in &self.tasks {
            let row = first_row[value];
            let places: Vec<_> = task.operands.iter().map(|operand| place[operand]).collect();
            let read = |operands: &[usize]| [0, 1].map(|n| operands.get(n).copied().unwrap_or(0));
            let source = match task.op {
                Op::Input(n) => program.give(at(row), Given::Input(n)),
                Op::Constant(bits) => program.give(at(row), Given::Constant(bits)),
                Op::Operator(operator) => {
                    let unit = operator.shared_unit();
                    units.insert(unit);
                    program.rows[at(row)].start = Start::Unit(unit, operator == FpOperator::Sub);
                    program.rows[at(row)].read = read(&places);
                    Source::Unit(unit)
                }
                op => {
                    let kind = (op, self.is_canonical(task.operands[0]));
                    let number = program.simple.iter().position(|known| *known == kind).unwrap_or_else(|| {
                        program.simple.push(kind);
                        program.simple.len() - 1
                    });
                    let mut operands = &places[..];
                    let mut row = row;
                    if op == Op::Select {
                        program.rows[at(row)].start = Start::Test;
                        program.rows[at(row)].read = [places[0], 0];
                        operands = &places[1..];
                        row += 1;
                    }
                    program.rows[at(row)].start = Start::Simple(number);
                    program.rows[at(row)].read = read(operands);
                    Source::Simple
                }
            };
            let shown = match value {
                Value::Node(node) => program.shown.iter().position(|shown| shown == node),
                Value::Constant(_) => None,
            };
            program.rows[at(written[value])].write = Some(Write { source, place: place.get(value).copied(), shown });
        }
        program.units = units.into_iter().collect();
        program
    }
}

impl Program {
    fn give(&mut self, row: usize, given: Given) -> Source {
        self.rows[row].start = Start::Give(self.given.len());
        self.given.push(given);
        Source::Given
    }
}

/// The task of a constant that no node is.
fn given(value: Value) -> Task {
    let op = match value {
        Value::Constant(bits) => Op::Constant(bits),
        Value::Node(node) => unreachable!("node {node} has a task of its own"),
    };
    Task { op, operands: Vec::new(), rows: 1, duration: GIVE, urgency: 0 }
}
