//! Datapaths: the emitted Verilog in Verilator, the leaf's in-crate behaviour and the model, on the same stimulus.
//!
//! Starts come at random, densely and sparsely, also while the block is not ready; resets come in mid-flight. `ready` and
//! `done` are compared in every clock, outputs and tag whenever something is done.

use rayman_model::random::Random;
use rayman_model::{kernels, Fp32, Host, Kernel, Kind, Port, Value};
use rayman_rtl::datapath::examples::{DotProduct, Horner, Mixture, Normalise};
use rayman_rtl::datapath::kernels::{
    Camera, PrimaryRay, Shade, SphereHit, CAMERA_INTERVAL, PRIMARY_RAY_INTERVAL, SHADE_INTERVAL, SPHERE_HIT_INTERVAL,
};
use rayman_rtl::datapath::Datapath;
use rayman_rtl::emit::emit;
use rayman_rtl::step;
use rayman_sim::verilated::block::{Sample, VerilatedBlock};
use std::collections::VecDeque;

/// Clocks simulated at a time.
const BATCH: usize = 4096;

/// Any bits, or such as a picture has.
fn port_bits(port: &Port, plausible: bool, random: &mut Random) -> u32 {
    let wide = random.one_in(2);
    let mut between = |low, high| random.between(low, high).to_bits();
    match (port.kind, plausible) {
        (Kind::Flag, _) => random.below(2),
        (Kind::Float, false) => random.float_bits(),
        (Kind::Float, true) => match port.name {
            "radius_squared" => between(0.01, 30.0),
            "radius_inverse" => between(0.15, 5.0),
            "fov_degrees" => between(1.0, 179.0),
            "distance" => between(0.0, 20.0),
            "weight" => between(0.0, 1.0),
            name if name.starts_with("direction") || name.starts_with("forward") => between(-1.0, 1.0),
            name if name.starts_with("right") || name.starts_with("up") => between(-0.01, 0.01),
            name if name.starts_with("accumulated") => between(0.0, 1.0),
            name if name.starts_with("centre_") && wide => between(0.0, 320.0),
            _ => between(-8.0, 8.0),
        },
        (Kind::Word, true) if port.name.starts_with("material") => {
            u32::from_le_bytes([0; 4].map(|_| random.below(0x81) as u8))
        }
        (Kind::Word, _) => random.next_u32() >> random.below(32),
    }
}

/// The kernel on the host.
fn model<K: Kernel>(inputs: &[u32]) -> Vec<u32> {
    let value = |(port, bits): (&Port, &u32)| match port.kind {
        Kind::Float => Value::Float(Fp32(*bits)),
        Kind::Word => Value::Word(*bits),
        Kind::Flag => Value::Flag(*bits != 0),
    };
    let inputs: Vec<_> = K::INPUTS.iter().zip(inputs).map(value).collect();
    let bits = |value: &Value<Host>| match value {
        Value::Float(value) => value.0,
        Value::Word(value) => *value,
        Value::Flag(value) => (*value).into(),
    };
    K::evaluate(&mut Host, &inputs).iter().map(bits).collect()
}

