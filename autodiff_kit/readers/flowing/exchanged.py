"""Layer 5: a loss whose two arguments were exchanged, the truth and the prediction.

One idea: a gradient flows there too, of another loss. It is told where the numbers say so: what stands
as the prediction is nothing but zeros and ones that no tape knows, and what is learned stands as the
truth.
"""

from __future__ import annotations

import ast
from typing import Any

import numpy as np

from autodiff_kit.keras.loss_functions import EPSILON
from autodiff_kit.readers.facts.case import Case
from autodiff_kit.readers.facts.entering import input_value
from autodiff_kit.readers.facts.losses import OF_LOGITS, call_at, name_of, quoted

_TAKES_BOTH = frozenset({"Mul", *OF_LOGITS})
_ENDS = np.log([EPSILON, 1.0 - EPSILON])  # the logarithms that a loss makes of 0 and of 1


def exchanged_words(case: Case) -> list[str]:
    """A sentence about the last such loss on the way, or nothing."""
    for step in reversed(case.steps):
        place = step.operation.place
        if _is_a_truth(case, place):
            return [_words(case, place)]
    return []


def _is_a_truth(case: Case, place: int) -> bool:
    """Whether an operation of a loss took the source's for the truth, and a truth for logits or for
    probabilities.
    """
    if case.kind(place) not in _TAKES_BOTH:
        return False
    operation = case.operation(place)
    if len(operation.places) != 2:  # noqa: PLR2004
        return False
    own, other = (1, 0) if operation.type != "Mul" else (0, 1)
    if operation.places[own] not in case.below or operation.places[other] >= 0:
        return False
    value = input_value(case, place, other)
    if value is None or not np.ndim(value) or not np.size(value):
        return False
    if operation.type == "Mul":
        return call_at(case.spot(place)) is not None and _are_ends(value)
    return bool(np.all((value == 0) | (value == 1)) and np.any(value))


def _are_ends(value: Any) -> bool:
    """Whether all are what a loss makes of 0 and of 1."""
    low, high = _ENDS
    is_high = (value < 0) & (value > 10 * high)  # a mask of zeros is none
    return bool(np.all(is_high | np.isclose(value, low, rtol=1e-2)))


def _words(case: Case, place: int) -> str:
    spot = case.spot(place)
    name = name_of(spot, "The loss")
    turned = _turned(spot)
    order = (
        "takes the truth first and the prediction second. Here" if turned else "was called so that"
    )
    return (
        f"{name} at {case.line(place).where} {order} what was made of `{case.source_name}` stands for "
        "the truth, and the prediction is nothing but zeros and ones: most likely the two were "
        f"exchanged{turned}."
    )


def _turned(spot: Any) -> str:
    """The call with its arguments the other way round, as a part of a sentence."""
    node = call_at(spot)
    if node is None or len(node.args) < 2:  # noqa: PLR2004
        return ""
    if any(isinstance(one, ast.Starred) for one in node.args):
        return ""
    first, second = (quoted(spot, [one]) for one in node.args[:2])
    return f" (first {second}, then {first})" if first and second else ""
