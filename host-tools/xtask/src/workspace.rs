//! Where things are.

use std::path::{Path, PathBuf};

/// The workspace's root folder.
pub fn root() -> &'static Path {
    // host-tools/xtask is two folders below the root.
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

/// The folder of the Python tools that `cargo xtask setup` installs: `bin/yosys`, `bin/nextpnr-ecp5`.
pub fn venv() -> PathBuf {
    root().join(".venv")
}
