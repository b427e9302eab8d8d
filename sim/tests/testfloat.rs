//! The referees: every operator on as many vectors as TestFloat's level 1 has, a share of all operands, and that each
//! referee sees a fault: of the operator, of the vectors, of the question.

#[path = "testfloat/vectors.rs"]
mod vectors;

use rayman_rtl::fp::FpOperator;
use rayman_sim::referee::testfloat::{expectation, parse, run, Basis, Report, Vector};
use rayman_sim::referee::{exhaustive, operator, RefereeError, NAMES};
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use vectors::{apfloat, digest, text, LEVEL_1};

const SEED: u64 = 1;

fn judged(operator: FpOperator, verilog: &str) -> Report {
    run(operator, verilog, text(operator, SEED, apfloat).as_bytes()).expect("the vectors are TestFloat's")
}

fn passes(name: &str) {
    let operator = operator(name).expect("it has an operator");
    let report = judged(operator, &operator.verilog());
    println!("{name}, seed {SEED}: {report:?}");
    assert_eq!((report.passed, report.failed), (LEVEL_1 as u64, 0), "{:?}", report.mismatches);
    // Both kinds of line are there, and most are judged by their own result.
    assert_eq!(report.flush > 1000, operator != FpOperator::IntToFloat);
    assert_eq!(report.invalid > 1000, operator == FpOperator::FloatToInt);
    assert!(report.flush + report.invalid < report.passed / 2);
}

macro_rules! level_1 {
    ($($name:ident)*) => {$(
        #[test]
        fn $name() {
            passes(stringify!($name));
        }
    )*};
}

level_1! {
    f32_add f32_sub f32_mul f32_div f32_sqrt f32_lt f32_le f32_eq i32_to_f32 f32_to_i32
}

/// Digests of the lines with the answers of Berkeley SoftFloat 3 (crate softfloat-sys 0.1.4): `cargo run -p rayman-sim
/// --example testfloat_gen --features softfloat -- OP --digest`.
const BY_SOFTFLOAT: [(&str, u64); 10] = [
    ("f32_add", 0x9d94_529f_7043_525b),
    ("f32_sub", 0x5ee0_34ea_2841_6eda),
    ("f32_mul", 0x4f7b_2773_73c6_240b),
    ("f32_div", 0xce2d_8070_87cc_79d7),
    ("f32_sqrt", 0x6911_28df_2f57_4af6),
    ("f32_lt", 0x15ed_04eb_c1fb_57db),
    ("f32_le", 0xa10f_fb95_d988_31d6),
    ("f32_eq", 0xcb1a_ec1e_965a_3e96),
    ("i32_to_f32", 0x99c1_fb58_4d43_721c),
    ("f32_to_i32", 0x9661_c4d8_d6ba_b112),
];

#[test]
fn softfloat_has_the_same_answers() {
    for ((name, operator), (same, wanted)) in NAMES.iter().zip(BY_SOFTFLOAT) {
        let lines = text(*operator, SEED, apfloat);
        assert_eq!((*name, lines.lines().count()), (same, LEVEL_1));
        assert_eq!(digest(&lines), wanted, "{name}");
    }
}

/// The operator's Verilog with one thing changed.
fn mutated(operator: FpOperator, from: &str, to: &str) -> String {
    let verilog = operator.verilog();
    let mutated = verilog.replacen(from, to, 1);
    assert_ne!(mutated, verilog, "`{from}` is not in the Verilog of {operator:?}");
    mutated
}

/// Half-way cases go up instead of to the even number.
fn adder_that_rounds_ties_up() -> String {
    mutated(FpOperator::Add, "guard & (sticky | fraction[32'h0])", "guard & (sticky | guard)")
}

/// Numbers from 1 up to 2 are taken for those below 1.
fn truncation_that_is_off_by_a_place() -> String {
    mutated(FpOperator::FloatToInt, "unpack_exponent < 32'h7f", "unpack_exponent < 32'h80")
}

#[test]
fn mutated_operators_fail() {
    let careless = mutated(FpOperator::Lt, "closer & ~zeros1_q & ~nan1_q", "closer & ~zeros1_q");
    let off = truncation_that_is_off_by_a_place();
    for (operator, verilog) in [(FpOperator::Lt, careless), (FpOperator::FloatToInt, off)] {
        let report = judged(operator, &verilog);
        assert!(report.failed > 0 && !report.mismatches.is_empty(), "{operator:?}: {report:?}");
        assert_eq!(report.passed + report.failed, LEVEL_1 as u64);
    }
}

