"""What the core must not do on its ports, watched at every clock. Knows no simulator: `test_protocol.py` feeds it by hand.

The rules are those of `sim/src/protocol.rs`, and one more: no X or Z on a valid, a ready or the interrupt, nor on the
payload of a valid beat. (Verilator has two states; Icarus Verilog has four.)
"""

from collections import Counter
from dataclasses import dataclass

# Clocks that a register access may take while the master waits for nothing but its answer.
ANSWER_CLOCKS = 64
LONGEST_BURST = 16
MOST_READS = 4
BEAT_BYTES = 4
PAGE_BYTES = 4096
OKAY, EXOKAY, SLVERR, DECERR = range(4)

# Pins of an address channel beside address and length, and what they always are.
CONSTANT = {"id": 0, "size": 2, "burst": 1, "lock": 0, "cache": 3, "prot": 0, "qos": 0}
ALL_STROBES = 0xF

# Channels that the core drives: prefix of valid and ready, and the payload's pins.
ADDRESS = ("addr", "len", *CONSTANT)
DRIVEN = {
    "m_axi_ar": tuple(f"m_axi_ar{pin}" for pin in ADDRESS),
    "m_axi_aw": tuple(f"m_axi_aw{pin}" for pin in ADDRESS),
    "m_axi_w": ("m_axi_wdata", "m_axi_wstrb", "m_axi_wlast"),
    "s_axi_b": ("s_axi_bresp",),
    "s_axi_r": ("s_axi_rdata", "s_axi_rresp"),
    "m_axis_video_t": ("m_axis_video_tdata", "m_axis_video_tuser", "m_axis_video_tlast"),
}
# Channels that the world drives.
TAKEN = ("s_axi_aw", "s_axi_w", "s_axi_ar", "m_axi_b", "m_axi_r")


@dataclass(frozen=True)
class Violation:
    """A rule was broken: in which clock, on which channel, which rule."""

    clock: int
    channel: str
    rule: str

    def __str__(self):
        return f"clock {self.clock}: {self.channel} broke the rule `{self.rule}`"


class Checker:
    """Takes what is on the pins at each rising edge. A pin's value is an int, or None where a bit of it is X or Z."""

    def __init__(self):
        self.violations = []
        self.clock = 0
        self.forget()

    def forget(self):
        """Begins anew, as after a reset."""
        self.before = {}
        self.in_reset = False
        # Requests of the register master, and for how many clocks it has been waiting for nothing but an answer.
        self.asked = Counter()
        self.waited = Counter()
        # Bursts of the core: beats still to come of each read; lengths of writes announced, beats sent and not yet of a
        # whole burst, whole bursts not yet answered.
        self.reads = []
        self.announced = []
        self.beats = []
        self.unanswered = 0

    def is_idle(self):
        """Whether every burst of the core has come to its end."""
        return not (self.reads or self.announced or self.beats or self.unanswered)

    def report(self, channel, rule):
        self.violations.append(Violation(self.clock, channel, rule))

    def edge(self, pins):
        """One rising edge. `pins` maps names to values; payloads are looked at only where their valid is high."""
        self.clock += 1
        if not pins["aresetn"]:
            was_in_reset = self.in_reset
            self.forget()
            self.in_reset = True
            # What the valids are in the first clock of a reset is not yet the reset's doing.
            if was_in_reset:
                for channel in DRIVEN:
                    if pins[f"{channel}valid"] != 0:
                        self.report(channel, "reset")
            return
        self.in_reset = False
        self.known(pins)
        now = {channel: self.offer(pins, channel, payload) for channel, payload in DRIVEN.items()}
        for channel, offered in self.before.items():
            if now[channel] is None:
                self.report(channel, "withdrawn")
            elif now[channel] != offered:
                self.report(channel, "unstable")
        self.before = {
            channel: payload
            for channel, payload in now.items()
            if payload is not None and not pins[f"{channel}ready"]
        }
        self.register_slave(pins)
        self.memory_reads(pins)
        self.memory_writes(pins)

    def known(self, pins):
        if pins["irq"] is None:
            self.report("irq", "unknown")
        for channel in DRIVEN:
            if pins[f"{channel}valid"] is None:
                self.report(channel, "unknown")
        for channel in TAKEN:
            if pins[f"{channel}ready"] is None:
                self.report(channel, "unknown")

    def offer(self, pins, channel, names):
        """The payload that is offered, or None."""
        if not pins[f"{channel}valid"]:
            return None
        payload = tuple(pins[name] for name in names)
        if None in payload:
            self.report(channel, "unknown")
        return payload

    def takes(self, pins, channel):
        return bool(pins[f"{channel}valid"] and pins[f"{channel}ready"])

    def register_slave(self, pins):
        """One answer for each request, and none without; not EXOKAY, which AXI4-Lite does not have."""
        for channel, requests in (("s_axi_b", ("s_axi_aw", "s_axi_w")), ("s_axi_r", ("s_axi_ar",))):
            owed = all(self.asked[request] for request in requests)
            if pins[f"{channel}valid"]:
                if not owed:
                    self.report(channel, "unasked")
                if pins[f"{channel}resp"] == EXOKAY:
                    self.report(channel, "response")
            self.waited[channel] = 0 if pins[f"{channel}valid"] or not owed else self.waited[channel] + 1
            if self.waited[channel] == ANSWER_CLOCKS:
                self.report(channel, "unanswered")
            for request in requests:
                if self.takes(pins, channel) and self.asked[request]:
                    self.asked[request] -= 1
                self.asked[request] += self.takes(pins, request)

    def address(self, pins, channel):
        """Checks an address that is taken; answers the burst's beats."""
        address, beats = pins[f"{channel}addr"], pins[f"{channel}len"]
        if address is None or beats is None:
            return 1
        beats += 1
        if address // PAGE_BYTES != (address + BEAT_BYTES * beats - 1) // PAGE_BYTES:
            self.report(channel, "boundary")
        if beats > LONGEST_BURST:
            self.report(channel, "length")
        if address % BEAT_BYTES:
            self.report(channel, "alignment")
        if any(pins[channel + pin] != value for pin, value in CONSTANT.items()):
            self.report(channel, "constant")
        return beats

    def memory_reads(self, pins):
        if self.takes(pins, "m_axi_r") and self.reads:
            self.reads[0] -= 1
            if self.reads[0] == 0:
                self.reads.pop(0)
        if self.takes(pins, "m_axi_ar"):
            self.reads.append(self.address(pins, "m_axi_ar"))
            if len(self.reads) > MOST_READS:
                self.report("m_axi_ar", "outstanding")

    def memory_writes(self, pins):
        if self.takes(pins, "m_axi_b") and self.unanswered:
            self.unanswered -= 1
        if self.takes(pins, "m_axi_aw"):
            self.announced.append(self.address(pins, "m_axi_aw"))
        if self.takes(pins, "m_axi_w"):
            if pins["m_axi_wstrb"] != ALL_STROBES:
                self.report("m_axi_w", "constant")
            self.beats.append(bool(pins["m_axi_wlast"]))
        # Data may be taken before its address: what WLAST must be is known only then.
        while self.announced and self.beats:
            last = self.beats.pop(0)
            self.announced[0] -= 1
            if last != (self.announced[0] == 0):
                self.report("m_axi_w", "last")
            if last or self.announced[0] == 0:
                self.announced.pop(0)
                self.unanswered += 1
