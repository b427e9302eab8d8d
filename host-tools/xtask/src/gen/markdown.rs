//! Pieces that both Markdown pages use.

use rayman_abi::field::Format;
use rayman_abi::{Field, Origin};

use super::NOTICE;

/// The first lines of a page.
pub fn page(title: &str, introduction: &str) -> String {
    format!("<!-- {NOTICE} -->\n\n# {title}\n\n{introduction}")
}

/// The first two lines of a table.
pub fn head(columns: &[&str]) -> String {
    format!("| {} |\n|{}\n", columns.join(" | "), " --- |".repeat(columns.len()))
}

/// What a table of fields says of each, one cell a column of [`FIELD_COLUMNS`].
pub fn field_cells(field: &Field) -> String {
    format!("{} | `{}` | {} | {}", bits(field), field.name, format(field.format), cell(field.doc))
}

/// The columns of a table of fields.
pub const FIELD_COLUMNS: [&str; 4] = ["bits", "field", "format", "meaning"];

/// `31:0`, or `4` for a single bit.
fn bits(field: &Field) -> String {
    if field.width() == 1 {
        field.lsb.to_string()
    } else {
        format!("{}:{}", field.msb, field.lsb)
    }
}

/// How a field's bits are read, in a word or two.
fn format(format: Format) -> &'static str {
    match format {
        Format::Uint => "unsigned",
        Format::Fp32 => "FP32",
        Format::Fx1_7 => "FX1.7",
        Format::Address => "address",
        Format::Flag => "flag",
    }
}

/// Where a definition comes from.
pub fn origin(origin: Origin) -> &'static str {
    match origin {
        Origin::Specified => "specified",
        Origin::Assumed => "assumed",
    }
}

/// A sentence for a table cell: doc comments begin with a blank, and a bar would end the cell.
pub fn cell(text: &str) -> String {
    text.trim().replace('|', "\\|")
}
