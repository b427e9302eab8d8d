//! A scene as a program fills it in, its validation, and its encoding into descriptor words.
//!
//! Lengths are in the scene's own unit; positions are right-handed with +Y up. Radii become the squared and the inverse
//! radius that the core wants here, each one correctly rounded FP32 operation.

use std::fmt;

use rayman_abi::descriptor::{self, Slot};

/// FX1.7: 8 bits, 7 of them fraction; 0x80 is 1.0, the largest value that a scene may hold.
pub type Fx1_7 = fixed::FixedU8<fixed::types::extra::U7>;

/// The FX1.7 value nearest to `value`, or `None` where `value` is not within 0..=1.
pub fn fx1_7(value: f64) -> Option<Fx1_7> {
    // The range check comes first, and fails for a NaN: `from_num` panics on what it cannot hold.
    (0.0..=1.0).contains(&value).then(|| Fx1_7::from_num(value))
}

/// The camera.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Camera {
    /// Where it is: x, y, z.
    pub position: [f32; 3],
    /// The point in the middle of the picture: x, y, z.
    pub look_at: [f32; 3],
    /// Vertical field of view in degrees, between 0 and 180, both excluded.
    pub fov_degrees: f32,
}

/// The size of the picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Screen {
    /// Pixels a row, 1 to 65535.
    pub width: u16,
    /// Rows, 1 to 65535.
    pub height: u16,
}

impl Screen {
    /// Number of pixels.
    pub fn pixels(self) -> u64 {
        u64::from(self.width) * u64::from(self.height)
    }
}

/// A sphere.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sphere {
    /// Its centre: x, y, z.
    pub centre: [f32; 3],
    /// Its radius, above 0; its square and its inverse must be normal FP32 numbers (about 1.1e-19 to 1.8e19).
    pub radius: f32,
    /// Which of the scene's materials.
    pub material: usize,
}

/// What a sphere is made of. Colours are red, green, blue, each 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Material {
    /// Seen without any light.
    pub ambient: [Fx1_7; 3],
    /// Seen in the light, by the angle at which it falls.
    pub diffuse: [Fx1_7; 3],
    /// Colour of the highlight.
    pub specular: [Fx1_7; 3],
    /// Share of the mirrored surroundings, 0 to 1.
    pub reflection: Fx1_7,
    /// Exponent of the highlight, 0 to 255: the larger, the smaller and sharper.
    pub shininess: u8,
}

/// All that a frame is made from.
#[derive(Clone, Debug, PartialEq)]
pub struct Scene {
    /// Position of the one white point light: x, y, z.
    pub light: [f32; 3],
    /// The camera.
    pub camera: Camera,
    /// The size of the picture.
    pub screen: Screen,
    /// Any number of spheres, none included.
    pub spheres: Vec<Sphere>,
    /// At most 8 materials.
    pub materials: Vec<Material>,
}

/// A part of a scene. Numbers count from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Item {
    /// The scene as a whole.
    Scene,
    /// The light.
    Light,
    /// The camera.
    Camera,
    /// The screen.
    Screen,
    /// One of the spheres.
    Sphere(usize),
    /// One of the materials.
    Material(usize),
}

impl fmt::Display for Item {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Item::Scene => f.write_str("scene"),
            Item::Light => f.write_str("light"),
            Item::Camera => f.write_str("camera"),
            Item::Screen => f.write_str("screen"),
            Item::Sphere(index) => write!(f, "sphere[{index}]"),
            Item::Material(index) => write!(f, "material[{index}]"),
        }
    }
}

/// What is wrong with a field.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SceneProblem {
    /// A NaN or an infinity.
    #[error("{0} is not a finite FP32 number")]
    NotFinite(f32),
    /// A radius that is zero or negative.
    #[error("{0} is not above 0")]
    NotPositive(f32),
    /// A radius whose square or inverse is no normal FP32 number.
    #[error("{0}: its square or its inverse is beyond FP32")]
    RadiusRange(f32),
    /// A size of zero.
    #[error("is 0")]
    Zero,
    /// A field of view that no picture has.
    #[error("{0} degrees is not between 0 and 180, both excluded")]
    FieldOfView(f32),
    /// The camera is at its look-at point, or the distance is beyond FP32.
    #[error("no direction leads from the camera's position to it")]
    NoDirection,
    /// An FX1.7 value above 1.0.
    #[error("{0} is above 1")]
    AboveOne(Fx1_7),
    /// A sphere names a material that the scene does not have.
    #[error("names material {index}, and the scene has {count}")]
    NoSuchMaterial {
        /// The material named.
        index: usize,
        /// Materials in the scene.
        count: usize,
    },
    /// More materials than material_id can name.
    #[error("has {0} materials; the core tells {max} apart", max = descriptor::MAX_MATERIALS)]
    TooManyMaterials(usize),
    /// More spheres than the descriptor can count.
    #[error("has {0} spheres; a scene descriptor counts to 2^32 - 1")]
    TooManySpheres(usize),
}

