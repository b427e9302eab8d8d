//! A control-flow graph as a picture (SVG): blocks in the order of their addresses, ways beside them.
//!
//! ```text
//!        +-- block 0 ----------------------------------+
//!        | 0x0   s_cbranch_scc1 6                      |
//!    .---+---------------------------------------------+
//!    |   +-- block 1, loop head -----------------------+ <-.   ways that go back, on the right
//!    |   | 0x4   image_sample ...                      |   |
//!    |   |         s[8:15]: table [user data 2:3]+0x40 |   |   an access, and where its descriptor lies
//!    |   +---------------------------------------------+ --'
//!    `-> +-- block 2 ----------------------------------+       ways ahead, on the left; an arrow down goes on behind
//! ```
//!
//! A bar at a block's left says that it is skipped where no lane is active. Blocks that are not reached are grey. In long blocks
//! instructions that neither access nor branch are left out.

use std::collections::{BTreeMap, BTreeSet};

use rayman_rdna2::cfg::{Exit, Irregularity, Target};
use rayman_rdna2::trace::{Descriptors, Traced};
use rayman_rdna2::{BlockId, Cfg};
use svg::node::element::{Definitions, Line, Marker, Path, Rectangle, Style, Text, Title};
use svg::Document;

use super::descriptors::{answer, registers};
use crate::failure::Failure;

/// Most blocks that are drawn.
const MOST_BLOCKS: usize = 2000;
/// Height of a line of text, and what a character takes of its width.
const LINE: usize = 16;
const CHARACTER: usize = 7;
/// Between blocks, around text, and between the lanes of ways.
const GAP: usize = 22;
const PAD: usize = 8;
const LANE: usize = 12;
/// From the top to the first block.
const HEAD: usize = 84;
/// Longest line in characters; longer ones are broken.
const WIDEST: usize = 118;
/// Instructions of a block up to which all are shown, and how many are shown at either end of a longer one.
const WHOLE: usize = 28;
const ENDS: usize = 5;

/// What a line of a block is.
#[derive(Clone, Copy, PartialEq)]
enum Mark {
    Plain,
    Access,
    Found,
    Refused,
    Quiet,
}

impl Mark {
    fn class(self) -> &'static str {
        match self {
            Self::Plain => "code",
            Self::Access => "code access",
            Self::Found => "code found",
            Self::Refused => "code refused",
            Self::Quiet => "code quiet",
        }
    }
}

/// A block as it is drawn.
struct Card {
    title: String,
    lines: Vec<(Mark, String)>,
    top: usize,
}

impl Card {
    fn height(&self) -> usize {
        (self.lines.len() + 1) * LINE + 2 * PAD
    }

    fn bottom(&self) -> usize {
        self.top + self.height()
    }
}

/// A way as it is drawn, from the bottom of one block to the top of another.
struct Way {
    from: usize,
    to: usize,
    label: String,
    class: &'static str,
}

/// Draws the graph.
pub(super) fn svg(name: &str, cfg: &Cfg, found: &Descriptors) -> anyhow::Result<String> {
    let count = cfg.blocks().len();
    if count > MOST_BLOCKS {
        let help = "choose a function, or look at `rayman shader descriptors`";
        return Err(Failure::new(format!("{count} blocks are too many for a picture of {MOST_BLOCKS}"), help).into());
    }
    let mut cards = Vec::new();
    let mut top = HEAD;
    for block in cfg.block_ids() {
        let card = card(cfg, found, block, top);
        top = card.bottom() + GAP;
        cards.push(card);
    }
    let (ahead, back): (Vec<_>, Vec<_>) = ways(cfg).into_iter().partition(|way| way.to > way.from);
    let (ahead, back) = (lanes(ahead), lanes(back));
    let lanes_of = |ways: &[(usize, Way)]| ways.iter().map(|(lane, _)| lane + 1).max().unwrap_or(0);
    let left = PAD + LANE * (lanes_of(&ahead) + 2);
    let longest = cards.iter().flat_map(|card| card.lines.iter().map(|(_, text)| text.chars().count()));
    let width = CHARACTER * longest.max().unwrap_or(0).max(60) + 3 * PAD;
    let whole = left + width + LANE * (lanes_of(&back) + 3) + PAD + 60;
    let mut document = Document::new()
        .set("viewBox", (0, 0, whole, top))
        .set("width", whole)
        .set("height", top)
        .add(Title::new(name))
        .add(Style::new(STYLE))
        .add(Definitions::new().add(arrow()));
    document = head(document, name, cfg, found);
    let masked = masked(cfg);
    for (number, card) in cards.iter().enumerate() {
        document = draw(document, cfg, number, card, (left, width), masked.contains(&number));
    }
    for (number, block) in cfg.block_ids().enumerate() {
        if goes_on(cfg, block) {
            let x = left + width / 2;
            let line = Line::new().set("x1", x).set("x2", x).set("y1", cards[number].bottom());
            document = document.add(line.set("y2", cards[number].bottom() + GAP - 2).set("class", "way next"));
        }
    }
    for (lane, way) in &ahead {
        let x = left - LANE * (lane + 2);
        document = bow(document, way, &cards, (left, x));
    }
    for (lane, way) in &back {
        let x = left + width + LANE * (lane + 2);
        document = bow(document, way, &cards, (left + width, x));
    }
    Ok(document.to_string())
}

