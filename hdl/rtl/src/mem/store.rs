//! A memory as [`Ram`](super::Ram), for values of any type.
//!
//! ```text
//!  write_enable, write_address, write_data ->  +-------+
//!                                              | Store | -> read_data, one clock after read_address
//!                             read_address ->  +-------+
//! ```
//!
//! Latency 1, one read and one write a clock, no reset. A read of the entry being written gives the old contents up to 32
//! entries; from 64 on, where block RAM is inferred, it gives nothing that may be used, as in [`Ram`](super::Ram): the Verilog
//! says X there, and the simulation gives zeros.

use super::{edge_block, memory_read, BLOCK_ADDRESS_BITS};
use rust_hdl_core::prelude::*;

/// `2^A` entries of type `T`.
pub struct Store<T: Synth, const A: usize> {
    /// The one clock.
    pub clock: Signal<In, Clock>,
    /// Write the entry in this clock.
    pub write_enable: Signal<In, Bit>,
    /// Entry to write.
    pub write_address: Signal<In, Bits<A>>,
    /// What to write.
    pub write_data: Signal<In, T>,
    /// Entry to read.
    pub read_address: Signal<In, Bits<A>>,
    /// The entry that was addressed in the clock before.
    pub read_data: Signal<Out, T>,
    _contents: Vec<T>,
    _unsettled: bool,
}

impl<T: Synth, const A: usize> Default for Store<T, A> {
    fn default() -> Self {
        Self {
            clock: Default::default(),
            write_enable: Default::default(),
            write_address: Default::default(),
            write_data: Default::default(),
            read_address: Default::default(),
            read_data: Default::default(),
            _contents: vec![T::default(); 1 << A],
            _unsettled: false,
        }
    }
}

impl<T: Synth, const A: usize> Store<T, A> {
    #[inline]
    fn edge(&mut self) {
        self.read_data.next = self._contents[self.read_address.next.index()];
        let collides = self.write_enable.next && self.write_address.next == self.read_address.next;
        if A >= BLOCK_ADDRESS_BITS && collides {
            self.read_data.next = T::default();
        }
        if self.write_enable.next {
            self._contents[self.write_address.next.index()] = self.write_data.next;
        }
    }
}

impl<T: Synth, const A: usize> Logic for Store<T, A> {
    fn update(&mut self) {}

    fn connect(&mut self) {
        self.read_data.connect();
    }

    fn hdl(&self) -> Verilog {
        let (attribute, entry) = memory_read(T::BITS, A);
        Verilog::Custom(format!(
            "{attribute}reg [{msb}:0] memory [0:{last}];\n\
             always @(posedge clock) begin\n    read_data <= {entry};\n\
             \x20   if (write_enable) memory[write_address] <= write_data;\nend\n",
            msb = T::BITS - 1,
            last = (1usize << A) - 1,
        ))
    }
}

edge_block!([T: Synth, const A: usize] Store<T, A>,
    in: [write_enable, write_address, write_data, read_address], out: [read_data]);
