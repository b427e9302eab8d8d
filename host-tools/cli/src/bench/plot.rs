//! How much of the intersector's slots is used, against the number of spheres, as a picture (SVG).
//!
//! ```text
//!  slot use, %   100 |            ____o-------o   1 lane
//!                 80 |     o-----/   ____-----o   3 lanes
//!                    |   /     o----/
//!                  0 +---+-----+------+-------+
//!                        3     8      16      100   spheres of a made scene, a logarithmic axis
//! ```
//!
//! A line a core: its kind, its lanes, its memory's latency. What a point is, with its numbers, is its title, which browsers
//! show.

use std::fmt::Write;

use super::rows::{Frame, Row};
use crate::report::grouped;

/// Size of the picture.
const WIDTH: f64 = 840.0;
const HEIGHT: f64 = 440.0;
/// The plot's edges within it.
const LEFT: f64 = 64.0;
const RIGHT: f64 = 560.0;
const TOP: f64 = 64.0;
const BOTTOM: f64 = 376.0;
/// From an edge to the first and last number of spheres.
const INSET: f64 = 24.0;
/// Two numbers below the axis are at least so far apart, or the second is left out.
const APART: f64 = 30.0;
/// Between lines of text.
const LINE: f64 = 20.0;

/// Colours of the lines, in turn.
const COLOURS: [&str; 6] = ["#4c78a8", "#e07b39", "#5a9e6f", "#b0413e", "#7b5ea7", "#8c7a5b"];

/// What a line is drawn for: frames of the same core.
struct Line<'a> {
    first: &'a Frame,
    /// By ascending number of spheres.
    frames: Vec<&'a Frame>,
}

fn same_core(a: &Frame, b: &Frame) -> bool {
    (a.device, a.lanes, a.memory_latency) == (b.device, b.lanes, b.memory_latency)
}

/// The lines of the made scenes on devices with slots.
fn lines(rows: &[Row]) -> Vec<Line<'_>> {
    let mut lines: Vec<Line<'_>> = Vec::new();
    for row in rows {
        let Row::Frame(frame) = row else { continue };
        if frame.workload.seed.is_none() || frame.slots.is_none() {
            continue;
        }
        match lines.iter_mut().find(|line| same_core(line.first, frame)) {
            Some(line) => line.frames.push(frame),
            None => lines.push(Line { first: frame, frames: vec![frame] }),
        }
    }
    for line in &mut lines {
        line.frames.sort_by_key(|frame| frame.spheres);
    }
    lines
}

/// The words for a number of lanes.
fn lanes(frame: &Frame) -> String {
    format!("{} lane{}", frame.lanes, if frame.lanes == 1 { "" } else { "s" })
}

/// The words for a memory's latency.
fn latency(frame: &Frame) -> String {
    frame.memory_latency.map_or(String::new(), |latency| format!("latency {latency}"))
}

/// Draws the rows' made scenes.
pub fn svg(rows: &[Row]) -> String {
    let lines = lines(rows);
    let mut numbers: Vec<_> = lines.iter().flat_map(|line| line.frames.iter().map(|frame| frame.spheres)).collect();
    numbers.sort_unstable();
    numbers.dedup();
    let mut picture = Picture { text: String::new(), numbers };
    picture.frame(&lines);
    picture.axes();
    for (index, line) in lines.iter().enumerate() {
        picture.line(index, line, &lines);
    }
    picture.text.push_str("</svg>\n");
    picture.text
}

struct Picture {
    text: String,
    /// The numbers of spheres, each once, ascending.
    numbers: Vec<usize>,
}

impl Picture {
    fn put(&mut self, text: std::fmt::Arguments<'_>) {
        // Writing to a String cannot fail.
        let _ = writeln!(self.text, "{text}");
    }

