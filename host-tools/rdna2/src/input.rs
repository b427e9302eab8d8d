//! Where code comes from: raw bytes, or the `.text` of an ELF object for a GPU with RDNA 2's instructions.

use object::elf;
use object::read::elf::{ElfFile32, ElfFile64, FileHeader};
use object::read::{Object, ObjectSection, ObjectSymbol};
use object::{Endianness, FileKind, SymbolKind};

/// A stretch of a program with a name: a shader, or a place that a label marks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Symbol {
    /// Its name.
    pub name: String,
    /// Byte offset in the code.
    pub offset: u64,
    /// Bytes; 0 for a label.
    pub size: u64,
    /// It is a function, and not just a label.
    pub function: bool,
}

/// The code of a file. Byte offsets count from its first byte.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Program {
    /// The bytes.
    pub code: Vec<u8>,
    /// Names of places in it, by rising offsets.
    pub symbols: Vec<Symbol>,
}

/// Why a file has no code.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum InputError {
    /// It is no ELF file.
    #[error("this is no ELF object")]
    NotElf,
    /// It is an ELF file that cannot be read.
    #[error("this ELF object is damaged")]
    Damaged(#[source] object::Error),
    /// It is for another machine.
    #[error("this ELF object is not for amdgcn, but for machine {machine}")]
    OtherMachine {
        /// The machine's number in the file's head.
        machine: u16,
    },
    /// It is for a GPU with other instructions.
    #[error("this ELF object is for another AMD GPU (number {number:#x}), and not for one with RDNA 2's instructions")]
    OtherGpu {
        /// The GPU's number in the flags of the file's head.
        number: u32,
    },
    /// It has no code.
    #[error("this ELF object has no section .text")]
    NoCode,
}

/// Numbers of the GPUs with RDNA 2's instructions in an ELF head's flags: gfx1030 to gfx1036; 0 where none was named.
const GPUS: [u32; 8] = [0, 0x36, 0x37, 0x38, 0x39, 0x3d, 0x3e, 0x45];
/// The bits of the flags that hold it.
const GPU_BITS: u32 = 0xff;

impl Program {
    /// Code without a file around it.
    pub fn raw(code: impl Into<Vec<u8>>) -> Self {
        Self { code: code.into(), symbols: Vec::new() }
    }

    /// The code of an ELF object.
    ///
    /// # Errors
    ///
    /// The bytes are no such object, or a damaged one, or for another machine.
    pub fn elf(file: &[u8]) -> Result<Self, InputError> {
        match FileKind::parse(file) {
            Ok(FileKind::Elf64) => {
                let file = ElfFile64::<Endianness>::parse(file).map_err(InputError::Damaged)?;
                let (machine, flags) = head(file.elf_header(), file.endian());
                Self::of(&file, machine, flags)
            }
            Ok(FileKind::Elf32) => {
                let file = ElfFile32::<Endianness>::parse(file).map_err(InputError::Damaged)?;
                let (machine, flags) = head(file.elf_header(), file.endian());
                Self::of(&file, machine, flags)
            }
            _ => Err(InputError::NotElf),
        }
    }

    fn of<'data>(file: &impl Object<'data>, machine: u16, flags: u32) -> Result<Self, InputError> {
        if machine != elf::EM_AMDGPU {
            return Err(InputError::OtherMachine { machine });
        }
        let number = flags & GPU_BITS;
        if !GPUS.contains(&number) {
            return Err(InputError::OtherGpu { number });
        }
        let text = file.section_by_name(".text").ok_or(InputError::NoCode)?;
        let code = text.data().map_err(InputError::Damaged)?.to_vec();
        let mut symbols = Vec::new();
        for symbol in file.symbols() {
            let named = matches!(symbol.kind(), SymbolKind::Text | SymbolKind::Unknown | SymbolKind::Label);
            if symbol.section_index() != Some(text.index()) || !named {
                continue;
            }
            let Some(offset) = symbol.address().checked_sub(text.address()) else { continue };
            let name = symbol.name().map_err(InputError::Damaged)?;
            if offset <= code.len() as u64 && !name.is_empty() {
                let function = symbol.kind() == SymbolKind::Text;
                symbols.push(Symbol { name: name.to_owned(), offset, size: symbol.size(), function });
            }
        }
        symbols.sort_by(|a, b| (a.offset, &a.name).cmp(&(b.offset, &b.name)));
        Ok(Self { code, symbols })
    }

    /// The code of a named stretch; one without a size reaches to the end. None where it does not lie in the code.
    pub fn code_of(&self, symbol: &Symbol) -> Option<&[u8]> {
        let start = usize::try_from(symbol.offset).ok()?;
        match symbol.size {
            0 => self.code.get(start..),
            size => self.code.get(start..start.checked_add(usize::try_from(size).ok()?)?),
        }
    }

    /// The named stretch that holds a byte offset: the last one that starts there or before.
    pub fn symbol_at(&self, offset: u64) -> Option<&Symbol> {
        self.symbols.iter().rev().find(|symbol| symbol.offset <= offset)
    }
}

/// Machine and flags of a file's head.
fn head<H: FileHeader<Endian = Endianness>>(header: &H, endian: Endianness) -> (u16, u32) {
    (header.e_machine(endian), header.e_flags(endian))
}
