//! An AXI4 slave at pin level in front of a [`Memory`]: latency, outstanding bursts, random stalls, checks.
//!
//! ```text
//!  AR -> queue (at most `outstanding`) -- latency --> R beats, in order
//!  AW -> queue                \
//!  W  -> queue of beats        > whole burst -- latency --> memory, B
//! ```
//!
//! Every channel it answers stalls independently: a ready that is low, a valid that comes late. A valid once up stays up
//! with its payload until taken. A channel can also be frozen for any number of clocks. What the core may not do is
//! reported as a [`Violation`](crate::protocol::Violation), and counted, never repaired.

use crate::bench::BusTraffic;
use crate::memory::{Direction, Memory, Response};
use crate::pins::{AddressPins, PinsIn, PinsOut};
use crate::protocol::{Channel, Rule, Violations};
use crate::random::Random;
use std::collections::VecDeque;

/// How a memory behaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timing {
    /// Clocks from the acceptance of a read to its first beat, and from a whole write to its response; at least 1.
    pub latency: u32,
    /// Bursts of a direction taken before the first is answered; at least 1.
    pub outstanding: usize,
    /// How often, of 256, each channel stalls in a clock: address, data and response channels each for itself.
    pub stalls: u8,
    /// Where the stalls come from.
    pub seed: u64,
}

impl Default for Timing {
    /// A quiet memory, 20 clocks away.
    fn default() -> Self {
        Self { latency: 20, outstanding: 8, stalls: 0, seed: 1 }
    }
}

/// A channel of the slave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // the names are those of the AXI specification
pub enum SlaveChannel {
    Ar,
    R,
    Aw,
    W,
    B,
}

impl SlaveChannel {
    /// All of them.
    pub const ALL: [SlaveChannel; 5] =
        [SlaveChannel::Ar, SlaveChannel::R, SlaveChannel::Aw, SlaveChannel::W, SlaveChannel::B];
}

/// A transfer that the slave answered with an error, and the core took.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// Read or write.
    pub direction: Direction,
    /// Of a read: the beat's address; of a write: its burst's.
    pub address: u32,
    /// The answer.
    pub response: Response,
}

/// The longest burst that the core may ask for.
const LONGEST_BURST: u8 = 15;
/// Reads that the core may have outstanding.
const MOST_READS: usize = 4;
/// Bytes of a beat.
const BEAT_BYTES: u64 = 4;
/// W beats taken ahead of their address.
const BEATS_AHEAD: usize = 64;

struct Read {
    addr: u32,
    beats_left: u32,
    due: u64,
}

/// The slave.
pub struct AxiSlave {
    /// What it holds.
    pub memory: Memory,
    timing: Timing,
    random: Random,
    now: u64,
    reads: VecDeque<Read>,
    writes: VecDeque<AddressPins>,
    beats: VecDeque<(u32, u8, bool)>,
    responses: VecDeque<Answer>,
    driven: Driven,
    traffic: BusTraffic,
    /// For each channel: the first clock in which it goes on.
    frozen: [u64; SlaveChannel::ALL.len()],
    refusals: Vec<Refusal>,
}

/// The response to a whole write burst.
#[derive(Clone, Copy)]
struct Answer {
    due: u64,
    address: u32,
    response: Response,
}

/// A beat of read data.
#[derive(Clone, Copy, Default)]
struct ReadBeat {
    address: u32,
    word: u32,
    response: Response,
    last: bool,
}

/// What is on the slave's own pins.
#[derive(Clone, Copy, Default)]
struct Driven {
    arready: bool,
    awready: bool,
    wready: bool,
    r: Option<ReadBeat>,
    b: Option<Answer>,
}

impl AxiSlave {
    /// A slave with empty memory.
    pub fn new(timing: Timing) -> Self {
        let mut slave = Self {
            memory: Memory::default(),
            timing,
            random: Random::new(timing.seed),
            now: 0,
            reads: VecDeque::new(),
            writes: VecDeque::new(),
            beats: VecDeque::new(),
            responses: VecDeque::new(),
            driven: Driven::default(),
            traffic: BusTraffic::default(),
            frozen: [0; SlaveChannel::ALL.len()],
            refusals: Vec::new(),
        };
        slave.set_timing(timing);
        slave
    }

    /// Changes the behaviour; bursts under way go on.
    pub fn set_timing(&mut self, timing: Timing) {
        self.timing = Timing { latency: timing.latency.max(1), outstanding: timing.outstanding.max(1), ..timing };
        self.random = Random::new(timing.seed);
    }

    /// Nothing moves on a channel for so many clocks: no ready, no new valid. A valid that is up stays up.
    pub fn freeze(&mut self, channel: SlaveChannel, clocks: u64) {
        self.frozen[channel as usize] = self.now + clocks;
    }

    /// Hands over the refusals since the last call, in the order in which the core took them.
    pub fn take_refusals(&mut self) -> Vec<Refusal> {
        std::mem::take(&mut self.refusals)
    }

    /// Forgets every burst under way and thaws; memory stays.
    pub fn reset(&mut self) {
        self.reads.clear();
        self.writes.clear();
        self.beats.clear();
        self.responses.clear();
        self.driven = Driven::default();
        self.frozen = Default::default();
    }

    /// Whether no burst is under way.
    pub fn is_idle(&self) -> bool {
        self.reads.is_empty() && self.writes.is_empty() && self.beats.is_empty() && self.responses.is_empty()
    }

    /// Bytes of all beats taken so far, whatever the response.
    pub fn traffic(&self) -> BusTraffic {
        self.traffic
    }

