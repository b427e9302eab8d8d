//! Instructions of each encoding by their bits: operands, effects, flow, length.

use rayman_rdna2::isa::{Condition, Flow, RegisterRange, Slot};
use rayman_rdna2::{DecodeError, Decoder, Instruction, Opcode, Register, Value, Wave};

fn code(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

fn decode(words: &[u32]) -> Vec<Instruction> {
    Decoder::new(&code(words), Wave::W32).collect::<Result<_, _>>().expect("whole instructions")
}

fn sgprs(first: u8, words: u8) -> Value {
    Value::Registers(RegisterRange { first: Register::Sgpr(first), words })
}

#[test]
fn a_scalar_add_reads_its_sources_and_writes_scc() {
    // s_addc_u32 s8, s16, 0x1234
    let all = decode(&[0x8208_ff10, 0x1234]);
    let [add] = &all[..] else { panic!("one instruction, not {all:?}") };
    assert_eq!(add.opcode, Some(Opcode::s_addc_u32));
    assert_eq!((add.size, add.flow()), (8, Flow::Next));
    assert_eq!(add.operand(Slot::Src1).map(|operand| operand.value), Some(Value::Literal(0x1234)));
    assert_eq!(add.reads().iter().collect::<Vec<_>>(), [Register::Sgpr(16), Register::Scc]);
    assert_eq!(add.writes().iter().collect::<Vec<_>>(), [Register::Sgpr(8), Register::Scc]);
}

#[test]
fn a_cube_sample_names_descriptor_and_sampler() {
    // s_load_dwordx8 s[16:23], s[4:5], 0x40; image_sample v[0:3], v[0:2], s[16:23], s[8:11] dmask:0xf dim:SQ_RSRC_IMG_CUBE
    let all = decode(&[0xf40c_0402, 0xfa00_0040, 0xf080_0f18, 0x0044_0000]);
    let [load, sample] = &all[..] else { panic!("two instructions, not {all:?}") };
    assert_eq!((load.opcode, load.modifiers.offset), (Some(Opcode::s_load_dwordx8), 0x40));
    assert_eq!(load.operand(Slot::Sbase).map(|operand| operand.value), Some(sgprs(4, 2)));
    assert_eq!((load.operand(Slot::Soffset), load.writes().len()), (None, 8));
    assert_eq!((sample.opcode, sample.modifiers.dim), (Some(Opcode::image_sample), 3));
    assert_eq!(sample.operand(Slot::Srsrc).map(|operand| operand.value), Some(sgprs(16, 8)));
    assert_eq!(sample.operand(Slot::Ssamp).map(|operand| operand.value), Some(sgprs(8, 4)));
    assert!(sample.reads().contains(Register::ExecLo));
    assert_eq!(sample.writes().iter().collect::<Vec<_>>(), (0..4).map(Register::Vgpr).collect::<Vec<_>>());
}

#[test]
fn branches_lead_to_byte_offsets() {
    // s_cbranch_scc0 1; s_branch -2; s_endpgm
    let all = decode(&[0xbf84_0001, 0xbf82_fffe, 0xbf81_0000]);
    let flows = all.iter().map(Instruction::flow).collect::<Vec<_>>();
    assert_eq!(flows, [Flow::Conditional { target: 8, on: Condition::Scc0 }, Flow::Branch { target: 0 }, Flow::End]);
}

#[test]
fn an_indirect_move_may_write_every_sgpr() {
    // s_movreld_b32 s8, s16
    let all = decode(&[0xbe88_3010]);
    assert_eq!(all[0].writes().len(), 106);
    assert!(all[0].reads().contains(Register::M0));
}

#[test]
fn code_that_ends_within_an_instruction_is_an_error() {
    let mut bytes = code(&[0xbf80_0000, 0xf40c_0402]);
    let all = Decoder::new(&bytes, Wave::W32).collect::<Vec<_>>();
    assert!(all[0].is_ok());
    assert_eq!(all[1], Err(DecodeError::Truncated { offset: 4, needed: 8, left: 4 }));
    bytes.truncate(6);
    assert_eq!(
        Decoder::new(&bytes, Wave::W32).last(),
        Some(Err(DecodeError::Truncated { offset: 4, needed: 4, left: 2 }))
    );
}

#[test]
fn a_word_of_no_encoding_is_unknown() {
    let all = decode(&[0xfc00_0000, 0xbf81_0000]);
    assert_eq!((all[0].encoding, all[0].opcode, all[0].flow(), all[0].size), (None, None, Flow::Unknown, 4));
    assert_eq!(all[1].opcode, Some(Opcode::s_endpgm));
}
