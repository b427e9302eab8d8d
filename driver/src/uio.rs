//! A core beside the processor, through Linux's userspace I/O: `uio:/dev/uio0`.
//!
//! ```text
//!  Device --> Uio --map 0, volatile words--> registers
//!                 --map 1, volatile words--> memory that Linux leaves alone
//!                 <--read of the device----- interrupt
//! ```
//!
//! The driver behind the device is `uio_pdrv_genirq`; the overlay that `cargo xtask package` makes describes the core to it. What the
//! maps are is read from `/sys/class/uio`. The address of map 1 is the one by which the core reaches it too.
//!
//! The bus would answer an access where no register is with a signal that ends the process: such an offset is refused here.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use memmap2::{MmapOptions, MmapRaw};
use rayman_abi::register::{self, APERTURE_BYTES, IRQ, IRQ_STATUS};
use rustix::event::{poll, PollFd, PollFlags, Timespec};

use crate::transport::{MemoryWindow, Transport, TransportError};

/// Where the kernel says what the maps of its devices are.
const SYSFS: &str = "/sys/class/uio";
/// Map N of a device is at N times this in its file: the page of a Zynq's Linux.
const PAGE_BYTES: u64 = 4096;
const REGISTERS: u64 = 0;
const MEMORY: u64 = 1;
const BYTES_A_WORD: usize = 4;

/// A core behind a UIO device.
#[derive(Debug)]
pub struct Uio {
    name: String,
    events: Events,
    registers: MmapRaw,
    memory: MmapRaw,
    window: MemoryWindow,
}

/// The device's file, as far as it is about interrupts.
#[derive(Debug)]
struct Events(File);

/// A map as the kernel describes it.
struct Map {
    address: u32,
    bytes: u32,
}

impl Uio {
    /// Opens a device such as `/dev/uio0`.
    pub fn open(device: &Path) -> Result<Self, TransportError> {
        Self::open_described(device, Path::new(SYSFS))
    }

    /// Opens a device that is described in another folder than the kernel's.
    pub fn open_described(path: &Path, sysfs: &Path) -> Result<Self, TransportError> {
        let name = format!("uio:{}", path.display());
        let folder = path.file_name().map(|file| sysfs.join(file).join("maps")).unwrap_or_default();
        let registers = Map::read(&name, &folder, REGISTERS)?;
        let memory = Map::read(&name, &folder, MEMORY)?;
        if registers.bytes < APERTURE_BYTES {
            return Err(failed(&name, format!("map 0 has {} bytes, the registers {APERTURE_BYTES}", registers.bytes)));
        }
        if memory.address % 4 != 0 || u64::from(memory.address) + u64::from(memory.bytes) > 1 << 32 {
            return Err(failed(&name, format!("map 1 at {:#x} is not memory that the core reaches", memory.address)));
        }
        let device = OpenOptions::new().read(true).write(true).open(path).map_err(|source| TransportError::Io {
            what: format!("{name}: cannot be opened: is the overlay loaded, and may you write the device?"),
            source: Some(source),
        })?;
        let map = |number: u64, map: &Map| {
            let raw = MmapOptions::new().offset(number * PAGE_BYTES).len(map.bytes as usize).map_raw(&device);
            raw.map_err(|source| io_failed(&name, format!("map {number} cannot be mapped"), source))
        };
        let (registers, window) = (map(REGISTERS, &registers)?, memory.window());
        let memory = map(MEMORY, &memory)?;
        Ok(Self { name, events: Events(device), registers, memory, window })
    }

    /// The register at an offset, if the core has one there.
    fn register(&self, offset: u32) -> Result<*mut u32, TransportError> {
        if register::at(offset).is_none() {
            return Err(TransportError::Register { offset, response: "no access, for it has no such register" });
        }
        // SAFETY: registers lie within the aperture, and the map is not smaller.
        Ok(unsafe { self.registers.as_mut_ptr().add(offset as usize) }.cast())
    }

    /// Place in the map of bytes at a bus address.
    fn place(&self, address: u32, bytes: usize) -> Result<usize, TransportError> {
        let offset = address.checked_sub(self.window.base).map(|offset| offset as usize);
        let inside = |offset: &usize| offset.checked_add(bytes).is_some_and(|end| end <= self.window.bytes as usize);
        offset.filter(inside).ok_or(TransportError::Memory { address, bytes })
    }

    /// The word of memory that begins at a place, a multiple of 4 below the map's whole words.
    fn word(&self, place: usize) -> *mut u32 {
        // SAFETY: the callers' places are within the map.
        unsafe { self.memory.as_mut_ptr().add(place) }.cast()
    }

