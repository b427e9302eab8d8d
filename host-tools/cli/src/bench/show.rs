//! Rows as text, Markdown or JSON.

use std::io::Write;

use serde_json::Value;

use super::rows::{Datapath, Frame, Row};
use crate::report::grouped;

/// How the result is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Tables for a terminal.
    Text,
    /// The same tables in Markdown.
    Markdown,
    /// A list of objects.
    Json,
}

/// A table: its head, and rows as long as it.
struct Table {
    head: Vec<String>,
    /// Columns from here on hold numbers and stand to the right.
    numbers_from: usize,
    rows: Vec<Vec<String>>,
}

impl Table {
    fn write(&self, form: Form, out: &mut dyn Write) -> std::io::Result<()> {
        let width = |column: usize| {
            let cells = self.rows.iter().map(|row| row[column].len());
            cells.max().unwrap_or(0).max(self.head[column].len())
        };
        let widths: Vec<_> = (0..self.head.len()).map(width).collect();
        let mut line = |cells: &mut dyn Iterator<Item = &str>| {
            let cells = cells.zip(&widths).enumerate().map(|(column, (cell, &width))| {
                if column < self.numbers_from {
                    format!("{cell:<width$}")
                } else {
                    format!("{cell:>width$}")
                }
            });
            let cells: Vec<_> = cells.collect();
            match form {
                Form::Markdown => writeln!(out, "| {} |", cells.join(" | ")),
                _ => writeln!(out, "{}", cells.join("  ").trim_end()),
            }
        };
        line(&mut self.head.iter().map(String::as_str))?;
        if form == Form::Markdown {
            let rules = (0..self.head.len()).map(|column| if column < self.numbers_from { "---" } else { "---:" });
            line(&mut rules.collect::<Vec<_>>().into_iter())?;
        }
        for row in &self.rows {
            line(&mut row.iter().map(String::as_str))?;
        }
        Ok(())
    }
}

/// A table's head.
fn head(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

/// A number with decimals, or that there is none.
fn decimal(value: Option<f64>, decimals: usize) -> String {
    value.map_or("-".into(), |value| format!("{value:.decimals$}"))
}

/// A whole number, or that there is none.
fn rounded(value: Option<f64>) -> String {
    value.map_or("-".into(), |value| grouped(value.round() as u64))
}

/// Clocks that memory takes to answer.
fn latency(frame: &Frame) -> String {
    frame.memory_latency.map_or("-".into(), |latency| latency.to_string())
}

/// Share of all slots.
fn share(count: u64, all: u64) -> String {
    format!("{:.1} %", 100.0 * count as f64 / all.max(1) as f64)
}

fn datapaths(rows: &[&Datapath]) -> Table {
    let row = |datapath: &&Datapath| {
        let Datapath { run, took } = **datapath;
        vec![
            "sphere_hit alone, in-crate".into(),
            grouped(run.clocks),
            rounded(took.rate(run.clocks)),
            format!("{:.2}", took.wall.as_secs_f64()),
            format!("{:.2}", took.processor.as_secs_f64()),
        ]
    };
    Table {
        head: head(&["datapath", "clocks, a test each", "clocks/s", "seconds", "processor s"]),
        numbers_from: 1,
        rows: rows.iter().map(row).collect(),
    }
}

fn frames(rows: &[&Frame]) -> Table {
    // All rows of a run have the same.
    let rays = rows.first().map_or("rays/s".into(), |frame| format!("rays/s at {} MHz", frame.mhz));
    let row = |frame: &&Frame| {
        vec![
            frame.workload.name.clone(),
            frame.device.to_string(),
            frame.lanes.to_string(),
            latency(frame),
            format!("{}x{}", frame.screen.width, frame.screen.height),
            grouped(frame.spheres as u64),
            frame.slots.map_or("-".into(), |slots| grouped(slots.cycles)),
            grouped(frame.rays),
            grouped(frame.tests),
            decimal(frame.tests_a_clock(), 3),
            rounded(frame.rays_per_second()),
            decimal(frame.bus_bytes_a_ray(), 2),
            rounded(frame.slots.and_then(|slots| frame.took.rate(slots.cycles))),
            rounded(frame.took.rate(frame.tests)),
            format!("{:.2}", frame.took.wall.as_secs_f64()),
            format!("{:.2}", frame.took.processor.as_secs_f64()),
        ]
    };
    Table {
        head: head(&[
            "scene",
            "device",
            "lanes",
            "latency",
            "size",
            "spheres",
            "cycles",
            "rays",
            "tests",
            "tests/clock",
            &rays,
            "bus bytes/ray",
            "clocks/s",
            "tests/s",
            "seconds",
            "processor s",
        ]),
        numbers_from: 2,
        rows: rows.iter().map(row).collect(),
    }
}

/// Where the slots went, of frames that have any.
fn slots(rows: &[&Frame]) -> Table {
    let row = |frame: &&Frame| {
        let (slots, all) = (frame.slots?, frame.all_slots()?);
        let sum = slots.sum();
        let verdict = if sum == all { "= " } else { "DIFFERS from " };
        let parts = [slots.used, slots.dead, slots.lost_rays, slots.lost_spheres, slots.lost_shader, slots.lost_output];
        let mut cells = vec![
            frame.workload.name.clone(),
            frame.device.to_string(),
            frame.lanes.to_string(),
            latency(frame),
            share(slots.used, all),
        ];
        cells.extend(parts.map(grouped));
        cells.push(grouped(sum));
        cells.push(format!("{verdict}{} x {}", grouped(slots.cycles), frame.lanes));
        Some(cells)
    };
    Table {
        head: head(&[
            "scene",
            "device",
            "lanes",
            "latency",
            "use",
            "used",
            "dead",
            "no ray",
            "no sphere",
            "shader",
            "output",
            "sum",
            "cycles x lanes",
        ]),
        numbers_from: 2,
        rows: rows.iter().filter_map(row).collect(),
    }
}

/// Writes the rows.
pub fn rows(rows: &[Row], form: Form, out: &mut dyn Write) -> anyhow::Result<()> {
    if form == Form::Json {
        let list: Vec<Value> = rows.iter().map(Row::json).collect();
        serde_json::to_writer_pretty(&mut *out, &list)?;
        writeln!(out)?;
        return Ok(());
    }
    let (mut alone, mut rendered) = (Vec::new(), Vec::new());
    for row in rows {
        match row {
            Row::Datapath(datapath) => alone.push(datapath),
            Row::Frame(frame) => rendered.push(frame),
        }
    }
    let tables = [datapaths(&alone), frames(&rendered), slots(&rendered)];
    let mut separator = "";
    for table in tables.iter().filter(|table| !table.rows.is_empty()) {
        write!(out, "{separator}")?;
        table.write(form, out)?;
        separator = "\n";
    }
    // Where each scene comes from, for whoever wants it again.
    let mut seeds: Vec<_> = rendered.iter().filter_map(|frame| frame.workload.seed).collect();
    seeds.dedup();
    for seed in seeds {
        writeln!(out, "{separator}random-N: N spheres made from seed {seed}.")?;
    }
    out.flush()?;
    Ok(())
}
