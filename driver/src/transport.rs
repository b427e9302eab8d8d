//! What the driver needs of a way to a core: registers, memory, and, where there is one, the interrupt.

use std::time::Duration;

/// Memory that the core can reach and the host may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemoryWindow {
    /// Bus address of the first byte.
    pub base: u32,
    /// Size in bytes.
    pub bytes: u32,
}

/// A transport failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TransportError {
    /// The register slave answered an error.
    #[error("register at offset {offset:#04x}: the core answered {response}; this driver and this core disagree about the register map")]
    Register {
        /// Byte offset.
        offset: u32,
        /// SLVERR or DECERR.
        response: &'static str,
    },
    /// The memory is not in the window that the host may use.
    #[error("{bytes} bytes at {address:#010x} are outside the memory that this device offers")]
    Memory {
        /// Bus address of the first byte.
        address: u32,
        /// Number of bytes.
        bytes: usize,
    },
    /// The way to the device failed.
    #[error("{what}")]
    Io {
        /// What was being done, and to what.
        what: String,
        /// Why it failed.
        #[source]
        source: Option<std::io::Error>,
    },
}

/// A way to a core.
pub trait Transport {
    /// Names the device for messages, such as `in-crate RTL`.
    fn name(&self) -> String;

    /// Reads a register at a byte offset.
    fn read_register(&mut self, offset: u32) -> Result<u32, TransportError>;

    /// Writes a register at a byte offset.
    fn write_register(&mut self, offset: u32, value: u32) -> Result<(), TransportError>;

    /// The memory that both the host and the core reach.
    fn memory(&self) -> MemoryWindow;

    /// Reads memory at a bus address.
    fn read_memory(&mut self, address: u32, bytes: &mut [u8]) -> Result<(), TransportError>;

    /// Writes memory at a bus address.
    fn write_memory(&mut self, address: u32, bytes: &[u8]) -> Result<(), TransportError>;

    /// Waits until the interrupt is up or the time is over, whichever is first; answers whether it is up. A simulator
    /// lets its clock run in this call. A transport without an interrupt polls IRQ_STATUS here, at its own pace.
    fn wait_interrupt(&mut self, timeout: Duration) -> Result<bool, TransportError>;
}

macro_rules! forward {
    ($($pointer:ty),*) => {$(
        impl<T: Transport + ?Sized> Transport for $pointer {
            fn name(&self) -> String {
                (**self).name()
            }

            fn read_register(&mut self, offset: u32) -> Result<u32, TransportError> {
                (**self).read_register(offset)
            }

            fn write_register(&mut self, offset: u32, value: u32) -> Result<(), TransportError> {
                (**self).write_register(offset, value)
            }

            fn memory(&self) -> MemoryWindow {
                (**self).memory()
            }

            fn read_memory(&mut self, address: u32, bytes: &mut [u8]) -> Result<(), TransportError> {
                (**self).read_memory(address, bytes)
            }

            fn write_memory(&mut self, address: u32, bytes: &[u8]) -> Result<(), TransportError> {
                (**self).write_memory(address, bytes)
            }

            fn wait_interrupt(&mut self, timeout: Duration) -> Result<bool, TransportError> {
                (**self).wait_interrupt(timeout)
            }
        }
    )*};
}
forward!(Box<T>, &mut T);