/// The same module as another operator: other ports.
#[test]
fn a_module_with_other_ports_is_refused() {
    let verilog = FpOperator::Lt.verilog().replace("module fp_lt(", "module fp_add(");
    let error = run(FpOperator::Add, &verilog, "3F800000 3F800000 40000000 00\n".as_bytes()).expect_err("q has a bit");
    assert!(matches!(error, RefereeError::Ports { top: "fp_add", .. }), "{error}");
}

/// Lines by hand: what is expected, and why.
#[test]
fn expectations_by_hand() {
    let cases = [
        (FpOperator::Add, "3F800000 40000000 40400000 00", 0x4040_0000, Basis::Line),
        // A NaN of another machine.
        (FpOperator::Sub, "7F800000 7F800000 FFC00000 10", 0x7fc0_0000, Basis::Line),
        // A subnormal operand is zero; a subnormal sum too, with its sign.
        (FpOperator::Add, "00800000 007FFFFF 00FFFFFF 00", 0x0080_0000, Basis::Flush),
        (FpOperator::Sub, "00800000 00C00000 80400000 00", 0x8000_0000, Basis::Flush),
        // On the subnormal grid (1 - 2^-24) 2^-126 rounds to 2^-126; by the rule it is zero. (1 - 2^-46) 2^-126 stays.
        (FpOperator::Mul, "00800000 3F7FFFFF 00800000 03", 0x0000_0000, Basis::Flush),
        (FpOperator::Mul, "00800001 3F7FFFFE 00800000 01", 0x0080_0000, Basis::Flush),
        (FpOperator::Div, "00FFFFFF 40000000 00800000 03", 0x0000_0000, Basis::Flush),
        // Exactly 2^-126 is not rounded.
        (FpOperator::Mul, "00800000 3F800000 00800000 00", 0x0080_0000, Basis::Line),
        (FpOperator::Sqrt, "00000001 1A3504F3 01", 0x0000_0000, Basis::Flush),
        // 2^-149 < 2^-148, but both are zeros.
        (FpOperator::Lt, "00000001 00000002 1 00", 0, Basis::Flush),
        (FpOperator::Le, "7FC00000 00000000 0 10", 0, Basis::Line),
        // A word like a subnormal's is an integer like others.
        (FpOperator::IntToFloat, "00000001 3F800000 00", 0x3f80_0000, Basis::Line),
        (FpOperator::FloatToInt, "BFE00000 FFFFFFFF 00", 0xffff_ffff, Basis::Line),
        (FpOperator::FloatToInt, "4F000000 80000000 10", 0x7fff_ffff, Basis::Invalid),
        (FpOperator::FloatToInt, "FFC00000 80000000 10", 0, Basis::Invalid),
        (FpOperator::FloatToInt, "80000001 00000000 01", 0, Basis::Flush),
    ];
    for (operator, line, wanted, basis) in cases {
        let vector = parse(operator, line).expect("a line of TestFloat's");
        assert_eq!(expectation(operator, &vector), (wanted, basis), "{operator:?} {line}");
    }
    let wanted = Vector { a: 0xff80_0001, b: 1, result: 0x7fc0_0000, flags: 0x10 };
    assert_eq!(parse(FpOperator::Add, "fF800001 00000001 7FC00000 10"), Ok(wanted));
}

#[test]
fn malformed_lines_are_refused_by_number() {
    let good = "3F800000 40000000 40400000 00\n";
    let (long, zeros) = ("0".repeat(1000), "3F800000 40000000 40400000 0\0");
    for bad in [
        "",
        "3F800000 40000000 40400000",
        "3F800000 40000000 40400000 00 00",
        "3F80000 40000000 40400000 00",
        "3F8000000 40000000 40400000 00",
        "+3F80000 40000000 40400000 00",
        "3F80000G 40000000 40400000 00",
        "3F800000 40000000 40400000 0",
        "3F800000 40000000 40400000 20",
        "3F800000 40000000 1 00",
        "f32_add",
        "3F800000,40000000,40400000,00",
        zeros,
        long.as_str(),
    ] {
        let input = format!("{good}{good}{bad}\n{good}");
        match run(FpOperator::Add, &FpOperator::Add.verilog(), input.as_bytes()) {
            Err(RefereeError::Line { number: 3, .. }) => {}
            other => panic!("`{bad}`: {other:?}"),
        }
    }
    assert!(parse(FpOperator::Lt, "3F800000 40000000 2 00").is_err());
    assert!(parse(FpOperator::Lt, "3F800000 40000000 01 00").is_err());
    let error = run(FpOperator::Add, "", &b"3F800000 \xff\xfe\n"[..]).expect_err("no text");
    assert!(matches!(error, RefereeError::Line { number: 1, .. }), "{error}");
}

