//! The kernels against values worked out by hand, against `f64`, and against formulas that are not theirs.

use super::*;
use crate::accuracy::tangent_error;
use crate::kernel::{Kernel, Kind, Port};
use crate::random::Random;
use crate::{Fp32, Host, F64};
use std::collections::BTreeMap;

fn triple(v: [f32; 3]) -> Triple<Fp32> {
    Triple(v.map(Fp32::from_f32))
}

fn values(v: &Triple<Fp32>) -> [f32; 3] {
    v.0.map(Fp32::to_f32)
}

fn number(v: f32) -> Fp32 {
    Fp32::from_f32(v)
}

fn wide(v: [f32; 3]) -> [f64; 3] {
    v.map(f64::from)
}

fn dot64(u: [f64; 3], v: [f64; 3]) -> f64 {
    u[0] * v[0] + u[1] * v[1] + u[2] * v[2]
}

fn unit(v: [f64; 3]) -> [f64; 3] {
    let length = dot64(v, v).sqrt();
    v.map(|c| c / length)
}

fn close(got: [f32; 3], want: [f64; 3], error: f64) -> bool {
    got.iter().zip(want).all(|(g, w)| (f64::from(*g) - w).abs() <= error)
}

// ---- ports ----

fn names(ports: &[Port], kind: Kind) -> String {
    ports.iter().filter(|p| p.kind == kind).map(|p| p.name).collect::<Vec<_>>().join(" ")
}

/// The ports are those of ARCHITECTURE.md.
#[test]
fn ports_are_the_contract() {
    assert_eq!(
        (Camera::NAME, PrimaryRay::NAME, SphereHit::NAME, Shade::NAME),
        ("camera", "primary_ray", "sphere_hit", "shade")
    );
    assert_eq!(
        names(Camera::INPUTS, Kind::Float),
        "position_x position_y position_z target_x target_y target_z fov_degrees"
    );
    assert_eq!(names(Camera::INPUTS, Kind::Word), "screen");
    assert_eq!(
        names(Camera::OUTPUTS, Kind::Float),
        "forward_x forward_y forward_z right_x right_y right_z up_x up_y up_z centre_x centre_y"
    );
    assert_eq!(names(Camera::OUTPUTS, Kind::Flag), "fov_ok direction_ok");
    assert_eq!(
        names(PrimaryRay::INPUTS, Kind::Float),
        "forward_x forward_y forward_z right_x right_y right_z up_x up_y up_z centre_x centre_y"
    );
    assert_eq!(names(PrimaryRay::INPUTS, Kind::Word), "pixel");
    assert_eq!(names(PrimaryRay::OUTPUTS, Kind::Float), "direction_x direction_y direction_z");
    assert_eq!(
        names(SphereHit::INPUTS, Kind::Float),
        "origin_x origin_y origin_z direction_x direction_y direction_z centre_x centre_y centre_z radius_squared radius"
    );
    assert_eq!(names(SphereHit::INPUTS, Kind::Flag), "own inside");
    assert_eq!(names(SphereHit::OUTPUTS, Kind::Flag), "hit");
    assert_eq!(names(SphereHit::OUTPUTS, Kind::Float), "distance");
    assert_eq!(
        names(Shade::INPUTS, Kind::Float),
        "origin_x origin_y origin_z direction_x direction_y direction_z distance centre_x centre_y centre_z radius_inverse \
         light_x light_y light_z accumulated_r accumulated_g accumulated_b weight"
    );
    assert_eq!(names(Shade::INPUTS, Kind::Word), "material_0 material_1 material_2 material_3 background");
    assert_eq!(names(Shade::INPUTS, Kind::Flag), "hit last");
    assert_eq!(
        names(Shade::OUTPUTS, Kind::Float),
        "point_x point_y point_z to_light_x to_light_y to_light_z light_distance reflected_x reflected_y reflected_z \
         lit_r lit_g lit_b dark_r dark_g dark_b next_weight"
    );
    assert_eq!(names(Shade::OUTPUTS, Kind::Flag), "inside lit reflects");
    assert_eq!(names(Shade::OUTPUTS, Kind::Word), "lit_pixel dark_pixel");
}

