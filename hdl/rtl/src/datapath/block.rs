//! A kernel as one block: fast in simulation, operators and delays in Verilog.
//!
//! ```text
//!  start, inputs, tag ->  +----------------+ -> done, outputs, tag_out
//!               ready <-  | datapath (II)  |
//!                         +----------------+
//! ```
//!
//! - A start is taken in a clock with `start` and `ready`; the inputs and `tag` are read in that clock.
//! - `done` is high, with the outputs and `tag_out` of that start, exactly [`Design::latency`] clocks later. When `done`
//!   is low the outputs mean nothing.
//! - `ready` comes from registers. At interval 1 it is always high. At interval N it is high in every N-th clock, the first
//!   being the one after a reset, whether anything is under way or not: so nothing inside waits for `start`. A [`program`] is
//!   ready while nothing is under way.
//! - Nothing stalls ([`stream`](super::stream) has the form that does). Reset (low, synchronous) forgets what is under way; during reset a start is not taken.
//!
//! # What is simulated
//!
//! In the crate's simulation the block evaluates the recorded graph once a start, with the host's arithmetic, and puts
//! the outputs into a ring; without a start it does nothing. The schedule's promise (which clock, which bits) is
//! therefore *assumed* in-crate, and proved by comparing with the emitted Verilog and with the composed form.

use super::graph::Graph;
use super::program::{self, Program};
use super::report::Report;
use super::schedule::Schedule;
use super::verilog;
use rayman_model::{Kernel, Kind};
use rust_hdl_core::prelude::*;
use std::any::TypeId;
use std::collections::{BTreeMap, VecDeque};
use std::sync::{Mutex, PoisonError};

/// Starts are at most this far apart.
pub const MAX_INTERVAL: u32 = 64;

/// What a kernel becomes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Units that take a start every so many clocks, 1 to [`MAX_INTERVAL`].
    Interval(u32),
    /// A [`Program`]: the smallest; a start when the last is done.
    Program,
}

impl std::fmt::Display for Form {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Form::Interval(interval) => write!(f, "interval {interval}"),
            Form::Program => write!(f, "program"),
        }
    }
}

/// A kernel scheduled at an interval, with its `tag`.
#[derive(Clone, Debug)]
pub struct Folded {
    /// What is computed.
    pub graph: Graph,
    /// When, and by what.
    pub schedule: Schedule,
}

impl Folded {
    /// Records and schedules a kernel for a start every `interval` clocks, 1 to [`MAX_INTERVAL`].
    ///
    /// # Panics
    ///
    /// When the interval is out of range: it is fixed where a design is written.
    pub fn of<K: Kernel>(interval: u32) -> Self {
        assert!((1..=MAX_INTERVAL).contains(&interval), "interval {interval} is not in 1..={MAX_INTERVAL}");
        // A second of work for a large kernel, the same each time: once a process.
        static KNOWN: Mutex<BTreeMap<(TypeId, u32), Folded>> = Mutex::new(BTreeMap::new());
        let key = (TypeId::of::<K>(), interval);
        if let Some(folded) = KNOWN.lock().unwrap_or_else(PoisonError::into_inner).get(&key) {
            return folded.clone();
        }
        let graph = with_tag::<K>();
        let schedule = Schedule::new(&graph, interval);
        let folded = Self { graph, schedule };
        KNOWN.lock().unwrap_or_else(PoisonError::into_inner).insert(key, folded.clone());
        folded
    }

    /// Clocks between starts.
    pub fn interval(&self) -> u32 {
        self.schedule.interval
    }

    /// From the clock of a start to the clock of its `done`.
    pub fn latency(&self) -> u32 {
        self.schedule.latency
    }

    /// What it costs.
    pub fn report(&self) -> Report {
        Report::new(&self.graph, &self.schedule)
    }
}

fn with_tag<K: Kernel>() -> Graph {
    let mut graph = Graph::of::<K>();
    graph.pass_through("tag", "tag_out", Kind::Word);
    graph
}

