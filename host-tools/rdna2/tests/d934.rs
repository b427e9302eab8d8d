//! Seed D934, sentence by sentence, on shaders made by LLVM's assembler and compiler.

mod llvm;
#[path = "d934/rejected.rs"]
mod rejected;

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use llvm::Object;
use rayman_rdna2::cfg::{Irregularity, Stray};
use rayman_rdna2::trace::{
    descriptors, Access, AccessKind, AddressWord, BufferPlace, Descriptors, Found, Held, Options, Path, Pointer,
    ReadError, Refusal, Source, Step, UnknownPlace,
};
use rayman_rdna2::{Cfg, Opcode, Register, Wave};

/// A program, its labels, and what was traced in it.
struct Traced {
    object: Object,
    cfg: Cfg,
    descriptors: Descriptors,
}

fn trace(object: Object, wave: Wave) -> Traced {
    let cfg = Cfg::build(&object.code, 0, wave).expect("a program");
    let descriptors = descriptors(&cfg, Options::default());
    Traced { object, cfg, descriptors }
}

/// What a tool makes of a source, made once for all tests.
fn once(source: &'static str, make: fn(&str, Wave) -> Object, wave: Wave) -> Object {
    static MADE: Mutex<BTreeMap<&str, Object>> = Mutex::new(BTreeMap::new());
    let mut made = MADE.lock().unwrap_or_else(PoisonError::into_inner);
    made.entry(source).or_insert_with(|| make(source, wave)).clone()
}

/// A fixture of this folder.
macro_rules! assembled {
    ($name:literal) => {
        trace(once(include_str!(concat!("d934/", $name, ".s")), llvm::assemble, Wave::W64), Wave::W64)
    };
}

/// A function of the compiled fixture.
fn compiled(function: &str) -> Traced {
    let object = once(include_str!("d934/compiled.ll"), llvm::compile, Wave::W32);
    let (start, size) = object.symbols[function];
    let code = object.code[start as usize..][..size as usize].to_vec();
    trace(Object { code, symbols: object.symbols }, Wave::W32)
}

impl Traced {
    fn offset(&self, label: &str) -> u64 {
        self.object.offset(label)
    }

    /// The access at a label.
    fn access(&self, label: &str) -> &Access {
        let offset = self.offset(label);
        let accesses = &self.descriptors.accesses;
        accesses.iter().find(|access| access.offset == offset).unwrap_or_else(|| panic!("an access at {label}"))
    }

    /// The one access of a compiled function that samples.
    fn sample(&self) -> &Access {
        let mut samples = self.descriptors.accesses.iter().filter(|access| access.kind == AccessKind::ImageSample);
        let sample = samples.next().expect("a sample");
        assert_eq!(samples.next(), None, "one sample alone");
        sample
    }

    fn image(&self, label: &str) -> Result<Source, Refusal> {
        source(self.access(label))
    }

    fn found(&self, label: &str) -> &Found {
        self.access(label).descriptor.source.as_ref().expect("a source")
    }

    fn refusal(&self, label: &str) -> &Refusal {
        self.access(label).descriptor.source.as_ref().expect_err("a refusal")
    }

    /// What a register holds, where that is why an access is refused.
    fn held(&self, label: &str) -> (Register, Held) {
        match self.refusal(label) {
            Refusal::Register { register, held, .. } => (*register, held.clone()),
            other => panic!("at {label}: {other}"),
        }
    }

    /// The sampler of the texture that is accessed at a label.
    fn sampler(&self, label: &str) -> Result<Source, Refusal> {
        let index = self.descriptors.accesses.iter().position(|access| access.offset == self.offset(label));
        let textures = &self.descriptors.textures;
        let texture = textures.iter().find(|texture| texture.accesses.contains(&index.expect("an access")));
        texture.expect("a texture").sampler.clone().expect("a sampler")
    }
}

fn source(access: &Access) -> Result<Source, Refusal> {
    access.descriptor.source.as_ref().map(|found| found.source).map_err(Clone::clone)
}

fn user_data(register: u8) -> Source {
    Source::UserData { register }
}

/// The table whose address is user data `low` and the register behind it.
fn pointer(low: u8) -> Pointer {
    Pointer { low, high: AddressWord::UserData(low + 1) }
}

fn table(low: u8, offset: i32) -> Source {
    Source::Table { pointer: pointer(low), offset }
}