/// The adapter gives each port the value of the field it is named after.
#[test]
fn adapters_keep_the_order_of_ports() {
    let inputs: Vec<Value<Host>> = SphereHit::INPUTS
        .iter()
        .map(|port| match port.name {
            "origin_z" => Value::Float(number(-5.0)),
            "direction_z" | "radius_squared" | "radius" => Value::Float(number(1.0)),
            _ if port.kind == Kind::Flag => Value::Flag(false),
            _ => Value::Float(number(0.0)),
        })
        .collect();
    let outputs = SphereHit::evaluate(&mut Host, &inputs);
    assert!(matches!(outputs[..], [Value::Flag(true), Value::Float(distance)] if distance.to_f32() == 4.0));
}

// ---- operator counts ----

/// Counts operators; values are not there.
#[derive(Default)]
struct Counter(BTreeMap<&'static str, u32>);

impl Counter {
    fn count(&mut self, name: &'static str) {
        *self.0.entry(name).or_default() += 1;
    }
    fn of(&self, name: &str) -> u32 {
        self.0.get(name).copied().unwrap_or(0)
    }
}

macro_rules! counted {
    ($($name:ident($($argument:ident: $kind:ident),*) -> $answer:ident;)*) => {
        $(fn $name(&mut self, $($argument: &()),*) { $(let _ = $argument;)* self.count(stringify!($name)); })*
    };
}

impl Arithmetic for Counter {
    type F = ();
    type I = ();
    type B = ();
    fn number(&mut self, _: f32) {}
    fn word(&mut self, _: u32) {}
    counted! {
        add(x: F, y: F) -> F; sub(x: F, y: F) -> F; mul(x: F, y: F) -> F; div(x: F, y: F) -> F; sqrt(x: F) -> F;
        neg(x: F) -> F; abs(x: F) -> F; lt(x: F, y: F) -> B; le(x: F, y: F) -> B; eq(x: F, y: F) -> B;
        select(c: B, x: F, y: F) -> F; select_word(c: B, x: I, y: I) -> I; and(x: B, y: B) -> B; or(x: B, y: B) -> B;
        not(x: B) -> B; int_to_float(x: I) -> F; float_to_int(x: F) -> I;
    }
    fn bit(&mut self, _: &(), _: u32) {}
    fn field(&mut self, _: &(), _: u32, _: u32) {}
    fn pack(&mut self, _: &[(&(), u32)]) {}
}

/// Counts a kernel's operators: products, sums and differences, comparisons, quotients, roots, conversions.
fn counts<K: Kernel>() -> [u32; 6] {
    let inputs: Vec<Value<Counter>> = K::INPUTS
        .iter()
        .map(|port| match port.kind {
            Kind::Float => Value::Float(()),
            Kind::Word => Value::Word(()),
            Kind::Flag => Value::Flag(()),
        })
        .collect();
    let mut counter = Counter::default();
    K::evaluate(&mut counter, &inputs);
    println!("{}: {:?}", K::NAME, counter.0);
    [
        counter.of("mul"),
        counter.of("add") + counter.of("sub"),
        counter.of("lt") + counter.of("le") + counter.of("eq"),
        counter.of("div"),
        counter.of("sqrt"),
        counter.of("int_to_float") + counter.of("float_to_int"),
    ]
}

/// An operator is area: a change of these numbers is to be seen. The docstrings and docs/numerics.md repeat them.
#[test]
fn operator_counts() {
    assert_eq!(counts::<SphereRadius>(), [1, 0, 0, 0, 0, 0]);
    assert_eq!(counts::<SphereHit>(), [10, 13, 7, 0, 1, 0]);
    assert_eq!(counts::<Shade>(), [67, 48, 11, 1, 1, 16]);
    assert_eq!(counts::<PrimaryRay>(), [19, 16, 0, 1, 1, 2]);
    assert_eq!(counts::<Camera>(), [57, 41, 6, 4, 2, 2]);
}

// ---- sphere_hit ----

fn radius_of(radius_squared: Fp32, radius_inverse: Fp32) -> Fp32 {
    sphere_radius(&mut Host, &SphereRadiusInputs { radius_squared, radius_inverse }).radius
}

fn hit(origin: [f32; 3], direction: [f32; 3], centre: [f32; 3], radius: f32, own: bool, inside: bool) -> Option<f32> {
    let inputs = SphereHitInputs {
        origin: triple(origin),
        direction: triple(direction),
        centre: triple(centre),
        radius_squared: number(radius * radius),
        radius: radius_of(number(radius * radius), number(1.0 / radius)),
        own,
        inside,
    };
    let answer = sphere_hit(&mut Host, &inputs);
    answer.hit.then(|| answer.distance.to_f32())
}

const Z: [f32; 3] = [0.0, 0.0, 1.0];

#[test]
fn sphere_hit_by_hand() {
    let centre = [0.0; 3];
    assert_eq!(hit([0.0, 0.0, -5.0], Z, centre, 1.0, false, false), Some(4.0), "head on");
    assert_eq!(hit([0.0, 3.0, -5.0], Z, centre, 5.0, false, false), Some(1.0), "3-4-5: the chord's half is 4");
    assert_eq!(hit([0.0, 1.0, -5.0], Z, centre, 1.0, false, false), Some(5.0), "D = 0 is a hit");
    assert_eq!(hit([0.0, 1.0001, -5.0], Z, centre, 1.0, false, false), None, "past it");
    assert_eq!(hit([0.0, 0.0, 5.0], Z, centre, 1.0, false, false), None, "behind");
    assert_eq!(hit([0.0, 0.0, 0.0], Z, centre, 1.0, false, false), Some(1.0), "from its centre");
    assert_eq!(hit([0.0, 0.0, 0.5], Z, centre, 1.0, false, false), Some(0.5), "from within");
    // On the sphere: own decides, not rounding.
    assert_eq!(hit([0.0, 0.0, -1.0], Z, centre, 1.0, true, false), None, "leaving outwards");
    assert_eq!(hit([0.0, 0.0, -1.0], Z, centre, 1.0, true, true), Some(2.0), "leaving inwards: the far side");
    assert_eq!(
        hit([0.0, 0.0, -1.0], Z, centre, 1.0, false, false),
        Some(2.0),
        "another sphere that touches: its far side"
    );
    assert_eq!(hit([0.0, 0.0, 1.0], Z, centre, 1.0, false, false), None, "touching from behind");
    assert_eq!(hit([0.0, 0.0, 1.0], Z, centre, 1.0, true, true), None, "the far side is not ahead");
}

/// A root nearer than the bias is not one: of another sphere the far root is taken then.
#[test]
fn bias_by_hand() {
    let (radius, bias) = (1024.0, 1.0 / 1024.0);
    for (height, near) in [(bias / 2.0, false), (bias * 2.0, true)] {
        let want = if near { height } else { 2048.0 + height };
        assert_eq!(hit([0.0; 3], Z, [0.0, 0.0, radius + height], radius, false, false), Some(want), "height {height}");
    }
    // So of its far root when the ray starts a little within it; on the own sphere, from within, any root above 0 counts.
    for (height, met) in [(bias / 2.0, None), (bias * 2.0, Some(bias * 2.0))] {
        let centre = [0.0, 0.0, height - radius];
        assert_eq!(hit([0.0; 3], Z, centre, radius, false, false), met, "height {height}");
        assert_eq!(hit([0.0; 3], Z, centre, radius, true, true), Some(height), "own, height {height}");
    }
    // f = (3, 4, 0) 1024 and r a little less than |f| = 5120. The height is 0.9 of 2^-20 r: more than the share of |fy|, less
    // than that of r.
    let radius = 5120.0 - 0.9 * 5120.0 * BIAS;
    let got = hit([3072.0, 4096.0, 0.0], [-0.6, -0.8, 0.0], [0.0; 3], radius, false, false);
    assert!(got.is_some_and(|t| t > radius), "{got:?}");
}

#[test]
fn no_hit_from_nan_or_infinity() {
    let bad = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 3e38, -3e38];
    for value in bad {
        for lane in 0..5 {
            let (mut origin, mut direction, mut centre, mut radius) = ([0.0, 0.0, -5.0], Z, [0.0; 3], 1.0f32);
            match lane {
                0 => origin[0] = value,
                1 => direction[1] = value,
                2 => centre[2] = value,
                3 => radius = value,
                _ => origin[2] = value,
            }
            for (own, inside) in [(false, false), (true, false), (true, true)] {
                if let Some(distance) = hit(origin, direction, centre, radius, own, inside) {
                    assert!(distance.is_finite() && distance > 0.0, "{value} in {lane}: {distance}");
                }
            }
        }
        let far = hit([0.0, 0.0, value], Z, [0.0; 3], 1.0, false, false);
        assert_eq!(far, (value == -3e38).then_some(3e38), "{value}: a distance that is a number is one");
    }
}

