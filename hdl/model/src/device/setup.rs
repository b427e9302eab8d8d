//! From RUN to the first pixel: registers sampled, descriptors read, everything checked.
//!
//! Checks come in ascending order of [`ErrorCode`]: registers, scene, materials, spheres in order. A word that the memory
//! refuses ends the frame where it is read.

use rayman_abi::descriptor::{material, scene, sphere, Slot, MAX_MATERIALS};
use rayman_abi::{register, ErrorCode};

use super::frame::{Frame, Sphere};
use super::registers::Registers;
use super::{Bus, BusFault};
use crate::kernels::{camera, CameraInputs, Triple};
use crate::{Fp32, Host};

/// Why a frame ended early, and where.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Fault {
    pub code: ErrorCode,
    pub address: u32,
}

fn fault<T>(code: ErrorCode, address: u32) -> Result<T, Fault> {
    Err(Fault { code, address })
}

/// Spheres read at one call of [`Setup::advance`].
const SPHERES_A_CALL: u32 = 4096;

const ADDRESSES: u64 = 1 << 32;

/// A frame before its first pixel. The registers are those of the clock in which RUN was taken.
pub(super) struct Setup {
    scene_address: u32,
    pub framebuffer_address: u32,
    /// As the register has it, and from the screen's check on never 0.
    pub framebuffer_stride: u32,
    pub stream: bool,
    shadows: bool,
    reflection_depth: u32,
    background: u32,
    /// Once scene and materials are read: the frame, and where the next sphere is.
    scene: Option<(Frame, [u32; scene::WORDS])>,
}

impl Setup {
    pub fn new(registers: &Registers) -> Self {
        let control = registers.word(&register::RENDER_CONTROL);
        Self {
            scene_address: registers.word(&register::SCENE_ADDRESS),
            framebuffer_address: registers.word(&register::FRAMEBUFFER_ADDRESS),
            framebuffer_stride: registers.word(&register::FRAMEBUFFER_STRIDE),
            stream: register::STREAM.get(control) != 0,
            shadows: register::SHADOWS.get(control) != 0,
            reflection_depth: register::REFLECTION_DEPTH.get(control),
            background: registers.word(&register::BACKGROUND),
            scene: None,
        }
    }

    /// A part of the work: the frame when all is read and found good.
    pub fn advance(&mut self, bus: &mut dyn Bus) -> Result<Option<Frame>, Fault> {
        let Some((frame, words)) = &mut self.scene else {
            self.check_registers()?;
            let words = read_words::<{ scene::WORDS }>(bus, self.scene_address)?;
            self.check_scene(&words)?;
            let mut frame = self.frame(&words)?;
            let materials = scene::MATERIAL_COUNT.get(&words).min(MAX_MATERIALS as u32);
            for index in 0..materials {
                let address = scene::MATERIAL_POINTER.get(&words) + index * material::LAYOUT.bytes();
                frame.materials.push(read_words(bus, address)?);
            }
            self.scene = Some((frame, words));
            return Ok(None);
        };

        let count = scene::SPHERE_COUNT.get(words);
        let first = frame.spheres.len() as u32;
        for index in first..count.min(first.saturating_add(SPHERES_A_CALL)) {
            let address = scene::SPHERE_POINTER.get(words) + index * sphere::LAYOUT.bytes();
            let words: [u32; sphere::WORDS] = read_words(bus, address)?;
            let number = |slot: Slot| Fp32::from_bits(slot.get(&words));
            let material = sphere::MATERIAL_ID.get(&words) as usize;
            if material >= frame.materials.len() {
                return fault(ErrorCode::MaterialId, address);
            }
            let centre = Triple([number(sphere::POS_X), number(sphere::POS_Y), number(sphere::POS_Z)]);
            let [squared, inverse] = [sphere::RAD_SQUARED, sphere::RAD_INVERSE].map(number);
            frame.spheres.push(Sphere::new(centre, squared, inverse, material));
        }
        if frame.spheres.len() as u32 == count {
            return Ok(self.scene.take().map(|(frame, _)| frame));
        }
        Ok(None)
    }

