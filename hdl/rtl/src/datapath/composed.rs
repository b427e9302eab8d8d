//! A kernel as a block composed of operator blocks: the reference for the leaf form.
//!
//! ```text
//!  start, inputs, tag -> wiring -> operator blocks, one a unit, and registers -> done, outputs, tag_out
//! ```
//!
//! Nothing is assumed here: every unit is a real operator block, simulated gate by gate, every delay register and operand
//! register is held, moves in its phase only, and may hold what is meaningless in others. It shows that the schedule
//! brings each operand to each operator in the right clock, which the [leaf form](super::block) takes for granted. It is
//! slow (some hundred clocks a second for a large kernel), and for simulation only: it writes no Verilog of its own.

use super::binding::unit_of;
use super::block::Folded;
use super::graph::{apply, NodeId, Op};
use super::memories::{is_preset, read_at, rounds, rows};
use super::verilog::taps;
use crate::fp::{FpBlock, FpOperator};
use rust_hdl_core::prelude::*;
use std::collections::BTreeMap;

/// A datapath of operator blocks.
pub struct Composed {
    /// The one clock.
    pub clock: Signal<In, Clock>,
    /// Low: forget what is under way.
    pub reset_n: Signal<In, Bit>,
    /// Inputs are on the ports.
    pub start: Signal<In, Bit>,
    /// The kernel's inputs, then the tag.
    pub inputs: Vec<Signal<In, Bits<32>>>,
    /// A start is taken in this clock.
    pub ready: Signal<Out, Bit>,
    /// Outputs are on the ports.
    pub done: Signal<Out, Bit>,
    /// The kernel's outputs, then the tag.
    pub outputs: Vec<Signal<Out, Bits<32>>>,
    design: Folded,
    units: Vec<Box<dyn FpBlock>>,
    /// The unit that computes a node.
    unit_of: Vec<usize>,
    registers: Registers,
    /// Units' operand memories, one a port; empty where a unit has none.
    memories: Vec<[Vec<u32>; 2]>,
    /// What their registers in front write at the next edge.
    coming: Vec<Write>,
    /// A register took a value in the last pass.
    moved: bool,
}

/// What a unit's memory takes.
struct Write {
    unit: usize,
    port: usize,
    place: u32,
    value: u32,
}

/// Everything that a rising edge moves, apart from what is inside the operators.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Registers {
    phase: u32,
    valid: Vec<bool>,
    finished: bool,
    /// A value's delays, the first one first.
    delays: BTreeMap<NodeId, Vec<u32>>,
    /// Units' operand registers.
    operands: Vec<[u32; 2]>,
    /// Turns of the phase, modulo the memories' rounds.
    round: u32,
    /// What units' memories have at their outputs, by port.
    fetched: Vec<[u32; 2]>,
    /// The same a clock later, in the registers that the units read.
    read: Vec<[u32; 2]>,
}

impl Composed {
    /// Builds the units and registers of a design.
    pub fn new(design: Folded) -> Self {
        let (interval, latency) = (design.interval(), design.latency());
        let units: Vec<_> = design.schedule.units.iter().map(|unit| unit.operator.boxed()).collect();
        let unit_of = unit_of(&design.graph, &design.schedule.units);
        let delays = taps(&design.graph, &design.schedule);
        let delays = delays
            .into_iter()
            .map(|(node, taps)| (node, vec![0; taps.last().map_or(0, |last| *last as usize)]))
            .collect();
        let registers = Registers {
            phase: 0,
            valid: vec![false; ((latency - 1) / interval + 1) as usize],
            finished: false,
            delays,
            operands: vec![[0; 2]; units.len()],
            round: 0,
            fetched: vec![[0; 2]; units.len()],
            read: vec![[0; 2]; units.len()],
        };
        let words = rows(interval) * rounds(interval);
        let memory = |unit| vec![0; if design.schedule.has_memories(unit) { words as usize } else { 0 }];
        let memories = design.schedule.units.iter().map(|unit| [memory(unit), memory(unit)]).collect();
        Self {
            clock: Default::default(),
            reset_n: Default::default(),
            start: Default::default(),
            inputs: design.graph.inputs.iter().map(|_| Default::default()).collect(),
            ready: Default::default(),
            done: Default::default(),
            outputs: design.graph.outputs.iter().map(|_| Default::default()).collect(),
            design,
            units,
            unit_of,
            registers,
            memories,
            coming: Vec::new(),
            moved: false,
        }
    }

