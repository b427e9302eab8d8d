//! The tables of `rayman-abi` against the specification, typed a second time, by hand; and what must hold of any map.

use rayman_abi::descriptor::{material, scene, sphere, Descriptor, DESCRIPTORS, MAX_MATERIALS};
use rayman_abi::field::Format;
use rayman_abi::register::{self, command, status, APERTURE_BYTES, COUNTERS, REGISTERS};
use rayman_abi::{Access, ErrorCode, Field, Origin, Register};

/// A field as the specification's tables give it: name, msb, lsb.
type Bits = (&'static str, u32, u32);

fn fields(register: &Register) -> Vec<Bits> {
    register.fields.iter().map(|field| (field.name, field.msb, field.lsb)).collect()
}

#[test]
fn the_command_register() {
    let register = register::RAYTRACER_COMMAND;
    assert_eq!((register.offset, register.access, register.reset), (0x0000_0000, Access::ReadWrite, 0));
    assert_eq!(fields(&register), [("command", 2, 0)]);
    assert_eq!([command::NOP, command::RUN, command::STOP, command::CLEAR_IRQ], [0, 1, 2, 3]);
    let names: Vec<_> = register.fields[0].variants.iter().map(|variant| (variant.value, variant.name)).collect();
    assert_eq!(names, [(0, "NOP"), (1, "RUN"), (2, "STOP"), (3, "CLEAR_IRQ")]);
}

#[test]
fn the_status_register() {
    let register = register::RAYTRACER_STATUS;
    assert_eq!((register.offset, register.access, register.reset), (0x0000_0004, Access::ReadOnly, 0));
    assert_eq!(fields(&register), [("status", 2, 0), ("progress", 15, 8)]);
    assert_eq!([status::IDLE, status::BUSY], [0, 1]);
    let names: Vec<_> = register.fields[0].variants.iter().map(|variant| (variant.value, variant.name)).collect();
    assert_eq!(names, [(0, "IDLE"), (1, "BUSY")]);
}

#[test]
fn the_scene_address_register() {
    let register = register::SCENE_ADDRESS;
    assert_eq!((register.offset, register.access, register.reset), (0x0000_0008, Access::ReadWrite, 0x8000_0000));
    assert_eq!(register.mask(), 0xFFFF_FFFF);
}

#[test]
fn three_registers_are_specified_and_the_rest_is_assumed() {
    let specified: Vec<_> = REGISTERS
        .iter()
        .filter(|register| register.origin == Origin::Specified)
        .map(|register| register.name)
        .collect();
    assert_eq!(specified, ["RAYTRACER_COMMAND", "RAYTRACER_STATUS", "SCENE_ADDRESS"]);
}

/// A descriptor's table: word, msb, lsb, name, format.
fn table(descriptor: &Descriptor) -> Vec<(usize, u32, u32, &'static str, Format)> {
    let slot = |slot: &rayman_abi::descriptor::Slot| {
        (slot.word, slot.field.msb, slot.field.lsb, slot.field.name, slot.field.format)
    };
    descriptor.slots.iter().map(slot).collect()
}

#[test]
fn the_scene_descriptor() {
    use Format::{Address, Fp32, Uint};
    assert_eq!((scene::LAYOUT.name, scene::WORDS), ("scene_descriptor", 15));
    assert_eq!(
        table(&scene::LAYOUT),
        [
            (0, 31, 0, "light_x_position", Fp32),
            (1, 31, 0, "light_y_position", Fp32),
            (2, 31, 0, "light_z_position", Fp32),
            (3, 31, 0, "cam_pos_x", Fp32),
            (4, 31, 0, "cam_pos_y", Fp32),
            (5, 31, 0, "cam_pos_z", Fp32),
            (6, 31, 0, "cam_point_x", Fp32),
            (7, 31, 0, "cam_point_y", Fp32),
            (8, 31, 0, "cam_point_z", Fp32),
            (9, 31, 0, "cam_fov", Fp32),
            (10, 15, 0, "screen_x_size", Uint),
            (10, 31, 16, "screen_y_size", Uint),
            (11, 31, 0, "sphere_descriptor_array_pointer", Address),
            (12, 31, 0, "sphere_descriptor_array_size", Uint),
            (13, 31, 0, "material_descriptor_array_pointer", Address),
            (14, 31, 0, "material_descriptor_array_size", Uint),
        ]
    );
}

#[test]
fn the_sphere_descriptor() {
    use Format::{Fp32, Uint};
    assert_eq!((sphere::LAYOUT.name, sphere::WORDS), ("sphere_descriptor", 6));
    assert_eq!(
        table(&sphere::LAYOUT),
        [
            (0, 31, 0, "sphere_pos_x", Fp32),
            (1, 31, 0, "sphere_pos_y", Fp32),
            (2, 31, 0, "sphere_pos_z", Fp32),
            (3, 31, 0, "sphere_rad_squared", Fp32),
            (4, 31, 0, "sphere_rad_inverse", Fp32),
            (5, 2, 0, "material_id", Uint),
        ]
    );
    assert_eq!(MAX_MATERIALS, 8, "what three bits can name");
}

#[test]
fn the_material_descriptor() {
    use Format::{Fx1_7, Uint};
    assert_eq!((material::LAYOUT.name, material::WORDS), ("material_descriptor", 4));
    assert_eq!(
        table(&material::LAYOUT),
        [
            (0, 7, 0, "ambient_color_r", Fx1_7),
            (0, 15, 8, "ambient_color_g", Fx1_7),
            (0, 23, 16, "ambient_color_b", Fx1_7),
            (1, 7, 0, "diffuse_color_r", Fx1_7),
            (1, 15, 8, "diffuse_color_g", Fx1_7),
            (1, 23, 16, "diffuse_color_b", Fx1_7),
            (2, 7, 0, "specular_color_r", Fx1_7),
            (2, 15, 8, "specular_color_g", Fx1_7),
            (2, 23, 16, "specular_color_b", Fx1_7),
            (3, 7, 0, "k_refl", Fx1_7),
            (3, 15, 8, "shininess", Uint),
        ]
    );
}

/// Fields of one word: in order, within it, and none over another.
fn assert_apart(fields: &[Field], what: &str) {
    let mut below = 0;
    for field in fields {
        assert!(field.lsb >= below && field.msb >= field.lsb && field.msb < 32, "{what}.{}", field.name);
        below = field.msb + 1;
        for variant in field.variants {
            assert_eq!(field.get(field.set(0, variant.value)), variant.value, "{what}.{}", variant.name);
        }
    }
}

#[test]
fn registers_are_in_order_aligned_and_within_the_aperture() {
    let mut next = 0;
    for register in REGISTERS {
        assert!(register.offset >= next && register.offset % 4 == 0, "{}", register.name);
        next = register.offset + 4;
        assert_apart(register.fields, register.name);
        assert_eq!(register.reset & !register.mask(), 0, "{}: reserved bits read 0", register.name);
        assert_eq!(register::at(register.offset), Some(register));
        assert_eq!(register::at(register.offset + 1), None);
    }
    assert!(next <= APERTURE_BYTES);
    assert_eq!(register::at(APERTURE_BYTES), None);
}

#[test]
fn names_are_unique() {
    let mut names: Vec<_> = REGISTERS.iter().map(|register| register.name).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), REGISTERS.len());
}