/// What lies in a buffer whose descriptor lies in a table.
fn in_buffer(low: u8, buffer: i32, offset: i32) -> Source {
    Source::Buffer { buffer: BufferPlace::Table { pointer: pointer(low), offset: buffer }, offset }
}

#[test]
fn shadow_cubes_are_read_in_three_ways() {
    let shader = assembled!("three_ways");
    assert_eq!(shader.image("buffer"), Ok(in_buffer(2, 0xf0, 0x150)));
    assert_eq!(shader.image("past"), Ok(user_data(8)));
    assert_eq!(shader.image("reloaded"), Ok(table(2, 0x40)));
    assert_eq!(shader.image("sampler"), Ok(table(2, 0x80)));
    assert_eq!(shader.sampler("sampler"), Ok(table(2, 0x20)));
    assert!(shader.descriptors.accesses.iter().all(|access| access.descriptor.source.is_ok()), "none is refused");
    assert_eq!(shader.descriptors.textures.len(), 4);
}

#[test]
fn an_image_in_a_buffer_names_both_offsets() {
    let shader = assembled!("three_ways");
    assert_eq!(shader.found("buffer").loads, [shader.offset("constants")]);
    // The buffer's own access is one too.
    assert_eq!(shader.access("constants").kind, AccessKind::ScalarBufferLoad);
    assert_eq!(shader.image("constants"), Ok(table(2, 0xf0)));
    let text = shader.image("buffer").expect("a source").to_string();
    assert_eq!(text, "buffer {table [user data 2:3]+0xf0}+0x150");
}

#[test]
fn an_image_in_a_buffer_is_read_at_its_base_plus_the_offset() {
    let shader = assembled!("three_ways");
    let image = shader.image("buffer").expect("a source");
    let user_data = [0, 0, 0x1000, 0x12];
    // The buffer: 0x300 bytes at 0x7000_2000_0000, its descriptor in the table at 0x12_0000_1000; a memory that holds each
    // word's own address elsewhere.
    let (at, base) = (0x12_0000_1000_u64, 0x7000_2000_0000_u64);
    let memory = |records: u32| {
        move |address: u64| match address.checked_sub(at + 0xf0) {
            Some(0) => Some(base as u32),
            Some(4) => Some((base >> 32) as u32),
            Some(8) => Some(records),
            Some(12) => Some(0),
            _ => (address >= base).then_some(address as u32),
        }
    };
    let words = std::array::from_fn(|word| (base + 0x150) as u32 + 4 * word as u32);
    assert_eq!(image.read::<8>(&user_data, memory(0x300)), Ok(words));
    let error = image.read::<8>(&user_data, memory(0x16f));
    assert_eq!(error, Err(ReadError::OutOfBuffer { offset: 0x150, end: 0x170, size: 0x16f }));
    assert_eq!(image.read::<8>(&user_data[..3], memory(0x300)), Err(ReadError::UserData { register: 3 }));
    assert_eq!(image.read::<8>(&user_data, |_| None), Err(ReadError::Memory { address: at + 0xf0 }));
    // The other two places.
    assert_eq!(table(2, 0x40).read(&user_data, |address| Some(address as u32)), Ok([0x1040, 0x1044]));
    assert_eq!(self::user_data(2).read(&user_data, |_| None), Ok([0x1000, 0x12]));
}

#[test]
fn a_compiled_image_in_a_buffer_names_both_offsets() {
    let shader = compiled("out_of_a_buffer");
    assert_eq!(source(shader.sample()), Ok(in_buffer(0, 0xf0, 0x150)));
    let sampler = shader.sample().sampler.as_ref().expect("a sampler");
    assert_eq!(sampler.source.as_ref().map(|found| found.source), Ok(table(0, 0x20)));
}

#[test]
fn each_of_three_places_is_traced_in_compiled_shaders() {
    // Arguments are moved into aligned registers.
    let shader = compiled("in_user_data");
    assert_eq!(source(shader.sample()), Ok(user_data(2)));
    assert_eq!(shader.sample().sampler.as_ref().map(source_of), Some(Ok(user_data(10))));
    assert_eq!(source(compiled("skipped").sample()), Ok(table(0, 0x40)));
    assert_eq!(source(compiled("out_of_a_buffer").sample()), Ok(in_buffer(0, 0xf0, 0x150)));
}

fn source_of(traced: &rayman_rdna2::trace::Traced) -> Result<Source, Refusal> {
    traced.source.as_ref().map(|found| found.source).map_err(Clone::clone)
}

