//! A core behind a bus of words: what a board needs to be a [`Transport`].
//!
//! ```text
//!  Device --> OnBus --registers: core + offset--> Bus (words at addresses) --> the board
//!                   --memory: bytes, in words-->
//! ```
//!
//! A [`Bus`] knows how words travel, [`AddressMap`] where things are, [`OnBus`] what a register is. Memory is little-endian.
//! There is no interrupt on such a bus: IRQ_STATUS is polled.

use std::thread::sleep;
use std::time::{Duration, Instant};

use rayman_abi::register::{self, APERTURE_BYTES};
use rayman_abi::{soc, Access};

use crate::transport::{MemoryWindow, Transport, TransportError};

/// Words at addresses, and a way to them.
pub trait Bus {
    /// Names the way for messages, such as `uartbone:/dev/ttyUSB0`.
    fn name(&self) -> String;

    /// Reads words from an address on, which is a multiple of 4. As many words as the slice has.
    fn read(&mut self, address: u32, words: &mut [u32]) -> Result<(), TransportError>;

    /// Writes words from an address on, which is a multiple of 4, where they stay as they are written. A bus that may
    /// lose a write looks whether they did, and writes them again.
    fn write(&mut self, address: u32, words: &[u32]) -> Result<(), TransportError>;

    /// Writes one word, once: what it does is not to be done again, and it need not be there to read.
    fn command(&mut self, address: u32, word: u32) -> Result<(), TransportError>;
}

/// Where the core's registers and its memory are on a bus.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AddressMap {
    /// Address of the register at offset 0.
    pub core: u32,
    /// Memory that host and core reach at the same addresses.
    pub memory: MemoryWindow,
}

impl Default for AddressMap {
    /// The map of this project's systems on boards.
    fn default() -> Self {
        Self { core: soc::CORE, memory: MemoryWindow { base: soc::MEMORY, bytes: soc::MEMORY_BYTES } }
    }
}

impl AddressMap {
    /// Whether the registers are aligned and, like the memory, below 2^32.
    fn check(&self) -> Result<(), TransportError> {
        let what = |what: String| Err(TransportError::Io { what, source: None });
        if !self.core.is_multiple_of(APERTURE_BYTES) {
            return what(format!("registers at {:#010x} are not aligned to {APERTURE_BYTES} bytes", self.core));
        }
        if u64::from(self.memory.base) + u64::from(self.memory.bytes) > 1 << 32 {
            return what(format!("{} bytes of memory at {:#010x} pass 2^32", self.memory.bytes, self.memory.base));
        }
        Ok(())
    }
}

/// A core on a bus.
#[derive(Debug)]
pub struct OnBus<B> {
    bus: B,
    map: AddressMap,
}

/// The shortest and the longest time between two looks at IRQ_STATUS.
const POLL: [Duration; 2] = [Duration::from_millis(1), Duration::from_millis(16)];
const BYTES_A_WORD: usize = 4;

impl<B: Bus> OnBus<B> {
    /// A core on a bus, where the map says.
    pub fn new(bus: B, map: AddressMap) -> Result<Self, TransportError> {
        map.check()?;
        Ok(Self { bus, map })
    }

    /// The bus.
    pub fn bus(&mut self) -> &mut B {
        &mut self.bus
    }

    /// Address of a register.
    fn register(&self, offset: u32) -> Result<u32, TransportError> {
        if offset < APERTURE_BYTES && offset.is_multiple_of(BYTES_A_WORD as u32) {
            Ok(self.map.core + offset)
        } else {
            Err(TransportError::Register { offset, response: "no access, for it has no such register" })
        }
    }

    /// The words that hold these bytes: address of the first, offset of the bytes in it, number of words.
    fn words(&self, address: u32, bytes: usize) -> Result<(u32, usize, usize), TransportError> {
        let window = self.map.memory;
        let inside = address.checked_sub(window.base).is_some_and(|offset| {
            u64::try_from(bytes).is_ok_and(|bytes| u64::from(offset) + bytes <= u64::from(window.bytes))
        });
        if !inside {
            return Err(TransportError::Memory { address, bytes });
        }
        let offset = address as usize % BYTES_A_WORD;
        Ok((address - offset as u32, offset, (offset + bytes).div_ceil(BYTES_A_WORD)))
    }
}

impl<B: Bus> Transport for OnBus<B> {
    fn name(&self) -> String {
        self.bus.name()
    }

    fn read_register(&mut self, offset: u32) -> Result<u32, TransportError> {
        let address = self.register(offset)?;
        let mut word = [0];
        self.bus.read(address, &mut word)?;
        Ok(word[0])
    }

    fn write_register(&mut self, offset: u32, value: u32) -> Result<(), TransportError> {
        let address = self.register(offset)?;
        match register::at(offset) {
            Some(register) if register.access == Access::ReadWrite && *register != register::RAYTRACER_COMMAND => {
                // Bits that no field has read 0, whatever is written to them.
                let known = register.mask();
                self.bus.write(address, &[value & known])
            }
            _ => self.bus.command(address, value),
        }
    }

    fn memory(&self) -> MemoryWindow {
        self.map.memory
    }

    fn read_memory(&mut self, address: u32, bytes: &mut [u8]) -> Result<(), TransportError> {
        let (first, offset, count) = self.words(address, bytes.len())?;
        let mut words = vec![0; count];
        self.bus.read(first, &mut words)?;
        let read = words.iter().flat_map(|word| word.to_le_bytes()).skip(offset);
        bytes.iter_mut().zip(read).for_each(|(byte, value)| *byte = value);
        Ok(())
    }

    fn write_memory(&mut self, address: u32, bytes: &[u8]) -> Result<(), TransportError> {
        let (first, offset, count) = self.words(address, bytes.len())?;
        let mut old = vec![0; count * BYTES_A_WORD];
        // Bytes beside the ones to write, in the words at both ends, stay as they are.
        let keep = |bus: &mut B, index: usize, old: &mut [u8]| -> Result<(), TransportError> {
            let mut word = [0];
            bus.read(first + (index * BYTES_A_WORD) as u32, &mut word)?;
            old[index * BYTES_A_WORD..][..BYTES_A_WORD].copy_from_slice(&word[0].to_le_bytes());
            Ok(())
        };
        if offset > 0 {
            keep(&mut self.bus, 0, &mut old)?;
        }
        if !(offset + bytes.len()).is_multiple_of(BYTES_A_WORD) {
            keep(&mut self.bus, count - 1, &mut old)?;
        }
        old[offset..offset + bytes.len()].copy_from_slice(bytes);
        let words: Vec<u32> = old.chunks_exact(BYTES_A_WORD).map(word).collect();
        self.bus.write(first, &words)
    }

    fn wait_interrupt(&mut self, timeout: Duration) -> Result<bool, TransportError> {
        let end = Instant::now() + timeout;
        let [mut pause, longest] = POLL;
        loop {
            if register::IRQ.get(self.read_register(register::IRQ_STATUS.offset)?) != 0 {
                return Ok(true);
            }
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Ok(false);
            }
            sleep(pause.min(left));
            pause = (2 * pause).min(longest);
        }
    }
}

/// A word from its four bytes in memory.
fn word(bytes: &[u8]) -> u32 {
    bytes.iter().rev().fold(0, |word, byte| word << 8 | u32::from(*byte))
}
