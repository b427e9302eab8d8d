//! Small kernels that exercise the compiler, and their blocks: for its tests, here and beside Verilator.
//!
//! Between them they use every operation of `Arithmetic`, have long and short delays, shared and dead nodes, constants
//! to fold, and outputs that are inputs.

use crate::datapath;
use rayman_model::{Arithmetic, Kernel, Kind, Port, Value};

const fn float(name: &'static str) -> Port {
    Port { name, kind: Kind::Float }
}

const fn word(name: &'static str) -> Port {
    Port { name, kind: Kind::Word }
}

const fn flag(name: &'static str) -> Port {
    Port { name, kind: Kind::Flag }
}

fn as_float<A: Arithmetic>(value: &Value<A>) -> A::F {
    match value {
        Value::Float(value) => value.clone(),
        _ => unreachable!("the port is a number"),
    }
}

fn as_word<A: Arithmetic>(value: &Value<A>) -> A::I {
    match value {
        Value::Word(value) => value.clone(),
        _ => unreachable!("the port is a word"),
    }
}

fn as_flag<A: Arithmetic>(value: &Value<A>) -> A::B {
    match value {
        Value::Flag(value) => value.clone(),
        _ => unreachable!("the port is a flag"),
    }
}

fn dot<A: Arithmetic>(a: &mut A, u: [&A::F; 3], v: [&A::F; 3]) -> A::F {
    let [x, y, z] = std::array::from_fn(|n| a.mul(u[n], v[n]));
    let xy = a.add(&x, &y);
    a.add(&xy, &z)
}

/// `a . b`, negated on demand, and whether it is positive.
pub struct DotProductKernel;

impl Kernel for DotProductKernel {
    const NAME: &'static str = "dot_product";
    const INPUTS: &'static [Port] =
        &[float("a_x"), float("a_y"), float("a_z"), float("b_x"), float("b_y"), float("b_z"), flag("negate")];
    const OUTPUTS: &'static [Port] = &[float("product"), flag("positive")];

    fn evaluate<A: Arithmetic>(a: &mut A, inputs: &[Value<A>]) -> Vec<Value<A>> {
        let v: Vec<_> = inputs[..6].iter().map(as_float).collect();
        let product = dot(a, [&v[0], &v[1], &v[2]], [&v[3], &v[4], &v[5]]);
        let negated = a.neg(&product);
        let product = a.select(&as_flag(&inputs[6]), &negated, &product);
        let zero = a.number(0.0);
        let positive = a.lt(&zero, &product);
        vec![Value::Float(product), Value::Flag(positive)]
    }
}

/// A vector of unit length, and the length it had.
pub struct NormaliseKernel;

impl Kernel for NormaliseKernel {
    const NAME: &'static str = "normalise";
    const INPUTS: &'static [Port] = &[float("x"), float("y"), float("z")];
    const OUTPUTS: &'static [Port] = &[float("unit_x"), float("unit_y"), float("unit_z"), float("length")];

    fn evaluate<A: Arithmetic>(a: &mut A, inputs: &[Value<A>]) -> Vec<Value<A>> {
        let v: Vec<_> = inputs.iter().map(as_float).collect();
        let squared = dot(a, [&v[0], &v[1], &v[2]], [&v[0], &v[1], &v[2]]);
        let length = a.sqrt(&squared);
        let one = a.number(1.0);
        let inverse = a.div(&one, &length);
        let mut outputs: Vec<_> = v.iter().map(|x| Value::Float(a.mul(x, &inverse))).collect();
        outputs.push(Value::Float(length));
        outputs
    }
}

/// A polynomial of degree 6 in Horner's form: a chain, with its argument waiting all along; and what is left of `x` when
/// it is taken away, a difference.
pub struct HornerKernel;

impl HornerKernel {
    const COEFFICIENTS: [f32; 7] = [0.125, -1.5, 3.25, 0.5, -2.0, 0.75, 1.0];
}

impl Kernel for HornerKernel {
    const NAME: &'static str = "horner";
    const INPUTS: &'static [Port] = &[float("x")];
    const OUTPUTS: &'static [Port] = &[float("value"), float("rest"), float("same_x")];

    fn evaluate<A: Arithmetic>(a: &mut A, inputs: &[Value<A>]) -> Vec<Value<A>> {
        let x = as_float(&inputs[0]);
        let mut value = a.number(Self::COEFFICIENTS[0]);
        for coefficient in &Self::COEFFICIENTS[1..] {
            let product = a.mul(&value, &x);
            let coefficient = a.number(*coefficient);
            value = a.add(&product, &coefficient);
        }
        let rest = a.sub(&x, &value);
        vec![Value::Float(value), Value::Float(rest), Value::Float(x)]
    }
}

