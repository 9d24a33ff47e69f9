"""Layer 5: what `where` puts in the place of scores in front of a softmax.

One idea: what is to be left out gets a large negative number, of which a softmax makes nothing. Of a 0
it makes exp(0) = 1, the share of a score like any other.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from autodiff_kit.readers.facts.account import Step
from autodiff_kit.readers.facts.case import Case
from autodiff_kit.readers.facts.entering import input_value
from autodiff_kit.readers.facts.written import text_of
from autodiff_kit.readers.program.spelled import instead

_FAR_DOWN = 50.0  # exp of minus that is nothing beside 1


class Masked(NamedTuple):
    """An operation that puts a mask, its input of that number, into the scores of a softmax."""

    softmax: Step
    place: int
    number: int

    @property
    def axis(self) -> int:
        """Along which the softmax is."""
        return int(self.softmax.operation.attrs.get("axis", -1))


def puts_far_down(case: Case, masked: Masked) -> bool:
    """Whether `where` puts in what has next to no share of a softmax, as who masks does."""
    after = case.values.get(masked.place)
    return after is not None and bool(np.any(after < -_FAR_DOWN))


def _puts_nought(case: Case, masked: Masked) -> bool:
    """Whether 0 takes the place of some scores of a row, and not of those below a limit, as in relu."""
    chosen, after = input_value(case, masked.place, 0), case.values.get(masked.place)
    if chosen is None or after is None or not np.ndim(after):
        return False
    taken = np.broadcast_to(chosen if masked.number == 2 else ~chosen, np.shape(after))
    if not np.any(np.ptp(np.moveaxis(taken, masked.axis, -1).astype(int), axis=-1)):
        return False  # whole rows, which a softmax makes even
    before = input_value(case, masked.place, 3 - masked.number)
    before = after if before is None else np.broadcast_to(before, np.shape(after))
    limited = np.min(before[taken]) > np.max(before[~taken])
    return bool(not limited and np.any(after[taken]) and not np.any(after[~taken]))


def nought_words(case: Case, masked: Masked) -> tuple[str, str]:
    """A sentence and code about scores in whose place `where` puts 0, "" if it does not."""
    if not _puts_nought(case, masked):
        return "", ""
    text, line = text_of(case, masked.place), case.line(masked.place)
    if text is None:
        return "", ""  # a function did it, as dropout does
    words = (
        f"At {line.where} the score becomes 0 where ad.where does not take it: the softmax gives it "
        "exp(0) = 1 as its share. If those places are to be left out, that does not do it."
    )
    given = list(text.arguments)
    nought = len(given) == 3 and given[masked.number] in ("0", "0.0", "0.")
    if not nought or "\n" in text.whole:
        return words, ""
    given[masked.number] = "-1e9"
    return words, instead(f"ad.where({', '.join(given)})", text)
