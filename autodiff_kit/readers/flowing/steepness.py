"""Layer 5: the value at which an operation is as steep as it is, and what mends that.

One idea: the largest number that a step returns stands somewhere; what went in at that place, where
it is known and explains it, says more than the slope.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from autodiff_kit.readers.facts.account import Step
from autodiff_kit.readers.facts.case import Case
from autodiff_kit.readers.facts.climbing import size
from autodiff_kit.readers.facts.dense import dense
from autodiff_kit.readers.facts.entering import input_value

_LARGE, _SMALL = 1e3, 1e-3
_SQUARES = ("Square", "Pow", "SquaredDifference")
_AT_EDGES = ("Log", "Reciprocal", "Rsqrt", "Sqrt")
_DATA = (
    "if that is the data's size, scale it to about 1 in size, for example with its mean and its "
    "standard deviation"
)


def at_its_value(case: Case, step: Step) -> str:
    """Why an operation multiplies a gradient by much, and what to do, as the end of a sentence; "" if
    that is not known.
    """
    place, dx = max(case.sent(step), key=lambda pair: size(pair[1]))
    kind, number = step.operation.type, step.operation.places.index(place)
    if kind == "Prod":
        return _of_product(input_value(case, step.operation.place, 0))
    if kind in ("Mul", "MatMul"):
        top = size(_or_nothing(input_value(case, step.operation.place, 1 - number)))
        return _if(top > _LARGE, f"what it is multiplied by holds numbers up to {top:.1g}")
    return _elementwise(kind, *_there(case, step, dense(dx)))


def _there(case: Case, step: Step, dx: Any) -> list[float]:
    """The one or two numbers that went in where the largest number came out; NaN where unknown."""
    spot = np.unravel_index(int(np.argmax(np.abs(dx))), np.shape(dx))
    found = []
    for number in range(len(step.operation.places)):
        value = input_value(case, step.operation.place, number)
        known = value is not None and np.shape(value) in ((), np.shape(dx))
        found.append(float(np.asarray(value)[spot if np.shape(value) else ()]) if known else np.nan)
    return [*found, np.nan][:2]


def _elementwise(kind: str, x: float, y: float) -> str:
    if kind == "Exp":
        return _if(
            x > 7, f"exp grows so at {x:.4g}: go on with the logarithm, or bound what goes in"
        )
    if kind in _AT_EDGES:
        return _if(
            abs(x) < _SMALL, f"{kind} is that steep at {x:.1g}: keep what goes in away from 0"
        )
    if kind == "RealDiv":
        return _if(abs(y) < _SMALL, f"the divisor comes down to {y:.1g}: keep it away from 0")
    if kind == "Pow" and y < 0:
        low = f"the base of the power comes down to {x:.1g}: keep it away from 0"
        return _if(abs(x) < _SMALL, low)
    if kind in _SQUARES:
        base = x - y if kind == "SquaredDifference" else x
        word = "the base of the power is" if kind == "Pow" else "what is squared is"
        return _if(abs(base) > _LARGE, f"{word} {base:.1g} there: {_DATA}")
    return ""


def _of_product(factors: Any) -> str:
    positive = factors is not None and np.size(factors) > 1 and bool(np.all(factors > 0))
    return _if(positive, "each slope is the product of all other factors: add logarithms instead")


def _or_nothing(value: Any) -> Any:
    return value if value is not None else 0.0


def _if(explains: bool, words: str) -> str:
    return f", since {words}" if explains else ""
