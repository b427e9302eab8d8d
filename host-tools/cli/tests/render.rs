//! Rendering through the binaries, on the model.

mod scratch;

use std::fs;

use scratch::{Scratch, SMALL};

/// Width, height and bytes of a PNG file.
fn decode(path: impl AsRef<std::path::Path>) -> (u32, u32, Vec<u8>) {
    let picture = image::open(path).unwrap().into_rgb8();
    (picture.width(), picture.height(), picture.into_raw())
}

fn ready(test: &str) -> Scratch {
    let scratch = Scratch::new(test);
    scratch.write("small.toml", SMALL);
    scratch
}

/// The number in the line of a report that begins with `name`.
#[track_caller]
fn reported(out: &str, name: &str) -> u64 {
    let line = out.lines().find_map(|line| line.strip_prefix(name)).unwrap_or_else(|| panic!("no {name:?} in {out}"));
    line.split_whitespace().next().unwrap().replace(',', "").parse().unwrap()
}

#[test]
fn a_picture_and_a_report() {
    let scratch = ready("picture");
    let outcome = scratch.upload(&["small.toml", "--device", "model", "-o", "out.png"]);
    assert_eq!(outcome.code, Some(0), "{outcome:?}");
    assert_eq!(scratch.names(), ["out.png", "small.toml"]);
    let (width, height, rgb) = decode(scratch.0.join("out.png"));
    assert_eq!((width, height), (8, 6));
    // The corner sees the background, the middle the red sphere.
    assert_eq!(rgb[..3], [0x20, 0x30, 0x40]);
    let middle = &rgb[3 * (3 * 8 + 4)..][..3];
    assert!(middle[0] > 60 && middle[0] > 2 * middle[1], "{middle:?}");

    let out = &outcome.out;
    assert!(out.starts_with("device           model (--device model)\n"), "{out}");
    assert!(out.ends_with("picture          out.png (8x6)\n"), "{out}");
    let rays = reported(out, "rays");
    assert!((48..48 * 4).contains(&rays), "{out}");
    assert!(out.contains("(48 primary, "), "{out}");
    assert_eq!(reported(out, "sphere tests"), rays, "one sphere");
    assert!(out.contains("cycles           none"), "{out}");
    assert!(out.contains("\nseconds  "), "{out}");
}

#[test]
fn the_picture_is_named_after_the_scene_and_lies_here() {
    let scratch = ready("default_name");
    fs::create_dir(scratch.0.join("deep")).unwrap();
    fs::rename(scratch.0.join("small.toml"), scratch.0.join("deep/my.scene.toml")).unwrap();
    let outcome = scratch.upload(&["deep/my.scene.toml", "--device", "model"]);
    assert_eq!(outcome.code, Some(0), "{outcome:?}");
    assert_eq!(scratch.names(), ["deep", "my.scene.png"]);
}

#[test]
fn rayman_render_is_rayman_upload() {
    let scratch = ready("render");
    let one = scratch.upload(&["small.toml", "--device", "model", "-o", "one.png", "--quiet"]);
    let two = scratch.rayman(&["render", "small.toml", "--device", "model", "-o", "two.png", "--quiet"]);
    for outcome in [one, two] {
        assert_eq!((outcome.code, outcome.out.as_str(), outcome.err.as_str()), (Some(0), "", ""));
    }
    assert_eq!(decode(scratch.0.join("one.png")), decode(scratch.0.join("two.png")));
}

#[test]
fn progress_is_at_most_a_line_for_ten_percent() {
    let scratch = ready("progress");
    let outcome = scratch.upload(&["small.toml", "--device", "model", "--size", "320x200"]);
    assert_eq!(outcome.code, Some(0), "{outcome:?}");
    let numbers: Vec<u32> = outcome
        .err
        .lines()
        .map(|line| line.strip_prefix("rendering on model: ").unwrap().strip_suffix(" %").unwrap().parse().unwrap())
        .collect();
    assert!(numbers.windows(2).all(|pair| pair[0] < pair[1]), "{numbers:?}");
    assert!(numbers.iter().all(|number| number % 10 == 0), "{numbers:?}");
    assert_eq!(numbers.last(), Some(&100));
}

