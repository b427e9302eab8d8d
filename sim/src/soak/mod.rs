//! The soak: faults at every clock of a small frame, then thousands of random faults, scenes and descriptors, each case on
//! its own and repeatable by its name.
//!
//! ```text
//!  stop:N reset:N poke:N refuse:N    sweeps: N is the clock, or the beat and the answer
//!  fault:SEED                        a few frames, each with something in its way
//!  scene:SEED                        valid scenes
//!  bytes:SEED                        descriptors of random bytes
//!        |
//!        v
//!  Rig: CoreTransport + watchdog --- judged by ---> Scenario::expected, the model
//! ```
//!
//! After each fault: the error code and its address are right, the interrupt is up (after a reset it is low), nothing was
//! written or streamed that is not the model's, and the next frame is the model's in every byte and in every
//! architectural counter. Every case starts with a reset and empty memory, so that it runs the same by itself.

pub mod faults;
pub mod finding;
pub mod rig;
pub mod scenario;
pub mod scenes;
pub mod sweeps;

use crate::core_transport::CoreTransport;
use crate::pins::PinLevel;
use crate::random::Random;
use finding::Finding;
use rig::Rig;
use scenario::Scenario;
use std::fmt;
use std::str::FromStr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::Mutex;
use sweeps::Swept;

/// A kind of case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// STOP at a clock.
    Stop,
    /// Reset at a clock.
    Reset,
    /// Register writes and RUN at a clock of a frame.
    Poke,
    /// An error on a beat.
    Refuse,
    /// Random faults.
    Fault,
    /// A random valid scene.
    Scene,
    /// Descriptors of random bytes.
    Bytes,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Kind; 7] =
        [Kind::Stop, Kind::Reset, Kind::Poke, Kind::Refuse, Kind::Fault, Kind::Scene, Kind::Bytes];

    /// As in a case's name.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Stop => "stop",
            Kind::Reset => "reset",
            Kind::Poke => "poke",
            Kind::Refuse => "refuse",
            Kind::Fault => "fault",
            Kind::Scene => "scene",
            Kind::Bytes => "bytes",
        }
    }

    /// What its cases do, for people.
    pub fn what(self) -> &'static str {
        match self {
            Kind::Stop => "STOP at every clock of an 8x6 frame",
            Kind::Reset => "reset at every clock of an 8x6 frame",
            Kind::Poke => "RUN and register writes at every clock of an 8x6 frame",
            Kind::Refuse => "SLVERR and DECERR on every beat of an 8x6 frame",
            Kind::Fault => "random faults",
            Kind::Scene => "random scenes",
            Kind::Bytes => "descriptors of random bytes",
        }
    }
}

/// A case: what happens is in these two, wholly.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Case {
    /// Its kind.
    pub kind: Kind,
    /// Its seed; of a sweep, where in the sweep it is.
    pub seed: u64,
}

impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.kind.name(), self.seed)
    }
}

/// A text is not a case's name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a case: a kind (stop, reset, poke, refuse, fault, scene, bytes), a colon and a number, such as `fault:17`")]
pub struct NoCase(String);

impl FromStr for Case {
    type Err = NoCase;

    fn from_str(text: &str) -> Result<Self, NoCase> {
        let parsed = text.split_once(':').and_then(|(kind, seed)| {
            let kind = Kind::ALL.into_iter().find(|other| other.name() == kind)?;
            Some(Case { kind, seed: seed.parse().ok()? })
        });
        parsed.ok_or_else(|| NoCase(text.to_owned()))
    }
}

/// The last clocks of the sweep of STOP, in which the frame ends by itself.
const AT_THE_END: u64 = 24;

/// Which cases.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plan {
    /// Every how many clocks or beats a sweep has a case; 0: no sweeps.
    pub sweep_step: u64,
    /// Random faults.
    pub faults: u32,
    /// Random valid scenes.
    pub scenes: u32,
    /// Scenes of random bytes.
    pub bytes: u32,
    /// Where the seeds of the random cases come from.
    pub seed: u64,
    /// Clocks of quiet that count as a hang.
    pub watchdog: u64,
}

impl Plan {
    /// The cases, the sweeps of this frame among them.
    pub fn cases(&self, swept: &Swept) -> Vec<Case> {
        let mut cases = Vec::new();
        let sweeps = [
            (Kind::Stop, swept.clocks + 8),
            (Kind::Reset, swept.clocks + 8),
            (Kind::Poke, swept.clocks),
            (Kind::Refuse, 2 * swept.beats()),
        ];
        if self.sweep_step > 0 {
            for (kind, count) in sweeps {
                // There are fewer beats than clocks, and a step that is even would only ever try SLVERR.
                let step = if kind == Kind::Refuse { (self.sweep_step / 8) | 1 } else { self.sweep_step };
                // About the frame's end every clock counts, whatever the step.
                let end = if kind == Kind::Stop { count.saturating_sub(AT_THE_END) } else { count };
                let seeds = (0..end).step_by(step as usize).chain(end..count);
                cases.extend(seeds.map(|seed| Case { kind, seed }));
            }
        }
        let mut random = Random::new(self.seed);
        for (kind, count) in [(Kind::Fault, self.faults), (Kind::Scene, self.scenes), (Kind::Bytes, self.bytes)] {
            cases.extend((0..count).map(|_| Case { kind, seed: random.word().into() }));
        }
        cases
    }
}

