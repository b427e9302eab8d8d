//! driver/include/rayman.h: the contract for programs in C and C++.

use std::fmt::Write;

use rayman_abi::descriptor::{Descriptor, DESCRIPTORS, MAX_MATERIALS};
use rayman_abi::register::{APERTURE_BYTES, ID_VALUE, REGISTERS, VERSION_VALUE};
use rayman_abi::{ErrorCode, Field};

use super::NOTICE;

const HEAD: &str = "
 *
 * RAYMAN_<REGISTER>                     byte offset from the slave's base
 * RAYMAN_<REGISTER>_RESET               value after reset, of writable registers
 * RAYMAN_<REGISTER>_<FIELD>_SHIFT/_MASK where a field is: (word & MASK) >> SHIFT
 * RAYMAN_<REGISTER>_<FIELD>_<VALUE>     a named value of a field, not shifted
 * RAYMAN_<DESCRIPTOR>_WORDS             size in 32-bit words
 * RAYMAN_<DESCRIPTOR>_<FIELD>_WORD      the word of a descriptor that holds a field, beside its _SHIFT and _MASK
 *
 * Registers and descriptor words are 32 bits, little-endian.
 */
#ifndef RAYMAN_H
#define RAYMAN_H

#include <stdint.h>

#ifdef __cplusplus
extern \"C\" {
#endif
";

const TAIL: &str = "
/* Takes a field out of a word. */
static inline uint32_t rayman_get(uint32_t word, uint32_t mask, unsigned shift)
{
    return (word & mask) >> shift;
}

/* A word with a field replaced. */
static inline uint32_t rayman_set(uint32_t word, uint32_t mask, unsigned shift, uint32_t value)
{
    return (word & ~mask) | ((value << shift) & mask);
}

#ifdef __cplusplus
}
#endif

#endif /* RAYMAN_H */
";

/// The header's text.
pub fn text() -> String {
    let mut header = format!("/* {NOTICE}{HEAD}");
    registers(&mut header);
    error_codes(&mut header);
    for descriptor in DESCRIPTORS {
        layout(&mut header, descriptor);
    }
    header.push_str(TAIL);
    header
}

// Writing to a String cannot fail, so the results of `writeln!` are of no interest here.

fn define(header: &mut String, name: &str, value: &str) {
    let _ = writeln!(header, "#define {name:<62} {value}");
}

fn field(header: &mut String, prefix: &str, field: &Field) {
    let name = format!("{prefix}_{}", field.name.to_uppercase());
    define(header, &format!("{name}_SHIFT"), &field.lsb.to_string());
    define(header, &format!("{name}_MASK"), &format!("0x{:08X}u", field.mask()));
    for variant in field.variants {
        define(header, &format!("{name}_{}", variant.name), &format!("{}u", variant.value));
    }
}

fn registers(header: &mut String) {
    header.push_str("\n/* Registers */\n\n");
    define(header, "RAYMAN_APERTURE_BYTES", &format!("0x{APERTURE_BYTES:X}u"));
    define(header, "RAYMAN_ID_VALUE", &format!("0x{ID_VALUE:08X}u"));
    define(header, "RAYMAN_VERSION_VALUE", &format!("0x{VERSION_VALUE:08X}u"));
    for register in REGISTERS {
        let name = format!("RAYMAN_{}", register.name);
        let _ = writeln!(header, "\n/* {} */", register.doc.trim());
        define(header, &name, &format!("0x{:02X}u", register.offset));
        if register.access == rayman_abi::Access::ReadWrite {
            define(header, &format!("{name}_RESET"), &format!("0x{:08X}u", register.reset));
        }
        // A field that is the whole word needs neither shift nor mask.
        for part in register.fields.iter().filter(|part| part.width() < 32) {
            field(header, &name, part);
        }
    }
}

fn error_codes(header: &mut String) {
    header.push_str("\n/* ERROR.code: what ended the last frame early */\n\nenum rayman_error {\n");
    for code in ErrorCode::ALL {
        let _ = writeln!(header, "    /* {} */", code.doc());
        // C99 allows no comma after the last one in older readers' eyes; C++98 forbids it.
        let comma = if Some(code) == ErrorCode::ALL.last() { "" } else { "," };
        let _ = writeln!(header, "    RAYMAN_ERROR_{} = 0x{:02X}{comma}", code.name(), *code as u8);
    }
    header.push_str("};\n");
}