#[test]
fn a_load_that_one_path_skips_reaches_the_access() {
    let shader = assembled!("joins");
    assert_eq!(shader.image("skipped"), Ok(table(2, 0x100)));
    assert_eq!(shader.image("skipped_user_data"), Ok(table(2, 0x120)), "whatever the path past it was seeded with");
    assert!(shader.found("skipped").skipped && shader.found("skipped_user_data").skipped, "and the answer says so");
    assert!(!shader.found("same").skipped);
    let compiled = compiled("skipped");
    assert!(compiled.sample().descriptor.source.as_ref().is_ok_and(|found| found.skipped));
}

#[test]
fn a_path_that_skips_a_buffers_load_skips_what_is_read_out_of_it() {
    let shader = assembled!("skipped_buffer");
    assert_eq!(shader.image("buffer"), Ok(table(2, 0xf0)));
    assert_eq!(shader.image("image"), Ok(in_buffer(2, 0xf0, 0x150)));
    assert!(shader.found("buffer").skipped && shader.found("image").skipped, "both answers say so");
}

#[test]
fn different_loads_of_the_same_registers_are_refused() {
    let shader = assembled!("joins");
    let Refusal::Different { registers, first, first_path, second, second_path } = shader.refusal("different") else {
        panic!("{}", shader.refusal("different"))
    };
    assert_eq!((registers.first, registers.words), (Register::Sgpr(16), 8));
    let both = [(*first, first_path), (*second, second_path)];
    for (source, label) in [(table(2, 0x200), 0x200), (table(2, 0x240), 0x240)] {
        let (_, path) = both.iter().find(|(one, _)| *one == source).expect("both are named");
        let [step] = &path.0[..] else { panic!("one way makes the difference: {path}") };
        let block = shader.cfg.block_of(shader.cfg.instruction_at(step.from).expect("an instruction"));
        let loads = shader.cfg.block(block).instructions.clone();
        let load = shader.cfg.instructions()[loads].iter().find(|one| one.opcode == Some(Opcode::s_load_dwordx8));
        assert_eq!(load.map(|load| load.modifiers.offset), Some(label), "the path goes by its load");
    }
    assert!(matches!(shader.refusal("reload"), Refusal::Different { .. }), "an earlier load on the other path");
    let compiled = compiled("different");
    assert!(matches!(source(compiled.sample()), Err(Refusal::Different { .. })));
}

#[test]
fn loads_of_one_place_are_no_different_loads() {
    let shader = assembled!("joins");
    assert_eq!(shader.image("same"), Ok(table(2, 0x280)));
    assert_eq!(shader.found("same").loads.len(), 2, "both are named");
    assert_eq!(shader.image("either"), Ok(table(2, 0x380)));
}

#[test]
fn a_path_that_computes_a_word_is_refused() {
    let shader = assembled!("joins");
    let at = shader.offset("patch");
    let Refusal::Register { register, held, path } = shader.refusal("patched") else { panic!() };
    assert_eq!((*register, held), (Register::Sgpr(51), &Held::Computed { at }));
    assert_eq!(path, &Path(vec![Step { from: at, to: at + 8 }]), "the path by the instruction");
}

#[test]
fn parts_that_no_path_carries_together_are_refused() {
    let shader = assembled!("joins");
    // On either path the other half is what the stage was not seeded with.
    assert!(matches!(shader.refusal("halves"), Refusal::Register { held: Held::NotSeeded { .. }, .. }));
}

#[test]
fn seeded_registers_that_no_path_to_the_access_wrote_are_user_data() {
    let shader = assembled!("three_ways");
    let found = shader.found("past");
    assert_eq!((found.source, found.skipped, found.loads.len()), (user_data(8), false, 0));
    // Another path writes them, and is not one to this access.
    assert_eq!(shader.image("reloaded"), Ok(table(2, 0x40)));
}

#[test]
fn a_loops_head_counts_as_having_written_every_register() {
    let shader = assembled!("loops");
    let head = shader.offset("head");
    assert_eq!(shader.image("before"), Ok(user_data(8)));
    assert_eq!(shader.held("seeded"), (Register::Sgpr(8), Held::Loop { head }));
    assert_eq!(shader.held("loaded_before"), (Register::Sgpr(16), Held::Loop { head }));
    assert_eq!(shader.held("after"), (Register::Sgpr(16), Held::Loop { head }));
    // The pointer of a load in the loop as well.
    let (register, held) = shader.held("by_a_written_pointer");
    assert_eq!(register, Register::Sgpr(24));
    let Held::LoadedFromUnknown { why, .. } = held else { panic!("{held}") };
    let pointer =
        UnknownPlace::Pointer { register: Register::Sgpr(2), held: Held::Loop { head }, path: Path::default() };
    assert_eq!(*why, pointer);
    let compiled = compiled("in_a_loop");
    assert!(matches!(source(compiled.sample()), Err(Refusal::Register { held: Held::Loop { .. }, .. })));
}

