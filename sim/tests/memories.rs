//! Memories and counters: in-crate against Verilated clock by clock, and small cases worked out by hand.
//!
//! Their Rust behaviour and their Verilog stand side by side, so nothing but these tests makes them agree.

mod support;

use rayman_rtl::engine::counters::{counter_of, Counters, COUNT, EVENTS, SLOTS, TESTS};
use rayman_rtl::engine::entry::{Entry, Tag};
use rayman_rtl::mem::{Delay, Fifo, Flop, Queue, Ram, Store};
use rayman_rtl::step;
use rust_hdl_core::prelude::*;
use support::{Comparison, Draw, Meaning, BUSY, RARE, READY};

/// Memories of several widths and depths on the same ports.
#[derive(LogicBlock, Default)]
struct Rams {
    clock: Signal<In, Clock>,
    reset_n: Signal<In, Bit>,
    write_enable: Signal<In, Bit>,
    write_address: Signal<In, Bits<6>>,
    read_address: Signal<In, Bits<6>>,
    data: [Signal<In, Bits<32>>; 3],
    entry: Signal<In, Entry>,
    small: [Signal<Out, Bits<32>>; 1],
    medium: [Signal<Out, Bits<32>>; 3],
    large: [Signal<Out, Bits<32>>; 2],
    flag: Signal<Out, Bit>,
    number: Signal<Out, Bits<24>>,
    structure: Signal<Out, Entry>,
    // What ram_6 shows is the outcome of a read beside a write.
    unusable: Signal<Out, Bit>,
    ram_1: Ram<1, 1>,
    ram_3: Ram<3, 3>,
    ram_6: Ram<2, 6>,
    store_1: Store<Bit, 1>,
    store_3: Store<Bits<24>, 3>,
    store_6: Store<Entry, 6>,
    collided: Flop<Bit>,
}

impl Logic for Rams {
    #[hdl_gen]
    fn update(&mut self) {
        self.collided.clock.next = self.clock.val();
        self.collided.d.next = self.write_enable.val() & (self.write_address.val() == self.read_address.val());
        self.unusable.next = self.collided.q.val();
        self.ram_1.clock.next = self.clock.val();
        self.ram_1.write_enable.next = self.write_enable.val();
        self.ram_1.write_address.next = bit_cast::<1, 6>(self.write_address.val());
        self.ram_1.read_address.next = bit_cast::<1, 6>(self.read_address.val());
        self.ram_1.write_data[0].next = self.data[0].val();
        self.small[0].next = self.ram_1.read_data[0].val();
        self.ram_3.clock.next = self.clock.val();
        self.ram_3.write_enable.next = self.write_enable.val();
        self.ram_3.write_address.next = bit_cast::<3, 6>(self.write_address.val());
        self.ram_3.read_address.next = bit_cast::<3, 6>(self.read_address.val());
        for i in 0..3 {
            self.ram_3.write_data[i].next = self.data[i].val();
            self.medium[i].next = self.ram_3.read_data[i].val();
        }
        self.ram_6.clock.next = self.clock.val();
        self.ram_6.write_enable.next = self.write_enable.val();
        self.ram_6.write_address.next = self.write_address.val();
        self.ram_6.read_address.next = self.read_address.val();
        for i in 0..2 {
            self.ram_6.write_data[i].next = self.data[i].val();
            self.large[i].next = self.ram_6.read_data[i].val();
        }
        self.store_1.clock.next = self.clock.val();
        self.store_1.write_enable.next = self.write_enable.val();
        self.store_1.write_address.next = bit_cast::<1, 6>(self.write_address.val());
        self.store_1.read_address.next = bit_cast::<1, 6>(self.read_address.val());
        self.store_1.write_data.next = self.data[0].val().get_bit(0);
        self.flag.next = self.store_1.read_data.val();
        self.store_3.clock.next = self.clock.val();
        self.store_3.write_enable.next = self.write_enable.val();
        self.store_3.write_address.next = bit_cast::<3, 6>(self.write_address.val());
        self.store_3.read_address.next = bit_cast::<3, 6>(self.read_address.val());
        self.store_3.write_data.next = bit_cast::<24, 32>(self.data[1].val());
        self.number.next = self.store_3.read_data.val();
        self.store_6.clock.next = self.clock.val();
        self.store_6.write_enable.next = self.write_enable.val();
        self.store_6.write_address.next = self.write_address.val();
        self.store_6.read_address.next = self.read_address.val();
        self.store_6.write_data.next = self.entry.val();
        self.structure.next = self.store_6.read_data.val();
    }
}

