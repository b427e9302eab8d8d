//! rayman_abi.py: the register map for Python, for the cocotb suite and for the systems on boards.

use std::fmt::Write;

use rayman_abi::register::{APERTURE_BYTES, COUNTERS, ID_VALUE, REGISTERS, VERSION_VALUE};
use rayman_abi::{soc, Access, ErrorCode};

use super::NOTICE;

const HEAD: &str = r#"

<REGISTER>                  byte offset from the slave's base
<REGISTER>_<FIELD>          where a field is: .get(word), .set(word, value)
<REGISTER>_<FIELD>_<VALUE>  a named value of a field
ERROR_<CODE>                what ended the last frame early
SOC_<WHAT>                  where the systems on boards have core and memory, and how the host reaches them
"""

from collections import namedtuple


class Field(namedtuple("Field", "shift mask")):
    """The bits of a word that are a field."""

    __slots__ = ()

    def get(self, word):
        """The field of a word."""
        return (word & self.mask) >> self.shift

    def set(self, word, value):
        """A word with the field replaced."""
        return (word & ~self.mask) | ((value << self.shift) & self.mask)


Register = namedtuple("Register", "name offset writable reset mask")
"#;

/// The module's text.
pub fn text() -> String {
    let mut module = format!("\"\"\"{NOTICE}{HEAD}");
    // Writing to a String cannot fail, so the results of `writeln!` are of no interest here.
    let _ = writeln!(module, "\nAPERTURE_BYTES = 0x{APERTURE_BYTES:X}");
    let _ = writeln!(module, "ID_VALUE = 0x{ID_VALUE:08X}\nVERSION_VALUE = 0x{VERSION_VALUE:08X}");
    for register in REGISTERS {
        let _ = writeln!(module, "\n{} = 0x{:02X}", register.name, register.offset);
        // A field that is the whole word needs no name.
        for field in register.fields.iter().filter(|field| field.width() < 32) {
            let name = format!("{}_{}", register.name, field.name.to_uppercase());
            let _ = writeln!(module, "{name} = Field({}, 0x{:08X})", field.lsb, field.mask());
            for variant in field.variants {
                let _ = writeln!(module, "{name}_{} = {}", variant.name, variant.value);
            }
        }
    }
    module.push_str("\n# Every register, by ascending offset. `mask`: the bits that exist.\nREGISTERS = (\n");
    for register in REGISTERS {
        let writable = if register.access == Access::ReadWrite { "True" } else { "False" };
        let (name, reset, mask) = (register.name, register.reset, register.mask());
        let _ = writeln!(module, "    Register(\"{name}\", {name}, {writable}, 0x{reset:08X}, 0x{mask:08X}),");
    }
    module
        .push_str(")\n\n# Offset of the low word of each counter; the high word is the next register.\nCOUNTERS = {\n");
    for counter in COUNTERS {
        let _ = writeln!(module, "    \"{}\": {},", counter.name, counter.low.name);
    }
    module.push_str("}\n\n");
    for code in ErrorCode::ALL {
        let _ = writeln!(module, "ERROR_{} = 0x{:02X}", code.name(), *code as u8);
    }
    let addresses = [("CORE", soc::CORE), ("MEMORY", soc::MEMORY), ("MEMORY_BYTES", soc::MEMORY_BYTES)];
    module.push('\n');
    for (name, value) in addresses {
        let _ = writeln!(module, "SOC_{name} = 0x{value:08X}");
    }
    let _ = writeln!(module, "SOC_BAUD = {}\nSOC_ETHERBONE_PORT = {}", soc::BAUD, soc::ETHERBONE_PORT);
    module
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::process::Command;

    use super::*;

    /// Values from the specification, written out by hand, checked by Python itself.
    const PROGRAM: &str = r#"
import rayman_abi as abi
assert abi.RAYTRACER_STATUS == 4 and abi.RAYTRACER_STATUS_PROGRESS == (8, 0xFF00)
assert abi.RAYTRACER_STATUS_PROGRESS.get(0x12345678) == 0x56
assert abi.RAYTRACER_STATUS_PROGRESS.set(0x12345678, 0x1AB) == 0x1234AB78
assert abi.SCENE_ADDRESS == 8 and abi.RAYTRACER_COMMAND_COMMAND_CLEAR_IRQ == 3
assert abi.ERROR_STOPPED == 1 and abi.ERROR_MATERIAL_ID == 0x11
assert abi.COUNTERS["cycles"] == 0x40
assert abi.SOC_CORE % abi.APERTURE_BYTES == 0 and abi.SOC_MEMORY == 0x40000000
scene, = [register for register in abi.REGISTERS if register.name == "SCENE_ADDRESS"]
assert scene == ("SCENE_ADDRESS", 8, True, 0x80000000, 0xFFFFFFFF)
assert not [register for register in abi.REGISTERS if register.name == "ID"][0].writable
"#;

    #[test]
    fn python_reads_what_the_specification_says() {
        let folder = tempfile::tempdir().expect("a scratch folder");
        fs::write(folder.path().join("rayman_abi.py"), text()).expect("the module is written");
        let python = Command::new("python3")
            .args(["-B", "-c", PROGRAM])
            .current_dir(folder.path())
            .output()
            .expect("python3 starts: `cargo xtask setup` installs it");
        assert!(python.status.success(), "{}", String::from_utf8_lossy(&python.stderr));
    }
}
