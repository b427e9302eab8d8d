//! What was measured, and as JSON.

use rayman_driver::Screen;
use rayman_sim::{speed, BusTraffic};
use serde::Serialize;
use serde_json::{json, Value};

use super::Took;
use crate::device::DeviceKind;

/// What a frame is a frame of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Workload {
    /// The file's name, or `random-N`.
    pub name: String,
    /// What a made scene was made from.
    pub seed: Option<u64>,
}

/// Where the slots of a frame went: one a clock and lane.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Slots {
    /// Clocks of the frame.
    pub cycles: u64,
    /// Tests that were wanted.
    pub used: u64,
    /// Tests of shadow rays whose hit was known already.
    pub dead: u64,
    /// No test, for want of a ray.
    pub lost_rays: u64,
    /// No test, for want of a sphere.
    pub lost_spheres: u64,
    /// No test, because rays waited for the shader.
    pub lost_shader: u64,
    /// No test, because the pixel output was full.
    pub lost_output: u64,
}

impl Slots {
    /// All slots that were counted.
    pub fn sum(&self) -> u64 {
        self.used + self.dead + self.lost_rays + self.lost_spheres + self.lost_shader + self.lost_output
    }
}

/// The intersector's datapath alone.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Datapath {
    /// What was simulated.
    pub run: speed::Run,
    /// How long that took.
    pub took: Took,
}

/// A frame on a device.
#[derive(Clone, Debug, PartialEq)]
pub struct Frame {
    /// Which scene.
    pub workload: Workload,
    /// Where.
    pub device: DeviceKind,
    /// Its size.
    pub screen: Screen,
    /// Reflections followed.
    pub reflections: u8,
    /// Shadow rays were traced.
    pub shadows: bool,
    /// Tests a clock at most.
    pub lanes: u32,
    /// Spheres of the scene.
    pub spheres: usize,
    /// Clocks that memory takes to answer, where there are clocks.
    pub memory_latency: Option<u32>,
    /// Rays of all kinds.
    pub rays: u64,
    /// Ray-sphere tests: spheres x rays.
    pub tests: u64,
    /// Where there are clocks.
    pub slots: Option<Slots>,
    /// What the frame moved over the memory bus, where there is one.
    pub bus: Option<BusTraffic>,
    /// Clocks of a board, in millions a second.
    pub mhz: f64,
    /// How long upload, frame and reading the picture took.
    pub took: Took,
}

impl Frame {
    /// All slots that there were.
    pub fn all_slots(&self) -> Option<u64> {
        self.slots.map(|slots| slots.cycles * u64::from(self.lanes))
    }

    /// Share of the slots that was used, 0 to 1; 0 for a frame of no clocks.
    pub fn slot_use(&self) -> Option<f64> {
        self.slots.zip(self.all_slots()).map(|(slots, all)| slots.used as f64 / all.max(1) as f64)
    }

    /// Rays of all kinds a second, on a board of so many clocks a second.
    pub fn rays_per_second(&self) -> Option<f64> {
        self.slots.map(|slots| self.rays as f64 * self.mhz * 1e6 / slots.cycles.max(1) as f64)
    }

    /// Bytes moved over the memory bus for each ray.
    pub fn bus_bytes_a_ray(&self) -> Option<f64> {
        self.bus.map(|bus| (bus.read + bus.written) as f64 / self.rays.max(1) as f64)
    }

    /// Tests a clock.
    pub fn tests_a_clock(&self) -> Option<f64> {
        self.slots.map(|slots| self.tests as f64 / slots.cycles.max(1) as f64)
    }
}

/// A line of the result.
#[derive(Clone, Debug, PartialEq)]
pub enum Row {
    /// The simulator's own speed.
    Datapath(Datapath),
    /// A frame.
    Frame(Frame),
}

impl Row {
    /// Every slot is accounted for, once.
    pub fn adds_up(&self) -> bool {
        match self {
            Row::Datapath(_) => true,
            Row::Frame(frame) => frame.slots.map(|slots| slots.sum()) == frame.all_slots(),
        }
    }

