//! Constants as text. A literal that could have been an inline constant is shown as that one.

use std::fmt;

use crate::isa::{FloatConstant, Kind};

/// Every constant of the inline codes, 240 to 248.
fn constants() -> impl Iterator<Item = FloatConstant> {
    (240..=248).filter_map(FloatConstant::from_code)
}

/// The name of a constant. That of 1 / (2 pi) is as long as its format is precise.
fn name(constant: FloatConstant, double: bool) -> &'static str {
    match constant {
        FloatConstant::Half => "0.5",
        FloatConstant::MinusHalf => "-0.5",
        FloatConstant::One => "1.0",
        FloatConstant::MinusOne => "-1.0",
        FloatConstant::Two => "2.0",
        FloatConstant::MinusTwo => "-2.0",
        FloatConstant::Four => "4.0",
        FloatConstant::MinusFour => "-4.0",
        FloatConstant::Inv2Pi if double => "0.15915494309189532",
        FloatConstant::Inv2Pi => "0.15915494",
    }
}

/// An inline constant, read as its operand's kind.
pub(super) fn float(f: &mut fmt::Formatter<'_>, constant: FloatConstant, kind: Kind) -> fmt::Result {
    match kind {
        // An integer of 16 bits has no such constants: their bits are shown.
        Kind::B16 => write!(f, "{:#x}", constant.bits16()),
        Kind::B64 | Kind::F64 => f.write_str(name(constant, true)),
        _ => f.write_str(name(constant, false)),
    }
}

/// Whether an integer has an inline code.
fn is_inline(number: i64) -> bool {
    (-16..=64).contains(&number)
}

/// A literal word, read as its operand's kind.
pub(super) fn literal(f: &mut fmt::Formatter<'_>, bits: u32, kind: Kind) -> fmt::Result {
    match kind {
        Kind::Imm32 | Kind::Imm16 => write!(f, "{bits:#x}"),
        Kind::B16 => match constants().find(|constant| constant.bits32() == bits) {
            _ if is_inline((bits as i32).into()) => write!(f, "{}", bits as i32),
            Some(constant) => f.write_str(name(constant, false)),
            None => write!(f, "{:#x}", bits as u16),
        },
        Kind::F16 => {
            let half = bits as u16;
            let constant = constants().find(|constant| constant.bits16() == half);
            match constant {
                _ if is_inline((half as i16).into()) => write!(f, "{}", half as i16),
                Some(constant) => f.write_str(name(constant, false)),
                None => write!(f, "{half:#x}"),
            }
        }
        Kind::PF16 => {
            let constant = constants().find(|constant| u32::from(constant.bits16()) == bits);
            match constant {
                _ if is_inline((bits as i32).into()) => write!(f, "{}", bits as i32),
                Some(constant) => f.write_str(name(constant, false)),
                None => write!(f, "{bits:#x}"),
            }
        }
        // The word is the upper half.
        Kind::F64 => {
            let constant = constants().find(|constant| constant.bits64() == u64::from(bits) << 32);
            match constant {
                _ if bits == 0 => f.write_str("0"),
                Some(constant) => f.write_str(name(constant, true)),
                None => write!(f, "{bits:#x}"),
            }
        }
        // The word is the lower half, and the upper one is 0.
        Kind::B64 if is_inline(bits.into()) => write!(f, "{bits}"),
        Kind::B64 => write!(f, "{bits:#x}"),
        _ => {
            let constant = constants().find(|constant| constant.bits32() == bits);
            match constant {
                _ if is_inline((bits as i32).into()) => write!(f, "{}", bits as i32),
                Some(constant) => f.write_str(name(constant, false)),
                None => write!(f, "{bits:#x}"),
            }
        }
    }
}
