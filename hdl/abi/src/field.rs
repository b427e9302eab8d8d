//! A bit field of a register or of a descriptor word, and how to take it out and put it in.

/// Who may write a register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Read and written by the host.
    ReadWrite,
    /// Read by the host; a write answers OKAY and changes nothing.
    ReadOnly,
}

/// Where a definition comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The core's source document gives it.
    Specified,
    /// The source document is silent: chosen by this project.
    Assumed,
}

/// How the bits of a field are to be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Unsigned integer.
    Uint,
    /// IEEE 754 binary32.
    Fp32,
    /// 8 bits, 7 of them fraction, 0x80 = 1.0; a larger value is read as 1.0.
    Fx1_7,
    /// Bus address.
    Address,
    /// One bit, true or false.
    Flag,
}

/// A named value of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Variant {
    /// The encoding.
    pub value: u32,
    /// UPPER_SNAKE name.
    pub name: &'static str,
    /// What it means.
    pub doc: &'static str,
}

/// Bits `msb..=lsb` of a 32-bit word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    /// lower_snake name.
    pub name: &'static str,
    /// Highest bit, 0 to 31.
    pub msb: u32,
    /// Lowest bit, 0 to `msb`.
    pub lsb: u32,
    /// How to read the bits.
    pub format: Format,
    /// What it means.
    pub doc: &'static str,
    /// Named values, if any.
    pub variants: &'static [Variant],
}

impl Field {
    /// A field without named values.
    pub const fn new(name: &'static str, msb: u32, lsb: u32, format: Format, doc: &'static str) -> Self {
        Self { name, msb, lsb, format, doc, variants: &[] }
    }

    /// The same field with named values.
    pub const fn with(self, variants: &'static [Variant]) -> Self {
        Self { variants, ..self }
    }

    /// Number of bits, 1 to 32.
    pub const fn width(&self) -> u32 {
        self.msb - self.lsb + 1
    }

    /// The field's bits within the word.
    pub const fn mask(&self) -> u32 {
        (u32::MAX >> (32 - self.width())) << self.lsb
    }

    /// Takes the field out of a word.
    pub const fn get(&self, word: u32) -> u32 {
        (word & self.mask()) >> self.lsb
    }

    /// `word` with the field replaced by the low bits of `value`.
    pub const fn set(&self, word: u32, value: u32) -> u32 {
        (word & !self.mask()) | ((value << self.lsb) & self.mask())
    }
}
