//! What is proved: the proofs, their properties, and the broken copies that must fail them.
//!
//! A piece of text that a broken copy changes is a piece of the emitted Verilog. When the RTL changes so that it is no
//! longer there, the command says so; choose another piece that breaks the same property.

mod bus;
mod memories;
mod rays;

/// A wrapper around a block, and what it proves.
pub struct Proof {
    /// Its name on the command line.
    pub name: &'static str,
    /// The wrapper: `sim/formal/WRAPPER.v`.
    pub wrapper: &'static str,
    /// The block, as the emitter names it.
    pub block: &'static str,
    /// Logarithm of its size, for the emitter and, as `SIZE`, for the wrapper.
    pub size: Option<u32>,
    /// Macros for the wrapper.
    pub defines: &'static [&'static str],
    /// Modules whose insides are taken away: their outputs may be anything in each clock.
    pub cut: &'static [&'static str],
    /// Wires for the invariants.
    pub probes: &'static [Probe],
    /// Clocks of the base case and of the induction.
    pub depth: u32,
    /// What is proved.
    pub properties: &'static [Property],
    /// Copies that must fail.
    pub broken: &'static [Broken],
}

/// A property: the assertions of the wrapper whose labels are its name, or begin with its name and `_`.
pub struct Property {
    /// Its name.
    pub name: &'static str,
    /// What it says.
    pub says: &'static str,
}

/// Declarations that are added to a module and drive nothing.
pub struct Probe {
    /// The module, as emitted.
    pub module: &'static str,
    /// The declarations.
    pub text: &'static str,
}

/// A copy with one piece of its text changed.
pub struct Broken {
    /// What is wrong with it, in a word or three.
    pub name: &'static str,
    /// The property that must be refuted.
    pub property: &'static str,
    /// The piece, which is there once.
    pub from: &'static str,
    /// What stands there instead.
    pub to: &'static str,
    /// Clocks from reset within which it must be refuted.
    pub within: u32,
}

impl Proof {
    /// The property that an assertion belongs to; none, if it is an invariant.
    pub fn property_of(&self, label: &str) -> Option<&'static str> {
        let is_of = |name: &str| label.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with('_'));
        self.properties.iter().map(|property| property.name).find(|name| is_of(name))
    }
}

/// A proof of the block of this name, by one-step induction over properties that are yet to be named.
const fn proof(name: &'static str) -> Proof {
    Proof {
        name,
        wrapper: name,
        block: name,
        size: None,
        defines: &[],
        cut: &[],
        probes: &[],
        depth: 1,
        properties: &[],
        broken: &[],
    }
}

const fn probe(module: &'static str, text: &'static str) -> Probe {
    Probe { module, text }
}

/// What the pointers and flags of a `Fifo` have to do with each other, and with `stored`, whatever its size.
macro_rules! consistent {
    ($more:literal) => {
        concat!(
            "wire [$bits(write_pointer)-1:0] stored = write_pointer - read_pointer; \
             wire [$bits(write_pointer)-1:0] after_front = read_pointer + 1; \
             wire consistent = stored <= 1 << ($bits(stored) - 1) && empty == (stored == 0) \
             && full == (stored == 1 << ($bits(stored) - 1)) && behind_pointer == after_front",
            $more,
            ";"
        )
    };
}

/// Of one in distributed RAM, whose front is read where it is.
const CONSISTENT: &str = consistent!("");
/// Of one in block RAM: its two oldest entries are in registers too.
const BLOCK_CONSISTENT: &str = consistent!(
    " && (stored == 0 || front == memory[read_pointer[$bits(stored)-2:0]]) \
     && (stored < 2 || behind == memory[behind_pointer[$bits(stored)-2:0]])"
);

const fn property(name: &'static str, says: &'static str) -> Property {
    Property { name, says }
}

const fn broken(
    name: &'static str,
    property: &'static str,
    from: &'static str,
    to: &'static str,
    within: u32,
) -> Broken {
    Broken { name, property, from, to, within }
}

/// All proofs.
pub const PROOFS: &[Proof] = &[
    bus::REGISTER_BLOCK,
    memories::FIFO_2,
    memories::FIFO_4,
    memories::FIFO_8,
    memories::FIFO_64,
    memories::QUEUE_4,
    memories::QUEUE_512,
    memories::WINDOW_8,
    memories::WINDOW_4096,
    rays::STAGING_4,
    rays::SLOTS_2,
    rays::SLOTS_16,
    bus::READ_MASTER,
    bus::FRAMEBUFFER_WRITER,
    bus::STOP,
];

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::fs;

    use super::*;
    use crate::workspace;

    /// Labels of the assertions in a wrapper.
    fn labels(text: &str) -> Vec<String> {
        let before = text.match_indices(": assert (").map(|(at, _)| &text[..at]);
        let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        before.map(|before| before[before.rfind(|c| !is_word(c)).map_or(0, |at| at + 1)..].to_owned()).collect()
    }

    #[test]
    fn every_assertion_belongs_to_a_property_and_every_property_has_one() {
        for proof in PROOFS {
            let file = workspace::root().join("sim/formal").join(format!("{}.v", proof.wrapper));
            let text = fs::read_to_string(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
            let labels = labels(&text);
            assert_eq!(labels.len(), text.matches("assert (").count(), "{}: an assertion has no label", proof.wrapper);
            let mut met = BTreeSet::new();
            for label in &labels {
                if label.starts_with("invariant_") {
                    continue;
                }
                let property = proof.property_of(label).unwrap_or_else(|| panic!("{}: {label}", proof.name));
                met.insert(property);
            }
            let all: BTreeSet<_> = proof.properties.iter().map(|property| property.name).collect();
            assert_eq!(met, all, "{}: a property without an assertion", proof.name);
        }
    }

    #[test]
    fn every_property_has_a_broken_copy_and_names_are_unique() {
        let mut proofs = BTreeSet::new();
        for proof in PROOFS {
            assert!(proofs.insert(proof.name), "{} is there twice", proof.name);
            // A block's broken copies may all be of one size.
            let sizes = PROOFS.iter().filter(|other| (other.wrapper, other.defines) == (proof.wrapper, proof.defines));
            let broken: BTreeSet<_> = sizes.flat_map(|other| other.broken).map(|broken| broken.property).collect();
            let all: BTreeSet<_> = proof.properties.iter().map(|property| property.name).collect();
            assert_eq!(broken, all, "{}: properties with a broken copy, and all", proof.name);
            let copies: BTreeSet<_> = proof.broken.iter().map(|broken| broken.name).collect();
            assert_eq!(copies.len(), proof.broken.len(), "{}: two copies of one name", proof.name);
        }
    }

    #[test]
    fn no_property_is_the_beginning_of_another() {
        for proof in PROOFS {
            for property in proof.properties {
                assert_eq!(proof.property_of(property.name), Some(property.name), "{}", proof.name);
                assert_eq!(proof.property_of(&format!("{}_more", property.name)), Some(property.name));
            }
            assert_eq!(proof.property_of("invariant_of_something"), None);
        }
    }
}
