//! Kernels index with literals, as rust-hdl wants: they must be those of the lists.

use crate::engine::core::{cause, event};
use crate::engine::counters::{counter_of, COUNT, EVENTS, SLOTS, TESTS};
use rayman_abi::register::COUNTERS;

/// Where the top puts the engine's events among all: behind `cycles`.
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
    ];
    assert_eq!(events.len(), event::COUNT);
    for (event, name) in events {
        assert_eq!(COUNTERS[counter_of(EVENTS_AT + event)].name, name);
    }
    assert_eq!(TESTS, counter_of(EVENTS_AT + event::TESTS));
    // `cycles` before them, `axi_stalls` behind.
    assert_eq!((COUNTERS[counter_of(0)].name, COUNTERS[counter_of(EVENTS - 1)].name), ("cycles", "axi_stalls"));
    let causes = [
        (cause::RAYS, "lost_rays"),
        (cause::SPHERES, "lost_spheres"),
        (cause::SHADER, "lost_shader"),
        (cause::OUTPUT, "lost_output"),
    ];
    assert_eq!(causes.len(), cause::COUNT);
    for (cause, name) in causes {
        assert_eq!(COUNTERS[SLOTS + 2 + cause].name, name);
    }
    assert_eq!((COUNTERS[SLOTS].name, COUNTERS[SLOTS + 1].name), ("slots_used", "slots_dead"));
    assert_eq!(COUNT, EVENTS + 2 + cause::COUNT);
}
