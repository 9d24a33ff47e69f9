"""Layer 5: whether a value on the tape is a floating one.

One idea: the value itself tells, if it is known; if not, the operation that made it does, or what that
one was given.
"""

from __future__ import annotations

import numpy as np

from autodiff_kit.executed import Operation
from autodiff_kit.operation import OUTPUT
from autodiff_kit.readers.facts.case import Case
from autodiff_kit.readers.facts.kinds import NEVER_FLOATING, NO_SLOPE
from autodiff_kit.readers.facts.stops import cast_to


def is_floating(case: Case, place: int) -> bool:
    """Whether the value at a place has a floating dtype; the tape does not keep every value."""
    while True:
        value = case.values.get(place)
        if value is not None:
            return np.asarray(value).dtype.kind in "fc"
        operation = case.operation(place)
        if operation.definition is OUTPUT:
            whole = case.operation(operation.places[0])
            if whole.type in _POSITIONS_SECOND and operation.attrs["number"] > 0:
                return False
            place = whole.places[0]
            continue
        if operation.type == "Cast":
            return cast_to(operation) == "f"
        inputs = [p for p in operation.places if p >= 0]
        if operation.type in NEVER_FLOATING or not inputs:
            return operation.type not in NEVER_FLOATING
        place = inputs[-1]


_POSITIONS_SECOND = ("TopKV2", "Unique", "UniqueWithCounts")


def maker(case: Case, place: int) -> Operation:
    """The operation that made a value; for one of several outputs the operation itself."""
    operation = case.operation(place)
    return case.operation(operation.places[0]) if operation.definition is OUTPUT else operation


def cut_off(case: Case, place: int) -> int | None:
    """The cast in which a floating value lost its fraction, if a whole number is what was left of it;
    None for an answer, a count and a position, and for what these chose.
    """
    while True:
        operation = maker(case, place)
        inputs = [p for p in operation.places if p in case.below]
        if not inputs or operation.type in _NO_VALUE:
            return None
        if is_floating(case, inputs[0]):
            return operation.place if cast_to(operation) in ("i", "u") else None
        place = inputs[0]


_NO_VALUE = NO_SLOPE | {"Range", "GatherV2", "GatherNd", "OneHot"}


def chosen_before(case: Case, place: int) -> Operation | None:
    """What made a whole number, a position or an answer of the source, if nothing else of it comes to
    a value; None if a way leads there on which every value is a floating one.
    """
    todo, seen, found = [place], set(), None
    while todo:
        one = todo.pop()
        if one in case.source_places:
            return None
        if one in seen:
            continue
        seen.add(one)
        if is_floating(case, one):
            todo += [p for p in case.operation(one).places if p in case.below]
        else:
            found = maker(case, one)
    return found
