"""A party that breaks a rule is noticed: each rule on each channel, without a simulator.

`python3 -m unittest test_protocol` in this folder; `cargo xtask cocotb` runs it first.
"""

import unittest

from protocol import ANSWER_CLOCKS, CONSTANT, DRIVEN, TAKEN, Checker

IDLE = {"aresetn": 1, "irq": 0}
for names in DRIVEN.values():
    IDLE.update((name, 0) for name in names)
for names in ([*DRIVEN], TAKEN):
    IDLE.update((f"{channel}{pin}", 0) for channel in names for pin in ("valid", "ready"))
IDLE.update((f"m_axi_a{way}{pin}", value) for way in "rw" for pin, value in CONSTANT.items())
IDLE["m_axi_wstrb"] = 0xF

ADDRESSES = ("m_axi_ar", "m_axi_aw")


def taken(channel, **pins):
    """A clock in which a beat of a channel is taken."""
    return {f"{channel}valid": 1, f"{channel}ready": 1, **pins}


class Rules(unittest.TestCase):
    def found(self, *clocks):
        checker = Checker()
        for pins in clocks:
            checker.edge({**IDLE, **pins})
        self.checker = checker
        return {(violation.channel, violation.rule) for violation in checker.violations}

    def test_a_good_party_is_not_accused(self):
        address = {"m_axi_awaddr": 0xFC0, "m_axi_awlen": 15}
        write = [taken("m_axi_aw", **address)] + [taken("m_axi_w")] * 15 + [taken("m_axi_w", m_axi_wlast=1)]
        self.assertEqual(self.found(*write), set())
        self.assertFalse(self.checker.is_idle(), "the answer is missing")
        self.assertEqual(self.found(*write, taken("m_axi_b")), set())
        self.assertTrue(self.checker.is_idle())
        data_first = write[1:] + write[:1] + [taken("m_axi_b")]
        self.assertEqual(self.found(*data_first), set())
        self.assertTrue(self.checker.is_idle())
        read = [taken("m_axi_ar", m_axi_araddr=0xFFC)] * 4 + [taken("m_axi_r")] * 4
        self.assertEqual(self.found(*read), set())
        self.assertTrue(self.checker.is_idle())
        registers = [taken("s_axi_w"), taken("s_axi_aw"), taken("s_axi_b"), taken("s_axi_ar"), taken("s_axi_r")]
        self.assertEqual(self.found(*registers), set())
        waits = [{"m_axis_video_tvalid": 1, "m_axis_video_tdata": 7}] * 9
        self.assertEqual(self.found(*waits, taken("m_axis_video_t", m_axis_video_tdata=7)), set())

    def test_an_offer_stands_until_it_is_taken(self):
        for channel, payload in DRIVEN.items():
            asked = [taken("s_axi_aw"), taken("s_axi_w"), taken("s_axi_ar")]
            offered = {f"{channel}valid": 1}
            with self.subTest(channel):
                self.assertEqual(self.found(*asked, offered, {}), {(channel, "withdrawn")})
                for pin in payload:
                    changed = {**offered, pin: IDLE[pin] ^ 2}
                    self.assertEqual(self.found(*asked, offered, changed), {(channel, "unstable")}, pin)

    def test_valids_are_low_in_reset(self):
        for channel in DRIVEN:
            high = {"aresetn": 0, f"{channel}valid": 1}
            with self.subTest(channel):
                self.assertEqual(self.found(high, {"aresetn": 0}), set(), "the first clock")
                self.assertEqual(self.found(high, high), {(channel, "reset")})
                unknown = {"aresetn": 0, f"{channel}valid": None}
                self.assertEqual(self.found(unknown, unknown), {(channel, "reset")})

    def test_nothing_is_unknown(self):
        for channel, payload in DRIVEN.items():
            asked = [taken("s_axi_aw"), taken("s_axi_w"), taken("s_axi_ar")]
            with self.subTest(channel):
                self.assertEqual(self.found(*asked, {f"{channel}valid": None}), {(channel, "unknown")})
                for pin in payload:
                    self.assertEqual(self.found(*asked, {pin: None}), set(), "no valid, no matter")
                    found = self.found(*asked, {f"{channel}valid": 1, pin: None})
                    self.assertIn((channel, "unknown"), found, pin)
        for channel in TAKEN:
            self.assertEqual(self.found({f"{channel}ready": None}), {(channel, "unknown")})
        self.assertEqual(self.found({"irq": None}), {("irq", "unknown")})

    def test_bursts_are_legal(self):
        for channel in ADDRESSES:
            def rule(**pins):
                return self.found(taken(channel, **{channel + pin: value for pin, value in pins.items()}))

            with self.subTest(channel):
                self.assertEqual(rule(addr=0xFC0, len=15), set())
                self.assertEqual(rule(addr=0xFC4, len=15), {(channel, "boundary")})
                self.assertEqual(rule(addr=0, len=16), {(channel, "length")})
                self.assertEqual(rule(addr=2, len=0), {(channel, "alignment")})
                for pin, value in CONSTANT.items():
                    self.assertEqual(rule(**{pin: value ^ 1}), {(channel, "constant")}, pin)

    def test_every_byte_is_written_and_last_is_last(self):
        address = taken("m_axi_aw", m_axi_awlen=1)
        self.assertEqual(self.found(taken("m_axi_w", m_axi_wstrb=7)), {("m_axi_w", "constant")})
        early = [address, taken("m_axi_w", m_axi_wlast=1)]
        self.assertEqual(self.found(*early), {("m_axi_w", "last")})
        missing = [address, taken("m_axi_w"), taken("m_axi_w")]
        self.assertEqual(self.found(*missing), {("m_axi_w", "last")})
        self.assertEqual(self.found(*missing[1:], address), {("m_axi_w", "last")}, "data first")

    def test_four_reads_are_outstanding_at_most(self):
        ask = taken("m_axi_ar")
        self.assertEqual(self.found(*[ask] * 4, {**ask, **taken("m_axi_r")}), set())
        self.assertEqual(self.found(*[ask] * 5), {("m_axi_ar", "outstanding")})

    def test_answers_come_to_requests_and_only_to_them(self):
        self.assertEqual(self.found(taken("s_axi_b")), {("s_axi_b", "unasked")})
        self.assertEqual(self.found(taken("s_axi_aw"), taken("s_axi_b")), {("s_axi_b", "unasked")}, "no data")
        self.assertEqual(self.found(taken("s_axi_w"), taken("s_axi_b")), {("s_axi_b", "unasked")}, "no address")
        self.assertEqual(self.found(taken("s_axi_r")), {("s_axi_r", "unasked")})
        write = [{**taken("s_axi_aw"), **taken("s_axi_w")}]
        self.assertEqual(self.found(*write, taken("s_axi_b"), taken("s_axi_b")), {("s_axi_b", "unasked")}, "twice")
        self.assertEqual(self.found(*write, *[{}] * (ANSWER_CLOCKS - 1)), set())
        self.assertEqual(self.found(*write, *[{}] * ANSWER_CLOCKS), {("s_axi_b", "unanswered")})
        read = [taken("s_axi_ar")]
        self.assertEqual(self.found(*read, *[{}] * ANSWER_CLOCKS), {("s_axi_r", "unanswered")})
        self.assertEqual(self.found(*write, taken("s_axi_b", s_axi_bresp=1)), {("s_axi_b", "response")})
        self.assertEqual(self.found(*read, taken("s_axi_r", s_axi_rresp=1)), {("s_axi_r", "response")})


if __name__ == "__main__":
    unittest.main()
