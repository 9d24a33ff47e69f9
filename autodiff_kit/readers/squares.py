"""Layer 5: squares of zero, and products with zero.

One idea: such a place is flat, but what made the zero is the cause; only the square of a difference
that is zero is where it was meant to go.
"""

from __future__ import annotations

import numpy as np

from autodiff_kit.readers.account import Step
from autodiff_kit.readers.births import input_value
from autodiff_kit.readers.case import Case
from autodiff_kit.readers.finding import Finding
from autodiff_kit.readers.flat import ZERO_FIX, leaky
from autodiff_kit.readers.nought import Nought, is_nought, nought
from autodiff_kit.readers.spelled import spelled

_PRODUCTS = ("Mul", "MatMul", "BatchMatMulV2")
_MINIMUM = "the value is 0, where a square is flat: this is its minimum"
_BOTH = "both factors are 0"
_SQUARED = "what is squared is 0, where a square is flat"
_REACHED = (
    "If the loss was to become 0, it has, and nothing is left to learn. If this is only where you "
    "begin, begin somewhere else."
)
_ADVICE = {
    "dead": ZERO_FIX["Relu"][0],
    "clip": "Begin where nothing is cut off, or give the loss a part that still changes there (for "
    "boxes that do not meet, the distance of their centres), or a soft bound such as ad.math.softplus.",
    "dropout": "The next draw drops others. With so few elements take a smaller rate.",
    "where": ZERO_FIX["SelectV2"][0],
    "factor": "Look at that factor: if it is a mask, the zero is what it was made for.",
    "difference": "Look at why the two are equal here.",
    "leaf": "Let it begin with another number than 0.",
}


def zero_squared(case: Case, step: Step, found: Finding) -> Finding | None:
    """If the slope is zero because a value is: where that zero began."""
    operation = step.operation
    if operation.type == "SquaredDifference":
        first, second = (input_value(case, operation.place, n) for n in (0, 1))
        equal = first is not None and np.array_equal(first, np.asarray(second))
        return _minimum(case, step, found) if equal else None
    if operation.type in ("Pow", "Square"):
        return _square(case, step, found)
    return _product(case, step, found) if operation.type in _PRODUCTS else None


def _square(case: Case, step: Step, found: Finding) -> Finding | None:
    operation = step.operation
    base = operation.places[0]
    value = input_value(case, operation.place, 0)
    power = input_value(case, operation.place, 1) if operation.type == "Pow" else 2.0
    if base not in case.below or power is None or np.any(np.asarray(power) <= 1):
        return None
    if not is_nought(value):
        return None if value is None else _zero_where_asked(case, step, found)
    began = nought(case, base)
    if began is None or began.kind in ("difference", "leaf"):
        found = _minimum(case, step, found)
        if np.any(np.asarray(power) % 2):
            found.why = (
                f"At {found.op} the gradient became zero: the value is 0; this power is flat there."
            )
        return found
    return _with_beginning(case, step, began, _SQUARED, found)


def _zero_where_asked(case: Case, step: Step, found: Finding) -> Finding:
    """Only some elements are zero: those that a gradient arrives at."""
    found = _minimum(case, step, found)
    found.why = (
        f"At {found.op} the gradient became zero: wherever a gradient arrives, the value is 0, where a "
        "square is flat."
    )
    return found


def _product(case: Case, step: Step, found: Finding) -> Finding | None:
    operation = step.operation
    own = next((n for n, p in enumerate(operation.places) if p in case.below), 0)
    values = [input_value(case, operation.place, n) for n in (0, 1)]
    other = operation.places[1 - own]
    if other < 0 or not is_nought(values[1 - own]):
        return None
    began = nought(case, other)
    if began is None:
        return None
    both = operation.type == "Mul" and is_nought(values[own])
    if both and _by_itself(case, step):
        if began.kind in ("difference", "leaf"):
            return _minimum(case, step, found)
        return _with_beginning(case, step, began, _SQUARED, found)
    which = _BOTH if both else "the other factor is 0 everywhere"
    return _with_beginning(case, step, began, which, found)


def _by_itself(case: Case, step: Step) -> bool:
    """Whether both factors of a product are the same: the same value, or written alike."""
    first, second = step.operation.places
    text = spelled("Mul", *case.records[step.operation.place][-2:])
    return first == second or (text is not None and len(set(text.arguments)) == 1)


def _minimum(case: Case, step: Step, found: Finding) -> Finding:
    place = step.operation.place
    found.op, found.line = step.operation.type, case.line(place)
    found.why, found.advice = f"At {found.op} the gradient became zero: {_MINIMUM}.", _REACHED
    return found


def _with_beginning(case: Case, step: Step, began: Nought, reason: str, found: Finding) -> Finding:
    operation = step.operation
    where = case.line(operation.place).where
    found.why = (
        f"At {operation.type} at {where} the gradient became zero: {reason}. That 0 began before: "
        f"{began.words}."
    )
    at = operation.place if began.kind == "leaf" else began.place
    found.op, found.line = case.operation(at).type, case.line(at)
    found.advice = _ADVICE[began.kind]
    if reason == _BOTH and began.kind in ("dead", "clip"):
        found.advice = _ADVICE[
            "clip"
        ]  # a product of two leaky values rises where both are negative
    elif began.kind == "dead":
        found.fix = leaky(case, at)
    if began.kind == "factor" and case.operation(began.place).type != "Mul":
        found.advice = "Look at why it is 0: from data or a state that is 0 no weight can learn."
    elif began.kind == "leaf" and case.operation(began.place).attrs.get("variable") is None:
        found.advice = "Look at why that value is 0."
    elif began.kind == "leaf" and operation.type in ("MatMul", "BatchMatMulV2"):  # weights
        found.advice, found.fix = ZERO_FIX["MatMul"]
    return found
