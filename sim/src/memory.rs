//! The memory that a simulated core reaches: 64 MiB, of which only what was written takes room, with faults on request.
//!
//! An access outside the window is answered DECERR, as an interconnect does. Faults are rules: an address range, or the
//! n-th beat from now. The first rule that holds decides.

/// Bus address of the first byte.
pub const BASE: u32 = 0x8000_0000;
/// Size in bytes.
pub const BYTES: u32 = 64 << 20;

const PAGE: usize = 4096;

/// A bus response, with its encoding on the wire.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Response {
    /// 0.
    #[default]
    Okay,
    /// 2: the slave refused.
    SlaveError,
    /// 3: nothing is at this address.
    DecodeError,
}

impl Response {
    /// As on BRESP and RRESP.
    pub fn code(self) -> u8 {
        match self {
            Response::Okay => 0,
            Response::SlaveError => 2,
            Response::DecodeError => 3,
        }
    }

    /// From BRESP or RRESP; EXOKAY, which an AXI4-Lite slave must not give, counts as a slave error.
    pub fn from_code(code: u8) -> Self {
        match code {
            0 => Response::Okay,
            3 => Response::DecodeError,
            _ => Response::SlaveError,
        }
    }

    /// As the specification writes it.
    pub fn name(self) -> &'static str {
        match self {
            Response::Okay => "OKAY",
            Response::SlaveError => "SLVERR",
            Response::DecodeError => "DECERR",
        }
    }
}

/// Which accesses a fault strikes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// Reads by the core.
    Read,
    /// Writes by the core.
    Write,
}

/// Where a fault strikes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// Every beat at an address from the first to the second, both included.
    Range(u32, u32),
    /// The n-th beat from when the rule is set, from 0.
    Beat(u64),
}

/// A rule: these accesses are answered with this response.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Reads or writes.
    pub direction: Direction,
    /// Which of them.
    pub place: Place,
    /// The answer.
    pub response: Response,
}

/// An access by the host is not wholly in the window.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{bytes} bytes at {address:#010x} are outside the memory")]
pub struct OutOfWindow {
    /// First byte.
    pub address: u32,
    /// Number of bytes.
    pub bytes: usize,
}

/// Sparse memory with faults.
pub struct Memory {
    pages: Vec<Option<Box<[u8; PAGE]>>>,
    faults: Vec<Fault>,
}

impl Default for Memory {
    fn default() -> Self {
        Self { pages: (0..BYTES as usize / PAGE).map(|_| None).collect(), faults: Vec::new() }
    }
}

impl Memory {
    /// Adds a rule.
    pub fn inject(&mut self, fault: Fault) {
        self.faults.push(fault);
    }

    /// Drops all rules.
    pub fn clear_faults(&mut self) {
        self.faults.clear();
    }

    /// Forgets every byte and every rule.
    pub fn clear(&mut self) {
        self.pages.fill_with(|| None);
        self.faults.clear();
    }

    /// Copies out, for the host: no rule strikes. What was never written is 0.
    pub fn read(&self, address: u32, bytes: &mut [u8]) -> Result<(), OutOfWindow> {
        let mut offset = offset(address, bytes.len())?;
        for part in Parts::new(offset, bytes.len()) {
            let (target, from) = (&mut bytes[part.clone()], offset % PAGE);
            match &self.pages[offset / PAGE] {
                Some(page) => target.copy_from_slice(&page[from..from + part.len()]),
                None => target.fill(0),
            }
            offset += part.len();
        }
        Ok(())
    }

    /// Copies in, for the host: no rule strikes.
    pub fn write(&mut self, address: u32, bytes: &[u8]) -> Result<(), OutOfWindow> {
        let mut offset = offset(address, bytes.len())?;
        for part in Parts::new(offset, bytes.len()) {
            let page = self.pages[offset / PAGE].get_or_insert_with(|| Box::new([0; PAGE]));
            page[offset % PAGE..][..part.len()].copy_from_slice(&bytes[part.clone()]);
            offset += part.len();
        }
        Ok(())
    }

    /// A read beat of the core: a word (0 with an error) and the response.
    pub fn read_beat(&mut self, address: u32) -> (u32, Response) {
        let mut word = [0; 4];
        let response = match self.strike(Direction::Read, address) {
            Response::Okay if self.read(address, &mut word).is_err() => Response::DecodeError,
            response => response,
        };
        (u32::from_le_bytes(word), response)
    }

