//! The driver's Opal Kelly transport before the in-crate system: registers, memory, a picture.

mod support;

use rayman_abi::{opal_kelly as abi, register};
use rayman_driver::frontpanel::OpalKelly;
use rayman_driver::{Transport, TransportError};
use rayman_sim::ModelTransport;
use support::{picture, InCrate};

fn open() -> OpalKelly<InCrate> {
    OpalKelly::new(InCrate::new()).expect("the system is there")
}

#[test]
fn registers_are_read_and_written_through_wires() {
    let mut board = open();
    assert_eq!(board.read_register(register::ID.offset).expect("ID"), register::ID_VALUE);
    assert_eq!(board.read_register(register::SCENE_ADDRESS.offset).expect("reset value"), abi::MEMORY);
    for value in [0, 0x1234_5678, u32::MAX] {
        board.write_register(register::SCENE_ADDRESS.offset, value).expect("written");
        assert_eq!(board.read_register(register::SCENE_ADDRESS.offset).expect("read"), value);
    }
    for offset in [0x0C, 0xFC] {
        let error = board.read_register(offset).expect_err("no register is there");
        assert!(matches!(error, TransportError::Register { response: "SLVERR", .. }), "{error}");
    }
    assert_eq!(board.read_register(register::ID.offset).expect("after an error"), register::ID_VALUE);
    assert!(board.read_register(0x100).is_err(), "past the registers");
}

#[test]
fn memory_is_read_and_written_through_pipes() {
    let mut board = open();
    let window = board.memory();
    assert_eq!((window.base, window.bytes), (abi::MEMORY, 64 << 10));
    let bytes: Vec<u8> = (0..1024u32).map(|i| ((i * 37) >> 2) as u8).collect();
    board.write_memory(window.base, &bytes).expect("written");
    let end = window.base + window.bytes;
    board.write_memory(end - 8, &bytes[..8]).expect("the last words");
    // Odd places and lengths: what is beside them stays.
    board.write_memory(window.base + 101, &[1, 2, 3]).expect("inside a word and the next");
    board.write_memory(window.base + 201, &[9]).expect("a byte");
    let mut expected = bytes.clone();
    expected[101..104].copy_from_slice(&[1, 2, 3]);
    expected[201] = 9;
    let mut found = vec![0; bytes.len()];
    board.read_memory(window.base, &mut found).expect("read");
    assert_eq!(found, expected);
    let mut part = [0; 7];
    board.read_memory(window.base + 99, &mut part).expect("read");
    assert_eq!(part, expected[99..106]);
    board.read_memory(end - 8, &mut part).expect("read");
    assert_eq!(part, bytes[..7]);
    for (address, length) in [(window.base - 1, 1), (end, 1), (end - 1, 2)] {
        assert!(board.write_memory(address, &vec![0; length]).is_err(), "{length} bytes at {address:#x}");
    }
}

#[test]
fn a_picture_through_the_endpoints_is_the_models() {
    let expected = picture(ModelTransport::default());
    assert_eq!(picture(open()), expected);
}
