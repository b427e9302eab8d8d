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
//! only while not `empty`. One push and one pop a clock; depth `2^A`; distributed RAM.

use rust_hdl_core::prelude::*;

/// `2^A` entries of `W` bits, `W` at most 32.
#[derive(LogicBlock)]
pub struct Fifo<const W: usize, const A: usize> {
    /// The one clock.
    pub clock: Signal<In, Clock>,
    /// Low: empty.
    pub reset_n: Signal<In, Bit>,
    /// High: empty in the next clock, whatever is pushed.
    pub clear: Signal<In, Bit>,
    /// Append `push_data`.
    pub push: Signal<In, Bit>,
    /// What to append.
    pub push_data: Signal<In, Bits<W>>,
    /// Take the front away.
    pub pop: Signal<In, Bit>,
    /// The oldest entry.
    pub front: Signal<Out, Bits<W>>,
    /// Nothing is stored.
    pub empty: Signal<Out, Bit>,
    /// Nothing more can be stored.
    pub full: Signal<Out, Bit>,
    state: State<W>,
}

/// Stored entries and the pointers, which run to twice the depth so that full and empty differ.
#[derive(Clone)]
struct State<const W: usize> {
    memory: Vec<Bits<W>>,
    write: usize,
    read: usize,
}

impl<const W: usize> Logic for State<W> {
    fn update(&mut self) {}
}

impl<const W: usize> Block for State<W> {
    fn connect_all(&mut self) {}
    fn update_all(&mut self) {}
    fn has_changed(&self) -> bool {
        false
    }
    fn accept(&self, _name: &str, _probe: &mut dyn Probe) {}
}

impl<const W: usize, const A: usize> Default for Fifo<W, A> {
    fn default() -> Self {
        Self {
            clock: Default::default(),
            reset_n: Default::default(),
            clear: Default::default(),
            push: Default::default(),
            push_data: Default::default(),
            pop: Default::default(),
            front: Default::default(),
            empty: Default::default(),
            full: Default::default(),
            state: State { memory: vec![Bits::default(); 1 << A], write: 0, read: 0 },
        }
    }
}

impl<const W: usize, const A: usize> Logic for Fifo<W, A> {
    fn update(&mut self) {
        let depth = 1usize << A;
        let state = &mut self.state;
        if self.clock.pos_edge() {
            let stored = state.write.wrapping_sub(state.read) & (2 * depth - 1);
            if !self.reset_n.val() || self.clear.val() {
                state.write = 0;
                state.read = 0;
            } else {
                if self.push.val() && stored != depth {
                    state.memory[state.write & (depth - 1)] = self.push_data.val();
                    state.write = (state.write + 1) & (2 * depth - 1);
                }
                if self.pop.val() && stored != 0 {
                    state.read = (state.read + 1) & (2 * depth - 1);
                }
            }
        }
        let stored = state.write.wrapping_sub(state.read) & (2 * depth - 1);
        self.front.next = state.memory[state.read & (depth - 1)];
        self.empty.next = stored == 0;
        self.full.next = stored == depth;
    }

    fn connect(&mut self) {
        self.front.connect();
        self.empty.connect();
        self.full.connect();
    }

    fn hdl(&self) -> Verilog {
        Verilog::Custom(format!(
            "reg [{w}:0] memory [0:{last}];\n\
             reg [{a}:0] write_pointer;\nreg [{a}:0] read_pointer;\n\
             always @(*) begin\n\
             \x20   front = memory[read_pointer[{b}:0]];\n\
             \x20   empty = write_pointer == read_pointer;\n\
             \x20   full = write_pointer == (read_pointer ^ {{1'b1, {{{a}{{1'b0}}}}}});\nend\n\
             always @(posedge clock) begin\n\
             \x20   if (!reset_n || clear) begin\n\
             \x20       write_pointer <= {{{n}{{1'b0}}}};\n        read_pointer <= {{{n}{{1'b0}}}};\n\
             \x20   end else begin\n\
             \x20       if (push && !full) write_pointer <= write_pointer + {{{{{a}{{1'b0}}}}, 1'b1}};\n\
             \x20       if (pop && !empty) read_pointer <= read_pointer + {{{{{a}{{1'b0}}}}, 1'b1}};\n\
             \x20   end\n\
             \x20   if (push && !full) memory[write_pointer[{b}:0]] <= push_data;\nend\n",
            w = W - 1,
            last = (1usize << A) - 1,
            a = A,
            b = A - 1,
            n = A + 1,
        ))
    }
}
