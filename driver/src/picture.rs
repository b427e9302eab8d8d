//! A picture as the framebuffer holds it.

/// A picture of 8-bit RGB pixels, rows from the top, no padding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    /// Pixels a row.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// `3 * width * height` bytes: R, G, B of each pixel.
    pub rgb: Vec<u8>,
}

impl Picture {
    /// R, G, B of a pixel; `None` outside the picture.
    pub fn pixel(&self, x: u32, y: u32) -> Option<[u8; 3]> {
        if x >= self.width || y >= self.height {
            return None;
        }
        let at = 3 * (y as usize * self.width as usize + x as usize);
        self.rgb.get(at..at + 3)?.try_into().ok()
    }

    /// The first pixel in raster order, x and y, at which two pictures of one size differ.
    pub fn first_difference(&self, other: &Picture) -> Option<(u32, u32)> {
        let index = self.rgb.chunks_exact(3).zip(other.rgb.chunks_exact(3)).position(|(a, b)| a != b)? as u64;
        let width = u64::from(self.width.max(1));
        Some(((index % width) as u32, (index / width) as u32))
    }
}
