//! Random rays at spheres, as the robustness scenes have them but many more of them.

use crate::kernels::{normalise, sphere_radius, SphereHitInputs, SphereRadiusInputs, Triple};
use crate::random::Random;
use crate::{Fp32, Host};

/// Where rays start, and what at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Setting {
    /// Within a few radii of the sphere.
    Near,
    /// 10,000 to 20,000 radii from it.
    Far,
    /// Within it, at the sphere's inside.
    Within,
    /// Up to ten units above a sphere of radius 10^6, half of them along its surface.
    Floor,
    /// On the sphere, as rounded, leaving it inwards or outwards.
    Own,
    /// At the sphere's edge, within some units in the last place.
    Grazing,
}

/// A vector of a length between a tenth and 1.
fn any(random: &mut Random) -> [f64; 3] {
    loop {
        let v = [0; 3].map(|_| f64::from(random.between(-1.0, 1.0)));
        if (0.01..1.0).contains(&(v[0] * v[0] + v[1] * v[1] + v[2] * v[2])) {
            return v;
        }
    }
}

fn unit(v: [f64; 3]) -> [f64; 3] {
    let length = (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]).sqrt();
    v.map(|c| c / length)
}

/// A unit vector across another.
fn across(random: &mut Random, axis: [f64; 3]) -> [f64; 3] {
    let v = any(random);
    unit([axis[1] * v[2] - axis[2] * v[1], axis[2] * v[0] - axis[0] * v[2], axis[0] * v[1] - axis[1] * v[0]])
}

impl Setting {
    /// All of them, with what to call them.
    pub const ALL: [(&'static str, Setting); 6] = [
        ("near", Setting::Near),
        ("far", Setting::Far),
        ("within", Setting::Within),
        ("floor", Setting::Floor),
        ("own", Setting::Own),
        ("grazing", Setting::Grazing),
    ];

    /// A test of this kind.
    pub fn test(self, random: &mut Random) -> SphereHitInputs<Host> {
        let radius = match self {
            Self::Floor => 1e6,
            _ => f64::from(random.between(0.5, 2.0)),
        };
        let centre = [0; 3].map(|_| f64::from(random.between(-1.0, 1.0)));
        let outwards = unit(any(random));
        let from_centre = match self {
            Self::Near => radius * f64::from(random.between(1.1, 8.0)),
            Self::Far => radius * f64::from(random.between(1e4, 2e4)),
            Self::Within => radius * f64::from(random.between(0.0, 0.99)),
            Self::Floor => radius + f64::from(random.between(0.0, 10.0)),
            Self::Own => radius,
            Self::Grazing => radius * f64::from(random.between(1.1, 100.0)),
        };
        let origin = [0, 1, 2].map(|i| centre[i] + from_centre * outwards[i]);
        let sideways = across(random, outwards);
        let direction = match self {
            Self::Near | Self::Far => {
                let aside = radius * f64::from(random.between(0.0, 1.3));
                [0, 1, 2].map(|i| aside * sideways[i] - from_centre * outwards[i])
            }
            Self::Within | Self::Own => any(random),
            Self::Floor => {
                let down = f64::from(random.between(0.0, 1.0)) * if random.one_in(2) { 0.01 } else { 1.0 };
                [0, 1, 2].map(|i| sideways[i] - down * outwards[i])
            }
            Self::Grazing => {
                // Towards the point where a tangent touches, a little aside.
                let sine = radius / from_centre * (1.0 + f64::from(random.between(-1e-6, 1e-6)));
                let cosine = (1.0 - sine * sine).sqrt();
                [0, 1, 2].map(|i| sine * sideways[i] - cosine * outwards[i])
            }
        };
        let short = |v: [f64; 3]| Triple(v.map(|c| Fp32::from_f32(c as f32)));
        let (direction, _) = normalise(&mut Host, &short(direction));
        let rising: f64 = (0..3).map(|i| f64::from(direction.0[i].to_f32()) * outwards[i]).sum();
        let radius = radius as f32;
        let sizes = SphereRadiusInputs {
            radius_squared: Fp32::from_f32(radius * radius),
            radius_inverse: Fp32::from_f32(1.0 / radius),
        };
        SphereHitInputs {
            origin: short(origin),
            direction,
            centre: short(centre),
            radius: sphere_radius(&mut Host, &sizes).radius,
            radius_squared: sizes.radius_squared,
            own: self == Self::Own,
            inside: self == Self::Own && rising < 0.0,
        }
    }
}
