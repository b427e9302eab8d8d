//! What is on the picture.

use super::*;

const RED: [f32; 3] = [1.0, 0.0, 0.0];
const GREEN: [f32; 3] = [0.0, 1.0, 0.0];
const BACKGROUND: u32 = 0x0020_4080;

/// Which pixels see a sphere, by f64 and without the kernels: the angle to its centre against that of its edge.
fn covers(world: &World, x: u32, y: u32, centre: [f64; 3], radius: f64) -> Option<bool> {
    let (width, height) = (scene::SCREEN_X_SIZE.get(&world.scene), scene::SCREEN_Y_SIZE.get(&world.scene));
    // Camera at (0, 0, -5) along +Z: +Y is up and so +X is to the left.
    let step = 2.0 / f64::from(height);
    let d = [
        -(f64::from(x) + 0.5 - f64::from(width) / 2.0) * step,
        (f64::from(height) / 2.0 - f64::from(y) - 0.5) * step,
        1.0,
    ];
    let c = [centre[0], centre[1], centre[2] + 5.0];
    let dot = |u: [f64; 3], v: [f64; 3]| u[0] * v[0] + u[1] * v[1] + u[2] * v[2];
    let distance = (dot(c, c) - dot(c, d).powi(2) / dot(d, d)).sqrt();
    ((distance - radius).abs() > 1e-4).then_some(distance < radius)
}

#[test]
fn silhouette_is_where_geometry_has_it() {
    let mut world = World::new(64, 48);
    world.flat(RED);
    world.sphere([1.0, 0.5, 0.0], 1.5, 0);
    world.register(register::BACKGROUND, BACKGROUND);
    let picture = world.render();
    let mut inside = 0;
    for (index, pixel) in picture.iter().enumerate() {
        let (x, y) = (index as u32 % 64, index as u32 / 64);
        if let Some(covered) = covers(&world, x, y, [1.0, 0.5, 0.0], 1.5) {
            assert_eq!(*pixel, if covered { 0x00ff_0000 } else { BACKGROUND }, "({x}, {y})");
            inside += u32::from(covered);
        }
    }
    // Left of the middle and above it, because +X is to the left when looking along +Z.
    assert_eq!(picture[(24 - 2) * 64 + 32 - 5], 0x00ff_0000);
    assert!(inside > 150, "{inside} pixels");
    assert_eq!(world.counter("hits"), picture.iter().filter(|p| **p == 0x00ff_0000).count() as u64);
}

#[test]
fn nearer_sphere_hides_the_other_in_any_order() {
    for swap in [false, true] {
        let mut world = World::new(1, 1);
        world.flat(RED);
        world.flat(GREEN);
        let (near, far) = (([0.0, 0.0, 0.0], 0), ([0.0, 0.0, 3.0], 1));
        for (centre, material) in if swap { [far, near] } else { [near, far] } {
            world.sphere(centre, 1.0, material);
        }
        assert_eq!(world.render(), [0x00ff_0000]);
    }
}

#[test]
fn equal_distance_goes_to_the_lower_index() {
    for materials in [[0, 1], [1, 0]] {
        let mut world = World::new(9, 9);
        world.flat(RED);
        world.flat(GREEN);
        for material in materials {
            world.sphere([0.0; 3], 2.0, material);
        }
        let want = if materials[0] == 0 { 0x00ff_0000 } else { 0x0000_ff00 };
        assert!(world.render().iter().all(|pixel| *pixel == want || *pixel == 0));
        assert_eq!(world.picture()[40], want);
    }
}

/// Head on, light behind the camera on the axis: the centre pixel is ambient + diffuse + specular.
#[test]
fn centre_pixel_by_hand() {
    let mut world = World::new(1, 1);
    world.light([0.0, 0.0, -9.0]);
    world.material([0.125, 0.25, 0.0], [0.5, 0.25, 0.125], [0.25, 0.25, 0.25], 0.0, 10);
    world.sphere([0.0; 3], 1.0, 0);
    assert_eq!(world.render(), [0x00df_bf60]);
    assert_eq!(["primary_rays", "shadow_rays", "hits", "occluded", "tests"].map(|c| world.counter(c)), [1, 1, 1, 0, 2]);
}

