"""What a fresh process pays: importing, the first gradient, and the space on the disk."""

from __future__ import annotations

import importlib.util
import os
import statistics
import subprocess
import sys
from typing import Any

from benchmarks.libraries import KNOWN, Library
from benchmarks.measuring import quartiles

CLOCK = "import time; start = time.process_time()\n{}\nprint(time.process_time() - start)"
KIT_GRADIENT = """
import autodiff_kit as ad
x = ad.Variable(3.0)
with ad.GradientTape() as tape:
    y = x * x
tape.gradient(y, x)
"""


def fresh(program: str) -> float:
    """CPU seconds that a program takes in a process of its own."""
    command = [sys.executable, "-c", CLOCK.format(program)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return float(done.stdout.split()[-1])


def starts(libraries: list[Library], rounds: int) -> dict[str, Any]:
    """Seconds to import each library, and how often that is the time to import NumPy."""
    programs = {"numpy": "import numpy"}
    for lib in libraries:
        programs[lib.name] = f"import {lib.package}"
    programs["kit, with a first gradient"] = KIT_GRADIENT
    programs["kit, with all its names"] = "from autodiff_kit import *"
    spent: dict[str, list[float]] = {name: [] for name in programs}
    for program in programs.values():
        fresh(program)  # compiles, and fills the file cache
    for _ in range(rounds):
        for name, program in programs.items():
            spent[name].append(fresh(program))
    found = {}
    for name, times in spent.items():
        low, middle, high = quartiles([a / b for a, b in zip(times, spent["numpy"], strict=True)])
        found[name] = {
            "seconds": statistics.median(times), "ratio": middle, "low": low, "high": high,
        }  # fmt: skip
    return found


def sizes() -> dict[str, int]:
    """Bytes of each installed package, without compiled Python and without what it depends on."""
    found = {}
    for name, (package, _, _) in {**KNOWN, "numpy": ("numpy", "", "")}.items():
        spec = importlib.util.find_spec(package)
        if spec is not None and spec.submodule_search_locations:
            found[name] = size_of(list(spec.submodule_search_locations)[0])
    return found


def size_of(folder: str) -> int:
    """Bytes of all files in a folder, caches left out."""
    return sum(
        os.path.getsize(os.path.join(path, file))
        for path, _, files in os.walk(folder)
        if "__pycache__" not in path
        for file in files
    )


def report(libraries: list[Library], rounds: int) -> dict[str, Any]:
    """All of the above."""
    return {"import": starts(libraries, rounds), "installed bytes": sizes()}
