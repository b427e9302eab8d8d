//! Where the descriptors of a program lie: seed D934.
//!
//! ```text
//!  Cfg -> pass     every scalar register, in the graph's order: user data, a constant, a word of a table or of a buffer,
//!                  or what an instruction, a loop or a join made of it
//!      -> paths    at an access: what its registers hold on each path, where the paths differ
//!      -> judge    the rule: a load wins over a path that skipped it, different loads are refused, all else is refused
//!      -> textures samplers, by the first access of each texture
//! ```
//!
//! What always holds: an answer is true on every path to the access, loops included, but for paths that skipped a load of the
//! registers ([`Found::skipped`]), which a program does not take to an access. Two accepted loads of one place are one source.
//! Assumed: tables and buffers hold the same while the program runs, loads are waited for, memory is where the pointer of the
//! load points (a write of the pointer's registers after it changes nothing). The steps are linear in the code; a single access
//! with more than [`MOST_PATHS`] combinations of ways, or more than [`MOST_WAYS`] ways in them, is refused.
//!
//! Source: seed D934, clause by clause in `seeds/S4.md`; what is assumed beyond it is in `docs/descriptors-in-shaders.md`.

mod access;
mod judge;
mod pass;
mod paths;
mod read;
mod source;
mod textures;
mod values;

pub use access::{Access, AccessKind, Found, Options, Traced};
pub use paths::{MOST_PATHS, MOST_WAYS};
pub use read::ReadError;
pub use source::{AddressWord, BufferPlace, Held, Path, Pointer, Refusal, Source, Step, UnknownPlace};
pub use textures::{Texture, MOST_BLOCKS};

use crate::cfg::Cfg;

/// What a program accesses, and through which descriptors.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Descriptors {
    /// Every access, by address.
    pub accesses: Vec<Access>,
    /// Every image that is accessed and whose place is known, by the address of its first access in the code.
    pub textures: Vec<Texture>,
    /// What the work was, in numbers that no machine changes: instructions and ways, registers compared where paths join,
    /// combinations of ways followed from accesses and the ways into joins looked at for them, blocks looked at for a texture's first
    /// access.
    pub steps: u64,
}

/// Traces the descriptor of every access of a program.
pub fn descriptors(cfg: &Cfg, options: Options) -> Descriptors {
    let (accesses, steps) = pass::accesses(cfg, options);
    let (textures, more) = textures::textures(cfg, &accesses);
    Descriptors { accesses, textures, steps: steps + more }
}
