//! FrontPanel's library, opened at run time: the SDK is closed, so nothing of it is needed to build this.
//!
//! The functions and what they answer are those of the C API of FrontPanel 5, as its documentation has them. No board and no
//! library was here: `driver/tests/frontpanel.rs` opens a library of ours in its place.

use std::ffi::{c_char, c_int, c_long, c_uchar, c_ulong, c_void, CString};
use std::path::{Path, PathBuf};
use std::str::FromStr;

use libloading::Library;

use super::{failed, FrontPanel, OpalKelly};
use crate::transport::TransportError;

/// The library, where the loader finds it by itself.
const DEFAULT: &str = if cfg!(windows) {
    "okFrontPanel.dll"
} else if cfg!(target_os = "macos") {
    "libokFrontPanel.dylib"
} else {
    "libokFrontPanel.so"
};
/// Names the library where the loader does not find it.
pub const VARIABLE: &str = "RAYMAN_FRONTPANEL";
/// How a device is written.
pub const FORM: &str = "ok:[SERIAL][@BITSTREAM]";
/// The error codes, from -1 downwards, by the names of the documentation.
const CODES: &[&str] = &[
    "Failed",
    "Timeout",
    "DoneNotHigh",
    "TransferError",
    "CommunicationError",
    "InvalidBitstream",
    "FileError",
    "DeviceNotOpen",
    "InvalidEndpoint",
    "InvalidBlockSize",
    "I2CRestrictedAddress",
    "I2CBitError",
    "I2CNack",
    "I2CUnknownStatus",
    "UnsupportedFeature",
    "FIFOUnderflow",
    "FIFOOverflow",
    "DataAlignmentError",
    "InvalidResetProfile",
    "InvalidParameter",
];
/// Bytes in a call of a pipe at most: FrontPanel takes more, but not every version of it.
const PIPE_BYTES: usize = 1 << 20;

type Handle = *mut c_void;

/// Which board to open, and what to configure it with: `ok:`, `ok:SERIAL`, `ok:SERIAL@top.bit`, `ok:@top.bit`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BoardName {
    /// Serial number; empty for the first board found.
    pub serial: String,
    /// Bitstream to configure it with; none leaves it as it is.
    pub bitstream: Option<PathBuf>,
}

/// A text is no [`BoardName`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{text}` is no Opal Kelly board: write {FORM}")]
pub struct NoBoardName {
    /// The text.
    pub text: String,
}

impl FromStr for BoardName {
    type Err = NoBoardName;

    fn from_str(text: &str) -> Result<Self, NoBoardName> {
        let error = || NoBoardName { text: text.to_owned() };
        let rest = text.strip_prefix("ok:").ok_or_else(error)?;
        let (serial, bitstream) = match rest.split_once('@') {
            Some((_, "")) => return Err(error()),
            Some((serial, path)) => (serial, Some(PathBuf::from(path))),
            None => (rest, None),
        };
        if !serial.chars().all(|c| c.is_ascii_alphanumeric()) {
            return Err(error());
        }
        Ok(Self { serial: serial.to_owned(), bitstream })
    }
}

impl std::fmt::Display for BoardName {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "ok:{}", self.serial)?;
        self.bitstream.as_ref().map_or(Ok(()), |path| write!(f, "@{}", path.display()))
    }
}

impl BoardName {
    /// Opens the board by the library that [`VARIABLE`] names, or else the one that the loader finds.
    pub fn open(&self) -> Result<OpalKelly<Board>, TransportError> {
        let library = std::env::var_os(VARIABLE).unwrap_or_else(|| DEFAULT.into());
        self.open_with(Path::new(&library))
    }

    /// Opens the board by a library.
    pub fn open_with(&self, library: &Path) -> Result<OpalKelly<Board>, TransportError> {
        OpalKelly::new(Board::open(self, library)?)
    }
}

