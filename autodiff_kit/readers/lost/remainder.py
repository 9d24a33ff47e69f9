"""Layer 5: what is left of a value when its rounded part is taken away.

One idea: in ``x - ad.floor(x)`` the rounded part is a constant between two jumps, and the gradient that
flows through x is the whole derivative. Nothing is lost there.
"""

from __future__ import annotations

from autodiff_kit.broadcasting import BROADCAST
from autodiff_kit.readers.facts.account import leading_to
from autodiff_kit.readers.facts.case import Case
from autodiff_kit.readers.facts.floating import is_floating
from autodiff_kit.readers.facts.kinds import ROUNDING

_SCALING = ("Cast", "Mul", "RealDiv")


def is_of_a_remainder(case: Case, place: int) -> bool:
    """Whether a rounded value is only subtracted from what was rounded, or serves as a position."""
    if case.kind(place) not in ROUNDING:
        return False
    rounded = leading_to(case.records, [*case.operation(place).places]) & case.below
    todo, subtracted = [place], False
    while todo:
        at = todo.pop()
        for user in case.takers.get(at, ()):
            operation = case.operation(user)
            if operation.type == "Sub" and operation.places[1] == at:
                if operation.places[0] not in rounded:
                    return False
                subtracted = True
            elif operation.definition is BROADCAST or _only_scales(case, user, at):
                todo.append(user)
            elif is_floating(case, at):
                return False
    return subtracted


def _only_scales(case: Case, place: int, at: int) -> bool:
    """Whether a value is only multiplied by a constant, or cast."""
    operation = case.operation(place)
    others = [p for p in operation.places if p != at and p in case.below]
    return operation.type in _SCALING and not others
