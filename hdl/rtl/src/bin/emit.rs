//! Writes a block of the core, or a floating-point operator, as Verilog.
//!
//! `emit NAME [--registered] [-o FILE]`; without a NAME: the names. `--registered` adds a top `synth_op` that puts the
//! block between registers, for its area and speed alone.

use rayman_rtl::datapath::kernels;
use rayman_rtl::emit::{emit, registered::between_registers, EmitError};
use rayman_rtl::fp::OPERATORS;
use rayman_rtl::top::{Build, Core};
use rust_hdl_core::prelude::Block;
use std::process::ExitCode;

/// A block by name.
type Entry = (&'static str, fn() -> Result<String, EmitError>);

fn connected<B: Block>(mut block: B, name: &str) -> Result<String, EmitError> {
    block.connect_all();
    emit(&block, name)
}

const BLOCKS: &[Entry] = &[
    ("rayman", || emit(&Core::new(Build::default()), "rayman")),
    ("sphere_hit", || connected(kernels::SphereHit::new(kernels::SPHERE_HIT_INTERVAL), "sphere_hit")),
    ("shade", || connected(kernels::Shade::new(kernels::SHADE_INTERVAL), "shade")),
    ("primary_ray", || connected(kernels::PrimaryRay::new(kernels::PRIMARY_RAY_INTERVAL), "primary_ray")),
    ("camera", || connected(kernels::Camera::new(kernels::CAMERA_INTERVAL), "camera")),
];

/// The text of a block or operator; `None` if there is none of this name.
fn verilog(name: &str) -> Option<Result<String, EmitError>> {
    if let Some((_, make)) = BLOCKS.iter().find(|(block, _)| *block == name) {
        return Some(make());
    }
    OPERATORS.iter().find(|operator| operator.module_name() == name).map(|operator| Ok(operator.verilog()))
}

fn names() -> Vec<&'static str> {
    BLOCKS.iter().map(|(name, _)| *name).chain(OPERATORS.iter().map(|operator| operator.module_name())).collect()
}

fn run() -> Result<(), String> {
    let (mut name, mut file, mut registered) = (None, None, false);
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--registered" => registered = true,
            "-o" => file = Some(arguments.next().ok_or("-o needs a file name")?),
            _ if name.is_none() && !argument.starts_with('-') => name = Some(argument),
            _ => return Err(format!("unknown argument `{argument}`; usage: emit NAME [--registered] [-o FILE]")),
        }
    }
    let Some(name) = name else {
        println!("{}", names().join("\n"));
        return Ok(());
    };
    let text =
        verilog(&name).ok_or_else(|| format!("there is no block `{name}`; there are: {}", names().join(", ")))?;
    let mut text = text.map_err(|error| format!("{name}: {error}"))?;
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
