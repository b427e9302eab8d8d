//! Arithmetic before a driver that is not ours and runs on the host: one GLSL shader, compiled by RADV and executed by the wave run,
//! and run by lavapipe. The same words must be stored.

use std::collections::BTreeSet;

use rayman_model::random::Random;
use rayman_rdna2::isa::{Operand, Slot};
use rayman_rdna2::wave::operation::Operation;
use rayman_rdna2::wave::{Image, Machine, Segment, State, Step, Word};
use rayman_rdna2::{Instruction, Register};

use crate::glsl::{self, Shader};
use crate::host::{self, Buffer};
use crate::places::{offset, Table, MOST_BYTES};

/// Lanes of the shader's group; a wave of 32 is its first half.
const GROUP: usize = 64;
/// Words of the results: one for each lane, of at most so many values.
const STORED: usize = 512 * GROUP;
/// Which of the buffers is stored to.
const RESULT: usize = 2;
/// Inputs of each wave size.
const INPUTS: u64 = 6;

/// What is in the buffer of results before.
const UNTOUCHED: u32 = 0x5ad0_c0de;

/// The values that the wave run does not know, by their numbers in the shader.
const UNKNOWN: [(usize, &str); 6] = [
    (68, "fract(f)"),
    (136, "x / 7"),
    (139, "(x & 0xff) + (y >> 8 & 0xff)"),
    (146, "16 - int(x & 0xffff) * 4"),
    (148, "pack32(u16vec2(unpack16(x).y, unpack16(y).x))"),
    (149, "pack32(u16vec2(unpack16(x).x, unpack16(z).y))"),
];

/// Operations that LLVM chooses for none of its functions (arithmetic.rs), and that RADV chooses for this shader.
const BY_RADV_ALONE: &str = include_str!("alone.txt");

/// Words at random, often small, at the edges or alike.
fn words(chance: &mut Random, count: usize) -> Vec<u32> {
    let mut last = 0;
    let one = |_| {
        last = match chance.below(8) {
            0 => chance.below(40),
            1 => chance.below(40).wrapping_neg(),
            2 => [0, 1, 0x7fff_ffff, 0x8000_0000, u32::MAX, 0x00ff_ffff][chance.below(6) as usize],
            3 => last,
            _ => chance.next_u32(),
        };
        last
    };
    (0..count).map(one).collect()
}

fn buffers(chance: &mut Random) -> Vec<Buffer> {
    let mut inputs = words(chance, 3 * GROUP);
    // Lanes in which two sources are the same.
    for lane in (0..GROUP).step_by(5) {
        inputs[GROUP + lane] = inputs[lane];
    }
    let mut uniforms = words(chance, 4);
    uniforms[3] = (chance.below(2048) as f32 - 1024.0).to_bits();
    vec![
        Buffer { set: 0, binding: 0, element: 0, words: uniforms },
        Buffer { set: 1, binding: 1, element: 0, words: inputs },
        Buffer { set: 1, binding: 1, element: 1, words: vec![UNTOUCHED; STORED] },
        Buffer { set: 1, binding: 1, element: 2, words: words(chance, GROUP) },
    ]
}

/// Where the wave run has a buffer.
fn address(buffer: usize) -> u32 {
    (buffer as u32 + 1) << 24
}

/// The wave's start: its tables, the buffers that are read, and the registers. The group is the first.
fn start(shader: &Shader, buffers: &[Buffer]) -> (State, Image) {
    let mut image = Image::new();
    let mut user = [0; 16];
    let launch = shader.start(&mut user, &mut image, |table| {
        let mut words = vec![0; MOST_BYTES as usize / 4];
        let of_table = |buffer: &&Buffer| table == Table::Set(buffer.set);
        for (number, buffer) in (0..).zip(buffers).filter(|(_, buffer)| of_table(buffer)) {
            let at = offset(buffer.set, buffer.binding, buffer.element).expect("a resource") as usize / 4;
            // No stride, bounds in bytes, four components of 32 bits.
            words[at..at + 4].copy_from_slice(&[address(number), 0, 4 * buffer.words.len() as u32, 0x3101_6fac]);
        }
        words
    });
    for (number, buffer) in buffers.iter().enumerate().filter(|(number, _)| *number != RESULT) {
        let segment = Segment { address: address(number).into(), words: buffer.words.clone(), writable: false };
        image.insert(segment).expect("buffers apart");
    }
    (launch.with_vector(0, 0, 1).state().clone(), image)
}

/// The words that a buffer store stores, each with its place in the buffer; one that is not known is none.
fn stored(instruction: &Instruction, state: &State) -> Result<Vec<(usize, Option<u32>)>, String> {
    let range = |slot| instruction.operand(slot).and_then(Operand::range);
    let (data, descriptor) = (range(Slot::Vdata).expect("data"), range(Slot::Srsrc).expect("a descriptor"));
    if state.scalar(descriptor.first).all() != Some(address(RESULT)) {
        return Err("another buffer than that of results".into());
    }
    assert!(instruction.modifiers.offen && range(Slot::Soffset).is_none(), "an offset in a vector register");
    let vector = |register| match register {
        Register::Vgpr(number) => state.vector(number),
        other => panic!("{other} is no vector register"),
    };
    let place = vector(range(Slot::Vaddr).expect("an offset").first);
    let active = state.exec();
    let mut all = Vec::new();
    for lane in (0..state.lanes()).filter(|&lane| active.flag(lane as u32) == Some(true)) {
        let first = place.lane(lane).all().ok_or("a place that is not known")?;
        let first = first.wrapping_add(instruction.modifiers.offset as u32);
        for (word, register) in data.registers().enumerate() {
            all.push((first as usize / 4 + word, vector(register).lane(lane).all()));
        }
    }
    Ok(all)
}