    fn label(&mut self, x: f64, y: f64, class: &str, text: &str) {
        self.put(format_args!(r#"<text x="{x:.1}" y="{y:.1}" class="{class}">{text}</text>"#));
    }

    /// Where a number of spheres is.
    fn x(&self, spheres: usize) -> f64 {
        let (first, last) = (self.numbers.first().copied(), self.numbers.last().copied());
        let logarithm = |number: Option<usize>| (number.unwrap_or(1).max(1) as f64).ln();
        let (low, high) = (logarithm(first), logarithm(last));
        let share = if high > low { (logarithm(Some(spheres)) - low) / (high - low) } else { 0.5 };
        LEFT + INSET + share * (RIGHT - LEFT - 2.0 * INSET)
    }

    /// Where a slot use, 0 to 1, is.
    fn y(slot_use: f64) -> f64 {
        BOTTOM - slot_use * (BOTTOM - TOP)
    }

    /// Ground, title, and below it what all lines have in common.
    fn frame(&mut self, lines: &[Line<'_>]) {
        self.put(format_args!(
            r#"<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" viewBox="0 0 {WIDTH} {HEIGHT}" role="img">"#
        ));
        let title = "Share of the intersector's slots that is used";
        self.put(format_args!("<title>{title}</title>"));
        self.text.push_str(
            "<style>text{font-family:sans-serif;font-size:12px;fill:#222}.title{font-size:16px;font-weight:bold}\
             .below{text-anchor:middle}.beside{text-anchor:end}.common{fill:#555}</style>\n",
        );
        self.put(format_args!(r##"<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>"##));
        self.label(LEFT, 26.0, "title", title);
        let Some(Line { first, .. }) = lines.first() else { return };
        let mut common = Vec::new();
        if lines.iter().all(|line| line.first.device == first.device) {
            common.push(first.device.to_string());
        }
        if lines.iter().all(|line| line.first.memory_latency == first.memory_latency) {
            common.push(latency(first));
        }
        let shadows = if first.shadows { "shadows" } else { "no shadows" };
        common.push(format!("{shadows}, reflections {} deep", first.reflections));
        self.label(LEFT, 26.0 + LINE, "common", &common.join("; "));
    }

    fn axes(&mut self) {
        for percent in (0..=100).step_by(20) {
            let y = Self::y(f64::from(percent) / 100.0);
            self.put(format_args!(r##"<path d="M{LEFT} {y:.1}H{RIGHT}" stroke="#ccc"/>"##));
            self.label(LEFT - 8.0, y + 4.0, "beside", &format!("{percent} %"));
        }
        let mut free_from = 0.0;
        for spheres in self.numbers.clone() {
            let (x, end) = (self.x(spheres), BOTTOM + 5.0);
            self.put(format_args!(r##"<path d="M{x:.1} {BOTTOM}V{end}" stroke="#555"/>"##));
            if x >= free_from {
                self.label(x, BOTTOM + LINE, "below", &grouped(spheres as u64));
                free_from = x + APART;
            }
        }
        self.put(format_args!(r##"<path d="M{LEFT} {BOTTOM}H{RIGHT}" stroke="#555"/>"##));
        self.label((LEFT + RIGHT) / 2.0, BOTTOM + 2.0 * LINE, "below", "spheres of a made scene (logarithmic)");
    }

    /// A line and its points, and its name in the key.
    fn line(&mut self, index: usize, line: &Line<'_>, lines: &[Line<'_>]) {
        let colour = COLOURS[index % COLOURS.len()];
        let points: Vec<_> = line
            .frames
            .iter()
            .filter_map(|frame| Some((*frame, self.x(frame.spheres), Self::y(frame.slot_use()?))))
            .collect();
        let path: Vec<_> = points.iter().map(|(_, x, y)| format!("{x:.1},{y:.1}")).collect();
        let path = path.join(" ");
        self.put(format_args!(r#"<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>"#));
        for (frame, x, y) in &points {
            let slot_use = 100.0 * frame.slot_use().unwrap_or(0.0);
            let (name, lanes) = (&frame.workload.name, lanes(frame));
            self.put(format_args!(
                r#"<circle cx="{x:.1}" cy="{y:.1}" r="3.5" fill="{colour}"><title>{name}, {lanes}: {slot_use:.1} %</title></circle>"#
            ));
        }

        let first = line.first;
        let mut name = vec![lanes(first)];
        if lines.iter().any(|other| other.first.device != first.device) {
            name.push(first.device.to_string());
        }
        if lines.iter().any(|other| other.first.memory_latency != first.memory_latency) {
            name.push(latency(first));
        }
        let (start, y) = (RIGHT + 16.0, TOP + 8.0 + LINE * index as f64);
        let (end, middle) = (start + 20.0, y - 4.0);
        self.put(format_args!(r#"<path d="M{start} {middle}H{end}" stroke="{colour}" stroke-width="2"/>"#));
        self.label(end + 8.0, y, "key", &name.join(", "));
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use rayman_driver::Screen;

    use super::super::rows::{Slots, Workload};
    use super::super::Took;
    use super::*;
    use crate::device::DeviceKind;

    fn row(device: DeviceKind, lanes: u32, spheres: usize, used: u64, made: bool) -> Row {
        let slots = Slots { cycles: 100, used, ..Slots::default() };
        Row::Frame(Frame {
            workload: Workload { name: format!("random-{spheres}"), seed: made.then_some(1) },
            device,
            screen: Screen { width: 4, height: 3 },
            reflections: 3,
            shadows: true,
            lanes,
            spheres,
            memory_latency: (device != DeviceKind::Model).then_some(40),
            rays: 8,
            tests: 40,
            slots: (device != DeviceKind::Model).then_some(slots),
            bus: None,
            mhz: 100.0,
            took: Took { wall: Duration::ZERO, processor: Duration::ZERO },
        })
    }

    /// The numbers of a point list.
    fn points(polyline: &str) -> Vec<(f64, f64)> {
        let list = polyline.split('"').nth(1).unwrap();
        let point = |point: &str| {
            let (x, y) = point.split_once(',').unwrap();
            (x.parse().unwrap(), y.parse().unwrap())
        };
        list.split(' ').map(point).collect()
    }

    #[test]
    fn a_line_a_core_through_its_made_scenes() {
        let rows = [
            row(DeviceKind::Rtl, 1, 100, 100, true),
            row(DeviceKind::Rtl, 1, 3, 50, true),
            row(DeviceKind::Rtl, 2, 3, 50, true),
            row(DeviceKind::Rtl, 1, 10, 75, true),
            row(DeviceKind::Rtl, 2, 100, 200, true),
            row(DeviceKind::Model, 1, 3, 9, true),
            row(DeviceKind::Rtl, 1, 7, 9, false),
        ];
        let text = svg(&rows);
        let lines: Vec<_> = text.lines().filter(|line| line.starts_with("<polyline")).map(points).collect();
        let [one, two] = &lines[..] else { panic!("{text}") };
        assert_eq!((one.len(), two.len()), (3, 2), "neither the model nor a file is drawn");
        assert!(one.windows(2).all(|pair| pair[0].0 < pair[1].0 && pair[0].1 > pair[1].1), "{one:?}");
        assert_eq!((one[0].1, one[2].1), (Picture::y(0.5).round(), TOP));
        // Two lanes have twice the slots.
        assert_eq!((two[0].1, two[1].1), (Picture::y(0.25).round(), TOP));
        assert_eq!((one[0].0, two[0].0), (LEFT + INSET, LEFT + INSET));
        for part in ["1 lane<", "2 lanes<", "rtl; latency 40; shadows, reflections 3 deep", "random-10, 1 lane: 75.0 %"]
        {
            assert!(text.contains(part), "{part} in {text}");
        }
        // Well-formed as far as that can be told without a parser.
        assert!(text.starts_with("<svg ") && text.ends_with("</svg>\n"), "{text}");
        for tag in ["title", "text", "circle", "style", "svg"] {
            let (open, closed) = (text.matches(&format!("<{tag}")).count(), text.matches(&format!("</{tag}>")).count());
            assert_eq!(open, closed, "{tag}");
        }
    }

    #[test]
    fn what_differs_is_in_the_key_and_crowded_numbers_are_left_out() {
        let rows = [
            row(DeviceKind::Rtl, 1, 3, 50, true),
            row(DeviceKind::Verilator, 1, 3, 60, true),
            row(DeviceKind::Rtl, 1, 1000, 50, true),
            row(DeviceKind::Rtl, 1, 1001, 50, true),
        ];
        let text = svg(&rows);
        for part in [">1 lane, rtl<", ">1 lane, verilator<", ">1,000<"] {
            assert!(text.contains(part), "{part} in {text}");
        }
        assert!(!text.contains(">1,001<"), "{text}");
        // A single number of spheres is in the middle; no row at all is an empty plot.
        let alone = svg(&rows[..1]);
        let middle = format!(r#"points="{:.1},"#, (LEFT + RIGHT) / 2.0);
        assert!(alone.contains(&middle), "{alone}");
        assert!(!svg(&[]).contains("<polyline"));
    }
}
