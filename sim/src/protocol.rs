//! What the core must not do on its buses, watched at every clock.

use crate::pins::{PinsIn, PinsOut};

/// A channel that the core drives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // the names are those of the AXI specification
pub enum Channel {
    Ar,
    Aw,
    W,
    /// Write response of the register slave.
    SlaveB,
    /// Read data of the register slave.
    SlaveR,
    Video,
}

/// What was broken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// A valid fell before its ready came.
    Withdrawn,
    /// A payload changed before its ready came.
    Unstable,
    /// A valid is high in reset.
    Reset,
    /// A burst crosses a 4 KiB boundary.
    Boundary,
    /// A burst has more than 16 beats.
    Length,
    /// An address is not a multiple of 4.
    Alignment,
    /// A pin that is always the same is not (ID, size, burst, lock, cache, prot, qos, strobes).
    Constant,
    /// More than four reads are outstanding.
    Outstanding,
    /// WLAST is not on the last beat of the burst, or is on another.
    Last,
    /// A response without a request before it.
    Unasked,
}

/// A rule was broken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("clock {clock}: {channel:?} broke the rule {rule:?}")]
pub struct Violation {
    /// Clocks since the simulator started.
    pub clock: u64,
    /// Where.
    pub channel: Channel,
    /// What.
    pub rule: Rule,
}

/// The first violations of a run.
#[derive(Debug, Default)]
pub struct Violations {
    clock: u64,
    found: Vec<Violation>,
}

/// Violations kept: the first ones tell what is wrong.
const KEPT: usize = 100;

impl Violations {
    /// Notes one at the present clock.
    pub fn add(&mut self, channel: Channel, rule: Rule) {
        if self.found.len() < KEPT {
            self.found.push(Violation { clock: self.clock, channel, rule });
        }
    }

    /// Those found so far, at most 100.
    pub fn found(&self) -> &[Violation] {
        &self.found
    }
}

/// Valid, ready and payload of the channels that the core drives, in one clock.
type Snapshot = [(Channel, bool, bool, Payload); 6];
type Payload = [u64; 2];

/// Watches handshakes.
#[derive(Default)]
pub struct Monitor {
    in_reset: bool,
    before: Option<Snapshot>,
    writes_asked: (u64, u64),
    reads_asked: u64,
}

impl Monitor {
    /// One clock: what was on the pins at its rising edge.
    pub fn edge(&mut self, world: &PinsIn, core: &PinsOut, clock: u64, violations: &mut Violations) {
        violations.clock = clock;
        let now = snapshot(world, core);
        if !world.aresetn {
            // What the valids are in the first clock of a reset is not yet the reset's doing.
            for (channel, ..) in now.iter().filter(|(_, valid, ..)| *valid && self.in_reset) {
                violations.add(*channel, Rule::Reset);
            }
            *self = Self { in_reset: true, ..Self::default() };
            return;
        }
        self.in_reset = false;
        if let Some(before) = &self.before {
            for ((channel, valid, ready, payload), (_, valid_now, _, payload_now)) in before.iter().zip(&now) {
                if *valid && !*ready {
                    if !valid_now {
                        violations.add(*channel, Rule::Withdrawn);
                    } else if payload != payload_now {
                        violations.add(*channel, Rule::Unstable);
                    }
                }
            }
        }
        self.answers(world, core, violations);
        self.before = Some(now);
    }

    /// The register slave answers only what was asked.
    fn answers(&mut self, world: &PinsIn, core: &PinsOut, violations: &mut Violations) {
        let (addresses, words) = &mut self.writes_asked;
        if core.s_axi_bvalid && (*addresses == 0 || *words == 0) {
            violations.add(Channel::SlaveB, Rule::Unasked);
        }
        if core.s_axi_rvalid && self.reads_asked == 0 {
            violations.add(Channel::SlaveR, Rule::Unasked);
        }
        if core.s_axi_bvalid && world.s_axi_bready {
            *addresses = addresses.saturating_sub(1);
            *words = words.saturating_sub(1);
        }
        if core.s_axi_rvalid && world.s_axi_rready {
            self.reads_asked = self.reads_asked.saturating_sub(1);
        }
        *addresses += u64::from(world.s_axi_awvalid && core.s_axi_awready);
        *words += u64::from(world.s_axi_wvalid && core.s_axi_wready);
        self.reads_asked += u64::from(world.s_axi_arvalid && core.s_axi_arready);
    }
}

