//! The recorder: a kernel, evaluated over it, becomes a graph of typed nodes.
//!
//! ```text
//!  Kernel::evaluate over Recorder -> nodes in order of dependence -> dead ones dropped -> Graph
//! ```
//!
//! What always holds of a [`Graph`]:
//!
//! - a node's arguments come before it, so index order is an order of evaluation;
//! - no two nodes are the same operation on the same arguments (a sum's and a product's arguments are ordered first);
//! - no node has constant arguments only: such are computed at once, by the host's arithmetic;
//! - every node but an input leads to an output;
//! - [`Graph::evaluate`] gives the bits that the kernel gives over [`Host`].
//!
//! Rewrites are only those that keep every bit, signs of zeros and NaN included: `a + -b` is `a - b`, a choice between
//! equals is no choice, a field of a field is a field, a product with a power of two is a sum in the exponent.

use crate::emit::text::is_keyword;
use crate::fp::FpOperator;
use rayman_model::{Arithmetic, Fp32, Host, Kernel, Kind, Value};
use std::collections::HashMap;

/// Index of a node in its graph.
pub type NodeId = usize;

/// What a node does. `a`, `b`, `c` are its arguments in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Op {
    /// The n-th input.
    Input(usize),
    /// Known beforehand: the bits.
    Constant(u32),
    /// A pipelined operator of [`crate::fp`].
    Operator(FpOperator),
    /// `a` with the sign turned; any NaN becomes the one NaN.
    Neg,
    /// `a` without its sign; any NaN becomes the one NaN.
    Abs,
    /// `a` times a power of two, as the multiplier does it.
    Scale {
        /// Of the power: -126 to 127.
        exponent: i32,
    },
    /// `b` where the flag `a` holds, else `c`.
    Select,
    /// Flags: `a` and `b`.
    And,
    /// Flags: `a` or `b`.
    Or,
    /// Flag: not `a`.
    Not,
    /// `width` bits of `a` from bit `lsb`.
    Field {
        /// The lowest bit.
        lsb: u32,
        /// How many.
        width: u32,
    },
    /// The low `low` bits of `a` below `b`.
    Concat {
        /// Bits taken of `a`.
        low: u32,
    },
}

impl Op {
    /// How many arguments it has.
    pub fn arity(self) -> usize {
        match self {
            Op::Input(_) | Op::Constant(_) => 0,
            Op::Operator(operator) => operator.arity(),
            Op::Neg | Op::Abs | Op::Scale { .. } | Op::Not | Op::Field { .. } => 1,
            Op::And | Op::Or | Op::Concat { .. } => 2,
            Op::Select => 3,
        }
    }

    fn commutes(self) -> bool {
        use FpOperator::{Add, Eq, Mul};
        matches!(self, Op::And | Op::Or | Op::Operator(Add | Mul | Eq))
    }
}

/// An operation and what it is done to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Node {
    /// What it does.
    pub op: Op,
    /// Its arguments; those past `op.arity()` are 0 and mean nothing.
    args: [NodeId; 3],
    /// What it gives.
    pub kind: Kind,
    /// Bits that can be other than 0: 32 for a number, 1 for a flag, 1 to 32 for a word.
    pub width: u32,
    /// A number that is certainly no NaN but the one NaN.
    pub canonical: bool,
}

impl Node {
    /// Its arguments.
    pub fn args(&self) -> &[NodeId] {
        &self.args[..self.op.arity()]
    }
}

/// A named end of the graph.
#[derive(Clone, Debug)]
pub struct End {
    /// The port's name.
    pub name: String,
    /// What it carries.
    pub kind: Kind,
    /// The node behind it.
    pub node: NodeId,
}

/// A kernel as operations.
#[derive(Clone, Debug)]
pub struct Graph {
    /// The kernel's name.
    pub name: String,
    /// All operations, arguments first.
    pub nodes: Vec<Node>,
    /// Inputs, in the kernel's order.
    pub inputs: Vec<End>,
    /// Outputs, in the kernel's order.
    pub outputs: Vec<End>,
}

