//! The ports of a module, read from its Verilog as the emitter writes it: one declaration a line.

use anyhow::{bail, ensure, Context, Result};

/// Which way a port leads, seen from the module.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// Driven from outside.
    In,
    /// Driven by the module.
    Out,
}

/// A port.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Port {
    /// Its name.
    pub name: String,
    /// Which way it leads.
    pub direction: Direction,
    /// Number of bits, 1 to 64.
    pub width: u32,
    /// Whether it is declared with a range: `[0:0]` is a vector of 1 bit.
    pub vector: bool,
}

/// The ports of module `top`, in the order of its port list.
pub fn ports(verilog: &str, top: &str) -> Result<Vec<Port>> {
    let head = format!("module {top}(");
    let mut lines = verilog.lines().skip_while(|line| !line.starts_with(&head));
    let list = lines.next().with_context(|| format!("there is no module `{top}` with ports"))?;
    let names = list[head.len()..].trim_end().strip_suffix(");").context("the port list is not on one line")?;
    let mut declared = Vec::new();
    for line in lines.take_while(|line| line.trim() != "endmodule") {
        let line = line.trim();
        let (direction, rest) = if let Some(rest) = line.strip_prefix("input ") {
            (Direction::In, rest)
        } else if let Some(rest) = line.strip_prefix("output ") {
            (Direction::Out, rest)
        } else if line.starts_with("inout ") {
            bail!("`{line}`: the core has no pins that lead both ways");
        } else {
            continue;
        };
        declared.push(declaration(direction, rest).with_context(|| format!("a port is declared as `{line}`"))?);
    }
    let listed: Vec<&str> = names.split(',').map(str::trim).collect();
    let found: Vec<&str> = declared.iter().map(|port| port.name.as_str()).collect();
    ensure!(listed == found, "the port list names {listed:?}, the declarations {found:?}");
    Ok(declared)
}

/// What stands behind `input` or `output`: `wire  [7:0] s_axi_awaddr;`.
fn declaration(direction: Direction, rest: &str) -> Result<Port> {
    let rest = rest.trim().trim_start_matches("wire ").trim_start_matches("reg ").trim();
    let (range, name) = match rest.strip_prefix('[') {
        Some(rest) => {
            let (range, name) = rest.split_once(']').context("a range does not end")?;
            (Some(range), name)
        }
        None => (None, rest),
    };
    let name = name.trim().strip_suffix(';').context("no semicolon")?.trim();
    let width = match range {
        None => 1,
        Some(range) => {
            let (left, right) = range.split_once(':').context("a range has no colon")?;
            let left: u32 = left.trim().parse().context("the left bound is no number")?;
            ensure!(right.trim() == "0" && left < 64, "a range goes from at most 63 down to 0");
            left + 1
        }
    };
    ensure!(name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') && !name.is_empty(), "the name is strange");
    Ok(Port { name: name.to_owned(), direction, width, vector: range.is_some() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ports_are_read_with_direction_and_width() {
        let text =
            "module a_part(x);\n    input wire  x;\nendmodule\n\nmodule top(aclk,data,done);\n    // Ports\n    \
                    input wire  aclk;\n    input wire  [7:0] data;\n    output reg  done;\n    wire  y;\nendmodule\n";
        let found = ports(text, "top").expect("three ports");
        let port = |name: &str, direction, width, vector| Port { name: name.to_owned(), direction, width, vector };
        assert_eq!(
            found,
            [
                port("aclk", Direction::In, 1, false),
                port("data", Direction::In, 8, true),
                port("done", Direction::Out, 1, false)
            ]
        );
    }

    #[test]
    fn what_is_not_understood_is_refused() {
        for (text, what) in [
            ("module other(a);\ninput wire a;\nendmodule", "no module"),
            ("module top(a,b);\ninput wire a;\nendmodule", "the port list names"),
            ("module top(a);\ninout wire a;\nendmodule", "both ways"),
            ("module top(a);\ninput wire [7:1] a;\nendmodule", "declared as"),
            ("module top(a);\ninput wire [N:0] a;\nendmodule", "declared as"),
        ] {
            let error = format!("{:#}", ports(text, "top").expect_err(text));
            assert!(error.contains(what), "{text}: {error}");
        }
    }
}
