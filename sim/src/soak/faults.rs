//! Random faults: what a bus, a host or a reset line can do to a frame at any clock.
//!
//! A case is one to three episodes on one core. An episode renders a small random scene undisturbed, then again with
//! something in its way, both judged; then the next scene follows without a reset, so that whatever a fault left behind is
//! met by a frame that must be whole.

use super::finding::Finding;
use super::rig::{same_end, Rig};
use super::scenario::{give, read, same, same_answer, Expected, Scenario};
use super::scenes;
use super::sweeps::code;
use crate::axi_slave::{Refusal, SlaveChannel};
use crate::memory::{Direction, Fault, Place, Response};
use crate::pins::PinLevel;
use crate::random::Random;
use crate::video::StreamReady;
use crate::{Bench, ModelTransport};
use rayman_abi::descriptor::{material, scene, sphere};
use rayman_abi::register::{self, command, APERTURE_BYTES};
use rayman_abi::{Access, ErrorCode};

/// Clocks for which a stalling slave does nothing.
const STALL: u64 = 10_000;
/// Accesses of random register traffic in a frame.
const ACCESSES: u32 = 40;

/// What stands in a frame's way. Clocks count from the response to RUN.
#[derive(Clone, Debug)]
pub enum Trouble {
    /// A transfer is answered with an error.
    Refuse(Fault),
    /// Channels of the slave do nothing for 10,000 clocks.
    Stall {
        /// Which.
        channels: Vec<SlaveChannel>,
        /// From when on.
        after: u64,
        /// And then: STOP or a reset in the middle of it.
        then: Option<Halt>,
    },
    /// STOP or a reset.
    Halt {
        /// When.
        after: u64,
        /// Which.
        halt: Halt,
    },
    /// An error, and STOP about when it comes.
    RefuseAndStop {
        /// The error.
        fault: Fault,
        /// When STOP is given.
        after: u64,
    },
    /// Accesses to registers, RUN among them, in all of the frame: they change nothing of it.
    Traffic {
        /// Where the accesses come from.
        seed: u64,
    },
}

/// What ends a frame from outside.
#[derive(Clone, Copy, Debug)]
pub enum Halt {
    /// COMMAND_STOP.
    Stop,
    /// The reset pin, for so many clocks.
    Reset(u32),
}

/// Runs the case of a seed.
pub fn run<P: PinLevel>(rig: &mut Rig<P>, seed: u64) -> Result<(), Finding> {
    let mut random = Random::new(seed);
    rig.fresh(scenes::timing(&mut random))?;
    for _ in 0..1 + random.below(3) {
        episode(rig, &mut random)?;
    }
    let last = scenes::small(&mut random);
    rig.undisturbed(&last, &last.undisturbed()?).map(drop)
}

fn episode<P: PinLevel>(rig: &mut Rig<P>, random: &mut Random) -> Result<(), Finding> {
    rig.core.set_timing(scenes::timing(random));
    let ready =
        if random.chance(128) { StreamReady::Always } else { StreamReady::Sometimes(40 + random.below(200) as u8, 7) };
    rig.core.set_stream_ready(ready);
    let mut scenario = scenes::small(random);
    let kind = random.below(10);
    if kind < 2 {
        // What is given while busy needs a frame that the stream can hold.
        scenario.control = register::STREAM.set(scenario.control, 1);
    }
    let full = scenario.undisturbed()?;
    let clocks = rig.undisturbed(&scenario, &full)?;
    let after = u64::from(random.below(clocks as u32 + 20));
    let halt = |random: &mut Random| match random.chance(128) {
        true => Halt::Stop,
        false => Halt::Reset(1 + random.below(16)),
    };
    let trouble = match kind {
        0..=1 => Trouble::Traffic { seed: random.word().into() },
        2..=4 => Trouble::Refuse(fault(random, &scenario)),
        5 => Trouble::RefuseAndStop { fault: fault(random, &scenario), after },
        6..=7 => {
            let some = 1 + random.below(31);
            let channels = SlaveChannel::ALL.into_iter().filter(|channel| some >> *channel as u32 & 1 == 1).collect();
            let then = random.chance(128).then(|| halt(random));
            Trouble::Stall { channels, after, then }
        }
        _ => Trouble::Halt { after, halt: halt(random) },
    };
    disturb(rig, &scenario, &full, clocks, &trouble)
}