const STYLE: &str = "text{font-family:sans-serif;font-size:12px;fill:#222}.title{font-size:16px;font-weight:bold}\
.code{font-family:ui-monospace,monospace;font-size:11px}.access{font-weight:bold}\
.found{fill:#2f7d4f}.refused{fill:#b0413e}.quiet{fill:#888}.box{fill:#fff;stroke:#777}.loop{stroke:#7b5ea7;stroke-width:2.5}\
.dead{fill:#eee;stroke-dasharray:4 3}.mask{fill:#e0b039}.way{fill:none;stroke:#777;stroke-width:1.4;marker-end:url(#arrow)}\
.taken{stroke:#4c78a8}.jump{stroke:#555}.back{stroke:#7b5ea7}.call{stroke:#e07b39}.label{font-size:10px;fill:#555}";

/// The tip of a way.
fn arrow() -> Marker {
    let tip = Path::new().set("d", "M0,0 L8,4 L0,8 z").set("fill", "#555");
    Marker::new()
        .set("id", "arrow")
        .set("viewBox", (0, 0, 8, 8))
        .set("refX", 7)
        .set("refY", 4)
        .set("markerWidth", 7)
        .set("markerHeight", 7)
        .set("orient", "auto")
        .add(tip)
}

/// A line of text, whose runs of spaces stay as they are.
fn words(x: usize, y: usize, class: &str, text: &str) -> Text {
    Text::new(text.replace("  ", "\u{a0}\u{a0}")).set("x", x).set("y", y).set("class", class)
}

/// Title and key.
fn head(document: Document, name: &str, cfg: &Cfg, found: &Descriptors) -> Document {
    let refused = found.accesses.iter().filter(|access| access.descriptor.source.is_err()).count();
    let counts = format!(
        "{} blocks, {} loops, {} accesses, {refused} refused",
        cfg.order().len(),
        cfg.heads().len(),
        found.accesses.len()
    );
    let key = "blue: branch taken, violet: way back to a loop's head, yellow bar: skipped where no lane is active, \
               grey: not reached";
    document.add(words(PAD, 26, "title", name)).add(words(PAD, 46, "", &counts)).add(words(PAD, 64, "label", key))
}

/// Blocks that some branch on EXEC skips.
fn masked(cfg: &Cfg) -> BTreeSet<usize> {
    let regions = cfg.mask_regions(&cfg.dominance());
    regions.iter().flat_map(|region| region.body.iter().map(|block| block.index())).collect()
}

/// Whether control goes on into the next block.
fn goes_on(cfg: &Cfg, block: BlockId) -> bool {
    let behind = |target| matches!(target, Target::Block(to) if to.index() == block.index() + 1);
    match cfg.block(block).exit {
        Exit::Next(target) | Exit::Branches { next: target, .. } => behind(target),
        Exit::Ends | Exit::Jumps(_) | Exit::Calls(_) | Exit::Computed => false,
    }
}

/// All ways but those into the next block.
fn ways(cfg: &Cfg) -> Vec<Way> {
    let mut ways = Vec::new();
    for block in cfg.block_ids() {
        let from = block.index();
        let mut add = |target, class, label: String| {
            if let Target::Block(to) = target {
                let class = if to.index() <= from { "way back" } else { class };
                ways.push(Way { from, to: to.index(), label, class });
            }
        };
        match cfg.block(block).exit {
            Exit::Ends | Exit::Computed => {}
            Exit::Next(_) if goes_on(cfg, block) => {}
            Exit::Next(target) => add(target, "way next", String::new()),
            Exit::Jumps(target) => add(target, "way jump", String::new()),
            Exit::Calls(target) => add(target, "way call", "call".into()),
            Exit::Branches { on, taken, .. } => add(taken, "way taken", format!("{on:?}").to_lowercase()),
        }
    }
    ways
}

/// Gives each way a lane in which no other passes the same blocks; short ways are near the blocks.
fn lanes(mut ways: Vec<Way>) -> Vec<(usize, Way)> {
    ways.sort_by_key(|way| (way.from.abs_diff(way.to), way.from));
    let mut taken: Vec<Vec<(usize, usize)>> = Vec::new();
    let place = |way: Way| {
        let (first, last) = (way.from.min(way.to), way.from.max(way.to));
        let is_free = |lane: &Vec<(usize, usize)>| lane.iter().all(|&(from, to)| last < from || to < first);
        let lane = taken.iter().position(is_free).unwrap_or_else(|| {
            taken.push(Vec::new());
            taken.len() - 1
        });
        taken[lane].push((first, last));
        (lane, way)
    };
    ways.into_iter().map(place).collect()
}

