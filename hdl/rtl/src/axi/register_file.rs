//! The registers themselves: decode and storage, made from the table of `rayman-abi`.
//!
//! ```text
//!  write, write_offset, write_data, write_strobe -> +--------------+ -> command (in the same clock)
//!                                                   |              | -> write_mapped (in the same clock)
//!  busy, irq, progress, error_*, frame_count,       | RegisterFile | -> scene_address .. background (the clock after)
//!  counters                                     ->  |              |
//!  read, read_offset                             -> +--------------+ -> read_data, read_error (two clocks after)
//! ```
//!
//! A leaf: behaviour and Verilog are both walks over the same list of entries, one for each register of the table, so
//! no offset, mask or reset value is written here. One read and one write a clock; a read sees what was written in an
//! earlier clock, and chooses in two steps: the word of each bank of 16, then the bank. Bits in no field read 0 and are not stored. Byte strobes hold for every stored register, and a command
//! is given only if the strobe of its byte is set. `write_mapped` is about `write_offset`, whether `write` is high or not.

use rayman_abi::register::{self, command, status, Register, APERTURE_BYTES, COUNTERS, REGISTERS};
use rayman_abi::Field;
use rust_hdl_core::prelude::*;

/// Words that the slave decodes.
const WORDS: usize = (APERTURE_BYTES / 4) as usize;
/// Words that a read chooses from in its first step; the banks are chosen from in its second.
const BANK: usize = 8;
/// Bits of an offset that choose a word of a bank: from bit 2 on.
const WORD_BITS: u32 = BANK.ilog2();
/// Those above them, that choose the bank.
const BANK_BITS: u32 = (WORDS / BANK).ilog2();
const _: () = assert!(WORDS == 1 << (WORD_BITS + BANK_BITS));
/// Counter words: a low and a high one for each counter.
pub const COUNTER_WORDS: usize = 30;
const _: () = assert!(COUNTER_WORDS == 2 * COUNTERS.len());
// COMMAND reads RUN, and STATUS reads BUSY, exactly when `busy` is high: both fields are that one bit.
const _: () = assert!(command::RUN == 1 && command::NOP == 0 && status::BUSY == 1 && status::IDLE == 0);

/// What a build holds, for the registers that describe it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BuildParameters {
    /// Intersector lanes, 1 to 15.
    pub lanes: u32,
    /// Spheres held on chip, at most 65535.
    pub cached_spheres: u32,
    /// Ray slots a lane, at most 65535.
    pub slots: u32,
    /// Pixels in flight a lane, at most 65535.
    pub contexts: u32,
    /// First 32 bits of the source's commit, 0 if unknown.
    pub revision: u32,
}

/// A register that the host writes and the core reads, other than the command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stored {
    SceneAddress,
    FramebufferAddress,
    FramebufferStride,
    RenderControl,
    Background,
}

impl Stored {
    const ALL: [(Stored, Register, &'static str); 5] = [
        (Stored::SceneAddress, register::SCENE_ADDRESS, "scene_address"),
        (Stored::FramebufferAddress, register::FRAMEBUFFER_ADDRESS, "framebuffer_address"),
        (Stored::FramebufferStride, register::FRAMEBUFFER_STRIDE, "framebuffer_stride"),
        (Stored::RenderControl, register::RENDER_CONTROL, "render_control"),
        (Stored::Background, register::BACKGROUND, "background"),
    ];
}

/// A status input of the register file.
#[derive(Clone, Copy, Debug)]
enum Status {
    Busy,
    Progress,
    ErrorCode,
    ErrorAddress,
    Irq,
    FrameCount,
}

impl Status {
    const fn port(self) -> &'static str {
        match self {
            Status::Busy => "busy",
            Status::Progress => "progress",
            Status::ErrorCode => "error_code",
            Status::ErrorAddress => "error_address",
            Status::Irq => "irq",
            Status::FrameCount => "frame_count",
        }
    }
}

/// Where the value of a register comes from.
#[derive(Clone, Debug)]
enum Source {
    /// The build.
    Constant(u32),
    /// Status inputs, each in a field.
    Fields(Vec<(Field, Status)>),
    /// A register of this file, by its place in `Stored::ALL`.
    Stored(usize),
    /// A word of the counters.
    Counter(usize),
}

