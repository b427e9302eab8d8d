//! The arguments of the commands, and what each of them does.

use std::io::{self, ErrorKind, Write};
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use clap::builder::RangedI64ValueParser;
use clap::{Args, Parser, Subcommand};
use rayman_driver::{AddressMap, Device, RenderOptions, Screen};
use rayman_sim::axi_slave::Timing;
use rayman_sim::devices::MOST_LANES;

use crate::device::{self, Choice, DeviceKind, Setting, SettingOpener};
use crate::failure::{Failure, DONE, ERROR, MISMATCH};
use crate::output_file::OutputFile;
use crate::scene_file::SceneFile;
use crate::{bench, inspect, made_scene, render, robustness, shader, verify};

/// Renders a scene on a core and writes the picture.
#[derive(Debug, Parser)]
#[command(name = "rayman-upload", version)]
pub struct Upload {
    #[command(flatten)]
    render: Render,
}

/// Renders scenes on a Rayman core, compares devices, and looks into them.
#[derive(Debug, Parser)]
#[command(name = "rayman", version)]
pub struct Rayman {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Renders a scene and writes the picture, as rayman-upload does
    Render(Render),
    /// Renders each scene on each device and compares pictures and counters; exit code 1 where they differ
    Verify(Verify),
    /// Measures the core, by its own counters, and its simulators
    Bench(Bench),
    /// Measures how far ray-sphere tests and the tangent are off; exit code 1 where a bar is missed
    Robustness(Robustness),
    /// Shows what a device is: ID, version, capabilities, build
    Info(Inspect),
    /// Shows every register of a device, by name, with its fields
    Regs(Inspect),
    /// Looks into RDNA 2 shaders
    #[command(subcommand)]
    Shader(shader::Shader),
}

/// Width and height from `WxH`.
fn size(text: &str) -> Result<Screen, String> {
    let side = |digits: &str| {
        // `u16::from_str` takes a sign, which no size has.
        let plain = digits.bytes().all(|digit| digit.is_ascii_digit());
        u16::from_str(digits).ok().filter(|&side| plain && side > 0)
    };
    let sides = text.split_once(['x', 'X']).and_then(|(width, height)| Some((side(width)?, side(height)?)));
    let (width, height) = sides.ok_or("give width and height in pixels, each 1 to 65535, such as 320x240")?;
    Ok(Screen { width, height })
}

/// A board's clock in MHz.
fn megahertz(text: &str) -> Result<f64, String> {
    let mhz = f64::from_str(text).ok().filter(|mhz| (1e-6..=1e6).contains(mhz));
    mhz.ok_or_else(|| "give a clock in MHz, such as 100 or 62.5".to_owned())
}

/// How a scene's own settings are overridden.
#[derive(Debug, Args)]
struct Overrides {
    /// Size of the picture in pixels [default: the scene's]
    #[arg(long, value_name = "WxH", value_parser = size)]
    size: Option<Screen>,
    /// Reflections followed, 0 to 15 [default: the scene's]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(..=i64::from(RenderOptions::MAX_REFLECTION_DEPTH)))]
    depth: Option<u8>,
    /// Trace no shadow rays
    #[arg(long)]
    no_shadows: bool,
    /// Seconds without progress after which to give up [default: by the size of the scene]
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u32).range(1..))]
    patience: Option<u32>,
}

impl Overrides {
    fn load(&self, path: &std::path::Path) -> anyhow::Result<render::Job> {
        Ok(self.job(SceneFile::load(path)?))
    }

    fn job(&self, SceneFile { mut scene, mut options }: SceneFile) -> render::Job {
        scene.screen = self.size.unwrap_or(scene.screen);
        options.reflection_depth = self.depth.unwrap_or(options.reflection_depth);
        options.shadows &= !self.no_shadows;
        let patience = self.patience.map(|seconds| Duration::from_secs(seconds.into()));
        let patience = patience.unwrap_or_else(|| render::patience(&scene, &options));
        render::Job { scene, options, patience }
    }
}

/// What a device is opened with.
#[derive(Debug, Args)]
struct Core {
    /// Lanes of the simulated core, each a ray-sphere test a clock; the picture is the same with any number
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = lanes())]
    lanes: u32,
    /// Where a board has its core and its memory: the csr.json of its build [default: as the boards with SDRAM have them]
    #[arg(long, value_name = "FILE")]
    soc: Option<PathBuf>,
}

impl Core {
    fn setting(&self) -> anyhow::Result<Setting> {
        let map = self.soc.as_deref().map_or(Ok(AddressMap::default()), device::address_map)?;
        Ok(Setting { lanes: self.lanes, map })
    }
}

/// Takes the numbers of lanes that cores are built with.
fn lanes() -> RangedI64ValueParser<u32> {
    clap::value_parser!(u32).range(1..=i64::from(MOST_LANES))
}