    /// Calls for each word that the bytes from a place on touch: its place, and which of its bytes are which of theirs.
    fn words(place: usize, bytes: usize, mut each: impl FnMut(usize, std::ops::Range<usize>, usize)) {
        let mut done = 0;
        while done < bytes {
            let at = place + done;
            let first = at % BYTES_A_WORD;
            let count = (BYTES_A_WORD - first).min(bytes - done);
            each(at - first, first..first + count, done);
            done += count;
        }
    }

    fn interrupt_is_up(&mut self) -> Result<bool, TransportError> {
        Ok(IRQ.get(self.read_register(IRQ_STATUS.offset)?) != 0)
    }
}

impl Map {
    fn read(name: &str, folder: &Path, number: u64) -> Result<Self, TransportError> {
        let value = |what: &str| {
            let path: PathBuf = folder.join(format!("map{number}")).join(what);
            let text = std::fs::read_to_string(&path)
                .map_err(|source| io_failed(name, format!("{} cannot be read", path.display()), source))?;
            let digits = text.trim().trim_start_matches("0x");
            u32::from_str_radix(digits, 16)
                .map_err(|_| failed(name, format!("{} says `{}`, no 32-bit number", path.display(), text.trim())))
        };
        let map = Self { address: value("addr")?, bytes: value("size")? };
        // Words are whole.
        Ok(Self { bytes: map.bytes & !3, ..map })
    }

    fn window(&self) -> MemoryWindow {
        MemoryWindow { base: self.address, bytes: self.bytes }
    }
}

fn failed(name: &str, what: String) -> TransportError {
    TransportError::Io { what: format!("{name}: {what}"), source: None }
}

fn io_failed(name: &str, what: String, source: io::Error) -> TransportError {
    TransportError::Io { what: format!("{name}: {what}"), source: Some(source) }
}

impl Transport for Uio {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn read_register(&mut self, offset: u32) -> Result<u32, TransportError> {
        let register = self.register(offset)?;
        // SAFETY: an aligned word of the map; nothing else in this process refers to it.
        Ok(u32::from_le(unsafe { register.read_volatile() }))
    }

    fn write_register(&mut self, offset: u32, value: u32) -> Result<(), TransportError> {
        let register = self.register(offset)?;
        // SAFETY: as above.
        unsafe { register.write_volatile(value.to_le()) };
        Ok(())
    }

    fn memory(&self) -> MemoryWindow {
        self.window
    }

    fn read_memory(&mut self, address: u32, bytes: &mut [u8]) -> Result<(), TransportError> {
        let place = self.place(address, bytes.len())?;
        Self::words(place, bytes.len(), |word, range, done| {
            // SAFETY: the word holds bytes that are within the map, whose size is a multiple of 4.
            let value = unsafe { self.word(word).read_volatile() }.to_ne_bytes();
            bytes[done..done + range.len()].copy_from_slice(&value[range]);
        });
        Ok(())
    }

    fn write_memory(&mut self, address: u32, bytes: &[u8]) -> Result<(), TransportError> {
        let place = self.place(address, bytes.len())?;
        Self::words(place, bytes.len(), |word, range, done| {
            // SAFETY: as above. A word of which only a part is written keeps the rest.
            let mut value = unsafe { self.word(word).read_volatile() }.to_ne_bytes();
            let source = &bytes[done..done + range.len()];
            value[range].copy_from_slice(source);
            unsafe { self.word(word).write_volatile(u32::from_ne_bytes(value)) };
        });
        Ok(())
    }

    fn wait_interrupt(&mut self, timeout: Duration) -> Result<bool, TransportError> {
        let end = Instant::now() + timeout;
        loop {
            if self.interrupt_is_up()? {
                return Ok(true);
            }
            let left = end.saturating_duration_since(Instant::now());
            let came = self.events.wait(left);
            if !came.map_err(|source| io_failed(&self.name, "cannot wait for the interrupt".to_owned(), source))? {
                return self.interrupt_is_up();
            }
        }
    }
}