fn source(register: &Register, build: &BuildParameters) -> Source {
    let whole = |status| Source::Fields(vec![(register.fields[0], status)]);
    if let Some(index) = Stored::ALL.iter().position(|(_, stored, _)| stored.offset == register.offset) {
        return Source::Stored(index);
    }
    for (index, counter) in COUNTERS.iter().enumerate() {
        if register.offset == counter.low.offset {
            return Source::Counter(2 * index);
        }
        if register.offset == counter.high.offset {
            return Source::Counter(2 * index + 1);
        }
    }
    match register.offset {
        o if o == register::RAYTRACER_COMMAND.offset => Source::Fields(vec![(register::COMMAND, Status::Busy)]),
        o if o == register::RAYTRACER_STATUS.offset => {
            Source::Fields(vec![(register::STATUS, Status::Busy), (register::PROGRESS, Status::Progress)])
        }
        o if o == register::ERROR.offset => Source::Fields(vec![(register::ERROR_CODE, Status::ErrorCode)]),
        o if o == register::ERROR_ADDRESS.offset => whole(Status::ErrorAddress),
        o if o == register::IRQ_STATUS.offset => Source::Fields(vec![(register::IRQ, Status::Irq)]),
        o if o == register::FRAME_COUNT.offset => whole(Status::FrameCount),
        o if o == register::CAPABILITIES.offset => Source::Constant(
            register::LANES.set(0, build.lanes) | register::CACHED_SPHERES.set(0, build.cached_spheres),
        ),
        o if o == register::BUILD_REVISION.offset => Source::Constant(build.revision),
        o if o == register::BUILD_PARAMETERS.offset => {
            Source::Constant(register::SLOTS.set(0, build.slots) | register::CONTEXTS.set(0, build.contexts))
        }
        // ID and VERSION: what the table says.
        _ => Source::Constant(register.reset),
    }
}

/// The list that behaviour and Verilog are made from, by word of the aperture. A `Block` only because every field of a
/// block must be one; it has no signals.
#[derive(Clone)]
struct Entries([Option<(Register, Source)>; WORDS]);

impl Logic for Entries {
    fn update(&mut self) {}
}

impl Block for Entries {
    fn connect_all(&mut self) {}
    fn update_all(&mut self) {}
    fn has_changed(&self) -> bool {
        false
    }
    fn accept(&self, _name: &str, _probe: &mut dyn Probe) {}
}

/// Decode and storage of the registers.
pub struct RegisterFile {
    /// The one clock.
    pub clock: Signal<In, Clock>,
    /// Low: reset values.
    pub reset_n: Signal<In, Bit>,
    /// Write in this clock.
    pub write: Signal<In, Bit>,
    /// Byte offset to write, bits 1:0 ignored.
    pub write_offset: Signal<In, Bits<8>>,
    /// Word to write.
    pub write_data: Signal<In, Bits<32>>,
    /// The bytes that count.
    pub write_strobe: Signal<In, Bits<4>>,
    /// Read in this clock.
    pub read: Signal<In, Bit>,
    /// Byte offset to read, bits 1:0 ignored.
    pub read_offset: Signal<In, Bits<8>>,
    /// A frame is under way.
    pub busy: Signal<In, Bit>,
    /// The interrupt is up.
    pub irq: Signal<In, Bit>,
    /// How far the frame is.
    pub progress: Signal<In, Bits<8>>,
    /// What ended the last frame early.
    pub error_code: Signal<In, Bits<8>>,
    /// Where.
    pub error_address: Signal<In, Bits<32>>,
    /// Frames completed.
    pub frame_count: Signal<In, Bits<32>>,
    /// Counters of the last frame, low and high words in turn.
    pub counters: [Signal<In, Bits<32>>; COUNTER_WORDS],
    /// The command being written in this clock, NOP if none.
    pub command: Signal<Out, Bits<3>>,
    /// There is a register at `write_offset`.
    pub write_mapped: Signal<Out, Bit>,
    /// What the last read found, 0 if there is no such register.
    pub read_data: Signal<Out, Bits<32>>,
    /// The last read found no register.
    pub read_error: Signal<Out, Bit>,
    /// Register of that name, as are all that follow.
    pub scene_address: Signal<Out, Bits<32>>,
    /// See `rayman-abi`.
    pub framebuffer_address: Signal<Out, Bits<32>>,
    /// See `rayman-abi`.
    pub framebuffer_stride: Signal<Out, Bits<32>>,
    /// See `rayman-abi`.
    pub render_control: Signal<Out, Bits<32>>,
    /// See `rayman-abi`.
    pub background: Signal<Out, Bits<32>>,
    entries: Entries,
    /// What was found in the clock before, if anything was asked.
    _found: Option<Option<u32>>,
}

