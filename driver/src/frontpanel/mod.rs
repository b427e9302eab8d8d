//! A core on an Opal Kelly board, through FrontPanel's endpoints.
//!
//! ```text
//!  Device --> OpalKelly --registers: wires and a trigger; memory: pipes--> FrontPanel --> the board
//! ```
//!
//! [`FrontPanel`] is what the vendor's interface does, [`OpalKelly`] what the endpoints of `rayman_abi::opal_kelly` mean, and
//! [`library`] the vendor's closed library, which is looked for when a board is opened and not before.

use std::thread::sleep;
use std::time::{Duration, Instant};

use rayman_abi::opal_kelly as abi;

use crate::transport::{MemoryWindow, Transport, TransportError};

#[cfg(feature = "frontpanel")]
pub mod library;

/// The calls of FrontPanel that a core needs. Endpoints are 16 bits wide.
pub trait FrontPanel {
    /// Names the device for messages, such as `ok:1837000ABC`.
    fn name(&self) -> String;

    /// Sets wires in, all at once.
    fn set_wires(&mut self, wires: &[(u8, u16)]) -> Result<(), TransportError>;

    /// Fires a bit of a trigger in.
    fn trigger(&mut self, endpoint: u8, bit: u8) -> Result<(), TransportError>;

    /// Looks at all wires out at one moment, and gives these.
    fn read_wires(&mut self, endpoints: &[u8], values: &mut [u16]) -> Result<(), TransportError>;

    /// Sends an even number of bytes into a pipe.
    fn write_pipe(&mut self, endpoint: u8, data: &[u8]) -> Result<(), TransportError>;

    /// Takes an even number of bytes out of a pipe.
    fn read_pipe(&mut self, endpoint: u8, data: &mut [u8]) -> Result<(), TransportError>;
}

/// How long a register may take: far more than any takes.
const REGISTER_TIME: Duration = Duration::from_secs(1);
/// The shortest and the longest time between two looks at the interrupt.
const POLL: [Duration; 2] = [Duration::from_millis(1), Duration::from_millis(16)];
/// Bits of a memory's size that make sense: less holds no scene, more is past the address space.
const MEMORY_BITS: std::ops::RangeInclusive<u16> = 8..=31;
const BYTES_A_WORD: usize = 4;

/// A core behind FrontPanel's endpoints.
#[derive(Debug)]
pub struct OpalKelly<F> {
    panel: F,
    memory: MemoryWindow,
}

impl<F: FrontPanel> OpalKelly<F> {
    /// Resets the core, and asks what is there.
    pub fn new(mut panel: F) -> Result<Self, TransportError> {
        panel.set_wires(&[(abi::CONTROL, 0)])?;
        panel.set_wires(&[(abi::CONTROL, abi::RUN)])?;
        let mut found = [0; 2];
        panel.read_wires(&[abi::STATUS, abi::MEMORY_BITS], &mut found)?;
        let [status, bits] = found;
        if status >> abi::MARK != abi::MARK_VALUE || !MEMORY_BITS.contains(&bits) {
            return Err(failed(format!(
                "{}: the board does not hold a core of this project (its status reads {status:#06x}): configure it with one",
                panel.name()
            )));
        }
        Ok(Self { panel, memory: MemoryWindow { base: abi::MEMORY, bytes: 1 << bits } })
    }

    /// The way to the board.
    pub fn panel(&mut self) -> &mut F {
        &mut self.panel
    }

    fn status(&mut self) -> Result<u16, TransportError> {
        let mut status = [0];
        self.panel.read_wires(&[abi::STATUS], &mut status)?;
        Ok(status[0])
    }

    /// One access to a register. What was read, if that was asked for, is on the wires then.
    fn access(&mut self, offset: u32, trigger: u8) -> Result<(), TransportError> {
        self.panel.trigger(abi::TRIGGER, trigger)?;
        let end = Instant::now() + REGISTER_TIME;
        loop {
            let status = self.status()?;
            if status & abi::BUSY == 0 {
                return match status >> abi::RESPONSE & 3 {
                    0 => Ok(()),
                    2 => Err(TransportError::Register { offset, response: "SLVERR" }),
                    3 => Err(TransportError::Register { offset, response: "DECERR" }),
                    _ => Err(TransportError::Register { offset, response: "EXOKAY" }),
                };
            }
            if Instant::now() >= end {
                return Err(failed(format!("{}: register {offset:#04x} does not answer", self.panel.name())));
            }
        }
    }

