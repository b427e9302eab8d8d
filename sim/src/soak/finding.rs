//! What a case of the soak can find wrong.

use crate::bench::BenchError;
use crate::video::VideoBeat;
use rayman_abi::ErrorCode;
use rayman_driver::TransportError;

/// The core did something that it must not.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Finding {
    /// Nothing moves any more.
    #[error("it hangs: BUSY, and nothing moved on the memory bus or the stream for {clocks} clocks")]
    Hang {
        /// The watchdog's patience.
        clocks: u64,
    },
    /// Something moves, and the frame does not end.
    #[error("it hangs: the frame did not end within {clocks} clocks")]
    Endless {
        /// More than any frame of this work can take.
        clocks: u64,
    },
    /// The simulator failed, a bus rule was broken, or the register slave does not answer.
    #[error(transparent)]
    Bench(#[from] BenchError),
    /// An access of the harness to the memory failed.
    #[error(transparent)]
    Memory(#[from] TransportError),
    /// The frame ended otherwise than it must.
    #[error("the frame ended with {} at {:#010x}, must be {} at {:#010x}", got.0.name(), got.1, expected.0.name(), expected.1)]
    End {
        /// ERROR.code and ERROR_ADDRESS, as the model has them.
        expected: (ErrorCode, u32),
        /// As the core has them.
        got: (ErrorCode, u32),
    },
    /// STOP was not obeyed.
    #[error("STOP after {after} clocks did not stop the frame, which takes {frame} clocks")]
    NotStopped {
        /// Clocks from RUN's response.
        after: u64,
        /// Clocks of an undisturbed frame.
        frame: u64,
    },
    /// A register reads what it must not.
    #[error("{name} reads {got:#x}, must be {expected:#x}: {when}")]
    Register {
        /// Its name, or its offset.
        name: String,
        /// The word.
        expected: u32,
        /// The word.
        got: u32,
        /// The situation.
        when: &'static str,
    },
    /// The slave answered an access with another response.
    #[error("an access to offset {offset:#04x} was answered {got}, must be {expected}")]
    Answer {
        /// Byte offset.
        offset: u32,
        /// As the specification writes it.
        expected: &'static str,
        /// As the specification writes it.
        got: &'static str,
    },
    /// ERROR holds a code that does not exist.
    #[error("ERROR reads the code {code:#04x}, which does not exist")]
    UnknownCode {
        /// It.
        code: u8,
    },
    /// The interrupt pin is not where it must be.
    #[error("the interrupt is {}: {when}", if *up { "up" } else { "down" })]
    Interrupt {
        /// Its level.
        up: bool,
        /// The situation.
        when: &'static str,
    },
    /// IDLE although a transaction is under way.
    #[error("the interrupt rose while a bus transaction was under way")]
    BusOpen,
    /// A pixel is another.
    #[error("the pixel ({x}, {y}) in memory is {got:#010x}, must be {expected:#010x}")]
    Pixel {
        /// Column.
        x: u32,
        /// Row.
        y: u32,
        /// XRGB8888.
        expected: u32,
        /// XRGB8888.
        got: u32,
    },
    /// Something beside the picture was written.
    #[error("the word at {address:#010x}, beside the picture, was written")]
    Beside {
        /// Its address.
        address: u32,
    },
    /// A beat of the stream is another.
    #[error("beat {at} of the stream is {got:?}, must be {expected:?}")]
    Beat {
        /// Counted from the first after the frame's RUN, or after the RUN of the frame before it.
        at: usize,
        /// None: no more beats were due.
        expected: Option<VideoBeat>,
        /// None: no more beats came.
        got: Option<VideoBeat>,
    },
    /// A counter is another.
    #[error("the counter {name} is {got}, must be {expected}")]
    Counter {
        /// Its name.
        name: &'static str,
        /// The model's.
        expected: u64,
        /// The core's.
        got: u64,
    },
}

impl Finding {
    /// Whether the core came to a standstill; everything else is a mismatch.
    pub fn is_hang(&self) -> bool {
        matches!(self, Finding::Hang { .. } | Finding::Endless { .. } | Finding::Bench(BenchError::Silent { .. }))
    }
}
