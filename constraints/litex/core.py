"""The core in a LiteX system: registers on the bus, memory, framebuffer on a screen, and what runs before the host.

                      sys                          |            core
  Bridge (UARTBone) --+-- bus --+-- Wishbone to AXI4-Lite --FIFOs-- s_axi  rayman  m_axi
  Boot ---------------'         |                  |                               |
                                +-- SDRAM or RAM --+------------FIFOs--------------'
                                      |            |
                                      +-- screen --FIFO-- HDMI

The core has a clock of its own, `core`; with the name `sys` there is one clock and no FIFO. Its pixel stream ends here: what is
shown is the framebuffer.
"""

import math

from litedram.frontend.axi import LiteDRAMAXI2Native
from litedram.init import get_sdram_phy_init_sequence, get_sdram_phy_py_header
from litex.gen import ClockDomainsRenamer, LiteXModule
from litex.soc.cores.video import VideoFrameBuffer, VideoTimingGenerator
from litex.soc.integration.soc import SoCRegion
from litex.soc.interconnect import axi, stream, wishbone
from migen import ClockSignal, FSM, If, Instance, Memory, NextState, NextValue, ResetSignal, Signal

import rayman_abi

WORD_BYTES = 4
# Of AXI, by who drives it.
REQUESTS = ("aw", "w", "ar")
ANSWERS = ("b", "r")


def cross(module, host, device, of_host, of_device):
    """Connects two AXI buses in clock domains of their own by a FIFO a channel."""
    for channels, begin, end, domains in (
        (REQUESTS, host, device, (of_host, of_device)),
        (ANSWERS, device, host, (of_device, of_host)),
    ):
        for name in channels:
            source, sink = getattr(begin, name), getattr(end, name)
            fifo = stream.ClockDomainCrossing(source.description, *domains)
            module.submodules += fifo
            module.comb += [source.connect(fifo.sink), fifo.source.connect(sink)]


