//! The wave run's arithmetic before LLVM: every operation of its table.
//!
//! `arithmetic.ll` says in LLVM's language what each operation computes. LLVM evaluates it on the host (`lli`), and that is
//! compared with the table's row. And LLVM's AMDGPU backend chooses instructions for the same functions (`llc`), which the wave
//! run executes, decoder, operands and all: which mnemonic computes what is then LLVM's word as well.

mod llvm;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use rayman_model::random::Random;
use rayman_rdna2::wave::operation::{Input, Operation, Width};
use rayman_rdna2::wave::{Bits, Image, Launch, Machine, State, Step, Word};
use rayman_rdna2::{Cfg, Register, Wave};

const MODULE: &str = include_str!("arithmetic.ll");

/// Operations that RADV chooses, and LLVM for none of the functions: radv/values.rs compares their values with another driver's.
const BY_RADV: &str = include_str!("radv/alone.txt");

/// Inputs of every operation.
const INPUTS: usize = 600;

/// Sources of all kinds: of all bits, small, at the edges, numbers, alike.
fn inputs(count: usize) -> Vec<Input> {
    const EDGES: [u64; 16] = [
        0,
        1,
        31,
        32,
        0x7f,
        0x80,
        0x7fff,
        0x8000,
        0x7f_ffff,
        0x80_0000,
        0xff_ffff,
        0x7fff_ffff,
        0x8000_0000,
        0xffff_ffff,
        0x7fff_ffff_ffff_ffff,
        0x8000_0000_0000_0000,
    ];
    let mut chance = Random::new(7);
    let mut one = || match chance.below(8) {
        0 | 1 => chance.next_u64(),
        2 => u64::from(chance.below(70)),
        3 => EDGES[chance.below(16) as usize],
        4 => EDGES[chance.below(16) as usize].wrapping_neg(),
        // A field's offset and width.
        5 => u64::from(chance.below(64) << 16 | chance.below(64)),
        // A number about 1, and one of any size.
        6 => u64::from((chance.below(2) << 31) | (0x3f80_0000 - (1 << 26) + chance.below(1 << 27))),
        _ => u64::from(chance.next_u32()),
    };
    let mut all: Vec<Input> =
        (0..count).map(|index| Input { sources: [one(), one(), one()], carry: index % 2 == 1 }).collect();
    for input in all.iter_mut().step_by(7) {
        input.sources[1] = input.sources[0];
    }
    all
}

/// The sources as wide as an operation has them.
fn narrowed(operation: &Operation, input: &Input) -> Input {
    let mut sources = [0; 3];
    for (index, (source, width)) in sources.iter_mut().zip(operation.sources).enumerate() {
        *source = match width {
            Width::W32 => input.sources[index] & 0xffff_ffff,
            Width::W64 => input.sources[index],
        };
    }
    Input { sources, carry: input.carry }
}

/// The result types of an operation's function: its value and whether it has a flag.
fn result_type(operation: &Operation) -> String {
    let value = operation.result().map(|width| if width == Width::W32 { "i32" } else { "i64" });
    // The function of an operation whose flag the documents do not say has none.
    let has_flag = MODULE.contains(&format!("i1 }} @{}(", operation.name)) || value.is_none();
    match (value, has_flag) {
        (Some(value), true) => format!("{{ {value}, i1 }}"),
        (Some(value), false) => value.to_owned(),
        (None, _) => "i1".to_owned(),
    }
}

