//! The soak: a share of it on the Verilated core, a smaller one in-crate, and cores with planted bugs that it must notice.

use rayman_sim::axi_slave::Timing;
use rayman_sim::devices::{core_verilog, in_crate};
use rayman_sim::incrate::InCrate;
use rayman_sim::memory::{Direction, Fault, Place, Response};
use rayman_sim::pins::{PinError, PinLevel, PinsIn, PinsOut};
use rayman_sim::soak::finding::Finding;
use rayman_sim::soak::rig::{Rig, WATCHDOG};
use rayman_sim::soak::sweeps::Swept;
use rayman_sim::soak::{self, Case, Kind, Plan, SoakError, Tally};
use rayman_sim::verilated::core::VerilatedCore;
use rayman_sim::verilated::Flavour;
use rayman_sim::{Bench, CoreTransport};
use std::cell::Cell;
use std::rc::Rc;

/// Runs a plan on the Verilated core of one lane.
fn verilated(plan: &Plan, flavour: Flavour, seed: u32) -> Tally {
    let verilog = core_verilog(1).expect("the core emits");
    let make = || {
        let core = VerilatedCore::build(&verilog, flavour, seed).expect("the Verilated core builds");
        CoreTransport::new(core)
    };
    soak::run(plan, 1, &make, &|_, _| {}).expect("the undisturbed frame is right")
}

fn nothing_found(tally: &Tally) {
    for failure in &tally.failures {
        println!("{}: {}", failure.case, failure.finding);
    }
    assert_eq!((tally.hangs(), tally.mismatches()), (0, 0));
    assert!(Kind::ALL.iter().all(|kind| tally.of(*kind) > 0), "every kind has cases: {:?}", tally.done);
}

#[test]
fn a_share_on_the_fast_verilated_core() {
    nothing_found(&verilated(
        &Plan { sweep_step: 23, faults: 200, scenes: 200, bytes: 120, seed: 5, watchdog: WATCHDOG },
        Flavour::Fast,
        1,
    ));
}

#[test]
fn a_share_on_the_checked_verilated_core() {
    nothing_found(&verilated(
        &Plan { sweep_step: 97, faults: 40, scenes: 40, bytes: 30, seed: 6, watchdog: WATCHDOG },
        Flavour::Checked,
        2,
    ));
}

#[test]
fn a_share_in_crate() {
    let plan = Plan { sweep_step: 331, faults: 4, scenes: 8, bytes: 8, seed: 7, watchdog: WATCHDOG };
    let make = || in_crate(1);
    nothing_found(&soak::run(&plan, 1, &make, &|_, _| {}).expect("the undisturbed frame is right"));
}

#[test]
fn a_case_is_in_its_name() {
    for name in ["stop:17", "reset:0", "poke:3", "refuse:5", "fault:18446744073709551615", "scene:1", "bytes:2"] {
        assert_eq!(name.parse::<Case>().expect("a case").to_string(), name);
    }
    for name in ["", "stop", "stop:", "stop:x", "Stop:1", "stop:-1", "other:1", "fault:18446744073709551616"] {
        assert!(name.parse::<Case>().is_err(), "{name}");
    }
    // What happens in it, to the clock, whatever was before it.
    let mut rig = Rig::new(in_crate(1).expect("the core starts"));
    let swept = Swept::new(&mut rig).expect("right");
    let mut clocks = |case: &str| {
        let before = rig.core.clocks();
        soak::run_case(&mut rig, &swept, case.parse().expect("a case")).expect("nothing is wrong");
        rig.core.clocks() - before
    };
    for case in ["stop:700", "fault:3", "bytes:9"] {
        let first = clocks(case);
        clocks("fault:8");
        assert_eq!(clocks(case), first, "{case}");
    }
}

/// A planted bug, at the pins of a core that is right.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Bug {
    None,
    InterruptLost,
    InterruptAfterReset,
    ClearIgnored,
    StopIgnored,
    ResetIgnored,
    ErrorUnseen,
    WrongError,
    ReadsStop,
    PixelBit,
    PixelMissing,
    MarkMissing,
    Beside,
    Counter,
    EarlyInterrupt,
    Address,
}

/// A core with a bug that can be chosen while it runs.
struct Bugged<P> {
    core: P,
    bug: Rc<Cell<Bug>>,
    /// Clocks since the reset, reads answered, words written: since the last reset.
    clocks: u64,
    reads: u64,
    words: u64,
    address: u8,
}

impl<P: PinLevel> PinLevel for Bugged<P> {
    fn name(&self) -> String {
        "core with a bug".to_owned()
    }

