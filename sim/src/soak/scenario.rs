//! A frame's inputs as words in memory and registers, good or bad, and what the model makes of them.

use super::finding::Finding;
use crate::memory::{Fault, Response, BASE, BYTES};
use crate::video::VideoBeat;
use crate::{Bench, ModelTransport};
use rayman_abi::descriptor::{material, scene, sphere};
use rayman_abi::register::{self, Register, COUNTERS};
use rayman_abi::ErrorCode;
use rayman_driver::Transport;
use std::time::Duration;

/// What the framebuffer holds before a frame. The top byte of a pixel is 0, so no pixel looks like this.
pub const POISON: u32 = 0xEEEE_EEEE;
/// Words before and after the framebuffer that must stay as they are.
const GUARD_WORDS: u32 = 16;

/// Descriptors as words, where they go, and the registers of a frame.
#[derive(Clone, Debug, PartialEq)]
pub struct Scenario {
    /// Bus address of the scene descriptor; SCENE_ADDRESS.
    pub scene_at: u32,
    /// The scene descriptor. Its pointers say where the core looks for the arrays.
    pub scene: [u32; scene::WORDS],
    /// Where the sphere descriptors are.
    pub spheres_at: u32,
    /// The sphere descriptors.
    pub spheres: Vec<[u32; sphere::WORDS]>,
    /// Where the material descriptors are.
    pub materials_at: u32,
    /// The material descriptors.
    pub materials: Vec<[u32; material::WORDS]>,
    /// FRAMEBUFFER_ADDRESS.
    pub framebuffer: u32,
    /// FRAMEBUFFER_STRIDE.
    pub stride: u32,
    /// RENDER_CONTROL.
    pub control: u32,
    /// BACKGROUND.
    pub background: u32,
}

/// What the model makes of a scenario.
#[derive(Clone, Debug, PartialEq)]
pub struct Expected {
    /// ERROR.code.
    pub code: ErrorCode,
    /// ERROR_ADDRESS.
    pub address: u32,
    /// The architectural counters with their names, in the order of the table.
    pub counters: Vec<(&'static str, u64)>,
    /// The pixels of the stream or, if only that is written, of the framebuffer, in raster order; none if it goes nowhere.
    pub picture: Vec<u32>,
}

impl Expected {
    /// A counter by its name, 0 if there is none.
    pub fn count(&self, name: &str) -> u64 {
        self.counters.iter().find(|(other, _)| *other == name).map_or(0, |(_, value)| *value)
    }
}

impl Scenario {
    /// Pixels a row, as the descriptor has it.
    pub fn width(&self) -> u32 {
        scene::SCREEN_X_SIZE.get(&self.scene)
    }

    /// Rows.
    pub fn height(&self) -> u32 {
        scene::SCREEN_Y_SIZE.get(&self.scene)
    }

    /// Pixels.
    pub fn pixels(&self) -> u32 {
        self.width() * self.height()
    }

    /// Spheres that the descriptor names.
    pub fn count(&self) -> u32 {
        scene::SPHERE_COUNT.get(&self.scene)
    }

    /// Sets the size of the picture.
    pub fn set_size(&mut self, width: u32, height: u32) {
        scene::SCREEN_X_SIZE.set(&mut self.scene, width);
        scene::SCREEN_Y_SIZE.set(&mut self.scene, height);
    }

    /// Whether pixels go onto the stream.
    pub fn streams(&self) -> bool {
        register::STREAM.get(self.control) != 0
    }

    /// Whether pixels go to memory.
    pub fn writes(&self) -> bool {
        self.framebuffer != 0
    }

    /// Bytes from row to row.
    pub fn stride_bytes(&self) -> u32 {
        match self.stride {
            0 => 4 * self.width(),
            stride => stride,
        }
    }

    /// The registers of a frame, with their values.
    pub fn registers(&self) -> [(Register, u32); 5] {
        [
            (register::SCENE_ADDRESS, self.scene_at),
            (register::FRAMEBUFFER_ADDRESS, self.framebuffer),
            (register::FRAMEBUFFER_STRIDE, self.stride),
            (register::RENDER_CONTROL, self.control),
            (register::BACKGROUND, self.background),
        ]
    }

    /// Writes memory, the framebuffer's poison too, and registers; starts nothing.
    pub fn place<B: Bench>(&self, bench: &mut B) -> Result<(), Finding> {
        let bytes = |words: &[u32]| words.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<u8>>();
        let arrays =
            [(self.spheres_at, bytes(&self.spheres.concat())), (self.materials_at, bytes(&self.materials.concat()))];
        for (address, contents) in arrays.iter().chain([&(self.scene_at & !3, bytes(&self.scene))]) {
            // What is to be where no memory is, is meant to be so.
            let _ = bench.write_memory(*address, contents);
        }
        if let Some((start, words)) = self.guarded() {
            let _ = bench.write_memory(start, &bytes(&vec![POISON; words as usize]));
        }
        for (register, value) in self.registers() {
            write(bench, &register, value)?;
        }
        Ok(())
    }

    /// The framebuffer with its guards: first byte, and words; none where it is not wholly within an address space.
    fn guarded(&self) -> Option<(u32, u32)> {
        let rows = self.height().checked_sub(1).filter(|_| self.width() > 0)?;
        let bytes = rows.checked_mul(self.stride_bytes())?.checked_add(4 * self.width())?;
        let start = self.framebuffer.checked_sub(4 * GUARD_WORDS).filter(|_| self.framebuffer.is_multiple_of(4))?;
        let words = bytes / 4 + 2 * GUARD_WORDS;
        (start >= BASE && u64::from(start) + 4 * u64::from(words) <= u64::from(BASE) + u64::from(BYTES))
            .then_some((start, words))
    }

