//! Accesses and textures of a shader, as text and as JSON.

use std::fmt::Display;
use std::io::Write;

use rayman_rdna2::isa::RegisterRange;
use rayman_rdna2::trace::{Access, AddressWord, BufferPlace, Descriptors, Pointer, Refusal, Source, Traced};
use rayman_rdna2::Cfg;
use serde::Serialize;

use super::computed::Computed;

/// Registers of one operand, as `s[8:15]`.
pub(super) fn registers(range: RegisterRange) -> String {
    let last = range.registers().last().unwrap_or(range.first);
    match (range.words, range.first.to_string(), last.to_string()) {
        (1, first, _) => first,
        (_, first, last) => match (first.strip_prefix('s'), last.strip_prefix('s')) {
            (Some(from), Some(to)) => format!("s[{from}:{to}]"),
            _ => format!("{first}..{last}"),
        },
    }
}

/// Where a descriptor lies, or why that is not known, and what goes with it.
pub(super) fn answer(traced: &Traced) -> String {
    match &traced.source {
        Ok(found) if found.skipped => format!("{}, which a path skips", found.source),
        Ok(found) => found.source.to_string(),
        Err(refusal) => format!("refused: {refusal}"),
    }
}

/// Writes a line a descriptor, and the textures.
pub(super) fn text(cfg: &Cfg, found: &Descriptors, out: &mut dyn Write) -> anyhow::Result<()> {
    for irregularity in cfg.irregularities() {
        writeln!(out, "note: {irregularity}")?;
    }
    for access in &found.accesses {
        let mut line = |place: &str, what: &dyn Display, traced: &Traced| {
            writeln!(out, "{place:<8} {what:<18} {:<10} {}", registers(traced.registers), answer(traced))
        };
        line(&format!("{:#x}", access.offset), &access.kind.name(), &access.descriptor)?;
        if let Some(sampler) = &access.sampler {
            line("", &"  sampler", sampler)?;
        }
    }
    for texture in found.textures.iter().filter(|texture| texture.sampler.is_some()) {
        let places = texture.accesses.iter().map(|&index| format!("{:#x}", found.accesses[index].offset));
        let sampler = match &texture.sampler {
            Some(Ok(source)) => source.to_string(),
            Some(Err(refusal)) => format!("refused: {refusal}"),
            None => continue,
        };
        writeln!(out, "texture  {}", texture.source)?;
        writeln!(out, "  accessed at {}", places.collect::<Vec<_>>().join(", "))?;
        writeln!(out, "  sampler of the first access: {sampler}")?;
    }
    let refused = found.accesses.iter().filter(|access| access.descriptor.source.is_err()).count();
    writeln!(out, "{} accesses, {refused} refused", found.accesses.len())?;
    Ok(())
}

/// Writes everything as one JSON object.
pub(super) fn json(
    cfg: &Cfg,
    found: &Descriptors,
    computed: Option<&Computed>,
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    let report = Report {
        irregularities: cfg.irregularities().iter().map(ToString::to_string).collect(),
        accesses: found.accesses.iter().map(|access| AccessRow::of(cfg, access)).collect(),
        textures: found
            .textures
            .iter()
            .map(|texture| TextureRow {
                source: texture.source.into(),
                accesses: texture.accesses.iter().map(|&index| found.accesses[index].offset).collect(),
                sampler: texture.sampler.as_ref().map(|sampler| Answer::of(sampler.as_ref().map(|&source| source))),
            })
            .collect(),
        computed,
    };
    serde_json::to_writer_pretty(&mut *out, &report)?;
    writeln!(out)?;
    Ok(())
}

#[derive(Serialize)]
struct Report<'a> {
    irregularities: Vec<String>,
    accesses: Vec<AccessRow>,
    textures: Vec<TextureRow>,
    #[serde(skip_serializing_if = "Option::is_none")]
    computed: Option<&'a Computed>,
}

#[derive(Serialize)]
struct AccessRow {
    offset: u64,
    instruction: String,
    kind: &'static str,
    descriptor: TracedRow,
    #[serde(skip_serializing_if = "Option::is_none")]
    sampler: Option<TracedRow>,
}

#[derive(Serialize)]
struct TracedRow {
    registers: String,
    #[serde(flatten)]
    answer: Answer,
    #[serde(skip_serializing_if = "Option::is_none")]
    loads: Option<Vec<u64>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    skipped: Option<bool>,
}

#[derive(Serialize)]
struct TextureRow {
    source: SourceRow,
    accesses: Vec<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sampler: Option<Answer>,
}

#[derive(Serialize)]
#[serde(rename_all = "snake_case")]
enum Answer {
    Source(SourceRow),
    Refusal(String),
}

/// A place; offsets are in bytes, registers are scalar ones.
#[derive(Serialize)]
#[serde(tag = "place", rename_all = "snake_case")]
enum SourceRow {
    UserData { register: u8 },
    Table { pointer: PointerRow, offset: i32 },
    Buffer { buffer: Box<SourceRow>, offset: i32 },
}

#[derive(Serialize)]
struct PointerRow {
    low: u8,
    high: HighRow,
}

#[derive(Serialize)]
#[serde(rename_all = "snake_case")]
enum HighRow {
    UserData(u8),
    Constant(u32),
}

impl AccessRow {
    fn of(cfg: &Cfg, access: &Access) -> Self {
        Self {
            offset: access.offset,
            instruction: cfg.instructions()[access.instruction].to_string(),
            kind: access.kind.name(),
            descriptor: TracedRow::of(&access.descriptor),
            sampler: access.sampler.as_ref().map(TracedRow::of),
        }
    }
}

impl TracedRow {
    fn of(traced: &Traced) -> Self {
        let found = traced.source.as_ref().ok();
        Self {
            registers: registers(traced.registers),
            answer: Answer::of(traced.source.as_ref().map(|found| found.source)),
            loads: found.map(|found| found.loads.clone()),
            skipped: found.map(|found| found.skipped),
        }
    }
}

impl Answer {
    fn of(source: Result<Source, &Refusal>) -> Self {
        match source {
            Ok(source) => Self::Source(source.into()),
            Err(refusal) => Self::Refusal(refusal.to_string()),
        }
    }
}

impl From<Source> for SourceRow {
    fn from(source: Source) -> Self {
        match source {
            Source::UserData { register } => Self::UserData { register },
            Source::Table { pointer, offset } => Self::Table { pointer: pointer.into(), offset },
            Source::Buffer { buffer, offset } => Self::Buffer { buffer: Box::new(buffer.into()), offset },
        }
    }
}

impl From<BufferPlace> for SourceRow {
    fn from(place: BufferPlace) -> Self {
        Source::from(place).into()
    }
}

impl From<Pointer> for PointerRow {
    fn from(pointer: Pointer) -> Self {
        let high = match pointer.high {
            AddressWord::UserData(register) => HighRow::UserData(register),
            AddressWord::Constant(word) => HighRow::Constant(word),
        };
        Self { low: pointer.low, high }
    }
}