/// Against the quadratic formula in f64. Distances are as good as the numbers they are made of; whether there is a hit
/// may differ only where the ray grazes.
#[test]
fn sphere_hit_agrees_with_the_quadratic_formula() {
    let mut random = Random::for_test("sphere_hit_agrees_with_the_quadratic_formula", 0x5eed_0010);
    let (mut hits, mut misses, mut grazing) = (0, 0, 0);
    for _ in 0..200_000 {
        let spread = [1.0, 10.0, 1000.0][random.below(3) as usize];
        let origin = [0; 3].map(|_| random.between(-spread, spread));
        let centre = [0; 3].map(|_| random.between(-spread, spread));
        let radius = random.between(0.05, 1.0) * spread;
        let aim = [0; 3].map(|i: usize| centre[i] + random.between(-1.2, 1.2) * radius);
        let towards = unit([0, 1, 2].map(|i| f64::from(aim[i]) - f64::from(origin[i])));
        let direction = towards.map(|c| c as f32);

        let (r2, f) = (f64::from(radius * radius), [0, 1, 2].map(|i| f64::from(origin[i]) - f64::from(centre[i])));
        let d = wide(direction);
        let (qa, qb, qc) = (dot64(d, d), dot64(f, d), dot64(f, f) - r2);
        let discriminant = qb * qb - qa * qc;
        let scale = dot64(f, f).sqrt() + f64::from(radius);
        let got = hit(origin, direction, centre, radius, false, false);
        if discriminant.abs() < 1e-5 * scale * scale || (dot64(f, f).sqrt() - f64::from(radius)).abs() < 1e-4 * scale {
            grazing += 1;
            continue;
        }
        let (near, far) = ((-qb - discriminant.sqrt()) / qa, (-qb + discriminant.sqrt()) / qa);
        let want = [near, far].into_iter().find(|t| *t > 0.0);
        match (got, want) {
            (None, None) => misses += 1,
            (Some(got), Some(want)) => {
                hits += 1;
                // The root's error grows as the chord gets short.
                let error = 8.0 * f64::from(f32::EPSILON) * scale * (1.0 + scale / discriminant.sqrt());
                assert!(
                    (f64::from(got) - want).abs() <= error,
                    "{origin:?} {direction:?} {centre:?} {radius}: {got} {want} {error}"
                );
            }
            _ => panic!("{origin:?} {direction:?} {centre:?} {radius}: {got:?}, in f64 {want:?}"),
        }
    }
    println!("{hits} hits, {misses} misses, {grazing} grazing");
    assert!(hits > 50_000 && misses > 50_000 && grazing < 1000);
}

