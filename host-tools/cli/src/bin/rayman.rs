//! `rayman`: renders, compares devices, and looks into them.

use std::process::ExitCode;

use clap::Parser;
use rayman_tools::command::Rayman;
use rayman_tools::{device, failure};

fn main() -> ExitCode {
    failure::exit(Rayman::parse().run(&device::open, &mut std::io::stdout()))
}
