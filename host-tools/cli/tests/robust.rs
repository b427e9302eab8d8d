//! The scenes that are hard on the arithmetic: their pictures show what their heads promise, their rays meet the bars of
//! accuracy, and the command says so.

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Parser;
use rayman_driver::{Counters, Device, Picture};
use rayman_sim::ModelTransport;
use rayman_tools::command::Rayman;
use rayman_tools::failure::{DONE, MISMATCH};
use rayman_tools::render::{frame, Job};
use rayman_tools::robustness;
use rayman_tools::scene_file::SceneFile;

const NAMES: [&str; 6] = ["equal-and-concentric", "far-away", "floor", "grazing", "just-inside", "on-a-surface"];

fn path(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes/robust").join(format!("{name}.toml"))
}

fn job(name: &str) -> Job {
    let SceneFile { scene, options } = SceneFile::load(&path(name)).unwrap_or_else(|error| panic!("{error}"));
    Job { scene, options, patience: Duration::from_secs(60) }
}

fn render(job: &Job) -> (Picture, Counters) {
    let mut device = Device::open(ModelTransport::default()).unwrap();
    let frame = frame(&mut device, job, |_| ControlFlow::Continue(())).unwrap();
    (frame.picture, frame.counters)
}

/// Whether a pixel is other than the background, row by row.
fn seen(job: &Job) -> Vec<Vec<bool>> {
    let (picture, _) = render(job);
    let rows = picture.rgb.chunks(3 * picture.width as usize);
    rows.map(|row| row.chunks(3).map(|pixel| pixel != job.options.background).collect()).collect()
}

#[test]
fn the_folder_has_these_scenes_each_with_a_head() {
    let folder = path("x").parent().unwrap().to_owned();
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let found: BTreeSet<_> = entries.map(|path| path.file_stem().unwrap().to_str().unwrap().to_owned()).collect();
    assert_eq!(found, NAMES.map(str::to_owned).into());
    for name in NAMES {
        assert!(std::fs::read_to_string(path(name)).unwrap().starts_with("# "), "{name}");
        assert!(job(name).scene.screen.pixels() <= 5_000, "{name}: small, for `verify` renders it in simulators");
    }
}

/// The bars, by scene; the form b^2 - c misses them.
#[test]
fn every_scene_meets_the_bars_and_the_plain_form_does_not() {
    let mut all = robustness::Measured::default();
    for name in NAMES {
        let measured = robustness::scene(&job(name)).unwrap();
        println!("{name}: {}", measured.kernel.summary());
        println!("{name}, b^2 - c: {}", measured.plain.summary());
        assert!(measured.kernel.all_within() && measured.kernel.hits() > 500, "{name}");
        assert_eq!(measured.kernel.undefined, 0, "{name}");
        all.kernel += &measured.kernel;
        all.plain += &measured.plain;
    }
    assert!(all.kernel.good(), "{}", all.kernel.summary());
    assert!(!all.plain.good() && all.plain.wrong > 100, "{}", all.plain.summary());
}

#[test]
fn the_command_prints_figures_and_has_an_exit_code() {
    let run = |arguments: &[&str]| {
        let mut out = Vec::new();
        let arguments = ["rayman", "robustness"].iter().chain(arguments);
        let code = Rayman::parse_from(arguments).run(&rayman_tools::device::open, &mut out).unwrap();
        (code, String::from_utf8(out).unwrap())
    };
    let far = path("far-away");
    let (code, text) = run(&[far.to_str().unwrap(), "--random", "5000", "--tangent-step", "100003"]);
    assert_eq!(code, DONE, "{text}");
    assert!(text.contains("| far-away ") && text.contains("| random, grazing ") && text.contains("ulp, at"), "{text}");
    assert_eq!((text.matches("met ").count(), text.matches("MISSED").count()), (9, 0), "{text}");
    // A scene that the form b^2 - c is good enough for shows nothing, and the command says that it does not.
    let easy = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes/empty.toml");
    let (code, text) = run(&[easy.to_str().unwrap(), "--random", "0", "--tangent-step", "0"]);
    assert_eq!((code, text.matches("MISSED").count()), (MISMATCH, 1), "{text}");
}

/// The camera's own wall hides nothing: every ray sees the room, and where the room alone is lit it does not shade itself.
#[test]
fn on_a_surface_every_ray_sees_the_room() {
    let mut job = job("on-a-surface");
    assert!(seen(&job).iter().flatten().all(|seen| *seen));
    job.scene.spheres.truncate(1);
    let (_, counters) = render(&job);
    assert_eq!((counters.hits(), counters.occluded()), (counters.primary_rays() + counters.reflection_rays(), 0));
}

