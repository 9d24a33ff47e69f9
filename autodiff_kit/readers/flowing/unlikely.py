"""Layer 5: logits that were handed to a loss of probabilities.

One idea: a part of them still gets a gradient, so nobody asks; but what the loss cuts off learns
nothing.
"""

from __future__ import annotations

from autodiff_kit.readers.facts.case import Case
from autodiff_kit.readers.facts.losses import losses_of_probabilities
from autodiff_kit.readers.facts.unlikely import LAST, logits_words, outside


def unlikely_words(case: Case) -> list[str]:
    """A sentence about the last such loss on the way, or nothing."""
    for loss in losses_of_probabilities(case):
        if outside(loss) is not None:
            last = LAST[loss.kind]
            return [
                f"{logits_words(loss)} If they are logits, as a layer without {last} gives them, make "
                f"the loss with from_logits=True, or let a {last} be the last step before it."
            ]
    return []