#[derive(Debug, Args)]
struct Render {
    /// The scene, a TOML file: docs/guide.md has the format
    scene: PathBuf,
    /// The picture, a PNG file [default: the scene's name with .png, in the current folder]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Where to render: rtl, verilator, model, uartbone:/dev/ttyX, etherbone:HOST or ok:SERIAL; docs/boards.md has all forms
    #[arg(long, default_value_t = Choice::Simulated(DeviceKind::Rtl))]
    device: Choice,
    #[command(flatten)]
    core: Core,
    #[command(flatten)]
    overrides: Overrides,
    /// Say nothing but errors
    #[arg(long)]
    quiet: bool,
}

impl Render {
    fn run(self, open: SettingOpener<'_>, out: &mut dyn Write) -> anyhow::Result<u8> {
        let job = self.overrides.load(&self.scene)?;
        let output = self.output.unwrap_or_else(|| {
            let mut name = self.scene.file_stem().unwrap_or_default().to_owned();
            name.push(".png");
            name.into()
        });
        let setting = self.core.setting()?;
        let open = |choice: &Choice| open(choice, &setting);
        render::to_file(&job, &self.device, &output, &open, self.quiet, out)?;
        Ok(DONE)
    }
}

#[derive(Debug, Args)]
struct Verify {
    /// The scenes, TOML files
    #[arg(required = true)]
    scenes: Vec<PathBuf>,
    /// The devices, named as for `render`; each is compared with the first that makes a frame
    #[arg(long, value_delimiter = ',', default_values_t = [DeviceKind::Rtl, DeviceKind::Verilator, DeviceKind::Model].map(Choice::Simulated))]
    devices: Vec<Choice>,
    #[command(flatten)]
    core: Core,
    #[command(flatten)]
    overrides: Overrides,
    /// Show no progress
    #[arg(long)]
    quiet: bool,
}

impl Verify {
    fn run(self, open: SettingOpener<'_>, out: &mut dyn Write) -> anyhow::Result<u8> {
        // All scenes are read before the first is rendered: a wrong path in the end costs no time.
        let jobs = self.scenes.iter().map(|path| Ok((path.display().to_string(), self.overrides.load(path)?)));
        let jobs = jobs.collect::<anyhow::Result<Vec<_>>>()?;
        let setting = self.core.setting()?;
        let open = |choice: &Choice| open(choice, &setting);
        let outcome = verify::scenes(&jobs, &self.devices, &open, self.quiet, out)?;
        Ok(match outcome {
            verify::Outcome::Equal => DONE,
            verify::Outcome::Different => MISMATCH,
            verify::Outcome::Failed => ERROR,
        })
    }
}

/// The longest memory latency that is simulated, in clocks.
const MOST_LATENCY: u32 = 100_000;

#[derive(Debug, Args)]
struct Bench {
    /// The scenes, TOML files; without any, and without --spheres, only the datapath alone is measured
    scenes: Vec<PathBuf>,
    /// The devices
    #[arg(long, visible_alias = "devices", value_enum, value_delimiter = ',', default_values_t = [DeviceKind::Model, DeviceKind::Rtl])]
    device: Vec<DeviceKind>,
    /// Measure a made scene of N random spheres as well, with shadows and 3 reflections; may be repeated. Its size, if none is
    /// given, is 4:3, at most 320x240, for at most about 4 million tests
    #[arg(long, value_name = "N", value_delimiter = ',', value_parser = clap::value_parser!(u32).range(1..=i64::from(made_scene::MOST_SPHERES)))]
    spheres: Vec<u32>,
    /// What made scenes are made from
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    seed: u64,
    /// Clocks that the simulated memory takes to answer; with several each frame is made with each
    #[arg(long, value_name = "CLOCKS", value_delimiter = ',', default_values_t = [Timing::default().latency], value_parser = clap::value_parser!(u32).range(1..=i64::from(MOST_LATENCY)))]
    latency: Vec<u32>,
    /// Clocks of a board, in MHz: rays a second are given for it
    #[arg(long, value_name = "MHZ", default_value_t = 100.0, value_parser = megahertz)]
    mhz: f64,
    /// Clocks of the datapath alone, at most 2^32 - 1; 0 leaves it out
    #[arg(long, value_name = "CLOCKS", default_value_t = 500_000)]
    datapath_clocks: u32,
    /// Lanes of the simulated cores; with several each frame is made by a core of each
    #[arg(long, value_name = "N", value_delimiter = ',', default_values_t = [1], value_parser = lanes())]
    lanes: Vec<u32>,
    #[command(flatten)]
    overrides: Overrides,
    /// Print a list of objects instead of tables
    #[arg(long)]
    json: bool,
    /// Print the tables in Markdown
    #[arg(long, conflicts_with = "json")]
    markdown: bool,
    /// Draw the use of the slots against the number of spheres, a line a core: an SVG file of the made scenes
    #[arg(long, value_name = "FILE", requires = "spheres")]
    plot: Option<PathBuf>,
    /// Show no progress
    #[arg(long)]
    quiet: bool,
}

