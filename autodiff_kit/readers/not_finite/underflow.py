"""Layer 5: zeros that are none, because a dtype has no smaller number.

One idea: computed once more with 1 in place of every number above 0, nothing can become too small; what
is 0 all the same is a real zero, and every other zero was rounded to.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from autodiff_kit.broadcasting import BROADCAST
from autodiff_kit.executed import Operation
from autodiff_kit.readers.facts.account import inputs_of, leading_to
from autodiff_kit.readers.facts.case import Case
from autodiff_kit.readers.facts.entering import input_value
from autodiff_kit.readers.facts.kinds import ABOVE_ZERO, NEVER_BELOW_ZERO
from autodiff_kit.readers.facts.values import run_again


class Lost(NamedTuple):
    """Where numbers above 0 became 0.

    place: of the operation that rounded the first of them.
    repeated: whether that is a step of a loop.
    """

    place: int
    repeated: bool


def lost_at(case: Case, place: int) -> Lost | None:
    """Where the zeros of a value were rounded to; None if one is real, or that is not certain."""
    truth = _truth(case, place)
    if place not in truth or not np.all(truth[place] | (np.asarray(case.values[place]) != 0)):
        return None
    before = place
    while before >= 0:
        place = before
        inputs = [p for p in inputs_of(case.records[place]) if p >= 0]
        before = next((p for p in inputs if _is_lost(case, p, truth)), -1)
    return Lost(place, len(case.rounds(place)) > 1)


def words_of(case: Case, lost: Lost) -> str:
    """Where a number was rounded to 0, as the end of a sentence."""
    operation, line = case.operation(lost.place), case.line(lost.place)
    dtype = np.asarray(case.values[lost.place]).dtype
    smallest = np.finfo(dtype).smallest_subnormal
    return (
        f"at {line.where} {operation.type} made a number that is too small for {dtype}, whose smallest "
        f"is {smallest:.0e}, and became 0."
    )


def _is_lost(case: Case, place: int, truth: dict[int, Any]) -> bool:
    return place in truth and bool(np.any(truth[place] & (np.asarray(case.values[place]) == 0)))


def _truth(case: Case, target: int) -> dict[int, Any]:
    """For each place that the target was computed from, which of its numbers are above 0.

    A place with a number below 0, or with one that is not known, is left out.
    """
    found: dict[int, Any] = {}
    for place in sorted(leading_to(case.records[: target + 1], [target])):
        value = case.values.get(place)
        if value is None or np.asarray(value).dtype.kind != "f" or not np.all(value >= 0):
            continue
        above = _above(case, case.operation(place), found)
        found[place] = np.asarray(value > 0 if above is None else above)
    return found


def _above(case: Case, operation: Operation, found: dict[int, Any]) -> Any:
    """Which numbers of a result are above 0, whatever the dtype; None if only the result tells."""
    kind, place = operation.type, operation.place
    if kind in ABOVE_ZERO:
        argument = input_value(case, place, 0)
        return None if argument is None else np.asarray(argument > -np.inf)
    if operation.definition is BROADCAST:  # numpy stretches it where it is needed
        return found.get(operation.places[0])
    if kind == "SelectV2":
        return _chosen(case, operation, found)
    if kind not in NEVER_BELOW_ZERO:
        return None
    inputs = [_ones(case, operation, n, found) for n in range(len(operation.places))]
    if any(one is None for one in inputs):
        return None
    divisor = input_value(case, place, 1) if kind == "RealDiv" else 1.0
    if divisor is None or not np.all(np.isfinite(divisor)):
        return None  # divided by infinity, anything is 0
    if kind in ("RealDiv", "Pow"):  # the denominator or the exponent cannot make it 0
        return np.logical_and(inputs[0], np.ones_like(inputs[1], bool))
    result = run_again(operation, inputs)
    return None if result is None else np.asarray(result) > 0


def _chosen(case: Case, operation: Operation, found: dict[int, Any]) -> Any:
    """The same for a choice: of what was chosen, and not of the other."""
    condition = input_value(case, operation.place, 0)
    sides = [_ones(case, operation, number, found) for number in (1, 2)]
    if condition is None or any(one is None for one in sides):
        return None
    return np.where(condition, *sides) > 0


def _ones(case: Case, operation: Operation, number: int, found: dict[int, Any]) -> Any:
    """An input with 1 in place of every number above 0; indices and exponents as they are."""
    at = operation.places[number]
    if at >= 0:
        return found[at].astype(float) if at in found else None
    value = input_value(case, operation.place, number)
    if value is None or np.asarray(value).dtype.kind != "f":
        return value
    if operation.type == "Pow" and number == 1:
        return value
    return np.asarray(value > 0, float) if np.all(value >= 0) else None
