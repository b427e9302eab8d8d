//! The rays that wait.

use super::{drive, Clocked};
use crate::engine::entry::Entry;
use crate::engine::staging::Staging;

fn ray(context: u64, shadow: bool, reflection: bool) -> Entry {
    Entry { context: context.into(), shadow, reflection, carry: false }
}

/// Eight contexts; the camera at (1, 2, 3), every memory filled with numbers that tell whose they are.
fn staging() -> Staging<3> {
    let mut staging = Staging::<3>::default();
    staging.begin();
    drive!(staging.position, [1u32, 2, 3]);
    staging.shaded.next = true;
    staging.start_write.next = true;
    for context in 0..8u64 {
        staging.shaded_context.next = context.into();
        // Point 100.., direction to the light 200.., reflected direction 300...
        drive!(staging.shaded_rays, (0..9).map(|i| 100 * (i / 3 + 1) + 10 * context + i % 3));
        staging.shaded_inside.next = context % 2 == 1;
        staging.start_context.next = context.into();
        staging.start_index.next = (40 + context).into();
        staging.look();
        staging.edge();
    }
    staging.shaded.next = false;
    staging.start_write.next = false;
    staging
}

/// Pushes a primary ray, one from the shader, one that returned, each if given, in one clock.
fn push(staging: &mut Staging<3>, primary: Option<u64>, follow: Option<Entry>, returned: Option<Entry>) {
    staging.generated.next = primary.is_some();
    staging.generated_context.next = primary.unwrap_or_default().into();
    drive!(staging.generated_direction, (0..3).map(|i| 400 + 10 * primary.unwrap_or_default() + i));
    staging.follow.next = follow.is_some();
    staging.follow_entry.next = follow.unwrap_or_default();
    staging.returned.next = returned.is_some();
    staging.returned_entry.next = returned.unwrap_or_default();
    staging.look();
    staging.edge();
    staging.generated.next = false;
    staging.follow.next = false;
    staging.returned.next = false;
}

/// Takes rays for so many clocks; answers the clock and the entry of each.
fn take(staging: &mut Staging<3>, clocks: u64) -> Vec<(u64, Entry)> {
    let mut taken = vec![];
    staging.ray_ready.next = true;
    for clock in 0..clocks {
        staging.look();
        if staging.ray_valid.val() {
            taken.push((clock, staging.ray_entry.val()));
        }
        staging.edge();
    }
    staging.ray_ready.next = false;
    taken
}

#[test]
fn pixels_that_are_further_on_go_first_one_in_two_clocks() {
    let mut staging = staging();
    push(&mut staging, Some(0), Some(ray(2, true, false)), Some(ray(4, false, true)));
    // The first is picked before the others came; it is the furthest on as well.
    push(&mut staging, Some(1), Some(ray(3, false, true)), Some(ray(5, false, true)));
    let taken = take(&mut staging, 20);
    let contexts: Vec<u64> = taken.iter().map(|(_, entry)| entry.context.to_u64()).collect();
    assert_eq!(contexts, [4, 5, 2, 3, 0, 1]);
    let clocks: Vec<u64> = taken.iter().map(|(clock, _)| clock - taken[0].0).collect();
    assert_eq!(clocks, [0, 2, 4, 6, 8, 10]);
    assert_eq!(taken[2].1, ray(2, true, false));
    assert_eq!(taken[4].1, ray(0, false, false));
}

#[test]
fn a_ray_is_staged_six_clocks_after_it_came() {
    let mut staging = staging();
    push(&mut staging, Some(6), None, None);
    let taken = take(&mut staging, 10);
    // Pushed in the clock before clock 0.
    assert_eq!(taken, [(5, ray(6, false, false))]);
}

#[test]
fn each_kind_of_ray_starts_where_it_must() {
    for context in [3u64, 6] {
        let base = 10 * context;
        let light = [100 + base, 101 + base, 102 + base, 200 + base, 201 + base, 202 + base];
        let mirror = [100 + base, 101 + base, 102 + base, 300 + base, 301 + base, 302 + base];
        let primary = [1, 2, 3, 400 + base, 401 + base, 402 + base];
        for (kind, expected) in [(0, primary), (1, light), (2, mirror), (3, mirror)] {
            let mut staging = staging();
            match kind {
                0 => push(&mut staging, Some(context), None, None),
                1 => push(&mut staging, None, Some(ray(context, true, false)), None),
                2 => push(&mut staging, None, Some(ray(context, false, true)), None),
                _ => push(&mut staging, None, None, Some(ray(context, false, true))),
            }
            // It waits, unchanged, until it is taken.
            for clock in 0..8 {
                staging.look();
                assert_eq!(staging.ray_valid.val(), clock >= 5);
                if clock >= 5 {
                    let ray: Vec<u64> = staging.ray.iter().map(|word| word.val().to_u64()).collect();
                    assert_eq!(ray, expected, "kind {kind}");
                    assert_eq!(staging.ray_inside.val(), kind > 0 && context % 2 == 1);
                    if kind > 0 {
                        assert_eq!(staging.ray_start.val().to_u64(), 40 + context);
                    }
                }
                staging.edge();
            }
            assert_eq!(take(&mut staging, 6).len(), 1);
        }
    }
}

#[test]
fn every_context_fits_into_each_queue() {
    let mut staging = staging();
    for context in 0..8 {
        push(&mut staging, None, Some(ray(context, true, false)), None);
    }
    for context in 0..8 {
        push(&mut staging, Some(context), None, None);
    }
    let contexts: Vec<u64> = take(&mut staging, 40).iter().map(|(_, entry)| entry.context.to_u64()).collect();
    assert_eq!(contexts, (0..8).chain(0..8).collect::<Vec<u64>>());
}

#[test]
fn reset_drops_the_rays() {
    let mut staging = staging();
    push(&mut staging, Some(0), Some(ray(2, true, false)), Some(ray(4, false, true)));
    push(&mut staging, Some(1), None, None);
    staging.reset(true);
    staging.look();
    staging.edge();
    staging.reset(false);
    assert_eq!(take(&mut staging, 20), []);
}