impl Graph {
    /// Records a kernel.
    pub fn of<K: Kernel>() -> Self {
        let mut recorder = Recorder::default();
        let mut inputs = Vec::new();
        for port in K::INPUTS {
            let node = recorder.input(port.kind);
            inputs.push(End { name: port_name(port.name), kind: port.kind, node });
        }
        let values: Vec<_> = inputs.iter().map(|end| value(end.kind, end.node)).collect();
        let results = K::evaluate(&mut recorder, &values);
        assert_eq!(results.len(), K::OUTPUTS.len(), "kernel {} has another number of outputs", K::NAME);
        let outputs = K::OUTPUTS
            .iter()
            .zip(&results)
            .map(|(port, result)| {
                let (kind, node) = match result {
                    Value::Float(node) => (Kind::Float, *node),
                    Value::Word(node) => (Kind::Word, *node),
                    Value::Flag(node) => (Kind::Flag, *node),
                };
                assert_eq!(kind, port.kind, "output {} of kernel {}", port.name, K::NAME);
                End { name: port_name(port.name), kind, node }
            })
            .collect();
        Self { name: K::NAME.into(), nodes: recorder.nodes, inputs, outputs }.without_dead_nodes()
    }

    /// Adds an input that is an output, too: it travels beside the computation.
    pub fn pass_through(&mut self, input: &str, output: &str, kind: Kind) {
        let node = self.nodes.len();
        self.nodes.push(input_node(self.inputs.len(), kind));
        self.inputs.push(End { name: input.into(), kind, node });
        self.outputs.push(End { name: output.into(), kind, node });
    }

    /// Computes the outputs, as the kernel does over [`Host`].
    ///
    /// `inputs` and `outputs` have one word a port, a flag as 0 or 1. `scratch` is working space, kept by the caller
    /// so that a simulation does not allocate.
    pub fn evaluate(&self, inputs: &[u32], scratch: &mut Vec<u32>, outputs: &mut [u32]) {
        scratch.clear();
        for node in &self.nodes {
            let [a, b, c] = node.args;
            let value = match node.op {
                Op::Input(n) => inputs[n],
                Op::Constant(bits) => bits,
                op => match op.arity() {
                    1 => apply(op, scratch[a], 0, 0),
                    2 => apply(op, scratch[a], scratch[b], 0),
                    _ => apply(op, scratch[a], scratch[b], scratch[c]),
                },
            };
            scratch.push(value);
        }
        for (output, end) in outputs.iter_mut().zip(&self.outputs) {
            *output = scratch[end.node];
        }
    }

    /// How many nodes use each operator.
    pub fn count(&self, operator: FpOperator) -> usize {
        self.nodes.iter().filter(|node| node.op == Op::Operator(operator)).count()
    }

    fn without_dead_nodes(self) -> Self {
        let mut alive = vec![false; self.nodes.len()];
        for end in self.inputs.iter().chain(&self.outputs) {
            alive[end.node] = true;
        }
        for id in (0..self.nodes.len()).rev() {
            if alive[id] {
                self.nodes[id].args().iter().for_each(|arg| alive[*arg] = true);
            }
        }
        let mut place = vec![0; self.nodes.len()];
        let mut nodes = Vec::new();
        for (id, node) in self.nodes.iter().enumerate().filter(|(id, _)| alive[*id]) {
            let mut node = *node;
            let arity = node.op.arity();
            node.args[..arity].iter_mut().for_each(|arg| *arg = place[*arg]);
            place[id] = nodes.len();
            nodes.push(node);
        }
        let moved = |ends: Vec<End>| ends.into_iter().map(|end| End { node: place[end.node], ..end }).collect();
        Self { name: self.name, nodes, inputs: moved(self.inputs), outputs: moved(self.outputs) }
    }
}

/// A kernel's port as the circuit names it: a word that Verilog or SystemVerilog reserves gets a `_` behind it.
pub fn port_name(name: &str) -> String {
    format!("{name}{}", if is_keyword(name) { "_" } else { "" })
}

