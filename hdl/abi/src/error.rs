//! What ended a frame early: the codes of the ERROR register.

macro_rules! error_codes {
    ($($name:ident = $value:literal, $upper:literal, $doc:literal;)*) => {
        /// Code in ERROR.code. When several faults hold in one scene, the lowest in the order of checking wins:
        /// configuration, then the scene descriptor, then materials, then spheres in order.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[repr(u8)]
        #[non_exhaustive]
        pub enum ErrorCode {
            $(#[doc = $doc] $name = $value,)*
        }

        impl ErrorCode {
            /// All codes, in ascending order.
            pub const ALL: &'static [ErrorCode] = &[$(ErrorCode::$name,)*];

            /// The code that the core reported, or `None` if this version knows none such.
            pub const fn from_code(code: u8) -> Option<Self> {
                match code {
                    $($value => Some(ErrorCode::$name),)*
                    _ => None,
                }
            }

            /// UPPER_SNAKE name.
            pub const fn name(self) -> &'static str {
                match self { $(ErrorCode::$name => $upper,)* }
            }

            /// One sentence: what happened and what to look at.
            pub const fn doc(self) -> &'static str {
                match self { $(ErrorCode::$name => $doc,)* }
            }
        }
    };
}

// The codes' numbers are also the order of checking: where several hold, the lowest of 0x02..=0x1F is reported,
// except that a bus error reported by the memory comes when the faulty word is read.
error_codes! {
    None = 0x00, "NONE", "Nothing went wrong.";
    Stopped = 0x01, "STOPPED", "The frame was ended by COMMAND_STOP.";
    FramebufferMisaligned = 0x02, "FRAMEBUFFER_MISALIGNED", "FRAMEBUFFER_ADDRESS or FRAMEBUFFER_STRIDE is not a multiple of 4.";
    SceneMisaligned = 0x03, "SCENE_MISALIGNED", "SCENE_ADDRESS is not a multiple of 4.";
    SceneNull = 0x04, "SCENE_NULL", "SCENE_ADDRESS is 0.";
    SceneRange = 0x05, "SCENE_RANGE", "The scene descriptor runs past address 2^32.";
    ScreenEmpty = 0x06, "SCREEN_EMPTY", "screen_x_size or screen_y_size is 0.";
    StrideTooSmall = 0x07, "STRIDE_TOO_SMALL", "FRAMEBUFFER_STRIDE is neither 0 nor at least 4 x screen_x_size.";
    FramebufferRange = 0x08, "FRAMEBUFFER_RANGE", "The framebuffer runs past address 2^32.";
    SphereNull = 0x09, "SPHERE_NULL", "sphere_descriptor_array_pointer is 0 and the array is not empty.";
    SphereMisaligned = 0x0A, "SPHERE_MISALIGNED", "sphere_descriptor_array_pointer is not a multiple of 4 and the array is not empty.";
    SphereRange = 0x0B, "SPHERE_RANGE", "The sphere array runs past address 2^32.";
    MaterialNull = 0x0C, "MATERIAL_NULL", "material_descriptor_array_pointer is 0 and the array is not empty.";
    MaterialMisaligned = 0x0D, "MATERIAL_MISALIGNED", "material_descriptor_array_pointer is not a multiple of 4 and the array is not empty.";
    MaterialRange = 0x0E, "MATERIAL_RANGE", "The material array runs past address 2^32.";
    FieldOfView = 0x0F, "FIELD_OF_VIEW", "cam_fov is not between 0 and 180 degrees, both excluded.";
    CameraDirection = 0x10, "CAMERA_DIRECTION", "The camera is at its look-at point, or so far or near that FP32 finds no direction.";
    MaterialId = 0x11, "MATERIAL_ID", "A sphere's material_id is at or past the size of the material array.";
    ReadSlave = 0x20, "READ_SLAVE_ERROR", "A read was answered with SLVERR.";
    ReadDecode = 0x21, "READ_DECODE_ERROR", "A read was answered with DECERR: nothing is at that address.";
    WriteSlave = 0x22, "WRITE_SLAVE_ERROR", "A framebuffer write was answered with SLVERR.";
    WriteDecode = 0x23, "WRITE_DECODE_ERROR", "A framebuffer write was answered with DECERR: nothing is at that address.";
}
