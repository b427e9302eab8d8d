//! UARTBone: reads and writes of a LiteX bus as bytes on a line.
//!
//! ```text
//!  write   01 | words n | address / 4, 4 bytes | n words          ->
//!  read    02 | words n | address / 4, 4 bytes                    ->        numbers: most significant byte first
//!                                                      n words   <-
//! ```
//!
//! Source: LiteX 2024.12, `litex/soc/cores/uart.py`, class `Stream2Wishbone`. n is 1 to 255. Nothing answers a write, no byte is
//! checked, and nothing holds the host back. The gateware drops a frame that takes longer than 100 ms, so frames are short
//! at low rates; after a frame that got no whole answer that time is waited for, and what comes late is thrown away.

use std::io::{self, Read, Write};
use std::net::TcpStream;
use std::thread::sleep;
use std::time::{Duration, Instant};

use super::{connect, failed, not_yet, silent, wrong, PATIENCE};
use crate::on_bus::Bus;
use crate::transport::TransportError;

/// First byte of a frame: write words at rising addresses.
pub const WRITE: u8 = 1;
/// First byte of a frame: read words at rising addresses.
pub const READ: u8 = 2;
/// Bytes of a frame before its words.
pub const HEADER_BYTES: usize = 6;
/// Most words in a frame of ours.
const MOST_WORDS: usize = 128;
/// How long the gateware waits for the rest of a frame, with a margin.
const FRAME_TIME: Duration = Duration::from_millis(150);

/// A frame's head.
pub fn header(command: u8, address: u32, words: u8) -> [u8; HEADER_BYTES] {
    let [a, b, c, d] = (address / 4).to_be_bytes();
    [command, words, a, b, c, d]
}

/// A line of bytes whose reads give up after a short time.
pub trait Line: Read + Write {
    /// Throws away what has come. A line that never stops sending is an error.
    fn discard(&mut self) -> io::Result<()>;
}

/// Bytes that come unasked before a line is given up.
const MOST_UNASKED: usize = 1 << 20;

fn never_ends() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "it sends without being asked")
}

impl Line for TcpStream {
    fn discard(&mut self) -> io::Result<()> {
        self.set_nonblocking(true)?;
        let mut unasked = 0;
        let outcome = loop {
            match self.read(&mut [0; 4096]) {
                Ok(0) => break Err(io::ErrorKind::UnexpectedEof.into()),
                Ok(_) if unasked > MOST_UNASKED => break Err(never_ends()),
                Ok(count) => unasked += count,
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => break Ok(()),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => break Err(error),
            }
        };
        self.set_nonblocking(false)?;
        outcome
    }
}

/// A LiteX bus behind a UARTBone.
pub struct UartBone<L> {
    name: String,
    line: L,
    /// Words in a frame, 1 to 255.
    burst: usize,
    /// After so many bytes of writes, something is read, so that no more than these are under way.
    ahead: Option<usize>,
    /// Bytes written since the last read.
    written: usize,
    /// How long an answer may take.
    patience: Duration,
    /// The last frame got no whole answer.
    out_of_step: bool,
}

impl<L: Line> UartBone<L> {
    /// A bus behind a line; see the fields.
    pub fn new(name: String, line: L, burst: usize, ahead: Option<usize>, patience: Duration) -> Self {
        Self { name, line, burst: burst.clamp(1, 255), ahead, written: 0, patience, out_of_step: false }
    }

    /// The line.
    pub fn line(&self) -> &L {
        &self.line
    }

    fn send(&mut self, frame: &[u8]) -> Result<(), TransportError> {
        if std::mem::take(&mut self.out_of_step) {
            sleep(FRAME_TIME);
        }
        let sent = self.line.write_all(frame).and_then(|()| self.line.flush());
        sent.map_err(|source| {
            self.out_of_step = true;
            failed(&self.name, "cannot send", source)
        })
    }

    fn receive(&mut self, bytes: &mut [u8], address: u32) -> Result<(), TransportError> {
        let end = Instant::now() + self.patience;
        let words = bytes.len() / 4;
        let mut filled = 0;
        while filled < bytes.len() {
            match self.line.read(&mut bytes[filled..]) {
                Ok(0) => return Err(wrong(&self.name, "the other side has closed the connection")),
                Ok(count) => filled += count,
                Err(error) if not_yet(&error) => {}
                Err(error) => return Err(failed(&self.name, "cannot receive", error)),
            }
            if filled < bytes.len() && Instant::now() > end {
                return Err(match filled {
                    0 => silent(&self.name, address, words),
                    _ => wrong(&self.name, format_args!("{filled} of {} bytes came", bytes.len())),
                });
            }
        }
        Ok(())
    }

