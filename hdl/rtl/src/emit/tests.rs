use super::*;
use rust_hdl_core::prelude::*;
use rust_hdl_widgets::prelude::*;

/// A register of `W` bits behind a stream-like pair of ports.
#[derive(LogicBlock, Default)]
struct Stage<const W: usize> {
    clock: Signal<In, Clock>,
    data: Signal<In, Bits<W>>,
    out: Signal<Out, Bits<W>>,
    state: DFF<Bits<W>>,
}

impl<const W: usize> Logic for Stage<W> {
    #[hdl_gen]
    fn update(&mut self) {
        self.state.clock.next = self.clock.val();
        self.state.d.next = self.data.val();
        self.out.next = self.state.q.val();
    }
}

/// Two equal stages, a different one, and a flip-flop.
#[derive(LogicBlock, Default)]
struct Pair {
    clock: Signal<In, Clock>,
    data: Signal<In, Bits<8>>,
    out: Signal<Out, Bits<8>>,
    flag: Signal<Out, Bit>,
    first: Stage<8>,
    chain: [Stage<8>; 2],
    narrow: Stage<3>,
    seen: DFF<Bit>,
}

impl Logic for Pair {
    #[hdl_gen]
    fn update(&mut self) {
        self.first.clock.next = self.clock.val();
        self.narrow.clock.next = self.clock.val();
        self.seen.clock.next = self.clock.val();
        for i in 0..2 {
            self.chain[i].clock.next = self.clock.val();
        }
        self.first.data.next = self.data.val();
        self.chain[0].data.next = self.first.out.val();
        self.chain[1].data.next = self.chain[0].out.val();
        self.narrow.data.next = self.data.val().get_bits::<3>(0);
        self.seen.d.next = self.narrow.out.val() == bits::<3>(5);
        self.flag.next = self.seen.q.val();
        self.out.next = self.chain[1].out.val();
    }
}

fn pair() -> String {
    let mut block = Pair::default();
    block.connect_all();
    emit(&block, "pair").unwrap()
}

#[test]
fn equal_modules_are_one_and_names_are_legal() {
    let verilog = pair();
    let code: String = verilog.lines().map(|line| line.split("//").next().unwrap_or("")).collect::<Vec<_>>().join("\n");
    assert!(!code.contains('$'), "{verilog}");
    let tokens = text::tokens(&verilog);
    let names: Vec<&str> = text::modules(&tokens).iter().map(|module| module.name).collect();
    assert_eq!(names, ["pair", "pair_chain", "pair_dff_1", "pair_dff_3", "pair_dff_8", "pair_narrow"]);
    assert!(verilog.contains("pair_chain first("), "{verilog}");
    assert!(verilog.starts_with("// pair: 6 modules."));
}

#[test]
fn the_same_block_gives_the_same_text() {
    assert_eq!(pair(), pair());
}

#[test]
fn ports_of_the_top_are_found_with_widths() {
    let port = |name: &str, is_input, width| Port { name: name.to_owned(), is_input, width };
    assert_eq!(
        ports(&pair(), "pair").unwrap(),
        [port("clock", true, 1), port("data", true, 8), port("out", false, 8), port("flag", false, 1)]
    );
    assert!(matches!(ports(&pair(), "pear"), Err(EmitError::NoModule(name)) if name == "pear"));
    let ansi = "module m(input wire clock, input [3:0] a, b, output reg signed [7:0] q); endmodule";
    assert_eq!(
        ports(ansi, "m").unwrap(),
        [port("clock", true, 1), port("a", true, 4), port("b", true, 4), port("q", false, 8)]
    );
    assert!(matches!(ports("module m(input [W-1:0] a); endmodule", "m"), Err(EmitError::PortWidth(_))));
}

#[test]
fn names_that_fall_together_are_refused() {
    let raw = "module top(a);\ninput wire a;\nreg x$y;\nreg x_y;\nalways @(*) begin x$y = a; x_y = a; end\nendmodule // top\n";
    assert!(matches!(tidy(raw, "t"), Err(EmitError::Collision { legal, .. }) if legal == "x_y"));
    // The same port names on different children are no clash.
    let raw = "module top(a);\ninput wire a;\ntop$u u(.x$y(a), .x_y(a));\nendmodule\nmodule top$u(p);\ninput wire p;\nendmodule";
    assert!(tidy(raw, "t").unwrap().contains("t_u u(.x_y(a), .x_y(a))"));
}