    /// Puts the slave's side on the pins.
    pub fn drive(&self, pins: &mut PinsIn) {
        let Driven { arready, awready, wready, r, b } = self.driven;
        let beat = r.unwrap_or_default();
        pins.m_axi_arready = arready;
        pins.m_axi_awready = awready;
        pins.m_axi_wready = wready;
        pins.m_axi_rvalid = r.is_some();
        pins.m_axi_rdata = beat.word;
        pins.m_axi_rresp = beat.response.code();
        pins.m_axi_rlast = beat.last;
        pins.m_axi_bvalid = b.is_some();
        pins.m_axi_bresp = b.map_or(Response::Okay, |answer| answer.response).code();
    }

    /// The rising edge, with what was on the pins: takes transfers, checks them, and decides what to drive next.
    pub fn edge(&mut self, core: &PinsOut, violations: &mut Violations) {
        self.now += 1;
        if core.m_axi_arvalid && self.driven.arready {
            check_address(Channel::Ar, &core.m_axi_ar, violations);
            if self.reads.len() >= MOST_READS {
                violations.add(Channel::Ar, Rule::Outstanding);
            }
            let AddressPins { addr, len, .. } = core.m_axi_ar;
            let due = self.now + u64::from(self.timing.latency) - 1;
            self.reads.push_back(Read { addr, beats_left: u32::from(len) + 1, due });
        }
        if core.m_axi_awvalid && self.driven.awready {
            check_address(Channel::Aw, &core.m_axi_aw, violations);
            self.writes.push_back(core.m_axi_aw);
        }
        if core.m_axi_wvalid && self.driven.wready {
            if core.m_axi_wstrb != 0xF {
                violations.add(Channel::W, Rule::Constant);
            }
            self.beats.push_back((core.m_axi_wdata, core.m_axi_wstrb, core.m_axi_wlast));
            self.traffic.written += BEAT_BYTES;
        }
        if let Some(beat) = self.driven.r.take_if(|_| core.m_axi_rready) {
            self.traffic.read += BEAT_BYTES;
            self.note(Direction::Read, beat.address, beat.response);
        }
        if let Some(answer) = self.driven.b.take_if(|_| core.m_axi_bready) {
            self.note(Direction::Write, answer.address, answer.response);
        }
        self.write_whole_bursts(violations);
        self.offer();
    }

    fn note(&mut self, direction: Direction, address: u32, response: Response) {
        if response != Response::Okay {
            self.refusals.push(Refusal { direction, address, response });
        }
    }

    /// A burst whose beats are all here goes to memory at once and is answered later.
    fn write_whole_bursts(&mut self, violations: &mut Violations) {
        while let Some(address) = self.writes.front().copied() {
            let wanted = usize::from(address.len) + 1;
            // A WLAST that comes early ends the burst, or the queue would never move again.
            let early = self.beats.iter().take(wanted).position(|beat| beat.2).map_or(wanted, |at| at + 1);
            if self.beats.len() < early {
                break;
            }
            let mut response = Response::Okay;
            for (number, (word, strobes, last)) in self.beats.drain(..early).enumerate() {
                if last != (number + 1 == wanted) {
                    violations.add(Channel::W, Rule::Last);
                }
                let answer = self.memory.write_beat(address.addr.wrapping_add(4 * number as u32), word, strobes);
                if response == Response::Okay {
                    response = answer;
                }
            }
            self.writes.pop_front();
            let due = self.now + u64::from(self.timing.latency) - 1;
            self.responses.push_back(Answer { due, address: address.addr, response });
        }
    }

    fn offer(&mut self) {
        let (timing, now, frozen) = (self.timing, self.now, self.frozen);
        let mut goes = |channel: SlaveChannel| {
            let stalls = timing.stalls != 0 && self.random.chance(timing.stalls);
            !stalls && now >= frozen[channel as usize]
        };
        self.driven.arready = self.reads.len() < timing.outstanding && goes(SlaveChannel::Ar);
        self.driven.awready = self.writes.len() + self.responses.len() < timing.outstanding && goes(SlaveChannel::Aw);
        self.driven.wready = self.beats.len() < BEATS_AHEAD && goes(SlaveChannel::W);
        let read_is_due = self.reads.front().is_some_and(|read| read.due <= now);
        let (read_goes, response_goes) = (read_is_due && goes(SlaveChannel::R), goes(SlaveChannel::B));
        if self.driven.r.is_none() && read_goes {
            if let Some(read) = self.reads.front_mut() {
                let address = read.addr;
                let (word, response) = self.memory.read_beat(address);
                read.addr = address.wrapping_add(4);
                read.beats_left -= 1;
                let last = read.beats_left == 0;
                self.driven.r = Some(ReadBeat { address, word, response, last });
                if last {
                    self.reads.pop_front();
                }
            }
        }
        if self.driven.b.is_none() && response_goes && self.responses.front().is_some_and(|answer| answer.due <= now) {
            self.driven.b = self.responses.pop_front();
        }
    }
}

fn check_address(channel: Channel, address: &AddressPins, violations: &mut Violations) {
    let AddressPins { addr, len, .. } = *address;
    let last = addr.wrapping_add(4 * u32::from(len) + 3);
    if addr >> 12 != last >> 12 {
        violations.add(channel, Rule::Boundary);
    }
    if len > LONGEST_BURST {
        violations.add(channel, Rule::Length);
    }
    if addr % 4 != 0 {
        violations.add(channel, Rule::Alignment);
    }
    let constant = AddressPins { id: 0, addr, len, size: 2, burst: 1, lock: false, cache: 3, prot: 0, qos: 0 };
    if *address != constant {
        violations.add(channel, Rule::Constant);
    }
}

#[cfg(test)]
mod tests;