/// A program that prints the value and the flag of every operation for every input.
fn driver(operations: &[&Operation], inputs: &[Input]) -> String {
    let mut text = MODULE.to_owned();
    let array = |name: &str, word: &dyn Fn(&Input) -> u64| {
        let words: Vec<String> = inputs.iter().map(|input| format!("i64 {}", word(input) as i64)).collect();
        format!("@{name} = internal constant [{} x i64] [{}]\n", inputs.len(), words.join(", "))
    };
    for (index, name) in ["in0", "in1", "in2"].into_iter().enumerate() {
        text += &array(name, &|input| input.sources[index]);
    }
    text += &array("in3", &|input| u64::from(input.carry));
    text += "@format = internal constant [10 x i8] c\"%llx %d\\0A\\00\\00\"\ndeclare i32 @printf(ptr, ...)\n";
    let mut calls = String::new();
    for operation in operations {
        let name = operation.name;
        writeln!(calls, "  call void @each_{name}()").expect("text");
        write!(text, "\ndefine internal void @each_{name}() {{\nentry:\n  br label %loop\nloop:\n").expect("text");
        text += "  %i = phi i64 [ 0, %entry ], [ %n, %loop ]\n";
        let mut arguments = Vec::new();
        for (k, width) in operation.sources.iter().enumerate() {
            writeln!(text, "  %p{k} = getelementptr i64, ptr @in{k}, i64 %i\n  %w{k} = load i64, ptr %p{k}")
                .expect("text");
            match width {
                Width::W32 => {
                    writeln!(text, "  %s{k} = trunc i64 %w{k} to i32").expect("text");
                    arguments.push(format!("i32 %s{k}"));
                }
                Width::W64 => arguments.push(format!("i64 %w{k}")),
            }
        }
        if operation.carry {
            text +=
                "  %pc = getelementptr i64, ptr @in3, i64 %i\n  %wc = load i64, ptr %pc\n  %c = trunc i64 %wc to i1\n";
            arguments.push("i1 %c".into());
        }
        let result = result_type(operation);
        writeln!(text, "  %r = call {result} @{name}({})", arguments.join(", ")).expect("text");
        let (value, flag) = match result.as_str() {
            "i1" => ("i64 0".to_owned(), Some("%r".to_owned())),
            "i32" | "i64" => (format!("{result} %r"), None),
            _ => {
                writeln!(text, "  %v = extractvalue {result} %r, 0\n  %f = extractvalue {result} %r, 1").expect("text");
                (format!("{} %v", &result[2..5]), Some("%f".to_owned()))
            }
        };
        let wide = match value.strip_prefix("i32 ") {
            Some(value) => {
                writeln!(text, "  %wide = zext i32 {value} to i64").expect("text");
                "i64 %wide".to_owned()
            }
            None => value,
        };
        let bit = match flag {
            Some(flag) => {
                writeln!(text, "  %bit = zext i1 {flag} to i32").expect("text");
                "i32 %bit"
            }
            None => "i32 2",
        };
        writeln!(text, "  call i32 (ptr, ...) @printf(ptr @format, {wide}, {bit})").expect("text");
        writeln!(text, "  %n = add i64 %i, 1\n  %more = icmp ult i64 %n, {}", inputs.len()).expect("text");
        text += "  br i1 %more, label %loop, label %end\nend:\n  ret void\n}\n";
    }
    write!(text, "\ndefine i32 @main() {{\n{calls}  ret i32 0\n}}\n").expect("text");
    text
}

/// What LLVM computes: value and flag, for each operation and input.
fn evaluated(operations: &[&Operation], inputs: &[Input]) -> BTreeMap<&'static str, Vec<(u64, Option<bool>)>> {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("driver.ll"), driver(operations, inputs)).expect("a file");
    let printed = llvm::run("lli", &["driver.ll"], folder.path());
    let mut lines = printed.lines();
    let mut line = || {
        let (value, flag) = lines.next().expect("a line an evaluation").split_once(' ').expect("value and flag");
        let flag = match flag {
            "0" => Some(false),
            "1" => Some(true),
            _ => None,
        };
        (u64::from_str_radix(value, 16).expect("a number"), flag)
    };
    operations.iter().map(|operation| (operation.name, inputs.iter().map(|_| line()).collect())).collect()
}

#[test]
fn every_operation_agrees_with_llvms_evaluation() {
    let operations: Vec<&Operation> = Operation::all().collect();
    let inputs = inputs(INPUTS);
    let expected = evaluated(&operations, &inputs);
    let (mut compared, mut moded, mut flags) = (0, 0, 0);
    for operation in &operations {
        let mut known = 0;
        for (input, &(value, flag)) in inputs.iter().zip(&expected[operation.name]) {
            let input = narrowed(operation, input);
            let Some((ours, our_flag)) = operation.evaluate(&input) else {
                moded += 1;
                continue;
            };
            known += 1;
            assert_eq!(ours, value, "{} of {input:x?}", operation.name);
            if let Some(our_flag) = our_flag {
                assert_eq!(Some(our_flag), flag, "{}'s flag of {input:x?}", operation.name);
                flags += 1;
            }
        }
        assert!(known * 5 > inputs.len(), "{}: known for {known} inputs alone", operation.name);
        compared += known;
    }
    println!(
        "{} operations, {} evaluations: {compared} values and {flags} flags agree with LLVM's; {moded} depend on a mode",
        operations.len(),
        operations.len() * inputs.len()
    );
}

/// A call of an intrinsic with an input's sources; none for sources that it does not take.
type Call = fn(&Input) -> Option<String>;

