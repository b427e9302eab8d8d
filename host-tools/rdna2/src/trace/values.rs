//! What a scalar register holds, as far as the analysis follows it, and the registers of a block as shared chunks.

use crate::isa::Register;

/// Scalar registers by their operand codes: s0 to s105, VCC, trap registers, M0, null, EXEC.
pub(super) const REGISTERS: usize = 128;
/// Registers of a chunk.
const CHUNK: usize = 16;
const CHUNKS: usize = REGISTERS / CHUNK;

/// What a register holds. Values from different instructions are different, so that each is found by its own path; whether
/// two words lie at the same place is asked where an access is judged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Value {
    /// What the register of this code held at the start.
    Initial(u8),
    /// A constant of the code.
    Constant(u32),
    /// A word of memory.
    Word {
        /// The base it was loaded from, an index into the analysis' bases.
        base: u32,
        /// Its own byte offset from there.
        offset: i32,
        /// The load, by index of the instruction.
        load: u32,
    },
    /// Whatever this instruction wrote.
    Written(u32),
    /// Whatever the blocks of the loop with this head wrote.
    Head(u32),
    /// What the register held at the end of the block from which this block was entered.
    Joined {
        /// The block.
        block: u32,
        /// The register's code.
        register: u8,
    },
}

/// The code of a scalar register; none for flags and vector registers.
pub(super) fn code(register: Register) -> Option<u8> {
    u8::try_from(register.index()).ok().filter(|&code| usize::from(code) < REGISTERS)
}

/// Some registers that stand side by side.
type Chunk = [Value; CHUNK];

/// The registers at one point of the program: those of a state, but for chunks that were written since.
#[derive(Debug, Clone)]
pub(super) struct Registers {
    from: State,
    /// Chunks that were written, a bit each; what the others have here means nothing.
    written: u8,
    chunks: [Chunk; CHUNKS],
}

impl Registers {
    /// Room for registers.
    pub(super) fn new() -> Self {
        Self { from: State([ChunkId::SEEDED; CHUNKS]), written: 0, chunks: [[Value::Initial(0); CHUNK]; CHUNKS] }
    }

    /// Takes the registers of a state.
    pub(super) fn open(&mut self, from: State) {
        self.from = from;
        self.written = 0;
    }

    /// What a register holds, by its code.
    pub(super) fn get(&self, store: &Store, code: u8) -> Value {
        let (chunk, place) = (usize::from(code) / CHUNK, usize::from(code) % CHUNK);
        match self.written >> chunk & 1 {
            0 => store.get(self.from, code),
            _ => self.chunks[chunk][place],
        }
    }

    /// Gives a register a value.
    pub(super) fn set(&mut self, store: &Store, code: u8, value: Value) {
        let (chunk, place) = (usize::from(code) / CHUNK, usize::from(code) % CHUNK);
        if self.written >> chunk & 1 == 0 {
            self.chunks[chunk] = store.chunk(self.from.0[chunk], chunk);
            self.written |= 1 << chunk;
        }
        self.chunks[chunk][place] = value;
    }

    /// Gives every register the same value.
    pub(super) fn set_all(&mut self, value: Value) {
        self.chunks = [[value; CHUNK]; CHUNKS];
        self.written = u8::MAX;
    }
}

/// Which chunk: one that is kept, or one whose registers all hold what a block's start makes of them, which needs no room. Equal
/// numbers are equal chunks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct ChunkId(u32);

/// What a [`ChunkId`] stands for.
enum Chunks {
    Kept(usize),
    Head(u32),
    Joined(u32),
    Seeded,
}

impl ChunkId {
    /// Bits of a block's number or a chunk's place. [`crate::cfg::MOST_BYTES`] make at most 2^28 blocks; of chunks each block may keep
    /// several, which [`Store::keep`] bounds.
    const BITS: u32 = 30;
    /// Every register holds what it held at the start.
    const SEEDED: Self = Self(3 << Self::BITS);

    fn head(block: u32) -> Self {
        Self(1 << Self::BITS | block)
    }

    fn joined(block: u32) -> Self {
        Self(2 << Self::BITS | block)
    }

    fn is(self) -> Chunks {
        let number = self.0 & ((1 << Self::BITS) - 1);
        match self.0 >> Self::BITS {
            0 => Chunks::Kept(number as usize),
            1 => Chunks::Head(number),
            2 => Chunks::Joined(number),
            _ => Chunks::Seeded,
        }
    }
}

/// All registers at the start or end of a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct State([ChunkId; CHUNKS]);

impl State {
    /// What every register was seeded with.
    pub(super) const SEEDED: Self = Self([ChunkId::SEEDED; CHUNKS]);

