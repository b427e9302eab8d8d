//! Validation and encoding of scenes.

use proptest::prelude::*;
use rayman_abi::descriptor;
use rayman_driver::scene::fx1_7;
use rayman_driver::{Camera, Fx1_7, Item, Material, Scene, SceneProblem, Screen, Sphere};

fn scene() -> Scene {
    let colour = [fx1_7(0.25).unwrap(); 3];
    let material =
        Material { ambient: colour, diffuse: colour, specular: colour, reflection: Fx1_7::ONE, shininess: 255 };
    Scene {
        light: [0.0; 3],
        camera: Camera { position: [0.0; 3], look_at: [0.0, 0.0, -1.0], fov_degrees: 45.0 },
        screen: Screen { width: 65535, height: 1 },
        spheres: vec![Sphere { centre: [0.0; 3], radius: 1.0, material: 0 }; 2],
        materials: vec![material; 8],
    }
}

/// The fault that validation finds after `spoil`: item, field and problem.
fn fault(spoil: impl FnOnce(&mut Scene)) -> (Item, &'static str, SceneProblem) {
    let mut scene = scene();
    scene.validate().unwrap();
    spoil(&mut scene);
    let error = scene.validate().unwrap_err();
    assert!(error.to_string().starts_with(&format!("{}.{}: ", error.item, error.field)), "{error}");
    assert!(!error.problem.hint().is_empty());
    (error.item, error.field, error.problem)
}

#[test]
fn numbers_that_are_not_finite_are_refused_everywhere() {
    for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        for axis in 0..3 {
            assert!(matches!(fault(|s| s.light[axis] = bad), (Item::Light, "position", SceneProblem::NotFinite(_))));
            assert!(matches!(
                fault(|s| s.camera.position[axis] = bad),
                (Item::Camera, "position", SceneProblem::NotFinite(_))
            ));
            assert!(matches!(
                fault(|s| s.camera.look_at[axis] = bad),
                (Item::Camera, "look_at", SceneProblem::NotFinite(_))
            ));
            let centre = fault(|s| s.spheres[1].centre[axis] = bad);
            assert!(matches!(centre, (Item::Sphere(1), "centre", SceneProblem::NotFinite(_))));
        }
        assert!(matches!(fault(|s| s.camera.fov_degrees = bad), (Item::Camera, "fov", SceneProblem::NotFinite(_))));
        let radius = fault(|s| s.spheres[0].radius = bad);
        assert!(matches!(radius, (Item::Sphere(0), "radius", SceneProblem::NotFinite(_))));
    }
}

#[test]
fn a_radius_is_above_zero_and_its_square_and_inverse_are_normal() {
    for radius in [0.0, -0.0, -1.0, -f32::MIN_POSITIVE] {
        let found = fault(|s| s.spheres[1].radius = radius);
        assert_eq!(found, (Item::Sphere(1), "radius", SceneProblem::NotPositive(radius)));
    }
    for radius in [1e-20, 1e-40, f32::MIN_POSITIVE, 2e19, 1e38, f32::MAX] {
        let found = fault(|s| s.spheres[1].radius = radius);
        assert_eq!(found, (Item::Sphere(1), "radius", SceneProblem::RadiusRange(radius)));
    }
    for radius in [1.1e-19, 1.8e19] {
        let mut scene = scene();
        scene.spheres[0].radius = radius;
        scene.validate().unwrap();
    }
}

#[test]
fn sizes_and_fields_of_view_have_limits() {
    assert_eq!(fault(|s| s.screen.width = 0), (Item::Screen, "width", SceneProblem::Zero));
    assert_eq!(fault(|s| s.screen.height = 0), (Item::Screen, "height", SceneProblem::Zero));
    for fov in [0.0, -45.0, 1e-40, 180.0, 360.0] {
        let found = fault(|s| s.camera.fov_degrees = fov);
        assert_eq!(found, (Item::Camera, "fov", SceneProblem::FieldOfView(fov)));
    }
    for fov in [0.001, 179.99] {
        let mut scene = scene();
        scene.camera.fov_degrees = fov;
        scene.validate().unwrap();
    }
}