fn command(program: &str, arguments: &[&str], input: &str) -> Output {
    let mut child = Command::new(program)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary is built");
    // One that refuses the question has not read the vectors.
    let _ = child.stdin.take().expect("it is a pipe").write_all(input.as_bytes());
    child.wait_with_output().expect("it ends")
}

/// Exit code, last line of standard output, standard error.
fn answer(program: &str, arguments: &[&str], input: &str) -> (Option<i32>, String, String) {
    let output = command(program, arguments, input);
    let out = String::from_utf8_lossy(&output.stdout);
    let last = out.lines().last().unwrap_or_default().to_owned();
    (output.status.code(), last, String::from_utf8_lossy(&output.stderr).into_owned())
}

const TESTFLOAT: &str = env!("CARGO_BIN_EXE_testfloat");
const EXHAUSTIVE: &str = env!("CARGO_BIN_EXE_exhaustive");

fn file(name: &str, verilog: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, verilog).expect("the folder for tests is there");
    path
}

#[test]
fn the_command_counts_and_has_an_exit_code() {
    let lines = text(FpOperator::Add, SEED, apfloat);
    let passed = answer(TESTFLOAT, &["f32_add"], &lines);
    assert_eq!((passed.0, passed.1.as_str()), (Some(0), "46464 passed, 0 failed"), "{}", passed.2);
    let mutant = file("adder_that_rounds_ties_up.v", &adder_that_rounds_ties_up());
    let (code, last, _) = answer(TESTFLOAT, &["f32_add", "--verilog", &mutant.to_string_lossy()], &lines);
    let failed: u64 =
        last.split_once(" passed, ").and_then(|(_, rest)| rest.strip_suffix(" failed")?.parse().ok()).unwrap_or(0);
    assert!(code == Some(1) && failed > 0, "{code:?} {last}");
}

#[test]
fn no_vectors_no_sense_and_no_operator_are_errors() {
    for (arguments, input, says) in [
        (&["f32_add"][..], "", "no vectors"),
        (&["f32_add"], "3F800000 40000000 40400000 00\nnonsense\n", "line 2"),
        (&["f32_rem"], "", "f32_to_i32"),
        (&[], "", "usage"),
        (&["f32_add", "--verilog", "no/such/file.v"], "", "no/such/file.v"),
    ] {
        let (code, last, error) = answer(TESTFLOAT, arguments, input);
        assert!(code == Some(2) && last.is_empty() && error.contains(says), "{arguments:?}: {code:?} {last} {error}");
    }
    for (arguments, says) in [
        (&["f32_add"][..], "two operands"),
        (&["f32_sqrt", "--count", "0"], "at least one operand"),
        (&["f32_sqrt", "--first", "0x100000000"], "end at 2^32"),
        (&["f32_sqrt", "--first", "-1"], "--first -1"),
        (&["f32_sqrt", "--fast"], "usage"),
    ] {
        let (code, last, error) = answer(EXHAUSTIVE, arguments, "");
        assert!(code == Some(2) && last.is_empty() && error.contains(says), "{arguments:?}: {code:?} {last} {error}");
    }
}

/// About zero, the subnormals' end, 1, 2^31, infinity, and the same with a sign: a share of all operands.
#[test]
fn a_share_of_all_operands_agrees_with_the_host() {
    const NEAR: u64 = 1 << 14;
    for name in ["f32_sqrt", "i32_to_f32", "f32_to_i32"] {
        let operator = operator(name).expect("it has an operator");
        for centre in [0x0080_0000, 0x3f80_0000, 0x4f00_0000, 0x7f80_0000, 0x8000_0000, 0x8080_0000, 0xcf00_0000u64] {
            let span = (centre - NEAR / 2, NEAR);
            let tally = exhaustive::run(operator, &operator.verilog(), span, 2, &|_| {}).expect("it runs");
            assert_eq!((tally.passed, tally.failed), (NEAR, 0), "{name} {:?}", tally.mismatches);
        }
    }
}

#[test]
fn all_operands_show_a_mutated_operator() {
    let mutant = file("truncation_that_is_off_by_a_place.v", &truncation_that_is_off_by_a_place());
    let verilog = mutant.to_string_lossy();
    // 1024 numbers below 1, whose integer is 0, and as many from 1 on.
    let span = ["f32_to_i32", "--first", "0x3f7ffc00", "--count", "2048", "--verilog", &verilog];
    let (code, last, _) = answer(EXHAUSTIVE, &span, "");
    assert_eq!((code, last.as_str()), (Some(1), "1024 passed, 1024 failed"));
    let (code, last, _) = answer(EXHAUSTIVE, &["f32_to_i32", "--first", "0x3f7ffc00", "--count", "2048"], "");
    assert_eq!((code, last.as_str()), (Some(0), "2048 passed, 0 failed"));
}