    fn check_registers(&self) -> Result<(), Fault> {
        if !self.framebuffer_address.is_multiple_of(4) || !self.framebuffer_stride.is_multiple_of(4) {
            return fault(ErrorCode::FramebufferMisaligned, 0);
        }
        if !self.scene_address.is_multiple_of(4) {
            return fault(ErrorCode::SceneMisaligned, 0);
        }
        if self.scene_address == 0 {
            return fault(ErrorCode::SceneNull, 0);
        }
        if u64::from(self.scene_address) + u64::from(scene::LAYOUT.bytes()) > ADDRESSES {
            return fault(ErrorCode::SceneRange, 0);
        }
        Ok(())
    }

    fn check_scene(&mut self, words: &[u32]) -> Result<(), Fault> {
        let (width, height) = (scene::SCREEN_X_SIZE.get(words), scene::SCREEN_Y_SIZE.get(words));
        if width == 0 || height == 0 {
            return fault(ErrorCode::ScreenEmpty, self.scene_address);
        }
        if self.framebuffer_stride == 0 {
            self.framebuffer_stride = 4 * width;
        }
        if self.framebuffer_stride < 4 * width {
            return fault(ErrorCode::StrideTooSmall, 0);
        }
        let last_row = u64::from(self.framebuffer_address) + u64::from(height - 1) * u64::from(self.framebuffer_stride);
        if self.framebuffer_address != 0 && last_row + u64::from(4 * width) > ADDRESSES {
            return fault(ErrorCode::FramebufferRange, 0);
        }
        let array = |pointer: u32, count: u32, bytes: u32, codes: [ErrorCode; 3]| {
            let end = u64::from(pointer) + u64::from(count) * u64::from(bytes);
            let faults = [pointer == 0, !pointer.is_multiple_of(4), end > ADDRESSES];
            match faults.into_iter().zip(codes).find(|(found, _)| *found && count != 0) {
                Some((_, code)) => fault(code, self.scene_address),
                None => Ok(()),
            }
        };
        array(
            scene::SPHERE_POINTER.get(words),
            scene::SPHERE_COUNT.get(words),
            sphere::LAYOUT.bytes(),
            [ErrorCode::SphereNull, ErrorCode::SphereMisaligned, ErrorCode::SphereRange],
        )?;
        array(
            scene::MATERIAL_POINTER.get(words),
            scene::MATERIAL_COUNT.get(words),
            material::LAYOUT.bytes(),
            [ErrorCode::MaterialNull, ErrorCode::MaterialMisaligned, ErrorCode::MaterialRange],
        )
    }

    /// The camera's axes and all else that the scene descriptor says; spheres and materials come later.
    fn frame(&self, words: &[u32]) -> Result<Frame, Fault> {
        let number = |slot: Slot| Fp32::from_bits(slot.get(words)).canonical();
        let position = Triple([number(scene::CAM_POS_X), number(scene::CAM_POS_Y), number(scene::CAM_POS_Z)]);
        let inputs = CameraInputs {
            position,
            target: Triple([number(scene::CAM_POINT_X), number(scene::CAM_POINT_Y), number(scene::CAM_POINT_Z)]),
            fov_degrees: number(scene::CAM_FOV),
            screen: words[scene::SCREEN_X_SIZE.word],
        };
        let camera = camera(&mut Host, &inputs);
        if !camera.fov_ok {
            return fault(ErrorCode::FieldOfView, self.scene_address);
        }
        if !camera.direction_ok {
            return fault(ErrorCode::CameraDirection, self.scene_address);
        }
        Ok(Frame {
            width: scene::SCREEN_X_SIZE.get(words),
            height: scene::SCREEN_Y_SIZE.get(words),
            position,
            camera,
            light: Triple([number(scene::LIGHT_X), number(scene::LIGHT_Y), number(scene::LIGHT_Z)]),
            background: self.background,
            reflection_depth: self.reflection_depth,
            shadows: self.shadows,
            spheres: Vec::new(),
            materials: Vec::new(),
        })
    }
}

/// Reads a descriptor, word by word: the word that the memory refuses is the fault's address.
fn read_words<const N: usize>(bus: &mut dyn Bus, address: u32) -> Result<[u32; N], Fault> {
    let mut words = [0; N];
    for (index, word) in words.iter_mut().enumerate() {
        let at = address + 4 * index as u32;
        let mut bytes = [0; 4];
        bus.read(at, &mut bytes).map_err(|fault| Fault {
            code: match fault {
                BusFault::Slave => ErrorCode::ReadSlave,
                BusFault::Decode => ErrorCode::ReadDecode,
            },
            address: at,
        })?;
        *word = u32::from_le_bytes(bytes);
    }
    Ok(words)
}