#[test]
fn memories_agree_with_their_verilog() {
    let ports = ports!(Rams;
        in reset_n, write_enable, write_address, read_address, data[3], entry;
        out small[1], medium[3], large[2], flag, number, structure, unusable;
    );
    // They have no reset: every word is written before anything is compared.
    let mut fill: Vec<_> =
        (0..64).map(|i| vec![("write_enable", 1), ("write_address", i), ("data_0", 3 * i), ("entry", 5 * i)]).collect();
    fill.push(vec![]);
    Comparison::new(Rams::default, "rams", ports)
        .draws(&[
            ("write_enable", BUSY),
            // Often the word that is being written is read.
            ("write_address", Draw::Pick(&[0, 1, 2, 3, 17, 62, 63])),
            ("read_address", Draw::Pick(&[0, 1, 2, 3, 17, 40, 62, 63])),
        ])
        .meaning(&[
            ("large_0", Meaning::WhileNot("unusable")),
            ("large_1", Meaning::WhileNot("unusable")),
            ("structure", Meaning::WhileNot("unusable")),
        ])
        .reached(&["small_0", "medium_2", "large_1", "flag", "number", "structure", "unusable"])
        .prologue(fill)
        .run();
}

/// Queues of several widths and depths on the same ports.
#[derive(LogicBlock, Default)]
struct Fifos {
    clock: Signal<In, Clock>,
    reset_n: Signal<In, Bit>,
    clear: Signal<In, Bit>,
    push: Signal<In, Bit>,
    push_data: Signal<In, Bits<32>>,
    push_entry: Signal<In, Entry>,
    pop: Signal<In, Bit>,
    front_1: Signal<Out, Bits<10>>,
    empty_1: Signal<Out, Bit>,
    full_1: Signal<Out, Bit>,
    front_2: Signal<Out, Entry>,
    empty_2: Signal<Out, Bit>,
    full_2: Signal<Out, Bit>,
    front_5: Signal<Out, Bits<32>>,
    empty_5: Signal<Out, Bit>,
    full_5: Signal<Out, Bit>,
    front_of_4: Signal<Out, Entry>,
    none_of_4: Signal<Out, Bit>,
    front_of_64: Signal<Out, Bits<32>>,
    none_of_64: Signal<Out, Bit>,
    front_6: Signal<Out, Entry>,
    empty_6: Signal<Out, Bit>,
    full_6: Signal<Out, Bit>,
    fifo_1: Fifo<Bits<10>, 1>,
    fifo_2: Fifo<Entry, 2>,
    fifo_5: Fifo<Bits<32>, 5>,
    // In block RAM.
    fifo_6: Fifo<Entry, 6>,
    queue_4: Queue<Entry, 2>,
    queue_64: Queue<Bits<32>, 6>,
    // In the queue of 64, whose user pushes no more than it holds.
    stored: Flop<Bits<7>>,
    stored_up: Signal<Local, Bits<7>>,
    stored_down: Signal<Local, Bits<7>>,
    pushes: Signal<Local, Bit>,
    pops: Signal<Local, Bit>,
}

