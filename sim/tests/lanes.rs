//! The picture is the model's, byte by byte, and so are the architectural counters, whatever the number of lanes.

#[path = "behaviour/stage.rs"]
#[allow(dead_code)] // the suite uses the rest
mod stage;

use rayman_driver::scene::Sphere;
use rayman_sim::axi_slave::Timing;
use rayman_sim::devices::{core_verilog, in_crate, MOST_LANES};
use rayman_sim::random::Random;
use rayman_sim::verilated::core::VerilatedCore;
use rayman_sim::verilated::Flavour;
use rayman_sim::{Bench, CoreTransport};
use stage::{control, read, scene_with_spheres, Stage};

/// So many spheres about the place that the camera looks at, some of them the same as others.
fn spheres(random: &mut Random, count: u32) -> Vec<Sphere> {
    let mut spheres: Vec<Sphere> = vec![];
    for _ in 0..count {
        let mut within = |low: f32, high: f32| low + (high - low) * random.below(1000) as f32 / 1000.0;
        let centre = [within(-2.0, 2.0), within(-1.0, 2.0), within(-2.0, 2.0)];
        let sphere = Sphere { centre, radius: within(0.1, 1.0), material: random.below(2) as usize };
        let again = spheres.last().copied().filter(|_| random.below(8) == 0);
        spheres.push(again.unwrap_or(sphere));
    }
    spheres
}

/// Renders scenes of few and many spheres, each as the model does.
fn render<B: Bench>(bench: &mut B, lanes: u32, width: u32, height: u32) {
    let fields = read(bench, &rayman_abi::register::CAPABILITIES);
    assert_eq!(rayman_abi::register::LANES.get(fields), lanes);
    let mut random = Random::new(u64::from(lanes));
    for (frame, count) in [0, 1, 2, 3, 8, 16, 40].into_iter().enumerate() {
        let mut stage = Stage::of(&scene_with_spheres(spheres(&mut random, count)));
        stage.size(width + random.below(4), height);
        stage.control = control(frame as u32 % 4, frame != 3, frame % 2 == 0);
        bench.set_timing(Timing { latency: 1 + random.below(50), seed: frame as u64, ..Timing::default() });
        stage.check(bench);
    }
}

#[test]
fn pictures_and_counters_are_the_models_at_any_number_of_lanes() {
    for lanes in 1..=MOST_LANES {
        render(&mut in_crate(lanes).expect("the core starts"), lanes, 9, 8);
    }
}

#[test]
fn the_verilated_core_of_three_lanes_renders_what_the_model_does() {
    let verilog = core_verilog(3).expect("the core emits");
    let core = VerilatedCore::build(&verilog, Flavour::Fast, 1).expect("the Verilated core builds");
    render(&mut CoreTransport::new(core).expect("it starts"), 3, 24, 20);
}

#[test]
fn there_is_no_core_of_no_lanes_or_five() {
    for lanes in [0, MOST_LANES + 1] {
        assert!(in_crate(lanes).is_err() && core_verilog(lanes).is_err());
    }
}