impl RegisterFile {
    /// The file of a build.
    pub fn new(build: BuildParameters) -> Self {
        let mut entries = std::array::from_fn(|_| None);
        for register in REGISTERS {
            entries[(register.offset / 4) as usize] = Some((*register, source(register, &build)));
        }
        Self {
            clock: Default::default(),
            reset_n: Default::default(),
            write: Default::default(),
            write_offset: Default::default(),
            write_data: Default::default(),
            write_strobe: Default::default(),
            read: Default::default(),
            read_offset: Default::default(),
            busy: Default::default(),
            irq: Default::default(),
            progress: Default::default(),
            error_code: Default::default(),
            error_address: Default::default(),
            frame_count: Default::default(),
            counters: std::array::from_fn(|_| Default::default()),
            command: Default::default(),
            write_mapped: Default::default(),
            read_data: Default::default(),
            read_error: Default::default(),
            scene_address: Default::default(),
            framebuffer_address: Default::default(),
            framebuffer_stride: Default::default(),
            render_control: Default::default(),
            background: Default::default(),
            entries: Entries(entries),
            _found: None,
        }
    }

    fn status(&self, status: Status) -> u32 {
        match status {
            Status::Busy => self.busy.val().into(),
            Status::Progress => self.progress.val().to_u32(),
            Status::ErrorCode => self.error_code.val().to_u32(),
            Status::ErrorAddress => self.error_address.val().to_u32(),
            Status::Irq => self.irq.val().into(),
            Status::FrameCount => self.frame_count.val().to_u32(),
        }
    }

    fn stored(&mut self, which: Stored) -> &mut Signal<Out, Bits<32>> {
        match which {
            Stored::SceneAddress => &mut self.scene_address,
            Stored::FramebufferAddress => &mut self.framebuffer_address,
            Stored::FramebufferStride => &mut self.framebuffer_stride,
            Stored::RenderControl => &mut self.render_control,
            Stored::Background => &mut self.background,
        }
    }

    fn value(&mut self, word: usize) -> Option<u32> {
        let (_, source) = self.entries.0[word].as_ref()?;
        Some(match source {
            Source::Constant(value) => *value,
            Source::Fields(fields) => fields.iter().fold(0, |word, (field, port)| field.set(word, self.status(*port))),
            // As a flop does, the counters are read while being driven: see `update_all`.
            Source::Counter(index) => self.counters[*index].next.to_u32(),
            Source::Stored(index) => {
                let index = *index;
                self.stored(Stored::ALL[index].0).val().to_u32()
            }
        })
    }

    fn word(offset: Bits<8>) -> usize {
        offset.index() / 4
    }

    fn clock_edge(&mut self) {
        if !self.reset_n.val() {
            for (which, register, _) in Stored::ALL {
                self.stored(which).next = u64::from(register.reset).into();
            }
            self.read_data.next = 0.into();
            self.read_error.next = false;
            self._found = None;
            return;
        }
        if let Some(found) = self._found.take() {
            self.read_data.next = u64::from(found.unwrap_or(0)).into();
            self.read_error.next = found.is_none();
        }
        if self.read.val() {
            self._found = Some(self.value(Self::word(self.read_offset.val())));
        }
        if self.write.val() {
            if let Some((register, Source::Stored(index))) = &self.entries.0[Self::word(self.write_offset.val())] {
                let strobe = self.write_strobe.val().to_u32();
                let bytes = (0..4).filter(|i| strobe >> i & 1 != 0).fold(0, |mask, i| mask | 0xFF << (8 * i));
                let (mask, index) = (register.mask() & bytes, *index);
                let data = self.write_data.val().to_u32();
                let signal = self.stored(Stored::ALL[index].0);
                signal.next = u64::from((signal.val().to_u32() & !mask) | (data & mask)).into();
            }
        }
    }
}

