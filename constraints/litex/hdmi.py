"""HDMI's sender, as LiteX's `VideoHDMIPHY` for pins with a positive side only, but with registers before the output cells.

LiteX's serialiser gives its choice among ten bits to the output cell in the same clock: beside a core of two lanes, in a device two
thirds full, that path takes more than the 8 ns of the bits' clock. Here the choice has that clock, and the way to the pin the next.
"""

from litex.build.io import DDROutput
from litex.gen import ClockDomainsRenamer, LiteXModule
from litex.soc.cores.video import TMDSEncoder, video_data_layout
from litex.soc.interconnect import stream
from migen import Cat, ClockSignal, Signal

# Which colour goes on which data channel (DVI 1.0, 2.2).
CHANNELS = {"b": 0, "g": 1, "r": 2}
SYMBOL_BITS = 10
# An output cell sends one bit at each edge.
EDGES = 2


class Serializer(LiteXModule):
    """Sends `symbol`, one a clock of `domain`, as `pair`, two bits a clock of five times that rate: the lowest bit first."""

    def __init__(self, symbol, domain):
        self.pair = Signal(EDGES)

        fast = f"{domain}5x"
        self.cdc = cdc = stream.ClockDomainCrossing([("data", SYMBOL_BITS)], cd_from=domain, cd_to=fast)
        self.gearbox = gearbox = ClockDomainsRenamer(fast)(stream.Gearbox(SYMBOL_BITS, EDGES, msb_first=False))
        self.comb += [
            cdc.sink.valid.eq(1),
            cdc.sink.data.eq(symbol),
            cdc.source.connect(gearbox.sink),
            gearbox.source.ready.eq(1),
        ]
        sync = getattr(self.sync, fast)
        sync += self.pair.eq(gearbox.source.data)


class HdmiPhy(LiteXModule):
    """`sink`: a pixel a clock of `domain`, which is also the clock on the wire; `domain`5x has five times its rate."""

    def __init__(self, pads, domain):
        self.sink = sink = stream.Endpoint(video_data_layout)
        # A screen waits for nobody.
        self.comb += sink.ready.eq(1)
        self.specials += DDROutput(i1=1, i2=0, o=pads.clk_p, clk=ClockSignal(domain))
        for color, channel in CHANNELS.items():
            encoder = ClockDomainsRenamer(domain)(TMDSEncoder())
            self.comb += [
                encoder.d.eq(getattr(sink, color)),
                encoder.c.eq(Cat(sink.hsync, sink.vsync) if channel == 0 else 0),
                encoder.de.eq(sink.de),
            ]
            serializer = Serializer(encoder.out, domain)
            self.add_module(f"{color}_encoder", encoder)
            self.add_module(f"{color}_serializer", serializer)
            pin = getattr(pads, f"data{channel}_p")
            self.specials += DDROutput(i1=serializer.pair[0], i2=serializer.pair[1], o=pin, clk=ClockSignal(f"{domain}5x"))
