//! What became of a block's mutants, and how a person would say it.

use std::collections::BTreeMap;

/// A mutant that nothing noticed and that is not proved equivalent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Survivor {
    /// The mutation.
    pub what: String,
    /// Why the tests need not notice it.
    pub reason: Option<&'static str>,
}

/// What became of a block's mutants.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// Module name.
    pub name: String,
    /// It is a floating-point operator.
    pub operator: bool,
    /// How many were noticed.
    pub noticed: usize,
    /// Mutations that change nothing.
    pub equivalent: Vec<String>,
    /// The others.
    pub survivors: Vec<Survivor>,
}

impl Outcome {
    /// Of the mutants that are not proved equivalent, how many were noticed.
    pub fn share(&self) -> f64 {
        match self.noticed + self.survivors.len() {
            0 => 1.0,
            all => self.noticed as f64 / all as f64,
        }
    }

    /// How many there were.
    pub fn mutants(&self) -> usize {
        self.noticed + self.equivalent.len() + self.survivors.len()
    }

    /// Adds another's.
    pub fn add(&mut self, other: &Self) {
        self.noticed += other.noticed;
        self.equivalent.extend(other.equivalent.iter().cloned());
        self.survivors.extend(other.survivors.iter().cloned());
    }

    /// A line of the table.
    pub fn row(&self) -> String {
        let (name, mutants, share) = (&self.name, self.mutants(), 100.0 * self.share());
        let (noticed, equivalent, survivors) = (self.noticed, self.equivalent.len(), self.survivors.len());
        format!("| {name} | {mutants} | {noticed} | {equivalent} | {survivors} | {share:.1} |")
    }
}

/// The whole table, with its sums, and below it the survivors and what was proved equivalent.
pub fn table(outcomes: &[Outcome]) -> String {
    let mut text =
        "| block | mutants | noticed | proved equivalent | survivors | % noticed of those not equivalent |\n\
                    | --- | ---: | ---: | ---: | ---: | ---: |\n"
            .to_owned();
    let sum = |name: &str, kind: Option<bool>| {
        let mut sum = Outcome { name: name.to_owned(), ..Outcome::default() };
        outcomes
            .iter()
            .filter(|outcome| kind.is_none_or(|kind| outcome.operator == kind))
            .for_each(|part| sum.add(part));
        sum
    };
    let sums = [sum("**operators**", Some(true)), sum("**other blocks**", Some(false)), sum("**all**", None)];
    for outcome in outcomes {
        text += &Outcome { name: format!("`{}`", outcome.name), ..outcome.clone() }.row();
        text += "\n";
    }
    for sum in sums {
        text += &sum.row();
        text += "\n";
    }
    text += "\nSurvivors:\n\n";
    for outcome in outcomes {
        for Survivor { what, reason } in &outcome.survivors {
            text += &format!("- `{}`: {what}. {}\n", outcome.name, reason.unwrap_or("**No reason is known.**"));
        }
    }
    if outcomes.iter().all(|outcome| outcome.survivors.is_empty()) {
        text += "- none\n";
    }
    text += "\nProved equivalent:\n\n";
    for outcome in outcomes {
        outcome.equivalent.iter().for_each(|what| text += &format!("- `{}`: {what}\n", outcome.name));
    }
    text
}

/// A mutation as a person would say it: the cell's place and kind, the bit, and the line of Verilog that it comes from.
pub fn described(mutation: &str, source: &str) -> String {
    let mut words = mutation.split(' ');
    let (mut options, mut lines) = (BTreeMap::new(), Vec::new());
    while let (Some(option), Some(value)) = (words.next(), words.next()) {
        match option {
            "-src" => lines.push(value),
            _ => _ = options.insert(option, value),
        }
    }
    let of = |option: &str| options.get(option).copied().unwrap_or("?");
    let effect = match of("-mode") {
        "inv" => "inverted".to_owned(),
        "const0" => "always 0".to_owned(),
        "const1" => "always 1".to_owned(),
        mode => format!("inverted while its bit {} is {}", of("-ctrlbit"), mode.trim_start_matches("cnot")),
    };
    let number = lines.last().and_then(|place| place.split(':').nth(1)?.split('.').next()?.parse::<usize>().ok());
    let code = number.and_then(|number| source.lines().nth(number.checked_sub(1)?)).unwrap_or("").trim();
    let wire = match options.get("-wire") {
        Some(wire) => format!(" (`{}[{}]`)", wire.trim_start_matches('\\'), of("-wirebit")),
        None => String::new(),
    };
    let (path, kind) = place(of("-cell"));
    format!("bit {} of {} of {kind}{path}{wire} {effect}, in `{code}`", of("-portbit"), of("-port"))
}

/// Hierarchical place, with ` in ` before it, and kind of a cell of a flattened module.
fn place(cell: &str) -> (String, String) {
    let name = cell.trim_start_matches("$flatten");
    let (path, rest) = name.split_once('$').unwrap_or((name, ""));
    let path: String = path.chars().filter(|letter| *letter != '\\').collect();
    let path = path.trim_end_matches('.');
    let kind = rest.split('$').next().unwrap_or("");
    let path = if path.is_empty() { String::new() } else { format!(" in `{path}`") };
    (path, format!("`{}`", if kind.is_empty() { cell } else { kind }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_counts_survivors_and_not_what_is_equivalent() {
        let survivor = Survivor { what: "a bit".into(), reason: None };
        let outcome = Outcome {
            name: "x".into(),
            operator: true,
            noticed: 9,
            equivalent: vec![String::new(); 5],
            survivors: vec![survivor],
        };
        assert_eq!((outcome.mutants(), outcome.share()), (15, 0.9));
        assert_eq!(outcome.row(), "| x | 15 | 9 | 5 | 1 | 90.0 |");
        assert_eq!(Outcome::default().share(), 1.0);
        let table = table(&[outcome.clone(), Outcome { name: "y".into(), noticed: 10, ..Outcome::default() }]);
        for line in ["| **operators** | 15 | 9 | 5 | 1 | 90.0 |", "| **all** | 25 | 19 | 5 | 1 | 95.0 |"] {
            assert!(table.contains(line), "{table}");
        }
        assert!(table.contains("- `x`: a bit. **No reason is known.**"), "{table}");
    }

    #[test]
    fn a_mutation_is_described_with_its_line() {
        let source = "module m;\n  assign q = a | b;\n";
        let mutation = "-mode cnot0 -module m -cell $flatten\\core.\\align.$or$m.v:2$6 -port A -portbit 3 -ctrlbit 5 \
                        -wire core.align.lost -wirebit 0 -src m.v:1.1-1.2 -src m.v:2.18-2.45";
        assert_eq!(
            described(mutation, source),
            "bit 3 of A of `or` in `core.align` (`core.align.lost[0]`) inverted while its bit 5 is 0, in `assign q = a | b;`"
        );
        let mutation = "-mode const1 -module m -cell $or$m.v:2$6 -port Y -portbit 0 -src m.v:2.18-2.45";
        assert_eq!(described(mutation, source), "bit 0 of Y of `or` always 1, in `assign q = a | b;`");
        assert!(described("-mode inv -port Y -portbit 0", "").starts_with("bit 0 of Y"));
    }
}
