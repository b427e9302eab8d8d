//! Every bad input, through the binary: the error names the place and says what to do, the exit code is 2, and nothing
//! is written.

mod scratch;

use scratch::{Scratch, SMALL};

/// The scene with one piece of text replaced, which must be there exactly once.
fn with(from: &str, to: &str) -> String {
    assert_eq!(SMALL.matches(from).count(), 1, "{from:?}");
    SMALL.replace(from, to)
}

/// Line and column of the only place where `needle` stands.
fn place(text: &str, needle: &str) -> (usize, usize) {
    assert_eq!(text.matches(needle).count(), 1, "{needle:?}");
    let before = &text[..text.find(needle).unwrap()];
    (before.matches('\n').count() + 1, before.len() - before.rfind('\n').map_or(0, |at| at + 1) + 1)
}

/// Uploads a bad scene; the error must stand where `needle` does and hold `words`.
#[track_caller]
fn refused(test: &str, text: &str, needle: &str, words: &[&str]) {
    let scratch = Scratch::new(test);
    scratch.write("bad.toml", text);
    let (line, column) = place(text, needle);
    for device in ["model", "rtl"] {
        let outcome = scratch.upload(&["bad.toml", "-o", "picture.png", "--device", device]);
        assert_eq!(outcome.code, Some(2), "{outcome:?}");
        assert_eq!(outcome.out, "");
        let place = format!("error: bad.toml:{line}:{column}: ");
        assert!(outcome.err.starts_with(&place), "expected {place:?} in {outcome:?}");
        for word in words {
            assert!(outcome.err.contains(word), "expected {word:?} in {outcome:?}");
        }
        assert!(outcome.err.contains("\n  help: "), "{outcome:?}");
        assert_eq!(scratch.names(), ["bad.toml"], "nothing is written");
    }
}

#[test]
fn unknown_keys() {
    let text = with("radius = 1\n", "radius = 1\nradios = 2\n");
    refused("unknown_key", &text, "radios", &["sphere[0].radios", "unknown field", "`radius`", "spelling"]);
    let text = with("[light]", "[lamp]\nposition = [1, 1, 1]\n[light]");
    refused("unknown_table", &text, "lamp", &["lamp: unknown field"]);
    let text = with("shadows = true", "shadow = true");
    refused("unknown_option", &text, "shadow =", &["render.shadow: unknown field"]);
}

#[test]
fn missing_fields() {
    let text = with("radius = 1\n", "");
    refused("missing_radius", &text, "[[sphere]]", &["sphere[0].radius: missing field", "add `radius = ...`"]);
    let text = with("fov = 40\n", "");
    refused("missing_fov", &text, "[camera]", &["camera.fov: missing field"]);
    let text = with("[light]\nposition = [5, 5, 5]", "");
    let outcome = {
        let scratch = Scratch::new("missing_light");
        scratch.write("bad.toml", &text);
        scratch.upload(&["bad.toml"])
    };
    assert_eq!(outcome.code, Some(2));
    assert!(outcome.err.contains("light: missing field") && outcome.err.contains("table"), "{outcome:?}");
}

#[test]
fn radii_of_zero_and_below() {
    for (test, radius) in [("radius_zero", "0"), ("radius_negative", "-1.5"), ("radius_minus_zero", "-0.0")] {
        let text = with("radius = 1\n", &format!("radius = {radius}\n"));
        refused(test, &text, &format!("{radius}\nmaterial"), &["sphere[0].radius", "is not above 0"]);
    }
    let text = with("radius = 1\n", "radius = 1e30\n");
    refused("radius_large", &text, "1e30", &["sphere[0].radius", "beyond FP32"]);
}

#[test]
fn colours_beyond_their_range() {
    let text = with("[0.8, 0.1, 0.1]", "[0.8, 1.01, 0.1]");
    refused("colour_above", &text, "[0.8, 1.01", &["material[0].diffuse", "1.01 is not between 0 and 1"]);
    let text = with("[0.1, 0.0, 0.0]", "[-0.1, 0.0, 0.0]");
    refused("colour_below", &text, "[-0.1", &["material[0].ambient", "-0.1 is not between 0 and 1"]);
    let text = with("[0.5, 0.5, 0.5]", "[0.5, 0.5, 255]");
    refused("colour_bytes", &text, "[0.5, 0.5, 255", &["material[0].specular", "divide by 255"]);
    let text = with("reflection = 0.25", "reflection = 1.5");
    refused("reflection_above", &text, "1.5", &["material[0].reflection", "1.5 is not between 0 and 1"]);
    let text = with("reflection = 0.25", "reflection = nan");
    refused("reflection_nan", &text, "nan", &["material[0].reflection", "NaN is not between 0 and 1"]);
    let text = with("shininess = 20", "shininess = 256");
    refused("shininess", &text, "256", &["material[0].shininess", "256 is not between 0 and 255"]);
}

