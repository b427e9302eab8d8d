//! The registers, seen from the bus.

use super::super::testing::{before_edge, edge, Held, Rng};
use super::super::{BuildParameters, RegisterBlock};
use rayman_abi::register::{self, command, REGISTERS};
use rayman_abi::Access;
use rust_hdl_core::prelude::*;
use std::collections::{HashMap, VecDeque};

const BUILD: BuildParameters =
    BuildParameters { lanes: 1, cached_spheres: 256, slots: 16, contexts: 128, revision: 0xC0FF_EE11 };
const OKAY: u64 = 0;
const SLVERR: u64 = 2;

fn block() -> RegisterBlock {
    let mut block = RegisterBlock::new(BUILD);
    block.connect_all();
    reset(&mut block);
    block
}

fn reset(block: &mut RegisterBlock) {
    block.reset_n.next = false;
    for _ in 0..2 {
        before_edge(block);
        edge(block);
    }
    assert!(!block.s_axi.bvalid.val() && !block.s_axi.rvalid.val() && !block.irq.val() && !block.busy.val());
    block.reset_n.next = true;
}

/// What happened in a clock, other than on the bus.
#[derive(Default, Debug, PartialEq, Clone, Copy)]
struct Seen {
    run: bool,
    stop: bool,
}

fn clock(block: &mut RegisterBlock) -> Seen {
    before_edge(block);
    let seen = Seen { run: block.run.val(), stop: block.stop.val() };
    edge(block);
    seen
}

/// One write, everything ready: the response, the pulses seen, and clocks until the response was offered.
fn write_strobed(block: &mut RegisterBlock, offset: u32, data: u32, strobe: u64) -> (u64, Seen, u32) {
    let axi = &mut block.s_axi;
    axi.awvalid.next = true;
    axi.awaddr.next = u64::from(offset).into();
    axi.wvalid.next = true;
    axi.wdata.next = u64::from(data).into();
    axi.wstrb.next = strobe.into();
    axi.bready.next = true;
    let mut seen = Seen::default();
    for clocks in 0..20 {
        before_edge(block);
        seen.run |= block.run.val();
        seen.stop |= block.stop.val();
        let (aw, w) = (block.s_axi.awready.val(), block.s_axi.wready.val());
        let answer = block.s_axi.bvalid.val().then(|| block.s_axi.bresp.val().to_u64());
        edge(block);
        if aw {
            block.s_axi.awvalid.next = false;
        }
        if w {
            block.s_axi.wvalid.next = false;
        }
        if let Some(response) = answer {
            block.s_axi.bready.next = false;
            return (response, seen, clocks);
        }
    }
    panic!("the write was not answered");
}

fn write(block: &mut RegisterBlock, offset: u32, data: u32) -> (u64, Seen) {
    let (response, seen, _) = write_strobed(block, offset, data, 15);
    (response, seen)
}

fn read(block: &mut RegisterBlock, offset: u32) -> (u32, u64) {
    block.s_axi.arvalid.next = true;
    block.s_axi.araddr.next = u64::from(offset).into();
    block.s_axi.rready.next = true;
    for _ in 0..20 {
        before_edge(block);
        let taken = block.s_axi.arready.val();
        let answer =
            block.s_axi.rvalid.val().then(|| (block.s_axi.rdata.val().to_u32(), block.s_axi.rresp.val().to_u64()));
        edge(block);
        if taken {
            block.s_axi.arvalid.next = false;
        }
        if let Some(answer) = answer {
            block.s_axi.rready.next = false;
            return answer;
        }
    }
    panic!("the read was not answered");
}

fn end_frame(block: &mut RegisterBlock, complete: bool) {
    block.frame_end.next = true;
    block.frame_complete.next = complete;
    clock(block);
    block.frame_end.next = false;
    block.frame_complete.next = false;
}

/// What a register reads after reset with all status inputs 0.
fn at_reset(register: &register::Register) -> u32 {
    match register.offset {
        o if o == register::CAPABILITIES.offset => {
            register::LANES.set(0, BUILD.lanes) | register::CACHED_SPHERES.set(0, BUILD.cached_spheres)
        }
        o if o == register::BUILD_REVISION.offset => BUILD.revision,
        o if o == register::BUILD_PARAMETERS.offset => {
            register::SLOTS.set(0, BUILD.slots) | register::CONTEXTS.set(0, BUILD.contexts)
        }
        _ => register.reset,
    }
}

