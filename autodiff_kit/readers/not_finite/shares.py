"""Layer 5: a loss that divides what it is given by its sum, and that sum is 0.

One idea: the learner wrote no quotient, so the loss is what is spoken of, and what it was given.
"""

from __future__ import annotations

import numpy as np

from autodiff_kit.readers.facts.case import Case
from autodiff_kit.readers.facts.entering import input_value
from autodiff_kit.readers.facts.losses import loss_with


def shares_of_nothing(case: Case, place: int) -> str:
    """What to say of a quotient inside a cross entropy of several classes; "" for any other."""
    loss = loss_with(case, place + 1)
    total = input_value(case, place, 1)
    if loss is None or loss.kind != "categorical" or case.operation(loss.bound).places[0] != place:
        return ""
    if total is None or np.all(total):
        return ""
    value = loss.prediction
    zeros = value is not None and not np.any(value[np.broadcast_to(total == 0, np.shape(value))])
    what = "nothing but 0 for an example, and 0 / 0 is NaN"
    if not zeros:
        what = "an example whose numbers add up to 0, and divided by 0 they are not finite"
    return (
        f"{loss.name} takes probabilities and divides them by their sum. In {loss.given} there is "
        f"{what}. Let a softmax be the last step before the loss, or, if these are logits, make the "
        "loss with from_logits=True."
    )
