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

/// The registers at one point of the program.
#[derive(Debug, Clone)]
pub(super) struct Registers {
    values: [Value; REGISTERS],
    /// Chunks that were written since the registers were taken from the store, a bit each.
    written: u8,
    from: State,
}

impl Registers {
    /// What a register holds, by its code.
    pub(super) fn get(&self, code: u8) -> Value {
        self.values[usize::from(code)]
    }

    /// Gives a register a value.
    pub(super) fn set(&mut self, code: u8, value: Value) {
        self.values[usize::from(code)] = value;
        self.written |= 1 << (usize::from(code) / CHUNK);
    }

    /// Gives every register the same value.
    pub(super) fn set_all(&mut self, value: Value) {
        self.values = [value; REGISTERS];
        self.written = u8::MAX;
    }
}

/// All registers at the start or end of a block: numbers of chunks. Equal numbers are equal chunks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct State([u32; CHUNKS]);

/// Chunks of registers, shared by the blocks that do not write them.
#[derive(Debug, Default)]
pub(super) struct Store {
    chunks: Vec<[Value; CHUNK]>,
}

impl Store {
    /// Keeps a chunk.
    fn keep(&mut self, chunk: [Value; CHUNK]) -> u32 {
        self.chunks.push(chunk);
        self.chunks.len() as u32 - 1
    }

    /// The state in which each register holds what `value` says of its code.
    pub(super) fn state(&mut self, value: impl Fn(u8) -> Value) -> State {
        State(std::array::from_fn(|chunk| self.keep(std::array::from_fn(|place| value((CHUNK * chunk + place) as u8)))))
    }

    /// The state in which each register holds the same.
    pub(super) fn uniform(&mut self, value: Value) -> State {
        State([self.keep([value; CHUNK]); CHUNKS])
    }

    /// What a register holds in a state.
    pub(super) fn get(&self, state: State, code: u8) -> Value {
        let code = usize::from(code);
        self.chunks[state.0[code / CHUNK] as usize][code % CHUNK]
    }

    /// The registers of a state, to be written.
    pub(super) fn open(&self, from: State) -> Registers {
        let mut values = [Value::Initial(0); REGISTERS];
        for (values, &chunk) in values.chunks_exact_mut(CHUNK).zip(&from.0) {
            values.copy_from_slice(&self.chunks[chunk as usize]);
        }
        Registers { values, written: 0, from }
    }

    /// The state of registers that were written.
    pub(super) fn close(&mut self, registers: &Registers) -> State {
        let mut state = registers.from;
        for (number, values) in registers.values.chunks_exact(CHUNK).enumerate() {
            if registers.written >> number & 1 != 0 {
                let mut chunk = [Value::Initial(0); CHUNK];
                chunk.copy_from_slice(values);
                state.0[number] = self.keep(chunk);
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
            if ends.iter().all(|end| end.0[number] == first) {
                continue;
            }
            let mut chunk = self.chunks[first as usize];
            let mut differs = false;
            for (place, value) in chunk.iter_mut().enumerate() {
                if ends.iter().any(|end| self.chunks[end.0[number] as usize][place] != *value) {
                    *value = Value::Joined { block, register: (CHUNK * number + place) as u8 };
                    differs = true;
                }
            }
            if differs {
                state.0[number] = self.keep(chunk);
            }
        }
        state
    }
}
