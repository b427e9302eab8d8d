//! The rays of some pixels, eight at a time, from the camera to the last reflection.
//!
//! ```text
//!  primary rays --> rays --> nearest hits --> shade --> colours, lit and dark
//!                    ^                          |  \--> shadow rays --> hidden? then dark
//!                    +--- reflected rays -------+
//! ```
//!
//! Rays go in waves: a wave holds one ray of each pixel whose chain of reflections has come so far. Lists of rays are
//! dense, so every lane is at work but in the last vector of a wave.
//!
//! What always holds: of spheres hit at the same distance the first counts; what becomes of a pixel depends on the frame
//! only, not on the pixels that it is rendered with.

use std::array::from_fn;

use bytemuck::cast;

use super::frame::{Frame, Pixel, RayCounts, Sphere};
use crate::arithmetic::Arithmetic;
use crate::kernels::{primary_ray, shade, sphere_hit};
use crate::kernels::{PrimaryRayInputs, ShadeInputs, ShadeOutputs, SphereHitInputs, SphereHitOutputs, Triple};
use crate::lanes::{every, masks, Lanes, Numbers, Words, LANES};
use crate::Fp32;

/// The most pixels of a tile.
pub(super) const MOST_PIXELS: usize = 256;

/// The sphere that a ray starts on, if it starts on none.
const NOWHERE: u32 = u32::MAX;

/// What a list keeps of a lane, or of all lanes.
type Bits = [u32; LANES];

/// A dense list of entries of `N` words each, word by word.
struct List<const N: usize> {
    /// Behind the last entry there is room for a vector, so that what is not wanted may be written, too.
    words: [[u32; MOST_PIXELS + LANES]; N],
    length: usize,
}

impl<const N: usize> Default for List<N> {
    fn default() -> Self {
        Self { words: [[0; MOST_PIXELS + LANES]; N], length: 0 }
    }
}

impl<const N: usize> List<N> {
    /// Appends the lanes whose condition holds. In all, at most a tile's pixels may be appended.
    #[inline(always)]
    fn append(&mut self, wanted: Bits, entries: [Bits; N]) {
        // Where each lane goes, behind the last entry: a lane that is not wanted is written over by the next that is.
        let (mut places, mut count) = ([0; LANES], 0);
        for (place, wanted) in places.iter_mut().zip(wanted) {
            *place = count;
            count += usize::from(wanted != 0);
        }
        for (words, entry) in self.words.iter_mut().zip(&entries) {
            let room = &mut words[self.length..self.length + LANES];
            for (place, word) in places.iter().zip(entry) {
                room[place % LANES] = *word;
            }
        }
        self.length += count;
    }

    /// The entries from `first` on, and how many of them there are.
    #[inline(always)]
    fn vector(&self, first: usize) -> ([Bits; N], usize) {
        let entry = |words: &[u32; MOST_PIXELS + LANES]| {
            let mut entry = [0; LANES];
            entry.copy_from_slice(&words[first..first + LANES]);
            entry
        };
        (self.words.each_ref().map(entry), LANES.min(self.length - first))
    }
}

/// Rays, one a lane.
struct Rays {
    origin: Triple<Numbers>,
    direction: Triple<Numbers>,
    /// Index of the sphere that the ray starts on, or [`NOWHERE`].
    start: Words,
    /// The ray starts inwards.
    inside: Numbers,
}

impl Rays {
    /// Words of a ray in a list.
    const WORDS: usize = 8;

    fn bits(&self) -> [Bits; Self::WORDS] {
        let ([ox, oy, oz], [dx, dy, dz]) = (self.origin.0, self.direction.0);
        [cast(ox), cast(oy), cast(oz), cast(dx), cast(dy), cast(dz), cast(self.start), cast(self.inside)]
    }

    fn from_bits([ox, oy, oz, dx, dy, dz, start, inside]: [Bits; Self::WORDS]) -> Self {
        Self {
            origin: Triple([cast(ox), cast(oy), cast(oz)]),
            direction: Triple([cast(dx), cast(dy), cast(dz)]),
            start: cast(start),
            inside: cast(inside),
        }
    }

    /// Tests the rays against a sphere.
    #[inline(always)]
    fn test(&self, index: u32, sphere: &Sphere) -> SphereHitOutputs<Lanes> {
        let inputs = SphereHitInputs {
            origin: self.origin,
            direction: self.direction,
            centre: sphere.centre.map(|c| every(*c)),
            radius_squared: every(sphere.radius_squared),
            radius: every(sphere.radius),
            own: cast(self.start.cmp_eq(Words::splat(index))),
            inside: self.inside,
        };
        sphere_hit(&mut Lanes, &inputs)
    }

    /// The least distance, and the first sphere that is so far; [`NOWHERE`] where there is no hit.
    fn nearest(&self, spheres: &[Sphere]) -> (Numbers, Words) {
        let a = &mut Lanes;
        // A hit's distance is finite.
        let (mut least, mut at) = (Numbers::splat(f32::INFINITY), Words::splat(NOWHERE));
        for (index, sphere) in (0..).zip(spheres) {
            let found = self.test(index, sphere);
            let nearer = a.lt(&found.distance, &least);
            let nearer = a.and(&nearer, &found.hit);
            least = a.select(&nearer, &found.distance, &least);
            at = a.select_word(&nearer, &Words::splat(index), &at);
        }
        (least, at)
    }

