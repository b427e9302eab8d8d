//! `rayman shader descriptors` with user data and memory, through the binary.

mod scratch;

use scratch::Scratch;
use serde_json::{json, Value};

/// A loop that holds the access; its descriptor is loaded from a table and moved by 0x100. The same as `loop_holds.s` of
/// rayman-rdna2: s_load_dwordx4 s[0:3], s[4:5], 0; s_waitcnt; s_add_u32 s0, s0, 0x100; s_and_b32 s1, s1, 0xffff;
/// buffer_load_dword v1, v0, s[0:3], 0 offen; s_waitcnt; v_cmp_gt_u32 vcc_lo, 0x4000000, v1; s_cbranch_vccnz to the load; s_endpgm.
const CODE: [u32; 14] = [
    0xf408_0002,
    0xfa00_0000,
    0xbf8c_c07f,
    0x8000_ff00,
    0x100,
    0x8701_ff01,
    0xffff,
    0xe030_1000,
    0x8000_0100,
    0xbf8c_3f70,
    0x7d88_02ff,
    0x0400_0000,
    0xbf87_fffa,
    0xbf81_0000,
];

const IMAGE: &str = "[[segment]]\naddress = 0x10000\nwords = [0x2000, 0x70001, 64, 0x31016fac]\n";

fn scratch(name: &str) -> Scratch {
    let scratch = Scratch::new(name);
    std::fs::write(scratch.0.join("code"), CODE.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<u8>>())
        .expect("a file");
    scratch.write("image.toml", IMAGE);
    scratch
}

const RUN: [&str; 8] =
    ["shader", "descriptors", "code", "--raw", "--memory", "image.toml", "--user-data", "0,0,0,0,0x10000,0"];

#[test]
fn a_computed_descriptor_is_shown_word_by_word() {
    let outcome = scratch("computed_text").rayman(&RUN);
    assert_eq!((outcome.code, outcome.err.as_str()), (Some(0), ""), "{outcome:?}");
    assert!(outcome.out.contains("it stopped at 0x30, a loop that the host cannot decide"), "{}", outcome.out);
    let line = "0x1c     s[0:3]     0x00002100 0x00000001 0x00000040 0x31016fac";
    assert!(outcome.out.contains(line), "{}", outcome.out);
}

#[test]
fn as_json_and_refused_where_the_table_is_not_known() {
    let scratch = scratch("computed_json");
    let computed = |arguments: &[&str]| -> Value {
        let outcome = scratch.rayman(arguments);
        assert_eq!(outcome.code, Some(0), "{outcome:?}");
        serde_json::from_str::<Value>(&outcome.out).expect("JSON")["computed"]["uses"].clone()
    };
    let words = json!([[0x2100, 1, 64, 0x3101_6fac]]);
    assert_eq!(
        computed(&[&RUN[..], &["--json"]].concat()),
        json!([{ "offset": 0x1c, "registers": "s[0:3]", "descriptors": words }])
    );
    let unknown = ["shader", "descriptors", "code", "--raw", "--json", "--user-data", "0,0,0,0,?,0"];
    let refusal = "the descriptor is not known where the run is at 0x1c";
    assert_eq!(computed(&unknown), json!([{ "offset": 0x1c, "registers": "s[0:3]", "refusal": refusal }]));
}

#[test]
fn an_image_that_cannot_be_is_an_error_that_says_so() {
    let scratch = scratch("computed_bad_image");
    for (image, complaint) in [
        ("[[segment]]\naddress = 2\nwords = [1]\n", "no multiple of 4"),
        ("[[segment]]\naddress = 0\nwords = [1]\n[[segment]]\naddress = 0\nwords = [1]\n", "overlaps"),
        ("[[segment]]\nplace = 0\n", "unknown field"),
    ] {
        scratch.write("image.toml", image);
        let outcome = scratch.rayman(&RUN);
        assert_eq!(outcome.code, Some(2), "{outcome:?}");
        assert!(outcome.err.contains(complaint) && outcome.err.contains("help: "), "{}", outcome.err);
    }
}
