"""Layer 5: where a value stopped being finite.

One idea: what the tape does not keep is computed once more, and then the way goes back through values
that are not finite, to the first operation whose inputs still were.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from autodiff_kit.operation import LEAF, OUTPUT
from autodiff_kit.readers.account import Step
from autodiff_kit.readers.case import Case
from autodiff_kit.readers.infinite import is_infinite
from autodiff_kit.readers.literal import literal_input
from autodiff_kit.tensor import NOTHING

Check = Callable[[Any], bool]


class Sick(NamedTuple):
    """Where the first value that is not finite came from.

    kind: "leaf" for a watched value, "data" for one that came from outside the tape, "operation" if
      finite values went in, "unknown" if what went in is not known any more.
    place: of the leaf, or of the operation that made it or took it.
    number: for data, which input of the operation.
    mask: the operation that a mask of -inf went into, if the value was sick from there on and NaN
      only from `place` on; -1 if there is none.
    """

    kind: str
    place: int
    number: int = 0
    mask: int = -1


def is_finite(value: Any) -> bool:
    """Whether all of a value is finite; what is no number is."""
    kind = getattr(np.asarray(value).dtype, "kind", "")
    return kind not in "fc" or bool(np.all(np.isfinite(value)))


def is_number(value: Any) -> bool:
    """Whether nothing in a value is NaN; it may be infinite."""
    kind = getattr(np.asarray(value).dtype, "kind", "")
    return kind not in "fc" or not np.any(np.isnan(value))


def first_sick(case: Case, step: Step) -> Sick | None:
    """Where the value began that made the rule of a step return NaN or infinity.

    None if all that the operation took and made is finite, so that it is the rule's own doing.
    """
    place = step.operation.place
    if not _sick_inputs(case, place, is_finite) and is_finite(case.values.get(place, 0.0)):
        return None
    return _began(case, [place])


def sick_target(case: Case) -> Sick | None:
    """Where the target's own value stopped being finite, None if it is finite."""
    places = [p for p in case.target_places if not is_finite(case.values.get(p, 0.0))]
    return _began(case, places) if places else None


def _began(case: Case, places: list[int]) -> Sick:
    """Where it began; of what a mask does on purpose, only what became NaN."""
    first = min((_born(case, p) for p in _beginnings(case, places, is_finite)), key=_place_of)
    if not _is_mask(case, first):
        return first
    later = [
        p for p in _beginnings(case, places, is_number) if not is_number(case.values.get(p, 0.0))
    ]
    return Sick("operation", min(later), mask=first.place) if later else first


def _place_of(sick: Sick) -> int:
    return sick.place


def _is_mask(case: Case, sick: Sick) -> bool:
    """Whether data is 0 or -inf, and added: what is -inf takes part no more, as in a softmax."""
    if sick.kind != "data" or case.operation(sick.place).type != "AddV2":
        return False
    value = input_value(case, sick.place, sick.number)
    return value is not None and bool(np.all(np.isneginf(value) | np.isfinite(value)))


def _beginnings(case: Case, places: list[int], well: Check) -> list[int]:
    """The operations and leaves at which values that are not well began."""
    found, todo, seen = [], [*places], set()
    while todo:
        place = todo.pop()
        if place in seen:
            continue
        seen.add(place)
        inside = [p for _, p in _sick_inputs(case, place, well) if p >= 0]
        todo += inside
        if not inside:
            found.append(place)
    return found


def _sick_inputs(case: Case, place: int, well: Check) -> list[tuple[int, int]]:
    """The inputs of an operation that are not well, by number and place; -1 if from outside."""
    operation = case.operation(place)
    if operation.definition is LEAF:
        return []
    if operation.definition is OUTPUT:
        return _sick_inputs(case, operation.places[0], well)
    found = []
    for number, at in enumerate(operation.places):
        value = input_value(case, place, number)
        if value is not None and not well(value) and _matters(case, place, number, value):
            found.append((number, max(at, -1)))
    return found


def input_value(case: Case, place: int, number: int) -> Any:
    """The value of an input of an operation, None if it is not known any more."""
    operation = case.operation(place)
    at, kept = operation.places[number], operation.inputs[number]
    if at in case.values:
        return case.values[at]
    if kept is not NOTHING and kept is not None and getattr(kept, "_value", None) is not None:
        return kept._value
    origin = case.tape.origin_of(at)
    if at >= 0 or origin in case.constants:
        return case.constants.get(origin)
    return literal_input(case.records[place], operation, number, case.values.get(place))


def _matters(case: Case, place: int, number: int, value: Any) -> bool:
    """Whether `where` took anything that is not finite from this branch."""
    if case.operation(place).type != "SelectV2" or number == 0:
        return True
    condition = input_value(case, place, 0)
    if condition is None:
        return True
    chosen = condition if number == 1 else np.logical_not(condition)
    return not is_finite(np.where(chosen, value, 0.0))


def _born(case: Case, place: int) -> Sick:
    operation = case.operation(place)
    if operation.definition is LEAF:
        return Sick("leaf", place)
    if operation.definition is OUTPUT:
        operation = case.operation(operation.places[0])
    sick = _sick_inputs(case, operation.place, is_finite)
    if sick:
        return Sick("data", operation.place, sick[0][0])
    unknown = [
        (number, at)
        for number, at in enumerate(operation.places)
        if input_value(case, operation.place, number) is None
    ]
    if not unknown:
        return Sick("operation", operation.place)
    return _by_elimination(case, operation, unknown) or Sick("unknown", operation.place)


def _by_elimination(case: Case, operation: Any, unknown: list[tuple[int, int]]) -> Sick | None:
    """What must have been sick, although the tape does not keep it."""
    (number, at), value = unknown[0], case.values.get(operation.place)
    if at >= 0:
        return _held_infinite(case, at)
    if operation.type in ("AddV2", "Sub") and len(unknown) == 1 and value is not None:
        if np.any(np.isnan(value)):  # finite numbers may add up to infinity, but not to NaN
            return Sick("data", operation.place, number)
    return None


def _held_infinite(case: Case, place: int) -> Sick | None:
    """If a sum that is not known any more took something that is certainly not finite."""
    operation = case.operation(place)
    for number, at in enumerate(operation.places if operation.type in ("AddV2", "Sub") else ()):
        if at < 0 and is_infinite(case, place, number):
            return Sick("data", place, number)
    return None
