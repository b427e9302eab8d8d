//! The pixel output against a memory and a video sink with random stalls and errors.

use super::super::testing::{before_edge, edge, Held, Rng};
use super::super::video::{tdata_from_xrgb, xrgb_from_tdata};
use super::super::{PixelOutput, BURST_BEATS, WRITES_OUTSTANDING};
use rust_hdl_core::prelude::*;
use std::collections::{HashMap, VecDeque};

const OKAY: u64 = 0;
const SLVERR: u64 = 2;
const DECERR: u64 = 3;

/// How the neighbours behave: chances in a hundred, and clocks from a burst's last beat to its answer.
#[derive(Clone, Copy, Debug)]
struct Manners {
    pixel: u64,
    address: u64,
    beat: u64,
    answer: u64,
    stream: u64,
    latency: u64,
}

const EAGER: Manners = Manners { pixel: 100, address: 100, beat: 100, answer: 100, stream: 100, latency: 0 };

#[derive(Clone, Copy, Debug)]
struct Picture {
    width: u32,
    height: u32,
    stream: bool,
    /// Address and stride.
    framebuffer: Option<(u32, u32)>,
}

impl Picture {
    fn pixels(&self) -> u32 {
        self.width * self.height
    }
}

fn colour(number: u32) -> u32 {
    (number.wrapping_mul(0x9E37_79B9) ^ 0x12_3456) & 0xFF_FFFF
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Beat {
    data: u32,
    first: bool,
    last: bool,
}

struct Bench {
    block: PixelOutput,
    rng: Rng,
    manners: Manners,
    clock: u64,
    /// Pixels taken since `start`, and what the picture's pixels are counted from.
    taken: u32,
    salt: u32,
    /// Pixels that went to the outputs.
    passed: u32,
    /// Pixels the engine may offer.
    available: u32,
    /// Bursts accepted whose beats are not all here: address, beats so far, beats.
    accepted: VecDeque<(u32, u32, u32)>,
    /// Beats that came before their address, with WLAST.
    early: VecDeque<(u32, bool)>,
    /// Bursts to answer: address, first clock of the answer.
    unanswered: VecDeque<(u32, u64)>,
    offered: Option<(u32, u64)>,
    errors: Vec<(u32, u64)>,
    memory: HashMap<u32, u32>,
    bursts: Vec<(u32, u32)>,
    beats: Vec<Beat>,
    address_held: Held<(u32, u64)>,
    data_held: Held<(u32, bool)>,
    stream_held: Held<Beat>,
    last_beats: u64,
}

impl Bench {
    fn new(seed: u64, manners: Manners) -> Self {
        let mut block = PixelOutput::default();
        block.connect_all();
        let mut bench = Self {
            block,
            rng: Rng::new(seed),
            manners,
            clock: 0,
            taken: 0,
            passed: 0,
            salt: 0,
            available: 0,
            accepted: VecDeque::new(),
            early: VecDeque::new(),
            unanswered: VecDeque::new(),
            offered: None,
            errors: vec![],
            memory: HashMap::new(),
            bursts: vec![],
            beats: vec![],
            address_held: Held::default(),
            data_held: Held::default(),
            stream_held: Held::default(),
            last_beats: 0,
        };
        bench.reset();
        bench
    }

    fn reset(&mut self) {
        self.block.reset_n.next = false;
        self.block.bus.bvalid.next = false;
        for _ in 0..2 {
            before_edge(&mut self.block);
            edge(&mut self.block);
        }
        before_edge(&mut self.block);
        let block = &mut self.block;
        assert!(!block.bus.awvalid.val() && !block.bus.wvalid.val() && !block.m_axis_video.tvalid.val());
        assert!(block.idle.val() && block.stopped.val() && !block.failed.val() && !block.pixel_ready.val());
        block.reset_n.next = true;
        self.accepted.clear();
        self.early.clear();
        self.unanswered.clear();
        self.offered = None;
        self.address_held.reset();
        self.data_held.reset();
        self.stream_held.reset();
        (self.taken, self.passed, self.available) = (0, 0, 0);
        self.memory.clear();
        self.bursts.clear();
        self.beats.clear();
    }

    fn start(&mut self, picture: Picture) {
        let block = &mut self.block;
        block.width.next = u64::from(picture.width).into();
        block.height.next = u64::from(picture.height).into();
        block.stream_enable.next = picture.stream;
        block.framebuffer_enable.next = picture.framebuffer.is_some();
        let (address, stride) = picture.framebuffer.unwrap_or((0, 4));
        block.framebuffer_address.next = u64::from(address).into();
        block.framebuffer_stride.next = u64::from(stride).into();
        block.start.next = true;
        // A pixel offered in this very clock must wait.
        self.salt = self.salt.wrapping_add(self.taken);
        (self.taken, self.passed, self.available) = (0, 0, picture.pixels());
        self.memory.clear();
        self.bursts.clear();
        self.beats.clear();
        self.step();
        assert_eq!(self.taken, 0);
        self.block.start.next = false;
    }

    fn step(&mut self) {
        let manners = self.manners;
        let block = &mut self.block;
        if self.taken == self.available {
            block.pixel_valid.next = false;
        } else if !block.pixel_valid.next {
            block.pixel_valid.next = self.rng.chance(manners.pixel);
        }
        block.pixel.next = u64::from(colour(self.salt.wrapping_add(self.taken))).into();
        block.bus.awready.next = self.rng.chance(manners.address);
        block.bus.wready.next = self.rng.chance(manners.beat);
        block.m_axis_video.tready.next = self.rng.chance(manners.stream);
        if self.offered.is_none() {
            if let Some(&(address, from)) = self.unanswered.front() {
                if self.clock >= from && self.rng.chance(manners.answer) {
                    let response = self.errors.iter().find(|(at, _)| *at == address).map_or(OKAY, |(_, what)| *what);
                    self.offered = Some((address, response));
                }
            }
        }
        block.bus.bvalid.next = self.offered.is_some();
        block.bus.bresp.next = self.offered.map_or(0, |(_, response)| response).into();

        before_edge(&mut self.block);
        let block = &self.block;
        let bus = &block.bus;
        let payload = (bus.awaddr.val().to_u32(), bus.awlen.val().to_u64());
        let address = self.address_held.watch("AW", bus.awvalid.val(), bus.awready.next, payload);
        let payload = (bus.wdata.val().to_u32(), bus.wlast.val());
        let data = self.data_held.watch("W", bus.wvalid.val(), bus.wready.next, payload);
        let video = &block.m_axis_video;
        let payload = Beat { data: video.tdata.val().to_u32(), first: video.tuser.val(), last: video.tlast.val() };
        let beat = self.stream_held.watch("T", video.tvalid.val(), video.tready.next, payload);
        let answered = bus.bvalid.next && bus.bready.val();
        assert!(!bus.bvalid.next || bus.bready.val(), "a response never waits");
        let taken = block.pixel_valid.next && block.pixel_ready.val();
        let passed = block.pixel_taken.val();
        assert!(!passed || self.passed < self.taken, "a pixel passed on that was not taken");
        let stalled = (bus.awvalid.val() && !bus.awready.next) || (bus.wvalid.val() && !bus.wready.next);
        assert_eq!(stalled, block.stalled.val());
        if block.idle.val() || block.stopped.val() {
            assert!(self.accepted.is_empty() && self.early.is_empty() && self.unanswered.is_empty());
            assert!(!bus.awvalid.val() && !bus.wvalid.val());
        }
        assert!(!(block.idle.val() && block.stream_enable.next && video.tvalid.val()), "idle with a beat offered");
        edge(&mut self.block);

        self.clock += 1;
        self.taken += u32::from(taken);
        self.passed += u32::from(passed);
        if taken {
            self.block.pixel_valid.next = false;
        }
        self.beats.extend(beat);
        self.last_beats += u64::from(data.is_some());
        if answered {
            self.offered = None;
            self.unanswered.pop_front();
        }
        if let Some((address, length)) = address {
            let beats = length as u32 + 1;
            assert!(beats as usize <= BURST_BEATS && address % 4 == 0);
            assert_eq!(address / 4096, (address + 4 * length as u32) / 4096, "a burst over a page's edge");
            self.accepted.push_back((address, 0, beats));
            self.bursts.push((address, beats));
            assert!(self.accepted.len() + self.unanswered.len() <= WRITES_OUTSTANDING);
        }
        self.early.extend(data);
        // Beats belong to the accepted bursts in order.
        while let (Some((address, sent, beats)), false) = (self.accepted.front_mut(), self.early.is_empty()) {
            let (word, last) = self.early.pop_front().unwrap();
            self.memory.insert(*address + 4 * *sent, word);
            *sent += 1;
            assert_eq!(last, sent == beats, "WLAST on the last beat and no other");
            if last {
                self.unanswered.push_back((*address, self.clock + self.manners.latency));
                self.accepted.pop_front();
            }
        }
    }

    fn run_until(&mut self, what: &str, limit: u64, done: impl Fn(&Self) -> bool) {
        let from = self.clock;
        while !done(self) {
            assert!(self.clock - from < limit, "{what}: not within {limit} clocks");
            self.step();
        }
    }

    /// The whole picture, and nothing but the picture. Answers the clocks it took.
    fn frame(&mut self, picture: Picture, limit: u64) -> u64 {
        self.start(picture);
        let from = self.clock;
        // More pixels are offered than there are: they must not be taken.
        self.available += 3;
        self.run_until("the frame", limit, |bench| bench.taken == picture.pixels() && bench.block.idle.val());
        let clocks = self.clock - from;
        for _ in 0..5 {
            self.step();
        }
        assert_eq!(self.taken, picture.pixels(), "pixels past the picture's end were taken");
        assert_eq!(self.passed, self.taken, "pixels that went to the outputs");
        self.available = self.taken;
        self.block.pixel_valid.next = false;
        self.check(picture);
        clocks
    }

    fn check(&self, picture: Picture) {
        let pixel = |i: u32| colour(self.salt.wrapping_add(i));
        if let Some((address, stride)) = picture.framebuffer {
            let mut want = HashMap::new();
            let mut bursts = vec![];
            for y in 0..picture.height {
                let row = address.wrapping_add(y.wrapping_mul(stride));
                for x in 0..picture.width {
                    let at = row + 4 * x;
                    want.insert(at, pixel(y * picture.width + x));
                    match bursts.last_mut() {
                        Some((_, beats)) if x != 0 && *beats < 16 && at % 4096 != 0 => *beats += 1,
                        _ => bursts.push((at, 1)),
                    }
                }
            }
            assert!(self.memory == want, "the framebuffer of {picture:?}");
            assert_eq!(self.bursts, bursts, "{picture:?}");
        } else {
            assert!(self.memory.is_empty() && self.bursts.is_empty());
        }
        if picture.stream {
            let want: Vec<Beat> = (0..picture.pixels())
                .map(|i| Beat {
                    data: tdata_from_xrgb(pixel(i)),
                    first: i == 0,
                    last: i % picture.width == picture.width - 1,
                })
                .collect();
            assert!(self.beats == want, "the stream of {picture:?}");
        } else {
            assert!(self.beats.is_empty());
        }
    }

    /// As frame control does: stop, wait until stopped, clear.
    fn stop_and_clear(&mut self) {
        self.block.stop.next = true;
        self.available = self.taken;
        self.block.pixel_valid.next = false;
        // The stop is heard from its second clock on.
        self.step();
        let announced = usize::from(self.block.bus.awvalid.val());
        let bursts = self.bursts.len();
        self.step();
        self.run_until("stopped", 4000, |bench| bench.block.stopped.val());
        assert!(self.bursts.len() <= bursts + announced, "a burst was announced after stop");
        self.block.clear.next = true;
        self.step();
        self.block.clear.next = false;
        self.block.stop.next = false;
        self.step();
        assert!(!self.block.failed.val());
    }
}

#[test]
fn colours_of_the_stream_are_in_ug934s_order() {
    assert_eq!(tdata_from_xrgb(0x11_22_33), 0x11_33_22);
    assert_eq!(xrgb_from_tdata(0x11_33_22), 0x11_22_33);
}

#[test]
fn rows_bursts_and_pages_at_every_edge() {
    let mut bench = Bench::new(1, EAGER);
    for width in [1, 2, 15, 16, 17, 31, 32, 33, 40] {
        for offset in [0, 4, 0x3C, 0xFC0, 0xFC4, 0xFF8, 0xFFC] {
            for padding in [0, 4, 4096] {
                let framebuffer = Some((0x8000_0000 + offset, 4 * width + padding));
                bench.frame(Picture { width, height: 3, stream: width % 2 == 0, framebuffer }, 4000);
            }
        }
    }
    // The last words that there are.
    bench.frame(Picture { width: 5, height: 2, stream: false, framebuffer: Some((0xFFFF_FFD8, 20)) }, 400);
}

#[test]
fn random_pictures_with_stalls_on_every_channel() {
    for seed in 10..60 {
        let mut bench = Bench::new(seed, EAGER);
        let chance = |rng: &mut Rng| [100, 90, 50, 12][rng.below(4) as usize];
        for _ in 0..3 {
            let rng = &mut bench.rng;
            bench.manners = Manners {
                pixel: chance(rng),
                address: chance(rng),
                beat: chance(rng),
                answer: chance(rng),
                stream: chance(rng),
                latency: rng.below(50),
            };
            let (width, height) = (1 + rng.below(70) as u32, 1 + rng.below(6) as u32);
            let framebuffer =
                rng.chance(80).then(|| (0x8000_0000 + 4 * rng.below(3000) as u32, 4 * (width + rng.below(20) as u32)));
            let stream = rng.chance(70);
            bench.frame(Picture { width, height, stream, framebuffer }, 40_000);
        }
    }
}

#[test]
fn a_pixel_every_three_clocks_to_each_consumer() {
    let framebuffer = Some((0x8000_0000, 4 * 640));
    for (stream, framebuffer) in [(false, None), (true, None), (false, framebuffer), (true, framebuffer)] {
        let mut bench = Bench::new(2, Manners { latency: 40, ..EAGER });
        let clocks = bench.frame(Picture { width: 640, height: 4, stream, framebuffer }, 12_000);
        assert!(
            clocks < 3 * 2560 + 60,
            "{clocks} clocks for 2560 pixels, stream {stream}, framebuffer {framebuffer:x?}"
        );
    }
}

#[test]
fn a_burst_is_announced_only_with_all_its_words() {
    let mut bench = Bench::new(3, EAGER);
    bench.start(Picture { width: 40, height: 1, stream: false, framebuffer: Some((0x8000_0000, 160)) });
    bench.available = 15;
    for _ in 0..60 {
        bench.step();
    }
    assert!(bench.bursts.is_empty() && !bench.block.bus.awvalid.val() && bench.last_beats == 0);
    bench.available = 16;
    bench.run_until("the burst", 10, |bench| bench.bursts.len() == 1);
    bench.run_until("its beats", 20, |bench| bench.last_beats == 16);
    assert!(!bench.block.idle.val());
}

/// No valid waits for a ready: with no ready at all, AW and W are both offered.
#[test]
fn addresses_and_beats_do_not_wait_for_each_other() {
    for (address, beat) in [(0, 100), (100, 0), (0, 0)] {
        let mut bench = Bench::new(4, Manners { address, beat, ..EAGER });
        bench.start(Picture { width: 16, height: 1, stream: false, framebuffer: Some((0x8000_0000, 64)) });
        for _ in 0..100 {
            bench.step();
        }
        assert_eq!(bench.block.bus.awvalid.val(), address == 0);
        assert_eq!(bench.block.bus.wvalid.val(), beat == 0);
        assert_eq!(bench.last_beats, if beat == 0 { 0 } else { 16 });
    }
}

/// With nobody taking the stream, a bounded number of pixels is taken; the writer still gets no more than the stream.
#[test]
fn each_consumer_holds_the_other_back() {
    let picture = Picture { width: 64, height: 8, stream: true, framebuffer: Some((0x8000_0000, 256)) };
    let mut bench = Bench::new(5, Manners { stream: 0, ..EAGER });
    bench.start(picture);
    for _ in 0..300 {
        bench.step();
    }
    assert_eq!((bench.taken, bench.passed), (3, 2), "the stream's two, and one that is held");
    let mut bench = Bench::new(6, Manners { address: 0, beat: 0, ..EAGER });
    bench.start(picture);
    for _ in 0..300 {
        bench.step();
    }
    assert_eq!((bench.taken, bench.passed), (65, 64), "what the word queue holds, and one that is held");
}

#[test]
fn an_error_tells_its_burst_and_nothing_more_is_announced() {
    for (bad, response) in (0..8).map(|bad| (bad, if bad % 2 == 0 { SLVERR } else { DECERR })) {
        for latency in [0, 30] {
            let mut bench = Bench::new(100 + u64::from(bad), Manners { latency, ..EAGER });
            let address = 0x8000_0100 + 64 * bad;
            bench.errors.push((address, response));
            bench.errors.push((address + 64, SLVERR ^ DECERR ^ response));
            let picture = Picture { width: 256, height: 4, stream: true, framebuffer: Some((0x8000_0100, 1024)) };
            bench.start(picture);
            bench.run_until("failed", 2000, |bench| bench.block.failed.val());
            let bursts = bench.bursts.len() + usize::from(bench.block.bus.awvalid.val());
            for _ in 0..200 {
                bench.step();
            }
            assert_eq!(bench.bursts.len(), bursts);
            assert_eq!(bench.block.failed_address.val().to_u32(), address);
            assert_eq!(bench.block.failed_decode.val(), response == DECERR);
            bench.errors.clear();
            bench.stop_and_clear();
            bench.run_until("the leftover beat", 10, |bench| !bench.block.m_axis_video.tvalid.val());
            bench.frame(picture, 4000);
        }
    }
}

#[test]
fn stop_at_any_clock_completes_what_was_announced_and_the_next_frame_is_whole() {
    for at in 0..170 {
        let manners = Manners { pixel: 80, address: 50, beat: 60, answer: 50, stream: 70, latency: at % 25 };
        let mut bench = Bench::new(200 + at, manners);
        let picture = Picture { width: 37, height: 3, stream: at % 3 != 0, framebuffer: Some((0x8000_0FA0, 148)) };
        bench.start(picture);
        for _ in 0..at {
            bench.step();
        }
        bench.stop_and_clear();
        // What reached memory is part of the picture.
        for (address, word) in &bench.memory {
            let number = (address - 0x8000_0FA0) / 4;
            assert_eq!(*word, colour(bench.salt.wrapping_add(number)));
        }
        bench.run_until("the leftover beat", 100, |bench| !bench.block.m_axis_video.tvalid.val());
        bench.frame(Picture { stream: true, ..picture }, 4000);
    }
}

/// Nobody takes the stream: stop does not wait for the offered beat, which stays; the next frame follows behind it.
#[test]
fn an_offered_beat_outlives_its_frame() {
    let picture = Picture { width: 5, height: 2, stream: true, framebuffer: None };
    let mut bench = Bench::new(7, Manners { stream: 0, ..EAGER });
    bench.start(picture);
    for _ in 0..20 {
        bench.step();
    }
    let left_over = colour(bench.salt);
    bench.stop_and_clear();
    assert!(bench.block.m_axis_video.tvalid.val() && !bench.block.idle.val());
    // A frame without the stream completes all the same.
    bench.start(Picture { stream: false, ..picture });
    bench.run_until("a frame to nowhere", 40, |bench| bench.taken == 10 && bench.block.idle.val());
    assert!(bench.block.m_axis_video.tvalid.val(), "the beat is still there");
    // A frame with the stream comes behind the beat, from its first pixel.
    bench.start(picture);
    for _ in 0..10 {
        bench.step();
    }
    bench.manners.stream = 100;
    bench.run_until("the frame", 40, |bench| bench.taken == 10 && bench.block.idle.val());
    let old = bench.beats.remove(0);
    assert_eq!(old, Beat { data: tdata_from_xrgb(left_over), first: true, last: false });
    bench.check(picture);
}

/// A stop of a single clock: bursts under way complete, nothing else follows.
#[test]
fn what_a_short_stop_dropped_stays_dropped() {
    let picture = Picture { width: 64, height: 2, stream: false, framebuffer: Some((0x8000_0000, 256)) };
    for at in 0..80 {
        let mut bench = Bench::new(500 + at, Manners { beat: 30, latency: 9, ..EAGER });
        bench.start(picture);
        for _ in 0..at {
            bench.step();
        }
        bench.block.stop.next = true;
        bench.step();
        let announced = usize::from(bench.block.bus.awvalid.val()) + bench.bursts.len();
        bench.block.stop.next = false;
        bench.run_until("stopped", 1000, |bench| bench.block.stopped.val());
        for _ in 0..50 {
            bench.step();
        }
        assert!(bench.bursts.len() <= announced);
        bench.available = bench.taken;
        bench.block.pixel_valid.next = false;
        bench.frame(picture, 4000);
    }
}

#[test]
fn reset_in_mid_flight_leaves_nothing() {
    let picture = Picture { width: 33, height: 2, stream: true, framebuffer: Some((0x8000_0000, 256)) };
    for at in 0..80 {
        let mut bench = Bench::new(400 + at, Manners { address: 40, beat: 60, stream: 60, latency: 7, ..EAGER });
        bench.start(picture);
        for _ in 0..at {
            bench.step();
        }
        bench.block.pixel_valid.next = false;
        bench.reset();
        bench.frame(picture, 4000);
    }
}