#[test]
fn every_offset_reads_its_reset_value_or_slverr() {
    let mut block = block();
    for offset in (0..0x100).step_by(4) {
        let want = match register::at(offset) {
            Some(register) => (at_reset(register), OKAY),
            None => (0, SLVERR),
        };
        assert_eq!(read(&mut block, offset), want, "offset {offset:#x}");
        assert_eq!(read(&mut block, offset + 3), want, "the low address bits are ignored");
    }
}

#[test]
fn a_write_changes_the_fields_of_a_stored_register_and_nothing_else() {
    for register in REGISTERS {
        let mut block = block();
        assert_eq!(write(&mut block, register.offset, 0xFFFF_FFF8).0, OKAY, "{}", register.name);
        for other in REGISTERS {
            let stored = other.access == Access::ReadWrite && other.offset != register::RAYTRACER_COMMAND.offset;
            let want =
                if other.offset == register.offset && stored { 0xFFFF_FFF8 & other.mask() } else { at_reset(other) };
            assert_eq!(read(&mut block, other.offset), (want, OKAY), "{} after {}", other.name, register.name);
        }
    }
}

#[test]
fn unmapped_offsets_answer_slverr_and_change_nothing() {
    let mut block = block();
    for offset in (0..0x100).step_by(4).filter(|offset| register::at(*offset).is_none()) {
        let (response, seen) = write(&mut block, offset, 0x0101_0101 | command::RUN);
        assert_eq!((response, seen), (SLVERR, Seen::default()), "offset {offset:#x}");
    }
    for register in REGISTERS {
        assert_eq!(read(&mut block, register.offset).0, at_reset(register), "{}", register.name);
    }
}

#[test]
fn strobes_choose_bytes_and_a_command_needs_its_own() {
    let mut block = block();
    for strobe in 0..16 {
        write(&mut block, register::SCENE_ADDRESS.offset, 0x1122_3344);
        write_strobed(&mut block, register::SCENE_ADDRESS.offset, 0xAABB_CCDD, strobe);
        let want = (0..4).fold(0, |word, i| {
            let from = if strobe >> i & 1 != 0 { 0xAABB_CCDD_u32 } else { 0x1122_3344 };
            word | (from & 0xFF << (8 * i))
        });
        assert_eq!(read(&mut block, register::SCENE_ADDRESS.offset), (want, OKAY), "strobe {strobe:04b}");
        let (response, seen, _) = write_strobed(&mut block, 0, command::RUN, strobe);
        assert_eq!(response, OKAY);
        assert_eq!(seen.run, strobe & 1 != 0, "strobe {strobe:04b}");
        end_frame(&mut block, false);
    }
}

#[test]
fn commands_follow_the_state() {
    let mut block = block();
    for ignored in [command::NOP, command::STOP, 4, 5, 6, 7] {
        assert_eq!(write(&mut block, 0, ignored), (OKAY, Seen::default()), "command {ignored} while idle");
        assert_eq!(read(&mut block, 0).0, command::NOP);
    }
    assert_eq!(write(&mut block, 0, command::RUN), (OKAY, Seen { run: true, stop: false }));
    assert_eq!(read(&mut block, 0).0, command::RUN, "COMMAND reads RUN while busy");
    assert_eq!(read(&mut block, 4).0, 1);
    assert_eq!(write(&mut block, 0, command::RUN), (OKAY, Seen::default()), "RUN while busy is ignored");
    // Reserved bits of the command are ignored: bit 3 is not part of the field.
    assert_eq!(write(&mut block, 0, 8 | command::STOP), (OKAY, Seen { run: false, stop: true }));
    assert_eq!(read(&mut block, 4).0, 1, "BUSY until the frame has ended");
    end_frame(&mut block, false);
    assert_eq!((read(&mut block, 0).0, read(&mut block, 4).0), (command::NOP, 0));
    assert!(block.irq.val());
    assert_eq!(read(&mut block, register::FRAME_COUNT.offset).0, 0, "a frame that ended early does not count");
    write(&mut block, 0, command::RUN);
    assert!(block.irq.val(), "RUN does not clear the interrupt");
    write(&mut block, 0, command::CLEAR_IRQ);
    assert!(!block.irq.val(), "CLEAR_IRQ works while busy");
    end_frame(&mut block, true);
    assert_eq!(read(&mut block, register::IRQ_STATUS.offset).0, 1);
    assert_eq!(read(&mut block, register::FRAME_COUNT.offset).0, 1);
    write(&mut block, 0, command::CLEAR_IRQ);
    assert_eq!((read(&mut block, register::IRQ_STATUS.offset).0, block.irq.val()), (0, false));
}

