//! `component.xml`: the core as IP-XACT, IEEE 1685-2009, which is the edition that AMD's Vivado reads and other tools too.
//!
//! Ports are the emitted top's; which bus each is of comes from [`super::buses`]; the memory map is `rayman-abi`'s.

use rayman_abi::register::{APERTURE_BYTES, REGISTERS, VERSION_VALUE};
use rayman_abi::{Access, Field, Register};

use super::buses::{Mapped, Role};
use super::ports::{Direction, Port};
use super::xml::Xml;

/// The core's name.
pub const NAME: &str = "rayman";
/// Where the core's Verilog is, from `component.xml`.
pub const SOURCE: &str = "src/rayman.v";
/// Name of the memory map of the registers.
const REGISTER_MAP: &str = "s_axi";
/// Families that AMD's tools offer the core for.
const FAMILIES: &[&str] =
    &["zynq", "artix7", "kintex7", "virtex7", "spartan7", "zynquplus", "kintexu", "kintexuplus", "artixuplus"];
/// A view by name, and for which tools it is.
const VIEWS: &[(&str, &str)] = &[
    ("xilinx_anylanguagesynthesis", ":vivado.xilinx.com:synthesis"),
    ("xilinx_anylanguagebehavioralsimulation", ":vivado.xilinx.com:simulation"),
];
const FILE_SET: &str = "verilog";

/// Vendor and library of the core. Its version is that of the register map: what depends on it must change when it does.
pub fn version() -> String {
    format!("{}.{}", VERSION_VALUE >> 16, VERSION_VALUE & 0xFFFF)
}

