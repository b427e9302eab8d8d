"""The systems: a board's clocks and memory, and the core in it.

Pins come from litex-boards' platforms, clocks from the boards' PLLs. A system has no processor: the host is the bus's master, over
UARTBone. Boards with SDRAM keep the framebuffer there; on the others, whose DDR3 would have to be trained by a
processor, core and host share block RAM, which is enough for small pictures.
"""

from litedram.modules import AS4C32M16, MT48LC16M16
from litedram.phy.model import SDRAMPHYModel
from litex.build.generic_platform import Pins, Subsignal
from litex.build.io import CRG
from litex.build.sim import SimPlatform
from litex.build.sim.config import SimConfig
from litex.gen import LiteXModule
from litex.soc.cores.uart import UARTBone, RS232PHYModel
from litex.soc.integration.soc_core import SoCCore
from litex_boards.targets import digilent_arty, lambdaconcept_ecpix5, radiona_ulx3s
from migen import ClockDomain, If, Signal

import rayman_abi
from core import add_boot, add_rayman, add_screen
from hdmi import HdmiPhy

# The host is the only master beside the core; nothing caches.
PLAIN = {"cpu_type": None, "integrated_rom_size": 0, "integrated_sram_size": 0, "l2_size": 0, "ident_version": False}
ON_A_LINE = {**PLAIN, "uart_name": "uartbone", "uart_baudrate": rayman_abi.SOC_BAUD}
# Memory of boards without SDRAM: 256x192 pixels and a scene; or 192x144 in an LFE5UM5G-85F, most of whose 208 block memories the core has.
BLOCK_RAM = 256 * 1024
SMALL_BLOCK_RAM = 128 * 1024


def core_clock(soc, hertz):
    """Gives the core its clock, of the rate that the board's PLL can make next to this one."""
    soc.crg.cd_core = ClockDomain()
    soc.crg.pll.create_clkout(soc.crg.cd_core, hertz, margin=3e-2)
    return "core"


class Ulx3s(radiona_ulx3s.BaseSoC):
    """ULX3S with an LFE5U-85F: SDRAM at twice the bus's rate, for the screen reads 74 MB/s of it; HDMI."""

    chip = MT48LC16M16
    rate = "1:2"

    def __init__(self, verilog, bus_hertz, core_hertz):
        super().__init__(
            device="LFE5U-85F",
            sys_clk_freq=bus_hertz,
            sdram_module_cls=self.chip.__name__,
            sdram_rate=self.rate,
            with_led_chaser=False,
            **ON_A_LINE,
        )
        pll = self.crg.video_pll = radiona_ulx3s.ECP5PLL()
        pll.register_clkin(self.crg.pll.clkin, 25e6)
        self.crg.cd_hdmi, self.crg.cd_hdmi5x = ClockDomain("hdmi"), ClockDomain("hdmi5x")
        pll.create_clkout(self.crg.cd_hdmi, 25e6, margin=0)
        pll.create_clkout(self.crg.cd_hdmi5x, 125e6, margin=0)
        add_rayman(self, verilog, core_clock(self, core_hertz))
        self.videophy = HdmiPhy(self.platform.request("gpdi"), "hdmi")
        add_screen(self, self.videophy, "hdmi")
        add_boot(self)

    def sdram_module(self):
        return self.chip(self.sys_clk_freq, self.rate)


class Ecpix5(lambdaconcept_ecpix5.BaseSoC):
    """ECPIX-5 with an LFE5UM5G-85F."""

    def __init__(self, verilog, bus_hertz, core_hertz):
        super().__init__(
            device="85F", sys_clk_freq=bus_hertz, with_led_chaser=False, integrated_main_ram_size=SMALL_BLOCK_RAM, **ON_A_LINE
        )
        add_rayman(self, verilog, core_clock(self, core_hertz))


class ArtyA7(digilent_arty.BaseSoC):
    """Arty A7-100T."""

    def __init__(self, verilog, bus_hertz, core_hertz):
        super().__init__(
            variant="a7-100",
            sys_clk_freq=bus_hertz,
            with_led_chaser=False,
            integrated_main_ram_size=BLOCK_RAM,
            **ON_A_LINE,
        )
        add_rayman(self, verilog, core_clock(self, core_hertz))


class Simulation(SoCCore):
    """A system for LiteX's Verilator simulation: SDRAM as a model of its chip, UARTBone on a TCP port."""

    HERTZ = int(1e6)
    # As on a board, the clocks' edges fall together now and then only.
    CORE_HERTZ = int(0.8e6)
    SDRAM_HERTZ = int(100e6)
    PINS = [
        ("sys_clk", 0, Pins(1)),
        ("core_clk", 0, Pins(1)),
        ("serial", 0, *(
            Subsignal(f"{end}_{name}", Pins(width))
            for end in ("source", "sink")
            for name, width in (("valid", 1), ("ready", 1), ("data", 8))
        )),
    ]

    def __init__(self, verilog):
        platform = SimPlatform("SIM", list(self.PINS))
        self.crg = CRG(platform.request("sys_clk"))
        self.cd_core, self.cd_start = ClockDomain("core"), ClockDomain("start", reset_less=True)
        # LiteX's own reset here is over before the core's first clock; a board's lasts some, too.
        left = Signal(4, reset=15)
        self.sync.start += If(left != 0, left.eq(left - 1))
        clock = platform.request("core_clk")
        self.comb += [self.cd_core.clk.eq(clock), self.cd_start.clk.eq(clock), self.cd_core.rst.eq(left != 0)]
        super().__init__(platform, self.HERTZ, with_uart=False, **PLAIN)
        self.sdrphy = SDRAMPHYModel(self.sdram_module(), data_width=32, clk_freq=self.SDRAM_HERTZ)
        self.add_sdram("sdram", phy=self.sdrphy, module=self.sdram_module(), l2_cache_size=0)
        self.line = RS232PHYModel(platform.request("serial"))
        self.uartbone = UARTBone(self.line, self.HERTZ)
        self.bus.add_master("uartbone", self.uartbone.wishbone)
        add_rayman(self, verilog, "core")
        add_boot(self)

    def sdram_module(self):
        return AS4C32M16(self.SDRAM_HERTZ, "1:1")

    @classmethod
    def config(cls, port):
        config = SimConfig()
        config.add_clocker("sys_clk", freq_hz=cls.HERTZ)
        config.add_clocker("core_clk", freq_hz=cls.CORE_HERTZ)
        config.add_module("serial2tcp", "serial", args={"port": port, "bind_ip": "127.0.0.1"})
        return config


BOARDS = {"ulx3s": Ulx3s, "ecpix5": Ecpix5, "arty_a7": ArtyA7}
