//! Where things are.

use std::path::{Path, PathBuf};

/// The workspace's root folder.
pub fn root() -> &'static Path {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    // host-tools/xtask is two folders below the root.
    package.ancestors().nth(2).unwrap_or(package)
}

/// The folder of the Python tools that `cargo xtask setup` installs: `bin/yosys`, `bin/nextpnr-ecp5`.
pub fn venv() -> PathBuf {
    root().join(".venv")
}
