//! The store of rays: those that wait, and those in slots. None is lost, doubled or changed.

use super::{broken, probe, proof, property, Proof, CONSISTENT};

pub const SLOTS_2: Proof = Proof {
    name: "slots_2",
    size: Some(1),
    probes: &[
        probe("slots_entries", "wire [`SIZE-1:0] probe_place; wire [12:0] probe_word = memory[probe_place];"),
        probe("slots_contexts", "wire [`SIZE-1:0] probe_place; wire [9:0] probe_word = memory[probe_place];"),
        probe(
            "slots_rays",
            "wire [`SIZE-1:0] probe_place; wire [287:0] probe_word = memory[probe_place]; wire [287:0] probe_read = \
             {read_data_8, read_data_7, read_data_6, read_data_5, read_data_4, read_data_3, read_data_2, read_data_1, \
             read_data_0};",
        ),
    ],
    properties: &[
        property("turns", "slots have their clocks in turn, while a sphere is on show; the last one's ends the sphere's turn"),
        property("taken", "a ray is taken in the clock of a slot that holds none, while a sphere is on show, and never else"),
        property(
            "tested",
            "any one slot's ray is tested in each of the slot's clocks, unchanged, from its first test to its last, or to \
             the second clock after its kill, and in none thereafter",
        ),
        property("marked", "first is the test in which it was taken, last the one before the first one's sphere comes again"),
        property("dead", "a test is called dead in the clock of its ray's kill and in the one after, and never else"),
    ],
    broken: &[
        broken("sphere_leaves_early", "turns", "sphere_ready = turn_ends_q;", "sphere_ready = 1'b1;", 16),
        broken("taken_without_a_sphere", "taken", "ray_ready = sphere_valid & ~held;", "ray_ready = ~held;", 16),
        broken("slot_stays_full", "taken", "stays = issue & ~last;", "stays = issue;", 16),
        broken("lost_after_a_test", "tested", "stays = issue & ~last;", "stays = held & ~last;", 24),
        broken(
            "overwritten_while_held",
            "tested",
            "entries_write_enable = take;",
            "entries_write_enable = sphere_valid & ray_valid;",
            24,
        ),
        broken("kill_forgotten", "tested", "kill_late_d = kill;", "kill_late_d = 1'b0;", 24),
        broken(
            "killed_for_another",
            "tested",
            "found = kill_late_q & (contexts_read_data == kill_context_late_q) &",
            "found = kill_late_q &",
            24,
        ),
        broken("killed_as_it_joins", "tested", "& ~retaken_q;", ";", 24),
        broken("killed_after_it_joined", "tested", "(ending & ~joining)", "ending", 24),
        broken("first_sphere_twice", "marked", "rays_write_data_7 = previous_index;", "rays_write_data_7 = sphere_index;", 24),
        broken("dying_unseen", "dead", "(dying_now | dying_late)", "(dying_late)", 24),
    ],
    ..proof("slots")
};

/// The core's own size. A turn is 16 clocks, so that broken copies would be refuted far from reset: those of two slots
/// must do.
pub const SLOTS_16: Proof = Proof { name: "slots_16", size: Some(4), broken: &[], ..SLOTS_2 };

/// Of four contexts: the invariants look at every place of every queue.
pub const STAGING_4: Proof = Proof {
    name: "staging_4",
    size: Some(2),
    probes: &[
        probe("staging_generated_queue", "wire [7:0] probe_words = {memory[3], memory[2], memory[1], memory[0]};"),
        probe("staging_returned_queue", "wire [51:0] probe_words = {memory[3], memory[2], memory[1], memory[0]};"),
        probe("staging_picked", CONSISTENT),
        probe("staging_picked", "wire [25:0] probe_words = {memory[1], memory[0]};"),
        probe(
            "staging_primary",
            "wire [1:0] probe_place; wire [95:0] probe_word = memory[probe_place]; wire [95:0] probe_read = \
             {read_data_2, read_data_1, read_data_0};",
        ),
        probe(
            "staging_secondary",
            "wire [1:0] probe_place; wire [319:0] probe_word = memory[probe_place]; wire [319:0] probe_read = \
             {read_data_9, read_data_8, read_data_7, read_data_6, read_data_5, read_data_4, read_data_3, read_data_2, \
             read_data_1, read_data_0};",
        ),
        probe(
            "staging_start",
            "wire [1:0] probe_place; wire [31:0] probe_word = memory[probe_place]; wire [31:0] probe_read = read_data_0;",
        ),
    ],
    properties: &[
        property("once", "any one context's ray is offered only while it waits, so once, and unchanged"),
        property("soon", "while a ray has waited for six clocks one is offered in every second clock, so none is lost"),
        property("held", "an offered ray stays until it is taken"),
        property(
            "data",
            "an offered ray starts where its kind says, in its direction, from what was written for its context",
        ),
    ],
    broken: &[
        broken("offered_again", "once", "picked_pop = take;", "picked_pop = 1'b0;", 16),
        broken(
            "loses_one_of_two",
            "soon",
            "returned_queue_push = returned;",
            "returned_queue_push = returned & ~follow;",
            16,
        ),
        broken("picks_without_room", "soon", "picks = ~picked_full & ~coming_q;", "picks = ~coming_q;", 20),
        broken(
            "overtaken_while_offered",
            "held",
            "take = ~picked_empty & (~valid_q | taken);",
            "take = ~picked_empty;",
            16,
        ),
        broken(
            "primary_ray_within",
            "data",
            "inside_late_q & (entry_q[(64'ha)+:(1)] | entry_q[(64'hb)+:(1)]);",
            "inside_late_q;",
            16,
        ),
    ],
    ..proof("staging")
};