    /// As an object. What a device without clocks does not have is null.
    pub fn json(&self) -> Value {
        match self {
            // A sphere for each ray, a ray a clock.
            Row::Datapath(Datapath { run, took }) => json!({
                "kind": "datapath",
                "scene": "sphere_hit",
                "device": DeviceKind::Rtl.to_string(),
                "lanes": 1,
                "spheres": 1,
                "memory_latency": null,
                "cycles": run.clocks,
                "rays": run.clocks,
                "tests": run.clocks,
                "tests_a_clock": 1.0,
                "slot_use": 1.0,
                "clocks_per_second": took.rate(run.clocks),
                "tests_per_second": took.rate(run.clocks),
                "seconds": took.wall.as_secs_f64(),
                "processor_seconds": took.processor.as_secs_f64(),
            }),
            Row::Frame(frame) => json!({
                "kind": "frame",
                "scene": frame.workload.name,
                "seed": frame.workload.seed,
                "device": frame.device.to_string(),
                "width": frame.screen.width,
                "height": frame.screen.height,
                "reflections": frame.reflections,
                "shadows": frame.shadows,
                "lanes": frame.lanes,
                "spheres": frame.spheres,
                "memory_latency": frame.memory_latency,
                "cycles": frame.slots.map(|slots| slots.cycles),
                "rays": frame.rays,
                "tests": frame.tests,
                "tests_a_clock": frame.tests_a_clock(),
                "mhz": frame.mhz,
                "rays_per_second": frame.rays_per_second(),
                "bus_bytes": frame.bus.map(|bus| json!({ "read": bus.read, "written": bus.written })),
                "bus_bytes_a_ray": frame.bus_bytes_a_ray(),
                "slot_use": frame.slot_use(),
                "slots": frame.slots.map(|slots| json!({
                    "all": frame.all_slots(),
                    "used": slots.used,
                    "dead": slots.dead,
                    "lost_rays": slots.lost_rays,
                    "lost_spheres": slots.lost_spheres,
                    "lost_shader": slots.lost_shader,
                    "lost_output": slots.lost_output,
                })),
                "clocks_per_second": frame.slots.and_then(|slots| frame.took.rate(slots.cycles)),
                "tests_per_second": frame.took.rate(frame.tests),
                "seconds": frame.took.wall.as_secs_f64(),
                "processor_seconds": frame.took.processor.as_secs_f64(),
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn frame(slots: Option<Slots>) -> Frame {
        Frame {
            workload: Workload { name: "some".into(), seed: None },
            device: DeviceKind::Rtl,
            screen: Screen { width: 2, height: 1 },
            reflections: 3,
            shadows: true,
            lanes: 2,
            spheres: 5,
            memory_latency: Some(20),
            rays: 8,
            tests: 40,
            slots,
            bus: slots.map(|_| BusTraffic { read: 100, written: 8 }),
            mhz: 50.0,
            took: Took { wall: Duration::from_secs(2), processor: Duration::from_millis(500) },
        }
    }

    #[test]
    fn a_slot_that_is_missing_or_counted_twice_is_noticed() {
        let whole =
            Slots { cycles: 50, used: 40, dead: 1, lost_rays: 20, lost_spheres: 30, lost_shader: 4, lost_output: 5 };
        assert!(Row::Frame(frame(Some(whole))).adds_up());
        assert!(!Row::Frame(frame(Some(Slots { used: 41, ..whole }))).adds_up());
        assert!(!Row::Frame(frame(Some(Slots { lost_output: 4, ..whole }))).adds_up());
        assert!(Row::Frame(frame(None)).adds_up());
    }

    #[test]
    fn rates_are_by_processor_time_and_null_without_clocks() {
        let slots = Slots { cycles: 50, used: 40, lost_rays: 60, ..Slots::default() };
        let value = Row::Frame(frame(Some(slots))).json();
        assert_eq!(value["slot_use"], json!(0.4));
        assert_eq!(value["tests_a_clock"], json!(0.8));
        assert_eq!(value["clocks_per_second"], json!(100.0));
        assert_eq!(value["tests_per_second"], json!(80.0));
        // 8 rays in 50 clocks; 108 bytes for 8 rays.
        assert_eq!((&value["rays_per_second"], &value["bus_bytes_a_ray"]), (&json!(8e6), &json!(13.5)));
        let value = Row::Frame(frame(None)).json();
        for key in
            ["cycles", "slot_use", "clocks_per_second", "slots", "rays_per_second", "bus_bytes", "bus_bytes_a_ray"]
        {
            assert_eq!(value.get(key), Some(&Value::Null), "{key}");
        }
        assert_eq!(value["tests_per_second"], json!(80.0));
    }
}
