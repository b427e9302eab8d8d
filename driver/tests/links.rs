//! Ways to a board: what is sent is what LiteX's gateware takes, and whatever comes back ends in an answer or an error.

#[path = "fake/mod.rs"]
#[allow(dead_code)] // Its faults are those of tests/device.rs.
mod fake;
mod gateware;

use std::io::{self, ErrorKind, Read, Write};
use std::net::{TcpListener, UdpSocket};
use std::ops::ControlFlow;
use std::thread;
use std::time::{Duration, Instant};

use fake::{Fake, Fault};
use proptest::prelude::*;
use rayman_abi::register;
use rayman_abi::soc;
use rayman_driver::litex::etherbone::{answer, read_packet, write_packet, Tcp, Udp};
use rayman_driver::litex::uartbone::{Line, UartBone};
use rayman_driver::{
    AddressMap, Bus, Camera, Device, Fx1_7, Link, Material, MemoryWindow, OnBus, RenderOptions, Scene, Screen, Sphere,
    Transport, TransportError, WaitPolicy,
};

const WINDOW: MemoryWindow = MemoryWindow { base: soc::MEMORY, bytes: 1 << 20 };
const MAP: AddressMap = AddressMap { core: soc::CORE, memory: WINDOW };

fn board() -> Fake {
    Fake::with_window(Fault::None, WINDOW)
}

fn scene() -> Scene {
    let grey = [Fx1_7::from_bits(0x40); 3];
    let material = Material { ambient: grey, diffuse: grey, specular: grey, reflection: Fx1_7::ZERO, shininess: 8 };
    Scene {
        light: [1.0, 2.0, 3.0],
        camera: Camera { position: [0.0, 0.0, 5.0], look_at: [0.0; 3], fov_degrees: 60.0 },
        screen: Screen { width: 37, height: 11 },
        spheres: vec![Sphere { centre: [0.0; 3], radius: 1.0, material: 0 }; 40],
        materials: vec![material],
    }
}

/// Renders over a way to the fake, whose picture is known.
fn renders<T: Transport>(transport: T) {
    let name = transport.name();
    let mut device = Device::open(transport).unwrap_or_else(|error| panic!("{name}: {error}"));
    for _ in 0..2 {
        let policy = WaitPolicy { slice: Duration::from_millis(1), patience: Duration::from_secs(20) };
        let frame = device.render(&scene(), &RenderOptions::default(), &policy, |_| ControlFlow::Continue(()));
        let (picture, counters) = frame.unwrap_or_else(|error| panic!("{name}: {error}"));
        for (y, x) in (0..11).flat_map(|y| (0..37).map(move |x| (y, x))) {
            assert_eq!(picture.pixel(x, y), Some(Fake::colour(x, y)), "{name}: ({x}, {y})");
        }
        assert_eq!(counters.cycles(), 0x3_FFFF_FFF0, "{name}");
    }
}

#[test]
fn a_picture_over_uartbone_on_a_socket() {
    let port = gateware::uartbone_over_tcp(board());
    renders(format!("uartbone:socket://127.0.0.1:{port}").parse::<Link>().unwrap().open(MAP).unwrap());
}

#[test]
fn a_picture_over_uartbone_on_a_pseudo_terminal() {
    use serialport::SerialPort;
    let (mut host_end, slave) = serialport::TTYPort::pair().unwrap();
    let path = slave.name().unwrap();
    thread::spawn(move || {
        host_end.set_timeout(Duration::from_millis(100)).unwrap();
        gateware::uartbone(&mut board(), &mut host_end);
        drop(slave);
    });
    let link: Link = format!("uartbone:{path}@115200").parse().unwrap();
    renders(link.open(MAP).unwrap());
}

#[test]
fn a_picture_over_etherbone_on_udp_and_tcp() {
    let port = gateware::etherbone_over_udp(board(), 0);
    renders(format!("etherbone:127.0.0.2:{port}").parse::<Link>().unwrap().open(MAP).unwrap());
    let port = gateware::etherbone_over_tcp(board());
    renders(format!("etherbone:tcp://127.0.0.1:{port}").parse::<Link>().unwrap().open(MAP).unwrap());
}