impl Logic for Fifos {
    #[hdl_gen]
    fn update(&mut self) {
        self.fifo_1.clock.next = self.clock.val();
        self.fifo_1.reset_n.next = self.reset_n.val();
        self.fifo_1.clear.next = self.clear.val();
        self.fifo_1.push.next = self.push.val();
        self.fifo_1.push_data.next = bit_cast::<10, 32>(self.push_data.val());
        self.fifo_1.pop.next = self.pop.val();
        self.front_1.next = self.fifo_1.front.val();
        self.empty_1.next = self.fifo_1.empty.val();
        self.full_1.next = self.fifo_1.full.val();
        self.fifo_2.clock.next = self.clock.val();
        self.fifo_2.reset_n.next = self.reset_n.val();
        self.fifo_2.clear.next = self.clear.val();
        self.fifo_2.push.next = self.push.val();
        self.fifo_2.push_data.next = self.push_entry.val();
        self.fifo_2.pop.next = self.pop.val();
        self.front_2.next = self.fifo_2.front.val();
        self.empty_2.next = self.fifo_2.empty.val();
        self.full_2.next = self.fifo_2.full.val();
        self.fifo_5.clock.next = self.clock.val();
        self.fifo_5.reset_n.next = self.reset_n.val();
        self.fifo_5.clear.next = self.clear.val();
        self.fifo_5.push.next = self.push.val();
        self.fifo_5.push_data.next = self.push_data.val();
        self.fifo_5.pop.next = self.pop.val();
        self.front_5.next = self.fifo_5.front.val();
        self.empty_5.next = self.fifo_5.empty.val();
        self.full_5.next = self.fifo_5.full.val();
        self.queue_4.clock.next = self.clock.val();
        self.queue_4.reset_n.next = self.reset_n.val();
        self.queue_4.push.next = self.push.val();
        self.queue_4.push_data.next = self.push_entry.val();
        self.queue_4.pop.next = self.pop.val();
        self.front_of_4.next = self.queue_4.front.val();
        self.none_of_4.next = self.queue_4.empty.val();
        self.queue_64.clock.next = self.clock.val();
        self.queue_64.reset_n.next = self.reset_n.val();
        self.stored.clock.next = self.clock.val();
        self.pushes.next = self.push.val() & !self.stored.q.val().get_bit(6);
        self.pops.next = self.pop.val() & !self.queue_64.empty.val();
        self.stored_up.next = self.stored.q.val() + 1;
        self.stored_down.next = self.stored.q.val() - 1;
        self.stored.d.next = self.stored.q.val();
        if self.pushes.val() & !self.pops.val() {
            self.stored.d.next = self.stored_up.val();
        }
        if self.pops.val() & !self.pushes.val() {
            self.stored.d.next = self.stored_down.val();
        }
        if !self.reset_n.val() {
            self.stored.d.next = 0.into();
        }
        self.queue_64.push.next = self.pushes.val();
        self.queue_64.push_data.next = self.push_data.val();
        self.queue_64.pop.next = self.pop.val();
        self.front_of_64.next = self.queue_64.front.val();
        self.none_of_64.next = self.queue_64.empty.val();
        self.fifo_6.clock.next = self.clock.val();
        self.fifo_6.reset_n.next = self.reset_n.val();
        self.fifo_6.clear.next = self.clear.val();
        self.fifo_6.push.next = self.push.val();
        self.fifo_6.push_data.next = self.push_entry.val();
        self.fifo_6.pop.next = self.pop.val();
        self.front_6.next = self.fifo_6.front.val();
        self.empty_6.next = self.fifo_6.empty.val();
        self.full_6.next = self.fifo_6.full.val();
    }
}

#[test]
fn queues_agree_with_their_verilog() {
    let ports = ports!(Fifos;
        in reset_n, clear, push, push_data, push_entry, pop;
        out front_1, empty_1, full_1, front_2, empty_2, full_2, front_5, empty_5, full_5, front_6, empty_6, full_6, front_of_4, none_of_4,
            front_of_64, none_of_64;
    );
    Comparison::new(Fifos::default, "fifos", ports)
        .draws(&[("clear", RARE), ("push", BUSY), ("pop", READY)])
        .meaning(&[
            ("front_1", Meaning::WhileNot("empty_1")),
            ("front_2", Meaning::WhileNot("empty_2")),
            ("front_5", Meaning::WhileNot("empty_5")),
            ("front_of_4", Meaning::WhileNot("none_of_4")),
            ("front_of_64", Meaning::WhileNot("none_of_64")),
            ("front_6", Meaning::WhileNot("empty_6")),
        ])
        .reached(&[
            "empty_1",
            "full_1",
            "empty_2",
            "full_2",
            "empty_5",
            "full_5",
            "empty_6",
            "full_6",
            "front_of_4",
            "front_of_64",
        ])
        .run();
}

