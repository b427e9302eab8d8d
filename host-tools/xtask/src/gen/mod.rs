//! `cargo xtask gen`: writes every file that is made from `rayman-abi`, or checks that they are as they would be made.

mod c_header;
mod descriptor_tables;
mod markdown;
mod python;
mod register_tables;
mod svd;

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

use crate::{workspace, CheckFailed};

/// What mends a stale file.
const MENDED_BY: &str = "cargo xtask gen";

/// First lines of every made file, in its own comment style.
const NOTICE: &str = "Made from rayman-abi by `cargo xtask gen`. Change hdl/abi, not this file.";

/// Arguments of `gen`.
#[derive(clap::Args)]
pub struct Args {
    /// Writes nothing; fails if a file is not as it would be made.
    #[arg(long)]
    pub check: bool,
}

/// A file that is made.
struct Made {
    /// Path from the workspace's root.
    path: &'static str,
    /// Its whole text.
    text: String,
}

fn made() -> Vec<Made> {
    vec![
        Made { path: "docs/registers.md", text: register_tables::text() },
        Made { path: "docs/descriptors.md", text: descriptor_tables::text() },
        Made { path: "driver/include/rayman.h", text: c_header::text() },
        Made { path: "hdl/abi/rayman.svd", text: svd::text() },
        Made { path: "sim/cocotb/rayman_abi.py", text: python::text() },
    ]
}

/// Writes the files, or checks them.
pub fn run(args: &Args) -> Result<()> {
    let made = made();
    if args.check {
        check(workspace::root(), &made)?;
        println!("{} made files are up to date", made.len());
        return Ok(());
    }
    for file in write(workspace::root(), &made)? {
        println!("wrote {file}");
    }
    Ok(())
}

/// Fails if a file under `root` is missing or differs from what would be made.
fn check(root: &Path, made: &[Made]) -> Result<()> {
    let stale: Vec<_> = made.iter().filter(|file| !is_current(root, file)).map(|file| file.path).collect();
    if stale.is_empty() {
        return Ok(());
    }
    Err(CheckFailed(format!("stale: {}\nhelp: mend with `{MENDED_BY}` and commit the result", stale.join(", "))).into())
}

/// Writes the files that differ; answers which.
fn write(root: &Path, made: &[Made]) -> Result<Vec<&'static str>> {
    let mut written = Vec::new();
    for file in made.iter().filter(|file| !is_current(root, file)) {
        let path = root.join(file.path);
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).with_context(|| format!("cannot make folder {}", folder.display()))?;
        }
        fs::write(&path, &file.text).with_context(|| format!("cannot write {}", path.display()))?;
        written.push(file.path);
    }
    Ok(written)
}

/// A file that cannot be read is not current: what is wrong with it shows when it is written.
fn is_current(root: &Path, file: &Made) -> bool {
    fs::read(root.join(file.path)).is_ok_and(|text| text == file.text.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_files_in_the_repository_are_current() {
        check(workspace::root(), &made()).expect("made files are up to date");
    }

    #[test]
    fn a_stale_a_missing_and_a_mended_file_are_told_apart() {
        let folder = tempfile::tempdir().expect("a scratch folder");
        let made = [Made { path: "sub/a.md", text: "one\n".into() }, Made { path: "b.h", text: "two\n".into() }];

        let missing = check(folder.path(), &made).expect_err("nothing is there yet").to_string();
        assert!(missing.contains("sub/a.md, b.h") && missing.contains(MENDED_BY), "{missing}");

        assert_eq!(write(folder.path(), &made).expect("both are written"), ["sub/a.md", "b.h"]);
        check(folder.path(), &made).expect("both are current");
        assert!(write(folder.path(), &made).expect("nothing to do").is_empty());

        fs::write(folder.path().join("b.h"), "two, changed by hand\n").expect("a change by hand");
        let stale = check(folder.path(), &made).expect_err("b.h is stale").to_string();
        assert!(stale.contains("b.h") && !stale.contains("a.md"), "{stale}");
        assert_eq!(write(folder.path(), &made).expect("it is mended"), ["b.h"]);
    }

    #[test]
    fn made_text_is_plain() {
        for file in made() {
            assert!(file.text.is_ascii(), "{}: tools of every age read these files", file.path);
            assert!(file.text.ends_with('\n') && !file.text.ends_with("\n\n"), "{}: one newline at the end", file.path);
            assert!(file.text.lines().all(|line| line.trim_end() == line), "{}: no blanks at line ends", file.path);
            assert!(file.text.contains(NOTICE), "{}: says where it comes from", file.path);
        }
    }
}