    /// Where something is on the ray nearer than `limit`, beside where it was known. Ends when it is so in all lanes.
    fn hidden(&self, spheres: &[Sphere], limit: &Numbers, mut known: Numbers) -> Numbers {
        let a = &mut Lanes;
        for (index, sphere) in (0..).zip(spheres) {
            let found = self.test(index, sphere);
            let nearer = a.lt(&found.distance, limit);
            let hides = a.and(&nearer, &found.hit);
            known = a.or(&known, &hides);
            if known.all() {
                break;
            }
        }
        known
    }
}

/// The rays of a wave: the ray, what its pixel has gathered if the light was seen from where the ray starts and if it was
/// not, what the ray counts for, and the pixel's number in the tile.
type Wave = List<{ Rays::WORDS + 8 }>;

/// Shadow rays: the ray, how far the light is, and the pixel's number in the tile.
type Shadows = List<{ Rays::WORDS + 2 }>;

/// Room for the rays of a tile.
pub(super) struct Tile {
    wave: Box<Wave>,
    next: Box<Wave>,
    shadows: Shadows,
    /// By pixel: its colour if the light is hidden from where its last ray ended.
    dark: [u32; MOST_PIXELS],
    /// By pixel, a mask: it is hidden.
    hidden: [u32; MOST_PIXELS],
}

impl Default for Tile {
    fn default() -> Self {
        Self {
            wave: Box::default(),
            next: Box::default(),
            shadows: Shadows::default(),
            dark: [0; MOST_PIXELS],
            hidden: [0; MOST_PIXELS],
        }
    }
}

impl Tile {
    /// Renders pixels, at most [`MOST_PIXELS`], in raster order from number `first` on.
    pub fn render(&mut self, frame: &Frame, first: u64, pixels: &mut [Pixel]) {
        self.start(frame, first, pixels);
        for depth in 0..=frame.reflection_depth {
            self.shade_wave(frame, depth, pixels);
            self.trace_shadows(frame, pixels);
            std::mem::swap(&mut self.wave, &mut self.next);
        }
    }

    /// The first wave: each pixel's ray from the camera.
    fn start(&mut self, frame: &Frame, first: u64, pixels: &mut [Pixel]) {
        let pixel_count = pixels.len();
        pixels.fill(Pixel { colour: 0, rays: RayCounts { primary: 1, ..RayCounts::default() } });
        let spread = |v: &Triple<Fp32>| v.map(|c| every(*c));
        let [forward, right, up] = [&frame.camera.forward, &frame.camera.right, &frame.camera.up].map(spread);
        let origin = spread(&frame.position);
        let (mut x, mut y) = ((first % u64::from(frame.width)) as u32, (first / u64::from(frame.width)) as u32);
        self.wave.length = 0;
        for number in (0..pixel_count).step_by(LANES) {
            let places: Bits = from_fn(|_| {
                let place = y << 16 | x;
                (x, y) = if x + 1 == frame.width { (0, y + 1) } else { (x + 1, y) };
                place
            });
            let inputs = PrimaryRayInputs {
                forward,
                right,
                up,
                centre_x: every(frame.camera.centre_x),
                centre_y: every(frame.camera.centre_y),
                pixel: cast(places),
            };
            let direction = primary_ray(&mut Lanes, &inputs).direction;
            let rays = Rays { origin, direction, start: Words::splat(NOWHERE), inside: Numbers::ZERO };
            let [ox, oy, oz, dx, dy, dz, start, inside] = rays.bits();
            let numbers: Bits = from_fn(|lane| (number + lane) as u32);
            let wanted = numbers.map(|number| u32::from((number as usize) < pixel_count));
            let (none, one) = ([0; LANES], [Fp32::ONE.0; LANES]);
            let gathered = [none; 6];
            let [lr, lg, lb, dr, dg, db] = gathered;
            self.wave.append(wanted, [ox, oy, oz, dx, dy, dz, start, inside, lr, lg, lb, dr, dg, db, one, numbers]);
        }
        self.hidden = [0; MOST_PIXELS];
    }