impl Logic for RegisterFile {
    fn update(&mut self) {
        if self.clock.pos_edge() {
            self.clock_edge();
        }
        let word = Self::word(self.write_offset.val());
        let given = self.write.val()
            && self.write_strobe.val().get_bit(0)
            && word == (register::RAYTRACER_COMMAND.offset / 4) as usize;
        let command = if given { register::COMMAND.get(self.write_data.val().to_u32()) } else { command::NOP };
        self.command.next = u64::from(command).into();
        self.write_mapped.next = self.entries.0[word].is_some();
    }

    fn connect(&mut self) {
        self.command.connect();
        self.write_mapped.connect();
        self.read_data.connect();
        self.read_error.connect();
        for (which, _, _) in Stored::ALL {
            self.stored(which).connect();
        }
    }

    fn hdl(&self) -> Verilog {
        let mut mapped = vec![];
        let (mut reads, mut writes, mut resets) =
            ([const { String::new() }; WORDS / BANK], String::new(), String::new());
        for (word, entry) in self.entries.0.iter().enumerate() {
            let Some((register, source)) = entry else { continue };
            mapped.push(format!("6'd{word}"));
            let value = match source {
                Source::Constant(value) => format!("32'h{value:08x}"),
                Source::Counter(index) => format!("counters${index}"),
                Source::Stored(index) => Stored::ALL[*index].2.to_string(),
                Source::Fields(fields) => fields_in_verilog(fields),
            };
            let bank = word / BANK;
            reads[bank] +=
                &format!("        {WORD_BITS}'d{}: bank_{bank} <= {value}; // {}\n", word % BANK, register.name);
            if let Source::Stored(index) = source {
                let name = Stored::ALL[*index].2;
                resets += &format!("        {name} <= 32'h{:08x};\n", register.reset);
                writes += &format!(
                    "        if (write && write_offset[7:2] == 6'd{word})\n\
                     \x20           {name} <= ({name} & ~(written & 32'h{mask:08x})) | (write_data & written & 32'h{mask:08x});\n",
                    mask = register.mask(),
                );
            }
        }
        let (mapped, command) = (mapped.join(", "), register::COMMAND);
        let (mut banks, mut look, mut choose) = (String::new(), String::new(), String::new());
        for (bank, reads) in reads.iter().enumerate() {
            banks += &format!("reg [31:0] bank_{bank};\n");
            look += &format!(
                "    case (read_offset[{}:2])\n{reads}        default: bank_{bank} <= 32'h0;\n    endcase\n",
                WORD_BITS + 1
            );
            choose += &format!("                {BANK_BITS}'d{bank}: read_data <= bank_{bank};\n");
        }
        Verilog::Custom(format!(
            "wire [31:0] written = {{{{8{{write_strobe[3]}}}}, {{8{{write_strobe[2]}}}}, {{8{{write_strobe[1]}}}}, {{8{{write_strobe[0]}}}}}};\n\
             always @(*) begin\n\
             \x20   if (write && write_strobe[0] && write_offset[7:2] == 6'd{command_word})\n\
             \x20       command = write_data[{msb}:{lsb}];\n\
             \x20   else\n        command = {nop};\n\
             \x20   case (write_offset[7:2])\n        {mapped}: write_mapped = 1'b1;\n        default: write_mapped = 1'b0;\n\
             \x20   endcase\nend\n\
             {banks}reg [{bank_top}:0] bank;\nreg missing;\nreg asked;\n\
             always @(posedge clock) begin\n    bank <= read_offset[{offset_top}:{bank_lsb}];\n\
             \x20   case (read_offset[7:2])\n        {mapped}: missing <= 1'b0;\n        default: missing <= 1'b1;\n    endcase\n\
             {look}end\n\
             always @(posedge clock) begin\n    if (!reset_n) begin\n        asked <= 1'b0;\n        read_data <= 32'h0;\n        read_error <= 1'b0;\n{resets}\
             \x20   end else begin\n        asked <= read;\n        if (asked) begin\n            read_error <= missing;\n            case (bank)\n{choose}\
             \x20           endcase\n        end\n{writes}\
             \x20   end\nend\n",
            bank_top = BANK_BITS - 1,
            bank_lsb = WORD_BITS + 2,
            offset_top = WORD_BITS + BANK_BITS + 1,
            command_word = register::RAYTRACER_COMMAND.offset / 4,
            msb = command.msb,
            lsb = command.lsb,
            nop = format_args!("{}'d{}", command.width(), command::NOP),
        ))
    }
}

