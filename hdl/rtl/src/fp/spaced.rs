//! Division and square root for operands that come every so many clocks.
//!
//! ```text
//!             +--------+   +-----------------+     +-----------------+   +-----------+
//!  a, b ----->| stage  |-->| cell 0:         |---->| cell 1:         |-->| normalise |--> q
//!             |   1    |   | bits 0 .. E - 1 |     | bits E .. 2E-1  |   | and round |
//!             +--------+   +---^---------'---+     +---^---------'---+   +-----------+
//!  first ------------------------ enter ------------------'   of E = every clocks
//! ```
//!
//! The pipelined operators have registers for each bit of the result. Where operands come only every `E` clocks, a
//! *cell* stays with its operands for `E` of their bits, one a clock, and then hands them on: about `1/E` of the
//! registers. Steps, unpacking and rounding are the blocks of [`div`](super::div) and [`sqrt`](super::sqrt), so bits and
//! latency are theirs, whatever `E` is.
//!
//! `first` is high in the clock in which operands are on the ports, and every `E` clocks from then on, until the result
//! is out. What always holds then: `q` is the result `latency` clocks later, in that clock alone.

use super::depth::Staged;
use super::div::DivideStep;
use super::shared::{Round, Unpack};
use super::sqrt::RootStep;
use super::FpOperator;
use crate::emit::emit;
use rust_hdl_core::prelude::*;
use std::fmt::Write;
use std::sync::OnceLock;

/// Bits of a quotient, each a step.
const QUOTIENT_BITS: u32 = 26;
/// Steps of a root: its bits but the first.
const ROOT_BITS: u32 = 24;

/// The modules of an operator for operands every `every` clocks.
pub struct Spaced {
    /// The operator's module, with ports `clock`, `first`, `a`, `b` (if there are two operands) and `q`.
    pub module_name: String,
    /// It. It needs the modules of [`parts`].
    pub module: String,
}

impl FpOperator {
    /// Whether it has a form for spaced operands.
    pub const fn can_be_spaced(self) -> bool {
        matches!(self, FpOperator::Div | FpOperator::Sqrt)
    }

    /// Its form for operands every `every` clocks, at least 2; `None` if it has none.
    pub fn spaced(self, every: u32) -> Option<Spaced> {
        if !self.can_be_spaced() || every < 2 {
            return None;
        }
        let module_name = format!("{}_every_{every}", self.module_name());
        let module = match self {
            FpOperator::Div => division(&module_name, every),
            _ => root(&module_name, every),
        };
        Some(Spaced { module_name, module })
    }
}

/// The modules that those for spaced operands are made of: unpacking, rounding and the steps of both recurrences.
pub fn parts() -> &'static str {
    static PARTS: OnceLock<String> = OnceLock::new();
    PARTS.get_or_init(|| {
        let mut text = part(Unpack::default(), "spaced_unpack");
        text += &part(Round::staged(&[true; super::shared::ROUND_LATENCY]), "spaced_round");
        text += &part(DivideStep::staged(&[true]), "spaced_divide");
        text += &part(RootStep::<11>::staged(&[true]), "spaced_root_11");
        text += &part(RootStep::<19>::staged(&[true]), "spaced_root_19");
        text += &part(RootStep::<27>::staged(&[true]), "spaced_root_27");
        text
    })
}

fn part<B: Block>(mut block: B, name: &str) -> String {
    block.connect_all();
    // The parts are fixed, and a test emits each: a failure here is a mistake in this folder, not in an input.
    emit(&block, name).expect("a part is a legal block")
}

/// The instance that takes an operand apart.
fn unpack(letter: char) -> String {
    format!(
        "\
\x20   wire {letter}_sign;
    wire [7:0] {letter}_exponent;
    wire [23:0] {letter}_significand;
    wire {letter}_zero;
    wire {letter}_infinite;
    wire {letter}_nan;
    spaced_unpack unpack_{letter} (.word({letter}), .sign({letter}_sign), .exponent({letter}_exponent),
        .significand({letter}_significand), .zero({letter}_zero), .infinite({letter}_infinite), .nan({letter}_nan));
"
    )
}

/// Declarations of what goes along beside the bits: the exponent, and sign, zero, infinity, NaN.
fn beside(place: &str) -> String {
    format!("    reg [8:0] exponent_{place};\n    reg [3:0] class_{place};\n")
}

/// A cell keeps them from the clock in which its operands enter.
fn keep(cell: u32, exponent: &str, class: &str) -> String {
    format!(
        "\
\x20   always @(posedge clock) if (enter) begin
        exponent_{cell} <= {exponent};
        class_{cell} <= {class};
    end
"
    )
}

/// Rounding, of what stands in the registers of the place `last`.
fn round(adjust: &str) -> String {
    format!(
        "\
\x20   spaced_round round (.clock(clock), .sign(class_last[3]), .exponent(exponent_last), .adjust({adjust}),
        .fraction(fraction), .guard(guard), .sticky(sticky), .zero(class_last[2]), .infinite(class_last[1]),
        .nan(class_last[0]), .q(q));
endmodule
"
    )
}

