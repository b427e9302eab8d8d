//! The Verilog of a program: phase, rows, values, units, results, outputs.

use super::{Given, Program, Source, Start, FIRST_ROW, SPACING};
use crate::datapath::graph::{Graph, Op};
use crate::datapath::verilog::{address_bits, range, sign, Text};
use crate::fp::spaced::parts as spaced_parts;
use crate::fp::FpOperator;
use rayman_model::Kind;

/// Writes a program.
pub fn write(graph: &Graph, program: &Program) -> Text {
    let mut writer = Writer { graph, program, code: String::new() };
    writer.control();
    writer.rows();
    writer.given();
    writer.values();
    writer.simple();
    writer.units();
    writer.results();
    let spaced: Vec<_> = program.units.iter().filter_map(|unit| unit.spaced(SPACING)).collect();
    let parts = (!spaced.is_empty()).then(|| spaced_parts().to_string());
    let pipelined = program.units.iter().filter(|unit| !unit.can_be_spaced()).map(|unit| unit.verilog());
    let cores = pipelined.chain(spaced.into_iter().map(|unit| unit.module)).chain(parts).collect::<Vec<_>>().join("\n");
    Text { code: writer.code, cores }
}

/// Where a row's fields are, lowest first.
struct Field {
    name: &'static str,
    width: u32,
    value: Box<dyn Fn(&super::Row) -> usize>,
}

struct Writer<'a> {
    graph: &'a Graph,
    program: &'a Program,
    code: String,
}

