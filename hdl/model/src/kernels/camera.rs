//! The camera's axes, from where it stands and where it looks.
//!
//! ```text
//!  forward = (target - position) / |target - position|
//!  right   = forward x (0, 1, 0), or forward x (0, 0, 1) where forward is vertical, made one pixel long
//!  up      = right x forward, likewise
//!  a pixel is 2 tan(fov / 2) / height wide and high, at distance 1
//! ```
//!
//! Right-handed, +Y up; `fov` is the vertical field of view in degrees (all assumed: the source document gives the
//! camera's position, point and field of view, and no convention).

use super::vector::{cross, dot, normalise, scale};
use super::{kernel, port_list, port_type, put_ports, take_ports, vector, Triple};
use crate::arithmetic::Arithmetic;

/// pi / 360, half a degree in radians, as a sum: 8 bits, and the rest.
const HALF_DEGREE: [f32; 2] = [143.0 / 16_384.0, -1.381_083_7e-6];

/// tan(fov/2) / fov = pi / 360 + fov^2 (T0 + fov^2 (T1 + ..)) for 0 <= fov <= 90: interpolated at the Chebyshev nodes of
/// fov^2; off by less than 2^-27 of the tangent.
const TANGENT: [f32; 7] =
    [2.215_240_5e-7, 6.747_956_4e-12, 2.081_042e-16, 6.346_067_5e-21, 2.226_763_3e-25, 2.017_678_9e-30, 4.981_92e-34];

kernel! {
    /// [`camera`] by port names.
    Camera = camera;
    /// Camera and screen as the scene descriptor has them.
    CameraInputs {
        /// Where the camera stands.
        position: Vector,
        /// The point it looks at.
        target: Vector,
        /// Vertical field of view in degrees.
        fov_degrees: Float,
        /// Width in pixels in bits 15:0, height in 31:16.
        screen: Word,
    }
    /// The camera's axes.
    CameraOutputs {
        /// Unit vector towards the target.
        forward: Vector,
        /// One pixel to the right, at distance 1.
        right: Vector,
        /// One pixel up, at distance 1.
        up: Vector,
        /// The picture's centre in pixels, 0 being the centre of the first column.
        centre_x: Float,
        /// The picture's centre in pixels, 0 being the centre of the top row.
        centre_y: Float,
        /// 0 < fov < 180.
        fov_ok: Flag,
        /// Target and position differ, and the square of their distance is a finite number above 0.
        direction_ok: Flag,
    }
}

/// The camera's axes. 57 products, 41 sums, 2 roots and 4 quotients, once a frame.
pub fn camera<A: Arithmetic>(a: &mut A, i: &CameraInputs<A>) -> CameraOutputs<A> {
    let zero = a.number(0.0);
    let largest = a.number(f32::MAX);

    let view = vector::sub(a, &i.target, &i.position);
    let squared = dot(a, &view, &view);
    let positive = a.lt(&zero, &squared);
    let finite = a.le(&squared, &largest);
    let direction_ok = a.and(&positive, &finite);
    let (forward, _) = normalise(a, &view);

    // forward x up has no length where forward is vertical: there +Z is up.
    let Triple([fx, fy, fz]) = &forward;
    let (xx, zz) = (a.mul(fx, fx), a.mul(fz, fz));
    let horizontal = a.add(&xx, &zz);
    let vertical = a.eq(&horizontal, &zero);
    let (minus_x, minus_z) = (a.neg(fx), a.neg(fz));
    let side = Triple([
        a.select(&vertical, fy, &minus_z),
        a.select(&vertical, &minus_x, &zero),
        a.select(&vertical, &zero, fx),
    ]);
    let (right, _) = normalise(a, &side);
    let up = cross(a, &right, &forward);

    let width = a.field(&i.screen, 15, 0);
    let height = a.field(&i.screen, 31, 16);
    let (width, height) = (a.int_to_float(&width), a.int_to_float(&height));
    let tangent = tan_half_degrees(a, &i.fov_degrees);
    let picture = a.add(&tangent, &tangent);
    let pixel = a.div(&picture, &height);

    let half = a.number(0.5);
    let mut centre = |size: &A::F| {
        let middle = a.mul(size, &half);
        a.sub(&middle, &half)
    };
    let (centre_x, centre_y) = (centre(&width), centre(&height));

    let straight = a.number(180.0);
    let (wide, narrow) = (a.lt(&zero, &i.fov_degrees), a.lt(&i.fov_degrees, &straight));
    let fov_ok = a.and(&wide, &narrow);

    let (right, up) = (scale(a, &right, &pixel), scale(a, &up, &pixel));
    CameraOutputs { forward, right, up, centre_x, centre_y, fov_ok, direction_ok }
}

/// tan(fov / 2) of an angle in degrees, 0 < fov < 180, within 2 units in the last place.
///
/// Above 90 degrees it is 1 / tan((180 - fov) / 2), and 180 - fov is exact there.
pub fn tan_half_degrees<A: Arithmetic>(a: &mut A, fov: &A::F) -> A::F {
    let right_angle = a.number(90.0);
    let straight = a.number(180.0);
    let obtuse = a.lt(&right_angle, fov);
    let rest = a.sub(&straight, fov);
    let angle = a.select(&obtuse, &rest, fov);

    let square = a.mul(&angle, &angle);
    let mut sum = a.number(TANGENT[6]);
    for coefficient in TANGENT[..6].iter().rev().chain([&HALF_DEGREE[1]]) {
        let coefficient = a.number(*coefficient);
        let product = a.mul(&sum, &square);
        sum = a.add(&product, &coefficient);
    }
    let small = a.mul(&sum, &angle);

    // The leading term without rounding: 12 bits of the angle times 8 of the constant (Veltkamp's splitting).
    let splitter = a.number(4097.0);
    let product = a.mul(&angle, &splitter);
    let difference = a.sub(&product, &angle);
    let high = a.sub(&product, &difference);
    let low = a.sub(&angle, &high);
    let half_degree = a.number(HALF_DEGREE[0]);
    let leading = a.mul(&high, &half_degree);
    let trailing = a.mul(&low, &half_degree);
    let small = a.add(&small, &trailing);
    let tangent = a.add(&leading, &small);

    let one = a.number(1.0);
    let inverse = a.div(&one, &tangent);
    a.select(&obtuse, &inverse, &tangent)
}
