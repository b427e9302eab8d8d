//! The frame's counters: 64 bits each, read as two registers.
//!
//! ```text
//!  happens[i], tests_step -----> +----------+ -> value[2 i], value[2 i + 1]: low and high word
//!  used[lane], dead[lane] -----> | Counters |
//!  lost_to[cause] -------------> |          |
//!                      clear --> +----------+
//! ```
//!
//! The order is that of `rayman_abi::register::COUNTERS`, and the Verilog is made from its length.
//!
//! - A counter of events rises by one in each clock in which its `happens` is high; `tests` rises by `tests_step` instead.
//! - `slots_used` rises by the number of lanes that say `used`, `slots_dead` likewise. The lanes that say neither have lost
//!   their slots: the counter of the cause that is high rises by their number. A lane does not say both, and at most one cause
//!   is high; so with one high in each clock, these six sum to clocks x lanes.
//!
//! What happens shows three clocks later: it is taken into registers in one clock, for it comes from all over the engine, noted in the next,
//! added in the one after. A leaf for the same reason
//! as the memories are.

use super::core::{cause, event};
use crate::mem::edge_block;
use rayman_abi::register::COUNTERS;
use rust_hdl_core::prelude::*;

/// Number of counters.
pub const COUNT: usize = COUNTERS.len();

/// Place of `tests` in the list of counters.
pub const TESTS: usize = place("tests");
/// Place of the first of the six counters of slots: used, dead, and one a cause.
pub const SLOTS: usize = place("slots_used");
/// Events: clocks, the engine's, stalls of the bus.
pub const EVENTS: usize = event::COUNT + 2;

/// The counter of an event: all but those of slots, in order.
pub const fn counter_of(event: usize) -> usize {
    if event < SLOTS {
        event
    } else {
        event + COUNT - EVENTS
    }
}

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

/// All counters of a frame on a core of `LANES` lanes, at most 7.
pub struct Counters<const LANES: usize> {
    /// The one clock.
    pub clock: Signal<In, Clock>,
    /// Low: all are 0.
    pub reset_n: Signal<In, Bit>,
    /// All are 0 two clocks later: what happens in this clock is not counted, what happens in the next is.
    pub clear: Signal<In, Bit>,
    /// Count one: see [`counter_of`].
    pub happens: [Signal<In, Bit>; EVENTS],
    /// What an event of `tests` adds: as it stands a clock after the event. It stands still in a frame.
    pub tests_step: Signal<In, Bits<32>>,
    /// The lane's slot is used.
    pub used: [Signal<In, Bit>; LANES],
    /// The lane's slot has a dead test.
    pub dead: [Signal<In, Bit>; LANES],
    /// What the other lanes' slots are lost to.
    pub lost_to: [Signal<In, Bit>; cause::COUNT],
    /// Low and high word of each counter in turn.
    pub value: [Signal<Out, Bits<32>>; 2 * COUNT],
    _counts: [u64; COUNT],
    // What the clock before adds to each.
    _steps: [u64; COUNT],
    // What the clock before had on the inputs.
    _seen: Seen,
    _unsettled: bool,
}

/// What is to be counted, a clock late: it comes from all over the engine.
#[derive(Clone, Copy, Default)]
struct Seen {
    /// Of a clock with a reset or with `clear`.
    zero: bool,
    happens: [bool; EVENTS],
    used: u64,
    dead: u64,
    lost_to: [bool; cause::COUNT],
}

impl<const LANES: usize> Default for Counters<LANES> {
    fn default() -> Self {
        Self {
            clock: Default::default(),
            reset_n: Default::default(),
            clear: Default::default(),
            happens: std::array::from_fn(|_| Default::default()),
            tests_step: Default::default(),
            used: std::array::from_fn(|_| Default::default()),
            dead: std::array::from_fn(|_| Default::default()),
            lost_to: Default::default(),
            value: std::array::from_fn(|_| Default::default()),
            _counts: [0; COUNT],
            _steps: [0; COUNT],
            _seen: Seen { zero: true, ..Seen::default() },
            _unsettled: false,
        }
    }
}

impl<const LANES: usize> Counters<LANES> {
    /// Counters that have come to these counts, with nothing under way: for tests of counts that take centuries.
    pub fn at(counts: [u64; COUNT]) -> Self {
        // The first clock that adds nothing would not write them.
        let mut counters = Self { _counts: counts, _seen: Seen::default(), ..Self::default() };
        for (words, count) in counters.value.chunks_mut(2).zip(counts) {
            words[0].next = (count & 0xffff_ffff).into();
            words[1].next = (count >> 32).into();
        }
        counters
    }

