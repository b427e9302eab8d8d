//! A schedule as a picture (SVG): rows are units, columns are clocks, boxes are operations.
//!
//! ```text
//!  unit       | 0   1   2   3   4 ...   latency          | phase 0  1  2 ... | used
//!  fp_mul_0   | [12]-----------=                         |     [12]    [30]  | 50 %
//! ```
//!
//! A box stands in the clock in which its operation reads its operands, with the node's number; the bar behind it lasts
//! until the result is on its wire. Lines mark the rounds of the interval. At an interval above 1 the round, folded, stands
//! beside it. What a box is, with its clocks, is its title, which browsers show.

use super::block::Folded;
use super::verilog::unit_names;
use crate::fp::FpOperator;
use std::fmt::Write;

/// Width of a clock.
const CLOCK: u32 = 16;
/// Height of a row.
const ROW: u32 = 18;
/// Width of the units' names.
const NAMES: u32 = 170;
/// Height of title, key and axis.
const HEAD: u32 = 74;
/// Between the panels and at the edges.
const GAP: u32 = 24;

/// Fill of an operator's boxes.
fn colour(operator: FpOperator) -> &'static str {
    match operator {
        FpOperator::Add => "#4c78a8",
        FpOperator::Sub => "#72a0cf",
        FpOperator::Mul => "#e07b39",
        FpOperator::Div => "#b0413e",
        FpOperator::Sqrt => "#7b5ea7",
        FpOperator::Lt | FpOperator::Le | FpOperator::Eq => "#5a9e6f",
        FpOperator::IntToFloat | FpOperator::FloatToInt => "#8c7a5b",
    }
}

/// Draws a design's schedule.
pub fn svg(design: &Folded) -> String {
    Picture { design, text: String::new() }.draw()
}

struct Picture<'a> {
    design: &'a Folded,
    text: String,
}

