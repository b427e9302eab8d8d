//! Where a scene and its picture lie in the memory that host and core share.
//!
//! ```text
//!  base | scene | materials | spheres | framebuffer | ... end of the window
//!         15 w     4 w each   6 w each  4 bytes a pixel
//! ```
//!
//! Each array starts on a boundary of 64 bytes, the framebuffer on one of 4 KiB, so that bursts are as long as they can
//! be. Address 0 is never used: the core takes it for "none".

use std::fmt;

use rayman_abi::descriptor;

use crate::scene::Scene;
use crate::transport::MemoryWindow;
use crate::DriverError;

const ARRAY_ALIGNMENT: u64 = 64;
const FRAMEBUFFER_ALIGNMENT: u64 = 4096;
const BYTES_A_PIXEL: u64 = 4;

/// A stretch of memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Region {
    /// Bus address of the first byte, never 0.
    pub address: u32,
    /// Size in bytes.
    pub bytes: u32,
}

impl Region {
    /// The offset of an address in this region, if it lies there.
    pub fn offset_of(&self, address: u32) -> Option<u32> {
        address.checked_sub(self.address).filter(|&offset| offset < self.bytes)
    }
}

/// Where everything is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Placement {
    /// The scene descriptor.
    pub scene: Region,
    /// The material descriptors.
    pub materials: Region,
    /// The sphere descriptors.
    pub spheres: Region,
    /// The picture, XRGB8888, rows without padding.
    pub framebuffer: Region,
    /// Pixels a row.
    pub width: u32,
    /// Rows.
    pub height: u32,
}

impl Placement {
    /// Finds room for a scene and its picture, or says how much was wanted.
    pub fn plan(window: MemoryWindow, scene: &Scene) -> Result<Self, DriverError> {
        let mut next = u64::from(window.base).max(1);
        let mut place = |bytes: u64, alignment: u64| {
            let address = next.next_multiple_of(alignment);
            // Saturating: a scene beyond any memory is reported as such, below, and not wrapped round.
            next = address.saturating_add(bytes);
            (address, bytes)
        };
        let layouts = [descriptor::scene::LAYOUT, descriptor::material::LAYOUT, descriptor::sphere::LAYOUT];
        let counts = [1, scene.materials.len(), scene.spheres.len()];
        let arrays = [0, 1, 2].map(|i| {
            let bytes = (counts[i] as u64).saturating_mul(layouts[i].bytes().into());
            place(bytes, ARRAY_ALIGNMENT)
        });
        let framebuffer = place(scene.screen.pixels() * BYTES_A_PIXEL, FRAMEBUFFER_ALIGNMENT);

        // Addresses have 32 bits, whatever a transport believes of its window.
        let end = (u64::from(window.base) + u64::from(window.bytes)).min(1 << 32);
        if next > end {
            return Err(DriverError::OutOfMemory { needed: next - u64::from(window.base), window });
        }
        // Everything lies below the window's end. An empty array at the very top of memory is the one place that
        // does not fit 32 bits; it is never read.
        let region = |(address, bytes): (u64, u64)| Region {
            address: u32::try_from(address).unwrap_or(u32::MAX),
            bytes: u32::try_from(bytes).unwrap_or(u32::MAX),
        };
        Ok(Self {
            scene: region(arrays[0]),
            materials: region(arrays[1]),
            spheres: region(arrays[2]),
            framebuffer: region(framebuffer),
            width: scene.screen.width.into(),
            height: scene.screen.height.into(),
        })
    }

    /// Names what lies at a bus address, such as `sphere[12]`.
    pub fn what_is_at(&self, address: u32) -> Option<Place> {
        if self.scene.offset_of(address).is_some() {
            return Some(Place::Scene);
        }
        if let Some(offset) = self.materials.offset_of(address) {
            return Some(Place::Material(offset / descriptor::material::LAYOUT.bytes()));
        }
        if let Some(offset) = self.spheres.offset_of(address) {
            return Some(Place::Sphere(offset / descriptor::sphere::LAYOUT.bytes()));
        }
        let pixel = self.framebuffer.offset_of(address)? / BYTES_A_PIXEL as u32;
        Some(Place::Pixel { x: pixel % self.width, y: pixel / self.width })
    }
}

/// What lies at a bus address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// The scene descriptor.
    Scene,
    /// A material descriptor, counted from 0.
    Material(u32),
    /// A sphere descriptor, counted from 0.
    Sphere(u32),
    /// A pixel of the framebuffer.
    Pixel {
        /// Column, 0 at the left.
        x: u32,
        /// Row, 0 at the top.
        y: u32,
    },
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Scene => f.write_str("the scene descriptor"),
            Place::Material(index) => write!(f, "material[{index}]"),
            Place::Sphere(index) => write!(f, "sphere[{index}]"),
            Place::Pixel { x, y } => write!(f, "the framebuffer's pixel ({x}, {y})"),
        }
    }
}
