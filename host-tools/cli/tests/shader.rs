//! `rayman shader`, through the binary: text, JSON and pictures; objects and raw code; what is no shader.

mod scratch;

use std::process::Command;

use scratch::Scratch;
use serde_json::{json, Value};

/// Two paths to a sample, one by a load; and a loop.
const SHADER: &str = "
first:
  s_cbranch_scc1 .Lpast
  s_load_dwordx8 s[8:15], s[2:3], 0x40
.Lpast:
  s_waitcnt lgkmcnt(0)
  image_sample v[0:3], v[0:1], s[8:15], s[4:7] dmask:0xf dim:SQ_RSRC_IMG_2D
.Lhead:
  s_add_i32 s0, s0, -1
  s_and_saveexec_b32 s1, vcc_lo
  s_cbranch_execz .Lnext
  buffer_load_dword v0, v1, s[4:7], 0 offen
.Lnext:
  s_mov_b32 exec_lo, s1
  s_cmp_lg_u32 s0, 0
  s_cbranch_scc1 .Lhead
  s_endpgm
";

/// Where they stand.
const SAMPLE: u64 = 0x10;
const BUFFER: u64 = 0x24;

impl Scratch {
    /// Assembles with LLVM, and writes `shader.o`.
    fn assemble(&self, source: &str) {
        self.write("shader.s", source);
        let arguments = ["-arch=amdgcn", "-mcpu=gfx1030", "-filetype=obj", "shader.s", "-o", "shader.o"];
        let output = Command::new("llvm-mc-19").args(arguments).current_dir(&self.0).output();
        let output = output.expect("llvm-mc-19, which `cargo xtask setup` installs");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }

    fn ok(&self, arguments: &[&str]) -> String {
        let outcome = self.rayman(arguments);
        assert_eq!((outcome.code, outcome.err.as_str()), (Some(0), ""), "{outcome:?}");
        outcome.out
    }

    #[track_caller]
    fn fails(&self, arguments: &[&str], words: &[&str]) {
        let outcome = self.rayman(arguments);
        assert_eq!((outcome.code, outcome.out.as_str()), (Some(2), ""), "{outcome:?}");
        for word in words.iter().chain(&["error: ", "\n  help: "]) {
            assert!(outcome.err.contains(word), "expected {word:?} in {outcome:?}");
        }
    }
}

#[test]
fn descriptors_as_text() {
    let scratch = Scratch::new("shader_text");
    scratch.assemble(SHADER);
    let text = scratch.ok(&["shader", "descriptors", "shader.o"]);
    let lines: Vec<_> = text.lines().collect();
    let [sample, sampler, buffer, texture, at, first, sum] = lines[..] else { panic!("{text}") };
    assert_eq!(sample, "0x10     image sample       s[8:15]    table [user data 2:3]+0x40, which a path skips");
    assert_eq!(sampler, "           sampler          s[4:7]     user data 4");
    let refused = "refused: s4 holds what the loop at 0x18 may have written on every path";
    assert_eq!(buffer, format!("0x24     buffer load        s[4:7]     {refused}"));
    assert_eq!(texture, "texture  table [user data 2:3]+0x40");
    assert_eq!((at, first), ("  accessed at 0x10", "  sampler of the first access: user data 4"));
    assert_eq!(sum, "2 accesses, 1 refused");
    // Fewer user data: the sampler is not among them.
    let text = scratch.ok(&["shader", "descriptors", "shader.o", "--user-registers", "4"]);
    assert!(text.contains("s4 holds what s4 held at the start, which is no user data"), "{text}");
}

#[test]
fn descriptors_as_json() {
    let scratch = Scratch::new("shader_json");
    scratch.assemble(SHADER);
    let text = scratch.ok(&["shader", "descriptors", "shader.o", "--json"]);
    let report: Value = serde_json::from_str(&text).expect("JSON");
    let table = json!({ "place": "table", "pointer": { "low": 2, "high": { "user_data": 3 } }, "offset": 0x40 });
    let [sample, buffer] = &report["accesses"].as_array().expect("a list")[..] else { panic!("{report}") };
    assert_eq!((&sample["offset"], &sample["kind"]), (&json!(SAMPLE), &json!("image sample")));
    assert_eq!(sample["descriptor"], json!({ "registers": "s[8:15]", "source": table, "loads": [4], "skipped": true }));
    assert_eq!(sample["sampler"]["source"], json!({ "place": "user_data", "register": 4 }));
    assert!(sample["instruction"].as_str().is_some_and(|text| text.starts_with("image_sample v[0:3]")));
    assert_eq!(buffer["offset"], json!(BUFFER));
    assert!(buffer["descriptor"]["refusal"].as_str().is_some_and(|text| text.contains("0x18")), "{buffer}");
    assert_eq!(report["textures"][0]["source"], table);
    assert_eq!(report["textures"][0]["accesses"], json!([SAMPLE]));
}

