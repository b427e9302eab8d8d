//! Every opcode that the table names, in each encoding that it has.

use std::collections::{BTreeMap, BTreeSet};

use rayman_rdna2::decode::decode_at;
use rayman_rdna2::isa::Family;
use rayman_rdna2::{Opcode, Wave};

use crate::tool::disassemble;

/// Source code of `v16`; `v24` and `v32` in the other sources.
const V16: u32 = 256 + 16;
const V24: u32 = 256 + 24;
const V32: u32 = 256 + 32;

/// Encodings of the long vector form: three, two or one source, with signs and other fields or without.
fn long(number: u32) -> Vec<Vec<u32>> {
    let first = 0xd400_0008 | number << 16;
    let sources = [
        V16 | V24 << 9 | V32 << 18,
        V16 | V24 << 9,
        V16,
        0,
        V16 | V24 << 9 | 32 << 18,
        V16 | 24 << 9 | V32 << 18,
        V16 | 24 << 9 | 193 << 18,
        16 | 24 << 9,
        V16 | 24 << 9,
        242 | 193 << 9 | 248 << 18,
        242 | 248 << 9,
        248,
        // The interpolated attribute 3, component z, upper half.
        3 | 2 << 6 | 1 << 8 | V24 << 9 | V32 << 18,
        3 | 2 << 6 | V24 << 9,
        3 | 2 << 6 | 1 << 9,
    ];
    let fields = [
        (0, 0),
        (1 << 15, 0),
        (0, 1 << 27),
        (0, 3 << 27),
        (1 << 8, 1 << 29),
        (2 << 8, 2 << 29),
        (4 << 8, 4 << 29),
        (5 << 11, 0),
        (8 << 11, 0),
        (6 << 8, 0),
    ];
    sources
        .iter()
        .flat_map(|second| fields.iter().map(move |(low, high)| vec![first | low, second | high]))
        .chain([vec![first, 255 | V24 << 9 | V32 << 18, 0x3f80_1234], vec![first, 255 | V24 << 9, 0x1234_3c00]])
        .chain([vec![first, 255, 0x4000_0000]])
        .collect()
}

/// Encodings of a short vector form, whose first word has all but the first source.
fn short(first: u32) -> Vec<Vec<u32>> {
    let plain = [V16, 0, 16, 106, 128, 193, 208, 242, 248, 252, 253].map(|source| vec![first | source]);
    let literals = [1, 0x3c00, 0x3f80_0000, 0x3fc4_5f30, 0x1234_5678, 0xffff_fff0];
    let literals = literals.into_iter().flat_map(|literal| [255, V16].map(|source| vec![first | source, literal]));
    let sub_words = [
        0x0606_0610,
        0x0006_0610,
        0x0601_0510,
        0x1616_1410,
        0x0e0e_0610,
        0x000e_0210,
        0x2626_0610,
        0x0606_a610,
        0x8686_0610,
        0x0606_8210,
        0x0606_0010,
        0x0006_0000,
    ];
    let rows = [
        0xff00_1b10,
        0xfa08_0110 | 0x110 << 8,
        0x5f04_0010 | 0x14 << 12,
        0xff50_0010 | 0x101 << 8,
        0xffa0_0010 | 0x153 << 8,
        0xff00_0010 | 0x121 << 8,
        0xff00_0010 | 0x16f << 8,
        0xff00_1b00,
    ];
    let words = sub_words.map(|word| (249, word)).into_iter().chain(rows.map(|word| (250, word)));
    let groups = [(233, 0xfac6_8810), (234, 0x0539_7710), (233, 0xfac6_8800)];
    let special = words.chain(groups).map(|(source, word)| vec![first | source, word]);
    plain.into_iter().chain(literals).chain(special).collect()
}

