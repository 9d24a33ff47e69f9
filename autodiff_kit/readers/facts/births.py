"""Layer 5: where a value stopped being finite.

One idea: what the tape does not keep is computed once more, and then the way goes back through values
that are not finite, to the first operation whose inputs still were.
"""

from __future__ import annotations

from operator import attrgetter
from typing import Any

import numpy as np

from autodiff_kit.operation import LEAF, OUTPUT
from autodiff_kit.readers.facts.account import Step
from autodiff_kit.readers.facts.case import Case
from autodiff_kit.readers.facts.elimination import by_elimination
from autodiff_kit.readers.facts.entering import Sick, input_value
from autodiff_kit.readers.facts.spoiling import Check, is_finite, is_number, may_be_a_mask
from autodiff_kit.readers.facts.ways import tensor_behind


def first_sick(case: Case, step: Step) -> Sick | None:
    """Where the value began that made the rule of a step return NaN or infinity.

    None if all that the operation took and made is finite, so that it is the rule's own doing.
    """
    place = step.operation.place
    if not sick_inputs(case, place, is_finite) and is_finite(case.values.get(place, 0.0)):
        return None
    first = began(case, [place])
    if step.operation.type == "LogSumExp" and first.mask < 0 and _is_mask(case, first):
        return Sick("operation", place, mask=first.place)  # -inf is right, and its slope is not
    return first


def sick_target(case: Case) -> Sick | None:
    """Where the target's own value stopped being finite, None if it is finite."""
    if all(is_finite(tensor_behind(one)._value) for one in case.account.request.targets):
        return None  # these are at hand: the other values need not be computed for it
    places = [p for p in case.target_places if not is_finite(case.values.get(p, 0.0))]
    return began(case, places) if places else None


def began(case: Case, places: list[int]) -> Sick:
    """Where it began; of what a mask does on purpose, only what became NaN."""
    first = min(
        (_born(case, p) for p in _beginnings(case, places, is_finite)), key=attrgetter("place")
    )
    if not _is_mask(case, first):
        return first
    later = [
        p for p in _beginnings(case, places, is_number) if not is_number(case.values.get(p, 0.0))
    ]
    return _since_mask(case, min(later), first.place) if later else first


def _since_mask(case: Case, place: int, mask: int) -> Sick:
    """Why NaN begins at a place: of the -inf of a mask, if it goes in there, or of other data."""
    brought = [number for number, at in sick_inputs(case, place, is_number) if at < 0]
    if brought:
        return Sick("data", place, brought[0])
    if any(at >= 0 for _, at in sick_inputs(case, place, is_finite)):
        return Sick("operation", place, mask=mask)
    return _born(case, place)


_PUT_IN = ("AddV2", "ConcatV2", "Maximum", "Pack", "SelectV2")


def _is_mask(case: Case, sick: Sick) -> bool:
    """Whether data is finite or -inf, and put in: what is -inf takes part no more, as in a softmax."""
    if sick.kind != "data" or case.operation(sick.place).type not in _PUT_IN:
        return False
    value = input_value(case, sick.place, sick.number)
    value = case.values.get(sick.place) if value is None else value  # finite was the other
    return value is not None and may_be_a_mask(value)


def _beginnings(case: Case, places: list[int], well: Check) -> list[int]:
    """The operations and leaves at which values that are not well began."""
    found, todo, seen = [], [*places], set()
    while todo:
        place = todo.pop()
        if place in seen:
            continue
        seen.add(place)
        inside = [p for _, p in sick_inputs(case, place, well) if p >= 0]
        todo += inside
        if not inside:
            found.append(place)
    return found


def sick_inputs(case: Case, place: int, well: Check) -> list[tuple[int, int]]:
    """The inputs of an operation that are not well, by number and place; -1 if from outside."""
    operation = case.operation(place)
    if operation.definition is LEAF:
        return []
    if operation.definition is OUTPUT:
        return sick_inputs(case, operation.places[0], well)
    found = []
    for number, at in enumerate(operation.places):
        value = input_value(case, place, number)
        spoilt = at in case.spoilt(well) if value is None else not well(value)
        if spoilt and _matters(case, place, number, value):
            found.append((number, max(at, -1)))
    return found


def _matters(case: Case, place: int, number: int, value: Any) -> bool:
    """Whether `where` took anything that is not finite from this branch."""
    if case.operation(place).type != "SelectV2" or number == 0:
        return True
    condition = input_value(case, place, 0)
    if condition is None:
        return True
    chosen = condition if number == 1 else np.logical_not(condition)
    taken = case.values.get(place) if value is None else value
    return taken is not None and not is_finite(np.where(chosen, taken, 0.0))


def _born(case: Case, place: int) -> Sick:
    operation = case.operation(place)
    if operation.definition is LEAF:
        return Sick("leaf", place)
    if operation.definition is OUTPUT:
        operation = case.operation(operation.places[0])
    sick = sick_inputs(case, operation.place, is_finite)
    if sick:
        return Sick("data", operation.place, sick[0][0])
    unknown = [
        (number, at)
        for number, at in enumerate(operation.places)
        if input_value(case, operation.place, number) is None
    ]
    if not unknown:
        return Sick("operation", operation.place)
    return by_elimination(case, operation, unknown) or Sick("unknown", operation.place)
