//! The Verilog of a scheduled graph: the body of the datapath's module, and the modules that it instantiates.
//!
//! ```text
//!  inputs -> [ wiring, choices ] -> operators -> ... -> outputs
//!               |        ^             ^
//!               v        |             | operand multiplexers, memories and registers, by phase (interval > 1)
//!            delays: registers; from 4 stages on `delay_line`s, those of one length and phase side by side in one
//! ```
//!
//! At interval 1 each delay moves in every clock. At interval N a value's delay moves once in N clocks, in the phase in
//! which the value is on its wire. Only the valid bits, the phases and the delay lines' addresses have a reset: data has
//! none, since what is valid says which data mean something.
//!
//! A phase decoded in one place would have thousands of readers and bound the clock. So it is kept in many copies, each
//! computed from itself alone (equal registers with equal inputs synthesis makes one of again): a counter for each shared
//! unit's multiplexers, and rings of a bit a phase for the delays.

use super::binding::unit_of;
use super::graph::{Graph, NodeId, Op};
use super::schedule::{split_delay, Operation, Schedule, Unit, DEEP_LINE_BITS, DEEP_LINE_STAGES};
use crate::fp::spaced::parts as spaced_parts;
use crate::fp::FpOperator;
use rayman_model::Kind;
use std::collections::{BTreeMap, BTreeSet};

mod memories;

