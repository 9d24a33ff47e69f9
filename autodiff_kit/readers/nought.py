"""Layer 5: why a value is zero everywhere.

One idea: a square and a product are flat where what is squared, or the other factor, is zero, and that
zero has a beginning of its own: from the value the way goes back through zeros to the first of them.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from autodiff_kit.operation import LEAF
from autodiff_kit.readers.births import input_value
from autodiff_kit.readers.case import Case
from autodiff_kit.readers.data import input_name
from autodiff_kit.readers.dropped import is_dropout

# Their result is zero where their first input is.
_KEEP = frozenset(
    "Abs Broadcast BroadcastTo Cast Elu GatherNd GatherV2 Identity LeakyRelu Mean Neg Output RealDiv "
    "Reshape Selu Sin Softsign Sqrt Square StridedSlice Sum Tanh Transpose".split()
)


class Nought(NamedTuple):
    """The beginning of a zero.

    kind: "dead" for a relu, "clip", "dropout", "where", "factor", "difference", or "leaf".
    place: of the operation or the leaf.
    words: what it is, as the end of a sentence.
    """

    kind: str
    place: int
    words: str


def is_nought(value: Any) -> bool:
    """Whether a value is known, and zero everywhere."""
    return value is not None and np.size(value) > 0 and not np.any(value)


def nought(case: Case, place: int) -> Nought | None:
    """Where the zeros of a value began, None if it is not zero everywhere or that is not known."""
    while is_nought(case.values.get(place)):
        operation = case.operation(place)
        inputs = [input_value(case, place, n) for n in range(len(operation.places))]
        if operation.type in _KEEP and is_nought(inputs[0]) and operation.places[0] >= 0:
            place = operation.places[0]
        elif operation.type in ("Mul", "MatMul", "BatchMatMulV2") and any(map(is_nought, inputs)):
            number = next(n for n, value in enumerate(inputs) if is_nought(value))
            if operation.places[number] < 0:
                return _factor(case, place, number)
            place = operation.places[number]
        elif operation.type == "AddV2" and all(map(is_nought, inputs)):
            place = max(
                operation.places, key=lambda p: (p in case.below, p >= 0 and not _leaf(case, p))
            )
        else:
            return _began(case, place, inputs)
    return None


def _leaf(case: Case, place: int) -> bool:
    return case.operation(place).definition is LEAF


def _factor(case: Case, place: int, number: int) -> Nought:
    name, where = input_name(case, place, number), case.line(place).where
    what = f"`{name}`" if name else "a factor"
    return Nought("factor", place, f"{what}, which is 0 everywhere, is multiplied in at {where}")


def _began(case: Case, place: int, inputs: list[Any]) -> Nought | None:
    operation, where = case.operation(place), case.line(place).where
    if operation.definition is LEAF:
        name = case.name(place) or "a watched value"
        return Nought("leaf", place, f"`{name}` itself is 0 everywhere")
    if operation.type == "Relu":
        return Nought(
            "dead", place,
            f"it is the output of the relu at {where}, and every input of that is at or below zero, so "
            "the unit is dead",
        )  # fmt: skip
    if operation.type in ("Maximum", "Minimum") and any(map(is_nought, inputs)):
        return Nought("clip", place, f"it was cut off at 0 at {where}")
    if operation.type == "Sub":
        return Nought("difference", place, f"two equal values are subtracted at {where}")
    if operation.type == "SelectV2" and is_dropout(case, place):
        return Nought("dropout", place, f"dropout dropped every element at {where}")
    if operation.type == "SelectV2":
        return Nought("where", place, f"where took zeros only, at {where}")
    return None