    /// The wire that says which register.
    fn offset(offset: u32) -> Result<(u8, u16), TransportError> {
        match u16::try_from(offset) {
            Ok(wire) if offset < rayman_abi::register::APERTURE_BYTES => Ok((abi::OFFSET, wire)),
            _ => Err(TransportError::Register { offset, response: "no access, for it has no such register" }),
        }
    }

    /// The pipes go on from a word.
    fn seek(&mut self, address: u32) -> Result<(), TransportError> {
        self.panel.set_wires(&halves(abi::ADDRESS, address))?;
        self.panel.trigger(abi::TRIGGER, abi::SEEK)
    }

    /// The words that hold these bytes: address of the first, offset of the bytes in it, bytes of the words.
    fn words(&self, address: u32, bytes: usize) -> Result<(u32, usize, usize), TransportError> {
        let inside = address.checked_sub(self.memory.base).is_some_and(|offset| {
            u64::try_from(bytes).is_ok_and(|bytes| u64::from(offset) + bytes <= u64::from(self.memory.bytes))
        });
        if !inside {
            return Err(TransportError::Memory { address, bytes });
        }
        let offset = address as usize % BYTES_A_WORD;
        Ok((address - offset as u32, offset, (offset + bytes).next_multiple_of(BYTES_A_WORD)))
    }

    fn read_words(&mut self, address: u32, bytes: &mut [u8]) -> Result<(), TransportError> {
        self.seek(address)?;
        self.panel.read_pipe(abi::MEMORY_OUT, bytes)
    }
}

/// The two wires of a word, from its low half on.
fn halves(endpoint: u8, word: u32) -> [(u8, u16); 2] {
    [(endpoint, word as u16), (endpoint + 1, (word >> 16) as u16)]
}

fn failed(what: String) -> TransportError {
    TransportError::Io { what, source: None }
}

impl<F: FrontPanel> Transport for OpalKelly<F> {
    fn name(&self) -> String {
        self.panel.name()
    }

    fn read_register(&mut self, offset: u32) -> Result<u32, TransportError> {
        self.panel.set_wires(&[Self::offset(offset)?])?;
        self.access(offset, abi::READ)?;
        let mut value = [0; 2];
        self.panel.read_wires(&[abi::VALUE, abi::VALUE + 1], &mut value)?;
        Ok(u32::from(value[0]) | u32::from(value[1]) << 16)
    }

    fn write_register(&mut self, offset: u32, value: u32) -> Result<(), TransportError> {
        let [low, high] = halves(abi::DATA, value);
        self.panel.set_wires(&[Self::offset(offset)?, low, high])?;
        self.access(offset, abi::WRITE)
    }

    fn memory(&self) -> MemoryWindow {
        self.memory
    }

    fn read_memory(&mut self, address: u32, bytes: &mut [u8]) -> Result<(), TransportError> {
        let (first, offset, length) = self.words(address, bytes.len())?;
        let mut words = vec![0; length];
        self.read_words(first, &mut words)?;
        bytes.copy_from_slice(&words[offset..offset + bytes.len()]);
        Ok(())
    }

    fn write_memory(&mut self, address: u32, bytes: &[u8]) -> Result<(), TransportError> {
        let (first, offset, length) = self.words(address, bytes.len())?;
        if length == 0 {
            return Ok(());
        }
        let mut words = vec![0; length];
        // What of the first and the last word is not to be changed.
        if offset != 0 {
            self.read_words(first, &mut words[..BYTES_A_WORD])?;
        }
        if offset + bytes.len() != length {
            let last = length - BYTES_A_WORD;
            self.read_words(first + last as u32, &mut words[last..])?;
        }
        words[offset..offset + bytes.len()].copy_from_slice(bytes);
        self.seek(first)?;
        self.panel.write_pipe(abi::MEMORY_IN, &words)
    }

    fn wait_interrupt(&mut self, timeout: Duration) -> Result<bool, TransportError> {
        let end = Instant::now() + timeout;
        let [mut pause, longest] = POLL;
        loop {
            if self.status()? & abi::IRQ != 0 {
                return Ok(true);
            }
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Ok(false);
            }
            sleep(pause.min(left));
            pause = (pause * 2).min(longest);
        }
    }
}
