//! Etherbone: reads and writes of a LiteX bus as packets, over UDP or TCP.
//!
//! ```text
//!  packet   4e6f | version 1, flags | sizes 4, 4 | 4 bytes 0 | record
//!  record   0 | byte enables f | writes w | reads r | (address, w words, if w) | (tag, r addresses, if r)
//!  answer   a packet whose record writes: r words to the address `tag`            numbers: most significant byte first
//! ```
//!
//! Sources: LiteEth 2024.12, `liteeth/frontend/etherbone.py`; LiteX 2024.12, `litex/tools/litex_server.py` and
//! `litex/tools/remote/etherbone.py`. One record a packet. Over UDP the tag says whose answer it is, and a packet may get lost: reads are
//! sent again; memory is read back after it was written, and written again if it differs. `litex_server` begins a connection with a
//! greeting of unknown length and answers every tag with 0; there what keeps order is TCP.

use std::io::{self, Read, Write};
use std::net::{SocketAddr, TcpStream, UdpSocket};
use std::time::{Duration, Instant};

use super::{connect, failed, not_yet, resolve, silent, wrong, PATIENCE};
use crate::on_bus::Bus;
use crate::transport::TransportError;

/// First bytes of a packet without flags: magic, version, sizes of addresses and words.
const MAGIC: [u8; 4] = [0x4E, 0x6F, 0x10, 0x44];
/// Third byte of a packet: asks whether somebody is there.
const PROBE: u8 = 0x01;
/// Third byte of a packet: somebody is there.
const PROBE_REPLY: u8 = 0x02;
const PACKET_HEADER: usize = 8;
const RECORD_HEADER: usize = 4;
const ALL_BYTES: u8 = 0xF;

fn packet(writes: u8, reads: u8, words: impl IntoIterator<Item = u32>) -> Vec<u8> {
    let mut packet = MAGIC.to_vec();
    packet.extend([0, 0, 0, 0, 0, ALL_BYTES, writes, reads]);
    packet.extend(words.into_iter().flat_map(u32::to_be_bytes));
    packet
}

/// A packet that reads up to 255 words from an address on.
pub fn read_packet(tag: u32, address: u32, words: u8) -> Vec<u8> {
    let addresses = (0..u32::from(words)).map(|index| address.wrapping_add(4 * index));
    packet(0, words, std::iter::once(tag).chain(addresses))
}

/// A packet that writes up to 255 words from an address on.
pub fn write_packet(address: u32, words: &[u32]) -> Vec<u8> {
    let count = words.len().min(255);
    packet(count as u8, 0, std::iter::once(address).chain(words[..count].iter().copied()))
}

fn word(bytes: &[u8]) -> u32 {
    bytes.iter().fold(0, |word, byte| word << 8 | u32::from(*byte))
}

/// Tag and words of an answer; none if it is none.
pub fn answer(packet: &[u8]) -> Option<(u32, Vec<u32>)> {
    let (header, body) = packet.split_at_checked(PACKET_HEADER)?;
    let (record, body) = body.split_at_checked(RECORD_HEADER)?;
    let (writes, reads) = (usize::from(record[2]), record[3]);
    // What follows the words is padding: a frame of Ethernet has a least length.
    if header[..4] != MAGIC || reads != 0 || writes == 0 || body.len() < 4 * (1 + writes) {
        return None;
    }
    let words = body[4..].chunks_exact(4).take(writes).map(word).collect();
    Some((word(&body[..4]), words))
}

/// A LiteX bus behind LiteEth's Etherbone.
pub struct Udp {
    name: String,
    socket: UdpSocket,
    tag: u32,
    patience: Duration,
}

/// Words in a packet: LiteX's `add_etherbone` has room for 16 with their address, and waits for ever for the end of a longer one.
const UDP_WORDS: usize = 8;
/// How often something is sent before it is given up, each time for its share of the patience.
const ATTEMPTS: u32 = 10;
/// Longer than any packet that somebody may send.
const MOST_BYTES: usize = 1 << 16;