/// A sphere that fills little of the view: the textbook form b^2 - c loses it, this one does not.
#[test]
fn small_sphere_far_away_keeps_its_edge() {
    let (distance, radius) = (4096.0f32, 0.5f32);
    for step in 0..1000 {
        let y = step as f32 / 1000.0;
        if (y - radius).abs() < 1e-3 {
            continue;
        }
        let got = hit([0.0, y, -distance], Z, [0.0; 3], radius, false, false);
        assert_eq!(got.is_some(), y < radius, "height {y}");
        if let Some(t) = got {
            let want = f64::from(distance) - f64::from(radius * radius - y * y).sqrt();
            assert!((f64::from(t) - want).abs() < 1e-3, "height {y}: {t} {want}");
        }
    }
}

// ---- camera and primary ray ----

fn screen(width: u32, height: u32) -> u32 {
    height << 16 | width
}

fn look(position: [f32; 3], target: [f32; 3], fov: f32, screen: u32) -> CameraOutputs<Host> {
    let inputs = CameraInputs { position: triple(position), target: triple(target), fov_degrees: number(fov), screen };
    camera(&mut Host, &inputs)
}

fn ray(camera: &CameraOutputs<Host>, x: u32, y: u32) -> [f32; 3] {
    let inputs = PrimaryRayInputs {
        forward: camera.forward,
        right: camera.right,
        up: camera.up,
        centre_x: camera.centre_x,
        centre_y: camera.centre_y,
        pixel: y << 16 | x,
    };
    values(&primary_ray(&mut Host, &inputs).direction)
}

