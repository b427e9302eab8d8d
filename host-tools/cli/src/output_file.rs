//! Files that are whole or not there.

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::failure::Failure;

/// A place that a file can be written to. Made before the work whose result it takes, so that a wrong path costs no time.
#[derive(Debug)]
pub struct OutputFile {
    /// As the user named it.
    named: PathBuf,
    /// Where the file is or will be, links followed.
    target: PathBuf,
    /// Where it grows, in the same folder.
    growing: PathBuf,
    /// What is written, for messages: "picture".
    what: &'static str,
}

impl OutputFile {
    /// Checks that a file can be written here and that its name ends in `extension`, as `what` (one word) is written. Leaves
    /// nothing behind.
    pub fn new(path: &Path, what: &'static str, extension: &str) -> anyhow::Result<Self> {
        let shown = path.display();
        let fits = path.extension().is_some_and(|given| given.eq_ignore_ascii_case(extension));
        // What is there and is no file (a folder, a device) would be replaced by the rename.
        if path.exists() && !path.is_file() {
            let help = format!("name a .{extension} file");
            return Err(Failure::new(format!("{shown}: is there already and is no file"), help).into());
        }
        if !fits {
            let message = format!("{shown}: {what}s are written as {}", extension.to_uppercase());
            return Err(Failure::new(message, format!("let its name end in .{extension}")).into());
        }
        let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let name = target.file_name().unwrap_or_default().to_string_lossy();
        let growing = target.with_file_name(format!(".{name}.{}.part", std::process::id()));
        let file = Self { named: path.to_owned(), target, growing, what };
        file.create().map(drop).and_then(|()| fs::remove_file(&file.growing)).map_err(|error| {
            Failure::new(
                format!("{shown}: cannot be written: {error}"),
                "is its folder there, and may you write to it?",
            )
        })?;
        Ok(file)
    }

    /// As the user named it.
    pub fn path(&self) -> &Path {
        &self.named
    }

    fn create(&self) -> io::Result<fs::File> {
        OpenOptions::new().write(true).create_new(true).open(&self.growing)
    }

    /// Writes the file. What is there of this name is replaced at once by the whole new one, or left as it is.
    pub fn write(&self, bytes: &[u8]) -> anyhow::Result<()> {
        let written = self.create().and_then(|mut file| {
            file.write_all(bytes)?;
            file.sync_all()?;
            fs::rename(&self.growing, &self.target)
        });
        written.map_err(|error| {
            // It may not have come to be; what matters is the first error.
            let _ = fs::remove_file(&self.growing);
            let message = format!("{}: cannot be written: {error}", self.named.display());
            Failure::new(message, format!("the {} is lost; is the disk full?", self.what)).into()
        })
    }
}
