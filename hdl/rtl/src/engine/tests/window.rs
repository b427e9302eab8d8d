//! The reorder window.

use super::Clocked;
use crate::engine::entry::Place;
use crate::engine::window::Window;
use rayman_model::random::Random;
use std::collections::VecDeque;

/// Eight places, the first of which is clear.
fn window() -> Window<3> {
    let mut window = Window::<3>::default();
    window.begin();
    window.pixel_ready.next = true;
    clear_the_first(&mut window);
    window
}

/// The first clock after reset.
fn clear_the_first(window: &mut Window<3>) {
    window.look();
    assert!(!window.room.val() && window.idle.val(), "the first place is not clear yet");
    window.edge();
    window.look();
    assert!(window.room.val() && window.idle.val());
}

/// What was seen in a clock: the place opened, if asked and there was room, and the pixel taken.
fn clock(window: &mut Window<3>, open: bool, write: Option<(Place, u64)>) -> (Option<Place>, Option<u64>) {
    window.write.next = write.is_some();
    let (place, colour) = write.unwrap_or_default();
    window.write_place.next = place;
    window.write_colour.next = colour.into();
    window.open.next = false;
    window.look();
    let opened = (open && window.room.val()).then(|| window.place.val());
    window.open.next = opened.is_some();
    window.look();
    let taken = (window.pixel_valid.val() && window.pixel_ready.val()).then(|| window.pixel.val().to_u64());
    window.edge();
    (opened, taken)
}

#[test]
fn pixels_leave_in_the_order_of_their_places_whatever_the_order_of_writes() {
    let orders = [[0, 1, 2, 3, 4, 5, 6, 7], [7, 6, 5, 4, 3, 2, 1, 0], [3, 0, 7, 1, 6, 2, 5, 4]];
    let mut window = window();
    // Three laps, the marks of which differ.
    for (lap, order) in orders.into_iter().enumerate() {
        let places: Vec<Place> = (0..8).map(|_| clock(&mut window, true, None).0.expect("there is room")).collect();
        for (i, place) in places.iter().enumerate() {
            assert_eq!((place.index.to_u64(), place.lap), (i as u64, lap % 2 == 0));
        }
        let mut taken = vec![];
        for i in order {
            taken.extend(clock(&mut window, false, Some((places[i], 100 * lap as u64 + i as u64))).1);
        }
        for _ in 0..3 * 8 {
            taken.extend(clock(&mut window, false, None).1);
        }
        let expected: Vec<u64> = (0..8).map(|i| 100 * lap as u64 + i).collect();
        assert_eq!(taken, expected);
        window.look();
        assert!(window.idle.val());
    }
}

#[test]
fn a_full_window_has_no_room_until_its_oldest_pixel_leaves() {
    let mut window = window();
    let places: Vec<Place> = (0..8).map(|_| clock(&mut window, true, None).0.expect("there is room")).collect();
    assert_eq!(clock(&mut window, true, None).0, None);
    assert_eq!(clock(&mut window, true, Some((places[1], 1))).0, None, "not the oldest");
    // Written in one clock, on the port three clocks later, room in the clock after it was taken, the next one on the port
    // three clocks after it.
    assert_eq!(clock(&mut window, true, Some((places[0], 0))), (None, None));
    assert_eq!(clock(&mut window, true, None), (None, None));
    assert_eq!(clock(&mut window, true, None), (None, None));
    assert_eq!(clock(&mut window, true, None), (None, Some(0)));
    let (opened, taken) = clock(&mut window, true, None);
    assert_eq!(opened, Some(Place { index: 0.into(), lap: false }), "the next lap");
    assert_eq!(taken, None);
    assert_eq!(clock(&mut window, true, None), (None, None));
    assert_eq!(clock(&mut window, true, None), (None, Some(1)));
}

#[test]
fn a_pixel_stays_until_it_is_taken() {
    let mut window = window();
    let place = clock(&mut window, true, None).0.expect("there is room");
    window.pixel_ready.next = false;
    clock(&mut window, false, Some((place, 0x12_3456)));
    clock(&mut window, false, None);
    clock(&mut window, false, None);
    for _ in 0..5 {
        window.look();
        assert!(window.pixel_valid.val() && !window.idle.val());
        assert_eq!(window.pixel.val().to_u64(), 0x12_3456);
        window.edge();
    }
    window.pixel_ready.next = true;
    assert_eq!(clock(&mut window, false, None).1, Some(0x12_3456));
    window.look();
    assert!(!window.pixel_valid.val() && window.idle.val());
}

#[test]
fn random_traffic_keeps_its_order() {
    let mut window = window();
    let mut random = Random::for_test("random_traffic_keeps_its_order", 11);
    let mut open: Vec<(Place, u64)> = vec![];
    let mut expected = VecDeque::new();
    let (mut next, mut left) = (0, 0);
    for round in 0..6000 {
        // From time to time everything is forgotten, with colours of either lap in the memory and before it is clear again.
        if round % 1000 < 300 && round % 23 == 0 {
            window.reset(true);
            clock(&mut window, false, None);
            window.reset(false);
            clock(&mut window, false, None);
            open.clear();
            expected.clear();
        }
        window.pixel_ready.next = random.below(100) < 60;
        let write = (!open.is_empty() && random.below(100) < 50)
            .then(|| open.swap_remove(random.below(open.len() as u32) as usize));
        let (opened, taken) = clock(&mut window, random.below(100) < 70, write);
        if let Some(place) = opened {
            open.push((place, next));
            expected.push_back(next);
            next += 1;
        }
        if let Some(colour) = taken {
            assert_eq!(Some(colour), expected.pop_front());
            left += 1;
        }
        assert!(expected.len() <= 8);
    }
    assert!(left > 1000, "{left} pixels left");
}

#[test]
fn a_reset_forgets_what_was_written() {
    let mut window = window();
    let places: Vec<Place> = (0..3).map(|_| clock(&mut window, true, None).0.expect("there is room")).collect();
    window.pixel_ready.next = false;
    for place in places {
        clock(&mut window, false, Some((place, 9)));
    }
    window.reset(true);
    clock(&mut window, false, None);
    window.reset(false);
    window.pixel_ready.next = true;
    clear_the_first(&mut window);
    let opened: Vec<_> = (0..3).map(|_| clock(&mut window, true, None)).collect();
    assert!(opened.iter().all(|(opened, taken)| opened.is_some() && taken.is_none()), "no pixel of before");
    window.look();
    assert!(!window.pixel_valid.val() && !window.idle.val());
}

#[test]
fn places_open_no_faster_than_they_are_cleared() {
    let mut window = window();
    let first = clock(&mut window, true, None).0.expect("there is room");
    // A write takes the memory's port: nothing is cleared meanwhile, and the place cleared last is the only one.
    assert!(clock(&mut window, true, Some((first, 1))).0.is_some());
    assert_eq!(clock(&mut window, true, Some((first, 1))).0, None);
    assert_eq!(clock(&mut window, true, None).0, None);
    assert!(clock(&mut window, true, None).0.is_some());
}
