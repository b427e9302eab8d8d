"""The core before cocotbext-axi: registers, pictures, errors, commands, reset, with random pauses on every channel.

Each test makes a bench of its own, resets the core, and at its end asks the checker whether a rule was broken. Seeds are
printed; `RAYMAN_SEED=N` runs other ones.
"""

import functools
import os
import zlib

import cocotb
import rayman_abi as abi
from bench import CLEAR_IRQ, CLOCK_NS, EVENT_DRIVEN, FRAME_CLOCKS, RUN, STOP, Bench, number
from cases import FAILING, WHOLE
from cocotb.triggers import ClockCycles, FallingEdge
from cocotbext.axi.axil_channels import AxiLiteARTransaction
from cocotbext.axi.constants import AxiResp
from protocol import DRIVEN

SEED = int(os.environ.get("RAYMAN_SEED", "1"))
# Simulated time within which any test ends: a core that hangs is a failure, not a wait.
TIMEOUT_US = 8 * FRAME_CLOCKS * CLOCK_NS // 1000
FRAMES = ["dot", "tiny"] if EVENT_DRIVEN else list(WHOLE)
ERRORS = ["scene_slverr", "material_id", "write_slverr"] if EVENT_DRIVEN else list(FAILING)
SHORT = WHOLE["dot" if EVENT_DRIVEN else "empty"]
USUAL = WHOLE["dot" if EVENT_DRIVEN else "single_sphere"]
LONGER = WHOLE["tiny" if EVENT_DRIVEN else "first_light"]
# Channels that are slow in turn, clocks from RUN to STOP or to a reset.
SLOW = ("aw", "w") if EVENT_DRIVEN else ("aw", "w", "b", "ar", "r", "video")
STOPS = (150, 600) if EVENT_DRIVEN else (0, 40, 150, 600, 1500, 2500)
RESETS = (30, 400) if EVENT_DRIVEN else (30, 200, 700, 1900)
REGISTER_AT = {register.offset: register for register in abi.REGISTERS}
# Registers whose value describes the build.
BUILD = (abi.CAPABILITIES, abi.BUILD_REVISION, abi.BUILD_PARAMETERS)


def test(frames=None, **options):
    """A test over a bench. With `frames`: one test for each of these frames, which is the second argument."""

    def decorate(function):
        @functools.wraps(function)
        async def run(dut, frame=None):
            seed = zlib.crc32(f"{function.__name__} {frame} {SEED}".encode())
            bench = await Bench.start(dut, seed, **options)
            await (function(bench) if frame is None else function(bench, frame))
            bench.done()

        # cocotb looks at the signature.
        del run.__wrapped__
        if frames is None:

            async def single(dut):
                await run(dut)

            single.__name__ = single.__qualname__ = function.__name__
            single.__doc__ = function.__doc__
            return cocotb.test(timeout_time=TIMEOUT_US, timeout_unit="us")(single)
        run.__name__ = run.__qualname__ = function.__name__
        parameters = [cocotb.Param(value=name, name=name) for name in frames]
        return cocotb.test(timeout_time=TIMEOUT_US, timeout_unit="us")(cocotb.parametrize(frame=parameters)(run))

    return decorate


PAUSES = {"pauses": 0.8, "latency": 30}


@test(ram=True)
async def registers_after_reset(bench):
    """Each register reads its reset value, each other word of the aperture SLVERR and 0; a write there changes nothing."""
    values = {}
    for offset in range(0, abi.APERTURE_BYTES, 4):
        answer = await bench.master.read(offset, 4)
        register = REGISTER_AT.get(offset)
        word = int.from_bytes(answer.data, "little")
        if register is None:
            assert (answer.resp, word) == (AxiResp.SLVERR, 0), f"{offset:#04x}: {answer.resp}, {word:#x}"
            refused = await bench.master.write(offset, b"\xff" * 4)
            assert refused.resp == AxiResp.SLVERR, f"writing {offset:#04x}: {refused.resp}"
        else:
            assert answer.resp == AxiResp.OKAY, f"{register.name}: {answer.resp}"
            assert offset in BUILD or word == register.reset, f"{register.name} is {word:#010x}"
            assert word & ~register.mask == 0, f"{register.name} has a bit that does not exist"
            values[offset] = word
    lanes = abi.CAPABILITIES_LANES.get(values[abi.CAPABILITIES])
    assert lanes == 1, f"{lanes} lanes"
    for offset, word in values.items():
        assert await bench.read(offset) == word, f"{offset:#04x} was changed by a write to where no register is"


