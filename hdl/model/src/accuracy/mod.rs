//! How far the kernels are off: ray-sphere tests against geometry in `f64`, the tangent against `f64`'s.
//!
//! The unit of lengths is a unit in the last place (ulp) of max(|o - c|, r), the greater of how far the ray's origin is from
//! the sphere's centre and the radius: rounding a number of that size to FP32 moves it by up to half of it. `f64` has 29 bits
//! more, so the reference's own rounding is of the order of 1e-8 of that unit.

mod hits;
mod plain;
mod rays;
mod tangent;
#[cfg(test)]
mod tests;

pub use hits::{Hits, Verdict, MOST_ULP, MOST_USUAL_ULP, USUAL_SHARE};
pub use plain::plain_sphere_hit;
pub use rays::Setting;
pub use tangent::{tangent_error, Tangents, MOST_TANGENT_ULP};