    fn read_burst(&mut self, address: u32, words: &mut [u32]) -> Result<(), TransportError> {
        if self.out_of_step {
            sleep(FRAME_TIME);
            self.out_of_step = false;
        }
        // What nobody asked for is not this frame's answer.
        self.line.discard().map_err(|source| failed(&self.name, "cannot receive", source))?;
        // `burst` is 255 at most.
        self.send(&header(READ, address, words.len() as u8))?;
        self.written = 0;
        let mut bytes = vec![0; 4 * words.len()];
        let received = self.receive(&mut bytes, address);
        self.out_of_step = received.is_err();
        received?;
        for (word, bytes) in words.iter_mut().zip(bytes.chunks_exact(4)) {
            *word = bytes.iter().fold(0, |word, byte| word << 8 | u32::from(*byte));
        }
        Ok(())
    }
}

impl<L: Line> Bus for UartBone<L> {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn read(&mut self, address: u32, words: &mut [u32]) -> Result<(), TransportError> {
        let mut next = address;
        for burst in words.chunks_mut(self.burst) {
            self.read_burst(next, burst)?;
            next = next.wrapping_add(4 * burst.len() as u32);
        }
        Ok(())
    }

    fn write(&mut self, address: u32, words: &[u32]) -> Result<(), TransportError> {
        let mut next = address;
        for burst in words.chunks(self.burst) {
            let mut frame = header(WRITE, next, burst.len() as u8).to_vec();
            frame.extend(burst.iter().flat_map(|word| word.to_be_bytes()));
            if self.ahead.is_some_and(|ahead| self.written > 0 && self.written + frame.len() > ahead) {
                // Where something was written can be read.
                self.read_burst(address, &mut [0])?;
            }
            self.send(&frame)?;
            self.written += frame.len();
            next = next.wrapping_add(4 * burst.len() as u32);
        }
        Ok(())
    }

    fn command(&mut self, address: u32, word: u32) -> Result<(), TransportError> {
        self.write(address, &[word])
    }
}

/// A UARTBone over TCP. Whoever is there may have little room for bytes (LiteX's simulation has 2 KiB, and loses what is
/// beyond), so writes are followed by reads.
pub fn socket(name: String, address: &str) -> Result<UartBone<TcpStream>, TransportError> {
    const AHEAD: usize = 1024;
    let line = connect(&name, address)?;
    Ok(UartBone::new(name, line, MOST_WORDS, Some(AHEAD), PATIENCE))
}

/// Words in a frame at this rate: such that it takes about 20 ms.
#[cfg(any(feature = "serial", test))]
fn burst(baud: u32) -> usize {
    // Ten bits a byte, four bytes a word.
    (baud as usize / 2000).clamp(1, MOST_WORDS)
}

#[cfg(feature = "serial")]
mod tty {
    use super::*;
    use serialport::{ClearBuffer, SerialPort};

    /// A serial line.
    pub struct Tty(pub Box<dyn SerialPort>);

    impl Read for Tty {
        fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
            self.0.read(bytes)
        }
    }

    impl Write for Tty {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            // The port's time-out is that of a read, and far too short for a full buffer at a low rate.
            let end = Instant::now() + PATIENCE;
            loop {
                match self.0.write(bytes) {
                    Err(error) if not_yet(&error) && Instant::now() < end => {}
                    outcome => return outcome,
                }
            }
        }

        fn flush(&mut self) -> io::Result<()> {
            // Draining waits for the line; the answer is waited for anyway.
            Ok(())
        }
    }

    impl Line for Tty {
        fn discard(&mut self) -> io::Result<()> {
            Ok(self.0.clear(ClearBuffer::Input)?)
        }
    }

    /// A UARTBone on a serial line.
    pub fn serial(name: String, path: &str, baud: u32) -> Result<UartBone<Tty>, TransportError> {
        const SLICE: Duration = Duration::from_millis(100);
        let port = serialport::new(path, baud).timeout(SLICE).open();
        let port = port.map_err(|source| failed(&name, "cannot open the line", source.into()))?;
        Ok(UartBone::new(name, Tty(port), burst(baud), None, PATIENCE))
    }
}
#[cfg(feature = "serial")]
pub use tty::{serial, Tty};

/// A UARTBone on a serial line: not in this build.
#[cfg(not(feature = "serial"))]
pub fn serial(name: String, _: &str, _: u32) -> Result<UartBone<TcpStream>, TransportError> {
    Err(wrong(&name, "this build has no serial lines; build with the feature `serial` of rayman-driver"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_frame_as_litex_sends_it() {
        // `CommUART.read(0x90000010, 4)`: cmd, length, address / 4.
        assert_eq!(header(READ, 0x9000_0010, 4), [2, 4, 0x24, 0, 0, 4]);
    }

    #[test]
    fn frames_are_short_at_low_rates() {
        assert_eq!([300, 9600, 115_200, 1_000_000, u32::MAX].map(burst), [1, 4, 57, 128, 128]);
    }
}
