//! A delay line: what goes in comes out `clocks` later.
//!
//! ```text
//!  d -> +-------+ -> q, which is what d was `clocks` clocks ago
//!       | Delay |
//!       +-------+
//! ```
//!
//! One value a clock. Reset does not clear the line: whoever uses it knows by other means which values mean something.
//! Infers registers up to 3 clocks, then distributed RAM with a running pointer. From 64 clocks on block RAM, which reads
//! one entry ahead of the one that it writes, since it does not promise the old contents of that one; a register behind it may
//! be the memory's own.

use super::{edge_block, BLOCK_ADDRESS_BITS};
use rust_hdl_core::prelude::*;

/// A delay of a fixed number of clocks, at least 1.
#[derive(Clone)]
pub struct Delay<T: Synth> {
    /// The one clock.
    pub clock: Signal<In, Clock>,
    /// Low: the pointer goes to its start.
    pub reset_n: Signal<In, Bit>,
    /// What goes in.
    pub d: Signal<In, T>,
    /// What comes out.
    pub q: Signal<Out, T>,
    _values: Vec<T>,
    // What has been read and is not in the register yet, where there is one.
    _late: T,
    _next: usize,
    _block: bool,
    _unsettled: bool,
}

impl<T: Synth> Delay<T> {
    /// A delay of this many clocks.
    ///
    /// # Panics
    ///
    /// When `clocks` is 0: it is fixed where a design is written.
    pub fn new(clocks: usize) -> Self {
        assert!(clocks > 0, "a delay line of 0 clocks is a wire");
        Self {
            clock: Default::default(),
            reset_n: Default::default(),
            d: Default::default(),
            q: Default::default(),
            _values: vec![T::default(); if clocks >= 1 << BLOCK_ADDRESS_BITS { clocks - 1 } else { clocks }],
            _late: T::default(),
            _block: clocks >= 1 << BLOCK_ADDRESS_BITS,
            _next: 0,
            _unsettled: false,
        }
    }

    #[inline]
    fn edge(&mut self) {
        // With one value stored less than the delay, the output register makes up the last clock.
        self._values[self._next] = self.d.next;
        self._next = if self._next + 1 == self._values.len() { 0 } else { self._next + 1 };
        let read = self._values[self._next];
        self.q.next = if self._block { std::mem::replace(&mut self._late, read) } else { read };
        if !self.reset_n.next {
            self._next = 0;
        }
    }
}

impl<T: Synth> Logic for Delay<T> {
    fn update(&mut self) {}

    fn connect(&mut self) {
        self.q.connect();
    }

    fn hdl(&self) -> Verilog {
        let (width, clocks) = (T::BITS, self._values.len() + usize::from(self._block));
        Verilog::Custom(if clocks < 4 {
            let stages = width * clocks;
            let older = if clocks == 1 { String::new() } else { format!("line[{}:0], ", stages - width - 1) };
            format!(
                "reg [{}:0] line;\nalways @(posedge clock) line <= {{{older}d}};\nalways @(*) q = line[{}:{}];\n",
                stages - 1,
                stages - 1,
                stages - width,
            )
        } else if self._block {
            let bits = usize::BITS - (clocks - 2).leading_zeros();
            format!(
                "reg [{w}:0] line [0:{last}];\nreg [{w}:0] late;\nreg [{p}:0] pointer;\n\
                 wire [{p}:0] next = (pointer == {bits}'d{last}) ? {bits}'d0 : pointer + {bits}'d1;\n\
                 always @(posedge clock) begin\n\
                 \x20   q <= late;\n    late <= line[next];\n    line[pointer] <= d;\n\
                 \x20   pointer <= reset_n ? next : {bits}'d0;\nend\n",
                w = width - 1,
                last = clocks - 2,
                p = bits - 1,
            )
        } else {
            let bits = usize::BITS - (clocks - 2).leading_zeros();
            format!(
                "reg [{w}:0] line [0:{last}];\nreg [{p}:0] pointer;\n\
                 always @(posedge clock) begin\n\
                 \x20   q <= line[pointer];\n    line[pointer] <= d;\n\
                 \x20   pointer <= (!reset_n || pointer == {bits}'d{last}) ? {bits}'d0 : pointer + {bits}'d1;\nend\n",
                w = width - 1,
                last = clocks - 2,
                p = bits - 1,
            )
        })
    }
}

edge_block!([T: Synth] Delay<T>, in: [reset_n, d], out: [q]);
