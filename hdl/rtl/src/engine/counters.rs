//! The frame's counters: 64 bits each, read as two registers.
//!
//! ```text
//!  happens[i], tests_step -> +----------+ -> value[2 i], value[2 i + 1]: low and high word
//!                 clear -> | Counters |
//!                          +----------+
//! ```
//!
//! Counter i rises by one in each clock in which `happens[i]` is high; `tests` rises by `tests_step` instead. All are
//! registered: a count shows one clock later. The order is that of `rayman_abi::register::COUNTERS`, and the Verilog is
//! made from its length. A leaf for the same reason as the memories are.

use crate::mem::edge_block;
use rayman_abi::register::COUNTERS;
use rust_hdl_core::prelude::*;

/// Number of counters.
pub const COUNT: usize = COUNTERS.len();

/// Place of `tests` in the list of counters.
pub const TESTS: usize = place("tests");

/// Place of a counter in `COUNTERS`.
const fn place(name: &str) -> usize {
    let mut i = 0;
    while i < COUNTERS.len() {
        let (a, b) = (COUNTERS[i].name.as_bytes(), name.as_bytes());
        let mut same = a.len() == b.len();
        let mut k = 0;
        while same && k < a.len() {
            same = a[k] == b[k];
            k += 1;
        }
        if same {
            return i;
        }
        i += 1;
    }
    panic!("no counter of that name");
}

/// All counters of a frame.
pub struct Counters {
    /// The one clock.
    pub clock: Signal<In, Clock>,
    /// Low: all are 0.
    pub reset_n: Signal<In, Bit>,
    /// All are 0 in the next clock.
    pub clear: Signal<In, Bit>,
    /// Count one.
    pub happens: [Signal<In, Bit>; COUNT],
    /// What an event of `tests` adds.
    pub tests_step: Signal<In, Bits<32>>,
    /// Low and high word of each counter in turn.
    pub value: [Signal<Out, Bits<32>>; 2 * COUNT],
    _counts: [u64; COUNT],
    _unsettled: bool,
}

impl Default for Counters {
    fn default() -> Self {
        Self {
            clock: Default::default(),
            reset_n: Default::default(),
            clear: Default::default(),
            happens: std::array::from_fn(|_| Default::default()),
            tests_step: Default::default(),
            value: std::array::from_fn(|_| Default::default()),
            _counts: [0; COUNT],
            _unsettled: false,
        }
    }
}

impl Counters {
    fn edge(&mut self) {
        let clear = !self.reset_n.next || self.clear.next;
        for (i, count) in self._counts.iter_mut().enumerate() {
            if clear {
                *count = 0;
            } else if self.happens[i].next {
                let step = if i == TESTS { self.tests_step.next.to_u64() } else { 1 };
                *count = count.wrapping_add(step);
            } else {
                continue;
            }
            self.value[2 * i].next = (*count & 0xffff_ffff).into();
            self.value[2 * i + 1].next = (*count >> 32).into();
        }
    }
}

impl Logic for Counters {
    fn update(&mut self) {}

    fn connect(&mut self) {
        for value in &mut self.value {
            value.connect();
        }
    }

    fn hdl(&self) -> Verilog {
        let mut code = String::new();
        for i in 0..COUNT {
            let step = if i == TESTS { "{32'h0, tests_step}" } else { "64'h1" };
            let count = format!("{{value${}, value${}}}", 2 * i + 1, 2 * i);
            code += &format!(
                "always @(posedge clock)\n    if (!reset_n || clear) {count} <= 64'h0;\n    else if (happens${i}) {count} <= {count} + {step};\n"
            );
        }
        Verilog::Custom(code)
    }
}

edge_block!([] Counters, in: [reset_n, clear, happens, tests_step], out: [value]);
