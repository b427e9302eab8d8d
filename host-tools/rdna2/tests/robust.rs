//! Bytes that are no shader: an error or an instruction without a name, never a panic.

use proptest::prelude::*;
use rayman_rdna2::isa::Flow;
use rayman_rdna2::{DecodeError, Decoder, InputError, Program, Wave};

/// Decodes all of some bytes, and asks each instruction all that it can say. Answers how many have a name.
fn exercise(code: &[u8], wave: Wave) -> usize {
    let mut named = 0;
    let mut end = 0;
    for decoded in Decoder::new(code, wave) {
        match decoded {
            Ok(instruction) => {
                assert_eq!(instruction.offset, end, "no byte is left out");
                assert!((4..=20).contains(&instruction.size) && instruction.size % 4 == 0);
                end = instruction.end();
                let text = instruction.to_string();
                let (reads, writes) = (instruction.reads(), instruction.writes());
                if instruction.opcode.is_none() {
                    assert!(text.starts_with("unknown") && reads.is_empty() && writes.is_empty());
                    assert_eq!(instruction.flow(), Flow::Unknown);
                } else {
                    named += 1;
                }
            }
            Err(DecodeError::Truncated { offset, needed, left }) => {
                assert_eq!(offset, end);
                assert!(left < needed && left as u64 == code.len() as u64 - offset);
                return named;
            }
            Err(error) => panic!("{error}"),
        }
    }
    assert_eq!(end, code.len() as u64);
    named
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(2000) })]

    #[test]
    fn random_bytes_are_decoded_to_their_end(code in prop::collection::vec(any::<u8>(), 0..400), wide in any::<bool>()) {
        exercise(&code, if wide { Wave::W64 } else { Wave::W32 });
    }

    /// Words of which each begins as one encoding does: what random words seldom are.
    #[test]
    fn words_of_every_encoding_are_decoded(words in prop::collection::vec((0..18_u32, any::<u32>()), 1..60)) {
        const STARTS: [(u32, u32); 18] = [
            (0, 1), (0x7c00_0000, 7), (0x7e00_0000, 7), (0x8000_0000, 2), (0xb000_0000, 4), (0xbe80_0000, 9),
            (0xbf00_0000, 9), (0xbf80_0000, 9), (0xc800_0000, 6), (0xcc00_0000, 6), (0xd400_0000, 6), (0xd800_0000, 6),
            (0xdc00_0000, 6), (0xe000_0000, 6), (0xe800_0000, 6), (0xf000_0000, 6), (0xf400_0000, 6), (0xf800_0000, 6),
        ];
        let code = words.iter().flat_map(|&(encoding, word)| {
            let (start, bits) = STARTS[encoding as usize];
            (start | word & (u32::MAX >> bits)).to_le_bytes()
        });
        exercise(&code.collect::<Vec<_>>(), Wave::W32);
    }

    #[test]
    fn a_truncated_or_damaged_object_is_refused_or_read(cut in 0..OBJECT_BYTES, at in 0..OBJECT_BYTES, bits in 1_u8..) {
        let object = object(&[0xbf81_0000; 8]);
        // All that may be is an error or a program.
        if let Ok(program) = Program::elf(&object[..cut]) {
            exercise(&program.code, Wave::W32);
        }
        let mut damaged = object;
        damaged[at] ^= bits;
        if let Ok(program) = Program::elf(&damaged) {
            exercise(&program.code, Wave::W32);
        }
    }
}

/// Bytes of [`object`] with eight words of code.
const OBJECT_BYTES: usize = 64 + 32 + 8 + 24 + 72 + 48 + 5 * 64;

/// An ELF object with a shader `main`, byte by byte: head, code, names, symbols, section heads.
fn object(code: &[u32]) -> Vec<u8> {
    let code = code.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<_>>();
    let names = b"\0main\0\0\0";
    let sections = b"\0.text\0.strtab\0.symtab\0\0";
    let mut symbols = vec![0; 24];
    // Name, information (global function), section, value, size.
    symbols.extend([1, 0, 0, 0, 0x12, 0, 1, 0]);
    symbols.extend(0_u64.to_le_bytes());
    symbols.extend((code.len() as u64).to_le_bytes());
    symbols.extend([0; 24]);
    let mut file = vec![0x7f, b'E', b'L', b'F', 2, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0];
    file.extend([1, 0, 224, 0, 1, 0, 0, 0]);
    file.extend([0; 16]);
    let heads = 64 + code.len() + names.len() + sections.len() + symbols.len() + 48;
    file.extend((heads as u64).to_le_bytes());
    // Flags (gfx1030), sizes of the heads, five sections, names of the sections in the third.
    file.extend(0x36_u32.to_le_bytes());
    file.extend([64, 0, 0, 0, 0, 0, 64, 0, 5, 0, 3, 0]);
    let mut places = Vec::new();
    for part in [&code[..], names, sections, &symbols, &[0; 48]] {
        places.push((file.len() as u64, part.len() as u64));
        file.extend(part);
    }
    // Name, kind, flags, address, offset, size, link, info, alignment, entry size.
    let mut head = |name: u32, kind: u32, flags: u64, place: (u64, u64), link: u32, info: u32, entry: u64| {
        file.extend(name.to_le_bytes());
        file.extend(kind.to_le_bytes());
        file.extend(flags.to_le_bytes());
        file.extend([0; 8]);
        file.extend(place.0.to_le_bytes());
        file.extend(place.1.to_le_bytes());
        file.extend(link.to_le_bytes());
        file.extend(info.to_le_bytes());
        file.extend(4_u64.to_le_bytes());
        file.extend(entry.to_le_bytes());
    };
    head(0, 0, 0, (0, 0), 0, 0, 0);
    head(1, 1, 6, places[0], 0, 0, 0);
    head(7, 3, 0, places[1], 0, 0, 0);
    head(7, 3, 0, places[2], 0, 0, 0);
    head(15, 2, 0, (places[3].0, 48), 2, 1, 24);
    file
}

#[test]
fn an_object_has_its_code_and_its_symbols() {
    let file = object(&[0xbf81_0000; 8]);
    assert_eq!(file.len(), OBJECT_BYTES);
    let program = Program::elf(&file).expect("an object");
    assert_eq!(program.code.len(), 32);
    let names =
        program.symbols.iter().map(|symbol| (symbol.name.as_str(), symbol.offset, symbol.size, symbol.function));
    assert_eq!(names.collect::<Vec<_>>(), [("main", 0, 32, true)]);
    assert_eq!(program.symbol_at(12).map(|symbol| symbol.name.as_str()), Some("main"));
}

#[test]
fn files_that_are_no_such_objects_say_what_they_are() {
    let file = object(&[0xbf81_0000; 8]);
    let with = |at: usize, byte: u8| {
        let mut file = file.clone();
        file[at] = byte;
        Program::elf(&file).expect_err("refused")
    };
    assert!(matches!(Program::elf(b""), Err(InputError::NotElf)));
    assert!(matches!(Program::elf(b"#version 450"), Err(InputError::NotElf)));
    assert!(matches!(with(18, 62), InputError::OtherMachine { machine: 62 }));
    assert!(matches!(with(48, 0x41), InputError::OtherGpu { number: 0x41 }));
    // The name of `.text` is another one.
    let name = file.windows(6).position(|window| window == b".text\0").expect("the name");
    assert!(matches!(with(name, b'_'), InputError::NoCode));
    assert!(matches!(Program::elf(&file[..70]), Err(InputError::Damaged(_))));
}
