"""Layer 5: numbers that a loss takes for probabilities, and that cannot be any.

One idea: a loss of probabilities cuts off what is outside 0 to 1 without a word, so these numbers are
looked up, and told with what the loss does to them.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from autodiff_kit.readers.facts.losses import LossCall

_SLACK = 1e-3  # a probability that was rounded, or smoothed, is that near
LAST = {"binary": "sigmoid", "categorical": "softmax", "sparse": "softmax"}


def outside(loss: LossCall) -> Any:
    """Which numbers are no probabilities, None if all may be or that is not known.

    What is divided by its sum first may be any weights that are not below 0.
    """
    value = loss.prediction
    if value is None or not np.size(value) or not np.all(np.isfinite(value)):
        return None
    found = np.asarray(value) < -_SLACK
    if loss.kind != "categorical":
        found |= np.asarray(value) > 1.0 + _SLACK
    return found if np.any(found) else None


def logits_words(loss: LossCall) -> str:
    """What the loss does with such numbers."""
    which, value = outside(loss), np.asarray(loss.prediction)
    farthest = float(value[which][np.argmax(np.abs(value[which] - 0.5))])
    count, size = int(np.sum(which)), np.size(value)
    some = f"all {size} numbers of" if count == size else f"{count} of the {size} numbers of"
    some = "" if size == 1 else f"{some} "
    verb = "is" if size == 1 or count == 1 else "are"
    known = f" ({farthest:.3g}, for example)" if size > 1 else f" ({farthest:.3g})"
    no = "not from 0 to 1" if loss.kind != "categorical" else "below 0"
    first = "divides them by their sum and " if loss.kind == "categorical" else ""
    return (
        f"{loss.name} at {loss.where} takes probabilities, and {some}{loss.given} {verb} {no}{known}. "
        f"It {first}cuts off what is outside 0 to 1, and no gradient comes to what is cut off."
    )
