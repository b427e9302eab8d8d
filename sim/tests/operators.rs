//! Each binary32 operator four times on the same operands: the host's arithmetic, the oracle, the rust-hdl block, and
//! its Verilog in Verilator. All four give the same bits, and both pipelines give them after the same number of clocks.

use rayman_model::arithmetic::Arithmetic;
use rayman_model::fp32::{Fp32, Host};
use rayman_rtl::fp::check::{oracle, Vectors, SPECIALS};
use rayman_rtl::fp::FpOperator;
use rayman_sim::verilated::{block::Sample, VerilatedBlock};

const RANDOM_PAIRS: usize = 100_000;

/// The host's answer; of a comparison 0 or 1.
fn host(operator: FpOperator, a: u32, b: u32) -> u32 {
    let (x, y) = (Fp32(a), Fp32(b));
    match operator {
        FpOperator::Add => Host.add(&x, &y).0,
        FpOperator::Sub => Host.sub(&x, &y).0,
        FpOperator::Mul => Host.mul(&x, &y).0,
        FpOperator::Div => Host.div(&x, &y).0,
        FpOperator::Sqrt => Host.sqrt(&x).0,
        FpOperator::Lt => Host.lt(&x, &y).into(),
        FpOperator::Le => Host.le(&x, &y).into(),
        FpOperator::Eq => Host.eq(&x, &y).into(),
        FpOperator::IntToFloat => Host.int_to_float(&a).0,
        FpOperator::FloatToInt => Host.float_to_int(&x),
    }
}

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

    let mut model =
        VerilatedBlock::build(&operator.verilog(), operator.module_name()).expect("the operator's Verilog builds");
    let inputs: Vec<&str> = model.inputs().map(|port| port.name.as_str()).collect();
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
