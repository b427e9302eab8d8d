//! The read master against a memory with random latency, stalls and errors.

use super::super::testing::{before_edge, edge, Held, Rng};
use super::super::ReadMaster;
use super::super::{BURST_BEATS, READS_OUTSTANDING};
use rust_hdl_core::prelude::*;
use std::collections::VecDeque;

const OKAY: u64 = 0;
const SLVERR: u64 = 2;
const DECERR: u64 = 3;

fn contents(address: u32) -> u32 {
    address.wrapping_mul(0x9E37_79B9) ^ 0x5A5A_1234
}

/// The bursts that a request must become: as long as can be.
fn bursts(address: u32, words: u32) -> Vec<(u32, u32)> {
    let (mut at, mut left, mut list) = (u64::from(address), u64::from(words), vec![]);
    while left > 0 {
        let beats = left.min(BURST_BEATS as u64).min((4096 - at % 4096) / 4);
        list.push((at as u32, beats as u32));
        at += 4 * beats;
        left -= beats;
    }
    list
}

/// How the neighbours behave: chances in a hundred, and clocks from an address to its first beat.
#[derive(Clone, Copy, Debug)]
struct Manners {
    request: u64,
    address: u64,
    beat: u64,
    data: u64,
    latency: u64,
}

const EAGER: Manners = Manners { request: 100, address: 100, beat: 100, data: 100, latency: 0 };

/// The block with its two neighbours, and all that must hold in every clock.
struct Bench {
    block: ReadMaster,
    rng: Rng,
    manners: Manners,
    clock: u64,
    /// Requests to make.
    requests: VecDeque<(u32, u32)>,
    /// Bursts accepted: address, beats, first clock of an answer.
    accepted: VecDeque<(u32, u32, u64)>,
    /// Beats sent of the oldest burst.
    sent: u32,
    /// A beat on the bus, not yet taken.
    offered: Option<(u32, u64, bool)>,
    errors: Vec<(u32, u64)>,
    address_held: Held<(u32, u64)>,
    data_held: Held<u32>,
    all_bursts: Vec<(u32, u32)>,
    received: Vec<u32>,
    stalls: (u64, u64),
}

impl Bench {
    fn new(seed: u64, manners: Manners) -> Self {
        let mut block = ReadMaster::default();
        block.connect_all();
        let mut bench = Self {
            block,
            rng: Rng::new(seed),
            manners,
            clock: 0,
            requests: VecDeque::new(),
            accepted: VecDeque::new(),
            sent: 0,
            offered: None,
            errors: vec![],
            address_held: Held::default(),
            data_held: Held::default(),
            all_bursts: vec![],
            received: vec![],
            stalls: (0, 0),
        };
        bench.reset();
        bench
    }

    fn reset(&mut self) {
        self.block.reset_n.next = false;
        self.block.bus.rvalid.next = false;
        self.block.request_valid.next = false;
        for _ in 0..2 {
            before_edge(&mut self.block);
            edge(&mut self.block);
        }
        before_edge(&mut self.block);
        let block = &mut self.block;
        assert!(!block.bus.arvalid.val() && !block.data_valid.val() && !block.failed.val() && block.idle.val());
        block.reset_n.next = true;
        self.accepted.clear();
        (self.sent, self.offered) = (0, None);
        self.address_held.reset();
        self.data_held.reset();
    }

    fn outstanding(&self) -> usize {
        self.accepted.len()
    }

    fn step(&mut self) {
        let manners = self.manners;
        // The requester. An offered request stays.
        if self.block.request_valid.next {
        } else if let Some(&(address, words)) = self.requests.front() {
            if self.rng.chance(manners.request) {
                self.block.request_valid.next = true;
                self.block.request_address.next = u64::from(address).into();
                self.block.request_words.next = u64::from(words).into();
            }
        }
        self.block.data_ready.next = self.rng.chance(manners.data);
        // The memory. An offered beat stays.
        self.block.bus.arready.next = self.rng.chance(manners.address);
        if self.offered.is_none() {
            if let Some(&(address, beats, from)) = self.accepted.front() {
                if self.clock >= from && self.rng.chance(manners.beat) {
                    let at = address + 4 * self.sent;
                    let response = self.errors.iter().find(|(where_, _)| *where_ == at).map_or(OKAY, |(_, what)| *what);
                    self.offered = Some((at, response, self.sent + 1 == beats));
                }
            }
        }
        let bus = &mut self.block.bus;
        bus.rvalid.next = self.offered.is_some();
        if let Some((at, response, last)) = self.offered {
            bus.rdata.next = u64::from(contents(at)).into();
            bus.rresp.next = response.into();
            bus.rlast.next = last;
        }

        before_edge(&mut self.block);
        let block = &self.block;
        let (bus, stopped) = (&block.bus, block.stop.next);
        let payload = (bus.araddr.val().to_u32(), bus.arlen.val().to_u64());
        self.stalls.0 += u64::from(bus.arvalid.val() && !bus.arready.next);
        self.stalls.1 += u64::from(block.stalled.val());
        let burst = self.address_held.watch("AR", bus.arvalid.val(), bus.arready.next, payload);
        if stopped {
            self.data_held.reset();
        }
        let word =
            self.data_held.watch("data", block.data_valid.val(), block.data_ready.next, block.data.val().to_u32());
        if let Some(word) = word.filter(|_| !stopped) {
            self.received.push(word);
        }
        if stopped {
            self.data_held.reset();
        }
        let beat = bus.rvalid.next && bus.rready.val();
        assert!(!bus.rvalid.next || bus.rready.val(), "there is room for every beat that was asked for");
        let requested = block.request_valid.next && block.request_ready.val();
        if block.idle.val() {
            assert!(self.accepted.is_empty() && !bus.arvalid.val() && !block.data_valid.val(), "idle is idle");
        }
        edge(&mut self.block);

        self.clock += 1;
        if requested {
            self.requests.pop_front();
            self.block.request_valid.next = false;
        }
        if beat {
            let (_, _, last) = self.offered.take().unwrap();
            self.sent += 1;
            if last {
                self.accepted.pop_front();
                self.sent = 0;
            }
        }
        if let Some((address, length)) = burst {
            let beats = length as u32 + 1;
            assert!(beats as usize <= BURST_BEATS && address % 4 == 0);
            assert_eq!(address / 4096, (address + 4 * length as u32) / 4096, "a burst over a page's edge");
            self.accepted.push_back((address, beats, self.clock + manners.latency));
            self.all_bursts.push((address, beats));
            assert!(self.outstanding() <= READS_OUTSTANDING);
        }
    }

