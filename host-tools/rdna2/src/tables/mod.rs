//! The instruction table: one row an opcode, one file a family.
//!
//! A row reads `name number written kinds = read kinds, reads REGISTERS, writes REGISTERS, has FEATURES;` in the order of the syntax.

mod ds;
mod mem;
mod mimg;
mod sop;
mod vop;
mod vop3;
mod vopc;

use crate::isa::{Family, Row};

/// Makes a family's rows, and for each a constant of [`crate::isa::Opcode`].
macro_rules! table {
    ($table:ident, $family:ident; $(
        $name:ident $number:literal $($write:ident)* = $($read:ident)*
        $(, reads $($implicit_read:ident)+)? $(, writes $($implicit_write:ident)+)? $(, has $($feature:ident)+)? ;
    )*) => {
        #[allow(non_upper_case_globals, missing_docs)]
        impl crate::isa::Opcode {
            $(pub const $name: Self = Self { family: crate::isa::Family::$family, number: $number };)*
        }

        pub(super) static $table: &[crate::isa::Row] = &[$(
            crate::isa::Row {
                name: stringify!($name),
                number: $number,
                writes: &[$(crate::isa::Kind::$write),*],
                reads: &[$(crate::isa::Kind::$read),*],
                implicit_reads: &[$($(crate::isa::Implicit::$implicit_read),+)?],
                implicit_writes: &[$($(crate::isa::Implicit::$implicit_write),+)?],
                features: &[$($(crate::isa::Feature::$feature),+)?],
            },
        )*];
    };
}
pub(super) use table;

/// Every family.
pub(crate) const FAMILIES: [Family; 20] = [
    Family::Sop2,
    Family::Sopk,
    Family::Sop1,
    Family::Sopc,
    Family::Sopp,
    Family::Smem,
    Family::Vop2,
    Family::Vop1,
    Family::Vopc,
    Family::Vop3,
    Family::Vop3p,
    Family::Vintrp,
    Family::Ds,
    Family::Flat,
    Family::Global,
    Family::Scratch,
    Family::Mubuf,
    Family::Mtbuf,
    Family::Mimg,
    Family::Exp,
];

/// The rows of a family, by rising numbers.
pub(crate) fn rows(family: Family) -> &'static [Row] {
    match family {
        Family::Sop2 => sop::SOP2,
        Family::Sopk => sop::SOPK,
        Family::Sop1 => sop::SOP1,
        Family::Sopc => sop::SOPC,
        Family::Sopp => sop::SOPP,
        Family::Smem => sop::SMEM,
        Family::Vop2 => vop::VOP2,
        Family::Vop1 => vop::VOP1,
        Family::Vopc => vopc::VOPC,
        Family::Vop3 => vop3::VOP3,
        Family::Vop3p => vop3::VOP3P,
        Family::Vintrp => vop3::VINTRP,
        Family::Ds => ds::DS,
        Family::Flat => mem::FLAT,
        Family::Global => mem::GLOBAL,
        Family::Scratch => mem::SCRATCH,
        Family::Mubuf => mem::MUBUF,
        Family::Mtbuf => mem::MTBUF,
        Family::Mimg => mimg::MIMG,
        Family::Exp => mem::EXP,
    }
}

/// The row of an opcode's number.
pub(crate) fn row(family: Family, number: u16) -> Option<&'static Row> {
    let rows = rows(family);
    rows.binary_search_by_key(&number, |row| row.number).ok().map(|index| &rows[index])
}

#[cfg(test)]
mod tests;
