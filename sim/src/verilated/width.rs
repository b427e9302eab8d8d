//! Which of Verilator's warnings mean that Verilog computes something else than the in-crate simulation.
//!
//! rust-hdl's `+`, `-` and `!` wrap at their operands' width; in Verilog an operator takes the width of what it feeds.
//! Verilator reports each operand that it widens. That is harmless in one case only: the result is at once assigned to
//! a signal no wider than the operand, so that what was gained is cut off again (`q[9:0] = q[9:0] + 32'h1`).

/// Warnings that always fail: a latch, two drivers, an undeclared name, a bit that is not there, an open pin, a variable read
/// before it is given its value.
const ALWAYS: [&str; 7] = ["LATCH", "MULTIDRIVEN", "IMPLICIT", "SELRANGE", "PINMISSING", "COMBDLY", "ALWCOMBORDER"];

/// Operators whose result depends on the width they are computed in.
const OPERATORS: [&str; 4] = ["ADD", "SUB", "NOT", "NEGATE"];

/// The lines of a log that must fail a build.
pub(super) fn fatal_lines(log: &str) -> Vec<String> {
    let warnings: Vec<Warning<'_>> = log.lines().filter_map(Warning::parse).collect();
    let cut_off = |widened: &Width<'_>, place: &str| {
        warnings.iter().any(|other| {
            other.place == place
                && other.width.as_ref().is_some_and(|assign| {
                    assign.operator.starts_with("ASSIGN")
                        && assign.operand == widened.operator
                        && assign.has == widened.wants
                        && assign.wants <= widened.has
                })
        })
    };
    let is_fatal = |warning: &Warning<'_>| match &warning.width {
        None => ALWAYS.contains(&warning.code),
        Some(width) if width.has >= width.wants => false,
        // An operand is widened: by the operator itself, or the operator's result by what uses it.
        Some(width) => {
            (OPERATORS.contains(&width.operator) && !cut_off(width, warning.place))
                || OPERATORS.contains(&width.operand)
        }
    };
    warnings.iter().filter(|warning| is_fatal(warning)).map(|warning| warning.line.to_owned()).collect()
}

struct Warning<'a> {
    line: &'a str,
    code: &'a str,
    /// File and line, without the column.
    place: &'a str,
    width: Option<Width<'a>>,
}

struct Width<'a> {
    operator: &'a str,
    wants: u32,
    operand: &'a str,
    has: u32,
}

impl<'a> Warning<'a> {
    /// `%Warning-CODE: file:line:column: text`
    fn parse(line: &'a str) -> Option<Self> {
        let (code, rest) = line.strip_prefix("%Warning-")?.split_once(": ")?;
        let (position, text) = rest.split_once(": ").unwrap_or((rest, ""));
        let place = position.rsplit_once(':').map_or(position, |(place, _)| place);
        Some(Self { line, code, place, width: Width::parse(text) })
    }
}

impl<'a> Width<'a> {
    /// `Operator ADD expects 32 bits on the LHS, but LHS's VARREF 'a' generates 10 bits.`
    fn parse(text: &'a str) -> Option<Self> {
        let (operator, rest) = text.strip_prefix("Operator ")?.split_once(" expects ")?;
        let wants = rest.split(' ').next()?.parse().ok()?;
        let (_, operand) = rest.split_once("'s ")?;
        let operand_kind = operand.split(' ').next()?;
        let (_, has) = operand.rsplit_once(" generates ")?;
        Some(Self { operator, wants, operand: operand_kind, has: has.split(' ').next()?.parse().ok()? })
    }
}

#[cfg(test)]
mod tests {
    use super::fatal_lines;

    /// What Verilator 5.006 says of `q = a + 32'h1` (10 bits): harmless.
    const COUNTER: &str =
        "%Warning-WIDTH: t.v:5:9: Operator ADD expects 32 bits on the LHS, but LHS's VARREF 'a' generates 10 bits.
                         : ... In instance t
%Warning-WIDTH: t.v:5:5: Operator ASSIGN expects 10 bits on the Assign RHS, but Assign RHS's ADD generates 32 bits.";

    #[test]
    fn a_counter_passes() {
        assert!(fatal_lines(COUNTER).is_empty());
        assert!(fatal_lines(&COUNTER.replace("ASSIGN", "ASSIGNDLY")).is_empty());
    }

    #[test]
    fn a_widened_operand_fails() {
        let alone = COUNTER.lines().next().unwrap();
        assert_eq!(fatal_lines(alone), [alone], "used without being cut off");
        let wide = COUNTER.replace("expects 10", "expects 12");
        assert_eq!(fatal_lines(&wide).len(), 1, "assigned to a wider signal");
        let elsewhere = COUNTER.replace("t.v:5:5", "t.v:6:5");
        assert_eq!(fatal_lines(&elsewhere).len(), 1, "cut off on another line");
        for operator in ["SUB", "NOT", "NEGATE"] {
            assert_eq!(fatal_lines(&alone.replace("ADD", operator)).len(), 1);
        }
        assert!(fatal_lines(&alone.replace("ADD", "EQ")).is_empty(), "a comparison may widen a plain signal");
    }

    #[test]
    fn a_widened_result_fails() {
        let line = "%Warning-WIDTH: t.v:7:3: Operator GT expects 32 bits on the LHS, but LHS's SUB generates 8 bits.";
        assert_eq!(fatal_lines(line).len(), 1);
        assert!(fatal_lines(&line.replace("generates 8", "generates 40")).is_empty());
    }

    #[test]
    fn a_latch_fails_and_style_does_not() {
        assert_eq!(fatal_lines("%Warning-LATCH: t.v:3:1: Latch inferred for signal 't.q'").len(), 1);
        assert!(fatal_lines("%Warning-UNOPTFLAT: t.v:3:1: Signal unoptimizable\nsomething else").is_empty());
    }
}
