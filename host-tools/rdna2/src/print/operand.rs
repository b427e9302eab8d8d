//! One operand as text.

use std::fmt::{self, Write};

use super::{immediate, names};
use crate::isa::{Instruction, Kind, Opcode, Operand, Register, RegisterRange, Slot, Special, Value};

/// Writes an operand, with its signs.
pub(super) fn write(f: &mut fmt::Formatter<'_>, of: &Instruction, operand: &Operand) -> fmt::Result {
    let modifiers = operand.modifiers;
    let signed = of.modifiers.sdwa.is_some_and(|sdwa| match operand.slot {
        Slot::Src0 => sdwa.src0_signed,
        Slot::Src1 => sdwa.src1_signed,
        _ => false,
    });
    let constant = matches!(operand.value, Value::Integer(_) | Value::Float(_) | Value::Literal(_));
    let (before, after) = match (modifiers.neg, modifiers.abs) {
        _ if signed => ("sext(", ")"),
        // `-1.0` would be another constant.
        (true, false) if constant => ("neg(", ")"),
        (true, false) => ("-", ""),
        (true, true) => ("-|", "|"),
        (false, true) => ("|", "|"),
        (false, false) => ("", ""),
    };
    f.write_str(before)?;
    value(f, of, operand)?;
    f.write_str(after)
}

fn value(f: &mut fmt::Formatter<'_>, of: &Instruction, operand: &Operand) -> fmt::Result {
    match operand.value {
        Value::Registers(mut range) => {
            range.words = shown_words(of, operand.kind, range.words);
            registers(f, range)
        }
        Value::Special(special) => f.write_str(match special {
            Special::SharedBase => "src_shared_base",
            Special::SharedLimit => "src_shared_limit",
            Special::PrivateBase => "src_private_base",
            Special::PrivateLimit => "src_private_limit",
            Special::PopsExitingWaveId => "src_pops_exiting_wave_id",
            Special::Vccz => "src_vccz",
            Special::Execz => "src_execz",
            Special::LdsDirect => "src_lds_direct",
        }),
        Value::Off => f.write_str("off"),
        Value::Float(constant) => immediate::float(f, constant, operand.kind),
        Value::Literal(bits) => immediate::literal(f, bits, operand.kind),
        Value::Integer(number) => integer(f, of, operand.kind, number),
    }
}

/// Words of an image's operand in the syntax, which is not always what the hardware takes.
fn shown_words(of: &Instruction, kind: Kind, words: u8) -> u8 {
    let m = &of.modifiers;
    match kind {
        // Four samples of a component are shown as if they were the components of the mask.
        Kind::Image if of.opcode == Some(Opcode::image_msaa_load) => {
            let components = m.dmask.count_ones().max(1) as u8;
            (if m.d16 { components.div_ceil(2) } else { components }) + u8::from(m.tfe)
        }
        // The word that a warning about the level of detail writes is left out.
        Kind::Image if m.lwe && !m.tfe => words - 1,
        // A descriptor of four words is shown as one of eight.
        Kind::Descriptor if m.r128 && !of.opcode.is_some_and(Opcode::is_ray_test) => 8,
        _ => words,
    }
}

fn registers(f: &mut fmt::Formatter<'_>, range: RegisterRange) -> fmt::Result {
    let RegisterRange { first, words } = range;
    let (file, number) = match first {
        _ if words == 1 && first == Register::Scc => return f.write_str("src_scc"),
        _ if words == 1 || first == Register::Null => return write!(f, "{first}"),
        Register::VccLo => return f.write_str("vcc"),
        Register::ExecLo => return f.write_str("exec"),
        Register::Sgpr(number) => ("s", number),
        Register::Ttmp(number) => ("ttmp", number),
        Register::Vgpr(number) => ("v", number),
        _ => return write!(f, "{first}"),
    };
    write!(f, "{file}[{number}:{}]", u16::from(number) + u16::from(words) - 1)
}

/// An integer of the code, in the form of its kind.
fn integer(f: &mut fmt::Formatter<'_>, of: &Instruction, kind: Kind, number: i32) -> fmt::Result {
    let bits = number as u16;
    match kind {
        Kind::Simm16 => write!(f, "{bits:#x}"),
        // Branches are shown without their sign.
        Kind::Target | Kind::OptionalDecimal => write!(f, "{bits}"),
        Kind::Waitcnt => names::wait(f, bits),
        Kind::Depctr => names::dependencies(f, bits),
        Kind::Message => names::message(f, bits),
        Kind::HardwareRegister => names::hardware_register(f, bits),
        Kind::Version => names::version(f, bits),
        Kind::ExportTarget => names::export_target(f, bits),
        Kind::Decimal | Kind::Immediate if number > 64 => write!(f, "{number:#x}"),
        Kind::Attribute => {
            write!(f, "attr{number}.")?;
            f.write_char(['x', 'y', 'z', 'w'][usize::from(of.modifiers.channel & 3)])
        }
        Kind::Parameter => match number {
            0 => f.write_str("p10"),
            1 => f.write_str("p20"),
            2 => f.write_str("p0"),
            _ => write!(f, "invalid_param_{number}"),
        },
        _ => write!(f, "{number}"),
    }
}
