"""Layer 5: a sum on the way back whose parts cancel each other but for rounding.

One idea: what is added to everywhere comes back as a sum. If something behind takes a constant away, as
a normalization and a softmax do, or all is learnt, the parts of that sum are large and it is nothing:
what is left are last digits.
"""

from __future__ import annotations

import numpy as np

from autodiff_kit.broadcasting import BROADCAST, axes_between
from autodiff_kit.readers.facts.account import Step
from autodiff_kit.readers.facts.case import Case
from autodiff_kit.readers.facts.climbing import size
from autodiff_kit.readers.facts.dense import dense

_DIGITS = 64  # by so many last digits of its parts a sum may be off by rounding


def levelled_words(case: Case) -> str:
    """What is to be said of a sum on the way that is nothing but rounding, "" if there is none."""
    return next((_words(case, step) for step in case.steps if _cancels(step)), "")


def levelled_at_its_end(case: Case) -> str:
    """The same where that sum alone is the gradient, however small the source itself is."""
    last = [step for step in case.steps if any(p in case.source_places for p, _ in case.sent(step))]
    return _words(case, last[0]) if len(last) == 1 and _cancels(last[0]) else ""


def _words(case: Case, step: Step) -> str:
    where = case.line(step.operation.place).where
    return (
        f"what comes back at {where} is up to {size(step.dy):.1g}, and its sum there is 0 but "
        "for rounding. So it is where all is learnt, and where a constant that is added "
        "changes nothing, as in front of a normalization or of a softmax: there it need not "
        "be learnt."
    )


def _cancels(step: Step) -> bool:
    """Whether each sum is as small as the rounding of its parts."""
    if step.operation.definition is not BROADCAST or isinstance(step.dy, dict):
        return False
    if step.pairs[0][1] is None:
        return False
    dy, attrs = dense(step.dy), step.operation.attrs
    if np.asarray(dy).dtype.kind != "f" or not np.any(dy):
        return False
    parts = np.sum(np.abs(dy), axis=axes_between(attrs["shape"], attrs["to"]))
    summed = np.abs(dense(step.pairs[0][1]))
    return bool(np.all(summed.ravel() <= _DIGITS * np.finfo(dy.dtype).eps * parts.ravel()))