class FramebufferWatch(LiteXModule):
    """Looks on while the host writes registers on `bus`.

    `address`: the last FRAMEBUFFER_ADDRESS that is not 0. `changed`: high for a clock when there is one.
    """

    def __init__(self, bus):
        self.address = Signal(32)
        self.changed = Signal()

        word = rayman_abi.FRAMEBUFFER_ADDRESS // WORD_BYTES
        offset = bus.adr[: pins_of(rayman_abi.APERTURE_BYTES // WORD_BYTES)]
        written = Signal()
        self.comb += written.eq(bus.stb & bus.cyc & bus.we & bus.ack & (offset == word) & (bus.dat_w != 0))
        self.sync += [self.changed.eq(written), If(written, self.address.eq(bus.dat_w))]


class Rayman(LiteXModule):
    """The core.

    `bus`: its registers, Wishbone in `sys`. `memory`: its AXI4 master, in its own clock domain. `framebuffer`: where the picture is.
    """

    def __init__(self, platform, verilog, domain):
        self.bus = wishbone.Interface(data_width=32, address_width=32, addressing="word")
        self.memory = axi.AXIInterface(data_width=32, address_width=32, id_width=1, clock_domain=domain)
        self.framebuffer = FramebufferWatch(self.bus)
        self.irq = Signal()

        at_bus = axi.AXILiteInterface(data_width=32, address_width=32)
        registers = axi.AXILiteInterface(data_width=32, address_width=32, clock_domain=domain)
        self.bridge = axi.Wishbone2AXILite(self.bus, at_bus)
        cross(self, at_bus, registers, "sys", domain)

        pins = {"i_aclk": ClockSignal(domain), "i_aresetn": ~ResetSignal(domain), "o_irq": self.irq}
        pins["i_m_axis_video_tready"] = 1
        self.connect(pins, "s_axi", registers, "i", {"aw": ["addr"], "w": ["data", "strb"], "ar": ["addr"],
                                                     "b": ["resp"], "r": ["resp", "data"]})
        request = ["id", "addr", "len", "size", "burst", "lock", "cache", "prot", "qos"]
        self.connect(pins, "m_axi", self.memory, "o", {"aw": request, "w": ["data", "strb", "last"], "ar": request,
                                                       "b": ["id", "resp"], "r": ["id", "data", "resp", "last"]})
        pins["i_s_axi_awaddr"] = registers.aw.addr[: pins_of(rayman_abi.APERTURE_BYTES)]
        pins["i_s_axi_araddr"] = registers.ar.addr[: pins_of(rayman_abi.APERTURE_BYTES)]
        self.specials += Instance("rayman", name="rayman", **pins)
        platform.add_source(verilog)

    @staticmethod
    def connect(pins, prefix, bus, requests, signals):
        """Adds the pins of a bus. `requests`: `i` if the core takes the requests, `o` if it makes them."""
        answers = {"i": "o", "o": "i"}[requests]
        for channel, names in signals.items():
            stream_of = getattr(bus, channel)
            to, back = (requests, answers) if channel in REQUESTS else (answers, requests)
            pins[f"{to}_{prefix}_{channel}valid"] = stream_of.valid
            pins[f"{back}_{prefix}_{channel}ready"] = stream_of.ready
            for name in names:
                pins[f"{to}_{prefix}_{channel}{name}"] = getattr(stream_of, name)


def pins_of(nbytes):
    """Address bits that tell so many bytes apart."""
    return int(math.log2(nbytes))


class Boot(LiteXModule):
    """Writes registers of the system after reset, and some again on an event; until the first are written, nobody else has the bus.

    The program comes late, for the addresses are known only when the system is put together: see `load`.
    """

    MOST_STEPS = 128

    def __init__(self, event=0, value=0):
        self.bus = wishbone.Interface(data_width=32, address_width=32, addressing="word")
        self.done = Signal()

        # A step: address, value, clocks to wait afterwards; whether the event's value is written instead; whether it is a program's last.
        widths = {"address": 30, "data": 32, "wait": 24, "given": 1, "last": 1}
        self.fields = {}
        for name, width in widths.items():
            self.fields[name] = (sum(other for _, other in self.fields.values()), width)
        self.program = []
        # Not an attribute: LiteX would give the host a window on it.
        memory = Memory(sum(widths.values()), self.MOST_STEPS, init=self.program)
        port = memory.get_port()
        self.specials += memory, port

        def field(name):
            low, width = self.fields[name]
            return port.dat_r[low : low + width]

        pending, wanted = Signal(), Signal(32)
        self.sync += If(event, pending.eq(1), wanted.eq(value))
        wait = Signal(widths["wait"])
        second = Signal(max=self.MOST_STEPS)
        self.comb += [
            self.bus.adr.eq(field("address")),
            self.bus.dat_w.eq(field("data")),
            If(field("given"), self.bus.dat_w.eq(wanted)),
            self.bus.sel.eq(0xF),
            self.bus.we.eq(1),
        ]
        self.fsm = fsm = FSM(reset_state="FETCH")
        fsm.act("FETCH", self.bus.cyc.eq(1), NextState("WRITE"))
        fsm.act(
            "WRITE",
            self.bus.cyc.eq(1),
            self.bus.stb.eq(1),
            If(self.bus.ack | self.bus.err, NextValue(wait, field("wait")), NextState("WAIT")),
        )
        fsm.act(
            "WAIT",
            self.bus.cyc.eq(1),
            NextValue(wait, wait - 1),
            If(
                wait == 0,
                NextValue(port.adr, port.adr + 1),
                NextState("FETCH"),
                If(
                    field("last"),
                    If(~self.done, NextValue(second, port.adr + 1)).Else(NextValue(port.adr, second)),
                    NextValue(self.done, 1),
                    NextState("REST"),
                ),
            ),
        )
        fsm.act("REST", If(pending, NextState("FETCH")))
        # A later event counts anew.
        self.sync += If(fsm.ongoing("REST") & pending & ~event, pending.eq(0))

    def load(self, first, on_event):
        """Sets the programs: lists of (address, value or None for the event's, clocks to wait)."""
        assert len(first) + len(on_event) <= self.MOST_STEPS
        for steps in (first, on_event):
            # Without an event the second program is never run.
            for index, (address, value, wait) in enumerate(steps):
                entry = {
                    "address": address // WORD_BYTES,
                    "data": value or 0,
                    "wait": wait,
                    "given": int(value is None),
                    "last": int(index == len(steps) - 1),
                }
                word = 0
                for name, (low, width) in self.fields.items():
                    assert 0 <= entry[name] < 1 << width, (name, entry[name])
                    word |= entry[name] << low
                self.program.append(word)


def sdram_steps(phy, module, registers):
    """What an SDRAM chip must be told before it is used: steps for `Boot`. `registers`: address by name."""
    names = {}
    exec(get_sdram_phy_py_header(phy.settings, module.timing_settings), names)
    sequence, _ = get_sdram_phy_init_sequence(phy.settings, module.timing_settings)
    control = registers["sdram_dfii_control"]
    by_hand = names["dfii_control_cke"] | names["dfii_control_odt"] | names["dfii_control_reset_n"]
    steps = [(control, by_hand, 0)]
    for _, address, bank, command, wait in sequence:
        value = sum(names[part.strip().lower()] for part in command.split("|"))
        steps.append((registers["sdram_dfii_pi0_address"], address, 0))
        steps.append((registers["sdram_dfii_pi0_baddress"], bank, 0))
        if command.startswith("DFII_CONTROL"):
            steps.append((control, value, wait))
        else:
            steps.append((registers["sdram_dfii_pi0_command"], value, 0))
            steps.append((registers["sdram_dfii_pi0_command_issue"], 1, wait))
    return steps + [(control, names["dfii_control_sel"], 0)]


def add_rayman(soc, verilog, domain):
    """Adds the core to a system that has its memory as `main_ram`."""
    soc.rayman = core = Rayman(soc.platform, verilog, domain)
    region = SoCRegion(origin=rayman_abi.SOC_CORE, size=rayman_abi.APERTURE_BYTES, cached=False)
    soc.bus.add_slave("rayman", core.bus, region)
    assert soc.bus.regions["main_ram"].origin == rayman_abi.SOC_MEMORY
    memory = axi.AXIInterface(data_width=32, address_width=32, id_width=1)
    cross(soc, core.memory, memory, domain, "sys")
    if hasattr(soc, "sdram"):
        # A port of its own: bursts stay together, and the host's bus is not in the way. It is in `sys`: behind a port of another
        # domain LiteDRAM's bridge counts write data that is already under way, and stops.
        port = soc.sdram.crossbar.get_port(data_width=32)
        soc.submodules += LiteDRAMAXI2Native(memory, port, base_address=rayman_abi.SOC_MEMORY)
    else:
        soc.bus.add_master("rayman", memory)


def add_screen(soc, phy, domain, timings="640x480@60Hz"):
    """Shows a framebuffer, once there is one, on a screen whose pixel clock is that of `domain`."""
    width, height = (int(side) for side in timings.split("@")[0].split("x"))
    soc.screen_timing = timing = ClockDomainsRenamer(domain)(VideoTimingGenerator(timings))
    # 32 bits, so that LiteX changes no order of bytes; on the way are 8 KiB, three rows.
    port = soc.sdram.crossbar.get_port(mode="read", data_width=32)
    soc.screen = screen = VideoFrameBuffer(port, width, height, fifo_depth=8192, clock_domain=domain)
    # LiteX has red in the lowest byte, XR24 blue.
    soc.comb += [
        timing.source.connect(screen.vtg_sink),
        screen.source.connect(phy.sink, omit={"r", "b"}),
        phy.sink.r.eq(screen.source.b),
        phy.sink.b.eq(screen.source.r),
    ]


def add_boot(soc):
    """Adds what makes the memory usable and moves the screen to the picture."""
    framebuffer = soc.rayman.framebuffer
    soc.boot = Boot(framebuffer.changed if hasattr(soc, "screen") else 0, framebuffer.address)
    soc.bus.add_master("boot", soc.boot.bus)


def load_boot(soc, registers, module):
    """Sets what `add_boot` does: `registers` has the addresses, by name, of the finished system. `module`: the SDRAM's."""
    on_event = []
    if hasattr(soc, "screen"):
        # An address of DRAM counts from its beginning.
        on_event = [(registers["screen_dma_base"], None, 0), (registers["screen_dma_enable"], 1, 0)]
    soc.boot.load(sdram_steps(soc.sdrphy, module, registers), on_event)
