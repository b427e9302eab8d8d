//! The core's buses: an AXI4-Lite slave for the registers, an AXI4 master for scenes and pictures, an AXI4-Stream of video.
//!
//! ```text
//!  s_axi_*  <->  RegisterBlock  -> run, stop, configuration -> frame control
//!  m_axi_ar*, m_axi_r*   <->  ReadMaster   <- requests, -> words           (descriptors)
//!  m_axi_aw*, w*, b*     <->  PixelOutput  <- pixels in raster order       (framebuffer)
//!  m_axis_video_*        <-   PixelOutput                                  (stream)
//! ```
//!
//! What always holds, on every channel: a valid and its payload stay until they are taken; no valid waits for a ready;
//! no combinational path leads from an input pin to an output pin; every valid is low in reset.

mod bundles;
mod framebuffer_writer;
mod pixel_output;
mod read_master;
mod register_file;
mod registers;
mod rest;
pub mod video;

#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;

pub use bundles::{AxiLiteSlave, AxiMaster, AxiReadMaster, AxiWriteMaster, VideoMaster, RESPONSE_DECODE_ERROR};
pub use framebuffer_writer::FramebufferWriter;
pub use pixel_output::PixelOutput;
pub use read_master::ReadMaster;
pub use register_file::{BuildParameters, RegisterFile};
pub use registers::RegisterBlock;
pub use video::VideoStream;

/// Beats in the longest burst: what an AXI3 interconnect takes too.
pub const BURST_BEATS: usize = 16;
/// Read bursts that may be under way at once.
pub const READS_OUTSTANDING: usize = 4;
/// Write bursts that may be under way at once.
pub const WRITES_OUTSTANDING: usize = 8;
