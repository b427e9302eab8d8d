//! A gated block and the same block under rust-hdl's own derive give the same outputs whenever they are at rest.

use super::{Gate, Gated};
use crate::mem::{Fifo, Flop, Ram};
use crate::step::settle;
use rayman_derive::GatedBlock;
use rayman_model::random::Random;
use rust_hdl_core::prelude::*;
use rust_hdl_widgets::dff_setup;

/// One design under a derive: blocks in blocks, in an array, memories, and a combinational path through all of them.
macro_rules! design {
    ($derive:ident, $inner:ident, $outer:ident, $trace:ident) => {
        /// Adds when enabled; the sum to come is there at once.
        #[derive($derive, Default)]
        struct $inner {
            clock: Signal<In, Clock>,
            reset_n: Signal<In, Bit>,
            enable: Signal<In, Bit>,
            add: Signal<In, Bits<16>>,
            total: Signal<Out, Bits<16>>,
            coming: Signal<Out, Bits<16>>,
            sum: Flop<Bits<16>>,
            sum_next: Signal<Local, Bits<16>>,
            _gate: Gate,
        }

        impl Logic for $inner {
            #[hdl_gen]
            fn update(&mut self) {
                dff_setup!(self, clock, sum);
                self.sum_next.next = self.sum.q.val() + self.add.val();
                if self.enable.val() {
                    self.sum.d.next = self.sum_next.val();
                }
                self.total.next = self.sum.q.val();
                self.coming.next = self.sum_next.val();
                if !self.reset_n.val() {
                    self.sum.d.next = 0.into();
                }
            }
        }

        /// Three adders in a row, a memory of their totals, a queue of them.
        #[derive($derive, Default)]
        struct $outer {
            clock: Signal<In, Clock>,
            reset_n: Signal<In, Bit>,
            enables: [Signal<In, Bit>; 3],
            add: Signal<In, Bits<16>>,
            address: Signal<In, Bits<2>>,
            pop: Signal<In, Bit>,
            totals: [Signal<Out, Bits<16>>; 3],
            through: Signal<Out, Bits<16>>,
            stored: Signal<Out, Bits<32>>,
            front: Signal<Out, Bits<16>>,
            empty: Signal<Out, Bit>,
            adders: [$inner; 3],
            memory: Ram<1, 2>,
            queue: Fifo<Bits<16>, 2>,
            _gate: Gate,
        }

        impl Logic for $outer {
            #[hdl_gen]
            fn update(&mut self) {
                for i in 0..3 {
                    self.adders[i].clock.next = self.clock.val();
                    self.adders[i].reset_n.next = self.reset_n.val();
                    self.adders[i].enable.next = self.enables[i].val();
                    self.totals[i].next = self.adders[i].total.val();
                }
                self.adders[0].add.next = self.add.val();
                self.adders[1].add.next = self.adders[0].coming.val();
                self.adders[2].add.next = self.adders[1].coming.val();
                self.through.next = self.adders[2].coming.val();
                self.memory.clock.next = self.clock.val();
                self.memory.write_enable.next = self.enables[0].val();
                self.memory.write_address.next = self.address.val();
                self.memory.read_address.next = self.address.val();
                self.memory.write_data[0].next = bit_cast::<32, 16>(self.adders[2].total.val());
                self.stored.next = self.memory.read_data[0].val();
                self.queue.clock.next = self.clock.val();
                self.queue.reset_n.next = self.reset_n.val();
                self.queue.clear.next = false;
                self.queue.push.next = self.enables[1].val();
                self.queue.push_data.next = self.adders[1].total.val();
                self.queue.pop.next = self.pop.val();
                self.front.next = self.queue.front.val();
                self.empty.next = self.queue.empty.val();
            }
        }

        /// Everything that shows on the outputs, each time that the design is at rest.
        fn $trace(seed: u64, overlapped: bool) -> Vec<[u64; 7]> {
            let mut random = Random::for_test("gated blocks", seed);
            let mut block = $outer::default();
            block.connect_all();
            let mut seen = vec![];
            for clock in 0..3000u32 {
                // Times of rest, in which only the clock moves.
                if clock / 50 % 3 != 1 {
                    block.reset_n.next = clock > 2 && random.below(100) > 0;
                    for enable in &mut block.enables {
                        enable.next = random.one_in(3);
                    }
                    if random.one_in(2) {
                        block.add.next = u64::from(random.below(1 << 16)).into();
                    }
                    block.address.next = u64::from(random.below(4)).into();
                    block.pop.next = random.one_in(4);
                }
                for level in [false, true] {
                    block.clock.next = Clock { clk: level };
                    // As the in-crate core is stepped: the next low follows the high wave one pass behind.
                    if level && overlapped {
                        block.update_all();
                        continue;
                    }
                    settle(&mut block).expect("the design comes to rest");
                    // Inputs may also move while the clock stands.
                    if clock % 7 == 3 && !level {
                        block.enables[2].next = !block.enables[2].next;
                        settle(&mut block).expect("the design comes to rest");
                    }
                    seen.push([
                        block.totals[0].val().to_u64(),
                        block.totals[1].val().to_u64(),
                        block.totals[2].val().to_u64(),
                        block.through.val().to_u64(),
                        block.stored.val().to_u64(),
                        block.front.val().to_u64(),
                        u64::from(block.empty.val()),
                    ]);
                }
            }
            seen
        }
    };
}

