//! The compiler's own tests: graph, schedule, simulated behaviour. `sim/tests/datapath.rs` compares with Verilator.

use super::examples::*;
use super::graph::{apply, Op, Recorder};
use super::kernels::{Camera, PrimaryRay, Shade, SphereHit};
use super::schedule::{Unit, MAX_DEPTH, MAX_OPERAND_DEPTH};
use super::{Composed, Datapath, Folded, Form, Graph, Kernel};
use crate::fp::FpOperator;
use crate::step;
use rayman_model::random::Random;
use rayman_model::{kernels, Arithmetic, Kind};
use rust_hdl_core::prelude::*;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

mod program;
mod single;
mod stream;

fn random_inputs<K: Kernel>(random: &mut Random) -> Vec<u32> {
    let one = |port: &rayman_model::Port| match port.kind {
        Kind::Float => random.float_bits(),
        Kind::Word => random.next_u32() >> random.below(32),
        Kind::Flag => random.below(2),
    };
    K::INPUTS.iter().map(one).collect()
}

fn graph_is_kernel<K: Kernel>(random: &mut Random) {
    let graph = Graph::of::<K>();
    let mut scratch = Vec::new();
    for _ in 0..20_000 {
        let inputs = random_inputs::<K>(random);
        let mut outputs = vec![0; K::OUTPUTS.len()];
        graph.evaluate(&inputs, &mut scratch, &mut outputs);
        assert_eq!(outputs, K::words(&inputs), "{} of {inputs:x?}", K::NAME);
    }
}

#[test]
fn a_graph_gives_the_bits_of_its_kernel() {
    let random = &mut Random::for_test("a_graph_gives_the_bits_of_its_kernel", 1);
    graph_is_kernel::<DotProductKernel>(random);
    graph_is_kernel::<NormaliseKernel>(random);
    graph_is_kernel::<HornerKernel>(random);
    graph_is_kernel::<MixtureKernel>(random);
    graph_is_kernel::<kernels::SphereHit>(random);
    graph_is_kernel::<kernels::Shade>(random);
    graph_is_kernel::<kernels::PrimaryRay>(random);
    graph_is_kernel::<kernels::Camera>(random);
}

#[test]
fn a_graph_has_no_doubles_no_dead_and_no_constant_work() {
    let graph = Graph::of::<MixtureKernel>();
    let mut seen = BTreeSet::new();
    let mut read: BTreeSet<_> = graph.outputs.iter().map(|end| end.node).collect();
    for (id, node) in graph.nodes.iter().enumerate() {
        assert!(seen.insert(format!("{node:?}")) || matches!(node.op, Op::Input(_)), "{node:?} twice");
        assert!(node.args().iter().all(|arg| *arg < id), "arguments come first");
        let constant = |arg: &usize| matches!(graph.nodes[*arg].op, Op::Constant(_));
        assert!(node.args().is_empty() || !node.args().iter().all(constant), "{node:?} could be folded");
        read.extend(node.args());
    }
    assert!(
        (0..graph.nodes.len()).all(|id| read.contains(&id) || matches!(graph.nodes[id].op, Op::Input(_))),
        "a dead node"
    );
    assert_eq!(graph.count(FpOperator::Div), 0, "the quotient that nobody wants");
    // min and max make one comparison each way; -sum + p is one difference.
    assert_eq!((graph.count(FpOperator::Lt), graph.count(FpOperator::Sub), graph.count(FpOperator::Add)), (2, 1, 1));
    let constant = graph.outputs.iter().find(|end| end.name == "constant").expect("an output");
    assert_eq!(graph.nodes[constant.node].op, Op::Constant(1), "0.5 * (1 + 1), truncated");
}

