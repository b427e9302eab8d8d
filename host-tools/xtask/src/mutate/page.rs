//! The part of docs/mutation.md that the command writes.

use std::fs;

use anyhow::{Context, Result};

use crate::workspace;

const PAGE: &str = "docs/mutation.md";
/// All below this line is the command's.
const MARK: &str = "<!-- Below: what `cargo xtask mutate --page` wrote. -->\n";

/// Writes the page's end.
pub fn write(part: &str) -> Result<()> {
    let path = workspace::root().join(PAGE);
    let page = fs::read_to_string(&path).with_context(|| format!("cannot read {PAGE}"))?;
    let page = with_part(&page, part).with_context(|| format!("{PAGE} has no line `{}`", MARK.trim()))?;
    fs::write(&path, page).with_context(|| format!("cannot write {PAGE}"))
}

fn with_part(page: &str, part: &str) -> Option<String> {
    let (head, _) = page.split_once(MARK)?;
    Some(format!("{head}{MARK}\n{part}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_above_the_mark_stays() {
        let page = format!("# Mutants\n\n{MARK}\nold\n");
        assert_eq!(with_part(&page, "new\n"), Some(format!("# Mutants\n\n{MARK}\nnew\n")));
        assert_eq!(with_part("# Mutants\n", "new\n"), None);
    }
}
