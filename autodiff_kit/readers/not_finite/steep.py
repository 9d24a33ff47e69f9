"""Layer 5: slopes that are finite, and too large for their dtype.

One idea: the same rule, run once more with more digits, tells a slope of 1e50 from an infinite one.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from autodiff_kit.readers.facts.account import Step, again
from autodiff_kit.readers.facts.case import Case
from autodiff_kit.readers.facts.dense import dense
from autodiff_kit.readers.facts.limits import end_of, wider
from autodiff_kit.readers.not_finite.logforms import taken_apart
from autodiff_kit.tensor import NOTHING, Tensor, tensor_of


def too_steep(case: Case, step: Step) -> tuple[str, str, str] | None:
    """What to say, and to do, about a slope that is finite with more digits; None if it is not."""
    largest, dtype = _largest(case, step), dense(step.dy).dtype.name
    if largest is None or largest <= np.finfo(dtype).max:
        return None
    code = ""
    if step.operation.type == "Log":
        _, code = taken_apart(case, step.operation.place) or ([], "")
    advice = "The logarithm has a form in which nothing is as small:"
    if not code:
        advice = f"Keep the argument further away from there, or compute in ad.{wider(dtype)}."
    return f"It is about {largest:.0e}, and {end_of(dtype)}.", advice, code


def _largest(case: Case, step: Step) -> float | None:
    """The largest number that the rule makes with float64's digits, None if that is infinite too."""
    operation, dy = step.operation, step.dy
    if operation.many or isinstance(dy, dict) or not 1 <= operation.definition.arity <= 2:
        return None
    record = list(case.records[operation.place])
    record[3:6] = [_precise(kept) for kept in record[3:6]]
    records = [*case.records[: operation.place], tuple(record)]
    with np.errstate(all="ignore"):
        pairs = again(records, operation.place, np.asarray(dense(dy), np.float64)[()])
    sizes = [np.max(np.abs(dx)) for at, dx in pairs if at in case.below and np.size(dx)]
    return float(max(sizes)) if sizes and np.all(np.isfinite(sizes)) else None


def _precise(kept: Any) -> Any:
    if type(kept) is not Tensor or kept is NOTHING or kept._value.dtype.kind != "f":
        return kept
    return tensor_of(np.asarray(kept._value, np.float64)[()])