/// Encodings of an opcode. Some have fields that it does not have, and are refused.
fn encodings(opcode: Opcode) -> Vec<Vec<u32>> {
    let n = u32::from(opcode.number());
    let each = |words: &[u32], first: u32| words.iter().map(|&word| vec![first, word]).collect::<Vec<_>>();
    match opcode.family() {
        Family::Sop2 => [0x1810, 0x9804_u32, 0xf0c1, 0xff10, 0x10ff, 0x6a7e]
            .map(|sources| vec![0x8008_0000 | n << 23 | sources, 0x1234])
            .map(|mut words| {
                if !words[0].to_le_bytes()[..2].contains(&255) {
                    words.pop();
                }
                words
            })
            .to_vec(),
        Family::Sop1 => [16, 0xc1, 0xf2, 0x7e, 0xfd, 0x7c].map(|source| vec![0xbe88_0000 | n << 8 | source]).to_vec(),
        Family::Sopc => [0x1810, 0xf2c1, 0x7e6a].map(|sources| vec![0xbf00_0000 | n << 16 | sources]).to_vec(),
        Family::Sopk => [4, 0xfffe, 0x1841, 0xf801]
            .map(|immediate| vec![0xb008_0000 | n << 23 | immediate, 0x1234_5678])
            .into_iter()
            .flat_map(|words| [words.clone(), words[..1].to_vec()])
            .collect(),
        Family::Sopp => {
            [0, 3, 0x21, 0x3f70, 0xc07f, 0xffff].map(|immediate| vec![0xbf80_0000 | n << 16 | immediate]).to_vec()
        }
        Family::Smem => {
            let first = 0xf400_0208 | n << 18;
            let offsets = [0xfa00_0010, 0xfa1f_fffc, 0x0800_0000, 0x0800_0020, 0xfa00_0000];
            [each(&offsets, first), each(&offsets, first | 1 << 16 | 1 << 14), each(&offsets, first & !0x7fff)].concat()
        }
        Family::Vop1 => {
            let first = 0x7e00_0000 | n << 9;
            [short(first | 8 << 17), short(first), long(0x180 + n)].concat()
        }
        Family::Vop2 => [short(n << 25 | 8 << 17 | 24 << 9), long(0x100 + n)].concat(),
        Family::Vopc => [short(0x7c00_0000 | n << 17 | 24 << 9), long(n)].concat(),
        Family::Vop3 => long(n),
        Family::Vop3p => {
            let first = 0xcc00_0008 | n << 16;
            let sources = [V16 | V24 << 9 | V32 << 18, V16 | V24 << 9, 242 | 193 << 9 | V32 << 18, 242 | 193 << 9];
            let fields = [(1 << 14, 3 << 27), (0, 0), (1 << 14 | 1 << 11, 3 << 27), (3 << 8, 3 << 27 | 1 << 29)];
            let clamped = (1 << 15 | 1 << 14, 3 << 27 | 2 << 29);
            let fields = fields.iter().chain([&clamped]);
            fields.flat_map(|(a, b)| sources.map(|source| vec![first | a, source | b])).collect()
        }
        Family::Vintrp => {
            let words = [16, 2].map(|source| vec![0xc800_0000 | 8 << 18 | n << 16 | 3 << 10 | 2 << 8 | source]);
            words.into_iter().chain(long(0x200 + n)).collect()
        }
        Family::Ds => {
            let fields = (0..16_u32).map(|kept| {
                let keep = |bit: u32, value: u32| if kept >> bit & 1 == 0 { value } else { 0 };
                keep(0, 16) | keep(1, 24) << 8 | keep(2, 32) << 16 | keep(3, 8) << 24
            });
            let offsets = [0, 0x0201, 0x801b, 0x041f, 0x7c1f, 0x0c10, 1 << 17 | 0x0404];
            fields.flat_map(|word| offsets.map(|offset| vec![0xd800_0000 | n << 18 | offset, word])).collect()
        }
        Family::Flat | Family::Scratch | Family::Global => {
            let segment = match opcode.family() {
                Family::Flat => 0,
                Family::Scratch => 1,
                _ => 2,
            };
            let first = 0xdc00_0000 | n << 18 | segment << 14;
            let scalar = [0x7d, 2, 0x7f];
            let fields = scalar.into_iter().flat_map(|scalar| {
                [16 | 24 << 8 | 8 << 24, 16 | 24 << 8, 16 | 8 << 24, 24 << 8, 8 << 24].map(|word| word | scalar << 16)
            });
            let first = [0, 4, 0xffc, 1 << 16, 0x1000 | 3 << 16].map(|field| first | field);
            fields.flat_map(|word| first.map(|first| vec![first, word])).collect()
        }
        Family::Mubuf => {
            let first = 0xe000_0000 | (n & 0x7f) << 18 | (n >> 7) << 25;
            let fields = [0, 1 << 12 | 4, 1 << 13, 3 << 12 | 0xfff, 3 << 14, 1 << 16 | 1 << 12];
            let words = [16 | 8 << 8 | 2 << 16 | 3 << 24, 8 << 8 | 2 << 16 | 0x80 << 24, 0];
            let more = [16 | 8 << 8 | 2 << 16 | 3 << 24 | 1 << 22, 16 | 8 << 8 | 2 << 16 | 0xc1 << 24 | 1 << 23];
            let words = words.into_iter().chain(more);
            words.flat_map(|word| fields.map(|field| vec![first | field, word])).collect()
        }
        Family::Mtbuf => {
            let first = 0xe800_0000 | (n & 7) << 16;
            let word = 16 | 8 << 8 | 2 << 16 | 3 << 24 | (n >> 3) << 21;
            (0..128).map(|format| vec![first | format << 19 | (format % 4) << 12 | (format % 4) << 14, word]).collect()
        }
        Family::Mimg => {
            let first = 0xf000_0000 | (n & 0x7f) << 18 | n >> 7;
            let base = 16 | 8 << 8 | 4 << 16;
            // Every dimension; and further fields of two of them, with addresses in one range or in any registers.
            let dims = (0..8).map(|dim| (dim, 15, 0, 0)).chain([(1, 1, 0, 0), (1, 3, 0, 0), (3, 7, 0, 0)]);
            let fields = [
                (1, 1, 1 << 13 | 1 << 25, 0),
                (3, 5, 1 << 16, 0),
                (1, 1, 1 << 12 | 1 << 7, 0),
                (0, 15, 1 << 15 | 1 << 12, 0),
                (0, 15, 1 << 15 | 1 << 12, 1 << 30),
                (3, 15, 0, 1 << 30),
                (2, 15, 0, 1 << 30),
                (5, 7, 1 << 17, 1 << 31),
                (3, 1, 1 << 15, 0),
            ];
            let mut all = Vec::new();
            for (dim, dmask, more, second) in dims.chain(fields) {
                for sampler in [8 << 21, 0] {
                    let words = [first | dim << 3 | dmask << 8 | more, base | sampler | second];
                    all.push(words.to_vec());
                    for count in 1..=3 {
                        let addresses = &[0x0403_0201, 0x0807_0605, 0x0c0b_0a09][..count];
                        all.push([&[words[0] | (count as u32) << 1, words[1]], addresses].concat());
                    }
                }
            }
            all
        }
        Family::Exp => (0..64_u32)
            .map(|target| vec![0xf800_0000 | target << 4 | ((target + 15) % 16) | (target % 8) << 10, 0x0403_0201])
            .collect(),
    }
}

