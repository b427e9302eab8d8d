//! Lanes that want something, each in turn.

use super::Clocked;
use crate::engine::arbiter::Arbiter;

/// The lane that is chosen in each of some clocks, with the lanes that want and whether one is served.
fn choices(clocks: &[([bool; 3], bool)]) -> Vec<Option<u64>> {
    let mut arbiter = Arbiter::<3>::default();
    arbiter.begin();
    let mut choices = vec![];
    for (wants, go) in clocks {
        for (signal, wants) in arbiter.wants.iter_mut().zip(wants) {
            signal.next = *wants;
        }
        arbiter.go.next = *go;
        arbiter.look();
        choices.push(arbiter.any.val().then(|| arbiter.chosen.val().to_u64()));
        arbiter.edge();
    }
    choices
}

#[test]
fn lanes_that_keep_wanting_are_served_in_turn() {
    let all = choices(&[([true; 3], true); 7]);
    assert_eq!(all, [2, 1, 0, 2, 1, 0, 2].map(Some));
    let two = choices(&[([true, false, true], true); 4]);
    assert_eq!(two, [2, 0, 2, 0].map(Some));
    let one = choices(&[([false, true, false], true); 3]);
    assert_eq!(one, [1; 3].map(Some));
    assert_eq!(choices(&[([false; 3], false); 2]), [None; 2]);
}

#[test]
fn the_choice_stays_until_it_is_served() {
    let wants = [true; 3];
    let chosen = choices(&[(wants, true), (wants, false), (wants, false), (wants, true), (wants, true)]);
    assert_eq!(chosen, [2, 1, 1, 1, 0].map(Some));
}

#[test]
fn a_single_lane_is_always_chosen() {
    let mut arbiter = Arbiter::<1>::default();
    arbiter.begin();
    for wants in [true, false, true, true] {
        arbiter.wants[0].next = wants;
        arbiter.go.next = wants;
        arbiter.look();
        assert_eq!((arbiter.any.val(), arbiter.chosen.val().to_u64()), (wants, 0));
        arbiter.edge();
    }
}
