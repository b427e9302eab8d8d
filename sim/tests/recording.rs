//! Recordings of a block's clocks, and mutants before them.

use rayman_sim::recording::{miter::Rules, Noticed, Recording, RecordingError};
use rayman_sim::verilated::block::Sample;
use std::path::PathBuf;

/// A sum with a register behind it; mutant 1 forgets a carry, mutant 2 is no mutation that can be seen in the lowest eight bits.
const MUTANTS: &str = "
module adder(clock, a, b, q, mutsel);
  input clock;
  input [7:0] a;
  input [7:0] b;
  output [7:0] q;
  input [1:0] mutsel;
  reg [7:0] q;
  wire [7:0] sum;
  wire [7:0] low;
  assign sum = a + b;
  assign low = { a[7:4] ^ b[7:4], sum[3:0] };
  always @(posedge clock) q <= (mutsel == 2'd1) ? low : sum;
endmodule
";

fn names(names: &[&str]) -> Vec<String> {
    names.iter().map(|&name| name.to_owned()).collect()
}

/// All pairs of small numbers, and one whose sum has a carry in the middle: in clock 40, with its answer after the edge.
fn recording(carry: bool) -> Recording {
    let mut recording = Recording::new(names(&["a", "b"]), names(&["q"]), Sample::AfterEdge);
    for clock in 0..1200u64 {
        let (a, b) = if carry && clock == 1040 { (0x1F, 0x01) } else { (clock % 8, clock / 8 % 8) };
        recording.push(&[a, b], &[a + b], [clock > 2]);
    }
    recording
}

#[test]
fn a_mutant_is_noticed_in_the_clock_that_shows_it() {
    let judge = |recording: &Recording, number| recording.judge(MUTANTS, "adder", "mutsel", number).expect("runs");
    assert_eq!(judge(&recording(true), 0), None, "no mutant");
    assert_eq!(judge(&recording(true), 1), Some(Noticed { clock: 1040, output: "q".to_owned() }));
    assert_eq!(judge(&recording(true), 2), None);
    assert_eq!(judge(&recording(false), 1), None, "nothing shows it");
    let other = Recording::new(names(&["a", "c"]), names(&["q"]), Sample::AfterEdge);
    assert!(matches!(other.judge(MUTANTS, "adder", "mutsel", 0), Err(RecordingError::Ports { .. })));
}

#[test]
fn a_recording_comes_back_from_its_file_and_half_a_one_does_not() {
    let folder = std::env::temp_dir().join(format!("rayman-recording-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let path: PathBuf = folder.join("adder.trace");
    let mut started = recording(true);
    started.start(&[("q".to_owned(), 7), ("r".to_owned(), 0)]);
    started.save(&folder, "adder", MUTANTS, &Rules::default()).expect("is written");
    assert_eq!(std::fs::read_to_string(folder.join("adder.start")).expect("is there"), "q 7\nr 0\n");
    let back = Recording::load(&folder, "adder").expect("is read");
    assert_eq!(back.clocks(), 1200);
    assert_eq!(std::fs::read_to_string(folder.join("adder.v")).expect("is there"), MUTANTS);
    let bytes = std::fs::read(&path).expect("is there");
    for (length, whole) in [(bytes.len() - 32, true), (bytes.len() - 8, false), (9, false), (3, false), (0, false)] {
        std::fs::write(&path, &bytes[..length]).expect("is written");
        assert_eq!(Recording::load(&folder, "adder").is_ok(), whole, "{length} bytes");
    }
    assert!(matches!(Recording::load(&folder, "other"), Err(RecordingError::File { .. })));
    std::fs::remove_dir_all(folder).expect("is removed");
}
