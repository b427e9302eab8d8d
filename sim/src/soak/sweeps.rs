//! One thing at every clock, or on every beat, of one small frame; after it, the frame again, whole.
//!
//! The frame is `scenes::swept`, on a quiet memory, first after a reset: so every case of a sweep runs as the others up to
//! its clock. Clocks count from the response to RUN.

use super::finding::Finding;
use super::rig::{same_end, Rig};
use super::scenario::{give, write, Expected, Scenario};
use super::scenes;
use crate::axi_slave::Timing;
use crate::memory::{Direction, Fault, Place, Response};
use crate::pins::PinLevel;
use crate::Bench;
use rayman_abi::descriptor::{material, scene, sphere};
use rayman_abi::register::{self, command};
use rayman_abi::ErrorCode;

/// Clocks about a frame's end in which STOP may come too late, and RUN might start the next frame.
const SLACK: u64 = 64;

/// The frame of the sweeps, and what there is to sweep over.
pub struct Swept {
    scenario: Scenario,
    full: Expected,
    /// Clocks from RUN's response to the interrupt.
    pub clocks: u64,
}

impl Swept {
    /// Renders the frame undisturbed.
    pub fn new<P: PinLevel>(rig: &mut Rig<P>) -> Result<Self, Finding> {
        let scenario = scenes::swept();
        let full = scenario.undisturbed()?;
        rig.fresh(Timing::default())?;
        let clocks = rig.undisturbed(&scenario, &full)?;
        Ok(Self { scenario, full, clocks })
    }

    /// Beats that the frame reads.
    pub fn reads(&self) -> u64 {
        let arrays = self.scenario.materials.len() * material::WORDS + self.scenario.spheres.len() * sphere::WORDS;
        (scene::WORDS + arrays) as u64
    }

    /// Beats that the frame reads and writes.
    pub fn beats(&self) -> u64 {
        self.reads() + u64::from(self.scenario.pixels())
    }

    fn start<P: PinLevel>(&self, rig: &mut Rig<P>, clocks: u64) -> Result<(), Finding> {
        rig.fresh(Timing::default())?;
        rig.start(&self.scenario)?;
        rig.pass(clocks)
    }

    /// STOP after so many clocks; answers the clocks from its response to IDLE, if it came in time to stop the frame.
    pub fn stop<P: PinLevel>(&self, rig: &mut Rig<P>, after: u64) -> Result<Option<u64>, Finding> {
        self.start(rig, after)?;
        let (ending, clocks) = rig.stop(&self.full)?;
        let stopped = ending.code == ErrorCode::Stopped;
        if !stopped {
            same_end((ErrorCode::None, 0), ending)?;
            if after + SLACK < self.clocks {
                return Err(Finding::NotStopped { after, frame: self.clocks });
            }
        }
        rig.judge(&self.scenario, &self.full, !stopped)?;
        rig.undisturbed(&self.scenario, &self.full)?;
        Ok(stopped.then_some(clocks))
    }

    /// Reset after so many clocks: after an even number of one clock, which gives nothing time to run empty, else of 2 to 16.
    pub fn reset<P: PinLevel>(&self, rig: &mut Rig<P>, after: u64) -> Result<(), Finding> {
        self.start(rig, after)?;
        let clocks = if after.is_multiple_of(2) { 1 } else { 1 + after % 16 };
        rig.reset_frame(&self.scenario, &self.full, clocks as u32)?;
        rig.undisturbed(&self.scenario, &self.full).map(drop)
    }

    /// After so many clocks, every register that the host may write gets another value, and RUN is given: the frame does
    /// not notice.
    pub fn poke<P: PinLevel>(&self, rig: &mut Rig<P>, after: u64) -> Result<(), Finding> {
        self.start(rig, after)?;
        for (register, value) in self.scenario.registers() {
            write(&mut rig.core, &register, !value)?;
            // While the frame is sure to last: afterwards, RUN means the next one.
            if after + 2 * SLACK < self.clocks {
                give(&mut rig.core, command::RUN)?;
            }
        }
        let ending = rig.finish(&self.full)?;
        same_end((ErrorCode::None, 0), ending)?;
        rig.judge(&self.scenario, &self.full, true)?;
        rig.stays_idle(SLACK)?;
        rig.undisturbed(&self.scenario, &self.full).map(drop)
    }

    /// An error on a beat: those of reads first, then those of writes; even numbers SLVERR, odd ones DECERR.
    pub fn refuse<P: PinLevel>(&self, rig: &mut Rig<P>, number: u64) -> Result<(), Finding> {
        let beat = number / 2;
        let response = if number.is_multiple_of(2) { Response::SlaveError } else { Response::DecodeError };
        let (direction, beat) = match beat.checked_sub(self.reads()) {
            None => (Direction::Read, beat),
            Some(beat) => (Direction::Write, beat),
        };
        let fault = Fault { direction, place: Place::Beat(beat), response };
        let expected = self.scenario.expected(&[fault])?;
        rig.fresh(Timing::default())?;
        rig.core.inject(fault);
        rig.start(&self.scenario)?;
        let ending = rig.finish(&self.full)?;
        same_end((expected.code, expected.address), ending)?;
        if expected.code == ErrorCode::None {
            // The sweep is over more beats than there are: its bounds are wrong.
            let got = (ErrorCode::None, 0);
            return Err(Finding::End { expected: (code(fault), register::SCENE_ADDRESS.reset), got });
        }
        rig.judge(&self.scenario, &self.full, false)?;
        rig.core.clear_faults();
        rig.undisturbed(&self.scenario, &self.full).map(drop)
    }
}

/// The code of ERROR for a refused transfer.
pub fn code(fault: Fault) -> ErrorCode {
    match (fault.direction, fault.response == Response::DecodeError) {
        (Direction::Read, false) => ErrorCode::ReadSlave,
        (Direction::Read, true) => ErrorCode::ReadDecode,
        (Direction::Write, false) => ErrorCode::WriteSlave,
        (Direction::Write, true) => ErrorCode::WriteDecode,
    }
}
