//! A module between registers, behind few pins: for the area and the speed of a block by itself.
//!
//! ```text
//!  scan_in -> shift register, a bit an input bit -> module -> a register an output bit -> shift register -> scan_out
//! ```
//!
//! Every path of the module then runs from a register to a register, and it does not matter that a block has more ports
//! than a package has pins.

use super::{ports, EmitError};
use std::fmt::Write;

/// Name of the top that [`between_registers`] makes.
pub const REGISTERED_TOP: &str = "synth_op";

/// The text of a top around the module `name` of a text, to be put beside it.
pub fn between_registers(verilog: &str, name: &str) -> Result<String, EmitError> {
    let ports = ports(verilog, name)?;
    let is_clock = |port: &str| matches!(port, "clock" | "aclk");
    let width = |inputs: bool| -> usize {
        ports.iter().filter(|port| port.is_input == inputs && !is_clock(&port.name)).map(|port| port.width).sum()
    };
    let (inputs, outputs) = (width(true).max(1), width(false).max(1));
    let (mut pins, mut input_at, mut output_at) = (Vec::new(), 0, 0);
    for port in &ports {
        let wire = if is_clock(&port.name) {
            "clock".to_owned()
        } else {
            let (from, at) = if port.is_input { ("feed", &mut input_at) } else { ("result", &mut output_at) };
            *at += port.width;
            format!("{from}[{}:{}]", *at - 1, *at - port.width)
        };
        pins.push(format!(".{}({wire})", port.name));
    }
    let mut out = String::new();
    let _ = write!(
        out,
        "\nmodule {REGISTERED_TOP}(input wire clock, input wire scan_in, input wire load, output wire scan_out);\n  \
           reg [{input_top}:0] feed;\n  wire [{output_top}:0] result;\n  reg [{output_top}:0] held;\n  reg [{output_top}:0] shift;\n  \
           {name} block({pins});\n  assign scan_out = shift[{output_top}];\n  \
           always @(posedge clock) begin\n    feed <= (feed << 1) | scan_in;\n    held <= result;\n    \
           shift <= load ? held : (shift << 1);\n  end\nendmodule\n",
        input_top = inputs - 1,
        output_top = outputs - 1,
        pins = pins.join(", "),
    );
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_port_is_connected_to_bits_of_its_own() {
        let verilog = "module m(input wire clock, input wire [3:0] a, input wire b, output wire [7:0] q, output wire r); endmodule";
        let top = between_registers(verilog, "m").unwrap();
        assert!(
            top.contains("m block(.clock(clock), .a(feed[3:0]), .b(feed[4:4]), .q(result[7:0]), .r(result[8:8]));"),
            "{top}"
        );
        assert!(top.contains("reg [4:0] feed;") && top.contains("reg [8:0] held;"), "{top}");
        assert!(matches!(between_registers(verilog, "n"), Err(EmitError::NoModule(_))));
    }
}
