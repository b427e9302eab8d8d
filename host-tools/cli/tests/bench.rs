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

    // Every pixel is written once; the descriptors, each of whole words, are read at least once.
    assert!(["bus_bytes", "bus_bytes_a_ray", "rays_per_second"].iter().all(|key| model[key].is_null()), "{model}");
    let (read, written) = (number(&rtl["bus_bytes"], "read"), number(&rtl["bus_bytes"], "written"));
    assert_eq!((read % 4, written), (0, 8 * 6 * 4), "{rtl}");
    assert!((100..10_000).contains(&read), "{rtl}");
    let rays = number(rtl, "rays") as f64;
    let close = |key: &str, want: f64| (rtl[key].as_f64().unwrap() / want - 1.0).abs() < 1e-9;
    assert!(close("bus_bytes_a_ray", (read + written) as f64 / rays), "{rtl}");
    assert!(close("rays_per_second", 100e6 * rays / number(rtl, "cycles") as f64), "{rtl}");
}

#[test]
fn slots_add_up_to_cycles_times_lanes() {
    let scratch = Scratch::new("bench_slots");
    scratch.write("small.toml", SMALL);
    let list =
        bench(&scratch, &["small.toml", "--spheres", "1,20", "--size", "7x5", "--device", "rtl", "--lanes", "1,2"]);
    assert_eq!(list.iter().map(|object| number(object, "lanes")).collect::<Vec<_>>(), [1, 2, 1, 2, 1, 2]);
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
fn a_made_scene_takes_seconds_whatever_its_spheres() {
    let scratch = Scratch::new("bench_sizes");
    let list = bench(&scratch, &["--spheres", "3,16,100,1000", "--device", "model"]);
    let tests: Vec<_> = list.iter().map(|object| number(object, "tests")).collect();
    assert!(tests.iter().all(|tests| (200_000..4_000_000).contains(tests)), "{tests:?}");
    let pixels: Vec<_> = list.iter().map(|object| number(object, "width") * number(object, "height")).collect();
    assert!(pixels.windows(2).all(|pair| pair[0] > pair[1]), "{pixels:?}");
}

#[test]
fn a_slower_memory_takes_clocks_and_changes_no_ray() {
    let scratch = Scratch::new("bench_latency");
    scratch.write("small.toml", SMALL);
    let list = bench(&scratch, &["small.toml", "--device", "model,rtl", "--latency", "1,400", "--mhz", "62.5"]);
    // The model has no clocks that a memory could take: it is measured once.
    let [model, quick, slow] = &list[..] else { panic!("{list:?}") };
    assert!(model["memory_latency"].is_null(), "{model}");
    assert_eq!((number(quick, "memory_latency"), number(slow, "memory_latency")), (1, 400));
    assert_eq!(slow["mhz"].as_f64(), Some(62.5));
    assert!(slow["rays_per_second"].as_f64() < quick["rays_per_second"].as_f64(), "{slow} after {quick}");
    // The frame waits for its scene's words at least once; other reads may hide behind other work.
    assert!(number(slow, "cycles") >= number(quick, "cycles") + 399, "{slow} after {quick}");
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
        for part in [
            "sphere_hit alone, in-crate",
            "random-2",
            "made from seed 1",
            "cycles x lanes",
            "rays/s at 100 MHz",
            "bus bytes/ray",
        ] {
            assert!(outcome.out.contains(part), "{part} in {outcome:?}");
        }
        assert!(!outcome.out.contains("DIFFERS"), "{outcome:?}");
    }
    assert_eq!(markdown.out.lines().filter(|line| line.starts_with("| --- ")).count(), 3, "{markdown:?}");
}

#[test]
fn a_plot_has_a_line_a_core_and_a_point_a_made_scene() {
    let scratch = Scratch::new("bench_plot");
    let arguments = ["--spheres", "9,1,2", "--size", "8x6", "--device", "rtl,model", "--plot", "use.svg"];
    let list = bench(&scratch, &[&arguments[..], &["--lanes", "1,3", "--latency", "20,300"]].concat());
    // Of each scene four rows of the cores and one of the model.
    assert_eq!(list.len(), 3 * 5);
    assert_eq!(scratch.names(), ["use.svg"]);
    let text = std::fs::read_to_string(scratch.0.join("use.svg")).unwrap();
    assert_eq!((text.matches("<polyline").count(), text.matches("<circle").count()), (4, 12), "{text}");
    for object in list.iter().filter(|object| object["device"] == "rtl") {
        let percent = 100.0 * object["slot_use"].as_f64().unwrap();
        let lanes = if object["lanes"] == 1 { "1 lane" } else { "3 lanes" };
        let title = format!("<title>random-{}, {lanes}: {percent:.1} %</title>", object["spheres"]);
        assert!(text.contains(&title), "{title} in {text}");
    }
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
        (&["--spheres", "3", "--latency", "20,0"], "--latency"),
        (&["--spheres", "3", "--lanes", "1,5"], "--lanes"),
        (&["--spheres", "3", "--mhz", "0"], "--mhz"),
        (&["--spheres", "3", "--mhz", "inf"], "--mhz"),
        (&["small.toml", "--plot", "use.svg"], "--spheres"),
        (&["--spheres", "3", "--plot", "use.png"], "use.png"),
        (&["--spheres", "3", "--plot", "missing/use.svg"], "missing/use.svg"),
        (&["--spheres", "3", "--device", "model", "--plot", "use.svg"], "no slots"),
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