impl SceneProblem {
    /// What to do about it.
    pub fn hint(&self) -> &'static str {
        match self {
            SceneProblem::NotFinite(_) => "FP32 reaches from -3.4e38 to 3.4e38; NaN and infinity are no places",
            SceneProblem::NotPositive(_) => "give the sphere a radius above 0, or remove it",
            SceneProblem::RadiusRange(_) => "radii from 1.1e-19 to 1.8e19 work; scale the scene",
            SceneProblem::Zero => "a picture has at least 1 x 1 pixel",
            SceneProblem::FieldOfView(_) => "40 to 90 degrees look natural",
            SceneProblem::NoDirection => "move the camera away from the point that it looks at, by 1e-18 to 1e18",
            SceneProblem::AboveOne(_) => {
                "colours and coefficients reach from 0 to 1; divide by 255 if yours reach to 255"
            }
            SceneProblem::NoSuchMaterial { .. } => "materials count from 0",
            SceneProblem::TooManyMaterials(_) => "material_id has three bits: let similar spheres share a material",
            SceneProblem::TooManySpheres(_) => "leave some out",
        }
    }
}

/// A scene cannot be rendered: which item, which field, and why.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error("{item}.{field}: {problem}")]
pub struct SceneError {
    /// The part of the scene.
    pub item: Item,
    /// The field of that part.
    pub field: &'static str,
    /// What is wrong with it.
    pub problem: SceneProblem,
}

fn check(fine: bool, item: Item, field: &'static str, problem: SceneProblem) -> Result<(), SceneError> {
    if fine {
        Ok(())
    } else {
        Err(SceneError { item, field, problem })
    }
}

fn check_finite(values: &[f32], item: Item, field: &'static str) -> Result<(), SceneError> {
    values.iter().try_for_each(|&value| check(value.is_finite(), item, field, SceneProblem::NotFinite(value)))
}

/// The core reads a subnormal as zero.
fn flush(value: f32) -> f32 {
    if value.is_subnormal() {
        0.0
    } else {
        value
    }
}

impl Scene {
    /// Answers whether a core can render this scene. Checks light, camera, screen, materials and spheres in this order
    /// and reports the first fault.
    pub fn validate(&self) -> Result<(), SceneError> {
        check_finite(&self.light, Item::Light, "position")?;
        self.validate_camera()?;
        check(self.screen.width > 0, Item::Screen, "width", SceneProblem::Zero)?;
        check(self.screen.height > 0, Item::Screen, "height", SceneProblem::Zero)?;

        let materials = self.materials.len();
        let problem = SceneProblem::TooManyMaterials(materials);
        check(materials <= descriptor::MAX_MATERIALS, Item::Scene, "material", problem)?;
        for (index, material) in self.materials.iter().enumerate() {
            for (field, values) in material.coefficients() {
                for &value in values {
                    check(value <= Fx1_7::ONE, Item::Material(index), field, SceneProblem::AboveOne(value))?;
                }
            }
        }

        let spheres = self.spheres.len();
        check(u32::try_from(spheres).is_ok(), Item::Scene, "sphere", SceneProblem::TooManySpheres(spheres))?;
        for (index, sphere) in self.spheres.iter().enumerate() {
            sphere.validate(Item::Sphere(index), materials)?;
        }
        Ok(())
    }

    fn validate_camera(&self) -> Result<(), SceneError> {
        let Camera { position, look_at, fov_degrees } = self.camera;
        check_finite(&position, Item::Camera, "position")?;
        check_finite(&look_at, Item::Camera, "look_at")?;
        check_finite(&[fov_degrees], Item::Camera, "fov")?;
        // Subnormal fields of view are zeros to the core.
        let wide = (f32::MIN_POSITIVE..180.0).contains(&fov_degrees);
        check(wide, Item::Camera, "fov", SceneProblem::FieldOfView(fov_degrees))?;
        // As the core computes it: a direction needs a squared length that is neither zero nor infinite in FP32.
        let squared_length: f32 = position
            .iter()
            .zip(&look_at)
            .map(|(&from, &to)| flush(flush(to) - flush(from)))
            .map(|difference| flush(difference * difference))
            .sum();
        check(squared_length > 0.0 && squared_length.is_finite(), Item::Camera, "look_at", SceneProblem::NoDirection)
    }

