//! The colour of a ray's end, and the rays that may follow: towards the light, and reflected.
//!
//! ```text
//!  p = o + t d                 the point                     n = (p - c) / r, turned against the ray
//!  L = (light - p) / |light - p|                             R = d - 2 (d . n) n
//!  ambient part  = ambient     light part = diffuse (n . L) + specular max(0, R . L)^shininess, where n . L > 0
//!
//!  dark = accumulated + share (ambient part)                 the ray's end in shadow
//!  lit  = dark        + share (light part)                   the ray's end in light
//!  share = weight (1 - k_refl), the rest goes to the reflected ray; without one, weight
//! ```
//!
//! Both colours are given, so a shadow ray that returns later only chooses. A ray that hits nothing ends in the
//! background: dark = lit = accumulated + weight background. Gathered colours are in levels of a pixel, 0 to 255, not clamped.
//!
//! Phong's model with one white light and no falloff (assumed, as is the reflection's weight). R . L is the cosine between
//! the mirrored view and the light, which is Phong's R . V.

use super::single::{at_most, rounded};
use super::vector::{add, dot, normalise, scale, sub, unit_step};
use super::{kernel, port_list, port_type, put_ports, take_ports, Triple};
use crate::arithmetic::Arithmetic;

/// Full brightness of a channel in a pixel, and so the scale of gathered colours: of no other are levels of a background exact,
/// and a pixel rounds without a product.
pub(super) const LEVELS: f32 = 255.0;

kernel! {
    /// [`shade`] by port names.
    Shade = shade;
    /// A ray and what it hit.
    ShadeInputs {
        /// Where the ray started.
        origin: Vector,
        /// Unit vector.
        direction: Vector,
        /// It hit a sphere. Without a hit, distance, sphere and material count for nothing.
        hit: Flag,
        /// From the origin to the hit.
        distance: Float,
        /// The sphere's centre.
        centre: Vector,
        /// 1 / radius.
        radius_inverse: Float,
        /// Where the light is.
        light: Vector,
        /// Ambient colour, FX1.7: r in bits 7:0, g in 15:8, b in 23:16.
        material_0: Word,
        /// Diffuse colour, likewise.
        material_1: Word,
        /// Specular colour, likewise.
        material_2: Word,
        /// k_refl, FX1.7, in bits 7:0; shininess in 15:8.
        material_3: Word,
        /// Background, XRGB8888.
        background: Word,
        /// Colour gathered by the chain of reflections so far, not negative, 255 being full.
        accumulated: Colour,
        /// What this ray's colour counts for, 0 to 1.
        weight: Float,
        /// No reflection follows.
        last: Flag,
    }
    /// Two colours and two rays.
    ShadeOutputs {
        /// Where the next rays start.
        point: Vector,
        /// Unit vector to the light.
        to_light: Vector,
        /// How far the light is.
        light_distance: Float,
        /// Unit vector of the reflected ray.
        reflected: Vector,
        /// The ray hit the sphere from within.
        inside: Flag,
        /// It hit, and the light is on the hit's side of the surface: a shadow ray decides between lit and dark.
        lit: Flag,
        /// It hit, and a reflected ray follows.
        reflects: Flag,
        /// Colour gathered if the light is seen, 255 being full.
        lit_colour as lit: Colour,
        /// Colour gathered if it is not.
        dark_colour as dark: Colour,
        /// What the reflected ray's colour counts for.
        next_weight: Float,
        /// The lit colour as XRGB8888.
        lit_pixel: Word,
        /// The dark colour as XRGB8888.
        dark_pixel: Word,
    }
}

