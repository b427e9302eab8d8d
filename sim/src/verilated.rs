//! Emitted Verilog as a program: translated by Verilator, compiled to a shared library, opened at run time.
//!
//! ```text
//!  Verilog text -> verilator --cc -> C++ + a shim by port number -> c++ -shared -> target/verilated/<hash>/model.so
//!                                                                                        | dlopen
//!                                                                                        v
//!                                                            VerilatedBlock: set, get, clock, run
//! ```
//!
//! A library is kept by the hash of all that went into it, so a second run builds nothing. `cargo build` needs none of
//! the tools; what runs the models does, and says so when they are missing.

pub mod block;
pub mod compile;
pub mod core;
mod width;

pub use block::VerilatedBlock;

pub use compile::Flavour;
pub use core::VerilatedCore;

use std::path::PathBuf;

/// A Verilated model could not be built, or went wrong.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum VerilatorError {
    /// A program is not installed.
    #[error("`{program}` cannot be started ({source}): `cargo xtask setup` installs what the simulators need")]
    Missing {
        /// The program.
        program: String,
        /// What the system said.
        source: std::io::Error,
    },
    /// Verilator or the C++ compiler refused.
    #[error("`{program}` failed on `{top}`:\n{log}")]
    Failed {
        /// The program.
        program: String,
        /// Top module.
        top: String,
        /// What it printed.
        log: String,
    },
    /// Arithmetic is done in another width in Verilog than in the in-crate simulation, or another warning that means a bug.
    #[error("Verilator warns of what the in-crate simulation does differently in `{top}`: put each sum, difference and complement into a local signal of its exact width first\n{}", lines.join("\n"))]
    Lint {
        /// Top module.
        top: String,
        /// The warnings.
        lines: Vec<String>,
    },
    /// The text cannot be read.
    #[error(transparent)]
    Verilog(#[from] rayman_rtl::emit::EmitError),
    /// A port has more than 64 bits.
    #[error("port `{port}` has {width} bits; this harness carries at most 64")]
    WidePort {
        /// Its name.
        port: String,
        /// Its width.
        width: usize,
    },
    /// The top has other pins than the core must have.
    #[error("the pins of `{top}` are not those of ARCHITECTURE.md: {what}")]
    Pins {
        /// Top module.
        top: String,
        /// Which.
        what: String,
    },
    /// The library of the core is not there.
    #[error("the Verilated core of this source is not built: `cargo xtask sim` builds it")]
    NotBuilt,
    /// A file cannot be written or read.
    #[error("{}: {source}", path.display())]
    File {
        /// Which.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// The library cannot be opened.
    #[error("the model's library cannot be opened: {0}")]
    Library(#[from] libloading::Error),
    /// The model was not made, or cannot be made any more.
    #[error("the Verilated model of `{0}` could not be created")]
    Create(String),
    /// `$stop`, `$fatal`, a failed assertion, or signals that do not come to rest.
    #[error("the Verilated model of `{top}` stopped: {message}")]
    Stopped {
        /// Top module.
        top: String,
        /// What it said.
        message: String,
    },
}
