"""Layer 5: a draw among classes that decides what comes out, and is not learnt from.

One idea: with an entropy or a weight decay beside it a gradient flows, and it is not that of what the
draw earns: this comes only where the logarithm of its probability is multiplied by that.
"""

from __future__ import annotations

from autodiff_kit.readers.facts.account import depending_on
from autodiff_kit.readers.facts.case import Case
from autodiff_kit.readers.facts.kinds import ADDITIONS, CATEGORICAL, JOINS
from autodiff_kit.readers.lost.choosing import HOW
from autodiff_kit.readers.mending.chances import by_score

_BESIDE = ADDITIONS | JOINS | {"AddN"}


def unscored_words(case: Case) -> list[str]:
    """A sentence about the first draw whose probability enters nowhere, or nothing."""
    for place in sorted(case.below & case.above):
        if case.kind(place) in CATEGORICAL and _enters_nowhere(case, place):
            advice, _ = by_score(case, case.operation(place))
            return [
                f"Nothing of it comes through the draw at {case.line(place).where}, which decides over "
                f"`{case.target_name}`, and the probability of what was drawn enters nowhere. {advice}"
            ]
    return []


def _enters_nowhere(case: Case, place: int) -> bool:
    """Whether what was drawn meets nothing on the tape that carries a gradient, but in a sum."""
    made = depending_on(case.records, [place])
    if any(event.subject in made for event in case.time.all(*HOW)):
        return False  # as a plain number it may have gone anywhere
    for taker in sorted(made & case.above - {place}):
        others = [p for p in case.operation(taker).places if p in case.below and p not in made]
        carrying = any(case.account.total.get(p) is not None for p in others)
        if carrying and case.kind(taker) not in _BESIDE:
            return False
    return True