/// One operation on bits, as the host does it. Flags are 0 and 1.
pub fn apply(op: Op, a: u32, b: u32, c: u32) -> u32 {
    let host = &mut Host;
    let (x, y) = (&Fp32(a), &Fp32(b));
    match op {
        Op::Operator(operator) => match operator {
            FpOperator::Add => host.add(x, y).0,
            FpOperator::Sub => host.sub(x, y).0,
            FpOperator::Mul => host.mul(x, y).0,
            FpOperator::Div => host.div(x, y).0,
            FpOperator::Sqrt => host.sqrt(x).0,
            FpOperator::Lt => host.lt(x, y).into(),
            FpOperator::Le => host.le(x, y).into(),
            FpOperator::Eq => host.eq(x, y).into(),
            FpOperator::IntToFloat => host.int_to_float(&a).0,
            FpOperator::FloatToInt => host.float_to_int(x),
        },
        Op::Neg => host.neg(x).0,
        Op::Abs => host.abs(x).0,
        Op::Scale { exponent } => host.mul(x, &power_of_two(exponent)).0,
        Op::Select => {
            if a != 0 {
                b
            } else {
                c
            }
        }
        Op::And => a & b,
        Op::Or => a | b,
        Op::Not => a ^ 1,
        Op::Field { lsb, width } => (a >> lsb) & mask(width),
        Op::Concat { low } => (a & mask(low)) | (b << low),
        Op::Constant(bits) => bits,
        Op::Input(_) => unreachable!("an input has no operation"),
    }
}

/// No NaN, or the one NaN.
pub(super) fn is_canonical(bits: u32) -> bool {
    !Fp32(bits).is_nan() || bits == Fp32::NAN.0
}

/// A normal power of two, exponent -126 to 127.
pub(super) fn power_of_two(exponent: i32) -> Fp32 {
    Fp32(((exponent + 127) as u32) << 23)
}

/// The exponent of a number that is a normal power of two, but for its sign.
fn exponent_of(bits: u32) -> Option<i32> {
    let biased = (bits >> 23 & 0xff) as i32;
    (bits & 0x007f_ffff == 0 && (1..255).contains(&biased)).then_some(biased - 127)
}

fn mask(width: u32) -> u32 {
    u32::MAX >> (32 - width)
}

fn value(kind: Kind, node: NodeId) -> Value<Recorder> {
    match kind {
        Kind::Float => Value::Float(node),
        Kind::Word => Value::Word(node),
        Kind::Flag => Value::Flag(node),
    }
}

fn input_node(n: usize, kind: Kind) -> Node {
    Node { op: Op::Input(n), args: [0; 3], kind, width: if kind == Kind::Flag { 1 } else { 32 }, canonical: false }
}

/// An [`Arithmetic`] whose values are nodes.
#[derive(Default)]
pub struct Recorder {
    nodes: Vec<Node>,
    inputs: usize,
    known: HashMap<(Op, [NodeId; 3], Kind), NodeId>,
}

impl Recorder {
    /// Appends an input.
    pub fn input(&mut self, kind: Kind) -> NodeId {
        self.nodes.push(input_node(self.inputs, kind));
        self.inputs += 1;
        self.nodes.len() - 1
    }

