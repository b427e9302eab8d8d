//! From RUN to the end of a frame: descriptors, checks, spheres, progress.

mod control;
mod multiplier;
mod phase;
mod progress;
mod sleep;
mod spheres;
mod words;
mod wrapper;

pub use control::FrameControl;
pub use multiplier::Multiplier;
pub use phase::Phase;
pub use progress::Progress;
pub use sleep::{Sleeper, Sleeping};
pub use spheres::SphereSource;
pub use words::SceneWords;
pub use wrapper::{Frame, FrameCore};

#[cfg(test)]
mod tests;
