//! Comparisons. `v_cmpx_…` compares as `v_cmp_…` does, into the execution mask.

use super::{flag, float_flag, Input, Operation, Width, AB, DD, W32, W64};

const DA: &[Width] = &[W64, W32];

/// The sources of a comparison of numbers; none if a denormal makes it depend on the mode.
fn numbers(i: &Input) -> Option<(f32, f32)> {
    let (a, b) = (f32::from_bits(i.a()), f32::from_bits(i.b()));
    (!a.is_subnormal() && !b.is_subnormal()).then_some((a, b))
}

/// Rows `name sources first second type operator;`.
macro_rules! integers {
    ($($name:literal $sources:ident $a:ident $b:ident $type:ty, $operator:tt;)*) => {
        &[$(flag($name, $sources, |i| (i.$a() as $type) $operator (i.$b() as $type)),)*]
    };
}

/// Rows `name first second expression;`.
macro_rules! numbers {
    ($($name:literal $a:ident $b:ident $holds:expr;)*) => {
        &[$(float_flag($name, AB, |i| numbers(i).map(|($a, $b)| $holds)),)*]
    };
}

/// Comparisons of integers.
#[allow(clippy::unnecessary_cast)] // a row is written alike for every type
pub(super) const INTEGERS: &[Operation] = integers! {
    "s_cmp_eq_i32" AB a b i32, ==;
    "s_cmp_eq_u32" AB a b u32, ==;
    "s_cmp_lg_i32" AB a b i32, !=;
    "s_cmp_lg_u32" AB a b u32, !=;
    "s_cmp_gt_i32" AB a b i32, >;
    "s_cmp_gt_u32" AB a b u32, >;
    "s_cmp_ge_i32" AB a b i32, >=;
    "s_cmp_ge_u32" AB a b u32, >=;
    "s_cmp_lt_i32" AB a b i32, <;
    "s_cmp_lt_u32" AB a b u32, <;
    "s_cmp_le_i32" AB a b i32, <=;
    "s_cmp_le_u32" AB a b u32, <=;
    "s_cmp_eq_u64" DD a64 b64 u64, ==;
    "s_cmp_lg_u64" DD a64 b64 u64, !=;
    "v_cmp_lt_i32" AB a b i32, <;
    "v_cmp_lt_u32" AB a b u32, <;
    "v_cmp_lt_i64" DD a64 b64 i64, <;
    "v_cmp_lt_u64" DD a64 b64 u64, <;
    "v_cmp_eq_i32" AB a b i32, ==;
    "v_cmp_eq_u32" AB a b u32, ==;
    "v_cmp_eq_i64" DD a64 b64 i64, ==;
    "v_cmp_eq_u64" DD a64 b64 u64, ==;
    "v_cmp_le_i32" AB a b i32, <=;
    "v_cmp_le_u32" AB a b u32, <=;
    "v_cmp_le_i64" DD a64 b64 i64, <=;
    "v_cmp_le_u64" DD a64 b64 u64, <=;
    "v_cmp_gt_i32" AB a b i32, >;
    "v_cmp_gt_u32" AB a b u32, >;
    "v_cmp_gt_i64" DD a64 b64 i64, >;
    "v_cmp_gt_u64" DD a64 b64 u64, >;
    "v_cmp_ne_i32" AB a b i32, !=;
    "v_cmp_ne_u32" AB a b u32, !=;
    "v_cmp_ne_i64" DD a64 b64 i64, !=;
    "v_cmp_ne_u64" DD a64 b64 u64, !=;
    "v_cmp_ge_i32" AB a b i32, >=;
    "v_cmp_ge_u32" AB a b u32, >=;
    "v_cmp_ge_i64" DD a64 b64 i64, >=;
    "v_cmp_ge_u64" DD a64 b64 u64, >=;
};

/// Comparisons of numbers; one with a NaN is unordered.
#[allow(clippy::neg_cmp_op_on_partial_ord, clippy::double_comparisons)] // each says what it does of a NaN
pub(super) const NUMBERS: &[Operation] = numbers! {
    "v_cmp_lt_f32" a b a < b;
    "v_cmp_eq_f32" a b a == b;
    "v_cmp_le_f32" a b a <= b;
    "v_cmp_gt_f32" a b a > b;
    "v_cmp_lg_f32" a b a < b || a > b;
    "v_cmp_ge_f32" a b a >= b;
    "v_cmp_o_f32" a b !a.is_nan() && !b.is_nan();
    "v_cmp_u_f32" a b a.is_nan() || b.is_nan();
    "v_cmp_nge_f32" a b !(a >= b);
    "v_cmp_nlg_f32" a b !(a < b || a > b);
    "v_cmp_ngt_f32" a b !(a > b);
    "v_cmp_nle_f32" a b !(a <= b);
    "v_cmp_neq_f32" a b a != b;
    "v_cmp_nlt_f32" a b !(a < b);
};

/// Comparisons that compare nothing, and tests of a bit.
pub(super) const OTHERS: &[Operation] = &[
    flag("v_cmp_f_i32", AB, |_| false),
    flag("v_cmp_t_i32", AB, |_| true),
    flag("v_cmp_f_u32", AB, |_| false),
    flag("v_cmp_t_u32", AB, |_| true),
    flag("v_cmp_f_i64", DD, |_| false),
    flag("v_cmp_t_i64", DD, |_| true),
    flag("v_cmp_f_u64", DD, |_| false),
    flag("v_cmp_t_u64", DD, |_| true),
    flag("v_cmp_f_f32", AB, |_| false),
    flag("v_cmp_tru_f32", AB, |_| true),
    flag("s_bitcmp0_b32", AB, |i| i.a() >> (i.b() & 31) & 1 == 0),
    flag("s_bitcmp1_b32", AB, |i| i.a() >> (i.b() & 31) & 1 == 1),
    flag("s_bitcmp0_b64", DA, |i| i.a64() >> (i.b() & 63) & 1 == 0),
    flag("s_bitcmp1_b64", DA, |i| i.a64() >> (i.b() & 63) & 1 == 1),
];