    fn run_until(&mut self, what: &str, limit: u64, done: impl Fn(&Self) -> bool) {
        let from = self.clock;
        while !done(self) {
            assert!(self.clock - from < limit, "{what}: not within {limit} clocks");
            self.step();
        }
    }

    /// Makes requests and checks that exactly their words came, in the right bursts.
    fn transfer(&mut self, requests: &[(u32, u32)], limit: u64) {
        self.all_bursts.clear();
        self.received.clear();
        self.requests = requests.iter().copied().collect();
        let words: usize = requests.iter().map(|(_, words)| *words as usize).sum();
        self.run_until("all words", limit, |bench| bench.received.len() >= words);
        for _ in 0..5 {
            self.step();
        }
        let want: Vec<u32> =
            requests.iter().flat_map(|(address, words)| (0..*words).map(move |i| contents(address + 4 * i))).collect();
        assert!(self.received == want, "the words are not those of {requests:x?}");
        let want: Vec<_> = requests.iter().flat_map(|(address, words)| bursts(*address, *words)).collect();
        assert_eq!(self.all_bursts, want);
        assert!(self.block.idle.val() && !self.block.failed.val());
        assert_eq!(self.stalls.0, self.stalls.1, "clocks in which an address waited");
    }

    /// As frame control does: stop, wait, clear.
    fn stop_and_clear(&mut self) {
        self.block.stop.next = true;
        self.block.request_valid.next = false;
        self.requests.clear();
        self.run_until("idle after stop", 2000, |bench| bench.clock > 0 && bench.block.idle.val());
        self.block.clear.next = true;
        self.step();
        self.block.clear.next = false;
        self.block.stop.next = false;
        self.step();
        assert!(!self.block.failed.val());
    }
}

#[test]
fn requests_become_bursts_at_every_edge_of_a_page() {
    let mut bench = Bench::new(1, EAGER);
    for words in [1, 2, 15, 16, 17, 31, 32, 33] {
        for before_edge in 0..=18 {
            bench.transfer(&[(0x8000_1000 - 4 * before_edge, words)], 400);
        }
    }
    // The last words that there are.
    bench.transfer(&[(0xFFFF_FFFC, 1), (0xFFFF_FF00, 64), (0, 3)], 400);
    bench.transfer(&[(0x8000_0004, 1500)], 4000);
    // One for no word is in nobody's way.
    bench.transfer(&[(0x8000_0000, 2), (0x8000_0100, 0), (0x8000_0200, 3)], 400);
}

#[test]
fn random_requests_with_stalls_on_every_channel() {
    for seed in 10..30 {
        let mut bench = Bench::new(seed, EAGER);
        let chance = |rng: &mut Rng| [100, 80, 40, 10][rng.below(4) as usize];
        bench.manners = Manners {
            request: chance(&mut bench.rng),
            address: chance(&mut bench.rng),
            beat: chance(&mut bench.rng),
            data: chance(&mut bench.rng),
            latency: bench.rng.below(60),
        };
        let requests: Vec<_> =
            (0..12).map(|_| (0x8000_0000 + 4 * bench.rng.below(4000) as u32, 1 + bench.rng.below(90) as u32)).collect();
        bench.transfer(&requests, 40_000);
    }
}