#[test]
fn rewrites_keep_every_bit() {
    let random = &mut Random::for_test("rewrites_keep_every_bit", 1);
    let operator = |operator| Op::Operator(operator);
    for _ in 0..100_000 {
        let (a, b) = random.float_pair();
        let neg = |a| apply(Op::Neg, a, 0, 0);
        let add = |a, b| apply(operator(FpOperator::Add), a, b, 0);
        let sub = |a, b| apply(operator(FpOperator::Sub), a, b, 0);
        let mul = |a, b| apply(operator(FpOperator::Mul), a, b, 0);
        assert_eq!(add(a, neg(b)), sub(a, b), "{a:x} {b:x}");
        assert_eq!(add(neg(a), b), sub(b, a), "{a:x} {b:x}");
        assert_eq!(sub(a, neg(b)), add(a, b), "{a:x} {b:x}");
        assert_eq!(mul(neg(a), neg(b)), mul(a, b), "{a:x} {b:x}");
        assert_eq!(apply(Op::Abs, neg(a), 0, 0), apply(Op::Abs, a, 0, 0), "{a:x}");
        assert_eq!(add(a, b), add(b, a), "{a:x} {b:x}");
        assert_eq!(mul(a, b), mul(b, a), "{a:x} {b:x}");
        // The folded adder turns a difference's sign bit, of a NaN as well.
        assert_eq!(add(a, b ^ 0x8000_0000), sub(a, b), "{a:x} {b:x}");
    }
}

#[test]
fn products_with_powers_of_two_are_sums_in_the_exponent() {
    let recorder = &mut Recorder::default();
    let x = recorder.input(Kind::Float);
    for (factor, exponent) in [(0.5, -1), (1.0, 0), (1024.0, 10), (f32::MIN_POSITIVE, -126), (2f32.powi(127), 127)] {
        let factor = recorder.number(factor);
        let (left, right) = (recorder.mul(&factor, &x), recorder.mul(&x, &factor));
        assert_eq!((recorder.nodes()[left].op, left), (Op::Scale { exponent }, right));
    }
    let minus_two = recorder.number(-2.0);
    let (turned, doubled) = (recorder.neg(&x), recorder.mul(&x, &minus_two));
    assert_eq!(recorder.nodes()[doubled].op, Op::Neg);
    let back = recorder.mul(&turned, &minus_two);
    assert_eq!(recorder.nodes()[back].op, Op::Scale { exponent: 1 });
    for factor in [3.0, 0.0, -0.0, f32::INFINITY, f32::NAN, f32::MIN_POSITIVE / 2.0] {
        let factor = recorder.number(factor);
        let product = recorder.mul(&x, &factor);
        assert_eq!(recorder.nodes()[product].op, Op::Operator(FpOperator::Mul), "not a normal power of two");
    }
    let random = &mut Random::for_test("products_with_powers_of_two_are_sums_in_the_exponent", 1);
    let mul = |a, b| apply(Op::Operator(FpOperator::Mul), a, b, 0);
    for _ in 0..100_000 {
        let (a, exponent) = (random.float_bits(), random.below(254) as i32 - 126);
        let power = ((exponent + 127) as u32) << 23;
        let scaled = apply(Op::Scale { exponent }, a, 0, 0);
        assert_eq!(scaled, mul(a, power), "{a:x} 2^{exponent}");
        assert_eq!(apply(Op::Neg, scaled, 0, 0), mul(a, power | 0x8000_0000), "{a:x} -2^{exponent}");
        let turned = apply(Op::Neg, a, 0, 0);
        assert_eq!(scaled, mul(turned, power | 0x8000_0000), "{a:x} -2^{exponent}");
    }
}

#[test]
fn folding_shares_units() {
    fn units<K: Kernel>(interval: u32) -> BTreeMap<FpOperator, usize> {
        let mut units = BTreeMap::new();
        for (operator, used) in Folded::of::<K>(interval).report().operators {
            // Sums and differences are one kind: a folded adder does both.
            let kind = if operator == FpOperator::Sub { FpOperator::Add } else { operator };
            *units.entry(kind).or_default() += used.units;
        }
        units
    }
    fn shares<K: Kernel>() {
        let all = units::<K>(1);
        for interval in [2, 4, 8, 16] {
            let folded = units::<K>(interval);
            assert_eq!(all.keys().collect::<Vec<_>>(), folded.keys().collect::<Vec<_>>());
            for (kind, count) in &all {
                let most = count.div_ceil(interval as usize) + 1;
                let has = folded[kind];
                assert!(has <= most, "{}: {has} of {kind:?} at interval {interval}, {count} at 1", K::NAME);
            }
        }
    }
    shares::<kernels::SphereHit>();
    shares::<kernels::Shade>();
    shares::<kernels::PrimaryRay>();
    shares::<kernels::Camera>();
}

