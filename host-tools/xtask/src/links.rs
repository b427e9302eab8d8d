//! `cargo xtask check-links`: every link of a Markdown page to another file of the project leads to a file.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::{workspace, CheckFailed};

/// Checks the project's pages.
pub fn run() -> Result<()> {
    let root = workspace::root();
    let mut broken = Vec::new();
    let pages = pages(root)?;
    for page in &pages {
        let text = fs::read_to_string(page).with_context(|| format!("cannot read {}", page.display()))?;
        let folder = page.parent().unwrap_or(root);
        for target in broken_links(folder, &text) {
            broken.push(format!("{}: {target}", page.strip_prefix(root).unwrap_or(page).display()));
        }
    }
    if broken.is_empty() {
        println!("the links of {} pages lead to files", pages.len());
        return Ok(());
    }
    Err(CheckFailed(format!("links to files that do not exist:\n  {}", broken.join("\n  "))).into())
}

/// Every Markdown page under a folder, build products and hidden folders left out.
fn pages(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut pages = Vec::new();
    for entry in fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))? {
        let path = entry.with_context(|| format!("cannot read {}", folder.display()))?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if path.is_dir() {
            if name != "target" && !name.starts_with('.') {
                pages.extend(self::pages(&path)?);
            }
        } else if name.ends_with(".md") {
            pages.push(path);
        }
    }
    pages.sort();
    Ok(pages)
}

/// Targets of links that are no address and no file. A part after `#` is not looked at.
fn broken_links<'a>(folder: &Path, text: &'a str) -> Vec<&'a str> {
    text.split("](")
        .skip(1)
        .filter_map(|rest| rest.split_once(')'))
        .map(|(target, _)| target)
        .filter(|target| !target.contains("://") && !target.starts_with(['#', '`']))
        .filter(|target| !folder.join(target.split('#').next().unwrap_or(target)).exists())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn broken_links_are_found_and_others_are_not() {
        let folder = tempfile::tempdir().expect("a scratch folder");
        fs::create_dir(folder.path().join("sub")).expect("a folder");
        fs::write(folder.path().join("a.md"), "").expect("a page");
        let text = "[a](a.md) [part](a.md#part) [folder](sub/) [here](#below) [web](https://example.org/x.md)\n\
                    ![picture](sub/gone.png) [b](b.md) [up](sub/../a.md)\n";
        assert_eq!(broken_links(folder.path(), text), ["sub/gone.png", "b.md"]);
    }

    #[test]
    fn pages_are_found_in_folders_but_not_among_build_products() {
        let root = tempfile::tempdir().expect("a scratch folder");
        for file in ["README.md", "docs/deep/page.md", "docs/notes.txt", "target/doc.md", ".venv/lib/x.md"] {
            let path = root.path().join(file);
            fs::create_dir_all(path.parent().expect("a folder")).expect("folders");
            fs::write(path, "").expect("a file");
        }
        let found = pages(root.path()).expect("the folder can be read");
        assert_eq!(found, [root.path().join("README.md"), root.path().join("docs/deep/page.md")]);
    }
}
