//! Programs: every row, carried out by the rules of the clocks, gives the kernel's outputs.

use super::random_inputs;
use crate::datapath::examples::{DotProductKernel, HornerKernel, MixtureKernel, NormaliseKernel};
use crate::datapath::graph::{apply, Op};
use crate::datapath::program::{Given, Source, Start, SPACING};
use crate::datapath::{Design, Form, Kernel};
use crate::fp::FpOperator;
use rayman_model::kernels;
use rayman_model::random::Random;
use std::collections::BTreeMap;

/// What the machine of the program's clocks does with one start, without a look at the planner: the outputs, in the graph's
/// order. What may not be used is `None`, so that a row too early or a place given away too soon is seen.
fn carried_out<K: Kernel>(inputs: &[u32]) -> Vec<u32> {
    let Design::Program(graph, program) = Design::of::<K>(Form::Program) else { panic!("asked for a program") };
    let mut values: Vec<Option<u32>> = vec![None; program.places];
    // By clock: operands that a unit or a simple operation takes, and the word that it then has on its wire.
    let mut on_wire: BTreeMap<(u32, Source), Option<u32>> = BTreeMap::new();
    let mut last_spaced: BTreeMap<FpOperator, u32> = BTreeMap::new();
    let mut operands: BTreeMap<u32, [Option<u32>; 2]> = BTreeMap::new();
    let mut condition = None;
    let mut shown: Vec<Option<u32>> = vec![None; program.shown.len()];
    let mut writing: Option<(Option<usize>, Option<usize>, Option<u32>)> = None;
    for clock in 0..program.latency {
        let row = program.row(clock);
        // Addresses go to the memories; the word being written is not read.
        let busy = writing.and_then(|(place, _, _)| place);
        operands.insert(clock + 3, row.read.map(|place| if busy == Some(place) { None } else { values[place] }));
        if let Start::Give(number) = row.start {
            let word = match program.given[number] {
                Given::Input(n) => inputs[n],
                Given::Constant(bits) => bits,
            };
            on_wire.insert((clock + 2, Source::Given), Some(word));
        }
        // What started three clocks ago has its operands now.
        if let Some(before) = clock.checked_sub(3) {
            let [a, b] = operands[&clock];
            match program.row(before).start {
                Start::Test => condition = a,
                Start::Simple(number) => {
                    let (op, _) = program.simple[number];
                    let result = match op {
                        Op::Select => condition.and_then(|condition| if condition & 1 != 0 { a } else { b }),
                        _ if op.arity() == 1 => a.map(|a| apply(op, a, 0, 0)),
                        _ => a.zip(b).map(|(a, b)| apply(op, a, b, 0)),
                    };
                    on_wire.insert((clock + 1, Source::Simple), result);
                }
                Start::Unit(unit, subtract) => {
                    if unit.can_be_spaced() {
                        let apart = last_spaced.insert(unit, clock).map(|last| clock - last);
                        assert!(apart.is_none_or(|apart| apart >= SPACING), "{unit:?} {apart:?} clocks apart");
                    }
                    let operator = if subtract { FpOperator::Sub } else { unit };
                    let op = Op::Operator(operator);
                    let result = match op.arity() {
                        1 => a.map(|a| apply(op, a, 0, 0)),
                        _ => a.zip(b).map(|(a, b)| apply(op, a, b, 0)),
                    };
                    on_wire.insert((clock + unit.latency() as u32, Source::Unit(unit)), result);
                }
                Start::Nothing | Start::Give(_) => {}
            }
        }
        // The end of the clock: what stood in the result register is written, what is on the chosen wire goes there.
        if let Some((place, output, word)) = writing.take() {
            place.into_iter().for_each(|place| values[place] = word);
            output.into_iter().for_each(|output| shown[output] = word);
        }
        writing = row.write.map(|write| {
            let word = on_wire.get(&(clock, write.source)).copied().flatten();
            (write.place, write.shown, word)
        });
    }
    let ends = graph.outputs.iter();
    ends.map(|end| {
        let n = program.shown.iter().position(|node| *node == end.node).expect("an output is shown");
        shown[n].unwrap_or_else(|| panic!("{}: output {} is used too early or lost", K::NAME, end.name))
    })
    .collect()
}

fn holds<K: Kernel>(random: &mut Random) {
    for _ in 0..300 {
        let mut inputs = random_inputs::<K>(random);
        let mut expected = K::words(&inputs);
        let tag = random.next_u32();
        inputs.push(tag);
        expected.push(tag);
        assert_eq!(carried_out::<K>(&inputs), expected, "{}, seed 1, inputs {inputs:x?}", K::NAME);
    }
}

#[test]
fn rows_carried_out_clock_by_clock_give_the_kernels_outputs() {
    let random = &mut Random::for_test("rows_carried_out_clock_by_clock_give_the_kernels_outputs", 1);
    holds::<DotProductKernel>(random);
    holds::<NormaliseKernel>(random);
    holds::<HornerKernel>(random);
    holds::<MixtureKernel>(random);
    holds::<kernels::Camera>(random);
    holds::<kernels::PrimaryRay>(random);
    holds::<kernels::Shade>(random);
    holds::<kernels::SphereHit>(random);
    holds::<kernels::SphereRadius>(random);
    holds::<kernels::Min>(random);
    holds::<kernels::Select>(random);
    holds::<kernels::ToFx1_7>(random);
    holds::<kernels::ToColour8>(random);
    holds::<kernels::ReciprocalSqrt>(random);
}

#[test]
fn a_program_says_what_it_has() {
    let report = Design::of::<kernels::Camera>(Form::Program).report();
    assert!(report.starts_with("camera: a program of ") && report.contains("fp_div"), "{report}");
}