/// Delays of all forms, registers, running pointer and reading ahead, and plain registers.
#[derive(LogicBlock)]
struct Delays {
    clock: Signal<In, Clock>,
    reset_n: Signal<In, Bit>,
    d: Signal<In, Bits<32>>,
    tag: Signal<In, Tag>,
    q_1: Signal<Out, Bits<32>>,
    q_2: Signal<Out, Bits<10>>,
    q_3: Signal<Out, Bit>,
    q_4: Signal<Out, Bits<32>>,
    q_5: Signal<Out, Bit>,
    q_17: Signal<Out, Tag>,
    q_70: Signal<Out, Tag>,
    flop: Signal<Out, Bits<32>>,
    flop_tag: Signal<Out, Tag>,
    delay_1: Delay<Bits<32>>,
    delay_2: Delay<Bits<10>>,
    delay_3: Delay<Bit>,
    delay_4: Delay<Bits<32>>,
    delay_5: Delay<Bit>,
    delay_17: Delay<Tag>,
    delay_70: Delay<Tag>,
    register: Flop<Bits<32>>,
    register_tag: Flop<Tag>,
}

impl Default for Delays {
    fn default() -> Self {
        Self {
            clock: Default::default(),
            reset_n: Default::default(),
            d: Default::default(),
            tag: Default::default(),
            q_1: Default::default(),
            q_2: Default::default(),
            q_3: Default::default(),
            q_4: Default::default(),
            q_5: Default::default(),
            q_17: Default::default(),
            q_70: Default::default(),
            flop: Default::default(),
            flop_tag: Default::default(),
            delay_1: Delay::new(1),
            delay_2: Delay::new(2),
            delay_3: Delay::new(3),
            delay_4: Delay::new(4),
            delay_5: Delay::new(5),
            delay_17: Delay::new(17),
            delay_70: Delay::new(70),
            register: Default::default(),
            register_tag: Default::default(),
        }
    }
}

impl Logic for Delays {
    #[hdl_gen]
    fn update(&mut self) {
        self.delay_1.clock.next = self.clock.val();
        self.delay_2.clock.next = self.clock.val();
        self.delay_3.clock.next = self.clock.val();
        self.delay_4.clock.next = self.clock.val();
        self.delay_5.clock.next = self.clock.val();
        self.delay_17.clock.next = self.clock.val();
        self.delay_70.clock.next = self.clock.val();
        self.register.clock.next = self.clock.val();
        self.register_tag.clock.next = self.clock.val();
        self.delay_1.reset_n.next = self.reset_n.val();
        self.delay_2.reset_n.next = self.reset_n.val();
        self.delay_3.reset_n.next = self.reset_n.val();
        self.delay_4.reset_n.next = self.reset_n.val();
        self.delay_5.reset_n.next = self.reset_n.val();
        self.delay_17.reset_n.next = self.reset_n.val();
        self.delay_70.reset_n.next = self.reset_n.val();
        self.delay_1.d.next = self.d.val();
        self.delay_2.d.next = bit_cast::<10, 32>(self.d.val());
        self.delay_3.d.next = self.d.val().get_bit(0);
        self.delay_4.d.next = self.d.val();
        self.delay_5.d.next = self.d.val().get_bit(1);
        self.delay_17.d.next = self.tag.val();
        self.delay_70.d.next = self.tag.val();
        self.register.d.next = self.d.val();
        self.register_tag.d.next = self.tag.val();
        self.q_1.next = self.delay_1.q.val();
        self.q_2.next = self.delay_2.q.val();
        self.q_3.next = self.delay_3.q.val();
        self.q_4.next = self.delay_4.q.val();
        self.q_5.next = self.delay_5.q.val();
        self.q_17.next = self.delay_17.q.val();
        self.q_70.next = self.delay_70.q.val();
        self.flop.next = self.register.q.val();
        self.flop_tag.next = self.register_tag.q.val();
    }
}

#[test]
fn delays_and_registers_agree_with_their_verilog() {
    let ports = ports!(Delays;
        in reset_n, d, tag;
        out q_1, q_2, q_3, q_4, q_5, q_17, q_70, flop, flop_tag;
    );
    // A reset moves the pointer, so what is under way is lost.
    Comparison::new(Delays::default, "delays", ports)
        .meaning(&[
            ("q_1", Meaning::After(1)),
            ("q_2", Meaning::After(2)),
            ("q_3", Meaning::After(3)),
            ("q_4", Meaning::After(4)),
            ("q_5", Meaning::After(5)),
            ("q_17", Meaning::After(17)),
            ("q_70", Meaning::After(70)),
        ])
        .reached(&["q_1", "q_2", "q_3", "q_4", "q_5", "q_17", "flop", "flop_tag"])
        .run();
}

