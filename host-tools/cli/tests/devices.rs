//! The commands on the simulated core.

mod scratch;

use scratch::{Scratch, SMALL};

#[test]
fn the_rtl_is_the_default_and_equals_the_model_byte_for_byte() {
    let scratch = Scratch::new("rtl");
    scratch.write("small.toml", SMALL);
    let rtl = scratch.upload(&["small.toml", "-o", "rtl.png"]);
    assert_eq!(rtl.code, Some(0), "{rtl:?}");
    assert!(rtl.out.starts_with("device           ") && rtl.out.contains("(--device rtl)\n"), "{rtl:?}");
    for line in ["cycles  ", "tests a clock  ", "clocks a second  "] {
        assert!(rtl.out.contains(&format!("\n{line}")), "{line:?} in {rtl:?}");
    }
    let model = scratch.upload(&["small.toml", "-o", "model.png", "--device", "model", "--quiet"]);
    assert_eq!(model.code, Some(0), "{model:?}");
    let picture = |name: &str| std::fs::read(scratch.0.join(name)).unwrap();
    assert!(picture("rtl.png") == picture("model.png"));
}

#[test]
fn verify_compares_rtl_and_model() {
    let scratch = Scratch::new("verify_rtl");
    scratch.write("small.toml", SMALL);
    let outcome = scratch.rayman(&["verify", "small.toml", "--devices", "rtl,model", "--quiet"]);
    assert_eq!(outcome.code, Some(0), "{outcome:?}");
    assert_eq!(outcome.out.matches("  equal\n").count(), 1, "{outcome:?}");
}

#[test]
fn info_and_registers_of_the_rtl_are_those_of_the_model() {
    let scratch = Scratch::new("info_rtl");
    for command in ["info", "regs"] {
        let [rtl, model] = ["rtl", "model"].map(|device| scratch.rayman(&[command, "--device", device]));
        assert_eq!((rtl.code, rtl.err.as_str()), (Some(0), ""), "{rtl:?}");
        let without_name =
            |out: &str| out.lines().filter(|line| !line.starts_with("device ")).collect::<Vec<_>>().join("\n");
        assert_eq!(without_name(&rtl.out), without_name(&model.out));
    }
}

#[test]
fn without_the_verilated_core_the_error_says_what_builds_it() {
    let scratch = Scratch::new("not_built");
    scratch.write("small.toml", SMALL);
    // The library is looked for in the target folder; there is none in an empty one.
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_rayman-upload"))
        .args(["small.toml", "--device", "verilator"])
        .env("CARGO_TARGET_DIR", scratch.0.join("target"))
        .current_dir(&scratch.0)
        .output()
        .unwrap();
    let error = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{error}");
    assert!(error.starts_with("error: ") && error.contains("cargo xtask s"), "{error}");
    assert_eq!(scratch.names(), ["small.toml"]);
}
