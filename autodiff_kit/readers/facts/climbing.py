"""Layer 5: a gradient that grew round by round on its way back.

One idea: an unrolled loop runs one instruction many times. The sizes of what arrived at each of its
steps tell whether the gradient grew with the number of rounds, and how much in each.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from autodiff_kit.readers.facts.account import inputs_of
from autodiff_kit.readers.facts.case import Case
from autodiff_kit.readers.facts.dense import dense
from autodiff_kit.readers.facts.kinds import CONTRACTIONS, SCALINGS
from autodiff_kit.readers.program.lines import Line
from autodiff_kit.readers.program.spots import key_of

_ROUNDS = 5  # fewer may be anything
_MUCH = 1e4  # by so much it has to grow over all of them
_MULTIPLY = CONTRACTIONS | SCALINGS  # rather than a sum


class Climb(NamedTuple):
    """An operation that was done again and again, and the sizes at its first and last round."""

    type: str
    line: Line
    rounds: int
    first: float
    last: float

    @property
    def words(self) -> str:
        """What happened to the gradient there, in a sentence."""
        return f"On its way back through {self._where} it grew {self._sizes}"

    @property
    def words_of_value(self) -> str:
        """The same of a value, on the way forward."""
        return f"Through {self._where} the value had grown {self._sizes}"

    @property
    def _where(self) -> str:
        return f"{self.rounds} rounds of {self.type} at {self.line.where}"

    @property
    def _sizes(self) -> str:
        each = (self.last / self.first) ** (1 / (self.rounds - 1))
        return f"from {self.first:.1g} to {self.last:.1g}, about {each:.3g} times in each."


def climb(case: Case) -> Climb | None:
    """The operation in whose rounds the gradient grew most; None if it did not grow so."""
    return _steepest(case, [(step.operation.place, size(step.dy)) for step in case.steps])


def climb_of_value(case: Case, end: int) -> Climb | None:
    """The same for the values of an operation, up to its round at a place."""
    known = [place for place in case.rounds(end) if place < end and place in case.values]
    return _steepest(case, [(place, size(case.values[place])) for place in known])


def _steepest(case: Case, sizes: list[tuple[int, float]]) -> Climb | None:
    rounds: dict[Any, list[tuple[int, float]]] = {}
    for place, one in sizes:
        if one > 0 and np.isfinite(one):
            call = (*key_of(case.spot(place)), case.kind(place))
            rounds.setdefault(call, []).append((place, one))
    grown = [
        Climb(call[2], case.line(some[0][0]), len(some), some[0][1], some[-1][1])
        for call, some in rounds.items()
        if _is_gradual([one for _, one in some]) and _is_a_chain(case, [place for place, _ in some])
    ]
    by = {one: (one.type in _MULTIPLY, one.last / one.first) for one in grown}
    return max(grown, key=by.__getitem__, default=None)


def _is_a_chain(case: Case, places: list[int]) -> bool:
    """Whether each round takes what another made; the terms of a sum stand beside one another."""
    return all(_leads(case, *sorted(pair)) for pair in pairwise(places))


def _leads(case: Case, begin: int, end: int) -> bool:
    """Whether what was computed at a later place was computed from that of an earlier one."""
    found = {end}
    for place in range(end, begin, -1):
        if place in found:
            found.update(inputs_of(case.records[place]))
    return begin in found


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