    /// The framebuffer in raster order, and the first word beside it that is no longer as it was.
    pub fn framebuffer<B: Transport>(&self, bench: &mut B) -> Result<(Vec<u32>, Option<u32>), Finding> {
        let Some((start, words)) = self.guarded() else {
            return Ok((Vec::new(), None));
        };
        let mut bytes = vec![0; 4 * words as usize];
        bench.read_memory(start, &mut bytes)?;
        let (mut picture, mut spoilt) = (Vec::new(), None);
        for (number, word) in (0..words).zip(bytes.chunks_exact(4)) {
            let word = u32::from_le_bytes([word[0], word[1], word[2], word[3]]);
            let inside = number.checked_sub(GUARD_WORDS).is_some_and(|number| {
                let (row, column) = (4 * number / self.stride_bytes(), 4 * number % self.stride_bytes());
                row < self.height() && column < 4 * self.width()
            });
            if inside {
                picture.push(word);
            } else if word != POISON {
                spoilt = spoilt.or(Some(start + 4 * number));
            }
        }
        Ok((picture, spoilt))
    }

    /// What the model makes of it when memory answers by these rules.
    pub fn expected(&self, faults: &[Fault]) -> Result<Expected, Finding> {
        let mut device = ModelTransport::default();
        device.keep_beats(true);
        self.place(&mut device)?;
        for fault in faults {
            device.inject(*fault);
        }
        start(&mut device)?;
        while !device.interrupt() {
            // Nothing in the model waits for a time: it goes on until the frame ends.
            device.wait_interrupt(Duration::from_secs(1))?;
        }
        let beats: Vec<u32> = device.take_beats().iter().map(|beat| beat.pixel).collect();
        let (words, _) = self.framebuffer(&mut device)?;
        let (code, address) = ended(&mut device)?;
        let picture = match (self.streams(), self.writes()) {
            (true, _) => beats,
            (false, true) => words,
            (false, false) => Vec::new(),
        };
        Ok(Expected { code, address, counters: counters(&mut device)?, picture })
    }

    /// What the model makes of it undisturbed, with the whole picture: where there is no memory for the framebuffer the
    /// model ends at once, but a core has pixels on the way to the stream by then.
    pub fn undisturbed(&self) -> Result<Expected, Finding> {
        let expected = self.expected(&[])?;
        if expected.code != ErrorCode::WriteDecode {
            return Ok(expected);
        }
        let streamed = Self { framebuffer: 0, control: register::STREAM.set(self.control, 1), ..self.clone() };
        Ok(Expected { picture: streamed.expected(&[])?.picture, ..expected })
    }

    /// The beats of a whole frame of this size with these pixels.
    pub fn beats(&self, picture: &[u32]) -> Vec<VideoBeat> {
        let width = self.width() as usize;
        let beat = |(at, pixel): (usize, &u32)| VideoBeat {
            pixel: *pixel,
            start_of_frame: at == 0,
            end_of_line: at % width == width - 1,
        };
        picture.iter().enumerate().map(beat).collect()
    }
}

/// Takes the interrupt down and gives RUN.
pub fn start<B: Bench>(bench: &mut B) -> Result<(), Finding> {
    give(bench, register::command::CLEAR_IRQ)?;
    if bench.interrupt() {
        return Err(Finding::Interrupt { up: true, when: "after CLEAR_IRQ" });
    }
    give(bench, register::command::RUN)
}

/// Writes a command.
pub fn give<B: Bench>(bench: &mut B, command: u32) -> Result<(), Finding> {
    write(bench, &register::RAYTRACER_COMMAND, command)
}

/// Writes a register.
pub fn write<B: Bench>(bench: &mut B, register: &Register, value: u32) -> Result<(), Finding> {
    let answer = bench.write_strobed(register.offset, value, 0xF)?;
    okay(register, answer)
}

/// Reads a register.
pub fn read<B: Bench>(bench: &mut B, register: &Register) -> Result<u32, Finding> {
    let (word, answer) = bench.read_raw(register.offset)?;
    okay(register, answer).map(|()| word)
}

fn okay(register: &Register, answer: Response) -> Result<(), Finding> {
    same_answer(register.offset, Response::Okay, answer)
}

/// Compares the slave's answers to an access.
pub fn same_answer(offset: u32, expected: Response, got: Response) -> Result<(), Finding> {
    match got == expected {
        true => Ok(()),
        false => Err(Finding::Answer { offset, expected: expected.name(), got: got.name() }),
    }
}

/// Compares what a register reads.
pub fn same(register: &Register, expected: u32, got: u32, when: &'static str) -> Result<(), Finding> {
    match got == expected {
        true => Ok(()),
        false => Err(Finding::Register { name: register.name.to_owned(), expected, got, when }),
    }
}

/// ERROR and ERROR_ADDRESS.
pub fn ended<B: Bench>(bench: &mut B) -> Result<(ErrorCode, u32), Finding> {
    let code = register::ERROR_CODE.get(read(bench, &register::ERROR)?) as u8;
    let code = ErrorCode::from_code(code).ok_or(Finding::UnknownCode { code })?;
    Ok((code, read(bench, &register::ERROR_ADDRESS)?))
}

/// The architectural counters with their names, in the order of the table.
pub fn counters<B: Bench>(bench: &mut B) -> Result<Vec<(&'static str, u64)>, Finding> {
    let architectural = COUNTERS.iter().filter(|counter| counter.architectural);
    let wide = |counter: &register::Counter| {
        Ok((counter.name, u64::from(read(bench, &counter.high)?) << 32 | u64::from(read(bench, &counter.low)?)))
    };
    architectural.map(wide).collect()
}