    /// The nodes recorded so far.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    fn constant(&mut self, kind: Kind, bits: u32) -> NodeId {
        let width = match kind {
            Kind::Float => 32,
            Kind::Word => (32 - bits.leading_zeros()).max(1),
            Kind::Flag => 1,
        };
        self.intern(Node { op: Op::Constant(bits), args: [0; 3], kind, width, canonical: is_canonical(bits) })
    }

    fn known_bits(&self, id: NodeId) -> Option<u32> {
        match self.nodes[id].op {
            Op::Constant(bits) => Some(bits),
            _ => None,
        }
    }

    fn argument_of(&self, id: NodeId, op: Op) -> Option<NodeId> {
        (self.nodes[id].op == op).then(|| self.nodes[id].args[0])
    }

    /// The node that does `op`, an old one where there is one.
    fn node(&mut self, op: Op, kind: Kind, args: &[NodeId]) -> NodeId {
        let mut all = [0; 3];
        all[..args.len()].copy_from_slice(args);
        if op.commutes() && all[0] > all[1] {
            all.swap(0, 1);
        }
        let bits: Vec<_> = args.iter().filter_map(|arg| self.known_bits(*arg)).collect();
        if bits.len() == args.len() {
            let argument = |n: usize| bits.get(n).copied().unwrap_or(0);
            let folded = apply(op, argument(0), argument(1), argument(2));
            return self.constant(kind, folded);
        }
        let of = |n: usize| &self.nodes[all[n]];
        let (width, canonical) = match (op, kind) {
            (Op::Field { width, .. }, _) => (width, false),
            (Op::Concat { low }, _) => ((low + of(1).width).min(32), false),
            (Op::Select, _) => (of(1).width.max(of(2).width), of(1).canonical && of(2).canonical),
            (_, Kind::Flag) => (1, false),
            (_, Kind::Word) => (32, false),
            (_, Kind::Float) => (32, true),
        };
        self.intern(Node { op, args: all, kind, width, canonical })
    }

    fn intern(&mut self, node: Node) -> NodeId {
        let next = self.nodes.len();
        let id = *self.known.entry((node.op, node.args, node.kind)).or_insert(next);
        if id == next {
            self.nodes.push(node);
        }
        id
    }

    fn operator(&mut self, operator: FpOperator, kind: Kind, args: &[NodeId]) -> NodeId {
        self.node(Op::Operator(operator), kind, args)
    }

    /// `a * 2^exponent`, or `a * -2^exponent`.
    fn scale(&mut self, a: NodeId, exponent: i32, negative: bool) -> NodeId {
        match (negative, self.argument_of(a, Op::Neg)) {
            (true, Some(inner)) => self.node(Op::Scale { exponent }, Kind::Float, &[inner]),
            (false, _) => self.node(Op::Scale { exponent }, Kind::Float, &[a]),
            (true, None) => {
                let scaled = self.node(Op::Scale { exponent }, Kind::Float, &[a]);
                self.node(Op::Neg, Kind::Float, &[scaled])
            }
        }
    }

    fn choose(&mut self, kind: Kind, condition: NodeId, yes: NodeId, no: NodeId) -> NodeId {
        if let Some(bits) = self.known_bits(condition) {
            return if bits != 0 { yes } else { no };
        }
        if yes == no {
            return yes;
        }
        match self.argument_of(condition, Op::Not) {
            Some(inner) => self.node(Op::Select, kind, &[inner, no, yes]),
            None => self.node(Op::Select, kind, &[condition, yes, no]),
        }
    }

    fn bits_of(&mut self, kind: Kind, word: NodeId, lsb: u32, width: u32) -> NodeId {
        let node = self.nodes[word];
        match node.op {
            // Nothing but zeros up there.
            _ if lsb >= node.width => self.constant(kind, 0),
            Op::Field { lsb: below, width: of } => {
                self.field_node(kind, node.args[0], below + lsb, width.min(of - lsb))
            }
            Op::Concat { low } if lsb >= low => self.bits_of(kind, node.args[1], lsb - low, width),
            Op::Concat { low } if lsb + width <= low => self.bits_of(kind, node.args[0], lsb, width),
            _ => self.field_node(kind, word, lsb, width.min(node.width - lsb)),
        }
    }

    fn field_node(&mut self, kind: Kind, word: NodeId, lsb: u32, width: u32) -> NodeId {
        let node = self.nodes[word];
        if lsb == 0 && width >= node.width && node.kind == kind {
            return word;
        }
        self.node(Op::Field { lsb, width }, kind, &[word])
    }
}

impl Arithmetic for Recorder {
    type F = NodeId;
    type I = NodeId;
    type B = NodeId;

    fn number(&mut self, value: f32) -> NodeId {
        let bits = Host.number(value).0;
        self.constant(Kind::Float, bits)
    }
    fn word(&mut self, value: u32) -> NodeId {
        self.constant(Kind::Word, value)
    }

    fn add(&mut self, a: &NodeId, b: &NodeId) -> NodeId {
        match (self.argument_of(*a, Op::Neg), self.argument_of(*b, Op::Neg)) {
            (_, Some(b)) => self.operator(FpOperator::Sub, Kind::Float, &[*a, b]),
            (Some(a), None) => self.operator(FpOperator::Sub, Kind::Float, &[*b, a]),
            (None, None) => self.operator(FpOperator::Add, Kind::Float, &[*a, *b]),
        }
    }
    fn sub(&mut self, a: &NodeId, b: &NodeId) -> NodeId {
        match self.argument_of(*b, Op::Neg) {
            Some(b) => self.operator(FpOperator::Add, Kind::Float, &[*a, b]),
            None => self.operator(FpOperator::Sub, Kind::Float, &[*a, *b]),
        }
    }
    fn mul(&mut self, a: &NodeId, b: &NodeId) -> NodeId {
        for (x, factor) in [(a, b), (b, a)] {
            if let (None, Some(bits)) = (self.known_bits(*x), self.known_bits(*factor)) {
                if let Some(exponent) = exponent_of(bits) {
                    return self.scale(*x, exponent, bits >> 31 != 0);
                }
            }
        }
        match (self.argument_of(*a, Op::Neg), self.argument_of(*b, Op::Neg)) {
            (Some(a), Some(b)) => self.operator(FpOperator::Mul, Kind::Float, &[a, b]),
            _ => self.operator(FpOperator::Mul, Kind::Float, &[*a, *b]),
        }
    }
    fn div(&mut self, a: &NodeId, b: &NodeId) -> NodeId {
        self.operator(FpOperator::Div, Kind::Float, &[*a, *b])
    }
    fn sqrt(&mut self, a: &NodeId) -> NodeId {
        self.operator(FpOperator::Sqrt, Kind::Float, &[*a])
    }
    fn neg(&mut self, a: &NodeId) -> NodeId {
        self.node(Op::Neg, Kind::Float, &[*a])
    }
    fn abs(&mut self, a: &NodeId) -> NodeId {
        match self.argument_of(*a, Op::Neg) {
            Some(a) => self.node(Op::Abs, Kind::Float, &[a]),
            None => self.node(Op::Abs, Kind::Float, &[*a]),
        }
    }