#[test]
fn fields_of_packed_words_are_found_again() {
    let recorder = &mut Recorder::default();
    let (u, v) = (recorder.input(Kind::Word), recorder.input(Kind::Word));
    let (low, high) = (recorder.field(&u, 6, 0), recorder.field(&v, 20, 4));
    let packed = recorder.pack(&[(&low, 7), (&high, 17)]);
    let before = recorder.nodes().len();
    assert_eq!(recorder.field(&packed, 6, 0), low);
    assert_eq!(recorder.field(&packed, 23, 7), high);
    assert_eq!(recorder.field(&packed, 31, 7), high, "above are zeros");
    assert_eq!(recorder.nodes().len(), before);
    let above = recorder.field(&packed, 31, 24);
    assert_eq!(recorder.nodes()[above].op, Op::Constant(0));
    let inner = recorder.field(&high, 5, 2);
    assert_eq!(inner, recorder.field(&v, 9, 6), "a field of a field");
}

/// Checks a schedule against the rules in words, without the scheduler's own code.
fn schedule_is_legal<K: Kernel>(interval: u32) {
    let design = Folded::of::<K>(interval);
    let (graph, schedule) = (&design.graph, &design.schedule);
    let context = format!("{} at interval {interval}", K::NAME);
    let constant = |id: usize| matches!(graph.nodes[id].op, Op::Constant(_));
    let mut depth = vec![0; graph.nodes.len()];
    for (id, node) in graph.nodes.iter().enumerate() {
        let mut deepest = 0;
        for (n, arg) in node.args().iter().copied().enumerate().filter(|(_, arg)| !constant(*arg)) {
            let at = schedule.reads(id, n);
            assert!(schedule.ready[arg] <= at, "{context}: node {id} reads before {arg} is ready");
            assert!(!matches!(graph.nodes[arg].op, Op::Input(_)) || at > 0, "{context}: {id} reads a port");
            if schedule.ready[arg] == at {
                deepest = deepest.max(depth[arg]);
            }
        }
        if matches!(node.op, Op::Operator(_)) {
            assert!(deepest <= MAX_OPERAND_DEPTH, "{context}: operand of {id}");
        } else {
            let weight = match node.op {
                Op::Select | Op::And | Op::Or => 1,
                Op::Abs if graph.nodes[node.args()[0]].canonical => 0,
                Op::Neg | Op::Abs | Op::Scale { .. } => 2,
                _ => 0,
            };
            depth[id] = deepest + weight;
            assert!(depth[id] <= MAX_DEPTH, "{context}: node {id}");
            assert_eq!(schedule.ready[id], schedule.issue[id]);
        }
    }
    for end in &graph.outputs {
        let ready = schedule.ready[end.node];
        assert!(ready + u32::from(depth[end.node] > 0) <= schedule.latency, "{context}: output {}", end.name);
    }
    let mut operations: BTreeMap<FpOperator, usize> = BTreeMap::new();
    let mut units: BTreeMap<FpOperator, usize> = BTreeMap::new();
    let mut done = BTreeSet::new();
    for unit in &schedule.units {
        *units.entry(unit.operator).or_default() += 1;
        *operations.entry(unit.operator).or_default() += unit.operations.len();
        let phases: BTreeSet<_> =
            unit.operations.iter().map(|operation| schedule.issue[operation.node] % interval).collect();
        assert_eq!(phases.len(), unit.operations.len(), "{context}: two operations of {:?} in a phase", unit.operator);
        // Spaced operands: the phase tells when they come.
        let of_the_kernel = graph.nodes.iter().filter(|node| node.op == Op::Operator(unit.operator)).count() as u32;
        assert_eq!(interval % unit.every, 0, "{context}: {:?}", unit.operator);
        assert!(unit.every == 1 || unit.operator.can_be_spaced() && of_the_kernel * unit.every <= interval);
        assert!(of_the_kernel > 1 || !unit.operator.can_be_spaced() || unit.every == interval, "{context}: no need");
        let steps: BTreeSet<_> =
            unit.operations.iter().map(|operation| schedule.issue[operation.node] % unit.every).collect();
        assert_eq!(steps.len(), 1.min(unit.operations.len()), "{context}: {:?} out of step", unit.operator);
        if schedule.has_memories(unit) {
            (0..unit.operator.arity()).for_each(|port| memory_is_legal(&design, unit, port, &context));
        }
        for operation in &unit.operations {
            assert!(done.insert(operation.node), "{context}: node {} twice", operation.node);
            let turned =
                graph.nodes[operation.node].op == Op::Operator(FpOperator::Sub) && unit.operator == FpOperator::Add;
            assert!(turned || graph.nodes[operation.node].op == Op::Operator(unit.operator));
        }
    }
    let all = graph.nodes.iter().filter(|node| matches!(node.op, Op::Operator(_))).count();
    assert_eq!(done.len(), all, "{context}: every operator has a unit");
    for (operator, count) in operations {
        assert_eq!(units[&operator], count.div_ceil(interval as usize), "{context}: units of {operator:?}");
    }
}

