//! A frame in numbers, and a pixel's rays: pure, so that pixels may be computed in any order.
//!
//! ```text
//!  primary ray --> nearest hit --> shade --> shadow ray, if it hit, faces the light and shadows are on: lit or dark?
//!       ^                            |
//!       +------ reflected ray -------+  while the material reflects and the chain is not too long
//! ```

use std::ops::AddAssign;

use wide::f32x8;

use super::lanes::{bits, masks, numbers, Lanes, Words, LANES};
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
#[derive(Clone)]
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
    /// The spheres.
    pub spheres: Spheres,
    /// The materials' words, at most 8.
    pub materials: Vec<[u32; 4]>,
}

/// Spheres in the order of their descriptors, and again eight by eight for the tests.
#[derive(Clone, Debug, Default)]
pub struct Spheres {
    list: Vec<Sphere>,
    packs: Vec<Pack>,
}

/// Eight spheres, number by number.
#[derive(Clone, Debug)]
struct Pack {
    centre: Triple<Words>,
    radius_squared: Words,
    radius_inverse: Words,
}

impl Pack {
    /// Spheres that no ray hits: their radius is not a number.
    const EMPTY: Self = Self {
        centre: Triple([[0; LANES]; 3]),
        radius_squared: [Fp32::NAN.0; LANES],
        radius_inverse: [Fp32::NAN.0; LANES],
    };
}

impl Spheres {
    /// Appends a sphere; its numbers are made canonical.
    pub fn push(&mut self, sphere: Sphere) {
        let sphere = Sphere {
            centre: sphere.centre.map(|c| c.canonical()),
            radius_squared: sphere.radius_squared.canonical(),
            radius_inverse: sphere.radius_inverse.canonical(),
            ..sphere
        };
        let lane = self.list.len() % LANES;
        if lane == 0 {
            self.packs.push(Pack::EMPTY);
        }
        if let Some(pack) = self.packs.last_mut() {
            for (words, number) in pack.centre.0.iter_mut().zip(sphere.centre.0) {
                words[lane] = number.0;
            }
            pack.radius_squared[lane] = sphere.radius_squared.0;
            pack.radius_inverse[lane] = sphere.radius_inverse.0;
        }
        self.list.push(sphere);
    }

    /// The spheres in order.
    pub fn as_slice(&self) -> &[Sphere] {
        &self.list
    }
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
        let sphere = hit.map(|hit| &self.spheres.list[hit.sphere]);
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

    /// Tests eight spheres. Answers the distances' bits, all ones where there is no hit: distances are positive, so their
    /// bits are in order.
    #[inline(always)]
    fn test(&self, ray: &Wide, pack: usize) -> Words {
        let spheres = &self.spheres.packs[pack];
        let own = match ray.start.checked_sub(pack * LANES) {
            Some(lane) if lane < LANES => masks(std::array::from_fn(|i| i == lane)),
            _ => f32x8::ZERO,
        };
        let inputs = SphereHitInputs {
            origin: ray.origin,
            direction: ray.direction,
            centre: spheres.centre.map(|c| numbers(*c)),
            radius_squared: numbers(spheres.radius_squared),
            radius_inverse: numbers(spheres.radius_inverse),
            own,
            inside: ray.inside,
        };
        let answer = sphere_hit(&mut Lanes, &inputs);
        bits(answer.distance | !answer.hit)
    }

    /// The hit with the least distance; of equal ones, the first.
    fn nearest(&self, ray: &Ray) -> Option<Hit> {
        let ray = Wide::new(ray);
        let (mut least, mut at) = ([u32::MAX; LANES], [0u32; LANES]);
        for pack in 0..self.spheres.packs.len() {
            let distance = self.test(&ray, pack);
            for lane in 0..LANES {
                let nearer = distance[lane] < least[lane];
                least[lane] = if nearer { distance[lane] } else { least[lane] };
                at[lane] = if nearer { pack as u32 } else { at[lane] };
            }
        }
        let (distance, sphere) = (0..LANES).map(|lane| (least[lane], at[lane] as usize * LANES + lane)).min()?;
        (distance != u32::MAX).then_some(Hit { sphere, distance: Fp32(distance) })
    }