/// The name that an instruction's operation has in the table.
fn name(instruction: &Instruction) -> String {
    instruction.opcode.expect("a name").name().replacen("v_cmpx_", "v_cmp_", 1)
}

/// Turns every bit of what an instruction has written, in its destination, or else beside it.
fn spoil(instruction: &Instruction, state: &mut State) {
    let mut written: Vec<_> = instruction.destinations().flat_map(Operand::registers).collect();
    if written.is_empty() {
        written.extend(instruction.writes().iter());
    }
    let other = |word: Word| word.all().map_or(word, |word| Word::of(!word));
    for register in written {
        match register {
            Register::Vgpr(number) => state.vector_mut(number).update(|_, word| other(word)),
            Register::Scc => state.set_scc(state.scc().map(|flag| !flag)),
            _ => state.set_scalar(register, other(state.scalar(register))),
        }
    }
}

/// Executes the shader, and spoils what the operation of a name computes; answers what it stored, or why it came to no end.
fn execute(shader: &Shader, buffers: &[Buffer], spoiled: &str) -> Result<Vec<(usize, Option<u32>)>, String> {
    let (state, image) = start(shader, buffers);
    let mut machine = Machine::new(state, &image, true, None);
    let mut results = Vec::new();
    let mut at = 0;
    for _ in 0..10_000 {
        let index = shader.cfg.instruction_at(at).ok_or("no instruction")?;
        let instruction = &shader.cfg.instructions()[index];
        if instruction.opcode.is_some_and(|opcode| opcode.name().starts_with("buffer_store")) {
            results.extend(stored(instruction, &machine.state)?);
        }
        let step = machine.step(instruction);
        if name(instruction) == spoiled {
            spoil(instruction, &mut machine.state);
        }
        at = match step {
            Step::Next => instruction.end(),
            Step::To(target) => target,
            Step::End => return Ok(results),
            other => return Err(format!("{other:?} at {at:#x}")),
        };
    }
    Err("no end".into())
}

/// How many words are those that are expected, and how many are not known, if each lane of `lanes` has stored each value once, and
/// nothing else, and those not known are [`UNKNOWN`]; or what is otherwise.
fn compare(results: &[(usize, Option<u32>)], expected: &[u32], lanes: usize) -> Result<(usize, usize), String> {
    let values = expected.iter().position(|&word| word == UNTOUCHED).unwrap_or(STORED) / GROUP;
    let mut all: Vec<_> = results.iter().map(|&(place, _)| place).collect();
    all.sort_unstable();
    if !all.into_iter().eq((0..values).flat_map(|value| (0..lanes).map(move |lane| value * GROUP + lane))) {
        return Err(format!("{} words stored, not {values} for each of {lanes} lanes", results.len()));
    }
    let (mut same, mut unknown) = (0, 0);
    for &(place, word) in results {
        let (value, lane) = (place / GROUP, place % GROUP);
        let known = UNKNOWN.iter().all(|one| one.0 != value);
        match word {
            Some(word) if known && word == expected[place] => same += 1,
            None if !known => unknown += 1,
            _ => return Err(format!("value {value} of lane {lane}: {word:x?}, {:#x} by lavapipe", expected[place])),
        }
    }
    Ok((same, unknown))
}

#[test]
fn what_radv_compiles_stores_what_lavapipe_computes() {
    let mut chance = Random::new(3);
    let operations: BTreeSet<_> = Operation::all().map(|operation| operation.name.to_owned()).collect();
    let (mut same, mut unknown, mut runs) = (0, 0, 0);
    let mut noticed = BTreeSet::new();
    for lanes in [32, 64] {
        let (shader, spirv) = glsl::with_lanes("arithmetic.comp", lanes);
        let chosen: BTreeSet<_> = shader.cfg.instructions().iter().map(name).collect();
        for _ in 0..INPUTS {
            let buffers = buffers(&mut chance);
            let expected = &host::run(&spirv, &buffers)[RESULT];
            let results = execute(&shader, &buffers, "").expect("an end");
            // Lavapipe stores all that it stores at the start, in whole groups.
            let values = expected.partition_point(|&word| word != UNTOUCHED);
            assert!(values.is_multiple_of(GROUP) && expected[values..].iter().all(|&word| word == UNTOUCHED));
            let compare = |results: &[_]| compare(results, expected, lanes as usize);
            let (as_expected, not_known) = compare(&results).unwrap_or_else(|other| panic!("{lanes} lanes: {other}"));
            (same, unknown, runs) = (same + as_expected, unknown + not_known, runs + 1);
            // An operation that computed something else would have been noticed.
            for name in
                chosen.intersection(&operations).filter(|name| !noticed.contains(*name)).cloned().collect::<Vec<_>>()
            {
                let spoiled = execute(&shader, &buffers, &name);
                if spoiled.map_or(true, |spoiled| compare(&spoiled).is_err()) {
                    noticed.insert(name);
                }
            }
        }
    }
    println!(
        "{same} words that {runs} runs of RADV's code store are lavapipe's, {unknown} are not known; {} of {} operations compute \
         them, {} of which LLVM chooses for nothing",
        noticed.len(),
        operations.len(),
        BY_RADV_ALONE.lines().count()
    );
    let without: Vec<_> = BY_RADV_ALONE.lines().filter(|name| !noticed.contains(*name)).collect();
    assert_eq!(without, [""; 0], "spoiled, and nothing is noticed");
    assert!(same > 50_000);
}