/// A memory of 512 words, a row a phase and at least one more for constants: it takes one value a phase, each in time, and
/// none is written over before its last reader.
fn memory_is_legal(design: &Folded, unit: &Unit, port: usize, context: &str) {
    let (graph, schedule, interval) = (&design.graph, &design.schedule, design.interval());
    let rows = (1..).map(|bits| 1 << bits).find(|rows| *rows > interval).expect("a power of two");
    let mut taken = BTreeMap::new();
    let mut preset = BTreeSet::new();
    for operation in &unit.operations {
        let n = if operation.swapped { 1 - port } else { port };
        let (arg, issue) = (graph.nodes[operation.node].args()[n], schedule.issue[operation.node]);
        let written = schedule.reads(operation.node, n);
        let value = match graph.nodes[arg].op {
            Op::Constant(bits) if written == 0 => {
                preset.insert(bits);
                continue;
            }
            Op::Constant(bits) => Err(bits),
            _ => Ok(arg),
        };
        assert!(written + 4 <= issue, "{context}: {operation:?} comes too late");
        assert!(issue - 2 < written + 1 + 512 / rows * interval, "{context}: {operation:?} is written over");
        let other = taken.insert(written % interval, (value, written));
        assert!(other.is_none_or(|other| other == (value, written)), "{context}: {operation:?} and {other:?}");
    }
    assert!(preset.len() as u32 <= rows - interval, "{context}: constants {preset:x?}");
}

#[test]
fn schedules_are_legal_and_use_the_fewest_units() {
    for interval in (1..=20).chain([31, 32, 33, 63, 64]) {
        schedule_is_legal::<DotProductKernel>(interval);
        schedule_is_legal::<NormaliseKernel>(interval);
        schedule_is_legal::<HornerKernel>(interval);
        schedule_is_legal::<MixtureKernel>(interval);
    }
    for interval in [1, 2, 7, 8, 16, 64] {
        schedule_is_legal::<kernels::SphereHit>(interval);
        schedule_is_legal::<kernels::Shade>(interval);
        schedule_is_legal::<kernels::PrimaryRay>(interval);
        schedule_is_legal::<kernels::Camera>(interval);
    }
}

#[test]
fn latency_at_interval_1_is_the_longest_path() {
    let [add, mul, sqrt, div] =
        [FpOperator::Add, FpOperator::Mul, FpOperator::Sqrt, FpOperator::Div].map(FpOperator::latency);
    let input = 1;
    assert_eq!(Normalise::new(1).latency(), input + 2 * mul + 2 * add + sqrt + div);
    // The first coefficient is a power of two: one clock in place of a multiplication.
    assert_eq!(Horner::new(1).latency(), input + (1 + add) + 5 * (mul + add) + add);
}

#[test]
fn the_engines_ring_outlasts_the_intersector() {
    use crate::engine::nearest::Nearest;
    let latency = SphereHit::new(super::kernels::SPHERE_HIT_INTERVAL).latency();
    assert!(Nearest::<10, 4>::outlasts(latency));
    assert!(Nearest::<10, 4>::outlasts(253) && !Nearest::<10, 4>::outlasts(254), "16 turns of 16 clocks");
}

