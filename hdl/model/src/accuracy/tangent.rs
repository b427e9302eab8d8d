//! The tangent of half the field of view, against `f64`.

use crate::kernels::tan_half_degrees;
use crate::{Fp32, Host};

/// Most units in the last place that the tangent is off, over every FP32 number in [1, 179] degrees.
pub const MOST_TANGENT_ULP: f64 = 2.0;

/// How far the kernel's tangent of half an angle in degrees is off, in units in the last place of the right one.
///
/// The reference is `f64`'s: its own error, of the angle in radians and of the library's function, is below 1e-8 of a unit.
pub fn tangent_error(fov: f32) -> f64 {
    let got = tan_half_degrees(&mut Host, &Fp32::from_f32(fov)).to_f32();
    let want = (f64::from(fov) * (std::f64::consts::PI / 360.0)).tan();
    let ulp = 2f64.powi(want.log2().floor() as i32 - 23);
    (f64::from(got) - want).abs() / ulp
}

/// The worst of some angles.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Tangents {
    /// How many angles were tried.
    pub angles: u64,
    /// The most that one was off, in units in the last place.
    pub worst: f64,
    /// Which, in degrees.
    pub at: f32,
}

impl Tangents {
    /// The angles of every `step`th FP32 number from `first` on below 179 degrees, and that itself.
    pub fn measure(step: usize) -> Self {
        use rayon::prelude::*;
        let (first, last) = (1.0f32.to_bits(), 179.0f32.to_bits());
        let count = (last - first) as usize / step + 1;
        let angles = (0..count).into_par_iter().map(|index| f32::from_bits(first + (index * step) as u32));
        let one = |at| Self { angles: 1, worst: tangent_error(at), at };
        angles.map(one).reduce(Self::default, Self::and)
    }

    fn and(self, other: Self) -> Self {
        let worse = if other.worst > self.worst { other } else { self };
        Self { angles: self.angles + other.angles, ..worse }
    }
}
