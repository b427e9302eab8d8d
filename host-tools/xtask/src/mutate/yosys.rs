//! Yosys on scripts, each for as long as it may take.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::time::Duration;

use anyhow::{ensure, Context, Result};

use crate::tools;

/// For scripts that have to come to their end.
const LIMIT: Duration = Duration::from_secs(1800);

/// Yosys, and the folder that it works in.
pub struct Yosys {
    folder: PathBuf,
    program: OsString,
}

impl Yosys {
    /// Finds it; names what installs it.
    pub fn new(folder: &Path) -> Result<Self> {
        let program = tools::tool("yosys", &["-V"])?.get_program().to_owned();
        Ok(Self { folder: folder.to_owned(), program })
    }

    /// A file of the folder.
    pub fn file(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// The text of a file of the folder.
    pub fn read(&self, name: &str) -> Result<String> {
        let path = self.file(name);
        fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))
    }

    /// Removes files that an earlier run may have left.
    pub fn forget(&self, names: &[&str]) {
        for name in names {
            // What is not there need not be removed, and what cannot be is overwritten or fails the script.
            let _ = fs::remove_file(self.file(name));
        }
    }

    /// Runs a script; what Yosys prints goes to `NAME.log`.
    pub fn run(&self, name: &str, script: &str) -> Result<()> {
        let status = self.run_within(name, script, LIMIT)?.context("yosys did not end")?;
        let log = self.read(&format!("{name}.log")).unwrap_or_default();
        let said = log.lines().rev().find(|line| line.starts_with("ERROR")).unwrap_or("");
        ensure!(status.success(), "yosys failed on {}: {said}", self.file(&format!("{name}.ys")).display());
        Ok(())
    }

    /// The same; no status if it was ended because it took more than its time.
    ///
    /// Time is the processor's, so that a busy machine comes to the same result.
    pub fn run_within(&self, name: &str, script: &str, limit: Duration) -> Result<Option<ExitStatus>> {
        let file = format!("{name}.ys");
        fs::write(self.file(&file), script).with_context(|| format!("cannot write {file}"))?;
        let mut command = Command::new("sh");
        command.args(["-c", r#"ulimit -t "$0" && exec "$@""#, &limit.as_secs().to_string()]).arg(&self.program);
        // A WebAssembly tool sees no absolute path: it starts where the files are.
        command.current_dir(&self.folder).args(["-q", "-l", &format!("{name}.log"), "-s", &file]);
        let status =
            command.stdout(Stdio::null()).stderr(Stdio::null()).status().context("cannot start a shell for yosys")?;
        // Only a signal leaves no exit code: the one that says that the time is over.
        Ok(status.code().map(|_| status))
    }
}
