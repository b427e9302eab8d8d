//! Writes a block of the core, or a floating-point operator, as Verilog.
//!
//! `emit NAME [--lanes N] [--ii N | --program] [--depth N] [--size N] [--registered] [-o FILE]`; without a NAME: the names.
//! `--registered` adds a top `synth_op` that puts the block between registers, for its area and speed alone. `--ii N`, for a
//! datapath: another interval than the core's; `--program`: as a program. `--depth N`, for an operator: other clocks than the recommended ones.
//! `--lanes N`, for the core: 1, if it is not given. `--size N`, for a block that comes in several: the logarithm of its
//! entries.

use rayman_rtl::datapath::block::MAX_INTERVAL;
use rayman_rtl::datapath::kernels::{self, Camera, PrimaryRay, Shade, SphereHit};
use rayman_rtl::datapath::{Datapath, Form, Kernel};
use rayman_rtl::emit::blocks::{Part, PARTS};
use rayman_rtl::emit::{emit, registered::between_registers, EmitError};
use rayman_rtl::fp::OPERATORS;
use rayman_rtl::top;
use std::process::ExitCode;

/// Emits a datapath in a form.
type Make = fn(Form) -> Result<String, EmitError>;

fn datapath<D: Datapath>(form: Form) -> Result<String, EmitError> {
    let mut block = D::of(form);
    block.connect_all();
    emit(&block, D::Kernel::NAME)
}

const CORE: &str = "rayman";
/// Datapaths, and their forms in the core.
const DATAPATHS: [(&str, Form, Make); 11] = [
    ("sphere_radius", Form::Interval(kernels::SPHERE_RADIUS_INTERVAL), datapath::<kernels::SphereRadius>),
    ("sphere_hit", Form::Interval(kernels::SPHERE_HIT_INTERVAL), datapath::<SphereHit>),
    ("shade", Form::Interval(kernels::SHADE_INTERVAL), datapath::<Shade>),
    ("primary_ray", Form::Interval(kernels::PRIMARY_RAY_INTERVAL), datapath::<PrimaryRay>),
    ("camera", Form::Program, datapath::<Camera>),
    ("min", Form::Interval(kernels::SINGLE_INTERVAL), datapath::<kernels::Min>),
    ("max", Form::Interval(kernels::SINGLE_INTERVAL), datapath::<kernels::Max>),
    ("select", Form::Interval(kernels::SINGLE_INTERVAL), datapath::<kernels::Select>),
    ("to_fx1_7", Form::Interval(kernels::SINGLE_INTERVAL), datapath::<kernels::ToFx1_7>),
    ("to_colour8", Form::Interval(kernels::SINGLE_INTERVAL), datapath::<kernels::ToColour8>),
    ("reciprocal_sqrt", Form::Interval(kernels::SINGLE_INTERVAL), datapath::<kernels::ReciprocalSqrt>),
];

/// What to emit a block with, where it has such a thing.
#[derive(Clone, Copy, Default)]
struct Options {
    /// Of a datapath.
    form: Option<Form>,
    /// Lanes of the core.
    lanes: Option<u32>,
    /// Clocks from operands to result.
    depth: Option<usize>,
    /// Of a block that stands by itself and comes in sizes.
    size: Option<u32>,
}

/// The text of a block that stands by itself.
fn part(part: &Part, size: Option<u32>) -> Result<String, String> {
    let name = part.name;
    if size.is_some() && part.sizes.is_empty() {
        return Err(format!("`{name}` comes in one size; leave --size out"));
    }
    let written = match (size, part.sizes) {
        (None, &[_, ..]) => None,
        _ => part.verilog(size.unwrap_or(0)),
    };
    match written {
        Some(result) => result.map_err(|error| format!("{name}: {error}")),
        None => Err(format!("`{name}` needs --size with one of {:?}", part.sizes)),
    }
}

