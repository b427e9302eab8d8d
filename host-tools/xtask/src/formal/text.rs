//! Changes to emitted Verilog: probes, and the broken copies.

use anyhow::{ensure, Context, Result};

/// The text with a probe's declarations at the end of a module.
pub fn with_probe(source: &str, module: &str, probe: &str) -> Result<String> {
    let start = ["(", " ("].iter().find_map(|open| source.find(&format!("\nmodule {module}{open}")));
    let start = start.with_context(|| format!("there is no module `{module}` to probe"))?;
    let end = source[start..].find("endmodule").with_context(|| format!("module `{module}` has no end"))?;
    let (before, after) = source.split_at(start + end);
    Ok(format!("{before}    {probe}\n{after}"))
}

/// The text with the one piece `from` replaced by `to`. A piece that is not there, or there twice, is an error: the
/// source has changed, and the broken copy no longer is what its name says.
pub fn changed(source: &str, from: &str, to: &str) -> Result<String> {
    let times = source.matches(from).count();
    ensure!(times == 1, "the text to change must be there once, and is there {times} times: `{from}`");
    Ok(source.replacen(from, to, 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOURCE: &str =
        "// head\nmodule top(a);\n    x = 1;\nendmodule\n\nmodule top_part (b);\n    y = 1;\nendmodule\n";

    #[test]
    fn a_probe_goes_to_the_end_of_its_module() {
        let probed = with_probe(SOURCE, "top", "wire p;").expect("there is such a module");
        assert!(probed.contains("    x = 1;\n    wire p;\nendmodule"), "{probed}");
        let probed = with_probe(SOURCE, "top_part", "wire p;").expect("there is such a module");
        assert!(probed.contains("    y = 1;\n    wire p;\nendmodule"), "{probed}");
        assert!(with_probe(SOURCE, "to", "wire p;").is_err());
    }

    #[test]
    fn a_piece_that_is_not_there_exactly_once_is_refused() {
        assert_eq!(changed(SOURCE, "x = 1", "x = 0").expect("once"), SOURCE.replace("x = 1", "x = 0"));
        assert!(changed(SOURCE, "= 1", "= 0").is_err(), "twice");
        assert!(changed(SOURCE, "= 2", "= 0").is_err(), "never");
    }
}
