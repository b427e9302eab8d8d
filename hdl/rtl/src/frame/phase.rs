//! The phases of a frame, in order.

use rust_hdl_core::prelude::*;

/// What the frame is doing.
#[derive(Copy, Clone, PartialEq, Debug, LogicState)]
pub enum Phase {
    /// Nothing.
    Idle,
    /// Checking the registers.
    Registers,
    /// Asking for the scene descriptor.
    SceneRequest,
    /// Its 15 words arrive.
    SceneFetch,
    /// Checking screen and stride.
    Screen,
    /// Multiplying rows but one by the stride.
    Extent,
    /// Adding the last row.
    ExtentRow,
    /// Checking the framebuffer's end.
    ExtentCheck,
    /// Checking where the spheres are.
    SphereArray,
    /// Checking where the materials are.
    MaterialArray,
    /// Starting the camera datapath.
    Camera,
    /// It computes.
    CameraWait,
    /// Multiplying rows by pixels a row.
    Pixels,
    /// Asking for the materials.
    MaterialRequest,
    /// Their words arrive.
    MaterialFetch,
    /// Asking for the spheres.
    SphereRequest,
    /// Their words arrive: the check pass.
    SphereFetch,
    /// The engine starts.
    Start,
    /// Pixels are being made.
    Render,
    /// All pixels are out; reads ahead of need come to their end.
    Drain,
    /// The frame ends early: the masters come to rest.
    Abort,
    /// The engine forgets its work.
    Flush,
    /// It clears its memories.
    Settle,
    /// The last clock of the frame.
    Over,
}