/// Status inputs in their places, zeros between them, as one concatenation of 32 bits.
fn fields_in_verilog(fields: &[(Field, Status)]) -> String {
    let mut parts = vec![];
    let mut next = 0;
    for (field, status) in fields {
        let width = match status {
            Status::Busy | Status::Irq => 1,
            _ => field.width(),
        };
        if field.lsb > next {
            parts.push(format!("{}'d0", field.lsb - next));
        }
        parts.push(status.port().to_string());
        next = field.lsb + width;
    }
    if next < 32 {
        parts.push(format!("{}'d0", 32 - next));
    }
    parts.reverse();
    match parts.as_slice() {
        [single] => single.clone(),
        _ => format!("{{{}}}", parts.join(", ")),
    }
}

impl Block for RegisterFile {
    fn connect_all(&mut self) {
        self.connect();
    }

    // The counters are not committed: nothing but a read looks at them, and thirty comparisons a pass would be the
    // dearest part of the block. They are read while being driven, which is right only because the clock is committed
    // first: see `crate::mem`.
    fn update_all(&mut self) {
        self.clock.update_all();
        self.update();
        self.reset_n.update_all();
        self.write.update_all();
        self.write_offset.update_all();
        self.write_data.update_all();
        self.write_strobe.update_all();
        self.read.update_all();
        self.read_offset.update_all();
        self.busy.update_all();
        self.irq.update_all();
        self.progress.update_all();
        self.error_code.update_all();
        self.error_address.update_all();
        self.frame_count.update_all();
        self.command.update_all();
        self.write_mapped.update_all();
        self.read_data.update_all();
        self.read_error.update_all();
        for (which, _, _) in Stored::ALL {
            self.stored(which).update_all();
        }
    }

    fn has_changed(&self) -> bool {
        self.reset_n.changed
            || self.write.changed
            || self.write_offset.changed
            || self.write_data.changed
            || self.write_strobe.changed
            || self.read.changed
            || self.read_offset.changed
            || self.busy.changed
            || self.irq.changed
            || self.progress.changed
            || self.error_code.changed
            || self.error_address.changed
            || self.frame_count.changed
            || self.command.changed
            || self.write_mapped.changed
            || self.read_data.changed
            || self.read_error.changed
            || self.scene_address.changed
            || self.framebuffer_address.changed
            || self.framebuffer_stride.changed
            || self.render_control.changed
            || self.background.changed
    }

    fn accept(&self, name: &str, probe: &mut dyn Probe) {
        probe.visit_start_scope(name, self);
        self.clock.accept("clock", probe);
        self.reset_n.accept("reset_n", probe);
        self.write.accept("write", probe);
        self.write_offset.accept("write_offset", probe);
        self.write_data.accept("write_data", probe);
        self.write_strobe.accept("write_strobe", probe);
        self.read.accept("read", probe);
        self.read_offset.accept("read_offset", probe);
        self.busy.accept("busy", probe);
        self.irq.accept("irq", probe);
        self.progress.accept("progress", probe);
        self.error_code.accept("error_code", probe);
        self.error_address.accept("error_address", probe);
        self.frame_count.accept("frame_count", probe);
        self.counters.accept("counters", probe);
        self.command.accept("command", probe);
        self.write_mapped.accept("write_mapped", probe);
        self.read_data.accept("read_data", probe);
        self.read_error.accept("read_error", probe);
        self.scene_address.accept("scene_address", probe);
        self.framebuffer_address.accept("framebuffer_address", probe);
        self.framebuffer_stride.accept("framebuffer_stride", probe);
        self.render_control.accept("render_control", probe);
        self.background.accept("background", probe);
        probe.visit_end_scope(name, self);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rayman_abi::Access;

    #[test]
    fn every_writable_register_has_a_place() {
        for register in REGISTERS.iter().filter(|register| register.access == Access::ReadWrite) {
            let stored = Stored::ALL.iter().any(|(_, stored, _)| stored == register);
            assert!(stored || register.offset == register::RAYTRACER_COMMAND.offset, "{} has no place", register.name);
        }
    }
}
