//! `rayman-upload scene.toml`: renders a scene and writes the picture.

use std::process::ExitCode;

use clap::Parser;
use rayman_tools::command::Upload;
use rayman_tools::{device, failure};

fn main() -> ExitCode {
    failure::exit(Upload::parse().run(&device::open, &mut std::io::stdout()))
}
