"""Layer 5: what went into an operation.

One idea: the tape keeps it, a name of the learner's does, it stands in the program, or nobody knows.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from autodiff_kit.readers.facts.case import Case
from autodiff_kit.readers.program.literal import literal_input
from autodiff_kit.tensor import NOTHING


class Sick(NamedTuple):
    """Where the first value that is not finite came from.

    kind: "leaf" for a watched value, "data" for one that came from outside the tape, "operation" if
      finite values went in, "put in" if only what came from outside, as a mask of a softmax, can have
      made it so, "unknown" if what went in is not known any more.
    place: of the leaf, or of the operation that made it or took it.
    number: for data, which input of the operation.
    mask: the operation that a mask of -inf went into, if the value was sick from there on and NaN
      only from `place` on; -1 if there is none.
    """

    kind: str
    place: int
    number: int = 0
    mask: int = -1


def input_values(case: Case, place: int) -> list[Any]:
    """The values of all inputs of an operation."""
    return [input_value(case, place, n) for n in range(len(case.operation(place).places))]


def input_value(case: Case, place: int, number: int) -> Any:
    """The value of an input of an operation, None if it is not known any more."""
    operation = case.operation(place)
    at, kept = operation.places[number], operation.inputs[number]
    if at >= 0 and at in case.values:  # all values are computed for that: not for what is kept
        return case.values[at]
    if kept is not NOTHING and kept is not None and getattr(kept, "_value", None) is not None:
        return kept._value
    if operation.type == "Pack" and place in case.values:
        return np.take(case.values[place], number, operation.attrs["axis"])
    origin = case.tape.origin_of(at)
    if at >= 0 or origin in case.constants:
        return case.constants.get(origin)
    return literal_input(case.records[place], operation, number, case.values.get(place))
