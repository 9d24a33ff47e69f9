"""Layer 5: the logarithm of a hyperbolic cosine that overflows.

One idea: cosh grows as exp does, and its logarithm only as the absolute value; that has a form in which
nothing grows faster.
"""

from __future__ import annotations

import math

from autodiff_kit.readers.facts.case import Case
from autodiff_kit.readers.facts.limits import dtype_at, overflow_of
from autodiff_kit.readers.mending.here import here
from autodiff_kit.readers.mending.reused import reused

_FORM = "log(cosh(x)) has a form that cannot overflow"
_DRAWN = ("random", "dropout")


def log_cosh(case: Case, place: int) -> tuple[str, str]:
    """What to do about a cosh that is infinite: a sentence, and code if its logarithm is taken."""
    takers = case.takers.get(place, ())
    log = next((one for one in takers if case.kind(one) == "Log"), None)
    if log is None:
        return overflow_of(dtype_at(case, place)), ""
    words, there = reused(case, place, log), here(case, log)
    x = words.arguments[0] if words is not None and len(words.arguments) == 1 else ""
    if there is None or not x or any(word in x for word in _DRAWN):
        return f"{_FORM}: ad.abs(x) + ad.math.softplus(-2.0 * ad.abs(x)) - {math.log(2.0):.9g}.", ""
    number = "ad.math.log(2.0)" if dtype_at(case, place) == "float32" else f"{math.log(2.0):.17g}"
    code = f"ad.abs({x}) + ad.math.softplus(-2.0 * ad.abs({x})) - {number}"
    return f"{_FORM}.", there.instead(code)