#[test]
fn a_picture_has_a_box_for_each_operation() {
    for interval in [1, 4, 16] {
        let design = Folded::of::<kernels::SphereHit>(interval);
        let picture = super::picture::svg(&design);
        let operations: usize = design.schedule.units.iter().map(|unit| unit.operations.len()).sum();
        // Once over the latency and, folded, once in the round.
        let boxes = operations * if interval > 1 { 2 } else { 1 };
        assert_eq!(picture.matches("<g><title>").count(), boxes);
        assert!(picture.contains(&format!("sphere_hit: a start every {interval} clocks, latency {}", design.latency())));
        let names = super::verilog::unit_names(&design.graph, &design.schedule);
        assert!(names.iter().all(|name| picture.contains(&format!(">{name}</text>"))), "every unit is named");
        assert_eq!(picture.matches("<svg").count() + picture.matches("</svg>").count(), 2);
    }
}

#[test]
fn deep_delay_lines_end_in_a_register() {
    use super::schedule::{split_delay, DEEP_LINE_STAGES, LINE_STAGES};
    for stages in 1..200 {
        let (line, registers) = split_delay(stages);
        assert_eq!(line + registers, stages);
        assert!(line == 0 || line >= LINE_STAGES, "{stages}");
        assert_eq!(stages >= DEEP_LINE_STAGES, line > 0 && registers == 1);
    }
}

#[test]
fn a_report_counts_units_and_bits() {
    let report = Folded::of::<DotProductKernel>(3).report();
    assert_eq!(report.operators[&FpOperator::Mul].operations, 3);
    assert_eq!((report.operators[&FpOperator::Mul].units, report.operators[&FpOperator::Add].units), (1, 1));
    assert!((report.utilization(FpOperator::Mul) - 1.0).abs() < 1e-9);
    assert!((report.utilization(FpOperator::Add) - 2.0 / 3.0).abs() < 1e-9);
    let text = report.to_string();
    assert!(text.contains("interval 3") && text.contains("fp_mul"), "{text}");
    // Folding needs fewer units and, holding values for whole rounds, fewer delay bits.
    let (one, eight) = (Folded::of::<HornerKernel>(1).report(), Folded::of::<HornerKernel>(8).report());
    assert_eq!((one.operators[&FpOperator::Mul].units, eight.operators[&FpOperator::Mul].units), (5, 1));
    assert!(eight.register_bits + eight.line_bits < (one.register_bits + one.line_bits) / 4);
}

fn clock<D: Datapath>(block: &mut D) {
    step::clock(block, |block, level| block.set_clock(level)).expect("no loops");
}

/// Random starts, gaps and resets against the kernel, `LATENCY` clocks later, and the rule of `ready`.
fn block_is_kernel<D: Datapath>(form: Form, random: &mut Random, clocks: u32) {
    let mut block = D::of(form);
    block.connect_all();
    let (interval, latency) = (block.design().interval(), block.design().latency());
    let mut expected: VecDeque<(u32, Vec<u32>)> = VecDeque::new();
    let mut inputs = vec![0; D::Kernel::INPUTS.len() + 1];
    block.drive(false, false, &inputs);
    clock(&mut block);
    let (mut after_reset, mut last_start, mut results, mut busy) = (0, None, 0, 4);
    for now in 0..clocks {
        let (ready, done, outputs) = block.answer();
        let due = expected.front().is_some_and(|(at, _)| *at == now);
        assert_eq!(done, due, "done in clock {now}, {} at interval {interval}", D::Kernel::NAME);
        if let Some((_, expected)) = expected.pop_front_if(|_| due) {
            assert_eq!(outputs, expected, "in clock {now}");
            results += 1;
        }
        let expected_ready = match form {
            Form::Interval(_) => (now - after_reset) % interval == 0,
            Form::Program => last_start.is_none_or(|start| now - start >= latency),
        };
        assert_eq!(ready, expected_ready, "ready in clock {now}");
        if random.one_in(200) {
            busy = random.below(5);
        }
        let start = random.below(4) < busy;
        // Most computations must come to their end.
        let reset = random.one_in(500.max(2 * latency));
        if start {
            inputs = random_inputs::<D::Kernel>(random);
            inputs.push(random.next_u32());
        }
        block.drive(!reset, start, &inputs);
        if reset {
            expected.clear();
            (after_reset, last_start) = (now + 1, None);
        } else if start && ready {
            let mut outputs = D::Kernel::words(&inputs[..inputs.len() - 1]);
            outputs.push(*inputs.last().expect("a tag"));
            expected.push_back((now + latency, outputs));
            last_start = Some(now);
        }
        clock(&mut block);
    }
    assert!(results > clocks / interval / 8, "only {results} results");
}

