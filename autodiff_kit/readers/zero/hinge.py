"""Layer 5: a relu that is a penalty or a threshold, not a unit of a layer.

One idea: a relu of a difference whose result only goes into sums punishes what is above 0. Below, all
is as it was asked for, and a slope there would push on for ever. A relu of a size less a bound lets
through what is larger than the bound.
"""

from __future__ import annotations

import numpy as np

from autodiff_kit.executed import Operation
from autodiff_kit.readers.facts.account import inputs_of
from autodiff_kit.readers.facts.case import Case
from autodiff_kit.readers.facts.kinds import JOINS, MOVES, SAME_NUMBERS, TOTALS

_ADDING = SAME_NUMBERS | JOINS | TOTALS | {"AddN", "AddV2", "Neg", "Pow", "RealDiv", "Square"}
_WITHIN = MOVES | TOTALS | {"AddV2"}
HINGE = (
    "If it is to punish what is above 0, as a hinge, a margin or a bound that is to be kept does, all "
    "is as it was asked for, and nothing is left to learn from it: harder examples or a larger margin "
    "would ask for more. If it is a unit of a layer, it is dead: ad.nn.leaky_relu lets some slope "
    "through."
)
_UNIT = " If it is a unit"  # only relu and maximum make one

THRESHOLD = (
    "A threshold does so: what is smaller becomes 0 and stays there. Begin with larger values, or take "
    "a smaller threshold."
)
_SIZES = ("Abs", "EuclideanNorm", "Sqrt")


def hinge_words(kind: str) -> str:
    """What is said of a hinge that an operation of this type makes."""
    if kind != "Minimum":
        return HINGE
    return HINGE.partition(_UNIT)[0].replace("above 0", "below 0")


def is_threshold(case: Case, place: int) -> bool:
    """Whether a relu is of a size less something that is not learnt, as in ``relu(abs(w) - t)``."""
    operation = case.operation(case.operation(place).places[0])
    if operation.type != "Sub" or operation.places[0] < 0 or operation.places[1] >= 0:
        return False
    return case.operation(operation.places[0]).type in _SIZES


def is_hinge(case: Case, place: int) -> bool:
    """Whether what is cut off at 0 is a difference, and goes on to the target by sums alone."""
    return _is_difference(case, place) and _only_adds(case, place)


def _is_difference(case: Case, place: int) -> bool:
    """Whether the value is a difference, or a sum with one in it."""
    todo = [p for p in case.operation(place).places if p >= 0]
    while todo:
        operation = case.operation(todo.pop())
        if operation.type == "Sub":
            return True
        if operation.type in _WITHIN:
            todo += [p for p in operation.places if p >= 0]
    return False


def _only_adds(case: Case, place: int) -> bool:
    """Whether everything between a value and the target adds up, or multiplies with one number."""
    reached = {place}
    for later in range(place + 1, len(case.records)):
        if later in case.above and reached & set(inputs_of(case.records[later])):
            if not _adds(case, case.operation(later)) or _is_area(case, later):
                return False
            reached.add(later)
    return True


def _is_area(case: Case, place: int) -> bool:
    """Whether two values that depend on the source are multiplied, as the sides of what boxes share."""
    places = set(case.operation(place).places)
    return case.kind(place) == "Mul" and len(places) == 2 and places <= case.below


def _adds(case: Case, operation: Operation) -> bool:
    if operation.type != "Mul":
        return operation.type in _ADDING
    sizes = [np.size(case.values.get(p, 0.0)) for p in operation.places]
    return min(operation.places) < 0 or min(sizes) == 1
