//! A register: `q` is what `d` was at the last rising edge.
//!
//! The same gates as rust-hdl's own `DFF`, with two differences. It has no initial value: every user resets it, and a
//! simulator that starts registers at random finds the one that does not. And it settles in one delta pass less and
//! compares one signal instead of three, because it reads `d` as it is being driven: a clock reaches a block's registers
//! at least one pass before anything that the same edge changed, so `d` still is what it was before the edge.

use rust_hdl_core::prelude::*;
use rust_hdl_core::timing::TimingInfo;

/// One register of type `T`. Its reset, if any, is in the logic before `d`.
#[derive(Clone, Debug)]
pub struct Flop<T: Synth> {
    /// The one clock.
    pub clock: Signal<In, Clock>,
    /// What to store.
    pub d: Signal<In, T>,
    /// What is stored.
    pub q: Signal<Out, T>,
}

impl<T: Synth> Default for Flop<T> {
    fn default() -> Self {
        Self { clock: Default::default(), d: Default::default(), q: Default::default() }
    }
}

impl<T: Synth> Logic for Flop<T> {
    fn update(&mut self) {
        if self.clock.pos_edge() {
            self.q.next = self.d.next;
        }
    }

    fn connect(&mut self) {
        self.q.connect();
    }

    fn hdl(&self) -> Verilog {
        Verilog::Custom("always @(posedge clock) q <= d;\n".into())
    }

    fn timing(&self) -> Vec<TimingInfo> {
        vec![TimingInfo {
            name: "flop".into(),
            clock: "clock".into(),
            inputs: vec!["d".into()],
            outputs: vec!["q".into()],
        }]
    }
}

impl<T: Synth> Block for Flop<T> {
    fn connect_all(&mut self) {
        self.connect();
    }

    fn update_all(&mut self) {
        self.clock.update_all();
        self.update();
        self.q.update_all();
    }

    fn has_changed(&self) -> bool {
        self.q.changed
    }

    fn accept(&self, name: &str, probe: &mut dyn Probe) {
        probe.visit_start_scope(name, self);
        self.clock.accept("clock", probe);
        self.d.accept("d", probe);
        self.q.accept("q", probe);
        probe.visit_end_scope(name, self);
    }
}