#[test]
fn a_sphere_before_the_light_casts_a_shadow() {
    let mut world = World::new(1, 1);
    world.material([0.125; 3], [0.5; 3], [0.0; 3], 0.0, 0);
    world.sphere([0.0; 3], 1.0, 0);
    world.light([0.0, 3.0, -5.0]);
    let lit = world.render();
    // L = (0, 3, -4) / 5: N.L = 0.8, 0.125 + 0.4 = 0.525 and 255 x 0.525 = 133.9.
    assert_eq!(lit, [0x0086_8686]);
    // On the way to the light, off the way of the primary ray.
    world.sphere([0.0, 1.5, -3.0], 0.5, 0);
    assert_eq!(world.render(), [0x0020_2020]);
    assert_eq!(["shadow_rays", "occluded", "tests"].map(|c| world.counter(c)), [1, 1, 4]);
    // Beyond the light it hides nothing.
    world.set(scene::SPHERE_COUNT, 1);
    world.sphere([0.0, 4.5, -7.0], 0.5, 0);
    assert_eq!(world.render(), lit);
    // Without shadows there is no ray that could find it.
    world.set(scene::SPHERE_COUNT, 1);
    world.sphere([0.0, 1.5, -3.0], 0.5, 0);
    world.register(register::RENDER_CONTROL, 0x204);
    assert_eq!(world.render(), lit);
    assert_eq!(["shadow_rays", "occluded", "tests"].map(|c| world.counter(c)), [0, 0, 2]);
}

/// A perfect mirror head on shows what is behind the camera; at depth 0 its own colour.
#[test]
fn mirror_shows_what_is_behind_the_camera() {
    let mut world = World::new(1, 1);
    world.material([0.0, 0.0, 0.5], [0.0; 3], [0.0; 3], 1.0, 0);
    world.flat(RED);
    world.sphere([0.0; 3], 1.0, 0);
    world.sphere([0.0, 0.0, -10.0], 1.0, 1);
    assert_eq!(world.render(), [0x00ff_0000]);
    assert_eq!(["primary_rays", "reflection_rays", "hits"].map(|c| world.counter(c)), [1, 1, 2]);
    world.register(register::RENDER_CONTROL, 0x300);
    assert_eq!(world.render(), [0x0000_0080]);
    assert_eq!(world.counter("reflection_rays"), 0);
    // A half mirror: half its own colour, half the other's; 127.5 + 0.5 and 63.75 + 0.5, truncated.
    world.register(register::RENDER_CONTROL, 0x304);
    world.store(MATERIALS + 12, &[64]);
    assert_eq!(world.render(), [0x0080_0040]);
}

/// Two mirrors face each other: the chain ends at the depth that the register says, and there the colour stays.
#[test]
fn chain_of_mirrors_has_the_depth_asked_for() {
    for depth in 0..16 {
        let mut world = World::new(1, 1);
        world.material([0.5, 0.0, 0.0], [0.0; 3], [0.0; 3], 0.5, 0);
        world.sphere([0.0; 3], 1.0, 0);
        world.sphere([0.0, 0.0, -10.0], 1.0, 0);
        world.register(register::RENDER_CONTROL, 0x300 | depth);
        // Each hit adds its share of 0.5, and the shares add up to 1.
        assert_eq!(world.render(), [0x0080_0000], "depth {depth}");
        assert_eq!(world.counter("reflection_rays"), u64::from(depth));
    }
}

#[test]
fn camera_inside_a_sphere_sees_it_everywhere() {
    let mut world = World::new(32, 24);
    world.material([0.25, 0.0, 0.0], [0.5, 0.0, 0.0], [0.0; 3], 0.0, 0);
    world.sphere([0.0; 3], 50.0, 0);
    world.light([0.0, 10.0, -5.0]);
    let picture = world.render();
    assert!(picture.iter().all(|p| p >> 16 > 64 && p & 0xffff == 0), "lit from within");
    assert_eq!(["hits", "shadow_rays", "occluded"].map(|c| world.counter(c)), [768, 768, 0]);
    // The light outside: the sphere's own wall hides it. N.L is above 0 only on the light's side, seen from within: nowhere.
    world.light([0.0, 100.0, -5.0]);
    let picture = world.render();
    assert!(picture.iter().all(|p| *p == 0x0040_0000), "dark from within");
}

/// The floor as a sphere of 10^k: no speck of its own shadow on it, and another sphere's shadow where it belongs.
#[test]
fn huge_spheres_do_not_shadow_themselves() {
    for exponent in 1..7 {
        let radius = 10f32.powi(exponent);
        let mut world = World::new(64, 48);
        world.material([0.25; 3], [0.5; 3], [0.0; 3], 0.0, 0);
        world.sphere([0.0, -1.0 - radius, 0.0], radius, 0);
        world.camera([0.0, 1.0, -5.0], [0.0, -0.5, 0.0], 60.0);
        world.light([3.0, 8.0, -2.0]);
        world.render();
        assert!(world.counter("hits") > 1000);
        assert_eq!(world.counter("occluded"), 0, "radius {radius}");
        world.sphere([0.0, 0.0, 0.0], 1.0, 0);
        world.render();
        let occluded = world.counter("occluded");
        assert!((40..700).contains(&occluded), "radius {radius}: {occluded} in shadow");
    }
}

