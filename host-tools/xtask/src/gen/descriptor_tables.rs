//! docs/descriptors.md.

use std::fmt::Write;

use rayman_abi::descriptor::{Descriptor, DESCRIPTORS, MAX_MATERIALS};

use super::markdown::{field_cells, head, page, FIELD_COLUMNS};

const INTRODUCTION: &str = "\
What the core reads from memory: one scene_descriptor at SCENE_ADDRESS, and the two arrays that it points at. The word
layouts are specified by the source document of the core; what is assumed beside them is said below.

- Words are 32 bits, little-endian; word n is at byte offset 4 n. Descriptors of an array follow each other without gaps.
- FP32 is IEEE 754 binary32. Subnormals are read as zeros of the same sign, every NaN as 0x7fc00000 (assumed).
- FX1.7 is 8 bits, 7 of them fraction: 0x80 is 1.0. A larger value is invalid; the core reads it as 1.0, the driver
  refuses it (assumed).
- Bits in no field are reserved: write 0. The core ignores them (assumed).
- Pointers are multiples of 4 and not null, unless their array has size 0 (assumed).
";

/// The page's text.
pub fn text() -> String {
    let mut page = page("Descriptors", INTRODUCTION);
    // Writing to a String cannot fail.
    let _ = writeln!(
        page,
        "- material_id can name the first {MAX_MATERIALS} materials; further ones are never read (assumed)."
    );
    for descriptor in DESCRIPTORS {
        layout(&mut page, descriptor);
    }
    page
}

fn layout(page: &mut String, descriptor: &Descriptor) {
    let _ = writeln!(
        page,
        "\n## {}\n\n{} {} words, {} bytes.\n",
        descriptor.name,
        descriptor.doc.trim(),
        descriptor.words,
        descriptor.bytes()
    );
    page.push_str(&head(&[&["word", "byte"][..], &FIELD_COLUMNS].concat()));
    for slot in descriptor.slots {
        let _ = writeln!(page, "| {} | `0x{:02X}` | {} |", slot.word, slot.word * 4, field_cells(&slot.field));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_say_what_the_specification_says() {
        let page = text();
        for row in [
            "| 9 | `0x24` | 31:0 | `cam_fov` | FP32 |",
            "| 10 | `0x28` | 31:16 | `screen_y_size` | unsigned |",
            "| 14 | `0x38` | 31:0 | `material_descriptor_array_size` | unsigned |",
            "| 5 | `0x14` | 2:0 | `material_id` | unsigned |",
            "| 3 | `0x0C` | 7:0 | `k_refl` | FX1.7 |",
            "15 words, 60 bytes.",
            "6 words, 24 bytes.",
            "4 words, 16 bytes.",
        ] {
            assert!(page.contains(row), "{row}");
        }
    }

    #[test]
    fn every_field_has_a_row() {
        let page = text();
        for slot in DESCRIPTORS.iter().flat_map(|descriptor| descriptor.slots) {
            assert_eq!(page.matches(&format!("| `{}` |", slot.field.name)).count(), 1, "{}", slot.field.name);
        }
    }
}
