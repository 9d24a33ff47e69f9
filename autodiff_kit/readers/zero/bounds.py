"""Layer 5: a bound that cut off every value that a gradient arrived at.

One idea: a bound at 0 is a relu, and `leaky_relu` lets some slope through. With any other bound the
values may stay as they are, while the gradient passes as if nothing had been cut off.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from autodiff_kit.executed import Operation
from autodiff_kit.readers.facts.account import depending_on
from autodiff_kit.readers.facts.case import Case
from autodiff_kit.readers.facts.dense import nonzero
from autodiff_kit.readers.facts.kinds import BOUNDS
from autodiff_kit.readers.program.spelled import Spelled, bracketed, instead
from autodiff_kit.readers.zero.sayings import ZERO_FIX

_FLAT = 1e-4  # the slope of a sigmoid that is as good as none
_KEPT = "Or keep the bound, and let the gradient pass as if it were not there:"


def let_through(
    operation: Operation, text: Spelled | None, at_zero: bool
) -> tuple[str, str] | None:
    """What to do about a bound that the learner wrote as a call, and the code for it.

    Args:
      at_zero: whether the bound is 0.
    """
    argument = _bounded(operation, text)
    if text is None or not argument or "\n" in text.whole:
        return None
    if operation.type == "Maximum" and text.function == "maximum" and at_zero:
        return ZERO_FIX["Relu"][0], instead(f"ad.nn.leaky_relu({argument})", text)
    x = bracketed(argument)
    return _KEPT, instead(f"{x} + ad.stop_gradient({text.whole} - {x})", text)


_LOGITS = {
    "Sigmoid": "ad.nn.sigmoid_cross_entropy_with_logits, or ad.math.log_sigmoid(z), and "
    "ad.math.log_sigmoid(-z) for the logarithm of one minus it",
    "Softmax": "ad.nn.softmax_cross_entropy_with_logits, or ad.nn.log_softmax(z)",
}


def from_logits(case: Case, place: int) -> str:
    """What to say of a clip that keeps probabilities off 0 and 1 for a logarithm, "" of others."""
    inner = case.before(place, *BOUNDS)
    kind, after = case.kind(inner), [place]
    if kind not in _LOGITS or not _is_at_an_end(case.values.get(inner)):
        return ""
    while after and case.kind(after[0]) in (*BOUNDS, "Sub"):
        after = [user for one in after for user in case.takers.get(one, ())]
        if any(case.kind(user) == "Log" for user in after):
            return (
                f"What is clipped are probabilities, so near to 0 or 1 that the {kind.lower()} has "
                "next to no slope there either. Leave the clip out, and compute the logarithm from "
                f"what goes into the {kind.lower()}: {_LOGITS[kind]}."
            )
    return ""


def _is_at_an_end(p: Any) -> bool:
    """Whether probabilities are all so near to 0 or 1 that next to nothing moves them."""
    return p is not None and bool(np.all(np.asarray(p) * (1 - np.asarray(p)) < _FLAT))


def surpassed(case: Case, place: int) -> str:
    """What to say if the value is compared with one without the bound, and the bounded one was taken.

    That is how the clipped loss of PPO works: beyond the bound there is nothing to gain.
    """
    after = depending_on(case.records, [place]) & case.on_path
    for step in case.account.steps:
        if step.operation.place == place or step.operation.type not in BOUNDS:
            continue
        free = [dx for one, dx in step.pairs if one in case.below and one not in after]
        bound = [dx for one, dx in step.pairs if one in after]
        if step.operation.place in after and free and bound and not any(map(nonzero, free)):
            kind = step.operation.type.lower()
            return _SURPASSED.format(kind=kind, where=case.line(step.operation.place).where)
    return ""


_SURPASSED = (
    "{kind} at {where} compares it with what has no such bound, and took the bounded one wherever it "
    "counts. Beyond the bound there is nothing to gain then, as in the loss of PPO: if the bound is "
    "there for that, zero is right until other data comes in."
)


def _bounded(operation: Operation, text: Spelled | None) -> str:
    """The argument that was cut off, as the learner wrote it; "" where two values are compared."""
    if text is None or text.function not in ("clip_by_value", "maximum", "minimum"):
        return ""
    if text.function == "clip_by_value":
        return text.arguments[0] if text.arguments else ""
    numbers = [n for n, place in enumerate(operation.places) if place >= 0]
    given = text.arguments if len(text.arguments) == 2 and len(numbers) == 1 else ()
    return given[numbers[0]] if given else ""