#[test]
fn a_graph_as_svg() {
    let scratch = Scratch::new("shader_svg");
    scratch.assemble(SHADER);
    let said = scratch.ok(&["shader", "cfg", "shader.o", "--svg", "graph.svg"]);
    assert_eq!(said, "shader.o: .text: 7 blocks, 1 loops, 2 accesses\n");
    let picture = std::fs::read_to_string(scratch.0.join("graph.svg")).expect("a picture");
    for words in [
        "block 2: 0xc to 0x18",
        "loop head",
        "image_sample v[0:3]",
        "image sample s[8:15]: table [user data 2:3]+0x40, which a path skips",
        "buffer load s[4:7]: refused: s4 holds",
        "class=\"mask\"",
        "way taken",
        "way back",
        "execz",
    ] {
        assert!(picture.contains(words), "{words}");
    }
    let open = picture.matches("<text").count();
    assert_eq!(open, picture.matches("</text>").count());
    scratch.fails(&["shader", "cfg", "shader.o", "--svg", "graph.png"], &["graphs are written as SVG"]);
}

#[test]
fn the_picture_in_the_documents_is_what_the_command_draws() {
    let scratch = Scratch::new("shader_picture");
    scratch.assemble(include_str!("../../rdna2/tests/d934/three_ways.s"));
    scratch.ok(&["shader", "cfg", "shader.o", "--svg", "three-ways.svg"]);
    let drawn = std::fs::read_to_string(scratch.0.join("three-ways.svg")).expect("a picture");
    let here = "docs/images/three-ways.svg is not what `rayman shader cfg` draws of three_ways.s";
    assert!(drawn == include_str!("../../../docs/images/three-ways.svg"), "{here}");
}

#[test]
fn raw_code_and_functions_of_objects() {
    let scratch = Scratch::new("shader_input");
    let code: Vec<u8> =
        [0xf000_0f08_u32, 0x0002_0000, 0xbf81_0000].iter().flat_map(|word| word.to_le_bytes()).collect();
    scratch.write("code.bin", &code);
    let text = scratch.ok(&["shader", "descriptors", "code.bin", "--raw", "--wave", "64"]);
    assert!(text.starts_with("0x0      image load         s[8:15]    user data 8\n"), "{text}");
    // Two functions: one is chosen, and ends where it ends.
    let two = ".type one,@function\none:\ns_nop 0\ns_endpgm\n.size one, .-one\n.type two,@function\ntwo:\nimage_load v[0:3], v[0:1], s[16:23] dmask:0xf dim:SQ_RSRC_IMG_2D\ns_endpgm\n.size two, .-two\n";
    scratch.assemble(two);
    scratch.fails(&["shader", "descriptors", "shader.o"], &["several functions", "one, two"]);
    scratch.fails(&["shader", "descriptors", "shader.o", "--function", "three"], &["no function three", "one, two"]);
    assert_eq!(scratch.ok(&["shader", "descriptors", "shader.o", "--function", "one"]), "0 accesses, 0 refused\n");
    let text = scratch.ok(&["shader", "descriptors", "shader.o", "--function", "two"]);
    assert!(text.starts_with("0x0      image load         s[16:23]   user data 16\n"), "{text}");
}