    fn clock(&mut self, inputs: &PinsIn) -> Result<PinsOut, PinError> {
        use rayman_abi::register::{self, command};
        let (bug, mut world) = (self.bug.get(), *inputs);
        let commands = world.s_axi_awvalid && world.s_axi_awaddr == register::RAYTRACER_COMMAND.offset as u8;
        match bug {
            Bug::StopIgnored if commands && world.s_axi_wdata == command::STOP => world.s_axi_wdata = command::NOP,
            Bug::ClearIgnored if commands && world.s_axi_wdata == command::CLEAR_IRQ => {
                world.s_axi_wdata = command::NOP
            }
            Bug::ResetIgnored => world.aresetn = true,
            Bug::ErrorUnseen => (world.m_axi_rresp, world.m_axi_bresp) = (0, 0),
            Bug::WrongError if world.m_axi_rresp == 2 => world.m_axi_rresp = 3,
            _ => {}
        }
        let mut core = self.core.clock(&world)?;
        if inputs.s_axi_arvalid && core.s_axi_arready {
            self.address = inputs.s_axi_araddr;
        }
        let reads =
            |register: &rayman_abi::register::Register| core.s_axi_rvalid && u32::from(self.address) == register.offset;
        match bug {
            Bug::InterruptLost => core.irq = false,
            Bug::InterruptAfterReset => core.irq |= self.clocks == 20,
            Bug::EarlyInterrupt => core.irq |= self.words > 20,
            Bug::ReadsStop if self.reads > 10 => core.m_axi_arvalid = false,
            Bug::PixelBit if self.words == 30 => core.m_axi_wdata ^= 1,
            Bug::PixelMissing if self.words == 30 => core.m_axi_wdata = 0xEEEE_EEEE,
            Bug::MarkMissing => core.m_axis_video_tuser = false,
            Bug::Beside if core.m_axi_aw.addr & 0xFFF == 0x40 => core.m_axi_aw.addr ^= 0x800,
            Bug::Counter if reads(&register::HITS_LO) && core.s_axi_rdata != 0 => core.s_axi_rdata += 1,
            Bug::Address if reads(&register::ERROR_ADDRESS) && core.s_axi_rdata != 0 => core.s_axi_rdata += 4,
            _ => {}
        }
        self.clocks += 1;
        self.reads += u64::from(inputs.m_axi_rvalid && core.m_axi_rready);
        self.words += u64::from(inputs.m_axi_wready && core.m_axi_wvalid);
        if !inputs.aresetn {
            (self.clocks, self.reads, self.words) = (0, 0, 0);
        }
        Ok(core)
    }
}

#[test]
fn every_check_notices_what_it_is_for() {
    let bug = Rc::new(Cell::new(Bug::None));
    let build = rayman_rtl::top::Build::of_lanes(1);
    let find = |planted: Bug, case: &str| {
        bug.set(Bug::None);
        let core = InCrate::new(rayman_rtl::top::Lanes::<1>::new(build));
        let core = Bugged { core, bug: bug.clone(), clocks: 0, reads: 0, words: 0, address: 0 };
        let mut rig = Rig::new(CoreTransport::new(core).expect("it starts"));
        rig.watchdog = 20_000;
        let swept = Swept::new(&mut rig).expect("right without the bug");
        bug.set(planted);
        let result = soak::run_case(&mut rig, &swept, case.parse().expect("a case"));
        let finding = result.err().unwrap_or_else(|| panic!("{planted:?} in {case} is not noticed"));
        println!("{planted:?} in {case}: {finding}");
        finding
    };
    let hang = |finding: Finding| assert!(finding.is_hang(), "{finding}");
    hang(find(Bug::InterruptLost, "stop:100"));
    hang(find(Bug::ReadsStop, "refuse:140"));
    assert!(matches!(find(Bug::InterruptAfterReset, "reset:900"), Finding::Interrupt { up: true, .. }));
    assert!(matches!(find(Bug::ClearIgnored, "poke:100"), Finding::Interrupt { up: true, .. }));
    assert!(matches!(find(Bug::StopIgnored, "stop:800"), Finding::NotStopped { after: 800, .. }));
    assert!(matches!(find(Bug::ResetIgnored, "reset:1000"), Finding::Interrupt { .. } | Finding::Register { .. }));
    // A word that was refused is 0 for the core that takes it: what comes of it differs from beat to beat.
    assert!(!find(Bug::ErrorUnseen, "refuse:6").is_hang());
    assert!(matches!(find(Bug::ErrorUnseen, "refuse:170"), Finding::End { .. }));
    assert!(matches!(find(Bug::WrongError, "refuse:40"), Finding::End { .. }));
    assert!(matches!(find(Bug::Address, "refuse:40"), Finding::End { .. }));
    assert!(matches!(find(Bug::PixelBit, "poke:10"), Finding::Pixel { .. }));
    assert!(matches!(find(Bug::PixelMissing, "poke:10"), Finding::Pixel { .. }));
    assert!(matches!(find(Bug::MarkMissing, "poke:10"), Finding::Beat { at: 0, .. }));
    assert!(matches!(find(Bug::Beside, "poke:10"), Finding::Beside { .. } | Finding::Pixel { .. }));
    assert!(matches!(find(Bug::Counter, "poke:10"), Finding::Counter { name: "hits", .. }));
    assert!(!find(Bug::EarlyInterrupt, "poke:10").is_hang());
}

