"""What surrounds the core: cocotbext-axi's masters and slaves, random pauses on every channel, the checker at every clock.

    AxiLiteMaster <--> s_axi [ core ] m_axi <--> AxiRam, or AxiSlave before Memory
          irq watched <----- [      ] m_axis_video --> AxiStreamSink

All that is random comes from one seed, which is printed.
"""

import logging
import random

from cocotb.clock import Clock
from cocotb.handle import Immediate
from cocotb.triggers import ClockCycles, FallingEdge, RisingEdge
from cocotbext.axi import (
    AxiBus,
    AxiLiteBus,
    AxiLiteMaster,
    AxiRam,
    AxiSlave,
    AxiStreamBus,
    AxiStreamSink,
)
from cocotbext.axi.constants import AxiResp
from cocotbext.axi.sparse_memory import SparseMemory

import cocotb
import rayman_abi as abi
from protocol import DRIVEN, TAKEN, Checker

CLOCK_NS = 10
RESET_CLOCKS = 8
RUN = abi.RAYTRACER_COMMAND_COMMAND_RUN
STOP = abi.RAYTRACER_COMMAND_COMMAND_STOP
CLEAR_IRQ = abi.RAYTRACER_COMMAND_COMMAND_CLEAR_IRQ
# An event-driven simulator takes a hundred times as long for a clock: there, the suite has only the shortest frames.
EVENT_DRIVEN = cocotb.SIM_NAME.startswith("Icarus")
# No frame of the suite takes so many clocks.
FRAME_CLOCKS = 8_000 if EVENT_DRIVEN else 200_000
# The memory's window, as `sim/src/memory.rs` has it: outside it, DECERR.
MEMORY_BASE, MEMORY_BYTES = 0x8000_0000, 64 << 20
# What lies in memory where nothing was written.
FILLER = b"\xa5"
RESPONSE = {"SLVERR": AxiResp.SLVERR, "DECERR": AxiResp.DECERR}

LOG = logging.getLogger("cocotb.bench")

SCALARS = ["aresetn", "irq"] + [f"{channel}{pin}" for channel in (*DRIVEN, *TAKEN) for pin in ("valid", "ready")]
# Payload that the world drives, by channel: while its valid is low, anything may be on it.
WORLD = {
    "s_axi_aw": ("s_axi_awaddr",),
    "s_axi_w": ("s_axi_wdata", "s_axi_wstrb"),
    "s_axi_ar": ("s_axi_araddr",),
    "m_axi_b": ("m_axi_bresp",),
    "m_axi_r": ("m_axi_rdata", "m_axi_rresp", "m_axi_rlast"),
}


class Refused(Exception):
    """The memory answers an error."""

    def __init__(self, response):
        super().__init__(response.name)
        self.response = response


class Memory:
    """An AxiSlave's target: sparse, with latency, and with one rule by which it answers errors."""

    def __init__(self, clock, rng, latency):
        self.bytes = SparseMemory(2**32)
        self.clock, self.rng, self.latency = clock, rng, latency
        self.fault = None
        # The response of the last refusal: cocotbext-axi makes SLVERR of every exception.
        self.refusal = None

    async def answer(self, write, address):
        if self.latency and self.rng.random() < 0.25:
            await ClockCycles(self.clock, self.rng.randint(1, self.latency))
        response = AxiResp.OKAY
        if self.fault and self.fault["write"] == write and self.fault["first"] <= address <= self.fault["last"]:
            response = RESPONSE[self.fault["response"]]
        elif not MEMORY_BASE <= address < MEMORY_BASE + MEMORY_BYTES:
            response = AxiResp.DECERR
        if response != AxiResp.OKAY:
            self.refusal = response
            raise Refused(response)

    async def read(self, address, length):
        await self.answer(False, address)
        return bytes(self.bytes.read(address, length))

    async def write(self, address, data):
        await self.answer(True, address)
        self.bytes.write(address, data)


def answers_as_refused(channel, memory, name):
    """Lets a response channel give the refusal's own response where cocotbext-axi has put SLVERR."""
    send = channel.send

    async def corrected(beat):
        if getattr(beat, name) != AxiResp.OKAY and memory.refusal is not None:
            setattr(beat, name, memory.refusal)
        await send(beat)

    channel.send = corrected