#[test]
fn reserved_words_are_refused() {
    for (declaration, word) in [
        ("input wire  reg;", "reg"),
        ("input wire  [3:0] logic;", "logic"),
        ("localparam  priority = 3;", "priority"),
        ("reg bit;", "bit"),
    ] {
        let raw = format!("module top(a);\ninput wire a;\n{declaration}\nendmodule");
        assert!(matches!(tidy(&raw, "t"), Err(EmitError::Reserved { name, .. }) if name == word), "{declaration}");
    }
    let raw = "module top(a,do);\ninput wire a;\nendmodule";
    assert!(matches!(tidy(raw, "t"), Err(EmitError::Reserved { name, .. }) if name == "do"));
    // A reserved word made by joining: `end$module` -> `end_module` is legal, `always$ff` -> `always_ff` is not.
    let raw = "module top(always$ff);\ninput wire always$ff;\nendmodule";
    assert!(matches!(tidy(raw, "t"), Err(EmitError::Reserved { name, .. }) if name == "always_ff"));
}

#[test]
fn a_match_on_a_bit_is_refused() {
    let raw = "module top(c,q);\ninput wire c;\noutput reg q;\nalways @(*) begin case (c) true: begin q = 1'b1; end default: begin q = 1'b0; end endcase end\nendmodule";
    assert!(matches!(tidy(raw, "t"), Err(EmitError::BoolLiteral { .. })));
}

#[test]
fn cores_are_emitted_once_and_must_agree() {
    let core = "module core_add(input wire a, output wire q); assign q = a; endmodule\n";
    let top = "module top(a,q);\ninput wire a;\noutput wire q;\nwire m;\ncore_add u0(.a(a), .q(m));\ncore_add u1(.a(m), .q(q));\nendmodule\n";
    let verilog = tidy(&format!("{top}{core}{core}module unused(a); input a; endmodule\n"), "t").unwrap();
    assert_eq!(verilog.matches("module core_add").count(), 1);
    assert!(!verilog.contains("unused"));
    let other = core.replace("= a", "= !a");
    assert!(
        matches!(tidy(&format!("{top}{core}{other}"), "t"), Err(EmitError::DifferentModules(name)) if name == "core_add")
    );
}

#[test]
fn tokens_are_the_text_again_and_know_numbers_strings_and_comments() {
    let source =
        "a$b <= 32'hdead_beef + 4'b1x?z; // c$d\n/* e$f */ $display(\"g$h \\\" \"); `define X 1\n\\esc$aped  = 'h5;";
    let tokens = text::tokens(source);
    assert_eq!(tokens.iter().map(|token| token.text).collect::<String>(), source);
    let names: Vec<&str> =
        tokens.iter().filter(|token| token.kind == Kind::Identifier).map(|token| token.text).collect();
    assert_eq!(names, ["a$b", "X"]);
}

#[test]
fn an_undriven_signal_is_an_error() {
    #[derive(LogicBlock, Default)]
    struct Open {
        clock: Signal<In, Clock>,
        out: Signal<Out, Bit>,
    }
    impl Logic for Open {
        fn update(&mut self) {}
    }
    let mut block = Open::default();
    block.connect_all();
    assert!(matches!(emit(&block, "open"), Err(EmitError::Check(_))));
}

#[test]
fn a_large_text_is_quick() {
    let mut raw = String::from("module top(a);\ninput wire a;\n");
    for i in 0..3000 {
        raw.push_str(&format!("top$u${i} u${i}(.p$q(a));\n"));
    }
    raw.push_str("endmodule\n");
    let filler = "always @(*) begin x$y = x$z + 32'h1; end\n".repeat(10);
    for i in 0..3000 {
        raw.push_str(&format!(
            "module top$u${i}(p$q);\ninput wire p$q;\nreg x$y; reg [31:0] x$z;\n{filler}endmodule // top$u${i}\n"
        ));
    }
    assert!(raw.len() > 1_000_000);
    let start = std::time::Instant::now();
    let verilog = tidy(&raw, "t").unwrap();
    assert!(start.elapsed().as_secs() < 10, "{:?} for {} bytes", start.elapsed(), raw.len());
    assert_eq!(verilog.matches("endmodule").count(), 2);
}
