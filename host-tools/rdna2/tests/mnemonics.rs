//! Every operation of the wave run by its mnemonic: assembled by LLVM, decoded and executed, with known sources and with partly
//! known lanes. What an operation computes is held against LLVM in `arithmetic.rs`; here it is where it reads and writes.

mod llvm;

use std::fmt::Write;

use rayman_model::random::Random;
use rayman_rdna2::wave::operation::{Input, Operation, Width};
use rayman_rdna2::wave::{Bits, Image, Launch, Machine, State, Step};
use rayman_rdna2::{Cfg, Register, Wave};

/// Where an operation's result is: a vector register, a scalar one, or SCC alone.
const VECTOR_RESULT: u8 = 10;
const SCALAR_RESULT: u8 = 40;
/// A mask that a vector instruction writes, and one that it reads.
const MASK: u8 = 20;
const CARRY: u8 = 22;

/// How a mnemonic is written.
struct Form {
    text: String,
    /// The third source of `v_fmamk_f32`, the second of `v_fmaak_f32`: a number of the code.
    constant: Option<(usize, u32)>,
}

fn scalars(first: u8, width: Width) -> String {
    match width {
        Width::W32 => format!("s{first}"),
        Width::W64 => format!("s[{first}:{}]", first + 1),
    }
}

fn vectors(first: u8, width: Width) -> String {
    match width {
        Width::W32 => format!("v{first}"),
        Width::W64 => format!("v[{first}:{}]", first + 1),
    }
}

/// The first register of each source: two words apart.
fn place(source: usize) -> u8 {
    2 * source as u8
}

fn form(operation: &Operation, wave: Wave) -> Form {
    let name = operation.name;
    let mask = |first: u8| scalars(first, if wave == Wave::W32 { Width::W32 } else { Width::W64 });
    let mut constant = None;
    let text = if name.starts_with("s_") {
        let mut sources: Vec<String> =
            operation.sources.iter().enumerate().map(|(k, width)| scalars(place(k), *width)).collect();
        let result = operation.result();
        if name.contains("saveexec") || name.contains("wrexec") || name.starts_with("s_cmov") || name.contains("bitset")
        {
            // The second source is the execution mask, or the old destination.
            sources.truncate(1);
        }
        let destination = result.map(|width| scalars(SCALAR_RESULT, width));
        destination.into_iter().chain(sources).collect::<Vec<_>>().join(", ")
    } else {
        let mut operands = Vec::new();
        operands.extend(operation.result().map(|width| vectors(VECTOR_RESULT, width)));
        if operation.has_flag() || name == "v_mad_i64_i32" {
            operands.push(mask(MASK));
        }
        let count = operation.sources.len() - usize::from(name.starts_with("v_mbcnt") || name.starts_with("v_fmac"));
        operands.extend((0..count).map(|k| vectors(place(k), operation.sources[k])));
        if operation.carry {
            operands.push(mask(CARRY));
        }
        match name {
            "v_fmamk_f32" => {
                operands[2] = "0x40490fdb".into();
                constant = Some((1, 0x4049_0fdb));
            }
            "v_fmaak_f32" => {
                operands[3] = "0x40490fdb".into();
                constant = Some((2, 0x4049_0fdb));
            }
            _ => {}
        }
        operands.join(", ")
    };
    let long = (name.starts_with("v_cmp") || name == "v_cndmask_b32" || name.contains("_co_ci_")).then_some("_e64");
    Form { text: format!("{name}{} {text}", long.unwrap_or("")), constant }
}

/// The registers before an instruction: each source in every lane, or in scalar registers.
fn before(operation: &Operation, input: &Input, wave: Wave) -> State {
    let lanes = if wave == Wave::W32 { 0xffff_ffff } else { !0 };
    let mut launch = Launch::new(wave).with_lanes(lanes);
    for (k, source) in input.sources.iter().enumerate() {
        for (word, value) in [(0, *source as u32), (1, (*source >> 32) as u32)] {
            launch = launch.with_scalar(Register::Sgpr(place(k) + word), value).with_vector(place(k) + word, value, 0);
        }
    }
    // What changes its destination has the second source there, what accumulates the third.
    for (word, value) in [(0, input.sources[1] as u32), (1, (input.sources[1] >> 32) as u32)] {
        launch = launch.with_scalar(Register::Sgpr(SCALAR_RESULT + word), value);
        if operation.name.contains("exec_") {
            let register = if word == 0 { Register::ExecLo } else { Register::ExecHi };
            launch = launch.with_scalar(register, value);
        }
    }
    launch = launch.with_vector(VECTOR_RESULT, input.sources[2] as u32, 0);
    let carry = if input.carry { !0 } else { 0 };
    launch = launch.with_scalar(Register::Scc, u32::from(input.carry));
    launch.with_scalar(Register::Sgpr(CARRY), carry).with_scalar(Register::Sgpr(CARRY + 1), carry).state().clone()
}

