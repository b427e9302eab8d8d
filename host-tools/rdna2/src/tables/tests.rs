use std::collections::{BTreeMap, BTreeSet};

use super::*;
use crate::isa::{Feature, Implicit, Kind, Opcode};

#[test]
fn numbers_rise_in_each_family() {
    for family in FAMILIES {
        let numbers = rows(family).iter().map(|row| row.number).collect::<Vec<_>>();
        assert!(!numbers.is_empty() && numbers.windows(2).all(|pair| pair[0] < pair[1]), "{family:?}");
    }
}

/// What LLVM says of an opcode's registers.
struct Llvm {
    reads: BTreeSet<String>,
    writes: BTreeSet<String>,
    written: Option<usize>,
    tied: bool,
}

/// LLVM's table, by opcode.
fn llvm() -> BTreeMap<&'static str, Llvm> {
    let mut all = BTreeMap::new();
    let text = include_str!("../../tests/llvm-registers.txt");
    let mut group = "";
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        if let Some(head) = line.strip_suffix(':') {
            group = head;
            continue;
        }
        let columns = group.split(" | ").collect::<Vec<_>>();
        let [reads, writes, written, tied] = columns[..] else { panic!("four columns: {group}") };
        let set = |names: &str| names.split(' ').filter(|&name| name != "-").map(str::to_owned).collect();
        for name in line.split_whitespace() {
            let llvm =
                Llvm { reads: set(reads), writes: set(writes), written: written.parse().ok(), tied: tied == "tied" };
            assert!(all.insert(name, llvm).is_none(), "{name} is there once");
        }
    }
    all
}

/// The name that LLVM has for a register that is not an operand; none for what is a statement about operands.
fn name(implicit: Implicit) -> Option<&'static str> {
    match implicit {
        Implicit::Scc => Some("SCC"),
        Implicit::Vcc => Some("VCC"),
        Implicit::Exec | Implicit::ExecLo | Implicit::Exec64 => Some("EXEC"),
        Implicit::M0 => Some("M0"),
        Implicit::Mode => Some("MODE"),
        Implicit::Destination | Implicit::Indirect => None,
    }
}

fn is_scalar(family: Family) -> bool {
    use Family::{Smem, Sop1, Sop2, Sopc, Sopk, Sopp};
    matches!(family, Sop1 | Sop2 | Sopc | Sopk | Sopp | Smem)
}

#[test]
fn registers_besides_the_operands_are_llvms() {
    let llvm = llvm();
    let mut compared = 0;
    for opcode in Opcode::all() {
        let row = opcode.row();
        let theirs = llvm.get(row.name).unwrap_or_else(|| panic!("LLVM says nothing of {opcode}"));
        let names = |list: &[Implicit]| list.iter().filter_map(|&implicit| name(implicit)).collect::<BTreeSet<_>>();
        let mut reads = names(row.implicit_reads);
        let writes = names(row.implicit_writes);
        if !is_scalar(opcode.family()) && !row.has(Feature::AllLanes) {
            reads.insert("EXEC");
        }
        let mut their_reads = theirs.reads.iter().map(String::as_str).collect::<BTreeSet<_>>();
        let mut their_writes = theirs.writes.iter().map(String::as_str).collect::<BTreeSet<_>>();
        match opcode {
            // AMD's document: SCC is set where the result is not 0.
            Opcode::s_quadmask_b32 | Opcode::s_quadmask_b64 => {
                their_writes.insert("SCC");
            }
            // They work on the active lanes, as all moves do.
            Opcode::v_movrelsd_2_b32 | Opcode::v_swaprel_b32 => {
                their_reads.insert("EXEC");
            }
            _ => {}
        }
        if opcode.family() == Family::Ds {
            // Since gfx9 LDS has no limit in M0. GDS has, and some accesses have their address in it.
            let address = row.name.contains("addtid") || matches!(opcode, Opcode::ds_append | Opcode::ds_consume);
            if !address && !row.has(Feature::GdsOnly) {
                their_reads.remove("M0");
            }
        }
        assert_eq!(reads, their_reads, "{opcode} reads");
        assert_eq!(writes, their_writes, "{opcode} writes");
        compared += 1;
    }
    assert_eq!(compared, llvm.len(), "every opcode of LLVM's table is one of ours");
}

#[test]
fn operands_that_are_written_are_llvms() {
    let llvm = llvm();
    for opcode in Opcode::all() {
        let row = opcode.row();
        let theirs = &llvm[row.name];
        // LLVM counts the register from which M0 counts as one that is read, and so that of a subvector loop, in which AMD's
        // document has half of the execution mask saved.
        let loops = matches!(opcode, Opcode::s_subvector_loop_begin | Opcode::s_subvector_loop_end);
        let counted = (row.implicit_writes.contains(&Implicit::Indirect) || loops) && theirs.written == Some(0);
        if let Some(written) = theirs.written.filter(|_| !counted) {
            assert_eq!(row.writes.len(), written, "{opcode}");
        }
        let swaps = row.writes == [Kind::V32, Kind::V32];
        let reads_destination = row.implicit_reads.contains(&Implicit::Destination) || swaps;
        if theirs.tied {
            assert!(reads_destination, "{opcode} reads what it writes");
        }
        // LLVM leaves out what its code generator has no use for.
        let also = row.name.contains("cmov")
            || row.name.contains("bitset")
            || row.name.contains("_d16")
            || loops
            || matches!(opcode, Opcode::v_pk_fmac_f16 | Opcode::v_interp_p2_f32);
        if reads_destination && !theirs.tied && !swaps {
            assert!(also, "{opcode} reads what it writes, of which LLVM knows nothing");
        }
    }
}