#[test]
fn backgrounds() {
    let values =
        ["\"#12345\"", "\"#12345g\"", "\"blue\"", "\"#+12345\"", "[0.1, 0.2, 1.3]", "[0.1, -0.2, 0.3]", "[nan, 0, 0]"];
    for (index, value) in values.iter().enumerate() {
        let text = with("\"#203040\"", value);
        refused(&format!("background_{index}"), &text, value, &["render.background", "\"#rrggbb\""]);
    }
    let text = with("\"#203040\"", "7");
    refused("background_type", &text, "7", &["render.background", "#rrggbb"]);
}

#[test]
fn materials_that_do_not_exist() {
    let text = with("material = \"red\"", "material = \"green\"");
    refused(
        "no_material",
        &text,
        "\"green\"",
        &["sphere[0].material", "no material \"green\"", "the materials are \"red\""],
    );
}

#[test]
fn nine_materials() {
    let mut text = SMALL.to_owned();
    for number in 2..=9 {
        text += &format!("[[material]] # number {number}\nname = \"m{number}\"\ndiffuse = [0, 0, 0]\n");
    }
    refused("nine_materials", &text, "[[material]] # number 9", &["material: has 9 materials", "8"]);
}

#[test]
fn duplicate_material_names() {
    let text = SMALL.to_owned() + "[[material]]\nname = 'red'\ndiffuse = [0, 0, 0]\n";
    refused("duplicate", &text, "'red'", &["material[1].name", "already, in line 20"]);
}

#[test]
fn numbers_that_are_not_finite() {
    for (test, value) in [("nan", "nan"), ("inf", "inf"), ("minus_inf", "-inf"), ("large", "1e39")] {
        let vector = format!("[0, {value}, 0]");
        let text = with("centre = [0, 0, 0]", &format!("centre = {vector}"));
        refused(&format!("centre_{test}"), &text, &vector, &["sphere[0].centre", "not a finite FP32 number"]);
        let text = with("position = [5, 5, 5]", &format!("position = {vector}"));
        refused(&format!("light_{test}"), &text, &vector, &["light.position", "not a finite FP32 number"]);
        let text = with("look_at = [0, 0, 0]", &format!("look_at = {vector}"));
        refused(&format!("look_at_{test}"), &text, &vector, &["camera.look_at", "not a finite FP32 number"]);
        let text = with("radius = 1\n", &format!("radius = {value} # here\n"));
        refused(&format!("radius_{test}"), &text, &format!("{value} # here"), &["sphere[0].radius", "not a finite"]);
    }
}

#[test]
fn cameras_without_a_picture() {
    let text = with("look_at = [0, 0, 0]", "look_at = [0, 0.0, 4]");
    refused("camera_at_its_point", &text, "[0, 0.0, 4]", &["camera.look_at", "no direction", "move the camera"]);
    for (test, fov) in [("fov_zero", "0"), ("fov_negative", "-40"), ("fov_flat", "180"), ("fov_nan", "nan")] {
        let text = with("fov = 40", &format!("fov = {fov} # here"));
        refused(test, &text, &format!("{fov} # here"), &["camera.fov"]);
    }
}

#[test]
fn sizes_beyond_their_range() {
    for (test, width) in
        [("width_zero", "0"), ("width_large", "65536"), ("width_negative", "-8"), ("width_huge", "9223372036854775807")]
    {
        let text = with("width = 8", &format!("width = {width} # here"));
        refused(test, &text, &format!("{width} # here"), &["screen.width", "is not between 1 and 65535"]);
    }
    let text = with("height = 6", "height = 65536");
    refused("height_large", &text, "65536", &["screen.height", "65536 is not between 1 and 65535"]);
}

#[test]
fn depths_beyond_their_range() {
    for (test, depth) in [("depth_large", "16"), ("depth_negative", "-1")] {
        let text = with("reflections = 1", &format!("reflections = {depth} # here"));
        refused(test, &text, &format!("{depth} # here"), &["render.reflections", "is not between 0 and 15"]);
    }
}

#[test]
fn values_of_the_wrong_type() {
    let text = with("fov = 40", "fov = \"forty\"");
    refused("type_text", &text, "\"forty\"", &["camera.fov", "invalid type"]);
    let text = with("centre = [0, 0, 0]", "centre = [0, 0]");
    refused("type_short", &text, "[0, 0]\n", &["sphere[0].centre", "invalid length 2"]);
    let text = with("shadows = true", "shadows = 1");
    refused("type_bool", &text, "1\nbackground", &["render.shadows", "invalid type"]);
    let text = with("width = 8", "width = 8.5");
    refused("type_fraction", &text, "8.5", &["screen.width", "invalid type"]);
}

#[test]
fn text_that_is_not_toml() {
    refused("not_toml", "camera: {\n  fov: 40 }\n", "{\n", &["not TOML"]);
    let text = with("fov = 40", "fov = = 40");
    refused("bad_toml", &text, "= 40", &["not TOML"]);
    let text = with("fov = 40", "fov = 40\nfov = 41");
    refused("key_twice", &text, "fov = 41", &["duplicate key"]);
}