/// The file's text.
pub fn text(ports: &[Port], buses: &[Mapped<'_>]) -> String {
    let mut xml = Xml::new("Made from rayman-abi and the emitted core by `cargo xtask package`.");
    let root = "spirit:component xmlns:spirit=\"http://www.spiritconsortium.org/XMLSchema/SPIRIT/1685-2009\" \
                xmlns:xilinx=\"http://www.xilinx.com\"";
    xml.element(root, |xml| {
        xml.leaf("spirit:vendor", "rayman");
        xml.leaf("spirit:library", "rayman");
        xml.leaf("spirit:name", NAME);
        xml.leaf("spirit:version", &version());
        xml.element("spirit:busInterfaces", |xml| buses.iter().for_each(|mapped| bus(xml, mapped)));
        xml.element("spirit:addressSpaces", |xml| {
            for mapped in buses.iter().filter(|mapped| mapped.bus.role == Role::MappedMaster) {
                xml.element("spirit:addressSpace", |xml| {
                    xml.leaf("spirit:name", mapped.bus.name);
                    // All that 32 address bits reach.
                    xml.leaf("spirit:range", &format!("{:#x}", 1u64 << 32));
                    xml.leaf("spirit:width", "32");
                });
            }
        });
        xml.element("spirit:memoryMaps", memory_map);
        xml.element("spirit:model", |xml| model(xml, ports));
        xml.element("spirit:fileSets", |xml| {
            xml.element("spirit:fileSet", |xml| {
                xml.leaf("spirit:name", FILE_SET);
                xml.element("spirit:file", |xml| {
                    xml.leaf("spirit:name", SOURCE);
                    xml.leaf("spirit:fileType", "verilogSource");
                });
            });
        });
        xml.leaf("spirit:description", "Rayman, a hardware ray tracer: scenes of spheres from memory to pixels");
        xml.element("spirit:vendorExtensions", vendor);
    });
    xml.text()
}

fn library_ref(xml: &mut Xml, element: &str, library: &str, name: &str) {
    let vlnv = format!(
        "spirit:vendor=\"xilinx.com\" spirit:library=\"{library}\" spirit:name=\"{name}\" spirit:version=\"1.0\""
    );
    xml.empty(&format!("{element} {vlnv}"));
}

fn bus(xml: &mut Xml, mapped: &Mapped<'_>) {
    let bus = mapped.bus;
    xml.element("spirit:busInterface", |xml| {
        xml.leaf("spirit:name", bus.name);
        xml.leaf("spirit:description", bus.doc);
        let (library, name) = bus.definition;
        library_ref(xml, "spirit:busType", library, name);
        library_ref(xml, "spirit:abstractionType", library, &format!("{name}_rtl"));
        match bus.role {
            Role::MappedSlave => xml.element("spirit:slave", |xml| {
                xml.empty(&format!("spirit:memoryMapRef spirit:memoryMapRef=\"{REGISTER_MAP}\""));
            }),
            Role::MappedMaster => xml.element("spirit:master", |xml| {
                xml.empty(&format!("spirit:addressSpaceRef spirit:addressSpaceRef=\"{}\"", bus.name));
            }),
            Role::Slave => xml.empty("spirit:slave"),
            Role::Master => xml.empty("spirit:master"),
        }
        xml.element("spirit:portMaps", |xml| {
            for (signal, port) in &mapped.ports {
                xml.element("spirit:portMap", |xml| {
                    xml.element("spirit:logicalPort", |xml| xml.leaf("spirit:name", signal.logical));
                    xml.element("spirit:physicalPort", |xml| xml.leaf("spirit:name", &port.name));
                });
            }
        });
        xml.element("spirit:parameters", |xml| {
            for (name, value) in bus.parameters {
                xml.element("spirit:parameter", |xml| {
                    xml.leaf("spirit:name", name);
                    xml.leaf("spirit:value", value);
                });
            }
        });
    });
}

fn memory_map(xml: &mut Xml) {
    xml.element("spirit:memoryMap", |xml| {
        xml.leaf("spirit:name", REGISTER_MAP);
        xml.element("spirit:addressBlock", |xml| {
            xml.leaf("spirit:name", "registers");
            xml.leaf("spirit:baseAddress", "0");
            xml.leaf("spirit:range", &APERTURE_BYTES.to_string());
            xml.leaf("spirit:width", "32");
            xml.leaf("spirit:usage", "register");
            REGISTERS.iter().for_each(|entry| register(xml, entry));
        });
        xml.leaf("spirit:addressUnitBits", "8");
    });
}

fn register(xml: &mut Xml, register: &Register) {
    let access = match register.access {
        Access::ReadWrite => "read-write",
        Access::ReadOnly => "read-only",
    };
    xml.element("spirit:register", |xml| {
        xml.leaf("spirit:name", register.name);
        xml.leaf("spirit:description", register.doc);
        xml.leaf("spirit:addressOffset", &format!("{:#x}", register.offset));
        xml.leaf("spirit:size", "32");
        xml.leaf("spirit:access", access);
        xml.element("spirit:reset", |xml| xml.leaf("spirit:value", &format!("{:#x}", register.reset)));
        register.fields.iter().for_each(|part| field(xml, part, access));
    });
}

fn field(xml: &mut Xml, field: &Field, access: &str) {
    xml.element("spirit:field", |xml| {
        xml.leaf("spirit:name", field.name);
        xml.leaf("spirit:description", field.doc);
        xml.leaf("spirit:bitOffset", &field.lsb.to_string());
        xml.leaf("spirit:bitWidth", &field.width().to_string());
        xml.leaf("spirit:access", access);
        if field.variants.is_empty() {
            return;
        }
        xml.element("spirit:enumeratedValues", |xml| {
            for variant in field.variants {
                xml.element("spirit:enumeratedValue", |xml| {
                    xml.leaf("spirit:name", variant.name);
                    xml.leaf("spirit:description", variant.doc);
                    xml.leaf("spirit:value", &variant.value.to_string());
                });
            }
        });
    });
}

fn model(xml: &mut Xml, ports: &[Port]) {
    xml.element("spirit:views", |xml| {
        for (name, tools) in VIEWS {
            xml.element("spirit:view", |xml| {
                xml.leaf("spirit:name", name);
                xml.leaf("spirit:envIdentifier", tools);
                xml.leaf("spirit:language", "verilog");
                xml.leaf("spirit:modelName", NAME);
                xml.element("spirit:fileSetRef", |xml| xml.leaf("spirit:localName", FILE_SET));
            });
        }
    });
    xml.element("spirit:ports", |xml| {
        for port in ports {
            xml.element("spirit:port", |xml| {
                xml.leaf("spirit:name", &port.name);
                xml.element("spirit:wire", |xml| wire(xml, port));
            });
        }
    });
}

fn wire(xml: &mut Xml, port: &Port) {
    xml.leaf(
        "spirit:direction",
        match port.direction {
            Direction::In => "in",
            Direction::Out => "out",
        },
    );
    if port.vector {
        xml.element("spirit:vector", |xml| {
            xml.leaf("spirit:left", &(port.width - 1).to_string());
            xml.leaf("spirit:right", "0");
        });
    }
    xml.element("spirit:wireTypeDefs", |xml| {
        xml.element("spirit:wireTypeDef", |xml| {
            xml.leaf("spirit:typeName", "wire");
            VIEWS.iter().for_each(|(view, _)| xml.leaf("spirit:viewNameRef", view));
        });
    });
}

/// Without these Vivado takes the core for one that fits no device.
fn vendor(xml: &mut Xml) {
    xml.element("xilinx:coreExtensions", |xml| {
        xml.element("xilinx:supportedFamilies", |xml| {
            FAMILIES.iter().for_each(|name| xml.leaf("xilinx:family xilinx:lifeCycle=\"Beta\"", name));
        });
        xml.element("xilinx:taxonomies", |xml| xml.leaf("xilinx:taxonomy", "/UserIP"));
        xml.leaf("xilinx:displayName", "Rayman ray tracer");
        xml.leaf("xilinx:coreRevision", "1");
    });
}

#[cfg(test)]
mod tests {
    use super::super::buses::{described, map};
    use super::*;

    #[test]
    fn the_component_has_every_port_and_every_register() {
        let ports = described();
        let text = text(&ports, &map(&ports).expect("they are the tables' own"));
        let count = |piece: &str| text.matches(piece).count();
        assert_eq!(count("<spirit:physicalPort>"), ports.len());
        assert_eq!(count("<spirit:port>"), ports.len());
        assert_eq!(count("<spirit:register>"), REGISTERS.len());
        assert_eq!(count("<spirit:field>"), REGISTERS.iter().map(|register| register.fields.len()).sum::<usize>());
        assert_eq!(count("<spirit:busInterface>"), 6);
    }
}