/// The text of a block or operator.
fn verilog(name: &str, options: Options) -> Result<String, String> {
    let Options { form, lanes, depth, size } = options;
    if let Some(found) = PARTS.iter().find(|part| part.name == name) {
        if form.is_some() || lanes.is_some() || depth.is_some() {
            return Err(format!(
                "`{name}` has neither lanes nor an interval nor a depth; leave --lanes, --ii, --program and --depth out"
            ));
        }
        return part(found, size);
    }
    if size.is_some() {
        return Err(format!("`{name}` has no size to choose; leave --size out"));
    }
    if lanes.is_some() && name != CORE {
        return Err(format!("only `{CORE}` has lanes; leave --lanes out"));
    }
    let told = |result: Result<String, EmitError>| result.map_err(|error| format!("{name}: {error}"));
    let operator = OPERATORS.iter().find(|operator| operator.module_name() == name);
    if depth.is_some() && operator.is_none() {
        return Err(format!("`{name}` is no operator and has no depth; leave --depth out"));
    }
    if let Some((_, default, make)) = DATAPATHS.iter().find(|(known, ..)| *known == name) {
        return told(make(form.unwrap_or(*default)));
    }
    if name != CORE && operator.is_none() {
        return Err(format!("there is no block `{name}`; there are: {}", names().join(", ")));
    }
    if form.is_some() {
        return Err(format!("`{name}` is no datapath and has no interval; leave --ii and --program out"));
    }
    match operator {
        Some(operator) => {
            operator.verilog_at_depth(depth.unwrap_or(operator.latency())).map_err(|error| error.to_string())
        }
        None => told(top::verilog(lanes.unwrap_or(1), CORE)),
    }
}

fn names() -> Vec<&'static str> {
    let datapaths = DATAPATHS.iter().map(|(name, ..)| *name);
    let parts = PARTS.iter().map(|part| part.name);
    std::iter::once(CORE)
        .chain(parts)
        .chain(datapaths)
        .chain(OPERATORS.iter().map(|operator| operator.module_name()))
        .collect()
}

fn interval_of(word: Option<String>) -> Result<u32, String> {
    let interval = word.as_deref().and_then(|word| word.parse().ok());
    interval
        .filter(|interval| (1..=MAX_INTERVAL).contains(interval))
        .ok_or_else(|| format!("--ii needs a number from 1 to {MAX_INTERVAL}"))
}

fn size_of(word: Option<String>) -> Result<u32, String> {
    word.as_deref().and_then(|word| word.parse().ok()).ok_or_else(|| "--size needs a number".to_owned())
}

fn lanes_of(word: Option<String>) -> Result<u32, String> {
    let lanes = word.as_deref().and_then(|word| word.parse().ok());
    lanes
        .filter(|lanes| (1..=top::MOST_LANES).contains(lanes))
        .ok_or_else(|| format!("--lanes needs a number from 1 to {}", top::MOST_LANES))
}

fn depth_of(word: Option<String>) -> Result<usize, String> {
    word.as_deref().and_then(|word| word.parse().ok()).ok_or_else(|| "--depth needs a number of clocks".into())
}

fn run() -> Result<(), String> {
    let (mut name, mut file, mut options, mut registered) = (None, None, Options::default(), false);
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--registered" => registered = true,
            "--lanes" => options.lanes = Some(lanes_of(arguments.next())?),
            "--ii" => options.form = Some(Form::Interval(interval_of(arguments.next())?)),
            "--program" => options.form = Some(Form::Program),
            "--depth" => options.depth = Some(depth_of(arguments.next())?),
            "--size" => options.size = Some(size_of(arguments.next())?),
            "-o" => file = Some(arguments.next().ok_or("-o needs a file name")?),
            _ if name.is_none() && !argument.starts_with('-') => name = Some(argument),
            _ => {
                return Err(format!(
                    "unknown argument `{argument}`; usage: emit NAME [--lanes N] [--ii N | --program] [--depth N] [--size N] [--registered] [-o FILE]"
                ))
            }
        }
    }
    let Some(name) = name else {
        println!("{}", names().join("\n"));
        return Ok(());
    };
    let mut text = verilog(&name, options)?;
    if registered {
        text += &between_registers(&text, &name).map_err(|error| format!("{name}: {error}"))?;
    }
    match file {
        Some(file) => std::fs::write(&file, text).map_err(|error| format!("{file}: {error}")),
        None => {
            print!("{text}");
            Ok(())
        }
    }
}

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::from(2)
        }
    }
}