/// Gives the responses an ID: the core, which has only ID 0, does not look at it, and the planted bugs below do.
struct Marked<P> {
    core: P,
    ids: (u8, u8),
}

impl<P: PinLevel> PinLevel for Marked<P> {
    fn name(&self) -> String {
        self.core.name()
    }

    fn clock(&mut self, inputs: &PinsIn) -> Result<PinsOut, PinError> {
        let (m_axi_bid, m_axi_rid) = self.ids;
        self.core.clock(&PinsIn { m_axi_bid, m_axi_rid, ..*inputs })
    }
}

/// The core's Verilog with three bugs that no undisturbed frame shows, each in force where the responses' IDs say so.
fn broken_verilog() -> String {
    let mut verilog = core_verilog(1).expect("the core emits");
    for (right, wrong) in [
        // Bug 1: IDLE does not wait for the reads under way.
        ("if (read_idle && output_stopped) begin", "if ((read_idle || BUG1) && output_stopped) begin"),
        // Bug 2: an early end does not reach the engine.
        ("run_n_d = reset_n & ~flush;", "run_n_d = reset_n & ~(flush & ~BUG2);"),
        // Bug 3: a failed write goes unnoticed.
        ("control_output_failed = output_failed;", "control_output_failed = output_failed & ~BUG3;"),
    ] {
        assert_eq!(verilog.matches(right).count(), 1, "`{right}` is written otherwise now");
        verilog = verilog.replace(right, wrong);
    }
    let id = |bug: &str, condition: &str, verilog: String| verilog.replace(bug, condition);
    let verilog = id("BUG1", "(rayman.m_axi_bid & ~rayman.m_axi_rid)", verilog);
    let verilog = id("BUG2", "(~rayman.m_axi_bid & rayman.m_axi_rid)", verilog);
    id("BUG3", "(rayman.m_axi_bid & rayman.m_axi_rid)", verilog)
}

#[test]
fn a_broken_core_is_noticed() {
    let verilog = broken_verilog();
    let plan = Plan { sweep_step: 150, faults: 6, scenes: 2, bytes: 2, seed: 3, watchdog: 20_000 };
    for ids in [(0, 0), (1, 0), (0, 1), (1, 1)] {
        let make = || {
            let core = VerilatedCore::build(&verilog, Flavour::Trial, 1).expect("the broken core builds");
            CoreTransport::new(Marked { core, ids })
        };
        let result: Result<Tally, SoakError<PinError>> = soak::run(&plan, 1, &make, &|_, _| {});
        let tally = result.expect("none of the bugs shows in an undisturbed frame");
        for failure in &tally.failures {
            println!("IDs {ids:?}: {}: {}", failure.case, failure.finding);
        }
        assert_eq!(tally.failures.is_empty(), ids == (0, 0), "IDs {ids:?}");
        // None of the bugs is in what an undisturbed frame does.
        let undisturbed = |failure: &soak::Failure| matches!(failure.case.kind, Kind::Scene | Kind::Bytes);
        assert!(!tally.failures.iter().any(undisturbed), "IDs {ids:?}");
    }
}

#[test]
fn a_frozen_slave_does_nothing_and_loses_nothing() {
    use rayman_sim::axi_slave::SlaveChannel;
    use rayman_sim::soak::scenes;
    let scenario = scenes::swept();
    let full = scenario.expected(&[]).expect("the model renders it");
    let mut rig = Rig::new(in_crate(1).expect("the core starts"));
    rig.fresh(Timing::default()).expect("right");
    let usual = rig.undisturbed(&scenario, &full).expect("right");
    for channel in SlaveChannel::ALL {
        rig.fresh(Timing::default()).expect("right");
        rig.start(&scenario).expect("right");
        // Before the first read is answered, and long after the last pixel is due.
        rig.core.freeze(channel, 2 * usual);
        let clocks = rig.finish(&full).expect("right").clocks;
        assert!(clocks >= 2 * usual - 100, "{channel:?}: {clocks} of {usual} clocks");
        rig.judge(&scenario, &full, true).expect("whole");
    }
    // Refusals come in the order in which the core learns of them, a write's with its burst's address.
    for (direction, address) in [(Direction::Read, scenario.scene_at + 4), (Direction::Write, scenario.framebuffer)] {
        let place = Place::Range(address, address + 4);
        rig.core.inject(Fault { direction, place, response: Response::SlaveError });
        rig.start(&scenario).expect("right");
        rig.finish(&full).expect("it ends");
        rig.core.clear_faults();
        let refusals = rig.core.take_refusals();
        assert_eq!((refusals[0].direction, refusals[0].address), (direction, address));
        assert!(rig.core.take_refusals().is_empty());
    }
}
