//! Whole shaders as a compiler makes them.

use std::collections::BTreeSet;

use rayman_rdna2::{Decoder, Program, Wave};

use crate::generator::module;
use crate::tool::{compile, disassemble_all};

/// Modules, shaders in each, and operations in each of those.
const MODULES: u64 = 8;
const SHADERS: u32 = 8;
const OPERATIONS: usize = 180;

/// What must be compared at the least.
const LEAST: (usize, usize) = (60, 20_000);

#[test]
fn compiled_shaders_are_shown_as_llvm_shows_them() {
    let (mut shaders, mut instructions) = (0, 0);
    let mut opcodes = BTreeSet::new();
    for seed in 1..=MODULES {
        let wave = if seed % 2 == 0 { Wave::W64 } else { Wave::W32 };
        let optimisation = ["-O1", "-O2", "-O3"][seed as usize % 3];
        let object = compile(&module(seed, SHADERS, OPERATIONS), wave, optimisation);
        let program = Program::elf(&object).expect("an object with code");
        shaders += program.symbols.iter().filter(|symbol| symbol.name.starts_with("shader_")).count();
        let theirs = disassemble_all(&program.code, wave);
        let ours = Decoder::new(&program.code, wave).map(|decoded| decoded.expect("whole instructions"));
        let ours = ours.collect::<Vec<_>>();
        for (ours, theirs) in ours.iter().zip(&theirs) {
            assert_eq!(ours.to_string(), *theirs, "module {seed} at {:#x}", ours.offset);
            opcodes.extend(ours.opcode.map(|opcode| opcode.name()));
        }
        assert_eq!(ours.len(), theirs.len(), "module {seed}");
        instructions += ours.len();
    }
    println!("{shaders} shaders, {instructions} instructions of {} opcodes: all as llvm-mc has them", opcodes.len());
    assert!((shaders, instructions) >= LEAST && instructions >= LEAST.1, "too few to say so");
}