/// A kernel in one of its forms, with its `tag`.
#[derive(Clone, Debug)]
pub enum Design {
    /// Starts overlap.
    Folded(Folded),
    /// One start at a time.
    Program(Graph, Program),
}

impl Design {
    /// Records a kernel and plans it.
    pub fn of<K: Kernel>(form: Form) -> Self {
        match form {
            Form::Interval(interval) => Design::Folded(Folded::of::<K>(interval)),
            Form::Program => {
                let graph = with_tag::<K>();
                let program = Program::new(&graph);
                Design::Program(graph, program)
            }
        }
    }

    /// What is computed.
    pub fn graph(&self) -> &Graph {
        match self {
            Design::Folded(folded) => &folded.graph,
            Design::Program(graph, _) => graph,
        }
    }

    /// Clocks between starts; of a program its latency.
    pub fn interval(&self) -> u32 {
        match self {
            Design::Folded(folded) => folded.interval(),
            Design::Program(_, program) => program.latency,
        }
    }

    /// From the clock of a start to the clock of its `done`.
    pub fn latency(&self) -> u32 {
        match self {
            Design::Folded(folded) => folded.latency(),
            Design::Program(_, program) => program.latency,
        }
    }

    /// What it costs, in words.
    pub fn report(&self) -> String {
        match self {
            Design::Folded(folded) => folded.report().to_string(),
            Design::Program(graph, program) => format!("{}: {program}", graph.name),
        }
    }

    /// The module's body and the modules it uses.
    pub fn verilog(&self) -> Verilog {
        let verilog::Text { code, cores } = match self {
            Design::Folded(folded) => verilog::write(&folded.graph, &folded.schedule),
            Design::Program(graph, program) => program::write(graph, program),
        };
        Verilog::Wrapper(Wrapper { code, cores })
    }
}

/// The state of a datapath in simulation: what is under way.
#[derive(Clone, Debug)]
pub struct Flight {
    design: Design,
    interval: u32,
    latency: u32,
    /// It is ready until a start comes.
    waits: bool,
    /// Rising edges so far; also the number of the clock that the next edge ends.
    clock: u64,
    phase: u32,
    /// The clocks in which results are due, and the results, one after the other.
    due: VecDeque<u64>,
    results: VecDeque<u32>,
    outputs: Vec<u32>,
    scratch: Vec<u32>,
}

impl Flight {
    /// Nothing under way.
    pub fn new(design: Design) -> Self {
        let outputs = vec![0; design.graph().outputs.len()];
        Self {
            interval: design.interval(),
            latency: design.latency(),
            waits: matches!(design, Design::Program(..)),
            design,
            clock: 0,
            phase: 0,
            due: VecDeque::new(),
            results: VecDeque::new(),
            outputs,
            scratch: Vec::new(),
        }
    }

    /// What is simulated.
    pub fn design(&self) -> &Design {
        &self.design
    }

    /// The next clock takes a start.
    pub fn ready(&self) -> bool {
        self.phase == 0
    }

    /// A rising edge with reset.
    pub fn reset(&mut self) {
        self.clock += 1;
        self.phase = 0;
        self.due.clear();
        self.results.clear();
    }

    /// A rising edge; `inputs` where a start is taken. The outputs, if in the clock that begins something is done.
    #[inline]
    pub fn edge(&mut self, inputs: Option<&[u32]>) -> Option<&[u32]> {
        let now = self.clock;
        self.clock += 1;
        if let Some(inputs) = inputs {
            self.design.graph().evaluate(inputs, &mut self.scratch, &mut self.outputs);
            self.results.extend(&self.outputs);
            self.due.push_back(now + u64::from(self.latency));
        }
        // The phase goes round; a program's waits for a start.
        if self.phase > 0 || !self.waits || inputs.is_some() {
            self.phase = if self.phase == self.interval - 1 { 0 } else { self.phase + 1 };
        }
        if self.due.front() != Some(&self.clock) {
            return None;
        }
        self.due.pop_front();
        for output in &mut self.outputs {
            *output = self.results.pop_front().expect("a result is as long as the outputs");
        }
        Some(&self.outputs)
    }
}

