//! Where this project's LiteX systems (`constraints/litex`) have the core, and how the host reaches it.

/// Bus address of the core's registers.
pub const CORE: u32 = 0x9000_0000;
/// Bus address of the memory that host and core share.
pub const MEMORY: u32 = 0x4000_0000;
/// Bytes of that memory on boards with SDRAM, at least. A board whose memory is block RAM has less; its `csr.json` says how much.
pub const MEMORY_BYTES: u32 = 32 << 20;
/// Bits a second of the UARTBone.
pub const BAUD: u32 = 1_000_000;
/// UDP port of the etherbone.
pub const ETHERBONE_PORT: u16 = 1234;
