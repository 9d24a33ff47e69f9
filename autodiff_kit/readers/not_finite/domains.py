"""Layer 5: arguments outside the interval on which a function is defined.

One idea: a cosine of 1.0000001 and a variance of -1e-9 are right but for rounding, and a bound keeps
them inside; what lies outside for another reason gets no gradient by a bound, and that is said.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from autodiff_kit.readers.facts.case import Case
from autodiff_kit.readers.facts.entering import input_value
from autodiff_kit.readers.facts.limits import dtype_at
from autodiff_kit.readers.facts.written import text_of
from autodiff_kit.readers.not_finite.mends import OUTSIDE, Mend
from autodiff_kit.readers.program.spelled import instead

_BOTH = "ad.clip_by_value({x}, -1.0 + {hair}, 1.0 - {hair})"
_ABOVE_0 = "ad.maximum({x}, {least})"
_BOUNDS = {
    "Acos": _BOTH, "Asin": _BOTH, "Atanh": _BOTH, "Erfinv": _BOTH,
    "Acosh": "ad.maximum({x}, 1.0 + {hair})", "Log1p": "ad.maximum({x}, -1.0 + {hair})",
    "Sqrt": _ABOVE_0, "Rsqrt": _ABOVE_0,
}  # fmt: skip
_SMALL = {"float16": ("1e-3", "1e-4"), "float64": ("1e-12", "1e-24")}
POSITIVE = (
    "If it is learnt and is to be positive, as a width or a variance, make it so instead: "
    "ad.math.softplus or ad.exp of what is learnt."
)
_ROUNDING = 1e-3


def _outside(kind: str, value: Any) -> Any:
    """How far each number is outside the interval, not above 0 where it is inside."""
    if kind == "Acosh":
        return 1 - value
    if kind == "Log1p":
        return -1 - value
    return -value if _BOUNDS[kind] == _ABOVE_0 else np.abs(value) - 1


def kept_inside(case: Case, place: int) -> Mend | None:
    """A bound for an argument that lies outside; None if the function has no such interval."""
    kind = case.operation(place).type
    text, value = text_of(case, place), input_value(case, place, 0)
    if kind not in _BOUNDS or value is None:
        return None
    positive = _BOUNDS[kind] == _ABOVE_0
    words = f"{OUTSIDE[kind][0].upper()}{OUTSIDE[kind][1:]}"
    words += (
        f": keep the argument above 0. {POSITIVE}" if positive else ": keep the argument inside."
    )
    plain = text is not None and len(text.arguments) == 1 and "\n" not in text.whole
    if text is None or not plain or not np.min(_outside(kind, value)) <= _ROUNDING:
        return words, ""  # of numbers that are all far outside a bound would leave no gradient
    hair, least = _SMALL.get(dtype_at(case, place), ("1e-6", "1e-12"))
    argument = _BOUNDS[kind].format(x=text.arguments[0].strip(), hair=hair, least=least)
    return (
        f"{words} A bound does for what rounding made; beyond it the gradient is 0:",
        instead(f"{text.name}({argument})", text),
    )
