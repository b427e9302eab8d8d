//! The bars of the accuracy, on random rays of each setting; that the textbook's form misses them; and the judge itself.

use super::*;
use crate::kernels::{sphere_hit, sphere_radius, SphereHitInputs, SphereHitOutputs, SphereRadiusInputs, Triple, BIAS};
use crate::random::Random;
use crate::{Fp32, Host};

type Test = SphereHitInputs<Host>;

fn gathered(setting: Setting, seed: u64, kernel: fn(&mut Host, &Test) -> SphereHitOutputs<Host>) -> Hits {
    let mut random = Random::for_test("accuracy", seed);
    let mut hits = Hits::default();
    for _ in 0..60_000 {
        let test = setting.test(&mut random);
        hits.add(&test, &kernel(&mut Host, &test));
    }
    println!("{setting:?}: {}", hits.summary());
    hits
}

/// All of them together, and each by itself but for the share of the usual: far sides as seen from the surface have roots of up
/// to twice the radius, with units of twice the size.
#[test]
fn every_setting_meets_the_bars() {
    let mut all = Hits::default();
    for (at, (name, setting)) in Setting::ALL.into_iter().enumerate() {
        let hits = gathered(setting, 0x5eed_0060 + at as u64, sphere_hit);
        assert!(hits.all_within() && hits.undefined == 0, "{name}");
        assert!(hits.usual_share() >= if setting == Setting::Own { 0.995 } else { USUAL_SHARE }, "{name}");
        assert!(hits.hits() > 10_000 && hits.hits() + hits.misses + hits.grazing == 60_000, "{name}");
        all += &hits;
    }
    println!("all: {}", all.summary());
    assert!(all.good());
}

/// The form b^2 - c, under the same test: it fails far from small spheres, near by, and at edges.
#[test]
fn the_plain_form_misses_the_bars() {
    for setting in [Setting::Far, Setting::Near, Setting::Grazing] {
        let hits = gathered(setting, 0x5eed_0068, plain_sphere_hit);
        assert!(!hits.good(), "{setting:?}");
    }
    let far = gathered(Setting::Far, 0x5eed_0068, plain_sphere_hit);
    assert!(far.wrong > 1_000 && far.worst_hit > 100.0);
}

fn test(origin: [f32; 3], direction: [f32; 3], radius: f32) -> Test {
    let radius_squared = Fp32::from_f32(radius * radius);
    let sizes = SphereRadiusInputs { radius_squared, radius_inverse: Fp32::from_f32(1.0 / radius) };
    SphereHitInputs {
        origin: Triple(origin.map(Fp32::from_f32)),
        direction: Triple(direction.map(Fp32::from_f32)),
        centre: Triple::default(),
        radius_squared,
        radius: sphere_radius(&mut Host, &sizes).radius,
        own: false,
        inside: false,
    }
}

fn answer(distance: Option<f32>) -> SphereHitOutputs<Host> {
    SphereHitOutputs { hit: distance.is_some(), distance: Fp32::from_f32(distance.unwrap_or(0.0)) }
}

const Z: [f32; 3] = [0.0, 0.0, 1.0];

/// A judge that lets all pass would meet every bar. Head on, from 5 to a sphere of 1: the hit is at 4, an ulp of 5 is 2^-21.
#[test]
fn verdicts_by_hand() {
    let ulp = 1.0 / (1 << 21) as f32;
    let head_on = test([0.0, 0.0, -5.0], Z, 1.0);
    assert_eq!(Verdict::of(&head_on, &answer(Some(4.0))), Verdict::Hit(0.0));
    for units in [1.0, 3.0, 7.0, 100.0] {
        assert_eq!(Verdict::of(&head_on, &answer(Some(4.0 + units * ulp))), Verdict::Hit(f64::from(units)));
        assert_eq!(Verdict::of(&head_on, &answer(Some(4.0 - units * ulp))), Verdict::Hit(f64::from(units)));
    }
    // Not seen, or its far side: the radius would have to vanish.
    let radius = f64::from(1.0 / ulp);
    assert_eq!(Verdict::of(&head_on, &answer(None)), Verdict::Wrong(radius));
    assert_eq!(Verdict::of(&head_on, &answer(Some(6.0))), Verdict::Wrong(radius));
    // Two units past the edge, and two within.
    for (aside, met) in [(1.0 + 2.0 * ulp, false), (1.0 - 2.0 * ulp, true)] {
        let edge = test([0.0, aside, -5.0], Z, 1.0);
        assert!(
            matches!(Verdict::of(&edge, &answer((!met).then_some(5.0))), Verdict::Wrong(off) if (off - 2.0).abs() < 1e-6)
        );
        let right = Verdict::of(&edge, &answer(met.then_some(5.0)));
        assert!(
            if met { matches!(right, Verdict::Hit(off) if off < 2.1) } else { right == Verdict::Miss },
            "{right:?}"
        );
    }
    assert_eq!(Verdict::of(&test([0.0, 0.0, f32::INFINITY], Z, 1.0), &answer(None)), Verdict::Undefined);
    assert_eq!(Verdict::of(&test([0.0, f32::NAN, 0.0], Z, 1.0), &answer(None)), Verdict::Undefined);
    assert_eq!(Verdict::of(&test([0.0, 0.0, -5.0], Z, f32::INFINITY), &answer(None)), Verdict::Undefined);
}

