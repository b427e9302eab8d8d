//! The core in a LiteX system, in LiteX's own Verilator simulation, with an SDRAM model; and LiteX's own programs at the other end of
//! our ways to a board.

mod scratch;

use std::io::{BufRead, BufReader};
use std::net::{TcpListener, TcpStream, UdpSocket};
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::time::{Duration, Instant};
use std::{fs, thread};

use rayman_abi::{register, soc};
use rayman_driver::{AddressMap, Link, MemoryWindow, Transport};
use rayman_sim::devices;
use rayman_tools::device::address_map;
use scratch::{Scratch, SMALL};

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

/// Where the system is built; next to the other scratch folders, and kept while nothing of it changes.
fn folder() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("litex-simulation")
}

/// A program of the Python environment that has LiteX.
fn installed(name: &str) -> Command {
    let program = root().join(".venv/bin").join(name);
    assert!(program.exists(), "{} is not there: `cargo xtask setup` installs it", program.display());
    Command::new(program)
}

/// Builds the system, unless the one that is there was made of the same.
fn built() -> &'static Path {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    BUILT.get_or_init(|| {
        let folder = folder();
        fs::create_dir_all(&folder).unwrap();
        let source = root().join("constraints/litex");
        let mut made_of = devices::core_verilog(1).unwrap();
        let verilog = folder.join("rayman.v");
        fs::write(&verilog, &made_of).unwrap();
        let mut files: Vec<_> = fs::read_dir(&source).unwrap().map(|entry| entry.unwrap().path()).collect();
        files.sort();
        for file in files.iter().filter(|file| file.extension().is_some_and(|extension| extension == "py")) {
            made_of += &fs::read_to_string(file).unwrap();
        }
        let mark = folder.join("made-of.txt");
        if fs::read_to_string(&mark).unwrap_or_default() != made_of {
            let log = fs::File::create(folder.join("build.log")).unwrap();
            let mut build = installed("python");
            build.arg("-B").arg(source.join("build.py")).arg("simulation");
            build.arg("--verilog").arg(&verilog).arg("--folder").arg(&folder);
            let status = build.stdout(log.try_clone().unwrap()).stderr(log).status().unwrap();
            assert!(status.success(), "LiteX does not build: {}", folder.join("build.log").display());
            fs::write(&mark, made_of).unwrap();
        }
        folder
    })
}

fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

/// A program that is ended with the test.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Starts the system with its UARTBone at a TCP port of this test's.
fn simulation(test: &str) -> (Running, u16) {
    let gateware = built().join("gateware");
    let scratch = Scratch::new(test);
    for name in ["modules", "sim_memory.init"] {
        symlink(gateware.join(name), scratch.0.join(name)).unwrap();
    }
    let port = free_port();
    let config = fs::read_to_string(gateware.join("sim_config.js")).unwrap();
    let (before, after) = config.split_once("\"port\": ").expect("the UARTBone's port");
    let rest = after.trim_start_matches(|digit: char| digit.is_ascii_digit());
    scratch.write("sim_config.js", format!("{before}\"port\": {port}{rest}"));
    let mut program = Command::new(gateware.join("obj_dir/Vsim"));
    program.current_dir(&scratch.0).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let running = Running(program.spawn().unwrap());
    listens(port);
    (running, port)
}

fn listens(port: u16) {
    let start = Instant::now();
    while TcpStream::connect(("127.0.0.1", port)).is_err() {
        assert!(start.elapsed() < Duration::from_secs(60), "nobody listens");
        thread::sleep(Duration::from_millis(50));
    }
}

/// Renders on a board and on the model, and compares the files.
fn renders_as_the_model(test: &str, board: &str) {
    let scratch = Scratch::new(test);
    scratch.write("small.toml", SMALL);
    let map = built().join("csr.json");
    for (device, picture) in [(board, "board.png"), ("model", "model.png")] {
        let arguments = ["small.toml", "--device", device, "--soc", map.to_str().unwrap(), "-o", picture, "--quiet"];
        let outcome = scratch.upload(&arguments);
        assert_eq!(outcome.code, Some(0), "{outcome:?}");
    }
    let picture = |name: &str| fs::read(scratch.0.join(name)).unwrap();
    assert!(picture("board.png") == picture("model.png"));
}

#[test]
fn from_the_tool_to_the_picture_through_the_simulated_system() {
    let (_system, port) = simulation("litex-uartbone");
    let board = format!("uartbone:socket://127.0.0.1:{port}");
    renders_as_the_model("litex-uartbone-pictures", &board);
    // Where LiteX has put things is where the driver expects them.
    let map = address_map(&built().join("csr.json")).unwrap();
    assert_eq!((map.core, map.memory.base), (soc::CORE, soc::MEMORY));
    assert!(map.memory.bytes >= soc::MEMORY_BYTES);
    uses_memory(&mut *board.parse::<Link>().unwrap().open(map).unwrap());
}

