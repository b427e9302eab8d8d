//! A lane: rays in, tests, retired rays out.
//!
//! The spheres lie on the z axis, sphere i of radius 1 around (0, 0, -10 (i + 1)); a ray from the origin along -z meets sphere 0
//! first, at distance 9.

use super::Clocked;
use crate::engine::entry::{Entry, Retired};
use crate::engine::lane::Lane;

const SPHERES: u64 = 3;

struct Bench {
    lane: Lane<3, 4>,
    sphere: u64,
}

fn entry(context: u64, shadow: bool) -> Entry {
    Entry { context: context.into(), shadow, ..Default::default() }
}

fn float(value: f32) -> rust_hdl_core::prelude::Bits<32> {
    u64::from(value.to_bits()).into()
}

impl Bench {
    fn new() -> Self {
        let mut lane = Lane::<3, 4>::default();
        lane.begin();
        lane.sphere_valid.next = true;
        lane.sphere_count.next = SPHERES.into();
        lane.radius_squared.next = float(1.0);
        lane.radius_inverse.next = float(1.0);
        lane.radius.next = float(1.0);
        // Secondary rays start on some other sphere.
        lane.ray_start.next = SPHERES.into();
        Self { lane, sphere: 0 }
    }

    /// A clock; answers whether a ray was wanted, and whether a test was issued.
    fn clock(&mut self, ray: Option<(Entry, f32)>) -> (bool, bool) {
        let lane = &mut self.lane;
        lane.sphere_index.next = self.sphere.into();
        lane.sphere_material.next = (self.sphere + 1).into();
        lane.centre_z.next = float(-10.0 * (self.sphere + 1) as f32);
        lane.give.next = false;
        lane.look();
        let wanted = lane.wants.val();
        if let Some((entry, direction)) = ray.filter(|_| wanted) {
            lane.give.next = true;
            lane.ray_entry.next = entry;
            lane.direction_z.next = float(direction);
            lane.look();
        }
        if lane.sphere_ready.val() {
            self.sphere = (self.sphere + 1) % SPHERES;
        }
        let test = lane.test.val();
        assert!(!(test && lane.test_dead.val()));
        lane.edge();
        (wanted, test)
    }

    /// Runs until a ray waits to be collected; takes it.
    fn collect(&mut self) -> Retired {
        for _ in 0..400 {
            if self.lane.waits.val() {
                let retired = self.lane.retired.val();
                self.lane.take.next = true;
                self.clock(None);
                self.lane.take.next = false;
                return retired;
            }
            self.clock(None);
        }
        panic!("no ray retires");
    }
}

#[test]
fn a_ray_is_tested_with_every_sphere_and_its_hit_is_kept() {
    let mut bench = Bench::new();
    assert_eq!(bench.clock(Some((entry(5, false), -1.0))), (true, false));
    let tests = (0..60).filter(|_| bench.clock(None).1).count();
    assert_eq!(tests as u64, SPHERES);
    let retired = bench.collect();
    assert_eq!(retired, Retired { context: 5.into(), hit: true, ..Default::default() });
    bench.lane.hit_context.next = 5.into();
    bench.clock(None);
    bench.clock(None);
    let lane = &bench.lane;
    assert_eq!(lane.hit_distance.val(), float(9.0));
    assert_eq!((lane.hit_index.val().to_u64(), lane.hit_material.val().to_u64()), (0, 1));
    assert_eq!([lane.hit_centre_x.val(), lane.hit_centre_y.val()], [float(0.0); 2]);
    assert_eq!((lane.hit_centre_z.val(), lane.hit_radius_inverse.val()), (float(-10.0), float(1.0)));
    assert!(!lane.waits.val());
}

#[test]
fn a_ray_that_looks_away_misses() {
    let mut bench = Bench::new();
    bench.clock(Some((entry(2, false), 1.0)));
    assert_eq!(bench.collect(), Retired { context: 2.into(), ..Default::default() });
}

#[test]
fn a_shadow_ray_hits_only_what_lies_before_its_own_light() {
    for (limit, hit) in [(9.5, true), (8.5, false)] {
        let mut bench = Bench::new();
        for context in 0..8u64 {
            bench.lane.limit_write.next = true;
            bench.lane.limit_context.next = context.into();
            bench.lane.limit.next = float(if context == 6 { limit } else { 20.0 - limit });
            bench.clock(None);
        }
        bench.lane.limit_write.next = false;
        bench.clock(Some((entry(6, true), -1.0)));
        assert_eq!(bench.collect(), Retired { context: 6.into(), shadow: true, hit, ..Default::default() });
    }
}

#[test]
fn a_ray_in_two_clocks_is_taken_while_slots_are_free_and_all_come_back() {
    let mut bench = Bench::new();
    let mut given = 0;
    let mut clocks = vec![];
    for clock in 0..24u64 {
        let ray = (given < 8).then(|| (entry(given, false), if given % 2 == 0 { -1.0 } else { 1.0 }));
        let (wanted, _) = bench.clock(ray);
        if wanted && given < 8 {
            clocks.push(clock);
            given += 1;
        }
    }
    assert_eq!(clocks, (0..8).map(|n| 2 * n).collect::<Vec<u64>>(), "a ray in two clocks");
    let mut hits: Vec<(u64, bool)> =
        (0..8).map(|_| bench.collect()).map(|ray| (ray.context.to_u64(), ray.hit)).collect();
    hits.sort_unstable();
    assert_eq!(hits, (0..8).map(|context| (context, context % 2 == 0)).collect::<Vec<_>>());
}

#[test]
fn reset_drops_every_ray() {
    let mut bench = Bench::new();
    for context in 0..3 {
        bench.clock(Some((entry(context, false), -1.0)));
    }
    bench.lane.reset(true);
    bench.clock(None);
    bench.lane.reset(false);
    for _ in 0..300 {
        let (wanted, test) = bench.clock(None);
        assert!(wanted && !test && !bench.lane.waits.val());
    }
}
