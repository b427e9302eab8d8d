//! From RUN to the end of a frame: descriptors, checks, spheres, progress.

mod control;
mod fixed;
mod spheres;
mod wrapper;
mod camera_stub;

pub use control::FrameControl;
pub use spheres::SphereSource;
pub use wrapper::Frame;

#[cfg(test)]
mod tests;
