//! The Opal Kelly transport before a library with FrontPanel's C API. The library is ours (`frontpanel/library.rs`): the vendor's is
//! closed and was not here.
#![cfg(feature = "frontpanel")]

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use rayman_driver::frontpanel::library::{Board, BoardName};
use rayman_driver::frontpanel::OpalKelly;
use rayman_driver::{Transport, TransportError};

/// The library, compiled once.
fn library() -> &'static Path {
    static LIBRARY: OnceLock<(tempfile::TempDir, PathBuf)> = OnceLock::new();
    let (_, path) = LIBRARY.get_or_init(|| {
        let folder = tempfile::tempdir().expect("a scratch folder");
        let path =
            folder.path().join(format!("{}okFrontPanel{}", std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX));
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/frontpanel/library.rs");
        let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
        let mut compile = Command::new(rustc);
        compile.args(["--edition", "2021", "--crate-type", "cdylib", "--crate-name", "okFrontPanel", "-o"]);
        let compiled = compile.arg(&path).arg(source).output().expect("rustc starts");
        assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
        (folder, path)
    });
    path
}

fn open(name: &str) -> Result<OpalKelly<Board>, TransportError> {
    name.parse::<BoardName>().expect("a board's name").open_with(library())
}

/// Why a board cannot be opened.
fn refusal(name: &str) -> String {
    open(name).map(drop).expect_err("it cannot be opened").to_string()
}

#[test]
fn registers_and_memory_go_through_the_library() {
    let mut board = open("ok:CONFIGURED").expect("a board");
    assert_eq!(board.name(), "ok:CONFIGURED");
    for value in [0, 0x1234_5678, u32::MAX] {
        board.write_register(0x08, value).expect("written");
        board.write_register(0x20, !value).expect("written");
        assert_eq!(board.read_register(0x08).expect("read"), value);
    }
    let error = board.write_register(0xFC, 0).expect_err("no register is there");
    assert!(matches!(error, TransportError::Register { offset: 0xFC, response: "SLVERR" }), "{error}");
    let window = board.memory();
    assert_eq!(window.bytes, 4096);
    let bytes: Vec<u8> = (0..window.bytes).map(|i| (i % 251) as u8).collect();
    board.write_memory(window.base, &bytes).expect("written");
    board.write_memory(window.base + 9, &[200, 201]).expect("inside a word");
    let mut found = vec![0; bytes.len()];
    board.read_memory(window.base, &mut found).expect("read");
    let mut expected = bytes;
    expected[9..11].copy_from_slice(&[200, 201]);
    assert_eq!(found, expected);
    assert!(board.read_memory(window.base + window.bytes, &mut [0]).is_err(), "past the memory");
}

#[test]
fn boards_that_cannot_be_opened_say_why() {
    assert!(open("ok:").is_ok(), "the first that is found");
    let absent = refusal("ok:ABSENT");
    assert!(absent.contains("ok:ABSENT") && absent.contains("open the board: DeviceNotOpen (code -8)"), "{absent}");
    let empty = refusal("ok:EMPTY");
    assert!(empty.contains("no host interface") && empty.contains("@BITSTREAM"), "{empty}");
}

#[test]
fn a_bitstream_is_loaded_or_refused() {
    let folder = tempfile::tempdir().expect("a scratch folder");
    let (good, bad) = (folder.path().join("good.bit"), folder.path().join("bad.bit"));
    std::fs::write(&good, "RAYMAN").expect("a file");
    std::fs::write(&bad, "something else").expect("a file");
    assert!(open(&format!("ok:EMPTY@{}", good.display())).is_ok());
    let refused = refusal(&format!("ok:EMPTY@{}", bad.display()));
    assert!(refused.contains("configure the board: InvalidBitstream"), "{refused}");
    let missing = refusal(&format!("ok:EMPTY@{}", folder.path().join("none.bit").display()));
    assert!(missing.contains("FileError"), "{missing}");
}

#[test]
fn a_pipe_that_moves_too_little_is_an_error() {
    let mut board = open("ok:FLAKY").expect("a board");
    let window = board.memory();
    let error = board.write_memory(window.base, &[0; 8]).expect_err("one byte is lost").to_string();
    assert!(error.contains("moved 7 of 8 bytes"), "{error}");
    let error = board.read_memory(window.base, &mut [0; 8]).expect_err("one byte is lost").to_string();
    assert!(error.contains("moved 7 of 8 bytes"), "{error}");
}

#[test]
fn a_library_without_the_functions_is_refused() {
    let folder = tempfile::tempdir().expect("a scratch folder");
    let path = folder.path().join("other.so");
    std::fs::write(&path, "no library").expect("a file");
    let error = BoardName::default().open_with(&path).map(drop).expect_err("no library").to_string();
    assert!(error.contains("install FrontPanel's SDK"), "{error}");
}
