//! A descriptor's words, read where its source says it lies.

use super::source::{AddressWord, BufferPlace, Pointer, Source};

/// Why a descriptor cannot be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// The user data given do not go so far.
    #[error("user data {register} is not given")]
    UserData {
        /// The register it is seeded in.
        register: usize,
    },
    /// A word of memory is not known.
    #[error("the memory at {address:#x} is not known")]
    Memory {
        /// Its byte address.
        address: u64,
    },
    /// The descriptor does not lie within its buffer: the processor would read zeros.
    #[error("bytes {offset:#x} to {end:#x} are not within the buffer of {size:#x} bytes")]
    OutOfBuffer {
        /// Byte offset of the descriptor.
        offset: u64,
        /// The byte behind it.
        end: u64,
        /// The buffer's size.
        size: u64,
    },
}

/// Addresses are of 48 bits.
const ADDRESS: u64 = (1 << 48) - 1;

/// What is known when descriptors are read.
struct Reader<'a, M> {
    user_data: &'a [u32],
    memory: M,
}

impl Source {
    /// The descriptor's `N` words, given the user data from s0 up and the words of memory by byte address.
    ///
    /// A buffer's descriptor is read where its table holds it, and the descriptor in it at the buffer's base plus the offset.
    ///
    /// # Errors
    ///
    /// Where user data or memory are not known, and where a descriptor does not lie within its buffer.
    pub fn read<const N: usize>(
        &self,
        user_data: &[u32],
        memory: impl Fn(u64) -> Option<u32>,
    ) -> Result<[u32; N], ReadError> {
        Reader { user_data, memory }.read(*self)
    }
}

impl<M: Fn(u64) -> Option<u32>> Reader<'_, M> {
    fn read<const N: usize>(&self, source: Source) -> Result<[u32; N], ReadError> {
        match source {
            Source::UserData { register } => self.user_data(register),
            Source::Table { pointer, offset } => self.words(self.table(pointer)?.wrapping_add_signed(offset.into())),
            Source::Buffer { buffer, offset } => self.words(self.within(buffer, offset, 4 * N as u64)?),
        }
    }

    /// User data from a register up.
    fn user_data<const N: usize>(&self, register: u8) -> Result<[u32; N], ReadError> {
        let first = usize::from(register);
        let given = self.user_data.get(first..first + N).and_then(|words| words.try_into().ok());
        given.ok_or(ReadError::UserData { register: self.user_data.len().max(first) })
    }

    /// A table's address.
    fn table(&self, pointer: Pointer) -> Result<u64, ReadError> {
        let [low] = self.user_data(pointer.low)?;
        let high = match pointer.high {
            AddressWord::Constant(high) => high,
            AddressWord::UserData(register) => {
                let [high] = self.user_data(register)?;
                high
            }
        };
        Ok(u64::from(high) << 32 | u64::from(low))
    }

    /// The address of some bytes of a buffer. Its descriptor: bits 47:0 base, 61:48 stride, 95:64 records of that size, or
    /// bytes where it is 0.
    fn within(&self, buffer: BufferPlace, offset: i32, bytes: u64) -> Result<u64, ReadError> {
        let words: [u32; 4] = self.read(buffer.into())?;
        let base = u64::from(words[1] & 0xffff) << 32 | u64::from(words[0]);
        let stride = u64::from(words[1] >> 16 & 0x3fff);
        let size = u64::from(words[2]) * stride.max(1);
        // An offset in a buffer is not negative.
        let offset = u64::from(offset.unsigned_abs());
        let end = offset + bytes;
        if end > size {
            return Err(ReadError::OutOfBuffer { offset, end, size });
        }
        Ok(base + offset)
    }

    fn words<const N: usize>(&self, address: u64) -> Result<[u32; N], ReadError> {
        let mut words = [0; N];
        for (index, word) in words.iter_mut().enumerate() {
            // The two lowest bits of an address are not looked at.
            let address = address.wrapping_add(4 * index as u64) & ADDRESS & !3;
            *word = (self.memory)(address).ok_or(ReadError::Memory { address })?;
        }
        Ok(words)
    }
}
