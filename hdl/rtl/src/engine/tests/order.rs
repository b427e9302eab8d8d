//! Kernels index with literals, as rust-hdl wants: they must be those of the lists.

use crate::engine::core::event;
use crate::engine::counters::{COUNT, TESTS};
use rayman_abi::register::COUNTERS;

/// Where the top puts the engine's events among the counters: behind `cycles`.
const EVENTS_AT: usize = 1;

#[test]
fn events_are_in_the_order_of_the_counters() {
    let events = [
        (event::PRIMARY, "primary_rays"),
        (event::SHADOW, "shadow_rays"),
        (event::REFLECTION, "reflection_rays"),
        (event::HIT, "hits"),
        (event::OCCLUDED, "occluded"),
        (event::PIXEL, "pixels"),
        (event::TESTS, "tests"),
        (event::USED, "slots_used"),
        (event::DEAD, "slots_dead"),
        (event::LOST_RAYS, "lost_rays"),
        (event::LOST_SPHERES, "lost_spheres"),
        (event::LOST_SHADER, "lost_shader"),
        (event::LOST_OUTPUT, "lost_output"),
    ];
    assert_eq!(events.len(), event::COUNT);
    for (event, name) in events {
        assert_eq!(COUNTERS[EVENTS_AT + event].name, name);
    }
    assert_eq!(COUNTERS[TESTS].name, "tests");
    assert_eq!(TESTS, EVENTS_AT + event::TESTS);
    // `cycles` before them, `axi_stalls` behind.
    assert_eq!((COUNTERS[0].name, COUNTERS[COUNT - 1].name), ("cycles", "axi_stalls"));
    assert_eq!(COUNT, EVENTS_AT + event::COUNT + 1);
}
