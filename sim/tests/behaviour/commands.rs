//! Commands, status, progress, interrupt, stop.

use crate::stage::*;
use rayman_abi::register::{self, command};
use rayman_abi::ErrorCode;
use rayman_sim::axi_slave::Timing;
use rayman_sim::memory::BASE;
use rayman_sim::video::StreamReady;
use rayman_sim::Bench;

pub fn command_reads_nop_when_idle_and_run_while_rendering<B: Bench>(bench: &mut B) {
    assert_eq!(read(bench, &register::RAYTRACER_COMMAND), command::NOP);
    Stage::long().place(bench);
    run(bench);
    assert_eq!(read(bench, &register::RAYTRACER_COMMAND), command::RUN);
    assert!(busy(bench));
    finish(bench);
    assert_eq!(read(bench, &register::RAYTRACER_COMMAND), command::NOP);
}

pub fn nop_and_reserved_commands_do_nothing<B: Bench>(bench: &mut B) {
    Stage::new().place(bench);
    for value in [command::NOP, 4, 5, 6, 7, 8, 0xFFFF_FFF8] {
        give(bench, value);
        assert!(!busy(bench), "{value:#x}");
    }
    steps(bench, 500);
    assert!(!busy(bench) && !bench.interrupt());
    run(bench);
    for value in [command::NOP, 4, 5, 6, 7] {
        give(bench, value);
    }
    assert_eq!(finish(bench).code, ErrorCode::None);
}

pub fn busy_is_seen_by_the_read_after_runs_response<B: Bench>(bench: &mut B) {
    Stage::new().place(bench);
    for _ in 0..3 {
        run(bench);
        assert!(busy(bench));
        finish(bench);
    }
}

pub fn run_while_busy_is_ignored<B: Bench>(bench: &mut B) {
    let stage = Stage::long();
    stage.place(bench);
    run(bench);
    for _ in 0..20 {
        steps(bench, 200);
        if !busy(bench) {
            break;
        }
        let before = progress(bench);
        run(bench);
        assert!(progress(bench) >= before || !busy(bench), "the frame began anew");
    }
    let end = finish(bench);
    assert_eq!((end.code, frames(bench)), (ErrorCode::None, 1));
    stage.compare(bench);
    steps(bench, 500);
    assert!(!busy(bench), "a RUN was kept for later");
}

pub fn stop_while_idle_is_ignored<B: Bench>(bench: &mut B) {
    give(bench, command::STOP);
    steps(bench, 200);
    assert!(!busy(bench) && !bench.interrupt());
    assert_eq!(read(bench, &register::ERROR), 0);
    let stage = Stage::new();
    stage.check(bench);
    give(bench, command::CLEAR_IRQ);
    give(bench, command::STOP);
    steps(bench, 200);
    assert!(!bench.interrupt());
    assert_eq!(end(bench), End { code: ErrorCode::None, address: 0, progress: 255 });
}

/// Stops a frame at many moments, with quick and slow memory; after each, a whole correct frame.
pub fn stop_while_busy_is_graceful_and_the_next_frame_is_whole<B: Bench>(bench: &mut B) {
    let (long, short) = (Stage::long(), Stage::new());
    let (picture, _) = short.expected();
    let mut stopped = 0;
    for (round, after) in [0, 1, 3, 10, 40, 90, 150, 300, 700, 1500, 2500, 4000].into_iter().enumerate() {
        bench.set_timing(Timing { latency: [20, 1, 90][round % 3], stalls: [0, 100][round % 2], ..Timing::default() });
        long.place(bench);
        run(bench);
        steps(bench, after);
        give(bench, command::STOP);
        let end = finish(bench);
        if end.code == ErrorCode::Stopped {
            stopped += 1;
            assert!(end.progress < 255, "stopped after {after} steps");
        } else {
            assert_eq!((end.code, end.progress), (ErrorCode::None, 255), "stopped after {after} steps");
        }
        give(bench, command::CLEAR_IRQ);
        assert_eq!(short.render(bench).code, ErrorCode::None, "after a stop at {after}");
        assert!(short.picture(bench) == picture, "after a stop at {after}");
    }
    assert!(stopped >= 6, "only {stopped} frames were stopped");
}

pub fn stop_ends_a_frame_that_would_take_for_ever<B: Bench>(bench: &mut B) {
    let mut stage = Stage::new();
    stage.size(65535, 65535);
    stage.framebuffer = 0;
    stage.place(bench);
    run(bench);
    steps(bench, 3000);
    assert!(busy(bench));
    give(bench, command::STOP);
    assert_eq!(finish(bench).code, ErrorCode::Stopped);
    assert_eq!(frames(bench), 0);
    Stage::new().check(bench);
    assert_eq!(frames(bench), 1, "a stopped frame does not count");
}