/// Runs until `wanted` results were equal.
fn verilog_is_leaf_is_model<D: Datapath>(interval: u32, wanted: usize) {
    let name = D::Kernel::NAME;
    let mut leaf = D::with_interval(interval);
    leaf.connect_all();
    println!("{}", leaf.design().report());
    let latency = u64::from(leaf.design().latency());
    let verilog = emit(&leaf, name).expect("legal Verilog");
    let mut verilated = VerilatedBlock::build(&verilog, name).unwrap_or_else(|error| panic!("{name}: {error}"));
    let expected_inputs: Vec<_> = verilated.inputs().map(|port| port.name.trim_end_matches('_').to_string()).collect();
    let ports = |ports: &[Port]| ports.iter().map(|port| port.name.to_string()).collect::<Vec<_>>();
    assert_eq!(
        expected_inputs,
        [vec!["reset_n".into(), "start".into()], ports(D::Kernel::INPUTS), vec!["tag".into()]].concat()
    );
    let width = verilated.outputs().count();
    let random = &mut Random::for_test(&format!("verilog_is_leaf_is_model {name} {interval}"), 1);
    let mut inputs = vec![0; D::Kernel::INPUTS.len() + 1];
    let mut under_way: VecDeque<(u64, Vec<u32>)> = VecDeque::new();
    let (mut now, mut results, mut starts, mut ready, mut busy) = (0, 0, 0, true, 4);
    while results < wanted {
        let mut rows = Vec::new();
        let mut answers = Vec::new();
        for _ in 0..BATCH {
            if random.one_in(500) {
                busy = random.below(6).min(4);
            }
            let start = random.below(4) < busy;
            let reset_n = now > 0 && !random.one_in(2000);
            if start || random.one_in(4) {
                let plausible = random.one_in(2);
                let bits = |port| port_bits(port, plausible, random);
                inputs = D::Kernel::INPUTS.iter().map(bits).collect();
                inputs.push(random.next_u32());
            }
            if !reset_n {
                under_way.clear();
            } else if start && ready {
                let mut outputs = model::<D::Kernel>(&inputs);
                outputs.extend(inputs.last());
                under_way.push_back((now + latency, outputs));
                starts += 1;
            }
            leaf.drive(reset_n, start, &inputs);
            step::clock(&mut leaf, |leaf, level| leaf.set_clock(level)).expect("no loops");
            rows.extend([u64::from(reset_n), u64::from(start)]);
            rows.extend(inputs.iter().map(|word| u64::from(*word)));
            now += 1;
            let answer = leaf.answer();
            ready = answer.0;
            let due = under_way.pop_front_if(|(at, _)| *at == now).map(|(_, outputs)| outputs);
            assert_eq!(answer.1, due.is_some(), "{name} at interval {interval}: the leaf's done in clock {now}");
            answers.push((answer, due, inputs.clone()));
        }
        let rows = verilated.run(&rows, Sample::AfterEdge).expect("runs");
        let first = now - BATCH as u64 + 1;
        for (n, ((ready, done, outputs), due, inputs)) in answers.iter().enumerate() {
            let row: Vec<u32> = rows[n * width..][..width].iter().map(|value| *value as u32).collect();
            let context = format!("{name} at interval {interval}, clock {}, seed 1", first + n as u64);
            assert_eq!((row[0] != 0, row[1] != 0), (*ready, *done), "{context}: Verilator's ready and done");
            if let Some(expected) = due {
                assert_eq!(&row[2..], expected, "{context}: Verilator and model (inputs now {inputs:x?})");
                assert_eq!(outputs, expected, "{context}: leaf and model");
                results += 1;
            }
        }
    }
    println!("{name} at interval {interval}: {results} results of {starts} starts in {now} clocks");
}

#[test]
fn dot_product_is_its_verilog() {
    verilog_is_leaf_is_model::<DotProduct>(1, 10_000);
    verilog_is_leaf_is_model::<DotProduct>(2, 10_000);
}

#[test]
fn normalise_is_its_verilog() {
    verilog_is_leaf_is_model::<Normalise>(1, 10_000);
    verilog_is_leaf_is_model::<Normalise>(4, 10_000);
}

#[test]
fn horner_is_its_verilog() {
    verilog_is_leaf_is_model::<Horner>(5, 10_000);
}

#[test]
fn mixture_is_its_verilog() {
    verilog_is_leaf_is_model::<Mixture>(1, 10_000);
    verilog_is_leaf_is_model::<Mixture>(3, 10_000);
}

#[test]
fn sphere_hit_is_its_verilog() {
    verilog_is_leaf_is_model::<SphereHit>(SPHERE_HIT_INTERVAL, 20_000);
    verilog_is_leaf_is_model::<SphereHit>(4, 10_000);
}

#[test]
fn shade_is_its_verilog() {
    verilog_is_leaf_is_model::<Shade>(SHADE_INTERVAL, 10_000);
    verilog_is_leaf_is_model::<Shade>(17, 10_000);
}

#[test]
fn primary_ray_is_its_verilog() {
    verilog_is_leaf_is_model::<PrimaryRay>(PRIMARY_RAY_INTERVAL, 10_000);
}

#[test]
fn camera_is_its_verilog() {
    verilog_is_leaf_is_model::<Camera>(CAMERA_INTERVAL, 10_000);
}

#[test]
fn the_cores_blocks_compute_the_models_kernels() {
    assert_eq!(<SphereHit as Datapath>::Kernel::NAME, kernels::SphereHit::NAME);
    assert_eq!(<Shade as Datapath>::Kernel::NAME, kernels::Shade::NAME);
    assert_eq!(<PrimaryRay as Datapath>::Kernel::NAME, kernels::PrimaryRay::NAME);
    assert_eq!(<Camera as Datapath>::Kernel::NAME, kernels::Camera::NAME);
}