/// A port's value as a word and back.
pub trait PortValue: Synth {
    /// As a word; a flag is 0 or 1.
    fn to_word(self) -> u32;
    /// From a word.
    fn from_word(word: u32) -> Self;
}

impl PortValue for Bits<32> {
    #[inline(always)]
    fn to_word(self) -> u32 {
        self.to_u32()
    }
    #[inline(always)]
    fn from_word(word: u32) -> Self {
        u64::from(word).into()
    }
}

impl PortValue for Bit {
    #[inline(always)]
    fn to_word(self) -> u32 {
        self.into()
    }
    #[inline(always)]
    fn from_word(word: u32) -> Self {
        word != 0
    }
}

/// Any block made by [`datapath!`](crate::datapath!), its ports as words in the kernel's order: for tests and benches that
/// take every datapath alike.
pub trait Datapath: Block {
    /// What it computes.
    type Kernel: Kernel;

    /// A datapath of this form.
    fn of(form: Form) -> Self;
    /// A datapath that takes a start every `interval` clocks.
    fn with_interval(interval: u32) -> Self
    where
        Self: Sized,
    {
        Self::of(Form::Interval(interval))
    }
    /// Schedule, latency and report.
    fn design(&self) -> &Design;
    /// Sets `clock`.
    fn set_clock(&mut self, clock: Clock);
    /// Sets `reset_n`, `start`, the kernel's inputs and, after them, `tag`.
    fn drive(&mut self, reset_n: bool, start: bool, inputs: &[u32]);
    /// `ready`, `done`, and the kernel's outputs and, after them, `tag_out`.
    fn answer(&self) -> (bool, bool, Vec<u32>);
}

/// Whether the ports written in a [`datapath!`](crate::datapath!) are the kernel's: names in order, and which are flags.
/// A written name may have a `_` at its end that the kernel's has not: see [`port_name`](super::graph::port_name).
pub const fn ports_match(written: &[(&str, bool)], ports: &[rayman_model::Port]) -> bool {
    if written.len() != ports.len() {
        return false;
    }
    let mut n = 0;
    while n < ports.len() {
        let (name, flag) = (written[n].0.as_bytes(), written[n].1);
        let expected = ports[n].name.as_bytes();
        let extended = name.len() == expected.len() + 1 && name[expected.len()] == b'_';
        if flag != matches!(ports[n].kind, Kind::Flag) || (name.len() != expected.len() && !extended) {
            return false;
        }
        let mut at = 0;
        while at < expected.len() {
            if name[at] != expected[at] {
                return false;
            }
            at += 1;
        }
        n += 1;
    }
    true
}