#[test]
fn a_block_answers_in_time_with_starts_and_resets_at_random() {
    let random = &mut Random::for_test("a_block_answers_in_time_with_starts_and_resets_at_random", 1);
    for interval in [1, 2, 3, 5, 8, 16, 64] {
        block_is_kernel::<DotProduct>(Form::Interval(interval), random, 4000);
        block_is_kernel::<Normalise>(Form::Interval(interval), random, 4000);
        block_is_kernel::<Horner>(Form::Interval(interval), random, 4000);
        block_is_kernel::<Mixture>(Form::Interval(interval), random, 4000);
    }
}

#[test]
fn the_cores_blocks_answer_in_time_at_their_intervals() {
    let random = &mut Random::for_test("the_cores_blocks_answer_in_time_at_their_intervals", 1);
    block_is_kernel::<SphereHit>(Form::Interval(super::kernels::SPHERE_HIT_INTERVAL), random, 4000);
    for interval in [1, 2, 3].map(super::kernels::shade_interval) {
        block_is_kernel::<Shade>(Form::Interval(interval), random, 8000);
    }
    block_is_kernel::<PrimaryRay>(Form::Interval(super::kernels::PRIMARY_RAY_INTERVAL), random, 8000);
    block_is_kernel::<Camera>(Form::Program, random, 32_000);
}

/// The leaf and the composed form, clock by clock, with starts and resets at random.
fn leaf_is_composed<D: Datapath>(interval: u32, random: &mut Random, clocks: u32) {
    let mut leaf = D::with_interval(interval);
    let design = Folded::of::<D::Kernel>(interval);
    // Long enough, and resets so seldom, that something comes out in between.
    let (clocks, reset) = (clocks.max(8 * design.latency()), 150.max(2 * design.latency()));
    let mut composed = Composed::new(design);
    leaf.connect_all();
    composed.connect_all();
    let mut inputs = vec![0; D::Kernel::INPUTS.len() + 1];
    let (mut results, mut busy) = (0, 4);
    for now in 0..clocks {
        if random.one_in(100) {
            busy = random.below(5);
        }
        let start = random.below(4) < busy;
        let reset_n = now > 0 && !random.one_in(reset);
        if random.one_in(2) {
            inputs = random_inputs::<D::Kernel>(random);
            inputs.push(random.next_u32());
        }
        leaf.drive(reset_n, start, &inputs);
        composed.reset_n.next = reset_n;
        composed.start.next = start;
        for (port, word) in composed.inputs.iter_mut().zip(&inputs) {
            port.next = u64::from(*word).into();
        }
        clock(&mut leaf);
        step::clock(&mut composed, |block, level| block.clock.next = level).expect("no loops");
        let (ready, done, outputs) = leaf.answer();
        let context = format!("{} at interval {interval} after clock {now}", D::Kernel::NAME);
        assert_eq!((ready, done), (composed.ready.val(), composed.done.val()), "{context}");
        if done {
            let expected: Vec<_> = composed.outputs.iter().map(|port| port.val().to_u32()).collect();
            assert_eq!(outputs, expected, "{context}");
            results += 1;
        }
    }
    assert!(results > 0, "no result");
}

#[test]
fn the_leaf_is_the_composed_form() {
    let random = &mut Random::for_test("the_leaf_is_the_composed_form", 1);
    for interval in [1, 2, 3, 7, 16] {
        leaf_is_composed::<DotProduct>(interval, random, 600);
        leaf_is_composed::<Mixture>(interval, random, 600);
        leaf_is_composed::<Horner>(interval, random, 600);
    }
    leaf_is_composed::<Normalise>(1, random, 600);
    leaf_is_composed::<Normalise>(4, random, 600);
}

#[test]
fn operands_out_of_memories_are_the_right_ones() {
    let random = &mut Random::for_test("operands_out_of_memories_are_the_right_ones", 1);
    // Memories that go round several times.
    for interval in [7, 6, 8, 11] {
        let schedule = Folded::of::<kernels::PrimaryRay>(interval).schedule;
        assert!(schedule.units.iter().filter(|unit| schedule.has_memories(unit)).count() >= 4, "adders, multipliers");
        leaf_is_composed::<PrimaryRay>(interval, random, 1000);
    }
    leaf_is_composed::<Horner>(5, random, 4000);
}

