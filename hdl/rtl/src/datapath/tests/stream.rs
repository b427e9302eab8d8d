//! Streams in the crate's simulation: stalls, throughput, resets. `sim/tests/datapath.rs` compares with Verilator.

use super::random_inputs;
use crate::datapath::examples::*;
use crate::datapath::kernels::{ShadeStream, SphereHitStream};
use crate::datapath::{Kernel, StreamDatapath};
use crate::step;
use rayman_model::random::Random;
use std::collections::VecDeque;

struct Bench<S> {
    block: S,
    inputs: Vec<u32>,
    /// What is under way, in order.
    expected: VecDeque<Vec<u32>>,
    /// Clocks in which an input was taken.
    starts: Vec<u32>,
    results: u32,
    now: u32,
    /// What stood on the outputs and was not taken.
    held: Option<Vec<u32>>,
}

impl<S: StreamDatapath> Bench<S> {
    fn new(interval: u32) -> Self {
        let mut block = S::with_interval(interval);
        block.connect_all();
        let inputs = vec![0; S::Kernel::INPUTS.len() + 1];
        let mut bench =
            Self { block, inputs, expected: VecDeque::new(), starts: Vec::new(), results: 0, now: 0, held: None };
        bench.clock(false, false, false, &mut Random::for_test("reset", 1));
        bench
    }

    /// A clock; checks what is offered, and that it stays.
    fn clock(&mut self, reset_n: bool, in_valid: bool, out_ready: bool, random: &mut Random) {
        let (in_ready, out_valid, outputs) = self.block.answer();
        if in_valid {
            self.inputs = random_inputs::<S::Kernel>(random);
            self.inputs.push(random.next_u32());
        }
        if out_valid {
            assert_eq!(Some(&outputs), self.expected.front(), "{} in clock {}", S::Kernel::NAME, self.now);
        }
        if let Some(held) = self.held.take() {
            assert!(out_valid && outputs == held, "an offer was withdrawn in clock {}", self.now);
        }
        if !reset_n {
            self.expected.clear();
            self.starts.clear();
        } else {
            if out_valid && out_ready {
                self.expected.pop_front();
                self.results += 1;
            } else if out_valid {
                self.held = Some(outputs);
            }
            if in_valid && in_ready {
                let mut outputs = S::Kernel::words(&self.inputs[..self.inputs.len() - 1]);
                outputs.extend(self.inputs.last());
                self.expected.push_back(outputs);
                self.starts.push(self.now);
            }
        }
        self.block.drive(reset_n, in_valid, out_ready, &self.inputs);
        step::clock(&mut self.block, |block, level| block.set_clock(level)).expect("no loops");
        self.now += 1;
    }
}

/// Starts, stalls and resets at random: what comes out is what went in, in order.
fn loses_nothing<S: StreamDatapath>(interval: u32, clocks: u32, random: &mut Random) {
    let mut bench = Bench::<S>::new(interval);
    let (mut busy, mut willing) = (4, 4);
    for _ in 0..clocks {
        if random.one_in(100) {
            busy = random.below(6).min(4);
        }
        if random.one_in(100) {
            willing = random.below(6).min(4);
        }
        let reset_n = !random.one_in(1500);
        bench.clock(reset_n, random.below(4) < busy, random.below(4) < willing, random);
    }
    assert!(bench.results > clocks / interval / 8, "only {} results", bench.results);
    // At last all that is under way comes out.
    let patience = 2 * bench.block.design().latency() + 2 * bench.block.design().stream_depth();
    (0..patience).for_each(|_| bench.clock(true, false, true, random));
    assert_eq!(bench.expected.len(), 0, "{} results were lost", bench.expected.len());
}

#[test]
fn a_stalled_consumer_loses_nothing() {
    let random = &mut Random::for_test("a_stalled_consumer_loses_nothing", 1);
    for interval in [1, 2, 3, 8, 16] {
        loses_nothing::<DotProductStream>(interval, 6000, random);
        loses_nothing::<NormaliseStream>(interval, 6000, random);
        loses_nothing::<MixtureStream>(interval, 6000, random);
    }
    loses_nothing::<HornerStream>(5, 6000, random);
    loses_nothing::<SphereHitStream>(1, 6000, random);
    loses_nothing::<ShadeStream>(8, 12_000, random);
}

/// A consumer that takes nothing fills the queue and no more; then everything comes, a result a clock.
fn is_full_and_no_more<S: StreamDatapath>(interval: u32, random: &mut Random) {
    let mut bench = Bench::<S>::new(interval);
    let depth = bench.block.design().stream_depth();
    let patience = bench.block.design().latency() + interval * (depth + 2);
    (0..patience).for_each(|_| bench.clock(true, true, false, random));
    assert_eq!(bench.starts.len() as u32, depth, "credits");
    (0..depth).for_each(|_| bench.clock(true, false, true, random));
    assert_eq!((bench.results, bench.expected.len()), (depth, 0), "a result a clock");
}

#[test]
fn a_stream_takes_as_much_as_it_has_room_for() {
    let random = &mut Random::for_test("a_stream_takes_as_much_as_it_has_room_for", 1);
    for interval in [1, 2, 7, 16] {
        is_full_and_no_more::<DotProductStream>(interval, random);
        is_full_and_no_more::<MixtureStream>(interval, random);
    }
    is_full_and_no_more::<SphereHitStream>(1, random);
}

/// With nobody stalling, a start every interval, for as long as one likes.
fn is_fast<S: StreamDatapath>(interval: u32, random: &mut Random) {
    let mut bench = Bench::<S>::new(interval);
    let latency = bench.block.design().latency();
    let clocks = 4 * latency + 20 * interval;
    (0..clocks).for_each(|_| bench.clock(true, true, true, random));
    assert!(bench.starts.windows(2).all(|two| two[1] - two[0] == interval), "a start every {interval} clocks");
    // The last ones, `latency + 2` clocks' worth, are still inside.
    let inside = (latency + 2).div_ceil(interval) as usize;
    assert!(bench.expected.len() <= inside, "{} of {inside} inside", bench.expected.len());
}

#[test]
fn while_nobody_stalls_a_start_is_taken_every_interval() {
    let random = &mut Random::for_test("while_nobody_stalls_a_start_is_taken_every_interval", 1);
    for interval in [1, 2, 3, 4, 5, 8, 16, 64] {
        is_fast::<DotProductStream>(interval, random);
        is_fast::<NormaliseStream>(interval, random);
        is_fast::<MixtureStream>(interval, random);
    }
    is_fast::<SphereHitStream>(1, random);
    is_fast::<ShadeStream>(8, random);
}
