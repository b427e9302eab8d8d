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
        block: "fp_sqrt",
        with: &["bit 0 of A of `or` in `round` always 0, in `under ="],
        why: "A root's exponent is 191 to 318 there, its offset of 128 included: bit 7 is high wherever bit 8 is low.",
    },
    Reason {
        block: "pixel_output",
        with: &["bit 18 of Y of `procmux` in `video` (`video.last_bit[18]`) always 0"],
        why: "It is chosen between two constants that both have a 0 there.",
    },
    Reason {
        block: "frame",
        with: &["`control.array_end_d[12]`) inverted while its bit 30 is 0"],
        why: "The sum is only compared with 2^30, and with bit 30 low bit 12 does not decide on that.",
    },
    Reason {
        block: "frame",
        with: &["bit 14 of A of `procmux` in `control` always 0, in `if (run) begin`"],
        why: "It is what is kept of the last frame's framebuffer while none is under way, and nobody looks at it then.",
    },
    Reason {
        block: "frame",
        with: &["`control.camera_4_d[15]`) always 0"],
        why: "The vector to the right is horizontal: its y is 0.",
    },
    Reason {
        block: "register_block",
        with: &["bit 28 of Q of `procdff` in `frames` (`frames_q[28]`) always 0"],
        why: "So many frames do not fit in a test; the proof `register_block` has no such gap, as its induction begins at any count.",
    },
    Reason {
        block: "frame",
        with: &["bit 5 of Y of `procmux` in `control` inverted while its bit 6 is 1, in `if (read_error)"],
        why: "What is chosen is an error code, and none has bit 6.",
    },
    Reason {
        block: "frame",
        with: &["bit 29 of B of `procmux` in `control` always 0, in `if (stop_late_q && ~complete)"],
        why: "What is chosen there is the address of a stopped frame's error, which is 0.",
    },
    Reason {
        block: "frame",
        with: &["bit 1 of A of `eq` in `control` inverted while its bit 0 is 0, in `material_write_1 = step_q[(32'h0)+:(2)] == 32'h1"],
        why: "With bit 0 low the number is 0 or 2 and becomes 2 or 0, and neither is 1.",
    },
    Reason {
        block: "frame",
        with: &["bit 1 of A of `procmux` in `control` (`control.next_look[1]`) inverted, in `if (looking_q == 32'h2)"],
        why: "The three clocks of a look at an array are numbered 0, 3, 2 instead of 0, 1, 2, and only the last number is looked at.",
    },
    Reason {
        block: "frame",
        with: &["bit 12 of B of `procmux` in `source` always 0, in `if (~rendering) begin`"],
        why: "It is of a sphere's index in the check pass, or of the next one's, and no frame of the comparison has 4,096 spheres.",
    },
    Reason {
        block: "frame",
        with: &["`source.upcoming[12]`) inverted while its bit 27 is 1"],
        why: "An index has bit 27 from 2^27 spheres on, 3 GiB of them.",
    },
    Reason {
        block: "frame",
        with: &["`control.multiplier_multiplicand[10]`) always 0"],
        why: "It is of a row's words, of which the framebuffer's end is made; that is only compared with 2^30, and in no frame of the comparison do 1,024 words a row decide on that.",
    },
    Reason {
        block: "frame",
        with: &["(`control.array_end_q[19]`) always 0"],
        why: "The sum is only compared with 2^30: bit 19 decides on that only where it is the only one set below bit 30.",
    },
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