    /// A write beat of the core: bytes whose strobe is set are stored, unless the answer is an error.
    pub fn write_beat(&mut self, address: u32, word: u32, strobes: u8) -> Response {
        let mut bytes = [0; 4];
        match self.strike(Direction::Write, address) {
            Response::Okay if self.read(address, &mut bytes).is_err() => Response::DecodeError,
            Response::Okay => {
                for (lane, (byte, new)) in bytes.iter_mut().zip(word.to_le_bytes()).enumerate() {
                    if strobes >> lane & 1 == 1 {
                        *byte = new;
                    }
                }
                self.write(address, &bytes).map_or(Response::DecodeError, |()| Response::Okay)
            }
            response => response,
        }
    }

    /// The answer that the rules give to a beat; counts it.
    fn strike(&mut self, direction: Direction, address: u32) -> Response {
        let mut answer = Response::Okay;
        for fault in self.faults.iter_mut().filter(|fault| fault.direction == direction) {
            let strikes = match &mut fault.place {
                Place::Range(first, last) => (*first..=*last).contains(&address),
                Place::Beat(left) => {
                    let now = *left == 0;
                    // A rule that has struck waits for 2^64 more beats.
                    *left = left.wrapping_sub(1);
                    now
                }
            };
            if strikes && answer == Response::Okay {
                answer = fault.response;
            }
        }
        answer
    }
}

/// Offset into the window, if all the bytes are in it.
fn offset(address: u32, bytes: usize) -> Result<usize, OutOfWindow> {
    address
        .checked_sub(BASE)
        .map(|offset| offset as usize)
        .filter(|offset| offset.checked_add(bytes).is_some_and(|end| end <= BYTES as usize))
        .ok_or(OutOfWindow { address, bytes })
}

/// The parts of a run of bytes that lie in one page each, as ranges of the run.
struct Parts {
    offset: usize,
    done: usize,
    bytes: usize,
}

impl Parts {
    fn new(offset: usize, bytes: usize) -> Self {
        Self { offset, done: 0, bytes }
    }
}

impl Iterator for Parts {
    type Item = std::ops::Range<usize>;

    fn next(&mut self) -> Option<Self::Item> {
        let room = PAGE - (self.offset + self.done) % PAGE;
        let end = self.bytes.min(self.done + room);
        let part = self.done..end;
        self.done = end;
        (!part.is_empty()).then_some(part)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_across_pages() {
        let mut memory = Memory::default();
        let bytes: Vec<u8> = (0..10_000u32).map(|n| (n * 7) as u8).collect();
        memory.write(BASE + 4090, &bytes).unwrap();
        let mut back = vec![0xFF; bytes.len() + 8];
        memory.read(BASE + 4086, &mut back).unwrap();
        assert_eq!(back[..4], [0; 4]);
        assert_eq!(back[4..bytes.len() + 4], bytes);
        assert_eq!(back[bytes.len() + 4..], [0; 4]);
    }

    #[test]
    fn the_window_has_edges() {
        let mut memory = Memory::default();
        memory.write(BASE + BYTES - 4, &[1, 2, 3, 4]).unwrap();
        assert_eq!(memory.read_beat(BASE + BYTES - 4), (0x0403_0201, Response::Okay));
        assert_eq!(memory.write(BASE + BYTES - 3, &[0; 4]), Err(OutOfWindow { address: BASE + BYTES - 3, bytes: 4 }));
        for address in [0, BASE - 4, BASE + BYTES, u32::MAX - 3] {
            assert_eq!(memory.read_beat(address), (0, Response::DecodeError), "{address:#x}");
            assert_eq!(memory.write_beat(address, 1, 15), Response::DecodeError, "{address:#x}");
        }
    }

    #[test]
    fn strobes_choose_bytes() {
        let mut memory = Memory::default();
        memory.write_beat(BASE, 0x4433_2211, 15);
        memory.write_beat(BASE, 0xDDCC_BBAA, 0b0101);
        assert_eq!(memory.read_beat(BASE).0, 0x44CC_22AA);
    }

    #[test]
    fn faults_strike_where_they_should() {
        let mut memory = Memory::default();
        let range = Place::Range(BASE + 8, BASE + 15);
        memory.inject(Fault { direction: Direction::Read, place: range, response: Response::SlaveError });
        memory.inject(Fault { direction: Direction::Write, place: Place::Beat(2), response: Response::DecodeError });
        let reads: Vec<Response> = (0..5).map(|n| memory.read_beat(BASE + 4 * n).1).collect();
        use Response::{DecodeError, Okay, SlaveError};
        assert_eq!(reads, [Okay, Okay, SlaveError, SlaveError, Okay]);
        let writes: Vec<Response> = (0..4).map(|n| memory.write_beat(BASE + 4 * n, n + 1, 15)).collect();
        assert_eq!(writes, [Okay, Okay, DecodeError, Okay]);
        memory.clear_faults();
        assert_eq!(memory.read_beat(BASE + 8), (0, Okay), "a refused write stores nothing");
    }
}
