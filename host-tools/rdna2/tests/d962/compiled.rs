//! D962 on shaders that LLVM compiled.

use rayman_rdna2::wave::{DescriptorField, Found, Refusal};

use super::fixture::{Fixture, Input};
use super::{input, one};

/// A function of compiled.ll.
fn function(name: &str) -> Fixture {
    let all = Fixture::functions("compiled.ll", include_str!("compiled.ll"));
    all.into_iter().find(|fixture| fixture.name.ends_with(name)).unwrap_or_else(|| panic!("a function {name}"))
}

/// What is found for each access by lanes, with its byte offset.
fn found(fixture: &Fixture, input: &Input) -> Vec<(u64, Found)> {
    let uses = fixture.prepare(input).uses.into_iter();
    let resources = uses.filter(|(found, _)| found.field == DescriptorField::Resource);
    resources.map(|(found, words)| (fixture.cfg.instructions()[found.instruction].offset, words)).collect()
}

/// The descriptor that the functions make of the words at 0x10 of their table, which user data 0 and 1 point at.
fn moved(input: &Input) -> [u32; 4] {
    let mut words: [u32; 4] = input.words((u64::from(input.user[1]) << 32 | u64::from(input.user[0])) + 0x10);
    words[0] = words[0].wrapping_add(64);
    words
}

#[test]
fn a_compiled_look_back_is_found_in_both_loops_and_after_them() {
    let function = function("look_back");
    let input = input(&function);
    let found: Vec<Found> = found(&function, &input).into_iter().map(|(_, found)| found).collect();
    assert_eq!(found, vec![one(moved(&input)); 3]);
}

#[test]
fn a_compiled_loop_that_moves_its_descriptor_is_refused_and_the_store_after_it_is_not() {
    let function = function("walking");
    let input = input(&function);
    let found = found(&function, &input);
    let [(load, walking), (_, after)] = &found[..] else { panic!("a load and a store: {found:?}") };
    assert!(matches!(walking, Err(Refusal::Written { at }) if at > load), "{walking:?}");
    assert_eq!(*after, one(moved(&input)));
}

#[test]
fn a_compiled_loop_over_the_descriptors_of_lanes_is_refused_and_the_store_after_it_is_not() {
    let function = function("lanes_choose");
    let input = input(&function);
    let found = found(&function, &input);
    let [(load, chosen), (_, after)] = &found[..] else { panic!("a load and a store: {found:?}") };
    assert_eq!(*chosen, Err(Refusal::NotKnown { at: *load }));
    assert_eq!(*after, one(moved(&input)));
}

#[test]
fn a_compiled_block_of_lanes_with_a_loop_in_it_is_covered() {
    let function = function("masked");
    let input = input(&function);
    let found: Vec<Found> = found(&function, &input).into_iter().map(|(_, found)| found).collect();
    assert_eq!(found, vec![one(moved(&input)); 3]);
}
