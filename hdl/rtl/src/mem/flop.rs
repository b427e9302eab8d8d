//! A register: `q` is what `d` was at the last rising edge.
//!
//! The same gates as rust-hdl's `DFF`, without its initial value: whoever uses a register resets it, and a simulator
//! that starts registers at random finds the one that is not.

use super::edge_block;
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
    _unsettled: bool,
}

impl<T: Synth> Default for Flop<T> {
    fn default() -> Self {
        Self { clock: Default::default(), d: Default::default(), q: Default::default(), _unsettled: false }
    }
}

impl<T: Synth> Flop<T> {
    #[inline(always)]
    fn edge(&mut self) {
        self.q.next = self.d.next;
    }
}

impl<T: Synth> Logic for Flop<T> {
    fn update(&mut self) {}

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

edge_block!([T: Synth] Flop<T>, in: [d], out: [q]);