/// An error somewhere in what the frame transfers.
fn fault(random: &mut Random, scenario: &Scenario) -> Fault {
    let response = if random.chance(128) { Response::SlaveError } else { Response::DecodeError };
    let words = scene::WORDS + scenario.materials.len() * material::WORDS + scenario.spheres.len() * sphere::WORDS;
    if scenario.writes() && random.chance(128) {
        let beat = u64::from(random.below(scenario.pixels()));
        return Fault { direction: Direction::Write, place: Place::Beat(beat), response };
    }
    // Spheres that are not kept on chip are read again: then beats past the first pass are there, too.
    let passes = if random.chance(64) { 2 } else { 1 };
    let beat = random.below(words as u32 * passes);
    let place = match random.chance(128) {
        true => Place::Beat(beat.into()),
        false => {
            let first = [scenario.scene_at, scenario.spheres_at, scenario.materials_at][random.below(3) as usize];
            let first = first + 4 * random.below(32);
            Place::Range(first, first + 4 * random.below(3))
        }
    };
    Fault { direction: Direction::Read, place, response }
}

fn disturb<P: PinLevel>(
    rig: &mut Rig<P>,
    scenario: &Scenario,
    full: &Expected,
    clocks: u64,
    trouble: &Trouble,
) -> Result<(), Finding> {
    match trouble {
        Trouble::Refuse(fault) => refuse(rig, scenario, full, *fault, None),
        Trouble::RefuseAndStop { fault, after } => refuse(rig, scenario, full, *fault, Some(*after)),
        Trouble::Halt { after, halt } => {
            rig.start(scenario)?;
            rig.pass(*after)?;
            halted(rig, scenario, full, clocks, *after, *halt)
        }
        Trouble::Stall { channels, after, then } => {
            rig.start(scenario)?;
            rig.pass(*after)?;
            for channel in channels {
                rig.core.freeze(*channel, STALL);
            }
            match then {
                None => {
                    let ending = rig.finish(full)?;
                    same_end((ErrorCode::None, 0), ending)?;
                    rig.judge(scenario, full, true)?;
                }
                Some(halt) => {
                    rig.pass(STALL / 8)?;
                    // When the frame would have ended is not known any more.
                    halted(rig, scenario, full, 0, *after, *halt)?;
                }
            }
            // A frame that did not need a channel any more leaves it frozen; the next frame's clocks are to be its own.
            channels.iter().for_each(|channel| rig.core.freeze(*channel, 0));
            Ok(())
        }
        Trouble::Traffic { seed } => traffic(rig, scenario, full, *seed),
    }
}

/// STOP or a reset now, `after` clocks into a frame that takes about `clocks` undisturbed.
fn halted<P: PinLevel>(
    rig: &mut Rig<P>,
    scenario: &Scenario,
    full: &Expected,
    clocks: u64,
    after: u64,
    halt: Halt,
) -> Result<(), Finding> {
    match halt {
        Halt::Reset(length) => rig.reset_frame(scenario, full, length),
        Halt::Stop => {
            let (ending, _) = rig.stop(full)?;
            let stopped = ending.code == ErrorCode::Stopped;
            if !stopped {
                same_end((ErrorCode::None, 0), ending)?;
                // Stalls are not the same in each frame; but from its middle none comes to its end so soon.
                if 2 * after < clocks {
                    return Err(Finding::NotStopped { after, frame: clocks });
                }
            }
            rig.judge(scenario, full, !stopped)
        }
    }
}

