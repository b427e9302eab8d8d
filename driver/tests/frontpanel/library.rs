//! A library with FrontPanel's C API and no board: endpoints of a core in plain arrays. `driver/tests/frontpanel.rs` compiles it by
//! itself, so it uses nothing but the standard library and the endpoint numbers.
//!
//! The board with serial number `CONFIGURED` has a core in it, `EMPTY` has none, and `FLAKY` moves fewer bytes than are asked for.
//! Others are not there. A bitstream is a file that begins with `RAYMAN`.
#![allow(non_snake_case, clippy::missing_safety_doc, dead_code)]

#[path = "../../../hdl/abi/src/opal_kelly.rs"]
mod abi;

use std::collections::HashMap;
use std::ffi::{c_char, c_int, c_long, c_uchar, c_ulong, c_void, CStr};

const OK: c_int = 0;
const INVALID_BITSTREAM: c_int = -6;
const FILE_ERROR: c_int = -7;
const NOT_OPEN: c_int = -8;
const INVALID_ENDPOINT: c_int = -9;

#[derive(Default)]
struct Device {
    open: bool,
    configured: bool,
    flaky: bool,
    prepared: HashMap<u8, u16>,
    wires_in: HashMap<u8, u16>,
    wires_out: HashMap<u8, u16>,
    registers: HashMap<u16, u32>,
    value: u32,
    response: u16,
    memory: Vec<u8>,
    place: usize,
}

impl Device {
    fn wire(&self, endpoint: u8) -> u16 {
        self.wires_in.get(&endpoint).copied().unwrap_or(0)
    }

    fn word(&self, endpoint: u8) -> u32 {
        u32::from(self.wire(endpoint)) | u32::from(self.wire(endpoint + 1)) << 16
    }

    fn trigger(&mut self, bit: u8) {
        if self.wire(abi::CONTROL) & abi::RUN == 0 {
            return;
        }
        let offset = self.wire(abi::OFFSET);
        // Registers up to 0x7C; past them nothing answers OKAY.
        self.response = if offset < 0x80 { 0 } else { 2 };
        match bit {
            abi::WRITE if self.response == 0 => drop(self.registers.insert(offset, self.word(abi::DATA))),
            abi::READ => self.value = self.registers.get(&offset).copied().unwrap_or(0),
            abi::SEEK => self.place = (self.word(abi::ADDRESS) - abi::MEMORY) as usize & !3,
            _ => {}
        }
    }
}

unsafe fn device<'a>(handle: *mut c_void) -> &'a mut Device {
    unsafe { &mut *handle.cast() }
}

#[no_mangle]
pub extern "C" fn okFrontPanel_Construct() -> *mut c_void {
    Box::into_raw(Box::new(Device { memory: vec![0; 4096], ..Device::default() })).cast()
}

#[no_mangle]
pub unsafe extern "C" fn okFrontPanel_Destruct(handle: *mut c_void) {
    drop(unsafe { Box::<Device>::from_raw(handle.cast()) });
}

#[no_mangle]
pub unsafe extern "C" fn okFrontPanel_OpenBySerial(handle: *mut c_void, serial: *const c_char) -> c_int {
    let device = unsafe { device(handle) };
    match unsafe { CStr::from_ptr(serial) }.to_bytes() {
        // The first that is found.
        b"" | b"CONFIGURED" => device.configured = true,
        b"FLAKY" => (device.configured, device.flaky) = (true, true),
        b"EMPTY" => {}
        _ => return NOT_OPEN,
    }
    device.open = true;
    OK
}

#[no_mangle]
pub unsafe extern "C" fn okFrontPanel_ConfigureFPGA(handle: *mut c_void, file: *const c_char) -> c_int {
    let device = unsafe { device(handle) };
    let path = unsafe { CStr::from_ptr(file) }.to_string_lossy().into_owned();
    match std::fs::read(path) {
        _ if !device.open => NOT_OPEN,
        Err(_) => FILE_ERROR,
        Ok(bytes) if !bytes.starts_with(b"RAYMAN") => INVALID_BITSTREAM,
        Ok(_) => {
            device.configured = true;
            OK
        }
    }
}

#[no_mangle]
pub unsafe extern "C" fn okFrontPanel_IsFrontPanelEnabled(handle: *mut c_void) -> c_uchar {
    unsafe { device(handle) }.configured.into()
}

#[no_mangle]
pub unsafe extern "C" fn okFrontPanel_SetWireInValue(
    handle: *mut c_void,
    endpoint: c_int,
    value: c_ulong,
    mask: c_ulong,
) -> c_int {
    if !(0..0x20).contains(&endpoint) {
        return INVALID_ENDPOINT;
    }
    let prepared = unsafe { device(handle) }.prepared.entry(endpoint as u8).or_default();
    *prepared = (*prepared & !(mask as u16)) | (value & mask) as u16;
    OK
}

#[no_mangle]
pub unsafe extern "C" fn okFrontPanel_UpdateWireIns(handle: *mut c_void) {
    let device = unsafe { device(handle) };
    device.wires_in.clone_from(&device.prepared);
}

#[no_mangle]
pub unsafe extern "C" fn okFrontPanel_UpdateWireOuts(handle: *mut c_void) {
    let device = unsafe { device(handle) };
    let status = abi::MARK_VALUE << abi::MARK | device.response << abi::RESPONSE;
    device.wires_out.insert(abi::STATUS, status);
    device.wires_out.insert(abi::VALUE, device.value as u16);
    device.wires_out.insert(abi::VALUE + 1, (device.value >> 16) as u16);
    device.wires_out.insert(abi::MEMORY_BITS, device.memory.len().trailing_zeros() as u16);
}

#[no_mangle]
pub unsafe extern "C" fn okFrontPanel_GetWireOutValue(handle: *mut c_void, endpoint: c_int) -> c_ulong {
    let wires = &unsafe { device(handle) }.wires_out;
    wires.get(&(endpoint as u8)).copied().map_or(0, c_ulong::from)
}

#[no_mangle]
pub unsafe extern "C" fn okFrontPanel_ActivateTriggerIn(handle: *mut c_void, endpoint: c_int, bit: c_int) -> c_int {
    if endpoint != c_int::from(abi::TRIGGER) {
        return INVALID_ENDPOINT;
    }
    unsafe { device(handle) }.trigger(bit as u8);
    OK
}

#[no_mangle]
pub unsafe extern "C" fn okFrontPanel_WriteToPipeIn(
    handle: *mut c_void,
    endpoint: c_int,
    length: c_long,
    data: *mut c_uchar,
) -> c_long {
    let device = unsafe { device(handle) };
    if endpoint != c_int::from(abi::MEMORY_IN) {
        return INVALID_ENDPOINT.into();
    }
    let bytes = unsafe { std::slice::from_raw_parts(data, length as usize) };
    device.memory[device.place..device.place + bytes.len()].copy_from_slice(bytes);
    device.place += bytes.len();
    length - c_long::from(device.flaky)
}

#[no_mangle]
pub unsafe extern "C" fn okFrontPanel_ReadFromPipeOut(
    handle: *mut c_void,
    endpoint: c_int,
    length: c_long,
    data: *mut c_uchar,
) -> c_long {
    let device = unsafe { device(handle) };
    if endpoint != c_int::from(abi::MEMORY_OUT) {
        return INVALID_ENDPOINT.into();
    }
    let bytes = unsafe { std::slice::from_raw_parts_mut(data, length as usize) };
    bytes.copy_from_slice(&device.memory[device.place..device.place + bytes.len()]);
    device.place += bytes.len();
    length - c_long::from(device.flaky)
}
