//! Scenes made from a number and a seed, to measure how a core's speed depends on the number of spheres.
//!
//! Spheres lie at random in a cube before the camera, the smaller the more there are, so that they hide about as much of
//! the picture whatever their number. All numbers are exact in FP32: the same seed gives the same scene on every machine.

use rayman_driver::scene::fx1_7;
use rayman_driver::{Camera, Fx1_7, Material, RenderOptions, Scene, Screen, Sphere};
use rayman_sim::random::Random;

/// About how many tests a made scene's picture takes at most, if its size is not asked for.
pub const TESTS: u64 = 4_000_000;
/// Rays a pixel, about as many as any made scene has.
const RAYS_A_PIXEL: u64 = 4;
/// The largest picture, a quarter of its width and a third of its height.
const LARGEST: u64 = 80;
/// Reflections that a made scene is rendered with; shadows are on.
pub const REFLECTIONS: u8 = 3;
/// The most spheres of a made scene.
pub const MOST_SPHERES: u32 = 100_000;

/// Half the cube's edge.
const HALF: f32 = 2.0;
/// Steps of a random number in a range.
const STEPS: u32 = 1024;

/// The size of a made scene's picture if nothing else is asked for, 4 : 3. As large as [`TESTS`] allows, so that filling and
/// draining the core hardly count, and a simulator is done in seconds.
pub fn screen(spheres: u32) -> Screen {
    let pixels = TESTS / (RAYS_A_PIXEL * u64::from(spheres.max(1)));
    let unit = (pixels / 12).isqrt().clamp(1, LARGEST) as u16;
    Screen { width: 4 * unit, height: 3 * unit }
}

/// A number within `low..high`.
fn between(random: &mut Random, low: f32, high: f32) -> f32 {
    low + (high - low) * (random.below(STEPS) as f32 / STEPS as f32)
}

fn material(diffuse: [f64; 3], reflection: f64) -> Material {
    // All are within 0..=1.
    let channel = |value: f64| fx1_7(value).unwrap_or(Fx1_7::ZERO);
    Material {
        ambient: diffuse.map(|value| channel(value / 8.0)),
        diffuse: diffuse.map(channel),
        specular: [channel(0.5); 3],
        reflection: channel(reflection),
        shininess: 30,
    }
}

/// A scene of so many spheres, at least one, and how it is rendered.
pub fn scene(spheres: u32, seed: u64) -> (Scene, RenderOptions) {
    let mut random = Random::new(seed);
    let materials = vec![
        material([0.75, 0.25, 0.125], 0.25),
        material([0.125, 0.5, 0.25], 0.5),
        material([0.25, 0.25, 0.75], 0.375),
        material([0.5, 0.5, 0.5], 0.625),
    ];
    let screen = screen(spheres);
    // Edge of the smallest cube of cells that has a cell for every sphere.
    let cells = (1..).find(|edge: &u32| edge.pow(3) >= spheres).unwrap_or(1);
    let typical = HALF / cells as f32;
    let spheres = (0..spheres).map(|_| Sphere {
        centre: std::array::from_fn(|_| between(&mut random, -HALF, HALF)),
        radius: between(&mut random, 0.75 * typical, 1.5 * typical),
        material: random.below(materials.len() as u32) as usize,
    });
    let scene = Scene {
        light: [5.0, 7.0, 6.0],
        camera: Camera { position: [0.0, 0.5, 7.0], look_at: [0.0, 0.0, 0.0], fov_degrees: 38.0 },
        screen,
        spheres: spheres.collect(),
        materials: materials.clone(),
    };
    let options = RenderOptions { reflection_depth: REFLECTIONS, shadows: true, ..RenderOptions::default() };
    (scene, options)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_makes_the_same_scene_again_and_another_seed_another() {
        for spheres in [1, 3, 8, 9, 1000] {
            let (made, options) = scene(spheres, 7);
            assert_eq!(made.spheres.len(), spheres as usize);
            assert_eq!(made.validate(), Ok(()));
            assert_eq!((options.reflection_depth, options.shadows), (3, true));
            assert_eq!(scene(spheres, 7).0, made);
            assert_ne!(scene(spheres, 8).0, made);
        }
    }

    #[test]
    fn pictures_are_as_large_as_the_tests_allow() {
        let size = |spheres| {
            let Screen { width, height } = screen(spheres);
            (width, height)
        };
        assert_eq!([1, 3, 8].map(size), [(320, 240); 3]);
        assert_eq!([16, 100, 1000].map(size), [(288, 216), (112, 84), (36, 27)]);
        assert_eq!([MOST_SPHERES, u32::MAX].map(size), [(4, 3); 2]);
    }

    /// The first sphere of a seed as it was when this was written: figures of old runs stay comparable.
    #[test]
    fn a_made_scene_stays_as_it_was() {
        let sphere = scene(16, 1).0.spheres[0];
        assert_eq!((sphere.centre, sphere.radius), ([-0.15234375, -0.6796875, 0.98828125], 0.64941406));
    }
}
