"""Layer 5: a sigmoid that is written by hand, and the square of a tanh.

One idea: 1 / (1 + exp(a)) is the sigmoid of -a, and 1 less it the sigmoid of a, however it is written.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from autodiff_kit.readers.facts.entering import input_value


def exp_of_sigmoid(case: Any, place: int) -> int:
    """The exponential in a quotient 1 / (1 + exp(a)), -1 if the operation is no such quotient."""
    operation = case.operation(place)
    upper = input_value(case, place, 0) if operation.type == "RealDiv" else None
    if upper is None or not np.all(np.equal(upper, 1)):
        return -1
    below = case.before(operation.places[1], "Broadcast")
    if case.kind(below) != "AddV2":
        return -1
    parts = [p for p in case.operation(below).places if p >= 0]
    if len(parts) != 1 or case.kind(parts[0]) != "Exp":
        return -1
    exp, value = case.values.get(parts[0]), case.values.get(below)
    known = exp is not None and value is not None
    return parts[0] if known and np.array_equal(value, np.add(exp, 1, dtype=exp.dtype)) else -1


def squared_tanh(case: Any, place: int) -> int:
    """The tanh that an operation squares, -1 if it squares something else, or nothing."""
    operation = case.operation(place)
    power = input_value(case, place, 1) if operation.type == "Pow" else None
    squares = operation.type == "Square" or (power is not None and bool(np.all(np.equal(power, 2))))
    if operation.type == "Mul":
        squares = operation.places[0] == operation.places[1]
    inner = operation.places[0] if squares else -1
    return inner if case.kind(inner) == "Tanh" else -1
