//! docs/registers.md.

use std::fmt::Write;

use rayman_abi::register::{APERTURE_BYTES, COUNTERS, REGISTERS};
use rayman_abi::{Access, ErrorCode, Field, Register};

use super::markdown::{cell, field_cells, head, origin, page, FIELD_COLUMNS};

const INTRODUCTION: &str = "\
The core's registers, on its AXI4-Lite slave. Offsets are in bytes from the slave's base, every register is 32 bits
wide, byte order is little-endian.

- *Specified* registers are given by the source document of the core; *assumed* ones are this project's, because the
  document is silent.
- Bits in no field are reserved: they read 0, and a write to them changes nothing.
- A write with partial strobes changes only its bytes. A write to a read-only register answers OKAY and changes nothing.
- An offset with no register answers SLVERR, to a read and to a write, and changes nothing.
";

/// The page's text.
pub fn text() -> String {
    let mut page = page("Registers", INTRODUCTION) + "\n";
    summary(&mut page);
    page.push_str("\n## Fields\n");
    for register in REGISTERS.iter().filter(|register| !is_plain(register)) {
        fields(&mut page, register);
    }
    counters(&mut page);
    error_codes(&mut page);
    page
}

// Writing to a String cannot fail, so the results of `writeln!` are of no interest here.

fn summary(page: &mut String) {
    let _ = writeln!(page, "The slave decodes {APERTURE_BYTES:#x} bytes.\n");
    page.push_str(&head(&["offset", "name", "access", "reset", "origin", "meaning"]));
    for register in REGISTERS {
        let access = match register.access {
            Access::ReadWrite => "RW",
            Access::ReadOnly => "RO",
        };
        let _ = writeln!(
            page,
            "| `0x{:02X}` | `{}` | {access} | {} | {} | {} |",
            register.offset,
            register.name,
            reset(register),
            origin(register.origin),
            cell(register.doc)
        );
    }
}

/// The reset value; registers that describe the build have none to give here.
fn reset(register: &Register) -> String {
    if is_of_the_build(register) {
        "of the build".into()
    } else {
        format!("`0x{:08X}`", register.reset)
    }
}

fn is_of_the_build(register: &Register) -> bool {
    ["CAPABILITIES", "BUILD_REVISION", "BUILD_PARAMETERS"].contains(&register.name)
}

/// One field over the whole word with no named values: the summary says it all.
fn is_plain(register: &Register) -> bool {
    matches!(register.fields, [field] if field.width() == 32 && field.variants.is_empty())
}

fn fields(page: &mut String, register: &Register) {
    let _ = writeln!(page, "\n### {} (0x{:02X})\n", register.name, register.offset);
    page.push_str(&head(&FIELD_COLUMNS));
    for field in register.fields {
        let _ = writeln!(page, "| {} |", field_cells(field));
    }
    for field in register.fields.iter().filter(|field| !field.variants.is_empty()) {
        variants(page, field);
    }
}

fn variants(page: &mut String, field: &Field) {
    let _ = write!(page, "\n{}", head(&[&format!("`{}`", field.name), "name", "meaning"]));
    for variant in field.variants {
        let _ = writeln!(page, "| {} | `{}` | {} |", variant.value, variant.name, cell(variant.doc));
    }
    let _ = writeln!(page, "\nOther values of `{}` are reserved; written, they do nothing.", field.name);
}

fn counters(page: &mut String) {
    page.push_str("\n## Counters\n\n");
    page.push_str(
        "Each counter is 64 bits in two registers, the low word first. They hold the last frame's figures.\n",
    );
    page.push_str("*Architectural* counters are equal on every device for the same scene and registers; the others\n");
    page.push_str("describe how a build spent its clocks and are never compared.\n\n");
    page.push_str(&head(&["counter", "offset", "architectural", "meaning"]));
    for counter in COUNTERS {
        let meaning = counter.low.doc.trim().replace(", low word", "");
        let architectural = if counter.architectural { "yes" } else { "no" };
        let _ = writeln!(
            page,
            "| `{}` | `0x{:02X}` | {architectural} | {} |",
            counter.name,
            counter.low.offset,
            cell(&meaning)
        );
    }
}

fn error_codes(page: &mut String) {
    page.push_str("\n## Error codes\n\n");
    page.push_str(
        "`ERROR.code` after a frame; all are assumed, the source document has no errors. Where several faults\n",
    );
    page.push_str(
        "hold in one scene, the lowest of the codes from 0x02 to 0x1F is reported. A bus error is reported when\n",
    );
    page.push_str("the transfer fails, so it wins over every check that needs the words it was to bring.\n\n");
    page.push_str(&head(&["code", "name", "meaning"]));
    for code in ErrorCode::ALL {
        let _ = writeln!(page, "| `0x{:02X}` | `{}` | {} |", *code as u8, code.name(), cell(code.doc()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_say_what_the_specification_says() {
        let page = text();
        for row in [
            "| `0x00` | `RAYTRACER_COMMAND` | RW | `0x00000000` | specified |",
            "| `0x04` | `RAYTRACER_STATUS` | RO | `0x00000000` | specified |",
            "| `0x08` | `SCENE_ADDRESS` | RW | `0x80000000` | specified |",
            "| `0x18` | `CAPABILITIES` | RO | of the build | assumed |",
            "| 15:8 | `progress` | unsigned |",
            "| 3 | `CLEAR_IRQ` |",
            "| `0x11` | `MATERIAL_ID` |",
        ] {
            assert!(page.contains(row), "{row}");
        }
    }

    #[test]
    fn every_register_code_and_counter_has_a_row() {
        let page = text();
        for register in REGISTERS {
            assert_eq!(page.matches(&format!("| `{}` | R", register.name)).count(), 1, "{}", register.name);
        }
        for code in ErrorCode::ALL {
            assert_eq!(page.matches(&format!("| `{}` | {} |", code.name(), code.doc())).count(), 1, "{}", code.name());
        }
        for counter in COUNTERS {
            assert_eq!(page.matches(&format!("| `{}` | `0x", counter.name)).count(), 1, "{}", counter.name);
        }
    }
}