impl Udp {
    /// Finds the device at `HOST:PORT`.
    pub fn open(name: String, address: &str) -> Result<Self, TransportError> {
        Self::with_patience(name, address, PATIENCE)
    }

    /// Finds a device that may take so long to answer.
    pub fn with_patience(name: String, address: &str, patience: Duration) -> Result<Self, TransportError> {
        let mut last = None;
        for found in resolve(&name, address)? {
            match Self::socket(found) {
                Ok(socket) => {
                    let mut bus = Self { name, socket, tag: 0, patience };
                    bus.probe()?;
                    return Ok(bus);
                }
                Err(error) => last = Some(error),
            }
        }
        Err(failed(&name, "cannot make a socket", last.unwrap_or_else(|| io::ErrorKind::AddrNotAvailable.into())))
    }

    /// LiteEth answers to the port that it listens on itself, so that is the host's, too.
    fn socket(device: SocketAddr) -> io::Result<UdpSocket> {
        let any: SocketAddr = if device.is_ipv4() { ([0; 4], 0).into() } else { ([0u16; 8], 0).into() };
        let route = UdpSocket::bind(any)?;
        route.connect(device)?;
        // The host's own address on the way to the device: others of this machine may use the port.
        let host = SocketAddr::new(route.local_addr()?.ip(), device.port());
        let socket = UdpSocket::bind(host)?;
        socket.connect(device)?;
        Ok(socket)
    }

    fn send(&self, packet: &[u8]) -> Result<(), TransportError> {
        match self.socket.send(packet) {
            // A refusal is of an earlier packet: nobody listened then.
            Err(error) if error.kind() == io::ErrorKind::ConnectionRefused => Ok(()),
            Err(error) => Err(failed(&self.name, "cannot send", error)),
            Ok(_) => Ok(()),
        }
    }

    /// Sends until `take` finds its answer among what comes. None if it never does.
    fn ask<T>(&self, packet: &[u8], take: impl Fn(&[u8]) -> Option<T>) -> Result<Option<T>, TransportError> {
        let mut buffer = vec![0; MOST_BYTES];
        for _ in 0..ATTEMPTS {
            self.send(packet)?;
            let end = Instant::now() + self.patience / ATTEMPTS;
            loop {
                let left = end.saturating_duration_since(Instant::now());
                if left.is_zero() {
                    break;
                }
                let left = left.max(Duration::from_millis(1));
                let received = self.socket.set_read_timeout(Some(left)).and_then(|()| self.socket.recv(&mut buffer));
                match received {
                    Ok(count) => {
                        if let Some(found) = take(&buffer[..count]) {
                            return Ok(Some(found));
                        }
                    }
                    Err(error) if not_yet(&error) => {}
                    Err(error) if error.kind() == io::ErrorKind::ConnectionRefused => {
                        std::thread::sleep(left);
                        break;
                    }
                    Err(error) => return Err(failed(&self.name, "cannot receive", error)),
                }
            }
        }
        Ok(None)
    }

    fn probe(&mut self) -> Result<(), TransportError> {
        let mut probe = MAGIC.to_vec();
        probe[2] |= PROBE;
        probe.extend([0; 8]);
        let is_reply = |packet: &[u8]| {
            let reply = packet.len() >= PACKET_HEADER && packet[..2] == MAGIC[..2] && packet[2] & PROBE_REPLY != 0;
            reply.then_some(())
        };
        match self.ask(&probe, is_reply)? {
            Some(()) => Ok(()),
            None => Err(wrong(&self.name, "nobody answers: is the board on, programmed, and in this network?")),
        }
    }

    fn read_burst(&mut self, address: u32, words: &mut [u32]) -> Result<(), TransportError> {
        self.tag = self.tag.wrapping_add(1);
        let (tag, count) = (self.tag, words.len());
        let mine = |packet: &[u8]| answer(packet).filter(|(found, words)| *found == tag && words.len() == count);
        // `UDP_WORDS` is 255 at most.
        match self.ask(&read_packet(tag, address, count as u8), mine)? {
            Some((_, found)) => {
                words.copy_from_slice(&found);
                Ok(())
            }
            None => Err(silent(&self.name, address, count)),
        }
    }
}

