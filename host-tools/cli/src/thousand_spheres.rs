//! The generator of `scenes/thousand-spheres.toml`: a cube of 10 x 10 x 10 spheres, a colour an octant.
//!
//! Sphere (i, j, k), each 0 to 9, has its centre at (i, j, k) - 4.5 and the material of its octant: bit 2 red where
//! i >= 5, bit 1 green where j >= 5, bit 0 blue where k >= 5. Radii grow from 0.2 at the corner (0, 0, 0) to 0.5 at
//! (9, 9, 9). All numbers have few decimals, so the text is the same on every machine.

use std::fmt::Write;

/// Spheres along an edge of the cube.
const EDGE: u32 = 10;

const HEAD: &str = r##"# A thousand spheres, four times as many as the core holds on chip: the rest come from memory, again and again, at the
# rate at which they are tested. Made by `cargo run -p rayman-tools --example thousand-spheres`; change the generator,
# not this file.
#
# The size is small because every ray meets every sphere: on the simulated RTL even this takes a while. For a picture
# to look at: rayman-upload scenes/thousand-spheres.toml --device model --size 640x480

[camera]
position = [13.0, 10.0, 17.0]
look_at = [0.0, -0.4, 0.0]
fov = 38.0

[light]
position = [8.0, 22.0, 14.0]

[screen]
width = 24
height = 18

[render]
reflections = 1
shadows = true
background = "#18202c"
"##;

/// The scene file's text.
pub fn scene() -> String {
    let mut text = HEAD.to_owned();
    for octant in 0..8u32 {
        let name = octant_name(octant);
        let channel = |bit: u32| octant >> bit & 1;
        let colour = |low: f64, high: f64| [2, 1, 0].map(|bit| if channel(bit) == 1 { high } else { low });
        let [ambient, diffuse] = [colour(0.03, 0.12), colour(0.15, 0.8)];
        // Writing to a String cannot fail.
        let _ = write!(
            text,
            "\n[[material]]\nname = \"{name}\"\nambient = {ambient:?}\ndiffuse = {diffuse:?}\n\
             specular = [0.6, 0.6, 0.6]\nreflection = 0.15\nshininess = 40\n"
        );
    }
    for (i, j, k) in (0..EDGE).flat_map(|i| (0..EDGE).flat_map(move |j| (0..EDGE).map(move |k| (i, j, k)))) {
        let half = |n: u32| u32::from(n >= EDGE / 2);
        let name = octant_name(half(i) << 2 | half(j) << 1 | half(k));
        let centre = [i, j, k].map(|n| f64::from(n) - 4.5);
        // 27 steps from corner to corner, in hundredths so that one decimal fraction is printed.
        let radius = f64::from(20 + (i + j + k) * 30 / 27) / 100.0;
        let _ = write!(text, "\n[[sphere]]\ncentre = {centre:?}\nradius = {radius:?}\nmaterial = \"{name}\"\n");
    }
    text
}

/// The material of an octant: red in bit 2, green in bit 1, blue in bit 0.
fn octant_name(octant: u32) -> &'static str {
    ["black", "blue", "green", "cyan", "red", "magenta", "yellow", "white"][octant as usize & 7]
}
