"""Layer 5: probabilities that all get the same from what comes after.

One idea: their sum is 1 whatever goes in, so that their sum and their mean teach nothing. In exact
numbers the gradient is 0; what flows is the rounding of that.
"""

from __future__ import annotations

import numpy as np

from autodiff_kit.readers.facts.account import Step
from autodiff_kit.readers.facts.case import Case
from autodiff_kit.readers.facts.climbing import size
from autodiff_kit.readers.facts.dense import dense
from autodiff_kit.readers.zero.sayings import EVEN_SUM

_DIGITS = 64  # by so many last digits of what arrives it may be off by rounding


def even_words(case: Case) -> list[str]:
    """What is to be said of a softmax through which all comes back as rounding, if there is one."""
    first = next((step for step in case.steps if step.operation.type == "Softmax"), None)
    if first is None or not _is_even(first):
        return []
    if case.leads_around(lambda place: place == first.operation.place):
        return []
    where = case.line(first.operation.place).where
    return [
        f"It is 0 but for rounding: at Softmax ({where}) all probabilities get the same. {EVEN_SUM}"
    ]


def _is_even(step: Step) -> bool:
    """Whether the same arrives at all probabilities of a row, and nothing but rounding comes out."""
    dy = dense(step.dy)
    if isinstance(dy, dict) or np.asarray(dy).dtype.kind != "f" or not np.any(dy):
        return False
    sent = max((size(dx) for _, dx in step.pairs if dx is not None), default=0.0)
    even = not np.any(np.ptp(dy, axis=step.operation.attrs["axis"]))
    return even and sent <= _DIGITS * float(np.finfo(dy.dtype).eps) * size(dy)
