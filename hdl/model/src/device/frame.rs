//! A frame in numbers: all that its pixels depend on. Pure, so that pixels may be computed in any order, by any thread.

use std::ops::AddAssign;

use rayon::prelude::*;

use super::tile::{Tile, MOST_PIXELS};
use crate::kernels::{sphere_radius, CameraOutputs, SphereRadiusInputs, SphereRadiusOutputs, Triple};
use crate::lanes::LANES;
use crate::{Fp32, Host};

/// A sphere as its descriptor has it, numbers canonical, and what follows from them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sphere {
    /// Its centre.
    pub centre: Triple<Fp32>,
    /// Radius, squared.
    pub radius_squared: Fp32,
    /// 1 / radius.
    pub radius_inverse: Fp32,
    /// Radius: [`sphere_radius`] of the two.
    pub radius: Fp32,
    /// Index into [`Frame::materials`], below its length.
    pub material: usize,
}

impl Sphere {
    /// From a descriptor's numbers, any bits.
    pub fn new(centre: Triple<Fp32>, radius_squared: Fp32, radius_inverse: Fp32, material: usize) -> Self {
        let [radius_squared, radius_inverse] = [radius_squared, radius_inverse].map(Fp32::canonical);
        let SphereRadiusOutputs { radius } =
            sphere_radius(&mut Host, &SphereRadiusInputs { radius_squared, radius_inverse });
        Self { centre: centre.map(|c| c.canonical()), radius_squared, radius_inverse, radius, material }
    }
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
    /// The spheres, in the order of their descriptors.
    pub spheres: Vec<Sphere>,
    /// The materials' words, at most 8.
    pub materials: Vec<[u32; 4]>,
}

/// Pixels x (spheres + [`SHADING`]) of one call's work: a fraction of a second on a core, a deep scene included.
const WORK: u64 = 1 << 23;
/// What a pixel costs beside its tests, in spheres.
const SHADING: u64 = 16;
/// Parts that one call's work is shared out in, if it is large enough.
const PARTS: usize = 32;
/// Most pixels of one call's work.
const MOST_AHEAD: u64 = 1 << 14;

impl Frame {
    /// Pixels of the picture.
    pub fn pixels(&self) -> u64 {
        u64::from(self.width) * u64::from(self.height)
    }

    /// How many pixels are best rendered at once: as many as keep every processor busy, and few enough that who waits for
    /// them does not wait long.
    pub fn pixels_at_once(&self) -> usize {
        let cost = self.spheres.len() as u64 + SHADING;
        (WORK / cost).clamp(16, MOST_AHEAD) as usize
    }

    /// Renders as many pixels as `pixels` has room for, in raster order from number `first` on (row 0 is the top). All must
    /// be pixels of the picture. The work is shared among the threads of the current rayon pool.
    pub fn render(&self, first: u64, pixels: &mut [Pixel]) {
        // Enough parts for a few threads, each large enough to be worth one.
        let part = pixels.len().div_ceil(PARTS).next_multiple_of(LANES).clamp(LANES, MOST_PIXELS);
        pixels.par_chunks_mut(part).enumerate().for_each_init(Tile::default, |tile, (index, pixels)| {
            tile.render(self, first + (index * part) as u64, pixels);
        });
    }
}
