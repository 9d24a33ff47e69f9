"""Layer 5: probabilities that were given to a cross entropy as logits.

One idea: what takes a softmax or a sigmoid by itself takes it of what a softmax or a sigmoid has made,
if both stand on the tape one behind the other. The loss falls all the same, and not far.
"""

from __future__ import annotations

import math

import numpy as np

from autodiff_kit.readers.facts.case import Case
from autodiff_kit.readers.facts.kinds import RESHAPES

_MADE_BY = {
    "SoftmaxCrossEntropyWithLogits": "Softmax",
    "SparseSoftmaxCrossEntropyWithLogits": "Softmax",
    "SigmoidCrossEntropyWithLogits": "Sigmoid",
}


def twice_words(case: Case) -> list[str]:
    """A sentence about the first such cross entropy on the way, or nothing."""
    for place in case.path:
        before = _before(case, place)
        if before >= 0:
            kind, taken = case.operation(before).type.lower(), case.operation(place).type
            where = case.line(place).where
            return [
                f"{taken} at {where} takes the {kind} by itself, and what goes in there is a {kind} "
                f"already, that at {case.line(before).where}: of the two together no probability "
                f"comes {_bound(case, before)}. Leave the one before out, there or as the "
                "activation of the last layer; or, if the loss has from_logits=True, leave that out."
            ]
    return []


def _before(case: Case, place: int) -> int:
    """The place of the softmax or sigmoid that went into a cross entropy as its logits, or -1."""
    kind = _MADE_BY.get(case.operation(place).type)
    if kind is None:
        return -1
    at = case.before(case.operation(place).places[0], *RESHAPES if kind == "Sigmoid" else ())
    made = at in case.on_path and case.kind(at) == kind
    last = made and case.operation(at).attrs.get("axis", -1) in (-1, _axes(case, at) - 1)
    return at if made and last else -1


def _axes(case: Case, place: int) -> int:
    return int(np.ndim(case.values.get(place, 0.0)))


def _bound(case: Case, place: int) -> str:
    """Between what the second one lies, since the first is between 0 and 1."""
    if case.operation(place).type == "Sigmoid":
        return "below 0.5 or above 0.73"
    shape = np.shape(case.values.get(place, 0.0))
    return f"above {math.e / (math.e + shape[-1] - 1):.2g}" if shape else "near 1"
