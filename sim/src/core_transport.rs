//! The driver's `Transport` over a core that is simulated pin by pin.
//!
//! ```text
//!  Transport: registers --> AXI4-Lite master --\                       /-- AXI4 slave <-- memory (backdoor for the host)
//!                                                >-- pins, one clock --<
//!             wait_interrupt: runs clocks -----/                       \-- video sink
//! ```
//!
//! Time passes only inside calls: a register access runs as many clocks as it takes, `wait_interrupt` runs clocks until
//! the interrupt is up or the wall clock says stop. A broken bus rule of the core makes the next call fail.

use crate::axi_slave::{AxiSlave, Refusal, SlaveChannel, Timing};
use crate::bench::{Bench, BenchError, BusTraffic};
use crate::memory::{self, Fault, Response};
use crate::pins::{PinError, PinLevel, PinsIn, PinsOut};
use crate::protocol::{Monitor, Violation, Violations};
use crate::random::Random;
use crate::video::{StreamReady, VideoBeat, VideoSink};
use rayman_abi::register::APERTURE_BYTES;
use rayman_driver::{MemoryWindow, Transport, TransportError};
use std::time::{Duration, Instant};

/// Clocks that a reset lasts.
const RESET_CLOCKS: u32 = 16;
/// Clocks after which the register slave counts as dead.
const REGISTER_CLOCKS: u32 = 10_000;
/// Clocks between two looks at the wall clock.
const SLICE_CLOCKS: u32 = 1024;

/// A core at pin level with all that surrounds it.
pub struct CoreTransport<P> {
    core: P,
    inputs: PinsIn,
    outputs: PinsOut,
    slave: AxiSlave,
    video: VideoSink,
    monitor: Monitor,
    violations: Violations,
    host: HostTiming,
    clocks: u64,
    /// The last clock in which something moved on the memory bus or the stream.
    moved: u64,
}

/// How the register master behaves.
struct HostTiming {
    /// How often, of 256, each of its channels waits in a clock.
    stalls: u8,
    random: Random,
}

impl<P: PinLevel> CoreTransport<P> {
    /// Surrounds a core and resets it.
    pub fn new(core: P) -> Result<Self, PinError> {
        let mut transport = Self {
            core,
            inputs: PinsIn::default(),
            outputs: PinsOut::default(),
            slave: AxiSlave::new(Timing::default()),
            video: VideoSink::default(),
            monitor: Monitor::default(),
            violations: Violations::default(),
            host: HostTiming { stalls: 0, random: Random::new(0) },
            clocks: 0,
            moved: 0,
        };
        transport.reset_core(RESET_CLOCKS)?;
        Ok(transport)
    }

    /// Clocks since the simulator started, those of resets among them.
    pub fn clocks(&self) -> u64 {
        self.clocks
    }

    /// The pins as they were at the last rising edge.
    pub fn pins(&self) -> (&PinsIn, &PinsOut) {
        (&self.inputs, &self.outputs)
    }

    /// Clocks since a transfer on the memory bus or the stream, or a reset.
    pub fn quiet_clocks(&self) -> u64 {
        self.clocks - self.moved
    }

    /// Nothing moves on a channel of the memory for so many clocks from now.
    pub fn freeze(&mut self, channel: SlaveChannel, clocks: u64) {
        self.slave.freeze(channel, clocks);
    }

    /// Hands over the transfers that memory has refused since the last call, in the order in which the core learnt of it.
    pub fn take_refusals(&mut self) -> Vec<Refusal> {
        self.slave.take_refusals()
    }

    /// Forgets all that is in memory, and every rule by which it answers errors.
    pub fn clear_memory(&mut self) {
        self.slave.memory.clear();
    }

    /// Pulls the reset pin for so many clocks, at least 1, and lets it go.
    pub fn reset_for(&mut self, clocks: u32) -> Result<(), BenchError> {
        self.reset_core(clocks)?;
        self.check()
    }

    fn reset_core(&mut self, clocks: u32) -> Result<(), PinError> {
        self.slave.reset();
        self.inputs = PinsIn::default();
        for _ in 0..clocks.max(1) {
            self.clock()?;
        }
        self.inputs.aresetn = true;
        self.clock()
    }

