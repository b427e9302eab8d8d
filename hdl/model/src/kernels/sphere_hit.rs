//! Where a ray meets a sphere: the core's inner loop.
//!
//! ```text
//!  f = o - c          from the centre to the ray's origin
//!  b = -f . d         how far along the ray the centre is passed
//!  m = f + b d        from the centre to that point
//!  D = r^2 - m . m    the ray meets the sphere where D >= 0, at b - sqrt(D) and b + sqrt(D)
//! ```
//!
//! Source: Haines, Guenther, Akenine-Moeller, "Precision Improvements for Ray/Sphere Intersection", Ray Tracing Gems,
//! chapter 7 (2019): the distance of the centre from the ray is squared after the subtraction, so a small sphere far away
//! keeps its shape. `docs/numerics.md` has the error and the reasons for the bias (assumed).

use super::vector::{dot, scale, sub};
use super::{kernel, port_list, port_type, put_ports, take_ports};
use crate::arithmetic::Arithmetic;

/// What a distance must exceed, as a share of the greatest of |f|'s coordinates and r: eight units in the last place of
/// the numbers that distances are made of. 2^-20.
pub const BIAS: f32 = 1.0 / (1 << 20) as f32;

kernel! {
    /// [`sphere_hit`] by port names.
    SphereHit = sphere_hit;
    /// A ray and a sphere.
    SphereHitInputs {
        /// Where the ray starts.
        origin: Vector,
        /// Unit vector.
        direction: Vector,
        /// The sphere's centre.
        centre: Vector,
        /// Its radius, squared.
        radius_squared: Float,
        /// Its radius: [`sphere_radius`] of the descriptor's numbers.
        radius: Float,
        /// The ray starts on this sphere.
        own: Flag,
        /// It starts inwards.
        inside: Flag,
    }
    /// The nearest hit.
    SphereHitOutputs {
        /// There is one.
        hit: Flag,
        /// From the origin to it, above 0 and finite; means nothing without a hit.
        distance: Float,
    }
}

kernel! {
    /// [`sphere_radius`] by port names.
    SphereRadius = sphere_radius;
    /// What a sphere's descriptor has of its radius.
    SphereRadiusInputs {
        /// The radius, squared.
        radius_squared: Float,
        /// 1 / radius.
        radius_inverse: Float,
    }
    /// What it has not.
    SphereRadiusOutputs {
        /// The radius, rounded as its two factors are.
        radius: Float,
    }
}

/// The radius, which scales the bias: once a sphere, not once a test.
#[inline(always)]
pub fn sphere_radius<A: Arithmetic>(a: &mut A, i: &SphereRadiusInputs<A>) -> SphereRadiusOutputs<A> {
    SphereRadiusOutputs { radius: a.mul(&i.radius_squared, &i.radius_inverse) }
}

/// The nearest point where the ray meets the sphere. 10 products, 13 sums, 1 root.
#[inline(always)]
pub fn sphere_hit<A: Arithmetic>(a: &mut A, i: &SphereHitInputs<A>) -> SphereHitOutputs<A> {
    let zero = a.number(0.0);
    let largest = a.number(f32::MAX);

    let f = sub(a, &i.origin, &i.centre);
    let away = dot(a, &f, &i.direction);
    let along = scale(a, &i.direction, &away);
    let m = sub(a, &f, &along);
    let m_squared = dot(a, &m, &m);
    let discriminant = a.sub(&i.radius_squared, &m_squared);
    let met = a.le(&zero, &discriminant);
    let half_chord = a.sqrt(&discriminant);
    let ahead = a.neg(&away);
    let near = a.sub(&ahead, &half_chord);
    let far = a.add(&ahead, &half_chord);

    let [fx, fy, fz] = f.map(|f| a.abs(f)).0;
    let (xy, zr) = (a.max(&fx, &fy), a.max(&fz, &i.radius));
    let size = a.max(&xy, &zr);
    let share = a.number(BIAS);
    let bias = a.mul(&size, &share);

    // The sphere that the ray leaves: outwards it is not met again, inwards only at its far side.
    let other = a.not(&i.own);
    let far_counts = a.or(&other, &i.inside);
    let far_bound = a.select(&i.own, &zero, &bias);
    let near_hit = a.lt(&bias, &near);
    let near_hit = a.and(&near_hit, &other);
    let far_hit = a.lt(&far_bound, &far);
    let far_hit = a.and(&far_hit, &far_counts);

    let distance = a.select(&near_hit, &near, &far);
    let finite = a.le(&distance, &largest);
    let either = a.or(&near_hit, &far_hit);
    let met = a.and(&met, &finite);
    SphereHitOutputs { hit: a.and(&met, &either), distance }
}
