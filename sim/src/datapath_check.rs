//! Datapaths as streams: the emitted Verilog in Verilator against the model, with random starts, stalls and resets.
//!
//! ```text
//!  random inputs, stalls, resets --+--> leaf (in-crate) --+-- handshake, clock by clock --+--> Tally
//!                                  +--> Verilator --------+                               |
//!                                  +--> model ------------------- results, in order ------+
//! ```
//!
//! What `cargo xtask datapath KERNEL --ii N --check COUNT` runs, and `tests/datapath.rs` with a smaller count.

use crate::verilated::block::{Sample, VerilatedBlock};
use crate::verilated::VerilatorError;
use rayman_model::random::Random;
use rayman_model::{Kernel, Kind, Port};
use rayman_rtl::datapath::kernels::{
    CameraStream, MaxStream, MinStream, PrimaryRayStream, ReciprocalSqrtStream, SelectStream, ShadeStream,
    SphereHitStream, SphereRadiusStream, ToColour8Stream, ToFx1_7Stream,
};
use rayman_rtl::datapath::StreamDatapath;
use rayman_rtl::emit::emit;
use rayman_rtl::step::{self, Oscillation};
use std::collections::VecDeque;

/// Clocks simulated at a time.
const BATCH: usize = 4096;
/// Differences that are described; the others are only counted.
const DESCRIBED: usize = 5;

/// A datapath could not be checked.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CheckError {
    /// Its Verilog is not legal, or cannot be built or run.
    #[error(transparent)]
    Verilator(#[from] VerilatorError),
    /// Its in-crate simulation does not come to rest.
    #[error(transparent)]
    Oscillation(#[from] Oscillation),
    /// There is none of this name.
    #[error("there is no datapath `{0}`; there are: {names}", names = KERNELS.map(|(name, _)| name).join(", "))]
    Unknown(String),
}

/// What a check found.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// Results that were offered with the model's bits.
    pub passed: u64,
    /// Results with other bits, and clocks in which a handshake or a held result was not as it must be.
    pub failed: u64,
    /// Clocks simulated.
    pub clocks: u64,
    /// Clocks in which a result was offered and not taken.
    pub stalled: u64,
    /// Resets in mid-flight.
    pub resets: u64,
    /// The first failures in words.
    pub differences: Vec<String>,
}

impl Tally {
    fn fail(&mut self, what: impl FnOnce() -> String) {
        self.failed += 1;
        if self.differences.len() < DESCRIBED {
            self.differences.push(what());
        }
    }
}

/// Checks a stream: the interval, how many results, the seed.
pub type Check = fn(u32, u64, u64) -> Result<Tally, CheckError>;

/// Datapaths by name: the core's, and the single operations.
pub const KERNELS: [(&str, Check); 11] = [
    ("sphere_radius", check::<SphereRadiusStream>),
    ("sphere_hit", check::<SphereHitStream>),
    ("shade", check::<ShadeStream>),
    ("primary_ray", check::<PrimaryRayStream>),
    ("camera", check::<CameraStream>),
    ("min", check::<MinStream>),
    ("max", check::<MaxStream>),
    ("select", check::<SelectStream>),
    ("to_fx1_7", check::<ToFx1_7Stream>),
    ("to_colour8", check::<ToColour8Stream>),
    ("reciprocal_sqrt", check::<ReciprocalSqrtStream>),
];

/// Checks one of [`KERNELS`].
pub fn check_named(name: &str, interval: u32, wanted: u64, seed: u64) -> Result<Tally, CheckError> {
    match KERNELS.iter().find(|(known, _)| *known == name) {
        Some((_, check)) => check(interval, wanted, seed),
        None => Err(CheckError::Unknown(name.into())),
    }
}

/// A value for a port: any bits, or such as a picture has.
pub fn port_bits(port: &Port, plausible: bool, random: &mut Random) -> u32 {
    let wide = random.one_in(2);
    let mut between = |low, high| random.between(low, high).to_bits();
    match (port.kind, plausible) {
        (Kind::Flag, _) => random.below(2),
        (Kind::Float, false) => random.float_bits(),
        (Kind::Float, true) => match port.name {
            "radius_squared" => between(0.01, 30.0),
            "radius_inverse" | "radius" => between(0.15, 5.0),
            "fov_degrees" => between(1.0, 179.0),
            "distance" => between(0.0, 20.0),
            "weight" => between(0.0, 1.0),
            // The single operations: about the range of a share.
            "a" | "b" => between(-0.5, 1.5),
            name if name.starts_with("direction") || name.starts_with("forward") => between(-1.0, 1.0),
            name if name.starts_with("right") || name.starts_with("up") => between(-0.01, 0.01),
            name if name.starts_with("accumulated") => between(0.0, 255.0),
            name if name.starts_with("centre_") && wide => between(0.0, 320.0),
            _ => between(-8.0, 8.0),
        },
        (Kind::Word, true) if port.name.starts_with("material") => {
            u32::from_le_bytes([0; 4].map(|_| random.below(0x81) as u8))
        }
        (Kind::Word, _) => random.next_u32() >> random.below(32),
    }
}