    /// One clock of everything.
    fn clock(&mut self) -> Result<(), PinError> {
        self.slave.drive(&mut self.inputs);
        self.video.drive(&mut self.inputs);
        if !self.inputs.aresetn {
            let quiet = PinsIn::default();
            self.inputs = quiet;
        }
        self.outputs = self.core.clock(&self.inputs)?;
        self.monitor.edge(&self.inputs, &self.outputs, self.clocks, &mut self.violations);
        if self.inputs.aresetn {
            self.slave.edge(&self.outputs, &mut self.violations);
            self.video.edge(&self.outputs);
        }
        self.clocks += 1;
        if !self.inputs.aresetn || self.moves() {
            self.moved = self.clocks;
        }
        Ok(())
    }

    /// Whether something is transferred in this clock on the memory bus or the stream.
    fn moves(&self) -> bool {
        let (world, core) = (&self.inputs, &self.outputs);
        core.m_axi_arvalid && world.m_axi_arready
            || core.m_axi_awvalid && world.m_axi_awready
            || core.m_axi_wvalid && world.m_axi_wready
            || core.m_axi_rready && world.m_axi_rvalid
            || core.m_axi_bready && world.m_axi_bvalid
            || core.m_axis_video_tvalid && world.m_axis_video_tready
    }

    fn host_goes(&mut self) -> bool {
        self.host.stalls == 0 || !self.host.random.chance(self.host.stalls)
    }

    fn write_pins(&mut self, offset: u8, value: u32, strobes: u8) -> Result<Response, BenchError> {
        let (mut address_sent, mut data_sent) = (false, false);
        for _ in 0..REGISTER_CLOCKS {
            // A valid that is up stays up until it is taken.
            self.inputs.s_axi_awvalid = !address_sent && (self.inputs.s_axi_awvalid || self.host_goes());
            self.inputs.s_axi_wvalid = !data_sent && (self.inputs.s_axi_wvalid || self.host_goes());
            self.inputs.s_axi_bready = self.host_goes();
            (self.inputs.s_axi_awaddr, self.inputs.s_axi_wdata, self.inputs.s_axi_wstrb) = (offset, value, strobes);
            self.clock()?;
            address_sent |= self.inputs.s_axi_awvalid && self.outputs.s_axi_awready;
            data_sent |= self.inputs.s_axi_wvalid && self.outputs.s_axi_wready;
            if self.outputs.s_axi_bvalid && self.inputs.s_axi_bready {
                (self.inputs.s_axi_awvalid, self.inputs.s_axi_wvalid, self.inputs.s_axi_bready) = (false, false, false);
                return Ok(Response::from_code(self.outputs.s_axi_bresp));
            }
        }
        Err(BenchError::Silent { offset: u32::from(offset), clocks: REGISTER_CLOCKS })
    }

    fn read_pins(&mut self, offset: u8) -> Result<(u32, Response), BenchError> {
        let mut sent = false;
        for _ in 0..REGISTER_CLOCKS {
            self.inputs.s_axi_arvalid = !sent && (self.inputs.s_axi_arvalid || self.host_goes());
            self.inputs.s_axi_rready = self.host_goes();
            self.inputs.s_axi_araddr = offset;
            self.clock()?;
            sent |= self.inputs.s_axi_arvalid && self.outputs.s_axi_arready;
            if self.outputs.s_axi_rvalid && self.inputs.s_axi_rready {
                (self.inputs.s_axi_arvalid, self.inputs.s_axi_rready) = (false, false);
                return Ok((self.outputs.s_axi_rdata, Response::from_code(self.outputs.s_axi_rresp)));
            }
        }
        Err(BenchError::Silent { offset: u32::from(offset), clocks: REGISTER_CLOCKS })
    }

    fn check(&self) -> Result<(), BenchError> {
        self.violations.found().first().map_or(Ok(()), |violation| Err(BenchError::Protocol(*violation)))
    }
}

