//! A folder for one test, and the commands run in it.
#![allow(dead_code)] // Each test file is a crate of its own; not every one uses all of this.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

pub struct Scratch(pub PathBuf);

/// What a command did.
#[derive(Debug)]
pub struct Outcome {
    pub code: Option<i32>,
    pub out: String,
    pub err: String,
}

impl Scratch {
    /// An empty folder of this name, which no other test uses.
    pub fn new(name: &str) -> Self {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        Self(folder)
    }

    pub fn write(&self, name: &str, contents: impl AsRef<[u8]>) {
        fs::write(self.0.join(name), contents).unwrap();
    }

    /// Names of what is in the folder, sorted.
    pub fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(&self.0).unwrap();
        let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    pub fn run(&self, binary: &str, arguments: &[&str]) -> Outcome {
        let output = Command::new(binary).args(arguments).current_dir(&self.0).output().unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        Outcome { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
    }

    pub fn upload(&self, arguments: &[&str]) -> Outcome {
        self.run(env!("CARGO_BIN_EXE_rayman-upload"), arguments)
    }

    pub fn rayman(&self, arguments: &[&str]) -> Outcome {
        self.run(env!("CARGO_BIN_EXE_rayman"), arguments)
    }
}

/// A small scene that renders in an instant.
pub const SMALL: &str = r##"
[camera]
position = [0.0, 0.0, 4.0]
look_at = [0, 0, 0]
fov = 40

[light]
position = [5, 5, 5]

[screen]
width = 8
height = 6

[render]
reflections = 1
shadows = true
background = "#203040"

[[material]]
name = "red"
ambient = [0.1, 0.0, 0.0]
diffuse = [0.8, 0.1, 0.1]
specular = [0.5, 0.5, 0.5]
reflection = 0.25
shininess = 20

[[sphere]]
centre = [0, 0, 0]
radius = 1
material = "red"
"##;
