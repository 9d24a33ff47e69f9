"""Layer 5: gradients that are too small for their dtype.

One idea: a rule only multiplies the gradient and adds up, so made larger by a power of two it does the
same to the last digit, and sums that cancel still cancel. What is not zero then was only too small.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from autodiff_kit.readers.facts.account import Step, again
from autodiff_kit.readers.facts.case import Case
from autodiff_kit.readers.facts.dense import dense
from autodiff_kit.readers.facts.finding import Finding
from autodiff_kit.readers.facts.kinds import FLATTENING
from autodiff_kit.readers.facts.limits import vanished_words, wider


def at_size_one(
    case: Case, step: Step, applies: Callable[[float], bool]
) -> list[tuple[int, Any]] | None:
    """What the rule returns if the gradient that came in is scaled so that its largest number is about
    1; None unless ``applies(largest)``.
    """
    if step.operation.many or isinstance(step.dy, dict):
        return None
    dy = dense(step.dy)
    largest = np.max(np.abs(dy))
    if not applies(largest):
        return None
    scaled = np.asarray(np.ldexp(dy, -_exponent(largest)), np.asarray(dy).dtype)[()]
    return again(case.records, step.operation.place, scaled)


def _exponent(largest: float) -> int:
    """The power of two next to a number; 0 for infinity, which nothing makes smaller."""
    return int(np.frexp(largest)[1]) if np.isfinite(largest) else 0


def only_too_small(case: Case, step: Step) -> bool:
    """Whether the slope is not 0, and only its product with so small a gradient is."""
    pairs = at_size_one(case, step, lambda largest: 0.0 < largest < 1.0) or []
    exponent = _exponent(np.max(np.abs(dense(step.dy)))) if pairs else 0
    sizes = [_size(dx) for place, dx in pairs if place in case.leads and dx is not None]
    smallest = float(np.finfo(dense(step.dy).dtype).tiny) if sizes else 0.0
    return any(0.0 < np.ldexp(size, exponent) < smallest for size in sizes)


def _size(gradient: Any) -> float:
    """The largest number of a gradient, as a double, which has smaller numbers than the others."""
    return float(np.max(np.abs(dense(gradient)), initial=0.0))


def vanished(case: Case, step: Step, found: Finding) -> Finding:
    """The product of many small slopes is too small a number."""
    operation, dtype = step.operation, np.asarray(dense(step.dy)).dtype.name
    found.cause, found.op, found.line = "vanished", operation.type, case.line(operation.place)
    count = sum(one.operation.place >= operation.place for one in case.steps)
    largest = float(np.max(np.abs(dense(step.dy))))
    found.why = (
        f"The gradient vanished: it became smaller and smaller on its way back through {count} "
        f"operation{'s' * (count > 1)}. The slope of {operation.type} is not 0 here, but at most "
        f"{largest:.1g} arrives, and the product is too small for {dtype}."
    )
    found.advice = _let_through(case, dtype)
    found.fix = case.replay
    return found


def _let_through(case: Case, dtype: str) -> str:
    """What to do about a gradient that is too small: of a network its slopes, of others the numbers."""
    kinds = {step.operation.type for step in case.steps}
    if dtype == "float16" or kinds & FLATTENING:
        return vanished_words(dtype)
    more = f", or compute in ad.{wider(dtype)}" if wider(dtype) else ""
    return (
        "Keep the numbers larger: scale the data, or the loss (and divide the gradient again)"
        f"{more}."
    )