#[test]
fn what_is_no_shader_is_an_error() {
    let scratch = Scratch::new("shader_bad");
    scratch.fails(&["shader", "descriptors", "none.o"], &["none.o: cannot be read"]);
    scratch.write("empty.bin", "");
    scratch.fails(&["shader", "descriptors", "empty.bin", "--raw"], &["no instruction at the entry"]);
    scratch.fails(&["shader", "descriptors", "empty.bin"], &["is no ELF object"]);
    scratch.assemble(SHADER);
    let object = std::fs::read(scratch.0.join("shader.o")).expect("an object");
    // Cut anywhere and with any byte changed: an answer or an error, never a panic.
    for cut in (0..object.len()).step_by(object.len() / 12) {
        scratch.write("cut.o", &object[..cut]);
        let outcome = scratch.rayman(&["shader", "descriptors", "cut.o"]);
        assert!(matches!(outcome.code, Some(0 | 2)), "cut to {cut} bytes: {outcome:?}");
        assert!(!outcome.err.contains("panicked"), "{outcome:?}");
    }
    // The machine, bytes 18 and 19, is another.
    let mut other = object;
    other[18] = 62;
    scratch.write("other.o", &other);
    scratch.fails(&["shader", "descriptors", "other.o"], &["is not for amdgcn"]);
}

/// A branch round a load and a sample, a word that is no instruction, and a label.
const LISTED: &str = "main:
  s_cbranch_scc0 after
  s_load_dwordx8 s[16:23], s[4:5], 0x40
  image_sample v[0:3], v[0:2], s[16:23], s[8:11] dmask:0xf dim:SQ_RSRC_IMG_CUBE
after:
  s_endpgm
  .long 0xfc000000
";

#[test]
fn instructions_are_listed_with_labels_and_counts() {
    let scratch = Scratch::new("shader_disasm");
    scratch.assemble(LISTED);
    let text = scratch.ok(&["shader", "disasm", "shader.o"]);
    let lines = text.lines().collect::<Vec<_>>();
    assert_eq!(lines[0], "main:");
    assert!(lines[1].starts_with("  s_cbranch_scc0 4 ") && lines[1].ends_with("; 000000: bf840004"), "{text}");
    assert!(lines[3].trim_start().starts_with("image_sample v[0:3], v[0:2], s[16:23], s[8:11] dmask:0xf"), "{text}");
    assert_eq!(lines[4], "after:");
    assert!(lines[6].trim_start().starts_with("unknown encoding"), "{text}");
    assert_eq!(lines[7], "; 5 instructions, 1 without a name, 28 bytes");
}

#[test]
fn listed_instructions_as_json_have_registers_and_targets() {
    let scratch = Scratch::new("shader_disasm_json");
    scratch.assemble(LISTED);
    let report: Value = serde_json::from_str(&scratch.ok(&["shader", "disasm", "--json", "shader.o"])).expect("JSON");
    assert_eq!(report["unknown"], 1);
    assert_eq!(report["symbols"][0]["name"], "main");
    let rows = report["instructions"].as_array().expect("a list");
    assert_eq!((rows.len(), &rows[0]["target"]), (5, &json!(20)));
    assert_eq!(rows[0]["reads"], json!(["scc"]));
    assert_eq!(rows[1]["writes"].as_array().map(Vec::len), Some(8));
    assert_eq!((rows[2]["opcode"].as_str(), rows[2]["encoding"].as_str()), (Some("image_sample"), Some("MIMG")));
    assert!(rows[4]["opcode"].is_null());
}

#[test]
fn raw_code_is_listed_for_either_wave() {
    let scratch = Scratch::new("shader_disasm_raw");
    // v_cmp_lt_f32 and an end: the mask is as wide as the wave.
    scratch.write("code.bin", [0x00, 0x03, 0x02, 0x7c, 0x00, 0x00, 0x81, 0xbf]);
    let text = scratch.ok(&["shader", "disasm", "code.bin", "--raw"]);
    assert!(text.contains("v_cmp_lt_f32_e32 vcc_lo, v0, v1"), "{text}");
    let text = scratch.ok(&["shader", "disasm", "code.bin", "--raw", "--wave", "64"]);
    assert!(text.contains("v_cmp_lt_f32_e32 vcc, v0, v1"), "{text}");
    scratch.fails(&["shader", "disasm", "code.bin"], &["is no ELF object", "--raw"]);
    scratch.write("half.bin", [0x02, 0x04, 0x0c, 0xf4]);
    scratch.fails(&["shader", "disasm", "half.bin", "--raw"], &["at byte 0x0 needs 8 bytes, and 4 are left"]);
}