    /// Something is on the ray nearer than `distance`.
    fn hidden(&self, ray: &Ray, distance: Fp32) -> bool {
        let ray = Wide::new(ray);
        (0..self.spheres.packs.len()).any(|pack| self.test(&ray, pack).iter().any(|hit| *hit < distance.to_bits()))
    }
}

/// A ray, the same in every lane.
struct Wide {
    origin: Triple<f32x8>,
    direction: Triple<f32x8>,
    /// Index of the sphere it starts on; no sphere's, if it starts on none.
    start: usize,
    inside: f32x8,
}

impl Wide {
    fn new(ray: &Ray) -> Self {
        let inside = ray.start.is_some_and(|start| start.inside);
        Self {
            origin: ray.origin.map(|c| numbers([c.0; LANES])),
            direction: ray.direction.map(|c| numbers([c.0; LANES])),
            start: ray.start.map_or(usize::MAX, |start| start.sphere),
            inside: masks([inside; LANES]),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernels::camera;
    use crate::kernels::CameraInputs;
    use crate::random::Random;

    /// One sphere after the other, by the kernel over the host's numbers.
    fn nearest_one_by_one(frame: &Frame, ray: &Ray) -> Option<(u32, usize)> {
        let hits = frame.spheres.list.iter().enumerate().filter_map(|(index, sphere)| {
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
            answer.hit.then_some((answer.distance.to_bits(), index))
        });
        hits.min()
    }

    #[test]
    fn eight_at_once_find_what_one_by_one_finds() {
        let mut random = Random::for_test("eight_at_once_find_what_one_by_one_finds", 0x5eed_0021);
        let (mut hits, mut ties) = (0, 0);
        for round in 0..3000 {
            let number = |random: &mut Random| match round % 16 {
                0 => Fp32(random.float_bits()),
                _ => Fp32::from_f32(random.between(-5.0, 5.0)),
            };
            let position = Triple([0; 3].map(|_| number(&mut random).canonical()));
            let inputs = CameraInputs { position, target: Triple::default(), fov_degrees: Fp32::ONE, screen: 0x1_0001 };
            let mut frame = Frame {
                width: 1,
                height: 1,
                position,
                camera: camera(&mut Host, &inputs),
                light: Triple::default(),
                background: 0,
                reflection_depth: 0,
                shadows: true,
                spheres: Spheres::default(),
                materials: vec![[0; 4]],
            };
            for _ in 0..random.below(40) {
                let radius = random.between(0.1, 3.0);
                let sphere = Sphere {
                    centre: Triple([0; 3].map(|_| number(&mut random))),
                    radius_squared: Fp32::from_f32(radius * radius),
                    radius_inverse: Fp32::from_f32(1.0 / radius),
                    material: 0,
                };
                frame.spheres.push(sphere);
                if random.one_in(4) {
                    frame.spheres.push(sphere);
                }
            }
            for _ in 0..20 {
                let direction = [0; 3].map(|_| f64::from(random.between(-1.0, 1.0)));
                let length = direction.iter().map(|c| c * c).sum::<f64>().sqrt();
                let start = Start { sphere: random.below(40) as usize, inside: random.one_in(2) };
                let ray = Ray {
                    origin: position,
                    direction: Triple(direction.map(|c| Fp32::from_f32((c / length) as f32))),
                    start: random.one_in(2).then_some(start),
                };
                let want = nearest_one_by_one(&frame, &ray);
                let got = frame.nearest(&ray).map(|hit| (hit.distance.to_bits(), hit.sphere));
                assert_eq!(got, want);
                if let Some((bits, index)) = want {
                    hits += 1;
                    let list = &frame.spheres.list;
                    ties += u32::from(list.get(index + 1).is_some_and(|next| *next == list[index]));
                    assert!(!frame.hidden(&ray, Fp32(bits)) && frame.hidden(&ray, Fp32(bits + 1)));
                } else {
                    assert!(!frame.hidden(&ray, Fp32(0x7f7f_ffff)));
                }
            }
        }
        assert!(hits > 20_000 && ties > 2_000, "{hits} hits, {ties} ties");
    }
}
