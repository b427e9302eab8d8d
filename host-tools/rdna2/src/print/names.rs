//! Fields whose numbers have names.

use std::fmt;

/// Formats of a typed buffer access, 0 to 77.
const FORMATS: [&str; 78] = [
    "INVALID",
    "8_UNORM",
    "8_SNORM",
    "8_USCALED",
    "8_SSCALED",
    "8_UINT",
    "8_SINT",
    "16_UNORM",
    "16_SNORM",
    "16_USCALED",
    "16_SSCALED",
    "16_UINT",
    "16_SINT",
    "16_FLOAT",
    "8_8_UNORM",
    "8_8_SNORM",
    "8_8_USCALED",
    "8_8_SSCALED",
    "8_8_UINT",
    "8_8_SINT",
    "32_UINT",
    "32_SINT",
    "32_FLOAT",
    "16_16_UNORM",
    "16_16_SNORM",
    "16_16_USCALED",
    "16_16_SSCALED",
    "16_16_UINT",
    "16_16_SINT",
    "16_16_FLOAT",
    "10_11_11_UNORM",
    "10_11_11_SNORM",
    "10_11_11_USCALED",
    "10_11_11_SSCALED",
    "10_11_11_UINT",
    "10_11_11_SINT",
    "10_11_11_FLOAT",
    "11_11_10_UNORM",
    "11_11_10_SNORM",
    "11_11_10_USCALED",
    "11_11_10_SSCALED",
    "11_11_10_UINT",
    "11_11_10_SINT",
    "11_11_10_FLOAT",
    "10_10_10_2_UNORM",
    "10_10_10_2_SNORM",
    "10_10_10_2_USCALED",
    "10_10_10_2_SSCALED",
    "10_10_10_2_UINT",
    "10_10_10_2_SINT",
    "2_10_10_10_UNORM",
    "2_10_10_10_SNORM",
    "2_10_10_10_USCALED",
    "2_10_10_10_SSCALED",
    "2_10_10_10_UINT",
    "2_10_10_10_SINT",
    "8_8_8_8_UNORM",
    "8_8_8_8_SNORM",
    "8_8_8_8_USCALED",
    "8_8_8_8_SSCALED",
    "8_8_8_8_UINT",
    "8_8_8_8_SINT",
    "32_32_UINT",
    "32_32_SINT",
    "32_32_FLOAT",
    "16_16_16_16_UNORM",
    "16_16_16_16_SNORM",
    "16_16_16_16_USCALED",
    "16_16_16_16_SSCALED",
    "16_16_16_16_UINT",
    "16_16_16_16_SINT",
    "16_16_16_16_FLOAT",
    "32_32_32_UINT",
    "32_32_32_SINT",
    "32_32_32_FLOAT",
    "32_32_32_32_UINT",
    "32_32_32_32_SINT",
    "32_32_32_32_FLOAT",
];

/// The format of a typed buffer access, 7 bits. That of one unsigned normalised byte is what the syntax takes where none is named.
pub(super) fn format(f: &mut fmt::Formatter<'_>, format: u8) -> fmt::Result {
    match FORMATS.get(usize::from(format)) {
        _ if format == 1 => Ok(()),
        Some(name) => write!(f, " format:[BUF_FMT_{name}]"),
        None => write!(f, " format:{format}"),
    }
}

/// Writes fields with a space between them: those that are not at their usual value, or all if every one is.
fn fields(f: &mut fmt::Formatter<'_>, fields: &[(&str, u16, u16)]) -> fmt::Result {
    let all = fields.iter().all(|(_, value, usual)| value == usual);
    let shown = fields.iter().filter(|(_, value, usual)| all || value != usual);
    shown.enumerate().try_for_each(|(index, (name, value, _))| {
        let space = if index == 0 { "" } else { " " };
        write!(f, "{space}{name}({value})")
    })
}

/// Counters of outstanding vector memory accesses, exports, and LDS, GDS, scalar memory accesses and messages.
pub(super) fn wait(f: &mut fmt::Formatter<'_>, bits: u16) -> fmt::Result {
    let vector = bits & 15 | (bits >> 14 & 3) << 4;
    fields(f, &[("vmcnt", vector, 63), ("expcnt", bits >> 4 & 7, 7), ("lgkmcnt", bits >> 8 & 63, 63)])
}

/// Counters between the units of a wave.
pub(super) fn dependencies(f: &mut fmt::Formatter<'_>, bits: u16) -> fmt::Result {
    if bits & 0x60 != 0 {
        return write!(f, "{bits:#x}");
    }
    fields(
        f,
        &[
            ("depctr_hold_cnt", bits >> 7 & 1, 1),
            ("depctr_sa_sdst", bits & 1, 1),
            ("depctr_va_vdst", bits >> 12 & 15, 15),
            ("depctr_va_sdst", bits >> 9 & 7, 7),
            ("depctr_va_ssrc", bits >> 8 & 1, 1),
            ("depctr_va_vcc", bits >> 1 & 1, 1),
            ("depctr_vm_vsrc", bits >> 2 & 7, 7),
        ],
    )
}

