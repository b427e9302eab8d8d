//! The decoder and printer before LLVM's disassembler for gfx1030. `cargo xtask setup` installs it.

mod every_opcode;
mod generator;
mod shaders;
mod tool;
