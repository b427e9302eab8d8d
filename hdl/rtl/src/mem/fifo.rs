//! A queue.
//!
//! ```text
//!  push, push_data ->  +------+ -> front, empty
//!                full <-| FIFO |<- pop
//!                      +------+
//! ```
//!
//! What is pushed in one clock is at the front, if nothing was before it, in the next. A push while full and a pop while
//! empty do nothing. Push and pop in one clock are both done, a push while full even then not. `front` means something
//! only while not `empty`. One push and one pop a clock; depth `2^A`; registers, from 4 entries on distributed RAM,
//! from 64 on block RAM.

use super::{edge_block, BLOCK_ADDRESS_BITS};
use rust_hdl_core::prelude::*;

/// `2^A` entries of type `T`.
pub struct Fifo<T: Synth, const A: usize> {
    /// The one clock.
    pub clock: Signal<In, Clock>,
    /// Low: empty.
    pub reset_n: Signal<In, Bit>,
    /// High: empty in the next clock, whatever is pushed.
    pub clear: Signal<In, Bit>,
    /// Append `push_data`.
    pub push: Signal<In, Bit>,
    /// What to append.
    pub push_data: Signal<In, T>,
    /// Take the front away.
    pub pop: Signal<In, Bit>,
    /// The oldest entry.
    pub front: Signal<Out, T>,
    /// Nothing is stored.
    pub empty: Signal<Out, Bit>,
    /// Nothing more can be stored.
    pub full: Signal<Out, Bit>,
    _memory: Vec<T>,
    // The pointers run to twice the depth, so that full and empty differ.
    _write: usize,
    _read: usize,
    _unsettled: bool,
}

impl<T: Synth, const A: usize> Default for Fifo<T, A> {
    fn default() -> Self {
        Self {
            clock: Default::default(),
            reset_n: Default::default(),
            clear: Default::default(),
            push: Default::default(),
            push_data: Default::default(),
            pop: Default::default(),
            front: Default::default(),
            empty: Signal::<Out, Bit>::new_with_default(true),
            full: Default::default(),
            _memory: vec![T::default(); 1 << A],
            _write: 0,
            _read: 0,
            _unsettled: false,
        }
    }
}

impl<T: Synth, const A: usize> Fifo<T, A> {
    #[inline]
    fn edge(&mut self) {
        let depth = 1usize << A;
        let stored = self._write.wrapping_sub(self._read) & (2 * depth - 1);
        if self.push.next && stored != depth {
            self._memory[self._write & (depth - 1)] = self.push_data.next;
            self._write = (self._write + 1) & (2 * depth - 1);
        }
        if self.pop.next && stored != 0 {
            self._read = (self._read + 1) & (2 * depth - 1);
        }
        if !self.reset_n.next || self.clear.next {
            self._write = 0;
            self._read = 0;
        }
        let stored = self._write.wrapping_sub(self._read) & (2 * depth - 1);
        self.front.next = self._memory[self._read & (depth - 1)];
        self.empty.next = stored == 0;
        self.full.next = stored == depth;
    }
}

impl<T: Synth, const A: usize> Logic for Fifo<T, A> {
    fn update(&mut self) {}

    fn connect(&mut self) {
        self.front.connect();
        self.empty.connect();
        self.full.connect();
    }

    fn hdl(&self) -> Verilog {
        Verilog::Custom(if A < BLOCK_ADDRESS_BITS { distributed(T::BITS, A) } else { block(T::BITS, A) })
    }
}

/// A queue of `2^a` words in distributed RAM; of two words in registers, which lie where they are wanted.
fn distributed(width: usize, a: usize) -> String {
    format!(
        "{attribute}reg [{w}:0] memory [0:{last}];\n\
         {pointers}\
         always @(*) front = memory[read_pointer[{b}:0]];\n\
         always @(posedge clock) begin\n\
         {flags}\
         \x20   if (pushed) memory[write_pointer[{b}:0]] <= push_data;\nend\n",
        attribute = if a > 1 { "" } else { "(* ram_style = \"registers\" *) " },
        w = width - 1,
        last = (1usize << a) - 1,
        b = a - 1,
        pointers = pointers(a),
        flags = flags(a),
    )
}

/// A queue of `2^a` words in block RAM. What is pushed in the clock in which its place is read is kept beside it, and
/// what is pushed while nothing is behind the front that goes, or while there is none, becomes the front at once.
fn block(width: usize, a: usize) -> String {
    format!(
        "(* ram_style = \"block\", no_rw_check *) reg [{w}:0] memory [0:{last}];\n\
         {pointers}\
         reg [{w}:0] second;\nreg [{w}:0] fresh;\nreg is_fresh;\n\
         wire [{w}:0] behind = is_fresh ? fresh : second;\n\
         wire [{a}:0] fetch = popped ? behind_next : behind_pointer;\n\
         wire collides = pushed && write_pointer[{b}:0] == fetch[{b}:0];\n\
         wire none = popped ? one_stored : empty;\n\
         always @(posedge clock) begin\n\
         {flags}\
         \x20   second <= collides ? {width}'bx : memory[fetch[{b}:0]];\n\
         \x20   if (pushed) memory[write_pointer[{b}:0]] <= push_data;\n\
         \x20   fresh <= push_data;\n\
         \x20   is_fresh <= collides;\n\
         \x20   if (none) front <= push_data;\n\
         \x20   else if (popped) front <= behind;\nend\n",
        w = width - 1,
        last = (1usize << a) - 1,
        b = a - 1,
        pointers = pointers(a),
        flags = flags(a),
    )
}

/// Pointers that run to twice the depth, the place behind the front, and what `empty` and `full` are made of.
fn pointers(a: usize) -> String {
    format!(
        "reg [{a}:0] write_pointer;\nreg [{a}:0] read_pointer;\nreg [{a}:0] behind_pointer;\n\
         wire pushed = push && !full;\nwire popped = pop && !empty;\n\
         wire [{a}:0] behind_next = behind_pointer + {one};\n\
         wire [{a}:0] write_next = write_pointer + {one};\n\
         wire one_stored = behind_pointer == write_pointer;\n\
         wire one_free = write_next == (read_pointer ^ {{1'b1, {{{a}{{1'b0}}}}}});\n",
        one = one(a),
    )
}

/// How the pointers move, and `empty` and `full`, which are registers: whoever looks at a queue looks at them first.
fn flags(a: usize) -> String {
    format!(
        "    if (!reset_n || clear) begin\n\
         \x20       write_pointer <= {zero};\n        read_pointer <= {zero};\n        behind_pointer <= {one};\n\
         \x20       empty <= 1'b1;\n        full <= 1'b0;\n\
         \x20   end else begin\n\
         \x20       if (pushed) write_pointer <= write_next;\n\
         \x20       if (popped) begin\n\
         \x20           read_pointer <= behind_pointer;\n            behind_pointer <= behind_next;\n\
         \x20       end\n\
         \x20       empty <= !pushed && (popped ? one_stored : empty);\n\
         \x20       full <= !popped && (pushed ? one_free : full);\n\
         \x20   end\n",
        one = one(a),
        zero = format_args!("{{{}{{1'b0}}}}", a + 1),
    )
}

/// 1, as wide as the pointers.
fn one(a: usize) -> String {
    format!("{{{{{a}{{1'b0}}}}, 1'b1}}")
}

edge_block!([T: Synth, const A: usize] Fifo<T, A>,
    in: [reset_n, clear, push, push_data, pop], out: [front, empty, full]);