/// Runs a case; answers the clocks from STOP to IDLE, if it had a STOP at a chosen clock.
pub fn run_case<P: PinLevel>(rig: &mut Rig<P>, swept: &Swept, case: Case) -> Result<Option<u64>, Finding> {
    let Case { kind, seed } = case;
    match kind {
        Kind::Stop => return swept.stop(rig, seed),
        Kind::Reset => swept.reset(rig, seed)?,
        Kind::Poke => swept.poke(rig, seed)?,
        Kind::Refuse => swept.refuse(rig, seed)?,
        Kind::Fault => faults::run(rig, seed)?,
        Kind::Scene | Kind::Bytes => {
            let mut random = Random::new(seed);
            rig.fresh(scenes::timing(&mut random))?;
            if let Some(scenario) = scenario(case) {
                rig.undisturbed(&scenario, &scenario.undisturbed()?)?;
            }
        }
    }
    Ok(None)
}

/// What is rendered in a case of one frame.
pub fn scenario(case: Case) -> Option<Scenario> {
    // Another sequence than that of the memory's timing.
    let mut random = Random::new(!case.seed);
    match case.kind {
        Kind::Scene => Some(scenes::any(&mut random)),
        Kind::Bytes => Some(scenes::bytes(&mut random)),
        _ => None,
    }
}

/// A case that failed.
#[derive(Debug)]
pub struct Failure {
    /// Which.
    pub case: Case,
    /// What was found.
    pub finding: Finding,
}

/// What a soak found.
#[derive(Debug, Default)]
pub struct Tally {
    /// Cases done of each kind, in the order of [`Kind::ALL`].
    pub done: [u32; Kind::ALL.len()],
    /// What failed.
    pub failures: Vec<Failure>,
    /// Clocks simulated.
    pub clocks: u64,
    /// The most clocks from STOP's response to IDLE in the sweep, on a memory 20 clocks away.
    pub longest_stop: u64,
}

impl Tally {
    /// Cases in which the core came to a standstill.
    pub fn hangs(&self) -> usize {
        self.failures.iter().filter(|failure| failure.finding.is_hang()).count()
    }

    /// Cases in which something else was wrong.
    pub fn mismatches(&self) -> usize {
        self.failures.len() - self.hangs()
    }

    /// Cases of a kind that were done.
    pub fn of(&self, kind: Kind) -> u32 {
        self.done[kind as usize]
    }
}

/// Failures after which a soak gives up: the core is broken, not a case.
const MOST_FAILURES: usize = 20;

/// Runs cases on so many threads, each with a core of its own from `make`. `report` hears of each case as it ends.
///
/// The error is one of making a core, or of rendering the frame of the sweeps undisturbed.
pub fn run<P, E>(
    plan: &Plan,
    threads: usize,
    make: &(impl Fn() -> Result<CoreTransport<P>, E> + Sync),
    report: &(impl Fn(&Case, Option<&Finding>) + Sync),
) -> Result<Tally, SoakError<E>>
where
    P: PinLevel,
    E: std::error::Error + Send + 'static,
{
    let (next, tally) = (AtomicUsize::new(0), Mutex::new(Tally::default()));
    let lock = || tally.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    let work = || -> Result<(), SoakError<E>> {
        let fresh = || {
            let mut rig = Rig::new(make().map_err(SoakError::Core)?);
            rig.watchdog = plan.watchdog;
            Ok(rig)
        };
        let mut rig = fresh()?;
        let swept = Swept::new(&mut rig).map_err(SoakError::Undisturbed)?;
        let cases = plan.cases(&swept);
        let mut clocks = 0;
        while let Some(case) = cases.get(next.fetch_add(1, Ordering::Relaxed)) {
            let before = rig.core.clocks();
            let result = run_case(&mut rig, &swept, *case);
            clocks += rig.core.clocks() - before;
            report(case, result.as_ref().err());
            let mut tally = lock();
            if tally.failures.len() >= MOST_FAILURES {
                break;
            }
            tally.done[case.kind as usize] += 1;
            match result {
                Ok(stop) => tally.longest_stop = tally.longest_stop.max(stop.unwrap_or(0)),
                Err(finding) => {
                    tally.failures.push(Failure { case: *case, finding });
                    drop(tally);
                    // A core that has gone wrong is not asked again.
                    rig = fresh()?;
                }
            }
        }
        lock().clocks += clocks;
        Ok(())
    };
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..threads.max(1)).map(|_| scope.spawn(work)).collect();
        threads
            .into_iter()
            .try_for_each(|thread| thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
    })?;
    Ok(tally.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner))
}

/// A soak could not begin.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SoakError<E: std::error::Error + 'static> {
    /// There is no core.
    #[error("no core to test")]
    Core(#[source] E),
    /// Not even the frame of the sweeps is right when nothing disturbs it.
    #[error("the undisturbed 8x6 frame is wrong already")]
    Undisturbed(#[source] Finding),
}
