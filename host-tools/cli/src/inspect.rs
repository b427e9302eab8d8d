//! What a device is, and what its registers hold.

use std::io::Write;

use rayman_abi::field::{Field, Format};
use rayman_abi::register::{self, Register, REGISTERS};
use rayman_abi::ErrorCode;
use rayman_driver::{Device, Transport};

/// Writes what a device is: ID, version, capabilities, build, memory.
pub fn info<T: Transport>(device: &mut Device<T>, out: &mut dyn Write) -> anyhow::Result<()> {
    let id = device.read(&register::ID)?;
    let version = device.version();
    let capabilities = device.capabilities()?;
    let build = device.build()?;
    let memory = device.transport().memory();
    let yes_no = |value| if value { "yes" } else { "no" };
    let revision = match build.revision {
        0 => "unknown".to_owned(),
        revision => format!("{revision:08x}"),
    };
    let name: String = id.to_be_bytes().iter().map(|&byte| char::from(byte)).collect();
    let rows = [
        ("device", device.name()),
        ("id", format!("{id:#010x} {name:?}")),
        ("version", format!("{}.{}", version.major, version.minor)),
        ("lanes", capabilities.lanes.to_string()),
        ("cached spheres", capabilities.cached_spheres.to_string()),
        ("bvh", yes_no(capabilities.bvh).into()),
        ("cube", yes_no(capabilities.cube).into()),
        ("revision", revision),
        ("slots a lane", build.slots.to_string()),
        ("contexts", build.contexts.to_string()),
        ("memory", format!("{} KiB at {:#010x}", memory.bytes / 1024, memory.base)),
    ];
    for (name, value) in rows {
        writeln!(out, "{name:<17}{value}")?;
    }
    Ok(())
}

/// Writes every register by name and value, and its fields.
pub fn registers<T: Transport>(device: &mut Device<T>, out: &mut dyn Write) -> anyhow::Result<()> {
    let widest = REGISTERS.iter().map(|register| register.name.len()).max().unwrap_or(0);
    for register in REGISTERS {
        let value = device.read(register)?;
        let line =
            format!("{:#04x}  {:<widest$}  {value:#010x}  {}", register.offset, register.name, fields(register, value));
        writeln!(out, "{}", line.trim_end())?;
    }
    Ok(())
}

/// The fields of a register's value, such as `status BUSY, progress 17`. Empty for a register that is one plain word.
pub fn fields(register: &Register, value: u32) -> String {
    let mut parts: Vec<String> = match register.fields {
        [Field { msb: 31, lsb: 0, format: Format::Address, .. }] => vec![],
        [Field { msb: 31, lsb: 0, .. }] => vec![value.to_string()],
        fields => {
            fields.iter().map(|field| format!("{} {}", field.name, field_value(register, field, value))).collect()
        }
    };
    let reserved = value & !register.mask();
    if reserved != 0 {
        parts.push(format!("reserved bits {reserved:#010x} are set"));
    }
    parts.join(", ")
}

fn field_value(register: &Register, field: &Field, word: u32) -> String {
    let value = field.get(word);
    if let Some(variant) = field.variants.iter().find(|variant| variant.value == value) {
        return variant.name.to_owned();
    }
    if *register == register::ERROR {
        let code = u8::try_from(value).ok().and_then(ErrorCode::from_code);
        return code.map_or(format!("{value:#04x}, unknown"), |code| code.name().to_owned());
    }
    match field.format {
        Format::Flag => if value == 0 { "no" } else { "yes" }.to_owned(),
        Format::Fp32 => f32::from_bits(value).to_string(),
        Format::Fx1_7 => (f64::from(value) / 128.0).to_string(),
        Format::Address => format!("{value:#010x}"),
        Format::Uint if !field.variants.is_empty() => format!("{value} (reserved)"),
        Format::Uint => value.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_decoded() {
        let cases = [
            (register::RAYTRACER_COMMAND, 1, "command RUN"),
            (register::RAYTRACER_COMMAND, 5, "command 5 (reserved)"),
            (register::RAYTRACER_STATUS, 0x1101, "status BUSY, progress 17"),
            (register::RAYTRACER_STATUS, 0x0001_0000, "status IDLE, progress 0, reserved bits 0x00010000 are set"),
            (register::RENDER_CONTROL, 0x304, "reflection_depth 4, shadows yes, stream yes"),
            (register::SCENE_ADDRESS, 0x8000_0000, ""),
            (register::FRAME_COUNT, 12, "12"),
            (register::ERROR, 0x11, "code MATERIAL_ID"),
            (register::ERROR, 0xEE, "code 0xee, unknown"),
            (register::VERSION, 0x0001_0002, "minor 2, major 1"),
        ];
        for (register, value, text) in cases {
            assert_eq!(fields(&register, value), text, "{} {value:#x}", register.name);
        }
    }
}