/// Inputs of a kernel and, after them, a tag.
pub fn random_inputs<K: Kernel>(random: &mut Random) -> Vec<u32> {
    let plausible = random.one_in(2);
    let mut inputs: Vec<_> = K::INPUTS.iter().map(|port| port_bits(port, plausible, random)).collect();
    inputs.push(random.next_u32());
    inputs
}

/// What stands on a stream's outputs in a clock.
struct Shown {
    in_ready: bool,
    out_valid: bool,
    outputs: Vec<u32>,
    /// What the model offers, and whether it does so for the first time.
    due: Option<(Vec<u32>, bool)>,
}

/// Runs until `wanted` results were compared.
pub fn check<S: StreamDatapath>(interval: u32, wanted: u64, seed: u64) -> Result<Tally, CheckError> {
    let name = S::Kernel::NAME;
    let mut leaf = S::with_interval(interval);
    leaf.connect_all();
    let verilog = emit(&leaf, name).map_err(VerilatorError::from)?;
    let mut verilated = VerilatedBlock::build(&verilog, name)?;
    let width = verilated.outputs().count();
    // The order of a row is that of the ports: reset_n, in_valid, inputs, tag, out_ready; in_ready, out_valid, outputs.
    let mut random = Random::for_test(&format!("stream {name} {interval}"), seed);
    let random = &mut random;
    let mut inputs = vec![0; S::Kernel::INPUTS.len() + 1];
    let mut under_way: VecDeque<Vec<u32>> = VecDeque::new();
    let mut tally = Tally::default();
    let (mut busy, mut willing) = (4, 4);
    while tally.passed + tally.failed < wanted {
        let mut rows = Vec::new();
        let mut shown = Vec::new();
        for _ in 0..BATCH {
            if random.one_in(300) {
                busy = random.below(6).min(4);
            }
            if random.one_in(300) {
                willing = random.below(6).min(4);
            }
            let in_valid = random.below(4) < busy;
            let out_ready = random.below(4) < willing;
            let reset_n = tally.clocks > 0 && !random.one_in(4000);
            if in_valid || random.one_in(4) {
                inputs = random_inputs::<S::Kernel>(random);
            }
            let (in_ready, out_valid, _) = leaf.answer();
            let mut held = false;
            if !reset_n {
                under_way.clear();
                tally.resets += 1;
            } else {
                held = out_valid && !out_ready;
                tally.stalled += u64::from(held);
                if out_valid && out_ready {
                    under_way.pop_front();
                }
                if in_valid && in_ready {
                    let mut outputs = S::Kernel::words(&inputs);
                    outputs.extend(inputs.last());
                    under_way.push_back(outputs);
                }
            }
            leaf.drive(reset_n, in_valid, out_ready, &inputs);
            step::clock(&mut leaf, |leaf, level| leaf.set_clock(level))?;
            rows.extend([u64::from(reset_n), u64::from(in_valid)]);
            rows.extend(inputs.iter().map(|word| u64::from(*word)));
            rows.push(out_ready.into());
            tally.clocks += 1;
            let (in_ready, out_valid, outputs) = leaf.answer();
            // Nothing may be offered that is not under way; a leaf that does so is found below.
            let due = if out_valid { under_way.front().map(|outputs| (outputs.clone(), !held)) } else { None };
            shown.push(Shown { in_ready, out_valid, outputs, due });
        }
        let rows = verilated.run(&rows, Sample::AfterEdge)?;
        let first = tally.clocks - BATCH as u64 + 1;
        for (n, (row, shown)) in rows.chunks(width).zip(&shown).enumerate() {
            compare(row, shown, &format!("{name} at interval {interval}, clock {}", first + n as u64), &mut tally);
        }
    }
    Ok(tally)
}

/// A clock of Verilator's and one of the leaf's.
fn compare(row: &[u64], shown: &Shown, clock: &str, tally: &mut Tally) {
    let (in_ready, out_valid) = (row[0] != 0, row[1] != 0);
    if (in_ready, out_valid) != (shown.in_ready, shown.out_valid) {
        tally.fail(|| {
            format!(
                "{clock}: Verilator has in_ready {in_ready}, out_valid {out_valid}, the leaf {}, {}",
                shown.in_ready, shown.out_valid
            )
        });
        return;
    }
    if !out_valid {
        return;
    }
    let outputs: Vec<u32> = row[2..].iter().map(|value| *value as u32).collect();
    match &shown.due {
        Some((due, fresh)) if *due == outputs && *due == shown.outputs => tally.passed += u64::from(*fresh),
        due => tally.fail(|| {
            let due = due.as_ref().map(|(due, _)| due);
            format!("{clock}: Verilator has {outputs:x?}, the leaf {:x?}, the model {due:x?}", shown.outputs)
        }),
    }
}
