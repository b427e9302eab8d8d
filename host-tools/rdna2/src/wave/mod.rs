//! The host's run of one wave (D962): what the registers hold, as far as the host can know it, and where it can know no more.
//!
//! ```text
//!  Cfg -> Program -> run(Launch, Image, steps) -> WaveRun { end: complete | stopped at a frontier | out of steps, reaches }
//!                 -> run_by_chance: a run that the hardware could make, for checks of answers
//!                 -> prepare(waves, Image, Limits) -> for each use of a descriptor: every one it may read, or a Refusal
//! ```
//!
//! What always holds: a bit that the run knows has that value in every wave that the launch and the image stand for, if the
//! dispatch writes no segment that is said to be read only. `docs/wave-run.md` says what is assumed.

pub mod check;
mod frontier;
mod launch;
mod loops;
mod machine;
mod memory;
pub mod operation;
mod run;
mod spread;
mod state;
mod word;

pub use frontier::{Found, Limits, Preparation, Refusal};
pub use launch::Launch;
pub use machine::{Machine, Step};
pub use memory::{Image, ImageError, Segment};
pub use run::{DescriptorField, DescriptorUse, End, Program, Reaches, Stop, WaveRun, MOST_POINTS};
pub use state::{State, Vector, LANES};
pub use word::{Bits, Word};
