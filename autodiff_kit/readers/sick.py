"""Layer 5: gradients that are there and of no use: all zero, or not finite.

One idea: go the way back step by step and name the first one that turned a sound gradient into a
sick one.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from autodiff_kit.readers.account import Step, leading_to, value_of
from autodiff_kit.readers.case import Case, tensor_of
from autodiff_kit.readers.finding import Finding
from autodiff_kit.readers.relaxed import relaxed
from autodiff_kit.readers.safe import safe_form
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


def why_not_finite(case: Case) -> Finding:
    """Where a gradient with NaN or infinity stopped being finite."""
    found = Finding(case.source_name, "not finite", "not finite")
    born = first_sick_value(case)
    if born is not None:
        return _sick_on_the_way_there(case, born, found)
    for step in case.account.steps:
        if not finite(step.dy) and step is case.account.steps[0]:
            break
        bad = [dx for place, dx in step.pairs if place in case.below and dx is not None]
        bad = [dx for dx in bad if not finite(dx)]
        if bad and finite(step.dy):
            return _became_sick(case, step, dense(bad[0]), found)
    found.why = (
        "The gradient was not finite from the start: look at the target and output_gradients."
    )
    found.advice = "Print the target: it is probably NaN or inf itself."
    return found


def _became_sick(case: Case, step: Step, bad: Any, found: Finding) -> Finding:
    operation = step.operation
    found.op, found.line = operation.type, case.line(operation.place)
    kind = "NaN" if np.any(np.isnan(bad)) else "infinite"
    select = _select_above(case, step)
    found.why = f"The gradient was finite until {operation.type}, whose rule made it {kind} here."
    if select is not None and _zero_where_bad(step.dy, bad):
        found.cause = "where trap"
        found.why += (
            f" This lies in the branch that ad.where did not choose ({case.line(select).where}): "
            "where sends back a zero there, and the rule multiplies it by an infinite slope: 0 * inf "
            "is NaN. Choosing afterwards does not help; the argument must be safe beforehand."
        )
    elif _zero_where_bad(step.dy, bad):
        found.why += " A zero came in, and the slope is infinite here: 0 * inf is NaN."
    else:
        chosen = "The branch was chosen: the" if select is not None else "The"
        found.why += f" {chosen} slope itself is not finite at this value."
    found.advice = "Make the argument safe before the function sees it:"
    found.fix = safe_form(case, operation, select)
    return found


def first_sick_value(case: Case) -> int | None:
    """If the target itself is not finite: the first place on the way there whose value is not.

    A tape keeps only the values that its rules need; the place is the first one among those.
    """
    if finite(tensor_of(case.target)._value):
        return None
    values: dict[int, Any] = {p: tensor_of(case.target)._value for p in case.target_places}
    for place in sorted(case.above):
        i, j, a, b, y = case.records[place][1:6]
        sides = zip(i, a, strict=True) if type(i) is tuple else ((i, a), (j, b))
        for at, kept in (*sides, (place, y)):
            if at >= 0 and getattr(kept, "_value", None) is not None:
                values.setdefault(at, kept._value)
    sick = [place for place, value in values.items() if place in case.above and not finite(value)]
    return min(sick, default=None)


def _sick_on_the_way_there(case: Case, place: int, found: Finding) -> Finding:
    operation = case.operation(place)
    found.cause, found.op, found.line = "value not finite", operation.type, case.line(place)
    found.why = (
        f"The value itself is not finite any more from here on, on the way to `{case.target_name}`: "
        "what begins as inf or NaN cannot have a useful gradient."
    )
    advice, found.fix = FINITE.get(operation.type, FINITE[""])
    found.advice = advice
    return found


FINITE = {
    "Exp": (
        "exp overflows (in float32 above 88.7): subtract the largest first, or use a function that "
        "does.",
        "ad.nn.softmax(x)    # or ad.reduce_logsumexp(x), ad.math.softplus(x)",
    ),
    "Log": (
        "The logarithm of 0 is -inf, of a negative number NaN.",
        "ad.math.xlogy(p, p)    # p * log(p), and 0 at 0; else ad.math.log(ad.maximum(x, 1e-7))",
    ),
    "RealDiv": (
        "Something was divided by 0: keep the denominator away from it.",
        "a / ad.maximum(b, 1e-7)    # or ad.math.divide_no_nan(a, b)",
    ),
    "": ("Print the values of this line, and keep them in range.", "print(...)"),
}


def _select_above(case: Case, step: Step) -> int | None:
    """The `where` nearest to the sick step that its value goes into."""
    place = step.operation.place
    for other in range(place + 1, len(case.records)):
        if case.operation(other).type == "SelectV2" and other in case.above:
            if place in leading_to(case.records[: other + 1], [other]):
                return other
    return None


def _zero_where_bad(dy: Any, bad: Any) -> bool:
    dy = dense(dy)
    if np.shape(dy) != np.shape(bad):
        return not np.all(dy)
    return not np.any(dy[~np.isfinite(bad)]) if np.shape(dy) else not dy