fn division(name: &str, every: u32) -> String {
    let mut text = format!(
        "\
// Operands every {every} clocks.
module {name} (clock, first, a, b, q);
    input wire clock;
    input wire first;
    input wire [31:0] a;
    input wire [31:0] b;
    output wire [31:0] q;
"
    );
    text += &(unpack('a') + &unpack('b'));
    text += "\
\x20   // Stage 1.
    reg enter;
    reg [23:0] dividend;
    reg [23:0] divisor;
    reg [8:0] difference;
    reg [3:0] class_first;
    always @(posedge clock) begin
        enter <= first;
        dividend <= a_significand;
        divisor <= b_significand;
        difference <= {1'b0, a_exponent} - {1'b0, b_exponent};
        class_first <= {a_sign ^ b_sign, a_zero | b_infinite, a_infinite | b_zero,
            a_nan | b_nan | (a_infinite & b_infinite) | (a_zero & b_zero)};
    end
    // Plus the bias, plus the offset of 128, less the 1 that a quotient of 1 or more gives back.
    wire [8:0] exponent_first = difference + 9'd254;
";
    let mut before = ["exponent_first", "class_first", "{1'b0, dividend}", "divisor", "26'd0"].map(String::from);
    for cell in 0..QUOTIENT_BITS.div_ceil(every) {
        let [exponent, class, remainder, divisor, quotient] = &before;
        text += &beside(&cell.to_string());
        text += &keep(cell, exponent, class);
        write!(
            text,
            "\
\x20   wire [24:0] remainder_{cell};
    wire [23:0] divisor_{cell};
    wire [25:0] quotient_{cell};
    spaced_divide cell_{cell} (.clock(clock), .remainder(enter ? {remainder} : remainder_{cell}),
        .divisor(enter ? {divisor} : divisor_{cell}), .quotient(enter ? {quotient} : quotient_{cell}),
        .next_remainder(remainder_{cell}), .same_divisor(divisor_{cell}), .next_quotient(quotient_{cell}));
"
        )
        .expect("a string takes it");
        before = ["exponent", "class", "remainder", "divisor", "quotient"].map(|value| format!("{value}_{cell}"));
    }
    let [exponent, class, remainder, _, quotient] = &before;
    text += &beside("last");
    write!(
        text,
        "\
\x20   // The leading one is bit 25 or bit 24 of the quotient.
    reg [22:0] fraction;
    reg guard;
    reg sticky;
    reg carry;
    always @(posedge clock) begin
        exponent_last <= {exponent};
        class_last <= {class};
        carry <= {quotient}[25];
        fraction <= {quotient}[25] ? {quotient}[24:2] : {quotient}[23:1];
        guard <= {quotient}[25] ? {quotient}[1] : {quotient}[0];
        sticky <= (|{remainder}) | ({quotient}[25] & {quotient}[0]);
    end
"
    )
    .expect("a string takes it");
    text + &round("{8'd0, carry}")
}

fn root(name: &str, every: u32) -> String {
    let mut text = format!(
        "\
// Operands every {every} clocks.
module {name} (clock, first, a, q);
    input wire clock;
    input wire first;
    input wire [31:0] a;
    output wire [31:0] q;
"
    );
    text += &unpack('a');
    text += "\
\x20   // Stage 1: the first root bit is a one; it leaves 0, 1 or 2.
    reg enter;
    reg [1:0] remainder;
    reg [23:0] radicand;
    reg [8:0] doubled;
    reg [3:0] class_first;
    always @(posedge clock) begin
        enter <= first;
        remainder <= a_exponent[0] ? 2'd0 : {a_significand[22], !a_significand[22]};
        radicand <= a_exponent[0] ? {a_significand[22:0], 1'b0} : {a_significand[21:0], 2'b00};
        doubled <= {1'b0, a_exponent} + 9'd127;
        class_first <= {a_sign, a_zero, a_infinite, a_nan | (a_sign & !a_zero)};
    end
    // Half of it, plus the offset.
    wire [8:0] exponent_first = {1'b0, doubled[8:1]} + 9'd128;
";
    let mut before = ["exponent_first", "class_first", "remainder", "11'd1", "radicand"].map(String::from);
    // The bits that remainder and root have before a cell.
    let mut widths = [2, 11];
    for cell in 0..ROOT_BITS.div_ceil(every) {
        let [exponent, class, remainder, root, radicand] = &before;
        // Before its last step the root has as many bits as steps were made, and one.
        let width = [11, 19, 27].into_iter().find(|width| ROOT_BITS.min((cell + 1) * every) + 3 <= *width);
        let width = width.expect("27 bits are enough for all steps");
        let widened = |value: &str, bits: u32| match width - bits {
            0 => value.to_string(),
            more => format!("{{{more}'d0, {value}}}"),
        };
        text += &beside(&cell.to_string());
        text += &keep(cell, exponent, class);
        write!(
            text,
            "\
\x20   wire [{top}:0] remainder_{cell};
    wire [{top}:0] root_{cell};
    wire [23:0] radicand_{cell};
    spaced_root_{width} cell_{cell} (.clock(clock), .remainder(enter ? {remainder} : remainder_{cell}),
        .root(enter ? {root} : root_{cell}), .radicand(enter ? {radicand} : radicand_{cell}),
        .next_remainder(remainder_{cell}), .next_root(root_{cell}), .next_radicand(radicand_{cell}));
",
            top = width - 1,
            remainder = widened(remainder, widths[0]),
            root = widened(root, widths[1]),
        )
        .expect("a string takes it");
        before = ["exponent", "class", "remainder", "root", "radicand"].map(|value| format!("{value}_{cell}"));
        widths = [width; 2];
    }
    let [exponent, class, remainder, root, _] = &before;
    text += &beside("last");
    write!(
        text,
        "\
\x20   reg [22:0] fraction;
    reg guard;
    reg sticky;
    always @(posedge clock) begin
        exponent_last <= {exponent};
        class_last <= {class};
        fraction <= {root}[23:1];
        guard <= {root}[0];
        sticky <= |{remainder};
    end
"
    )
    .expect("a string takes it");
    text + &round("9'd0")
}