@test(**PAUSES)
async def unaligned_and_partial_accesses(bench):
    """A byte, a half word, a word across two registers: strobes choose bytes, and bits 1:0 of an address are ignored."""
    background = abi.BACKGROUND
    await bench.write(background, 0x00332211)
    assert (await bench.master.read(background + 1, 1)).data == b"\x22"
    await bench.master.write(background + 1, b"\x77")
    assert await bench.read(background) == 0x00337711
    # cocotbext-axi's master aligns its addresses: here is one that does not.
    master = bench.master.read_if
    await master.ar_channel.send(AxiLiteARTransaction(araddr=background | 3, arprot=0))
    beat = await master.r_channel.recv()
    assert (int(beat.rdata), int(beat.rresp)) == (0x00337711, AxiResp.OKAY)
    await bench.master.write(background + 2, b"\x88\xff")
    assert await bench.read(background) == 0x00887711, "the byte that does not exist stays 0"
    # The master splits this into a part of each register: RENDER_CONTROL's upper half does not exist.
    await bench.master.write(abi.RENDER_CONTROL + 2, b"\xff\xff\x01\x02")
    assert await bench.read(background) == 0x00880201
    render_control = REGISTER_AT[abi.RENDER_CONTROL]
    assert await bench.read(abi.RENDER_CONTROL) == render_control.reset
    for register in abi.REGISTERS:
        if register.writable and register.offset != abi.RAYTRACER_COMMAND:
            await bench.write(register.offset, 0xFFFFFFFF)
            assert await bench.read(register.offset) == register.mask, register.name
        elif not register.writable:
            before = await bench.read(register.offset)
            await bench.write(register.offset, ~before & 0xFFFFFFFF)
            assert await bench.read(register.offset) == before, register.name


@test(frames=["dot" if EVENT_DRIVEN else "single_sphere"], ram=True, noise=False)
async def frame_on_a_quiet_axi_ram(bench, frame):
    """cocotbext-axi's own RAM, no pauses: the plainest surroundings."""
    await bench.render(WHOLE[frame])


@test(frames=FRAMES, **PAUSES)
async def frame_with_pauses(bench, frame):
    """Pictures, stream and counters are the model's, whatever pauses on whatever channel."""
    await bench.render(WHOLE[frame])


@test(latency=300, pauses=0.2)
async def frame_on_a_slow_memory(bench):
    """Hundreds of clocks of latency in mid-burst."""
    await bench.render(USUAL)


@test()
async def data_is_taken_long_before_its_address(bench):
    """AW waits while W runs ahead, and the other way round; answers wait for hundreds of clocks."""
    for slow in SLOW:
        bench.channels[slow].set_pause_generator(n % 64 != 0 for n in range(10**9))
        await bench.render(SHORT)
        bench.channels[slow].clear_pause_generator()
        bench.channels[slow].pause = False


@test(frames=ERRORS, **PAUSES)
async def error(bench, frame):
    """A refused beat or a fault in a descriptor ends the frame with the model's code and address; the next is whole."""
    failing = FAILING[frame]
    before = await bench.read(abi.FRAME_COUNT)
    await bench.run(failing)
    await bench.finish()
    code, address = await bench.read(abi.ERROR), await bench.read(abi.ERROR_ADDRESS)
    expected = (failing.error, failing.error_address)
    assert (code, address) == expected, f"code {code:#x} at {address:#x}, not {expected[0]:#x} at {expected[1]:#x}"
    assert await bench.progress() < 255 and await bench.read(abi.FRAME_COUNT) == before
    bench.memory.fault = None
    await bench.drop_video()
    await bench.render(SHORT)