/// A frame with an error on a transfer, and perhaps STOP.
fn refuse<P: PinLevel>(
    rig: &mut Rig<P>,
    scenario: &Scenario,
    full: &Expected,
    fault: Fault,
    stop: Option<u64>,
) -> Result<(), Finding> {
    let expected = scenario.expected(&[fault])?;
    rig.core.inject(fault);
    rig.start(scenario)?;
    let ending = match stop {
        None => rig.finish(full)?,
        Some(after) => {
            rig.pass(after)?;
            rig.stop(full)?.0
        }
    };
    rig.core.clear_faults();
    let refusals = rig.core.take_refusals();
    let met = |refusal: &Refusal| (code(Fault { response: refusal.response, ..fault }), refusal.address);
    let got = (ending.code, ending.address);
    let stopped = stop.is_some() && got == (ErrorCode::Stopped, 0);
    // The model reads each sphere once. A core that has to read one again may be refused there, and what is read ahead of
    // need may be refused when the frame is complete already: the first refusal, or none, is then the answer.
    let again = expected.code == ErrorCode::None && refusals.first().map(met) == Some(got);
    if !stopped && !again {
        let done_before = stop.is_some() && refusals.is_empty() && got == (ErrorCode::None, 0);
        if !done_before {
            same_end((expected.code, expected.address), ending)?;
        }
    }
    rig.judge(scenario, full, ending.code == ErrorCode::None)
}

/// A frame that the stream holds before its last beat, while the host reads and writes whatever it likes.
fn traffic<P: PinLevel>(rig: &mut Rig<P>, scenario: &Scenario, full: &Expected, seed: u64) -> Result<(), Finding> {
    let mut random = Random::new(seed);
    // Registers without a frame: what the accesses make of them.
    let mut mirror = ModelTransport::default();
    scenario.place(&mut mirror)?;
    rig.start(scenario)?;
    let held = u64::from(random.below(scenario.pixels()));
    rig.core.set_stream_ready(StreamReady::First(held));
    for _ in 0..ACCESSES {
        rig.pass(random.below(100).into())?;
        access(rig, &mut mirror, &mut random)?;
    }
    rig.core.set_stream_ready(StreamReady::Always);
    let ending = rig.finish(full)?;
    same_end((ErrorCode::None, 0), ending)?;
    rig.judge(scenario, full, true)?;
    rig.stays_idle(200)
}

/// One access while busy: answered as by the mirror, and without effect on the frame.
fn access<P: PinLevel>(rig: &mut Rig<P>, mirror: &mut ModelTransport, random: &mut Random) -> Result<(), Finding> {
    let offset = match random.below(4) {
        0 => random.below(APERTURE_BYTES),
        1 => register::RAYTRACER_COMMAND.offset,
        _ => 4 * random.below(0x40 / 4),
    };
    let is_command = offset & !3 == register::RAYTRACER_COMMAND.offset;
    if random.chance(128) {
        let (word, answer) = rig.core.read_raw(offset)?;
        let (expected, right) = mirror.read_raw(offset)?;
        same_answer(offset, right, answer)?;
        return match register::at(offset & !3) {
            Some(register) if is_command => same(register, command::RUN, word, "a frame is under way"),
            Some(register) if register.access == Access::ReadWrite => same(register, expected, word, "it was written"),
            Some(register) if *register == register::RAYTRACER_STATUS => {
                let state = register::STATUS.get(word);
                same(register, register::status::BUSY, state, "a frame is under way")
            }
            Some(_) => Ok(()),
            None => same_answer(offset, Response::SlaveError, answer),
        };
    }
    let (mut value, strobes) = (random.word(), random.below(16) as u8);
    if is_command && strobes & 1 == 1 {
        // Everything but STOP. What the mirror has is idle, so it is not asked.
        let commands = [command::NOP, command::RUN, command::CLEAR_IRQ, 4, 5, 6, 7];
        value = register::COMMAND.set(value, commands[random.below(commands.len() as u32) as usize]);
        same_answer(offset, Response::Okay, rig.core.write_strobed(offset, value, strobes)?)?;
        return match random.chance(128) {
            true => give(&mut rig.core, command::RUN),
            false => {
                read(&mut rig.core, &register::ID).and_then(|id| same(&register::ID, register::ID_VALUE, id, "always"))
            }
        };
    }
    let answer = mirror.write_strobed(offset, value, strobes)?;
    same_answer(offset, answer, rig.core.write_strobed(offset, value, strobes)?)
}
