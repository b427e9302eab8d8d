//! The Verilated harness against blocks stepped in-crate, and its refusals.

use rayman_rtl::{emit::emit, step};
use rayman_sim::verilated::{block::Sample, Flavour, VerilatedBlock, VerilatorError};
use rust_hdl_core::prelude::*;
use rust_hdl_widgets::prelude::*;

/// Adds its input to a sum while `enable` is up; shows whether the sum is odd at once.
#[derive(LogicBlock, Default)]
struct Accumulator {
    clock: Signal<In, Clock>,
    enable: Signal<In, Bit>,
    data: Signal<In, Bits<12>>,
    sum: Signal<Out, Bits<12>>,
    masked: Signal<Out, Bits<12>>,
    state: DFF<Bits<12>>,
    next_sum: Signal<Local, Bits<12>>,
}

impl Logic for Accumulator {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, state);
        self.next_sum.next = self.state.q.val() + self.data.val();
        if self.enable.val() {
            self.state.d.next = self.next_sum.val();
        }
        self.sum.next = self.state.q.val();
        self.masked.next = self.state.q.val() & self.data.val();
    }
}

fn accumulator() -> (Accumulator, String) {
    let mut block = Accumulator::default();
    block.connect_all();
    let verilog = emit(&block, "accumulator").expect("emits");
    (block, verilog)
}

fn random(state: &mut u64) -> u64 {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    *state
}

#[test]
fn a_block_and_its_verilog_agree_clock_by_clock() {
    let (mut block, verilog) = accumulator();
    let mut model = VerilatedBlock::build(&verilog, "accumulator").expect("builds");
    let mut rows = Vec::new();
    let mut expected = Vec::new();
    let seed = 0x5EED_0001;
    println!("seed {seed:#x}");
    let mut state = seed;
    for n in 0..2000 {
        let (enable, data) = (random(&mut state) & 1, random(&mut state) & 0xFFF);
        block.enable.next = enable == 1;
        block.data.next = data.into();
        step::clock(&mut block, |block, level| block.clock.next = level).expect("settles");
        model.set("enable", enable);
        model.set("data", data);
        model.clock().expect("runs");
        assert_eq!(
            (model.get("sum"), model.get("masked")),
            (block.sum.val().to_u64(), block.masked.val().to_u64()),
            "clock {n}"
        );
        rows.extend([enable, data]);
        expected.extend([block.sum.val().to_u64(), block.masked.val().to_u64()]);
    }
    assert!(expected.chunks(2).any(|row| row[0] > 0x800), "the stimulus must reach the upper half");
    let mut again = VerilatedBlock::build(&verilog, "accumulator").expect("is built");
    assert_eq!(again.run(&rows, Sample::AfterEdge).expect("runs"), expected);
}

#[test]
fn outputs_before_the_edge_are_what_a_neighbour_sees() {
    let (_, verilog) = accumulator();
    let mut model = VerilatedBlock::build_with(&verilog, "accumulator", Flavour::Fast, 7).expect("builds");
    let rows = [1, 5, 1, 3, 0, 0xFFF, 0, 1];
    assert_eq!(model.run(&rows, Sample::BeforeEdge).expect("runs"), [0, 0, 5, 1, 8, 8, 8, 0]);
    model.set("data", 0xC);
    assert_eq!(model.get("masked"), 0);
    model.settle().expect("settles");
    assert_eq!(model.get("masked"), 8);
}

#[test]
fn uninitialised_state_differs_between_seeds() {
    let verilog = "module loose(input wire clock, output wire [31:0] q); reg [31:0] r; always @(posedge clock) r <= r; assign q = r; endmodule";
    let value = |seed| {
        let mut model = VerilatedBlock::build_with(verilog, "loose", Flavour::Checked, seed).expect("builds");
        model.clock().expect("runs");
        model.get("q")
    };
    assert_ne!(value(1), value(2));
    assert_eq!(value(1), value(1));
}

#[test]
fn arithmetic_in_another_width_is_refused() {
    let verilog = "module wide(a, b, c); input wire [7:0] a; input wire [7:0] b; output reg c; always @(*) c = (a - b) > 32'hc8; endmodule";
    let refused = VerilatedBlock::build(verilog, "wide");
    assert!(
        matches!(refused, Err(VerilatorError::Lint { ref lines, .. }) if lines.iter().any(|line| line.contains("SUB"))),
        "{:?}",
        refused.err()
    );
}

#[test]
fn a_variable_that_is_read_before_it_is_given_is_refused() {
    let early = "module early(input wire a, input wire b, output reg q); reg c; always @(*) begin q = 1'b0; if (c) q = b; c = a; end endmodule";
    let refused = VerilatedBlock::build(early, "early");
    let names = |line: &String| line.contains("ALWCOMBORDER") && line.contains("'c'");
    assert!(
        matches!(refused, Err(VerilatorError::Lint { ref lines, .. }) if lines.iter().any(names)),
        "{:?}",
        refused.err()
    );
}

#[test]
fn a_failed_assertion_is_an_error_not_the_end_of_the_process() {
    let verilog = "module checked(input wire clock, input wire [3:0] a, output wire q); assign q = ^a; always @(posedge clock) if (a == 4'd9) $stop; endmodule";
    let mut model = VerilatedBlock::build(verilog, "checked").expect("builds");
    model.set("a", 8);
    model.clock().expect("nothing wrong yet");
    model.set("a", 9);
    assert!(matches!(model.clock(), Err(VerilatorError::Stopped { .. })));
}

#[test]
fn what_is_no_verilog_is_reported_with_the_tools_words() {
    let refused =
        VerilatedBlock::build("module broken(input wire a, output wire q); assign q = nothing + ; endmodule", "broken");
    assert!(
        matches!(refused, Err(VerilatorError::Failed { ref log, .. }) if log.contains("syntax error")),
        "{:?}",
        refused.err()
    );
    assert!(matches!(VerilatedBlock::build("module a(); endmodule", "b"), Err(VerilatorError::Verilog(_))));
    let wide = VerilatedBlock::build("module w(input wire [64:0] a); endmodule", "w");
    assert!(matches!(wide, Err(VerilatorError::WidePort { width: 65, .. })));
}
