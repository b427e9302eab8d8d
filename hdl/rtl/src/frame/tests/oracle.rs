//! What must end a frame early, said a second time: wide integers, one check after the other.

use rayman_abi::descriptor::{material, scene, sphere};
use rayman_abi::ErrorCode;

use super::bench::{canonical, Memory, Registers};

/// The error and its address, or `None` for a frame that must complete.
pub fn expected(memory: &Memory, r: Registers) -> Option<(ErrorCode, u32)> {
    use ErrorCode as E;
    const END: u64 = 1 << 32;
    let check = |fault: bool, code: ErrorCode, address: u32| if fault { Err((code, address)) } else { Ok(()) };
    let run = || -> Result<(), (ErrorCode, u32)> {
        check(!r.framebuffer.is_multiple_of(4) || !r.stride.is_multiple_of(4), E::FramebufferMisaligned, 0)?;
        check(!r.scene.is_multiple_of(4), E::SceneMisaligned, 0)?;
        check(r.scene == 0, E::SceneNull, 0)?;
        check(u64::from(r.scene) + u64::from(scene::LAYOUT.bytes()) > END, E::SceneRange, 0)?;
        let read = |address: u32| memory.read(address).map_err(|code| (code, address));
        let mut words = [0; scene::WORDS];
        for (i, word) in words.iter_mut().enumerate() {
            *word = read(r.scene + 4 * i as u32)?;
        }
        let (width, height) = (scene::SCREEN_X_SIZE.get(&words), scene::SCREEN_Y_SIZE.get(&words));
        check(width == 0 || height == 0, E::ScreenEmpty, r.scene)?;
        check(r.stride != 0 && r.stride < 4 * width, E::StrideTooSmall, 0)?;
        let stride = u64::from(if r.stride == 0 { 4 * width } else { r.stride });
        let end = u64::from(r.framebuffer) + u64::from(height - 1) * stride + 4 * u64::from(width);
        check(r.framebuffer != 0 && end > END, E::FramebufferRange, 0)?;
        let array = |pointer: u32, count: u32, bytes: u32, codes: [ErrorCode; 3]| {
            if count == 0 {
                return Ok(());
            }
            check(pointer == 0, codes[0], r.scene)?;
            check(!pointer.is_multiple_of(4), codes[1], r.scene)?;
            check(u64::from(pointer) + u64::from(count) * u64::from(bytes) > END, codes[2], r.scene)
        };
        let (spheres, sphere_count) = (scene::SPHERE_POINTER.get(&words), scene::SPHERE_COUNT.get(&words));
        let (materials, material_count) = (scene::MATERIAL_POINTER.get(&words), scene::MATERIAL_COUNT.get(&words));
        array(spheres, sphere_count, sphere::LAYOUT.bytes(), [E::SphereNull, E::SphereMisaligned, E::SphereRange])?;
        array(
            materials,
            material_count,
            material::LAYOUT.bytes(),
            [E::MaterialNull, E::MaterialMisaligned, E::MaterialRange],
        )?;
        let fov = f32::from_bits(canonical(scene::CAM_FOV.get(&words)));
        check(!(fov > 0.0 && fov < 180.0), E::FieldOfView, r.scene)?;
        check(words[3..6] == words[6..9], E::CameraDirection, r.scene)?;
        for i in 0..material_count.min(8) * 4 {
            read(materials + 4 * i)?;
        }
        for i in 0..sphere_count {
            let base = spheres + i * sphere::LAYOUT.bytes();
            let mut words = [0; sphere::WORDS];
            for (i, word) in words.iter_mut().enumerate() {
                *word = read(base + 4 * i as u32)?;
            }
            check(sphere::MATERIAL_ID.get(&words) >= material_count, E::MaterialId, base)?;
        }
        Ok(())
    };
    run().err()
}