impl Picture<'_> {
    fn put(&mut self, text: std::fmt::Arguments<'_>) {
        self.text.write_fmt(text).expect("a string takes it");
        self.text.push('\n');
    }

    fn label(&mut self, x: u32, y: u32, class: &str, text: &str) {
        self.put(format_args!(r#"<text x="{x}" y="{y}" class="{class}">{text}</text>"#));
    }

    fn rows(&self) -> u32 {
        self.design.schedule.units.len() as u32
    }

    /// Where the folded round begins.
    fn round_at(&self) -> u32 {
        NAMES + CLOCK * (self.design.latency() + 1) + GAP
    }

    fn draw(mut self) -> String {
        let (interval, latency, name) = (self.design.interval(), self.design.latency(), &self.design.graph.name);
        let title = format!("{name}: a start every {interval} clocks, latency {latency}");
        let round = if interval > 1 { CLOCK * interval + GAP } else { 0 };
        let (width, height) = (self.round_at() + round + 60, HEAD + ROW * self.rows() + GAP);
        self.put(format_args!(
            r#"<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" role="img">"#
        ));
        self.put(format_args!("<title>{title}</title>"));
        self.text.push_str(
            "<style>text{font-family:sans-serif;font-size:11px;fill:#222}.title{font-size:16px;font-weight:bold}\
             .name{text-anchor:end}.tick{text-anchor:middle;font-size:9px;fill:#555}\
             .node{text-anchor:middle;font-size:8px;fill:#fff}</style>\n",
        );
        self.put(format_args!(r##"<rect width="{width}" height="{height}" fill="#fff"/>"##));
        self.label(GAP, 22, "title", &title);
        self.key();
        self.grid(NAMES, latency + 1, "clock");
        if interval > 1 {
            self.grid(self.round_at(), interval, "phase");
        }
        for (row, name) in unit_names(&self.design.graph, &self.design.schedule).iter().enumerate() {
            self.unit(row, name);
        }
        self.text.push_str("</svg>\n");
        self.text
    }

    /// Which colour is which operator.
    fn key(&mut self) {
        let mut used: Vec<_> = self.design.schedule.units.iter().map(|unit| unit.operator).collect();
        used.sort_unstable();
        used.dedup();
        let mut x = GAP;
        for operator in used {
            let (fill, name) = (colour(operator), operator.module_name());
            self.put(format_args!(r#"<rect x="{x}" y="34" width="10" height="10" fill="{fill}"/>"#));
            self.label(x + 14, 43, "key", name);
            x += 26 + 7 * name.len() as u32;
        }
    }

    /// Columns from `x` on, their numbers above, a line at each round.
    fn grid(&mut self, x: u32, clocks: u32, what: &str) {
        let bottom = HEAD + ROW * self.rows();
        let step = if clocks > 40 { 5 } else { 1 };
        self.label(x, HEAD - 16, "key", what);
        for clock in 0..clocks {
            let at = x + CLOCK * clock;
            if clock % step == 0 {
                self.label(at + CLOCK / 2, HEAD - 4, "tick", &clock.to_string());
            }
            let interval = self.design.interval();
            if clock % interval == 0 && (interval > 1 || clock % step == 0) {
                self.put(format_args!(r##"<path d="M{at} {HEAD}V{bottom}" stroke="#bbb"/>"##));
            }
        }
        let end = x + CLOCK * clocks;
        self.put(format_args!(r##"<path d="M{end} {HEAD}V{bottom}" stroke="#bbb"/>"##));
    }

    fn unit(&mut self, row: usize, name: &str) {
        let (graph, schedule) = (&self.design.graph, &self.design.schedule);
        let interval = schedule.interval;
        let y = HEAD + ROW * row as u32;
        let unit = schedule.units[row].clone();
        // Everything that is drawn, before anything is.
        let boxes: Vec<_> = unit
            .operations
            .iter()
            .map(|operation| {
                let id = operation.node;
                let node = &graph.nodes[id];
                let args: Vec<_> = node.args().iter().map(|arg| format!("n{arg}")).collect();
                let operator = match node.op {
                    super::graph::Op::Operator(operator) => operator,
                    _ => unit.operator,
                };
                let (issue, ready) = (schedule.issue[id], schedule.ready[id]);
                let what = format!(
                    "n{id} = {} ({}), reads in clock {issue}, is ready in clock {ready}",
                    operator.module_name(),
                    args.join(", ")
                );
                (id, operator, issue, ready, what)
            })
            .collect();
        if row.is_multiple_of(2) {
            let width = CLOCK * (schedule.latency + 1);
            self.put(format_args!(
                r##"<rect x="{NAMES}" y="{y}" width="{width}" height="{ROW}" fill="#888" fill-opacity="0.08"/>"##
            ));
        }
        self.label(NAMES - 8, y + 13, "name", name);
        for (_, operator, issue, ready, _) in &boxes {
            let (x, width) = (NAMES + CLOCK * issue, CLOCK * (ready - issue));
            let (top, fill) = (y + 6, colour(*operator));
            self.put(format_args!(
                r#"<rect x="{x}" y="{top}" width="{width}" height="6" fill="{fill}" fill-opacity="0.3"/>"#
            ));
        }
        let round_at = self.round_at();
        for (id, operator, issue, _, what) in &boxes {
            self.operation(NAMES + CLOCK * issue, y, *id, *operator, what);
            if interval > 1 {
                self.operation(round_at + CLOCK * (issue % interval), y, *id, *operator, what);
            }
        }
        if interval > 1 {
            let used = 100 * boxes.len() as u32 / interval;
            self.label(round_at + CLOCK * interval + 8, y + 13, "used", &format!("{used} %"));
        }
    }

    fn operation(&mut self, x: u32, y: u32, id: usize, operator: FpOperator, what: &str) {
        let (left, top, width, height) = (x + 1, y + 2, CLOCK - 2, ROW - 4);
        let (fill, middle, base) = (colour(operator), x + CLOCK / 2, y + 12);
        self.put(format_args!(
            r#"<g><title>{what}</title><rect x="{left}" y="{top}" width="{width}" height="{height}" rx="2" fill="{fill}"/><text x="{middle}" y="{base}" class="node">{id}</text></g>"#
        ));
    }
}
