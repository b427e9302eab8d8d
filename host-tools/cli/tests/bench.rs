//! `rayman bench`, through the binary.

mod scratch;

use scratch::{Outcome, Scratch, SMALL};
use serde_json::Value;

/// The objects that a run printed.
fn objects(outcome: &Outcome) -> Vec<Value> {
    assert_eq!(outcome.code, Some(0), "{outcome:?}");
    match serde_json::from_str(&outcome.out) {
        Ok(Value::Array(list)) => list,
        other => panic!("not a list of objects: {other:?}"),
    }
}

fn number(object: &Value, key: &str) -> u64 {
    object[key].as_u64().unwrap_or_else(|| panic!("{key} in {object}"))
}

/// Options that leave out what a test does not look at.
const BRIEF: [&str; 4] = ["--quiet", "--json", "--datapath-clocks", "0"];

fn bench(scratch: &Scratch, arguments: &[&str]) -> Vec<Value> {
    objects(&scratch.rayman(&[&["bench"], &BRIEF[..], arguments].concat()))
}

#[test]
fn json_has_an_object_for_the_datapath_and_for_each_frame() {
    let scratch = Scratch::new("bench_json");
    scratch.write("small.toml", SMALL);
    let list = objects(&scratch.rayman(&[
        "bench",
        "small.toml",
        "--device",
        "model,rtl",
        "--datapath-clocks",
        "2000",
        "--json",
        "--quiet",
    ]));
    let keys = [
        "scene",
        "device",
        "lanes",
        "spheres",
        "memory_latency",
        "cycles",
        "rays",
        "tests",
        "slot_use",
        "clocks_per_second",
    ];
    for (object, key) in list.iter().flat_map(|object| keys.map(|key| (object, key))) {
        assert!(object.get(key).is_some(), "{key} in {object}");
    }
    let [datapath, model, rtl] = &list[..] else { panic!("{list:?}") };
    assert_eq!((number(datapath, "cycles"), number(datapath, "tests")), (2000, 2000));
    assert!(datapath["clocks_per_second"].as_f64().is_some_and(|rate| rate > 0.0), "{datapath}");

    // The model has rays and tests, no clocks.
    assert_eq!((&model["device"], &model["scene"]), (&"model".into(), &"small.toml".into()));
    for key in ["cycles", "slot_use", "clocks_per_second", "memory_latency"] {
        assert!(model[key].is_null(), "{key} in {model}");
    }
    assert_eq!((&model["rays"], &model["tests"]), (&rtl["rays"], &rtl["tests"]));
    assert_eq!(number(rtl, "tests"), number(rtl, "rays") * number(rtl, "spheres"));
    assert_eq!(number(rtl, "memory_latency"), 20);
    assert!(rtl["clocks_per_second"].as_f64().is_some_and(|rate| rate > 0.0), "{rtl}");
}

#[test]
fn slots_add_up_to_cycles_times_lanes() {
    let scratch = Scratch::new("bench_slots");
    scratch.write("small.toml", SMALL);
    let list = bench(&scratch, &["small.toml", "--spheres", "1,20", "--size", "7x5", "--device", "rtl"]);
    assert_eq!(list.len(), 3);
    for object in &list {
        let all = number(object, "cycles") * number(object, "lanes");
        let parts = ["used", "dead", "lost_rays", "lost_spheres", "lost_shader", "lost_output"];
        let parts = parts.map(|part| number(&object["slots"], part));
        assert_eq!((parts.iter().sum::<u64>(), number(&object["slots"], "all")), (all, all), "{object}");
        let slot_use = object["slot_use"].as_f64().unwrap();
        assert!((slot_use - parts[0] as f64 / all as f64).abs() < 1e-12 && slot_use > 0.0, "{object}");
    }
}