    /// At a loop's head.
    pub(super) fn head(block: u32) -> Self {
        Self([ChunkId::head(block); CHUNKS])
    }
}

/// Chunks that have a number.
pub(super) const MOST_CHUNKS: usize = 1 << ChunkId::BITS;
const _: () = assert!(crate::cfg::MOST_BYTES / 4 <= MOST_CHUNKS);

/// Chunks of registers, shared by the blocks that do not write them.
#[derive(Debug)]
pub(super) struct Store {
    chunks: Vec<Chunk>,
    /// Chunks that are kept.
    most: usize,
    /// Registers that were compared, where paths join.
    pub(super) compared: u64,
}

impl Store {
    /// Room for so many chunks, at most [`MOST_CHUNKS`].
    pub(super) fn new(most: usize) -> Self {
        Self { chunks: Vec::new(), most: most.min(MOST_CHUNKS), compared: 0 }
    }

    /// What a register holds in a state.
    pub(super) fn get(&self, state: State, code: u8) -> Value {
        let (chunk, place) = (usize::from(code) / CHUNK, usize::from(code) % CHUNK);
        self.value(state.0[chunk], chunk, place)
    }

    /// What a register of a chunk holds; the chunk stands at `at` among the others.
    fn value(&self, chunk: ChunkId, at: usize, place: usize) -> Value {
        let code = (CHUNK * at + place) as u8;
        match chunk.is() {
            Chunks::Kept(number) => self.chunks[number][place],
            Chunks::Head(block) => Value::Head(block),
            Chunks::Joined(block) => Value::Joined { block, register: code },
            Chunks::Seeded => Value::Initial(code),
        }
    }

    fn chunk(&self, chunk: ChunkId, at: usize) -> Chunk {
        match chunk.is() {
            Chunks::Kept(number) => self.chunks[number],
            _ => std::array::from_fn(|place| self.value(chunk, at, place)),
        }
    }

    /// A chunk beyond those that are kept counts as written in a loop, by which nothing is answered.
    fn keep(&mut self, chunk: Chunk) -> ChunkId {
        let place = self.chunks.len();
        if place == self.most {
            return ChunkId::head(0);
        }
        self.chunks.push(chunk);
        ChunkId(place as u32)
    }

    /// The state of registers that were written.
    pub(super) fn close(&mut self, registers: &Registers) -> State {
        let mut state = registers.from;
        for (number, chunk) in registers.chunks.iter().enumerate() {
            if registers.written >> number & 1 != 0 {
                state.0[number] = self.keep(*chunk);
            }
        }
        state
    }

    /// The state at the start of `block`, entered from blocks that end with the states `ends`, of which there is one at least:
    /// what all of them agree on, and for the rest [`Value::Joined`].
    pub(super) fn join(&mut self, block: u32, ends: &[State]) -> State {
        let mut state = ends[0];
        for number in 0..CHUNKS {
            let first = state.0[number];
            let differs = |end: &&State| end.0[number] != first;
            let Some(second) = ends.iter().find(differs).map(|end| end.0[number]) else { continue };
            state.0[number] = match (first.is(), second.is()) {
                // Two of these have no register in common.
                (Chunks::Head(_) | Chunks::Joined(_), Chunks::Head(_) | Chunks::Joined(_)) => ChunkId::joined(block),
                _ => self.join_chunk(block, number, ends),
            };
        }
        state
    }

    /// The same for one chunk, register by register.
    fn join_chunk(&mut self, block: u32, number: usize, ends: &[State]) -> ChunkId {
        let first = ends[0].0[number];
        let mut chunk = self.chunk(first, number);
        let mut joined = 0;
        for (place, value) in chunk.iter_mut().enumerate() {
            self.compared += ends.len() as u64;
            if ends.iter().any(|end| self.value(end.0[number], number, place) != *value) {
                *value = Value::Joined { block, register: (CHUNK * number + place) as u8 };
                joined += 1;
            }
        }
        match joined {
            0 => first,
            CHUNK => ChunkId::joined(block),
            _ => self.keep(chunk),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunks_beyond_those_that_are_kept_are_not_known() {
        let mut store = Store::new(1);
        let mut closed = |code, value| {
            let mut registers = Registers::new();
            registers.set(&store, code, value);
            let state = store.close(&registers);
            [code, code + 1].map(|code| store.get(state, code))
        };
        assert_eq!(closed(3, Value::Constant(7)), [Value::Constant(7), Value::Initial(4)]);
        assert_eq!(closed(20, Value::Constant(8)), [Value::Head(0); 2]);
        // What was kept stays.
        assert_eq!(store.chunks.len(), 1);
        assert_eq!(Store::new(usize::MAX).most, MOST_CHUNKS);
    }
}