/// Operations that LLVM has an intrinsic for and computes itself where the arguments are constants.
const FOLDED: [(&str, Call); 7] = [
    ("s_wqm_b32", |input| Some(format!("i32 @llvm.amdgcn.s.wqm.i32(i32 {})", input.sources[0]))),
    ("s_wqm_b64", |input| Some(format!("i64 @llvm.amdgcn.s.wqm.i64(i64 {})", input.sources[0]))),
    ("s_quadmask_b32", |input| Some(format!("i32 @llvm.amdgcn.s.quadmask.i32(i32 {})", input.sources[0]))),
    ("s_quadmask_b64", |input| Some(format!("i64 @llvm.amdgcn.s.quadmask.i64(i64 {})", input.sources[0]))),
    ("s_bitreplicate_b64_b32", |input| Some(format!("i64 @llvm.amdgcn.s.bitreplicate(i32 {})", input.sources[0]))),
    ("s_bfe_u64", |input| field("i64 @llvm.amdgcn.ubfe.i64", input)),
    ("s_bfe_i64", |input| field("i64 @llvm.amdgcn.sbfe.i64", input)),
];

/// A call with the field that the second source has. LLVM's has at most 63 bits.
fn field(function: &str, input: &Input) -> Option<String> {
    let (offset, width) = (input.sources[1] & 63, input.sources[1] >> 16 & 127);
    (width < 64).then(|| format!("{function}(i64 {}, i32 {offset}, i32 {width})", input.sources[0]))
}

#[test]
fn operations_compute_what_llvm_makes_of_its_intrinsics() {
    let inputs = inputs(INPUTS);
    let mut text = String::from("target triple = \"amdgcn\"\n");
    let mut ours = Vec::new();
    for (name, call) in FOLDED {
        let operation = Operation::all().find(|operation| operation.name == name).expect("an operation");
        for input in inputs.iter().map(|input| narrowed(operation, input)) {
            let Some(call) = call(&input) else { continue };
            let kind = &call[..3];
            writeln!(text, "define {kind} @f{}() {{\n  %r = call {call}\n  ret {kind} %r\n}}", ours.len())
                .expect("text");
            ours.push((name, input, operation.evaluate(&input).expect("no mode").0));
        }
        // The types of the arguments, from any call.
        let call = call(&Input { sources: [0; 3], carry: false }).expect("a call");
        let types: Vec<_> =
            call.split(['(', ',']).map(|part| part.trim().split(' ').next().unwrap_or_default()).collect();
        let function = call.split('(').next().unwrap_or_default();
        writeln!(text, "declare {function}({})", types[1..].join(", ")).expect("text");
    }
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("calls.ll"), text).expect("a file");
    let printed = llvm::run("opt", &["-passes=instcombine", "-S", "calls.ll"], folder.path());
    let mut results = printed.lines().filter_map(|line| line.trim().strip_prefix("ret i"));
    for (name, input, value) in &ours {
        let theirs = results.next().expect("a result for each");
        let (bits, number) = theirs.split_once(' ').expect("a type and a value");
        let number: i64 = number.parse().unwrap_or_else(|_| panic!("{name} of {input:x?} is not computed: {theirs}"));
        let mask = if bits == "32" { 0xffff_ffff } else { u64::MAX };
        assert_eq!(*value, number as u64 & mask, "{name} of {input:x?}");
    }
    println!("{} operations, {} values agree with what LLVM makes of its intrinsics", FOLDED.len(), ours.len());
    assert!(ours.len() > FOLDED.len() * INPUTS / 2);
}

/// Values that sources with unknown bits may have.
fn choice(chance: &mut Random, bits: Bits) -> u64 {
    bits.least() | chance.next_u64() & bits.greatest()
}

#[test]
fn what_is_known_of_partly_known_sources_is_so_for_every_choice() {
    let mut chance = Random::new(11);
    let (mut known_bits, mut flags) = (0u64, 0u64);
    for operation in Operation::all() {
        for input in inputs(60) {
            let input = narrowed(operation, &input);
            let mut sources = [Bits::of(0); 3];
            for (k, width) in operation.sources.iter().enumerate() {
                let known = match chance.below(4) {
                    0 => 0,
                    1 => chance.next_u64(),
                    2 => chance.next_u64() | chance.next_u64(),
                    _ => !0,
                };
                let upper = if *width == Width::W32 { !0 << 32 } else { 0 };
                sources[k] = Bits::partly(input.sources[k], known | upper);
            }
            let carry = Some(input.carry).filter(|_| chance.below(2) == 0);
            let output = operation.apply(sources, carry);
            for _ in 0..8 {
                let picked = Input {
                    sources: sources.map(|source| choice(&mut chance, source)),
                    carry: carry.unwrap_or(chance.below(2) == 1),
                };
                let Some((value, flag)) = operation.evaluate(&picked) else { continue };
                assert!(output.value.may_be(value), "{} of {picked:x?}: {output:x?}", operation.name);
                if let (Some(claimed), Some(flag)) = (output.flag, flag) {
                    assert_eq!(claimed, flag, "{} of {picked:x?}: {output:x?}", operation.name);
                    flags += 1;
                }
            }
            known_bits += u64::from(output.value.known().count_ones());
        }
    }
    println!("{known_bits} bits and {flags} flags known of partly known sources, each so for 8 choices");
}