#[test]
fn the_camera_needs_a_direction() {
    let expected = (Item::Camera, "look_at", SceneProblem::NoDirection);
    assert_eq!(fault(|s| s.camera.look_at = s.camera.position), expected);
    assert_eq!(fault(|s| s.camera.look_at = [1e-30, 0.0, 0.0]), expected, "the square underflows");
    assert_eq!(fault(|s| s.camera.look_at = [1e30, 0.0, 0.0]), expected, "the square overflows");
    assert_eq!(fault(|s| s.camera.look_at = [1e-40, 0.0, 0.0]), expected, "a subnormal is a zero");
}

#[test]
fn materials_are_at_most_eight_and_at_most_one() {
    assert_eq!(
        fault(|s| s.materials.push(s.materials[0])),
        (Item::Scene, "material", SceneProblem::TooManyMaterials(9))
    );
    let found = fault(|s| s.spheres[1].material = 8);
    assert_eq!(found, (Item::Sphere(1), "material", SceneProblem::NoSuchMaterial { index: 8, count: 8 }));
    let found = fault(|s| s.materials.clear());
    assert_eq!(found, (Item::Sphere(0), "material", SceneProblem::NoSuchMaterial { index: 0, count: 0 }));

    let above = Fx1_7::from_bits(0x81);
    let problem = SceneProblem::AboveOne(above);
    assert_eq!(fault(|s| s.materials[7].ambient[0] = above), (Item::Material(7), "ambient", problem));
    assert_eq!(fault(|s| s.materials[6].diffuse[1] = above), (Item::Material(6), "diffuse", problem));
    assert_eq!(fault(|s| s.materials[5].specular[2] = above), (Item::Material(5), "specular", problem));
    assert_eq!(fault(|s| s.materials[4].reflection = above), (Item::Material(4), "reflection", problem));
}

#[test]
fn fx1_7_rounds_to_the_nearest_and_refuses_the_rest() {
    let bits = |value| fx1_7(value).map(Fx1_7::to_bits);
    assert_eq!(bits(0.0), Some(0));
    assert_eq!(bits(-0.0), Some(0));
    assert_eq!(bits(0.5), Some(0x40));
    assert_eq!(bits(1.0), Some(0x80));
    assert_eq!(bits(0.1), Some(13), "0.1 x 128 = 12.8");
    assert_eq!(bits(0.999), Some(0x80));
    for value in [1.000001, -0.000001, 2.0, 1e300, -1e300, f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        assert_eq!(bits(value), None, "{value}");
    }
}

proptest! {
    #[test]
    fn every_fx1_7_step_survives(step in 0u8..=0x80) {
        prop_assert_eq!(fx1_7(f64::from(step) / 128.0).map(Fx1_7::to_bits), Some(step));
    }

    #[test]
    fn validation_and_encoding_hold_for_any_bits(
        centre in any::<[u32; 3]>(), radius in any::<u32>(), material in 0usize..10, fov in any::<u32>(), width in any::<u16>(),
    ) {
        let mut scene = scene();
        scene.spheres[1] = Sphere { centre: centre.map(f32::from_bits), radius: f32::from_bits(radius), material };
        scene.camera.fov_degrees = f32::from_bits(fov);
        scene.screen.width = width;
        if scene.validate().is_ok() {
            let words = scene.spheres[1].encode();
            prop_assert_eq!(descriptor::sphere::POS_Y.get(&words), centre[1]);
            prop_assert_eq!(descriptor::sphere::MATERIAL_ID.get(&words), material as u32);
            for slot in [descriptor::sphere::RAD_SQUARED, descriptor::sphere::RAD_INVERSE] {
                let value = f32::from_bits(slot.get(&words));
                prop_assert!(value.is_normal() && value > 0.0);
            }
            prop_assert_eq!(descriptor::scene::SCREEN_X_SIZE.get(&scene.encode(64, 128)), u32::from(width));
        }
    }
}
