//! The memory that the host knows before a dispatch.

use thiserror::Error;

use rayman_model::random::Random;

/// Consecutive words of memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Segment {
    /// Byte address of the first word, a multiple of 4.
    pub address: u64,
    /// The words, in order.
    pub words: Vec<u32>,
    /// Whether the dispatch may write here. What it may write is not known to a run, unless its program writes nothing.
    pub writable: bool,
}

impl Segment {
    /// The byte address behind the last word.
    fn end(&self) -> Option<u64> {
        u64::try_from(self.words.len()).ok()?.checked_mul(4)?.checked_add(self.address)
    }
}

/// Why a segment is refused.
#[derive(Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum ImageError {
    /// Words lie at multiples of 4.
    #[error("a segment at {address:#x}: its address is no multiple of 4")]
    Unaligned {
        /// The segment's address.
        address: u64,
    },
    /// The end is past the last address.
    #[error("a segment at {address:#x} ends past the last address")]
    TooLong {
        /// The segment's address.
        address: u64,
    },
    /// A word is given twice.
    #[error("a segment at {address:#x} overlaps the one at {other:#x}")]
    Overlap {
        /// The segment's address.
        address: u64,
        /// The address of the one that is there.
        other: u64,
    },
}

/// Segments that do not overlap.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Image {
    /// In the order of their addresses.
    segments: Vec<Segment>,
    /// What makes the words that no segment holds.
    background: Option<u64>,
}

impl Image {
    /// Nothing is known.
    pub fn new() -> Self {
        Self::default()
    }

    /// Memory that is known everywhere: words that no segment holds are made of their addresses and a seed. Nothing writes them.
    pub fn with_background(seed: u64) -> Self {
        Self { segments: Vec::new(), background: Some(seed) }
    }

    /// Adds a segment.
    pub fn insert(&mut self, segment: Segment) -> Result<(), ImageError> {
        let address = segment.address;
        if !address.is_multiple_of(4) {
            return Err(ImageError::Unaligned { address });
        }
        let end = segment.end().ok_or(ImageError::TooLong { address })?;
        let place = self.segments.partition_point(|other| other.address < address);
        let before = place.checked_sub(1).and_then(|index| self.segments.get(index));
        // The segments that are in have an end.
        let overlapping = before
            .filter(|other| other.end().is_some_and(|end| end > address))
            .or_else(|| self.segments.get(place).filter(|other| other.address < end));
        if let Some(other) = overlapping {
            return Err(ImageError::Overlap { address, other: other.address });
        }
        self.segments.insert(place, segment);
        Ok(())
    }

    /// The segments, in the order of their addresses.
    pub fn segments(&self) -> &[Segment] {
        &self.segments
    }

    /// The word at a byte address, if it is known and, where `only_read`, if the dispatch cannot write it.
    pub fn read(&self, address: u64, only_read: bool) -> Option<u32> {
        if !address.is_multiple_of(4) {
            return None;
        }
        let place = self.segments.partition_point(|segment| segment.address <= address);
        let segment = place.checked_sub(1).and_then(|index| self.segments.get(index));
        let within = segment.filter(|segment| segment.end().is_some_and(|end| address < end));
        match within {
            Some(segment) if only_read && segment.writable => None,
            Some(segment) => segment.words.get(usize::try_from((address - segment.address) / 4).ok()?).copied(),
            None => self.background.map(|seed| Random::new(seed ^ address.rotate_left(31)).next_u32()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn segment(address: u64, words: &[u32], writable: bool) -> Segment {
        Segment { address, words: words.to_vec(), writable }
    }

    #[test]
    fn words_are_read_where_they_lie_and_writable_ones_only_if_that_is_asked_for() {
        let mut image = Image::new();
        image.insert(segment(0x100, &[1, 2], false)).expect("free");
        image.insert(segment(0x108, &[3], true)).expect("free");
        image.insert(segment(0x0fc, &[9], false)).expect("free");
        assert_eq!(
            [0x0fc, 0x100, 0x104, 0x108, 0x10c, 0x0f8, 0x102].map(|address| image.read(address, false)),
            [Some(9), Some(1), Some(2), Some(3), None, None, None]
        );
        assert_eq!([0x104, 0x108].map(|address| image.read(address, true)), [Some(2), None]);
    }

    #[test]
    fn segments_that_cannot_lie_there_are_refused() {
        let mut image = Image::new();
        image.insert(segment(0x100, &[1, 2], false)).expect("free");
        let overlap = |address| Err(ImageError::Overlap { address, other: 0x100 });
        assert_eq!(image.insert(segment(0x104, &[1], false)), overlap(0x104));
        assert_eq!(image.insert(segment(0x0f8, &[1, 2, 3], false)), overlap(0x0f8));
        assert_eq!(image.insert(segment(0x100, &[1], false)), overlap(0x100));
        assert_eq!(image.insert(segment(0x202, &[1], false)), Err(ImageError::Unaligned { address: 0x202 }));
        let last = u64::MAX - 3;
        assert_eq!(image.insert(segment(last, &[1], false)), Err(ImageError::TooLong { address: last }));
    }
}
