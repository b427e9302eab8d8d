//! The single operations as datapaths: graph, schedule, leaf and composed form.

use super::{block_is_kernel, graph_is_kernel, leaf_is_composed, schedule_is_legal};
use crate::datapath::kernels::{Max, Min, ReciprocalSqrt, Select, ToColour8, ToFx1_7, SINGLE_INTERVAL};
use crate::datapath::{Datapath, Form, Kernel};
use crate::fp::FpOperator;
use rayman_model::kernels;
use rayman_model::random::Random;

fn holds<D: Datapath>(random: &mut Random) {
    graph_is_kernel::<D::Kernel>(random);
    for interval in [SINGLE_INTERVAL, 2, 8] {
        schedule_is_legal::<D::Kernel>(interval);
        block_is_kernel::<D>(Form::Interval(interval), random, 2000);
        leaf_is_composed::<D>(interval, random, 600);
    }
}

#[test]
fn single_operations_have_their_kernels_bits_at_any_interval() {
    let random = &mut Random::for_test("single_operations_have_their_kernels_bits_at_any_interval", 1);
    holds::<Min>(random);
    holds::<Max>(random);
    holds::<Select>(random);
    holds::<ToFx1_7>(random);
    holds::<ToColour8>(random);
    holds::<ReciprocalSqrt>(random);
    assert_eq!(<ToFx1_7 as Datapath>::Kernel::NAME, kernels::ToFx1_7::NAME);
}

/// A clock for the inputs, and one each for a choice in front of an output, and for a choice behind the one of a comparison.
#[test]
fn single_operations_take_the_clocks_of_their_operators() {
    let [add, mul, compare, truncate] =
        [FpOperator::Add, FpOperator::Mul, FpOperator::Lt, FpOperator::FloatToInt].map(FpOperator::latency);
    let input = 1;
    assert_eq!(Select::new(SINGLE_INTERVAL).latency(), input + 1);
    assert_eq!(Min::new(SINGLE_INTERVAL).latency(), input + compare + 1);
    assert_eq!(Max::new(SINGLE_INTERVAL).latency(), input + compare + 1);
    // Two comparisons with their choices; 128 a is no multiplication.
    let clamped = input + 2 * compare;
    assert_eq!(ToColour8::new(SINGLE_INTERVAL).latency(), clamped + mul + add + truncate);
    assert!(ToFx1_7::new(SINGLE_INTERVAL).latency() <= clamped + 2 + add + truncate);
    let [sqrt, div] = [FpOperator::Sqrt, FpOperator::Div].map(FpOperator::latency);
    assert_eq!(ReciprocalSqrt::new(SINGLE_INTERVAL).latency(), input + sqrt + div);
}
