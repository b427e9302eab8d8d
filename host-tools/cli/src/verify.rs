//! Comparing devices: the same scene must give the same bytes and the same counters everywhere.

use std::fmt;
use std::io::Write;
use std::ops::ControlFlow;
use std::time::Duration;

use rayman_driver::{Counters, Device, DriverError, Picture, Transport};

use crate::device::{Choice, Opener};
use crate::failure::Failure;
use crate::progress::Progress;
use crate::render::{self, Frame, Job};
use crate::report::grouped;

/// Where a device's frame first differs from the reference's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Difference {
    /// The pictures' sizes: width and height.
    Size {
        /// The reference's.
        expected: (u32, u32),
        /// This device's.
        found: (u32, u32),
    },
    /// A pixel, the first in raster order.
    Pixel {
        /// Column.
        x: u32,
        /// Row.
        y: u32,
        /// The reference's R, G, B.
        expected: [u8; 3],
        /// This device's R, G, B.
        found: [u8; 3],
    },
    /// An architectural counter.
    Counter {
        /// Its name.
        name: &'static str,
        /// The reference's value.
        expected: u64,
        /// This device's value.
        found: u64,
    },
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let colour = |[red, green, blue]: [u8; 3]| format!("#{red:02x}{green:02x}{blue:02x}");
        match *self {
            Difference::Size { expected, found } => {
                write!(f, "picture of {}x{}, expected {}x{}", found.0, found.1, expected.0, expected.1)
            }
            Difference::Pixel { x, y, expected, found } => {
                write!(f, "pixel ({x}, {y}) is {}, expected {}", colour(found), colour(expected))
            }
            Difference::Counter { name, expected, found } => write!(f, "{name} is {found}, expected {expected}"),
        }
    }
}

/// The first difference between two frames: of the pictures byte for byte, then of the architectural counters.
pub fn difference(expected: (&Picture, &Counters), found: (&Picture, &Counters)) -> Option<Difference> {
    let sizes = (expected.0.width, expected.0.height) == (found.0.width, found.0.height);
    if !sizes || expected.0.rgb.len() != found.0.rgb.len() {
        let size = |picture: &Picture| (picture.width, picture.height);
        return Some(Difference::Size { expected: size(expected.0), found: size(found.0) });
    }
    if let Some((x, y)) = expected.0.first_difference(found.0) {
        // Both pictures have the pixel that was found to differ.
        let colour = |picture: &Picture| picture.pixel(x, y).unwrap_or_default();
        return Some(Difference::Pixel { x, y, expected: colour(expected.0), found: colour(found.0) });
    }
    let mut pairs = expected.1.iter().zip(found.1.iter());
    pairs.find_map(|((counter, expected), (_, found))| {
        let differs = counter.architectural && expected != found;
        differs.then_some(Difference::Counter { name: counter.name, expected, found })
    })
}

/// What came of one device.
#[derive(Debug)]
pub struct Row {
    /// The device's name.
    pub device: String,
    /// Its frame, or why there is none.
    pub frame: Result<Frame, DriverError>,
    /// How it differs from the reference, the first device that rendered a frame.
    pub difference: Option<Difference>,
}

/// How a comparison ended, the worse the later.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Outcome {
    /// Every device made the same frame.
    Equal,
    /// At least two devices differ.
    Different,
    /// At least one device made no frame.
    Failed,
}

/// The outcome of the rows of one scene.
pub fn outcome(rows: &[Row]) -> Outcome {
    let of_row = |row: &Row| match (&row.frame, &row.difference) {
        (Err(_), _) => Outcome::Failed,
        (Ok(_), Some(_)) => Outcome::Different,
        (Ok(_), None) => Outcome::Equal,
    };
    rows.iter().map(of_row).max().unwrap_or(Outcome::Equal)
}