/// The sphere that the ray starts on: outwards it is not met, inwards only its far side, and to miss that is wrong.
#[test]
fn verdicts_of_the_own_sphere_by_hand() {
    let mut leaving = test([0.0, 0.0, -1.0], Z, 1.0);
    leaving.own = true;
    assert_eq!(Verdict::of(&leaving, &answer(None)), Verdict::Miss);
    assert!(matches!(Verdict::of(&leaving, &answer(Some(2.0))), Verdict::Wrong(off) if off > MOST_ULP));
    leaving.inside = true;
    assert_eq!(Verdict::of(&leaving, &answer(Some(2.0))), Verdict::Hit(0.0));
    assert!(matches!(Verdict::of(&leaving, &answer(None)), Verdict::Wrong(off) if off > MOST_ULP));
}

/// A ray that starts on a surface or just inside of it, of a sphere that it does not belong to: from the surface up to the bias
/// inwards the root beside it does not count, farther in it does.
#[test]
fn starts_on_and_just_inside_a_surface() {
    for radius in [0.37f32, 1.0, 5.0, 1000.0, 1e6] {
        for (depth, leaves) in [(0.0, true), (0.5, true), (2.0, false), (100.0, false)] {
            let start = radius - depth * radius * BIAS;
            let outwards = test([0.0, 0.0, start], Z, radius);
            let got = sphere_hit(&mut Host, &outwards);
            assert_eq!(got.hit, !leaves, "radius {radius}, {depth} of the bias");
            assert!(matches!(Verdict::of(&outwards, &got), Verdict::Miss | Verdict::Hit(0.0..=MOST_USUAL_ULP)));
            let inwards = test([0.0, 0.0, -start], Z, radius);
            let got = sphere_hit(&mut Host, &inwards);
            assert!(matches!(Verdict::of(&inwards, &got), Verdict::Hit(0.0..=MOST_USUAL_ULP)));
            assert!(got.hit && got.distance.to_f32() > 1.9 * radius, "the far side");
        }
    }
}

/// A sphere of radius 0 is none, nor is one whose square flushes to zero; with a finite inverse it is a point at most.
#[test]
fn radius_zero_is_no_sphere() {
    for radius in [0.0f32, 1e-30, -0.0] {
        for origin in [[0.0, 0.0, -5.0], [0.0; 3], [0.0, 1e-6, -5.0], [0.0, 3.0, 0.0]] {
            let zero = test(origin, Z, radius);
            assert_eq!(zero.radius_squared.canonical(), Fp32::ZERO);
            let got = sphere_hit(&mut Host, &zero);
            if radius == 0.0 {
                assert!(!got.hit, "{radius} from {origin:?}");
            }
            let point = SphereHitInputs { radius: Fp32::ZERO, ..zero };
            let got = sphere_hit(&mut Host, &point);
            assert_eq!(got.hit, origin == [0.0, 0.0, -5.0], "{radius} from {origin:?}");
            assert!(!got.hit || got.distance.to_f32() == 5.0);
        }
    }
}

/// Equal spheres have equal distances, to the bit, so the lower index counts; of concentric ones the greater is nearer from
/// without, the smaller from within.
#[test]
fn equal_and_concentric_spheres_are_ordered() {
    let mut random = Random::for_test("equal_and_concentric_spheres_are_ordered", 0x5eed_0069);
    let mut met = 0;
    for _ in 0..20_000 {
        let one = Setting::Near.test(&mut random);
        let other = SphereHitInputs { radius_squared: Fp32(one.radius_squared.0 + 8), ..one.clone() };
        let [one, twin, other] = [&one, &one.clone(), &other].map(|test| sphere_hit(&mut Host, test));
        assert_eq!((one.hit, one.distance), (twin.hit, twin.distance));
        if one.hit {
            assert!(other.hit && other.distance.to_f32() <= one.distance.to_f32());
            met += 1;
        }
    }
    assert!(met > 10_000);
}

/// A share of the angles; `rayman robustness` tries each.
#[test]
fn tangents_in_steps_are_within_their_bar() {
    let tangents = Tangents::measure(1009);
    println!("{tangents:?}");
    assert!(tangents.angles > 60_000 && tangents.worst > 0.5 && tangents.worst <= MOST_TANGENT_ULP);
}
