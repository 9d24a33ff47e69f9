"""Layer 5: an exponent that gets no gradient, because of the base.

One idea: the slope by the exponent is the power times the logarithm of the base. At a base of 1 that is
0; and where the base is not above 0 there is no logarithm, and the rule says 0.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from autodiff_kit.readers.facts.account import Step
from autodiff_kit.readers.facts.case import Case
from autodiff_kit.readers.facts.dense import dense
from autodiff_kit.readers.facts.entering import input_values
from autodiff_kit.readers.facts.written import text_of
from autodiff_kit.readers.program.spelled import bracketed, instead

_ZERO, _BELOW, _ONE = "0", "below 0", "1"
_RULE = (
    "what comes from the source is the exponent, whose slope is the power times the logarithm of the "
    "base, and the base is {} here: {}"
)
_BECAUSE = {
    _ZERO: "0 has no finite logarithm, and the rule takes 0 for it",
    _BELOW: "a number below 0 has no logarithm, and the rule takes 0 for it",
    _ONE: "1 has the logarithm 0",
}


def exponent(case: Case, step: Step) -> tuple[str, tuple[str, str]] | None:
    """Why a power gives its exponent a gradient of zero, and what to do: a sentence and code."""
    operation = step.operation
    if operation.type != "Pow" or operation.places[0] in case.below:
        return None
    bases = _bases(case, step)
    if not bases:
        return None
    why = _RULE.format(" or ".join(bases), "; ".join(_BECAUSE[one] for one in bases))
    text = text_of(case, operation.place)
    if text is None or len(text.arguments) != 2 or bases[-1] == _ONE:
        return why, ("Only a base that is above 0, and not 1, lets the exponent learn.", "")
    base, power = text.arguments
    safe = f"ad.maximum({base}, 1e-6)" if _BELOW not in bases else f"ad.abs({base})"
    advice = "Keep the base above 0, or leave these elements out of the loss:"
    if _BELOW in bases:
        advice = "A negative base has a power for whole exponents only. If its size is meant:"
    return why, (advice, instead(f"{safe} ** {bracketed(power)}", text))


def _bases(case: Case, step: Step) -> list[str]:
    """What kinds of base there are where a gradient arrives; [] if any of them has a slope."""
    values = input_values(case, step.operation.place)
    if any(value is None for value in values):
        return []
    both: Any = np.broadcast_arrays(*values)
    base = both[0][np.broadcast_to(dense(step.dy) != 0, np.shape(both[0]))]
    kinds = {_ZERO: base == 0, _BELOW: base < 0, _ONE: base == 1}
    if not base.size or not np.all(np.any([*kinds.values()], axis=0)):
        return []
    return [name for name, there in kinds.items() if np.any(there)]