/// Renders a scene on each device and compares each with the first that made a frame. `on_progress` hears which device,
/// counted from 0, has come how far.
pub fn verify(
    devices: &mut [Box<dyn Transport>],
    job: &Job,
    mut on_progress: impl FnMut(usize, u8) -> ControlFlow<()>,
) -> Vec<Row> {
    let mut rows: Vec<Row> = Vec::new();
    for (index, transport) in devices.iter_mut().enumerate() {
        let name = transport.name();
        let frame = Device::open(transport)
            .and_then(|mut device| render::frame(&mut device, job, |value| on_progress(index, value)));
        let reference = rows.iter().find_map(|row| row.frame.as_ref().ok());
        let difference = reference.zip(frame.as_ref().ok()).and_then(|(expected, found)| {
            difference((&expected.picture, &expected.counters), (&found.picture, &found.counters))
        });
        rows.push(Row { device: name, frame, difference });
    }
    rows
}

/// Verifies scenes, by name, on devices and writes a table; answers the worst outcome.
pub fn scenes(
    jobs: &[(String, Job)],
    choices: &[Choice],
    open: Opener<'_>,
    quiet: bool,
    out: &mut dyn Write,
) -> anyhow::Result<Outcome> {
    if choices.len() < 2 {
        return Err(Failure::new(
            "one device has nothing to be compared with",
            "name two or more, such as --devices rtl,model",
        )
        .into());
    }
    let mut devices = choices.iter().map(open).collect::<anyhow::Result<Vec<_>>>()?;
    let widest = jobs.iter().map(|(name, _)| name.len()).max().unwrap_or(0).max("scene".len());
    writeln!(
        out,
        "{:<widest$}  {:>9}  {:<9}  {:>13}  {:>13}  {:>8}  result",
        "scene", "size", "device", "cycles", "tests", "seconds"
    )?;
    let mut worst = Outcome::Equal;
    for (name, job) in jobs {
        let rows = {
            let labels = choices.iter().map(|choice| format!("{name} on {choice}"));
            let mut progress: Vec<_> = labels.map(|label| Some((label, None))).collect();
            // A bar is made when its device starts and is gone when the next one does.
            verify(&mut devices, job, |index, value| {
                if let Some(before) = index.checked_sub(1) {
                    progress[before] = None;
                }
                match &mut progress[index] {
                    Some((label, bar)) => bar.get_or_insert_with(|| Progress::new(label.clone(), quiet)).at(value),
                    None => ControlFlow::Continue(()),
                }
            })
        };
        let size = format!("{}x{}", job.scene.screen.width, job.scene.screen.height);
        let reference = rows.iter().position(|row| row.frame.is_ok());
        for (index, (choice, row)) in choices.iter().zip(&rows).enumerate() {
            let (cycles, tests, elapsed) = match &row.frame {
                Ok(frame) => (frame.counters.cycles(), grouped(frame.counters.tests()), frame.elapsed),
                Err(_) => (0, "-".into(), Duration::ZERO),
            };
            let cycles = if cycles > 0 { grouped(cycles) } else { "-".into() };
            let result = match (&row.frame, row.difference) {
                (Err(error), _) => format!("error: {error}"),
                (Ok(_), Some(difference)) => format!("DIFFERS: {difference}"),
                (Ok(_), None) if reference == Some(index) => "reference".into(),
                (Ok(_), None) => "equal".into(),
            };
            let device = choice.to_string();
            let seconds = elapsed.as_secs_f64();
            writeln!(
                out,
                "{name:<widest$}  {size:>9}  {device:<9}  {cycles:>13}  {tests:>13}  {seconds:>8.2}  {result}"
            )?;
        }
        out.flush()?;
        worst = worst.max(outcome(&rows));
    }
    let verdict = match worst {
        Outcome::Equal => "every picture and every architectural counter is equal, byte for byte",
        Outcome::Different => "devices differ",
        Outcome::Failed => "a device made no frame",
    };
    writeln!(out, "{} scene{}: {verdict}", jobs.len(), if jobs.len() == 1 { "" } else { "s" })?;
    Ok(worst)
}
