//! A block in-crate against Verilated, clock by clock on the same inputs.
//!
//! Inputs are random within phases: a phase draws how likely each control input is to be high, and what the wide ones
//! may be. They need not be legal traffic: the two must agree on anything, but for what is undefined, which a test names.
//!
//! ```text
//!  reset 3 clocks -> prologue (fills memories that have no reset) -> phases: rows of inputs -> in-crate --+
//!                                                                          '-> the same ---> Verilated --+-> equal?
//! ```
#![allow(dead_code)] // each test file uses a part

pub mod ports;

use ports::{Get, Ports, Set};
use rayman_rtl::{emit::emit, step};
use rayman_sim::random::Random;
pub use rayman_sim::recording::Meaning;
use rayman_sim::recording::{miter::Rules, Recording};
use rayman_sim::verilated::{block::Sample, VerilatedBlock};
use rust_hdl_core::prelude::{Block, Clock};

/// How an input is drawn.
#[derive(Clone, Debug)]
pub enum Draw {
    /// High so many times in a hundred, drawn anew in each phase from the list.
    Chance(&'static [u32]),
    /// One of these, anew in each phase.
    Steady(&'static [u64]),
    /// One of these, anew in each clock.
    Pick(&'static [u64]),
    /// Below this, anew in each clock.
    Below(u32),
    /// A word that all inputs drawn so share in a phase, its neighbours, and those that differ from it in one bit: for
    /// whatever is compared.
    Around,
    /// A binary32 number of moderate size, anew in each clock.
    Number,
    /// The same, anew in each phase.
    SteadyNumber,
    /// Any bits, anew in each clock.
    Any,
}

/// A request: from seldom to always.
pub const BUSY: Draw = Draw::Chance(&[5, 50, 90, 100]);
/// A ready: from never to always.
pub const READY: Draw = Draw::Chance(&[0, 10, 50, 90, 100]);
/// What seldom happens, and in many phases not at all.
pub const RARE: Draw = Draw::Chance(&[0, 0, 1, 5]);

/// The inputs of the coming clock, and the outputs of the one before, for a test's own surroundings.
pub struct Row<'a> {
    inputs: &'a [String],
    outputs: &'a [String],
    values: &'a mut [u64],
    seen: &'a [u64],
}

impl Row<'_> {
    /// An input as it is now to be.
    pub fn input(&self, name: &str) -> u64 {
        self.values[place(self.inputs, name)]
    }

    /// Chooses an input.
    pub fn set(&mut self, name: &str, value: u64) {
        self.values[place(self.inputs, name)] = value;
    }

    /// An output, as it was before the last edge.
    pub fn output(&self, name: &str) -> u64 {
        self.seen[place(self.outputs, name)]
    }
}

type Steer<'a> = Box<dyn FnMut(&mut Row) + 'a>;

/// What is compared, and on which inputs.
pub struct Comparison<'a, B> {
    top: &'a str,
    make: Box<dyn Fn() -> B + 'a>,
    ports: Ports<B>,
    draws: &'a [(&'a str, Draw)],
    meaning: &'a [(&'a str, Meaning)],
    allowed: &'a [(&'a str, &'a str)],
    reached: &'a [&'a str],
    prologue: Vec<Vec<(&'a str, u64)>>,
    start: Vec<(String, u64)>,
    steer: Option<Steer<'a>>,
    phases: u64,
    clocks: u64,
}

fn place(names: &[String], name: &str) -> usize {
    names.iter().position(|port| port == name).unwrap_or_else(|| panic!("no port `{name}` among {names:?}"))
}

/// What a table says of a port: by its name, or by that of the array it is in.
fn entry<'t, T>(table: &'t [(&str, T)], port: &str) -> Option<&'t T> {
    let of_array = |name: &str| {
        port.strip_prefix(name)
            .and_then(|rest| rest.strip_prefix('_'))
            .is_some_and(|index| !index.is_empty() && index.bytes().all(|byte| byte.is_ascii_digit()))
    };
    let exact = table.iter().find(|(name, _)| *name == port);
    exact.or_else(|| table.iter().find(|(name, _)| of_array(name))).map(|(_, value)| value)
}

impl<'a, B: Block> Comparison<'a, B> {
    /// Of a block, emitted under the name `top`; all inputs are drawn as any bits.
    pub fn new(make: impl Fn() -> B + 'a, top: &'a str, ports: Ports<B>) -> Self {
        Self {
            top,
            make: Box::new(make),
            ports,
            draws: &[],
            meaning: &[],
            allowed: &[],
            reached: &[],
            prologue: vec![],
            start: vec![],
            steer: None,
            phases: 120,
            clocks: 250,
        }
    }