#[test]
fn a_path_round_a_loop_is_not_one_through_it() {
    let shader = assembled!("after_a_loop");
    assert_eq!(shader.image("round"), Ok(user_data(8)));
    assert!(matches!(shader.held("through"), (Register::Sgpr(8), Held::Loop { .. })));
    // One arriving path carries a load, the other what a loop may have written.
    assert!(matches!(shader.held("join"), (Register::Sgpr(16), Held::Loop { .. })));
}

#[test]
fn an_unnamed_instruction_counts_as_having_written_every_register() {
    let shader = assembled!("unnamed");
    let at = shader.offset("unnamed");
    assert_eq!(shader.image("before"), Ok(user_data(8)));
    assert_eq!(shader.held("loaded"), (Register::Sgpr(16), Held::Unnamed { at }));
    assert_eq!(shader.held("seeded"), (Register::Sgpr(8), Held::Unnamed { at }));
    assert_eq!(shader.image("beside"), Ok(user_data(8)), "no path to it passes the instruction");
}

#[test]
fn a_textures_sampler_is_that_of_its_first_access() {
    let shader = assembled!("samplers");
    assert_eq!(shader.image("first"), shader.image("again"));
    assert_eq!(shader.sampler("again"), Ok(table(2, 0x20)));
    // What is in the registers at the later access is another.
    let later = shader.access("again").sampler.as_ref().map(source_of);
    assert_eq!(later, Some(Ok(table(2, 0x30))));
}

#[test]
fn the_first_access_is_the_first_on_the_path_not_in_the_code() {
    let shader = assembled!("first_by_path");
    assert!(shader.offset("first") > shader.offset("second"));
    assert_eq!(shader.sampler("second"), Ok(table(2, 0x20)));
}

#[test]
fn a_sampler_that_one_path_loads_reaches_the_access() {
    let shader = assembled!("three_ways");
    let sampler = shader.access("sampler").sampler.as_ref().expect("a sampler");
    assert!(sampler.source.as_ref().is_ok_and(|found| found.skipped));
    assert_eq!(shader.sampler("sampler"), Ok(table(2, 0x20)));
}

#[test]
fn first_accesses_on_two_paths_must_agree_on_the_sampler() {
    let shader = assembled!("samplers");
    assert_eq!(shader.sampler("left_agrees"), Ok(table(2, 0x30)), "and not what is loaded before `past_both`");
    assert_eq!(shader.image("past_both"), shader.image("left_agrees"));
    let (first, second) = (shader.offset("left_differs"), shader.offset("right_differs"));
    assert_eq!(shader.sampler("left_differs"), Err(Refusal::FirstAccesses { first, second }));
}

#[test]
fn a_first_access_with_an_unknown_sampler_takes_no_later_one() {
    let shader = assembled!("samplers");
    assert_eq!(shader.image("computed_sampler"), Ok(table(2, 0x80)), "the image is known all the same");
    let Err(Refusal::Register { register, held, .. }) = shader.sampler("computed_sampler") else { panic!() };
    assert_eq!((register, held), (Register::Sgpr(18), Held::Computed { at: shader.offset("compute") }));
    let texture = shader.descriptors.textures.iter().find(|texture| texture.source == table(2, 0xa0));
    assert_eq!(texture.map(|texture| &texture.sampler), Some(&None), "a load has no sampler");
}

#[test]
fn words_are_followed_through_split_loads() {
    let shader = assembled!("registers");
    assert_eq!(shader.image("parts"), Ok(table(2, 0x40)));
    assert_eq!(shader.found("parts").loads.len(), 3);
    assert_eq!(shader.sampler("parts"), Ok(table(0, 0)));
    for label in ["swapped", "two_tables", "half", "overlapped", "misplaced"] {
        assert!(matches!(shader.refusal(label), Refusal::Parts { .. }), "{label}: {}", shader.refusal(label));
    }
    let Refusal::Parts { register, words, held, .. } = shader.refusal("half") else { panic!() };
    assert_eq!((*register, *words, held), (Register::Sgpr(24), 4, &Held::UserData { register: 24 }));
    let two = [shader.image("lower"), shader.image("upper"), shader.image("across")];
    assert_eq!(two, [Ok(table(2, 0x80)), Ok(table(2, 0xa0)), Ok(table(2, 0x90))]);
    assert_eq!(shader.image("mended"), Ok(table(2, 0x80)));
}