/// How a compiled function takes its arguments and gives its result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Side {
    Vector,
    Scalar,
}

/// The compiled functions: with arguments in vector registers, or, each in one that takes and gives scalar registers.
fn compiled(operations: &[&Operation], side: Side, wave: Wave) -> llvm::Object {
    if side == Side::Vector {
        return llvm::compile(MODULE, wave);
    }
    let mut text = MODULE.to_owned();
    for operation in operations {
        text = text.replace(&format!("@{}(", operation.name), &format!("@body.{}(", operation.name));
    }
    text = text.replace("define ", "define internal ").replace(") {\n", ") alwaysinline {\n");
    text += "\ndeclare i32 @llvm.amdgcn.readfirstlane(i32)\n";
    for operation in operations {
        text += &scalar_function(operation);
    }
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("scalar.ll"), text).expect("a file");
    llvm::compile(&llvm::run("opt", &["-passes=always-inline", "-S", "scalar.ll"], folder.path()), wave)
}

/// A function whose arguments and results, words of 32 bits, are in scalar registers.
fn scalar_function(operation: &Operation) -> String {
    let mut arguments: Vec<String> = operation
        .sources
        .iter()
        .enumerate()
        .map(|(k, width)| format!("{} inreg %s{k}", if *width == Width::W32 { "i32" } else { "i64" }))
        .collect();
    if operation.carry {
        arguments.push("i1 inreg %c".into());
    }
    let arguments = arguments.join(", ");
    let result = result_type(operation);
    let mut text = format!("  %r = call {result} @body.{}({})\n", operation.name, arguments.replace("inreg ", ""));
    let (value, flag) = match result.as_str() {
        "i1" => (None, Some("%r")),
        "i32" | "i64" => (Some("%r"), None),
        _ => {
            writeln!(text, "  %v = extractvalue {result} %r, 0\n  %f = extractvalue {result} %r, 1").expect("text");
            (Some("%v"), Some("%f"))
        }
    };
    let mut words = Vec::new();
    match (value, operation.result()) {
        (Some(value), Some(Width::W64)) => {
            writeln!(text, "  %low = trunc i64 {value} to i32\n  %up = lshr i64 {value}, 32").expect("text");
            text += "  %high = trunc i64 %up to i32\n";
            words.extend(["%low", "%high"]);
        }
        (Some(value), _) => words.push(value),
        (None, _) => {}
    }
    if let Some(flag) = flag {
        writeln!(text, "  %bit = zext i1 {flag} to i32").expect("text");
        words.push("%bit");
    }
    let returned = format!("{{ {} }}", vec!["i32"; words.len()].join(", "));
    let mut packed = "poison".to_owned();
    for (k, word) in words.iter().enumerate() {
        writeln!(text, "  %u{k} = call i32 @llvm.amdgcn.readfirstlane(i32 {word})").expect("text");
        writeln!(text, "  %k{k} = insertvalue {returned} {packed}, i32 %u{k}, {k}").expect("text");
        packed = format!("%k{k}");
    }
    format!("\ndefine amdgpu_ps {returned} @{}({arguments}) {{\n{text}  ret {returned} {packed}\n}}\n", operation.name)
}

/// Runs a compiled function on one input; answers the state at its end and the instructions that it executed.
fn execute<'a>(cfg: &'a Cfg, start: u64, end: u64, state: State, names: &mut BTreeSet<&'a str>) -> State {
    let memory = Image::new();
    let mut machine = Machine::new(state, &memory, false, None);
    let mut at = start;
    for _ in 0..10_000 {
        if at == end {
            return machine.state;
        }
        let index = cfg.instruction_at(at).unwrap_or_else(|| panic!("an instruction at {at:#x}"));
        let instruction = &cfg.instructions()[index];
        names.extend(instruction.opcode.map(|opcode| opcode.name()));
        at = match machine.step(instruction) {
            Step::Next => instruction.end(),
            Step::To(target) => target,
            Step::Computed => return machine.state,
            other => panic!("{other:?} at {at:#x}"),
        };
    }
    panic!("an end within 10,000 instructions");
}

