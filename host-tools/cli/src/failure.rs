//! How a command ends, and how an error is shown.

use std::io::Write;
use std::process::ExitCode;

use rayman_driver::DriverError;

use crate::scene_file::SceneFileError;

/// Exit code: done.
pub const DONE: u8 = 0;
/// Exit code: devices were compared and differ, a core's slots do not add up, or a bar is missed.
pub const MISMATCH: u8 = 1;
/// Exit code: the command could not do what it was asked. Wrong arguments end with it as well.
pub const ERROR: u8 = 2;

/// An error of the tools' own, with a word on what to do.
#[derive(Debug, thiserror::Error)]
#[error("{message}")]
pub struct Failure {
    message: String,
    help: String,
}

impl Failure {
    /// What happened, and what to do about it.
    pub fn new(message: impl Into<String>, help: impl Into<String>) -> Self {
        Self { message: message.into(), help: help.into() }
    }
}

/// What to do about an error, if any of its causes says so.
fn help(error: &anyhow::Error) -> Option<String> {
    error.chain().find_map(|cause| {
        if let Some(failure) = cause.downcast_ref::<Failure>() {
            Some(failure.help.clone())
        } else if let Some(error) = cause.downcast_ref::<SceneFileError>() {
            error.hint.clone()
        } else {
            cause.downcast_ref::<DriverError>()?.hint().map(str::to_owned)
        }
    })
}

/// Writes an error with its causes and its help, as every command shows it.
pub fn show(to: &mut dyn Write, error: &anyhow::Error) -> std::io::Result<()> {
    writeln!(to, "error: {error:#}")?;
    match help(error) {
        Some(help) => writeln!(to, "  help: {help}"),
        None => Ok(()),
    }
}

/// Turns the outcome of a command into its exit code, showing the error if it is one.
pub fn exit(outcome: anyhow::Result<u8>) -> ExitCode {
    let code = outcome.unwrap_or_else(|error| {
        // Where nobody reads the error's text, the exit code still tells.
        let _ = show(&mut std::io::stderr().lock(), &error);
        ERROR
    });
    ExitCode::from(code)
}