/// What a unit's Verilog takes from its phase is there, also where exchanges left the unit with one operation.
#[test]
fn every_phase_that_is_read_is_counted() {
    fn reads_counted_phases<K: Kernel>(interval: u32) {
        let Folded { graph, mut schedule } = Folded::of::<K>(interval);
        let with_memories = |n: &usize| schedule.has_memories(&schedule.units[*n]);
        let units: Vec<_> = (0..schedule.units.len()).filter(with_memories).collect();
        for pair in units.windows(2) {
            // Nobody computes with it: only names are looked at.
            let moved: Vec<_> = schedule.units[pair[1]].operations.drain(1..).collect();
            if schedule.units[pair[0]].operator == schedule.units[pair[1]].operator {
                schedule.units[pair[0]].operations.extend(moved);
            } else {
                schedule.units[pair[1]].operations.extend(moved);
            }
        }
        assert!(schedule.units.iter().any(|unit| schedule.has_memories(unit) && unit.operations.len() == 1));
        let code = super::verilog::write(&graph, &schedule).code;
        let names = code.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|name| name.ends_with("_phase"));
        for name in names.collect::<BTreeSet<_>>() {
            assert!(code.contains(&format!(".phase({name})")), "{} at interval {interval}: {name}", K::NAME);
        }
    }
    for interval in [6, 7, 8] {
        reads_counted_phases::<kernels::Shade>(interval);
        reads_counted_phases::<kernels::PrimaryRay>(interval);
    }
}

/// A parent in which a datapath is a child as any other: `length` of `(x, y, 2)`, a clock later.
#[derive(LogicBlock)]
struct Parent {
    clock: Signal<In, Clock>,
    reset_n: Signal<In, Bit>,
    go: Signal<In, Bit>,
    x: Signal<In, Bits<32>>,
    y: Signal<In, Bits<32>>,
    length: Signal<Out, Bits<32>>,
    valid: Signal<Out, Bit>,
    two: Constant<Bits<32>>,
    normalise: Normalise,
}

impl Logic for Parent {
    #[hdl_gen]
    fn update(&mut self) {
        self.normalise.clock.next = self.clock.val();
        self.normalise.reset_n.next = self.reset_n.val();
        self.normalise.start.next = self.go.val();
        self.normalise.x.next = self.x.val();
        self.normalise.y.next = self.y.val();
        self.normalise.z.next = self.two.val();
        self.normalise.tag.next = self.x.val();
        self.length.next = self.normalise.length.val();
        self.valid.next = self.normalise.done.val();
    }
}

#[test]
fn a_datapath_is_a_child_of_an_ordinary_block() {
    let mut parent = Parent {
        clock: Default::default(),
        reset_n: Default::default(),
        go: Default::default(),
        x: Default::default(),
        y: Default::default(),
        length: Default::default(),
        valid: Default::default(),
        two: Constant::new(0x4000_0000u64.into()),
        normalise: Normalise::new(1),
    };
    parent.connect_all();
    let latency = parent.normalise.latency();
    let clock = |parent: &mut Parent| step::clock(parent, |parent, level| parent.clock.next = level).expect("no loops");
    clock(&mut parent);
    parent.reset_n.next = true;
    parent.go.next = true;
    parent.x.next = 0x4000_0000u64.into(); // (2, 1, 2) has length 3.
    parent.y.next = 0x3f80_0000u64.into();
    for n in 1..=latency + 3 {
        clock(&mut parent);
        parent.go.next = false;
        assert_eq!(parent.valid.val(), n == latency, "after {n} clocks");
        if n == latency {
            assert_eq!(parent.length.val().to_u32(), 0x4040_0000);
            assert_eq!(parent.normalise.tag_out.val().to_u32(), 0x4000_0000);
        }
    }
    let verilog = crate::emit::emit(&parent, "parent").expect("legal Verilog");
    for text in [".x(normalise_x)", ".length(normalise_length)", ".tag_out(normalise_tag_out)", "fp_sqrt n"] {
        assert!(verilog.contains(text), "{text} in\n{verilog}");
    }
    assert_eq!(verilog.matches("module fp_mul(").count(), 1);
}
