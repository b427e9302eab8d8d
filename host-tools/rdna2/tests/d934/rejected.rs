//! The rule that the seed rejects, kept to show why: every arriving path must agree on every register.

use std::collections::HashMap;

use rayman_rdna2::isa::{Register, Slot};
use rayman_rdna2::{Cfg, Opcode, Wave};

use super::{llvm, source};

/// What a register holds by the rejected rule: the load that every path carries, or none on which all agree.
type Agreed = HashMap<Register, Option<(u64, usize)>>;

/// The registers of each access for which, on every path, the same words of the same loads arrive: by the access' byte
/// offset, the offset of its load, or none where the paths do not agree. For programs without loops.
fn agreed_loads(cfg: &Cfg) -> HashMap<u64, Option<u64>> {
    let mut ends: HashMap<_, Agreed> = HashMap::new();
    let mut answers = HashMap::new();
    for &block in cfg.order() {
        let mut entering = cfg.predecessors(block).filter_map(|from| ends.get(&from));
        let mut registers = entering.next().cloned().unwrap_or_default();
        for other in entering {
            for (register, held) in other {
                // Not written on one path and loaded on the other: no agreement.
                let mine = registers.entry(*register).or_insert(None);
                *mine = mine.filter(|_| *mine == *held);
            }
            for (register, mine) in &mut registers {
                *mine = mine.filter(|_| other.contains_key(register));
            }
        }
        for instruction in &cfg.instructions()[cfg.block(block).instructions.clone()] {
            if let Some(range) = instruction.operand(Slot::Srsrc).and_then(|operand| operand.range()) {
                let words: Vec<_> = range.registers().map(|one| registers.get(&one).copied().flatten()).collect();
                let one = words[0].map(|(load, _)| load);
                let whole = words.iter().enumerate().all(|(word, held)| *held == one.map(|load| (load, word)));
                answers.insert(instruction.offset, one.filter(|_| whole));
            }
            let loads = matches!(instruction.opcode, Some(Opcode::s_load_dwordx8 | Opcode::s_load_dwordx4));
            for (word, register) in instruction.writes().iter().enumerate() {
                registers.insert(register, loads.then_some((instruction.offset, word)));
            }
        }
        ends.insert(block, registers);
    }
    answers
}

/// The seed's own shape: a branch past a load, then the access.
const SHAPE: &str = "
  s_cbranch_scc1 .Lpast
load:
  s_load_dwordx8 s[32:39], s[2:3], 0x40
.Lpast:
  s_waitcnt lgkmcnt(0)
sample:
  image_sample v[0:3], v[0:2], s[32:39], s[4:7] dmask:0xf dim:SQ_RSRC_IMG_CUBE
  s_endpgm";

#[test]
fn that_every_path_agrees_refuses_the_seeds_own_shape() {
    let shader = super::trace(llvm::assemble(SHAPE, Wave::W64), Wave::W64);
    let sample = shader.offset("sample");
    assert_eq!(agreed_loads(&shader.cfg)[&sample], None, "the rejected rule refuses it");
    assert_eq!(source(shader.access("sample")), Ok(super::table(2, 0x40)), "the rule does not");
}

#[test]
fn the_rejected_rule_answers_where_every_path_loads() {
    // It is a rule all the same, not one that refuses everything.
    let straight = SHAPE.replace("s_cbranch_scc1 .Lpast", "s_nop 0");
    let shader = super::trace(llvm::assemble(&straight, Wave::W64), Wave::W64);
    let answer = agreed_loads(&shader.cfg)[&shader.offset("sample")];
    assert_eq!(answer, Some(shader.offset("load")));
}