/// A message: what, the operation, and the stream of a geometry shader.
pub(super) fn message(f: &mut fmt::Formatter<'_>, bits: u16) -> fmt::Result {
    const GEOMETRY: [&str; 4] = ["GS_OP_NOP", "GS_OP_CUT", "GS_OP_EMIT", "GS_OP_EMIT_CUT"];
    const SYSTEM: [&str; 5] =
        ["", "SYSMSG_OP_ECC_ERR_INTERRUPT", "SYSMSG_OP_REG_RD", "SYSMSG_OP_HOST_TRAP_ACK", "SYSMSG_OP_TTRACE_PC"];
    let (id, operation, stream) = (bits & 15, bits >> 4 & 7, bits >> 8 & 3);
    let name = match id {
        1 => "MSG_INTERRUPT",
        2 => "MSG_GS",
        3 => "MSG_GS_DONE",
        4 => "MSG_SAVEWAVE",
        5 => "MSG_STALL_WAVE_GEN",
        6 => "MSG_HALT_WAVES",
        7 => "MSG_ORDERED_PS_DONE",
        8 => "MSG_EARLY_PRIM_DEALLOC",
        9 => "MSG_GS_ALLOC_REQ",
        10 => "MSG_GET_DOORBELL",
        11 => "MSG_GET_DDID",
        15 => "MSG_SYSMSG",
        _ => "",
    };
    let numbers = |f: &mut fmt::Formatter<'_>| match bits & !0x37f {
        0 => write!(f, "sendmsg({id}, {operation}, {stream})"),
        _ => write!(f, "{bits}"),
    };
    match (id, operation, stream) {
        (2 | 3, 1..=3, _) => write!(f, "sendmsg({name}, {}, {stream})", GEOMETRY[usize::from(operation)]),
        (3, 0, 0) => write!(f, "sendmsg({name}, {})", GEOMETRY[0]),
        (15, 1..=4, 0) => write!(f, "sendmsg({name}, {})", SYSTEM[usize::from(operation)]),
        (2 | 3 | 15, _, _) => numbers(f),
        (_, 0, 0) if !name.is_empty() => write!(f, "sendmsg({name})"),
        _ => numbers(f),
    }
}

/// A hardware register, and the bits of it where those are not all 32.
pub(super) fn hardware_register(f: &mut fmt::Formatter<'_>, bits: u16) -> fmt::Result {
    let (id, offset, size) = (bits & 63, bits >> 6 & 31, (bits >> 11) + 1);
    let name = match id {
        1 => "MODE",
        2 => "STATUS",
        3 => "TRAPSTS",
        5 => "GPR_ALLOC",
        6 => "LDS_ALLOC",
        7 => "IB_STS",
        15 => "SH_MEM_BASES",
        16 => "TBA_LO",
        17 => "TBA_HI",
        18 => "TMA_LO",
        19 => "TMA_HI",
        20 => "FLAT_SCR_LO",
        21 => "FLAT_SCR_HI",
        23 => "HW_ID1",
        24 => "HW_ID2",
        25 => "POPS_PACKER",
        29 => "SHADER_CYCLES",
        _ => "",
    };
    match name {
        "" => write!(f, "hwreg({id}"),
        name => write!(f, "hwreg(HW_REG_{name}"),
    }?;
    match (offset, size) {
        (0, 32) => write!(f, ")"),
        _ => write!(f, ", {offset}, {size})"),
    }
}

/// A version of the microcode and the wave's width it was made for.
pub(super) fn version(f: &mut fmt::Formatter<'_>, bits: u16) -> fmt::Result {
    let base = match bits & 0x1fff {
        0 => "UC_VERSION_GFX7",
        4 => "UC_VERSION_GFX10",
        6 => "UC_VERSION_GFX11",
        9 => "UC_VERSION_GFX12",
        _ if bits <= 64 => return write!(f, "{bits}"),
        _ => return write!(f, "{bits:#x}"),
    };
    f.write_str(base)?;
    let flags = [("W64", 0x2000), ("W32", 0x4000), ("MDP", 0x8000)];
    flags.iter().filter(|(_, bit)| bits & bit != 0).try_for_each(|(name, _)| write!(f, "|UC_VERSION_{name}_BIT"))
}

/// Where an export goes.
pub(super) fn export_target(f: &mut fmt::Formatter<'_>, target: u16) -> fmt::Result {
    match target {
        0..=7 => write!(f, "mrt{target}"),
        8 => f.write_str("mrtz"),
        9 => f.write_str("null"),
        12..=16 => write!(f, "pos{}", target - 12),
        20 => f.write_str("prim"),
        32..=63 => write!(f, "param{}", target - 32),
        _ => write!(f, "invalid_target_{target}"),
    }
}

/// The pattern of lanes of `ds_swizzle_b32`.
pub(super) fn swizzle(f: &mut fmt::Formatter<'_>, bits: u16) -> fmt::Result {
    if bits == 0 {
        return Ok(());
    }
    f.write_str(" offset:")?;
    if bits & 0xff00 == 0x8000 {
        let of = |lane: u16| bits >> (2 * lane) & 3;
        return write!(f, "swizzle(QUAD_PERM,{},{},{},{})", of(0), of(1), of(2), of(3));
    }
    if bits & 0x8000 != 0 {
        return write!(f, "{bits}");
    }
    let (and, or, xor) = (bits & 31, bits >> 5 & 31, bits >> 10 & 31);
    let group = 32 - and;
    match (and, or) {
        (31, 0) if xor.is_power_of_two() => write!(f, "swizzle(SWAP,{xor})"),
        (31, 0) if xor > 0 && (xor + 1).is_power_of_two() => write!(f, "swizzle(REVERSE,{})", xor + 1),
        _ if group > 1 && group.is_power_of_two() && or < group && xor == 0 => {
            write!(f, "swizzle(BROADCAST,{group},{or})")
        }
        _ => {
            f.write_str("swizzle(BITMASK_PERM,\"")?;
            // What becomes of each bit of the lane's number, highest first: 0, 1, the bit itself, or its inverse.
            let (zeros, ones) = (or ^ xor, (and | or) ^ xor);
            for bit in (0..5).rev() {
                f.write_str(match (zeros >> bit & 1, ones >> bit & 1) {
                    (0, 0) => "0",
                    (1, 1) => "1",
                    (0, _) => "p",
                    _ => "i",
                })?;
            }
            f.write_str("\")")
        }
    }
}
