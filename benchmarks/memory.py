"""What is kept, what is used at most, and what is left over.

One idea: `tracemalloc` sees every object and every NumPy array, so bytes are counted, not guessed. It
does not see what PyTorch or TensorFlow allocate; for those the growth of the process is reported.
"""

from __future__ import annotations

import gc
import os
import tracemalloc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

import autodiff_kit as ad
from benchmarks.libraries import Library
from benchmarks.workloads import WORKLOADS, chains

TRACED = ("kit", "autograd", "mygrad")
PEAKS = {"elementwise, 10^6": 1, "multiply, 10^6": 1, "matmul 1000": 1}
RECORDS = 50_000


@contextmanager
def tracing() -> Iterator[None]:
    """Count from here on."""
    gc.collect()
    tracemalloc.start()
    try:
        yield
    finally:
        tracemalloc.stop()


def resident() -> int:
    """The bytes of this process that are in memory (Linux only, 0 elsewhere)."""
    try:
        with open("/proc/self/statm") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, AttributeError):  # Windows has no sysconf
        return 0


def bytes_per_operation(lib: Library) -> dict[str, float]:
    """What one recorded operation on scalars keeps alive: by tracemalloc and by the process' growth."""
    (x,), (c,) = ([lib.leaf(v) for v in chains.scalars(0)[0]], chains.scalars(0)[1])
    loss, fixed = chains.chain_loss(lib, RECORDS), lib.constant(c)

    def hold() -> Any:
        return lib.retained(lambda x: loss(x, fixed), [x])

    found = {}
    gc.collect()
    before = resident()
    held = hold()
    found["resident"] = (resident() - before) / RECORDS
    del held
    if lib.name in TRACED:
        with tracing():
            held = hold()
            found["traced"] = tracemalloc.get_traced_memory()[0] / RECORDS
            del held
    return found


def peaks(lib: Library, tiny: bool = False) -> dict[str, float]:
    """The most memory used during a gradient, besides the inputs, in multiples of one input."""
    found: dict[str, float] = {}
    if lib.name not in TRACED:
        return found
    for workload in WORKLOADS:
        if workload.name in PEAKS:
            size = workload.tiny if tiny else workload.size
            call = workload.library(lib, size)
            call()
            with tracing():
                call()
                peak = tracemalloc.get_traced_memory()[1]
            found[workload.name] = peak / workload.inputs(size)[0][0].nbytes
    return found


def alive(persistent: bool, elements: int = 1_000_000) -> dict[str, float]:
    """What the kit's tape holds after the way there and after the way back, in multiples of the input.

    The program is exp(x) * x, whose rules need x and exp(x); only the tape and the target are held.
    """
    x = ad.constant(np.linspace(0, 1, elements, dtype="float32"))
    size = x.numpy().nbytes
    for _ in range(2):  # what the first time loads is not the tape's
        with tracing():
            with ad.GradientTape(persistent=persistent) as tape:
                tape.watch(x)
                y = ad.reduce_sum(ad.exp(x) * x)
            forward = tracemalloc.get_traced_memory()[0] / size
            gradient = tape.gradient(y, x)
            after = tracemalloc.get_traced_memory()[0] / size - 1
        del gradient, y, tape
    return {"after the way there": forward, "after gradient": after}


def cycles(programs: dict[str, Callable[[], Any]]) -> dict[str, int]:
    """How many objects only the garbage collector can free after each program; it should be none."""
    found = {}
    gc.collect()
    gc.disable()
    try:
        for name, program in programs.items():
            program()
            found[name] = gc.collect()
    finally:
        gc.enable()
    return found


def programs(kit: Library) -> dict[str, Callable[[], Any]]:
    """Every workload of the kit at its smallest."""
    return {w.name: w.library(kit, w.tiny) for w in WORKLOADS}


def report(libraries: list[Library]) -> dict[str, Any]:
    """All of the above."""
    kit = libraries[0]
    return {
        "bytes per recorded scalar operation": {
            lib.name: bytes_per_operation(lib) for lib in libraries if lib.name != "mygrad"
        },
        "peak, in inputs": {lib.name: peaks(lib) for lib in libraries if lib.name in TRACED},
        "alive, in inputs": {"plain": alive(False), "persistent": alive(True)},
        "objects in reference cycles": sum(cycles(programs(kit)).values()),
    }
