//! One pass over the program: what every scalar register holds, block by block, and at each access where its descriptors lie.

use std::cell::{Cell, RefCell};
use std::collections::{HashMap, HashSet};
use std::ops::ControlFlow;
use std::rc::Rc;

use super::access::{Access, AccessKind, Options, Traced};
use super::source::{AddressWord, BufferPlace, Path, Pointer, Refusal, Source, Step, UnknownPlace};
use super::values::{code, Registers, State, Store, Value, MOST_CHUNKS, REGISTERS};
use crate::cfg::{BlockId, Cfg, Irregularity};
use crate::isa::{Encoding, Instruction, Opcode, Operand, Register, RegisterRange, Slot, Value as Constant};

/// What loads read from: a place of which the program knows the address.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Base {
    /// A table.
    Table(Pointer),
    /// A buffer.
    Buffer(BufferPlace),
}

/// Where a load reads.
struct Place {
    base: Base,
    offset: i32,
    /// Whether some path skips the load of the base.
    skips: bool,
}

/// The ways into a block, each with the registers that it comes with.
type Ways = Rc<[(BlockId, State)]>;

/// Why a load's place is unknown. A chain of such loads is one cause, however long.
enum Unknown {
    /// By the load itself.
    Itself(UnknownPlace),
    /// By what this load loaded, an index of an instruction, which is [`Unknown::Itself`].
    After(u32),
}

/// The state of the pass.
pub(super) struct Pass<'a> {
    pub(super) cfg: &'a Cfg,
    pub(super) options: Options,
    pub(super) store: Store,
    /// Each block's registers at its end.
    ends: Vec<Option<State>>,
    bases: Vec<Base>,
    base_numbers: HashMap<Base, u32>,
    /// Loads through buffers whose own load some path skips, by index of the instruction.
    skipping: HashSet<u32>,
    /// Loads from unknown places, by index of the instruction.
    unknown: HashMap<u32, Unknown>,
    /// Control that comes from where the graph does not show it.
    strayed: Option<Irregularity>,
    accesses: Vec<Access>,
    /// The ways into the joins that were opened, by block: what [`Pass::ways_into`] answers.
    opened: RefCell<HashMap<u32, Ways>>,
    /// Combinations of ways that were followed, and ways that were looked at for them.
    followed: Cell<u64>,
}

/// Every access of a program, by address, and how many steps that took.
pub(super) fn accesses(cfg: &Cfg, options: Options) -> (Vec<Access>, u64) {
    let strayed = cfg.irregularities().into_iter().find(|one| !matches!(one, Irregularity::Unnamed { .. }));
    let mut pass = Pass {
        cfg,
        options,
        store: Store::new(MOST_CHUNKS),
        ends: vec![None; cfg.blocks().len()],
        bases: Vec::new(),
        base_numbers: HashMap::new(),
        skipping: HashSet::new(),
        unknown: HashMap::new(),
        strayed,
        accesses: Vec::new(),
        opened: RefCell::default(),
        followed: Cell::new(0),
    };
    let mut registers = Registers::new();
    let (mut ways, mut ends) = (Vec::new(), Vec::new());
    let mut steps = cfg.instructions().len() as u64;
    for &block in cfg.order() {
        pass.ways(block, &mut ways);
        steps += ways.len() as u64;
        registers.open(match ways[..] {
            _ if cfg.is_head(block) => State::head(block.index() as u32),
            [] => State::SEEDED,
            [(_, end)] => end,
            _ => {
                ends.clear();
                ends.extend(ways.iter().map(|way| way.1));
                pass.store.join(block.index() as u32, &ends)
            }
        });
        for index in cfg.block(block).instructions.clone() {
            pass.note(index, Some(&registers));
            pass.step_over(index, &mut registers);
        }
        pass.ends[block.index()] = Some(pass.store.close(&registers));
    }
    for block in cfg.block_ids().filter(|&block| !cfg.is_reached(block)) {
        cfg.block(block).instructions.clone().for_each(|index| pass.note(index, None));
    }
    pass.accesses.sort_unstable_by_key(|access| access.instruction);
    (pass.accesses, steps + pass.store.compared + pass.followed.get())
}