pub fn run_while_stopping_is_ignored<B: Bench>(bench: &mut B) {
    // A slow memory, so that reads are under way when STOP comes.
    bench.set_timing(Timing { latency: 400, ..Timing::default() });
    Stage::long().place(bench);
    run(bench);
    steps(bench, 60);
    give(bench, command::STOP);
    run(bench);
    assert_eq!(finish(bench).code, ErrorCode::Stopped);
    steps(bench, 1000);
    assert!(!busy(bench), "RUN was kept for later");
    bench.set_timing(Timing::default());
    Stage::new().check(bench);
}

pub fn scene_address_is_read_once_when_run_is_taken<B: Bench>(bench: &mut B) {
    let stage = Stage::long();
    stage.place(bench);
    let mut other = Stage::new();
    other.scene_at = BASE + 0x400;
    other.place(bench);
    stage.place(bench);
    run(bench);
    write(bench, &register::SCENE_ADDRESS, other.scene_at);
    assert_eq!(read(bench, &register::SCENE_ADDRESS), other.scene_at);
    assert_eq!(finish(bench).code, ErrorCode::None);
    stage.compare(bench);
    run(bench);
    assert_eq!(finish(bench).code, ErrorCode::None);
    other.compare(bench);
}

pub fn configuration_is_sampled_when_run_is_taken<B: Bench>(bench: &mut B) {
    let stage = Stage::long();
    stage.place(bench);
    bench.keep_beats(true);
    run(bench);
    write(bench, &register::FRAMEBUFFER_ADDRESS, FRAMEBUFFER + 0x10_0000);
    write(bench, &register::FRAMEBUFFER_STRIDE, 0x1000);
    write(bench, &register::RENDER_CONTROL, control(0, false, false));
    write(bench, &register::BACKGROUND, 0xFF_FFFF);
    assert_eq!(finish(bench).code, ErrorCode::None);
    stage.compare(bench);
    assert_eq!(bench.take_beats().len() as u32, stage.pixels());
    let mut elsewhere = vec![0xFF; 4096];
    bench.read_memory(FRAMEBUFFER + 0x10_0000, &mut elsewhere).expect("in memory");
    assert!(elsewhere.iter().all(|byte| *byte == 0));
}

pub fn interrupt_rises_at_the_end_and_stays_until_cleared<B: Bench>(bench: &mut B) {
    let irq = |bench: &mut B| {
        let word = read(bench, &register::IRQ_STATUS);
        assert_eq!(word, u32::from(bench.interrupt()), "IRQ_STATUS is the pin");
        word == 1
    };
    assert!(!irq(bench), "low after reset");
    let mut broken = Stage::new();
    broken.size(0, 1);
    for (stage, stop) in [(Stage::new(), false), (Stage::long(), true), (broken, false)] {
        stage.place(bench);
        run(bench);
        assert!(!bench.interrupt() || !busy(bench));
        if stop {
            give(bench, command::STOP);
        }
        finish(bench);
        assert!(irq(bench));
        steps(bench, 300);
        assert!(irq(bench), "it stays");
        give(bench, command::CLEAR_IRQ);
        assert!(!irq(bench));
        steps(bench, 300);
        assert!(!irq(bench), "it does not come again by itself");
    }
}

pub fn clear_irq_works_while_busy_and_run_does_not_clear<B: Bench>(bench: &mut B) {
    Stage::new().check(bench);
    Stage::long().place(bench);
    run(bench);
    assert!(bench.interrupt(), "RUN does not clear the interrupt");
    give(bench, command::CLEAR_IRQ);
    assert!(busy(bench));
    assert!(!bench.interrupt(), "CLEAR_IRQ works while busy");
    finish(bench);
    assert!(bench.interrupt());
}

pub fn progress_never_falls_and_is_255_exactly_when_complete<B: Bench>(bench: &mut B) {
    let stage = Stage::long();
    stage.check(bench);
    stage.place(bench);
    run(bench);
    assert!(progress(bench) < 255, "0 when a frame starts");
    let (mut last, mut seen, mut passed) = (0, 0, 0);
    loop {
        let word = read(bench, &register::RAYTRACER_STATUS);
        let now = register::PROGRESS.get(word);
        assert!(now >= last, "progress fell from {last} to {now}");
        seen += u32::from(now > last);
        last = now;
        let idle = register::STATUS.get(word) == register::status::IDLE;
        assert_eq!(idle, now == 255, "255 exactly when the frame is complete");
        if idle {
            break;
        }
        assert!(passed < LIMIT);
        passed += 40;
        steps(bench, 40);
    }
    assert!(seen > 10, "progress took only {seen} steps");
}

pub fn progress_stays_below_255_while_the_last_pixels_wait<B: Bench>(bench: &mut B) {
    let mut stage = Stage::new();
    stage.size(1, 1);
    stage.place(bench);
    bench.set_stream_ready(StreamReady::Never);
    run(bench);
    steps(bench, 6000);
    assert!(busy(bench), "the frame waits for its last beat");
    assert!(progress(bench) < 255);
    assert!(!bench.interrupt());
    bench.set_stream_ready(StreamReady::Always);
    assert_eq!(finish(bench), End { code: ErrorCode::None, address: 0, progress: 255 });
}