impl Events {
    /// Waits for the next interrupt; answers whether one came in time. The kernel masks the interrupt when it comes, and is told
    /// here to let it through again; it is level triggered, so one that was up before comes at once.
    fn wait(&mut self, timeout: Duration) -> io::Result<bool> {
        self.0.write_all(&1u32.to_ne_bytes())?;
        let timeout = Timespec {
            tv_sec: timeout.as_secs().try_into().unwrap_or(i64::MAX),
            tv_nsec: timeout.subsec_nanos().into(),
        };
        if poll(&mut [PollFd::new(&self.0, PollFlags::IN)], Some(&timeout))? == 0 {
            return Ok(false);
        }
        // How many there were in all: of no interest, but it must be read.
        self.0.read_exact(&mut [0; 4])?;
        Ok(true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::fd::OwnedFd;
    use std::os::unix::net::UnixStream;

    /// A device's file and its description, as the kernel would have them. The kernel has a map a page; so has the file.
    fn device(address: &str, size: &str) -> (tempfile::TempDir, PathBuf, PathBuf) {
        let folder = tempfile::tempdir().expect("a scratch folder");
        let sysfs = folder.path().join("class");
        for (map, address, size) in [("map0", "0x43c00000", "0x1000"), ("map1", address, size)] {
            let map = sysfs.join("uio7/maps").join(map);
            std::fs::create_dir_all(&map).expect("a folder");
            std::fs::write(map.join("addr"), format!("{address}\n")).expect("a file");
            std::fs::write(map.join("size"), format!("{size}\n")).expect("a file");
        }
        let path = folder.path().join("uio7");
        std::fs::write(&path, [0; 3 * PAGE_BYTES as usize]).expect("a file");
        (folder, path, sysfs)
    }

    #[test]
    fn registers_and_memory_are_words_of_the_maps() {
        let (_folder, path, sysfs) = device("0x1c000000", "0x2000");
        let mut core = Uio::open_described(&path, &sysfs).expect("a device");
        assert_eq!(core.memory(), MemoryWindow { base: 0x1C00_0000, bytes: 0x2000 });
        core.write_register(register::SCENE_ADDRESS.offset, 0x1234_5678).expect("written");
        assert_eq!(core.read_register(register::SCENE_ADDRESS.offset).expect("read"), 0x1234_5678);
        assert!(core.read_register(0x0C).is_err(), "no register is there");
        assert!(core.write_register(APERTURE_BYTES, 0).is_err(), "past the registers");
        let bytes: Vec<u8> = (0..=255).collect();
        core.write_memory(0x1C00_0003, &bytes).expect("written");
        core.write_memory(0x1C00_1FFE, &[7, 8]).expect("the last bytes");
        let mut found = [0; 262];
        core.read_memory(0x1C00_0000, &mut found).expect("read");
        assert_eq!((&found[..3], &found[3..259], &found[259..]), (&[0; 3][..], &bytes[..], &[0; 3][..]));
        for (address, bytes) in [(0x1BFF_FFFF, 1), (0x1C00_2000, 1), (0x1C00_1FFF, 2)] {
            assert!(core.read_memory(address, &mut vec![0; bytes]).is_err(), "{bytes} bytes at {address:#x}");
        }
        let file = std::fs::read(&path).expect("the device's file");
        assert_eq!(file[8..12], [0x78, 0x56, 0x34, 0x12], "a register in map 0");
        assert_eq!(file[0x1000 + 3..0x1000 + 259], bytes, "memory in map 1");
        assert_eq!(file[0x2FFE..], [7, 8]);
    }

    #[test]
    fn an_interrupt_that_is_up_is_seen_at_once() {
        let (_folder, path, sysfs) = device("0x1c000000", "0x2000");
        let mut core = Uio::open_described(&path, &sysfs).expect("a device");
        let status = core.register(IRQ_STATUS.offset).expect("a register");
        // SAFETY: an aligned word of the map.
        unsafe { status.write_volatile(1) };
        assert!(core.wait_interrupt(Duration::from_secs(60)).expect("it is up"));
    }

    #[test]
    fn waiting_enables_the_interrupt_and_ends_with_it_or_with_the_time() {
        let (ours, mut kernels) = UnixStream::pair().expect("two ends");
        let mut events = Events(OwnedFd::from(ours).into());
        assert!(!events.wait(Duration::from_millis(10)).expect("it waits"), "none came");
        let mut enabled = [0; 4];
        kernels.read_exact(&mut enabled).expect("what was written");
        assert_eq!(u32::from_ne_bytes(enabled), 1);
        kernels.write_all(&5u32.to_ne_bytes()).expect("an interrupt");
        assert!(events.wait(Duration::from_secs(60)).expect("it waits"));
        kernels.read_exact(&mut enabled).expect("enabled again");
        assert!(!events.wait(Duration::ZERO).expect("it waits"), "it was taken");
    }

    #[test]
    fn devices_that_are_not_a_cores_are_refused() {
        let refusal = |address: &str, size: &str| {
            let (_folder, path, sysfs) = device(address, size);
            Uio::open_described(&path, &sysfs).map(drop).expect_err("refused").to_string()
        };
        assert!(refusal("0xfffff000", "0x2000").contains("not memory that the core reaches"));
        assert!(refusal("0x100000000", "0x2000").contains("no 32-bit number"));
        assert!(refusal("a place", "0x2000").contains("no 32-bit number"));
        let absent = Uio::open(Path::new("/dev/no-such-uio")).map(drop).expect_err("not there").to_string();
        assert!(absent.contains("uio:/dev/no-such-uio") && absent.contains("map0"), "{absent}");
    }
}
