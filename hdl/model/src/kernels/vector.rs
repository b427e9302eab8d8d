//! Three numbers at once: points, directions, colours. Sums of three are two additions, in written order.

use super::single::reciprocal;
use crate::arithmetic::Arithmetic;

/// x, y, z of a point or direction, or r, g, b of a colour.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Triple<F>(pub [F; 3]);

impl<F> Triple<F> {
    /// The first: x or r.
    pub fn x(&self) -> &F {
        &self.0[0]
    }
    /// The second: y or g.
    pub fn y(&self) -> &F {
        &self.0[1]
    }
    /// The third: z or b.
    pub fn z(&self) -> &F {
        &self.0[2]
    }

    /// One operation on each.
    #[inline(always)]
    pub fn map<G>(&self, mut f: impl FnMut(&F) -> G) -> Triple<G> {
        Triple([f(&self.0[0]), f(&self.0[1]), f(&self.0[2])])
    }

    /// One operation on each pair.
    #[inline(always)]
    pub fn zip<G, H>(&self, other: &Triple<G>, mut f: impl FnMut(&F, &G) -> H) -> Triple<H> {
        Triple([f(&self.0[0], &other.0[0]), f(&self.0[1], &other.0[1]), f(&self.0[2], &other.0[2])])
    }
}

/// u + v.
#[inline(always)]
pub(super) fn add<A: Arithmetic>(a: &mut A, u: &Triple<A::F>, v: &Triple<A::F>) -> Triple<A::F> {
    u.zip(v, |u, v| a.add(u, v))
}

/// u - v.
#[inline(always)]
pub(super) fn sub<A: Arithmetic>(a: &mut A, u: &Triple<A::F>, v: &Triple<A::F>) -> Triple<A::F> {
    u.zip(v, |u, v| a.sub(u, v))
}

/// s u.
#[inline(always)]
pub(super) fn scale<A: Arithmetic>(a: &mut A, u: &Triple<A::F>, s: &A::F) -> Triple<A::F> {
    u.map(|u| a.mul(u, s))
}

/// u . v = (x x + y y) + z z.
#[inline(always)]
pub(super) fn dot<A: Arithmetic>(a: &mut A, u: &Triple<A::F>, v: &Triple<A::F>) -> A::F {
    let [x, y, z] = u.zip(v, |u, v| a.mul(u, v)).0;
    let xy = a.add(&x, &y);
    a.add(&xy, &z)
}

/// u x v.
#[inline(always)]
pub(super) fn cross<A: Arithmetic>(a: &mut A, u: &Triple<A::F>, v: &Triple<A::F>) -> Triple<A::F> {
    let mut minor = |i: usize, j: usize| {
        let p = a.mul(&u.0[i], &v.0[j]);
        let q = a.mul(&u.0[j], &v.0[i]);
        a.sub(&p, &q)
    };
    Triple([minor(1, 2), minor(2, 0), minor(0, 1)])
}

/// u / |u|, and |u|: one root, one division, nine products.
///
/// The quotient alone is off by the roundings of the sum of squares, the root, the reciprocal and the products; a ray that is too
/// long by a share e puts its hits 2 e of their distance off. So a [`unit_step`] takes back all but the last.
#[inline(always)]
pub fn normalise<A: Arithmetic>(a: &mut A, u: &Triple<A::F>) -> (Triple<A::F>, A::F) {
    let squared = dot(a, u, u);
    let length = a.sqrt(&squared);
    let inverse = reciprocal(a, &length);
    let nearly = scale(a, u, &inverse);
    (unit_step(a, &nearly), length)
}

/// v + v (1 - v . v) / 2, a Newton step towards length 1 from a length near it. Written as a sum, each coordinate is rounded at
/// its own last place only: v (1.5 - 0.5 v . v) rounds the factor as well, at the last place of 1. The squares are taken from 1
/// one by one, so that what is left gets smaller, and with it the roundings; the last difference has none.
#[inline(always)]
pub(super) fn unit_step<A: Arithmetic>(a: &mut A, v: &Triple<A::F>) -> Triple<A::F> {
    let (one, half) = (a.number(1.0), a.number(0.5));
    let [x, y, z] = v.map(|c| a.mul(c, c)).0;
    let short = a.sub(&one, &x);
    let short = a.sub(&short, &y);
    let short = a.sub(&short, &z);
    let share = a.mul(&short, &half);
    let step = scale(a, v, &share);
    add(a, v, &step)
}
