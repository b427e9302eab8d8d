//! The textbook's form of the test, b^2 - c: what [`sphere_hit`](crate::kernels::sphere_hit) is not, and why.

use crate::arithmetic::Arithmetic;
use crate::kernels::{SphereHitInputs, SphereHitOutputs, BIAS};

/// As [`sphere_hit`](crate::kernels::sphere_hit), with the discriminant b^2 - (f . f - r^2): two large numbers, nearly equal
/// for a small sphere far away. All else is the same.
pub fn plain_sphere_hit<A: Arithmetic>(a: &mut A, i: &SphereHitInputs<A>) -> SphereHitOutputs<A> {
    let (zero, largest, share) = (a.number(0.0), a.number(f32::MAX), a.number(BIAS));
    let f = i.origin.zip(&i.centre, |o, c| a.sub(o, c));
    let mut dot = |u: &crate::kernels::Triple<A::F>, v: &crate::kernels::Triple<A::F>| {
        let [x, y, z] = u.zip(v, |u, v| a.mul(u, v)).0;
        let xy = a.add(&x, &y);
        a.add(&xy, &z)
    };
    let (away, squared) = (dot(&f, &i.direction), dot(&f, &f));
    let ahead = a.neg(&away);
    let b_squared = a.mul(&ahead, &ahead);
    let c = a.sub(&squared, &i.radius_squared);
    let discriminant = a.sub(&b_squared, &c);
    let met = a.le(&zero, &discriminant);
    let half_chord = a.sqrt(&discriminant);
    let (near, far) = (a.sub(&ahead, &half_chord), a.add(&ahead, &half_chord));

    let [fx, fy, fz] = f.map(|f| a.abs(f)).0;
    let (xy, zr) = (a.max(&fx, &fy), a.max(&fz, &i.radius));
    let size = a.max(&xy, &zr);
    let bias = a.mul(&size, &share);
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