/// Writes and reads memory at random, each read right behind a write; registers that are there and one that is not.
fn uses_memory(board: &mut dyn Transport) {
    let MemoryWindow { base, bytes } = board.memory();
    let mut state = 0x2545_F491u32;
    let mut random = |below: u32| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        ((u64::from(state >> 8) * u64::from(below)) >> 24) as u32
    };
    for _ in 0..12 {
        let length = 1 + random(600);
        // The end of memory, too: all address lines are there.
        let address = base + if random(2) == 0 { random(4096) } else { bytes - length - random(4096) };
        let written: Vec<u8> = (0..length).map(|_| random(256) as u8).collect();
        board.write_memory(address, &written).unwrap();
        let mut read = vec![0; written.len()];
        board.read_memory(address, &mut read).unwrap();
        assert!(read == written, "{length} bytes at {address:#x}");
    }
    for value in [0, u32::MAX, 0x1234_5678] {
        board.write_register(register::SCENE_ADDRESS.offset, value).unwrap();
        assert_eq!(board.read_register(register::SCENE_ADDRESS.offset).unwrap(), value);
    }
    assert_eq!(board.read_register(register::ID.offset).unwrap(), register::ID_VALUE);
}

#[test]
fn litex_server_serves_our_client() {
    let (_system, uart) = simulation("litex-server");
    let port = free_port();
    let mut server = installed("litex_server");
    server.args(["--uart", "--uart-port", &format!("socket://127.0.0.1:{uart}")]);
    server.args(["--bind-ip", "127.0.0.1", "--bind-port", &port.to_string()]);
    let _server = Running(server.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap());
    listens(port);
    renders_as_the_model("litex-server-pictures", &format!("etherbone:tcp://127.0.0.1:{port}"));
}

/// A memory behind UDP, with LiteX's own packets: what its client would meet. It prints its port.
const UDP_SERVER: &str = r#"
import socket
from litex.tools.remote.etherbone import EtherbonePacket, EtherboneRecord, EtherboneWrites
words = {}
line = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
line.bind(("127.0.0.2", 0))
print(line.getsockname()[1], flush=True)
while True:
    data, host = line.recvfrom(8192)
    packet = EtherbonePacket(32, data)
    if data[2] & 1:
        line.sendto(data[:2] + bytes([data[2] & 0xF0 | 2]) + data[3:], host)
        continue
    packet.decode()
    record, = packet.records
    if record.writes is not None:
        for index, word in enumerate(record.writes.get_datas()):
            words[record.writes.base_addr + 4 * index] = word
    if record.reads is not None:
        answer = EtherboneRecord(4)
        found = [words.get(address, 0xDEADBEEF) for address in record.reads.get_addrs()]
        # LiteX's decoder drops the address that the answer goes to; its gateware does not.
        tag = int.from_bytes(data[12:16], "big")
        answer.writes = EtherboneWrites(base_addr=tag, datas=found)
        answer.wcount = len(answer.writes)
        packet = EtherbonePacket(32)
        packet.records = [answer]
        packet.encode()
        line.sendto(packet.bytes, host)
"#;

#[test]
fn etherbone_packets_are_litexs() {
    let mut server = installed("python");
    server.args(["-B", "-c", UDP_SERVER]).stdout(Stdio::piped());
    let mut server = Running(server.spawn().unwrap());
    let mut line = String::new();
    BufReader::new(server.0.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let port = line.trim();
    // The address that the client will use is free.
    drop(UdpSocket::bind(format!("127.0.0.1:{port}")).unwrap());
    let link: Link = format!("etherbone:127.0.0.2:{port}").parse().unwrap();
    let mut board = link.open(AddressMap::default()).unwrap();
    let bytes: Vec<u8> = (0..=255).cycle().take(1001).collect();
    board.write_memory(soc::MEMORY + 1, &bytes).unwrap();
    let mut read = vec![0; bytes.len()];
    board.read_memory(soc::MEMORY + 1, &mut read).unwrap();
    assert!(read == bytes);
    assert_eq!(board.read_register(register::ID.offset).unwrap(), 0xDEAD_BEEF);
}

#[test]
fn the_parts_that_the_simulation_has_no_use_for() {
    let mut tests = installed("python");
    tests.args(["-B", "-m", "unittest", "-q", "test_core"]).current_dir(root().join("constraints/litex"));
    let output = tests.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// Who changes a board's pins or clocks sees it in the change.
#[test]
fn pins_and_clocks_of_the_boards_are_the_files_in_constraints() {
    for (board, file) in [("ulx3s", "ulx3s.lpf"), ("ecpix5", "ecpix5.lpf"), ("arty_a7", "arty_a7.xdc")] {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("litex-pins-{board}"));
        fs::create_dir_all(&folder).unwrap();
        let verilog = folder.join("rayman.v");
        fs::write(&verilog, "").unwrap();
        let mut build = installed("python");
        build.arg("-B").arg(root().join("constraints/litex/build.py")).arg(board);
        build.arg("--verilog").arg(&verilog).arg("--folder").arg(&folder);
        let output = build.output().unwrap();
        assert!(output.status.success(), "{board}: {}", String::from_utf8_lossy(&output.stderr));
        let made = folder.join("gateware").join(file);
        let kept = root().join("constraints").join(board).join(file);
        let same = fs::read_to_string(&made).unwrap() == fs::read_to_string(&kept).unwrap();
        assert!(same, "LiteX writes other constraints now: cp {} {}", made.display(), kept.display());
    }
}
