//! Queues and the reorder window: nothing is lost, doubled or overtaken.

use super::{broken, probe, proof, property, Broken, Probe, Proof, Property, BLOCK_CONSISTENT, CONSISTENT};

const COUNT: Property = property("count", "`empty` and `full` say what is stored: pushes taken less pops taken");
const ORDER: Property =
    property("order", "any one entry that was taken comes to the front after those before it, once, unchanged");

/// The word at a place that the wrapper chooses.
const fn word_probe(module: &'static str) -> Probe {
    probe(module, "wire [`SIZE-1:0] probe_place; wire [7:0] probe_word = memory[probe_place];")
}

/// A block of so many entries in the wrapper of its name, by two-step induction.
const fn memory(
    name: &'static str,
    block: &'static str,
    size: u32,
    probes: &'static [Probe],
    properties: &'static [Property],
    broken: &'static [Broken],
) -> Proof {
    Proof { name, size: Some(size), probes, depth: 2, properties, broken, ..proof(block) }
}

const FIFO_PROBES: &[Probe] = &[probe("fifo", CONSISTENT), word_probe("fifo")];
const QUEUE_PROBES: &[Probe] = &[word_probe("queue")];
const FIFO_PROPERTIES: &[Property] = &[COUNT, ORDER];

const DISTRIBUTED: &[Broken] = &[
    broken("pop_while_empty", "count", "wire popped = pop && !empty;", "wire popped = pop;", 16),
    broken("push_while_full", "count", "if (pushed) write_pointer", "if (push) write_pointer", 16),
    broken("overwrites_while_full", "order", "if (pushed) memory", "if (push) memory", 16),
];

const fn distributed(name: &'static str, size: u32) -> Proof {
    memory(name, "fifo", size, FIFO_PROBES, FIFO_PROPERTIES, DISTRIBUTED)
}

pub const FIFO_2: Proof = distributed("fifo_2", 1);
pub const FIFO_4: Proof = distributed("fifo_4", 2);
pub const FIFO_8: Proof = distributed("fifo_8", 3);

/// The queue in block RAM, whose front is a register.
pub const FIFO_64: Proof = Proof {
    probes: &[probe("fifo", BLOCK_CONSISTENT), word_probe("fifo")],
    broken: &[
        broken("pop_while_empty", "count", "wire popped = pop && !empty;", "wire popped = pop;", 16),
        broken("misses_the_last_ones_successor", "order", "if (none) front", "if (empty) front", 16),
        broken("forgets_what_is_fresh", "order", "is_fresh <= collides;", "is_fresh <= 1'b0;", 16),
        broken("front_stays", "order", "else if (popped) front <= behind;", "", 16),
    ],
    ..distributed("fifo_64", 6)
};

const QUEUE_PROPERTIES: &[Property] =
    &[property("count", "`empty` says whether an entry is stored that came before the last clock"), ORDER];

const QUEUE_BROKEN: &[Broken] = &[
    broken("empty_a_clock_late", "count", "(popped ? none_behind : none_read)", "none_read", 16),
    broken("front_a_clock_late", "order", "read_address = read_next", "read_address = read_pointer", 16),
];

const fn queue(name: &'static str, size: u32) -> Proof {
    memory(name, "queue", size, QUEUE_PROBES, QUEUE_PROPERTIES, QUEUE_BROKEN)
}

pub const QUEUE_4: Proof = queue("queue_4", 2);
pub const QUEUE_512: Proof = queue("queue_512", 9);

const WINDOW_PROPERTIES: &[Property] = &[
    property("places", "places are opened in turn, and no place that is still open"),
    property("count", "at most 2^SIZE places are open, `room` only while there are fewer, `idle` while there are none"),
    property(
        "order",
        "any one place's pixel leaves in its turn, once, with its colour, three clocks after it was written",
    ),
];

const WINDOW_PROBES: &[Probe] =
    &[probe("window_colours", "wire [`SIZE-1:0] probe_place; wire [31:0] probe_word = memory[probe_place];")];

const fn window(name: &'static str, size: u32, broken: &'static [Broken]) -> Proof {
    memory(name, "window", size, WINDOW_PROBES, WINDOW_PROPERTIES, broken)
}

pub const WINDOW_8: Proof = window(
    "window_8",
    3,
    &[
        broken("place_opened_twice", "places", "head_d = head_plus;", "head_d = head_q;", 24),
        broken("full_goes_unseen", "count", "room = ~full_q & (", "room = (", 24),
        broken("opens_before_it_is_cleared", "order", "(~clearing_q | (head_q != cleared_q))", "(1'b1)", 24),
        broken("reads_the_place_that_left", "order", " & ~moved_late_q", "", 24),
    ],
);
/// The core's own size. A full window is more than 4,096 clocks from reset, so its broken copies are those near the start.
pub const WINDOW_4096: Proof = window(
    "window_4096",
    12,
    &[
        broken("place_opened_twice", "places", "head_d = head_plus;", "head_d = head_q;", 24),
        broken("idle_with_open_places", "count", "idle = empty_q;", "idle = 1'b1;", 24),
        broken("opens_before_it_is_cleared", "order", "(~clearing_q | (head_q != cleared_q))", "(1'b1)", 24),
        broken("reads_the_place_that_left", "order", " & ~moved_late_q", "", 24),
    ],
);
