//! The other end of the pixel stream: takes beats by a policy, and keeps them if asked.

use crate::pins::{PinsIn, PinsOut};
use crate::random::Random;
use rayman_rtl::axi::video::{tdata_from_xrgb, xrgb_from_tdata};

/// A beat of the pixel stream.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct VideoBeat {
    /// The pixel as XRGB8888, whatever the order of its colours in `tdata`.
    pub pixel: u32,
    /// `tuser`: the frame's first pixel.
    pub start_of_frame: bool,
    /// `tlast`: a row's last pixel.
    pub end_of_line: bool,
}

impl VideoBeat {
    /// The pixel as `tdata` has it.
    pub fn tdata(&self) -> u32 {
        tdata_from_xrgb(self.pixel)
    }
}

/// When the sink takes a beat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StreamReady {
    /// At once.
    Always,
    /// Not at all.
    Never,
    /// So many beats at once, from now, and then no more.
    First(u64),
    /// So often of 256, from a seed, whether a beat is offered or not.
    Sometimes(u8, u64),
}

/// The sink.
pub struct VideoSink {
    policy: StreamReady,
    random: Random,
    ready: bool,
    keeps: bool,
    beats: Vec<VideoBeat>,
}

impl Default for VideoSink {
    /// Takes everything, keeps nothing.
    fn default() -> Self {
        Self { policy: StreamReady::Always, random: Random::new(0), ready: true, keeps: false, beats: Vec::new() }
    }
}

impl VideoSink {
    /// Changes when beats are taken.
    pub fn set_policy(&mut self, policy: StreamReady) {
        self.policy = policy;
        if let StreamReady::Sometimes(_, seed) = policy {
            self.random = Random::new(seed);
        }
        self.choose();
    }

    /// Whether beats are kept from now on.
    pub fn keep(&mut self, keeps: bool) {
        self.keeps = keeps;
    }

    /// Hands over what was kept.
    pub fn take_beats(&mut self) -> Vec<VideoBeat> {
        std::mem::take(&mut self.beats)
    }

    /// Puts the sink's side on the pins.
    pub fn drive(&self, pins: &mut PinsIn) {
        pins.m_axis_video_tready = self.ready;
    }

    /// The rising edge.
    pub fn edge(&mut self, core: &PinsOut) {
        if core.m_axis_video_tvalid && self.ready {
            if let StreamReady::First(left) = &mut self.policy {
                *left -= 1;
            }
            if self.keeps {
                self.beats.push(VideoBeat {
                    pixel: xrgb_from_tdata(core.m_axis_video_tdata),
                    start_of_frame: core.m_axis_video_tuser,
                    end_of_line: core.m_axis_video_tlast,
                });
            }
        }
        self.choose();
    }

    fn choose(&mut self) {
        self.ready = match self.policy {
            StreamReady::Always => true,
            StreamReady::Never => false,
            StreamReady::First(left) => left > 0,
            StreamReady::Sometimes(chance, _) => self.random.chance(chance),
        };
    }
}
