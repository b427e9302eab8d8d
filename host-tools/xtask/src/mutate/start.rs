//! First values of registers, for a block whose test begins in a state that no stimulus would come to.
//!
//! Yosys keeps them with wires, not with registers, and a mutation of a register's output puts a wire without one between.

use anyhow::{Context, Result};

/// Registers and what they hold at first; none, if the test resets them.
pub struct Start(Vec<(String, u64)>);

impl Start {
    /// Of the lines of `TOP.start`.
    pub fn parse(text: &str) -> Result<Self> {
        let register = |line: &str| {
            let (name, value) = line.split_once(' ')?;
            Some((name.to_owned(), value.parse().ok()?))
        };
        let registers = text.lines().map(|line| register(line).with_context(|| format!("no first value: `{line}`")));
        Ok(Self(registers.collect::<Result<_>>()?))
    }

    /// What Yosys does before it mutates: all registers get their first values, and one that has none is an error.
    pub fn before(&self, top: &str) -> String {
        if self.0.is_empty() {
            return String::new();
        }
        let set = |(name, value): &(String, u64)| format!("setattr -set init 64'h{value:x} {top}/w:{name}\n");
        let all: String = self.0.iter().map(set).collect();
        format!("{all}select -assert-none {}\n", without(top))
    }

    /// What Yosys does after a mutation: the wire that a register's bit now drives gets that bit's.
    pub fn after(&self, top: &str, mutation: &str) -> Result<String> {
        if self.0.is_empty() || !mutation.contains("-port Q ") {
            return Ok(String::new());
        }
        let words: Vec<&str> = mutation.split(' ').collect();
        let of = |option: &str| words.windows(2).find(|pair| pair[0] == option).map(|pair| pair[1]);
        let bit = || {
            let (_, value) = self.0.iter().find(|(name, _)| Some(name.as_str()) == of("-wire"))?;
            Some(value >> of("-wirebit")?.parse::<u32>().ok()? & 1)
        };
        let bit = bit().with_context(|| format!("no first value is known for the mutation `{mutation}`"))?;
        Ok(format!("setattr -set init 1'b{bit} {}\n", without(top)))
    }
}

/// Yosys's selection of what registers drive and has no first value.
fn without(top: &str) -> String {
    format!("{top}/t:$*dff* %co1:+[Q] {top}/w:* %i {top}/a:init %d")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bit_of_a_register_keeps_its_first_value_behind_a_mutation() {
        let start = Start::parse("count 6\nbusy 0\n").expect("is one");
        let before = start.before("m");
        assert!(before
            .starts_with("setattr -set init 64'h6 m/w:count\nsetattr -set init 64'h0 m/w:busy\nselect -assert-none "));
        let mutation = |bit: u32| {
            format!("-mode inv -module m -cell $procdff$3 -port Q -portbit 9 -wire count -wirebit {bit} -src m.v:1")
        };
        for (bit, set) in [(0, "1'b0"), (1, "1'b1"), (2, "1'b1"), (3, "1'b0")] {
            let after = start.after("m", &mutation(bit)).expect("is known");
            assert!(after.starts_with(&format!("setattr -set init {set} m/t:")), "{after}");
        }
        assert!(start.after("m", &mutation(0).replace("count", "other")).is_err());
        assert_eq!(start.after("m", "-mode inv -cell $add$1 -port Y -portbit 0").expect("nothing to do"), "");
        assert!(Start::parse("count\n").is_err() && Start::parse("count x\n").is_err());
    }

    #[test]
    fn a_block_that_is_reset_has_none() {
        let start = Start::parse("").expect("none");
        assert_eq!(start.before("m"), "");
        assert_eq!(start.after("m", "-cell $procdff$3 -port Q -portbit 9").expect("nothing to do"), "");
    }
}