#[test]
fn counters_are_pairs_of_read_only_registers() {
    assert_eq!(COUNTERS.len(), 15);
    for counter in COUNTERS {
        assert_eq!(counter.high.offset, counter.low.offset + 4, "{}", counter.name);
        assert_eq!(counter.low.name, format!("{}_LO", counter.name.to_uppercase()));
        assert_eq!(counter.high.name, format!("{}_HI", counter.name.to_uppercase()));
        assert_eq!([counter.low.access, counter.high.access], [Access::ReadOnly; 2], "{}", counter.name);
    }
    let architectural: Vec<_> =
        COUNTERS.iter().filter(|counter| counter.architectural).map(|counter| counter.name).collect();
    assert_eq!(
        architectural,
        ["primary_rays", "shadow_rays", "reflection_rays", "hits", "occluded", "pixels", "tests"]
    );
}

#[test]
fn descriptor_fields_do_not_overlap() {
    for descriptor in DESCRIPTORS {
        for word in 0..descriptor.words {
            let fields: Vec<_> =
                descriptor.slots.iter().filter(|slot| slot.word == word).map(|slot| slot.field).collect();
            assert!(!fields.is_empty(), "{} word {word}", descriptor.name);
            assert_apart(&fields, descriptor.name);
        }
        assert!(descriptor.slots.iter().all(|slot| slot.word < descriptor.words), "{}", descriptor.name);
    }
}

#[test]
fn fields_are_taken_out_and_put_in() {
    // By hand: bits 15:8 of a word.
    let progress = register::PROGRESS;
    assert_eq!((progress.width(), progress.mask()), (8, 0x0000_FF00));
    assert_eq!(progress.get(0xABCD_EF12), 0xEF);
    assert_eq!(progress.set(0xABCD_EF12, 0x1_34), 0xABCD_3412, "bits above the field are dropped");
    let whole = register::SCENE_ADDRESS.fields[0];
    assert_eq!((whole.width(), whole.mask()), (32, 0xFFFF_FFFF));
    assert_eq!(whole.set(0x1234_5678, 0xFFFF_FFFF), 0xFFFF_FFFF);
    // A descriptor: 320 x 240 in word 10.
    let mut words = [0; scene::WORDS];
    scene::SCREEN_X_SIZE.set(&mut words, 320);
    scene::SCREEN_Y_SIZE.set(&mut words, 240);
    assert_eq!(words[10], 0x00F0_0140);
    assert_eq!((scene::SCREEN_X_SIZE.get(&words), scene::SCREEN_Y_SIZE.get(&words)), (320, 240));
}

#[test]
fn error_codes_are_ascending_and_known_by_their_number() {
    let codes: Vec<_> = ErrorCode::ALL.iter().map(|code| *code as u8).collect();
    assert!(codes.windows(2).all(|pair| pair[0] < pair[1]), "{codes:x?}");
    for number in 0..=u8::MAX {
        let known = ErrorCode::from_code(number);
        assert_eq!(known.is_some(), codes.contains(&number), "{number:#04x}");
        assert!(known.is_none_or(|code| code as u8 == number), "{number:#04x}");
    }
    assert_eq!(ErrorCode::from_code(0), Some(ErrorCode::None), "0: nothing went wrong");
}
