//! Rendering one scene on one device.

use std::io::Write;
use std::ops::ControlFlow;
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::Context;
use image::codecs::png::PngEncoder;
use image::{ExtendedColorType, ImageEncoder};
use rayman_driver::{Counters, Device, DriverError, Picture, RenderOptions, Scene, Transport, WaitPolicy};

use crate::device::{Choice, Opener};
use crate::output_file::OutputFile;
use crate::progress::Progress;
use crate::report;

/// What to render.
#[derive(Clone, Debug)]
pub struct Job {
    /// The scene.
    pub scene: Scene,
    /// How it is rendered.
    pub options: RenderOptions,
    /// How long progress may stand still.
    pub patience: Duration,
}

/// A frame as a device made it.
#[derive(Clone, Debug)]
pub struct Frame {
    /// The picture.
    pub picture: Picture,
    /// What the device counted.
    pub counters: Counters,
    /// Wall time from RUN to the picture in hand.
    pub elapsed: Duration,
}

/// Progress may stand still this long whatever the scene.
const LEAST_PATIENCE: Duration = Duration::from_secs(60);
/// A pessimistic number of ray-sphere tests a second: less than a tenth of what the in-crate simulation does.
const SLOW_TESTS_A_SECOND: f64 = 5_000.0;

/// How long progress may stand still for this scene: the time that a slow simulator needs for the rays, at their most,
/// of the pixels between two values of progress.
pub fn patience(scene: &Scene, options: &RenderOptions) -> Duration {
    let pixels = (scene.screen.pixels() as f64 / f64::from(u8::MAX)).ceil();
    let rays_a_pixel = f64::from(options.reflection_depth + 1) * if options.shadows { 2.0 } else { 1.0 };
    // A scene without spheres costs some clocks a pixel, too.
    let tests = pixels * rays_a_pixel * (scene.spheres.len().max(16) as f64);
    let seconds = Duration::try_from_secs_f64(tests / SLOW_TESTS_A_SECOND).unwrap_or(Duration::MAX);
    LEAST_PATIENCE.saturating_add(seconds)
}

/// Renders on a device.
pub fn frame<T: Transport>(
    device: &mut Device<T>,
    job: &Job,
    on_progress: impl FnMut(u8) -> ControlFlow<()>,
) -> Result<Frame, DriverError> {
    let policy = WaitPolicy { patience: job.patience, ..WaitPolicy::default() };
    let start = Instant::now();
    let (picture, counters) = device.render(&job.scene, &job.options, &policy, on_progress)?;
    Ok(Frame { picture, counters, elapsed: start.elapsed() })
}

/// A picture as a PNG file.
fn png(picture: &Picture) -> image::ImageResult<Vec<u8>> {
    let mut png = Vec::new();
    let encoder = PngEncoder::new(&mut png);
    encoder.write_image(&picture.rgb, picture.width, picture.height, ExtendedColorType::Rgb8)?;
    Ok(png)
}

/// Renders on a device and writes the picture.
pub fn to_file(
    job: &Job,
    choice: &Choice,
    output: &Path,
    open: Opener<'_>,
    quiet: bool,
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    let file = OutputFile::new(output, "picture", "png")?;
    let mut device = Device::open(open(choice)?)?;
    if !quiet {
        writeln!(out, "{:<17}{} (--device {choice})", "device", device.name())?;
        out.flush()?;
    }
    let frame = {
        let mut progress = Progress::new(format!("rendering on {choice}"), quiet);
        frame(&mut device, job, |value| progress.at(value))?
    };
    let png = png(&frame.picture).with_context(|| format!("{}: cannot be made a PNG", output.display()))?;
    file.write(&png)?;
    if !quiet {
        write!(out, "{}", report::frame(&frame.counters, frame.elapsed))?;
        let Picture { width, height, .. } = frame.picture;
        writeln!(out, "{:<17}{} ({width}x{height})", "picture", file.path().display())?;
    }
    Ok(())
}