/// From +Z towards the origin: +X is right, +Y up. At 90 degrees half the picture's height is 1 at distance 1.
#[test]
fn camera_by_hand() {
    let camera = look([0.0, 0.0, 5.0], [0.0, 0.0, 0.0], 90.0, screen(8, 4));
    assert_eq!(values(&camera.forward), [0.0, 0.0, -1.0]);
    assert_eq!(values(&camera.right), [0.5, 0.0, 0.0]);
    assert_eq!(values(&camera.up), [0.0, 0.5, 0.0]);
    assert_eq!((camera.centre_x.to_f32(), camera.centre_y.to_f32()), (3.5, 1.5));
    assert!(camera.fov_ok && camera.direction_ok);
    // Top left pixel: 3.5 half units to the left, 1.5 up.
    let want = unit([-1.75, 0.75, -1.0]);
    assert!(close(ray(&camera, 0, 0), want, 1.2e-7), "{:?} {want:?}", ray(&camera, 0, 0));
    assert!(close(ray(&camera, 7, 3), [-want[0], -want[1], want[2]], 1.2e-7));
}

#[test]
fn camera_looks_up_and_down() {
    let down = look([0.0, 5.0, 0.0], [0.0, 0.0, 0.0], 90.0, screen(2, 2));
    assert_eq!(values(&down.forward), [0.0, -1.0, 0.0]);
    assert_eq!((values(&down.right), values(&down.up)), ([-1.0, 0.0, 0.0], [0.0, 0.0, 1.0]), "+Z is up, so +X is left");
    let up = look([0.0, 0.0, 0.0], [0.0, 1e-3, 0.0], 90.0, screen(2, 2));
    assert_eq!((values(&up.right), values(&up.up)), ([1.0, 0.0, 0.0], [0.0, 0.0, 1.0]));
    // A horizontal part too small to have a square counts as none.
    let nearly = look([0.0, 0.0, 0.0], [1e-30, 1.0, 0.0], 90.0, screen(2, 2));
    assert!(close(values(&nearly.right), [1.0, 0.0, 0.0], 1e-29) && close(values(&nearly.up), [0.0, 0.0, 1.0], 1e-29));
}

