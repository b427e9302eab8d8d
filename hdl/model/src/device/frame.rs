//! A frame in numbers, and a pixel's rays: pure, so that pixels may be computed in any order.
//!
//! ```text
//!  primary ray --> nearest hit --> shade --> shadow ray, if it hit, faces the light and shadows are on: lit or dark?
//!       ^                            |
//!       +------ reflected ray -------+  while the material reflects and the chain is not too long
//! ```

use std::ops::AddAssign;

use crate::kernels::{
    primary_ray, shade, sphere_hit, CameraOutputs, PrimaryRayInputs, ShadeInputs, SphereHitInputs, Triple,
};
use crate::{Fp32, Host};

/// A sphere as its descriptor has it, numbers canonical.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sphere {
    /// Its centre.
    pub centre: Triple<Fp32>,
    /// Radius, squared.
    pub radius_squared: Fp32,
    /// 1 / radius.
    pub radius_inverse: Fp32,
    /// Index into [`Frame::materials`], below its length.
    pub material: usize,
}

/// Rays by kind, and what became of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RayCounts {
    /// From the camera.
    pub primary: u64,
    /// From a lit hit to the light.
    pub shadow: u64,
    /// Reflected.
    pub reflection: u64,
    /// Primary and reflection rays that hit.
    pub hits: u64,
    /// Shadow rays that found the light hidden.
    pub occluded: u64,
}

impl RayCounts {
    /// Rays of all kinds.
    pub const fn total(&self) -> u64 {
        self.primary + self.shadow + self.reflection
    }
}

impl AddAssign for RayCounts {
    fn add_assign(&mut self, other: Self) {
        self.primary += other.primary;
        self.shadow += other.shadow;
        self.reflection += other.reflection;
        self.hits += other.hits;
        self.occluded += other.occluded;
    }
}

/// A pixel, and what it took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pixel {
    /// XRGB8888.
    pub colour: u32,
    /// Its rays.
    pub rays: RayCounts,
}

/// All that a pixel depends on.
pub struct Frame {
    /// Pixels a row, 1 to 65535.
    pub width: u32,
    /// Rows, 1 to 65535.
    pub height: u32,
    /// Where the camera stands.
    pub position: Triple<Fp32>,
    /// The camera's axes.
    pub camera: CameraOutputs<Host>,
    /// Where the light is.
    pub light: Triple<Fp32>,
    /// Colour of a ray that hits nothing, XRGB8888.
    pub background: u32,
    /// Deepest reflection, 0 for none.
    pub reflection_depth: u32,
    /// Shadow rays are traced.
    pub shadows: bool,
    /// The spheres, in the order of their descriptors.
    pub spheres: Vec<Sphere>,
    /// The materials' words, at most 8.
    pub materials: Vec<[u32; 4]>,
}

/// A ray, and the sphere that it leaves, if it leaves one.
struct Ray {
    origin: Triple<Fp32>,
    direction: Triple<Fp32>,
    start: Option<Start>,
}

/// Where on the spheres a ray starts.
#[derive(Clone, Copy)]
struct Start {
    /// Index of the sphere.
    sphere: usize,
    /// The ray starts inwards.
    inside: bool,
}

/// The nearest sphere on a ray.
struct Hit {
    sphere: usize,
    distance: Fp32,
}

impl Frame {
    /// The pixel in column `x` of row `y`, row 0 the top.
    pub fn render_pixel(&self, x: u32, y: u32) -> Pixel {
        let host = &mut Host;
        let inputs = PrimaryRayInputs {
            forward: self.camera.forward,
            right: self.camera.right,
            up: self.camera.up,
            centre_x: self.camera.centre_x,
            centre_y: self.camera.centre_y,
            pixel: y << 16 | x,
        };
        let mut ray = Ray { origin: self.position, direction: primary_ray(host, &inputs).direction, start: None };
        let mut rays = RayCounts { primary: 1, ..RayCounts::default() };
        let mut accumulated = Triple::default();
        let mut weight = Fp32::ONE;
        let mut depth = 0;
        loop {
            let hit = self.nearest(&ray);
            rays.hits += u64::from(hit.is_some());
            let out = shade(host, &self.shade_inputs(&ray, hit.as_ref(), accumulated, weight, depth));

            let mut seen = true;
            let next = hit.map(|hit| Start { sphere: hit.sphere, inside: out.inside });
            if out.lit && self.shadows {
                rays.shadow += 1;
                let shadow_ray = Ray { origin: out.point, direction: out.to_light, start: next };
                seen = !self.hidden(&shadow_ray, out.light_distance);
                rays.occluded += u64::from(!seen);
            }
            if !out.reflects {
                return Pixel { colour: if seen { out.lit_pixel } else { out.dark_pixel }, rays };
            }
            rays.reflection += 1;
            accumulated = if seen { out.lit_colour } else { out.dark_colour };
            weight = out.next_weight;
            depth += 1;
            ray = Ray { origin: out.point, direction: out.reflected, start: next };
        }
    }

    /// Without a hit the sphere and the material are those that count for nothing.
    fn shade_inputs(
        &self,
        ray: &Ray,
        hit: Option<&Hit>,
        accumulated: Triple<Fp32>,
        weight: Fp32,
        depth: u32,
    ) -> ShadeInputs<Host> {
        let sphere = hit.map(|hit| &self.spheres[hit.sphere]);
        let [material_0, material_1, material_2, material_3] =
            sphere.map_or([0; 4], |sphere| self.materials[sphere.material]);
        ShadeInputs {
            origin: ray.origin,
            direction: ray.direction,
            hit: hit.is_some(),
            distance: hit.map_or(Fp32::ZERO, |hit| hit.distance),
            centre: sphere.map_or(Triple::default(), |sphere| sphere.centre),
            radius_inverse: sphere.map_or(Fp32::ZERO, |sphere| sphere.radius_inverse),
            light: self.light,
            material_0,
            material_1,
            material_2,
            material_3,
            background: self.background,
            accumulated,
            weight,
            last: depth >= self.reflection_depth,
        }
    }

    /// Tests one sphere.
    #[inline(always)]
    fn test(&self, ray: &Ray, index: usize) -> Option<Fp32> {
        let sphere = &self.spheres[index];
        let start = ray.start.filter(|start| start.sphere == index);
        let inputs = SphereHitInputs {
            origin: ray.origin,
            direction: ray.direction,
            centre: sphere.centre,
            radius_squared: sphere.radius_squared,
            radius_inverse: sphere.radius_inverse,
            own: start.is_some(),
            inside: start.is_some_and(|start| start.inside),
        };
        let answer = sphere_hit(&mut Host, &inputs);
        answer.hit.then_some(answer.distance)
    }

    /// The hit with the least distance; of equal ones, the first. Distances are positive, so their bits are in order.
    fn nearest(&self, ray: &Ray) -> Option<Hit> {
        let mut nearest: Option<Hit> = None;
        for index in 0..self.spheres.len() {
            if let Some(distance) = self.test(ray, index) {
                if nearest.as_ref().is_none_or(|nearest| distance.to_bits() < nearest.distance.to_bits()) {
                    nearest = Some(Hit { sphere: index, distance });
                }
            }
        }
        nearest
    }

    /// Something is on the ray nearer than `distance`.
    fn hidden(&self, ray: &Ray, distance: Fp32) -> bool {
        (0..self.spheres.len()).any(|index| self.test(ray, index).is_some_and(|hit| hit.to_bits() < distance.to_bits()))
    }
}
