//! Datapaths: the emitted Verilog in Verilator, the leaf's in-crate behaviour and the model, on the same stimulus.
//!
//! Starts come at random, densely and sparsely, also while the block is not ready; resets come in mid-flight. `ready` and
//! `done` are compared in every clock, outputs and tag whenever something is done.

use rayman_model::random::Random;
use rayman_model::{kernels, Arithmetic, Fp32, Host, Kernel, Port};
use rayman_rtl::datapath::examples::{
    DotProduct, DotProductStream, Horner, Mixture, MixtureStream, Normalise, NormaliseStream,
};
use rayman_rtl::datapath::kernels::{
    shade_interval, Camera, Max, Min, PrimaryRay, ReciprocalSqrt, Select, Shade, ShadeStream, SphereHit,
    SphereHitStream, SphereRadius, ToColour8, ToFx1_7, PRIMARY_RAY_INTERVAL, SHADE_INTERVAL, SINGLE_INTERVAL,
    SPHERE_HIT_INTERVAL, SPHERE_RADIUS_INTERVAL,
};
use rayman_rtl::datapath::verilog::{scale_parameters, SCALE};
use rayman_rtl::datapath::{Datapath, Form, StreamDatapath};
use rayman_rtl::emit::emit;
use rayman_rtl::step;
use rayman_sim::datapath_check::{check, random_inputs};
use rayman_sim::verilated::block::{Sample, VerilatedBlock};
use std::collections::VecDeque;

/// Clocks simulated at a time.
const BATCH: usize = 4096;

/// Runs until `wanted` results were equal.
fn verilog_is_leaf_is_model<D: Datapath>(form: Form, wanted: usize) {
    let name = D::Kernel::NAME;
    let mut leaf = D::of(form);
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
    let random = &mut Random::for_test(&format!("verilog_is_leaf_is_model {name} {form}"), 1);
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
                inputs = random_inputs::<D::Kernel>(random);
            }
            if !reset_n {
                under_way.clear();
            } else if start && ready {
                let mut outputs = D::Kernel::words(&inputs);
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
            assert_eq!(answer.1, due.is_some(), "{name}, {form}: the leaf's done in clock {now}");
            answers.push((answer, due, inputs.clone()));
        }
        let rows = verilated.run(&rows, Sample::AfterEdge).expect("runs");
        let first = now - BATCH as u64 + 1;
        for (n, ((ready, done, outputs), due, inputs)) in answers.iter().enumerate() {
            let row: Vec<u32> = rows[n * width..][..width].iter().map(|value| *value as u32).collect();
            let context = format!("{name}, {form}, clock {}, seed 1", first + n as u64);
            assert_eq!((row[0] != 0, row[1] != 0), (*ready, *done), "{context}: Verilator's ready and done");
            if let Some(expected) = due {
                assert_eq!(&row[2..], expected, "{context}: Verilator and model (inputs now {inputs:x?})");
                assert_eq!(outputs, expected, "{context}: leaf and model");
                results += 1;
            }
        }
    }
    println!("{name}, {form}: {results} results of {starts} starts in {now} clocks");
}

#[test]
fn dot_product_is_its_verilog() {
    verilog_is_leaf_is_model::<DotProduct>(Form::Interval(1), 10_000);
    verilog_is_leaf_is_model::<DotProduct>(Form::Interval(2), 10_000);
}

#[test]
fn normalise_is_its_verilog() {
    verilog_is_leaf_is_model::<Normalise>(Form::Interval(1), 10_000);
    verilog_is_leaf_is_model::<Normalise>(Form::Interval(4), 10_000);
}

#[test]
fn horner_is_its_verilog() {
    verilog_is_leaf_is_model::<Horner>(Form::Interval(5), 10_000);
}

#[test]
fn mixture_is_its_verilog() {
    verilog_is_leaf_is_model::<Mixture>(Form::Interval(1), 10_000);
    verilog_is_leaf_is_model::<Mixture>(Form::Interval(3), 10_000);
}

#[test]
fn sphere_hit_is_its_verilog() {
    verilog_is_leaf_is_model::<SphereRadius>(Form::Interval(SPHERE_RADIUS_INTERVAL), 10_000);
    verilog_is_leaf_is_model::<SphereHit>(Form::Interval(SPHERE_HIT_INTERVAL), 20_000);
    verilog_is_leaf_is_model::<SphereHit>(Form::Interval(4), 10_000);
}

#[test]
fn shade_is_its_verilog() {
    for interval in [1, 2, 3].map(shade_interval) {
        verilog_is_leaf_is_model::<Shade>(Form::Interval(interval), 10_000);
    }
}

#[test]
fn primary_ray_is_its_verilog() {
    verilog_is_leaf_is_model::<PrimaryRay>(Form::Interval(PRIMARY_RAY_INTERVAL), 10_000);
}