/// Clocks in which the counters come past 2^64 and are not cleared.
const PAST_THE_END: u64 = 1000;

/// Registers of the counters' Verilog, each with what it holds at first: these counts, and nothing under way.
fn registers(counts: &[u64]) -> Vec<(String, u64)> {
    let words = counts.iter().flat_map(|count| [count & 0xFFFF_FFFF, count >> 32]).enumerate();
    let values = words.map(|(i, word)| (format!("value_{i}"), word));
    let steps = (0..counts.len()).map(|i| (format!("step_{i}"), 0));
    let seen = ["zero_seen", "happens_seen", "used_seen", "dead_seen", "lost_seen"];
    values.chain(steps).chain(seen.map(|name| (name.to_owned(), 0))).collect()
}

#[test]
fn counters_agree_with_their_verilog() {
    let ports = ports!(Counters<3>;
        in reset_n, clear, happens[9], tests_step, used[3], dead[3], lost_to[4];
        out value[30];
    );
    // No test counts up to the high bits: it begins where all of them are 1, and a few events later they are 0 and every
    // carry was needed.
    let counts: [u64; COUNT] = std::array::from_fn(|i| (3 + i as u64).wrapping_neg());
    let mut clock = 0;
    Comparison::new(|| Counters::<3>::at(counts), "counters", ports)
        .start(registers(&counts))
        .draws(&[
            ("clear", RARE),
            ("happens", BUSY),
            ("used", BUSY),
            ("dead", RARE),
            ("lost_to", BUSY),
            ("tests_step", Draw::Pick(&[0, 1, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFE, 0xFFFF_FFFF])),
        ])
        .reached(&[
            "value_0", "value_14", "value_15", "value_16", "value_18", "value_20", "value_22", "value_24", "value_26",
            "value_28",
        ])
        .steer(|row| {
            if clock < PAST_THE_END {
                row.set("reset_n", 1);
                row.set("clear", 0);
                row.set("dead_0", clock % 2);
            } else if clock == PAST_THE_END {
                for i in 0..COUNT {
                    let [low, high] = [2 * i, 2 * i + 1].map(|word| row.output(&format!("value_{word}")));
                    // The high word of `tests` has counted carries since.
                    let past = if i == TESTS { high > 0 && high >> 31 == 0 } else { low > 0 && high == 0 };
                    assert!(past, "counter {i} is at {high:#x}, {low:#x}");
                }
            }
            clock += 1;
        })
        // Long enough for events to fill the thirteenth bit between two clears.
        .phases(12, 6000)
        .run();
    assert!(clock > PAST_THE_END);
}

/// Steps a leaf that has a `clock`.
macro_rules! clock {
    ($block:expr) => {
        step::clock(&mut $block, |block, level| block.clock.next = level).expect("the leaf comes to rest")
    };
}

#[test]
fn a_read_of_the_word_being_written_gives_the_old_word_or_from_64_entries_on_nothing() {
    let mut ram = Ram::<2, 2>::default();
    ram.connect_all();
    let mut access = |write: Option<(u64, [u64; 2])>, read: u64| {
        ram.write_enable.next = write.is_some();
        if let Some((address, words)) = write {
            ram.write_address.next = address.into();
            ram.write_data[0].next = words[0].into();
            ram.write_data[1].next = words[1].into();
        }
        ram.read_address.next = read.into();
        clock!(ram);
        [ram.read_data[0].val().to_u64(), ram.read_data[1].val().to_u64()]
    };
    access(Some((2, [10, 11])), 0);
    assert_eq!(access(Some((2, [20, 21])), 2), [10, 11]);
    assert_eq!(access(Some((1, [30, 31])), 2), [20, 21]);
    assert_eq!(access(None, 1), [30, 31]);
    assert_eq!(access(None, 2), [20, 21]);

    let mut ram = Ram::<1, 6>::default();
    ram.connect_all();
    ram.write_enable.next = true;
    for (value, want) in [(7u64, !0), (8, !7 & 0xffff_ffff)] {
        ram.write_data[0].next = value.into();
        clock!(ram);
        assert_eq!(ram.read_data[0].val().to_u64(), want & 0xffff_ffff);
    }

    let mut store = Store::<Bits<24>, 2>::default();
    store.connect_all();
    store.write_enable.next = true;
    store.write_address.next = 3.into();
    store.read_address.next = 3.into();
    let mut seen = vec![];
    for value in [7u64, 8, 9] {
        store.write_data.next = value.into();
        clock!(store);
        seen.push(store.read_data.val().to_u64());
    }
    assert_eq!(seen[1..], [7, 8]);
}

