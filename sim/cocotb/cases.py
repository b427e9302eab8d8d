"""The frames of the suite, as `host-tools/cli/examples/cocotb-cases.rs` writes them: descriptors, registers, and what the
model makes of them."""

import json
import os
from dataclasses import dataclass


@dataclass
class Frame:
    """A frame. Addresses are bus addresses; `rows` are the bytes of the picture's rows in the framebuffer, none if it is
    not written or the frame ends early; `beats` are (tdata, tuser, tlast)."""

    name: str
    registers: list
    memory: list
    fault: dict
    width: int
    height: int
    framebuffer: int
    stride: int
    error: int
    error_address: int
    rows: list
    beats: list
    counters: dict

    @classmethod
    def of(cls, case):
        memory = [(address, bytes.fromhex(digits)) for address, digits in case["memory"]]
        rows = [bytes.fromhex(digits) for digits in case["rows"]]
        beats = [tuple(beat) for beat in case["beats"]]
        return cls(**{**case, "memory": memory, "rows": rows, "beats": beats})


def load():
    """(whole, failing), each a dictionary by name."""
    with open(os.environ["RAYMAN_CASES"], encoding="ascii") as file:
        cases = json.load(file)
    return tuple({case["name"]: Frame.of(case) for case in cases[kind]} for kind in ("whole", "failing"))


WHOLE, FAILING = load()
