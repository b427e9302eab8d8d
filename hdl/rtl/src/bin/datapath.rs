//! Prints what a datapath costs in any form, the core's and those of single operations, or its Verilog.
//!
//! `datapath NAME FORM` prints the report, `datapath --verilog NAME FORM` the Verilog with a top named NAME,
//! `datapath --svg NAME INTERVAL` the schedule as a picture. FORM is an interval, or `program`.
//! Without a NAME: the reports of all, as the core has them, single operations at 1.

use rayman_rtl::datapath::block::MAX_INTERVAL;
use rayman_rtl::datapath::kernels::*;
use rayman_rtl::datapath::picture::svg;
use rayman_rtl::datapath::{Datapath, Design, Form, Kernel};
use rayman_rtl::emit::emit;
use std::process::ExitCode;

/// What to print of a datapath.
#[derive(Clone, Copy)]
enum What {
    Report,
    Verilog,
    Svg,
}

type Print = fn(Form, What) -> Result<String, String>;

fn print<D: Datapath>(form: Form, what: What) -> Result<String, String> {
    let mut block = D::of(form);
    match what {
        What::Report => Ok(format!("{}\n", block.design().report())),
        What::Svg => match block.design() {
            Design::Folded(folded) => Ok(svg(folded)),
            Design::Program(..) => {
                Err("a program has no picture of units and phases; its report says what it does".into())
            }
        },
        What::Verilog => {
            block.connect_all();
            emit(&block, D::Kernel::NAME).map_err(|error| error.to_string())
        }
    }
}

const DATAPATHS: [(&str, Form, Print); 11] = [
    ("sphere_radius", Form::Interval(SPHERE_RADIUS_INTERVAL), print::<SphereRadius>),
    ("sphere_hit", Form::Interval(SPHERE_HIT_INTERVAL), print::<SphereHit>),
    ("shade", Form::Interval(SHADE_INTERVAL), print::<Shade>),
    ("primary_ray", Form::Interval(PRIMARY_RAY_INTERVAL), print::<PrimaryRay>),
    ("camera", Form::Program, print::<Camera>),
    ("min", Form::Interval(SINGLE_INTERVAL), print::<Min>),
    ("max", Form::Interval(SINGLE_INTERVAL), print::<Max>),
    ("select", Form::Interval(SINGLE_INTERVAL), print::<Select>),
    ("to_fx1_7", Form::Interval(SINGLE_INTERVAL), print::<ToFx1_7>),
    ("to_colour8", Form::Interval(SINGLE_INTERVAL), print::<ToColour8>),
    ("reciprocal_sqrt", Form::Interval(SINGLE_INTERVAL), print::<ReciprocalSqrt>),
];

fn run() -> Result<String, String> {
    let (options, words): (Vec<_>, Vec<_>) = std::env::args().skip(1).partition(|argument| argument.starts_with("--"));
    let what = match options.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => What::Report,
        ["--verilog"] => What::Verilog,
        ["--svg"] => What::Svg,
        _ => return Err(format!("`{}`: there is --verilog, or --svg", options.join(" "))),
    };
    let Some(name) = words.first() else {
        return DATAPATHS.iter().map(|(_, form, print)| print(*form, what)).collect();
    };
    let Some((_, default, print)) = DATAPATHS.iter().find(|(known, ..)| known == name) else {
        let names = DATAPATHS.map(|(name, ..)| name);
        return Err(format!("there is no datapath `{name}`; there are: {}", names.join(", ")));
    };
    let form = match words.get(1).map(String::as_str) {
        None => *default,
        Some("program") => Form::Program,
        Some(word) => match word.parse() {
            Ok(interval) if (1..=MAX_INTERVAL).contains(&interval) => Form::Interval(interval),
            _ => {
                return Err(format!("`{word}` is neither `program` nor an interval, a number from 1 to {MAX_INTERVAL}"))
            }
        },
    };
    print(form, what)
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