/// A queue of four, one clock at a time.
struct Four(Fifo<Bits<32>, 2>);

impl Four {
    fn new() -> Self {
        let mut fifo = Fifo::default();
        fifo.connect_all();
        let mut queue = Self(fifo);
        queue.0.reset_n.next = false;
        queue.step(None, false, false);
        queue.0.reset_n.next = true;
        queue
    }

    fn step(&mut self, push: Option<u64>, pop: bool, clear: bool) {
        self.0.push.next = push.is_some();
        self.0.push_data.next = push.unwrap_or(99).into();
        self.0.pop.next = pop;
        self.0.clear.next = clear;
        clock!(self.0);
    }

    /// Front if there is one, and whether it is full.
    fn state(&self) -> (Option<u64>, bool) {
        ((!self.0.empty.val()).then(|| self.0.front.val().to_u64()), self.0.full.val())
    }
}

#[test]
fn a_queue_at_its_edges() {
    let mut queue = Four::new();
    assert_eq!(queue.state(), (None, false));
    // Nothing to pop: the push beside it is kept.
    queue.step(None, true, false);
    assert_eq!(queue.state(), (None, false));
    queue.step(Some(1), true, false);
    assert_eq!(queue.state(), (Some(1), false), "shows in the next clock");
    for value in 2..=4 {
        queue.step(Some(value), false, false);
    }
    assert_eq!(queue.state(), (Some(1), true));
    // Full: a push is lost, even beside a pop, which is done.
    queue.step(Some(5), false, false);
    assert_eq!(queue.state(), (Some(1), true));
    queue.step(Some(6), true, false);
    assert_eq!(queue.state(), (Some(2), false));
    // Neither full nor empty: both are done.
    queue.step(Some(7), true, false);
    assert_eq!(queue.state(), (Some(3), false));
    let mut rest = vec![];
    while let (Some(front), _) = queue.state() {
        rest.push(front);
        queue.step(None, true, false);
    }
    assert_eq!(rest, [3, 4, 7]);
}

#[test]
fn clearing_a_queue_drops_what_is_pushed_beside_it() {
    let mut queue = Four::new();
    for value in 1..=4 {
        queue.step(Some(value), false, false);
    }
    queue.step(Some(5), false, true);
    assert_eq!(queue.state(), (None, false));
    queue.step(Some(6), false, true);
    assert_eq!(queue.state(), (None, false));
    queue.step(Some(7), false, false);
    assert_eq!(queue.state(), (Some(7), false));
    queue.0.reset_n.next = false;
    queue.step(Some(8), false, false);
    assert_eq!(queue.state(), (None, false));
}

#[test]
fn a_delay_is_exactly_as_long_as_it_says() {
    for clocks in [1, 2, 3, 4, 5, 17, 70] {
        let mut line = Delay::<Bits<16>>::new(clocks);
        line.connect_all();
        line.reset_n.next = false;
        clock!(line);
        line.reset_n.next = true;
        for now in 0..60 {
            line.d.next = (1000 + now).into();
            clock!(line);
            // After this edge `now + 1` values have gone in.
            if let Some(then) = (now + 1).checked_sub(clocks as u64) {
                assert_eq!(line.q.val().to_u64(), 1000 + then, "{clocks} clocks, at {now}");
            }
        }
    }
}

