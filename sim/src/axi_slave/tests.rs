use super::*;
use crate::memory::{Direction, Fault, Place, BASE};

const CONSTANT: AddressPins =
    AddressPins { id: 0, addr: 0, len: 0, size: 2, burst: 1, lock: false, cache: 3, prot: 0, qos: 0 };

/// Reads a burst with `rready` from a pattern; answers the beats and the clock of each.
fn read(
    slave: &mut AxiSlave,
    addr: u32,
    len: u8,
    ready: impl Fn(u64) -> bool,
) -> (Vec<(u32, u8, bool, u64)>, Violations) {
    let mut violations = Violations::default();
    let mut beats = Vec::new();
    let mut core =
        PinsOut { m_axi_arvalid: true, m_axi_ar: AddressPins { addr, len, ..CONSTANT }, ..PinsOut::default() };
    let mut held = None;
    for clock in 0..10_000 {
        core.m_axi_rready = ready(clock);
        let mut pins = PinsIn::default();
        slave.drive(&mut pins);
        let beat = (pins.m_axi_rdata, pins.m_axi_rresp, pins.m_axi_rlast);
        if let Some(held) = held {
            assert!(pins.m_axi_rvalid && beat == held, "R is held until taken");
        }
        held = (pins.m_axi_rvalid && !core.m_axi_rready).then_some(beat);
        slave.edge(&core, &mut violations);
        if pins.m_axi_arready {
            core.m_axi_arvalid = false;
        }
        if pins.m_axi_rvalid && core.m_axi_rready {
            beats.push((beat.0, beat.1, beat.2, clock));
            if beat.2 {
                return (beats, violations);
            }
        }
    }
    panic!("the burst never ended");
}

fn filled(timing: Timing) -> AxiSlave {
    let mut slave = AxiSlave::new(timing);
    for n in 0..2048u32 {
        slave.memory.write(BASE + 4 * n, &(n * 3 + 1).to_le_bytes()).unwrap();
    }
    slave
}

#[test]
fn a_read_comes_after_its_latency_at_full_rate() {
    for latency in [1, 5, 40] {
        let mut slave = filled(Timing { latency, ..Timing::default() });
        let (beats, violations) = read(&mut slave, BASE + 64, 15, |_| true);
        assert_eq!(
            beats.iter().map(|beat| beat.0).collect::<Vec<_>>(),
            (16..32).map(|n| n * 3 + 1).collect::<Vec<_>>()
        );
        // The slave offers its first arready one clock after it was made: the address is taken in clock 1.
        let clocks: Vec<u64> = beats.iter().map(|beat| beat.3).collect();
        assert_eq!(clocks, (0..16).map(|n| 1 + u64::from(latency) + n).collect::<Vec<_>>());
        assert!(violations.found().is_empty());
        assert!(slave.is_idle());
        assert_eq!(slave.traffic(), BusTraffic { read: 64, written: 0 });
    }
}

#[test]
fn stalls_change_when_and_not_what() {
    let quiet = read(&mut filled(Timing::default()), BASE, 15, |_| true).0;
    for seed in 1..20 {
        let mut slave = filled(Timing { stalls: 128, seed, ..Timing::default() });
        let mut random = Random::new(seed);
        let pattern: Vec<bool> = (0..10_000).map(|_| random.chance(100)).collect();
        let (beats, violations) = read(&mut slave, BASE, 15, |clock| pattern[clock as usize]);
        assert!(beats.iter().map(|beat| beat.0).eq(quiet.iter().map(|beat| beat.0)), "seed {seed}");
        assert!(beats.last().unwrap().3 > quiet.last().unwrap().3, "seed {seed}");
        assert!(violations.found().is_empty());
    }
}

#[test]
fn faults_come_out_as_responses() {
    let mut slave = filled(Timing::default());
    let place = Place::Range(BASE + 8, BASE + 8);
    slave.memory.inject(Fault { direction: Direction::Read, place, response: Response::SlaveError });
    let codes: Vec<u8> = read(&mut slave, BASE, 3, |_| true).0.iter().map(|beat| beat.1).collect();
    assert_eq!(codes, [0, 0, 2, 0]);
    let codes: Vec<u8> = read(&mut slave, BASE - 8, 3, |_| true).0.iter().map(|beat| beat.1).collect();
    assert_eq!(codes, [3, 3, 0, 0]);
}

/// Sends beats with their WLAST, and then, or before, an address; answers the response.
fn write(
    slave: &mut AxiSlave,
    addr: u32,
    len: u8,
    beats: &[(u32, bool)],
    data_first: bool,
) -> (Option<u8>, Violations) {
    let mut violations = Violations::default();
    let mut sent = 0;
    let mut address_sent = false;
    for _ in 0..500 {
        let mut core =
            PinsOut { m_axi_aw: AddressPins { addr, len, ..CONSTANT }, m_axi_bready: true, ..PinsOut::default() };
        core.m_axi_awvalid = !address_sent && (!data_first || sent == beats.len());
        core.m_axi_wvalid = sent < beats.len();
        core.m_axi_wstrb = 0xF;
        (core.m_axi_wdata, core.m_axi_wlast) = beats.get(sent).copied().unwrap_or_default();
        let mut pins = PinsIn::default();
        slave.drive(&mut pins);
        slave.edge(&core, &mut violations);
        address_sent |= core.m_axi_awvalid && pins.m_axi_awready;
        sent += usize::from(core.m_axi_wvalid && pins.m_axi_wready);
        if pins.m_axi_bvalid {
            return (Some(pins.m_axi_bresp), violations);
        }
    }
    (None, violations)
}

