//! hdl/abi/rayman.svd: the register map for debuggers and code generators (CMSIS-SVD 1.3).

use std::fmt::Write;

use rayman_abi::register::{APERTURE_BYTES, REGISTERS, VERSION_VALUE};
use rayman_abi::{Access, Field, Register};

use super::NOTICE;

/// The file's text. The peripheral's base address is 0: it is the system's to choose.
pub fn text() -> String {
    let mut svd = String::from("<?xml version=\"1.0\" encoding=\"utf-8\"?>\n");
    let version = format!("{}.{}", VERSION_VALUE >> 16, VERSION_VALUE & 0xFFFF);
    // Writing to a String cannot fail, so the results are of no interest.
    let _ = writeln!(svd, "<!-- {NOTICE} -->");
    svd.push_str("<device schemaVersion=\"1.3\" xmlns:xs=\"http://www.w3.org/2001/XMLSchema-instance\" xs:noNamespaceSchemaLocation=\"CMSIS-SVD.xsd\">\n");
    let _ = writeln!(svd, "  <vendor>Rayman</vendor>\n  <name>RAYMAN</name>\n  <version>{version}</version>");
    svd.push_str("  <description>Rayman hardware ray tracer</description>\n");
    svd.push_str("  <addressUnitBits>8</addressUnitBits>\n  <width>32</width>\n  <size>32</size>\n");
    svd.push_str("  <peripherals>\n    <peripheral>\n      <name>RAYMAN</name>\n");
    svd.push_str("      <description>Ray tracer core; the base address is the system's to choose</description>\n");
    svd.push_str("      <baseAddress>0x00000000</baseAddress>\n      <addressBlock>\n        <offset>0x0</offset>\n");
    let _ = writeln!(svd, "        <size>0x{APERTURE_BYTES:X}</size>\n        <usage>registers</usage>");
    svd.push_str("      </addressBlock>\n      <interrupt>\n        <name>RAYMAN</name>\n");
    svd.push_str("        <description>A frame ended</description>\n        <value>0</value>\n      </interrupt>\n");
    svd.push_str("      <registers>\n");
    for entry in REGISTERS {
        register(&mut svd, entry);
    }
    svd.push_str("      </registers>\n    </peripheral>\n  </peripherals>\n</device>\n");
    svd
}

fn register(svd: &mut String, register: &Register) {
    let access = match register.access {
        Access::ReadWrite => "read-write",
        Access::ReadOnly => "read-only",
    };
    let _ = writeln!(svd, "        <register>\n          <name>{}</name>", register.name);
    let _ = writeln!(svd, "          <description>{}</description>", escape(register.doc));
    let _ =
        writeln!(svd, "          <addressOffset>0x{:02X}</addressOffset>\n          <size>32</size>", register.offset);
    let _ = writeln!(svd, "          <access>{access}</access>");
    let _ = writeln!(svd, "          <resetValue>0x{:08X}</resetValue>", register.reset);
    svd.push_str("          <fields>\n");
    for part in register.fields {
        field(svd, part);
    }
    svd.push_str("          </fields>\n        </register>\n");
}

fn field(svd: &mut String, field: &Field) {
    let _ = writeln!(svd, "            <field>\n              <name>{}</name>", field.name);
    let _ = writeln!(svd, "              <description>{}</description>", escape(field.doc));
    let _ = writeln!(svd, "              <bitRange>[{}:{}]</bitRange>", field.msb, field.lsb);
    if !field.variants.is_empty() {
        svd.push_str("              <enumeratedValues>\n");
        for variant in field.variants {
            let _ = writeln!(svd, "                <enumeratedValue>\n                  <name>{}</name>", variant.name);
            let _ = writeln!(svd, "                  <description>{}</description>", escape(variant.doc));
            let _ =
                writeln!(svd, "                  <value>{}</value>\n                </enumeratedValue>", variant.value);
        }
        svd.push_str("              </enumeratedValues>\n");
    }
    svd.push_str("            </field>\n");
}

fn escape(text: &str) -> String {
    text.trim().replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reader_that_is_not_ours_finds_the_register_map() {
        let device = svd_parser::parse_with_config(
            &text(),
            &svd_parser::Config::default().validate_level(svd_parser::ValidateLevel::Strict),
        )
        .expect("it is valid CMSIS-SVD");
        let peripheral = &device.peripherals[0];
        let found: Vec<_> = peripheral.all_registers().collect();
        assert_eq!(found.len(), REGISTERS.len());
        for (found, register) in found.iter().zip(REGISTERS) {
            assert_eq!(found.name, register.name);
            assert_eq!(found.address_offset, register.offset);
            assert_eq!(found.properties.reset_value, Some(u64::from(register.reset)));
            let fields: Vec<_> = found.fields().collect();
            assert_eq!(fields.len(), register.fields.len(), "{}", register.name);
            for (found, field) in fields.iter().zip(register.fields) {
                assert_eq!(found.name, field.name);
                assert_eq!((found.bit_range.msb(), found.bit_range.lsb()), (field.msb, field.lsb), "{}", field.name);
            }
        }
        let command = peripheral.get_register("RAYTRACER_COMMAND").expect("the command register");
        let names: Vec<_> = command.get_field("command").expect("its field").enumerated_values[0]
            .values
            .iter()
            .map(|value| (value.value, value.name.as_str()))
            .collect();
        assert_eq!(names, [(Some(0), "NOP"), (Some(1), "RUN"), (Some(2), "STOP"), (Some(3), "CLEAR_IRQ")]);
    }

    #[test]
    fn text_is_escaped() {
        assert_eq!(escape(" a < b & c > d"), "a &lt; b &amp; c &gt; d");
    }
}