/// The lines of a block.
fn card(cfg: &Cfg, found: &Descriptors, block: BlockId, top: usize) -> Card {
    let inside = cfg.block(block);
    let mut title = format!("{block}: {:#x} to {:#x}", inside.start, inside.end);
    if cfg.is_head(block) {
        title += ", loop head";
    }
    if !cfg.is_reached(block) {
        title += ", not reached";
    }
    let accesses: BTreeMap<usize, _> = found.accesses.iter().map(|access| (access.instruction, access)).collect();
    let loads: BTreeSet<u64> = found
        .accesses
        .iter()
        .flat_map(|access| [Some(&access.descriptor), access.sampler.as_ref()])
        .flatten()
        .filter_map(|traced| traced.source.as_ref().ok())
        .flat_map(|found| found.loads.iter().copied())
        .collect();
    let (first, last) = (inside.instructions.start, inside.instructions.end);
    let mut lines = Vec::new();
    let mut left_out = 0;
    for index in inside.instructions.clone() {
        let instruction = &cfg.instructions()[index];
        let access = accesses.get(&index);
        let near = index < first + ENDS || index + ENDS >= last;
        let shown =
            inside.instructions.len() <= WHOLE || near || access.is_some() || loads.contains(&instruction.offset);
        if !shown {
            left_out += 1;
            continue;
        }
        if left_out > 0 {
            lines.push((Mark::Quiet, format!("        ... {left_out} more")));
            left_out = 0;
        }
        let mark = if access.is_some() { Mark::Access } else { Mark::Plain };
        broken(&mut lines, mark, &format!("{:<8}{instruction}", format!("{:#x}", instruction.offset)));
        if let Some(access) = access {
            let mut line = |traced: &Traced, what: &str| {
                let mark = if traced.source.is_ok() { Mark::Found } else { Mark::Refused };
                broken(
                    &mut lines,
                    mark,
                    &format!("        {what} {}: {}", registers(traced.registers), answer(traced)),
                );
            };
            line(&access.descriptor, access.kind.name());
            if let Some(sampler) = &access.sampler {
                line(sampler, "sampler");
            }
        }
    }
    let strays = cfg.irregularities().into_iter().filter(|one| (inside.start..inside.end).contains(&one.at()));
    for irregularity in strays.filter(|_| cfg.is_reached(block)) {
        let mark = if matches!(irregularity, Irregularity::Unnamed { .. }) { Mark::Quiet } else { Mark::Refused };
        broken(&mut lines, mark, &format!("        {irregularity}"));
    }
    Card { title, lines, top }
}

/// Adds a line, broken at spaces where it is too long.
fn broken(lines: &mut Vec<(Mark, String)>, mark: Mark, text: &str) {
    let mut line = String::new();
    for word in text.split_inclusive(' ') {
        if line.chars().count() + word.chars().count() > WIDEST && !line.trim().is_empty() {
            lines.push((mark, line.trim_end().to_owned()));
            line = " ".repeat(12);
        }
        line += word;
    }
    lines.push((mark, line.trim_end().to_owned()));
}

/// Draws a block.
fn draw(
    document: Document,
    cfg: &Cfg,
    number: usize,
    card: &Card,
    (left, width): (usize, usize),
    masked: bool,
) -> Document {
    let block = cfg.block_of(cfg.blocks()[number].instructions.start);
    let class = match (cfg.is_reached(block), cfg.is_head(block)) {
        (false, _) => "box dead",
        (true, true) => "box loop",
        (true, false) => "box",
    };
    let frame = Rectangle::new().set("x", left).set("y", card.top).set("width", width).set("height", card.height());
    let mut document = document.add(frame.set("rx", 4).set("class", class));
    if masked {
        let bar = Rectangle::new().set("x", left).set("y", card.top).set("width", 5).set("height", card.height());
        document = document.add(bar.set("class", "mask"));
    }
    let text = |line: usize| card.top + PAD + LINE * (line + 1) - 4;
    document = document.add(words(left + PAD + 4, text(0), "", &card.title));
    for (line, (mark, shown)) in card.lines.iter().enumerate() {
        document = document.add(words(left + PAD + 4, text(line + 1), mark.class(), shown));
    }
    document
}

/// Draws a way by a lane at `x`, from and to the blocks' edges at `edge`.
fn bow(document: Document, way: &Way, cards: &[Card], (edge, x): (usize, usize)) -> Document {
    let (start, end) = (cards[way.from].bottom() - 6, cards[way.to].top + 8);
    let path = format!("M{edge},{start} H{x} V{end} H{edge}");
    let document = document.add(Path::new().set("d", path).set("class", way.class));
    if way.label.is_empty() {
        return document;
    }
    let (at, anchor) = if x < edge { (edge - 4, "end") } else { (edge + 4, "start") };
    document.add(words(at, start - 3, "label", &way.label).set("text-anchor", anchor))
}
