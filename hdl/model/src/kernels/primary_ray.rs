//! The ray through the centre of a pixel.
//!
//! ```text
//!  direction = forward + (x - centre_x) right + (centre_y - y) up, divided by its length
//! ```
//!
//! Row 0 is the top row (assumed).

use super::vector::{add, normalise, scale};
use super::{kernel, port_list, port_type, put_ports, take_ports};
use crate::arithmetic::Arithmetic;

kernel! {
    /// [`primary_ray`] by port names.
    PrimaryRay = primary_ray;
    /// The camera's axes, and which pixel.
    PrimaryRayInputs {
        /// Unit vector towards the target.
        forward: Vector,
        /// One pixel to the right, at distance 1.
        right: Vector,
        /// One pixel up, at distance 1.
        up: Vector,
        /// The picture's centre in pixels.
        centre_x: Float,
        /// The picture's centre in pixels.
        centre_y: Float,
        /// Column in bits 15:0, row in 31:16.
        pixel: Word,
    }
    /// The ray starts at the camera.
    PrimaryRayOutputs {
        /// Unit vector.
        direction: Vector,
    }
}

/// The ray through a pixel. 19 products (one of them by a half), 16 sums, 1 root, 1 quotient.
pub fn primary_ray<A: Arithmetic>(a: &mut A, i: &PrimaryRayInputs<A>) -> PrimaryRayOutputs<A> {
    let column = a.field(&i.pixel, 15, 0);
    let row = a.field(&i.pixel, 31, 16);
    let (column, row) = (a.int_to_float(&column), a.int_to_float(&row));
    let (x, y) = (a.sub(&column, &i.centre_x), a.sub(&i.centre_y, &row));
    let (x, y) = (scale(a, &i.right, &x), scale(a, &i.up, &y));
    let through = add(a, &i.forward, &x);
    let through = add(a, &through, &y);
    let (direction, _) = normalise(a, &through);
    PrimaryRayOutputs { direction }
}
