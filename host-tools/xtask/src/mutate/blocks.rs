//! What is mutated.

/// A block, and the test of rayman-sim that drives it.
pub struct Block {
    /// Module name.
    pub top: &'static str,
    /// File of `sim/tests`.
    pub file: &'static str,
    /// Test in it.
    pub test: &'static str,
    /// A floating-point operator.
    pub operator: bool,
    /// Output that the planted mutant inverts a bit of.
    pub planted: &'static str,
    /// How many mutants.
    pub mutants: u32,
    /// Cells that mutations are drawn from, as Yosys selects them below the module.
    pub cells: &'static str,
    /// Continuous integration mutates it.
    pub share: bool,
}

const fn operator(top: &'static str, test: &'static str, mutants: u32) -> Block {
    Block { top, file: "operators", test, operator: true, planted: "q", mutants, cells: "", share: false }
}

const fn block(
    top: &'static str,
    file: &'static str,
    test: &'static str,
    planted: &'static str,
    mutants: u32,
) -> Block {
    Block { top, file, test, operator: false, planted, mutants, cells: "", share: false }
}

const fn shared(block: Block) -> Block {
    Block { share: true, ..block }
}

/// All of them, blocks of one file of tests together.
pub const BLOCKS: &[Block] = &[
    operator("fp_add", "add", 18),
    operator("fp_sub", "sub", 10),
    shared(operator("fp_mul", "mul", 18)),
    operator("fp_div", "div", 16),
    operator("fp_sqrt", "sqrt", 16),
    operator("fp_lt", "lt", 10),
    operator("fp_le", "le", 8),
    operator("fp_eq", "eq", 8),
    operator("fp_int_to_float", "int_to_float", 14),
    operator("fp_float_to_int", "float_to_int", 14),
    block("fifos", "memories", "queues_agree_with_their_verilog", "empty_1", 16),
    block("rams", "memories", "memories_agree_with_their_verilog", "small_0", 10),
    block("delays", "memories", "delays_and_registers_agree_with_their_verilog", "q_1", 10),
    block("counters", "memories", "counters_agree_with_their_verilog", "value_0", 12),
    block("register_block", "axi_blocks", "register_block_agrees_with_its_verilog", "irq", 22),
    block("read_master", "axi_blocks", "read_master_agrees_with_its_verilog", "idle", 18),
    block("pixel_output", "axi_blocks", "pixel_output_agrees_with_its_verilog", "idle", 18),
    shared(block("slots", "engine_blocks", "slots_agree_with_their_verilog", "test_ray_4", 20)),
    block("nearest", "engine_blocks", "nearest_agrees_with_its_verilog", "retired", 20),
    block("arbiter", "engine_blocks", "arbiter_agrees_with_its_verilog", "any", 12),
    shared(block("staging", "engine_blocks", "staging_agrees_with_its_verilog", "ray_valid", 16)),
    shared(block("window", "engine_blocks", "window_agrees_with_its_verilog", "room", 16)),
    Block {
        // Not the datapaths of the camera and of a sphere's radius, which are operators.
        cells: "c:*camera* %d c:*radius* %d",
        ..block("frame", "frame_blocks", "the_frame_block_is_its_verilog", "frame_end", 20)
    },
];