impl Bus for Udp {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn read(&mut self, address: u32, words: &mut [u32]) -> Result<(), TransportError> {
        let mut next = address;
        for burst in words.chunks_mut(UDP_WORDS) {
            self.read_burst(next, burst)?;
            next = next.wrapping_add(4 * burst.len() as u32);
        }
        Ok(())
    }

    fn write(&mut self, address: u32, words: &[u32]) -> Result<(), TransportError> {
        let mut next = address;
        for burst in words.chunks(UDP_WORDS) {
            let mut stays = false;
            for _ in 0..ATTEMPTS {
                self.send(&write_packet(next, burst))?;
                let mut found = vec![0; burst.len()];
                self.read_burst(next, &mut found)?;
                stays = found == burst;
                if stays {
                    break;
                }
            }
            if !stays {
                let count = burst.len();
                return Err(wrong(
                    &self.name,
                    format_args!("{count} words written to {next:#010x} read back otherwise"),
                ));
            }
            next = next.wrapping_add(4 * burst.len() as u32);
        }
        Ok(())
    }

    fn command(&mut self, address: u32, word: u32) -> Result<(), TransportError> {
        self.send(&write_packet(address, &[word]))
    }
}

/// A LiteX bus behind `litex_server`.
pub struct Tcp {
    name: String,
    address: String,
    /// None after a failure: what came late would be taken for the next answer.
    stream: Option<Connection>,
    patience: Duration,
    /// Words written since the last read.
    written: usize,
}

struct Connection {
    stream: TcpStream,
    greeted: bool,
}

/// Words in a packet to `litex_server`: a read of them takes the board's UART less than the 100 ms in which it must be over.
const TCP_WORDS: usize = 64;
/// Words under way at most: `litex_server` hands them to a line that may have room for no more than 2 KiB.
const TCP_AHEAD: usize = 128;
/// The longest greeting.
const MOST_GREETING: usize = 1024;

impl Tcp {
    /// Connects to the server at `HOST:PORT`.
    pub fn open(name: String, address: &str) -> Result<Self, TransportError> {
        Self::with_patience(name, address, PATIENCE)
    }

    /// Connects to a server that may take so long to answer.
    pub fn with_patience(name: String, address: &str, patience: Duration) -> Result<Self, TransportError> {
        let mut bus = Self { name, address: address.to_owned(), stream: None, patience, written: 0 };
        bus.connected()?;
        Ok(bus)
    }

    fn connected(&mut self) -> Result<&mut Connection, TransportError> {
        let connection = match self.stream.take() {
            Some(connection) => connection,
            None => Connection { stream: connect(&self.name, &self.address)?, greeted: false },
        };
        Ok(self.stream.insert(connection))
    }

    /// Sends a packet and, if words are asked for, waits for them.
    fn exchange(&mut self, packet: &[u8], address: u32, words: &mut [u32]) -> Result<(), TransportError> {
        let (name, patience) = (self.name.clone(), self.patience);
        let connection = self.connected()?;
        let outcome = connection.exchange(&name, packet, patience, address, words);
        if outcome.is_err() {
            self.stream = None;
        }
        outcome
    }
}