#[test]
fn a_program_is_its_verilog() {
    verilog_is_leaf_is_model::<Mixture>(Form::Program, 4000);
    verilog_is_leaf_is_model::<Select>(Form::Program, 4000);
    verilog_is_leaf_is_model::<Shade>(Form::Program, 2000);
}

#[test]
fn camera_is_its_verilog() {
    verilog_is_leaf_is_model::<Camera>(Form::Program, 4000);
}

#[test]
fn single_operations_are_their_verilog() {
    verilog_is_leaf_is_model::<Min>(Form::Interval(SINGLE_INTERVAL), 10_000);
    verilog_is_leaf_is_model::<Max>(Form::Interval(SINGLE_INTERVAL), 10_000);
    verilog_is_leaf_is_model::<Select>(Form::Interval(SINGLE_INTERVAL), 10_000);
    verilog_is_leaf_is_model::<ToFx1_7>(Form::Interval(SINGLE_INTERVAL), 10_000);
    verilog_is_leaf_is_model::<ToColour8>(Form::Interval(SINGLE_INTERVAL), 10_000);
    verilog_is_leaf_is_model::<ReciprocalSqrt>(Form::Interval(SINGLE_INTERVAL), 10_000);
}

#[test]
fn the_cores_blocks_compute_the_models_kernels() {
    assert_eq!(<SphereHit as Datapath>::Kernel::NAME, kernels::SphereHit::NAME);
    assert_eq!(<SphereRadius as Datapath>::Kernel::NAME, kernels::SphereRadius::NAME);
    assert_eq!(<Shade as Datapath>::Kernel::NAME, kernels::Shade::NAME);
    assert_eq!(<PrimaryRay as Datapath>::Kernel::NAME, kernels::PrimaryRay::NAME);
    assert_eq!(<Camera as Datapath>::Kernel::NAME, kernels::Camera::NAME);
}

/// The stream form with random starts, stalls and resets: Verilator, leaf and model. `cargo xtask datapath KERNEL --ii N
/// --check COUNT` is the same with as many results as one likes.
fn stream_is_model<S: StreamDatapath>(interval: u32, wanted: u64) {
    let name = S::Kernel::NAME;
    let tally = check::<S>(interval, wanted, 1).unwrap_or_else(|error| panic!("{name}: {error}"));
    println!("{name} at interval {interval}: {tally:?}");
    assert_eq!(tally.failed, 0, "{name} at interval {interval}: {:#?}", tally.differences);
    assert!(tally.passed >= wanted && tally.stalled > tally.clocks / 50, "{name} at interval {interval}: {tally:?}");
}

#[test]
fn streams_of_small_kernels_lose_nothing_when_stalled() {
    stream_is_model::<DotProductStream>(1, 10_000);
    stream_is_model::<DotProductStream>(3, 5000);
    stream_is_model::<NormaliseStream>(2, 5000);
    stream_is_model::<MixtureStream>(1, 10_000);
}

#[test]
fn sphere_hit_has_the_models_bits_folded_and_not_with_random_stalls() {
    for interval in [1, 4, 16] {
        stream_is_model::<SphereHitStream>(interval, 10_000);
    }
}

#[test]
fn shade_has_the_models_bits_folded_and_not_with_random_stalls() {
    for interval in [1, 4, 16] {
        stream_is_model::<ShadeStream>(interval, 10_000);
    }
}

/// Every power of two, every exponent and sign, and the fractions at which something changes.
#[test]
fn a_product_with_a_power_of_two_is_the_multipliers() {
    const POWERS: std::ops::RangeInclusive<i32> = -126..=127;
    const FRACTIONS: [u32; 6] = [0, 1, 0x3f_ffff, 0x40_0000, 0x40_0001, 0x7f_ffff];
    let mut body = String::new();
    let mut ports = vec!["input wire clock".to_string(), "input wire [31:0] a".to_string()];
    for (n, exponent) in POWERS.enumerate() {
        let parameters = scale_parameters(exponent, false);
        ports.push(format!("output wire [31:0] q{n}"));
        body += &format!("scale #({parameters}) scale_{n} (.a(a), .q(q{n}));\n");
    }
    let verilog = format!("module all_scales ({});\n{body}endmodule\n{SCALE}", ports.join(",\n"));
    let mut verilated = VerilatedBlock::build(&verilog, "all_scales").unwrap_or_else(|error| panic!("{error}"));
    let operands: Vec<u32> = (0..512).flat_map(|top: u32| FRACTIONS.map(|fraction| top << 23 | fraction)).collect();
    let rows: Vec<u64> = operands.iter().map(|bits| u64::from(*bits)).collect();
    let answers = verilated.run(&rows, Sample::BeforeEdge).expect("runs");
    let width = POWERS.count();
    for (a, row) in operands.iter().zip(answers.chunks(width)) {
        for (exponent, got) in POWERS.zip(row) {
            let power = Fp32(((exponent + 127) as u32) << 23);
            let expected = Host.mul(&Fp32(*a), &power).0;
            assert_eq!(*got as u32, expected, "{a:08x} times 2^{exponent}");
        }
    }
    assert_eq!(answers.len(), 512 * FRACTIONS.len() * 254);
}

