//! Shaders in GLSL: the files of `shaders/`, compiled to SPIR-V by glslang and from there by the driver.
//!
//! Comment lines of a file say how it is compiled, and what is to be found:
//!
//! ```text
//!  // wave 32                          lanes; the driver's choice if it is not said
//!  // KIND: ANSWER                     an access's descriptor is there, by the code alone (D934)
//!  // KIND: ANSWER by ANSWER           and its sampler
//! ```
//!
//! An ANSWER is a resource, `SET.BINDING[ELEMENT]`; or, in parentheses, why the code alone does not say it. Behind a semicolon
//! stands what the wave run (D962) says: resources that it may be, or why not. Accesses that are alike are one line, `(xCOUNT)` at its
//! end where there are several.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use ash::vk::ShaderStageFlags;
use rayman_rdna2::wave::{Image, Launch, Segment};
use rayman_rdna2::{Cfg, Wave};

use crate::driver::{Driver, Stage};
use crate::places::{tables, Table, HIGH, SETS};

/// The vertex shader that every pixel shader is compiled with.
const VERTICES: &str = "mesh.vert";

/// A compiled shader.
pub struct Shader {
    pub name: String,
    pub wave: Wave,
    pub code: Vec<u8>,
    pub cfg: Cfg,
    /// The tables that user data point to, by register.
    pub tables: Vec<(u8, Table)>,
    /// What its comments say of its accesses.
    pub said: BTreeSet<String>,
}

impl Shader {
    /// A wave's start: user data and an image that has the tables to which they point, whose words `words` says, in their order.
    pub fn start(&self, user: &mut [u32], image: &mut Image, mut words: impl FnMut(Table) -> Vec<u32>) -> Launch {
        for (number, &(register, table)) in (1_u32..).zip(&self.tables) {
            let low = number << 16;
            user[usize::from(register)] = low;
            let address = u64::from(HIGH) << 32 & 0xffff_ffff_ffff | u64::from(low);
            image.insert(Segment { address, words: words(table), writable: false }).expect("tables apart");
        }
        let known: Vec<_> = user.iter().copied().map(Some).collect();
        let lanes = if self.wave == Wave::W32 { 0xffff_ffff } else { !0 };
        Launch::new(self.wave).with_user_data(&known).with_lanes(lanes)
    }
}

/// Every shader, by its file's name.
pub fn shaders() -> Vec<Shader> {
    let folder = folder();
    let files = fs::read_dir(&folder).expect("a folder of shaders");
    let mut names: Vec<_> =
        files.map(|file| file.expect("a file").file_name().into_string().expect("a plain name")).collect();
    names.sort();
    names.into_iter().map(|name| shader(&folder, name, None)).collect()
}

/// One of them, with so many lanes, and its SPIR-V.
pub fn with_lanes(name: &str, lanes: u32) -> (Shader, Vec<u32>) {
    let folder = folder();
    (shader(&folder, name.to_owned(), Some(lanes)), spirv(&folder.join(name)))
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/radv/shaders")
}

fn shader(folder: &Path, name: String, lanes: Option<u32>) -> Shader {
    let source = fs::read_to_string(folder.join(&name)).expect("a shader");
    let comments = source.lines().filter_map(|line| line.strip_prefix("// "));
    let kinds = ["image ", "buffer ", "scalar ", "BVH "];
    let said = comments.clone().filter(|line| kinds.iter().any(|kind| line.starts_with(kind)) && line.contains(':'));
    let said = said.map(str::to_owned).collect();
    let said_lanes = comments.filter_map(|line| line.strip_prefix("wave ")).find_map(|lanes| lanes.parse().ok());
    let stage = match name.rsplit_once('.') {
        Some((_, "comp")) => ShaderStageFlags::COMPUTE,
        Some((_, "vert")) => ShaderStageFlags::VERTEX,
        Some((_, "frag")) => ShaderStageFlags::FRAGMENT,
        _ => panic!("{name}: a compute, vertex or pixel shader"),
    };
    let mut stages = vec![Stage { stage, words: spirv(&folder.join(&name)), lanes: lanes.or(said_lanes) }];
    if stage == ShaderStageFlags::FRAGMENT {
        let words = spirv(&folder.join(VERTICES));
        stages.insert(0, Stage { stage: ShaderStageFlags::VERTEX, words, lanes: None });
    }
    let compiled = Driver::get().compile(&stages).into_iter().find(|one| one.stages == stage);
    let compiled = compiled.unwrap_or_else(|| panic!("{name}: its stage"));
    assert_eq!(compiled.code.len() as u64, compiled.size, "{name}: the driver shows all of its code");
    let cfg = Cfg::build(&compiled.code, 0, compiled.wave).expect("code");
    let sets: Vec<_> = (0..SETS).filter(|set| source.contains(&format!("set = {set}"))).collect();
    Shader { name, wave: compiled.wave, code: compiled.code, cfg, tables: tables(stage, &sets), said }
}

/// What glslang makes of a file.
fn spirv(file: &Path) -> Vec<u32> {
    let folder = tempfile::tempdir().expect("a folder");
    let made = folder.path().join("shader.spv");
    let output = Command::new("glslangValidator")
        .args(["-V", "--target-env", "vulkan1.2", "-o"])
        .args([&made, file])
        .output()
        .unwrap_or_else(|error| panic!("glslangValidator: {error}; `cargo xtask setup` installs it (glslang-tools)"));
    assert!(output.status.success(), "glslangValidator: {}", String::from_utf8_lossy(&output.stdout));
    let bytes = fs::read(made).expect("SPIR-V");
    bytes.chunks_exact(4).map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]])).collect()
}