    /// How inputs are drawn.
    pub fn draws(mut self, draws: &'a [(&'a str, Draw)]) -> Self {
        self.draws = draws;
        self
    }

    /// When outputs mean something; the others always do.
    pub fn meaning(mut self, meaning: &'a [(&'a str, Meaning)]) -> Self {
        self.meaning = meaning;
        self
    }

    /// Inputs that may be raised only while an output is high, one that depends on the block's state alone.
    pub fn allowed(mut self, allowed: &'a [(&'a str, &'a str)]) -> Self {
        self.allowed = allowed;
        self
    }

    /// Outputs that the inputs must have raised at least once.
    pub fn reached(mut self, reached: &'a [&'a str]) -> Self {
        self.reached = reached;
        self
    }

    /// Clocks after the first reset, not compared: inputs that are not named are 0.
    pub fn prologue(mut self, rows: Vec<Vec<(&'a str, u64)>>) -> Self {
        self.prologue = rows;
        self
    }

    /// What every register of the Verilog, of one module, holds at first, instead of the first reset: for a state that no stimulus
    /// would come to. The in-crate block must be made in the same.
    pub fn start(mut self, registers: Vec<(String, u64)>) -> Self {
        self.start = registers;
        self
    }

    /// The last word on each clock's inputs.
    pub fn steer(mut self, steer: impl FnMut(&mut Row) + 'a) -> Self {
        self.steer = Some(Box::new(steer));
        self
    }

    /// How many phases, of how many clocks, instead of 120 of 250.
    pub fn phases(mut self, phases: u64, clocks: u64) -> Self {
        self.phases = phases;
        self.clocks = clocks;
        self
    }

    /// Compares.
    pub fn run(mut self) {
        let mut block = (self.make)();
        block.connect_all();
        let verilog = emit(&block, self.top).expect("emits");
        let mut model = VerilatedBlock::build(&started(&verilog, &self.start), self.top).expect("builds");
        let masks: Vec<u64> = model.inputs().map(|port| u64::MAX >> (64 - port.width)).collect();
        let inputs: Vec<String> = model.inputs().map(|port| port.name.clone()).collect();
        let outputs: Vec<String> = model.outputs().map(|port| port.name.clone()).collect();
        for (name, _) in self.draws {
            assert!(
                inputs.iter().any(|input| entry(&[(name, ())], input).is_some()),
                "`{}`: no input `{name}`",
                self.top
            );
        }
        for (name, _) in self.meaning {
            assert!(
                outputs.iter().any(|out| entry(&[(name, ())], out).is_some()),
                "`{}`: no output `{name}`",
                self.top
            );
        }
        let draws: Vec<Draw> =
            inputs.iter().map(|name| entry(self.draws, name).cloned().unwrap_or(Draw::Any)).collect();
        let sets: Vec<&Set<B>> = inputs.iter().map(|name| self.ports.inputs.get(name).expect(name)).collect();
        let gets: Vec<&Get<B>> = outputs.iter().map(|name| self.ports.outputs.get(name).expect(name)).collect();
        let meaning: Vec<Option<Meaning>> = outputs.iter().map(|name| entry(self.meaning, name).copied()).collect();
        let needs: Vec<Option<usize>> =
            inputs.iter().map(|name| entry(self.allowed, name).map(|output| place(&outputs, output))).collect();
        let reset = place(&inputs, "reset_n");
        let mut ever_high = vec![false; outputs.len()];
        let mut recording = Recording::if_wanted(&inputs, &outputs, Sample::BeforeEdge);
        if let Some(recording) = &mut recording {
            recording.start(&self.start);
        }

        let seed = 0xA715_0001;
        println!("seed {seed:#x}");
        // Apart from the others, which are then the same whether a block's inputs need it or not.
        let (mut random, mut centres) = (Random::new(seed), Random::new(!seed));
        let mut before = vec![0; outputs.len()];
        let mut since_reset = 0;
        let opening = 3 + self.prologue.len() as u64;
        // Phase 0 is the first reset, or a rest in the state that was asked for, and the prologue.
        for phase in 0..=self.phases {
            let centre = centre(&mut centres);
            let steady: Vec<u64> = draws.iter().map(|draw| once_a_phase(draw, centre, &mut random)).collect();
            let mut rows = vec![];
            let mut expected = vec![];
            let mut seen = before.clone();
            for clock in 0..if phase == 0 { opening } else { self.clocks } {
                let mut values = vec![0; inputs.len()];
                if phase == 0 {
                    values[reset] = u64::from(clock >= 3 || !self.start.is_empty());
                    for (name, value) in self.prologue.get((clock as usize).wrapping_sub(3)).into_iter().flatten() {
                        values[place(&inputs, name)] = *value;
                    }
                } else {
                    for (i, draw) in draws.iter().enumerate() {
                        let allowed = needs[i].is_none_or(|output| gets[output](&block) != 0);
                        values[i] = if i == reset {
                            // Once in the middle of some phases, at random in others.
                            let low = phase % 8 == 5 && clock == 111 || phase % 8 == 1 && random.below(60) == 0;
                            u64::from(!low)
                        } else {
                            let value = once_a_clock(draw, steady[i], &mut random);
                            if allowed {
                                value & masks[i]
                            } else {
                                0
                            }
                        };
                    }
                    if let Some(steer) = &mut self.steer {
                        steer(&mut Row { inputs: &inputs, outputs: &outputs, values: &mut values, seen: &seen });
                    }
                }
                for (set, value) in sets.iter().zip(&values) {
                    set(&mut block, *value);
                }
                rows.extend(values);
                (self.ports.clock)(&mut block, Clock { clk: false });
                step::settle(&mut block).expect("settles");
                seen = gets.iter().map(|get| get(&block)).collect();
                expected.extend(seen.iter().copied());
                (self.ports.clock)(&mut block, Clock { clk: true });
                step::settle(&mut block).expect("settles");
            }
            let got = model.run(&rows, Sample::BeforeEdge).expect("runs");
            let (expected, got) = (expected.chunks(outputs.len()), got.chunks(outputs.len()));
            for (clock, ((want, got), row)) in expected.zip(got).zip(rows.chunks(inputs.len())).enumerate() {
                let means = |i: usize| {
                    let high = |output: &str| want[place(&outputs, output)] != 0;
                    phase > 0
                        && match meaning[i] {
                            None => true,
                            Some(Meaning::While(output)) => high(output),
                            Some(Meaning::WhileNot(output)) => !high(output),
                            Some(Meaning::Held(output)) => high(output) && before[place(&outputs, output)] != 0,
                            Some(Meaning::After(clocks)) => since_reset >= clocks,
                            Some(Meaning::Never) => false,
                        }
                };
                for (i, name) in outputs.iter().enumerate() {
                    ever_high[i] |= phase > 0 && want[i] != 0;
                    if means(i) {
                        assert_eq!(want[i], got[i], "`{name}` of `{}`, phase {phase}, clock {clock}", self.top);
                    }
                }
                if let Some(recording) = &mut recording {
                    recording.push(row, want, (0..outputs.len()).map(means));
                }
                before.copy_from_slice(want);
                since_reset = if row[reset] == 0 { 0 } else { since_reset + 1 };
            }
        }
        if let Some(recording) = recording {
            let meaning = outputs.iter().zip(&meaning).filter_map(|(name, meaning)| Some((name.clone(), (*meaning)?)));
            let allowed = inputs
                .iter()
                .zip(&needs)
                .filter_map(|(name, output)| Some((name.clone(), outputs[(*output)?].clone())));
            let rules = Rules { meaning: meaning.collect(), allowed: allowed.collect(), opening: 3 };
            recording.save_if_wanted(self.top, &verilog, &rules).expect("is recorded");
        }
        for name in self.reached {
            assert!(ever_high[place(&outputs, name)], "the inputs never raised `{name}` of `{}`", self.top);
        }
    }
}