fn pair(state: &State, first: Register, wide: bool) -> Bits {
    match first.plus(1) {
        Some(second) if wide => Bits::pair(state.scalar(first), state.scalar(second)),
        _ => state.scalar(first).extended(),
    }
}

#[test]
fn every_mnemonic_reads_and_writes_where_the_assembler_says() {
    let mut chance = Random::new(3);
    let mut executed = 0;
    for wave in [Wave::W32, Wave::W64] {
        let forms: Vec<(&Operation, Form)> =
            Operation::all().map(|operation| (operation, form(operation, wave))).collect();
        let mut source = String::new();
        for (_, form) in &forms {
            writeln!(source, "  {}", form.text).expect("text");
        }
        let object = llvm::assemble(&source, wave);
        let cfg = Cfg::build(&object.code, 0, wave).expect("code");
        assert_eq!(cfg.instructions().len(), forms.len());
        for ((operation, form), instruction) in forms.iter().zip(cfg.instructions()) {
            let name = operation.name;
            let mnemonic = instruction.opcode.map(|opcode| opcode.name());
            assert_eq!(mnemonic, Some(name));
            let wide = operation.result() == Some(Width::W64);
            for _ in 0..40 {
                let mut input = Input { sources: [0; 3], carry: chance.below(2) == 1 };
                for (source, width) in input.sources.iter_mut().zip(operation.sources) {
                    let small = chance.below(3) == 0;
                    let bits = if small { u64::from(chance.below(40)) } else { chance.next_u64() };
                    *source = if *width == Width::W32 { bits & 0xffff_ffff } else { bits };
                }
                if operation.is_float() {
                    // Numbers about 1 depend on no mode.
                    input.sources = input.sources.map(|bits| 0x3f80_0000 | bits & 0x807f_ffff);
                }
                if let Some((source, constant)) = form.constant {
                    input.sources[source] = constant.into();
                }
                let memory = Image::new();
                let mut machine = Machine::new(before(operation, &input, wave), &memory, false, None);
                assert_eq!(machine.step(instruction), Step::Next);
                for lane in [0, 13, 31] {
                    let mut input = input;
                    if name.starts_with("v_mbcnt") {
                        input.sources[2] = if name.contains("_hi_") { 0 } else { (1 << lane) - 1 };
                    }
                    let (value, flag) = operation.evaluate(&input).expect("no mode matters");
                    let state = &machine.state;
                    let expected = Bits::of(value);
                    if name.contains("saveexec") || name.contains("wrexec") {
                        assert_eq!(pair(state, Register::ExecLo, wide), expected, "{name} of {input:x?}");
                        let kept = if name.contains("saveexec") { Bits::of(input.sources[1]) } else { expected };
                        assert_eq!(pair(state, Register::Sgpr(SCALAR_RESULT), wide), kept, "{name} of {input:x?}");
                    } else if name.starts_with("s_") && operation.result().is_some() {
                        assert_eq!(pair(state, Register::Sgpr(SCALAR_RESULT), wide), expected, "{name} of {input:x?}");
                    } else if operation.result().is_some() {
                        let word = |index| state.vector(VECTOR_RESULT + index).lane(lane);
                        let held = if wide { Bits::pair(word(0), word(1)) } else { word(0).extended() };
                        assert_eq!(held, expected, "{name} of {input:x?}");
                    }
                    match flag {
                        Some(flag) if name.starts_with("s_") => {
                            assert_eq!(state.scc(), Some(flag), "{name} of {input:x?}")
                        }
                        Some(flag) => {
                            let mask = pair(state, Register::Sgpr(MASK), wave == Wave::W64);
                            assert_eq!(mask.flag(lane as u32), Some(flag), "{name} of {input:x?}");
                        }
                        None => {}
                    }
                    executed += 1;
                }
            }
        }
    }
    println!("{} mnemonics, {executed} results where the assembler says", Operation::all().count());
}