/// The clock in which CLEAR_IRQ is done, moved across that of frame_end: the interrupt is lost only if cleared later.
#[test]
fn setting_the_interrupt_wins_over_clearing_it_in_one_clock() {
    let mut outcomes = vec![];
    for end_at in 0..8 {
        let mut block = block();
        write(&mut block, 0, command::RUN);
        block.s_axi.awvalid.next = true;
        block.s_axi.awaddr.next = 0.into();
        block.s_axi.wvalid.next = true;
        block.s_axi.wdata.next = u64::from(command::CLEAR_IRQ).into();
        block.s_axi.wstrb.next = 15.into();
        block.s_axi.bready.next = true;
        for at in 0..8 {
            block.frame_end.next = at == end_at;
            clock(&mut block);
            block.s_axi.awvalid.next = false;
            block.s_axi.wvalid.next = false;
        }
        outcomes.push(block.irq.val());
        assert!(!block.busy.val());
    }
    // Taken at the end of clock 0, done in clock 1: there, and later, the interrupt stays.
    assert_eq!(outcomes, [false, true, true, true, true, true, true, true]);
}

#[test]
fn run_and_stop_in_the_clock_of_the_frames_end() {
    for (given, want) in [(command::RUN, Seen::default()), (command::STOP, Seen { run: false, stop: true })] {
        let mut block = block();
        write(&mut block, 0, command::RUN);
        block.s_axi.awvalid.next = true;
        block.s_axi.awaddr.next = 0.into();
        block.s_axi.wvalid.next = true;
        block.s_axi.wdata.next = u64::from(given).into();
        block.s_axi.wstrb.next = 15.into();
        clock(&mut block);
        block.s_axi.awvalid.next = false;
        block.s_axi.wvalid.next = false;
        block.frame_end.next = true;
        assert_eq!(clock(&mut block), want, "still busy in that clock");
        block.frame_end.next = false;
        clock(&mut block);
        assert!(!block.busy.val());
    }
}

#[test]
fn busy_is_seen_by_whoever_has_the_response_to_run() {
    let mut block = block();
    let (_, seen, clocks) = write_strobed(&mut block, 0, command::RUN, 15);
    assert!(seen.run);
    assert_eq!(clocks, 2, "taken in clock 0, done in 1, answered in 2");
    assert!(block.busy.val());
    assert_eq!(read(&mut block, register::RAYTRACER_STATUS.offset).0, 1);
}

#[test]
fn status_inputs_and_counters_are_shown_in_their_fields() {
    let mut block = block();
    block.progress.next = 0xA5.into();
    block.error_code.next = 0x23.into();
    block.error_address.next = 0x8765_4321_u64.into();
    for (i, counter) in block.counters.iter_mut().enumerate() {
        counter.next = (0x1000_0000 + i as u64).into();
    }
    clock(&mut block);
    assert_eq!(read(&mut block, register::RAYTRACER_STATUS.offset).0, 0xA500);
    assert_eq!(read(&mut block, register::ERROR.offset).0, 0x23);
    assert_eq!(read(&mut block, register::ERROR_ADDRESS.offset).0, 0x8765_4321);
    for (i, counter) in register::COUNTERS.iter().enumerate() {
        let i = i as u32;
        assert_eq!(read(&mut block, counter.low.offset).0, 0x1000_0000 + 2 * i, "{}", counter.name);
        assert_eq!(read(&mut block, counter.high.offset).0, 0x1000_0001 + 2 * i, "{}", counter.name);
    }
}

/// Both directions at once, with random gaps everywhere, against a map of what each stored register holds.
#[test]
fn random_traffic_with_stalls_on_every_channel() {
    for seed in 1..=6 {
        random_traffic(seed);
    }
}