pub fn done_means_all_written_and_all_beats_taken<B: Bench>(bench: &mut B) {
    let stage = Stage::new();
    let (picture, _) = stage.expected();
    for (latency, ready) in [(1, 255), (150, 255), (20, 40), (150, 15)] {
        bench.set_timing(Timing { latency, ..Timing::default() });
        bench.set_stream_ready(StreamReady::Sometimes(ready, 3));
        bench.keep_beats(true);
        stage.place(bench);
        bench.write_memory(stage.framebuffer, &vec![0xEE; 4 * stage.pixels() as usize]).expect("in memory");
        give(bench, command::CLEAR_IRQ);
        run(bench);
        let mut passed = 0;
        while !bench.interrupt() {
            steps(bench, 1);
            passed += 1;
            assert!(passed < LIMIT);
        }
        assert!(bench.bus_is_idle(), "the interrupt came before the last write's response");
        assert_eq!(
            bench.take_beats().len() as u32,
            stage.pixels(),
            "the interrupt came before the last beat was taken"
        );
        assert!(stage.picture(bench) == picture, "the interrupt came before the picture was in memory");
        assert!(!busy(bench));
    }
}

pub fn reset_at_any_time_brings_the_core_back<B: Bench>(bench: &mut B) {
    let stage = Stage::new();
    for after in [0, 5, 60, 400, 1200, 3000] {
        Stage::long().place(bench);
        run(bench);
        steps(bench, after);
        bench.reset().expect("the bench works");
        assert!(!busy(bench) && !bench.interrupt(), "reset after {after} steps");
        assert_eq!((frames(bench), read(bench, &register::ERROR)), (0, 0));
        stage.check(bench);
    }
}

/// The smallest frame, and the steps from RUN to its interrupt.
fn smallest_frame<B: Bench>(bench: &mut B) -> (Stage, u64) {
    let mut stage = Stage::new();
    stage.size(1, 1);
    // The first frame after reset also waits for the reorder window to be cleared.
    stage.check(bench);
    give(bench, command::CLEAR_IRQ);
    stage.place(bench);
    run(bench);
    let mut length = 0;
    while !bench.interrupt() {
        steps(bench, 1);
        length += 1;
        assert!(length < 100_000, "the smallest frame does not end");
    }
    give(bench, command::CLEAR_IRQ);
    (stage, length)
}

pub fn clear_irq_about_the_frames_end_loses_no_interrupt<B: Bench>(bench: &mut B) {
    let (stage, length) = smallest_frame(bench);
    let (mut kept, mut cleared) = (0, 0);
    for after in length.saturating_sub(16)..length + 8 {
        let before = frames(bench);
        stage.place(bench);
        run(bench);
        steps(bench, after);
        give(bench, command::CLEAR_IRQ);
        // Busy after the command's response: whatever it cleared, the end is still to come.
        let still_busy = busy(bench);
        while busy(bench) {
            steps(bench, 1);
        }
        assert!(
            bench.interrupt() || !still_busy,
            "cleared after {after} of {length} steps, and the end made no interrupt"
        );
        if bench.interrupt() {
            kept += 1;
        } else {
            cleared += 1;
        }
        assert_eq!(frames(bench), before + 1, "cleared after {after} steps");
        give(bench, command::CLEAR_IRQ);
        assert!(!bench.interrupt());
    }
    assert!(kept > 0 && cleared > 0, "the sweep must reach both sides of the end: {kept} kept, {cleared} cleared");
}

pub fn stop_about_the_frames_end_is_stopped_or_done_never_between<B: Bench>(bench: &mut B) {
    let (stage, length) = smallest_frame(bench);
    let (mut done, mut stopped) = (0, 0);
    for after in length.saturating_sub(40)..length + 4 {
        let before = frames(bench);
        stage.place(bench);
        run(bench);
        steps(bench, after);
        give(bench, command::STOP);
        let end = finish(bench);
        match frames(bench) - before {
            1 => {
                assert_eq!((end.code, end.progress), (ErrorCode::None, 255), "stopped after {after} of {length} steps");
                stage.compare(bench);
                done += 1;
            }
            0 => {
                assert_eq!(end.code, ErrorCode::Stopped, "stopped after {after} of {length} steps");
                assert!(end.progress < 255, "stopped after {after} of {length} steps");
                stopped += 1;
            }
            more => panic!("{more} frames were counted"),
        }
        give(bench, command::CLEAR_IRQ);
    }
    assert!(done > 0 && stopped > 0, "the sweep must reach both sides of the end: {done} done, {stopped} stopped");
}
