//! Prints what a datapath costs at any interval, the core's and those of single operations, or its Verilog.
//!
//! `datapath NAME INTERVAL` prints the report, `datapath --verilog NAME INTERVAL` the Verilog with a top named NAME,
//! `datapath --svg NAME INTERVAL` the schedule as a picture.
//! Without a NAME: the reports of all, at the intervals that the core uses, single operations at 1.

use rayman_rtl::datapath::block::MAX_INTERVAL;
use rayman_rtl::datapath::kernels::*;
use rayman_rtl::datapath::picture::svg;
use rayman_rtl::datapath::{Datapath, Kernel};
use rayman_rtl::emit::emit;
use std::process::ExitCode;

/// What to print of a datapath.
#[derive(Clone, Copy)]
enum Form {
    Report,
    Verilog,
    Svg,
}

type Print = fn(u32, Form) -> Result<String, String>;

fn print<D: Datapath>(interval: u32, form: Form) -> Result<String, String> {
    let mut block = D::with_interval(interval);
    match form {
        Form::Report => Ok(format!("{}\n", block.design().report())),
        Form::Svg => Ok(svg(block.design())),
        Form::Verilog => {
            block.connect_all();
            emit(&block, D::Kernel::NAME).map_err(|error| error.to_string())
        }
    }
}

const DATAPATHS: [(&str, u32, Print); 11] = [
    ("sphere_radius", SPHERE_RADIUS_INTERVAL, print::<SphereRadius>),
    ("sphere_hit", SPHERE_HIT_INTERVAL, print::<SphereHit>),
    ("shade", SHADE_INTERVAL, print::<Shade>),
    ("primary_ray", PRIMARY_RAY_INTERVAL, print::<PrimaryRay>),
    ("camera", CAMERA_INTERVAL, print::<Camera>),
    ("min", SINGLE_INTERVAL, print::<Min>),
    ("max", SINGLE_INTERVAL, print::<Max>),
    ("select", SINGLE_INTERVAL, print::<Select>),
    ("to_fx1_7", SINGLE_INTERVAL, print::<ToFx1_7>),
    ("to_colour8", SINGLE_INTERVAL, print::<ToColour8>),
    ("reciprocal_sqrt", SINGLE_INTERVAL, print::<ReciprocalSqrt>),
];

fn run() -> Result<String, String> {
    let (options, words): (Vec<_>, Vec<_>) = std::env::args().skip(1).partition(|argument| argument.starts_with("--"));
    let form = match options.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => Form::Report,
        ["--verilog"] => Form::Verilog,
        ["--svg"] => Form::Svg,
        _ => return Err(format!("`{}`: there is --verilog, or --svg", options.join(" "))),
    };
    let Some(name) = words.first() else {
        return DATAPATHS.iter().map(|(_, interval, print)| print(*interval, form)).collect();
    };
    let Some((_, default, print)) = DATAPATHS.iter().find(|(known, ..)| known == name) else {
        let names = DATAPATHS.map(|(name, ..)| name);
        return Err(format!("there is no datapath `{name}`; there are: {}", names.join(", ")));
    };
    let interval = match words.get(1) {
        None => *default,
        Some(word) => match word.parse() {
            Ok(interval) if (1..=MAX_INTERVAL).contains(&interval) => interval,
            _ => return Err(format!("`{word}` is no interval: a number from 1 to {MAX_INTERVAL}")),
        },
    };
    print(interval, form)
}

fn main() -> ExitCode {
    match run() {
        Ok(text) => {
            print!("{text}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(2)
        }
    }
}
