//! Each binary32 operator four times on the same operands: the host's arithmetic, the oracle, the rust-hdl block, and
//! its Verilog in Verilator. All four give the same bits, and both pipelines give them after the same number of clocks.

use rayman_rtl::fp::check::{oracle, Vectors, SPECIALS};
use rayman_rtl::fp::spaced::parts;
use rayman_rtl::fp::FpOperator;
use rayman_sim::recording::{miter::Rules, Recording};
use rayman_sim::referee::host;
use rayman_sim::verilated::{block::Sample, VerilatedBlock};

const RANDOM_PAIRS: usize = 100_000;
const SPACED_PAIRS: usize = 20_000;

fn all_four_agree(operator: FpOperator) {
    let seed = 0x0b5e_55ed + operator as u64;
    println!("{operator:?}: {RANDOM_PAIRS} random pairs, seed {seed:#x}, and all pairs of special words");
    let specials = SPECIALS.iter().flat_map(|&a| SPECIALS.iter().map(move |&b| (a, b)));
    let pairs: Vec<(u32, u32)> = specials.chain(Vectors::new(seed).take(RANDOM_PAIRS)).collect();
    // The pipeline is emptied with further pairs; what it held before the first is not looked at.
    let after = operator.latency() - 1;
    let driven: Vec<(u32, u32)> = pairs.iter().copied().chain(std::iter::repeat_n((0, 0), after)).collect();

    let mut block = operator.boxed();
    block.connect_inputs();
    block.connect_all();
    let in_crate: Vec<u32> = driven.iter().map(|&(a, b)| block.step(a, b).expect("an operator has no loops")).collect();

    let verilog = operator.verilog();
    let mut model = VerilatedBlock::build(&verilog, operator.module_name()).expect("the operator's Verilog builds");
    let inputs: Vec<String> = model.inputs().map(|port| port.name.clone()).collect();
    assert_eq!(inputs, ["a", "b"][..operator.arity()]);
    let rows: Vec<u64> =
        driven.iter().flat_map(|&(a, b)| [u64::from(a), u64::from(b)].into_iter().take(operator.arity())).collect();
    let verilated = model.run(&rows, Sample::AfterEdge).expect("the model runs");

    assert_eq!((in_crate.len(), verilated.len()), (driven.len(), driven.len()));
    for (at, &(a, b)) in pairs.iter().enumerate() {
        let answers =
            [oracle(operator, a, b), host(operator, a, b), in_crate[at + after], verilated[at + after] as u32];
        assert!(
            answers.iter().all(|&answer| answer == answers[0]),
            "{operator:?} {a:08x} {b:08x}: oracle, host, in-crate, Verilator give {answers:08x?} (seed {seed:#x})"
        );
    }
    if let Some(mut recording) = Recording::if_wanted(&inputs, &["q".to_owned()], Sample::AfterEdge) {
        for (at, row) in rows.chunks(operator.arity()).enumerate() {
            let answer = at.checked_sub(after).map(|at| host(operator, pairs[at].0, pairs[at].1));
            recording.push(row, &[answer.unwrap_or(0).into()], [answer.is_some()]);
        }
        let rules = Rules { opening: operator.latency() as u64, ..Rules::default() };
        recording.save_if_wanted(operator.module_name(), &verilog, &rules).expect("is recorded");
    }
}

/// The form for operands every so many clocks, on a new pair each time, something else on the ports in between.
fn spaced_is_the_hosts(operator: FpOperator, every: u32) {
    let seed = 0x5eed_5eed + u64::from(every);
    println!(
        "{operator:?} every {every} clocks: {SPACED_PAIRS} random pairs, seed {seed:#x}, and pairs of special words"
    );
    let specials = SPECIALS.iter().flat_map(|&a| SPECIALS.iter().map(move |&b| (a, b)));
    let pairs: Vec<(u32, u32)> = specials.chain(Vectors::new(seed).take(SPACED_PAIRS)).collect();
    let unit = operator.spaced(every).expect("it has such a form");
    let mut model = VerilatedBlock::build(&format!("{}{}", unit.module, parts()), &unit.module_name).expect("builds");
    let inputs: Vec<&str> = model.inputs().map(|port| port.name.as_str()).collect();
    assert_eq!(inputs, ["first", "a", "b"][..1 + operator.arity()]);
    let clocks = pairs.len() * every as usize + operator.latency() - 1;
    let mut other = Vectors::new(!seed);
    let rows: Vec<u64> = (0..clocks)
        .flat_map(|clock| {
            let first = clock.is_multiple_of(every as usize);
            let pair = pairs.get(clock / every as usize).filter(|_| first).copied();
            let (a, b) = pair.unwrap_or_else(|| other.next().expect("vectors do not end"));
            [u64::from(first), a.into(), b.into()].into_iter().take(1 + operator.arity())
        })
        .collect();
    let results = model.run(&rows, Sample::AfterEdge).expect("the model runs");
    for (at, &(a, b)) in pairs.iter().enumerate() {
        let result = results[at * every as usize + operator.latency() - 1] as u32;
        assert_eq!(result, host(operator, a, b), "{operator:?} every {every} clocks: {a:08x} {b:08x}, seed {seed:#x}");
    }
}