fn random_traffic(seed: u64) {
    let mut rng = Rng::new(seed);
    let gap = [100, 60, 20][seed as usize % 3];
    let mut block = block();
    let mut stored: HashMap<u32, u32> =
        REGISTERS.iter().map(|register| (register.offset, at_reset(register))).collect();
    let stored_offsets: Vec<u32> =
        REGISTERS.iter().filter(|r| r.access == Access::ReadWrite && r.offset != 0).map(|r| r.offset).collect();
    let (mut addresses, mut datas) = (VecDeque::new(), VecDeque::new());
    let (mut writes_done, mut reads_done) = (0u64, 0u64);
    // Offsets of reads not yet answered, and the answer that is due now, fixed when it is first offered.
    let mut reads_taken: VecDeque<u32> = VecDeque::new();
    let mut due = (0, OKAY);
    let (mut new_response, mut new_answer) = (true, true);
    let mut response_due = OKAY;
    let (mut b, mut r) = (Held::default(), Held::default());
    let mut clocks = 0u64;
    // The registers as a read saw them whose answer is offered for the first time now: it was done two clocks before.
    let mut earlier = stored.clone();
    let pick = |rng: &mut Rng| {
        if rng.chance(60) {
            stored_offsets[rng.below(stored_offsets.len() as u64) as usize]
        } else {
            // No commands here: busy would change what COMMAND and STATUS read.
            4 + 4 * rng.below(63) as u32
        }
    };
    let mut resets = 0;
    while writes_done < 1500 || reads_done < 1500 {
        clocks += 1;
        assert!(clocks < 60_000, "no progress");
        let at_read = std::mem::replace(&mut earlier, stored.clone());
        if rng.chance(gap) && !block.s_axi.awvalid.next && addresses.len() < 3 {
            block.s_axi.awvalid.next = true;
            block.s_axi.awaddr.next = u64::from(pick(&mut rng)).into();
        }
        if rng.chance(gap) && !block.s_axi.wvalid.next && datas.len() < 3 {
            block.s_axi.wvalid.next = true;
            block.s_axi.wdata.next = u64::from(rng.word()).into();
            block.s_axi.wstrb.next = rng.below(16).into();
        }
        if rng.chance(gap) && !block.s_axi.arvalid.next {
            block.s_axi.arvalid.next = true;
            block.s_axi.araddr.next = u64::from(pick(&mut rng)).into();
        }
        block.s_axi.bready.next = rng.chance(gap);
        block.s_axi.rready.next = rng.chance(gap);
        before_edge(&mut block);
        let axi = &block.s_axi;
        let (aw, w, ar) = (
            axi.awvalid.next && axi.awready.val(),
            axi.wvalid.next && axi.wready.val(),
            axi.arvalid.next && axi.arready.val(),
        );
        // A response that is offered for the first time now was done in the clock before. A read sees the writes of the
        // clocks before its own.
        if axi.rvalid.val() && new_answer {
            let offset = reads_taken.pop_front().expect("an answer without a read");
            due = at_read.get(&offset).map_or((0, SLVERR), |word| (*word, OKAY));
        }
        if axi.bvalid.val() && new_response {
            let offset: u32 = addresses.pop_front().expect("a response before its address");
            let (data, strobe): (u32, u32) = datas.pop_front().expect("a response before its data");
            response_due = if register::at(offset).is_some() { OKAY } else { SLVERR };
            if stored_offsets.contains(&offset) {
                let mask = (0..4).filter(|i| strobe >> i & 1 != 0).fold(0, |m, i| m | 0xFFu32 << (8 * i));
                let mask = mask & register::at(offset).unwrap().mask();
                let word = stored.get_mut(&offset).unwrap();
                *word = (*word & !mask) | (data & mask);
            }
        }
        (new_answer, new_response) = (!axi.rvalid.val() || axi.rready.next, !axi.bvalid.val() || axi.bready.next);
        if ar {
            reads_taken.push_back(axi.araddr.next.to_u32() & !3);
        }
        if let Some(response) = b.watch("B", axi.bvalid.val(), axi.bready.next, axi.bresp.val().to_u64()) {
            assert_eq!(response, response_due);
            writes_done += 1;
        }
        let answer = (axi.rdata.val().to_u32(), axi.rresp.val().to_u64());
        if let Some((data, response)) = r.watch("R", axi.rvalid.val(), axi.rready.next, answer) {
            assert_eq!((data, response), due);
            reads_done += 1;
        }
        if aw {
            addresses.push_back(axi.awaddr.next.to_u32() & !3);
        }
        if w {
            datas.push_back((axi.wdata.next.to_u32(), axi.wstrb.next.to_u32()));
        }
        edge(&mut block);
        if aw {
            block.s_axi.awvalid.next = false;
        }
        if w {
            block.s_axi.wvalid.next = false;
        }
        if ar {
            block.s_axi.arvalid.next = false;
        }
        // Once in a while a reset in the middle of it all.
        if resets < 3 && rng.chance(1) && clocks > 1000 * (resets + 1) {
            resets += 1;
            for signal in [&mut block.s_axi.awvalid, &mut block.s_axi.wvalid, &mut block.s_axi.arvalid] {
                signal.next = false;
            }
            reset(&mut block);
            (addresses, datas) = Default::default();
            (new_response, new_answer) = (true, true);
            reads_taken.clear();
            b.reset();
            r.reset();
            stored = REGISTERS.iter().map(|register| (register.offset, at_reset(register))).collect();
        }
    }
    if gap == 100 {
        // Two clocks a write and two a read; the model's pairing adds a few at a reset.
        let most = writes_done.max(reads_done);
        assert!(clocks <= 2 * most + 100, "{clocks} clocks for {most} transfers");
    }
}