#[test]
fn a_counter_carries_into_its_high_word() {
    let mut counters = Counters::<3>::default();
    counters.connect_all();
    counters.reset_n.next = false;
    clock!(counters);
    counters.reset_n.next = true;
    counters.happens[TESTS].next = true;
    // What happens in a clock is taken in, added up with the step of the next, and shows a clock after that.
    let mut values = vec![];
    for step in [7, 0xFFFF_FFFFu64, 1, 0xFFFF_FFFF, 0xFFFF_FFFF, 0, 0] {
        counters.tests_step.next = step.into();
        clock!(counters);
        values.push([counters.value[2 * TESTS + 1].val().to_u64(), counters.value[2 * TESTS].val().to_u64()]);
    }
    let counted = [[0, 0xFFFF_FFFF], [1, 0], [1, 0xFFFF_FFFF], [2, 0xFFFF_FFFE], [2, 0xFFFF_FFFE]];
    assert_eq!(values, [&[[0, 0]; 2], &counted[..]].concat());
    // The others rise by one, whatever the step.
    counters.happens[TESTS].next = false;
    counters.happens[EVENTS - 1].next = true;
    counters.tests_step.next = 1000.into();
    for count in [0, 0, 1, 2, 3] {
        clock!(counters);
        assert_eq!(counters.value[2 * COUNT - 2].val().to_u64(), count);
    }
    // Cleared, although something happens in the same clock.
    counters.clear.next = true;
    counters.happens[TESTS].next = true;
    counters.used[0].next = true;
    clock!(counters);
    counters.clear.next = false;
    counters.used[0].next = false;
    clock!(counters);
    assert!(counters.value.iter().all(|value| value.val().to_u64() == 0));
    clock!(counters);
    clock!(counters);
    assert_eq!(counters.value[2 * SLOTS].val().to_u64(), 0, "a slot of the clock of clearing");
}

#[test]
fn each_lane_counts_as_used_as_dead_or_as_lost_to_one_cause() {
    assert_eq!((counter_of(0), counter_of(TESTS), counter_of(EVENTS - 1)), (0, TESTS, COUNT - 1));
    let mut counters = Counters::<3>::default();
    counters.connect_all();
    counters.reset_n.next = true;
    counters.clear.next = true;
    clock!(counters);
    counters.clear.next = false;
    // Lanes that are used, lanes that are dead, and what the others are lost to.
    let clocks =
        [([1, 1, 1], [0, 0, 0], 0), ([0, 1, 0], [1, 0, 0], 2), ([0, 0, 0], [0, 0, 0], 3), ([0, 0, 1], [0, 0, 0], 2)];
    for (used, dead, cause) in clocks {
        for lane in 0..3 {
            counters.used[lane].next = used[lane] == 1;
            counters.dead[lane].next = dead[lane] == 1;
        }
        for (i, lost_to) in counters.lost_to.iter_mut().enumerate() {
            lost_to.next = i == cause;
        }
        clock!(counters);
    }
    counters.used[2].next = false;
    counters.lost_to[2].next = false;
    clock!(counters);
    clock!(counters);
    let slots: Vec<u64> = (SLOTS..SLOTS + 6).map(|i| counters.value[2 * i].val().to_u64()).collect();
    // Used, dead, then lost to: rays, spheres, the shader, the output.
    assert_eq!(slots, [5, 1, 0, 0, 3, 3]);
    assert_eq!(slots.iter().sum::<u64>(), 3 * clocks.len() as u64);
}

#[test]
fn a_queue_of_all_contexts_shows_an_entry_two_clocks_after_it_came() {
    let mut queue = Queue::<Bits<32>, 2>::default();
    queue.connect_all();
    let mut step = |reset: bool, push: Option<u64>, pop: bool| {
        queue.reset_n.next = !reset;
        queue.push.next = push.is_some();
        queue.push_data.next = push.unwrap_or(99).into();
        queue.pop.next = pop;
        clock!(queue);
        (!queue.empty.val()).then(|| queue.front.val().to_u64())
    };
    step(true, None, false);
    // Nothing to pop: the push beside it is kept.
    assert_eq!(step(false, Some(1), true), None);
    assert_eq!(step(false, None, true), Some(1));
    // All places are taken, and given back one a clock.
    for value in 2..=4 {
        assert_eq!(step(false, Some(value), false), Some(1));
    }
    let fronts: Vec<_> = (5..9).map(|value| step(false, (value < 7).then_some(value), true)).collect();
    assert_eq!(fronts, [Some(2), Some(3), Some(4), Some(5)]);
    assert_eq!(step(false, None, true), Some(6));
    assert_eq!(step(false, None, true), None);
    // Reset drops what is pushed beside it.
    step(false, Some(7), false);
    assert_eq!(step(true, Some(8), false), None);
    assert_eq!(step(false, None, false), None);
    assert_eq!(step(false, None, false), None);
}
