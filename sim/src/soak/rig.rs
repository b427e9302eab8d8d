//! A core on the bench: frames are started, disturbed, waited for under a watchdog, and judged.

use super::finding::Finding;
use super::scenario::{counters, ended, give, read, same, start, Expected, Scenario, POISON};
use crate::axi_slave::Timing;
use crate::core_transport::CoreTransport;
use crate::pins::PinLevel;
use crate::video::{StreamReady, VideoBeat};
use crate::Bench;
use rayman_abi::register::{self, command, status, REGISTERS};
use rayman_abi::ErrorCode;

/// Clocks without a transfer on the memory bus or the stream after which a busy core hangs.
pub const WATCHDOG: u64 = 1 << 20;
/// Clocks for which the interrupt is watched after a reset.
const WATCHED: u64 = 32;
/// What progress reads when a frame is complete.
const COMPLETE: u32 = 255;

/// How a frame ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ending {
    /// ERROR.code.
    pub code: ErrorCode,
    /// ERROR_ADDRESS.
    pub address: u32,
    /// Clocks from the response to RUN to the interrupt.
    pub clocks: u64,
}

/// A core and what the soak knows of the frame that it renders.
pub struct Rig<P> {
    /// The core with memory, register master and stream.
    pub core: CoreTransport<P>,
    /// Clocks of quiet that count as a hang.
    pub watchdog: u64,
    /// FRAME_COUNT before the frame.
    frames: u32,
    /// The clock in which RUN was answered.
    started: u64,
    /// Of each frame since the last complete one: the beat that was next. One of them may have been on offer when its frame
    /// ended, and then it comes before the next frame's.
    stale: Vec<VideoBeat>,
}

impl<P: PinLevel> Rig<P> {
    /// Puts a core on the bench.
    pub fn new(core: CoreTransport<P>) -> Self {
        Self { core, watchdog: WATCHDOG, frames: 0, started: 0, stale: Vec::new() }
    }

    /// As after power-up: memory empty, nothing under way, nothing left of the case before.
    pub fn fresh(&mut self, timing: Timing) -> Result<(), Finding> {
        self.core.clear_memory();
        self.core.set_timing(timing);
        self.core.set_stream_ready(StreamReady::Always);
        self.core.keep_beats(true);
        self.reset(16)?;
        self.core.take_beats();
        Ok(())
    }

    /// Places a scenario and starts its frame.
    pub fn start(&mut self, scenario: &Scenario) -> Result<(), Finding> {
        scenario.place(&mut self.core)?;
        self.frames = read(&mut self.core, &register::FRAME_COUNT)?;
        self.core.take_refusals();
        start(&mut self.core)?;
        self.started = self.core.clocks();
        Ok(())
    }

    /// Lets so many clocks pass.
    pub fn pass(&mut self, clocks: u64) -> Result<(), Finding> {
        Ok(self.core.run(clocks)?)
    }

    /// Waits for the interrupt. `work` is what the model counted in the frame: it bounds the time.
    pub fn finish(&mut self, work: &Expected) -> Result<Ending, Finding> {
        let limit = self.core.clocks() + self.watchdog + 4096 * work.picture.len() as u64 + 64 * work.count("tests");
        while !self.core.interrupt() {
            if self.core.quiet_clocks() > self.watchdog {
                return Err(Finding::Hang { clocks: self.watchdog });
            }
            if self.core.clocks() > limit {
                return Err(Finding::Endless { clocks: self.core.clocks() - self.started });
            }
            self.core.run(1)?;
        }
        if !self.core.bus_is_idle() {
            return Err(Finding::BusOpen);
        }
        let clocks = self.core.clocks() - self.started;
        let core = &mut self.core;
        same(&register::IRQ_STATUS, 1, read(core, &register::IRQ_STATUS)?, "the interrupt is up")?;
        same(
            &register::RAYTRACER_COMMAND,
            command::NOP,
            read(core, &register::RAYTRACER_COMMAND)?,
            "the frame is over",
        )?;
        let (code, address) = ended(core)?;
        let word = read(core, &register::RAYTRACER_STATUS)?;
        let (state, progress) = (register::STATUS.get(word), register::PROGRESS.get(word));
        let complete = code == ErrorCode::None;
        if state != status::IDLE || (progress == COMPLETE) != complete {
            let expected = register::PROGRESS.set(status::IDLE, if complete { COMPLETE } else { 0 });
            same(&register::RAYTRACER_STATUS, expected, word, "the frame is over")?;
        }
        let frames = read(core, &register::FRAME_COUNT)?;
        same(&register::FRAME_COUNT, self.frames.wrapping_add(complete.into()), frames, "the frame is over")?;
        Ok(Ending { code, address, clocks })
    }

    /// Judges what left the core in a frame. `full` is the model's undisturbed frame: a complete one must have all of it,
    /// one that ended early a part, of the stream the first.
    pub fn judge(&mut self, scenario: &Scenario, full: &Expected, complete: bool) -> Result<(), Finding> {
        self.judge_memory(scenario, full, complete)?;
        let beats = if scenario.streams() { scenario.beats(&full.picture) } else { Vec::new() };
        self.judge_stream(&beats, complete)?;
        if complete {
            self.judge_counters(full)?;
        }
        Ok(())
    }