impl Connection {
    fn exchange(
        &mut self,
        name: &str,
        packet: &[u8],
        patience: Duration,
        address: u32,
        words: &mut [u32],
    ) -> Result<(), TransportError> {
        self.stream.write_all(packet).map_err(|source| failed(name, "cannot send", source))?;
        if words.is_empty() {
            return Ok(());
        }
        let end = Instant::now() + patience;
        let header = PACKET_HEADER + RECORD_HEADER;
        let mut reply = Vec::new();
        self.fill(name, &mut reply, header, end, || silent(name, address, words.len()))?;
        // No greeting has the magic's bytes, two of which are no text.
        let mut greeting = 0;
        while !self.greeted && reply[..4] != MAGIC && greeting < MOST_GREETING {
            reply.remove(0);
            greeting += 1;
            self.fill(name, &mut reply, header, end, || wrong(name, "what answers is no litex_server"))?;
        }
        self.greeted = true;
        let length = header + 4 * (1 + words.len());
        if reply[..4] != MAGIC || usize::from(reply[PACKET_HEADER + 2]) != words.len() {
            return Err(wrong(name, format_args!("no answer of {} words, but another", words.len())));
        }
        self.fill(name, &mut reply, length, end, || wrong(name, "an answer breaks off"))?;
        let (_, found) = answer(&reply).ok_or_else(|| wrong(name, "an answer is no answer"))?;
        words.copy_from_slice(&found);
        Ok(())
    }

    /// Receives until there are so many bytes.
    fn fill(
        &mut self,
        name: &str,
        bytes: &mut Vec<u8>,
        length: usize,
        end: Instant,
        late: impl Fn() -> TransportError,
    ) -> Result<(), TransportError> {
        while bytes.len() < length {
            let mut more = vec![0; length - bytes.len()];
            match self.stream.read(&mut more) {
                Ok(0) => return Err(wrong(name, "the other side has closed the connection")),
                Ok(count) => bytes.extend(&more[..count]),
                Err(error) if not_yet(&error) => {}
                Err(error) => return Err(failed(name, "cannot receive", error)),
            }
            if bytes.len() < length && Instant::now() > end {
                return Err(late());
            }
        }
        Ok(())
    }
}

impl Bus for Tcp {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn read(&mut self, address: u32, words: &mut [u32]) -> Result<(), TransportError> {
        let mut next = address;
        for burst in words.chunks_mut(TCP_WORDS) {
            // `TCP_WORDS` is 255 at most.
            self.exchange(&read_packet(0, next, burst.len() as u8), next, burst)?;
            self.written = 0;
            next = next.wrapping_add(4 * burst.len() as u32);
        }
        Ok(())
    }

    fn write(&mut self, address: u32, words: &[u32]) -> Result<(), TransportError> {
        let mut next = address;
        for burst in words.chunks(TCP_WORDS) {
            if self.written > 0 && self.written + burst.len() > TCP_AHEAD {
                // Where something was written can be read.
                self.read(address, &mut [0])?;
            }
            self.exchange(&write_packet(next, burst), next, &mut [])?;
            self.written += burst.len();
            next = next.wrapping_add(4 * burst.len() as u32);
        }
        Ok(())
    }

    fn command(&mut self, address: u32, word: u32) -> Result<(), TransportError> {
        self.write(address, &[word])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packets_as_litex_makes_them() {
        // `EtherbonePacket().encode()` of LiteX 2024.12, a record of two reads and one of a write.
        let head = [0x4E, 0x6F, 0x10, 0x44, 0, 0, 0, 0];
        let reads = [0, 0xF, 0, 2, 0, 0, 0, 7, 0x90, 0, 0, 0x10, 0x90, 0, 0, 0x14];
        assert_eq!(read_packet(7, 0x9000_0010, 2), [head.as_slice(), &reads].concat());
        let writes = [0, 0xF, 1, 0, 0x40, 0, 0, 0, 1, 2, 3, 4];
        assert_eq!(write_packet(0x4000_0000, &[0x0102_0304]), [head.as_slice(), &writes].concat());
    }

    #[test]
    fn an_answer_is_a_write_and_nothing_else() {
        let whole = write_packet(9, &[1, 2, 3]);
        assert_eq!(answer(&whole), Some((9, vec![1, 2, 3])));
        let padded = [whole.as_slice(), &[0; 30]].concat();
        assert_eq!(answer(&padded), Some((9, vec![1, 2, 3])));
        for length in 0..whole.len() {
            assert_eq!(answer(&whole[..length]), None, "{length}");
        }
        assert_eq!(answer(&read_packet(9, 0, 3)), None);
        assert_eq!(answer(&write_packet(9, &[])), None);
    }
}