#[test]
fn camera_checks() {
    for (fov, ok) in [
        (0.0, false),
        (-0.0, false),
        (1e-40, false),
        (-1.0, false),
        (1e-3, true),
        (179.99, true),
        (180.0, false),
        (1e30, false),
        (f32::NAN, false),
        (f32::INFINITY, false),
    ] {
        assert_eq!(look([0.0; 3], Z, fov, screen(4, 4)).fov_ok, ok, "{fov}");
    }
    for (target, ok) in [
        ([0.0; 3], false),
        ([1e-20, 0.0, 0.0], false),
        ([1e-15, 0.0, 0.0], true),
        ([1e18, 0.0, 0.0], true),
        ([1e20, 0.0, 0.0], false),
        ([f32::NAN, 0.0, 1.0], false),
        ([0.0, f32::INFINITY, 1.0], false),
    ] {
        assert_eq!(look([0.0; 3], target, 60.0, screen(4, 4)).direction_ok, ok, "{target:?}");
    }
}

/// Axes and rays against f64, in all directions.
#[test]
fn camera_agrees_with_f64() {
    let mut random = Random::for_test("camera_agrees_with_f64", 0x5eed_0011);
    for _ in 0..20_000 {
        let position = [0; 3].map(|_| random.between(-10.0, 10.0));
        let target = [0; 3].map(|_| random.between(-10.0, 10.0));
        let (fov, width, height) = (random.between(1.0, 179.0), 1 + random.below(4000), 1 + random.below(4000));
        let camera = look(position, target, fov, screen(width, height));
        let forward = unit([0, 1, 2].map(|i| f64::from(target[i]) - f64::from(position[i])));
        if forward[0].hypot(forward[2]) < 1e-2 {
            continue;
        }
        let right = unit([-forward[2], 0.0, forward[0]]);
        let up = [
            right[1] * forward[2] - right[2] * forward[1],
            right[2] * forward[0] - right[0] * forward[2],
            right[0] * forward[1] - right[1] * forward[0],
        ];
        let pixel = 2.0 * (f64::from(fov).to_radians() / 2.0).tan() / f64::from(height);
        assert!(close(values(&camera.forward), forward, 1e-6));
        assert!(close(values(&camera.right), right.map(|c| c * pixel), 1e-5 * pixel));
        assert!(close(values(&camera.up), up.map(|c| c * pixel), 1e-5 * pixel));
        let (x, y) = (random.below(width), random.below(height));
        let (dx, dy) = (f64::from(x) + 0.5 - f64::from(width) / 2.0, f64::from(height) / 2.0 - f64::from(y) - 0.5);
        let want = unit([0, 1, 2].map(|i| forward[i] + pixel * (dx * right[i] + dy * up[i])));
        let got = ray(&camera, x, y);
        assert!(close(got, want, 2e-5), "{got:?} {want:?}");
        assert!((dot64(wide(got), wide(got)).sqrt() - 1.0).abs() < 2.5e-7, "unit length: {got:?}");
    }
}

/// Within 2 units in the last place of the tangent over [1, 179] degrees, and no worse towards the ends.
#[test]
fn tangent_is_within_two_ulp() {
    let mut worst = (0.0f64, 0.0f32);
    let mut check = |fov: f32| {
        let error = tangent_error(fov);
        if error > worst.0 {
            worst = (error, fov);
        }
    };
    let (mut bits, end) = (1.0f32.to_bits(), 179.0f32.to_bits());
    while bits <= end {
        check(f32::from_bits(bits));
        bits += 97;
    }
    for fov in [1e-30f32, 1e-6, 0.5, 1.0, 45.0, 60.0, 89.999_99, 90.0, 90.000_01, 120.0, 135.0, 179.0, 179.5, 179.999] {
        check(fov);
    }
    println!("worst: {} ulp at {} degrees", worst.0, worst.1);
    assert!(worst.0 <= 2.0, "{} ulp at {} degrees", worst.0, worst.1);
    assert_eq!(tan_half_degrees(&mut Host, &number(90.0)).to_f32(), 1.0);
}

mod shading;
mod single;
