"""Layer 5: a gradient that flows, and comes through the vectors of equal eigenvalues.

One idea: a number is there, and it is that of a part only, or that of rounding.
"""

from __future__ import annotations

from autodiff_kit.readers.facts.case import Case
from autodiff_kit.readers.facts.coinciding import equal_pair, equal_words
from autodiff_kit.readers.mending.differing import apart


def equal_values_words(case: Case) -> list[str]:
    """A sentence about the first decomposition whose vectors cannot be relied on, or nothing."""
    for step in case.steps:
        pair = equal_pair(step)
        if pair is not None:
            where = case.line(step.operation.place).where
            advice, code = apart(case, step, pair)
            written = f" In code: {code.partition('    #')[0]}." if code else ""
            return [f"At {where} {equal_words(step, pair)}. {advice}{written}"]
    return []
