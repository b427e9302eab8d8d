//! Shaders of a Vulkan driver: GLSL that RADV compiles on the spot for a processor that is not there. `cargo xtask setup` installs it.

mod driver;
mod glsl;
mod host;
mod places;
#[allow(dead_code)] // disassembly/ uses the rest
#[path = "../disassembly/tool.rs"]
mod tool;
mod values;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;

use glsl::Shader;
use places::{HIGH, MOST_BYTES};
use rayman_model::random::Random;
use rayman_rdna2::isa::Encoding;
use rayman_rdna2::trace::{self, descriptors, AddressWord, Held, Options, Pointer, Source, Traced, UnknownPlace};
use rayman_rdna2::wave::check::{Check, Tally};
use rayman_rdna2::wave::{self, DescriptorField, DescriptorUse, Image, Launch, Limits, Preparation, Program};
use rayman_rdna2::Decoder;

/// What must be compared at the least.
const LEAST: (usize, usize) = (22, 3000);

fn shaders() -> &'static [Shader] {
    static SHADERS: OnceLock<Vec<Shader>> = OnceLock::new();
    SHADERS.get_or_init(glsl::shaders)
}

#[test]
fn a_drivers_shaders_are_shown_as_llvm_shows_them() {
    let mut instructions = 0;
    let (mut opcodes, mut encodings) = (BTreeSet::new(), BTreeSet::new());
    for shader in shaders() {
        let theirs = tool::disassemble_all(&shader.code, shader.wave);
        let ours: Vec<_> =
            Decoder::new(&shader.code, shader.wave).map(|decoded| decoded.expect("whole instructions")).collect();
        for (ours, theirs) in ours.iter().zip(&theirs) {
            assert_eq!(ours.to_string(), *theirs, "{} at {:#x}", shader.name, ours.offset);
            opcodes.extend(ours.opcode.map(|opcode| opcode.name()));
            encodings.extend(ours.encoding.map(|encoding| format!("{encoding:?}")));
        }
        assert_eq!(ours.len(), theirs.len(), "{}", shader.name);
        // Every branch leads to an instruction, and nothing is computed.
        assert_eq!(shader.cfg.irregularities(), [], "{}", shader.name);
        instructions += ours.len();
    }
    let count = shaders().len();
    println!(
        "{count} shaders of RADV, {instructions} instructions of {} opcodes in {} encodings: all as llvm-mc has them",
        opcodes.len(),
        encodings.len()
    );
    assert!(count >= LEAST.0 && instructions >= LEAST.1, "too few to say so");
    assert!(opcodes.contains("image_bvh64_intersect_ray"));
    assert!(
        encodings.contains(&format!("{:?}", Encoding::Vop3p)) && encodings.contains(&format!("{:?}", Encoding::Exp))
    );
}

/// A wave's start: words of user data, and memory that has the tables that they point to.
fn input(shader: &Shader, mut image: Image, chance: &mut Random) -> (Vec<u32>, Launch, Image) {
    // Push constants, numbers of groups and vertices: small.
    let mut user = vec![5; 32];
    // With TRUNC_COORD set, which the driver clears in the first word of a sampler that gathers.
    let words = |_| (0..MOST_BYTES / 4).map(|_| chance.next_u32() | 1 << 27).collect();
    let launch = shader.start(&mut user, &mut image, words);
    (user, launch, image)
}

/// What the code alone says of a descriptor.
fn by_code(shader: &Shader, traced: &Traced) -> String {
    match &traced.source {
        Ok(found) => match found.source {
            Source::Table { pointer: Pointer { low, high: AddressWord::Constant(HIGH) }, offset } => {
                let table = shader.tables.iter().find(|(register, _)| *register == low);
                let name = table.and_then(|(_, table)| table.name(offset as u32));
                name.unwrap_or_else(|| found.source.to_string())
            }
            other => other.to_string(),
        },
        Err(trace::Refusal::Register { held, .. }) => format!("({})", why(held)),
        Err(other) => format!("({other})"),
    }
}

/// Why a register's word is no descriptor's.
fn why(held: &Held) -> String {
    match held {
        Held::Loop { .. } => "a loop".into(),
        Held::Computed { .. } => "computed".into(),
        Held::LoadedFromUnknown { why: place, .. } => match &**place {
            UnknownPlace::Pointer { held, .. } => format!("pointer: {}", why(held)),
            UnknownPlace::Offset { held, .. } => format!("offset: {}", why(held)),
            other => other.to_string(),
        },
        other => other.to_string(),
    }
}