/// Executes lines of assembly from a state.
fn after(source: &str, launch: Launch, wave: Wave) -> State {
    let object = llvm::assemble(source, wave);
    let cfg = Cfg::build(&object.code, 0, wave).expect("code");
    let memory = Image::new();
    let mut machine = Machine::new(launch.state().clone(), &memory, false, None);
    for instruction in cfg.instructions() {
        assert_eq!(machine.step(instruction), Step::Next);
    }
    machine.state
}

#[test]
fn constants_of_the_code_and_short_forms() {
    let source = "
  s_movk_i32 s0, 0xfffe
  s_mov_b32 s1, 0x12345678
  s_addk_i32 s1, 0x8000
  s_mulk_i32 s1, 3
  s_cmpk_lt_i32 s0, 0xffff
  s_cselect_b32 s2, 1.0, -16
  s_cmpk_lt_u32 s0, 0xffff
  s_cselect_b32 s3, 1.0, -16
  s_mov_b64 s[4:5], -2
  s_cmovk_i32 s2, 5
  v_mov_b32_e32 v0, s1
  v_add_nc_u32_e32 v1, 64, v0
  v_cmp_gt_u32_e32 vcc_lo, 0xffffffff, v1
  v_cndmask_b32_e32 v2, v0, v1, vcc_lo
  v_fmac_f32_e32 v3, 2.0, v4
  v_cmpx_lt_i32_e32 3, v5
";
    let launch = Launch::new(Wave::W32).with_lanes(0xffff_ffff).with_vector(3, 1.5f32.to_bits(), 0);
    let launch = launch.with_vector(4, 4.0f32.to_bits(), 0).with_vector(5, 0, 1);
    let state = after(source, launch, Wave::W32);
    let third = 0x1234_5678u32.wrapping_sub(0x8000).wrapping_mul(3);
    let scalar = |index| state.scalar(Register::Sgpr(index)).all();
    let expected = [0xffff_fffe, third, 0x3f80_0000, (-16i32) as u32, 0xffff_fffe, 0xffff_ffff];
    assert_eq!([0, 1, 2, 3, 4, 5].map(scalar), expected.map(Some));
    let lane = |index| state.vector(index).lane(7).all();
    assert_eq!([1, 2, 3].map(lane), [third + 64, third + 64, 9.5f32.to_bits()].map(Some));
    assert_eq!(state.exec(), Bits::of(0xffff_fff0));
}

#[test]
fn lanes_are_read_and_written_one_by_one() {
    let source = "
  s_mov_b64 exec, 0xf0
  v_readfirstlane_b32 s0, v0
  v_readlane_b32 s1, v0, 3
  v_writelane_b32 v0, s1, 40
  s_mov_b64 exec, 0
  v_readfirstlane_b32 s2, v0
  v_mov_b32_e32 v0, 0
  s_mov_b64 exec, -1
  v_readlane_b32 s3, v0, 40
  v_mbcnt_lo_u32_b32 v1, -1, 0
  v_mbcnt_hi_u32_b32 v1, -1, v1
";
    let launch = Launch::new(Wave::W64).with_lanes(!0).with_vector(0, 1000, 1);
    let state = after(source, launch, Wave::W64);
    let scalar = |index| state.scalar(Register::Sgpr(index)).all();
    assert_eq!([0, 1, 2, 3].map(scalar), [1004, 1003, 1000, 1003].map(Some));
    assert_eq!([0, 31, 32, 63].map(|lane| state.vector(1).lane(lane).all()), [0, 31, 32, 63].map(Some));
}

#[test]
fn of_an_unknown_mask_the_first_active_lane_is_any() {
    let source = "
  v_readfirstlane_b32 s0, v0
  v_readfirstlane_b32 s1, v1
  v_mov_b32_e32 v2, 5
  v_readfirstlane_b32 s2, v2
  v_mov_b32_e32 v1, 7
  v_readfirstlane_b32 s3, v1
";
    let launch = Launch::new(Wave::W32).with_vector(0, 0, 1).with_vector(1, 7, 0);
    let state = after(source, launch, Wave::W32);
    let scalar = |index| state.scalar(Register::Sgpr(index));
    // Lane numbers have their upper bits in common; a lane that is not active keeps what it had.
    assert!((0..32).all(|lane| scalar(0).may_be(lane)) && !scalar(0).may_be(32));
    assert_eq!((scalar(1).all(), scalar(2).all(), scalar(3).all()), (Some(7), None, Some(7)));
}
