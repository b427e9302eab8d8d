//! The frame block, in-crate against Verilated, clock by clock in the same surroundings.
//!
//! The surroundings are those of the crate's own tests: frames of all kinds at a random pace, whole, stopped, failing,
//! reset in mid-flight. They react to the in-crate block; the Verilated one is given the same inputs and must answer
//! with the same outputs. Its registers and memories start at random.

#[path = "../../hdl/rtl/src/frame/tests/bench.rs"]
mod bench;

use rayman_rtl::emit::emit;
use rayman_rtl::emit::text::Port;
use rayman_rtl::frame::{Frame, FrameCore};
use rayman_rtl::step::settle;
use rayman_sim::recording::{miter::Rules, Meaning, Recording};
use rayman_sim::verilated::{block::Sample, Flavour, VerilatedBlock};
use rust_hdl_core::prelude::Block;
use std::{cell::RefCell, rc::Rc};

/// Outputs that mean something only while another is high: before, registers without a reset show through.
fn meaning(port: &str) -> Option<&'static str> {
    Some(match port {
        "read_request_address" | "read_request_words" => "read_request_valid",
        "sphere_index"
        | "sphere_centre_x"
        | "sphere_centre_y"
        | "sphere_centre_z"
        | "sphere_radius_squared"
        | "sphere_radius_inverse"
        | "sphere_radius"
        | "sphere_material" => "sphere_valid",
        "stream_enable" | "framebuffer_enable" | "output_address" | "output_stride" | "width" | "height"
        | "background" | "reflection_depth" | "shadows" | "sphere_count" => "rendering",
        _ if ["light_", "position_", "forward_", "right_", "up_", "centre_"].iter().any(|p| port.starts_with(p)) => {
            "rendering"
        }
        _ => return None,
    })
}

fn compare(model_seed: u32, seed: u64, frames: u32) {
    println!("seed {seed}, registers and memories from seed {model_seed}");
    let mut block = Frame::<2, 3>::default();
    block.connect_all();
    let verilog = emit(&block, "frame").expect("emits");
    let mut model = VerilatedBlock::build_with(&verilog, "frame", Flavour::Checked, model_seed).expect("builds");
    model.set("reset_n", 0);
    let names = |ports: Vec<&Port>| ports.iter().map(|port| port.name.clone()).collect::<Vec<_>>();
    let (ins, outs) = (names(model.inputs().collect()), names(model.outputs().collect()));
    let recording = Rc::new(RefCell::new(Recording::if_wanted(&ins, &outs, Sample::BeforeEdge)));
    let recorder = recording.clone();
    let model_outputs = outs.clone();
    let seen = Rc::new(RefCell::new((0u64, 0u64)));
    let counts = seen.clone();
    let mut resets = 0;
    bench::mixed_frames(
        seed,
        frames,
        false,
        Box::new(move |inputs, outputs| {
            let value = |list: &[bench::PortValue], name: &str| {
                list.iter().find(|(port, _)| *port == name).unwrap_or_else(|| panic!("no port {name}")).1
            };
            for (port, value) in inputs {
                model.set(port, *value);
            }
            model.settle().expect("settles");
            let mut counts = counts.borrow_mut();
            let loaded = counts.1 > 0;
            // The first clock of reset shows random registers; materials are random until a frame has loaded them.
            resets += u64::from(value(inputs, "reset_n") == 0);
            assert!(
                counts.0 != 1 || resets == 2,
                "it begins with a reset: without, nothing would be compared for long"
            );
            let means = |port: &str| {
                resets > 1
                    && (loaded || !port.starts_with("material_data"))
                    && meaning(port).is_none_or(|by| value(outputs, by) == 1)
            };
            for (port, want) in outputs.iter().filter(|(port, _)| means(port)) {
                assert_eq!(model.get(port), *want, "{port} in clock {}", counts.0);
            }
            if let Some(recording) = &mut *recorder.borrow_mut() {
                let values = |list: &[bench::PortValue], names: &[String]| -> Vec<u64> {
                    names.iter().map(|name| value(list, name)).collect()
                };
                recording.push(&values(inputs, &ins), &values(outputs, &outs), outs.iter().map(|port| means(port)));
            }
            counts.0 += 1;
            counts.1 += value(outputs, "frame_end");
            model.clock().expect("clocks");
        }),
    );
    let (clocks, ends) = *seen.borrow();
    println!("{clocks} clocks, {ends} frames ended");
    if let Some(recording) = &*recording.borrow() {
        let outputs = model_outputs.iter();
        let meaning = outputs.filter_map(|port| Some((port.clone(), Meaning::While(meaning(port)?)))).collect();
        let rules = Rules { meaning, opening: 3, ..Rules::default() };
        recording.save_if_wanted("frame", &verilog, &rules).expect("is recorded");
    }
    assert!(ends > u64::from(frames) / 2);
}

#[test]
fn the_frame_block_is_its_verilog() {
    for (model_seed, seed) in [(1, 1), (2, 2)] {
        compare(model_seed, seed, 150);
    }
}
