//! A shader's code from a file: raw words, or a function of an ELF object.

use std::fs;
use std::path::PathBuf;

use clap::Args;
use rayman_rdna2::{Cfg, InputError, Program, Symbol, Wave};

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
    /// The file's name and its bytes.
    fn bytes(&self) -> Result<(String, Vec<u8>), Failure> {
        let name = self.file.display().to_string();
        match fs::read(&self.file) {
            Ok(bytes) => Ok((name, bytes)),
            Err(error) => Err(Failure::new(format!("{name}: cannot be read: {error}"), "is it there, and a file?")),
        }
    }

    /// Reads all code with its symbols, or the function that was asked for.
    pub fn program(&self) -> anyhow::Result<Program> {
        let (name, bytes) = self.bytes()?;
        if self.raw {
            return Ok(Program::raw(bytes));
        }
        let program = object(&name, &bytes)?;
        if self.function.is_none() {
            return Ok(program);
        }
        let (function, code) = function(&name, program, self.function.as_deref())?;
        let size = code.len() as u64;
        Ok(Program { code, symbols: vec![Symbol { name: function, offset: 0, size, function: true }] })
    }

    /// Lanes of a wave.
    pub fn wave(&self) -> Wave {
        self.wave
    }

    /// Reads the code.
    pub fn load(&self) -> anyhow::Result<Shader> {
        let (name, bytes) = self.bytes()?;
        if self.raw {
            return Ok(Shader { name, code: bytes, wave: self.wave });
        }
        let (function, code) = function(&name, object(&name, &bytes)?, self.function.as_deref())?;
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

/// An object's code.
fn object(name: &str, bytes: &[u8]) -> Result<Program, Failure> {
    Program::elf(bytes).map_err(|error| {
        let help = match error {
            InputError::NotElf => "raw code is read with --raw",
            InputError::OtherMachine { .. } | InputError::OtherGpu { .. } => "compile the shader with -mcpu=gfx1030",
            InputError::NoCode => "give an object with a .text section",
            _ => "is the file whole?",
        };
        let cause = std::error::Error::source(&error).map(|cause| format!(": {cause}")).unwrap_or_default();
        Failure::new(format!("{name}: {error}{cause}"), help)
    })
}

/// A function of an object: its name and its code. Without functions: all of the code.
fn function(name: &str, program: Program, wanted: Option<&str>) -> Result<(String, Vec<u8>), Failure> {
    let fails = |what: String, help: &str| Failure::new(format!("{name}: {what}"), help.to_owned());
    let functions: Vec<_> = program.symbols.iter().filter(|symbol| symbol.function).collect();
    let names = || functions.iter().map(|symbol| symbol.name.as_str()).collect::<Vec<_>>().join(", ");
    let chosen = match (wanted, &functions[..]) {
        (Some(wanted), all) => all
            .iter()
            .find(|symbol| symbol.name == wanted)
            .ok_or_else(|| fails(format!("has no function {wanted}"), &format!("its functions: {}", names())))?,
        (None, [only]) => only,
        // Assembled without symbols.
        (None, []) => return Ok((".text".into(), program.code)),
        (None, _) => {
            return Err(fails("has several functions".into(), &format!("choose with --function: {}", names())))
        }
    };
    let code = program
        .code_of(chosen)
        .ok_or_else(|| fails(format!("{} does not lie within its section", chosen.name), "is the file whole?"))?;
    Ok((chosen.name.clone(), code.to_vec()))
}