#[test]
fn a_word_a_clock_at_forty_clocks_of_latency() {
    for latency in [0, 40] {
        let mut bench = Bench::new(2, Manners { latency, ..EAGER });
        bench.transfer(&[(0x8000_0000, 4096)], 5000);
        let spent = bench.clock;
        assert!(spent < 4096 + latency + 20, "{spent} clocks for 4096 words at latency {latency}");
        // Requests of a carousel's turn each: where they meet, a short burst may cost a few clocks.
        let mut bench = Bench::new(3, Manners { latency, ..EAGER });
        bench.transfer(&[(0x8000_0000, 600); 8], 6000);
        assert!(bench.clock < 4848 + latency + 20, "{} clocks for 4800 words at latency {latency}", bench.clock);
    }
}

#[test]
fn a_burst_is_on_the_bus_three_clocks_after_its_request() {
    let mut bench = Bench::new(4, EAGER);
    bench.requests.push_back((0x8000_0000, 1));
    for _ in 0..2 {
        bench.step();
        assert!(!bench.block.bus.arvalid.val());
    }
    bench.step();
    assert!(bench.block.bus.arvalid.val());
}

/// An error on any beat of any burst: what is before it is delivered, nothing after it, and its address is told.
#[test]
fn an_error_on_any_beat_ends_the_delivery_there() {
    for (at, response) in (0..40).map(|at| (at, if at % 2 == 0 { SLVERR } else { DECERR })) {
        for stall in [100, 50] {
            let mut bench = Bench::new(100 + u64::from(at), Manners { beat: stall, data: stall, ..EAGER });
            let start = 0x8000_0FE8;
            bench.errors.push((start + 4 * at, response));
            // A second error, later, must not replace the first.
            bench.errors.push((start + 4 * at + 8, SLVERR ^ DECERR ^ response));
            bench.requests.push_back((start, 40));
            bench.requests.push_back((0x8000_8000, 4));
            bench.run_until("failed", 2000, |bench| bench.block.failed.val());
            for _ in 0..100 {
                bench.step();
            }
            assert_eq!(bench.outstanding(), 0, "bursts under way complete without a stop");
            let want: Vec<u32> = (0..at).map(|i| contents(start + 4 * i)).collect();
            assert_eq!(bench.received, want, "error at word {at}");
            assert_eq!(bench.block.failed_address.val().to_u32(), start + 4 * at);
            assert_eq!(bench.block.failed_decode.val(), response == DECERR);
            bench.errors.clear();
            bench.stop_and_clear();
            bench.transfer(&[(start, 40)], 4000);
        }
    }
}

#[test]
fn stop_at_any_clock_ends_idle_and_the_next_request_is_whole() {
    for at in 0..150 {
        let manners = Manners { request: 100, address: 60, beat: 70, data: 50, latency: at % 30 };
        let mut bench = Bench::new(200 + at, manners);
        bench.requests.push_back((0x8000_0F80, 100));
        for _ in 0..at {
            bench.step();
        }
        let accepted = bench.all_bursts.len();
        let announced = usize::from(bench.block.bus.arvalid.val());
        bench.stop_and_clear();
        assert!(bench.all_bursts.len() <= accepted + announced, "a burst was started after stop");
        bench.transfer(&[(0x8000_2000, 33)], 4000);
    }
}

/// Errors among what a stop drops are not reported.
#[test]
fn an_error_after_stop_is_dropped_with_its_word() {
    let mut bench = Bench::new(5, Manners { latency: 20, ..EAGER });
    bench.errors.push((0x8000_0004, DECERR));
    bench.requests.push_back((0x8000_0000, 16));
    bench.run_until("accepted", 20, |bench| bench.outstanding() == 1);
    bench.block.stop.next = true;
    bench.run_until("idle", 100, |bench| bench.outstanding() == 0 && bench.block.idle.val());
    assert!(!bench.block.failed.val());
}

/// A stop of a single clock still drops all that was asked for before it.
#[test]
fn what_a_short_stop_dropped_stays_dropped() {
    for at in 0..60 {
        let mut bench = Bench::new(400 + at, Manners { latency: 12, data: 60, ..EAGER });
        bench.requests.push_back((0x8000_0000, 64));
        for _ in 0..at {
            bench.step();
        }
        bench.requests.clear();
        bench.block.request_valid.next = false;
        bench.block.stop.next = true;
        bench.step();
        bench.block.stop.next = false;
        bench.received.clear();
        bench.requests.push_back((0x8000_4000, 20));
        bench.run_until("the new words", 400, |bench| bench.received.len() == 20);
        for _ in 0..60 {
            bench.step();
        }
        let want: Vec<u32> = (0..20).map(|i| contents(0x8000_4000 + 4 * i)).collect();
        assert_eq!(bench.received, want);
    }
}

#[test]
fn reset_in_mid_flight_leaves_nothing() {
    for at in 0..60 {
        let mut bench = Bench::new(300 + at, Manners { latency: 10, data: 30, ..EAGER });
        bench.requests.push_back((0x8000_0000, 70));
        for _ in 0..at {
            bench.step();
        }
        bench.requests.clear();
        bench.reset();
        bench.transfer(&[(0x8000_0FF0, 20)], 4000);
    }
}
