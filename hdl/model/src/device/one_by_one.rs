//! A pixel alone, one ray after the other, each sphere in order: slow and plain, so that every test can be looked at.
//!
//! It is what [`Frame::render`] is compared with, and what `crate::accuracy` measures.

use super::frame::{Frame, Pixel, RayCounts, Sphere};
use crate::kernels::{primary_ray, shade, sphere_hit};
use crate::kernels::{PrimaryRayInputs, ShadeInputs, SphereHitInputs, SphereHitOutputs, Triple};
use crate::{Fp32, Host};

/// Sees each test of a ray with a sphere: what went into [`sphere_hit`] and what came out.
pub type Watch<'a> = dyn FnMut(&SphereHitInputs<Host>, &SphereHitOutputs<Host>) + 'a;

/// A ray.
#[derive(Clone, Copy, Debug)]
pub struct Ray {
    /// Where it starts.
    pub origin: Triple<Fp32>,
    /// Unit vector.
    pub direction: Triple<Fp32>,
    /// The sphere that it starts on, and whether inwards.
    pub start: Option<(usize, bool)>,
}

impl Ray {
    /// Bits of the distance and number of the nearest sphere; of those at the same distance, the first.
    pub fn nearest(&self, spheres: &[Sphere], watch: &mut Watch<'_>) -> Option<(u32, usize)> {
        let hits = spheres.iter().enumerate().filter_map(|(index, sphere)| {
            let start = self.start.filter(|start| start.0 == index);
            let inputs = SphereHitInputs {
                origin: self.origin,
                direction: self.direction,
                centre: sphere.centre,
                radius_squared: sphere.radius_squared,
                radius: sphere.radius,
                own: start.is_some(),
                inside: start.is_some_and(|start| start.1),
            };
            let answer = sphere_hit(&mut Host, &inputs);
            watch(&inputs, &answer);
            // Distances are positive, so their bits are in order.
            answer.hit.then_some((answer.distance.to_bits(), index))
        });
        hits.min()
    }
}

/// The pixel at column `x` of row `y`, both within the frame. Shadow rays are tested with every sphere, hidden or not.
pub fn pixel(frame: &Frame, x: u32, y: u32, watch: &mut Watch<'_>) -> Pixel {
    let host = &mut Host;
    let spheres = &frame.spheres;
    let inputs = PrimaryRayInputs {
        forward: frame.camera.forward,
        right: frame.camera.right,
        up: frame.camera.up,
        centre_x: frame.camera.centre_x,
        centre_y: frame.camera.centre_y,
        pixel: y << 16 | x,
    };
    let mut ray = Ray { origin: frame.position, direction: primary_ray(host, &inputs).direction, start: None };
    let mut rays = RayCounts { primary: 1, ..RayCounts::default() };
    let (mut accumulated, mut weight, mut depth) = (Triple::default(), Fp32::ONE, 0);
    loop {
        let hit = ray.nearest(spheres, watch);
        rays.hits += u64::from(hit.is_some());
        let sphere = hit.map(|(_, index)| &spheres[index]);
        let [material_0, material_1, material_2, material_3] =
            sphere.map_or([0; 4], |sphere| frame.materials[sphere.material]);
        let inputs = ShadeInputs {
            origin: ray.origin,
            direction: ray.direction,
            hit: hit.is_some(),
            distance: hit.map_or(Fp32::ZERO, |(distance, _)| Fp32(distance)),
            centre: sphere.map_or(Triple::default(), |sphere| sphere.centre),
            radius_inverse: sphere.map_or(Fp32::ZERO, |sphere| sphere.radius_inverse),
            light: frame.light,
            material_0,
            material_1,
            material_2,
            material_3,
            background: frame.background,
            accumulated,
            weight,
            last: depth >= frame.reflection_depth,
        };
        let out = shade(host, &inputs);
        let start = hit.map(|(_, index)| (index, out.inside));
        let mut seen = true;
        if out.lit && frame.shadows {
            rays.shadow += 1;
            let to_light = Ray { origin: out.point, direction: out.to_light, start };
            let found = to_light.nearest(spheres, watch);
            seen = found.is_none_or(|(distance, _)| distance >= out.light_distance.to_bits());
            rays.occluded += u64::from(!seen);
        }
        if !out.reflects {
            return Pixel { colour: if seen { out.lit_pixel } else { out.dark_pixel }, rays };
        }
        rays.reflection += 1;
        accumulated = if seen { out.lit_colour } else { out.dark_colour };
        weight = out.next_weight;
        depth += 1;
        ray = Ray { origin: out.point, direction: out.reflected, start };
    }
}