design!(GatedBlock, GatedAdder, GatedDesign, gated);
design!(LogicBlock, PlainAdder, PlainDesign, plain);

#[test]
fn a_gated_block_behaves_as_an_ungated_one() {
    for overlapped in [false, true] {
        for seed in 0..4 {
            let (gated, plain) = (gated(seed, overlapped), plain(seed, overlapped));
            for (i, (gated, plain)) in gated.iter().zip(&plain).enumerate() {
                assert_eq!(gated, plain, "seed {seed}, time of rest {i}, overlapped: {overlapped}");
            }
            assert!(plain.windows(2).any(|pair| pair[0] != pair[1]), "nothing ever happened");
        }
    }
}

#[test]
fn a_gated_block_at_rest_stops_to_evaluate() {
    let mut block = GatedDesign::default();
    block.connect_all();
    settle(&mut block).expect("the design comes to rest");
    assert!(!block._gate.live);
    block.update_all();
    assert!(!block._gate.live, "nothing changed");
    block.add.next = 5.into();
    block.update_all();
    assert!(block._gate.live, "an input changed, and what it drives");
    settle(&mut block).expect("the design comes to rest");
    assert_eq!(block.through.val().to_u64(), 5);
}

/// A counter that notes how often its kernel runs, and that counter in a block around it.
macro_rules! counted {
    ($name:ident { $($field:ident: $ty:ty),* }, |$this:ident| $kernel:block) => {
        #[derive(GatedBlock, Default)]
        struct $name {
            clock: Signal<In, Clock>,
            enable: Signal<In, Bit>,
            total: Signal<Out, Bits<16>>,
            $($field: $ty,)*
            _runs: u32,
            _gate: Gate,
        }

        impl Logic for $name {
            fn update(&mut self) {
                self._runs += 1;
                let $this = self;
                $kernel
            }
        }
    };
}

counted!(Inner { sum: Flop<Bits<16>> }, |this| {
    this.sum.clock.next = this.clock.val();
    this.sum.d.next = this.sum.q.val() + u64::from(this.enable.val());
    // The total shows every fourth step only.
    this.total.next = this.sum.q.val() & 0xfffc;
});

counted!(Outer { inner: Inner }, |this| {
    this.inner.clock.next = this.clock.val();
    this.inner.enable.next = this.enable.val();
    this.total.next = this.inner.total.val();
});

#[test]
fn a_kernel_runs_for_what_it_reads_and_not_for_the_clock() {
    let mut block = Outer::default();
    block.connect_all();
    let clocks = |block: &mut Outer, count: u64| {
        for _ in 0..count {
            crate::step::clock(block, |block, level| block.clock.next = level).expect("the design comes to rest");
        }
    };
    clocks(&mut block, 4);
    let (outer, inner) = (block._runs, block.inner._runs);
    clocks(&mut block, 100);
    assert_eq!((block._runs, block.inner._runs), (outer, inner), "nothing but the clock moved");

    block.enable.next = true;
    clocks(&mut block, 400);
    assert_eq!(block.total.val().to_u64(), 400);
    // The enable, and a new sum a clock: within. The enable, and each fourth of those: outside.
    assert_eq!(block.inner._runs - inner, 401);
    assert_eq!(block._runs - outer, 101);
    assert!(!block.told() && !block.has_changed(), "all is at rest");
}