#[test]
fn a_made_scene_is_made_from_its_seed() {
    let scratch = Scratch::new("bench_made");
    let made = |seed: &str, device: &str| {
        let list = bench(&scratch, &["--spheres", "5", "--seed", seed, "--size", "24x18", "--device", device]);
        let [object] = &list[..] else { panic!("{list:?}") };
        assert_eq!((&object["scene"], object["seed"].to_string()), (&"random-5".into(), seed.to_owned()));
        assert_eq!((number(object, "reflections"), &object["shadows"]), (3, &true.into()));
        (number(object, "spheres"), number(object, "rays"), number(object, "tests"))
    };
    let first = made("1", "model");
    assert_eq!(first, made("1", "model"));
    assert_eq!(first, made("1", "rtl"));
    assert_ne!(first, made("2", "model"));
    assert_eq!(first.0, 5);
}

#[test]
fn a_slower_memory_takes_clocks_and_changes_no_ray() {
    let scratch = Scratch::new("bench_latency");
    scratch.write("small.toml", SMALL);
    let [quick, slow] = ["1", "400"].map(|latency| {
        let list = bench(&scratch, &["small.toml", "--device", "rtl", "--latency", latency]);
        assert_eq!(number(&list[0], "memory_latency").to_string(), latency);
        list[0].clone()
    });
    // The frame waits for its scene's words at least once; other reads may hide behind other work.
    assert!(number(&slow, "cycles") >= number(&quick, "cycles") + 399, "{slow} after {quick}");
    assert_eq!(slow["rays"], quick["rays"]);
}

#[test]
fn tables_name_scene_device_and_where_the_slots_went() {
    let scratch = Scratch::new("bench_tables");
    scratch.write("small.toml", SMALL);
    let arguments = ["bench", "small.toml", "--spheres", "2", "--size", "4x3", "--quiet", "--datapath-clocks", "100"];
    let text = scratch.rayman(&arguments);
    assert_eq!((text.code, text.err.as_str()), (Some(0), ""), "{text:?}");
    let markdown = scratch.rayman(&[&arguments[..], &["--markdown"]].concat());
    assert_eq!(markdown.code, Some(0), "{markdown:?}");
    for outcome in [&text, &markdown] {
        // Both devices have a row in the table of frames, those with clocks one in the table of slots.
        assert_eq!(outcome.out.matches("small.toml").count(), 3, "{outcome:?}");
        assert_eq!(outcome.out.matches(" x 1").count(), 2, "{outcome:?}");
        for part in ["sphere_hit alone, in-crate", "random-2", "made from seed 1", "cycles x lanes"] {
            assert!(outcome.out.contains(part), "{part} in {outcome:?}");
        }
        assert!(!outcome.out.contains("DIFFERS"), "{outcome:?}");
    }
    assert_eq!(markdown.out.lines().filter(|line| line.starts_with("| --- ")).count(), 3, "{markdown:?}");
}

#[test]
fn bad_arguments_are_errors() {
    let scratch = Scratch::new("bench_bad");
    scratch.write("small.toml", SMALL);
    for (arguments, named) in [
        (&["small.toml", "--device", "fpga"][..], "fpga"),
        (&["--spheres", "0"], "--spheres"),
        (&["--spheres", "many"], "--spheres"),
        (&["--spheres", "100001"], "--spheres"),
        (&["--spheres", "3", "--latency", "0"], "--latency"),
        (&["--spheres", "3", "--seed", "-1"], "-1"),
        (&["--spheres", "3", "--size", "0x4"], "--size"),
        (&["--datapath-clocks", "4294967296"], "--datapath-clocks"),
        (&["--json", "--markdown"], "--markdown"),
        (&["missing.toml"], "missing.toml"),
        (&["."], "is a directory"),
    ] {
        let outcome = scratch.rayman(&[&["bench"], arguments].concat());
        assert_eq!(outcome.code, Some(2), "{arguments:?}: {outcome:?}");
        assert!(outcome.err.starts_with("error: ") && outcome.err.contains(named), "{arguments:?}: {outcome:?}");
        assert_eq!(outcome.out, "", "{arguments:?}");
    }
}
