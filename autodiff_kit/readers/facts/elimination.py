"""Layer 5: what must have been infinite or NaN, although the tape does not keep it.

One idea: what came out is known to be sick, and all that went in is known to be sound but for one.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from autodiff_kit.readers.facts.case import Case
from autodiff_kit.readers.facts.entering import Sick, input_value, input_values
from autodiff_kit.readers.facts.infinite import is_infinite
from autodiff_kit.readers.facts.kinds import ADDITIONS, MOVES, MOVES_ALL, SCALINGS, SOFTMAXES
from autodiff_kit.readers.facts.spoiling import is_finite

_FAR = 1e4  # so small that their sum with a finite number is finite


def by_elimination(case: Case, operation: Any, unknown: list[tuple[int, int]]) -> Sick | None:
    """What must have been sick, although the tape does not keep it."""
    (number, at), value = unknown[0], case.values.get(operation.place)
    if (
        operation.type == "RealDiv"
        and number == 0
        and not np.all(input_value(case, operation.place, 1))
    ):
        return Sick("operation", operation.place)  # whatever it was that was divided by 0
    if at >= 0:
        return (
            _held_infinite(case, at)
            or _put_in(case, operation, at)
            or _brought_nan(case, operation.place)
        )
    if operation.type in ADDITIONS and len(unknown) == 1 and value is not None:
        other = input_value(case, operation.place, 1 - number)
        # Finite numbers may add up to infinity, but not to NaN, nor if one of them is small.
        if np.any(np.isnan(value)) or np.all(np.abs(other) < _FAR):
            return Sick("data", operation.place, number)
    return None


def _held_infinite(case: Case, place: int) -> Sick | None:
    """If a sum that is not known any more took something that is certainly not finite."""
    operation = case.operation(place)
    for number, at in enumerate(operation.places if operation.type in ADDITIONS else ()):
        if at < 0 and is_infinite(case, place, number):
            return Sick("data", place, number)
    return None


def _brought_nan(case: Case, place: int) -> Sick | None:
    """The data that NaN must have come from: of all that is not known any more, nothing else is left.

    Of finite numbers these operations make no NaN; so the one that is not known had it.
    """
    if not np.any(np.isnan(case.values.get(place, 0.0))):
        return None
    while True:
        operation = case.operation(place)
        values = input_values(case, place)
        known = [value for value in values if value is not None]
        sound = all(is_finite(value) and _keeps_nan(operation.type, value) for value in known)
        if operation.type not in _NO_NEW_NAN or len(known) != len(values) - 1 or not sound:
            return None
        number = next(n for n, value in enumerate(values) if value is None)
        if operation.type == "RealDiv" and number == 1:
            return None
        if operation.places[number] < 0:
            return Sick("data", place, number)
        place = operation.places[number]


def _keeps_nan(kind: str, other: Any) -> bool:
    """Whether NaN comes out only if it went in: 0 * inf and inf / inf are NaN too, 0 / 2 is not."""
    return kind not in SCALINGS or bool(np.all(other))


_NO_NEW_NAN = MOVES | ADDITIONS | SCALINGS | {"Neg"}


def _put_in(case: Case, operation: Any, place: int) -> Sick | None:
    """If a softmax is NaN, and all that the tape knows of its input is finite."""
    before = _unscaled(case, place)
    while before >= 0:
        place, before = before, _unscaled(case, before)
    if operation.type not in SOFTMAXES:
        return None
    if case.operation(place).type not in ("AddV2", "SelectV2"):
        return None
    places = case.operation(place).places
    values = input_values(case, place)
    if any(at >= 0 and value is None for at, value in zip(places, values, strict=True)):
        return None
    known = [value for value in values if value is not None]
    if len(known) == len(values) - 1 and all(np.all(np.abs(one) < _FAR) for one in known):
        unknown = next(number for number, value in enumerate(values) if value is None)
        return Sick("put in", operation.place, unknown, place)
    return None


def _unscaled(case: Case, place: int) -> int:
    """The value that another is in a new shape, or times something that is known; -1 if it is none."""
    operation = case.operation(place)
    if operation.type in MOVES_ALL:
        return operation.places[0]
    if operation.type not in SCALINGS or operation.places[0] < 0:
        return -1
    by = input_value(case, place, 1)
    return operation.places[0] if by is not None and is_finite(by) and np.all(by) else -1
