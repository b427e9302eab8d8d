//! The blocks on the buses.

use super::{broken, probe, proof, property, Proof, BLOCK_CONSISTENT, CONSISTENT};

pub const REGISTER_BLOCK: Proof = Proof {
    depth: 3,
    properties: &[
        property(
            "write_once",
            "a write is answered within 2 clocks of the later of address and data, once, and none is unasked",
        ),
        property("write_held", "a write's response and its code stay until they are taken"),
        property("write_code", "a write answers OKAY where docs/registers.md has a register, else SLVERR"),
        property("read_once", "a read is answered within 3 clocks, once, and none is unasked"),
        property("read_held", "a read's answer, data and code, stays until it is taken"),
        property("read_code", "a read answers OKAY where there is a register, else SLVERR and 0"),
        property("read_data", "a read shows the register of its offset as it was when the read was done"),
        property(
            "registers",
            "a register changes by a write to its offset alone, in the bytes strobed and the bits that exist",
        ),
        property("command", "`run` for RUN while idle and `stop` for STOP while busy, one clock each, and never else"),
        property("status", "busy from the clock after `run` to that of `frame_end`; RUN while busy changes nothing"),
        property("interrupt", "up from a frame's end to CLEAR_IRQ; of both in one clock it stays up"),
    ],
    broken: &[
        broken(
            "answers_again",
            "write_once",
            "            data_held_d = 1'b0;\n            response_held_d = 1'b1;",
            "            response_held_d = 1'b1;",
            12,
        ),
        broken("response_withdrawn", "write_held", "if (response_held_q & s_axi_bready)", "if (response_held_q)", 12),
        broken("always_okay", "write_code", "if (file_write_mapped)", "if (1'b1)", 12),
        broken(
            "reads_again",
            "read_once",
            "            read_held_d = 1'b0;\n            answer_held_d = 1'b1;",
            "            answer_held_d = 1'b1;",
            12,
        ),
        broken("answer_withdrawn", "read_held", "if (answer_held_q & s_axi_rready)", "if (answer_held_q)", 12),
        broken("no_error_answered", "read_code", "if (file_read_error)", "if (1'b0)", 12),
        broken("interrupt_reads_busy", "read_data", "file_irq = irq_state_q;", "file_irq = busy_state_q;", 12),
        broken("strobe_ignored", "registers", "{8{write_strobe[3]}}", "{8{1'b1}}", 12),
        broken(
            "run_while_busy",
            "command",
            "(file_command == command_run) & ~busy_state_q",
            "(file_command == command_run)",
            16,
        ),
        broken(
            "stop_while_idle",
            "command",
            "(file_command == command_stop) & busy_state_q",
            "(file_command == command_stop)",
            12,
        ),
        broken("never_busy", "status", "busy_state_d = 1'b1;", "busy_state_d = 1'b0;", 12),
        broken("clearing_wins", "interrupt", "irq_state_d = 1'b1;", "irq_state_d = file_command != command_clear;", 12),
    ],
    ..proof("register_block")
};

/// All words of a queue of bursts, the first lowest.
const EIGHT_WORDS: &str = "wire [8*$bits(push_data)-1:0] probe_words = {memory[7], memory[6], memory[5], memory[4], \
                           memory[3], memory[2], memory[1], memory[0]};";

