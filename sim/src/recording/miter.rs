//! Two copies of a block that must agree wherever the test that drives it looks.
//!
//! ```text
//!  inputs ---> gold --+-> differ: an output that means something is not the same
//!         \--> gate --'
//! ```
//!
//! The module `miter` has the block's inputs and the one output `differ`. `reset_n`, where there is one, is low for the first
//! [`RESET`] clocks and free after them; an input that may be raised only while an output of the block is high is held low
//! otherwise; `differ` is low in the first clocks and wherever the test's rules say that an output means nothing. So a mutant whose
//! `differ` can never rise is one that no stimulus of that test could show.

use super::Meaning;
use crate::verilated::compile::is_clock;
use rayman_rtl::emit::text::Port;
use std::fmt::Write;

/// Clocks of the first reset.
pub const RESET: u64 = 3;

/// What a test asks of a block's ports.
#[derive(Clone, Debug, Default)]
pub struct Rules {
    /// Outputs that do not always mean something.
    pub meaning: Vec<(String, Meaning)>,
    /// Inputs that may be raised only while an output is high.
    pub allowed: Vec<(String, String)>,
    /// Clocks before anything is compared; for an operator, its latency.
    pub opening: u64,
}

/// `[31:0] `, or nothing for one bit.
fn range(port: &Port) -> String {
    if port.width == 1 {
        String::new()
    } else {
        format!("[{}:0] ", port.width - 1)
    }
}

/// The module `miter` for a block with these ports.
pub fn verilog(ports: &[Port], rules: &Rules) -> String {
    let opening = rules.opening.max(RESET) + 1;
    let (mut heads, mut body, mut pins, mut terms) = (vec![], String::new(), [vec![], vec![]], vec![]);
    let clock = ports.iter().find(|port| is_clock(port)).map_or("clock", |port| port.name.as_str());
    let _ = write!(
        body,
        "  reg [15:0] since = 0;\n  always @(posedge {clock}) if (since < {opening}) since <= since + 1;\n\
         \x20 wire running = since >= {opening};\n"
    );
    for port in ports {
        let (name, range) = (&port.name, range(port));
        if !port.is_input {
            let _ = writeln!(body, "  wire {range}gold_{name}, gate_{name};");
            pins[0].push(format!(".{name}(gold_{name})"));
            pins[1].push(format!(".{name}(gate_{name})"));
            continue;
        }
        heads.push(format!("input wire {range}{name}"));
        let shown = match rules.allowed.iter().find(|(input, _)| input == name) {
            Some((_, output)) => format!("{name} & gold_{output}"),
            None if name == "reset_n" => format!("{name} & since >= {RESET}"),
            None => name.clone(),
        };
        pins.iter_mut().for_each(|pins| pins.push(format!(".{name}({shown})")));
    }
    if ports.iter().any(|port| port.name == "reset_n") {
        let _ = writeln!(
            body,
            "  reg [15:0] after_reset = 0;\n  always @(posedge {clock}) after_reset <= reset_n & since >= {RESET} ? after_reset + {{15'd0, after_reset != 16'hFFFF}} : 16'd0;"
        );
    }
    for port in ports.iter().filter(|port| !port.is_input) {
        let name = &port.name;
        let means = match rules.meaning.iter().find(|(output, _)| output == name).map(|(_, meaning)| *meaning) {
            None => String::new(),
            Some(Meaning::Never) => continue,
            Some(Meaning::While(output)) => format!("gold_{output} & "),
            Some(Meaning::WhileNot(output)) => format!("~gold_{output} & "),
            Some(Meaning::After(clocks)) => format!("after_reset >= {clocks} & "),
            Some(Meaning::Held(output)) => {
                let _ =
                    writeln!(body, "  reg held_{name} = 0;\n  always @(posedge {clock}) held_{name} <= gold_{output};");
                format!("gold_{output} & held_{name} & ")
            }
        };
        terms.push(format!("{means}(gold_{name} != gate_{name})"));
    }
    let [gold, gate] = pins.map(|pins| pins.join(", "));
    let all = terms.iter().map(|term| format!("({term})")).collect::<Vec<_>>().join(" | ");
    format!(
        "module miter({}, output wire differ);\n{body}  gold gold({gold});\n  gate gate({gate});\n  assign differ = running & ({});\nendmodule\n",
        heads.join(", "),
        if all.is_empty() { "1'b0" } else { &all }
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::verilated::VerilatedBlock;

    /// A pulse a clock after `go`, with a payload; the gate's payload is wrong while there is no pulse, and after `spoil` always.
    const COPIES: &str = "
module gold(input wire clock, input wire reset_n, input wire go, input wire spoil, input wire [3:0] d,
            output wire ready, output reg valid, output reg [3:0] q);
  assign ready = ~valid;
  always @(posedge clock) begin valid <= reset_n & go; q <= d; end
endmodule
module gate(input wire clock, input wire reset_n, input wire go, input wire spoil, input wire [3:0] d,
            output wire ready, output reg valid, output reg [3:0] q);
  reg spoilt;
  reg [3:0] at;
  assign ready = ~valid;
  always @(posedge clock) begin
    valid <= reset_n & go;
    spoilt <= reset_n & (spoilt | spoil);
    q <= go & ~spoilt ? d : ~d;
  end
endmodule
";

    #[test]
    fn copies_differ_where_the_rules_say_that_it_matters() {
        let ports = rayman_rtl::emit::ports(COPIES, "gold").expect("its ports");
        let differs = |rules: &Rules, spoil: u64| {
            let text = verilog(&ports, rules) + COPIES;
            let mut model = VerilatedBlock::build(&text, "miter").expect("the miter builds");
            for (name, value) in [("reset_n", 1), ("spoil", spoil), ("d", 5)] {
                model.set(name, value);
            }
            let mut clocks = vec![];
            for clock in 0..20 {
                model.set("go", u64::from(clock % 4 > 1));
                model.settle().expect("settles");
                clocks.push(model.get("differ") == 1);
                model.clock().expect("runs");
            }
            clocks
        };
        let always = Rules::default();
        let valid = Rules { meaning: vec![("q".into(), Meaning::While("valid"))], ..Rules::default() };
        assert!(differs(&always, 0).iter().any(|&differs| differs), "a payload that means nothing is looked at");
        assert!(!differs(&valid, 0).iter().any(|&differs| differs), "it is not, by this rule");
        assert!(differs(&valid, 1).iter().any(|&differs| differs), "a wrong payload is found");
        assert!(!differs(&always, 1)[..=RESET as usize].iter().any(|&differs| differs), "the reset is not compared");
        // `q` alone tells them apart, and where `go` needs `ready`, it is never there twice.
        let never = Rules { meaning: vec![("q".into(), Meaning::Never)], ..Rules::default() };
        assert!(!differs(&never, 1).iter().any(|&differs| differs));
        let twice = Rules { meaning: vec![("q".into(), Meaning::Held("valid"))], ..Rules::default() };
        assert!(differs(&twice, 1).iter().any(|&differs| differs));
        let alone = Rules { allowed: vec![("go".into(), "ready".into())], ..twice };
        assert!(!differs(&alone, 1).iter().any(|&differs| differs));
        let late = Rules { meaning: vec![("q".into(), Meaning::After(10))], ..Rules::default() };
        let first = differs(&late, 1).iter().position(|&differs| differs);
        assert!(first.is_some_and(|clock| clock >= 13), "{first:?}");
    }
}
