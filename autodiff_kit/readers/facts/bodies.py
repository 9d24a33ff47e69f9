"""Layer 5: what was computed inside a function that brings its own gradient.

One idea: the way back goes through the function's rule and never enters its body. So what happens to
the function's arguments in there, as a detour through NumPy, takes nothing away from the gradient; and
what the body takes from elsewhere gets none.
"""

from __future__ import annotations

from typing import Any

from autodiff_kit.executed import Operation
from autodiff_kit.operation import OUTPUT
from autodiff_kit.readers.facts.account import depending_on, inputs_of
from autodiff_kit.readers.facts.case import Case
from autodiff_kit.readers.facts.stops import STOPS


def customs(case: Case) -> list[Operation]:
    """The steps with a gradient function of their own that lead to the target."""
    found = [p for p in sorted(case.above) if case.kind(p) == "CustomGradient"]
    return [case.operation(place) for place in found]


def outside_bodies(case: Case, events: list[Any]) -> list[Any]:
    """The events without those that befell what was made of a function's arguments in its body."""
    for one in customs(case) if events else ():
        began, ended = one.attrs["ran"]
        made = depending_on(case.records, [place for place in one.places if place >= 0])
        events = [e for e in events if not (began < e.time < ended and e.subject in made)]
    return events


def captured(case: Case) -> tuple[Operation, int] | None:
    """A function with its own gradient whose result was made of the source by another way than its
    arguments; and the place where its body takes what came that way.
    """
    for step in customs(case):
        for end in _results(case, step):
            way = _around(case, end, set(step.places))
            if way.intersection(case.source_places):
                return step, _entered(case, sorted(way & case.below), end)
    return None


def _results(case: Case, step: Operation) -> list[int]:
    """The places of what the body returned, as far as it leads to the target."""
    taken = [case.operation(place) for place in case.takers.get(step.place, ())]
    numbers = {one.attrs["number"] for one in taken if one.definition is OUTPUT}
    results = [case.tape.find(one) for one in step.attrs["results"]]
    return [p for n, p in enumerate(results) if p >= 0 and (len(results) == 1 or n in numbers)]


def _around(case: Case, end: int, but: set[int]) -> set[int]:
    """Every place that a gradient could come to from a result, were it not for the arguments."""
    todo, found = [end], set()
    while todo:
        place = todo.pop()
        if place in found or place in but or case.operation(place).type in STOPS:
            continue
        found.add(place)
        todo += [p for p in inputs_of(case.records[place]) if p >= 0]
    return found


def _entered(case: Case, way: list[int], end: int) -> int:
    """The first place of a way that the same function computed as its end."""
    return next(p for p in way if case.spot(p).code is case.spot(end).code or p == end)