    /// The words of the scene descriptor, for arrays at these bus addresses.
    pub fn encode(&self, spheres_address: u32, materials_address: u32) -> [u32; descriptor::scene::WORDS] {
        use descriptor::scene as slot;
        let mut words = [0; slot::WORDS];
        set_vector(&mut words, [slot::LIGHT_X, slot::LIGHT_Y, slot::LIGHT_Z], self.light);
        set_vector(&mut words, [slot::CAM_POS_X, slot::CAM_POS_Y, slot::CAM_POS_Z], self.camera.position);
        set_vector(&mut words, [slot::CAM_POINT_X, slot::CAM_POINT_Y, slot::CAM_POINT_Z], self.camera.look_at);
        slot::CAM_FOV.set(&mut words, self.camera.fov_degrees.to_bits());
        slot::SCREEN_X_SIZE.set(&mut words, self.screen.width.into());
        slot::SCREEN_Y_SIZE.set(&mut words, self.screen.height.into());
        slot::SPHERE_POINTER.set(&mut words, spheres_address);
        slot::SPHERE_COUNT.set(&mut words, self.spheres.len() as u32);
        slot::MATERIAL_POINTER.set(&mut words, materials_address);
        slot::MATERIAL_COUNT.set(&mut words, self.materials.len() as u32);
        words
    }
}

impl Sphere {
    /// Square of the radius, rounded once.
    pub fn radius_squared(&self) -> f32 {
        self.radius * self.radius
    }

    /// Inverse of the radius, rounded once.
    pub fn radius_inverse(&self) -> f32 {
        1.0 / self.radius
    }

    fn validate(&self, item: Item, materials: usize) -> Result<(), SceneError> {
        check_finite(&self.centre, item, "centre")?;
        check_finite(&[self.radius], item, "radius")?;
        check(self.radius > 0.0, item, "radius", SceneProblem::NotPositive(self.radius))?;
        let held = self.radius_squared().is_normal() && self.radius_inverse().is_normal();
        check(held, item, "radius", SceneProblem::RadiusRange(self.radius))?;
        let problem = SceneProblem::NoSuchMaterial { index: self.material, count: materials };
        check(self.material < materials, item, "material", problem)
    }

    /// The words of the sphere descriptor.
    pub fn encode(&self) -> [u32; descriptor::sphere::WORDS] {
        use descriptor::sphere as slot;
        let mut words = [0; slot::WORDS];
        set_vector(&mut words, [slot::POS_X, slot::POS_Y, slot::POS_Z], self.centre);
        slot::RAD_SQUARED.set(&mut words, self.radius_squared().to_bits());
        slot::RAD_INVERSE.set(&mut words, self.radius_inverse().to_bits());
        slot::MATERIAL_ID.set(&mut words, self.material as u32);
        words
    }
}

impl Material {
    /// Its FX1.7 fields by name.
    fn coefficients(&self) -> [(&'static str, &[Fx1_7]); 4] {
        [
            ("ambient", &self.ambient),
            ("diffuse", &self.diffuse),
            ("specular", &self.specular),
            ("reflection", std::slice::from_ref(&self.reflection)),
        ]
    }

    /// The words of the material descriptor.
    pub fn encode(&self) -> [u32; descriptor::material::WORDS] {
        use descriptor::material as slot;
        let mut words = [0; slot::WORDS];
        set_colour(&mut words, [slot::AMBIENT_R, slot::AMBIENT_G, slot::AMBIENT_B], self.ambient);
        set_colour(&mut words, [slot::DIFFUSE_R, slot::DIFFUSE_G, slot::DIFFUSE_B], self.diffuse);
        set_colour(&mut words, [slot::SPECULAR_R, slot::SPECULAR_G, slot::SPECULAR_B], self.specular);
        slot::K_REFL.set(&mut words, self.reflection.to_bits().into());
        slot::SHININESS.set(&mut words, self.shininess.into());
        words
    }
}

fn set_vector(words: &mut [u32], slots: [Slot; 3], vector: [f32; 3]) {
    for (slot, value) in slots.iter().zip(vector) {
        slot.set(words, value.to_bits());
    }
}

fn set_colour(words: &mut [u32], slots: [Slot; 3], colour: [Fx1_7; 3]) {
    for (slot, value) in slots.iter().zip(colour) {
        slot.set(words, value.to_bits().into());
    }
}
