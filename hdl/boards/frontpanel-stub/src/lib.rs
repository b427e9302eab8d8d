//! Stands in for `rust-hdl-ok-frontpanel-sys`, whose build wants Opal Kelly's closed SDK.
//!
//! rust-hdl's Opal Kelly crates name these types in helpers for tests on a board, which nothing here calls. So the names are
//! there and every call fails: no device can be opened. The driver's own way to a board is `rayman_driver::frontpanel`.
#![warn(missing_docs)]

/// FrontPanel's code of a call that took too long.
#[allow(non_upper_case_globals)]
pub const ok_ErrorCode_ok_Timeout: i32 = -2;
/// FrontPanel's code of data whose length does not fit.
#[allow(non_upper_case_globals)]
pub const ok_ErrorCode_ok_DataAlignmentError: i32 = -18;
/// FrontPanel's code of an argument that makes no sense.
#[allow(non_upper_case_globals)]
pub const ok_ErrorCode_ok_InvalidParameter: i32 = -20;

/// A call failed. It always does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OkError {
    /// What FrontPanel calls ok_Failed.
    pub code: i32,
}

/// The code of every failure.
const FAILED: OkError = OkError { code: -1 };

/// A device that cannot be opened.
#[derive(Debug, Default)]
pub struct OkHandle(());

/// Calls that fail.
macro_rules! failing {
    ($($(#[$doc:meta])* $name:ident($($argument:ident: $ty:ty),*) -> $result:ty;)*) => {
        impl OkHandle {
            $($(#[$doc])*
            pub fn $name(&self, $($argument: $ty),*) -> Result<$result, OkError> {
                $(let _ = $argument;)*
                Err(FAILED)
            })*
        }
    };
}
failing! {
    /// Fails.
    open() -> ();
    /// Fails.
    open_with_serial(serial: &str) -> ();
    /// Fails.
    load_default_pll_configuration() -> ();
    /// Fails.
    get_wire_in(address: i32) -> u16;
    /// Fails.
    configure_fpga(firmware: &str) -> ();
    /// Fails.
    activate_trigger_in(address: i32, bit: i32) -> ();
    /// Fails.
    write_to_pipe_in(address: i32, data: &[u8]) -> ();
    /// Fails.
    write_to_block_pipe_in(address: i32, block: i32, data: &[u8]) -> ();
    /// Fails.
    read_from_pipe_out(address: i32, data: &mut [u8]) -> ();
    /// Fails.
    read_from_block_pipe_out(address: i32, block: i32, data: &mut [u8]) -> ();
    /// Fails.
    reset_fpga() -> ();
}

impl OkHandle {
    /// A handle on nothing.
    pub fn new() -> Self {
        Self::default()
    }

    /// Does nothing.
    pub fn close(&self) {}

    /// Nothing is there to be named.
    pub fn get_board_model(&self) -> String {
        String::new()
    }

    /// Nothing is there to be named.
    pub fn get_serial_number(&self) -> String {
        String::new()
    }

    /// Nothing is there to be named.
    pub fn get_device_id(&self) -> String {
        String::new()
    }

    /// 0.0.
    pub fn get_firmware_version(&self) -> (i32, i32) {
        (0, 0)
    }

    /// 0.0.0.
    pub fn get_api_version(&self) -> (i32, i32, i32) {
        (0, 0, 0)
    }

    /// Does nothing.
    pub fn reset_firmware(&self, address: i32) {
        let _ = address;
    }

    /// Does nothing.
    pub fn set_wire_in(&self, address: i32, value: u16) {
        let _ = (address, value);
    }

    /// Does nothing.
    pub fn update_wire_ins(&self) {}

    /// Does nothing.
    pub fn update_wire_outs(&self) {}

    /// 0.
    pub fn get_wire_out(&self, address: i32) -> u16 {
        let _ = address;
        0
    }

    /// Does nothing.
    pub fn update_trigger_outs(&self) {}

    /// No.
    pub fn is_triggered(&self, address: i32, mask: i32) -> bool {
        let _ = (address, mask);
        false
    }
}

/// Bytes as little-endian halves; an odd byte at the end is left out.
pub fn make_u16_buffer(data: &[u8]) -> Vec<u16> {
    data.chunks_exact(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]])).collect()
}

/// Halves as words, the low one first; an odd half at the end is left out.
pub fn make_u32_buffer(data: &[u16]) -> Vec<u32> {
    data.chunks_exact(2).map(|pair| u32::from(pair[0]) | u32::from(pair[1]) << 16).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_device_can_be_opened() {
        assert_eq!(OkHandle::new().open(), Err(FAILED));
        assert_eq!(OkHandle::new().configure_fpga("top.bit"), Err(FAILED));
    }

    #[test]
    fn buffers_are_little_endian() {
        assert_eq!(make_u16_buffer(&[1, 2, 3, 4, 5]), [0x0201, 0x0403]);
        assert_eq!(make_u32_buffer(&[0x0201, 0x0403, 5]), [0x0403_0201]);
    }
}
