//! A queue that is as deep as what may ever wait in it, in block RAM.
//!
//! ```text
//!  push, push_data -> +-------+ -> front, empty
//!                     | Queue | <- pop
//!                     +-------+
//! ```
//!
//! What is pushed in one clock is at the front, if nothing was before it, two clocks later. A pop while empty does nothing.
//! There is no `full`: whoever pushes knows that no more than `2^A` entries can wait. `front` means something only while
//! not `empty`. One push and one pop a clock. [`Fifo`](super::Fifo) is a clock faster, with two more words of registers.

use super::{edge_block, memory_read, BLOCK_ADDRESS_BITS};
use rust_hdl_core::prelude::*;

/// `2^A` entries of type `T`.
pub struct Queue<T: Synth, const A: usize> {
    /// The one clock.
    pub clock: Signal<In, Clock>,
    /// Low: empty.
    pub reset_n: Signal<In, Bit>,
    /// Append `push_data`.
    pub push: Signal<In, Bit>,
    /// What to append.
    pub push_data: Signal<In, T>,
    /// Take the front away.
    pub pop: Signal<In, Bit>,
    /// The oldest entry.
    pub front: Signal<Out, T>,
    /// No entry is at the front.
    pub empty: Signal<Out, Bit>,
    _memory: Vec<T>,
    // The pointers run to twice the depth, so that a queue of all entries is not taken for an empty one.
    _write: usize,
    _read: usize,
    _unsettled: bool,
}

impl<T: Synth, const A: usize> Default for Queue<T, A> {
    fn default() -> Self {
        Self {
            clock: Default::default(),
            reset_n: Default::default(),
            push: Default::default(),
            push_data: Default::default(),
            pop: Default::default(),
            front: Default::default(),
            empty: Signal::<Out, Bit>::new_with_default(true),
            _memory: vec![T::default(); 1 << A],
            _write: 0,
            _read: 0,
            _unsettled: false,
        }
    }
}

impl<T: Synth, const A: usize> Queue<T, A> {
    #[inline]
    fn edge(&mut self) {
        let depth = 1usize << A;
        // The memory is read before it is written: an entry is seen in the clock after that in which it was pushed.
        let popped = self.pop.next && !self.empty.val();
        let read = (self._read + usize::from(popped)) & (2 * depth - 1);
        let empty = read == self._write;
        self.front.next = self._memory[read & (depth - 1)];
        // What is read while it is written is no entry yet: block RAM gives anything.
        if A >= BLOCK_ADDRESS_BITS && self.push.next && (self._write ^ read) & (depth - 1) == 0 {
            self.front.next = T::default();
        }
        if self.push.next {
            self._memory[self._write & (depth - 1)] = self.push_data.next;
            self._write = (self._write + 1) & (2 * depth - 1);
        }
        self._read = read;
        self.empty.next = empty || !self.reset_n.next;
        if !self.reset_n.next {
            self._write = 0;
            self._read = 0;
        }
    }
}

impl<T: Synth, const A: usize> Logic for Queue<T, A> {
    fn update(&mut self) {}

    fn connect(&mut self) {
        self.front.connect();
        self.empty.connect();
    }

    fn hdl(&self) -> Verilog {
        let (attribute, entry) = memory_read(T::BITS, A);
        Verilog::Custom(format!(
            "{attribute}reg [{w}:0] memory [0:{last}];\n\
             reg [{a}:0] write_pointer;\nreg [{a}:0] read_pointer;\n\
             // One more, so that no carry stands between a pop and the memory.\n\
             reg [{a}:0] behind_pointer;\n\
             wire popped = pop && !empty;\n\
             wire [{a}:0] read_next = popped ? behind_pointer : read_pointer;\n\
             wire write_enable = push;\n\
             wire [{b}:0] write_address = write_pointer[{b}:0];\n\
             wire [{b}:0] read_address = read_next[{b}:0];\n\
             wire none_read = read_pointer == write_pointer;\n\
             wire none_behind = behind_pointer == write_pointer;\n\
             always @(posedge clock) begin\n\
             \x20   front <= {entry};\n\
             \x20   if (write_enable) memory[write_address] <= push_data;\n\
             \x20   read_pointer <= reset_n ? read_next : {{{n}{{1'b0}}}};\n\
             \x20   behind_pointer <= reset_n ? behind_pointer + {{{{{a}{{1'b0}}}}, popped}} : {{{{{a}{{1'b0}}}}, 1'b1}};\n\
             \x20   write_pointer <= reset_n ? write_pointer + {{{{{a}{{1'b0}}}}, push}} : {{{n}{{1'b0}}}};\n\
             \x20   empty <= !reset_n || (popped ? none_behind : none_read);\nend\n",
            w = T::BITS - 1,
            last = (1usize << A) - 1,
            a = A,
            b = A - 1,
            n = A + 1,
        ))
    }
}

edge_block!([T: Synth, const A: usize] Queue<T, A>,
    in: [reset_n, push, push_data, pop], out: [front, empty]);
