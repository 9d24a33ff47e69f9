"""Layer 5: gradients that are all zero.

One idea: go the way back step by step and name the first one that turned a gradient into zero.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from autodiff_kit.readers.account import Step, value_of
from autodiff_kit.readers.case import Case
from autodiff_kit.readers.finding import Finding
from autodiff_kit.readers.relaxed import relaxed
from autodiff_kit.scattered import Scattered

ZERO = {
    "Relu": "every input is at or below zero, where relu is flat: the unit is dead",
    "Relu6": "every input lies where relu6 is flat",
    "Sigmoid": "the sigmoid is saturated: its slope y * (1 - y) is 0 to the last digit",
    "Tanh": "tanh is saturated: its slope 1 - y * y is 0 to the last digit",
    "Softmax": "softmax is saturated: one probability is 1 to the last digit",
    "SelectV2": "where chose the other branch at every place that a gradient arrived at",
    "Mul": "the other factor is 0 (a mask, for example)",
    "Sign": "sign is flat: its gradient is 0 everywhere",
    "Square": "the value is 0, where a square is flat: this is its minimum",
    "Abs": "the value is 0, and the gradient of abs is taken to be 0 there",
    "Maximum": "the other argument of maximum was the larger one",
    "Minimum": "the other argument of minimum was the smaller one",
    "ClipByValue": "every value was clipped, and a clipped value does not move",
    "Max": "another element was the largest",
    "Min": "another element was the smallest",
    "MatMul": "the other factor is 0 everywhere (weights that begin at zero, or a dead layer)",
    "StridedSlice": "only elements were taken whose gradient is 0",
}
LOOK = ("Look at the values at this line.", "ad.replay(tape, target, sources)")
ZERO_FIX = {
    "Relu": (
        "Let some slope through, or start the bias higher and learn more slowly.",
        "ad.nn.leaky_relu(x)    # instead of ad.nn.relu(x)",
    ),
    "Sigmoid": (
        "Give the loss the logits instead of the sigmoid, or scale the inputs down.",
        "ad.nn.sigmoid_cross_entropy_with_logits(labels=labels, logits=logits)",
    ),
    "Tanh": ("Scale the inputs down.", "ad.tanh(0.01 * x)"),
    "Softmax": (
        "Give the loss the logits instead of the probabilities.",
        "ad.nn.softmax_cross_entropy_with_logits(labels=labels, logits=logits)",
    ),
    "SelectV2": (
        "Check the condition, or ask for the gradient of the branch that was chosen.",
        "ad.reduce_any(condition)    # is it ever true?",
    ),
    "Sign": (
        "Put a soft sign in its place, steeper for a larger factor.",
        "ad.tanh(10.0 * x)    # instead of ad.sign(x)",
    ),
    "MatMul": (
        "Let the weights begin at random values, not at zero; or look for the dead layer.",
        "ad.Variable(ad.random.normal(shape))    # or ad.keras.initializers.glorot_uniform()",
    ),
    "Mul": (
        "Look at the other factor: if it is a mask, the zero is what it was made for.",
        "ad.replay(tape, target, sources)",
    ),
}


def finite(value: Any) -> bool:
    """Whether a gradient has neither NaN nor infinities."""
    return bool(np.all(np.isfinite(dense(value))))


def nonzero(value: Any) -> bool:
    """Whether anything in a gradient is not zero."""
    return bool(np.any(dense(value)))


def dense(value: Any) -> Any:
    """A gradient as an array, whatever form it has on the way back."""
    value = value_of(value)
    if isinstance(value, dict):
        return np.concatenate([np.ravel(dense(part)) for part in value.values()])
    return value.dense() if type(value) is Scattered else value


def why_zero(case: Case) -> Finding:
    """Where an all-zero gradient became zero."""
    found = Finding(case.source_name, "zero", "zero")
    for step in reversed(case.account.steps):
        inside = [dx for place, dx in step.pairs if place in case.below and dx is not None]
        if inside and nonzero(step.dy) and not any(nonzero(dx) for dx in inside):
            return _became_zero(case, step, found)
    cancelled = _cancelled(case)
    if cancelled is not None:
        found.cause, found.line = "cancelled", case.line(cancelled)
        if relaxed(case, cancelled, found):
            return found
        found.why = (
            "Several gradients arrive here that are not zero, and their sum is: the ways cancel each "
            "other."
        )
        found.advice = "Look at the parts and their running sums."
        found.fix = f"ad.replay({case.tape_name}, {case.target_name}, {case.source_name})"
        return found
    found.cause, found.why = "nothing arrived", "The gradient that the way back began with is zero."
    found.advice = "Look at output_gradients and at the target."
    return found


def _became_zero(case: Case, step: Step, found: Finding) -> Finding:
    operation = step.operation
    if relaxed(case, operation.place, found):
        return found
    reason = ZERO.get(operation.type, f"the derivative of {operation.type} is 0 here")
    if operation.type == "Softmax" and not np.ptp(dense(step.dy)):
        reason = (
            "all probabilities get the same gradient, and their sum is always 1: it cannot move"
        )
    found.op, found.line = operation.type, case.line(operation.place)
    found.why = f"At {operation.type} the gradient became zero: {reason}."
    found.advice, fix = ZERO_FIX.get(operation.type, LOOK)
    asked = f"{case.tape_name}, {case.target_name}, {case.source_name}"
    found.fix = fix.replace("tape, target, sources", asked)
    dead = next((p for p in operation.places if p in case.below), -1)
    if operation.type in ("Pow", "Square", "Mul") and case.operation(dead).type == "Relu":
        found.also.append(
            f"The value there is the 0 of the relu at {case.line(dead).where}: no input of it is "
            "above zero, so the unit is dead."
        )
    stops = [
        s.operation for s in case.account.steps
        if any(dx is None and p in case.below for p, dx in s.pairs)
        and s.operation.place in case.path
        and s.operation.type != "SelectV2"
    ]  # fmt: skip
    if stops:
        line = case.line(stops[0].place)
        found.also.append(
            f"There is another way, through {stops[0].type} at {line.where}, and no gradient flows "
            "there."
        )
    return found


def _cancelled(case: Case) -> int | None:
    """The place at which gradients that are not zero add up to zero."""
    arrived: dict[int, list[int]] = {}
    for step in case.account.steps:
        for place, dx in step.pairs:
            if dx is not None and place in case.below and nonzero(dx):
                arrived.setdefault(place, []).append(step.operation.place)
    for place, steps in arrived.items():
        if not nonzero(case.account.total[place]):
            return steps[-1]
    return None
