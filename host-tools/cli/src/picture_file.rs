//! Pictures as PNG files that are whole or not there.

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;
use image::codecs::png::PngEncoder;
use image::{ExtendedColorType, ImageEncoder};
use rayman_driver::Picture;

use crate::failure::Failure;

/// A place that a picture can be written to. Made before the rendering, so that a wrong path costs no time.
#[derive(Debug)]
pub struct PictureFile {
    /// As the user named it.
    named: PathBuf,
    /// Where the file is or will be, links followed.
    target: PathBuf,
    /// Where it grows, in the same folder.
    growing: PathBuf,
}

impl PictureFile {
    /// Checks that a PNG file can be written here. Leaves nothing behind.
    pub fn new(path: &Path) -> anyhow::Result<Self> {
        let shown = path.display();
        let is_png = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("png"));
        // What is there and is no file (a folder, a device) would be replaced by the rename.
        if path.exists() && !path.is_file() {
            return Err(Failure::new(format!("{shown}: is there already and is no file"), "name a .png file").into());
        }
        if !is_png {
            return Err(
                Failure::new(format!("{shown}: pictures are written as PNG"), "let its name end in .png").into()
            );
        }
        let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let name = target.file_name().unwrap_or_default().to_string_lossy();
        let growing = target.with_file_name(format!(".{name}.{}.part", std::process::id()));
        let file = Self { named: path.to_owned(), target, growing };
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

    /// Writes the picture. The file of this name is replaced at once by the whole new one, or left as it is.
    pub fn write(&self, picture: &Picture) -> anyhow::Result<()> {
        let mut png = Vec::new();
        PngEncoder::new(&mut png)
            .write_image(&picture.rgb, picture.width, picture.height, ExtendedColorType::Rgb8)
            .with_context(|| format!("{}: cannot be made a PNG", self.named.display()))?;
        let written = self.create().and_then(|mut file| {
            file.write_all(&png)?;
            file.sync_all()?;
            fs::rename(&self.growing, &self.target)
        });
        written.map_err(|error| {
            // It may not have come to be; what matters is the first error.
            let _ = fs::remove_file(&self.growing);
            let message = format!("{}: cannot be written: {error}", self.named.display());
            Failure::new(message, "the picture is lost; is the disk full?").into()
        })
    }
}
