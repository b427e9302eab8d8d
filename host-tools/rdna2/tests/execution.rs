//! Descriptors that were found, by D934 and by D962, before runs on concrete data: a share of what `cargo xtask shaders` does.

mod fixture;
mod llvm;

use fixture::all;
use rayman_model::random::Random;
use rayman_rdna2::trace::{descriptors, Options};
use rayman_rdna2::wave::check::{Check, Tally};
use rayman_rdna2::wave::Program;

/// Inputs of each program.
const INPUTS: u64 = 12;

#[test]
fn a_share_of_random_inputs_reads_the_descriptors_that_were_found() {
    let mut total = Tally::default();
    for fixture in all::fixtures() {
        let (tally, wrong) = all::check(&fixture, 1, INPUTS);
        assert_eq!(wrong.first(), None, "{}: {} wrong", fixture.name, wrong.len());
        total.add(&tally);
    }
    println!("{total:?}");
    assert!(total.traced > 100 && total.computed > 100 && total.one_of_several > 10 && total.skipped > 0, "{total:?}");
}

#[test]
fn an_answer_for_another_input_is_noticed() {
    let fixtures = all::fixtures();
    let mut noticed = 0;
    for fixture in &fixtures {
        let traced = descriptors(&fixture.cfg, Options::default());
        let program = Program::new(&fixture.cfg);
        let check = Check::new(&program, &traced);
        let mut chance = Random::new(9);
        let (input, other) = (fixture.input(&mut chance), fixture.input(&mut chance));
        // The host saw the other input.
        let prepared = check.prepare(&other.launch, &other.image, 2000);
        let (tally, wrong) = check.run((&input.launch, &input.user), &input.image, &prepared, 2000, &mut chance);
        assert_eq!(tally.wrong, wrong.len() as u64);
        noticed += u64::from(wrong.iter().any(|wrong| wrong.rule == "D962"));
        // D934's answer is read from the other input's user data.
        let prepared = check.prepare(&input.launch, &input.image, 2000);
        let (_, wrong) = check.run((&input.launch, &other.user), &input.image, &prepared, 2000, &mut chance);
        noticed += u64::from(wrong.iter().any(|wrong| wrong.rule == "D934"));
    }
    assert!(noticed > fixtures.len() as u64, "{noticed} of {}", fixtures.len());
}
