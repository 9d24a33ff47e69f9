"""Layer 5: the value at which an operation is as steep as it is, and what mends that.

One idea: a slope is large because of what went in; that number, where it is known and explains it, says
more than the slope.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from autodiff_kit.executed import Operation
from autodiff_kit.readers.facts.case import Case
from autodiff_kit.readers.facts.entering import input_value

_LARGE, _SMALL = 1e3, 1e-3
_SQUARES = ("Square", "Pow", "SquaredDifference")
_SCALED = "scale it to about 1 in size, for example with its mean and its standard deviation"


def at_its_value(case: Case, operation: Operation) -> str:
    """Why an operation multiplies a gradient by much, and what to do, as the end of a sentence; "" if
    that is not known.
    """
    kind, place = operation.type, operation.place
    if kind == "Exp":
        top = _largest(input_value(case, place, 0))
        return _if(
            top > 7, f"exp grows so at {top:.4g}: go on with the logarithm, or bound what goes in"
        )
    if kind in ("Log", "Reciprocal", "Rsqrt", "Sqrt"):
        low = _least(input_value(case, place, 0))
        return _if(
            low < _SMALL, f"{kind} is that steep at {low:.1g}: keep what goes in away from 0"
        )
    if kind == "RealDiv":
        low = _least(input_value(case, place, 1))
        return _if(low < _SMALL, f"the divisor comes down to {low:.1g}: keep it away from 0")
    if kind == "Prod":
        factors = input_value(case, place, 0)
        positive = factors is not None and np.size(factors) > 1 and bool(np.all(factors > 0))
        return _if(
            positive, "each slope is the product of all other factors: add logarithms instead"
        )
    if kind in _SQUARES:
        return _squared(case, place, kind)
    if kind in ("Mul", "MatMul"):
        tops = [_largest(input_value(case, place, number)) for number in (0, 1)]
        top = max(tops)
        return _if(top > _LARGE, f"what is multiplied there holds numbers up to {top:.1g}")
    return ""


def _squared(case: Case, place: int, kind: str) -> str:
    values = [input_value(case, place, number) for number in range(1 + (kind != "Square"))]
    if kind == "SquaredDifference":
        known = all(value is not None for value in values)
        top = _largest(np.subtract(*values)) if known else 0.0
    else:
        top = _largest(values[0])
    low, power = _least(values[0]), values[-1]
    if kind == "Pow" and low < _SMALL and power is not None and np.all(power < 0):
        return _if(True, f"the base of the power comes down to {low:.1g}: keep it away from 0")
    word = "what is squared" if kind != "Pow" else "the base of the power"
    return _if(
        top > _LARGE, f"{word} holds numbers up to {top:.1g}: if that is the data's size, {_SCALED}"
    )


def _largest(value: Any) -> float:
    return float(np.max(np.abs(value), initial=0.0)) if value is not None else 0.0


def _least(value: Any) -> float:
    return float(np.min(np.abs(value), initial=np.inf)) if value is not None else np.inf


def _if(explains: bool, words: str) -> str:
    return f", since {words}" if explains else ""
