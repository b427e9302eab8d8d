//! RDNA 2 (gfx10.3) shader code: a table of its instructions, and a decoder that says which registers each reads and writes.
//!
//! ```text
//!  code: &[u8] -> decode::Decoder -> isa::Instruction { opcode, operands, modifiers } -> reads(), writes(), flow()
//!                                             -> cfg::Cfg { blocks, ways } -> dominators, loops, execution masks, reachability
//! ```
//!
//! Sources: AMD, "RDNA 2 Instruction Set Architecture"; names and syntax as in LLVM's assembler for `gfx1030`.

pub mod cfg;
pub mod decode;
pub mod input;
pub mod isa;
mod print;
mod tables;
pub mod trace;
pub mod wave;

pub use cfg::{BlockId, Cfg, CfgError};
pub use decode::{DecodeError, Decoder};
pub use input::{InputError, Program, Symbol};
pub use isa::{Instruction, Opcode, Operand, Register, RegisterSet, Value, Wave};
