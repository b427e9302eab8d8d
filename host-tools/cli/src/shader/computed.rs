//! Descriptors that a shader computes: a run of one wave on the host, over what is known of the dispatch.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::Args;
use rayman_rdna2::wave::{End, Found, Image, Launch, Limits, Preparation, Program, Segment, Stop};
use rayman_rdna2::{Cfg, Wave};
use serde::{Deserialize, Serialize};

use super::descriptors::registers;
use crate::failure::Failure;

/// What is known of a dispatch. With any of it a wave is run.
#[derive(Debug, Args)]
pub struct Known {
    /// Words of user data, from s0 up, by commas; `?` is not known
    #[arg(long, value_name = "W0,W1,...", value_delimiter = ',', value_parser = user_word)]
    user_data: Vec<UserWord>,
    /// Memory before the dispatch: segments, in TOML
    #[arg(long, value_name = "IMAGE")]
    memory: Option<PathBuf>,
    /// Lanes that are active at the start, a bit each [default: all]
    #[arg(long, value_name = "MASK", value_parser = mask)]
    lanes: Option<u64>,
    /// Instructions that the run may execute
    #[arg(long, value_name = "COUNT", default_value_t = Limits::default().wave_steps)]
    steps: u64,
}

/// A word of user data, known or not.
#[derive(Debug, Clone, Copy)]
struct UserWord(Option<u32>);

fn number(text: &str) -> Result<u64, String> {
    let parsed = match text.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16),
        None => text.parse(),
    };
    parsed.map_err(|_| format!("`{text}` is no number"))
}

fn user_word(text: &str) -> Result<UserWord, String> {
    if text == "?" {
        return Ok(UserWord(None));
    }
    let word = u32::try_from(number(text)?).map_err(|_| format!("`{text}` has more than 32 bits"))?;
    Ok(UserWord(Some(word)))
}

fn mask(text: &str) -> Result<u64, String> {
    number(text)
}

/// The file of `--memory`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ImageFile {
    #[serde(default)]
    segment: Vec<SegmentRow>,
}

/// Words of memory: given, or the bytes of a file beside the image.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SegmentRow {
    address: u64,
    #[serde(default)]
    words: Vec<u32>,
    file: Option<PathBuf>,
    /// The dispatch may write here.
    #[serde(default)]
    writable: bool,
}

const HELP: &str =
    "segments are [[segment]] with address, words = [...] or file = \"...\", and perhaps writable = true";

fn image(path: &Path) -> anyhow::Result<Image> {
    let name = path.display();
    let failure = |what: String| Failure::new(format!("{name}: {what}"), HELP);
    let text = fs::read_to_string(path).map_err(|error| failure(format!("cannot be read: {error}")))?;
    let file: ImageFile = toml::from_str(&text).map_err(|error| failure(error.to_string()))?;
    let mut image = Image::new();
    for row in file.segment {
        let mut words = row.words;
        if let Some(beside) = &row.file {
            let beside = path.parent().unwrap_or(Path::new("")).join(beside);
            let bytes = fs::read(&beside).with_context(|| format!("{}: cannot be read", beside.display()))?;
            words.extend(bytes.chunks_exact(4).map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]])));
        }
        let segment = Segment { address: row.address, words, writable: row.writable };
        image.insert(segment).map_err(|error| failure(error.to_string()))?;
    }
    Ok(image)
}

/// What a run said.
#[derive(Debug, Serialize)]
pub struct Computed {
    /// Instructions that it executed.
    steps: u64,
    /// How it ended.
    end: String,
    uses: Vec<UseRow>,
}

#[derive(Debug, Serialize)]
struct UseRow {
    offset: u64,
    registers: String,
    #[serde(flatten)]
    answer: Answer,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "snake_case")]
enum Answer {
    /// Every descriptor that the access may read.
    Descriptors(Vec<Vec<u32>>),
    Refusal(String),
}

impl From<&Found> for Answer {
    fn from(found: &Found) -> Self {
        match found {
            Ok(descriptors) => Self::Descriptors(descriptors.iter().cloned().collect()),
            Err(refusal) => Self::Refusal(refusal.to_string()),
        }
    }
}

impl Known {
    /// Runs a wave, if anything is known of the dispatch.
    pub(super) fn run(&self, cfg: &Cfg) -> anyhow::Result<Option<Computed>> {
        if self.user_data.is_empty() && self.memory.is_none() {
            return Ok(None);
        }
        let memory = self.memory.as_deref().map(image).transpose()?.unwrap_or_default();
        let data: Vec<Option<u32>> = self.user_data.iter().map(|word| word.0).collect();
        let all = if cfg.wave() == Wave::W32 { 0xffff_ffff } else { !0 };
        let launch = Launch::new(cfg.wave()).with_user_data(&data).with_lanes(self.lanes.unwrap_or(all) & all);
        let limits = Limits { wave_steps: self.steps, preparation_steps: self.steps };
        let prepared = Program::new(cfg).prepare(&[launch], &memory, limits);
        Ok(Some(Computed::of(cfg, &prepared)))
    }
}

impl Computed {
    fn of(cfg: &Cfg, prepared: &Preparation) -> Self {
        let offset = |index: usize| cfg.instructions()[index].offset;
        let ends = prepared.runs.iter().map(|run| match &run.end {
            End::Complete => "it ended".to_owned(),
            End::OutOfSteps => "it had no steps left".to_owned(),
            End::OutOfWays => "more ways would wait than may".to_owned(),
            End::Stopped { stop, frontier } => {
                let at = frontier.first().map_or(0, |(index, _)| offset(*index));
                let why = match stop {
                    Stop::Loop => "a loop that the host cannot decide",
                    Stop::Computed => "a jump to a computed address",
                    Stop::Unnamed => "an instruction without a name",
                    Stop::Stray => "a way to no instruction",
                };
                format!("it stopped at {at:#x}, {why}; {} more ways wait", frontier.len().saturating_sub(1))
            }
        });
        let uses = prepared.uses.iter().map(|(found, words)| UseRow {
            offset: offset(found.instruction),
            registers: found.range(cfg).map(registers).unwrap_or_default(),
            answer: words.into(),
        });
        Self {
            steps: prepared.runs.iter().map(|run| run.steps).sum(),
            end: ends.collect::<Vec<_>>().join("; "),
            uses: uses.collect(),
        }
    }

    /// Writes a line a descriptor.
    pub(super) fn text(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        writeln!(out, "run of one wave: {} instructions; {}", self.steps, self.end)?;
        for row in &self.uses {
            let place = format!("{:#x}", row.offset);
            match &row.answer {
                Answer::Refusal(refusal) => writeln!(out, "{place:<8} {:<10} refused: {refusal}", row.registers)?,
                Answer::Descriptors(all) => {
                    for (index, words) in all.iter().enumerate() {
                        let words: Vec<String> = words.iter().map(|word| format!("{word:#010x}")).collect();
                        let lead = if index == 0 { "" } else { "or " };
                        writeln!(out, "{place:<8} {:<10} {lead}{}", row.registers, words.join(" "))?;
                    }
                }
            }
        }
        Ok(())
    }
}