/// Encodings that LLVM shows with operands they cannot have, or as a form of the instruction that they are not.
fn is_strange(text: &str) -> bool {
    ["Invalid", "invalid_target", "invalid_param", "is not supported"].iter().any(|sign| text.contains(sign))
}

#[test]
fn every_opcode_is_shown_as_llvm_shows_it() {
    let mut compared = 0;
    let mut differences = 0;
    let mut first_differences = BTreeMap::new();
    for wave in [Wave::W32, Wave::W64] {
        // Only vector instructions have masks, whose width is the wave's.
        let vector = |family| matches!(family, Family::Vop1 | Family::Vop2 | Family::Vopc | Family::Vop3);
        let chosen = Opcode::all().filter(|opcode| wave == Wave::W32 || vector(opcode.family()));
        let all = chosen.flat_map(|opcode| encodings(opcode).into_iter().map(move |words| (opcode, words)));
        let (opcodes, encodings): (Vec<_>, Vec<_>) = all.unzip();
        let mut never = opcodes.iter().map(|opcode| opcode.name()).collect::<BTreeSet<_>>();
        let theirs = disassemble(&encodings, wave);
        let mut equal = BTreeSet::new();
        for ((opcode, words), theirs) in opcodes.iter().zip(&encodings).zip(&theirs) {
            let code = words.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<_>>();
            let Ok(ours) = decode_at(&code, 0, wave) else { continue };
            let Some(theirs) = theirs.as_ref().filter(|theirs| !is_strange(theirs)) else { continue };
            // An encoding that is refused here is compared by those of its opcode that are not.
            if ours.opcode != Some(*opcode) || usize::from(ours.size) != code.len() {
                continue;
            }
            compared += 1;
            if ours.to_string() == *theirs {
                equal.insert(opcode.name());
            } else {
                differences += 1;
                let text = || format!("{words:08x?} {wave:?}: {ours} | {theirs}");
                first_differences.entry(opcode.name()).or_insert_with(text);
            }
        }
        never.retain(|name| !equal.contains(name));
        assert!(never.is_empty(), "never compared with LLVM: {never:?}");
    }
    let opcodes = Opcode::all().count();
    println!("{opcodes} opcodes, {compared} encodings compared with llvm-mc, {differences} differ");
    assert_eq!(differences, 0, "{first_differences:#?}");
}
