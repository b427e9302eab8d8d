//! Why some mutants survive, written by hand: each was looked at.

/// Survivors that one reason explains.
struct Reason {
    /// The block.
    block: &'static str,
    /// All of these are in the mutation's description.
    with: &'static [&'static str],
    /// The reason, as a sentence.
    why: &'static str,
}

const REASONS: &[Reason] = &[
    Reason {
        block: "read_master",
        with: &["of A of `procmux` always 1, in `if (~reset_n) begin`"],
        why: "What `remaining` is after a reset does not matter: a request writes it before anything reads it.",
    },
    Reason {
        block: "fifos",
        with: &["of A of `procmux` in `queue_64` inverted, in `if (push) memory"],
        why: "The word that a memory is given in a clock without a push is not written.",
    },
    Reason {
        block: "fifos",
        with: &["in `second <= collides ? 13'bx : memory[fetch[5:0]];`"],
        why: "What is read of a word that is being written is never shown, and may be anything.",
    },
];

/// The reason why the tests need not notice a mutant, if there is one.
pub fn of(block: &str, what: &str) -> Option<&'static str> {
    let explains = |reason: &&Reason| reason.block == block && reason.with.iter().all(|part| what.contains(part));
    REASONS.iter().find(explains).map(|reason| reason.why)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reason_is_of_its_block_and_says_something() {
        for reason in REASONS {
            let what = reason.with.join(" ");
            assert!(!reason.with.is_empty() && reason.why.ends_with('.'), "{what}");
            assert!(of(reason.block, &what).is_some());
            assert_eq!(of("no_such_block", &what), None);
        }
        assert_eq!(of("fp_add", ""), None);
    }
}
