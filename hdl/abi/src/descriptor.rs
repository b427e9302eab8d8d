//! The descriptors that the core reads from memory: scene, sphere, material.

use crate::field::{Field, Format};

/// A field and the word it lies in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slot {
    /// Word number; the byte offset is four times it.
    pub word: usize,
    /// Its bits within the word.
    pub field: Field,
}

impl Slot {
    /// Takes the field out of a descriptor.
    pub const fn get(&self, words: &[u32]) -> u32 {
        self.field.get(words[self.word])
    }

    /// Puts a value into a descriptor.
    pub fn set(&self, words: &mut [u32], value: u32) {
        words[self.word] = self.field.set(words[self.word], value);
    }
}

/// The layout of a descriptor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Descriptor {
    /// lower_snake name.
    pub name: &'static str,
    /// Size in 32-bit words.
    pub words: usize,
    /// What it describes.
    pub doc: &'static str,
    /// Its fields, by word and bit. Bits in no field are reserved: the driver writes 0, the core ignores them.
    pub slots: &'static [Slot],
}

impl Descriptor {
    /// Size in bytes.
    pub const fn bytes(&self) -> u32 {
        self.words as u32 * 4
    }
}

macro_rules! descriptor {
    ($module:ident, $title:literal, $words:literal, $doc:literal, [$($(#[doc = $fdoc:literal])+ $name:ident $field:literal $word:literal $msb:literal : $lsb:literal $format:ident;)*]) => {
        #[doc = $doc]
        pub mod $module {
            use super::{Descriptor, Field, Format, Slot};
            $(
                $(#[doc = $fdoc])+
                pub const $name: Slot = Slot { word: $word, field: Field::new($field, $msb, $lsb, Format::$format, concat!($($fdoc),+)) };
            )*
            /// The layout.
            pub const LAYOUT: Descriptor = Descriptor { name: $title, words: WORDS, doc: $doc, slots: &[$($name),*] };
            /// Size in 32-bit words.
            pub const WORDS: usize = $words;
        }
    };
}

descriptor!(scene, "scene_descriptor", 15, "Light, camera, screen size, and where the spheres and materials are.", [
    /// x of the light.
    LIGHT_X "light_x_position" 0 31:0 Fp32;
    /// y of the light.
    LIGHT_Y "light_y_position" 1 31:0 Fp32;
    /// z of the light.
    LIGHT_Z "light_z_position" 2 31:0 Fp32;
    /// x of the camera.
    CAM_POS_X "cam_pos_x" 3 31:0 Fp32;
    /// y of the camera.
    CAM_POS_Y "cam_pos_y" 4 31:0 Fp32;
    /// z of the camera.
    CAM_POS_Z "cam_pos_z" 5 31:0 Fp32;
    /// x of the point the camera looks at.
    CAM_POINT_X "cam_point_x" 6 31:0 Fp32;
    /// y of the point the camera looks at.
    CAM_POINT_Y "cam_point_y" 7 31:0 Fp32;
    /// z of the point the camera looks at.
    CAM_POINT_Z "cam_point_z" 8 31:0 Fp32;
    /// Vertical field of view in degrees, between 0 and 180, both excluded.
    CAM_FOV "cam_fov" 9 31:0 Fp32;
    /// Pixels a row.
    SCREEN_X_SIZE "screen_x_size" 10 15:0 Uint;
    /// Rows.
    SCREEN_Y_SIZE "screen_y_size" 10 31:16 Uint;
    /// Bus address of the first sphere_descriptor; the others follow it.
    SPHERE_POINTER "sphere_descriptor_array_pointer" 11 31:0 Address;
    /// Number of spheres.
    SPHERE_COUNT "sphere_descriptor_array_size" 12 31:0 Uint;
    /// Bus address of the first material_descriptor; the others follow it.
    MATERIAL_POINTER "material_descriptor_array_pointer" 13 31:0 Address;
    /// Number of materials; material_id can name the first 8.
    MATERIAL_COUNT "material_descriptor_array_size" 14 31:0 Uint;
]);

descriptor!(sphere, "sphere_descriptor", 6, "A sphere.", [
    /// x of the centre.
    POS_X "sphere_pos_x" 0 31:0 Fp32;
    /// y of the centre.
    POS_Y "sphere_pos_y" 1 31:0 Fp32;
    /// z of the centre.
    POS_Z "sphere_pos_z" 2 31:0 Fp32;
    /// Square of the radius: what the intersector uses.
    RAD_SQUARED "sphere_rad_squared" 3 31:0 Fp32;
    /// Inverse of the radius: what the normal uses.
    RAD_INVERSE "sphere_rad_inverse" 4 31:0 Fp32;
    /// Which material, below material_descriptor_array_size.
    MATERIAL_ID "material_id" 5 2:0 Uint;
]);

descriptor!(material, "material_descriptor", 4, "Colours, reflection and shininess.", [
    /// Red of the ambient colour, at most 1.0.
    AMBIENT_R "ambient_color_r" 0 7:0 Fx1_7;
    /// Green of the ambient colour, at most 1.0.
    AMBIENT_G "ambient_color_g" 0 15:8 Fx1_7;
    /// Blue of the ambient colour, at most 1.0.
    AMBIENT_B "ambient_color_b" 0 23:16 Fx1_7;
    /// Red of the diffuse colour, at most 1.0.
    DIFFUSE_R "diffuse_color_r" 1 7:0 Fx1_7;
    /// Green of the diffuse colour, at most 1.0.
    DIFFUSE_G "diffuse_color_g" 1 15:8 Fx1_7;
    /// Blue of the diffuse colour, at most 1.0.
    DIFFUSE_B "diffuse_color_b" 1 23:16 Fx1_7;
    /// Red of the specular colour, at most 1.0.
    SPECULAR_R "specular_color_r" 2 7:0 Fx1_7;
    /// Green of the specular colour, at most 1.0.
    SPECULAR_G "specular_color_g" 2 15:8 Fx1_7;
    /// Blue of the specular colour, at most 1.0.
    SPECULAR_B "specular_color_b" 2 23:16 Fx1_7;
    /// Share of the reflected colour, at most 1.0.
    K_REFL "k_refl" 3 7:0 Fx1_7;
    /// Exponent of the specular highlight.
    SHININESS "shininess" 3 15:8 Uint;
]);

/// The descriptors, in the order of the specification.
pub const DESCRIPTORS: &[Descriptor] = &[scene::LAYOUT, sphere::LAYOUT, material::LAYOUT];

/// material_id has three bits.
pub const MAX_MATERIALS: usize = 8;
