//! A memory with one write port and one read port.
//!
//! ```text
//!  write_enable, write_address, write_data[WORDS] ->  +-----+
//!                                                     | RAM | -> read_data[WORDS], one clock after read_address
//!                                    read_address ->  +-----+
//! ```
//!
//! Latency 1, one read and one write a clock. The contents have no reset and are undefined until written.
//!
//! A read of the entry being written gives the old contents up to 32 entries, where distributed RAM is inferred. From 64
//! entries on it gives nothing that may be used: block RAM does not promise the old contents, and synthesis would make up
//! for that with two registers and a multiplexer a bit. The Verilog says X there, and the simulation gives the
//! complement of the old contents, so that a circuit that needs them fails its tests.

use super::{edge_block, memory_read, BLOCK_ADDRESS_BITS};
use rust_hdl_core::prelude::*;

/// `2^A` entries of `WORDS` 32-bit words.
pub struct Ram<const WORDS: usize, const A: usize> {
    /// The one clock.
    pub clock: Signal<In, Clock>,
    /// Write the entry in this clock.
    pub write_enable: Signal<In, Bit>,
    /// Entry to write.
    pub write_address: Signal<In, Bits<A>>,
    /// What to write.
    pub write_data: [Signal<In, Bits<32>>; WORDS],
    /// Entry to read.
    pub read_address: Signal<In, Bits<A>>,
    /// The entry that was addressed in the clock before.
    pub read_data: [Signal<Out, Bits<32>>; WORDS],
    _contents: Vec<[Bits<32>; WORDS]>,
    _unsettled: bool,
}

impl<const WORDS: usize, const A: usize> Default for Ram<WORDS, A> {
    fn default() -> Self {
        Self {
            clock: Default::default(),
            write_enable: Default::default(),
            write_address: Default::default(),
            write_data: std::array::from_fn(|_| Default::default()),
            read_address: Default::default(),
            read_data: std::array::from_fn(|_| Default::default()),
            _contents: vec![[Bits::default(); WORDS]; 1 << A],
            _unsettled: false,
        }
    }
}

impl<const WORDS: usize, const A: usize> Ram<WORDS, A> {
    #[inline]
    fn edge(&mut self) {
        let entry = &self._contents[self.read_address.next.index()];
        let unusable =
            A >= BLOCK_ADDRESS_BITS && self.write_enable.next && self.write_address.next == self.read_address.next;
        for (signal, value) in self.read_data.iter_mut().zip(entry) {
            signal.next = if unusable { !*value } else { *value };
        }
        if self.write_enable.next {
            let entry = &mut self._contents[self.write_address.next.index()];
            for (value, signal) in entry.iter_mut().zip(&self.write_data) {
                *value = signal.next;
            }
        }
    }
}

impl<const WORDS: usize, const A: usize> Logic for Ram<WORDS, A> {
    fn update(&mut self) {}

    fn connect(&mut self) {
        for signal in &mut self.read_data {
            signal.connect();
        }
    }

    fn hdl(&self) -> Verilog {
        // Highest word first, as a concatenation reads.
        let join = |name: &str| (0..WORDS).rev().map(|i| format!("{name}${i}")).collect::<Vec<_>>().join(", ");
        let (write, read) = (join("write_data"), join("read_data"));
        let (attribute, entry) = memory_read(32 * WORDS, A);
        Verilog::Custom(format!(
            "{attribute}reg [{msb}:0] memory [0:{last}];\n\
             always @(posedge clock) begin\n    {{{read}}} <= {entry};\n\
             \x20   if (write_enable) memory[write_address] <= {{{write}}};\nend\n",
            msb = 32 * WORDS - 1,
            last = (1usize << A) - 1,
        ))
    }
}

edge_block!([const WORDS: usize, const A: usize] Ram<WORDS, A>,
    in: [write_enable, write_address, write_data, read_address], out: [read_data]);
