//! Blocks of the core that can be written by themselves, by name, some of them in small sizes: for proofs.
//!
//! A size is the logarithm that the block's type has as its constant parameter. Only the listed ones exist, because a
//! type's parameter is chosen when this is compiled; the largest is the core's own where a proof can take it.

use super::{emit, EmitError};
use crate::axi::{BuildParameters, FramebufferWriter, PixelOutput, ReadMaster, RegisterBlock};
use crate::engine::slots::Slots;
use crate::engine::staging::Staging;
use crate::engine::window::Window;
use crate::mem::{Fifo, Queue};
use rust_hdl_core::prelude::*;

/// A block that can be written by itself.
pub struct Part {
    /// Its name, which is the module's too.
    pub name: &'static str,
    /// Logarithms of its size, ascending; empty: it has one size.
    pub sizes: &'static [u32],
    write: fn(u32) -> Option<Result<String, EmitError>>,
}

impl Part {
    /// Its Verilog; nothing if it does not come in that size. Of a block with one size any number is taken.
    pub fn verilog(&self, size: u32) -> Option<Result<String, EmitError>> {
        (self.write)(size)
    }
}

fn written<B: Block>(mut block: B, name: &str) -> Option<Result<String, EmitError>> {
    block.connect_all();
    Some(emit(&block, name))
}

/// A part whose type has its size as a parameter: one arm for each size.
macro_rules! sized {
    ($name:literal, $size:ident in [$($value:literal),+], $block:ty) => {
        Part {
            name: $name,
            sizes: &[$($value),+],
            write: |size| match size {
                $($value => {
                    const $size: usize = $value;
                    written(<$block>::default(), $name)
                })+
                _ => None,
            },
        }
    };
}

/// What the registers of a block by itself say of its build.
const BUILD: BuildParameters =
    BuildParameters { lanes: 1, cached_spheres: 256, slots: 16, contexts: 512, revision: 0x1234_5678 };

/// All of them. The entries of `fifo` and `queue` are bytes.
pub const PARTS: &[Part] = &[
    Part { name: "register_block", sizes: &[], write: |_| written(RegisterBlock::new(BUILD), "register_block") },
    Part { name: "read_master", sizes: &[], write: |_| written(ReadMaster::default(), "read_master") },
    Part {
        name: "framebuffer_writer",
        sizes: &[],
        write: |_| written(FramebufferWriter::default(), "framebuffer_writer"),
    },
    Part { name: "pixel_output", sizes: &[], write: |_| written(PixelOutput::default(), "pixel_output") },
    sized!("fifo", A in [1, 2, 3, 6], Fifo<Bits<8>, A>),
    sized!("queue", A in [2, 9], Queue<Bits<8>, A>),
    sized!("window", WINDOW in [2, 3, 12], Window<WINDOW>),
    sized!("slots", SLOT in [1, 2, 4], Slots<SLOT>),
    sized!("staging", CONTEXT in [2, 9], Staging<CONTEXT>),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::emit::ports;

    #[test]
    fn every_part_is_written_in_each_of_its_sizes_and_in_no_other() {
        for part in PARTS {
            for &size in if part.sizes.is_empty() { &[0] } else { part.sizes } {
                let text = part.verilog(size).expect("it comes in that size").expect("it can be written");
                let inputs = ports(&text, part.name).expect("its module has its name");
                assert!(inputs.iter().any(|port| port.name == "reset_n"), "{} {size}", part.name);
            }
            assert_eq!(part.verilog(31).is_none(), !part.sizes.is_empty(), "{}", part.name);
        }
    }
}
