//! The resources that every shader is given, and where the driver is to put their descriptors: worked out by its rule, not asked of it.

use ash::vk::{api_version_major, api_version_minor, DescriptorType as Kind, ShaderStageFlags};

/// Set, binding, kind, how many.
pub const BINDINGS: [(usize, u32, Kind, u32); 14] = [
    (0, 0, Kind::UNIFORM_BUFFER, 1),
    (0, 1, Kind::STORAGE_BUFFER, 1),
    (0, 2, Kind::COMBINED_IMAGE_SAMPLER, 1),
    (0, 3, Kind::COMBINED_IMAGE_SAMPLER, 1),
    (0, 4, Kind::COMBINED_IMAGE_SAMPLER, 1),
    (0, 5, Kind::STORAGE_IMAGE, 1),
    (0, 6, Kind::SAMPLED_IMAGE, 8),
    (0, 7, Kind::SAMPLER, 1),
    (0, 8, Kind::UNIFORM_TEXEL_BUFFER, 1),
    (0, 9, Kind::STORAGE_TEXEL_BUFFER, 1),
    (0, 10, Kind::ACCELERATION_STRUCTURE_KHR, 1),
    (0, 11, Kind::COMBINED_IMAGE_SAMPLER, 1),
    (1, 0, Kind::COMBINED_IMAGE_SAMPLER, 16),
    (1, 1, Kind::STORAGE_BUFFER, 4),
];
pub const SETS: usize = 2;

/// The release of Mesa by whose rules these places are, and by whose choices the shaders' comments: major, minor.
const MESA: (u32, u32) = (22, 3);

/// Whether a driver of this version is of that release.
pub fn known(version: u32) -> Result<(), String> {
    let (major, minor) = (api_version_major(version), api_version_minor(version));
    match (major, minor) == MESA {
        true => Ok(()),
        false => Err(format!("Mesa {}.{} is wanted, this is {major}.{minor}", MESA.0, MESA.1)),
    }
}

/// The upper half of every table's address: the driver keeps tables in the last 4 GB of the first half of the addresses' range, and
/// shaders have it as a constant.
pub const HIGH: u32 = 0xffff_8000;

/// Bytes of a descriptor in its set, and what its place is a multiple of: src/amd/vulkan/radv_descriptor_set.c of Mesa 22.3. An
/// image that is sampled has a second descriptor, for what its samples are compressed by.
fn size(kind: Kind) -> (u32, u32) {
    match kind {
        Kind::STORAGE_IMAGE => (32, 32),
        Kind::SAMPLED_IMAGE => (64, 32),
        Kind::COMBINED_IMAGE_SAMPLER => (96, 32),
        _ => (16, 16),
    }
}

/// Where in its set the sampler of an image and sampler lies: at the end.
const SAMPLER: u32 = 96 - 16;

/// Where in its set a binding's descriptors lie, and how far one is from the next.
fn placed(set: usize) -> impl Iterator<Item = (u32, Kind, u32, u32, u32)> {
    let mut free: u32 = 0;
    BINDINGS.into_iter().filter(move |binding| binding.0 == set).map(move |(_, binding, kind, count)| {
        let (size, multiple) = size(kind);
        let first = free.next_multiple_of(multiple);
        free = first + count * size;
        (binding, kind, count, first, size)
    })
}

/// The byte of a set at which a descriptor lies.
pub fn offset(set: usize, binding: u32, element: u32) -> Option<u32> {
    let found = placed(set).find(|one| one.0 == binding && element < one.2);
    found.map(|(_, _, _, first, size)| first + element * size)
}

/// The descriptor at a byte of a set, as the shaders' comments call it: `SET.BINDING`, with `[ELEMENT]` where there are several.
pub fn name(set: usize, offset: u32) -> Option<String> {
    for (binding, kind, count, first, size) in placed(set) {
        if (first..first + count * size).contains(&offset) {
            let (element, within) = ((offset - first) / size, (offset - first) % size);
            let whole = within == 0 || kind == Kind::COMBINED_IMAGE_SAMPLER && within == SAMPLER;
            let element = if count > 1 { format!("[{element}]") } else { String::new() };
            return whole.then(|| format!("{set}.{binding}{element}"));
        }
    }
    None
}

/// Bytes of the largest set.
pub const MOST_BYTES: u32 = 0x640;

/// The tables of a shader, by the register whose user data are the lower half of the address: sets that it uses, and the vertex
/// buffers. The driver passes them in this order behind what the hardware itself puts into the first registers.
pub fn tables(stage: ShaderStageFlags, sets: &[usize]) -> Vec<(u8, Table)> {
    if stage == ShaderStageFlags::VERTEX {
        // Of the first eight, and of vertex, instance and draw two more, the shader of the other stages has none.
        let sets = (11..).zip(sets).map(|(register, &set)| (register, Table::Set(set)));
        return [(8, Table::Vertices)].into_iter().chain(sets).collect();
    }
    (2..).zip(sets).map(|(register, &set)| (register, Table::Set(set))).collect()
}

/// A table of descriptors.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Table {
    Set(usize),
    /// Descriptors of 16 bytes, one for each attribute.
    Vertices,
}

impl Table {
    /// The descriptor at a byte of the table.
    pub fn name(self, offset: u32) -> Option<String> {
        match self {
            Self::Set(set) => name(set, offset),
            Self::Vertices => offset.is_multiple_of(16).then(|| format!("vertices[{}]", offset / 16)),
        }
    }
}

#[test]
fn another_release_is_refused() {
    let version = |minor, patch| ash::vk::make_api_version(0, MESA.0, minor, patch);
    assert_eq!([known(version(MESA.1, 0)), known(version(MESA.1, 6))], [Ok(()), Ok(())]);
    assert_eq!(known(version(2, 9)), Err("Mesa 22.3 is wanted, this is 22.2".into()));
}

#[test]
fn places_by_hand() {
    // 0.0 at 0, 0.1 at 16, 0.2 at 32 with its sampler at 112, 0.3 at 128, 0.4 at 224, 0.5 at 320, 0.6 at 352 and every 64, 0.7 at
    // 864, 0.8 at 880, 0.9 at 896, 0.10 at 912, 0.11 at 928; 1.0 at 0 and every 96, 1.1 at 1536 and every 16.
    let known = [
        (0, 0, "0.0"),
        (0, 0x10, "0.1"),
        (0, 0x20, "0.2"),
        (0, 0x70, "0.2"),
        (0, 0x80, "0.3"),
        (0, 0xd0, "0.3"),
        (0, 0xe0, "0.4"),
        (0, 0x140, "0.5"),
        (0, 0x160, "0.6[0]"),
        (0, 0x2a0, "0.6[5]"),
        (0, 0x360, "0.7"),
        (0, 0x370, "0.8"),
        (0, 0x380, "0.9"),
        (0, 0x390, "0.10"),
        (0, 0x3a0, "0.11"),
        (1, 0x120, "1.0[3]"),
        (1, 0x170, "1.0[3]"),
        (1, 0x620, "1.1[2]"),
    ];
    for (set, offset, expected) in known {
        assert_eq!(name(set, offset).as_deref(), Some(expected));
    }
    assert_eq!([offset(0, 0, 0), offset(0, 6, 5), offset(1, 1, 2)], [Some(0), Some(0x2a0), Some(0x620)]);
    assert_eq!([offset(1, 2, 0), offset(1, 1, 4)], [None, None]);
    assert_eq!([name(0, 0x30), name(0, 0x3a0 + 96), name(1, MOST_BYTES)], [None, None, None]);
}
