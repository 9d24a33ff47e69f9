"""Layer 5: divisors that are not 0 and still too small.

One idea: 1 / 1e-44 is infinite in float32, but it is not the numbers that are too large: the one below
is too near to 0, and is to be kept away from it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from autodiff_kit.readers.facts.case import Case
from autodiff_kit.readers.facts.entering import input_values
from autodiff_kit.readers.facts.limits import dtype_at, end_of
from autodiff_kit.readers.facts.written import text_of
from autodiff_kit.readers.not_finite.mends import Mend
from autodiff_kit.readers.program.spelled import bracketed, instead


def tiny_divisor(case: Case, place: int) -> Mend | None:
    """What to do about a divisor that is not 0, and still so small that the quotient overflows."""
    parts = _parts(case, place)
    over = ~np.isfinite(case.values.get(place, 0.0))
    if parts is None or np.shape(over) != np.shape(parts[1]) or not np.any(over):
        return None
    upper, lower = parts
    least, dtype = float(np.min(np.abs(lower[over]))), dtype_at(case, place)
    if least == 0 or np.any(upper[over].astype(float) * least > 1):
        return None  # then it is as much the numerator that is too large
    words = (
        f"The divisor is not 0, but as small as {least:.2g}, and {end_of(dtype)}: keep the divisor "
        "away from 0."
    )
    bound = "1e-3" if dtype == "float16" else "1e-7"
    code = "" if np.any(lower < 0) else _bounded(case, place, bound)
    return (f"{words} Below the bound the gradient is then 0.", code) if code else (words, "")


def _parts(case: Case, place: int) -> tuple[Any, Any] | None:
    """What is divided, without its sign, and the divisor; None if they are not known and finite."""
    values = input_values(case, place)
    if any(value is None or not np.all(np.isfinite(value)) for value in values):
        return None
    upper, lower = values if len(values) == 2 else (np.ones_like(values[0]), values[0])
    return np.broadcast_arrays(np.abs(upper), lower)[:2]  # type: ignore[return-value]


def _bounded(case: Case, place: int, bound: str) -> str:
    """The learner's quotient with a bound for its divisor, "" if it does not stand there plainly."""
    text = text_of(case, place)
    if text is None or len(text.arguments) != len(case.operation(place).places):
        return ""
    divisor = f"ad.maximum({text.arguments[-1]}, {bound})"
    if len(text.arguments) == 2:
        return instead(f"{bracketed(text.arguments[0])} / {divisor}", text)
    return instead(f"{text.name}({divisor})", text)