fn snapshot(world: &PinsIn, core: &PinsOut) -> Snapshot {
    let address = |pins: &crate::pins::AddressPins| {
        let rest = [pins.len, pins.size, pins.burst, u8::from(pins.lock), pins.cache, pins.prot, pins.qos, pins.id];
        [u64::from(pins.addr), u64::from_le_bytes(rest)]
    };
    let w = [u64::from(core.m_axi_wdata), u64::from(core.m_axi_wstrb) << 1 | u64::from(core.m_axi_wlast)];
    let marks = u64::from(core.m_axis_video_tuser) << 1 | u64::from(core.m_axis_video_tlast);
    let r = [u64::from(core.s_axi_rdata), u64::from(core.s_axi_rresp)];
    [
        (Channel::Ar, core.m_axi_arvalid, world.m_axi_arready, address(&core.m_axi_ar)),
        (Channel::Aw, core.m_axi_awvalid, world.m_axi_awready, address(&core.m_axi_aw)),
        (Channel::W, core.m_axi_wvalid, world.m_axi_wready, w),
        (Channel::SlaveB, core.s_axi_bvalid, world.s_axi_bready, [u64::from(core.s_axi_bresp), 0]),
        (Channel::SlaveR, core.s_axi_rvalid, world.s_axi_rready, r),
        (
            Channel::Video,
            core.m_axis_video_tvalid,
            world.m_axis_video_tready,
            [u64::from(core.m_axis_video_tdata), marks],
        ),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(clocks: &[(PinsIn, PinsOut)]) -> Vec<(Channel, Rule)> {
        let (mut monitor, mut violations) = (Monitor::default(), Violations::default());
        for (clock, (world, core)) in clocks.iter().enumerate() {
            monitor.edge(world, core, clock as u64, &mut violations);
        }
        violations.found().iter().map(|violation| (violation.channel, violation.rule)).collect()
    }

    fn up() -> PinsIn {
        PinsIn { aresetn: true, ..PinsIn::default() }
    }

    #[test]
    fn an_offer_must_stand_until_it_is_taken() {
        let idle = PinsOut::default();
        let offered = PinsOut { m_axis_video_tvalid: true, m_axis_video_tdata: 7, ..idle };
        let changed = PinsOut { m_axis_video_tdata: 8, ..offered };
        let taking = PinsIn { m_axis_video_tready: true, ..up() };
        assert!(found(&[
            (up(), idle),
            (up(), offered),
            (taking, offered),
            (up(), changed),
            (taking, changed),
            (up(), idle)
        ])
        .is_empty());
        assert_eq!(found(&[(up(), offered), (up(), idle)]), [(Channel::Video, Rule::Withdrawn)]);
        assert_eq!(found(&[(up(), offered), (up(), changed)]), [(Channel::Video, Rule::Unstable)]);
        let mark = PinsOut { m_axis_video_tuser: true, ..offered };
        assert_eq!(found(&[(up(), offered), (taking, mark)]), [(Channel::Video, Rule::Unstable)]);
    }

    #[test]
    fn valids_are_low_in_reset() {
        let reset = PinsIn { aresetn: false, ..up() };
        let offered = PinsOut { m_axi_arvalid: true, ..PinsOut::default() };
        assert!(found(&[(up(), offered), (reset, offered), (reset, PinsOut::default())]).is_empty(), "the first clock");
        assert_eq!(found(&[(up(), offered), (reset, offered), (reset, offered)]), [(Channel::Ar, Rule::Reset)]);
    }

    #[test]
    fn the_register_slave_answers_only_what_was_asked() {
        let answer = PinsOut { s_axi_bvalid: true, ..PinsOut::default() };
        assert_eq!(found(&[(up(), answer)]), [(Channel::SlaveB, Rule::Unasked)]);
        let asking = PinsIn { s_axi_awvalid: true, s_axi_wvalid: true, ..up() };
        let ready = PinsOut { s_axi_awready: true, s_axi_wready: true, ..PinsOut::default() };
        let taking = PinsIn { s_axi_bready: true, ..up() };
        assert!(found(&[(asking, ready), (taking, answer), (up(), PinsOut::default())]).is_empty());
        let only_address = PinsIn { s_axi_wvalid: false, ..asking };
        assert_eq!(found(&[(only_address, ready), (taking, answer)]), [(Channel::SlaveB, Rule::Unasked)]);
    }
}
