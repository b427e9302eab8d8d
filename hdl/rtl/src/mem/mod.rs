//! Memories: the leaves that synthesis turns into flip-flops, block RAM and distributed RAM.
//!
//! They are leaves because rust-hdl's own keep their contents in a tree, a word at a time, and compare every signal in
//! every pass: too slow for a frame in simulation. Behaviour and Verilog stand side by side in one file each, and
//! `sim/tests/memories.rs` compares them clock by clock.
//!
//! In simulation a leaf looks at its inputs only when the clock rises, as they are being driven: the edge reaches a leaf
//! at least one pass before anything that the same edge changed, so what is driven then is what was before the edge.

mod delay;
mod fifo;
mod flop;
mod queue;
mod ram;
mod store;

/// Address bits from which on memories and queues are made for block RAM.
const BLOCK_ADDRESS_BITS: usize = 6;

pub use delay::Delay;
pub use fifo::Fifo;
pub use flop::Flop;
pub use queue::Queue;
pub use ram::Ram;
pub use store::Store;

/// The attribute of a memory of `width` bits and `2^a` entries, and what a read of it gives. Of a block memory that is X for
/// the entry being written; the attribute says it once more, for Yosys loses sight of it where some bits are not used, and
/// makes up for it with two registers and a multiplexer a bit.
fn memory_read(width: usize, a: usize) -> (&'static str, String) {
    match a {
        BLOCK_ADDRESS_BITS.. => (
            "(* no_rw_check *) ",
            format!("(write_enable && write_address == read_address) ? {width}'bx : memory[read_address]"),
        ),
        _ => ("", "memory[read_address]".into()),
    }
}

/// Implements `Block` for a leaf with `clock`, `_unsettled: bool` and a method `edge`, which reads the inputs as driven
/// (`.next`) and drives the outputs.
macro_rules! edge_block {
    ([$($generics:tt)*] $ty:ty, in: [$($input:ident),*], out: [$($output:ident),*]) => {
        impl<$($generics)*> Block for $ty {
            fn connect_all(&mut self) {
                self.connect();
            }

            fn update_all(&mut self) {
                self.clock.update_all();
                if self.clock.pos_edge() {
                    self.edge();
                    $(self.$output.update_all();)*
                    self._unsettled = false $(|| self.$output.has_changed())*;
                } else if self._unsettled {
                    $(self.$output.update_all();)*
                    self._unsettled = false;
                }
            }

            fn has_changed(&self) -> bool {
                self._unsettled
            }

            fn accept(&self, name: &str, probe: &mut dyn Probe) {
                probe.visit_start_scope(name, self);
                self.clock.accept("clock", probe);
                $(self.$input.accept(stringify!($input), probe);)*
                $(self.$output.accept(stringify!($output), probe);)*
                probe.visit_end_scope(name, self);
            }
        }

        impl<$($generics)*> $crate::gate::Gated for $ty {
            const LEAF: bool = true;

            fn tick(&mut self, level: Clock) {
                self.clock.next = level;
            }

            fn told(&self) -> bool {
                self._unsettled
            }
        }
    };
}
pub(crate) use edge_block;
