"""Writes a system as sources for the tools, or builds its simulation.

build.py BOARD --verilog rayman.v --folder OUT [--bus-mhz M] [--core-mhz M]
build.py simulation --verilog rayman.v --folder OUT [--port TCP_PORT]

OUT gets csr.json (addresses, for `--soc` of the host's tools) and gateware/: a board's Verilog, pins and scripts; or obj_dir/Vsim.
"""

import argparse
import json
import os
import shutil
import subprocess

from litex.build.sim.verilator import core_directory
from litex.soc.integration.builder import Builder
from litex.soc.integration.export import get_csr_json

from boards import BOARDS, Simulation
from core import load_boot


def finish(soc):
    """Puts the system together, and gives its boot program the addresses."""
    soc.finalize()
    if hasattr(soc, "boot"):
        exported = json.loads(get_csr_json(soc.csr_regions, soc.constants, soc.mem_regions))
        registers = {name: register["addr"] for name, register in exported["csr_registers"].items()}
        load_boot(soc, registers, soc.sdram_module())


def compile_simulation(folder, sources):
    """Makes gateware/obj_dir/Vsim, as LiteX does, but without the code that traces every signal: half of the time."""
    gateware = os.path.join(folder, "gateware")
    shutil.rmtree(os.path.join(gateware, "obj_dir"), ignore_errors=True)
    options = "--trace-depth 1 --x-assign fast --x-initial fast --noassert --output-split 40000 --output-split-cfuncs 4000"
    make = ["make", "-C", gateware, "-f", os.path.join(core_directory, "Makefile")]
    subprocess.run([*make, "modules", "MODULES=clocker serial2tcp"], check=True)
    variables = {
        "CC_SRCS": " ".join(f"--cc {source}" for source in sources),
        "OPT_LEVEL": "O1",
        "CFLAGS": "-O1",
        "INC_DIR": options,
    }
    subprocess.run([*make, "sim", *(f"{name}={value}" for name, value in variables.items())], check=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("board", choices=[*BOARDS, "simulation"])
    parser.add_argument("--verilog", required=True, help="the core")
    parser.add_argument("--folder", required=True, help="where the system is written")
    parser.add_argument("--bus-mhz", type=float, default=50.0, help="clock of the bus, a board's")
    parser.add_argument("--core-mhz", type=float, default=40.0, help="clock of the core, a board's")
    parser.add_argument("--port", type=int, default=1111, help="TCP port of the simulation's UARTBone")
    arguments = parser.parse_args()

    verilog, folder = (os.path.abspath(path) for path in (arguments.verilog, arguments.folder))
    os.makedirs(folder, exist_ok=True)
    options = {"compile_software": False, "csr_json": os.path.join(folder, "csr.json")}
    if arguments.board == "simulation":
        soc = Simulation(verilog)
        finish(soc)
        Builder(soc, output_dir=folder, **options).build(
            run=False, sim_config=Simulation.config(arguments.port), interactive=False
        )
        compile_simulation(folder, [source for source, *_ in soc.platform.sources if source.endswith(".v")])
    else:
        soc = BOARDS[arguments.board](verilog, 1e6 * arguments.bus_mhz, 1e6 * arguments.core_mhz)
        finish(soc)
        Builder(soc, output_dir=folder, **options).build(run=False, build_name=arguments.board)


if __name__ == "__main__":
    main()