/// The registers before a function: its arguments one after the other.
fn arguments(operation: &Operation, input: &Input, side: Side, wave: Wave) -> State {
    let mut words = Vec::new();
    for (source, width) in input.sources.iter().zip(operation.sources) {
        words.push(*source as u32);
        if *width == Width::W64 {
            words.push((source >> 32) as u32);
        }
    }
    if operation.carry {
        words.push(u32::from(input.carry));
    }
    let lanes = if wave == Wave::W32 { 0xffff_ffff } else { !0 };
    let mut launch = Launch::new(wave).with_lanes(lanes);
    for (index, word) in (0u8..).zip(words) {
        launch = match side {
            Side::Scalar => launch.with_scalar(Register::Sgpr(index), word),
            Side::Vector => launch.with_vector(index, word, 0),
        };
    }
    launch.state().clone()
}

/// Whether a compiled function computes what LLVM evaluates; none where the run does not know.
fn agrees(operation: &Operation, state: &State, side: Side, value: u64, flag: Option<bool>) -> Option<bool> {
    let word = |index: u8| -> Word {
        match side {
            Side::Scalar => state.scalar(Register::Sgpr(index)),
            Side::Vector => state.vector(index).lane(0),
        }
    };
    let (words, expected): (u8, u64) = match operation.result() {
        Some(Width::W64) => (2, value),
        Some(Width::W32) => (1, value),
        None => (0, 0),
    };
    let mut same = true;
    for index in 0..words {
        same &= word(index).all()? == (expected >> (32 * index)) as u32;
    }
    if let Some(flag) = flag {
        same &= word(words).all()? & 1 == u32::from(flag);
    }
    Some(same)
}

#[test]
fn instructions_that_llvm_chooses_compute_what_llvm_evaluates() {
    let operations: Vec<&Operation> = Operation::all().collect();
    let inputs = inputs(24);
    let expected = evaluated(&operations, &inputs);
    let mut names = BTreeSet::new();
    let (mut runs, mut unknown) = (0, BTreeSet::new());
    for (side, wave) in
        [(Side::Vector, Wave::W32), (Side::Vector, Wave::W64), (Side::Scalar, Wave::W32), (Side::Scalar, Wave::W64)]
    {
        let object = compiled(&operations, side, wave);
        let cfg = Cfg::build(&object.code, 0, wave).expect("code");
        let mut executed = BTreeSet::new();
        for operation in &operations {
            let (start, size) = object.symbols[operation.name];
            for (input, &(value, flag)) in inputs.iter().zip(&expected[operation.name]) {
                let narrow = narrowed(operation, input);
                if operation.evaluate(&narrow).is_none() {
                    continue;
                }
                let state = arguments(operation, &narrow, side, wave);
                let state = execute(&cfg, start, start + size, state, &mut executed);
                match agrees(operation, &state, side, value, flag) {
                    Some(same) => assert!(same, "{} on {side:?} {wave:?} of {narrow:x?}", operation.name),
                    None => {
                        unknown.insert(operation.name);
                        continue;
                    }
                }
                runs += 1;
            }
        }
        names.extend(executed.iter().map(|name| (*name).to_owned()));
    }
    let chosen = |operation: &&&Operation| {
        names.contains(operation.name) || names.contains(&operation.name.replacen("v_cmp_", "v_cmpx_", 1))
    };
    let confirmed = operations.iter().filter(chosen).count();
    println!(
        "{runs} runs of compiled functions agree; {confirmed} of {} operations are instructions that LLVM chose; not known in \
         some run: {unknown:?}",
        operations.len()
    );
    let not_chosen: BTreeSet<_> =
        operations.iter().filter(|operation| !chosen(operation)).map(|operation| operation.name).collect();
    let otherwise: BTreeSet<_> = FOLDED.iter().map(|folded| folded.0).chain(BY_RADV.lines()).collect();
    assert_eq!(otherwise.difference(&not_chosen).next(), None, "LLVM chooses it");
    let alone: Vec<_> = not_chosen.difference(&otherwise).collect();
    println!(
        "{} more by what LLVM makes of its intrinsics, {} more by RADV and lavapipe (radv/values.rs); {} by what arithmetic.ll says \
         alone: {alone:?}",
        FOLDED.len(),
        BY_RADV.lines().count(),
        alone.len()
    );
    assert!(confirmed * 2 > operations.len(), "LLVM chose {confirmed} of them alone");
}