impl Bench {
    fn run(self, out: &mut dyn Write) -> anyhow::Result<u8> {
        let plot = self.plot.as_ref().map(|path| OutputFile::new(path, "plot", "svg")).transpose()?;
        if plot.is_some() && self.device.iter().all(|kind| *kind == DeviceKind::Model) {
            let help = "add a core with --device, rtl or verilator";
            return Err(Failure::new("the model has no slots to plot", help).into());
        }
        let files = self.scenes.iter().map(|path| {
            let workload = bench::Workload { name: path.display().to_string(), seed: None };
            Ok((workload, self.overrides.load(path)?))
        });
        let mut scenes = files.collect::<anyhow::Result<Vec<_>>>()?;
        for &spheres in &self.spheres {
            let (scene, options) = made_scene::scene(spheres, self.seed);
            let workload = bench::Workload { name: format!("random-{spheres}"), seed: Some(self.seed) };
            scenes.push((workload, self.overrides.job(SceneFile { scene, options })));
        }
        let form = match (self.json, self.markdown) {
            (true, _) => bench::Form::Json,
            (_, true) => bench::Form::Markdown,
            _ => bench::Form::Text,
        };
        let plan = bench::Plan {
            datapath_clocks: self.datapath_clocks.into(),
            scenes,
            devices: self.device,
            lanes: self.lanes,
            memory_latencies: self.latency,
            mhz: self.mhz,
            quiet: self.quiet,
        };
        Ok(if bench::run(&plan, form, plot.as_ref(), out)? { DONE } else { MISMATCH })
    }
}

#[derive(Debug, Args)]
struct Robustness {
    /// The scenes, TOML files, such as scenes/robust/*.toml
    scenes: Vec<PathBuf>,
    /// Random tests of each setting
    #[arg(long, value_name = "N", default_value_t = 1_000_000)]
    random: u32,
    /// What random tests are made from
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    seed: u64,
    /// Measures the tangent of every Nth FP32 number from 1 to 179 degrees; 0 leaves it out
    #[arg(long, value_name = "N", default_value_t = 1)]
    tangent_step: u32,
    #[command(flatten)]
    overrides: Overrides,
}

impl Robustness {
    fn run(self, out: &mut dyn Write) -> anyhow::Result<u8> {
        let jobs = self.scenes.iter().map(|path| {
            let name = path.file_stem().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
            Ok((name, self.overrides.load(path)?))
        });
        let plan = robustness::Plan {
            scenes: jobs.collect::<anyhow::Result<Vec<_>>>()?,
            random_tests: self.random,
            seed: self.seed,
            tangent_step: self.tangent_step,
        };
        Ok(if robustness::run(&plan, out)? { DONE } else { MISMATCH })
    }
}

#[derive(Debug, Args)]
struct Inspect {
    /// Which device, named as for `render`
    #[arg(long, default_value_t = Choice::Simulated(DeviceKind::Rtl))]
    device: Choice,
    #[command(flatten)]
    core: Core,
}

impl Inspect {
    fn open(&self, open: SettingOpener<'_>) -> anyhow::Result<Device<Box<dyn rayman_driver::Transport>>> {
        Ok(Device::open(open(&self.device, &self.core.setting()?)?)?)
    }
}

impl Upload {
    /// Does what the arguments say; answers the exit code.
    pub fn run(self, open: SettingOpener<'_>, out: &mut dyn Write) -> anyhow::Result<u8> {
        self.render.run(open, out)
    }
}

impl Rayman {
    /// Does what the arguments say; answers the exit code.
    pub fn run(self, open: SettingOpener<'_>, out: &mut dyn Write) -> anyhow::Result<u8> {
        match self.command {
            Command::Render(render) => render.run(open, out),
            Command::Verify(verify) => verify.run(open, out),
            Command::Bench(bench) => bench.run(out),
            Command::Robustness(robustness) => robustness.run(out),
            Command::Info(inspect) => shown(inspect::info(&mut inspect.open(open)?, out)),
            Command::Regs(inspect) => shown(inspect::registers(&mut inspect.open(open)?, out)),
            Command::Shader(shader) => shown(shader.run(out)),
        }
    }
}

/// The exit code of a command that only shows: that its reader has seen enough, as in `rayman regs | head`, is no error.
fn shown(outcome: anyhow::Result<()>) -> anyhow::Result<u8> {
    match outcome {
        Err(error) if error.downcast_ref::<io::Error>().is_none_or(|error| error.kind() != ErrorKind::BrokenPipe) => {
            Err(error)
        }
        _ => Ok(DONE),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_two_plain_numbers() {
        assert_eq!(size("320x240"), Ok(Screen { width: 320, height: 240 }));
        assert_eq!(size("65535X1"), Ok(Screen { width: 65535, height: 1 }));
        for bad in [
            "", "x", "320", "320x", "x240", "0x240", "320x0", "65536x1", "-1x1", "+1x1", "1 x1", "1x1x1", "1.5x2",
            "axb",
        ] {
            assert!(size(bad).is_err(), "{bad}");
        }
    }
}