#[test]
fn packets_that_are_lost_are_sent_again() {
    // A command is sent once; so that none is among the lost, registers are not tested here.
    let port = gateware::etherbone_over_udp(board(), 5);
    let bus = Udp::with_patience("udp".into(), &format!("127.0.0.2:{port}"), Duration::from_millis(200)).unwrap();
    let mut board = OnBus::new(bus, MAP).unwrap();
    let bytes: Vec<u8> = (0..997u32).map(|index| (index * 7 + index / 256) as u8).collect();
    board.write_memory(WINDOW.base + 3, &bytes).unwrap();
    board.write_register(register::SCENE_ADDRESS.offset, 0x4000_1230).unwrap();
    let mut found = vec![0; bytes.len()];
    board.read_memory(WINDOW.base + 3, &mut found).unwrap();
    assert!(found == bytes);
    assert_eq!(board.read_register(register::SCENE_ADDRESS.offset).unwrap(), 0x4000_1230);
}

#[test]
fn memory_that_reads_back_otherwise_is_an_error() {
    let window = MemoryWindow { bytes: 64, ..WINDOW };
    let port = gateware::etherbone_over_udp(Fake::with_window(Fault::None, window), 0);
    let mut board = format!("etherbone:127.0.0.2:{port}").parse::<Link>().unwrap().open(MAP).unwrap();
    board.write_memory(WINDOW.base, &[0x55; 64]).unwrap();
    let error = board.write_memory(WINDOW.base + 64, &[0x55; 64]).unwrap_err().to_string();
    assert!(error.contains("8 words written to 0x40000040 read back otherwise"), "{error}");
}

#[test]
fn nobody_there_is_an_error_that_says_so() {
    let free = |address: &str| {
        let port = TcpListener::bind(format!("{address}:0")).unwrap().local_addr().unwrap().port();
        format!("{address}:{port}")
    };
    let start = Instant::now();
    for text in [
        format!("uartbone:socket://{}", free("127.0.0.1")),
        format!("etherbone:tcp://{}", free("127.0.0.1")),
        "uartbone:/dev/no-such-line".into(),
        "etherbone:no.such.host.invalid".into(),
    ] {
        let error = text.parse::<Link>().unwrap().open(MAP).err().expect(&text).to_string();
        assert!(error.starts_with(&text), "{error}");
    }
    let patience = Duration::from_millis(50);
    let error = Udp::with_patience("board".into(), &free("127.0.0.2"), patience).err().unwrap().to_string();
    assert!(error.contains("nobody answers"), "{error}");
    assert!(start.elapsed() < Duration::from_secs(30));
}

#[test]
fn a_map_that_cannot_be_is_refused() {
    struct Nothing;
    impl Bus for Nothing {
        fn name(&self) -> String {
            "nothing".into()
        }
        fn read(&mut self, _: u32, words: &mut [u32]) -> Result<(), TransportError> {
            words.fill(0);
            Ok(())
        }
        fn write(&mut self, _: u32, _: &[u32]) -> Result<(), TransportError> {
            Ok(())
        }
        fn command(&mut self, _: u32, _: u32) -> Result<(), TransportError> {
            Ok(())
        }
    }
    for map in [
        AddressMap { core: 0x9000_0010, ..MAP },
        AddressMap { memory: MemoryWindow { base: 0xFFFF_FFF0, bytes: 0x20 }, ..MAP },
    ] {
        assert!(OnBus::new(Nothing, map).is_err(), "{map:?}");
    }
    let mut board = OnBus::new(Nothing, MAP).unwrap();
    assert!(matches!(board.read_register(0x1000), Err(TransportError::Register { offset: 0x1000, .. })));
    assert!(matches!(board.write_register(2, 0), Err(TransportError::Register { offset: 2, .. })));
    for (address, bytes) in [(WINDOW.base - 1, 2), (WINDOW.base + WINDOW.bytes - 1, 2), (0, 1), (u32::MAX, 8)] {
        assert!(matches!(board.read_memory(address, &mut vec![0; bytes]), Err(TransportError::Memory { .. })));
        assert!(matches!(board.write_memory(address, &vec![0; bytes]), Err(TransportError::Memory { .. })));
    }
}

/// A line in memory: gateware, or whatever answers a script has for each read.
struct Script {
    /// What comes, piece by piece; an empty piece is a moment in which nothing comes.
    answers: Vec<Vec<u8>>,
    sent: usize,
}

impl Read for Script {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let Some(piece) = self.answers.first_mut().filter(|piece| !piece.is_empty()) else {
            if !self.answers.is_empty() {
                self.answers.remove(0);
            }
            thread::sleep(Duration::from_micros(50));
            return Err(ErrorKind::TimedOut.into());
        };
        let count = piece.len().min(bytes.len());
        bytes[..count].copy_from_slice(&piece[..count]);
        piece.drain(..count);
        if piece.is_empty() {
            self.answers.remove(0);
        }
        Ok(count)
    }
}

