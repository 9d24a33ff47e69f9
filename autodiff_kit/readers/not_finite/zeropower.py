"""Layer 5: 0 to the power of 0, as in the constant term of a polynomial.

One idea: x ** 0 is 1 for every x, so its slope is 0; but the rule of a power multiplies the exponent by
x ** -1, and 0 * inf is NaN.
"""

from __future__ import annotations

import numpy as np

from autodiff_kit.executed import Operation
from autodiff_kit.readers.facts.case import Case
from autodiff_kit.readers.facts.entering import input_values
from autodiff_kit.readers.facts.written import text_of
from autodiff_kit.readers.program.spelled import Spelled, bracketed, instead

_WHY = (
    "Here 0 is raised to the power of 0. That is 1, whatever the base, so the slope is 0; but the "
    "rule multiplies the exponent 0 by 0 to the power of -1, and 0 * inf is NaN."
)
_ADVICE = (
    "Write a term whose exponent is 0 as the constant that it is (a polynomial as c + x * (b + x * a) "
    "has no such term), or let the base be 1 there:"
)

_BOTH = (
    "Here 0 is raised to the power of 0, and base and exponent both come from `{}`. The slope there is "
    "log(0), which is not finite, and the rule makes NaN of it: 0 times inf."
)
_ONES = "A power whose exponent is 0 is 1 for every base: write that."


def zero_to_zero(case: Case, operation: Operation) -> tuple[str, str, str] | None:
    """Why, what to do, and code, if a power is NaN on the way back only because of 0 ** 0."""
    if operation.type != "Pow":
        return None
    values = input_values(case, operation.place)
    if any(value is None for value in values):
        return None
    base, exponent = np.broadcast_arrays(*values)
    at_0 = exponent[base == 0]
    if not np.any(at_0 == 0) or np.any(at_0 % 1) or np.any(at_0 < 0):
        return None
    text = text_of(case, operation.place)
    written = text is not None and len(text.arguments) == len(operation.places)
    if set(operation.places) <= case.below:
        code = "ad.maximum({0}, 1e-6) ** {1}"
        return _BOTH.format(case.source_name), "Keep the base above 0:", _code(text, code)
    if text is None or not written:
        return _WHY, f"{_ADVICE[:-1]}.", ""
    x, n = text.arguments
    if n.strip() in ("0", "0.0"):
        return _WHY, _ONES, instead(f"ad.ones_like({x})", text)
    is_0 = f"ad.equal({n}, 0)"
    # An exponent that is learned has a slope at 0, but for a base of 0.
    if operation.places[1] >= 0:
        is_0 = f"ad.logical_and(ad.equal({x}, 0), {is_0})"
    code = f"ad.where({is_0}, 1.0, {x}) ** {bracketed(n)}"
    return _WHY, _ADVICE, instead(code, text)


def _code(text: Spelled | None, form: str) -> str:
    """Code with the learner's own two arguments, "" where they are not known."""
    if text is None or len(text.arguments) != 2:
        return ""
    return instead(form.format(text.arguments[0], bracketed(text.arguments[1])), text)