@test(**PAUSES)
async def stop_at_any_time(bench):
    """STOP ends a frame with its code and the interrupt, all bursts ended, or comes too late; the next frame is whole."""
    codes = set()
    for clocks in (*STOPS, bench.rng.randint(0, 2 * STOPS[-1])):
        await bench.give(CLEAR_IRQ)
        await bench.run(LONGER)
        await ClockCycles(bench.clock, clocks + 1)
        await bench.give(STOP)
        await bench.finish(4000)
        codes.add(await bench.read(abi.ERROR))
        await bench.drop_video()
    assert abi.ERROR_STOPPED in codes and codes <= {abi.ERROR_NONE, abi.ERROR_STOPPED}, codes
    await bench.render(SHORT)


@test(**PAUSES)
async def the_interrupt_pin(bench):
    """It rises once at a frame's end, follows IRQ_STATUS, stays until CLEAR_IRQ, and does not stop the next frame."""
    frame = USUAL
    assert bench.interrupt() == 0 and await bench.read(abi.IRQ_STATUS) == 0
    await bench.run(frame)
    await bench.finish()
    assert bench.irq_rose == 1 and await bench.read(abi.IRQ_STATUS) == 1
    await ClockCycles(bench.clock, 50)
    assert bench.interrupt() == 1
    await bench.take_video()
    # The interrupt is still up while the next frame runs, is cleared while it is busy, and rises at its end.
    await bench.run(frame)
    assert await bench.is_busy() and bench.interrupt() == 1
    await bench.give(CLEAR_IRQ)
    assert await bench.is_busy() and bench.interrupt() == 0 and await bench.read(abi.IRQ_STATUS) == 0
    await bench.finish()
    assert bench.irq_rose == 2
    await bench.compare(frame)
    await bench.give(STOP)
    assert not await bench.is_busy() and await bench.read(abi.ERROR) == abi.ERROR_NONE, "STOP while idle does nothing"


@test(**PAUSES)
async def busy_ignores_run_and_later_registers(bench):
    """RUN while busy does nothing, and a frame keeps the registers that it was started with."""
    frame, other = LONGER, FAILING["scene_nowhere"]
    await bench.run(frame)
    for offset, value in other.registers:
        await bench.write(offset, value)
    await bench.write(abi.BACKGROUND, 0x00FFFFFF)
    for _ in range(4):
        await bench.give(RUN)
        assert await bench.read(abi.RAYTRACER_COMMAND) == RUN and await bench.is_busy()
    progress = 0
    while not bench.interrupt():
        now = await bench.progress()
        assert now >= progress, f"progress fell from {progress} to {now}"
        progress = now
    await bench.finish()
    assert await bench.read(abi.FRAME_COUNT) == 1 and await bench.read(abi.ERROR) == abi.ERROR_NONE
    await bench.compare(frame)


@test(**PAUSES)
async def reset_in_mid_frame(bench):
    """After a reset at any clock: valids and interrupt low, registers as at first, and the next frame whole."""
    for clocks in (*RESETS, bench.rng.randint(0, 2 * RESETS[-1])):
        await bench.run(LONGER)
        await ClockCycles(bench.clock, clocks)
        await FallingEdge(bench.clock)
        bench.dut.aresetn.value = 0
        await ClockCycles(bench.clock, 3)
        for channel in DRIVEN:
            assert number(bench.pins[f"{channel}valid"]) == 0, channel
        assert bench.interrupt() == 0
        await bench.reset()
        await bench.drop_video()
        for register in abi.REGISTERS:
            if register.offset not in BUILD:
                assert await bench.read(register.offset) == register.reset, register.name
    await bench.render(SHORT)


@test(**PAUSES)
async def frame_after_frame(bench):
    """Different frames one after the other, nothing left over from one to the next."""
    for name in ("tiny", "dot") if EVENT_DRIVEN else ("first_light", "single_sphere", "framebuffer_only", "empty"):
        await bench.render(WHOLE[name])
