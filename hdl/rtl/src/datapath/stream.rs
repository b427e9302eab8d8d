//! A datapath between streams: a consumer that stalls loses nothing.
//!
//! ```text
//!  in_valid, inputs, tag ->  +--------+ start  +----------+ done  +-------+   +----------+ -> out_valid, outputs, tag_out
//!               in_ready <-  | credit |------->| datapath |------>| queue |-->| register | <- out_ready
//!                            +--------+        +----------+       +-------+   +----------+
//!                                 ^------------------ a result was taken -----------'
//! ```
//!
//! A datapath never stalls, so whoever starts a computation needs room for its results. Here a *credit* is that room: a
//! start takes one, a result that the consumer takes gives it back, and there are as many as the queue has places.
//!
//! What always holds:
//!
//! - Results come in the order of the starts, none is lost, none comes twice, however long the consumer stalls.
//! - While nobody stalls, a start is taken every interval: there are credits enough for the way to the consumer and back,
//!   [`Folded::stream_depth`].
//! - An input is taken in a clock with `in_valid` and `in_ready`, an output in one with `out_valid` and `out_ready`. An
//!   output that is offered stays as it is until it is taken. Both `in_ready` and `out_valid` come from registers: no path
//!   leads from one side's handshake to the other's.
//! - From a start to `out_valid`, with nothing queued, it is [`Folded::latency`] and 2 clocks.
//! - Reset (low, synchronous) forgets everything, also in mid-flight, and gives all credits back.
//!
//! # When to use which
//!
//! The plain datapath, where its user has room for what it starts by other means: in the core every ray has its place in
//! memory before it is tested or shaded, so that the queue here would only be in the way. This form, where results go to
//! someone who may stall: an AXI4-Stream, a bus, another clock's queue.

use super::block::{Design, Flight, Folded};
use rayman_model::{Kernel, Kind};
use rust_hdl_core::prelude::*;
use std::collections::VecDeque;
use std::fmt::Write;

impl Folded {
    /// Places in a stream's queue, and its credits: a power of two.
    ///
    /// A start has its credit for `latency + 2` clocks if the consumer is there; in so many clocks there may be a start
    /// every interval, and one more is on its way.
    pub fn stream_depth(&self) -> u32 {
        ((self.latency() + 2).div_ceil(self.interval()) + 1).next_power_of_two()
    }

    /// The plain datapath as a module of its own.
    fn module(&self, name: &str) -> String {
        let verilog = super::verilog::write(&self.graph, &self.schedule);
        let port = |direction, kind, name: &str| {
            let range = if kind == Kind::Flag { "" } else { "[31:0] " };
            format!("    {direction} wire {range}{name}")
        };
        let mut ports: Vec<_> =
            ["clock", "reset_n", "start"].iter().map(|name| port("input", Kind::Flag, name)).collect();
        ports.extend(["ready", "done"].iter().map(|name| port("output", Kind::Flag, name)));
        ports.extend(self.graph.inputs.iter().map(|end| port("input", end.kind, &end.name)));
        ports.extend(self.graph.outputs.iter().map(|end| port("output", end.kind, &end.name)));
        format!("module {name} (\n{}\n);\n{}endmodule\n\n{}", ports.join(",\n"), verilog.code, verilog.cores)
    }

    /// The stream's body and the modules it uses.
    pub fn stream_verilog(&self) -> Verilog {
        let name = format!("{}_every_{}", self.graph.name, self.interval());
        let depth = self.stream_depth();
        let address = depth.trailing_zeros();
        let (mut connections, mut outputs, mut at) = (Vec::new(), String::new(), 0);
        for end in &self.graph.inputs {
            connections.push(format!(".{0}({0})", end.name));
        }
        for end in &self.graph.outputs {
            let width = if end.kind == Kind::Flag { 1 } else { 32 };
            let bits = format!("[{}:{at}]", at + width - 1);
            connections.push(format!(".{}(result{bits})", end.name));
            writeln!(outputs, "assign {} = offered{bits};", end.name).expect("a string takes it");
            at += width;
        }
        let code = format!(
            "\
// The datapath {kernel} as a stream: a start takes a credit, a result that is taken gives it back.
wire ready;
wire done;
wire [{top}:0] result;
reg [{top}:0] offered;
reg offering;
reg room;
reg [{address}:0] used;
wire start = in_valid & in_ready;
wire taken = offering & out_ready;
wire [{address}:0] used_more = used + {count}'d1;
wire [{address}:0] used_less = used - {count}'d1;
wire [{address}:0] used_next = (start == taken) ? used : start ? used_more : used_less;
assign in_ready = ready & room;
assign out_valid = offering;
{name} datapath (
    .clock(clock), .reset_n(reset_n), .start(start), .ready(ready), .done(done),
    {connections}
);
// Results that wait. There is a place for each credit.
reg [{top}:0] queue [0:{last}];
reg [{address}:0] write_at;
reg [{address}:0] read_at;
wire [{address}:0] write_next = write_at + {count}'d1;
wire [{address}:0] read_next = read_at + {count}'d1;
wire waiting = write_at != read_at;
wire free = !offering | out_ready;
always @(posedge clock) begin
    if (done) queue[write_at[{below}:0]] <= result;
    if (free) offered <= queue[read_at[{below}:0]];
    if (!reset_n) begin
        offering <= 1'b0;
        room <= 1'b1;
        used <= {count}'d0;
        write_at <= {count}'d0;
        read_at <= {count}'d0;
    end else begin
        if (free) offering <= waiting;
        room <= used_next != {count}'d{depth};
        used <= used_next;
        if (done) write_at <= write_next;
        if (free & waiting) read_at <= read_next;
    end
end
{outputs}",
            kernel = self.graph.name,
            top = at - 1,
            count = address + 1,
            last = depth - 1,
            below = address - 1,
            connections = connections.join(", "),
        );
        Verilog::Wrapper(Wrapper { code, cores: self.module(&name) })
    }
}