#[test]
fn words_are_followed_through_moves() {
    let shader = assembled!("registers");
    assert_eq!(shader.image("moved"), Ok(table(2, 0xa0)), "by VCC as well");
    assert_eq!(shader.held("constant"), (Register::Sgpr(52), Held::Constant { word: 0x1234 }));
}

#[test]
fn a_load_is_by_the_pointer_of_its_time() {
    let shader = assembled!("registers");
    assert_eq!(shader.image("loaded_before_the_step"), Ok(table(2, 0xc0)));
    assert_eq!(shader.image("by_the_copy"), Ok(table(2, 0xe0)));
    let unknown = |label, load, register, at| {
        let (_, held) = shader.held(label);
        let Held::LoadedFromUnknown { load: by, why, .. } = held else { panic!("{label}: {held}") };
        let UnknownPlace::Pointer { register: its, held, .. } = *why else { panic!("{label}: {why}") };
        assert_eq!((by, its), (shader.offset(load), register));
        assert_eq!(held, at);
    };
    let step = Held::Computed { at: shader.offset("step") };
    unknown("by_the_stepped", "loads_after_the_step", Register::Sgpr(2), step);
    // The pointer's own registers are among those loaded.
    assert_eq!(shader.image("own_pointer"), Ok(table(0, 0x20)));
    let own = Held::Loaded { place: table(0, 0x20), load: shader.offset("own_pointer") - 12 };
    unknown("chained", "chained_load", Register::Sgpr(0), own);
}

#[test]
fn offsets_are_numbers_of_the_code() {
    let shader = assembled!("offsets");
    assert_eq!(shader.image("negative"), Ok(table(2, -0x40)));
    assert_eq!(shader.image("constant"), Ok(table(2, 0x200)));
    assert_eq!(shader.image("by_m0"), Ok(table(2, 0x10000)));
    assert_eq!(shader.image("in_a_buffer"), Ok(in_buffer(2, 0, 0x200)));
    let short = Pointer { low: 0, high: AddressWord::Constant(0xffff_8000) };
    assert_eq!(shader.image("short_pointer"), Ok(Source::Table { pointer: short, offset: 0x60 }));
    let why = |label, load| match shader.held(label).1 {
        Held::LoadedFromUnknown { load: by, why, .. } => {
            assert_eq!(by, shader.offset(load));
            *why
        }
        held => panic!("{label}: {held}"),
    };
    let held = Held::UserData { register: 4 };
    let by_user_data = UnknownPlace::Offset { register: Register::Sgpr(4), held, path: Path::default() };
    assert_eq!(why("by_user_data", "by_user_data_load"), by_user_data);
    assert_eq!(why("misaligned", "misaligned_load"), UnknownPlace::BadOffset { offset: 0x42 });
    let two = why("two_offsets", "two_offsets_load");
    assert!(
        matches!(
            two,
            UnknownPlace::Offsets { first: 0x20, second: 0x40, .. }
                | UnknownPlace::Offsets { first: 0x40, second: 0x20, .. }
        ),
        "{two}"
    );
    let two = why("two_pointers", "two_pointers_load");
    assert!(matches!(two, UnknownPlace::Pointers { .. }), "{two}");
}