/// A bench for Icarus, which knows X: everything is X until written. Inputs are random words for `busy` clocks, a reset comes
/// in mid-flight, and then the pipeline runs empty with inputs that stand still, which costs the simulator little. It prints a line for each X on `ready` or `done` after the first reset, and for each X on an output that is done; at its
/// end the number of results.
fn four_state_bench(module: &str, ports: &[rayman_rtl::emit::text::Port], busy: usize, clocks: usize) -> String {
    let range = |width: usize| if width == 1 { String::new() } else { format!("[{}:0] ", width - 1) };
    let names = |wanted: &dyn Fn(&&rayman_rtl::emit::text::Port) -> bool| {
        ports.iter().filter(wanted).map(|port| port.name.clone()).collect::<Vec<_>>()
    };
    let driven = names(&|port| port.is_input && !["clock", "reset_n", "start"].contains(&port.name.as_str()));
    let outputs = names(&|port| !port.is_input && !["ready", "done"].contains(&port.name.as_str()));
    let mut text = String::from("`timescale 1ns/1ns\nmodule bench;\n");
    for port in ports {
        let kind = if port.is_input { "reg" } else { "wire" };
        text += &format!("{kind} {}{};\n", range(port.width), port.name);
    }
    let connections: Vec<_> = ports.iter().map(|port| format!(".{0}({0})", port.name)).collect();
    text += &format!("{module} block ({});\n", connections.join(", "));
    let random: Vec<_> = driven.iter().map(|name| format!("{name} = $random(seed);")).collect();
    text + &format!(
        "integer n, results, seed;\n\
         initial begin\n\
         seed = 1; results = 0; clock = 0; reset_n = 0; start = 0;\n\
         for (n = 0; n < {clocks}; n = n + 1) begin\n\
         reset_n = n > 1 && n != {reset_at};\n\
         start = 0;\n\
         if (n < {busy}) begin\n\
         {}\n\
         start = $random(seed);\n\
         end\n\
         #1 clock = 1; #1 clock = 0;\n\
         if (^{{ready, done}} === 1'bx) $display(\"X on ready or done in clock %0d\", n);\n\
         if (done === 1'b1) begin\n\
         results = results + 1;\n\
         if (^{{{}}} === 1'bx) $display(\"X on an output in clock %0d\", n);\n\
         end\nend\n\
         $display(\"results %0d\", results);\nend\nendmodule\n",
        random.join(" "),
        outputs.join(", "),
        reset_at = busy / 3,
    )
}

/// Runs the emitted Verilog in Icarus with every register X at first.
fn shows_no_x<D: Datapath>(form: Form, busy: usize) {
    let name = D::Kernel::NAME;
    let mut leaf = D::of(form);
    let interval = leaf.design().interval();
    leaf.connect_all();
    let verilog = emit(&leaf, name).expect("legal Verilog");
    let clocks = busy + leaf.design().latency() as usize + 4;
    let ports = rayman_rtl::emit::ports(&verilog, name).expect("has ports");
    let bench = four_state_bench(name, &ports, busy, clocks);
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR"));
    let [source, binary] = ["v", "vvp"].map(|suffix| folder.join(format!("four_state_{name}_{interval}.{suffix}")));
    std::fs::write(&source, verilog + &bench).expect("the target folder takes a file");
    let run = |command: &mut std::process::Command| {
        let output = command.output().unwrap_or_else(|error| {
            panic!("{:?}: {error}. `cargo xtask setup` installs Icarus Verilog", command.get_program())
        });
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    run(std::process::Command::new("iverilog").args(["-s", "bench", "-o"]).arg(&binary).arg(&source));
    let said = run(std::process::Command::new("vvp").arg("-n").arg(&binary));
    println!("{name}, {form}: {said}");
    let results = said.trim().strip_prefix("results ").unwrap_or_else(|| panic!("{name}: {said}"));
    let results: usize = results.parse().expect("a number");
    assert!(results > busy / interval as usize / 4, "{name}, {form}: only {results} results");
}

#[test]
fn no_x_comes_out_after_a_reset() {
    shows_no_x::<DotProduct>(Form::Interval(1), 300);
    shows_no_x::<DotProduct>(Form::Interval(3), 300);
    shows_no_x::<Mixture>(Form::Interval(2), 300);
    shows_no_x::<SphereHit>(Form::Interval(SPHERE_HIT_INTERVAL), 30);
    shows_no_x::<Shade>(Form::Interval(SHADE_INTERVAL), 130);
    shows_no_x::<Camera>(Form::Program, 2000);
    shows_no_x::<Mixture>(Form::Program, 600);
}