impl<P: PinLevel> Bench for CoreTransport<P> {
    fn run(&mut self, steps: u64) -> Result<(), BenchError> {
        for _ in 0..steps {
            self.clock()?;
        }
        self.check()
    }

    fn counts_clocks(&self) -> bool {
        true
    }

    fn reset(&mut self) -> Result<(), BenchError> {
        self.reset_for(RESET_CLOCKS)
    }

    fn interrupt(&self) -> bool {
        self.outputs.irq
    }

    fn write_strobed(&mut self, offset: u32, value: u32, strobes: u8) -> Result<Response, BenchError> {
        let answer = match u8::try_from(offset) {
            Ok(offset) if u32::from(offset) < APERTURE_BYTES => self.write_pins(offset, value, strobes)?,
            // The slave has no more address bits: this never reaches it.
            _ => Response::SlaveError,
        };
        self.check()?;
        Ok(answer)
    }

    fn read_raw(&mut self, offset: u32) -> Result<(u32, Response), BenchError> {
        let answer = match u8::try_from(offset) {
            Ok(offset) if u32::from(offset) < APERTURE_BYTES => self.read_pins(offset)?,
            _ => (0, Response::SlaveError),
        };
        self.check()?;
        Ok(answer)
    }

    fn set_stream_ready(&mut self, ready: StreamReady) {
        self.video.set_policy(ready);
    }

    fn keep_beats(&mut self, keeps: bool) {
        self.video.keep(keeps);
    }

    fn take_beats(&mut self) -> Vec<VideoBeat> {
        self.video.take_beats()
    }

    fn inject(&mut self, fault: Fault) {
        self.slave.memory.inject(fault);
    }

    fn clear_faults(&mut self) {
        self.slave.memory.clear_faults();
    }

    fn set_timing(&mut self, timing: Timing) {
        self.slave.set_timing(timing);
        self.host = HostTiming { stalls: timing.stalls, random: Random::new(!timing.seed) };
    }

    fn bus_is_idle(&self) -> bool {
        self.slave.is_idle()
    }

    fn bus_traffic(&self) -> Option<BusTraffic> {
        Some(self.slave.traffic())
    }

    fn violations(&self) -> &[Violation] {
        self.violations.found()
    }
}

impl<P: PinLevel> Transport for CoreTransport<P> {
    fn name(&self) -> String {
        self.core.name()
    }

    fn read_register(&mut self, offset: u32) -> Result<u32, TransportError> {
        match self.read_raw(offset)? {
            (word, Response::Okay) => Ok(word),
            (_, response) => Err(TransportError::Register { offset, response: response.name() }),
        }
    }

    fn write_register(&mut self, offset: u32, value: u32) -> Result<(), TransportError> {
        match self.write_strobed(offset, value, 0xF)? {
            Response::Okay => Ok(()),
            response => Err(TransportError::Register { offset, response: response.name() }),
        }
    }

    fn memory(&self) -> MemoryWindow {
        MemoryWindow { base: memory::BASE, bytes: memory::BYTES }
    }

    fn read_memory(&mut self, address: u32, bytes: &mut [u8]) -> Result<(), TransportError> {
        self.slave.memory.read(address, bytes).map_err(|error| outside(&error))
    }

    fn write_memory(&mut self, address: u32, bytes: &[u8]) -> Result<(), TransportError> {
        self.slave.memory.write(address, bytes).map_err(|error| outside(&error))
    }

    fn wait_interrupt(&mut self, timeout: Duration) -> Result<bool, TransportError> {
        let end = Instant::now().checked_add(timeout);
        loop {
            for _ in 0..SLICE_CLOCKS {
                if self.outputs.irq {
                    return Ok(true);
                }
                self.clock().map_err(BenchError::from)?;
            }
            self.check()?;
            if end.is_some_and(|end| Instant::now() >= end) {
                return Ok(self.outputs.irq);
            }
        }
    }
}

/// An access of the host outside the memory, in the driver's words.
pub(crate) fn outside(error: &memory::OutOfWindow) -> TransportError {
    TransportError::Memory { address: error.address, bytes: error.bytes }
}