#[test]
fn a_write_is_stored_and_answered_whichever_comes_first() {
    for data_first in [false, true] {
        for stalls in [0, 150] {
            let mut slave = AxiSlave::new(Timing { stalls, latency: 7, ..Timing::default() });
            let (response, violations) =
                write(&mut slave, BASE + 16, 2, &[(5, false), (6, false), (7, true)], data_first);
            assert_eq!(response, Some(0));
            assert!(violations.found().is_empty());
            let words: Vec<u32> = (0..5).map(|n| slave.memory.read_beat(BASE + 12 + 4 * n).0).collect();
            assert_eq!(words, [0, 5, 6, 7, 0]);
            assert_eq!(slave.traffic(), BusTraffic { read: 0, written: 12 });
        }
    }
}

#[test]
fn a_failed_beat_fails_the_burst() {
    let mut slave = AxiSlave::new(Timing::default());
    slave.memory.inject(Fault { direction: Direction::Write, place: Place::Beat(1), response: Response::DecodeError });
    assert_eq!(write(&mut slave, BASE, 2, &[(5, false), (6, false), (7, true)], false).0, Some(3));
    assert_eq!(write(&mut slave, BASE, 0, &[(5, true)], false).0, Some(0));
}

#[test]
fn broken_rules_are_reported() {
    type Change = fn(&mut AddressPins);
    let changes: [Change; 7] = [
        |address| address.id ^= 1,
        |address| address.size ^= 1,
        |address| address.burst ^= 1,
        |address| address.lock ^= true,
        |address| address.cache ^= 1,
        |address| address.prot ^= 1,
        |address| address.qos ^= 1,
    ];
    for channel in [Channel::Ar, Channel::Aw] {
        // As the slave sees it: taken from the pins, the first clock making it ready.
        let rules = |address: AddressPins| {
            let (mut slave, mut violations) = (filled(Timing::default()), Violations::default());
            let (ar, aw) = (channel == Channel::Ar, channel == Channel::Aw);
            let (m_axi_ar, m_axi_aw) = (address, address);
            let core = PinsOut { m_axi_arvalid: ar, m_axi_ar, m_axi_awvalid: aw, m_axi_aw, ..PinsOut::default() };
            slave.edge(&PinsOut::default(), &mut violations);
            slave.edge(&core, &mut violations);
            assert!(violations.found().iter().all(|violation| violation.channel == channel));
            violations.found().iter().map(|violation| violation.rule).collect::<Vec<_>>()
        };
        assert!(rules(AddressPins { addr: BASE + 0xFC0, len: 15, ..CONSTANT }).is_empty());
        assert_eq!(rules(AddressPins { addr: BASE + 0xFC4, len: 15, ..CONSTANT }), [Rule::Boundary]);
        assert_eq!(rules(AddressPins { addr: BASE, len: 16, ..CONSTANT }), [Rule::Length]);
        assert_eq!(rules(AddressPins { addr: BASE + 2, ..CONSTANT }), [Rule::Alignment]);
        for change in changes {
            let mut address = AddressPins { addr: BASE, ..CONSTANT };
            change(&mut address);
            assert_eq!(rules(address), [Rule::Constant], "{address:?}");
        }
    }

    let (mut slave, mut violations) = (filled(Timing::default()), Violations::default());
    slave.edge(&PinsOut::default(), &mut violations);
    slave.edge(&PinsOut { m_axi_wvalid: true, m_axi_wstrb: 7, ..PinsOut::default() }, &mut violations);
    assert_eq!(violations.found().iter().map(|found| found.rule).collect::<Vec<_>>(), [Rule::Constant], "strobes");

    let mut slave = AxiSlave::new(Timing::default());
    let early = write(&mut slave, BASE, 2, &[(1, false), (2, true), (3, true)], false).1;
    assert_eq!(early.found()[0].rule, Rule::Last);
    let mut slave = AxiSlave::new(Timing::default());
    let missing = write(&mut slave, BASE, 1, &[(1, false), (2, false)], false).1;
    assert_eq!(missing.found()[0].rule, Rule::Last);
}

#[test]
fn more_reads_than_allowed_are_reported() {
    let mut slave = filled(Timing { latency: 100, ..Timing::default() });
    let mut violations = Violations::default();
    let core = PinsOut { m_axi_arvalid: true, m_axi_ar: AddressPins { addr: BASE, ..CONSTANT }, ..PinsOut::default() };
    for _ in 0..5 {
        slave.edge(&core, &mut violations);
    }
    assert!(violations.found().is_empty(), "four are allowed");
    slave.edge(&core, &mut violations);
    assert_eq!(violations.found()[0].rule, Rule::Outstanding);
}