/// To the left every ray sees the far wall. To the right they leave the sphere that they start in, all but those whose angle to the
/// wall is so small that they meet it beyond the bias: 2^-20 of 5 units, from a depth of 2^-21. Rounding is as large as that depth, so only
/// from four times that angle on it is certain.
#[test]
fn just_inside_rays_to_the_right_leave_at_once() {
    let mut job = job("just-inside");
    job.scene.spheres.truncate(1);
    let (width, height) = (f64::from(job.scene.screen.width), f64::from(job.scene.screen.height));
    let pixel = 2.0 * 30f64.to_radians().tan() / height;
    let (far, angle) = (5.0 / f64::from(1 << 20), 1.0 / f64::from(1 << 21));
    let meets = (angle / far).asin().tan() / pixel;
    for row in seen(&job) {
        let left = &row[..width as usize / 2];
        let right = &row[(width / 2.0 + 4.0 * meets).ceil() as usize..];
        assert!(left.iter().all(|seen| *seen) && !right.is_empty() && right.iter().all(|seen| !seen), "{row:?}");
    }
}

/// As round as near by: the sphere in the middle alone, in rows and columns alike, and its area a circle's.
#[test]
fn far_away_a_sphere_is_round() {
    let mut job = job("far-away");
    job.scene.spheres.truncate(1);
    job.scene.screen.width = job.scene.screen.height;
    let seen = seen(&job);
    let size = seen.len();
    let count = seen.iter().flatten().filter(|seen| **seen).count();
    // Its radius in pixels: half the height is at tan(0.015 degrees), the sphere's edge at 10^-4.
    let radius = 1e-4 / 0.015f64.to_radians().tan() * size as f64 / 2.0;
    let area = std::f64::consts::PI * radius * radius;
    assert!((count as f64 - area).abs() < 2.0 * radius, "{count} pixels, {area}");
    for y in 0..size {
        for x in 0..size {
            assert_eq!(seen[y][x], seen[size - 1 - y][x], "({x}, {y})");
            assert_eq!(seen[y][x], seen[y][size - 1 - x], "({x}, {y})");
        }
    }
}

/// The floor alone: seen below the horizon and not above, and no speck of its own shadow.
#[test]
fn the_floor_ends_at_its_horizon_and_does_not_shade_itself() {
    let mut job = job("floor");
    job.scene.spheres.truncate(1);
    let seen = seen(&job);
    for (y, row) in seen.iter().enumerate() {
        assert!(row.iter().all(|seen| *seen == row[0]), "row {y}");
    }
    let floor = seen.iter().filter(|row| row[0]).count();
    // The view is tilted by atan(0.7 / 6) of 55 degrees; the horizon is 0.1 degrees below the level.
    let level = 0.5 + (0.7f64 / 6.0) / (2.0 * 27.5f64.to_radians().tan());
    assert!((floor as f64 / seen.len() as f64 - level).abs() < 0.03, "{floor} rows");
    let (_, counters) = render(&job);
    assert!(counters.shadow_rays() > 1000 && counters.occluded() == 0);
}

/// The edge goes through the picture: sphere on one side, background on the other, mixed only within some rows.
#[test]
fn grazing_rays_hit_below_and_miss_above() {
    let seen = seen(&job("grazing"));
    let quarter = seen.len() / 4;
    assert!(seen[..quarter].iter().flatten().all(|seen| !seen), "above");
    assert!(seen[3 * quarter..].iter().flatten().all(|seen| *seen), "below");
}

/// Without the second of the equal ones and without the inner ones the picture is the same; without the first it is not.
#[test]
fn of_equal_spheres_the_first_is_seen_and_of_concentric_ones_the_outer() {
    let all = job("equal-and-concentric");
    let (picture, _) = render(&all);
    let without = |drop: &[usize]| {
        let mut some = all.clone();
        let kept = some.scene.spheres.iter().enumerate().filter(|(index, _)| !drop.contains(index));
        some.scene.spheres = kept.map(|(_, sphere)| *sphere).collect();
        render(&some).0
    };
    assert!(without(&[1, 3, 5, 6]) == picture);
    for first in [0, 2, 4, 7] {
        assert!(without(&[first]) != picture, "sphere {first}");
    }
}
