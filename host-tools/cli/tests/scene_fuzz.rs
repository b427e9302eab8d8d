//! Scene files of any text: never a panic, and either a scene that the driver accepts or an error with its place.

use std::path::Path;

use proptest::prelude::*;
use rayman_tools::scene_file::SceneFile;

const GOOD: &str = r##"
[camera]
position = [0.0, 1.0, 6.0]
look_at = [0, 0, 0]
fov = 45.5

[light]
position = [5, 5, 5]

[screen]
width = 32
height = 24

[render]
reflections = 2
shadows = true
background = "#87ceeb"

[[material]]
name = "matt"
diffuse = [0.5, 0.25, 1]
ambient = [0.1, 0.1, 0.1]
reflection = 0.5
shininess = 20

[[sphere]]
centre = [0.0, 0.0, -1.5]
radius = 1.25
material = "matt"
"##;

/// What people, editors and programs leave in such files.
const PIECES: &[&str] = &[
    "nan",
    "-nan",
    "inf",
    "-inf",
    "1e400",
    "-1e-400",
    "0",
    "-0.0",
    "-1",
    "256",
    "65536",
    "9223372036854775807",
    "-9223372036854775808",
    "0x7fffffffffffffff",
    "1_000",
    "1979-05-27",
    "07:32:00",
    "true",
    "\"\"",
    "\"#12345\"",
    "\"#ü2345\"",
    "\"#+12345\"",
    "\"\\u0000\"",
    "[]",
    "[0, 0]",
    "[0, 0, 0, 0]",
    "[[0]]",
    "{}",
    "{ x = 1 }",
    "[[sphere]]",
    "[[material]]",
    "[camera]",
    "[render]",
    "[sphere]",
    "name = \"matt\"",
    "radius = 1",
    "=",
    "\n",
    "\r\n",
    "#",
    "\"",
    "'''",
    "\"\"\"",
    "é",
    "\u{feff}",
    "\u{0}",
    "𝕊",
    "material",
    "fov",
    ".",
    ",",
    "[",
    "]",
];

/// What must hold of any text.
fn check(text: &str) -> Result<bool, TestCaseError> {
    match SceneFile::parse(Path::new("any.toml"), text) {
        Ok(file) => {
            prop_assert!(file.scene.validate().is_ok());
            // Encoding takes whatever validation lets through.
            let _ = file.scene.encode(0x8000_0000, 0x8000_1000);
            Ok(true)
        }
        Err(error) => {
            let shown = error.to_string();
            prop_assert!(shown.starts_with("any.toml") && !shown.contains('\n'), "{shown:?}");
            prop_assert!(!error.problem.is_empty(), "{shown:?}");
            prop_assert!(error.hint.as_ref().is_some_and(|hint| !hint.is_empty()), "no hint: {shown:?}");
            if let Some(place) = error.position {
                let line = text.split('\n').nth(place.line - 1);
                prop_assert!(line.is_some_and(|line| place.column <= line.chars().count() + 1), "{shown:?}");
            }
            Ok(false)
        }
    }
}

/// A cut into the good file: from where, how many bytes go, what comes in.
fn cuts() -> impl Strategy<Value = Vec<(usize, usize, usize)>> {
    prop::collection::vec((0..GOOD.len(), 0usize..24, 0..PIECES.len() + 4), 1..4)
}

/// The good file with these cuts made, each at the next whole character.
fn cut(cuts: &[(usize, usize, usize)]) -> String {
    let mut text = GOOD.to_owned();
    for (from, length, piece) in cuts {
        let whole = |mut at: usize| {
            at = at.min(text.len());
            while !text.is_char_boundary(at) {
                at += 1;
            }
            at
        };
        let range = whole(*from)..whole(from + length);
        text.replace_range(range, PIECES.get(*piece).copied().unwrap_or(""));
    }
    text
}

/// A value of the good file, replaced by a piece: the file stays TOML, what it says is another thing.
fn value_replaced(number: usize, piece: usize) -> String {
    let values: Vec<_> = GOOD.match_indices("= ").map(|(at, found)| at + found.len()).collect();
    let from = values[number % values.len()];
    let end = from + GOOD[from..].find('\n').unwrap_or(0);
    format!("{}{}{}", &GOOD[..from], PIECES[piece % PIECES.len()], &GOOD[end..])
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_is_a_scene_or_an_error_with_its_place(text in "\\PC{0,200}") {
        check(&text)?;
    }

    #[test]
    fn a_scene_file_cut_up_is_a_scene_or_an_error_with_its_place(cuts in cuts()) {
        check(&cut(&cuts))?;
    }

    #[test]
    fn any_value_in_place_of_another_is_taken_or_refused_with_its_place(number: usize, piece: usize) {
        check(&value_replaced(number, piece))?;
    }

    #[test]
    fn what_is_written_is_what_is_read(
        position in any::<[f32; 3]>(), radius in 1e-9f32..1e9, fov in 0.01f32..179.9, width in 1u16.., height in 1u16..,
        reflections in 0u8..16, diffuse in prop::array::uniform3(0u8..=0x80),
    ) {
        prop_assume!(position.iter().all(|value| value.is_finite()));
        let channels = diffuse.map(|step| f64::from(step) / 128.0);
        let text = GOOD
            .replace("centre = [0.0, 0.0, -1.5]", &format!("centre = {position:?}"))
            .replace("radius = 1.25", &format!("radius = {radius:?}"))
            .replace("fov = 45.5", &format!("fov = {fov:?}"))
            .replace("width = 32", &format!("width = {width}"))
            .replace("height = 24", &format!("height = {height}"))
            .replace("reflections = 2", &format!("reflections = {reflections}"))
            .replace("diffuse = [0.5, 0.25, 1]", &format!("diffuse = {channels:?}"));
        prop_assert!(check(&text)?, "{text}");
        let file = SceneFile::parse(Path::new("any.toml"), &text).expect("it was checked");
        prop_assert_eq!(file.scene.spheres[0].centre, position);
        prop_assert_eq!(file.scene.spheres[0].radius, radius);
        prop_assert_eq!(file.scene.camera.fov_degrees, fov);
        prop_assert_eq!((file.scene.screen.width, file.scene.screen.height), (width, height));
        prop_assert_eq!(file.options.reflection_depth, reflections);
        prop_assert_eq!(file.scene.materials[0].diffuse.map(|value| value.to_bits()), diffuse);
    }
}

#[test]
fn the_good_file_is_good_and_half_of_the_cut_ones_are_not() {
    assert!(check(GOOD).expect("it holds"));
    let spoilt = (0..PIECES.len()).filter(|piece| !check(&value_replaced(4, *piece)).expect("it holds")).count();
    assert!(spoilt > PIECES.len() / 2, "only {spoilt} of {} values of a width are refused", PIECES.len());
}
