//! The scenes that come with the project: they load, and their pictures on the model show what their heads promise.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rayman_driver::{Counters, Device, Picture, Screen};
use rayman_sim::ModelTransport;
use rayman_tools::render::{frame, Job};
use rayman_tools::scene_file::SceneFile;
use rayman_tools::thousand_spheres;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes")
}

fn load(name: &str) -> SceneFile {
    SceneFile::load(&folder().join(name)).unwrap_or_else(|error| panic!("{error}"))
}

fn render(name: &str, size: Option<(u16, u16)>) -> (Picture, Counters) {
    let SceneFile { mut scene, options } = load(name);
    if let Some((width, height)) = size {
        scene.screen = Screen { width, height };
    }
    let mut device = Device::open(ModelTransport::default()).unwrap();
    let job = Job { scene, options, patience: Duration::from_secs(60) };
    let frame = frame(&mut device, &job, |_| ControlFlow::Continue(())).unwrap();
    (frame.picture, frame.counters)
}

/// Red, green and blue of the pixel at a share of width and height.
fn at(picture: &Picture, across: f64, down: f64) -> [u8; 3] {
    let place = |share: f64, size: u32| (share * f64::from(size)) as u32;
    picture.pixel(place(across, picture.width), place(down, picture.height)).unwrap()
}

#[test]
fn every_scene_loads_has_a_head_and_gives_a_picture() {
    let mut names = Vec::new();
    for entry in std::fs::read_dir(folder()).unwrap().map(Result::unwrap) {
        if entry.file_type().unwrap().is_dir() {
            assert_eq!(entry.file_name(), "robust", "a folder with a test of its own: robust.rs");
            continue;
        }
        let name = entry.file_name().into_string().unwrap();
        let text = std::fs::read_to_string(folder().join(&name)).unwrap();
        assert!(name.ends_with(".toml"), "{name}: a scene?");
        assert!(text.starts_with("# "), "{name}: a comment says what the scene is for");
        let (picture, counters) = render(&name, None);
        assert_eq!(counters.pixels(), u64::from(picture.width * picture.height), "{name}");
        let colours: std::collections::HashSet<_> = picture.rgb.chunks(3).collect();
        assert!(
            if name == "empty.toml" { colours.len() == 1 } else { colours.len() > 50 },
            "{name}: {}",
            colours.len()
        );
        names.push(name);
    }
    names.sort();
    let expected =
        ["eight-materials", "empty", "first-light", "inside-sphere", "single-sphere", "thousand-spheres", "up-axis"];
    assert_eq!(names, expected.map(|name| format!("{name}.toml")));
}

#[test]
fn first_light_has_spheres_materials_shadows_and_reflections() {
    let SceneFile { scene, options } = load("first-light.toml");
    assert_eq!((scene.screen.width, scene.screen.height), (320, 240));
    assert!(scene.spheres.len() >= 6 && scene.materials.len() >= 3);
    assert!(scene.spheres.iter().any(|sphere| sphere.radius >= 1000.0));
    assert_eq!((options.reflection_depth, options.shadows), (3, true));
    let (_, counters) = render("first-light.toml", Some((64, 48)));
    assert!(counters.occluded() > 0 && counters.reflection_rays() > 0);
}

#[test]
fn a_single_sphere_as_worked_out_on_paper() {
    // The ray along the axis hits (0, 0, 1), where N = (0, 0, 1); the light is at (4, 6, 7) from there, so
    // N.L = 7 / sqrt(101) = 0.6965, and R.L is the same: to the power of 50 it is nothing. In steps of 1/128 the ambient
    // colour is (4, 8, 15) and the diffuse (26, 58, 109): (4 + 26 x 0.6965) / 128 x 255 + 0.5 = 44.5, and so on.
    let (picture, counters) = render("single-sphere.toml", Some((1, 1)));
    assert_eq!(picture.rgb, [0x2C, 0x60, 0xB5]);
    assert_eq!((counters.primary_rays(), counters.shadow_rays(), counters.reflection_rays()), (1, 1, 0));
    assert_eq!((counters.hits(), counters.occluded(), counters.tests()), (1, 0, 2));
}

#[test]
fn an_empty_scene_is_its_background() {
    let (picture, counters) = render("empty.toml", None);
    assert!(picture.rgb.chunks(3).all(|pixel| pixel == [0x2E, 0x5A, 0x88]));
    assert_eq!((counters.tests(), counters.hits(), counters.shadow_rays()), (0, 0, 0));
}

#[test]
fn eight_materials_are_all_seen() {
    let SceneFile { scene, .. } = load("eight-materials.toml");
    let used: std::collections::HashSet<_> = scene.spheres.iter().map(|sphere| sphere.material).collect();
    assert_eq!((scene.materials.len(), used.len()), (8, 8));
    // The glowing sphere has no shading: one colour, (122, 102, 45) / 128 of white.
    let (picture, _) = render("eight-materials.toml", None);
    for (across, down) in [(0.2, 0.6), (0.25, 0.62), (0.3, 0.66)] {
        assert_eq!(at(&picture, across, down), [243, 203, 90], "at {across}, {down}");
    }
}

#[test]
fn inside_a_sphere_nothing_is_missed() {
    let (picture, counters) = render("inside-sphere.toml", None);
    assert_eq!(counters.hits(), counters.primary_rays() + counters.reflection_rays());
    assert!(picture.rgb.chunks(3).all(|pixel| pixel != [255, 0, 255]));
}

#[test]
fn looking_down_has_z_up_and_x_left() {
    let (picture, _) = render("up-axis.toml", None);
    let [red, green, blue] = at(&picture, 0.5, 0.17);
    assert!(red > 2 * green && red > 2 * blue, "the red sphere is above: {red} {green} {blue}");
    let [red, green, blue] = at(&picture, 0.2, 0.5);
    assert!(green > 2 * red && green > 2 * blue, "the green sphere is left: {red} {green} {blue}");
}

#[test]
fn a_thousand_spheres_are_as_the_generator_makes_them() {
    let text = std::fs::read_to_string(folder().join("thousand-spheres.toml")).unwrap();
    assert!(
        text == thousand_spheres::scene(),
        "stale: cargo run -p rayman-tools --example thousand-spheres > scenes/thousand-spheres.toml"
    );
    let scene = load("thousand-spheres.toml").scene;
    assert_eq!((scene.spheres.len(), scene.materials.len()), (1000, 8));
}

#[test]
fn the_guides_scene_loads_with_the_defaults_that_the_guide_names() {
    let guide = std::fs::read_to_string(folder().join("../docs/guide.md")).unwrap();
    let (_, rest) = guide.split_once("```toml\n").unwrap();
    let (text, _) = rest.split_once("```").unwrap();
    let SceneFile { scene, options } = SceneFile::parse("guide.md".as_ref(), text).unwrap();
    assert_eq!((scene.spheres.len(), scene.materials.len()), (1, 1));
    let material = scene.materials[0];
    let black = [rayman_driver::Fx1_7::ZERO; 3];
    assert_eq!((material.ambient, material.specular), (black, black));
    assert_eq!((material.reflection.to_bits(), material.shininess), (0, 32));
    assert_eq!((options.reflection_depth, options.shadows, options.background), (4, true, [0; 3]));
    for name in
        ["first-light", "single-sphere", "empty", "eight-materials", "thousand-spheres", "inside-sphere", "up-axis"]
    {
        assert!(guide.contains(&format!("../scenes/{name}.toml")), "{name}");
    }
}