#[test]
fn options_override_the_scene() {
    let scratch = ready("options");
    let run = |name: &str, options: &[&str]| {
        let arguments = [&["small.toml", "--device", "model", "-o", name], options].concat();
        let outcome = scratch.upload(&arguments);
        assert_eq!(outcome.code, Some(0), "{outcome:?}");
        (decode(scratch.0.join(name)), outcome.out)
    };
    let (plain, out) = run("plain.png", &[]);
    assert!(!out.contains(" 0 shadow") && !out.contains(" 0 reflection"), "{out}");
    let (dark, out) = run("dark.png", &["--no-shadows"]);
    assert!(out.contains(" 0 shadow"), "{out}");
    assert_eq!(plain, dark, "one sphere throws no shadow on itself");
    let (flat, out) = run("flat.png", &["--depth", "0"]);
    assert!(out.contains(" 0 reflection"), "{out}");
    assert_ne!(plain, flat);
    let ((width, height, _), out) = run("wide.png", &["--size", "31x7"]);
    assert_eq!((width, height), (31, 7));
    assert!(out.contains("(217 primary, "), "{out}");
}

#[test]
fn an_old_picture_is_replaced_and_a_link_is_followed() {
    let scratch = ready("replace");
    scratch.write("real.png", "not a picture");
    std::os::unix::fs::symlink("real.png", scratch.0.join("link.png")).unwrap();
    let outcome = scratch.upload(&["small.toml", "--device", "model", "-o", "link.png"]);
    assert_eq!(outcome.code, Some(0), "{outcome:?}");
    assert_eq!(scratch.names(), ["link.png", "real.png", "small.toml"]);
    assert!(scratch.0.join("link.png").is_symlink());
    assert_eq!(decode(scratch.0.join("real.png")).0, 8);
}

#[test]
fn info_and_registers_of_the_model() {
    let scratch = Scratch::new("info");
    let info = scratch.rayman(&["info", "--device", "model"]);
    assert_eq!((info.code, info.err.as_str()), (Some(0), ""));
    for line in
        ["id               0x5241594d \"RAYM\"", "version          1.0", "lanes            1", "cached spheres   256"]
    {
        assert!(info.out.lines().any(|found| found == line), "{line:?} in {}", info.out);
    }
    let registers = scratch.rayman(&["regs", "--device", "model"]);
    assert_eq!((registers.code, registers.err.as_str()), (Some(0), ""));
    assert_eq!(registers.out.lines().count(), rayman_abi::register::REGISTERS.len());
    for register in rayman_abi::register::REGISTERS {
        let start = format!("{:#04x}  {} ", register.offset, register.name);
        assert!(registers.out.lines().any(|line| line.starts_with(&start)), "{start:?}");
    }
    assert!(registers.out.contains("reflection_depth 4, shadows yes, stream yes"), "{}", registers.out);
}

#[test]
fn help_and_version_are_no_errors() {
    let scratch = Scratch::new("help");
    for outcome in [scratch.upload(&["--help"]), scratch.rayman(&["--help"]), scratch.rayman(&["verify", "--help"])] {
        assert_eq!((outcome.code, outcome.err.as_str()), (Some(0), ""));
    }
    let version = scratch.upload(&["--version"]);
    assert_eq!(version.out, format!("rayman-upload {}\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn a_closed_pipe_is_no_error() {
    use std::process::{Command, Stdio};
    let mut child = Command::new(env!("CARGO_BIN_EXE_rayman"))
        .args(["regs", "--device", "model"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), output.stderr.len()), (Some(0), 0), "{output:?}");
}
