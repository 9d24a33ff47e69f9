"""Layer 5: what is to be said of a gradient that flows.

One idea: the finding is that all is well; what may be amiss is told beside it, and only where it is
certain.
"""

from __future__ import annotations

from autodiff_kit.readers.facts.case import Case
from autodiff_kit.readers.facts.finding import Finding
from autodiff_kit.readers.flowing.crossed import crossed_words
from autodiff_kit.readers.flowing.elements import element_words
from autodiff_kit.readers.flowing.equalvalues import equal_values_words
from autodiff_kit.readers.flowing.exchanged import exchanged_words
from autodiff_kit.readers.flowing.forgotten import tell_forgotten
from autodiff_kit.readers.flowing.lastround import last_round_words
from autodiff_kit.readers.flowing.partly import partly_words
from autodiff_kit.readers.flowing.size import size_words
from autodiff_kit.readers.flowing.softmasks import tell_masks
from autodiff_kit.readers.flowing.truths import truth_words
from autodiff_kit.readers.flowing.twice import twice_words
from autodiff_kit.readers.flowing.unlikely import unlikely_words
from autodiff_kit.readers.flowing.unscored import unscored_words
from autodiff_kit.readers.flowing.untaken import untaken_words
from autodiff_kit.readers.lost.cut import cut_ways

_REMARKS = (
    crossed_words,
    exchanged_words,
    unscored_words,
    unlikely_words,
    truth_words,
    last_round_words,
    twice_words,
    equal_values_words,
    size_words,
    untaken_words,
    partly_words,
    element_words,
)


def what_flows(case: Case) -> Finding:
    """The finding for a gradient that is neither missing nor zero nor sick."""
    found = Finding(case.source_name, "flows", why=_ways(case), also=cut_ways(case))
    tell_forgotten(case, found)
    tell_masks(case, found)
    for remark in _REMARKS:
        found.also += remark(case)
    return found


def _ways(case: Case) -> str:
    steps = [step for step in case.steps if step.operation.type != "Watch"]
    if case.source is case.target or not steps:
        return f"`{case.source_name}` is the target itself."
    return f"It comes through {len(steps)} operation{'s' * (len(steps) > 1)}; ad.replay shows them."