/// Declares the functions of the library that are called, and how they are looked up.
macro_rules! functions {
    ($($field:ident = $name:literal: fn($($argument:ty),*) -> $result:ty;)*) => {
        struct Functions {
            $($field: unsafe extern "C" fn($($argument),*) -> $result,)*
        }

        impl Functions {
            /// Looks all of them up.
            ///
            /// # Safety
            /// The library's functions of these names are those of FrontPanel's C API. None is called after it is closed.
            unsafe fn load(library: &Library) -> Result<Self, libloading::Error> {
                Ok(Self {
                    $($field: *unsafe {
                        library.get::<unsafe extern "C" fn($($argument),*) -> $result>($name.as_bytes())?
                    },)*
                })
            }
        }
    };
}
functions! {
    construct = "okFrontPanel_Construct": fn() -> Handle;
    destruct = "okFrontPanel_Destruct": fn(Handle) -> ();
    open_by_serial = "okFrontPanel_OpenBySerial": fn(Handle, *const c_char) -> c_int;
    configure_fpga = "okFrontPanel_ConfigureFPGA": fn(Handle, *const c_char) -> c_int;
    // Bool, which is a char in some versions and an int in others: its lowest byte is the same in both.
    is_enabled = "okFrontPanel_IsFrontPanelEnabled": fn(Handle) -> c_uchar;
    set_wire_in = "okFrontPanel_SetWireInValue": fn(Handle, c_int, c_ulong, c_ulong) -> c_int;
    // These two answer nothing in older versions and a code in newer ones: what they answer is not looked at.
    update_wire_ins = "okFrontPanel_UpdateWireIns": fn(Handle) -> ();
    update_wire_outs = "okFrontPanel_UpdateWireOuts": fn(Handle) -> ();
    get_wire_out = "okFrontPanel_GetWireOutValue": fn(Handle, c_int) -> c_ulong;
    activate_trigger_in = "okFrontPanel_ActivateTriggerIn": fn(Handle, c_int, c_int) -> c_int;
    write_to_pipe_in = "okFrontPanel_WriteToPipeIn": fn(Handle, c_int, c_long, *mut c_uchar) -> c_long;
    read_from_pipe_out = "okFrontPanel_ReadFromPipeOut": fn(Handle, c_int, c_long, *mut c_uchar) -> c_long;
}

/// A board that is open.
pub struct Board {
    name: String,
    handle: Handle,
    functions: Functions,
    // Last, so that it is closed after the handle is destructed.
    _library: Library,
}

impl std::fmt::Debug for Board {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Board").field("name", &self.name).finish_non_exhaustive()
    }
}

impl Board {
    /// Opens a board, and configures it if a bitstream is given.
    fn open(board: &BoardName, path: &Path) -> Result<Self, TransportError> {
        let no_library = |error: libloading::Error| {
            failed(format!(
                "Opal Kelly's library {} cannot be used ({error}): install FrontPanel's SDK, or let {VARIABLE} name the library",
                path.display()
            ))
        };
        // SAFETY: what the library does when it is opened and closed is the vendor's to get right.
        let library = unsafe { Library::new(path) }.map_err(no_library)?;
        // SAFETY: a library of this name has the vendor's functions; it is closed when the board is dropped, after them.
        let functions = unsafe { Functions::load(&library) }.map_err(no_library)?;
        // SAFETY: takes nothing.
        let handle = unsafe { (functions.construct)() };
        let opened = Self { name: board.to_string(), handle, functions, _library: library };
        if handle.is_null() {
            return Err(failed(format!("{}: FrontPanel gives no handle", opened.name)));
        }
        let serial = opened.c_string(&board.serial)?;
        // SAFETY: the handle is the library's own, the text ends with a zero byte.
        opened.check("open the board", unsafe { (opened.functions.open_by_serial)(handle, serial.as_ptr()) }.into())?;
        if let Some(bitstream) = &board.bitstream {
            let file = opened.c_string(&bitstream.to_string_lossy())?;
            // SAFETY: as above.
            let code = unsafe { (opened.functions.configure_fpga)(handle, file.as_ptr()) };
            opened.check("configure the board", code.into())?;
        }
        // SAFETY: the handle is the library's own.
        if unsafe { (opened.functions.is_enabled)(handle) } == 0 {
            return Err(failed(format!(
                "{}: what the board is configured with has no host interface: name a bitstream, {FORM}",
                opened.name
            )));
        }
        Ok(opened)
    }

    fn c_string(&self, text: &str) -> Result<CString, TransportError> {
        CString::new(text).map_err(|_| failed(format!("{}: a name with a zero byte", self.name)))
    }

    /// Below 0 is an error.
    fn check(&self, what: &str, code: c_long) -> Result<c_long, TransportError> {
        if code >= 0 {
            return Ok(code);
        }
        let known = usize::try_from(-1 - code).ok().and_then(|at| CODES.get(at)).unwrap_or(&"unknown");
        Err(failed(format!("{}: FrontPanel could not {what}: {known} (code {code})", self.name)))
    }