/// The state of a stream in simulation.
#[derive(Clone, Debug)]
pub struct StreamFlight {
    design: Folded,
    flight: Flight,
    depth: u32,
    used: u32,
    /// What the datapath shows as done in this clock.
    done: Option<Vec<u32>>,
    queue: VecDeque<Vec<u32>>,
    offered: Option<Vec<u32>>,
}

impl StreamFlight {
    /// Nothing under way.
    pub fn new(design: Folded) -> Self {
        let (depth, flight) = (design.stream_depth(), Flight::new(Design::Folded(design.clone())));
        Self { design, flight, depth, used: 0, done: None, queue: VecDeque::new(), offered: None }
    }

    /// What is simulated.
    pub fn design(&self) -> &Folded {
        &self.design
    }

    /// The next clock takes an input.
    pub fn ready(&self) -> bool {
        self.flight.ready() && self.used < self.depth
    }

    /// What is offered in this clock.
    pub fn offered(&self) -> Option<&[u32]> {
        self.offered.as_deref()
    }

    /// A rising edge with reset.
    pub fn reset(&mut self) {
        self.flight.reset();
        self.used = 0;
        self.done = None;
        self.queue.clear();
        self.offered = None;
    }

    /// A rising edge; `inputs` where an input is taken, `out_ready` as it stood.
    pub fn edge(&mut self, inputs: Option<&[u32]>, out_ready: bool) {
        self.used += u32::from(inputs.is_some());
        if out_ready && self.offered.take().is_some() {
            self.used -= 1;
        }
        if self.offered.is_none() {
            self.offered = self.queue.pop_front();
        }
        self.queue.extend(self.done.take());
        self.done = self.flight.edge(inputs).map(<[u32]>::to_vec);
    }
}

/// Any block made by [`datapath_stream!`](crate::datapath_stream!), its ports as words in the kernel's order.
pub trait StreamDatapath: Block {
    /// What it computes.
    type Kernel: Kernel;

    /// A stream that takes an input every `interval` clocks.
    fn with_interval(interval: u32) -> Self;
    /// Schedule, latency and report of the datapath inside.
    fn design(&self) -> &Folded;
    /// Sets `clock`.
    fn set_clock(&mut self, clock: Clock);
    /// Sets `reset_n`, `in_valid`, `out_ready`, the kernel's inputs and, after them, `tag`.
    fn drive(&mut self, reset_n: bool, in_valid: bool, out_ready: bool, inputs: &[u32]);
    /// `in_ready`, `out_valid`, and the kernel's outputs and, after them, `tag_out`.
    fn answer(&self) -> (bool, bool, Vec<u32>);
}

