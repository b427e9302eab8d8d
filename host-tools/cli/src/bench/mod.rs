//! `rayman bench`: how fast the core is, by its own counters, and how fast its simulators are.
//!
//! ```text
//!  sphere_hit alone, in this process ---------------------------------+
//!  scene files, made scenes x devices --> frames, counters, time ------+--> rows --> text, Markdown or JSON; plot
//! ```
//!
//! Always holds, or the command fails: on a device with clocks every clock of a frame and lane is one slot, which was
//! used, dead, or lost to one cause, so the slot counters add up to cycles x lanes.
//!
//! Speeds are by processor time, which other work on the machine disturbs far less than wall time.

mod plot;
mod rows;
mod show;

use std::io::Write;
use std::time::{Duration, Instant};

use cpu_time::ProcessTime;
use rayman_driver::{Counters, Device};
use rayman_sim::axi_slave::Timing;
use rayman_sim::{speed, Bench, BusTraffic};

use crate::device::{self, DeviceKind};
use crate::output_file::OutputFile;
use crate::progress::Progress;
use crate::render::{self, Job};
pub use rows::{Datapath, Frame, Row, Slots, Workload};
pub use show::Form;

/// What is measured.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Clocks of the datapath alone; 0 leaves it out.
    pub datapath_clocks: u64,
    /// What is rendered.
    pub scenes: Vec<(Workload, Job)>,
    /// On what.
    pub devices: Vec<DeviceKind>,
    /// Lanes of the simulated cores: a core with each.
    pub lanes: Vec<u32>,
    /// Clocks that the simulated memory takes to answer: one after the other, where there are clocks.
    pub memory_latencies: Vec<u32>,
    /// Clocks of a board, in millions a second: what rays a second are said for.
    pub mhz: f64,
    /// No progress is shown.
    pub quiet: bool,
}

/// Wall and processor time of something.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Took {
    /// Wall time.
    pub wall: Duration,
    /// Processor time of this process.
    pub processor: Duration,
}

impl Took {
    fn time<T>(work: impl FnOnce() -> T) -> (T, Self) {
        let (wall, processor) = (Instant::now(), ProcessTime::try_now());
        let result = work();
        let wall = wall.elapsed();
        // Where there is no clock of processor time, wall time is the next best.
        let processor = processor.and_then(|start| start.try_elapsed()).unwrap_or(wall);
        (result, Self { wall, processor })
    }

    /// So many of something a second of processor time.
    fn rate(self, count: u64) -> Option<f64> {
        let seconds = self.processor.as_secs_f64();
        (seconds > 0.0).then(|| count as f64 / seconds)
    }
}

/// A counter that every core has.
fn counter(counters: &Counters, name: &str) -> u64 {
    counters.get(name).unwrap_or(0)
}

fn datapath(clocks: u64) -> anyhow::Result<Row> {
    let (run, took) = Took::time(|| speed::sphere_hit(clocks));
    Ok(Row::Datapath(Datapath { run: run?, took }))
}

/// Renders a scene of the plan with a memory of this latency.
fn frame(
    device: &mut Device<Box<dyn Bench>>,
    kind: DeviceKind,
    plan: &Plan,
    index: usize,
    latency: u32,
) -> anyhow::Result<Row> {
    let (workload, job) = &plan.scenes[index];
    device.transport().set_timing(Timing { latency, ..Timing::default() });
    let lanes = device.capabilities()?.lanes;
    let bus_before = device.transport().bus_traffic();
    let mut progress = Progress::new(format!("{} on {kind}", workload.name), plan.quiet);
    let (frame, took) = Took::time(|| render::frame(device, job, |value| progress.at(value)));
    let counters = frame?.counters;
    let has_clocks = device.transport().counts_clocks();
    let bus = device
        .transport()
        .bus_traffic()
        .zip(bus_before)
        .map(|(after, before)| BusTraffic { read: after.read - before.read, written: after.written - before.written });
    let count = |name| counter(&counters, name);
    Ok(Row::Frame(Frame {
        workload: workload.clone(),
        device: kind,
        screen: job.scene.screen,
        reflections: job.options.reflection_depth,
        shadows: job.options.shadows,
        lanes,
        spheres: job.scene.spheres.len(),
        memory_latency: has_clocks.then_some(latency),
        rays: counters.rays(),
        tests: counters.tests(),
        slots: has_clocks.then(|| Slots {
            cycles: counters.cycles(),
            used: count("slots_used"),
            dead: count("slots_dead"),
            lost_rays: count("lost_rays"),
            lost_spheres: count("lost_spheres"),
            lost_shader: count("lost_shader"),
            lost_output: count("lost_output"),
        }),
        bus,
        mhz: plan.mhz,
        took,
    }))
}

/// Measures, writes the rows and, where one is wanted, the plot; answers whether the slots of each row add up.
pub fn run(plan: &Plan, form: Form, plot: Option<&OutputFile>, out: &mut dyn Write) -> anyhow::Result<bool> {
    let mut rows = Vec::new();
    if plan.datapath_clocks > 0 {
        rows.push(datapath(plan.datapath_clocks)?);
    }
    // A device that cannot be had is found before the first frame is waited for.
    let mut devices = Vec::new();
    for &kind in plan.devices.iter().filter(|_| !plan.scenes.is_empty()) {
        // The model has no lanes to choose.
        let choices = if kind == DeviceKind::Model { 1 } else { plan.lanes.len() };
        for &lanes in plan.lanes.iter().take(choices) {
            devices.push((kind, Device::open(device::simulator(kind, lanes)?)?));
        }
    }
    for index in 0..plan.scenes.len() {
        for (kind, device) in &mut devices {
            // Without clocks there is no latency either: once is enough.
            let latencies = if device.transport().counts_clocks() { plan.memory_latencies.len() } else { 1 };
            for &latency in plan.memory_latencies.iter().take(latencies) {
                rows.push(frame(device, *kind, plan, index, latency)?);
            }
        }
    }
    show::rows(&rows, form, out)?;
    if let Some(file) = plot {
        file.write(plot::svg(&rows).as_bytes())?;
    }
    Ok(rows.iter().all(Row::adds_up))
}
