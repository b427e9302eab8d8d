"""What LiteX's simulation of the system has no use for: the boot program with an event, the watch on the framebuffer, HDMI's serialiser."""

import random
import unittest

from litex.soc.interconnect import wishbone
from migen import ClockDomain, Module, Signal, run_simulation

import rayman_abi
from core import Boot, FramebufferWatch
from hdmi import SYMBOL_BITS, Serializer


class BootTest(unittest.TestCase):
    FIRST = [(0x1000, 7, 0), (0x1004, 8, 50), (0x2000, 9, 3)]
    ON_EVENT = [(0x3000, None, 0), (0x3004, 1, 0)]

    def run_boot(self, events, clocks, error=False):
        """Writes as (clock, address, value), the clock in which the first program was done, clocks without cycle before it.
        `events`: value by clock."""
        event, value = Signal(), Signal(32)
        boot = Boot(event, value)
        boot.load(self.FIRST, self.ON_EVENT)
        writes, done, free = [], [], []

        def slave():
            bus, delay = boot.bus, 0
            for clock in range(clocks):
                yield event.eq(int(clock in events))
                yield value.eq(events.get(clock, 0))
                answer = bus.err if error else bus.ack
                yield answer.eq(0)
                if (yield bus.stb) and (yield bus.cyc) and not (yield answer):
                    delay = (delay + 1) % 4
                    if delay == 0:
                        self.assertEqual(((yield bus.we), (yield bus.sel)), (1, 0xF))
                        writes.append((clock, 4 * (yield bus.adr), (yield bus.dat_w)))
                        yield answer.eq(1)
                if (yield boot.done):
                    done.append(clock)
                elif not (yield bus.cyc):
                    free.append(clock)
                yield

        run_simulation(boot, slave())
        return writes, done, free

    def test_nobody_else_has_the_bus_until_the_first_program_is_done(self):
        writes, done, free = self.run_boot({}, 200)
        self.assertEqual([write[1:] for write in writes], [step[:2] for step in self.FIRST])
        self.assertGreaterEqual(writes[2][0] - writes[1][0], self.FIRST[1][2])
        self.assertTrue(done and writes[-1][0] < done[0])
        self.assertEqual(free, [])

    def test_each_event_is_written_the_latest_last(self):
        writes, done, _ = self.run_boot({150: 0x11, 190: 0x22, 192: 0x33, 193: 0x44}, 300)
        later = [write[1:] for write in writes if write[0] >= done[0]]
        self.assertEqual(later[:2], [(0x3000, 0x11), (0x3004, 1)])
        self.assertEqual(later[-2:], [(0x3000, 0x44), (0x3004, 1)])

    def test_an_event_during_the_first_program_waits_for_its_end(self):
        writes, done, _ = self.run_boot({5: 0x55}, 200)
        self.assertEqual([write[1:] for write in writes[3:]], [(0x3000, 0x55), (0x3004, 1)])
        self.assertGreaterEqual(writes[3][0], done[0])

    def test_a_bus_error_does_not_stop_it(self):
        writes, done, _ = self.run_boot({}, 200, error=True)
        self.assertEqual(len(writes), len(self.FIRST))
        self.assertTrue(done)


class FramebufferWatchTest(unittest.TestCase):
    def test_only_the_framebuffers_address_counts_and_0_is_none(self):
        class Watched(Module):
            def __init__(self):
                self.bus = wishbone.Interface(data_width=32, address_width=32, addressing="word")
                self.submodules.watch = FramebufferWatch(self.bus)

        watched = Watched()
        framebuffer, other = rayman_abi.FRAMEBUFFER_ADDRESS, rayman_abi.SCENE_ADDRESS
        seen = []

        def write(offset, value, we=1):
            bus = watched.bus
            yield bus.adr.eq((rayman_abi.SOC_CORE + offset) // 4)
            yield bus.dat_w.eq(value)
            yield bus.we.eq(we)
            yield bus.stb.eq(1)
            yield bus.cyc.eq(1)
            yield  # Not taken yet.
            yield bus.ack.eq(1)
            yield
            for signal in (bus.ack, bus.stb, bus.cyc):
                yield signal.eq(0)
            yield
            if (yield watched.watch.changed):
                seen.append((yield watched.watch.address))
            yield
            self.assertEqual((yield watched.watch.changed), 0)

        def host():
            yield from write(other, 0x40000000)
            yield from write(framebuffer, 0x40001000)
            yield from write(framebuffer, 0)
            yield from write(framebuffer, 0x40002000, we=0)
            yield from write(framebuffer, 0x40003000)

        run_simulation(watched, host())
        self.assertEqual(seen, [0x40001000, 0x40003000])


class SerializerTest(unittest.TestCase):
    def test_each_symbol_is_sent_once_the_lowest_bit_first(self):
        class Serialized(Module):
            def __init__(self):
                self.clock_domains.pixel, self.clock_domains.bits = ClockDomain("hdmi"), ClockDomain("hdmi5x")
                self.symbol = Signal(SYMBOL_BITS)
                self.submodules.serializer = Serializer(self.symbol, "hdmi")

        serialized = Serialized()
        random.seed(1)
        symbols = [random.getrandbits(SYMBOL_BITS) for _ in range(100)]
        sent = []

        def encoder():
            for symbol in symbols:
                yield serialized.symbol.eq(symbol)
                yield

        def pin():
            for _ in range(5 * (len(symbols) + 10)):
                pair = yield serialized.serializer.pair
                sent.extend((pair & 1, pair >> 1))
                yield

        run_simulation(serialized, {"hdmi": encoder(), "hdmi5x": pin()}, clocks={"hdmi": 10, "hdmi5x": 2})
        wanted = "".join(f"{symbol:010b}"[::-1] for symbol in symbols)
        self.assertIn(wanted, "".join(map(str, sent)))


if __name__ == "__main__":
    unittest.main()
