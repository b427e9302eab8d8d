//! How far the core's arithmetic is off: every ray-sphere test of some scenes against geometry, and the tangent.
//!
//! A scene's rays are the model's, which are the core's to the bit. The textbook's form of the test, b^2 - c, is put to the same
//! tests: it must not pass, or they would show nothing.

use std::io::Write;
use std::time::Instant;

use anyhow::Context;
use rayman_driver::Device;
use rayman_model::accuracy::{
    plain_sphere_hit, Hits, Setting, Tangents, MOST_TANGENT_ULP, MOST_ULP, MOST_USUAL_ULP, USUAL_SHARE,
};
use rayman_model::device::one_by_one;
use rayman_model::kernels::sphere_hit;
use rayman_model::random::Random;
use rayman_model::Host;
use rayman_sim::ModelTransport;

use crate::render::Job;
use crate::report::grouped;

/// What to measure.
pub struct Plan {
    /// The scenes, by name.
    pub scenes: Vec<(String, Job)>,
    /// Random tests of each setting, beside the scenes.
    pub random_tests: u32,
    /// What random tests are made from.
    pub seed: u64,
    /// Every so many-th FP32 number from 1 to 179 degrees has its tangent measured.
    pub tangent_step: u32,
}

/// The tests of some rays, judged in both forms.
#[derive(Clone, Debug, Default)]
pub struct Measured {
    /// The core's kernel.
    pub kernel: Hits,
    /// The form b^2 - c.
    pub plain: Hits,
}

/// Judges every test of a scene's rays.
pub fn scene(job: &Job) -> anyhow::Result<Measured> {
    let mut device = Device::open(ModelTransport::default())?;
    device.upload(&job.scene)?;
    device.configure(&job.options)?;
    device.run()?;
    let frame = device.transport().frame().context("the model has refused the scene")?;
    let mut measured = Measured::default();
    for y in 0..frame.height {
        for x in 0..frame.width {
            one_by_one::pixel(frame, x, y, &mut |test, answer| {
                measured.kernel.add(test, answer);
                measured.plain.add(test, &plain_sphere_hit(&mut Host, test));
            });
        }
    }
    Ok(measured)
}

/// Judges random tests.
fn random(setting: Setting, count: u32, seed: u64) -> Measured {
    let mut random = Random::new(seed);
    let mut measured = Measured::default();
    for _ in 0..count {
        let test = setting.test(&mut random);
        measured.kernel.add(&test, &sphere_hit(&mut Host, &test));
        measured.plain.add(&test, &plain_sphere_hit(&mut Host, &test));
    }
    measured
}

fn row(out: &mut dyn Write, name: &str, hits: &Hits) -> std::io::Result<()> {
    writeln!(
        out,
        "| {name:<28} | {:>9} | {:>9} | {:>13.3} | {:>11.2} | {:>5.2} | {:>5} | {:>6} | {:>6.2} |",
        grouped(hits.hits()),
        grouped(hits.misses),
        100.0 * hits.usual_share(),
        hits.share_within(USUAL_SHARE),
        hits.worst_hit,
        grouped(hits.grazing),
        grouped(hits.wrong),
        hits.worst_edge,
    )
}

fn table(out: &mut dyn Write, rows: &[(String, Measured)], form: fn(&Measured) -> &Hits) -> std::io::Result<Hits> {
    writeln!(
        out,
        "| tests                        |      hits |    misses | % within {MOST_USUAL_ULP} ulp | 99.9 % within | worst | wrong | \
         beyond | worst |"
    )?;
    writeln!(out, "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |")?;
    let mut sum = Hits::default();
    for (name, measured) in rows {
        row(out, name, form(measured))?;
        sum += form(measured);
    }
    row(out, "all", &sum)?;
    Ok(sum)
}

/// Measures and prints. Answers whether every bar is met, and missed by the form b^2 - c.
pub fn run(plan: &Plan, out: &mut dyn Write) -> anyhow::Result<bool> {
    let mut good = true;
    let mut bar = |out: &mut dyn Write, met: bool, what: String| {
        good &= met;
        writeln!(out, "{} {what}", if met { "met   " } else { "MISSED" })
    };
    let mut sets = Vec::new();
    if !plan.scenes.is_empty() {
        let rows = plan.scenes.iter().map(|(name, job)| Ok((name.clone(), scene(job)?)));
        sets.push(("of the scenes", rows.collect::<anyhow::Result<Vec<_>>>()?));
    }
    if plan.random_tests > 0 {
        let rows = Setting::ALL
            .map(|(name, setting)| (format!("random, {name}"), random(setting, plan.random_tests, plan.seed)));
        sets.push(("of random rays", rows.to_vec()));
    }
    writeln!(
        out,
        "Ray-sphere tests against geometry in f64. Lengths in ulp of max(|o - c|, r): a hit's | |o + t d - c| - r |; wrong\n\
         answers by how far the ray is from one that they would be right for, up to {MOST_ULP} ulp and beyond.\n"
    )?;
    for (name, rows) in &sets {
        writeln!(out, "The core's kernel, tests {name}:\n")?;
        let kernel = table(out, rows, |measured| &measured.kernel)?;
        writeln!(out, "\nThe form b^2 - c, the same tests:\n")?;
        let plain = table(out, rows, |measured| &measured.plain)?;
        writeln!(out)?;
        let usual = kernel.usual_share() >= USUAL_SHARE;
        bar(out, usual, format!("{} % of the hits {name} within {MOST_USUAL_ULP} ulp", 100.0 * USUAL_SHARE))?;
        bar(out, kernel.worst_hit <= MOST_ULP, format!("every hit {name} within {MOST_ULP} ulp"))?;
        bar(out, kernel.wrong == 0, format!("no wrong answer {name} beyond {MOST_ULP} ulp"))?;
        bar(out, !plain.good(), format!("the form b^2 - c fails the same tests {name}"))?;
        writeln!(out)?;
    }
    if plan.tangent_step > 0 {
        let start = Instant::now();
        let tangents = Tangents::measure(plan.tangent_step as usize);
        let met = tangents.worst <= MOST_TANGENT_ULP;
        let Tangents { angles, worst, at } = tangents;
        writeln!(
            out,
            "The tangent of half of {} angles from 1 to 179 degrees ({:.1} s): worst {worst:.4} ulp, at {at} degrees.\n",
            grouped(angles),
            start.elapsed().as_secs_f64()
        )?;
        bar(out, met, format!("the tangent of each within {MOST_TANGENT_ULP} ulp"))?;
    }
    Ok(good)
}
