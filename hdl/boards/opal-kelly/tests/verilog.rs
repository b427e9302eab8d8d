//! The driver's Opal Kelly transport before each board's top as Verilog, in Icarus Verilog, with a model of ours in the place of the
//! vendor's host interface.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use rayman_abi::opal_kelly as abi;
use rayman_abi::register;
use rayman_driver::frontpanel::{FrontPanel, OpalKelly};
use rayman_driver::{Transport, TransportError};
use rayman_opal_kelly::board::{SYSTEM, SYSTEM_PORTS};
use rayman_opal_kelly::project::{files, system, Model};
use rayman_rtl::emit::ports;

/// Clocks that pass in a call: few, for Icarus Verilog is slow, but more than a register takes.
const CALL_CLOCKS: u32 = 12;

/// A simulation of a top under way.
struct Icarus {
    process: Child,
    calls: Option<ChildStdin>,
    answers: BufReader<ChildStdout>,
    _folder: tempfile::TempDir,
}

impl Icarus {
    /// Compiles the top of a board with the system's Verilog, and starts it.
    fn start(model: Model, system: &str) -> Self {
        let folder = tempfile::tempdir().expect("a scratch folder");
        let ours = Path::new(env!("CARGO_MANIFEST_DIR")).join("verilog");
        let top = &files(model).expect("the board's files")[0];
        fs::write(folder.path().join(top.name), &top.text).expect("the top");
        fs::write(folder.path().join("system.v"), system).expect("the system");
        let mut compile = Command::new("iverilog");
        compile.current_dir(folder.path()).args(["-g2005", "-s", "host", "-o", "sim", top.name, "system.v"]);
        compile.args([ours.join("frontpanel_model.v"), ours.join("host.v")]);
        let compiled = compile.output().expect("iverilog is installed (`cargo xtask setup` installs it)");
        assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
        let mut run = Command::new("vvp");
        run.current_dir(folder.path()).args(["-n", "sim"]).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut process = run.spawn().expect("vvp starts");
        let (calls, answers) = (process.stdin.take(), process.stdout.take().expect("its output"));
        Self { process, calls, answers: BufReader::new(answers), _folder: folder }
    }

    fn call(&mut self, what: char, a: u32, b: u32) {
        let calls = self.calls.as_mut().expect("the simulation's input");
        writeln!(calls, "{what} {a:x} {b:x}").expect("the simulation runs");
    }

    fn answer(&mut self) -> u16 {
        self.calls.as_mut().expect("the simulation's input").flush().expect("the simulation runs");
        let mut line = String::new();
        self.answers.read_line(&mut line).expect("an answer");
        u16::from_str_radix(line.trim(), 16).unwrap_or_else(|_| panic!("`{line}` is no number of four digits"))
    }
}

impl Drop for Icarus {
    fn drop(&mut self) {
        drop(self.calls.take());
        let _ = self.process.wait();
    }
}

impl FrontPanel for Icarus {
    fn name(&self) -> String {
        "ok: Icarus Verilog".to_owned()
    }

    fn set_wires(&mut self, wires: &[(u8, u16)]) -> Result<(), TransportError> {
        for (endpoint, value) in wires {
            self.call('W', u32::from(*endpoint), u32::from(*value));
        }
        self.call('U', 0, 0);
        self.call('C', CALL_CLOCKS, 0);
        Ok(())
    }

    fn trigger(&mut self, endpoint: u8, bit: u8) -> Result<(), TransportError> {
        self.call('T', u32::from(endpoint), 1 << bit);
        self.call('C', CALL_CLOCKS, 0);
        Ok(())
    }

    fn read_wires(&mut self, endpoints: &[u8], values: &mut [u16]) -> Result<(), TransportError> {
        self.call('C', CALL_CLOCKS, 0);
        self.call('L', 0, 0);
        for (endpoint, value) in endpoints.iter().zip(values) {
            self.call('G', u32::from(*endpoint), 0);
            *value = self.answer();
        }
        Ok(())
    }

    fn write_pipe(&mut self, endpoint: u8, data: &[u8]) -> Result<(), TransportError> {
        for half in data.chunks_exact(2) {
            self.call('P', u32::from(endpoint), u32::from(u16::from_le_bytes([half[0], half[1]])));
        }
        Ok(())
    }

    fn read_pipe(&mut self, endpoint: u8, data: &mut [u8]) -> Result<(), TransportError> {
        self.call('R', u32::from(endpoint), data.len() as u32 / 2);
        for half in data.chunks_exact_mut(2) {
            half.copy_from_slice(&self.answer().to_le_bytes());
        }
        Ok(())
    }
}

#[test]
fn registers_and_memory_through_the_host_interface_of_both_boards() {
    let system = system().expect("the system's Verilog");
    for model in [Model::Xem7010A50, Model::Xem6010Lx150] {
        let mut board = OpalKelly::new(Icarus::start(model, &system)).expect("the system is there");
        assert_eq!(board.read_register(register::ID.offset).expect("ID"), register::ID_VALUE, "{model:?}");
        for value in [0x1234_5678, !0] {
            board.write_register(register::SCENE_ADDRESS.offset, value).expect("written");
            assert_eq!(board.read_register(register::SCENE_ADDRESS.offset).expect("read"), value, "{model:?}");
        }
        let error = board.read_register(0xFC).expect_err("no register is there");
        assert!(matches!(error, TransportError::Register { response: "SLVERR", .. }), "{model:?}: {error}");
        let bytes: Vec<u8> = (0..64u8).map(|i| i.wrapping_mul(37)).collect();
        board.write_memory(abi::MEMORY + 0x100, &bytes).expect("written");
        board.write_memory(abi::MEMORY + 0x105, &[1, 2, 3]).expect("written in the middle of words");
        let mut expected = bytes;
        expected[5..8].copy_from_slice(&[1, 2, 3]);
        let mut found = [0; 64];
        board.read_memory(abi::MEMORY + 0x100, &mut found).expect("read");
        assert_eq!(found, expected[..], "{model:?}");
    }
}

#[test]
fn the_box_in_the_tops_has_the_systems_ports() {
    let text = system().expect("the system's Verilog");
    let mut found: Vec<_> = ports(&text, SYSTEM)
        .expect("its ports")
        .iter()
        .map(|port| (port.name.clone(), port.is_input, port.width))
        .collect();
    let mut expected: Vec<_> =
        SYSTEM_PORTS.iter().map(|(name, input, width)| ((*name).to_owned(), *input, *width)).collect();
    found.sort();
    expected.sort();
    assert_eq!(found, expected);
}
