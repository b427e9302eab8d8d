//! How a host reaches the core on an Opal Kelly board: which FrontPanel endpoint is what. Endpoints are 16 bits wide.
//!
//! ```text
//!  wires in  CONTROL, OFFSET, DATA, ADDRESS     -> what the next trigger is about
//!  trigger   WRITE, READ, SEEK                  -> does it
//!  wires out STATUS, VALUE, MEMORY_BITS         -> what came of it
//!  pipes     MEMORY_IN, MEMORY_OUT              -> memory from the address sought, word after word, little-endian
//! ```

/// Wire in: [`RUN`] lets the core go; 0, as it is at power-up, holds it in reset.
pub const CONTROL: u8 = 0x00;
/// Wire in: byte offset of a register.
pub const OFFSET: u8 = 0x01;
/// Wires in: the word to write, low half, and at the next endpoint the high one.
pub const DATA: u8 = 0x02;
/// Wires in: bus address of memory, low half, and at the next endpoint the high one. Bits 1:0 are taken as 0.
pub const ADDRESS: u8 = 0x04;
/// Trigger in: its bits are [`WRITE`], [`READ`] and [`SEEK`].
pub const TRIGGER: u8 = 0x40;
/// Wire out: [`BUSY`], [`RESPONSE`], [`IRQ`] and [`MARK`].
pub const STATUS: u8 = 0x20;
/// Wires out: the word that was read, low half, and at the next endpoint the high one.
pub const VALUE: u8 = 0x21;
/// Wire out: the memory has two to the power of so many bytes.
pub const MEMORY_BITS: u8 = 0x23;
/// Pipe in: words of memory, low half first.
pub const MEMORY_IN: u8 = 0x80;
/// Pipe out: words of memory, low half first.
pub const MEMORY_OUT: u8 = 0xA0;

/// Bit of CONTROL: the core is not in reset.
pub const RUN: u16 = 1;
/// Bit number of the trigger: write DATA to the register at OFFSET.
pub const WRITE: u8 = 0;
/// Bit number of the trigger: read the register at OFFSET.
pub const READ: u8 = 1;
/// Bit number of the trigger: the pipes go on from ADDRESS.
pub const SEEK: u8 = 2;
/// Bit of STATUS: a register is still being read or written.
pub const BUSY: u16 = 1;
/// Lowest bit of STATUS's two that are the AXI response of the last access.
pub const RESPONSE: u32 = 1;
/// Bit of STATUS: the interrupt is up.
pub const IRQ: u16 = 1 << 3;
/// Lowest bit of STATUS's mark.
pub const MARK: u32 = 8;
/// What the mark reads, so that a host knows what it talks to: "R".
pub const MARK_VALUE: u16 = 0x52;
/// Bus address of the memory.
pub const MEMORY: u32 = 0x8000_0000;
