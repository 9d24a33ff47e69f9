"""Layer 5: a slope that is not finite where all values are.

One idea: it is infinite there, or the learner's rule says so, or it is too large for its dtype.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from autodiff_kit.executed import Operation
from autodiff_kit.readers.facts.account import Step
from autodiff_kit.readers.facts.case import Case
from autodiff_kit.readers.facts.climbing import climb
from autodiff_kit.readers.facts.dense import finite
from autodiff_kit.readers.facts.finding import Finding
from autodiff_kit.readers.facts.limits import overflow_of
from autodiff_kit.readers.facts.wrapped import LEAVE_OUT, ran_again
from autodiff_kit.readers.mending.lengths import length_at
from autodiff_kit.readers.mending.safe import at_origin, mend_of_slope
from autodiff_kit.readers.not_finite.halves import added_nothing
from autodiff_kit.readers.not_finite.lostbounds import lost_bound
from autodiff_kit.readers.not_finite.steep import too_steep
from autodiff_kit.readers.not_finite.trapped import zero_where_bad
from autodiff_kit.readers.not_finite.zeropower import zero_to_zero
from autodiff_kit.readers.zero.began import is_nought
from autodiff_kit.readers.zero.nought import nought
from autodiff_kit.readers.zero.vanished import at_size_one


def slope_not_finite(case: Case, step: Step, bad: Any, found: Finding) -> Finding:
    """All values are finite, and the rule still made the gradient infinite."""
    operation = step.operation
    found.op, found.line = operation.type, case.line(operation.place)
    kind = "NaN" if np.any(np.isnan(bad)) else "infinite"
    found.why = f"The gradient was finite until {operation.type}, whose rule made it {kind} here."
    if operation.type == "CustomGradient" or operation.definition.rule_name:
        return _of_a_given_rule(operation, kind, found)
    if _only_too_large(case, step):
        return _exploded(case, bad, found)
    steep = too_steep(case, step)
    if steep is not None:
        found.cause = "overflow"
    told = steep or zero_to_zero(case, operation) or _infinite(case, step, bad)
    found.why += f" {told[0]}"
    found.advice, found.fix = told[1:]
    return found


def _of_a_given_rule(operation: Operation, kind: str, found: Finding) -> Finding:
    """The rule is the learner's, or the kit ran the learner's function once more."""
    again = ran_again(operation)
    if again:
        found.why = f"{again}, and the gradient that it found there is {kind}."
        found.advice = LEAVE_OUT
    else:
        found.why += " The rule is one that was given to it, not the kit's own."
        found.advice = "Look at the gradient function: for these values it must be finite."
    return found


def _exploded(case: Case, bad: Any, found: Finding) -> Finding:
    found.cause = "overflow"
    found.why += (
        " The slope is finite, and so is what came in, but their product is too large for the "
        "dtype: the gradient exploded on its way."
    )
    found.advice = overflow_of(np.asarray(bad).dtype.name)
    grown = climb(case)
    found.also += [grown.words] if grown is not None else []
    return found


def _infinite(case: Case, step: Step, bad: Any) -> tuple[str, str, str]:
    """Why a slope is infinite, what to do, and code."""
    operation, why = step.operation, "The slope itself is not finite at this value."
    if operation.type == "Atan2" and at_origin(case, operation):
        why = "At (0, 0) its slope is 0 / 0."
    elif zero_where_bad(step.dy, bad):
        why = "A zero came in, and the slope is infinite here: 0 * inf is NaN."
    inner = operation.places[0] if operation.places else -1
    mend = (
        added_nothing(case, inner, f"{operation.type} is infinitely steep at 0")
        or lost_bound(case, operation.place, f"{operation.type} is infinitely steep there")
        or _begins_at_zero(case, operation)
        or mend_of_slope(case, operation)
    )
    return why, *mend


def _begins_at_zero(case: Case, operation: Operation) -> tuple[str, str] | None:
    """What to do where a parameter is 0 itself: if its slope were left out, it would stay there."""
    if length_at(case, operation.place) is not None:
        return None
    inner = operation.places[0] if operation.type in ("Sqrt", "Pow") else -1
    began = nought(case, inner) if inner >= 0 and is_nought(case.values.get(inner)) else None
    if began is None or began.kind != "leaf":
        return None
    words = began.words[0].upper() + began.words[1:]
    return f"{words}. Let it begin with another number, or add a small one before the root.", ""


def _only_too_large(case: Case, step: Step) -> bool:
    """Whether the rule returns finite gradients for a gradient of ordinary size."""
    pairs = at_size_one(case, step, lambda largest: largest > 1.0)
    if pairs is None:
        return False
    return all(dx is None or finite(dx) for place, dx in pairs if place in case.below)