impl Write for Script {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.sent += bytes.len();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Line for Script {
    fn discard(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Gateware on a line in memory, which also counts how far the host has run ahead of what it has read.
struct Wire {
    device: Fake,
    bone: gateware::UartBone,
    answer: Vec<u8>,
    ahead: usize,
    most_ahead: usize,
}

impl Read for Wire {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        if self.answer.is_empty() {
            return Err(ErrorKind::WouldBlock.into());
        }
        self.ahead = 0;
        // As few as three at a time: words come in pieces.
        let count = bytes.len().min(self.answer.len()).min(3);
        bytes[..count].copy_from_slice(&self.answer[..count]);
        self.answer.drain(..count);
        Ok(count)
    }
}

impl Write for Wire {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.ahead += bytes.len();
        self.most_ahead = self.most_ahead.max(self.ahead);
        for byte in bytes {
            self.answer.extend(self.bone.take(&mut self.device, *byte));
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Line for Wire {
    fn discard(&mut self) -> io::Result<()> {
        self.answer.clear();
        Ok(())
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn bytes_anywhere_in_memory_come_back_and_nothing_beside_them_changes(
        burst in 1usize..=255, offset in 0u32..64, bytes in proptest::collection::vec(any::<u8>(), 0..2000),
    ) {
        let wire = Wire { device: board(), bone: Default::default(), answer: vec![], ahead: 0, most_ahead: 0 };
        let bone = UartBone::new("wire".into(), wire, burst, Some(1500), Duration::from_secs(5));
        let mut board = OnBus::new(bone, MAP).unwrap();
        board.write_memory(WINDOW.base + offset, &bytes).unwrap();
        let mut found = vec![0; bytes.len()];
        board.read_memory(WINDOW.base + offset, &mut found).unwrap();
        prop_assert!(found == bytes);
        let mut around = vec![0; bytes.len() + 80];
        board.read_memory(WINDOW.base, &mut around).unwrap();
        prop_assert!(around[..offset as usize].iter().all(|byte| *byte == 0xA5));
        prop_assert!(around[offset as usize + bytes.len()..].iter().all(|byte| *byte == 0xA5));
    }

    #[test]
    fn packets_are_taken_apart_as_they_were_put_together(tag: u32, words in proptest::collection::vec(any::<u32>(), 1..=255)) {
        prop_assert_eq!(answer(&write_packet(tag, &words)), Some((tag, words.clone())));
        prop_assert_eq!(answer(&read_packet(tag, 0, words.len() as u8)), None);
    }

    #[test]
    fn any_bytes_are_an_answer_or_none(bytes in proptest::collection::vec(any::<u8>(), 0..200), right in 0usize..13) {
        let mut packet = write_packet(1, &[2]);
        packet.truncate(right);
        packet.extend(bytes);
        if let Some((_, words)) = answer(&packet) {
            prop_assert!(!words.is_empty() && packet.len() >= 16 + 4 * words.len());
        }
    }

    #[test]
    fn any_answers_of_a_line_end_in_a_word_or_a_clear_error(
        answers in proptest::collection::vec(proptest::collection::vec(any::<u8>(), 0..9), 0..40),
    ) {
        let script = Script { answers, sent: 0 };
        let bone = UartBone::new("script".into(), script, 16, None, Duration::from_micros(200));
        let mut board = OnBus::new(bone, MAP).unwrap();
        let mut bytes = [0; 200];
        for step in 0..3 {
            let outcome = match step {
                0 => board.read_register(0).map(drop),
                1 => board.read_memory(WINDOW.base, &mut bytes),
                _ => board.write_memory(WINDOW.base + 1, &bytes),
            };
            if let Err(error) = outcome {
                let text = error.to_string();
                prop_assert!(text.starts_with("script: ") && !text.contains('\n'), "{}", text);
                // After a frame without an answer there is a pause, which many cases have no time for.
                break;
            }
        }
    }
}

#[test]
fn a_host_runs_no_further_ahead_than_the_other_side_has_room() {
    let wire = Wire { device: board(), bone: Default::default(), answer: vec![], ahead: 0, most_ahead: 0 };
    let mut bone = UartBone::new("wire".into(), wire, 128, Some(1024), Duration::from_secs(5));
    bone.write(WINDOW.base, &[7; 5000]).unwrap();
    for index in 0..500 {
        bone.command(WINDOW.base + 4 * index, index).unwrap();
    }
    let mut words = [0; 600];
    bone.read(WINDOW.base, &mut words).unwrap();
    assert!(words[..500].iter().copied().eq(0..500) && words[500..] == [7; 100]);
    // With the frame of the read that waits.
    assert!(bone.line().most_ahead <= 1024 + 6, "{}", bone.line().most_ahead);
}

#[test]
fn a_late_answer_is_not_the_next_ones() {
    // The first read gets one byte too few, which comes late.
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let stream = std::net::TcpStream::connect(listener.local_addr().unwrap()).unwrap();
    stream.set_read_timeout(Some(Duration::from_millis(5))).unwrap();
    let mut other = listener.accept().unwrap().0;
    let mut bone = UartBone::new("late".into(), stream, 16, None, Duration::from_millis(20));
    other.write_all(&[9, 9]).unwrap(); // Never asked for.
    thread::sleep(Duration::from_millis(5));
    let answers = thread::spawn(move || {
        let mut frame = [0; 6];
        other.read_exact(&mut frame).unwrap();
        other.write_all(&[1, 2, 3]).unwrap();
        thread::sleep(Duration::from_millis(60));
        other.write_all(&[4]).unwrap();
        other.read_exact(&mut frame).unwrap();
        other.write_all(&[5, 6, 7, 8]).unwrap();
        other
    });
    let error = bone.read(0, &mut [0]).unwrap_err().to_string();
    assert_eq!(error, "late: 3 of 4 bytes came");
    let mut word = [0];
    bone.read(0, &mut word).unwrap();
    assert_eq!(word, [0x0506_0708]);
    drop(answers.join());
    assert!(bone.read(0, &mut word).is_err(), "closed");
}

/// Serves bytes from a seed on every connection: after a greeting if `greets`, whatever is asked.
fn babble(seed: u64) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    thread::spawn(move || {
        let mut state = seed;
        for stream in listener.incoming().take(40) {
            let mut stream = stream.unwrap();
            let mut bytes = vec![0; (state % 60) as usize + 1];
            for byte in &mut bytes {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                *byte = (state >> 33) as u8;
            }
            // Often a good beginning.
            let good = write_packet(0, &[1, 2]);
            let keep = (state >> 40) as usize % (good.len() + 1);
            bytes.splice(0..0, good[..keep].iter().copied());
            let _ = stream.write_all(&bytes);
            let _ = stream.read(&mut [0; 64]);
        }
    });
    port
}

#[test]
fn any_answers_of_a_server_end_in_words_or_a_clear_error() {
    for seed in 1..=40 {
        let address = format!("127.0.0.1:{}", babble(seed));
        let mut bus = Tcp::with_patience("babble".into(), &address, Duration::from_millis(10)).unwrap();
        for words in [1, 2, 3] {
            if let Err(error) = bus.read(0, &mut vec![0; words]) {
                let text = error.to_string();
                assert!(text.starts_with("babble: ") && !text.contains('\n'), "{text}");
            }
        }
    }
}

#[test]
fn packets_that_are_none_and_those_of_others_are_passed_over() {
    let socket = UdpSocket::bind("127.0.0.2:0").unwrap();
    let address = socket.local_addr().unwrap().to_string();
    thread::spawn(move || {
        let mut buffer = [0; 2048];
        let mut board = board();
        while let Ok((count, host)) = socket.recv_from(&mut buffer) {
            if let Some(right) = gateware::etherbone(&mut board, &buffer[..count], true) {
                let mut foreign = right.clone();
                if let Some(tag) = foreign.get_mut(15) {
                    *tag ^= 0x40;
                }
                for packet in [&foreign[..], &right[..right.len() - 1], b"", b"what", &[0; 1500], &right[..]] {
                    socket.send_to(packet, host).unwrap();
                }
            }
        }
    });
    let bus = Udp::with_patience("crowd".into(), &address, Duration::from_secs(5)).unwrap();
    let mut board = OnBus::new(bus, MAP).unwrap();
    assert_eq!(board.read_register(register::ID.offset).unwrap(), register::ID_VALUE);
    board.write_memory(WINDOW.base, &[1, 2, 3, 4, 5, 6, 7]).unwrap();
    let mut bytes = [0; 7];
    board.read_memory(WINDOW.base, &mut bytes).unwrap();
    assert_eq!(bytes, [1, 2, 3, 4, 5, 6, 7]);
}
