"""Layer 5: a part of the loss that is a constant, since all that it is made of is stopped.

One idea: an advantage is stopped where it weighs the policy. If the critic's own loss is made of the
same stopped value, it is a number that is added to the loss, and nothing learns from it.
"""

from __future__ import annotations

import numpy as np

from autodiff_kit.broadcasting import BROADCAST
from autodiff_kit.executed import Operation
from autodiff_kit.operation import LEAF
from autodiff_kit.readers.facts.account import depending_on
from autodiff_kit.readers.facts.case import Case

_SUMS = ("AddV2", "Sub", "AddN")
_LINEAR = (*_SUMS, "Mul", "RealDiv", "Neg", "Identity")


def constant_term(case: Case, stop: Operation) -> str:
    """What to do where a summand of the target is made of a stopped value alone; "" if none is."""
    learning = _learning(case)
    made = set(depending_on(case.records, [stop.place])) & case.above - {stop.place}
    terms = [p for p in sorted(made - learning) if _is_summand(case, p, learning)]
    users = [p for p in case.takers.get(stop.place, ()) if p in learning]
    name, term = case.name(stop.place), case.name(terms[0]) if terms else None
    if not terms or not users or not name:
        return ""
    what = f"`{term}`" if term else "what is made of it"
    where = sorted({case.line(p).number for p in users})
    weighs = f"line{'s' * (len(where) > 1)} {' and '.join(map(str, where))}"
    return (
        f"At {case.line(terms[0]).where} {what} is made of `{name}` alone, so that it is a constant in "
        f"`{case.target_name}`, and nothing learns from it. Leave the stop_gradient out here, and "
        f"write ad.stop_gradient({name}) at {weighs}, where it is only a weight."
    )


def _learning(case: Case) -> set[int]:
    """The places through which something gets a gradient from the target."""
    leaves = [p for p in case.above if case.records[p][0] is LEAF]
    live = {p for p in leaves if case.account.total.get(p) is not None}
    for place in sorted(case.above):
        operation = case.operation(place)
        if operation.type != "StopGradient" and any(p in live for p in operation.places):
            live.add(place)
    return live


def _is_summand(case: Case, place: int, learning: set[int]) -> bool:
    """Whether one number is only added to the rest of the target, or multiplied with constants."""
    value = case.values.get(place)
    if value is None or np.shape(value) != ():
        return False
    while place not in case.target_places:
        users = [p for p in case.takers.get(place, ()) if p in case.above]
        if len(users) != 1 or case.kind(users[0]) not in _LINEAR:
            return False
        operation = case.operation(users[0])
        beside = [p for p in operation.places if p != place and p in learning]
        if beside and operation.type not in _SUMS and operation.definition is not BROADCAST:
            return False
        place = users[0]
    return True