pub const READ_MASTER: Proof = Proof {
    probes: &[
        probe("read_master_bursts", CONSISTENT),
        probe(
            "read_master_bursts",
            "wire [1:0] probe_place; wire [29:0] probe_word = memory[probe_place]; wire [1:0] probe_newest = \
             write_pointer - 1; wire [29:0] probe_last = memory[probe_newest];",
        ),
        probe("read_master_words", BLOCK_CONSISTENT),
        probe("read_master_words", "wire [5:0] probe_place; wire [31:0] probe_word = memory[probe_place];"),
    ],
    properties: &[
        property("address_held", "an address and its length stay until they are taken"),
        property("burst", "a burst has 1 to 16 beats, begins at a multiple of 4, and stays within its 4 KiB"),
        property("outstanding", "at most 4 bursts are offered or under way, and while one is, every beat is taken"),
        property(
            "stopped",
            "no burst begins after `stop`, `clear` or a failure, nor while one from before is under way",
        ),
        property(
            "request",
            "bursts cover the request, in order, each as long as can be; none is left out before the next request",
        ),
        property("failure", "the first bad beat that counts is reported, with its address and its code, until `clear`"),
        property(
            "words",
            "any one word of a good beat comes out once, unchanged, after those before it; `idle` while there is none",
        ),
    ],
    broken: &[
        broken("address_withdrawn", "address_held", "if (bus_arready)", "if (1'b1)", 20),
        broken("crosses_the_page", "burst", "limit = to_edge;", "", 20),
        broken("fifth_burst", "outstanding", "(outstanding_q < 32'h4) & ", "", 24),
        broken(
            "starts_after_stop",
            "stopped",
            "load = active_q & burst_known_q & ~hold &",
            "load = active_q & burst_known_q &",
            20,
        ),
        broken("asks_again", "request", "next_word_d = word_after;", "", 20),
        broken("address_of_the_burst", "failure", "bursts_front + ((beat_q) & 30'h3fffffff)", "bursts_front", 20),
        broken("delivers_bad_beats", "words", "if (bus_rresp == okay)", "if (1'b1)", 20),
        broken("loses_the_last_beat", "words", "words_push = 1'b1;", "words_push = ~bus_rlast;", 20),
        broken("keeps_words_after_stop", "words", "words_clear = flush;", "words_clear = 1'b0;", 20),
        broken(
            "room_for_two_words",
            "words",
            "one_free = write_next == (read_pointer ^ {1'b1, {6{1'b0}}});",
            "one_free = (write_next - read_pointer) >= 7'h2;",
            20,
        ),
    ],
    ..proof("read_master")
};

/// Its bursts: of the queue of words nothing is looked at.
pub const FRAMEBUFFER_WRITER: Proof = Proof {
    probes: &[
        probe("framebuffer_writer_addresses", CONSISTENT),
        probe("framebuffer_writer_addresses", EIGHT_WORDS),
        probe("framebuffer_writer_lengths", CONSISTENT),
        probe("framebuffer_writer_lengths", EIGHT_WORDS),
    ],
    properties: &[
        property("address_held", "an address and its length stay until they are taken"),
        property("burst", "a burst has 1 to 16 beats, begins at a multiple of 4, and stays within its 4 KiB"),
        property("answers", "at most 8 bursts are unanswered, and an answer is awaited while there is one"),
        property(
            "stopped",
            "no burst begins after `stop` or a failure, nor while one from before a `stop` is under way",
        ),
        property(
            "prompt",
            "a burst is announced once it is closed, in the clock after there is room for it, and never before",
        ),
        property(
            "failure",
            "the first bad answer that counts is reported, with its burst's address and code, until `clear`",
        ),
    ],
    broken: &[
        broken("address_withdrawn", "address_held", "if (bus_awready)", "if (1'b1)", 20),
        broken("crosses_the_page", "burst", " | (word_q[(32'h0)+:(10)] == 32'h3ff)", "", 20),
        broken("answer_not_awaited", "answers", "unanswered_push = load;", "unanswered_push = load & ~answered;", 20),
        broken("starts_after_stop", "stopped", "load = ~addresses_empty & ~flush &", "load = ~addresses_empty &", 20),
        broken(
            "announced_late",
            "prompt",
            "load = ~addresses_empty &",
            "load = ~addresses_empty & ~address_valid_q &",
            20,
        ),
        broken(
            "address_of_the_newest",
            "failure",
            "failed_address_state_d = ((unanswered_front)",
            "failed_address_state_d = ((address_word_q)",
            20,
        ),
    ],
    ..proof("framebuffer_writer")
};

/// The whole core with its datapaths cut away. Its clocks are those from the last that the bus owed.
pub const STOP: Proof = Proof {
    block: "rayman",
    cut: &[
        "rayman_lanes",
        "rayman_shading",
        "rayman_staging",
        "rayman_datapath",
        "rayman_camera",
        "rayman_source",
        "rayman_descriptor",
        "rayman_multiplier",
        "rayman_tally",
        "rayman_counters",
        "rayman_window_colours",
    ],
    probes: &[probe("rayman_addresses", CONSISTENT)],
    depth: 3,
    properties: &[property(
        "idle_in_time",
        "after a STOP while busy the core is IDLE once the bus has owed nothing for 15 clocks",
    )],
    broken: &[
        broken("never_settles", "idle_in_time", "rested_d = engine_idle;", "rested_d = 1'b0;", 32),
        broken(
            "forgets_that_a_read_ended",
            "idle_in_time",
            "outstanding_d = outstanding_down;",
            "outstanding_d = outstanding_q;",
            32,
        ),
    ],
    ..proof("stop")
};