#[test]
fn every_kind_of_access_is_traced() {
    use AccessKind::*;
    let shader = assembled!("accesses");
    let image = table(2, 0);
    let resource = table(2, 0x30);
    let expected = [
        ("sample", ImageSample, image),
        ("gather", ImageSample, image),
        ("load", ImageLoad, image),
        ("store", ImageStore, image),
        ("atomic", ImageAtomic, image),
        ("size", ImageQuery, image),
        ("level", ImageQuery, image),
        ("short", ImageLoad, image),
        ("bvh", BvhTest, resource),
        ("bvh64", BvhTest, resource),
        ("buffer_load", BufferLoad, resource),
        ("buffer_load_format", BufferLoad, resource),
        ("typed_load", BufferLoad, user_data(4)),
        ("buffer_store", BufferStore, user_data(4)),
        ("buffer_atomic", BufferAtomic, resource),
        ("scalar", ScalarBufferLoad, user_data(4)),
        ("buffer_in_buffer", BufferLoad, in_buffer(2, 0x30, 0x40)),
    ];
    for (label, kind, source) in expected {
        let access = shader.access(label);
        assert_eq!((access.kind, shader.image(label)), (kind, Ok(source)), "{label}");
        let words = if kind.name().starts_with("image") && label != "short" { 8 } else { 4 };
        assert_eq!(access.descriptor.registers.words, words, "{label}");
    }
    let through_user_data = Source::Buffer { buffer: BufferPlace::UserData { register: 4 }, offset: 0x80 };
    assert_eq!(shader.image("in_user_buffer"), Ok(through_user_data));
    let Held::LoadedFromUnknown { load, why, .. } = shader.held("twice").1 else { panic!() };
    assert_eq!((load, *why), (shader.offset("twice_load"), UnknownPlace::BufferInBuffer(in_buffer(2, 0x30, 0x40))));
}

#[test]
fn an_index_that_lanes_divide_is_refused_and_named() {
    let shader = assembled!("division");
    let Held::LoadedFromUnknown { load, why, .. } = shader.held("sample").1 else { panic!() };
    assert_eq!(load, shader.offset("record"));
    let held = Held::Computed { at: shader.offset("index") };
    assert_eq!(*why, UnknownPlace::Offset { register: Register::Sgpr(8), held, path: Path::default() });
    let Err(Refusal::Register { held: Held::LoadedFromUnknown { why, .. }, .. }) =
        source(compiled("by_division").sample())
    else {
        panic!()
    };
    assert!(matches!(*why, UnknownPlace::Offset { .. }), "{why}");
}

#[test]
fn regions_under_a_mask_are_paths_that_run_or_are_skipped() {
    let shader = assembled!("masks");
    assert_eq!(shader.image("inside"), Ok(table(2, 0x40)));
    assert_eq!(shader.image("else_inside"), Ok(table(2, 0xc0)));
    assert!(matches!(shader.refusal("both"), Refusal::Different { .. }));
    assert_eq!(shader.image("one"), Ok(table(2, 0x80)));
    assert!(matches!(shader.held("saved_mask"), (Register::Sgpr(0), Held::Computed { .. })));
    let compiled = compiled("by_lanes");
    let sources: Vec<_> = compiled.descriptors.accesses.iter().map(source).collect();
    assert_eq!(sources, [Ok(table(0, 0x80)), Ok(table(0, 0x40))]);
}

#[test]
fn where_control_may_come_from_anywhere_all_is_refused() {
    let stray = |flavour: u32| {
        let source = format!(".set FLAVOUR, {flavour}\n{}", include_str!("d934/stray.s"));
        trace(llvm::assemble(&source, Wave::W32), Wave::W32)
    };
    let of = |flavour| match stray(flavour).refusal("access") {
        Refusal::Arrivals(irregularity) => *irregularity,
        other => panic!("{flavour}: {other}"),
    };
    assert!(matches!(of(0), Irregularity::Computed { .. }));
    assert!(matches!(of(1), Irregularity::Stray { stray: Stray::Inside { .. }, .. }));
    assert!(matches!(of(2), Irregularity::Stray { stray: Stray::Outside { .. }, .. }));
    assert!(matches!(of(3), Irregularity::Call { .. }));
    let shader = stray(4);
    assert_eq!(shader.image("access"), Ok(table(2, 0)), "code that is not reached jumps nowhere");
    assert_eq!(shader.image("unreached"), Err(Refusal::Unreached));
}

#[test]
fn registers_past_the_user_data_hold_none() {
    let object = llvm::assemble("image_load v[0:3], v[0:1], s[8:15] dmask:0xf dim:SQ_RSRC_IMG_2D\ns_endpgm", Wave::W32);
    let cfg = Cfg::build(&object.code, 0, Wave::W32).expect("a program");
    let with = |user_registers| source(&descriptors(&cfg, Options { user_registers }).accesses[0]);
    assert_eq!((with(32), with(16)), (Ok(user_data(8)), Ok(user_data(8))));
    let Err(Refusal::Register { register, held, .. }) = with(15) else { panic!() };
    assert_eq!((register, held), (Register::Sgpr(15), Held::NotSeeded { register: Register::Sgpr(15) }));
}