fn layout(header: &mut String, descriptor: &Descriptor) {
    let name = format!("RAYMAN_{}", descriptor.name.to_uppercase());
    let _ = writeln!(header, "\n/* {}: {} */\n", descriptor.name, descriptor.doc.trim());
    define(header, &format!("{name}_WORDS"), &descriptor.words.to_string());
    let _ = writeln!(header, "\nstruct rayman_{} {{\n    uint32_t word[{name}_WORDS];\n}};", descriptor.name);
    for slot in descriptor.slots {
        let _ = writeln!(header, "\n/* {} */", slot.field.doc.trim());
        define(header, &format!("{name}_{}_WORD", slot.field.name.to_uppercase()), &slot.word.to_string());
        field(header, &name, &slot.field);
    }
    if descriptor.name == "material_descriptor" {
        header.push('\n');
        define(header, "RAYMAN_MAX_MATERIALS", &MAX_MATERIALS.to_string());
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::process::Command;

    use super::*;

    /// Values from the specification, written out by hand, checked by the C program itself.
    const PROGRAM: &str = r#"
#include "rayman.h"
#include "rayman.h" /* twice: the guard works */

int main(void)
{
    struct rayman_scene_descriptor scene = { { 0 } };
    scene.word[RAYMAN_SCENE_DESCRIPTOR_SCREEN_X_SIZE_WORD] =
        rayman_set(0, RAYMAN_SCENE_DESCRIPTOR_SCREEN_X_SIZE_MASK, RAYMAN_SCENE_DESCRIPTOR_SCREEN_X_SIZE_SHIFT, 320);
    scene.word[RAYMAN_SCENE_DESCRIPTOR_SCREEN_Y_SIZE_WORD] =
        rayman_set(scene.word[RAYMAN_SCENE_DESCRIPTOR_SCREEN_Y_SIZE_WORD],
                   RAYMAN_SCENE_DESCRIPTOR_SCREEN_Y_SIZE_MASK, RAYMAN_SCENE_DESCRIPTOR_SCREEN_Y_SIZE_SHIFT, 240);
    if (scene.word[10] != 0x00F00140u) return 1;
    if (rayman_get(scene.word[10], RAYMAN_SCENE_DESCRIPTOR_SCREEN_Y_SIZE_MASK,
                   RAYMAN_SCENE_DESCRIPTOR_SCREEN_Y_SIZE_SHIFT) != 240) return 2;
    if (sizeof scene != 60 || sizeof(struct rayman_sphere_descriptor) != 24
        || sizeof(struct rayman_material_descriptor) != 16) return 3;
    if (RAYMAN_RAYTRACER_STATUS != 4u || RAYMAN_RAYTRACER_STATUS_PROGRESS_MASK != 0xFF00u) return 4;
    if (RAYMAN_SCENE_ADDRESS != 8u || RAYMAN_SCENE_ADDRESS_RESET != 0x80000000u) return 5;
    if (RAYMAN_RAYTRACER_COMMAND_COMMAND_CLEAR_IRQ != 3u) return 6;
    if (RAYMAN_ERROR_STOPPED != 1 || RAYMAN_ERROR_MATERIAL_ID != 0x11) return 7;
    if (RAYMAN_MATERIAL_DESCRIPTOR_SHININESS_WORD != 3 || RAYMAN_MATERIAL_DESCRIPTOR_SHININESS_SHIFT != 8) return 8;
    return 0;
}
"#;

    #[test]
    fn compiles_without_a_warning_and_says_what_the_specification_says() {
        let folder = tempfile::tempdir().expect("a scratch folder");
        fs::write(folder.path().join("rayman.h"), text()).expect("the header is written");
        fs::write(folder.path().join("main.c"), PROGRAM).expect("the program is written");
        // Rust itself links with `cc`, so it is wherever these tests are built.
        let compiler = Command::new("cc")
            .args(["-std=c99", "-pedantic", "-Wall", "-Wextra", "-Werror", "main.c", "-o", "main"])
            .current_dir(folder.path())
            .output()
            .expect("cc starts");
        assert!(compiler.status.success(), "{}", String::from_utf8_lossy(&compiler.stderr));
        let status = Command::new(folder.path().join("main")).status().expect("the program starts");
        assert_eq!(status.code(), Some(0), "the number is the failed check in PROGRAM");
    }

    #[test]
    fn no_name_is_defined_twice() {
        let text = text();
        let mut names: Vec<_> =
            text.lines().filter_map(|line| line.strip_prefix("#define ")?.split_whitespace().next()).collect();
        assert!(names.len() > 200, "{} names", names.len());
        names.sort_unstable();
        for pair in names.windows(2) {
            assert_ne!(pair[0], pair[1]);
        }
    }
}