/// A module whose registers hold these values at first.
fn started(verilog: &str, registers: &[(String, u64)]) -> String {
    if registers.is_empty() {
        return verilog.to_owned();
    }
    let values: String = registers.iter().map(|(name, value)| format!("    {name} = 'h{value:x};\n")).collect();
    let (module, rest) = verilog.split_once("endmodule").expect("a module");
    assert!(rest.trim().is_empty(), "more than one module");
    format!("{module}initial begin\n{values}end\nendmodule\n")
}

/// A number between 2^-7 and 2^8, of either sign.
fn number(random: &mut Random) -> u64 {
    u64::from(random.word() & 0x807F_FFFF | (120 + random.below(16)) << 23)
}

fn pick<T: Copy>(list: &[T], random: &mut Random) -> T {
    list[random.below(list.len() as u32) as usize]
}

/// What a phase's words are drawn around: 0, infinity, a bit alone, for long borrows, or anything.
fn centre(random: &mut Random) -> u32 {
    match random.below(4) {
        0 => 0,
        1 => f32::INFINITY.to_bits(),
        2 => 1 << random.below(32),
        _ => random.word(),
    }
}

fn once_a_phase(draw: &Draw, centre: u32, random: &mut Random) -> u64 {
    match draw {
        Draw::Around => centre.into(),
        Draw::Chance(list) => u64::from(pick(list, random)),
        Draw::Steady(list) => pick(list, random),
        Draw::SteadyNumber => number(random),
        Draw::Pick(_) | Draw::Below(_) | Draw::Number | Draw::Any => 0,
    }
}

fn once_a_clock(draw: &Draw, steady: u64, random: &mut Random) -> u64 {
    match draw {
        Draw::Chance(_) => u64::from(u64::from(random.below(100)) < steady),
        Draw::Steady(_) | Draw::SteadyNumber => steady,
        Draw::Pick(list) => pick(list, random),
        Draw::Below(end) => u64::from(random.below(*end)),
        Draw::Around => match random.below(8) {
            0..=2 => steady,
            3 => u64::from((steady as u32).wrapping_add(1)),
            4 => u64::from((steady as u32).wrapping_sub(1)),
            _ => steady ^ 1 << random.below(32),
        },
        Draw::Number => number(random),
        Draw::Any => u64::from(random.word()),
    }
}
