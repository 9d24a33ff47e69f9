"""The one command: ``python -m benchmarks``. README.md says what it measures."""

from __future__ import annotations

import argparse
import gc
import json
import platform
import sys
from typing import Any

import numpy as np

from benchmarks import cold, explaining, memory, picture, tables
from benchmarks.libraries import KNOWN, Library, installed
from benchmarks.measuring import interleaved
from benchmarks.workloads import WORKLOADS, Workload

PARTS = ["speed", "lines", "memory", "cold"]


def arguments(argv: list[str]) -> argparse.Namespace:
    """The options; without any, everything is measured."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--only", nargs="+", default=[], help="workloads whose name contains this")
    parser.add_argument(
        "--libraries", nargs="+", choices=list(KNOWN), help="default: all installed"
    )
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument(
        "--seconds", type=float, default=0.05, help="of CPU per contender and round"
    )
    parser.add_argument("--parts", nargs="+", choices=PARTS, default=PARTS)
    parser.add_argument("--json", default="", help="write the results to this file")
    parser.add_argument("--picture", default="", help="draw the ratios to this file (matplotlib)")
    return parser.parse_args(argv)


def contenders(workload: Workload, libraries: list[Library], size: int) -> dict[str, Any]:
    """The calls to be timed: NumPy by hand, and each library that can do it and agrees with it."""
    calls = {"numpy": workload.numpy(size)}
    for lib in libraries:
        if lib.name not in workload.skip:
            call = workload.library(lib, size)
            check(workload, lib)
            calls[lib.name] = call
    return calls


def check(workload: Workload, lib: Library, size: int | None = None) -> None:
    """Raise unless library and hand-written NumPy give the same; no point in timing it otherwise."""
    size = size or workload.tiny
    expected = workload.numpy(size)()
    found = workload.library(lib, size)()
    for one, other in zip(found, expected, strict=True):
        np.testing.assert_allclose(
            lib.to_numpy(one), other, rtol=2e-4, atol=2e-5, err_msg=f"{workload.name}: {lib.name}"
        )


def speed(options: argparse.Namespace, libraries: list[Library]) -> dict[str, Any]:
    """Time all workloads, and print each row of the table as soon as it is known."""
    names, found = [lib.name for lib in libraries], {}
    gc.collect()
    gc.freeze()  # or each library would pay for the objects of all the others
    print(tables.speed_header(names))
    for workload in WORKLOADS:
        if options.only and not any(part in workload.name for part in options.only):
            continue
        calls = contenders(workload, libraries, workload.size)
        timings = interleaved(calls, options.rounds, options.seconds)
        results = {name: result._asdict() for name, result in timings.items()}
        found[workload.name] = {"target": workload.target, "results": results}
        print(tables.speed_row(workload.name, workload.target, results, names), flush=True)
    return found


def machine(libraries: list[Library]) -> dict[str, str]:
    """What the figures depend on."""
    versions = {
        lib.name: getattr(sys.modules[lib.package], "__version__", "?") for lib in libraries
    }
    return {
        "python": platform.python_version(), "machine": platform.machine(),
        "system": platform.system(), "numpy": np.__version__, **versions,
    }  # fmt: skip


def main(argv: list[str]) -> int:
    """Measure what was asked for."""
    options = arguments(argv)
    libraries = installed(options.libraries)
    found: dict[str, Any] = {"machine": machine(libraries)}
    print(", ".join(f"{key} {value}" for key, value in found["machine"].items()), end="\n\n")
    if "speed" in options.parts:
        found["speed"] = speed(options, libraries)
    if "lines" in options.parts:
        found["lines"] = explaining.report(libraries[0], options.rounds, options.seconds)
        print("\nwith the learner's lines, against without", *tables.tree(found["lines"]), sep="\n")
    if "memory" in options.parts:
        found["memory"] = memory.report(libraries)
        print("\nmemory", *tables.tree(found["memory"]), sep="\n")
    if "cold" in options.parts:
        found["cold"] = cold.report(libraries, options.rounds)
        print("\na fresh process", *tables.tree(found["cold"]), sep="\n")
    if options.json:
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump(found, file, indent=1)
    if options.picture and "speed" in found:
        picture.draw(found["speed"], options.picture)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