impl Pass<'_> {
    /// The ways into a block that do not go back, with the registers they come with; by address. For a block that the pass has come
    /// to and that is no loop's head: all its ways in.
    fn ways(&self, block: BlockId, ways: &mut Vec<(BlockId, State)>) {
        ways.clear();
        ways.extend(self.cfg.predecessors(block).filter_map(|from| Some((from, self.ends[from.index()]?))));
        ways.sort_unstable_by_key(|way| way.0);
        ways.dedup_by_key(|way| way.0);
    }

    /// The ways into a block where paths join, by address, and of those with the same registers the first.
    pub(super) fn ways_into(&self, block: u32) -> Ways {
        if let Some(ways) = self.opened.borrow().get(&block) {
            return ways.clone();
        }
        let mut ways = Vec::new();
        self.ways(self.id(block), &mut ways);
        self.count(ways.len() as u64);
        let mut states = HashSet::new();
        ways.retain(|way| states.insert(way.1));
        let ways: Ways = ways.into();
        self.opened.borrow_mut().insert(block, ways.clone());
        ways
    }

    /// Counts combinations that were followed, and ways that were looked at for them.
    pub(super) fn count(&self, followed: u64) {
        self.followed.set(self.followed.get() + followed);
    }

    /// The place of a block in the order.
    pub(super) fn position(&self, block: u32) -> Option<usize> {
        self.cfg.position(self.id(block))
    }

    fn id(&self, block: u32) -> BlockId {
        self.cfg.block_of(self.cfg.blocks()[block as usize].instructions.start)
    }

    /// The way from a block into another, as it is shown.
    pub(super) fn step(&self, from: BlockId, to: u32) -> Step {
        let last = self.cfg.block(from).instructions.end - 1;
        Step { from: self.offset(last as u32), to: self.cfg.blocks()[to as usize].start }
    }

    /// The byte offset of an instruction.
    pub(super) fn offset(&self, index: u32) -> u64 {
        self.instruction(index).offset
    }

    pub(super) fn instruction(&self, index: u32) -> &Instruction {
        &self.cfg.instructions()[index as usize]
    }

    /// The byte offset of a block.
    pub(super) fn block_start(&self, block: u32) -> u64 {
        self.cfg.blocks()[block as usize].start
    }

    /// What a number of [`Value::Word`] stands for.
    pub(super) fn base(&self, number: u32) -> Base {
        self.bases[number as usize]
    }

    /// Why the place is unknown that a load reads, where it is one, and whose place was the first that was.
    pub(super) fn unknown_place(&self, load: u32) -> Option<(u32, &UnknownPlace)> {
        match self.unknown.get(&load)? {
            Unknown::Itself(why) => Some((load, why)),
            Unknown::After(first) => match self.unknown.get(first)? {
                Unknown::Itself(why) => Some((*first, why)),
                Unknown::After(_) => None,
            },
        }
    }

    /// What an instruction does to the registers.
    fn step_over(&mut self, index: usize, registers: &mut Registers) {
        let instruction = &self.cfg.instructions()[index];
        let written = Value::Written(index as u32);
        let Some(opcode) = instruction.opcode else {
            registers.set_all(written);
            return;
        };
        if instruction.encoding == Some(Encoding::Smem) && self.load(index, instruction, registers) {
            return;
        }
        match opcode {
            Opcode::s_mov_b32 | Opcode::s_mov_b64 => return self.moved(index, instruction, registers),
            Opcode::s_movk_i32 => {
                let constant = match instruction.operand(Slot::Imm).map(|operand| operand.value) {
                    Some(Constant::Integer(bits)) => Value::Constant(i32::from(bits as i16) as u32),
                    _ => written,
                };
                let destination = instruction.operand(Slot::Sdst).into_iter().flat_map(Operand::registers);
                destination.filter_map(code).for_each(|code| registers.set(&self.store, code, constant));
                return;
            }
            _ => {}
        }
        let all = instruction.writes();
        // An indirect write may reach past the numbered registers.
        if all.contains(Register::Sgpr(0)) && all.contains(Register::Sgpr(105)) {
            registers.set_all(written);
            return;
        }
        all.iter().filter_map(code).for_each(|code| registers.set(&self.store, code, written));
    }

    /// A move of one word or two.
    fn moved(&mut self, index: usize, instruction: &Instruction, registers: &mut Registers) {
        let written = Value::Written(index as u32);
        let source = instruction.operand(Slot::Src0).map(|operand| operand.value);
        let wide = instruction.opcode == Some(Opcode::s_mov_b64);
        let words = match source {
            Some(Constant::Registers(range)) => {
                let mut words = range.registers().map(|register| match (register, code(register)) {
                    (Register::Null, _) => Value::Constant(0),
                    (_, Some(code)) => registers.get(&self.store, code),
                    (_, None) => written,
                });
                [words.next().unwrap_or(written), words.next().unwrap_or(written)]
            }
            Some(Constant::Integer(number)) => {
                [Value::Constant(number as u32), Value::Constant(if number < 0 { u32::MAX } else { 0 })]
            }
            // How a literal is widened is not the same in every source.
            Some(Constant::Literal(word)) => [Value::Constant(word), written],
            Some(Constant::Float(float)) if wide => {
                let bits = float.bits64();
                [Value::Constant(bits as u32), Value::Constant((bits >> 32) as u32)]
            }
            Some(Constant::Float(float)) => [Value::Constant(float.bits32()), written],
            _ => [written; 2],
        };
        let destination = instruction.operand(Slot::Sdst).into_iter().flat_map(Operand::registers);
        for (register, word) in destination.zip(words) {
            if let Some(code) = code(register).filter(|_| register != Register::Null) {
                registers.set(&self.store, code, word);
            }
        }
    }

    /// A scalar load: its words, or why their place is unknown. False if it is no load.
    fn load(&mut self, index: usize, instruction: &Instruction, registers: &mut Registers) -> bool {
        let base = instruction.operand(Slot::Sbase).and_then(Operand::range);
        let data = instruction.operand(Slot::Sdst).and_then(Operand::range);
        let (Some(base), Some(data)) = (base, data) else { return false };
        let load = index as u32;
        let words = match self.place(instruction, base, data, registers) {
            Ok(Place { base, offset, skips }) => {
                if skips {
                    self.skipping.insert(load);
                }
                Some((self.number(base), offset))
            }
            Err(why) => {
                let first = why.first().and_then(|first| self.cfg.instruction_at(first));
                self.unknown.insert(load, first.map_or(Unknown::Itself(why), |first| Unknown::After(first as u32)));
                None
            }
        };
        for (word, register) in data.registers().enumerate() {
            let value = match words {
                Some((base, offset)) => Value::Word { base, offset: offset + 4 * word as i32, load },
                None => Value::Written(load),
            };
            if let Some(code) = code(register).filter(|_| register != Register::Null) {
                registers.set(&self.store, code, value);
            }
        }
        true
    }

    fn number(&mut self, base: Base) -> u32 {
        let next = self.bases.len() as u32;
        let number = *self.base_numbers.entry(base).or_insert(next);
        if number == next {
            self.bases.push(base);
        }
        number
    }

    /// Where a load reads its first word.
    fn place(
        &self,
        instruction: &Instruction,
        base: RegisterRange,
        data: RegisterRange,
        registers: &Registers,
    ) -> Result<Place, UnknownPlace> {
        let aligned = |range: RegisterRange| range.first.index().is_multiple_of(usize::from(range.words.clamp(1, 4)));
        if !aligned(base) || !aligned(data) {
            return Err(UnknownPlace::Operands);
        }
        let (base, skips, least) = match base.words {
            2 => (Base::Table(self.pointer(base, registers)?), false, i64::from(i32::MIN)),
            4 => {
                let (buffer, skips) = self.buffer(base, registers)?;
                (Base::Buffer(buffer), skips, 0)
            }
            _ => return Err(UnknownPlace::Operands),
        };
        let immediate = i64::from(instruction.modifiers.offset);
        let offset = immediate + i64::from(self.offset_register(instruction, registers)?);
        // The processor drops the two lowest bits of each part; a program that has any there is refused.
        let fits = offset >= least && offset <= i64::from(i32::MAX) - 64;
        match i32::try_from(offset) {
            Ok(small) if fits && immediate >= least && immediate % 4 == 0 && small % 4 == 0 => {
                Ok(Place { base, offset: small, skips })
            }
            _ => Err(UnknownPlace::BadOffset { offset }),
        }
    }

    /// What the offset register of a load holds, 0 where it has none.
    fn offset_register(&self, instruction: &Instruction, registers: &Registers) -> Result<u32, UnknownPlace> {
        let Some(operand) = instruction.operand(Slot::Soffset) else { return Ok(0) };
        let register = operand.range().map(|range| range.first).ok_or(UnknownPlace::Operands)?;
        let word = registers.get(&self.store, code(register).ok_or(UnknownPlace::Operands)?);
        let mut known: Option<(u32, Path)> = None;
        let walked = self.each_path(&[word], |words, way| match (words[0], &known) {
            (Value::Constant(offset), None) => {
                known = Some((offset, way.path()));
                ControlFlow::Continue(())
            }
            (Value::Constant(offset), Some((first, _))) if *first == offset => ControlFlow::Continue(()),
            (Value::Constant(second), Some((first, first_path))) => ControlFlow::Break(UnknownPlace::Offsets {
                register,
                first: *first,
                first_path: first_path.clone(),
                second,
                second_path: way.path(),
            }),
            (other, _) => {
                ControlFlow::Break(UnknownPlace::Offset { register, held: self.held(other), path: way.path() })
            }
        });
        match walked {
            Ok(ControlFlow::Break(why)) => Err(why),
            Ok(ControlFlow::Continue(())) => known.map(|(offset, _)| offset).ok_or(UnknownPlace::Operands),
            Err(many) => Err(many.into()),
        }
    }

    /// The pointer in two registers, if it is user data and the same on every path.
    fn pointer(&self, range: RegisterRange, registers: &Registers) -> Result<Pointer, UnknownPlace> {
        let words = self.words(range, registers).ok_or(UnknownPlace::Operands)?;
        let mut known: Option<(Pointer, Path)> = None;
        let walked = self.each_path(&words, |words, way| {
            let not = |word: usize| {
                let register = range.first.plus(word as u8).unwrap_or(range.first);
                ControlFlow::Break(UnknownPlace::Pointer { register, held: self.held(words[word]), path: way.path() })
            };
            let Some(low) = self.user_data(words[0]) else { return not(0) };
            let high = match (self.user_data(words[1]), words[1]) {
                (Some(high), _) => AddressWord::UserData(high),
                (None, Value::Constant(high)) => AddressWord::Constant(high),
                _ => return not(1),
            };
            let pointer = Pointer { low, high };
            match &known {
                None => known = Some((pointer, way.path())),
                Some((first, _)) if *first == pointer => {}
                Some((first, first_path)) => {
                    return ControlFlow::Break(UnknownPlace::Pointers {
                        registers: range,
                        first: *first,
                        first_path: first_path.clone(),
                        second: pointer,
                        second_path: way.path(),
                    })
                }
            }
            ControlFlow::Continue(())
        });
        match walked {
            Ok(ControlFlow::Break(why)) => Err(why),
            Ok(ControlFlow::Continue(())) => known.map(|(pointer, _)| pointer).ok_or(UnknownPlace::Operands),
            Err(many) => Err(many.into()),
        }
    }

    /// The place of the buffer descriptor in four registers, and whether a path skips its load.
    fn buffer(&self, range: RegisterRange, registers: &Registers) -> Result<(BufferPlace, bool), UnknownPlace> {
        let found = self.source(range, registers).map_err(|why| UnknownPlace::Buffer(Box::new(why)))?;
        let place = match found.source {
            Source::UserData { register } => BufferPlace::UserData { register },
            Source::Table { pointer, offset } => BufferPlace::Table { pointer, offset },
            source @ Source::Buffer { .. } => return Err(UnknownPlace::BufferInBuffer(source)),
        };
        Ok((place, found.skipped))
    }

    /// Whether a load is through a buffer whose own load some path skips.
    pub(super) fn skips(&self, load: u32) -> bool {
        self.skipping.contains(&load)
    }

    /// What the registers of a range hold; none if it has other registers than scalar ones, or more than are followed.
    pub(super) fn words(&self, range: RegisterRange, registers: &Registers) -> Option<Vec<Value>> {
        let words: Option<Vec<_>> =
            range.registers().map(|register| Some(registers.get(&self.store, code(register)?))).collect();
        words.filter(|words| words.len() == usize::from(range.words) && words.len() <= super::paths::MOST_WORDS)
    }

    /// The register whose seeded user data a word is.
    pub(super) fn user_data(&self, word: Value) -> Option<u8> {
        match word {
            Value::Initial(code) if usize::from(code) < usize::from(self.options.user_registers).min(REGISTERS) => {
                Some(code)
            }
            _ => None,
        }
    }

    /// Notes an access with the sources of its descriptors; without registers it is not reached.
    fn note(&mut self, index: usize, registers: Option<&Registers>) {
        let instruction = &self.cfg.instructions()[index];
        let Some((kind, slot)) = AccessKind::of(instruction) else { return };
        let traced = |slot| {
            let range = instruction.operand(slot).and_then(Operand::range)?;
            let source = match (registers, self.strayed) {
                (None, _) => Err(Refusal::Unreached),
                (_, Some(strayed)) => Err(Refusal::Arrivals(strayed)),
                (Some(registers), None) => self.source(range, registers),
            };
            Some(Traced { registers: range, source })
        };
        let Some(descriptor) = traced(slot) else { return };
        let sampler = traced(Slot::Ssamp);
        self.accesses.push(Access { instruction: index, offset: instruction.offset, kind, descriptor, sampler });
    }
}