/// Makes a stream of a kernel's datapath, with named ports: as [`datapath!`](crate::datapath!), with `in_valid`, `in_ready`,
/// `out_valid`, `out_ready` for `start`, `ready`, `done`. See [`stream`](crate::datapath::stream) for its behaviour.
///
/// `datapath! { pub struct Name, stream NameStream for ... }` makes both from one list of ports.
#[macro_export]
macro_rules! datapath_stream {
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
            pub in_valid: $crate::datapath!(@signal In Flag),
            /// They are taken in this clock.
            pub in_ready: $crate::datapath!(@signal Out Flag),
            $(#[doc = concat!("Input `", stringify!($input), "` of the kernel.")]
            pub $input: $crate::datapath!(@signal In $($input_kind)?),)*
            /// Comes back as `tag_out` beside the outputs.
            pub tag: $crate::datapath!(@signal In),
            /// Outputs are on the ports, until they are taken.
            pub out_valid: $crate::datapath!(@signal Out Flag),
            /// They are taken in this clock.
            pub out_ready: $crate::datapath!(@signal In Flag),
            $(#[doc = concat!("Output `", stringify!($output), "` of the kernel.")]
            pub $output: $crate::datapath!(@signal Out $($output_kind)?),)*
            /// The `tag` of these inputs.
            pub tag_out: $crate::datapath!(@signal Out),
            flight: $crate::datapath::StreamFlight,
        }

        const _: () = {
            use $crate::datapath::hdl;
            use $crate::datapath::{Folded, PortValue, StreamDatapath, StreamFlight};

            $crate::datapath!(@check $kernel, { $($input $(: $input_kind)?),* }, { $($output $(: $output_kind)?),* });

            impl $name {
                /// A stream that takes an input every `interval` clocks.
                pub fn new(interval: u32) -> Self {
                    Self {
                        clock: Default::default(),
                        reset_n: Default::default(),
                        in_valid: Default::default(),
                        in_ready: hdl::Signal::<hdl::Out, hdl::Bit>::new_with_default(true),
                        $($input: Default::default(),)*
                        tag: Default::default(),
                        out_valid: Default::default(),
                        out_ready: Default::default(),
                        $($output: Default::default(),)*
                        tag_out: Default::default(),
                        flight: StreamFlight::new(Folded::of::<$kernel>(interval)),
                    }
                }

                /// Schedule, latency and report of the datapath inside.
                pub fn design(&self) -> &Folded {
                    self.flight.design()
                }
            }

            impl StreamDatapath for $name {
                type Kernel = $kernel;

                fn with_interval(interval: u32) -> Self {
                    Self::new(interval)
                }

                fn design(&self) -> &Folded {
                    self.flight.design()
                }

                fn set_clock(&mut self, clock: hdl::Clock) {
                    self.clock.next = clock;
                }

                fn drive(&mut self, reset_n: bool, in_valid: bool, out_ready: bool, inputs: &[u32]) {
                    self.reset_n.next = reset_n;
                    self.in_valid.next = in_valid;
                    self.out_ready.next = out_ready;
                    let mut inputs = inputs.iter().copied();
                    let mut next = || inputs.next().expect("a word for each input and the tag");
                    $(self.$input.next = PortValue::from_word(next());)*
                    self.tag.next = PortValue::from_word(next());
                }

                fn answer(&self) -> (bool, bool, Vec<u32>) {
                    let outputs = vec![$(self.$output.val().to_word(),)* self.tag_out.val().to_word()];
                    (self.in_ready.val(), self.out_valid.val(), outputs)
                }
            }

            impl hdl::Logic for $name {
                fn update(&mut self) {
                    if !self.clock.pos_edge() {
                        return;
                    }
                    if !self.reset_n.val() {
                        self.flight.reset();
                    } else if self.in_valid.val() && self.flight.ready() {
                        let inputs = [$(self.$input.val().to_word(),)* self.tag.val().to_word()];
                        self.flight.edge(Some(&inputs), self.out_ready.val());
                    } else {
                        self.flight.edge(None, self.out_ready.val());
                    }
                    self.in_ready.next = self.flight.ready();
                    let offered = self.flight.offered();
                    self.out_valid.next = offered.is_some();
                    if let Some([$($output,)* tag_out]) = offered {
                        $(self.$output.next = PortValue::from_word(*$output);)*
                        self.tag_out.next = PortValue::from_word(*tag_out);
                    }
                }

                fn connect(&mut self) {
                    self.in_ready.connect();
                    self.out_valid.connect();
                    $(self.$output.connect();)*
                    self.tag_out.connect();
                }

                fn hdl(&self) -> hdl::Verilog {
                    self.flight.design().stream_verilog()
                }
            }

            impl hdl::Block for $name {
                fn connect_all(&mut self) {
                    hdl::Logic::connect(self);
                }

                fn update_all(&mut self) {
                    hdl::Logic::update(self);
                    self.clock.update_all();
                    // What was on the inputs when the clock rose is what the next pass takes; nothing else reads them.
                    if self.clock.pos_edge() {
                        self.reset_n.update_all();
                        self.in_valid.update_all();
                        self.out_ready.update_all();
                        $(self.$input.update_all();)*
                        self.tag.update_all();
                    }
                    self.in_ready.update_all();
                    self.out_valid.update_all();
                    $(self.$output.update_all();)*
                    self.tag_out.update_all();
                }

                fn has_changed(&self) -> bool {
                    self.clock.changed
                        || self.in_ready.changed
                        || self.out_valid.changed
                        || self.tag_out.changed
                        $(|| self.$output.changed)*
                }

                fn accept(&self, name: &str, probe: &mut dyn hdl::Probe) {
                    probe.visit_start_scope(name, self);
                    self.clock.accept("clock", probe);
                    self.reset_n.accept("reset_n", probe);
                    self.in_valid.accept("in_valid", probe);
                    self.in_ready.accept("in_ready", probe);
                    $(self.$input.accept(stringify!($input), probe);)*
                    self.tag.accept("tag", probe);
                    self.out_valid.accept("out_valid", probe);
                    self.out_ready.accept("out_ready", probe);
                    $(self.$output.accept(stringify!($output), probe);)*
                    self.tag_out.accept("tag_out", probe);
                    probe.visit_end_scope(name, self);
                }
            }
        };
    };
}
