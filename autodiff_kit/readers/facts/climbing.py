"""Layer 5: a gradient that grew round by round on its way back.

One idea: an unrolled loop runs one instruction many times. The sizes of what arrived at each of its
steps tell whether the gradient grew with the number of rounds, and how much in each.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from autodiff_kit.readers.facts.case import Case
from autodiff_kit.readers.facts.dense import dense
from autodiff_kit.readers.program.lines import Line

_ROUNDS = 5  # fewer may be anything
_MUCH = 1e4  # by so much it has to grow over all of them
_MULTIPLY = ("MatMul", "BatchMatMulV2", "Mul", "RealDiv", "Einsum", "Conv2D")  # rather than a sum


class Climb(NamedTuple):
    """An operation that was done again and again, and what arrived at its first and last round."""

    type: str
    line: Line
    rounds: int
    first: float
    last: float

    @property
    def words(self) -> str:
        """What happened there, in a sentence."""
        each = (self.last / self.first) ** (1 / (self.rounds - 1))
        return (
            f"On its way back through {self.rounds} rounds of {self.type} at {self.line.where} it grew "
            f"from {self.first:.1g} to {self.last:.1g}, about {each:.3g} times in each."
        )


def climb(case: Case) -> Climb | None:
    """The operation in whose rounds the gradient grew most; None if it did not grow so."""
    rounds: dict[Any, list[float]] = {}
    places: dict[Any, int] = {}
    for step in case.account.steps:
        place = step.operation.place
        arrived = size(step.dy) if place in case.on_path else 0.0
        if arrived > 0 and np.isfinite(arrived):
            spot = (id(case.records[place][-2]), case.records[place][-1], step.operation.type)
            rounds.setdefault(spot, []).append(arrived)
            places.setdefault(spot, place)
    found = [spot for spot, sizes in rounds.items() if _is_gradual(sizes)]
    if not found:
        return None
    spot = max(found, key=lambda one: (one[2] in _MULTIPLY, rounds[one][-1] / rounds[one][0]))
    sizes, line = rounds[spot], case.line(places[spot])
    return Climb(spot[2], line, len(sizes), sizes[0], sizes[-1])


def size(gradient: Any) -> float:
    """The largest number in a gradient, without its sign; 0 for one that is told apart in parts."""
    values = dense(gradient) if not isinstance(gradient, (list, tuple)) else ()
    return float(np.max(np.abs(values), initial=0.0)) if np.size(values) else 0.0


def _is_gradual(sizes: list[float]) -> bool:
    """Whether it grew by much, and in no single round by most of that."""
    growth = sizes[-1] / sizes[0]
    if len(sizes) < _ROUNDS or growth < _MUCH:
        return False
    return max(after / before for before, after in pairwise(sizes)) <= growth**0.5