/// Everything but the big operators: words, flags, choices, signs, conversions, comparisons.
pub struct MixtureKernel;

impl Kernel for MixtureKernel {
    const NAME: &'static str = "mixture";
    const INPUTS: &'static [Port] =
        &[float("p"), float("q"), word("fields"), word("count"), flag("upper"), flag("inside")];
    const OUTPUTS: &'static [Port] = &[
        float("least"),
        float("greatest"),
        float("sign"),
        float("magnitude"),
        word("repacked"),
        word("truncated"),
        float("scaled"),
        flag("ordered"),
        flag("mixed"),
        word("chosen"),
        word("constant"),
    ];

    fn evaluate<A: Arithmetic>(a: &mut A, inputs: &[Value<A>]) -> Vec<Value<A>> {
        let (p, q) = (as_float(&inputs[0]), as_float(&inputs[1]));
        let (packed, count) = (as_word(&inputs[2]), as_word(&inputs[3]));
        let (upper, inside) = (as_flag(&inputs[4]), as_flag(&inputs[5]));
        let least = a.min(&p, &q);
        let greatest = a.max(&p, &q);
        let negated = a.neg(&p);
        let sign = a.select(&upper, &negated, &p);
        let magnitude = a.abs(&q);
        // Choices in a chain, deeper than the depth rule lets pass in one clock.
        let one = a.number(1.0);
        let mut chain = sign.clone();
        for n in 0..5 {
            let bit = a.bit(&packed, n);
            let other = if n % 2 == 0 { &q } else { &one };
            chain = a.select(&bit, &chain, other);
        }
        let low = a.field(&packed, 7, 0);
        let middle = a.field(&packed, 18, 8);
        let inner = a.field(&middle, 5, 2);
        let repacked = a.pack(&[(&middle, 11), (&low, 8), (&inner, 4), (&count, 9)]);
        let number = a.int_to_float(&low);
        let sum = a.add(&number, &chain);
        let back = a.neg(&sum);
        let scaled = a.add(&back, &p);
        let truncated = a.float_to_int(&scaled);
        let whole = a.int_to_float(&count);
        let le = a.le(&p, &whole);
        let eq = a.eq(&q, &greatest);
        let not = a.not(&eq);
        let ordered = a.and(&le, &not);
        let top = a.bit(&count, 31);
        let either = a.or(&ordered, &top);
        let mixed = a.or(&either, &inside);
        let (five, six) = (a.word(5), a.word(0x6000_0000));
        let chosen = a.select_word(&mixed, &five, &six);
        let chosen = a.select_word(&inside, &chosen, &low);
        // Folded before it gets here; and a value nobody wants.
        let half = a.number(0.5);
        let two = a.add(&one, &one);
        let folded = a.mul(&half, &two);
        let _unused = a.div(&folded, &p);
        let constant = a.float_to_int(&folded);
        vec![
            Value::Float(least),
            Value::Float(greatest),
            Value::Float(sign),
            Value::Float(magnitude),
            Value::Word(repacked),
            Value::Word(truncated),
            Value::Float(scaled),
            Value::Flag(ordered),
            Value::Flag(mixed),
            Value::Word(chosen),
            Value::Word(constant),
        ]
    }
}

datapath! {
    /// [`DotProductKernel`] as a block.
    pub struct DotProduct, stream DotProductStream for DotProductKernel {
        a_x, a_y, a_z, b_x, b_y, b_z, negate: Flag,
    } -> {
        product, positive: Flag,
    }
}

datapath! {
    /// [`NormaliseKernel`] as a block.
    pub struct Normalise, stream NormaliseStream for NormaliseKernel { x, y, z } -> { unit_x, unit_y, unit_z, length }
}

datapath! {
    /// [`HornerKernel`] as a block.
    pub struct Horner, stream HornerStream for HornerKernel { x } -> { value, rest, same_x }
}

datapath! {
    /// [`MixtureKernel`] as a block.
    pub struct Mixture, stream MixtureStream for MixtureKernel {
        p, q, fields, count, upper: Flag, inside_: Flag,
    } -> {
        least, greatest, sign, magnitude, repacked, truncated, scaled, ordered: Flag, mixed: Flag, chosen, constant,
    }
}