#[test]
fn bytes_that_are_not_utf_8() {
    let scratch = Scratch::new("not_utf_8");
    let mut bytes = SMALL.as_bytes().to_vec();
    bytes.extend(b"# caf\xE9\n");
    scratch.write("bad.toml", bytes);
    let outcome = scratch.upload(&["bad.toml"]);
    assert_eq!(outcome.code, Some(2));
    let line = SMALL.matches('\n').count() + 1;
    assert!(outcome.err.starts_with(&format!("error: bad.toml:{line}:6: is not UTF-8")), "{outcome:?}");
    assert!(outcome.err.contains("help: "), "{outcome:?}");
    assert_eq!(scratch.names(), ["bad.toml"]);
}

#[test]
fn scenes_that_are_no_files() {
    let scratch = Scratch::new("no_file");
    std::fs::create_dir(scratch.0.join("folder.toml")).unwrap();
    for (name, words) in
        [("nowhere.toml", "cannot be read"), ("folder.toml", "is a directory"), (".", "is a directory")]
    {
        let outcome = scratch.upload(&[name]);
        assert_eq!(outcome.code, Some(2), "{outcome:?}");
        assert!(outcome.err.starts_with(&format!("error: {name}: {words}")), "{outcome:?}");
        assert!(outcome.err.contains("help: "), "{outcome:?}");
        assert_eq!(scratch.names(), ["folder.toml"]);
    }
    // An empty file is TOML, but no scene.
    scratch.write("empty.toml", "");
    let outcome = scratch.upload(&["empty.toml"]);
    assert_eq!(outcome.code, Some(2));
    assert!(outcome.err.contains("missing field"), "{outcome:?}");
}

#[test]
fn outputs_that_cannot_be_written() {
    let scratch = Scratch::new("no_output");
    scratch.write("scene.toml", SMALL);
    std::fs::create_dir(scratch.0.join("folder.png")).unwrap();
    let cases = [
        ("nowhere/picture.png", "cannot be written", "folder"),
        ("scene.toml/picture.png", "cannot be written", "folder"),
        ("folder.png", "is no file", "name a .png file"),
        ("/dev/null", "is no file", "name a .png file"),
        ("picture.jpg", "written as PNG", ".png"),
        ("scene.toml", "written as PNG", ".png"),
        ("picture", "written as PNG", ".png"),
    ];
    for (output, words, help) in cases {
        let outcome = scratch.upload(&["scene.toml", "--device", "model", "-o", output]);
        assert_eq!(outcome.code, Some(2), "{outcome:?}");
        assert!(outcome.err.starts_with(&format!("error: {output}: ")), "{outcome:?}");
        assert!(outcome.err.contains(words) && outcome.err.contains(help), "{outcome:?}");
        assert_eq!(scratch.names(), ["folder.png", "scene.toml"]);
    }
    assert_eq!(std::fs::read_to_string(scratch.0.join("scene.toml")).unwrap(), SMALL);
}

#[test]
fn arguments_that_make_no_sense() {
    let scratch = Scratch::new("arguments");
    scratch.write("scene.toml", SMALL);
    let cases: &[&[&str]] = &[
        &["scene.toml", "--size", "320"],
        &["scene.toml", "--size", "0x240"],
        &["scene.toml", "--size", "320x65536"],
        &["scene.toml", "--size", "-1x1"],
        &["scene.toml", "--size", "axb"],
        &["scene.toml", "--depth", "16"],
        &["scene.toml", "--depth", "-1"],
        &["scene.toml", "--device", "gpu"],
        &["scene.toml", "--patience", "0"],
        &["scene.toml", "--no-such-flag"],
        &["scene.toml", "other.toml"],
        &[],
    ];
    for arguments in cases {
        let outcome = scratch.upload(arguments);
        assert_eq!(outcome.code, Some(2), "{arguments:?}: {outcome:?}");
        assert!(outcome.err.starts_with("error: "), "{arguments:?}: {outcome:?}");
        assert_eq!(outcome.out, "");
        assert_eq!(scratch.names(), ["scene.toml"]);
    }
    let size = scratch.upload(&["scene.toml", "--size", "320"]);
    assert!(size.err.contains("--size <WxH>") && size.err.contains("such as 320x240"), "{size:?}");
}

#[test]
fn verify_reads_every_scene_before_it_renders() {
    let scratch = Scratch::new("verify_bad");
    scratch.write("good.toml", SMALL);
    scratch.write("bad.toml", with("radius = 1\n", "radius = 0\n"));
    let outcome = scratch.rayman(&["verify", "good.toml", "bad.toml"]);
    assert_eq!(outcome.code, Some(2), "{outcome:?}");
    assert_eq!(outcome.out, "", "no table is begun");
    assert!(outcome.err.contains("bad.toml:") && outcome.err.contains("sphere[0].radius"), "{outcome:?}");

    let outcome = scratch.rayman(&["verify", "good.toml", "--devices", "model"]);
    assert_eq!(outcome.code, Some(2), "{outcome:?}");
    assert!(outcome.err.contains("nothing to be compared with") && outcome.err.contains("--devices"), "{outcome:?}");
    for arguments in [&["verify"][..], &["verify", "good.toml", "--devices", "rtl,gpu"], &["frobnicate"], &[]] {
        assert_eq!(scratch.rayman(arguments).code, Some(2), "{arguments:?}");
    }
}
