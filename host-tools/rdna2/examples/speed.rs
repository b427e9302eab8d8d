//! How long much code takes: a line for each shape of it, in seconds of processor time. `cargo xtask shaders --speed` runs it.

#[path = "../tests/large/mod.rs"]
mod large;
#[path = "../tests/llvm/mod.rs"]
mod llvm;
#[allow(dead_code)] // the oracles use all of it
#[path = "../tests/programs/mod.rs"]
mod programs;

use cpu_time::ProcessTime;
use large::TEN_MEGABYTES;
use rayman_rdna2::trace::{descriptors, Options};
use rayman_rdna2::wave::{Image, Launch, Limits, Program};
use rayman_rdna2::{Cfg, Decoder, Wave};

fn main() {
    let row = |shape: &str, cells: [String; 8]| {
        let [bytes, instructions, blocks, loops, accesses, graph, loop_time, both] = cells;
        println!(
            "| {shape:17} | {bytes:>8} | {instructions:>12} | {blocks:>8} | {loops:>7} | {accesses:>8} | {graph:>7} | {loop_time:>7} | {both:>11} |"
        );
    };
    row(
        "shape",
        ["bytes", "instructions", "blocks", "loops", "accesses", "graph s", "loops s", "descriptors s"]
            .map(String::from),
    );
    row("---", ["---"; 8].map(String::from));
    let shapes = [
        ("noise", large::noise(TEN_MEGABYTES)),
        ("branches", large::branches(TEN_MEGABYTES)),
        ("loops in loops", large::loops(TEN_MEGABYTES)),
        ("one program", large::one_program(TEN_MEGABYTES)),
        ("textures", large::textures(8000)),
        ("accesses in loops", large::accesses_in_loops(TEN_MEGABYTES / 24)),
    ];
    for (shape, code) in &shapes {
        let start = ProcessTime::now();
        let lap = || start.elapsed().as_secs_f64();
        let cfg = Cfg::build(code, 0, Wave::W64).expect("an instruction at 0");
        let graph = lap();
        let loops = cfg.loops().all().len();
        let with_loops = lap();
        let found = descriptors(&cfg, Options::default());
        let whole = lap();
        let counts = [code.len(), cfg.instructions().len(), cfg.order().len(), loops, found.accesses.len()];
        let [bytes, instructions, blocks, loops, accesses] = counts.map(|count| count.to_string());
        let [graph, loop_time, both] = [graph, with_loops - graph, whole - with_loops].map(|time| format!("{time:.2}"));
        row(shape, [bytes, instructions, blocks, loops, accesses, graph, loop_time, both]);
    }
    println!();
    let code = &shapes[0].1;
    let start = ProcessTime::now();
    let decoded = Decoder::new(code, Wave::W32).filter_map(Result::ok);
    let (mut named, mut letters) = (0, 0);
    for instruction in decoded {
        named += usize::from(instruction.opcode.is_some());
        letters += instruction.to_string().len() + instruction.reads().len() + instruction.writes().len();
    }
    let seconds = start.elapsed().as_secs_f64();
    println!(
        "decoded, printed and asked for their registers: {} bytes of noise in {seconds:.2} s; {named} with a name",
        code.len()
    );
    assert!(letters > 0);
    let code = &shapes[5].1;
    let start = ProcessTime::now();
    let cfg = Cfg::build(code, 0, Wave::W32).expect("code");
    let launch = Launch::new(Wave::W32).with_user_data(&[Some(1); 8]).with_lanes(0xffff_ffff);
    let uses = Program::new(&cfg).prepare(&[launch], &Image::new(), Limits::default()).uses.len();
    let seconds = start.elapsed().as_secs_f64();
    println!(
        "a wave's preparation: {} bytes of accesses in loops in {seconds:.2} s; {uses} uses of descriptors",
        code.len()
    );
}