    /// Compares the architectural counters with the model's.
    pub fn judge_counters(&mut self, expected: &Expected) -> Result<(), Finding> {
        for ((name, got), (_, expected)) in counters(&mut self.core)?.into_iter().zip(&expected.counters) {
            if got != *expected {
                return Err(Finding::Counter { name, expected: *expected, got });
            }
        }
        Ok(())
    }

    fn judge_memory(&mut self, scenario: &Scenario, full: &Expected, complete: bool) -> Result<(), Finding> {
        if !scenario.writes() {
            return Ok(());
        }
        let (words, beside) = scenario.framebuffer(&mut self.core)?;
        if let Some(address) = beside {
            return Err(Finding::Beside { address });
        }
        for (at, got) in (0..).zip(words) {
            let expected = full.picture.get(at as usize).copied().unwrap_or(POISON);
            if got != expected && (complete || got != POISON) {
                let (x, y) = (at % scenario.width(), at / scenario.width());
                return Err(Finding::Pixel { x, y, expected, got });
            }
        }
        Ok(())
    }

    /// The beats since the last judgement: perhaps one that outlived its frame, then this frame's.
    fn judge_stream(&mut self, beats: &[VideoBeat], complete: bool) -> Result<(), Finding> {
        let seen = self.core.take_beats();
        let compare = |own: &[VideoBeat]| {
            let due = if complete { beats.len() } else { own.len() };
            let differs = (0..due.max(own.len())).find(|&at| beats.get(at) != own.get(at));
            differs.map_or(Ok(own.len()), |at| {
                Err(Finding::Beat { at, expected: beats.get(at).copied(), got: own.get(at).copied() })
            })
        };
        let came = compare(&seen).or_else(|finding| match seen.split_first() {
            Some((first, own)) if self.stale.contains(first) => compare(own),
            _ => Err(finding),
        })?;
        match complete {
            true => self.stale.clear(),
            false => self.stale.extend(beats.get(came)),
        }
        Ok(())
    }

    /// Renders a scenario undisturbed, and judges it in everything. Answers its clocks.
    pub fn undisturbed(&mut self, scenario: &Scenario, full: &Expected) -> Result<u64, Finding> {
        self.start(scenario)?;
        let ending = self.finish(full)?;
        same_end((full.code, full.address), ending)?;
        self.judge(scenario, full, full.code == ErrorCode::None)?;
        Ok(ending.clocks)
    }

    /// Pulls reset for so many clocks: afterwards registers read their reset values and the interrupt is low and stays so.
    pub fn reset(&mut self, clocks: u32) -> Result<(), Finding> {
        self.core.reset_for(clocks)?;
        let low = |core: &CoreTransport<P>| match core.interrupt() {
            true => Err(Finding::Interrupt { up: true, when: "after a reset" }),
            false => Ok(()),
        };
        low(&self.core)?;
        for _ in 0..WATCHED {
            self.core.run(1)?;
            low(&self.core)?;
        }
        let describing = [register::CAPABILITIES, register::BUILD_REVISION, register::BUILD_PARAMETERS];
        for register in REGISTERS.iter().filter(|register| !describing.contains(register)) {
            same(register, register.reset, read(&mut self.core, register)?, "after a reset")?;
        }
        // A beat on offer is gone.
        self.stale.clear();
        low(&self.core)
    }

    /// Resets in mid-frame, and judges what left the core until then.
    pub fn reset_frame(&mut self, scenario: &Scenario, full: &Expected, clocks: u32) -> Result<(), Finding> {
        self.reset(clocks)?;
        self.judge(scenario, full, false)?;
        self.stale.clear();
        Ok(())
    }

    /// STOP, and the wait for the end: the ending, and the clocks from STOP's response to the interrupt.
    pub fn stop(&mut self, work: &Expected) -> Result<(Ending, u64), Finding> {
        give(&mut self.core, command::STOP)?;
        let given = self.core.clocks();
        let ending = self.finish(work)?;
        Ok((ending, (self.started + ending.clocks).saturating_sub(given)))
    }

    /// Nothing happens for a while after a frame: the core stays idle, and the interrupt stays down once cleared.
    pub fn stays_idle(&mut self, clocks: u64) -> Result<(), Finding> {
        give(&mut self.core, command::CLEAR_IRQ)?;
        self.core.run(clocks)?;
        if self.core.interrupt() {
            return Err(Finding::Interrupt { up: true, when: "after CLEAR_IRQ, with nothing to do" });
        }
        let word = read(&mut self.core, &register::RAYTRACER_STATUS)?;
        same(&register::RAYTRACER_STATUS, status::IDLE, register::STATUS.get(word), "nothing was asked for")
    }
}

/// Compares how a frame ended.
pub fn same_end(expected: (ErrorCode, u32), ending: Ending) -> Result<(), Finding> {
    let got = (ending.code, ending.address);
    match got == expected {
        true => Ok(()),
        false => Err(Finding::End { expected, got }),
    }
}