    /// Finds what the wave's rays hit and shades it: colours, shadow rays, and the next wave.
    fn shade_wave(&mut self, frame: &Frame, depth: u32, pixels: &mut [Pixel]) {
        self.next.length = 0;
        self.shadows.length = 0;
        let spheres = &frame.spheres;
        for first in (0..self.wave.length).step_by(LANES) {
            let (words, count) = self.wave.vector(first);
            let [ox, oy, oz, dx, dy, dz, start, inside, lr, lg, lb, dr, dg, db, weight, number] = words;
            let rays = Rays::from_bits([ox, oy, oz, dx, dy, dz, start, inside]);
            let (distance, at) = rays.nearest(spheres);
            if depth == 0 && at == Words::splat(NOWHERE) {
                // What `shade` would answer: a ray from the camera that hits nothing is the background, to the bit.
                number[..count]
                    .iter()
                    .for_each(|number| pixels[*number as usize].colour = frame.background & 0x00ff_ffff);
                continue;
            }
            let hidden: Numbers = cast(number.map(|number| self.hidden[number as usize]));
            let dark = Triple([dr, dg, db]);
            let accumulated = Triple([lr, lg, lb]).zip(&dark, |lit, dark| hidden.blend(cast(*dark), cast(*lit)));
            let out =
                shade_hits(frame, &rays, distance, at, accumulated, cast(weight), depth == frame.reflection_depth);

            let hit = cast::<_, Bits>(at).map(|at| u32::from(at != NOWHERE));
            let shadowed = cast::<_, Bits>(out.lit).map(|lit| u32::from(lit != 0 && frame.shadows));
            let (lit_pixels, dark_pixels): (Bits, Bits) = (cast(out.lit_pixel), cast(out.dark_pixel));
            let reflects: Bits = cast(out.reflects);
            let alive = |mask: Bits| from_fn(|lane| if lane < count { mask[lane] & 1 } else { 0 });
            let (hit, shadowed, reflects): (Bits, Bits, Bits) = (alive(hit), alive(shadowed), alive(reflects));
            for lane in 0..count {
                let number = number[lane] as usize;
                let pixel = &mut pixels[number];
                pixel.colour = lit_pixels[lane];
                pixel.rays.hits += u64::from(hit[lane]);
                pixel.rays.shadow += u64::from(shadowed[lane]);
                pixel.rays.reflection += u64::from(reflects[lane]);
                self.dark[number] = dark_pixels[lane];
                self.hidden[number] = 0;
            }

            let shadow = Rays { origin: out.point, direction: out.to_light, start: at, inside: out.inside };
            let [ox, oy, oz, dx, dy, dz, start, inside] = shadow.bits();
            let limit = cast(out.light_distance);
            self.shadows.append(shadowed, [ox, oy, oz, dx, dy, dz, start, inside, limit, number]);

            let ([rx, ry, rz], weight) = (out.reflected.0, cast(out.next_weight));
            let ([lr, lg, lb], [dr, dg, db]) = (out.lit_colour.0, out.dark_colour.0);
            let [rx, ry, rz, lr, lg, lb, dr, dg, db] = [rx, ry, rz, lr, lg, lb, dr, dg, db].map(cast);
            self.next.append(reflects, [ox, oy, oz, rx, ry, rz, start, inside, lr, lg, lb, dr, dg, db, weight, number]);
        }
    }

    /// Where the light is hidden, the pixel is dark.
    fn trace_shadows(&mut self, frame: &Frame, pixels: &mut [Pixel]) {
        for first in (0..self.shadows.length).step_by(LANES) {
            let (words, count) = self.shadows.vector(first);
            let [ox, oy, oz, dx, dy, dz, start, inside, limit, number] = words;
            let rays = Rays::from_bits([ox, oy, oz, dx, dy, dz, start, inside]);
            let unused = masks(from_fn(|lane| lane >= count));
            let hidden: Bits = cast(rays.hidden(&frame.spheres, &cast(limit), unused));
            for lane in (0..count).filter(|lane| hidden[*lane] != 0) {
                let number = number[lane] as usize;
                pixels[number].rays.occluded += 1;
                pixels[number].colour = self.dark[number];
                self.hidden[number] = u32::MAX;
            }
        }
    }
}

/// Shades the ends of rays. Without a hit the distance, the sphere and the material are those that count for nothing.
fn shade_hits(
    frame: &Frame,
    rays: &Rays,
    distance: Numbers,
    at: Words,
    accumulated: Triple<Numbers>,
    weight: Numbers,
    last: bool,
) -> ShadeOutputs<Lanes> {
    let at: Bits = cast(at);
    let mut sphere_words = [[0; LANES]; 4];
    let mut material_words = [[0; LANES]; 4];
    for lane in 0..LANES {
        // No sphere's index is as large as `NOWHERE`.
        let Some(sphere) = frame.spheres.get(at[lane] as usize) else {
            continue;
        };
        let [x, y, z] = sphere.centre.0;
        for (words, number) in sphere_words.iter_mut().zip([x, y, z, sphere.radius_inverse]) {
            words[lane] = number.0;
        }
        for (words, word) in material_words.iter_mut().zip(frame.materials[sphere.material]) {
            words[lane] = word;
        }
    }
    let [x, y, z, radius_inverse] = sphere_words.map(cast);
    let [material_0, material_1, material_2, material_3] = material_words.map(cast);
    let hit = masks(at.map(|at| at != NOWHERE));
    let inputs = ShadeInputs {
        origin: rays.origin,
        direction: rays.direction,
        hit,
        distance: hit & distance,
        centre: Triple([x, y, z]),
        radius_inverse,
        light: frame.light.map(|c| every(*c)),
        material_0,
        material_1,
        material_2,
        material_3,
        background: Words::splat(frame.background),
        accumulated,
        weight,
        last: masks([last; LANES]),
    };
    shade(&mut Lanes, &inputs)
}

#[cfg(test)]
mod tests;
