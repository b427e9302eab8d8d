//! Running other programs, loudly.

use std::io::{ErrorKind, IsTerminal};
use std::process::Command;

use anyhow::{bail, Context, Result};

use crate::workspace;
use crate::CheckFailed;

/// A command that starts in the workspace's root.
pub fn command(program: impl AsRef<std::ffi::OsStr>) -> Command {
    let mut command = Command::new(program);
    command.current_dir(workspace::root());
    command
}

/// The cargo that runs this program.
pub fn cargo() -> Command {
    command(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
}

/// Says what is about to run.
pub fn announce(what: &str) {
    if std::io::stderr().is_terminal() {
        eprintln!("\x1b[1m== {what}\x1b[0m");
    } else {
        eprintln!("== {what}");
    }
}

/// Runs a command, its output shown as it comes. A program that fails is a failed check; one that is missing is an
/// error.
pub fn run(command: &mut Command) -> Result<()> {
    let shown = shown(command);
    announce(&shown);
    let status = command.status().with_context(|| format!("cannot start `{shown}`"))?;
    if status.success() {
        return Ok(());
    }
    match status.code() {
        Some(code) => Err(CheckFailed(format!("`{shown}` ended with exit code {code}")).into()),
        None => bail!("`{shown}` was ended by a signal"),
    }
}

/// Whether a program is there and answers to `arguments` with success. Its output is not shown.
pub fn answers(program: impl AsRef<std::ffi::OsStr>, arguments: &[&str]) -> Result<bool> {
    match command(program.as_ref()).args(arguments).output() {
        Ok(output) => Ok(output.status.success()),
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::PermissionDenied) => Ok(false),
        Err(error) => Err(error).with_context(|| format!("cannot start {}", program.as_ref().to_string_lossy())),
    }
}

/// A command as a person would type it. The path of cargo itself and of the root is left out.
fn shown(command: &Command) -> String {
    let program = std::path::Path::new(command.get_program());
    let program = match program.file_name() {
        Some(name) => name.to_string_lossy().into_owned(),
        None => program.to_string_lossy().into_owned(),
    };
    std::iter::once(program)
        .chain(command.get_args().map(|argument| argument.to_string_lossy().into_owned()))
        .collect::<Vec<_>>()
        .join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failing_program_is_a_failed_check() {
        let error = run(command("sh").args(["-c", "exit 3"])).expect_err("exit code 3 is a failure");
        let failed = error.downcast_ref::<CheckFailed>().expect("a failed check");
        assert!(failed.0.contains("exit code 3"), "{failed}");
    }

    #[test]
    fn a_missing_program_is_no_failed_check() {
        let error = run(&mut command("no-such-program-of-rayman")).expect_err("there is no such program");
        assert!(error.downcast_ref::<CheckFailed>().is_none());
        assert!(!answers("no-such-program-of-rayman", &[]).expect("missing is an answer"));
    }
}
