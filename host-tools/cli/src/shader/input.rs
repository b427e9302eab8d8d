//! A shader's code from a file: raw words, or a function of an ELF object.

use std::fs;
use std::path::PathBuf;

use clap::Args;
use object::elf::EM_AMDGPU;
use object::read::elf::{ElfFile64, FileHeader};
use object::{LittleEndian, Object, ObjectSection, ObjectSymbol, SymbolKind};
use rayman_rdna2::{Cfg, Wave};

use crate::failure::Failure;

/// Where the code is.
#[derive(Debug, Args)]
pub struct Input {
    /// The shader: an ELF object for amdgcn, or raw code with --raw
    file: PathBuf,
    /// The file is code and nothing else
    #[arg(long, conflicts_with = "function")]
    raw: bool,
    /// The function of the object [default: its only one]
    #[arg(long, value_name = "NAME")]
    function: Option<String>,
    /// Lanes of a wave
    #[arg(long, value_name = "LANES", default_value = "32", value_parser = wave)]
    wave: Wave,
}

fn wave(text: &str) -> Result<Wave, String> {
    match text {
        "32" => Ok(Wave::W32),
        "64" => Ok(Wave::W64),
        _ => Err("a wave has 32 or 64 lanes".into()),
    }
}

/// A shader.
#[derive(Debug)]
pub struct Shader {
    /// The file's name, and the function's where there is one.
    pub name: String,
    /// Its code from its first instruction to its end.
    pub code: Vec<u8>,
    /// Lanes of its waves.
    pub wave: Wave,
}

impl Input {
    /// Reads the code.
    pub fn load(&self) -> anyhow::Result<Shader> {
        let name = self.file.display().to_string();
        let bytes = fs::read(&self.file)
            .map_err(|error| Failure::new(format!("{name}: cannot be read: {error}"), "is it there, and a file?"))?;
        if self.raw {
            return Ok(Shader { name, code: bytes, wave: self.wave });
        }
        let (function, code) = function(&name, &bytes, self.function.as_deref())?;
        Ok(Shader { name: format!("{name}: {function}"), code, wave: self.wave })
    }
}

impl Shader {
    /// Its control-flow graph.
    pub fn cfg(&self) -> anyhow::Result<Cfg> {
        let help = "is the file a shader for gfx10.3? Raw code is read with --raw";
        Ok(Cfg::build(&self.code, 0, self.wave)
            .map_err(|error| Failure::new(format!("{}: {error}", self.name), help))?)
    }
}

/// A function of an object: its name and its code.
fn function(name: &str, bytes: &[u8], wanted: Option<&str>) -> anyhow::Result<(String, Vec<u8>)> {
    let fails = |what: String, help: &str| Failure::new(format!("{name}: {what}"), help.to_owned());
    let file = ElfFile64::<LittleEndian>::parse(bytes)
        .map_err(|error| fails(format!("is no ELF object: {error}"), "raw code is read with --raw"))?;
    if file.elf_header().e_machine(LittleEndian) != EM_AMDGPU {
        return Err(fails("is not for amdgcn".into(), "compile the shader with -mcpu=gfx1030").into());
    }
    let mut functions: Vec<_> = file
        .symbols()
        .filter(|symbol| symbol.kind() == SymbolKind::Text && symbol.is_definition())
        .filter_map(|symbol| Some((symbol.name().ok()?, symbol)))
        .collect();
    functions.sort_by_key(|(_, symbol)| symbol.address());
    let names = || functions.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ");
    let chosen = match (wanted, &functions[..]) {
        (Some(wanted), all) => all
            .iter()
            .find(|(name, _)| *name == wanted)
            .ok_or_else(|| fails(format!("has no function {wanted}"), &format!("its functions: {}", names())))?,
        (None, [only]) => only,
        (None, []) => {
            // Assembled without symbols: all of its code.
            let section = file.section_by_name(".text").and_then(|section| section.data().ok());
            let code = section.ok_or_else(|| fails("has no code".into(), "give an object with a .text section"))?;
            return Ok((".text".into(), code.to_vec()));
        }
        (None, _) => {
            return Err(fails("has several functions".into(), &format!("choose with --function: {}", names())).into())
        }
    };
    let (chosen, symbol) = (chosen.0, &chosen.1);
    let damaged = || fails(format!("{chosen} does not lie within its section"), "is the file whole?");
    let section = symbol.section_index().and_then(|index| file.section_by_index(index).ok()).ok_or_else(damaged)?;
    let data = section.data().map_err(|_| damaged())?;
    let start = symbol.address().checked_sub(section.address()).ok_or_else(damaged)?;
    // A symbol without a size reaches to the end of its section.
    let size = Some(symbol.size()).filter(|&size| size > 0).unwrap_or((data.len() as u64).saturating_sub(start));
    let end = start.checked_add(size).ok_or_else(damaged)?;
    let range = usize::try_from(start).ok().zip(usize::try_from(end).ok()).ok_or_else(damaged)?;
    Ok((chosen.to_owned(), data.get(range.0..range.1).ok_or_else(damaged)?.to_vec()))
}
