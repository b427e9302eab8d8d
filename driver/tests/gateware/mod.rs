//! A LiteX system of the tests' own: what UARTBone and Etherbone do to a bus, in front of any transport.
//!
//! Written from LiteX's gateware, not from the driver: bytes are taken one by one, as its state machines take them.

use std::io::{ErrorKind, Read, Write};
use std::net::{TcpListener, TcpStream, UdpSocket};
use std::thread;
use std::time::Duration;

use rayman_abi::register::{self, APERTURE_BYTES};
use rayman_abi::soc;
use rayman_driver::Transport;

/// Reads or writes a word, as the bus of the system does. An address where nothing is answers 0.
pub fn access<T: Transport>(device: &mut T, address: u32, write: Option<u32>) -> u32 {
    if (soc::CORE..soc::CORE + APERTURE_BYTES).contains(&address) {
        let offset = address - soc::CORE;
        if offset == register::IRQ_STATUS.offset {
            // Time passes for the device.
            let _ = device.wait_interrupt(Duration::ZERO);
        }
        return match write {
            Some(word) => device.write_register(offset, word).map_or(0, |()| word),
            None => device.read_register(offset).unwrap_or(0),
        };
    }
    let mut bytes = [0; 4];
    match write {
        Some(word) => drop(device.write_memory(address, &word.to_le_bytes())),
        None => drop(device.read_memory(address, &mut bytes)),
    }
    u32::from_le_bytes(bytes)
}

/// A UARTBone that is fed byte by byte. Answers what it sends.
#[derive(Default)]
pub struct UartBone {
    frame: Vec<u8>,
}

impl UartBone {
    pub fn take<T: Transport>(&mut self, device: &mut T, byte: u8) -> Vec<u8> {
        self.frame.push(byte);
        let [command, words, a, b, c, d, data @ ..] = &self.frame[..] else { return Vec::new() };
        let address = |index: usize| u32::from_be_bytes([*a, *b, *c, *d]).wrapping_add(index as u32).wrapping_mul(4);
        let mut sent = Vec::new();
        match command {
            1 if data.len() < 4 * usize::from(*words) => return sent,
            1 => data.chunks(4).enumerate().for_each(|(index, word)| {
                access(device, address(index), Some(u32::from_be_bytes(word.try_into().unwrap())));
            }),
            2 => sent.extend((0..(*words).into()).flat_map(|index| access(device, address(index), None).to_be_bytes())),
            other => panic!("no command {other}"),
        }
        assert!(*words > 0, "a frame of no words never ends");
        self.frame.clear();
        sent
    }
}

/// Serves UARTBone on one TCP connection, until it is closed. Answers the port.
pub fn uartbone_over_tcp<T: Transport + Send + 'static>(mut device: T) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    thread::spawn(move || {
        let mut stream = listener.accept().unwrap().0;
        uartbone(&mut device, &mut stream);
    });
    port
}

/// Serves UARTBone on a line until it is closed.
pub fn uartbone<T: Transport, L: Read + Write>(device: &mut T, line: &mut L) {
    let mut bone = UartBone::default();
    let mut bytes = [0; 512];
    loop {
        match line.read(&mut bytes) {
            Ok(0) => return,
            Ok(count) => {
                for byte in &bytes[..count] {
                    let sent = bone.take(device, *byte);
                    line.write_all(&sent).unwrap();
                }
            }
            Err(error) if error.kind() == ErrorKind::TimedOut => {}
            Err(_) => return,
        }
    }
}

fn word(bytes: &[u8]) -> u32 {
    u32::from_be_bytes(bytes[..4].try_into().unwrap())
}

/// What Etherbone answers to a packet; nothing to one that only writes. `keep_tag`: as LiteEth does; else as `litex_server`.
pub fn etherbone<T: Transport>(device: &mut T, packet: &[u8], keep_tag: bool) -> Option<Vec<u8>> {
    assert_eq!((&packet[..2], packet[2] >> 4, packet[3]), (&[0x4E, 0x6F][..], 1, 0x44), "{packet:?}");
    if packet[2] & 1 == 1 {
        return Some([&[0x4E, 0x6F, 0x12, 0x44], &packet[4..]].concat());
    }
    assert_eq!(packet[9], 0xF, "all bytes are enabled");
    let (writes, reads) = (usize::from(packet[10]), usize::from(packet[11]));
    let body: Vec<u32> = packet[12..].chunks(4).map(word).collect();
    if writes > 0 {
        assert_eq!((reads, body.len()), (0, 1 + writes), "LiteEth forgets a word between writes and reads");
        for (index, value) in body[1..].iter().enumerate() {
            access(device, body[0] + 4 * index as u32, Some(*value));
        }
        return None;
    }
    assert_eq!(body.len(), 1 + reads);
    let mut answer = packet[..8].to_vec();
    answer.extend([0, 0xF, packet[11], 0]);
    answer.extend(if keep_tag { body[0] } else { 0 }.to_be_bytes());
    answer.extend(body[1..].iter().flat_map(|address| access(device, *address, None).to_be_bytes()));
    Some(answer)
}

/// Serves Etherbone over UDP on 127.0.0.2, for the host has the same port on 127.0.0.1. Of each `lost_of` packets, in and out
/// together, one is lost; 0: none. Answers the port.
pub fn etherbone_over_udp<T: Transport + Send + 'static>(mut device: T, lost_of: u32) -> u16 {
    let socket = UdpSocket::bind("127.0.0.2:0").unwrap();
    socket.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
    let port = socket.local_addr().unwrap().port();
    thread::spawn(move || {
        let mut buffer = [0; 2048];
        let mut packets = 0u32;
        let mut lost = || {
            packets += 1;
            lost_of > 0 && packets.is_multiple_of(lost_of)
        };
        while let Ok((count, host)) = socket.recv_from(&mut buffer) {
            assert_eq!(host.port(), port, "LiteEth answers to its own port");
            if lost() {
                continue;
            }
            assert!(count <= 12 + 4 * 16, "LiteEth's buffer has 16 words");
            if let Some(answer) = etherbone(&mut device, &buffer[..count], true) {
                if !lost() {
                    socket.send_to(&answer, host).unwrap();
                }
            }
        }
    });
    port
}

/// Serves Etherbone over TCP as `litex_server` does, connection after connection. Answers the port.
pub fn etherbone_over_tcp<T: Transport + Send + 'static>(mut device: T) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    thread::spawn(move || {
        for stream in listener.incoming() {
            let _ = serve(&mut device, stream.unwrap(), port);
        }
    });
    port
}

fn serve<T: Transport>(device: &mut T, mut stream: TcpStream, port: u16) -> std::io::Result<()> {
    stream.write_all(format!("CommUART:localhost:{port}").as_bytes())?;
    loop {
        let mut packet = vec![0; 12];
        stream.read_exact(&mut packet)?;
        let words = usize::from(packet[10]) + usize::from(packet[11]) + 1;
        packet.resize(12 + 4 * words, 0);
        stream.read_exact(&mut packet[12..])?;
        if let Some(answer) = etherbone(device, &packet, false) {
            // In two pieces, so that an answer that comes in pieces is met.
            stream.write_all(&answer[..15])?;
            thread::sleep(Duration::from_millis(1));
            stream.write_all(&answer[15..])?;
        }
    }
}