#[test]
fn spaced_operators_have_the_bits_and_latency_of_the_pipelined_ones() {
    // Spacings with one cell, with several, with a last one that is cut short, and with roots of all widths.
    for every in [3, 8, 26] {
        spaced_is_the_hosts(FpOperator::Div, every);
    }
    for every in [2, 6, 32] {
        spaced_is_the_hosts(FpOperator::Sqrt, every);
    }
    assert!(FpOperator::Mul.spaced(8).is_none() && FpOperator::Div.spaced(1).is_none());
}

macro_rules! operators {
    ($($name:ident: $operator:ident;)*) => {$(
        #[test]
        fn $name() {
            all_four_agree(FpOperator::$operator);
        }
    )*};
}

operators! {
    add: Add;
    sub: Sub;
    mul: Mul;
    div: Div;
    sqrt: Sqrt;
    lt: Lt;
    le: Le;
    eq: Eq;
    int_to_float: IntToFloat;
    float_to_int: FloatToInt;
}

/// Depths below the recommended one, some for each operator: the least, and such as leave cuts out unevenly.
const DEPTHS: &[(FpOperator, usize)] = &[
    (FpOperator::Add, 1),
    (FpOperator::Add, 4),
    (FpOperator::Add, 7),
    (FpOperator::Sub, 3),
    (FpOperator::Mul, 1),
    (FpOperator::Mul, 4),
    (FpOperator::Div, 1),
    (FpOperator::Div, 11),
    (FpOperator::Div, 16),
    (FpOperator::Sqrt, 1),
    (FpOperator::Sqrt, 10),
    (FpOperator::Lt, 1),
    (FpOperator::Le, 1),
    (FpOperator::Eq, 1),
    (FpOperator::IntToFloat, 1),
    (FpOperator::IntToFloat, 3),
    (FpOperator::FloatToInt, 2),
];

/// Pairs that all depths get, beside those of special words.
const PAIRS_AT_DEPTHS: usize = 20_000;
/// Pairs that go through the blocks, too.
const IN_CRATE_AT_DEPTHS: usize = 2_000;

/// All of [`DEPTHS`] side by side on the same operands, in one model: `q` and a number for each.
fn side_by_side() -> String {
    let (mut outputs, mut instances, mut modules) = (String::new(), String::new(), String::new());
    for (n, &(operator, depth)) in DEPTHS.iter().enumerate() {
        let name = format!("{}_depth_{depth}", operator.module_name());
        let text = operator.verilog_at_depth(depth).expect("a depth that there is");
        // Every module's name begins with the operator's.
        modules += &text.replace(operator.module_name(), &name);
        let second = if operator.arity() == 2 { ", .b(b)" } else { "" };
        outputs += &format!(", output wire [{}:0] q{n}", operator.result_bits() - 1);
        instances += &format!("  {name} operator_{n}(.clock(clock), .a(a){second}, .q(q{n}));\n");
    }
    format!("module depths(input wire clock, input wire [31:0] a, input wire [31:0] b{outputs});\n{instances}endmodule\n{modules}")
}

#[test]
fn lesser_depths_give_the_same_bits_sooner() {
    let seed = 0x5eed_dea7;
    println!("{PAIRS_AT_DEPTHS} random pairs, seed {seed:#x}, and all pairs of special words");
    let specials = SPECIALS.iter().flat_map(|&a| SPECIALS.iter().map(move |&b| (a, b)));
    let pairs: Vec<(u32, u32)> = Vectors::new(seed).take(PAIRS_AT_DEPTHS).chain(specials).collect();
    let deepest = DEPTHS.iter().map(|&(_, depth)| depth).max().expect("there are some");
    let driven: Vec<(u32, u32)> = pairs.iter().copied().chain(std::iter::repeat_n((0, 0), deepest)).collect();

    let mut model = VerilatedBlock::build(&side_by_side(), "depths").expect("the operators' Verilog builds");
    let rows: Vec<u64> = driven.iter().flat_map(|&(a, b)| [u64::from(a), u64::from(b)]).collect();
    let verilated = model.run(&rows, Sample::AfterEdge).expect("the model runs");
    assert_eq!(verilated.len(), driven.len() * DEPTHS.len());

    for (n, &(operator, depth)) in DEPTHS.iter().enumerate() {
        let mut block = operator.boxed_at_depth(depth).expect("a depth that there is");
        block.connect_inputs();
        block.connect_all();
        let shown = driven.iter().take(IN_CRATE_AT_DEPTHS + depth - 1);
        let in_crate: Vec<u32> = shown.map(|&(a, b)| block.step(a, b).expect("an operator has no loops")).collect();
        for (at, &(a, b)) in pairs.iter().enumerate() {
            let (after, wanted) = (at + depth - 1, host(operator, a, b));
            let got = verilated[after * DEPTHS.len() + n] as u32;
            assert_eq!(got, wanted, "{operator:?} of {depth} clocks, {a:08x} {b:08x}: Verilator (seed {seed:#x})");
            if let Some(&got) = in_crate.get(after) {
                assert_eq!(got, wanted, "{operator:?} of {depth} clocks, {a:08x} {b:08x}: in-crate (seed {seed:#x})");
            }
        }
    }
}
