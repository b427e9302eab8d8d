//! `rayman verify` on a core whose Verilog was broken on purpose: one comparison of its intersector's result side.

mod scratch;

use clap::Parser;
use rayman_driver::Transport;
use rayman_sim::verilated::core::VerilatedCore;
use rayman_sim::verilated::Flavour;
use rayman_sim::{devices, CoreTransport, ModelTransport};
use rayman_tools::command::Rayman;
use rayman_tools::device::{Choice, DeviceKind, Setting};
use rayman_tools::failure;
use scratch::Scratch;

/// Two spheres in front of each other, the nearer one later in the array, so that the comparison matters.
const TWO_DEEP: &str = r##"
[camera]
position = [0.0, 0.0, -6.0]
look_at = [0.0, 0.0, 0.0]
fov = 40.0

[light]
position = [5.0, 5.0, -5.0]

[screen]
width = 12
height = 8

[[material]]
name = "far"
ambient = [0.9, 0.0, 0.0]
diffuse = [0.0, 0.0, 0.0]
specular = [0.0, 0.0, 0.0]
reflection = 0.0
shininess = 1

[[material]]
name = "near"
ambient = [0.0, 0.9, 0.0]
diffuse = [0.0, 0.0, 0.0]
specular = [0.0, 0.0, 0.0]
reflection = 0.0
shininess = 1

[[sphere]]
centre = [0.0, 0.0, 3.0]
radius = 2.0
material = "far"

[[sphere]]
centre = [0.0, 0.0, 0.0]
radius = 1.0
material = "near"
"##;

/// Verifies `TWO_DEEP` on the model and on the core of this Verilog. The exit code and what was printed.
fn verify(verilog: &str, test: &str) -> (u8, String) {
    let scratch = Scratch::new(test);
    scratch.write("two.toml", TWO_DEEP);
    let path = scratch.0.join("two.toml");
    let open = |choice: &Choice, _: &Setting| -> anyhow::Result<Box<dyn Transport>> {
        Ok(match choice {
            Choice::Simulated(DeviceKind::Verilator) => {
                Box::new(CoreTransport::new(VerilatedCore::build(verilog, Flavour::Checked, 1)?)?)
            }
            _ => Box::new(ModelTransport::default()),
        })
    };
    let arguments = ["rayman", "verify", path.to_str().unwrap(), "--devices", "model,verilator", "--quiet"];
    let mut out = Vec::new();
    let code = Rayman::try_parse_from(arguments).unwrap().run(&open, &mut out).unwrap();
    (code, String::from_utf8(out).unwrap())
}

#[test]
fn a_broken_build_is_found_and_its_first_wrong_pixel_named() {
    let good = devices::core_verilog(1).unwrap();
    let (code, out) = verify(&good, "good_build");
    assert_eq!(code, failure::DONE, "{out}");

    // Once there is a hit, a farther one replaces it in place of a nearer one.
    let (nearer, farther) =
        ("late_distance_q < best_read_data_0", "(best_read_data_2[0] ^ (late_distance_q < best_read_data_0))");
    assert_eq!(good.matches(nearer).count(), 1, "the comparison to break is written otherwise now");
    let (code, out) = verify(&good.replace(nearer, farther), "broken_build");
    assert_eq!(code, failure::MISMATCH, "{out}");
    assert!(out.contains("DIFFERS: pixel ("), "{out}");
}
