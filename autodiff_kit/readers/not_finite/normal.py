"""Layer 5: the logarithm of a normal distribution's tail.

One idea: erf is 1 to the last digit soon, and 1 - erf(z) is 0 then; erfc(z) is the same, and goes on.
"""

from __future__ import annotations

import numpy as np

from autodiff_kit.readers.facts.case import Case
from autodiff_kit.readers.facts.kinds import ADDITIONS, SAME_NUMBERS, SCALINGS

_LINEAR = SAME_NUMBERS | ADDITIONS | SCALINGS | {"Neg"}


def erf_at_its_end(case: Case, place: int) -> str:
    """What to say of a zero that was made of an erf of 1 or -1 by sums and factors; "" if none was."""
    todo, seen = [place], set()
    while todo:
        at = todo.pop()
        if at in seen or at not in case.below:
            continue
        seen.add(at)
        operation = case.operation(at)
        if operation.type == "Erf":
            value = case.values.get(at)
            if value is not None and np.any(np.abs(value) == 1.0):
                return (
                    f"erf became 1 or -1 to the last digit at {case.line(at).where}. Write "
                    "ad.math.erfc(z) for 1 - erf(z), and ad.math.erfc(-z) for 1 + erf(z): they are not "
                    "rounded to 0 so soon."
                )
        elif operation.type in _LINEAR:
            todo += operation.places
    return ""
