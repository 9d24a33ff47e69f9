"""Layer 5: eigenvectors, or singular vectors, of equal values.

One idea: what would be infinite is left out by the rule, and if that was all there was, zero remains.
"""

from __future__ import annotations

from autodiff_kit.readers.facts.account import Step
from autodiff_kit.readers.facts.case import Case
from autodiff_kit.readers.facts.coinciding import equal_pair, equal_words
from autodiff_kit.readers.facts.finding import Finding
from autodiff_kit.readers.mending.differing import apart


def equal_values(case: Case, step: Step, found: Finding) -> Finding | None:
    """If a gradient became zero where it should be infinite: that is what is spoken of."""
    pair = equal_pair(step)
    if pair is None:
        return None
    found.cause, found.op = "equal values", step.operation.type
    found.line = case.line(step.operation.place)
    found.why = f"At {found.op} the gradient became zero: {equal_words(step, pair)}."
    found.advice, found.fix = apart(case, step, pair)
    return found
