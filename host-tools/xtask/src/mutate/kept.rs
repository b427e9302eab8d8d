//! What came out of a block, kept until the block, its stimulus or what is done with them changes: a run that was cut short goes on.

use std::collections::hash_map::DefaultHasher;
use std::fs;
use std::hash::{Hash, Hasher};
use std::path::Path;

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};

/// The file's content.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Kept {
    /// Fingerprint of what it came from.
    pub of: String,
    /// How many mutants were noticed.
    pub noticed: usize,
    /// Those that were proved equivalent, in words.
    pub equivalent: Vec<String>,
    /// The others.
    pub survivors: Vec<String>,
}

/// A fingerprint of all that an outcome depends on.
pub fn fingerprint(parts: &[&[u8]]) -> String {
    let mut hasher = DefaultHasher::new();
    parts.hash(&mut hasher);
    format!("{:016x}", hasher.finish())
}

impl Kept {
    /// What is in the file, if it came from the same.
    pub fn load(path: &Path, of: &str) -> Option<Self> {
        let kept: Self = serde_json::from_slice(&fs::read(path).ok()?).ok()?;
        (kept.of == of).then_some(kept)
    }

    /// Writes the file.
    pub fn save(&self, path: &Path) -> Result<()> {
        fs::write(path, serde_json::to_vec(self)?).with_context(|| format!("cannot write {}", path.display()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_comes_back_for_the_same_and_for_nothing_else() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("x.outcome");
        let parts: [&[u8]; 2] = [b"module x;", b"12"];
        let of = fingerprint(&parts);
        assert_eq!(Kept::load(&path, &of), None, "nothing is there");
        let kept = Kept { of: of.clone(), noticed: 3, equivalent: vec!["a".into()], survivors: vec!["b".into()] };
        kept.save(&path).expect("is written");
        assert_eq!(Kept::load(&path, &of), Some(kept));
        for other in [&[b"module x;" as &[u8], b"13"], &[b"module x;1", b"2"]] {
            assert_eq!(Kept::load(&path, &fingerprint(other)), None);
        }
        fs::write(&path, b"{").expect("is written");
        assert_eq!(Kept::load(&path, &of), None, "half a file");
    }
}