    /// A node's value as read in clock `at`, the wires being as they are.
    fn read(&self, wires: &[u32], node: NodeId, at: u32) -> u32 {
        if let Op::Constant(bits) = self.design.graph.nodes[node].op {
            return bits;
        }
        match self.design.schedule.stages(node, at) {
            0 => wires[node],
            stages => self.registers.delays[&node][stages as usize - 1],
        }
    }

    /// What is on every node's wire in this clock.
    fn wires(&self) -> Vec<u32> {
        let graph = &self.design.graph;
        let mut wires = vec![0; graph.nodes.len()];
        for (id, node) in graph.nodes.iter().enumerate() {
            // Operators read theirs elsewhere.
            let at = self.design.schedule.issue[id];
            let operator = matches!(node.op, Op::Operator(_));
            let args = if operator { &[] } else { node.args() };
            let arg = |n: usize| args.get(n).map_or(0, |arg| self.read(&wires, *arg, at));
            wires[id] = match node.op {
                Op::Input(n) => self.inputs[n].val().to_u32(),
                Op::Operator(_) => self.units[self.unit_of[id]].result(),
                op => apply(op, arg(0), arg(1), arg(2)),
            };
        }
        wires
    }

    /// The operands that the wires hold for a unit in this phase; `None` where the phase has no operation.
    fn operands(&self, wires: &[u32], n: usize) -> Option<[u32; 2]> {
        let Folded { graph, schedule } = &self.design;
        let unit = &schedule.units[n];
        let in_phase =
            |node: NodeId| unit.operations.len() == 1 || schedule.phase(schedule.issue[node]) == self.registers.phase;
        let operation = unit.operations.iter().find(|operation| in_phase(operation.node))?;
        let node = &graph.nodes[operation.node];
        let mut operands = [0; 2];
        if schedule.has_memories(unit) {
            operands = self.registers.read[n];
            if operation.swapped {
                operands.swap(0, 1);
            }
        } else {
            for (operand, arg) in operands.iter_mut().zip(node.args()) {
                *operand = self.read(wires, *arg, schedule.issue[operation.node]);
            }
        }
        if node.op == Op::Operator(FpOperator::Sub) && unit.operator == FpOperator::Add {
            operands[1] ^= 0x8000_0000;
        }
        if operation.swapped {
            operands.swap(0, 1);
        }
        Some(operands)
    }

    /// A rising edge of the operand memories; what they have at their outputs after it.
    fn move_memories(&mut self, wires: &[u32]) -> Vec<[u32; 2]> {
        let schedule = &self.design.schedule;
        let (interval, phase, round) = (schedule.interval, self.registers.phase, self.registers.round);
        let (rows, rounds) = (rows(interval), rounds(interval));
        let mut fetched = self.registers.fetched.clone();
        let mut coming = Vec::new();
        for (n, unit) in schedule.units.iter().enumerate().filter(|(_, unit)| schedule.has_memories(unit)) {
            for (operation, port) in
                unit.operations.iter().flat_map(|o| (0..unit.operator.arity()).map(move |p| (*o, p)))
            {
                let argument = operation.argument(port);
                let at = schedule.reads(operation.node, argument);
                let read = read_at(schedule, operation);
                let preset = is_preset(&self.design.graph, schedule, operation, port);
                if schedule.phase(read) == phase {
                    let back = (read / interval - at / interval) % rounds;
                    let place = (round + rounds - back) % rounds * rows + schedule.phase(at);
                    fetched[n][port] = preset.unwrap_or(self.memories[n][port][place as usize]);
                }
                if preset.is_none() && schedule.phase(at) == phase {
                    let node = self.design.graph.nodes[operation.node].args()[argument];
                    let value = self.read(wires, node, at);
                    coming.push(Write { unit: n, port, place: round * rows + phase, value });
                }
            }
        }
        for Write { unit, port, place, value } in std::mem::replace(&mut self.coming, coming) {
            self.memories[unit][port][place as usize] = value;
        }
        fetched
    }

