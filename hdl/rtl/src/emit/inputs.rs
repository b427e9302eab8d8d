//! Finds kernels that read an input of one of their parts.
//!
//! The kernel itself drives that input, and in Verilog reads at once what it drives. In the in-crate simulation it reads
//! what the part has taken over, which is a pass older; and a gated block (`rayman_derive::GatedBlock`) may not run the
//! kernel again for it. What was driven is to be read instead.

use rust_hdl_core::ast::VerilogExpression;
use rust_hdl_core::prelude::{Block, Probe, Verilog, VerilogVisitor};
use std::collections::HashSet;

/// The first such kernel, by the path of its block, and the input.
pub(super) fn first(block: &dyn Block) -> Option<(String, String)> {
    let mut search = Search::default();
    block.accept("top", &mut search);
    search.found
}

/// The blocks that are being visited, each with the names of its parts so far.
#[derive(Default)]
struct Search {
    path: Vec<(String, HashSet<String>)>,
    found: Option<(String, String)>,
}

impl Probe for Search {
    fn visit_start_scope(&mut self, name: &str, _node: &dyn Block) {
        if let Some((_, parts)) = self.path.last_mut() {
            parts.insert(plain(name));
        }
        self.path.push((name.to_owned(), HashSet::new()));
    }

    fn visit_end_scope(&mut self, _name: &str, node: &dyn Block) {
        let path = self.path.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>().join("$");
        let Some((_, parts)) = self.path.pop() else { return };
        let Verilog::Combinatorial(code) = node.hdl() else { return };
        let mut uses = Uses::default();
        uses.visit_block(&code);
        let mut both: Vec<&String> = uses.read.intersection(&uses.driven).collect();
        both.sort();
        let input = both.into_iter().find(|name| name.split('$').next().is_some_and(|first| parts.contains(first)));
        if let (None, Some(input)) = (&self.found, input) {
            self.found = Some((path, input.clone()));
        }
    }
}

/// The signals that a kernel drives, and those that it reads.
#[derive(Default)]
struct Uses {
    driving: bool,
    driven: HashSet<String>,
    read: HashSet<String>,
}

impl Uses {
    fn drive(&mut self, target: &VerilogExpression) {
        self.driving = true;
        self.visit_expression(target);
        self.driving = false;
    }
}

impl VerilogVisitor for Uses {
    fn visit_assignment(&mut self, target: &VerilogExpression, value: &VerilogExpression) {
        self.visit_expression(value);
        self.drive(target);
    }

    fn visit_slice_assignment(
        &mut self,
        base: &VerilogExpression,
        _width: &usize,
        offset: &VerilogExpression,
        replacement: &VerilogExpression,
    ) {
        self.visit_expression(offset);
        self.visit_expression(replacement);
        self.drive(base);
    }

    fn visit_signal(&mut self, name: &str) {
        let names = if self.driving { &mut self.driven } else { &mut self.read };
        names.insert(plain(name));
    }
}

/// A signal's name without the places of array elements: `lanes[i].take.next` and `lanes$0$take` are `lanes$take`.
fn plain(name: &str) -> String {
    let mut kept = String::new();
    let mut depth = 0;
    for letter in name.chars() {
        depth += i32::from(letter == '[');
        if depth == 0 {
            kept.push(letter);
        }
        depth -= i32::from(letter == ']');
    }
    let parts = kept.split(['$', '.']).filter(|part| part.parse::<u32>().is_err() && *part != "next");
    parts.collect::<Vec<_>>().join("$")
}

#[cfg(test)]
mod tests {
    use super::first;
    use crate::mem::Flop;
    use rust_hdl_core::prelude::*;

    macro_rules! block {
        ($name:ident, $port:ident) => {
            #[derive(LogicBlock, Default)]
            struct $name {
                clock: Signal<In, Clock>,
                data: Signal<In, Bit>,
                out: Signal<Out, Bit>,
                state: [Flop<Bit>; 2],
            }

            impl Logic for $name {
                #[hdl_gen]
                fn update(&mut self) {
                    for i in 0..2 {
                        self.state[i].clock.next = self.clock.val();
                        self.state[i].d.next = self.data.val();
                    }
                    self.out.next = self.state[1].$port.val();
                }
            }
        };
    }

    block!(Output, q);
    block!(Input, d);

    #[test]
    fn a_kernel_that_reads_an_input_of_its_part_is_found() {
        assert_eq!(first(&Output::default()), None);
        assert_eq!(first(&Input::default()), Some(("top".to_owned(), "state$d".to_owned())));
    }
}