/// A sphere 1000 units away that is about 20 pixels wide: as round as one near by.
#[test]
fn far_sphere_is_round() {
    let mut near = World::new(40, 40);
    near.flat(RED);
    near.sphere([0.0; 3], 2.0, 0);
    let mut far = World::new(40, 40);
    far.flat(RED);
    far.sphere([0.0, 0.0, 1019.0], 409.6, 0);
    far.set(scene::CAM_POS_Z, (-5.0f32).to_bits());
    let (near, far) = (near.render(), far.render());
    let differ = near.iter().zip(&far).filter(|(a, b)| a != b).count();
    let count = near.iter().filter(|p| **p != 0).count();
    assert!(count > 200 && differ * 20 < count, "{count} pixels, {differ} differ");
    for y in 0..40 {
        for x in 0..40 {
            assert_eq!(far[y * 40 + x], far[y * 40 + 39 - x], "symmetric");
            assert_eq!(far[y * 40 + x], far[(39 - y) * 40 + x], "symmetric");
        }
    }
}

/// A mirror far from the camera, where a hit is off the surface by more than the bias: no reflected ray meets the sphere
/// that it leaves.
#[test]
fn convex_mirror_does_not_see_itself() {
    for distance in [20.0, 200.0, 2000.0] {
        let mut world = World::new(48, 48);
        world.material([0.5; 3], [0.0; 3], [0.0; 3], 1.0, 0);
        world.sphere([0.0; 3], 1.0, 0);
        world.camera([0.0, 0.0, -distance], [0.0; 3], 150.0 / distance);
        world.register(register::BACKGROUND, BACKGROUND);
        assert!(world.render().iter().all(|pixel| *pixel == BACKGROUND), "distance {distance}");
        let (hits, reflections) = (world.counter("hits"), world.counter("reflection_rays"));
        assert!(hits > 500 && hits == reflections, "distance {distance}: {hits} hits, {reflections} reflections");
    }
}

/// A sphere up and to the right of the axis is up and to the right in the picture.
#[test]
fn first_row_is_the_top_and_right_is_right() {
    let mut world = World::new(4, 4);
    // From +Z towards the origin: +X is to the right.
    world.camera([0.0, 0.0, 5.0], [0.0; 3], 90.0);
    world.flat(RED);
    world.sphere([3.0, 3.0, 0.0], 1.0, 0);
    let picture = world.render();
    let hits: Vec<usize> = (0..16).filter(|i| picture[*i] != 0).collect();
    assert_eq!(hits, [3], "the top right pixel alone");
}

/// No sphere, no material: the background in every pixel, to the byte.
#[test]
fn empty_scene_is_the_background() {
    let mut world = World::new(5, 3);
    world.set(scene::SPHERE_POINTER, 0);
    world.set(scene::MATERIAL_POINTER, 0);
    for background in [0, 0x00ff_ffff, 0x0001_0203, 0x00fe_807f] {
        world.register(register::BACKGROUND, background);
        assert!(world.render().iter().all(|p| *p == background));
    }
    assert_eq!(["primary_rays", "pixels", "tests", "hits"].map(|c| world.counter(c)), [15, 15, 0, 0]);
}

/// A pixel is a function of the frame alone.
#[test]
fn pixels_may_be_rendered_in_any_order() {
    let mut world = World::new(16, 12);
    world.material([0.1; 3], [0.5; 3], [0.4; 3], 0.5, 20);
    world.sphere([0.0; 3], 1.0, 0);
    world.sphere([1.5, 0.5, -1.0], 0.7, 0);
    world.run();
    world.device.advance(&mut world.memory, 0);
    world.device.advance(&mut world.memory, 0);
    let mut backwards: Vec<u32> = {
        let frame = world.device.frame().expect("the descriptors are read");
        let pixel = |number| {
            let mut pixel = [Pixel::default()];
            frame.render(number, &mut pixel);
            pixel[0].colour
        };
        (0..16 * 12).rev().map(pixel).collect()
    };
    backwards.reverse();
    world.finish();
    assert_eq!(world.picture(), backwards);
}
