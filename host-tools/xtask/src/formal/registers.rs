//! The register map as Verilog that a proof can include: offsets, masks, reset values and command codes of `rayman-abi`.
//!
//! Two macros: `` `REGISTERS `` declares them within a module, `` `COUNTER_PORTS `` connects the counter inputs of a
//! `register_block`, word i to `counter + i`.

use std::fmt::Write;

use rayman_abi::register::{command, status, COUNTERS, REGISTERS};

/// The text of `registers.vh`.
pub fn header() -> String {
    let mut lines: Vec<String> = Vec::new();
    for register in REGISTERS {
        let name = register.name;
        lines.push(format!("localparam [7:0] {name} = 8'h{:02x};", register.offset));
        lines.push(format!("localparam [31:0] {name}_MASK = 32'h{:08x};", register.mask()));
        lines.push(format!("localparam [31:0] {name}_RESET = 32'h{:08x};", register.reset));
    }
    let codes = [
        ("COMMAND_NOP", command::NOP),
        ("COMMAND_RUN", command::RUN),
        ("COMMAND_STOP", command::STOP),
        ("COMMAND_CLEAR_IRQ", command::CLEAR_IRQ),
        ("STATUS_IDLE", status::IDLE),
        ("STATUS_BUSY", status::BUSY),
    ];
    lines.extend(codes.map(|(name, code)| format!("localparam [2:0] {name} = 3'd{code};")));
    let words: Vec<_> = REGISTERS.iter().map(|register| format!("6'd{}", register.offset / 4)).collect();
    lines.push("function is_register(input [7:0] offset);".to_owned());
    lines.push(format!(
        "    case (offset[7:2]) {}: is_register = 1; default: is_register = 0; endcase",
        words.join(", ")
    ));
    lines.push("endfunction".to_owned());
    let ports: Vec<_> = (0..2 * COUNTERS.len()).map(|word| format!(".counters_{word}(counter + 32'd{word})")).collect();

    let mut text = String::from("// Made from rayman-abi by `cargo xtask formal`.\n`define REGISTERS");
    for line in lines {
        // Writing to a string cannot fail.
        let _ = write!(text, " \\\n    {line}");
    }
    let _ = write!(text, "\n`define COUNTER_PORTS {}\n", ports.join(", "));
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_header_has_every_register_and_every_counter() {
        let text = header();
        for register in REGISTERS {
            assert!(text.contains(&format!(" {} = 8'h{:02x};", register.name, register.offset)), "{}", register.name);
        }
        assert_eq!(text.matches(".counters_").count(), 2 * COUNTERS.len());
        assert!(text.contains("RENDER_CONTROL_MASK = 32'h0000030f"), "the fields of RENDER_CONTROL");
    }
}