    /// What the registers hold after a rising edge.
    fn after_edge(&self, wires: &[u32]) -> Registers {
        let Folded { graph, schedule } = &self.design;
        let before = &self.registers;
        let mut after = before.clone();
        for (node, delays) in &mut after.delays {
            if schedule.phase(schedule.ready[*node]) == before.phase {
                delays.rotate_right(1);
                delays[0] = wires[*node];
            }
        }
        for (n, operands) in after.operands.iter_mut().enumerate() {
            if let Some(fresh) = self.operands(wires, n) {
                *operands = fresh;
            }
        }
        let (interval, latency) = (schedule.interval, schedule.latency);
        debug_assert_eq!(graph.outputs.len(), self.outputs.len());
        after.finished = if interval == 1 {
            (if latency == 1 { self.start.val() } else { before.valid[latency as usize - 2] }) && self.reset_n.val()
        } else {
            before.valid[((latency - 2) / interval) as usize]
                && before.phase == (latency - 1) % interval
                && self.reset_n.val()
        };
        if before.phase == interval - 1 {
            after.round = (before.round + 1) % rounds(interval);
        }
        if !self.reset_n.val() {
            after.phase = 0;
            after.round = 0;
            after.valid.fill(false);
        } else if before.phase == 0 {
            after.valid.rotate_right(1);
            after.valid[0] = self.start.val();
        }
        if self.reset_n.val() {
            after.phase = (before.phase + 1) % interval;
        }
        after
    }
}

impl Logic for Composed {
    fn update(&mut self) {
        let clock = self.clock.val();
        let wires = self.wires();
        for n in 0..self.units.len() {
            let [a, b] = if self.design.schedule.has_operand_register(&self.design.schedule.units[n]) {
                self.registers.operands[n]
            } else {
                self.operands(&wires, n).unwrap_or(self.registers.operands[n])
            };
            self.units[n].drive(clock, a, b);
        }
        // The operators see this edge in the next pass, with the operands above.
        let mut after = self.registers.clone();
        if self.clock.pos_edge() {
            after = self.after_edge(&wires);
            after.read = std::mem::replace(&mut after.fetched, self.move_memories(&wires));
        }
        self.moved = after != self.registers;
        self.registers = after;
        let wires = self.wires();
        for n in 0..self.outputs.len() {
            let value = self.read(&wires, self.design.graph.outputs[n].node, self.design.latency());
            self.outputs[n].next = u64::from(value).into();
        }
        self.ready.next = self.registers.phase == 0;
        self.done.next = self.registers.finished;
    }

    fn connect(&mut self) {
        self.ready.connect();
        self.done.connect();
        self.outputs.iter_mut().for_each(|output| output.connect());
        self.units.iter_mut().for_each(|unit| unit.connect_inputs());
    }
}

impl Block for Composed {
    fn connect_all(&mut self) {
        self.connect();
        self.units.iter_mut().for_each(|unit| unit.connect_all());
    }

    fn update_all(&mut self) {
        self.update();
        self.clock.update_all();
        self.reset_n.update_all();
        self.start.update_all();
        self.inputs.update_all();
        self.ready.update_all();
        self.done.update_all();
        self.outputs.update_all();
        self.units.iter_mut().for_each(|unit| unit.update_all());
    }

    fn has_changed(&self) -> bool {
        self.moved
            || self.clock.changed
            || self.reset_n.changed
            || self.start.changed
            || self.inputs.has_changed()
            || self.ready.changed
            || self.done.changed
            || self.outputs.has_changed()
            || self.units.iter().any(|unit| unit.has_changed())
    }

    fn accept(&self, name: &str, probe: &mut dyn Probe) {
        probe.visit_start_scope(name, self);
        self.clock.accept("clock", probe);
        self.reset_n.accept("reset_n", probe);
        self.start.accept("start", probe);
        self.inputs.accept("inputs", probe);
        self.ready.accept("ready", probe);
        self.done.accept("done", probe);
        self.outputs.accept("outputs", probe);
        for (n, unit) in self.units.iter().enumerate() {
            unit.accept(&format!("unit${n}"), probe);
        }
        probe.visit_end_scope(name, self);
    }
}
