//! The Verilog of [operand memories](crate::datapath::memories).

use super::{address_bits, choice, range, Writer};
use crate::datapath::graph::Op;
use crate::datapath::memories::{is_preset, presets, read_at, rounds, rows};
use crate::datapath::schedule::Unit;
use crate::fp::FpOperator;

/// A memory for an operand: written in every clock of a phase, never read where it is being written. Constants outlast the
/// time before the first reset, in which the row to write may be any.
pub const OPERAND_MEMORY: &str = "\
module operand_memory (clock, to, d, from, q);
    parameter WIDTH = 32;
    // An address is a round and a row in it.
    parameter ROUND = 5;
    parameter ROW = 4;
    // Constants, and the row of the lowest.
    parameter CONSTANTS = 1;
    parameter FIRST = 15;
    parameter [CONSTANTS*WIDTH-1:0] VALUES = 32'd0;
    input wire clock;
    input wire [ROUND+ROW-1:0] to;
    input wire [WIDTH-1:0] d;
    input wire [ROUND+ROW-1:0] from;
    // Two clocks after `from`: the second register may be the memory's own.
    output reg [WIDTH-1:0] q;
    reg [WIDTH-1:0] fetched;
    reg [ROUND+ROW-1:0] written_to;
    reg [WIDTH-1:0] written;
    (* ram_style = \"block\", no_rw_check *) reg [WIDTH-1:0] memory [0:(1<<(ROUND+ROW))-1];
    integer round, n;
    initial
        for (round = 0; round < (1 << ROUND); round = round + 1)
            for (n = 0; n < CONSTANTS; n = n + 1)
                memory[(round << ROW) + FIRST + n] = VALUES[n*WIDTH +: WIDTH];
    always @(posedge clock) begin
        fetched <= memory[from];
        q <= fetched;
        written <= d;
        written_to <= to;
        if (written_to[ROW-1:0] < FIRST[ROW-1:0]) memory[written_to] <= written;
    end
endmodule
";

impl Writer<'_> {
    /// Any unit has operand memories.
    pub(super) fn has_memories(&self) -> bool {
        self.schedule.units.iter().any(|unit| self.schedule.has_memories(unit))
    }

    /// The count of the phase's turns.
    pub(super) fn round(&mut self) {
        if !self.has_memories() {
            return;
        }
        let interval = self.schedule.interval;
        let bits = address_bits(rounds(interval));
        let last = self.in_phase(0, interval - 1);
        self.line("// Rounds of the operand memories.");
        self.line(format!("reg {}round;", range(bits)));
        self.line(format!("wire {}next_round = round + {bits}'d1;", range(bits)));
        self.line("always @(posedge clock)");
        self.line(format!("    if (!reset_n) round <= {bits}'d0;"));
        self.line(format!("    else if ({last}) round <= next_round;"));
    }

    /// An operand's memory, and what is in front of it and behind; the operand as the unit takes it.
    pub(super) fn memory(&mut self, unit: &Unit, unit_name: &str, letter: char, port: usize) -> String {
        let interval = self.schedule.interval;
        let name = format!("{unit_name}_{letter}");
        let (row_bits, round_bits) = (address_bits(rows(interval)), address_bits(rounds(interval)));
        let arguments: Vec<_> = unit
            .operations
            .iter()
            .map(|operation| {
                let n = operation.argument(port);
                (*operation, self.graph.nodes[operation.node].args()[n], self.schedule.reads(operation.node, n))
            })
            .collect();
        let width = arguments.iter().map(|(_, node, _)| self.graph.nodes[*node].width).max().expect("an operation");

        // What is written, by phase.
        let mut sources: Vec<String> = Vec::new();
        let mut choices = vec![None; interval as usize];
        // Where is read, by the phase four clocks before the operand is there.
        let mut places = vec![None; interval as usize];
        // Whose sign is turned, by phase.
        let mut turned = vec![None; interval as usize];
        let constants = presets(self.graph, self.schedule, &unit.operations, port);
        for (operation, node, at) in &arguments {
            let read = read_at(self.schedule, *operation);
            let place = match is_preset(self.graph, self.schedule, *operation, port) {
                Some(bits) => {
                    let n = constants.iter().position(|known| *known == bits).expect("one of them");
                    (0, interval + n as u32)
                }
                None => {
                    let source = self.resized(*node, *at, width);
                    let choice = sources.iter().position(|known| *known == source).unwrap_or_else(|| {
                        sources.push(source);
                        sources.len() - 1
                    });
                    choices[self.schedule.phase(*at) as usize] = Some(choice);
                    (((read - 1) / interval - at / interval) % rounds(interval), self.schedule.phase(*at))
                }
            };
            places[self.schedule.phase(read + interval - 2) as usize] = Some(place);
            let is_difference = self.graph.nodes[operation.node].op == Op::Operator(FpOperator::Sub);
            let is_turned = unit.operator == FpOperator::Add && is_difference && operation.argument(port) == 1;
            turned[self.schedule.phase(self.schedule.issue[operation.node]) as usize] = Some(usize::from(is_turned));
        }
        let phase = format!("{unit_name}_phase");
        let chosen = match sources.len() {
            0 => format!("{width}'d0"),
            1 => sources[0].clone(),
            count => {
                self.chooser(&format!("{name}_choice"), &phase, count, &choices);
                choice(&sources, &format!("{name}_choice"), width)
            }
        };
        self.line(format!("wire {}{name}_d = {chosen};", range(width)));

        let bits = address_bits(interval);
        let place = range(round_bits + row_bits);
        self.line(format!("reg {place}{name}_place;"));
        self.line(format!("always @(posedge clock)\n    case ({phase})"));
        for (n, at) in places.iter().enumerate() {
            if let Some((back, row)) = at {
                self.line(format!("        {bits}'d{n}: {name}_place <= {{{round_bits}'d{back}, {row_bits}'d{row}}};"));
            }
        }
        self.line(format!("        default: {name}_place <= {}'d0;\n    endcase", round_bits + row_bits));
        self.line(format!(
            "wire {}{name}_round = round - {name}_place[{}:{row_bits}];",
            range(round_bits),
            round_bits + row_bits - 1
        ));
        self.line(format!("reg {place}{name}_from;"));
        self.line(format!(
            "always @(posedge clock) {name}_from <= {{{name}_round, {name}_place[{}:0]}};",
            row_bits - 1
        ));

        let row = if row_bits == bits { phase } else { format!("{}'d0, {phase}", row_bits - bits) };
        let mut values = String::new();
        for constant in constants.iter().rev() {
            values += &format!("{}{width}'h{constant:x}", if values.is_empty() { "" } else { ", " });
        }
        let parameters = match constants.len() {
            // The last row is of no phase.
            0 => format!(".CONSTANTS(1), .FIRST({}), .VALUES({width}'d0)", rows(interval) - 1),
            count => format!(".CONSTANTS({count}), .FIRST({interval}), .VALUES({{{values}}})"),
        };
        self.line(format!("wire {}{name}_q;", range(width)));
        self.line(format!(
            "operand_memory #(.WIDTH({width}), .ROUND({round_bits}), .ROW({row_bits}), {parameters}) {name}_memory ("
        ));
        self.line(format!(
            "    .clock(clock), .to({{round, {row}}}), .d({name}_d), .from({name}_from), .q({name}_q));"
        ));

        let fetched = match 32 - width {
            0 => format!("{name}_q"),
            more => format!("{{{more}'d0, {name}_q}}"),
        };
        if !self.schedule.has_operand_register(unit) {
            assert!(!turned.contains(&Some(1)), "a sign is turned in front of the operand register");
            return fetched;
        }
        let operand = if turned.contains(&Some(1)) {
            self.chooser(&format!("{name}_turned"), &format!("{unit_name}_phase"), 2, &turned);
            format!("{{{name}_q[31] ^ {name}_turned, {name}_q[30:0]}}")
        } else {
            fetched
        };
        self.line(format!("reg [31:0] {name};"));
        self.line(format!("always @(posedge clock) {name} <= {operand};"));
        name
    }
}