/// Shades a ray's end. 67 products, 48 sums, 1 root, 1 quotient.
pub fn shade<A: Arithmetic>(a: &mut A, i: &ShadeInputs<A>) -> ShadeOutputs<A> {
    let zero = a.number(0.0);
    let one = a.number(1.0);

    let path = scale(a, &i.direction, &i.distance);
    let point = add(a, &i.origin, &path);
    let radial = sub(a, &point, &i.centre);
    let normal = scale(a, &radial, &i.radius_inverse);
    let along = dot(a, &normal, &i.direction);
    let inside = a.lt(&zero, &along);

    let light = sub(a, &i.light, &point);
    let (to_light, light_distance) = normalise(a, &light);

    // n . L is linear in n: turning the normal turns the sign.
    let outward = dot(a, &normal, &to_light);
    let inward = a.neg(&outward);
    let cosine = a.select(&inside, &inward, &outward);
    let faces = a.lt(&zero, &cosine);
    let lit = a.and(&i.hit, &faces);

    let reflected = reflect(a, &i.direction, &normal, &along);

    let mirror = dot(a, &reflected, &to_light);
    let mirror = a.max(&mirror, &zero);
    let base = a.min(&mirror, &one);
    let shininess = a.field(&i.material_3, 15, 8);
    let highlight = power(a, &base, &shininess);

    let (cosine, highlight) = (a.select(&lit, &cosine, &zero), a.select(&lit, &highlight, &zero));

    let reflection = fixed(a, &i.material_3, 0);
    let per_unit = a.number(1.0 / 128.0);
    let reflection = a.mul(&reflection, &per_unit);
    let shines = a.lt(&zero, &reflection);
    let goes_on = a.not(&i.last);
    let reflects = a.and(&i.hit, &shines);
    let reflects = a.and(&reflects, &goes_on);
    let next_weight = a.mul(&i.weight, &reflection);
    let rest_weight = a.sub(&i.weight, &next_weight);
    let share = a.select(&reflects, &rest_weight, &i.weight);

    // Colours are in levels of a pixel. A material's are 255 / 128 of its numbers, a background's bytes are levels already.
    let levels = a.number(LEVELS / 128.0);
    let unit = a.select(&i.hit, &levels, &one);
    let share = a.mul(&share, &unit);
    let (diffuse_share, specular_share) = (a.mul(&share, &cosine), a.mul(&share, &highlight));

    let mut colour = |lsb: u32| {
        let ambient = fixed_word(a, &i.material_0, lsb);
        let background = a.field(&i.background, 23 - lsb, 16 - lsb);
        let dark = a.select_word(&i.hit, &ambient, &background);
        let dark = a.int_to_float(&dark);
        let diffuse = fixed(a, &i.material_1, lsb);
        let specular = fixed(a, &i.material_2, lsb);
        let diffuse = a.mul(&diffuse, &diffuse_share);
        let specular = a.mul(&specular, &specular_share);
        (a.mul(&dark, &share), a.add(&diffuse, &specular))
    };
    let [(red, red_light), (green, green_light), (blue, blue_light)] = [colour(0), colour(8), colour(16)];
    let dark_colour = add(a, &i.accumulated, &Triple([red, green, blue]));
    let lit_colour = add(a, &dark_colour, &Triple([red_light, green_light, blue_light]));

    let (lit_pixel, dark_pixel) = (to_pixel(a, &lit_colour), to_pixel(a, &dark_colour));
    ShadeOutputs {
        point,
        to_light,
        light_distance,
        reflected,
        inside,
        lit,
        reflects,
        lit_colour,
        dark_colour,
        next_weight,
        lit_pixel,
        dark_pixel,
    }
}

/// d - 2 (d . n) n, its length made 1 by one Newton step: along a chain of reflections the errors of the length would add up.
/// The sign of n does not matter.
fn reflect<A: Arithmetic>(a: &mut A, direction: &Triple<A::F>, normal: &Triple<A::F>, along: &A::F) -> Triple<A::F> {
    // A product with 2 costs no adder.
    let two = a.number(2.0);
    let twice = a.mul(along, &two);
    let across = scale(a, normal, &twice);
    let mirrored = sub(a, direction, &across);
    unit_step(a, &mirrored)
}

/// `base` to the power of the low 8 bits of `exponent`, by squaring; to the power of 0 it is 1.
fn power<A: Arithmetic>(a: &mut A, base: &A::F, exponent: &A::I) -> A::F {
    let one = a.number(1.0);
    let first = a.bit(exponent, 0);
    let mut product = a.select(&first, base, &one);
    let mut square = base.clone();
    for n in 1..8 {
        square = a.mul(&square, &square);
        let longer = a.mul(&product, &square);
        let taken = a.bit(exponent, n);
        product = a.select(&taken, &longer, &product);
    }
    product
}

/// The FX1.7 byte at a bit of a word as an integer, 0 to 128: above 0x80 it counts as 0x80.
fn fixed_word<A: Arithmetic>(a: &mut A, word: &A::I, lsb: u32) -> A::I {
    let fraction = a.field(word, lsb + 6, lsb);
    let full = a.bit(word, lsb + 7);
    let top = a.word(0x80);
    a.select_word(&full, &top, &fraction)
}

/// As [`fixed_word`], as a number.
fn fixed<A: Arithmetic>(a: &mut A, word: &A::I, lsb: u32) -> A::F {
    let integer = fixed_word(a, word, lsb);
    a.int_to_float(&integer)
}

/// A colour as XRGB8888, each channel rounded. Colours are not negative; a NaN gives 0.
fn to_pixel<A: Arithmetic>(a: &mut A, colour: &Triple<A::F>) -> A::I {
    let [red, green, blue] = colour
        .map(|channel| {
            let level = at_most(a, channel, LEVELS);
            rounded(a, &level)
        })
        .0;
    let zero = a.word(0);
    a.pack(&[(&blue, 8), (&green, 8), (&red, 8), (&zero, 8)])
}