/// What the wave run says of one.
fn by_run(shader: &Shader, image: &Image, found: &wave::Found) -> String {
    let descriptors = match found {
        Ok(descriptors) => descriptors,
        Err(wave::Refusal::NotKnown { .. }) => return "(not known)".into(),
        Err(wave::Refusal::Written { .. }) => return "(written)".into(),
        Err(wave::Refusal::NoKnownReach) => return "(not reached)".into(),
        Err(other) => return format!("({other})"),
    };
    let find = |same: &dyn Fn(&[u32]) -> bool, words: usize| {
        // The segments lie in the order of the tables.
        shader.tables.iter().zip(image.segments()).find_map(|((_, table), segment)| {
            let at = segment.words.windows(words).position(same)?;
            table.name(4 * at as u32)
        })
    };
    let name = |words: &Vec<u32>| {
        let whole = find(&|window| window == words, words.len());
        // The driver clears a bit of the first word of a sampler that gathers.
        let patched = || Some(find(&|window| window[1..] == words[1..], words.len())? + " patched");
        whole.or_else(patched).unwrap_or_else(|| format!("{words:x?}"))
    };
    descriptors.iter().map(name).collect::<BTreeSet<_>>().into_iter().collect::<Vec<_>>().join(" or ")
}

/// Each use of a descriptor by its instruction and operand.
fn uses(prepared: &Preparation, instruction: usize, field: DescriptorField) -> &wave::Found {
    &prepared.uses[&DescriptorUse { instruction, field }]
}

#[test]
fn every_access_of_a_drivers_shaders_has_its_resource_or_a_reason() {
    let mut chance = Random::new(7);
    let (mut counts, mut reasons) = ([0; 4], BTreeMap::<String, u32>::new());
    let mut differ = String::new();
    for shader in shaders() {
        let (_, launch, image) = input(shader, Image::new(), &mut chance);
        let found = descriptors(&shader.cfg, Options::default());
        let prepared = Program::new(&shader.cfg).prepare(&[launch], &image, Limits::default());
        let mut says = BTreeMap::<String, u32>::new();
        for access in &found.accesses {
            let field = match access.kind {
                trace::AccessKind::ScalarBufferLoad => DescriptorField::ScalarBuffer,
                _ => DescriptorField::Resource,
            };
            let parts = [(Some(&access.descriptor), field), (access.sampler.as_ref(), DescriptorField::Sampler)];
            let (mut code, mut run) = (Vec::new(), Vec::new());
            for (traced, field) in parts.into_iter().filter_map(|(traced, field)| Some((traced?, field))) {
                let one = by_code(shader, traced);
                let other = by_run(shader, &image, uses(&prepared, access.instruction, field));
                counts[0] += 1;
                counts[1] += u32::from(traced.source.is_ok());
                counts[2] += u32::from(traced.source.is_err() && !other.starts_with('('));
                if traced.source.is_err() {
                    *reasons.entry(one.clone()).or_default() += 1;
                } else {
                    // Where both have an answer it is the same.
                    assert!(other == one || other.starts_with('('), "{}: {one}, {other}", shader.name);
                }
                code.push(one);
                run.push(other);
            }
            let (code, run) = (code.join(" by "), run.join(" by "));
            let line = match code == run {
                true => format!("{}: {code}", access.kind),
                false => format!("{}: {code}; {run}", access.kind),
            };
            *says.entry(line).or_default() += 1;
        }
        let says = says.into_iter().map(|(line, count)| if count > 1 { format!("{line} (x{count})") } else { line });
        let says: BTreeSet<_> = says.collect();
        for line in says.symmetric_difference(&shader.said) {
            let whose = if shader.said.contains(line) { "said" } else { "found" };
            differ += &format!("{} {whose}: {line}\n", shader.name);
        }
    }
    println!(
        "{} descriptors of RADV's shaders: {} by the code alone, {} more by the wave run; refused by the code: {reasons:?}",
        counts[0], counts[1], counts[2]
    );
    assert!(differ.is_empty(), "\n{differ}");
    assert!(counts[1] > counts[0] / 2 && counts[2] > 10);
}

#[test]
fn no_answer_for_a_drivers_shaders_is_wrong() {
    const INPUTS: u32 = 10;
    const STEPS: u64 = 4000;
    let mut chance = Random::new(8);
    let mut total = Tally::default();
    for shader in shaders() {
        let found = descriptors(&shader.cfg, Options::default());
        let program = Program::new(&shader.cfg);
        let check = Check::new(&program, &found);
        for _ in 0..INPUTS {
            let everywhere = Image::with_background(chance.next_u64());
            let (user, launch, image) = input(shader, everywhere, &mut chance);
            let prepared = check.prepare(&launch, &image, STEPS);
            let (tally, wrong) = check.run((&launch, &user), &image, &prepared, STEPS, &mut chance);
            assert_eq!(wrong.first(), None, "{}: {} wrong", shader.name, wrong.len());
            total.add(&tally);
        }
    }
    println!("RADV's shaders before runs by chance: {total:?}");
    assert!(total.traced > 500 && total.computed > 500 && total.wrong == 0, "{total:?}");
}