    /// The inputs of this clock.
    fn seen(&self) -> Seen {
        let high = |signals: &[Signal<In, Bit>]| signals.iter().filter(|signal| signal.next).count() as u64;
        Seen {
            zero: !self.reset_n.next || self.clear.next,
            happens: std::array::from_fn(|event| self.happens[event].next),
            used: high(&self.used),
            dead: high(&self.dead),
            lost_to: std::array::from_fn(|cause| self.lost_to[cause].next),
        }
    }

    fn edge(&mut self) {
        let now = self.seen();
        let seen = std::mem::replace(&mut self._seen, now);
        let zero = !self.reset_n.next || seen.zero;
        for ((count, step), words) in self._counts.iter_mut().zip(self._steps).zip(self.value.chunks_mut(2)) {
            if zero {
                *count = 0;
            } else if step != 0 {
                *count = count.wrapping_add(step);
            } else {
                continue;
            }
            words[0].next = (*count & 0xffff_ffff).into();
            words[1].next = (*count >> 32).into();
        }
        self._steps = [0; COUNT];
        if zero {
            return;
        }
        for (event, happens) in seen.happens.iter().enumerate() {
            let counter = counter_of(event);
            if *happens {
                self._steps[counter] = if counter == TESTS { self.tests_step.next.to_u64() } else { 1 };
            }
        }
        self._steps[SLOTS] = seen.used;
        self._steps[SLOTS + 1] = seen.dead;
        for (cause, lost) in seen.lost_to.iter().enumerate() {
            if *lost {
                self._steps[SLOTS + 2 + cause] = (LANES as u64).wrapping_sub(seen.used + seen.dead) & 7;
            }
        }
    }
}

impl<const LANES: usize> Logic for Counters<LANES> {
    fn update(&mut self) {}

    fn connect(&mut self) {
        for value in &mut self.value {
            value.connect();
        }
    }

    fn hdl(&self) -> Verilog {
        let mut code = String::new();
        // A counter, and what the clock before adds to it.
        let mut counter = |i: usize, width: usize, now: &str| {
            let count = format!("{{value${}, value${}}}", 2 * i + 1, 2 * i);
            let (msb, above) = (width - 1, 64 - width);
            code += &format!(
                "reg [{msb}:0] step_{i};\n\
                 always @(posedge clock) step_{i} <= zero ? {width}'d0 : {now};\n\
                 always @(posedge clock)\n    if (zero) {count} <= 64'h0;\n    \
                 else {count} <= {count} + {{{above}'h0, step_{i}}};\n"
            );
        };
        for event in 0..EVENTS {
            match counter_of(event) {
                TESTS => counter(TESTS, 32, &format!("(happens_seen[{event}] ? tests_step : 32'd0)")),
                i => counter(i, 1, &format!("happens_seen[{event}]")),
            }
        }
        for i in 0..2 + cause::COUNT {
            let now = match i {
                0 => "used_seen".to_owned(),
                1 => "dead_seen".to_owned(),
                _ => format!("(lost_seen[{}] ? lost_now : 3'd0)", i - 2),
            };
            counter(SLOTS + i, 3, &now);
        }
        let sum = |name: &str| (0..LANES).map(|i| format!("{{2'h0, {name}${i}}}")).collect::<Vec<_>>().join(" + ");
        let all =
            |name: &str, count: usize| (0..count).rev().map(|i| format!("{name}${i}")).collect::<Vec<_>>().join(", ");
        let seen = format!(
            "\
// The inputs, a clock late.
reg zero_seen;
reg [{}:0] happens_seen;
reg [2:0] used_seen;
reg [2:0] dead_seen;
reg [{}:0] lost_seen;
always @(posedge clock) begin
    zero_seen <= !reset_n || clear;
    happens_seen <= {{{}}};
    used_seen <= {};
    dead_seen <= {};
    lost_seen <= {{{}}};
end
wire zero = !reset_n || zero_seen;
wire [2:0] lost_now = 3'd{LANES} - used_seen - dead_seen;
",
            EVENTS - 1,
            cause::COUNT - 1,
            all("happens", EVENTS),
            sum("used"),
            sum("dead"),
            all("lost_to", cause::COUNT),
        );
        Verilog::Custom(seen + &code)
    }
}

edge_block!([const LANES: usize] Counters<LANES>,
    in: [reset_n, clear, happens, tests_step, used, dead, lost_to], out: [value]);
