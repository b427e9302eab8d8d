//! The in-crate simulation of one datapath, with nothing around it: how fast the simulator itself is.
//!
//! ```text
//!  clock 0, 1, 2, ...          rays and spheres, a start a clock --> [ sphere_hit, interval 1 ] --> done, hits counted
//! ```
//!
//! What is simulated does not depend on the machine: as many clocks give as many tests and as many hits everywhere.

use crate::random::Random;
use rayman_rtl::datapath::kernels::{SphereHit, SPHERE_HIT_INTERVAL};
use rayman_rtl::step::{clock, Oscillation};
use rust_hdl_core::prelude::{Bits, Block};

/// Sets of inputs, used in turn.
const STIMULI: usize = 256;
/// Where they come from.
const SEED: u64 = 1;

/// What a run did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Run {
    /// Clocks simulated.
    pub clocks: u64,
    /// Tests whose result came out: one a clock, less those still under way at the end.
    pub tests: u64,
    /// Tests that hit.
    pub hits: u64,
}

/// A ray and a sphere: origin, direction, centre, squared and inverse radius.
struct Stimulus {
    words: [Bits<32>; 11],
    own: bool,
    inside: bool,
}

fn word(value: f32) -> Bits<32> {
    u64::from(value.to_bits()).into()
}

/// Rays from near the origin along an axis or aslant, and spheres of which about half are met.
fn stimulus(random: &mut Random) -> Stimulus {
    // Multiples of 1/64 within -1..1.
    let mut small = || (random.below(129) as f32 - 64.0) / 64.0;
    let origin = [small(), small(), small()];
    // Of unit length: (3, 4, 0) / 5 and (0, 0, 1) in any order and with any signs.
    let direction = if small() < 0.0 { [0.6, 0.0, 0.8f32.copysign(small())] } else { [0.0, 0.0, 1.0] };
    let away = 4.0 + small();
    let centre = direction.map(|part| part * away + small());
    let radius = 1.0 + small() / 2.0;
    let mut words = [Bits::default(); 11];
    let values = origin.into_iter().chain(direction).chain(centre).chain([radius * radius, 1.0 / radius]);
    for (target, value) in words.iter_mut().zip(values) {
        *target = word(value);
    }
    Stimulus { words, own: small() > 0.75, inside: small() > 0.75 }
}

/// Steps the ray-sphere datapath through so many clocks, a test started in each.
pub fn sphere_hit(clocks: u64) -> Result<Run, Oscillation> {
    let mut random = Random::new(SEED);
    let stimuli: Vec<Stimulus> = (0..STIMULI).map(|_| stimulus(&mut random)).collect();
    let mut block = SphereHit::new(SPHERE_HIT_INTERVAL);
    block.connect_all();
    block.reset_n.next = true;
    block.start.next = true;
    let mut run = Run { clocks, tests: 0, hits: 0 };
    for stimulus in stimuli.iter().cycle().take(usize::try_from(clocks).unwrap_or(usize::MAX)) {
        [
            block.origin_x.next,
            block.origin_y.next,
            block.origin_z.next,
            block.direction_x.next,
            block.direction_y.next,
            block.direction_z.next,
            block.centre_x.next,
            block.centre_y.next,
            block.centre_z.next,
            block.radius_squared.next,
            block.radius.next,
        ] = stimulus.words;
        block.own.next = stimulus.own;
        block.inside_.next = stimulus.inside;
        clock(&mut block, |block, level| block.clock.next = level)?;
        run.tests += u64::from(block.done.val());
        run.hits += u64::from(block.done.val() && block.hit.val());
    }
    Ok(run)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_test_a_clock_comes_out_and_the_same_ones_each_time() {
        let latency = SphereHit::new(SPHERE_HIT_INTERVAL).latency() as u64;
        let run = sphere_hit(1000).unwrap();
        assert_eq!((run.clocks, run.tests), (1000, 1000 - latency + 1));
        // Neither all nor none: the stimuli are not all on one path through the kernel.
        assert!((run.tests / 5..run.tests * 4 / 5).contains(&run.hits), "{run:?}");
        assert_eq!(sphere_hit(1000), Ok(run));
        assert_eq!(sphere_hit(0), Ok(Run { clocks: 0, tests: 0, hits: 0 }));
    }
}