/// Makes a block with named ports of a kernel.
///
/// ```text
/// datapath! {
///     /// What it is.
///     pub struct DotProduct for DotProductKernel {
///         a_x, a_y, b_x, b_y, negate: Flag
///     } -> {
///         product, positive: Flag
///     }
/// }
/// ```
///
/// The ports are the kernel's, in its order, `: Flag` on flags; another list does not compile. A port whose name is
/// reserved in Verilog is written with a `_` behind it: `inside_` for `inside`. Beside the ports the struct has
/// `clock`, `reset_n`, `start`, `ready`, `done`, `tag` and `tag_out`. `DotProduct::new(interval)` makes it. See
/// [`block`](crate::datapath::block) for its behaviour. `pub struct DotProduct, stream DotProductStream for ...` makes the
/// [stream form](crate::datapath::stream) as well.
///
/// Inputs are looked at when the clock rises, and only with a start, so that a datapath with nothing to do costs little in
/// simulation: a count of clocks, and `ready` where it is folded (in a waveform its inputs stand still).
#[macro_export]
macro_rules! datapath {
    (
        $(#[$meta:meta])*
        $vis:vis struct $name:ident, stream $stream:ident for $kernel:ty {
            $($inputs:tt)*
        } -> {
            $($outputs:tt)*
        }
    ) => {
        $crate::datapath! {
            $(#[$meta])*
            $vis struct $name for $kernel { $($inputs)* } -> { $($outputs)* }
        }
        $crate::datapath_stream! {
            #[doc = concat!("[`", stringify!($name), "`] as a stream, whose consumer may stall.")]
            $vis struct $stream for $kernel { $($inputs)* } -> { $($outputs)* }
        }
    };

    (
        $(#[$meta:meta])*
        $vis:vis struct $name:ident for $kernel:ty {
            $($input:ident $(: $input_kind:ident)?),* $(,)?
        } -> {
            $($output:ident $(: $output_kind:ident)?),* $(,)?
        }
    ) => {
        $(#[$meta])*
        $vis struct $name {
            /// The one clock.
            pub clock: $crate::datapath::hdl::Signal<$crate::datapath::hdl::In, $crate::datapath::hdl::Clock>,
            /// Low: forget what is under way.
            pub reset_n: $crate::datapath!(@signal In Flag),
            /// Inputs are on the ports.
            pub start: $crate::datapath!(@signal In Flag),
            /// A start is taken in this clock.
            pub ready: $crate::datapath!(@signal Out Flag),
            $(#[doc = concat!("Input `", stringify!($input), "` of the kernel.")]
            pub $input: $crate::datapath!(@signal In $($input_kind)?),)*
            /// Comes back as `tag_out` beside the outputs.
            pub tag: $crate::datapath!(@signal In),
            /// Outputs are on the ports.
            pub done: $crate::datapath!(@signal Out Flag),
            $(#[doc = concat!("Output `", stringify!($output), "` of the kernel.")]
            pub $output: $crate::datapath!(@signal Out $($output_kind)?),)*
            /// The `tag` of this start.
            pub tag_out: $crate::datapath!(@signal Out),
            flight: $crate::datapath::Flight,
            /// What is driven changed at the last edge.
            unsettled: bool,
        }

        const _: () = {
            use $crate::datapath::hdl;
            use $crate::datapath::{Datapath, Design, Flight, Form, PortValue};

            $crate::datapath!(@check $kernel, { $($input $(: $input_kind)?),* }, { $($output $(: $output_kind)?),* });

            impl $name {
                /// A datapath that takes a start every `interval` clocks.
                pub fn new(interval: u32) -> Self {
                    Self::in_form(Form::Interval(interval))
                }

                /// The datapath as a program: the smallest, which takes a start when the last is done.
                pub fn program() -> Self {
                    Self::in_form(Form::Program)
                }

                fn in_form(form: Form) -> Self {
                    Self {
                        clock: Default::default(),
                        reset_n: Default::default(),
                        start: Default::default(),
                        ready: hdl::Signal::<hdl::Out, hdl::Bit>::new_with_default(true),
                        $($input: Default::default(),)*
                        tag: Default::default(),
                        done: Default::default(),
                        $($output: Default::default(),)*
                        tag_out: Default::default(),
                        flight: Flight::new(Design::of::<$kernel>(form)),
                        unsettled: false,
                    }
                }

                /// Schedule, latency and report.
                pub fn design(&self) -> &Design {
                    self.flight.design()
                }

                /// Clocks from a start to its `done`.
                pub fn latency(&self) -> usize {
                    self.flight.design().latency() as usize
                }

                /// The rising edge, with the inputs as they are driven: see `crate::mem`.
                fn edge(&mut self) {
                    let done = if self.reset_n.next {
                        let results = if self.start.next && self.ready.next {
                            self.flight.edge(Some(&[$(self.$input.next.to_word(),)* self.tag.next.to_word()]))
                        } else {
                            self.flight.edge(None)
                        };
                        let done = results.is_some();
                        if let Some([$($output,)* tag_out]) = results {
                            $(self.$output.next = PortValue::from_word(*$output);)*
                            self.tag_out.next = PortValue::from_word(*tag_out);
                        }
                        done
                    } else {
                        self.flight.reset();
                        false
                    };
                    let ready = self.flight.ready();
                    // The outputs are compared only where a result came.
                    self.unsettled = done || self.done.next != done || self.ready.next != ready;
                    self.done.next = done;
                    self.ready.next = ready;
                }
            }

            impl Datapath for $name {
                type Kernel = $kernel;

                fn of(form: Form) -> Self {
                    Self::in_form(form)
                }

                fn design(&self) -> &Design {
                    self.flight.design()
                }

                fn set_clock(&mut self, clock: hdl::Clock) {
                    self.clock.next = clock;
                }

                fn drive(&mut self, reset_n: bool, start: bool, inputs: &[u32]) {
                    self.reset_n.next = reset_n;
                    self.start.next = start;
                    let mut inputs = inputs.iter().copied();
                    let mut next = || inputs.next().expect("a word for each input and the tag");
                    $(self.$input.next = PortValue::from_word(next());)*
                    self.tag.next = PortValue::from_word(next());
                }

                fn answer(&self) -> (bool, bool, Vec<u32>) {
                    let outputs = vec![$(self.$output.val().to_word(),)* self.tag_out.val().to_word()];
                    (self.ready.val(), self.done.val(), outputs)
                }
            }

            impl hdl::Logic for $name {
                fn update(&mut self) {}

                fn connect(&mut self) {
                    self.ready.connect();
                    self.done.connect();
                    $(self.$output.connect();)*
                    self.tag_out.connect();
                }

                fn hdl(&self) -> hdl::Verilog {
                    self.flight.design().verilog()
                }
            }

            impl hdl::Block for $name {
                fn connect_all(&mut self) {
                    hdl::Logic::connect(self);
                }

                fn update_all(&mut self) {
                    self.clock.update_all();
                    let unsettled = self.unsettled;
                    if self.clock.pos_edge() {
                        self.edge();
                    } else {
                        self.unsettled = false;
                    }
                    if self.unsettled || unsettled {
                        self.ready.update_all();
                        self.done.update_all();
                        $(self.$output.update_all();)*
                        self.tag_out.update_all();
                    }
                }

                fn has_changed(&self) -> bool {
                    self.unsettled
                }

                fn accept(&self, name: &str, probe: &mut dyn hdl::Probe) {
                    probe.visit_start_scope(name, self);
                    self.clock.accept("clock", probe);
                    self.reset_n.accept("reset_n", probe);
                    self.start.accept("start", probe);
                    self.ready.accept("ready", probe);
                    $(self.$input.accept(stringify!($input), probe);)*
                    self.tag.accept("tag", probe);
                    self.done.accept("done", probe);
                    $(self.$output.accept(stringify!($output), probe);)*
                    self.tag_out.accept("tag_out", probe);
                    probe.visit_end_scope(name, self);
                }
            }

            impl hdl::Gated for $name {
                const LEAF: bool = true;

                fn tick(&mut self, level: hdl::Clock) {
                    self.clock.next = level;
                }

                fn told(&self) -> bool {
                    self.unsettled
                }
            }
        };
    };

    // The lists are the kernel's own; in a constant, so that another list does not compile.
    (
        @check $kernel:ty,
        { $($input:ident $(: $input_kind:ident)?),* }, { $($output:ident $(: $output_kind:ident)?),* }
    ) => {
        assert!(
            $crate::datapath::ports_match(
                &[$((stringify!($input), $crate::datapath!(@flag $($input_kind)?))),*],
                <$kernel as $crate::datapath::Kernel>::INPUTS,
            ),
            "the inputs are not the kernel's",
        );
        assert!(
            $crate::datapath::ports_match(
                &[$((stringify!($output), $crate::datapath!(@flag $($output_kind)?))),*],
                <$kernel as $crate::datapath::Kernel>::OUTPUTS,
            ),
            "the outputs are not the kernel's",
        );
    };

    (@signal $direction:ident) => {
        $crate::datapath::hdl::Signal<$crate::datapath::hdl::$direction, $crate::datapath::hdl::Bits<32>>
    };
    (@signal $direction:ident Flag) => {
        $crate::datapath::hdl::Signal<$crate::datapath::hdl::$direction, $crate::datapath::hdl::Bit>
    };
    (@flag) => { false };
    (@flag Flag) => { true };
}
