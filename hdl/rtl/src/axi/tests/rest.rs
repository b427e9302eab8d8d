//! Sleeping blocks do sleep, and nobody can tell.

use super::super::testing::{before_edge, edge, Clocked, Rng};
use super::super::{BuildParameters, PixelOutput, ReadMaster, RegisterBlock};
use rust_hdl_core::prelude::*;

fn sleeps<B: Clocked>(mut block: B, set_reset_n: impl Fn(&mut B, bool)) {
    block.connect_all();
    for clock in 0..10 {
        set_reset_n(&mut block, clock > 2);
        before_edge(&mut block);
        edge(&mut block);
    }
    before_edge(&mut block);
    // Awake, a block reports the change of its clock pin, and passes it on.
    for level in [true, false, true] {
        block.drive(Clock { clk: level });
        block.update_all();
        assert!(!block.has_changed());
    }
    set_reset_n(&mut block, false);
    block.update_all();
    assert!(block.has_changed(), "an input wakes it");
}

#[test]
fn idle_blocks_sleep() {
    let build = BuildParameters { lanes: 1, cached_spheres: 1, slots: 1, contexts: 1, revision: 0 };
    sleeps(RegisterBlock::new(build), |block, level| block.reset_n.next = level);
    sleeps(ReadMaster::default(), |block, level| block.reset_n.next = level);
    sleeps(PixelOutput::default(), |block, level| block.reset_n.next = level);
}

/// Of two blocks with the same traffic one is kept awake by an input that means nothing while it is not valid. Inputs
/// change while the clock is low, and while it is high.
#[test]
fn a_sleeper_cannot_be_told_from_one_kept_awake() {
    let mut rng = Rng::new(77);
    let mut blocks = [PixelOutput::default(), PixelOutput::default()];
    blocks.iter_mut().for_each(|block| block.connect_all());
    let mut slept = 0;
    for clock in 0..20_000u64 {
        let (valid, start, stop) = (rng.chance(10), clock % 600 == 10, clock % 600 == 590);
        let ready: Vec<bool> = (0..4).map(|_| rng.chance(30)).collect();
        // One pixel in ten, one ready in three: most often nothing changes for a few clocks.
        let (quiet, noise, early) = (rng.chance(70), rng.next() & 0xFF_FFFF, rng.chance(50));
        for (kept_awake, block) in blocks.iter_mut().enumerate() {
            let drive = |block: &mut PixelOutput| {
                block.reset_n.next = clock > 2;
                block.start.next = start;
                block.stop.next = stop;
                block.width.next = 21.into();
                block.height.next = 9.into();
                block.stream_enable.next = clock / 600 % 2 == 0;
                block.framebuffer_enable.next = clock / 600 % 3 != 0;
                block.framebuffer_address.next = 0x8000_0F00_u64.into();
                block.framebuffer_stride.next = 128.into();
                block.pixel_valid.next = valid;
                if valid || kept_awake == 1 {
                    block.pixel.next = if valid { (clock & 0xFF_FFFF).into() } else { noise.into() };
                }
                if !quiet {
                    block.bus.awready.next = ready[0];
                    block.bus.wready.next = ready[1];
                    block.bus.bvalid.next = ready[2];
                    block.m_axis_video.tready.next = ready[3];
                }
            };
            if early {
                // As a neighbour's registers do: right after the edge, with the clock still high.
                drive(block);
                crate::step::settle(block).unwrap();
            }
            block.drive(Clock { clk: false });
            crate::step::settle(block).unwrap();
            if !early {
                drive(block);
                crate::step::settle(block).unwrap();
            }
        }
        let seen = |block: &PixelOutput| {
            let (bus, video) = (&block.bus, &block.m_axis_video);
            let flags = [
                block.pixel_ready.val(),
                block.pixel_taken.val(),
                block.idle.val(),
                block.stopped.val(),
                bus.awvalid.val(),
                bus.wvalid.val(),
                bus.wlast.val(),
                bus.bready.val(),
                video.tvalid.val(),
                video.tlast.val(),
                video.tuser.val(),
            ];
            (flags, bus.awaddr.val(), bus.awlen.val(), bus.wdata.val(), video.tdata.val())
        };
        let (one, other) = (seen(&blocks[0]), seen(&blocks[1]));
        assert_eq!(one.0, other.0, "clock {clock}");
        assert_eq!((one.1, one.2, one.3), (other.1, other.2, other.3), "clock {clock}");
        assert!(!one.0[8] || one.4 == other.4, "clock {clock}");
        // Asleep, a change of the clock pin is not reported.
        blocks[0].drive(Clock { clk: true });
        blocks[0].update_all();
        slept += u32::from(!blocks[0].has_changed());
        blocks.iter_mut().for_each(edge);
    }
    assert!(slept > 1000, "it slept in {slept} clocks only");
}
