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
    /// A request to the register slave that is not answered within [`ANSWER_CLOCKS`].
    Unanswered,
    /// A response that AXI4-Lite does not have: EXOKAY.
    Response,
}

/// Clocks in which the register slave answers, of those in which no answer is on offer.
pub const ANSWER_CLOCKS: u32 = 64;
/// EXOKAY on BRESP and RRESP.
const EXCLUSIVE_OKAY: u8 = 1;

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
    /// For how many clocks a write and a read have been waiting for their answers.
    waited: [u32; 2],
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

    /// The register slave answers each request once, and only what was asked.
    fn answers(&mut self, world: &PinsIn, core: &PinsOut, violations: &mut Violations) {
        let (addresses, words) = &mut self.writes_asked;
        let answers = [
            (Channel::SlaveB, core.s_axi_bvalid, core.s_axi_bresp, *addresses > 0 && *words > 0),
            (Channel::SlaveR, core.s_axi_rvalid, core.s_axi_rresp, self.reads_asked > 0),
        ];
        for ((channel, offered, response, owed), waited) in answers.into_iter().zip(&mut self.waited) {
            if offered && !owed {
                violations.add(channel, Rule::Unasked);
            }
            if offered && response == EXCLUSIVE_OKAY {
                violations.add(channel, Rule::Response);
            }
            *waited = if owed && !offered { *waited + 1 } else { 0 };
            if *waited == ANSWER_CLOCKS {
                violations.add(channel, Rule::Unanswered);
            }
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

    /// Raises a channel's valid, its ready, and changes its payload.
    type Offer = (Channel, fn(&mut PinsOut), fn(&mut PinsIn), &'static [fn(&mut PinsOut)]);

    /// Changes of every pin of an address channel's payload.
    macro_rules! address_payload {
        ($address:ident) => {
            &[
                |core| core.$address.addr ^= 4,
                |core| core.$address.len ^= 1,
                |core| core.$address.size ^= 1,
                |core| core.$address.burst ^= 1,
                |core| core.$address.lock ^= true,
                |core| core.$address.cache ^= 1,
                |core| core.$address.prot ^= 1,
                |core| core.$address.qos ^= 1,
                |core| core.$address.id ^= 1,
            ]
        };
    }

    /// Every channel that the core drives, with every pin of its payload.
    const OFFERS: [Offer; 6] = [
        (Channel::Ar, |core| core.m_axi_arvalid = true, |world| world.m_axi_arready = true, address_payload!(m_axi_ar)),
        (Channel::Aw, |core| core.m_axi_awvalid = true, |world| world.m_axi_awready = true, address_payload!(m_axi_aw)),
        (
            Channel::W,
            |core| core.m_axi_wvalid = true,
            |world| world.m_axi_wready = true,
            &[|core| core.m_axi_wdata ^= 1 << 31, |core| core.m_axi_wstrb ^= 1, |core| core.m_axi_wlast ^= true],
        ),
        (
            Channel::SlaveB,
            |core| core.s_axi_bvalid = true,
            |world| world.s_axi_bready = true,
            &[|core| core.s_axi_bresp ^= 2],
        ),
        (
            Channel::SlaveR,
            |core| core.s_axi_rvalid = true,
            |world| world.s_axi_rready = true,
            &[|core| core.s_axi_rdata ^= 1, |core| core.s_axi_rresp ^= 2],
        ),
        (
            Channel::Video,
            |core| core.m_axis_video_tvalid = true,
            |world| world.m_axis_video_tready = true,
            &[
                |core| core.m_axis_video_tdata ^= 1 << 23,
                |core| core.m_axis_video_tuser ^= true,
                |core| core.m_axis_video_tlast ^= true,
            ],
        ),
    ];

    /// A clock in which a write and a read of the register slave are taken: two answers are owed.
    fn asked() -> (PinsIn, PinsOut) {
        let asking = PinsIn { s_axi_awvalid: true, s_axi_wvalid: true, s_axi_arvalid: true, ..up() };
        let ready = PinsOut { s_axi_awready: true, s_axi_wready: true, s_axi_arready: true, ..PinsOut::default() };
        (asking, ready)
    }

    #[test]
    fn an_offer_must_stand_until_it_is_taken() {
        for (channel, offer, take, changes) in OFFERS {
            let idle = PinsOut::default();
            let (mut offered, mut taking) = (idle, up());
            offer(&mut offered);
            take(&mut taking);
            let good =
                [asked(), (up(), idle), (up(), offered), (taking, offered), asked(), (taking, offered), (up(), idle)];
            assert_eq!(found(&good), [], "{channel:?}");
            assert_eq!(found(&[asked(), (up(), offered), (up(), idle)]), [(channel, Rule::Withdrawn)]);
            for (pin, change) in changes.iter().enumerate() {
                let mut changed = offered;
                change(&mut changed);
                let broken = [asked(), (up(), offered), (up(), changed), (taking, changed)];
                assert_eq!(found(&broken), [(channel, Rule::Unstable)], "{channel:?}, pin {pin}");
                assert_eq!(found(&[asked(), (up(), offered), (taking, changed)]), [(channel, Rule::Unstable)]);
            }
        }
    }

    #[test]
    fn valids_are_low_in_reset() {
        let reset = PinsIn { aresetn: false, ..up() };
        for (channel, offer, ..) in OFFERS {
            let mut offered = PinsOut::default();
            offer(&mut offered);
            let first = [asked(), (up(), offered), (reset, offered), (reset, PinsOut::default())];
            assert_eq!(found(&first), [], "the first clock");
            assert_eq!(
                found(&[asked(), (up(), offered), (reset, offered), (reset, offered)]),
                [(channel, Rule::Reset)]
            );
        }
    }

    #[test]
    fn the_register_slave_answers_only_what_was_asked() {
        for channel in [Channel::SlaveB, Channel::SlaveR] {
            let (_, offer, take, _) = OFFERS.into_iter().find(|(of, ..)| *of == channel).expect("it is in the list");
            let (mut answer, mut taking) = (PinsOut::default(), up());
            offer(&mut answer);
            take(&mut taking);
            assert_eq!(found(&[(up(), answer)]), [(channel, Rule::Unasked)]);
            assert_eq!(found(&[asked(), (taking, answer), (up(), PinsOut::default())]), []);
            assert_eq!(found(&[asked(), (taking, answer), (taking, answer)]), [(channel, Rule::Unasked)], "twice");
            let exclusive = PinsOut { s_axi_bresp: 1, s_axi_rresp: 1, ..answer };
            assert_eq!(found(&[asked(), (taking, exclusive)]), [(channel, Rule::Response)]);
        }
        let answer = PinsOut { s_axi_bvalid: true, ..PinsOut::default() };
        let (asking, ready) = asked();
        for half in [PinsIn { s_axi_wvalid: false, ..asking }, PinsIn { s_axi_awvalid: false, ..asking }] {
            assert_eq!(found(&[(half, ready), (up(), answer)]), [(Channel::SlaveB, Rule::Unasked)]);
        }
    }

    #[test]
    fn the_register_slave_answers_every_request() {
        let mut clocks = vec![asked()];
        clocks.extend([(up(), PinsOut::default())].repeat(ANSWER_CLOCKS as usize - 1));
        assert_eq!(found(&clocks), []);
        clocks.push((up(), PinsOut::default()));
        assert_eq!(found(&clocks), [(Channel::SlaveB, Rule::Unanswered), (Channel::SlaveR, Rule::Unanswered)]);
        // An answer that is on offer is an answer: the master is the one who waits.
        let answers = PinsOut { s_axi_bvalid: true, s_axi_rvalid: true, ..PinsOut::default() };
        let mut clocks = vec![asked()];
        clocks.extend([(up(), answers)].repeat(2 * ANSWER_CLOCKS as usize));
        assert_eq!(found(&clocks), []);
    }
}
