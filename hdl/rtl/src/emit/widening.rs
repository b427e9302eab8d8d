//! Finds casts that give a sum, a difference or a complement more bits than it has.
//!
//! `bit_cast::<9, 8>(a + b)` wraps at 8 bits in the in-crate simulation. rust-hdl writes it as `((a + b) & 9'h1ff)`, where
//! Verilog adds in 9 bits and keeps the carry. Verilator takes that for an intended carry and does not warn.

use super::text::{Kind, Module, Token};
use std::collections::HashMap;

/// The text of the first such cast in a module.
pub(super) fn first(module: &Module<'_>) -> Option<String> {
    let solid: Vec<Token<'_>> = module.solid().map(|(_, token)| token).collect();
    let widths: HashMap<&str, usize> = module.widths(&solid).into_iter().collect();
    (1..solid.len()).find_map(|open| {
        if solid[open].text != "(" || solid[open - 1].text != "(" {
            return None;
        }
        let close = closing(&solid, open)?;
        let [and, mask, end] = solid.get(close + 1..close + 4)? else { return None };
        if and.text != "&" || end.text != ")" {
            return None;
        }
        let wanted: usize = mask.text.split_once("'h")?.0.parse().ok()?;
        let inner = &solid[open + 1..close];
        let has = operand_width(inner, &widths)?;
        let computes = inner.iter().any(|token| matches!(token.text, "+" | "-" | "~"));
        (computes && wanted > has)
            .then(|| solid[open - 1..close + 4].iter().map(|token| token.text).collect::<Vec<_>>().join(" "))
    })
}

/// The place of the bracket that closes the one at a place.
fn closing(solid: &[Token<'_>], open: usize) -> Option<usize> {
    let mut depth = 0;
    solid[open..]
        .iter()
        .position(|token| {
            depth += i32::from(token.text == "(") - i32::from(token.text == ")");
            depth == 0
        })
        .map(|length| open + length)
}

/// The width of the widest signal in an expression, if the width of each is known; a part select makes it unknown.
fn operand_width(inner: &[Token<'_>], widths: &HashMap<&str, usize>) -> Option<usize> {
    if inner.iter().any(|token| matches!(token.text, "[" | "==" | "<" | ">" | "?" | ":" | "*")) {
        return None;
    }
    let names = inner.iter().filter(|token| token.kind == Kind::Identifier);
    names.map(|token| widths.get(token.text).copied()).collect::<Option<Vec<_>>>()?.into_iter().max()
}

#[cfg(test)]
mod tests {
    use super::super::text::{modules, tokens};
    use super::first;

    fn cast(expression: &str) -> Option<String> {
        let text = format!("module top(a,b,w); input wire [7:0] a; input wire [7:0] b; output reg [8:0] w; reg [11:0] wide; always @(*) begin w = {expression}; end endmodule");
        first(&modules(&tokens(&text))[0])
    }

    #[test]
    fn a_widening_cast_of_arithmetic_is_found() {
        for expression in ["((a + b) & 9'h1ff)", "((~a) & 9'h1ff)", "((a - 8'h1) & 16'hffff)", "(((a + b)) & 9'h1ff)"] {
            assert!(cast(expression).is_some(), "{expression}");
        }
    }

    #[test]
    fn harmless_casts_are_not() {
        for expression in [
            "((a) & 9'h1ff)",
            "((a + b) & 8'hff)",
            "((wide + a) & 9'h1ff)",
            "((a & b) & 9'h1ff)",
            "(a + b) & 9'h1ff",
            "((a[(0)+:(4)] + b) & 9'h1ff)",
        ] {
            assert_eq!(cast(expression), None, "{expression}");
        }
    }
}
