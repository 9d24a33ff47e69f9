"""CPU time of several contenders, measured in turns so that a slow minute of the machine hits them all.

One idea: a round calls each contender once after the other, and a ratio is taken within its round.
The median of the ratios is reported with the range of the middle half, so one outlier cannot move it.
"""

from __future__ import annotations

import gc
import math
import statistics
import time
from collections.abc import Callable
from typing import Any, NamedTuple

Call = Callable[[], Any]


class Result(NamedTuple):
    """Seconds per call, and how often that is the first contender's time: lower quartile and upper."""

    seconds: float
    ratio: float
    low: float
    high: float


def timed(call: Call, repeats: int) -> float:
    """CPU seconds for one call, on average over `repeats`."""
    start = time.process_time()
    for _ in range(repeats):
        call()
    return (time.process_time() - start) / repeats


def repeats_for(call: Call, seconds: float) -> int:
    """How many calls last about so long; the clock's own steps must not be seen."""
    repeats = 1
    while (spent := timed(call, repeats) * repeats) < seconds / 4:
        repeats = max(2 * repeats, int(repeats * seconds / max(spent, seconds / 64) / 2))
    return max(1, round(repeats * seconds / spent))


def interleaved(contenders: dict[str, Call], rounds: int, seconds: float) -> dict[str, Result]:
    """Time the contenders in turns; ratios are to the first one."""
    for call in contenders.values():
        call()
    repeats = {name: repeats_for(call, seconds) for name, call in contenders.items()}
    spent: dict[str, list[float]] = {name: [] for name in contenders}
    for _ in range(rounds):
        gc.collect()
        for name, call in contenders.items():
            spent[name].append(timed(call, repeats[name]))
    first = next(iter(spent.values()))
    return {name: summary(times, first) for name, times in spent.items()}


def summary(times: list[float], first: list[float]) -> Result:
    """Medians and quartiles."""
    # Of 0 seconds, which a clock of large steps shows for a short call, nothing is a multiple.
    ratios = [mine / its if its else math.nan for mine, its in zip(times, first, strict=True)]
    low, middle, high = quartiles(ratios)
    return Result(statistics.median(times), middle, low, high)


def quartiles(values: list[float]) -> tuple[float, float, float]:
    """The quarter points of a list."""
    if len(values) < 2:
        return values[0], values[0], values[0]
    low, middle, high = statistics.quantiles(values, n=4, method="inclusive")
    return low, middle, high