/// A delay of four stages or more, as a small memory whose one address goes round. What comes in while `enable` is high
/// is at `q` after `STAGES` such clocks.
const DELAY_LINE: &str = "\
module delay_line (clock, reset_n, enable, d, q);
    parameter WIDTH = 32;
    parameter STAGES = 4;
    parameter ADDRESS = 2;
    parameter [ADDRESS-1:0] LAST = 2'd2;
    input wire clock;
    input wire reset_n;
    input wire enable;
    input wire [WIDTH-1:0] d;
    output reg [WIDTH-1:0] q;
    // One stage is q.
    (* ram_style = \"distributed\" *) reg [WIDTH-1:0] memory [0:STAGES-2];
    reg [ADDRESS-1:0] at;
    wire [ADDRESS-1:0] next = at + {{(ADDRESS-1){1'b0}}, 1'b1};
    always @(posedge clock) begin
        if (!reset_n) at <= {ADDRESS{1'b0}};
        else if (enable) at <= (at == LAST) ? {ADDRESS{1'b0}} : next;
        if (enable) begin
            q <= memory[at];
            memory[at] <= d;
        end
    end
endmodule
";

/// The same in a block memory, which does not promise what a read of the word being written gives: it is read one word
/// ahead. Synthesis would make up for that with two registers and a multiplexer a bit. Two stages are registers, the first of
/// which is where a block memory's word comes out, and the second may be the memory's own.
const DEEP_DELAY_LINE: &str = "\
module deep_delay_line (clock, reset_n, enable, d, q);
    parameter WIDTH = 32;
    parameter STAGES = 4;
    parameter ADDRESS = 2;
    parameter [ADDRESS-1:0] LAST = 2'd2;
    input wire clock;
    input wire reset_n;
    input wire enable;
    input wire [WIDTH-1:0] d;
    output reg [WIDTH-1:0] q;
    reg [WIDTH-1:0] read;
    (* ram_style = \"block\", no_rw_check *) reg [WIDTH-1:0] memory [0:STAGES-2];
    reg [ADDRESS-1:0] at;
    wire [ADDRESS-1:0] one_more = at + {{(ADDRESS-1){1'b0}}, 1'b1};
    wire [ADDRESS-1:0] next = (at == LAST) ? {ADDRESS{1'b0}} : one_more;
    always @(posedge clock) begin
        if (!reset_n) at <= {ADDRESS{1'b0}};
        else if (enable) at <= next;
        if (enable) begin
            read <= memory[next];
            q <= read;
            memory[at] <= d;
        end
    end
endmodule
";

/// Up to this interval the delays' phases are rings; above it a bit a phase would cost more than it saves.
const LONGEST_RING: u32 = 16;
/// Bits of delays that one copy of a phase moves.
const RING_FAN_OUT: u32 = 256;

/// The copies of the phase: which clock of an interval it is, 0 to `interval - 1`, since the reset.
fn phase_modules(interval: u32) -> String {
    let bits = address_bits(interval);
    let counter = format!(
        "\
module phase_counter_{interval} (clock, reset_n, phase);
    input wire clock;
    input wire reset_n;
    output reg {range}phase;
    wire {range}next = phase + {bits}'d1;
    always @(posedge clock)
        if (!reset_n) phase <= {bits}'d0;
        else phase <= (phase == {bits}'d{last}) ? {bits}'d0 : next;
endmodule
",
        range = range(bits),
        last = interval - 1,
    );
    if interval > LONGEST_RING {
        return counter;
    }
    format!(
        "\
{counter}
module phase_ring_{interval} (clock, reset_n, at);
    input wire clock;
    input wire reset_n;
    output reg [{last}:0] at;
    always @(posedge clock)
        if (!reset_n) at <= {interval}'d1;
        else at <= {{at[{before}:0], at[{last}]}};
endmodule
",
        last = interval - 1,
        before = interval - 2,
    )
}

/// A product with a power of two: a sum in the exponent, and what the multiplier does at both ends of it.
pub const SCALE: &str = "\
module scale (a, q);
    // What the exponent grows by.
    parameter [7:0] ADD = 8'd0;
    // Up to this exponent the product is a zero.
    parameter [7:0] LEAST = 8'd0;
    // From this exponent on it is infinite.
    parameter [7:0] GREATEST = 8'd255;
    // A NaN is the one NaN.
    parameter CANONICAL = 1'b0;
    input wire [31:0] a;
    output wire [31:0] q;
    wire [7:0] exponent = a[30:23];
    wire [7:0] moved = exponent + ADD;
    wire zero = exponent <= LEAST;
    wire infinite = exponent >= GREATEST;
    wire special = &exponent;
    wire [7:0] clipped = zero ? 8'd0 : infinite ? 8'd255 : moved;
    wire [22:0] fraction = (zero | (infinite & !special)) ? 23'd0 : a[22:0];
    assign q = (!CANONICAL & special & |a[22:0]) ? 32'h7fc00000 : {a[31], clipped, fraction};
endmodule
";

/// The parameters of [`SCALE`] for a product with `2^exponent`, exponent -126 to 127.
pub fn scale_parameters(exponent: i32, canonical: bool) -> String {
    format!(
        ".ADD(8'h{:02x}), .LEAST(8'd{}), .GREATEST(8'd{}), .CANONICAL(1'b{})",
        exponent as u8,
        (-exponent).max(0),
        255 - exponent.max(0),
        u8::from(canonical),
    )
}

/// The two texts of a `Verilog::Wrapper`.
pub struct Text {
    /// Inside the module.
    pub code: String,
    /// The modules it uses.
    pub cores: String,
}

/// A delay's register: what it takes over, and its bits.
struct Move {
    text: String,
    width: u32,
}

/// Registers that move in one phase, in runs of about so many bits.
fn by_fan_out(moves: &[Move], fan_out: u32) -> impl Iterator<Item = &[Move]> {
    let mut bits = 0;
    moves.chunk_by(move |before, _| {
        bits += before.width;
        let more = bits < fan_out;
        bits = if more { bits } else { 0 };
        more
    })
}

/// A delay that is a memory.
struct Line {
    source: String,
    result: String,
    width: u32,
}

/// Lines side by side are a block memory: too long for a distributed one, and wide enough to be worth it.
fn is_block(stages: u32, lines: &[Line]) -> bool {
    stages >= DEEP_LINE_STAGES && lines.iter().map(|line| line.width).sum::<u32>() >= DEEP_LINE_BITS
}

/// Bits needed for `0..count`.
pub(super) fn address_bits(count: u32) -> u32 {
    (u32::BITS - (count - 1).leading_zeros()).max(1)
}

/// `[31:0] ` or nothing for one bit.
pub(super) fn range(width: u32) -> String {
    if width == 1 {
        String::new()
    } else {
        format!("[{}:0] ", width - 1)
    }
}

/// How many stages of a value are read: each value's delays, as the numbers of their taps.
pub fn taps(graph: &Graph, schedule: &Schedule) -> BTreeMap<NodeId, BTreeSet<u32>> {
    let mut taps: BTreeMap<NodeId, BTreeSet<u32>> = BTreeMap::new();
    let mut read = |node: NodeId, at: u32| {
        if !matches!(graph.nodes[node].op, Op::Constant(_)) {
            let stages = schedule.stages(node, at);
            if stages > 0 {
                taps.entry(node).or_default().insert(stages);
            }
        }
    };
    for (id, node) in graph.nodes.iter().enumerate() {
        node.args().iter().enumerate().for_each(|(n, arg)| read(*arg, schedule.reads(id, n)));
    }
    graph.outputs.iter().for_each(|end| read(end.node, schedule.latency));
    taps
}

/// Writes a datapath.
pub fn write(graph: &Graph, schedule: &Schedule) -> Text {
    Writer::new(graph, schedule).text()
}

/// The instances of the schedule's units, as the Verilog names them.
pub fn unit_names(graph: &Graph, schedule: &Schedule) -> Vec<String> {
    let writer = Writer::new(graph, schedule);
    (0..schedule.units.len()).map(|n| writer.unit_name(n)).collect()
}

struct Writer<'a> {
    graph: &'a Graph,
    schedule: &'a Schedule,
    unit_of: Vec<usize>,
    code: String,
}

impl<'a> Writer<'a> {
    fn new(graph: &'a Graph, schedule: &'a Schedule) -> Self {
        Self { graph, schedule, unit_of: unit_of(graph, &schedule.units), code: String::new() }
    }

    fn line(&mut self, text: impl AsRef<str>) {
        self.code.push_str(text.as_ref());
        self.code.push('\n');
    }

    fn name(&self, node: NodeId) -> String {
        let suffix = match self.graph.nodes[node].op {
            Op::Input(n) => return self.graph.inputs[n].name.clone(),
            Op::Constant(bits) => return format!("{}'h{bits:x}", self.graph.nodes[node].width),
            Op::Operator(operator) => operator.module_name(),
            Op::Neg => "neg",
            Op::Abs => "abs",
            Op::Scale { .. } => "scale",
            Op::Select => "select",
            Op::And => "and",
            Op::Or => "or",
            Op::Not => "not",
            Op::Field { .. } => "field",
            Op::Concat { .. } => "pack",
        };
        format!("n{node}_{suffix}")
    }

    /// The value of a node as read in clock `at`, of the node's own width. What comes off a shared unit has the unit's name: to a
    /// multiplexer the unit's results are one source.
    fn value(&self, node: NodeId, at: u32) -> String {
        let name = self.name(node);
        match self.graph.nodes[node].op {
            Op::Constant(_) => name,
            op => match self.schedule.stages(node, at) {
                0 if matches!(op, Op::Operator(_)) && self.schedule.interval > 1 => {
                    format!("{}_q", self.unit_name(self.unit_of[node]))
                }
                0 => name,
                stages => format!("{name}_d{stages}"),
            },
        }
    }

    /// The same, `width` bits of it: above its own are zeros.
    fn resized(&self, node: NodeId, at: u32, width: u32) -> String {
        let own = self.graph.nodes[node].width;
        let value = self.value(node, at);
        match (self.graph.nodes[node].op, own.cmp(&width)) {
            (Op::Constant(bits), _) => format!("{width}'h{:x}", bits & (u32::MAX >> (32 - width))),
            (_, std::cmp::Ordering::Equal) => value,
            (_, std::cmp::Ordering::Less) => format!("{{{}'b0, {value}}}", width - own),
            (_, std::cmp::Ordering::Greater) => format!("{value}[{}:0]", width - 1),
        }
    }

    fn text(mut self) -> Text {
        let (interval, latency) = (self.schedule.interval, self.schedule.latency);
        self.unit_results();
        let taps = taps(self.graph, self.schedule);
        let mut moves: BTreeMap<u32, Vec<Move>> = BTreeMap::new();
        let mut lines: BTreeMap<(u32, u32), Vec<Line>> = BTreeMap::new();
        for id in 0..self.graph.nodes.len() {
            self.node(id);
            if let Some(taps) = taps.get(&id) {
                self.delays(id, taps, &mut moves, &mut lines);
            }
        }
        self.line("// Delays.");
        let mut rings = 1;
        for (phase, moves) in &moves {
            // Without rings there is no phase, or one counter for all.
            let fan_out = if self.has_rings() { RING_FAN_OUT } else { u32::MAX };
            for (ring, moves) in by_fan_out(moves, fan_out).enumerate() {
                rings = rings.max(ring + 1);
                let condition =
                    if interval == 1 { String::new() } else { format!("if ({}) ", self.in_phase(ring, *phase)) };
                self.line(format!("always @(posedge clock) {condition}begin"));
                moves.iter().for_each(|Move { text, .. }| self.line(format!("    {text}")));
                self.line("end");
            }
        }
        for (n, ((phase, stages), lines)) in lines.iter().enumerate() {
            self.delay_line(n % rings, *phase, *stages, lines);
        }
        self.line("// Operators.");
        for n in 0..self.schedule.units.len() {
            self.unit(n);
        }
        self.line("// Outputs.");
        for end in self.graph.outputs.clone() {
            let width = if end.kind == Kind::Flag { 1 } else { 32 };
            let value = self.resized(end.node, latency, width);
            self.line(format!("assign {} = {value};", end.name));
        }
        let body = std::mem::take(&mut self.code);
        self.line(format!("// Datapath {}: a start every {interval} clocks, latency {latency}.", self.graph.name));
        self.control(rings);
        self.round();
        self.code.push_str(&body);
        let used: BTreeSet<_> = self.schedule.units.iter().map(|unit| (unit.operator, unit.every)).collect();
        let spaced = used.iter().filter_map(|(operator, every)| operator.spaced(*every));
        let parts = used.iter().any(|(operator, every)| operator.spaced(*every).is_some()).then(spaced_parts);
        let cores = used.iter().filter(|(operator, every)| operator.spaced(*every).is_none());
        let cores = cores.map(|(operator, _)| operator.verilog()).chain(spaced.map(|unit| unit.module));
        let mut cores: String = cores.chain(parts.map(String::from)).collect::<Vec<_>>().join("\n");
        for (block, text) in [(false, DELAY_LINE), (true, DEEP_DELAY_LINE)] {
            if lines.iter().any(|((_, stages), lines)| is_block(*stages, lines) == block) {
                cores.push('\n');
                cores.push_str(text);
            }
        }
        if self.graph.nodes.iter().any(|node| matches!(node.op, Op::Scale { .. })) {
            cores.push('\n');
            cores.push_str(SCALE);
        }
        if self.has_memories() {
            cores.push('\n');
            cores.push_str(memories::OPERAND_MEMORY);
        }
        if interval > 1 {
            cores.push('\n');
            cores.push_str(&phase_modules(interval));
        }
        Text { code: self.code, cores }
    }

    /// The delays' phases are rings.
    fn has_rings(&self) -> bool {
        (2..=LONGEST_RING).contains(&self.schedule.interval)
    }

    /// It is this phase, by a copy of it for delays.
    fn in_phase(&self, ring: usize, phase: u32) -> String {
        match self.has_rings() {
            true => format!("at_{ring}[{phase}]"),
            false => format!("phase == {}'d{phase}", address_bits(self.schedule.interval)),
        }
    }

    /// Valid bits, phases, ready and done.
    fn control(&mut self, rings: usize) {
        let (interval, latency) = (self.schedule.interval, self.schedule.latency);
        let shifted = |bits: u32| match bits {
            1 => "start".to_string(),
            _ => format!("{{valid[{}:0], start}}", bits - 2),
        };
        let top = |bits: u32| if bits == 1 { String::new() } else { format!("[{}]", bits - 1) };
        if interval == 1 {
            self.line(format!("reg {}valid;", range(latency)));
            self.line("always @(posedge clock)");
            self.line(format!("    if (!reset_n) valid <= {latency}'b0;"));
            self.line(format!("    else valid <= {};", shifted(latency)));
            self.line("assign ready = 1'b1;");
            self.line(format!("assign done = valid{};", top(latency)));
            return;
        }
        // valid[j] belongs to the computation that was started j * interval + 1 to (j + 1) * interval clocks ago.
        let bits = (latency - 1) / interval + 1;
        let first = self.in_phase(0, 0);
        let before_done = self.in_phase(0, (latency - 1) % interval);
        let valid_before_done = if bits == 1 { String::new() } else { format!("[{}]", (latency - 2) / interval) };
        self.line(format!("reg {}valid;", range(bits)));
        self.line("reg finished;");
        match self.has_rings() {
            true => (0..rings).for_each(|ring| self.copy("phase_ring", "at", interval, &format!("at_{ring}"))),
            false => self.copy("phase_counter", "phase", address_bits(interval), "phase"),
        }
        for n in 0..self.schedule.units.len() {
            // Its operands depend on the phase, or their addresses do.
            let unit = &self.schedule.units[n];
            if unit.operations.len() > 1 || self.schedule.has_memories(unit) {
                self.copy("phase_counter", "phase", address_bits(interval), &format!("{}_phase", self.unit_name(n)));
            }
        }
        self.line("always @(posedge clock)");
        self.line("    if (!reset_n) begin");
        self.line(format!("        valid <= {bits}'b0;"));
        self.line("        finished <= 1'b0;");
        self.line("    end else begin");
        self.line(format!("        finished <= valid{valid_before_done} && {before_done};"));
        self.line(format!("        if ({first}) valid <= {};", shifted(bits)));
        self.line("    end");
        self.line(format!("assign ready = {first};"));
        self.line("assign done = finished;");
    }

    /// An instance of a copy of the phase, and the wires of its name.
    fn copy(&mut self, module: &str, port: &str, width: u32, name: &str) {
        self.line(format!("wire {}{name};", range(width)));
        let interval = self.schedule.interval;
        self.line(format!("{module}_{interval} {name}_copy (.clock(clock), .reset_n(reset_n), .{port}({name}));"));
    }

    fn unit_name(&self, n: usize) -> String {
        match self.schedule.interval {
            1 => format!("{}_unit", self.name(self.schedule.units[n].operations[0].node)),
            _ => {
                let operator = self.schedule.units[n].operator;
                let before = self.schedule.units[..n].iter().filter(|unit| unit.operator == operator).count();
                format!("{}_{before}", operator.module_name())
            }
        }
    }

    /// The wires on which shared units answer.
    fn unit_results(&mut self) {
        if self.schedule.interval == 1 {
            return;
        }
        for n in 0..self.schedule.units.len() {
            let width = self.graph.nodes[self.schedule.units[n].operations[0].node].width;
            let name = self.unit_name(n);
            self.line(format!("wire {}{name}_q;", range(width)));
        }
    }

    /// Declares a node's wire, and computes it if it is a small operation.
    fn node(&mut self, id: NodeId) {
        let node = self.graph.nodes[id];
        let at = self.schedule.issue[id];
        let arg = |n: usize| self.value(node.args()[n], at);
        let value = match node.op {
            Op::Input(_) | Op::Constant(_) => return,
            Op::Operator(_) => match self.schedule.interval {
                1 => None,
                _ => Some(format!("{}_q", self.unit_name(self.unit_of[id]))),
            },
            Op::Select => {
                let [yes, no] = [1, 2].map(|n| self.resized(node.args()[n], at, node.width));
                Some(format!("{} ? {yes} : {no}", arg(0)))
            }
            Op::And => Some(format!("{} & {}", arg(0), arg(1))),
            Op::Or => Some(format!("{} | {}", arg(0), arg(1))),
            Op::Not => Some(format!("!{}", arg(0))),
            Op::Field { lsb, width } => {
                let whole = width == self.graph.nodes[node.args()[0]].width;
                let bits = if width == 1 { format!("[{lsb}]") } else { format!("[{}:{lsb}]", lsb + width - 1) };
                Some(format!("{}{}", arg(0), if whole { String::new() } else { bits }))
            }
            Op::Concat { low } => {
                let high = self.resized(node.args()[1], at, node.width - low);
                Some(format!("{{{high}, {}}}", self.resized(node.args()[0], at, low)))
            }
            Op::Neg | Op::Abs => Some(sign(node.op, &arg(0), self.graph.nodes[node.args()[0]].canonical)),
            Op::Scale { .. } => None,
        };
        let name = self.name(id);
        let value = value.map(|value| format!(" = {value}")).unwrap_or_default();
        self.line(format!("wire {}{name}{value};", range(node.width)));
        if let Op::Scale { exponent } = node.op {
            let parameters = scale_parameters(exponent, self.graph.nodes[node.args()[0]].canonical);
            self.line(format!(
                "scale #({parameters}) {name}_unit (.a({}), .q({name}));",
                self.value(node.args()[0], at)
            ));
        }
    }

    /// Declares the delays of a value and notes how they move.
    fn delays(
        &mut self,
        id: NodeId,
        taps: &BTreeSet<u32>,
        moves: &mut BTreeMap<u32, Vec<Move>>,
        lines: &mut BTreeMap<(u32, u32), Vec<Line>>,
    ) {
        let width = self.graph.nodes[id].width;
        let phase = self.schedule.phase(self.schedule.ready[id]);
        let name = self.name(id);
        let stage = |n: u32| if n == 0 { name.clone() } else { format!("{name}_d{n}") };
        let mut from = 0;
        for tap in taps {
            let (line, _) = split_delay(tap - from);
            if line > 0 {
                self.line(format!("wire {}{};", range(width), stage(from + line)));
                lines.entry((phase, line)).or_default().push(Line {
                    source: stage(from),
                    result: stage(from + line),
                    width,
                });
            }
            for n in from + line..*tap {
                self.line(format!("reg {}{};", range(width), stage(n + 1)));
                let text = format!("{} <= {};", stage(n + 1), stage(n));
                moves.entry(phase).or_default().push(Move { text, width });
            }
            from = *tap;
        }
    }

    fn delay_line(&mut self, ring: usize, phase: u32, stages: u32, lines: &[Line]) {
        let width: u32 = lines.iter().map(|line| line.width).sum();
        let (name, enable) = match self.schedule.interval {
            1 => (format!("line_{stages}"), "1'b1".to_string()),
            _ => (format!("line_{stages}_phase_{phase}"), self.in_phase(ring, phase)),
        };
        // One stage is the output register; a block memory has another one, and is read one word ahead.
        let words = stages - 1;
        let module = if is_block(stages, lines) { "deep_delay_line" } else { "delay_line" };
        let address = address_bits(words);
        let join = |of: fn(&Line) -> &str| lines.iter().map(of).collect::<Vec<_>>().join(", ");
        self.line(format!(
            "{module} #(.WIDTH({width}), .STAGES({stages}), .ADDRESS({address}), .LAST({address}'d{})) {name} (",
            words - 1
        ));
        self.line(format!("    .clock(clock), .reset_n(reset_n), .enable({enable}),"));
        self.line(format!("    .d({{{}}}),", join(|line| &line.source)));
        self.line(format!("    .q({{{}}}));", join(|line| &line.result)));
    }

    /// An operand as the unit takes it: 32 bits, a difference's second one with its sign turned where the unit adds.
    fn operand(&self, unit: &Unit, operation: Operation, n: usize) -> String {
        let node = &self.graph.nodes[operation.node];
        let n = operation.argument(n);
        let at = self.schedule.issue[operation.node];
        let arg = node.args()[n];
        let turned = unit.operator == FpOperator::Add && node.op == Op::Operator(FpOperator::Sub) && n == 1;
        match (turned, self.graph.nodes[arg].op) {
            (false, _) => self.resized(arg, at, 32),
            (true, Op::Constant(bits)) => format!("32'h{:x}", bits ^ 0x8000_0000),
            (true, _) => {
                let value = self.value(arg, at);
                format!("{{!{value}[31], {value}[30:0]}}")
            }
        }
    }

    fn unit(&mut self, n: usize) {
        let unit = self.schedule.units[n].clone();
        let name = self.unit_name(n);
        let result = match self.schedule.interval {
            1 => self.name(unit.operations[0].node),
            _ => format!("{name}_q"),
        };
        let mut ports = Vec::new();
        for port in 0..unit.operator.arity() {
            let letter = ['a', 'b'][port];
            let operand = if self.schedule.has_memories(&unit) {
                self.memory(&unit, &name, letter, port)
            } else if self.schedule.has_operand_register(&unit) || unit.operations.len() > 1 {
                self.multiplexer(&unit, &name, letter, port)
            } else {
                self.operand(&unit, unit.operations[0], port)
            };
            ports.push(format!(".{letter}({operand})"));
        }
        let module = match unit.operator.spaced(unit.every) {
            None => unit.operator.module_name().to_string(),
            Some(spaced) => {
                ports.insert(0, format!(".first({})", self.takes_operands(&unit)));
                spaced.module_name
            }
        };
        self.line(format!("{module} {name} (.clock(clock), {}, .q({result}));", ports.join(", ")));
    }

    /// The phases in which a unit with spaced operands has them on its ports.
    fn takes_operands(&self, unit: &Unit) -> String {
        let at = self.schedule.issue[unit.operations[0].node] + u32::from(self.schedule.has_operand_register(unit));
        let phases = (0..self.schedule.interval).filter(|phase| phase % unit.every == at % unit.every);
        phases.map(|phase| self.in_phase(0, phase)).collect::<Vec<_>>().join(" || ")
    }

    /// A multiplexer, with a register behind it unless the operator begins with one. What it chooses is in a register too,
    /// written a clock ahead: no phase is decoded in front of 32 choices. In phases without an operation it may give anything.
    fn multiplexer(&mut self, unit: &Unit, unit_name: &str, letter: char, port: usize) -> String {
        let name = format!("{unit_name}_{letter}");
        let mut sources: Vec<String> = Vec::new();
        // In each phase, the source.
        let mut choices: Vec<Option<usize>> = vec![None; self.schedule.interval as usize];
        for operation in &unit.operations {
            let source = self.operand(unit, *operation, port);
            let choice = sources.iter().position(|known| *known == source).unwrap_or_else(|| {
                sources.push(source);
                sources.len() - 1
            });
            choices[self.schedule.phase(self.schedule.issue[operation.node]) as usize] = Some(choice);
        }
        let (when, becomes) =
            if self.schedule.has_operand_register(unit) { ("posedge clock", "<=") } else { ("*", "=") };
        let mut chosen = sources[0].clone();
        if sources.len() > 1 {
            let chooser = format!("{name}_choice");
            self.chooser(&chooser, &format!("{unit_name}_phase"), sources.len(), &choices);
            chosen = choice(&sources, &chooser, 32);
        }
        self.line(format!("reg [31:0] {name};"));
        self.line(format!("always @({when}) {name} {becomes} {chosen};"));
        name
    }

    /// A register that says in each phase which of `sources` sources is chosen, a bit each; of two, one bit that chooses the
    /// second.
    fn chooser(&mut self, name: &str, phase: &str, sources: usize, choices: &[Option<usize>]) {
        let bits = address_bits(self.schedule.interval);
        let width = if sources == 2 { 1 } else { sources };
        let of = |phase: usize| match choices[phase % choices.len()] {
            Some(source) if sources == 2 => format!("1'd{source}"),
            Some(source) => format!("{width}'b{:0width$b}", 1u128 << source),
            None => format!("{width}'d0"),
        };
        self.line(format!("reg {}{name};", range(width as u32)));
        self.line("always @(posedge clock)");
        self.line(format!("    if (!reset_n) {name} <= {};", of(0)));
        self.line(format!("    else case ({phase})"));
        for now in 0..choices.len() - 1 {
            self.line(format!("        {bits}'d{now}: {name} <= {};", of(now + 1)));
        }
        self.line(format!("        default: {name} <= {};", of(0)));
        self.line("    endcase");
    }
}

/// The sign of `a` turned (`Neg`) or cleared (`Abs`). A NaN becomes the one NaN, whose sign is clear; `canonical`: `a` is no
/// other NaN.
pub(super) fn sign(op: Op, a: &str, canonical: bool) -> String {
    let sign = if op == Op::Neg { format!("!{a}[31]") } else { "1'b0".into() };
    if !canonical {
        return format!("(&{a}[30:23] & |{a}[22:0]) ? 32'h7fc00000 : {{{sign}, {a}[30:0]}}");
    }
    match op {
        Op::Neg => format!("{{{sign} & !(&{a}[30:22]), {a}[30:0]}}"),
        _ => format!("{{{sign}, {a}[30:0]}}"),
    }
}

/// The one of `sources` whose bit `chooser` has, in four-input tables about two thirds of one a source and bit; a tree of
/// choices would be one. Of two, the chooser's one bit chooses.
fn choice(sources: &[String], chooser: &str, width: u32) -> String {
    if let [first, second] = sources {
        return format!("{chooser} ? {second} : {first}");
    }
    let gated = sources.iter().enumerate().map(|(n, source)| format!("({{{width}{{{chooser}[{n}]}}}} & {source})"));
    gated.collect::<Vec<_>>().join(" | ")
}
