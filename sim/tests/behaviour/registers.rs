//! The register file: reset values, strobes, reserved bits, unmapped offsets, read-only registers.

use crate::stage::*;
use rayman_abi::register::{self, command, Register, APERTURE_BYTES, REGISTERS};
use rayman_abi::Access;
use rayman_sim::memory::Response;
use rayman_sim::Bench;

/// Registers that hold what is written: all that can be written but COMMAND.
fn holding() -> impl Iterator<Item = &'static Register> {
    REGISTERS.iter().filter(|register| {
        register.access == Access::ReadWrite && register.offset != register::RAYTRACER_COMMAND.offset
    })
}

/// Read-only registers whose value describes the build.
const BUILD: [u32; 3] =
    [register::CAPABILITIES.offset, register::BUILD_REVISION.offset, register::BUILD_PARAMETERS.offset];

pub fn registers_have_their_reset_values<B: Bench>(bench: &mut B) {
    let check = |bench: &mut B| {
        for register in REGISTERS.iter().filter(|register| !BUILD.contains(&register.offset)) {
            assert_eq!(read(bench, register), register.reset, "{}", register.name);
        }
    };
    check(bench);
    for register in holding() {
        write(bench, register, !register.reset);
    }
    Stage::new().check(bench);
    bench.reset().expect("the bench works");
    check(bench);
}

pub fn the_build_describes_itself<B: Bench>(bench: &mut B) {
    let capabilities = read(bench, &register::CAPABILITIES);
    assert_eq!(capabilities & !register::CAPABILITIES.mask(), 0);
    assert!(register::LANES.get(capabilities) >= 1);
    assert!(register::CACHED_SPHERES.get(capabilities) >= 1);
    let build = read(bench, &register::BUILD_PARAMETERS);
    assert!(register::SLOTS.get(build) >= 1 && register::CONTEXTS.get(build) >= 1);
}

pub fn reserved_bits_read_0_and_ignore_writes<B: Bench>(bench: &mut B) {
    for register in holding() {
        write(bench, register, 0xFFFF_FFFF);
        assert_eq!(read(bench, register), register.mask(), "{}", register.name);
        write(bench, register, 0);
        assert_eq!(read(bench, register), 0, "{}", register.name);
    }
    for register in REGISTERS {
        assert_eq!(read(bench, register) & !register.mask(), 0, "{}", register.name);
    }
}

pub fn partial_strobes_change_only_their_bytes<B: Bench>(bench: &mut B) {
    for register in holding() {
        for strobes in 0..16u8 {
            write(bench, register, 0xA5C3_960F);
            let before = read(bench, register);
            let new = 0x5A3C_69F0u32;
            let answer = bench.write_strobed(register.offset, new, strobes).expect("the bench works");
            assert_eq!(answer, Response::Okay);
            let bytes = (0..4).filter(|lane| strobes >> lane & 1 == 1).fold(0, |mask, lane| mask | 0xFF << (8 * lane));
            let expected = (before & !bytes | new & bytes) & register.mask();
            assert_eq!(read(bench, register), expected, "{} with strobes {strobes:04b}", register.name);
        }
    }
}

pub fn a_command_needs_strobe_0<B: Bench>(bench: &mut B) {
    Stage::long().place(bench);
    let offset = register::RAYTRACER_COMMAND.offset;
    for strobes in [0b0000, 0b1110, 0b0010] {
        assert_eq!(bench.write_strobed(offset, command::RUN, strobes).expect("works"), Response::Okay);
        assert!(!busy(bench), "strobes {strobes:04b}");
    }
    assert_eq!(bench.write_strobed(offset, command::RUN, 0b0001).expect("works"), Response::Okay);
    assert!(busy(bench));
    finish(bench);
}

pub fn writes_to_read_only_registers_are_okay_and_change_nothing<B: Bench>(bench: &mut B) {
    Stage::new().check(bench);
    let read_only: Vec<&Register> = REGISTERS.iter().filter(|register| register.access == Access::ReadOnly).collect();
    let before: Vec<u32> = read_only.iter().map(|register| read(bench, register)).collect();
    for value in [0xFFFF_FFFF, 0] {
        for register in &read_only {
            write(bench, register, value);
        }
        let after: Vec<u32> = read_only.iter().map(|register| read(bench, register)).collect();
        assert_eq!(after, before);
    }
}

pub fn unmapped_offsets_answer_slverr_and_change_nothing<B: Bench>(bench: &mut B) {
    let snapshot = |bench: &mut B| REGISTERS.iter().map(|register| read(bench, register)).collect::<Vec<u32>>();
    let before = snapshot(bench);
    let unmapped = (0..APERTURE_BYTES).step_by(4).filter(|offset| register::at(*offset).is_none());
    for offset in unmapped.chain([APERTURE_BYTES, 0x1000]) {
        assert_eq!(bench.read_raw(offset).expect("works"), (0, Response::SlaveError), "{offset:#x}");
        let answer = bench.write_strobed(offset, 0xFFFF_FFFF, 0xF).expect("works");
        assert_eq!(answer, Response::SlaveError, "{offset:#x}");
    }
    assert_eq!(snapshot(bench), before);
    assert!(!busy(bench));
}

pub fn registers_answer_under_stalls_and_while_busy<B: Bench>(bench: &mut B) {
    use rayman_sim::axi_slave::Timing;
    bench.set_timing(Timing { stalls: 150, seed: 5, ..Timing::default() });
    let stage = Stage::long();
    stage.place(bench);
    run(bench);
    for n in 0..50u32 {
        write(bench, &register::BACKGROUND, n);
        assert_eq!(read(bench, &register::BACKGROUND), n);
    }
    finish(bench);
    stage.compare(bench);
}