    fn lt(&mut self, a: &NodeId, b: &NodeId) -> NodeId {
        self.operator(FpOperator::Lt, Kind::Flag, &[*a, *b])
    }
    fn le(&mut self, a: &NodeId, b: &NodeId) -> NodeId {
        self.operator(FpOperator::Le, Kind::Flag, &[*a, *b])
    }
    fn eq(&mut self, a: &NodeId, b: &NodeId) -> NodeId {
        self.operator(FpOperator::Eq, Kind::Flag, &[*a, *b])
    }

    fn select(&mut self, condition: &NodeId, yes: &NodeId, no: &NodeId) -> NodeId {
        self.choose(Kind::Float, *condition, *yes, *no)
    }
    fn select_word(&mut self, condition: &NodeId, yes: &NodeId, no: &NodeId) -> NodeId {
        self.choose(Kind::Word, *condition, *yes, *no)
    }
    fn and(&mut self, a: &NodeId, b: &NodeId) -> NodeId {
        match (self.known_bits(*a), self.known_bits(*b)) {
            (Some(0), _) | (_, Some(1)) => *a,
            (_, Some(_)) | (Some(_), _) => *b,
            _ if a == b => *a,
            _ => self.node(Op::And, Kind::Flag, &[*a, *b]),
        }
    }
    fn or(&mut self, a: &NodeId, b: &NodeId) -> NodeId {
        match (self.known_bits(*a), self.known_bits(*b)) {
            (Some(1), _) | (_, Some(0)) => *a,
            (_, Some(_)) | (Some(_), _) => *b,
            _ if a == b => *a,
            _ => self.node(Op::Or, Kind::Flag, &[*a, *b]),
        }
    }
    fn not(&mut self, a: &NodeId) -> NodeId {
        match self.argument_of(*a, Op::Not) {
            Some(inner) => inner,
            None => self.node(Op::Not, Kind::Flag, &[*a]),
        }
    }

    fn int_to_float(&mut self, a: &NodeId) -> NodeId {
        self.operator(FpOperator::IntToFloat, Kind::Float, &[*a])
    }
    fn float_to_int(&mut self, a: &NodeId) -> NodeId {
        self.operator(FpOperator::FloatToInt, Kind::Word, &[*a])
    }

    fn bit(&mut self, a: &NodeId, n: u32) -> NodeId {
        self.bits_of(Kind::Flag, *a, n, 1)
    }
    fn field(&mut self, a: &NodeId, msb: u32, lsb: u32) -> NodeId {
        self.bits_of(Kind::Word, *a, lsb, msb - lsb + 1)
    }
    fn pack(&mut self, fields: &[(&NodeId, u32)]) -> NodeId {
        let mut packed = None;
        for (field, bits) in fields.iter().rev().filter(|(_, bits)| *bits > 0) {
            packed = Some(match packed {
                None => self.bits_of(Kind::Word, **field, 0, *bits),
                // A word is full: what is above does not fit.
                Some(_) if *bits >= 32 => **field,
                Some(above) => self.node(Op::Concat { low: *bits }, Kind::Word, &[**field, above]),
            });
        }
        packed.unwrap_or_else(|| self.constant(Kind::Word, 0))
    }
}