    /// Moves bytes through a pipe, in pieces. `step` answers how many of a piece were moved.
    fn pipe<T>(
        &self,
        what: &str,
        pieces: impl Iterator<Item = T>,
        length: impl Fn(&T) -> usize,
        step: impl Fn(&mut T) -> c_long,
    ) -> Result<(), TransportError> {
        for mut piece in pieces {
            let moved = self.check(what, step(&mut piece))?;
            if usize::try_from(moved) != Ok(length(&piece)) {
                let length = length(&piece);
                return Err(failed(format!("{}: FrontPanel moved {moved} of {length} bytes", self.name)));
            }
        }
        Ok(())
    }
}

impl Drop for Board {
    fn drop(&mut self) {
        if !self.handle.is_null() {
            // SAFETY: the handle is the library's own and is not used again.
            unsafe { (self.functions.destruct)(self.handle) }
        }
    }
}

/// All bits of a wire.
const WIRE: c_ulong = 0xFFFF;

// SAFETY of all calls below: the handle is the library's own and is open; buffers are as long as is said.
impl FrontPanel for Board {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn set_wires(&mut self, wires: &[(u8, u16)]) -> Result<(), TransportError> {
        for (endpoint, value) in wires {
            let code = unsafe {
                (self.functions.set_wire_in)(self.handle, c_int::from(*endpoint), c_ulong::from(*value), WIRE)
            };
            self.check("set a wire", code.into())?;
        }
        unsafe { (self.functions.update_wire_ins)(self.handle) };
        Ok(())
    }

    fn trigger(&mut self, endpoint: u8, bit: u8) -> Result<(), TransportError> {
        let code =
            unsafe { (self.functions.activate_trigger_in)(self.handle, c_int::from(endpoint), c_int::from(bit)) };
        self.check("fire a trigger", code.into()).map(drop)
    }

    fn read_wires(&mut self, endpoints: &[u8], values: &mut [u16]) -> Result<(), TransportError> {
        unsafe { (self.functions.update_wire_outs)(self.handle) };
        for (endpoint, value) in endpoints.iter().zip(values) {
            let wire = unsafe { (self.functions.get_wire_out)(self.handle, c_int::from(*endpoint)) };
            *value = (wire & WIRE) as u16;
        }
        Ok(())
    }

    fn write_pipe(&mut self, endpoint: u8, data: &[u8]) -> Result<(), TransportError> {
        let call = self.functions.write_to_pipe_in;
        // The library's argument is not const; it does not write.
        self.pipe(
            "write to a pipe",
            data.chunks(PIPE_BYTES),
            |piece| piece.len(),
            |piece| unsafe {
                call(self.handle, c_int::from(endpoint), piece.len() as c_long, piece.as_ptr().cast_mut())
            },
        )
    }

    fn read_pipe(&mut self, endpoint: u8, data: &mut [u8]) -> Result<(), TransportError> {
        let call = self.functions.read_from_pipe_out;
        self.pipe(
            "read from a pipe",
            data.chunks_mut(PIPE_BYTES),
            |piece| piece.len(),
            |piece| unsafe { call(self.handle, c_int::from(endpoint), piece.len() as c_long, piece.as_mut_ptr()) },
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boards_are_named() {
        for (text, serial, bitstream) in [
            ("ok:", "", None),
            ("ok:1837000ABC", "1837000ABC", None),
            ("ok:1837@a/top.bit", "1837", Some("a/top.bit")),
            ("ok:@top.bit", "", Some("top.bit")),
        ] {
            let name: BoardName = text.parse().expect(text);
            assert_eq!(name, BoardName { serial: serial.into(), bitstream: bitstream.map(PathBuf::from) });
            assert_eq!(name.to_string(), text);
        }
        for text in ["", "ok", "okay:1", "ok:a b", "ok:1@"] {
            assert!(text.parse::<BoardName>().is_err(), "{text}");
        }
    }

    #[test]
    fn a_library_that_is_not_there_is_named_with_what_to_do() {
        let error = BoardName::default().open_with(Path::new("no-such-library-of-rayman.so")).expect_err("none");
        let text = error.to_string();
        assert!(text.contains("no-such-library-of-rayman.so") && text.contains(VARIABLE), "{text}");
    }
}