class Bench:
    """A core with all that surrounds it, after reset."""

    def __init__(self, dut, seed, pauses=0.0, latency=0, ram=False, noise=True):
        """`pauses`: how often each channel waits, for each in a random share of it. `latency`: the most clocks that the
        memory thinks about a beat. `ram`: cocotbext-axi's AxiRam, which refuses nothing, instead of a slave of ours.
        `noise`: what is on a payload while its valid is low changes at random."""
        self.dut, self.clock = dut, dut.aclk
        self.rng = random.Random(seed)
        LOG.info("seed %d, pauses %.2f, latency %d, %s", seed, pauses, latency, "AxiRam" if ram else "AxiSlave")
        # Not every burst in the log.
        logging.getLogger(f"cocotb.{dut._name}").setLevel(logging.ERROR)
        dut.aresetn.value = Immediate(0)
        reset = {"clock": dut.aclk, "reset": dut.aresetn, "reset_active_level": False}
        self.master = AxiLiteMaster(AxiLiteBus.from_prefix(dut, "s_axi"), **reset)
        self.sink = AxiStreamSink(AxiStreamBus.from_prefix(dut, "m_axis_video"), byte_lanes=1, **reset)
        bus = AxiBus.from_prefix(dut, "m_axi")
        if ram:
            self.memory = None
            # Addresses wrap in it: the window's base is a multiple of its size.
            self.slave = AxiRam(bus, size=MEMORY_BYTES, **reset)
        else:
            self.memory = Memory(dut.aclk, self.rng, latency)
            self.slave = AxiSlave(bus, target=self.memory, **reset)
            answers_as_refused(self.slave.write_if.b_channel, self.memory, "bresp")
            answers_as_refused(self.slave.read_if.r_channel, self.memory, "rresp")
        write, read = self.slave.write_if, self.slave.read_if
        self.channels = {
            "aw": write.aw_channel,
            "w": write.w_channel,
            "b": write.b_channel,
            "ar": read.ar_channel,
            "r": read.r_channel,
            "s_aw": self.master.write_if.aw_channel,
            "s_w": self.master.write_if.w_channel,
            "s_b": self.master.write_if.b_channel,
            "s_ar": self.master.read_if.ar_channel,
            "s_r": self.master.read_if.r_channel,
            "video": self.sink,
        }
        self.checker = Checker()
        self.pins = {name: getattr(dut, name) for name in SCALARS}
        self.payloads = {
            channel: {name: getattr(dut, name) for name in names} for channel, names in DRIVEN.items()
        }
        self.irq_rose = 0
        # Low at first: the reset is seen by all before the first rising edge.
        cocotb.start_soon(Clock(dut.aclk, CLOCK_NS, unit="ns").start(start_high=False))
        cocotb.start_soon(self.watch())
        if pauses:
            cocotb.start_soon(self.pauses(pauses))
        if noise:
            cocotb.start_soon(self.noise())

    @classmethod
    async def start(cls, dut, seed, **options):
        """The bench, its core reset."""
        bench = cls(dut, seed, **options)
        await bench.reset()
        return bench

    async def reset(self):
        """Pulls the reset pin, from the middle of a clock on. Memory stays."""
        await FallingEdge(self.clock)
        self.dut.aresetn.value = 0
        await ClockCycles(self.clock, RESET_CLOCKS)
        await FallingEdge(self.clock)
        self.dut.aresetn.value = 1
        await RisingEdge(self.clock)
        # The interrupt may have been up before the reset, left by the test before.
        self.irq_rose = 0

    async def pauses(self, most):
        """Gives every channel pauses of its own: a clock at a time, or now and then many in a row."""
        rng = random.Random(self.rng.random())
        shares = [(channel, most * rng.random()) for channel in self.channels.values()]
        frozen = dict.fromkeys(self.channels.values(), 0)
        edge = RisingEdge(self.clock)
        while True:
            for channel, share in shares:
                if frozen[channel]:
                    frozen[channel] -= 1
                    continue
                channel.pause = rng.random() < share
                if channel.pause and rng.random() < 0.05:
                    frozen[channel] = rng.randint(2, 40)
            await edge

    async def watch(self):
        """Shows the checker every rising edge. A broken rule ends the test there."""
        edge = RisingEdge(self.clock)
        irq = 0
        while True:
            await edge
            pins = {name: number(handle) for name, handle in self.pins.items()}
            for channel, payload in self.payloads.items():
                if pins[f"{channel}valid"]:
                    for name, handle in payload.items():
                        pins[name] = number(handle)
            self.checker.edge(pins)
            self.done()
            self.irq_rose += bool(pins["irq"]) and not irq
            irq = pins["irq"]

    async def noise(self):
        """Changes what is on a payload while its valid is low: a core must not look there."""
        rng = random.Random(self.rng.random())
        valids = {channel: getattr(self.dut, f"{channel}valid") for channel in WORLD}
        payloads = {channel: [getattr(self.dut, name) for name in names] for channel, names in WORLD.items()}
        while True:
            await ClockCycles(self.clock, rng.randint(1, 4))
            # Between two rising edges nobody else drives anything.
            await FallingEdge(self.clock)
            for channel, valid in valids.items():
                if number(valid) == 0:
                    for handle in payloads[channel]:
                        handle.value = rng.getrandbits(len(handle))

    # Registers

    async def read(self, offset):
        """A register's word; its response must be OKAY."""
        answer = await self.master.read(offset, 4)
        assert answer.resp == AxiResp.OKAY, f"reading {offset:#04x}: {answer.resp}"
        return int.from_bytes(answer.data, "little")

    async def write(self, offset, word):
        answer = await self.master.write(offset, word.to_bytes(4, "little"))
        assert answer.resp == AxiResp.OKAY, f"writing {offset:#04x}: {answer.resp}"

    async def give(self, command):
        await self.write(abi.RAYTRACER_COMMAND, command)

    async def is_busy(self):
        return abi.RAYTRACER_STATUS_STATUS.get(await self.read(abi.RAYTRACER_STATUS)) == abi.RAYTRACER_STATUS_STATUS_BUSY

    async def progress(self):
        return abi.RAYTRACER_STATUS_PROGRESS.get(await self.read(abi.RAYTRACER_STATUS))

    async def counter(self, low):
        return await self.read(low) | await self.read(low + 4) << 32

    def interrupt(self):
        return number(self.dut.irq)

    # Memory, through the back door

    def store(self, address, data):
        if self.memory is None:
            self.slave.write(address - MEMORY_BASE, data)
        else:
            self.memory.bytes.write(address, data)

    def load(self, address, length):
        if self.memory is None:
            return bytes(self.slave.read(address - MEMORY_BASE, length))
        return bytes(self.memory.bytes.read(address, length))

    # Frames

    async def place(self, frame):
        """Puts a frame into memory and registers; starts nothing."""
        for address, data in frame.memory:
            self.store(address, data)
        if frame.rows:
            self.store(frame.framebuffer - 64, FILLER * (frame.stride * frame.height + 128))
        if self.memory is not None:
            self.memory.fault, self.memory.refusal = frame.fault, None
        for offset, value in frame.registers:
            await self.write(offset, value)

    async def run(self, frame):
        await self.place(frame)
        await self.give(RUN)

    async def finish(self, clocks=FRAME_CLOCKS):
        """Waits for the frame's end: the interrupt, which was low."""
        for _ in range(clocks):
            if self.interrupt():
                break
            await RisingEdge(self.clock)
        else:
            raise AssertionError(f"no interrupt within {clocks} clocks")
        assert not await self.is_busy(), "the interrupt is up, and the core is busy"
        assert self.checker.is_idle(), "IDLE while a burst is open"

    async def take_video(self):
        """The beats that the sink has, as (tdata, tuser, tlast), once none is on offer any more."""
        while number(self.dut.m_axis_video_tvalid):
            await RisingEdge(self.clock)
        await ClockCycles(self.clock, 2)
        beats = []
        while not self.sink.empty():
            row = self.sink.recv_nowait(compact=False)
            last = len(row.tdata) - 1
            beats += [(data, bool(user), n == last) for n, (data, user) in enumerate(zip(row.tdata, row.tuser))]
        return beats

    async def drop_video(self):
        """Empties the sink, of the part of a row too that it may have after a frame that ended early."""
        await self.take_video()
        self.sink.assert_reset(True)
        self.sink.assert_reset(False)

    async def compare(self, frame):
        """The frame is the model's: framebuffer and what is around and between its rows, stream, counters."""
        if frame.rows:
            got = self.load(frame.framebuffer - 64, frame.stride * frame.height + 128)
            expected = bytearray(FILLER * len(got))
            for n, row in enumerate(frame.rows):
                start = 64 + n * frame.stride
                expected[start : start + len(row)] = row
            wrong = [at - 64 for at in range(len(got)) if got[at] != expected[at]]
            assert not wrong, f"{frame.name}: {len(wrong)} bytes differ, the first at framebuffer + {wrong[0]}"
        beats = await self.take_video()
        wrong = [n for n, (got, expected) in enumerate(zip(beats, frame.beats)) if got != expected]
        assert len(beats) == len(frame.beats), f"{frame.name}: {len(beats)} beats, not {len(frame.beats)}"
        assert not wrong, f"{frame.name}: {len(wrong)} beats differ, the first is number {wrong[0]}"
        for name, expected in frame.counters.items():
            got = await self.counter(abi.COUNTERS[name])
            assert got == expected, f"{frame.name}: {name} is {got}, not {expected}"

    async def render(self, frame):
        """Renders a frame that comes to its end, and compares it."""
        before = await self.read(abi.FRAME_COUNT)
        await self.give(CLEAR_IRQ)
        await self.run(frame)
        await self.finish()
        assert await self.read(abi.ERROR) == abi.ERROR_NONE
        assert await self.progress() == 255
        assert await self.read(abi.FRAME_COUNT) == before + 1
        await self.compare(frame)

    def done(self):
        """No rule was broken."""
        found = self.checker.violations
        assert not found, f"{len(found)} violations, the first: {found[0]}"


def number(handle):
    """A pin's value, or None where a bit of it is X or Z."""
    try:
        return int(handle.value)
    except ValueError:
        return None
