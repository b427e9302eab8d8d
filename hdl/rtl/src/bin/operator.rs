//! Prints the Verilog of a binary32 operator, for lint and for synthesis out of context.
//!
//! `operator NAME` prints the modules, `operator --registered NAME` a top named `synth_op` as well: the operator between
//! a register on each input and one on the output, so that timing from pin to pin is timing from register to register.
//! Without a NAME: the names, one a line, each with its latency.

use rayman_rtl::fp::OPERATORS;
use std::process::ExitCode;

fn main() -> ExitCode {
    let mut registered = false;
    let mut wanted = None;
    for argument in std::env::args().skip(1) {
        match argument.as_str() {
            "--registered" => registered = true,
            name => wanted = Some(name.to_owned()),
        }
    }
    let Some(name) = wanted else {
        for operator in OPERATORS {
            println!("{} {}", operator.module_name(), operator.latency());
        }
        return ExitCode::SUCCESS;
    };
    let Some(&operator) = OPERATORS.iter().find(|operator| operator.module_name() == name) else {
        let names: Vec<&str> = OPERATORS.iter().map(|operator| operator.module_name()).collect();
        eprintln!("there is no operator `{name}`; there are: {}", names.join(", "));
        return ExitCode::from(2);
    };
    print!("{}", operator.verilog());
    if registered {
        print!("{}", operator.registered());
    }
    ExitCode::SUCCESS
}
