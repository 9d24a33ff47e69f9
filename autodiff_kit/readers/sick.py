"""Layer 5: gradients that are all zero.

One idea: go the way back step by step and name the first one that turned a gradient into zero.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from autodiff_kit.operation import Operation
from autodiff_kit.readers.account import Step, again, value_of
from autodiff_kit.readers.case import Case
from autodiff_kit.readers.finding import Finding
from autodiff_kit.readers.relaxed import relaxed
from autodiff_kit.readers.spelled import spelled

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
COMPOSED = {  # functions of several operations, by the name that the learner called
    "clip_by_value": "every value that a gradient arrived at was clipped, and a clipped value does not "
    "move",
    "dropout": "every element that a gradient arrived at was dropped",
}
LOOK = ("Look at the values at this line.", "ad.replay(tape, target, sources)")
ZERO_FIX = {
    "Relu": (
        "Let some slope through with ad.nn.leaky_relu, or start the bias higher and learn more slowly.",
        "",
    ),
    "Sigmoid": (
        "Scale the inputs down. If a cross entropy follows, give it the logits instead of the sigmoid: "
        "ad.nn.sigmoid_cross_entropy_with_logits does both in one.",
        "",
    ),
    "Tanh": ("Scale the inputs down.", "ad.tanh(0.01 * x)"),
    "Softmax": (
        "If a cross entropy follows, give it the logits instead of the probabilities: "
        "ad.nn.softmax_cross_entropy_with_logits does both in one.",
        "",
    ),
    "Minimum": (
        "If a clip did this: keep the values inside its bounds, or clip less.",
        "ad.replay(tape, target, sources)",
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
    return value


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
    dead_unit = _dead_before(case, operation) if operation.type in ("MatMul", "Mul") else None
    if dead_unit is not None:
        return dead_unit
    if _only_too_small(case, step):
        return _vanished(case, step, found)
    reason = ZERO.get(operation.type, f"the derivative of {operation.type} is 0 here")
    text = spelled(operation.type, *case.records[operation.place][-2:])
    reason = COMPOSED.get(text.function if text else "", reason)
    if operation.type == "Softmax" and not np.ptp(dense(step.dy)):
        reason = (
            "all probabilities get the same gradient, and their sum is always 1: it cannot move"
        )
    found.op, found.line = operation.type, case.line(operation.place)
    found.why = f"At {operation.type} the gradient became zero: {reason}."
    found.advice, fix = ZERO_FIX.get(operation.type, LOOK)
    if operation.type == "Relu":
        fix = _leaky(case, operation.place)
    if text is not None and text.function in COMPOSED:
        fix = LOOK[1]
        found.advice = "Look at the values at this line."
        found.why = f"At {text.function} ({operation.type}) the gradient became zero: {reason}."
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


def at_size_one(
    case: Case, step: Step, applies: Callable[[float], bool]
) -> list[tuple[int, Any]] | None:
    """What the rule returns if the gradient that came in is scaled so that its largest number is 1;
    None unless ``applies(largest)``.
    """
    if step.operation.many or isinstance(step.dy, dict):
        return None
    dy = dense(step.dy)
    largest = np.max(np.abs(dy))
    if not applies(largest):
        return None
    scaled = np.asarray(dy / largest, np.asarray(dy).dtype)[()]
    return again(case.records, step.operation.place, scaled)


def _only_too_small(case: Case, step: Step) -> bool:
    """Whether the slope is not 0, and only its product with so small a gradient is."""
    pairs = at_size_one(case, step, lambda largest: 0.0 < largest < 1.0) or []
    return any(dx is not None and place in case.below and nonzero(dx) for place, dx in pairs)


def _vanished(case: Case, step: Step, found: Finding) -> Finding:
    """The product of many small slopes is too small a number."""
    operation, dtype = step.operation, case.source.dtype.name
    found.cause, found.op, found.line = "vanished", operation.type, case.line(operation.place)
    steps = [s.operation.place for s in case.account.steps if s.operation.place in case.path]
    count = sum(place >= operation.place for place in steps)
    largest = float(np.max(np.abs(dense(step.dy))))
    found.why = (
        f"The gradient vanished: it became smaller and smaller on its way back through {count} "
        f"operation{'s' * (count > 1)}. The slope of {operation.type} is not 0 here, but at most "
        f"{largest:.1g} arrives, and the product is too small for {dtype}."
    )
    wider = " Or compute in ad.float64." if dtype != "float64" else ""
    found.advice = (
        "Let more of it through: fewer steps, steeper slopes (relu instead of sigmoid or tanh), or "
        f"a way around them (h + f(h)).{wider}"
    )
    found.fix = f"ad.replay({case.tape_name}, {case.target_name}, {case.source_name})"
    return found


def _dead_before(case: Case, operation: Operation) -> Finding | None:
    """If the other factor of a product is the output of a relu that is 0 everywhere."""
    for place in operation.places:
        while place >= 0 and case.operation(place).type in ("Broadcast", "Reshape", "Identity"):
            place = case.operation(place).places[0]
        if place < 0 or case.operation(place).type != "Relu":
            continue
        if place in case.values and not np.any(case.values[place]):
            line = case.line(place)
            found = Finding(case.source_name, "zero", "zero", line=line, op="Relu")
            found.why = (
                f"`{case.source_name}` is multiplied by the output of the relu at {line.where}, and "
                "that is 0 everywhere: every input of it is at or below zero, so the unit is dead."
            )
            found.advice, found.fix = ZERO_FIX["Relu"][0], _leaky(case, place)
            return found
    return None


def _leaky(case: Case, place: int) -> str:
    """A relu of the learner's with some slope on the other side, if it is written as a call."""
    text = spelled("Relu", *case.records[place][-2:])
    if text is None or text.function != "relu" or len(text.arguments) != 1:
        return ""
    return f"ad.nn.leaky_relu({text.arguments[0]})    # instead of {text.whole}"


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