impl Writer<'_> {
    fn line(&mut self, text: impl AsRef<str>) {
        self.code.push_str(text.as_ref());
        self.code.push('\n');
    }

    fn place_bits(&self) -> u32 {
        address_bits(self.program.places as u32)
    }

    fn control(&mut self) {
        let latency = self.program.latency;
        let bits = address_bits(latency);
        self.line(format!(
            "// Datapath {} as a program: a start when the last is done, latency {latency}.",
            self.graph.name
        ));
        self.line(format!(
            "\
reg {range}phase;
reg finished;
wire {range}next_phase = phase + {bits}'d1;
wire idle = phase == {bits}'d0;
wire last_phase = phase == {bits}'d{last};
wire taken = idle & start;
always @(posedge clock)
    if (!reset_n) begin
        phase <= {bits}'d0;
        finished <= 1'b0;
    end else begin
        finished <= last_phase;
        if (idle | last_phase) phase <= taken ? {bits}'d1 : {bits}'d0;
        else phase <= next_phase;
    end
assign ready = idle;
assign done = finished;",
            range = range(bits),
            last = latency - 1,
        ));
    }

    /// The fields of a row: what is read and given, what starts, what is written.
    fn fields(&self) -> Vec<Field> {
        let sources = self.sources();
        let operand_bits = self.operand_bits();
        let field = |name, width, value: Box<dyn Fn(&super::Row) -> usize>| Field { name, width, value };
        let mut fields = vec![
            field(
                "row_a",
                operand_bits,
                Box::new(|row| match row.start {
                    Start::Give(number) => number,
                    _ => row.read[0],
                }),
            ),
            field("row_b", self.place_bits(), Box::new(|row| row.read[1])),
            field(
                "row_simple",
                address_bits(self.program.simple.len().max(1) as u32),
                Box::new(|row| match row.start {
                    Start::Simple(number) => number,
                    _ => 0,
                }),
            ),
            field("row_test", 1, Box::new(|row| usize::from(row.start == Start::Test))),
            field("row_subtract", 1, Box::new(|row| usize::from(matches!(row.start, Start::Unit(_, true))))),
            field("row_put", 1, Box::new(|row| usize::from(row.write.is_some_and(|write| write.place.is_some())))),
            field("row_place", self.place_bits(), Box::new(|row| row.write.and_then(|write| write.place).unwrap_or(0))),
            field(
                "row_source",
                address_bits(sources.len() as u32),
                Box::new(move |row| {
                    let source = row.write.map(|write| write.source);
                    source.and_then(|source| sources.iter().position(|known| *known == source)).unwrap_or(0)
                }),
            ),
            field(
                "row_shown",
                address_bits(self.program.shown.len() as u32 + 1),
                Box::new(|row| row.write.and_then(|write| write.shown).map_or(0, |shown| shown + 1)),
            ),
        ];
        for (operator, name) in [(FpOperator::Div, "row_divide"), (FpOperator::Sqrt, "row_root")] {
            if self.program.units.contains(&operator) {
                let starts = move |row: &super::Row| matches!(row.start, Start::Unit(unit, _) if unit == operator);
                fields.push(field(name, 1, Box::new(move |row| usize::from(starts(row)))));
            }
        }
        fields
    }

    fn rows(&mut self) {
        let fields = self.fields();
        let width: u32 = fields.iter().map(|field| field.width).sum();
        let bits = address_bits(self.program.latency);
        self.line("// Rows, a block memory without a write port.");
        self.line(format!("reg {}fetched;", range(width)));
        self.line("always @(posedge clock)");
        self.line("    case (phase)");
        for (n, row) in self.program.rows.iter().enumerate() {
            let mut digits = String::new();
            for field in fields.iter().rev() {
                digits += &format!("{:0width$b}", (field.value)(row), width = field.width as usize);
            }
            if digits.contains('1') {
                // Fetched by the phase, through two registers.
                let phase = n as u32 + FIRST_ROW - 2;
                self.line(format!("        {bits}'d{phase}: fetched <= {width}'b{digits};"));
            }
        }
        self.line(format!("        default: fetched <= {width}'d0;"));
        self.line("    endcase");
        self.line(format!("reg {}row;", range(width)));
        self.line("always @(posedge clock) row <= fetched;");
        let mut lsb = 0;
        for field in &fields {
            let bits = if field.width == 1 { format!("[{lsb}]") } else { format!("[{}:{lsb}]", lsb + field.width - 1) };
            self.line(format!("wire {}{} = row{bits};", range(field.width), field.name));
            lsb += field.width;
        }
    }

    /// In two steps: the input and the constant of this number, then one of them.
    fn given(&mut self) {
        let bits = self.operand_bits();
        self.line("// Inputs, as they were at the start, and constants.");
        let (mut inputs, mut constants, mut are_inputs) = (Vec::new(), Vec::new(), Vec::new());
        for (n, given) in self.program.given.iter().enumerate() {
            match given {
                Given::Constant(word) => {
                    constants.push(format!("        {bits}'d{n}: given_constant <= 32'h{word:08x};"))
                }
                Given::Input(input) => {
                    let end = self.graph.inputs[*input].clone();
                    let (name, width) = (&end.name, if end.kind == Kind::Flag { 1 } else { 32 });
                    self.line(format!("reg {}{name}_d1;", range(width)));
                    self.line(format!("always @(posedge clock) if (taken) {name}_d1 <= {name};"));
                    let word = if width == 1 { format!("{{31'd0, {name}_d1}}") } else { format!("{name}_d1") };
                    inputs.push(format!("        {bits}'d{n}: given_input <= {word};"));
                    are_inputs.push(format!("{bits}'d{n}"));
                }
            }
        }
        for (name, cases) in [("input", inputs), ("constant", constants)] {
            self.line(format!("reg [31:0] given_{name};"));
            self.line("always @(posedge clock)\n    case (row_a)");
            cases.iter().for_each(|case| self.line(case));
            self.line(format!("        default: given_{name} <= 32'd0;\n    endcase"));
        }
        self.line("reg is_input;\nalways @(posedge clock)\n    case (row_a)");
        self.line(format!("        {}: is_input <= 1'b1;", are_inputs.join(", ")));
        self.line("        default: is_input <= 1'b0;\n    endcase");
        self.line("reg [31:0] given;\nalways @(posedge clock) given <= is_input ? given_input : given_constant;");
    }

    /// Bits of the field that addresses the first operand, or what is given.
    fn operand_bits(&self) -> u32 {
        self.place_bits().max(address_bits(self.program.given.len() as u32))
    }

    fn values(&mut self) {
        let bits = self.place_bits();
        let a = match address_bits(self.program.given.len() as u32) > bits {
            true => format!("row_a[{}:0]", bits - 1),
            false => "row_a".to_string(),
        };
        self.line(
            "// Values, once for each operand: a memory has one port to read. What is being written is not read.",
        );
        self.line(format!(
            "\
reg put;
reg {range}put_place;
reg [31:0] result;
reg subtract_1;
reg subtract_2;",
            range = range(bits),
        ));
        for (letter, address) in [("a", a.as_str()), ("b", "row_b")] {
            self.line(format!(
                "\
(* ram_style = \"block\", no_rw_check *) reg [31:0] values_{letter} [0:{last}];
reg [31:0] fetched_{letter};
reg [31:0] read_{letter};
reg [31:0] operand_{letter};
always @(posedge clock) begin
    fetched_{letter} <= (put && put_place == {address}) ? 32'bx : values_{letter}[{address}];
    if (put) values_{letter}[put_place] <= result;
end",
                last = (1u64 << bits) - 1,
            ));
        }
        self.line(
            "\
always @(posedge clock) begin
    subtract_1 <= row_subtract;
    subtract_2 <= subtract_1;
    read_a <= fetched_a;
    read_b <= fetched_b;
    operand_a <= read_a;
    operand_b <= {read_b[31] ^ subtract_2, read_b[30:0]};
end",
        );
    }

    fn simple(&mut self) {
        let bits = address_bits(self.program.simple.len().max(1) as u32);
        self.line("// Simple operations; the condition of a choice is read a row before.");
        for name in ["test", "simple"] {
            let width = if name == "test" { 1 } else { bits };
            self.line(format!(
                "\
reg {range}{name}_1;
reg {range}{name}_2;
reg {range}{name}_3;
always @(posedge clock) begin
    {name}_1 <= row_{name};
    {name}_2 <= {name}_1;
    {name}_3 <= {name}_2;
end",
                range = range(width),
            ));
        }
        self.line("reg choice_condition;");
        self.line("always @(posedge clock) if (test_3) choice_condition <= operand_a[0];");
        self.line("reg [31:0] simple;");
        self.line("always @(posedge clock)");
        self.line("    case (simple_3)");
        for (n, (op, canonical)) in self.program.simple.iter().enumerate() {
            self.line(format!("        {bits}'d{n}: simple <= {};", simple(*op, *canonical)));
        }
        self.line("        default: simple <= 32'd0;");
        self.line("    endcase");
    }

    fn units(&mut self) {
        self.line("// Operators.");
        for unit in self.program.units.clone() {
            let name = unit.module_name();
            self.line(format!("wire {}{name}_q;", range(unit.result_bits() as u32)));
            let operands = if unit.arity() == 2 { ".a(operand_a), .b(operand_b)" } else { ".a(operand_a)" };
            let Some(spaced) = unit.spaced(SPACING) else {
                self.line(format!("{name} {name}_unit (.clock(clock), {operands}, .q({name}_q));"));
                continue;
            };
            let row = if unit == FpOperator::Div { "row_divide" } else { "row_root" };
            self.line(format!(
                "\
reg {name}_first_1;
reg {name}_first_2;
reg {name}_first_3;
always @(posedge clock) begin
    {name}_first_1 <= {row};
    {name}_first_2 <= {name}_first_1;
    {name}_first_3 <= {name}_first_2;
end
{module} {name}_unit (.clock(clock), .first({name}_first_3), {operands}, .q({name}_q));",
                module = spaced.module_name,
            ));
        }
    }

    /// What the result register chooses from.
    fn sources(&self) -> Vec<Source> {
        let units = self.program.units.iter().map(|unit| Source::Unit(*unit));
        [Source::Given, Source::Simple].into_iter().chain(units).collect()
    }

    fn results(&mut self) {
        let sources = self.sources();
        let bits = address_bits(sources.len() as u32);
        let shown_bits = address_bits(self.program.shown.len() as u32 + 1);
        self.line("// Results.");
        self.line(format!("reg {}put_shown;", range(shown_bits)));
        self.line("always @(posedge clock) begin");
        self.line("    put <= row_put;");
        self.line("    put_place <= row_place;");
        self.line("    put_shown <= row_shown;");
        self.line("    case (row_source)");
        for (n, source) in sources.iter().enumerate() {
            let value = match source {
                Source::Given => "given".to_string(),
                Source::Simple => "simple".to_string(),
                Source::Unit(unit) if unit.result_bits() == 1 => format!("{{31'd0, {}_q}}", unit.module_name()),
                Source::Unit(unit) => format!("{}_q", unit.module_name()),
            };
            self.line(format!("        {bits}'d{n}: result <= {value};"));
        }
        self.line("        default: result <= 32'd0;");
        self.line("    endcase");
        self.line("end");
        self.line("// Outputs.");
        for (n, node) in self.program.shown.iter().enumerate() {
            let width = self.graph.nodes[*node].width;
            let part = if width == 32 { String::new() } else { format!("[{}:0]", width - 1) };
            self.line(format!("reg {}shown_{n};", range(width)));
            self.line(format!(
                "always @(posedge clock) if (put_shown == {shown_bits}'d{}) shown_{n} <= result{part};",
                n + 1
            ));
        }
        for end in self.graph.outputs.clone() {
            let n = self.program.shown.iter().position(|node| *node == end.node).expect("every output is shown");
            let own = self.graph.nodes[end.node].width;
            let width = if end.kind == Kind::Flag { 1 } else { 32 };
            let value = match width - own {
                0 => format!("shown_{n}"),
                more => format!("{{{more}'d0, shown_{n}}}"),
            };
            self.line(format!("assign {} = {value};", end.name));
        }
    }
}

/// A simple operation on `operand_a`, `operand_b` and `choice_condition`, 32 bits; of flags bit 0.
fn simple(op: Op, canonical: bool) -> String {
    match op {
        Op::Neg | Op::Abs => sign(op, "operand_a", canonical),
        Op::Select => "choice_condition ? operand_a : operand_b".into(),
        Op::And => "{31'd0, operand_a[0] & operand_b[0]}".into(),
        Op::Or => "{31'd0, operand_a[0] | operand_b[0]}".into(),
        Op::Not => "{31'd0, !operand_a[0]}".into(),
        Op::Field { lsb: 0, width: 32 } => "operand_a".into(),
        Op::Field { lsb, width } => format!("{{{}'d0, operand_a[{}:{lsb}]}}", 32 - width, lsb + width - 1),
        Op::Concat { low } => format!("{{operand_b[{}:0], operand_a[{}:0]}}", 31 - low, low - 1),
        Op::Input(_) | Op::Constant(_) | Op::Operator(_) | Op::Scale { .. } => {
            unreachable!("{op:?} is given, or computed by a unit")
        }
    }
}
